"""What there is to draw of a map: places with their names, marks and pieces, and the ways between them.

Everything is read from declarations: attributes and open fields of nodes and edges, open places on them, the owner or
colour of pieces. No game is known here. Of a state only what all may see is drawn; pieces in places that are not open
are drawn without a face.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ..check.program import AttributeTable, MapDecl, Program
from ..check.value_types import EffectCell, EnumOf, Flag, FormulaCell, Number, Player, VType, bare, none_of
from ..runtime.knowledge import contents
from .colours import NEUTRAL, ground_colour, kind_colour, named_colour, seat_colour
from .map_layout import laid_out

if TYPE_CHECKING:
    from ..runtime.game import Game

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
    overlay: int = 0  # of which further map over the same nodes, from 1; 0 for the map itself


@dataclass
class Picture:
    title: str
    form: str  # hex, grid or graph
    spots: list[Spot] = field(default_factory=list)
    ways: list[Way] = field(default_factory=list)
    grounds: list[tuple[str, str]] = field(default_factory=list)  # what a fill means: colour, words
    kinds: list[tuple[int, str]] = field(default_factory=list)  # shape of a node, name of its kind
    pieces: list[tuple[int, str]] = field(default_factory=list)  # shape of a piece, name of its kind
    seats: list[tuple[str, str]] = field(default_factory=list)  # colour, name
    overlays: list[tuple[int, str]] = field(default_factory=list)


def picture_of(game: Game, board: MapDecl, state: Any | None = None) -> Picture:
    """A map of a game, with what lies on it in a state if one is given."""
    return _Painter(game, board, state).picture()


class _Painter:
    def __init__(self, game: Game, board: MapDecl, state: Any | None) -> None:
        self.program: Program = game.program
        self.meta = game.meta
        self.board = board
        self.state = state
        self.form = {"diagonal": "grid", "walk": "graph", "": "graph"}.get(board.form, board.form)
        node_kinds = [self.program.nodes[n].kind for n in board.nodes]
        self.kinds = list(dict.fromkeys(node_kinds))
        owners = ("node", "edge")
        on_map = {kind for place in self.meta.places if place.owner in owners for kind in place.kinds}
        self.piece_kinds = sorted(self.program.kinds, key=lambda kind: kind not in on_map)  # those drawn come first
        self.seats = [seat_colour(n, name) for n, name in enumerate(self.meta.seat_names)]
        self.ground = self._ground_table()
        self.seen: set[int] = set()  # shapes of pieces that were drawn

    def picture(self) -> Picture:
        made = Picture(f"{self.meta.title}: {self.board.name.replace('_', ' ')}", self.form)
        places = laid_out(self.program, self.board)
        index = {node: place for place, node in enumerate(self.board.nodes)}
        made.spots = [self._spot(node, *places[node]) for node in self.board.nodes]
        if self.form == "graph" or self.board.edges:
            made.ways = self._ways(index)
        self._add_overlays(made, index)
        made.kinds = list(enumerate(self.kinds)) if len(self.kinds) > 1 else []
        made.grounds = self._grounds()
        made.pieces = [(shape, self.piece_kinds[shape]) for shape in sorted(self.seen)] if len(self.seen) > 1 else []
        owned = any(spot.owner or spot.tokens for spot in made.spots) or any(w.owner or w.tokens for w in made.ways)
        made.seats = list(zip(self.seats, self.meta.seat_names, strict=True)) if owned else []
        return made

    # ------------------------------------------------------------------ nodes

    def _spot(self, node: int, x: float, y: float) -> Spot:
        thing = self.program.nodes[node]
        kind = self.kinds.index(thing.kind)
        fill = kind_colour(kind)
        if self.ground is not None and isinstance(value := self.ground.values[node], int) and value >= 0:
            fill = ground_colour(value, self._value_name(self.ground.type, value))
        owner, noted = self._state_of("node", node)
        notes = (*self._printed("node", node), *noted)
        return Spot(x, y, kind, self._title(node), fill, notes, owner, self._tokens("node", node), self._mark_of(node))

    def _title(self, node: int) -> str:
        """Its name; a space of a grid or a hex without a name of its own has none, and is told by where it is."""
        thing = self.program.nodes[node]
        return "" if node in self.board.points and _is_generated(thing.id, self.board.points[node]) else thing.name

    def _mark_of(self, node: int) -> tuple[int, ...]:
        return self.board.points.get(node, ())

    def _ground_table(self) -> AttributeTable | None:
        """The first attribute of nodes whose values are an enum: the ground they are drawn in."""
        for table in self._tables("node", self.board.nodes[0]) if self.board.nodes else ():
            if isinstance(bare(table.type), EnumOf):
                return table
        return None

    def _grounds(self) -> list[tuple[str, str]]:
        if self.ground is None:
            return []
        values = sorted({v for n in self.board.nodes if isinstance(v := self.ground.values[n], int) and v >= 0})
        names = [(value, self._value_name(self.ground.type, value)) for value in values]
        return [(ground_colour(value, name), name.replace("_", " ")) for value, name in names]

    # ------------------------------------------------------------------ edges

    def _ways(self, index: dict[int, int]) -> list[Way]:
        if self.form != "graph":
            return []
        if not self.board.edges:
            return [Way((index[a], index[b])) for a, b in _pairs(self.board)]
        lanes: Counter[frozenset[int]] = Counter(frozenset(self.board.ends[e]) for e in self.board.edges)
        used: Counter[frozenset[int]] = Counter()
        ways = []
        for edge in self.board.edges:
            ends = self.board.ends[edge]
            lane = used[frozenset(ends)] - (lanes[frozenset(ends)] - 1) / 2
            used[frozenset(ends)] += 1
            ways.append(self._way(edge, (index[ends[0]], index[ends[1]]), lane if ends[0] < ends[1] else -lane))
        return ways

    def _way(self, edge: int, ends: tuple[int, int], lane: float) -> Way:
        thing = self.program.edges[edge]
        boxes = self._box_table(edge)
        count = int(boxes.values[edge]) if boxes is not None and isinstance(boxes.values[edge], int) else 0  # type: ignore[call-overload]
        owner, noted = self._state_of("edge", edge)
        notes = (*self._printed("edge", edge, boxes), *noted)
        return Way(ends, self._way_title(edge), count, notes, owner, self._tokens("edge", edge), lane)

    def _way_title(self, edge: int) -> str:
        """The name that its file gives it, unless it only repeats the names of its ends."""
        thing = self.program.edges[edge]
        ends = [self.program.nodes[node].name for node in self.board.ends[edge]]
        is_own = thing.name != thing.id.replace("_", " ") and not all(name in thing.name for name in ends)
        return thing.name if is_own else ""

    def _box_table(self, edge: int) -> AttributeTable | None:
        """The first attribute of edges that is a small number is drawn as so many boxes."""
        for table in self._tables("edge", edge):
            of = bare(table.type)
            if isinstance(of, Number) and of.low >= 0 and of.high <= MOST_BOXES:
                return table
        return None

    def _add_overlays(self, made: Picture, index: dict[int, int]) -> None:
        """Further maps over the nodes of this one."""
        for other in self.program.maps.values():
            if other is self.board or not other.nodes or any(node not in index for node in other.nodes):
                continue
            number = len(made.overlays) + 1
            made.overlays.append((number, other.name.replace("_", " ")))
            made.ways += [Way((index[a], index[b]), overlay=number) for a, b in _pairs(other)]

    # ------------------------------------------------------------------ attributes and fields

    def _tables(self, of: str, thing: int) -> Iterator[AttributeTable]:
        kind = (self.program.nodes if of == "node" else self.program.edges)[thing].kind
        for table in self.program.attributes:
            if (table.of == of or table.of == f"{of}:{kind}") and not table.dimensions:
                yield table

    def _printed(self, of: str, thing: int, but: AttributeTable | None = None) -> list[str]:
        """Attributes that are worth a note, as `worth 3`."""
        notes = []
        for table in self._tables(of, thing):
            value = table.values[thing]
            if table is but or table is self.ground or table.name in _COORDINATES or not isinstance(value, int):
                continue
            if value != none_of(table.type) and not (isinstance(bare(table.type), Number) and value < -(1 << 30)):
                notes.append(self._note(table.name, table.type, value))
        return [note for note in notes if note]

    def _note(self, name: str, of: VType, value: int) -> str:
        words = name.replace("_", " ")
        match bare(of):
            case Flag():
                return words if value else ""
            case EffectCell() | FormulaCell():
                return self.meta.cell_labels[value]
            case Number():
                return f"{words} {value}"
            case _:
                return self._value_name(of, value).replace("_", " ")

    def _value_name(self, of: VType, value: int) -> str:
        inner = bare(of)
        if isinstance(inner, EnumOf):
            return next((own_id for number, own_id, _ in self.meta.enums[inner.name] if number == value), str(value))
        if isinstance(inner, Player):
            return self.meta.seat_names[value]
        return str(value)

    def _state_of(self, of: str, thing: int) -> tuple[str | None, list[str]]:
        """Whose it is, and what its open fields say."""
        owner: str | None = None
        notes: list[str] = []
        for item in self.meta.fields if self.state is not None else ():
            if item.owner != of or item.visibility != "open" or len(item.dimensions) != 1:
                continue
            _, low, size = item.dimensions[0]
            if not low <= thing < low + size:
                continue
            value = self.state.f[item.base + thing - low]  # type: ignore[union-attr]
            if value == item.none or (value == item.start and item.thing in ("number", "flag")):
                continue
            if item.thing == "player" and owner is None:
                owner = self.seats[value]
            elif item.thing in ("number", "flag"):
                notes.append(f"{item.name.replace('_', ' ')} {value}" if item.thing == "number" else item.name)
            elif item.thing.startswith("enum:"):
                known = self.meta.enums[item.thing.removeprefix("enum:")]
                notes.append(next((name for number, _, name in known if number == value), ""))
        return owner, [note for note in notes if note]

    # ------------------------------------------------------------------ pieces

    def _tokens(self, of: str, thing: int) -> tuple[Token, ...]:
        found: Counter[tuple[str, int, str]] = Counter()
        for place, is_open in self._places(of, thing):
            for piece in contents(self.state, self.meta, place):
                shape = self.piece_kinds.index(self.meta.piece_kind[piece])
                self.seen.add(shape)
                found[self._colour(piece) if is_open else NEUTRAL, shape, self._mark(piece) if is_open else "?"] += 1
        return tuple(Token(*look, count) for look, count in found.items())

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
        for table in self.program.attributes:
            value = table.values[piece] if table.of.partition(":")[0] == "piece" and not table.dimensions else None
            if not isinstance(value, int) or value < 0:
                continue
            if isinstance(bare(table.type), Player):
                return self.seats[value]
            if isinstance(bare(table.type), EnumOf):
                named = named or named_colour(self._value_name(table.type, value))
        return named or NEUTRAL

    def _mark(self, piece: int) -> str:
        """How many pieces it carries, if any."""
        carried = sum(len(contents(self.state, self.meta, place)) for place, _ in self._places("piece", piece))
        return str(carried) if carried else ""


def _is_generated(name: str, point: tuple[int, ...]) -> bool:
    """Whether an id was made of a place on the board: `square_3_1`, `hex_2_m1`, `hex_4_2` of a generated hexagon."""
    parts = name.rsplit("_", 2)[1:]
    return len(parts) == 2 and all(part.removeprefix("m").isdigit() for part in parts) and len(point) == 2


def _pairs(board: MapDecl) -> list[tuple[int, int]]:
    """Neighbours, each pair once; of edges every one."""
    if board.edges:
        return [board.ends[edge] for edge in board.edges]
    return [(node, other) for node in board.nodes for other in board.neighbours[node] if node < other]
