"""Rows: each is the game that `playout` plays, however closely it is looked at."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.ruleset.find import ruleset_folders
from interpreter.study.watch import Watch, close_step, load_counting
from tests.study import known_games as known


@pytest.mark.parametrize("name", sorted(ruleset_folders()))
def test_a_row_is_the_playout_of_its_seed(name: str) -> None:
    played = rw.load(name)
    players = played.players
    watch = Watch(load_counting(name, players), ["random"] * players)
    for seed in range(3):
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


def test_leads_and_comebacks() -> None:
    """One die each: with two turns only the last may turn the lead."""
    watch = Watch(known.scores(), ["random"] * 2)
    rows = [watch.row(seed, closely=True)[0] for seed in range(60)]
    changed = [row.lead_changes for row in rows if row.winners == (1,)]
    assert changed and set(changed) == {1}
    assert {row.behind for row in rows if row.winners == (0,)} == {False}
    assert {row.behind for row in rows if len(row.winners) == 2} == {None}
