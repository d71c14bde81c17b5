"""The rows about native playouts measure what they say, shown with a C game in the place of a native one."""

from __future__ import annotations

import random
import shutil
from importlib.util import find_spec

import pytest

from tools import bench_native
from tools.bench_native import OPEN_SPIEL, PLAYERS, Contest, contests, left_out, play_in_open_spiel, ratio_of

needs_compiler = pytest.mark.skipif(
    not any(map(shutil.which, ("cc", "gcc", "clang"))), reason="no C compiler on this machine"
)


@pytest.fixture(autouse=True)
def measured_anew() -> None:
    bench_native._speeds.cache_clear()


def test_every_contest_has_somebody_who_plays() -> None:
    assert {contest.rival for contest in contests()} == set(PLAYERS) - {"native"}
    assert len({contest.title for contest in contests()}) == len(contests())


@needs_compiler
def test_equal_programs_are_equally_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "native", PLAYERS["c"])
    ratio, remark = ratio_of(Contest("connect_four", 2, "c", 0.6), 0.02, 5)
    assert 0.5 < ratio < 2 and "games/s" in remark


@needs_compiler
def test_masks_are_faster_than_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PLAYERS, "native", PLAYERS["masks"])
    monkeypatch.setattr(bench_native, "PYTHON", (("tic_tac_toe", 2),))
    assert ratio_of(Contest("tic_tac_toe", 2, "python", 40), 0.02, 3)[0] > 10


def test_a_native_game_that_cannot_be_had_is_a_missed_figure(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(name: str, players: int) -> bench_native.Play:
        raise RuntimeError("no such library")

    monkeypatch.setitem(PLAYERS, "native", fail)
    with pytest.raises(RuntimeError, match="no such library"):
        ratio_of(Contest("tic_tac_toe", 2, "c", 0.6), 0.01, 1)


def test_rows_without_a_ruleset_or_without_open_spiel_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    assert left_out(Contest("no_such_game", 2, "c", 1)) == "there is no ruleset `no_such_game`"
    monkeypatch.setattr(bench_native, "find_spec", lambda name: None)
    assert "OpenSpiel is not installed" in left_out(Contest("tic_tac_toe", 2, "OpenSpiel", 1))
    assert left_out(Contest("tic_tac_toe", 2, "c", 1)) == ""


@pytest.mark.skipif(find_spec("pyspiel") is None, reason="OpenSpiel is not installed (extra `bench`)")
@pytest.mark.parametrize("name", OPEN_SPIEL.values())
def test_open_spiel_plays(name: str) -> None:
    import pyspiel  # type: ignore[import-not-found, unused-ignore]

    play_in_open_spiel(pyspiel.load_game(name), random.Random(1))
