"""What the emitter knows of routines before it writes any: which give sets, which may meet a fault or be unsure, where
the slots of a frame lie."""

from __future__ import annotations

from typing import Any

from ...check.value_types import Flag, PlaceOf, SetOf
from .. import ir
from ..bounds import bounds_of
from ..ir import Routine, instructions
from ..masks import with_masks
from ..meta import Meta
from ..pure import faulty_values, with_callers
from ..tidy import Routines, entries_of
from ..unit import Unit
from .draws import Draws
from .function import CannotEmit, Function
from .maps import Graph
from .memos import OPTIONS_READ

MOST_CELLS = 1 << 14  # of all frames together


class Facts(Draws):
    def __init__(
        self, unit: Unit, ways: dict[str, Routines], meta: Meta, tables: dict[str, Any], graphs: dict[str, Graph]
    ) -> None:
        # Tables of what is printed on pieces have no entry for none: index -1 reads the last piece there.
        printed = {name: (*values, values[-1]) for name, values in unit.printed.items() if values}
        bounds, whole = bounds_of(unit), {**tables, **printed}
        super().__init__(unit, meta, bounds, whole)
        self.masked, self._tables_written = with_masks(unit, ways, bounds, whole, graphs), set()
        self.ways = {"q": self.masked.ways["playout"], "t": self.masked.ways["trial"]}
        self.graphs, self._map_parts, self._writers = graphs, set(), {}
        self._printed_made = {}
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
        self.faulty = faulty_values(self._values())
        self.trying = self._spread({r.name for r in self._values() if _has(r, OPTIONS_READ)})
        for routine in self.unit.routines.values():
            if routine.kind == "framed":
                self.frames[routine.name] = self._frame(routine)

    def _all_routines(self) -> list[Routine]:
        return [routine for routines in self.ways.values() for routine in routines.values()]

    def _values(self) -> list[Routine]:
        return [routine for routine in self._all_routines() if routine.kind == "pure"]

    def _spread(self, found: set[str]) -> set[str]:
        """These routines, and those that call them."""
        return with_callers(found, self._values())

    def _same_routines(self) -> set[str]:
        pure = {name for name, routine in self.unit.routines.items() if routine.kind == "pure"}
        differing = {n for n in pure if self.ways["q"].get(n) is not self.ways["t"].get(n)}
        return pure - self._spread(differing)

    def _frame(self, routine: Routine) -> tuple[dict[str, tuple[int, int | None]], int]:
        """Where each slot lies in the frame; a set has its size first."""
        known = self.bounds.of(routine)
        sets = self._set_locals(routine)
        offset = 1
        slots: dict[str, tuple[int, int | None]] = {}
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
        rules = [
            r for r in (*self.unit.program.rules.values(), *self.unit.program.all_hooks()) if r.name == routine.rule
        ]
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


def _has(routine: Routine, operations: tuple[type[ir.Op], ...]) -> bool:
    return any(isinstance(op, operations) for _, _, ins in instructions(routine.body) for op in ir.operations(ins))


def _gives_unsure(routine: Routine) -> bool:
    ops = [op for _, _, ins in instructions(routine.body) for op in ir.operations(ins)]
    flags = any(
        isinstance(ins, ir.Return) and ins.value is not None and isinstance(ins.value.type, Flag)
        for _, _, ins in instructions(routine.body)
    )
    return flags and any(isinstance(op, ir.Unsure) for op in ops)
