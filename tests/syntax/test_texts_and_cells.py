"""Texts with holes, cells of tables, spans of both."""

from __future__ import annotations

import pytest
from reading import statement

from interpreter.diagnostics import Diagnostics, Source, Span
from interpreter.syntax import nodes, parse_cell, show


def said(text: str) -> nodes.Text:
    say = statement(f"say {text}")
    assert isinstance(say, nodes.Say)
    return say.text


@pytest.mark.parametrize(
    ("text", "parts"),
    {
        '"plain"': ["plain"],
        '""': [],
        '"{p}"': ["p"],
        '"{p} and {q.name}"': ["p", " and ", "q.name"],
        '"{{x}} \\"quoted\\" \\\\"': ['{x} "quoted" \\'],
        '"{count(p.hand)} cards"': ["Count(of=p.hand)", " cards"],
        '"{c|definite}"': ["c|definite"],
        '"{a + 1 | plural}"': ["Arithmetic(op='+', left=a, right=1)|plural"],
    }.items(),
)
def test_parts(text: str, parts: list[str]) -> None:
    shown = [
        part if isinstance(part, str) else show(part.expression) + (f"|{part.form}" if part.form else "")
        for part in said(text).parts
    ]
    assert shown == parts


def test_holes_know_their_place() -> None:
    text = said('"Steal {c.rank + 1} from {q}"')
    holes = [part for part in text.parts if isinstance(part, nodes.Hole)]
    assert [hole.span.text for hole in holes] == ["{c.rank + 1}", "{q}"]
    assert [hole.expression.span.text for hole in holes] == ["c.rank + 1", "q"]
    assert text.raw == "Steal {c.rank + 1} from {q}"


@pytest.mark.parametrize(
    ("text", "tree"),
    {
        "another": "Cell(calls=[CellCall(name=another)])",
        "build(3, -2, extra = 2)": (
            "Cell(calls=[CellCall(name=build, args=[CellArg(value=3), CellArg(value=-2), "
            "CellArg(name=extra, value=2)])])"
        ),
        "a(1), b": "Cell(calls=[CellCall(name=a, args=[CellArg(value=1)]), CellCall(name=b)])",
        "a(yes, none, red, Colour.red)": (
            "Cell(calls=[CellCall(name=a, args=[CellArg(value=yes), CellArg(value=none), CellArg(value=red), "
            "CellArg(value=Colour.red)])])"
        ),
        "draw(2)": "Cell(calls=[CellCall(name=draw, args=[CellArg(value=2)])])",
        "f()": "Cell(calls=[CellCall(name=f)])",
    }.items(),
)
def test_cell(text: str, tree: str) -> None:
    source = Source("table.yaml", f"rows:\n  - action: {text}\n")
    start = source.text.index(text)
    found = Diagnostics()
    cell = parse_cell(text, Span(source, start, start + len(text)), found)
    assert cell is not None and not len(found)
    assert show(cell) == tree
    assert cell.span.text == text


def test_a_quoted_cell_points_inside_its_quotes() -> None:
    source = Source("table.yaml", 'action: "gain(2), lose(x)"\n')
    cell = parse_cell("gain(2), lose(x)", Span(source, 8, 26), Diagnostics())
    assert cell is not None
    assert [call.span.text for call in cell.calls] == ["gain(2)", "lose(x)"]


def test_a_cell_that_yaml_folded_points_at_the_whole() -> None:
    source = Source("table.yaml", "action: >\n  gain(2),\n  lose(1)\n")
    span = Span(source, 8, len(source.text))
    cell = parse_cell("gain(2), lose(1)\n", span, Diagnostics())
    assert cell is not None
    assert {call.name.span for call in cell.calls} == {span}


@pytest.mark.parametrize(
    "text", ["", "gain(", "gain(2", "gain 2", "Gain(2)", "gain(2))", "gain(2) lose(1)", "gain(a + b)"]
)
def test_a_bad_cell_is_reported_at_its_place(text: str) -> None:
    source = Source("table.yaml", f"rows:\n  - action: {text}\n")
    start = source.text.index("action: ") + 8
    found = Diagnostics()
    assert parse_cell(text, Span(source, start, start + len(text)), found) is None
    (finding,) = found
    assert finding.primary.span.line == 2
    assert start <= finding.primary.span.start <= start + len(text)
