"""Small functions over sets (tuples, lists and ranges of numbers) that emitted code calls."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

Set = Sequence[int]


def read_or(f: list[int], offset: int, none: int) -> int:
    return f[offset] if offset >= 0 else none


def address_or_none(base: int, index: int, stride: int, *more: int) -> int:
    """The offset of an element, from pairs of index and stride; -1 if one of the indexes is none."""
    if index < 0:
        return -1
    address = base + index * stride
    return address_or_none(address, *more) if more else address


def is_in_group(first: int, size: int, place: int) -> bool:
    """True if the place is one of a range of slots; none has no slots."""
    return 0 <= first <= place < first + size


def group(f: list[int], first: int, size: int) -> list[int]:
    """The pieces in a range of slots; empty for the slots of none."""
    return [piece for piece in f[first : first + size] if piece >= 0] if first >= 0 else []


def one_or_none(piece: int) -> tuple[int, ...]:
    return (piece,) if piece >= 0 else ()


def unless_none(value: int, none: int) -> tuple[int, ...]:
    return (value,) if value != none else ()


def instead_of_none(value: int, none: int, fallback: Callable[[], int]) -> int:
    return value if value != none else fallback()


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def best(items: list[int], measure: Callable[[int], int], most: bool) -> list[int]:
    """All items that are tied for the most (or least)."""
    if not items:
        return []
    measures = [measure(item) for item in items]
    target = max(measures) if most else min(measures)
    return [item for item, value in zip(items, measures, strict=True) if value == target]


def the_best(items: Set, measure: Callable[[int], int], most: bool, none: int) -> int:
    """The one with the most (or least), or none if two are tied for it."""
    found, best_yet = none, None
    for item in items:
        value = measure(item)
        if best_yet is None or (value > best_yet if most else value < best_yet):
            found, best_yet = item, value
        elif value == best_yet:
            found = none
    return found


def the_only(items: Set, none: int) -> int:
    return items[0] if len(items) == 1 else none


def first_of(items: Set, none: int) -> int:
    return items[0] if items else none


def last_of(items: Set, none: int) -> int:
    return items[-1] if items else none


def joined(*parts: Set) -> list[int]:
    return list(dict.fromkeys(chain.from_iterable(parts)))


def turned_to(items: Set, first: int) -> tuple[int, ...]:
    """The set rotated so that it begins with `first`; if `first` is not in it, with the next number that is."""
    items = tuple(items)
    if first in items:
        position = items.index(first)
        return items[position:] + items[:position]
    later = tuple(item for item in items if item > first)
    return later + tuple(item for item in items if item < first)


def following(items: Set, first: int) -> tuple[int, ...]:
    turned = turned_to(items, first)
    return turned[1:] if turned and turned[0] == first else turned


def position_in(items: Set, item: int) -> int:
    items = list(items)
    return items.index(item) + 1 if item in items else 0


def walk_on(row: list[int], piece: int, old: int) -> int:
    return row.index(piece) + 1 if piece in row else old


def up_to(items: Set, stop: Callable[[int], bool]) -> Set:
    """The items up to the first at which to stop, that one included."""
    for position, item in enumerate(items, 1):
        if stop(item):
            return items[:position]
    return items


def fingerprint(prime: int, *parts: int | list[int]) -> int:
    """A number below the prime that stands for all parts: their numbers are the digits of one large number, of 32 bits
    each, and the answer is its remainder modulo the prime. The length of a list follows its numbers."""
    numbers = array("i")
    for part in parts:
        if isinstance(part, int):
            numbers.append(part)
        else:
            numbers.extend(part)
            numbers.append(len(part))
    if sys.byteorder == "little":
        numbers.byteswap()
    return int.from_bytes(numbers.tobytes(), "big") % prime


def unskipped(seats: Set, player: int, skip: Callable[[int], bool]) -> int:
    return next((seat for seat in turned_to(seats, player) if not skip(seat)), -1)


def changed_since(before: Set, now: Set, change: str) -> list[int]:
    """The positions whose number has changed in the given way."""
    pairs = list(enumerate(zip(before, now, strict=True)))
    match change:
        case "rises" | "grows":
            return [i for i, (old, new) in pairs if new > old]
        case "falls" | "shrinks":
            return [i for i, (old, new) in pairs if new < old]
        case "becomes_empty":
            return [i for i, (old, new) in pairs if new == 0 < old]
    return [i for i, (old, new) in pairs if new != old]


def rebased(snapshot: Set, before: Set, now: Set) -> tuple[int, ...]:
    """The snapshot, with the changes between `before` and `now` added to it."""
    return tuple(old + new - then for old, then, new in zip(snapshot, before, now, strict=True))


NAMES: dict[str, Any] = {
    function.__name__: function
    for function in (
        read_or, address_or_none, is_in_group, group, one_or_none, unless_none, instead_of_none, sign, best,
        the_best, the_only, first_of, last_of, joined, turned_to, following, position_in, walk_on, unskipped,
        changed_since, fingerprint, rebased, up_to,
    )
}  # fmt: skip
