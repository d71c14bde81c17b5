"""Open fields of pieces that lie unseen, where a world cannot follow them.

    choose c in p.hand "Which do you mark?"
      c.marked = yes
    choose d in p.hand "Which do you lay aside?"
      move d to p.aside

A world calls positions by other pieces, and what belongs to a piece stays with the position (`renaming`). That is right
for the first mark: any card of the hand may be the one that was chosen, and the world has the mark on it. From then on
the mark belongs to that card, whichever it is. But the second choice may be of any card too, so positions are exchanged
once more, and the mark does not go along: the world in which the marked card itself is laid aside never comes up.
Likewise if a card is marked twice. So worlds say that they are approximate as soon as pieces of which some have such a
field and others have not were exchanged by a choice, or by one that left them unseen, until the player sees them again.

Fields that rules read of unseen pieces are another matter (`dealing`): all see those.

A shuffle of all that the pieces may be takes what was on them along, and the reference says so: `player_of`, written as
a card is played, means nothing any more in the next deal. What is written on such a piece later counts again.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from typing import Any

from .eyes import elements, own_offsets
from .meta import FieldMeta, Meta
from .mixes import mask_of, pieces_of
from .questions import is_hidden_choice, pieces_bound
from .trail import ASKED, FELL, MIXED, TOOK, Chain, Event, mixing

Value = tuple[int, ...] | None  # the fields of a piece; None as long as they are as at the start
_EACH_LOOKED_AT = ("row", "slot", "slots")  # as in `Eyes.sees_apart`


class Marks:
    """What one player has lost track of up to a link of a trail. It goes on from there when it is asked again."""

    def __init__(self, meta: Meta, player: int) -> None:
        self.meta, self.player = meta, player
        fields = [field for field in meta.fields if _is_unread(field)]
        self.runs = [slice(field.base, field.base + elements(field.dimensions)) for field in fields]
        offsets = {offset for run in self.runs for offset in range(run.start, run.stop)}
        self.own: dict[int, list[int]] = {}
        for piece in range(meta.pieces):
            own = [offset for offset in own_offsets(meta, piece) if offset in offsets]
            if own and meta.piece_kind[piece] not in meta.open_kinds:
                self.own[piece] = own
        self._forget()

    def _forget(self) -> None:
        self.chain: Chain = ()
        self.values: dict[int, Value] = {}
        self.written: Sequence[int] = self.meta.start  # all numbers at the last snapshot
        self.lost = 0  # pieces of which a world may have the fields on another one
        self.alike = 0  # what was chosen last is one of these
        self.mixed: list[tuple[int, bool]] = []  # pieces exchanged since the last snapshot; by a shuffle of them all?
        self.asked: Any = None

    def may_be_elsewhere(self, S: Any) -> bool:
        """Whether something that the player does not see now may have other fields than a world gives it."""
        if not self.own or self._are_alike_now(S):
            return False
        self._follow(S.ev)
        now = copy(self)
        now._look(S)
        return bool(now.lost)

    def _are_alike_now(self, S: Any) -> bool:
        """Whether nothing tells apart by these fields what is out of sight: whatever they were, it shows nowhere. Most
        games are like that all the time, and their trails need not be read."""
        hidden, f = S.kn[self.player].hidden, S.f
        return len({tuple([f[x] for x in own]) for piece, own in self.own.items() if hidden >> piece & 1}) < 2

    def _follow(self, chain: Chain) -> None:
        new: list[Event] = []
        end = chain
        while chain and chain is not self.chain:
            chain, event = chain
            new.append(event)
        if chain is not self.chain:
            self._forget()
        for event in reversed(new):
            self._read(event)
        self.chain = end

    def _read(self, event: Event) -> None:
        kind = event[0]
        if kind in (ASKED, FELL):
            self._look(event[1])
            self.asked = event[1] if kind == ASKED else None
        elif kind == TOOK and self.asked is not None:
            self.alike = self._alike(self.asked, event[1])
            self.lost |= self.alike if _differ(self.values, self.alike) else 0
        elif kind == MIXED and event[1] == self.player:
            mask, is_closed, _ = mixing(event)
            if mask & ~self.alike:
                self.mixed = [*self.mixed, (mask, is_closed)]

    def _look(self, S: Any) -> None:
        """A snapshot: what was written since the last one was written before or after the pieces were exchanged."""
        before, old, now, start = self.values, self.written, S.f, self.meta.start
        if any(now[run] != old[run] for run in self.runs):
            self.values = dict(before)
            for piece, own in self.own.items():
                if any(now[offset] != old[offset] for offset in own):
                    numbers = tuple([now[offset] for offset in own])
                    self.values[piece] = None if numbers == tuple([start[offset] for offset in own]) else numbers
        self.written = now
        for mask, is_closed in self.mixed:
            if is_closed:  # what was lost on the way there, as the pieces were gathered one by one, is lost no more
                nothing: dict[int, Value] = dict.fromkeys(pieces_of(mask))
                before, self.values = {**before, **nothing}, {**self.values, **nothing}
                self.lost &= ~mask
            elif _differ(before, mask) or _differ(self.values, mask & ~self._seen(S, mask)):
                self.lost |= mask
        self.mixed = []
        self.lost &= ~self._seen(S, self.lost)

    def _seen(self, S: Any, mask: int) -> int:
        """Those of the pieces that the player sees, each as a thing of its own."""
        meta, player = self.meta, self.player
        hidden = S.kn[player].hidden if S.kn is not None else 0
        found = []
        for piece in pieces_of(mask):
            place = S.at[piece]
            is_seen = place < 0 or not hidden >> piece & 1 or meta.sees[place] >> player & 1
            if is_seen or meta.places[meta.place_of[place]].shape in _EACH_LOOKED_AT:
                found.append(piece)
        return mask_of(found)

    def _alike(self, S: Any, option: Any) -> int:
        """The pieces of which one was chosen, and the player does not know which."""
        meta, site = self.meta, self.meta.sites[S.site]
        if S.who == self.player or S.kn is None:
            return 0
        hidden, found = S.kn[self.player].hidden, 0
        for piece in pieces_bound(site, option):
            place = S.at[piece] if piece >= 0 else -1
            if hidden >> piece & 1 and 0 <= place < meta.lists:
                if meta.unordered[place] or is_hidden_choice(site, S):
                    back = meta.piece_back[piece]
                    found |= mask_of([one for one in S.p[place] if meta.piece_back[one] == back]) & hidden
        return found


def _differ(values: dict[int, Value], mask: int) -> bool:
    return len({values.get(piece) for piece in pieces_of(mask)}) > 1


def may_be_elsewhere(S: Any, meta: Meta, player: int) -> bool:
    """Whether an open field of an unseen piece may be on another one than in the worlds of this player."""
    if S.kn is None or not any(map(_is_unread, meta.fields)):
        return False
    kept: dict[int, Marks] = S.machine.marks
    marks = copy(kept[player]) if player in kept else Marks(meta, player)  # a copy: another thread may read it too
    found = marks.may_be_elsewhere(S)
    kept[player] = marks
    return found


def _is_unread(field: FieldMeta) -> bool:
    """An open field of pieces that no rule reads of those which somebody does not see."""
    return field.owner == "piece" and field.visibility == "open" and not field.is_mark
