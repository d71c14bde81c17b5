"""Pieces where they lie, with backs, faces, own fields and what they carry; fields shown and dice not yet rolled."""

from __future__ import annotations

import json

import interpreter as rw
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

END = """
play
  rest(seat1)
phase rest(p)
  choose n in 1..2 "Go on?"
  say "{n}"
"""
KIWIS = """
kind Kiwi
  copies 2 for each owner: player
kind Token
  copies 1 for each number: 1..4
map field is grid 1 by 2
  node Meadow
table
  sack: pile of Token hidden
each Meadow
  birds: pool of Kiwi open
each Kiwi
  seeds: pool of Token hidden
  worms: pool of Token open
  tired: flag
setup
  move all t in Token to sack
  for m in Meadow
    move 1 k in Kiwi where k in box to m.birds
  for k in (Meadow.meadow_1_2).birds
    k.tired = yes
    draw 1 from sack to k.seeds
    move top of sack to k.worms
"""


def played(rules: str, seed: int = 1) -> rw.State:
    return game_from_program(checked(rules + END)).new(seed=seed)


def test_what_a_piece_carries_is_told_where_it_lies() -> None:
    shown = played(KIWIS).view(1)["pieces"]
    assert json.loads(json.dumps(shown)) == shown
    assert shown["nodes"] == {
        "meadow_1_1": {
            "birds": [
                {"name": "Kiwi seat1", "kind": "Kiwi", "label": "Kiwi seat1 1", "fields": {"tired": False}},
            ]
        },
        "meadow_1_2": {
            "birds": [
                {
                    "name": "Kiwi seat1",
                    "kind": "Kiwi",
                    "label": "Kiwi seat1 2",
                    "fields": {"tired": True},
                    "carries": {
                        "seeds": [{"name": "Token 4", "kind": "Token"}],
                        "worms": [{"name": "Token 3", "kind": "Token"}],
                    },
                }
            ]
        },
    }
    assert shown["edges"] == {} and shown["players"] == [{}, {}]


CARDS = """
enum Age = old | new
kind Card from cards.yaml
  age: Age back
  rank: 1..9
table
  deck: pile of Card hidden
  row: row of Card open
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat1.hand
  draw 1 from deck to row
  draw 1 from deck to row as last face down
"""
ROWS = "".join(f"- {{id: {age}_{rank}, age: {age}, rank: {rank}}}\n" for age in ("old", "new") for rank in (1, 2, 3))


def test_backs_are_seen_by_all() -> None:
    game = game_from_program(checked(CARDS + END, tables={"cards.yaml": ROWS}))
    state = game.new(seed=4)
    truth = state.view(None)["places"]
    own, other = state.view(0)["pieces"], state.view(1)["pieces"]
    names = sorted(truth["players"][0]["hand"])
    assert sorted(card["name"] for card in own["players"][0]["hand"]) == names
    ages = sorted(name[:3] for name in names)
    assert sorted(card["back"]["age"] for card in other["players"][0]["hand"]) == ages
    assert all(card["name"] is None and card["kind"] == "Card" for card in other["players"][0]["hand"])
    up, down = other["table"]["row"]
    assert up["name"] == truth["table"]["row"][0] and "face_down" not in up
    assert down == {"name": None, "kind": "Card", "back": {"age": truth["table"]["row"][1][:3]}, "face_down": True}
    assert [card["back"]["age"] for card in other["table"]["deck"]] == [name[:3] for name in truth["table"]["deck"]]


def test_an_unordered_place_is_told_in_an_order_that_says_nothing() -> None:
    game = game_from_program(checked(CARDS + END, tables={"cards.yaml": ROWS}))
    for seed in range(20):
        state = game.new(seed=seed)
        for player in (0, 1):
            shown = state.view(player)["pieces"]
            assert all(state.determinize(player, other).view(player)["pieces"] == shown for other in range(5))


DICE = """
table
  dice: 2 dice of 1..6
  last: 1 dice of 1..6
each player
  cup: 1 dice of 1..6 secret
setup
  roll last
  roll seat1.cup
"""


def test_a_die_that_was_never_rolled_has_no_face() -> None:
    state = played(DICE)
    shown = state.view(0)["dice"]
    assert shown["dice"] == [None, None]
    assert shown["last"] == state.view(None)["dice"]["last"] != [None]
    assert shown["cup"] == {"seat1": state.view(None)["dice"]["cup"]["seat1"], "seat2": "?"}
    again = state.game.from_json(state.to_json())
    assert again.view(0)["dice"] == shown


def test_a_die_that_rules_set_has_the_face_they_say() -> None:
    assert played(DICE + "  dice[1].face = 1\n").view(0)["dice"]["dice"] == [1, 1]


FIELDS = """
each player
  number: 0..9 secret
  tally[1..2]: 0..9 secret
setup
  seat1.number = 4
  seat2.number = 5
  seat2.tally[2] = 7
  reveal seat2.number to seat1
  reveal seat2.tally[2]
"""


def test_what_was_revealed_of_a_field_is_shown() -> None:
    state = played(FIELDS)
    first, second = (state.view(player)["fields"]["players"] for player in (0, 1))
    assert [own["number"] for own in first] == [4, 5]
    assert [own["number"] for own in second] == ["?", 5]
    assert first[1]["tally"] == {"1": "?", "2": 7} and second[0]["tally"] == "?"


PLAYED = """
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
  trick: row of Card open
  line: row of Card hidden
each player
  hand: hand of Card secret
each Card
  player_of: player?
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to trick
    for c in trick where c.player_of is none
      c.player_of = p
  move all c in trick to deck
  shuffle deck
  draw 1 from deck to line
  for p in players
    draw 1 from deck to p.hand
"""


def test_an_open_field_of_a_card_in_a_closed_hand_is_not_shown() -> None:
    """Else it would tell which card it is: all have seen who laid which. In a row the single cards are seen."""
    pieces = played(PLAYED).view(0)["pieces"]
    (rival,), (lying,) = pieces["players"][1]["hand"], pieces["table"]["line"]
    (own,) = pieces["players"][0]["hand"]
    assert rival["fields"] == {"player_of": "?"} and own["fields"]["player_of"] != "?"
    assert lying["name"] is None and lying["fields"]["player_of"] != "?"


def test_an_open_field_that_rules_read_in_a_closed_hand_is_shown() -> None:
    reading = "  for p in players\n    if every c in p.hand has c.player_of == p\n      stop\n"
    (rival,) = played(PLAYED + reading).view(0)["pieces"]["players"][1]["hand"]
    assert rival["fields"]["player_of"] != "?"
