"""The table as text, from plain views."""

from __future__ import annotations

from typing import Any

import pytest

from interpreter.cli.grid_view import grid_lines
from interpreter.cli.piece_marks import without_starts
from interpreter.cli.screen import option_lines, option_number
from interpreter.cli.table_view import pieces_text, table_lines, value_text, wrapped
from interpreter.runtime.game import game_from_program
from tests.play.race import RaceDecision, Step
from tests.toy_games import checked

NODES = [f"cell_{row}_{column}" for row in range(1, 4) for column in range(1, 4)]


def _view() -> dict[str, Any]:
    return {
        "player": 1,
        "seats": ["ann", "bob"],
        "fields": {
            "table": {"round": 3, "first_player": "ann", "last_round": False},
            "players": [{"coins": 3, "heat": {"red": 1, "blue": 2}}, {"coins": 0, "heat": {"red": 0, "blue": 0}}],
            "nodes": {node: {"owner": "ann" if index % 4 == 0 else None} for index, node in enumerate(NODES)},
        },
        "places": {
            "table": {"deck": {"count": 27}, "market": ["one", "one", "four", "five"], "heap": []},
            "players": [{"hand": {"count": 3}}, {"hand": ["five", "two"]}],
        },
        "dice": {"dice": [3, 6]},
        "maps": {"board": {"shape": "grid", "rows": 3, "columns": 3, "nodes": NODES}},
    }


def test_a_whole_table() -> None:
    assert table_lines(_view(), 80, {"cell 1 2": "1", "cell 3 2": "2"}) == [
        "Board",
        "      1   2   3",
        "  3   ·   2  ann",
        "  2   ·  ann  ·",
        "  1  ann  1   ·",
        "",
        "Table",
        "  deck          27 unseen",
        "  market        2 × one, four, five [4]",
        "  heap          -",
        "  dice          [3] [6]",
        "  round         3",
        "  first player  ann",
        "  last round    no",
        "",
        "           coins",
        "ann        3",
        "bob (you)  0",
        "",
        "bob (you)",
        "  hand  five, two",
        "  heat  red 0, blue 0",
        "",
        "ann",
        "  hand  3 unseen",
        "  heat  red 1, blue 2",
    ]


def test_an_empty_view_has_no_lines() -> None:
    assert table_lines({"player": 0, "seats": []}) == []


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ([], "-"),
        (["a"], "a"),
        (["a", "a", "b"], "2 × a, b"),
        ([None, None], "2 unseen"),
        (["a", None, None, "b"], "a, 2 unseen, b"),
        ({"count": 0}, "-"),
        ({"count": 5}, "5 unseen"),
        ({"count": None}, "?"),
        ({"count": None, "known": ["a", "a"]}, "2 × a and others"),
        ({"red": ["a"], "blue": [], "green": {"count": 2}}, "red: a, green: 2 unseen"),
        ([{"name": "a", "kind": "K"}] * 2, "2 × a"),
        ([{"name": None, "kind": "K"}] * 2, "2 unseen"),
        ([{"name": None, "kind": "K", "back": {"age": "old"}}] * 2 + [{"name": None}], "2 unseen (age old), 1 unseen"),
        ([{"name": "a", "back": {"age": "old"}, "face_down": True}], "a (face down)"),
        (
            [{"name": "a", "fields": {"tired": True, "eggs": 0}, "carries": {"sack": [{"name": "b"}] * 2}}, "c"],
            "a (tired yes; sack 2 × b), c",
        ),
    ],
)
def test_places(content: Any, text: str) -> None:
    assert pieces_text(content) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(None, "-"), (True, "yes"), (False, "no"), (3, "3"), ("ann", "ann"), ({"red_1": {"x": 2}}, "red 1 (x 2)")],
)
def test_values(value: Any, text: str) -> None:
    assert value_text(value) == text


def test_long_words_on_a_narrow_map_get_signs_and_a_legend() -> None:
    contents = [["white pawn"], [], ["black pawn"], ["white pawn"]]
    assert grid_lines(2, 2, contents, ["", "7", "", ""], 20) == [
        "   1  2",
        "2  BP WP",
        "1  WP 7",
        "   (WP white pawn, BP black pawn)",
    ]


def test_signs_never_clash() -> None:
    contents = [[f"pawn of {name}"] for name in ("bert", "berta", "bertold", "bertil")]
    lines = grid_lines(1, 4, contents, [""] * 4, 30)
    assert len(set(lines[1].split()[1:])) == 4


def test_long_texts_go_on_below() -> None:
    assert wrapped("one two three", 7) == ["one two", "three"]
    lines = table_lines({"player": 0, "seats": [], "places": {"table": {"row": ["wood"] + ["stone", "wood"] * 6}}}, 40)
    assert all(len(line) <= 40 for line in lines)
    assert lines[2].startswith("       stone") or lines[2].startswith("       wood")


def test_many_short_options_stand_in_columns() -> None:
    options = [Step(index, index % 4) for index in range(14)]
    lines = option_lines(RaceDecision(0, options), 60)
    assert len(lines) == 4
    assert lines[0] == "   1  Pass    5  Pass    9  Pass   13  Pass"


@pytest.mark.parametrize(
    ("text", "number"), [("3", 3), ("03", 3), ("x", None), ("-1", None), ("²", None), ("9" * 9, None)]
)
def test_numbers_of_options(text: str, number: int | None) -> None:
    assert option_number(text) == number


def test_fields_of_pieces_that_are_as_they_began_are_left_out() -> None:
    meta = game_from_program(checked(CHESTS)).meta
    shut = {"name": "Chest", "fields": {"way": "upper", "locks": 2}, "carries": {"inside": [{"name": "Gem"}]}}
    opened = {"name": "Chest", "fields": {"way": "lower", "locks": 0}}
    view = {"pieces": {"table": {"yard": [shut, opened]}, "players": []}}
    told = without_starts(view, meta)["pieces"]["table"]["yard"]
    assert told == [{**shut, "fields": {}}, opened]
    assert pieces_text(told) == "Chest (inside Gem), Chest (way lower)"


CHESTS = """
enum Way = upper | lower
kind Chest
  copies 2
kind Gem
table
  yard: pool of Chest open
each Chest
  way: Way = upper
  locks: 0..3 = 2
  inside: pool of Gem open
each player
  points: 0..9
setup
  move all x in Chest to yard
play
  rest(seat1)
phase rest(p)
  for x in yard
    x.way = lower
    x.locks = 0
    move up to 1 g in Gem where g in box to x.inside
  choose n in 1..2 "Go on?"
  gain n points
"""
