"""Writing files so that nothing is lost: new content is complete on disk before the old goes.

`write_whole` writes to a new file in the same folder, has the system put it on the disk (fsync), and renames it. A
reader, a killed process, a full disk or a power cut therefore meet the old content or the new, never half of either.

It replaces regular files only, and only those of the same kind. A device, a pipe or a folder with the name is refused:
renaming over `/dev/null` would take it away from everybody. So is a file with other content: `s notes.rules` at the
table must not put a save in place of somebody's rules. What counts as the same kind is said by the caller, who knows
how such a file begins; an empty file is of every kind.
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from .reading import FileRefused, kind_of

IsKind = Callable[[bytes], bool]  # is this the beginning of such a file?

_BEGINNING = 4096  # bytes that are looked at
_ASIDE = ".part"
_ABANDONED = 3600.0  # seconds after which an unfinished file belongs to nobody


def write_whole(path: Path, content: str | bytes, is_kind: IsKind | None = None) -> None:
    """Replace a file, or make it. Raises OSError; then the old content is untouched and nothing else is left behind."""
    target = Path(os.path.realpath(path))
    mode = require_replaceable(target, is_kind)
    handle, aside = tempfile.mkstemp(dir=target.parent, prefix=_prefix(target), suffix=_ASIDE)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode("utf-8") if isinstance(content, str) else content)
            file.flush()
            if hasattr(os, "fchmod"):
                os.fchmod(file.fileno(), _usual_mode() if mode is None else mode)
            os.fsync(file.fileno())
        os.replace(aside, target)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(aside)
        raise
    _settle(target.parent)
    _tidy(target)


def require_replaceable(path: Path, is_kind: IsKind | None = None) -> int | None:
    """The permissions of the file that would be replaced, or None if there is none. Raises FileRefused if something is
    there that must stay. Commands that take long call this before they begin."""
    target = Path(os.path.realpath(path))
    try:
        status = os.stat(target)
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(status.st_mode):
        raise FileRefused(kind_of(status))
    if is_kind is not None and status.st_size:
        with open(target, "rb") as file:
            if not is_kind(file.read(_BEGINNING)):
                raise FileRefused("another kind of file is there; name another one, or remove it")
    if not os.access(target, os.W_OK):
        raise PermissionError(13, os.strerror(13), str(target))
    return stat.S_IMODE(status.st_mode)


def appended(path: Path) -> int:
    """A file handle that adds to the end of a regular file, which is made if need be. Raises OSError."""
    target = os.path.realpath(path)
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    with contextlib.suppress(FileNotFoundError):
        require_replaceable(Path(target))
    handle = os.open(target, flags, 0o666)
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        os.close(handle)
        raise FileRefused(kind_of(status))
    return handle


# ---------------------------------------------------------------------------- kinds of files


def json_of(*formats: str) -> IsKind:
    """JSON files whose `format` begins so, as this program writes them: near the beginning."""
    wanted = [f'"format": "{name}'.encode() for name in formats] + [f'"format":"{name}'.encode() for name in formats]
    return lambda beginning: any(mark in beginning for mark in wanted)


def beginning_with(*marks: str) -> IsKind:
    """Files whose text begins with one of these, in small or capital letters."""
    wanted = tuple(mark.lower().encode() for mark in marks)
    return lambda beginning: beginning.removeprefix(b"\xef\xbb\xbf").lstrip().lower().startswith(wanted)


# ---------------------------------------------------------------------------- details


def _prefix(target: Path) -> str:
    return f".{target.name[:40]}."


def _usual_mode() -> int:
    """What `open` would give a new file. The mask can only be read by setting it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return 0o666 & ~mask


def _settle(folder: Path) -> None:
    """The renaming too is put on the disk, where the system can do that."""
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _tidy(target: Path) -> None:
    """Removes what killed processes have left unfinished beside this file."""
    prefix, now = _prefix(target), time.time()
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and entry.name.endswith(_ASIDE):
                with contextlib.suppress(OSError):
                    if now - entry.stat(follow_symlinks=False).st_mtime > _ABANDONED:
                        os.unlink(entry.path)
