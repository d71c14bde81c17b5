"""Finding a C compiler that works.

In this order: what `RULEWRIGHT_CC` says (a command, such as `clang-17` or `ccache gcc`), the system's `cc`, `gcc` or
`clang`, and the `ziglang` wheel, a whole compiler that pip can install. An empty `RULEWRIGHT_CC` turns compiling off.

Libraries of games are compiled with FLAGS. `RULEWRIGHT_OPTIMISE` (0 to 3) asks for another level of optimisation: 0
takes a third to a half of the time, for a library that is played for seconds only. Flags are part of what a library is
found by.

A compiler is believed when it has done its work once: it names its version and its target, and compiles a small
library, which is then loaded by another process and gives the right answer. One that fails is noted with a reason of
one line, and the next is tried. The answer is kept in the store together with the size and age of the compiler's file,
so that only the first command after an installation pays for it. A failure is kept for ten minutes only: it may have
had a passing cause, and a compiler that hangs should not cost its time limit in every command.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shlex
import shutil
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from .process import Finished, run
from .store import build_folder, cannot_write, digest_of, library_suffix, private_folder, read_note, write_note
from .unavailable import NativeUnavailable, StoreUnusable, one_line

NAMES = ("cc", "gcc", "clang")
ANSWER_SECONDS = 10.0  # for a version line
PROBE_SECONDS = 90.0  # where ziglang has to build its C library first, it takes ten seconds, or more on a busy machine
SYSTEM_PROBE_SECONDS = 20.0
FAILURE_SECONDS = 600.0  # for which a failure is believed

WASM = "wasm32-freestanding"  # no C library and nothing of a system: what is built can only compute

FLAGS = (
    "-std=c11", "-O1", "-fPIC", "-fvisibility=hidden", "-fno-strict-aliasing", "-fwrapv", "-w",
    "-foptimize-sibling-calls",  # a segment ends by calling the next one: that is a jump
    "-fno-math-errno", "-ffp-contract=off",  # a square root is one instruction; the same doubles on every machine
)  # fmt: skip

LEVELS = ("0", "1", "2", "3")  # of optimisation, for RULEWRIGHT_OPTIMISE

PROBE = """\
#include <stdint.h>
#include <string.h>
static uint64_t twice(uint64_t number) { return 2 * number; }
__attribute__((visibility("default"))) int32_t rulewright_abi(void) {
    unsigned char bytes[16];
    memset(bytes, 7, sizeof bytes);
    return (int32_t)(twice(UINT64_C(4294967296)) >> 32) * 1000 + bytes[15];
}
"""
PROBE_ANSWER = 2007

# Another process loads a library first: one that is cut short, or made for another machine, may end whoever loads it.
LOAD = "import ctypes, sys; print('answer', ctypes.CDLL(sys.argv[1]).rulewright_abi())"


@dataclass(frozen=True)
class Compiler:
    """A C compiler that works. `origin` says where it was found: `RULEWRIGHT_CC`, `system` or `ziglang`."""

    command: tuple[str, ...]
    origin: str
    version: str
    target: str

    @property
    def path(self) -> str:
        return self.command[0]

    @property
    def is_zig(self) -> bool:
        """Also if somebody asks for it as `zig cc` or `python -m ziglang cc`."""
        return Path(self.path).stem == "zig" or "ziglang" in self.command

    @property
    def identity(self) -> str:
        """Changes if another compiler, another version of it, or another kind of processor would be used."""
        return "\n".join((*self.command, *self.machine_flags, self.version, self.target))

    @property
    def machine_flags(self) -> tuple[str, ...]:
        """Code for any processor of this family, so that a folder shared by several machines does no harm. Only the
        instruction that counts bits is used where there is one (every processor since 2008): masks need it. ziglang
        would otherwise use all that this very processor can do."""
        if self.target == WASM:
            return ("-target", WASM)
        plain = ("-mcpu=baseline",) if self.is_zig else ()
        return (*plain, "-mpopcnt") if counts_bits() else plain

    @property
    def library_flags(self) -> tuple[str, ...]:
        """For a library. ziglang would first build a C library of its own, which takes half a minute; on Linux the
        few functions that a library needs are found in the process that loads it. Without optimisation ziglang looks
        for undefined behaviour, with functions that are in no library."""
        plain = ("-shared", "-fno-sanitize=undefined") if self.is_zig else ("-shared",)
        return (*plain, "-nostdlib") if self.is_zig and sys.platform == "linux" else plain

    def __str__(self) -> str:
        return f"{' '.join(self.command)} ({self.version})"


@dataclass(frozen=True)
class Refused:
    """A compiler that was found and does not work."""

    command: str
    origin: str
    reason: str


@dataclass(frozen=True)
class Toolchain:
    """The compiler that is used, or None, and what was tried before it."""

    compiler: Compiler | None
    refused: tuple[Refused, ...] = ()
    switched_off: bool = False

    @property
    def reason(self) -> str:
        """Why there is no compiler, in one line."""
        if self.switched_off:
            return "compiling is switched off (RULEWRIGHT_CC is empty)"
        if self.refused:
            told = "; ".join(f"{found.command} {found.reason}" for found in self.refused)
            return f"no C compiler works: {told}"
        return f"no C compiler was found (looked for {', '.join(NAMES)} and ziglang)"


def flags_of_games() -> tuple[str, ...]:
    """FLAGS with the level of optimisation that `RULEWRIGHT_OPTIMISE` asks for; what is no level asks for nothing."""
    level = os.environ.get("RULEWRIGHT_OPTIMISE", "")
    return tuple(f"-O{level}" if flag.startswith("-O") and level in LEVELS else flag for flag in FLAGS)


@cache
def counts_bits() -> bool:
    """True if this is an x86-64 processor that is known to have `popcnt`. Others need no flag for it."""
    try:
        with open("/proc/cpuinfo", encoding="ascii", errors="replace") as file:
            return platform.machine() == "x86_64" and " popcnt " in file.read(10_000)
    except OSError:
        return False


class ProbeNeeded(NativeUnavailable):
    """A compiler would have to be tried, and the caller has no time for it."""


def require_compiler(may_probe: bool = True) -> Compiler:
    """The compiler to use. Raises NativeUnavailable if there is none, and ProbeNeeded if that is not known yet and
    `may_probe` is false: trying a compiler takes a quarter of a second, and ziglang some more the first time."""
    found = find_toolchain(may_probe=may_probe)
    if found.compiler is None:
        raise NativeUnavailable(found.reason)
    return found.compiler


def require_wasm_compiler() -> Compiler:
    """ziglang's compiler for wasm. It is not tried beforehand: what it makes is checked when it is loaded."""
    zig = zig_path()
    if zig is None:
        raise NativeUnavailable("wasm needs the package ziglang (extra `wasm`), which compiles C for it")
    facts = digest_of(_file_facts((str(zig), "cc")).encode())[:16]
    return Compiler((str(zig), "cc"), "ziglang", f"ziglang {facts}", WASM)


def find_toolchain(fresh: bool = False, may_probe: bool = True) -> Toolchain:
    """The first compiler that works. `fresh`: ask the compilers themselves, not the notes of earlier runs. Raises
    StoreUnusable if there is no folder to try them in."""
    asked = os.environ.get("RULEWRIGHT_CC")
    setting = (asked, os.environ.get("PATH"), os.environ.get("RULEWRIGHT_CACHE"))
    if fresh:
        _found.cache_clear()
    return _found(setting, fresh, may_probe)


@cache
def _found(setting: tuple[str | None, ...], fresh: bool, may_probe: bool) -> Toolchain:
    if setting[0] is not None and not setting[0].strip():
        return Toolchain(None, switched_off=True)
    refused: list[Refused] = []
    for command, origin in candidates(setting[0]):
        try:
            return Toolchain(_examined(command, origin, fresh, may_probe), tuple(refused))
        except (StoreUnusable, ProbeNeeded):
            raise
        except NativeUnavailable as problem:
            refused.append(Refused(" ".join(command), origin, str(problem)))
    return Toolchain(None, tuple(refused))


def candidates(asked: str | None) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every compiler there might be, best first. Two names of one file are tried once."""
    seen = set()
    if asked:
        yield _asked_for(asked), "RULEWRIGHT_CC"
    for name in NAMES:
        path = shutil.which(name)
        if path is not None and os.path.realpath(path) not in seen:
            seen.add(os.path.realpath(path))
            yield (path,), "system"
    zig = zig_path()
    if zig is not None:
        yield (str(zig), "cc"), "ziglang"


def _asked_for(text: str) -> tuple[str, ...]:
    """A path (which may have spaces in it), or a command with arguments."""
    if Path(text).is_file():
        return (text,)
    try:
        words = shlex.split(text)
    except ValueError:  # a quotation mark that is not closed
        words = [text]
    return (shutil.which(words[0]) or words[0], *words[1:])


def zig_path() -> Path | None:
    """The program inside the `ziglang` wheel, which starts faster than `python -m ziglang`."""
    try:
        found = importlib.util.find_spec("ziglang")
    except (ImportError, ValueError):
        return None
    for place in (found.submodule_search_locations or ()) if found else ():
        path = Path(place) / ("zig.exe" if sys.platform == "win32" else "zig")
        if path.is_file():
            return path
    return None


# ---------------------------------------------------------------- examining one


def _examined(command: tuple[str, ...], origin: str, fresh: bool, may_probe: bool) -> Compiler:
    """The compiler, from its note or by trying it. Raises NativeUnavailable with what it does (`did not finish …`)."""
    note = f"compiler-{digest_of(_file_facts(command).encode())}.json"
    known = None if fresh else read_note(note)
    if known is not None:
        version, target, failure = known.get("version"), known.get("target"), known.get("failure")
        if isinstance(version, str) and isinstance(target, str):
            return Compiler(command, origin, version, target)
        if isinstance(failure, str) and 0 <= time.time() - known.get("at", 0) < FAILURE_SECONDS:
            raise NativeUnavailable(failure)
    if not may_probe:
        raise ProbeNeeded(f"{' '.join(command)} has not been tried yet")
    try:
        compiler = Compiler(command, origin, *_version_and_target(command))
        _probe(compiler)
    except NativeUnavailable as problem:
        if not problem.passing:
            write_note(note, {"failure": str(problem), "at": int(time.time())})
        raise
    write_note(note, {"version": compiler.version, "target": compiler.target})
    return compiler


def _file_facts(command: tuple[str, ...]) -> str:
    """What changes if the compiler's file is replaced."""
    try:
        status = os.stat(command[0])
        stamp = f"{os.path.realpath(command[0])} {status.st_size} {status.st_mtime_ns}"
    except OSError:
        stamp = "absent"
    return "\n".join((*command, stamp, sys.executable, *FLAGS, PROBE))


def _version_and_target(command: tuple[str, ...]) -> tuple[str, str]:
    version = _answer(command, "--version")
    target = _answer(command, "-dumpmachine")
    if not re.fullmatch(r"[\w.+-]+", target):
        raise NativeUnavailable(f"names no target machine, but says `{one_line(target, 60)}`")
    return version, target


def _answer(command: tuple[str, ...], question: str) -> str:
    """The first line that it prints."""
    done = run((*command, question), ANSWER_SECONDS, environment=environment())
    if not done.succeeded:
        raise NativeUnavailable(f"{done.how(ANSWER_SECONDS)} when asked for `{question}`", passing=done.was_killed)
    line = next((line.strip() for line in done.output.splitlines() if line.strip()), "")
    if not line or len(line) > 200 or not line.isprintable() or "\ufffd" in line:
        raise NativeUnavailable(f"printed garbage when asked for `{question}`")
    return line


def _probe(compiler: Compiler) -> None:
    """Compile a small library, and let another process load it."""
    seconds = PROBE_SECONDS if compiler.is_zig else SYSTEM_PROBE_SECONDS
    with build_folder() as folder:
        source, library = folder / "probe.c", folder / f"probe{library_suffix()}"
        write_source(source, PROBE)
        compile_with(compiler, (*FLAGS, *compiler.library_flags), source, library, seconds)
        if answer_of(library) != PROBE_ANSWER:
            raise NativeUnavailable("wrote a library that gives a wrong answer")


def compile_with(compiler: Compiler, flags: tuple[str, ...], source: Path, built: Path, seconds: float) -> None:
    """Compile a file in a build folder, which also holds the compiler's temporary files. Raises NativeUnavailable with
    what happened, to follow the compiler's name."""
    folder = source.parent
    # ziglang writes what debuggers read unless told not to: a sixth of its time, and two thirds of a library.
    plain = ("-g0",) if compiler.is_zig else ()
    words = (*compiler.command, *compiler.machine_flags, *plain, *flags, "-o", built.name, source.name)
    done = run(words, seconds, folder, environment(folder))
    if not done.succeeded:
        raise _failure(done, folder, seconds)
    if not built.is_file():
        raise NativeUnavailable("wrote no file", done.output)


PASSING = re.compile(r"killed signal|cannot allocate|out of memory|disk quota|file size limit", re.IGNORECASE)
NEARLY_FULL = 8 * 1024 * 1024


def _failure(done: Finished, folder: Path, seconds: float) -> NativeUnavailable:
    """How a compiler failed, with its own first complaint. On a full disk compilers complain about anything."""
    if done.code > 0 and ("No space left" in done.output or shutil.disk_usage(folder).free < NEARLY_FULL):
        return NativeUnavailable(f"failed: the disk with {folder.parent} is full", done.output, passing=True)
    complaint = _complaint_in(done.output)
    passing = done.was_killed or bool(PASSING.search(done.output))
    return NativeUnavailable(f"{done.how(seconds)}{': ' * bool(complaint)}{complaint}", done.output, passing=passing)


def _complaint_in(output: str) -> str:
    """The line of a compiler's output that says most: the first with `error` in it, else the first. Files
    are named without their folders, which are ours and temporary."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    telling = [line for line in lines if re.search(r"\berror\b|not found", line, re.IGNORECASE)]
    return one_line(re.sub(r"\S*/(?=[^/\s])", "", (telling or lines or [""])[0]), 160)


def write_source(file: Path, text: str) -> None:
    try:
        file.write_text(text, encoding="utf-8")
    except OSError as problem:
        raise cannot_write(file.parent, problem) from problem


def answer_of(library: Path, seconds: float = ANSWER_SECONDS) -> int:
    """What `rulewright_abi` of a library answers in a process of its own. Raises NativeUnavailable if it gives none."""
    done = run((sys.executable, "-I", "-S", "-c", LOAD, str(library)), seconds)
    words = done.output.split()
    if done.succeeded and len(words) == 2 and words[0] == "answer" and re.fullmatch(r"-?\d+", words[1]):
        return int(words[1])
    if done.timed_out or done.code < 0:
        raise NativeUnavailable(f"wrote a library whose test {done.how(seconds)}", done.output)
    last = done.output.strip().rpartition("\n")[2].replace(f"{library.parent}{os.sep}", "")
    raise NativeUnavailable(f"wrote a library that cannot be loaded: {one_line(last, 160)}", done.output)


def environment(folder: Path | None = None) -> Mapping[str, str]:
    """Plain messages, temporary files in the build folder, and ziglang's own files in the store."""
    changed = {"LC_ALL": "C", "NO_COLOR": "1"}
    if folder is not None:
        zig = str(private_folder() / "zig")
        changed |= {"TMPDIR": str(folder), "ZIG_GLOBAL_CACHE_DIR": zig, "ZIG_LOCAL_CACHE_DIR": zig}
    return {**os.environ, **changed}
