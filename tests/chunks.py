"""Chunked case files: many small programs in one file, each finding expected on the line that is wrong.

Chunks are split by lines `---`. In a chunk, a line `=== cards.yaml` begins a table of that name, and `# players 3` on
its first line sets the number of players. A line that is wrong ends in `# error R0310: words of the headline`; several
on one line are split by `; `. Both a finding that is not expected and an expected one that is missing fail.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from interpreter.diagnostics.diagnostic import Diagnostic

_EXPECTED = re.compile(r"#\s*error\s+(R\d{4}:.*)$")


@dataclass(frozen=True, order=True)
class Expected:
    file: str
    line: int
    code: str
    words: str


@dataclass(frozen=True)
class Chunk:
    name: str  # of the case file, with the line where the chunk begins
    rules: str
    tables: dict[str, str]
    players: int
    expected: tuple[Expected, ...] = field(default=())


def read_chunks(path: Path, rules_name: str = "toy.rules") -> list[Chunk]:
    """The chunks of a case file. Lines count from the beginning of their chunk, or of their table."""
    chunks: list[Chunk] = []
    start, lines = 1, list[str]()
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), "---"], 1):
        if line != "---":
            lines.append(line)
            continue
        if any(text.strip() for text in lines):
            chunks.append(_chunk(f"{path.stem}:{start}", lines, rules_name))
        start, lines = number + 1, []
    return chunks


def _chunk(name: str, lines: list[str], rules_name: str) -> Chunk:
    files: dict[str, list[str]] = {rules_name: []}
    current = rules_name
    for line in lines:
        if line.startswith("=== "):
            current = line[4:].strip()
            files[current] = []
        else:
            files[current].append(line)
    players = re.match(r"#\s*players\s+(\d+)", lines[0])
    texts = {file: "\n".join(content) + "\n" for file, content in files.items()}
    expected = tuple(found for file, content in files.items() for found in _expected(file, content))
    return Chunk(name, texts.pop(rules_name), texts, int(players[1]) if players else 2, expected)


def _expected(file: str, lines: list[str]) -> Iterable[Expected]:
    for number, line in enumerate(lines, 1):
        found = _EXPECTED.search(line)
        for one in found[1].split("; ") if found else ():
            code, _, words = one.partition(":")
            yield Expected(file, number, code, words.strip())


def differences(chunk: Chunk, found: Iterable[Diagnostic]) -> list[str]:
    """What was found and not expected, and what was expected and not found."""
    open_ones = list(chunk.expected)
    problems: list[str] = []
    for finding in found:
        span = finding.primary.span
        match = next(
            (
                one
                for one in open_ones
                if (one.file, one.line, one.code) == (span.source.name, span.line, finding.code)
                and one.words in finding.headline
            ),
            None,
        )
        if match is None:
            problems.append(f"{chunk.name}: unexpected {finding.code}: {finding.headline} at {span.at}")
        else:
            open_ones.remove(match)
    return problems + [f"{chunk.name}: missing {one.code}: {one.words} at {one.file}:{one.line}" for one in open_ones]
