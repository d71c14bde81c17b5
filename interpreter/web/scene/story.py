"""The log, and the clauses that a scene speaks of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ...runtime.log import SPECTATOR, told_lines
from .drawing import Data, Drawing


def log_data(drawing: Drawing, since: int | None) -> list[Data]:
    """The lines that the seat may read; those after `since` choices are new."""
    reader = SPECTATOR if drawing.player is None else drawing.player
    found = []
    for line in told_lines(drawing.state, reader):
        found.append(
            {
                "step": line.step if line.step >= 0 else None,
                "seat": line.player,
                "text": line.text,
                "cites": list(line.cites),
                "level": 1 if line.player is None and line.step > 0 else 0,
                "new": since is not None and line.step > since,
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
