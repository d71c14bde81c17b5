"""Pieces that are chosen by somebody who does not see them.

An option for such a piece holds its position in its place, so that neither its number nor its code tells what the piece
is, and it is the same option in every world. Whoever writes its label, or notes in the log what was taken, needs the
piece itself: it is looked up among what the decision offers.
"""

from __future__ import annotations

from typing import Any

from ..compile.meta import SiteMeta

SPOT = "spot"


def bound_by(state: Any, site: SiteMeta, option: int) -> tuple[int, tuple[int, ...]] | None:
    """The branch of an option and what it binds, pieces in place of positions; None for passing and free actions."""
    found = site.values_of(option)
    if found is None or not has_spots(site, found[0]):
        return found
    return found[0], with_pieces(state, site, *found)


def has_spots(site: SiteMeta, branch: int) -> bool:
    return any(thing == SPOT for thing, _, _ in site.branches[branch][1])


def with_pieces(state: Any, site: SiteMeta, branch: int, values: tuple[int, ...]) -> tuple[int, ...]:
    """The values of the first binders of a branch, with the pieces that lie at positions."""
    _, domains, names = site.branches[branch]
    sources = [number for number in site.reasons[branch] if state.meta.reasons[number].is_source]
    bound: dict[str, int] = {}
    for position, (value, (thing, _, _)) in enumerate(zip(values, domains, strict=False)):
        if thing == SPOT:
            number = sources[position]
            args = [bound[p] if p in bound else state.local(p) for p in state.meta.reasons[number].params]
            value = state.machine.play[f"reason_{number}"](state.fork(), *args)[value]
        bound[names[position]] = value
    return tuple(bound.values())


def position_of(state: Any, piece: int) -> int:
    """Where a piece lies in its place, counted from 1; of slots the number of the slot."""
    place, meta = state.at[piece], state.meta
    if place < meta.lists:
        return int(state.p[place].index(piece)) + 1
    declared = meta.places[meta.place_of[place]]
    _, low, size = declared.dimensions[-1] if declared.shape == "slots" else ("", 1, 1)
    return int(low + (place - declared.base) % size)


def thing_bound(thing: str) -> str:
    """What a value of `bound_by` is."""
    return "piece" if thing == SPOT else thing
