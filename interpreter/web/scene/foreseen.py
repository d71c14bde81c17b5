"""What an option would surely change, in the ids of the scene: the preview, and what the option touches.

The interpreter says what is certain (`runtime.certain`): up to the first chance, the first question to somebody, the
first look at something hidden. Here that becomes `counters`, `moves`, `owners` and `dice` of a preview. It is bounded:
only so many options are looked at, and only so many trials are made for all of them together.
"""

from __future__ import annotations

from typing import Any

from ...runtime.certain import Foresight, Outcome
from ...runtime.eyes import ABSENT
from ...runtime.meta import FieldMeta
from ...runtime.names import id_of, value_of
from .drawing import Data, Drawing
from .ids import edge_id, index_dimensions, indexed, node_id, owned

MOST_OPTIONS = 80  # options that are looked at; a decision with more is led by the board
MOST_CHANGES = 24  # changes that a preview tells; one with more is no help to a reader


def outcomes_of(state: Any) -> dict[int, Outcome]:
    """What each option surely does, by index."""
    plain = state.in_python() if hasattr(state, "in_python") else state
    if len(plain.opts) > MOST_OPTIONS:
        return {}
    foresight = Foresight(plain)
    found = {}
    for index, raw in enumerate(plain.opts):
        outcome = foresight.outcome(raw)
        if outcome is not None and len(outcome.fields) + len(outcome.moves) <= MOST_CHANGES:
            found[index] = outcome
    return found


def preview_of(drawing: Drawing, outcome: Outcome) -> Data | None:
    """The preview of an option, in the ids of the scene; None if nothing changes that the seat can see."""
    made: Data = {"counters": [], "moves": [], "owners": [], "dice": []}
    for piece, (_, after) in outcome.moves.items():
        move = _move(drawing, piece, after)
        if move is not None:
            made["moves"].append(move)
    for offset, (before, after) in outcome.fields.items():
        _add_change(drawing, made, offset, before, after)
    return made if any(made.values()) else None


def touched_by(drawing: Drawing, preview: Data) -> list[str]:
    """What is marked on the table for an option that binds nothing one could point at: nodes and edges that change
    hands, else pieces and where they go, else dice, else counters."""
    owners = [one["id"] for one in preview["owners"]]
    if owners:
        return owners
    moves = [own for move in preview["moves"] for own in (move["piece"], move["to"]) if own is not None]
    dice = [one["id"] for one in preview["dice"]]
    cells = [one["cell"] for one in preview["counters"] if "cell" in one]
    return moves or dice or cells or [one["id"] for one in preview["counters"]]


def _move(drawing: Drawing, piece: int, after: int) -> Data | None:
    own = drawing.find_piece(piece)
    source = drawing.pieces[own]["place"] if own is not None else None
    target = drawing.place_id(after) if after >= 0 else None
    if target is not None and target not in drawing.places:
        return None
    if own is None and target is None:
        return None
    found: Data = {"piece": own, "from": source, "to": target}
    if own is None:
        found["kind"] = drawing.meta.piece_kind[piece]
    return found


def _add_change(drawing: Drawing, made: Data, offset: int, before: int, after: int) -> None:
    placed = drawing.declared.field_at(offset)
    if placed is None:
        return
    field, owner, numbers = placed
    told = drawing.sight.field(field, owner, offset)
    if told is ABSENT or told == "?" or field.thing == "piece":
        return
    own = _field_id(drawing, field, owner, numbers)
    if own is None:
        return
    if field.is_dice:
        made["dice"].append({"id": own, "from": told, "to": after})
        return
    if field.owner in ("node", "edge") and field.thing == "player":
        thing = node_id(drawing.meta, owner) if field.owner == "node" else edge_id(drawing.meta, owner)
        made["owners"].append({"id": thing, "seat": after if after >= 0 else None})
        return
    change = {"id": own, "from": told, "to": value_of(drawing.meta, field.thing, after)}
    cell = f"t.{field.id}[{id_of(drawing.meta, field.thing, after)}]"
    on_track = field.owner == "player" and f"t.{field.id}" in drawing.tracks
    made["counters"].append(change | ({"cell": cell} if on_track else {}))


def _field_id(drawing: Drawing, field: FieldMeta, owner: int, numbers: tuple[int, ...]) -> str | None:
    carrier = drawing.piece_ids.get(owner, "") if field.owner == "piece" else ""
    if field.owner == "piece" and not carrier:
        return None
    base = owned(drawing.meta, field.owner, owner, field.id, carrier)
    return indexed(drawing.meta, base, index_dimensions(field), numbers)
