"""The store, over each database there is: SQLite, the same through SQLAlchemy, PostgreSQL where it can be started."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path

import pytest

from interpreter.web.server.store import (
    AddAhead,
    AddChoice,
    AheadRow,
    AskAgain,
    ChoiceRow,
    Conflict,
    KeepFact,
    KeepRules,
    NewRules,
    NewTable,
    SeatRow,
    Store,
    TableRow,
    TakeBack,
    TakeSeat,
    open_store,
)
from interpreter.web.server.writer import Writer

SEATS = (SeatRow(0, "me", "Mira", token_hash="a"), SeatRow(1, "open", ""))


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL server of this test's own, on a socket in a folder of its own."""
    pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed")
    pytest.importorskip("psycopg", reason="psycopg is not installed: the store is not tested on PostgreSQL")
    programs = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    found = shutil.which("initdb") or (str(programs[-1]) if programs else None)
    if found is None:
        pytest.skip("no PostgreSQL is installed: the store is not tested on it")
    bin = Path(found).parent
    home = Path(tempfile.mkdtemp(prefix="pg"))
    owner = ["runuser", "-u", "postgres", "--"] if _is_root() else []
    if owner:
        shutil.chown(home, "postgres")
    start = [
        [bin / "initdb", "-D", home / "db", "-A", "trust", "-U", "tables", "--no-sync"],
        [bin / "pg_ctl", "-D", home / "db", "-w", "-o", f"-k {home} -c listen_addresses=", "-l", home / "log", "start"],
    ]
    for command in start:
        done = subprocess.run([*owner, *map(str, command)], capture_output=True, text=True, cwd="/")
        if done.returncode:
            pytest.skip(f"PostgreSQL cannot be started: {done.stderr.strip()[-200:]}")
    yield f"postgresql+psycopg://tables@/postgres?host={home}"
    stop = [bin / "pg_ctl", "-D", home / "db", "-m", "immediate", "stop"]
    subprocess.run([*owner, *map(str, stop)], capture_output=True, cwd="/")
    shutil.rmtree(home, ignore_errors=True)


def _is_root() -> bool:
    import os

    return os.geteuid() == 0


@pytest.fixture(params=["sqlite", "sqlalchemy", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    if request.param == "sqlalchemy":
        pytest.importorskip("sqlalchemy", reason="SQLAlchemy is not installed: the store is not tested through it")
    where = {"sqlite": str(tmp_path / "s.sqlite"), "sqlalchemy": f"sqlite:///{tmp_path}/a.sqlite"}.get(request.param)
    made = open_store(where or request.getfixturevalue("postgresql"))
    yield made
    made.close()


def row(id: str) -> TableRow:
    return TableRow(id, "nim", 2, "digest", (1 << 62) - 1, False, {"hints": True}, {}, 1.0, 2.0)


def choice(step: int, code: int = 5) -> ChoiceRow:
    return ChoiceRow(step, code, step % 2, 7)


def test_tables_seats_and_choices_come_back(store: Store) -> None:
    assert store.write([NewTable(row("t1"), SEATS, (choice(0), choice(1, 1 << 40)))]) == [None]
    assert store.table("t1") == row("t1") and store.table("t2") is None
    assert store.seats("t1") == list(SEATS)
    assert store.choices("t1") == [choice(0), choice(1, 1 << 40)]
    assert store.count() >= 1 and "t1" in store.unfinished()


def test_a_choice_is_stored_once_and_in_order(store: Store) -> None:
    store.write([NewTable(row("t3"), SEATS)])
    wrong = AddChoice("t3", choice(1), False)
    first, second = AddChoice("t3", choice(0), False), AddChoice("t3", choice(1), True)
    problems = store.write([wrong, first, first, second])
    assert [type(problem) for problem in problems] == [Conflict, type(None), Conflict, type(None)]
    assert store.choices("t3") == [choice(0), choice(1)]
    found = store.table("t3")
    assert found is not None and found.finished and "t3" not in store.unfinished()


def test_answers_ahead_become_choices_and_none_is_doubled(store: Store) -> None:
    store.write([NewTable(row("t10"), SEATS, asked=3)])
    assert store.asked("t10") == 3 and store.asked("nowhere") is None and not store.ahead("t10")
    first, second = AheadRow(1, 0, 5), AheadRow(1, 1, 1 << 40, True)
    problems = store.write([AddAhead("t10", first, 3), AddAhead("t10", first, 3), AddAhead("t10", second, 1)])
    assert [type(problem) for problem in problems] == [type(None), Conflict, type(None)]
    assert store.ahead("t10") == {1: [first, second]} and store.asked("t10") == 1
    assert store.write([AddChoice("t10", choice(0), False, 2), AddChoice("t10", choice(1), False, 2, first)]) == [
        None,
        None,
    ]
    assert store.ahead("t10") == {1: [second]} and len(store.choices("t10")) == 2 and store.asked("t10") == 2
    assert store.write([AddChoice("t10", choice(2), False, 0, first)]) != [None], "it is no choice twice"
    assert len(store.choices("t10")) == 2
    assert store.write([AskAgain("t10", 1, {"1": 3}, 2)]) == [None]
    found = store.table("t10")
    assert not store.ahead("t10") and found is not None and found.offsets == {"1": 3}
    store.write([AddAhead("t10", first, 1), TakeBack("t10", 1, {}, 2)])
    assert not store.ahead("t10") and store.asked("t10") == 2


def test_undo_takes_choices_back_and_keeps_offsets(store: Store) -> None:
    store.write([NewTable(row("t4"), SEATS, tuple(choice(step) for step in range(5)))])
    store.write([TakeBack("t4", 2, {"0": 4, "2": 4})])
    found = store.table("t4")
    assert [one.step for one in store.choices("t4")] == [0, 1]
    assert found is not None and found.offsets == {"0": 4, "2": 4}
    assert store.write([AddChoice("t4", choice(2, 9), False)]) == [None]


def test_an_open_seat_is_taken_once(store: Store) -> None:
    store.write([NewTable(row("t5"), SEATS)])
    take = TakeSeat("t5", 1, "Jon", "hash")
    assert [type(one) for one in store.write([take, take])] == [type(None), Conflict]
    assert store.seats("t5")[1] == SeatRow(1, "friend", "Jon", "", "hash")
    assert isinstance(store.write([TakeSeat("t5", 0, "Eve", "other")])[0], Conflict)


def test_rules_and_facts(store: Store) -> None:
    rules = KeepRules("d1", "nim", {"nim/nim.rules": "game …\n"})
    assert store.write([rules, rules]) == [None, None]
    assert store.rules("d1") == {"nim/nim.rules": "game …\n"} and store.rules("d2") is None
    store.write([KeepFact("x", [1, None]), KeepFact("x", {"y": "é"})])
    assert store.fact("x") == {"y": "é"} and store.fact("z") is None


def test_new_rules_replace_the_choices(store: Store) -> None:
    store.write([NewTable(row("t6"), SEATS, (choice(0), choice(1)))])
    store.write([NewRules("t6", "other", (choice(0, 8),), {"0": 3}, True)])
    found = store.table("t6")
    assert found is not None and (found.digest, found.offsets, found.finished) == ("other", {"0": 3}, True)
    assert store.choices("t6") == [choice(0, 8)]


def test_a_table_is_written_whole_or_not_at_all(store: Store) -> None:
    doubled = (choice(0), choice(0))
    assert isinstance(store.write([NewTable(row("t7"), SEATS, doubled)])[0], Conflict)
    assert store.table("t7") is None and store.seats("t7") == []


def test_many_writers_share_commits(store: Store) -> None:
    store.write([NewTable(row("t8"), SEATS), NewTable(row("t9"), SEATS)])
    writer = Writer(store)
    futures: list[Future[None]] = []
    for step in range(50):
        futures += [writer.write(AddChoice(table, choice(step), False)) for table in ("t8", "t9")]
    futures.append(writer.write(AddChoice("t8", choice(3), False)))
    writer.close()
    assert [future.exception() for future in futures[:-1]] == [None] * 100
    assert isinstance(futures[-1].exception(), Conflict)
    assert len(store.choices("t8")) == len(store.choices("t9")) == 50


def test_sqlite_waits_for_the_disk(tmp_path: Path) -> None:
    from interpreter.web.server.sqlite_database import SqliteDatabase

    database = SqliteDatabase(str(tmp_path / "x.sqlite"))
    assert database.query("PRAGMA journal_mode", {}) == [("wal",)]
    assert database.query("PRAGMA synchronous", {}) == [(2,)]
    database.close()
