"""The whole C file of a game: constants, tables, functions, and the tables that the runtime goes by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...check.value_types import NO_NUMBER, Flag, PlaceOf, SetOf
from .. import ir
from ..bounds import bounds_of
from ..emit_python import looped, read_first
from ..ir import Routine, Segment, instructions
from ..meta import PASS, Meta
from ..tidy import Routines, entries_of, segment_count
from ..unit import Unit
from .decisions import Decisions
from .function import CannotEmit, Function
from .maps import Graph

KINDS = ("choose", "set", "one", "may", "pause", "order", "pay")
PATTERNS = {None: 0, "all_equal": 1, "all_different": 2, "among": 3}
MOST_CELLS = 1 << 16
WAYS = {"q": "playout", "t": "trial"}


@dataclass(frozen=True)
class Emitted:
    """The text, and what Python must know to read a native state: `slots` of each framed routine (offset in the frame,
    and the room of a set or None), the names of what performers give, and the places that faults name."""

    source: str
    slots: dict[str, tuple[tuple[int, int | None], ...]]
    given: tuple[str, ...]
    places: tuple[tuple[str, int, int], ...]
    result_is_set: frozenset[int]


class Module(Decisions):
    def __init__(
        self, unit: Unit, ways: dict[str, Routines], meta: Meta, tables: dict[str, Any], graphs: dict[str, Graph]
    ) -> None:
        # Tables of what is printed on pieces have no entry for none: index -1 reads the last piece there.
        printed = {name: (*values, values[-1]) for name, values in unit.printed.items() if values}
        super().__init__(unit, meta, bounds_of(unit), {**tables, **printed})
        self.ways = {"q": ways["playout"], "t": ways["trial"]}
        self.graphs, self._map_parts = graphs, set()
        self.tests, self.env_size, self._tests_made = [], 8, 0
        self.entries = entries_of(unit.routines)
        self.routine_numbers = {name: number for number, name in enumerate(sorted(unit.routines))}
        self.given_names: dict[str, int] = {}
        self.frames, self.slots = {}, {}
        self.functions: list[str] = []
        self.prototypes: list[str] = []
        self._find_facts()

    # ------------------------------------------------------------------ facts about routines

    def _find_facts(self) -> None:
        for routine in self._all_routines():
            for body in (routine.body, *(segment.body for segment in routine.segments)):
                for _, _, ins in instructions(body):
                    for given in getattr(ins, "given", ()):
                        self.given_names.setdefault(given.name, len(self.given_names))
                    for op in ir.operations(ins):
                        for given in getattr(op, "given", ()):
                            self.given_names.setdefault(given.name, len(self.given_names))
        for cell in self.meta.cells:
            for _, _, args in cell:
                for arg in args:
                    if isinstance(arg, tuple) and len(arg) == 1 and isinstance(arg[0], str):
                        self.given_names.setdefault(arg[0], len(self.given_names))
        self.same_in_all_ways = self._same_routines()
        self.unsure_routines = self._spread({r.name for r in self._values() if _gives_unsure(r)})
        self.faulty = self._spread({r.name for r in self._values() if _may_fault(r)})
        for routine in self.unit.routines.values():
            if routine.kind == "framed":
                self.frames[routine.name] = self._frame(routine)

    def _all_routines(self) -> list[Routine]:
        return [routine for routines in self.ways.values() for routine in routines.values()]

    def _values(self) -> list[Routine]:
        return [routine for routine in self._all_routines() if routine.kind == "pure"]

    def _spread(self, found: set[str]) -> set[str]:
        """These routines, and those that call them."""
        callers = {(callee, routine.name) for routine in self._values() for callee in _called(routine)}
        while more := {caller for callee, caller in callers if callee in found} - found:
            found |= more
        return found

    def _same_routines(self) -> set[str]:
        pure = {name for name, routine in self.unit.routines.items() if routine.kind == "pure"}
        differing = {n for n in pure if self.ways["q"].get(n) is not self.ways["t"].get(n)}
        return pure - self._spread(differing)

    def _frame(self, routine: Routine) -> tuple[dict[str, tuple[int, int | None]], int]:
        """Where each slot lies in the frame; a set has its size first."""
        known = self.bounds.of(routine)
        sets = self._set_locals(routine)
        offset, slots = 1, {}
        for name in routine.slots:
            if name not in sets:
                slots[name] = (offset, None)
                offset += 1
                continue
            bound = known.get(name)
            if bound is None or bound.size is None or bound.size > MOST_CELLS // 16:
                raise CannotEmit(f"nothing bounds the set `{name}` of `{routine.name}`")
            slots[name] = (offset, max(1, bound.size))
            offset += 1 + max(1, bound.size)
        return slots, offset

    def _set_locals(self, routine: Routine) -> set[str]:
        """The locals of a routine that hold sets: by their type, or by what they are given."""
        found = {n for n, t in zip(routine.slots, routine.slot_types, strict=False) if isinstance(t, SetOf | PlaceOf)}
        rules = [r for r in (*self.unit.program.rules.values(), *self.unit.program.all_hooks()) if r.name == routine.rule]
        found |= {self.unit.local_name(p) for r in rules for p in r.params if isinstance(p.type, SetOf)}
        bodies = (routine.body, *(segment.body for segment in routine.segments))
        every = [ins for body in bodies for _, _, ins in instructions(body)]
        outer, self.function = self.function, Function("", "plain", sets=found)
        for _ in range(2):  # a local may be given another one that comes later in the text
            for ins in every:
                match ins:
                    case ir.Take() | ir.Draw() | ir.Deal():
                        found.add(ins.local)
                    case ir.Let() if self.is_set(ins.value):
                        found.add(ins.local)
                    case ir.Call() if ins.local is not None and self.gives_set(ins.routine):
                        found.add(ins.local)
                for op in ir.operations(ins):
                    if isinstance(op, ir.Local) and isinstance(op.type, SetOf | PlaceOf):
                        found.add(op.name)
        self.function = outer
        return found

    def gives_set(self, routine: str) -> bool:
        value = self.has_result(routine)
        if value is None:
            return False
        if isinstance(value, ir.Local):
            return isinstance(value.type, SetOf | PlaceOf)
        return self.is_set(value)

    # ------------------------------------------------------------------ functions

    def emit(self) -> Emitted:
        for routine in (self.unit.routines[name] for name in sorted(self.same_in_all_ways)):
            self._routine(self.ways["q"][routine.name], "v")
        for way, routines in self.ways.items():
            for name in sorted(routines):
                if name not in self.same_in_all_ways:
                    self._routine(routines[name], way)
        for payment in self.unit.payments.made:
            self._payment(payment)
        body = [*self._dispatch()]
        text = "\n".join([
            f"/* {self.unit.program.title!a} for {self.players} players, from its rules. Written anew when they change. */",
            *self._constants(), '#include "rw.h"', '#include "rw_places.h"', '#include "rw_sets.h"', "",
            *self._runtime_tables(), '#include "rw_equal.h"', '#include "rw_maps.h"', '#include "rw_payments.h"', '#include "rw_trials.h"', "",
            *self.statics, "", *self.prototypes, "", *self.functions, *body, '#include "rw_play.h"', '#include "rw_api.h"', '#include "rw_parts.h"', "",
        ])  # fmt: skip
        slots = {name: tuple(slots.values()) for name, (slots, _) in self.frames.items()}
        framed_sets = frozenset(
            s.number for r in self.unit.routines.values() if r.kind == "framed" for s in r.segments if self.gives_set(r.name)
        )
        return Emitted(text, slots, tuple(self.given_names), tuple(self.places), framed_sets)

    def _routine(self, routine: Routine, way: str) -> None:
        self.routine = routine
        self.begin_routine(routine)
        self.sets_here = self._set_locals(routine)
        if routine.kind == "framed":
            self.slots, _ = self.frames[routine.name]
            for segment in routine.segments:
                self._segment(routine, segment, way)
        else:
            self.slots = {}
            self._function(routine, way)

    def _segment(self, routine: Routine, segment: Segment, way: str) -> None:
        self.segment = segment
        asking = segment.role == "asks"
        name = f"{way}_s{segment.number}"
        self.function = Function(name, "segment", way, asking, sets=set(self.sets_here))
        self.tests = []
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
        head = f"static {result} {way}_{routine.name}({', '.join(['Ctx *C', 'State *S', *params])})"
        self._finish(head, routine.rule or routine.name)

    def _declare_locals(self, body: ir.Block, slots: set[str], params: set[str] = frozenset()) -> None:  # type: ignore[assignment]
        """All locals that are set in a function, and those that it reads from its frame."""
        set_here = [getattr(i, i.sets) for _, _, i in instructions(body) if i.sets and not isinstance(i, ir.For)]
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
                self.declare(f"elt {name}_b[{room}]; (void){name}_b;")
        for name in params:
            if name in set_here and name in self.sets_here:
                room = self.room(ir.Local(name, type=ir.INDEX))
                self.declare(f"elt {name}_b[{room}];")

    def _finish(self, head: str, note: str) -> None:
        self.prototypes.append(f"{head};")
        self.functions += self.tests
        self.functions += [f"/* {note.replace('*/', '')} */", f"{head} {{"]
        self.functions += [*self.function.declared, *self.function.lines, "}", ""]

    # ------------------------------------------------------------------ payments

    def _payment(self, payment: ir.Payment) -> None:
        head = f"static void payment_{payment.number}(Ctx *C, State *S, RwPay *P, num player__0, const num *amounts, const Set *among)"
        self.function = Function(f"payment_{payment.number}", "plain", "q")
        self.routine = Routine(f"payment_{payment.number}", "plain", ("player__0",))
        self.begin_routine(self.routine)
        self.line("(void)C; (void)S; (void)player__0; (void)among;")
        self.line("rw_pay_begin(P);")
        for number, cost in enumerate(payment.costs):
            pattern = PATTERNS[cost.pattern]
            among = f"among[{number}]" if pattern == 3 else "(Set){0, 0}"
            self.line(f"rw_pay_cost(P, amounts[{number}], {pattern}, {among}, {cost.values});")
            for position, source in enumerate(cost.sources):
                if source.when is not None:
                    with self.block(f"if ({self.test(source.when)})"):
                        self._source(source, number, position)
                else:
                    self._source(source, number, position)
        lines = [line.replace("return RW_FAULT;", "return;") for line in self.function.lines]
        self.prototypes.append(f"{head};")
        self.functions += [f"{head} {{", *self.function.declared, *lines, "}", ""]

    def _source(self, source: ir.PaySource, cost: int, position: int) -> None:
        wild = int(source.as_any)
        if source.contents is not None:
            by = "0"
            if source.by is not None:
                name, _ = self.table(source.by, 1, of_sets=False)
                by = f"{name} + 1"
            self.line(f"rw_pay_pieces(P, {self.as_set(source.contents)}, {by}, {wild}, {position});")
            return
        address = self.x(source.address) if source.address is not None else f"among[{cost}].n"
        counter = source.counter
        assert counter is not None
        bounds = f"{counter.stride}, {counter.low}, {counter.high}, {int(counter.capped)}, 0"
        self.line(f"rw_pay_counter(P, S, {source.key}, {address}, {wild}, {position}, {bounds});")

    # ------------------------------------------------------------------ what the runtime goes by

    def _constants(self) -> list[str]:
        meta, limits = self.meta, self.meta.limits
        largest = max([size for _, size in self.frames.values()] or [1]) + len(self.given_names) + 5
        stack = min(MOST_CELLS, (limits["frames"] + 8) * (largest + 1))
        results = [self.result_room(n) for n, r in self.unit.routines.items() if r.kind == "framed" and self.gives_set(n)]
        holes = max((len(text.holes) for text in self.unit.texts), default=0)
        rows = len(set(meta.piece_row)) + 1
        made = self.unit.payments.made
        kinds = max((sum(len(c.sources) for c in p.costs) * rows for p in made), default=1)
        paid = max((sum(len(c.sources) for c in p.costs) * (meta.pieces + 1) for p in made), default=1)
        first = sum(1 << seat for seat, takes_first in meta.automas.items() if takes_first)
        values = {
            "PLAYERS": meta.players, "PIECES": meta.pieces, "LISTS": meta.lists, "SLOTS": meta.slots,
            "FIELDS": len(meta.start), "DICE": meta.dice, "NODES": len(meta.nodes), "STACK": stack,
            "RESULT": max([1, *results]), "SEGMENTS": segment_count(self.unit.routines),
            "END": segment_count(self.unit.routines) - 1, "SITES": len(meta.sites),
            "ROUTINES": len(self.routine_numbers), "FREES": len(meta.free_actions), "GIVENS": len(self.given_names),
            "WHYS": holes, "STEP_LIMIT": limits["steps"], "FRAME_LIMIT": limits["frames"],
            "TRIAL_STEPS": limits["trial_steps"], "OPTION_LIMIT": limits["options"],
            "DECISION_LIMIT": limits["decisions"], "COSTS": max([len(p.costs) for p in made] or [1]), "KINDS": kinds,
            "PAID_PIECES": paid, "ENV": self.env_size, "FACES": int(self._uses_faces()),
            "AUTOMAS": sum(1 << seat for seat in meta.automas), "AUTOMA_FIRST": first,
            "EVERYBODY": (1 << meta.players) - 1, "SCORED": int(bool(meta.score_blocks)), "CELLS": len(meta.cells),
            "RANK_KEYS": self.result_room("rank") if meta.has_rank else 0, "MOST_ARGS": self._most_args(),
            "CELLS_NEST": int(meta.cells_nest), "DEALS": meta.deals,
            "PLAY_ROUTINE": self.routine_numbers.get("rule_play", -1),
            "SETUP_ROUTINE": self.routine_numbers.get("rule_setup", -1),
        }  # fmt: skip
        return [f"#define RW_CELL {self._cell_type()}", *(f"#define RW_{k} {_hex(v)}" for k, v in values.items()), ""]

    def _most_args(self) -> int:
        in_cells = [len(args) + 1 for cell in self.meta.cells for _, _, args in cell]
        return max([1, *in_cells, *(len(own) + 1 for _, _, _, own, _ in self.meta.free_actions)])

    def _uses_faces(self) -> bool:
        return self.meta.uses_faces

    def _cell_type(self) -> str:
        """The narrowest type that holds every number of the array."""
        ranges = list(self.layout.ranges.values())
        lowest = min([self.meta.pieces and -1, *(r.lowest for r in ranges), *self.meta.start, -1])
        highest = max([self.meta.pieces, *(r.high for r in ranges), *self.meta.start, 0])
        for bits in (8, 16):
            if lowest >= -(1 << bits - 1) and highest < 1 << bits - 1:
                return f"int{bits}_t"
        return "int32_t"

    def _runtime_tables(self) -> list[str]:
        meta, kept = self.meta, self.statics
        self.statics = []
        rules = sorted(set(meta.segment_rule))
        of_routine = self.routine_numbers
        frames = {s.number: self.frames[r.name][1] for r in self.unit.routines.values() for s in r.segments}
        frames[0] = 4 + len(self.given_names)
        lines = [
            f"    {{{rules.index(meta.segment_rule[n])}, {of_routine.get(meta.segment_routine[n], -1)}, "
            f"{meta.segment_loop[n]}, {int(n in meta.phase_segments)}, {int(n in meta.phase_entries)}, "
            f"{int(n in meta.may_refuse)}, {int(n in meta.ask_segments)}, {frames.get(n, 1)}}},"
            for n in range(segment_count(self.unit.routines))
        ]
        self.statics += ["static const RwSegment RW_SEG[RW_SEGMENTS] = {", *lines, "};"]
        self._sites()
        routines = []
        for name in of_routine:
            entry, _ = self.entries.get(name, (-1, 0))
            size = self.frames[name][1] if name in self.frames else 0
            routines.append(f"    {{{entry}, {size}, {len(self.unit.routines[name].params)}}}, /* {name} */")
        self.statics += ["static const RwRoutine RW_ROUTINE[] = {", *routines, "    {-1, 0, 0}", "};"]
        always = {self.unit.routine_name(rule) for rule, name in self.unit.foreseen_entries.items() if not name}
        self.array("RW_ALWAYS", [int(name in always) for name in of_routine], "uint8_t")
        self._free_actions_table(rules)
        self._cells()
        self.array("RW_SEES", [int(s) for s in meta.sees], "uint32_t")
        self.array("RW_UNORDERED", [int(u) for u in meta.unordered], "uint8_t")
        self.array("RW_ROW", [-1, *meta.piece_row[:-1]], "int16_t")
        for name, values in (("CARRIER", meta.carriers), ("HOLDER", meta.holders), ("NODE_OF", meta.place_nodes)):
            self.array(f"RW_{name}", values, "int16_t")
        self.array("RW_START", [0 if v == NO_NUMBER and self._cell_type() != "int32_t" else v for v in meta.start], "RW_CELL")
        self._own_state()
        made, self.statics = self.statics, kept
        return [*made, ""]

    def _sites(self) -> None:
        firsts: list[int] = []
        tried: list[int] = []
        lines = []
        for site in self.meta.sites:
            kind = KINDS.index(site.kind)
            picked = int(not site.fallback and site.kind in ("choose", "one", "may"))
            branches = len(site.branches)
            flags = [site.in_phase, site.values_only, site.may_pass, site.fallback, site.callers, site.steady]
            numbers = [kind, *map(int, flags), picked, site.always, branches, int(PASS in site.trial_branches)]
            lines.append(f"    {{{', '.join(map(str, [*numbers, len(firsts), len(tried), len(site.trial_branches)]))}}},")
            firsts += site.firsts if site.firsts else [0] * max(1, branches)
            tried += [int(branch in site.trial_branches) for branch in range(branches)]
        self.array("RW_FIRSTS", firsts, "int32_t")
        self.array("RW_TRIED", tried, "uint8_t")
        empty = "    {0}"
        self.statics += ["static const RwSite RW_SITE[] = {", *(lines or [empty]), "};"]

    def _free_actions_table(self, rules: list[str]) -> None:
        params: list[int] = []
        lines = []
        free_rules = {name for name, *_ in self.meta.free_actions}
        for rule, routine, during, own, inside in self.meta.free_actions:
            number = rules.index(rule) if rule in rules else -2
            phase = rules.index(during) if during in rules else -2
            routine_number = self.routine_numbers[routine]
            lines.append(f"    {{{number}, {routine_number}, {phase}, {int(inside)}, {len(own)}, {len(params)}}},")
            params += own
        self.statics += ["static const RwFree RW_FREE_ACTION[] = {", *(lines or ["    {0}"]), "};"]
        self.array("RW_FREE_PARAMS", params, "int16_t")
        self.array("RW_FREE_RULE", [int(rule in free_rules) for rule in rules], "uint8_t")

    def _cells(self) -> None:
        cells: list[str] = []
        calls: list[str] = []
        args: list[str] = []
        for cell in self.meta.cells:
            cells.append(f"    {{{len(calls)}, {len(cell)}}},")
            for routine, takes_player, given in cell:
                number = self.routine_numbers[routine]
                calls.append(f"    {{{number}, {int(takes_player)}, {len(given)}, {len(args)}}},")
                for arg in given:
                    if isinstance(arg, tuple):
                        if len(arg) != 1 or not isinstance(arg[0], str):
                            raise CannotEmit("a set as an argument in a cell")
                        args.append(f"    {{1, {self.given_names[arg[0]]}}},")
                    else:
                        args.append(f"    {{0, {int(arg)}}},")  # type: ignore[call-overload]
        for name, kind, lines in (("CELL_OF", "RwCell", cells), ("CALLS", "RwCall", calls), ("ARGS", "RwArg", args)):
            self.statics += [f"static const {kind} RW_{name}[] = {{", *(lines or ["    {0}"]), "};"]

    def _own_state(self) -> None:
        """Of each piece with state of its own: the offsets of its fields, and its lists."""
        fields: list[list[int]] = [[] for _ in range(self.meta.pieces)]
        lists: list[list[int]] = [[] for _ in range(self.meta.pieces)]
        own = [0] * self.meta.pieces
        for field in self.meta.fields:
            if field.owner == "piece":
                _, low, count = field.dimensions[0]
                each = 1
                for _, _, size in field.dimensions[1:]:
                    each *= size
                for number in range(count):
                    fields[low + number] += range(field.base + number * each, field.base + (number + 1) * each)
                    own[low + number] = 1
        for number, carrier in enumerate(self.meta.carriers):
            if carrier >= 0:
                own[carrier] = 1
                is_list = number < self.meta.lists
                (lists if is_list else fields)[carrier].append(number if is_list else number - self.meta.lists)
        self.set_array("RW_OWN_FIELDS", [tuple(one) for one in fields])
        self.set_array("RW_OWN_LISTS", [tuple(one) for one in lists])
        self.array("RW_HAS_OWN", own, "uint8_t")
        is_open = [0] * (self.meta.lists + self.meta.slots)
        for place in self.meta.places:
            if place.visibility == "open":
                is_open[place.base : place.base + place.size] = [1] * place.size
        self.array("RW_OPEN", is_open, "uint8_t")

    # ------------------------------------------------------------------ dispatch

    def _dispatch(self) -> list[str]:
        lines = []
        for way, name in (("q", "PLAYOUT"), ("t", "TRIAL")):
            lines.append(f"static int {way}_s0(Ctx *C, State *S, int32_t *F) {{ return rw_perform_next(C, S, RW_{name}, F); }}")
        lines += [
            "static int rw_unused(Ctx *C, State *S, int32_t *F) { (void)S; (void)F; return rw_fault(C, 904, 0, -1); }",
            "static int rw_end(Ctx *C, State *S, int32_t *F) { (void)C; (void)F; S->over = 1; return RW_STOP; }",
            "static int (*const RW_CODE[2][RW_SEGMENTS])(Ctx *, State *, int32_t *) = {",
        ]
        numbers = {segment.number for routine in self.unit.routines.values() for segment in routine.segments}
        count = segment_count(self.unit.routines)
        for way in ("q", "t"):
            names = [f"{way}_s{n}" if n in numbers or n == 0 else "rw_unused" for n in range(count - 1)]
            lines.append(f"    {{{', '.join([*names, 'rw_end'])}}},")
        lines += [
            "};",
            "static int rw_segment(Ctx *C, State *S, int way, int32_t *F) { return RW_CODE[way][F[0]](C, S, F); }",
            *self._plain_dispatch(),
            *self._foreseen_dispatch(),
            *self._formula_dispatch(),
            *self._score_dispatch(),
        ]
        return lines

    def _numbered_args(self, routine: Routine, first: int = 0) -> str:
        return "".join(f", a[{position + first}]" for position in range(len(routine.params)))

    def _no_sets(self, routine: Routine) -> bool:
        return not self._set_locals(routine) & set(routine.params)

    def _plain_dispatch(self) -> list[str]:
        lines = ["static int rw_plain(Ctx *C, State *S, int way, int routine, const num *a) {", "    (void)a; (void)S; (void)way;", "    switch (routine) {"]  # fmt: skip
        for name, number in self.routine_numbers.items():
            routine = self.unit.routines[name]
            if routine.kind != "plain" or not self._no_sets(routine):
                continue
            args = self._numbered_args(routine)
            out = ""
            if self.has_result(name) is not None:
                room = self.result_room(name) + 1 if self.gives_set(name) else 1
                lines.append(f"    case {number}: {{ {'elt' if self.gives_set(name) else 'num'} r[{room}];")
                out = ", r"
            else:
                lines.append(f"    case {number}: {{")
            lines.append(f"        return way == RW_TRIAL ? t_{name}(C, S{args}{out}) : q_{name}(C, S{args}{out}); }}")
        return [*lines, "    }", "    return rw_fault(C, 904, routine, -1);", "}"]

    def _foreseen_dispatch(self) -> list[str]:
        lines = ["static int rw_foreseen(Ctx *C, State *S, int routine, const num *a) {", "    (void)C; (void)S; (void)a;", "    switch (routine) {"]  # fmt: skip
        performing = []
        self.function = Function("rw_foreseen", "pure", "t")
        for rule, name in self.unit.foreseen_entries.items():
            number = self.routine_numbers[self.unit.routine_name(rule)]
            made = self.unit.foreseen.get(rule)
            if made is not None and made.performs:
                performing.append(number)
            if not name:
                lines.append(f"    case {number}: return RW_YES;")
                continue
            routine = self.unit.routines[name]
            lines.append(f"    case {number}: return (int){self.c_name(name)}(C, S{self._numbered_args(routine)});")
        lines += ["    }", "    return RW_UNFORESEEN;", "}", "static int rw_performing(int routine) {"]
        tests = " || ".join(f"routine == {number}" for number in performing)
        return [*lines, f"    return {tests or '0'};", "    (void)routine;", "}"]

    def _formula_dispatch(self) -> list[str]:
        """A formula is a value: the first call of its cell, with what is written there."""
        lines = [
            "static num rw_formula(Ctx *C, State *S, num cell, num who) {",
            "    if (cell < 0) return 0;",
            "    const RwCall *call = RW_CALLS + RW_CELL_OF[cell].first;",
            "    num a[16]; int n = 0;",
            "    if (call->takes_player) a[n++] = who;",
            "    for (int i = 0; i < call->nargs && n < 16; i++) a[n++] = RW_ARGS[call->args + i].value;",
            "    (void)C; (void)S; (void)a;",
            "    switch (call->routine) {",
        ]
        used = sorted({cell[0][0] for cell in self.meta.cells if cell and self.unit.routines[cell[0][0]].kind == "pure"})
        self.function = Function("rw_formula", "pure", "q")
        for name in used:
            routine = self.unit.routines[name]
            if self._no_sets(routine) and not self.gives_set(name) and len(routine.params) <= 16:
                args = self._numbered_args(routine)
                lines.append(f"    case {self.routine_numbers[name]}: return {self.c_name(name)}(C, S{args});")
        return [*lines, "    }", "    return 0;", "}"]

    def _score_dispatch(self) -> list[str]:
        lines = ["static num rw_points(Ctx *C, State *S, int player) {", "    num total = 0; Set lines; (void)lines; (void)C; (void)S; (void)player;"]  # fmt: skip
        self.function = Function("rw_points", "pure", "q")
        for block in range(self.meta.score_blocks):
            name = f"score_{block}"
            lines += [
                "    {",
                f"        elt room[{self.result_room(name)}];",
                f"        lines = {self.c_name(name)}(C, S, player, room);",
                "        for (int32_t i = 0; i < lines.n; i++) total += lines.v[i];",
                "    }",
            ]
        lines += ["    return total;", "}", "static int rw_rank(Ctx *C, State *S, int player, num *keys) {"]
        if not self.meta.has_rank:
            return [*lines, "    (void)C; (void)S; (void)player; (void)keys;", "    return 0;", "}"]
        room = self.result_room("rank")
        return [
            *lines,
            f"    elt room[{room}];",
            f"    Set made = {self.c_name('rank')}(C, S, player, room);",
            "    for (int32_t i = 0; i < made.n; i++) keys[i] = made.v[i];",
            "    return made.n;",
            "}",
        ]


def _hex(value: int) -> str:
    return f"({value})" if value < 0 else str(value)


def _called(routine: Routine) -> set[str]:
    found: set[str] = set()
    for body in (routine.body, *(segment.body for segment in routine.segments)):
        for _, _, ins in instructions(body):
            for op in ir.operations(ins):
                if isinstance(op, ir.CallValue):
                    found.add(op.routine)
                if isinstance(op, ir.CanCall) and op.known is not None:
                    found.add(op.known)
    return found


def _gives_unsure(routine: Routine) -> bool:
    ops = [op for _, _, ins in instructions(routine.body) for op in ir.operations(ins)]
    flags = any(
        isinstance(ins, ir.Return) and ins.value is not None and isinstance(ins.value.type, Flag)
        for _, _, ins in instructions(routine.body)
    )
    return flags and any(isinstance(op, ir.Unsure) for op in ops)


_FAULTS = (ir.InRange, ir.Fitting, ir.Counted, ir.Formula, ir.CanCall, ir.CanPerform, ir.CanPay, ir.Paid, ir.Score)


def _may_fault(routine: Routine) -> bool:
    for _, _, ins in instructions(routine.body):
        if isinstance(ins, ir.While | ir.Loop):
            return True
        for op in ir.operations(ins):
            if isinstance(op, _FAULTS):
                return True
            if isinstance(op, ir.Arithmetic) and op.sign in ("//", "%"):
                if not (isinstance(op.right, ir.Const) and op.right.value != 0):
                    return True
    return False


def emit_c(
    unit: Unit, ways: dict[str, Routines], meta: Meta, tables: dict[str, Any], graphs: dict[str, Graph]
) -> Emitted:
    """The C of a game; raises CannotEmit with the reason if it has something that C cannot do yet."""
    return Module(unit, ways, meta, tables, graphs).emit()
