"""A game for the lobby and the clauses of its rulebook, read from its files without compiling anything.

This imports the parser, which takes a second; so it is imported when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from ...diagnostics.diagnostic import Diagnostics
from ...ruleset.folder import Ruleset, read_ruleset
from ...ruleset.variants import Offered, offered_variants
from ...syntax import nodes
from .library import Library
from .words import Refused


def entry_of(folder: Path) -> dict[str, Any] | None:
    """A game for the lobby, or None if it cannot be used or is no game by itself."""
    found = Diagnostics()
    ruleset = read_ruleset(folder, found)
    if ruleset is None or found.has_errors or ruleset.game.is_core:
        return None
    offered = list(offered_variants(ruleset, found).values())
    if found.has_errors:
        return None
    game = ruleset.game
    texts: dict[str, dict[str, str]] = {}
    for layer in (*ruleset.lower(), ruleset):
        for language, own in layer.texts.items():
            texts.setdefault(language, {}).update(own)
    return {
        "name": ruleset.name,
        "title": game.title.raw,
        "fewest": game.fewest,
        "most": game.most,
        "variants": [_variant(one, game.fewest, game.most) for one in offered],
        "automas": _automas(ruleset.declarations),
        "languages": list(dict.fromkeys([*ruleset.manifest.languages, *texts])),
        "showcase": _is_showcase(ruleset),
        "texts": {language: _titles(own, game.title.raw, offered) for language, own in texts.items()},
        "clauses": len(ruleset.clauses),
    }


def _is_showcase(ruleset: Ruleset) -> bool:
    """Whether the ruleset asks to be a newcomer's first game: `showcase: true` in its `table.yaml`."""
    try:
        said_there = yaml.safe_load((ruleset.manifest.folder / "table.yaml").read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, yaml.YAMLError):
        return False
    return isinstance(said_there, dict) and said_there.get("showcase") is True


def _variant(one: Offered, fewest: int, most: int) -> dict[str, Any]:
    info = one.info
    fixed = (info.fewest, info.most) != (fewest, most)
    automas = _automas(one.declaration.declarations)
    return {
        "name": info.name,
        "title": info.title,
        "needs": list(info.needs),
        "excludes": list(info.excludes),
        "players": [info.fewest, info.most] if fixed else None,
        "automas": automas,
        "solo": info.most - len(automas) <= 1,
    }


def _automas(declarations: Iterable[nodes.Declaration]) -> list[int]:
    return [one.seat - 1 for one in declarations if isinstance(one, nodes.Automa)]


def _titles(texts: dict[str, str], title: str, offered: list[Offered]) -> dict[str, str]:
    wanted = [title, *(one.info.title for one in offered)]
    return {text: texts[text] for text in wanted if text in texts}


def clauses_of(library: Library, name: str, language: str) -> dict[str, Any]:
    """The clauses of a rulebook in their order, translated where the ruleset has the words."""
    folder = library.folder(name.partition("+")[0])
    ruleset = read_ruleset(folder, Diagnostics())
    if ruleset is None:
        raise Refused(422, "unusable", name=name, what="")
    texts: dict[str, str] = {}
    clauses: dict[str, Any] = {}
    for layer in (*ruleset.lower(), ruleset):
        texts.update(layer.texts.get(language, {}))
        clauses.update(layer.clauses)
    return {
        "game": ruleset.name,
        "clauses": [
            {
                "id": clause.id,
                "page": clause.page,
                "summary": texts.get(f"@{clause.id}", clause.summary),
                "section": clause.section,
                "mode": clause.mode,
            }
            for clause in clauses.values()
        ],
    }
