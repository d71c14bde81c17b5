"""Each text has its readers, and a translation shows nobody more than the rules' own words do."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw
from interpreter.play.language import in_language
from interpreter.play.why import why
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

RULES = """
game whisper "Whisper" for 2 players

kind Card from cards.yaml
  rank: 1..9

table
  deck: pile of Card hidden
  rounds: 0..9

each player
  hand: hand of Card secret
  vp: 0..99 capped

setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 3 from deck to p.hand

play
  in turn p from seat1 until rounds > 3
    rounds += 1
    choose c in p.hand secretly "Think of one"
    turn(p)
    say "{p} keeps {count(p.hand)} cards, {c} among them" to p

phase turn(p) "{p} has {count(p.hand)} cards"
  choose one "What now?"
    "Put {d} under the deck, for {p.vp} points" for d in p.hand
      move d to deck on bottom
      draw 1 from deck to p.hand
    "Wait"

score p
  "Points"  p.vp
"""
CARDS = """
kind: Card
default: known
rows:
"""
LABEL = "Put {d} under the deck, for {p.vp} points"


@pytest.fixture
def whisper(tmp_path: Path) -> Path:
    folder = tmp_path / "whisper"
    (folder / "texts").mkdir(parents=True)
    (folder / "ruleset.yaml").write_text("name: whisper\nlanguages: [en, fr]\n")
    (folder / "whisper.rules").write_text(RULES)
    rows = "".join(f"  - {{id: card_{n}, name: Card {n}, rank: {n}}}\n" for n in range(1, 10))
    (folder / "cards.yaml").write_text(CARDS + rows)
    return folder


def _french(folder: Path, label: str) -> rw.Game:
    (folder / "texts" / "fr.yaml").write_text(f'language: fr\ntexts:\n  "{LABEL}": "{label}"\n')
    return in_language(rw.load(str(folder)), "fr")


@pytest.mark.parametrize(
    ("label", "all_read"),
    [
        ("{p.vp} points pour {d}", "seat1: 0 points pour a card"),
        ("Poser une carte", "seat1: Poser une carte"),
        ("{d}, {d} et {d}: {p.vp}", "seat1: a card, a card et a card: 0"),
        ("{p.vp}", "seat1: 0"),
    ],
    ids=["turned round", "left out", "repeated", "one left out"],
)
def test_a_translation_may_order_its_holes_as_it_likes(whisper: Path, label: str, all_read: str) -> None:
    state = _french(whisper, label).new(seed=1)
    state.apply(0)
    assert state.decision.player == 0
    state.apply(0)
    assert all_read in state.log(1)
    assert "a card" not in " ".join(state.log(0))


def test_what_is_saved_in_one_language_keeps_its_readers_in_another(whisper: Path) -> None:
    state = _french(whisper, "Poser une carte").new(seed=1)
    state.apply(0)
    state.apply(0)
    english = rw.load(str(whisper)).from_json(state.to_json())
    assert "seat1: Put a card under the deck, for 0 points" in english.log(1)


def test_a_question_is_answered_from_what_the_player_knows(whisper: Path) -> None:
    game = rw.load(str(whisper))
    state = game.new(seed=1)
    for text in ("public(top of deck)", "top of deck", "public(sum(c.rank for c in seat2.hand))", "seat2.hand"):
        assert why(game, state, text, reader=0).kind == "unknown"
    for text in ("public(sum(c.rank for c in seat1.hand))", "count(seat2.hand)", "seat1.hand"):
        assert why(game, state, text, reader=0).kind == "value"


def test_parts_of_an_answer_tell_no_more_than_the_answer(whisper: Path) -> None:
    game = rw.load(str(whisper))
    state = game.new(seed=1)
    answer = why(game, state, "(top of deck) == (bottom of deck)", reader=0)
    assert answer.kind == "value"
    assert "Card" not in "\n".join(answer.told.lines())
    assert "Card" in "\n".join(why(game, state, "(top of deck) == (bottom of deck)").told.lines())


NAMED = """
game hunt "Hunt" for 2 players
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  for p in players
    p chooses one "Who has {Card.card_1}?"
      "{q} has {Card.card_1}" for q in players
        say "{p} looks for {Card.card_1}"
      "Nobody"
"""


def test_a_row_that_the_rules_name_themselves_is_named_to_everybody() -> None:
    """Where the card lies is unseen; which card is meant is no secret."""
    state = game_from_program(checked(NAMED)).new(seed=2)
    assert state.decision.prompt == "Who has Card 1?"
    assert [str(option) for option in state.decision.options] == ["seat1 has Card 1", "seat2 has Card 1", "Nobody"]
    state.apply(1)
    assert state.log(0) == state.log(1) == ["seat1: seat2 has Card 1", "seat1 looks for Card 1"]
