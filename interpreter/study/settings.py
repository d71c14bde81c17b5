"""A game with other numbers: constants and table values changed for a study, without touching a file.

`load_with("harbour", 2, ("tolls=3",))` is the game with a variant that says `set tolls = 3`. The variant is added to
the text of the rules in memory, so it is checked like any other: a value outside the range of its constant is a finding
that points at the setting. `("ferry.fare=2",)` writes another value into the row `ferry` of a table, in the text of the
file as it is read.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..diagnostics.suggest import nearest
from ..files.reading import read_bytes
from ..play.contract import PlayError
from ..ruleset.find import find_ruleset
from ..runtime.game import Game
from .watch import load_counting

if TYPE_CHECKING:
    from .audit import Datum

_SETTING = re.compile(r"\s*([a-z_][a-z0-9_]*(?:\.[a-z_][a-z0-9_]*)*)\s*=\s*(\S.*?)\s*", re.IGNORECASE)
_HEAD = re.compile(r"^game\s+([A-Za-z_]\w*)", re.MULTILINE)
VARIANT = "as_set_here"


def load_with(name: str, players: int | None, sets: Sequence[str] = ()) -> Game:
    """The game, compiled to count, with these settings (`CONSTANT=VALUE`, `ROW.COLUMN=VALUE`)."""
    asked, texts = with_settings(name, sets, players)
    return load_counting(asked, players, texts)


def with_settings(name: str, sets: Sequence[str], players: int | None = None) -> tuple[str, dict[str | Path, str]]:
    """The name of the game with these settings, and the texts that have to be laid over its files to find it."""
    settings = [setting_of(text) for text in sets]
    texts = _tables_with(name, players, {key: value for key, value in settings if "." in key})
    constants = [(key, value) for key, value in settings if "." not in key]
    if not constants:
        return name, texts
    path, text, game = _rules_of(name)
    lines = [f"  set {constant} = {value}" for constant, value in constants]
    variant = f'\n\nvariant {VARIANT} of {game} "{", ".join(sets)}"\n' + "\n".join(lines) + "\n"
    return f"{name}+{VARIANT}", {**texts, path: text.rstrip("\n") + variant}


def _tables_with(name: str, players: int | None, values: dict[str, str]) -> dict[str | Path, str]:
    """The data files in which these values (by `ROW.COLUMN`) stand, with the values written into them."""
    if not values:
        return {}
    from .audit import data_of  # a study without such settings needs neither the audit nor the checker

    found: dict[str, list[Datum]] = {}
    known: dict[str, None] = {}
    for datum in data_of(name, players):
        key = f"{datum.row}.{datum.column}"
        known.setdefault(key)
        if key in values and datum.is_written:
            found.setdefault(datum.file, []).append(datum)
    written = {f"{datum.row}.{datum.column}" for data in found.values() for datum in data}
    for key in values:
        if key not in written:
            likely = nearest(key, known)
            said = "the row leaves it out" if key in known else "no table has it"
            raise PlayError(f"`{key}` cannot be set: {said}", f"did you mean `{likely}`?" if likely else None)
    return {file: _rewritten(data, values) for file, data in found.items()}


def _rewritten(data: list[Datum], values: dict[str, str]) -> str:
    """The text of a file with other values; from the end, so that earlier places stay where they are."""
    text = data[0].span.source.text
    for datum in sorted(data, key=lambda datum: -datum.span.start):
        text = text[: datum.span.start] + values[f"{datum.row}.{datum.column}"] + text[datum.span.end :]
    return text


def setting_of(text: str) -> tuple[str, str]:
    """What is set and its value: `CONSTANT=VALUE` or `ROW.COLUMN=VALUE`."""
    found = _SETTING.fullmatch(text)
    if found is None:
        raise PlayError(f"`{text}` is no setting", "write CONSTANT=VALUE or ROW.COLUMN=VALUE, for example `tolls=3`")
    return found[1], found[2]


def _rules_of(name: str) -> tuple[Path, str, str]:
    """The rules file with the head line of the game, its text, and the name in that line."""
    findings = Diagnostics()
    asked = find_ruleset(name, findings)
    if asked is None:
        raise RulesetError(list(findings))
    for path in sorted(asked.folder.glob("*.rules")):
        text = read_bytes(path, inside=asked.folder).decode("utf-8", "replace")
        head = _HEAD.search(text)
        if head is not None:
            return path, text, head[1]
    raise PlayError(f"no rules file of `{name}` begins with `game`")
