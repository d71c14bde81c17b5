"""What is worked out when a game is compiled is what the emitted code would work out."""

from __future__ import annotations

import pytest

from interpreter.check.value_types import NO_NUMBER, NONE
from interpreter.compile import ir
from interpreter.compile.emit_expressions import ExpressionEmitter
from interpreter.compile.fold import is_printed, worked_out
from interpreter.compile.ir import INDEX, Op
from interpreter.compile.layout import Layout
from interpreter.runtime import sets

TABLES = {
    "cost_of_card": (1, 3, 5, NO_NUMBER, NO_NUMBER),
    "owner_of_card": (0, NONE, 1, 1, NONE),
    "fits_1": (1, 0, 1, 0, 0),
}
X = ir.Local("x", type=INDEX)
COST, OWNER = ir.Lookup("cost_of_card", X, type=INDEX), ir.Lookup("owner_of_card", X, type=INDEX)


def number(value: int) -> Op:
    return ir.Const(value, type=INDEX)


def compared(sign: str) -> list[Op]:
    """A comparison with none on no side, on the left, on the right, on both."""
    return [
        ir.Compare(sign, X, number(2)),
        ir.Compare(sign, COST, number(3), NO_NUMBER, None),
        ir.Compare(sign, number(3), COST, None, NO_NUMBER),
        ir.Compare(sign, OWNER, OWNER, NONE, NONE),
    ]


PRINTED = [
    *(op for sign in ("==", "!=", "<", "<=", ">", ">=") for op in compared(sign)),
    *(ir.Arithmetic(sign, X, number(2), type=INDEX) for sign in "+-*"),
    ir.Unary("negative", X, type=INDEX),
    ir.Address(7, (ir.Term(X, 3, 1),), False, type=INDEX),
    ir.Address(7, (ir.Term(OWNER, 3, 0),), True, type=INDEX),
    ir.And(ir.InRanges(X, ((1, 2),)), ir.Not(ir.IsNone(OWNER, NONE))),
    ir.Or(ir.InRanges(X, ((0, 1), (3, 1))), ir.Lookup("fits_1", X, type=INDEX)),
]


@pytest.mark.parametrize("op", PRINTED, ids=str)
def test_as_emitted(op: Op) -> None:
    emitter = ExpressionEmitter(Layout({}, {}, 0, 0, 0, (), {}, {}), [])
    text = emitter.text(op)
    names = {**sets.NAMES, **TABLES, **{name: values for values, name in emitter.pool.items()}}
    assert is_printed(op, "x")
    assert worked_out(op, "x", range(4), TABLES) == [eval(text, names, {"x": x}) for x in range(4)]


def test_an_index_outside_its_table_is_told() -> None:
    with pytest.raises(IndexError):
        worked_out(ir.Lookup("fits_1", number(9), type=INDEX), "x", (0,), TABLES)


@pytest.mark.parametrize(
    "op", [ir.Local("y", type=INDEX), ir.Face(X, type=INDEX), ir.Arithmetic("//", X, X, type=INDEX)], ids=str
)
def test_what_is_not_printed(op: Op) -> None:
    assert not is_printed(op, "x")
    if not isinstance(op, ir.Local):
        with pytest.raises((AssertionError, KeyError)):
            worked_out(op, "x", (0,), TABLES)
