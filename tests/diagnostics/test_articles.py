"""The article before a name: by its sound, not by its first letter."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.articles import with_article


@pytest.mark.parametrize(
    "text",
    ["a Card", "an Area", "a Unit", "a union", "a User", "a Euro", "an Uncle", "an Urn", "an Hour", "a Horse",
     "an uninvited guest", "an Usher", "a one", "an Onion", "a number 1..6", "an unimportant one"],
)  # fmt: skip
def test_the_article_goes_by_the_sound(text: str) -> None:
    assert with_article(text.split(" ", 1)[1]) == text
