"""The page's words and files: both languages are complete, every word is used, and nothing reaches outside."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

PAGE = Path(__file__).resolve().parents[3] / "interpreter" / "web" / "page"
MODULES = sorted((PAGE / "js").glob("*.js"))
# Keys that are put together from a prefix and a value.
MADE = re.compile(r"^(bot|seat|theme|lobby|keys)\.")


def entries(language: str) -> dict[str, str | dict[str, str]]:
    return dict(json.loads((PAGE / "words" / f"{language}.json").read_text(encoding="utf-8")))


def texts(entry: str | dict[str, str]) -> list[str]:
    return [entry] if isinstance(entry, str) else list(entry.values())


def test_both_languages_say_the_same_things() -> None:
    english, french = entries("en"), entries("fr")
    assert sorted(english) == sorted(french)
    for key, entry in english.items():
        holes = {hole for text in texts(entry) for hole in re.findall(r"\{(\w+)\}", text)}
        assert holes == {hole for text in texts(french[key]) for hole in re.findall(r"\{(\w+)\}", text)}, key
        assert isinstance(entry, str) == isinstance(french[key], str), key


def test_every_word_that_is_asked_for_is_there_and_every_word_is_asked_for() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in MODULES)
    asked = set(re.findall(r'\bt\(\s*"([\w.]+)"', code))
    known = set(entries("en"))
    assert asked - known == set()
    quoted = set(re.findall(r'"([\w.]+)"', code))
    assert {key for key in known if key not in quoted and not MADE.match(key)} == set()


@pytest.mark.parametrize(
    "path", [*MODULES, *sorted((PAGE / "css").glob("*.css")), PAGE / "index.html"], ids=lambda path: path.name
)
def test_files_set_text_as_text_and_reach_nothing_outside(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert not re.search(r"https?://(?!www\.w3\.org/2000/svg)|@import|url\(", text)
    if path.suffix == ".html":
        assert not re.search(r"\son\w+=|\sstyle=|<style|<script(?![^>]*\ssrc=)", text)
    if path.suffix == ".js":
        assert len(text.splitlines()) <= 470, "a module is one concern"
        assert text.startswith("/**"), "a module says why it exists"
