"""What a search plays for where margins say nothing, or the wrong thing: players who win or lose together, and games in
which whoever invests is behind for a while."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.compile.load import compile_program
from interpreter.play.bots.half_time import MEASURED, HalfTime
from interpreter.play.bots.playing_out import PlayingOut
from interpreter.play.bots.standing import margins_at, result_of
from interpreter.play.bots.tree import Search
from interpreter.runtime.game import Game, game_from_program
from tests.engine.test_search import search_along
from tests.engine.test_toys import both_of
from tests.toy_games import checked

# Two players build one tower. Each stone counts for both, and a heavy one that stands on nothing ends the game.
TOWER = """
game tower "Tower" for 2..3 players
table
  height: 0..40
  fallen: flag
each player
  turns: 0..5
play
  in turn p from seat1 until every q in players has q.turns == 3
    turn(p)
phase turn(p)
  p.turns += 1
  choose one "Which stone?"
    "None"
    "A light one"
      height += 1
    "A heavy one"
      if height == 0
        end game "It falls"
      height += 3
score p
  "Height"  height
rank p by highest score, then shared
"""

# The same without points: all win or all lose.
LAMPS = """
game lamps "Lamps" for 2 players
table
  lit: 0..6
play
  repeat 3 times
    for p in players
      turn(p)
  nobody wins "Dark"
phase turn(p)
  choose one "What?"
    "Nothing"
    "A lamp"
      lit += 1
  if lit == 6
    everybody wins "Light"
"""

# Money is all that counts, and a press that costs some pays it back in six of the twelve turns.
PRESS = """
game press "Press" for 2 players
table
  dice: 1 dice of 1..2
each player
  coins: 0..200 = 12
  presses: 0..20
  turns: 0..20
play
  in turn p from seat1 until every q in players has q.turns == 12
    turn(p)
phase turn(p)
  p.turns += 1
  roll dice
  gain dice[1].face + p.presses coins
  choose one "Build?"
    "A press" if p.coins >= 6
      pay 6 coins
      p.presses += 1
    "Save"
score p
  "Coins"  p.coins
rank p by highest score, then shared
"""

OWN = TOWER.replace('"Height"  height', '"Height"  height + p.turns')


def game(rules: str) -> Game:
    return Game(compile_program(checked(rules)))


@pytest.mark.parametrize(
    ("rules", "is_team"),
    [
        (TOWER, True),
        (LAMPS, True),
        (OWN, False),
        (PRESS, False),
        (TOWER.replace("rank p by highest score", "rank p by highest score, then most p.turns"), False),
        (LAMPS.replace("everybody wins", "p wins"), False),
        (LAMPS.replace('nobody wins "Dark"', 'seat1 loses "Dark"'), False),
        (TOWER.replace("      height += 1\n", '      height += 1\n      p drops out "Tired"\n'), False),
        (TOWER + "payoff p = height\n", False),
    ],
)
def test_players_are_a_team_if_nothing_tells_them_apart_at_the_end(rules: str, is_team: bool) -> None:
    assert game(rules).meta.is_team is is_team


def test_one_player_is_no_team_and_shipped_games_have_none() -> None:
    assert not game_from_program(checked(TOWER.replace("2..3", "1..3"), 1)).meta.is_team
    assert not any(rw.load(name).meta.is_team for name in ("pikit", "kalah", "liars_dice", "tic_tac_toe"))


@pytest.mark.parametrize("kind", ["greedy", "mcts:60", "flat:60"])
def test_a_team_plays_for_what_it_has_together(kind: str) -> None:
    """The first stone must be light, all others heavy: five times 3 and 1."""
    state = game(TOWER).new(seed=1)
    while not state.over:
        state.apply(rw.bot(kind).choose(state, state.who).index)
    assert list(state.scores) == [16, 16]
    assert margins_at(state) == [16, 16] and result_of(state) == [0.0, 0.0]


def test_a_team_without_points_wins_if_it_can() -> None:
    state = game(LAMPS).new(seed=1)
    while not state.over:
        state.apply(rw.bot("mcts:400").choose(state, state.who).index)
    assert result_of(state) == [1.0, 1.0] and state.returns == [0.0, 0.0]


@pytest.mark.parametrize("rules", [TOWER, LAMPS, PRESS], ids=["tower", "lamps", "press"])
def test_the_engine_has_the_same_aims(rules: str) -> None:
    compiled, reference = both_of(checked(rules))
    for seed in range(3):
        search_along(compiled, reference, seed, 4, 60)


def measured(pairs: list[tuple[int, int]]) -> HalfTime:
    """Sixteen games of two players of ten choices each: the margin of the first at half time, and at the end."""
    found = HalfTime(2, may_stop=True)
    found.played(10, None, [1, -1])
    for number in range(MEASURED - 1):
        half, end = pairs[number % len(pairs)]
        assert found.noting_after == 5 and not found.stops_after
        found.played(10, [half, -half], [end, -end])
    assert not found.is_measuring and not found.noting_after
    return found


def test_games_stop_where_half_time_foretells_the_end() -> None:
    assert measured([(2, 3), (-2, -3)]).stops_after == 8  # at least so many choices
    assert measured([(4, 4), (-4, -4), (2, 0), (-2, 0)]).stops_after == 8
    assert not measured([(2, -3), (-2, 3)]).stops_after  # whoever is behind comes first
    assert not measured([(4, 1), (-4, -1)]).stops_after
    assert not measured([(0, 5), (0, -5)]).stops_after  # nobody is ahead before the end
    assert not measured([(3, 3)]).stops_after  # always the same margin: nothing is known of others


def test_a_lead_that_all_games_share_says_nothing() -> None:
    """The first player is 50 ahead in every game; what differs between them is what counts."""
    assert not measured([(52, 47), (48, 53)]).stops_after
    assert measured([(52, 53), (48, 47)]).stops_after == 8


def stops(rules: str | None, name: str, seeds: range) -> list[bool]:
    found = []
    for seed in seeds:
        played = game(rules) if rules is not None else rw.load(name, backend="python")
        state = played.new(seed=seed)
        playing_out = PlayingOut(state, guided=True)
        Search(state, seed, playing_out).simulate(MEASURED + 4)
        found.append(bool(playing_out._half_time.stops_after))
    return found


def test_investments_are_seen_and_steady_games_are_stopped() -> None:
    assert sum(stops(PRESS, "", range(6))) <= 1
    assert sum(stops(None, "kalah", range(4))) >= 3
