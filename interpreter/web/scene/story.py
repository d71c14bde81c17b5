"""The log, and the clauses that a scene speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...runtime.log import SPECTATOR, told_lines
from .drawing import Data, Drawing


def log_data(drawing: Drawing) -> list[Data]:
    """The lines that the seat may read. `step` counts the choices that it reads of; lines after its own last choice are
    new."""
    reader = SPECTATOR if drawing.player is None else drawing.player
    lines = told_lines(drawing.sight.state, reader)
    own = [number for number, line in enumerate(lines) if line.player is not None and line.player == drawing.player]
    last, step, found = max(own, default=-1), 0, []
    for number, line in enumerate(lines):
        step += line.player is not None
        found.append(
            {
                "step": step,
                "seat": line.player,
                "text": line.text,
                "cites": list(line.cites),
                "level": 1 if line.player is None and step else 0,
                "new": number > last and bool(own),
            }
        )
    return found


def clauses_of(drawing: Drawing, parts: Iterable[Any]) -> Data:
    """The clauses that these parts of a scene cite."""
    wanted: dict[str, None] = {}
    for part in parts:
        _collect(part, wanted)
    clauses = drawing.meta.clauses
    return {
        own: {"page": clauses[own].page, "summary": clauses[own].summary, "sort": clauses[own].section}
        for own in wanted
        if own in clauses
    }


def _collect(part: Any, wanted: dict[str, None]) -> None:
    if isinstance(part, dict):
        for key, value in part.items():
            if key == "cites":
                wanted.update(dict.fromkeys(value))
            else:
                _collect(value, wanted)
    elif isinstance(part, list):
        for one in part:
            _collect(one, wanted)
