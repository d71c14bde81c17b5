"""Which method of an emitter prints which class of the IR: `ReadField` is printed by `_read_field`, and so on.

The tables are made once, from the classes of `ir`. A class without a method fails at its first use, and a test
compares both tables with the emitters.
"""

from __future__ import annotations

import re

from . import ir

ABSTRACT = (ir.Op, ir.Condition, ir.Ins)  # only their subclasses are ever made


def _methods(base: type[ir.Op] | type[ir.Ins]) -> dict[type, str]:
    kinds = (kind for kind in vars(ir).values() if isinstance(kind, type) and issubclass(kind, base))
    return {kind: "_" + _snake_case(kind.__name__) for kind in kinds if kind not in ABSTRACT}


def _snake_case(name: str) -> str:
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


OPERATION_METHODS = _methods(ir.Op)
INSTRUCTION_METHODS = _methods(ir.Ins)
