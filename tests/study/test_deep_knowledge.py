"""What a game tells a player who cannot know it: nothing in any ruleset, and what is wrong on purpose is found."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

import interpreter as rw
from interpreter.runtime.game import game_from_program
from interpreter.runtime.state import State
from interpreter.runtime.texts import render
from interpreter.study.deep_knowledge import Told, what_is_told
from tests.every_ruleset import every_game, loaded
from tests.toy_games import checked

ALL_DECISIONS = 100_000  # over all rulesets, in the long run

TOY = """
kind Card
  copies 1 for each rank: 1..9
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 3 from deck to p.hand
play
  for p in players
    turn(p)
phase turn(p)
  choose c in p.hand "Which card do you look at?"
  look(p, c)
phase look(p, c: Card) "{p} looks at {c}"
  choose n in 1..2 "Well?"
  gain n points
"""


def looking() -> rw.State:
    """The first player has chosen a card, and the title of the running phase names it."""
    return game_from_program(checked(TOY)).new(seed=3).apply(1)


def told_to(state: rw.State, player: int) -> Told | None:
    """What is told in one of several worlds: in some of them nothing that matters lies otherwise."""
    return next((told for number in range(8) if (told := what_is_told(state, number, player)) is not None), None)


def test_a_title_names_what_everybody_knows() -> None:
    state = looking()
    assert state.view(0)["decision"]["path"] == state.view(1)["decision"]["path"] == ["Turn", "seat1 looks at a card"]
    assert told_to(state, 0) is None and told_to(state, 1) is None


def test_a_title_that_names_a_secret_is_found_for_who_does_not_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    state = looking()
    monkeypatch.setattr(State, "path", property(_path))
    told = told_to(state, 1)
    assert told is not None and told.player == 1
    assert told.what.startswith("the title `seat1 looks at Card") and "could be" in told.what
    assert any(line.startswith("the worlds differ: seat1.hand: - Card") for line in told.notes)


def _path(state: Any) -> tuple[str, ...]:
    rule = state.meta.rules["look"]
    frames = [frame for frame in state.k if state.meta.segment_rule[frame[0]] == "look"]
    if not frames:  # information looks at earlier decisions too
        return ()
    return (render(state, rule.title, state.rule_text(rule.title, tuple(frames[0][1:3])), None),)


def test_something_else_in_the_view_or_the_log_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    state = looking()
    shown = State.view
    monkeypatch.setattr(State, "view", lambda self, player: {**shown(self, player), "top": self.p[0][0]})
    told = told_to(state, 1)
    assert told is not None and "the view has" in told.what and "at top" in told.what
    monkeypatch.setattr(State, "view", shown)
    monkeypatch.setattr(State, "log", lambda self, player: [str(self.p[0][0])])
    told = told_to(state, 1)
    assert told is not None and told.what.startswith("the log says")


def test_a_prompt_that_tells_is_found_for_who_decides(monkeypatch: pytest.MonkeyPatch) -> None:
    state = looking()
    monkeypatch.setattr(rw.Decision, "prompt", property(lambda self: f"Top {self._moment.state.p[0][0]}"))
    told = told_to(state, 0)
    assert told is not None and "its prompt is" in told.what
    assert told.place[1] == TOY.split("\n").index('  choose n in 1..2 "Well?"') + 1


@cache
def with_secrets() -> int:
    """How many of all games have anything to hide: the others have no part in the count of decisions."""
    return sum(loaded(*game).meta.has_secrets for game in every_game(pairs=True))


def test_nothing_is_told_in_any_ruleset(game: tuple[str, int], is_long: bool) -> None:
    """States that differ only in what a player cannot know are the same for that player, for every player."""
    played = loaded(*game)
    if not played.meta.has_secrets:
        return
    wanted = -(-ALL_DECISIONS // with_secrets()) if is_long else 4
    looked, seed = 0, 11
    while looked < wanted:
        state, choice = played.new(seed=seed), seed
        while not state.over and looked < wanted:
            if is_long or len(state.history) % 9 == seed % 9:
                looked += 1
                for player in range(played.players):
                    told = what_is_told(state, looked, player)
                    assert told is None, f"seed {seed} after {state.history}: {told}"
            choice = (choice * 6364136223846793005 + 1442695040888963407) % 2**64
            state.apply((choice >> 33) % len(state.opts))
        seed += 1
