"""Which thing stands in which part of the screen.

One skeleton for all games. `board` is the middle: the first map, or the places of the table if there is none. `tray`
is what is mine and is played from: hands, and pools of cards. `seat` is the panel of a player, `left` what remains of
the table: counters, tracks, heaps that nobody plays from directly.
"""

from __future__ import annotations

from .drawing import Data, Drawing


def areas_of(drawing: Drawing) -> list[Data]:
    areas: list[Data] = []
    has_map = bool(drawing.maps)
    for own in drawing.maps:
        areas.append(_area(f"a.{own}", drawing.maps[own]["name"], "board", None, [own]))
    table = _loose(drawing, None)
    dice = [own for own, one in drawing.dice.items() if one["seat"] is None and one["at"] is None]
    if table or dice:
        areas.append(_area("a.table", None, "left" if has_map else "board", None, dice + table))
    counters = [*drawing.tracks, *(own for own, one in drawing.counters.items() if one["seat"] is None)]
    if counters:
        areas.append(_area("a.counters", None, "left", None, counters))
    for seat in range(drawing.meta.players):
        areas += _seat_areas(drawing, seat)
    for order, area in enumerate(areas):
        area["order"] = order
    return areas


def _seat_areas(drawing: Drawing, seat: int) -> list[Data]:
    items = _loose(drawing, seat)
    dice = [own for own, one in drawing.dice.items() if one["seat"] == seat]
    tray = [item for item in items if seat == drawing.player and _is_played_from(drawing, item)]
    found = []
    if tray:
        found.append(_area("a.tray", None, "tray", seat, tray))
    rest = dice + [item for item in items if item not in tray]
    if rest:
        found.append(_area(f"a.p{seat}", None, "seat", seat, rest))
    return found


def _loose(drawing: Drawing, seat: int | None) -> list[str]:
    """Groups and places without a group of one owner, those on maps and pieces left out; in the order of the rules."""
    found: list[str] = []
    for place in drawing.places.values():
        if place["owner"] != seat or place["at"] is not None or (seat is None and place["id"][:2] in ("n.", "e.")):
            continue
        item = place.get("group", place["id"])
        if item not in found:
            found.append(item)
    return found


def _is_played_from(drawing: Drawing, item: str) -> bool:
    place = drawing.places.get(item)
    if place is None:
        return False
    if place["visibility"] in ("secret", "hidden") or place["sort"] == "hand":
        return True
    looks = {drawing.declared.look(kind) for kind in place["kinds"]}
    return place["sort"] == "pool" and "card" in looks


def _area(own: str, title: str | None, column: str, seat: int | None, items: list[str]) -> Data:
    return {"id": own, "title": title, "column": column, "seat": seat, "order": 0, "items": items}
