"""Values are written out where they are called only if that stays short: each name counts as often as it is used."""

from __future__ import annotations

from interpreter.compile import ir
from interpreter.compile.ir import INDEX, Block, Op
from interpreter.compile.written_out import expression_of, is_long


def _local(name: str) -> Op:
    return ir.Local(name, type=INDEX)


def _doubled(times: int) -> Block:
    """`let x1 = x0 + x0`, `let x2 = x1 + x1` …"""
    named: Block = [
        ir.Let(f"x{n + 1}", ir.Arithmetic("+", _local(f"x{n}"), _local(f"x{n}"), type=INDEX)) for n in range(times)
    ]
    return [*named, ir.Return(_local(f"x{times}"))]


def _asked(times: int) -> Block:
    """`if x0 < 1` / `result 1`, and so on: what follows an `if` without a result is behind both of its blocks."""
    zero = ir.Const(0, type=INDEX)
    body: Block = []
    for _ in range(times):
        body.append(ir.If(ir.Compare("<", _local("x0"), zero), [ir.Let("x1", zero)], []))
    return [*body, ir.Return(_local("x0"))]


def test_what_is_short_is_one_expression() -> None:
    assert str(expression_of(_doubled(2))) == str(
        ir.Arithmetic("+", *(ir.Arithmetic("+", _local("x0"), _local("x0"), type=INDEX),) * 2, type=INDEX)
    )
    assert expression_of(_asked(2)) is not None


def test_a_longer_one_is_not_worth_it() -> None:
    found = expression_of(_doubled(6))
    assert found is not None and is_long(found)


def test_names_and_conditions_that_double_are_given_up_at_once() -> None:
    assert expression_of(_doubled(60)) is None
    assert expression_of(_asked(60)) is None
