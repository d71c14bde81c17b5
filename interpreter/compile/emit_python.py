"""IR as Python source: readable, the same bytes for the same rules, a line table beside it.

A plain routine is a function, a segment of a framed one is a function too: `s12_turn(S, F)` with the frame it works
on. `CODE` lists the segments by number. A segment gives 1 when a decision is pending or the game is over, else 0.
In the text `S` is the state, `f` its array, `p` its lists, `at` where each piece is, `F` the frame, `o` the options
being made.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics.source import NOWHERE
from .emit_expressions import EVERYTHING, ExpressionEmitter
from .hoist import hoist, hoist_from_loops
from .ir import Ins, Op, Routine, Segment
from .lower_statements import free_locals
from .searches import share_searches
from .tidy import entry_of, instructions
from .unit import Unit
from .writer import Writer

Test = tuple[int, str, tuple[Any, ...]]  # a branch, what answers for it, with which arguments
MoveInfo = tuple[bool, int | None, bool, bool, str | None]  # may be none, capacity, track, by position, face
WRITERS = ("let", "call", "take", "draw", "deal", "move", "pick_random")
FEW_PASSES = 100  # a loop of so many passes at most need not be counted
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


class PythonEmitter:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.x = ExpressionEmitter(unit.layout, unit.program.players)
        self.writer = Writer()
        self.refusals: list[dict[str, object]] = []
        self.routine: Routine = Routine("", "plain", ())
        self.entries: dict[str, tuple[int, int]] = {}
        self.asking = False
        self.segment = Segment(0)
        self.has_free = bool(unit.program.free_actions)

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

    def line(self, text: str, span: object = NOWHERE) -> None:
        self.writer.line(text, span)  # type: ignore[arg-type]

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
        if routine.kind == "framed":
            for segment in routine.segments:
                self._segment(routine, segment)
            return
        body = share_searches(routine.body, self.unit.temporary) if routine.kind == "pure" else routine.body
        self._function(routine.name, ["S", *routine.params], body, routine.span, routine.name)

    def _segment_name(self, routine: Routine, segment: Segment) -> str:
        return f"s{segment.number}_{re.sub('[^a-z0-9_]', '_', routine.name.removeprefix('rule_'))}"

    def _segment(self, routine: Routine, segment: Segment) -> None:
        self.asking = segment.note == "asks"
        self.segment = segment
        body = segment.body
        if self.asking:
            body = share_searches(body, self.unit.temporary)
            body = hoist_from_loops(body, set(routine.slots), lambda: self.unit.temporary("h"))
        self._function(self._segment_name(routine, segment), ["S", "F"], body, routine.span, segment.note, framed=True)

    def _function(
        self, name: str, params: list[str], body: list[Ins], span: object, note: str, framed: bool = False
    ) -> None:
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

    def _prologue(self, lines: list[str], body: list[Ins], framed: bool) -> None:
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

    def _read_first(self, slot: str, body: list[Ins]) -> bool | None:
        """Whether the local is read before it is written: True, False (it is surely written first), None (neither)."""
        for ins in body:
            if slot in free_locals(ins.args):
                return True
            if ins.op == "for" and ins.args[0] == slot:
                continue
            if any(self._read_first(slot, block) for block in ins.blocks):
                return True
            if ins.op in WRITERS and ins.args[0] == slot:
                return False
        return None

    def _text(self, number: int, params: tuple[str, ...], holes: tuple[Op, ...]) -> None:
        inner = ", ".join(self.x.text(hole) for hole in holes)
        value = f"({inner},)" if holes else "()"
        self.line("")
        self.line("")
        self.line(f"def text_{number}({', '.join(['S', *params])}):")
        with self.writer.indented():
            self._prologue([value], [], False)
            self.line(f"return {value}")

    def _payment(self, payment: object) -> None:
        self.line("")
        self.line("")
        self.line(f"def payment_{payment.number}(S, player__0, amounts, among):")  # type: ignore[attr-defined]
        with self.writer.indented():
            self.line("f = S.f")
            self.line("p = S.p")
            self.line("at = S.at")
            self.line("return (")
            with self.writer.indented():
                for number, (pattern, sources, values) in enumerate(payment.costs):  # type: ignore[attr-defined]
                    self.line(f"(amounts[{number}], {pattern!r}, among[{number}], (")
                    for position, source in enumerate(sources):
                        self._source(source, number, position)
                    self.line(f"), {values}),")
            self.line(")")

    def _source(self, source: object, cost: int, position: int) -> None:
        from .lower_payments import SourceUnit

        assert isinstance(source, SourceUnit)
        when = f" if {self.x.text(source.when)} else ()" if source.when is not None else ""
        if source.contents is None:
            address = self.x.text(source.address) if source.address is not None else f"among[{cost}]"
            self.line(
                f"    *(counter_source(f, {source.key}, {address}, {source.as_any}, {position}, {source.counter!r})"
                f"{when}),"
            )
        else:
            contents = self.x.text(source.contents)
            self.line(f"    *(piece_source({contents}, {source.by}, {source.as_any}, {position}){when}),")

    # ------------------------------------------------------------------ instructions

    def _block(self, body: list[Ins], framed: bool) -> None:
        empty = False
        for position, ins in enumerate(body):
            if ins.op == "begin_options" and position + 1 < len(body) and self._listed(body[position + 1]) is not None:
                empty = True
                continue
            listed = self._listed(ins) if self.asking else None
            if listed is not None:
                self.line(f"o = {listed}" if empty else f"o += {listed}", ins.span)
            else:
                getattr(self, "_" + ins.op)(ins, framed, *ins.args)
            empty = False

    def _listed(self, ins: Ins) -> str | None:
        """Loops that do nothing but offer options, as one list; None for anything else."""
        clauses: list[str] = []
        loop = ""
        bound = set(self.routine.slots)
        while ins.op in ("for", "if"):
            if ins.op == "for":
                loop = ins.args[0]
                clauses.append(f"for {loop} in {self.x.text(ins.args[1])}")
                bound.add(loop)
            elif not clauses or ins.blocks[1]:
                return None
            else:
                self._add_test(clauses, ins.args[0], loop, bound)
            if len(ins.blocks[0]) != 1:
                return None
            ins = ins.blocks[0][0]
        if ins.op != "option" or not clauses:
            return None
        branch, names = ins.args
        item = names[0] if branch is None else f"({', '.join([str(branch), *names])})"
        return f"[{item} {' '.join(clauses)}]"

    def _add_test(self, clauses: list[str], test: Op, loop: str, bound: set[str]) -> None:
        """A filter of the innermost loop; what it works out of outer names alone stands before that loop."""
        position = max(i for i, clause in enumerate(clauses) if clause.startswith(f"for {loop} in "))
        found: dict[str, Op] = {}
        if position > 0:
            test = hoist(test, loop, bound, found, lambda: self.unit.temporary("h"))
        for name, op in found.items():
            clauses.insert(position, f"for {name} in ({self.x.text(op)},)")
        clauses.append(f"if {self.x.condition(test)}")

    def _inner(self, body: list[Ins], framed: bool) -> None:
        with self.writer.indented():
            if body:
                self._block(body, framed)
            else:
                self.line("pass")

    def _assign(self, name: str, value: str, span: object = NOWHERE) -> None:
        slots = self.routine.slots if self.routine.kind == "framed" else ()
        target = f"{name} = F[{slots.index(name) + 1}]" if name in slots else name
        self.line(f"{target} = {value}", span)

    def _let(self, ins: Ins, framed: bool, name: str, value: Op) -> None:
        text = self.x.text(value)
        if framed and name in self.routine.slots and self._is_list(value):
            text = f"tuple({text})"
        self._assign(name, text, ins.span)

    def _is_list(self, value: Op) -> bool:
        """Frames hold tuples: plain data that clones may share."""
        from ..check.value_types import SetOf, bare

        if value.op in ("sequence", "append", "snapshot", "memory"):
            return False
        return value.op in ("all", "without", "join", "range", "list", "group") or isinstance(bare(value.type), SetOf)

    def _refusal(self, kind: str, ins: Ins, **details: object) -> int:
        place = (ins.span.source.name, *ins.span.source.place(ins.span.start)) if ins.span.source.text else None
        self.refusals.append({"kind": kind, "place": place, "cites": ins.cites, "rule": self.routine.rule, **details})
        return len(self.refusals) - 1

    def _store(
        self, ins: Ins, framed: bool, address: Op, value: Op, low: int | None, high: int | None, mode: str, name: str
    ) -> None:
        where, text = self.x.index(address), self.x.text(value)
        if address.op == "address" and address.args[2]:
            text_address = self.x.text(address)
            self.line(f"if {text_address} < 0: raise Refused({self._refusal('none', ins, name=name)})", ins.span)
        if mode == "cap":
            text = f"max({low}, min({high}, {text}))"
        elif mode == "check":
            from ..check.value_types import NO_NUMBER, Maybe

            none = NO_NUMBER if isinstance(value.type, Maybe) else None
            text = f"v_ if {low} <= (v_ := {text}) <= {high} else in_range(v_, {low}, {high}, {name!r}, {none})"
        self.line(f"f[{where}] = {text}", ins.span)

    def _store_face(
        self, ins: Ins, framed: bool, die: Op, value: Op, low: int, high: int, mode: str, name: str
    ) -> None:
        text = self.x.text(value)
        if mode == "check":
            text = f"v_ if {low} <= (v_ := {text}) <= {high} else in_range(v_, {low}, {high}, {name!r}, None)"
        self.line(f"f[{self.unit.layout.dice} + {self.x.text(die)}] = {text}", ins.span)

    def _reset(self, ins: Ins, framed: bool, base: int, size: int, number: int) -> None:
        value = f"[{number}] * {size}" if size > 1 else f"[{number}]"
        self.line(f"S.f[{base}:{base + size}] = {value}", ins.span)

    def _limit_depth(self, ins: Ins, framed: bool, rule: str, depth: int) -> None:
        self.line(f"if len(S.k) > {depth}: limit_depth(S, {rule!r}, {depth})", ins.span)

    def _not_into_itself(self, ins: Ins, framed: bool, piece: Op, place: Op) -> None:
        self.line(f"not_into_itself(S, {self.x.text(piece)}, {self.x.text(place)})", ins.span)

    def _require(self, ins: Ins, framed: bool, condition: Op, why: tuple[object, ...], values: tuple[Op, ...]) -> None:
        kind = why[0]
        if kind == "text":
            number = self._refusal("requires", ins, text=why[1])
            told = ""
            if why[1] is not None:
                given = ", ".join(["S", *(self.x.text(value) for value in values)])
                told = f", lambda: text_{why[1]}({given})"
        elif kind == "counter":
            number = self._refusal("counter", ins, name=why[1])
            told = f", lambda: ({self.x.text(why[2])}, {self.x.text(why[3])})"  # type: ignore[arg-type]
        else:
            number = self._refusal(str(kind), ins, name=why[1])
            told = ""
        self.line(f"if not {self.x.text(condition)}:", ins.span)
        with self.writer.indented():
            self.line(f"raise Refused({number}{told})", ins.span)

    def _move(
        self,
        ins: Ins,
        framed: bool,
        source: str,
        piece: Op,
        target: Op | None,
        how: str,
        behind: Op | None,
        info: MoveInfo,
    ) -> None:
        optional, capacity, track, by_position, face = info
        x = self.x.text(piece)
        if optional:
            self.line(f"if {x} < 0: raise Refused({self._refusal('nothing to move', ins)})", ins.span)
        place = self.x.text(target) if target is not None else "-1"
        bare_place = self.x.index(target) if target is not None else "-1"
        if capacity is not None and how not in ("box",):
            full = self._refusal("full", ins)
            if how == "slot":
                lists = self.unit.layout.lists
                self.line(f"if f[{place} - {lists}] >= 0: raise Refused({full})", ins.span)
            elif how == "group":
                slots = f"group(f, {place} - {self.unit.layout.lists}, {capacity})"
                self.line(f"if len({slots}) >= {capacity}: raise Refused({full})", ins.span)
            else:
                self.line(
                    f"if len(p[{bare_place}]) >= {capacity} and S.at[{x}] != {bare_place}: raise Refused({full})",
                    ins.span,
                )
        more = (
            f", {self.x.text(behind)}"
            if how == "behind" and behind is not None
            else f", {capacity}"
            if how == "group"
            else ""
        )
        self._assign(source, f"put_{how}(S, {x}, {bare_place}{more})", ins.span)
        faces = self.unit.uses_faces
        if faces:
            self.line(f"was_down = lay(S, {x}, {face == 'down'})", ins.span)
        if track:
            more = ", was_down" if faces else ""
            self.line(f"if TRACK: moved(S, {x}, {source}, {place}, {by_position}{more})", ins.span)

    def _take(self, ins: Ins, framed: bool, name: str, pieces: Op, count: Op, exactly: bool) -> None:
        listed = self.x.text(pieces)
        number = self.x.text(count)
        if exactly:
            refused = self._refusal("too few", ins)
            self._assign(name, f"take_exactly({listed}, {number}, {refused})", ins.span)
        else:
            self._assign(
                name, f"tuple({listed}[:{number}])" if number.isdigit() else f"take_up_to({listed}, {number})", ins.span
            )

    def _draw(self, ins: Ins, framed: bool, name: str, source: Op, count: Op, exactly: bool) -> None:
        refused = self._refusal("too few", ins) if exactly else None
        self._assign(name, f"draw_from_bag(S, {self.x.text(source)}, {self.x.text(count)}, {refused})", ins.span)

    def _deal(
        self, ins: Ins, framed: bool, name: str, source: Op, target: Op, manner: str, count: Op, info: tuple[bool, bool]
    ) -> None:
        exactly, track = info
        refused = self._refusal("too few", ins) if exactly else None
        here, there, number = self.x.text(source), self.x.text(target), self.x.text(count)
        self._assign(name, f"deal_{manner}(S, {here}, {there}, {number}, {refused})", ins.span)
        if track:
            self.line(f"if TRACK: dealt(S, {name}, {here}, {there})", ins.span)

    def _shuffle(self, ins: Ins, framed: bool, address: Op) -> None:
        self.line(f"shuffle(S, {self.x.text(address)})", ins.span)

    def _shuffle_into(self, ins: Ins, framed: bool, source: Op, target: Op) -> None:
        self.line(f"shuffle_into(S, {self.x.text(source)}, {self.x.text(target)})", ins.span)

    def _swap_pieces(self, ins: Ins, framed: bool, a: Op, b: Op) -> None:
        self.line(
            f"swap_pieces(S, {self.x.text(a)}, {self.x.text(b)}, {self._refusal('nothing to move', ins)})", ins.span
        )

    def _swap_places(self, ins: Ins, framed: bool, a: Op, b: Op, size: int) -> None:
        self.line(f"swap_places(S, {self.x.text(a)}, {self.x.text(b)}, {size})", ins.span)

    def _pass_on(self, ins: Ins, framed: bool, base: int, stride: int, size: int, direction: str) -> None:
        self.line(f"pass_on(S, {base}, {stride}, {size}, {direction!r})", ins.span)

    def _flip(self, ins: Ins, framed: bool, piece: Op, face: str) -> None:
        self.line(f"flip(S, {self.x.text(piece)}, {face == 'down'})", ins.span)

    def _reveal(self, ins: Ins, framed: bool, pieces: Op, to: Op | None) -> None:
        self.line(
            f"if TRACK or TRIAL: reveal(S, {self.x.text(pieces)}, {self.x.text(to) if to is not None else None})",
            ins.span,
        )

    def _reveal_field(self, ins: Ins, framed: bool, address: Op, to: Op | None) -> None:
        reader = self.x.text(to) if to is not None else None
        self.line(
            f"if TRACK or TRIAL: reveal_field(S, {self.x.text(address)}, {reader})",
            ins.span,
        )

    def _roll(self, ins: Ins, framed: bool, first: Op, count: int | None, low: int, high: int) -> None:
        number = 1 if count is None else count
        self.line(f"roll(S, {self.x.text(first)}, {number}, {low}, {high})", ins.span)

    def _pick_random(self, ins: Ins, framed: bool, name: str, source: Op, place: Op | None, pieces: bool) -> None:
        where = self.x.text(place) if place is not None else None
        self._assign(name, f"pick_random(S, {self.x.text(source)}, {where}, {pieces})", ins.span)

    def _call(self, ins: Ins, framed: bool, name: str | None, routine: str, args: tuple[Op, ...]) -> None:
        text = f"{routine}({', '.join(['S', *(self.x.text(arg) for arg in args)])})"
        if name is None:
            self.line(text, ins.span)
        else:
            self._assign(name, text, ins.span)

    def _call_frame(self, ins: Ins, framed: bool, routine: str, args: tuple[Op, ...], resume: int) -> None:
        """Pushes a frame and goes straight on in it; when it is done the machine comes back to `resume`."""
        entry, size = self.entries[routine]
        padding = size - 1 - len(args)
        filled = ["0"] * padding if padding < 6 else [f"*[0] * {padding}"]
        items = [str(entry), *(self._kept(arg) for arg in args), *filled]
        called = self.unit.routines[routine]
        first = next(segment for segment in called.segments if segment.number == entry)
        self.line(f"F[0] = {resume}", ins.span)
        self.line(f"G = [{', '.join(items)}]", ins.span)
        self.line("S.k.append(G)", ins.span)
        self.line(f"return {self._segment_name(called, first)}(S, G)", ins.span)

    def _kept(self, arg: Op) -> str:
        text = self.x.text(arg)
        return f"tuple({text})" if self._is_list(arg) and arg.op != "local" else text

    def _perform(
        self, ins: Ins, framed: bool, cell: Op, player: Op, given: tuple[tuple[str, Op], ...], resume: int | None
    ) -> None:
        refused = self._refusal("cannot perform", ins)
        self.line(f"F[0] = {resume}", ins.span)
        given_text = f"{self.x.text(cell)}, {self.x.text(player)}, {self.x.given(given)}"
        self.line(f"return perform(S, {given_text}, {refused})", ins.span)

    def _if(self, ins: Ins, framed: bool, condition: Op) -> None:
        then, otherwise = ins.blocks
        if not then and not otherwise:
            return
        if then and not otherwise and self._unless_found(ins, framed, condition, then):
            return
        text = self.x.condition(condition)
        if not then:
            self.line(f"if not {text}:", ins.span)
            self._inner(otherwise, framed)
            return
        self.line(f"if {text[1:-1] if self.x._whole(text) and text.startswith('(') else text}:", ins.span)
        self._inner(then, framed)
        if otherwise:
            self.line("else:")
            self._inner(otherwise, framed)

    def _unless_found(self, ins: Ins, framed: bool, condition: Op, then: list[Ins]) -> bool:
        """`if no x in S has C` as a loop that is left when one is found: quicker than a generator."""
        if condition.op != "not" or condition.args[0].op != "some" or self.x.is_peephole(condition.args[0]):
            return False
        local, source, where, has = condition.args[0].args
        both = has if where is None else Op("and", (where, has), has.type)
        found: dict[str, Op] = {}
        test = hoist(both, local, EVERYTHING, found, lambda: self.unit.temporary("h"))
        for name, op in found.items():
            self.line(f"{name} = {self.x.text(op)}", ins.span)
        self.line(f"for {local} in {self.x.text(source)}:", ins.span)
        with self.writer.indented():
            self.line(f"if {self.x.condition(test)}: break", ins.span)
        self.line("else:")
        self._inner(then, framed)
        return True

    def _for(self, ins: Ins, framed: bool, name: str, source: Op) -> None:
        self.line(f"for {name} in {self.x.text(source)}:", ins.span)
        if framed and name in self.routine.slots and not self.asking:
            with self.writer.indented():
                self.line(f"F[{self.routine.slots.index(name) + 1}] = {name}")
        self._inner(ins.blocks[0], framed)

    def _while(self, ins: Ins, framed: bool, condition: Op, at_most: Op | None) -> None:
        if at_most is not None:
            self.line(f"for _ in counted(S, range({self.x.text(at_most)})):", ins.span)
            with self.writer.indented():
                if not (at_most.op == "const" and at_most.args[0] <= FEW_PASSES):
                    self.line("step(S)", ins.span)
                self.line(f"if not {self.x.text(condition)}:")
                with self.writer.indented():
                    self.line("break")
        else:
            self.line(f"while {self.x.text(condition)}:", ins.span)
            with self.writer.indented():
                self.line("step(S)")
        self._inner(ins.blocks[0], framed)

    def _loop(self, ins: Ins, framed: bool, times: Op | None) -> None:
        if times is not None:
            self.line(f"for _ in counted(S, range({self.x.text(times)})):", ins.span)
        else:
            self.line("while True:", ins.span)
            with self.writer.indented():
                self.line("step(S)")
        self._inner(ins.blocks[0], framed)

    def _break(self, ins: Ins, framed: bool) -> None:
        self.line("break", ins.span)

    def _return(self, ins: Ins, framed: bool, value: Op | None) -> None:
        if not framed and value is not None and value.op == "in_range":
            inner, low, high, *_ = value.args
            self.line(f"v_ = {self.x.text(inner)}", ins.span)
            self.line(f"if {low} <= v_ <= {high}: return v_")
            checked = Op("in_range", (Op("local", ("v_",), inner.type), *value.args[1:]), value.type, value.span)
            self.line(f"return {self.x.text(checked)}", ins.span)
            return
        if not framed:
            self.line(f"return {self.x.text(value)}" if value is not None else "return", ins.span)
            return
        if value is not None:
            self.line(f"S.r = {self._kept(value)}", ins.span)
        self.line("S.k.pop()", ins.span)
        self.line("return 0")

    def _goto(self, ins: Ins, framed: bool, segment: int, loop: int, backward: bool) -> None:
        if loop:
            self._pass_ends(ins, framed, loop)
        if backward:
            self.line(f"F[0] = {segment}")
            self.line("return 0")
        else:
            routine = self.routine
            target = next(s for s in routine.segments if s.number == segment)
            if target.note == "asks":
                self.line(f"F[0] = {segment}")
            self.line(f"return {self._segment_name(routine, target)}(S, F)")

    def _pass_ends(self, ins: Ins, framed: bool, loop: int) -> None:
        self.line(f"if TRIAL and S.tb == (len(S.k), {loop}): raise Carried")

    def _ask(self, ins: Ins, framed: bool, site: int, player: Op, if_possible: bool, picked: Op | None = None) -> None:
        made = self.unit.sites[site]
        who = self.x.text(player)
        free = self.has_free and (made.in_phase or any(rule.inside_actions for rule in self.unit.program.free_actions))
        if made.kind == "pause":
            self.line("if TRIAL: raise Carried")
        if made.kind == "may" and not free:
            answered = next(s for s in self.routine.segments if s.number == self.segment.number + 1)
            self.line("if len(o) == 1 and o[0] is None:  # nothing but passing: nobody is asked")
            with self.writer.indented():
                self.line("S.pick = None")
                self.line(f"F[0] = {answered.number}")
                self.line(f"return {self._segment_name(self.routine, answered)}(S, F)")
        elif free and not if_possible and made.kind in ("choose", "one", "may", "pause"):
            self._ask_with_free(site, who, made.kind == "may")
            return
        elif if_possible or free or made.kind in ("may", "set", "pay", "order"):
            so_far = f", {self.x.text(picked)}" if picked is not None else ""
            self.line(f"return ask(S, F, {site}, {who}, o, {if_possible}{so_far})", ins.span)
            return
        self.line(f"S.site = {site}", ins.span)
        self.line(f"S.who = {who}", ins.span)
        self.line("S.opts = o")
        self.line("return 1")

    def _ask_with_free(self, site: int, who: str, may_pass: bool) -> None:
        """Free actions come last among the options; what says that none is possible is asked at once."""
        self.line(f"S.site = {site}")
        self.line(f"S.who = {who}")
        self.line(f"if o and not TRIAL{self._free_guard(who)}: o = with_free_actions(S, {site}, {who}, o)")
        if may_pass:
            answered = next(s for s in self.routine.segments if s.number == self.segment.number + 1)
            self.line("if len(o) == 1 and o[0] is None:")
            with self.writer.indented():
                self.line("S.pick = None")
                self.line(f"F[0] = {answered.number}")
                self.line(f"return {self._segment_name(self.routine, answered)}(S, F)")
        self.line("S.opts = o")
        self.line("return 1")

    def _free_guard(self, who: str) -> str:
        tests = []
        for rule in self.unit.program.free_actions:
            name = self.unit.foreseen_entries.get(rule)
            if not name or len(rule.params) > 1:
                return ""
            tests.append(f"{name}(S, {who}) is not False")
        return f" and ({' or '.join(tests)})"

    def _begin_options(self, ins: Ins, framed: bool) -> None:
        self.line("o = []")

    def _option(self, ins: Ins, framed: bool, branch: int | None, names: tuple[str, ...]) -> None:
        if branch is None:
            self.line(f"o.append({names[0]})")
        else:
            self.line(
                f"o.append(({', '.join([str(branch), *names])},))"
                if not names
                else f"o.append(({', '.join([str(branch), *names])}))"
            )

    def _once(self, ins: Ins, framed: bool, local: str, memory: str, how: str, twins: tuple[str, ...]) -> None:
        """A piece that is also bound beside (a twin) is never left out, and stands for no other."""
        other = "".join(f"{local} != {twin} and " for twin in twins)
        if how == "row":
            self.line(f"if {other}ROW[{local}] == {memory}: continue")
            unless_twin = f"if {other.removesuffix(' and ')}: " if twins else ""
            self.line(f"{unless_twin}{memory} = ROW[{local}]")
        else:
            self.line(f"if {other}seen_equal(S, {local}, {memory}): continue")

    def _begin_unsure(self, ins: Ins, framed: bool) -> None:
        self.line("u = []")

    def _option_if(self, ins: Ins, framed: bool, answer: Op, branch: int | None, names: tuple[str, ...]) -> None:
        text = names[0] if branch is None else f"({', '.join([str(branch), *names])},)"
        if answer.op == "unsure":
            self.line(f"o.append({text})", ins.span)
            self.line(f"u.append({text})")
            return
        self.line(f"r = TRIAL or {self.x.text(answer)}", ins.span)
        self.line(f"if r: o.append({text})")
        self.line("elif r is None:")
        with self.writer.indented():
            self.line(f"o.append({text})")
            self.line(f"u.append({text})")

    def _try_unsure(self, ins: Ins, framed: bool, site: int, player: Op, unsure: bool, callers: bool) -> None:
        listed = "u" if unsure else "()"
        needed = "not TRIAL" if callers else "u and not TRIAL"
        self.line(f"if {needed}: o = tried_options(S, {site}, {self.x.text(player)}, o, {listed})", ins.span)

    def _filter(self, ins: Ins, framed: bool, site: int, player: Op, tests: tuple[Test, ...]) -> None:
        test = self._test(site, tests) if tests else "None"
        self.line(f"if not TRIAL: o = carried_options(S, F, {site}, {self.x.text(player)}, o, {test})")

    def _test(self, site: int, tests: tuple[Test, ...]) -> str:
        """A function of an option: whether it can be carried through; None where only a trial can tell."""
        made = self.unit.sites[site]
        if made.values_only:
            [(_, name, args)] = tests
            last = args[-1] if args else None
            if isinstance(last, tuple):
                return self._set_test(name, args[:-1], last[1], last[2])
            return f"lambda x_: {self._tested(name, args, made.values_only)}"
        text = "None"
        for branch, name, args in reversed(tests):
            if branch >= 0:
                text = f"{self._tested(name, args, False)} if x_[0] == {branch} else {text}"
        if made.may_pass:
            passes = any(branch < 0 for branch, _, _ in tests)
            text = f"{True if passes else None} if x_ is None else {text}"
        return f"lambda x_: {text}"

    def _set_test(self, name: str, args: tuple[Any, ...], so_far: Op, grows: bool) -> str:
        """With one more, or as it is. A larger set may do what this one does not, unless its price grows."""
        picked = self.x.text(so_far)
        ended, longer = (self._tested(name, args, True, chosen) for chosen in (picked, f"{picked} + (x_,)"))
        return f"lambda x_: {ended} if x_ is None else {longer}{'' if grows else ' or None'}"

    def _tested(self, name: str, args: tuple[Any, ...], is_value: bool, chosen: str = "") -> str:
        if not name:
            return "True"
        texts = []
        for arg in args:
            if isinstance(arg, int):
                texts.append("x_" if is_value else f"x_[{arg + 1}]")
            else:
                texts.append(chosen if arg == "chosen" else self.x.text(arg))
        return f"{name}({', '.join(['S', *texts])})"

    def _borrow(self, ins: Ins, framed: bool, address: Op, amount: Op) -> None:
        where, less = self.x.index(address), self.x.text(amount)
        self.line(f"f[{where}] -= {less}", ins.span)
        self.line("try:")
        self._inner(ins.blocks[0], framed)
        self.line("finally:")
        with self.writer.indented():
            self.line(f"f[{where}] += {less}")

    def _pass_option(self, ins: Ins, framed: bool) -> None:
        self.line("o.append(None)")

    def _if_no_option(self, ins: Ins, framed: bool) -> None:
        otherwise = any(inner.op == "option" for _, _, inner in instructions(ins.blocks[0]))
        if otherwise:
            self.line("if TRIAL and S.pick is NOTHING_ELSE: o, S.pick = [], None")
        self.line("if not o:")
        self._inner(ins.blocks[0], framed)

    def _set_options(
        self,
        ins: Ins,
        framed: bool,
        candidates: Op,
        picked: Op,
        low: Op | None,
        high: Op | None,
        chosen: str,
        such: Op | None,
        how: str,
    ) -> None:
        such_text = f"lambda {chosen}: {self.x.text(such)}" if such is not None else "None"
        bounds = f"{self.x.text(low) if low is not None else 0}, {self.x.text(high) if high is not None else None}"
        self.line(
            f"o = set_options(S, {self.x.text(candidates)}, {self.x.text(picked)}, {bounds}, {such_text}, {how!r})",
            ins.span,
        )

    def _pay_options(
        self, ins: Ins, framed: bool, number: int, player: Op, amounts: tuple[Op, ...], among: tuple[Op, ...], picks: Op
    ) -> None:
        problem = (
            f"payment_{number}(S, {self.x.text(player)}, {self.x.sequence_of(amounts)}, {self.x.sequence_of(among)})"
        )
        refused = self._refusal("cannot pay", ins)
        self.line(f"o = payment_options({problem}, {self.x.text(picks)}, {refused})", ins.span)

    def _settle(
        self,
        ins: Ins,
        framed: bool,
        number: int,
        player: Op,
        amounts: tuple[Op, ...],
        among: tuple[Op, ...],
        picks: Op,
        to: Op | None,
    ) -> None:
        problem = (
            f"payment_{number}(S, {self.x.text(player)}, {self.x.sequence_of(amounts)}, {self.x.sequence_of(among)})"
        )
        receiver = self.x.text(to) if to is not None else None
        self.line(f"settle(S, {problem}, {self.x.text(picks)}, {self.x.text(player)}, {receiver})", ins.span)

    def _together(self, ins: Ins, framed: bool, change: int) -> None:
        self.line("begin_together(S)" if change > 0 else "end_together(S)")

    def _say(self, ins: Ins, framed: bool, text: int, values: tuple[Op, ...], to: Op | None) -> None:
        given = ", ".join(["S", *(self.x.text(value) for value in values)])
        self.line(
            f"if TRACK: say(S, {text}, text_{text}({given}), {self.x.text(to) if to is not None else None})", ins.span
        )

    def _ended(self, framed: bool) -> None:
        self.line("return 1" if framed else "raise Ended")

    def _reason(self, text: int | None, values: tuple[Op, ...]) -> str:
        if text is None:
            return "None, ()"
        return f"{text}, text_{text}({', '.join(['S', *(self.x.text(value) for value in values)])})"

    def _wins(self, ins: Ins, framed: bool, players: Op, text: int | None, values: tuple[Op, ...]) -> None:
        self.line(f"wins(S, tuple({self.x.text(players)}), {self._reason(text, values)})", ins.span)
        self._ended(framed)

    def _end_game(self, ins: Ins, framed: bool, players: None, text: int | None, values: tuple[Op, ...]) -> None:
        self.line(f"end_game(S, {self._reason(text, values)})", ins.span)
        self._ended(framed)

    def _drops_out(self, ins: Ins, framed: bool, player: Op, text: int | None, values: tuple[Op, ...]) -> None:
        self.line(f"drop_out(S, {self.x.text(player)}, {self._reason(text, values)})", ins.span)


def looped(body: list[Ins]) -> set[str]:
    """Locals that loops of these instructions go over."""
    found = {ins.args[0] for ins in body if ins.op == "for"}
    return found.union(*(looped(block) for ins in body for block in ins.blocks))


def emit_python(unit: Unit) -> Emitted:
    return PythonEmitter(unit).emit()
