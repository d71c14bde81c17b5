"""Who sits where, from what a person writes."""

from __future__ import annotations

import pytest

from interpreter.play.contract import PlayError
from interpreter.play.match import bot_match
from interpreter.play.seats import make_bot, require_kind, seat_kinds
from interpreter.play.seeds import derived_seed
from tests.play.race import RaceGame

DEFAULT = ["person", "random", "random"]


@pytest.mark.parametrize(
    ("asked", "kinds"),
    [
        ([], ["person", "random", "random"]),
        (["2=first"], ["person", "first", "random"]),
        (["seat3=person", "1=random"], ["random", "random", "person"]),
        ([" 1 = first "], ["first", "random", "random"]),
    ],
)
def test_seats_are_named_by_number_or_name(asked: list[str], kinds: list[str]) -> None:
    assert seat_kinds(RaceGame(3), asked, DEFAULT) == kinds


@pytest.mark.parametrize(
    ("asked", "message", "advice"),
    [
        ("2", "does not say who sits there", "SEAT=KIND"),
        ("4=random", "there is no seat `4`", "3 (seat3)"),
        ("seta1=random", "there is no seat `seta1`", "did you mean `seat1`?"),
        ("1=randon", "there is no kind of seat `randon`", "did you mean `random`?"),
        ("1=zebra", "there is no kind of seat `zebra`", "there are person, first, random"),
    ],
)
def test_what_cannot_be_is_told(asked: str, message: str, advice: str) -> None:
    with pytest.raises(PlayError) as refused:
        seat_kinds(RaceGame(3), [asked], DEFAULT)
    assert message in str(refused.value)
    assert advice in str(refused.value.help)


def test_a_seat_is_given_once() -> None:
    with pytest.raises(PlayError, match="given twice"):
        seat_kinds(RaceGame(3), ["1=first", "seat1=random"], DEFAULT)


def test_a_person_is_no_bot() -> None:
    require_kind("person")
    with pytest.raises(PlayError, match="no bot `person`"):
        make_bot("person", 0, 0)


def test_the_first_bot_takes_the_first_option() -> None:
    match = bot_match(RaceGame(2), ["first", "first"], seed=3)
    assert match.run().decisions == 19  # one step at a time, and the first player is first on ten
    assert set(match.state.history) == {101}


def test_random_bots_are_fixed_by_the_seed_and_differ_by_seat() -> None:
    games = [bot_match(RaceGame(2), ["random", "random"], seed).run() for seed in range(20)]
    again = [bot_match(RaceGame(2), ["random", "random"], seed).run() for seed in range(20)]
    assert games == again
    assert len({game.decisions for game in games}) > 3
    assert len({derived_seed(seed, seat) for seed in range(100) for seat in range(4)}) == 400
