"""Where the rules count no points, how near a win is comes from the conditions of `wins`, in Python and in C."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.compile.load import compile_program
from interpreter.play.bots.standing import keys_of, margins_at
from interpreter.runtime.game import Game
from tests.engine.test_search import search_along
from tests.engine.test_toys import both_of
from tests.toy_games import checked

# Everybody wins or loses together, and games at random never come to a win: two tools alike must be brought in.
VAULT = """
game vault "Vault" for 2 players
enum Tool = drill | rope | lamp
kind Door
  copies 2 for each need: Tool
table
  doors: pile of Door hidden
  front: slot of Door open
  opened: pool of Door open
  day: 0..9
each player
  tools[Tool]: 0..3 capped
  inside: flag
setup
  move all d in Door to doors
  shuffle doors
  draw 1 from doors to front
play
  while day < 9
    day += 1
    for p in players
      turn(p)
      if count(opened) >= 3
        everybody wins "Three doors are open"
  nobody wins "The police comes"
phase turn(p)
  repeat 2 times
    choose one "What do you do?"
      "Fetch a {t}" for t in Tool if not p.inside and sum(p.tools[u] for u in Tool) < 2
        gain 1 tools[t]
      "Go through the gate"
        p.inside = not p.inside
      "Open the door" if p.inside and front is not empty
        if front is not empty
          let need = front.need
          pay 2 tools[need]
          move front to opened
          draw 1 from doors to front
      "Rest"
"""

RACE = """
game race "Race" for 2..4 players
table
  dice: 2 dice of 1..4
  laps: 0..99 capped
each player
  spot[1..2]: 0..20
  lives: 0..3 = 3
  gems: 0..9
play
  in turn p from seat1
    turn(p)
    if CONDITION
      ENDING "The end"
phase turn(p)
  roll dice
  laps += 1
  choose one "Which runner goes how far?"
    "Runner {i} goes {d.face}" for i in 1..2, d in dice where p.spot[i] < 12
      p.spot[i] += d.face
    otherwise "None"
      lose up to 1 lives
  if laps == 99
    everybody wins "Too long"
"""


def race(condition: str, ending: str = "p wins", players: int = 2) -> Game:
    return Game(compile_program(checked(RACE.replace("CONDITION", condition).replace("ENDING", ending), players)))


def progress_of(game: Game) -> list[int]:
    return [key[0] for key in keys_of(game.new(seed=1))]


def test_arguments_are_put_in_all_at_once() -> None:
    """`ahead(q, p)` speaks of two players, of whom only p is known at any moment. Put in one after the other, q would
    become p and p would stay p, and the condition would be about one player."""
    terms = " + ".join(f"p.spot[{i}] - q.spot[{i}]" for i in (1, 2) * 5)  # too long to be written out
    rules = RACE.replace('if CONDITION\n      ENDING "The end"', "over(p, rival(p))")
    rules += f'phase over(p, q)\n  if ahead(q, p)\n    p wins "The end"\nvalue ahead(p, q): flag = {terms} >= 12\n'
    assert not Game(compile_program(checked(rules))).meta.has_progress


@pytest.mark.parametrize(
    ("condition", "ending", "at_first"),
    [
        ("p.spot[1] >= 12", "p wins", -12),
        ("p.spot[1] > 12", "p wins", -13),
        ("12 <= p.spot[1]", "p wins", -12),
        ("p.spot[1] == 12", "p wins", -12),
        ("not (p.spot[1] < 12)", "p wins", -12),
        ("every i in 1..2 has p.spot[i] >= 12", "p wins", -24),
        ("some i in 1..2 has p.spot[i] >= 12", "p wins", -12),
        ("no i in 1..2 has p.spot[i] < 12", "p wins", -24),
        ("p.spot[1] >= 10 or p.spot[2] >= 5", "p wins", -1000),
        ("p.spot[1] >= 10 and p.gems >= 5", "p wins", -2000),
        ("p.spot[1] >= 12 and dice[1].face == dice[2].face", "p wins", None),  # what dice show says nothing of a win
        ("p.lives <= 0", "p loses", 3),
        ("rival(p).lives <= 0", "p wins", -3),
        ("p.lives <= 0", "rival(p) wins", None),
    ],
)
def test_the_condition_of_an_end_says_how_far_it_is(condition: str, ending: str, at_first: int | None) -> None:
    made = race(condition, ending)
    assert made.meta.has_progress
    if at_first is not None:
        assert progress_of(made) == [at_first, at_first]


@pytest.mark.parametrize(
    ("condition", "ending"),
    [
        ("laps >= 30", "p wins"),  # the same for all: nobody is ahead
        ("p == seat1 and dice[1].face == 4", "p wins"),  # yes or no, and nothing between
    ],
)
def test_what_does_not_say_who_is_ahead_is_left_out(condition: str, ending: str) -> None:
    assert not race(condition, ending).meta.has_progress


def test_points_and_payoffs_of_the_rules_come_first() -> None:
    text = RACE.replace("CONDITION", "p.spot[1] >= 12").replace("ENDING", "p wins")
    for more in ('score p\n  "Gems"  p.gems\n', "payoff p = p.gems\n"):
        assert not Game(compile_program(checked(text + more))).meta.has_progress
    assert not any(rw.load(name).meta.has_progress for name in ("pikit", "nim", "gomoku", "tic_tac_toe", "kuhn_poker"))


def test_margins_are_over_the_one_who_is_nearest() -> None:
    state = race("p.spot[1] >= 12", players=3).new(seed=1)
    assert margins_at(state) == [0, 0, 0]
    state.apply(0)
    ahead = 12 + keys_of(state)[0][0]
    assert ahead > 0 and margins_at(state) == [ahead, -ahead, -ahead]


def test_a_team_without_points_finds_a_win_that_random_games_never_find() -> None:
    game, _ = both_of(checked(VAULT))
    assert not any(game.playout(seed).won for seed in range(200))
    for seed in range(3):
        state = game.new(seed=seed)
        while not state.over:
            state.apply(rw.bot("mcts:500").choose(state, seed).index)
        assert state.won == (0, 1)


@pytest.mark.parametrize("rules", [VAULT, RACE.replace("CONDITION", "every i in 1..2 has p.spot[i] >= 12")])
def test_both_engines_see_the_same_progress(rules: str) -> None:
    compiled, reference = both_of(checked(rules.replace("ENDING", "p wins")))
    for seed in range(2):
        search_along(compiled, reference, seed, searches=3, simulations=60)


# All against the fire, in which no win can be counted: whoever holds out has won.
FIRE = """
game fire "Fire" for 2 players
map woods is line of 6
  node Field
table
  die: 3 dice of 1..6
each Field
  fire: 0..4 capped
  is_wet: flag
each player
  water: 0..3 capped
play
  repeat 20 times
    for p in players
      turn(p)
    roll die
    for d in die
      for f in Field where f.number == d.face
        f.fire += 1
    check_loss
  everybody wins "Rain"
phase turn(p)
  repeat 2 times
    choose one "What do you do?"
      "Fetch water" if p.water < 3
        p.water += 1
      "Put out {f.number}" for f in Field where f.fire > 0 if p.water > 0
        p.water -= 1
        f.fire -= 2
      "Rest"
phase check_loss
"""
LOOP = """  for f in Field
    if f.fire >= 4
      nobody wins "Burnt"
"""


BURNT = """      if f.fire >= 4
        nobody wins "Burnt"
"""


def danger_of(check: str, fires: tuple[int, ...] = ()) -> int:
    """How far the two are from losing, where the first fields burn so."""
    lit = [f"  for f in Field where f.number == {number}\n    f.fire = {n}\n" for number, n in enumerate(fires, 1)]
    setup = "setup\n" + "".join(lit) if lit else ""
    game = Game(compile_program(checked(FIRE.replace("play\n", f"{setup}play\n", 1) + check)))
    assert game.meta.is_team and game.meta.has_progress and game.meta.progress_is_danger
    state = game.new(seed=1)
    (own,), (other,) = keys_of(state)
    assert own == other
    return own


@pytest.mark.parametrize(
    ("check", "at_first", "near"),
    [
        (LOOP, 4, 1),
        ('  for f in Field where f.fire >= 4\n    nobody wins "Burnt"\n', 4, 1),
        ('  for f in Field\n    check(f)\nphase check(f: Field)\n  if f.fire >= 4\n    nobody wins "Burnt"\n', 4, 1),
        ('  let most = max(f.fire for f in Field)\n  if most >= 4\n    nobody wins "Burnt"\n', 4, 1),
        ("  for f in Field\n    f.is_wet = no\nafter check_loss\n" + LOOP, 4, 1),
        ('  for f in Field where f.number > 2\n    if f.fire >= 4\n      nobody wins "Burnt"\n', 4, 2),
        ('  for f in Field\n    if f.is_wet and f.fire >= 4\n      nobody wins "Burnt"\n', 4, 4),
        ("  for d in die\n    for f in Field where f.number == d.face\n" + BURNT, 4, 1),
        ('  if count(f in Field where f.fire >= 3) >= 3\n    nobody wins "Burnt"\n', 9, 4),
        ('  let n = count(f in Field where f.fire >= 3)\n  if n > 2\n    nobody wins "Burnt"\n', 9, 4),
        ("  for f in Field\n    for p in players\n" + BURNT.replace("4", "4 and p.water == 0"), 1000, 250),
    ],
)  # fmt: skip
def test_a_danger_is_seen_through_loops_and_names(check: str, at_first: int, near: int) -> None:
    assert danger_of(check) == at_first
    assert danger_of(check, (3, 0, 2, 2)) == near


@pytest.mark.parametrize("check", [LOOP, '  if count(f in Field where f.fire >= 3) >= 3\n    nobody wins "Burnt"\n'])
def test_both_engines_see_the_same_danger(check: str) -> None:
    compiled, reference = both_of(checked(FIRE + check))
    for seed in range(2):
        search_along(compiled, reference, seed, searches=3, simulations=60)


def test_a_team_that_only_has_to_hold_out_does() -> None:
    """Random games are lost, all of them: what is to be learnt of them is which were lost later."""
    game, _ = both_of(checked(FIRE + LOOP))
    assert not any(game.playout(seed).won for seed in range(300))
    held_out = 0
    for seed in range(10):
        state = game.new(seed=seed)
        while not state.over:
            state.apply(rw.bot("mcts:200").choose(state, seed).index)
        held_out += bool(state.won)
    assert held_out >= 6
