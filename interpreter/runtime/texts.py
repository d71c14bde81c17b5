"""Texts, produced only when they are shown: prompts, labels, log lines, reasons.

A text consists of plain parts and holes. Emitted code supplies the numbers for the holes; this module turns them into
names, as far as the reader may know them.
"""

from __future__ import annotations

import re
from collections.abc import Container
from functools import reduce
from typing import Any

from ..compile.meta import FREE, PASS, Meta, SiteMeta
from .names import NONE_TEXT, element_of, id_of, name_of
from .running import Running
from .spots import SPOT, bound_by, position_of

_HOLE = re.compile(r"\{(\w+)\}")


def render(state: Running, text: int, values: tuple[Any, ...], reader: int | None) -> str:
    """A text of the game with its holes filled in for a reader (None: somebody who may see everything)."""
    return render_known(state.meta, text, values, lambda piece: state.knows(reader, piece))


def render_for_all(state: Running, text: int, values: tuple[Any, ...]) -> str:
    """A text that everybody reads, such as a title: a piece is named only if every player knows it."""
    players = range(state.meta.players)
    return render_known(state.meta, text, values, lambda piece: all(state.knows(seat, piece) for seat in players))


def render_known(meta: Meta, text: int, values: tuple[Any, ...], known: Any) -> str:
    """A text with its holes filled in. A hole says what sort of thing its value is; in a translation it also says which
    value it shows, and in which grammatical form."""
    parts = []
    left = list(values)
    for part in meta.texts[text][1]:
        if isinstance(part, str):
            parts.append(part)
        elif len(part) == 1:
            parts.append(thing_text(meta, part[0], left.pop(0), known))
        else:
            thing, number, form = part
            name = thing_text(meta, thing, values[int(number)], known)
            parts.append(meta.forms.get(f"{name}|{form}", name))
    return "".join(parts)


def phrase(meta: Meta, words: str, **holes: object) -> str:
    """Words of the program itself, in the language of the game, with their holes filled in."""
    said = meta.phrases.get(words, words)
    if not holes:
        return said
    return _HOLE.sub(lambda hole: str(holes.get(hole[1], hole[0])), said)  # at once: a name may have braces of its own


def thing_text(meta: Meta, thing: str, value: Any, known: Any) -> str:
    """The name of a value; a piece that the reader does not know is named by its back only (`a card`), unless the rules
    name its row themselves."""
    if thing == "face":
        return name_of(meta, "piece", value)
    if thing == "piece" and value >= 0 and not known(value):
        return unseen_text(meta, value)
    if isinstance(value, list):
        value = tuple(value)
    if isinstance(value, tuple) and element_of(thing) == "piece":
        return ", ".join(thing_text(meta, "piece", piece, known) for piece in value) or NONE_TEXT
    return name_of(meta, thing, value)


def unseen_text(meta: Meta, piece: int, kinds: Container[str] | None = None) -> str:
    """What a piece is called by somebody who does not know it.

    Kinds that lie unseen in one place look alike from behind, and which of them it is would tell a secret: a skull
    among discs is `a disc or a skull`. `kinds`: those that it can be, as far as the place tells.
    """
    back = meta.backs.get(meta.piece_back[piece])
    alike = (meta.piece_kind[piece],) if back is None else back.kinds
    names = [meta.unseen[kind] for kind in alike if kinds is None or kind in kinds]
    return reduce(lambda one, other: phrase(meta, "{one} or {other}", one=one, other=other), dict.fromkeys(names))


def label_text(state: Running, site: SiteMeta, raw: int, search: Any = None) -> str:
    """The label of an option. `search`: what looking through many of them may still take (`reading_texts.Budget`)."""
    meta = state.meta
    if raw == PASS:
        return phrase(meta, "That is all" if site.kind == "set" else "Pass")
    if raw <= FREE:
        rule = meta.rules[meta.free_actions[FREE - raw][0]]
        if rule.title is None:
            return phrase(meta, rule.name.replace("_", " ").capitalize())
        return render(state, rule.title, state.rule_text(rule.title, (state.who,)), state.who)
    found = bound_by(state, site, raw)
    assert found is not None
    branch, values = found
    label, _domains, names = site.branches[branch]
    if label is None:
        return ", ".join(values_text(state, site, raw))
    bound = dict(zip(names, values, strict=True))
    return render(state, label, state.text_values(label, bound, search), state.who)


def values_text(state: Running, site: SiteMeta, raw: int) -> tuple[str, ...]:
    """The names of the values that an option binds."""
    found = bound_by(state, site, raw)
    if found is None:
        return ()
    branch, values = found
    return tuple(
        value_text(state, thing, value) for value, (thing, _, _) in zip(values, site.branches[branch][1], strict=True)
    )


def value_ids(state: Running, site: SiteMeta, raw: int) -> tuple[str | None, ...]:
    """The ids of the values that an option binds, as far as the player who decides may know them."""
    found = bound_by(state, site, raw)
    if found is None:
        return ()
    branch, values = found
    return tuple(_value_id(state, of[0], value) for value, of in zip(values, site.branches[branch][1], strict=True))


def _value_id(state: Running, thing: str, value: int) -> str | None:
    meta = state.meta
    if thing == "payable":
        rows = len(meta.row_ids)
        return meta.row_ids[value] if value < rows else meta.fields[value - rows].id
    if thing in ("piece", "row", SPOT):
        return meta.row_ids[meta.piece_row[value]] if value >= 0 and state.knows(state.who, value) else None
    return id_of(meta, thing, value)


def picked_text(state: Running, site: SiteMeta) -> tuple[str, ...]:
    """The names of the elements picked so far for a set that is chosen one by one."""
    if site.kind != "set":
        return ()
    ((thing, _, _),) = site.branches[0][1]
    return tuple(value_text(state, thing, value) for value in state.local(site.chosen))


def value_text(state: Running, thing: str, value: int) -> str:
    meta = state.meta
    if thing == "payable":
        rows = len(meta.row_names)
        return meta.row_names[value] if value < rows else meta.fields[value - rows].name.replace("_", " ")
    named = thing_text(
        meta, "piece" if thing in ("row", SPOT) else thing, value, lambda piece: state.knows(state.who, piece)
    )
    if thing == SPOT and not state.knows(state.who, value):
        return f"{named} ({position_of(state, value)})"  # they look alike, so it is told which one is meant
    return named


def refusal_text(state: Running, number: int, values: tuple[Any, ...] | None) -> str:
    """A refusal in words; None: what its text says takes too long to work out."""
    meta = state.meta
    refusal = meta.refusals[number]
    match refusal.kind:
        case "requires":
            if refusal.text is not None and values is not None:
                return render(state, refusal.text, values, None)
            return phrase(meta, "`{condition}` does not hold", condition=refusal.name)
        case "counter":
            needed, held = values or (0, 0)
            what = phrase(meta, refusal.name.replace("_", " "))
            return phrase(meta, "not enough {what}: {needed} needed, {held} held", what=what, needed=needed, held=held)
        case "full":
            return phrase(meta, "there is no room for it")
        case "too few":
            if not values:
                return phrase(meta, "not enough there")
            needed, held = values[:2]
            return phrase(meta, "not enough there: {needed} needed, {held} there", needed=needed, held=held)
        case "cannot pay":
            return phrase(meta, "it cannot be paid")
        case "cannot perform":
            return phrase(meta, "there is nothing to perform, or it is still being resolved")
        case "pick":
            return phrase(meta, "there is nothing to take")
        case "nothing to move":
            return phrase(meta, "there is no piece to move")
        case "nothing to flip":
            return phrase(meta, "there is no piece to turn over")
    return phrase(meta, "it cannot be carried through")
