"""A line of a history may be a place of each player or node, and go over several names.

Whose the pieces are counts, not their order in a pool.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw

RULES = """
game swapping "Swapping" for 2 players

kind Stone
  copies 2 for each dark: flag

each player
  stones: pool of Stone open

table
  turns: 0..9
  again: 0..9

history held of 20
  p.stones for p in players

setup
  for s in Stone
    move s to (seat1 if s.dark else seat2).stones
  remember held

play
  in turn p from seat1 until turns == 6
    turns += 1
    choose s in p.stones "Which stone do you give away?"
    move s to rival(p).stones
    again = seen(held)
    remember held
"""


PLACE = "p.stones for p in players"
SEVERAL_NAMES = "count(s in p.stones where s.dark == (n == 1)) for p in players, n in 1..2"
PLACE_OF_SEVERAL = "p.stones for p in players, n in 1..2 where n == 1"


@pytest.mark.parametrize("line", [PLACE, SEVERAL_NAMES, PLACE_OF_SEVERAL])
@pytest.mark.parametrize("backend", ["python", "native"])
def test_whose_pieces_they_are_counts(tmp_path: Path, backend: str, line: str) -> None:
    folder = tmp_path / "swapping"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: swapping\n")
    (folder / "swapping.rules").write_text(RULES.replace(PLACE, line))
    state = rw.load(str(folder), backend=backend).new(seed=1, auto=False)
    seen = []
    for stone in ("Stone dark", "Stone", "Stone", "Stone dark", "Stone dark"):
        state.apply(next(option for option in state.decision.options if str(option) == stone))
        seen.append(state.view(None)["fields"]["table"]["again"])
    # The light stone given back is the position after the first choice, the dark one that of the beginning.
    assert seen == [0, 0, 1, 1, 2]


CHAIN = """
game chain "Chain" for 2 players

kind Man
  copies 1 for each owner: player

map board is ring of 5
  node Spot

each Spot
  man: slot of Man open

history men of 20
  s.man for s in Spot

setup
  move 1 m in Man where m.owner == seat1 to Spot.spot_1.man
  move 1 m in Man where m.owner == seat2 to Spot.spot_4.man

play
  in turn p from seat1
    remember men
    choose s in Spot where s.man.owner == p, t in neighbours(s) where t.man is empty "Go?"
    move s.man to t.man
    if seen(men) == 2
      p wins "For the third time"
"""


def test_what_a_history_asks_of_a_piece_is_not_printed_on_it(tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("name: chain\n")
    (tmp_path / "chain.rules").write_text(CHAIN)
    for backend in ("python", "native"):
        game = rw.load(str(tmp_path), backend=backend)
        assert [one.name for one in game.meta.printed if one.of == "piece"] == ["owner"]
        assert game.playout(1).reason == "For the third time"
