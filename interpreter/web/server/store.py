"""What is kept on disk: tables, seats, choices, and the texts of the rulesets they are played by.

A game is its seed and its choices; everything else is worked out from them. The statements are plain SQL that SQLite
and PostgreSQL both read, so there is one `Store` over a thin `Database` for each of them (`sqlite_database`,
`sql_database`).

Writes come as `Change` values. Those that wait are written in one transaction and committed once (`writer`): with a
hundred tables a disk that syncs two hundred times a second would otherwise be the limit. A change that fails (a step
that is already there) is rolled back alone. Nobody is told of a choice before its commit.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol, assert_never

Row = tuple[Any, ...]

SCHEMA = (
    """CREATE TABLE IF NOT EXISTS rules (digest TEXT PRIMARY KEY, name TEXT NOT NULL, files TEXT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS tables (
        id TEXT PRIMARY KEY, game TEXT NOT NULL, players BIGINT NOT NULL, digest TEXT NOT NULL, seed BIGINT NOT NULL,
        auto BIGINT NOT NULL, settings TEXT NOT NULL, offsets TEXT NOT NULL, made DOUBLE PRECISION NOT NULL,
        changed DOUBLE PRECISION NOT NULL, finished BIGINT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS seats (
        table_id TEXT NOT NULL, seat BIGINT NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, bot TEXT NOT NULL,
        token_hash TEXT NOT NULL, PRIMARY KEY (table_id, seat))""",
    """CREATE TABLE IF NOT EXISTS choices (
        table_id TEXT NOT NULL, step BIGINT NOT NULL, code BIGINT NOT NULL, seat BIGINT NOT NULL, seen BIGINT NOT NULL,
        PRIMARY KEY (table_id, step))""",
    """CREATE TABLE IF NOT EXISTS ahead (
        table_id TEXT NOT NULL, seat BIGINT NOT NULL, position BIGINT NOT NULL, code BIGINT NOT NULL,
        forced BIGINT NOT NULL, PRIMARY KEY (table_id, seat, position))""",
    """CREATE TABLE IF NOT EXISTS asked (table_id TEXT PRIMARY KEY, seats BIGINT NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS facts (name TEXT PRIMARY KEY, content TEXT NOT NULL)""",
)


class Database(Protocol):
    """A connection. `transaction` commits at its end, or rolls back; `savepoint` does so for a part of one."""

    def query(self, statement: str, values: dict[str, Any]) -> list[Row]: ...
    def run(self, statement: str, values: dict[str, Any]) -> int: ...  # rows that it touched
    def transaction(self) -> AbstractContextManager[None]: ...
    def savepoint(self) -> AbstractContextManager[None]: ...
    def close(self) -> None: ...


class Conflict(Exception):
    """A change that does not fit what is stored: the choice is there already, the seat is taken."""


# ---------------------------------------------------------------------------- rows


@dataclass(frozen=True)
class TableRow:
    """`settings`: hints, undo, language, watch and so on. `offsets`: for each viewer what its position numbers have
    gained by undo (`game_table`)."""

    id: str
    game: str
    players: int
    digest: str
    seed: int
    auto: bool
    settings: dict[str, Any]
    offsets: dict[str, int] = field(default_factory=dict)
    made: float = 0.0
    changed: float = 0.0
    finished: bool = False


@dataclass(frozen=True)
class SeatRow:
    """`kind`: me, friend, open, bot, automa. Of a token only a hash is stored: whoever reads the file can take no
    seat."""

    seat: int
    kind: str
    name: str
    bot: str = ""
    token_hash: str = ""


@dataclass(frozen=True)
class ChoiceRow:
    """A choice of a seat. `seen` has a bit for each seat that noticed it, and one more for spectators."""

    step: int
    code: int
    seat: int
    seen: int


@dataclass(frozen=True)
class AheadRow:
    """An answer to a decision that the rules have not come to yet, while players choose at once (`apart`): the seat's
    choice with that number in the block. `forced`: it was the only option and took itself."""

    seat: int
    position: int
    code: int
    forced: bool = False


# ---------------------------------------------------------------------------- changes


@dataclass(frozen=True)
class NewTable:
    """`asked` here and below: a bit for each seat that has to decide."""

    table: TableRow
    seats: tuple[SeatRow, ...]
    choices: tuple[ChoiceRow, ...] = ()
    asked: int = 0


@dataclass(frozen=True)
class AddChoice:
    """`ahead`: it was kept as an answer ahead, and now it is a choice."""

    table: str
    choice: ChoiceRow
    finished: bool
    asked: int = 0
    ahead: AheadRow | None = None


@dataclass(frozen=True)
class AddAhead:
    table: str
    row: AheadRow
    asked: int


@dataclass(frozen=True)
class TakeBack:
    """Undo: the choices from `step` on are gone."""

    table: str
    step: int
    offsets: dict[str, int]
    asked: int = 0


@dataclass(frozen=True)
class AskAgain:
    """What a seat answered ahead is gone."""

    table: str
    seat: int
    offsets: dict[str, int]
    asked: int


@dataclass(frozen=True)
class TakeSeat:
    """An open seat gets its person."""

    table: str
    seat: int
    name: str
    token_hash: str


@dataclass(frozen=True)
class KeepRules:
    digest: str
    name: str
    files: dict[str, str]


@dataclass(frozen=True)
class NewRules:
    """A table goes on with other rules (watch): its choices have been played again, and who noticed them."""

    table: str
    digest: str
    choices: tuple[ChoiceRow, ...]
    offsets: dict[str, int]
    finished: bool
    asked: int = 0


@dataclass(frozen=True)
class KeepFact:
    name: str
    content: Any


Change = NewTable | AddChoice | AddAhead | AskAgain | TakeBack | TakeSeat | KeepRules | NewRules | KeepFact

_INSERT_CHOICE = "INSERT INTO choices (table_id, step, code, seat, seen) VALUES (:table, :step, :code, :seat, :seen)"
_ASKED_AGAIN = "DELETE FROM ahead WHERE table_id = :table"
_TABLE_COLUMNS = "id, game, players, digest, seed, auto, settings, offsets, made, changed, finished"


class Store:
    """Reads and writes rows. Reading opens no transaction of its own and may be done in any thread."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = threading.RLock()  # one connection, used by one thread at a time
        with database.transaction():
            for statement in SCHEMA:
                database.run(statement, {})

    def close(self) -> None:
        with self._lock:
            self._database.close()

    # ------------------------------------------------------------------ reading

    def _query(self, statement: str, **values: Any) -> list[Row]:
        with self._lock:
            return self._database.query(statement, values)

    def table(self, id: str) -> TableRow | None:
        rows = self._query(f"SELECT {_TABLE_COLUMNS} FROM tables WHERE id = :id", id=id)
        return _table(rows[0]) if rows else None

    def seats(self, table: str) -> list[SeatRow]:
        rows = self._query(
            "SELECT seat, kind, name, bot, token_hash FROM seats WHERE table_id = :table ORDER BY seat", table=table
        )
        return [SeatRow(*row) for row in rows]

    def choices(self, table: str) -> list[ChoiceRow]:
        rows = self._query(
            "SELECT step, code, seat, seen FROM choices WHERE table_id = :table ORDER BY step", table=table
        )
        return [ChoiceRow(*row) for row in rows]

    def ahead(self, table: str) -> dict[int, list[AheadRow]]:
        """What was answered ahead, by seat."""
        found: dict[int, list[AheadRow]] = {}
        for seat, position, code, forced in self._query(
            "SELECT seat, position, code, forced FROM ahead WHERE table_id = :table ORDER BY seat, position",
            table=table,
        ):
            found.setdefault(seat, []).append(AheadRow(seat, position, code, bool(forced)))
        return found

    def asked(self, table: str) -> int | None:
        """A bit for each seat that has to decide; None if that was not kept."""
        rows = self._query("SELECT seats FROM asked WHERE table_id = :table", table=table)
        return int(rows[0][0]) if rows else None

    def rules(self, digest: str) -> dict[str, str] | None:
        """The files of a ruleset by their paths."""
        rows = self._query("SELECT files FROM rules WHERE digest = :digest", digest=digest)
        files: dict[str, str] | None = json.loads(rows[0][0]) if rows else None
        return files

    def fact(self, name: str) -> Any:
        rows = self._query("SELECT content FROM facts WHERE name = :name", name=name)
        return json.loads(rows[0][0]) if rows else None

    def unfinished(self) -> list[str]:
        rows = self._query("SELECT id FROM tables WHERE finished = 0 ORDER BY changed DESC")
        return [row[0] for row in rows]

    def count(self) -> int:
        return int(self._query("SELECT COUNT(*) FROM tables")[0][0])

    # ------------------------------------------------------------------ writing

    def write(self, changes: Sequence[Change]) -> list[Exception | None]:
        """All changes in one transaction; for each of them what went wrong with it alone."""
        problems: list[Exception | None] = []
        with self._lock, self._database.transaction():
            for change in changes:
                try:
                    with self._database.savepoint():
                        for statement, values in _statements(change):
                            if not self._database.run(statement, values) and _must_touch(change):
                                raise Conflict(f"{type(change).__name__} does not fit what is stored")
                except Conflict as problem:
                    problems.append(problem)
                except Exception as problem:
                    problems.append(Conflict(str(problem)))
                else:
                    problems.append(None)
        return problems


def _table(row: Row) -> TableRow:
    id, game, players, digest, seed, auto, settings, offsets, made, changed, finished = row
    return TableRow(
        id, game, players, digest, seed, bool(auto), json.loads(settings), json.loads(offsets), made, changed,
        bool(finished),
    )  # fmt: skip


def _must_touch(change: Change) -> bool:
    return isinstance(change, AddChoice | AddAhead | TakeSeat)


Statement = tuple[str, dict[str, Any]]


def _statements(change: Change) -> Iterator[Statement]:
    match change:
        case NewTable():
            yield from _new_table(change)
        case AddChoice():
            yield from _add_choice(change)
        case AddAhead(table_id, row, asked):
            yield (
                "INSERT INTO ahead (table_id, seat, position, code, forced)"
                " VALUES (:table, :seat, :position, :code, :forced)",
                {"table": table_id, **vars(row), "forced": int(row.forced)},
            )
            yield _asked(table_id, asked)
        case AskAgain(table_id, seat_number, offsets, asked):
            yield "DELETE FROM ahead WHERE table_id = :table AND seat = :seat", {"table": table_id, "seat": seat_number}
            yield _offsets(table_id, offsets)
            yield _asked(table_id, asked)
        case TakeBack(table_id, step, offsets, asked):
            yield _ASKED_AGAIN, {"table": table_id}
            yield "DELETE FROM choices WHERE table_id = :table AND step >= :step", {"table": table_id, "step": step}
            yield _offsets(table_id, offsets)
            yield _asked(table_id, asked)
            yield _changed(table_id, False)
        case TakeSeat(table_id, number, name, token_hash):
            yield (
                "UPDATE seats SET name = :name, token_hash = :token_hash, kind = 'friend'"
                " WHERE table_id = :table AND seat = :seat AND kind = 'open'",
                {"table": table_id, "seat": number, "name": name, "token_hash": token_hash},
            )
        case KeepRules(digest, name, files):
            yield (
                "INSERT INTO rules (digest, name, files) VALUES (:digest, :name, :files) ON CONFLICT DO NOTHING",
                {"digest": digest, "name": name, "files": json.dumps(files)},
            )
        case NewRules():
            yield from _new_rules(change)
        case KeepFact(name, content):
            yield (
                "INSERT INTO facts (name, content) VALUES (:name, :content)"
                " ON CONFLICT (name) DO UPDATE SET content = excluded.content",
                {"name": name, "content": json.dumps(content)},
            )
        case _:
            assert_never(change)


def _new_table(change: NewTable) -> Iterator[Statement]:
    table = change.table
    yield (
        f"INSERT INTO tables ({_TABLE_COLUMNS}) VALUES (:id, :game, :players, :digest, :seed, :auto, :settings,"
        " :offsets, :made, :changed, :finished)",
        _table_values(table),
    )
    for seat in change.seats:
        yield (
            "INSERT INTO seats (table_id, seat, kind, name, bot, token_hash)"
            " VALUES (:table, :seat, :kind, :name, :bot, :token_hash)",
            {"table": table.id, **vars(seat)},
        )
    for choice in change.choices:
        yield _INSERT_CHOICE, {"table": table.id, **vars(choice)}
    yield _asked(table.id, change.asked)


def _add_choice(change: AddChoice) -> Iterator[Statement]:
    # The number of choices that are there is checked by the statement itself: none is doubled, none left out.
    yield (
        "INSERT INTO choices (table_id, step, code, seat, seen) SELECT CAST(:table AS TEXT),"
        " CAST(:step AS BIGINT), CAST(:code AS BIGINT), CAST(:seat AS BIGINT), CAST(:seen AS BIGINT)"
        " WHERE (SELECT COUNT(*) FROM choices WHERE table_id = :table) = :step",
        {"table": change.table, **vars(change.choice)},
    )
    if change.ahead is not None:
        yield (
            "DELETE FROM ahead WHERE table_id = :table AND seat = :seat AND position = :position",
            {"table": change.table, "seat": change.ahead.seat, "position": change.ahead.position},
        )
    yield _asked(change.table, change.asked)
    yield _changed(change.table, change.finished)


def _new_rules(change: NewRules) -> Iterator[Statement]:
    yield _ASKED_AGAIN, {"table": change.table}
    yield (
        "UPDATE tables SET digest = :digest, offsets = :offsets WHERE id = :table",
        {"digest": change.digest, "offsets": json.dumps(change.offsets), "table": change.table},
    )
    yield "DELETE FROM choices WHERE table_id = :table", {"table": change.table}
    for choice in change.choices:
        yield _INSERT_CHOICE, {"table": change.table, **vars(choice)}
    yield _asked(change.table, change.asked)
    yield _changed(change.table, change.finished)


def _offsets(table: str, offsets: dict[str, int]) -> Statement:
    return "UPDATE tables SET offsets = :offsets WHERE id = :table", {"offsets": json.dumps(offsets), "table": table}


def _asked(table: str, seats: int) -> Statement:
    return (
        "INSERT INTO asked (table_id, seats) VALUES (:table, :seats)"
        " ON CONFLICT (table_id) DO UPDATE SET seats = excluded.seats",
        {"table": table, "seats": seats},
    )


def _table_values(table: TableRow) -> dict[str, Any]:
    values = dict(vars(table))
    values.update(auto=int(table.auto), finished=int(table.finished))
    values.update(settings=json.dumps(table.settings), offsets=json.dumps(table.offsets))
    return values


def _changed(table: str, finished: bool) -> Statement:
    return (
        "UPDATE tables SET changed = :now, finished = :finished WHERE id = :table",
        {"now": time.time(), "finished": int(finished), "table": table},
    )


# ---------------------------------------------------------------------------- where it is


def open_store(where: str) -> Store:
    """The store at a path (SQLite) or a URL (`postgresql://…`, `sqlite:///…`: through SQLAlchemy)."""
    if "://" in where:
        from .sql_database import SqlDatabase

        return Store(SqlDatabase(where))
    from .sqlite_database import SqliteDatabase

    return Store(SqliteDatabase(where))
