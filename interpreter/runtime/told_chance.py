"""What chance brings, told in the log: dice that are rolled, pieces drawn out of hidden places, shuffles.

One act is one line. Draws in a row from one place to another are one line, and so are rolls of the same dice in a row
(`roll dice until …`). During setup only rolls are told: that the deck is shuffled and hands are dealt everybody knows.
What `pick … at random` comes to is not told: it may be kept secret, and if not, it is seen where it goes. An author who
can say it better does: a `say` to everybody right behind takes the place of the line.

A line names a piece only to those who see it where it comes to lie, at that moment. It is not named later, when the
card is played: which card of the hand it was, nobody else has seen. A draw that nobody sees anything of is not told.
Inside `together` only the player concerned is told, as of choices.

| entry | says |
| --- | --- |
| `("rolled", player or -1, field, faces of each roll, hidden)` | dice; the faces are told to those who see them |
| `("drew", player or -1, (source, target), pieces, hidden)` | pieces left a hidden place |
| `("shuffled", player or -1, (place, into or -1), (), hidden)` | a place has a new order |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from ..compile.meta import FieldMeta, Meta, PlaceMeta
from . import knowledge
from .eyes import is_seen
from .texts import phrase, thing_text, unseen_text

KINDS = ("rolled", "drew", "shuffled")
_MOST_ROLLS = 6  # of one line, the last ones


def note_roll(S: Any, meta: Meta, first: int, count: int) -> None:
    """Dice have been rolled, `count` of them from die `first` on."""
    number = next(n for n, one in enumerate(meta.fields) if one.is_dice and first in _dice_of(meta, one))
    field = meta.fields[number]
    faces = tuple(S.f[meta.dice + first : meta.dice + first + count])
    player = _owner(meta, field, first)
    last: tuple[Any, ...] = S.lg[-1][0] if S.lg else ()
    earlier = last[3] if last[:3] == ("rolled", player, number) else ()
    if earlier:
        S.lg.pop()
    _note(S, ("rolled", player, number, (*earlier, faces)[-_MOST_ROLLS:]), {})


def note_moved(S: Any, meta: Meta, piece: int, source: int, target: int) -> None:
    """A piece has left a place in which nobody saw it: told if somebody sees it now."""
    if target < 0 or is_setting_up(S, meta):
        return
    seen = knowledge.shown_at(S, meta, piece, target)
    if not seen:
        return
    last, masks = S.lg[-1] if S.lg else ((), {})
    pieces = last[3] if last[:1] == ("drew",) and last[2] == (source, target) else ()
    if pieces:
        S.lg.pop()
    told = {**(masks if pieces else {}), piece: seen & ((1 << meta.players) - 1)}
    _note(S, ("drew", meta.holders[target], (source, target), (*pieces, piece)), told)


def note_shuffle(S: Any, meta: Meta, place: int, into: int = -1) -> None:
    if not is_setting_up(S, meta):
        _note(S, ("shuffled", meta.holders[place], (place, into), ()), {})


def _note(S: Any, entry: tuple[Any, ...], masks: dict[int, int]) -> None:
    """Adds the line, unless the log is full: then the rules are stopped when they say something themselves."""
    if len(S.lg) < S.meta.limits["log"]:
        S.lg.append(((*entry, bool(S.together)), masks))


def is_setting_up(S: Any, meta: Meta) -> bool:
    return any(meta.segment_rule[frame[0]] == "setup" for frame in S.k[1:3] if frame[0] < len(meta.segment_rule))


def is_replaced(S: Any) -> bool:
    """True if the last line is one about chance, which a `say` right behind it replaces."""
    return bool(S.lg and S.lg[-1][0][0] in KINDS and S.apart is None)


# ---------------------------------------------------------------------------- in words


def chance_text(meta: Meta, entry: tuple[Any, ...], player: int | None, known: Callable[[int], bool]) -> str | None:
    """The line as a reader may read it (None: somebody who may see everything); None if nothing is told."""
    kind, who, what, values, hidden = entry
    is_own = player is None or (who >= 0 and player == who)
    if hidden and not is_own:
        return None
    seat = meta.seat_names[who] if who >= 0 else ""
    if kind == "rolled":
        field = meta.fields[what]
        return _rolled(meta, field, seat, values, player is None or is_seen(player, field, who))
    if kind == "shuffled":
        place, into = (_place(meta, number) for number in what)
        if what[1] >= 0:
            return phrase(meta, "{place} is shuffled into {into}", place=place, into=into)
        return phrase(meta, "{place} is shuffled", place=place)
    kinds = _kinds_between(meta, *what)
    names = Counter(
        thing_text(meta, "piece", piece, known) if known(piece) else unseen_text(meta, piece, kinds) for piece in values
    )
    pieces = ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in names.items())
    source, target = (_place(meta, number) for number in what)
    if who >= 0:
        return phrase(meta, "{player} draws from {place}: {pieces}", player=seat, place=source, pieces=pieces)
    return phrase(meta, "From {place} to {target}: {pieces}", place=source, target=target, pieces=pieces)


def _rolled(meta: Meta, field: FieldMeta, seat: str, rolls: Any, seen: bool) -> str:
    name = field.name.replace("_", " ")
    faces = "; ".join(", ".join(map(str, faces)) for faces in rolls)
    if seat and seen:
        return phrase(meta, "{player} rolls: {faces}", player=seat, faces=faces)
    if seat:
        return phrase(meta, "{player} rolls {dice}", player=seat, dice=name)
    return (
        phrase(meta, "{dice}: {faces}", dice=name, faces=faces) if seen else phrase(meta, "{dice}: rolled", dice=name)
    )


def _place(meta: Meta, number: int) -> str:
    """The name of the place with that number; none for -1."""
    place = _place_meta(meta, number)
    return place.name.replace("_", " ") if place is not None else ""


def _place_meta(meta: Meta, number: int) -> PlaceMeta | None:
    return next((one for one in meta.places if one.base <= number < one.base + one.size), None)


def _kinds_between(meta: Meta, source: int, target: int) -> set[str]:
    """The kinds of which a piece can be that goes from one place to another: all know the two places."""
    found = [set(place.kinds) for number in (source, target) if (place := _place_meta(meta, number)) is not None]
    return set.intersection(*found)


def _dice_of(meta: Meta, field: FieldMeta) -> range:
    """The numbers of the dice of a field."""
    size = 1
    for _, _, count in field.dimensions:
        size *= count
    return range(field.base - meta.dice, field.base - meta.dice + size)


def _owner(meta: Meta, field: FieldMeta, die: int) -> int:
    """The player whose die it is, or -1."""
    if field.owner != "player":
        return -1
    each = len(_dice_of(meta, field)) // field.dimensions[0][2]
    return field.dimensions[0][1] + (die - _dice_of(meta, field).start) // each


# ---------------------------------------------------------------------------- saves


def is_chance_entry(meta: Meta, entry: list[Any]) -> bool:
    """True if a line of a save can be put into words: the numbers in it are those of things that there are."""
    if len(entry) != 5 or type(entry[4]) is not bool or not _within([entry[1]], -1, meta.players):
        return False
    kind, _, what, values, _ = entry
    places = len(meta.holders)
    if kind == "rolled":
        is_dice = _within([what], 0, len(meta.fields)) and meta.fields[what].is_dice
        return is_dice and isinstance(values, list) and all(_within(faces, 0, 1 << 32) for faces in values)
    if kind == "drew":
        return _within(what, 0, places) and len(what) == 2 and _within(values, 0, meta.pieces)
    if kind == "shuffled":
        return _within(what, -1, places) and len(what) == 2 and values == []
    return False


def _within(numbers: Any, low: int, end: int) -> bool:
    return isinstance(numbers, list) and all(type(number) is int and low <= number < end for number in numbers)
