"""A position told by what lies where, whichever of several equal copies it is.

Two states are the same *world* if no rule could ever tell them apart: the same rows in the same places, the same
numbers in the fields, the same decision pending with the same options. This is written from the layout of a state
alone and uses nothing of the runtime's knowledge, views or determinisation, so that it can judge them.
"""

from __future__ import annotations

from typing import Any

import interpreter as rw
from interpreter.runtime.spots import SPOT, bound_by

PIECES = ("piece", "row", SPOT)

Key = tuple[Any, ...]


def world_key(state: rw.State) -> Key:
    """The world that a state is."""
    return (_places(state), _fields(state), tuple(state.gone), _pending(state))


def _pending(state: rw.State) -> Key:
    if state.over:
        return ("over", tuple(state.scores), tuple(state.ranking))
    decision = state.decision
    assert decision is not None
    return (
        state.site,
        state.who,
        tuple(sorted(_option(state, option) for option in decision.options)),
        decision.picked,
        _at_work(state),
    )


def _at_work(state: rw.State) -> Key:
    """What the rules at work have in mind and still read: pieces, and numbers that not everybody knows."""
    meta = state.meta
    found: list[Any] = []
    for frame in state.k:
        naming = meta.naming_slots.get(frame[0], ())
        for slot in naming:
            held = frame[slot]
            pieces = held if isinstance(held, tuple | list) else [held]
            found.append(tuple(sorted(_bound(state, piece) if piece >= 0 else () for piece in pieces)))
        found += [frame[slot] for slot in meta.unseen_slots.get(frame[0], ()) if slot not in naming]
    return tuple(found)


def _option(state: rw.State, option: rw.Option) -> tuple[int, str]:
    """An option with its pieces told by what they are and where they lie: the number of one that binds pieces with
    something of their own has the copy, and which copy it is no rule could tell."""
    site = option.site
    found = None if site.kind == "pay" else bound_by(state, site, option.raw)
    if found is None:
        return int(option), ""
    branch, values = found
    things = [thing for thing, _, _ in site.branches[branch][1]]
    told = [_bound(state, value) if thing in PIECES else value for value, thing in zip(values, things, strict=True)]
    return branch, repr(told)


def _bound(state: rw.State, piece: int) -> Key:
    place = state.at[piece]
    is_ordered = 0 <= place < state.meta.lists and not state.meta.unordered[place]
    return (_piece(state, piece), place, state.p[place].index(piece) if is_ordered else 0)


def _places(state: rw.State) -> Key:
    """What lies in each place that stands for itself; carried places are told with the piece that carries them."""
    meta = state.meta
    found = [_contents(state, number) for number, carrier in enumerate(meta.carriers) if carrier < 0]
    box = sorted(_piece(state, piece) for piece in range(meta.pieces) if state.at[piece] == -1)
    return (*found, tuple(box))


def _contents(state: rw.State, number: int) -> Key:
    meta = state.meta
    if number >= meta.lists:
        piece = state.f[number - meta.lists]
        return () if piece < 0 else (_piece(state, piece),)
    told = [_piece(state, piece) for piece in state.p[number]]
    return tuple(sorted(told)) if meta.unordered[number] else tuple(told)


def _piece(state: rw.State, piece: int) -> Key:
    """A piece with its row, its face, its own fields and what it carries."""
    meta = state.meta
    own = [state.f[offset] for offset in _own_offsets(state, piece)]
    carried = [_contents(state, number) for number, carrier in enumerate(meta.carriers) if carrier == piece]
    return (meta.piece_row[piece], state.fd >> piece & 1, tuple(own), tuple(carried))


def _own_offsets(state: rw.State, piece: int) -> list[int]:
    found: list[int] = []
    for field in state.meta.fields:
        if field.owner == "piece":
            _, low, size = field.dimensions[0]
            each = _size(field.dimensions[1:])
            if low <= piece < low + size:
                found += range(field.base + (piece - low) * each, field.base + (piece - low + 1) * each)
    return found


def _fields(state: rw.State) -> Key:
    """Fields that do not belong to pieces; one that names a piece says what it is and where it lies. Of two equal
    copies in a row or pile a field names the one or the other: `move mark to heap` takes it from there."""
    meta = state.meta
    found: list[Any] = []
    for field in meta.fields:
        if field.owner != "piece":
            for value in state.f[field.base : field.base + _size(field.dimensions)]:
                names_piece = field.thing == "piece" and value >= 0
                found.append(_bound(state, value) if names_piece else value)
    return tuple(found)


def _size(dimensions: tuple[tuple[str, int, int], ...]) -> int:
    total = 1
    for _, _, size in dimensions:
        total *= size
    return total
