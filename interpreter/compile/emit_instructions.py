"""Instructions as Python statements: values kept and stored, pieces moved, loops, calls, endings.

An instruction that fits on one line has a template in `INSTRUCTIONS`; if it sets a local, the line is assigned to it.
Every other instruction has a method of its name. `framed` says whether the text becomes a segment (it gives 0 or 1 and
keeps its locals in the frame) or a plain function; `asking`, whether that segment works out options. `Writer` holds the
lines, their indentation, and the table from emitted lines to places in the rules.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from ..check.value_types import NO_NUMBER, Maybe, SetOf, bare
from ..diagnostics.source import NOWHERE, Span
from ..files.records import handler
from . import ir
from .emit_expressions import PAYMENT, ExpressionEmitter, Holes
from .hoist import without_copies
from .ir import Block, Ins, Op, Routine, Segment
from .meta import PASS, STEP
from .unit import Unit

FEW_PASSES = 100  # a loop of at most this many passes need not be counted


INSTRUCTIONS: dict[type[ir.Ins], str] = {
    ir.LimitDepth: "if len(S.k) > {depth}: limit_depth(S, {rule!r}, {depth})",
    ir.NotIntoItself: "not_into_itself(S, {piece}, {place})",
    # Options
    ir.BeginOptions: "o = []",
    ir.ForgetOptions: "o = []",
    ir.BeginUnsure: "u = []",
    ir.OfferAll: "o = {source}",
    ir.PassOption: f"o.append({PASS})",
    ir.PayOptions: f"o = payment_options(S, {PAYMENT}, {{picks}}, {{refusal}})",
    ir.Settle: f"settle(S, {PAYMENT}, {{picks}}, {{player}}, {{to}})",
    # Pieces
    ir.Draw: "draw_from_bag(S, {place}, {count}, {too_few})",
    ir.Deal: "deal_{how}(S, {source}, {target}, {count}, {too_few})",
    ir.NoteDeal: "dealt(S, {pieces}, {source}, {target})",
    ir.NoteSpot: "lost_order(S, {place}, {knower}, {piece})",
    ir.Shuffle: "shuffle(S, {place})",
    ir.ShuffleInto: "shuffle_into(S, {place}, {into})",
    ir.SwapPieces: "swap_pieces(S, {first}, {second}, {missing}, {carried})",
    ir.SwapPlaces: "swap_places(S, {first}, {second}, {size}, {rooms!r}, {full})",
    ir.PassOn: "pass_on(S, {base}, {stride}, {size}, {direction!r})",
    # Knowledge and chance
    ir.Reveal: "reveal(S, {pieces}, {to})",
    ir.RevealField: "reveal_field(S, {address}, {to})",
    ir.RevealDice: "reveal_dice(S, {dice}, {first}, {to})",
    ir.PickRandom: "pick_random(S, {source}, {place}, {unseen}, {varies})",
    # Leaving, and counting
    ir.Break: "break",
    ir.PassEnds: "if S.tb == (len(S.k), {loop}): raise Carried",
    ir.Succeed: "raise Carried",
    ir.TryListed: "try_listed(S, {player}, o)",
    ir.Hit: "HITS[{number}] += 1",
}


class InstructionEmitter:
    """Instructions that change the state, and loops; decisions and routines are added by subclasses."""

    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.x = ExpressionEmitter(unit.layout, unit.sites)
        self.writer = Writer()
        self.routine: Routine = Routine("", "plain", ())
        self.entries: dict[str, tuple[int, int]] = {}
        self.framed = False
        self.asking = False

    def line(self, text: str, span: Span = NOWHERE) -> None:
        self.writer.line(text, span)

    def _segment_name(self, routine: Routine, segment: Segment) -> str:
        return f"s{segment.number}_{re.sub('[^a-z0-9_]', '_', routine.name.removeprefix('rule_'))}"

    def _block(self, body: Block) -> None:
        begins = False
        for ins, following in zip(body, [*body[1:], None], strict=True):
            listed = self._listed(ins) if self.asking else None
            if listed is not None:
                self.line(f"o = {listed}" if begins else f"o += {listed}", ins.span)
            begins = isinstance(ins, ir.BeginOptions) and self._listed(following) is not None
            if listed is not None or begins:
                continue
            if type(ins) in INSTRUCTIONS:
                self._by_template(ins)
            else:
                method: Callable[[Ins], None] = getattr(self, handler(type(ins)))
                method(ins)

    def _by_template(self, ins: Ins) -> None:
        text = INSTRUCTIONS[type(ins)].format_map(Holes(ins, self.x))
        if ins.local_set is not None:
            self._assign(ins.local_set, text, ins.span)
        else:
            self.line(text, ins.span)

    def _listed(self, ins: Ins | None) -> str | None:
        """Nested loops that do nothing but offer options, as one list comprehension; None for anything else."""
        # A comprehension is quicker than a loop that appends, and listing options is most of what many games do.
        clauses: list[str] = []
        while isinstance(ins, ir.For | ir.If):
            if isinstance(ins, ir.For):
                clauses.append(f"for {ins.local} in {self.x.text(ins.source)}")
                inner = ins.body
            elif not clauses or ins.otherwise:
                return None
            else:
                clauses.append(f"if {self.x.condition(ins.condition)}")
                inner = ins.then
            *before, ins = inner or [ins]
            for let in before:
                if not isinstance(let, ir.Let):
                    return None
                clauses.append(f"for {let.local} in ({self.x.text(let.value)},)")
        if not isinstance(ins, ir.Option) or not clauses:
            return None
        item = self.x.option(ins.site, ins.branch, ins.names)
        return f"[{item} {' '.join(clauses)}]"

    def _inner(self, body: Block) -> None:
        with self.writer.indented():
            if body:
                self._block(body)
            else:
                self.line("pass")

    def _assign(self, name: str, value: str, span: Span = NOWHERE) -> None:
        slots = self.routine.slots if self.routine.kind == "framed" else ()
        target = f"{name} = F[{slots.index(name) + 1}]" if name in slots else name
        self.line(f"{target} = {value}", span)

    def _let(self, ins: ir.Let) -> None:
        text = self.x.text(ins.value)
        if self.framed and ins.local in self.routine.slots and self._is_list(ins.value):
            text = self._as_tuple(ins.value)
        self._assign(ins.local, text, ins.span)

    def _is_list(self, value: Op) -> bool:
        """True if the value is a Python list, which must become a tuple before it goes into a frame: clones share frame
        contents, so these must never change."""
        if isinstance(value, ir.Sequence | ir.Append | ir.Snapshot | ir.Memory):
            return False
        lists = ir.All | ir.Without | ir.Join | ir.Range | ir.Contents | ir.Group
        return isinstance(value, lists) or isinstance(bare(value.type), SetOf)

    def _as_tuple(self, value: Op) -> str:
        return f"tuple({self.x.text(without_copies(value))})"

    def _store(self, ins: ir.Store) -> None:
        where, text = self.x.index(ins.address), self.x.text(ins.value)
        if ins.missing is not None:
            self.line(f"if {self.x.text(ins.address)} < 0: raise Refused({ins.missing})", ins.span)
        if ins.mode == "cap":
            text = f"max({ins.low}, min({ins.high}, {text}))"
        elif ins.mode == "check":
            text = self._checked(ins, text, NO_NUMBER if isinstance(ins.value.type, Maybe) else None)
        self.line(f"{self.x.f}[{where}] = {text}", ins.span)

    def _wrote(self, ins: ir.Wrote) -> None:
        more = ", chosen=True" if ins.chosen else f", {ins.size}" if ins.size != 1 else ""
        self.line(f"wrote(S, {self.x.text(ins.address)}, {ins.unseen}{more})")

    def _store_face(self, ins: ir.StoreFace) -> None:
        text = self.x.text(ins.value)
        if ins.mode == "check":
            text = self._checked(ins, text, None)
        self.line(f"{self.x.f}[{self.unit.layout.dice} + {self.x.text(ins.die)}] = {text}", ins.span)

    def _checked(self, ins: ir.Store | ir.StoreFace, text: str, none: int | None) -> str:
        low, high = ins.low, ins.high
        return f"v_ if {low} <= (v_ := {text}) <= {high} else in_range(v_, {low}, {high}, {ins.name!r}, {none})"

    def _reset(self, ins: ir.Reset) -> None:
        value = f"[{ins.value}] * {ins.size}" if ins.size != 1 else f"[{ins.value}]"
        self.line(f"S.f[{ins.base}:{ins.base + ins.size}] = {value}", ins.span)

    def _require(self, ins: ir.Require) -> None:
        told = ""
        if ins.text is not None:
            told = f", lambda: {self.x.called(f'text_{ins.text}', ins.values)}"
            if self._is_costly(ins.text):  # many refusals are met that nobody asks about
                told = f", later({told[2:]})"
        elif ins.values:
            told = f", lambda: {self.x.sequence_of(ins.values)}"
        if ins.line is not None:
            told = f"{told or ', None'}, lambda: {self.x.text(ins.line)}"
        self.line(f"if not {self.x.text(ins.condition)}:", ins.span)
        with self.writer.indented():
            self.line(f"raise Refused({ins.refusal}{told})", ins.span)

    # ------------------------------------------------------------------ pieces

    def _move(self, ins: ir.Move) -> None:
        x = self.x.text(ins.piece)
        if ins.missing is not None:
            self.line(f"if {x} < 0: raise Refused({ins.missing})", ins.span)
        bare_place = self.x.index(ins.target) if ins.target is not None else "-1"
        if ins.full is not None and ins.target is not None:
            self._require_room(ins, x, self.x.text(ins.target), bare_place)
        more = ""
        if ins.how == "behind" and ins.behind is not None:
            more = f", {self.x.text(ins.behind)}"
        elif ins.how == "group":
            more = f", {ins.capacity}"
        self._assign(ins.source, f"put_{ins.how}(S, {x}, {bare_place}{more})", ins.span)

    def _require_room(self, ins: ir.Move, x: str, place: str, bare_place: str) -> None:
        capacity, lists = ins.capacity, self.unit.layout.lists
        if ins.how == "slot":
            test = f"{self.x.f}[{place} - {lists}] >= 0"
        elif ins.how == "group":
            test = f"len(group({self.x.f}, {place} - {lists}, {capacity})) >= {capacity}"
        else:
            test = f"len({self.x.p}[{bare_place}]) >= {capacity} and S.at[{x}] != {bare_place}"
        self.line(f"if {test}: raise Refused({ins.full})", ins.span)

    def _lay(self, ins: ir.Lay) -> None:
        self._assign(ins.local, f"lay(S, {self.x.text(ins.piece)}, {ins.face == 'down'})", ins.span)

    def _note_move(self, ins: ir.NoteMove) -> None:
        target = self.x.text(ins.target) if ins.target is not None else "-1"
        known = f"{self.x.text(ins.piece)}, {self.x.text(ins.source)}, {target}, {ins.by_position}"
        was_down = f", {self.x.text(ins.was_down)}" if ins.was_down is not None else ""
        self.line(f"moved(S, {known}{was_down})", ins.span)

    def _take(self, ins: ir.Take) -> None:
        listed = self.x.text(ins.pieces)
        number = self.x.text(ins.count)
        if ins.too_few is not None:
            taken = f"take_exactly({listed}, {number}, {ins.too_few})"
        else:
            is_known = isinstance(ins.count, ir.Const)
            taken = f"tuple({listed}[:{number}])" if is_known else f"take_up_to({listed}, {number})"
        self._assign(ins.local, taken, ins.span)

    def _flip(self, ins: ir.Flip) -> None:
        self.line(f"flip(S, {self.x.text(ins.piece)}, {ins.face == 'down'}, {ins.missing})", ins.span)

    # ------------------------------------------------------------------ knowledge and chance

    def _roll(self, ins: ir.Roll) -> None:
        number = 1 if ins.count is None else ins.count
        self.line(f"roll(S, {self.x.text(ins.first)}, {number}, {ins.low}, {ins.high})", ins.span)

    # ------------------------------------------------------------------ calls, loops, leaving

    def _call(self, ins: ir.Call) -> None:
        text = self.x.called(ins.routine, ins.args)
        if ins.local is None:
            self.line(text, ins.span)
        else:
            self._assign(ins.local, text, ins.span)

    def _call_frame(self, ins: ir.CallFrame) -> None:
        """Pushes a frame and goes straight on in it. When the called rule is done, the machine continues at
        `resume`."""
        entry, size = self.entries[ins.routine]
        padding = size - 1 - len(ins.args)
        filled = ["0"] * padding if padding < 6 else [f"*[0] * {padding}"]
        items = [str(entry), *(self._kept(arg) for arg in ins.args), *filled]
        called = self.unit.routines[ins.routine]
        first = next(segment for segment in called.segments if segment.number == entry)
        self.line(f"F[0] = {ins.resume}", ins.span)
        self.line(f"G = [{', '.join(items)}]", ins.span)
        self.line("S.k.append(G)", ins.span)
        self.line(f"return {self._segment_name(called, first)}(S, G)", ins.span)

    def _kept(self, arg: Op) -> str:
        text = self.x.text(arg)
        return self._as_tuple(arg) if self._is_list(arg) and not isinstance(arg, ir.Local) else text

    def _perform(self, ins: ir.Perform) -> None:
        self.line(f"F[0] = {ins.resume}", ins.span)
        given = f"{self.x.text(ins.cell)}, {self.x.text(ins.player)}, {self.x.given(ins.given)}"
        self.line(f"return perform(S, {given}, {ins.refusal})", ins.span)

    def _if(self, ins: ir.If) -> None:
        text = self.x.condition(ins.condition)
        if not ins.then:
            self.line(f"if not {text}:", ins.span)
            self._inner(ins.otherwise)
            return
        self.line(f"if {text[1:-1] if self.x._whole(text) and text.startswith('(') else text}:", ins.span)
        self._inner(ins.then)
        if ins.otherwise:
            self.line("else:")
            self._inner(ins.otherwise)

    def _for(self, ins: ir.For) -> None:
        self.line(f"for {ins.local} in {self.x.text(ins.source)}:", ins.span)
        if self.framed and ins.local in self.routine.slots and not self.asking:
            with self.writer.indented():
                self.line(f"F[{self.routine.slots.index(ins.local) + 1}] = {ins.local}")
        self._inner(ins.body)

    def _while(self, ins: ir.While) -> None:
        if ins.at_most is not None:
            self.line(f"for _ in counted(S, range({self.x.text(ins.at_most)}), {STEP}):", ins.span)
            with self.writer.indented():
                if not (isinstance(ins.at_most, ir.Const) and ins.at_most.value <= FEW_PASSES):
                    self.line("step(S)", ins.span)
                self.line(f"if not {self.x.text(ins.condition)}:")
                with self.writer.indented():
                    self.line("break")
        else:
            self.line(f"while {self.x.text(ins.condition)}:", ins.span)
            with self.writer.indented():
                self.line("step(S)")
        self._inner(ins.body)

    def _loop(self, ins: ir.Loop) -> None:
        if ins.times is not None:
            self.line(f"for _ in counted(S, range({self.x.text(ins.times)}), {STEP}):", ins.span)
        else:
            self.line("while True:", ins.span)
            with self.writer.indented():
                self.line("step(S)")
        self._inner(ins.body)

    def _only(self, ins: ir.Only) -> None:
        raise AssertionError("what belongs to one way is settled before anything is printed")

    def _spend(self, ins: ir.Spend) -> None:
        self.line(f"spend(S, {ins.units})" if ins.checked else f"S.steps += {ins.units}", ins.span)

    def _return(self, ins: ir.Return) -> None:
        value = ins.value
        if not self.framed and isinstance(value, ir.InRange):
            # Nearly every value is in range, and then it is returned without a call.
            self.line(f"v_ = {self.x.text(value.value)}", ins.span)
            self.line(f"if {value.low} <= v_ <= {value.high}: return v_")
            checked = replace(value, value=ir.Local("v_", type=value.value.type))
            self.line(f"return {self.x.text(checked)}", ins.span)
            return
        if not self.framed:
            self.line(f"return {self.x.text(value)}" if value is not None else "return", ins.span)
            return
        if value is not None:
            self.line(f"S.r = {self._kept(value)}", ins.span)
        self.line("S.k.pop()", ins.span)
        self.line("return 0")

    def _goto(self, ins: ir.Goto) -> None:
        if ins.backward:
            self.line(f"F[0] = {ins.segment}")
            self.line("return 0")
        else:
            routine = self.routine
            target = next(s for s in routine.segments if s.number == ins.segment)
            # The frame has to say where the game stands whenever somebody may look at it: a question can be asked
            # again.
            if target.role in ("asks", "answered"):
                self.line(f"F[0] = {ins.segment}")
            self.line(f"return {self._segment_name(routine, target)}(S, F)")

    # ------------------------------------------------------------------ words and endings

    def _together(self, ins: ir.Together) -> None:
        if ins.change > 0:
            self.line("begin_together(S)", ins.span)
        else:
            self.line("end_together(S)")

    def _say(self, ins: ir.Say) -> None:
        text = self.x.called(f"text_{ins.text}", ins.values)
        if self._is_costly(ins.text):  # the line has counted it, for every way of running
            text = f"uncounted(S, lambda: {text})"
        self.line(f"say(S, {ins.text}, {text}, {self.x.maybe(ins.to)})", ins.span)

    def _is_costly(self, text: int) -> bool:
        return self.unit.texts[text].units is not None

    def _ended(self) -> None:
        self.line("return 1" if self.framed else "raise Ended")

    def _why(self, ins: ir.Wins | ir.EndGame | ir.DropsOut) -> str:
        return "None, ()" if ins.text is None else f"{ins.text}, {self.x.called(f'text_{ins.text}', ins.values)}"

    def _wins(self, ins: ir.Wins) -> None:
        self.line(f"wins(S, tuple({self.x.text(ins.players)}), {self._why(ins)})", ins.span)
        self._ended()

    def _end_game(self, ins: ir.EndGame) -> None:
        self.line(f"end_game(S, {self._why(ins)})", ins.span)
        self._ended()

    def _drops_out(self, ins: ir.DropsOut) -> None:
        self.line(f"drop_out(S, {self.x.text(ins.player)}, {self._why(ins)})", ins.span)


# ---------------------------------------------------------------------------- lines of Python


class Writer:
    """Collects lines; each line remembers the span it comes from."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.places: list[tuple[str, int, int] | None] = []
        self.depth = 0

    def line(self, text: str, span: Span = NOWHERE) -> None:
        self.lines.append("    " * self.depth + text if text else "")
        known = span is not NOWHERE and span.source.text
        self.places.append((span.source.name, *span.source.place(span.start)) if known else None)

    @contextmanager
    def indented(self) -> Iterator[None]:
        self.depth += 1
        yield
        self.depth -= 1

    def text(self) -> str:
        return "\n".join(self.lines) + "\n"
