"""Which pieces a question cannot tell apart: what it reads of a card, and what it must not do for there to be sorts."""

from __future__ import annotations

import pytest

from interpreter.compile.passes import built
from tests.toy_games import checked

GAME = """
enum Suit = moon | sun
kind Card
  copies {copies} for each suit: Suit, rank: 1..3
table
  deck: pile of Card hidden
  trick: row of Card open
  noted: 0..9
each player
  hand: hand of Card secret
  mark: Card?
  points: 0..9
each Card
  laid: flag
play
  lay(seat1)
phase lay(p)
  {question}
value lowest(p): Card? = first d in p.hand by lowest d.rank
"""


def sorts(question: str, copies: int = 1) -> list[list[int]] | None:
    """The cards of one sort together, sort by sort, of the first question; None if it may tell every row apart."""
    meta = built(checked(GAME.format(question=question, copies=copies))).meta
    found = meta.sorts.get(min(meta.ask_segments))
    if found is None:
        return None
    cards = range(*meta.kinds["Card"][:1], sum(meta.kinds["Card"]))
    return [[card for card in cards if found[card] == sort] for sort in sorted({found[card] for card in cards})]


# Cards are numbered moon 1, 2, 3, sun 1, 2, 3.
READS = {
    "the suit": ("choose c in p.hand where c.suit == sun", [[0, 1, 2], [3, 4, 5]]),
    "nothing": ("choose c in p.hand", [[0, 1, 2, 3, 4, 5]]),
    "the rank": ("choose c in p.hand where c.rank > noted", [[0, 3], [1, 4], [2, 5]]),
    "a card by name": ("choose c in p.hand where c == card_sun_2 or noted > 3", [[0, 1, 2, 3, 5], [4]]),
    "what is settled by what is printed": (
        "choose c in p.hand where c == card_sun_2 or c.suit == moon",
        [[0, 1, 2, 4], [3, 5]],
    ),
    "what the others are": ("choose c in p.hand where no d in p.hand has d.suit == c.suit", [[0, 1, 2], [3, 4, 5]]),
    "the suit that was led": ("choose c in p.hand where c.suit == (first of trick).suit", [[0, 1, 2], [3, 4, 5]]),
    "its own field": ("choose c in p.hand where not c.laid", [[0, 1, 2, 3, 4, 5]]),
    "a card that a field names": ("choose c in p.hand where c != p.mark", [[0, 1, 2, 3, 4, 5]]),
}


@pytest.mark.parametrize("reads", READS)
def test_sorts_hold_all_that_a_question_reads(reads: str) -> None:
    question, expected = READS[reads]
    assert sorts(f'{question} "Which?"') == expected


TELLS_APART = {
    "it reads all that is printed": 'choose c in p.hand where c.suit == sun and c.rank > noted "Which?"',
    "the first of a hand is that with the lowest number": 'choose c in p.hand where c != lowest(p) "Which?"',
    "a set is picked in ascending order": 'choose 2 c in p.hand as two "Which?"',
    "an option with two cards may have the same one twice": (
        'choose one "Which?"\n    "Two" for c in p.hand, d in p.hand\n      noted = 1\n    "None"'
    ),
}


@pytest.mark.parametrize("why", TELLS_APART)
def test_a_question_may_tell_every_row_apart(why: str) -> None:
    assert sorts(TELLS_APART[why]) is None


def test_equal_copies_are_a_sort_of_their_own() -> None:
    """Of several copies in one place only the first is offered, so it matters whether two cards are copies."""
    assert sorts('choose c in p.hand where c.suit == sun "Which?"', copies=2) is None
