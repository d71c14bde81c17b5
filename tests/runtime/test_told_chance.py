"""The log tells what chance brings: one line for one act, and of a secret draw no name to others."""

from __future__ import annotations

from functools import cache

import interpreter as rw
from interpreter.play.language import in_language, own_words
from interpreter.runtime.game import game_from_program
from interpreter.runtime.log import SPECTATOR, told_lines
from tests.toy_games import checked

FAIR = """
enum Weather = sun | rain
kind Card "card"
  copies 2 for each rank: 1..6
table
  deck: pile of Card hidden
  river: row of Card open
  heap: pile of Card open
  well: pile of Card hidden
  bag: bag of Card hidden
  dice: 2 dice of 1..6
  sky: Weather = sun
each player
  hand: hand of Card secret
  cup: 1 dice of 1..6 secret
  points: 0..99 capped secret
setup
  move all c in Card to deck
  shuffle deck
  roll dice
  for p in players
    draw 2 from deck to p.hand
play
  in turn p from seat1 until deck is empty
    turn(p)
phase turn(p)
  choose one "What?"
    "Draw"
      draw 1 from deck to p.hand
      draw 1 from deck to p.hand
    "Refill"
      draw 2 from deck to river
    "Burn"
      draw 1 from deck to well
    "Shuffle"
      move all c in river to heap
      shuffle heap
    "Into"
      shuffle river into heap
    "Roll"
      roll dice
      roll dice
    "Cup"
      roll p.cup
    "Weather"
      pick w in Weather at random
      sky = w
    "Rob"
      pick c in rival(p).hand at random
      move c to p.hand
    "Better"
      roll dice
      say "The dice fall: {dice[1].face}"
    "Whisper"
      roll dice
      say "psst" to p
    "Together"
      together q in players
        roll q.cup
        choose n in 1..2 "How much?"
        q.points = n
"""


@cache
def fair() -> rw.Game:
    return game_from_program(checked(FAIR))


def told(*labels: str, script: list[tuple[str, str | None, list[int | str]]] | None = None) -> list[list[str]]:
    """What seat 1, seat 2 and a spectator read after these choices, without the lines of setup and of the choices."""
    state = fair().new(seed=1, script=script or ())
    for label in labels:
        state.apply(state.decision.find(label))
    lines = [told_lines(state, reader) for reader in (0, 1, SPECTATOR)]
    return [[line.sentence for line in own[1:] if line.player is None] for own in lines]


def test_in_setup_only_dice_are_told() -> None:
    assert fair().new(seed=1, script=[("roll", "dice", [2, 4])]).log(0) == ["dice: 2, 4"]


def test_a_secret_draw_is_named_to_its_player_alone() -> None:
    mine, others, all_see = told(
        "Draw", script=[("shuffle", "deck", ["card_1", "card_2", "card_1", "card_2", "card_3", "card_4"])]
    )
    assert mine == ["seat1 draws from deck: card 3, card 4"]
    assert others == all_see == ["seat1 draws from deck: a card ×2"]


def test_open_draws_shuffles_and_rolls_are_a_line_each() -> None:
    script: list[tuple[str, str | None, list[int | str]]] = [
        ("shuffle", "deck", ["card_1", "card_2", "card_1", "card_2", "card_3", "card_3"]),
        ("roll", "dice", [1, 1]), ("roll", "dice", [2, 5]), ("roll", "dice", [6, 1]),
    ]  # fmt: skip
    expected = ["From deck to river: card 3 ×2", "heap is shuffled", "dice: 2, 5; 6, 1"]
    assert told("Refill", "Shuffle", "Roll", script=script) == [expected] * 3
    assert told("Refill", "Into", script=script[:1])[0][1] == "river is shuffled into heap"


def test_what_nobody_sees_is_not_told() -> None:
    assert told("Burn") == [[], [], []]


def test_secret_dice_are_told_to_their_owner() -> None:
    mine, others, all_see = told("Cup", script=[("roll", "seat1.cup", [5])])
    assert (mine, others, all_see) == (["seat1 rolls: 5"], ["seat1 rolls cup"], ["seat1 rolls cup"])


def test_what_is_picked_is_not_told() -> None:
    """It may be kept secret: who may see it, sees it where it goes."""
    assert told("Weather") == told("Rob") == [[], [], []]


def test_a_say_right_behind_is_told_instead() -> None:
    assert told("Better", script=[("roll", "dice", [1, 1]), ("roll", "dice", [4, 1])])[1] == ["The dice fall: 4"]
    mine, others, _ = told("Whisper", script=[("roll", "dice", [1, 1]), ("roll", "dice", [4, 1])])
    assert mine == ["dice: 4, 1", "psst"] and others == ["dice: 4, 1"]


def test_inside_together_only_the_player_concerned_is_told() -> None:
    mine, others, all_see = told("Together", "1", "1", script=[("roll", "seat1.cup", [2]), ("roll", "seat2.cup", [3])])
    assert (mine, others, all_see) == (["seat1 rolls: 2"], ["seat2 rolls: 3"], [])


def test_a_save_keeps_the_lines() -> None:
    state = fair().new(seed=1)
    for label in ("Draw", "Refill", "Roll", "Rob", "Weather"):
        state.apply(state.decision.find(label))
    again = fair().from_json(state.to_json())
    assert [again.log(reader) for reader in (0, 1, None)] == [state.log(reader) for reader in (0, 1, None)]


def test_every_line_has_french_words() -> None:
    game = in_language(rw.load("pikit"), "fr")
    state = game.new(seed=3)
    assert any(line.startswith("dés : ") for line in state.log(0))
    words = own_words("fr")
    assert all(words.get(key) for key in ("{dice}: {faces}", "{place} is shuffled", "{player} rolls {dice}"))
