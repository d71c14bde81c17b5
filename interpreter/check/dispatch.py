"""The single entry point for expressions: `elaborate` passes a node to the handler of its form.

Each module of expressions and statements registers its handlers here, so that none of them has to import the others.
`expected` is the type that is expected at that place, if any: it decides what a bare `red` means. A handler may return
another type; `wanted` then reports the mismatch, with the place where the expectation comes from.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, TypeVar

from ..diagnostics.source import Span
from ..syntax import nodes
from . import program as p
from . import value_types as t
from .numbers import inside, meet
from .scope import Body, Broken, Unknown
from .type_rules import fits, in_words, is_maybe, kinds_of, maybe, never_fits

Handler = Callable[[Body, Any, t.VType | None], p.Expr]
AnyHandler = TypeVar("AnyHandler", bound=Handler)
_HANDLERS: dict[type[nodes.Expr], Handler] = {}
Made = p.Stmt | list[p.Stmt]
Doer = Callable[[Body, Any], Made]
_DOERS: dict[type[nodes.Statement], Doer] = {}

Args = tuple[nodes.Expr | nodes.NamedArg, ...]  # of a call, as they are written


def handles(*forms: type[nodes.Expr]) -> Callable[[AnyHandler], AnyHandler]:
    """Registers the handler for some forms of expressions."""

    def register(handler: AnyHandler) -> AnyHandler:
        _HANDLERS.update(dict.fromkeys(forms, handler))
        return handler

    return register


def does(form: type[nodes.Statement]) -> Callable[[Doer], Doer]:
    """Registers the handler for a form of statement."""

    def register(doer: Doer) -> Doer:
        _DOERS[form] = doer
        return doer

    return register


def doer_of(node: nodes.Statement) -> Doer:
    return _DOERS[type(node)]


def elaborate(body: Body, node: nodes.Expr, expected: t.VType | None = None) -> p.Expr:
    """The elaborated expression with its type. A slot stands for the piece in it; other places stay places."""
    made = _HANDLERS[type(node)](body, node, expected)
    if _is_lost(made.type):
        raise Broken
    if body.declared.uses.is_wanted:
        body.declared.uses.types.append((node.span, made.type))
    return made


def _is_lost(of: t.VType) -> bool:
    """True for a type that could not be resolved, and for a place whose kinds could not; both have been reported."""
    of = t.innermost(of)
    return isinstance(of, Unknown) or getattr(of, "kinds", None) == ()


def needs_type(body: Body, node: nodes.Expr) -> bool:
    """True if a side of a comparison is a bare member name, which means nothing without an expected type."""
    match node:
        case nodes.NameRef(name=name):
            if name in body.names:
                return False
            return bool(body.world.owners_of_member(name)) or name not in body.world.globals
        case nodes.IfElse(then=then):
            return needs_type(body, then)
        case nodes.Several(items=()):
            return True
        case nodes.Several(items=items):
            return any(needs_type(body, item) for item in items)
        case _:
            return False


# ---------------------------------------------------------------------------- wanting something


def wanted(body: Body, node: nodes.Expr, target: t.VType, what: str, note: str | None = None) -> p.Expr:
    """The expression, which must be of the given type. `what` names the place in words, `note` says where the
    expectation comes from."""
    return accept(body, elaborate(body, node, target), target, node.span, what, note)


def used(body: Body, node: nodes.Expr, target: t.VType, what: str, note: str | None = None) -> p.Expr:
    """The same for an index or an argument: a number that is not proved to be in range is tested at run time."""
    made = wanted(body, node, target, what, note)
    numbers, bounds = t.bare(made.type), t.bare(target)
    if not isinstance(numbers, t.Number) or not isinstance(bounds, t.Number) or inside(numbers, bounds):
        return made
    fitting = maybe(meet(numbers, bounds) or bounds, is_maybe(made.type))
    # If it were refused, every `track[n + 1]` would need an `if` around it that the author knows to be true.
    return p.InRange(fitting, made.span, made, bounds.low, bounds.high, what)


def accept(body: Body, made: p.Expr, target: t.VType, span: Span, what: str, note: str | None = None) -> p.Expr:
    """The expression adapted to the type expected here, or a finding."""
    if isinstance(made, p.Const) and isinstance(made.type, t.NoneOnly) and isinstance(target, t.Maybe):
        return p.Const(target, made.span, t.none_of(target))
    if isinstance(target, t.SetOf):
        made = as_set_of(body, made, target)
    is_empty = isinstance(made.type, t.SetOf) and isinstance(made, p.SetList) and not made.items
    if is_empty:  # an empty list is of any type
        return replace(made, type=target)
    if made.type == t.Maybe(t.Flag()) and target == t.Flag():
        # None counts as no: `value is_stop(h: Hex): flag = h.tile.is_town`.
        return p.Compare(t.Flag(), made.span, "==", made, p.Const(t.Flag(), made.span, 1))
    notes = (note,) if note else ()
    if not fits(body.declared, made.type, target):
        # If only the `?` is in the way, say so: "may be none" helps, "is a Card?, not a Card" does not.
        fits_else = isinstance(made.type, t.NoneOnly) or fits(body.declared, t.bare(made.type), target)
        if is_maybe(made.type) and not isinstance(target, t.Maybe) and fits_else:
            label = f"{in_words(made.type)}, {in_words(target)} is expected"
            advice = "give a default (`… otherwise …`), or ask `is not none` first"
            raise body.fail("R0432", f"{what} may be none here", span, label, notes=notes, help=advice)
        headline = f"{what} is {in_words(made.type)}, not {in_words(target)}"
        help = _kind_help(body, made.type, target)
        raise body.fail("R0430", headline, span, f"{in_words(target)} is expected", notes=notes, help=help)
    # Only what can never be in range is an error here. What may be out of range is tested at run time.
    if never_fits(made.type, target):
        headline = f"{what} can never be in range: {_numbers(made.type)} is outside {t.bare(target)}"
        raise body.fail("R0433", headline, span, f"always outside {t.bare(target)}", notes=notes)
    return made


def as_set_of(body: Body, made: p.Expr, target: t.SetOf) -> p.Expr:
    """The contents of a place as a set; where a set is expected, one thing stands for the set of it alone."""
    made = as_set(made)
    is_one = not isinstance(made.type, t.SetOf | t.PlaceOf | t.NoneOnly | t.Flag)
    if is_one and fits(body.declared, t.bare(made.type), target.of):
        return p.SetList(t.SetOf(t.bare(made.type)), made.span, (made,))
    return made


def _kind_help(body: Body, value: t.VType, target: t.VType) -> str | None:
    """Help if the type is too wide: narrow a union or an enum with `is`, or name a piece of a place."""
    inner, wide = t.bare(target), t.bare(value)
    if isinstance(inner, t.EnumOf) and isinstance(wide, t.EnumOf):
        return _enum_help(body, wide, inner)
    if isinstance(inner, t.Piece) and isinstance(wide, t.Piece) and set(inner.kinds) & set(wide.kinds):
        return f"ask `is {inner}` first"
    if isinstance(wide, t.PlaceOf) and isinstance(inner, t.Piece):
        return "a place is not a piece: say which of its pieces"
    return None


def _enum_help(body: Body, value: t.EnumOf, target: t.EnumOf) -> str | None:
    """Help if one enum contains the other, or has values of the same name that are not the same values."""
    if fits(body.declared, target, value):
        return f"ask `is {target.name}` first"
    own, other = (body.declared.enums[name].ids for name in (target.name, value.name))
    if not set(own) & set(other):
        return None
    return f"values of two enums are never the same: let one contain the other, `enum {value.name} = {target.name} | …`"


def _numbers(value_type: t.VType) -> str:
    inner = t.bare(value_type)
    if isinstance(inner, t.Number) and inner.low == inner.high:
        return str(inner.low)
    return str(inner)


def condition(body: Body, node: nodes.Expr) -> p.Expr:
    """A yes-or-no expression; a flag that may be none counts as no."""
    return accept(body, elaborate(body, node, t.Flag()), t.Flag(), node.span, "the condition")


def number(body: Body, node: nodes.Expr, what: str) -> p.Expr:
    """A number that cannot be none."""
    made = elaborate(body, node, None)
    if isinstance(made.type, t.Number):
        return made
    if isinstance(t.bare(made.type), t.Number):
        headline = f"{what} may be none here"
        help = "give a default (`… otherwise 0`), or ask `is not none` first"
        raise body.fail("R0432", headline, node.span, "nothing to count with if it is none", help=help)
    headline = f"{what} is {in_words(made.type)}, not a number"
    raise body.fail(
        "R0430",
        headline,
        node.span,
        "a number is expected",
        help=_counted(made, node.span.text) or _untyped(body, made),
    )


def _counted(made: p.Expr, text: str) -> str | None:
    """Help with what has a number and is none: a die, a place, a space."""
    match t.bare(made.type):
        case t.Die():
            return f"write `{text}.face`"
        case t.PlaceOf() | t.SetOf():
            return f"how many there are: `count({text})`"
        case t.MapNode():
            return (
                f"one step on from a space: `toward({text}, d)` with a direction; several steps: `line({text}, d)[n]`"
            )
    return None


def _untyped(body: Body, made: p.Expr) -> str | None:
    """Help with a parameter that was meant to be a number: without a type it is a player."""
    is_parameter = isinstance(made, p.LocalVar) and body.rule is not None and made.local in body.rule.params
    if not is_parameter or not isinstance(made.type, t.Player):
        return None
    return f"a parameter without a type is a player: write `{made.span.text}: 0..9`"


def interval_of(expr: p.Expr) -> t.Number:
    """The interval of an expression known to be a number."""
    assert isinstance(expr.type, t.Number)
    return expr.type


def player(body: Body, node: nodes.Expr, what: str = "this") -> p.Expr:
    return wanted(body, node, t.Player(), what)


def piece(body: Body, node: nodes.Expr, label: str = "a piece is expected") -> p.Expr:
    """A piece, or none."""
    made = elaborate(body, node, None)
    if not isinstance(t.bare(made.type), t.Piece):
        raise not_of(body, made.type, "a piece", node.span, label)
    return made


def not_of(body: Body, of: t.VType, wanted: str, span: Span, label: str, help: str | None = None) -> Broken:
    """Reports something of another type than the one that is wanted."""
    return body.fail("R0430", f"this is {in_words(of)}, not {wanted}", span, label, help=help)


def place(body: Body, node: nodes.Expr, what: str = "this") -> p.PlaceRef | p.Box:
    """A place itself, not its contents."""
    made = as_source(elaborate(body, node, None))
    if isinstance(made, p.PlaceRef | p.Box):
        return made
    headline = f"{what} is {in_words(made.type)}, not a place"
    raise body.fail("R0469", headline, node.span, "a place is expected", help=_its_places(body, node, made.type))


def _its_places(body: Body, node: nodes.Expr, of: t.VType) -> str | None:
    """The places of a thing that was named in place of one of them: `move t to c` means `c.tile`."""
    if isinstance(node, nodes.IfElse) and isinstance(of, t.SetOf):
        return "a place is named by itself: let an `if` choose the statement, and name one place in each"
    owners = ("player",) if isinstance(t.bare(of), t.Player) else kinds_of(t.bare(of))
    states = [state for owner in owners for state in body.declared.state.get(owner, {}).values()]
    places = [f"`{node.span.text}.{state.name}`" for state in states if isinstance(state, p.PlaceDecl)]
    return None if not places else f"name a place of it: {', '.join(places)}"


# ---------------------------------------------------------------------------- sets and where things come from


def as_source(made: p.Expr) -> p.Expr:
    """A slot as a place, and not as the piece in it."""
    return made.place if isinstance(made, p.SlotPiece) else made


def as_set(made: p.Expr) -> p.Expr:
    """The contents of a place as a set."""
    if isinstance(made, p.PlaceRef | p.Box) and isinstance(made.type, t.PlaceOf):
        return p.SetList(t.SetOf(t.Piece(made.type.kinds)), made.span, (made,))
    return made


def source(
    body: Body, node: nodes.Expr, expected: t.VType | None = None, may_be_one: bool = False
) -> tuple[p.Expr, t.VType]:
    """A set or place to iterate over, and the type of its elements. Where a name is bound (`may_be_one`), one thing is
    the set of it alone, and none the empty set: `t in toward(c, d)`. Not so a number: `for i in n` means a range. The
    name of a row of which there is one piece is a set everywhere, as it is if there are several: `c in Card.trifle`."""
    made = as_source(elaborate(body, node, None if expected is None else t.SetOf(expected)))
    of = t.element_of(made.type)
    may_be_one = may_be_one or (isinstance(made, p.Const) and isinstance(made.type, t.Piece))
    if of is None and may_be_one and isinstance(t.bare(made.type), t.Player | t.Kinded | t.EnumOf | t.DirectionOf):
        of = t.bare(made.type)
        made = p.SetList(t.SetOf(of), made.span, (made,))
    if of is None:
        what = f"{in_words(made.type)} is not something to go over"
        raise body.fail("R0434", what, node.span, "a set or a place is expected", help=_set_help(made, node))
    return made, of


def _set_help(made: p.Expr, node: nodes.Expr) -> str | None:
    """How to say a set where one thing is written."""
    if isinstance(made.type, t.Player):
        return "to mean this one thing alone, put it in a list: `(x, y)`"
    if isinstance(made.type, t.Piece):
        return f"it is one piece, and no set: move it by its name, or compare with it: `x == {node.span.text}`"
    if isinstance(made.type, t.Number):
        span = f"{made.type.low}..{made.type.high}"
        return f"to go over numbers, write a range: `1..n`; to name this one, `x in {span} where x == …`"
    if isinstance(made, p.MapQuery) and made.name == "toward":
        return f"as a set of one or none: `{node.span.text.replace('toward', 'line')[:-1]}, 1)`"
    return "it is one or none: name it with `let` and ask `is not none`" if made.type != t.bare(made.type) else None
