"""Instructions as C statements: values kept and stored, loops, calls, endings."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace

from ...check.value_types import NO_NUMBER, Maybe
from ...files.records import handler
from .. import ir
from ..emit_instructions import FEW_PASSES
from ..ir import Block, Ins, Op, instructions
from .atoms import _c
from .pieces import Pieces

CHANGING = (
    ir.Store, ir.StoreFace, ir.Reset, ir.Suppose, ir.SupposeMove, ir.Move,
    ir.Lay, ir.Deal, ir.Shuffle, ir.ShuffleInto, ir.SwapPieces,
    ir.SwapPlaces, ir.PassOn, ir.Flip, ir.Roll, ir.Call, ir.Settle, ir.DropsOut, ir.Wins, ir.EndGame, ir.Together,
)  # fmt: skip
FIXED = (ir.Sequence, ir.Range, ir.Lookup, ir.MapTable, ir.Indexed)


class Instructions(Pieces):
    def write(self, body: Block) -> None:
        for ins in body:
            self.comment(ins.span)
            if not isinstance(ins, ir.Settle) and not (isinstance(ins, ir.Let) and isinstance(ins.value, ir.Paid)):
                self.function.paying = ("", "")  # what it speaks of may change
            method: Callable[[Ins], None] = getattr(self, handler(type(ins)))
            method(ins)
        self.function.paying = ("", "")  # it was filled inside this block

    def _let(self, ins: ir.Let) -> None:
        if isinstance(ins.value, ir.Unsure) and ins.local in self.function.sets:
            self.line(f"{ins.local} = (Set){{0, -1}};")
            return
        if self.is_set(ins.value):
            self.assign_set(ins.local, ins.value)
            return
        if self.may_be_unsure(ins.value):
            self.function.unsure.add(ins.local)
        kept = self.framed and ins.local in self.slots
        self.assign(ins.local, self.x(self.narrow(ins.value) if kept else ins.value))

    # ------------------------------------------------------------------ the state

    def _store(self, ins: ir.Store) -> None:
        where = self.x(ins.address)
        if ins.missing is not None:
            where = self.named(where)
            self.leave_if(f"{where} < 0", f"rw_refuse(C, {ins.missing})")
        value = self.x(ins.value)
        if ins.mode == "cap":
            value, low, high = self.named(value), _c(ins.low or 0), _c(ins.high or 0)
            value = f"({value} < {low} ? {low} : {value} > {high} ? {high} : {value})"
        elif ins.mode == "check":
            value = self._in_bounds(ins, value, isinstance(ins.value.type, Maybe))
        self.line(self.written(where, value, ins.address))

    def _in_bounds(self, ins: ir.Store | ir.StoreFace, value: str, optional: bool) -> str:
        name = self.named(value)
        outside = f"{name} < {_c(ins.low or 0)} || {name} > {_c(ins.high or 0)}"
        self.fault_if(f"({outside}) && {name} != {_c(NO_NUMBER)}" if optional else outside, 901, name, ins.span)
        return name

    def _store_face(self, ins: ir.StoreFace) -> None:
        value = self.x(ins.value)
        if ins.mode == "check":
            value = self._in_bounds(ins, value, False)
        self.line(self.store_at(f"{self.layout.dice} + {self.x(ins.die)}", value, self.dice()))

    def _reset(self, ins: ir.Reset) -> None:
        self.line(f"for (int i_ = 0; i_ < {ins.size}; i_++) rw_write(S, {ins.base} + i_, {_c(ins.value)});")

    @abstractmethod
    def looks_at_kept(self, body: ir.Block) -> bool: ...

    def _suppose(self, ins: ir.Suppose) -> None:
        """Indexes and sums follow only if somebody looks at them meanwhile."""
        where, value = self.named(self.x(ins.address)), self.named(self.x(ins.value))
        addresses = self.numbers(ins.address)
        self.assign(ins.local, self.number_at(where, addresses))
        supposed, again = (
            self.written(where, number, ins.address) if self.looks_at_kept(ins.body)
            else self.store_at(where, number, addresses)
            for number in (value, ins.local)
        )  # fmt: skip
        self.line(supposed)
        self.function.restores.append(again)
        self.write(ins.body)
        self.line(self.function.restores.pop())

    def _suppose_move(self, ins: ir.SupposeMove) -> None:
        piece = self.named(self.x(ins.piece))
        place = self.named(self.x(ins.target)) if ins.target is not None else ""
        put = f"rw_put_{ins.how}(S, {piece}, {place})" if place else f"rw_put_box(S, {piece})"
        self.assign(ins.local, put)
        self.function.restores.append(f"rw_lay_back(S, {piece}, {ins.local});")
        self.write(ins.body)
        self.line(self.function.restores.pop())

    def _say(self, ins: ir.Say) -> None:
        pass

    def _hit(self, ins: ir.Hit) -> None:
        self.line(f"C->counts[{ins.number + 1}]++;")

    # ------------------------------------------------------------------ calls, loops, leaving

    def has_result(self, routine: str) -> Op | None:
        """The value of the first return of a routine that gives one."""
        returns = (ins for ins in self.unit.routines[routine].instructions() if isinstance(ins, ir.Return))
        return next((ins.value for ins in returns if ins.value is not None), None)

    def _call(self, ins: ir.Call) -> None:
        result = self.has_result(ins.routine)
        args = ["C", "S", *self.arguments(ins.args)]
        if self.unit.routines[ins.routine].kind == "pure":
            raise AssertionError("values are called by operations")
        out = ""
        if result is not None:
            out = self.fresh("r")
            room = self.result_room(ins.routine) + 1 if self.gives_set(ins.routine) else 1
            self.room_for("elt" if self.gives_set(ins.routine) else "num", out, room)
            args.append(out)
        signal = self.fresh("signal")
        self.line(f"int {signal} = {self.c_name(ins.routine)}({', '.join(args)});")
        self.leave_if(signal, signal)
        if ins.local is None or result is None:
            return
        if self.gives_set(ins.routine):
            self.assign_room(ins.local, f"{out} + 1", f"{out}[0]")
        else:
            self.assign(ins.local, f"{out}[0]")

    @abstractmethod
    def gives_set(self, routine: str) -> bool: ...

    def _call_frame(self, ins: ir.CallFrame) -> None:
        """Pushes a frame and goes straight on in it; when it is done the machine comes back to `resume`."""
        entry, _ = self.entries[ins.routine]
        slots, size = self.frames[ins.routine]
        called = self.unit.routines[ins.routine]
        values = [self.held(arg) if self.is_set(arg) else self.atom(arg) for arg in ins.args]
        self.line(f"F[0] = {ins.resume};")
        self.line(f"int32_t *G = rw_push_frame(C, S, {entry}, {size});")
        self.leave_if("!G", "RW_FAULT")
        for name, value, arg in zip(called.params, values, ins.args, strict=False):
            offset, room = slots[name]
            if room is None:
                self.line(f"G[{offset}] = (int32_t){value};")
            else:
                assert self.is_set(arg)
                self.leave_if(f"rw_keep(C, G + {offset}, {value}, {room})", "RW_FAULT")
        self.leave(f"{self.segment_name(entry)}(C, S, G)")

    def segment_name(self, number: int) -> str:
        return f"{self.function.way}_s{number}"

    def _perform(self, ins: ir.Perform) -> None:
        cell, player = self.atom(ins.cell), self.atom(ins.player)
        given = self.given(ins.given)
        if ins.resume is not None:  # without any cell in the game every `perform` is refused
            self.line(f"F[0] = {ins.resume};")
        way = "RW_TRIAL" if self.on_trial else "RW_PLAYOUT"
        self.leave(f"rw_perform(C, S, {way}, {cell}, {player}, {given}, {ins.refusal})")

    def _limit_depth(self, ins: ir.LimitDepth) -> None:
        number = self.routine_numbers[f"rule_{ins.rule}"]
        with self.block(f"if (S->depth > {ins.depth})"):
            self.leave_if(f"rw_limit_depth(C, S, {number}, {ins.depth}, {self.place(ins.span)})", "RW_FAULT")

    def _require(self, ins: ir.Require) -> None:
        self.leave_if(f"!{self.test(ins.condition)}", f"rw_refuse(C, {ins.refusal})")

    def _if(self, ins: ir.If) -> None:
        with self.block(f"if ({self.test(ins.condition)})"):
            self.write(ins.then)
        if ins.otherwise:
            with self.block("else"):
                self.write(ins.otherwise)

    def _for(self, ins: ir.For) -> None:
        source = _without_copy(ins.source)
        if self._must_be_kept(source, ins.body):
            kept = self._kept_set(source)
            source = ir.Local(kept, type=source.type)
            self.function.sets.add(kept)
        with self.loop(source, ins.local):
            if self.framed and ins.local in self.slots and not self.function.asking:
                self.line(f"F[{self.slots[ins.local][0]}] = (int32_t){ins.local};")
            self.line(f"(void){ins.local};")
            self.write(ins.body)

    def _kept_set(self, source: Op) -> str:
        """A set that nothing changes any more: one that is written into a room of its own is, the others are copied."""
        of = source.source if isinstance(source, ir.Counted) else source
        if self.is_filled(of) and not self.is_static(of):
            return self.held(source)
        room, kept = self.fresh("b"), self.fresh("s")
        self.room_for("elt", room, self.room(source))
        held = self.held(source)
        self.line(f"const Set {kept} = {{{room}, rw_copied({room}, {held})}};")
        return kept

    def _must_be_kept(self, source: Op, body: Block) -> bool:
        """The set is worked out before the first pass, and what the passes do must not change it."""
        if isinstance(source, ir.Public):
            source = source.of
        inner = [*instructions(body)]
        if isinstance(source, ir.Local):
            return any(ins.sets and getattr(ins, ins.sets) == source.name for ins in inner)
        if isinstance(source, ir.Counted) and isinstance(source.source, (*FIXED, ir.Marked)):
            source = source.source
        if isinstance(source, FIXED) and self.is_static(source):
            return False
        if isinstance(source, ir.Range | ir.Marked | ir.Sieved):  # a mask is kept before the first pass
            return False
        return any(isinstance(ins, CHANGING) for ins in inner)

    def _while(self, ins: ir.While) -> None:
        if ins.at_most is None:
            with self.block("for (;;)"):
                self.line(f"if (!{self.test(ins.condition)}) break;")
                self._step(ins)
                self.write(ins.body)
            return
        most = self._passes(ins.at_most, ins)
        with self.block(f"for (num pass_ = 0; pass_ < {most}; pass_++)"):
            if not (isinstance(ins.at_most, ir.Const) and ins.at_most.value <= FEW_PASSES):
                self._step(ins)
            self.line(f"if (!{self.test(ins.condition)}) break;")
            self.write(ins.body)

    def _passes(self, times: Op, ins: Ins) -> str:
        most = self.named(self.x(times))
        self.line(f"if ({most} < 0) {most} = 0;")
        self.count_work(f"{most} * RW_STEP", ins.span)
        return most

    def _step(self, ins: Ins) -> None:
        self.count_work("RW_STEP", ins.span)

    def _spend(self, ins: ir.Spend) -> None:
        if ins.checked:
            self.count_work(str(ins.units), ins.span)
        else:
            self.line(f"RW_CHARGE({ins.units}); S->steps += {ins.units};")

    def _loop(self, ins: ir.Loop) -> None:
        if ins.times is not None:
            most = self._passes(ins.times, ins)
            with self.block(f"for (num pass_ = 0; pass_ < {most}; pass_++)"):
                self.write(ins.body)
            return
        with self.block("for (;;)"):
            self._step(ins)
            self.write(ins.body)

    def _only(self, ins: ir.Only) -> None:
        raise AssertionError("what belongs to one way is settled before anything is emitted")

    def _break(self, ins: ir.Break) -> None:
        self.line("break;")

    def _return(self, ins: ir.Return) -> None:
        value = ins.value
        match self.function.shape:
            case "segment":
                if value is not None and self.is_set(value):
                    self.leave_if(f"rw_keep(C, S->r, {self.held(value)}, RW_RESULT)", "RW_FAULT")
                elif value is not None:
                    self.line(f"S->r[0] = (elt){self.x(self.narrow(value))};")
                self.line("rw_pop_frame(S);")
                self._go_on()
            case "plain":
                if value is not None and self.gives_set(self.routine.name):
                    room = self.result_room(self.routine.name)
                    self.leave_if(f"rw_keep(C, out_, {self.held(value)}, {room})", "RW_FAULT")
                elif value is not None:
                    self.line(f"*out_ = {self.x(value)};")
                self.leave("RW_GO")
            case _:
                self._return_value(value)

    def _return_value(self, value: Op | None) -> None:
        if value is None:
            self.leave("0")
        elif not self.function.returns_set:
            text = self.x(value)
            self.leave(text if not self.function.restores else self.named(text))
        elif self.is_static(value):
            self.leave(self.as_set(value))
        else:
            self.leave(f"(Set){{room_, rw_copied(room_, {self.held(value)})}}")

    def _goto(self, ins: ir.Goto) -> None:
        if ins.backward:
            self.line(f"F[0] = {ins.segment};")
            self._go_on(ins.segment)
            return
        target = next(s for s in self.routine.segments if s.number == ins.segment)
        if target.role in ("asks", "answered"):
            self.line(f"F[0] = {ins.segment};")
        self.leave(f"{self.segment_name(ins.segment)}(C, S, F)")

    def _go_on(self, target: int | None = None) -> None:
        """Back to the machine, unless what comes next is known (`onward`). Without a target the rule is over, and the
        frame below says which of the segments behind its calls it is."""
        known = self.onward.get(self.segment.number, ()) if self.function.way == "q" else ()
        if target is not None and target in known:
            self.leave_if("rw_runs_on(C, S)", f"{self.segment_name(target)}(C, S, F)")
        behind = [number for number in known if all(own.number != number for own in self.routine.segments)]
        if target is None and behind:
            self.line("F = RW_TOP_FRAME(S);")
            for number in behind:
                self.leave_if(f"F[0] == {number} && rw_runs_on(C, S)", f"{self.segment_name(number)}(C, S, F)")
        self.leave("RW_GO")

    def _pass_ends(self, ins: ir.PassEnds) -> None:
        self.leave_if(f"S->tb_depth == S->depth && S->tb_loop == {ins.loop}", "RW_CARRIED")

    def _succeed(self, ins: ir.Succeed) -> None:
        self.leave("RW_CARRIED")

    # ------------------------------------------------------------------ endings

    def _ended(self) -> None:
        self.leave("RW_STOP" if self.framed else "RW_ENDED")

    def _why(self, text: int | None, values: tuple[Op, ...]) -> None:
        """The text that says why, and the numbers for its holes; -1 of them if a hole is a set: Python works it out."""
        self.line(f"S->why = {-1 if text is None else text};")
        if text is None:
            self.line("S->nwhy = 0;")
            return
        made = self.unit.texts[text]
        if any(self.is_set(value) for value in values) or any(self.is_set(hole) for hole in made.holes):
            self.line("S->nwhy = -1;")
            return
        self.line(f"S->nwhy = {len(made.holes)};")
        given = [self.named(self.x(value)) for value in values]
        with self.block(""):
            for name, value in zip(made.params, given, strict=True):
                self.line(f"num {name} = {value}; (void){name};")
            for position, hole in enumerate(made.holes):
                self.line(f"S->whys[{position}] = (elt){self.x(hole)};")

    def _wins(self, ins: ir.Wins) -> None:
        players = self.held(ins.players)
        self.line(f"S->over = 1; S->nwon = (int8_t){players}.n;")
        self.line(f"for (int i_ = 0; i_ < {players}.n && i_ < RW_PLAYERS; i_++) S->won[i_] = (int8_t){players}.v[i_];")
        self._why(ins.text, ins.values)
        self._ended()

    def _end_game(self, ins: ir.EndGame) -> None:
        self.line("S->over = 1;")
        self._why(ins.text, ins.values)
        self._ended()

    def _drops_out(self, ins: ir.DropsOut) -> None:
        self.line(f"rw_drop_out(S, {self.x(ins.player)});")


def _without_copy(source: Op) -> Op:
    """Numbers in a row, which nothing changes: a loop over them needs no copy (`for n in 1..seeds`)."""
    match source:
        case ir.Counted(source=ir.All(source=ir.Range() as numbers, where=None, key=None)):
            return replace(source, source=numbers)
        case ir.All(source=ir.Range() as numbers, where=None, key=None):
            return numbers
    return source
