"""Any database that SQLAlchemy reaches by URL; meant for PostgreSQL (extra `web-sql`)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

Row = tuple[Any, ...]


class SqlDatabase:
    """One connection. Queries outside of a transaction are ended at once, so that none stays open between calls."""

    def __init__(self, url: str) -> None:
        from sqlalchemy import create_engine, text

        self._text = text
        self._engine = create_engine(url, pool_pre_ping=True, **_arguments(url))
        self._connection = self._engine.connect()
        self._inside = 0

    def query(self, statement: str, values: dict[str, Any]) -> list[Row]:
        found = [tuple(row) for row in self._connection.execute(self._text(statement), values)]
        if not self._inside:
            self._connection.rollback()
        return found

    def run(self, statement: str, values: dict[str, Any]) -> int:
        return int(self._connection.execute(self._text(statement), values).rowcount)

    @contextmanager
    def transaction(self) -> Iterator[None]:
        self._inside += 1
        try:
            with self._connection.begin():
                yield
        finally:
            self._inside -= 1

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        with self._connection.begin_nested():
            yield

    def close(self) -> None:
        self._connection.close()
        self._engine.dispose()


def _arguments(url: str) -> dict[str, Any]:
    return {"connect_args": {"check_same_thread": False}} if url.startswith("sqlite") else {}
