"""C source to a library in the store.

`build_library` compiles, or returns what was built before. An entry of the store is found by a hash of everything that
went into it: the caller's key, the compiler, the flags, the machine, the interpreter's own files and C headers. The
record also holds a hash of the source text, so a key that says too little costs a build and never gives a wrong
library.
`find_library` does without the text: a game whose library exists starts without emitting any C.

Much that changes the hash changes nothing in the C: a word in a comment of the rules, an edit elsewhere in the
interpreter. So a library is also found by the text it was built from, comments left out, and no compiler runs for it.

A library is loaded by another process before it is put in its place. Failures of the compiler are kept for an hour:
while the source stays as it is, asking again would only take the same time for the same answer.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import platform
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from ..compile.load import own_version
from .library import ABI
from .store import build_folder, digest_of, evict, find, install, library_suffix, lock, read_note, write_note
from .toolchain import FLAGS, Compiler, answer_of, compile_with, require_compiler, require_wasm_compiler, write_source
from .unavailable import NativeUnavailable, StoreUnusable

HEADERS = Path(__file__).resolve().parent / "c"  # every source may include what lies there
SECONDS = 120.0  # for the compiler
FAILURE_SECONDS = 3600.0  # for which a failure is believed
FORMAT = 1  # of the store; raised when the meaning of an entry changes

SUFFIXES = {"library": library_suffix(), "object": ".o", "executable": ".exe", "wasm": ".wasm"}
_COMMENT = re.compile(r"\s*/\*(?:(?!\*/).)*\*/\s*")  # a line that is one comment and nothing else
STACK_OF_WASM = 1024 * 1024
FLAGS_OF_KIND = {
    "object": ("-c",),
    "executable": (),
    "wasm": (f"-I{HEADERS / 'wasm'}", "-nostdlib", "-s", "-Wl,--no-entry", "-Wl,--export-dynamic",
             f"-Wl,-z,stack-size={STACK_OF_WASM}"),
}  # fmt: skip


@dataclass(frozen=True)
class Order:
    """What is to be built. `kind`: library, object, executable or wasm. The key says what the source was made from."""

    source: str
    name: str
    key: str
    flags: tuple[str, ...] = FLAGS
    kind: str = "library"
    seconds: float = SECONDS

    @property
    def file_name(self) -> str:
        return re.sub(r"[^A-Za-z0-9_]+", "_", self.name)[:60] or "game"

    def compiler(self, may_probe: bool = True) -> Compiler:
        return require_wasm_compiler() if self.kind == "wasm" else require_compiler(may_probe)

    def entry(self, compiler: Compiler) -> str:
        return self._hash(compiler, self.key, _own_files())

    def entry_of_text(self, compiler: Compiler) -> str:
        return self._hash(compiler, digest_of(self.text.encode()), _headers())

    def _hash(self, compiler: Compiler, *more: str) -> str:
        parts = (FORMAT, ABI, self.name, self.flags, self.kind, compiler.identity, machine(), *more)
        return digest_of(repr(parts).encode())

    @property
    def text(self) -> str:
        """The source without lines that are comments."""
        return "\n".join(line for line in self.source.splitlines() if not _COMMENT.fullmatch(line))


def build_library(
    source: str,
    name: str,
    key: str,
    *,
    flags: Sequence[str] = FLAGS,
    kind: str = "library",
    seconds: float = SECONDS,
) -> Path:
    """The library (or object, executable, wasm module) of a C source, built if need be. Raises NativeUnavailable if
    that cannot be done."""
    return build(Order(source, name, key, tuple(flags), kind, seconds))


def find_library(name: str, key: str, *, flags: Sequence[str] = FLAGS, kind: str = "library") -> Path | None:
    """What was built for this key before, or None. Never takes long; raises nothing."""
    try:
        order = Order("", name, key, tuple(flags), kind)
        return find(order.entry(order.compiler(may_probe=False)))
    except NativeUnavailable:
        return None


def build(order: Order) -> Path:
    compiler = order.compiler()
    entry = order.entry(compiler)
    found = known_result(order, entry)
    if found is not None:
        return found
    with lock(entry, order.seconds):
        # Another process may have built it while this one waited.
        return known_result(order, entry) or _same_text(order, entry, compiler) or _build(order, entry, compiler)


def known_result(order: Order, entry: str) -> Path | None:
    """What the store has; raises the failure that it remembers."""
    found = find(entry, order.source)
    failure = read_note(f"{entry}.failed.json") if found is None else None
    if failure is not None and failure.get("source") == digest_of(order.source.encode()):
        if 0 <= time.time() - failure.get("at", 0) < FAILURE_SECONDS:
            raise NativeUnavailable(str(failure.get("reason")), str(failure.get("detail", "")))
    return found


def _same_text(order: Order, entry: str, compiler: Compiler) -> Path | None:
    """What was built from the same text under another key; it is found under this one from now on."""
    text = order.entry_of_text(compiler)
    found, record = find(text, order.text), read_note(f"{text}.json")
    if found is None or record is None:
        return None
    write_note(f"{entry}.json", {**record, "source": digest_of(order.source.encode())})
    return found


def _build(order: Order, entry: str, compiler: Compiler) -> Path:
    facts = {"source": digest_of(order.source.encode()), "compiler": compiler.identity}
    try:
        with build_folder() as folder:
            built = _compiled(order, compiler, folder)
            placed = install(entry, built, order.file_name, facts)
    except StoreUnusable:
        raise
    except NativeUnavailable as problem:
        told = NativeUnavailable(f"{' '.join(compiler.command)} {problem}", problem.detail, passing=problem.passing)
        if not problem.passing:
            failure = {**facts, "reason": str(told), "detail": told.detail[:10_000], "at": int(time.time())}
            with contextlib.suppress(NativeUnavailable):
                write_note(f"{entry}.failed.json", failure)
        raise told from problem
    with contextlib.suppress(NativeUnavailable):
        record = {**(read_note(f"{entry}.json") or {}), "source": digest_of(order.text.encode())}
        write_note(f"{order.entry_of_text(compiler)}.json", record)
    evict(keep=placed)
    return placed


def _compiled(order: Order, compiler: Compiler, folder: Path) -> Path:
    """The file that the compiler wrote, after a library has shown in another process that it can be loaded."""
    source, built = folder / f"{order.file_name}.c", folder / f"{order.file_name}{SUFFIXES[order.kind]}"
    write_source(source, order.source)
    kind_flags = compiler.library_flags if order.kind == "library" else FLAGS_OF_KIND[order.kind]
    compile_with(compiler, (*order.flags, *kind_flags, f"-I{HEADERS}"), source, built, order.seconds)
    if order.kind == "library":
        answered = answer_of(built)
        if answered != ABI:
            raise NativeUnavailable(f"wrote a library with interface {answered}, and {ABI} is needed")
    return built


@cache
def machine() -> str:
    """What a library must have been built for: processor, system, and the kind of C library."""
    multiarch = getattr(sys.implementation, "_multiarch", "")
    return f"{platform.machine()} {sys.platform} {multiarch} {sys.maxsize.bit_length() + 1}"


@cache
def _own_files() -> str:
    """Changes whenever the compiler of rules, or a header that sources include, does."""
    return f"{own_version()} {_headers()}"


@cache
def _headers() -> str:
    headers = hashlib.sha256()
    for path in sorted(HEADERS.rglob("*.h")):
        headers.update(os.fsencode(path.relative_to(HEADERS)) + b"\0" + path.read_bytes())
    return headers.hexdigest()
