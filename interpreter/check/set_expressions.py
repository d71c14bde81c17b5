"""Sets: lists, ranges, selections, counts, sums, extremes, quantifiers, players in order.

All of them iterate over a source with a binder. The facts that its `where` establishes about the element hold in
everything that follows: the sort key, the summand, the condition after `has`.
"""

from __future__ import annotations

from dataclasses import replace

from ..diagnostics.source import Span
from ..syntax import nodes
from . import program as p
from . import value_types as t
from .dispatch import as_source, condition, elaborate, handles, interval_of, needs_type, not_of, number, source, wanted
from .expressions import binder, bound, measure, narrowed, source_for
from .numbers import extreme, hull, sum_of
from .scope import Body
from .sizes import is_never_empty, is_surely_filled, most
from .type_rules import in_words, join, maybe, overlap

# ---------------------------------------------------------------------------- lists and ranges


@handles(nodes.Several)
def several(body: Body, node: nodes.Several, expected: t.VType | None) -> p.Expr:
    """`(a, b, S)`; `()` is the empty set."""
    target = expected.of if isinstance(expected, t.SetOf) else expected
    if not node.items:
        if target is None:
            help = "use `()` where a set is expected: a result, an argument, the other side of an `if … else`"
            raise body.fail("R0323", "an empty set of what?", node.span, "no type is expected here", help=help)
        return p.SetList(t.SetOf(t.element_of(target) or target), node.span, ())
    return joined(body, node.items, target, node)


def joined(body: Body, items: nodes.Exprs, target: t.VType | None, node: nodes.Node) -> p.SetList:
    made: list[p.Expr] = []
    common: t.VType | None = None
    if target is None and needs_type(body, items[0]):
        target = _told_by_another(body, items)
    for item in items:
        part = as_source(elaborate(body, item, target or common))
        # In a list a slot means the piece in it: `(p.left, p.right)` are two pieces, and not two places.
        if isinstance(part, p.PlaceRef) and isinstance(part.type, t.PlaceOf) and part.type.shape == "slot":
            part = elaborate(body, item, target or common)
        made.append(part)
        of = t.element_of(part.type) or t.bare(part.type)
        if isinstance(of, t.NoneOnly):
            raise body.fail("R0432", "none is in no set", item.span, "leave it out")
        both = of if common is None else join(body.declared, common, of)
        if both is None:
            what = f"{in_words(of)} cannot stand in a list of {common}"
            help = "a comma joins sets; a second name is bound by `, y in …`"
            raise body.fail("R0431", what, item.span, "of another type", help=help)
        common = both
    return p.SetList(t.SetOf(common or target or t.Flag()), node.span, tuple(made))


def _told_by_another(body: Body, items: nodes.Exprs) -> t.VType | None:
    """The type of the first item that has a type of its own; bare names in the list are members of that type."""
    for item in items:
        if not needs_type(body, item):
            with body.perhaps_never():
                told = as_source(elaborate(body, item, None)).type
            return t.element_of(told) or t.bare(told)
    return None


@handles(nodes.FromTo)
def from_to(body: Body, node: nodes.FromTo, expected: t.VType | None) -> p.Expr:
    low = number(body, node.low, "the beginning of a range")
    high = number(body, node.high, "the end of a range")
    _goes_upwards(body, node, low, high)
    bounds = t.Number(interval_of(low).low, max(interval_of(low).low, interval_of(high).high))
    return p.NumberRange(t.SetOf(bounds), node.span, low, high)


def _goes_upwards(body: Body, node: nodes.FromTo, low: p.Expr, high: p.Expr) -> None:
    """A range between two written numbers goes upwards; between constants it may be empty in one variant only."""
    if not (node.low.span.text.isdigit() and node.high.span.text.isdigit()):
        return
    first, last = interval_of(low).low, interval_of(high).low
    if first > last:
        help = f"downwards is `n in {last}..{first} by highest n`"
        raise body.fail("R0401", f"the range {first}..{last} is empty", node.span, "begins above its end", help=help)


@handles(nodes.Without)
def without(body: Body, node: nodes.Without, expected: t.VType | None) -> p.Expr:
    over, of = source(body, node.source, _element(expected))
    left_out = as_source(elaborate(body, node.left_out, of))
    other = t.element_of(left_out.type) or left_out.type
    if overlap(body.declared, of, other) is None:
        what = f"{in_words(t.bare(other))} is never in {in_words(over.type)}"
        raise body.fail("R0447", what, node.left_out.span, "nothing to leave out")
    return p.Without(t.SetOf(of), node.span, over, left_out)


@handles(nodes.StoppingAt)
def stopping_at(body: Body, node: nodes.StoppingAt, expected: t.VType | None) -> p.Expr:
    """The name is bound for the condition first, and then once more by whoever goes over the result."""
    with body.block(), body.perhaps_never():
        over, of = source(body, node.source, _element(expected))
        made = bound(body, node.name, over, of, node.stop, None, node)
    return p.UpTo(t.SetOf(of), node.span, made)


@handles(nodes.StartingWith, nodes.Following)
def turned(body: Body, node: nodes.StartingWith | nodes.Following, expected: t.VType | None) -> p.Expr:
    over, of = source(body, node.source, _element(expected))
    is_start = isinstance(node, nodes.StartingWith)
    first = wanted(body, node.first, of, "what it begins with" if is_start else "what comes before")
    return (p.StartingWith if is_start else p.Following)(t.SetOf(of), node.span, over, first)


def _element(expected: t.VType | None) -> t.VType | None:
    return expected.of if isinstance(expected, t.SetOf) else None


@handles(nodes.EndOf)
def end_of(body: Body, node: nodes.EndOf, expected: t.VType | None) -> p.Expr:
    over, of = source(body, node.of)
    if isinstance(over.type, t.PlaceOf) and over.type.shape in ("pool", "hand", "bag", "box"):
        place = node.of.span.text
        help = f"to take any one: `move 1 x in {place} to …`; a certain one: `the x in {place} where …`"
        raise body.fail("R0470", f"{in_words(over.type)} has no {node.end}", node.span, "it has no order", help=help)
    filled = is_never_empty(body, over)
    return body.known(p.EndOf(of if filled else maybe(of), node.span, node.end, over))


def nth(body: Body, over: p.Expr, index: nodes.Expr, span: Span) -> p.Expr:
    """`ranked[2]`, `market[1]`: the element at that place in the order, or none if there are fewer. It is elaborated as
    `first x in S where position(x, S) == 2`."""
    of = t.element_of(over.type)
    assert of is not None
    if isinstance(over.type, t.PlaceOf) and over.type.shape not in ("pile", "row"):
        what, help = f"{in_words(over.type)} has no order", "sort it: `all x in … by highest …`"
        raise body.fail("R0470", what, index.span, "it has no first or second", help=help)
    place = number(body, index, "the place in the order")
    local = body.local("nth__one", of)
    one = p.LocalVar(of, span, local)
    at = p.Builtin(t.Number(0, most(body.declared, over)), span, "position", (one, over))
    test = p.Compare(t.Flag(), span, "==", at, place)
    return body.known(p.Selected(t.Maybe(of), span, "first", p.Binder(local, over, test, None, None, span), None, None))


# ---------------------------------------------------------------------------- selections and quantifiers


@handles(nodes.Selection)
def selection(body: Body, node: nodes.Selection, expected: t.VType | None) -> p.Expr:
    with body.block(), body.perhaps_never():
        made = binder(body, node.binder, expected.of if isinstance(expected, t.SetOf | t.Maybe) else None)
        best = None if node.measure is None else measure(body, node.measure)
        of = narrowed(body, made)
        is_there = node.which == "first" and made.where is None and is_never_empty(body, made.source)
    found = t.SetOf(of) if node.which == "all" else of if is_there else t.Maybe(of)
    return p.Selected(found, node.span, node.which, made, node.best, best)


@handles(nodes.Quantifier)
def quantifier(body: Body, node: nodes.Quantifier, expected: t.VType | None) -> p.Expr:
    with body.block(), body.perhaps_never():
        over, of = source_for(body, node.name, node.source)
        made = bound(body, node.name, over, of, node.where, None, node)
        has = condition(body, node.has)
    which = "every" if node.which == "every" else "some"
    found = p.Quantified(t.Flag(), node.span, which, made, has)
    return p.Not(t.Flag(), node.span, found) if node.which == "no" else found


# ---------------------------------------------------------------------------- counts, sums, extremes


@handles(nodes.Count)
def count(body: Body, node: nodes.Count, expected: t.VType | None) -> p.Expr:
    if node.binder is not None:
        with body.block(), body.perhaps_never():
            made = binder(body, node.binder)
        return p.CountWhere(t.Number(0, most(body.declared, made.source)), node.span, made)
    assert node.of is not None
    over, _ = source(body, node.of)
    low = 1 if is_surely_filled(body, over) else 0
    counted = body.known(p.CountOf(t.Number(low, max(low, most(body.declared, over))), node.span, over))
    # `if count(best) < 3` says nothing of none being there, but in `for q in best` somebody is.
    if isinstance(counted.type, t.Number) and counted.type.low < low <= counted.type.high:
        return replace(counted, type=t.Number(low, counted.type.high))
    return counted


@handles(nodes.SumOf)
def total(body: Body, node: nodes.SumOf, expected: t.VType | None) -> p.Expr:
    with body.block(), body.perhaps_never():
        made = binder(body, node.binder)
        value = number(body, node.value, "what is added up")
    return p.SumOf(sum_of(interval_of(value), most(body.declared, made.source)), node.span, value, made)


@handles(nodes.ExtremeOf)
def extreme_of(body: Body, node: nodes.ExtremeOf, expected: t.VType | None) -> p.Expr:
    with body.block(), body.perhaps_never():
        made = binder(body, node.binder)
        value = number(body, node.value, f"what `{node.which}` compares")
        surely = made.where is None and is_never_empty(body, made.source)
    bounds = interval_of(value)
    otherwise = None
    if node.otherwise is not None:
        with body.perhaps_never():
            otherwise = number(body, node.otherwise, "the default")
        bounds = hull(bounds, interval_of(otherwise))
    elif not surely:
        what = f"there may be nothing to take the `{node.which}` of"
        raise body.fail("R0471", what, node.span, "perhaps empty", help="say what it is then: `… else 0`")
    return p.ExtremeOf(bounds, node.span, node.which, value, made, otherwise)


@handles(nodes.Extreme)
def extreme_among(body: Body, node: nodes.Extreme, expected: t.VType | None) -> p.Expr:
    items = tuple(number(body, item, f"what `{node.which}` compares") for item in node.items)
    return p.Extreme(extreme(node.which, [interval_of(item) for item in items]), node.span, node.which, items)


def pieces_in(body: Body, made: p.Expr, node: nodes.Expr) -> p.Expr:
    """A piece, a set or a place of pieces."""
    of = t.element_of(made.type) or t.bare(made.type)
    if not isinstance(of, t.Piece):
        raise not_of(body, made.type, "pieces", node.span, "pieces are expected")
    return made
