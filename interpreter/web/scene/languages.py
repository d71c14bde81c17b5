"""The same state in another language.

All words are made from the description of a game when they are shown, so a copy of the state that belongs to the
translated game speaks that language. Translated games are kept: making one binds all its code anew.
"""

from __future__ import annotations

from typing import Any
from weakref import WeakKeyDictionary

from ...play.language import in_language

_kept: WeakKeyDictionary[Any, dict[str, Any]] = WeakKeyDictionary()


def in_words_of(game: Any, state: Any, language: str | None) -> tuple[Any, Any]:
    """The game and the state as they speak that language; a game without such texts keeps its own."""
    if language is None or language == game.meta.language or language not in game.meta.translations:
        return game, state
    known = _kept.setdefault(game, {})
    if language not in known:
        known[language] = in_language(game, language)
    return known[language], _spoken(state, known[language])


def _spoken(state: Any, game: Any) -> Any:
    """A copy for reading. What players know is worked out in the original first: it is read again and again."""
    state.kn  # noqa: B018 - reading it fills in what was left for later
    copy = state.in_python() if hasattr(state, "in_python") else state.clone()
    copy.game = game
    if copy.apart is not None:
        copy.apart = copy.apart.clone()
        copy.apart.game = game
    return copy
