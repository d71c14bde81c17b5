"""The editor files: the grammar colours every form of the language, and the YAML schemas are wired."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.syntax.parse import lark_parser
from tests.tools.textmate import Grammar

ROOT = Path(__file__).resolve().parent.parent.parent
EDITOR = ROOT / "tools" / "editor"
EVERY_FORM = ROOT / "tests" / "cases" / "samples" / "every_form.rules"

# What the parser calls the words that authors choose, and everything else that is no word of the language.
NAMED = {"NAME": ("variable", "entity.name", "constant.language"), "TYPE": ("entity.name.type",), "INT": ("constant.numeric",)}
WRITTEN = {"STRING": ("string",), "CLAUSE": ("constant.other.clause",), "FILE": ("string",)}
WORDS = ("keyword", "storage", "constant.language", "support")


def tokens_of(path: Path) -> Iterator[tuple[str, str, int, int]]:
    """(terminal, text, line, column) as the parser reads them; ends of lines left out."""
    parser = lark_parser()
    reader = parser.parse_interactive(path.read_text(encoding="utf-8").rstrip() + "\n", start="file")
    for token in reader.iter_parse():
        if token.strip() and not token.type.startswith(("EOL", "CARRIED_ON", "_INDENT", "_DEDENT")):
            yield token.type, str(token), token.line, token.column


def coloured(grammar: Grammar, path: Path) -> Iterator[tuple[str, str, str, str]]:
    """(terminal, text, its innermost scope, the line) of every token."""
    lines = path.read_text(encoding="utf-8").split("\n")
    scopes = {}
    for terminal, text, line, column in tokens_of(path):
        if line not in scopes:
            scopes[line] = grammar.scopes_of(lines[line - 1])
        at = scopes[line][column - 1]
        yield terminal, text, at[-1] if at else "", f"{path.name}:{line}:{column}: {lines[line - 1].strip()}"


def wrong_colours(grammar: Grammar, path: Path) -> list[str]:
    wrong = []
    for terminal, text, scope, where in coloured(grammar, path):
        wanted = NAMED.get(terminal) or WRITTEN.get(terminal) or (WORDS if text[:1].isalpha() else ())
        if wanted and not scope.startswith(wanted):
            wrong.append(f"{where}\n    `{text}` ({terminal}) is {scope or 'not coloured'}")
        elif not wanted and not scope:
            wrong.append(f"{where}\n    `{text}` is not coloured")
    return wrong


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.read(EDITOR / "rules.tmLanguage.json")


def test_every_form_is_coloured(grammar: Grammar) -> None:
    wrong = wrong_colours(grammar, EVERY_FORM)
    assert not wrong, "\n".join(wrong)
