"""Texts in memory laid over the files on disk: what an editor shows before it is saved.

Whoever reads a file of a ruleset asks here first. The texts hold for the block of `laid_over` and for the thread (or
task) that opened it; everybody else reads the disk. A text for a file that is not there makes that file exist.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

_texts: ContextVar[dict[Path, str] | None] = ContextVar("unsaved texts", default=None)


@contextmanager
def laid_over(texts: Mapping[str | Path, str]) -> Iterator[None]:
    """Inside, these texts stand in for the files at these paths (relative ones from the current folder)."""
    token = _texts.set({Path(path).expanduser().resolve(): text for path, text in texts.items()})
    try:
        yield
    finally:
        _texts.reset(token)


def unsaved_text(path: Path) -> str | None:
    """The text laid over a file; None if the file counts as it is on disk."""
    texts = _texts.get()
    return texts.get(path.resolve()) if texts else None


def is_there(path: Path) -> bool:
    """True if there is such a file, on disk or in memory."""
    return unsaved_text(path) is not None or path.is_file()


def files_in(folder: Path) -> list[Path]:
    """The files of a folder, those in memory included, sorted; none if there is no such folder."""
    try:
        paths = {path for path in folder.iterdir() if path.is_file()}
    except OSError:
        paths = set()
    texts = _texts.get()
    if texts:
        home = folder.resolve()
        paths |= {folder / path.name for path in texts if path.parent == home}
    return sorted(paths)
