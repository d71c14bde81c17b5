"""The grammar itself: free of conflicts in Lark's strict mode, with the samples of every form."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark
from reading import SAMPLES, parse_source, read

from interpreter.syntax import nodes, shapes
from interpreter.syntax.builder import Builder
from interpreter.syntax.layout import Layout
from interpreter.syntax.parse import GRAMMAR, START_SYMBOLS
from interpreter.syntax.shapes import GATHERED, LISTS, PASSED_ON, SHAPES, shape_of


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


def test_every_rule_of_the_grammar_becomes_a_node(strict: Lark) -> None:
    """A rule that has no method and stands in no table makes the node of its own name, which has to be there."""
    shown = {str(rule.alias or rule.origin.name) for rule in strict.rules if not rule.options.expand1}
    plain = {rule for rule in shown if not rule.startswith("_")} - {*LISTS, *PASSED_ON, *GATHERED}
    shaped = [shape_of(rule) for rule in plain if not hasattr(Builder, f"_{rule}")]
    assert len(shaped) > 100


def test_no_row_says_what_the_node_says_already(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = {rule: shape_of.__wrapped__(rule) for rule in SHAPES}
    monkeypatch.setattr(shapes, "SHAPES", {})
    for rule, row in rows.items():
        if hasattr(nodes, "".join(word.capitalize() for word in rule.split("_"))):
            assert shape_of.__wrapped__(rule) != row
