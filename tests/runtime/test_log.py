"""The log names what everybody saw, and nothing that somebody did not."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.play.language import in_language
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

CARDS = """
kind Card "card"
  copies 1 for each rank: 1..6
table
  deck: pile of Card hidden
  river: row of Card open
  well: pile of Card hidden
each player
  hand: hand of Card secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 2 from deck to p.hand
play
  for p in players
    turn(p)
phase rest(p)
  choose n in 1..2 "Go on?"
  gain n points
"""
TURNS = {
    "laid open at once": '  choose c in p.hand "Which card?"\n  move c to river\n  rest(rival(p))\n',
    "with a label": '  choose one "What?"\n    "Play {c}" for c in p.hand\n      move c to river\n  rest(rival(p))\n',
    "laid open after another choice": (
        '  choose c in p.hand "Which card?"\n  choose n in 1..2 "How loud?"\n  gain n points\n  move c to river\n'
        "  rest(rival(p))\n"
    ),
    "revealed where it is": '  choose c in p.hand "Which card?"\n  reveal c\n  rest(rival(p))\n',
    "laid down unseen": '  choose c in p.hand "Which card?"\n  move c to well\n  rest(rival(p))\n',
    "shown to nobody until the other has decided": (
        '  choose c in p.hand "Which card?"\n  rest(rival(p))\n  move c to river\n  rest(p)\n'
    ),
    "chosen in secret": '  choose c in p.hand secretly "Which card?"\n  move c to p.hand\n  rest(rival(p))\n',
}


def played(turn: str) -> rw.State:
    """The first options are taken until the other player decides."""
    state = game_from_program(checked(f"{CARDS}phase turn(p)\n{turn}")).new(seed=1)
    while state.who == 0:
        state.apply(0)
    return state


@pytest.mark.parametrize("how", list(TURNS)[:4])
def test_what_all_have_seen_is_named_in_the_line_of_the_choice(how: str) -> None:
    state = played(TURNS[how])
    assert state.log(0)[0] == state.log(1)[0] == state.log(None)[0]
    assert "a card" not in state.log(1)[0]


@pytest.mark.parametrize("how", list(TURNS)[4:6])
def test_what_others_have_not_seen_keeps_its_kind_for_a_name(how: str) -> None:
    state = played(TURNS[how])
    assert state.log(1)[0] == "seat1: a card" and state.log(0)[0] == state.log(None)[0] != "seat1: a card"


def test_a_card_laid_open_later_is_not_named_afterwards() -> None:
    state = played(TURNS["shown to nobody until the other has decided"])
    state.apply(0)
    assert state.log(1)[0] == "seat1: a card"


KNOWN = """  reveal all c in p.hand
  choose d in p.hand "Which card?"
  move d to well
  rest(rival(p))
"""


def test_which_of_two_known_cards_is_laid_down_unseen_is_not_told() -> None:
    """Both cards of the hand are known to all; the one that goes to the well is not."""
    assert played(KNOWN).log(1) == ["seat1: a card"]
    assert played(KNOWN.replace("to well", "to river")).log(1) == played(KNOWN).log(0)


def test_a_secret_choice_stays_secret() -> None:
    assert played(TURNS["chosen in secret"]).log(1) == ["seat1 chooses in secret"]


def test_copies_of_a_state_do_not_share_what_is_read_later() -> None:
    state = game_from_program(checked(f"{CARDS}phase turn(p)\n{TURNS['laid open after another choice']}")).new(seed=1)
    state.apply(0)
    before = state.clone()
    state.apply(0)
    assert before.log(1) == ["seat1: a card"] and state.log(1)[0] != "seat1: a card"


SETS = """  choose 2 c in p.hand as two "Which two?"
  move two to p.kept
  rest(rival(p))
"""


def test_a_forced_pick_is_told_like_the_others() -> None:
    """Of three cards two are picked in order: with the second one first, the third is forced."""
    rules = CARDS.replace("draw 2", "draw 3").replace("  points", "  kept: pool of Card secret\n  points")
    game = game_from_program(checked(f"{rules}phase turn(p)\n{SETS}"))
    low, high = game.new(seed=1), game.new(seed=1)
    low.apply(0).apply(0)
    high.apply(1)
    assert low.who == high.who == 1
    assert low.log(1) == high.log(1) == ["seat1: a card"] * 2


TOLD = """  choose c in p.hand "Which card?"
  draw 1 from deck to river as shown
  say "{p} takes {c} and {shown}" to p
  rest(rival(p))
"""


def test_a_translation_that_turns_holes_round_names_no_more() -> None:
    game = game_from_program(checked(f"{CARDS}phase turn(p)\n{TOLD}"))
    game.meta.translations["fr"] = {"{p} takes {c} and {shown}": "{shown}, {c}: {p}"}
    french = in_language(game, "fr")
    own, turned = game.new(seed=1).apply(0), french.new(seed=1).apply(0)
    assert own.log(0)[-1].startswith("seat1 takes") and turned.log(0)[-1].endswith(": seat1")
    assert len(own.log(1)) == len(turned.log(1)) == 2  # the choice, and the card that is laid open
    for (_, masks), (_, other) in zip(own.lg, turned.lg, strict=True):
        assert masks == other


AGAIN = """  choose c in p.hand "Which card?"
  SHOWN
  move all d in Card to deck
  shuffle deck
  rest(rival(p))
"""


@pytest.mark.parametrize("shown", ["move c to river", "reveal c", "move c to box"])
def test_a_card_is_named_that_lay_open_only_until_the_next_decision(shown: str) -> None:
    """The last card of a trick: before anybody is asked again, all cards are shuffled and dealt."""
    state = played(AGAIN.replace("SHOWN", shown))
    assert state.log(1)[0] == state.log(0)[0] == state.log(None)[0] != "seat1: a card"


KINDS = """
kind Disc "disc"
  copies 3
kind Skull "skull"
  copies 1
table
  deck: pile of Disc hidden
  aside: pile of Disc | Skull hidden
each player
  hand: hand of Disc | Skull secret
  points: 0..9
setup
  move all s in Skull to seat1.hand
  move all d in Disc to deck
play
  for p in players
    turn(p)
phase turn(p)
  draw 1 from deck to p.hand
  choose one "What?"
    "Lay {d}" for d in p.hand
      move d to aside
  rest(rival(p))
phase rest(p)
  choose n in 1..2 "Go on?"
  gain n points
"""


@pytest.mark.parametrize("which", [0, 1])
def test_the_kind_of_an_unseen_piece_is_not_told_where_it_may_be_of_another(which: int) -> None:
    """Whether a disc or the skull is laid aside is the secret of the game. That the deck has discs all know."""
    state = game_from_program(checked(KINDS)).new(seed=1).apply(which)
    assert state.log(1) == ["seat1 draws from deck: a disc", "seat1: Lay a disc or a skull"]
    assert state.log(0) == ["seat1 draws from deck: disc", f"seat1: Lay {('disc', 'skull')[which]}"]
