"""A call into a module comes to an end: by the work that the module counts itself, and by instructions.

Each of these rulesets does less between two decisions than its limits allow, so nothing there is a fault; what it does
again and again would keep a whole random game busy for hours. The work that a module counts must stop it, and a unit of
that work must not be many instructions: otherwise the limit would be a number without a meaning.
"""

from __future__ import annotations

from importlib.util import find_spec

import pytest

from interpreter.compile.load import compile_program
from interpreter.native import toolchain
from interpreter.native.build import build_library
from interpreter.native.engine import Engine
from interpreter.native.make import SEARCH, c_of
from interpreter.native.wasm import Limits, Stopped, load_wasm
from tests.toy_games import checked

pytestmark = pytest.mark.skipif(
    toolchain.zig_path() is None or find_spec("wasmtime") is None,
    reason="ziglang and wasmtime are not installed (extra `wasm`)",
)

WORK = 20_000_000
INSTRUCTIONS_OF_A_UNIT = 50
NEVER = 1 << 62

_PLAY = 'play\n  in turn p from seat1 until no\n    turn(p)\nphase turn(p)\n  choose k in 1..3 "Which?"\n'
_PIECES = (
    "kind Coin\n  copies 1 for each n: 1..2000\ntable\n  a: bag of Coin open\n  b: bag of Coin open\n  n: 0..100000\n"
)
_ALL_IN_A = "setup\n  move all c in Coin to a\n"
_STAR = "map net is complete of 40\n  node Town\n  edge Way\neach Way\n  owner: player?\ntable\n  n: 0..100000\n"

LONG = {
    "a loop that does little": "table\n  n: 0..9\n" + _PLAY + "  for i in 1..9000\n    n = 1\n",
    "pieces to and fro": (
        "kind Coin\n  copies 2\ntable\n  a: pile of Coin open\n  b: pile of Coin open\n"
        + _ALL_IN_A
        + _PLAY
        + "  for i in 1..900\n    move all c in a to b\n    move all c in b to a\n"
    ),
    "thousands drawn from a bag": _PIECES + _ALL_IN_A + _PLAY + "  draw 2000 from a to b\n  move all c in b to a\n",
    "a large set turned round": (
        "table\n  n: 0..100000\n" + _PLAY + "  for i in 1..3000 by highest i\n    n = i\n"
    ),
    "sums over sums": _PIECES + _ALL_IN_A + _PLAY + "  n = sum(1 for x in a where some y in a has y.n == x.n + 5000)\n",
    "trails": _STAR + _PLAY + "  for i in 1..9\n    n = longest_trail(w in Way where w.owner is none)\n",
    "options that are tried": (
        "table\n  n: 0..9\n  m: 0..900\n"
        + _PLAY
        + '  m = 0\n  choose one "Which?"\n    "{i}" for i in 1..300\n      mark(i)\n    otherwise "None"\n'
        + "effect mark(i: 1..300)\n  for j in 1..20\n    m = max(m, j)\n  requires m > 50 or i > 299\n  n = 1\n"
    ),
    "dice": "table\n  d: 50 dice of 1..6\n" + _PLAY + "  for i in 1..300\n    roll d\n",
}  # fmt: skip


# Loops, pieces, maps and looks ahead, one of each; the others are compiled in the long run.
EVERYDAY = ("a loop that does little", "thousands drawn from a bag", "trails", "options that are tried")


@pytest.mark.parametrize("name", LONG)
def test_a_game_without_end_is_stopped(name: str, is_long: bool) -> None:
    if name not in EVERYDAY and not is_long:
        pytest.skip("compiling every one of them is part of the long run")
    program = checked(LONG[name], 2, {})
    meta = compile_program(program).meta
    path = build_library(c_of(program).source + SEARCH, "long", f"long {name}", kind="wasm")
    for limits, words in (
        (Limits(work=WORK, fuel=NEVER), "units of work"),
        (Limits(work=NEVER, fuel=WORK), "instructions"),
    ):
        module = load_wasm(path, limits)
        engine = Engine(module, meta)
        context = engine.context
        with pytest.raises(Stopped, match=f"stopped after {WORK:,} {words}"):
            engine.playouts(context.address, 1, 1, context.totals, context.totals + 16)
        if limits.work == WORK:
            executed = NEVER - module._store.get_fuel()
            assert executed < WORK * INSTRUCTIONS_OF_A_UNIT, f"{executed / WORK:.1f} instructions a unit"
