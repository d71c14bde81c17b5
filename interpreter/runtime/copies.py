"""Equal copies of a piece that have fields or places of their own: which of them a player is shown.

    kind Card
      copies 2 for each rank: 1..2
    each Card
      marked: flag

Views and codes tell such copies apart, since one may be marked and the other not: `seven 1`, `seven 2`. If pieces of
the kind can never be out of sight, each keeps its number: everybody follows the piece with the eyes. If they can, the
number must not follow the piece. That the seven which is drawn now is another copy than the one that was shuffled in
would tell that the first one still lies in the deck; and which of two equal cards somebody has laid away unseen would
tell whether that player had a choice. So the copies that a player knows are numbered by where they lie and what is seen
of them, in the order of the table.

Codes of records (`int(option)`, `history`) name the very piece, since a record is the referee's. What players are
shown, and the key of what they have seen, has the codes of this module.
"""

from __future__ import annotations

import json
from functools import cached_property
from typing import Any

from .decision import encode
from .eyes import Eyes
from .knowledge import BOX, contents, is_unordered
from .lying import Lying
from .names import piece_label
from .spots import bound_by


def labels_of(eyes: Eyes) -> dict[int, str]:
    """Labels of the pieces in play whose identity is known, in table order."""
    meta, S = eyes.meta, eyes.S
    numbers = stand_ins(eyes)
    named = [piece for piece in range(meta.pieces) if S.at[piece] != BOX and eyes.knows(piece)]
    named.sort(key=lambda piece: numbers.get(piece, piece))
    return {piece: piece_label(meta, numbers.get(piece, piece)) for piece in named}


def stand_ins(eyes: Eyes) -> dict[int, int]:
    """For each known copy that has no number of its own: the copy whose number it is shown with. A referee is shown the
    very copies."""
    found: dict[int, int] = {}
    if eyes.player is None:
        return found
    lying = Lying(eyes, {})
    for copies in eyes.meta.unnumbered_copies:
        known = [piece for piece in copies if eyes.knows(piece)]
        known.sort(key=lambda piece: _position(lying, piece))
        found.update(zip(known, copies, strict=False))
    return found


def _position(lying: Lying, piece: int) -> tuple[bool, int, int, str]:
    """Where a piece lies and what is seen of it; those in the box come last."""
    S, meta = lying.S, lying.meta
    place = S.at[piece]
    if place == BOX:
        return True, 0, 0, ""
    index = 0 if is_unordered(meta, place) else contents(S, meta, place).index(piece)
    return False, place, index, json.dumps(lying.piece(piece, place), sort_keys=True)


class Codes:
    """The codes of the options of one decision as its player is shown them."""

    def __init__(self, state: Any) -> None:
        self.state, self.meta = state, state.meta
        self.site = self.meta.sites[state.site]

    def of(self, raw: int) -> int:
        """The code of an option. Each copy stands for the one whose number it has."""
        code, shown = encode(self.meta, self.site, raw), 0
        bound = bound_by(self.state, self.site, raw) if self._binds_copies else None
        if bound is None or self.site.values_of(raw) is None:
            return code
        branch, values = bound
        for value, (thing, _, size) in zip(values, self.site.branches[branch][1], strict=True):
            other = self._numbers.get(value, value) if thing == "piece" else value
            shown = shown * size + other - value
        return code + shown

    @cached_property
    def _binds_copies(self) -> bool:
        things = {thing for _, domains, _ in self.site.branches for thing, _, _ in domains}
        return bool(self.meta.unnumbered_copies) and "piece" in things and self.site.kind != "pay"

    @cached_property
    def _numbers(self) -> dict[int, int]:
        return stand_ins(Eyes(self.state, self.meta, self.state.who))
