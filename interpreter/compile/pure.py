"""Which values may meet a fault or count work while they are worked out: those must be worked out exactly as often, and
in exactly the order, that the rules say. Everything else may be moved, shared or worked out in advance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Set

from . import ir
from .ir import Op, Routine

_FAULTS = (
    ir.InRange, ir.Filled, ir.Somebody, ir.Fitting, ir.Counted, ir.LongestTrail, ir.Formula, ir.CanCall,
    ir.CanPerform, ir.CanPay, ir.Paid, ir.Score,
)  # fmt: skip


def operation_may_fault(op: Op) -> bool:
    """True if the operation itself may fault, apart from its operands and from what it calls."""
    if isinstance(op, ir.Arithmetic) and op.sign in ("//", "%"):
        return not (isinstance(op.right, ir.Const) and op.right.value != 0)
    return isinstance(op, _FAULTS) or (isinstance(op, ir.Marked | ir.Sieved) and op.spent is not None)


def routine_may_fault(routine: Routine) -> bool:
    """True if the routine itself may fault, apart from what it calls."""
    loops = any(isinstance(ins, ir.While | ir.Loop) for ins in routine.instructions())
    return loops or any(map(operation_may_fault, routine.operations()))


def called_by(routine: Routine) -> set[str]:
    """The values that a routine asks for."""
    found: set[str] = set()
    for op in routine.operations():
        if isinstance(op, ir.CallValue):
            found.add(op.routine)
        if isinstance(op, ir.CanCall) and op.known is not None:
            found.add(op.known)
    return found


def with_callers(found: Set[str], values: Iterable[Routine]) -> set[str]:
    """These values, and those that ask for them."""
    callers = {(callee, routine.name) for routine in values for callee in called_by(routine)}
    every = set(found)
    while more := {caller for callee, caller in callers if callee in every} - every:
        every |= more
    return every


def faulty_values(values: Collection[Routine]) -> set[str]:
    return with_callers({routine.name for routine in values if routine_may_fault(routine)}, values)


def is_free(op: Op, faulty: Set[str]) -> bool:
    """True if the operation can neither fault nor count work. `faulty` are the values that can."""
    for inner in ir.operations(op):
        if operation_may_fault(inner) or (isinstance(inner, ir.CallValue) and inner.routine in faulty):
            return False
    return True
