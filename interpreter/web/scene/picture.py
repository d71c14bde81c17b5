"""A small picture of a game for the lobby: its map with what lies on it at the beginning, or its components.

Made from the scene that a spectator sees, or from a drawing that the ruleset brings. Texts are escaped; nothing but
shapes and short texts is written.
"""

from __future__ import annotations

from math import cos, pi, sin
from random import Random
from typing import Any
from xml.sax.saxutils import escape

from .colours import ink_on
from .declarations import declarations_of
from .drawing import Data
from .pieces import printed_data
from .presentation import presentation_of
from .scene import scene_of

WIDE, HIGH, EDGE = 240.0, 140.0, 14.0
GROUND, PAPER, LINE, INK, DARK, STONE = "#ece8df", "#ffffff", "#c9c3b6", "#1d1b17", "#d9d2c2", "#8d8674"
TYPE = {"font_family": "sans-serif", "font_size": "17", "font_weight": "700"}
MOST_CARDS = 4
CHOICES = 14


def picture_of(game: Any) -> str:
    """The picture of a game, as SVG."""
    looks = presentation_of(game)
    said = looks.data.get("picture")
    if said in looks.drawings:
        return _sheet(looks.drawings[said].replace("<svg ", f'<svg width="{WIDE:g}" height="{HIGH:g}" ', 1))
    scene = scene_of(game, _some_way_in(game), None)
    maps = [one for one in scene["maps"] if one["nodes"] and "on" not in one]
    chosen = next((one for one in maps if one["id"] == f"m.{said}"), maps[0] if maps else None)
    if chosen is not None:
        return _sheet(_map(scene, chosen))
    return _sheet(_components(game, scene, said))


def _some_way_in(game: Any) -> Any:
    """A position after some random choices: most boards are empty at the beginning."""
    state, chance = game.new(seed=1), Random(1)
    for _ in range(CHOICES):
        if state.over:
            return game.new(seed=1)
        state.apply(chance.randrange(len(state.decision.options)))
    return state


def _sheet(inside: str) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE:g} {HIGH:g}" role="img">'
        f'<rect width="{WIDE:g}" height="{HIGH:g}" fill="{GROUND}"/>{inside}</svg>'
    )


# ---------------------------------------------------------------------------- maps


def _map(scene: Data, drawn: Data) -> str:
    wide, high = drawn["box"]
    room = 1.0 if drawn["sort"] != "network" else 0.5
    step = min((WIDE - 2 * EDGE) / (wide + room), (HIGH - 2 * EDGE) / (high + room))
    across = step
    if drawn["sort"] == "network":
        across = min(step * drawn["stretch"], (WIDE - 2 * EDGE) / (wide + room))
    left, top = (WIDE - wide * across) / 2, (HIGH - high * step) / 2
    at = {node["id"]: (left + node["x"] * across, top + node["y"] * step) for node in drawn["nodes"]}
    pieces = {piece["id"]: piece for piece in scene["pieces"]}
    places = {place["id"]: place for place in scene["places"]}
    parts = [_edge(scene, at, edge) for edge in drawn["edges"]] if drawn["sort"] == "network" else []
    for node in drawn["nodes"]:
        parts.append(_node(drawn["sort"], *at[node["id"]], step, node, drawn))
        parts += _marks(scene, at[node["id"]], step, node, places, pieces)
    for over in (one for one in scene["maps"] if one.get("on") == drawn["id"]):
        there = {node["id"]: (left + node["x"] * across, top + node["y"] * step) for node in over["nodes"]}
        parts += [_edge(scene, there, edge) for edge in over["edges"] if edge.get("owner") is not None]
        for node in over["nodes"]:
            parts += _marks(scene, there[node["id"]], step * 0.6, node, places, pieces)
    return "".join(parts)


def _shape(name: str, inside: str = "", /, **values: float | str) -> str:
    """One element. Underscores in names of attributes stand for hyphens; numbers have one digit behind the point."""
    written = "".join(
        f' {key.replace("_", "-")}="{round(value, 1):g}"'
        if isinstance(value, float | int)
        else f' {key.replace("_", "-")}="{value}"'
        for key, value in values.items()
    )
    return f"<{name}{written}>{inside}</{name}>"


def _edge(scene: Data, at: dict[str, tuple[float, float]], edge: Data) -> str:
    (x1, y1), (x2, y2) = (at[end] for end in edge["ends"])
    colour = scene["seats"][edge["owner"]]["colour"] if edge.get("owner") is not None else LINE
    return _shape("line", x1=x1, y1=y1, x2=x2, y2=y2, stroke=colour, stroke_width=4)


def _node(sort: str, x: float, y: float, step: float, node: Data, drawn: Data) -> str:
    fill = node.get("tint", PAPER)
    if sort == "hexes":
        points = " ".join(
            f"{x + step * 0.56 * sin(n * pi / 3):.1f},{y - step * 0.56 * cos(n * pi / 3):.1f}" for n in range(6)
        )
        return _shape("polygon", points=points, fill=fill, stroke=GROUND)
    if sort == "grid":
        side = step * 0.94
        if "tint" not in node and (node["row"] + node["column"]) % 2 and drawn["checkered"]:
            fill = DARK
        return _shape("rect", x=x - side / 2, y=y - side / 2, width=side, height=side, rx=side * 0.1, fill=fill)
    size = min(11.0, step * 0.2)
    kinds = list(dict.fromkeys(one["kind"] for one in drawn["nodes"]))
    if kinds.index(node["kind"]) == 0 and len(kinds) > 1:
        left, wide = x - size * 1.7, size * 3.4
        return _shape("rect", x=left, y=y - size, width=wide, height=size * 2, rx=4, fill=fill, stroke=LINE)
    return _shape("circle", cx=x, cy=y, r=size, fill=fill, stroke=LINE)


def _marks(
    scene: Data, at: tuple[float, float], step: float, node: Data, places: dict[str, Data], pieces: dict[str, Data]
) -> list[str]:
    """The owner of a node, and the first pieces that lie there."""
    seats = [node["owner"]] if node["owner"] is not None else []
    for place in node["places"]:
        seats += [piece["owner"] for own in places[place]["pieces"] if (piece := pieces[own]).get("owner") is not None]
    radius = min(9.0, step * 0.3)
    found = []
    for number, seat in enumerate(seats[:2]):
        x = at[0] + (number - (min(len(seats), 2) - 1) / 2) * radius * 1.3
        colour = scene["seats"][seat]["colour"]
        found.append(_shape("circle", cx=x, cy=at[1], r=radius, fill=colour, stroke=INK, stroke_opacity=0.3))
        found.append(_shape("circle", cx=x, cy=at[1], r=radius * 0.35, fill=ink_on(colour)))
    return found


# ---------------------------------------------------------------------------- components


def _components(game: Any, scene: Data, said: str | None) -> str:
    """Dice and cards of the game, or its counters."""
    faces = _faces(game, said)
    dice = [die for group in scene["dice"] for die in group["dice"]][:2]
    if not faces and not dice:
        return _numbers(scene)
    x = (WIDE - len(faces) * 46 - len(dice) * 50) / 2
    parts = []
    for number in range(len(dice)):
        parts.append(_die(x + 4, HIGH / 2 - 21, (3, 5)[number]))
        x += 50
    for face in faces:
        parts.append(_card(x + 3, HIGH / 2 - 30, face))
        x += 46
    return "".join(parts)


def _faces(game: Any, said: str | None) -> list[Data]:
    """Some faces of one kind, from the first to the last: the kind that the presentation names, else one of cards."""
    declared = declarations_of(game, presentation_of(game))
    kinds = sorted(game.meta.kinds, key=lambda kind: (kind != said, declared.look(kind) != "card"))
    if not kinds:
        return []
    first, count = game.meta.kinds[kinds[0]]
    rows = list(dict.fromkeys(game.meta.piece_row[first : first + count]))
    return [printed_data(declared, kinds[0], row) for row in rows[:: max(1, len(rows) // MOST_CARDS)][:MOST_CARDS]]


def _card(x: float, y: float, face: Data) -> str:
    last = str(face["name"]).split(" ")[-1]
    mark = str(face.get("figure") or (last if len(last) < 3 else last[0].upper()))[:3]
    return (
        _shape("rect", x=x, y=y, width=40, height=60, rx=5, fill=PAPER, stroke=LINE)
        + _shape("rect", x=x + 5, y=y + 46, width=30, height=8, rx=4, fill=face.get("tint", PAPER))
        + _shape("text", escape(mark), x=x + 20, y=y + 31, fill=INK, text_anchor="middle", **TYPE)
    )


def _die(x: float, y: float, face: int) -> str:
    spots = {3: ((0, 0), (1, 1), (2, 2)), 5: ((0, 0), (0, 2), (1, 1), (2, 0), (2, 2))}[face]
    pips = [_shape("circle", cx=x + 11 + 10 * column, cy=y + 11 + 10 * row, r=3.4, fill=INK) for row, column in spots]
    return _shape("rect", x=x, y=y, width=42, height=42, rx=8, fill=PAPER, stroke=LINE) + "".join(pips)


def _numbers(scene: Data) -> str:
    """A game of numbers alone: heaps of counters."""
    family = next((one for one in scene["counters"] if one.get("items")), None)
    values = [item["value"] for item in family["items"]] if family is not None else [1, 3, 5]
    heights = [min(value, 9) if type(value) is int else 1 for value in values][:12]
    gap = min(34.0, (WIDE - 2 * EDGE) / max(1, len(heights)))
    left = (WIDE - gap * (len(heights) - 1)) / 2
    return "".join(
        _shape("circle", cx=left + gap * column, cy=HIGH - 22 - 11 * row, r=5, fill=STONE)
        for column, height in enumerate(heights)
        for row in range(height)
    )
