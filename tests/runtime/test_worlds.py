"""Worlds keep what was told: by values, by choices, and by what was not chosen; they never give the truth away."""

from __future__ import annotations

import json
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path

import jsonschema
import pytest

import interpreter as rw
from interpreter.runtime import walk
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

ROOT = Path(__file__).parents[2]

SUIT = """
game suit "Suit" for 2 players
enum Suit = red | blue
kind Card
  copies 1 for each suit: Suit, rank: 1..4
table
  deck: pile of Card hidden
  led: pile of Card open
  tricks: pile of Card open
each player
  hand: hand of Card secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 3 from deck to p.hand
play
  repeat 3 times
    lead(seat1)
    follow(seat2)
    move all d in led to tricks
phase lead(p)
  choose c in p.hand "Lead"
  move c to led
phase follow(p)
  let suit = (first of led).suit otherwise red
  choose d in p.hand where d.suit == suit or no e in p.hand has e.suit == suit "Follow"
  move d to led
"""

BIDS = """
game bids "Bids" for 2 players
table
  rounds: 0..9
each player
  bid: 0..9 secret
  points: 0..9
play
  in turn p from seat1 until rounds >= 3
    rounds += 1
    choose n in 1..4 secretly "Bid"
    p.bid = n
    if public(p.bid > 2)
      p gains 1 points
    choose m in 0..1 "Raise"
    p gains m bid
"""


@cache
def game(rules: str) -> rw.Game:
    return game_from_program(checked(rules))


def hand(state: rw.State, player: int) -> list[str]:
    return state.view(None)["places"]["players"][player]["hand"]


def test_who_does_not_follow_suit_has_none_of_it() -> None:
    looked = 0
    for seed in range(40):
        state = game(SUIT).new(seed=seed)
        state.apply(0)
        while not state.over and state.who == 1:
            state.apply(0)
        first, second = sorted(state.view(0)["places"]["table"]["tricks"], key=state.log(0)[0].endswith, reverse=True)
        suit = first.split()[1]
        if suit == second.split()[1]:
            continue
        looked += 1
        for number in range(10):
            assert not [card for card in hand(state.determinize(0, number), 1) if suit in card]
    assert looked


def test_a_secret_number_keeps_what_was_told_of_it_and_what_was_added() -> None:
    state = game(BIDS).new(seed=0)
    state.apply(3)
    state.apply(1)
    bids = {state.determinize(1, seed).view(None)["fields"]["players"][0]["bid"] for seed in range(60)}
    assert bids == {4, 5}, "more than two was told, and one was added openly"
    assert {state.determinize(0, seed).view(None)["fields"]["players"][0]["bid"] for seed in range(9)} == {5}


def test_a_world_has_a_seed_a_history_and_a_log_of_its_own() -> None:
    state = game(SUIT).new(seed=5)
    for _ in range(3):
        state.apply(0)
    drawn = state.determinize(1, 77)
    assert drawn.seed == 77
    assert drawn.history == ()
    assert drawn.log(1) == drawn.log(0) == state.log(1)
    assert drawn.g != state.g


@pytest.mark.parametrize("rules", [SUIT, BIDS])
def test_a_save_keeps_what_was_told(rules: str) -> None:
    state = game(rules).new(seed=3)
    while not state.over:
        again = game(rules).from_json(state.to_json())
        for player in range(2):
            assert again.information(player) == state.information(player)
            assert again.determinize(player, 9).same_as(state.determinize(player, 9))
            assert not again.determinize(player, 9).approximate
        state.apply(0)


def test_a_world_of_a_world_says_that_it_may_be_wrong() -> None:
    drawn = game(SUIT).new(seed=3).determinize(0, 1)
    assert not drawn.approximate
    assert drawn.determinize(1, 2).approximate


def test_an_observation_is_plain_data_of_its_schema() -> None:
    schema = json.loads((ROOT / "schemas" / "observation.schema.json").read_text(encoding="utf-8"))
    for rules in (SUIT, BIDS):
        state = game(rules).new(seed=3)
        while not state.over:
            for player in range(2):
                observed = state.observation(player)
                jsonschema.validate(observed, schema)
                assert json.loads(json.dumps(observed)) == observed
                assert (observed["options"] is None) == (state.who != player)
            state.apply(0)


def test_every_world_can_go_on() -> None:
    for seed in range(6):
        state = game(SUIT).new(seed=seed)
        while not state.over:
            for player in range(2):
                drawn = state.determinize(player, seed)
                assert drawn.view(player) == state.view(player)
                assert drawn.information(player) == state.information(player)
                for option in range(len(drawn.decision.options)):
                    drawn.clone().apply(option)
            state.apply(len(state.decision.options) // 2)


def test_a_walk_that_is_cut_short_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    state = game(SUIT).new(seed=5)
    for _ in range(2):
        state.apply(0)
    monkeypatch.setattr(walk, "_LEAPS", 0)  # else everything is renamed at once, which may be the whole way
    monkeypatch.setattr(walk, "_MOST_LEAPS", 0)
    assert not any(state.determinize(0, seed).approximate for seed in range(10))
    monkeypatch.setattr(walk, "_MOST_STEPS", 1)
    assert all(state.determinize(0, seed).approximate == (walk.TOO_SHORT,) for seed in range(10))


def test_worlds_are_prepared_once_and_kept_while_the_state_stands_where_it_is() -> None:
    state = game(SUIT).new(seed=5)
    state.apply(0)
    kept = state.worlds(0)
    assert state.worlds(0) is kept is state.clone().worlds(0)
    assert kept.draw(7).same_as(state.determinize(0, 7))
    state.apply(0)
    assert state.worlds(0) is not kept
    assert kept.draw(7).view(0) != state.view(0), "it draws what could be thought possible then"


def test_a_series_of_worlds_agrees_and_comes_up_as_often() -> None:
    """Each world goes on from the one before; over many of them the other hand is as it is in single draws."""
    state = game(SUIT).new(seed=5)
    state.apply(0)
    while state.who != 0 and not state.over:
        state.apply(0)
    worlds = state.worlds(0)
    draw = worlds.series()
    drawn = [draw(seed) for seed in range(240)]
    for world in drawn[:15]:
        assert world.view(0) == state.view(0) and world.information(0) == state.information(0)
    again = worlds.series()
    assert [again(seed).to_json() for seed in range(5)] == [world.to_json() for world in drawn[:5]]
    assert again(7).to_json() != drawn[5].to_json(), "the seed of each counts too"
    single = Counter(tuple(sorted(hand(worlds.draw(seed), 1))) for seed in range(240))
    in_a_row = Counter(tuple(sorted(hand(world, 1))) for world in drawn)
    assert set(single) == set(in_a_row)
    spread = sum((single[one] - in_a_row[one]) ** 2 / (single[one] + in_a_row[one]) for one in single)
    assert spread < 2.5 * len(single), "neighbours of a series are alike, so it may be wider than that of single draws"


def test_a_world_works_out_what_players_know_when_somebody_looks() -> None:
    state = game(SUIT).new(seed=5)
    for _ in range(3):
        state.apply(0)
    drawn = state.determinize(1, 3)
    assert drawn.since is not None
    played = drawn.clone()
    game(SUIT).finish(played, 1)
    assert played.over and played.since is not None, "a playout does not look"
    assert drawn.view(1) == state.view(1)
    assert drawn.since is None


def test_threads_draw_the_same_worlds() -> None:
    state = game(SUIT).new(seed=5)
    for _ in range(3):
        state.apply(0)
    alone = [state.clone().determinize(1, seed).to_json() for seed in range(40)]
    again = game(SUIT).from_json(state.to_json())
    with ThreadPoolExecutor(4) as threads:
        assert list(threads.map(lambda seed: again.determinize(1, seed).to_json(), range(40))) == alone


MARCH = """
game march "March" for 2 players
kind Card
  copies 1 for each rank: 1..6
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  steps: 0..30
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 2 from deck to p.hand
play
  repeat 3 times
    for p in players
      march(p)
      %s
phase march(p)
  choose n in 1..count(p.hand) + 1 "How far?"
  gain n steps
phase boast(p)
  choose c in p.hand where c.rank > 1 "Which card do you praise?"
  gain 1 steps
"""


@pytest.mark.parametrize(("rest", "facts"), [("", 0), ("boast(p)", 1)])
def test_a_question_that_looks_at_no_closed_place_tells_nothing(rest: str, facts: int) -> None:
    """How many cards there are is open, so the first question may count them."""
    state = game(MARCH % rest).new(seed=1)
    while state.who == 0:
        state.apply(1)
    assert len({fact.snapshot.site for fact in state.worlds(1).dealer.story.facts}) == facts
