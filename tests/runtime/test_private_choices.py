"""Choices made together: what a player has not seen is made again, and everything else stays as it was."""

from __future__ import annotations

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.game import Game, game_from_program
from tests.toys import gather_text

RULES = """
game bids "Bids" for 3 players
enum Rank = low | middle | high | highest
kind Card
  copies 1 for each rank: Rank, owner: player
each player
  hand: hand of Card secret
  laid: slot of Card secret
  bid: 0..9 secret
setup
  for p in players
    move all c in Card where c.owner == p to p.hand
play
  together p in players "Lay a card"
    choose c in p.hand secretly "Which card?"
    move c to p.laid
    choose n in 1..3 secretly "How much?"
    p.bid = n
  for p in players
    reveal p.laid
    reveal p.bid
score p
  "Bid" p.bid
rank p by highest score, then shared
"""


def game(rules: str = RULES) -> Game:
    found = Diagnostics()
    program = check(gather_text(rules, players=3, found=found), found)
    assert program is not None, [finding.headline for finding in found]
    return game_from_program(program)


def test_what_the_others_chose_is_drawn_anew() -> None:
    state = game().new(seed=1)
    for _ in range(2):
        state.apply(0)
    assert state.who == 1
    laid = {tuple(state.determinize(1, seed).view(None)["places"]["players"][0]["laid"]) for seed in range(40)}
    bids = {state.determinize(1, seed).view(None)["fields"]["players"][0]["bid"] for seed in range(40)}
    assert len(laid) == 4
    assert bids == {1, 2, 3}


def test_the_players_own_choices_view_and_options_stay() -> None:
    state = game().new(seed=1)
    for _ in range(3):
        state.apply(1)
    assert state.who == 1
    for seed in range(10):
        drawn = state.determinize(1, seed)
        assert drawn.view(1) == state.view(1)
        assert [int(option) for option in drawn.decision.options] == [int(option) for option in state.decision.options]


def test_a_save_inside_the_block_keeps_what_it_needs() -> None:
    playing = game()
    state = playing.new(seed=1)
    for _ in range(3):
        state.apply(2)
    again = playing.from_json(state.to_json())
    assert again.same_as(state)
    assert len({again.determinize(1, seed).view(None)["fields"]["players"][0]["bid"] for seed in range(40)}) == 3


def test_nothing_is_left_over_after_the_block() -> None:
    state = game().new(seed=1)
    while not state.over:
        state.apply(0)
    assert state.apart is None and state.together == 0


RARE = """
game rare "Rare" for 2 players
kind Card
  copies 1 for each rank: 1..60
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  bid: 0..9 secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  together p in players "Bid"
    p may "Bid" if some c in p.hand has c.rank == 1
      p.bid = 3
  for p in players
    reveal p.bid
    p chooses n in 1..2 "Go on?"
"""


def test_a_world_is_never_the_game_itself() -> None:
    """One card in sixty lets its owner bid: hardly any world that is drawn comes to that bid."""
    found = Diagnostics()
    program = check(gather_text(RARE, players=2, found=found), found)
    assert program is not None, [finding.headline for finding in found]
    rare = game_from_program(program)
    state = next(state for seed in range(2_000) if (state := rare.new(seed=seed)).together and state.who == 1)
    worlds = [state.determinize(0, seed) for seed in range(12)]
    held = [world.view(None)["places"]["players"][1]["hand"] for world in worlds]
    assert sum("1" in hand[0].split() for hand in held) < 6
    assert len({hand[0] for hand in held}) > 6
    for world in worlds:
        assert world.approximate == ()
        assert world.who == 1 if world.together else world.who == 0  # where nobody is asked, the block is over
        while not world.over:
            world.apply(0)


def test_nobody_is_thought_to_have_chosen_what_ends_in_a_fault() -> None:
    """The rules let a bid of four through, and the field has no room for it."""
    state = game(RULES.replace("bid: 0..9", "bid: 0..3").replace("n in 1..3", "n in 2..4")).new(seed=1)
    for _ in range(2):
        state.apply(0)
    assert state.who == 1
    bids = {state.determinize(1, seed).view(None)["fields"]["players"][0]["bid"] for seed in range(40)}
    assert bids == {2, 3}
