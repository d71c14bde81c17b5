"""A translation file to be filled in: each text without a translation becomes a key with an empty value.

What a translator has written stays exactly as it is if the missing keys can be appended; only a file with another
layout is rewritten, with the same translations.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from ..check.texts import PHRASES
from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Source
from ..ruleset.gathered import Scalar
from ..ruleset.yaml_source import parse_yaml


def new_texts(title: str, language: str, missing: Iterable[str]) -> str:
    head = [
        f"# The texts of {title}, keyed by the text as the rules have it. Write each translation behind its colon, in",
        "# quotes; holes in braces may change places. What is left empty is shown as the rules have it.",
    ]
    own = [
        "  # Names of places and fields and these words of the program may be translated too:",
        *(f"  # {_line(words, None, 0)}" for words in PHRASES),
        "",
    ]
    return "\n".join([*head, *_document(language, dict.fromkeys(missing)), *own])


def extended_texts(written: str, language: str, texts: Scalar, missing: Iterable[str]) -> str:
    """The file as it is written, with what is missing."""
    wanted = {**texts.plain(), **dict.fromkeys(missing)}
    column = min((span.source.place(span.start)[1] for span in texts.keys.values()), default=3)
    added = "\n".join(_line(key, None, column - 1) for key in missing)
    whole = f"{written.rstrip()}\n\n{added}\n"
    return whole if _texts_in(whole) == wanted else "\n".join(_document(language, wanted))


def _texts_in(text: str) -> Any:
    found = parse_yaml(Source("texts", text), Diagnostics())
    plain = found.plain() if found is not None else None
    return plain.get("texts") if isinstance(plain, dict) else None


def _document(language: str, texts: Mapping[str, Any]) -> list[str]:
    return [f"language: {language}", "texts:", *(_line(key, value, 2) for key, value in texts.items()), ""]


def _line(key: str, value: Any, indent: int) -> str:
    text = "" if value is None else f" {json.dumps(value, ensure_ascii=False)}"
    return f"{' ' * indent}{json.dumps(key, ensure_ascii=False)}:{text}"
