"""The page of a simulation: what it shows is what the report says, and it is sound HTML."""

from __future__ import annotations

import json
import re
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.runtime.game import game_from_program
from interpreter.study.choices import Branches
from interpreter.study.report import report_of
from interpreter.study.report_text import report_text
from interpreter.study.rows import fewest_told
from interpreter.study.simulate import simulate
from interpreter.study.simulation_page import simulation_page
from interpreter.study.small_charts import Scale, histogram, scale_of, share_with_interval
from tests.play.race import RaceGame, race_for_three
from tests.toy_games import checked

SCHEMA = Path(__file__).parents[2] / "schemas" / "report.schema.json"
ALONE = {"meta", "path", "circle", "rect", "!doctype"}  # elements without an end


class Nesting(HTMLParser):
    """Fails where an element is not closed, or closed inside another."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ALONE

    def handle_endtag(self, tag: str) -> None:
        assert self.open and self.open.pop() == tag, tag


def page_of(text: str) -> str:
    """The page, once its elements are known to be well nested."""
    parser = Nesting()
    parser.feed(text)
    parser.close()
    assert parser.open == []
    return text


def test_the_page_shows_the_figures_of_the_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "page.html"
    asked = [
        "simulate",
        "pikit",
        "--games",
        "40",
        "--players",
        "3",
        "--bots",
        "random",
        "--html",
        str(file),
        "--format",
        "json",
    ]
    assert exit_code_of(asked) == 0
    report = json.loads(capsys.readouterr().out)
    jsonschema.validate(report, json.loads(SCHEMA.read_text(encoding="utf-8")))
    page = page_of(file.read_text(encoding="utf-8"))
    assert "3 players, 40 games from seed 0, bots random" in page
    for seat in report["seats"]:
        low, high = (f"{100 * end:.1f} %" for end in seat["interval"])
        assert f'<td class="n">{seat["wins"]}</td><td class="n">{100 * seat["rate"]:.1f} %</td>' in page
        assert f'<td class="n">{low} - {high}</td>' in page
        assert f"<title>scores of {seat['name']}</title>" in page
    assert page.count("<svg") == 3 + 3 + 1  # shares, scores, length
    assert "<script" not in page and "http" not in page


def test_a_page_cannot_go_to_a_folder_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["simulate", "nim", "--games", "2", "--html", str(tmp_path / "nowhere" / "page.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_choices_add_up_to_the_decisions() -> None:
    """Every choice of every game is counted once, on the fast path and in the match loop alike."""
    game = rw.load("nim", players=2)
    for bots in (["random", "random"], ["first", "greedy"]):
        simulation = simulate(lambda: rw.load("nim", players=2), bots, games=30, seed=2)
        choices = report_of(game, simulation)["choices"]
        assert sum(one["taken"] for one in choices) == sum(simulation.tally.lengths["decisions"].elements())
        assert all(one["games"] <= min(one["taken"], 30) for one in choices)


def test_a_code_tells_its_branch() -> None:
    """Each option of a whole game, asked by its code, is found among those of its own decision."""
    game = rw.load("kikai", players=2)
    branches = Branches(game.meta)
    state = game.new(seed=3)
    while not state.over:
        decision = state.decision
        site = decision.site
        for option in decision.options:
            ((number, times),) = branches.taken([int(option)])
            told = branches.all[number]
            assert times == 1
            if option.kind == "option":
                text = site.branches[site.branch_of(option.raw)][0]
                assert text is None or told.label == game.meta.texts[text][0]
            else:
                assert told.label == {"pass": "Pass", "enough": "That is all", "free": "Free action"}[option.kind]
        state.apply(len(decision.options) // 2)


def test_what_was_never_chosen_is_marked_and_texts_are_text() -> None:
    report = report_of(RaceGame(3), simulate(race_for_three, ["first"] * 3, games=2))
    choice = {"rule": "<b>", "prompt": "A & B?", "label": "{x} < 3", "taken": 0, "games": 0}
    report["choices"] = [choice, {**choice, "label": "other", "taken": 3, "games": 1}]
    page = page_of(simulation_page(report, simulate(race_for_three, ["first"] * 3, games=2)))
    assert '<tr class="never"><td>{x} &lt; 3</td><td class="n">0</td>' in page
    assert '<tr><td>other</td><td class="n">3</td><td class="n">1.5</td><td class="n">100.0 %</td>' in page
    assert '<td colspan="6">A &amp; B? <span>&lt;b&gt;</span></td>' in page


FEWEST = """
game golf "Golf" for 2 players
each player
  strokes: 0..9
play
  in turn p from seat1 until every q in players has q.strokes > 0
    choose n in 1..3 "How many strokes?"
    p.strokes = n
score p
  "Strokes"  p.strokes
rank p by RANKED score, then shared
"""


@pytest.mark.parametrize("ranked", ["lowest", "highest"])
def test_where_the_fewest_points_win_reports_say_so(ranked: str) -> None:
    game = game_from_program(checked(FEWEST.replace("RANKED", ranked)))
    simulation = simulate(partial(game_from_program, checked(FEWEST.replace("RANKED", ranked))), ["random"] * 2, 20)
    report = report_of(game, simulation)
    is_told = "fewest points win" in simulation_page(report, simulation)
    assert is_told == ("fewest points win" in report_text(report)) == (ranked == "lowest")
    assert report["points_win"] == ("fewest" if ranked == "lowest" else "most")
    jsonschema.validate(report, json.loads(SCHEMA.read_text(encoding="utf-8")))
    assert bool(fewest_told([game, game])) == is_told
    assert "different bots" not in report["first_seat"]["sentence"]
    mixed = simulate(partial(game_from_program, checked(FEWEST.replace("RANKED", ranked))), ["greedy", "random"], 20)
    assert report_of(game, mixed)["first_seat"]["sentence"].endswith("this is no answer about the seat.")


def test_a_game_without_scores_has_no_histogram_of_them() -> None:
    simulation = simulate(lambda: rw.load("nim", players=2), ["random"] * 2, games=5)
    page = page_of(simulation_page(report_of(rw.load("nim", players=2), simulation), simulation))
    assert "<h2>Scores</h2>" not in page and "<h2>How games ended</h2>" in page


# ---------------------------------------------------------------------------- drawings


@pytest.mark.parametrize(
    ("numbers", "scale"),
    [
        ([3], Scale(3, 1, 1)),
        ([0, 39], Scale(0, 1, 40)),
        ([0, 40], Scale(0, 2, 21)),
        ([-7, 95], Scale(-10, 5, 22)),
        ([-1000, 1000], Scale(-1000, 100, 21)),
        ([], Scale(0, 1, 1)),
    ],
)
def test_bars_have_round_widths(numbers: list[int], scale: Scale) -> None:
    assert scale_of(numbers) == scale


def test_bars_are_as_tall_as_their_counts() -> None:
    drawn = page_of(histogram([1, 1, 1, 1, 2, 4, 4], Scale(1, 1, 4), "#7cc36e", "points"))
    assert re.findall(r'<rect x="[\d.]+" y="[\d.]+" width="[\d.]+" height="([\d.]+)"', drawn) == ["70", "17.5", "35"]
    assert re.findall(r">(\d+)</text>", drawn) == ["1", "2", "3", "4"]
    assert page_of(histogram([], Scale(0, 1, 1), "#7cc36e", "points")).count("<rect") == 0


def test_a_share_lies_inside_its_interval() -> None:
    drawn = page_of(share_with_interval(0.5, (0.25, 0.75), 1 / 3, "half", wide=200))
    assert 'd="M50 10 L150 10"' in drawn and 'cx="100"' in drawn and 'd="M66.7 0 L66.7 20"' in drawn
