"""Who plays if nobody says so: bots that think where time allows; and random ones say that they are random."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.native.unavailable import NativeUnavailable
from interpreter.study import default_bots, trial_games
from interpreter.study.default_bots import players_of
from interpreter.study.simulate import simulated_rows
from interpreter.study.trial_games import seconds_of
from interpreter.study.watch import CountingGame, load_counting

Captured = pytest.CaptureFixture[str]


def written(folder: Path, name: str, rules: str) -> Path:
    made = folder / name
    made.mkdir()
    (made / "ruleset.yaml").write_text(f"format: 1\nname: {name}\ntitle: {name.capitalize()}\n", encoding="utf-8")
    (made / f"{name}.rules").write_text(rules, encoding="utf-8")
    return made


# Seconds of a game by `mcts:50` and by `greedy`, about as measured on an engine.
TAKES = {"kalah": (0.01, 0.002), "tic_tac_toe": (0.002, 0.001), "chess": (2.0, 0.03), "pikit": (0.08, 0.04)}


@pytest.mark.parametrize(
    ("name", "games", "kind"),
    [
        ("kalah", 100, "mcts:50"),
        ("tic_tac_toe", 100, "mcts:50"),
        ("kalah", 30_000, "greedy"),
        ("chess", 1000, "random"),
        ("pikit", 300, "mcts:50"),
        ("pikit", 2000, "mcts:50"),
        ("pikit", 4000, "greedy"),
        ("pikit", 10**5, "random"),
    ],
)
def test_bots_think_where_time_allows(name: str, games: int, kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what their games take and how many games are wanted."""
    monkeypatch.setattr(default_bots, "seconds_of", lambda game, kind, games: TAKES[game.name][kind == "greedy"])
    found = players_of(rw.load(name), ["auto"], games)
    assert found.kinds == (kind, kind)
    assert (found.remark is not None) == (kind != "mcts:50")
    assert found.seconds == (None if kind == "random" else TAKES[name][kind == "greedy"])


class Clock:
    """Processor time that goes on by so many seconds whenever somebody asks."""

    def __init__(self, step: float) -> None:
        self.now, self.step, self.asked = 0.0, step, 0

    def __call__(self) -> float:
        self.asked += 1
        self.now += self.step
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Clock:
    made = Clock(1 / 64)
    monkeypatch.setattr(trial_games, "process_time", made)
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    return made


def test_a_trial_is_made_once(clock: Clock) -> None:
    """What was measured is remembered: a machine that is a thousand times busier later does not change who plays."""
    first = seconds_of(load_counting("nim", 2), "greedy", 10)
    asked = clock.asked
    assert first is not None and asked > 2
    clock.step *= 1000
    assert seconds_of(load_counting("nim", 2), "greedy", 10) == first and clock.asked == asked
    other = seconds_of(load_counting("nim+last_wins", 2), "greedy", 10)
    assert other is not None and other > 10 * first and clock.asked > asked


def test_a_long_game_is_timed_as_far_as_it_goes(clock: Clock) -> None:
    """64 looks at the clock are a second, and a trial in Python is half of one: 32 choices, the rest in proportion."""
    game = load_counting("breakthrough", 2)
    choices = sum(len(game.playout(seed).history) for seed in (0, 1)) / 2
    assert choices > 33
    assert seconds_of(game, "random", 10) == pytest.approx(choices / 64, rel=0.1)


def test_an_engine_is_made_only_for_a_long_study(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(game: CountingGame) -> None:
        made.append(game.asked)
        raise NativeUnavailable("no compiler here")

    made: list[str] = []
    monkeypatch.setenv("RULEWRIGHT_BACKEND", "auto")
    monkeypatch.setattr(CountingGame, "require_engine", refuse)
    monkeypatch.setattr(CountingGame, "engine_for_playouts", lambda game, spent: None)
    assert seconds_of(load_counting("nim", 2), "first", 10) is not None and made == []
    assert seconds_of(load_counting("nim", 2), "first", 10**6) is not None and made == ["nim"]


# The first choice leads out of the range of a field.
BROKEN = """
game broken "Broken" for 2 players
each player
  points: 0..3
play
  repeat 3 times
    for p in players
      turn(p)
phase turn(p)
  choose n in 1..2 "How many?"
  p.points += n + 1
score p
  "Points"  p.points
"""


def test_a_game_with_a_fault_is_left_to_random_bots(tmp_path: Path) -> None:
    found = players_of(load_counting(str(written(tmp_path, "broken", BROKEN)), None), ["auto"], 10)
    assert found.kinds == ("random", "random") and "a fault of the rules" in (found.remark or "")


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
    folder = written(tmp_path, "savings", SAVINGS)
    assert exit_code_of(["simulate", str(folder), "--games", "40", "--bots", "greedy,random"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "Greedy bots look one decision ahead and plan nothing." in shown
    means = [row.scores for row in simulated_rows(partial(rw.load, str(folder)), ["greedy", "random"], 40)]
    assert sum(greedy for greedy, _ in means) < sum(random for _, random in means)


def test_a_study_without_a_word_about_bots_is_played_by_thinking_ones(capsys: Captured) -> None:
    assert exit_code_of(["simulate", "tic_tac_toe", "--games", "4"]) == 0
    shown = capsys.readouterr().out
    assert "mcts:50" in shown and "at random" not in shown
