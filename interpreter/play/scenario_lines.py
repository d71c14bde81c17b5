"""What the expressions in scenarios mean: names resolved, types checked, once for all scenarios of a game.

An expression that is not a plain constant becomes a value of the game and is compiled with it: so a scenario evaluates
it with the same code that the rules use. Findings belong to the scenario that contains the line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from ..check import program as core
from ..check.check import elaborate_bodies, elaborate_in
from ..check.declare import declare
from ..check.declared import Declared
from ..check.passes import run_passes
from ..check.value_types import Die, Flag, Player, VType
from ..diagnostics.diagnostic import Diagnostic, Diagnostics, RulesetError
from ..diagnostics.suggest import did_you_mean
from ..ruleset.gather import gather
from ..syntax import nodes

VALUE_PREFIX = "scenario_value_"


class Lines:
    """The elaborated expressions of some scenarios, looked up by the node they came from."""

    def __init__(self, declared: Declared, program: core.Program) -> None:
        self._declared = declared
        self._program = program
        self._made: dict[int, core.Expr] = {}
        self._values: dict[int, core.RuleDecl] = {}  # by identity of the expression
        self.findings: dict[int, list[Diagnostic]] = {}  # by identity of the scenario

    def read(self, scenario: nodes.Scenario) -> None:
        """Elaborate everything in a scenario."""
        found = Diagnostics()
        for node, expected in _expressions(scenario):
            self._elaborate(node, expected, found)
        for part in scenario.parts:
            if isinstance(part, nodes.Given):
                self._read_given(part, found)
        for line in _lines(scenario):
            self._check_line(line, found)
            for what in _picked(line):
                self._note_thing(what)
        self.findings[id(scenario)] = found.found

    def of(self, node: nodes.Expr) -> core.Expr:
        return self._made[id(node)]

    @property
    def has_values(self) -> bool:
        """True if an expression has to be evaluated by code of its own."""
        return bool(self._values)

    def value_name(self, expr: core.Expr) -> str | None:
        """The name of the rule that evaluates this expression; None for a constant."""
        rule = self._values.get(id(expr))
        return rule.name if rule else None

    def program(self) -> core.Program:
        """The game, plus the rules that evaluate the expressions of its scenarios."""
        values = {rule.name: rule for rule in self._values.values()}
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

    def _read_given(self, given: nodes.Given, found: Diagnostics) -> None:
        for fact in given.facts:
            if isinstance(fact, nodes.SetFact):
                path = self._elaborate(fact.path, None, found)
                stored = _stored_type(path)
                if path is not None and stored is None:
                    found.error("R0232", f"`{fact.path.span.text}` is nothing that can be set", fact.path.span,
                                help="a field is set, or the face of a die; a place `holds` pieces")  # fmt: skip
                elif stored is not None:
                    self._elaborate(fact.value, stored, found, or_none=True)
            elif isinstance(fact, nodes.StandAt):
                self._read_stand(fact.where, found)

    def _check_line(self, line: nodes.Node, found: Diagnostics) -> None:
        """Checks a line that places, expects or scripts pieces: its place, and whether the pieces can be there."""
        match line:
            case nodes.Sees() if not line.pieces.amounts and isinstance(self._made.get(id(line.place)), core.FieldRead):
                pass  # `sees nothing` of a secret field
            case nodes.SetPlace() | nodes.PlaceHolds() | nodes.Sees():
                self._check_pieces(line.pieces, line.place, found)
            case nodes.Chance(event="roll"):
                self._check_faces(line, found)
            case nodes.Chance(what=None):
                self._check_anything(line, found)
            case nodes.Chance(what=nodes.Expr() as what):
                self._check_pieces(line.pieces, what, found)
        if isinstance(line, nodes.Chance) and not line.pieces.amounts:
            found.error("R0232", "chance cannot bring nothing", line.pieces.span, help="name what it brings")

    def _check_faces(self, line: nodes.Chance, found: Diagnostics) -> None:
        dice = None if line.what is None else self._made.get(id(line.what))
        if dice is not None and not isinstance(dice, core.DiceGroup | core.DieRef):
            at = line.what.span if line.what is not None else line.span
            found.error("R0232", f"`{at.text}` is no dice", at, help="name the dice, or leave them out")
            return
        faces = dice.field.type if isinstance(dice, core.DiceGroup | core.DieRef) else None
        for amount in line.pieces.amounts:
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

    def _read_stand(self, where: nodes.Expr, found: Diagnostics) -> None:
        name, args = called(where)
        start = where.of.span if isinstance(where, nodes.CallOf) else where.span
        if name in ("play", "end") and not args:
            self._declared.uses.add(start, "word", name)
            return
        rule = self._program.rules.get(name or "")
        if rule is None or rule.form == "value":
            found.error("R0232", f"there is no rule `{name or where.span.text}` to stand at", where.span,
                        help="name a phase, action or effect, `play` or `end`")  # fmt: skip
            return
        self._declared.uses.add(start, "word" if rule.form in ("setup", "play") else "rule", rule.name)
        if len(args) != len(rule.params):
            found.error("R0232", f"`{name}` takes {len(rule.params)} arguments, not {len(args)}", where.span)
            return
        for arg, param in zip(args, rule.params, strict=True):
            self._elaborate(arg, param.type, found, or_none=True)

    def _elaborate(
        self, node: nodes.Expr, expected: VType | None, found: Diagnostics, *, or_none: bool = False
    ) -> core.Expr | None:
        made = elaborate_in(self._declared, self._program, node, expected, found, or_none=or_none)
        if made is None:
            return None
        if isinstance(made, core.SlotPiece):
            made = made.place
        self._made[id(node)] = made
        for part in _parts(made):
            self._compile(part)
        return made

    def _compile(self, expr: core.Expr) -> None:
        if isinstance(expr, core.Const) or id(expr) in self._values:
            return
        name = f"{VALUE_PREFIX}{len(self._values) + 1}"
        body = (core.ResultIs(expr.span, expr),)
        self._values[id(expr)] = core.RuleDecl(name, "effect", (), expr.type, body=body, span=expr.span)


def read_lines(name: str, players: int, scenarios: Iterable[nodes.Scenario], checked: bool = False) -> Lines:
    """The lines of some scenarios, checked against their game; raises RulesetError if the game has errors. `checked`:
    the game itself has already been checked completely."""
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
    lines = Lines(declared, program)
    for scenario in scenarios:
        lines.read(scenario)
    return lines


def carries(place: core.PlaceDecl, piece: int) -> bool:
    """True if the place is one on that piece."""
    dimension = place.owner_dimension
    return place.owner == "piece" and dimension is not None and 0 <= piece - dimension.low < dimension.size


def carrying_place(program: core.Program, piece: int, row_id: str) -> core.PlaceDecl | None:
    """The place on a piece that takes pieces of that row."""
    kinds = {row.kind for row in program.rows if row.id == row_id}
    return next((place for place in program.places if carries(place, piece) and kinds & set(place.kinds)), None)


def things_by_name(program: core.Program) -> dict[str, frozenset[int]]:
    """What may be picked at random besides numbers, by its name in a scenario: the pieces of a row, a node, an edge, a
    seat, an enum value. If several share a name, the set that is picked from decides which one is meant."""
    named = [(row.id, piece) for row in program.rows for piece in row.pieces]
    named += [(thing.id, number) for things in (program.nodes, program.edges) for number, thing in enumerate(things)]
    named += [(name, number) for number, name in enumerate(program.seat_names)]
    named += [(f"seat{number + 1}", number) for number in range(program.players)]
    named += [pair for enum in program.enums.values() for pair in zip(enum.ids, enum.domain, strict=True)]
    known: dict[str, set[int]] = {}
    for name, number in named:
        known.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in known.items()}


def _parts(made: core.Expr) -> Iterator[core.Expr]:
    """The parts of an expression to evaluate: the indexes of a path, both sides of a comparison, or all of it."""
    match made:
        case core.PlaceRef():
            yield from [made.owner] if made.owner is not None else []
            yield from made.indexes
            yield from [made.slot] if made.slot is not None else []
        case core.FieldRead():
            yield from [made.owner] if made.owner is not None else []
            yield from made.indexes
            yield made
        case core.Face(die=core.DieRef() as die):
            yield from [die.owner] if die.owner is not None else []
            yield die.index
            yield made
        case core.DieRef():
            yield from [made.owner] if made.owner is not None else []
            yield made.index
        case core.DiceGroup():
            yield from [made.owner] if made.owner is not None else []
        case core.Compare():
            yield from (made.left, made.right, made)
        case core.Box():
            return
        case _:
            yield made


def _stored_type(path: core.Expr | None) -> VType | None:
    if isinstance(path, core.FieldRead):
        return path.field.type
    return path.type if isinstance(path, core.Face) and isinstance(path.die, core.DieRef) else None


def _expressions(scenario: nodes.Scenario) -> Iterator[tuple[nodes.Expr, VType | None]]:
    """The expressions of a scenario whose type is known from the form of their line."""
    for part in scenario.parts:
        match part:
            case nodes.Given():
                yield from ((fact.place, None) for fact in part.facts if isinstance(fact, nodes.SetPlace))
            case nodes.When():
                for step in part.steps:
                    yield from _of_step(step)
            case nodes.Then():
                for expectation in part.expectations:
                    yield from _of_expectation(expectation)


def _lines(scenario: nodes.Scenario) -> Iterator[nodes.Node]:
    for part in scenario.parts:
        match part:
            case nodes.Given():
                yield from part.facts
            case nodes.When():
                yield from part.steps
            case nodes.Then():
                yield from part.expectations


def _picked(line: nodes.Node) -> Iterator[nodes.Expr]:
    """The things that a line chooses, offers or refuses by name, without quotes."""
    match line:
        case nodes.Choice(picked=picked) | nodes.OfferedTo(offered=picked):
            yield from (what for what in picked if isinstance(what, nodes.Expr))
        case nodes.RefusedTo(offered=nodes.Expr() as what):
            yield what
        case _:
            return


def _of_step(step: nodes.Step) -> Iterable[tuple[nodes.Expr, VType | None]]:
    match step:
        case nodes.Choice() | nodes.Hurry():
            return [(step.player, Player())]
        case nodes.Chance() if step.what is not None:
            return [(step.what, None)]
    return []


def _of_expectation(expectation: nodes.Expectation) -> Iterable[tuple[nodes.Expr, VType | None]]:
    match expectation:
        case nodes.HoldsTrue():
            return [(expectation.condition, Flag())]
        case nodes.PlaceHolds():
            return [(expectation.place, None)]
        case nodes.Sees():
            return [(expectation.player, Player()), (expectation.place, None)]
        case nodes.OfferedTo() | nodes.RefusedTo() | nodes.Scores() | nodes.HasWon():
            return [(expectation.player, Player())]
    return []


def called(where: nodes.Expr) -> tuple[str | None, tuple[nodes.Expr, ...]]:
    """The rule and the arguments of `turn(seat1)` or `play`."""
    match where:
        case nodes.NameRef():
            return where.name, ()
        case nodes.CallOf(of=nodes.NameRef() as rule):
            return rule.name, tuple(arg for arg in where.args if isinstance(arg, nodes.Expr))
    return None, ()
