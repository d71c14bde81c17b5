"""Calling a function of a wasm module.

wasmtime's own way works out the types of a function again on every call, which takes longer than a thousand games of
tic-tac-toe. They are compared once here, and numbers are then handed over as they lie in memory. What that needs is
not part of wasmtime's public interface: where a version lacks it, or gives another answer, the public way is taken.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

UNSIGNED = {"u32": 32, "address": 32, "u64": 64}
KINDS_IN_WASM = {"i32": "i32", "u32": "i32", "address": "i32", "i64": "i64", "u64": "i64", "f64": "f64"}

Call = Callable[..., Any]


def caller(store: Any, function: Any, result: str | None, parameters: tuple[str, ...]) -> Call:
    """Calls an exported function with numbers of these kinds, as `Library.function` has them. What ends a call is
    raised as wasmtime does."""
    mask = (1 << UNSIGNED[result]) - 1 if result in UNSIGNED else 0
    called = _direct(store, function, result, parameters) or _public(store, function, parameters)
    return (lambda *words: called(*words) & mask) if mask else called


def _public(store: Any, function: Any, parameters: tuple[str, ...]) -> Call:
    widths = [UNSIGNED.get(kind, 0) for kind in parameters]

    def call(*words: Any) -> Any:
        # wasm's numbers have no sign, wasmtime's have one.
        return function(store, *[_signed(value, width) for value, width in zip(words, widths, strict=True)])

    return call


def _signed(value: Any, width: int) -> Any:
    return value - (1 << width) if width and value >= 1 << (width - 1) else value


def _direct(store: Any, function: Any, result: str | None, parameters: tuple[str, ...]) -> Call | None:
    """The same without types, or None where that cannot be had. The types are those that the module declares, so no
    number is ever taken for one of another width."""
    parts = _parts()
    declared = function.type(store)
    results = () if result is None else (result,)
    if parts is None or [str(kind) for kind in declared.params] != [KINDS_IN_WASM[kind] for kind in parameters]:
        return None
    if [str(kind) for kind in declared.results] != [KINDS_IN_WASM[kind] for kind in results]:
        return None
    ffi, entered, wrong = parts
    room = max(len(parameters), 1)
    cells = (ffi.wasmtime_val_raw_t * room)()
    fields = tuple(zip(cells, (KINDS_IN_WASM[kind] for kind in parameters), strict=False))
    answer, field = cells[0], "" if result is None else KINDS_IN_WASM[result]
    context, address = store._context(), ctypes.byref(function._func)

    def call(*words: Any) -> Any:
        for (cell, kind), word in zip(fields, words, strict=True):
            setattr(cell, kind, word)  # the low bits of a number, whatever its sign
        with entered(store) as trap:
            error = ffi.wasmtime_func_call_unchecked(context, address, cells, room, trap)
            if error:
                raise wrong._from_ptr(error)
        return getattr(answer, field) if field else None

    return call


@cache
def _parts() -> tuple[Any, Any, Any] | None:
    """What a direct call needs of wasmtime."""
    try:
        ffi, functions = import_module("wasmtime._ffi"), import_module("wasmtime._func")
        wasmtime = import_module("wasmtime")
        needed = (ffi.wasmtime_val_raw_t, ffi.wasmtime_func_call_unchecked, wasmtime.WasmtimeError._from_ptr)
        return (ffi, functions.enter_wasm, wasmtime.WasmtimeError) if all(needed) else None
    except (ImportError, AttributeError):
        return None
