"""The IR of a program as a backend gets it, made once for all tests that look at it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from interpreter.check.program import Program
from interpreter.compile import ir
from interpreter.compile.invariants import broken_invariants
from interpreter.compile.passes import PASSES, lower_program
from interpreter.compile.unit import Unit
from interpreter.compile.ways import for_way


@dataclass(frozen=True)
class Lowered:
    """The IR after all passes, and what did not hold of it: as it was lowered, after each pass, in each way of running.
    Nobody may change it."""

    program: Program
    unit: Unit
    broken: list[str]


_last: list[Lowered] = []  # tests of one game follow one another


def lowered(program: Program) -> Lowered:
    if not _last or _last[0].program is not program:
        _last[:] = [_lowered(program)]
    return _last[0]


def _lowered(program: Program) -> Lowered:
    unit = lower_program(program)
    seen: set[ir.Op | ir.Part] = set()
    broken = broken_invariants(unit, seen=seen)
    for change in PASSES:
        change(unit)
        broken += [f"{change.__name__}: {problem}" for problem in broken_invariants(unit, seen=seen)]
    for way in ir.WAYS:
        own = replace(unit, routines=for_way(unit, way))
        broken += [f"{way}: {problem}" for problem in broken_invariants(own, settled=True, seen=seen)]
    return Lowered(program, unit, broken)
