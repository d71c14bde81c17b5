"""What one seat, or somebody who only watches, sees lying where: the ground on which tables are drawn.

`Eyes` says what a player can tell. A `Sight` answers the questions of somebody who draws a table from that: which
pieces lie in this place, which of them are named, what number a field shows. It covers two cases that `Eyes` alone
does not:

- Inside a `together` block a player sees the table as it was before the block, and only what is the player's own as
  it is now (see `together`).
- A spectator has no seat. A spectator sees what lies openly on the table and nothing else, not even what all players
  happen to know.

A piece that is shown gets an *id* that tells no more than what is shown. Equal copies of a card cannot be told apart
once they were out of sight; an id that follows the copy would tell that the card which comes back is another copy
than the one that went away, and so that the first one is still in the hand. So an id follows the piece only if there is
one copy of it, or if pieces of its kind can never be out of sight. All others are numbered where they lie.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from .eyes import ABSENT, Eyes, field_value, veil
from .knowledge import BOX, Board, contents, is_unordered
from .lying import Lying
from .meta import FieldMeta, Meta
from .running import Running


class PublicEyes(Eyes):
    """What is open to everybody. The player number is one that no seat has, so no secret is this player's own."""

    def __init__(self, S: Board, meta: Meta) -> None:
        super().__init__(S, meta, None)
        self.player = meta.players

    def knows(self, piece: int) -> bool:
        place = self.S.at[piece]
        if place == BOX:
            return True
        if self.S.fd >> piece & 1:
            return False
        if place in self.meta.top_open:
            return contents(self.S, self.meta, place)[:1] == [piece]
        return self.sees(place)

    def sees(self, place: int) -> bool:
        return self.meta.places[self.meta.place_of[place]].visibility == "open"

    def _certain(self, pieces: list[int]) -> list[int]:
        return sorted((piece for piece in pieces if self.knows(piece)), key=self.meta.piece_row.__getitem__)


@dataclass(frozen=True)
class Shown:
    """A piece where it lies. `row` is None if it cannot be named. `number` is the piece itself, None if one of several
    that look alike is meant; `back` is what everybody sees of it."""

    row: int | None
    number: int | None
    kind: str | None
    back: int
    face_down: bool = False


@dataclass(frozen=True)
class Heap:
    """What lies in a place. `count` is None where it may not be counted; `shown` is then what must be there."""

    count: int | None
    shown: tuple[Shown, ...]


class Sight:
    """The table in the eyes of `player`; None is a spectator."""

    def __init__(self, state: Running, player: int | None) -> None:
        known: Any = state
        if state.kn is None:
            known = state.game.retrace(state)
        self.state, self.meta, self.player = known, state.meta, player
        before = known.apart if known.apart is not None else known
        self.eyes = self._eyes(before)
        self.own = self.eyes if before is known or player is None else self._eyes(known)
        self._heaps: dict[int, Heap] = {}

    def _eyes(self, S: Any) -> Eyes:
        return PublicEyes(S, self.meta) if self.player is None else Eyes(S, self.meta, self.player)

    def looking_at(self, owner: str, number: int) -> Eyes:
        """The eyes with which something of this owner is seen."""
        return self.own if owner == "player" and number == self.player else self.eyes

    # ------------------------------------------------------------------ places

    def heap(self, place: int) -> Heap:
        found = self._heaps.get(place)
        if found is None:
            found = self._heaps[place] = self._heap(place)
        return found

    def eyes_on(self, place: int) -> Eyes:
        return self.own if self.player is not None and self.meta.holders[place] == self.player else self.eyes

    def _heap(self, place: int) -> Heap:
        eyes, meta = self.eyes_on(place), self.meta
        pieces = contents(eyes.S, meta, place)
        if meta.places[meta.place_of[place]].uncounted and not eyes.sees(place):
            return Heap(None, tuple(self._named(eyes, piece, exact=False) for piece in eyes.known(place)))
        if not is_unordered(meta, place) or all(meta.piece_kind[piece] in meta.open_kinds for piece in pieces):
            return Heap(len(pieces), tuple(self._piece(eyes, piece, place) for piece in pieces))
        if any(piece in meta.owning_pieces for piece in pieces):
            lying = Lying(eyes, {})
            ordered = sorted(pieces, key=lambda piece: lying._order(lying.piece(piece, place)))
            return Heap(len(pieces), tuple(self._piece(eyes, piece, place) for piece in ordered))
        certain = eyes.known(place)
        backs = Counter(meta.piece_back[piece] for piece in pieces)
        backs.subtract(meta.piece_back[piece] for piece in certain)
        named = [self._named(eyes, piece, exact=eyes.mixes[piece] not in eyes.several) for piece in certain]
        return Heap(len(pieces), (*named, *(self._unseen(back) for back in sorted(backs.elements()))))

    def _piece(self, eyes: Eyes, piece: int, place: int) -> Shown:
        down = bool(eyes.S.fd >> piece & 1) and eyes.sees(place)
        if eyes.knows(piece):
            return Shown(
                self.meta.piece_row[piece], piece, self.meta.piece_kind[piece], self.meta.piece_back[piece], down
            )
        back = self.meta.piece_back[piece]
        described = self.meta.backs.get(back)
        return Shown(None, piece, described.kind if described is not None else None, back, down)

    def _named(self, eyes: Eyes, piece: int, exact: bool) -> Shown:
        meta = self.meta
        number = piece if exact else None
        return Shown(meta.piece_row[piece], number, meta.piece_kind[piece], meta.piece_back[piece])

    def _unseen(self, back: int) -> Shown:
        described = self.meta.backs.get(back)
        return Shown(None, None, described.kind if described is not None else None, back)

    # ------------------------------------------------------------------ fields

    def field(self, field: FieldMeta, owner: int, offset: int) -> Any:
        """What a number of a field shows: a value fit for JSON, "?" for a secret; ABSENT if nothing is told of it."""
        eyes = self.looking_at(field.owner, owner)
        veiled = veil(eyes, field, owner, offset, 1)
        return field_value(eyes, field, owner, offset) if veiled is None else veiled

    def number(self, field: FieldMeta, owner: int, offset: int) -> int | None:
        """The number itself, where the value is told."""
        told = self.field(field, owner, offset)
        if told is ABSENT or told == "?" or told is None:
            return None
        return int(self.looking_at(field.owner, owner).S.f[offset])
