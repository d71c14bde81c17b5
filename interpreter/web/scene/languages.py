"""The same state in other words: in another language, and with the names of the people who play.

All words are made from the description of a game when they are shown, so a copy of the state that belongs to a game
with another description speaks with its words. The code of the game is the same and is shared.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from ...play.language import forms_of_names, of, translated_meta
from ...runtime.meta import Meta

MOST_KEPT = 200  # wordings of one game
SEATS = {"en": "Seat {n}", "fr": "Siège {n}"}
Names = tuple[str, ...]
_kept: WeakKeyDictionary[Any, dict[tuple[str, Names], Any]] = WeakKeyDictionary()


def in_words_of(game: Any, state: Any, language: str | None, names: Names | None = None) -> tuple[Any, Any]:
    """The game and the state as they speak that language; a game without such texts keeps its own."""
    spoken = reworded(game, language, names)
    return spoken, spoken_by(spoken, state)


def reworded(game: Any, language: str | None, names: Names | None = None) -> Any:
    """The game with other words. Games are kept, so that the same words give the same game."""
    meta: Meta = game.meta
    if language is None or language not in meta.translations:
        language = meta.language
    known = _kept.setdefault(game, {})
    key = language, _names(meta, language, names)
    found = known.get(key)
    if found is None:
        if len(known) >= MOST_KEPT:
            known.pop(next(iter(known)))
        found = known[key] = _with_meta(game, _meta_in(meta, *key))
    return found


def _names(meta: Meta, language: str, names: Names | None) -> Names:
    """The names of the seats: those of the people, those of the game, else `Seat 1`."""
    own = meta.translations.get(language, {})
    found = []
    for seat, name in enumerate(meta.seat_names):
        given = names[seat] if names is not None and seat < len(names) else ""
        plain = SEATS.get(language, SEATS["en"]).replace("{n}", str(seat + 1))
        found.append(given or own.get(name) or (plain if name == f"seat{seat + 1}" else name))
    return tuple(found)


def _meta_in(meta: Meta, language: str, names: Names) -> Meta:
    made = meta
    if language != meta.language:
        made = translated_meta(meta, language)
    rows = tuple(_with_name(made, row, name, names) for row, name in enumerate(made.row_names))
    return replace(made, seat_names=names, row_names=rows, forms=made.forms | forms_of_names(language, names))


def _with_name(meta: Meta, row: int, name: str, names: Names) -> str:
    """The name of a row that ends with that of its owner (`Feed seat1`), with the owner's name at this table."""
    for seat, own in enumerate(meta.seat_names):
        whose = of(own, meta.language)
        if whose != own and name.endswith(f" {whose}"):
            return f"{name.removesuffix(whose)}{of(names[seat], meta.language)}"
        if name.endswith(f" {own}"):
            return f"{name.removesuffix(own)}{names[seat]}"
    return name


def _with_meta(game: Any, meta: Meta) -> Any:
    """The same game with another description; code and caches of the original are shared."""
    made = object.__new__(type(game))
    made.__dict__.update(game.__dict__)
    made.meta = meta
    return made


def spoken_by(game: Any, state: Any) -> Any:
    """A copy of a state for reading, in the words of a game. What players know is worked out in the original first: it
    is read again and again."""
    state.kn  # noqa: B018 - reading it fills in what was left for later
    copy = state.in_python() if hasattr(state, "in_python") else state.clone()
    copy.game = game
    if copy.apart is not None:
        copy.apart = copy.apart.clone()
        copy.apart.game = game
    return copy
