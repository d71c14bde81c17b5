"""Literals, arithmetic, comparisons, logic, `if … else`, `otherwise`, the tests after `is`, and binders.

In a comparison each side can tell the type of the other. In `red == p.colour` the bare name `red` means nothing by
itself, so the side that has a type of its own is elaborated first, and its type is expected on the other side. The
right side of `and` is elaborated with the facts that the left side establishes: `x is not none and x > 2`. In the same
way the `where` of a binder, `c in hand where c is Animal`, establishes facts for all that follows.
"""

from __future__ import annotations

from ..diagnostics.source import Span
from ..syntax import nodes
from . import program as p
from . import value_types as t
from .declare_types import ranges_of, type_of
from .dispatch import (
    as_set,
    as_set_of,
    as_source,
    condition,
    elaborate,
    handles,
    interval_of,
    needs_type,
    number,
    piece,
    place,
    player,
    source,
)
from .narrowing import assume
from .numbers import arithmetic, exactly, negative
from .scope import Body
from .type_rules import in_words, is_maybe, is_ordered, join, maybe, overlap

# ---------------------------------------------------------------------------- literals


@handles(nodes.Number)
def number_literal(body: Body, node: nodes.Number, expected: t.VType | None) -> p.Expr:
    return _constant(node.value, node.span)


@handles(nodes.FlagLiteral)
def flag_literal(body: Body, node: nodes.FlagLiteral, expected: t.VType | None) -> p.Expr:
    return p.Const(t.Flag(), node.span, int(node.value))


@handles(nodes.NoneLiteral)
def none_literal(body: Body, node: nodes.NoneLiteral, expected: t.VType | None) -> p.Expr:
    if isinstance(expected, t.Maybe):
        return p.Const(expected, node.span, t.none_of(expected))
    return p.Const(t.NoneOnly(), node.span, t.NONE)


@handles(nodes.Arithmetic)
def calculation(body: Body, node: nodes.Arithmetic, expected: t.VType | None) -> p.Expr:
    left = number(body, node.left, "the left side")
    right = number(body, node.right, "the right side")
    divisor = interval_of(right)
    if node.op in ("div", "mod") and divisor.low < 1:
        what = f"`{node.op}` by something that may be {min(0, divisor.high)}"
        help = "ask that it is above 0 first, or take `max(1, …)`"
        raise body.fail("R0445", what, node.right.span, f"{divisor} is not surely above 0", help=help)
    return p.Arithmetic(arithmetic(node.op, interval_of(left), divisor), node.span, node.op, left, right)


@handles(nodes.Negative)
def minus(body: Body, node: nodes.Negative, expected: t.VType | None) -> p.Expr:
    of = number(body, node.of, "what is negated")
    if isinstance(of, p.Const):
        return p.Const(exactly(-of.value), node.span, -of.value)
    return p.Negative(negative(interval_of(of)), node.span, of)


# ---------------------------------------------------------------------------- comparison


@handles(nodes.Compare)
def comparison(body: Body, node: nodes.Compare, expected: t.VType | None) -> p.Expr:
    _refuse_none(body, node)
    if needs_type(body, node.left) and not needs_type(body, node.right):
        right = elaborate(body, node.right, None)
        left = elaborate(body, node.left, right.type)
    else:
        left = elaborate(body, node.left, None)
        right = elaborate(body, node.right, left.type)
    _refuse_incomparable(body, node, left, right)
    return p.Compare(t.Flag(), node.span, node.op, left, right)


def _refuse_none(body: Body, node: nodes.Compare) -> None:
    for side in (node.left, node.right):
        if isinstance(side, nodes.NoneLiteral):
            word = "is none" if node.op == "==" else "is not none"
            what, label = "nothing compares with none", "never equal to anything"
            raise body.fail("R0446", what, side.span, label, help=f"write `… {word}`")


def _refuse_incomparable(body: Body, node: nodes.Compare, left: p.Expr, right: p.Expr) -> None:
    for side, against in ((left, right), (right, left)):
        if isinstance(side.type, t.SetOf | t.PlaceOf):
            what = f"{in_words(side.type)} does not compare"
            help = "ask about its elements: `in`, `count(…)`, `every … has …`"
            # `s.tile == Tile.mine`, where there are several mines.
            if node.op in ("==", "!=") and not isinstance(against.type, t.SetOf | t.PlaceOf):
                word = "in" if node.op == "==" else "not in"
                help = f"whether it is one of them: `{against.span.text} {word} {side.span.text}`"
            raise body.fail("R0447", what, side.span, "not one single thing", help=help)
    one, other = t.bare(left.type), t.bare(right.type)
    if isinstance(one, t.Number) and isinstance(other, t.Number):
        return
    if overlap(body.declared, one, other) is None:
        what = f"{in_words(one)} is never {in_words(other)}"
        dice = [side.span.text for side in (left, right) if isinstance(t.bare(side.type), t.Die)]
        advice = f"what a die shows: `{dice[0]}.face`" if dice else None
        raise body.fail("R0447", what, node.span, "these two cannot be compared", help=advice)
    if node.op not in ("==", "!=") and not is_ordered(one):
        help = "by something of theirs: `a.rank < b.rank`; each pair once: `position(a, S) < position(b, S)`"
        label = f"`{node.op}` needs numbers or enum values"
        raise body.fail("R0447", f"{in_words(one)} has no order", node.span, label, help=help)


# ---------------------------------------------------------------------------- logic


@handles(nodes.And, nodes.Or)
def logic(body: Body, node: nodes.And | nodes.Or, expected: t.VType | None) -> p.Expr:
    is_and = isinstance(node, nodes.And)
    left = condition(body, node.left)
    with body.block(), body.perhaps_never():
        assume(body, left, is_and)
        right = condition(body, node.right)
    return p.Logic(t.Flag(), node.span, "and" if is_and else "or", left, right)


@handles(nodes.Not)
def negation(body: Body, node: nodes.Not, expected: t.VType | None) -> p.Expr:
    return p.Not(t.Flag(), node.span, condition(body, node.of))


@handles(nodes.IfElse)
def conditional(body: Body, node: nodes.IfElse, expected: t.VType | None) -> p.Expr:
    test = condition(body, node.condition)
    if node.otherwise is None:
        return _without_else(body, node, test)
    # The outcome that has a type of its own comes first: in `none if p.is_out else p.target` the word `none` has no
    # type until the target is known.
    first_then = not isinstance(node.then, nodes.NoneLiteral) and not (
        expected is None and needs_type(body, node.then) and not needs_type(body, node.otherwise)
    )
    if first_then:
        then = _branch(body, test, True, node.then, expected)
        otherwise = _branch(body, test, False, node.otherwise, expected or _open(then.type))
    else:
        otherwise = _branch(body, test, False, node.otherwise, expected)
        then = _branch(body, test, True, node.then, expected or _open(otherwise.type))
    # Two places are two sets here: which of them is meant is known in play only, so what comes out is their contents.
    then, otherwise = as_set(then), as_set(otherwise)
    wanted = next((of for of in (expected, then.type, otherwise.type) if isinstance(of, t.SetOf)), None)
    if wanted is not None:
        then, otherwise = as_set_of(body, then, wanted), as_set_of(body, otherwise, wanted)
    common = join(body.declared, then.type, otherwise.type)
    if common is None:
        what = "the two outcomes are not of one type"
        raise body.fail("R0431", what, node.span, f"{in_words(then.type)}, else {in_words(otherwise.type)}")
    return p.IfElse(common, node.span, test, _settled(then, common), _settled(otherwise, common))


def _without_else(body: Body, node: nodes.IfElse, test: p.Expr) -> p.Expr:
    """`if` without `else`, which is allowed only in score lines: 0 otherwise."""
    with body.block(), body.perhaps_never():
        assume(body, test, True)
        then = number(body, node.then, "the score")
    common = join(body.declared, then.type, exactly(0))
    assert common is not None
    return p.IfElse(common, node.span, test, then, p.Const(exactly(0), node.span, 0))


def _branch(body: Body, test: p.Expr, truth: bool, node: nodes.Expr, expected: t.VType | None) -> p.Expr:
    with body.block(), body.perhaps_never():
        assume(body, test, truth)
        return elaborate(body, node, expected)


def _open(value_type: t.VType) -> t.VType | None:
    """The type that one outcome of an `if` makes us expect of the other: the same type, or none."""
    return None if isinstance(value_type, t.NoneOnly) else maybe(value_type)


def _settled(made: p.Expr, common: t.VType) -> p.Expr:
    """Adapts an outcome to the common type: gives the word `none` its type."""
    if isinstance(made, p.Const) and isinstance(made.type, t.NoneOnly) and isinstance(common, t.Maybe):
        return p.Const(common, made.span, t.none_of(common))
    return made


@handles(nodes.Otherwise)
def fallback(body: Body, node: nodes.Otherwise, expected: t.VType | None) -> p.Expr:
    value = elaborate(body, node.value, None if expected is None else maybe(expected))
    with body.block(), body.perhaps_never():
        other = elaborate(body, node.fallback, expected or t.bare(value.type))
    common = join(body.declared, t.bare(value.type), other.type)
    if common is None:
        what = "the default is of another type"
        label = f"{in_words(other.type)}, not {in_words(t.bare(value.type))}"
        raise body.fail("R0431", what, node.fallback.span, label)
    return p.Otherwise(common, node.span, value, _settled(other, common))


@handles(nodes.Membership)
def membership(body: Body, node: nodes.Membership, expected: t.VType | None) -> p.Expr:
    if needs_type(body, node.item):
        over, of = source(body, node.source)
        item = elaborate(body, node.item, of)
    else:
        item = elaborate(body, node.item, None)
        over, of = source(body, node.source, t.bare(item.type))
    are_numbers = isinstance(t.bare(item.type), t.Number) and isinstance(t.bare(of), t.Number)
    if overlap(body.declared, item.type, of) is None and not are_numbers:
        what = f"{in_words(t.bare(item.type))} is never in {in_words(over.type)}"
        raise body.fail("R0447", what, node.span, "never yes")
    found = p.Member(t.Flag(), node.span, item, over)
    return p.Not(t.Flag(), node.span, found) if node.negated else found


# ---------------------------------------------------------------------------- is


@handles(nodes.IsTest)
def is_test(body: Body, node: nodes.IsTest, expected: t.VType | None) -> p.Expr:
    made = _TESTS[node.predicate](body, node)
    return p.Not(t.Flag(), node.span, made) if node.negated else made


def _is_none(body: Body, node: nodes.IsTest) -> p.Expr:
    of = elaborate(body, node.of, None)
    if isinstance(of.type, t.PlaceOf | t.SetOf):
        what = f"{in_words(of.type)} is never none"
        raise body.fail("R0449", what, node.of.span, "it may be empty", help="write `is empty`")
    return p.IsNone(t.Flag(), node.span, of)


def _is_empty(body: Body, node: nodes.IsTest) -> p.Expr:
    of = as_source(elaborate(body, node.of, None))
    if isinstance(of.type, t.PlaceOf | t.SetOf):
        return p.IsEmpty(t.Flag(), node.span, of)
    if is_maybe(of.type) and isinstance(t.bare(of.type), t.Piece):
        return p.IsNone(t.Flag(), node.span, of)  # a piece that was in a slot
    what = f"{in_words(of.type)} is never empty"
    help = "write `is none`" if is_maybe(of.type) else _own_places(body, t.bare(of.type), node.of.span.text)
    raise body.fail("R0449", what, node.of.span, "a place or set is expected", help=help)


def _own_places(body: Body, of: t.VType, owner: str) -> str | None:
    """Help with `c is empty`, where c is a space: its places."""
    kinds = of.kinds if isinstance(of, t.Kinded) else ()
    state = [one for kind in kinds for one in body.declared.state.get(kind, {}).values()]
    asked = [
        f"`{owner}.{one.name} is {'empty' if isinstance(one, p.PlaceDecl) else 'none'}`"
        for one in state
        if isinstance(one, p.PlaceDecl) or is_maybe(one.type)
    ]
    return f"ask about something of it: {', '.join(asked[:3])}" if asked else None


def _is_full(body: Body, node: nodes.IsTest) -> p.Expr:
    of = place(body, node.of)
    if not isinstance(of, p.PlaceRef):
        raise body.fail("R0449", "the box is never full", node.of.span, "always no")
    return p.IsFull(t.Flag(), node.span, of)


def _is_running(body: Body, node: nodes.IsTest) -> p.Expr:
    if isinstance(node.of, nodes.NameRef) and node.of.name not in body.names and node.of.name in body.declared.rules:
        rule = body.declared.rules[node.of.name].rule
        body.declared.uses.add(node.of.span, "rule", rule.name)
        if rule.form == "value":
            raise body.fail("R0449", f"`{rule.name}` is a value: it never runs", node.of.span, "always no")
        return p.RuleRunning(t.Flag(), node.span, rule)
    cell = elaborate(body, node.of, None)
    if not isinstance(t.bare(cell.type), t.EffectCell):
        raise body.fail("R0449", f"{in_words(cell.type)} never runs", node.of.span, "a rule or an effect is expected")
    return p.CellRunning(t.Flag(), node.span, cell)


def _is_automa(body: Body, node: nodes.IsTest) -> p.Expr:
    return p.IsAutoma(t.Flag(), node.span, player(body, node.of))


def _is_known(body: Body, node: nodes.IsTest) -> p.Expr:
    assert node.known_to is not None
    return p.KnownTo(t.Flag(), node.span, piece(body, node.of), player(body, node.known_to))


def _is_kind(body: Body, node: nodes.IsTest) -> p.Expr:
    assert node.kinds is not None
    of = elaborate(body, node.of, None)
    named = type_of(body.declared, node.kinds)
    here = t.bare(of.type)
    if isinstance(here, t.Kinded) and isinstance(named, t.Kinded) and here.sort == named.sort:
        if not set(here.kinds) & set(named.kinds):
            raise body.fail("R0449", f"this is never a {named}", node.span, f"it is {in_words(here)}")
    elif not (isinstance(here, t.EnumOf) and isinstance(named, t.EnumOf) and overlap(body.declared, here, named)):
        raise body.fail("R0449", f"{in_words(of.type)} is never a {named}", node.span, f"it is {in_words(here)}")
    return p.IsKind(t.Flag(), node.span, of, ranges_of(body.declared, named))


_TESTS = {
    "none": _is_none,
    "empty": _is_empty,
    "full": _is_full,
    "running": _is_running,
    "automa": _is_automa,
    "known_to": _is_known,
    "kinds": _is_kind,
}


# ---------------------------------------------------------------------------- binders


def binder(body: Body, node: nodes.Binder, expected: t.VType | None = None) -> p.Binder:
    """Binds the name in the current block; the facts from its `where` hold from here on."""
    over, of = source_for(body, node.name, node.source, expected)
    return bound(body, node.name, over, of, node.where, node.order, node)


def source_for(
    body: Body, name: nodes.Name, node: nodes.Expr, expected: t.VType | None = None
) -> tuple[p.Expr, t.VType]:
    """The source that a name iterates over. If a `where` inside the source uses the name (`q in reach … where q …`),
    the finding explains that the name is not bound there yet."""
    body.coming.append(name.text)
    try:
        return source(body, node, expected, may_be_one=True)
    finally:
        body.coming.pop()


def bound(
    body: Body,
    name: nodes.Name,
    over: p.Expr,
    of: t.VType,
    where: nodes.Expr | None,
    order: nodes.Order | None,
    node: nodes.Node,
) -> p.Binder:
    local = body.bind(name, of)
    with body.perhaps_never():
        test = None if where is None else condition(body, where)
        if test is not None:
            assume(body, test)
        key = None if order is None else _sorting_key(body, order)
    direction = None if order is None else order.direction
    return p.Binder(local, over, test, direction, key, node.span)


def _sorting_key(body: Body, order: nodes.Order) -> p.Expr:
    """`by highest a, then lowest b` as one number: what decides first counts in steps larger than all that follows.

    With b in 0..9, `a` counts ten times; the second key is turned round (9 - b), since all of it is sorted by highest.
    """
    key = measure(body, order.key)
    for later in order.then:
        one = measure(body, later.key)
        low, high = _reach_of(body, key)
        own_low, own_high = _reach_of(body, one)
        size = own_high - own_low + 1
        if max(abs(low), abs(high)) * size + size > t.LARGEST:
            what = "these keys together are too large to be compared"
            help = "sort by numbers of a smaller range"
            raise body.fail("R0433", what, later.span, f"{size:,} values after {high - low + 1:,}", help=help)
        steps = p.Arithmetic(t.Number(low * size, high * size), order.span, "*", key, _constant(size, order.span))
        same = later.direction == order.direction
        ends = (one, _constant(own_low, later.span)) if same else (_constant(own_high, later.span), one)
        rest = p.Arithmetic(t.Number(0, size - 1), later.span, "-", *ends)
        key = p.Arithmetic(t.Number(low * size, high * size + size - 1), order.span, "+", steps, rest)
    return key


def _reach_of(body: Body, key: p.Expr) -> tuple[int, int]:
    """The least and the greatest number that a key can be."""
    of = key.type
    if isinstance(of, t.EnumOf):
        domain = body.declared.enums[of.name].domain
        return min(domain), max(domain)
    if isinstance(of, t.Player):
        return 0, body.declared.players - 1
    assert isinstance(of, t.Number)
    return of.low, of.high


def _constant(value: int, span: Span) -> p.Const:
    return p.Const(exactly(value), span, value)


def measure(body: Body, node: nodes.Expr) -> p.Expr:
    """The key for sorting or for finding the best: a number, an enum value or a seat that cannot be none."""
    made = elaborate(body, node, None)
    if is_maybe(made.type):
        default = "0" if isinstance(t.bare(made.type), t.Number) else "…"
        help = f"give a default in brackets (`(… otherwise {default})`), or leave it out: `where … is not none`"
        raise body.fail("R0432", "what is compared may be none here", node.span, in_words(made.type), help=help)
    if isinstance(made.type, t.Flag):  # those for which it holds come first by `highest`
        return p.IfElse(t.Number(0, 1), made.span, made, _constant(1, made.span), _constant(0, made.span))
    if not is_ordered(made.type) and not isinstance(made.type, t.Player):
        expected = "a number, a flag, an enum value or a player is expected"
        help = "say what is compared: `by highest c.rank`"
        raise body.fail("R0447", f"{in_words(made.type)} has no order", node.span, expected, help=help)
    return made


def narrowed(body: Body, made: p.Binder) -> t.VType:
    """The type of the element after its `where`."""
    return body.var(made.local, made.span).type
