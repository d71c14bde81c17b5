"""A trick-taking game in one phase: it is written without a finding, plays, and worlds keep who cannot follow suit."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

import interpreter as rw
from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked
from tests.toys import gather_text

RULES = """
game hearts "Small hearts" for 3 players
enum Suit = clubs | spades | hearts
kind Card
  copies 1 for each suit: Suit, rank: 1..5
table
  deck: pile of Card hidden
  leader: player = seat1
each player
  hand: hand of Card secret
  played: row of Card open
  won: pool of Card open
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 4 from deck to p.hand
play
  repeat 4 times
    trick(leader)
phase trick(p)
  choose c in p.hand "Lead"
  move c to p.played
  follow(next(p), c.suit)
  follow(next(next(p)), c.suit)
  let best = max(strength(q, c.suit) for q in players else 0)
  for q in players where strength(q, c.suit) == best
    leader = q
  for q in players
    move all d in q.played to leader.won
action follow(q, suit: Suit)
  q chooses d in q.hand where %s "Follow"
  move d to q.played
value strength(q, suit: Suit) = max(d.rank for d in q.played where d.suit == suit else 0)
score p
  "Hearts" count(c in p.won where c.suit == hearts)
rank p by lowest score, then shared
"""

FOLLOW = "d.suit == suit or no e in q.hand has e.suit == suit"


@cache
def game() -> rw.Game:
    return game_from_program(checked(RULES % FOLLOW, players=3))


def findings(follow: str) -> list[str]:
    found = Diagnostics()
    check(gather_text(RULES % follow, players=3, found=found), found)
    return [finding.code for finding in found]


@pytest.mark.parametrize("follow", [FOLLOW, "(no e in q.hand has e.suit == suit) or d.suit == suit"])
def test_following_suit_if_one_can_is_no_finding(follow: str) -> None:
    assert findings(follow) == []


@pytest.mark.parametrize(
    "follow",
    [
        "d.suit == suit",
        "d.suit == suit or no e in q.hand has e.suit == hearts",
        "d.suit == suit or no e in leader.hand has e.suit == suit",
        "d.suit == suit or no e in q.hand where e.rank > 2 has e.suit == suit",
    ],
)
def test_who_leads_must_not_learn_whether_another_can_follow(follow: str) -> None:
    assert "R0511" in findings(follow)


def suit_of(card: str) -> str:
    return card.split()[1]


def seats(state: rw.State, player: int | None = None) -> list[dict[str, list[str]]]:
    return state.view(player)["places"]["players"]


def test_no_world_gives_a_suit_to_who_could_not_follow_it() -> None:
    told = 0
    for seed in range(16):
        state, choices = game().new(seed=seed), Random(seed)
        lacking: set[tuple[int, str]] = set()
        leader = state.who
        while not state.over:
            assert state.decision is not None
            for viewer in range(3):
                world = state.determinize(viewer, seed)
                assert not world.approximate
                assert world.view(viewer) == state.view(viewer)
                for player, suit in lacking:
                    told += player != viewer
                    assert suit not in map(suit_of, seats(world)[player]["hand"]), (seed, viewer, player, suit)
            if not any(seat["played"] for seat in seats(state)):
                leader = state.who
            state.apply(choices.randrange(len(state.decision.options)))
            laid = {player: seat["played"][0] for player, seat in enumerate(seats(state)) if seat["played"]}
            if leader in laid:
                lead = suit_of(laid[leader])
                lacking |= {(player, lead) for player, card in laid.items() if suit_of(card) != lead}
    assert told > 40
