"""The stage on which scenarios are played: sets up any state, scripts chance, and evaluates expressions.

A `Theatre` is one game compiled together with the expressions of its scenarios; each scenario gets a `Stage` with a
fresh state. Setting up bypasses the rules: pieces are put where the lines say, fields are set, no hook runs. Afterwards
players know what the places show and nothing else. All pieces that a player cannot see, those in the box included, form
one mix: any of them may be any other, unless their backs differ.
"""

from __future__ import annotations

from copy import copy
from typing import Any

from ..check import program as core
from ..check.value_types import Maybe, Number, VType, bare, none_of
from ..compile.layout import Layout, Spot, lay_out
from ..compile.load import Compiled, compile_program, was_checked
from ..compile.unit import thing_of
from ..diagnostics.source import Span
from ..runtime.faults import Ended, Refused, Trouble
from ..runtime.game import Game
from ..runtime.knowledge import contents, learn_from_places
from ..runtime.names import id_of, name_of
from ..runtime.views import Eyes, is_seen
from ..syntax import nodes
from .scenario_lines import called, carries, carrying_place, read_lines, things_by_name
from .verdicts import Failed, failed_with


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

    def stage(self, scenario: nodes.Scenario) -> Stage:
        findings = self.lines.findings[id(scenario)]
        if findings:
            raise Failed("setup", findings[0].headline, findings[0].primary.span, diagnostics=tuple(findings))
        return Stage(self, scenario.seed or 0)


class Stage:
    def __init__(self, theatre: Theatre, seed: int) -> None:
        self.theatre = theatre
        self.game = theatre.game
        self.meta = theatre.game.meta
        self.state: Any = theatre.game.blank(seed=seed, auto=False)
        self._laid: set[int] = set()  # pieces that a line has put somewhere
        self._plain: tuple[str, tuple[int, ...]] | None = None  # the rule to start with, if it has no decisions

    def on(self, state: Any) -> Stage:
        """The same stage with another state."""
        other = copy(self)
        other.state = state
        return other

    # ------------------------------------------------------------------------ given

    def given(self, given: nodes.Given) -> None:
        """Sets up the state, whatever the order of the lines: places, then fields, then where the game stands.

        Fields come after places because their values may depend on them (`worth = count(deck)`), and the rule to stand
        at comes last because its arguments may depend on both.
        """
        if any(isinstance(fact, nodes.AfterSetup) for fact in given.facts):
            self.set_up(given.span)
        for fact in given.facts:
            if isinstance(fact, nodes.SetPlace):
                self.fill(fact)
        if any(isinstance(fact, nodes.SetPlace) for fact in given.facts):
            self.know_what_shows()
        for fact in given.facts:
            if isinstance(fact, nodes.SetFact):
                self.set_field(fact)
        for fact in given.facts:
            if isinstance(fact, nodes.StandAt):
                self.stand_at(fact)

    def set_up(self, span: Span) -> None:
        """Run the game's own setup; decisions in it take their first option."""
        # Put the frame of `play` below that of `setup`, and run until only the frames below setup are left: the
        # scenario then continues where a real game would begin.
        state, machine = self.state, self.game.machine
        play = [machine.frame("rule_play", ())] if "rule_play" in machine.entries else []
        setup = [machine.frame("rule_setup", ())] if "rule_setup" in machine.entries else []
        state.k += play + setup
        left = len(state.k) - len(setup)
        try:
            while len(state.k) > left and not state.over:
                frame = state.k[-1]
                if machine.play_code[frame[0]](state, frame) and not state.over:
                    machine.take(state, state.opts[0])
        except (Trouble, Refused) as trouble:
            raise self._fault(trouble, span) from None

    def fill(self, fact: nodes.SetPlace) -> None:
        """Put exactly these pieces into a place; with `on top`, put them on what is already there."""
        place = self._place(fact.place).place
        numbers = self._place_numbers_of(self._place(fact.place))
        if not fact.pieces.on_top:
            for number in numbers:
                for piece in list(contents(self.state, self.meta, number)):
                    self._lay(piece, None)
        pieces = [self._taken(row, fact) for row in self._rows(fact.pieces, place.kinds)]
        room = len(numbers) if place.shape in ("slot", "slots") else place.capacity
        if len(pieces) > room:
            raise Failed("setup", f"`{fact.place.span.text}` has room for {room}, not {len(pieces)}", fact.span)
        if place.shape in ("slot", "slots"):
            for piece, number in zip(pieces, numbers, strict=False):
                self._lay(piece, number)
        else:
            for piece in reversed(pieces):  # each goes to the front, so that the first one named ends up on top
                self._lay(piece, numbers[0])
        carried = [amount.carried for amount in fact.pieces.amounts for _ in range(amount.count)]
        for piece, amount in zip(pieces, carried, strict=True):
            if amount is not None:
                self._load(piece, amount, fact)

    def _load(self, carrier: int, amount: nodes.Amount, fact: nodes.SetPlace) -> None:
        """Put pieces onto a piece that carries them."""
        program, wanted = self.theatre.program, amount.what.span.text
        place = carrying_place(program, carrier, wanted)
        assert place is not None and place.owner_dimension is not None
        spot = self.theatre.layout.places[place]
        number = spot.base + (carrier - place.owner_dimension.low) * spot.strides[0]
        if amount.count > place.capacity:
            raise Failed("setup", f"`{place.name}` has room for {place.capacity}, not {amount.count}", amount.span)
        row = next(n for n, row in enumerate(program.rows) if row.id == wanted and row.kind in place.kinds)
        for _ in range(amount.count):
            self._lay(self._taken(row, fact), number)

    def _taken(self, row: int, fact: nodes.SetPlace) -> int:
        """A piece of the row: from the box if possible, otherwise one that no line of the scenario has placed."""
        free = [piece for piece in self.theatre.program.rows[row].pieces if piece not in self._laid]
        boxed = [piece for piece in free if self.state.at[piece] < 0]
        if not free:
            row_id = self.theatre.program.rows[row].id
            raise Failed(
                "setup", f"there are not so many `{row_id}`", fact.span, f"one more `{row_id}`", "all are laid"
            )
        piece = (boxed or free)[0]
        self._laid.add(piece)
        return piece

    def _lay(self, piece: int, number: int | None) -> None:
        """Put a piece into a place, in front of what is there; None stands for the box."""
        put = self.game.machine.play
        if number is None:
            put["put_box"](self.state, piece)
            self._laid.discard(piece)
        elif number >= self.meta.lists:
            put["put_slot"](self.state, piece, number)
        elif self.meta.unordered[number]:
            put["put_sorted"](self.state, piece, number)
        else:
            put["put_front"](self.state, piece, number)

    def know_what_shows(self) -> None:
        """Let every player know what the places show, and nothing else."""
        learn_from_places(self.state, self.meta)

    def set_field(self, fact: nodes.SetFact) -> None:
        match self.theatre.lines.of(fact.path):
            case core.FieldRead() as path:
                value = self._fitting(fact.value, path.field.type)
                self.state.f[self._address(path.field, path.owner, path.indexes)] = value
            case core.Face(die=core.DieRef() as die) as face:
                value = self._fitting(fact.value, face.type)
                self.state.f[self._address(die.field, die.owner, (die.index,))] = value
            case path:
                raise AssertionError(path)  # anything else was reported when the lines were read

    def stand_at(self, fact: nodes.StandAt) -> None:
        """Put only that rule on the stack. It starts to run when the first line needs it to."""
        # `at turn(seat1)`: the game goes on from the start of that rule, and nothing follows after it.
        name, args = called(fact.where)
        machine = self.game.machine
        del self.state.k[1:]
        self.state.running = 0
        if name == "end":
            return
        params = self.theatre.program.rules[name].params if name in self.theatre.program.rules else ()
        values = tuple(self._fitting(arg, param.type) for arg, param in zip(args, params, strict=True))
        routine = f"rule_{name}"
        if routine in machine.entries:  # a rule with decisions has a frame; one without is a plain function
            self.state.k.append(machine.frame(routine, values))
        else:
            self._plain = (routine, values)

    # ------------------------------------------------------------------------ running

    def run(self, span: Span) -> None:
        """Run from where the scenario stands to the first decision."""
        try:
            if self._plain is not None:
                routine, values = self._plain
                self.game.machine.play[routine](self.state, *values)
        except Ended:
            return
        except (Trouble, Refused) as trouble:
            raise self._fault(trouble, span) from None
        self.game.run(self.state)

    def _fault(self, trouble: Exception, span: Span) -> Failed:
        return failed_with(self.game.fault(trouble, self.state).diagnostic, span)

    def script(self, step: nodes.Chance) -> None:
        """Script the next random event of that sort: it will have these values."""
        where, kinds = self._where(None if step.what is None else self.theatre.lines.of(step.what))
        things = [amount.what for amount in step.pieces.amounts]
        values: list[Any]
        if step.event == "roll":
            values = [one.value for one in things if isinstance(one, nodes.Number)]
        elif kinds is not None or step.event != "pick":
            values = self._rows(step.pieces, kinds or tuple(self.theatre.program.kinds))
        else:
            known = things_by_name(self.theatre.program)
            values = [frozenset((o.value,)) if isinstance(o, nodes.Number) else known[o.span.text] for o in things]
        self.state.script.append((step.event, where, values))

    def _where(self, what: core.Expr | None) -> tuple[int | None, tuple[str, ...] | None]:
        """The place or the first die that a chance line names, and the kinds of pieces there."""
        match what:
            case core.PlaceRef():
                return self._place_numbers_of(what)[0], what.place.kinds
            case core.DiceGroup():
                return self._address(what.field, what.owner, ()) - self.meta.dice, None
            case core.DieRef():
                return self._address(what.field, what.owner, (what.index,)) - self.meta.dice, None
            case _:
                return None, None

    def require_script_used(self, span: Span) -> None:
        for event, _, _ in self.state.script:
            raise Failed("chance", f"a scripted `{event}` is left over", span, f"a `{event}`", "none happened")

    # ------------------------------------------------------------------------ questions

    def seat(self, node: nodes.Expr) -> int:
        return int(self._value(self.theatre.lines.of(node)))

    def seat_name(self, player: int) -> str:
        return str(self.meta.seat_names[player])

    def holds(self, condition: nodes.Expr) -> bool:
        return bool(self._value(self.theatre.lines.of(condition)))

    def sides(self, condition: nodes.Expr) -> str:
        """For a comparison that does not hold, the value of its left side, in words."""
        made = self.theatre.lines.of(condition)
        if not isinstance(made, core.Compare) or not isinstance(condition, nodes.Compare):
            return "no"
        return f"{condition.left.span.text} is {self._text(made.left)}"

    def _text(self, expr: core.Expr) -> str:
        return name_of(self.meta, thing_of(expr.type), self._value(expr))

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
        owner = self._value(path.owner) if path.owner is not None else 0
        was_shown = Eyes(self.state, self.meta, player).was_shown(self._address(path.field, path.owner, path.indexes))
        return self._text(path) if was_shown or is_seen(player, field, owner) else None

    def ids_of(self, pieces: nodes.Pieces, place: nodes.Expr) -> list[str]:
        rows = self._rows(pieces, self._place(place).place.kinds)
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
        named += [(f"seat{number + 1}", name) for number, name in enumerate(program.seat_names)]
        return {text, *(name for own_id, name in named if own_id == text)}

    # ------------------------------------------------------------------------ places, rows, values

    def _place(self, node: nodes.Expr) -> core.PlaceRef:
        made = self.theatre.lines.of(node)
        assert isinstance(made, core.PlaceRef)  # anything else was reported when the lines were read
        return made

    def _asked_numbers(self, node: nodes.Expr) -> list[int]:
        """The numbers of a place whose contents are compared; nothing for a place of none, which is empty."""
        ref = self._place(node)
        parts = (ref.owner, *ref.indexes, ref.slot)
        return [] if any(part is not None and self._is_none(part) for part in parts) else self._place_numbers_of(ref)

    def _place_numbers_of(self, ref: core.PlaceRef) -> list[int]:
        """The number of a place; the numbers of all its slots if no slot is named."""
        slot = (ref.slot,) if ref.slot is not None else ()
        first = self._element(self.theatre.layout.places[ref.place], ref.place, ref.owner, (*ref.indexes, *slot))
        dimension = ref.place.slot_dimension
        return [first] if dimension is None or slot else list(range(first, first + dimension.size))

    def _address(self, field: core.FieldDecl, owner: core.Expr | None, indexes: tuple[core.Expr, ...]) -> int:
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
        return int(self._value(index) - dimension.low)

    def _is_none(self, expr: core.Expr) -> bool:
        return isinstance(expr.type, Maybe) and self._value(expr) == none_of(expr.type)

    def _rows(self, pieces: nodes.Pieces, kinds: tuple[str, ...]) -> list[int]:
        """The named rows, each repeated as often as the line says."""
        known = {row.id: number for number, row in enumerate(self.theatre.program.rows) if row.kind in kinds}
        rows: list[int] = []
        for amount in pieces.amounts:
            rows += [known[amount.what.span.text]] * amount.count
        return rows

    def _fitting(self, node: nodes.Expr, wanted: VType) -> Any:
        """The value that a line gives to a field or a rule, checked for range and, unless optional, for none."""
        made = self.theatre.lines.of(node)
        value, text = self._value(made), node.span.text
        if self._is_none(made):
            if not isinstance(wanted, Maybe):
                raise Failed("setup", f"`{text}` is none in the given state", node.span, str(wanted), "none")
            return none_of(wanted)
        kind = bare(wanted)
        if isinstance(kind, Number) and not kind.low <= value <= kind.high:
            raise Failed("setup", f"`{text}` is {value}, outside {kind}", node.span, str(kind), str(value))
        return value

    def _value(self, expr: core.Expr) -> Any:
        """The value of an expression in the current state."""
        if isinstance(expr, core.Const):
            return expr.value
        try:
            return self.game.machine.play[f"rule_{self.theatre.lines.value_name(expr)}"](self.state)
        except (Trouble, Refused, RecursionError) as trouble:
            raise self._fault(trouble, expr.span) from None


def loaded_name(name: str, carried: list[str]) -> str:
    """`stack_red carrying 3 * coin`"""
    counts = {what: carried.count(what) for what in carried}
    load = " and ".join(f"{count} * {what}" if count > 1 else what for what, count in counts.items())
    return f"{name} carrying {load}" if load else name
