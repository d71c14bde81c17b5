"""The cache folder, and a safe way to read from it and write to it.

`RULEWRIGHT_CACHE` names the folder; an empty value turns caching off. Nothing in it is essential: it may be deleted at
any time, and if it is not writable everything works without it.

Compiled games hold code, so whoever can plant a file here could make this user run it. Two locks stand before that. The
folders that the cache makes for itself are open to their owner alone (0700), and one that belongs to somebody else is
not used. And every file begins with a digest of its content and its name, keyed by 32 random bytes that a process of
this user has drawn: what was not written by this program for this user, what was damaged, cut short or moved is taken
for absent, made again and replaced. The key is not kept with what it protects but below the user's own cache folder, so
that a folder with files in it that somebody handed over (`RULEWRIGHT_CACHE=their/cache`) is worth nothing. Only where
that place cannot be written does the key stand in the cache folder itself.

Files are replaced by renaming: a reader sees all of one or nothing, and a process that is killed leaves at most an
unfinished file, which is removed an hour later. What has not been used for two months goes, and the longest unused of
what is too much.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import stat
import tempfile
import time
from functools import lru_cache
from pathlib import Path

from .reading import read_bytes

MOST_BYTES = 192 << 20  # of one folder of the cache
MOST_BYTES_OF_ONE = 64 << 20
OLDEST = 60 * 24 * 3600.0  # seconds since a file was last used
_ABANDONED = 3600.0  # seconds after which an unfinished file belongs to nobody
_DAY = 24 * 3600.0
_UNFINISHED = "unfinished-"
_KEY, _KEY_BYTES, _DIGEST_BYTES = "key", 32, 32


def cache_folder() -> Path | None:
    """The cache folder (it may not exist yet), or None if caching is off."""
    named = os.environ.get("RULEWRIGHT_CACHE")
    if named is not None:
        return Path(named) if named else None
    return _own_folder()


def _own_folder() -> Path | None:
    """The cache folder of this user if nothing else is said."""
    base = os.environ.get("XDG_CACHE_HOME")
    try:
        return (Path(base) if base else Path.home() / ".cache") / "rulewright"
    except RuntimeError:  # no home folder
        return None


def cached(folder: str, name: str) -> bytes | None:
    """The content stored under that name, or None. What was not written by `keep` counts as absent."""
    root = cache_folder()
    if root is None or not _is_private(root / folder):
        return None
    key = _key(root, make=False)
    if key is None:
        return None
    path = root / folder / name
    try:
        held = read_bytes(path, MOST_BYTES_OF_ONE)
    except OSError:
        return None
    content = held[_DIGEST_BYTES:]
    if not hmac.compare_digest(held[:_DIGEST_BYTES], _digest(key, folder, name, content)):
        return None
    _touch(path)
    return content


def is_cached(folder: str, name: str) -> bool:
    return cached(folder, name) is not None


def keep(content: bytes, folder: str, name: str) -> None:
    """Store content under that name, if that is possible."""
    root = cache_folder()
    if root is None or len(content) > MOST_BYTES_OF_ONE:
        return
    try:
        _make_private(root / folder)
        key = _key(root, make=True)
        if key is not None and _is_private(root / folder):
            _write(root / folder / name, _digest(key, folder, name, content) + content)
            _evict(root / folder)
    except OSError:
        return


def _write(path: Path, content: bytes) -> None:
    handle, aside = tempfile.mkstemp(dir=path.parent, prefix=_UNFINISHED)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        os.replace(aside, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise


def _digest(key: bytes, folder: str, name: str, content: bytes) -> bytes:
    digest = hashlib.blake2b(f"{folder}/{name}\0".encode(), key=key, digest_size=_DIGEST_BYTES)
    digest.update(content)
    return digest.digest()


def _touch(path: Path) -> None:
    """Eviction goes by the last use; a day is exact enough."""
    with contextlib.suppress(OSError):
        if time.time() - path.stat().st_mtime > _DAY:
            os.utime(path)


# ---------------------------------------------------------------------------- folders that are this user's alone


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if hasattr(os, "getuid") and status.st_uid == os.getuid() and stat.S_IMODE(status.st_mode) & 0o077:
        folder.chmod(0o700)


def _is_private(folder: Path) -> bool:
    """True if it is a folder, no link, of this user, that nobody else may write to."""
    try:
        status = folder.lstat()
    except (OSError, ValueError):
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    return not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o022)


def _key(root: Path, make: bool) -> bytes | None:
    """The key of this user: from the user's own folder, or else from the cache folder itself."""
    own = _own_folder()
    for place in dict.fromkeys((own, root)):
        if place is not None and (key := _key_in(place / _KEY, make)) is not None:
            return key
    return None


def _key_in(folder: Path, make: bool) -> bytes | None:
    if (key := _read_key(folder)) is not None or not make:
        return key
    try:
        _make_private(folder)
        handle, aside = tempfile.mkstemp(dir=folder, prefix=_UNFINISHED)
        with os.fdopen(handle, "wb") as file:
            file.write(os.urandom(_KEY_BYTES))
        try:
            os.link(aside, folder / _KEY)  # fails if another process was faster; then its key counts
        except FileExistsError:
            if _read_key(folder) is None:  # damaged: nothing that was kept with it can be read any more
                os.replace(aside, folder / _KEY)
        finally:
            with contextlib.suppress(OSError):
                os.unlink(aside)
    except OSError:
        return None
    return _read_key(folder)


def _read_key(folder: Path) -> bytes | None:
    if not _is_private(folder):
        return None
    try:
        status = os.lstat(folder / _KEY)
        return _key_at(str(folder / _KEY), status.st_ino, status.st_mtime_ns)
    except OSError:
        return None


@lru_cache(maxsize=8)
def _key_at(path: str, inode: int, changed: int) -> bytes | None:
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        key = file.read(_KEY_BYTES + 1) if stat.S_ISREG(status.st_mode) else b""
    is_ours = not hasattr(os, "getuid") or (status.st_uid == os.getuid() and not stat.S_IMODE(status.st_mode) & 0o077)
    return key if is_ours and len(key) == _KEY_BYTES else None


# ---------------------------------------------------------------------------- eviction


def _evict(folder: Path) -> None:
    """Removes what has not been used for long, then the longest unused of what is too much."""
    now = time.time()
    kept: list[tuple[float, int, str]] = []
    with os.scandir(folder) as entries:
        for entry in entries:
            status = entry.stat(follow_symlinks=False)
            age = now - status.st_mtime
            if age > (_ABANDONED if entry.name.startswith(_UNFINISHED) else OLDEST):
                _remove(entry.path)
            else:
                kept.append((status.st_mtime, status.st_size, entry.path))
    total = sum(size for _, size, _ in kept)
    if total > MOST_BYTES:
        for _, size, path in sorted(kept):
            if total <= MOST_BYTES // 2:
                break
            _remove(path)
            total -= size


def _remove(path: str) -> None:
    with contextlib.suppress(OSError):
        os.unlink(path)
