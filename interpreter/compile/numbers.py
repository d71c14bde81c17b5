"""Which numbers an operation can give, from the numbers that its operands can be (interval arithmetic).

`_rule` has the operations whose value follows from their operands; every other one is bounded by its type.
The checker has proved the types of values. `INDEX` is not one of these: it only says "some whole number".
"""

from __future__ import annotations

from collections.abc import Callable

from ..check.numbers import absolute, arithmetic, extreme, negative, sign, sum_of
from ..check.value_types import NONE, Maybe, Number, none_of
from . import ir
from .ir import INDEX, Op
from .ranges import ANY, Range, range_of
from .unit import Unit

Numbers = Callable[[Op], Range]  # of an operand
Size = Callable[[Op], int]  # the most elements of an operand that is a set


def numbers_of(op: Op, unit: Unit, numbers: Numbers, size: Size) -> Range:
    """The numbers that an operation can give, from its operands or its type, whichever bounds it more tightly."""
    found = _rule(op, unit, numbers, size)
    if isinstance(op, ir.Const) and not (isinstance(op.type, Maybe) and op.value == none_of(op.type)):
        return Range(op.value, op.value)  # whatever its type: lowering also writes -1 for nobody where none is no value
    if op.type is INDEX:
        return found or ANY
    declared = range_of(unit.program, op.type)
    if found is None or found == ANY:
        return declared
    low, high = max(found.low, declared.low), min(found.high, declared.high)
    none = found.none if declared.none is None else declared.none
    return Range(declared.low, declared.high, none) if low > high else Range(low, high, none)


def _rule(op: Op, unit: Unit, numbers: Numbers, size: Size) -> Range | None:
    match op:
        case ir.Const():
            return Range(op.value, op.value)
        case ir.Condition():
            return Range(0, 1)
        case ir.Arithmetic():
            return _arithmetic(op.sign, numbers(op.left), numbers(op.right))
        case ir.Unary():
            return _of_interval(
                {"negative": negative, "absolute": absolute, "sign": sign}[op.what](_interval(numbers(op.of)))
            )
        case ir.Address():
            return _address(op, numbers)
        case ir.ReadSlot():
            return Range(0, max(0, len(unit.program.pieces) - 1), NONE)
        case ir.Count():
            return Range(0, size(op.of))
        case ir.CountWhere() | ir.Position():
            return Range(0, size(op.source))
        case ir.WalkOn():
            return Range(0, size(op.row))
        case ir.Element():
            return numbers(op.source)
        case ir.Filled():
            return Range(0, max(0, len(unit.program.pieces) - 1))
        case ir.InRange() | ir.Fitting():
            return Range(op.low, op.high)
        case ir.Extreme():
            return _of_interval(extreme(op.which, [_interval(numbers(item)) for item in op.items]))
        case ir.SumOf():
            return _of_interval(sum_of(_interval(numbers(op.value)), size(op.source)))
        case ir.NextSeat() | ir.Somebody():
            return Range(0, unit.program.players - 1)
        case ir.StillIn() | ir.Unskipped():
            return Range(0, unit.program.players - 1, NONE)
        case ir.WhereIs() if op.type is not INDEX:
            # None, too, where the rules have asked whether it is there: masks are read before that may be known.
            declared = range_of(unit.program, op.type)
            return Range(declared.low, declared.high, NONE)
    return None


def _address(op: ir.Address, numbers: Numbers) -> Range:
    low = high = op.base
    for term in op.terms:
        index = numbers(term.index)
        low += (index.low - term.low) * term.stride
        high += (index.high - term.low) * term.stride
    return Range(low, high, NONE if op.optional else None)


def _arithmetic(sign: str, left: Range, right: Range) -> Range:
    op = {"//": "div", "%": "mod"}.get(sign, sign)
    # The rule for intervals takes divisors from 1 for granted. Where that is not known here, nothing is.
    if op in ("div", "mod") and right.low <= 0:
        return ANY
    return _of_interval(arithmetic(op, _interval(left), _interval(right)))


def _interval(of: Range) -> Number:
    return Number(of.low, of.high)


def _of_interval(found: Number) -> Range:
    return Range(found.low, found.high)
