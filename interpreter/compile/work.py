"""Counts of work: what keeps a ruleset from holding up whoever runs it, at next to no cost.

From one decision to the next a game may do a limited amount of work (`limits.steps`); what goes beyond is a fault.
Counting every statement would be slow. So the compiler counts beforehand, in *units* of about one operation, and writes
a count (`Spend`) only where many units have added up. `STEP` units are one of the steps that a manifest speaks
of.

Three rules bound all that can happen between two counts:

- A block adds up the units of its statements and of the values and rules that they call. When there are more than
  `UNCOUNTED`, it spends them. What is left at the end is counted by the caller, with the call.
  So forty effects that each call the one before twice spend in every tenth of them, and no other effect counts at all.
- A loop counts its passes when it begins, each with the units of its body (`Counted.weight`). A loop over so little
  that it can be multiplied out counts like any statement: `for i in 1..4` costs nothing at run time.
- A rule that may run inside itself spends when it begins, however little it does.

A rule that is cut at its decisions returns to the machine at each cut, and the machine looks at the count. So inside
its segments a count is an addition and no more (`Spend.checked`).

What a set can hold is bounded by its type, so an expression has a bound too: the elements of the set, times the units
of each. Where that is much, the loop in it counts how many elements there really are. Expressions run faster than
statements, so a quarter of their units is counted. Searches whose length nothing bounds (sets and payments that are
picked one by one, looking ahead) count in the runtime while they run.

Texts are worked out when somebody reads them, outside any step. Those that may be costly have their loops counted as
well, against a budget that the reader gives them (`runtime/reading_texts.py`). What the rules `say` is worked out
only in games at a table, but must count the same everywhere: its line counts the most that its text can take.

This is a pass over the IR before any backend, so every backend counts at the same places.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..check.passes import Effort
from . import ir
from .bounds import MANY, Bounds, bare_pass
from .ir import Block, Ins, Op, Routine
from .meta import NAMED, STEP
from .unit import TextUnit, Unit

UNCOUNTED = 16 * STEP
_SEGMENT = 16 * STEP  # the same in a rule that is cut at its decisions: it returns to the machine now and then
_LINE = 40 * STEP  # a line of the log: some thousand of them between two decisions
_UNKNOWN = 64  # elements of a set about which nothing is known
_CALL = 8
_LOOKED_THROUGH = 32  # pieces of a place that are looked through in the time of one operation
_ROLLED = 4
_QUEUED = 20  # operations for a node or edge that waits in order of its cost
_NOTED = STEP // 2  # a piece that moves: what each player knows of it, and a line for worlds
_SEEN = 16  # a piece that goes with others: who sees it there, and a line for worlds
_LARGE_MAP = 400  # nodes
_MOST = 1 << 40
_PLAYED_AHEAD = 4  # an operation takes a quarter of the time of a statement
_LONG = 64 * STEP  # a loop inside an expression that may take more units counts its elements
_LOOPS = (
    ir.Some, ir.Every, ir.Listed, ir.All, ir.UpTo, ir.Best, ir.First, ir.CountWhere, ir.SumOf,
    ir.ExtremeOf,
)  # fmt: skip


def count_work(unit: Unit) -> None:
    work = _Work(unit)
    for routine in list(unit.routines.values()):
        work.count(routine)
    for text in unit.texts:
        work.count_text(text)


class _Work:
    def __init__(self, unit: Unit) -> None:
        self.unit = unit
        self.sizes = bare_pass(unit, Bounds(unit))
        self.effort = Effort(unit.program)
        self.values: dict[str, int] = {}  # units of pure routines
        self.left: dict[str, int] = {}  # units of plain routines that their callers count
        self.running: set[str] = set()
        self.nested: set[str] = set()  # routines that may run inside themselves
        self.framed = False  # inside a segment: it returns to the machine, which looks at the count
        self.tests: dict[int, int] = {}  # of the current segment: what testing one option of a site takes

    # ------------------------------------------------------------------ routines

    def count(self, routine: Routine) -> None:
        if routine.kind == "plain":
            self._plain(routine.name)
        for segment in routine.segments:
            self.tests, self.framed = self._tests_in(segment.body), True
            segment.body, self.unit.uncounted[segment.number] = self._block(segment.body)
            self.tests, self.framed = {}, False

    def _plain(self, name: str) -> int:
        """The units of a plain routine that whoever calls it must count."""
        if name in self.left:
            return self.left[name]
        if name in self.running:
            self.nested.add(name)
            return 0
        routine = self.unit.routines[name]
        self.running.add(name)
        outer, (self.tests, self.framed) = (self.tests, self.framed), ({}, False)
        routine.body, left = self._block(routine.body)
        self.tests, self.framed = outer
        self.running.remove(name)
        # Only now is it known that something inside calls it again. Counted by whoever calls, it would count nothing at
        # all inside itself.
        if name in self.nested:
            routine.body = [ir.Spend(max(left, STEP), span=routine.span), *routine.body]
            left = 0
        self.left[name] = left
        return left

    def _value(self, name: str) -> int:
        """The units of a pure routine, once the loops in it that may be long count themselves."""
        if name not in self.values:
            self.values[name] = _CALL  # ends the recursion; a value that uses itself is an error
            if name in self.unit.routines:
                routine = self.unit.routines[name]
                routine.body, units = self._pure(routine.body)
                self.values[name] = _CALL + units
        return self.values[name]

    def _pure(self, body: Block) -> tuple[Block, int]:
        """The same of a block of such a routine, in which nothing is spent."""
        made: Block = []
        total = 0
        for ins in body:
            lefts = [0]

            def inner(block: Block, lefts: list[int] = lefts) -> Block:
                changed, units = self._pure(block)
                lefts.append(units)
                return changed

            changed, own = self._operations(ins, inner)
            units = max(lefts)
            if isinstance(changed, ir.For):
                changed, units = self._loop(changed, 0, units + 1)
            total += 1 + own + units
            made.append(changed)
        return made, min(total, _MOST)

    def _tests_in(self, body: Block) -> dict[int, int]:
        found: dict[int, int] = {}
        for ins in ir.instructions(body):
            if isinstance(ins, ir.Filter):
                found[ins.site] = max((self._value(t.routine) for t in ins.tests if t.routine), default=0)
        return found

    # ------------------------------------------------------------------ blocks

    def _block(self, body: Block) -> tuple[Block, int]:
        """The block with its counts, and the units at its end that are not counted yet."""
        made: Block = []
        left = 0
        for ins in body:
            counted, units = self._instruction(ins)
            left += units
            # In front of the instruction that makes it too much: behind it, a long loop would have run uncounted.
            if left > (_SEGMENT if self.framed else UNCOUNTED):
                made.append(self._spend(left, ins))
                left = 0
            made.append(counted)
        return made, left

    def _spend(self, units: int, ins: Ins) -> Ins:
        return ir.Spend(min(units, 1 << 30), not self.framed, span=ins.span)

    def _instruction(self, ins: Ins) -> tuple[Ins, int]:
        if isinstance(ins, ir.While | ir.Loop):
            return self._endless(ins)
        if isinstance(ins, ir.Only):  # every way counts the same, so nothing is counted inside
            return ins, sum(1 + self._called(inner) for inner in ir.instructions(ins.body))
        lefts = [0]

        framed = self.framed and not isinstance(ins, ir.For)  # no machine looks at the count between two passes

        def inner(block: Block) -> Block:
            outer, self.framed = self.framed, framed
            made, left = self._block(block)
            self.framed = outer
            lefts.append(left)
            return made

        ins, inside = self._operations(ins, inner)
        own, left = inside // _PLAYED_AHEAD + 1, max(lefts)
        if isinstance(ins, ir.For):
            return self._for(ins, own, left)
        if isinstance(ins, ir.SetOptions) and ins.such_that is not None:
            ins = replace(ins, units=16 + self._operation(ins.such_that)[1] // _PLAYED_AHEAD)
        return ins, own + left + self._called(ins)

    def _endless(self, ins: ir.While | ir.Loop) -> tuple[Ins, int]:
        """A pass of such a loop counts one step by itself."""
        outer, self.framed = self.framed, False
        body, left = self._block(ins.body)
        made, inside = self._operations(replace(ins, body=body), lambda block: block)
        own = inside // _PLAYED_AHEAD + 1
        if left + own > STEP:
            made = replace(made, body=[self._spend(left + own - STEP, ins), *body])  # type: ignore[call-arg]
        self.framed = outer
        return made, own

    def _for(self, ins: ir.For, own: int, left: int) -> tuple[Ins, int]:
        if isinstance(ins.source, ir.Counted):
            return replace(ins, source=replace(ins.source, weight=max(STEP, left))), own
        whole = self.size(ins.source) * (left + 2)
        if whole <= _LONG:
            return ins, own + whole
        source = ir.Counted(ins.source, max(2, left), type=ins.source.type, span=ins.span)
        return replace(ins, source=source), own

    def _called(self, ins: Ins) -> int:
        """What an instruction does besides working out its operands."""
        match ins:
            case ir.Call() if self.unit.routines[ins.routine].kind == "plain":
                return _CALL + self._plain(ins.routine)
            case ir.Perform():
                return _CALL + self._cells()
            case ir.Say():
                return _LINE + self._told(ins.text)
            case ir.Option() | ir.UnsureOption():
                return 1 + self.tests.get(ins.site, 0) // _PLAYED_AHEAD
            case ir.Reset():
                return ins.size // 16
            case ir.Shuffle() | ir.ShuffleInto() | ir.Draw() | ir.PickRandom():
                return len(self.unit.program.pieces)
            case ir.SwapPlaces() | ir.PassOn() | ir.NoteSpot():
                return _SEEN * len(self.unit.program.pieces)
            case ir.Reveal():
                # What everybody may still take for it is a set of pieces, once for each piece that is shown.
                return self.size(ins.pieces) * (1 + len(self.unit.program.pieces) // 8)
            case ir.Move() | ir.Take() | ir.SwapPieces() | ir.Deal():
                # A piece is looked for among those that lie with it, and put between others.
                return len(self.unit.program.pieces) // _LOOKED_THROUGH
            case ir.NoteMove():
                return _NOTED
            case ir.NoteDeal():
                return _NOTED * self.size(ins.pieces)
            case ir.Roll():
                return _ROLLED * (ins.count or 1)
        return 0

    def _cells(self) -> int:
        """The most that performing a cell takes in a rule without decisions."""
        names = {f"rule_{call.rule.name}" for cell in self.unit.program.cells for call in cell.calls}
        made = self.unit.routines
        return max((self._plain(name) for name in names if name in made and made[name].kind == "plain"), default=0)

    # ------------------------------------------------------------------ texts

    def _told(self, text: int) -> int:
        """A line of the log: its words, what its holes may take at most, and the names of the pieces in them."""
        said = self.unit.texts[text]
        names = sum(STEP * self.size(hole) for hole in said.holes if self._is_set(hole))
        return len(said.raw) + names + self._most(said) // _PLAYED_AHEAD

    def _most(self, text: TextUnit) -> int:
        holes = (part for part in text.template.parts if not isinstance(part, str))
        return min(_MOST, sum(self.effort.steps(hole) for hole in holes))

    def count_text(self, text: TextUnit) -> None:
        """Counts the loops in a text that may take more than a step. All other texts cost their readers nothing."""
        names = sum(NAMED * self.size(hole) for hole in text.holes if self._is_set(hole))
        if names + self._most(text) // _PLAYED_AHEAD <= STEP:
            return
        holes = [self._operation(hole) for hole in text.holes]
        text.holes = tuple(made for made, _ in holes)
        text.units = sum(units for _, units in holes) // _PLAYED_AHEAD + 1

    # ------------------------------------------------------------------ operations

    def _is_set(self, op: Op) -> bool:
        return self.sizes.bound(op).size is not None

    def size(self, op: Op) -> int:
        """The most elements of a set."""
        size = self.sizes.bound(op).size
        return _UNKNOWN if size is None or size >= MANY else size

    def _operations(self, ins: Ins, block: Callable[[Block], Block]) -> tuple[Ins, int]:
        """The instruction with its operations and blocks changed, and the units of its operations."""
        found: list[int] = []

        def change(op: Op) -> Op:
            made, units = self._operation(op)
            found.append(units)
            return made

        return ir.rebuilt(ins, change, block), sum(found)

    def _operation(self, op: Op) -> tuple[Op, int]:
        """The operation with counts in loops that may be long, and the most that the rest of it takes."""
        if isinstance(op, ir.Const | ir.Local):
            return op, 0
        units: list[tuple[Op, int]] = []

        def change(inner: Op) -> Op:
            made, own = self._operation(inner)
            units.append((inner, own))
            return made

        made = ir.rebuilt(op, change)
        inside = 1 + sum(own for _, own in units)
        if isinstance(op, _LOOPS):
            once = next((own for inner, own in units if inner is op.source), 0)
            return self._loop(made, once, inside - once)
        return made, min(_MOST, inside + self._more(op, inside))

    def _loop(self, op: Any, once: int, each: int) -> tuple[Any, int]:
        """A loop over a set: the set is worked out once, all else for each of its elements."""
        source: Op = op.source
        whole = self.size(source) * each
        # The bound is what the set could hold. Where that is much, counting what it does hold is worth the call.
        if whole > _LONG and not isinstance(source, ir.Counted):
            counted = ir.Counted(source, each // _PLAYED_AHEAD + 1, type=source.type, span=op.span)
            return replace(op, source=counted), 2 + once
        return op, min(_MOST, 1 + once + whole)

    def _more(self, op: Op, inside: int) -> int:
        """What an operation takes besides one look at each of its operands."""
        match op:
            case ir.CallValue():
                return self._value(op.routine)
            case ir.CanCall():
                return _CALL + (self._value(op.known) if op.known is not None else 0)
            case ir.Reach() | ir.Groups() | ir.LongestTrail():
                # A longest trail counts its search by itself, beside this.
                return inside * (len(self.unit.program.nodes) + len(self.unit.program.edges))
            case ir.Cheapest() | ir.CheapestTo():
                return (inside + _QUEUED) * (len(self.unit.program.nodes) + len(self.unit.program.edges))
            case ir.MapQuery() if len(self.unit.program.nodes) > _LARGE_MAP:  # of smaller ones the answers are kept
                return 2 * (len(self.unit.program.nodes) + len(self.unit.program.edges))
            case ir.LongestLine():
                return inside * _UNKNOWN
            case ir.Unskipped():
                return inside * self.unit.program.players
            case ir.Join() | ir.Concatenate() | ir.Without() | ir.Distinct() | ir.TurnedTo() | ir.Following():
                return self.size(op)
            case ir.Contains() | ir.Position():
                return sum(self.size(part) // 8 for part in ir.operands(op) if self._is_set(part))
            case ir.Formula() | ir.Score():
                return self._formulas(isinstance(op, ir.Formula))
        return 0

    def _formulas(self, in_cells: bool) -> int:
        """A formula cell: the value that takes most. A score: all its lines."""
        if not in_cells:
            return sum(self._value(name) for name in self.unit.routines if name.startswith("score_"))
        names = {f"value_{call.rule.name}" for cell in self.unit.program.cells for call in cell.calls}
        return max((self._value(name) for name in names if name in self.unit.routines), default=0)
