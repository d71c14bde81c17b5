"""`--sandbox` and `--limits`, with any command.

`rulewright COMMAND … --sandbox` runs the whole command in a process of its own. What reads, checks, compiles and plays
a ruleset is then limited by the system in memory, CPU time and size of files, has no network where the system allows
that, and is ended from here when its time is up or when it has printed too much.
`RULEWRIGHT_SANDBOX=seconds=60,megabytes=500` sets the walls. A game that somebody plays at the terminal has no time
limit but that on CPU time.
"""

from __future__ import annotations

import os
import selectors
import subprocess
import sys
import time
from pathlib import Path

from ..native.process import end_group
from ..play.contract import PlayError
from .messages import print_error

_ROOT = Path(__file__).resolve().parent.parent.parent
_START = "import sys; sys.path.insert(0, sys.argv[1]); from interpreter.cli.sandboxed import main; main(sys.argv[2:])"
_USUAL = {"seconds": 600, "megabytes": 1024}
_MOST_OUTPUT = 256 << 20  # bytes
STOPPED = 1


def taken(args: list[str]) -> tuple[list[str], bool]:
    """The arguments of the command itself, and whether a sandbox is asked for. `--limits` goes to the environment,
    where the loaders of rulesets and other processes find it."""
    own = args.index("--") if "--" in args else len(args)
    before, after = args[:own], args[own:]
    wanted = "--sandbox" in before
    left: list[str] = []
    rest = iter(arg for arg in before if arg != "--sandbox")
    for arg in rest:
        name, _, value = arg.partition("=")
        if name != "--limits":
            left.append(arg)
            continue
        os.environ["RULEWRIGHT_LIMITS"] = value or next(rest, "")
    return left + after, wanted


def run_in_sandbox(args: list[str]) -> int:
    """Runs a command line in a sandbox; its exit code."""
    walls = _walls(os.environ.get("RULEWRIGHT_SANDBOX", ""))
    interactive = args[:1] == ["play"] and sys.stdin.isatty()
    command = [sys.executable, "-c", _START, str(_ROOT), str(walls["megabytes"] << 20), str(walls["seconds"]), *args]
    if interactive:
        return subprocess.run(command, check=False).returncode
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        why = _pass_on(child, time.monotonic() + walls["seconds"])
        code = child.wait(5) if why is None else STOPPED
    except subprocess.TimeoutExpired:
        why, code = "it did not end", STOPPED
    finally:
        if child.poll() is None:
            end_group(child)
    if why is None and code < 0:
        why, code = f"it was ended by signal {-code}", STOPPED
    if why is not None:
        print_error(f"the sandbox was stopped: {why}", "`rulewright explain R0912` says more")
    return code


def _pass_on(child: subprocess.Popen[bytes], deadline: float) -> str | None:
    """Prints what the child prints until it ends; why it must be stopped, if it must."""
    printed = 0
    assert child.stdout is not None and child.stderr is not None
    with selectors.DefaultSelector() as selector:
        selector.register(child.stdout, selectors.EVENT_READ, sys.stdout)
        selector.register(child.stderr, selectors.EVENT_READ, sys.stderr)
        while selector.get_map():
            ready = selector.select(max(0.0, deadline - time.monotonic()))
            if not ready:
                return "its time is up"
            for key, _ in ready:
                part = os.read(key.fd, 1 << 16)
                if not part:
                    selector.unregister(key.fileobj)
                printed += len(part)
                if printed > _MOST_OUTPUT:
                    return "it printed without end"
                key.data.write(part.decode("utf-8", errors="replace"))
                key.data.flush()
    return None


def _walls(text: str) -> dict[str, int]:
    found = dict(_USUAL)
    for part in filter(None, (part.strip() for part in text.split(","))):
        name, _, value = part.partition("=")
        if name not in found or not value.isdigit() or not 1 <= int(value) <= 1 << 20:
            raise PlayError(f"RULEWRIGHT_SANDBOX says `{part}`", "write `seconds=60,megabytes=500`")
        found[name] = int(value)
    return found


def main(args: list[str]) -> None:
    from ..native.sandbox_child import give_up
    from .commands import run

    give_up(int(args[0]), 2 * int(args[1]), processes=True)
    run(args[2:])
