"""Reads the head lines of rules files without parsing the files.

Listing rulesets, finding the ones a game uses and computing a fingerprint must be fast: they run before every command.
The head lines (`game`, `core`, `use`, `variant`, `scenario`) always begin in the first column, so a regular expression
finds them. Whatever is decided here is decided again from the parsed tree.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_COUNT = r"for[ ]+(?P<fewest>\d{1,3})(?:[ ]*\.\.[ ]*(?P<most>\d{1,3}))?[ ]+players?"
_GAME = re.compile(rf'^(?P<form>game|core)[ ]+(?P<name>\w+)[ ]+"(?P<title>[^"\n]*)"[ ]+{_COUNT}', re.MULTILINE)
_USE = re.compile(r"^use[ ]+(?P<name>\w+)", re.MULTILINE)
_REMOVE = re.compile(r"^remove[ ]+(?P<name>\w+)", re.MULTILINE)
_VARIANT = re.compile(
    rf'^variant[ ]+(?P<name>\w+)[ ]+of[ ]+\w+(?:[ ]+"(?P<title>[^"\n]*)")?(?:[ ]+{_COUNT})?', re.MULTILINE
)
_SCENARIO = re.compile(r'^scenario[ ]+"', re.MULTILINE)


@dataclass(frozen=True)
class VariantHead:
    """`variant small of harbour "On a board of six by six"`"""

    name: str
    title: str
    fewest: int = 0  # 0: the same as the game


@dataclass(frozen=True)
class Heads:
    """The head lines of one text. `title`, `fewest` and `most` are those of its `game` or `core` line."""

    name: str | None
    title: str | None
    fewest: int
    most: int
    is_core: bool
    uses: tuple[str, ...]
    removes: tuple[str, ...]
    variants: tuple[VariantHead, ...]
    scenarios: int


def scan_heads(text: str) -> Heads:
    """The head lines of a rules text."""
    game = _GAME.search(text)
    fewest = int(game["fewest"]) if game else 0
    return Heads(
        name=game["name"] if game else None,
        title=game["title"] if game else None,
        fewest=fewest,
        most=int(game["most"] or fewest) if game else 0,
        is_core=game["form"] == "core" if game else False,
        uses=tuple(m["name"] for m in _USE.finditer(text)),
        removes=tuple(m["name"] for m in _REMOVE.finditer(text)),
        variants=tuple(_variant_head(m) for m in _VARIANT.finditer(text)),
        scenarios=len(_SCENARIO.findall(text)),
    )


def _variant_head(line: re.Match[str]) -> VariantHead:
    return VariantHead(line["name"], line["title"] or in_words(line["name"]), int(line["fewest"] or 0))


def in_words(name: str) -> str:
    """`open_market` as it is shown when it has no title: `open market`."""
    return name.replace("_", " ")


def in_players(fewest: int, most: int) -> str:
    """`2 players`, `1 player`, `2 to 4 players`."""
    if fewest == most:
        return f"{fewest} player" if fewest == 1 else f"{fewest} players"
    return f"{fewest} to {most} players"
