"""What the expressions in scenarios mean: names resolved, types checked, once for all scenarios of a game.

An expression that is not a plain constant becomes a value of the game and is compiled with it: so a scenario evaluates
it with the same code that the rules use. Findings belong to the scenario that contains the line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from ..check import program as core
from ..check.check import elaborate_bodies, elaborate_in
from ..check.declare import declare
from ..check.declared import Declared
from ..check.passes import run_passes
from ..check.value_types import Die, Piece, SetOf, VType, bare
from ..diagnostics.diagnostic import Diagnostic, Diagnostics, RulesetError
from ..diagnostics.suggest import did_you_mean
from ..ruleset.gather import gather
from ..syntax import nodes
from .questions import free_locals
from .scenario_parts import (
    called,
    carries,
    carrying_place,
    expressions_in,
    lines_of,
    parts_of,
    picked_in,
    stored_type,
    things_by_name,
)

VALUE_PREFIX = "scenario_value_"
COURSE_PREFIX = "scenario_course_"
Named = tuple[tuple[nodes.Name, core.LocalDecl], ...]  # the names of the loops around a line


class Lines:
    """The elaborated expressions of some scenarios, looked up by the node they came from."""

    def __init__(self, declared: Declared, program: core.Program) -> None:
        self._declared = declared
        self._program = program
        self._made: dict[int, core.Expr] = {}
        self._values: dict[int, core.RuleDecl] = {}  # by identity of the expression
        self._courses: dict[int, core.RuleDecl] = {}  # by identity of the line: rules to be run one after the other
        self._loops: dict[int, tuple[core.LocalDecl, ...]] = {}  # by identity of the line: the names that it binds
        self.findings: dict[int, list[Diagnostic]] = {}  # by identity of the scenario

    def read(self, scenario: nodes.Scenario) -> None:
        """Elaborate everything in a scenario."""
        found = Diagnostics()
        for node, expected in expressions_in(scenario):
            self._elaborate(node, expected, found)
        for part in scenario.parts:
            if isinstance(part, nodes.Given):
                self._read_facts(part.facts, (), found)
        for line in lines_of(scenario):
            self._check_line(line, found)
            for what in picked_in(line):
                self._note_thing(what)
        self.findings[id(scenario)] = found.found

    def of(self, node: nodes.Node) -> core.Expr:
        return self._made[id(node)]

    @property
    def has_values(self) -> bool:
        """True if an expression has to be evaluated by code of its own."""
        return bool(self._values or self._courses)

    def value_of(self, expr: core.Expr) -> core.RuleDecl | None:
        """The rule that evaluates this expression, with the locals of loops as parameters; None for a constant."""
        return self._values.get(id(expr))

    def course(self, line: nodes.StandAt) -> core.RuleDecl:
        """The rule that runs the rules of `at setup, then play` one after the other."""
        return self._courses[id(line)]

    def bound_by(self, loop: nodes.ForFacts) -> tuple[core.LocalDecl, ...]:
        return self._loops[id(loop)]

    def program(self) -> core.Program:
        """The game, plus the rules that evaluate the expressions of its scenarios."""
        values = {rule.name: rule for rule in (*self._values.values(), *self._courses.values())}
        return replace(self._program, rules={**self._program.rules, **values})

    # ------------------------------------------------------------------------ what names mean, for the index

    def _note_thing(self, node: nodes.Expr, kinds: Collection[str] | None = None) -> None:
        """Records a name that may refer to several things; which one is meant is known only when the scenario runs."""
        text, program, uses = node.span.text, self._program, self._declared.uses
        owners = [row.kind for row in program.rows if row.id == text]
        owners += [thing.kind for thing in (*program.nodes, *program.edges) if thing.id == text]
        owners += [enum.name for enum in program.enums.values() if text in enum.ids]
        for owner in dict.fromkeys(owners):
            if kinds is None or owner in kinds:
                uses.add(node.span, "member", owner, text)
        if kinds is None and text in self._declared.seat_names:
            uses.add(node.span, "seat", text)

    # ------------------------------------------------------------------------ reading

    def _read_facts(self, facts: Iterable[nodes.Fact], named: Named, found: Diagnostics) -> None:
        for fact in facts:
            match fact:
                case nodes.SetFact():
                    self._read_set(fact, named, found)
                case nodes.SetPlace():
                    self._elaborate(fact.place, None, found, named=named)
                    self._read_amounts(fact.pieces, fact.place, named, found)
                case nodes.ForFacts():
                    self._read_loop(fact, named, found)
                case _ if named:
                    found.error("R0232", "this is said once, not in a loop", fact.span,
                                help="bring the line back to the left of the `for`")  # fmt: skip
                case nodes.StandAt():
                    self._read_stand(fact, found)

    def _read_set(self, fact: nodes.SetFact, named: Named, found: Diagnostics) -> None:
        path = self._elaborate(fact.path, None, found, named=named)
        stored = stored_type(path)
        if path is not None and stored is None:
            found.error("R0232", f"`{fact.path.span.text}` is nothing that can be set", fact.path.span,
                        help="a field is set, or the face of a die; a place `holds` pieces")  # fmt: skip
        elif stored is not None:
            self._elaborate(fact.value, stored, found, or_none=True, named=named)

    def _read_loop(self, loop: nodes.ForFacts, named: Named, found: Diagnostics) -> None:
        """The set that each name goes over, as an expression in which the names before it are known."""
        bound: list[core.LocalDecl] = []
        for binder in loop.binders:
            every = nodes.Selection(binder.span, "all", binder, None, None)
            made = self._elaborate(every, None, found, named=named, key=binder)
            if made is None or not isinstance(made.type, SetOf):
                return  # reported; what stands below speaks of a name without a type
            bound.append(core.LocalDecl(len(named), binder.name.text, made.type.of))
            named = (*named, (binder.name, bound[-1]))
        self._loops[id(loop)] = tuple(bound)
        self._read_facts(loop.facts, named, found)

    def _read_amounts(self, pieces: nodes.Pieces, where: nodes.Expr, named: Named, found: Diagnostics) -> None:
        """The sets of pieces that a line names, and the slots they go to."""
        place = self._made.get(id(where))
        if not isinstance(place, core.PlaceRef):
            return  # reported, or about to be
        slots = place.place.slot_dimension if place.slot is None else None
        for amount in pieces.amounts:
            if isinstance(amount.what, nodes.Selection):
                self._elaborate(amount.what, SetOf(Piece(place.place.kinds)), found, named=named)
            if amount.slot is not None and slots is None:
                found.error("R0232", f"`{where.span.text}` has no slots to name", amount.slot.span,
                            help="only of `slots` one says which holds what: `shelf holds a at 1, b at 3`")  # fmt: skip
            elif amount.slot is not None and slots is not None:
                self._elaborate(amount.slot, slots.type, found, named=named)
                if amount.count > 1:
                    found.error("R0232", "a slot holds one piece", amount.span, help="name a slot for each")
        named_slots = sum(amount.slot is not None for amount in pieces.amounts)
        if 0 < named_slots < len(pieces.amounts) or (named_slots and pieces.on_top):
            found.error("R0232", "either every piece has its slot here, or none has", pieces.span,
                        help="say `at` behind each of them")  # fmt: skip

    def _check_line(self, line: nodes.Node, found: Diagnostics) -> None:
        """Checks a line that places, expects or scripts pieces: its place, and whether the pieces can be there."""
        match line:
            case nodes.Sees() if not line.pieces.amounts and isinstance(self._made.get(id(line.place)), core.FieldRead):
                pass  # `sees nothing` of a secret field
            case nodes.Sees() if isinstance(dice := self._made.get(id(line.place)), core.DiceGroup | core.DieRef):
                self._check_shown(dice, line.pieces, found)
            case nodes.SetPlace() | nodes.Sees():
                self._check_pieces(line.pieces, line.place, found)
            case nodes.PlaceHolds():
                self._read_amounts(line.pieces, line.place, (), found)
                self._check_pieces(line.pieces, line.place, found)
            case nodes.Happened():
                for call in line.calls:
                    self._read_happened(call, found)
            case nodes.RefusedCall():
                self._read_refused(line.call, found)
            case nodes.Chance(event="roll"):
                self._check_faces(line, found)
            case nodes.Chance(what=None):
                self._check_anything(line, found)
            case nodes.Chance(what=nodes.Expr() as what):
                self._check_pieces(line.pieces, what, found)
        if isinstance(line, nodes.Chance) and not line.pieces.amounts:
            found.error("R0232", "chance cannot bring nothing", line.pieces.span, help="name what it brings")
        for amount in line.pieces.amounts if isinstance(line, nodes.Chance) else ():
            if amount.slot is not None or isinstance(amount.what, nodes.Selection):
                found.error("R0232", "what chance brings is named, one by one", amount.span,
                            help="write `chance shuffle deck: a, 2 * b`")  # fmt: skip

    def _check_faces(self, line: nodes.Chance, found: Diagnostics) -> None:
        dice = None if line.what is None else self._made.get(id(line.what))
        if dice is not None and not isinstance(dice, core.DiceGroup | core.DieRef):
            at = line.what.span if line.what is not None else line.span
            found.error("R0232", f"`{at.text}` is no dice", at, help="name the dice, or leave them out")
            return
        self._check_shown(dice, line.pieces, found)

    def _check_shown(self, dice: core.Expr | None, pieces: nodes.Pieces, found: Diagnostics) -> None:
        """Checks that the numbers of a line are faces of the dice that it names."""
        faces = dice.field.type if isinstance(dice, core.DiceGroup | core.DieRef) else None
        for amount in pieces.amounts:
            face = amount.what.value if isinstance(amount.what, nodes.Number) else None
            if face is None or (isinstance(faces, Die) and not faces.low <= face <= faces.high):
                known = f"{faces.low}..{faces.high}" if isinstance(faces, Die) else "numbers"
                found.error("R0232", f"no die shows `{amount.what.span.text}`", amount.what.span,
                            help=f"its faces are {known}")  # fmt: skip

    def _check_anything(self, line: nodes.Chance, found: Diagnostics) -> None:
        is_pick = line.event == "pick"
        known = list(things_by_name(self._program)) if is_pick else [row.id for row in self._program.rows]
        for amount in line.pieces.amounts:
            text = amount.what.span.text
            self._note_thing(amount.what)
            if text not in known and not (is_pick and isinstance(amount.what, nodes.Number)):
                found.error("R0232", f"there is no `{text}`", amount.what.span, help=did_you_mean(text, known))

    def _check_pieces(self, pieces: nodes.Pieces, where: nodes.Expr, found: Diagnostics) -> None:
        """Checks that pieces are named by the ids of rows that the place can hold."""
        place = self._made.get(id(where))
        if place is None:
            return  # already reported
        if not isinstance(place, core.PlaceRef):
            advice = "what lies nowhere else is in the box" if isinstance(place, core.Box) else "name a place"
            found.error("R0232", f"`{where.span.text}` is no place that holds pieces", where.span, help=advice)
            return
        kinds = place.place.kinds
        known = [row.id for row in self._program.rows if row.kind in kinds]
        for amount in pieces.amounts:
            if isinstance(amount.what, nodes.Selection):
                continue
            text = amount.what.span.text
            if text not in known:
                advice = did_you_mean(text, known) or f"{' or '.join(kinds)} is wanted"
                found.error(
                    "R0232", f"there is no piece `{text}` for `{place.place.name}`", amount.what.span, help=advice
                )
                continue
            self._note_thing(amount.what, kinds)
            if amount.carried is not None:
                self._check_carried(text, amount.carried, found)

    def _check_carried(self, carrier: str, amount: nodes.Amount, found: Diagnostics) -> None:
        """Checks that a place on the piece can hold what the line says it carries."""
        row = next(row for row in self._program.rows if row.id == carrier)
        text = amount.what.span.text
        if carrying_place(self._program, row.pieces[0], text) is None:
            places = [place for place in self._program.places if carries(place, row.pieces[0])]
            known = [row.id for row in self._program.rows if any(row.kind in place.kinds for place in places)]
            advice = did_you_mean(text, known) or "a piece carries what one of its own places takes"
            found.error("R0232", f"`{carrier}` cannot carry `{text}`", amount.what.span, help=advice)
        self._note_thing(amount.what)

    def _read_stand(self, line: nodes.StandAt, found: Diagnostics) -> None:
        if len(line.where) == 1 and line.where[0].span.text in ("play", "end"):
            self._declared.uses.add(line.where[0].span, "word", line.where[0].span.text)
            return
        steps: list[core.Stmt] = []
        for where in line.where:
            rule = self._called_rule(where, "to stand at", "name a phase, action or effect, `play` or `end`", found)
            args = called(where)[1]
            if rule is None or not self._has_arguments(rule, where, args, found):
                return
            made = [self._elaborate(a, q.type, found, or_none=True) for a, q in zip(args, rule.params, strict=True)]
            steps.append(core.CallRule(where.span, rule, tuple(one for one in made if one is not None), False))
        if len(steps) > 1:
            name = f"{COURSE_PREFIX}{len(self._courses) + 1}"
            self._courses[id(line)] = core.RuleDecl(name, "effect", (), None, body=tuple(steps), span=line.span)

    def _called_rule(self, call: nodes.Expr, purpose: str, advice: str, found: Diagnostics) -> core.RuleDecl | None:
        """The rule that a line names, with or without arguments."""
        name, _ = called(call)
        start = call.of.span if isinstance(call, nodes.CallOf) else call.span
        rule = self._program.rules.get(name or "")
        if rule is None or rule.form == "value":
            known = [one.name for one in self._program.rules.values() if one.form != "value"]
            advice = did_you_mean(name or "", known) or advice
            found.error("R0232", f"there is no rule `{name or call.span.text}` {purpose}", call.span, help=advice)
            return None
        self._declared.uses.add(start, "word" if rule.form in ("setup", "play") else "rule", rule.name)
        return rule

    def _has_arguments(
        self, rule: core.RuleDecl, call: nodes.Expr, args: tuple[nodes.Expr, ...], found: Diagnostics
    ) -> bool:
        if len(args) != len(rule.params):
            what = f"`{rule.name}` takes {len(rule.params)} arguments, not {len(args)}"
            found.error("R0232", what, call.span)
        return len(args) == len(rule.params)

    def _read_happened(self, call: nodes.Expr, found: Diagnostics) -> None:
        """A rule that may have been run. Without brackets its arguments do not matter; a piece is named by its row."""
        rule = self._called_rule(call, "that could happen", "name a phase, action, effect or event", found)
        if rule is None or isinstance(call, nodes.NameRef):
            return
        args = called(call)[1]
        if not self._has_arguments(rule, call, args, found):
            return
        rows = {row.id for row in self._program.rows if len(row.pieces) > 1}
        for arg, param in zip(args, rule.params, strict=True):
            of = bare(param.type)
            is_row = isinstance(of, Piece) and arg.span.text in rows
            self._elaborate(arg, SetOf(of) if is_row else param.type, found, or_none=True)

    def _read_refused(self, call: nodes.Expr, found: Diagnostics) -> None:
        rule = self._called_rule(call, "that could be refused", "name a phase, action or effect", found)
        args = called(call)[1]
        if rule is not None and self._has_arguments(rule, call, args, found):
            for arg, param in zip(args, rule.params, strict=True):
                self._elaborate(arg, param.type, found, or_none=True)

    def _elaborate(
        self,
        node: nodes.Expr,
        expected: VType | None,
        found: Diagnostics,
        *,
        or_none: bool = False,
        named: Named = (),
        key: nodes.Node | None = None,
    ) -> core.Expr | None:
        """The expression, to be looked up by its node (or by `key`, if its node was made here)."""
        made = elaborate_in(self._declared, self._program, node, expected, found, or_none=or_none, named=named)
        if made is None:
            return None
        if isinstance(made, core.SlotPiece):
            made = made.place
        self._made[id(node if key is None else key)] = made
        for part in parts_of(made):
            self._compile(part)
        return made

    def _compile(self, expr: core.Expr) -> None:
        if isinstance(expr, core.Const) or id(expr) in self._values:
            return
        name = f"{VALUE_PREFIX}{len(self._values) + 1}"
        body = (core.ResultIs(expr.span, expr),)
        params = tuple(free_locals(expr))
        self._values[id(expr)] = core.RuleDecl(
            name, "effect", params, expr.type, body=body, locals=params, span=expr.span
        )


def read_lines(
    name: str,
    players: int,
    scenarios: Iterable[nodes.Scenario],
    checked: bool = False,
    game: tuple[Declared, core.Program] | None = None,
) -> Lines:
    """The lines of some scenarios, checked against their game; raises RulesetError if the game has errors. `checked`:
    the game itself has already been checked completely; `game`: what came of that, if it is at hand."""
    lines = Lines(*(game or _game(name, players, checked)))
    for scenario in scenarios:
        lines.read(scenario)
    return lines


def _game(name: str, players: int, checked: bool) -> tuple[Declared, core.Program]:
    found = Diagnostics()
    gathered = gather(name, players, found)
    if gathered is None or found.has_errors:
        raise RulesetError(found.found)
    declared = declare(gathered, found)
    program = elaborate_bodies(declared, found)
    if not (found.has_errors or checked):
        run_passes(program, found)
    if found.has_errors:
        raise RulesetError(found.found)
    return declared, program
