"""Where a segment goes on by itself, and need not return to the loop over segments.

A rule that ends hands over to whoever called it, and a pass of a loop that ends to the next one. Both go by way of the
machine: it finds the segment by its number, runs it, and counts it. In a game whose segments do little that is a good
part of the work, and the processor cannot guess where a jump by number leads. In C the segments behind a rule are known
(there are as many as places that call it), so the function calls the next one, if the machine has not yet run as
many segments as it may (`rw_runs_on` in rw_places.h). A segment that asks ends the call, so a turn is a few calls.

Nothing of it may call without end: the C stack is not that of the rules. So a way onward is taken only if it closes no
ring of segments that call each other. `in turn p` / `turn(p)` closes one unless every turn asks somebody something:
such a loop goes round by way of the machine, as it does in Python.
"""

from __future__ import annotations

from collections.abc import Mapping

from .. import ir
from ..ir import instructions
from ..tidy import Routines

FEW_CALLERS = 4  # of a rule: each is compared with the segment that is to come
LONGEST = 16  # segments that call each other; each has its locals on the C stack

Ways = dict[int, list[int]]


def onward(routines: Routines, entries: Mapping[str, tuple[int, int]]) -> Ways:
    """By segment: where it may go on at the end of its rule, or backward in a loop."""
    called, behind, wanted = _calls(routines, entries)
    taken: Ways = {}
    for number, (returns, routine, backward) in sorted(wanted.items()):
        resumed = sorted(behind.get(routine, ())) if returns else []
        if len(resumed) > FEW_CALLERS:
            resumed = []
        for target in (*resumed, *sorted(backward)):
            before, after = _longest(number, _turned(called), {}), _longest(target, called, {})
            if before + after <= LONGEST and not _reaches(target, number, called):
                called.setdefault(number, []).append(target)
                taken.setdefault(number, []).append(target)
    return taken


def _calls(
    routines: Routines, entries: Mapping[str, tuple[int, int]]
) -> tuple[Ways, dict[str, set[int]], dict[int, tuple[bool, str, set[int]]]]:
    """Which segments call each other anyway; by routine, the segments behind its calls; and of each segment that does
    not ask, whether it returns, its routine, and where it goes backward to."""
    called: Ways = {}
    behind: dict[str, set[int]] = {}
    wanted: dict[int, tuple[bool, str, set[int]]] = {}
    for routine in routines.values():
        for segment in routine.segments:
            found = [*instructions(segment.body)]
            calls = [ins for ins in found if isinstance(ins, ir.CallFrame)]
            gotos = [ins for ins in found if isinstance(ins, ir.Goto)]
            for call in calls:
                behind.setdefault(call.routine, set()).add(call.resume)
            called[segment.number] = [entries[call.routine][0] for call in calls]
            called[segment.number] += [goto.segment for goto in gotos if not goto.backward]
            if segment.role != "asks":
                returns = any(isinstance(ins, ir.Return) for ins in found)
                wanted[segment.number] = returns, routine.name, {goto.segment for goto in gotos if goto.backward}
    return called, behind, wanted


def _reaches(start: int, end: int, called: Ways) -> bool:
    seen, waiting = {start}, [start]
    while waiting:
        number = waiting.pop()
        if number == end:
            return True
        more = set(called.get(number, ())) - seen
        seen |= more
        waiting += more
    return False


def _turned(called: Ways) -> Ways:
    turned: Ways = {}
    for number, targets in called.items():
        for target in targets:
            turned.setdefault(target, []).append(number)
    return turned


def _longest(number: int, called: Ways, known: dict[int, int]) -> int:
    """Segments of the longest way from here; more than LONGEST where rules call themselves."""
    if number not in known:
        known[number] = LONGEST + 1  # for a way that comes back here
        ways = (_longest(target, called, known) for target in called.get(number, ()))
        known[number] = min(LONGEST + 1, 1 + max(ways, default=0))
    return known[number]
