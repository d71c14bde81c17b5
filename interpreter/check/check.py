"""The entry point of the checker: a gathered game becomes a checked program, or a list of findings.

First everything is declared, then the targets of hooks are found, then bodies are elaborated. A value whose type is not
written is elaborated as soon as its type is needed. An error in one body does not keep the others from being checked.
The later passes (visibility, loops, use) run only on a complete program. Scores (named lines of numbers) and the
ranking (the order in which seats are compared) belong to no rule and are elaborated here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from ..diagnostics.diagnostic import Diagnostic, Diagnostics, Label, nested_too_deeply
from ..diagnostics.source import Span
from ..ruleset.gathered import Gathered
from ..ruleset.lost import without_consequences
from ..syntax import nodes
from . import choices, expressions, loop_statements, map_expressions, paths, set_expressions  # noqa: F401  (handlers)
from . import program as p
from .counters import declare_currencies
from .cycles import refuse_cycles
from .declare import declare
from .declare_types import lacks_a_map
from .declared import Declared, RuleSource
from .dispatch import accept, condition, elaborate, number
from .expressions import measure
from .hooks import HookTable
from .narrowing import assume, falls_through
from .passes import run_passes, run_passes_on_sound
from .program import Expr, RankDecl, ScoreBlock, ScoreLineDecl
from .scope import Body, Broken, Unknown, World, first_player, parameters_in_scope
from .statements import statements
from .tables import fold_rows
from .texts import template
from .type_rules import in_words, join, maybe
from .value_types import Flag, Maybe, Number, Player, VType

_UNUSED = ("R0750", "R0751", "R0752", "R0753", "R0755", "R0756")


def check(gathered: Gathered, found: Diagnostics) -> p.Program | None:
    """The checked program; None if there are errors. Everything found is in `found`."""
    return check_declared(gathered, found)[1]


def check_declared(
    gathered: Gathered, found: Diagnostics, *, for_index: bool = False
) -> tuple[Declared, p.Program | None]:
    """The same, together with all declarations, including faulty ones. With `for_index` the uses of every name are
    recorded too."""
    before = len(found)
    declared, program = _checked(gathered, found, for_index)
    if gathered.lost:
        found.found[before:] = without_consequences(found.found[before:], gathered.lost)
    if gathered.removed:
        found.found = [_with_removal(finding, gathered) for finding in found]
    return declared, program


def _with_removal(finding: Diagnostic, gathered: Gathered) -> Diagnostic:
    """Adds to findings about an unknown name the place where a layer removed it."""
    word = re.split(r"\W", finding.primary.span.text, maxsplit=1)[0]
    removal = gathered.removed.get(word)
    is_missing = finding.headline.startswith("there is no") or f"has no `{word}`" in finding.headline
    if removal is None or not (is_missing and f"`{word}`" in finding.headline):
        return finding
    label = Label(removal.span, f"`{removal.layer}` removes it here")
    advice = "keep it, or change what still speaks of it as well"
    return replace(finding, others=(*finding.others, label), help=advice)


def _checked(gathered: Gathered, found: Diagnostics, for_index: bool) -> tuple[Declared, p.Program | None]:
    declared = declare(gathered, found, for_index=for_index)
    fold_rows(found)
    if found.has_errors and lacks_a_map(declared) and not gathered.lost:
        return declared, None  # every rule that names one of its nodes would be reported, all with the same cause
    try:
        program = _elaborated(declared, gathered, found)
    except RecursionError:  # three thousand rules, each of which calls the next: no part of it is nested by itself
        found.take([nested_too_deeply()])
    return declared, None if found.has_errors else program


def _elaborated(declared: Declared, gathered: Gathered, found: Diagnostics) -> p.Program:
    bodies = _Bodies(declared, found)
    program = bodies.elaborate_all()
    if found.has_errors:
        run_passes_on_sound(program, bodies.world.broken, bool(gathered.lost), found)
    else:
        run_passes(program, found)
        _leave_to_the_base(gathered, found)
    return program


def _leave_to_the_base(gathered: Gathered, found: Diagnostics) -> None:
    """Drops warnings about unused state that the layers below the variants declare. A variant that replaces the rule
    which used it cannot remove the declaration; and if nothing in the base uses it, checking the base alone gives the
    warning."""
    if not gathered.variants:
        return
    written: list[tuple[nodes.Declaration, str]] = []
    for placed in gathered.declarations:
        pairs = list(zip(placed.replaced, placed.writers, strict=False)) or [(placed.declaration, placed.layer)]
        written += [(declaration, layer.role) for declaration, layer in pairs]
    below = {place for declaration, role in written if role != "variant" for place in _names_of(declaration)}
    found.found = [one for one in found if one.code not in _UNUSED or _place_of(one.primary.span) not in below]


def _names_of(declaration: nodes.Declaration) -> list[tuple[str, int]]:
    """The places of the names that a declaration declares: its own, and those of its fields."""
    own = declaration.fields if isinstance(declaration, nodes.Table | nodes.Each) else ()
    named = getattr(declaration, "name", None)
    spans = [declaration.span, *(field.name.span for field in own)]
    return [_place_of(span) for span in (*spans, *([named.span] if isinstance(named, nodes.Name) else []))]


def _place_of(span: Span) -> tuple[str, int]:
    return span.source.name, span.start


def elaborate_bodies(declared: Declared, found: Diagnostics) -> p.Program:
    """Elaborates all bodies of a declared game. The program is complete only if `found` has no errors."""
    return _Bodies(declared, found).elaborate_all()


def elaborate_in(
    declared: Declared,
    program: p.Program,
    expr: nodes.Expr,
    expected: VType | None,
    found: Diagnostics,
    *,
    or_none: bool = False,
    named: Sequence[tuple[nodes.Name, p.LocalDecl]] = (),
) -> p.Expr | None:
    """An expression outside any rule (in a scenario, or for `why`): no acting player. None after a finding.

    `or_none`: its type may include none; the caller has to deal with that value. `named`: the locals around it.
    """
    world = World(replace(declared, found=found), found)  # so that an error in a written type goes to the same list
    world.currencies = dict(program.currencies)
    body = Body(world, None, "value")
    for name, local in named:
        body.locals.append(local)
        body.put_in_scope(name, local)
    try:
        if expected == Flag() and not or_none:
            return condition(body, expr)  # as behind an `if` of the rules: a flag of none counts as no
        made = elaborate(body, expr, expected)
        if expected is not None and or_none and isinstance(made.type, Maybe):
            expected = maybe(expected)
        return made if expected is None else accept(body, made, expected, expr.span, "this")
    except Broken:
        return None


class _Bodies:
    """Elaborates every body of a game once."""

    def __init__(self, declared: Declared, found: Diagnostics) -> None:
        self.declared = declared
        self.found = found
        self.world = World(declared, found)
        self.world.elaborate_now = self._value_now
        self.hooks = HookTable(self.world)
        self.done: set[str] = set()
        self.under_way: list[RuleSource] = []

    def elaborate_all(self) -> p.Program:
        self.hooks.find_targets()
        declare_currencies(self.world, self.declared)
        for source in self.declared.rules.values():
            self._rule(source)
        self.hooks.elaborate()
        written = [placed.declaration for placed in self.declared.gathered.declarations]
        blocks = tuple(_scores(self.world, node) for node in written if isinstance(node, nodes.Score))
        ranked = next((_rank(self.world, node) for node in written if isinstance(node, nodes.Rank)), None)
        program = _program(self.declared, self.world, blocks, ranked, self.hooks)
        refuse_cycles(program, self.found)
        return program

    def _value_now(self, source: RuleSource) -> None:
        """Elaborates a value ahead of its turn, because the type of its result is needed and not written."""
        names = [other.rule.name for other in self.under_way]
        if source.rule.name in names:
            chain = [*names[names.index(source.rule.name) :], source.rule.name]
            what = f"the value `{source.rule.name}` is computed from itself"
            notes = (" uses ".join(f"`{name}`" for name in chain),)
            help = "write its type; a value cannot use itself"
            self.found.error("R0467", what, source.rule.span, "its type cannot be found out", notes=notes, help=help)
            source.rule.result = Unknown()
            return
        self._rule(source)

    def _rule(self, source: RuleSource) -> None:
        if source.rule.name in self.done or source in self.under_way:
            return
        self.under_way.append(source)
        try:
            _elaborate_rule(self.world, source)
        finally:
            self.under_way.pop()
            self.done.add(source.rule.name)


def _elaborate_rule(world: World, source: RuleSource) -> None:
    rule, node = source.rule, source.node
    errors = len(world.found)
    body = Body(world, rule, rule.form)
    body.result = rule.result
    params = node.params if isinstance(node, nodes.Rule) else ()
    names = {param.name.text: param.name for param in params}
    parameters_in_scope(body, rule.params, tuple(names.get(param.name) for param in rule.params))
    spoken_to = first_player(rule.params)
    body.actor = None if spoken_to is None else p.LocalVar(Player(), rule.span, spoken_to)
    if isinstance(node, nodes.Rule) and node.text is not None:
        with suppress(Broken):
            rule.text = template(body, node.text)
    if isinstance(node, nodes.Value) and node.expression is not None:
        _expression(body, source, node.expression)
    else:
        block = getattr(node, "body", None) or ()
        rule.body = statements(body, block)
        is_whole = not body.gave_up and not world.declared.gathered.lost.lacks_lines(node)
        _check_result(body, source, is_whole and len(world.found) == errors)
    rule.locals = tuple(body.locals)
    world.note_if_broken(body, rule, node, errors)


def _expression(body: Body, source: RuleSource, node: nodes.Expr) -> None:
    """`value r(p): T = expression`"""
    rule = source.rule
    try:
        made = elaborate(body, node, rule.result)
        if rule.result is None:
            rule.result = made.type
        rule.expression = accept(
            body, made, rule.result, node.span, f"the value `{rule.name}`", f"its type is written at {rule.span.at}"
        )
    except Broken:
        if rule.result is None:
            rule.result = Unknown()


def _check_result(body: Body, source: RuleSource, sound: bool) -> None:
    """Reports a path through a rule that gives no result, and infers the type of a value from its results."""
    rule = source.rule
    if rule.form == "value" and rule.result is None:
        rule.result = _found_type(body, source) if sound or body.gave_up else Unknown()
    if rule.result is not None and sound and falls_through(rule.body):
        what = f"not every way through `{rule.name}` gives a result"
        body.fail("R0464", what, rule.span, "may end without one", help="end with `result …`")


def _found_type(body: Body, source: RuleSource) -> VType:
    common: VType | None = None
    for given in body.results:
        both = given if common is None else join(body.declared, common, given)
        if both is None:
            what = f"the results of `{source.rule.name}` are not of one type"
            body.fail("R0431", what, source.rule.span, "write its type")
            return Unknown()
        common = both
    return Unknown() if common is None else common


def _program(
    declared: Declared, world: World, blocks: tuple[ScoreBlock, ...], ranked: RankDecl | None, hooks: HookTable
) -> p.Program:
    gathered = declared.gathered
    payoff = _payoff(declared, world)
    states = [state for owned in declared.state.values() for state in owned.values()]
    # A seat has several names: a given one or that of an automa is shown, and `seat1` only where there is no other.
    seats = {seat: name for name, seat in reversed(declared.seat_names.items())}
    seats |= {seat: name for name, seat in declared.seat_names.items() if not name.startswith("seat")}
    return p.Program(
        name=gathered.name,
        base=gathered.base,
        title=gathered.title,
        players=declared.players,
        seat_names=tuple(seats.get(n, f"seat{n + 1}") for n in range(declared.players)),
        automas=tuple(declared.automas),
        limits=gathered.limits,
        fingerprint=gathered.fingerprint,
        enums=dict(declared.enums),
        kinds=dict(declared.kinds),
        rows=tuple(declared.rows),
        pieces=tuple(declared.pieces),
        # A name with a space is no attribute of the rules: the row of a piece, which a history asks for.
        attributes=tuple(dict.fromkeys(one for (_, name), one in declared.attributes.items() if " " not in name)),
        charts=dict(declared.charts),
        maps=dict(declared.maps),
        node_kinds=dict(declared.node_kinds),
        edge_kinds=dict(declared.edge_kinds),
        nodes=tuple(declared.nodes),
        edges=tuple(declared.edges),
        fields=tuple(state for state in states if isinstance(state, p.FieldDecl)),
        places=tuple(state for state in states if isinstance(state, p.PlaceDecl)),
        currencies=dict(world.currencies),
        rules={name: source.rule for name, source in declared.rules.items()},
        change_hooks=tuple(hook for _, hook, _ in hooks.on_changes),
        move_hooks=tuple(hook for _, hook, _ in hooks.on_moves),
        cells=tuple(declared.cells),
        scores=blocks,
        rank=ranked if ranked is not None or blocks else _rank_by(payoff),
        payoff=payoff,
        clauses=dict(gathered.clauses),
        constants={name: constant.value for name, constant in declared.constants.items()},
        texts=dict(gathered.texts),
        language=gathered.languages[0],
    )


def _payoff(declared: Declared, world: World) -> p.RuleDecl | None:
    source = declared.rules.get(p.PAYOFF)
    if source is None:
        return None
    rule = source.rule
    if rule.result is not None and not isinstance(rule.result, Number | Unknown):
        what, help = f"a payoff is a number, not {in_words(rule.result)}", "write `… otherwise 0` if it may be none"
        world.found.error("R0430", what, rule.span, "a number is expected", help=help)
        return None
    return rule


def _rank_by(payoff: p.RuleDecl | None) -> p.RankDecl | None:
    """A game with a payoff, and with neither scores nor a ranking, ranks its players by the payoff."""
    if payoff is None or payoff.result is None:
        return None
    player = p.LocalDecl(0, payoff.params[0].name, Player())
    worth = p.ValueCall(payoff.result, payoff.span, payoff, (p.LocalVar(Player(), payoff.span, player),))
    return p.RankDecl(player, (("highest", worth),), True, (player,), payoff.span)


# ---------------------------------------------------------------------------- scores and ranks


def _scores(world: World, node: nodes.Score) -> ScoreBlock:
    """A score block; the lines of all of them are added up."""
    body = Body(world, None, "score")
    player = body.bind(node.player, Player())
    when: Expr | None = None
    if node.when is not None:
        with suppress(Broken):
            when = condition(body, node.when)
            assume(body, when)
    lines = []
    for line in node.lines:
        with suppress(Broken), body.block():
            value = number(body, line.value, "a score")
            lines.append(ScoreLineDecl(template(body, line.label), value, line.cited, line.span))
    return ScoreBlock(player, when, tuple(lines), tuple(body.locals))


def _rank(world: World, node: nodes.Rank) -> RankDecl:
    body = Body(world, None, "value")
    player = body.bind(node.player, Player())
    criteria: list[tuple[str, Expr | None]] = []
    for item in node.criteria:
        if item.value is not None:
            with suppress(Broken):
                direction = "highest" if item.direction in ("highest", "most") else "lowest"
                criteria.append((direction, _criterion(body, item.value)))
    shared = any(item.direction == "shared" for item in node.criteria)
    return RankDecl(player, tuple(criteria), shared, tuple(body.locals), node.span)


def _criterion(body: Body, value: nodes.Expr) -> Expr | None:
    if isinstance(value, nodes.NameRef) and value.name == "score":
        body.declared.uses.add(value.span, "word", "score")
        return None
    with body.block():
        return measure(body, value)
