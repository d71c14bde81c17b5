"""A table in memory with those who watch it, and what one server carries."""

from __future__ import annotations

import asyncio
import json
import time
from dataclasses import dataclass, field
from typing import Any

from .game_table import GameTable


@dataclass(frozen=True)
class Limits:
    """What one server carries."""

    tables: int = 100_000  # in the store
    in_memory: int = 300
    connections: int = 2_000
    connections_at_table: int = 64
    choices: int = 20_000  # at one table
    threads: int = 8
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
    asked_since: float = field(default_factory=time.monotonic)  # when the pending decision arose
    messages: dict[tuple[int, str], bytes] = field(default_factory=dict)
    silent_since: float = 0.0  # when somebody began to be asked silently
    silent_from: int = 0  # and after how many choices
    hinting: bool = False

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
