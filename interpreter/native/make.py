"""From a game to its library: C is emitted from the rules and built.

A game is known by the key of the compiled game in the cache, so a library that was built before is found without
reading any rules. `python -m interpreter.native.make NAME PLAYERS` does it in a process of its own: that is how a
library is made in the background, while Python already plays.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..compile.load import checked_program, compiled_key
from ..ruleset.ceilings import ceilings, written
from ..ruleset.unsaved import laid_over
from ..runtime.garbage import look_seldom
from ..runtime.graph import MapGraph
from .build import build_library, find_library
from .toolchain import FLAGS, flags_of_games
from .unavailable import NativeUnavailable

if TYPE_CHECKING:
    from ..check.program import Program
    from ..compile.c import Emitted
    from ..compile.ways import Counted

# Behind the game: what Python's own library has on top of an exported one.
SEARCH = '#include "rw_kept.h"\n#include "rw_looks.h"\n#include "rw_worlds.h"\n#include "rw_glances.h"\n'
STUDY = '#include "rw_study.h"\n'  # and one that counts
MATCHES = '#include "rw_matches.h"\n'  # and one that plays whole games of bots

_WITH_TEXTS = "with-texts"
_ROOT = Path(__file__).resolve().parent.parent.parent
_START = "import sys; sys.path.insert(0, sys.argv[1]); from interpreter.native.make import main; main(sys.argv[2:])"


def c_of(program: Program, counted: Counted = "") -> Emitted:
    """The C of a checked program; `counted`: what it counts, for studies. Raises NativeUnavailable if it has something
    that cannot be C."""
    # A game whose library exists starts without the compiler, which takes longer to import than the library to load.
    from ..compile.c import CannotEmit, emit_c
    from ..compile.describe import describe
    from ..compile.describe_things import maps_of, tables_of
    from ..compile.passes import lower_program, prepared

    unit = lower_program(program)
    ways, _ = prepared(unit, counted)
    remembers = counted == "knowledge" and unit.has_secrets
    graphs: dict[str, Any] = {name: MapGraph(**described) for name, described in maps_of(unit).items()}
    try:
        return emit_c(unit, ways, describe(unit), tables_of(unit), graphs, remembers)
    except CannotEmit as problem:
        raise NativeUnavailable(f"the rules cannot become C: {problem}") from problem


def found(name: str, players: int | None, counted: Counted = "") -> Path | None:
    """The whole library of a game, if it was built before."""
    key = compiled_key(name, players, counted)
    return find_library(name, key, flags=flags_of_games()) if key is not None else None


def made(
    name: str, players: int | None, kind: str = "library", counted: Counted = "", flags: Sequence[str] | None = None
) -> Path:
    """The library of a game (or its module for a sandbox, kind `wasm`), built if need be."""
    key = compiled_key(name, players, counted)
    if key is None:
        raise NativeUnavailable(f"there is no ruleset `{name}`")
    flags = flags or (FLAGS if kind == "wasm" else flags_of_games())
    there = find_library(name, key, flags=flags, kind=kind)
    if there is not None:
        return there
    return build_library(_whole(checked_program(name, players), counted), name, key, flags=flags, kind=kind)


def made_to_play(name: str, players: int | None) -> tuple[Path, bool]:
    """A library that plays a game, and whether it is the whole one, which thinks too. What thinks is half to two
    thirds of the C of a small game, so it is not compiled for whoever only plays."""
    key = compiled_key(name, players, "")
    if key is None:
        raise NativeUnavailable(f"there is no ruleset `{name}`")
    flags, own_key = flags_of_games(), f"{key} to play"
    whole = find_library(name, key, flags=flags)
    if whole is not None:
        return whole, True
    there = find_library(name, own_key, flags=flags)
    return there or build_library(c_of(checked_program(name, players)).source, name, own_key, flags=flags), False


def made_of_program(program: Program, flags: Sequence[str] = FLAGS, counted: Counted = "") -> Path:
    """The library of a program without files."""
    source = _whole(program, counted)
    return build_library(source, program.name, hashlib.sha256(source.encode()).hexdigest(), flags=flags)


def _whole(program: Program, counted: Counted) -> str:
    return c_of(program, counted).source + SEARCH + {"begins": STUDY, "knowledge": MATCHES}.get(counted, "")


def made_in_background(
    name: str, players: int, counted: Counted = "", texts: Mapping[str | Path, str] | None = None
) -> subprocess.Popen[bytes]:
    """Begins to make a library in a process of its own, which goes on if this one ends. `texts`: those that are laid
    over the files of the ruleset."""
    with tempfile.TemporaryFile() as given:
        given.write(json.dumps({str(Path(path).resolve()): text for path, text in (texts or {}).items()}).encode())
        given.seek(0)
        return subprocess.Popen(
            [sys.executable, "-c", _START, str(_ROOT), name, str(players), counted, _WITH_TEXTS],
            env={**os.environ, "RULEWRIGHT_LIMITS": written(ceilings())},
            stdin=given, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip


def main(args: list[str]) -> None:
    """Makes a library; with `_WITH_TEXTS` the texts that are laid over the files stand on standard input, as JSON."""
    look_seldom()
    name, players, *more = args
    counted: Counted = "begins" if "begins" in more else "knowledge" if "knowledge" in more else ""
    try:
        with laid_over(json.load(sys.stdin) if _WITH_TEXTS in more else {}):
            made(name, int(players), counted=counted)
    except NativeUnavailable as problem:
        raise SystemExit(str(problem)) from None


if __name__ == "__main__":
    main(sys.argv[1:])
