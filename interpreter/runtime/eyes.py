"""What one player can tell about the numbers of a state: which piece something must be, which field may be read.

Views are made with this, and so is whatever else shows a state to somebody. Without a player it is a referee who looks
and sees everything.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any

from .knowledge import BOX, Board, contents, is_unordered
from .meta import FieldMeta, Meta
from .names import row_name, value_of

UNKNOWN = "?"
ABSENT = object()
Dimensions = tuple[tuple[str, int, int], ...]


class Eyes:
    """What a player can tell about pieces: their mixes, counted once for a view."""

    def __init__(self, S: Board, meta: Meta, player: int | None) -> None:
        self.S = S
        self.meta = meta
        self.player = player
        # A referee knows every piece.
        self.mixes: Sequence[int] = range(meta.pieces) if player is None else S.kn[player].numbers
        self.several: Mapping[int, Sequence[int]] = {} if player is None else S.kn[player].members
        self.shown: dict[int, int] = getattr(S, "shown", {})
        # What was worked out for a mix or a place: a view asks about most of them twice, for `places` and `pieces`.
        self._rows: dict[int, dict[int, list[int]]] = {}
        self._known: dict[int, list[int]] = {}

    def knows(self, piece: int) -> bool:
        """Whether the position of the piece can hold nothing but this piece or an equal copy."""
        mix = self.mixes[piece]
        return mix not in self.several or len(self._rows_of(mix)) == 1

    def _rows_of(self, mix: int) -> dict[int, list[int]]:
        """The pieces of a mix of several, by row of their table."""
        found = self._rows.get(mix)
        if found is None:
            found = self._rows[mix] = {}
            for piece in self.several[mix]:
                found.setdefault(self.meta.piece_row[piece], []).append(piece)
        return found

    def sees(self, place: int) -> bool:
        return self.player is None or bool(self.meta.sees[place] >> self.player & 1)

    def sees_apart(self, piece: int) -> bool:
        """Whether the player sees the piece as a thing of its own, if only from behind. Of a closed hand, a bag or a
        deck nobody looks at the single cards: who played a card in the last deal would tell which one it is."""
        place = self.S.at[piece]
        if place == BOX or self.sees(place) or self.knows(piece):
            return True
        return self.meta.places[self.meta.place_of[place]].shape in ("row", "slot", "slots")

    def was_shown(self, offset: int) -> bool:
        """Whether the number at this offset was revealed to the player and has not changed since."""
        return self.player is not None and bool(self.shown.get(offset, 0) >> self.player & 1)

    def was_rolled(self, offset: int) -> bool:
        """Whether a die has a face yet. Rules that set faces themselves may have done so without a roll."""
        is_as_it_began = self.S.f[offset] == self.meta.start[offset] and ~offset not in self.shown
        return not (self.meta.only_rolled and is_as_it_began)

    def was_set(self, offset: int) -> bool:
        """Whether setup has given a value to a field that begins without one. After setup all of them have one."""
        return ~offset in self.shown or self.S.f[offset] != self.meta.start[offset] or not self.in_setup

    @cached_property
    def in_setup(self) -> bool:
        rules = self.meta.segment_rule
        return any(rules[frame[0]] == "setup" for frame in self.S.k if frame[0] < len(rules))

    def name(self, piece: int) -> str | None:
        return row_name(self.meta, piece) if self.knows(piece) else None

    def contents(self, place: int, uncounted: bool) -> Any:
        """The list of names in a place, or what stands for it if the player may not count it."""
        pieces = contents(self.S, self.meta, place)
        if uncounted and not self.sees(place):
            known = sorted(self.known(place), key=lambda piece: self.meta.piece_row[piece])
            return {"count": None, **({"known": [row_name(self.meta, x) for x in known]} if known else {})}
        if not is_unordered(self.meta, place):
            return [self.name(piece) for piece in pieces]
        if not pieces:
            return []
        names: list[str | None] = [row_name(self.meta, piece) for piece in self.known(place)]
        return names + [None] * (len(pieces) - len(names))

    def known(self, place: int) -> list[int]:
        """The pieces in a place that the player knows. In an unordered place an equal copy may stand for each of
        them."""
        found = self._known.get(place)
        if found is None:
            pieces = contents(self.S, self.meta, place)
            ordered = not is_unordered(self.meta, place)
            found = [x for x in pieces if self.knows(x)] if ordered else self._certain(pieces)
            self._known[place] = found
        return found

    def _certain(self, pieces: list[int]) -> list[int]:
        """For each row as many pieces as must surely be among those of an unordered place, in table order."""
        here: dict[int, list[int]] = {}
        for piece in pieces:
            here.setdefault(self.mixes[piece], []).append(piece)
        examples: list[int] = []
        for mix, lying in here.items():
            if mix not in self.several:
                examples += lying
                continue
            elsewhere = len(self.several[mix]) - len(lying)
            for equal in self._rows_of(mix).values():
                examples += [equal[0]] * (len(equal) - elsewhere)  # none if that is below zero
        return sorted(examples, key=self.meta.piece_row.__getitem__)


def own_offsets(meta: Meta, piece: int) -> Iterator[int]:
    """Where the fields of a piece itself lie in the array."""
    for field in meta.fields:
        if field.owner == "piece":
            _, low, size = field.dimensions[0]
            if low <= piece < low + size:
                stride = elements(field.dimensions[1:])
                first = field.base + (piece - low) * stride
                yield from range(first, first + stride)


@lru_cache(maxsize=4096)  # views ask this for every owner of every field, and there are few shapes
def elements(dimensions: Dimensions) -> int:
    """How many elements an array of these dimensions has."""
    total = 1
    for _, _, size in dimensions:
        total *= size
    return total


# ---------------------------------------------------------------------------- fields


def veil(eyes: Eyes, field: FieldMeta, owner: int, base: int, size: int) -> Any:
    """What stands for a field of this owner as a whole (ABSENT: nothing does), or None if something of it is seen.

    `base` and `size` are where the field of this owner lies: what was revealed of it is seen one by one.
    """
    if field.visibility == "open":
        is_seen_there = field.owner != "piece" or field.is_mark or eyes.sees_apart(owner)
        return None if is_seen_there else UNKNOWN
    veiled = _declared_veil(eyes.player, field, owner)
    if veiled is not None and any(eyes.was_shown(offset) for offset in range(base, base + size)):
        return None
    return veiled


def is_seen(player: int, field: FieldMeta, owner: int) -> bool:
    """Whether a player may see this field of that owner, by its declaration."""
    return _declared_veil(player, field, owner) is None


def _declared_veil(player: int | None, field: FieldMeta, owner: int) -> Any:
    if player is None or field.visibility == "open":
        return None
    if field.visibility == "hidden":
        return ABSENT
    if field.visibility == "open_to_others":
        is_seat = player < field.dimensions[0][1] + field.dimensions[0][2]  # not a spectator
        return None if is_seat and owner != player else UNKNOWN
    if field.owner == "player":
        return None if owner == player else UNKNOWN
    seen_by = field.seen_by[owner - field.dimensions[0][1]] if field.seen_by else 0
    return None if seen_by >> player & 1 else UNKNOWN


def field_value(eyes: Eyes, field: FieldMeta, owner: int, offset: int) -> Any:
    """One number of a field as it is shown. A die that has not been rolled shows None, and so does a field that has no
    value yet."""
    number = eyes.S.f[offset]
    if field.visibility != "open":
        if _declared_veil(eyes.player, field, owner) is not None and not eyes.was_shown(offset):
            return UNKNOWN
    if field.is_dice:  # what a die shows, not which die it is
        return number if eyes.was_rolled(offset) else None
    if field.is_unset and not eyes.was_set(offset):
        return None
    if field.thing == "piece" and number >= 0:
        return eyes.name(number) or UNKNOWN
    return value_of(eyes.meta, field.thing, number)


@lru_cache(maxsize=4096)
def owner_parts(owner: str, base: int, dimensions: Dimensions) -> tuple[tuple[int, int, Dimensions], ...]:
    """(owner, first element, indexes) of each owner; -1 for the table."""
    if owner == "table":
        return ((-1, base, dimensions),)
    _, low, size = dimensions[0]
    stride, rest = elements(dimensions[1:]), dimensions[1:]
    return tuple((low + step, base + step * stride, rest) for step in range(size))
