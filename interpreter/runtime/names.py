"""The names of numbers.

At run time everything is a small number; people, views, saves and scenarios use names. A *thing* says what a number
stands for: `player`, `piece`, `node`, `edge`, `enum:NAME`, `flag`, `number`, `direction:MAP`, `die`, `cell`, `row` (of
a table of pieces), `row:CHART`, `formula`; `set:THING` is a tuple of such numbers. Everything nameable has an id (what
rules and scenarios write) and a name (what people read); a text may be either.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..check.value_types import NO_NUMBER, NONE
from .meta import FieldMeta, Meta, PlaceMeta

_COUNTED = ("number", "formula")
_FLAGS = ((0, "no", "no"), (1, "yes", "yes"))
NONE_TEXT = "none"


def none_number(thing: str) -> int:
    """The number that stands for none."""
    return NO_NUMBER if thing == "number" else NONE


def name_of(meta: Meta, thing: str, number: int | tuple[int, ...]) -> str:
    """The name that people read for a number, or for a set of numbers."""
    known = meta.known_texts.get((thing, number, False))
    if known is not None:
        return known
    if isinstance(number, tuple):
        return ", ".join(name_of(meta, element_of(thing), one) for one in number) or NONE_TEXT
    return _text(meta, thing, number, by_id=False)


def id_of(meta: Meta, thing: str, number: int) -> str:
    """The id that rules and scenarios use for a number."""
    return _text(meta, thing, number, by_id=True)


def value_of(meta: Meta, thing: str, number: int) -> str | int | bool | None:
    """A number as a JSON value: whole numbers and flags as they are, none as null, everything else by name."""
    if thing == "number":
        return None if number == NO_NUMBER else number
    if number == NONE:
        return None
    return bool(number) if thing == "flag" else name_of(meta, thing, number)


def numbers_of(meta: Meta, thing: str, text: str) -> tuple[int, ...]:
    """The numbers that a text may mean: an exact id or name, else one that differs only in case; all copies of a piece.

    Empty if there is none; several if the text is ambiguous or names equal copies.
    """
    text = text.strip()
    if text == NONE_TEXT:
        return (none_number(thing),)
    if thing in _COUNTED or thing.startswith("row:"):
        return _whole_number(thing, text)
    known = list(entries(meta, thing))
    exact = tuple(number for number, own_id, name in known if text in (own_id, name))
    if exact:
        return exact
    if thing == "piece":
        labelled = tuple(x for x in range(meta.pieces) if text == piece_label(meta, x))
        if labelled:
            return labelled
    folded = text.casefold()
    return tuple(number for number, own_id, name in known if folded in (own_id.casefold(), name.casefold()))


def entries(meta: Meta, thing: str) -> Iterator[tuple[int, str, str]]:
    """(number, id, name) of every thing of that sort; empty for plain numbers."""
    match thing.partition(":"):
        case ("player", _, _):
            yield from ((n, f"seat{n + 1}", name) for n, name in enumerate(meta.seat_names))
        case ("piece", _, _):
            for piece in range(meta.pieces):
                row = meta.piece_row[piece]
                yield piece, meta.row_ids[row], meta.row_names[row] or meta.row_ids[row]
        case ("row", "", _):
            yield from ((n, own_id, meta.row_names[n] or own_id) for n, own_id in enumerate(meta.row_ids))
        case ("node", _, _):
            yield from ((n, own_id, name or own_id) for n, (own_id, name) in enumerate(meta.nodes))
        case ("edge", _, _):
            yield from ((n, own_id, name or own_id) for n, (own_id, name) in enumerate(meta.edges))
        case ("enum", _, name):
            yield from ((n, own_id, text or own_id) for n, own_id, text in meta.enums[name])
        case ("flag", _, _):
            yield from _FLAGS
        case ("direction", _, name):
            yield from ((n, own_id, text) for n, (own_id, text) in enumerate(meta.directions[name]))
        case ("die", _, _):
            yield from ((n, name, name) for n, name in enumerate(meta.die_names))
        case ("cell", _, _):
            yield from ((n, name, name) for n, name in enumerate(meta.cell_labels))


def element_of(thing: str) -> str:
    """The sort of the elements of a set."""
    return thing.removeprefix("set:")


def row_name(meta: Meta, piece: int) -> str:
    """The name of a piece; its equal copies have the same one."""
    return meta.piece_names[piece]


def piece_label(meta: Meta, piece: int) -> str:
    """The name of a piece, with a number if there are equal copies: `red fan 2`."""
    return meta.piece_labels[piece]


def owner_name(meta: Meta, declared: FieldMeta | PlaceMeta) -> str:
    """The owner of a field or place: `table`, `player`, or the kind of the pieces, nodes or edges that have it."""
    if declared.owner in ("table", "player"):
        return declared.owner
    _, low, size = declared.dimensions[0]
    kinds = [kind for number, kind in _kinds(meta, declared.owner) if low <= number < low + size]
    return " | ".join(dict.fromkeys(kinds)) or declared.owner


def _kinds(meta: Meta, owner: str) -> Iterator[tuple[int, str]]:
    """(number, kind) of every piece, node or edge."""
    if owner == "piece":
        yield from enumerate(meta.piece_kind)
    for board in meta.boards if owner != "piece" else ():
        pairs = (board.nodes, board.node_kinds) if owner == "node" else (board.edges, board.edge_kinds)
        yield from zip(*pairs, strict=True)


def index_name(meta: Meta, thing: str, number: int) -> str:
    """The key of an index in a view: nodes and edges by id, as on a map, everything else by name."""
    return id_of(meta, thing, number) if thing in ("node", "edge") else name_of(meta, thing, number)


def index_names(meta: Meta, dimension: tuple[str, int, int]) -> tuple[str, ...]:
    """The keys of all indexes of a dimension, in order."""
    known = meta.known_indexes.get(dimension)
    if known is None:
        thing, low, size = dimension
        known = tuple(index_name(meta, thing, number) for number in range(low, low + size))
        meta.known_indexes[dimension] = known
    return known


def _text(meta: Meta, thing: str, number: int, by_id: bool) -> str:
    known = meta.known_texts.get((thing, number, by_id))
    if known is None:
        known = meta.known_texts[thing, number, by_id] = _found_text(meta, thing, number, by_id)
    return known


def _found_text(meta: Meta, thing: str, number: int, by_id: bool) -> str:
    if number == none_number(thing):
        return NONE_TEXT
    match thing.partition(":")[0]:
        case "piece":
            return meta.row_ids[meta.piece_row[number]] if by_id else row_name(meta, number)
        case "node" | "edge" as owner:
            own_id, name = (meta.nodes if owner == "node" else meta.edges)[number]
            return own_id if by_id else name or own_id
        case "number" | "formula":
            return str(number)
        case "row" if ":" in thing:
            return str(number + 1)
    for known, own_id, name in entries(meta, thing):
        if known == number:
            return own_id if by_id else name
    return str(number)


def _whole_number(thing: str, text: str) -> tuple[int, ...]:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()):
        return ()
    return (int(text) - 1,) if thing.startswith("row:") else (int(text),)
