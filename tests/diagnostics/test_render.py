"""Renderings of findings: whole ones against goldens, and the odd cases one by one.

`UPDATE_GOLDEN=1 python -m pytest tests/diagnostics` rewrites the goldens.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from interpreter.diagnostics import (
    Diagnostic,
    Diagnostics,
    Label,
    Severity,
    Source,
    Span,
    as_data,
    render,
    render_all,
    render_line,
)
from interpreter.syntax import parse_rules

GOLDEN = Path(__file__).resolve().parent.parent / "golden" / "diagnostics"
_FIRST_LINE = "# rewritten by: UPDATE_GOLDEN=1 python -m pytest tests/diagnostics\n"


def place(source: Source, text: str, nth: int = 0) -> Span:
    """The span of a piece of text, the nth time it occurs."""
    start = -1
    for _ in range(nth + 1):
        start = source.text.index(text, start + 1)
    return Span(source, start, start + len(text))


def two_files() -> Diagnostic:
    one = Source("variants/open_market.rules", "\n\n\ninstead of refill_market              @P-052\n  stop\n")
    two = Source("variants/slow_market.rules", "\n" * 6 + "instead of refill_market\n  stop\n")
    return Diagnostic(
        "R0604",
        "two variants replace `refill_market`",
        Label(place(one, "instead of refill_market"), "replaced here"),
        (Label(place(two, "instead of refill_market"), "and here"),),
        ("the base rule is at market.rules:88 (clause P-021)",),
        "play only one of them, or let one say that it excludes the other",
    )


def in_a_table() -> Diagnostic:
    source = Source("cards.yaml", "\n" * 30 + "  value: 13\n")
    return Diagnostic(
        "R0213",
        "value 13 is outside 1..12",
        Label(place(source, "13"), "`value` of Card is 1..12 (market.rules:9)"),
        help="widen the range, or correct the row",
    )


def wide_letters() -> Diagnostic:
    source = Source("wide.rules", 'say "熊é" to qq\n')
    return Diagnostic("R0301", "unknown name `qq`", Label(place(source, "qq")), severity=Severity.warning)


def chain() -> Diagnostic:
    source = Source("long.rules", "".join(f"value v{n}(p) = v{(n + 1) % 3}(p)\n" for n in range(3)) + "\n" * 100)
    labels = [Label(place(source, f"v{(n + 1) % 3}(p)\n"), "asks") for n in range(3)]
    return Diagnostic("R0410", "`v0` needs itself", labels[0], tuple(labels[1:]), ("a note\nof two lines",))


FINDINGS = {"two_files": two_files, "in_a_table": in_a_table, "wide_letters": wide_letters, "chain": chain}

BAD_RULES = """\
game broken "Broken for 2 players

setup
\tshuffle deck

fase turn(p)
  stop

effect feed(p)
  if fame = 3
    perform c.gift
  let x = (1 + 2

kind stone
  copies 3

effect draw(p)
    stop
"""


def check_golden(name: str, text: str) -> None:
    path = GOLDEN / f"{name}.txt"
    content = f"{_FIRST_LINE}{text}\n"
    if os.environ.get("UPDATE_GOLDEN"):
        path.write_text(content, encoding="utf-8")
    assert path.read_text(encoding="utf-8") == content


@pytest.mark.parametrize("name", FINDINGS)
def test_golden(name: str) -> None:
    check_golden(name, render(FINDINGS[name]()))


def test_golden_of_a_broken_file() -> None:
    found = Diagnostics()
    assert parse_rules(Source("broken.rules", BAD_RULES), found) is None
    check_golden("broken_file", render_all(found))


def test_one_line() -> None:
    assert render_line(in_a_table()) == "cards.yaml:31:10: error[R0213]: value 13 is outside 1..12"


def test_data() -> None:
    data = as_data(two_files())
    assert data["code"] == "R0604" and data["severity"] == "error"
    assert data["at"] == {
        "file": "variants/open_market.rules",
        "line": 4,
        "column": 1,
        "end_line": 4,
        "end_column": 25,
        "label": "replaced here",
    }
    assert [other["line"] for other in data["others"]] == [7]


def test_colour_adds_nothing_but_colour() -> None:
    import re

    coloured = render(two_files(), colour=True)
    assert "\x1b[" in coloured
    assert re.sub(r"\x1b\[[0-9;]*m", "", coloured) == render(two_files())


def test_a_span_over_lines_is_underlined_to_the_end_of_the_first() -> None:
    source = Source("x.rules", "value v = (a\n  and b)\n")
    lines = render(Diagnostic("R0100", "x", Label(place(source, "(a\n  and b)")))).split("\n")
    assert lines[-1] == "   |           ^^"


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 3), (3, 4), (4, 4)])
def test_places_at_the_edges(start: int, end: int) -> None:
    source = Source("x.rules", "abc\n")
    assert "^" in render(Diagnostic("R0100", "x", Label(Span(source, start, end))))


def test_an_empty_file_can_be_pointed_at() -> None:
    assert "x.rules:1:1" in render(Diagnostic("R0100", "x", Label(Span(Source("x.rules", ""), 0, 0))))


def test_a_very_long_line_is_shown_in_part() -> None:
    source = Source("x.rules", "a" * 5000 + " here " + "b" * 5000)
    shown = render(Diagnostic("R0100", "x", Label(place(source, "here"))))
    assert max(len(line) for line in shown.split("\n")) < 220
    line, carets = shown.split("\n")[-2:]
    assert line[carets.index("^") : carets.rindex("^") + 1] == "here"


def test_the_last_line_counts() -> None:
    text = render_all([in_a_table(), wide_letters(), two_files()])
    assert text.endswith("\n\n2 errors, 1 warning")
    assert render_all([]) == ""
