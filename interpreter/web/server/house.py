"""All tables: which are in memory, who is connected to them, where work is done.

Each table in memory (`Live`) has a lock. Whatever looks at its state or changes it holds that lock and runs in a
thread; the event loop itself never runs rules. After each change the viewers who noticed it are marked, and each
connection sends its viewer's newest position when it gets to it: a slow client skips positions and holds up nobody.

Tables whose rules run in a sandbox have threads of their own, since a thread waits for its sandbox: however long such
rules take, the threads of the other tables are free. When a sandbox fails its tables are dropped; whoever asks next
reads them anew from the store.

`playing` is what persons do at a table, `driving` what goes on without them.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from ...native.sandbox import SandboxFailed
from ...runtime.faults import Fault
from . import seating
from .asking import facts_of, is_sandboxed, spoken_at
from .driving import drive, settle
from .game_table import GameTable
from .library import Library, Rules
from .live import Connection, Limits, Live, as_json
from .sight import position
from .store import Change, NewTable, SeatRow, Store, TableRow, TakeSeat
from .words import Refused
from .workers import Workers
from .writer import Writer

T = TypeVar("T")
MOST_SEATS = 60  # each is a bit of a number in the store


class House:
    def __init__(self, store: Store, library: Library, workers: Workers, limits: Limits | None = None) -> None:
        self.store, self.library, self.workers = store, library, workers
        self.limits = limits or Limits()
        self._writer = Writer(store)
        self._threads = ThreadPoolExecutor(self.limits.threads, thread_name_prefix="table")
        self._strangers = ThreadPoolExecutor(self.limits.sandbox_threads, thread_name_prefix="sandbox")
        self._live: OrderedDict[str, Live] = OrderedDict()
        self._opening: dict[str, asyncio.Task[Live]] = {}
        self._connections = 0
        self.random = random.SystemRandom()
        self._tasks: set[asyncio.Task[Any]] = set()
        self.on_open: Callable[[House, Live], Awaitable[None]] | None = None  # told of each table that is read

    async def close(self) -> None:
        for live in self._live.values():
            if live.driver is not None:
                live.driver.cancel()
            if is_sandboxed(live.table.game):
                live.table.game.close()
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.workers.close()
        self.library.close()
        await asyncio.to_thread(self._threads.shutdown)
        await asyncio.to_thread(self._strangers.shutdown)
        await asyncio.to_thread(self._writer.close)
        self.store.close()

    # ------------------------------------------------------------------ where work is done

    async def in_thread(self, work: Callable[..., T], *args: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._threads, work, *args)

    async def aside(self, work: Callable[..., T], *args: Any) -> T:
        """Work on rules of others, which may take as long as their sandbox is given."""
        return await asyncio.get_running_loop().run_in_executor(self._strangers, work, *args)

    async def at(self, live: Live, work: Callable[..., T], *args: Any) -> T:
        """Work at a table. If its sandbox fails, the table is dropped and what was asked is refused."""
        game = live.table.game
        if not is_sandboxed(game):
            return await self.in_thread(work, *args)
        try:
            return await self.aside(work, *args)
        except SandboxFailed:
            self.library.stopped(game)
            for other in [other for other in self._live.values() if other.table.game is game]:
                self.drop(other)
            raise Refused(503, "stopped") from None

    async def by_rules(self, runs_here: bool, work: Callable[..., T], *args: Any) -> T:
        """Work that loads a game, whose rules run in this process or in a sandbox."""
        try:
            return await (self.in_thread if runs_here else self.aside)(work, *args)
        except SandboxFailed:
            raise Refused(503, "stopped") from None

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
        row = await self.in_thread(self.store.table, id) if seating.is_table_id(id) else None
        if row is None:
            raise Refused(404, "no_such_table")
        here = await self.in_thread(self.library.runs_here, row.game, row.digest)
        live = self._keep(await self.by_rules(here, self._read, row))
        if self.on_open is not None:
            self.spawn(self.on_open(self, live))
        return live

    def _read(self, row: TableRow) -> GameTable:
        game = self.library.load(row.game, row.players, row.digest)
        store = self.store
        return _begun(row, store.seats(row.id), game, store.choices(row.id), store.ahead(row.id))

    def _keep(self, table: GameTable) -> Live:
        live = self._live[table.row.id] = Live(table)
        self._forget()
        drive(self, live)
        return live

    def _forget(self) -> None:
        """Drops tables that nobody looks at, those asked for longest ago first: finished ones soon, others when there
        are many. The newest stays: somebody is about to look at it."""
        done = [id for id, live in self._live.items() if live.is_done]
        for id in done[: max(0, len(done) - self.limits.finished_in_memory)]:
            del self._live[id]
        idle = [id for id, live in list(self._live.items())[:-1] if live.is_idle]
        for id in idle[: max(0, len(self._live) - self.limits.in_memory)]:
            del self._live[id]

    def drop(self, live: Live) -> None:
        """What is on disk counts: whoever asks next reads the table anew."""
        self._live.pop(live.table.row.id, None)
        if live.driver is not None and live.driver is not asyncio.current_task():
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
        here = self.library.is_trusted(rules.folder)
        made = await self.by_rules(here, self._made, rules, game_name, players, asked, watch)
        table, seats, first = made
        await self.written(self.library.kept(rules), NewTable(table.row, tuple(table.seats), asked=first))
        self._keep(table)
        return seating.given_out(table.row.id, seats)

    def _made(
        self, rules: Rules, name: str, players: int | None, asked: dict[str, Any], watch: bool
    ) -> tuple[GameTable, list[seating.Seated], int]:
        """A new table, its seats with their tokens, and who has to decide."""
        game = self.library.load(name, players, rules.digest)
        if game.players > MOST_SEATS:
            raise Refused(422, "unusable", name=name, what=f"more than {MOST_SEATS} seats")
        seats = seating.seated(game, asked.get("seats"))
        row = TableRow(
            id=seating.new_table_id(),
            game=name,
            players=game.players,
            digest=rules.digest,
            seed=seating.seed_of(asked, seats),
            auto=not facts_of(game).keeps_secrets,
            settings={**seating.settings_of(asked), "watch": watch},
            made=time.time(),
            changed=time.time(),
        )
        table = _begun(row, [one.row for one in seats], game)
        return table, seats, table.asked

    async def fork(self, live: Live, viewer: int, step: Any, keep_bots: bool) -> dict[str, Any]:
        """A new table around one screen, from a moment of this one."""
        async with live.lock:
            old = live.table
            self.require_own(live, viewer)
            seats = seating.all_mine(old.seats, keep_bots)

            def played() -> tuple[GameTable, int]:
                real = old.real_step(viewer, old.steps(viewer) if step is None else step)
                row = TableRow(
                    id=seating.new_table_id(), game=old.row.game, players=old.row.players, digest=old.row.digest,
                    seed=old.row.seed, auto=old.row.auto, settings={**old.row.settings, "from": [old.row.id, real]},
                    made=time.time(), changed=time.time(),
                )  # fmt: skip
                table = GameTable(row, [one.row for one in seats], old.game)
                for choice in old.choices[:real]:
                    table.take(table.tried(choice.code, forced=choice.seat < 0))
                return table, table.asked

            table, asked = await self.at(live, played)
        await self.written(NewTable(table.row, tuple(table.seats), tuple(table.choices), asked))
        self._keep(table)
        return seating.given_out(table.row.id, seats)

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
        if not live.table.owns_all(viewer) and not live.table.standing.over:
            raise Refused(403, "not_yours")

    # ------------------------------------------------------------------ positions

    async def message(self, live: Live, viewer: int, language: str) -> bytes:
        """The newest position of a viewer, as JSON."""
        language = spoken_at(live.table.game, language)
        key = (viewer, language)
        found = live.messages.get(key)
        if found is not None:
            return found
        async with live.lock:
            found = live.messages.get(key)
            if found is None:
                await settle(self, live)
                try:
                    made = await self.at(live, position, live.table, viewer, language, live.connected)
                except Fault:  # of a score, or of whatever else is worked out for those who look
                    raise Refused(422, "fault") from None
                found = live.messages[key] = as_json(made)
        return found

    async def past(self, live: Live, viewer: int, language: str, step: int) -> bytes:
        spoken = spoken_at(live.table.game, language)
        async with live.lock:
            made = await self.at(live, position, live.table, viewer, spoken, live.connected, step)
        return as_json(made)

    async def is_asked(self, live: Live, viewer: int) -> bool:
        async with live.lock:
            return await self.at(live, live.table.is_asked, viewer)

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
        if live.is_done:
            self._live.pop(live.table.row.id, None)


def _begun(row: TableRow, seats: Sequence[SeatRow], game: Any, *played: Any) -> GameTable:
    """A table with its game set up. Rules that fail there are told to who asked for it: there is no table to tell."""
    try:
        return GameTable(row, seats, game, *played)
    except Fault as fault:
        where = f" ({Path(fault.place[0]).name}:{fault.place[1]})" if fault.place else ""
        what = f"{fault.rule}: {fault.diagnostic.headline}{where}"
        raise Refused(422, "unusable", name=row.game, what=what) from None
