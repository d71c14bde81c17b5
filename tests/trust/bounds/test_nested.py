"""What stands inside itself twenty times, or twenty times in a row, is checked and compiled in a moment.

A pass that looks at something twice, and at what is inside it twice as well, takes twice as long with each level: a
million times as long with twenty of them. Each of these texts took minutes, or would have been a million lines of
Python.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

from interpreter.check.check import check
from interpreter.compile.load import compile_program
from interpreter.diagnostics.diagnostic import Diagnostics
from tests.toy_games import checked
from tests.toys import gather_text

DEEP = 20
PATIENCE = 10.0  # CPU seconds; together they take less than one

HEAD = """
kind Card
  copies 4
table
  deck: pile of Card hidden
  note: 0..9
each Card
  link: Card?
  owner: player?
  n: 0..9
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
play
  turn(seat1)
phase turn(p)
  choose c in Card where c in deck or c not in deck "Which?"
"""


def wrapped(text: str, around: Callable[[str, int], str]) -> str:
    for number in range(DEEP):
        text = around(text, number)
    return f"  let found = {text}\n"


def nested(line: str) -> str:
    """A line below a line below a line, each with another name in it."""
    inside = "".join("  " * (number + 1) + line.format(number) + "\n" for number in range(DEEP))
    return inside + "  " * (DEEP + 1) + "note = 3\n"


def in_a_row(lines: str) -> str:
    return "".join(lines.format(number % 9) for number in range(DEEP)) + "  requires note > 3\n"


TEXTS = {
    "fields of fields": f"  if c{'.link' * DEEP}.owner == p\n    note = 1\n",
    "sets of sets": wrapped("p.hand", lambda of, i: f"(all x{i} in {of} where x{i}.n > 2)"),
    "sorted sets": wrapped("p.hand", lambda of, i: f"(all x{i} in {of} by highest x{i}.n)"),
    "sets without": wrapped("p.hand", lambda of, i: f"({of} without c)"),
    "loops over players": nested("for q{0} in players"),
    "loops that repeat": nested("repeat 2 times"),
    "loops with a choice": nested('may repeatedly "Again {0}"'),
    "conditions in a row": in_a_row("  if note == {0}\n    note = 4\n    requires p.hand is not empty\n"),
    "choices in a row": in_a_row(
        '  choose one "Which?"\n    "A"\n      requires note < {0}\n      note = 4\n    "B"\n      requires note < 8\n'
    ),
}


@contextmanager
def in_time() -> Iterator[None]:
    """Ends what takes too long, which would otherwise go on for hours."""

    def too_long(*_: object) -> None:
        raise AssertionError(f"more than {PATIENCE} seconds")

    before = signal.signal(signal.SIGPROF, too_long)
    signal.setitimer(signal.ITIMER_PROF, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize("name", TEXTS)
def test_what_is_nested_takes_no_longer_than_what_is_long(name: str) -> None:
    with in_time():
        made = compile_program(checked(HEAD + TEXTS[name]))
    assert len(made.source.splitlines()) < 3_000


def test_values_that_ask_values_are_checked_in_a_moment() -> None:
    """Each asks the one before it three times, with other arguments: there are a billion paths."""
    asked = (
        "value f{0}(a: Card, c: Card): flag = "
        "f{1}(a, c) or f{1}((a.link.link otherwise a), c) or f{1}((a.link otherwise c), a)\n"
    )
    values = "value f0(a: Card, c: Card): flag = a.n > c.n\n" + "".join(asked.format(n, n - 1) for n in range(1, DEEP))
    found = Diagnostics()
    with in_time():
        check(gather_text(HEAD + f"  if f{DEEP - 1}(c, c)\n    note = 1\n" + values, found=found), found)
    assert "R0476" in [finding.code for finding in found]  # to play it would take as long
