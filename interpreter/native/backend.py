"""Which backend runs a game: what was asked for, what can be had, and why.

`RULEWRIGHT_BACKEND` (or an argument, which counts more) is one of four words: `python`, which always works; `native`,
compiled C; `wasm`, the same C in a sandbox; and `auto`, the fastest that there is. Asking for what cannot be had is no
error: Python goes on, and `Choice.reason` says why in one line. A word that is none of the four is an error.
"""

from __future__ import annotations

import importlib.util
import os
from dataclasses import dataclass

from ..diagnostics.diagnostic import Diagnostic, Label, RulesetError
from ..diagnostics.source import Source, Span
from ..diagnostics.suggest import did_you_mean
from .toolchain import find_toolchain, zig_path
from .unavailable import NativeUnavailable

BACKENDS = ("python", "native", "wasm", "auto")
VARIABLE = "RULEWRIGHT_BACKEND"


@dataclass(frozen=True)
class Choice:
    """The backend that is used (python, native or wasm), the word that was asked for, and why it is this one."""

    backend: str
    asked: str
    reason: str

    @property
    def granted(self) -> bool:
        """False if something was asked for by name and cannot be had."""
        return self.asked in ("auto", self.backend)


def asked_backend(argument: str | None = None) -> str:
    """The word that counts: the argument, else `RULEWRIGHT_BACKEND`, else `auto`. Raises RulesetError (R0909) if it is
    not a backend."""
    if argument is not None:
        return _known(argument, f'backend="{argument}"')
    value = os.environ.get(VARIABLE, "").strip()
    return _known(value.lower(), f"{VARIABLE}={value}") if value else "auto"


def _known(word: str, text: str) -> str:
    if word in BACKENDS:
        return word
    start = text.index("=") + 1
    span = Span(Source("command line", text), start, len(text))
    help_text = did_you_mean(word, BACKENDS, 2) or "say `python`, `native`, `wasm` or `auto`"
    label = Label(span, "not a backend")
    raise RulesetError([Diagnostic("R0909", f"there is no backend `{word}`", label, help=help_text)])


def choose_backend(argument: str | None = None) -> Choice:
    """What is used, and why. May try a compiler, which takes a moment the first time."""
    asked = asked_backend(argument)
    match asked:
        case "python":
            return Choice("python", asked, "Python was asked for")
        case "wasm":
            problem = wasm_problem()
            return Choice("python", asked, problem) if problem else Choice("wasm", asked, "wasm was asked for")
        case "native" | "auto":
            return _native_if_possible(asked)
        case _:
            raise AssertionError(asked)


def _native_if_possible(asked: str) -> Choice:
    try:
        tools = find_toolchain()
    except NativeUnavailable as problem:
        return Choice("python", asked, str(problem))
    if tools.compiler is None:
        return Choice("python", asked, tools.reason)
    return Choice("native", asked, f"compiled by {tools.compiler}")


def wasm_problem() -> str:
    """What is missing for wasm, in one line; empty if nothing is."""
    if importlib.util.find_spec("wasmtime") is None:
        return "wasm needs the package wasmtime (extra `wasm`)"
    if zig_path() is None:
        return "wasm needs the package ziglang (extra `wasm`), which compiles C for it"
    return ""
