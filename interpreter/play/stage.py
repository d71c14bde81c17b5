"""The stage on which scenarios are played: runs the game, scripts chance, and evaluates expressions.

A `Theatre` is one game compiled together with the expressions of its scenarios; each scenario gets a `Stage` with a
fresh state, which `setting` sets up. Afterwards players know what the places show and nothing else. All pieces that a
player cannot see, those in the box included, form one mix: any of them may be any other, unless their backs differ.

If a scenario says what happened, the rules that it names are watched: each time one of them begins, its name and
arguments go to a list. Only real play is watched. Playouts and trials have modules of their own.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from ..check import program as core
from ..check.scope import first_player
from ..check.texts import direction_words
from ..check.value_types import Maybe, Number, SetOf, VType, bare, none_of
from ..compile.layout import Layout, Spot, lay_out
from ..compile.load import Compiled, compile_program, was_checked
from ..compile.unit import thing_of
from ..diagnostics.source import Span
from ..runtime.eyes import field_value
from ..runtime.faults import Ended, Refused, Trouble
from ..runtime.game import Game
from ..runtime.knowledge import contents
from ..runtime.log import told_lines
from ..runtime.names import id_of, name_of
from ..runtime.reasons import Refusal
from ..runtime.views import Eyes, is_seen
from ..syntax import nodes
from .scenario_lines import read_lines
from .scenario_parts import called, carries, happenings, things_by_name
from .setting import Setting
from .verdicts import Failed, failed_with

Happening = tuple[str, tuple[int, ...]]  # a rule and its arguments


class Theatre:
    """One game for one number of players, compiled together with the expressions of its scenarios."""

    def __init__(
        self, name: str, players: int, scenarios: list[nodes.Scenario], compiled: Compiled | None = None
    ) -> None:
        """`compiled` is the game itself: enough if the scenarios have no expressions of their own."""
        self.lines = read_lines(name, players, scenarios, checked=was_checked(name, players))
        self.program = self.lines.program()
        is_enough = compiled is not None and not self.lines.has_values
        self.game = Game(compiled if compiled is not None and is_enough else compile_program(self.program))
        self.layout: Layout = lay_out(self.program)
        self.happened: list[Happening] = []
        lines = [line for scenario in scenarios for line in happenings(scenario)]
        for watched in dict.fromkeys(called(call)[0] for line in lines for call in line.calls):
            if watched is not None and watched in self.program.rules:
                self._watch(watched)

    def _watch(self, name: str) -> None:
        """Notes in `happened` whenever the rule begins. Emitted code calls functions by their names, which are replaced
        here; the first segment of a rule with decisions is run once for each call, since loops begin at another."""
        machine, count = self.game.machine, len(self.program.rules[name].params)
        names, routine = machine.play, f"rule_{name}"
        note = self.happened.append
        if routine in machine.entries:
            entry = machine.entries[routine][0]
            segment = machine.play_code[entry]

            def begun(S: Any, F: list[Any]) -> Any:
                note((name, tuple(F[1 : 1 + count])))
                return segment(S, F)

            names[segment.__name__] = machine.play_code[entry] = begun
        elif routine in names:
            function = names[routine]

            def called_so(S: Any, *args: Any) -> Any:
                note((name, args[:count]))
                return function(S, *args)

            names[routine] = called_so

    def stage(self, scenario: nodes.Scenario) -> Stage:
        findings = self.lines.findings[id(scenario)]
        if findings:
            raise Failed("setup", findings[0].headline, findings[0].primary.span, diagnostics=tuple(findings))
        self.happened.clear()
        return Stage(self, scenario.seed or 0)


class Stage:
    def __init__(self, theatre: Theatre, seed: int) -> None:
        self.theatre = theatre
        self.game = theatre.game
        self.meta = theatre.game.meta
        self.state: Any = theatre.game.blank(seed=seed, auto=False)
        self.plain: tuple[str, tuple[int, ...]] | None = None  # the rule to start with, if it has no decisions
        self.begins_at = ""  # `turn(seat1)`: the rule that a scenario begins with, and behind which nothing follows
        self.bound: dict[core.LocalDecl, Any] = {}  # the names of the loops that are gone over
        self.seen_happened = self.seen_log = 0  # how much of what happened and of the log is no news

    def on(self, state: Any) -> Stage:
        """The same stage with another state."""
        other = copy(self)
        other.state = state
        return other

    def given(self, given: nodes.Given) -> None:
        """Sets up the state."""
        Setting(self).given(given)

    # ------------------------------------------------------------------------ running

    def run(self, span: Span) -> None:
        """Run from where the scenario stands to the first decision."""
        try:
            if self.plain is not None:
                routine, values = self.plain
                self.game.machine.play[routine](self.state, *values)
        except Ended:
            return
        except (Trouble, Refused) as trouble:
            raise self.fault(trouble, span) from None
        self.game.run(self.state)

    def fault(self, trouble: Exception, span: Span) -> Failed:
        return failed_with(self.game.fault(trouble, self.state).diagnostic, span)

    def script(self, step: nodes.Chance) -> None:
        """Script the next random event of that sort: it will have these values."""
        where, kinds = self._where(None if step.what is None else self.theatre.lines.of(step.what))
        things = [amount.what for amount in step.pieces.amounts]
        values: list[Any]
        if step.event == "roll":
            values = [one.value for one in things if isinstance(one, nodes.Number)]
        elif kinds is not None or step.event != "pick":
            values = self.rows_in(step.pieces, kinds or tuple(self.theatre.program.kinds))
        else:
            known = things_by_name(self.theatre.program)
            values = [frozenset((o.value,)) if isinstance(o, nodes.Number) else known[o.span.text] for o in things]
        self.state.script.append((step.event, where, values))

    def _where(self, what: core.Expr | None) -> tuple[int | None, tuple[str, ...] | None]:
        """The place or the first die that a chance line names, and the kinds of pieces there."""
        match what:
            case core.PlaceRef():
                return self.numbers_of(what)[0], what.place.kinds
            case core.DiceGroup():
                return self.address(what.field, what.owner, ()) - self.meta.dice, None
            case core.DieRef():
                return self.address(what.field, what.owner, (what.index,)) - self.meta.dice, None
            case _:
                return None, None

    def require_script_used(self, span: Span) -> None:
        for event, _, _ in self.state.script:
            raise Failed("chance", f"a scripted `{event}` is left over", span, f"a `{event}`", "none happened")

    # ------------------------------------------------------------------------ what has happened

    def mark(self, ahead: Stage | None = None) -> None:
        """From here on something is new: what happened and what was told up to the state of `ahead` (or of this stage)
        is not. A state ahead is one that this stage will come to by itself."""
        self.seen_happened = len(self.theatre.happened)
        self.seen_log = len((ahead or self).state.lg)

    def news(self) -> list[Happening]:
        """The watched rules that have begun since the last mark, in order."""
        return self.theatre.happened[self.seen_happened :]

    def happened_as(self, call: nodes.Expr, happening: Happening) -> bool:
        """True if a line about what happened means this. Without brackets, arguments do not matter."""
        name, args = called(call)
        if name != happening[0] or isinstance(call, nodes.NameRef):
            return name == happening[0]
        return all(self._is_argument(arg, value) for arg, value in zip(args, happening[1], strict=True))

    def _is_argument(self, arg: nodes.Expr, value: Any) -> bool:
        made = self.theatre.lines.of(arg)
        meant = self.value(made)
        return (
            value in meant if isinstance(made.type, SetOf) and not isinstance(value, tuple | list) else value == meant
        )

    def happening_text(self, happening: Happening) -> str:
        name, values = happening
        params = self.theatre.program.rules[name].params
        words = [name_of(self.meta, thing_of(q.type), value) for q, value in zip(params, values, strict=True)]
        return f"{name}({', '.join(words)})" if words else name

    def told(self, player: int) -> list[str]:
        """The lines of the log since the last mark, as a player reads them."""
        return [line.sentence for line in told_lines(self.state, player, self.seen_log)]

    def refusal(self, call: nodes.Expr) -> Refusal | None:
        """Why a rule cannot be carried through here; None if it can."""
        name, args = called(call)
        rule = self.theatre.program.rules[name or ""]
        values = tuple(self.fitting(arg, param.type) for arg, param in zip(args, rule.params, strict=True))
        chooser = first_player(rule.params)
        who = None if chooser is None else values[rule.params.index(chooser)]
        state = self.state.clone()
        if self.game.machine.play["can_call"](state, f"rule_{name}", values, who, None):
            return None
        refusal: Refusal = state.refusal()
        return refusal

    # ------------------------------------------------------------------------ questions

    def seat(self, node: nodes.Expr) -> int:
        return int(self.value(self.theatre.lines.of(node)))

    def seat_name(self, player: int) -> str:
        return str(self.meta.seat_names[player])

    def holds(self, condition: nodes.Expr) -> bool:
        return bool(self.value(self.theatre.lines.of(condition)))

    def sides(self, condition: nodes.Expr) -> str:
        """For a comparison that does not hold, the value of its left side, in words."""
        made = self.theatre.lines.of(condition)
        if not isinstance(made, core.Compare) or not isinstance(condition, nodes.Compare):
            return "no"
        return f"{condition.left.span.text} is {self._text(made.left)}"

    def _text(self, expr: core.Expr) -> str:
        return name_of(self.meta, thing_of(expr.type), self.value(expr))

    def contents(self, place: nodes.Expr) -> list[str]:
        """The ids of the pieces in a place, in order."""
        pieces = [p for number in self._asked_numbers(place) for p in contents(self.state, self.meta, number)]
        return [id_of(self.meta, "piece", piece) for piece in pieces]

    def loads(self, place: nodes.Expr) -> list[str]:
        """The ids of the pieces in a place, each with what it carries, as a scenario writes it."""
        return [
            self._loaded(p) for number in self._asked_numbers(place) for p in contents(self.state, self.meta, number)
        ]

    def _loaded(self, piece: int) -> str:
        carried: list[str] = []
        for place in self.theatre.program.places:
            if carries(place, piece):
                spot, dimension = self.theatre.layout.places[place], place.owner_dimension
                number = spot.base + (piece - dimension.low) * spot.strides[0] if dimension is not None else spot.base
                carried += [id_of(self.meta, "piece", p) for p in contents(self.state, self.meta, number)]
        return loaded_name(id_of(self.meta, "piece", piece), carried)

    def seen(self, player: int, place: nodes.Expr) -> list[str]:
        """The ids of the pieces there that the player knows."""
        eyes = Eyes(self.state, self.meta, player)
        return [
            id_of(self.meta, "piece", piece) for number in self._asked_numbers(place) for piece in eyes.known(number)
        ]

    def shown(self, player: int, path: core.FieldRead) -> str | None:
        """A field as the player sees it, or None if it is secret."""
        base = self.theatre.layout.fields[path.field].base
        field = next(field for field in self.meta.fields if field.base == base)
        owner = self.value(path.owner) if path.owner is not None else 0
        was_shown = Eyes(self.state, self.meta, player).was_shown(self.address(path.field, path.owner, path.indexes))
        return self._text(path) if was_shown or is_seen(player, field, owner) else None

    def faces(self, player: int, dice: core.DiceGroup | core.DieRef) -> list[str]:
        """What dice show to the player: no face of those that are secret or were not rolled yet."""
        spot = self.theatre.layout.fields[dice.field]
        field = next(field for field in self.meta.fields if field.base == spot.base)
        owner = self.value(dice.owner) if dice.owner is not None else 0
        indexes = (dice.index,) if isinstance(dice, core.DieRef) else ()
        first = self.address(dice.field, dice.owner, indexes)
        count = 1 if isinstance(dice, core.DieRef) else dice.field.dimensions[-1].size
        eyes = Eyes(self.state, self.meta, player)
        seen = [at for at in range(first, first + count) if is_seen(player, field, owner) or eyes.was_shown(at)]
        found = [field_value(eyes, field, owner, at) for at in seen]
        return [str(face) for face in found if face is not None]

    def slots(self, place: nodes.Expr) -> dict[int, str]:
        """What lies in which slot of a place, counted from 0."""
        numbers = enumerate(self._asked_numbers(place))
        there = ((slot, contents(self.state, self.meta, number)) for slot, number in numbers)
        return {slot: id_of(self.meta, "piece", pieces[0]) for slot, pieces in there if pieces}

    def slot_of(self, amount: nodes.Amount, ref: core.PlaceRef) -> int:
        """The slot that a line names for a piece, counted from 0."""
        assert amount.slot is not None and ref.place.slot_dimension is not None
        made, dimension = self.theatre.lines.of(amount.slot), ref.place.slot_dimension
        slot = self._step(made, dimension)
        if not 0 <= slot < dimension.size:
            text = amount.slot.span.text
            raise Failed("setup", f"`{ref.place.name}` has no slot `{text}`", amount.span, str(dimension.type), text)
        return slot

    def slot_name(self, ref: core.PlaceRef, slot: int) -> str:
        dimension = ref.place.slot_dimension
        assert dimension is not None
        return id_of(self.meta, thing_of(dimension.type), slot + dimension.low)

    def ids_of(self, pieces: nodes.Pieces, place: nodes.Expr) -> list[str]:
        rows = self.rows_in(pieces, self.place_of(place).place.kinds)
        return [self.theatre.program.rows[row].id for row in rows]

    def loads_of(self, pieces: nodes.Pieces) -> list[str]:
        """The named pieces, each with what the line says it carries."""
        return [
            loaded_name(a.what.span.text, [a.carried.what.span.text] * a.carried.count if a.carried else [])
            for a in pieces.amounts
            for _ in range(a.count)
        ]

    def names_of(self, value: nodes.Expr) -> set[str]:
        """The names under which an option may show the thing that a scenario names."""
        text = value.span.text
        program = self.theatre.program
        named = [(row.id, row.name) for row in program.rows]
        named += [(thing.id, thing.name) for thing in (*program.nodes, *program.edges)]
        named += [pair for enum in program.enums.values() for pair in zip(enum.ids, enum.names, strict=True)]
        named += [(name, direction_words(name)) for board in program.maps.values() for name in board.directions]
        named += [(f"seat{number + 1}", name) for number, name in enumerate(program.seat_names)]
        return {text, *(name for own_id, name in named if own_id == text)}

    # ------------------------------------------------------------------------ places, rows, values

    def place_of(self, node: nodes.Expr) -> core.PlaceRef:
        made = self.theatre.lines.of(node)
        assert isinstance(made, core.PlaceRef)  # anything else was reported when the lines were read
        return made

    def _asked_numbers(self, node: nodes.Expr) -> list[int]:
        """The numbers of a place whose contents are compared; nothing for a place of none, which is empty."""
        ref = self.place_of(node)
        parts = (ref.owner, *ref.indexes, ref.slot)
        return [] if any(part is not None and self._is_none(part) for part in parts) else self.numbers_of(ref)

    def numbers_of(self, ref: core.PlaceRef) -> list[int]:
        """The number of a place; the numbers of all its slots if no slot is named."""
        slot = (ref.slot,) if ref.slot is not None else ()
        first = self._element(self.theatre.layout.places[ref.place], ref.place, ref.owner, (*ref.indexes, *slot))
        dimension = ref.place.slot_dimension
        return [first] if dimension is None or slot else list(range(first, first + dimension.size))

    def address(self, field: core.FieldDecl, owner: core.Expr | None, indexes: tuple[core.Expr, ...]) -> int:
        return self._element(self.theatre.layout.fields[field], field, owner, indexes)

    def _element(
        self, spot: Spot, decl: core.FieldDecl | core.PlaceDecl, owner: core.Expr | None, indexes: tuple[core.Expr, ...]
    ) -> int:
        dimensions = [*([decl.owner_dimension] if decl.owner_dimension else []), *decl.dimensions]
        if isinstance(decl, core.PlaceDecl) and decl.slot_dimension is not None:
            dimensions.append(decl.slot_dimension)
        given = (*([owner] if owner is not None else []), *indexes)
        steps = zip(given, dimensions, spot.strides, strict=False)
        return spot.base + sum(self._step(index, dimension) * stride for index, dimension, stride in steps)

    def _step(self, index: core.Expr, dimension: core.Dimension) -> int:
        """The offset of an index within its dimension; the index must not be none."""
        if self._is_none(index):
            raise Failed("setup", f"`{index.span.text}` is none here", index.span, str(dimension.type), "none")
        return int(self.value(index) - dimension.low)

    def _is_none(self, expr: core.Expr) -> bool:
        return isinstance(expr.type, Maybe) and self.value(expr) == none_of(expr.type)

    def rows_in(self, pieces: nodes.Pieces, kinds: tuple[str, ...]) -> list[int]:
        """The named rows, each repeated as often as the line says."""
        return [row for amount in pieces.amounts for row in self.rows_of(amount, kinds)]

    def rows_of(self, amount: nodes.Amount, kinds: tuple[str, ...]) -> list[int]:
        """The row of an amount as often as it says; of a set, the rows of its pieces."""
        if isinstance(amount.what, nodes.Selection):
            return [self.meta.piece_row[piece] for piece in self.value(self.theatre.lines.of(amount.what))]
        rows = self.theatre.program.rows
        wanted = amount.what.span.text
        return [next(n for n, row in enumerate(rows) if row.id == wanted and row.kind in kinds)] * amount.count

    def fitting(self, node: nodes.Expr, wanted: VType) -> Any:
        """The value that a line gives to a field or a rule, checked for range and, unless optional, for none."""
        made = self.theatre.lines.of(node)
        value, text = self.value(made), node.span.text
        if self._is_none(made):
            if not isinstance(wanted, Maybe):
                raise Failed("setup", f"`{text}` is none in the given state", node.span, str(wanted), "none")
            return none_of(wanted)
        kind = bare(wanted)
        if isinstance(kind, Number) and not kind.low <= value <= kind.high:
            raise Failed("setup", f"`{text}` is {value}, outside {kind}", node.span, str(kind), str(value))
        return value

    def value(self, expr: core.Expr) -> Any:
        """The value of an expression in the current state."""
        if isinstance(expr, core.Const):
            return expr.value
        rule = self.theatre.lines.value_of(expr)
        assert rule is not None
        try:
            bound = (self.bound[param] for param in rule.params)
            return self.game.machine.play[f"rule_{rule.name}"](self.state, *bound)
        except (Trouble, Refused, RecursionError) as trouble:
            raise self.fault(trouble, expr.span) from None


def loaded_name(name: str, carried: list[str]) -> str:
    """`stack_red carrying 3 * coin`"""
    counts = {what: carried.count(what) for what in carried}
    load = " and ".join(f"{count} * {what}" if count > 1 else what for what, count in counts.items())
    return f"{name} carrying {load}" if load else name
