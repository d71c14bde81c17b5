"""Map queries: neighbours and distances, reach and cheapest paths, groups and lines.

A query without a map in front of it goes to the map that declares the nodes (or edges) it is about. If a second map
joins the same nodes, `loop.distance(a, b)` says which map is meant.
"""

from __future__ import annotations

from math import prod

from ..diagnostics.diagnostic import Label
from ..diagnostics.source import Span
from ..ruleset.map_data import in_lower_case
from ..syntax import nodes
from . import program as p
from . import value_types as t
from .declare_types import domain_of
from .dispatch import Args, accept, condition, elaborate, handles, interval_of, not_of, number, wanted
from .expressions import binder
from .scope import BEFORE, Body, Broken
from .sizes import most
from .type_rules import in_words, is_maybe, kinds_of, maybe

# name -> parameters (n node, e edge, d direction, k number) and result
MAP_QUERIES: dict[str, tuple[str, str]] = {
    "neighbours": ("n", "nodes"),
    "edges": ("n", "edges"),
    "edge": ("nn", "edge"),
    "ends": ("e", "nodes"),
    "distance": ("nn", "distance"),
    "is_border": ("n", "flag"),
    "toward": ("nd", "node"),
    "line": ("ndk", "nodes"),
    "between": ("nn", "nodes"),
    "ring": ("nk", "nodes"),
    "spiral": ("n", "nodes"),
}
_JOINING = ("nn", "edges")  # `edges(a, b)`
_BINDING = {
    "groups": "n in S where C",
    "largest_group": "n in S where C",
    "longest_line": "n through c where C",
    "longest_trail": "e in Edge where C",
}
MOST_STEPS = 10_000  # more than any map has nodes
_COUNTS = ("nothing", "one argument", "two arguments", "three arguments")


def map_query(body: Body, name: nodes.Name, args: Args, span: Span, of: p.MapDecl | None) -> p.Expr:
    """`neighbours(n)`, `loop.distance(a, b)`"""
    if name.text in _BINDING:
        headline, form = f"`{name.text}` does not go over anything here", _BINDING[name.text]
        raise body.fail("R0326", headline, span, help=f"write `{of.name if of else 'board'}.{name.text}({form})`")
    if name.text not in MAP_QUERIES:
        what = f"a map cannot be asked for `{name.text}`"
        if node_kind_called(body, name.text) is not None:
            raise body.fail("R0326", what, name.span, "a space", help=f"leave the map out: `{name.text}(2, 3)`")
        raise body.fail("R0326", what, name.span, "not known", near=MAP_QUERIES)
    body.declared.uses.add(name.span, "word", name.text)
    asked = "joining" if name.text == "edges" and len(args) == 2 else name.text
    takes, gives = _JOINING if asked == "joining" else MAP_QUERIES[asked]
    plain = [arg for arg in args if not isinstance(arg, nodes.NamedArg)]
    if asked == "line" and len(plain) == len(args) == 2:
        plain.append(nodes.Number(span, MOST_STEPS))  # as far as the board goes
        args = tuple(plain)
    if len(plain) != len(takes) or len(args) != len(takes):
        either = {"edges": "one or two arguments", "line": "two or three arguments"}
        wanted_count = either.get(name.text, _COUNTS[len(takes)])
        help = "the node two steps on: `line(n, d)[2]`" if asked == "toward" and len(args) == 3 else None
        raise body.fail("R0437", f"`{name.text}` takes {wanted_count}", span, f"{len(args)} given", help=help)
    first = _on_map(body, plain[0], "edge" if takes[0] == "e" else "node", of)
    where = of or map_of(body, first.type, plain[0].span)
    made = [first, *(_argument(body, where, form, arg) for form, arg in zip(takes[1:], plain[1:], strict=True))]
    for part, arg in zip(made, plain, strict=True):
        _require_on(body, where, part, arg.span)
    optional = any(is_maybe(part.type) or not _is_surely_on(body, where, part) for part in made)
    if is_maybe(made[0].type) and gives == "flag":
        made[0] = accept(body, made[0], t.bare(made[0].type), plain[0].span, f"what `{name.text}` is asked of")
    if gives in ("edge", "edges") and not where.edges:
        what = f"the map `{where.name}` has no edges to ask for"
        help = "give it a kind of edges: add a line `edge Way` below it"
        if any((kind, "sides") in body.declared.attribute_types for kind in kinds_of(t.bare(first.type))):
            own = f"{plain[0].span.text}.sides"
            help = f"the sides of a space are `{own}`; ways from space to space need a line `edge Way`"
        raise body.fail("R0326", what, span, others=(Label(where.span, "this map"),), help=help)
    return body.known(p.MapQuery(_result(body, where, gives, optional), span, asked, where, tuple(made)))


# ---------------------------------------------------------------------------- nodes by their coordinates

_BY = (("row", "column"), ("number",), ("q", "r"))


def node_kind_called(body: Body, name: str) -> str | None:
    """`cell` in `cell(2, 3)`: the kind of nodes whose names begin so."""
    return next((kind for kind in body.declared.node_kinds if in_lower_case(kind) == name), None)


def node_at(body: Body, kind: str, args: Args, span: Span) -> p.Expr:
    """`cell(2, 3)`: the node with that row and column, or none; by number on lines and rings, by q and r on hexes."""
    of = t.MapNode((kind,))
    keys = next((keys for keys in _BY if all((kind, key) in body.declared.attribute_types for key in keys)), None)
    if keys is None:
        what = f"nodes of the kind `{kind}` have no coordinates"
        raise body.fail("R0326", what, span, "only those of grids, lines, rings and hexes have")
    plain = [arg for arg in args if not isinstance(arg, nodes.NamedArg)]
    if len(plain) != len(keys) or len(args) != len(keys):
        words = " and ".join(keys)
        raise body.fail("R0437", f"a {kind} is told by {words}", span, f"{len(args)} given")
    values = [number(body, arg, f"the {key}") for key, arg in zip(keys, plain, strict=True)]
    numbers = domain_of(body.declared, of) or ()
    local = body.local("one__there", of)
    test: p.Expr | None = None
    for key, value in zip(keys, values, strict=True):
        table = body.declared.attribute_of("node", kind, key)
        assert table is not None
        read = p.AttributeOf(table.type, span, table, p.LocalVar(of, span, local), ())
        same = p.Compare(t.Flag(), span, "==", read, value)
        test = same if test is None else p.Logic(t.Flag(), span, "and", test, same)
    over = p.Binder(local, p.AllOf(t.SetOf(of), span, numbers), test, None, None, span)
    surely = _is_there(body, kind, keys, values, numbers)
    if not surely:
        body.note_why(span, _why_not_there(body, kind, keys, values, numbers))
    return body.known(p.Selected(of if surely else t.Maybe(of), span, "first", over, None, None))


def _is_there(body: Body, kind: str, keys: tuple[str, ...], values: list[p.Expr], numbers: tuple[int, ...]) -> bool:
    """True if whatever the numbers may be, there is a node with them."""
    spans = [interval_of(value) for value in values]
    tables = [body.declared.attribute_of("node", kind, key) for key in keys]
    inside = [
        node
        for node in numbers
        if all(table and span.low <= table.values[node] <= span.high for table, span in zip(tables, spans, strict=True))  # type: ignore[operator]
    ]
    return len(inside) == prod(span.high - span.low + 1 for span in spans)


def _why_not_there(
    body: Body, kind: str, keys: tuple[str, ...], values: list[p.Expr], numbers: tuple[int, ...]
) -> str | None:
    """Which of the numbers may lie beside the board: `the column is 1..6, and the board has 1..5`."""
    for key, value in zip(keys, values, strict=True):
        table = body.declared.attribute_of("node", kind, key)
        there = [int(table.values[node]) for node in numbers] if table is not None else []  # type: ignore[call-overload]
        span = interval_of(value)
        if there and (span.low < min(there) or span.high > max(there)):
            return f"the {key} may be {span.low}..{span.high} here, and the board has {min(there)}..{max(there)}"
    return None


def _on_map(body: Body, node: nodes.Expr, what: str, of: p.MapDecl | None) -> p.Expr:
    made = elaborate(body, node, _expected(body, what, of))
    if not isinstance(t.bare(made.type), t.MapNode if what == "node" else t.MapEdge):
        one = "a node" if what == "node" else "an edge"
        help = BEFORE if isinstance(made.type, t.Player) else None
        raise not_of(body, made.type, f"{one} of a map", node.span, f"{one} is expected", help)
    return made


def _expected(body: Body, what: str, of: p.MapDecl | None) -> t.VType | None:
    """The type of the nodes (or edges) of one map, or of all maps: the type expected of a bare name."""
    if of is not None:
        return node_type(body, of) if what == "node" else edge_type(body, of)
    kinds = tuple(body.declared.node_kinds if what == "node" else body.declared.edge_kinds)
    return (t.MapNode(kinds) if what == "node" else t.MapEdge(kinds)) if kinds else None


def _argument(body: Body, where: p.MapDecl, form: str, node: nodes.Expr) -> p.Expr:
    match form:
        case "n":
            target = maybe(node_type(body, where))
            return wanted(body, node, target, "the other node")
        case "d":
            return wanted(body, node, t.DirectionOf(where.name), "the direction")
        case _:
            return number(body, node, "the number of steps")


def map_of(body: Body, value_type: t.VType, span: Span) -> p.MapDecl:
    """The map that nodes or edges of a type belong to. Gives up silently if it could not be built, which has been
    reported."""
    of = t.bare(value_type)
    assert isinstance(of, t.MapNode | t.MapEdge)
    table = body.declared.node_kinds if isinstance(of, t.MapNode) else body.declared.edge_kinds
    maps = list(dict.fromkeys(table[kind].map for kind in of.kinds))
    if len(maps) > 1:
        what = f"this may be of the map `{maps[0]}` or of `{maps[1]}`"
        help = f"find out first which it is: `… is {of.kinds[0]}`"
        raise body.fail("R0430", what, span, f"{in_words(of)}; one map is asked", help=help)
    if maps[0] not in body.declared.maps:
        raise Broken
    return body.declared.maps[maps[0]]


def _is_surely_on(body: Body, where: p.MapDecl, thing: p.Expr) -> bool:
    """True if every node of this type is on the map. A map may join only some of the nodes of another map."""
    on = set(where.nodes)
    return not isinstance(t.bare(thing.type), t.MapNode) or all(node in on for node in _numbers_of(body, thing))


def _require_on(body: Body, where: p.MapDecl, thing: p.Expr, span: Span) -> None:
    """Reports a node or edge that can never be on the map. One that may be off the map is treated like none."""
    of = t.bare(thing.type)
    if not isinstance(of, t.MapNode | t.MapEdge):
        return
    on, known = (where.nodes, body.declared.nodes) if isinstance(of, t.MapNode) else (where.edges, body.declared.edges)
    if not set(on) & set(_numbers_of(body, thing)):
        name = f"`{known[thing.value].id}`" if isinstance(thing, p.Const) else in_words(of)
        headline = f"{name} is not on the map `{where.name}`"
        raise body.fail("R0352", headline, span, "of another map", others=(Label(where.span, "this map"),))


def _numbers_of(body: Body, thing: p.Expr) -> tuple[int, ...]:
    """The nodes or edges that an expression may stand for."""
    return (thing.value,) if isinstance(thing, p.Const) else domain_of(body.declared, t.bare(thing.type)) or ()


def node_type(body: Body, where: p.MapDecl) -> t.MapNode:
    kinds = {body.declared.nodes[n].kind for n in where.nodes}
    return t.MapNode(tuple(k for k in body.declared.node_kinds if k in kinds))


def edge_type(body: Body, where: p.MapDecl) -> t.MapEdge:
    kinds = {body.declared.edges[e].kind for e in where.edges}
    return t.MapEdge(tuple(k for k in body.declared.edge_kinds if k in kinds))


def _result(body: Body, where: p.MapDecl, gives: str, optional: bool) -> t.VType:
    match gives:
        case "flag":
            return t.Flag()
        case "distance":
            return maybe(t.Number(0, max(0, len(where.nodes) - 1)), optional or not is_connected(where))
    of = node_type(body, where) if gives.startswith("node") else edge_type(body, where)
    return t.SetOf(of) if gives.endswith("s") else t.Maybe(of)


def is_connected(where: p.MapDecl) -> bool:
    """True if every node can be reached from the first."""
    if not where.nodes:
        return True
    reached, to_visit = {where.nodes[0]}, [where.nodes[0]]
    while to_visit:
        for other in where.neighbours.get(to_visit.pop(), ()):
            if other not in reached:
                reached.add(other)
                to_visit.append(other)
    return len(reached) == len(where.nodes)


# ---------------------------------------------------------------------------- ways


@handles(nodes.Reach)
def reach(body: Body, node: nodes.Reach, expected: t.VType | None) -> p.Expr:
    start = _on_map(body, node.start, "node", None)
    with body.block(), body.perhaps_never():
        along = None if node.along is None else _stretch(body, node.along, "edge")
    with body.block(), body.perhaps_never():
        through = None if node.through is None else _stretch(body, node.through, "node")
    where = _map_asked(body, start, along, node.start.span)
    _require_on(body, where, start, node.start.span)
    if through is not None and node.through is not None:
        label = f"one goes over the map `{where.name}`"
        _require_kind(body, where, t.bare(through.local.type), node.through.source.span, label)
    stops = _stopping_at(body, node.stopping_at, where)
    return p.Reach(t.SetOf(node_type(body, where)), node.span, where, start, along, through, stops)


def _stretch(body: Body, node: nodes.Binder, what: str) -> p.Binder:
    """`s in Street where C`: the edges that may be used, or the nodes that may be passed through."""
    made = binder(body, node)
    of = t.bare(made.local.type)
    if not isinstance(of, t.MapEdge if what == "edge" else t.MapNode):
        one_goes = "one goes along edges" if what == "edge" else "one goes through nodes"
        raise body.fail("R0430", f"{one_goes}, not {in_words(of)}", node.source.span, f"{what}s of a map are expected")
    return made


def _map_asked(body: Body, start: p.Expr, along: p.Binder | None, span: Span) -> p.MapDecl:
    """The map to search: that of the edges named after `along`, which must contain the start; otherwise the map that
    declares the start."""
    if along is None:
        return map_of(body, start.type, span)
    where = map_of(body, along.local.type, along.source.span)
    _require_kind(body, where, t.bare(start.type), span, f"`{along.local.name}` is an edge of `{where.name}`")
    return where


def _require_kind(body: Body, where: p.MapDecl, of: t.VType, span: Span, label: str) -> None:
    if not set(kinds_of(of)) & set(node_type(body, where).kinds):
        headline = f"{in_words(of)} is no node of the map `{where.name}`"
        raise body.fail("R0430", headline, span, label, others=(Label(where.span, "this map"),))


@handles(nodes.Cheapest)
def cheapest(body: Body, node: nodes.Cheapest, expected: t.VType | None) -> p.Expr:
    start = _on_map(body, node.start, "node", None)
    goal = _on_map(body, node.goal, "node", None)
    with body.block(), body.perhaps_never():
        along = _stretch(body, node.along, "edge")
        cost = number(body, node.cost, "the cost of an edge")
    where = _map_asked(body, start, along, node.start.span)
    _require_on(body, where, start, node.start.span)
    _require_on(body, where, goal, node.goal.span)
    each = interval_of(cost)
    if each.low < 0:
        what = "a way cannot cost less than nothing"
        raise body.fail("R0472", what, node.cost.span, f"{each} goes below 0", help="take `max(0, …)`")
    edges = most(body.declared, along.source)
    # A cheapest way passes no node twice, so it has fewer edges than the map has nodes.
    bounds = t.Number(0, min(each.high * max(0, min(edges, len(where.nodes) - 1)), (1 << 31) - 1))
    gives: t.VType = t.SetOf(t.bare(along.local.type)) if node.is_path else t.Maybe(bounds)
    stops = _stopping_at(body, node.stopping_at, where)
    return p.Cheapest(gives, node.span, where, start, goal, along, cost, stops, node.is_path)


def _stopping_at(body: Body, name: nodes.Name | None, where: p.MapDecl) -> tuple[tuple[int, int], ...]:
    if name is None:
        return ()
    kind = body.declared.node_kinds.get(name.text)
    if kind is None:
        what = f"there is no node kind `{name.text}` to stop at"
        raise body.fail("R0326", what, name.span, "not known", near=body.declared.node_kinds)
    body.declared.uses.add(name.span, "type", name.text)
    _require_kind(body, where, t.MapNode((name.text,)), name.span, "never met there")
    return ((kind.first, kind.count),)


# ---------------------------------------------------------------------------- groups and lines


@handles(nodes.Groups)
def groups(body: Body, node: nodes.Groups, expected: t.VType | None) -> p.Expr:
    asked = _map_named(body, node.map)
    with body.block(), body.perhaps_never():
        made = binder(body, node.binder)
    of = t.bare(made.local.type)
    if not isinstance(of, t.MapNode):
        what = f"groups are of nodes, not of {in_words(of)}"
        raise body.fail("R0430", what, node.binder.source.span, "nodes of a map are expected")
    if asked is not None:
        _require_kind(body, asked, of, node.binder.source.span, f"`{asked.name}` is asked for groups")
    where = asked or map_of(body, of, node.binder.source.span)
    bounds = t.Number(0, min(most(body.declared, made.source), len(where.nodes)))
    return p.GroupsOf(bounds, node.span, where, node.largest, made)


@handles(nodes.LongestTrail)
def longest_trail(body: Body, node: nodes.LongestTrail, expected: t.VType | None) -> p.Expr:
    with body.block(), body.perhaps_never():
        along = _stretch(body, node.binder, "edge")
        value = None if node.value is None else number(body, node.value, "the length of an edge")
    with body.block(), body.perhaps_never():
        through = None if node.through is None else _stretch(body, node.through, "node")
    where = map_of(body, along.local.type, node.binder.source.span)
    if through is not None and node.through is not None:
        label = f"the trail goes over the map `{where.name}`"
        _require_kind(body, where, t.bare(through.local.type), node.through.source.span, label)
    each = t.Number(1, 1) if value is None else interval_of(value)
    if each.low < 0 and node.value is not None:
        what = "an edge cannot be shorter than nothing"
        raise body.fail("R0472", what, node.value.span, f"{each} goes below 0", help="take `max(0, …)`")
    # A trail may pass a node again and again, and uses no edge twice: here it is the edges that bound it.
    bounds = t.Number(0, min(each.high * most(body.declared, along.source), (1 << 31) - 1))
    return p.LongestTrail(bounds, node.span, where, along, value, through)


def _map_named(body: Body, node: nodes.Expr | None) -> p.MapDecl | None:
    """`loop` in `loop.groups(…)`; None if no map is named."""
    if node is None:
        return None
    if isinstance(node, nodes.NameRef) and node.name not in body.names and node.name in body.declared.maps:
        body.declared.uses.add(node.span, "map", node.name)
        return body.declared.maps[node.name]
    made = elaborate(body, node, None)
    what = f"{in_words(made.type)} is asked for groups or lines"
    help = f"the maps are {', '.join(f'`{name}`' for name in body.declared.maps)}" if body.declared.maps else None
    raise body.fail("R0326", what, node.span, "a map is expected", help=help)


@handles(nodes.LongestLine)
def longest_line(body: Body, node: nodes.LongestLine, expected: t.VType | None) -> p.Expr:
    asked = _map_named(body, node.map)
    through = _on_map(body, node.through, "node", asked)
    if is_maybe(through.type):
        through = accept(body, through, t.bare(through.type), node.through.span, "the node the line goes through")
    if asked is not None:
        _require_kind(body, asked, t.bare(through.type), node.through.span, f"`{asked.name}` is asked for lines")
        _require_on(body, asked, through, node.through.span)
    where = asked or map_of(body, through.type, node.through.span)
    if not where.line_directions:
        what = f"the map `{where.name}` has no straight lines"
        help = "grids, hexes and lines have them; on other maps ask for `largest_group(…)`"
        raise body.fail("R0326", what, node.span, others=(Label(where.span, "this map"),), help=help)
    with body.block(), body.perhaps_never():
        local = body.bind(node.name, node_type(body, where))
        test = condition(body, node.where)
    return p.LongestLine(t.Number(0, len(where.nodes)), node.span, where, local, through, test)
