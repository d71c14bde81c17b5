"""Instructions as Python statements: values kept and stored, pieces moved, loops, calls, endings.

Each instruction of the IR has a method of its name. `framed` says whether the text becomes a segment (it gives 0 or 1
and keeps its locals in the frame) or a plain function.
"""

from __future__ import annotations

import re

from ..diagnostics.source import NOWHERE
from .emit_expressions import ExpressionEmitter
from .hoist import EVERYTHING, hoist
from .ir import Ins, Op, Routine, Segment
from .lowering import free_locals
from .unit import Unit
from .writer import Writer

MoveInfo = tuple[bool, int | None, bool, bool, str | None]  # may be none, capacity, track, by position, face
FEW_PASSES = 100  # a loop of so many passes at most need not be counted


class InstructionEmitter:
    """Instructions that change the state, and loops; decisions and routines are added by its heirs."""

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

    def line(self, text: str, span: object = NOWHERE) -> None:
        self.writer.line(text, span)  # type: ignore[arg-type]

    def _segment_name(self, routine: Routine, segment: Segment) -> str:
        return f"s{segment.number}_{re.sub('[^a-z0-9_]', '_', routine.name.removeprefix('rule_'))}"

    def _block(self, body: list[Ins], framed: bool) -> None:
        empty = False
        plain: list[str] = []  # options that come first and in any case
        for position, ins in enumerate(body):
            if ins.op == "begin_options" or (plain and _is_plain(ins)):
                plain.append(f"({ins.args[0]},)" if ins.op == "option" else "None" if ins.op == "pass_option" else "")
                following = body[position + 1] if position + 1 < len(body) else None
                if following is not None and _is_plain(following):
                    continue
                if len(plain) == 1 and following is not None and self._listed(following) is not None:
                    empty, plain = True, []
                    continue
                self.line(f"o = [{', '.join(plain[1:])}]")
                plain = []
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
            text = self._as_tuple(value)
        self._assign(name, text, ins.span)

    def _is_list(self, value: Op) -> bool:
        """Frames hold tuples: plain data that clones may share."""
        from ..check.value_types import SetOf, bare

        if value.op in ("sequence", "append", "snapshot", "memory"):
            return False
        return value.op in ("all", "without", "join", "range", "list", "group") or isinstance(bare(value.type), SetOf)

    def _as_tuple(self, value: Op) -> str:
        return f"tuple({self.x.text(without_copies(value))})"

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

    # ------------------------------------------------------------------ calls, loops, leaving

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
        return self._as_tuple(arg) if self._is_list(arg) and arg.op != "local" else text

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
        whole = self._whole_list(name, source, ins.blocks[0])
        if whole is not None:
            self.line(f"if not TRACK: {whole}", ins.span)
            self.line("else:")
            with self.writer.indented():
                self._pass_over(ins, framed, name, source)
        else:
            self._pass_over(ins, framed, name, source)

    def _whole_list(self, name: str, source: Op, body: list[Ins]) -> str | None:
        """All that lies in a list goes to another at once, where nobody keeps count of what is known."""
        source = without_copies(source)
        if source.op != "list" or source.args[0].args[2] or len(body) != 1 or body[0].op != "move":
            return None
        _, piece, target, how, _, info = body[0].args
        optional, capacity, _, _, face = info
        if optional or capacity is not None or face or self.unit.uses_faces or how not in ("front", "back", "sorted"):
            return None
        if piece.op != "local" or piece.args[0] != name or target.args[2] or name in free_locals(target):
            return None
        here = self.x.text(source.args[0])
        return f"deal_{how}(S, {here}, {self.x.text(target)}, len({self.x.text(source)}), None)"

    def _pass_over(self, ins: Ins, framed: bool, name: str, source: Op) -> None:
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

    # ------------------------------------------------------------------ words and endings

    def _together(self, ins: Ins, framed: bool, change: int) -> None:
        if change > 0:
            self.line("begin_together(S)", ins.span)
        else:
            self.line("end_together(S)")

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


def _is_plain(ins: Ins) -> bool:
    """An option that is there in any case, and has no values."""
    return ins.op == "pass_option" or (ins.op == "option" and ins.args[0] is not None and not ins.args[1])


def without_copies(source: Op) -> Op:
    """What `all x in S` goes over, if it leaves nothing out and has no order of its own."""
    while source.op == "all" and source.args[2:] == (None, None, None):
        source = source.args[1]
    return source
