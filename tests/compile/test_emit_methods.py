"""Each class of the IR is printed by a template with its own fields, or by a method of its own, which takes it."""

from __future__ import annotations

import inspect
from dataclasses import fields
from string import Formatter

import pytest

from interpreter.compile.emit_expressions import ExpressionEmitter
from interpreter.compile.emit_methods import INSTRUCTION_METHODS, INSTRUCTIONS, OPERATION_METHODS, OPERATIONS
from interpreter.compile.emit_python import PythonEmitter

METHODS = [
    *((kind, ExpressionEmitter, name) for kind, name in OPERATION_METHODS.items()),
    *((kind, PythonEmitter, name) for kind, name in INSTRUCTION_METHODS.items()),
]
TEMPLATES = [*OPERATIONS.items(), *INSTRUCTIONS.items()]


@pytest.mark.parametrize(("kind", "emitter", "name"), METHODS, ids=[kind.__name__ for kind, _, _ in METHODS])
def test_every_class_has_a_method(kind: type, emitter: type, name: str) -> None:
    node = list(inspect.signature(getattr(emitter, name)).parameters.values())[1]
    assert node.annotation == f"ir.{kind.__name__}"


@pytest.mark.parametrize(("kind", "template"), TEMPLATES, ids=[kind.__name__ for kind, _ in TEMPLATES])
def test_every_template_speaks_of_fields_of_its_class(kind: type, template: str) -> None:
    holes = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    assert holes <= {field.name for field in fields(kind)} | {"at"}


def test_the_tables_are_whole() -> None:
    assert len(OPERATION_METHODS) + len(OPERATIONS) > 80 and len(INSTRUCTION_METHODS) + len(INSTRUCTIONS) > 40
