"""Undo: what a seat may take back, as far as that seat can know, and as it is.

It reaches as far as nobody has learnt anything since (`undo_horizon`) and no other person has chosen. That something
cannot be taken back must tell nothing either: choices that a seat has not noticed do not count in what it is told
beforehand, and a choice that somebody *may* have answered silently cannot be taken back, whether that was so or not.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from typing import Any

from .game_table import GameTable
from .store import ChoiceRow
from .viewers import NO_BLOCK
from .words import Refused


@dataclass(frozen=True)
class Undo:
    """What a seat may take back: the real step to go back to, or why not (a key of `words`)."""

    to: int | None
    why: str | None


def undo_shown(table: GameTable, seat: int) -> Undo:
    """What a seat may take back, as far as it can know: with the choices and the horizon that it has noticed.
    `undo_now` asks again when it comes to it."""
    noticed = [choice for choice in table.choices if choice.seen >> seat & 1 or choice.seat == seat]
    return _undo(table, seat, noticed, table.horizon_of(seat))


def undo_now(table: GameTable, seat: int, to: Any) -> int:
    """The real step to go back to; refuses what may not be taken back. `to` is a step of that seat's own."""
    horizon = table.horizon
    undo = _undo(table, seat, table.choices, horizon)
    if undo.to is None:
        raise Refused(409, undo.why or "no_undo")
    if to is None:
        return undo.to
    wanted = table.real_step(seat, to)
    own = next((c.step for c in table.choices[wanted:] if c.seat in table.group(seat)), None)
    if own is None:
        raise Refused(409, "undo_nothing")
    if own < horizon:
        raise Refused(409, "undo_horizon")
    if _is_inside(table, own):
        raise Refused(409, "undo_together")
    if _is_others(table, seat, table.choices[own:]):
        raise Refused(409, "undo_others")
    return own


def _undo(table: GameTable, seat: int, choices: list[ChoiceRow], horizon: int) -> Undo:
    group = table.group(seat)
    if not table.row.settings.get("undo", True):
        return Undo(None, "no_undo")
    if table.block_of(seat) != NO_BLOCK:
        return Undo(None, "undo_together")
    if table.is_waiting(seat) or seat in table.held:
        return Undo(None, "undo_waiting")
    for choice in reversed(choices):
        if choice.step < horizon:
            return Undo(None, "undo_horizon")
        if choice.seat in group and choice.step in table.hushed and not table.owns_all(seat):
            return Undo(None, "undo_others")
        if choice.seat in group:
            return Undo(None, "undo_together") if _is_inside(table, choice.step) else Undo(choice.step, None)
        if _is_others(table, seat, [choice]):
            return Undo(None, "undo_others")
    return Undo(None, "undo_nothing")


def _is_inside(table: GameTable, step: int) -> bool:
    """Whether going back to a step would open a block again in which several persons have chosen at once."""
    return table.is_shared and table.blocks[step] != NO_BLOCK


def _is_others(table: GameTable, seat: int, choices: list[ChoiceRow]) -> bool:
    """Whether another person has chosen; what took itself for another person counts, so as not to be told apart."""
    others = set(table.persons) - table.group(seat)
    return any((choice.seat if choice.seat >= 0 else ~choice.seat) in others for choice in choices)


def offsets_after_undo(table: GameTable, step: int) -> dict[str, int]:
    """Every viewer's number goes up by one, whatever is taken back: of a viewer who has noticed nothing, too, since
    whether something was undone is no secret."""
    offsets = {}
    for viewer, moments in enumerate(table.moments):
        left = moments[: bisect_right(moments, step)]
        waits = any(choice.seat == viewer for choice in table.choices[left[-1] : step])
        offsets[str(viewer)] = table.number(viewer) + 1 - 2 * (len(left) - 1) - waits
    return offsets
