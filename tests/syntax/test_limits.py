"""Every limit is met by a text, and gives a finding instead of an exception."""

from __future__ import annotations

import time

import pytest
from reading import findings, parse

DEEP = {
    "brackets": "value v(p) = " + "(" * 5000 + "1" + ")" * 5000,
    "calls": "value v(p) = " + "f(" * 3000 + "1" + ")" * 3000,
    "open brackets": "value v(p) = " + "(" * 5000,
    "nots": "value v(p) = " + "not " * 5000 + "a",
    "signs": "value v(p) = " + "-" * 5000 + "1",
    "attributes": "value v(p) = a" + ".b" * 5000,
    "sums": "value v(p) = 1" + " + 1" * 5000,
    "holes": 'effect e(p)\n  say "{' + "f(" * 3000 + "1" + ")" * 3000 + '}"',
    "conditions": "value v(p) = " + "1 if a else " * 3000 + "2",
    "blocks": "effect e(p)\n" + "".join("  " * n + "repeat\n" for n in range(1, 400)) + "  " * 400 + "stop",
}


@pytest.mark.parametrize("text", DEEP.values(), ids=DEEP)
def test_deep_nesting_is_a_finding(text: str) -> None:
    (finding,) = findings(text)
    assert finding.code in ("R0102", "R0118")


def test_ordinary_nesting_is_no_finding() -> None:
    parse("value v(p) = " + "(" * 50 + "1" + ")" * 50)
    parse("value v(p) = 1" + " + 1" * 60)
    parse("effect e(p)\n" + "".join("  " * n + "repeat\n" for n in range(1, 25)) + "  " * 25 + "stop\n")


def test_a_file_that_is_too_large() -> None:
    (finding,) = findings("# " + "x" * 1024 * 1024)
    assert finding.code == "R0101"


def test_a_large_file_is_read() -> None:
    assert len(parse("use a\n" * 5000).declarations) == 5000


def test_the_largest_number() -> None:
    parse("constant c = 2147483647")
    (finding,) = findings("constant c = 2147483648")
    assert finding.code == "R0112"
    (finding,) = findings("constant c = " + "9" * 10000)
    assert finding.code == "R0112"


def test_a_line_made_to_be_slow_is_not_compared_with_slips_of_the_pen() -> None:
    # Minutes in the table of mistakes, where a pattern has several ways to share out the spaces.
    began = time.process_time()
    assert findings("each player\n  a:" + " " * 20_000 + "x")
    assert time.process_time() - began < 5


def test_many_clause_tags_on_a_line_are_read_at_once() -> None:
    # A tag must match in one way only: with two, each further tag would double the time.
    (use,) = parse("use a " + "@KA-01 " * 200).declarations
    assert len(use.cites) == 200
