"""`path = E`, `+=`, `-=`: what may be assigned to, and whether the new value is proved to be in range."""

from __future__ import annotations

from ..syntax import nodes
from . import program as p
from .dispatch import accept, does, elaborate, interval_of, number
from .numbers import arithmetic, inside, meet
from .scope import Body
from .type_rules import in_words, is_maybe, surely_fits
from .value_types import Number, VType


@does(nodes.Assign)
def assign(body: Body, node: nodes.Assign) -> p.Stmt | list[p.Stmt]:
    path = elaborate(body, node.path, None)
    with body.gathering() as ahead:
        made = _store(body, node, path)
    return [*ahead, made]


def _store(body: Body, node: nodes.Assign, path: p.Expr) -> p.Stmt:
    match path:
        case p.FieldRead():
            _refuse_no_owner(body, node, path)
            value, fits = _value(body, node, path, path.field.type, path.field.capped)
            return p.SetField(node.span, path.field, path.owner, path.indexes, node.op, value, fits)
        case p.Face():
            bounds = Number(*_faces(path))
            value, fits = _value(body, node, path, bounds, False)
            return p.SetFace(node.span, path.die, node.op, value, fits)
        case p.IfElse():
            then: p.Block = (_store(body, node, path.then),)
            return p.If(node.span, path.condition, then, (_store(body, node, path.otherwise),))
        case _:
            raise _not_settable(body, node, path)


def _faces(path: p.Face) -> tuple[int, int]:
    die = path.die.type
    return (die.low, die.high) if hasattr(die, "low") and hasattr(die, "high") else (0, 0)


def _refuse_no_owner(body: Body, node: nodes.Assign, path: p.FieldRead) -> None:
    if path.owner is not None and is_maybe(path.owner.type):
        raise body.fail(
            "R0432",
            f"whose `{path.field.name}` is set may be none here",
            node.path.span,
            f"{in_words(path.owner.type)}",
            help="ask `is not none` first",
        )


def _value(body: Body, node: nodes.Assign, path: p.Expr, target: VType, capped: bool) -> tuple[p.Expr, bool]:
    """The value to store or to add, and whether the outcome is proved to be in range."""
    what = f"`{node.path.span.text}`"
    if node.op == "=":
        if capped:
            value = number(body, node.value, f"what {what} is set to")
        else:
            value = accept(body, elaborate(body, node.value, target), target, node.value.span, f"what {what} is set to")
        return value, surely_fits(body.declared, value.type, target)
    value = number(body, node.value, "the change")
    if not isinstance(path.type, Number):
        if is_maybe(path.type):
            raise body.fail(
                "R0432", f"{what} may be none here", node.path.span, "nothing to add to", help="ask `is not none` first"
            )
        raise body.fail(
            "R0430", f"{what} is {in_words(path.type)}, not a number", node.path.span, f"`{node.op}` is for numbers"
        )
    assert isinstance(target, Number)
    # `path.type` is narrowed by what is known here, so `if round < 4` before `round += 1` proves that 1..4 is kept and
    # saves the test at run time.
    after = arithmetic(node.op[0], path.type, interval_of(value))
    if meet(after, target) is None and not capped:
        raise body.fail(
            "R0433",
            f"{what} can never be in range afterwards: {after} is outside {target}",
            node.value.span,
            f"always outside {target}",
        )
    return value, inside(after, target)


def _not_settable(body: Body, node: nodes.Assign, path: p.Expr) -> Exception:
    what = node.path.span.text
    match path:
        case p.LocalVar():
            return body.fail(
                "R0458",
                f"`{what}` is a name, and names never change",
                node.path.span,
                "not a field",
                help="give the new value a new name with `let`, or keep a field for it",
            )
        case p.PlaceRef() | p.SlotPiece():
            return body.fail(
                "R0458",
                f"`{what}` is a place: pieces are moved, not set",
                node.path.span,
                "a place",
                help=f"write `move … to {what}`",
            )
        case p.AttributeOf() | p.ChartCell():
            return body.fail("R0458", f"`{what}` is printed and never changes", node.path.span, "not a field")
        case p.Const():
            return body.fail("R0458", f"`{what}` never changes", node.path.span, "a constant")
        case _:
            return body.fail("R0458", f"`{what}` is computed: it cannot be set", node.path.span, "not a field")
