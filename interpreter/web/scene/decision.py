"""The pending decision as the player who decides sees it: prompt, options, what each option touches and changes.

An option touches the things that it binds: pieces, nodes, edges, seats, dice. Binds it only numbers and words, then
what it would surely change (`foreseen`). Binds it both (a worker, and the name of a space), then also the place or the
counter of that name that would change.
"""

from __future__ import annotations

from typing import Any

from ...runtime.bounds import PaymentBounds, SetBounds, bounds_of
from ...runtime.copies import Codes
from ...runtime.meta import Meta
from ...runtime.names import id_of
from ...runtime.namesakes import with_words
from ...runtime.spots import bound_by, thing_bound
from ...runtime.texts import value_text
from .drawing import Data, Drawing
from .foreseen import outcomes_of, preview_of, touched_by
from .ids import edge_id, node_id, seat_id
from .untold import labels_of, prompt_of, titles_of

PROGRESS = {
    "en": {"exactly": "{n} of {high}", "up to": "{n} of up to {high}", "between": "{n}, {low} to {high} in all"},
    "fr": {"exactly": "{n} sur {high}", "up to": "{n}, {high} au plus", "between": "{n}, de {low} à {high} en tout"},
}
LISTED = 12  # up to so many options stand in a plain list; more are grouped by their first value


def decision_data(drawing: Drawing) -> Data | None:
    state = drawing.state
    if state.over or drawing.player is None or state.who != drawing.player:
        return None
    decision = state.decision
    labels, untold = labels_of(decision)
    options = _options(drawing, decision, labels)
    return {
        "player": decision.player,
        "prompt": prompt_of(drawing.meta, decision, untold),
        "kind": decision.site.kind,
        "path": titles_of(state),
        "cites": list(decision.cites or _rule_cites(drawing, decision.site)),
        "picked": _picked(drawing, decision),
        **_still_to_pick(drawing),
        "options": options,
    }


def _rule_cites(drawing: Drawing, site: Any) -> tuple[str, ...]:
    rule = drawing.meta.rules.get(site.rule)
    return rule.cites if rule is not None else ()


def _options(drawing: Drawing, decision: Any, labels: list[tuple[str, str]]) -> list[Data]:
    outcomes = outcomes_of(drawing.state)
    found = []
    used: dict[int, str] = {}
    codes = Codes(drawing.sight.state)
    for option, (label, apart) in zip(decision.options, labels, strict=True):
        values = values_of(drawing, option, used)
        outcome = outcomes.get(option.index)
        preview = preview_of(drawing, outcome) if outcome is not None else None
        touches = list(dict.fromkeys(value["id"] for value in values if value["id"] is not None))
        if not touches and preview is not None and option.kind in ("option", "free"):
            touches = [own for own in touched_by(drawing, preview) if _is_drawn(drawing, own)]
            named = tuple(f"[{value['key']}]" for value in values)  # "6" leads with point 6, not with where it ends
            touches.sort(key=lambda own: not own.endswith(named))
        elif touches and preview is not None:
            touches += [own for own in _called(values, preview) if own not in touches and _is_drawn(drawing, own)]
        made = {
            "index": option.index,
            "code": codes.of(option.raw),
            "label": _label(drawing, label, apart, values),
            "kind": option.kind,
            "values": values,
            "touches": touches,
            "group": None,
            "preview": preview,
        }
        cites = _option_cites(drawing, option)
        note = {"note": apart} if apart else {}
        found.append(made | note | ({"cites": cites} if cites else {}))
    if len(found) > LISTED:
        for one in found:
            one["group"] = _group(drawing, one["values"][0]) if one["values"] and one["kind"] == "option" else None
    return found


def _called(values: list[Data], preview: Data) -> list[str]:
    """What a preview changes and the words and numbers of an option name: `spaces[mill]` of "worker, mill"."""
    keys = tuple(f"[{value['key']}]" for value in values if value["id"] is None and value["key"] is not None)
    if not keys:
        return []
    places = [move["to"] for move in preview["moves"] if move["to"] is not None and move["to"].endswith(keys)]
    return places or [one["id"] for one in preview["counters"] if one["id"].endswith(keys)]


def _group(drawing: Drawing, value: Data) -> str:
    """What options with that first value are headed by: its name; of a piece that the player does not see, where it
    lies ("a card" would say nothing)."""
    piece = drawing.pieces.get(value["id"] or "")
    if piece is None or piece["name"] is not None:
        return str(value["name"])
    return str(drawing.places[piece["place"]]["name"])


def _label(drawing: Drawing, told: str, apart: str, values: list[Data]) -> str:
    """The option in words, without those that tell it from others: they are its note. The reader's own pieces go
    without their owner: "Play Feed", not "Play Feed Robin"."""
    own = f" {drawing.meta.seat_names[drawing.state.who]}"
    label = told.removesuffix(with_words("", apart))
    for value in values:
        piece = drawing.pieces.get(value["id"] or "")
        name = value["name"]
        if piece is not None and piece.get("owner") == drawing.player and name.endswith(own):
            label = label.replace(name, name.removesuffix(own))
    return label


def _option_cites(drawing: Drawing, option: Any) -> list[str]:
    bound = option.site.values_of(option.raw)
    if bound is None or bound[0] >= len(option.site.branch_cites):
        return []
    return list(option.site.branch_cites[bound[0]])


def _is_drawn(drawing: Drawing, own: str) -> bool:
    """False for a field that lies on a piece, a node or an edge and has no mark of its own."""
    return (
        own[:2] in ("n.", "e.")
        or own in drawing.pieces
        or own in drawing.places
        or own.split("[")[0] in (drawing.counters.keys() | drawing.dice.keys() | drawing.tracks.keys())
    )


# ---------------------------------------------------------------------------- values


def values_of(drawing: Drawing, option: Any, used: dict[int, str]) -> list[Data]:
    """What an option binds: sort, name, the id of the thing in the scene if it is one, and its id in the rules.

    Of several unseen pieces in one heap, each that is offered gets a back of its own: `used` remembers them.
    """
    found = bound_by(drawing.state, option.site, option.raw)
    if found is None:
        return []
    branch, numbers = found
    domains = option.site.branches[branch][1]
    return [
        {
            "sort": thing_bound(thing),
            "name": name,
            "id": thing_id(drawing, thing, number, used),
            "key": key,
        }
        for (thing, _, _), number, name, key in zip(domains, numbers, option.values, option.ids, strict=True)
    ]


def thing_id(drawing: Drawing, thing: str, number: int, used: dict[int, str]) -> str | None:
    meta = drawing.meta
    if number < 0:
        return None
    match thing:
        case "piece" | "row" | "spot":
            return _piece(drawing, number, used)
        case "node":
            return node_id(meta, number)
        case "edge":
            return edge_id(meta, number)
        case "player":
            return seat_id(number)
        case "die":
            return _die(drawing, number)
        case _ if thing.startswith("enum:"):
            return _cell(drawing, thing, number)
        case "payable":
            return _payable(drawing, number, list(drawing.state.picked or ()).count(number))
    return None


def _piece(drawing: Drawing, piece: int, used: dict[int, str]) -> str | None:
    if piece in used:
        return used[piece]
    taken = set(used.values())
    alike = drawing.alike(piece)
    found = next((own for own in alike if own not in taken), alike[0] if alike else None)
    if found is not None:
        used[piece] = found
    return found


def _cell(drawing: Drawing, thing: str, number: int) -> str | None:
    """The cell of a track that stands for a value."""
    for field in drawing.declared.plain_fields("player"):
        if field.thing == thing and f"t.{field.id}" in drawing.tracks:
            return f"t.{field.id}[{id_of(drawing.meta, thing, number)}]"
    return None


def _die(drawing: Drawing, number: int) -> str | None:
    """Dice are numbered over all groups, in the order of the rules."""
    dice = [die["id"] for group in drawing.dice.values() for die in group["dice"]]
    return dice[number] if number < len(dice) else None


def _payable(drawing: Drawing, number: int, paid: int) -> str | None:
    """What pays: a counter, or a piece that the player holds. `paid` equal pieces have been picked before."""
    meta, rows = drawing.meta, len(drawing.meta.row_names)
    if number >= rows:
        own = f"{seat_id(drawing.state.who)}.{meta.fields[number - rows].id}"
        return own if own in drawing.counters else None
    own_places = {place["id"] for place in drawing.places.values() if place["owner"] == drawing.player}
    held = [
        piece
        for shown in drawing.standing_for.values()
        for one, piece in shown
        if one.row == number and drawing.pieces[piece]["place"] in own_places
    ]
    return held[min(paid, len(held) - 1)] if held else None


# ---------------------------------------------------------------------------- sets and payments


def _picked(drawing: Drawing, decision: Any) -> list[Data]:
    """What a set or a payment that is made one by one has so far."""
    site, used = decision.site, dict[int, str]()
    if site.kind == "pay":
        keys = list(drawing.state.picked or ())
        found = [(key, _payable(drawing, key, keys[:number].count(key))) for number, key in enumerate(keys)]
        return [{"name": value_text(drawing.state, "payable", key), "id": own} for key, own in found]
    if site.kind != "set":
        return []
    thing = site.branches[0][1][0][0]
    return [
        {"name": value_text(drawing.state, thing, value), "id": thing_id(drawing, thing, value, used)}
        for value in drawing.state.local(site.chosen)
    ]


def _still_to_pick(drawing: Drawing) -> Data:
    """How much of a payment is left, or how many a set has and may have."""
    bounds = bounds_of(drawing.state)
    match bounds:
        case PaymentBounds(paid, total, keys):
            left = {"left": total - paid, "total": total, "what": _paid_with(drawing, keys)}
            return {"to_pay": left, "progress": None}
        case SetBounds():
            return {"to_pay": None, "progress": _progress(drawing, bounds)}
    return {"to_pay": None, "progress": None}


def _paid_with(drawing: Drawing, keys: tuple[int, ...]) -> str:
    """What pays, in a word: the counter or the kind of piece, if it is one for all that could pay; else nothing."""
    meta, rows = drawing.meta, len(drawing.meta.row_names)
    words = set()
    for key in keys:
        if key >= rows:
            words.add(drawing.declared.words(meta.fields[key - rows]))
        else:
            words.add(drawing.declared.kind_name(kind_of_row(meta, key)))
    return words.pop() if len(words) == 1 else ""


def kind_of_row(meta: Meta, row: int) -> str:
    piece = meta.row_pieces[row][0]
    return next(kind for kind, (first, count) in meta.kinds.items() if first <= piece < first + count)


def _progress(drawing: Drawing, bounds: SetBounds) -> str:
    words = PROGRESS.get(drawing.declared.language, PROGRESS["en"])
    how = "exactly" if bounds.low == bounds.high else "between" if bounds.low > 0 else "up to"
    return words[how].format(n=bounds.picked, low=bounds.low, high=bounds.high)
