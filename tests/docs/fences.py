"""The fenced blocks of a document, with the words behind their fence and the line they stand on."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DOCS = ROOT / "docs"
_FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Fence:
    """A block: ` ```rules error R0405 ` has the language `rules` and the words `error`, `R0405`."""

    document: str
    line: int  # of the first line of its text
    language: str
    words: tuple[str, ...]
    text: str

    @property
    def id(self) -> str:
        return f"{self.document}:{self.line}"

    def word(self, key: str) -> str | None:
        """The word behind `key=`."""
        return next((word.partition("=")[2] for word in self.words if word.startswith(f"{key}=")), None)


def fences(path: Path) -> list[Fence]:
    """All blocks of a document in their order."""
    text = path.read_text(encoding="utf-8")
    found = []
    for match in _FENCE.finditer(text):
        language, *words = match[1].split() or [""]
        line = text.count("\n", 0, match.start(2)) + 1
        found.append(Fence(path.name, line, language, tuple(words), match[2]))
    return found
