"""What a loop would search for again and again is searched for once.

    "{u} marches to {h}" for u in Unit where u.owner == p, h in Hex where (way(u, h) otherwise 99) <= u.speed

That is as many searches for the cheapest way as there are units and hexes, and for one unit all of them go over the
same edges at the same costs, from the same start. A way costs the same in both directions, so one search from the end
that stays answers for every other end (`CheapestTo`, `CostFrom`). It stands in front of the loop over the ends that
change, inside the loops that it rests on itself. Where it rests on no loop at all it is made only once for the whole
question, when it is first needed.

A search that stands in a value is found there: the call is written out, if all that is searched for in it is shared.

In front of the loop nothing has been asked yet, and a search for all ends looks at edges that a search for one may not
come to. So costs and conditions must be such that no edge meets a fault. (An empty slot that is declared never to be
empty is a mistake of the rules wherever somebody looks.) And behind `u.plan is not none and` the rules may look up row
`u.plan` of a chart; in front of the loop it may be none, and none is no row of anything. So a number that something is
looked up by must be an element of a set.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Set
from functools import partial

from ..check.value_types import Number, bare
from . import ir
from .hoist import cannot_fail
from .ir import INDEX, Block, Op, Routine, free_locals, rebuilt
from .pure import operation_may_fault, with_callers
from .written_out import expression_of, is_long, with_arguments

Loops = dict[str, Block]  # the names that change in the loops around, with what comes before the loop in which they do


class Searches:
    """Which values search for a cheapest way, and which may meet a fault on the way."""

    def __init__(self, values: Mapping[str, Routine]) -> None:
        self.values = values
        self.bodies = {name: value.body for name, value in values.items()}  # as they are before anything is shared
        found = {name for name, value in values.items() if any(map(_is_search, value.operations()))}
        self.searching = with_callers(found, values.values())
        faulty = {name for name, value in values.items() if _may_fault(value)}
        self.faulty = with_callers(faulty, values.values())

    def is_sure(self, op: Op) -> bool:
        """True if no edge or node can meet a fault there."""
        return not any(
            _is_fault(inner) or (isinstance(inner, ir.CallValue) and inner.routine in self.faulty)
            for inner in ir.operations(op)
        )


def _is_search(op: Op) -> bool:
    return isinstance(op, ir.Cheapest) and not op.is_path


def _is_fault(op: Op) -> bool:
    return operation_may_fault(op) and not isinstance(op, ir.Filled)


def _may_fault(routine: Routine) -> bool:
    loops = any(isinstance(ins, ir.While | ir.Loop) for ins in routine.instructions())
    return loops or any(map(_is_fault, routine.operations()))


NO_VALUES = Searches({})


def share_in_loops(body: Block, temporary: Callable[[str], str], searches: Searches = NO_VALUES) -> Block:
    """The same instructions, with searches that do not change from pass to pass of a loop before it."""
    shared = _Sharing(temporary, searches)
    made = shared.block(body, {})
    return [*(ir.Let(name, ir.Unsure()) for name in shared.once.values()), *made]


class _Sharing:
    def __init__(self, temporary: Callable[[str], str], searches: Searches) -> None:
        self.temporary, self.searches = temporary, searches
        self.once: dict[str, str] = {}  # made when first needed, by what is searched for
        self.again: dict[str, str] = {}  # made again in each pass of the loops that they rest on
        self.elements: set[str] = set()  # names of loops

    def block(self, body: Block, loops: Loops) -> Block:
        made: Block = []
        for ins in body:
            before: Block = []
            inner = loops
            if isinstance(ins, ir.For | ir.While | ir.Loop):
                name = ins.local if isinstance(ins, ir.For) else ""
                inner = {**loops, name: before}
                self.elements.add(name)
            shared = rebuilt(ins, partial(self._replaced, loops=loops, before=before), partial(self.block, loops=inner))
            made += [*before, shared]
            # A name that is set inside a loop changes with its passes, as the name of the loop does.
            if loops and ins.local_set is not None and not isinstance(ins, ir.For):
                loops = {**loops, ins.local_set: list(loops.values())[-1]}
        return made

    def _replaced(self, op: Op, loops: Loops, before: Block) -> Op:
        """`before` comes in front of the instruction, and so in front of the loops that stand in its operations."""
        if loops and isinstance(op, ir.Cheapest) and not op.is_path and (shared := self._shared(op, loops)) is not None:
            return shared
        if loops and isinstance(op, ir.CallValue) and (whole := self._written_out(op, loops, before)) is not None:
            return whole
        if op.binds:
            names = [name for field in op.binds if isinstance(name := getattr(op, field), str)]
            loops = {**loops, **dict.fromkeys(names, before)}
            self.elements.update(names)
        return rebuilt(op, partial(self._replaced, loops=loops, before=before))

    def _written_out(self, call: ir.CallValue, loops: Loops, before: Block) -> Op | None:
        """What the value comes to, if every search in it is shared: one that is not is no better there."""
        if call.routine not in self.searches.searching or not all(map(is_plain, call.args)):
            return None
        whole = expression_of(self.searches.bodies[call.routine])
        if whole is None or is_long(whole):
            return None
        given = dict(zip(self.searches.values[call.routine].params, call.args, strict=True))
        whole = with_arguments(whole, given, lambda name: f"{name}__{call.routine}")
        lengths = [(one, len(one)) for one in (*loops.values(), before)]
        once, again = dict(self.once), dict(self.again)
        shared = self._replaced(whole, loops, before)
        if not any(map(self._searches, ir.operations(shared))):
            return shared
        self.once, self.again = once, again
        for one, length in lengths:
            del one[length:]
        return None

    def _searches(self, op: Op) -> bool:
        return _is_search(op) or (isinstance(op, ir.CallValue) and op.routine in self.searches.searching)

    def _shared(self, search: ir.Cheapest, loops: Loops) -> Op | None:
        """The cost from the end that changes, of a search for the costs from all ends."""
        for changing, fixed in ((search.start, search.goal), (search.goal, search.start)):
            every = ir.CheapestTo(
                search.map, fixed, search.edge, search.edges, search.where, search.cost, search.stops,
                search.every_edge, type=INDEX, span=search.span,
            )  # fmt: skip
            if isinstance(changing, ir.Local) and changing.name in loops and self._holds_in_front(every):
                kept = self._kept(every, changing.name, loops)
                if kept is not None:
                    return ir.CostFrom(kept, changing, type=search.type, span=search.span)
        return None

    def _holds_in_front(self, every: ir.CheapestTo) -> bool:
        """True if it can be asked where nothing has been asked yet."""
        inside = [*ir.operations(every)]
        elements = self.elements | {getattr(op, field) for op in inside for field in op.binds}
        return self.searches.is_sure(every) and all(is_there(op, elements) for op in inside)

    def _kept(self, every: ir.CheapestTo, changing: str, loops: Loops) -> ir.Local | None:
        """The local that holds all costs; None if these change with the end itself, so no search answers for two."""
        rests_on = [loops[name] for name in free_locals(every) if name in loops]
        needed = loops[changing]
        if not rests_on:
            return self._made_once(every, needed)
        orders = list(loops.values())
        last = max(index for index, before in enumerate(orders) if any(before is one for one in rests_on))
        inside = [before for before in orders[last:] if not any(before is one for one in rests_on)]
        if not any(before is needed for before in inside):
            return None
        name = self.again.setdefault(_without_name(every), self.temporary("ways"))
        if not any(_sets(ins, name) for ins in needed):
            needed.append(ir.Let(name, every, span=every.span))
        return ir.Local(name, type=INDEX)

    def _made_once(self, every: ir.CheapestTo, needed: Block) -> ir.Local:
        """In front of the loop, and worked out in the first pass of the loops around that comes there: unsure means not
        worked out yet. Two lines that ask for the same search share it."""
        kept = ir.Local(self.once.setdefault(_without_name(every), self.temporary("ways")), type=INDEX)
        if not any(isinstance(ins, ir.If) and _sets(ins.then[0], kept.name) for ins in needed):
            needed.append(ir.If(ir.IsUnsure(kept), [ir.Let(kept.name, every)], span=every.span))
        return kept


def is_there(op: Op, elements: Set[str]) -> bool:
    """True if the numbers that something is looked up by are such that there is a row for them."""
    match op:
        case ir.Address(terms=terms):
            indexes = tuple(term.index for term in terms)
        case ir.Lookup(index=index, more=more):
            indexes = (index, *more)
        case ir.CallValue(args=args):
            indexes = args
        case _:
            return True
    return all(
        not isinstance(bare(index.type), Number)
        or isinstance(index, ir.Const)
        or (isinstance(index, ir.Local) and index.name in elements)
        for index in indexes
    )


def is_plain(arg: Op) -> bool:
    return cannot_fail(arg) or isinstance(arg, ir.WhereIs)


def _sets(ins: ir.Ins, name: str) -> bool:
    return isinstance(ins, ir.Let) and ins.local == name


def _without_name(search: ir.CheapestTo) -> str:
    """Equal for searches that differ in nothing but how they call an edge."""
    return str(search).replace(search.edge, "edge")
