"""Places with what lies in them.

Each element of a declared place is a place of its own; those of one declaration with indexes form a *group*, and
families of one owner over the same index stand in the rows of one group.
"""

from __future__ import annotations

from collections import Counter

from ...runtime.meta import PlaceMeta
from ...runtime.names import name_of
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
    heap = drawing.sight.heap(place)
    ids = _lay_pieces(drawing, place, own_id)
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
        "count": heap.count,
        "pieces": ids,
    }
    if declared.cites:
        found["cites"] = list(declared.cites)
    drawing.places[own_id] = found
    return own_id


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
    """The places that a piece has, with what lies in them."""
    found = []
    for declared in drawing.declared.places_of("piece"):
        for owner, numbers, place in elements_of(declared):
            if owner == piece:
                found.append(add_place(drawing, declared, owner, numbers, place))
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
    """Places with an index, in rows; families over the same index that stand side by side in the rules share them."""
    meta = drawing.meta
    for owner in ("table", "player"):
        families = [place for place in meta.places if place.owner == owner and index_dimensions(place)]
        joined: list[list[PlaceMeta]] = []
        for place in families:
            if _is_on_map(place):
                continue
            if joined and index_dimensions(joined[-1][0]) == index_dimensions(place) and place.shape not in ("slots",):
                joined[-1].append(place)
            else:
                joined.append([place])
        for seat in range(meta.players) if owner == "player" else (-1,):
            for members in joined:
                _add_group(drawing, members, owner, seat)


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
