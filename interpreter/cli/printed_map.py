"""What is printed on the maps of a game: the name of each node and edge, its attributes, the ends of an edge.

All of this is known before the game starts, so it is read from the description of the game alone. Coordinates that come
from the shape of a map (row and column) are left out: the names of the nodes contain them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..runtime.names import NONE_TEXT, name_of
from ..runtime.texts import phrase

if TYPE_CHECKING:
    from ..runtime.meta import Meta, PrintedMeta

_COORDINATES = ("row", "column", "q", "r", "number")


class Attributes:
    """What the file or the shape says of each node, or edge, of some kinds; one column for each name."""

    def __init__(self, meta: Meta, what: str, kinds: Sequence[str]) -> None:
        self.meta = meta
        self.tables = [
            table
            for table in meta.printed
            if table.of == what and (not table.kind or table.kind in kinds) and table.is_single
        ]
        self.names = list(dict.fromkeys(table.name for table in self.tables))

    def of(self, thing: int, kind: str) -> list[str]:
        """The values of one of them, with `-` for none and for attributes that its kind does not have."""
        own = {table.name: self._text(table, thing) for table in self.tables if table.kind in ("", kind)}
        return ["-" if own.get(name, NONE_TEXT) == NONE_TEXT else own[name] for name in self.names]

    def _text(self, table: PrintedMeta, thing: int) -> str:
        value: Any = table.values[thing]
        return name_of(self.meta, table.thing, value)


@dataclass(frozen=True)
class Printed:
    """A node or an edge: its id in a view, what options call it, and what can be read there, such as `slots 2`.

    `edge_kind` is the kind of an edge in words; a node has none.
    """

    id: str
    name: str
    text: str = ""
    edge_kind: str = ""


def printed_map(meta: Meta) -> list[Printed]:
    """Every node of every map, then every edge."""
    node_kinds = {node: kind for board in meta.boards for node, kind in zip(board.nodes, board.node_kinds, strict=True)}
    edge_kinds = {edge: kind for board in meta.boards for edge, kind in zip(board.edges, board.edge_kinds, strict=True)}
    ends = {edge: pair for board in meta.boards for edge, pair in zip(board.edges, board.pairs, strict=False)}
    nodes, edges = Attributes(meta, "node", [*node_kinds.values()]), Attributes(meta, "edge", [*edge_kinds.values()])
    found = []
    for node, kind in sorted(node_kinds.items()):
        own_id, name = meta.nodes[node]
        found.append(Printed(own_id, name or own_id, "; ".join(_readable(nodes, node, kind))))
    for edge, kind in sorted(edge_kinds.items()):
        own_id, name = meta.edges[edge]
        told = [*_ends(meta, name or own_id, ends[edge]), *_readable(edges, edge, kind)]
        found.append(Printed(own_id, name or own_id, "; ".join(told), _in_words(kind)))
    return found


def _readable(attributes: Attributes, thing: int, kind: str) -> list[str]:
    """`slots 2`; a flag only if it is set, and then by its name alone."""
    told = []
    for name, value in zip(attributes.names, attributes.of(thing, kind), strict=True):
        if name not in _COORDINATES and value not in ("-", "no"):
            words = phrase(attributes.meta, name.replace("_", " "))
            told.append(words if value == "yes" else f"{words} {value}")
    return told


def _in_words(kind: str) -> str:
    """`ToyCanal` as shown to people: `toy canal`."""
    return "".join(" " + letter.lower() if letter.isupper() else letter for letter in kind).strip()


def _ends(meta: Meta, name: str, ends: tuple[int, int]) -> list[str]:
    """The names of its ends, unless its own name contains them."""
    names = [meta.nodes[end][1] or meta.nodes[end][0] for end in ends]
    return [] if all(end in name for end in names) else [" - ".join(names)]
