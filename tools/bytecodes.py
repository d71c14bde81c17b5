"""Counts the bytecodes of random playouts: a measure of speed that is the same on every run, however busy the machine.

    .venv/bin/python tools/bytecodes.py                           every ruleset, with as few players as may play
    .venv/bin/python tools/bytecodes.py pikit kikai:3 a.rules     some, with a number of players; a file of rules
    .venv/bin/python tools/bytecodes.py --root OLD                the same with the interpreter of another checkout
    .venv/bin/python tools/bytecodes.py --without interpreter.compile.passes.hoist_from_loops
                                                                  what a step of the compiler is worth
    .venv/bin/python tools/bytecodes.py --without interpreter.compile.choices.foresight.Foresight._at_least=None
                                                                  what a special case inside a step is worth

A rules file is a single text without tables; `# players 3` on its first line gives the number of players. `--without`
names a compiler pass in the module that calls it: a function that returns its first argument, changed or not, or
changes it in place. Of a function or method that answers something, `=None` or `=False` is the answer it gives instead.
Games are compiled with and without it, and the table shows what it saves; `other games` says that the same seeds play
other games without it. Only the number of bytecode instructions is counted, not how long each takes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SEEDS = 3


def bytecodes(work: Callable[[], Any]) -> int:
    """How many bytecodes are executed while this runs, whoever they belong to."""
    count = 0

    def trace(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal count
        if event == "opcode":
            count += 1
        else:
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return trace

    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(None)
    return count


def per_playout(game: Any, seeds: int) -> int:
    """Bytecodes of a playout, on average. The first one is not counted: it works out what later ones find done."""
    game.playout(0)
    return sum(bytecodes(lambda seed=seed: game.playout(seed)) for seed in range(1, seeds + 1)) // seeds  # type: ignore[misc]


def compiled_game(name: str) -> Any:
    """A game compiled now, whatever the cache has; `name:players`, or a file of rules."""
    load = import_module("interpreter.compile.load")
    game = import_module("interpreter.runtime.game")
    if name.endswith(".rules"):
        return game.game_from_program(program_of(Path(name)))
    name, _, players = name.partition(":")
    return game.game_from_program(load.checked_program(name, int(players) if players else None))


def program_of(file: Path) -> Any:
    text = file.read_text(encoding="utf-8")
    first = text.split("\n", 1)[0].split()
    players = int(first[-1]) if first[:2] == ["#", "players"] else None
    with tempfile.TemporaryDirectory() as kept:
        folder = Path(kept) / file.stem
        folder.mkdir()
        (folder / file.name).write_text(text, encoding="utf-8")
        (folder / "ruleset.yaml").write_text(f"format: 1\nname: {file.stem}\nfiles: [{file.name}]\n", encoding="utf-8")
        return import_module("interpreter.compile.load").checked_program(str(folder), players)


def switch_off(path: str) -> Callable[[], None]:
    """Puts another function in the place of this one, which gives back its first argument, or the answer behind `=`;
    gives what puts it back."""
    path, is_answer, answer = path.partition("=")
    owner_path, name = path.rsplit(".", 1)
    parent, last = owner_path.rsplit(".", 1)
    is_class = last.lstrip("_")[:1].isupper()
    owner = getattr(import_module(parent), last) if is_class else import_module(owner_path)
    kept = getattr(owner, name)
    given = {"None": None, "False": False}[answer] if is_answer else None
    setattr(owner, name, lambda *args, **_: given if is_answer else args[0])
    return lambda: setattr(owner, name, kept)


def histories(game: Any) -> list[Any]:
    """Some random games, to see whether the same seeds play the same games."""
    return [game.playout(seed).history for seed in range(100, 105)]


def every_ruleset() -> list[str]:
    listing = import_module("interpreter.ruleset.listing")
    diagnostics = import_module("interpreter.diagnostics.diagnostic")
    return [one.name for one in listing.list_rulesets(diagnostics.Diagnostics()) if not one.is_core]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*")
    parser.add_argument("--root", type=Path, default=ROOT, help="the checkout whose interpreter is measured")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--without", action="append", default=[], metavar="MODULE.FUNCTION[,...]")
    given = parser.parse_args()
    sys.path.insert(0, str(given.root.resolve()))
    for name in given.games or every_ruleset():
        game = compiled_game(name)
        row = [f"{(whole := per_playout(game, given.seeds)):>12,}"]
        for paths in given.without:
            back = [switch_off(path) for path in paths.split(",")]
            other = compiled_game(name)
            for put_back in back:
                put_back()
            less = per_playout(other, given.seeds)
            changed = " other games" if histories(other) != histories(game) else ""
            row.append(f"{100 * (less - whole) / less:6.1f} %{changed}")
        print(f"{Path(name).stem:24}", *row, flush=True)


if __name__ == "__main__":
    main()
