"""What goes on at a table without persons: bots, single options, answers that were given ahead.

A driver task answers until only persons have to decide. Bots that search do so in `workers`, without the lock; if
somebody took something back meanwhile, the answer is thrown away.

**Pace.** How soon an answer comes can tell what somebody holds: a card that is played at once was the only one that
could be. So in games in which players have secrets from each other, a decision with a single option is taken after a
time drawn at random, unless its person is quicker, and a bot answers after the time that its name says, however easy
the question was. The time counts from when the person was shown the question, which inside a `together` block is not
when the rules come to it.
"""

from __future__ import annotations

import asyncio
import random
import time
from typing import TYPE_CHECKING, Any

from . import playing
from .live import Live
from .store import AheadRow, AskAgain
from .strengths import AT_ONCE, bot_spec, seconds_of
from .thinking import Wanted, bot_seed, version
from .viewers import NO_BLOCK
from .words import Refused, said
from .worker import OTHER_RULES
from .workers import WorkFailed

if TYPE_CHECKING:
    from .house import House


def drive(house: House, live: Live) -> None:
    """Lets whoever is no person go on. One driver for each table, which ends when persons have to decide."""
    live.stirred.set()
    if live.driver is None or live.driver.done():
        live.driver = house.spawn(_drive(house, live))


async def _drive(house: House, live: Live) -> None:
    try:
        while await _one_answer(house, live):
            pass
    except Refused:
        pass  # a fault of the rules, the disk, a sandbox: the table has been told, or is dropped


async def settle(house: House, live: Live) -> None:
    """Takes what need not wait, before anybody is shown it as a question: single options, and answers that were given
    ahead. The lock is held."""
    try:
        while True:
            kept = live.table.waiting_answer
            if kept is not None and live.table.fault is None:
                await _take_kept(house, live, kept)
                continue
            wanted = _wanted(house, live)
            if wanted is None or wanted.spec is not None or wanted.wait:
                return
            await playing.play(house, live, await house.at(live, wanted.code_at_once), forced=True)
    except Refused as refused:
        if refused.code == "stopped":
            raise
        # else a fault of the rules: the table tells of it


async def _take_kept(house: House, live: Live, kept: AheadRow) -> None:
    """The rules have come to what was answered ahead. If they do not offer it after all, it is asked again."""
    try:
        await playing.play(house, live, kept.code, kept.forced, kept)
    except Refused as refused:
        if refused.code != "no_such_option":
            raise
        table = live.table
        offsets, asked = await house.at(live, lambda: (table.without_ahead(kept.seat), table.asked))
        await house.written(AskAgain(table.row.id, kept.seat, offsets, asked))
        live.changed(1 << kept.seat)


async def _one_answer(house: House, live: Live) -> bool:
    """Answers what no person has to; False if there is nothing of the kind."""
    async with live.lock:
        live.stirred.clear()
        await settle(house, live)
        wanted = _wanted(house, live)
        if live.table.blocks[-1] != NO_BLOCK and live.table.is_shared:
            wanted = await _soonest(house, live, wanted)
        if wanted is None:
            return False
        before, until = version(live.table), live.asked_at(wanted.seat) + wanted.wait
        if wanted.spec is None or wanted.spec in AT_ONCE:
            if until <= time.monotonic():
                await _take(house, live, wanted)
                return True
    if wanted.spec is None or wanted.spec in AT_ONCE:
        try:
            await asyncio.wait_for(live.stirred.wait(), max(0.0, until - time.monotonic()))
        except TimeoutError:
            pass
        return True  # look again: somebody may have been quicker
    code = await _thought(house, live, wanted)
    await asyncio.sleep(max(0.0, until - time.monotonic()))
    async with live.lock:
        if version(live.table) == before:
            await playing.play(house, live, code if code is not None else await house.at(live, wanted.any_code))
            await settle(house, live)
    return True


async def _take(house: House, live: Live, wanted: Wanted) -> None:
    code = await house.at(live, wanted.code_at_once)
    if wanted.ahead:
        await playing.answer_ahead(house, live, wanted.seat, code, wanted.forced)
    else:
        await playing.play(house, live, code, wanted.forced)
    await settle(house, live)


def _wanted(house: House, live: Live) -> Wanted | None:
    """The answer that is wanted to what the rules ask; None if a person gives it."""
    table = live.table
    decider = table.decider
    if decider is None or table.fault is not None:
        return None
    seat = table.seats[decider]
    paced = not table.row.auto
    if seat.kind == "bot":
        spec = bot_spec(seat.bot)
        return Wanted(table, decider, spec, seconds_of(spec) if paced else 0.0, table.is_forced)
    if not table.is_forced:
        return None
    others = set(table.persons) - {decider}
    is_told = paced and seat.kind != "automa" and bool(others) and not table.owns_all(decider)
    return Wanted(table, decider, None, _drawn(house, live, decider) if is_told else 0.0, True)


async def _soonest(house: House, live: Live, wanted: Wanted | None) -> Wanted | None:
    """Inside a block: a person with a single option need not wait for the rules to come to it."""
    table = live.table
    if table.fault is not None:
        return wanted

    def single() -> list[int]:
        return [v for v in table.persons if table.answers_ahead(v) and table.is_asked(v) and table.options_of(v) == 1]

    found = [wanted] if wanted is not None else []
    for viewer in await house.at(live, single):
        found.append(Wanted(table, viewer, None, _drawn(house, live, viewer), True, ahead=True))
    return min(found, key=lambda one: live.asked_at(one.seat) + one.wait, default=None)


def _drawn(house: House, live: Live, seat: int) -> float:
    """A time after which a single option takes itself; drawn once for each decision."""
    generator = random.Random(f"{live.asked_at(seat)} {seat} {id(live)}")
    return generator.uniform(*house.limits.pace)


# ---------------------------------------------------------------------------- bots that search


async def _thought(house: House, live: Live, wanted: Wanted) -> int | None:
    """What a bot chooses in a process of its own; None, and a word to the table, if it fails twice."""
    assert wanted.spec is not None
    for _ in range(2):
        try:
            return int((await answered(house, live, job(house, live, "choose", wanted.spec)))["code"])
        except WorkFailed:
            continue
    seat = live.table.seats[wanted.seat].name or live.table.game.seat_names[wanted.seat]
    for connection in live.connections:
        connection.tell({"type": "notice", "words": said("bot_late", connection.language, seat=seat)})
    return None


async def answered(house: House, live: Live, job: dict[str, Any]) -> dict[str, Any]:
    """A worker's answer. If the files of the ruleset have changed, it reads the rules as they were kept."""
    limit = job["seconds"]
    try:
        return await house.workers.run(job, limit)
    except WorkFailed as failed:
        if OTHER_RULES not in str(failed):
            raise
    row = live.table.row
    folder = await house.in_thread(house.library.folder_of, row.game, row.digest)
    return await house.workers.run({**job, "path": "".join((str(folder), *row.game.partition("+")[1:]))}, limit)


def job(house: House, live: Live, what: str, spec: str, viewer: int | None = None) -> dict[str, Any]:
    """A question to a worker about the pending decision, or about what a viewer is asked."""
    table = live.table
    folder, is_trusted = house.library.place_of(table.game)
    codes = [choice.code for choice in table.choices] if viewer is None else table.codes_for(viewer)
    return {
        "job": what, "table": table.row.id, "path": folder, "players": table.row.players,
        "trusted": is_trusted, "seed": table.row.seed, "auto": table.row.auto,
        "codes": codes, "bot": spec, "seconds": seconds_of(spec) + house.limits.bot_late,
        "bot_seed": bot_seed(table), "fingerprint": table.game.fingerprint,
    }  # fmt: skip
