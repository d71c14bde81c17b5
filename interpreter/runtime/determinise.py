"""A whole state drawn at random that agrees with all that one player knows.

The identities of each mix of the player are dealt anew. What stays is everything that belongs to a position: which
positions are filled, the fields of the piece lying there, what it carries, which way up it lies, and who refers to
it. So this is one permutation of the pieces, applied to the whole state: what was said of x is then said of
`new[x]`. Other players' mixes go through the same permutation, so what they know stays true.

Mixes whose pieces are all equal stay as they are. In a mix of several kinds with declarations of their own, a piece
that has something of its own (a field not at its start, something carried) changes places only within its kind: other
kinds have nowhere to keep it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, Protocol, TypeVar

from .knowledge import Board
from .meta import FieldMeta, Meta, PlaceMeta, SiteMeta
from .mixes import Mixes, mask_of
from .names import element_of
from .views import Dimensions, elements, own_offsets


class Generator(Protocol):
    """A source of random numbers: `below(n)` gives one of 0 … n-1, all equally likely."""

    def below(self, bound: int, /) -> int: ...


class Copied(Board, Protocol):
    def clone(self) -> Any: ...


State = TypeVar("State", bound=Copied)


def determinise(S: State, meta: Meta, player: int, generator: Generator) -> State:
    """A copy of the state with the identities dealt anew within each mix of the player."""
    drawn: State = S.clone()
    new = draw_identities(S, meta, player, generator)
    if any(piece != old for old, piece in enumerate(new)):
        apply_identities(S, drawn, meta, new)
    return drawn


def draw_identities(S: Board, meta: Meta, player: int, generator: Generator) -> list[int]:
    """For each piece, the piece that takes its position. Within a mix all permutations are equally likely."""
    new = list(range(meta.pieces))
    for group in exchangeable(S, meta, player):
        for old, piece in zip(group, _shuffled(sorted(group), generator), strict=True):
            new[old] = piece
    return new


def exchangeable(S: Board, meta: Meta, player: int) -> list[list[int]]:
    """The pieces whose identities may be dealt anew among them, group by group."""
    found: list[list[int]] = []
    for pieces in S.kn[player].members.values():
        if len({meta.piece_row[piece] for piece in pieces}) > 1:
            groups = [group for group in _exchangeable(S, meta, [*pieces]) if len(group) > 1]
            found += [_by_position(S, meta, group) for group in groups]
    return found


def _by_position(S: Board, meta: Meta, pieces: list[int]) -> list[int]:
    """The pieces in the order in which they lie, which the player sees, not in that of their numbers, which would tell
    what they are: so the same seed draws the same world whatever the unseen pieces really are."""

    at = S.at
    index: dict[int, int] = {}
    for place in {at[piece] for piece in pieces}:
        if 0 <= place < meta.lists and not meta.unordered[place]:
            index.update({piece: number for number, piece in enumerate(S.p[place])})

    if all(field.owner != "piece" for field in meta.fields):
        places = {piece: (at[piece], index.get(piece, 0)) for piece in pieces}
        return sorted(pieces, key=places.__getitem__)

    def position(piece: int) -> tuple[int, int, list[int]]:
        return at[piece], index.get(piece, 0), [S.f[offset] for offset in own_offsets(meta, piece)]

    return sorted(pieces, key=position)


def apply_identities(S: Board, drawn: Board, meta: Meta, new: list[int]) -> None:
    """Write into `drawn`, a copy of S, what S says with each piece x called new[x]."""
    if any(map(over_pieces, meta.places)):
        _carry_over(S, drawn, meta, new)
    else:
        _exchange(S, drawn, meta, new)
    drawn.fd = sum(1 << new[piece] for piece in range(meta.pieces) if S.fd >> piece & 1) if S.fd else 0
    if drawn.kn is not None:
        drawn.kn = [renamed_mixes(mixes, new) for mixes in S.kn]
    drawn.k = [_frame(meta, frame, new) for frame in S.k]
    drawn.opts = _options(S, meta, new)


def _exchange(S: Board, drawn: Board, meta: Meta, new: list[int]) -> None:
    """No place belongs to a piece: only the pieces that change their names are looked at."""
    drawn.f = f = _fields(S, meta, new)
    drawn.p = p = [*S.p]
    drawn.at = at = [*S.at]
    touched: set[int] = set()
    for piece in range(meta.pieces):
        if new[piece] != piece:
            place = S.at[piece]
            at[new[piece]] = place
            if place >= meta.lists:
                f[place - meta.lists] = new[piece]
            elif place >= 0:
                touched.add(place)
    for place in range(len(p)):
        p[place] = [new[piece] for piece in p[place]] if place in touched else p[place][:]
        if place in touched and meta.unordered[place]:
            p[place].sort()


def _carry_over(S: Board, drawn: Board, meta: Meta, new: list[int]) -> None:
    """What lies on a piece goes with it, so places change their numbers too."""
    new_place = _new_places(meta, new)
    drawn.f = _slots(S, meta, new, new_place) + _fields(S, meta, new)[meta.slots :]
    drawn.p = _lists(S, meta, new, new_place) + [list(rest) for rest in S.p[meta.lists :]]
    at = list(S.at)
    for piece, place in enumerate(S.at[: meta.pieces]):  # the entry after the pieces stands for none
        moved = new_place[place] if place >= 0 else place
        at[new[piece]] = place if moved is None else moved
    drawn.at = at


# ---------------------------------------------------------------------------- who may trade with whom


def _exchangeable(S: Board, meta: Meta, pieces: list[int]) -> list[list[int]]:
    kinds = {meta.piece_kind[piece] for piece in pieces}
    if len(kinds) == 1 or not (any(map(over_pieces, meta.fields)) or any(map(over_pieces, meta.places))):
        return [pieces]
    laden = {piece for piece in pieces if _is_laden(S, meta, piece)}
    groups = [[piece for piece in pieces if piece not in laden]]
    for kind in sorted(kinds):
        groups.append([piece for piece in pieces if piece in laden and meta.piece_kind[piece] == kind])
    return groups


def _is_laden(S: Board, meta: Meta, piece: int) -> bool:
    """Whether the piece carries something or has a field that is not as it was at the start.

    A face-down monster with two wounds may be any other monster, which then has the wounds. It cannot be a trap, though
    the backs are the same: traps have no wounds, and the two would be lost.
    """
    if any(S.f[offset] != meta.start[offset] for offset in own_offsets(meta, piece)):
        return True
    return any(_is_carried_by(meta, place, piece) for place in S.at if place >= 0)


def _is_carried_by(meta: Meta, number: int, piece: int) -> bool:
    place = meta.places[meta.place_of[number]]
    if place.owner != "piece":
        return False
    return place.dimensions[0][1] + (number - place.base) // elements(place.dimensions[1:]) == piece


def _shuffled(pieces: list[int], generator: Generator) -> list[int]:
    """Fisher-Yates from the last index down."""
    dealt = list(pieces)
    for last in range(len(dealt) - 1, 0, -1):
        other = generator.below(last + 1)
        dealt[last], dealt[other] = dealt[other], dealt[last]
    return dealt


# ---------------------------------------------------------------------------- the state under new names


def _called(piece: int, new: list[int]) -> int:
    return new[piece] if piece >= 0 else piece


def over_pieces(declared: FieldMeta | PlaceMeta) -> bool:
    return any(thing == "piece" for thing, _, _ in declared.dimensions)


def _renumbered(dimensions: Dimensions, new: list[int]) -> Iterator[tuple[int, int | None]]:
    """(element, where it comes to lie) of an array indexed by pieces; None if that piece has no such element."""
    ranges = [range(low, low + size) for _, low, size in dimensions]
    for element, indexes in enumerate(product(*ranges)):
        target: int | None = 0
        for (thing, low, size), index in zip(dimensions, indexes, strict=True):
            step = (new[index] if thing == "piece" else index) - low
            target = target * size + step if target is not None and 0 <= step < size else None
        yield element, target


def _fields(S: Board, meta: Meta, new: list[int]) -> list[int]:
    f = list(S.f)
    for field in meta.fields:
        if field.thing != "piece" and not over_pieces(field):
            continue
        size = elements(field.dimensions)
        values = S.f[field.base : field.base + size]
        if field.thing == "piece":
            values = [_called(value, new) for value in values]
        if over_pieces(field):
            # Fields that no piece comes to own get their start values: the piece that lay there has no such fields.
            moved = list(meta.start[field.base : field.base + size])
            for element, target in _renumbered(field.dimensions, new):
                if target is not None:
                    moved[target] = values[element]
            values = moved
        f[field.base : field.base + size] = values
    return f


def _new_places(meta: Meta, new: list[int]) -> list[int | None]:
    """For each place number where its contents come to lie: with the piece that carries them."""
    numbers: list[int | None] = list(range(meta.lists + meta.slots))
    for place in meta.places:
        if over_pieces(place):
            for element, target in _renumbered(place.dimensions, new):
                numbers[place.base + element] = None if target is None else place.base + target
    return numbers


def _slots(S: Board, meta: Meta, new: list[int], new_place: list[int | None]) -> list[int]:
    slots = [-1] * meta.slots
    for offset, target in enumerate(new_place[meta.lists :]):
        if target is not None:
            slots[target - meta.lists] = _called(S.f[offset], new)
    return slots


def _lists(S: Board, meta: Meta, new: list[int], new_place: list[int | None]) -> list[list[int]]:
    lists: list[list[int]] = [[] for _ in range(meta.lists)]
    for number, target in enumerate(new_place[: meta.lists]):
        if target is not None:
            called = [new[piece] for piece in S.p[number]]
            lists[target] = sorted(called) if meta.unordered[number] else called
    return lists


def renamed_mixes(mixes: Mixes, new: list[int]) -> Mixes:
    """The same mixes of the pieces under their new names."""
    several = tuple([mask_of([new[piece] for piece in pieces]) for pieces in mixes.members.values()])
    return Mixes(mixes.size, sum(several), several)


def _renamed(value: Any, thing: str, new: list[int]) -> Any:
    """A value of a frame or an option: pieces and sets of pieces change, all else stays. So does a set that was not
    worked out yet: its slot holds 0 until then, which is no piece."""
    if element_of(thing) != "piece":
        return value
    if isinstance(value, tuple):
        return tuple(_called(piece, new) for piece in value)
    return _called(value, new) if isinstance(value, int) and thing == "piece" else value


def _frame(meta: Meta, frame: list[Any], new: list[int]) -> list[Any]:
    things = meta.slot_things.get(meta.segment_routine[frame[0]], ())
    named = [_renamed(value, thing, new) for value, thing in zip(frame[1:], things, strict=False)]
    return [frame[0], *named, *frame[1 + len(named) :]]


def _options(S: Board, meta: Meta, new: list[int]) -> Any:
    """The pending options with the pieces they bind under their new names, in the same order."""
    if not S.opts or S.site is None or not 0 <= S.site < len(meta.sites):
        return S.opts
    site = meta.sites[S.site]
    return [renamed_option(site, option, new) for option in S.opts]


def renamed_option(site: SiteMeta, option: int, new: list[int]) -> int:
    """The option with the pieces it binds under their new names; passing and free actions as they are. One that stands
    for all equal copies (`row`) has the first of them."""
    found = site.values_of(option)
    if found is None:
        return option
    branch, values = found
    things = ["piece" if thing == "row" else thing for thing, _, _ in site.branches[branch][1]]
    named = [_renamed(value, thing, new) for value, thing in zip(values, things, strict=True)]
    return site.option_of(branch, named)
