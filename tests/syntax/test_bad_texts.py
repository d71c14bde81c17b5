"""Chunked files of bad rules: the code and some words of each finding stand in a comment on the failing line."""

from __future__ import annotations

import re

import pytest
from reading import CASES, findings

from interpreter.diagnostics import render_line
from interpreter.diagnostics.codes import CODES
from interpreter.syntax import mistakes
from interpreter.syntax.mistake import Mistake

_EXPECTED = re.compile(r"# (R\d{4}): (.+)$")
_SHOUTED = re.compile(r"\b_?[A-Z]{2,}(?:_[A-Z]+)*\b|Token|Tree|Error\b|<class")

CHUNKS = [
    pytest.param(chunk, id=f"{path.stem}-{number}")
    for path in sorted((CASES / "syntax" / "bad").glob("*.rules"))
    for number, chunk in enumerate(path.read_text(encoding="utf-8").split("---\n"), 1)
]


@pytest.mark.parametrize("chunk", CHUNKS)
def test_chunk(chunk: str) -> None:
    expected = [
        (n, *found.groups()) for n, line in enumerate(chunk.split("\n"), 1) if (found := _EXPECTED.search(line))
    ]
    found = sorted((f.primary.span.line, f.code, f"{f.headline} {f.primary.text} {f.help}") for f in findings(chunk))
    assert [(line, code) for line, code, _ in found] == [(line, code) for line, code, _ in expected]
    for (_, _, words), (_, _, said) in zip(expected, found, strict=True):
        assert words in said


@pytest.mark.parametrize("mistake", mistakes.TABLE, ids=lambda m: repr(m.example))
def test_every_row_of_the_table_is_met_by_its_example(mistake: Mistake) -> None:
    (finding,) = findings(mistake.example)
    assert finding.code == mistake.code
    assert finding.help is not None
    assert _fits(mistake.headline, finding.headline) and _fits(mistake.help, finding.help)


def _fits(template: str, text: str) -> bool:
    pattern = ".+".join(re.escape(part) for part in re.split(r"\{\w+\}", template))
    return re.fullmatch(pattern, text) is not None


def test_every_code_of_the_table_is_explained() -> None:
    assert {mistake.code for mistake in mistakes.TABLE} <= set(CODES)


@pytest.mark.parametrize("chunk", CHUNKS)
def test_no_name_of_a_terminal_or_class_is_shown(chunk: str) -> None:
    for finding in findings(re.sub(_EXPECTED, "", chunk)):
        said = " ".join([finding.headline, finding.primary.text, *finding.notes, finding.help or ""])
        assert not _SHOUTED.search(re.sub(r"`[^`]*`|UTF-8", "", said)), render_line(finding)
