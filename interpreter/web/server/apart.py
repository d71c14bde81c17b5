"""Choosing at once: what a viewer is shown, and may answer, while players choose `together`.

The rules ask one player after the other. If the server did so too, the second would learn that the first has chosen. So
from the moment a block begins, everybody in it is asked at once, and answers are kept (`ahead`) until the rules come to
them. That works since bodies write only what is their own player's and read nothing that another body writes (R0516): a
player's questions are the same whatever the others choose.

What a viewer gets inside a block is worked out from two things only: the state in which the block began, and what this
viewer has chosen in it. The others are answered for with the first thing they are offered, on a copy. So nothing that
anybody else does before the block is over can show: not in a number, a line, a scene, nor in when a message comes.

    seat      0            1
    asked     which sign?  which sign?      both at once
    answers                rock             kept; seat 0 is told nothing, seat 1 waits
    answers   paper                         the rules take paper, then rock; the block is over, all are told

Chance inside a block (each player rolls dice of their own) falls in the order of the rules. It is known before if it
falls alike whatever those choose who come earlier: that is tried out. Where it does not (somebody chooses which dice to
roll again), a player is asked when the rules come to that player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...runtime.faults import Fault
from . import questions
from .asking import Standing, ask, standing_of, taken

MOST = 2_000  # choices in one block
MOST_WAYS = 60  # ways through the choices of one player that are tried out


@dataclass(frozen=True)
class Side:
    """A block as one viewer lives through it.

    `state`: what the viewer sees. If `asked`, its pending decision is the viewer's; if not, the viewer has answered,
    and sees the table as it was before the last answer. `path`: the choices that lead there from the beginning of the
    block. `stuck`: it cannot be known what the viewer will be asked before the rules come to it."""

    state: Any
    asked: bool
    options: int = 0
    path: tuple[int, ...] = ()
    stuck: bool = False


def side_of(begin: Any, viewer: int, own: Sequence[int]) -> Side:
    """The block that begins with a state, for a viewer who has chosen these in it."""
    state, left = begin.clone(), list(own)
    path: list[int] = []
    shown = Side(begin, False)
    first = at = standing_of(state)
    is_known = False
    try:
        for _ in range(MOST):
            if at.over or at.block != first.block:
                return shown
            if at.luck != first.luck and not is_known:
                if not _chance_is_known(begin, viewer):
                    break
                is_known = True
            if at.who != viewer:
                code = ask(questions.code_at, state, 0)
            elif left:
                shown = Side(state.clone(), False, 0, tuple(path))
                code = left.pop(0)
            else:
                return Side(state, True, at.options, tuple(path))
            path.append(code)
            after = taken(state, code)
            if after is None:
                break
            at = after
    except Fault:
        pass  # the rules fail with what was answered for somebody else: wait for what they really choose
    return Side(shown.state, False, 0, shown.path, stuck=True)


def _chance_is_known(begin: Any, viewer: int) -> bool:
    """Whether chance falls alike for a viewer, whatever those choose who come earlier in the order of the rules."""
    state, first = begin.clone(), standing_of(begin)
    at = first
    while not at.over and at.block == first.block and at.who != viewer:
        ends = _ends(state, at)
        if ends is None or len({(end.luck, end.who, end.block) for _, end in ends}) != 1:
            return False
        state, at = ends[0]
    return True


def _ends(state: Any, at: Standing) -> list[tuple[Any, Standing]] | None:
    """Where all ways lead that the player who decides could go until somebody else does; None if there are many."""
    found: list[tuple[Any, Standing]] = []
    open_ways = [(state, at)]
    while open_ways:
        here, now = open_ways.pop()
        if now.over or now.block != at.block or now.who != at.who:
            found.append((here, now))
            continue
        if len(found) + len(open_ways) + now.options > MOST_WAYS:
            return None
        for index in range(now.options):
            copy = here.clone()
            after = taken(copy, ask(questions.code_at, copy, index))
            if after is None:
                return None
            open_ways.append((copy, after))
    return found
