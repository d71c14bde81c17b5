"""Options that read the same: two boats of one kind, each of which may sail to the mill.

Pieces of one kind have one name, so their options have one label. A note then says where the piece of each option lies,
or what it carries.
"""

from __future__ import annotations

from collections import Counter
from functools import partial

from .drawing import Data, Drawing


def tell_apart(drawing: Drawing, options: list[Data]) -> None:
    """Gives a note to each option whose label others have as well, if that tells them apart."""
    times = Counter(option["label"] for option in options)
    labels = [label for label, count in times.items() if count > 1]
    nodes = {node["id"]: node["name"] for drawn in drawing.maps.values() for node in drawn["nodes"]} if labels else {}
    for label in labels:
        alike = [option for option in options if option["label"] == label]
        for word in (partial(_where, nodes), _load):
            notes = [word(drawing, option) for option in alike]
            if all(notes) and len(set(notes)) > 1:
                for option, note in zip(alike, notes, strict=True):
                    option["note"] = note
                break


def _pieces(drawing: Drawing, option: Data) -> list[Data]:
    return [drawing.pieces[value["id"]] for value in option["values"] if value["id"] in drawing.pieces]


def _where(nodes: dict[str, str], drawing: Drawing, option: Data) -> str:
    """Where the pieces of an option lie, in words. `nodes` are the names of those of the maps."""
    found = []
    for piece in _pieces(drawing, option):
        place = drawing.places[piece["place"]]
        found.append(str(nodes.get(place["at"], place["name"])))
    return ", ".join(dict.fromkeys(found))


def _load(drawing: Drawing, option: Data) -> str:
    """What the pieces of an option carry, in words."""
    carried = [place for piece in _pieces(drawing, option) for place in piece.get("carries", ())]
    names = [drawing.pieces[own]["name"] or "?" for place in carried for own in drawing.places[place]["pieces"]]
    return ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in Counter(names).items()) or "–"
