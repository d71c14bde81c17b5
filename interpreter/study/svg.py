"""Writes SVG without a library: shapes and text in the order in which they are added.

Colours are words or `#rrggbb`; sizes are pixels. The width of text is estimated from its number of letters, well enough
to centre and wrap it.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..files.shown import escape

Point = tuple[float, float]

FONT = "DejaVu Sans, Verdana, Helvetica, Arial, sans-serif"
_LETTER = 0.58  # width of a letter in units of its size, on average


class Sheet:
    """A drawing to which shapes are added one after the other; later ones lie on top."""

    def __init__(self) -> None:
        self.shapes: list[str] = []

    def line(self, a: Point, b: Point, colour: str, width: float, dashed: bool = False) -> None:
        self.path(f"M{_n(a[0])} {_n(a[1])} L{_n(b[0])} {_n(b[1])}", colour, width, dashed)

    def curve(self, a: Point, middle: Point, b: Point, colour: str, width: float, dashed: bool = False) -> None:
        """A curve from a to b, bent towards the point in the middle."""
        bent = f"Q{_n(middle[0])} {_n(middle[1])} {_n(b[0])} {_n(b[1])}"
        self.path(f"M{_n(a[0])} {_n(a[1])} {bent}", colour, width, dashed)

    def path(self, way: str, colour: str, width: float, dashed: bool = False) -> None:
        dashes = f' stroke-dasharray="{_n(width * 2.5)} {_n(width * 2)}"' if dashed else ""
        self.shapes.append(
            f'<path d="{way}" fill="none" stroke="{colour}" stroke-width="{_n(width)}" stroke-linecap="round"{dashes}/>'
        )

    def circle(self, at: Point, radius: float, fill: str, edge: str = "none", width: float = 0) -> None:
        self.shapes.append(f'<circle cx="{_n(at[0])}" cy="{_n(at[1])}" r="{_n(radius)}"{_paint(fill, edge, width)}/>')

    def box(
        self, at: Point, wide: float, high: float, fill: str, edge: str = "none", width: float = 0, round_by: float = 0
    ) -> None:
        """A rectangle, given by its centre."""
        corner = f' rx="{_n(round_by)}"' if round_by else ""
        self.shapes.append(
            f'<rect x="{_n(at[0] - wide / 2)}" y="{_n(at[1] - high / 2)}" width="{_n(wide)}" height="{_n(high)}"'
            f"{corner}{_paint(fill, edge, width)}/>"
        )

    def polygon(self, corners: Iterable[Point], fill: str, edge: str = "none", width: float = 0) -> None:
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in corners)
        self.shapes.append(f'<polygon points="{points}" stroke-linejoin="round"{_paint(fill, edge, width)}/>')

    def text(
        self,
        at: Point,
        words: str,
        size: float,
        colour: str = "#222222",
        bold: bool = False,
        anchor: str = "middle",
        halo: str | None = None,
    ) -> None:
        """One line of text, its middle at that height; a halo keeps it readable over lines."""
        weight = ' font-weight="bold"' if bold else ""
        outline = f' stroke="{halo}" stroke-width="3" stroke-linejoin="round" paint-order="stroke"' if halo else ""
        self.shapes.append(
            f'<text x="{_n(at[0])}" y="{_n(at[1] + size * 0.36)}" font-size="{_n(size)}" text-anchor="{anchor}"'
            f' fill="{colour}"{weight}{outline}>{escape(words)}</text>'
        )

    def finish(self, left: float, top: float, right: float, bottom: float, title: str) -> str:
        wide, high = right - left, bottom - top
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{_n(wide)}" height="{_n(high)}"'
            f' viewBox="{_n(left)} {_n(top)} {_n(wide)} {_n(high)}" font-family="{FONT}">'
        )
        paper = f'<rect x="{_n(left)}" y="{_n(top)}" width="{_n(wide)}" height="{_n(high)}" fill="#fbfaf6"/>'
        return "\n".join([head, f"<title>{escape(title)}</title>", paper, *self.shapes, "</svg>", ""])


def width_of(words: str, size: float) -> float:
    return len(words) * size * _LETTER


def wrapped(words: str, size: float, wide: float) -> list[str]:
    """The words in as many lines as they need; a word that is too long stands alone."""
    lines: list[str] = []
    for word in words.split():
        if lines and width_of(f"{lines[-1]} {word}", size) <= wide:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _paint(fill: str, edge: str, width: float) -> str:
    stroke = f' stroke="{edge}" stroke-width="{_n(width)}"' if width else ""
    return f' fill="{fill}"{stroke}'


def _n(value: float) -> str:
    """A coordinate with one decimal at most, so that a drawing is the same everywhere."""
    text = f"{value:.1f}"
    return text.removesuffix(".0") if text != "-0.0" else "0"
