"""Leaves out uninteresting fields of pieces: those that still have their start value.

A view has every field of every piece. If forty cards all lie the usual way up, a line of text should only name the
cards.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..runtime.names import value_of

if TYPE_CHECKING:
    from ..runtime.meta import Meta


def without_starts(view: dict[str, Any], meta: Meta) -> dict[str, Any]:
    """The same view, without the fields of pieces in places that still have their start value."""
    starts = {field.name: value_of(meta, field.thing, field.start) for field in meta.fields if field.owner == "piece"}
    return {**view, "pieces": _told(view["pieces"], starts)} if starts and "pieces" in view else view


def _told(part: Any, starts: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_told(inner, starts) for inner in part]
    if not isinstance(part, dict):
        return part
    told = {key: _told(inner, starts) for key, inner in part.items() if key != "fields"}
    if "fields" in part:
        told["fields"] = {name: value for name, value in part["fields"].items() if value != starts.get(name)}
    return told
