"""Help texts with games that are really there.

No game is known to the program, so its help speaks of a game called `harbour`. Examples should be there to be pasted,
though. A file beside the rulesets, `examples.json`, says which words to show in place of those of `harbour`; it
belongs to the games, and whoever ships other games ships another one. Without the file the help stays as written.
"""

from __future__ import annotations

import json
import re

from ..ruleset.find import own_rulesets

FILE = "examples.json"


def with_real_names(text: str) -> str:
    """A help text with the words of a shipped game in place of those of `harbour`."""
    words = _words()
    if not words:
        return text
    pattern = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return _in_columns(re.sub(pattern, lambda found: words[found[0]], text))


def _in_columns(text: str) -> str:
    """The text with the remarks behind commands below one another again: other words have other lengths."""
    split = [re.fullmatch(r"(\s*rulewright \S.*?)\s{2,}(\S.*)", line) for line in text.split("\n")]
    width = max((len(found[1]) for found in split if found), default=0)
    lines = zip(text.split("\n"), split, strict=True)
    return "\n".join(f"{found[1]:<{width}}  {found[2]}" if found else line for line, found in lines)


def _words() -> dict[str, str]:
    try:
        read = json.loads((own_rulesets() / FILE).read_text(encoding="utf-8"))
        return {str(word): str(shown) for word, shown in read["words"].items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}
