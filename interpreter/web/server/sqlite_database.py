"""SQLite, as the standard library has it: one file in the data folder.

WAL lets readers read while somebody writes, and `synchronous = FULL` makes a commit wait until the disk has it: what
was acknowledged survives a killed process and a power failure.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Row = tuple[Any, ...]


class SqliteDatabase:
    def __init__(self, path: str) -> None:
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10.0)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        self._connection.execute("PRAGMA cache_size = -256")  # kilobytes: the system keeps the file in memory anyway

    def query(self, statement: str, values: dict[str, Any]) -> list[Row]:
        return self._connection.execute(statement, values).fetchall()

    def run(self, statement: str, values: dict[str, Any]) -> int:
        return self._connection.execute(statement, values).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._connection.execute("BEGIN IMMEDIATE")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK")
            raise
        self._connection.execute("COMMIT")

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        self._connection.execute("SAVEPOINT part")
        try:
            yield
        except BaseException:
            self._connection.execute("ROLLBACK TO part")
            self._connection.execute("RELEASE part")
            raise
        self._connection.execute("RELEASE part")

    def close(self) -> None:
        self._connection.close()
