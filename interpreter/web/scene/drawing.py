"""What the modules of a scene share while one scene is made: who looks at which state, and which id stands for which
piece."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from ...runtime.meta import Meta
from ...runtime.sight import Shown, Sight
from .declarations import Declarations
from .ids import index_dimensions, indexed, owned

Data = dict[str, Any]


@dataclass
class Drawing:
    """One scene in the making. `player` is None for a spectator."""

    game: Any
    state: Any
    player: int | None
    declared: Declarations
    sight: Sight
    places: dict[str, Data] = field(default_factory=dict)
    pieces: dict[str, Data] = field(default_factory=dict)
    counters: dict[str, Data] = field(default_factory=dict)
    dice: dict[str, Data] = field(default_factory=dict)
    tracks: dict[str, Data] = field(default_factory=dict)
    groups: dict[str, Data] = field(default_factory=dict)
    maps: dict[str, Data] = field(default_factory=dict)
    place_ids: dict[int, str] = field(default_factory=dict)  # number of a place -> its id
    piece_ids: dict[int, str] = field(default_factory=dict)  # number of a piece that is shown as itself -> its id
    standing_for: dict[int, list[tuple[Shown, str]]] = field(default_factory=dict)  # place -> what is shown there

    @property
    def meta(self) -> Meta:
        return self.sight.meta

    def place_id(self, place: int) -> str:
        """The id of a place by its number. Of a place that a piece carries: through the id of that piece."""
        found = self.place_ids.get(place)
        if found is None:
            found = self.place_ids[place] = self._place_id(place)
        return found

    def _place_id(self, place: int) -> str:
        meta = self.meta
        declared = meta.places[meta.place_of[place]]
        rest, numbers = place - declared.base, []
        for _, low, size in reversed(declared.dimensions):
            numbers.append(rest % size + low)
            rest //= size
        numbers.reverse()
        has_owner = declared.owner != "table"
        owner = numbers[0] if has_owner else -1
        carrier = self.piece_ids.get(owner, "") if declared.owner == "piece" else ""
        base = owned(meta, declared.owner, owner, declared.id, carrier)
        return indexed(meta, base, index_dimensions(declared), tuple(numbers[1:] if has_owner else numbers))

    def piece_id(self, shown: Shown, place: str, position: int, before: Counter[int]) -> str:
        """The id of a piece that is shown at this position of a place; `before` counts the rows before it there."""
        meta = self.meta
        if shown.row is None:
            return f"{place}@{position + 1}"
        copies, own = meta.row_pieces[shown.row], meta.row_ids[shown.row]
        if len(copies) == 1:
            return f"{shown.kind}.{own}"
        if shown.number is not None and shown.kind in meta.open_kinds:
            return f"{shown.kind}.{own}#{shown.number - copies[0] + 1}"
        before[shown.row] += 1
        return f"{place}:{own}#{before[shown.row]}"

    def find_piece(self, piece: int) -> str | None:
        """The id under which a piece can be seen now, or one that looks the same in the same place."""
        return next(iter(self.alike(piece)), None)

    def alike(self, piece: int) -> list[str]:
        """The ids that may stand for a piece: its own, or those of pieces with the same face, or back, in its place."""
        direct = self.piece_ids.get(piece)
        if direct is not None:
            return [direct]
        at = self.sight.own.S.at[piece]
        there = self.standing_for.get(at, [])
        if at >= 0 and self.sight.eyes_on(at).knows(piece):
            named = [own for shown, own in there if shown.row == self.meta.piece_row[piece]]
            if named:
                return named
        back = self.meta.piece_back[piece]
        return [own for shown, own in there if shown.row is None and shown.back == back]
