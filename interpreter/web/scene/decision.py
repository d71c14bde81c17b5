"""The pending decision as the player who decides sees it: prompt, options, and what each option touches."""

from __future__ import annotations

from typing import Any

from ...runtime.names import id_of
from .drawing import Data, Drawing
from .ids import edge_id, node_id, seat_id


def decision_data(drawing: Drawing) -> Data | None:
    state = drawing.state
    if state.over or drawing.player is None or state.who != drawing.player:
        return None
    decision = state.decision
    options = [_option(drawing, option) for option in decision.options]
    return {
        "player": decision.player,
        "prompt": decision.prompt,
        "kind": decision.site.kind,
        "path": list(decision.path),
        "cites": list(decision.cites),
        "picked": [{"name": name, "id": None} for name in decision.picked],
        "to_pay": None,
        "progress": None,
        "options": options,
    }


def _option(drawing: Drawing, option: Any) -> Data:
    values = values_of(drawing, option)
    return {
        "index": option.index,
        "code": int(option),
        "label": str(option),
        "kind": option.kind,
        "values": values,
        "touches": [value["id"] for value in values if value["id"] is not None],
        "group": None,
        "preview": None,
    }


def values_of(drawing: Drawing, option: Any) -> list[Data]:
    """What an option binds: sort, name, and the id of the thing in the scene if it is one."""
    found = option.site.values_of(option.raw)
    if found is None:
        return []
    branch, numbers = found
    domains = option.site.branches[branch][1]
    return [
        {"sort": thing, "name": name, "id": _thing_id(drawing, thing, number)}
        for (thing, _, _), number, name in zip(domains, numbers, option.values, strict=True)
    ]


def _thing_id(drawing: Drawing, thing: str, number: int) -> str | None:
    meta = drawing.meta
    if number < 0:
        return None
    match thing:
        case "piece" | "row":
            return drawing.find_piece(number)
        case "node":
            return node_id(meta, number)
        case "edge":
            return edge_id(meta, number)
        case "player":
            return seat_id(number)
        case "die":
            return id_of(meta, thing, number)
    return None
