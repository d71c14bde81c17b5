"""`everybody wins` is a draw, `nobody wins` and the defeat of a single player are defeats, on both backends."""

from __future__ import annotations

from pathlib import Path

import pytest

import interpreter as rw

pytestmark = pytest.mark.xdist_group("fate")  # in one worker: then they share a folder, and what is built for it

RULES = """game fate "Fate" for 1..3 players
play
  repeat 3 times
    go(seat1)
phase go(p)
  choose one "Which?"
    "All"
      everybody wins "Together"
    "None"
      nobody wins "Drowned"
    "Not I"
      p loses "Asleep"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same for all tests: a library is built for each folder and number of players."""
    folder = tmp_path_factory.mktemp("fate")
    (folder / "ruleset.yaml").write_text("name: fate\n")
    (folder / "fate.rules").write_text(RULES)
    return folder


@pytest.fixture(params=["python", "native"])
def play(request: pytest.FixtureRequest, folder: Path):
    def end(players: int, label: str):
        game = rw.load(str(folder), players, backend=request.param)
        if request.param == "native" and game.engine is None:
            pytest.skip(str(game.reason))
        state = game.new()
        return state.apply(state.decision.find(label))

    return end


@pytest.mark.parametrize(
    ("players", "label", "ranking", "winners", "returns"),
    [
        (2, "All", [1, 1], [0, 1], [0.0, 0.0]),
        (2, "None", [3, 3], [], [-1.0, -1.0]),
        (3, "Not I", [3, 1, 1], [1, 2], [-1.0, 0.5, 0.5]),
        (1, "All", [1], [0], [1.0]),
        (1, "None", [2], [], [0.0]),
        (1, "Not I", [2], [], [0.0]),
    ],
)
def test_ends(play, players, label, ranking, winners, returns) -> None:
    state = play(players, label)
    assert (state.ranking, state.winners, state.returns) == (ranking, winners, returns)
