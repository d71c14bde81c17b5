"""Kuhn poker, whose answer is known: how far bots can be exploited, and that `cfr` finds the value of the game."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.play.bots import regrets
from interpreter.play.bots.regrets import Regrets
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked
from tools.kuhn_exploitability import exploitability, positions, strategy_of, value


def test_the_known_equilibrium_has_the_known_value_and_cannot_be_exploited() -> None:
    """One of the equilibria: the first player never bets at once, and calls with the queen one time in three."""
    bets = {
        (0, "card_jack", ()): 0.0, (0, "card_queen", ()): 0.0, (0, "card_king", ()): 0.0,
        (0, "card_jack", (1, 0)): 0.0, (0, "card_queen", (1, 0)): 1 / 3, (0, "card_king", (1, 0)): 1.0,
        (1, "card_jack", (0,)): 0.0, (1, "card_queen", (0,)): 1 / 3, (1, "card_king", (0,)): 1.0,
        (1, "card_jack", (1,)): 1 / 3, (1, "card_queen", (1,)): 0.0, (1, "card_king", (1,)): 1.0,
    }  # fmt: skip
    assert set(bets) == set(positions())
    assert value((bets, bets)) == pytest.approx(-1 / 18)
    assert exploitability(bets) == pytest.approx(0, abs=1e-9)


def test_tree_search_makes_no_gross_mistake() -> None:
    """It bluffs too seldom or too often, but it never folds a king nor calls with a jack."""
    strategy = strategy_of("mcts:100", 4)
    assert strategy[1, "card_king", (0,)] == 1.0 and strategy[0, "card_king", (1, 0)] == 1.0
    assert strategy[1, "card_jack", (0,)] == 0.0 and strategy[0, "card_jack", (1, 0)] == 0.0


def test_regrets_find_the_value_of_the_game_and_leave_little_to_exploit() -> None:
    strategy = strategy_of("cfr:2000", 1)
    assert value((strategy, strategy)) == pytest.approx(-1 / 18, abs=0.01)
    assert exploitability(strategy) < 0.025  # tree search: 0.17
    assert strategy[1, "card_king", (0,)] > 0.99 and strategy[1, "card_jack", (0,)] < 0.01
    assert 0.1 < strategy[1, "card_jack", (1,)] < 0.6  # it bluffs now and then


def test_a_choice_is_drawn_from_the_shares_of_what_is_known() -> None:
    bot, state = rw.bot("cfr:2000"), positions()[1, "card_jack", (1,)]
    chosen = [bot.choose(state, seed).index for seed in range(200)]
    assert chosen.count(0) / 200 == pytest.approx(bot.shares(state)[0], abs=0.1)  # type: ignore[attr-defined]
    assert bot.choose(state, 5) == bot.choose(state, 5)


LATE_CHANCE = """
each player
  points: 0..9
table
  die: 1 dice of 1..6
play
  act(seat1)
phase act(p)
  choose one "Your choice?"
    "Two for sure"
      p gains 2 points
    "A die"
      roll die
      if die[1].face >= 3
        p gains 6 points
score p
  "Points"  p.points
"""


def test_chance_that_falls_after_a_choice_is_averaged() -> None:
    """Four on average against two; a tree that was kept would know one throw of the die."""
    state = game_from_program(checked(LATE_CHANCE, 2)).new(1)
    assert rw.bot("cfr:100").shares(state)[1] > 0.9  # type: ignore[attr-defined]


def test_a_game_in_which_too_much_can_be_known_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(regrets, "MOST_IN_A_GAME", 20)
    with pytest.raises(rw.PlayError, match="`kalah` is too large for `cfr`") as refused:
        rw.bot("cfr:5").choose(rw.load("kalah").new(1), 1)
    assert "mcts:500" in str(refused.value.help)
    monkeypatch.setattr(regrets, "MOST_KNOWN", 6)
    with pytest.raises(rw.PlayError, match="too large"):
        Regrets(rw.load("kuhn_poker")).learn(50)


def test_what_was_never_met_is_chosen_at_random() -> None:
    state = positions()[0, "card_queen", (1, 0)]
    known = rw.bot("cfr:1")
    known.choose(state, 1)
    assert known.shares(state) == [0.5, 0.5]  # type: ignore[attr-defined]
