"""Where the CPU time of a test run goes: by folder, by kind of work, by program that was started, by test.

    tools/test -p tools.test_costs                       all tests; the tables are printed at the end
    tools/test -p tools.test_costs tests/web --costs 40  some tests, the forty dearest of them by name

CPU time is user and system time of the workers and of every process that they have waited for. Time between tests
(imports, collecting) is told apart, and so is what ends with the last test: a browser that all tests of the page have
shared is counted there. Kinds of work are sampled: after each hundredth of a second of CPU time a signal looks where
Python is. Work in the first stage of a game's making that stands on the stack (reading, checking, compiling) is counted
for that stage, whoever asked for it; anything else for the innermost module of the project. A long call into C counts
in full when it comes back.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
EVERY = 0.01  # seconds of CPU time between two samples
STAGES = {
    "syntax": "reading rules and data", "ruleset": "reading rules and data", "check": "checking",
    "compile": "compiling to Python", "compile/c": "writing C",
}  # fmt: skip
LATER = {"runtime": "playing in Python", "play": "playing in Python", "study": "studies", "native": "driving C"}
BETWEEN = "(between tests)"
AT_THE_END = "(ended with the last test)"


class Costs:
    """What one process has spent so far."""

    def __init__(self, wants_functions: bool) -> None:
        self.wants_functions = wants_functions
        self.tests: list[tuple[str, float, float]] = []  # id, own seconds, seconds of programs that it started
        self.kinds: Counter[str] = Counter()
        self.inside: Counter[str] = Counter()  # functions of the project, with all that they call
        self.innermost: Counter[str] = Counter()
        self.programs: Counter[str] = Counter()
        self.sampled = self.waited = 0.0  # the start of Python and the imports of pytest are in the account
        self.last = 0.0, 0.0

    def sample(self, _: int, frame: FrameType | None) -> None:
        now = time.process_time()
        spent, self.sampled = now - self.sampled, now
        self.kinds[_kind(frame)] += spent
        if self.wants_functions:
            functions = _functions(frame)
            for name in set(functions):
                self.inside[name] += spent
            self.innermost[functions[0] if functions else BETWEEN] += spent

    def spent(self, nodeid: str) -> None:
        """Whatever was spent since the last call belongs to this test."""
        own, children = _own(), _of_children()
        self.tests.append((nodeid, own - self.last[0], children - self.last[1]))
        self.last = own, children

    def finished(self, process: subprocess.Popen[Any]) -> None:
        """A process that somebody waited for: all that its children have spent is in the account by now."""
        children = _of_children()
        words = process.args if isinstance(process.args, list | tuple) else [process.args]
        self.programs[Path(os.fsdecode(words[0])).name] += children - self.waited
        self.waited = children


def _own() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _kind(frame: FrameType | None) -> str:
    """The outermost stage on the stack; without one, the innermost part of the project."""
    stage = inner = ""
    is_test = False
    while frame is not None:
        name = frame.f_code.co_filename
        part = _part(name)
        if part in STAGES:
            stage = STAGES[part]
        elif part and not inner:
            inner = LATER.get(part, part)
        is_test = is_test or name.endswith("/_pytest/runner.py")
        frame = frame.f_back
    return stage or inner or ("pytest" if is_test else BETWEEN)


def _functions(frame: FrameType | None) -> list[str]:
    """Functions of the project on the stack, the innermost first."""
    found = []
    while frame is not None:
        code = frame.f_code
        if _part(code.co_filename):
            found.append(f"{_short(code.co_filename)} {code.co_qualname}")
        frame = frame.f_back
    return found


def _short(name: str) -> str:
    return name.removeprefix(f"{ROOT}/")


def _part(name: str) -> str:
    if name.startswith("<") and " of " in name:
        return "runtime"  # the emitted code of a game
    if "/interpreter/" in name:
        folder, *inner = name.rpartition("/interpreter/")[2].split("/")
        return "compile/c" if folder == "compile" and inner[0] == "c" else folder
    if "/hypothesis/" in name:
        return "hypothesis"
    return "the tests themselves" if "/tests/" in name and "/site-packages/" not in name else ""


# ---------------------------------------------------------------- hooks of pytest

_costs: Costs | None = None


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--costs", type=int, default=25, metavar="N", help="name the N dearest tests")
    parser.addoption("--costs-inside", type=int, default=0, metavar="N", help="name the N dearest functions too")
    parser.addoption("--costs-to", metavar="FILE", help="write every figure there, as JSON")


def pytest_configure(config: pytest.Config) -> None:
    global _costs
    _costs = costs = Costs(bool(config.getoption("--costs-inside")))
    signal.signal(signal.SIGPROF, costs.sample)
    signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
    handle = subprocess.Popen._handle_exitstatus  # type: ignore[attr-defined]

    def noticed(self: subprocess.Popen[Any], *given: Any, **named: Any) -> None:
        handle(self, *given, **named)
        costs.finished(self)

    subprocess.Popen._handle_exitstatus = noticed  # type: ignore[attr-defined]


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    assert _costs is not None
    _costs.spent(BETWEEN)
    result = yield
    _costs.spent(item.nodeid)
    return result


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Iterator[None]:
    assert _costs is not None
    if nextitem is None:
        _costs.spent(item.nodeid)
    result = yield
    if nextitem is None:
        _costs.spent(AT_THE_END)
    return result


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    assert _costs is not None
    output = getattr(session.config, "workeroutput", None)
    _costs.spent(BETWEEN)
    signal.setitimer(signal.ITIMER_PROF, 0)
    if output is not None:
        output["costs"] = json.dumps(_parts(_costs))


_of_workers: list[str] = []


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    _of_workers.append(getattr(node, "workeroutput", {}).get("costs", "[[], {}, {}, {}, {}]"))


def _parts(costs: Costs) -> list[Any]:
    return [costs.tests, costs.kinds, costs.programs, costs.inside, costs.innermost]


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    assert _costs is not None
    if _of_workers:  # what this process has started are the workers, and they tell for themselves
        _costs.tests = [(name, own, 0.0) for name, own, _ in _costs.tests]
        _costs.programs.clear()
    every = [_parts(_costs), *(json.loads(text) for text in _of_workers)]
    kinds, programs, inside, innermost = (sum((Counter(part[at]) for part in every), Counter()) for at in range(1, 5))
    own: Counter[str] = Counter()
    started: Counter[str] = Counter()
    for found, *_ in every:
        for name, seconds, more in found:
            own[name] += seconds
            started[name] += more
    tests = own + started
    if target := config.getoption("--costs-to"):
        told = {"tests": {name: [own[name], started[name]] for name in tests}, "kinds": kinds, "programs": programs}
        Path(target).write_text(json.dumps(told, indent=1))
    folders: Counter[str] = Counter()
    files: Counter[str] = Counter()
    for name, seconds in tests.items():
        file = name.partition("::")[0]
        files[file] += seconds
        folders[file.rpartition("/")[0] or file] += seconds
    total = f"CPU time: {tests.total():.0f} s, {started.total():.0f} of them in programs that tests started"
    terminalreporter.section(total)
    most, functions = config.getoption("--costs"), config.getoption("--costs-inside")
    for title, figures, number in (
        ("folder", folders, 100), ("kind of work", kinds, 100), ("program", programs, 20), ("file", files, most),
        ("test", tests, most), ("in a function and what it calls", inside, functions),
        ("in a function itself", innermost, functions),
    ):  # fmt: skip
        if number:
            terminalreporter.write_line(f"\n{'seconds':>9}  {title}")
            for name, seconds in figures.most_common(number):
                terminalreporter.write_line(f"{seconds:9.2f}  {name}")
