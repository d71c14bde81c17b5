"""What is written from a secret is a secret, whichever way it takes: worlds work it out again, and are exact."""

from __future__ import annotations

import pytest

import interpreter as rw
from interpreter.runtime import sieve
from interpreter.runtime.dealing import WORKED_OUT
from interpreter.runtime.game import game_from_program
from tests.knowledge.properties import PROPERTIES, Effort, Proof
from tests.toy_games import checked

RULES = """
kind Card
  copies 1 for each rank: 1..4
table
  deck: pile of Card hidden
  noted: 0..9 hidden
  marks[0..4]: 0..1 hidden
each player
  hand: hand of Card secret
  note: 0..9 secret
  points: 0..9
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  look(seat1)
  go_on(seat2)
phase look(p)
  choose m in 1..2 "Begin?"
  gain m points
  %s
phase go_on(p)
  choose n in 1..2 "Go on?"
  gain n points
%s
"""

TOP = "(top of deck).rank otherwise 0"
OWN = "max(c.rank for c in p.hand else 0)"

WAYS = {
    "read": (f"noted = {TOP}", ""),
    "let": (f"let x = {TOP}\n  noted = x", ""),
    "twice": (f"let x = {OWN}\n  let y = x + 1\n  p.note = y", ""),
    "piece": ("let c = top of deck\n  noted = c.rank otherwise 0", ""),
    "own hand": (f"let x = {OWN}\n  p.note = x", ""),
    "gained": (f"let x = {OWN}\n  p gains x note", ""),
    "added": (f"let x = {TOP}\n  noted += x", ""),
    "parameter": (f"keep(p, {OWN})", "effect keep(p, x: 0..9)\n  p.note = x"),
    "value": ("let x = worth(1)\n  noted = x", f"value worth(n: 0..5) = ({TOP}) + n"),
    "result": ("let x = found(p)\n  p.note = x", f"effect found(p): 0..9\n  result {OWN}"),
    "branch": (f"p.note = 1\n  if {OWN} > 2\n    p.note = 2", ""),
    "branch of a rule": (f"p.note = 1\n  if {OWN} > 2\n    keep(p)", "effect keep(p)\n  p.note = 2"),
    "way out": ("keep(p)", f"effect keep(p)\n  p.note = 1\n  if {OWN} > 2\n    done\n  p.note = 2"),
    "loop": ("for c in deck where c.rank > 2\n    noted += 1", ""),
    "index": (f"let x = {TOP}\n  marks[x] = 1", ""),
    "chance": ("pick x in 1..4 at random\n  let y = x + 1\n  p.note = y", ""),
    "choice": ('choose x in 1..4 secretly "Which?"\n  choose y in 1..2 "And?"\n  p.note = x', ""),
}


def game(way: str) -> rw.Game:
    steps, rules = WAYS[way]
    return game_from_program(checked('game notes "Notes" for 2 players' + RULES % (steps, rules)))


def written(state: rw.State) -> str:
    fields = state.view(None)["fields"]
    return str([fields["players"][0]["note"], fields["table"]["noted"], fields["table"]["marks"]])


@pytest.mark.parametrize("way", WAYS)
def test_worlds_have_what_their_own_secrets_come_to(way: str) -> None:
    """Every history is played: the worlds of a player are those of all histories that look the same."""
    proof = Proof(game(way), Effort(groups=2, most_draws=300))
    assert len({written(node.state) for node in proof.histories.nodes}) > 1
    for held in ("possible", "complete", "agrees"):
        assert PROPERTIES[held](proof) == []
    assert not any(drawn.node.state.determinize(drawn.player, 1).approximate for drawn in proof.drawn)


def test_what_was_worked_out_too_long_ago_is_drawn_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sieve, "MOST_STEPS", 0)
    state = game("read").new(seed=1)
    state.apply(0)
    worlds = [state.determinize(1, number) for number in range(40)]
    assert len({written(world) for world in worlds}) > 4  # a card would give no more than four
    assert all(WORKED_OUT in world.approximate for world in worlds)


def test_what_all_know_stays() -> None:
    known = "p.note = m\n  reveal top of deck\n  let x = (top of deck).rank otherwise 0\n  noted = x"
    state = game_from_program(checked('game notes "Notes" for 2 players' + RULES % (known, ""))).new(seed=1)
    state.apply(1)
    worlds = [state.determinize(1, number) for number in range(20)]
    assert {written(world) for world in worlds} == {written(state)}
    assert not any(world.approximate for world in worlds)
