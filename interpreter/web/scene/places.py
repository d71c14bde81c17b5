"""Places with what lies in them.

Each element of a declared place is a place of its own; those of one declaration with indexes form a *group*, and
families of one owner over the same index stand in the rows of one group.
"""

from __future__ import annotations

from collections import Counter
from itertools import product

from ...runtime.meta import PlaceMeta
from ...runtime.names import name_of
from ...runtime.sight import Heap
from .drawing import Data, Drawing
from .ids import edge_id, elements_of, index_dimensions, indexed, node_id, owned
from .pieces import piece_data

SORTS = {"pile": "pile", "row": "row", "pool": "pool", "hand": "hand", "bag": "bag", "slot": "slot", "slots": "slot"}


def add_places(drawing: Drawing) -> None:
    """Every place of the table, of players, nodes and edges, and what the pieces there carry."""
    for declared in drawing.meta.places:
        if declared.owner != "piece":
            for owner, numbers, place in elements_of(declared):
                add_place(drawing, declared, owner, numbers, place)


def add_place(drawing: Drawing, declared: PlaceMeta, owner: int, numbers: tuple[int, ...], place: int) -> str:
    own_id = drawing.place_id(place)
    if declared.owner == "piece":
        found = _described(drawing, declared, owner, numbers, own_id)
    else:
        found = drawing.declared.place(place, lambda: _described(drawing, declared, owner, numbers, own_id)).copy()
    heap = drawing.sight.heap(place)
    found["count"] = heap.count
    if declared.shape == "bag":
        known = _known(drawing, heap)
        found |= {"known": known} if known else {}
    else:
        found["pieces"] = _lay_pieces(drawing, place, own_id)
    drawing.places[own_id] = found
    return own_id


def _described(drawing: Drawing, declared: PlaceMeta, owner: int, numbers: tuple[int, ...], own_id: str) -> Data:
    """What holds of a place whatever lies there."""
    found: Data = {
        "id": own_id,
        "name": _name(drawing, declared, numbers),
        "sort": SORTS[declared.shape],
        "visibility": declared.visibility,
        "owner": owner if declared.owner == "player" else None,
        "capacity": declared.capacity if declared.is_limited else None,
        "kinds": list(declared.kinds),
        "declared": declared.id,
        "index": _index_words(drawing, declared, numbers),
        "at": _at(drawing, declared, owner, numbers),
        "count": None,
        "pieces": [],
    }
    if all(drawing.declared.look(kind) in ("card", "tile") for kind in declared.kinds):
        found["look"] = "cards"
    return found | ({"cites": list(declared.cites)} if declared.cites else {})


def _known(drawing: Drawing, heap: Heap) -> list[Data]:
    """What must be in a bag: nobody points at a piece there, so faces are counted."""
    rows = Counter(shown.row for shown in heap.shown if shown.row is not None)
    return [
        {"name": drawing.meta.row_names[row] or drawing.meta.row_ids[row], "count": count}
        for row, count in sorted(rows.items())
    ]


def _lay_pieces(drawing: Drawing, place: int, own_id: str) -> list[str]:
    before: Counter[int] = Counter()
    ids: list[str] = []
    standing = drawing.standing_for.setdefault(place, [])
    for position, shown in enumerate(drawing.sight.heap(place).shown):
        piece = drawing.piece_id(shown, own_id, position, before)
        if piece in drawing.pieces:  # two views of one piece, inside a `together` block
            piece = f"{own_id}@{position + 1}"
        if shown.number is not None:
            drawing.piece_ids[shown.number] = piece
        standing.append((shown, piece))
        data = drawing.pieces[piece] = piece_data(drawing, shown, piece)
        data["place"] = own_id
        if shown.number is not None and shown.number in drawing.meta.owning_pieces:
            carried = _carried(drawing, shown.number)
            if carried:
                data["carries"] = carried
        ids.append(piece)
    return ids


def _carried(drawing: Drawing, piece: int) -> list[str]:
    """The places that a piece has, with what lies in them; those that are empty and no frames are left out."""
    found = []
    for declared in drawing.declared.places_of("piece"):
        _, low, size = declared.dimensions[0]
        if not low <= piece < low + size:
            continue
        each = declared.size // size
        first = declared.base + (piece - low) * each
        ranges = [range(start, start + count) for _, start, count in index_dimensions(declared)]
        for place, numbers in zip(range(first, first + each), product(*ranges), strict=True):
            if declared.shape in ("slot", "slots") or drawing.sight.heap(place).count != 0:
                found.append(add_place(drawing, declared, piece, numbers, place))
    return found


def _name(drawing: Drawing, declared: PlaceMeta, numbers: tuple[int, ...]) -> str:
    words = drawing.declared.title(declared)
    index = _index_words(drawing, declared, numbers)
    return f"{words}: {index}" if index else words


def _index_words(drawing: Drawing, declared: PlaceMeta, numbers: tuple[int, ...]) -> str | None:
    pairs = zip(index_dimensions(declared), numbers, strict=True)
    return ", ".join(name_of(drawing.meta, thing, number) for (thing, _, _), number in pairs) or None


def _at(drawing: Drawing, declared: PlaceMeta, owner: int, numbers: tuple[int, ...]) -> str | None:
    """The node, edge or piece on which a place is drawn."""
    meta = drawing.meta
    if declared.owner == "node":
        return node_id(meta, owner)
    if declared.owner == "edge":
        return edge_id(meta, owner)
    if declared.owner == "piece":
        return drawing.piece_ids.get(owner)
    for (thing, _, _), number in zip(index_dimensions(declared), numbers, strict=True):
        if thing == "node":
            return node_id(meta, number)
        if thing == "edge":
            return edge_id(meta, number)
    return None


# ---------------------------------------------------------------------------- groups


def add_groups(drawing: Drawing) -> None:
    """Places with an index, in rows; families over the same index that stand side by side in the rules share them, and
    those that the presentation names."""
    meta = drawing.meta
    for owner in ("table", "player"):
        families = [place for place in meta.places if place.owner == owner and index_dimensions(place)]
        joined: list[list[PlaceMeta]] = []
        for place in families:
            if _is_on_map(place):
                continue
            partner = next((members for members in joined if _go_together(drawing, members, place)), None)
            if partner is not None:
                partner.append(place)
            else:
                joined.append([place])
        for seat in range(meta.players) if owner == "player" else (-1,):
            for members in joined:
                _add_group(drawing, members, owner, seat)


def _go_together(drawing: Drawing, members: list[PlaceMeta], place: PlaceMeta) -> bool:
    if index_dimensions(members[0]) != index_dimensions(place):
        return False
    for group in drawing.declared.presentation.groups:
        if place.id in group:
            return members[0].id in group
        if any(member.id in group for member in members):
            return False
    follows = drawing.meta.places.index(place) == drawing.meta.places.index(members[-1]) + 1
    return follows and place.shape != "slots"


def _is_on_map(place: PlaceMeta) -> bool:
    return any(thing in ("node", "edge") for thing, _, _ in index_dimensions(place))


def _add_group(drawing: Drawing, members: list[PlaceMeta], owner: str, seat: int) -> None:
    meta, rows = drawing.meta, []
    first = members[0]
    own_id = owned(meta, owner, seat, first.id) + "[]"
    for _, numbers, _ in ((o, n, p) for o, n, p in elements_of(first) if o == seat):
        ids = [
            indexed(meta, owned(meta, owner, seat, member.id), index_dimensions(member), numbers) for member in members
        ]
        rows.append({"label": _index_words(drawing, first, numbers) or "", "places": ids})
        for one in ids:
            drawing.places[one]["group"] = own_id
    drawing.groups[own_id] = {
        "id": own_id,
        "name": ", ".join(drawing.declared.words(member) for member in members).capitalize(),
        "sort": "slots" if first.shape in ("slots", "slot") else "places",
        "seat": seat if owner == "player" else None,
        "columns": [drawing.declared.title(member) for member in members],
        "rows": rows,
    }
    if len(members) == 1 and first.shape in ("slots", "slot"):
        lattice = _lattice(drawing, first, seat)
        if lattice is not None:
            drawing.groups[own_id]["lattice"] = lattice


def _lattice(drawing: Drawing, declared: PlaceMeta, seat: int) -> Data | None:
    """The words of both indexes of `wall[1..5, Colour]: slot of Tile`, whose spaces are drawn in lines and columns."""
    dimensions = index_dimensions(declared)
    if len(dimensions) != 2:
        return None
    numbers = [found for owner, found, _ in elements_of(declared) if owner == seat]
    lines, columns = (
        [name_of(drawing.meta, thing, number) for number in dict.fromkeys(one[at] for one in numbers)]
        for at, (thing, _, _) in enumerate(dimensions)
    )
    return {"lines": lines, "columns": columns} if len(lines) > 1 and len(columns) > 1 else None
