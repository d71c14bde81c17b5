"""Figures say of how many games they are, and never more than can be."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.study.compare import Pairs, comparison_of
from interpreter.study.comparison_page import comparison_page
from interpreter.study.comparison_text import comparison_text
from interpreter.study.difference import difference_of, rules_of
from interpreter.study.figures import PairTally
from interpreter.study.report import first_seat_sentence
from interpreter.study.rows import Row
from interpreter.study.settings import load_with
from interpreter.study.simulate import simulated_rows
from interpreter.study.small_charts import Spot, plot
from interpreter.study.sweep import sweep, sweep_data, sweep_page, sweep_text

# A throw decides; the constant says how.
ENDINGS = """
game endings "Endings" for 2 players
constant low: 0..6 = 2
table
  die: 1 dice of 1..6
play
  roll die
  if die[1].face <= low
    seat1 wins "Low"
  seat2 wins "High"
"""


@pytest.fixture
def endings(tmp_path: Path) -> str:
    folder = tmp_path / "endings"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("format: 1\nname: endings\ntitle: Endings\n", encoding="utf-8")
    (folder / "endings.rules").write_text(ENDINGS, encoding="utf-8")
    return str(folder)


def test_a_sweep_counts_every_ending_over_all_games(endings: str) -> None:
    """Also one that is never met with some value: not 100 % of the pairs in which both games end so."""
    values = ["0", "2", "5"]
    made = sweep(lambda value: partial(load_with, endings, 2, (f"low={value}",)), "low", values, ("random",) * 2, 90)
    data = sweep_data(made, load_with(endings, 2))
    found = {figure["name"]: [point["mean"] for point in figure["points"]] for figure in data["figures"]}
    assert found["ends with: Low"] == found["seat1 wins"] and found["ends with: Low"][0] == 0
    assert found["ends with: High"] == found["seat2 wins"] and found["ends with: High"][0] == 1
    for number, value in enumerate(values):
        rows = simulated_rows(partial(load_with, endings, 2, (f"low={value}",)), ("random",) * 2, 90)
        share = sum(row.reason == "Low" for row in rows) / 90
        assert found["ends with: Low"][number] == pytest.approx(share, abs=1e-4)
        assert found["ends with: High"][number] == pytest.approx(1 - share, abs=1e-4)
    ends = [end for figure in data["figures"] for point in figure["points"] for end in point["interval"]]
    assert all(0 <= end <= 1 for end in ends)  # all figures of this game are rates
    for figure in data["figures"]:
        for point in figure["points"]:  # never is not shown to be never: an interval has some width
            low, high = point["interval"]
            assert low <= point["mean"] <= high and high - low > 0.03
    differing = {figure["name"]: [point["differs"] for point in figure["points"]] for figure in data["figures"]}
    assert differing["ends with: Low"] == [False, True, True]


def test_a_sweep_says_what_it_can_show(endings: str) -> None:
    load = partial(load_with, endings, 2)
    seats = ("random",) * 2
    few, many = (
        sweep_data(sweep(lambda value: partial(load, (f"low={value}",)), "low", ["3", "2"], seats, games), load())
        for games in (20, 200)
    )
    assert few["figures"][0]["smallest"] > 2 * many["figures"][0]["smallest"] > 0
    for shown in (sweep_text(many), sweep_page(many)):
        assert "can show" in shown and f"{100 * many['figures'][0]['smallest']:.1f} %" in shown


@pytest.mark.parametrize(
    ("spots", "wanted"),
    [
        ([(0.1, 0.0, 0.3), (0.5, 0.3, 0.7)], (0, 100)),
        ([(0.9, 0.7, 1.0), (0.99, 0.9, 1.0)], (60, 100)),
        ([(0.0, 0.0, 0.0), (0.0, 0.0, 0.0)], (0, 100)),
        ([(1.0, 1.0, 1.0), (1.0, 1.0, 1.0)], (90, 100)),
    ],
)
def test_the_axis_of_a_share_ends_at_nothing_and_at_all(
    spots: list[tuple[float, float, float]], wanted: tuple[int, int]
) -> None:
    drawn = plot([Spot(at, *spot) for at, spot in enumerate(spots)], "wins", as_percent=True)
    marks = [float(mark) for mark in re.findall(r"(-?[\d.]+) %", drawn)]
    assert (min(marks), max(marks)) == wanted


# Nothing is left to chance, so bots that choose alike play one game.
BARE = """
game bare "Bare" for 2 players
each player
  points: 0..9
play
  repeat 3 times
    for p in players
      turn(p)
phase turn(p)
  choose n in 1..2 "How many?"
  p.points += n
score p
  "Points"  p.points
"""


@pytest.mark.parametrize(("bot", "games", "told"), [("first", 12, True), ("first", 9, False), ("random", 12, False)])
def test_one_game_played_over_and_over_is_told(
    bot: str, games: int, told: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "bare"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("format: 1\nname: bare\ntitle: Bare\n", encoding="utf-8")
    (folder / "bare.rules").write_text(BARE, encoding="utf-8")
    for words in (["simulate", str(folder)], ["compare", str(folder), str(folder)]):
        assert exit_code_of([*words, "--games", str(games), "--bots", bot]) == 0
        assert (f"All {games} games ended alike" in " ".join(capsys.readouterr().out.split())) == told


# What a variant adds to the setup.
LATE = """
game late "Late" for 2 players
each player
  points: 0..9
setup
  for p in players
    p.points = 1
play
  for p in players
    turn(p)
phase turn(p)
  choose n in 1..2 "How many?"
  p.points += n
score p
  "Points"  p.points
variant handicap of late "The second seat begins with more"
  after setup
    seat2.points = 3
"""


def test_what_a_variant_adds_to_the_setup_is_shown_as_it_is_written(tmp_path: Path) -> None:
    folder = tmp_path / "late"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("format: 1\nname: late\ntitle: Late\n", encoding="utf-8")
    (folder / "late.rules").write_text(LATE, encoding="utf-8")
    found = difference_of(rules_of(str(folder), 2), rules_of(f"{folder}+handicap", 2))
    assert [(entry["what"], entry["name"]) for entry in found] == [("rule added", "after setup")]
    assert found[0]["lines"] == ["+ after setup", "+   seat2.points = 3"]
    assert found[0]["at"].endswith("late.rules:17")


def rows_of(behind: list[bool | None], winners: tuple[int, ...] = (0,)) -> list[Row]:
    return [Row(seed, (0, 0), (1, 2), winners, "", 3, behind=one) for seed, one in enumerate(behind)]


def compared(first: list[Row], second: list[Row]) -> dict[str, object]:
    tally = PairTally(("seat1", "seat2"))
    for pair in zip(first, second, strict=True):
        tally.note(*pair)
    game = rw.load("nim")
    return comparison_of((game, game), Pairs(("random",) * 2, 0, tally.games, tally))


def test_a_figure_that_some_games_lack_says_of_how_many_pairs_it_is() -> None:
    """A game with a shared first place has no winner who was behind."""
    comparison = compared(rows_of([True] * 9 + [None] * 11), rows_of([False] * 8 + [True] * 12))
    for shown in (comparison_text(comparison), comparison_page(comparison)):
        assert "winner was behind at half time (of 9 pairs)" in " ".join(shown.split())
        assert "seat1 wins (of" not in shown


def test_rates_differ_by_a_hundred_points_at_most() -> None:
    comparison = compared(rows_of([True] * 8), rows_of([False] * 7 + [True]))
    line = next(one for one in comparison["lines"] if one["name"].startswith("winner was behind"))  # type: ignore[attr-defined]
    assert line["interval"][0] == -1.0 and line["interval"][1] < 0


def test_shared_first_places_are_said_to_count_in_parts() -> None:
    shared, alone = rows_of([None] * 6, (0, 1)), rows_of([None] * 6)
    for first, second, told in ((shared, alone, True), (alone, alone, False)):
        comparison = compared(first, second)
        for shown in (comparison_text(comparison), comparison_page(comparison)):
            assert ("a first place that several share is divided" in " ".join(shown.split())) == told
    assert "50.0 % of the games, shared first places in parts (95 %" in first_seat_sentence(30, 60, 0.5, 1.0, True)
    assert "75.0 % of the games (95 %" in first_seat_sentence(45, 60, 0.5, 0.001)


# All against the fire: everybody wins, or nobody does.
BLAZE = """
game blaze "Blaze" for 1..3 players
constant start: 1..9 = 8
table
  fire: 0..30 capped
  dice: 1 dice of 1..6
setup
  fire = start
play
  repeat 4 times
    for p in players
      act(p)
    roll dice
    fire += dice[1].face div 2
    if fire >= 12
      nobody wins "All is burnt"
  everybody wins "The rain comes"
phase act(p)
  choose one "What do you do?"
    "Douse"
      fire -= min(fire, 1)
    "Wait"
"""


def blaze(tmp_path: Path) -> str:
    folder = tmp_path / "blaze"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("format: 1\nname: blaze\ntitle: Blaze\n", encoding="utf-8")
    (folder / "blaze.rules").write_text(BLAZE, encoding="utf-8")
    return str(folder)


def test_players_who_win_together_are_told_how_often(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table counts wins alone, of which there are none; that must not be all that is said."""
    game = blaze(tmp_path)
    asked = ["--bots", "random", "--players", "3", "--games"]
    assert exit_code_of(["simulate", game, *asked, "200"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert re.search(r"All players win together or nobody wins: all win \d+\.\d % of the games \(95 % between", told)
    assert "advantage" not in told
    assert exit_code_of(["simulate", game, *asked, "60", "--set", "start=1"]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "All players share the first place, in all of 60 games: no seat is better than another." in told


def test_wins_that_never_vary_do_not_resemble_each_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A third of every game is a number that does not add up exactly: what is left over is no scatter."""
    game = blaze(tmp_path)
    asked = ["--bots", "random", "--players", "3", "--games", "300", "--set", "start=1"]
    for words in (["simulate", game], ["compare", game, game]):
        assert exit_code_of([*words, *asked]) == 0
        assert "resemble" not in capsys.readouterr().out


# No rule is called for one player after the other: there are no turns, and no rounds.
LOTS = """
game lots "Lots" for 2 players
each player
  coins: 0..20 = 9
  bid: 0..3 secret
play
  repeat 3 times
    together p in players
      choose n in 0..3 secretly "How much?"
      p.bid = n
    for p in players
      reveal p.bid
    for p in players
      p.coins += rival(p).bid - p.bid
score p
  "Coins"  p.coins
"""


def test_where_there_are_no_rounds_the_lead_is_not_said_to_be_looked_at_by_round(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "lots"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("format: 1\nname: lots\ntitle: Lots\n", encoding="utf-8")
    (folder / "lots.rules").write_text(LOTS, encoding="utf-8")
    for game, words in ((str(folder), "whenever somebody else decides"), ("pikit", "from round to round")):
        assert exit_code_of(["simulate", game, "--bots", "random", "--games", "40"]) == 0
        assert f"looked at {words}" in " ".join(capsys.readouterr().out.split())


def test_one_is_one(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = [blaze(tmp_path), "--bots", "random", "--players", "1", "--games", "1"]
    assert exit_code_of(["simulate", *asked]) == 0
    assert "Blaze (blaze), 1 player, 1 game from seed 0" in capsys.readouterr().out


def test_so_few_games_promise_no_more_than_there_is() -> None:
    """Four games cannot show 105 points: no share is ever more than 100 points apart, nor 70 above a half."""
    comparison = compared(rows_of([True, False, True, False]), rows_of([False, True, True, False]))
    line = next(one for one in comparison["lines"] if one["name"].startswith("winner was behind"))  # type: ignore[attr-defined]
    assert line["smallest"] == 1.0
    assert "no difference is shown, and so few games can show none" in line["sentence"]
    assert first_seat_sentence(2, 4, 0.5, 1.0).endswith("So few games can show none.")
    assert "This many games can show 14.0 points." in first_seat_sentence(50, 100, 0.5, 1.0)


# The fire is told to a field that cannot hold it: in one game in some thirty.
BROKEN = (
    BLAZE
    + """
variant broken of blaze "A rule with a fault in it"
  table
    told: 0..9
  after act(p) when fire > 8
    told = fire - 1
"""
)


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_fault_in_the_rules_costs_nothing_that_was_played(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], jobs: str
) -> None:
    game = blaze(tmp_path) + "+broken"
    (tmp_path / "blaze" / "blaze.rules").write_text(BROKEN, encoding="utf-8")
    asked = [game, "--bots", "random", "--players", "3", "--games", "3000", "--jobs", jobs, "--set", "start=6"]
    assert exit_code_of(["simulate", *asked, "--rows", str(tmp_path / "rows.csv")]) == 1
    shown = capsys.readouterr()
    played = int(re.search(r"3 players, (\d+) games? from seed 0", shown.out)[1])  # type: ignore[index]
    assert 0 < played < 3000
    assert len((tmp_path / "rows.csv").read_text(encoding="utf-8").splitlines()) == played + 1
    assert "error[R0901]: `told` would be 10, outside 0..9" in shown.err
    assert f"the rules stopped the study after {played} of 3,000 games" in shown.err
    seed = re.search(r"the same command with `--seed (\d+) --games 1` plays that game again", shown.err)
    assert seed is not None
    assert exit_code_of(["simulate", *asked[:-4], "--set", "start=6", "--games", "1", "--seed", seed[1]]) == 1
    assert f"seed {seed[1]}, after" in capsys.readouterr().err


# A line that only a variant has, and one that is there in some games only.
LINES = """
game lines "Lines" for 2 players
table
  dice: 1 dice of 1..6
each player
  points: 0..9
play
  for p in players
    turn(p)
phase turn(p)
  roll dice
  choose n in 1..2 "How many?"
  p.points += n
score p
  "Points"  p.points
score p when dice[1].face > 3
  "Luck"  5
variant more of lines "One line more"
  score p
    "Gift"  2
"""


def test_a_line_that_is_not_there_counts_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Else a line that a variant adds would be missing, and one that comes now and then be told of its games alone."""
    folder = tmp_path / "lines"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("format: 1\nname: lines\ntitle: Lines\n", encoding="utf-8")
    (folder / "lines.rules").write_text(LINES, encoding="utf-8")
    asked = ["compare", str(folder), f"{folder}+more", "--bots", "random", "--games", "100", "--format", "json"]
    assert exit_code_of(asked) == 0
    lines = {line["name"]: line for line in json.loads(capsys.readouterr().out)["lines"]}
    gift, luck = (lines[f"points of all players from: {name}"] for name in ("Gift", "Luck"))
    assert (gift["figures"], gift["games"], gift["significant"]) == ([0, 4], 100, True)
    assert (luck["games"], luck["significant"]) == (100, False)
    assert 3 < luck["figures"][0] < 7  # ten points in every second game


def test_wins_of_a_team_are_those_of_all(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Divided among three seats, a third of them would be told as "seat1 wins"."""
    game, page = blaze(tmp_path), tmp_path / "page.html"
    asked = ["--bots", "random", "--players", "3"]
    told = {}
    for command in (
        ["simulate", game, "--games", "200", "--html", str(page)],
        ["compare", game, game, "--games", "100"],
        ["ask", game, "first seat wins more than 0 %", "--most", "200"],
        ["ask", game, "all win more than 0 %", "--most", "200"],
    ):
        exit_code_of([*command, *asked])
        told[command[0]] = " ".join(capsys.readouterr().out.split())
        assert "seat1 wins" not in told[command[0]] and "shared first place" not in told[command[0]]
    found = re.search(r"all win (\d+\.\d) % of the games", told["simulate"])
    assert found and "wins with all rate 95 % interval 1 seat1 random" in told["simulate"]
    assert told["simulate"].count(f" {found[1]} %") >= 4  # each of three seats, and the sentence
    assert "games that all players win" in told["simulate"]
    assert "all players win " in told["compare"] and "all players win: " in told["ask"]
    html = page.read_text(encoding="utf-8")
    assert "of the games are won, by all players together" in html and "go to the first seat" not in html


# One loses and the others win together, so no seat ever wins alone.
SIDES = """
game sides "Sides" for 3 players
table
  dice: 1 dice of 1..4
play
  roll dice
  if dice[1].face == 1
    seat2 loses "One"
  else
    seat1 loses "More"
"""
# Points that belong to nobody are counted together: everybody is always first.
BASKET = """
game basket "Basket" for 2 players
each player
  apples: 0..6
play
  for p in players
    fill(p)
phase fill(p)
  choose one "What do you pick?"
    "One"
      gather(1)
    "Two"
      gather(2)
effect gather(n: 1..2)
  for q in players
    q.apples += n
score p
  "Apples" p.apples
"""
# A die decides between a player and an automa; the player wins five games in six.
AUTOMA = """
game lone "Lone" for 2 players as person, robot
seat 2 is automa robot
table
  dice: 1 dice of 1..6
play
  roll dice
  if dice[1].face == 6
    robot wins "A six"
  else
    person wins "No six"
"""


def simulated(tmp_path: Path, rules: str, capsys: pytest.CaptureFixture[str], *more: str) -> tuple[str, str]:
    """The report on the terminal, in single spaces, and the page."""
    name = rules.split()[1]
    folder, page = tmp_path / name, tmp_path / f"{name}.html"
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(f"format: 1\nname: {name}\ntitle: {name.title()}\n", encoding="utf-8")
    (folder / f"{name}.rules").write_text(rules, encoding="utf-8")
    assert exit_code_of(["simulate", str(folder), "--bots", "random", "--html", str(page), *more]) == 0
    return " ".join(capsys.readouterr().out.split()), page.read_text(encoding="utf-8")


def test_sides_win_with_others(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, page = simulated(tmp_path, SIDES, capsys, "--games", "300")
    rates = [int(rate) for rate in re.findall(r"seat\d random \d+ (\d+)\.\d %", told)]
    assert rates[2] == 100 and 15 < rates[0] < 35 and 65 < rates[1] < 85
    assert "wins with others" in told and "wins with others" in page and "shares first" not in told
    assert re.search(r"The first seat wins \d+\.\d points less than an even share: \d+\.\d % of the games \(95 %", told)
    assert "even would be 66.7 %" in told and "in parts" not in told


def test_a_team_that_counts_points_is_always_first(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, page = simulated(tmp_path, BASKET, capsys, "--games", "60")
    assert told.count(" random 60 100.0 % ") == 2 and "first with all" in told
    assert " 0.0 %" not in told and "share the first place, in all of 60 games" in told
    assert "have a first place that all players share" in page and "go to the first seat" not in page


def test_against_an_automa_no_share_is_even(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told, page = simulated(tmp_path, AUTOMA, capsys, "--games", "300")
    assert re.search(r"person wins 8\d\.\d % of the games against the automa \(95 % between", told)
    assert "even would be" not in told.split("robot wins")[0].split("person wins")[-1].split("The games")[0]
    assert "advantage" not in told and "first seat wins" not in told
    assert "of the games go to person" in page and "even share of the games" not in page


def test_a_game_for_another_number_of_players_names_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    corpus = tmp_path / "games.jsonl"
    assert exit_code_of(["record", str(corpus), "--play", "nim", "--games", "1"]) == 0
    assert exit_code_of(["record", str(corpus), "--game", "hearts"]) != 0
    told = capsys.readouterr()
    assert f"line 1 of `{corpus}` is a game of `nim` for 2 players" in told.err + told.out


# `s` is the author's abbreviation; nobody who reads a report knows it.
UNLABELLED = """
game signs "Signs" for 2 players
enum Sign = rock | paper
play
  for p in players
    show(p)
phase show(p)
  choose s in Sign "Which sign?"
"""


def test_an_option_without_a_label_is_named_by_its_sort(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _, page = simulated(tmp_path, UNLABELLED, capsys, "--games", "20")
    assert "{s}" not in page and "a sign" in page


# What is paid with is asked as a choice, which has neither label nor name.
PAID = """
game paid "Paid" for 1 player
kind Chip from chips.yaml
  colour: Colour
enum Colour = red | blue
table
  bank: pool of Chip open
each player
  chips: pool of Chip open
currency chip for p
  p.chips by colour back to bank
setup
  move all c in Chip to seat1.chips
play
  buy(seat1)
phase buy(p)
  pay 1 chip
"""


def test_a_payment_has_a_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "paid").mkdir()
    chips = "kind: Chip\ndefault: known\nrows:\n- {id: a, colour: red}\n- {id: b, colour: blue}\n"
    (tmp_path / "paid" / "chips.yaml").write_text(chips, encoding="utf-8")
    _, page = simulated(tmp_path, PAID, capsys, "--games", "20")
    assert "a payment" in page


def test_a_game_for_one_tells_nothing_of_shared_places(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rules = """game alone "Alone" for 1 player
each player
  n: 0..9
play
  repeat 2 times
    turn(seat1)
phase turn(p)
  choose k in 0..2 "How many?"
  p.n += k
  if k == 0
    nobody wins "Nothing"
score p
  "n" p.n
"""
    for text in simulated(tmp_path, rules, capsys, "--games", "20"):
        assert "shares first" not in text and "shared first place" not in text
        assert "without a winner" in text
