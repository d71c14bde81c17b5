"""Which thing stands in which part of the screen.

One skeleton for all games. `board` is the middle: the first map, or the places of the table if there is none. `tray`
is what is mine and is played from: hands, pools and rows of cards, the spaces of my own board that take cards. `seat`
is the panel of a player, `left` what remains of the table: counters, tracks, heaps that nobody plays from directly.

What the presentation puts into areas comes first, in its order; an area of player things is made for each seat. In the
tray are only my own things: what the presentation puts there of others is in their panels.
"""

from __future__ import annotations

from .drawing import Data, Drawing
from .presentation import in_language

LONGEST_BOARD = 12  # places of one family in the tray


def areas_of(drawing: Drawing) -> list[Data]:
    left = _things(drawing)
    areas = [
        area
        for number, said in enumerate(drawing.declared.presentation.areas)
        for area in _said_areas(drawing, number, said, left)
    ]
    areas += _declared_areas(drawing, left)
    _fill_board(drawing, areas)
    for order, area in enumerate(areas):
        area["order"] = order
    return areas


def _fill_board(drawing: Drawing, areas: list[Data]) -> None:
    """A game with neither a map nor places of the table has its counters in the middle, beside the dice if there are
    some; or else what players have."""
    board = [own for area in areas if area["column"] == "board" for own in area["items"]]
    if board and all(own in drawing.dice for own in board):
        for area in areas:
            if area["column"] == "left":
                area["column"] = "board"
    for column in ("left", "seat"):
        if not any(area["column"] == "board" for area in areas):
            for area in areas:
                if area["column"] == column:
                    area["column"] = "board"


# ---------------------------------------------------------------------------- things


def _things(drawing: Drawing) -> dict[str, int | None]:
    """Everything that stands in an area by itself, with its seat; in the order of the rules."""
    hides = drawing.declared.presentation.hides
    found: dict[str, int | None] = {}
    found.update(dict.fromkeys(own for own, drawn in drawing.maps.items() if "on" not in drawn))
    for place in drawing.places.values():
        owner = "table" if place["owner"] is None else "player"
        if place["at"] is None and not hides(owner, place["declared"]):
            found.setdefault(place["group"] if "group" in place else place["id"], place["owner"])
    for group in drawing.dice.values():
        if group["at"] is None:
            found[group["id"]] = group["seat"]
    found |= dict.fromkeys(drawing.tracks)
    found |= {own: None for own, counter in drawing.counters.items() if counter["seat"] is None}
    return found


# ---------------------------------------------------------------------------- by the presentation


def _said_areas(drawing: Drawing, number: int, said: Data, left: dict[str, int | None]) -> list[Data]:
    found: dict[int | None, list[str]] = {}
    for name in said["items"]:
        for own in [own for own, seat in left.items() if _is_called(drawing, own, seat, name)]:
            seat = left.pop(own)
            found.setdefault(seat, []).append(own)
    title = in_language(said.get("title"), drawing.declared.language)
    areas = []
    for seat, items in found.items():
        column = said["column"]
        if column == "tray" and seat is not None and seat != drawing.player:
            column = "seat"
        own_id = f"a{number}" if seat is None else f"a{number}.p{seat}"
        area = _area(own_id, title, column, seat, items)
        areas.append(area | {key: True for key in ("folded", "main") if said.get(key)})
    return areas


def _is_called(drawing: Drawing, own: str, seat: int | None, name: str) -> bool:
    """Whether a name in the presentation means this thing: `market`, `player.flyers`, a map, a track by its chart."""
    owner, dot, bare = name.rpartition(".")
    if dot and owner != ("table" if seat is None else "player"):
        return False
    plain = own.removeprefix(f"p{seat}.") if seat is not None else own
    if own in drawing.groups:
        return any(drawing.places[place]["declared"] == bare for place in drawing.groups[own]["rows"][0]["places"])
    return plain.split("[")[0] in (bare, f"m.{bare}", f"t.{bare}")


# ---------------------------------------------------------------------------- by declaration


def _declared_areas(drawing: Drawing, left: dict[str, int | None]) -> list[Data]:
    areas = [_area(f"a.{own}", drawing.maps[own]["name"], "board", None, [own]) for own in left if own in drawing.maps]
    table = [own for own, seat in left.items() if seat is None and _is_heap(drawing, own)]
    numbers = [own for own, seat in left.items() if seat is None and own not in drawing.maps and own not in table]
    if table:
        areas.append(_area("a.table", None, "left" if drawing.maps else "board", None, table))
    if numbers:
        areas.append(_area("a.counters", None, "left", None, numbers))
    for seat in range(drawing.meta.players):
        items = [own for own, owner in left.items() if owner == seat]
        tray = [own for own in items if seat == drawing.player and _is_played_from(drawing, own)]
        tray.sort(key=lambda own: own not in drawing.places or drawing.places[own]["sort"] != "hand")
        if tray:
            areas.append(_area("a.tray", None, "tray", seat, tray) | _main(drawing, tray))
        rest = [own for own in items if own not in tray]
        if rest:
            areas.append(_area(f"a.p{seat}", None, "seat", seat, rest))
    return areas


def _is_heap(drawing: Drawing, own: str) -> bool:
    return own in drawing.places or own in drawing.groups or own in drawing.dice


def _main(drawing: Drawing, tray: list[str]) -> Data:
    """A hand is the main thing of a game that has no map."""
    hands = [own for own in tray if own in drawing.places and drawing.places[own]["sort"] == "hand"]
    return {"main": True} if hands and not drawing.maps else {}


def _is_played_from(drawing: Drawing, item: str) -> bool:
    place = drawing.places.get(item)
    if place is None:
        return item in drawing.dice or _is_board_of_cards(drawing, item)
    if place["sort"] == "hand" or place["visibility"] in ("secret", "open_to_others"):
        return True
    return place["sort"] in ("pool", "row") and _holds_cards(drawing, item)


def _is_board_of_cards(drawing: Drawing, item: str) -> bool:
    """A family of places for cards, such as the spaces of a player's own board. A long one stays in the panel."""
    places = [place for row in drawing.groups.get(item, {"rows": []})["rows"] for place in row["places"]]
    return 0 < len(places) <= LONGEST_BOARD and all(_holds_cards(drawing, place) for place in places)


def _holds_cards(drawing: Drawing, place: str) -> bool:
    return any(drawing.declared.look(kind) in ("card", "tile") for kind in drawing.places[place]["kinds"])


def _area(own: str, title: str | None, column: str, seat: int | None, items: list[str]) -> Data:
    return {"id": own, "title": title, "column": column, "seat": seat, "order": 0, "items": items}
