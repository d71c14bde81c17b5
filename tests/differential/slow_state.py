"""The state of a game as the slow evaluator keeps it: plain dicts, copied whole.

A cell of a field is `(field number, owner or -1, *indexes)`, a place is `(place number, owner or -1, *indexes)` with
the slot behind it where the place has slots. A list holds what lies there: in the order of the place, or in table
order (by piece number) where the place has no order. What is not in `at` is in the box.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product

from interpreter.check.program import FieldDecl, PlaceDecl, Program

Key = tuple[int, ...]
WORD = (1 << 64) - 1


class Generator:
    """PCG32. The state is one number, so that a copied game draws the same numbers."""

    @staticmethod
    def seeded(seed: int) -> int:
        return Generator.step((Generator.step(0) + seed) & WORD)

    @staticmethod
    def step(state: int) -> int:
        return (state * 6364136223846793005 + 1442695040888963407) & WORD

    @staticmethod
    def output(state: int) -> int:
        mixed = (((state >> 18) ^ state) >> 27) & 0xFFFFFFFF
        turn = state >> 59
        return ((mixed >> turn) | (mixed << (-turn & 31))) & 0xFFFFFFFF


@dataclass
class Changes:
    """What one statement itself has changed, in the order in which it first touched things."""

    fields: dict[Key, int] = field(default_factory=dict)  # the value before
    places: dict[Key, int] = field(default_factory=dict)  # pieces more or fewer
    order: list[Key] = field(default_factory=list)
    drawn: list[int] = field(default_factory=list)

    def touch_field(self, cell: Key, before: int) -> None:
        if cell not in self.fields:
            self.fields[cell] = before
            self.order.append(cell)

    def touch_place(self, key: Key, more: int) -> None:
        if key not in self.places:
            self.order.append((-1, *key))
        self.places[key] = self.places.get(key, 0) + more

    def copy(self) -> Changes:
        return Changes(dict(self.fields), dict(self.places), list(self.order), list(self.drawn))


@dataclass
class SlowState:
    generator: int
    fields: dict[Key, int]
    contents: dict[Key, list[int]]
    at: dict[int, Key] = field(default_factory=dict)
    face_down: set[int] = field(default_factory=set)
    out: list[int] = field(default_factory=list)  # seats that dropped out, in that order
    winners: tuple[int, ...] | None = None
    losers: tuple[int, ...] = ()
    over: bool = False
    log: list[str] = field(default_factory=list)
    mixes: list[dict[int, int]] = field(default_factory=list)  # a player: piece -> number of its mix
    journals: list[Changes] = field(default_factory=list)  # of the statements under way
    watched: dict[int, set[int]] = field(default_factory=dict)  # revealed since the last decision: who sees it go
    unscored: bool = False  # the game ended in a way in which nobody counts points

    def copy(self) -> SlowState:
        return SlowState(
            self.generator,
            dict(self.fields),
            {key: list(pieces) for key, pieces in self.contents.items()},
            dict(self.at),
            set(self.face_down),
            list(self.out),
            self.winners,
            self.losers,
            self.over,
            list(self.log),
            [dict(mix) for mix in self.mixes],
            [journal.copy() for journal in self.journals],
            {piece: set(seats) for piece, seats in self.watched.items()},
            self.unscored,
        )

    def below(self, bound: int) -> int:
        """A number from 0 up to but not including `bound`, by rejection."""
        threshold = ((1 << 32) - bound) % bound
        while True:
            number = Generator.output(self.generator)
            self.generator = Generator.step(self.generator)
            if number >= threshold:
                return number % bound


class Table:
    """What the program declares, numbered as the keys of the state need it."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.field_number = {id(decl): number for number, decl in enumerate(program.fields)}
        self.place_number = {id(decl): number for number, decl in enumerate(program.places)}
        self.dice: list[Key] = [
            cell for decl in program.fields if decl.is_dice for cell in self.field_cells(decl)
        ]  # reading: dice are numbered over the fields as declared, then owner, then index
        self.die_number = {cell: number for number, cell in enumerate(self.dice)}
        self.all_pieces = tuple(range(len(program.pieces)))
        self.piece_fields = [decl for decl in program.fields if decl.owner == "piece"]
        self.piece_places = [decl for decl in program.places if decl.owner == "piece"]

    def field_cells(self, decl: FieldDecl) -> list[Key]:
        owners = _numbers(decl.owner_dimension) if decl.owner_dimension else [-1]
        indexes = [_numbers(dimension) for dimension in decl.dimensions]
        return [(self.field_number[id(decl)], *rest) for rest in product(owners, *indexes)]

    def place_cells(self, decl: PlaceDecl) -> list[Key]:
        owners = _numbers(decl.owner_dimension) if decl.owner_dimension else [-1]
        indexes = [_numbers(dimension) for dimension in decl.dimensions]
        if decl.slot_dimension is not None:
            indexes.append(_numbers(decl.slot_dimension))
        return [(self.place_number[id(decl)], *rest) for rest in product(owners, *indexes)]

    def new_state(self, seed: int) -> SlowState:
        fields = {cell: decl.start for decl in self.program.fields for cell in self.field_cells(decl)}
        contents: dict[Key, list[int]] = {key: [] for decl in self.program.places for key in self.place_cells(decl)}
        mixes = [{piece: piece for piece in self.all_pieces} for _ in range(self.program.players)]
        return SlowState(Generator.seeded(seed), fields, contents, mixes=mixes)

    def place_of(self, key: Key) -> PlaceDecl:
        return self.program.places[key[0]]

    def is_ordered(self, key: Key) -> bool:
        return self.place_of(key).is_ordered

    def slots_of(self, decl: PlaceDecl, base: Key) -> list[Key]:
        """Every place that a reference without its slot stands for."""
        if decl.slot_dimension is None:
            return [base]
        return [(*base, slot) for slot in _numbers(decl.slot_dimension)]

    def are_equal_copies(self, state: SlowState, one: int, other: int) -> bool:
        """Whether two pieces cannot be told apart: same row, same unordered place, equal fields, equal load. Those with
        a field that not everybody sees are never taken for one another."""
        if one == other:
            return True
        if any(decl.visibility != "open" and one in _numbers(decl.owner_dimension) for decl in self.piece_fields):
            return False
        if self.program.pieces[one].row != self.program.pieces[other].row or state.at.get(one) != state.at.get(other):
            return False
        where = state.at.get(one)
        if where is not None and self.is_ordered(where):
            return False
        if (one in state.face_down) != (other in state.face_down):
            return False
        return self._own_state(state, one) == self._own_state(state, other)

    def _own_state(self, state: SlowState, piece: int) -> list[object]:
        """The piece's own fields, and what it carries (in the open, equal copies are the same; else each is itself)."""
        found: list[object] = []
        for decl in self.piece_fields:
            number = self.field_number[id(decl)]
            found += [value for key, value in state.fields.items() if key[0] == number and key[1] == piece]
        for place in self.piece_places:
            number = self.place_number[id(place)]
            held = [held for key, held in state.contents.items() if key[0] == number and key[1] == piece]
            found += [tuple(self._as_seen(state, place, other) for other in carried) for carried in held]
        return found

    def _as_seen(self, state: SlowState, place: PlaceDecl, piece: int) -> object:
        owners = [decl.owner_dimension for decl in (*self.piece_fields, *self.piece_places)]
        has_state = any(piece in _numbers(dimension) for dimension in owners)
        if place.visibility != "open" or piece in state.face_down or has_state:
            return piece
        return "row", self.program.pieces[piece].row


def _numbers(dimension: object) -> list[int]:
    return list(range(dimension.low, dimension.low + dimension.size))  # type: ignore[attr-defined]
