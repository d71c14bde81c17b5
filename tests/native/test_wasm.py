"""The same C in a sandbox: it answers as a library does, and cannot get out, run on, or take all memory."""

from __future__ import annotations

import hashlib
import shutil
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path

import pytest

from interpreter.native import toolchain, wasm_calls
from interpreter.native.build import build_library, find_library
from interpreter.native.library import Library, load_library
from interpreter.native.unavailable import NativeUnavailable
from interpreter.native.wasm import Limits, Stopped, WasmLibrary, load_wasm

ZIG = toolchain.zig_path()

pytestmark = pytest.mark.skipif(
    ZIG is None or find_spec("wasmtime") is None, reason="ziglang and wasmtime are not installed (extra `wasm`)"
)

EXPORT = '__attribute__((visibility("default")))'
SOURCE = f"""\
#include <stdint.h>
#include <string.h>
{EXPORT} int32_t rulewright_abi(void) {{ return 1; }}
{EXPORT} uint64_t times(uint64_t a, uint32_t b) {{ return a * b; }}
{EXPORT} int32_t less(int32_t a) {{ return a - 1; }}
{EXPORT} void fill(uint8_t *bytes, uint32_t count) {{ memset(bytes, 5, count); }}
{EXPORT} int32_t shift(uint8_t *bytes, int32_t by, uint32_t count) {{
    uint8_t before[64];
    memcpy(before, bytes, 64);
    memmove(bytes + by, bytes, count);
    return memcmp(before, bytes, 64);
}}
static uint8_t kept[4] = {{1, 2, 3, 4}};
{EXPORT} uint8_t *where(void) {{ return kept; }}
{EXPORT} uint32_t count_to(uint32_t end) {{
    volatile uint32_t number = 0;
    while (number != end) number++;
    return number;
}}
{EXPORT} uint32_t peek(uint32_t address) {{ return *(volatile uint32_t *)(uintptr_t)address; }}
static volatile int sink;
{EXPORT} int32_t dig(int32_t depth) {{
    volatile char room[512];
    room[0] = (char)depth;
    return depth == 0 ? 0 : dig(depth - 1) + room[0] + sink;
}}
"""


@pytest.fixture(scope="module")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store in which the module is built; each test gets a copy of it, as compiling takes a second."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RULEWRIGHT_CACHE", str(tmp_path_factory.mktemp("cache")))
        return build_library(SOURCE, "game", "key", kind="wasm").parent


@pytest.fixture
def path(built_once: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(toolchain, "zig_path", lambda: ZIG)
    shutil.copytree(built_once, store)
    return build_library(SOURCE, "game", "key", kind="wasm")


@pytest.fixture
def module(path: Path) -> WasmLibrary:
    return load_wasm(path)


def test_it_is_small_and_built_once(path: Path) -> None:
    assert path.suffix == ".wasm" and path.stat().st_size < 20_000
    assert find_library("game", "key", kind="wasm") == path and find_library("game", "key") is None


def answers(library: Library | WasmLibrary) -> list[object]:
    """The same questions to either."""
    block = library.allocate(64)
    library.write(block, bytes(range(64)))
    found: list[object] = [
        library.function("times", "u64", "u64", "u32")(2**63 + 5, 2**32 - 1),
        library.function("less", "i32", "i32")(-(2**31) + 1),
        library.function("less", "i32", "i32", brief=True)(0),
        library.function("shift", "i32", "address", "i32", "u32")(block, 3, 61) > 0,
        library.read(block, 64),
        library.function("fill", None, "address", "i32", brief=True)(library.pointer(block + 1), 2),
        bytes(library.view(block, 8)),
        library.read(library.function("where", "address")(), 4),
        library.function("dig", "i32", "i32")(100),
    ]
    library.release(block)
    again = library.allocate(64)
    return [*found, library.read(again, 64), block % 64]


def test_it_answers_as_a_library_does(module: WasmLibrary, real_compiler: str) -> None:
    assert answers(module) == answers(load_library(build_library(SOURCE, "game", "key")))


def test_it_answers_the_same_by_the_public_interface_of_wasmtime(
    module: WasmLibrary, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    direct = answers(module)
    monkeypatch.setattr(wasm_calls, "_parts", lambda: None)
    assert answers(load_wasm(path)) == direct


def test_numbers_of_another_width_are_not_handed_over(module: WasmLibrary) -> None:
    """`times` takes 64 bits first: whoever says 32 gets wasmtime's own conversion, which knows better."""
    assert wasm_calls._parts() is not None, "calls take the slow way"
    assert module.function("times", "u64", "u32", "u32")(7, 6) == 42


def test_blocks_do_not_overlap(module: WasmLibrary) -> None:
    blocks = [module.allocate(size) for size in (1, 100, 64, 70_000, 3)]
    for number, block in enumerate(blocks):
        module.write(block, bytes([number]))
    assert [module.read(block, 1)[0] for block in blocks] == [0, 1, 2, 3, 4]


def test_without_end(path: Path) -> None:
    module = load_wasm(path, Limits(fuel=1_000_000))
    assert module.function("count_to", "u32", "u32")(1000) == 1000
    with pytest.raises(Stopped, match="stopped after 1,000,000 instructions"):
        module.function("count_to", "u32", "u32")(2**32 - 1)
    assert module.function("count_to", "u32", "u32")(10) == 10  # each call has its own fuel


def test_without_counting(path: Path) -> None:
    module = load_wasm(path, Limits(fuel=None))
    assert module.function("count_to", "u32", "u32")(1000) == 1000
    with pytest.raises(Stopped, match="out of bounds memory access"):
        module.function("peek", "u32", "u32")(2**31)


def test_machine_code_is_kept_and_compared(path: Path, store: Path) -> None:
    load_wasm(path)
    (kept,) = store.glob("*.cwasm")
    before = kept.stat().st_mtime_ns
    assert load_wasm(path).function("less", "i32", "i32")(3) == 2
    content = kept.read_bytes()
    kept.write_bytes(content[:-9])  # it is made anew, and not loaded
    assert load_wasm(path).function("less", "i32", "i32")(3) == 2
    assert kept.read_bytes() == content and kept.stat().st_mtime_ns >= before


def test_machine_code_of_another_version(path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load_wasm(path)
    (kept,) = store.glob("*.cwasm")
    (record,) = (file for file in store.glob("*.json") if kept.name in file.read_text())
    other = bytes(kept.stat().st_size)
    strange = kept.with_name(f"game-{hashlib.sha256(other).hexdigest()}.cwasm")
    strange.write_bytes(other)
    strange.chmod(0o700)
    record.write_text(record.read_text().replace(kept.name, strange.name))
    assert load_wasm(path).function("less", "i32", "i32")(3) == 2
    assert not strange.exists()


def test_its_own_blocks_and_ours(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """malloc of the module and `allocate` from outside take turns."""
    source = f"""
#include <stdlib.h>
#include <stdint.h>
{EXPORT} int32_t rulewright_abi(void) {{ return 1; }}
{EXPORT} uint8_t *make(uint32_t size) {{ uint8_t *made = calloc(size, 1); if (made) made[size - 1] = 7; return made; }}
{EXPORT} void drop(uint8_t *block) {{ free(block); }}
"""
    monkeypatch.setattr(toolchain, "zig_path", lambda: ZIG)
    module = load_wasm(build_library(source, "blocks", "key", kind="wasm"), Limits(memory=8 * 1024 * 1024))
    make, drop = module.function("make", "address", "u32"), module.function("drop", None, "address")
    ranges = []
    for size in (1, 48, 49, 5000, 70_000, 300_000):
        ranges += [(make(size), size), (module.allocate(size), size)]
    assert all(address % 16 == 0 for address, _ in ranges)
    ordered = sorted(ranges)
    assert all(a + size <= b for (a, size), (b, _) in pairwise(ordered))
    assert module.read(ranges[0][0], 1) == b"\7" and module.read(ranges[10][0] + 299_999, 1) == b"\7"
    drop(ranges[10][0])
    assert make(300_000) == ranges[10][0]  # what was freed is used again
    assert make(2**31) == 0 and make(100 * 1024 * 1024) == 0  # more than there is
    drop(0)


def test_outside_its_memory(module: WasmLibrary) -> None:
    with pytest.raises(Stopped, match="out of bounds memory access"):
        module.function("peek", "u32", "u32")(2**31)


def test_too_deep(module: WasmLibrary) -> None:
    with pytest.raises(Stopped):
        module.function("dig", "i32", "i32")(1_000_000)


def test_memory_is_limited(path: Path) -> None:
    module = load_wasm(path, Limits(memory=4 * 1024 * 1024))
    with pytest.raises(Stopped, match="used up its 4,194,304 bytes"):
        for _ in range(10):
            module.allocate(1024 * 1024)


@pytest.mark.parametrize("address", [-1, 2**32 - 4, 2**40])
def test_addresses_are_checked(address: int, module: WasmLibrary) -> None:
    for access in (lambda: module.read(address, 8), lambda: module.view(address, 8)):
        with pytest.raises(Stopped, match="outside its memory"):
            access()
    with pytest.raises(Stopped, match="outside its memory"):
        module.write(address, bytes(8))


def test_what_is_not_exported(module: WasmLibrary) -> None:
    for name in ("kept_back", "memory"):
        with pytest.raises(NativeUnavailable, match=f"has no function `{name}`"):
            module.function(name, None)


def test_a_module_that_changed(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(NativeUnavailable, match="has changed since it was built"):
        load_wasm(path)
    assert not path.exists()


def test_another_interface(path: Path) -> None:
    with pytest.raises(NativeUnavailable, match="has interface 1, and 2 is needed"):
        load_wasm(path, abi=2)


def test_what_needs_a_c_library_is_not_built(path: Path) -> None:
    greedy = f"{SOURCE}\nvoid *malloc(unsigned long);\n{EXPORT} void *greedy(void) {{ return malloc(3); }}\n"
    with pytest.raises(NativeUnavailable, match="undefined symbol: malloc"):
        build_library(greedy, "greedy", "key", kind="wasm")


def test_without_wasmtime_or_ziglang(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NativeUnavailable, match="needs the package ziglang"):
        build_library(SOURCE, "game", "key", kind="wasm")
