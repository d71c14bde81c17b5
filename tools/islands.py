"""Builds islands of any size for Kiwi Chow Down, to measure how the cost of a decision grows with the number of hexes.

The ruleset is copied. Its island becomes a single tile with the given number of hexes, as round as possible, with the
terrains of the printed island in the same proportions, shuffled. The opening is the printed one for four players,
scaled with the island. Rules, pieces and cards stay the same. The scenarios are left out, since they name the printed
hexes, and so are the variants, since one of them relies on an island of fewer than a hundred hexes.
"""

from __future__ import annotations

import math
import random
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import yaml

GAME = Path(__file__).resolve().parent.parent / "rulesets" / "kiwi_chow_down"
PLAYERS = 4
LEFT_OUT = ("scenarios", "variants")

Hex = tuple[int, int]
Point = tuple[float, float]


@cache
def island_game(size: int) -> Any:
    """The game on such an island, compiled past the cache: nobody asks for its folder again."""
    from interpreter.compile.load import checked_program
    from interpreter.runtime.game import game_from_program

    with tempfile.TemporaryDirectory() as folder:
        return game_from_program(checked_program(str(write_island(Path(folder), size)), PLAYERS))


def write_island(folder: Path, size: int) -> Path:
    """A copy of the ruleset in a folder of that folder, with an island of so many hexes."""
    target = folder / f"hexes_{size}" / GAME.name
    shutil.copytree(GAME, target, ignore=shutil.ignore_patterns(*LEFT_OUT))
    printed = read(target / "island.yaml")
    opening = read(target / "opening.yaml")
    manifest = read(target / "ruleset.yaml")
    write(target / "ruleset.yaml", {key: value for key, value in manifest.items() if key not in LEFT_OUT})
    hexes = compact(size)
    write(target / "island.yaml", island_of(printed, hexes))
    write(target / "opening.yaml", opening_on(opening, list(terrains_of(printed)), hexes))
    return target


def read(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return found


def write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(yaml.safe_dump(content, sort_keys=False), encoding="utf-8")


def compact(size: int) -> list[Hex]:
    """The hexes nearest to 0, 0."""
    span = range(-math.isqrt(size) - 1, math.isqrt(size) + 2)
    return sorted(((q, r) for q in span for r in span), key=lambda at: (math.hypot(*place(at)), at))[:size]


def place(at: Hex) -> Point:
    """Where the middle of a hex lies, with neighbours at distance 1."""
    return at[0] + at[1] / 2, at[1] * math.sqrt(3) / 2


# ---------------------------------------------------------------- the two files


def island_of(printed: dict[str, Any], hexes: list[Hex]) -> dict[str, Any]:
    """The island file with one tile instead of the printed ones, for every number of players."""
    terrains = list(terrains_of(printed).values())
    spread = [terrains[number % len(terrains)] for number in range(len(hexes))]
    random.Random(len(hexes)).shuffle(spread)
    tile = [{"at": list(at), "terrain": terrain} for at, terrain in zip(hexes, spread, strict=True)]
    layouts = {count: [{"tile": "tile_1", "at": [0, 0]}] for count in printed["layouts"]}
    return {**printed, "tiles": {"tile_1": tile}, "layouts": layouts}


def terrains_of(printed: dict[str, Any]) -> dict[Hex, str]:
    """The hexes of the printed island for four players, with their terrains."""
    return {
        (one["at"][0] + put["at"][0], one["at"][1] + put["at"][1]): one["terrain"]
        for put in printed["layouts"][PLAYERS]
        for one in printed["tiles"][put["tile"]]
    }


def opening_on(opening: dict[str, Any], printed: list[Hex], hexes: list[Hex]) -> dict[str, Any]:
    """The opening for four players with each hex moved to the one that lies there on the larger or smaller island."""
    middle = centre(printed)
    stretch = math.sqrt(len(hexes) / len(printed))
    names = {name(at): at for at in printed}
    rows = []
    for row in opening["by_players"][PLAYERS]:
        x, y = place(names[row["hex"]])
        goal = (x - middle[0]) * stretch, (y - middle[1]) * stretch
        rows.append({**row, "hex": name(min(hexes, key=lambda at: math.dist(place(at), goal)))})
    return {**{key: value for key, value in opening.items() if key != "by_players"}, "rows": rows}


def centre(hexes: list[Hex]) -> Point:
    points = [place(at) for at in hexes]
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def name(at: Hex) -> str:
    """The name that a hex without an id gets: `hex_2_m1` is q 2, r -1."""
    return "_".join(("hex", *(f"m{-n}" if n < 0 else str(n) for n in at)))


# ---------------------------------------------------------------- random games, told by how many decisions they had


def playout_decisions(game: Any, seed: int) -> int:
    return len(game.playout(seed).h) // 2


def public_decisions(game: Any, seed: int) -> int:
    """A game as a program would play it: every decision with all its options, one of them taken."""
    choose = random.Random(seed)
    state = game.new(seed=seed)
    decisions = 0
    while not state.over:
        state.apply(choose.choice(state.decision.options))
        decisions += 1
    return decisions


PLAYS: dict[str, Callable[[Any, int], int]] = {"playout": playout_decisions, "options and apply": public_decisions}
