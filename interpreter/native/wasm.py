"""A built module in a sandbox: the same interface as `library`, for rules of strangers.

A wasm module has its own memory and can touch nothing else; what is built here has no imports, so it cannot even ask.
Its memory is limited, and so is what each call may do. A call that goes beyond a limit, or beyond its memory, raises
`Stopped`; the module's memory may then be in any state, and should be dropped with it.

Two things can limit a call. The C takes all work that it counts off an *allowance* (`RW_CHARGE` in rw.h), at the head
of every segment and loop whose length the rules decide, which costs next to nothing. wasmtime can count every
instruction (*fuel*), which costs a fifth to a third of the speed and trusts nothing: neither the rules, nor our own C.
Whoever asks for the backend `wasm` has the allowance. In the process of a sandbox (`sandbox=True`, `--sandbox`) both
hold: see `count_instructions`.

Addresses are numbers that the module may have made up, so every access from outside is checked.

What the C must keep to, besides what any library must: of the C library there is only what `c/wasm` has (memcpy,
memmove, memset, memcmp, malloc, calloc, realloc, free); and pointers are 32 bits wide, so a struct that is read from
outside holds numbers of fixed width and no pointers.
"""

from __future__ import annotations

import atexit
import contextlib
import ctypes
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from .build import machine
from .library import ABI, ALIGNED_TO
from .store import DIGITS, build_folder, digest_of, discard, find, install, is_whole
from .unavailable import NativeUnavailable, one_line
from .wasm_calls import caller

PAGE = 64 * 1024
ADDRESSES = 1 << 32  # what 32 bits can name; pages that nobody touches cost nothing
MOST_STACK = 2 * 1024 * 1024  # of calls; a thread of Python has eight


class Stopped(Exception):
    """A call was ended: it went beyond its allowance, its fuel or its memory, or named an address outside of it."""


@dataclass(frozen=True)
class Limits:
    """Bytes of memory; for one call, units of work (`compile/work.py`) that the module itself counts, and instructions
    that wasmtime counts (some seconds). None sets no limit; what is built from other C than ours counts no work.

    A unit is anything from a twentieth of an instruction to fifty, since the compiler counts beforehand what may happen
    at most. So the work of a call is hundreds of long games at least, and of the most hostile one that we know half an
    hour (5 * 10^12 instructions)."""

    memory: int = 64 * 1024 * 1024
    work: int | None = 100_000_000_000
    fuel: int | None = None


COUNTED = Limits(fuel=5_000_000_000)  # for a process that trusts nobody

_usual = Limits()


def count_instructions() -> None:
    """From now on modules of this process count every instruction, besides the work that they count themselves."""
    global _usual
    _usual = COUNTED


class WasmLibrary:
    """A module that was loaded, with its memory. For one thread at a time."""

    steady = False  # its memory may move

    def __init__(self, path: Path, limits: Limits) -> None:
        self.path, self.limits = path, limits
        wasmtime = _wasmtime()
        counted, scarce = limits.fuel is not None, _is_scarce()
        engine = _engine(counted, scarce)
        module = _module(engine, path, f"{counted} {scarce}")
        if module.imports:
            wanted = module.imports[0]
            raise NativeUnavailable(f"{path.name} wants `{wanted.module}.{wanted.name}` from outside")
        self._store = wasmtime.Store(engine)
        self._store.set_limits(memory_size=limits.memory)
        if limits.fuel is not None:
            self._store.set_fuel(limits.fuel)
        self._exports = wasmtime.Instance(self._store, module, []).exports(self._store)
        self._memory = self._exports["memory"]
        self._base = int(ctypes.addressof(self._memory.data_ptr(self._store).contents))
        self._length = 0  # of its memory, which never shrinks: it is asked for when an address lies behind it
        self._allowance = self._left_of_call()
        self._next = self._end = 0  # what is left of the pages that `allocate` has asked for
        self._sizes: dict[int, int] = {}
        self._released: dict[int, list[int]] = {}

    def function(self, name: str, result: str | None, *parameters: str, brief: bool = False) -> Callable[..., Any]:
        """An exported function, as in `Library`. All calls cost the same here, some 10 µs."""
        found = self._exports.get(name)
        if not isinstance(found, _wasmtime().Func):
            raise NativeUnavailable(f"{self.path.name} has no function `{name}`")
        called = caller(self._store, found, result, parameters)
        return lambda *words: self._run(called, words)

    @property
    def limits(self) -> Limits:
        return self._limits

    @limits.setter
    def limits(self, limits: Limits) -> None:
        self._limits = limits
        self.games_at_once = 1  # random games of a call that stays far from these limits, as far as is known

    def _left_of_call(self) -> ctypes.c_int64 | None:
        """What a call may still do, where the module keeps it; None if it counts no work."""
        found = self._exports.get("rwx_allowance")
        if not isinstance(found, _wasmtime().Func):
            return None
        return ctypes.c_int64.from_address(self._place(int(found(self._store)) & ADDRESSES - 1, 8))

    def _run(self, called: Callable[..., Any], words: tuple[Any, ...]) -> Any:
        limits, allowance = self._limits, self._allowance
        if limits.fuel is not None:
            self._store.set_fuel(limits.fuel)
        if allowance is not None and limits.work is not None:
            allowance.value = limits.work
        try:
            return called(*words)
        except (_wasmtime().Trap, _wasmtime().WasmtimeError) as problem:
            if allowance is not None and limits.work is not None and allowance.value < 0:
                raise Stopped(f"{self.path.name} was stopped after {limits.work:,} units of work") from problem
            if limits.fuel is not None and self._store.get_fuel() == 0:
                raise Stopped(f"{self.path.name} was stopped after {limits.fuel:,} instructions") from problem
            raise Stopped(f"{self.path.name} was stopped: {_cause(str(problem))}") from problem

    def spent(self) -> float:
        """The share of its limits that the last call has used."""
        limits, shares = self.limits, [0.0]
        if limits.fuel is not None:
            shares.append(1 - self._store.get_fuel() / limits.fuel)
        if self._allowance is not None and limits.work is not None:
            shares.append(1 - self._allowance.value / limits.work)
        return max(shares)

    def allocate(self, size: int) -> int:
        """The address of a block, all zero, that lives until it is released. Raises Stopped if memory is used up."""
        size = -(-max(size, 1) // ALIGNED_TO) * ALIGNED_TO
        free = self._released.get(size)
        if free:
            address = free.pop()
            self.write(address, bytes(size))
        else:
            address = self._fresh(size)
        self._sizes[address] = size
        return address

    def _fresh(self, size: int) -> int:
        """New pages if need be. The module may have asked for pages in between, so ours need not follow one another."""
        if self._end - self._next < size:
            pages = -(-size // PAGE)
            try:
                self._next = self._memory.grow(self._store, pages) * PAGE
            except _wasmtime().WasmtimeError as problem:
                raise Stopped(f"{self.path.name} has used up its {self.limits.memory:,} bytes of memory") from problem
            self._end = self._next + pages * PAGE
        self._next += size
        return self._next - size

    def release(self, address: int) -> None:
        self._released.setdefault(self._sizes.pop(address), []).append(address)

    @staticmethod
    def pointer(address: int) -> int:
        return address

    def view(self, address: int, size: int) -> memoryview:
        """The bytes there, to read and write in place. Valid until the next `allocate`, which may move the memory."""
        return memoryview((ctypes.c_ubyte * size).from_address(self._place(address, size))).cast("B")

    def read(self, address: int, size: int) -> bytes:
        return ctypes.string_at(self._place(address, size), size)

    def write(self, address: int, content: bytes) -> None:
        ctypes.memmove(self._place(address, len(content)), content, len(content))

    def _place(self, address: int, size: int) -> int:
        """Where a piece of the module's memory lies in this process. It does not move (`memory_may_move`), and it grows
        only: to ask wasmtime each time would take longer than what is read."""
        if address < 0 or size < 0 or address + size > self._length:
            self._length = self._memory.data_len(self._store)
            if address < 0 or size < 0 or address + size > self._length:
                raise Stopped(f"{self.path.name} named an address outside its memory")
        return self._base + address


def load_wasm(path: Path, limits: Limits | None = None, abi: int = ABI) -> WasmLibrary:
    """Load what `build_library(…, kind="wasm")` has built, if it still is what was built; as `load_library`."""
    wasmtime = _wasmtime()
    if not is_whole(path):
        raise _unusable(path, "has changed since it was built")
    try:
        library = WasmLibrary(path, limits or _usual)
        answered = library.function("rulewright_abi", "i32")()
    except (wasmtime.WasmtimeError, wasmtime.Trap, Stopped, KeyError) as problem:
        raise _unusable(path, f"cannot be loaded: {one_line(str(problem), 160)}") from problem
    if answered != abi:
        raise _unusable(path, f"has interface {answered}, and {abi} is needed")
    return library


def _unusable(path: Path, why: str) -> NativeUnavailable:
    discard(path)
    return NativeUnavailable(f"the module {path.name} {why}", passing=True)


def _cause(told: str) -> str:
    """The last part of wasmtime's account, which says what happened; before it stands where."""
    lines = [line.strip() for line in told.splitlines() if line.strip()]
    return one_line(lines[-1].removeprefix("wasm trap: ") if lines else "it failed", 160)


@cache
def _wasmtime() -> Any:
    try:
        return import_module("wasmtime")
    except ImportError as problem:
        raise NativeUnavailable("wasm needs the package wasmtime (extra `wasm`)") from problem


@cache
def _engine(counted: bool, scarce: bool) -> Any:
    """One engine for all modules of this process that count instructions, one for those that do not."""
    wasmtime = _wasmtime()
    config = wasmtime.Config()
    config.consume_fuel = counted
    config.max_wasm_stack = MOST_STACK
    # All of a module's addresses are reserved, so its memory grows in place: code need not look where it lies.
    if not scarce:
        config.memory_reservation = ADDRESSES
    else:  # `sandbox_child.give_up` leaves few: room for what a module may use, and every access is compared with it
        config.memory_reservation = Limits.memory
        config.memory_guard_size = PAGE
    config.memory_may_move = False
    return wasmtime.Engine(config)


def _is_scarce() -> bool:
    """True if this process may not name enough addresses to reserve all of a module's."""
    try:
        resource = import_module("resource")
    except ImportError:  # not on this system
        return False
    most = resource.getrlimit(resource.RLIMIT_AS)[0]
    return bool(0 <= most < 4 * ADDRESSES)


# An engine that is left to the end of Python is let go when half of wasmtime is gone, and complains.
atexit.register(_engine.cache_clear)


def _module(engine: Any, path: Path, how: str) -> Any:
    """The module as machine code. wasmtime takes up to seconds to make that of a large game, so it is kept in the
    store. There it is as safe as a library: it is compared before each use, and wasmtime refuses what another version
    has made."""
    wasmtime = _wasmtime()
    made_with = import_module("importlib.metadata").version("wasmtime")  # slow to import, and wanted only here
    entry = digest_of(f"{path.name} {made_with} {how} {MOST_STACK} {ADDRESSES} {machine()}".encode())
    kept = find(entry)
    if kept is not None:
        try:
            return wasmtime.Module.deserialize(engine, kept.read_bytes())
        except (OSError, wasmtime.WasmtimeError):
            discard(kept)
    module = wasmtime.Module.from_file(engine, str(path))
    with contextlib.suppress(NativeUnavailable, OSError), build_folder() as folder:
        built = folder / "module.cwasm"
        built.write_bytes(module.serialize())
        install(entry, built, path.stem[: -DIGITS - 1], {"module": path.name})
    return module
