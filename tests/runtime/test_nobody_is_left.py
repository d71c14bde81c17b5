"""When all players have dropped out, rules that ask for one of them meet a fault, in Python and in C, and whoever has
nobody behind is next again. C wrote in front of the fields of the players, Python into those of the last one."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame

pytestmark = pytest.mark.xdist_group("nobody is left")

RULES = """game all_out "All out" for 3 players

each player
  coins: 0..9

play
  for p in players
    p drops out "Ruined"
  seat2 chooses one "Who is asked for?"
    "First"
      (first p in players).coins += 1
    "Last"
      (last of (players from seat2)).coins += 1
    "Most"
      seat1.coins += max(p.coins for p in players)
    "Next"
      next(seat2).coins += 1
    "Number" if count(players) == 0
      seat3.coins += 1
    "None" if players is empty
      nobody wins "All are ruined"
  if count(players) == 0 and seat3.coins > 0
    end game "Nobody is left"

score p
  "Coins" p.coins
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("all_out")
    (folder / "ruleset.yaml").write_text("name: all_out\n")
    (folder / "all_out.rules").write_text(RULES)
    return folder


@pytest.fixture(scope="module", params=["python", "native"])
def game(request: pytest.FixtureRequest, folder: Path) -> rw.Game:
    game = rw.load(str(folder), backend=request.param)
    if request.param == "native" and game.engine is None:
        pytest.skip(str(game.reason))
    return game


@pytest.mark.parametrize("label", ["First", "Last", "Most"])
def test_there_is_no_first_and_no_highest(game: rw.Game, label: str) -> None:
    state = game.new()
    with pytest.raises(rw.Fault) as caught:
        state.apply(state.decision.find(label))
    assert caught.value.diagnostic.code == "R0916"


@pytest.mark.parametrize(("label", "scores"), [("Next", [0, 1, 0]), ("Number", [0, 0, 1]), ("None", [0, 0, 0])])
def test_their_number_is_0(game: rw.Game, label: str, scores: list[int]) -> None:
    state = game.new()
    state.apply(state.decision.find(label))
    assert (state.over, state.scores) == (True, scores)


@pytest.mark.parametrize("index", [3, 4, 5])
def test_the_slow_evaluator_says_the_same(folder: Path, index: int) -> None:
    game = rw.load(str(folder))
    assert lock_step(game.new(), SlowGame(game.program), 0, lambda _: index) is None


def test_nothing_is_divided_by_their_number(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "ruleset.yaml").write_text("name: all_out\n")
    (tmp_path / "all_out.rules").write_text(
        RULES.replace("next(seat2).coins += 1", "seat1.coins += 8 div count(players)")
    )
    with pytest.raises(rw.RulesetError, match="div"):
        rw.load(str(tmp_path))
