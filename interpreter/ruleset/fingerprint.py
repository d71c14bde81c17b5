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
from ..files.reading import read_bytes
from .find import additions_to, find_ruleset, find_used
from .looks import FILE, is_presentation
from .scan import Heads, scan_heads
from .unsaved import all_files, unsaved_text

LANGUAGE_VERSION = 1  # raise it whenever the meaning of an existing text changes
ENDINGS = (".rules", ".yaml")


def fingerprint_of(name: str, players: int | None, *, with_all_variants: bool = False) -> str | None:
    """The fingerprint of a game by name, or None if there is no such ruleset. Without a count: the fewest players.

    Variants of other folders count if they are played, so that a game stays what it is in a folder with variants of it;
    `with_all_variants` counts them all.
    """
    asked = find_ruleset(name, Diagnostics())
    if asked is None:
        return None
    variants = tuple(variant.name for variant in asked.variants)
    folders = played_folders(asked.folder, None if with_all_variants else variants)
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
            name = f"\0{folder.name}/{path.relative_to(folder).as_posix()}\0{len(content)}\0"
            digest.update(name.encode("utf-8", "surrogateescape"))
            digest.update(content)
    return digest.hexdigest()


def _content(path: Path) -> bytes:
    unsaved = unsaved_text(path)
    return read_bytes(path) if unsaved is None else unsaved.encode("utf-8", "replace")


def played_folders(folder: Path, variants: tuple[str, ...] | None) -> list[Path]:
    """The folders that these variants (None: any) are played from; the game's own is the last."""
    additions = additions_to(folder)
    if variants is not None:
        additions = [one for one in additions if any(v.name in variants for head in _heads(one) for v in head.variants)]
    return [*additions, *layer_folders(folder)]


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
    """Whatever a manifest or a rule could name, hidden files too."""
    return all_files(folder, ENDINGS)


def _heads(folder: Path) -> Iterator[Heads]:
    for path in _files(folder):
        if path.suffix == ".rules":
            try:
                yield scan_heads(read_bytes(path).decode("utf-8", "replace"))
            except OSError:
                continue


def _fewest(folders: list[Path], variants: tuple[str, ...]) -> int:
    """The fewest players that the game and all its variants allow; the last folder is the game's own."""
    bounds = [head.fewest for head in _heads(folders[-1]) if head.name is not None]
    for folder in folders:
        bounds += [v.fewest for head in _heads(folder) for v in head.variants if v.name in variants]
    return max(bounds, default=0)
