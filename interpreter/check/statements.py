"""Statements: each node becomes one statement of the program, preceded by the calls that its expressions need.

A statement with an error is dropped and checking continues with the next one. Its blocks are still checked; the names
that it would have bound get an unknown type, so that their uses are not reported. After each statement, facts about
what it writes are forgotten.
"""

from __future__ import annotations

from dataclasses import replace

from ..diagnostics.source import Span
from ..syntax import nodes
from . import counters, moves  # noqa: F401  (handlers)
from . import program as p
from .calls import arguments, effect_cell, rule_named
from .dispatch import Made, accept, condition, doer_of, does, elaborate, interval_of, number, player, used
from .facts import KnownFacts, reads_of
from .narrowing import assume, assume_filled, falls_through, written
from .numbers import arithmetic, inside, meet
from .scope import Body, Broken, Unknown
from .sizes import is_surely_filled
from .texts import maybe_template, template
from .type_rules import in_words, is_maybe, surely_fits
from .value_types import Die, EffectCell, NoneOnly, Number, PlaceOf, Player, SetOf, VType, bare
from .walk import walk

_COMPUTING = (nodes.Let, nodes.If, nodes.Result)

# ---------------------------------------------------------------------------- blocks


def statements(body: Body, block: nodes.Block) -> p.Block:
    """The statements of a block, elaborated in the current scope; those with an error are left out."""
    made: list[p.Stmt] = []
    for node in block:
        try:
            made.extend(_statement(body, node))
        except Broken:
            body.gave_up = True
            look_inside(body, node)
            for name in bound_names(node):
                if name.text not in body.names:
                    body.put_in_scope(name, p.LocalDecl(-1, name.text, Unknown()))
    return tuple(made)


def own_block(body: Body, block: nodes.Block, begin: KnownFacts | None = None) -> p.Block:
    """A nested block with a scope of its own. `begin`: see `Facts.block`."""
    with body.block(begin) as way:
        made = statements(body, block)
        way.leaves = not falls_through(made)
    return made


def _statement(body: Body, node: nodes.Statement) -> list[p.Stmt]:
    if body.form in ("value", "score") and not isinstance(node, _COMPUTING):
        headline = "a value only computes: nothing can happen in it"
        help = "write an effect"
        if isinstance(node, nodes.For):
            help = (
                "ask about all at once: `some x in … has …`, `first x in … where …`, `sum(… for x in …)`; "
                "what has to go step by step is an effect with a result"
            )
        body.fail("R0441", headline, node.span, "not `let`, `if` or `result`", help=help)
        raise Broken
    made = doer_of(node)(body, node)
    several = made if isinstance(made, list) else [made]
    for stmt in several:
        what = written(body.world, stmt)
        if what is None or what:
            body.facts.forget(what)
    if isinstance(node, nodes.Assign):
        for part in walk(tuple(several)):  # an assignment to a union has one store per kind
            if isinstance(part, p.SetField):
                body.facts.forget(written(body.world, part))
        _learn_assigned(body, several[-1])
    if several:
        _learn_filled(body, several[-1])
    if node.cites:
        several[-1] = replace(several[-1], cites=(*several[-1].cites, *node.cited))
    return several


def _learn_assigned(body: Body, stmt: p.Stmt) -> None:
    """Learns the value that was just assigned, unless a hook may have changed it again."""
    if not isinstance(stmt, p.SetField) or stmt.op != "=" or stmt.field.capped or id(stmt.field) in body.world.hooked:
        return
    if isinstance(stmt.value.type, NoneOnly) or not stmt.fits:
        return
    read = p.FieldRead(stmt.field.type, stmt.span, stmt.field, stmt.owner, stmt.indexes)
    body.learn(read, stmt.value.type)


def _learn_filled(body: Body, stmt: p.Stmt) -> None:
    """Learns that a place is not empty after something surely went there, unless a hook may have taken it on. The path
    must not read the state: in `move c to toward(at(c), north).man` it is another place once the piece has moved."""
    match stmt:
        case p.MovePiece(to=to):
            pass
        case p.Draw(up_to=False, count=count, to=to) | p.MoveSome(quantity="exactly", count=p.Expr() as count, to=to):
            if not isinstance(count.type, Number) or count.type.low < 1:
                return
        case _:
            return
    place = to.place
    if not isinstance(place, p.PlaceRef) or id(place.place) in body.world.hooked:
        return
    parts = [part for part in (place.owner, *place.indexes, place.slot) if part is not None]
    if not any(reads_of(part) for part in parts):
        assume_filled(body, place)


def look_inside(body: Body, node: nodes.Statement) -> None:
    """Checks the blocks of a statement that was dropped, so that one run reports everything."""
    for part in (node, *getattr(node, "cases", ()), *getattr(node, "branches", ())):
        for block in (getattr(part, "body", None), getattr(part, "otherwise", None)):
            if isinstance(block, tuple):
                with body.block():
                    body.facts.forget(None)
                    for name in (*bound_names(node), *bound_names(part)):
                        body.put_in_scope(name, p.LocalDecl(-1, name.text, Unknown()))
                    # A `stop` in the block of a broken loop is no mistake of its own.
                    body.loops += 1
                    statements(body, block)
                    body.loops -= 1


def bound_names(node: nodes.Node) -> list[nodes.Name]:
    """The names that a statement or branch binds."""
    match node:
        case nodes.Let() | nodes.For() | nodes.Walk() | nodes.InTurn() | nodes.Together():
            return [node.name]
        case nodes.Choose(binders=binders) | nodes.Branch(binders=binders) | nodes.May(binders=binders):
            return [binder.name for binder in binders]
        case nodes.ChooseSet(alias=alias):
            return [alias]
        case nodes.Pick(binder=binder):
            return [binder.name]
        case nodes.Draw(alias=alias) if alias is not None:
            return [alias]
        case _:
            return []


# ---------------------------------------------------------------------------- names, calls, conditions


@does(nodes.Let)
def let(body: Body, node: nodes.Let) -> Made:
    with body.gathering() as ahead:
        value = elaborate(body, node.value, None)
    if isinstance(value.type, PlaceOf):
        what = f"{in_words(value.type)} is a place, and places have no other names"
        raise body.fail("R0455", what, node.value.span, "not a value", help="name its pieces: `all x in …`")
    if isinstance(value.type, NoneOnly):
        raise body.fail("R0439", f"`{node.name.text}` would always be none", node.value.span, "nothing to name")
    local = body.bind(node.name, value.type)
    if isinstance(value.type, SetOf) and is_surely_filled(body, value):
        assume_filled(body, p.LocalVar(value.type, node.span, local))
    return [*ahead, p.Let(node.span, local, value)]


@does(nodes.Call)
def call(body: Body, node: nodes.Call) -> Made:
    of = node.call.of if isinstance(node.call, nodes.CallOf) else node.call
    if isinstance(of, nodes.NameRef) and of.name == "previous":
        body.declared.uses.add(of.span, "word", "previous")
        return _call_previous(body, node)
    rule, args = rule_named(body, node.call, "a call")
    form = rule.rule.form
    if form == "value":
        what = f"`{rule.rule.name}` is a value: nothing would happen"
        raise body.fail("R0442", what, node.call.span, "computed and forgotten", help="name it: `let x = …`")
    if form in ("setup", "play"):
        raise body.fail("R0442", f"`{form}` is not called", node.call.span, "it runs by itself")
    made = arguments(body, rule.rule, rule.defaults, args, node.call.span)
    return p.CallRule(node.span, rule.rule, made, node.if_possible)


def _call_previous(body: Body, node: nodes.Call) -> p.Stmt:
    target = body.replaced
    if target is None:
        raise body.fail("R0622", "`previous` is only in `instead of`", node.call.span, "nothing is replaced here")
    if target.form == "value":
        what = "the previous value would be computed and forgotten"
        raise body.fail("R0442", what, node.call.span, "no effect", help="write `result previous …`")
    args = node.call.args if isinstance(node.call, nodes.CallOf) else None
    made = None if args is None else arguments(body, target, (), args, node.call.span)
    return p.CallPrevious(node.span, made)


@does(nodes.Perform)
def perform(body: Body, node: nodes.Perform) -> Made:
    cell = effect_cell(body, node.effect)
    effect = bare(cell.type)
    assert isinstance(effect, EffectCell)
    types = dict(effect.given)
    given: list[tuple[str, p.Expr]] = []
    for arg in node.given:
        if arg.name.text not in types:
            what = f"this effect is given no `{arg.name.text}`"
            help = f"it is given {', '.join(f'`{n}`' for n in types)}" if types else None
            help = help or f"the column has to say so where it is declared: `effect given ({arg.name.text}: …)`"
            raise body.fail("R0459", what, arg.name.span, "not known", help=help)
        body.declared.uses.add(arg.name.span, "given", arg.name.text)
        given.append((arg.name.text, used(body, arg.value, types[arg.name.text], f"`{arg.name.text}`")))
    missing = [name for name in types if name not in dict(given)]
    if missing:
        what = f"this effect has to be given `{missing[0]}`"
        label = f"`effect given ({missing[0]}: {types[missing[0]]})`"
        raise body.fail("R0459", what, node.effect.span, label, help=f"write `perform … with {missing[0]} = …`")
    who = player(body, node.player, "whoever performs it")
    return p.Perform(node.span, cell, tuple(given), who, node.if_possible)


@does(nodes.Requires)
def requires(body: Body, node: nodes.Requires) -> Made:
    test = condition(body, node.condition)
    text = maybe_template(body, node.text)
    assume(body, test)
    return p.Require(node.span, test, text)


@does(nodes.If)
def if_else(body: Body, node: nodes.If) -> Made:
    return _cases(body, node.cases, node.otherwise or (), node.span)


def _cases(body: Body, cases: tuple[nodes.IfCase, ...], otherwise: nodes.Block, span: Span) -> list[p.Stmt]:
    case, rest = cases[0], cases[1:]
    with body.gathering() as ahead:
        test = condition(body, case.condition)
    begin = body.facts.known
    with body.block() as way_if:
        assume(body, test, True)
        then = statements(body, case.body)
        way_if.leaves = not falls_through(then)
    with body.block(begin) as way_else:
        assume(body, test, False)
        other = tuple(_guarded_cases(body, rest, otherwise)) if rest else statements(body, otherwise)
        way_else.leaves = not falls_through(other)
    # `if p.target is none` / `done`: whoever reads the line below has a target.
    if way_if.leaves and not other:
        assume(body, test, False)
    return [*ahead, p.If(case.span if rest else span, test, then, other, cites=case.cited)]


def _guarded_cases(body: Body, cases: tuple[nodes.IfCase, ...], otherwise: nodes.Block) -> list[p.Stmt]:
    """The remaining cases of an `if`; each reports its own errors."""
    try:
        return _cases(body, cases, otherwise, cases[0].span)
    except Broken:
        own_block(body, cases[0].body)
        if cases[1:]:
            return _guarded_cases(body, cases[1:], otherwise)
        own_block(body, otherwise)
        return []


@does(nodes.FirstPossible)
def first_possible(body: Body, node: nodes.FirstPossible) -> Made:
    for part in node.body:
        if not isinstance(part, nodes.Call | nodes.Perform):
            raise body.fail("R0460", "`first possible` is a list of calls and performs", part.span, "neither of them")
    with body.block():
        return p.FirstPossible(node.span, statements(body, node.body))


@does(nodes.Stop)
def stop(body: Body, node: nodes.Stop) -> Made:
    if body.loops == 0:
        what = "`stop` leaves a loop, and there is none here"
        raise body.fail("R0463", what, node.span, "not in a loop", help="`done` leaves the rule")
    return p.Stop(node.span)


# ---------------------------------------------------------------------------- assignments


@does(nodes.Assign)
def assign(body: Body, node: nodes.Assign) -> p.Stmt | list[p.Stmt]:
    path = elaborate(body, node.path, None)
    with body.gathering() as ahead:
        made = _store(body, node, path)
    return [*ahead, made]


def _store(body: Body, node: nodes.Assign, path: p.Expr) -> p.Stmt:
    match path:
        case p.FieldRead():
            if path.owner is not None and is_maybe(path.owner.type):
                what, label = f"whose `{path.field.name}` is set may be none here", in_words(path.owner.type)
                raise body.fail("R0432", what, node.path.span, label, help="ask `is not none` first")
            value, fits = _value(body, node, path, path.field.type, path.field.capped)
            return p.SetField(node.span, path.field, path.owner, path.indexes, node.op, value, fits)
        case p.Face():
            die = path.die.type
            assert isinstance(die, Die)
            value, fits = _value(body, node, path, Number(die.low, die.high), False)
            return p.SetFace(node.span, path.die, node.op, value, fits)
        case p.IfElse():
            then: p.Block = (_store(body, node, path.then),)
            return p.If(node.span, path.condition, then, (_store(body, node, path.otherwise),))
        case _:
            raise _not_settable(body, node, path)


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
            may_be, help = f"{what} may be none here", "ask `is not none` first"
            raise body.fail("R0432", may_be, node.path.span, "nothing to add to", help=help)
        is_else = f"{what} is {in_words(path.type)}, not a number"
        raise body.fail("R0430", is_else, node.path.span, f"`{node.op}` is for numbers")
    assert isinstance(target, Number)
    # `path.type` is narrowed by what is known here, so `if round < 4` before `round += 1` proves that 1..4 is kept and
    # saves the test at run time.
    after = arithmetic(node.op[0], path.type, interval_of(value))
    if meet(after, target) is None and not capped:
        headline = f"{what} can never be in range afterwards: {after} is outside {target}"
        raise body.fail("R0433", headline, node.value.span, f"always outside {target}")
    return value, inside(after, target)


def _not_settable(body: Body, node: nodes.Assign, path: p.Expr) -> Exception:
    what = node.path.span.text
    match path:
        case p.LocalVar():
            headline = f"`{what}` is a name, and names never change"
            help = "give the new value a new name with `let`, or keep a field for it"
            return body.fail("R0458", headline, node.path.span, "not a field", help=help)
        case p.PlaceRef() | p.SlotPiece():
            headline = f"`{what}` is a place: pieces are moved, not set"
            return body.fail("R0458", headline, node.path.span, "a place", help=f"write `move … to {what}`")
        case p.AttributeOf() | p.ChartCell():
            headline = f"`{what}` is printed and never changes"
            help = "what changes is a field: declare one below `each …`, under another name"
            return body.fail("R0458", headline, node.path.span, "not a field", help=help)
        case p.Const():
            return body.fail("R0458", f"`{what}` never changes", node.path.span, "a constant")
        case _:
            return body.fail("R0458", f"`{what}` is computed: it cannot be set", node.path.span, "not a field")


# ---------------------------------------------------------------------------- leaving, telling, ending


@does(nodes.Done)
def done(body: Body, node: nodes.Done) -> Made:
    if body.result is not None:
        what = "this rule gives a result on every way"
        raise body.fail("R0464", what, node.span, "leaves without one", help="write `result …`")
    return p.Done(node.span)


@does(nodes.Result)
def result(body: Body, node: nodes.Result) -> Made:
    rule = body.rule
    infers = body.result is None and body.form == "value" and body.timing is None
    if body.result is None and not infers:
        what = "a hook that runs before or after" if body.timing in ("before", "after") else "this rule"
        help = "declare its type: `effect r(p): flag`" if body.timing is None else None
        raise body.fail("R0464", f"{what} gives no result", node.span, "to nobody", help=help)
    with body.gathering() as ahead:
        value = elaborate(body, node.value, body.result)
    if body.result is not None:
        name = rule.name if rule is not None else "it"
        if body.replaced is not None:
            name = body.replaced.name
        value = accept(body, value, body.result, node.value.span, f"the result of `{name}`")
    body.results.append(value.type)
    return [*ahead, p.ResultIs(node.span, value)]


@does(nodes.Prevent)
def prevent(body: Body, node: nodes.Prevent) -> Made:
    if body.timing != "before":
        raise body.fail("R0623", "`prevent` is only in a `before` hook", node.span, "nothing is about to happen here")
    if body.hooked_on is not None and body.hooked_on.result is not None:
        what = f"`{body.hooked_on.name}` has to give a result: it cannot be prevented"
        raise body.fail("R0623", what, node.span, "what would it give?", help="replace it: `instead of …`")
    return p.Prevent(node.span)


@does(nodes.Say)
def say(body: Body, node: nodes.Say) -> Made:
    to = None if node.to is None else player(body, node.to, "who reads it")
    return p.Say(node.span, template(body, node.text), to)


@does(nodes.Wins)
@does(nodes.Loses)
def wins_or_loses(body: Body, node: nodes.Wins | nodes.Loses) -> Made:
    ends, verb = (p.Wins, "wins") if isinstance(node, nodes.Wins) else (p.Loses, "loses")
    who = elaborate(body, node.player, Player())
    if who.type != SetOf(Player()):
        who = accept(body, who, Player(), node.player.span, f"who {verb}")
    return ends(node.span, who, maybe_template(body, node.text), node.unscored)


@does(nodes.DropsOut)
def drops_out(body: Body, node: nodes.DropsOut) -> Made:
    return p.DropsOut(node.span, player(body, node.player, "who drops out"), maybe_template(body, node.text))


@does(nodes.EndGame)
def end_game(body: Body, node: nodes.EndGame) -> Made:
    return p.EndGame(node.span, maybe_template(body, node.text))
