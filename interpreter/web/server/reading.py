"""What the files of a ruleset say (`game_entry`), read where that is safe.

Rulesets that came with the program are read here. All others are read in a sandbox, a process that ends with the
answer: a text that makes the parser or the checker run for ever, or ask for all memory, stops that process and nothing
else. Whoever calls this for rules of others does so in a thread that may wait (`House.aside`).
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from ...native.sandbox import SandboxFailed, ask_apart
from .library import Library
from .words import Refused

SECONDS = 20.0  # for reading and checking the files of one ruleset
_KINDS: dict[str, tuple[type, ...]] = {"entry": (dict, type(None)), "clauses": (dict, type(None)), "findings": (dict,)}


def read(library: Library, question: str, folder: Path, *args: Any) -> Any:
    """The answer to a question of `game_entry`. Raises SandboxFailed if rules of others had to be stopped."""
    if library.is_trusted(folder):
        from .game_entry import QUESTIONS

        return QUESTIONS[question](str(folder), *args)
    seconds = min(SECONDS, library.walls.loading)
    walls = replace(library.walls, loading=seconds, questions=f"{__package__}.game_entry")
    answer = ask_apart(walls, question, str(folder), *args)
    if not isinstance(answer, _KINDS[question]):
        raise SandboxFailed(f"the sandbox answered `{question}` with something else")
    return answer


def clauses_of(library: Library, name: str, language: str) -> dict[str, Any]:
    """The clauses of a rulebook in their order."""
    try:
        found: dict[str, Any] | None = read(library, "clauses", library.folder(name.partition("+")[0]), language)
    except SandboxFailed:
        raise Refused(503, "stopped") from None
    if found is None:
        raise Refused(422, "unusable", name=name, what="")
    return found


def findings_of(library: Library, folder: Path) -> dict[str, Any]:
    """What is wrong with a ruleset: the number of errors, and findings with their places."""
    try:
        found: dict[str, Any] = read(library, "findings", folder)
    except SandboxFailed as failed:
        return {"errors": 1, "findings": [_stopped(folder, str(failed))]}
    return found


def _stopped(folder: Path, words: str) -> dict[str, Any]:
    at = {"file": folder.name, "line": 1, "column": 1, "end_line": 1, "end_column": 1, "label": ""}
    return {
        "code": "R0912", "severity": "error", "headline": words, "at": at, "others": [], "notes": [],
        "help": "`rulewright validate` says how long it takes and at which rule", "source": "", "caret": [1, 2],
        "text": f"error[R0912]: {words}",
    }  # fmt: skip
