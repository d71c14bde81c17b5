"""From the name of a game to compiled code, by way of the cache.

What is compiled is kept on disk under a key made of the game's fingerprint and of the interpreter's own files, so a
change of either compiles anew. A cached game starts without parsing anything.
"""

from __future__ import annotations

import hashlib
import marshal
import pickle
import sys
from dataclasses import dataclass, field
from pathlib import Path
from types import CodeType
from typing import TYPE_CHECKING, Any

from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..ruleset.cache import cached, keep
from ..ruleset.fingerprint import fingerprint_of
from .meta import Meta

if TYPE_CHECKING:
    from ..check.program import Program, RuleDecl

WAYS = {  # play keeps knowledge and log, playouts neither, a trial ends content at chance and unseen pieces
    "play": {"TRACK": True, "TRIAL": False},
    "fast": {"TRACK": False, "TRIAL": False},
    "trial": {"TRACK": False, "TRIAL": True},
}


@dataclass
class Compiled:
    """Everything that running a game needs; plain data but for the code, which is kept as bytes: one for each way of
    running (`WAYS`)."""

    meta: Meta
    source: str
    places: list[tuple[str, int, int] | None]
    tables: dict[str, Any]
    maps: dict[str, Any]
    entries: dict[str, tuple[int, int]]
    codes: dict[str, bytes] = field(repr=False, default_factory=dict)

    @property
    def file_name(self) -> str:
        return f"<rules of {self.meta.name} for {self.meta.players}>"

    def code(self, way: str) -> CodeType:
        return marshal.loads(self.codes[way])  # type: ignore[no-any-return]


def load_compiled(name: str, players: int | None) -> Compiled:
    """The compiled game; raises RulesetError with everything that is wrong with it."""
    fingerprint = fingerprint_of(name, players)
    key = _key(fingerprint, name) if fingerprint is not None else None
    if key is not None:
        found = cached("compiled", key)
        if found is not None:
            kept = _unpickled(found)
            if kept is not None:
                return kept
    compiled = compile_program(checked_program(name, players))
    if key is not None:
        keep(pickle.dumps(compiled, protocol=5), "compiled", key)
    return compiled


def checked_program(name: str, players: int | None) -> Program:
    from ..check.check import check
    from ..ruleset.gather import gather

    found = Diagnostics()
    gathered = gather(name, players, found)
    program = check(gathered, found) if gathered is not None and not found.has_errors else None
    if program is None:
        raise RulesetError(list(found))
    return program


def compile_program(program: Program, asked: tuple[RuleDecl, ...] = ()) -> Compiled:
    """Lowers, emits and describes a checked program; `asked` are values added to it for somebody's questions."""
    from .describe import describe
    from .emit_python import emit_python
    from .specialise import specialise
    from .weave import lower_program

    unit = lower_program(program, asked)
    emitted = emit_python(unit)
    meta = describe(unit, emitted)
    compiled = Compiled(meta, emitted.source, emitted.places, _tables(unit), _maps(unit), emitted.entries)
    for way, settled in WAYS.items():
        compiled.codes[way] = marshal.dumps(specialise(compiled, settled))
    return compiled


def _tables(unit: Any) -> dict[str, Any]:
    tables: dict[str, Any] = {name: table.values for name, table in unit.tables.items()}
    tables.update(unit.indexes)
    tables.update(unit.printed)
    for name, (map_decl, what) in unit.map_tables.items():
        tables[name] = _map_table(unit, map_decl, what)
    return tables


def _map_table(unit: Any, map_decl: Any, what: str) -> tuple[Any, ...]:
    """A list over all nodes (or edges) of the game; the last entry answers for none."""
    source = {
        "neighbours": map_decl.neighbours,
        "edges": map_decl.edges_of,
        "ends": map_decl.ends,
        "toward": map_decl.toward,
    }.get(what)
    if what == "is_border":
        return (*(node in map_decl.border for node in range(len(unit.program.nodes))), False)
    count = len(unit.program.edges if what == "ends" else unit.program.nodes)
    empty: tuple[int, ...] = (-1,) * len(map_decl.directions) if what == "toward" else ()
    assert source is not None
    return (
        *((*source[n], -1) if what == "toward" and n in source else source.get(n, empty) for n in range(count)),
        empty,
    )


def _maps(unit: Any) -> dict[str, Any]:
    return {
        unit.map_name(decl): {
            "nodes": decl.nodes,
            "neighbours": decl.neighbours,
            "edges_of": decl.edges_of,
            "ends": decl.ends,
            "toward": decl.toward,
            "line_toward": decl.line_toward,
            "points": decl.points,
            "form": decl.form,
        }
        for decl in unit.program.maps.values()
    }


def _unpickled(content: bytes) -> Compiled | None:
    try:
        kept = pickle.loads(content)
    except Exception:  # whatever is wrong with a cached file, it is made again
        return None
    return kept if isinstance(kept, Compiled) else None


def _key(fingerprint: str, name: str) -> str:
    version = f"{sys.version_info[:2]} {name} {fingerprint} {own_version()}"
    return hashlib.sha256(version.encode()).hexdigest()


def own_version() -> str:
    """Changes whenever a file of the interpreter does."""
    root = Path(__file__).resolve().parent.parent
    stamps = []
    for folder in ("syntax", "ruleset", "check", "compile"):
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in (".py", ".lark"):
                status = path.stat()
                stamps.append(f"{path.name} {status.st_size} {status.st_mtime_ns}")
    return hashlib.sha256("\n".join(stamps).encode()).hexdigest()
