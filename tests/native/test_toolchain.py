"""Compilers that work are found; of those that do not, each is told in one line and the next is tried."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.native import make, toolchain
from interpreter.native.toolchain import Toolchain, find_toolchain, require_compiler
from interpreter.native.unavailable import NativeUnavailable

Offer = Callable[..., None]

REAL_ZIG = toolchain.zig_path  # before the tests take it away
COUNTED = 'echo x >> "$COUNT"; real "$@"'


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toolchain, "ANSWER_SECONDS", 3.0)
    monkeypatch.setattr(toolchain, "SYSTEM_PROBE_SECONDS", 3.0)


def found() -> Toolchain:
    return find_toolchain(fresh=True)


def test_the_compiler_of_the_machine(real_compiler: str) -> None:
    compiler = require_compiler()
    assert compiler.path == real_compiler and compiler.origin == "system"
    assert compiler.version and compiler.target in compiler.identity


@pytest.mark.parametrize(
    ("asked", "level"), [(None, "-O1"), ("", "-O1"), ("0", "-O0"), ("3", "-O3"), ("fast", "-O1"), ("2 -evil", "-O1")]
)
def test_the_level_of_optimisation(asked: str | None, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RULEWRIGHT_OPTIMISE", raising=False)
    if asked is not None:
        monkeypatch.setenv("RULEWRIGHT_OPTIMISE", asked)
    flags = toolchain.flags_of_games()
    assert [flag for flag in flags if flag.startswith("-O")] == [level]
    assert len(flags) == len(toolchain.FLAGS)


def test_each_level_has_a_library_of_its_own(real_compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_OPTIMISE", "0")
    quick = make.made("nim", 2)
    assert make.found("nim", 2) == quick
    monkeypatch.delenv("RULEWRIGHT_OPTIMISE")
    assert make.found("nim", 2) is None  # a game that is measured is never played with what was compiled in haste
    assert make.made("nim", 2) != quick


def test_ziglang_compiles_without_optimisation(monkeypatch: pytest.MonkeyPatch) -> None:
    zig = REAL_ZIG()
    if zig is None:
        pytest.skip("no ziglang on this machine")
    monkeypatch.setenv("RULEWRIGHT_CC", f"{zig} cc")
    monkeypatch.setenv("RULEWRIGHT_OPTIMISE", "0")
    monkeypatch.setattr(toolchain, "ANSWER_SECONDS", 60.0)
    assert make.made("nim", 2).is_file()  # and another process has loaded it


def test_none(only: Offer) -> None:
    only()
    assert found().compiler is None
    assert found().reason == "no C compiler was found (looked for cc, gcc, clang and ziglang)"
    with pytest.raises(NativeUnavailable, match="no C compiler was found"):
        require_compiler()


def test_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CC", "")
    assert found().compiler is None and "switched off" in found().reason


BROKEN = {
    "crashes": ("kill -SEGV $$", "was ended by SIGSEGV when asked for `--version`"),
    "fails": ("exit 3", "failed with exit code 3 when asked for `--version`"),
    "says nothing": ("exit 0", "printed garbage when asked for `--version`"),
    "prints garbage": ("head -c 3000 /dev/urandom", "printed garbage when asked for `--version`"),
    "hangs": ("sleep 60", "did not finish within 3 s when asked for `--version`"),
    "hangs, output closed": ("exec >&- 2>&-; sleep 60", "did not finish within 3 s when asked for `--version`"),
    "hangs when it works": (
        'case "$*" in *probe.c*) sleep 60;; *) real "$@";; esac',
        "did not finish within 3 s",
    ),
    "prints without end": ("yes", "printed without end when asked for `--version`"),
    "names no machine": ("echo version 1 of this", "names no target machine, but says `version 1 of this`"),
    "writes nothing": ('case "$*" in *probe.c*) exit 0;; *) real "$@";; esac', "wrote no file"),
    "writes too little": (
        'real "$@"; case "$*" in *probe.c*) truncate -s 700 probe.so;; esac',
        "wrote a library whose test was ended by SIGBUS",  # it would have ended us
    ),
    "writes rubbish": (
        'case "$*" in *probe.c*) echo hello > probe.so;; *) real "$@";; esac',
        "wrote a library that cannot be loaded",
    ),
    "makes wrong code": (
        'case "$*" in *probe.c*) echo "int rulewright_abi(void) { return 3; }" > probe.c;; esac; '
        'real "$@" -fvisibility=default',
        "wrote a library that gives a wrong answer",
    ),
    "has no headers": (
        'case "$*" in *probe.c*) echo "probe.c:1:10: fatal error: stdint.h: No such file" >&2; exit 1;; '
        '*) real "$@";; esac',
        "failed with exit code 1: probe.c:1:10: fatal error: stdint.h: No such file",
    ),
}


@pytest.mark.parametrize("how", BROKEN)
def test_a_broken_one_is_told_and_the_next_is_tried(how: str, only: Offer, real_compiler: str) -> None:
    script, reason = BROKEN[how]
    only(cc=script, gcc='real "$@"')
    tools = found()
    assert tools.compiler is not None and tools.compiler.path.endswith("gcc")
    (refused,) = tools.refused
    assert refused.command.endswith("cc") and refused.reason.startswith(reason)
    assert "\n" not in refused.reason


def test_all_broken(only: Offer) -> None:
    only(cc="exit 3", clang="kill -SEGV $$")
    assert found().compiler is None
    assert found().reason.count("when asked for") == 2 and "\n" not in found().reason


def test_a_helper_that_lives_on_does_not_hold_us_up(only: Offer, real_compiler: str) -> None:
    only(cc='sleep 30 & real "$@"')
    assert found().compiler is not None  # who waited for the helper would give up on this compiler (`impatient`)


def test_asked_for(tmp_path: Path, only: Offer, real_compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    only(gcc='real "$@"', ours='real "$@"')
    monkeypatch.setenv("RULEWRIGHT_CC", "ours -DSOMETHING")
    compiler = found().compiler
    assert compiler is not None and compiler.origin == "RULEWRIGHT_CC" and compiler.command[1:] == ("-DSOMETHING",)


@pytest.mark.parametrize("asked", ["no-such-compiler", "/no/such/place", 'quoted "wrongly', "/"])
def test_asked_for_and_not_there(asked: str, only: Offer, real_compiler: str, monkeypatch: pytest.MonkeyPatch) -> None:
    only(gcc='real "$@"')
    monkeypatch.setenv("RULEWRIGHT_CC", asked)
    tools = found()
    assert tools.compiler is not None and tools.compiler.origin == "system"
    assert tools.refused[0].reason.startswith("cannot be started")


def test_what_was_found_is_remembered(
    tmp_path: Path, only: Offer, real_compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COUNT", str(tmp_path / "count"))
    only(cc="echo x >> $COUNT; exit 3", gcc=COUNTED)
    runs = lambda: len((tmp_path / "count").read_text().split())  # noqa: E731
    first = found()
    asked = runs()
    toolchain._found.cache_clear()  # as in another process
    assert find_toolchain() == first and runs() == asked


def test_a_failure_is_not_remembered_for_long(
    tmp_path: Path, only: Offer, real_compiler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    only(cc=f'test -e {tmp_path}/mended || exit 3\nreal "$@"')
    assert found().compiler is None
    (tmp_path / "mended").touch()
    toolchain._found.cache_clear()
    assert find_toolchain().compiler is None
    monkeypatch.setattr(toolchain, "FAILURE_SECONDS", 0.0)
    toolchain._found.cache_clear()
    assert find_toolchain().compiler is not None


def test_a_new_version_is_noticed(only: Offer, real_compiler: str) -> None:
    only(cc='case $1 in --version) echo one;; *) real "$@";; esac')
    before = found().compiler
    only(cc='case $1 in --version) echo another;; *) real "$@";; esac')
    toolchain._found.cache_clear()
    after = find_toolchain().compiler
    assert before is not None and after is not None and before.identity != after.identity
