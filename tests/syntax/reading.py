"""Short ways to parse a text in tests."""

from __future__ import annotations

from pathlib import Path

from interpreter.diagnostics import Diagnostic, Diagnostics, Source, render_all
from interpreter.syntax import nodes, parse_expression, parse_rules

CASES = Path(__file__).resolve().parent.parent / "cases"
SAMPLES = sorted((CASES / "samples").glob("*.rules"))


def read(path: Path) -> Source:
    return Source(path.name, path.read_text(encoding="utf-8"))


def parse(text: str) -> nodes.File:
    """The tree of a text that must be free of errors."""
    return parse_source(Source("test.rules", text))


def parse_source(source: Source) -> nodes.File:
    found = Diagnostics()
    file = parse_rules(source, found)
    assert file is not None, render_all(found)
    return file


def expression(text: str) -> nodes.Expr:
    found = Diagnostics()
    tree = parse_expression(Source("test", text), found)
    assert tree is not None, render_all(found)
    return tree


def statement(text: str) -> nodes.Statement:
    """The first statement of a rule; further lines are indented as written."""
    lines = "".join(f"  {line}\n" for line in text.split("\n"))
    rule = parse(f"effect try_out(p)\n{lines}").declarations[0]
    assert isinstance(rule, nodes.Effect) and rule.body
    return rule.body[0]


def findings(text: str) -> list[Diagnostic]:
    found = Diagnostics()
    file = parse_rules(Source("test.rules", text), found)
    assert (file is None) == (len(found) > 0)
    return found.found
