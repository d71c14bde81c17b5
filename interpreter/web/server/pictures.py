"""The picture of a game for the lobby: drawn from its declarations, once for each version of its rules."""

from __future__ import annotations

from . import questions
from .asking import ask
from .library import Library
from .store import KeepFact, Store

_DRAWN = "picture/1"  # raise the number when pictures are drawn otherwise


def picture_of(store: Store, library: Library, name: str) -> str:
    """The picture as SVG text, from the store if the rules have not changed."""
    rules = library.rules(name)
    kept: str | None = store.fact(f"{_DRAWN} {rules.digest}")
    if kept is None:
        kept = str(ask(questions.picture, library.load(name, None, rules.digest)))
        store.write([KeepFact(f"{_DRAWN} {rules.digest}", kept)])
    return kept
