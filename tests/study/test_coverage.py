"""Coverage: clauses with the lines, scenarios and counts that belong to them."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

import interpreter as rw
from interpreter.play.match import bot_match
from interpreter.study.coverage import Coverage, coverage_of
from interpreter.study.coverage_page import coverage_page
from interpreter.study.coverage_report import coverage_data, coverage_text, share_covered
from interpreter.study.spots import spots_of
from interpreter.study.watched_game import load_watched, watched_program
from tests.toy_games import TOYS, toy_program

FAULTY = Path(__file__).parent / "faulty"
SCHEMA = Path(__file__).parents[2] / "schemas" / "coverage.schema.json"


@pytest.fixture(scope="module")
def coverage() -> Coverage:
    return coverage_of(str(FAULTY), games=20)


def test_each_clause_has_what_belongs_to_it(coverage: Coverage) -> None:
    by_id = {covered.clause.id: covered for covered in coverage.clauses}
    drawn = by_id["F-01"]
    assert [one.at[1] for one in drawn.implemented] == [18]
    assert [test.title for test in drawn.tested] == ["Three cards"]
    assert drawn.in_games == 50 and drawn.in_scenarios == 2 and drawn.missing == []
    assert by_id["F-02"].missing == ["tested"]
    assert by_id["F-03"].missing == ["implemented", "tested"]
    assert by_id["F-04"].missing == []
    assert share_covered(coverage) == (2, 4)


def test_lines_never_executed(coverage: Coverage) -> None:
    assert [spot.place[1] for spot in coverage.never_executed()] == [30, 31, 36, 44, 45]


def test_the_data_fits_its_schema(coverage: Coverage) -> None:
    data = json.loads(json.dumps(coverage_data(coverage)))
    jsonschema.validate(data, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert data["missing"] == {"implemented": ["F-03"], "tested": ["F-02", "F-03"], "executed": []}


def test_the_text_lists_reasons_and_gaps(coverage: Coverage) -> None:
    text = coverage_text(coverage)
    assert "2 of 4 clauses covered (50.0 %)" in text
    assert "F-04  Shuffle well.  That is for the hands." in text
    assert "Not implemented (1)\n  F-03" in text


def test_the_page_marks_every_line(coverage: Coverage) -> None:
    page = coverage_page(coverage)
    assert '<tr id="f0-36" class="never">' in page
    assert '<tr id="f0-18" class="games">' in page
    assert '<a href="#F-01">@F-01</a>' in page and 'href="#f0-18"' in page
    assert "http" not in page.replace("https://", "http://")  # nothing is fetched from anywhere


def test_watching_changes_no_game() -> None:
    plain = rw.load("pikit", players=3)
    watched, _ = load_watched("pikit", 3)
    for seed in range(3):
        one, two = (bot_match(game, ["random"] * 3, seed).run() for game in (plain, watched))
        assert one == two


def test_counts_are_those_of_the_game() -> None:
    """Counted twice: by the watched game, and from the histories of the same games."""
    game, counts = load_watched("tic_tac_toe", 2)
    moves = sum(bot_match(game, ["random"] * 2, seed).run().decisions for seed in range(5))
    auto = sum(counts.taken.values()) - moves  # the last square is taken by itself
    spots = [spot for spot in spots_of(game, counts).values() if spot.form == "ChooseOne"]
    assert 0 <= auto <= 5
    assert [(spot.kind, spot.count) for spot in spots] == [("statement", moves + auto), ("branch", moves + auto)]


def test_looking_ahead_is_not_counted() -> None:
    counted = coverage_of("tic_tac_toe", games=4)
    turns = max(spot.count for spot in counted.in_games.values())
    assert turns <= 4 * 9


BIDDING = """\
game bids "Bids" for 2 players
table
  left: 0..9 = 6
each player
  bid: 0..3 secret
play
  for q in players
    q chooses n in 0..3 "Warm up"
  together p in players
    choose n in 0..3 "Bid"
    p.bid = n
  in turn p from seat1 until left == 0
    left -= 1
rank p by highest p.bid, then shared
"""


def test_what_stands_beside_a_loop_is_not_counted_by_its_passes(tmp_path: Path) -> None:
    (tmp_path / "bids").mkdir()
    (tmp_path / "bids" / "ruleset.yaml").write_text("name: bids\n")
    (tmp_path / "bids" / "bids.rules").write_text(BIDDING)
    game, counts = load_watched(str(tmp_path / "bids"), 2)
    bot_match(game, ["random"] * 2, 0).run()
    counted = {spot.form: spot.count for spot in spots_of(game, counts).values()}
    assert counted["For"] == counted["Together"] == counted["play"] == 1 and counted["SetField"] == 6


@pytest.mark.parametrize("name", sorted(TOYS))
def test_spots_hang_together_in_every_toy(name: str) -> None:
    """What is executed lies in something that is executed, and play itself always is."""
    program = toy_program(name)
    game, counts = watched_program(toy_program(name))
    for seed in range(3):
        try:
            bot_match(game, ["random"] * game.players, seed).run()
        except rw.Fault:
            continue
    spots = spots_of(game, counts, program)
    assert spots[next(key for key, spot in spots.items() if spot.form == "play")].count > 0
    for spot in spots.values():
        parent = spots.get(spot.parent) if spot.parent is not None else None
        assert parent is None or parent.count or not spot.count or spot.form == "hook", (spot.rule, spot.place)
