"""Rows: each is the game that `playout` plays, however closely it is looked at."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.compile.load import compile_program
from interpreter.ruleset.find import ruleset_folders
from interpreter.study.watch import Watch, close_step, counting_game, load_counting
from tests.study import known_games as known
from tests.toy_games import checked


@pytest.mark.parametrize("name", sorted(ruleset_folders()))
def test_a_row_is_the_playout_of_its_seed(name: str, is_long: bool) -> None:
    played = rw.load(name)
    players = played.players
    watch = Watch(load_counting(name, players), ["random"] * players)
    for seed in range(3 if is_long else 1):
        state = played.playout(seed)
        quick, _ = watch.row(seed, closely=False)
        close, seen = watch.row(seed, closely=True)
        assert seen is not None and list(seen.history) == state.h and len(seen.deciders) == quick.decisions
        assert (quick.scores, quick.ranking) == (tuple(state.scores), tuple(state.ranking))
        assert (quick.winners, quick.reason) == (tuple(state.winners), state.reason or "")
        assert quick == close._replace(offered=None, lead_changes=None, behind=None)
        followed, _ = watch.follow(seed, state.h[1::2])
        assert followed._replace(forced=0) == close._replace(forced=0)  # a playout may not ask what has one answer


def test_the_log_is_that_of_the_playout() -> None:
    """Seed and choices say it all: the game of a row can be played again with its log."""
    game = load_counting("kuhn_poker", 2)
    _, seen = Watch(game, ["random"] * 2).row(11, closely=True)
    assert seen is not None
    again = rw.load("kuhn_poker", players=2).new(seed=11)
    for raw in seen.history[1::2]:
        again.apply(again.opts.index(raw))
    assert again.over and again.log() == game.retrace(game.playout(11)).log()


def test_options_are_counted_exactly() -> None:
    game = load_counting("pikit", 2)
    row, seen = Watch(game, ["random"] * 2).row(4, closely=True)
    assert seen is not None
    state, offered = rw.load("pikit", players=2).new(seed=4), 0
    for raw in seen.history[1::2]:
        offered += len(state.decision.options)
        state.apply(state.opts.index(raw))
    assert row.offered == offered


@pytest.mark.parametrize(
    ("games", "close"), [(1, 1), (64, 64), (128, 64), (10_000, 157)], ids=["one", "short", "middle", "long"]
)
def test_short_studies_are_looked_at_closely(games: int, close: int) -> None:
    assert len(range(0, games, close_step(games))) == close


# Each round brings one point to each; the second seat may throw a die for more, and does so in the last round.
LEADS = """
game leads "Leads" for 2 players
table
  dice: 1 dice of 1..6
  round: 0..4
each player
  points: 0..99
play
  repeat 4 times
    round += 1
    for p in players
      turn(p)
phase turn(p)
  p.points += 1
  roll dice
  if round == 1 and p == seat1
    p.points += 1
  if round == 4 and p == seat2
    p.points += dice[1].face
  choose one "Done?"
    "Yes"
    "Indeed"
score p
  "Points"  p.points
"""


def test_leads_and_comebacks() -> None:
    """The first seat has a point more from the first round on; the die of the last turn makes that even, or turns the
    lead. That the first seat has a turn more inside each round is no lead."""
    watch = Watch(counting_game(compile_program(checked(LEADS, 2), counted="begins")), ["random"] * 2)
    rows = [watch.row(seed, closely=True)[0] for seed in range(60)]
    assert {(row.lead_changes, row.behind) for row in rows if row.winners == (1,)} == {(1, True)}
    assert {(row.lead_changes, row.behind) for row in rows if row.winners == (0, 1)} == {(0, None)}


def test_a_game_of_one_round_has_no_leads() -> None:
    watch = Watch(known.scores(), ["random"] * 2)
    assert {(row.lead_changes, row.behind) for row, _ in (watch.row(seed, closely=True) for seed in range(20))} == {
        (None, None)
    }
