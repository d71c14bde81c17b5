"""What the files of a ruleset say: a game for the lobby, the clauses of its rulebook, what is wrong with it.

Nothing is compiled or played. Files of others can be wrong in every way, so these functions take and give plain data:
`reading` calls them here for rulesets that came with the program, and in a sandbox for all others. This imports the
parser, which takes a second; so it is imported when somebody asks.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from ...diagnostics.diagnostic import Diagnostic, Diagnostics, RulesetError, Severity
from ...diagnostics.render import as_data, render
from ...editor.checked import check_ruleset
from ...ruleset.folder import Ruleset, read_ruleset
from ...ruleset.variants import Offered, offered_variants
from ...syntax import nodes

_MOST_FINDINGS = 100


def entry(folder: str) -> dict[str, Any] | None:
    """A game for the lobby, or None if it cannot be used or is no game by itself."""
    found = Diagnostics()
    ruleset = read_ruleset(Path(folder), found)
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


def clauses(folder: str, language: str) -> dict[str, Any] | None:
    """The clauses of a rulebook in their order, translated where the ruleset has the words; None if there is no telling
    what it is."""
    ruleset = read_ruleset(Path(folder), Diagnostics())
    if ruleset is None:
        return None
    texts: dict[str, str] = {}
    found: dict[str, Any] = {}
    for layer in (*ruleset.lower(), ruleset):
        texts.update(layer.texts.get(language, {}))
        found.update(layer.clauses)
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
            for clause in found.values()
        ],
    }


# ---------------------------------------------------------------------------- for authors


def findings(folder: str) -> dict[str, Any]:
    """What is wrong with a ruleset, as an editor would tell it: how many errors, and the first findings."""
    try:
        found = list(check_ruleset(Path(folder), quick=True).findings)
    except RulesetError as unusable:
        found = list(unusable.diagnostics)
    errors = sum(one.severity is Severity.error for one in found)
    return {"errors": errors, "findings": [_finding(one) for one in found[:_MOST_FINDINGS]]}


def _finding(finding: Diagnostic) -> dict[str, Any]:
    """A finding with its place, the line of the file with carets under it, and the whole text that a terminal shows."""
    span = finding.primary.span
    line, column = span.source.place(span.start)
    text = span.source.line_text(line)
    width = max(1, min(span.end, span.start - column + 1 + len(text)) - span.start)
    return {**as_data(finding), "source": text, "caret": [column, column + width], "text": render(finding)}


QUESTIONS = {question.__name__: question for question in (entry, clauses, findings)}
