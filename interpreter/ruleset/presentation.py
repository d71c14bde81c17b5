"""table.yaml: how a game looks at the table in the browser.

The file is optional and changes no rule, so it is no part of the fingerprint: games that were begun before a change of
looks go on. A game that uses another ruleset looks like that one as far as its own file says nothing else.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ..diagnostics.diagnostic import Diagnostics
from .drawings import UnsafeDrawing, safe_drawing
from .find import find_ruleset
from .fingerprint import layer_folders
from .gathered import Scalar
from .looks import FILE, is_presentation
from .schema import validate
from .unsaved import is_there
from .yaml_source import read_source, read_yaml


def read_presentation(folder: Path, found: Diagnostics) -> Scalar | None:
    """The presentation of a ruleset, checked against its schema; None if there is none, or after a finding."""
    path = folder / FILE
    if not is_there(path):
        return None
    source = read_source(path, found)
    if source is None or not is_presentation(path, source.text):
        return None
    document = read_yaml(path, found)
    if document is None or not validate(document, "presentation", found):
        return None
    return document if _drawings_are_safe(document, found) else None


def _drawings_are_safe(document: Scalar, found: Diagnostics) -> bool:
    drawings: dict[str, Scalar] = document.value["drawings"].value if "drawings" in document.value else {}
    is_safe = True
    for drawing in drawings.values():
        try:
            safe_drawing(drawing.value)
        except UnsafeDrawing as problem:
            is_safe = False
            advice = "draw with svg, g, path, circle, ellipse, rect, line, polyline and polygon"
            found.error("R0267", f"this drawing cannot be used: {problem}", drawing.span, help=advice)
    return is_safe


def presentation_data(name: str) -> dict[str, Any]:
    """What a game by name says about its looks, that of the rulesets it uses included; nothing if it has mistakes."""
    asked = find_ruleset(name, Diagnostics())
    data: dict[str, Any] = {}
    for folder in layer_folders(asked.folder) if asked is not None else ():
        document = read_presentation(folder, Diagnostics())
        if document is not None:
            data = _laid_over(data, document.plain())
    for own_id, drawing in data.get("drawings", {}).items():
        data["drawings"][own_id] = safe_drawing(drawing)
    return data


def presentation_text(name: str) -> str:
    """The file itself, for whoever wants to know whether it has changed; empty if there is none."""
    asked = find_ruleset(name, Diagnostics())
    path = asked.folder / FILE if asked is not None else None
    source = read_source(path, Diagnostics()) if path is not None and is_there(path) else None
    return source.text if source is not None else ""


def _laid_over(below: dict[str, Any], above: dict[str, Any]) -> dict[str, Any]:
    """Mappings are joined, key by key; everything else is replaced."""
    made = dict(below)
    for key, value in above.items():
        both = isinstance(value, dict) and isinstance(made.get(key), dict)
        made[key] = _laid_over(made[key], value) if both else value
    return made
