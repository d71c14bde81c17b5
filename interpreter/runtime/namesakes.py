"""Options of one decision that have one label: what tells them apart, in words behind it.

Pieces without a table of their own, and equal copies of a row, have one name. A label that speaks of them by name, size
or owner may then stand for several options that do different things: of two soldiers on one field the one has marched
already, of two boats of one kind the one lies at the mill and the other carries salt.

    Feed the 2 of seat1 on hex 3,1 (moved)
    Feed the 2 of seat1 on hex 3,1 (not moved)

So options that read alike are compared by what their player sees of the pieces that they bind: where each lies, its
fields, what it carries; if none of that differs, by its position in a row or pile, as two equal cards of a hand that is
kept in order. What is the same for all of them is not said, and one thing that tells all of them apart is enough.
Nothing is added if a piece is one that the player cannot tell from others, nor if nothing differs: such options
do the same, or the author has to say more (R0725).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ..compile.meta import FREE, PASS, SiteMeta
from .eyes import Eyes, field_value, veil
from .knowledge import BOX, contents
from .meta import FieldMeta, Meta, PlaceMeta
from .names import NONE_TEXT, name_of, row_name
from .running import Running
from .spots import bound_by
from .texts import label_text, phrase

PIECES = ("piece", "row")
Facets = dict[tuple[int, str], str]  # by number of the piece in the option and name: what is to be said of it


def words_apart(state: Running, site: SiteMeta) -> dict[int, str]:
    """By option: what tells it from the others that have its label; those that need no words are left out."""
    if not any(_binds_pieces(site, branch) for branch in range(len(site.branches))):
        return {}
    named: dict[str, list[int]] = {}
    for raw in state.opts:
        if raw != PASS and raw > FREE:
            named.setdefault(label_text(state, site, raw), []).append(raw)
    alike = [raws for raws in named.values() if len(raws) > 1]
    if not alike:
        return {}
    eyes = Eyes(state, state.meta, state.who if state.kn is not None else None)
    found: dict[int, str] = {}
    for raws in alike:
        pieces = [_pieces_of(state, site, raw) for raw in raws]
        if not any(eyes.mixes[piece] in eyes.several for own in pieces for piece in own):
            words = _what_differs([dict(_facets(eyes, own)) for own in pieces])
            if not any(words):
                words = _what_differs([dict(_positions(eyes, own)) for own in pieces])
            found |= {raw: said for raw, said in zip(raws, words, strict=True) if said}
    return found


def with_words(label: str, words: str) -> str:
    return f"{label} ({words})"


def _binds_pieces(site: SiteMeta, branch: int) -> bool:
    return any(thing in PIECES for thing, _, _ in site.branches[branch][1])


def _pieces_of(state: Running, site: SiteMeta, raw: int) -> list[int]:
    bound = bound_by(state, site, raw)
    assert bound is not None
    branch, values = bound
    domains = site.branches[branch][1]
    return [value for value, (thing, _, _) in zip(values, domains, strict=True) if thing in PIECES and value >= 0]


def _what_differs(options: list[Facets]) -> list[str]:
    """One text per option: the first facet that is another for each of them, or all that are not the same for all."""
    keys = list(dict.fromkeys(key for facets in options for key in facets))
    columns = [[facets.get(key, "") for facets in options] for key in keys]
    differing = [column for column in columns if len(set(column)) > 1]
    telling = [column for column in differing if len(set(column)) == len(options) and all(column)]
    return [", ".join(filter(None, row)) for row in zip(*(telling[:1] or differing), strict=True)] or [""] * len(
        options
    )


def _facets(eyes: Eyes, pieces: list[int]) -> Iterator[tuple[tuple[int, str], str]]:
    for number, piece in enumerate(pieces):
        for name, words in (*_where(eyes, piece), *_fields(eyes, piece), *_load(eyes, piece)):
            yield (number, name), words


def _positions(eyes: Eyes, pieces: list[int]) -> Iterator[tuple[tuple[int, str], str]]:
    """Where each piece lies in the order of its row or pile, counted from 1."""
    for number, piece in enumerate(pieces):
        place = eyes.S.at[piece]
        if place != BOX and eyes.meta.places[eyes.meta.place_of[place]].shape in ("row", "pile"):
            yield (number, "position"), str(contents(eyes.S, eyes.meta, place).index(piece) + 1)


# ---------------------------------------------------------------------------- what there is to say of a piece


def _where(eyes: Eyes, piece: int) -> Iterator[tuple[str, str]]:
    """Where a piece lies: whose or which node's place it is, what it is called, and which of several."""
    place, meta = eyes.S.at[piece], eyes.meta
    if place == BOX:
        return
    declared = meta.places[meta.place_of[place]]
    names = _indexes(meta, declared, place)
    if declared.owner == "piece":
        yield from _where(eyes, _owner_of(declared, place))
    elif declared.has_owner:
        yield "owner", names[0]
    yield "place", _spaced(declared.name)
    yield "index", " ".join(names[declared.has_owner :])


def _indexes(meta: Meta, declared: PlaceMeta, place: int) -> list[str]:
    """The names of the owner and the indexes of one place of a declaration."""
    names, rest = [], place - declared.base
    for thing, low, size in reversed(declared.dimensions):
        rest, step = divmod(rest, size)
        names.append(name_of(meta, thing, low + step))
    return names[::-1]


def _owner_of(declared: PlaceMeta, place: int) -> int:
    _, low, size = declared.dimensions[0]
    return low + (place - declared.base) // (declared.size // size)


def _fields(eyes: Eyes, piece: int) -> Iterator[tuple[str, str]]:
    """The fields of a piece that the player sees, as far as they are one value."""
    for field in eyes.meta.fields:
        offset = _offset_of(field, piece)
        if offset is None or field.is_history or veil(eyes, field, piece, offset, 1) is not None:
            continue
        yield field.name, _field_words(eyes.meta, field, field_value(eyes, field, piece, offset))


def _offset_of(field: FieldMeta, piece: int) -> int | None:
    if field.owner != "piece" or len(field.dimensions) > 1:
        return None
    _, low, size = field.dimensions[0]
    return field.base + piece - low if low <= piece < low + size else None


def _field_words(meta: Meta, field: FieldMeta, value: Any) -> str:
    name = _spaced(field.name)
    if field.thing == "flag":
        return name if value else phrase(meta, "not {what}", what=name)
    return f"{name} {NONE_TEXT if value is None else value}"


def _load(eyes: Eyes, piece: int) -> Iterator[tuple[str, str]]:
    """What a piece carries, as far as the player knows it."""
    for declared in eyes.meta.places:
        if declared.owner != "piece":
            continue
        _, low, size = declared.dimensions[0]
        if low <= piece < low + size:
            each = declared.size // size
            first = declared.base + (piece - low) * each
            lying = [x for place in range(first, first + each) for x in contents(eyes.S, eyes.meta, place)]
            names = [row_name(eyes.meta, x) if eyes.knows(x) else "?" for x in lying]
            yield (
                declared.name,
                _counted(names) or phrase(eyes.meta, "nothing in {place}", place=_spaced(declared.name)),
            )


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _counted(names: list[str]) -> str:
    times = {name: names.count(name) for name in names}
    return ", ".join(f"{name} ×{count}" if count > 1 else name for name, count in times.items())
