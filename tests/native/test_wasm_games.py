"""Emitted games in the sandbox: the same random games as native code plays."""

from __future__ import annotations

import struct
from importlib.util import find_spec
from typing import Any

import pytest

import interpreter as rw
from interpreter.compile.load import checked_program
from interpreter.native import toolchain
from interpreter.native.build import build_library
from interpreter.native.engine import Engine
from interpreter.native.make import c_of
from interpreter.native.wasm import Limits, Stopped, WasmLibrary, load_wasm
from interpreter.play.bots.compiled_tree import CompiledSearch

ZIG = toolchain.zig_path()

pytestmark = pytest.mark.skipif(
    ZIG is None or find_spec("wasmtime") is None, reason="ziglang and wasmtime are not installed (extra `wasm`)"
)


@pytest.mark.parametrize(("name", "players"), [("tic_tac_toe", 2), ("kalah", 2), ("pikit", 3)])
def test_the_same_games(name: str, players: int, monkeypatch: pytest.MonkeyPatch, real_compiler: str) -> None:
    monkeypatch.undo()  # the cache of all tests, and not an empty one: games are compiled there already
    games = 200
    game = rw.load(name, players=players, backend="native")
    averages, decisions = game.playouts(5, games)  # type: ignore[attr-defined]
    source = c_of(checked_program(name, players)).source
    path = build_library(source, name, "test", kind="wasm")
    for limits in (Limits(), Limits(fuel=10**10), Limits(work=None)):
        assert played(load_wasm(path, limits), players, games) == (averages, decisions)


def played(module: WasmLibrary, players: int, games: int) -> tuple[list[float], int]:
    """What each seat got on the average, and the number of decisions."""
    context = module.function("rwx_context", "address")()
    returns, made = module.allocate(8 * players), module.allocate(8)
    play = module.function("rwx_playouts", "i64", "address", "u64", "i64", "address", "address")
    assert play(context, 5, games, returns, made) == games
    sums = struct.unpack(f"<{players}d", module.read(returns, 8 * players))
    return [total / games for total in sums], struct.unpack("<q", module.read(made, 8))[0]


@pytest.mark.parametrize(("name", "players"), [("connect_four", 2), ("kuhn_poker", 2)])
def test_bots_think_in_the_sandbox(name: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    game: Any = rw.load(name, players, backend="wasm")
    sandboxed, reference = game.new(1), rw.load(name, players, backend="python").new(1)
    bot: Any = rw.bot("mcts:300")
    searches = [bot.search(state, 5) for state in (sandboxed, reference)]
    for search in searches:
        bot.budget.spend(search)
    assert isinstance(searches[0], CompiledSearch)
    assert searches[0].found() == searches[1].found()
    for kind in ("flat:20", "greedy"):
        assert rw.bot(kind).choose(sandboxed, 2).index == rw.bot(kind).choose(reference, 2).index
    # Memory of a module that is kept with its engine would be freed when the module may be gone: a crash.
    del search, searches
    assert game.engine.spare_searches == []


# Ten games of tic-tac-toe, not three hundred.
@pytest.mark.parametrize("limits", [Limits(work=25_000), Limits(work=None, fuel=60_000)], ids=["work", "instructions"])
def test_many_random_games_take_many_calls(limits: Limits, monkeypatch: pytest.MonkeyPatch, real_compiler: str) -> None:
    """Each call may do so much, however many games are wanted."""
    monkeypatch.undo()
    wanted = rw.load("tic_tac_toe", backend="native").playouts(5, 300)  # type: ignore[attr-defined]
    game: Any = rw.load("tic_tac_toe", backend="wasm")
    library = load_wasm(game.engine.library.path, Limits(fuel=limits.fuel and 10**10))
    game.engine = Engine(library, game.meta)
    assert game.playouts(5, 300) == wanted
    monkeypatch.setattr(library, "limits", limits)
    assert game.playouts(5, 300) == wanted  # calls grow longer, and stay far from the limit
    monkeypatch.setattr("interpreter.native.game.MOMENT", 0)
    assert game.playouts(5, 300) == wanted
    monkeypatch.setattr(library, "steady", True)
    with pytest.raises(Stopped):
        game.playouts(5, 300)


def test_how_many_games_fit_into_a_call_is_remembered(monkeypatch: pytest.MonkeyPatch, real_compiler: str) -> None:
    """A call costs as much as dozens of short games, so the next thousand need not begin with a single one."""
    monkeypatch.undo()
    game: Any = rw.load("tic_tac_toe", backend="wasm")
    wanted, calls = game.playouts(5, 600), []
    plays = game.engine.playouts
    monkeypatch.setattr(game.engine, "playouts", lambda *words: calls.append(words[2]) or plays(*words))
    monkeypatch.setattr("interpreter.native.game.MOMENT", 600.0)
    assert game.playouts(5, 600) == wanted
    assert game.playouts(5, 600) == wanted
    assert sum(calls) == 1200 and calls[-1] == 600
    game.engine.library.limits = Limits(work=25_000)
    del calls[:]
    assert game.playouts(5, 600) == wanted
    assert calls[0] == 1 and max(calls) < 20
