"""Masks and indexes: what lies between a program over arrays and one over bitboards. A pass for backends with words.

In goes the IR of one way of running, as `passes.prepared` made it; out comes the same IR with sets over nodes, edges
and pieces as bit masks (`ir/ops_masks.py`), the tables of masks that it reads, and the indexes that it wants kept up to
date. What a rule decides, and in which order, is the same to the last fault: Python runs the IR as it was.

    for s in Square where s.owner == p and s.row > 3         64 looks, two tests each
    for s in the bits of by_owner[p] & rows_above_3          one `and`, then the squares that there are

`indexes` says what every store keeps up to date and what of it pays, `static` works out what never changes, `folded`
makes tables of values, before all else; `filters` turns conditions into masks, `lines` those about straight lines,
`rewrite` finds the conditions. A game is gone through first with all indexes that there could be, then with those that
pay.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from .. import ir
from ..bounds import Bounds, sizes_in
from ..pure import faulty_values, is_free, with_callers
from ..tidy import Routines
from ..unit import Unit
from .filters import Tables
from .guards import Guards
from .indexes import Index, Indexes, Sum, Sums
from .lines import RayFilters
from .rewrite import Rewriting
from .static import Statics

__all__ = ["Index", "Masked", "Sum", "Tables", "with_masks"]


@dataclass(frozen=True)
class Masked:
    """The routines of each way, the tables that they read, and the indexes and sums to keep, by name."""

    ways: dict[str, Routines]
    tables: Tables
    indexes: dict[str, Index]
    sums: dict[str, Sum]


def with_masks(
    unit: Unit, ways: dict[str, Routines], bounds: Bounds, tables: dict[str, Any], graphs: Mapping[str, Any]
) -> Masked:
    statics, indexes = Statics(tables, graphs), Indexes(unit, tables)
    values = [r for routines in ways.values() for r in routines.values() if r.kind == "pure"]
    faulty = faulty_values(values)
    pure = {value.name: value for value in ways["playout"].values() if value.kind == "pure"}
    spending = {value.name for value in values if any(isinstance(ins, ir.Spend) for ins in value.instructions())}
    guards = Guards(pure, partial(is_free, faulty=faulty | with_callers(spending, values)))
    guarded = {id(r): guards.routine(r) for routines in ways.values() for r in routines.values()}
    ways = {way: {name: guarded[id(r)] for name, r in routines.items()} for way, routines in ways.items()}
    written = list(ways["playout"].values())
    every = {id(r): r for routines in ways.values() for r in routines.values()}
    bounds_in = {number: sizes_in(unit, routine, bounds) for number, routine in every.items()}

    def gone_through() -> Masked:
        made, sums, known = Tables(), Sums(unit), {}
        statics.sets, statics.rows = made.sets, {}  # a set may rest on tables, which have other names now
        for number, routine in every.items():
            indexes.counts = ways["playout"].get(routine.name) is routine
            bound_of = bounds_in[number]
            filters = RayFilters(unit, statics, indexes, made, bound_of, lambda op: is_free(op, faulty), pure, guards)
            known[number] = routine.with_blocks(Rewriting(filters, sums).block)
        changed = {way: {n: known[id(r)] for n, r in routines.items()} for way, routines in ways.items()}
        return Masked(changed, made, dict(indexes.made), {one.name: one for one in sums.made.values()})

    found = gone_through()
    while indexes.choose(written):
        found = gone_through()
    return found
