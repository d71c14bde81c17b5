"""Mangled rules give findings, never an exception; whatever parses can be laid out without changing its tree."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import Diagnostics, Source, Span, as_data, render, render_line
from interpreter.syntax import format_rules, parse_cell, parse_rules

SAMPLES = [
    path.read_text(encoding="utf-8")
    for path in sorted((Path(__file__).resolve().parent.parent / "cases" / "samples").glob("*.rules"))
    if path.stem in ("every_form", "pikit", "pikit_scenarios", "kuhn_poker")
]
_SIGNS = [
    "\t",
    "  ",
    "\n",
    "(",
    ")",
    "[",
    '"',
    "{",
    "}",
    "=",
    "==",
    "..",
    ".",
    ",",
    "|",
    "@",
    "#",
    "\\",
    "\x00",
    "\r",
    "-",
]
_WORDS = [
    "if ",
    "else\n",
    "for ",
    "choose ",
    " in ",
    "not ",
    "Card",
    "draw",
    "\n    ",
    "\n  ",
    " where ",
    "1",
    "@K-041",
    "é",
]
_BITS = st.sampled_from([*_SIGNS, *_WORDS])


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """A stretch of a sample with a few cuts, doublings and insertions."""
    text = draw(st.sampled_from(SAMPLES))
    lines = text.split("\n")
    start = draw(st.integers(0, len(lines) - 1))
    text = "\n".join(lines[start : start + draw(st.integers(1, 40))])
    for _ in range(draw(st.integers(1, 4))):
        a = draw(st.integers(0, len(text)))
        b = draw(st.integers(a, min(len(text), a + 20)))
        text = text[:a] + draw(st.one_of(_BITS, st.just(""), st.just(text[a:b] * 2))) + text[b:]
    return text


def check(text: str) -> None:
    source = Source("mangled.rules", text)
    found = Diagnostics()
    tree = parse_rules(source, found)
    assert (tree is None) == (len(found) > 0)
    for finding in found:
        assert 0 <= finding.primary.span.start <= len(text)
        assert render(finding) and render_line(finding) and as_data(finding)
    if tree is not None:
        laid_out = format_rules(tree, source)
        again = Source("mangled.rules", laid_out)
        same = parse_rules(again, found)
        assert same == tree
        assert same is not None and format_rules(same, again) == laid_out


@settings(max_examples=60, deadline=None)
@given(mangled())
def test_mangled_samples(text: str) -> None:
    check(text)


@settings(max_examples=40, deadline=None)
@given(st.text(max_size=80))
def test_any_text(text: str) -> None:
    check(text)


@settings(max_examples=40, deadline=None)
@given(st.lists(st.one_of(_BITS, st.text(alphabet="abcXY019 ", max_size=4)), max_size=30).map("".join))
def test_any_pieces(text: str) -> None:
    check("effect try_out(p)\n  " + text)
    check(text)


@settings(max_examples=40, deadline=None)
@given(st.one_of(st.text(max_size=40), st.text(alphabet="ab(),= -1N.", max_size=30)))
def test_any_cell(text: str) -> None:
    found = Diagnostics()
    source = Source("table.yaml", f"cell: {text}\n")
    cell = parse_cell(text, Span(source, 6, 6 + len(text)), found)
    assert (cell is None) == (len(found) > 0)
    assert all(render(finding) for finding in found)
