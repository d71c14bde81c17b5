"""Numbers to names and back."""

from __future__ import annotations

import pytest

from interpreter.check.value_types import NO_NUMBER
from interpreter.runtime.names import id_of, index_name, name_of, numbers_of, piece_label, value_of
from tests.runtime.small_table import make_meta

META = make_meta("aabc")
TABLE = (
    ("player", 1, "bob"),
    ("player", -1, "none"),
    ("piece", 2, "b"),
    ("node", 0, "North"),
    ("node", 1, "n2"),
    ("edge", 0, "e1"),
    ("enum:Colour", 0, "Red"),
    ("enum:Colour", 1, "blue"),
    ("flag", 1, "yes"),
    ("number", -1, "-1"),
    ("number", NO_NUMBER, "none"),
    ("direction:board", 1, "south east"),
    ("die", 0, "dice[1]"),
    ("cell", 0, "Gain 1"),
    ("row", 2, "c"),
    ("row:prices", 0, "1"),
)


@pytest.mark.parametrize(("thing", "number", "text"), TABLE)
def test_a_number_and_its_name_lead_to_one_another(thing: str, number: int, text: str) -> None:
    assert name_of(META, thing, number) == text
    assert number in numbers_of(META, thing, text)


def test_sets_are_lists_of_names() -> None:
    assert name_of(META, "set:piece", (0, 2)) == "a, b"
    assert name_of(META, "set:piece", ()) == "none"


def test_ids_and_other_case_are_understood() -> None:
    assert numbers_of(META, "enum:Colour", "red") == (0,)
    assert numbers_of(META, "node", "n1") == numbers_of(META, "node", "NORTH") == (0,)
    assert numbers_of(META, "player", "seat2") == (1,)
    assert id_of(META, "node", 0) == index_name(META, "node", 0) == "n1"


def test_a_row_name_means_all_copies_and_a_label_one() -> None:
    assert numbers_of(META, "piece", "a") == (0, 1)
    assert [piece_label(META, piece) for piece in range(3)] == ["a 1", "a 2", "b"]
    assert numbers_of(META, "piece", "a 2") == (1,)


@pytest.mark.parametrize("text", ["", "zed", "1.5", "²", "--3"])
def test_what_nobody_is_called_is_nothing(text: str) -> None:
    assert not any(numbers_of(META, thing, text) for thing in ("number", "piece", "flag", "row:prices"))


def test_values_for_json() -> None:
    assert value_of(META, "flag", 1) is True
    assert value_of(META, "number", 4) == 4
    assert value_of(META, "player", -1) is None
    assert value_of(META, "enum:Colour", 1) == "blue"
