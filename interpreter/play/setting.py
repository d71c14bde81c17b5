"""Sets up the state of a scenario: the lines below `given`.

Setting up bypasses the rules: pieces are put where the lines say, fields are set, no hook runs. The order of the lines
does not matter between sorts of lines: first places, then fields (their values may depend on places: `worth =
count(deck)`), then where the game stands (its arguments may depend on both). A loop is gone over once for each sort,
with the state as it is then.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from ..check import program as core
from ..diagnostics.source import Span
from ..runtime.faults import Refused, Trouble
from ..runtime.knowledge import contents, learn_from_places
from ..syntax import nodes
from .scenario_parts import called, carrying_place
from .verdicts import Failed

if TYPE_CHECKING:
    from .stage import Stage


class Setting:
    """The state of one stage while it is being set up."""

    def __init__(self, stage: Stage) -> None:
        self.stage, self.state, self.meta = stage, stage.state, stage.meta
        self.program, self.machine = stage.theatre.program, stage.game.machine
        self._laid: set[int] = set()  # pieces that a line has put somewhere

    def given(self, given: nodes.Given) -> None:
        if any(isinstance(fact, nodes.AfterSetup) for fact in given.facts):
            self._set_up(given.span)
        filled = False
        for fact in self._each(given.facts):
            if isinstance(fact, nodes.SetPlace):
                self._fill(fact)
                filled = True
        if filled:
            learn_from_places(self.state, self.meta)  # every player knows what the places show, and nothing else
        for fact in self._each(given.facts):
            if isinstance(fact, nodes.SetFact):
                self._set_field(fact)
        for fact in given.facts:
            if isinstance(fact, nodes.StandAt):
                self._stand_at(fact)

    def _each(self, facts: Iterable[nodes.Fact]) -> Iterator[nodes.Fact]:
        """The lines, those in loops as often as their loop comes to them, with its names bound."""
        for fact in facts:
            if isinstance(fact, nodes.ForFacts):
                yield from self._in_loop(fact, fact.binders, self.stage.theatre.lines.bound_by(fact))
            else:
                yield fact

    def _in_loop(
        self, loop: nodes.ForFacts, binders: tuple[nodes.Binder, ...], bound: tuple[core.LocalDecl, ...]
    ) -> Iterator[nodes.Fact]:
        if not binders:
            yield from self._each(loop.facts)
            return
        for value in list(self.stage.value(self.stage.theatre.lines.of(binders[0]))):
            self.stage.bound[bound[0]] = value
            yield from self._in_loop(loop, binders[1:], bound[1:])
        self.stage.bound.pop(bound[0], None)

    def _set_up(self, span: Span) -> None:
        """Run the game's own setup; decisions in it take their first option."""
        # Put the frame of `play` below that of `setup`, and run until only the frames below setup are left: the
        # scenario then continues where a real game would begin.
        state, machine = self.state, self.machine
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
            raise self.stage.fault(trouble, span) from None

    # ------------------------------------------------------------------------ places

    def _fill(self, fact: nodes.SetPlace) -> None:
        """Put exactly these pieces into a place; with `on top`, put them on what is already there."""
        ref = self.stage.place_of(fact.place)
        place, numbers = ref.place, self.stage.numbers_of(ref)
        if not fact.pieces.on_top:
            for number in numbers:
                for piece in list(contents(self.state, self.meta, number)):
                    self._lay(piece, None)
        laid = [(piece, amount) for amount in fact.pieces.amounts for piece in self._meant(amount, place.kinds, fact)]
        room = len(numbers) if place.shape in ("slot", "slots") else place.capacity
        if len(laid) > room:
            raise Failed("setup", f"`{fact.place.span.text}` has room for {room}, not {len(laid)}", fact.span)
        if any(amount.slot is not None for _, amount in laid):
            for piece, amount in laid:
                self._lay(piece, self._slot(amount, ref, numbers))
        elif place.shape in ("slot", "slots"):
            for (piece, _), number in zip(laid, numbers, strict=False):
                self._lay(piece, number)
        else:
            for piece, _ in reversed(laid):  # each goes to the front, so that the first one named ends up on top
                self._lay(piece, numbers[0])
        for piece, amount in laid:
            if amount.carried is not None:
                self._load(piece, amount.carried, fact)

    def _slot(self, amount: nodes.Amount, ref: core.PlaceRef, numbers: list[int]) -> int:
        """The number of the slot that a piece is given."""
        number = numbers[self.stage.slot_of(amount, ref)]
        if contents(self.state, self.meta, number):
            assert amount.slot is not None
            raise Failed("setup", f"the slot `{amount.slot.span.text}` is named twice", amount.span)
        return number

    def _load(self, carrier: int, amount: nodes.Amount, fact: nodes.SetPlace) -> None:
        """Put pieces onto a piece that carries them."""
        wanted = amount.what.span.text
        place = carrying_place(self.program, carrier, wanted)
        assert place is not None and place.owner_dimension is not None
        spot = self.stage.theatre.layout.places[place]
        number = spot.base + (carrier - place.owner_dimension.low) * spot.strides[0]
        if amount.count > place.capacity:
            raise Failed("setup", f"`{place.name}` has room for {place.capacity}, not {amount.count}", amount.span)
        row = next(n for n, row in enumerate(self.program.rows) if row.id == wanted and row.kind in place.kinds)
        for _ in range(amount.count):
            self._lay(self._taken(row, fact), number)

    def _meant(self, amount: nodes.Amount, kinds: tuple[str, ...], fact: nodes.SetPlace) -> list[int]:
        """The pieces that an amount stands for, taken for this place: so many of a row, or the pieces of a set."""
        if not isinstance(amount.what, nodes.Selection):
            return [self._taken(row, fact) for row in self.stage.rows_of(amount, kinds)]
        pieces = [int(piece) for piece in self.stage.value(self.stage.theatre.lines.of(amount.what))]
        for piece in pieces:
            if piece in self._laid:
                what = (
                    f"a `{self.meta.row_ids[self.meta.piece_row[piece]]}` of this set is laid elsewhere by another line"
                )
                raise Failed("setup", what, amount.span, "pieces that are free", "say `… in box` in its `where`")
        self._laid.update(pieces)
        return pieces

    def _taken(self, row: int, fact: nodes.SetPlace) -> int:
        """A piece of the row: from the box if possible, otherwise one that no line of the scenario has placed."""
        free = [piece for piece in self.program.rows[row].pieces if piece not in self._laid]
        boxed = [piece for piece in free if self.state.at[piece] < 0]
        if not free:
            row_id = self.program.rows[row].id
            raise Failed(
                "setup", f"there are not so many `{row_id}`", fact.span, f"one more `{row_id}`", "all are laid"
            )
        piece = (boxed or free)[0]
        self._laid.add(piece)
        return piece

    def _lay(self, piece: int, number: int | None) -> None:
        """Put a piece into a place, in front of what is there; None stands for the box."""
        put = self.machine.play
        if number is None:
            put["put_box"](self.state, piece)
            self._laid.discard(piece)
        elif number >= self.meta.lists:
            put["put_slot"](self.state, piece, number)
        elif self.meta.unordered[number]:
            put["put_sorted"](self.state, piece, number)
        else:
            put["put_front"](self.state, piece, number)

    # ------------------------------------------------------------------------ fields, and where the game stands

    def _set_field(self, fact: nodes.SetFact) -> None:
        stage = self.stage
        match stage.theatre.lines.of(fact.path):
            case core.FieldRead() as path:
                value = stage.fitting(fact.value, path.field.type)
                self.state.f[stage.address(path.field, path.owner, path.indexes)] = value
            case core.Face(die=core.DieRef() as die) as face:
                value = stage.fitting(fact.value, face.type)
                self.state.f[stage.address(die.field, die.owner, (die.index,))] = value
            case path:
                raise AssertionError(path)  # anything else was reported when the lines were read

    def _stand_at(self, fact: nodes.StandAt) -> None:
        """Put only that rule on the stack. It starts to run when the first line needs it to."""
        # `at turn(seat1)`: the game goes on from the start of that rule, and nothing follows after it.
        del self.state.k[1:]
        self.state.running = 0
        if len(fact.where) > 1:
            self._begin(self.stage.theatre.lines.course(fact).name, ())
            return
        name, args = called(fact.where[0])
        if name == "end":
            return
        if name != "play":
            self.stage.begins_at = fact.where[0].span.text
        params = self.program.rules[name].params if name in self.program.rules else ()
        values = tuple(self.stage.fitting(arg, param.type) for arg, param in zip(args, params, strict=True))
        self._begin(name or "", values)

    def _begin(self, name: str, values: tuple[int, ...]) -> None:
        """A rule with decisions has a frame; one without is a plain function, called when the game begins to run."""
        routine = f"rule_{name}"
        if routine in self.machine.entries:
            self.state.k.append(self.machine.frame(routine, values))
        else:
            self.stage.plain = (routine, values)
