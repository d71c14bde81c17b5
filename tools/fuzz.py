"""Runs the fuzzers of `tests/trust/fuzzing.py` for some time, and writes down what they find.

    tools/fuzz [SECONDS] [TARGET…]            inputs made from numbers that no run has used before
    tools/fuzz atheris SECONDS TARGET         inputs guided by the lines that they reach (extra `fuzz`)

Each input is made from a target and a number, or from a target and some bytes, so a find is one line: `rules 1234` or
`rules bytes:00ff`. It is added to the corpus, and tried again by every test run.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import pkgutil
import random
import sys
import tempfile
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.setdefault("RULEWRIGHT_CACHE", "")
os.environ.setdefault("RULEWRIGHT_BACKEND", "python")

CORPUS = ROOT / "tests" / "trust" / "corpus"
LONGEST = 4096  # bytes that atheris makes
GUIDED = ("diagnostics", "files", "syntax", "ruleset", "check", "compile", "runtime", "play")


def main(seconds: float, names: list[str]) -> int:
    from tests.trust.fuzzing import TARGETS

    if unknown := [name for name in names if name not in TARGETS]:
        print(f"no such target: {', '.join(unknown)}; there are {', '.join(TARGETS)}", file=sys.stderr)
        return 2
    names = names or list(TARGETS)
    number, tried, finds = time.time_ns() // 1000, 0, 0
    seen: set[str] = set()
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        name = names[tried % len(names)]
        number, tried = number + 1, tried + 1
        told = problem_of(name, str(number))
        if told and told not in seen:
            seen.add(told)
            finds += 1
            noted(name, str(number), told)
    print(f"{tried:,} inputs in {seconds:.0f} s, {finds} finds")
    return 1 if finds else 0


def problem_of(name: str, seed: str) -> str:
    """The last lines of a traceback, or nothing."""
    from tests.trust.fuzzing import TARGETS, generator_of

    with quiet() as folder:
        try:
            TARGETS[name](generator_of(name, seed), folder / "one")
        except Exception:
            return "".join(traceback.format_exc().splitlines(keepends=True)[-8:])
    return ""


@contextlib.contextmanager
def quiet() -> Iterator[Path]:
    """A folder, and nothing printed meanwhile."""
    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.redirect_stderr(io.StringIO()),
    ):
        yield Path(folder)


def noted(name: str, seed: str, told: str) -> None:
    print(f"{name} {seed}\n{told}\n", flush=True)
    with (CORPUS / "found.txt").open("a", encoding="utf-8") as file:
        file.write(f"{name} {seed}\n")


def guided(seconds: int, name: str) -> None:
    """Lets atheris look for inputs; it ends the process itself, at the first find or when the time is over."""
    import atheris  # type: ignore[import-not-found]

    with atheris.instrument_imports(include=["interpreter"]):
        import interpreter

        for package in GUIDED:  # many modules are loaded when they are needed, and would be missed
            home = importlib.import_module(f"{interpreter.__name__}.{package}")
            for found in pkgutil.iter_modules(home.__path__, f"{home.__name__}."):
                importlib.import_module(found.name)

    def one(content: bytes) -> None:
        seed = f"bytes:{content.hex()}"
        told = problem_of(name, seed)
        if told:
            noted(name, seed, told)
            raise AssertionError(told)

    kept = tempfile.mkdtemp(prefix=f"rulewright-{name}-")
    for number in range(8):
        Path(kept, str(number)).write_bytes(random.Random(number).randbytes(256))
    limits = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-len_control=0", "-rss_limit_mb=2048"]
    atheris.Setup([sys.argv[0], *limits, f"-artifact_prefix={kept}/", kept], one)
    atheris.Fuzz()


if __name__ == "__main__":
    asked = sys.argv[1:]
    if asked[:1] == ["atheris"]:
        guided(int(asked[1]), asked[2])
    else:
        limit = float(asked.pop(0)) if asked and asked[0].replace(".", "").isdigit() else 60.0
        sys.exit(main(limit, asked))
