"""Which locals of a rule are still read once it goes on from a cut.

A frame has a slot for every local of its rule, from the first line to the last. What stands in a slot before its local
is bound, or after its last use, is nobody's concern:

    play
      together p in players
        choose c in Cell secretly            # the slot of c holds a secret from here …
        p.ship[c] = yes                      # … to here; the frame of `play` keeps the number to the end of the game
      repeat
        fire

A world has to work out the unseen values that a running rule holds (`runtime/steps.py`). If the slot of `c` counted for
as long as there is a frame, every decision of this game would be traced back to its beginning. So each segment gets the
names that something reads before they are bound again: the usual walk backwards, repeated until nothing changes. Where
the instructions do not say more, a name counts as read and not as bound.
"""

from __future__ import annotations

from collections.abc import Callable

from . import ir
from .ir.nodes import names_of

Names = frozenset[str]
NOTHING: Names = frozenset()


def read_from(routine: ir.Routine, told_at: Callable[[int], Names]) -> dict[int, Names]:
    """For each segment of a framed routine, by number, the locals that are read from there on; parameters always are,
    since titles and free actions speak of them. `told_at`: the locals that the texts and reasons of a site need."""
    entry: dict[int, Names] = {segment.number: NOTHING for segment in routine.segments}
    changed = True
    while changed:
        changed = False
        # Backwards, since most jumps lead forward: two rounds are enough for a rule without loops.
        for segment in reversed(routine.segments):
            found = _Segment(entry, told_at).before(segment.body, NOTHING, NOTHING)
            changed |= found != entry[segment.number]
            entry[segment.number] = found
    return {number: found | frozenset(routine.params) for number, found in entry.items()}


class _Segment:
    """One walk over the instructions of a segment, from the last to the first."""

    def __init__(self, entry: dict[int, Names], told_at: Callable[[int], Names]) -> None:
        self.entry, self.told_at = entry, told_at

    def before(self, block: ir.Block, after: Names, outside: Names) -> Names:
        """What is read from the beginning of a block on, if `after` is read behind it and `outside` behind the loop
        around it."""
        for ins in reversed(block):
            after = _own(ins) | self._behind(ins, after, outside)
        return after

    def _behind(self, ins: ir.Ins, after: Names, outside: Names) -> Names:
        """What is read inside an instruction and behind it."""
        match ins:
            # The frame is gone, so nothing that the code behind would read matters.
            case ir.Return() | ir.Wins() | ir.EndGame() | ir.Succeed():
                return NOTHING
            case ir.Goto():
                return self._at(ins.segment)
            # The arguments are the instruction's own and counted there; the called rule keeps them in a frame of its
            # own.
            case ir.CallFrame():
                return self._at(ins.resume)
            case ir.Break():
                return outside
            case ir.Ask():
                return self._at(ins.resume) | self.told_at(ins.site)
            case ir.Perform():
                return after if ins.resume is None else after | self._at(ins.resume)
            case ir.If():
                return self.before(ins.then, after, outside) | self.before(ins.otherwise, after, outside)
            case ir.For() | ir.While() | ir.Loop():
                return self._around(ins, after)
            case _:
                inside = [self.before(block, after, outside) for block in ir.blocks_of(ins)]
                return (after - _bound(ins)).union(*inside)

    def _around(self, ins: ir.For | ir.While | ir.Loop, after: Names) -> Names:
        """Behind the last line of a loop comes its first one, or what follows the loop."""
        found = after
        while True:
            # What the end of a pass needs is what the next pass reads first, which is what is being worked out. From
            # below, so that a name counts only if some pass really reads it.
            once = after | (self.before(ins.body, found | _own(ins), after) - _bound(ins))
            if once <= found:
                return found
            found |= once

    def _at(self, segment: int) -> Names:
        return self.entry.get(segment, NOTHING)


def read_first(body: ir.Block, written: set[str]) -> set[str]:
    """Locals that are read before they are surely written. What is written inside a block does not count, because the
    block may be skipped."""
    found: set[str] = set()
    for ins in body:
        found |= set(ir.free_locals(ir.operands(ins))) - written
        own = {ins.local_set} if ins.local_set is not None else set()
        for block in ir.blocks_of(ins):
            found |= read_first(block, written | own)
        if not isinstance(ins, ir.For):  # there may be nothing to go over
            written |= own
    return found


def looped(body: ir.Block) -> set[str]:
    """The loop variables of these instructions."""
    return {ins.local for ins in ir.instructions(body) if isinstance(ins, ir.For)}


def _bound(ins: ir.Ins) -> Names:
    """The local that an instruction sets."""
    return NOTHING if ins.local_set is None else frozenset([ins.local_set])


def _own(ins: ir.Ins) -> Names:
    """The locals that an instruction reads itself, its blocks left out."""
    found: set[str] = set()
    for name, value in zip(names_of(ins), ir.values_of(ins), strict=True):
        if isinstance(value, list) or name == ins.sets:
            continue
        found.update(ir.free_locals(value))
        found.update(part for part in (value if isinstance(value, tuple) else (value,)) if isinstance(part, str))
    return frozenset(found)
