"""Parsed rules files, kept in memory and on disk.

Parsing is the dearest step between a ruleset and its findings: two seconds for a large game, and one command may gather
a game many times, once for each of its variants and player counts. A tree depends on nothing but its text, so it is
parsed once. On disk the tree is kept without its `Source`: whoever reads it lays in its own, so a copy of a file under
another name is not parsed again either.

A text with findings is kept in memory only, for its author is about to change it. So is the text of an editor that has
not been saved: there is a new one with every letter that is typed.
"""

from __future__ import annotations

import hashlib
import sys
from functools import cache
from pathlib import Path
from threading import Lock

from ..diagnostics.diagnostic import Diagnostic, Diagnostics
from ..diagnostics.source import Source
from ..files.cache import cached, keep
from ..files.plain_data import NotPlainData, from_bytes, to_bytes
from ..syntax import nodes
from ..syntax.parse import read_rules

_FOLDER = "parsed"
_WORTH_KEEPING = 2000  # letters; a shorter text is parsed as fast as its tree is looked for
_MOST_IN_MEMORY = 200

Parsed = tuple[nodes.File, tuple[Diagnostic, ...]]
_in_memory: dict[tuple[str, str], Parsed] = {}
_lock = Lock()


def parsed(source: Source, is_saved: bool) -> Parsed:
    """What can be read of a rules file, and the findings. `is_saved`: the text is that of a file on disk."""
    key = (source.name, source.text)
    found = _in_memory.get(key)
    if found is None:
        is_kept = is_saved and len(source.text) >= _WORTH_KEEPING
        found = _kept_or_parsed(source) if is_kept else _parsed(source)
    with _lock:
        _in_memory.pop(key, None)
        _in_memory[key] = found  # at the end: the first is the one that was asked for longest ago
        if len(_in_memory) > _MOST_IN_MEMORY:
            del _in_memory[next(iter(_in_memory))]
    return found


def _parsed(source: Source) -> Parsed:
    found = Diagnostics()
    return read_rules(source, found), tuple(found)


def _kept_or_parsed(source: Source) -> Parsed:
    key = hashlib.sha256(f"{_version()}\n{source.text}".encode("utf-8", "surrogatepass")).hexdigest()
    kept = cached(_FOLDER, key)
    tree = _loaded(kept, source) if kept is not None else None
    if tree is not None:
        return tree, ()
    read = _parsed(source)
    content = _dumped(read[0], source) if not read[1] else None
    if content is not None:
        keep(content, _FOLDER, key)
    return read


@cache
def _version() -> str:
    """Changes whenever a file does that says what a tree looks like."""
    root = Path(__file__).resolve().parent.parent
    files = [*sorted((root / "syntax").rglob("*")), root / "diagnostics" / "source.py"]
    files = [path for path in files if path.suffix in (".py", ".lark")]
    stamps = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in files]
    return repr((sys.implementation.cache_tag, stamps))


def _dumped(tree: nodes.File, source: Source) -> bytes | None:
    try:
        return to_bytes(tree, put_in=source)
    except (NotPlainData, RecursionError):  # a text that is nested too deep is parsed each time
        return None


def _loaded(content: bytes, source: Source) -> nodes.File | None:
    try:
        tree = from_bytes(content, put_in=source)
    except (ValueError, EOFError, TypeError, AttributeError, ImportError, RecursionError):
        return None
    return tree if isinstance(tree, nodes.File) else None
