"""Sets that were chosen in the open: pieces that go out of sight only then, and nodes. Nobody is held to more by them
than was seen."""

from __future__ import annotations

from random import Random

from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

RULES = """
kind Card
  copies 4 for each rank: 1..3
table
  sack: bag of Card hidden
each player
  shown: pool of Card open
  hand: hand of Card secret
  turns: 0..9
setup
  move all c in Card to sack
  for p in players
    draw 2 from sack to p.shown
    draw 1 from sack to p.hand
play
  in turn p from seat1 until every q in players has q.turns == 3
    turn(p)
phase turn(p)
  p.turns += 1
  choose 1 c in p.shown where c.rank > 0 as back "Which goes back?"
  move back to sack
  draw 1 from sack to p.hand
  draw 1 from sack to p.shown
  choose up to 1 c in p.hand where c.rank > 1 as laid secretly "Which?"
  move laid to sack
"""


def test_worlds_are_drawn_behind_a_set_that_went_from_open_into_a_bag() -> None:
    game = game_from_program(checked(RULES))
    hands: set[str] = set()
    for seed in range(3):
        state, chooser = game.new(seed), Random(seed)
        while not state.over:
            for player in range(2):
                world = state.determinize(player, 3)
                assert world.view(player)["places"] == state.view(player)["places"]
                hands.add(str(world.view(None)["places"]["players"][1 - player]["hand"]))
            state.apply(chooser.randrange(len(state.opts)))
    assert len(hands) > 10


SPOTS = """
kind Card
  copies 4 for each rank: 1..3
map board is grid 3 by 3
  node Spot
each Spot
  marks: 0..9 capped
table
  sack: bag of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to sack
  for p in players
    draw 3 from sack to p.hand
play
  mark(seat1)
  rest(seat2)
phase mark(p)
  choose 2 s in Spot where some c in p.hand has c.rank >= s.row as marked "Which spots?"
  for s in marked
    s.marks += 1
phase rest(p)
  choose n in 1..2 "Go on?"
"""


def test_a_set_of_nodes_is_no_set_of_the_pieces_with_these_numbers() -> None:
    game = game_from_program(checked(SPOTS))
    for seed in range(8):
        state, chooser = game.new(seed), Random(seed)
        while state.who == 0:
            state.apply(chooser.randrange(len(state.opts)))
        hands = {str(state.determinize(1, other).view(None)["places"]["players"][0]["hand"]) for other in range(8)}
        assert len(hands) > 2


TURNS = (
    SPOTS.replace(
        "  mark(seat1)\n  rest(seat2)", "  in turn p from seat1 until every q in players has q.turns == 3\n    mark(p)"
    )
    .replace("  hand: hand of Card secret", "  hand: hand of Card secret\n  turns: 0..9")
    .replace("phase mark(p)", "phase mark(p)\n  p.turns += 1")
    .replace(
        'phase rest(p)\n  choose n in 1..2 "Go on?"',
        '  choose c in p.hand secretly "Which?"\n  move c to sack\n  draw 1 from sack to p.hand',
    )
)


def test_a_world_that_does_not_offer_what_was_picked_is_drawn_again() -> None:
    game = game_from_program(checked(TURNS))
    for seed in range(10):
        state, chooser = game.new(seed), Random(seed)
        while not state.over:
            for player in range(2):
                world = state.determinize(player, 3)
                assert world.over or world.decision.options
            state.apply(chooser.randrange(len(state.opts)))
