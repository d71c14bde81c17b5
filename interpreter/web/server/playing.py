"""What persons do at a table: choose, take back, ask for a hint. And when the others are shown what came of it.

**Waiting.** Whether somebody was asked silently must not show by the clock. So where the rules have come to a silent
question, everybody is shown nothing for a time drawn at random, whether somebody was asked or not (`_hold`).
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Any

from ...runtime.faults import Fault
from . import driving
from .game_table import GameTable
from .live import Live
from .store import AddAhead, AddChoice, AheadRow, TakeBack
from .strengths import HINT, bot_spec, seconds_of
from .taking_back import offsets_after_undo, undo_now
from .thinking import hint_data, version
from .viewers import NO_BLOCK
from .words import Refused
from .workers import WorkFailed

if TYPE_CHECKING:
    from .house import House


async def choose(house: House, live: Live, viewer: int, asked: dict[str, Any]) -> None:
    """A choice of a person. It is carried through even if the person's connection breaks meanwhile."""
    await asyncio.shield(house.spawn(_choose(house, live, viewer, asked)))


async def _choose(house: House, live: Live, viewer: int, asked: dict[str, Any]) -> None:
    async with live.lock:
        table = live.table
        if viewer == table.spectator:
            raise Refused(403, "need_seat")
        code = await house.at(live, _asked_code, table, viewer, asked)
        if code is None:
            return
        if await house.at(live, table.answers_ahead, viewer):
            await answer_ahead(house, live, viewer, code)
        else:
            await play(house, live, code)
        await driving.settle(house, live)
    driving.drive(house, live)


def _asked_code(table: GameTable, viewer: int, asked: dict[str, Any]) -> int | None:
    """The option that a viewer asks for; None if it has taken itself meanwhile."""
    number, code = asked.get("position"), asked.get("code")
    if number != table.number(viewer) and table.took_itself(viewer, number, code):
        return None
    return table.asked_option(viewer, number, asked.get("option"), code)


async def answer_ahead(house: House, live: Live, viewer: int, code: int, forced: bool = False) -> None:
    """An answer that the rules come to later. Nobody but the viewer is told of it. The lock is held."""
    table = live.table
    row = table.ahead_row(viewer, code, forced)
    asked = await house.at(live, table.asked_ahead, viewer, row)
    try:
        await house.written(AddAhead(table.row.id, row, asked))
    except Refused:
        house.drop(live)
        raise
    table.take_ahead(row)
    live.since[viewer] = time.monotonic()
    live.changed(1 << viewer)


async def play(house: House, live: Live, code: int, forced: bool = False, ahead: AheadRow | None = None) -> None:
    """A choice, tried, stored and taken. The lock is held."""
    table = live.table
    if len(table.choices) >= house.limits.choices:
        raise Refused(503, "too_many")
    chooser, was_silent, before = table.decider, table.is_silent, len(table.choices)
    assert chooser is not None
    try:
        tried = await house.at(live, lambda: table.tried(code, forced=forced))
    except Fault as fault:
        table.fault = fault
        live.changed(live.everybody)
        raise Refused(422, "fault") from None
    try:
        await house.written(AddChoice(table.row.id, tried.choice, tried.finished, tried.asked, ahead))
    except Refused:
        house.drop(live)  # nobody knows what is on disk now
        raise
    told = await house.at(live, table.told, tried, ahead is not None)
    await house.at(live, table.take, tried)
    live.note_asked(chooser)
    _make_wait(house, live, chooser, was_silent, before)
    live.changed(told)


def _make_wait(house: House, live: Live, chooser: int, was_silent: bool, before: int) -> None:
    table = live.table
    if table.blocks[-1] != NO_BLOCK and table.is_shared:
        return  # nobody is shown anything anyway
    if table.is_silent:
        if not was_silent:
            live.silent_since, live.silent_from = time.monotonic(), before
    elif was_silent:
        _hold(house, live, {*table.persons, table.spectator} - {chooser}, live.silent_from, live.silent_since)
    elif table.standing.hushed and not table.row.auto:
        _hold(house, live, {*table.persons, table.spectator}, before, time.monotonic())


def _hold(house: House, live: Live, viewers: set[int], step: int, since: float) -> None:
    """Shows these viewers nothing after a step for a while, so that they cannot tell by the clock whether somebody
    was asked. Where all persons are one, the while is what a bot would have taken."""
    table = live.table
    wait = house.random.uniform(*house.limits.pace)
    if not table.is_shared:
        wait = max((seconds_of(bot_spec(seat.bot)) for seat in table.seats if seat.kind == "bot"), default=0.0)
    left = since + wait - time.monotonic()
    if left <= 0:
        return
    for viewer in viewers:
        table.held[viewer] = min(step, table.held.get(viewer, step))
    house.spawn(_release(live, table, viewers, left))


async def _release(live: Live, table: GameTable, viewers: set[int], left: float) -> None:
    await asyncio.sleep(left)
    async with live.lock:
        for viewer in viewers:
            table.held.pop(viewer, None)
        live.changed(sum(1 << viewer for viewer in viewers))


# ---------------------------------------------------------------------------- taking back


async def undo(house: House, live: Live, viewer: int, asked: dict[str, Any]) -> None:
    await asyncio.shield(house.spawn(_undo(house, live, viewer, asked)))


async def _undo(house: House, live: Live, viewer: int, asked: dict[str, Any]) -> None:
    async with live.lock:
        table = live.table
        if viewer == table.spectator:
            raise Refused(403, "need_seat")

        def found() -> tuple[int, dict[str, int], int]:
            table.require_number(viewer, asked.get("position"))
            step = undo_now(table, viewer, asked.get("to"))
            return step, offsets_after_undo(table, step), table.choices[step].seat

        step, offsets, chooser = await house.at(live, found)
        asked_then = 1 << (chooser if chooser >= 0 else ~chooser)
        try:
            await house.written(TakeBack(table.row.id, step, offsets, asked_then))
        except Refused:
            house.drop(live)
            raise
        await house.at(live, table.go_back, step, offsets)
        live.note_asked(None)
        live.changed(live.everybody)
    driving.drive(house, live)


# ---------------------------------------------------------------------------- hints


async def hint(house: House, live: Live, viewer: int, number: Any, language: str) -> dict[str, Any]:
    """What a bot would choose, for a seat that has to decide at a table that allows it."""
    async with live.lock:
        table = live.table
        if viewer == table.spectator:
            raise Refused(403, "need_seat")
        if not table.row.settings.get("hints"):
            raise Refused(403, "no_hints")

        def asked() -> dict[str, Any]:
            table.require_number(viewer, number)
            if not table.is_asked(viewer):
                raise Refused(403, "not_your_turn")
            return driving.job(house, live, "hint", HINT, viewer)

        job, before = await house.at(live, asked), version(table)
    if live.hinting:
        raise Refused(429, "too_fast")
    live.hinting = True
    try:
        answer = await driving.answered(house, live, job)
    except WorkFailed:
        raise Refused(503, "thinking") from None
    finally:
        live.hinting = False
    async with live.lock:

        def said() -> dict[str, Any]:
            table.require_number(viewer, number)
            return hint_data(table, viewer, answer, language)

        if live.table is not table or (version(table) != before and table.blocks[-1] == NO_BLOCK):
            raise Refused(409, "stale").with_more(number=await house.at(live, live.table.number, viewer))
        return await house.at(live, said)
