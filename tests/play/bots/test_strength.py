"""Known truths that tree search must find. What takes long is in `docs/bots.md`, with the command that measured it."""

from __future__ import annotations

from functools import reduce
from operator import xor

import pytest

import interpreter as rw
from interpreter.native.unavailable import NativeUnavailable
from interpreter.play.bots.standing import keys_of, margins_of
from interpreter.play.match import bot_match
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked


@pytest.mark.parametrize("seat", [0, 1])
def test_tic_tac_toe_is_never_lost(seat: int) -> None:
    """Against every possible way to play: all answers of the other side are tried."""
    bot, game = rw.bot("mcts:300"), rw.load("tic_tac_toe")
    ends, left, chosen = [0, 0], [game.new()], {}
    while left:
        state = left.pop()
        if state.over:
            assert seat in state.winners, state.log()
            ends[len(state.winners) - 1] += 1
        elif state.decision.player == seat:
            if state not in chosen:
                chosen[state] = bot.choose(state, seed=1).index
            left.append(state.clone().apply(chosen[state]))
        else:
            left += [state.clone().apply(option.index) for option in state.decision.options]
    assert sum(ends) > 40


def piles_of(state: rw.State) -> list[int]:
    piles: list[int] = state.view(None)["fields"]["table"]["piles"].values()
    return list(piles)


def is_won(piles: list[int], last_wins: bool) -> bool:
    """The theory of nim, for the player who has to take."""
    if not last_wins and max(piles) <= 1:
        return sum(piles) % 2 == 0
    return reduce(xor, piles) != 0


@pytest.mark.parametrize("name", ["nim", "nim+last_wins"])
def test_nim_is_won_from_won_positions(name: str) -> None:
    bot, game = rw.bot("mcts:400"), rw.load(name)
    checked_positions = 0
    for seed in range(6):
        state = game.new(seed)
        for number in range(4 + seed):
            if not state.over:
                state.apply(rw.bot("random").choose(state, 100 * seed + number))
        while not state.over and not is_won(piles_of(state), name != "nim"):
            state.apply(0)
        if state.over:
            continue
        winner = state.decision.player
        while not state.over:
            mine = state.decision.player == winner
            state.apply(bot.choose(state, 1) if mine else rw.bot("random").choose(state, seed))
        assert state.winners == [winner]
        checked_positions += 1
    assert checked_positions >= 4


def test_a_win_at_once_is_taken_and_one_of_the_other_side_is_stopped() -> None:
    state = rw.load("connect_four").new()
    for column in (0, 6, 0, 6, 0):
        state.apply(column)
    assert rw.bot("mcts:150").choose(state, 1).index == 0  # the other side has three in a row
    state.apply(5)
    assert rw.bot("mcts:50").choose(state, 1).index == 0  # four


def test_search_beats_random_in_a_game_of_several_with_hidden_cards() -> None:
    game = rw.load("pikit", 3, backend="native")  # the same choices as Python's, sooner
    points = 0.0
    for seed in range(6):
        kinds = ["random"] * 3
        kinds[seed % 3] = "flat:60"
        match = bot_match(game, kinds, seed)
        match.run()
        points += (match.state.returns or [0.0] * 3)[seed % 3]
    assert points > 0


SOLO = """
each player
  points: 0..60
play
  repeat 4 times
    take(seat1)
phase take(p)
  choose n in 1..3 "How many?"
  if p.points mod 2 == 0
    p gains n points
  else
    p gains 4 - n points
score p
  "Points"  p.points
"""


def test_alone_the_points_count() -> None:
    """Three at once makes the points odd, and then one more gives three again."""
    game = game_from_program(checked(SOLO, 1))
    assert bot_match(game, ["mcts:120"], seed=2).run().scores == (12,)


DICE = """
table
  dice: 3 dice of 1..6
  points: 0..300
play
  repeat 6 times
    take(seat1)
phase take(p)
  roll dice
  choose one "What do you take?"
    "The sum"
      points += dice[1].face + dice[2].face + dice[3].face
    "Sixfold ones" if some n in 1..3 has dice[n].face == 1
      points += 6 * count(n in 1..3 where dice[n].face == 1)
    "Nothing"
score p
  "Points"  points
"""


def test_options_are_compared_over_the_same_dice() -> None:
    """The best choice is whatever gives most at once, but the dice to come move the result by far more than it does.
    With other dice for each simulation 4 of these 36 choices are wrong."""
    game, bot, wrong, asked = game_from_program(checked(DICE, 1)), rw.bot("mcts:50"), 0, 0
    for seed in range(12):
        state = game.new(seed)
        while not state.over:
            gains = [keys_of(state.clone().apply(index))[0][0] for index in range(len(state.opts))]
            if len(gains) > 2:
                asked += 1
                wrong += gains[bot.choose(state, asked).index] < max(gains)
            state.apply(gains.index(max(gains)))
    assert asked > 30 and wrong <= 1


BIDDING = """
each player
  bid: 0..3 secret
  points: 0..9
play
  together q in players "Bid"
    choose n in 0..3 secretly "How much?"
    q.bid = n
  for q in players
    reveal q.bid
  if seat1.bid > seat2.bid
    seat1 gains 1 points
  if seat2.bid > seat1.bid
    seat2 gains 1 points
score p
  "Points"  p.points
"""


def test_players_who_choose_at_once_cannot_see_each_others_choice() -> None:
    """The highest bid is the only one that never loses; a player who saw the other's bid would not need it."""
    game = game_from_program(checked(BIDDING, 2))
    state = game.new()
    for _ in range(2):
        assert str(rw.bot("mcts:200").choose(state, 1)) == "3"
        state.apply(1)


def test_margins_go_by_the_best_other_player() -> None:
    assert margins_of([(5,), (9,), (7,)]) == [-4, 2, -2]
    assert margins_of([(5, 1), (5, 0)]) == [0, 0]
    assert margins_of([(), ()]) == [0, 0] and margins_of([(4,)]) == [4]
    assert keys_of(rw.load("nim").new()) == [(), ()]


@pytest.mark.parametrize("name", ["kalah", "kuhn_poker"])
def test_random_games_on_the_native_engine_give_the_same_choices(name: str) -> None:
    try:
        native = rw.load(name, 2, backend="native")
    except NativeUnavailable as reason:
        pytest.skip(str(reason))
    plain = rw.load(name, 2, backend="python")
    for seed in range(4):
        chosen = [rw.bot("mcts:60").choose(game.new(seed), seed).index for game in (native, plain)]
        assert chosen[0] == chosen[1]
