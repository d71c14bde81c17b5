"""What has changed between two scenes of one seat: which things, which numbers, which pieces went where.

Scenes are compared, not states: whatever the seat could not see before or cannot see now has no part in it. Pieces
with the same id in both have moved if they lie elsewhere. Of the others only numbers are known: so many red fans fewer
here, so many more there; these are paired, equal faces first, then faces with backs of their kind.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from .drawing import Data

Face = tuple[str | None, str | None]  # kind, name


def nothing_changed() -> Data:
    return {"ids": [], "moves": [], "counters": []}


def mark_changes(scene: Data, before: Data) -> None:
    """Writes into a scene what has changed since another one, and marks the things that did."""
    moves = _moves(before, scene)
    counters = _counters(before, scene)
    ids = [*_changed_places(before, scene), *_changed_map(before, scene), *_changed_dice(before, scene)]
    ids += [change["id"] for change in counters]
    scene["changes"] = {"ids": ids, "moves": moves, "counters": counters}


def _by_id(things: list[Data]) -> dict[str, Data]:
    return {thing["id"]: thing for thing in things}


# ---------------------------------------------------------------------------- places, maps, dice


def _changed_places(before: Data, scene: Data) -> list[str]:
    old, found = _by_id(before["places"]), []
    for place in scene["places"]:
        was = old.get(place["id"])
        if was is None or was["pieces"] != place["pieces"] or was["count"] != place["count"]:
            if was is None and not place["pieces"]:
                continue
            place["changed"] = True
            found.append(place["id"])
    return found


def _changed_map(before: Data, scene: Data) -> list[str]:
    found = []
    for part in ("nodes", "edges"):
        old = _by_id([thing for one in before["maps"] for thing in one[part]])
        for thing in (thing for one in scene["maps"] for thing in one[part]):
            was = old.get(thing["id"], {})
            boards = _changed_boards(was.get("fields", []), thing.get("fields", []))
            if boards:
                thing["changed_on"] = boards
            elif any(was.get(key) != thing.get(key) for key in ("owner", "fields", "standing")):
                thing["changed"] = True
                found.append(thing["id"])
    return found


def _changed_boards(before: list[Data], after: list[Data]) -> list[int]:
    """The seats on whose own boards something else is written now on a node. It is new on those and on no other one."""
    other = [one for one in before if one not in after] + [one for one in after if one not in before]
    return sorted({one["of"] for one in other if "of" in one})


def _changed_dice(before: Data, scene: Data) -> list[str]:
    old, found = _by_id(before["dice"]), []
    for group in scene["dice"]:
        if old.get(group["id"], {}).get("dice") != group["dice"]:
            group["changed"] = True
            found.append(group["id"])
    return found


# ---------------------------------------------------------------------------- counters


def _counters(before: Data, scene: Data) -> list[Data]:
    old = _by_id([one for counter in before["counters"] for one in (counter, *counter.get("items", ()))])
    found = []
    for counter in scene["counters"]:
        for one in (counter, *counter.get("items", ())):
            was = old.get(one["id"])
            if was is not None and was["value"] != one["value"]:
                one["changed"] = _difference(was["value"], one["value"])
                found.append({"id": one["id"], "from": was["value"], "to": one["value"]})
    return found


def _difference(before: Any, after: Any) -> int | None:
    if type(before) is int and type(after) is int:
        return after - before
    return None


# ---------------------------------------------------------------------------- pieces


def _moves(before: Data, scene: Data) -> list[Data]:
    old, new = _by_id(before["pieces"]), _by_id(scene["pieces"])
    found = [
        {"piece": own, "from": old[own]["place"], "to": piece["place"]}
        for own, piece in new.items()
        if own in old and old[own]["place"] != piece["place"]
    ]
    moved = {move["piece"] for move in found}
    found += _paired(
        [piece for own, piece in old.items() if own not in moved] + _bagged(before),
        [piece for own, piece in new.items() if own not in moved] + _bagged(scene),
    )
    return found


def _bagged(scene: Data) -> list[Data]:
    """The pieces in bags, which a scene only counts: as many backs."""
    return [
        {
            "id": None,
            "kind": place["kinds"][0] if len(place["kinds"]) == 1 else None,
            "name": None,
            "place": place["id"],
        }
        for place in scene["places"]
        if place["sort"] == "bag"
        for _ in range(place["count"] or 0)
    ]


def _paired(old: list[Data], new: list[Data]) -> list[Data]:
    """Moves of pieces that have no id of their own, from what is missing and what is more."""
    leaving, arriving = _difference_of(old, new), _difference_of(new, old)
    found: list[Data] = []
    for fits in (_same_face, _same_kind, _any_back):
        for piece in list(arriving):
            source = next((one for one in leaving if fits(one, piece) and one["place"] != piece["place"]), None)
            if source is not None:
                leaving.remove(source)
                arriving.remove(piece)
                found.append({"piece": piece["id"], "from": source["place"], "to": piece["place"]})
    return found


def _difference_of(some: list[Data], others: list[Data]) -> list[Data]:
    """The pieces of `some` that are more than those of `others` in the same place with the same face."""
    left: Counter[tuple[str, Face]] = Counter((piece["place"], _face(piece)) for piece in others)
    found = []
    for piece in some:
        key = piece["place"], _face(piece)
        if left[key]:
            left[key] -= 1
        else:
            found.append(piece)
    return found


def _face(piece: Data) -> Face:
    return piece["kind"], piece["name"]


def _same_face(one: Data, other: Data) -> bool:
    return _face(one) == _face(other)


def _same_kind(one: Data, other: Data) -> bool:
    return one["kind"] == other["kind"] and (one["name"] is None or other["name"] is None)


def _any_back(one: Data, other: Data) -> bool:
    return (one["kind"] is None and one["name"] is None) or (other["kind"] is None and other["name"] is None)
