"""The hand-written Flatiron is right: worked examples, and what holds in any random game."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tools.baselines.flatiron import CITY_HALL, PASS, Flatiron

BROADWAY, STREET_23, AVENUE_5, STREET_22 = range(4)
ORANGE, BLUE, WHITE, GREY = range(4)


def opening(site: int = 1, **changes: Any) -> Flatiron:
    """Both have board 1, purple side up; the first player is to move. Changes are of that player, or of the table."""
    game = Flatiron(2, 1)
    game.site, game.pillars = site, [None, None, None]
    game.columns = [[[] for _ in range(4)] for _ in range(2)]
    for player in (0, 1):
        game.take_board(player, 0, 0)
    game.money = [7, 9]
    for name, value in changes.items():
        setattr(game, name, value)
    game.course = game.turn(0)
    game.go_on(None)
    return game


def play_all(game: Flatiron, *moves: Any) -> None:
    for move in moves:
        assert move in game.legal_moves(), game.legal_moves()
        game.play(move)


def test_an_opening_turn() -> None:
    """FX-99: a dollar on arrival, an orange pillar bought and built on the slot for 2 points."""
    game = opening(site=0)
    play_all(game, BROADWAY, "activate", "do", "do", (ORANGE, 0))
    assert (game.money[0], game.vp[0], game.supply[ORANGE], game.carrier) == (4, 6, 6, 10)


def test_where_an_architect_may_go() -> None:
    """FX-08: sharing is allowed on one floor, staying never."""
    assert opening(site=5, at=[BROADWAY, CITY_HALL]).legal_moves() == [STREET_23, AVENUE_5, STREET_22, CITY_HALL]
    assert opening(at=[BROADWAY, CITY_HALL]).legal_moves() == [STREET_23, AVENUE_5, STREET_22]


def test_the_cost_of_another_action_comes_on_top() -> None:
    """FX-69: with 5 dollars a floor is out of reach by way of another action, with 6 it is not."""
    for money, offered in ((5, False), (6, True)):
        game = opening(pillars=[ORANGE, BLUE, WHITE], money=[money, 0])
        game.pillars = [ORANGE, BLUE, WHITE]
        keys = [key for key, action in game.others(0, money - 1) if action[0] == "floor"]
        assert bool(keys) is offered


def test_an_action_that_runs_is_not_offered_again() -> None:
    """FX-67, FX-68."""
    game = opening()
    entry = ((8, 1), ("another",), -1, None)
    game.columns[0][BROADWAY].append(entry)
    game.running.append(entry[0])
    assert entry[0] not in [key for key, _ in game.others(0, 9)]


def test_a_delivery_is_shared() -> None:
    """FX-30."""
    game = opening(vp=[8, 0], papers=[0, 1, 5, 6])
    game.course = game.gain(0, 2)
    game.go_on(None)
    assert game.legal_moves() == [5, 6]
    game.play(5)
    assert (game.carrier, game.news, len(game.papers)) == (20, [[6], [5]], 2)


def test_scores() -> None:
    """FX-02, FX-80: the reputation of the booklet, and decrees for the building."""
    game = opening()
    game.columns[0][STREET_23] += [((0, 0), ("swap",), -2, None), ((1, 0), ("swap",), 1, None)]
    game.columns[0][BROADWAY] += [((2, 0), ("swap",), 2, None), ((3, 0), ("swap",), 1, None)]
    assert game.reputation_points(0) == 2
    game.finished = [
        [ORANGE, BLUE, WHITE], [ORANGE, BLUE, GREY], [BLUE, WHITE, GREY], [ORANGE, WHITE, GREY], [ORANGE, ORANGE, BLUE],
    ]  # fmt: skip
    assert game.scoring(0, [], "built", ORANGE) == 10
    assert game.scoring(0, [], "pair", ORANGE, BLUE) == 9


@pytest.mark.parametrize("seed", range(15))
def test_pieces_are_conserved(seed: int) -> None:
    game = Flatiron(2, seed)
    while not game.over:
        game.play(game.random.choice(game.legal_moves()))
        built = Counter(colour for floor in [*game.finished, game.pillars] for colour in floor if colour is not None)
        for colour in range(4):
            assert game.supply[colour] + built[colour] + sum(stock[colour] for stock in game.warehouse) == 7
        assert min(game.money) >= 0
        assert all(len(column) <= 5 for columns in game.columns for column in columns)
        assert game.reputation + sum(game.honours) == 4
    assert len(game.finished) == 5 and game.winner in (0, 1) and PASS not in game.scores()
