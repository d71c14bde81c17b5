"""Where neither points nor conditions tell who is ahead, what each player still has does, in Python and in C."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.compile.load import compile_program
from interpreter.play.bots.playing_out import PlayingOut
from interpreter.play.bots.standing import keys_of, margins_at
from interpreter.play.bots.stock import MEASURED, Stock
from interpreter.play.bots.tree import Search
from interpreter.runtime.game import Game
from tests.engine.test_search import search_along
from tests.engine.test_toys import both_of
from tests.toy_games import checked

POUNCE = """
game pounce "Pounce" for 2 players as black, white
map board is grid 4 by 4
  node Cell
table
  plies: 0..60
each Cell
  man: player?
setup
  for c in Cell where c.row in (1, 4)
    c.man = black if c.row == 1 else white
play
  in turn p from black
    turn(p)
    plies += 1
    if plies == 60
      everybody wins "Too long"
phase turn(p)
  choose one "Which man goes where?"
    "{c} to {d}" for c in Cell where c.man == p, d in neighbours(c) where d.man != p
      LIFT
      d.man = p
    otherwise "No man"
      ENDING "No man is left"
"""

MEN = """
game men "Men" for 2 players as black, white
kind Man
  copies 3 for each owner: player
kind Ticket
  copies 3 for each bearer: player
table
  field: pool of Man open
  heap: pool of Ticket open
setup
  move all m in Man to field
  move all t in Ticket to heap
play
  in turn p from black
    strike(p)
phase strike(p)
  choose one "Whom do you strike?"
    "{m}" for m in field where m.owner == rival(p)
      move m to box
      if CONDITION
        p wins "The last one"
"""


# Everybody has four of six men in hand, unseen by the other; the weaker of two that meet goes to the box.
DUELS = """
game duels "Duels" for 2 players as black, white
kind Man
  copies 1 for each owner: player, rank: 1..6
table
  bouts: 0..30
each player
  barracks: pile of Man hidden
  hand: hand of Man secret
  sent: slot of Man open
setup
  move all m in Man to m.owner.barracks
  for p in players
    shuffle p.barracks
    draw 4 from p.barracks to p.hand
play
  while bouts < 30
    bouts += 1
    for p in players
      send(p)
    if black.sent.rank > white.sent.rank
      move white.sent to box
    else
      move black.sent to box
    for p in players
      move all m in p.sent to p.hand
  everybody wins "Too long"
phase send(p)
  choose one "Whom do you send?"
    "{m}" for m in p.hand
      move m to p.sent
    otherwise "Nobody is left"
      p loses "Nobody is left"
"""


def pounce(ending: str = "p loses", lift: str = "c.man = none") -> str:
    return POUNCE.replace("ENDING", ending).replace("LIFT", lift)


def held(rules: str) -> bool:
    return Game(compile_program(checked(rules))).meta.progress_is_stock


def test_what_bears_the_name_of_a_player_is_counted() -> None:
    state = Game(compile_program(checked(pounce()))).new(seed=1)
    assert state.meta.progress_is_stock
    assert [key[0] for key in keys_of(state)] == [4, 4]
    state.f = [1 if number == 0 else number for number in state.f]
    assert margins_at(state)[0] < 0


def test_pieces_count_unless_they_are_in_the_box() -> None:
    game = Game(compile_program(checked(MEN.replace("CONDITION", "count(field) mod 4 == 1"))))
    state = game.new(seed=1, auto=False)
    assert state.meta.progress_is_stock
    assert [key[0] for key in keys_of(state)] == [3, 3]  # and no tickets: they never go to the box
    state.apply(0)
    assert [key[0] for key in keys_of(state)] == [3, 2]


SHAPE = """
    if largest_group(c in Cell where c.man == p) == 1
      p wins "Alone"
    if plies == 60
"""


@pytest.mark.parametrize(
    "rules",
    [
        pounce(lift="plies += 0"),  # a man that is laid stays
        MEN.replace("CONDITION", "no x in field has x.owner == rival(p)"),  # the condition tells how far it is
        pounce() + 'score p\n  "Men"  count(c in Cell where c.man == p)\n',
        pounce().replace("\n    if plies == 60\n", SHAPE),
    ],
    ids=["nothing is lost", "a condition tells", "points", "won by shape"],
)
def test_it_is_not_counted_where_it_says_less(rules: str) -> None:
    assert not held(rules)


def test_games_of_ours_in_which_men_are_captured() -> None:
    games = ("chess", "draughts", "breakthrough", "connect_four", "gomoku", "hex_11x11", "nim")
    assert [name for name in games if rw.load(name).meta.progress_is_stock] == ["chess", "draughts"]


@pytest.mark.parametrize(("ending", "misleads"), [("p loses", False), ("p wins", True)])
def test_a_search_sees_when_having_more_is_no_sign_of_winning(ending: str, misleads: bool) -> None:
    state = Game(compile_program(checked(pounce(ending)))).new(seed=1)
    playing_out = PlayingOut(state, guided=True)
    search = Search(state, 1, playing_out)
    search.simulate()
    assert playing_out.stock is not None and playing_out.stock.misleads == misleads


def test_what_never_differs_is_left_out_and_draws_are_not_held_against_it() -> None:
    for margin, misleads in ((0, True), (2, False)):
        held = Stock(2)
        for number in range(MEASURED):
            own = margin if number % 2 else 0
            held.played([own, -own], [0.0, 0.0])
        held.decide()
        assert held.misleads == misleads


MEETING = MEN.replace("CONDITION", "count(field) mod 4 == 1")


@pytest.mark.parametrize("rules", [pounce(), pounce("p wins"), MEETING, DUELS])
def test_both_engines_see_the_same_holdings(rules: str) -> None:
    compiled, reference = both_of(checked(rules))
    for seed in range(3):
        search_along(compiled, reference, seed, searches=4, simulations=60)


@pytest.mark.parametrize("kind", ["mcts:40", "flat:40", "greedy"])
def test_what_the_other_side_hides_does_not_count(kind: str) -> None:
    """Worlds drawn for a player differ in what that player cannot know: the choice is the same in all of them. (Not
    that of the game itself: a world has no memory of what led to it.)"""
    game = Game(compile_program(checked(DUELS)))
    assert game.meta.progress_is_stock and game.meta.has_secrets
    for seed in range(6):
        state = game.new(seed=seed)
        for number in range(3 + seed):
            state.apply(rw.bot("random").choose(state, number))
        worlds = [state.determinize(state.who, number) for number in range(4)]
        assert len({str(world.p) for world in worlds}) > 1
        assert len({rw.bot(kind).choose(world, seed).index for world in worlds}) == 1
