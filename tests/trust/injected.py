"""Commands that are killed, or whose disk is full, at each step of what they write.

Python tells an audit hook of every file that is opened, made, renamed or removed. `python -m tests.trust.injected HOW
JOB…` runs a command again and again in forks of one process. The first time it only counts the steps; then, for each
of them, the fork kills itself there, or that step and all that follow fail as on a full disk. After each time the files
are looked at: what stands under its own name is the old content or the new. It prints how many steps there were.
"""

from __future__ import annotations

import errno
import io
import json
import os
import shutil
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

from tests.trust.small import RULES, ruleset

UGLY = RULES.replace("n += k", "n   +=   k") + "# a remark\n" * 60
STEPS = ("open", "os.rename", "os.remove", "tempfile.mkstemp", "os.chmod", "os.mkdir", "os.truncate")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
OLD = {
    "out.json": '{"format": "rulewright-report/1"}',
    "out.record.json": '{"format": "rulewright-record/1"}',
    "out.html": "<!doctype html><html></html>",
}
BROKEN = 77  # the exit code of a fork that told of a traceback


def jobs(home: Path) -> dict[str, list[str]]:
    game = str(home)
    return {
        "save": ["play", game, "--seed", "1"],
        "json": [
            "simulate",
            game,
            "--games",
            "20",
            "--bots",
            "random",
            "--json",
            "out.json",
            "--html",
            "out.html",
            "--rows",
            "out.csv",
        ],
        "record": ["play", game, "--seat", "1=random", "--record", "out.record.json"],
        "format": ["fmt", game],
        "compile": ["validate", game],
    }


def check_files(folder: Path, home: Path) -> None:
    """Whatever is there under its own name is whole."""
    for file in folder.glob("*.json"):
        json.loads(file.read_text(encoding="utf-8"))
    page = folder / "out.html"
    assert not page.exists() or page.read_text(encoding="utf-8").rstrip().endswith("</html>")
    rules = (home / "small.rules").read_text(encoding="utf-8")
    assert rules == UGLY or ("n += k" in rules and rules.count("# a remark") == 60)
    rows = folder / "out.csv"
    assert not rows.exists() or len(rows.read_text().splitlines()) == 21


class Counter:
    """Counts the steps of writing below a folder; at the one that is asked for it kills the process, or fails."""

    def __init__(self, folder: Path, how: str, at: int) -> None:
        self.folder, self.how, self.at, self.count = str(folder), how, at, 0

    def __call__(self, event: str, args: tuple[Any, ...]) -> None:
        if event not in STEPS or not isinstance(args[0], str | bytes) or self.folder not in os.fsdecode(args[0]):
            return
        if event == "open" and not (isinstance(args[2], int) and args[2] & WRITING):
            return
        self.count += 1
        if self.count == self.at and self.how == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        if self.count >= self.at > 0 and self.how == "full" and event != "os.remove":
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def forked(words: list[str], folder: Path, how: str, at: int) -> tuple[int, int]:
    """Runs a command in a fork. The status it ended with, and the steps it took if it came to its end."""
    told, telling = os.pipe()
    child = os.fork()
    if child == 0:
        _run(words, folder, how, at, telling)
    os.close(telling)
    with os.fdopen(told, "rb") as pipe:
        steps = int(pipe.read() or b"0")
    return os.waitpid(child, 0)[1], steps


def _run(words: list[str], folder: Path, how: str, at: int, telling: int) -> None:
    from interpreter.cli.commands import exit_code_of

    os.chdir(folder)
    sys.stdin = io.StringIO("1\ns kept.json\n1\n1\n")
    sys.stdout = sys.stderr = said = io.StringIO()
    counter = Counter(folder, how, at)
    sys.addaudithook(counter)
    code = BROKEN
    try:
        code = exit_code_of(words)
        code = BROKEN if "Traceback" in said.getvalue() else code
    finally:
        counter.at = 0
        os.write(telling, str(counter.count).encode())
        os._exit(code)


def _load_everything(job: str) -> None:
    """Runs the job once in this process, so that forks find all modules loaded."""
    from interpreter.cli.commands import exit_code_of

    before = sys.stdin, sys.stdout, sys.stderr, os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["RULEWRIGHT_CACHE"] = folder
        sys.stdin, sys.stdout, sys.stderr = io.StringIO("1\n1\n1\n"), io.StringIO(), io.StringIO()
        os.chdir(folder)
        exit_code_of(jobs(ruleset(Path(folder), UGLY))[job])
        sys.stdin, sys.stdout, sys.stderr = before[:3]
        os.chdir(before[3])


def tried(how: str, job: str) -> int:
    """Every step of a job; how many there were."""
    _load_everything(job)
    total, at = 1, 0
    while at <= total:
        folder = Path(tempfile.mkdtemp())
        try:
            home = ruleset(folder, UGLY)
            (folder / "cache").mkdir(0o700)
            os.environ["RULEWRIGHT_CACHE"] = str(folder / "cache")
            for name, old in OLD.items():
                (folder / name).write_text(old)
            status, steps = forked(jobs(home)[job], folder, how, at)
            if at == 0:
                total = steps
                assert status == 0, status
            elif how == "kill":
                assert os.WIFSIGNALED(status), (at, status)
            else:
                assert os.waitstatus_to_exitcode(status) in (0, 1, 2), (at, status)
            check_files(folder, home)
        finally:
            shutil.rmtree(folder)
        at += 1
    return total


if __name__ == "__main__":
    for asked in sys.argv[2:]:
        print(tried(sys.argv[1], asked), flush=True)
