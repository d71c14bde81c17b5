"""The work that texts may take: labels, prompts, titles and reasons, worked out whenever somebody looks.

Nobody decides while a text is read, and no step of the game counts it. One text is bounded by the checker (R0476); but
nine hundred labels that each count thousands of things would hold up a table for minutes. So all texts of one decision
have one budget, as much as a step of a game has by default, whatever its manifest says:

- half of it belongs to the labels, in equal shares: what one label may take depends on nothing but how many there are;
- an eighth belongs to the prompt, an eighth to the titles of the phases that run.

Shares in place of a counter that runs down have two virtues. Whoever looks twice does not use up what is left, and the
same text of the same position fails for everybody or for nobody, in whatever order it is read.

A text beyond its share is a fault (R0914) with its line, for whoever reads it: the decision, a view, a key of
information. The game is not touched by it. Choices by number and code work, bots play, saves are written, and the log
names what was chosen instead of its label.

Almost all texts are so cheap that nothing is counted (`Meta.text_units` has the others). Those are worked out on a copy
of the state, since several threads may read one state and the count is a part of it.

A search through labels that are not offered (`reasons`) has a budget of its own that does run down, and then gives up.
"""

from __future__ import annotations

from typing import Any

from ..compile.meta import NAMED, STEP
from .faults import Trouble
from .running import Running

BUDGET = 100_000 * STEP  # units of work for all texts of a decision; more for nobody
_READ = 128  # units for a cheap text: its holes, the names in them, and putting it together
LABELS, OTHERS = 2, 8  # the share of all labels, and of each other kind: one over this


class Spent(Exception):
    """A search through texts and conditions has taken all that it may."""


class Budget:
    """What a search may still take."""

    __slots__ = ("left",)

    def __init__(self, units: int = BUDGET // 2) -> None:
        self.left = units

    def spend(self, units: int) -> None:
        self.left -= units
        if self.left < 0:
            raise Spent


def text_numbers(state: Running, text: int, args: Any, share: int, among: int, search: Budget | None) -> Any:
    """The numbers for the holes of a text that is one of `among`, which together may take one over `share` of the
    budget. Raises a fault if it takes more."""
    work_out, units = state.machine.play[f"text_{text}"], state.meta.text_units.get(text)
    try:
        if units is None:
            if search is not None:
                search.spend(_READ)
            return work_out(state, *args)
        return _counted(state, work_out, args, units, share * max(among, 1), search)
    except (Trouble, RecursionError) as trouble:
        raise state.game.fault(trouble, state) from None


def _counted(state: Running, work_out: Any, args: Any, units: int, share: int, search: Budget | None) -> Any:
    reader = state.fork()
    most = max(min(reader.limit, BUDGET) // share, STEP)
    if search is not None:
        search.spend(units)
        most = min(most, search.left)
    reader.steps, reader.limit = 0, most - units
    try:
        if reader.limit < 0:
            raise Trouble("R0903", "")
        numbers = work_out(reader, *args)
        reader.steps += NAMED * sum(len(number) for number in numbers if isinstance(number, tuple | list))
        if reader.steps > reader.limit:
            raise Trouble("R0903", "")
        return numbers
    except Trouble as trouble:
        if search is not None and search.left - reader.steps < 0:
            raise Spent from None
        if trouble.code != "R0903":
            raise
        raise _too_much(state, most).with_traceback(trouble.__traceback__) from None
    finally:
        if search is not None:
            search.left -= reader.steps


def _too_much(state: Running, most: int) -> Trouble:
    offered = len(state.opts)
    what = f"a text takes more than {most // STEP:,} steps to work out"
    return Trouble(
        "R0914",
        what,
        f"all texts of a decision have {BUDGET // STEP:,} steps, half of them for its {offered:,} labels: "
        "say something shorter, or keep the number in a field",
    )
