"""The cache folder, and a safe way to read from it and write to it.

`RULEWRIGHT_CACHE` names the folder; an empty value turns caching off. Nothing in it is essential: it may be deleted at
any time, and if it is not writable everything works without it.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def cache_folder() -> Path | None:
    """The cache folder (it may not exist yet), or None if caching is off."""
    named = os.environ.get("RULEWRIGHT_CACHE")
    if named is not None:
        return Path(named) if named else None
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "rulewright"
    except RuntimeError:  # no home folder
        return None


def cached(*parts: str) -> bytes | None:
    """The content stored under that name, or None."""
    folder = cache_folder()
    if folder is None:
        return None
    try:
        return folder.joinpath(*parts).read_bytes()
    except OSError:
        return None


def is_cached(*parts: str) -> bool:
    folder = cache_folder()
    return folder is not None and folder.joinpath(*parts).is_file()


def keep(content: bytes, *parts: str) -> None:
    """Store content under that name. It is written to another file and renamed: a reader sees all of it or nothing."""
    folder = cache_folder()
    if folder is None:
        return
    target = folder.joinpath(*parts)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(aside, target)
    except OSError:
        return


def forget_oldest(most: int, *parts: str) -> None:
    """Deletes the older half of what lies in that folder of the cache if there is more than that."""
    folder = cache_folder()
    if folder is None:
        return
    try:
        files = list(os.scandir(folder.joinpath(*parts)))
        if len(files) <= most:
            return
        for file in sorted(files, key=lambda one: one.stat().st_mtime)[: len(files) - most // 2]:
            os.unlink(file.path)
    except OSError:  # somebody else is at it
        return
