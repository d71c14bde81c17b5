"""A game in another language: the same rules, codes and saves with other words.

All text for people is produced from the description of a game (`Meta`) at the moment it is shown. So a translated game
is the same compiled game with a description whose texts and names are replaced; no computation depends on it.

The program's own words (`Pass`, `there is nothing to take`) are in `words_LANGUAGE.json` beside this file, once for all
games; a game may have its own in its texts.
"""

from __future__ import annotations

import json
import os
import unicodedata
from collections.abc import Mapping
from copy import copy
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .contract import PlayError

if TYPE_CHECKING:
    from ..compile.meta import Meta
    from ..runtime.game import Game

Part = str | tuple[Any, ...]


def in_language(game: Game, language: str) -> Game:
    """The game in a language; in its own language, the game itself. Texts without a translation stay as they are."""
    from ..runtime.game import Game as Made

    translations = game.meta.translations
    if language not in translations:
        known = ", ".join(sorted(translations)) or "none"
        raise PlayError(f"`{game.name}` has no texts in `{language}`", f"there are texts/*.yaml for: {known}")
    compiled = copy(game.compiled)
    compiled.meta = translated_meta(game.meta, language)
    return Made(compiled, game.asked)


def in_language_of_system(game: Game) -> Game:
    """The game in the language that the system asks for (`LANG`), if it has texts in it."""
    language = language_of_system()
    return (
        in_language(game, language) if language in game.meta.translations and language != game.meta.language else game
    )


def language_of_system() -> str:
    """The language that the system asks for: `fr` if LANG is `fr_FR.UTF-8`."""
    asked = next((os.environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if os.environ.get(name)), "")
    return asked.partition(".")[0].partition("_")[0]


@cache
def own_words(language: str) -> Mapping[str, str]:
    """The program's own words in a language; none in its own and in those that it does not speak."""
    file = Path(__file__).parent / f"words_{language}.json"
    if not language.isalnum() or not file.is_file():
        return {}
    words: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))
    return words


def translated_meta(meta: Meta, language: str) -> Meta:
    texts = meta.translations[language]

    def said(name: str) -> str:
        return texts.get(name, name)

    made = replace(
        meta,
        title=said(meta.title),
        seat_names=tuple(said(name) for name in meta.seat_names),
        row_names=tuple(said(name) if name else name for name in meta.row_names),
        unseen={kind: said(name) for kind, name in meta.unseen.items()},
        nodes=tuple((own_id, said(name or own_id)) for own_id, name in meta.nodes),
        edges=tuple((own_id, said(name or own_id)) for own_id, name in meta.edges),
        enums={key: tuple((n, own, said(name)) for n, own, name in values) for key, values in meta.enums.items()},
        directions={
            board: tuple((own, texts.get(name, own_words(language).get(name, name))) for own, name in ways)
            for board, ways in meta.directions.items()
        },
        cell_labels=tuple(said(label) for label in meta.cell_labels),
        texts=tuple((raw, _parts(raw, parts, texts.get(raw)), params) for raw, parts, params in meta.texts),
        fields=tuple(replace(field, name=_declared(field.name, texts)) for field in meta.fields),
        places=tuple(replace(place, name=_declared(place.name, texts)) for place in meta.places),
        kind_names={kind: said(name) for kind, name in meta.kind_names.items()},
        clauses={
            key: replace(clause, summary=texts.get(f"@{key}", clause.summary)) for key, clause in meta.clauses.items()
        },
        phrases={**own_words(language), **texts},
        forms=_forms(texts) | forms_of_names(language, tuple(said(name) for name in meta.seat_names)),
        language=language,
    )
    if not meta.cell_texts:
        return made
    labels = [_cell_label(made, calls, texts) for calls in meta.cell_texts]
    return replace(
        made, cell_labels=tuple(texts.get(old, new) for old, new in zip(meta.cell_labels, labels, strict=True))
    )


def _cell_label(made: Meta, calls: tuple[Any, ...], texts: dict[str, str]) -> str:
    """What an effect in a table says: the texts of its calls, with the names of their arguments."""
    from ..runtime.names import name_of

    told = []
    for raw, values in calls:
        said = ""
        for part in _parts(raw, tuple(value or ("",) for value in values), texts.get(raw, raw)):
            if isinstance(part, str):
                said += part
                continue
            value, form = values[part[1]], part[2]
            name = name_of(made, *value) if value else "…"
            said += made.forms.get(f"{name}|{form}", name)
        told.append(said)
    return ", ".join(told)


def _declared(name: str, texts: dict[str, str]) -> str:
    """The translated name of a field or place, looked up by its name in words; rules never use this name."""
    return texts.get(name.replace("_", " "), name)


def of(name: str, language: str) -> str:
    """Whose something is, in a language that has a word for it: `d'Ana`, `de Robin`. In others the name itself."""
    if language != "fr":
        return name
    plain = unicodedata.normalize("NFD", name[:1]).lower()[:1]
    return f"d'{name}" if plain in "aeiouhœæ" and plain else f"de {name}"


def forms_of_names(language: str, names: tuple[str, ...]) -> dict[str, str]:
    """The form `of` of the names of players, for texts such as `Tour {p|of}`."""
    return {f"{name}|of": of(name, language) for name in names}


def _forms(texts: dict[str, str]) -> dict[str, str]:
    """Grammatical forms of names, keyed by the translated name."""
    found = {}
    for key, text in texts.items():
        name, bar, form = key.rpartition("|")
        if bar and name in texts:
            found[f"{texts[name]}|{form}"] = text
    return found


def _parts(raw: str, parts: tuple[Part, ...], translated: str | None) -> tuple[Any, ...]:
    """The parts of a text in the order of its translation; a hole refers to a value of the original text."""
    from ..check.texts import holes_of, pieces_of  # imports the parser: only where something is translated

    if translated is None:
        return parts
    things = [part[0] for part in parts if not isinstance(part, str)]
    if len(things) != len(holes_of(raw)):
        return parts  # which hole is which cannot be told: better in the wrong language than the wrong value
    numbers = {expression: number for number, (expression, _) in reversed(list(enumerate(holes_of(raw))))}
    made: list[Any] = []
    for part in pieces_of(translated):
        number = numbers.get(part[0]) if not isinstance(part, str) else None
        if isinstance(part, str):
            made.append(part)
        elif number is None:
            made.append(f"{{{part[0]}}}")
        else:
            made.append((things[number], number, part[1]))
    return tuple(made)
