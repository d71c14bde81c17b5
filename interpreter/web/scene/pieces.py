"""Pieces as they are drawn: what stands large on them, which tint they have, which words they carry.

By declaration: the first number is the figure, the first enum the label (with a tint), an owner gives the colour and
the sign, effects are lines of words; everything printed is in `fields` for whoever wants to read it.
"""

from __future__ import annotations

from typing import Any

from ...runtime.eyes import ABSENT
from ...runtime.names import entries, id_of, name_of, value_of
from ...runtime.sight import Shown
from .colours import ground_colour, strong_colour
from .declarations import Attribute, Declarations, capital
from .drawing import Data, Drawing
from .ids import node_id
from .presentation import in_language
from .sides import sides_attribute, sides_of
from .symbols import symbol_for

CELLS = ("cell", "formula")
RANKS = {
    "ace": "A", "king": "K", "queen": "Q", "jack": "J", "knave": "J", "ten": "10", "nine": "9", "eight": "8",
    "seven": "7", "six": "6", "five": "5", "four": "4", "three": "3", "two": "2",
}  # fmt: skip


def piece_data(drawing: Drawing, shown: Shown, own_id: str) -> Data:
    """A piece as the seat may know it."""
    found: Data = {"id": own_id, "kind": shown.kind, "look": "card", "name": None}
    declared = drawing.declared
    if shown.kind is not None:
        found["look"] = declared.look(shown.kind)
        found["kind_name"] = declared.kind_name(shown.kind)
    if shown.face_down:
        found["face_down"] = True
    back = _back(drawing, shown.back)
    if back:
        found["back"] = back
    if shown.row is not None:
        found |= declared.printed(shown.row, lambda row: printed_data(declared, shown.kind or "", row))
    sides = sides_of(drawing, shown)
    if sides is not None:
        found["sides"] = sides
    fields = [field for field in _own_fields(drawing, shown) if sides is None or field["declared"] != sides.get("by")]
    for field in fields:
        del field["declared"]
    if fields:
        found["fields"] = found.get("fields", []) + fields
    return found


def printed_data(declared: Declarations, kind: str, row: int) -> Data:
    """What the face of a piece of this row shows."""
    meta = declared.meta
    piece = meta.row_pieces[row][0]
    found: Data = {"name": meta.row_names[row] or meta.row_ids[row]}
    said = declared.presentation.kind(kind)
    hidden = said.get("hide", ())
    attributes = [a for a in declared.attributes("piece", kind) if not a.is_none(piece) and a.name not in hidden]
    figure = _chosen(attributes, said.get("figure"), lambda a: a.table.thing == "number" and a.table.is_single)
    named = str(found["name"]).lower()
    label = _chosen(
        attributes,
        said.get("label"),
        lambda a: _is_label(declared, a) and _value(declared, a, piece) != named,
    )
    if figure is not None:
        found["figure"] = declared.value_text(figure.table.thing, figure.table.values[piece])
        if "figure" not in said:
            found |= _meaning(declared, kind, figure)
    elif "figure" not in said and (rank := _rank(declared, attributes, piece)):
        found["figure"] = rank
    if label is not None:
        found |= _label(declared, label, piece)
    seat = _seat(attributes, piece)
    if seat is not None:
        found["owner"] = seat
        if "letter" not in found and "figure" not in found and (letter := declared.kind_letter(kind)):
            found["letter"] = letter
    title = title_of(declared, kind, piece, found, said.get("title"))
    found["title"] = "" if "title" not in said and _is_told(found, title) else title
    lines = [line for a in attributes if a.table.thing in CELLS for line in _effects(declared, a, piece)]
    lines = [line for line in lines if line.lower() != str(found["title"]).lower()]
    if lines:
        found["lines"] = lines
    found |= {key: said[key] for key in ("size", "symbol", "drawing") if key in said}
    if "colour" in said and "tint" not in found:
        found["tint"] = str(said["colour"]).lower()
    sides = sides_attribute(declared, kind)
    shown_as_sides = () if sides is None else (sides.name,)
    telling = [
        a
        for a in attributes
        if a.table.thing != "player" and a.table.values[piece] is not False and a.name not in shown_as_sides
    ]
    fields = [field for a in telling if (field := _field(declared, a, piece))["value"] not in (False, "")]
    if any(not declared.is_colour(a.table.thing) for a in telling):
        found["fields"] = fields
    points = [value for a in attributes if (value := _node(declared, a, piece)) is not None]
    if points and found.get("drawing") is None:
        found["points"] = points
    cites = meta.row_cites[row] if row < len(meta.row_cites) else ()
    if cites:
        found["cites"] = list(cites)
    return found


def _meaning(declared: Declarations, kind: str, figure: Attribute) -> Data:
    """What the figure counts, on a kind that has several numbers: a reader cannot know which of them stands large."""
    numbers = [a for a in declared.attributes("piece", kind) if a.table.thing == "number" and a.table.is_single]
    if len(numbers) < 2:
        return {}
    symbol = symbol_for(figure.name, declared.presentation)
    return {"counts": declared.attribute_name(figure.name)} | ({"counts_symbol": symbol} if symbol else {})


def _is_label(declared: Declarations, attribute: Attribute) -> bool:
    """An enum that is not the rank of a playing card, which is a figure."""
    return attribute.table.is_single and attribute.table.thing.startswith("enum:") and not _is_rank(declared, attribute)


def _is_rank(declared: Declarations, attribute: Attribute) -> bool:
    return all(own in RANKS for _, own, _ in entries(declared.meta, attribute.table.thing))


def _value(declared: Declarations, attribute: Attribute, piece: int) -> str:
    return declared.value_text(attribute.table.thing, attribute.table.values[piece]).lower()


def _rank(declared: Declarations, attributes: list[Attribute], piece: int) -> str | None:
    """The figure of a playing card: a value of an enum whose values are all ranks of such cards."""
    for attribute in attributes:
        thing, value = attribute.table.thing, attribute.table.values[piece]
        if thing.startswith("enum:") and isinstance(value, int) and _is_rank(declared, attribute):
            return RANKS[id_of(declared.meta, thing, value)]
    return None


def title_of(declared: Declarations, kind: str, piece: int, shown: Data, said: str | None) -> str:
    """What stands as the title of a piece: its name without what the piece shows anyhow, its figure and its owner. A
    piece that is called by its kind and one value (`Card Cinema`) has that value as its title."""
    kind_name = declared.kind_name(kind)
    if said == "none":
        return ""
    if said == "kind":
        return capital(kind_name)
    if said is not None:
        chosen = next((a for a in declared.attributes("piece", kind) if a.name == said and not a.is_none(piece)), None)
        return capital(declared.value_text(chosen.table.thing, chosen.table.values[piece])) if chosen else ""
    words = str(shown["name"])
    if "owner" in shown:
        words = words.removesuffix(f" {declared.meta.seat_names[shown['owner']]}")
    words = words.removesuffix(f" {shown.get('figure', '')}") if "figure" in shown else words
    rest = words.removeprefix(f"{kind_name} ")
    telling = [a for a in declared.attributes("piece", kind) if a.table.is_single and not a.is_none(piece)]
    values = {declared.value_text(a.table.thing, a.table.values[piece]).lower() for a in telling}
    if rest.lower().replace("_", " ") in values:
        return capital(rest)
    labelled = str(shown.get("label", "")).lower()
    others = [word for word in rest.split(" ") if word.lower() != labelled]
    is_spelt_out = len(telling) > 1 and set(rest.lower().split(" ")) <= set(" ".join(values).split(" "))
    return capital(" ".join(others)) if is_spelt_out and others else capital(words)


def _is_told(shown: Data, title: str) -> bool:
    """Whether a title repeats what stands beside it: the suit, the rank as a word, figures."""
    if "figure" not in shown:
        return False
    if title.replace(" ", "").replace("-", "").isdigit():  # "1 4" of an order for 1 that is worth 4
        return True
    return title.lower() == str(shown.get("label")).lower() or RANKS.get(title.lower()) == shown["figure"]


def _chosen(attributes: list[Attribute], said: str | None, fits: Any) -> Attribute | None:
    if said is not None:
        return next((a for a in attributes if a.name == said and a.table.is_single), None)
    return next((a for a in attributes if fits(a)), None)


def _label(declared: Declarations, label: Attribute, piece: int) -> Data:
    """The first enum value as a word with a tint; a colour is a tint with its letter."""
    thing, value = label.table.thing, label.table.values[piece]
    assert isinstance(value, int)
    own, name = id_of(declared.meta, thing, value), name_of(declared.meta, thing, value)
    position = declared.position_in(thing, value)
    said, looks = declared.presentation.value_colour(thing, own), declared.presentation.value(thing, own)
    if declared.is_colour(thing):
        letter = in_language(looks.get("letter"), declared.language) or name[:1].upper()
        found: Data = {"tint": said or strong_colour(position, own), "letter": letter, "label": name}
    else:
        found = {"tint": said or ground_colour(position, own), "label": name}
    symbol = declared.value_sign(thing, own)
    return found | ({"symbol": symbol} if symbol else {})


def _seat(attributes: list[Attribute], piece: int) -> int | None:
    owners = [a for a in attributes if a.table.thing == "player"]
    value = owners[0].table.values[piece] if owners else None
    return value if isinstance(value, int) and value >= 0 else None


def _node(declared: Declarations, attribute: Attribute, piece: int) -> str | None:
    """The node of a map that is printed on a piece."""
    value = attribute.table.values[piece]
    if attribute.table.thing != "node" or not attribute.table.is_single or not isinstance(value, int) or value < 0:
        return None
    return node_id(declared.meta, value)


def _effects(declared: Declarations, attribute: Attribute, piece: int) -> list[str]:
    """The words of the effects in a column, those of an indexed one with the name of the index."""
    table = attribute.table
    value: Any = table.values[piece]
    if not table.dimensions:
        return [text] if (text := declared.value_text(table.thing, value)) else []
    thing, low, _ = table.dimensions[0]
    if len(table.dimensions) > 1 or not isinstance(value, tuple):
        return []
    words = []
    for step, cell in enumerate(value[:-1]):
        text = declared.value_text(table.thing, cell)
        if text:
            words.append(f"{name_of(declared.meta, thing, low + step)}: {text}")
    return words


def _field(declared: Declarations, attribute: Attribute, piece: int) -> Data:
    table = attribute.table
    value: Any = table.values[piece]
    found: Data = {"name": declared.attribute_name(table.name), "declared": table.name}
    symbol = symbol_for(table.name, declared.presentation)
    if symbol:
        found["symbol"] = symbol
    if table.dimensions:
        return found | {"value": _indexed_text(declared, table.thing, table.dimensions, value)}
    if table.thing in ("number", "flag"):
        return found | {"value": value_of(declared.meta, table.thing, value)}
    return found | {"value": declared.value_text(table.thing, value)}


def _indexed_text(declared: Declarations, thing: str, dimensions: Any, value: Any) -> str:
    of, low, _ = dimensions[0]
    parts = []
    # A price list names what a card costs, and not the goods of which it costs none.
    is_sparse = thing == "number" and not dimensions[1:] and of.startswith("enum:")
    for step, one in enumerate(value[:-1]):
        if is_sparse and one == 0:
            continue
        text = (
            _indexed_text(declared, thing, dimensions[1:], one) if dimensions[1:] else declared.value_text(thing, one)
        )
        parts.append(f"{name_of(declared.meta, of, low + step)} {text}")
    return ", ".join(parts)


def _back(drawing: Drawing, back: int) -> Data | None:
    described = drawing.meta.backs.get(back)
    if described is None:
        return None
    words = [str(value_of(drawing.meta, thing, number)) for _, thing, number in described.shown]
    if not words:
        return None
    _, thing, number = described.shown[0]
    found: Data = {"words": words}
    if thing.startswith("enum:"):
        own = id_of(drawing.meta, thing, number)
        said = drawing.declared.presentation.value_colour(thing, own)
        found["tint"] = said or ground_colour(drawing.declared.position_in(thing, number), own)
    return found


def _own_fields(drawing: Drawing, shown: Shown) -> list[Data]:
    """Counters that lie on the piece."""
    if shown.number is None:
        return []
    found = []
    for field in drawing.declared.plain_fields("piece"):
        _, low, size = field.dimensions[0]
        if not low <= shown.number < low + size or len(field.dimensions) > 1:
            continue
        if field.visibility != "open" and shown.row is None:
            continue
        value = drawing.sight.field(field, shown.number, field.base + shown.number - low)
        if value is ABSENT or value in (None, False, "?"):
            continue
        told: Data = {"name": drawing.declared.words(field), "declared": field.id, "value": value}
        if field.thing == "player":
            told["seat"] = drawing.sight.number(field, shown.number, field.base + shown.number - low)
        found.append(told)
    return found
