"""What a scenario is made of, looked at from outside: its lines, the expressions in them, the things they name.

Nothing here knows a running game. `scenario_lines` elaborates what these functions find, `stage` plays it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ..check import program as core
from ..check.value_types import Flag, Player, VType
from ..syntax import nodes


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
    seat, an enum value, a direction. If several share a name, the set that is picked from decides which is meant."""
    named = [(row.id, piece) for row in program.rows for piece in row.pieces]
    named += [(thing.id, number) for things in (program.nodes, program.edges) for number, thing in enumerate(things)]
    named += [(name, number) for number, name in enumerate(program.seat_names)]
    named += [(f"seat{number + 1}", number) for number in range(program.players)]
    named += [pair for enum in program.enums.values() for pair in zip(enum.ids, enum.domain, strict=True)]
    named += [(name, number) for board in program.maps.values() for number, name in enumerate(board.directions)]
    known: dict[str, set[int]] = {}
    for name, number in named:
        known.setdefault(name, set()).add(number)
    return {name: frozenset(numbers) for name, numbers in known.items()}


def parts_of(made: core.Expr) -> Iterator[core.Expr]:
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


def stored_type(path: core.Expr | None) -> VType | None:
    if isinstance(path, core.FieldRead):
        return path.field.type
    return path.type if isinstance(path, core.Face) and isinstance(path.die, core.DieRef) else None


def expressions_in(scenario: nodes.Scenario) -> Iterator[tuple[nodes.Expr, VType | None]]:
    """The expressions in the lines of `when` and `then` whose type is known from the form of their line."""
    for part in scenario.parts:
        match part:
            case nodes.When():
                for step in part.steps:
                    yield from _of_step(step)
            case nodes.Then():
                for expectation in part.expectations:
                    yield from _of_expectation(expectation)


def lines_of(scenario: nodes.Scenario) -> Iterator[nodes.Node]:
    """Every line, those inside loops included."""
    for part in scenario.parts:
        match part:
            case nodes.Given():
                yield from _facts(part.facts)
            case nodes.When():
                yield from part.steps
            case nodes.Then():
                yield from part.expectations


def _facts(facts: Iterable[nodes.Fact]) -> Iterator[nodes.Fact]:
    for fact in facts:
        if isinstance(fact, nodes.ForFacts):
            yield from _facts(fact.facts)
        else:
            yield fact


def happenings(scenario: nodes.Scenario) -> Iterator[nodes.Happened]:
    """The lines about what has happened."""
    yield from (line for line in lines_of(scenario) if isinstance(line, nodes.Happened))


def picked_in(line: nodes.Node) -> Iterator[nodes.Expr]:
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
        case nodes.OfferedTo() | nodes.RefusedTo() | nodes.Scores() | nodes.HasWon() | nodes.Reads():
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
