"""What a player sees of a fast copy, as a tuple that can be a key: the poor man's `state.information`.

`State.information` hashes everything that a player has ever been shown. It needs knowledge and log, which cost many
times what a simulation costs, so a search cannot ask for it at every step. This is what can be read off the bare
numbers of a copy, by the declarations alone:

- fields and dice that the player may see (numbers; those that hold or belong to pieces are below);
- places that the player sees: the rows of the pieces lying there, in order, equal copies alike. A piece that lies face
  down has no row (-1). Of other places how many lie there, unless they may not be counted, and the top of a pile with
  an open top;
- fields that hold a piece: its row, or -1 if the player does not see that piece where it lies;
- fields of pieces that the player sees where they lie.

What was seen once and is hidden again is not in it. The search adds that: its keys are chains of what a player saw at
each own decision, with the choices in between, so what was seen at a decision is not forgotten.

Nothing here reads what the player may not see. The tests change all that is hidden and want the same tuple.

What is looked at is worked out once, as a `Sight`: lists of numbers. A native search is handed the same lists
(`compiled_sight`), so both backends see by one definition.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from operator import itemgetter
from typing import Any
from weakref import WeakKeyDictionary

from ...compile.meta import FieldMeta, Meta
from ...runtime.eyes import elements, is_seen

Observer = Callable[[Any], tuple[Any, ...]]


_OBSERVERS: WeakKeyDictionary[Any, dict[int, Observer]] = WeakKeyDictionary()  # by machine and player


def observer(state: Any, player: int) -> Observer:
    """The function that reads off a state of this game what the player sees; made once for each game and player."""
    kept = _OBSERVERS.setdefault(state.machine, {})
    if player not in kept:
        kept[player] = _observer(state.meta, player)
    return kept[player]


@dataclass(frozen=True)
class Sight:
    """What a player sees by declaration. Numbers of the array: `plain` as they are, `holding` those that hold a piece.
    Lists: `lists` seen, `counted` only counted, `tops` with an open top. Slots: `slots` seen, `filled` of which it
    shows only that they are filled. `owned`: open fields of pieces (first piece, pieces, first offset, numbers of
    one)."""

    plain: list[int]
    lists: list[int]
    slots: list[int]
    tops: list[int]
    counted: list[int]
    filled: list[int]
    holding: list[int]
    owned: list[tuple[int, int, int, int]]


def sight_of(meta: Meta, player: int) -> Sight:
    """What a player sees of a game with secrets."""
    lists, counted, tops, slots, filled = _places(meta, player)
    holding = [
        offset for field in meta.fields if field.thing == "piece" for offset in _seen_offsets(meta, field, player)
    ]
    return Sight(_plain_offsets(meta, player), lists, slots, tops, counted, filled, holding, _owned_fields(meta))


def _observer(meta: Meta, player: int) -> Observer:
    if not meta.has_secrets:
        return _all_of
    sight = sight_of(meta, player)
    plain, seen, slots, tops = sight.plain, sight.lists, sight.slots, sight.tops
    counted, filled, holding, owned = sight.counted, sight.filled, sight.holding, sight.owned
    numbers: Callable[[list[int]], Any] = itemgetter(*plain) if plain else lambda f: ()
    row = meta.piece_row

    def look(state: Any) -> tuple[Any, ...]:
        f, p, down = state.f, state.p, state.fd
        shown: list[Any] = [numbers(f)]
        if down:
            shown += [tuple([-1 if down >> x & 1 else row[x] for x in p[place]]) for place in seen]
            shown += [-1 if f[slot] < 0 or down >> f[slot] & 1 else row[f[slot]] for slot in slots]
            shown += [row[p[place][0]] if p[place] and not down >> p[place][0] & 1 else -1 for place in tops]
        else:
            shown += [tuple([row[x] for x in p[place]]) for place in seen]
            shown += [row[f[slot]] for slot in slots]  # the last row is that of none
            shown += [row[p[place][0]] if p[place] else -1 for place in tops]
        shown += [len(p[place]) for place in counted]
        shown += [f[slot] >= 0 for slot in filled]
        if holding or owned:
            sees = _sight(state, meta, player)
            for offset in holding:
                x = f[offset]
                shown.append(-1 if x < 0 else row[x] if sees(x) else -2)
            if owned:
                shown += _own_values(state, sees, owned, row)
        return tuple(shown)

    return look


def _all_of(state: Any) -> tuple[Any, ...]:
    """Where nothing is hidden: every number and every piece."""
    return (tuple(state.f), tuple(map(tuple, state.p)))


def _plain_offsets(meta: Meta, player: int) -> list[int]:
    return [
        offset
        for field in meta.fields
        if not field.is_history and field.thing != "piece" and field.owner != "piece" and not _indexed_by_pieces(field)
        for offset in _seen_offsets(meta, field, player)
    ]


def _indexed_by_pieces(field: FieldMeta) -> bool:
    return any(thing == "piece" for thing, _, _ in field.dimensions)


def _seen_offsets(meta: Meta, field: FieldMeta, player: int) -> list[int]:
    """The offsets of a field that the player may see by its declaration."""
    if field.owner == "piece":
        return []
    size = elements(field.dimensions)
    each = size // field.dimensions[0][2] if field.owner != "table" else size
    first = field.dimensions[0][1] if field.owner != "table" else -1
    return [
        field.base + number
        for number in range(size)
        if field.visibility == "open" or is_seen(player, field, first + number // each if first >= 0 else -1)
    ]


def _places(meta: Meta, player: int) -> tuple[list[int], list[int], list[int], list[int], list[int]]:
    """Lists seen, lists only counted, lists with an open top; slots seen, slots of which it shows only that they are
    filled."""
    seen: list[int] = []
    counted: list[int] = []
    tops: list[int] = []
    slots: list[int] = []
    filled: list[int] = []
    for number in range(meta.lists + meta.slots):
        place = meta.places[meta.place_of[number]]
        sees = meta.sees[number] >> player & 1
        if number >= meta.lists:
            (slots if sees else filled).append(number - meta.lists)
        elif sees:
            seen.append(number)
        else:
            if number in meta.top_open:
                tops.append(number)
            if not place.uncounted:
                counted.append(number)
    return seen, counted, tops, slots, filled


def _sight(state: Any, meta: Meta, player: int) -> Callable[[int], bool]:
    """Whether the player sees a piece where it lies."""
    at, p, down, sees, tops, bit = state.at, state.p, state.fd, meta.sees, meta.top_open, 1 << player

    def is_visible(piece: int) -> bool:
        place = at[piece]
        if place < 0 or down >> piece & 1:
            return False
        if place in tops:
            return bool(p[place][0] == piece)
        return bool(sees[place] & bit)

    return is_visible


def _owned_fields(meta: Meta) -> list[tuple[int, int, int, int]]:
    """(first piece, pieces, first offset, numbers of one piece) of the open fields of pieces."""
    return [
        (field.dimensions[0][1], field.dimensions[0][2], field.base, elements(field.dimensions[1:]))
        for field in meta.fields
        if field.owner == "piece" and field.visibility == "open" and field.thing != "piece"
    ]


def _own_values(state: Any, sees: Callable[[int], bool], owned: list[tuple[int, int, int, int]], row: Any) -> list[Any]:
    """The fields of pieces in sight, each with its row and where it lies; in an order that hides which copy it is."""
    f, at = state.f, state.at
    found: list[Any] = []
    for first, count, base, each in owned:
        shown = [
            (row[x], at[x], tuple(f[base + (x - first) * each : base + (x - first + 1) * each]))
            for x in range(first, first + count)
            if at[x] >= 0 and sees(x)
        ]
        found.append(tuple(sorted(shown)))
    return found
