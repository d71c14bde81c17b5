"""What a hunt of random rules met: options that end badly, faults on the way, places that a piece never leaves."""

from __future__ import annotations

import random
import shutil

import pytest

from interpreter.runtime.faults import Fault
from interpreter.runtime.game import Game, game_from_program
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.engine.playouts import same_work
from tests.toy_games import checked

CARDS = """
kind Card
  copies 4 for each rank: 1..2
table
  deck: pile of Card open
  moved: 0..9
  level: 0..4
each player
  hand: hand of Card open
  coins: 0..20 = 4
setup
  move all c in Card to deck
  for p in players
    draw 2 from deck to p.hand
play
  turn(seat1)
"""


def options(game: Game) -> list[str]:
    return [str(option) for option in game.new(0, auto=False).decision.options]


def game_of(rules: str) -> Game:
    program = checked(CARDS + rules)
    game = game_from_program(program)
    for seed in range(3):  # for the same reasons in the slow evaluator
        state, slow = game.new(seed, auto=False), SlowGame(program, auto=False)
        assert lock_step(state, slow, seed, random.Random(seed).randrange) is None
    return game


@pytest.mark.parametrize(
    "move", ["move up to 1 c in p.hand to deck", "move all c in p.hand to deck", "move one_of(p) to deck"]
)
def test_a_hook_on_what_is_moved_may_refuse(move: str) -> None:
    rules = """phase turn(p)
  choose one "Which way?"
    "Move"
      MOVE
    "Stay"
value one_of(p): Card? = first c in p.hand
after c leaves p.hand
  pay 5 coins
"""
    used = rules if "one_of" in move else rules.replace("value one_of(p): Card? = first c in p.hand\n", "")
    assert options(game_of(used.replace("MOVE", move))) == ["Stay"]


def test_a_fault_on_the_way_does_not_hide_an_option() -> None:
    rules = """phase turn(p)
  choose one "Which way?"
    "Out of range"
      level -= 1
      requires p.hand is empty "not now"
    "Within it"
      level += 1
      requires p.hand is empty "not now"
    "Beyond it"
      gain 17 coins
      requires p.hand is empty "not now"
    "Stay"
"""
    program = checked(CARDS + rules)
    game = game_from_program(program)
    assert options(game) == ["Out of range", "Beyond it", "Stay"]
    slow = SlowGame(program).start(0)
    assert slow is not None
    assert [option.label and option.label() for option in slow.options] == options(game)
    assert game.new(0).tried.trials == 0
    for index in (0, 1):
        with pytest.raises(Fault, match="outside 0"):
            game.new(0).apply(index)


def test_within_one_place_nothing_leaves_and_nothing_enters() -> None:
    rules = """phase turn(p)
  level = 1
  move up to 2 c in p.hand to p.hand
  move top of deck to deck on bottom
  draw 1 from deck to p.hand
  pause "Look"
after c leaves p.hand when level == 1
  moved += 1
after c enters deck when level == 1
  moved += 1
after c leaves deck when level == 1
  moved += 1
"""
    state = game_of(rules).new(0, auto=False)
    assert state.f[state.meta.fields[0].base] == 1, "the one that is drawn"


def test_an_action_is_offered_with_all_that_comes_behind_its_line() -> None:
    rules = """phase turn(p)
  choose one "Act?"
    plain(p)
    bet(p)
    "Else"
  pay 4 coins
action plain(p) "Act"
  pay 1 coins
action bet(p) "Bet"
  choose n in 1..2 "How many?"
  pay n coins
"""
    program = checked(CARDS + rules)
    for game in (game_from_program(program).new(0, auto=False).decision, SlowGame(program, auto=False).start(0)):
        assert game is not None
        assert len(game.options) == 1


def test_one_way_of_an_order_or_a_payment_is_no_question() -> None:
    """Nor a moment for free actions; a part that is barred now is not one of two."""
    rules = """phase turn(p)
  in any order by p
    "First"
      coins_of(p)
    "Second"
      requires p.coins > 4 "not yet"
  for c in deck where c.rank == 1 ordered by p
    moved += 1
effect coins_of(p)
  gain 1 coins
free action wait(p) "Wait" during turn(p)
  lose 1 coins
"""
    game = game_of(rules.replace("for c in deck where", "for c in p.hand where"))
    assert game.new(0, auto=False).over


def test_a_pause_is_passed_whatever_comes() -> None:
    rules = """phase turn(p)
  pause "Wait"
  requires moved > 0 "nothing has moved"
free action budge(p) "Move" during turn(p)
  requires moved == 0
  moved += 1
"""
    program = checked(CARDS + rules)
    slow = SlowGame(program).start(0)
    assert slow is not None
    assert options(game_from_program(program)) == ["Wait", "Move"] == [o.label and o.label() for o in slow.options]


def test_who_loses_as_the_last_one_in_does_not_win() -> None:
    rules = """phase turn(p)
  next(p) drops out "Gone"
  p loses "Out as well"
"""
    state = game_of(rules).new(0)
    assert state.ranking == [3, 3]
    assert state.returns == [-1, -1]


FREE = """
each player
  used: 0..3
  ready: flag
play
  for p in players
    turn(p)
    turn(p)
phase turn(p)
  choose one "Which way?"
    "One"
    "Other"
free action rush(p) "Rush" during turn(p)
  requires p.used < 3 and p.ready "not free"
"""


def test_a_free_action_that_is_foreseen_to_be_refused_is_not_tried() -> None:
    state = game_from_program(checked(FREE)).untracked(0)
    assert (state.steps, state.tried.trials) == (0, 0)


def test_its_work_is_counted_alike() -> None:
    if shutil.which("cc") is None:
        pytest.skip("there is no C compiler")
    from tests.differential.test_random_rules import native_game

    program = checked(FREE)
    for seed in range(4):
        assert same_work(native_game(program), game_from_program(program), seed) > 0
