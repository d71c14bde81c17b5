"""The grammar itself: free of conflicts in Lark's strict mode, with the samples of every form."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark
from reading import SAMPLES, parse_source, read

from interpreter.syntax.layout import Layout
from interpreter.syntax.parse import GRAMMAR, START_SYMBOLS
from interpreter.syntax.shapes import GATHERED, LISTS, PASSED_ON, SHAPES


@pytest.fixture(scope="module")
def strict() -> Lark:
    pytest.importorskip("interegular")
    text = GRAMMAR.read_text(encoding="utf-8")
    return Lark(text, parser="lalr", lexer="contextual", start=START_SYMBOLS, postlex=Layout(), strict=True)


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_parse_in_strict_mode(strict: Lark, path: Path) -> None:
    strict.parse(read(path).text.rstrip() + "\n", start="file")


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_become_nodes(path: Path) -> None:
    assert parse_source(read(path)).declarations


def test_tables_of_the_builder_name_rules_of_the_grammar(strict: Lark) -> None:
    known = {str(rule.alias or rule.origin.name) for rule in strict.rules}
    assert {*SHAPES, *LISTS, *PASSED_ON, *GATHERED} <= known
