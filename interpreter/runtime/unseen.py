"""The numbers of the array that some player may not see: secret and hidden fields, and dice."""

from __future__ import annotations

from typing import Any

from .meta import FieldMeta, Meta
from .names import entries
from .trail import ASKED, FELL, PICKED, TOOK
from .views import elements, is_seen

_LOOKED_BACK = 20  # how many events may lie between a choice and the number that is written because of it


def unseen_offsets(meta: Meta) -> frozenset[int]:
    """Offsets of fields and dice that are not open, as far as worlds may draw them."""
    return frozenset(
        offset
        for field in meta.fields
        if _is_drawn(meta, field) and field.visibility != "open"
        for offset in range(field.base, field.base + elements(field.dimensions))
    )


def unset_offsets(meta: Meta) -> frozenset[int]:
    """Offsets of fields that have no value before setup gives them one."""
    return frozenset(
        offset
        for field in meta.fields
        if field.is_unset
        for offset in range(field.base, field.base + elements(field.dimensions))
    )


def unseen_by(meta: Meta, player: int | None) -> dict[int, FieldMeta]:
    """The offsets that this player does not see, with their fields."""
    found: dict[int, FieldMeta] = {}
    for field in meta.fields:
        if not _is_drawn(meta, field) or field.visibility == "open":
            continue
        size = elements(field.dimensions)
        each = size // field.dimensions[0][2] if field.owner != "table" else size
        for number in range(size):
            owner = field.dimensions[0][1] + number // each if field.owner != "table" else -1
            if player is None or not is_seen(player, field, owner):
                found[field.base + number] = field
    return found


def seen_by(meta: Meta, player: int) -> tuple[int, ...]:
    """The offsets of numbers that this player sees. What belongs to a piece goes with it, and pieces are renamed."""
    hidden = unseen_by(meta, player)
    return tuple(
        offset
        for field in meta.fields
        if _is_drawn(meta, field) and field.thing != "piece"
        for offset in range(field.base, field.base + elements(field.dimensions))
        if offset not in hidden
    )


def values_of(meta: Meta, field: FieldMeta) -> tuple[int, ...]:
    """The values that a field may have."""
    if field.thing in ("number", "die") or field.is_dice:
        values: tuple[int, ...] = tuple(range(field.low, field.high + 1))
    else:
        values = tuple(dict.fromkeys(number for number, _, _ in entries(meta, field.thing)))
    return values if field.none is None else (*values, field.none)


def offers(meta: Meta, chain: Any, value: int) -> tuple[tuple[int, ...] | None, int]:
    """The values that could have been written instead: the other offers of a choice that nobody saw. And who chose,
    since that player knows the number wherever it was written; -1 if it was chance."""
    for _ in range(_LOOKED_BACK):
        if not chain:
            break
        chain, event = chain
        if event[0] == PICKED and event[1] == value and event[2]:
            return tuple(event[2]), -1
        if event[0] == FELL:
            break  # the last question answered itself: an earlier choice has nothing to do with this number
        if event[0] == TOOK and chain and chain[1][0] == ASKED:
            asked = chain[1][1]
            return _beside(meta, asked, event[1], value), asked.who
    return None, -1


def _beside(meta: Meta, asked: Any, option: int, value: int) -> tuple[int, ...] | None:
    site = meta.sites[asked.site]
    taken = site.values_of(option)
    if not (site.secret or asked.together) or taken is None or value not in taken[1]:
        return None
    branch, position = taken[0], taken[1].index(value)
    offered = [found[1] for o in asked.opts if (found := site.values_of(o)) is not None and found[0] == branch]
    return tuple(dict.fromkeys(values[position] for values in offered))


def _is_drawn(meta: Meta, field: FieldMeta) -> bool:
    """Whether a world may draw the numbers of a field. What belongs to a piece goes with it where pieces are renamed;
    pieces that always lie in the open never are."""
    pieces = [piece for thing, low, size in field.dimensions if thing == "piece" for piece in range(low, low + size)]
    if not pieces:
        return True
    hiding = {kind for place in meta.places if place.visibility != "open" for kind in place.kinds}
    return not meta.uses_faces and hiding.isdisjoint(meta.piece_kind[piece] for piece in pieces)
