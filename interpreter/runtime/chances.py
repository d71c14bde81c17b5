"""The random events that emitted code calls: shuffles, rolls, draws from a bag, random picks.

On trial a random event stops the look-ahead. In play it moves the undo horizon, a scenario may have scripted it, and
what players know about the pieces changes. In a playout none of that matters, and the steps of the generator are
inlined for speed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..compile.meta import Meta
from . import knowledge
from .chance import INCREMENT, MASK, MULTIPLIER, below, draw_below, must_fit, scripted
from .faults import Carried, Refused
from .mixes import mask_of
from .told_chance import note_roll, note_shuffle
from .trail import CHANCE, PICKED, ROLLED
from .unseen import unseen_offsets

Happened = Callable[[Any], None]


def bind(meta: Meta, names: dict[str, Any], track: bool, trial: bool) -> dict[str, Any]:
    """The random events for one way of running; `names` has the moves."""

    def happened(S: Any) -> None:
        if trial:
            raise Carried
        if track:
            S.horizon = len(S.h) // 2

    made = {**_orders(meta, names, track, happened), **_draws(meta, track, happened)}
    if not track and not trial:
        made.update(_quick_chance(meta))
    return made


def _noting(meta: Meta, track: bool) -> Callable[[Any, str, tuple[int, ...]], None]:
    """A function that notes how chance fell, where worlds may have to run the rules again: in games that work out
    numbers from secrets, and while players choose together."""

    def fell(S: Any, what: str, outcome: tuple[int, ...]) -> None:
        if track and S.ev is not None and (meta.works_out or S.together):
            S.ev = (S.ev, (CHANCE, what, outcome))

    return fell


def _orders(meta: Meta, names: dict[str, Any], track: bool, happened: Happened) -> dict[str, Any]:
    unseen = unseen_offsets(meta) if track else frozenset()
    fell = _noting(meta, track)

    def order(S: Any, place: int) -> None:
        pieces = sorted(S.p[place])
        for i in range(len(pieces) - 1, 0, -1):
            j = below(S, i + 1)
            pieces[i], pieces[j] = pieces[j], pieces[i]
        if track and S.script:
            wanted = scripted(S, "shuffle", place)
            if wanted is not None:
                front = _matching(meta, pieces, wanted)
                must_fit("shuffle", len(front) == len(wanted), _missing(meta, front, wanted, len(pieces)))
                pieces = front + [piece for piece in pieces if piece not in front]
        S.p[place] = pieces

    def mix(S: Any, place: int) -> None:
        happened(S)
        if not meta.unordered[place]:
            order(S, place)
        if track:
            forget(S, S.p[place])
            knowledge.shuffled(S, meta, place)
            fell(S, "shuffle", tuple(S.p[place]))

    def shuffle(S: Any, place: int) -> None:
        mix(S, place)
        if track:
            note_shuffle(S, meta, place)

    def shuffle_into(S: Any, source: int, target: int) -> None:
        happened(S)
        for piece in S.p[source][:]:
            names["put_front"](S, piece, target)
            if track:
                knowledge.moved(S, meta, piece, source, target, True)
        mix(S, target)
        if track:
            note_shuffle(S, meta, source, target)

    def roll(S: Any, first: int, count: int, low: int, high: int) -> None:
        happened(S)
        offset = meta.dice + first
        wanted = scripted(S, "roll", first) if track and S.script else None
        if wanted is not None:
            fits = len(wanted) <= count and all(low <= face <= high for face in wanted)
            must_fit("roll", fits, f"{count} of {low}..{high} are rolled here")
        for number in range(count):
            face = low + below(S, high - low + 1)
            S.f[offset + number] = wanted[number] if wanted is not None and number < len(wanted) else face
            if track:
                S.shown[~(offset + number)] = 1  # from now on views show a face for this die
            if track and S.ev is not None and offset + number in unseen:
                S.shown.pop(offset + number, None)
                S.ev = (S.ev, (ROLLED, offset + number, S.f[offset + number], tuple(range(low, high + 1))))
        fell(S, "roll", (offset, *S.f[offset : offset + count]))
        if track:
            note_roll(S, meta, first, count)

    return {"shuffle": shuffle, "shuffle_into": shuffle_into, "roll": roll}


def _draws(meta: Meta, track: bool, happened: Happened) -> dict[str, Any]:
    can_hide = {kind for place in meta.places if place.visibility != "open" for kind in place.kinds}
    fell = _noting(meta, track)

    def draw_from_bag(S: Any, place: int, count: int, refusal: int | None) -> tuple[int, ...]:
        left = list(S.p[place])
        if len(left) < count:
            if refusal is not None:
                raise Refused(refusal, lambda: (count, len(left)))
            count = len(left)
        if count < 1:
            return ()
        happened(S)
        if track:
            forget(S, left)
        wanted = scripted(S, "draw", place) if track and S.script else None
        found = _matching(meta, left, wanted) if wanted is not None else []
        if wanted is not None:
            must_fit("draw", len(found) == len(wanted) <= count, _missing(meta, found, wanted, count))
        left = [piece for piece in left if piece not in found]
        drawn = (*found, *(left.pop(below(S, len(left))) for _ in range(count - len(found))))
        if track and S.ev is not None:
            for piece in drawn:
                S.ev = (S.ev, (PICKED, piece, (), -1))
        fell(S, "draw", drawn)
        return drawn

    def pick_random(S: Any, items: list[int], place: int | None, pieces: bool, varies: bool = False) -> int:
        if not items:
            return -1
        happened(S)
        if track and pieces:
            forget(S, items)
            # Nobody sees which piece leaves the box, unless pieces of its kind are only ever in open places.
            knowledge.mixed(
                S, meta, [piece for piece in items if S.at[piece] == -1 and meta.piece_kind[piece] in can_hide]
            )
        picked = items[below(S, len(items))]
        wanted = scripted(S, "pick", place) if track and S.script else None
        if wanted is not None:
            values = isinstance(wanted[0], frozenset)
            found = _among(items, wanted) if values else _matching(meta, items, wanted)
            must_fit("pick", len(found) == len(wanted) == 1, "" if values else _missing(meta, found, wanted, 1))
            picked = found[0]
        if track and S.ev is not None:
            what = ((), _beside(S, meta, picked)) if pieces else (tuple(items), varies)
            S.ev = (S.ev, (PICKED, picked, *what))
        fell(S, "pick", (picked,))
        return picked

    return {"draw_from_bag": draw_from_bag, "pick_random": pick_random}


def _beside(S: Any, meta: Meta, piece: int) -> int:
    """The pieces that lie where this one lies, as a bit mask: what comes there later is not the one that was picked."""
    place = S.at[piece]
    return -1 if place == knowledge.BOX else mask_of(knowledge.contents(S, meta, place))


def _missing(meta: Meta, found: list[int], wanted: list[int], at_most: int) -> str:
    """Why scripted pieces do not fit: which of them are not there, or how many there can be."""
    rest = list(wanted)
    for piece in found:
        rest.remove(meta.piece_row[piece])
    names = ", ".join(f"`{meta.row_ids[row]}`" for row in rest)
    return f"not there: {names}" if rest else f"there are {len(wanted)} of them, and room for {at_most}"


def forget(S: Any, pieces: list[int]) -> None:
    """Forgets that pieces were shown: after a shuffle they are no longer where they were seen."""
    if S.lit:
        gone = set(pieces)
        S.lit = {piece: watchers for piece, watchers in S.lit.items() if piece not in gone}


def _quick_chance(meta: Meta) -> dict[str, Any]:
    """Random events without tracking of knowledge; the steps of the generator are inlined where there are many."""
    dice = meta.dice
    thresholds: dict[int, int] = {}  # by number of faces: numbers below it are drawn again
    limits = [((1 << 32) - last - 1) % (last + 1) for last in range(meta.pieces)]  # the same by position in a pile

    def roll(S: Any, first: int, count: int, low: int, high: int) -> None:
        f, state, faces = S.f, S.g, high - low + 1
        threshold = thresholds.get(faces)
        if threshold is None:
            threshold = thresholds[faces] = ((1 << 32) - faces) % faces
        for offset in range(dice + first, dice + first + count):
            while True:
                shifted = (((state >> 18) ^ state) >> 27) & 0xFFFFFFFF
                turn = state >> 59
                state = (state * MULTIPLIER + INCREMENT) & MASK
                number = ((shifted >> turn) | (shifted << (-turn & 31))) & 0xFFFFFFFF
                if number >= threshold:
                    f[offset] = low + number % faces
                    break
        S.g = state

    def shuffle(S: Any, place: int) -> None:
        pieces = sorted(S.p[place])
        state = S.g
        for i in range(len(pieces) - 1, 0, -1):
            threshold = limits[i]
            while True:
                shifted = (((state >> 18) ^ state) >> 27) & 0xFFFFFFFF
                turn = state >> 59
                state = (state * MULTIPLIER + INCREMENT) & MASK
                number = ((shifted >> turn) | (shifted << (-turn & 31))) & 0xFFFFFFFF
                if number >= threshold:
                    break
            j = number % (i + 1)
            pieces[i], pieces[j] = pieces[j], pieces[i]
        S.g = state
        S.p[place] = pieces

    def draw_from_bag(S: Any, place: int, count: int, refusal: int | None) -> tuple[int, ...]:
        left = S.p[place][:]
        if len(left) < count:
            if refusal is not None:
                raise Refused(refusal, lambda: (count, len(left)))
            count = len(left)
        drawn = []
        state = S.g
        for _ in range(count):
            number, state = draw_below(state, len(left))
            drawn.append(left.pop(number))
        S.g = state
        return tuple(drawn)

    def pick_random(S: Any, items: list[int], place: int | None, pieces: bool, varies: bool = False) -> int:
        if not items:
            return -1
        number, S.g = draw_below(S.g, len(items))
        return items[number]

    return {"roll": roll, "shuffle": shuffle, "draw_from_bag": draw_from_bag, "pick_random": pick_random}


def _among(items: list[int], wanted: list[Any]) -> list[int]:
    """For each wanted name the first item that it may mean; a piece represents its equal copies."""
    found = (next((item for item in items if item in meant), None) for meant in wanted)
    return [item for item in found if item is not None]


def _matching(meta: Meta, pieces: list[int], rows: list[int]) -> list[int]:
    """Pieces of these rows, one for each."""
    left = list(pieces)
    found = []
    for row in rows:
        piece = next((piece for piece in left if piece < meta.pieces and meta.piece_row[piece] == row), None)
        if piece is not None:
            left.remove(piece)
            found.append(piece)
    return found
