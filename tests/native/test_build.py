"""Libraries are built once, kept whole or not at all, and never loaded when they are not what was built."""

from __future__ import annotations

import contextlib
import errno
import json
import os
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from interpreter.native import build as building
from interpreter.native import store as storing
from interpreter.native import toolchain
from interpreter.native.background import build_in_background
from interpreter.native.build import build_library, find_library
from interpreter.native.library import load_library
from interpreter.native.unavailable import NativeUnavailable

Offer = Callable[..., None]
ZIG = toolchain.zig_path()
ROOT = Path(__file__).resolve().parent.parent.parent

pytestmark = pytest.mark.usefixtures("real_compiler")

EXPORT = '__attribute__((visibility("default")))'


def source_of(answer: int) -> str:
    return f"""\
#include <stdint.h>
#include <string.h>
{EXPORT} int32_t rulewright_abi(void) {{ return 1; }}
{EXPORT} int64_t answer(int64_t more) {{ return {answer} + more; }}
{EXPORT} void fill(uint8_t *bytes, uint32_t count) {{ memset(bytes, 5, count); }}
static uint8_t kept[4] = {{1, 2, 3, 4}};
{EXPORT} uint8_t *where(void) {{ return kept; }}
"""


def answer_of(path: Path, more: int = 0) -> int:
    return int(load_library(path).function("answer", "i64", "i64")(more))


def libraries(store: Path) -> list[Path]:
    return sorted(store.glob("*.so"))


def records(store: Path) -> list[Path]:
    """Of a library: the one for its key, and the one for its text."""
    found = [file for file in store.glob("*.json") if not file.name.startswith("compiler")]
    assert len(found) == 2
    return found


# ---------------------------------------------------------------- building and loading


def test_a_library_is_built_and_called() -> None:
    path = build_library(source_of(41), "a game", "key")
    assert answer_of(path, 1) == 42 and answer_of(path, -(2**40)) == 41 - 2**40
    assert path.name.startswith("a_game-")


def test_ziglang_where_there_is_no_other_compiler(only: Offer, monkeypatch: pytest.MonkeyPatch) -> None:
    if ZIG is None:
        pytest.skip("ziglang is not installed (extra `native`)")
    only()
    monkeypatch.setattr(toolchain, "zig_path", lambda: ZIG)
    assert answer_of(build_library(source_of(41), "game", "key"), 1) == 42
    assert toolchain.require_compiler().origin == "ziglang"


def test_memory_goes_both_ways() -> None:
    library = load_library(build_library(source_of(1), "game", "key"))
    block = library.allocate(8)
    assert block % 64 == 0 and library.read(block, 8) == bytes(8)
    library.function("fill", None, "address", "u32")(block, 3)
    assert library.read(block, 8) == b"\5\5\5\0\0\0\0\0"
    library.function("fill", None, "address", "i32", brief=True)(library.pointer(block), 2)
    library.write(block + 4, b"ab")
    view = library.view(block, 8)
    assert bytes(view) == b"\5\5\5\0ab\0\0"
    view[7] = 9
    assert library.read(block + 7, 1) == b"\t"
    library.release(block)
    kept = library.function("where", "address")()
    assert library.read(kept, 4) == b"\1\2\3\4"


def test_what_is_not_exported() -> None:
    library = load_library(build_library(source_of(1), "game", "key"))
    with pytest.raises(NativeUnavailable, match="has no function `kept_back`"):
        library.function("kept_back", None)


def test_it_is_compiled_once(only: Offer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNT", str(tmp_path / "count"))
    only(cc='echo x >> "$COUNT"; real "$@"')
    runs = lambda: len((tmp_path / "count").read_text().split())  # noqa: E731
    assert find_library("game", "key") is None
    path = build_library(source_of(1), "game", "key")
    before = runs()
    assert build_library(source_of(1), "game", "key") == path == find_library("game", "key")
    assert runs() == before
    assert find_library("game", "another key") is None and find_library("another", "key") is None


def test_another_source_under_the_same_key_is_another_library() -> None:
    first = build_library(source_of(1), "game", "key")
    second = build_library(source_of(2), "game", "key")
    assert answer_of(first) == 1 and answer_of(second) == 2


def test_the_same_text_under_another_key_is_not_compiled(
    only: Offer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A word in a comment of the rules, or an edit of the interpreter that changes no C: the library is there."""
    monkeypatch.setenv("COUNT", str(tmp_path / "count"))
    only(cc='echo x >> "$COUNT"; real "$@"')
    runs = lambda: len((tmp_path / "count").read_text().split())  # noqa: E731
    path = build_library("/* 3: choose n */\n" + source_of(1), "game", "key")
    before = runs()
    assert build_library("  /* 3: choose n  # which? */\n" + source_of(1), "game", "another key") == path
    assert find_library("game", "another key") == path
    assert runs() == before
    build_library("/* 3 */ int more; /* 4 */\n" + source_of(1), "game", "key of another text")
    assert runs() > before


def test_flags_and_the_compiler_are_part_of_the_key(only: Offer) -> None:
    only(cc='case $1 in --version) echo one;; *) real "$@";; esac')
    build_library(source_of(1), "game", "key")
    assert find_library("game", "key") is not None
    assert find_library("game", "key", flags=("-O1",)) is None
    only(cc='case $1 in --version) echo another;; *) real "$@";; esac')
    toolchain._found.cache_clear()
    toolchain.find_toolchain()
    assert find_library("game", "key") is None


def test_an_executable_with_sanitizers() -> None:
    source = "int main(int count, char **words) { int four[4] = {0}; return four[count + 3] + (words == 0); }"
    flags = ("-std=c11", "-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
    try:
        path = build_library(source, "test", "key", flags=flags, kind="executable")
    except NativeUnavailable as problem:
        pytest.skip(f"no sanitizers here: {problem}")
    done = subprocess.run([path], capture_output=True, text=True)
    assert done.returncode != 0 and "out of bounds" in done.stderr


def test_an_object() -> None:
    assert build_library(source_of(1), "game", "key", kind="object").suffix == ".o"


def test_a_relative_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RULEWRIGHT_CACHE", "here it is")
    assert answer_of(build_library(source_of(3), "game", "key")) == 3
    assert (tmp_path / "here it is" / "native").is_dir()


def test_without_a_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", "")
    path = build_library(source_of(7), "game", "key")
    assert answer_of(path) == 7 and path.parent.stat().st_mode & 0o777 == 0o700


# ---------------------------------------------------------------- what goes wrong while building


def unavailable(source: str = source_of(1), **options: Any) -> NativeUnavailable:
    with pytest.raises(NativeUnavailable) as caught:
        build_library(source, "game", "key", **options)
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 400
    return caught.value


def nothing_is_left(store: Path) -> bool:
    return not libraries(store) and not list(store.glob("build-*"))


def test_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "")
    assert "switched off" in str(unavailable())


def test_source_that_does_not_compile(store: Path) -> None:
    problem = unavailable("int broken(void) { return missing; }")
    assert "failed with exit code 1" in str(problem) and "missing" in str(problem) and "missing" in problem.detail
    assert nothing_is_left(store)


def test_a_failure_is_remembered_for_this_source(only: Offer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNT", str(tmp_path / "count"))
    only(cc='echo x >> "$COUNT"; real "$@"')
    runs = lambda: len((tmp_path / "count").read_text().split())  # noqa: E731
    first = unavailable("int broken(")
    before = runs()
    assert str(unavailable("int broken(")) == str(first) and runs() == before
    assert answer_of(build_library(source_of(1), "game", "key")) == 1


WORKS_ONCE = 'case "$*" in *game.c*) {};; *) real "$@";; esac'


def test_a_compiler_that_hangs(only: Offer, store: Path, tmp_path: Path) -> None:
    only(cc=WORKS_ONCE.format(f"sleep 60 & echo $! > {tmp_path}/helper; wait"))
    assert "did not finish within 1 s" in str(unavailable(seconds=1.0))
    assert nothing_is_left(store)
    helper = int((tmp_path / "helper").read_text())  # its helpers are ended too
    assert eventually(lambda: not is_alive(helper))


def test_a_compiler_that_is_killed(only: Offer, store: Path) -> None:
    only(cc=WORKS_ONCE.format("kill -KILL $$"))
    problem = unavailable()
    assert "was ended by SIGKILL" in str(problem) and problem.passing and nothing_is_left(store)
    only(cc='real "$@"')
    assert answer_of(build_library(source_of(1), "game", "key")) == 1


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("exit 0", "wrote no file"),
        ("echo rubbish > game.so", "wrote a library that cannot be loaded"),
        ('real "$@"; truncate -s 900 game.so', "wrote a library"),
        ('echo "int rulewright_abi(void) { return 99; }" > game.c; real "$@" -fvisibility=default', "interface 99"),
        ('echo "int other;" > game.c; real "$@"', "cannot be loaded"),
    ],
)
def test_a_compiler_that_writes_something_else(script: str, reason: str, only: Offer, store: Path) -> None:
    only(cc=WORKS_ONCE.format(script))
    assert reason in str(unavailable()) and nothing_is_left(store)


@contextlib.contextmanager
def files_at_most(size: int) -> Iterator[None]:
    """No file may grow beyond that: what a full disk looks like to whoever writes."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


@pytest.mark.parametrize("size", [0, 100, 4000])
def test_a_full_disk(size: int, store: Path) -> None:
    build_library(source_of(2), "other", "key")
    with files_at_most(size):
        unavailable()
    assert len(libraries(store)) == 1 and not list(store.glob("build-*"))
    assert answer_of(build_library(source_of(1), "game", "key")) == 1


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a small disk, as Linux does")
@pytest.mark.parametrize("kilobytes", [32, 64])
def test_a_disk_that_is_full(kilobytes: int, tmp_path: Path) -> None:
    """A real one, in a namespace of its own; skipped where that is not allowed."""
    program = (
        "import os, sys; sys.path.insert(0, sys.argv[1])\n"
        "from interpreter.native.build import build_library\n"
        "from interpreter.native.unavailable import NativeUnavailable\n"
        "try: print('built', build_library(open(sys.argv[2]).read(), 'game', 'key'))\n"
        "except NativeUnavailable as problem: print('unavailable', problem)\n"
    )
    disk, source = tmp_path / "disk", tmp_path / "source.c"
    disk.mkdir()
    source.write_text(source_of(1) + "static const char filler[60000] = {1};" + f"{EXPORT} const char *a = filler;\n")
    command = shlex.join([sys.executable, "-c", program, str(ROOT), str(source)])
    mount = f"mount -t tmpfs -o size={kilobytes}k none {disk} && exec {command}"
    environment = {**os.environ, "RULEWRIGHT_CACHE": str(disk)}
    done = subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True, text=True, env=environment)
    if done.returncode and ("unshare" in done.stderr or "mount" in done.stderr):
        pytest.skip("no small disk can be mounted here")
    told = done.stdout
    assert told.startswith("unavailable") and ("is full" in told or "No space left" in told), told + done.stderr


def test_a_folder_that_cannot_be_written(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build_library(source_of(1), "game", "key")

    def refuse(*_: object, **__: object) -> str:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(storing.tempfile, "mkdtemp", refuse)
    monkeypatch.setattr(storing.tempfile, "mkstemp", refuse)
    assert find_library("game", "key") == path  # what is there can be used
    assert "cannot be written: Read-only file system" in str(unavailable(source_of(2)))


def test_a_file_where_the_folder_should_be(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("")
    assert "cannot be written" in str(unavailable())


def test_a_folder_of_somebody_else(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    build_library(source_of(1), "game", "key")
    monkeypatch.setattr(storing.os, "getuid", lambda: 12345)
    assert find_library("game", "key") is None
    assert "belongs to another user" in str(unavailable())


def test_the_folder_is_closed_to_others(store: Path) -> None:
    store.mkdir(parents=True, mode=0o777)
    store.chmod(0o777)
    build_library(source_of(1), "game", "key")
    assert store.stat().st_mode & 0o777 == 0o700


def test_a_link_in_place_of_the_folder(store: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    store.parent.mkdir()
    store.symlink_to(tmp_path / "elsewhere")
    assert "is not a folder" in str(unavailable())


# ---------------------------------------------------------------- what was kept and is no longer what it was


def cut_short(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def one_byte_changed(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def planted(path: Path) -> None:
    """Another library, which would say so if it were loaded."""
    source = path.with_name("planted.c")
    marker = path.with_name("marker")
    text = f'#include <stdio.h>\n__attribute__((constructor)) void hello(void) {{ fclose(fopen("{marker}", "w")); }}\n'
    source.write_text(text + source_of(666))
    subprocess.run(["cc", "-shared", "-fPIC", "-o", path, source], check=True)


def planted_link(path: Path) -> None:
    shutil.copy(path, path.with_name("copy"))
    path.unlink()
    path.symlink_to(path.with_name("copy"))


def writable_by_others(path: Path) -> None:
    path.chmod(0o777)


def empty(path: Path) -> None:
    path.write_bytes(b"")


def gone(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize(
    "damage", [cut_short, one_byte_changed, planted, planted_link, writable_by_others, empty, gone]
)
def test_a_library_that_changed_is_built_again_and_never_loaded(damage: Callable[[Path], None], store: Path) -> None:
    path = build_library(source_of(1), "game", "key")
    damage(path)
    assert find_library("game", "key") is None
    again = build_library(source_of(1), "game", "key")
    assert answer_of(again) == 1 and not (store / "marker").exists()


@pytest.mark.parametrize("damage", [cut_short, one_byte_changed, planted, empty, gone])
def test_a_library_that_changes_before_it_is_loaded(damage: Callable[[Path], None], store: Path) -> None:
    path = build_library(source_of(1), "game", "key")
    damage(path)
    with pytest.raises(NativeUnavailable, match="has changed since it was built"):
        load_library(path)
    assert not (store / "marker").exists() and not path.exists()
    assert answer_of(build_library(source_of(1), "game", "key")) == 1


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"file": 3}', b'{"file": "../../x", "size": 1}', b"\xff\xfe", b"[" * 100_000, b"{}", b"null"],
)
def test_a_record_that_cannot_be_read(content: bytes, store: Path) -> None:
    path = build_library(source_of(1), "game", "key")
    for record in records(store):
        record.write_bytes(content)
    assert find_library("game", "key") is None
    assert build_library(source_of(1), "game", "key") == path


def test_a_record_that_points_elsewhere(store: Path) -> None:
    build_library(source_of(1), "game", "key")
    for record in records(store):
        told = json.loads(record.read_text())
        (store / "evil.so").write_bytes(b"x" * told["size"])
        record.write_text(json.dumps({**told, "file": "evil.so"}))
    assert find_library("game", "key") is None
    assert build_library(source_of(1), "game", "another key").name != "evil.so"


def test_a_library_of_another_machine(store: Path) -> None:
    """The processor's number in the ELF header, changed, with a name and a record that agree with it."""
    path = build_library(source_of(1), "game", "key")
    content = bytearray(path.read_bytes())
    content[18] ^= 0x5A
    foreign = path.with_name(f"game-{storing.digest_of(bytes(content))}.so")
    foreign.write_bytes(content)
    foreign.chmod(0o700)
    with pytest.raises(NativeUnavailable, match="cannot be loaded"):
        load_library(foreign)
    assert not foreign.exists()


def test_a_library_with_another_interface() -> None:
    path = build_library(source_of(1), "game", "key")
    with pytest.raises(NativeUnavailable, match="has interface 1, and 2 is needed"):
        load_library(path, abi=2)


# ---------------------------------------------------------------- several processes

BUILD = """
import sys; sys.path.insert(0, sys.argv[1])
from interpreter.native.build import build_library
from interpreter.native.library import load_library
path = build_library(open(sys.argv[2]).read(), "game", "key")
print(load_library(path).function("answer", "i64", "i64")(0))
"""


def started(source: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", BUILD, str(ROOT), str(source)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] not in ("Z", "X")
    except OSError:
        return False


def eventually(holds: Callable[[], bool], seconds: float = 20.0) -> bool:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.02)
    return holds()


def awaited(file: Path) -> None:
    assert eventually(file.exists), f"{file} never came"


def test_several_processes_at_once(only: Offer, tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One compiles, the others wait for it, and all have the same library."""
    monkeypatch.setenv("COUNT", str(tmp_path / "count"))
    only(cc='case "$*" in *game.c*) echo x >> "$COUNT"; sleep 0.5;; esac; real "$@"')
    toolchain.find_toolchain(fresh=True)
    source = tmp_path / "source.c"
    source.write_text(source_of(5))
    children = [started(source) for _ in range(4)]
    assert [child.communicate()[0].strip() for child in children] == ["5"] * 4
    assert (tmp_path / "count").read_text().split() == ["x"] and len(libraries(store)) == 1


def test_a_disk_without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(storing.fcntl, "flock", refuse)
    assert answer_of(build_library(source_of(1), "game", "key")) == 1


def test_threads_of_one_process(only: Offer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COUNT", str(tmp_path / "count"))
    only(cc='case "$*" in *game.c*) echo x >> "$COUNT"; sleep 0.3;; esac; real "$@"')
    with ThreadPoolExecutor(4) as pool:
        paths = set(pool.map(lambda _: build_library(source_of(1), "game", "key"), range(4)))
    assert len(paths) == 1 and (tmp_path / "count").read_text().split() == ["x"]


def test_without_locks_the_last_wins(monkeypatch: pytest.MonkeyPatch, store: Path) -> None:
    monkeypatch.setattr(storing, "fcntl", None)
    first = build_library(source_of(1), "game", "key")
    monkeypatch.setattr(building, "known_result", lambda order, entry: None)
    assert answer_of(first) == 1
    second = build_library(source_of(1), "game", "key")
    assert answer_of(second) == 1


def test_killed_in_the_middle_of_a_build(
    only: Offer, tmp_path: Path, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    hold = tmp_path / "hold"
    hold.touch()
    only(cc=WORKS_ONCE.format(f'touch {tmp_path}/begun; while test -e {hold}; do sleep 0.05; done; real "$@"'))
    toolchain.find_toolchain(fresh=True)
    source = tmp_path / "source.c"
    source.write_text(source_of(5))
    child = started(source)
    awaited(tmp_path / "begun")
    child.kill()
    child.communicate()
    hold.unlink()
    (abandoned,) = store.glob("build-*")
    assert find_library("game", "key") is None
    path = build_library(source_of(5), "game", "key")  # the lock died with its holder
    assert answer_of(path) == 5

    def evicted_when_old() -> bool:
        """The compiler has outlived its master: while it writes there, the folder is young again."""
        if abandoned.exists():
            os.utime(abandoned, (0, 0))
            storing.evict()
        return not abandoned.exists()

    assert eventually(evicted_when_old)
    assert path.exists()


# ---------------------------------------------------------------- in the background


def test_in_the_background(only: Offer, tmp_path: Path) -> None:
    hold = tmp_path / "hold"
    hold.touch()
    only(cc=WORKS_ONCE.format(f'while test -e {hold}; do sleep 0.05; done; real "$@"'))
    building = build_in_background(source_of(9), "game", "key")
    assert building.poll() is None
    hold.unlink()
    path = building.wait(30.0)
    assert path is not None and answer_of(path) == 9 and building.poll() == path
    assert build_in_background(source_of(9), "game", "key").poll() == path


def test_in_the_background_a_failure_is_told(only: Offer) -> None:
    building = build_in_background("int broken(", "game", "key")
    with pytest.raises(NativeUnavailable, match="failed with exit code 1"):
        building.wait(30.0)
    with pytest.raises(NativeUnavailable, match="failed with exit code 1"):
        building.poll()


def test_in_the_background_and_cancelled(only: Offer, tmp_path: Path, store: Path) -> None:
    only(cc=WORKS_ONCE.format(f"touch {tmp_path}/begun; sleep 60"))
    building = build_in_background(source_of(9), "game", "key")
    awaited(tmp_path / "begun")
    building.cancel()
    with pytest.raises(NativeUnavailable, match="ended with code -9"):
        building.poll()
    building.cancel()


def test_in_the_background_the_other_process_dies(only: Offer, tmp_path: Path) -> None:
    only(cc=WORKS_ONCE.format(f"touch {tmp_path}/begun; sleep 1"))
    building = build_in_background(source_of(9), "game", "key")
    awaited(tmp_path / "begun")
    assert building._child is not None
    building._child.kill()
    with pytest.raises(NativeUnavailable, match="ended with code -9"):
        building.wait(10.0)


# ---------------------------------------------------------------- eviction


def test_eviction_by_age_and_by_size(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = [build_library(source_of(n), f"game{n}", "key") for n in range(4)]
    for number, path in enumerate(paths):
        os.utime(path, (time.time() - 1000 + number,) * 2)
    os.utime(paths[2], (0, 0))
    storing.evict()
    assert [path.exists() for path in paths] == [True, True, False, True]
    monkeypatch.setattr(storing, "MOST_BYTES", paths[3].stat().st_size + 10_000)
    storing.evict(keep=paths[0])
    assert paths[0].exists() and not paths[1].exists()
    assert answer_of(build_library(source_of(2), "game2", "key")) == 2
