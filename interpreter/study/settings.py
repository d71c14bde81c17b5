"""A game with other numbers: constants and table values changed for a study, without touching a file.

`load_with("harbour", 2, ("tolls=3",))` is the game with a variant that says `set tolls = 3`. The variant
is added to the text of the rules in memory, so it is checked like any other: a value outside the range of its constant
is a finding that points at the setting.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..play.contract import PlayError
from ..ruleset.find import find_ruleset
from ..ruleset.unsaved import laid_over
from ..runtime.game import Game
from .watch import load_counting

_SETTING = re.compile(r"\s*([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)\s*=\s*(\S.*?)\s*", re.IGNORECASE)
_HEAD = re.compile(r"^game\s+([A-Za-z_]\w*)", re.MULTILINE)
_VARIANT = "as_set_here"


def load_with(name: str, players: int | None, sets: Sequence[str] = ()) -> Game:
    """The game, compiled to count, with these settings (`CONSTANT=VALUE`)."""
    asked, texts = with_settings(name, sets)
    with laid_over(texts):
        return load_counting(asked, players)


def with_settings(name: str, sets: Sequence[str]) -> tuple[str, dict[str | Path, str]]:
    """The name of the game with these settings, and the text that has to be laid over its rules to find it."""
    if not sets:
        return name, {}
    path, text, game = _rules_of(name)
    lines = [f"  set {constant} = {value}" for constant, value in map(setting_of, sets)]
    variant = f'\n\nvariant {_VARIANT} of {game} "{", ".join(sets)}"\n' + "\n".join(lines) + "\n"
    return f"{name}+{_VARIANT}", {path: text.rstrip("\n") + variant}


def setting_of(text: str) -> tuple[str, str]:
    """The constant and the value of `CONSTANT=VALUE`."""
    found = _SETTING.fullmatch(text)
    if found is None:
        raise PlayError(f"`{text}` is no setting", "write CONSTANT=VALUE, for example `tolls=3`")
    return found[1], found[2]


def _rules_of(name: str) -> tuple[Path, str, str]:
    """The rules file with the head line of the game, its text, and the name in that line."""
    findings = Diagnostics()
    asked = find_ruleset(name, findings)
    if asked is None:
        raise RulesetError(list(findings))
    for path in sorted(asked.folder.glob("*.rules")):
        text = path.read_text(encoding="utf-8")
        head = _HEAD.search(text)
        if head is not None:
            return path, text, head[1]
    raise PlayError(f"no rules file of `{name}` begins with `game`")
