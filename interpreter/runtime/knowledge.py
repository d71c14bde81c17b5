"""Who knows which piece lies where.

For each player every piece belongs to a *mix*: pieces that occupy a set of positions in an order which that player
does not know. A mix of one is a known piece. Seeing a piece takes it out of its mix; whatever happens unseen joins
mixes. Joining is always safe (it only says less), so each event joins exactly what the player cannot tell apart.

`S.kn[player][piece]` is the number of the mix: its smallest piece, so equal knowledge is equal data. The list of a
player is replaced and never changed in place: copies of a state may share it.

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

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from . import trail
from .meta import Meta

EVERYBODY = -1  # a bit mask of all players
BOX = -1


class Board(Protocol):
    """What this module and its neighbours read of a state."""

    f: list[int]
    p: list[list[int]]
    at: list[int]
    k: list[Any]
    fd: int
    kn: Any  # a list a player: the mix of each piece; None where nobody keeps it
    ev: Any  # the trail of events (`trail`), or None
    opts: Any
    site: Any


class Mixes(list[int]):
    """The mixes of one player: for each piece the number of its mix. `members` are the pieces of each mix of several,
    in order, so that a mix is found without looking through all pieces."""

    __slots__ = ("members",)
    members: dict[int, tuple[int, ...]]

    def copied(self) -> Mixes:
        made = Mixes(self)
        made.members = self.members.copy()
        return made


def mixes_of(S: Board, player: int) -> Mixes:
    """The mixes of a player with their members; a plain list (of a save, a test) is looked through once."""
    mixes = S.kn[player]
    if isinstance(mixes, Mixes):
        return mixes
    made = Mixes(mixes)
    found: dict[int, list[int]] = {}
    for piece, mix in enumerate(mixes):
        found.setdefault(mix, []).append(piece)
    made.members = {mix: tuple(pieces) for mix, pieces in found.items() if len(pieces) > 1}
    S.kn[player] = made
    return made


# ---------------------------------------------------------------------------- questions


def is_known(S: Board, meta: Meta, piece: int, player: int) -> bool:
    """Whether the player knows exactly where this piece lies. None is not known."""
    mixes = S.kn[player]
    if mixes.__class__ is not Mixes:
        mixes = mixes_of(S, player)
    return 0 <= piece < meta.pieces and mixes[piece] not in mixes.members


def contents(S: Board, meta: Meta, place: int) -> list[int]:
    """The pieces of a place (a list place or one slot), in its order."""
    if place < meta.lists:
        return S.p[place]
    piece = S.f[place - meta.lists]
    return [] if piece < 0 else [piece]


def is_unordered(meta: Meta, place: int) -> bool:
    return place < meta.lists and meta.unordered[place]


# ---------------------------------------------------------------------------- events


def moved(
    S: Board,
    meta: Meta,
    piece: int,
    source: int,
    target: int,
    by_position: bool,
    was_down: bool = False,
    watched: int = 0,
) -> bool:
    """One piece has gone from source to target (place numbers, or the box).

    `by_position`: everybody can tell which position it left (top, bottom, first, last, slot, the only one there).
    `was_down`: it lay face down, so those who see its place did not see it. `watched`: bit mask of the players it was
    revealed to since the last decision; they see it go.
    """
    seen_there = shown_at(S, meta, piece, target) | watched
    guessed = not by_position and source != BOX and bool(contents(S, meta, source))
    seen_here = 0 if was_down else EVERYBODY if source == BOX else meta.sees[source]
    smaller = False
    for player in range(meta.players):
        bit = 1 << player
        if not guessed or seen_here & bit:
            if seen_there & bit and not _stands_alone(S, player, piece):
                smaller |= _single_out(S, player, piece)
            continue
        others = [other for other in _unseen(S, meta, source, player) if other != piece]
        if seen_there & bit:
            smaller |= _see_leaving(S, meta, player, piece, source, others)
        else:
            back = meta.piece_back[piece]
            alike = [piece, *(other for other in others if meta.piece_back[other] == back)]
            _mix_on_trail(S, player, alike, source in meta.bags)
            _join(S, player, alike)
    if target in meta.bags:  # most places are none
        _join_bag(S, meta, target)
    if meta.top_open:
        smaller |= _show_top(S, meta, source)
        smaller |= _show_top(S, meta, target)
    return smaller


def _stands_alone(S: Board, player: int, piece: int) -> bool:
    """Whether the piece is a mix of its own: most that move openly are, and there is nothing to do for them."""
    mixes = S.kn[player]
    return mixes.__class__ is Mixes and mixes[piece] not in mixes.members


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
    S.kn = [list(range(meta.pieces)) for _ in range(meta.players)]
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
    smaller = False
    for player in range(meta.players):
        if not _stands_alone(S, player, S.p[place][0]):
            smaller |= _single_out(S, player, S.p[place][0])
    return smaller


def _see_contents(S: Board, meta: Meta, player: int, place: int) -> bool:
    """A player who sees a place looks at all that lies face up in it."""
    shown = [piece for piece in contents(S, meta, place) if not S.fd >> piece & 1]
    return _see_inside(S, meta, player, shown, place)


def _see_inside(S: Board, meta: Meta, player: int, shown: Sequence[int], place: int) -> bool:
    """A player sees pieces that stay where they are; in an unordered place an equal copy not shown may be meant."""
    if place != BOX and is_unordered(meta, place):
        others = [piece for piece in _unseen(S, meta, place, player) if piece not in shown]
        if others and shown:
            # Which of the unseen positions it was that showed this face is not seen: any of them may have.
            _mix_on_trail(S, player, [*shown, *others])
        for piece in shown:
            _join_equal(S, meta, player, piece, others)
    smaller = False
    for piece in shown:
        smaller |= _single_out(S, player, piece, note=True)
    return smaller


def _see_leaving(S: Board, meta: Meta, player: int, piece: int, source: int, others: list[int]) -> bool:
    """A player sees a piece outside that came from a place among others not seen there."""
    if is_unordered(meta, source):
        back = meta.piece_back[piece]
        alike = [piece, *(other for other in others if meta.piece_back[other] == back)]
        _mix_on_trail(S, player, alike, source in meta.bags)
        _join_equal(S, meta, player, piece, others)
        return _single_out(S, player, piece, note=True)
    before = mixes_of(S, player)
    was_known = before[piece] not in before.members
    _join_equal(S, meta, player, piece, others, even_if_known=True)
    if any(S.kn[player][other] == S.kn[player][piece] for other in others):
        # It may have left a gap at several positions, so whatever lay between them may have moved up.
        _join_by_back(S, meta, player, [piece, *others])
    return _single_out(S, player, piece, note=True) and not was_known


# ---------------------------------------------------------------------------- mixes


def _mix_on_trail(S: Board, player: int, pieces: list[int], chance: bool = False) -> None:
    """Nobody shuffled, but the player cannot tell any more which of these pieces is at which of their positions. In a
    bag it is as good as a shuffle: positions in there mean nothing."""
    if S.ev is not None:
        trail.mixed(S, player, pieces, chance)


def _single_out(S: Board, player: int, piece: int, note: bool = False) -> bool:
    """The piece becomes a mix of its own; says whether it was not one before. `note`: the trail is told in any case."""
    mixes = S.kn[player]
    if mixes.__class__ is not Mixes:
        mixes = mixes_of(S, player)
    number = mixes[piece]
    members = mixes.members.get(number)
    if S.ev is not None and (note or members is not None):
        S.ev = (S.ev, (trail.SEEN, player, piece))
    if members is None:
        return False
    S.kn[player] = mixes = mixes.copied()
    del mixes.members[number]
    left = tuple([other for other in members if other != piece])
    if number == piece:
        for other in left:
            mixes[other] = left[0]
    mixes[piece] = piece
    if len(left) > 1:
        mixes.members[left[0]] = left
    return True


def _join(S: Board, player: int, pieces: Iterable[int]) -> None:
    """The mixes of all these pieces become one."""
    mixes = mixes_of(S, player)
    joined = {mixes[piece] for piece in pieces}
    if len(joined) > 1:
        number = min(joined)
        S.kn[player] = mixes = mixes.copied()
        found: list[int] = []
        for mix in joined:
            found += mixes.members.pop(mix, (mix,))
        for piece in found:
            mixes[piece] = number
        mixes.members[number] = tuple(sorted(found))


def _join_by_back(S: Board, meta: Meta, player: int, pieces: Iterable[int], chance: bool = False) -> None:
    """The mixes of these pieces become one for each back."""
    backs: dict[int, list[int]] = {}
    for piece in pieces:
        backs.setdefault(meta.piece_back[piece], []).append(piece)
    for same in backs.values():
        if S.ev is not None:
            trail.mixed(S, player, same, chance)
        _join(S, player, same)


def _join_equal(
    S: Board, meta: Meta, player: int, piece: int, others: Sequence[int], even_if_known: bool = False
) -> None:
    """Join the mix of a piece with those that may have an equal copy at one of the positions of `others`.

    A known piece needs that only where positions matter: in an unordered place its copies may as well be the others.
    """
    mixes = mixes_of(S, player)
    if not others or (not even_if_known and mixes[piece] not in mixes.members):
        return
    row, rows, members = meta.piece_row[piece], meta.piece_row, mixes.members
    maybe = {
        mix
        for mix in {mixes[other] for other in others}
        if (any(rows[x] == row for x in members[mix]) if mix in members else rows[mix] == row)
    }
    if maybe:
        _join(S, player, [piece, *maybe])  # the number of a mix is one of its pieces


def _join_bag(S: Board, meta: Meta, place: int) -> None:
    """What is put into a bag cannot be told from what lies there, but by those who see it."""
    if place in meta.bags:  # most places are none
        for player in range(meta.players):
            _join_by_back(S, meta, player, _unseen(S, meta, place, player), chance=True)
