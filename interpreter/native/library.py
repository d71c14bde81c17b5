"""A built library in this process: its exported functions and its memory, through ctypes.

Numbers go in and out as Python integers, addresses too. `wasm` has the same interface, so that whoever calls a game
need not know where it runs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .store import discard, is_whole
from .unavailable import NativeUnavailable

ABI = 1  # what `rulewright_abi()` of every library answers; raised when the exported functions change their meaning

KINDS: dict[str, Any] = {
    "i32": ctypes.c_int32,
    "u32": ctypes.c_uint32,
    "i64": ctypes.c_int64,
    "u64": ctypes.c_uint64,
    "f64": ctypes.c_double,
    "address": ctypes.c_size_t,
}
ALIGNED_TO = 64


class Library:
    """A library that was loaded. It stays loaded until the process ends, since nobody can tell who still uses it."""

    steady = True  # a view of its memory stays valid

    def __init__(self, path: Path) -> None:
        self.path = path
        self._long, self._brief = ctypes.CDLL(str(path)), ctypes.PyDLL(str(path))
        self._blocks: dict[int, Any] = {}

    def function(self, name: str, result: str | None, *parameters: str, brief: bool = False) -> Callable[..., Any]:
        """An exported function. Kinds of numbers: i32, u32, i64, u64, f64, address.

        `brief` is for what is called very often: 0.23 µs a call in place of 0.5. Its arguments are not converted (they
        must be i32, or addresses made by `pointer`), and other threads wait until it returns."""
        assert not brief or set(parameters) <= {"i32", "address"}, "a brief function takes i32 and addresses only"
        try:
            found = (self._brief if brief else self._long)[name]
        except AttributeError as problem:
            raise NativeUnavailable(f"{self.path.name} has no function `{name}`") from problem
        if not brief:
            found.argtypes = [KINDS[kind] for kind in parameters]
        found.restype = None if result is None else KINDS[result]
        return found

    def allocate(self, size: int) -> int:
        """The address of a block of memory, all zero, that lives until it is released. Aligned for any type."""
        block = ctypes.create_string_buffer(size + ALIGNED_TO)
        address = -(-ctypes.addressof(block) // ALIGNED_TO) * ALIGNED_TO
        self._blocks[address] = block
        return address

    @staticmethod
    def pointer(address: int) -> Any:
        """An address as an argument of a brief function; made once and used often."""
        return ctypes.c_void_p(address)

    def release(self, address: int) -> None:
        del self._blocks[address]

    def view(self, address: int, size: int) -> memoryview:
        """The bytes there, to read and write in place. Valid as long as the block."""
        return memoryview((ctypes.c_ubyte * size).from_address(address)).cast("B")

    def read(self, address: int, size: int) -> bytes:
        return ctypes.string_at(address, size)

    def write(self, address: int, content: bytes) -> None:
        ctypes.memmove(address, content, len(content))


def load_library(path: Path, abi: int = ABI) -> Library:
    """Load what `build_library` has built, if it still is what was built. What cannot be loaded is removed, so that
    the next build makes it anew; NativeUnavailable says why."""
    if not is_whole(path):
        raise _unusable(path, "has changed since it was built")
    try:
        library = Library(path)
        answered = library.function("rulewright_abi", "i32")()
    except OSError as problem:
        raise _unusable(path, f"cannot be loaded: {problem}") from problem
    if answered != abi:
        raise _unusable(path, f"has interface {answered}, and {abi} is needed")
    return library


def _unusable(path: Path, why: str) -> NativeUnavailable:
    discard(path)
    return NativeUnavailable(f"the library {path.name} {why}", passing=True)
