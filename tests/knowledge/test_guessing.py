"""Bots that think in drawn worlds guess no better than chance where nothing is known.

One of ten is hidden and guessed once, or twice with the answer to the first guess: fair is one in ten, and one in ten
and one in nine. A bot that sees the truth through a drawn world hits far more often.
Another decision follows the last guess, so that the bot looks at the points and not at who wins.
"""

from __future__ import annotations

from functools import cache
from math import sqrt

import pytest

import interpreter as rw
from interpreter.play.bots.bot import Bot
from interpreter.play.bots.policy_bot import PolicyBot
from interpreter.play.match import bot_match
from interpreter.runtime.dealing import Deal
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

GUESS = """
each player
  points: 0..9
play
  guess(seat1)
  rest(seat1)
phase rest(p)
  choose n in 1..2 "Go on?"
  say "{n}"
phase guess(p)
  choose n in 1..10 "Which one?"
  if public({hit})
    gain 1 points
score p
  "Points" p.points
"""
CARDS = """
kind Card
  copies 1 for each rank: 1..10
table
  deck: pile of Card hidden
setup
  move all c in Card to deck
  shuffle deck
"""
HAND = """
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  draw 1 from deck to seat2.hand
"""
FIELD = """
each player
  number: 1..10 secret
setup
  pick n in 1..10 at random
  seat2.number = n
"""
HIDDEN_FIELD = """
table
  number: 1..10 hidden
setup
  pick n in 1..10 at random
  number = n
"""
CUP = """
each player
  cup: 1 dice of 1..10 secret
setup
  roll seat2.cup
"""
DIE = """
table
  die: 1 dice of 1..10 hidden
setup
  roll die
"""
HIDING = {
    "a card on top of a deck": CARDS + GUESS.replace("{hit}", "(top of deck).rank == n"),
    "a card in a hand": CARDS.split("setup")[0] + HAND + GUESS.replace("{hit}", "some c in seat2.hand has c.rank == n"),
    "a secret field": FIELD + GUESS.replace("{hit}", "seat2.number == n"),
    "a hidden field": HIDDEN_FIELD + GUESS.replace("{hit}", "number == n"),
    "a secret die": CUP + GUESS.replace("{hit}", "seat2.cup[1].face == n"),
    "a hidden die": DIE + GUESS.replace("{hit}", "die[1].face == n"),
}
TWICE = "  guess(seat1)\n"
EVERYDAY = 80  # games: whoever sees the truth hits in all of them; `--long` finds a small advantage too
FAILS_TODAY: set[str] = set()
FORGOTTEN_TODAY: set[str] = set()


def hits(game: rw.Game, games: int) -> int:
    """How often a greedy bot hits: it tries every option in a world drawn for it."""
    return sum(bot_match(game, ("greedy", "random"), seed).run().scores[0] for seed in range(games))


def is_better_than(found: int, games: int, fair: float) -> bool:
    """Whether so many hits are more than chance would give, but for one case in a hundred thousand."""
    return found > games * fair + 4.3 * sqrt(games * fair * (1 - fair))


@pytest.mark.parametrize("hidden", HIDING)
def test_one_guess_of_ten_is_no_better_than_fair(hidden: str, is_long: bool) -> None:
    games = 5_000 if is_long else EVERYDAY
    found = hits(game_from_program(checked(HIDING[hidden])), games)
    judge(hidden, is_better_than(found, games, 1 / 10), f"{found} of {games} guesses are right")


class Points:
    """A learnt value that has learnt to count points: where a world shows the truth, it finds it at once."""

    def require_fit(self, state: rw.State) -> None:
        pass

    def value(self, state: rw.State, player: int) -> float:
        return float(state.scores[player])


# Every kind of bot that thinks in drawn worlds. The others look at nothing, or are shown views and no states.
THINKING = {
    "greedy": ("greedy", "greedy:3"),
    "flat": ("flat:30",),
    "mcts": ("mcts:30", "mcts:30+cut:4"),
    "policy": ("policy",),
    "cfr": ("cfr:300",),
}
SEEING_NO_WORLD = {"first", "random", "python", "process"}
FEW = 50  # games: who sees the truth hits in nearly all of them, who does not in more than fourteen of them hardly ever


def test_every_kind_of_bot_is_listed() -> None:
    assert set(rw.bots) == set(THINKING) | SEEING_NO_WORLD


def guesses_of(bot: Bot, game: rw.Game, games: int) -> int:
    """How often a bot hits that guesses once."""
    found = 0
    for seed in range(games):
        state = game.new(seed=seed)
        state.apply(bot.choose(state, seed))
        found += state.scores[0]
    return found


@pytest.mark.parametrize("hidden", ["a card in a hand", "a secret field", "a hidden die"])
@pytest.mark.parametrize("kind", [kind for kinds in THINKING.values() for kind in kinds])
def test_no_bot_guesses_better_than_fair(kind: str, hidden: str, is_long: bool) -> None:
    games = 2_000 if is_long else FEW
    bot = PolicyBot(kind, Points()) if kind == "policy" else rw.bot(kind)  # type: ignore[arg-type]
    found = guesses_of(bot, game_from_program(checked(HIDING[hidden])), games)
    assert not is_better_than(found, games, 1 / 10), f"{kind}: {found} of {games} guesses are right"


def test_a_bot_that_sees_the_truth_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The bots are good enough to hit whenever their worlds give the truth away."""
    monkeypatch.setattr(Deal, "lay_out", lambda self, S, drawn: None)
    game = game_from_program(checked(HIDING["a secret field"]))
    for kind in ("greedy", "flat:30", "mcts:30", "policy"):
        bot = PolicyBot(kind, Points()) if kind == "policy" else rw.bot(kind)  # type: ignore[arg-type]
        assert is_better_than(guesses_of(bot, game, 25), 25, 1 / 10), kind


@cache
def guessed_twice(hidden: str, games: int) -> list[tuple[int, bool, int, int]]:
    """Games with two guesses by a greedy bot: the first guess, whether it hit, the second one, and all hits."""
    game, played = game_from_program(checked(HIDING[hidden].replace(TWICE, TWICE * 2, 1))), []
    for seed in range(games):
        match = bot_match(game, ("greedy", "random"), seed)
        first, has_hit = int(match.step()), match.state.scores[0] == 1
        second = int(match.step())
        played.append((first, has_hit, second, match.run().scores[0]))
    return played


# Both tests look at the same games, so they run where those have been played.
TOGETHER = [pytest.param(hidden, marks=pytest.mark.xdist_group(hidden)) for hidden in HIDING]


@pytest.mark.parametrize("hidden", TOGETHER)
def test_a_second_guess_is_no_better_than_fair(hidden: str, is_long: bool) -> None:
    """Whoever hits first hits again; else nine are left: 2/10 + 9/10 * 1/9 hits, and at most two each game."""
    games = 5_000 if is_long else EVERYDAY
    found = sum(hits for _, _, _, hits in guessed_twice(hidden, games))
    # Two hits with 1/10, one with 9/10 * 1/9 = 1/10: mean 3/10, variance 1/2 - 9/100.
    better = found > games * 0.3 + 4.3 * sqrt(games * 0.41)
    judge(hidden, better, f"{found} hits in {games} games")


@pytest.mark.parametrize("hidden", TOGETHER)
def test_what_was_told_is_kept(hidden: str) -> None:
    """A guess that failed is not made again, and one that hit is."""
    foolish = sum((second == first) != has_hit for first, has_hit, second, _ in guessed_twice(hidden, EVERYDAY))
    if hidden in FORGOTTEN_TODAY:
        assert foolish, f"{hidden}: nothing is forgotten; take it off FORGOTTEN_TODAY"
    else:
        assert not foolish, f"{hidden}: {foolish} of {EVERYDAY} second guesses forget the answer to the first"


def judge(hidden: str, better: bool, told: str) -> None:
    if hidden in FAILS_TODAY:
        assert better, f"{hidden}: {told}, which is fair; take it off FAILS_TODAY"
    else:
        assert not better, f"{hidden}: {told}"
