"""Secret and hidden dice, revealed one, some or all, to one player or to all."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw

RULES = """
game cups "Cups" for 2 players

table
  fate: 2 dice of 1..6 hidden
  rounds: 0..9

each player
  cup: 3 dice of 1..6 secret
  vp: 0..99 capped

play
  in turn p from seat1 until rounds > 0
    rounds += 1
    roll fate
    for q in players
      roll q.cup
    turn(p)

phase turn(p)
  pause "All closed"
  reveal p.cup[2]
  pause "One die"
  reveal rival(p).cup[1] to p
  reveal fate to p
  pause "For one player"
  reveal all d in rival(p).cup where d.face > 3
  gain count(d in rival(p).cup where d.face > 3) vp
  pause "High ones"
  for q in players
    for d in q.cup
      reveal d
  reveal fate
  gain sum(d.face for d in rival(p).cup) + fate[1].face vp
  pause "All open"

score p
  "Points"  p.vp
"""


@pytest.fixture
def cups(tmp_path: Path) -> rw.Game:
    folder = tmp_path / "cups"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: cups\n")
    (folder / "cups.rules").write_text(RULES)
    return rw.load(str(folder))


@pytest.mark.parametrize("seed", range(4))
def test_what_is_revealed_is_noted_for_those_who_saw_it(cups: rw.Game, seed: int) -> None:
    state = cups.new(seed=seed, auto=False)
    fate, own, rival = state.view(None)["dice"]["fate"], *state.view(None)["dice"]["cup"].values()
    offsets = {field.name: field.base for field in cups.meta.fields}

    def seen(player: int, name: str, number: int) -> bool:
        return bool(state.shown.get(offsets[name] + number, 0) >> player & 1)

    state.apply(0)
    assert [seen(1, "cup", die) for die in range(3)] == [False, True, False]
    state.apply(0)
    assert seen(0, "cup", 3) and not seen(1, "cup", 3)
    assert seen(0, "fate", 0) and seen(0, "fate", 1) and not seen(1, "fate", 0)
    state.apply(0)
    assert [seen(0, "cup", 3 + die) for die in range(3)] == [die == 0 or rival[die] > 3 for die in range(3)]
    high = sum(face > 3 for face in rival)
    state.apply(0)
    assert all(seen(player, "cup", die) for player in (0, 1) for die in range(6))
    assert all(seen(player, "fate", die) for player in (0, 1) for die in range(2))
    assert state.scores[0] == high + sum(rival) + fate[0]
    assert len(own) == 3
