"""The private folder in which built libraries are kept.

It is `native` in the cache folder, open to its owner alone. Whoever can write there can make this user run machine
code, so a folder or file that belongs to somebody else, or that others may write to, is never used.

    NAME-DIGEST.so      a library; its name holds the SHA-256 of its content
    ENTRY.json          a record: which library was built for an entry (the hash of everything that went into it)
    lock-XX             held while an entry whose hash begins with XX is built
    build-*             a build that is under way
    zig                 where the ziglang compiler keeps its own parts

A build is finished by renaming the library to its name and then the record to its name. So a reader finds all or
nothing, several processes cannot disturb one another (the last one wins, with the same content), and a process that
is killed leaves nothing but a build folder, which is removed an hour later. A library is read and hashed before each
use: one that was cut short or replaced is taken for absent, and built again.
"""

from __future__ import annotations

import atexit
import contextlib
import hashlib
import json
import os
import shutil
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ..files.cache import cache_folder
from .unavailable import NativeUnavailable, StoreUnusable

try:
    import fcntl
except ImportError:  # Windows: no locks; the last to rename wins
    fcntl = None  # type: ignore[assignment]

MOST_BYTES = 256 * 1024 * 1024  # of all libraries together
MOST_BYTES_OF_ZIG = 512 * 1024 * 1024
OLDEST = 60 * 24 * 3600.0  # seconds since a library was last used
ABANDONED = 3600.0  # seconds after which a build folder belongs to nobody
DIGITS = 64  # of a SHA-256


# ---------------------------------------------------------------- the folder


def private_folder() -> Path:
    """The folder, made if need be. Raises StoreUnusable if it cannot be made, or is not this user's alone."""
    cache_root = cache_folder()
    # Compilers run in other folders, so a relative path would not do.
    folder = _folder_of_this_process() if cache_root is None else cache_root.absolute() / "native"
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = folder.lstat()
        if not stat.S_ISDIR(status.st_mode):
            raise StoreUnusable(f"{folder} is not a folder")
        if not _is_ours(status):
            raise StoreUnusable(f"the folder {folder} belongs to another user")
        if _is_posix() and stat.S_IMODE(status.st_mode) & 0o077:
            folder.chmod(0o700)
    except OSError as problem:
        raise cannot_write(folder, problem) from problem
    return folder


@cache
def _folder_of_this_process() -> Path:
    """Where to build if caching is off: a folder that goes when this process ends."""
    try:
        folder = Path(tempfile.mkdtemp(prefix="rulewright-"))
    except OSError as problem:
        raise cannot_write(Path(tempfile.gettempdir()), problem) from problem
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def cannot_write(place: Path, problem: OSError) -> StoreUnusable:
    return StoreUnusable(f"{place} cannot be written: {problem.strerror or problem}", passing=True)


def _is_posix() -> bool:
    return hasattr(os, "getuid")


def _is_ours(status: os.stat_result) -> bool:
    return not _is_posix() or status.st_uid == os.getuid()


# ---------------------------------------------------------------- libraries


def find(entry: str, source: str | None = None) -> Path | None:
    """The file that was built for an entry, if it is there and whole. `source`: only if built from this very text."""
    record = read_note(f"{entry}.json")
    if record is None or (source is not None and record.get("source") != digest_of(source.encode())):
        return None
    name, size = record.get("file"), record.get("size")
    if not isinstance(name, str) or Path(name).name != name or not isinstance(size, int):
        return None
    found = private_folder() / name
    if not is_whole(found, size):
        return None
    for used in (found, found.with_name(f"{entry}.json")):
        with contextlib.suppress(OSError):
            os.utime(used)  # eviction goes by the last use
    return found


def is_whole(file: Path, size: int | None = None) -> bool:
    """True if a built file is this user's and has the content that its name says. Links are not followed."""
    try:
        handle = os.open(file, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    except OSError:
        return False
    with os.fdopen(handle, "rb") as opened:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or not _is_ours(status) or (size is not None and status.st_size != size):
            return False
        if _is_posix() and stat.S_IMODE(status.st_mode) & 0o022:
            return False
        try:
            return hashlib.file_digest(opened, "sha256").hexdigest() == file.stem[-DIGITS:]
        except OSError:
            return False


def install(entry: str, built: Path, name: str, facts: dict[str, Any]) -> Path:
    """Put a file that was just built, in a build folder of the store, in its place. Returns that place."""
    folder = private_folder()
    try:
        built.chmod(0o700)
        content = built.read_bytes()
        target = folder / f"{name}-{digest_of(content)}{built.suffix}"
        os.replace(built, target)
    except OSError as problem:
        raise cannot_write(folder, problem) from problem
    write_note(f"{entry}.json", {**facts, "file": target.name, "size": len(content), "made": int(time.time())})
    return target


def discard(file: Path) -> None:
    """Remove a library that could not be loaded, so that it is built again."""
    with contextlib.suppress(OSError):
        file.unlink()


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# ---------------------------------------------------------------- records and notes


def read_note(name: str) -> dict[str, Any] | None:
    """A small JSON object of ours, or None if there is none that can be read."""
    try:
        with open(private_folder() / name, "rb") as file:
            if not _is_ours(os.fstat(file.fileno())):
                return None
            found = json.loads(file.read())
    except (OSError, ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def write_note(name: str, content: dict[str, Any]) -> None:
    """Written to another file and renamed: a reader sees all of it or nothing."""
    folder = private_folder()
    try:
        handle, aside = tempfile.mkstemp(dir=folder, prefix="build-")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(content, file)
            os.replace(aside, folder / name)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(aside)
            raise
    except OSError as problem:
        raise cannot_write(folder, problem) from problem


# ---------------------------------------------------------------- building in the folder


@contextlib.contextmanager
def build_folder() -> Iterator[Path]:
    """An empty folder for one build, removed afterwards."""
    folder = private_folder()
    try:
        aside = Path(tempfile.mkdtemp(dir=folder, prefix="build-"))
    except OSError as problem:
        raise cannot_write(folder, problem) from problem
    try:
        yield aside
    finally:
        shutil.rmtree(aside, ignore_errors=True)


@contextlib.contextmanager
def lock(entry: str, seconds: float) -> Iterator[bool]:
    """One builder at a time for an entry. False if the lock could not be had in that time: then two build the same,
    which is slower and does no harm. The system takes the lock from a process that is killed."""
    if fcntl is None:
        yield False
        return
    folder = private_folder()
    try:
        handle = os.open(folder / f"lock-{entry[:2]}", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as problem:
        raise cannot_write(folder, problem) from problem
    try:
        yield _locked(handle, time.monotonic() + seconds)
    finally:
        os.close(handle)


def _locked(handle: int, deadline: float) -> bool:
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                return False
            time.sleep(0.05)
        except OSError:  # a disk without locks, as some network disks are
            return False
        else:
            return True


# ---------------------------------------------------------------- eviction


def evict(keep: Path | None = None) -> None:
    """Remove what has not been used for long, and the longest unused of what is too much. Never fails."""
    with contextlib.suppress(OSError, NativeUnavailable):
        folder = private_folder()
        now = time.time()
        listed = [(entry, entry.stat(follow_symlinks=False)) for entry in os.scandir(folder)]
        libraries = []
        for entry, status in listed:
            age = now - status.st_mtime
            if entry.name.startswith("build-"):
                if age > ABANDONED:
                    _remove(Path(entry.path))
            elif entry.name == "zig":
                if size_of(Path(entry.path)) > MOST_BYTES_OF_ZIG:
                    _remove(Path(entry.path))
            elif not entry.name.startswith("lock-"):
                libraries.append((status.st_mtime, status.st_size, Path(entry.path)))
        _evict_files(sorted(libraries, key=lambda found: found[0]), now, keep)


def _evict_files(files: list[tuple[float, int, Path]], now: float, keep: Path | None) -> None:
    """Oldest first. A record without its library is as good as none, so records may go on their own."""
    total = sum(size for _, size, _ in files)
    for used, size, file in files:
        if file != keep and (total > MOST_BYTES or now - used > OLDEST):
            _remove(file)
            total -= size


def _remove(place: Path) -> None:
    if place.is_dir() and not place.is_symlink():
        shutil.rmtree(place, ignore_errors=True)
    else:
        with contextlib.suppress(OSError):
            place.unlink()


def size_of(folder: Path) -> int:
    """Bytes of all files in a folder; 0 if there is none."""
    total = 0
    for place, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += os.lstat(os.path.join(place, name)).st_size
    return total


def library_suffix() -> str:
    return {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
