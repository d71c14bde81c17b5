"""From the name of a game to compiled code, by way of the cache.

What is compiled is kept on disk under a key made of the game's fingerprint, of the folder that its rules are in (faults
point there) and of the interpreter's own files, so a change of any of them compiles anew. A cached game starts without
parsing anything. Python code differs from one version of Python to the next: the key has that too.
"""

from __future__ import annotations

import hashlib
import marshal
import sys
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from threading import Lock
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..diagnostics.diagnostic import Diagnostics, RulesetError, nested_too_deeply
from ..files.cache import cached, is_cached, keep
from ..files.plain_data import NotPlainData, from_bytes, to_bytes
from ..ruleset.ceilings import ceilings
from ..ruleset.find import find_ruleset
from ..ruleset.fingerprint import fingerprint_of
from .meta import Course, HitPlace, Meta, Place

if TYPE_CHECKING:
    from ..check.program import Program, RuleDecl
    from .ways import Counted


@dataclass
class Compiled:
    """Everything that running a game needs; plain data but for the code, which is kept as bytes.

    There is one module for each way of running: play, playout and trial. `places` says of each line of a module which
    place in the rules it comes from. A module is compiled when it is first asked for: a scenario plays a few decisions
    and never needs the playouts. In the cache there is the code of all ways, and the source of play alone, for people.
    """

    meta: Meta
    source: str
    places: dict[str, list[Place | None]]
    tables: dict[str, Any]
    maps: dict[str, Any]
    entries: dict[str, tuple[int, int]]  # framed routine -> the segment that a call begins with, the size of its frame
    codes: dict[str, bytes] = field(repr=False, default_factory=dict)
    sources: dict[str, str] = field(repr=False, default_factory=dict)  # of ways that are not compiled yet
    hits: tuple[HitPlace, ...] = ()  # of a game that counts: what each counter of `HITS` stands for
    course: Course | None = None  # of a game that counts how often rules begin: which of them are turns and rounds

    def code(self, way: str) -> CodeType:
        if way not in self.codes:
            name = module_name(self.meta, way)
            try:
                code = compile(self.sources[way], name, "exec", dont_inherit=True, optimize=0)
            except (SyntaxError, RecursionError, MemoryError):  # Python has limits of its own
                raise RulesetError([nested_too_deeply()]) from None
            self.codes[way] = marshal.dumps(code)
        return marshal.loads(self.codes[way])  # type: ignore[no-any-return]

    def place_of_line(self, file_name: str, line: int) -> Place | None:
        """The place in the rules of a line in a traceback: its own, or that of the nearest line before it."""
        for way, places in self.places.items():
            if file_name == module_name(self.meta, way):
                return next((place for place in reversed(places[:line]) if place is not None), None)
        return None


def module_name(meta: Meta, way: str) -> str:
    """The file name in the code objects of a way, which tracebacks show."""
    return f"<{way} of {meta.name} for {meta.players}>"


def load_compiled(name: str, players: int | None, counted: Counted = "") -> Compiled:
    """The compiled game; raises RulesetError with everything that is wrong with it. `counted`: as `compile_program`."""
    key = compiled_key(name, players, counted)
    if key is not None:
        found = cached("compiled", key)
        if found is not None:
            kept = _loaded(found)
            if kept is not None:
                return kept
    try:
        compiled = compile_program(checked_program(name, players), counted=counted)
    except RecursionError:
        raise RulesetError([nested_too_deeply()]) from None
    if key is not None:
        for way in compiled.sources:
            compiled.code(way)
        with suppress(NotPlainData, RecursionError):
            keep(to_bytes(replace(compiled, sources={})), "compiled", key)
    return compiled


# The programs that were checked last. Loading a game that is not in the cache checks it, and so does whoever then asks
# for its program, or for a copy of it that counts; large games take a second each time.
_checked_last: dict[tuple[str, Path], Program] = {}
_checked_lock = Lock()
_MOST_CHECKED = 3


def checked_program(name: str, players: int | None) -> Program:
    """The checked program; raises RulesetError with everything that is wrong with it."""
    own_key = compiled_key(name, players, counted="")
    if own_key is None:
        return _checked(name, players)
    key = own_key, Path.cwd()  # places in the rules are told relative to the current folder
    program = _checked_last.get(key)
    if program is None:
        program = _checked(name, players)
    with _checked_lock:
        _checked_last.pop(key, None)
        _checked_last[key] = program  # at the end: the first is the one that was asked for longest ago
        if len(_checked_last) > _MOST_CHECKED:
            del _checked_last[next(iter(_checked_last))]
    return program


def was_checked(name: str, players: int | None) -> bool:
    """True if this game has been checked before, without errors, and nothing has changed since: whatever is in the
    cache was checked before it was compiled."""
    key = compiled_key(name, players, counted="")
    return key is not None and ((key, Path.cwd()) in _checked_last or is_cached("compiled", key))


# The imports inside the two functions below are late on purpose. A game from the cache needs neither the checker nor
# the compiler, and importing them takes about as much CPU time as everything else that such a start does (0.11 s and
# 0.12 s where that was measured). `tests/compile/test_load.py` sees to it that they stay away.


def _checked(name: str, players: int | None) -> Program:
    from ..check.check import check
    from ..ruleset.gather import gather

    found = Diagnostics()
    gathered = gather(name, players, found)
    program = check(gathered, found) if gathered is not None and not found.has_errors else None
    if program is None:
        raise RulesetError(list(found))
    return program


def compile_program(program: Program, asked: tuple[RuleDecl, ...] = (), counted: Counted = "") -> Compiled:
    """Lowers, emits and describes a checked program. `asked` are values added to it for somebody's questions;
    `counted`: what its code counts for a study (`ways.py`)."""
    from .passes import built

    made = built(program, asked, counted)
    sources = {way: module.source for way, module in made.modules.items()}
    places = {way: module.places for way, module in made.modules.items()}
    return Compiled(
        made.meta, sources["play"], places, made.tables, made.maps, made.entries, {}, sources, made.hits, made.course
    )


def _loaded(content: bytes) -> Compiled | None:
    try:
        kept = from_bytes(content)
    except (ValueError, EOFError, TypeError, AttributeError, ImportError, RecursionError):  # it is made again
        return None
    return kept if isinstance(kept, Compiled) else None


def compiled_key(name: str, players: int | None, counted: Counted) -> str | None:
    """The key of a compiled game in the cache; None if there is no such ruleset."""
    asked = find_ruleset(name, Diagnostics())
    fingerprint = fingerprint_of(name, players)
    if asked is None or fingerprint is None:
        return None
    parts = (sys.implementation.cache_tag, asked.folder, name, fingerprint, counted, ceilings(), own_version())
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@cache
def own_version() -> str:
    """A hash of every file that takes part in compiling: the cache is void if one of them changes. Worked out once: a
    process goes on with the modules that it has imported, whatever becomes of their files."""
    return version_of(Path(__file__).resolve().parent.parent)


def version_of(root: Path) -> str:
    stamps = []
    for folder in ("syntax", "ruleset", "check", "compile"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".lark"):
                status = path.stat()
                stamps.append(f"{path.relative_to(root)} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(stamps).encode()).hexdigest()
