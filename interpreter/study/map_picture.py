"""The content of a map drawing: spots with their names, marks and pieces, and the paths between them.

Everything is read from declarations: attributes and open fields of nodes and edges, open places on them, the owner or
colour of pieces, open fields of players and of the table that name a node or an edge (where somebody stands). No
particular game is known here. Only what everybody may see is drawn; pieces in places that are not open have no face.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from math import prod
from typing import Any

from ..runtime.knowledge import contents
from ..runtime.meta import BoardMeta, Meta, PrintedMeta
from ..runtime.names import id_of, name_of, none_number
from .colours import NEUTRAL, ground_colour, kind_colour, named_colour, seat_colour
from .map_layout import laid_out

MOST_BOXES = 6
_COORDINATES = ("row", "column", "q", "r", "number")


@dataclass(frozen=True)
class Token:
    """Equal pieces in one place. `shape` counts the kinds of pieces; `mark` is what stands on each."""

    colour: str
    shape: int
    mark: str
    count: int


@dataclass(frozen=True)
class Spot:
    """A node. `notes` are lines of small text below its name."""

    x: float
    y: float
    kind: int
    title: str
    fill: str
    notes: tuple[str, ...] = ()
    owner: str | None = None
    tokens: tuple[Token, ...] = ()
    point: tuple[int, ...] = ()  # row and column, or q and r


@dataclass(frozen=True)
class Way:
    """A line between two spots; with boxes where something can be put. `lane` tells ways between the same two apart."""

    ends: tuple[int, int]
    title: str = ""
    boxes: int = 0
    notes: tuple[str, ...] = ()
    owner: str | None = None
    tokens: tuple[Token, ...] = ()
    lane: float = 0
    kind: int = 0  # which of the kinds of edges
    overlay: int = 0  # of which further map over the same nodes, from 1; 0 for the map itself


@dataclass
class Picture:
    title: str
    form: str  # hex, grid or graph
    spots: list[Spot] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    grounds: list[tuple[str, str]] = field(default_factory=list)  # what a fill means: colour, words
    kinds: list[tuple[int, str]] = field(default_factory=list)  # shape of a node, name of its kind
    way_kinds: list[tuple[int, str]] = field(default_factory=list)  # colour of an edge, name of its kind
    pieces: list[tuple[int, str]] = field(default_factory=list)  # shape of a piece, name of its kind
    seats: list[tuple[str, str]] = field(default_factory=list)  # colour, name
    overlays: list[tuple[int, str]] = field(default_factory=list)


def picture_of(meta: Meta, board: BoardMeta, state: Any | None = None) -> Picture:
    """A map of a game, with what lies on it in a state if one is given."""
    return _Painter(meta, board, state).picture()


class _Painter:
    def __init__(self, meta: Meta, board: BoardMeta, state: Any | None) -> None:
        self.meta = meta
        self.board = board
        self.state = state
        self.form = {"diagonal": "grid", "walk": "graph", "": "graph"}.get(board.form, board.form)
        self.kinds = list(dict.fromkeys(board.node_kinds))
        self.way_kinds = list(dict.fromkeys(board.edge_kinds))
        on_map = {kind for place in meta.places if place.owner in ("node", "edge") for kind in place.kinds}
        self.piece_kinds = sorted(meta.kinds, key=lambda kind: kind not in on_map)  # those drawn come first
        self.seats = [seat_colour(number, name) for number, name in enumerate(meta.seat_names)]
        self.ground = self._ground()
        self.standing = [
            item
            for item in meta.fields
            if item.owner in ("table", "player") and item.thing in ("node", "edge") and item.visibility == "open"
        ]
        self.seen: set[int] = set()  # shapes of pieces that were drawn

    def picture(self) -> Picture:
        made = Picture(f"{self.meta.title}: {self.board.name.replace('_', ' ')}", self.form)
        places = laid_out(self.meta.boards, self.board)
        index = {node: place for place, node in enumerate(self.board.nodes)}
        made.spots = [self._spot(number, *places[node]) for number, node in enumerate(self.board.nodes)]
        ways = self._ways(index)
        made.ways = ways if self.form == "graph" else [way for way in ways if way.owner or way.tokens]
        self._add_overlays(made, index)
        made.kinds = list(enumerate(self.kinds)) if len(self.kinds) > 1 else []
        made.way_kinds = list(enumerate(self.way_kinds)) if made.ways and len(self.way_kinds) > 1 else []
        made.grounds = self._grounds()
        shapes = [*self.piece_kinds, *(item.name.replace("_", " ") for item in self.standing)]
        if len(self.seen) > 1 or any(shape >= len(self.piece_kinds) for shape in self.seen):
            made.pieces = [(shape, shapes[shape]) for shape in sorted(self.seen)]
        drawn: list[Spot | Way] = [*made.spots, *made.ways]
        if any(one.owner or one.tokens for one in drawn):
            made.seats = list(zip(self.seats, self.meta.seat_names, strict=True))
        return made

    # ------------------------------------------------------------------ nodes

    def _spot(self, number: int, x: float, y: float) -> Spot:
        node, kind = self.board.nodes[number], self.board.node_kinds[number]
        fill = kind_colour(self.kinds.index(kind))
        if self.ground is not None and isinstance(value := self.ground.values[node], int) and value >= 0:
            fill = ground_colour(value, id_of(self.meta, self.ground.thing, value))
        owner, noted = self._state_of("node", node)
        notes = (*self._printed("node", kind, node, self.ground), *noted)
        tokens, point = self._tokens("node", node), self.board.points.get(node, ())
        return Spot(x, y, self.kinds.index(kind), self._title(node), fill, notes, owner, tokens, point)

    def _title(self, node: int) -> str:
        """Its name; empty for a space of a grid or a hex without a name of its own, which is known by its position."""
        own_id, name = self.meta.nodes[node]
        return "" if node in self.board.points and _is_generated(own_id) else name

    def _ground(self) -> PrintedMeta | None:
        """The first attribute of nodes whose type is an enum; it decides their background colour."""
        tables = self._tables("node", self.board.node_kinds[0]) if self.board.nodes else iter(())
        return next((table for table in tables if table.thing.startswith("enum:")), None)

    def _grounds(self) -> list[tuple[str, str]]:
        if self.ground is None:
            return []
        values = sorted({v for n in self.board.nodes if isinstance(v := self.ground.values[n], int) and v >= 0})
        names = [(value, id_of(self.meta, self.ground.thing, value)) for value in values]
        return [(ground_colour(value, name), name.replace("_", " ")) for value, name in names]

    # ------------------------------------------------------------------ edges

    def _ways(self, index: dict[int, int]) -> list[Way]:
        if not self.board.edges:
            return [Way((index[a], index[b])) for a, b in self.board.pairs]
        lanes: Counter[frozenset[int]] = Counter(frozenset(pair) for pair in self.board.pairs)
        used: Counter[frozenset[int]] = Counter()
        ways = []
        for number, ends in enumerate(self.board.pairs):
            lane = used[frozenset(ends)] - (lanes[frozenset(ends)] - 1) / 2
            used[frozenset(ends)] += 1
            ways.append(self._way(number, (index[ends[0]], index[ends[1]]), lane if ends[0] < ends[1] else -lane))
        return ways

    def _way(self, number: int, ends: tuple[int, int], lane: float) -> Way:
        edge, kind = self.board.edges[number], self.board.edge_kinds[number]
        boxes = self._boxes(kind)
        count = boxes.values[edge] if boxes is not None else 0
        owner, noted = self._state_of("edge", edge)
        notes = (*self._printed("edge", kind, edge, boxes), *noted)
        title = self._way_title(edge, self.board.pairs[number])
        boxed, tokens = count if isinstance(count, int) else 0, self._tokens("edge", edge)
        return Way(ends, title, boxed, notes, owner, tokens, lane, self.way_kinds.index(kind))

    def _way_title(self, edge: int, ends: tuple[int, int]) -> str:
        """The name that its file gives it, unless it only repeats the names of its ends."""
        own_id, name = self.meta.edges[edge]
        repeats = all(self.meta.nodes[node][1] in name for node in ends)
        return name if name != own_id.replace("_", " ") and not repeats else ""

    def _boxes(self, kind: str) -> PrintedMeta | None:
        """The first attribute of edges that is a small number; it is drawn as that many boxes."""
        small = (table for table in self._tables("edge", kind) if 0 <= table.low <= table.high <= MOST_BOXES)
        return next((table for table in small if table.thing == "number"), None)

    def _add_overlays(self, made: Picture, index: dict[int, int]) -> None:
        """Further maps over the nodes of this one."""
        for other in self.meta.boards:
            if other is self.board or not other.nodes or any(node not in index for node in other.nodes):
                continue
            number = len(made.overlays) + 1
            made.overlays.append((number, other.name.replace("_", " ")))
            made.ways += [Way((index[a], index[b]), overlay=number) for a, b in other.pairs]

    # ------------------------------------------------------------------ attributes and fields

    def _tables(self, of: str, kind: str) -> Iterator[PrintedMeta]:
        return (table for table in self.meta.printed if table.of == of and table.kind in ("", kind) and table.is_single)

    def _printed(self, of: str, kind: str, thing: int, but: PrintedMeta | None) -> list[str]:
        """Attributes that are worth a note, as `worth 3`."""
        notes = []
        for table in self._tables(of, kind):
            value = table.values[thing]
            if table is not but and table.name not in _COORDINATES and isinstance(value, int):
                notes.append(self._note(table.name, table.thing, value))
        return [note for note in notes if note]

    def _note(self, name: str, thing: str, value: int) -> str:
        words = name.replace("_", " ")
        if value == none_number(thing):
            return ""
        if thing == "flag":
            return words if value else ""
        return f"{words} {value}" if thing == "number" else name_of(self.meta, thing, value).replace("_", " ")

    def _state_of(self, of: str, thing: int) -> tuple[str | None, list[str]]:
        """Its owner, and the values of its open fields."""
        owner: str | None = None
        notes: list[str] = []
        for item in self.meta.fields:
            if self.state is None or item.owner != of or item.visibility != "open" or len(item.dimensions) != 1:
                continue
            _, low, size = item.dimensions[0]
            if not low <= thing < low + size:
                continue
            value = self.state.f[item.base + thing - low]
            if item.thing == "player" and owner is None:
                owner = self.seats[value] if value >= 0 else None
            elif value != item.start:
                notes.append(self._note(item.name, item.thing, value))
        return owner, [note for note in notes if note]

    # ------------------------------------------------------------------ pieces

    def _tokens(self, of: str, thing: int) -> tuple[Token, ...]:
        found: Counter[tuple[str, int, str]] = Counter()
        for place, is_open in self._places(of, thing):
            assert self.state is not None
            for piece in contents(self.state, self.meta, place):
                shape = self.piece_kinds.index(self.meta.piece_kind[piece])
                self.seen.add(shape)
                found[self._colour(piece) if is_open else NEUTRAL, shape, self._mark(piece) if is_open else "?"] += 1
        for colour, shape in self._stand_there(of, thing):
            self.seen.add(shape)
            found[colour, shape, ""] += 1
        return tuple(Token(*look, count) for look, count in found.items())

    def _stand_there(self, of: str, thing: int) -> Iterator[tuple[str, int]]:
        """Colour and shape for each open field of a player or of the table that names this node or edge."""
        for number, item in enumerate(self.standing if self.state is not None else ()):
            size = prod(size for _, _, size in item.dimensions)
            for place in range(size if item.thing == of else 0):
                if self.state is not None and self.state.f[item.base + place] == thing:
                    seat = place * len(self.seats) // size
                    yield self.seats[seat] if item.owner == "player" else NEUTRAL, len(self.piece_kinds) + number

    def _places(self, of: str, thing: int) -> Iterator[tuple[int, bool]]:
        """The numbers of the places on a node or edge, and whether all see what lies there."""
        for place in self.meta.places if self.state is not None else ():
            if place.owner == of and place.has_owner:
                _, low, size = place.dimensions[0]
                each = place.size // size
                if low <= thing < low + size:
                    first = place.base + (thing - low) * each
                    yield from ((number, place.visibility == "open") for number in range(first, first + each))

    def _colour(self, piece: int) -> str:
        """The colour of its owner, or the one its attributes name."""
        named: str | None = None
        for table in self._tables("piece", self.meta.piece_kind[piece]):
            value = table.values[piece]
            if not isinstance(value, int) or value < 0:
                continue
            if table.thing == "player":
                return self.seats[value]
            named = named or named_colour(id_of(self.meta, table.thing, value))
        return named or NEUTRAL

    def _mark(self, piece: int) -> str:
        """How many pieces it carries, if any."""
        assert self.state is not None
        carried = [contents(self.state, self.meta, place) for place, _ in self._places("piece", piece)]
        count = sum(len(pieces) for pieces in carried)
        return str(count) if count else ""


def _is_generated(name: str) -> bool:
    """True if an id was generated from a position on the board: `square_3_1`, `hex_2_m1`."""
    parts = name.rsplit("_", 2)[1:]
    return len(parts) == 2 and all(part.removeprefix("m").isdigit() for part in parts)
