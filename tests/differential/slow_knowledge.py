"""Who knows which piece: the mixes of the language reference, kept the obvious way.

For each player every piece has the number of its mix; pieces with the same number occupy their positions in an order
that player does not know. A mix of one is a known piece.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .slow_effects import Effects
    from .slow_state import Key


def leaving(game: Effects, piece: int, source: Key | None, to: Key | None) -> None:
    """Before the piece moves: what those do not know any more who see neither it nor the place it leaves."""
    if source is None or game.table.is_ordered(source) or len(game.state.contents[source]) == 1:
        return  # it moves by a known position, and keeps its mix
    for player, mixes in enumerate(game.state.mixes):
        if game.sees(player, source):
            continue
        watched = player in game.state.watched.get(piece, set())
        if (to is not None and game.sees(player, to)) or watched:
            _trade_with_known_copy(game, mixes, piece, source)
        else:
            _join(game, mixes, game.state.contents[source])


def arrived(game: Effects, piece: int, source: Key | None, to: Key | None) -> None:
    """After the move: who sees it knows it; what went into a bag is mixed with what was there."""
    if to is not None:
        for player, mixes in enumerate(game.state.mixes):
            watched = player in game.state.watched.get(piece, set())
            if (game.sees(player, to) or watched) and piece not in game.state.face_down:
                _single_out(mixes, piece)
            elif game.table.place_of(to).shape == "bag":
                _join(game, mixes, game.state.contents[to])
    for key in (source, to):
        if key is not None:
            show_top(game, key)


def show_top(game: Effects, key: Key) -> None:
    if game.table.place_of(key).visibility == "top_open" and game.state.contents[key]:
        shown(game, game.state.contents[key][:1], range(game.program.players))


def swapped(game: Effects, arrivals: Iterable[tuple[int, Key | None]]) -> None:
    """Pieces that changed places at once: their positions are followed, and who sees the new place knows them."""
    for piece, to in arrivals:
        if to is not None:
            shown(game, (piece,), [seat for seat in range(game.program.players) if game.sees(seat, to)])
            show_top(game, to)


def shuffled(game: Effects, pieces: list[int]) -> None:
    for mixes in game.state.mixes:
        _join(game, mixes, pieces)
    for key in {game.state.at[piece] for piece in pieces if piece in game.state.at}:
        for player in range(game.program.players):
            if game.sees(player, key):
                shown(game, pieces, (player,))


def picked_from(game: Effects, pieces: list[int]) -> None:
    """One of these was picked at random: nobody saw which of the boxed ones it was, if such a piece can lie unseen."""
    unseen = {kind for place in game.program.places if place.visibility != "open" for kind in place.kinds}
    boxed = [x for x in pieces if game.state.at.get(x) is None and game.program.pieces[x].kind in unseen]
    for mixes in game.state.mixes:
        _join(game, mixes, boxed)


def shown(game: Effects, pieces: Iterable[int], seats: Iterable[int]) -> None:
    pieces = list(pieces)
    for seat in seats:
        for piece in pieces:
            _single_out(game.state.mixes[seat], piece)


def _single_out(mixes: dict[int, int], piece: int) -> None:
    if sum(mix == mixes[piece] for mix in mixes.values()) > 1:
        mixes[piece] = max(mixes.values()) + 1


def _join(game: Effects, mixes: dict[int, int], pieces: list[int]) -> None:
    """The mixes of all these pieces become one; pieces whose backs differ stay apart."""
    backs = {game.program.pieces[piece].back for piece in pieces}
    for back in backs:
        joined = {mixes[piece] for piece in pieces if game.program.pieces[piece].back == back}
        name = max(mixes.values()) + 1
        for piece, mix in mixes.items():
            if mix in joined and game.program.pieces[piece].back == back:
                mixes[piece] = name


def _trade_with_known_copy(game: Effects, mixes: dict[int, int], piece: int, source: Key) -> None:
    row = game.program.pieces[piece].row
    for other in game.state.contents[source]:
        known = sum(mix == mixes[other] for mix in mixes.values()) == 1
        if known and other != piece and game.program.pieces[other].row == row:
            mixes[piece], mixes[other] = mixes[other], mixes[piece]
            return
