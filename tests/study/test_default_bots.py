"""Who plays if nobody says so: bots that think where time allows; and random ones say that they are random."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.native.backend import Choice
from interpreter.study import default_bots
from interpreter.study.default_bots import players_of
from interpreter.study.simulate import simulated_rows

Captured = pytest.CaptureFixture[str]


@pytest.mark.parametrize(
    ("name", "games", "kind"),
    [
        ("kalah", 100, "mcts:50"),
        ("tic_tac_toe", 100, "mcts:50"),
        ("kalah", 30_000, "greedy"),
        ("chess", 1000, "random"),
        ("pikit", 300, "mcts:50"),
        ("pikit", 2000, "greedy"),
        ("pikit", 10**5, "random"),
    ],
)
def test_bots_think_where_time_allows(name: str, games: int, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what the rules are and how many games are wanted, never by a clock."""
    monkeypatch.setattr(default_bots, "choose_backend", lambda: Choice("native", "auto", ""))
    found = players_of(rw.load(name), ["auto"], games)
    assert found.kinds == (kind, kind)
    assert (found.remark is not None) == (kind != "mcts:50")


def test_random_bots_that_nobody_asked_for_say_what_to_ask_for() -> None:
    remark = players_of(rw.load("kalah"), ["auto"], 10**6).remark or ""
    assert "`--bots mcts:50` with" in remark and "takes about 3 minutes" in remark and "hours" in remark


def test_auto_stands_alone(capsys: Captured) -> None:
    assert exit_code_of(["simulate", "nim", "--games", "2", "--bots", "auto,random"]) == 2
    assert "`auto` is for all seats" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ("simulate", "nim", "--games", "9"),
        ("compare", "nim", "nim+last_wins", "--games", "9"),
        ("sweep", "pikit", "--set", "mecha_points=5,15", "--games", "9"),
        ("ask", "nim", "turns less than 90", "--most", "50"),
    ],
)
def test_every_study_by_random_bots_warns(words: tuple[str, ...], capsys: Captured) -> None:
    exit_code_of([*words, "--bots", "random"])
    assert "All seats choose at random." in capsys.readouterr().out


# One may save or spend: whoever never saves has the least in the end.
SAVINGS = """
game savings "Savings" for 2 players
each player
  points: 0..99
  presses: 0..9
play
  repeat 6 times
    for p in players
      turn(p)
phase turn(p)
  p.points += p.presses
  choose one "What do you do?"
    "Take two"
      p.points += 2
    "Build a press" if p.points > 0 or p.presses == 0
      p.presses += 1
score p
  "Points"  p.points
"""


def test_greedy_seats_are_said_to_plan_nothing(tmp_path: Path, capsys: Captured) -> None:
    """And rightly: where one has to invest, they have less than seats that choose at random."""
    folder = tmp_path / "savings"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("format: 1\nname: savings\ntitle: Savings\n", encoding="utf-8")
    (folder / "savings.rules").write_text(SAVINGS, encoding="utf-8")
    assert exit_code_of(["simulate", str(folder), "--games", "40", "--bots", "greedy,random"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Greedy bots look one decision ahead and plan nothing." in shown
    means = [row.scores for row in simulated_rows(partial(rw.load, str(folder)), ["greedy", "random"], 40)]
    assert sum(greedy for greedy, _ in means) < sum(random for _, random in means)


def test_a_study_without_a_word_about_bots_is_played_by_thinking_ones(capsys: Captured) -> None:
    assert exit_code_of(["simulate", "tic_tac_toe", "--games", "4"]) == 0
    shown = capsys.readouterr().out
    assert "mcts:50" in shown and "at random" not in shown
