"""Each class of the IR is printed by a method of its own, which takes that class."""

from __future__ import annotations

import inspect

import pytest

from interpreter.compile.emit_expressions import ExpressionEmitter
from interpreter.compile.emit_methods import INSTRUCTION_METHODS, OPERATION_METHODS
from interpreter.compile.emit_python import PythonEmitter

METHODS = [
    *((kind, ExpressionEmitter, name) for kind, name in OPERATION_METHODS.items()),
    *((kind, PythonEmitter, name) for kind, name in INSTRUCTION_METHODS.items()),
]


@pytest.mark.parametrize(("kind", "emitter", "name"), METHODS, ids=[kind.__name__ for kind, _, _ in METHODS])
def test_every_class_has_a_method(kind: type, emitter: type, name: str) -> None:
    node = list(inspect.signature(getattr(emitter, name)).parameters.values())[1]
    assert node.annotation == f"ir.{kind.__name__}"


def test_both_tables_are_whole() -> None:
    assert len(OPERATION_METHODS) > 80 and len(INSTRUCTION_METHODS) > 40
