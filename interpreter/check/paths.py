"""Names and paths: `c`, `red`, `Colour.red`, `p.hand`, `dice[2].face`, `p.tower[a][legs]`, `energy_track(n).bonus`.

A bare name is looked up among the locals, then among the members of the expected type, then among the global names:
fields of the table, constants, seats, charts, rules. Members come before globals so that a variant that adds a field
`red` to the table does not change what `p.colour == red` means. What may follow a dot depends on the type of what
stands before it. An attribute of something that may be none may be none too, and a place of none is empty.
"""

from __future__ import annotations

from dataclasses import replace

from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..ruleset.map_data import in_lower_case
from ..syntax import nodes
from ..syntax.words import FOREIGN_NONE
from . import program as p
from . import value_types as t
from .calls import call_ahead, chart_cell, chart_of, note_chart, previous_value, value_call
from .declare_types import domain_of, members_of, ranges_of, type_of, unusable_constants
from .dispatch import elaborate, handles, used
from .numbers import exactly
from .scope import Body, Broken, about_attribute, about_map, about_unknown, seat_of_more, suggestion
from .set_expressions import nth
from .type_rules import in_words, is_maybe, join, kinds_of, maybe

_MOST_EXAMPLES = 3  # of names, where none is near

# ---------------------------------------------------------------------------- bare names


@handles(nodes.NameRef)
def named(body: Body, node: nodes.NameRef, expected: t.VType | None, indexes: nodes.Exprs = ()) -> p.Expr:
    """A bare name, optionally followed by indexes."""
    entry = body.names.get(node.name)
    if entry is not None:
        body.note_local(node.name, node.span)
        made = (
            body.var(entry, node.span) if isinstance(entry, p.LocalDecl) else body.known(replace(entry, span=node.span))
        )
        return _element(body, made, f"`{node.name}`", indexes, node.span)
    # A member has no indexes: `red[1]` can only be a field of the table that is called `red`.
    if not indexes and (found := member(body, node.name, node.span, expected)) is not None:
        return found
    if not indexes and isinstance(expected, t.SetOf):
        equal = copies_of(body, node.name, node.span, expected.of)
        if equal is not None:
            return equal
    state = body.declared.state.get("table", {}).get(node.name)
    if state is not None:
        body.declared.uses.add(node.span, "state", "table", node.name)
        return state_path(body, state, None, indexes, node.span)
    found_anywhere = _global(body, node, None if indexes else expected)  # a name that is nowhere is told as that
    return _element(body, found_anywhere, f"`{node.name}`", indexes, node.span)


def _element(body: Body, made: p.Expr, what: str, indexes: nodes.Exprs, span: Span, is_set: bool = False) -> p.Expr:
    """What was made of a path without its indexes; with one index, the element of a set at that place in its order."""
    if not indexes:
        return made
    if len(indexes) > 1 or not (is_set or isinstance(made.type, t.SetOf)):
        kind = span.text.split("[")[0].strip()
        help = (
            f"the space at a row and column: `{in_lower_case(kind)}(2, 3)`"
            if kind in body.declared.node_kinds
            else None
        )
        raise body.fail("R0436", f"{what} has no elements to ask for", indexes[0].span, "nothing to index", help=help)
    return nth(body, made, indexes[0], span)


def member(
    body: Body, text: str, span: Span, expected: t.VType | None, name_span: Span | None = None
) -> p.Const | None:
    """`red` where a Colour is expected, or None; `name_span` is the span of the word itself in `Colour.red`."""
    if expected is None:
        return None
    target = t.innermost(expected)
    number = members_of(body.declared, target).get(text)
    if number is None:
        return None
    of = _member_type(body, target, number)
    body.declared.uses.add_member(name_span or span, of, text)
    return p.Const(of, span, number)


def copies_of(body: Body, text: str, span: Span, of: t.VType, name_span: Span | None = None) -> p.AllOf | None:
    """`Card.trifle`, or `trifle` where a set of cards is expected, if there are several: the set of all its copies."""
    of = t.bare(of)
    rows = [row for row in body.declared.rows if row.id == text and isinstance(of, t.Piece) and row.kind in of.kinds]
    if not rows or len(rows[0].pieces) < 2:
        return None
    of_row = t.Piece((rows[0].kind,))
    body.declared.uses.add_member(name_span or span, of_row, text)
    return p.AllOf(t.SetOf(of_row), span, rows[0].pieces)


def _member_type(body: Body, target: t.VType, number: int) -> t.VType:
    """The type of a member; for a union, the one kind to which the member belongs.

    Where `Kaiju | Mecha` is expected, `nine_lives` is known to be a Kaiju, so that attributes of Kaiju can be read.
    """
    if isinstance(target, t.Kinded) and len(target.kinds) > 1:
        for kind in target.kinds:
            single = type(target)((kind,))
            if number in (domain_of(body.declared, single) or ()):
                return single
    return target


def _global(body: Body, node: nodes.NameRef, expected: t.VType | None) -> p.Expr:
    declared, text, span = body.declared, node.name, node.span
    if text == "previous" and body.replaced is not None:
        declared.uses.add(span, "word", text)
        return previous_value(body, None, span)
    sort = body.world.globals.get(text)
    # In a game without pieces nothing could be in the box, and an author who writes `box` means something else.
    if sort is None or (text == "box" and not declared.kinds):
        raise _unknown(body, node, expected)
    declared.uses.add(span, sort, text)
    match sort:
        case "constant":
            constant = declared.constants[text]
            known = exactly(constant.value) if isinstance(constant.type, t.Number) else constant.type
            return p.Const(known, span, constant.value)
        case "seat":
            return p.Const(t.Player(), span, declared.seat_names[text])
        case "chart":
            return _whole_chart(body, node)
        case "rule":  # without arguments it is called without parentheses
            source = declared.rules[text]
            return (value_call if source.rule.form == "value" else call_ahead)(body, source, (), span)
        case "map":
            what, help = f"the map `{text}` is not a value", about_map(body, text)
            raise body.fail("R0327", what, span, "a map answers questions", help=help)
    if text == "box":
        return p.Box(t.PlaceOf(tuple(declared.kinds), "box"), span)
    return p.Players(t.SetOf(t.Player()), span, text)


def _whole_chart(body: Body, node: nodes.NameRef) -> p.Expr:
    chart = body.declared.charts[node.name]
    if chart.dimensions:
        return chart_cell(body, chart, "", (), node.span)  # says that arguments are missing
    rows = t.ChartRow(chart.name)
    return p.AllOf(t.SetOf(rows), node.span, domain_of(body.declared, rows) or ())


def _unknown(body: Body, node: nodes.NameRef, expected: t.VType | None) -> Exception:
    text = node.name
    if text == "previous":
        return body.fail("R0622", "`previous` is only in `instead of`", node.span, "nothing is replaced here")
    if body.world.found.has_errors and text in unusable_constants(body.declared):
        return Broken()  # the reason why it has no value has been reported
    owners = body.world.owners_of_member(text)
    if text in FOREIGN_NONE and not owners:
        return body.fail("R0116", f"`{text}` is written `none`", node.span, help="write `none`")
    if owners and expected is None:
        what = f"`{text}` is a member of {_listed(owners)}, and nothing here says which type is meant"
        return body.fail("R0323", what, node.span, "no type is expected here", help=f"write `{owners[0]}.{text}`")
    members = tuple(members_of(body.declared, t.innermost(expected))) if expected is not None else ()
    if owners and expected is not None:
        listed = f"one of {', '.join(f'`{name}`' for name in members)}" if 0 < len(members) <= 8 else None
        what = f"there is no `{text}` among {in_words(t.innermost(expected))}"
        notes = (f"`{text}` is a member of {_listed(owners)}",)
        help = did_you_mean(text, members) or listed
        return body.fail("R0320", what, node.span, f"{in_words(expected)} is expected here", notes=notes, help=help)
    what, label, advice = f"there is nothing named `{text}` here", "not known", about_unknown(body, text, members)
    if number := seat_of_more(body.declared, text):
        what, label = f"nobody sits at `{text}` when {body.declared.players} play", f"seat {number}"
        advice = (
            f"the rules are checked for each number of players: go by the number of the seat, "
            f"`position(p, everybody) == {number}`, or by a chart of players"
        )
    copies = sum(len(row.pieces) for row in body.declared.rows if row.id == text)
    if copies > 1:
        kind = next(row.kind for row in body.declared.rows if row.id == text)
        what, label = f"`{text}` names {copies} pieces, and none of them alone", "which of them?"
        advice = (
            f"`x in {kind}.{text}` asks whether x is one of them, `(first x in {kind}.{text} where …)` is one of them"
        )
    if text == "flag":
        label, advice = "a type, not a set", "both values are `(no, yes)`"
    if text in body.coming:
        label, advice = "bound only after its source", f"end the source before `where`: `{text} in (…) where …`"
    return body.fail("R0320", what, node.span, label, help=advice)


def _listed(names: list[str]) -> str:
    return " and ".join(f"`{n}`" for n in names[:3])


@handles(nodes.TypeRef)
def every_one(body: Body, node: nodes.TypeRef, expected: t.VType | None) -> p.Expr:
    """`Kaiju`, `Cell`, `Colour` as a set: all values of the type."""
    d, text = body.declared, node.name
    types = (*d.type_names, "Direction")
    if text not in types:
        help = did_you_mean(text, types) or suggestion(body, text) or "a capital begins the name of an enum or a kind"
        label = "not an enum, kind, node or edge kind"
        raise body.fail("R0302", f"there is no type `{text}`", node.span, label, help=help)
    of = type_of(d, nodes.Kinds(node.span, (nodes.Name(node.span, text),)))
    return p.AllOf(t.SetOf(of), node.span, domain_of(d, of) or ())


# ---------------------------------------------------------------------------- after a dot


@handles(nodes.Attribute)
def after_dot(body: Body, node: nodes.Attribute, expected: t.VType | None = None, indexes: nodes.Exprs = ()) -> p.Expr:
    if isinstance(node.of, nodes.TypeRef):
        return _member_of_type(body, node, node.of)
    chart = chart_of(body, node.of)
    if chart is not None and chart.dimensions and "" not in chart.columns:
        note_chart(body, node.of, chart, node.name)
        args = node.of.args if isinstance(node.of, nodes.CallOf) else ()
        return chart_cell(body, chart, node.name.text, args, node.span, node.name.span)
    of = elaborate(body, node.of, None)
    match t.bare(of.type):
        case t.Player():
            return _state_of(body, of, "player", node, indexes)
        case t.Kinded() as thing:
            return _of_thing(body, of, thing, node, indexes)
        case t.EnumOf(enum):
            body.declared.uses.add(node.name.span, "attribute", enum, node.name.text)
            table = body.declared.attributes.get((f"enum:{enum}", node.name.text))
            return _printed(body, of, table, node, indexes)
        case t.ChartRow(chart_name):
            body.declared.uses.add(node.name.span, "column", chart_name, node.name.text)
            table = body.declared.charts[chart_name].columns.get(node.name.text)
            return _printed(body, of, table, node, indexes)
        case t.Die(low, high) if node.name.text == "face" and not indexes:
            body.declared.uses.add(node.name.span, "word", "face")
            return body.known(p.Face(maybe(t.Number(low, high), is_maybe(of.type)), node.span, of))
        case _:
            raise no_such_attribute(body, of, node)


@handles(nodes.Index)
def index(body: Body, node: nodes.Index, expected: t.VType | None) -> p.Expr:
    base, indexes = _flattened(node)
    match base:
        case nodes.NameRef():
            return named(body, base, expected, indexes)
        case nodes.Attribute():
            return after_dot(body, base, expected, indexes)
        case _:
            return _element(body, elaborate(body, base, None), "this", indexes, node.span)


def _flattened(node: nodes.Index) -> tuple[nodes.Expr, nodes.Exprs]:
    """`p.tower[a][legs]` is `p.tower` with two indexes."""
    indexes = node.indexes
    base = node.of
    while isinstance(base, nodes.Index):
        indexes = base.indexes + indexes
        base = base.of
    return base, indexes


def _member_of_type(body: Body, node: nodes.Attribute, owner: nodes.TypeRef) -> p.Expr:
    every = every_one(body, owner, None)
    assert isinstance(every.type, t.SetOf)
    of = every.type.of
    named = (node.name.text, node.span, of, node.name.span)
    found = member(body, *named) or copies_of(body, *named)
    if found is None:
        what = f"`{owner.name}` has no `{node.name.text}`"
        names = list(members_of(body.declared, of))
        help = did_you_mean(node.name.text, names) or _examples(names)
        raise body.fail("R0320", what, node.name.span, "not one of its members", help=help)
    return found


def _examples(names: list[str]) -> str | None:
    """What members of a type are called, for whoever expected other names: `space_1_1` and not `hex_1_1`."""
    if not names:
        return None
    first = ", ".join(f"`{name}`" for name in names[:_MOST_EXAMPLES])
    more = len(names) - _MOST_EXAMPLES
    return f"its members are {first}" + (f" and {more} more" if more > 0 else "")


def _state_of(body: Body, of: p.Expr, owner: str, node: nodes.Attribute, indexes: nodes.Exprs) -> p.Expr:
    state = body.declared.state.get(owner, {}).get(node.name.text)
    if state is None:
        raise no_such_attribute(body, of, node)
    body.declared.uses.add(node.name.span, "state", owner, node.name.text)
    return state_path(body, state, of, indexes, node.span)


def _of_thing(body: Body, of: p.Expr, thing: t.Kinded, node: nodes.Attribute, indexes: nodes.Exprs) -> p.Expr:
    """State or printed attribute of pieces, nodes or edges; every kind of a union has to have it."""
    text, kinds, declared = node.name.text, thing.kinds, body.declared
    having = {k: declared.state.get(k, {}).get(text) or declared.attribute_of(thing.sort, k, text) for k in kinds}
    for kind, what in having.items():
        if what is not None:
            sort = "attribute" if isinstance(what, p.AttributeTable) else "state"
            declared.uses.add(node.name.span, sort, kind, text)
    lacking = [k for k, found in having.items() if found is None]
    if lacking:
        raise _lacking(body, of, node, lacking, kinds)
    first = having[kinds[0]]
    if isinstance(first, p.AttributeTable) and all(found is first for found in having.values()):
        types = [declared.attribute_types[kind, text] for kind in kinds]
        return _printed(body, of, first, node, indexes, _joined(body, types, node))
    if all(found is first for found in having.values()) and isinstance(first, p.StateDecl):
        return state_path(body, first, of, indexes, node.span)
    return _by_kind(body, of, thing, node, indexes)


def _joined(body: Body, types: list[t.VType], node: nodes.Attribute) -> t.VType:
    common = types[0]
    for other in types[1:]:
        both = join(body.declared, common, other)
        if both is None:
            what = f"`{node.name.text}` is not of one type here"
            label = f"{in_words(common)} of one kind, {in_words(other)} of another"
            raise body.fail("R0435", what, node.name.span, label)
        common = both
    return common


def _by_kind(body: Body, of: p.Expr, thing: t.Kinded, node: nodes.Attribute, indexes: nodes.Exprs) -> p.Expr:
    """A field or place that each kind of a union declares for itself: chosen at run time by the kind of the thing."""
    made: p.Expr | None = None
    # From the last kind to the first: each test goes around what was made so far, and the last kind needs none.
    for kind in reversed(thing.kinds):
        single = type(thing)((kind,))
        part = _of_thing(body, replace(of, type=maybe(single, is_maybe(of.type))), single, node, indexes)
        if isinstance(part, p.PlaceRef | p.SlotPiece):
            what, help = f"each kind has a place `{node.name.text}` of its own", f"ask `is {kind}` first"
            raise body.fail("R0435", what, node.name.span, f"one of {in_words(thing)}", help=help)
        if made is None:
            made = part
            continue
        common = _joined(body, [part.type, made.type], node)
        is_kind = p.IsKind(t.Flag(), node.span, of, ranges_of(body.declared, single))
        made = p.IfElse(common, node.span, is_kind, part, made)
    assert made is not None
    return made


def _lacking(body: Body, of: p.Expr, node: nodes.Attribute, lacking: list[str], kinds: tuple[str, ...]) -> Exception:
    if len(lacking) == len(kinds):
        return no_such_attribute(body, of, node)
    having = [k for k in kinds if k not in lacking]
    what = f"this may be a {lacking[0]}, which has no `{node.name.text}`"
    help = f"ask `is {' | '.join(having)}` first"
    return body.fail("R0435", what, node.name.span, f"only {_listed(having)} has it", help=help)


def no_such_attribute(body: Body, of: p.Expr, node: nodes.Attribute) -> Exception:
    known = _attribute_names(body, t.bare(of.type))
    what = in_words(t.bare(of.type))
    headline = f"{what} has no `{node.name.text}`"
    help = about_attribute(t.bare(of.type), node.name.text, node.of.span.text, known)
    return body.fail("R0322", headline, node.name.span, "not one of its attributes or fields", help=help)


def _attribute_names(body: Body, of: t.VType) -> list[str]:
    declared = body.declared
    match of:
        case t.Player():
            return list(declared.state.get("player", {}))
        case t.EnumOf(enum):
            return [text for owner, text in declared.attributes if owner == f"enum:{enum}"]
        case t.ChartRow(chart):
            return list(declared.charts[chart].columns)
        case t.Die():
            return ["face"]
        case _:
            kinds = kinds_of(of)
            printed = [text for kind, text in declared.attribute_types if kind in kinds]
            return printed + [text for kind in kinds for text in declared.state.get(kind, {})]


# ---------------------------------------------------------------------------- printed attributes and state


def _printed(
    body: Body,
    of: p.Expr,
    table: p.AttributeTable | None,
    node: nodes.Attribute,
    indexes: nodes.Exprs,
    value_type: t.VType | None = None,
) -> p.Expr:
    if table is None:
        raise no_such_attribute(body, of, node)
    found = value_type or table.type
    if table.dimensions and not indexes:
        return _all_elements(body, of, table, found, node)
    if isinstance(found, t.SetOf) and len(indexes) == len(table.dimensions) + 1:  # `h.corners[2]`: its second corner
        whole = _printed(body, of, table, node, indexes[:-1], value_type)
        return _element(body, whole, f"`{node.name.text}`", indexes[-1:], node.span, is_set=True)
    made = _indexes(body, table.dimensions, indexes, node.name)
    if isinstance(of, p.Const) and not made and is_maybe(found) and table.values[of.value] != t.none_of(found):
        found = t.bare(found)  # `Card.paris.city`: the table has it
    return body.known(p.AttributeOf(maybe(found, is_maybe(of.type)), node.span, table, of, made))


def _all_elements(body: Body, of: p.Expr, table: p.AttributeTable, found: t.VType, node: nodes.Attribute) -> p.Expr:
    """`card.order` where `order[1..3]` is declared: all entries as a set, in the order of the index."""
    if len(table.dimensions) > 1:
        raise _missing_index(body, node.name, table.dimensions)
    dimension = table.dimensions[0]
    keys = [p.Const(dimension.type, node.span, n) for n in range(dimension.low, dimension.low + dimension.size)]
    items = tuple(p.AttributeOf(maybe(found, is_maybe(of.type)), node.span, table, of, (key,)) for key in keys)
    return p.SetList(t.SetOf(t.bare(found)), node.span, items)


def state_path(body: Body, state: p.StateDecl, owner: p.Expr | None, indexes: nodes.Exprs, span: Span) -> p.Expr:
    """A field, die, place or slot of the table or of an owner."""
    label = nodes.Name(span, state.name)
    if isinstance(state, p.PlaceDecl):
        return _place_path(body, state, owner, indexes, label)
    if state.is_dice:
        return _dice_path(body, state, owner, indexes, label)
    made = _indexes(body, state.dimensions, indexes, label)
    optional = owner is not None and is_maybe(owner.type)
    return body.known(p.FieldRead(maybe(state.type, optional), span, state, owner, made))


def _dice_path(body: Body, field: p.FieldDecl, owner: p.Expr | None, indexes: nodes.Exprs, label: nodes.Name) -> p.Expr:
    assert isinstance(field.type, t.Die)
    if not indexes:
        return p.DiceGroup(t.SetOf(field.type), label.span, field, owner)
    made = _indexes(body, field.dimensions[-1:], indexes, label)
    return p.DieRef(field.type, label.span, field, owner, made[0])


def _place_path(
    body: Body, place: p.PlaceDecl, owner: p.Expr | None, indexes: nodes.Exprs, label: nodes.Name
) -> p.Expr:
    dimensions = place.dimensions
    if place.shape in ("pile", "row") and len(indexes) == len(dimensions) + 1:  # `market[2]`: its second card
        whole = _place_path(body, place, owner, indexes[:-1], label)
        return _element(body, whole, f"`{label.text}`", indexes[-1:], label.span, is_set=True)
    has_slot = place.slot_dimension is not None and len(indexes) == len(dimensions) + 1
    if has_slot and place.slot_dimension is not None:
        dimensions = (*dimensions, place.slot_dimension)
    made = _indexes(body, dimensions, indexes, label)
    slot = made[-1] if has_slot else None
    shape = "slot" if has_slot else place.shape
    ref = p.PlaceRef(t.PlaceOf(place.kinds, shape), label.span, place, owner, made[:-1] if has_slot else made, slot)
    if shape != "slot":
        return ref
    of = t.Piece(place.kinds)
    # The slot of nobody is empty, whatever its declaration says.
    is_there = place.never_empty and (owner is None or not is_maybe(owner.type))
    return body.known(p.SlotPiece(of if is_there else t.Maybe(of), label.span, ref))


def _indexes(body: Body, dimensions: tuple[p.Dimension, ...], indexes: nodes.Exprs, label: nodes.Name) -> p.Exprs:
    if len(indexes) < len(dimensions):
        raise _missing_index(body, label, dimensions)
    if len(indexes) > len(dimensions):
        extra = indexes[len(dimensions)]
        what = f"`{label.text}` takes {index_count(len(dimensions))}"
        help = None if dimensions else "only what has an order has a first and a second"
        raise body.fail("R0436", what, extra.span, "one too many", help=help)
    what = f"the index of `{label.text}`"
    return tuple(used(body, node, d.type, what) for node, d in zip(indexes, dimensions, strict=True))


def _missing_index(body: Body, label: nodes.Name, dimensions: tuple[p.Dimension, ...]) -> Exception:
    words = ", ".join(str(d.type) for d in dimensions)
    taken = f"`{label.text}` takes {index_count(len(dimensions))}: [{words}]"
    help = (
        f"say which, `{label.text}[…]`; of each: a loop, `for x in {dimensions[0].type}`, with `{label.text}[x]` in it"
    )
    return body.fail("R0436", taken, label.span, "of which?", help=help)


def index_count(n: int) -> str:
    return {0: "no index", 1: "one index"}.get(n, f"{n} indexes")
