"""Texts in memory that take the place of files on disk: what an editor shows before it is saved.

All code that reads a file of a ruleset looks here first. The texts apply inside the `with laid_over(…)` block, in the
thread (or task) that entered it; everybody else reads the disk. A text for a path that does not exist creates the file
in memory.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from ..files.reading import MOST_FILES, FileRefused, files_below, is_regular

_texts: ContextVar[dict[Path, str] | None] = ContextVar("unsaved texts", default=None)


@contextmanager
def laid_over(texts: Mapping[str | Path, str]) -> Iterator[None]:
    """Inside the block these texts replace the files at these paths (relative to the current folder)."""
    token = _texts.set({Path(path).expanduser().resolve(): text for path, text in texts.items()})
    try:
        yield
    finally:
        _texts.reset(token)


def unsaved_text(path: Path) -> str | None:
    """The text in memory for a file; None if the file is read from disk."""
    texts = _texts.get()
    return texts.get(path.resolve()) if texts else None


def is_there(path: Path) -> bool:
    """True if the file exists, on disk or in memory."""
    return unsaved_text(path) is not None or is_regular(path)


def files_in(folder: Path) -> list[Path]:
    """The files of a folder, those in memory included, sorted; none if there is no such folder."""
    try:
        paths = {path for path in folder.iterdir() if is_regular(path)}
    except OSError:
        paths = set()
    if len(paths) > MOST_FILES:
        paths = set()  # reported by whoever reads the manifest
    texts = _texts.get()
    if texts:
        home = folder.resolve()
        paths |= {folder / path.name for path in texts if path.parent == home}
    return sorted(paths)


def all_files(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """The files with these endings in a ruleset's folder and below; none if there are more than a ruleset may have."""
    try:
        return files_below(folder, endings)
    except FileRefused:
        return []
