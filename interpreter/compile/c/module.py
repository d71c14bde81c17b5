"""The whole C file of a game: constants, tables, functions."""

from __future__ import annotations

import json
from collections.abc import Set
from dataclasses import dataclass
from typing import Any

from .. import ir
from ..ir import Routine, Segment, instructions
from ..liveness import looped, read_first
from ..meta import Meta
from ..tidy import Routines
from ..unit import Unit
from .function import Function
from .maps import Graph
from .payments import Payments

SMALL = 50  # operations of a value that is written out where it is called
LEAST_CHARGE = 64  # units that a segment takes off the allowance of a call, however little it does


@dataclass(frozen=True)
class Emitted:
    """The text, and what Python must know to read a native state, as JSON: `slots` of each framed routine (the room of
    a set, or 0 for a number), by the segment behind each `perform` the names of what is given, all names by which a
    call is given anything (with the room of a set, or 0), the places that faults name, and how numbers are kept. The
    library holds the same text."""

    source: str
    layout: str


class Module(Payments):
    def emit(self) -> Emitted:
        for routine in (self.unit.routines[name] for name in sorted(self.same_in_all_ways)):
            self._routine(self.ways["q"][routine.name], "v")
        for way, routines in self.ways.items():
            for name in sorted(routines):
                if name not in self.same_in_all_ways:
                    self._routine(routines[name], way)
        for payment in self.unit.payments.made:
            self.write_payment(payment)
        self.write_slot_writer()
        body = [*self._dispatch(), *self._told_again()]
        layout = self._layout()
        title = f"{self.unit.program.title!a} for {self.players} players, from its rules"
        text = [f"/* {title}. Written anew when they change. */", *self._constants()]
        text += [
            *_included("rw"),
            *self.index_tables(),
            *self.sum_tables(),
            *_included("rw_rooms", "rw_masks", "rw_places", "rw_sets"),
            "",
        ]
        text += self._runtime_tables()
        text += [
            *_included(
                "rw_equal", "rw_far", "rw_maps", "rw_trails", "rw_payments", "rw_trials", "rw_cells", "rw_picks"
            ),
            "",
        ]
        text += [*self.statics, ""]
        text += [*self.prototypes, "", *self.functions, *body, *_c_text("RW_LAYOUT", layout)]
        text += [*_included("rw_play", "rw_api", "rw_parts", "rw_batch"), ""]
        return Emitted("\n".join(text), layout)

    def _told_again(self) -> list[str]:
        """What was told to all, worked out once more in a world (`rw_verdicts.h`)."""
        if not self.remembers:
            return []
        cases = []
        for told in self.unit.told:
            name = f"told_{told.number}"
            if self.gives_set(name) or any(thing.startswith("set:") for thing in told.things):
                continue  # such games are Python's: native/matches.py
            args = ["C", "S", *(f"a[{n}]" for n in range(len(told.params)))]
            called = f"{'v' if name in self.same_in_all_ways else 'q'}_{name}({', '.join(args)})"
            cases.append(f"    case {told.number}: *value = {called}; break;")
        head = "static int rw_told_again(Ctx *C, State *S, int number, const num *a, num *value) {"
        return [head, "    C->fault = 0;", "    switch (number) {", *cases, "    default: return 0;", "    }",
                "    return C->fault == 0;", "}", ""]  # fmt: skip

    def _layout(self) -> str:
        performs = {
            ins.resume: [one.name for one in ins.given]
            for routine in self._all_routines()
            for ins in routine.instructions()
            if isinstance(ins, ir.Perform) and ins.given
        }
        described: dict[str, Any] = {
            "slots": {name: [room or 0 for _, room in slots.values()] for name, (slots, _) in self.frames.items()},
            "performs": performs,
            "given": {name: room or 0 for name, (_, room) in self.given_names.items()},
            "places": self.places,
            "kept": {name.lower(): width for name, width in self._widths().items()},
        }
        if self._hits():
            described["score_texts"] = self.score_texts()
            described["whys"] = max((len(text.holes) for text in self.unit.texts), default=0)
        return json.dumps(described, separators=(",", ":"))

    def _routine(self, routine: Routine, way: str) -> None:
        self.routine = routine
        self.begin_routine(routine)
        self.sets_here = self._set_locals(routine)
        if routine.kind == "framed":
            self.slots, _ = self.frames[routine.name]
            for segment in routine.segments:
                if way == "q" or segment.number in self.tried.segments:
                    self._segment(routine, segment, way)
        else:
            self.slots = {}
            self._function(routine, way)

    def _segment(self, routine: Routine, segment: Segment, way: str) -> None:
        """A question that can draw has two functions: what plays a random game goes on in the second."""
        name = f"{way}_s{segment.number}"
        draws = way == "q" and segment.role == "asks" and self.can_draw(segment.body)
        if draws:
            self._segment_function(routine, segment, way, f"{name}_draw", drawn=True)
        self._segment_function(
            routine, segment, way, name, first=f"if (C->sampled) return {name}_draw(C, S, F);" * draws
        )

    def _segment_function(
        self, routine: Routine, segment: Segment, way: str, name: str, *, drawn: bool = False, first: str = ""
    ) -> None:
        self.segment = segment
        asking = segment.role == "asks"
        self.function = Function(name, "segment", way, asking, sets=set(self.sets_here))
        self.tests = []
        # The drawing half of a question charges for itself.
        if first:
            self.line(first)
        self.line(f"RW_CHARGE({max(LEAST_CHARGE, self.unit.uncounted.get(segment.number, 0))});")
        if asking:
            self.line("const int32_t o = C->optop;")
            self.line("int32_t u = C->ustop; int complete = 0; (void)u; (void)complete;")
        wanted = read_first(segment.body, set()) - (looped(segment.body) if asking else set())
        self._declare_locals(segment.body, set(routine.slots))
        for slot, (offset, room) in self.slots.items():
            if slot in wanted:
                value = f"F[{offset}]" if room is None else f"(Set){{F + {offset + 1}, F[{offset}]}}"
                self.line(f"{slot} = {value};")
        self.line("(void)F;")
        if asking:
            self.find_looks(segment.body)
        if drawn:
            self.write_draw(segment.body)
        elif asking:
            self.write_question(segment.body)
            self.leave("RW_GO")
        else:
            self.write(segment.body)
            self.leave("RW_GO")
        head = f"static int {name}(Ctx *C, State *S, int32_t *F)"
        note = f"{routine.rule or routine.name}{': ' + segment.note if segment.note else ''}"
        self._finish(head, note)

    def _function(self, routine: Routine, way: str) -> None:
        pure = routine.kind == "pure"
        self.function = Function(f"{way}_{routine.name}", "pure" if pure else "plain", way, sets=set(self.sets_here))
        self.tests = []
        gives, is_set = self.has_result(routine.name), self.gives_set(routine.name)
        params = [f"Set {name}" if name in self.sets_here else f"num {name}" for name in routine.params]
        self.line("(void)C; (void)S;")
        if pure:
            self.function.returns_set = is_set
            params += ["elt *room_"] if is_set else []
        elif gives is not None:
            params += ["elt *out_" if is_set else "num *out_"]
        for name in routine.params:
            self.line(f"(void){name};")
        self._declare_locals(routine.body, set(), set(routine.params))
        self.write(routine.body)
        if pure:
            self.leave("(Set){0, 0}" if is_set else "0")
        else:
            self.leave("RW_GO")
        result = ("Set" if is_set else "num") if pure else "int"
        kind = "static inline" if pure and _is_small(routine) else "static"
        head = f"{kind} {result} {way}_{routine.name}({', '.join(['Ctx *C', 'State *S', *params])})"
        self._finish(head, routine.rule or routine.name)

    def _declare_locals(self, body: ir.Block, slots: set[str], params: Set[str] = frozenset()) -> None:
        """All locals that are set in a function, and those that it reads from its frame."""
        set_here = [getattr(i, i.sets) for i in instructions(body) if i.sets and not isinstance(i, ir.For)]
        read = [name for ins in body for name in ir.free_locals(ins)]
        loops = looped(body)
        for name in dict.fromkeys([*set_here, *(n for n in read if n in slots and n not in loops)]):
            if name is None or name in params:
                continue
            if name not in self.sets_here:
                self.declare(f"num {name} = 0; (void){name};")
                continue
            self.declare(f"Set {name} = {{0, 0}}; (void){name};")
            if name not in slots:
                room = self.room(ir.Local(name, type=ir.INDEX))
                self.room_for("elt", f"{name}_b", room)
                self.line(f"(void){name}_b;")
        for name in params:
            if name in set_here and name in self.sets_here:
                room = self.room(ir.Local(name, type=ir.INDEX))
                self.room_for("elt", f"{name}_b", room)

    def _finish(self, head: str, note: str) -> None:
        self.prototypes.append(f"{head};")
        self.functions += self.tests
        self.functions += [f"/* {note.replace('*/', '')} */", *self.whole_function(head)]


def _is_small(routine: Routine) -> bool:
    """Written out where it is called, a small value costs less than the call: its arguments are often known there."""
    return sum(1 for _ in (*routine.instructions(), *routine.operations())) <= SMALL


def _included(*names: str) -> list[str]:
    return [f'#include "{name}.h"' for name in names]


def _c_text(name: str, text: str) -> list[str]:
    """A text as C; JSON has no letter that C would not take, once its quotes and backslashes are escaped."""
    escaped = [json.dumps(text[start : start + 100]) for start in range(0, len(text), 100)] or ['""']
    return [f"static const char {name}[] =", *(f"    {line}" for line in escaped), "    ;"]


def emit_c(
    unit: Unit,
    ways: dict[str, Routines],
    meta: Meta,
    tables: dict[str, Any],
    graphs: dict[str, Graph],
    remembers: bool = False,
) -> Emitted:
    """The C of a game; raises CannotEmit with the reason if it has something that C cannot do yet. `remembers`: what
    players know is kept while it is played."""
    return Module(unit, ways, meta, tables, graphs, remembers).emit()
