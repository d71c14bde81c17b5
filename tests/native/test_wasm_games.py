"""Emitted games in the sandbox: the same random games as native code plays."""

from __future__ import annotations

import struct
from importlib.util import find_spec

import pytest

import interpreter as rw
from interpreter.compile.load import checked_program
from interpreter.native import toolchain
from interpreter.native.build import build_library
from interpreter.native.make import c_of
from interpreter.native.wasm import Limits, load_wasm

ZIG = toolchain.zig_path()

pytestmark = pytest.mark.skipif(
    ZIG is None or find_spec("wasmtime") is None, reason="ziglang and wasmtime are not installed (extra `wasm`)"
)


@pytest.mark.parametrize(("name", "players"), [("tic_tac_toe", 2), ("kalah", 2), ("pikit", 3)])
@pytest.mark.parametrize("fuel", [10**10, None])
def test_the_same_games(
    name: str, players: int, fuel: int | None, monkeypatch: pytest.MonkeyPatch, real_compiler: str
) -> None:
    monkeypatch.setattr(toolchain, "zig_path", lambda: ZIG)
    games = 200
    game = rw.load(name, players=players, backend="native")
    averages, decisions = game.playouts(5, games)  # type: ignore[attr-defined]
    source = c_of(checked_program(name, players)).source
    module = load_wasm(build_library(source, name, "test", kind="wasm"), Limits(fuel=fuel))
    context = module.function("rwx_context", "address")()
    returns, made = module.allocate(8 * players), module.allocate(8)
    play = module.function("rwx_playouts", "i64", "address", "u64", "i64", "address", "address")
    assert play(context, 5, games, returns, made) == games
    sums = struct.unpack(f"<{players}d", module.read(returns, 8 * players))
    assert [total / games for total in sums] == averages
    assert struct.unpack("<q", module.read(made, 8)) == (decisions,)
