"""Calls: values, charts, effects with a result, formulas in cells, `previous`, `can`, and the built-in functions.

A value is called where it is written. An effect with a result changes the game, so its call is moved out of the
expression to just before the statement. That is correct only where the expression is evaluated exactly once: in
`if fame > 2 and spend(p, c)` the effect would happen even if `fame` is 0. Such calls are refused.
"""

from __future__ import annotations

from collections.abc import Callable

from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..ruleset.map_data import in_lower_case
from ..syntax import nodes
from . import program as p
from . import value_types as t
from .declared import RuleSource
from .dispatch import Args, accept, elaborate, handles, interval_of, not_of, number, piece, player, source, used
from .histories import seen
from .map_expressions import MAP_QUERIES, map_query, node_at, node_kind_called
from .numbers import absolute, hull, sign
from .scope import BEFORE, Body, Broken, Unknown, about_called
from .sizes import most
from .type_rules import in_words, is_maybe, kinds_of, maybe

# ---------------------------------------------------------------------------- the call itself


@handles(nodes.CallOf)
def call(body: Body, node: nodes.CallOf, expected: t.VType | None) -> p.Expr:
    of = node.of
    if isinstance(of, nodes.NameRef) and of.name not in body.names:
        return _named_call(body, node, of)
    if isinstance(of, nodes.Attribute) and isinstance(of.of, nodes.NameRef) and of.of.name not in body.names:
        found = body.declared.maps.get(of.of.name)
        if found is not None:
            body.declared.uses.add(of.of.span, "map", of.of.name)
            return map_query(body, of.name, node.args, node.span, found)
    return _formula_call(body, node)


def _named_call(body: Body, node: nodes.CallOf, of: nodes.NameRef) -> p.Expr:
    declared, text = body.declared, of.name
    if text == "previous" and body.replaced is not None:
        declared.uses.add(of.span, "word", text)
        return previous_value(body, node.args, node.span)
    if text in declared.rules:
        declared.uses.add(of.span, "rule", text)
        rule = declared.rules[text]
        made = value_call if rule.rule.form == "value" else call_ahead
        return made(body, rule, node.args, node.span)
    if text in declared.charts:
        declared.uses.add(of.span, "chart", text)
        return chart_cell(body, declared.charts[text], "", node.args, node.span)
    if text in BUILT_IN:
        declared.uses.add(of.span, "word", text)
        return BUILT_IN[text](body, node)
    if text in MAP_QUERIES:
        return map_query(body, nodes.Name(of.span, text), node.args, node.span, None)
    kind = node_kind_called(body, text)
    if kind is not None:
        declared.uses.add(of.span, "type", kind)
        return node_at(body, kind, node.args, node.span)
    if text in declared.state.get("table", {}) or text in declared.constants:
        raise body.fail("R0327", f"`{text}` cannot be called", of.span, body.describe_global(text))
    if text == "previous":
        raise body.fail("R0622", "`previous` is only in `instead of`", of.span, "nothing is replaced here", help=BEFORE)
    what = f"there is nothing named `{text}` to call"
    advice = _about_node_called(body, text) or about_called(body, text, (*BUILT_IN, *MAP_QUERIES))
    raise body.fail("R0320", what, of.span, "not known", help=advice)


def _about_node_called(body: Body, text: str) -> str | None:
    """`cell(2, 3)` on a map whose nodes have another name."""
    types = body.declared.attribute_types
    kinds = [
        f"`{in_lower_case(kind)}({'2' if (kind, 'number') in types else '2, 3'})`" for kind in body.declared.node_kinds
    ]
    if text not in ("cell", "node", "hex", "square", "space", "tile") or not kinds:
        return None
    return f"nodes are named as the map names them: {' or '.join(kinds)}"


def _formula_call(body: Body, node: nodes.CallOf) -> p.Expr:
    """`d.points[upper](p)`"""
    if isinstance(node.of, nodes.TypeRef) and node.of.name in body.declared.node_kinds:
        name = in_lower_case(node.of.name)
        help = f"the node at a row and column: `{name}(2, 3)`; a node by its name: `{node.of.name}.{name}_2_3`"
        raise body.fail("R0327", f"`{node.of.name}` cannot be called", node.of.span, "a kind of nodes", help=help)
    cell = elaborate(body, node.of, None)
    formula = t.bare(cell.type)
    if not isinstance(formula, t.FormulaCell):
        raise body.fail("R0327", f"{in_words(cell.type)} cannot be called", node.of.span, "not a formula or rule")
    if len(node.args) != 1 or isinstance(node.args[0], nodes.NamedArg):
        raise body.fail("R0437", "a formula in a cell is called with the player", node.span, "one player is expected")
    who = player(body, node.args[0], "the argument of a formula")
    numbers = t.Number(formula.low, formula.high)
    if is_maybe(cell.type):
        numbers = hull(numbers, t.Number(0, 0))
    return body.known(p.FormulaCall(numbers, node.span, cell, who))


# ---------------------------------------------------------------------------- arguments


def arguments(body: Body, rule: p.RuleDecl, defaults: tuple[int | None, ...], args: Args, span: Span) -> p.Exprs:
    """One expression per parameter: given in order, by name, or by default."""
    given = _placed(body, rule, args)
    made: list[p.Expr] = []
    for position, param in enumerate(rule.params):
        if isinstance(param.type, Unknown):
            raise Broken
        node = given.get(position)
        if node is not None:
            what = f"`{param.name}` of `{rule.name}`"
            made.append(used(body, node, param.type, what, f"`{rule.name}` is declared at {rule.span.at}"))
            continue
        default = defaults[position] if position < len(defaults) else None
        if default is None:
            headline = f"`{rule.name}` needs `{param.name}`"
            notes = (f"`{rule.name}` is declared at {rule.span.at}",)
            help = f"write `{_signature(rule)}`"
            raise body.fail("R0437", headline, span, f"{in_words(param.type)} is missing", notes=notes, help=help)
        made.append(p.Const(param.type, span, default))
    return tuple(made)


def _placed(body: Body, rule: p.RuleDecl, args: Args) -> dict[int, nodes.Expr]:
    names = [param.name for param in rule.params]
    given: dict[int, nodes.Expr] = {}
    for position, arg in enumerate(args):
        if isinstance(arg, nodes.NamedArg):
            if arg.name.text not in names:
                what = f"`{rule.name}` has no parameter `{arg.name.text}`"
                help = did_you_mean(arg.name.text, names) or f"write `{_signature(rule)}`"
                raise body.fail("R0437", what, arg.name.span, "not known", help=help)
            body.declared.uses.add(arg.name.span, "parameter", rule.name, arg.name.text)
            position, arg_value = names.index(arg.name.text), arg.value
        else:
            arg_value = arg
        if position >= len(names):
            what = f"`{rule.name}` takes {_how_many(len(names))}"
            raise body.fail("R0437", what, arg.span, "one too many", help=f"write `{_signature(rule)}`")
        if position in given:
            raise body.fail("R0437", f"`{names[position]}` is given twice", arg.span, "again here")
        given[position] = arg_value
    return given


def _how_many(n: int) -> str:
    return {0: "no arguments", 1: "one argument"}.get(n, f"{n} arguments")


def _signature(rule: p.RuleDecl) -> str:
    return f"{rule.name}({', '.join(param.name for param in rule.params)})" if rule.params else rule.name


# ---------------------------------------------------------------------------- rules


def value_call(body: Body, source: RuleSource, args: Args, span: Span) -> p.Expr:
    rule = source.rule
    if rule.result is None or isinstance(rule.result, Unknown):
        body.world.elaborate_now(source)
    if rule.result is None or isinstance(rule.result, Unknown):
        raise Broken
    made = arguments(body, rule, source.defaults, args, span)
    return body.known(p.ValueCall(rule.result, span, rule, made))


def call_ahead(body: Body, source: RuleSource, args: Args, span: Span) -> p.Expr:
    """An effect with a result inside an expression: it is called just before the statement."""
    rule = source.rule
    if rule.result is None:
        what = f"the {rule.form} `{rule.name}` gives no value"
        help = "an effect that gives one says its type: `effect r(p): flag`"
        raise body.fail("R0327", what, span, "a value is expected here", help=help)
    if body.form in ("value", "score"):
        what = f"`{rule.name}` is an effect: here things are only computed"
        help = "call it from a phase, an action or an effect"
        raise body.fail("R0441", what, span, "something would happen here", help=help)
    if body.ahead is None:
        what = f"the effect `{rule.name}` may happen here not at all, or more than once"
        help = f"call it before: `let x = {rule.name}(…)`"
        raise body.fail("R0440", what, span, "not surely evaluated exactly once", help=help)
    made = arguments(body, rule, source.defaults, args, span)
    result = body.local(rule.name, rule.result)
    body.ahead.append(p.CallRule(span, rule, made, False, result))
    body.facts.forget(None)
    return p.LocalVar(rule.result, span, result)


def previous_value(body: Body, args: Args | None, span: Span) -> p.Expr:
    """`previous`: what an `instead of` replaces. For a value its result, for an effect a call before the statement."""
    target = body.replaced
    assert target is not None
    made = None if args is None else arguments(body, target, (), args, span)
    if target.result is None:
        raise body.fail("R0327", f"the {target.form} `{target.name}` gives no value", span, "a value is expected here")
    if target.form == "value":
        return body.known(p.Previous(target.result, span, made))
    if body.ahead is None:
        what = "`previous` may happen here not at all, or more than once"
        help = "call it before: `let x = previous`"
        raise body.fail("R0440", what, span, "not surely evaluated exactly once", help=help)
    result = body.local("previous", target.result)
    body.ahead.append(p.CallPrevious(span, made, result))
    body.facts.forget(None)
    return p.LocalVar(target.result, span, result)


# Statements of other languages that read like the call of a rule, and what to write.
_ELSEWHERE = {
    "return": "`done` leaves the rule, `result …` gives what it works out",
    "exit": "`done` leaves the rule, `end game` ends the game",
    "end": "`done` leaves the rule, `end game` ends the game",
    "break": "`stop` leaves the loop",
    "continue": "a loop goes on by itself: put the rest of its lines below an `if`",
    "skip": "leave it out: what does nothing needs no line",
    "win": 'say who: `p wins "why"`',
    "lose": 'say who: `p loses "why"`',
}


_METHODS = {
    **dict.fromkeys(("append", "add", "insert", "push", "put"), "pieces go from place to place: `move c to {0}`"),
    **dict.fromkeys(
        ("remove", "pop", "discard"), "pieces go from place to place: `move c to …`, `draw 1 from {0} to …`"
    ),
    "shuffle": "write `shuffle {0}`",
}


def _as_a_rule(body: Body, of: nodes.Expr) -> str | None:
    """Help with something that is called like a method: `p.turn()`, `p.hand.append(c)`."""
    if not isinstance(of, nodes.Attribute):
        return None
    owner, name = " ".join(of.of.span.text.split()), of.name.text
    if name in body.declared.rules:
        return f"what it is about stands in the brackets: `{name}({owner})`"
    return _METHODS[name].format(owner) if name in _METHODS else None


def rule_named(body: Body, node: nodes.Expr, what: str) -> tuple[RuleSource, Args]:
    """The rule that `r` or `r(a, b)` names, with the arguments as written."""
    of, args = (node.of, node.args) if isinstance(node, nodes.CallOf) else (node, ())
    if not isinstance(of, nodes.NameRef):
        raise body.fail("R0325", f"{what} names a rule", node.span, "not a rule", help=_as_a_rule(body, of))
    source = body.declared.rules.get(of.name)
    if source is None:
        if of.name in body.names or of.name in body.world.globals:
            raise body.fail("R0325", f"`{of.name}` is not a rule", of.span, f"{what} names a rule")
        what = f"there is no rule `{of.name}`"
        if of.name in _ELSEWHERE:
            raise body.fail("R0325", what, of.span, "not known", help=_ELSEWHERE[of.name])
        raise body.fail("R0325", what, of.span, "not known", near=body.declared.rules)
    body.declared.uses.add(of.span, "rule", of.name)
    return source, args


@handles(nodes.CanCall)
def can_call(body: Body, node: nodes.CanCall, expected: t.VType | None) -> p.Expr:
    source, args = rule_named(body, node.call, "`can`")
    if source.rule.form == "value":
        what = f"`{source.rule.name}` is a value: it can always be computed"
        raise body.fail("R0442", what, node.call.span, "a phase, action or effect is expected")
    made = arguments(body, source.rule, source.defaults, args, node.span)
    return p.CanCall(t.Flag(), node.span, source.rule, made)


@handles(nodes.CanPerform)
def can_perform(body: Body, node: nodes.CanPerform, expected: t.VType | None) -> p.Expr:
    cell = effect_cell(body, node.effect)
    return p.CanPerform(t.Flag(), node.span, cell, player(body, node.player, "whoever performs it"))


def effect_cell(body: Body, node: nodes.Expr) -> p.Expr:
    """An effect instance, or none."""
    cell = elaborate(body, node, None)
    if not isinstance(t.bare(cell.type), t.EffectCell):
        raise not_of(body, cell.type, "an effect", node.span, "an effect is expected")
    return cell


# ---------------------------------------------------------------------------- charts


def chart_of(body: Body, node: nodes.Expr) -> p.ChartDecl | None:
    """The chart that `c` or `c(n)` names."""
    of = node.of if isinstance(node, nodes.CallOf) else node
    if not isinstance(of, nodes.NameRef) or of.name in body.names:
        return None
    return body.declared.charts.get(of.name)


def note_chart(body: Body, node: nodes.Expr, chart: p.ChartDecl, column: nodes.Name) -> None:
    """Records what `c` and `column` refer to in `c(n).column`."""
    of = node.of if isinstance(node, nodes.CallOf) else node
    body.declared.uses.add(of.span, "chart", chart.name)
    body.declared.uses.add(column.span, "column", chart.name, column.text)


def chart_cell(
    body: Body, chart: p.ChartDecl, column: str, args: Args, span: Span, name_span: Span | None = None
) -> p.Expr:
    table = chart.columns.get(column)
    if table is None and column == "":
        columns = ", ".join(f"`{c}`" for c in chart.columns)
        raise body.fail("R0438", f"the chart `{chart.name}` has columns: say which", span, f"one of {columns}")
    if table is None:
        what = f"the chart `{chart.name}` has no column `{column}`"
        raise body.fail("R0322", what, name_span or span, "not known", help=did_you_mean(column, chart.columns))
    if len(args) != len(chart.dimensions):
        what = f"the chart `{chart.name}` takes {_how_many(len(chart.dimensions))}"
        raise body.fail("R0437", what, span, f"{len(args)} given")
    made = [_chart_argument(body, chart, position, arg) for position, arg in enumerate(args)]
    return body.known(p.ChartCell(table.type, span, chart, column, tuple(made)))


def _chart_argument(body: Body, chart: p.ChartDecl, position: int, arg: nodes.Expr | nodes.NamedArg) -> p.Expr:
    if isinstance(arg, nodes.NamedArg):
        raise body.fail("R0437", "a chart is asked in order, without names", arg.span, "no name here")
    what = f"`{chart.params[position]}` of the chart `{chart.name}`"
    return used(body, arg, chart.dimensions[position].type, what, f"the chart is at {chart.span.at}")


# ---------------------------------------------------------------------------- built-in functions

BuiltIn = Callable[[Body, nodes.CallOf], p.Expr]


def _one(body: Body, node: nodes.CallOf, count: int = 1) -> list[nodes.Expr]:
    plain = [arg for arg in node.args if not isinstance(arg, nodes.NamedArg)]
    if len(plain) != count or len(node.args) != count:
        assert isinstance(node.of, nodes.NameRef)
        raise body.fail("R0437", f"`{node.of.name}` takes {_how_many(count)}", node.span, f"{len(node.args)} given")
    return plain


def _next(body: Body, node: nodes.CallOf) -> p.Expr:
    return p.Builtin(t.Player(), node.span, "next", (player(body, _one(body, node)[0], "`next` of"),))


def _rival(body: Body, node: nodes.CallOf) -> p.Expr:
    who = player(body, _one(body, node)[0], "`rival` of")
    if body.declared.players != 2:
        what = f"`rival` is for two seats, and this game has {body.declared.players}"
        help = "`rivals(p)` are all others, `next(p)` is the next one"
        raise body.fail("R0443", what, node.span, "which of them?", help=help)
    return p.Builtin(t.Player(), node.span, "rival", (who,))


def _rivals(body: Body, node: nodes.CallOf) -> p.Expr:
    return p.Players(t.SetOf(t.Player()), node.span, "rivals", player(body, _one(body, node)[0], "`rivals` of"))


def _seat(body: Body, node: nodes.CallOf) -> p.Expr:
    target = t.Number(1, body.declared.players)
    return p.Builtin(t.Player(), node.span, "seat", (used(body, _one(body, node)[0], target, "the number of a seat"),))


def _of_number(name: str, interval: Callable[[t.Number], t.Number]) -> BuiltIn:
    def made(body: Body, node: nodes.CallOf) -> p.Expr:
        of = number(body, _one(body, node)[0], f"what `{name}` is asked of")
        return p.Builtin(interval(interval_of(of)), node.span, name, (of,))

    return made


def _at(body: Body, node: nodes.CallOf) -> p.Expr:
    of = piece(body, _one(body, node)[0])
    holding = body.declared.holders_of(body.declared.carriers_of(kinds_of(t.bare(of.type))))
    on = tuple(k for k in body.declared.node_kinds if k in holding)
    if not on:
        raise body.fail("R0444", f"no node has a place for {in_words(t.bare(of.type))}", node.span, "never on the map")
    return body.known(p.Builtin(t.Maybe(t.MapNode(on)), node.span, "at", (of,)))


def _holder(body: Body, node: nodes.CallOf) -> p.Expr:
    return body.known(p.Builtin(t.Maybe(t.Player()), node.span, "holder", (piece(body, _one(body, node)[0]),)))


def _under(body: Body, node: nodes.CallOf) -> p.Expr:
    of = piece(body, _one(body, node)[0])
    holding = body.declared.holders_of(kinds_of(t.bare(of.type)))
    under = tuple(k for k in body.declared.kinds if k in holding)
    if not under:
        raise body.fail("R0444", f"no piece carries {in_words(t.bare(of.type))}", node.span, "never carried")
    return body.known(p.Builtin(t.Maybe(t.Piece(under)), node.span, "under", (of,)))


def _position(body: Body, node: nodes.CallOf) -> p.Expr:
    item, where = _one(body, node, 2)
    over, of = source(body, where)
    made = elaborate(body, item, of)
    made = made if is_maybe(made.type) else accept(body, made, maybe(of), item.span, "what is looked for")
    return p.Builtin(t.Number(0, most(body.declared, over)), node.span, "position", (made, over))


def _slots(body: Body, node: nodes.CallOf) -> p.Expr:
    """`uncovered(p.row)` is `all n in 1..8 where p.row[n] is empty`, and of `slots by Colour` a set of colours."""
    (where,) = _one(body, node)
    assert isinstance(node.of, nodes.NameRef)
    word = node.of.name
    track = elaborate(body, where, None)
    dimension = track.place.slot_dimension if isinstance(track, p.PlaceRef) and track.slot is None else None
    if dimension is None:
        what, help = f"`{word}` is asked of slots, and this is {in_words(track.type)}", "declare it as `slots(8) of …`"
        raise body.fail("R0430", what, where.span, "these have no numbered spaces", help=help)
    name, span = nodes.Name(node.span, f"space_{node.span.start}_"), node.span  # no name in the rules can end like this
    of: nodes.Expr = nodes.FromTo(span, nodes.Number(span, 1), nodes.Number(span, dimension.size))
    if isinstance(dimension.type, t.EnumOf):
        of = nodes.TypeRef(span, dimension.type.name)
    space = nodes.Index(span, where, (nodes.NameRef(span, name.text),))
    test = nodes.IsTest(span, space, word == "covered", "empty")
    return elaborate(body, nodes.Selection(span, "all", nodes.Binder(span, name, of, test, None), None, None), None)


def _public(body: Body, node: nodes.CallOf) -> p.Expr:
    of = elaborate(body, _one(body, node)[0], None)
    return p.Builtin(of.type, node.span, "public", (of,))


def _seen(body: Body, node: nodes.CallOf) -> p.Expr:
    found = seen(body, _one(body, node)[0], node.span)
    if found is None:
        raise Broken
    return value_call(body, found, (), node.span)


BUILT_IN: dict[str, BuiltIn] = {
    "next": _next,
    "rival": _rival,
    "rivals": _rivals,
    "seat": _seat,
    "abs": _of_number("abs", absolute),
    "sign": _of_number("sign", sign),
    "at": _at,
    "holder": _holder,
    "under": _under,
    "position": _position,
    "uncovered": _slots,
    "covered": _slots,
    "public": _public,
    "seen": _seen,
}
