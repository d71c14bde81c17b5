"""The IR and the Python emitted from it: invariants over every ruleset, goldens of a small toy, the same bytes always.

`UPDATE_GOLDEN=1 python -m pytest tests/compile` rewrites the goldens.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.compile import ir
from interpreter.compile.invariants import broken_invariants
from interpreter.compile.load import checked_program, compile_program
from interpreter.compile.passes import lower_program
from interpreter.compile.show import show_ir
from tests.compile.lowered import lowered
from tests.every_ruleset import loaded
from tests.toy_games import TOYS, checked, toy_program

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "tests" / "golden" / "compile"
COMMAND = "# rewritten by: UPDATE_GOLDEN=1 python -m pytest tests/compile\n"

TRADE = """
each player
  coins: 0..9 = 3
  goods: 0..9
play
  in turn p from seat1 until some q in players has q.goods > 2
    turn(p)
phase turn(p)
  choose one "What?"
    buy(p)
    "Earn {n}" for n in 1..2 if p.coins < 5
      gain n coins
    otherwise "Wait"
action buy(p) "Buy"
  pay price(p) coins
  gain 1 goods
value price(p): 2..5 = 2 + p.goods
after p.goods rises
  p may "Boast"
    gain up to 1 coins
score p
  "Goods" p.goods
"""


def check_golden(name: str, text: str) -> None:
    file = GOLDEN / name
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(COMMAND + text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == COMMAND + text


def test_golden_ir() -> None:
    check_golden("trade_ir.txt", show_ir(lower_program(checked(TRADE))))


def test_golden_ir_of_a_game() -> None:
    check_golden("tic_tac_toe_ir.txt", show_ir(lower_program(loaded("tic_tac_toe", 2).program)))


def test_ir_of_one_rule_has_what_it_speaks_of() -> None:
    shown = show_ir(lower_program(checked(TRADE)), "turn")
    assert re.findall(r"^\w+ \w+", shown, re.MULTILINE) == [
        "framed rule_turn",
        "site 0",
        *(f"text {n}" for n in range(4)),
    ]


def test_golden_python() -> None:
    check_golden("trade_python.txt", compile_program(checked(TRADE)).source)


@pytest.mark.parametrize("name", TOYS)
def test_invariants_of_toys(name: str) -> None:
    assert lowered(toy_program(name)).broken == []


def test_invariants_of_rulesets(game: tuple[str, int]) -> None:
    assert lowered(loaded(*game).program).broken == []


def test_invariants_notice() -> None:
    """What the invariants are for: each kind of break is told."""
    unit = lower_program(checked(TRADE))
    routine = unit.routines["value_price"]
    routine.body[:0] = [
        ir.Let("x", ir.Local("y", type=ir.INDEX)),
        ir.Let("z", 3),  # type: ignore[arg-type]
        ir.Let("w", ir.Extreme("max", (ir.Const(1, type=ir.INDEX), "two"), type=ir.INDEX)),  # type: ignore[arg-type]
        ir.Goto(99),
        ir.Call(None, "rule_nobody", ()),
    ]
    told = " ".join(broken_invariants(unit))
    for words in ("y is read before", "Let.value is 3", "Extreme.items is", "Goto to segment 99", "_nobody"):
        assert words in told


def digests() -> list[str]:
    programs = [*map(toy_program, TOYS), *(checked_program(name, 2) for name in ("pikit", "breakthrough"))]
    return [hashlib.sha256(repr(compile_program(program).sources).encode()).hexdigest() for program in programs]


def test_the_same_rules_give_the_same_bytes() -> None:
    """Compiled in a separate process with another hash seed, and once more in this one."""
    other = "1" if os.environ.get("PYTHONHASHSEED") != "1" else "2"
    environment = {**os.environ, "PYTHONHASHSEED": other, "PYTHONPATH": str(ROOT)}
    seldom = "from interpreter.runtime.garbage import look_seldom; look_seldom()"
    script = f"{seldom}; from tests.compile.test_ir import digests; print(*digests())"
    command = [sys.executable, "-c", script]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=ROOT)
    assert run.returncode == 0, run.stderr
    assert run.stdout.split() == digests()


def test_what_was_compiled_before_leaves_no_trace() -> None:
    first = compile_program(checked(TRADE)).source
    for name in list(TOYS)[:3]:
        compile_program(toy_program(name))
    assert compile_program(checked(TRADE)).source == first


def test_emitted_source_is_never_longer_than_its_line_table() -> None:
    compiled = compile_program(checked(TRADE))
    assert len(compiled.places["play"]) == len(compiled.source.splitlines())
    for places in compiled.places.values():
        assert {place[0] for place in places if place is not None} == {"toy.rules"}
