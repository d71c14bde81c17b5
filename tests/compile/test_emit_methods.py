"""Each class of the IR is printed by a template with its own fields, or by a method of its own, which takes it."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from dataclasses import fields
from string import Formatter

import pytest

from interpreter.compile import ir
from interpreter.compile.emit_expressions import OPERATIONS, ExpressionEmitter
from interpreter.compile.emit_instructions import INSTRUCTIONS
from interpreter.compile.emit_python import PythonEmitter
from interpreter.compile.ir import ops_masks
from interpreter.files.records import handler

ABSTRACT = (ir.Op, ir.Condition, ir.Ins)  # only their subclasses are ever made
FOR_C = tuple(getattr(ops_masks, name) for name in ops_masks.__all__)  # what `compile/masks` makes of the IR


def classes(base: type, without: Iterable[type] = ()) -> list[type]:
    every = [kind for kind in vars(ir).values() if isinstance(kind, type) and issubclass(kind, base)]
    return [kind for kind in every if kind not in (*ABSTRACT, *without)]


METHODS = [
    *((kind, ExpressionEmitter) for kind in classes(ir.Op, (*OPERATIONS, *FOR_C))),
    *((kind, PythonEmitter) for kind in classes(ir.Ins, INSTRUCTIONS)),
]
TEMPLATES = [*OPERATIONS.items(), *INSTRUCTIONS.items()]


@pytest.mark.parametrize(("kind", "emitter"), METHODS, ids=[f"{of.__name__}-{kind.__name__}" for kind, of in METHODS])
def test_every_class_has_a_method(kind: type, emitter: type) -> None:
    node = list(inspect.signature(getattr(emitter, handler(kind))).parameters.values())[1]
    assert f"ir.{kind.__name__}" in node.annotation


@pytest.mark.parametrize(("kind", "template"), TEMPLATES, ids=[kind.__name__ for kind, _ in TEMPLATES])
def test_every_template_speaks_of_fields_of_its_class(kind: type, template: str) -> None:
    holes = {name for _, name, _, _ in Formatter().parse(template) if name is not None}
    assert holes <= {field.name for field in fields(kind)} | {"at"}


def test_the_tables_are_whole() -> None:
    assert len(classes(ir.Op)) > 80 and len(classes(ir.Ins)) > 40
