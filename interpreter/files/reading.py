"""Reading files that somebody else wrote: regular files only, of bounded size, inside a folder where one is given.

Four things can be wrong with a file before its content is: it is no file (a FIFO or a terminal would keep the program
waiting, `/dev/zero` would feed it for ever), it is a link to a file that is none of the ruleset's business, it is too
large, or there are too many of them. `read_bytes` asks the file system first, opens without waiting, and asks again
about what it has opened, so that nobody can put something else there in between.

Everything that is refused is a `FileRefused`. That is an `OSError`, since whoever reads a file must expect one anyway.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

MOST_BYTES = 1 << 20  # of a rules or data file
MOST_BYTES_OF_A_GAME = 16 << 20  # of a save, a record or a trained policy
MOST_FILES = 2_000  # of a ruleset
MOST_ENTRIES = 20_000  # of a ruleset's folder: files of other kinds, and folders
MOST_LEVELS = 12  # of folders inside a ruleset's folder

_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_CLOEXEC", 0)
_AS_BYTES = getattr(os, "O_BINARY", 0)

_KINDS = (
    (stat.S_ISDIR, "it is a folder"),
    (stat.S_ISFIFO, "it is a pipe"),
    (stat.S_ISSOCK, "it is a socket"),
    (stat.S_ISCHR, "it is a device"),
    (stat.S_ISBLK, "it is a device"),
)


class FileRefused(OSError):
    """A file that is not used; the message says why."""


class TooLarge(FileRefused):
    """A file with more bytes than are read of its kind."""


def read_bytes(path: Path, most: int = MOST_BYTES, inside: Path | None = None) -> bytes:
    """The content of a regular file. `inside`: a folder that it must lie in, links followed. Raises OSError, of which
    FileRefused says that the file is there and must not be used."""
    place = os.path.realpath(path)
    if "\0" in place:
        raise FileRefused("its name is none")
    if inside is not None and not is_inside(path, inside):
        raise FileRefused("it is a link that leads out of the folder")
    _require_file(os.stat(place))
    handle = os.open(place, os.O_RDONLY | _WITHOUT_WAITING | _AS_BYTES)
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        _require_file(status)
        # A file may grow while it is read, and one of /proc has the size 0: what counts is what comes.
        content = file.read(most + 1) if status.st_size <= most else b""
    if status.st_size > most or len(content) > most:
        raise TooLarge(f"it is larger than {size_text(most)}")
    return content


def read_text(path: Path, most: int = MOST_BYTES, inside: Path | None = None) -> str:
    """The same as text. Raises UnicodeDecodeError for anything but UTF-8."""
    return read_bytes(path, most, inside).decode("utf-8-sig")


def is_inside(path: Path, folder: Path) -> bool:
    """True if what the path leads to, links followed, lies in the folder."""
    try:
        return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    except (OSError, ValueError):
        return False


def is_regular(path: Path) -> bool:
    """True if the path leads to a regular file."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (OSError, ValueError):
        return False


def files_below(folder: Path, endings: tuple[str, ...]) -> list[Path]:
    """The regular files with these endings in a folder and in those below it, sorted; hidden ones too. Links to folders
    are not followed, links to files only inside the folder. Raises FileRefused if there are too many."""
    found: list[Path] = []
    seen = 0
    for path in _walk(folder, 0):
        seen += 1
        if path.name.endswith(endings) and is_regular(path) and (not path.is_symlink() or is_inside(path, folder)):
            found.append(path)
        if len(found) > MOST_FILES or seen > MOST_ENTRIES:
            what = f"{MOST_FILES:,} files of a ruleset" if len(found) > MOST_FILES else f"{MOST_ENTRIES:,} files"
            raise FileRefused(f"there are more than {what} in it")
    return sorted(found)


def _walk(folder: Path, level: int) -> Iterator[Path]:
    """Every entry below a folder that is no folder."""
    try:
        with os.scandir(folder) as listed:
            entries = list(listed)
    except OSError:
        return
    for entry in entries:
        yield folder / entry.name
        if entry.is_dir(follow_symlinks=False):
            if level == MOST_LEVELS:
                raise FileRefused(f"there are folders in it more than {MOST_LEVELS} deep")
            yield from _walk(folder / entry.name, level + 1)


def _require_file(status: os.stat_result) -> None:
    if not stat.S_ISREG(status.st_mode):
        raise FileRefused(kind_of(status))


def kind_of(status: os.stat_result) -> str:
    """What something is that is no regular file."""
    return next((said for is_one, said in _KINDS if is_one(status.st_mode)), "it is no regular file")


def size_text(size: int) -> str:
    """`1 MiB`, `512 KiB`"""
    return f"{size >> 20} MiB" if size >= 1 << 20 else f"{size >> 10} KiB"
