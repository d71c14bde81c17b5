"""Worlds that are not all that there could be say so.

A world has as many pieces in each place as the game, and the fields of a piece go with it: how many somebody laid where
nobody may count, and which of several cards chance has marked, is not drawn.

Inside `together` others may take one of several ways, and nobody sees which. Where pieces move unseen or chance falls
there, the ways are those of the game in every world (section 18 of the reference). No such world is wrong; but if some
never come up, every world that does is marked.
"""

from __future__ import annotations

import pytest

from interpreter.runtime.game import game_from_program
from tests.knowledge.histories import GAMES
from tests.knowledge.left_out_games import KEPT_IN_MIND, KEPT_IN_THE_OPEN, OPEN_WRITTEN_OVER, WATCHED, WRITTEN_OVER
from tests.knowledge.properties import Effort, Proof, every_world_is_possible
from tests.toy_games import checked

ROLLED = """
each player
  cup: 1 dice of 1..2 secret
  bid: 0..3 secret
  points: 0..9
play
  together p in players
    plan_of(p)
  rest(seat1)
effect plan_of(p)
  choose one "What?"
    "Roll"
      roll p.cup
      p.bid = 1
    "Bid"
      choose n in 2..3 secretly "How much?"
      p.bid = n
phase rest(p)
  choose n in 1..2 "Go on?"
  if public(rival(p).bid == n)
    gain n points
"""
LAID = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret uncounted
  stash: pool of Card secret uncounted
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  together p in players
    may "Lay {c}" for c in p.hand
      move c to p.stash
  rest(seat1)
phase rest(p)
  choose n in 1..2 "Go on?"
  if public(count(rival(p).stash) == n)
    gain n points
"""
UNCOUNTED = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret uncounted
  store: pool of Card secret uncounted
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat1.hand
play
  lay(seat1)
  ask(seat2)
phase lay(p)
  choose up to 2 c in p.hand as aside secretly "Which?"
  move aside to p.store
phase ask(p)
  choose n in 0..2 "How many?"
  if public(count(rival(p).store) == n)
    gain 1 points
"""
MARKED = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  points: 0..9
each Card
  cursed: flag hidden
setup
  pick c in Card at random
  c.cursed = yes
  move all d in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  look(seat1)
  look(seat2)
phase look(p)
  choose q in players "At whose card?"
  if public(some c in q.hand has c.cursed)
    gain 1 points
"""
# Who boasts once may have done so at the first question or at the second; worlds have it where it was.
HUSHED = """
each player
  purse: 0..9 capped secret = 1
play
  boast(seat2)
  seat2.purse = min(9, seat2.purse + seat2.purse)
  boast(seat2)
  rest(seat1)
effect boast(q)
  q may "Boast" if q.purse > 0
    q.purse -= 1
phase rest(p)
  choose n in 1..2 "Go on?"
"""
LABELLED = """
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  aside: pool of Card secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  draw 3 from deck to seat1.hand
play
  keep(seat1)
  rest(seat2)
phase keep(p)
  choose one "Which do you keep?"
    "Keep one worth {c.rank div 2}" for c in p.hand
      move c to p.aside
phase rest(p)
  choose n in 1..2 "Go on?"
  gain n points
"""


# With another card, whoever chose it would have been asked for a number as well, or would not have been.
ASKED_BY_CARD = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  plan: 0..9 secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat2.hand
play
  together p in players
    choose c in p.hand "Which?" if possible
      if c.rank == 2
        choose k in 1..2 "What of it?"
        p.plan = k
  rest(seat1)
phase rest(p)
  choose n in 1..2 "Go on?"
"""

PUT_BACK = """
# How deep the card went decides what is noted.
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
  shown: slot of Card open
  luck: 0..3 hidden
setup
  move all c in Card to deck
  shuffle deck
play
  draw 1 from deck to shown as c
  seat1 chooses n in 0..2 secretly "How deep does it go?"
  move c to deck after deck[n]
  luck = (top of deck).rank otherwise 0
  seat2 chooses m in 1..3 "Which one do you turn up?"
  reveal deck[m]
  seat1 chooses one "Go on?"
    "Yes"
      if public(luck == 3)
        end game "Yes"
    "No"
"""

# A die that was not thrown there may be one that was, in another world.
MAY_ROLL = """
each player
  cup: 1 dice of 1..2 secret
play
  together p in players
    p may "Roll"
      roll p.cup
  rest(seat2)
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# A card of a closed hand is noted, and one of the same hand goes away: both may be the same one, or not.
NOTED_THEN_LAID = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  kept: slot of Card secret
  stash: pool of Card secret
  mark: Card? secret
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat2.hand
  draw 1 from deck to seat1.kept
play
  note_one(seat2)
  together p in players
    p chooses c in p.hand secretly "Lay which?" if possible
      move c to p.stash
  rest(seat1)
phase note_one(p)
  choose c in p.hand "Note which?"
  p.mark = c
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# Chance picks a card of a hand and leaves it there: who sees the hand does not know which it was.
LUCKY = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  luck: 0..3 hidden
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat1.hand
play
  pick c in seat1.hand at random
  seat1.luck = c.rank
  rest(seat2)
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# All know the pile; then a card goes into it that all know too, and one player alone knows how deep.
KNOWN_PILE = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  draw 1 from deck to seat1.hand
play
  put_back(seat1)
  rest(seat2)
phase put_back(p)
  choose n in 0..count(deck) secretly "How deep?"
  move all c in p.hand to deck after deck[n]
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# A card with an open mark goes into a deck, where all see the mark lie.
MARKED_OPENLY = """
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
each Card
  marked: flag
setup
  move all c in Card to deck
  shuffle deck
  draw 1 from deck to seat1.hand
play
  mark_one(seat1)
  rest(seat2)
phase mark_one(p)
  may "Mark it" for d in p.hand where not d.marked
    d.marked = yes
  move all c in p.hand to deck
  shuffle deck
  draw 2 from deck to p.hand
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# Two cards of a closed hand are marked, or one of them twice.
MARKED_TWICE = """
kind Card
  copies 1 for each rank: 1..3
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
each Card
  marked: flag
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat1.hand
play
  mark_one(seat1)
  mark_one(seat1)
  rest(seat2)
phase mark_one(p)
  choose c in p.hand "Mark which?"
  c.marked = yes
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# All know which card is marked, and then any card may be the one that is laid aside.
MARKED_THEN_LAID = """
kind Card
  copies 1 for each rank: 1..3
each player
  hand: hand of Card secret
  aside: pool of Card secret
each Card
  marked: flag
setup
  move all c in Card to seat1.hand
play
  mark_one(seat1)
  rest(seat2)
phase mark_one(p)
  choose c in p.hand "Mark which?"
  c.marked = yes
  choose d in p.hand "Lay aside which?"
  move d to p.aside
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# A player keeps in mind which card it was that is shuffled in then.
LOST_NAME = """
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  mark: Card? secret
setup
  move all c in Card to deck
  draw 2 from deck to seat1.hand
play
  mark_one(seat1)
  rest(seat1)
phase mark_one(p)
  choose d in p.hand "Which do you mark?"
  p.mark = d
  move all c in p.hand to deck
  shuffle deck
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# One player is told what the card comes to that the other has laid away for all to see, and unseen.
SAID_TO_ONE = """
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
  heap: pool of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat1.hand
play
  lay(seat1)
  rest(seat2)
phase lay(p)
  choose c in p.hand "Which do you lay?"
  move c to heap
  say "It is worth {c.rank}" to rival(p)
phase rest(p)
  choose n in 1..2 "Go on?"
"""
# The lower card goes, the only one left goes to the bag and is shown there: it is the one that was above.
SHOWN_IN_BAG = """
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
  heap: pool of Card hidden
  bag: bag of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  draw 2 from deck to seat2.hand
  draw 1 from deck to bag
play
  put(seat2)
  rest(seat1)
phase put(p)
  move 1 c in p.hand by lowest c.rank to heap
  p chooses c2 in p.hand secretly "Which?"
  move c2 to bag
  reveal c2
phase rest(p)
  choose n in 1..2 "Go on?"
"""

LEFT_OUT = {
    "rolled": ROLLED,
    "laid": LAID,
    "uncounted": UNCOUNTED,
    "marked": MARKED,
    "hushed": HUSHED,
    "asked_by_card": ASKED_BY_CARD,
    "put_back": PUT_BACK,
    "may_roll": MAY_ROLL,
    "noted_then_laid": NOTED_THEN_LAID,
    "lucky": LUCKY,
    "marked_twice": MARKED_TWICE,
    "written_over": WRITTEN_OVER,
    "open_written_over": OPEN_WRITTEN_OVER,
    "kept_in_mind": KEPT_IN_MIND,
    "kept_in_the_open": KEPT_IN_THE_OPEN,
    "watched": WATCHED,
}


@pytest.mark.parametrize("rules", LEFT_OUT.values(), ids=LEFT_OUT)
def test_worlds_that_leave_others_out_say_so(rules: str) -> None:
    proof = Proof(game_from_program(checked(rules)), Effort(groups=8))
    assert not every_world_is_possible(proof)
    incomplete = 0
    for drawn in proof.drawn:
        if drawn.node.noticed[drawn.player] and drawn.possible - drawn.worlds.keys():
            incomplete += 1
            assert drawn.node.state.determinize(drawn.player, 1).approximate, drawn.at
    assert incomplete, "all worlds come up: take this game to `games`"


@pytest.mark.parametrize(
    "rules",
    [LABELLED, KNOWN_PILE, MARKED_OPENLY, MARKED_THEN_LAID, LOST_NAME, SHOWN_IN_BAG, SAID_TO_ONE],
    ids=["labelled", "known_pile", "marked_openly", "marked_then_laid", "lost_name", "shown_in_bag", "said_to_one"],
)
def test_worlds_that_may_contradict_what_was_seen_say_so(rules: str) -> None:
    proof = Proof(game_from_program(checked(rules)), Effort(groups=8))
    assert every_world_is_possible(proof), "no world contradicts anything: take this game to `games`"
    for drawn in proof.drawn:
        if drawn.worlds.keys() - drawn.possible:
            assert drawn.node.state.determinize(drawn.player, 1).approximate, drawn.at


def test_what_was_written_on_cards_is_lost_no_more_when_all_were_gathered_and_shuffled() -> None:
    """On the way to the deck, one by one, the cards that had a mark lay beside others that had none."""
    proof = Proof(
        game_from_program(checked(GAMES["gathered_and_dealt"].read_text(encoding="utf-8"))), Effort(groups=30)
    )
    assert not any(drawn.approximate for drawn in proof.drawn)
