"""Draws a map as SVG that a player recognises: names, boxes on streets, owners' colours, pieces.

Hexes are drawn as pointy-topped hexagons, grids as squares, everything else as spots joined by paths. `map_picture`
decides what is drawn where; this module decides how it looks.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from math import cos, hypot, pi, sin
from typing import Any

from ..runtime.meta import BoardMeta, Meta
from .colours import NEUTRAL, ink_on, kind_colour
from .map_picture import Picture, Spot, Token, Way, picture_of
from .svg import Point, Sheet, width_of, wrapped

INK = "#2b2b2b"
PAPER = "#fbfaf6"
ROADS = ("#d8d2c4", "#a9cfe8", "#c9dfb4", "#e6c6a8", "#d6c4e3")  # one for each kind of edges
ROAD_EDGE = "#a79f8e"
HEX = 104.0  # width of a hexagon
SQUARE = 88.0
APART = 165.0  # how far two places of a graph are apart, the nearest ones
CHEQUER = "#f4ecdc"
_MOST_LOOKED_AT = 600
_TRIES = [
    (0, 1),
    (0, -1),
    (14, 1),
    (14, -1),
    (28, 1),
    (28, -1),
    (42, 1),
]  # how far off a way its text stands, which side
OVERLAYS = ("#6f94b5", "#b58a6f", "#8f6fb5")


def draw_map(meta: Meta, board: BoardMeta, state: Any | None = None) -> str:
    """The drawing of a map, with what lies on it in a state if one is given."""
    return _Drawing(picture_of(meta, board, state)).finish()


@dataclass(frozen=True)
class _Size:
    """Half the room that a spot takes, and the sizes of text in it."""

    wide: float
    high: float
    title: float = 12.0
    note: float = 9.5


class _Drawing:
    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self.sheet = Sheet()
        self.places = self._scaled()
        self.sizes = [self._size(spot) for spot in picture.spots]
        count = max(1, len(self.places))
        self.centre = (sum(x for x, _ in self.places) / count, sum(y for _, y in self.places) / count)

    def finish(self) -> str:
        for way in sorted(self.picture.ways, key=lambda way: -way.overlay):
            self._draw_way(way)
        for way in self.picture.ways:
            self._put_boxes(way)
        for number in range(len(self.picture.spots)):
            self._draw_spot(number)
        for way in self.picture.ways:
            self._draw_border(way)
            self._name_way(way)
        left, top, right, bottom = self._bounds()
        if self.picture.form == "grid":
            self._number_grid(left, bottom)
            left, bottom = left - 22, bottom + 18
        bottom = self._legend(left, bottom, max(right - left, 360.0))
        self.sheet.text((left + 4, top - 22), self.picture.title, 18, INK, bold=True, anchor="start")
        longest = left + width_of(self.picture.title, 18) + 30
        return self.sheet.finish(
            left - 24, top - 48, max(right, left + 360, longest) + 24, bottom + 16, self.picture.title
        )

    # ------------------------------------------------------------------ room

    def _scaled(self) -> list[Point]:
        spots = self.picture.spots
        if self.picture.form == "hex":
            scale = HEX
        elif self.picture.form == "grid":
            scale = SQUARE
        else:
            near = _nearest(spots)
            joined = [_apart(spots[a], spots[b]) for a, b in (way.ends for way in self.picture.ways if not way.overlay)]
            typical = sorted(joined)[len(joined) // 4] if joined else near
            scale = APART / max(near, typical * 0.75, 1e-6)
        return [(spot.x * scale, spot.y * scale) for spot in spots]

    def _size(self, spot: Spot) -> _Size:
        match self.picture.form:
            case "hex":
                return _Size(HEX / 2, HEX / 3**0.5, 11.0, 9.0)
            case "grid":
                return _Size(SQUARE / 2, SQUARE / 2, 10.0, 9.0)
        lines = wrapped(spot.title, 12, 84)
        widest = max([width_of(line, 12) for line in lines] + [width_of(note, 9.5) for note in spot.notes] + [20.0])
        high = 11.0 + 7.0 * len(lines) + 5.5 * len(spot.notes)
        return _Size(max(24.0, widest / 2 + 9), max(21.0, high))

    def _bounds(self) -> tuple[float, float, float, float]:
        """Left, top, right and bottom of all spots with their notes and tokens."""
        lefts, tops, rights, bottoms = [0.0], [0.0], [0.0], [0.0]
        if self.places:
            lefts, tops, rights, bottoms = [], [], [], []
        for (x, y), size, spot in zip(self.places, self.sizes, self.picture.spots, strict=True):
            below = 0.0 if self.picture.form != "graph" else 20.0 * _rows(spot.tokens)
            lefts.append(x - size.wide)
            rights.append(x + size.wide)
            tops.append(y - size.high)
            bottoms.append(y + size.high + below)
        for way in self.picture.ways:
            (x, y), _ = self._middle(way)
            room = max([width_of(line, 9.0) for line in (way.title, *way.notes)] + [4.0])
            lefts.append(x - room)
            rights.append(x + room)
            tops.append(y - 4)
            bottoms.append(y + 4)
        return min(lefts), min(tops), max(rights), max(bottoms)

    # ------------------------------------------------------------------ ways

    def _middle(self, way: Way) -> tuple[Point, Point]:
        """The point halfway along a path, and the control point of its curve."""
        a, b = (self.places[end] for end in way.ends)
        x, y = (a[0] + b[0]) / 2, (a[1] + b[1]) / 2
        far = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
        across = ((a[1] - b[1]) / far, (b[0] - a[0]) / far)
        bend = 62.0 * way.lane
        if way.overlay:
            outward = across[0] * (x - self.centre[0]) + across[1] * (y - self.centre[1])
            bend = (0.24 * far + 14.0 * way.overlay) * (-1 if outward < 0 else 1)
        toward = (x + across[0] * bend, y + across[1] * bend)
        return ((x + toward[0]) / 2, (y + toward[1]) / 2), toward

    def _draw_way(self, way: Way) -> None:
        a, b = (self.places[end] for end in way.ends)
        _, toward = self._middle(way)
        if way.overlay:
            self.sheet.curve(a, toward, b, OVERLAYS[(way.overlay - 1) % len(OVERLAYS)], 2.0, dashed=True)
        elif self.picture.form == "graph":
            self.sheet.curve(a, toward, b, ROAD_EDGE if way.owner is None else INK, 12.0)
            self.sheet.curve(a, toward, b, way.owner or ROADS[way.kind % len(ROADS)], 9.0)

    def _draw_border(self, way: Way) -> None:
        """On hexes and grids, draws an edge that has an owner or holds something over the border of two spaces."""
        if way.overlay or self.picture.form == "graph":
            return
        (x, y), (across, up) = self._middle(way)[0], self._along(way)
        half = self.sizes[way.ends[0]].wide * 0.55
        a, b = (x + up * half, y - across * half), (x - up * half, y + across * half)
        self.sheet.line(a, b, INK, 9.0)
        self.sheet.line(a, b, way.owner or ROADS[way.kind % len(ROADS)], 6.5)
        shown = _spread(way.tokens)
        for number, token in enumerate(shown):
            off = (number - (len(shown) - 1) / 2) * 17
            self._token((x + up * off, y - across * off), token, 7.0)

    def _along(self, way: Way) -> Point:
        """The direction of a way, as a step of one pixel."""
        a, b = (self.places[end] for end in way.ends)
        far = hypot(b[0] - a[0], b[1] - a[1]) or 1.0
        return (b[0] - a[0]) / far, (b[1] - a[1]) / far

    def _put_boxes(self, way: Way) -> None:
        """Boxes side by side in the middle of a way, with what lies on them."""
        if way.overlay or self.picture.form != "graph":
            return
        middle, _ = self._middle(way)
        along = self._along(way)
        pieces = [token for token in way.tokens for _ in range(token.count)]
        boxes = max(way.boxes, len(pieces))
        for number in range(boxes):
            off = (number - (boxes - 1) / 2) * 19
            at = (middle[0] + along[0] * off, middle[1] + along[1] * off)
            self.sheet.box(at, 15, 15, way.owner or "#ffffff", INK, 1.2, 3)
            if number < len(pieces):
                self._token(at, pieces[number], 5.0, alone=True)

    def _name_way(self, way: Way) -> None:
        lines = [*([way.title] if way.title else []), *way.notes]
        if not lines:
            return
        middle, _ = self._middle(way)
        along = self._along(way)
        side = (-along[1], along[0]) if along[0] >= 0 else (along[1], -along[0])  # below, or beside a steep way
        anchor = "middle" if abs(along[0]) > 0.7 else "start" if side[0] > 0 else "end"
        wide = max(width_of(line, 9.0) for line in lines)
        offs = [(side[0] * (16 + more) * way_round, side[1] * (18 + more) * way_round) for more, way_round in _TRIES]
        starts = [(middle[0] + x, middle[1] + y) for x, y in offs]
        start = next((one for one in starts if not self._covers(one, wide, 11.0 * len(lines), anchor)), starts[0])
        for number, line in enumerate(lines):
            self.sheet.text((start[0], start[1] + 11 * number), line, 9.0, "#55504a", anchor=anchor, halo=PAPER)

    def _covers(self, at: Point, wide: float, high: float, anchor: str) -> bool:
        """True if a text there would cover a spot or the pieces below it. Not checked on very large maps, where such
        texts cannot be read anyway."""
        if len(self.places) > _MOST_LOOKED_AT:
            return False
        left = at[0] - {"start": 0.0, "middle": wide / 2, "end": wide}[anchor]
        top = at[1] - 6
        for (x, y), size, spot in zip(self.places, self.sizes, self.picture.spots, strict=True):
            below = 20.0 * _rows(spot.tokens)
            if left < x + size.wide and left + wide > x - size.wide and top < y + size.high + below:
                if top + high > y - size.high:
                    return True
        return False

    # ------------------------------------------------------------------ spots

    def _draw_spot(self, number: int) -> None:
        spot, at, size = self.picture.spots[number], self.places[number], self.sizes[number]
        edge, width = (spot.owner, 4.0) if spot.owner else (INK, 1.4)
        match self.picture.form:
            case "hex":
                self.sheet.polygon(_hexagon(at, size.high - 1), spot.fill, "#8b8478", 1.2)
                if spot.owner:
                    self.sheet.polygon(_hexagon(at, size.high - 6), "none", spot.owner, width)
                self._fill_cell(spot, at, size)
            case "grid":
                fill = spot.fill if self.picture.grounds or sum(spot.point) % 2 else CHEQUER
                self.sheet.box(at, 2 * size.wide, 2 * size.high, fill, "#8b8478", 1.2)
                if spot.owner:
                    self.sheet.circle(at, size.wide * 0.55, spot.owner, INK, 1.4)
                self._fill_cell(spot, at, size)
            case _:
                _shape_of_kind(self.sheet, spot.kind, at, size.wide, size.high, spot.fill, edge or INK, width)
                self._name_place(spot, at, size)

    def _fill_cell(self, spot: Spot, at: Point, size: _Size) -> None:
        """Name and notes at the top of a hexagon or square, pieces in its middle."""
        x, y = at
        top = y - size.high * (0.6 if self.picture.form == "hex" else 0.76)
        titles = wrapped(spot.title, size.note, size.wide * 1.7)[:2]
        if self.picture.form == "hex" and not titles:
            self.sheet.text((x, top), f"{spot.point[0]}, {spot.point[1]}", 8.0, "#77716a")
            top += 11
        for line, text in enumerate([*titles, *spot.notes][:4]):
            self.sheet.text((x, top), text, size.note, INK, bold=line < len(titles))
            top += 11
        room = max(y + 4, top + 6) if top > y - 14 else y + 4
        self._tokens_round((x, min(room, y + size.high * 0.45)), spot.tokens, size.wide * 1.6)

    def _name_place(self, spot: Spot, at: Point, size: _Size) -> None:
        lines = wrapped(spot.title, size.title, 84)
        y = at[1] - (13.5 * (len(lines) - 1) + 11.5 * len(spot.notes)) / 2
        for line in lines:
            self.sheet.text((at[0], y), line, size.title, INK, bold=True)
            y += 13.5
        for note in spot.notes:
            self.sheet.text((at[0], y - 1), note, size.note, "#55504a")
            y += 11.5
        self._tokens_round((at[0], at[1] + size.high + 11), spot.tokens, 112)

    def _number_grid(self, left: float, bottom: float) -> None:
        """Numbers of rows at the left and of columns below."""
        for spot, (x, y) in zip(self.picture.spots, self.places, strict=True):
            row, column = spot.point
            if column == 1:
                self.sheet.text((left - 12, y), str(row), 12, "#77716a")
            if row == 1:
                self.sheet.text((x, bottom + 12), str(column), 12, "#77716a")

    # ------------------------------------------------------------------ pieces

    def _tokens_round(self, at: Point, tokens: tuple[Token, ...], wide: float) -> None:
        """Draws tokens in rows around a point, larger if there are few; many equal ones become one with a number."""
        shown = _spread(tokens)
        in_cell = self.picture.form != "graph"
        radius = 8.0 if not in_cell or len(shown) > 6 else 10.0 if len(shown) > 3 else 12.0
        if self.picture.form == "grid" and len(shown) == 1:
            radius = 22.0
        step = radius * 2 + 4
        each = max(1, int(wide // step))
        rows = -(-len(shown) // each)
        top = at[1] - (rows - 1) * step / 2 if in_cell else at[1]
        for start in range(0, len(shown), each):
            row = shown[start : start + each]
            for number, token in enumerate(row):
                x = at[0] + (number - (len(row) - 1) / 2) * step
                self._token((x, top + step * (start // each)), token, radius)

    def _token(self, at: Point, token: Token, radius: float, alone: bool = False) -> None:
        _shape_of_piece(self.sheet, token.shape, at, radius, token.colour)
        mark = token.mark if token.count == 1 or alone else f"{token.count}"
        if mark:
            self.sheet.text(at, mark, radius * 1.25, ink_on(token.colour), bold=True)

    # ------------------------------------------------------------------ legend

    def _legend(self, left: float, bottom: float, wide: float) -> float:
        """Explains shapes and colours in rows below the map; returns the new bottom."""
        pen = _Pen(self.sheet, left, bottom + 34, wide)
        for colour, words in self.picture.seats:
            pen.entry(words, lambda at, colour=colour: self.sheet.circle(at, 7, colour, INK, 1))
        for colour, words in self.picture.grounds:
            pen.entry(words, lambda at, colour=colour: self.sheet.box(at, 14, 14, colour, "#8b8478", 1))
        for kind, words in self.picture.kinds if self.picture.form == "graph" else ():
            fill = kind_colour(kind)
            pen.entry(words, lambda at, kind=kind, fill=fill: _shape_of_kind(self.sheet, kind, at, 9, 7, fill, INK, 1))
        for number, words in self.picture.way_kinds:
            road = ROADS[number % len(ROADS)]
            pen.entry(words, lambda at, road=road: self.sheet.box(at, 20, 7, road, ROAD_EDGE, 1.5))
        for shape, words in self.picture.pieces:
            pen.entry(words, lambda at, shape=shape: _shape_of_piece(self.sheet, shape, at, 7, NEUTRAL))
        for number, words in self.picture.overlays:
            colour = OVERLAYS[(number - 1) % len(OVERLAYS)]
            pen.entry(
                words,
                lambda at, colour=colour: self.sheet.line(
                    (at[0] - 9, at[1]), (at[0] + 9, at[1]), colour, 2, dashed=True
                ),
            )
        return pen.y + 14 if pen.used else bottom


class _Pen:
    """Puts entries of a legend side by side and starts a new row when one is full."""

    def __init__(self, sheet: Sheet, left: float, y: float, wide: float) -> None:
        self.sheet, self.left, self.x, self.y, self.wide = sheet, left, left, y, wide
        self.used = False

    def entry(self, words: str, draw: Any) -> None:
        room = 30 + width_of(words, 11) + 14
        if self.x > self.left and self.x + room > self.left + self.wide:
            self.x, self.y = self.left, self.y + 22
        draw((self.x + 10, self.y))
        self.sheet.text((self.x + 24, self.y), words, 11, INK, anchor="start")
        self.x += room
        self.used = True


# ---------------------------------------------------------------------------- shapes


def _shape_of_kind(
    sheet: Sheet, kind: int, at: Point, wide: float, high: float, fill: str, edge: str, width: float
) -> None:
    """Kinds of nodes have different outlines: a box, a pill, a cut box, a diamond, and again."""
    x, y = at
    match kind % 4:
        case 0:
            sheet.box(at, 2 * wide, 2 * high, fill, edge, width, 7)
        case 1:
            sheet.box(at, 2 * wide, 2 * high, fill, edge, width, min(high, 20.0))
        case 2:
            cut = high / 2
            outline = [(x - wide, y), (x - wide + cut, y - high), (x + wide - cut, y - high), (x + wide, y)]
            sheet.polygon([*outline, (x + wide - cut, y + high), (x - wide + cut, y + high)], fill, edge, width)
        case _:
            corners = [(x, y - high * 1.3), (x + wide * 1.2, y), (x, y + high * 1.3), (x - wide * 1.2, y)]
            sheet.polygon(corners, fill, edge, width)


def _shape_of_piece(sheet: Sheet, shape: int, at: Point, radius: float, colour: str) -> None:
    """Kinds of pieces have different outlines: a disc, a square, a triangle, a diamond, a hexagon, and again."""
    x, y = at
    match shape % 5:
        case 0:
            sheet.circle(at, radius, colour, INK, 1.1)
        case 1:
            sheet.box(at, radius * 1.8, radius * 1.8, colour, INK, 1.1, 2)
        case 2:
            corners = [
                (x, y - radius * 1.15),
                (x + radius * 1.1, y + radius * 0.85),
                (x - radius * 1.1, y + radius * 0.85),
            ]
            sheet.polygon(corners, colour, INK, 1.1)
        case 3:
            far = radius * 1.2
            sheet.polygon([(x, y - far), (x + far, y), (x, y + far), (x - far, y)], colour, INK, 1.1)
        case _:
            sheet.polygon(_hexagon(at, radius * 1.1), colour, INK, 1.1)


def _hexagon(at: Point, radius: float) -> list[Point]:
    return [(at[0] + radius * sin(pi * n / 3), at[1] - radius * cos(pi * n / 3)) for n in range(6)]


def _spread(tokens: tuple[Token, ...]) -> list[Token]:
    """Up to three equal tokens are drawn one by one."""
    many = sum(token.count for token in tokens) > 8
    return [
        one
        for token in tokens
        for one in (
            [token]
            if token.count > (1 if many else 3)
            else [Token(token.colour, token.shape, token.mark, 1)] * token.count
        )
    ]


def _rows(tokens: tuple[Token, ...]) -> int:
    return -(-len(_spread(tokens)) // 5)


def _nearest(spots: list[Spot]) -> float:
    """The distance of the two nearest spots. They are visited from left to right, so that only few are compared."""
    ordered = sorted(spots, key=lambda spot: spot.x)
    near = float("inf")
    for number, one in enumerate(ordered):
        for other in islice(ordered, number + 1, None):
            if other.x - one.x >= near:
                break
            near = min(near, _apart(one, other))
    return near if near < float("inf") else 1.0


def _apart(a: Spot, b: Spot) -> float:
    return hypot(a.x - b.x, a.y - b.y)
