"""Growth with the hexes: the islands are what they claim to be, the group measures them, and a bad growth is told."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from interpreter.check.check import check
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.ruleset.gather import gather
from tools import bench
from tools.islands import GAME, PLAYS, compact, read, terrains_of, write_island

CHANGED = {"island.yaml", "opening.yaml", "ruleset.yaml"}


def files_of(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir() if path.is_file()}


@pytest.mark.parametrize("size", bench.ISLANDS)
def test_an_island_differs_in_its_hexes_only(size: int, tmp_path: Path) -> None:
    folder = write_island(tmp_path, size)
    printed, copied = files_of(GAME), files_of(folder)
    assert {name for name in printed if printed[name] != copied[name]} == CHANGED
    terrains = Counter(terrains_of(read(folder / "island.yaml")).values())
    shares = Counter(terrains_of(read(GAME / "island.yaml")).values())
    assert terrains.total() == size
    assert {kind: count * shares.total() for kind, count in terrains.items()} == {
        kind: count * size for kind, count in shares.items()
    }
    pieces = [(row["nest"], row["size"]) for row in read(folder / "opening.yaml")["rows"]]
    assert pieces == [(row["nest"], row["size"]) for row in read(GAME / "opening.yaml")["by_players"][4]]


def test_an_island_is_compact() -> None:
    """Few hexes lie at the border; a row of 160 hexes would have all of them there."""
    for size in bench.ISLANDS:
        hexes = set(compact(size))
        around = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
        border = [(q, r) for q, r in hexes if any((q + dq, r + dr) not in hexes for dq, dr in around)]
        assert len(hexes) == size and len(border) <= 3.6 * size**0.5


@pytest.mark.parametrize("players", [2, 4])
def test_the_rules_hold_on_the_largest_island(players: int, tmp_path: Path) -> None:
    found = Diagnostics()
    gathered = gather(str(write_island(tmp_path, bench.ISLANDS[-1])), players, found)
    assert gathered is not None and check(gathered, found) is not None
    assert not list(found)


def test_the_group_measures_four_sizes(tmp_path: Path, is_long: bool) -> None:
    if not is_long:
        pytest.skip("loads four islands and measures them: --long")
    out = tmp_path / "figures.json"
    command = [sys.executable, bench.__file__, "--only", "growth", "--quick", "--out", str(out)]
    subprocess.run(command, check=True, capture_output=True)
    figures = {figure["name"]: figure for figure in json.loads(out.read_text(encoding="utf-8"))["figures"]}
    for way in PLAYS:
        assert all(figures[f"{way}, {size} hexes"]["value"] > 0 for size in (20, 40, 80, 160))
        whole = figures[f"{way}, 20 to 160 hexes"]
        assert whole["limit"] == 8 and whole["met"]
        assert figures[f"{way}, largest growth at a doubling"]["limit"] == 2


@pytest.mark.parametrize(("power", "met"), [(0.5, True), (0.99, True), (1.1, False), (2, False)])
def test_more_than_linear_growth_is_missed(power: float, met: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    def costs(way: str, effort: Any) -> dict[int, list[float]]:
        return {size: [noise * size**power for noise in (1e-6, 3e-6, 2e-6)] for size in bench.ISLANDS}

    monkeypatch.setattr(bench, "decision_costs", costs)
    limited = [figure for figure in bench.measure_growth(bench.Effort(0.1, 3)) if figure.limit is not None]
    assert [figure.met for figure in limited] == [met] * 4
    assert limited[0].detail == f"hexes to the power of {power:.2f}"


def test_a_last_doubling_that_grows_too_fast_is_missed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "decision_costs", lambda way, effort: {20: [1.0], 40: [1.0], 80: [1.0], 160: [4.0]})
    whole, doubling = [figure for figure in bench.measure_growth(bench.Effort(0.1, 1)) if figure.limit is not None][:2]
    assert whole.met and not doubling.met and doubling.detail == "to 40: 1.00, to 80: 1.00, to 160: 4.00"
