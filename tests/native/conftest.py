"""What the tests of compiling need: an empty store for each, and compilers that do not work."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from interpreter.native import toolchain

REAL = toolchain.shutil.which("cc") or toolchain.shutil.which("gcc") or toolchain.shutil.which("clang")


@pytest.fixture(autouse=True)
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The store of this test alone; compilers are looked for anew."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("RULEWRIGHT_CC", raising=False)
    monkeypatch.setattr(toolchain, "zig_path", lambda: None)
    return tmp_path / "cache" / "native"


@pytest.fixture
def real_compiler() -> str:
    if REAL is None:
        pytest.skip("no C compiler on this machine")
    return REAL


@pytest.fixture
def only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`only(cc="script", gcc="script")`: these are all compilers on the path. A script is a line of shell; in it,
    `real` is the compiler of the machine."""

    def offer(**scripts: str) -> None:
        folder = tmp_path / "bin"
        folder.mkdir(exist_ok=True)
        for name, script in scripts.items():
            write_script(folder / name, script)
        for name in ("sh", "sleep", "head", "dd", "truncate", "true", "kill", "cat", "yes", "touch", "rm", "as", "ld"):
            found = toolchain.shutil.which(name, path="/usr/local/bin:/usr/bin:/bin")
            if found and not (folder / name).exists():
                (folder / name).symlink_to(found)
        monkeypatch.setenv("PATH", str(folder))

    return offer


def write_script(file: Path, script: str) -> None:
    file.write_text(f'#!/bin/sh\nreal() {{ PATH=/usr/local/bin:/usr/bin:/bin "{REAL}" "$@"; }}\n{script}\n')
    os.chmod(file, file.stat().st_mode | stat.S_IXUSR)
