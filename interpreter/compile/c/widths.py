"""How large numbers can become while they are worked with.

Every field, parameter and declared result fits into 32 bits, and the checker's intervals stop there. What lies between
does not: Python's numbers grow by themselves, so `a * b * c` is exact there, however large. In C a number in the making
has 64 bits, one that is kept in a frame or in a set has 32. Here is what an operation can come to at most, as a
magnitude. A game in which that may be too much runs in Python.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from ...check.value_types import Number
from .. import ir
from ..bounds import MANY, Bound
from ..ir import Op, Routine

ONE_NUMBER = 1 << 31
TOO_WIDE = 1 << 63
_MOST = 1 << 200  # what is larger than any test needs


class Widths:
    """Of one routine. `bound_of`: what the operations are by their types. `results`: of the routines whose results are
    wider than 32 bits."""

    def __init__(self, routine: Routine, bound_of: Callable[[Op], Bound], results: dict[str, int]) -> None:
        self.bound_of, self.results = bound_of, results
        self._lets: dict[str, list[Op]] = {}
        for ins in routine.instructions():
            if isinstance(ins, ir.Let):
                self._lets.setdefault(ins.local, []).append(ins.value)
        self._known: dict[str, int] = {}

    def of(self, op: Op) -> int:
        return min(_MOST, self._of(op))

    def _of(self, op: Op) -> int:
        match op:
            case ir.Const():
                return abs(op.value)
            case ir.Arithmetic(sign="*"):
                return self.of(op.left) * self.of(op.right)
            case ir.Arithmetic(sign="//"):
                return self.of(op.left)
            case ir.Arithmetic(sign="%"):
                return self.of(op.right)
            case ir.Arithmetic():
                return self.of(op.left) + self.of(op.right)
            case ir.Unary() | ir.Public():
                return self.of(op.of)
            case ir.Conditional():
                return max(self.of(op.then), self.of(op.otherwise))
            case ir.Otherwise():
                return max(self.of(op.value), self.of(op.fallback))
            case ir.Extreme():
                return self._most(op.items)
            case ir.ExtremeOf():
                return max(self.of(op.value), self.of(op.otherwise) if op.otherwise is not None else 0)
            case ir.SumOf():
                size = self.bound_of(op.source).size
                return self.of(op.value) * (MANY if size is None else size)
            case ir.ScoreLine():
                return self.of(op.points)
            case ir.Local():
                return self._local(op)
            case ir.CallValue() if op.routine in self.results:
                return self.results[op.routine]
        return self._typed(op)

    def _typed(self, op: Op) -> int:
        numbers = self.bound_of(op).numbers
        return max(abs(numbers.low), abs(numbers.high))

    def _most(self, ops: Iterable[Op]) -> int:
        return max((self.of(op) for op in ops), default=0)

    def _local(self, op: ir.Local) -> int:
        if op.name not in self._known:
            typed = self._known[op.name] = self._typed(op)  # while it is found out: a counter of a loop is small
            if typed >= ONE_NUMBER - 1 and op.name in self._lets:  # else the checker has seen the end of it
                self._known[op.name] = max(typed, self._most(self._lets[op.name]))
        return self._known[op.name]


def wide_results(routines: Iterable[Routine], typed: Callable[[Op], Bound]) -> dict[str, int]:
    """The results of values that may be wider than 32 bits: those whose type was left to the checker. A value never
    leads back to itself, so that as many rounds do as calls can be nested."""
    found: dict[str, int] = {}
    listed = [(routine, _results(routine)) for routine in routines]
    listed = [(routine, values) for routine, values in listed if any(map(may_be_wide, values))]
    for _ in listed:
        before = dict(found)
        for routine, values in listed:
            width = max(map(Widths(routine, typed, found).of, values))
            if width > ONE_NUMBER:
                found[routine.name] = width
        if found == before:
            break
    return found


def _results(routine: Routine) -> list[Op]:
    given = [ins.value for ins in routine.instructions() if isinstance(ins, ir.Return)]
    return [value for value in given if value is not None]


def may_be_wide(op: Op) -> bool:
    """A number that others make, whose interval the checker had to cut off."""
    return isinstance(op.type, Number) and max(abs(op.type.low), abs(op.type.high)) >= ONE_NUMBER - 1
