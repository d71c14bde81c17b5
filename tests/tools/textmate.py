"""A small TextMate tokenizer: enough of it to see what an editor makes of a line of rules.

Patterns are `match` with captures, `begin`/`end` with patterns inside, `include` of a repository entry. As in an editor
a line is gone through from left to right; at each place the pattern that matches earliest wins, of equals the first.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

Scopes = tuple[str, ...]


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern)


@dataclass
class Grammar:
    data: dict[str, Any]
    _flat: dict[int, list[dict[str, Any]]] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path) -> Grammar:
        return cls(json.loads(path.read_text(encoding="utf-8")))

    def scopes_of(self, line: str) -> list[Scopes]:
        """The scopes of every letter of a line; the grammar's own scope is left out."""
        scopes: list[Scopes] = [() for _ in line]
        self._fill(line, 0, len(line), self._patterns(self.data), (), None, scopes)
        return scopes

    def _patterns(self, holder: dict[str, Any]) -> list[dict[str, Any]]:
        """The patterns of an entry with everything that is included written out."""
        if id(holder) not in self._flat:
            self._flat[id(holder)] = made = []
            for pattern in holder.get("patterns", ()):
                if "include" in pattern:
                    made += self._patterns(self.data["repository"][pattern["include"].removeprefix("#")])
                else:
                    made.append(pattern)
        return self._flat[id(holder)]

    def _fill(
        self, line: str, at: int, stop: int, patterns: list[dict[str, Any]], outer: Scopes, end: str | None,
        scopes: list[Scopes],
    ) -> int:  # fmt: skip
        """Colour from `at` until `end` is met; gives the place behind it."""
        while at < stop:
            best = _earliest(line, at, patterns)
            closing = _compiled(end).search(line, at) if end is not None else None
            if closing is not None and (best is None or closing.start() <= best[0].start()):
                _paint(scopes, at, closing.end(), outer)
                return closing.end()
            if best is None:
                _paint(scopes, at, stop, outer)
                return stop
            found, pattern = best
            _paint(scopes, at, found.start(), outer)
            at = self._apply(line, stop, found, pattern, outer, scopes)
        return at

    def _apply(
        self, line: str, stop: int, found: re.Match[str], pattern: dict[str, Any], outer: Scopes, scopes: list[Scopes]
    ) -> int:
        inner = (*outer, pattern["name"]) if "name" in pattern else outer
        _paint(scopes, found.start(), found.end(), inner)
        for number, capture in pattern.get("captures", {}).items():
            if found.group(int(number)) is not None:
                _paint(scopes, *found.span(int(number)), (*inner, capture["name"]))
        if "begin" not in pattern:
            return max(found.end(), found.start() + 1)
        return self._fill(line, found.end(), stop, self._patterns(pattern), inner, pattern["end"], scopes)


def _earliest(line: str, at: int, patterns: list[dict[str, Any]]) -> tuple[re.Match[str], dict[str, Any]] | None:
    best: tuple[re.Match[str], dict[str, Any]] | None = None
    for pattern in patterns:
        found = _compiled(pattern.get("match") or pattern["begin"]).search(line, at)
        if found is not None and found.end() > found.start() and (best is None or found.start() < best[0].start()):
            best = (found, pattern)
    return best


def _paint(scopes: list[Scopes], start: int, end: int, wanted: Scopes) -> None:
    for place in range(start, end):
        scopes[place] = wanted
