"""Tournaments: paired deals, rotated seats, ratings that are right where the answer is known, nothing lost."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections import Counter
from functools import partial
from itertools import pairwise
from math import factorial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.play.contract import PlayError
from interpreter.play.match import bot_match
from interpreter.runtime.chance import Generator
from interpreter.runtime.game import game_from_program
from interpreter.study.batches import batches_of, run_batches
from interpreter.study.ratings import elo, elo_intervals, share_interval, strengths, summed
from interpreter.study.thinking_games import ThinkingGames
from interpreter.study.tournament import Games, Played, hold, lineups, pairings
from interpreter.study.tournament_page import pair_sentences, team_sentences, tournament_page
from tests.engine.playouts import optimised
from tests.toy_games import checked

SCHEMAS = Path(__file__).parents[2] / "schemas"
nim = partial(rw.load, "nim", 2)


def test_strengths_are_those_of_the_model() -> None:
    """Two bots have a closed form; the drawn game on top is in it."""
    first, second = strengths([[0, 30], [10, 0]])
    assert first / second == pytest.approx(30.5 / 10.5)
    assert elo([[0, 30], [10, 0]])[0] == pytest.approx(-elo([[0, 30], [10, 0]])[1])


def test_a_chain_of_strengths_is_found_again() -> None:
    true = [4.0, 2.0, 1.0]
    wins = [[0.0 if i == j else 10_000 * a / (a + b) for j, b in enumerate(true)] for i, a in enumerate(true)]
    found = strengths(wins)
    assert found[0] / found[1] == pytest.approx(2, rel=1e-3) and found[1] / found[2] == pytest.approx(2, rel=1e-3)


def test_intervals_hold_what_they_promise() -> None:
    """A bot that wins two games of three: the interval must hold its rating in about 95 of 100 repetitions."""
    generator, true, held = Generator(5), 200 * 0.30103, 0
    for repetition in range(60):
        rounds = []
        for _ in range(60):
            won = float(generator.below(3) < 2)
            rounds.append([[0.0, won], [1 - won, 0.0]])
        low, high = elo_intervals(rounds, repetition)[0]
        held += low <= true <= high
    assert 51 <= held <= 60
    assert share_interval(rounds, 0, 1)[0] < 2 / 3 < share_interval(rounds, 0, 1)[1]
    assert summed(rounds)[0][1] + summed(rounds)[1][0] == 60


def test_everybody_has_every_seat_with_every_deal() -> None:
    assert lineups(3, 2) == [(0, 1), (0, 2), (1, 2)]
    assert lineups(2, 4) == [(0, 1, 0, 1)] and lineups(2, 3) == [(0, 1, 0), (1, 0, 1)] and lineups(2, 1) == [(0,), (1,)]
    game = rw.load("pikit", 3)
    todo = pairings(game, 4, rounds=2, seed=5)
    seats = Counter((one.seed, seat, number) for one in todo for seat, number in enumerate(one.seats))
    assert set(seats.values()) == {3} and {one.seed for one in todo} == {5, 6}


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_each_bot_sits_behind_each_other_one_equally_often(seats: int) -> None:
    """Who follows whom may decide a game, and rotations leave it as it is."""
    rounds = max(2, factorial(seats - 1))
    todo = pairings(game_from_program(checked(GIFTS, seats)), seats, rounds, seed=0)
    orders = Counter(one.seats for one in todo)
    assert len(orders) == factorial(seats) and set(orders.values()) == {rounds * seats // len(orders)}
    behind = Counter((a, b) for one in todo[: 2 * seats] for a, b in pairwise((*one.seats, one.seats[0])))
    assert all(behind[a, b] == behind[b, a] for a, b in behind), "after two rounds"


# Whoever sits behind a giver is rich.
GIFTS = """
game gifts "Gifts" for 3..5 players

each player
  coins: 0..99
  turns: 0..9

play
  in turn p from seat1 until every q in players has q.turns == 5
    p.turns += 1
    choose one "Give?"
      "Give"
        next(p).coins += 3
      "Work"
        p.coins += 1

score p
  "Coins"  p.coins
rank p by highest score, then shared
"""


def test_who_sits_behind_whom_does_not_decide() -> None:
    """`first` always gives, the others never: the one that sat behind it in every game would win all of them."""
    game = game_from_program(checked(GIFTS, 3))
    report = hold(lambda: game, ["first", "greedy", "greedy:2"], rounds=4).report()
    shares = {(pair["bot"], pair["against"]): pair["share"] for pair in report["pairs"]}
    assert shares == {("greedy", "greedy:2"): 0.5, ("greedy", "first"): 1.0, ("greedy:2", "first"): 1.0}


def test_the_stronger_bot_is_rated_higher_and_jobs_do_not_matter() -> None:
    bots = ["mcts:60", "first", "random"]
    one = hold(nim, bots, rounds=4, seed=3)
    assert one.report() == hold(nim, bots, rounds=4, seed=3, jobs=2).report()
    report = one.report()
    assert report["ratings"][0]["bot"] == "mcts:60" and len(report["games"]) == 4 * 3 * 2
    assert report["ratings"][0]["low"] <= report["ratings"][0]["rating"] <= report["ratings"][0]["high"]
    json.dumps(report)


def test_whole_games_in_c_end_as_at_a_table() -> None:
    """A tournament asks for finished games; who played them, C or the match loop, does not show."""
    game, bots = rw.load("nim", 2, backend="native"), ("mcts:30", "greedy")
    thinking = ThinkingGames(game, bots)
    with optimised(is_shipped=False):
        if not thinking.makes_library():
            pytest.skip("there is no C compiler")
    other = ThinkingGames(game, bots[::-1], beside=thinking)
    assert other._remembering is thinking._remembering
    for seed in range(5):
        for games, kinds in ((thinking, bots), (other, bots[::-1])):
            state, decisions = games.finished(seed)
            match = bot_match(game, kinds, seed)
            match.run()
            assert (state.returns, state.scores, state.h) == (match.state.returns, match.state.scores, match.state.h)
            assert decisions == match.decisions and games._matches is not None


def test_alone_the_bots_are_compared_on_the_same_seeds() -> None:
    rules = """
each player
  points: 0..60
play
  repeat 4 times
    take(seat1)
phase take(p)
  choose n in 1..3 "How many?"
  p gains n points
score p
  "Points"  p.points
"""
    game = game_from_program(checked(rules, 1))
    report = hold(lambda: game, ["first", "greedy"], rounds=3).report()
    (pair,) = report["pairs"]
    assert (pair["bot"], pair["against"], pair["comparisons"], pair["share"]) == ("greedy", "first", 3, 1.0)
    assert pair["low"] < 0.5 and pair["high"] == 1.0  # three games are few


class Stubborn:
    """Plays one game and then fails."""

    games = 0

    def start(self, game: Any, player: int, seed: int) -> None:
        Stubborn.games += 1

    def choose(self, sight: Any) -> int:
        return 0 if Stubborn.games < 4 else 99


# Whoever draws "Win" has won, and nothing is said about the others; with `drawn` the rules end it for all.
CLAIM = """
game claim "Claim" for 4 players
each player
  done: flag
play
  in turn p from seat1 until every q in players has q.done
    p.done = yes
    choose one "What?"
      "Win"
        p wins "Claimed"
      "Wait"
  everybody wins "Nobody has claimed it"
"""

# Two winners are named together; the two others have lost.
PAIR = CLAIM.replace('p wins "Claimed"', '(p, next(p)) wins "Claimed"')

# All win or lose together: who claims at once wins for all, who waits may be too late.
TEAM = CLAIM.replace('p wins "Claimed"', 'everybody wins "Claimed"').replace('everybody wins "Nob', 'nobody wins "Nob')


def test_losers_of_a_game_with_one_winner_are_not_compared() -> None:
    """Two of each kind sit at the table. A bot that always wins takes every comparison, not three of four."""
    load = partial(game_from_program, checked(CLAIM, 4))
    report = hold(load, ["first", "random"], 8).report()
    (pair,) = report["pairs"]
    alone = [game for game in report["games"] if sorted(game["returns"])[-2] < max(game["returns"])]
    assert pair["comparisons"] == 2 * len(alone) + 4 * (len(report["games"]) - len(alone))
    winners = [game["seats"][game["returns"].index(max(game["returns"]))] for game in alone]
    assert pair["share"] == pytest.approx(winners.count("first") / len(winners), abs=1e-3)
    assert set(winners) == {"first", "random"}


def test_winners_that_are_named_together_are_not_compared() -> None:
    load = partial(game_from_program, checked(PAIR, 4))
    report = hold(load, ["first", "random"], 4).report()
    assert report["pairs"][0]["comparisons"] == 2 * len(report["games"])
    assert report["pairs"][0]["share"] == 0.5


def test_a_team_is_of_one_kind_and_teams_are_compared_on_the_same_seeds() -> None:
    load = partial(game_from_program, checked(TEAM, 4))
    report = hold(load, ["first", "random"], 60).report()
    assert all(len(set(game["seats"])) == 1 for game in report["games"])
    assert len(report["games"]) == 120 and report["pairs"][0]["comparisons"] == 60
    shown = tournament_page(report)
    assert "games on the same seeds" in shown and "<h2>Seats</h2>" not in shown  # no seat was worth more than another
    games = report["games"]
    won = [sum(game["returns"][0] > -1 for game in games if game["seats"][0] == bot) for bot in ("first", "random")]
    told = [f"`first` wins {won[0]} of its 60 games", f"`random` wins {won[1]} of its 60 games"]
    assert won[0] > won[1] > 0 and all(some in "\n".join(team_sentences(report)) for some in told)
    lost = sum(game["returns"][0] < 0 for game in report["games"])
    assert lost and report["pairs"][0]["share"] == pytest.approx(0.5 + lost / 120, abs=1e-3)


def test_a_bot_that_fails_costs_nothing_that_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stubborn, "games", 0)
    monkeypatch.setitem(sys.modules, "stubborn_bots", sys.modules[__name__])
    found = hold(nim, ["python:stubborn_bots:Stubborn", "first"], rounds=5)
    assert isinstance(found.stopped_by, rw.BotFailed) and len(found.games) == 2
    assert found.report()["rounds"] == 1 and "chose option 99" in found.report()["stopped_by"]


def test_an_interruption_keeps_what_is_complete() -> None:
    done: list[int] = []

    def interrupt(more: int) -> None:
        done.append(more)
        if len(done) == 5:
            raise KeyboardInterrupt

    found = hold(nim, ["first", "random"], rounds=9, progress=interrupt)
    assert isinstance(found.stopped_by, KeyboardInterrupt) and len(found.rounds) == 2


@pytest.mark.parametrize(
    ("bots", "message"), [(["first"], "two bots"), (["first", "first"], "named twice"), (["first", "x"], "no bot `x`")]
)
def test_what_cannot_be_is_told(bots: list[str], message: str) -> None:
    with pytest.raises(PlayError, match=message):
        hold(nim, bots, rounds=1)


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "strength.json"
    assert exit_code_of(["tournament", "nim", "--bots", "mcts:30,random", "--rounds", "2", "--json", str(file)]) == 0
    said = capsys.readouterr().out
    assert "nim, 2 players, 2 rounds, 4 games" in said and "mcts:30" in said and "Elo" in said
    report = json.loads(file.read_text())
    assert report["rounds"] == 2
    assert all(sentence in " ".join(said.split()) for sentence in pair_sentences(report))
    jsonschema.validate(report, json.loads((SCHEMAS / "tournament.schema.json").read_text(encoding="utf-8")))
    assert exit_code_of(["tournament", "nim", "--bots", "mcts:30"]) == 2
    assert exit_code_of(["tournament", "nim", "--bots", "mcts:30,zebra"]) == 2
    assert "there is no bot `zebra`" in capsys.readouterr().err
    assert exit_code_of(["tournament", "nim", "--bots", "process:false,first", "--rounds", "1"]) == 1
    said_too = capsys.readouterr()
    assert "has ended with exit code 1" in said_too.err and "no round was complete" in said_too.out


def test_the_page_shows_what_the_report_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "strength.html"
    asked = ["tournament", "nim", "--bots", "mcts:60,first,random", "--rounds", "8", "--seed", "3", "--format", "json"]
    assert exit_code_of([*asked, "--html", str(file)]) == 0
    report, shown = json.loads(capsys.readouterr().out), file.read_text(encoding="utf-8")
    for rating in report["ratings"]:
        assert f'<td class="bot">{rating["bot"]}</td><td class="n">{rating["rating"]:+.0f}</td>' in shown
    assert shown.count("<svg") == 3 + 2  # a rating for each bot, a share for each seat
    assert shown.count('class="self"') == 3 and "<script" not in shown


def test_a_note_speaks_of_a_drawing_only_where_it_is_drawn(tmp_path: Path) -> None:
    """A narrow screen leaves out the drawings of a table, and with them what the note says about their lines."""
    for words in (["tournament", "pig", "--bots", "random,first", "--rounds", "2"],
                  ["simulate", "pig", "--bots", "random", "--games", "5"]):  # fmt: skip
        file = tmp_path / f"{words[0]}.html"
        assert exit_code_of([*words, "--html", str(file)]) == 0
        shown = file.read_text(encoding="utf-8")
        hidden = re.findall(r"@media \(max-width[^@]*?([^{}]*) \{ display: none; \}", shown)
        assert hidden and all(".of-drawing" in kinds and "td).drawn" in kinds for kinds in hidden)
        noted = re.findall(r'<p class="note">.*?</p>', shown)
        beside = [re.sub(r'<span class="of-drawing">.*?</span>', "", note) for note in noted]
        assert any("dashed" in note and "share" in note for note in noted)
        assert not any("dashed" in note and "share" in note for note in beside)


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.6, 0.9, "`a` beats `b`: it takes 75 %"),
        (0.2, 0.4, "`b` beats `a`, which takes"),
        (0.4, 0.9, "is not shown"),
    ],
)
def test_a_sentence_says_no_more_than_the_interval(low: float, high: float, words: str) -> None:
    pair = {"bot": "a", "against": "b", "comparisons": 20, "share": 0.75, "low": low, "high": high}
    (sentence,) = pair_sentences({"players": 2, "pairs": [pair]})
    assert words in sentence


def test_a_page_without_a_complete_round_says_what_stopped_it(tmp_path: Path) -> None:
    file = tmp_path / "strength.html"
    asked = ["tournament", "nim", "--bots", "process:false,first", "--rounds", "1", "--html", str(file)]
    assert exit_code_of(asked) == 1
    assert "was stopped before its end" in file.read_text(encoding="utf-8")


def test_a_file_that_cannot_be_written_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The report is printed before it is written."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("interpreter.cli.messages.write_whole", full)
    for asked in (
        ["tournament", "nim", "--bots", "first,random", "--rounds", "1"],
        ["simulate", "nim", "--games", "3", "--bots", "random"],
        ["compare", "nim", "nim+last_wins", "--games", "3", "--bots", "random"],
        ["sweep", "pikit", "--set", "mecha_points=5,15", "--games", "3", "--bots", "random"],
        ["ask", "nim", "turns less than 900", "--bots", "random"],
    ):
        assert exit_code_of([*asked, "--json", str(tmp_path / "report.json")]) == 2
        said = capsys.readouterr()
        assert "cannot be written" in said.err and len(said.out) > 80, asked[0]


def test_a_worker_that_dies_costs_nothing_but_time(tmp_path: Path) -> None:
    """The games of a tournament are batches like any others; what comes back is the same, in the same order."""
    bots = ("first", "random")
    work = Killed(nim, bots, pairings(nim(), 2, rounds=60, seed=0))
    work.mark = tmp_path / "killed"
    batches = batches_of(0, len(work.todo), thoughtful=False)
    played = [game for batch in run_batches(work, batches, 2) for game in batch]
    assert work.mark.exists() and played == hold(nim, bots, rounds=60).games


class Killed(Games):
    """A tournament whose worker is killed when it first comes to game 70."""

    mark: Path
    parent = os.getpid()

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "mark": self.mark, "parent": self.parent}

    def play(self, numbers: range) -> list[Played]:
        if 70 in numbers and os.getpid() != self.parent and not self.mark.exists():
            self.mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().play(numbers)


# The first player stakes one chip or ten on a card that is better in one of four games; the second can only wait.
STAKES = """
game stakes "Stakes" for 2 players
payoff p = p.chips
table
  dice: 1 dice of 1..4
each player
  chips: -10..10
play
  roll dice
  choose_stake(seat1)
phase choose_stake(p)
  choose one "How much?"
    "One" if dice[1].face < 4
      p.chips = 1
      rival(p).chips = -1
    "Ten"
      p.chips = -10 if dice[1].face < 4 else 10
      rival(p).chips = 10 if dice[1].face < 4 else -10
"""


def test_what_a_game_pays_is_told_beside_the_wins() -> None:
    """The first option is good in three of four games, and a random choice often loses ten chips."""
    found = hold(partial(game_from_program, checked(STAKES)), ("first", "random"), 40, seed=3)
    report = found.report()
    jsonschema.validate(report, json.loads((SCHEMAS / "tournament.schema.json").read_text(encoding="utf-8")))
    (paid,) = report["payoffs"]
    games = [played for played in found.games if {0, 1} == set(played.pairing.seats)]
    number = found.bots.index(paid["bot"])
    own = [played.returns[played.pairing.seats.index(number)] for played in games]
    assert paid["mean"] == pytest.approx(sum(own) / len(own), abs=1e-3)
    assert paid["interval"][0] < paid["mean"] < paid["interval"][1]
    assert f"{paid['bot']} gets {paid['mean']:+.2f} a game" in tournament_page(report)
