"""A table for tests of knowledge: a few pieces, one place of every sort, and the plain arrays of a state.

Moves happen here as the runtime makes them: first on the table, then told to the knowledge.
"""

from __future__ import annotations

from copy import deepcopy
from dataclasses import dataclass, field
from math import prod
from typing import Any

from interpreter.runtime import knowledge
from interpreter.runtime.meta import FieldMeta, Meta, PlaceMeta, SiteMeta
from interpreter.runtime.mixes import Mixes

PLAYERS = 2
# name, owner, shape, visibility; slots last, as the layout has them
PLACES = (
    ("deck", "table", "pile", "hidden"),
    ("shelf", "table", "pile", "top_open"),
    ("river", "table", "row", "open"),
    ("market", "table", "pool", "open"),
    ("sack", "table", "bag", "hidden"),
    ("hand", "player", "hand", "secret"),
    ("mat", "player", "slot", "open"),
)


@dataclass
class Table:
    """The arrays of a state, with the names that the runtime gives them."""

    f: list[int]
    p: list[list[int]]
    at: list[int]
    kn: list[Mixes]
    fd: int = 0
    k: list[Any] = field(default_factory=list)
    opts: Any = ()
    site: Any = None
    who: int = 0
    ev: Any = None

    def clone(self) -> Table:
        return deepcopy(self)


def make_meta(
    rows: str,
    backs: dict[str, int] | None = None,
    fields: tuple[FieldMeta, ...] = (),
    more_places: tuple[PlaceMeta, ...] = (),
    kinds: tuple[str, ...] | None = None,
    **more: Any,
) -> Meta:
    """A piece for each letter; equal letters are copies of one row. `more_places` are lists with numbers from 7 on."""
    names = tuple(dict.fromkeys(rows))
    places, sees, unordered, place_of = _places(more_places)
    lists = sum(place.size for place in places if place.shape != "slot")
    start = (-1,) * 2 + tuple(one.start for one in fields for _ in range(_size(one.dimensions)))
    return Meta(
        name="small", base="small", title="Small", players=PLAYERS, seat_names=("ann", "bob"), automas={},
        fingerprint="", limits={}, kinds={"Card": (0, len(rows))}, pieces=len(rows),
        piece_row=(*(names.index(row) for row in rows), -1), piece_kind=kinds or ("Card",) * len(rows),
        piece_back=tuple((backs or {}).get(row, 0) for row in rows), row_ids=names, row_names=names, unseen={},
        nodes=(("n1", "North"), ("n2", "")), edges=(("e1", ""),),
        enums={"Colour": ((0, "red", "Red"), (1, "blue", ""))}, dice=2,
        directions={"board": (("north", "north"), ("south_east", "south east"))},
        die_names=("dice[1]", "dice[2]"), cell_labels=("Gain 1",), lists=lists, slots=2, start=start,
        fields=fields, places=places, place_of=place_of, sees=sees, top_open=frozenset({1}),
        unordered=unordered, bags=frozenset({4}), has_secrets=True, uses_faces=True, **more,
    )  # fmt: skip


def _size(dimensions: tuple[tuple[str, int, int], ...]) -> int:
    total = 1
    for _, _, size in dimensions:
        total *= size
    return total


def _places(
    more: tuple[PlaceMeta, ...],
) -> tuple[tuple[PlaceMeta, ...], tuple[int, ...], tuple[bool, ...], tuple[int, ...]]:
    declared = [_place(*one) for one in PLACES[:-1]] + list(more) + [_place(*PLACES[-1])]
    sees: list[int] = []
    unordered: list[bool] = []
    place_of: list[int] = []
    for index, place in enumerate(declared):
        place.base = len(sees)
        for owner in range(place.size):
            sees.append({"open": 0b11, "secret": 1 << owner}.get(place.visibility, 0))
            unordered.append(place.shape in ("pool", "hand", "bag"))
            place_of.append(index)
    return tuple(declared), tuple(sees), tuple(unordered), tuple(place_of)


def _place(name: str, owner: str, shape: str, visibility: str) -> PlaceMeta:
    dimensions = (("player", 0, PLAYERS),) if owner == "player" else ()
    size = PLAYERS if owner == "player" else 1
    return PlaceMeta(name, owner, 0, size, dimensions, shape, ("Card",), visibility, False, 99, owner == "player")


def place_number(meta: Meta, name: str, seat: int = 0) -> int:
    return next(place.base for place in meta.places if place.name == name) + seat


def make_table(meta: Meta, **holds: str | list[str]) -> Table:
    """Pieces put out by letter before anybody looked: all are known. `hand=["ab", "c"]` for the places of players."""
    lists = [[] for _ in range(meta.lists)]
    table = Table(list(meta.start), lists, [-1] * meta.pieces, [Mixes(meta.pieces) for _ in range(meta.players)])
    for name, texts in holds.items():
        for seat, text in enumerate([texts] if isinstance(texts, str) else texts):
            for letter in text:
                put(table, meta, free_piece(table, meta, letter), place_number(meta, name, seat), last=True)
    return table


def free_piece(table: Table, meta: Meta, letter: str) -> int:
    """The first copy of a row that is in the box."""
    return next(x for x in range(meta.pieces) if meta.row_ids[meta.piece_row[x]] == letter and table.at[x] < 0)


def take_out(table: Table, meta: Meta, piece: int) -> None:
    place = table.at[piece]
    if place >= meta.lists:
        table.f[place - meta.lists] = -1
    elif place >= 0:
        table.p[place].remove(piece)
    table.at[piece] = -1


def put(table: Table, meta: Meta, piece: int, place: int, last: bool = False) -> None:
    table.at[piece] = place
    if place >= meta.lists:
        table.f[place - meta.lists] = piece
    elif place >= 0:
        table.p[place].insert(len(table.p[place]) if last else 0, piece)
        if meta.unordered[place]:
            table.p[place].sort()


def move(
    table: Table, meta: Meta, piece: int, target: int, by_position: bool = False, down: bool = False, last: bool = False
) -> bool:
    """The piece goes to the top (or the end) of the target, and the players draw their conclusions."""
    source, was_down = table.at[piece], bool(table.fd >> piece & 1)
    take_out(table, meta, piece)
    put(table, meta, piece, target, last)
    table.fd = table.fd & ~(1 << piece) | (down << piece)
    return knowledge.moved(table, meta, piece, source, target, by_position, was_down)


def mixes(table: Table, meta: Meta, player: int) -> str:
    """The mixes of a player that have two pieces or more, as text: `abc de`."""
    found: dict[int, str] = {}
    for piece, mix in enumerate(table.kn[player]):
        found[mix] = found.get(mix, "") + meta.row_ids[meta.piece_row[piece]]
    return " ".join(text for text in found.values() if len(text) > 1)


def site(kind: str, *domains: tuple[tuple[str, int, int], ...]) -> SiteMeta:
    digits = tuple(tuple((low, size) for _, low, size in one) for one in domains)
    sizes = [prod(size for _, size in one) for one in digits]
    return SiteMeta(
        number=0, kind=kind, rule="turn", in_phase=True, prompt=None, place=("", 1, 1),
        digits=digits, firsts=tuple(sum(sizes[:number]) for number in range(len(sizes))),
        branches=tuple((None, one, ()) for one in domains),
        values_only=kind == "choose", may_pass=False, trial="", trial_branches=(), secret=False, silent=False, cites=(),
    )  # fmt: skip
