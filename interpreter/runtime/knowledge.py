"""Who knows which piece lies where.

For each player every piece belongs to a *mix*: pieces that occupy a set of positions in an order which that player
does not know. A mix of one is a known piece. Seeing a piece takes it out of its mix; whatever happens unseen joins
mixes. Joining is always safe (it only says less), so each event joins exactly what the player cannot tell apart.

`S.kn[player]` are the mixes of a player (`mixes`): bit masks, so that most events cost the same in a game of thirty
pieces and in one of three hundred. They are replaced and never changed: copies of a state share them. What an event
comes to for several players is worked out once for all of them, and what only worlds ask for, when they ask.

Each function is called after the event has happened on the table, and says whether a mix got smaller for anybody:
from then on somebody knows more, and nothing before that moment may be taken back.

- Backs are seen by everybody: only pieces with the same back are ever joined.
- A piece that leaves an unordered place is one of those which lay there. If a player sees it only outside, any equal
  copy that may have lain there may be the one: the mixes of these copies are joined before it is taken out. (If such a
  copy was known, this makes the two trade mixes.)
- The box shows nothing and hides nothing: what leaves it is named by the rules, for all to hear. Pieces picked from it
  at random are told by `mixed` first.

Mixes are what views are made of. Every event also goes into the trail of the state (`trail`), which keeps what mixes
lose: worlds are drawn from both.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, Protocol

from . import trail
from .meta import Meta
from .mixes import Mixes, mask_of

EVERYBODY = -1  # a bit mask of all players
NOTHING: Mapping[int, int] = MappingProxyType({})
BOX = -1


class Board(Protocol):
    """What this module and its neighbours read of a state."""

    f: list[int]
    p: list[list[int]]
    at: list[int]
    k: list[Any]
    fd: int
    kn: Any  # the `Mixes` of each player; None where nobody keeps them
    ev: Any  # the trail of events (`trail`), or None
    opts: Any
    site: Any


# ---------------------------------------------------------------------------- questions


def is_known(S: Board, meta: Meta, piece: int, player: int) -> bool:
    """Whether the player knows exactly where this piece lies. None is not known."""
    return 0 <= piece < meta.pieces and not S.kn[player].hidden >> piece & 1


def contents(S: Board, meta: Meta, place: int) -> list[int]:
    """The pieces of a place (a list place or one slot), in its order."""
    if place < meta.lists:
        return S.p[place]
    piece = S.f[place - meta.lists]
    return [] if piece < 0 else [piece]


def is_unordered(meta: Meta, place: int) -> bool:
    return place < meta.lists and meta.unordered[place]


def is_at_spot(S: Board, meta: Meta, piece: int) -> bool:
    """Whether a piece can be told from others by where it lies, and somebody does not see what it is. Of such pieces
    all see which one is chosen openly."""
    place = S.at[piece]
    if place == BOX or is_unordered(meta, place):
        return False
    if place >= meta.lists and meta.places[meta.place_of[place]].shape != "slots":
        return False  # it is alone in its slot
    everybody = (1 << meta.players) - 1
    return shown_at(S, meta, piece, place) & everybody != everybody


# ---------------------------------------------------------------------------- events


def moved(
    S: Board,
    meta: Meta,
    piece: int,
    source: int,
    target: int,
    by_position: bool,
    was_down: bool = False,
    lit: Mapping[int, int] = NOTHING,
) -> bool:
    """One piece has gone from source to target (place numbers, or the box).

    `by_position`: everybody can tell which position it left (top, bottom, first, last, slot, the only one there).
    `was_down`: it lay face down, so those who see its place did not see it. `lit`: the pieces revealed since the last
    decision, each with a bit mask of the players who watch it; they see it go, or stay.
    """
    if source == target and is_unordered(meta, source):
        return False  # it is put back where it lay: nothing has gone, nor come
    seen_there = shown_at(S, meta, piece, target) | lit.get(piece, 0)
    bit = 1 << piece
    smaller = False
    if by_position or source == BOX or not contents(S, meta, source):
        if seen_there:
            for player, mixes in enumerate(S.kn):
                if mixes.hidden & bit and seen_there >> player & 1:
                    smaller |= _single_out(S, player, bit, source)
    else:
        smaller = _left_among_others(S, meta, piece, source, seen_there, was_down, lit)
    if target in meta.bags:  # most places are none
        _join_bag(S, meta, target)
    if source in meta.top_open:  # what lies on top of the target has just been put there, or is known
        smaller |= _show_top(S, meta, source)
    return smaller


def _left_among_others(
    S: Board, meta: Meta, piece: int, source: int, seen_there: int, was_down: bool, lit: Mapping[int, int]
) -> bool:
    """What players learn of a piece that has left a place where others lie; says whether a mix got smaller.

    A piece that lay face down was one of those face down for whoever sees the place, and one of all for the others. A
    card that somebody watches is not the one that goes unseen.
    """
    bit, sees = 1 << piece, meta.sees[source]
    seen_here = 0 if was_down else sees
    beside = faces_down = None
    smaller = False
    for player, mixes in enumerate(S.kn):
        is_seen = seen_there >> player & 1
        if seen_here >> player & 1:
            if is_seen and mixes.hidden & bit:
                smaller |= _single_out(S, player, bit, source)
            continue
        if sees >> player & 1:
            there = faces_down = faces_down or _beside(meta, piece, _unseen(S, meta, source, player))
        else:
            there = beside = beside or _beside(meta, piece, contents(S, meta, source))
        if is_seen:
            smaller |= _see_leaving(S, meta, player, piece, source, there)
        else:
            if lit:
                there = _see_staying(S, meta, player, piece, source, there, lit)
            _mix_on_trail(S, player, there[1], source in meta.bags)
            S.kn[player] = S.kn[player].joined(there[2])
    return smaller


_Beside = tuple[int, tuple[int, ...], int]


def _beside(meta: Meta, piece: int, others: list[int]) -> _Beside:
    """What lies where a piece has left: the mask of all of it; the piece with those of them that look like it from
    behind, and their mask."""
    if piece in others:  # it has come back to where it lay: `pick c in p.hand at random`, `move c to p.hand`
        others = [other for other in others if other != piece]
    back, backs = meta.piece_back[piece], meta.piece_back
    alike = (piece, *[other for other in others if backs[other] == back])
    mask = mask_of(others)
    return mask, alike, mask | 1 << piece if len(alike) == len(others) + 1 else mask_of(alike)


def _see_staying(
    S: Board, meta: Meta, player: int, piece: int, source: int, beside: _Beside, lit: Mapping[int, int]
) -> _Beside:
    """A player sees that those pieces stay which were just revealed; what lies beside is left without them."""
    others = beside[1][1:]
    left = [other for other in others if not lit.get(other, 0) >> player & 1]
    if len(left) == len(others):
        return beside
    for other in others:
        if other not in left:
            _single_out(S, player, 1 << other, source, note=True)
    return _beside(meta, piece, left)


def swapped_pieces(S: Board, meta: Meta, one: int, other: int) -> bool:
    """Two pieces have traded their positions. From an unordered place nobody can tell which one went."""
    first, second = S.at[other], S.at[one]
    smaller = moved(S, meta, one, first, second, not is_unordered(meta, first))
    return moved(S, meta, other, second, first, not is_unordered(meta, second)) | smaller


def swapped_places(S: Board, meta: Meta, one: int, other: int) -> bool:
    """Two places have traded all that lay in them."""
    return came_whole(S, meta, (one, other))


def came_whole(S: Board, meta: Meta, places: Iterable[int]) -> bool:
    """What lies in these places came there as a whole (swapped, or passed on from seat to seat)."""
    smaller = False
    for place in places:
        for player in range(meta.players):
            if meta.sees[place] >> player & 1:
                smaller |= _see_contents(S, meta, player, place)
        _join_bag(S, meta, place)
        smaller |= _show_top(S, meta, place)
    return smaller


def shuffled(S: Board, meta: Meta, place: int) -> bool:
    """The place was shuffled, with whatever was put into it for that. Who sees its pieces goes on seeing them."""
    smaller = False
    for player in range(meta.players):
        if meta.sees[place] >> player & 1:
            smaller |= _see_contents(S, meta, player, place)
        _join_by_back(S, meta, player, _unseen(S, meta, place, player), chance=True)
    return _show_top(S, meta, place) | smaller


def lost_order(S: Board, meta: Meta, place: int, knower: int | None, piece: int) -> None:
    """A piece has gone to a position of this place that only one player knows, or nobody: from there on any of those
    that lie there may lie anywhere in it."""
    for player in range(meta.players):
        if player != knower:
            unseen = _unseen(S, meta, place, player)
            if S.ev is not None and _knows_order(S, player, piece, unseen):
                trail.add(S, (trail.DISORDERED, player))
            _join_by_back(S, meta, player, unseen, chance=True)


def _knows_order(S: Board, player: int, come: int, pieces: list[int]) -> bool:
    """Whether the player could tell some of these from others by where they lay before that one came. If it came from
    among them, they were in no order."""
    mixes = S.kn[player]
    return len({mixes.mix_of(1 << piece) for piece in pieces if piece != come}) > 1


def mixed(S: Board, meta: Meta, pieces: Iterable[int]) -> bool:
    """One of these pieces was picked at random, unseen; nobody can tell them apart any more."""
    chosen = list(pieces)
    for player in range(meta.players):
        _join_by_back(S, meta, player, chosen, chance=True)
    return False


def revealed(S: Board, meta: Meta, piece: int, player: int | None = None) -> bool:
    """The piece was shown where it lies, to one player or to all."""
    return revealed_many(S, meta, (piece,), player)


def revealed_many(S: Board, meta: Meta, pieces: Iterable[int], player: int | None = None) -> bool:
    """These pieces were shown together: equal copies are seen to be several."""
    by_place: dict[int, list[int]] = {}
    for piece in pieces:
        by_place.setdefault(S.at[piece], []).append(piece)
    smaller = False
    for place, shown in by_place.items():
        for seat in range(meta.players) if player is None else (player,):
            smaller |= _see_inside(S, meta, seat, shown, place)
    return smaller


def flipped(S: Board, meta: Meta, piece: int, down: bool) -> bool:
    """The piece was turned. Face down nothing is forgotten; face up it is seen by those who see its place."""
    if down:
        return False
    seen = shown_at(S, meta, piece, S.at[piece])
    smaller = False
    for player in range(meta.players):
        if seen >> player & 1:
            smaller |= _see_inside(S, meta, player, [piece], S.at[piece])
    return smaller


def learn_from_places(S: Board, meta: Meta) -> None:
    """Players who have just sat down know what they see; the rest, box included, is one mix for each back.

    Pieces that never lie anywhere but in the open are left out: nobody keeps count of who learns of them.
    """
    S.kn = [Mixes(meta.pieces) for _ in range(meta.players)]
    hiding = {kind for place in meta.places if place.visibility != "open" for kind in place.kinds}
    tracked = [x for x in range(meta.pieces) if meta.uses_faces or meta.piece_kind[x] in hiding]
    for player in range(meta.players):
        unseen = [x for x in tracked if not shown_at(S, meta, x, S.at[x]) >> player & 1]
        _join_by_back(S, meta, player, unseen, chance=True)


# ---------------------------------------------------------------------------- what is seen


def shown_at(S: Board, meta: Meta, piece: int, place: int) -> int:
    """Bit mask of the players who see the piece lying in that place."""
    if place == BOX or S.fd >> piece & 1:
        return 0
    if place in meta.top_open:
        return EVERYBODY if S.p[place][0] == piece else 0
    return meta.sees[place]


def _unseen(S: Board, meta: Meta, place: int, player: int) -> list[int]:
    """The pieces of a place whose faces the player does not see."""
    there = contents(S, meta, place)
    if meta.sees[place] >> player & 1:
        return [piece for piece in there if S.fd >> piece & 1]
    return there


def _show_top(S: Board, meta: Meta, place: int) -> bool:
    """All see the top card of a `top open` pile."""
    if place not in meta.top_open or not S.p[place] or S.fd >> S.p[place][0] & 1:
        return False
    bit = 1 << S.p[place][0]
    smaller = False
    for player, mixes in enumerate(S.kn):
        if mixes.hidden & bit:
            smaller |= _single_out(S, player, bit, place)
    return smaller


def _see_contents(S: Board, meta: Meta, player: int, place: int) -> bool:
    """A player who sees a place looks at all that lies face up in it."""
    shown = [piece for piece in contents(S, meta, place) if not S.fd >> piece & 1]
    return _see_inside(S, meta, player, shown, place)


def _see_inside(S: Board, meta: Meta, player: int, shown: list[int], place: int) -> bool:
    """A player sees pieces that stay where they are; in an unordered place an equal copy not shown may be meant."""
    if place != BOX and is_unordered(meta, place):
        others = [piece for piece in _unseen(S, meta, place, player) if piece not in shown]
        if others and shown:
            # Which of the unseen positions it was that showed this face is not seen: any of them may have.
            _mix_on_trail(S, player, (*shown, *others))
        elif len(shown) > 1:
            _look_at_whole(S, meta, player, shown)
        beside = mask_of(others)
        for piece in shown:
            _join_equal(S, meta, player, piece, beside)
    smaller = False
    for piece in shown:
        smaller |= _single_out(S, player, 1 << piece, place, note=True)
    return smaller


def _look_at_whole(S: Board, meta: Meta, player: int, shown: list[int]) -> None:
    """A player sees all that lies in an unordered place: which of the pieces was there first is not seen, nor which of
    them the player had lost sight of when."""
    backs: dict[int, list[int]] = {}
    for piece in shown:
        if S.kn[player].hidden >> piece & 1:
            backs.setdefault(meta.piece_back[piece], []).append(piece)
    for same in backs.values():
        if S.ev is not None and len(same) > 1:
            trail.add(S, (trail.MIXED, player, tuple(same), S.kn[player], trail.LOOKED, []))


def _see_leaving(S: Board, meta: Meta, player: int, piece: int, source: int, beside: _Beside) -> bool:
    """A player sees a piece outside that came from a place among others not seen there."""
    others, alike, _ = beside
    bit = 1 << piece
    if is_unordered(meta, source):
        _mix_on_trail(S, player, alike, source in meta.bags)
        _join_equal(S, meta, player, piece, others)
        return _single_out(S, player, bit, source, note=True)
    was_known = not S.kn[player].hidden & bit
    _join_equal(S, meta, player, piece, others, even_if_known=True)
    if S.kn[player].mix_of(bit) & others:
        # It may have left a gap at several positions, so whatever lay between them may have moved up.
        there = contents(S, meta, source)
        _join_by_back(S, meta, player, [piece, *(other for other in there if others >> other & 1)])
    return _single_out(S, player, bit, source, note=True) and not was_known


# ---------------------------------------------------------------------------- mixes


def _mix_on_trail(S: Board, player: int, pieces: tuple[int, ...], chance: bool = False) -> None:
    """The player is about to lose track of which of these pieces is at which of their positions. If nobody shuffled,
    the first of them may have been chosen from among the others."""
    if S.ev is not None and len(pieces) > 1:
        S.ev = (S.ev, (trail.MIXED, player, pieces, S.kn[player], None if chance else trail.last_choice(S), []))


def _single_out(S: Board, player: int, bit: int, source: int, note: bool = False) -> bool:
    """The piece with this bit becomes a mix of its own; says whether it was not one before. It came from `source`, or
    lies there still. `note`: the trail is told in any case."""
    mixes = S.kn[player]
    is_new = bool(mixes.hidden & bit)
    if S.ev is not None and (note or is_new):
        piece = bit.bit_length() - 1
        S.ev = (S.ev, (trail.SEEN, player, piece, source, S.at[piece]))
    if is_new:
        S.kn[player] = mixes.without(bit)
    return is_new


def _join_by_back(S: Board, meta: Meta, player: int, pieces: Iterable[int], chance: bool = False) -> None:
    """The mixes of these pieces become one for each back."""
    backs: dict[int, list[int]] = {}
    for piece in pieces:
        backs.setdefault(meta.piece_back[piece], []).append(piece)
    for same in backs.values():
        _mix_on_trail(S, player, tuple(same), chance)
        S.kn[player] = S.kn[player].joined(mask_of(same))


def _join_equal(S: Board, meta: Meta, player: int, piece: int, others: int, even_if_known: bool = False) -> None:
    """Join the mix of a piece with those that may have an equal copy at one of the positions of `others`.

    A known piece needs that only where positions matter: in an unordered place its copies may as well be the others.
    """
    mixes = S.kn[player]
    bit = 1 << piece
    if not others or not (even_if_known or mixes.hidden & bit):
        return
    own = mixes.mix_of(bit)
    if not others & ~own:
        return  # one mix already
    equal = meta.equal_copies[piece]
    joined = own | (others & equal & ~mixes.hidden)
    for mix in mixes.several:
        if mix & others and mix & equal:
            joined |= mix
    if joined != own:
        S.kn[player] = mixes.joined(joined)


def _join_bag(S: Board, meta: Meta, place: int) -> None:
    """What is put into a bag cannot be told from what lies there, except by those who see into it."""
    if place in meta.bags:  # most places are none
        for player in range(meta.players):
            _join_by_back(S, meta, player, _unseen(S, meta, place, player), chance=True)
