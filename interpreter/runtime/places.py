"""Pieces in places, conserved: every change of place goes through here.

`bind` makes the functions that emitted code calls, for one way of running: with knowledge tracked (play), without
(playouts), or on trial (where a random event or an unseen card stops the trial, which then counts as success).

A piece is in one place, and that is written down twice: `S.at` has the place of each piece, and the place has the
piece. Places are numbered: -1 is the box, which keeps nothing; numbers below `lists` are lists in `S.p`; the others are
slots, which lie at the beginning of the array `S.f`. Every function here changes both sides together. What players get
to know of a move is no part of it: emitted code tells `moved` afterwards, in the ways of running that keep knowledge.
"""

from __future__ import annotations

from bisect import insort
from typing import Any

from ..compile.meta import Meta
from . import chances, equal_pieces, knowledge
from .faults import Carried, Refused, Trouble
from .log import name_what_is_shown
from .told_chance import note_moved
from .trail import SHOWN


def bind(meta: Meta, track: bool, trial: bool) -> dict[str, Any]:
    """The place functions for one way of running."""
    names = {**_moves(meta.lists), **_deals(), **_whereabouts(meta), **equal_pieces.bind(meta)}
    names.update(chances.bind(meta, names, track, trial))
    names.update(_showing(meta, track, trial))
    names.update(_revealing(meta, trial))
    names.update(_swaps(meta, names, track))
    if trial:
        names.update(_as_far_as_seen(meta, names))
    return names


def _as_far_as_seen(meta: Meta, names: dict[str, Any]) -> dict[str, Any]:
    """Moves on trial: a piece that leaves a place unseen by whoever looks ahead (`S.looker`) stops the trial, which
    then counts as success."""
    everybody = (1 << meta.players) - 1

    def is_seen(S: Any, place: int) -> bool:
        looker = S.looker
        mask = everybody if looker is None else 1 << looker
        return place < 0 or meta.sees[place] & mask == mask

    def own_list(S: Any, place: int) -> None:
        """Copies a list before its first change: a trial shares its lists with the real game until then."""
        if 0 <= place < meta.lists:
            S.p[place] = S.p[place][:]

    def careful(put: Any) -> Any:
        def put_if_seen(S: Any, piece: int, *where: int) -> Any:
            source = S.at[piece]
            if not is_seen(S, source):
                raise Carried
            own_list(S, source)
            own_list(S, where[0] if where else -1)
            return put(S, piece, *where)

        return put_if_seen

    def swap_places(S: Any, one: int, other: int, size: int, *room: Any) -> None:
        if not all(is_seen(S, place) for first in (one, other) for place in range(first, first + size)):
            raise Carried
        names["swap_places_unseen"](S, one, other, size, *room)

    def pass_on(S: Any, base: int, stride: int, size: int, direction: str) -> None:
        if not all(is_seen(S, place) for place in range(base, base + size)):
            raise Carried
        names["pass_on_unseen"](S, base, stride, size, direction)

    def careful_deal(deal: Any) -> Any:
        def deal_if_seen(S: Any, source: int, target: int, count: int, refusal: int | None) -> Any:
            if refusal is not None and len(S.p[source]) < count:
                raise Refused(refusal, lambda: (count, len(S.p[source])))
            if count > 0 and S.p[source] and not is_seen(S, source):
                raise Carried
            own_list(S, source)
            own_list(S, target)
            return deal(S, source, target, count, refusal)

        return deal_if_seen

    puts = {name: careful(function) for name, function in names.items() if name.startswith("put_")}
    puts.update({name: careful_deal(function) for name, function in names.items() if name.startswith("deal_")})
    kept = {"swap_places_unseen": names["swap_places"], "pass_on_unseen": names["pass_on"]}
    return {**puts, **kept, "swap_places": swap_places, "pass_on": pass_on}


def _moves(lists: int) -> dict[str, Any]:
    """The moves of a single piece. Each takes it out of its old place first; the commonest do not call `put_box`."""
    put_slot, put_group = _into_slots(lists)

    def put_front(S: Any, piece: int, place: int) -> int:
        at, p = S.at, S.p
        source: int = at[piece]
        if source >= lists:
            S.f[source - lists] = -1
        elif source >= 0:
            p[source].remove(piece)
        p[place].insert(0, piece)
        at[piece] = place
        return source

    def put_back(S: Any, piece: int, place: int) -> int:
        source = put_box(S, piece)
        S.p[place].append(piece)
        S.at[piece] = place
        return source

    def put_behind(S: Any, piece: int, place: int, before: int) -> int:
        """Behind none it is the first; behind itself, or behind what lies elsewhere, the last."""
        source = put_box(S, piece)
        row = S.p[place]
        row.insert(0 if before < 0 else row.index(before) + 1 if before in row else len(row), piece)
        S.at[piece] = place
        return source

    def put_sorted(S: Any, piece: int, place: int) -> int:
        """Places without an order are kept in table order: so equal contents are equal data, and nobody can read off
        where a piece lies when it came."""
        at, p = S.at, S.p
        source: int = at[piece]
        if source >= lists:
            S.f[source - lists] = -1
        elif source >= 0:
            p[source].remove(piece)
        insort(p[place], piece)
        at[piece] = place
        return source

    def put_box(S: Any, piece: int, place: int = -1) -> int:
        source: int = S.at[piece]
        if source >= lists:
            S.f[source - lists] = -1
        elif source >= 0:
            S.p[source].remove(piece)
        S.at[piece] = -1
        return source

    def lay_back(S: Any, piece: int, place: int) -> None:
        """Back to where it came from: a slot, the box, or a list in table order."""
        (put_slot if place >= lists else put_sorted if place >= 0 else put_box)(S, piece, place)

    made = (put_front, put_back, put_behind, put_sorted, put_slot, put_group, put_box, lay_back)
    # What is only supposed to move is put back before anybody looks: it is done in the same way on trial.
    supposed = {"suppose_slot": put_slot, "suppose_sorted": put_sorted, "suppose_box": put_box}
    return {**{function.__name__: function for function in made}, "put_bag": put_sorted, **supposed}


def _into_slots(lists: int) -> tuple[Any, Any]:
    """The same into slots, which have room for one piece."""

    def put_slot(S: Any, piece: int, place: int) -> int:
        at = S.at
        source: int = at[piece]
        if source >= lists:
            S.f[source - lists] = -1
        elif source >= 0:
            S.p[source].remove(piece)
        S.f[place - lists] = piece
        at[piece] = place
        return source

    def put_group(S: Any, piece: int, place: int, size: int) -> int:
        """Into the first of several slots that is empty."""
        free = next(number for number in range(place, place + size) if S.f[number - lists] < 0)
        return put_slot(S, piece, free)

    return put_slot, put_group


def _deals() -> dict[str, Any]:
    """Moves of several pieces at once, from the front of one list to another."""

    def take_front(S: Any, source: int, count: int, refusal: int | None) -> list[int]:
        pieces: list[int] = S.p[source]
        if refusal is not None and len(pieces) < count:
            raise Refused(refusal, lambda: (count, len(pieces)))
        if count < 1:
            return []
        taken = pieces[:count]
        del pieces[:count]
        return taken

    def deal_sorted(S: Any, source: int, target: int, count: int, refusal: int | None) -> tuple[int, ...]:
        at, goal, pieces = S.at, S.p[target], S.p[source]
        if refusal is not None and len(pieces) < count:
            raise Refused(refusal, lambda: (count, len(pieces)))
        if count < 1 or not pieces:
            return ()
        if count == 1:
            first: int = pieces.pop(0)
            insort(goal, first)
            at[first] = target
            return (first,)
        taken = tuple(pieces[:count])
        del pieces[:count]
        for piece in taken:
            insort(goal, piece)
            at[piece] = target
        return taken

    def deal_front(S: Any, source: int, target: int, count: int, refusal: int | None) -> tuple[int, ...]:
        taken = take_front(S, source, count, refusal)
        at = S.at
        S.p[target][:0] = taken[::-1]
        for piece in taken:
            at[piece] = target
        return tuple(taken)

    def deal_back(S: Any, source: int, target: int, count: int, refusal: int | None) -> tuple[int, ...]:
        taken = take_front(S, source, count, refusal)
        at = S.at
        S.p[target] += taken
        for piece in taken:
            at[piece] = target
        return tuple(taken)

    return {"deal_sorted": deal_sorted, "deal_front": deal_front, "deal_back": deal_back}


def _whereabouts(meta: Meta) -> dict[str, Any]:
    """Where pieces are, and how many."""
    lists = meta.lists

    def place_counts(S: Any, base: int, size: int) -> tuple[int, ...]:
        if base >= lists:
            return tuple(int(piece >= 0) for piece in S.f[base - lists : base - lists + size])
        return tuple(len(pieces) for pieces in S.p[base : base + size])

    def at_of(S: Any, piece: int) -> int:
        """The node whose place holds the piece, directly or through the pieces that carry it."""
        place: int = S.at[piece]
        while place >= 0:
            if meta.place_nodes[place] >= 0:
                return meta.place_nodes[place]
            carrier = meta.carriers[place]
            place = S.at[carrier] if carrier >= 0 else -1
        return -1

    def holder_of(S: Any, piece: int) -> int:
        place: int = S.at[piece]
        while place >= 0:
            if meta.holders[place] >= 0:
                return meta.holders[place]
            carrier = meta.carriers[place]
            place = S.at[carrier] if carrier >= 0 else -1
        return -1

    def under_of(S: Any, piece: int) -> int:
        place = S.at[piece]
        return meta.carriers[place] if place >= 0 else -1

    def not_into_itself(S: Any, piece: int, place: int) -> None:
        """A boat cannot be put on a passenger of its own: neither would be anywhere, and `at_of` would never end."""
        while place >= 0 and meta.carriers[place] >= 0:
            if meta.carriers[place] == piece:
                raise Trouble("R0902", "a piece would be moved into itself", "move it where something else carries it")
            place = S.at[meta.carriers[place]]

    def place_of(S: Any, piece: int) -> int:
        return int(S.at[piece]) if piece >= 0 else -1

    made = (place_counts, at_of, holder_of, under_of, place_of, not_into_itself)
    return {function.__name__: function for function in made}


def _showing(meta: Meta, track: bool, trial: bool) -> dict[str, Any]:
    """What players get to see. On trial, anything that is shown ends the look ahead, which counts as success: what
    comes after it may depend on what was seen, and whoever looks ahead does not know that yet."""

    # Places that nobody sees into. What comes out of them is chance to the players, so the log tells it by itself.
    out_of_sight = frozenset(n for n, seen in enumerate(meta.sees) if not seen and n not in meta.top_open)

    def moved(S: Any, piece: int, source: int, target: int, by_position: bool, was_down: bool = False) -> None:
        # A card that has just been revealed is followed with the eyes, wherever it goes before the next decision.
        if knowledge.moved(S, meta, piece, source, target, by_position, was_down, S.lit):
            S.horizon = len(S.h) // 2
        if source in out_of_sight:
            note_moved(S, meta, piece, source, target)
        name_what_is_shown(S, piece)

    def dealt(S: Any, pieces: tuple[int, ...], source: int, target: int) -> None:
        for piece in pieces:
            moved(S, piece, source, target, True)

    def lost_order(S: Any, place: int, knower: int | None, piece: int) -> None:
        if S.lit:
            S.lit = {piece: watchers for piece, watchers in S.lit.items() if S.at[piece] != place}
        knowledge.lost_order(S, meta, place, knower, piece)

    def lay(S: Any, piece: int, down: bool) -> bool:
        """Turns a piece face up or face down; returns how it lay before."""
        was_down = bool(S.fd >> piece & 1)
        S.fd = S.fd | (1 << piece) if down else S.fd & ~(1 << piece)
        return was_down

    def flip(S: Any, piece: int, down: bool, missing: int | None) -> None:
        if missing is not None and piece < 0:
            raise Refused(missing)
        lay(S, piece, down)
        if trial and not down:
            raise Carried
        if track:
            _noted(S, knowledge.flipped(S, meta, piece, down))

    def is_known(S: Any, piece: int, player: int) -> bool:
        return S.kn is None or knowledge.is_known(S, meta, piece, player)

    made = (moved, dealt, lost_order, lay, flip, is_known)
    return {function.__name__: function for function in made}


def _noted(S: Any, smaller: bool) -> None:
    """Somebody knows more now: no choice that has been made so far may be taken back."""
    if smaller:
        S.horizon = len(S.h) // 2


def _revealing(meta: Meta, trial: bool) -> dict[str, Any]:
    """`reveal` of pieces, fields and dice. As with a piece that is turned up, a trial ends there."""

    def reveal(S: Any, pieces: Any, to: int | None) -> None:
        if trial:
            raise Carried
        pieces = tuple(pieces)
        _noted(S, knowledge.revealed_many(S, meta, pieces, to))
        mask = (1 << meta.players) - 1 if to is None else 1 << to
        S.lit = {**S.lit, **{piece: S.lit.get(piece, 0) | mask for piece in pieces}}

    def reveal_field(S: Any, offset: int, to: int | None) -> None:
        if trial:
            raise Carried
        mask = (1 << meta.players) - 1 if to is None else 1 << to
        S.shown[offset] = S.shown.get(offset, 0) | mask
        if S.ev is not None:
            S.ev = (S.ev, (SHOWN, mask, offset, S.f[offset]))
        S.horizon = len(S.h) // 2

    def reveal_dice(S: Any, dice: Any, first: int, to: int | None) -> None:
        """Reveals dice by their numbers; the face of die 0 is at offset `first`. Even an empty set stops a trial."""
        if trial:
            raise Carried
        for die in dice:
            reveal_field(S, first + die, to)

    return {"reveal": reveal, "reveal_field": reveal_field, "reveal_dice": reveal_dice}


def _swaps(meta: Meta, names: dict[str, Any], track: bool) -> dict[str, Any]:
    def swap_pieces(S: Any, one: int, other: int, refusal: int, carried: bool) -> None:
        if one < 0 or other < 0:
            raise Refused(refusal)
        if one == other:  # nothing changes places
            return
        a, b = S.at[one], S.at[other]
        if carried:
            names["not_into_itself"](S, one, b)
            names["not_into_itself"](S, other, a)
        _replace(S, meta, a, one, -2)
        _replace(S, meta, b, other, one)
        _replace(S, meta, a, -2, other)
        S.at[one], S.at[other] = b, a
        if track:
            _noted(S, knowledge.swapped_pieces(S, meta, one, other))

    def swap_places(S: Any, one: int, other: int, size: int, rooms: tuple[int, int] | None, full: int | None) -> None:
        if rooms is not None and full is not None and (len(S.p[one]) > rooms[1] or len(S.p[other]) > rooms[0]):
            raise Refused(full)
        for a, b in zip(range(one, one + size), range(other, other + size), strict=True):
            if a < meta.lists:
                S.p[a], S.p[b] = S.p[b], S.p[a]
            else:
                i, j = a - meta.lists, b - meta.lists
                S.f[i], S.f[j] = S.f[j], S.f[i]
            for place in (a, b):
                for piece in knowledge.contents(S, meta, place):
                    S.at[piece] = place
            if track:
                _noted(S, knowledge.swapped_places(S, meta, a, b))

    def pass_on(S: Any, base: int, stride: int, size: int, direction: str) -> None:
        """Whole places go to the neighbour who is still in the game: nothing enters or leaves piece by piece."""
        held, first = (S.p, base) if base < meta.lists else (S.f, base - meta.lists)
        seats = [seat for seat in range(size // stride) if seat not in S.gone]
        rows = [held[first + seat * stride : first + (seat + 1) * stride] for seat in seats]
        shift = 1 if direction == "left" else -1
        for n, seat in enumerate(seats):
            held[first + seat * stride : first + (seat + 1) * stride] = rows[(n - shift) % len(seats)]
        for place in range(base, base + size):
            for piece in knowledge.contents(S, meta, place):
                S.at[piece] = place
        if track:
            _noted(S, knowledge.came_whole(S, meta, range(base, base + size)))

    return {"swap_pieces": swap_pieces, "swap_places": swap_places, "pass_on": pass_on}


def _replace(S: Any, meta: Meta, place: int, old: int, new: int) -> None:
    """Another piece in the position of one. Both may lie in the same list, so the first leaves a gap (-2) until the
    second has gone; a list with a gap is not sorted, since the gap would lose its position."""
    if place >= meta.lists:
        S.f[place - meta.lists] = new
    elif place >= 0:
        pieces = S.p[place] = S.p[place][:]
        pieces[pieces.index(old)] = new
        if meta.unordered[place] and -2 not in pieces:
            pieces.sort()
