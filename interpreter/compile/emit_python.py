"""IR as Python source: readable, the same bytes for the same rules, a line table beside it.

A plain routine is a function, a segment of a framed one is a function too: `s12_turn(S, F)` with the frame it works
on. `CODE` lists the segments by number. A segment gives 1 when a decision is pending or the game is over, else 0.
In the text `S` is the state, `f` its array, `p` its lists, `at` where each piece is, `F` the frame, `o` the options
being made.

Each way of running is a module of its own, with the same functions by the same names. A routine that is the same in
several ways is printed once and its lines are used in each of them.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics.source import NOWHERE, Span
from . import ir
from .emit_instructions import InstructionEmitter, Writer
from .ir import Block, Op, Routine, Segment
from .liveness import looped, read_first
from .meta import PASS, SKIP
from .parts import parts_of_questions
from .tidy import Routines, entries_of, segment_count
from .unit import Unit

HEADER = (
    "# Emitted from the rules of {title!a} for {players} players, for {way}. "
    "Do not edit: it is written anew when the rules change."
)
UNASKED = {"pass": PASS, "skip": SKIP, "only": "o[0]"}  # answers that are given without asking
PARTS = "parts"  # the module with parts of questions: see `parts.py`
NAMED = {"play": "play", "playout": "playouts", "trial": "trials", PARTS: "parts of questions"}


# ---------------------------------------------------------------------------- decisions


class DecisionEmitter(InstructionEmitter):
    """The options of a question, and what becomes of those that cannot be carried through."""

    def _ask(self, ins: ir.Ask) -> None:
        self.line(f"S.site = {ins.site}", ins.span)
        self.line(f"S.who = {self.x.text(ins.player)}", ins.span)
        self.line("S.opts = o")
        if ins.picked is not None:
            self.line(f"S.picked = {self.x.text(ins.picked)}")
        self.line("return 1")

    def _answer(self, ins: ir.Answer) -> None:
        self.line(f"S.pick = {UNASKED[ins.how]}", ins.span)

    def _note_unasked(self, ins: ir.NoteUnasked) -> None:
        so_far = self.x.text(ins.picked) if ins.picked is not None else "()"
        told = f"{ins.site}, {self.x.text(ins.player)}, {so_far}, {UNASKED[ins.how]}"
        self.line(f"not_asked(S, {told})", ins.span)

    def _free_actions(self, ins: ir.FreeActions) -> None:
        """If there is one free action, the answer that was foreseen for it is passed on, so that it is not asked
        twice."""
        who, known = self.x.text(ins.player), ""
        # No is False or 0, whatever the condition comes to; None is unsure.
        says = [f"(r := {name}(S, {who})) or r is None" for name in ins.asked_first]
        if len(says) == 1:
            known = ", r"
        test = " or ".join(says)
        self.line(f"{f'if {test}: ' if test else ''}o = with_free_actions(S, {ins.site}, {who}, o{known})", ins.span)

    def _option(self, ins: ir.Option) -> None:
        self.line(f"o.append({self.x.option(ins.site, ins.branch, ins.names)})")

    def _once(self, ins: ir.Once) -> None:
        """Skips a piece that is equal to one already offered. A piece that another binder of the same option has taken
        (a twin) is never skipped, and never makes others be skipped."""
        local, memory = ins.local, ins.memory
        other = "".join(f"{local} != {twin} and " for twin in ins.twins)
        if ins.how == "row":
            self.line(f"if {other}ROW[{local}] == {memory}: continue")
            unless_twin = f"if {other.removesuffix(' and ')}: " if ins.twins else ""
            self.line(f"{unless_twin}{memory} = ROW[{local}]")
        else:
            self.line(f"if {other}seen_equal(S, {local}, {memory}): continue")

    def _unsure_option(self, ins: ir.UnsureOption) -> None:
        text = self.x.option(ins.site, ins.branch, ins.names)
        self.line(f"o.append({text})", ins.span)
        self.line(f"u.append({text})")

    def _if_answer(self, ins: ir.IfAnswer) -> None:
        self.line(f"r = {self.x.text(ins.answer)}", ins.span)
        self.line("if r:")
        self._inner(ins.yes)
        self.line("elif r is None:")
        self._inner(ins.unsure)

    def _try_unsure(self, ins: ir.TryUnsure) -> None:
        listed = "u" if ins.listed else "()"
        needed = "" if ins.callers else "if u: "
        player = self.x.text(ins.player)
        self.line(f"{needed}o = tried_options(S, {ins.site}, {player}, o, {listed})", ins.span)

    def _filter(self, ins: ir.Filter) -> None:
        test = self._test(ins.site, ins.tests) if ins.tests else "None"
        self.line(f"o = carried_options(S, F, {ins.site}, {self.x.text(ins.player)}, o, {test})")

    def _test(self, site: int, tests: tuple[ir.OptionTest, ...]) -> str:
        """A Python lambda that says of an option whether it can be carried through; None if only a trial can tell."""
        made = self.unit.sites[site]
        if made.values_only:
            [test] = tests
            if test.so_far is not None:
                return self._set_test(site, test, self.x.text(test.so_far))
            return f"lambda x_: {self._tested(test)}"
        text = "None"
        for test in reversed(tests):
            if test.branch >= 0:
                text = f"{self._tested(test)} if {self.x.in_branch('x_', site, test.branch)} else {text}"
        if made.may_pass:
            passes = any(test.branch < 0 for test in tests)
            text = f"{True if passes else None} if x_ < 0 else {text}"
        return f"lambda x_: {text}"

    def _set_test(self, site: int, test: ir.OptionTest, picked: str) -> str:
        """Tests the set with and without this pick. A larger set may pass where this one does not, unless its price
        grows with every pick."""
        more = f"{picked} + ({self.x.value_in('x_', site, 0, 0)},)"
        ended, longer = (self._tested(test, chosen) for chosen in (picked, more))
        return f"lambda x_: {ended} if x_ < 0 else {longer}{'' if test.grows else ' or None'}"

    def _tested(self, test: ir.OptionTest, chosen: str = "") -> str:
        if not test.routine:
            return "True"
        self.x.chosen = chosen
        return self.x.called(test.routine, test.args)

    def _suppose(self, ins: ir.Suppose) -> None:
        where = self.x.index(ins.address)
        self.line(f"{ins.local} = {self.x.f}[{where}]", ins.span)
        self.line(f"{self.x.f}[{where}] = {self.x.text(ins.value)}")
        self._until_put_back(ins.body, f"{self.x.f}[{where}] = {ins.local}")

    def _suppose_move(self, ins: ir.SupposeMove) -> None:
        piece = self.x.text(ins.piece)
        place = self.x.index(ins.target) if ins.target is not None else "-1"
        self.line(f"{ins.local} = suppose_{ins.how}(S, {piece}, {place})", ins.span)
        self._until_put_back(ins.body, f"lay_back(S, {piece}, {ins.local})")

    def _until_put_back(self, body: Block, putting_back: str) -> None:
        """Whatever happens in the block, the state is afterwards as it was before: a question changes nothing."""
        self.line("try:")
        self._inner(body)
        self.line("finally:")
        with self.writer.indented():
            self.line(putting_back)

    def _set_options(self, ins: ir.SetOptions) -> None:
        such = f"lambda {ins.chosen}: {self.x.text(ins.such_that)}" if ins.such_that is not None else "None"
        bounds = f"{self.x.text(ins.low) if ins.low is not None else 0}, {self.x.maybe(ins.high)}"
        sets = f"{self.x.text(ins.candidates)}, {self.x.text(ins.picked)}"
        lowest = self.unit.sites[ins.site].branches[0].digits[0][0]
        self.line(f"o = set_options(S, {sets}, {bounds}, {such}, {(ins.how or '')!r}, {lowest}, {ins.units})", ins.span)


# ---------------------------------------------------------------------------- modules


@dataclass
class Emitted:
    """The source for one way of running, and for each of its lines the place in the rules that it comes from."""

    source: str
    places: list[tuple[str, int, int] | None]


class PythonEmitter(DecisionEmitter):
    # ------------------------------------------------------------------ the modules

    def emit(self, ways: dict[str, Routines]) -> dict[str, Emitted]:
        """The module of each way; all of them have the same texts, payments and tables at their end."""
        printed: dict[int, Writer] = {}  # lines by the routine or segment that they print
        functions: dict[str, list[Writer]] = {}
        self.entries = entries_of(self.unit.routines)
        for way, routines in ways.items():
            parts = [part for name in sorted(routines) for part in self._parts(routines[name])]
            for routine, segment in parts:
                # What a way leaves as it was is the same object in all of them (`ways.py`), and its lines are printed
                # once.
                if id(segment or routine) not in printed:
                    printed[id(segment or routine)] = self._printed(routine, segment)
            functions[way] = [printed[id(segment or routine)] for routine, segment in parts]
        functions["play"].append(self._reasons())
        parts_of_questions = self._parts_of_questions(ways["playout"])
        end = self._end()
        made = {way: self._module(way, [*lines, end]) for way, lines in functions.items()}
        if parts_of_questions is not None:
            made[PARTS] = self._module(PARTS, [parts_of_questions])
        return made

    def _parts_of_questions(self, routines: Routines) -> Writer | None:
        """Functions for the namespace of playouts; None if nobody asks for them."""
        parts = [*parts_of_questions(self.unit, routines)] if self.unit.has_secrets else []
        whole, names = Writer(), {}
        for routine, segment, branch in parts:
            name = names[segment.number, branch] = f"{self._segment_name(routine, segment)}__{branch + 1}"
            self.writer, self.routine, self.asking = Writer(), routine, True
            self._function(name, ["S", "F"], segment.body, routine.span, segment)
            self.asking = False
            whole.lines += self.writer.lines
            whole.places += self.writer.places
        listed = ", ".join(f"{key}: {name}" for key, name in names.items())
        self.writer = whole
        self.line("")
        self.line("")
        self.line(f"PARTS = {{{listed}}}")
        return whole if parts else None

    def _parts(self, routine: Routine) -> list[tuple[Routine, Segment | None]]:
        """What becomes a function: each segment of a framed routine, any other routine as a whole."""
        if routine.kind == "framed":
            return [(routine, segment) for segment in routine.segments]
        return [(routine, None)]

    def _module(self, way: str, parts: list[Writer]) -> Emitted:
        made = Writer()
        made.line(HEADER.format(title=self.unit.program.title, players=self.unit.program.players, way=NAMED[way]))
        made.line("")
        for values, name in self.x.pool.items():
            made.line(f"{name} = {values!r}")
        for part in parts:
            made.lines += part.lines
            made.places += part.places
        return Emitted(made.text(), made.places)

    def _end(self) -> Writer:
        """The part that is the same in every module."""
        self.writer = Writer()
        for text in self.unit.texts:
            self._expression(f"text_{text.number}", text.params, text.holes, text.template.span)
        for told in self.unit.told:
            self._expression(f"told_{told.number}", told.params, told.value)
        for payment in self.unit.payments.made:
            self._payment(payment)
        self._code(segment_count(self.unit.routines) - 1)
        self._foreseen_rules()
        return self.writer

    def _reasons(self) -> Writer:
        """What is asked about options that are not offered. Only games at a table are asked."""
        self.writer = Writer()
        for number, asked in enumerate(self.unit.reasons):
            self._expression(f"reason_{number}", asked.reason.params, asked.value)
        return self.writer

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
        """For each rule that a cell or a free action may start: the routine that says whether it can be carried
        through."""
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

    def _printed(self, routine: Routine, segment: Segment | None) -> Writer:
        self.writer, self.routine = Writer(), routine
        if segment is None:
            self._function(routine.name, ["S", *routine.params], routine.body, routine.span)
        else:
            self.asking = segment.role == "asks"
            self._function(self._segment_name(routine, segment), ["S", "F"], segment.body, routine.span, segment)
            self.asking = False
        return self.writer

    def _function(self, name: str, params: list[str], body: Block, span: Span, segment: Segment | None = None) -> None:
        self.framed = segment is not None
        outer, self.writer = self.writer, Writer()
        self.writer.depth = 1
        self.x.used.clear()
        self._block(body)
        if not self.writer.lines:
            self.line("return 0" if self.framed else "return None")
        made, self.writer = self.writer, outer
        self._head(name, params, span)
        with self.writer.indented():
            if segment is not None and segment.note:
                self.line(f"# {segment.note}")
            self._short_names()
            if self.framed:
                self._frame_locals(body)
        self.writer.lines += made.lines
        self.writer.places += made.places

    def _head(self, name: str, params: list[str], span: Span = NOWHERE) -> None:
        self.line("")
        self.line("")
        self.line(f"def {name}({', '.join(params)}):", span)

    def _short_names(self) -> None:
        for short in ("f", "p", "at"):
            if short in self.x.used:
                self.line(f"{short} = S.{short}")

    def _frame_locals(self, body: Block) -> None:
        """The locals that a segment reads from its frame. Loop variables of a question are not among them."""
        wanted = read_first(body, set()) - (looped(body) if self.asking else set())
        for position, slot in enumerate(self.routine.slots):
            if slot in wanted:
                self.line(f"{slot} = F[{position + 1}]")

    def _expression(self, name: str, params: tuple[str, ...], of: Op | tuple[Op, ...], span: Span = NOWHERE) -> None:
        """A function that gives the value of one operation, or those of several."""
        self.x.used.clear()
        value = self.x.sequence_of(of) if isinstance(of, tuple) else self.x.text(of)
        self._head(name, ["S", *params])
        with self.writer.indented():
            self._short_names()
            self.line(f"return {value}", span)

    def _payment(self, payment: ir.Payment) -> None:
        self._head(f"payment_{payment.number}", ["S", "player__0", "amounts", "among"])
        self.x.used |= {"f", "p", "at"}
        with self.writer.indented():
            self._short_names()
            held: dict[tuple[str, ...], str] = {}  # costs with the same sources are paid from the same units
            costs: list[str] = []
            for number, cost in enumerate(payment.costs):
                sources = tuple(self._source(source, number, at) for at, source in enumerate(cost.sources))
                if sources not in held:
                    held[sources] = f"held_{number}"
                    self.line(f"held_{number} = (")
                    for source in sources:
                        self.line(f"    *({source}),")
                    self.line(")")
                kinds = held[sources]
                costs.append(f"(amounts[{number}], {cost.pattern!r}, among[{number}], {kinds}, {cost.values}),")
            self.line("return (")
            for text in costs:
                self.line(f"    {text}")
            self.line(")")

    def _source(self, source: ir.PaySource, cost: int, position: int) -> str:
        when = f" if {self.x.text(source.when)} else ()" if source.when is not None else ""
        if source.contents is None:
            counter = ir.values_of(source.counter) if source.counter is not None else None
            address = self.x.text(source.address) if source.address is not None else f"among[{cost}]"
            return f"counter_source(f, {source.key}, {address}, {source.as_any}, {position}, {counter!r}){when}"
        contents = self.x.text(source.contents)
        wild = "" if source.wild is None else f", {source.wild}"
        return f"piece_source({contents}, {source.by}, {source.as_any}, {position}{wild}){when}"


def emit_python(unit: Unit, ways: dict[str, Routines]) -> dict[str, Emitted]:
    return PythonEmitter(unit).emit(ways)
