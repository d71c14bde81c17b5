"""The functions that are not those of a playout when a step is run again (`steps`).

Chance falls as the world has it, and what is noticed is written down, to be compared with the true game.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .chances import forget
from .faults import Refused
from .knowledge import BOX, contents, shown_at
from .meta import Meta
from .questions import is_hidden_question
from .steps import FORCED, NOBODY, PARTS, Astray, AtBlock, OneBlock


def bind_again(meta: Meta, names: dict[str, Any]) -> dict[str, Any]:
    """The functions that are not those of a playout when a step is run again: chance falls as `S.script` says, and
    `S.lg` gathers what is noticed; the last part of an entry says by whom (None: by all)."""
    silent = ("wrote", "say")
    bound = (*_chance_as_scripted(meta, names), *_what_is_noticed(meta, names), *_what_comes(meta, names))
    return {one.__name__: one for one in bound} | dict.fromkeys(silent, _nothing)


def _nothing(*_: Any, **__: Any) -> None:
    """Nobody learns anything here."""


def _chance_as_scripted(meta: Meta, names: dict[str, Any]) -> tuple[Callable[..., Any], ...]:
    """Chance falls as `S.script` says; a script that does not fit belongs to another way through the rules."""

    def fallen(S: Any, what: str) -> tuple[int, ...]:
        if not S.script or S.script[0][0] != what:
            raise Astray
        return S.script.pop(0)[1]  # type: ignore[no-any-return]

    def shuffle(S: Any, place: int) -> None:
        order = list(fallen(S, "shuffle"))
        # The pile of this world has other cards than the script knows. On the true way through the rules that cannot
        # be.
        if sorted(order) != sorted(S.p[place]):
            raise Astray
        S.p[place] = order
        forget(S, order)

    def shuffle_into(S: Any, source: int, target: int) -> None:
        for piece in S.p[source][:]:
            names["put_front"](S, piece, target)
        shuffle(S, target)

    def roll(S: Any, first: int, count: int, low: int, high: int) -> None:
        faces = fallen(S, "roll")
        if len(faces) != count or not all(low <= face <= high for face in faces):
            raise Astray
        S.f[meta.dice + first : meta.dice + first + count] = faces

    def draw_from_bag(S: Any, place: int, count: int, refusal: int | None) -> tuple[int, ...]:
        left = len(S.p[place])
        if left < count and refusal is not None:
            raise Refused(refusal, lambda: (count, left))
        if min(count, left) < 1:
            return ()
        drawn = fallen(S, "draw")
        if len(drawn) != min(count, left) or not set(drawn) <= set(S.p[place]):
            raise Astray
        forget(S, S.p[place])
        return drawn

    def pick_random(S: Any, items: list[int], place: int | None, pieces: bool, varies: bool = False) -> int:
        if not items:
            return -1
        (picked,) = fallen(S, "pick")
        if pieces:
            forget(S, items)
        if varies and not pieces:
            return items[picked * len(items) // PARTS]
        if picked not in items:
            raise Astray
        return picked

    return shuffle, shuffle_into, roll, draw_from_bag, pick_random


def _what_is_noticed(meta: Meta, names: dict[str, Any]) -> tuple[Callable[..., Any], ...]:
    """What somebody notices is written into `S.lg`, to be compared with what was noticed in the true game."""

    def told(S: Any, number: int, args: tuple[Any, ...], value: Any) -> Any:
        S.lg.append(("told", number, value, None))
        return value

    def not_asked(S: Any, site: int, who: int, picked: tuple[int, ...], pick: int) -> None:
        S.site, S.who = site, who
        if not is_hidden_question(meta.sites[site], S):
            S.lg.append(("fell", site, who, pick >= 0, None))
        if meta.sites[site].kind == "set":
            S.lg.append((FORCED, site, picked, pick, NOBODY))

    def reveal(S: Any, pieces: Any, to: int | None) -> None:
        S.lg.append(("revealed", sorted([meta.piece_row[piece] for piece in pieces]), to))
        watchers = -1 if to is None else 1 << to
        S.lit = {**S.lit, **{piece: S.lit.get(piece, 0) | watchers for piece in pieces}}

    def reveal_field(S: Any, offset: int, to: int | None) -> None:
        S.lg.append(("shown", offset, S.f[offset], to))

    def reveal_dice(S: Any, dice: Any, first: int, to: int | None) -> None:
        for die in dice:
            reveal_field(S, first + die, to)

    def begin_together(S: Any) -> None:
        if S.together == 0 and S.apart is not None:
            if not isinstance(S.apart, OneBlock):
                raise AtBlock
            S.apart = S.apart.end
        S.together += 1

    def end_together(S: Any) -> None:
        S.together -= 1

    return told, not_asked, reveal, reveal_field, reveal_dice, begin_together, end_together


def _what_comes(meta: Meta, names: dict[str, Any]) -> tuple[Callable[..., Any], ...]:
    """What comes before the eyes of players is noticed as well. It may be gone again when the step ends: `move 1 c in
    p.hand by highest c.rank to q.hand`, and back. What was revealed is followed with the eyes wherever it goes."""
    swap_two, swap_all, pass_all = names["swap_pieces"], names["swap_places"], names["pass_on"]

    def came(S: Any, pieces: Sequence[int], place: int, watchers: int = 0, source: int = BOX) -> None:
        seen = [(one, watchers | shown_at(S, meta, one, place)) for one in pieces]
        for player in range(meta.players):
            here = [one for one, seers in seen if seers >> player & 1]
            if here:
                S.lg.append(("came", sorted([meta.piece_row[piece] for piece in here]), source, player))

    def moved(S: Any, piece: int, source: int, target: int, by_position: bool, was_down: bool = False) -> None:
        # What a piece carries has another number in a world in which that piece has another name.
        known = BOX if source == BOX or meta.carriers[source] >= 0 else source
        came(S, (piece,), target, S.lit.get(piece, 0) if S.lit else 0, known)
        if source in meta.top_open:  # the card below is on top now, and may be covered again at once
            came(S, S.p[source][:1], source)

    def dealt(S: Any, pieces: tuple[int, ...], source: int, target: int) -> None:
        for piece in pieces:
            moved(S, piece, source, target, True)

    def lost_order(S: Any, place: int, knower: int | None, piece: int) -> None:
        forget(S, S.p[place])

    def flip(S: Any, piece: int, down: bool, missing: int | None) -> None:
        if missing is not None and piece < 0:
            raise Refused(missing)
        names["lay"](S, piece, down)
        came(S, (piece,), S.at[piece])

    def swap_pieces(S: Any, one: int, other: int, refusal: int, carried: bool) -> None:
        swap_two(S, one, other, refusal, carried)
        if one != other:
            came(S, (one,), S.at[one])
            came(S, (other,), S.at[other])

    def swap_places(S: Any, one: int, other: int, size: int, rooms: tuple[int, int] | None, full: int | None) -> None:
        swap_all(S, one, other, size, rooms, full)
        for step in range(size):
            for place in (one + step, other + step):
                came(S, contents(S, meta, place), place)

    def pass_on(S: Any, base: int, stride: int, size: int, direction: str) -> None:
        pass_all(S, base, stride, size, direction)
        for place in range(base, base + size):
            came(S, contents(S, meta, place), place)

    return moved, dealt, lost_order, flip, swap_pieces, swap_places, pass_on
