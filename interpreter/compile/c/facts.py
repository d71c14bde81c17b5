"""What the emitter knows of routines before it writes any: which give sets, which may meet a fault or be unsure, where
the slots of a frame lie."""

from __future__ import annotations

from typing import Any

from ...check.value_types import Flag, Number, PlaceOf, SetOf, bare
from .. import ir
from ..bounds import bare_pass, bounds_of
from ..ir import Routine
from ..masks import with_masks
from ..masks.folded import with_tables
from ..meta import Meta
from ..pure import faulty_values, with_callers
from ..tidy import Routines, entries_of
from ..tried import Tried
from ..unit import Unit
from .atoms import ROOM
from .draws import Draws
from .function import Function
from .maps import Graph
from .memos import KEPT, OPTIONS_READ
from .onward import onward
from .widths import wide_results

MOST_STACK = 1 << 22  # cells of all frames together


class Facts(Draws):
    def __init__(
        self,
        unit: Unit,
        ways: dict[str, Routines],
        meta: Meta,
        tables: dict[str, Any],
        graphs: dict[str, Graph],
        remembers: bool,
    ) -> None:
        self.remembers = remembers
        # Tables of what is printed on pieces have no entry for none: index -1 reads the last piece there.
        printed = {name: (*values, values[-1]) for name, values in unit.printed.items() if values}
        bounds = bounds_of(unit)
        ways, whole = with_tables(unit, ways, bounds, {**tables, **printed}, graphs)
        super().__init__(unit, meta, bounds, whole)
        self.masked, self._tables_written = with_masks(unit, ways, bounds, whole, graphs), set()
        self.ways = {"q": self.masked.ways["playout"], "t": self.masked.ways["trial"]}
        self.graphs, self._map_parts, self._writers, self.lands = graphs, set(), {}, {}
        self._row_tables, self._tuples = {}, {}
        self.tests, self.env_size, self._tests_made = [], 8, 0
        self.entries = entries_of(unit.routines)
        self.tried = Tried(meta, unit.sites, self.ways.values())
        self.onward = onward(self.ways["q"], self.entries)
        self.routine_numbers = {name: number for number, name in enumerate(sorted(unit.routines))}
        self.given_names: dict[str, tuple[int, int | None]] = {}
        self.given_cells = 0
        self.frames, self.slots = {}, {}
        self.functions: list[str] = []
        self.prototypes: list[str] = []
        self._find_facts()

    # ------------------------------------------------------------------ facts about routines

    def _find_facts(self) -> None:
        self.same_in_all_ways = self._same_routines()
        self.unsure_routines = self._spread({r.name for r in self._values() if _gives_unsure(r)})
        self.wide_results = wide_results(self._values(), bare_pass(self.unit, self.bounds).bound)
        unfit = {routine.name for routine in self._values() if self._may_not_fit(routine)}
        self.faulty = faulty_values(self._values()) | self._spread(unfit)
        self.trying = self._spread({r.name for r in self._values() if _has(r, OPTIONS_READ)})
        self.keeping = self._spread({r.name for r in self._values() if _has(r, (*KEPT, *OPTIONS_READ))})
        for routine in self.unit.routines.values():
            if routine.kind == "framed":
                self.frames[routine.name] = self._frame(routine)
        self._place_given()

    def _all_routines(self) -> list[Routine]:
        return [routine for routines in self.ways.values() for routine in routines.values()]

    def _values(self) -> list[Routine]:
        return [routine for routine in self._all_routines() if routine.kind == "pure"]

    def _may_not_fit(self, routine: Routine) -> bool:
        """It has a set that nothing bounds. Routines without large sets of numbers, nearly all, are passed over."""
        ops = [*routine.operations()]
        if not any(map(_is_vast, ops)):
            return False
        self.begin_routine(routine)
        return any(isinstance(op.type, SetOf) and not self.is_proved(op) for op in ops)

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
            room = self.kept_room(None if bound is None else bound.size)
            slots[name] = (offset, room)
            offset += 1 + room
        return slots, offset

    def _place_given(self) -> None:
        """Where what is given by name lies in the frame of a cell. Only what some call takes is kept there, with the
        most room that any of them has for it."""
        rooms: dict[str, int | None] = {}
        for cell in self.meta.cells:
            for routine, takes_player, args in cell:
                placed, _ = self.image(routine)
                for (_, room), arg in zip(placed[int(takes_player) :], args, strict=True):
                    if is_given(arg):
                        name: str = arg[0]  # type: ignore[index]
                        rooms[name] = room if room is None else max(room, rooms.get(name) or 0)
        for name, room in rooms.items():
            self.given_names[name] = (self.given_cells, room)
            self.given_cells += 1 + (room or 0)

    def image(self, routine: str) -> tuple[list[tuple[int, int | None]], int]:
        made = self.unit.routines[routine]
        sets, known, offset = self._set_locals(made), self.bounds.of(made), 0
        placed: list[tuple[int, int | None]] = []
        for param in made.params:
            room = None
            if param in sets:
                bound = known.get(param)
                in_frame = self.frames[routine][0][param][1] if routine in self.frames else None
                room = in_frame or self.kept_room(None if bound is None else bound.size)
            placed.append((offset, room))
            offset += 1 + (room or 0)
        return placed, offset

    def stack_cells(self) -> int:
        """How many cells all frames together can take. A rule that no call leads back to is on the stack twice at
        most: once below a free action and once above it. Others are there as often as the limit of frames allows."""
        sizes = {name: size + 1 for name, (_, size) in self.frames.items()}
        cell = 5 + self.given_cells
        again, performs = self._on_cycles()
        nested = max([sizes.get(name, 0) for name in again] + [cell if performs else 0])
        once = sum(size for name, size in sizes.items() if name not in again)
        limit = self.meta.limits["frames"] + 8
        whole = min(2 * once + limit * nested, limit * (max([1, *sizes.values()]) + cell))
        return min(MOST_STACK, whole + 64)

    def _on_cycles(self) -> tuple[set[str], bool]:
        """The routines that calls may lead back to, or that lie between such; and whether any cell is performed."""
        in_cells = {call[0] for cell in self.meta.cells for call in cell}
        leads: dict[str, set[str]] = {}
        performs = False
        for routine in self._all_routines():
            calls = leads.setdefault(routine.name, set())
            for one in (*routine.instructions(), *routine.operations()):
                called = getattr(one, "routine", None)
                if isinstance(called, str):
                    calls.add(called)
                if isinstance(one, ir.Perform | ir.CanPerform):
                    calls |= in_cells
                    performs = True
        while True:
            called = set().union(*leads.values())
            ends = [name for name, calls in leads.items() if not calls & leads.keys() or name not in called]
            if not ends:
                return set(leads), performs
            for name in ends:
                del leads[name]

    def _set_locals(self, routine: Routine) -> set[str]:
        """The locals of a routine that hold sets: by their type, or by what they are given."""
        found = {n for n, t in zip(routine.slots, routine.slot_types, strict=False) if isinstance(t, SetOf | PlaceOf)}
        rules = self.bounds.rules.get(routine.rule, ())
        found |= {self.unit.local_name(p) for r in rules for p in r.params if isinstance(p.type, SetOf)}
        outer, self.function = self.function, Function("", "plain", sets=found)
        for _ in range(2):  # a local may be given another one that comes later in the text
            for ins in routine.instructions():
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


def is_given(arg: Any) -> bool:
    """An argument in a cell that whoever performs it gives by name; any other is a number, or a set of them."""
    return isinstance(arg, tuple) and len(arg) == 1 and isinstance(arg[0], str)


def _is_vast(op: ir.Op) -> bool:
    of = bare(op.type.of if isinstance(op.type, SetOf) else op.type)
    if not isinstance(of, Number):
        return isinstance(op.type, SetOf) and of is ir.INDEX
    return of.high - of.low >= ROOM and isinstance(op.type, SetOf)


def _has(routine: Routine, operations: tuple[type[ir.Op], ...]) -> bool:
    return any(isinstance(op, operations) for op in routine.operations())


def _gives_unsure(routine: Routine) -> bool:
    given = [ins.value for ins in routine.instructions() if isinstance(ins, ir.Return)]
    return any(value is not None and isinstance(value.type, Flag) for value in given) and _has(routine, (ir.Unsure,))
