"""The fingerprint of a game, which identifies compiled code and saved games.

It is a hash over every rules and data file of the ruleset and of those it uses, the version of the language, the
active variants and the number of players. It needs only the bytes and the head lines of the files, before anything is
parsed, so that a game compiled earlier starts without parsing its rules again.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import NOWHERE
from .find import find_ruleset, find_used
from .looks import FILE, is_presentation
from .scan import Heads, scan_heads
from .unsaved import unsaved_text

LANGUAGE_VERSION = 1  # raise it whenever the meaning of an existing text changes
_ENDINGS = (".rules", ".yaml")


def fingerprint_of(name: str, players: int | None) -> str | None:
    """The fingerprint of a game by name, or None if there is no such ruleset. Without a count: the fewest players."""
    asked = find_ruleset(name, Diagnostics())
    if asked is None:
        return None
    variants = tuple(variant.name for variant in asked.variants)
    folders = layer_folders(asked.folder)
    return fingerprint(folders, variants, players or _fewest(folders, variants))


def fingerprint(folders: list[Path], variants: tuple[str, ...], players: int) -> str:
    """The fingerprint over the files of these folders; the order of the variants does not matter."""
    digest = hashlib.sha256(f"{LANGUAGE_VERSION} {players} {' '.join(sorted(variants))}".encode())
    for folder in folders:
        for path in _files(folder):
            try:
                content = _content(path)
            except OSError:
                continue
            if path == folder / FILE and is_presentation(path, content.decode("utf-8", "replace")):
                continue  # looks are no rules
            digest.update(f"\0{folder.name}/{path.relative_to(folder).as_posix()}\0{len(content)}\0".encode())
            digest.update(content)
    return digest.hexdigest()


def _content(path: Path) -> bytes:
    unsaved = unsaved_text(path)
    return path.read_bytes() if unsaved is None else unsaved.encode("utf-8", "replace")


def layer_folders(folder: Path) -> list[Path]:
    """The folder of a ruleset and of everything it uses, without duplicates, lower layers first."""
    folders: list[Path] = []
    _collect(folder, folders, set())
    return folders


def _collect(folder: Path, folders: list[Path], seen: set[Path]) -> None:
    if folder in seen:
        return
    seen.add(folder)
    for heads in _heads(folder):
        for name in heads.uses:
            used = find_used(name, folder, NOWHERE, Diagnostics())
            if used is not None:
                _collect(used, folders, seen)
    folders.append(folder)


def _files(folder: Path) -> list[Path]:
    parts = (path for ending in _ENDINGS for path in folder.rglob(f"*{ending}"))
    return sorted(path for path in parts if path.is_file() and not path.name.startswith("."))


def _heads(folder: Path) -> Iterator[Heads]:
    for path in _files(folder):
        if path.suffix == ".rules":
            try:
                yield scan_heads(path.read_text(encoding="utf-8", errors="replace"))
            except OSError:
                continue


def _fewest(folders: list[Path], variants: tuple[str, ...]) -> int:
    """The fewest players that the game and all its variants allow; the last folder is the game's own."""
    bounds = [head.fewest for head in _heads(folders[-1]) if head.name is not None]
    for folder in folders:
        bounds += [v.fewest for head in _heads(folder) for v in head.variants if v.name in variants]
    return max(bounds, default=0)
