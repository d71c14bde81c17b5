"""SVG drawings of a ruleset, in a subset that can do no harm.

A drawing is written anew from what was understood: known shapes with known attributes whose values are numbers, colours
or path data. Everything else is reported and refused: scripts, styles, links, text, references, entities, comments. So
what reaches a page was never the author's markup.
"""

from __future__ import annotations

import re
from xml.etree import ElementTree
from xml.sax.saxutils import quoteattr

_NAMESPACE = "{http://www.w3.org/2000/svg}"
_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?"
_LOOKS = frozenset(
    ("fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity",
     "fill-opacity", "stroke-opacity", "fill-rule", "transform")
)  # fmt: skip
_SHAPES: dict[str, frozenset[str]] = {
    "svg": frozenset(("viewBox", "width", "height")),
    "g": frozenset(),
    "path": frozenset(("d",)),
    "circle": frozenset(("cx", "cy", "r")),
    "ellipse": frozenset(("cx", "cy", "rx", "ry")),
    "rect": frozenset(("x", "y", "width", "height", "rx", "ry")),
    "line": frozenset(("x1", "y1", "x2", "y2")),
    "polyline": frozenset(("points",)),
    "polygon": frozenset(("points",)),
}
_COLOUR = re.compile(r"#[0-9a-fA-F]{3}|#[0-9a-fA-F]{6}|[a-z]{3,20}")
_NUMBERS = re.compile(rf"\s*{_NUMBER}(?:[\s,]+{_NUMBER})*\s*%?\s*")
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9eE,.\s+-]*")
_TRANSFORM = re.compile(
    rf"(?:\s*(?:translate|rotate|scale|matrix|skewX|skewY)\(\s*{_NUMBER}(?:[\s,]+{_NUMBER})*\s*\))+\s*"
)
_WORD = re.compile(r"[a-z]{3,10}")
_MOST_SHAPES = 500
_LONGEST = 400  # letters of a value
_LONGEST_PATH = 10_000
_MOST_DEPTH = 20


class UnsafeDrawing(Exception):
    """What cannot be drawn, in words."""


def safe_drawing(text: str) -> str:
    """The drawing, written anew; raises UnsafeDrawing."""
    if "<!" in text or "<?" in text:
        raise UnsafeDrawing("comments, entities and processing instructions have no place in a drawing")
    try:
        root = ElementTree.fromstring(text)
    except ElementTree.ParseError as problem:
        raise UnsafeDrawing(f"this is no SVG: {problem}") from None
    if _name(root) != "svg":
        raise UnsafeDrawing("a drawing begins with `<svg viewBox=…>`")
    if sum(1 for _ in root.iter()) > _MOST_SHAPES:
        raise UnsafeDrawing(f"a drawing has at most {_MOST_SHAPES} shapes")
    return _written(root, 0)


def _name(element: ElementTree.Element) -> str:
    return str(element.tag).removeprefix(_NAMESPACE)


def _written(element: ElementTree.Element, depth: int) -> str:
    name = _name(element)
    if name not in _SHAPES:
        raise UnsafeDrawing(f"`<{name}>` has no place in a drawing")
    if depth > _MOST_DEPTH:
        raise UnsafeDrawing("shapes are nested too deep")
    if (element.text or "").strip() or (element.tail or "").strip():
        raise UnsafeDrawing("a drawing has no text")
    attributes = "".join(_attribute(name, key, value) for key, value in element.attrib.items())
    inside = "".join(_written(child, depth + 1) for child in element)
    return f"<{name}{attributes}>{inside}</{name}>"


def _attribute(shape: str, key: str, value: str) -> str:
    if key not in _SHAPES[shape] and key not in _LOOKS:
        raise UnsafeDrawing(f"`{key}` has no place in `<{shape}>`")
    if len(value) > (_LONGEST_PATH if key == "d" else _LONGEST) or not _form_of(key).fullmatch(value):
        raise UnsafeDrawing(f"`{key}` cannot be `{value[:40]}`")
    return f" {key}={quoteattr(value)}"


def _form_of(key: str) -> re.Pattern[str]:
    match key:
        case "fill" | "stroke":
            return _COLOUR
        case "d":
            return _PATH
        case "transform":
            return _TRANSFORM
        case "stroke-linecap" | "stroke-linejoin" | "fill-rule":
            return _WORD
    return _NUMBERS
