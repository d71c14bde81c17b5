"""A table in memory with those who watch it, and what one server carries."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any

from .game_table import GameTable
from .viewers import NO_BLOCK


@dataclass(frozen=True)
class Limits:
    """What one server carries."""

    tables: int = 100_000  # in the store
    in_memory: int = 300
    finished_in_memory: int = 20  # of games that are over and that nobody looks at: they are read anew if asked for
    connections: int = 2_000
    connections_at_table: int = 64
    choices: int = 20_000  # at one table
    threads: int = 8
    sandbox_threads: int = 4  # for tables whose rules run in a sandbox
    pace: tuple[float, float] = (1.0, 3.0)  # seconds after which a single option takes itself, where that tells
    measures: bool = True  # play a few games of each ruleset in the background, to tell how long it takes
    bot_late: float = 30.0  # seconds over its own time after which a bot is given up


@dataclass(eq=False)
class Connection:
    """A page that watches a table. `news` is set when its viewer has something new to see."""

    viewer: int
    language: str
    news: asyncio.Event = field(default_factory=asyncio.Event)
    notices: list[dict[str, Any]] = field(default_factory=list)  # messages beside positions, in order
    gone: bool = False

    def tell(self, message: dict[str, Any]) -> None:
        if len(self.notices) < 100:
            self.notices.append(message)
            self.news.set()


@dataclass(eq=False)
class Live:
    table: GameTable
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    connections: set[Connection] = field(default_factory=set)
    driver: asyncio.Task[None] | None = None
    asked_since: float = field(default_factory=time.monotonic)  # when the pending decision arose, or its block began
    since: dict[int, float] = field(default_factory=dict)  # inside a block: seats that were asked something later
    block: int = NO_BLOCK
    stirred: asyncio.Event = field(default_factory=asyncio.Event)  # something is to be done by the driver
    messages: dict[tuple[int, str], bytes] = field(default_factory=dict)
    silent_since: float = 0.0  # when somebody began to be asked silently
    silent_from: int = 0  # and after how many choices
    hinting: bool = False

    def note_asked(self, chooser: int | None) -> None:
        """A choice was taken: whoever is asked now is asked from now on, but for those who are in a block already."""
        table, now = self.table, time.monotonic()
        start = table.blocks[-1] if table.is_shared else NO_BLOCK
        if start == NO_BLOCK or start != self.block or chooser is None:
            self.since.clear()
            self.asked_since, self.block = now, start
            return
        self.since[chooser] = now
        if table.decider is not None and table.decider not in table.persons:
            self.since[table.decider] = now

    def asked_at(self, seat: int) -> float:
        """When a seat was asked what it is asked."""
        return self.since.get(seat, self.asked_since)

    @property
    def is_done(self) -> bool:
        """Nobody looks at it, and nothing will happen here any more."""
        return self.is_idle and self.table.standing.over

    @property
    def is_idle(self) -> bool:
        return not self.connections and not self.lock.locked() and (self.driver is None or self.driver.done())

    def changed(self, seen: int) -> None:
        """The viewers of that bit mask have something new."""
        for key in [key for key in self.messages if seen >> key[0] & 1]:
            del self.messages[key]
        for connection in self.connections:
            if seen >> connection.viewer & 1:
                connection.news.set()

    @property
    def everybody(self) -> int:
        return (1 << self.table.spectator + 1) - 1

    @property
    def connected(self) -> set[int]:
        return {connection.viewer for connection in self.connections}


def as_json(message: Any) -> bytes:
    return json.dumps(message, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")
