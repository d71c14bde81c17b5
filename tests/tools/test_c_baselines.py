"""The hand-written C games are right: published counts, and the same averages as the rules that they stand for."""

from __future__ import annotations

import shutil
import subprocess

import pytest

import interpreter as rw
from interpreter.native.build import build_library
from interpreter.native.unavailable import NativeUnavailable
from tools.c_baselines import C_BASELINES, C_BITBOARDS, Mean, c_baseline, mean_of, source_of

pytestmark = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler on this machine"
)

FILES = [*C_BASELINES.values(), *C_BITBOARDS.values()]
COUNTS = {
    "tic_tac_toe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "connect_four": [7, 49, 343, 2401, 16807, 117649, 823536],
    "breakthrough": [22, 484, 11132, 256036],
    "othello": [4, 12, 56, 244, 1396, 8200, 55092, 390216],
}
GAMES = {"tic_tac_toe": 3000, "connect_four": 2000, "breakthrough": 400, "pikit": 600}


@pytest.mark.parametrize("file", [file for file in FILES if file != "pikit.c"])
def test_published_counts(file: str) -> None:
    counts = COUNTS[file.removesuffix(".c").removesuffix("_bits")]
    assert [c_baseline(file).count_sequences(depth + 1) for depth in range(len(counts))] == counts


@pytest.mark.parametrize("file", FILES)
def test_same_seed_same_games(file: str) -> None:
    one, other, third = (c_baseline(file).playouts(seed, 200) for seed in (5, 5, 6))
    assert bytes(one) == bytes(other) != bytes(third)


@pytest.mark.parametrize("name", C_BITBOARDS)
def test_masks_play_as_arrays_do(name: str) -> None:
    games = 20_000
    arrays, masks = c_baseline(C_BASELINES[name]), c_baseline(C_BITBOARDS[name])
    assert arrays.decisions(1, games).agrees_with(masks.decisions(2, games))
    assert arrays.score(1, games).agrees_with(masks.score(2, games))


def averages_of_rules(name: str, players: int, games: int) -> tuple[Mean, Mean]:
    """Decisions, and points of the first player (in a game without points, +1 for a win and -1 for a loss)."""
    game = rw.load(name, players=players)
    played = [game.playout(seed) for seed in range(games)]
    decisions = [len(state.history) for state in played]
    points = [state.scores[0] if any(state.scores) else state.returns[0] for state in played]
    return tuple(mean_of(sum(row), sum(x * x for x in row), games) for row in (decisions, points))  # type: ignore[return-value]


@pytest.mark.parametrize(("name", "players"), [(name, 2) for name in GAMES] + [("pikit", 3), ("pikit", 4)])
def test_the_same_averages_as_the_rules(name: str, players: int) -> None:
    decisions, points = averages_of_rules(name, players, GAMES[name])
    by_hand = c_baseline(C_BASELINES[name])
    assert decisions.agrees_with(by_hand.decisions(1, 20_000, players))
    assert points.agrees_with(by_hand.score(1, 20_000, players))


def test_a_difference_is_seen() -> None:
    assert not Mean(43.5, 0.05).agrees_with(Mean(44.5, 0.05))


@pytest.mark.parametrize("file", FILES)
def test_no_warning_and_no_sanitizer_complains(file: str) -> None:
    main = "int main(void) { Totals totals; for (int p = 2; p <= 4; p++) playouts(1, 50, p, &totals); return 0; }"
    warnings = ("-Wall", "-Wextra", "-Wconversion", "-Wno-sign-conversion", "-Wno-unused-function", "-Werror")
    flags = ("-std=c11", "-O1", "-g", *warnings, "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    players = "2" if file != "pikit.c" else "p"
    source = source_of(file) + main.replace("50, p,", f"50, {players},")
    try:
        program = build_library(source, "checked", file, flags=flags, kind="executable")
    except NativeUnavailable as problem:
        if "sanitize" in problem.detail or "asan" in problem.detail:
            pytest.skip("the compiler has no sanitizers")
        raise
    done = subprocess.run([program], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
