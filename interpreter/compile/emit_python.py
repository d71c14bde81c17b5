"""IR as Python source: readable, the same bytes for the same rules, a line table beside it.

A plain routine is a function, a segment of a framed one is a function too: `s12_turn(S, F)` with the frame it works
on. `CODE` lists the segments by number. A segment gives 1 when a decision is pending or the game is over, else 0.
In the text `S` is the state, `f` its array, `p` its lists, `at` where each piece is, `F` the frame, `o` the options
being made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from ..diagnostics.source import Span
from . import ir
from .emit_decisions import DecisionEmitter
from .hoist import hoist_from_loops
from .ir import Block, Op, Routine, Segment, blocks_of, free_locals, operands
from .loop_sharing import share_in_loops
from .tidy import entry_of
from .told import ToldUnit
from .unit import Unit
from .writer import Writer

HEADER = (
    "# Emitted from the rules of {title!a} for {players} players. "
    "Do not edit: it is written anew when the rules change."
)


@dataclass
class Emitted:
    """The source, the line table, the tables it needs, and what can be refused where."""

    source: str
    places: list[tuple[str, int, int] | None]
    segments: int
    refusals: list[dict[str, object]] = field(default_factory=list)
    entries: dict[str, tuple[int, int]] = field(default_factory=dict)  # framed routine -> first segment, frame size


class PythonEmitter(DecisionEmitter):
    # ------------------------------------------------------------------ the module

    def emit(self) -> Emitted:
        unit = self.unit
        self.line(HEADER.format(title=unit.program.title, players=unit.program.players))
        numbers = [segment.number for routine in unit.routines.values() for segment in routine.segments]
        end = max(numbers, default=0) + 1
        for name, routine in unit.routines.items():
            if routine.kind == "framed":
                self.entries[name] = (entry_of(routine.segments), len(routine.slots) + 1)
        for name in sorted(unit.routines):
            self._routine(unit.routines[name])
        for text in unit.texts:
            self._text(text.number, text.params, text.holes)
        for told in unit.told:
            self._told(told)
        for payment in unit.payments.made:
            self._payment(payment)
        self._code(end)
        self._foreseen_rules()
        pool = Writer()
        for values, name in self.x.pool.items():
            pool.line(f"{name} = {values!r}")
        lines = [self.writer.lines[0], "", *pool.lines, *self.writer.lines[1:]]
        places = [self.writer.places[0], None, *pool.places, *self.writer.places[1:]]
        return Emitted("\n".join(lines) + "\n", places, end + 1, self.refusals, self.entries)

    def _code(self, end: int) -> None:
        by_number = {s.number: self._segment_name(r, s) for r in self.unit.routines.values() for s in r.segments}
        names = ["perform_next", *(by_number.get(number, "unused_segment") for number in range(1, end)), "end_of_game"]
        self.line("")
        self.line("")
        self.line("CODE = [")
        with self.writer.indented():
            for name in names:
                self.line(f"{name},")
        self.line("]")

    def _foreseen_rules(self) -> None:
        """Of each rule that a cell or a free action may begin: what says whether it can be carried through."""
        self.line("")
        self.line("FORESEEN = {")
        with self.writer.indented():
            for rule, name in self.unit.foreseen_entries.items():
                self.line(f"{self.unit.routine_name(rule)!r}: {name or 'True'},")
        self.line("}")
        performing = [
            self.unit.routine_name(rule)
            for rule in self.unit.foreseen_entries
            if (made := self.unit.foreseen.get(rule)) is not None and made.performs
        ]
        self.line(f"PERFORMING = {tuple(performing)!r}")

    # ------------------------------------------------------------------ routines

    def _routine(self, routine: Routine) -> None:
        self.routine = routine
        self.x.tells = routine.kind != "pure"
        if routine.kind == "framed":
            for segment in routine.segments:
                self._segment(routine, segment)
        else:
            body = share_in_loops(routine.body, self.unit.temporary) if routine.kind == "pure" else routine.body
            self._function(routine.name, ["S", *routine.params], body, routine.span, routine.name)
        self.x.tells = False

    def _segment(self, routine: Routine, segment: Segment) -> None:
        self.asking = segment.note == "asks"
        self.x.tells = not self.asking
        self.segment = segment
        body = segment.body
        if self.asking:
            body = share_in_loops(body, self.unit.temporary)
            body = hoist_from_loops(body, set(routine.slots), lambda: self.unit.temporary("h"))
        self._function(self._segment_name(routine, segment), ["S", "F"], body, routine.span, segment.note, framed=True)

    def _function(self, name: str, params: list[str], body: Block, span: Span, note: str, framed: bool = False) -> None:
        outer = self.writer
        self.writer = Writer()
        self.writer.depth = 1
        self._block(body, framed)
        made, self.writer = self.writer, outer
        self.line("")
        self.line("")
        self.line(f"def {name}({', '.join(params)}):", span)
        with self.writer.indented():
            if framed and note:
                self.line(f"# {note}")

            self._prologue(made.lines, body, framed)
        self.writer.lines += made.lines
        self.writer.places += made.places
        if not made.lines:
            with self.writer.indented():
                self.line("return 0" if framed else "return None")

    def _prologue(self, lines: list[str], body: Block, framed: bool) -> None:
        text = "\n".join(lines)
        for short, attribute in (("f", "S.f"), ("p", "S.p"), ("at", "S.at")):
            if re.search(rf"(?<![\w.]){short}[\[,)]|\bin {short}\b|\({short},", text):
                self.line(f"{short} = {attribute}")
        if framed:
            for position, slot in enumerate(self.routine.slots):
                if self.asking and slot in looped(body):
                    continue
                if re.search(rf"\b{slot}\b", text) and self._read_first(slot, body) is True:
                    self.line(f"{slot} = F[{position + 1}]")

    def _read_first(self, slot: str, body: Block) -> bool | None:
        """Whether the local is read before it is written: True, False (it is surely written first), None (neither)."""
        for ins in body:
            if slot in free_locals(tuple(operands(ins))):
                return True
            is_set = bool(ins.sets) and getattr(ins, ins.sets) == slot
            if is_set and isinstance(ins, ir.For):  # there may be nothing to go over: then it is not written
                continue
            if any(self._read_first(slot, block) for block in blocks_of(ins)):
                return True
            if is_set:
                return False
        return None

    def _text(self, number: int, params: tuple[str, ...], holes: tuple[Op, ...]) -> None:
        value = self.x.sequence_of(holes)
        self.line("")
        self.line("")
        self.line(f"def text_{number}({', '.join(['S', *params])}):")
        with self.writer.indented():
            self._prologue([value], [], False)
            self.line(f"return {value}")

    def _told(self, told: ToldUnit) -> None:
        value = self.x.text(told.value)
        self.line("")
        self.line("")
        self.line(f"def told_{told.number}({', '.join(['S', *told.params])}):")
        with self.writer.indented():
            self._prologue([value], [], False)
            self.line(f"return {value}")

    def _payment(self, payment: ir.Payment) -> None:
        self.line("")
        self.line("")
        self.line(f"def payment_{payment.number}(S, player__0, amounts, among):")
        with self.writer.indented():
            self.line("f = S.f")
            self.line("p = S.p")
            self.line("at = S.at")
            self.line("return (")
            with self.writer.indented():
                for number, cost in enumerate(payment.costs):
                    self.line(f"(amounts[{number}], {cost.pattern!r}, among[{number}], (")
                    for position, source in enumerate(cost.sources):
                        self._source(source, number, position)
                    self.line(f"), {cost.values}),")
            self.line(")")

    def _source(self, source: ir.PaySource, cost: int, position: int) -> None:
        when = f" if {self.x.text(source.when)} else ()" if source.when is not None else ""
        if source.contents is None:
            counter = ir.values_of(source.counter) if source.counter is not None else None
            address = self.x.text(source.address) if source.address is not None else f"among[{cost}]"
            self.line(
                f"    *(counter_source(f, {source.key}, {address}, {source.as_any}, {position}, {counter!r}){when}),"
            )
        else:
            contents = self.x.text(source.contents)
            self.line(f"    *(piece_source({contents}, {source.by}, {source.as_any}, {position}){when}),")


def looped(body: Block) -> set[str]:
    """Locals that loops of these instructions go over."""
    found = {ins.local for ins in body if isinstance(ins, ir.For)}
    return found.union(*(looped(block) for ins in body for block in blocks_of(ins)))


def emit_python(unit: Unit) -> Emitted:
    return PythonEmitter(unit).emit()
