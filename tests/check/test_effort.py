"""Rulesets are untrusted text: none may hang the interpreter or fill its memory."""

from __future__ import annotations

import pytest

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import game_from_program
from tests.toys import gather_text

TOO_MUCH = {
    "many pieces": ("kind C\n  copies 99999999\ntable\n  heap: pool of C open", "move all c in C to heap", "R0418"),
    "many combinations": (
        "kind C\n  copies 999 for each a: 1..999, b: 1..999\ntable\n  heap: pool of C open",
        "move all c in C to heap",
        "R0418",
    ),
    "a huge map": ("map m is grid 9999 by 9999\n  node N\neach N\n  x: 0..1", "for n in N\n    n.x = 1", "R0240"),
    "many dice": ("table\n  d: 99999999 dice of 1..6", "roll d", "R0419"),
    "a long range": ("table\n  x: 0..9", "for i in 1..2000000000\n    x = i mod 7", "R0475"),
    "sets inside sets": (
        "table\n  x: 0..9",
        "x = count(i in 1..99999 where some j in 1..99999 has j == i + 9) mod 7",
        "R0476",
    ),
    "numbers that double": (
        "table\n  x: 0..9",
        "\n  ".join(["let a0 = x + 3", *(f"let a{n} = a{n - 1} * a{n - 1}" for n in range(1, 45)), "x = a44 mod 7"]),
        "R0480",
    ),
    "a long chain of rules": (
        "table\n  x: 0..9\n"
        + "".join(f"effect r{n}\n  x = 1\n  r{n + 1}\n" for n in range(3000))
        + "effect r3000\n  x = 2",
        "r0",
        "R0102",
    ),
    "values that call values": (
        "table\n  x: 0..9\n"
        "value a: 0..9 = sum(b(i) for i in 1..999) mod 7\n"
        "value b(n: 0..999): 0..9 = sum(c(i) for i in 1..999) mod 7\n"
        "value c(n: 0..999): 0..9 = sum(i for i in 1..999) mod 7",
        "x = a",
        "R0476",
    ),
}


ENDS = {
    "a score line": 'score p\n  "N" count(i in 1..999, j in 1..999, k in 1..999 where i + j + k == p.x)',
    "many score lines": "score p\n"
    + "".join(f'  "L{n}" count(i in 1..2000, j in 1..2000 where i == j)\n' for n in range(9)),
    "a rank": "rank p by highest count(i in 1..999, j in 1..999, k in 1..999 where i + j + k == p.x), then shared",
}


def game_text(declarations: str, play: str) -> str:
    return f'game g "G" for 2 players\n{declarations}\nplay\n  {play}\n'


@pytest.mark.parametrize("case", TOO_MUCH)
def test_too_much_is_refused_before_the_game(case: str) -> None:
    declarations, play, code = TOO_MUCH[case]
    found = Diagnostics()
    gathered = gather_text(game_text(declarations, play), found=found)
    assert gathered is None or check(gathered, found) is None
    assert code in {finding.code for finding in found}


@pytest.mark.parametrize("case", ENDS)
def test_too_much_at_the_end_is_refused_before_the_game(case: str) -> None:
    """No budget counts what scores and ranks take, so they are bounded together."""
    found = Diagnostics()
    gathered = gather_text(game_text("each player\n  x: 0..9", f"seat1.x = 3\n{ENDS[case]}"), found=found)
    assert gathered is not None and check(gathered, found) is None
    assert [finding.code for finding in found] == ["R0476"]


def test_neighbours_count_as_many_as_a_node_has() -> None:
    """Three steps over a large map are few steps; three times over all its nodes are too many."""
    near = "count(a in N where some b in neighbours(a) has some c in neighbours(b) has c.x > 0)"
    for query, fits in ((near, True), (near.replace("neighbours(a)", "N").replace("neighbours(b)", "N"), False)):
        found = Diagnostics()
        text = game_text("map m is grid 60 by 60\n  node N\neach N\n  x: 0..1\ntable\n  y: 0..9", f"y = {query} mod 7")
        gathered = gather_text(text, found=found)
        assert (check(gathered, found) is not None) is fits
        assert ("R0476" in {finding.code for finding in found}) is not fits


def test_sets_count_as_many_as_they_can_have() -> None:
    """A value that is asked about three cards goes over three, and a place holds no more than its capacity."""
    declarations = (
        "kind C\n  copies 1 for each suit: 1..4, rank: 1..13\n"
        "table\n  row_of: row of C open{}\n  y: flag\n"
        "value meld(cards: set of C): flag = every a in cards, b in cards, c in cards has a.suit == b.suit"
    )
    three = "y = some a in C, b in C, c in C has meld((a, b, c))"
    whole = "y = some a in C, b in C has meld(row_of)"
    for place, play, fits in (("", three, True), ("", whole, False), (" capacity 11", whole, True)):
        found = Diagnostics()
        text = game_text(declarations.format(place), f"move all c in C where c.rank == 1 to row_of\n  {play}")
        check(gather_text(text, found=found), found)
        told = [finding for finding in found if finding.code == "R0476"]
        assert bool(told) is not fits
        assert all("`capacity n`" in (finding.help or "") for finding in told)


def test_loops_inside_loops_are_counted_as_they_run() -> None:
    found = Diagnostics()
    nested = "for i in 1..9999\n    for j in 1..9999\n      for k in 1..9999\n        x = k mod 7"
    program = check(gather_text(game_text("table\n  x: 0..9", nested), found=found), found)
    assert program is not None
    with pytest.raises(Fault) as fault:
        game_from_program(program).new(seed=1)
    assert fault.value.diagnostic.code == "R0903"


def test_a_parameter_that_is_a_set_is_said_to_count_with_all_pieces() -> None:
    declarations = (
        "kind Tile\n  copies 40 for each rank: 1..40\neach player\n  hand: pool of Tile open capacity 9\n"
        "value triples(s: set of Tile): 0..9999 = count(a in s, b in s, c in s where a.rank == b.rank and b == c)"
    )
    found = Diagnostics()
    check(gather_text(game_text(declarations, "if triples(seat1.hand) > 0\n    seat1 wins"), found=found), found)
    (told,) = [finding for finding in found if finding.code == "R0476"]
    assert told.notes == (
        "`s` counts with all pieces of its kind: name a place in here instead, `in p.hand`, with a capacity",
    )
