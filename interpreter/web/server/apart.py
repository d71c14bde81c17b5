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

The exception is chance inside a block (each player rolls dice of their own): it falls in the order of the rules, so a
player is asked when the rules come to that player.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ...runtime.faults import Fault
from . import questions
from .asking import ask, standing_of, taken

MOST = 2_000  # choices in one block


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
    try:
        for _ in range(MOST):
            if at.over or at.block != first.block:
                return shown
            if at.luck != first.luck:
                break
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
