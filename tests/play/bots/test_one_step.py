"""A search looks one step ahead of each node: wins in one, losses in one, and the good ones among many options."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.compile.load import compile_program
from interpreter.play.bots.node import Node
from interpreter.play.bots.playing_out import PlayingOut
from interpreter.play.bots.tree import Search
from interpreter.runtime.game import Game
from tests.engine.test_search import same_search, search_along
from tests.engine.test_toys import both_of
from tests.toy_games import checked

# One door of a hundred wins; nothing else tells which.
DOORS = """
game doors "Doors" for 2 players
table
  opened: 0..100
play
  in turn p from seat1 until opened == 6
    opened += 1
    choose n in 1..100 "Which door?"
    if n == 61 and p == seat1
      p wins "The treasure"
"""

# Whoever leaves one or two takes the loss: a rival who can take the last one does.
HEAP = """
game heap "Heap" for 2 players
table
  left: 0..90 = 63
play
  in turn p from seat1
    choose n in 1..min(60, left) "How many?"
    left -= n
    if left == 0
      p wins "The last one"
"""

# Sixty prices, each with a worth of its own, three times over.
STALLS = """
game stalls "Stalls" for 2 players
each player
  gained: 0..999
  turns: 0..9
play
  in turn p from seat1 until every q in players has q.turns == 3
    p.turns += 1
    choose n in 1..60 "Which stall?"
    p.gained += n * 7 mod 61
score p
  "Gained"  p.gained
rank p by highest score, then shared
"""


def game_of(text: str) -> Game:
    return Game(compile_program(checked(text)))


@pytest.mark.parametrize("seed", range(5))
def test_a_win_in_one_is_seen_with_one_simulation(seed: int) -> None:
    state = game_of(DOORS).new(seed=seed)
    assert str(rw.bot("mcts:1").choose(state, seed)) == "61"


@pytest.mark.parametrize("seed", range(5))
def test_what_lets_the_other_side_win_at_once_is_not_chosen(seed: int) -> None:
    """Of 60 numbers only 1 and 2 leave more than 60 to take; with a simulation for each node both are found."""
    state = game_of(HEAP).new(seed=seed)
    assert str(rw.bot("mcts:150").choose(state, seed)) in ("1", "2")


@pytest.mark.parametrize("seed", range(5))
def test_what_loses_at_once_is_seen_among_sixty_answers(seed: int) -> None:
    """A simulation for each number: all but 1 and 2 are proved to lose, since one of the sixty answers wins."""
    state = game_of(HEAP).new(seed=seed)
    search = Search(state, seed, PlayingOut(state, guided=True))
    search.simulate(60)
    assert sorted(set(range(60)) - set(search.root.proved or ())) == [0, 1]


def test_looks_at_many_options_stop_where_they_never_prove_anything() -> None:
    state = game_of(DOORS.replace("n == 61", "n == 61 and opened == 6")).new(seed=1)
    search = Search(state, 1, PlayingOut(state, guided=True))
    search.simulate(100)
    looks, node = search.looks, Node(1, 0, 100, 1, is_open=True)
    assert not looks.is_time_when_made(node, proves=True, depth=1)
    assert looks.is_time_when_made(Node(1, 0, 32, 1, is_open=True), proves=True, depth=1)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_of_many_options_is_found_with_few_simulations(seed: int) -> None:
    """A third as many simulations as options: the best one is among those that are tried, and tried more than once."""
    state = game_of(STALLS).new(seed=seed)
    search = Search(state, seed, PlayingOut(state, guided=True))
    search.simulate(20)
    gains = [n * 7 % 61 for n in range(1, 61)]
    visits = [was for was, _ in search.found()]
    assert visits[gains.index(60)] > 0 and max(visits) > 1
    assert gains[search.chosen()] > 50


# Two doors of four win: at the root of a search both are proved, since the lowest of several is chosen.
PAIR = """
game pair "Pair" for 2 players
table
  opened: 0..100
play
  in turn p from seat1 until opened == 6
    opened += 1
    choose n in 1..4 "Which door?"
    if n == 2 or n == 4
      p wins "The treasure"
"""


@pytest.mark.parametrize("is_root", [False, True])
def test_a_look_ends_with_the_first_win_but_at_the_root(is_root: bool) -> None:
    state = game_of(PAIR).new(seed=1)
    search = Search(state, 1, PlayingOut(state, guided=True))
    root = search.root
    root.order = [3, 0, 1, 2]
    search.looks.look(root, state.fork(), list(state.opts), proves=True, is_root=is_root)
    assert root.is_looked_at and root.won == 3
    assert sorted(root.proved or ()) == ([1, 3] if is_root else [3])


def test_a_look_has_to_pay_where_points_are_counted() -> None:
    """Forty looks of which one has told something: only a node that is met again is looked at. Where nothing is counted
    every one is."""
    for text, must_pay in ((STALLS, True), (HEAP, False)):
        state = game_of(text).new(seed=1)
        search = Search(state, 1, PlayingOut(state, guided=True))
        looks, node = search.looks, Node(1, 0, 4, 1, is_open=True)
        looks._made, looks._told, looks._proved = 40, 1, 0
        assert looks.is_time_when_made(node, proves=True, depth=1) is not must_pay
        assert looks.is_time(node, is_root=False) is not must_pay and looks.is_time(node, is_root=True)
        node.visits = 2
        assert looks.is_time(node, is_root=False)


@pytest.mark.parametrize("text", [DOORS, HEAP, STALLS, PAIR])
def test_python_and_c_look_alike(text: str) -> None:
    compiled, reference = both_of(checked(text))
    for seed in range(3):
        search_along(compiled, reference, seed, 3, 150)
    same_search(compiled.new(9), reference.new(9), 9, 400)
