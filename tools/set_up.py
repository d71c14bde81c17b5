"""Creates or repairs the project's own virtual environment, `.venv`. Usually called by the scripts in this folder.

    set_up.py run|test|dev      what the command, the tests, the linters need
    set_up.py extra NAME        one of the extras in pyproject.toml; `rulewright` itself calls this when it needs one

Uses only the standard library, since it runs before anything is installed. A file lock allows several scripts to start
at the same time on a fresh clone: one installs, the others wait and find the stamp. The stamp is written last, so an
interrupted installation is simply repeated.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
DAY = 24 * 3600.0
LEVELS = {"run": "", "test": "[test]", "dev": "[dev]"}


def stamp_path(level: str) -> Path:
    return VENV / f".rulewright-{level}"


def stamp_text() -> str:
    """What an installation depends on: where the project lies and what it declares."""
    return f"{ROOT}\n" + (ROOT / "pyproject.toml").read_text(encoding="utf-8")


def is_stamped(level: str) -> bool:
    stamp = stamp_path(level)
    return PYTHON.exists() and stamp.is_file() and stamp.read_text(encoding="utf-8") == stamp_text()


def is_usable() -> bool:
    """An environment of the right age that has pip; one made by hand is as good as ours."""
    question = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    return PYTHON.exists() and subprocess.run([PYTHON, "-c", question], capture_output=True).returncode == 0


def make_environment() -> None:
    if VENV.exists():
        shutil.rmtree(VENV)
    venv.create(VENV, with_pip=True)


def install(level: str) -> bool:
    """Install the project in place with its dependencies."""
    return pip_install(f"{ROOT}{LEVELS[level]}")


def pip_install(what: str) -> bool:
    """pip speaks only if something is wrong."""
    command = [str(PYTHON), "-m", "pip", "install", "-qq", "--no-input", "--editable", what]
    quiet = {"PIP_DISABLE_PIP_VERSION_CHECK": "1", "PIP_NO_PYTHON_VERSION_WARNING": "1"}
    return subprocess.run(command, env={**os.environ, **quiet}, cwd=ROOT).returncode == 0


def write_stamps(level: str) -> None:
    """Each level contains those before it. Levels above keep their stamps only if they still agree."""
    for name in list(LEVELS)[: list(LEVELS).index(level) + 1]:
        part = stamp_path(name).with_suffix(".part")
        part.write_text(stamp_text(), encoding="utf-8")
        part.replace(stamp_path(name))


def add_extra(name: str) -> int:
    """Installs an extra. An attempt that failed is not repeated for a day: a command should not wait for pip each time
    only because the machine is not on the network. `--again` repeats it."""
    failed = VENV / f".rulewright-extra-{name}.failed"
    with open(ROOT / ".venv.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if failed.exists() and time.time() - failed.stat().st_mtime < DAY and "--again" not in sys.argv:
            return 1
        print(f"Installing the extra `{name}`; this happens once and takes a moment.", file=sys.stderr)
        if not pip_install(f"{ROOT}[{name}]"):
            print(f"The extra `{name}` could not be installed: the lines above are pip's.", file=sys.stderr)
            failed.touch()
            return 1
        failed.unlink(missing_ok=True)
        return 0


def set_up(level: str) -> int:
    with open(ROOT / ".venv.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if is_stamped(level):
            return 0
        print("Setting up .venv; this happens once and takes a moment.", file=sys.stderr)
        if not is_usable():
            make_environment()
        if not install(level):
            print("Setting up failed: the lines above are pip's. Is the package index in reach?", file=sys.stderr)
            return 1
        write_stamps(level)
        return 0


if __name__ == "__main__":
    if len(sys.argv) >= 3 and sys.argv[1] == "extra" and sys.argv[2].replace("-", "_").isidentifier():
        sys.exit(add_extra(sys.argv[2]))
    if len(sys.argv) != 2 or sys.argv[1] not in LEVELS:
        sys.exit("usage: set_up.py run|test|dev, or set_up.py extra NAME")
    sys.exit(set_up(sys.argv[1]))
