"""The English article before a name that an author chose: `a Card`, `an Area`, but `a Unit` and `an Hour`."""

from __future__ import annotations

import re

# Written with a vowel and spoken as `you` or `one`: unit, union, user, utopia, euro, one-way street.
_SPOKEN_WITH_CONSONANT = re.compile(r"(?:uni(?!n|m)|us[aeu]|ut[eio]|eu|ew|on(?:e|ce)\b)", re.IGNORECASE)
_SPOKEN_WITH_VOWEL = re.compile(r"(?:[aeiou]|hour|heir|honou?r|honest)", re.IGNORECASE)


def with_article(text: str) -> str:
    """The text with `a` or `an` before it, as it is spoken."""
    begins_with_vowel = _SPOKEN_WITH_VOWEL.match(text) and not _SPOKEN_WITH_CONSONANT.match(text)
    return f"an {text}" if begins_with_vowel else f"a {text}"
