"""From a checked program to emitted modules (`built`): it is lowered, then this is done to the IR, in this order.

A backend does none of this: it prints what it is given.

1. `hush_questions`: code that only asks what would be possible tells nobody anything.
2. `share_in_loops`: what a loop would work out again and again is worked out once, before it. In questions `Lifting`
   does that with searches and looks at whole kinds, also with those that stand in a value.
3. `hoist_from_loops`: in questions, parts of a filter that do not change inside a loop are worked out before it.
4. `count_work`: counts against the limit of steps, written where much work comes together (`work.py`).
5. `for_way`: the IR of play, of playouts and of trials, each without what belongs to the others (`ways.py`).
6. `count_hits`, only for studies: play counts which places of the rules it reaches (`ways.py`).
   `count_begins`, for other studies: playouts count how often each rule begins. It comes first of all, since a call
   may skip a first segment that does nothing.

Lowering itself ends with `tidy`, routine by routine: which locals live in a frame depends on it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ..check.program import Program, RuleDecl
from . import ir
from .analysis import Analysis
from .choices.foresee_rules import foresee_entries, foresee_entry
from .course import course_of
from .describe import describe
from .describe_things import maps_of, tables_of
from .emit_python import Emitted, emit_python
from .footprint import Footprints
from .found_again import found_again
from .hoist import hoist_from_loops
from .ir import Block, Ins, Op
from .layout import lay_out
from .lifting import Lifting
from .lower_payments import Payments
from .meta import Course, HitPlace, Meta
from .progress import add_progress
from .settled import Settled
from .sharing import Searches, share_in_loops
from .substitute import number_afresh
from .tidy import Routines, entries_of
from .unit import Unit
from .ways import Counted, count_begins, count_hits, for_way, hushed, hushed_block, without_telling
from .weave import lower_cells, lower_ends, lower_hook, lower_rule, lower_titles, lower_value
from .work import count_work

# ---------------------------------------------------------------------------- lowering


def lower_program(program: Program, asked: tuple[RuleDecl, ...] = ()) -> Unit:
    """The whole game as IR, before any pass. `asked`: values that no rule needs but somebody wants to ask. They come
    last, so nothing else changes."""
    # Numbers that went on from game to game would give the same rules other names each time, and other bytes.
    number_afresh()
    analysis = Analysis(program)
    footprints = Footprints(analysis)
    counting = analysis.by_counting(found_again(program, footprints))
    unit = Unit(program, lay_out(program), analysis, counting, analysis.drawn_by(), Settled(analysis))
    unit.payments = Payments(unit)
    unit.footprints = footprints
    unit.foresee = partial(foresee_entry, unit)
    foresee_entries(unit)
    for rule in program.rules.values():
        if rule.form != "value":
            lower_rule(unit, rule)
    for hook in [h.rule for h in program.change_hooks] + [h.rule for h in program.move_hooks]:
        lower_hook(unit, hook)
    lower_ends(unit)
    lower_titles(unit)
    lower_cells(unit)
    for lower_reasons in unit.reasons_later:  # last: what people may ask changes no number of what is played
        lower_reasons()
    for rule in asked:
        unit.need_value(rule)
    # Lowering a value may ask for further values, so this goes on until no new one is asked for.
    done: set[RuleDecl] = set()
    while len(done) < len(unit.values_needed):
        for rule in list(unit.values_needed):
            if rule not in done:
                done.add(rule)
                lower_value(unit, rule)
    _drop_unused(unit)
    add_progress(unit)
    return unit


def _drop_unused(unit: Unit) -> None:
    """Drops routines `can_…` that nothing calls: foresight makes some, compares them, and keeps the better one.
    Dropping one may leave another unused, so it is repeated."""
    named = {name: _names_in(routine.blocks) for name, routine in unit.routines.items()}
    while True:
        used = {name for name in unit.foreseen_entries.values() if name}.union(*(named[name] for name in unit.routines))
        unused = [name for name in unit.routines if name.startswith("can_") and name not in used]
        if not unused:
            return
        for name in unused:
            del unit.routines[name]


def _names_in(blocks: list[ir.Block]) -> set[str]:
    """Every string in the instructions of some blocks, at any depth; names of routines are among them."""
    found: set[str] = set()
    waiting: list[object] = [*blocks]
    while waiting:
        value = waiting.pop()
        if isinstance(value, str):
            found.add(value)
        elif isinstance(value, tuple | list):
            waiting += value
        elif isinstance(value, Op | ir.Part | Ins):
            waiting += ir.values_of(value)
    return found


# ---------------------------------------------------------------------------- what is done to the IR


def hush_questions(unit: Unit) -> None:
    """`public(E)` tells everybody what E comes to, but only where a rule is carried out: not in values and questions,
    which may be asked at any time, nor in texts and payments."""
    if not unit.told:
        return
    for name, routine in unit.routines.items():
        if routine.kind == "pure":
            unit.routines[name] = without_telling(routine)
    _change_questions(unit, lambda body, _: hushed_block(body))
    for text in unit.texts:
        text.holes = tuple(map(hushed, text.holes))
    for told in unit.told:
        told.value = hushed(told.value)
    unit.payments.made[:] = [ir.rebuilt(payment, hushed) for payment in unit.payments.made]


def share_work(unit: Unit) -> None:
    """Only where nothing changes the state: in values, and in questions."""
    values = {name: routine for name, routine in unit.routines.items() if routine.kind == "pure"}
    searches = Searches(values)
    for value in values.values():
        value.body = share_in_loops(value.body, unit.temporary, searches)
    _change_questions(unit, lambda body, _: share_in_loops(body, unit.temporary, searches))
    lifting = Lifting(values, unit.temporary, searches)
    _change_questions(unit, lambda body, _: lifting.question(body))
    unit.routines.update(values)


def hoist_filters(unit: Unit) -> None:
    temporary = partial(unit.temporary, "h")
    _change_questions(unit, lambda body, slots: hoist_from_loops(body, slots, temporary))


def _change_questions(unit: Unit, change: Callable[[Block, set[str]], Block]) -> None:
    """Applies a change to every asking segment; it gets the names that live in the frame too."""
    for routine in unit.routines.values():
        for segment in routine.segments:
            if segment.role == "asks":
                segment.body = change(segment.body, set(routine.slots))


PASSES: tuple[Callable[[Unit], None], ...] = (hush_questions, share_work, hoist_filters, count_work)


def prepared(unit: Unit, counted: Counted = "") -> tuple[dict[str, Routines], tuple[HitPlace, ...]]:
    """The routines for each way of running, ready for a backend, and what `Hit` counts, if anything is counted."""
    hits: tuple[HitPlace, ...] = count_begins(unit.routines) if counted == "begins" else ()
    for change in PASSES:
        change(unit)
    remembers = counted == "knowledge" and unit.has_secrets  # where nothing is hidden there is nothing to keep
    if remembers:
        _add_told_values(unit)
    ways: dict[str, Routines] = {way: for_way(unit, way) for way in ir.WAYS}
    if remembers:
        ways["playout"] = ways["play"]
    if counted == "places":
        ways["play"], hits = count_hits(ways["play"])
    return ways, hits


def _add_told_values(unit: Unit) -> None:
    """Values that were told to all, as routines: a memory in C asks them again (`told_N` of the Python backend)."""
    for told in unit.told:
        name = f"told_{told.number}"
        unit.routines[name] = ir.Routine(name, "pure", told.params, body=[ir.Return(told.value)])


class Built(NamedTuple):
    """What a program comes to. `course`: only if it is counted how often rules begin."""

    meta: Meta
    modules: dict[str, Emitted]
    tables: dict[str, Any]
    maps: dict[str, Any]
    entries: dict[str, tuple[int, int]]
    hits: tuple[HitPlace, ...]
    course: Course | None


def built(program: Program, asked: tuple[RuleDecl, ...] = (), counted: Counted = "") -> Built:
    """Lowers a checked program, prepares the IR, prints it as Python and describes the game, as `compile_program`."""
    unit = lower_program(program, asked)
    ways, hits = prepared(unit, counted)
    modules = emit_python(unit, ways)
    course = course_of(program) if counted == "begins" else None
    return Built(describe(unit), modules, tables_of(unit), maps_of(unit), entries_of(unit.routines), hits, course)
