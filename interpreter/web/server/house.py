"""All tables: which are in memory, who is connected to them, whose turn it is.

Each table in memory (`Live`) has a lock. Whatever looks at its state or changes it holds that lock and runs in a
thread; the event loop itself never runs rules. After each change the viewers who noticed it are marked, and each
connection sends its viewer's newest position when it gets to it: a slow client skips positions and holds up nobody.

A driver task answers for bots and for decisions with a single option until a person has to decide. Bots that search do
so in `workers`, without the lock; if somebody took something back meanwhile, the answer is thrown away.

**Pace.** How soon an answer comes can tell what somebody holds: a card that is played at once was the only one that
could be. So in games in which players have secrets from each other, a decision with a single option is taken after a
time drawn at random, unless its person is quicker, and a bot answers after the time that its name says, however easy
the question was.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from ...runtime.faults import Fault
from . import seating
from .game_table import GameTable
from .library import Library
from .live import Connection, Limits, Live, as_json
from .sight import content, position
from .store import AddChoice, Change, NewTable, Store, TableRow, TakeBack, TakeSeat, Writer
from .strengths import AT_ONCE, HINT, bot_spec, seconds_of
from .thinking import Wanted, bot_seed, hint_data, keeps_secrets, version
from .words import Refused, said
from .worker import OTHER_RULES
from .workers import Workers, WorkFailed

T = TypeVar("T")


class House:
    def __init__(self, store: Store, library: Library, workers: Workers, limits: Limits | None = None) -> None:
        self.store, self.library, self.workers = store, library, workers
        self.limits = limits or Limits()
        self._writer = Writer(store)
        self._threads = ThreadPoolExecutor(self.limits.threads, thread_name_prefix="table")
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Live]] = {}
        self._connections = 0
        self._random = random.SystemRandom()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.on_open: Callable[[House, Live], Awaitable[None]] | None = None  # told of each table that is read

    async def close(self) -> None:
        for live in self._live.values():
            if live.driver is not None:
                live.driver.cancel()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.workers.close()
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._writer.close)
        self.store.close()

    async def in_thread(self, work: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    def spawn(self, work: Any) -> asyncio.Task[Any]:
        task: asyncio.Task[Any] = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def written(self, *changes: Change) -> None:
        """Returns when the changes are on disk."""
        try:
            await asyncio.wrap_future(self._writer.write(*changes))
        except Exception:
            raise Refused(503, "disk") from None

    # ------------------------------------------------------------------ tables

    async def live(self, id: str) -> Live:
        """The table, from memory or from the store."""
        found = self._live.get(id)
        if found is not None:
            self._live.move_to_end(id)
            return found
        opening = self._opening.get(id)
        if opening is None:
            opening = self._opening[id] = self.spawn(self._open(id))
            opening.add_done_callback(lambda _: self._opening.pop(id, None))
        return await asyncio.shield(opening)

    async def _open(self, id: str) -> Live:
        live = self._keep(await self.in_thread(self._read, id))
        if self.on_open is not None:
            self.spawn(self.on_open(self, live))
        return live

    def _read(self, id: str) -> GameTable:
        row = self.store.table(id)
        if row is None:
            raise Refused(404, "no_such_table")
        game = self.library.load(row.game, row.players, row.digest)
        return GameTable(row, self.store.seats(id), game, self.store.choices(id), content)

    def _keep(self, table: GameTable) -> Live:
        live = self._live[table.row.id] = Live(table)
        self._forget()
        self.drive(live)
        return live

    def _forget(self) -> None:
        """Drops tables that nobody looks at, those asked for longest ago first."""
        excess = len(self._live) - self.limits.in_memory
        for id, live in list(self._live.items()):
            if excess <= 0:
                return
            if live.is_idle:
                del self._live[id]
                excess -= 1

    def drop(self, live: Live) -> None:
        """What is on disk counts: whoever asks next reads the table anew."""
        self._live.pop(live.table.row.id, None)
        if live.driver is not None:
            live.driver.cancel()
        for connection in live.connections:
            connection.gone = True
            connection.news.set()

    def in_memory(self, id: str) -> Live | None:
        return self._live.get(id)

    @property
    def all_live(self) -> list[Live]:
        return list(self._live.values())

    async def new_table(self, asked: dict[str, Any], watch: bool = False) -> dict[str, Any]:
        """A table as it was asked for: its id and its seats with their tokens."""
        game_name, players = asked.get("game"), asked.get("players")
        if not isinstance(game_name, str):
            raise Refused(400, "bad_request", why="`game` is missing")
        if players is not None and (not isinstance(players, int) or isinstance(players, bool) or not 0 < players < 101):
            raise Refused(400, "bad_request", why="`players` is no number")
        if await self.in_thread(self.store.count) >= self.limits.tables:
            raise Refused(503, "too_many")
        rules = await self.in_thread(self.library.rules, game_name)
        game = await self.in_thread(self.library.load, game_name, players, rules.digest)
        seats = seating.seated(game, asked.get("seats"))
        row = TableRow(
            id=secrets.token_urlsafe(9),
            game=game_name,
            players=game.players,
            digest=rules.digest,
            seed=seating.seed_of(asked, seats),
            auto=not keeps_secrets(game.meta),
            settings={**seating.settings_of(asked), "watch": watch},
            made=time.time(),
            changed=time.time(),
        )
        table = await self.in_thread(GameTable, row, [one.row for one in seats], game, (), content)
        await self.written(self.library.kept(rules), NewTable(row, tuple(one.row for one in seats)))
        self._keep(table)
        return seating.given_out(row.id, seats)

    async def fork(self, live: Live, viewer: int, step: Any, keep_bots: bool) -> dict[str, Any]:
        """A new table around one screen, from a moment of this one."""
        async with live.lock:
            old = live.table
            self.require_own(live, viewer)
            real = old.real_step(viewer, old.steps(viewer) if step is None else step)
            seats = seating.all_mine(old.seats, keep_bots)
            row = TableRow(
                id=secrets.token_urlsafe(9), game=old.row.game, players=old.row.players, digest=old.row.digest,
                seed=old.row.seed, auto=old.row.auto, settings={**old.row.settings, "from": [old.row.id, real]},
                made=time.time(), changed=time.time(),
            )  # fmt: skip
            choices = list(old.choices[:real])

            def played() -> GameTable:
                table = GameTable(row, [one.row for one in seats], old.game, (), content)
                for choice in choices:
                    table.take(table.tried(choice.code, forced=choice.seat < 0))
                return table

            table = await self.in_thread(played)
        await self.written(NewTable(row, tuple(one.row for one in seats), tuple(table.choices)))
        self._keep(table)
        return seating.given_out(row.id, seats)

    async def join(self, live: Live, name: Any) -> dict[str, Any]:
        """Takes an open seat."""
        async with live.lock:
            seat = next((seat for seat in live.table.seats if seat.kind == "open"), None)
            if seat is None:
                raise Refused(409, "no_open_seat")
            token = seating.new_token()
            named = seating.clean_name(name) or seat.name
            await self.written(TakeSeat(live.table.row.id, seat.seat, named, seating.hashed(token)))
            live.table.seats[seat.seat] = type(seat)(seat.seat, "friend", named, "", seating.hashed(token))
            live.changed(live.everybody)
        return {
            "table": live.table.row.id,
            "seat": seat.seat,
            "token": token,
            "link": seating.link_to(live.table.row.id, token),
        }

    def viewer(self, live: Live, token: str | None) -> int:
        seat = seating.seat_of(live.table.seats, token)
        return live.table.spectator if seat is None else seat

    def require_own(self, live: Live, viewer: int) -> None:
        """Refuses what only the end of the game, or being all its persons, allows."""
        if not live.table.owns_all(viewer) and not live.table.state.over:
            raise Refused(403, "not_yours")

    # ------------------------------------------------------------------ positions

    async def message(self, live: Live, viewer: int, language: str) -> bytes:
        """The newest position of a viewer, as JSON."""
        key = (viewer, language)
        found = live.messages.get(key)
        if found is not None:
            return found
        async with live.lock:
            found = live.messages.get(key)
            if found is None:
                await self._settle(live)
                made = await self.in_thread(position, live.table, viewer, language, live.connected)
                found = live.messages[key] = as_json(made)
        return found

    async def past(self, live: Live, viewer: int, language: str, step: int) -> bytes:
        async with live.lock:
            made = await self.in_thread(position, live.table, viewer, language, live.connected, step)
        return as_json(made)

    # ------------------------------------------------------------------ connections

    def connect(self, live: Live, viewer: int, language: str) -> Connection:
        if self._connections >= self.limits.connections:
            raise Refused(503, "too_many")
        if len(live.connections) >= self.limits.connections_at_table:
            raise Refused(503, "too_many")
        connection = Connection(viewer, language)
        was = live.connected
        live.connections.add(connection)
        self._connections += 1
        if viewer not in was and viewer != live.table.spectator:
            live.changed(live.everybody)
        connection.news.set()
        return connection

    def disconnect(self, live: Live, connection: Connection) -> None:
        if connection not in live.connections:
            return
        live.connections.discard(connection)
        self._connections -= 1
        if connection.viewer not in live.connected and connection.viewer != live.table.spectator:
            live.changed(live.everybody)
        if live.is_idle and live.table.state.over:
            self._live.pop(live.table.row.id, None)

    # ------------------------------------------------------------------ choosing

    async def choose(self, live: Live, viewer: int, asked: dict[str, Any]) -> None:
        """A choice of a person. It is carried through even if the person's connection breaks meanwhile."""
        await asyncio.shield(self.spawn(self._choose(live, viewer, asked)))

    async def _choose(self, live: Live, viewer: int, asked: dict[str, Any]) -> None:
        async with live.lock:
            if viewer == live.table.spectator:
                raise Refused(403, "need_seat")
            number, code = asked.get("position"), asked.get("code")
            if number != live.table.number(viewer) and live.table.took_itself(viewer, number, code):
                return
            code = live.table.asked_option(viewer, number, asked.get("option"), code)
            await self._play(live, code)
            await self._settle(live)
        self.drive(live)

    async def _play(self, live: Live, code: int, forced: bool = False) -> None:
        """A choice, tried, stored and taken. The lock is held."""
        table = live.table
        if len(table.choices) >= self.limits.choices:
            raise Refused(503, "too_many")
        chooser, was_silent, before = table.decider, table.is_silent, len(table.choices)
        try:
            wonder = set() if was_silent or table.row.auto else await self.in_thread(table.may_be_asked, code)
            tried = await self.in_thread(lambda: table.tried(code, forced=forced))
        except Fault as fault:
            table.fault = fault
            live.changed(live.everybody)
            raise Refused(422, "fault") from None
        try:
            await self.written(AddChoice(table.row.id, tried.choice, tried.finished))
        except Refused:
            self.drop(live)  # nobody knows what is on disk now
            raise
        await self.in_thread(table.take, tried)
        assert chooser is not None
        if table.is_silent:
            if not was_silent:
                live.silent_since, live.silent_from = time.monotonic(), before
        elif was_silent:
            self._hold(live, {*table.persons, table.spectator} - {chooser}, live.silent_from, live.silent_since)
        elif wonder:
            self._hold(live, wonder, before, time.monotonic())
        live.asked_since = time.monotonic()
        live.changed(tried.choice.seen | 1 << chooser)

    def _hold(self, live: Live, viewers: set[int], step: int, since: float) -> None:
        """Shows these viewers nothing after a step for a while, so that they cannot tell by the clock whether somebody
        was asked. Against bots the while is what a bot would have taken."""
        table = live.table
        wait = self._random.uniform(*self.limits.pace)
        if len(table.persons) == 1:
            wait = max((seconds_of(bot_spec(seat.bot)) for seat in table.seats if seat.kind == "bot"), default=0.0)
        left = since + wait - time.monotonic()
        if left <= 0:
            return
        for viewer in viewers:
            table.held[viewer] = min(step, table.held.get(viewer, step))
        self.spawn(self._release(live, table, viewers, left))

    async def _release(self, live: Live, table: GameTable, viewers: set[int], left: float) -> None:
        await asyncio.sleep(left)
        async with live.lock:
            for viewer in viewers:
                table.held.pop(viewer, None)
            live.changed(sum(1 << viewer for viewer in viewers))

    async def _settle(self, live: Live) -> None:
        """Takes single options that need not wait, before anybody is shown them as a question. The lock is held."""
        while (wanted := self._wanted(live)) is not None and wanted.spec is None and not wanted.wait:
            try:
                await self._play(live, await self.in_thread(wanted.code_at_once), forced=True)
            except Refused:
                return  # a fault of the rules: the table tells of it

    async def undo(self, live: Live, viewer: int, asked: dict[str, Any]) -> None:
        await asyncio.shield(self.spawn(self._undo(live, viewer, asked)))

    async def _undo(self, live: Live, viewer: int, asked: dict[str, Any]) -> None:
        async with live.lock:
            table = live.table
            if viewer == table.spectator:
                raise Refused(403, "need_seat")
            table.require_number(viewer, asked.get("position"))
            step = await self.in_thread(table.undo_now, viewer, asked.get("to"))
            offsets = table.offsets_after_undo(step)
            try:
                await self.written(TakeBack(table.row.id, step, offsets))
            except Refused:
                self.drop(live)
                raise
            await self.in_thread(table.go_back, step, offsets)
            live.asked_since = time.monotonic()
            live.changed(live.everybody)
        self.drive(live)

    # ------------------------------------------------------------------ bots and single options

    def drive(self, live: Live) -> None:
        """Lets whoever is no person go on. One driver for each table, which ends when a person has to decide."""
        if live.driver is None or live.driver.done():
            live.driver = self.spawn(self._drive(live))

    async def _drive(self, live: Live) -> None:
        try:
            while await self._one_answer(live):
                pass
        except Refused:
            pass  # a fault of the rules, or the disk: the table has been told, or is dropped

    async def _one_answer(self, live: Live) -> bool:
        """Answers the pending decision if no person has to; False if one has, or the game is over."""
        async with live.lock:
            wanted = self._wanted(live)
            if wanted is None:
                return False
            before, until = version(live.table), live.asked_since + wanted.wait
            if wanted.spec is None or wanted.spec in AT_ONCE:
                if until <= time.monotonic():
                    await self._play(live, await self.in_thread(wanted.code_at_once), wanted.forced)
                    await self._settle(live)
                    return True
        if wanted.spec is None or wanted.spec in AT_ONCE:
            await asyncio.sleep(max(0.0, until - time.monotonic()))
            return True  # look again: somebody may have been quicker
        code = await self._thought(live, wanted)
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        async with live.lock:
            if version(live.table) == before:
                await self._play(live, code if code is not None else await self.in_thread(wanted.any_code))
                await self._settle(live)
        return True

    def _wanted(self, live: Live) -> Wanted | None:
        table = live.table
        decider = table.decider
        if decider is None or table.fault is not None:
            return None
        seat = table.seats[decider]
        paced = not table.row.auto
        if seat.kind == "bot":
            spec = bot_spec(seat.bot)
            return Wanted(table, spec, seconds_of(spec) if paced else 0.0, table.is_forced)
        if not table.is_forced:
            return None
        others = set(table.persons) - {decider}
        is_told = paced and seat.kind != "automa" and bool(others) and not table.owns_all(decider)
        return Wanted(table, None, self._drawn(live) if is_told else 0.0, True)

    def _drawn(self, live: Live) -> float:
        """A time after which a single option takes itself; drawn once for each decision."""
        generator = random.Random(f"{live.asked_since} {id(live)}")
        return generator.uniform(*self.limits.pace)

    async def _thought(self, live: Live, wanted: Wanted) -> int | None:
        """What a bot chooses in a process of its own; None, and a word to the table, if it fails twice."""
        assert wanted.spec is not None
        for _ in range(2):
            try:
                return int((await self._asked(live, self.job(live, "choose", wanted.spec)))["code"])
            except WorkFailed:
                continue
        seat = live.table.seats[wanted.decider].name or live.table.game.seat_names[wanted.decider]
        for connection in live.connections:
            connection.tell({"type": "notice", "words": said("bot_late", connection.language, seat=seat)})
        return None

    async def _asked(self, live: Live, job: dict[str, Any]) -> dict[str, Any]:
        """A worker's answer. If the files of the ruleset have changed, it reads the rules as they were kept."""
        limit = seconds_of(job["bot"]) + self.limits.bot_late
        try:
            return await self.workers.run(job, limit)
        except WorkFailed as failed:
            if OTHER_RULES not in str(failed):
                raise
        row = live.table.row
        folder = await self.in_thread(self.library.folder_of, row.game, row.digest)
        return await self.workers.run({**job, "path": "".join((str(folder), *row.game.partition("+")[1:]))}, limit)

    def job(self, live: Live, what: str, spec: str) -> dict[str, Any]:
        """A question to a worker about the pending decision."""
        table = live.table
        folder, is_trusted = self.library.place_of(table.game)
        return {
            "job": what, "table": table.row.id, "path": folder, "players": table.row.players,
            "trusted": is_trusted, "seed": table.row.seed, "auto": table.row.auto,
            "codes": [choice.code for choice in table.choices], "bot": spec,
            "bot_seed": bot_seed(table), "fingerprint": table.game.fingerprint,
        }  # fmt: skip

    async def hint(self, live: Live, viewer: int, number: Any, language: str) -> dict[str, Any]:
        """What a bot would choose, for a seat that has to decide at a table that allows it."""
        async with live.lock:
            table = live.table
            if viewer == table.spectator:
                raise Refused(403, "need_seat")
            if not table.row.settings.get("hints"):
                raise Refused(403, "no_hints")
            table.require_number(viewer, number)
            if not table.is_asked(viewer):
                raise Refused(403, "not_your_turn")
            job, before = self.job(live, "hint", HINT), version(table)
        if live.hinting:
            raise Refused(429, "too_fast")
        live.hinting = True
        try:
            answer = await self._asked(live, job)
        except WorkFailed:
            raise Refused(503, "thinking") from None
        finally:
            live.hinting = False
        async with live.lock:
            if version(live.table) != before:
                raise Refused(409, "stale").with_more(number=table.number(viewer))
            return await self.in_thread(hint_data, live.table, viewer, answer, language)
