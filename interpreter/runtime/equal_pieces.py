"""Equal pieces are one option: which copies nobody can tell apart, and taking so many pieces from a set.

Of three equal cards in a hand one is offered. Two of a kind that carry different things, or of which one lies face
down, are two options; and so are two with a field that not everybody sees, whether it is equal or not: how many
options there are must not tell it. `places.bind` hands these functions to emitted code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..compile.meta import Meta
from .faults import Refused


def bind(meta: Meta) -> dict[str, Any]:
    """Which equal copies can be told apart, and taking pieces from a set, for emitted code."""
    own = _own_state(meta)
    row_of = meta.piece_row
    with_closed_fields = {
        piece
        for field in meta.fields
        if field.owner == "piece" and field.visibility != "open"
        for _, low, size in field.dimensions[:1]
        for piece in range(low, low + size)
    }
    unordered = meta.unordered
    stateless: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    in_the_open = {
        n for place in meta.places if place.visibility == "open" for n in range(place.base, place.base + place.size)
    }

    def carried(S: Any, place: int) -> tuple[int, ...]:
        """What a piece carries, as far as everybody can tell it apart: equal copies without state of their own count as
        the same."""
        held = S.p[place]
        if not held or place not in in_the_open:
            return tuple(held)
        down = S.fd
        return tuple([~c if c in own or down >> c & 1 else row_of[c] for c in held])

    def key_of(S: Any, piece: int) -> tuple[Any, ...]:
        offsets, lists_of = own.get(piece, stateless)
        f = S.f
        return (
            row_of[piece],
            S.at[piece],
            S.fd >> piece & 1,
            *[f[o] for o in offsets],
            *[carried(S, n) for n in lists_of],
        )

    def seen_equal(S: Any, piece: int, seen: list[int]) -> bool:
        """True if an equal copy in the same unordered place, with equal fields, has already been offered. How many
        options there are must not tell whether two closed fields are equal, so a piece that has one stands for
        itself."""
        if piece in with_closed_fields:
            return False
        place = S.at[piece]
        if place >= 0 and not unordered[place]:
            return False
        if seen:
            row = row_of[piece]
            at = S.at
            alike = [other for other in seen if row_of[other] == row and at[other] == place]
            if alike and key_of(S, piece) in [key_of(S, other) for other in alike]:
                return True
        seen.append(piece)
        return False

    return {"seen_equal": seen_equal, **_taking(row_of)}


def _taking(row_of: Sequence[int]) -> dict[str, Any]:
    """Taking pieces from a set."""

    def distinct(pieces: list[int]) -> list[int]:
        """The first piece of each row; equal copies are neighbours in the list."""
        found = []
        last = -1
        for piece in pieces:
            row = row_of[piece]
            if row != last:
                last = row
                found.append(piece)
        return found

    def take_exactly(pieces: list[int], count: int, refusal: int) -> tuple[int, ...]:
        if len(pieces) < count:
            raise Refused(refusal, lambda: (count, len(pieces)))
        return tuple(pieces[: max(0, count)])

    def take_up_to(pieces: list[int], count: int) -> tuple[int, ...]:
        return tuple(pieces[: max(0, count)])

    return {"distinct": distinct, "take_exactly": take_exactly, "take_up_to": take_up_to}


def _own_state(meta: Meta) -> dict[int, tuple[tuple[int, ...], tuple[int, ...]]]:
    """For each piece with state of its own, the offsets of its fields and the numbers of its list places."""
    found: dict[int, tuple[list[int], list[int]]] = {}
    for field in meta.fields:
        if field.owner == "piece":
            _, low, count = field.dimensions[0]
            each = 1
            for _, _, size in field.dimensions[1:]:
                each *= size
            for number in range(count):
                offsets = found.setdefault(low + number, ([], []))[0]
                offsets += range(field.base + number * each, field.base + (number + 1) * each)
    for number, carrier in enumerate(meta.carriers):
        if carrier >= 0:
            fields, lists = found.setdefault(carrier, ([], []))
            (lists if number < meta.lists else fields).append(number if number < meta.lists else number - meta.lists)
    return {piece: (tuple(a), tuple(b)) for piece, (a, b) in found.items()}
