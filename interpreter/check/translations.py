"""Texts and their translations: which texts a game has, and what a file in `texts/` lacks or has too much.

A text is known by what the rules have between the quotes, holes included. Names of rows, nodes and enum values are
texts as well, unless they are numbers. The program's own words (`Pass`) may be translated in the same file.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..ruleset.gathered import Scalar
from ..ruleset.yaml_source import read_yaml
from .program import Program, Template
from .walk import walk_program

PHRASES = (
    "Pass", "That is all", "You may", "Go on?", "Which comes next?", "Pay with what?", "Choose", "The game is over",
)  # fmt: skip
_HOLE = re.compile(r"\{([^{}|]+)(?:\|([a-z_]+))?\}")
_LETTER = re.compile(r"[^\W\d_]")
_MOST_LISTED = 12


def text_keys(program: Program) -> Iterator[str]:
    """Every text that a translation of this game should have."""
    yield program.title
    for node in walk_program(program):
        if isinstance(node, Template):
            yield node.raw
    for rule in program.rules.values():
        if rule.text is not None:
            yield rule.text.raw
    names = [row.name or row.id for row in program.rows]
    names += [thing.name or thing.id for thing in (*program.nodes, *program.edges)]
    names += [name for enum in program.enums.values() for name in enum.names]
    yield from names
    yield from (cell.label for cell in program.cells if cell.label)


def optional_keys(program: Program) -> Iterator[str]:
    """What may be translated and need not be: names of places and fields, of rules without a title, of seats."""
    yield from (field.name.replace("_", " ") for field in program.fields)
    yield from (place.name.replace("_", " ") for place in program.places)
    yield from (rule.name.replace("_", " ").capitalize() for rule in program.rules.values() if rule.text is None)
    yield from program.seat_names
    yield from PHRASES


@dataclass(frozen=True)
class Keys:
    """The texts of a game with all its variants, in their order."""

    needed: dict[str, None]  # holes alone and numbers are left out
    optional: frozenset[str]


def keys_of(programs: Iterable[Program]) -> Keys:
    needed: dict[str, None] = {}
    optional: set[str] = set()
    for program in programs:
        needed.update(dict.fromkeys(key for key in text_keys(program) if _LETTER.search(_HOLE.sub("", key))))
        optional.update(optional_keys(program))
    return Keys(needed, frozenset(optional))


def holes_of(text: str) -> list[tuple[str, str]]:
    """(expression, form) of each hole."""
    return [(found[1].strip(), found[2] or "") for found in _HOLE.finditer(text.replace("{{", "").replace("}}", ""))]


def check_translations(folder: Path, keys: Keys, found: Diagnostics) -> None:
    """What the files in `texts/` lack, have too much, or say with holes that are not there."""
    for path in sorted((folder / "texts").glob("*.yaml")):
        document = read_yaml(path, Diagnostics())
        if document is None or not isinstance(document.value, dict) or "texts" not in document.value:
            continue  # reading the ruleset has told it
        texts = document.value["texts"]
        _check_file(texts, keys, found)


def _check_file(texts: Scalar, keys: Keys, found: Diagnostics) -> None:
    needed = keys.needed
    head = Span(texts.span.source, texts.span.start, texts.span.start)
    missing = [key for key in needed if key not in texts.value]
    if missing:
        listed = tuple(f"“{key}”" for key in missing[:_MOST_LISTED])
        more = (f"and {len(missing) - _MOST_LISTED} more",) if len(missing) > _MOST_LISTED else ()
        found.warning(
            "R0263",
            f"{len(missing)} text{'s have' if len(missing) > 1 else ' has'} no translation",
            head,
            notes=(*listed, *more),
            help="add them as keys",
        )
    for key, value in texts.value.items():
        span = texts.keys.get(key, value.span)
        if key not in needed and key not in keys.optional:
            advice = did_you_mean(key, needed) or "take it out, or write the key as the rules have the text"
            found.warning("R0264", f"no text of the rules is “{key}”", span, help=advice)
            continue
        _check_holes(key, value, found)


def _check_holes(key: str, value: Scalar, found: Diagnostics) -> None:
    known = [expression for expression, _ in holes_of(key)]
    for text in value.value.values() if isinstance(value.value, dict) else (value,):
        for expression, _ in holes_of(str(text.value)):
            if expression not in known:
                listed = ", ".join(f"{{{hole}}}" for hole in known) or "none"
                found.warning(
                    "R0265", f"“{key}” has no hole `{{{expression}}}`", text.span, help=f"its holes: {listed}"
                )
