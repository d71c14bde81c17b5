"""A hunt for wrongs of knowledge in random games (`random_games.py`; `wider_games.py`, `changing_games.py`).

    python -m tests.knowledge.hunt FIRST COUNT [FOLDER [wider | changing]]

FIRST is the number of the first game. A hunt that is interrupted says what it has come to.

Each game that the checker lets pass and that is tiny is gone through by brute force, as the games of `games` are. What
contradicts a property is tried again with many more draws, since a world that is seldom may be missed by chance; then
the rules are shrunk: lines go, each with the block below it, as long as the same property is contradicted. What is left
is written into the folder, with its number and what went wrong.

Worlds that say that they are approximate are left out, and counted by their reason: they are the documented exceptions.
"""

from __future__ import annotations

import os
import signal
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from interpreter.check.check import check
from interpreter.check.program import Program
from interpreter.diagnostics.diagnostic import Diagnostics, Severity
from interpreter.runtime.faults import Fault
from interpreter.runtime.game import game_from_program
from tests.knowledge import histories
from tests.knowledge.changing_games import changing_rules
from tests.knowledge.histories import Node
from tests.knowledge.properties import PROPERTIES, Drawn, Effort, Proof
from tests.knowledge.random_games import random_rules
from tests.knowledge.wider_games import wider_rules
from tests.toys import gather_text

QUICK = Effort(groups=4, truths=1, draws=25, most_draws=150, fair_draws=120, fair_groups=1)
SURE = replace(QUICK, groups=12, draws=400, most_draws=4_000, fair_draws=4_000)
NODES = 700  # decisions of a game that is looked at
SECONDS = 20.0  # of CPU time for one game
KINDS: dict[str, Callable[[int], str]] = {"": random_rules, "wider": wider_rules, "changing": changing_rules}


UNNOTICED = " (while somebody is asked unnoticed)"


class Late(Exception):
    """A game took longer than a hunt has for it."""


@dataclass
class Finding:
    """What is wrong with one game: the property, and the first thing that contradicts it."""

    held: str
    told: str


@dataclass
class Tally:
    """What became of the games."""

    outcome: Counter[str] = field(default_factory=Counter)
    refused: Counter[str] = field(default_factory=Counter)
    approximate: Counter[str] = field(default_factory=Counter)


class Hunted(Proof):
    """A proof that leaves out draws which say that they are approximate."""

    def __init__(self, game: Any, effort: Effort) -> None:
        super().__init__(game, effort)
        self.approximate: Counter[str] = Counter()

    def draw(self, player: int, node: Node, group: list[Node], draws: int, till_all: bool = False) -> Drawn:
        drawn = super().draw(player, node, group, draws, till_all)
        if not drawn.approximate:
            return drawn
        self.approximate.update(told + ("" if node.noticed[player] else UNNOTICED) for told in drawn.approximate)
        excused = Drawn(player, node, group)
        excused.worlds.update(drawn.key(one.world) for one in group)  # as if each had come up once
        excused.crashes = drawn.crashes
        return excused


def problems_of(rules: str, effort: Effort, tally: Tally, only: str = "") -> list[Finding]:
    """Everything that contradicts a property; nothing if the rules are not accepted or the game is not tiny."""
    program = accepted(rules, tally)
    if program is None:
        return []
    before, histories.MOST = histories.MOST, NODES
    try:
        with cpu_limit(SECONDS):
            proof = Hunted(game_from_program(program), effort)
            wrong = [
                Finding(held, told)
                for held, judge in PROPERTIES.items()
                if only in ("", held)
                for told in judge(proof)[:1]
                if not (held == "fair" and proof.approximate)
            ]
    except Fault:  # the rules themselves are at fault: a dead end, a number out of its range
        tally.outcome["faulty"] += 1
        return []
    except Late:
        tally.outcome["too long"] += 1
        return []
    except AssertionError as trouble:
        if "not tiny" in str(trouble):
            tally.outcome["not tiny"] += 1
            return []
        return [Finding("crash", traceback.format_exc(limit=-3))]
    except Exception:
        return [Finding("crash", traceback.format_exc(limit=-3))]
    finally:
        histories.MOST = before
    tally.approximate.update(proof.approximate.keys())
    tally.outcome["wrong" if wrong else "approximate" if proof.approximate else "right"] += 1
    return wrong


def accepted(rules: str, tally: Tally) -> Program | None:
    """The checked program, if nothing is said against the rules."""
    found = Diagnostics()
    try:
        program = check(gather_text(rules, None, players_of(rules), found), found)
    except AssertionError:  # no rules at all: a line that was taken out was needed
        program = None
    errors = [one for one in found if one.severity is Severity.error]
    if program is None or errors:
        tally.outcome["refused"] += 1
        tally.refused.update(f"{one.code} {one.headline}" for one in errors[:1])
        return None
    return program


def players_of(rules: str) -> int:
    """How many play: two, if the first line does not say otherwise."""
    return 3 if rules.startswith("game ") and "for 3 players" in rules.splitlines()[0] else 2


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    def late(*_: Any) -> None:
        raise Late

    signal.signal(signal.SIGVTALRM, late)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)


# ---------------------------------------------------------------------------- shrinking


def shrunk(rules: str, is_wrong: Callable[[str], bool]) -> str:
    """The rules with every line taken out that the wrong does not need, each with the block below it."""
    lines = rules.splitlines()
    changed = True
    while changed:
        changed = False
        for start in range(len(lines) - 1, -1, -1):
            if start >= len(lines):
                continue
            for shorter in (without_block(lines, start), without_head(lines, start)):
                if shorter is not None and is_wrong("\n".join(shorter) + "\n"):
                    lines, changed = shorter, True
                    break
    return "\n".join(lines) + "\n"


def without_block(lines: list[str], start: int) -> list[str]:
    end = start + 1
    while end < len(lines) and depth(lines[end]) > depth(lines[start]):
        end += 1
    return lines[:start] + lines[end:]


def without_head(lines: list[str], start: int) -> list[str] | None:
    """The block below a line in its stead: `if C` goes, and what it does stays."""
    end = start + 1
    while end < len(lines) and depth(lines[end]) > depth(lines[start]):
        end += 1
    if end == start + 1:
        return None
    return lines[:start] + [line[2:] for line in lines[start + 1 : end]] + lines[end:]


def depth(line: str) -> int:
    return len(line) - len(line.lstrip())


# ---------------------------------------------------------------------------- the hunt


def hunt(first: int, count: int, folder: Path, tally: Tally, rules_of: Callable[[int], str] = random_rules) -> None:
    """Goes through some games; what is found is in the folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(first, first + count):
        rules = rules_of(number)
        quick = problems_of(rules, QUICK, tally)
        if not quick:
            continue
        found = confirmed(rules, quick)
        if not found:  # with more draws nothing contradicts it
            tally.outcome.update({"wrong": -1, "right": 1})
        for finding in found[:1]:
            held = finding.held
            small = shrunk(rules, lambda text, held=held: is_confirmed(text, held))  # type: ignore[misc]
            told = next((one.told for one in problems_of(small, SURE, Tally(), held)), finding.told)
            note = "".join(f"# {line}\n" for line in f"{number} {held}: {told}".splitlines())
            (folder / f"{held}_{number}.rules").write_text(note + small)
            print(note + small, flush=True)


def confirmed(rules: str, quick: list[Finding]) -> list[Finding]:
    """The findings that do not go away with more draws."""
    found = []
    for finding in quick:
        if finding.held == "crash":
            return [finding]
        found += [one for one in problems_of(rules, SURE, Tally(), finding.held) if one.held == finding.held]
    return found


def is_confirmed(rules: str, held: str) -> bool:
    quick = problems_of(rules, QUICK, Tally(), "" if held == "crash" else held)
    wrong = [one for one in quick if one.held == held]
    return bool(wrong) and any(one.held == held for one in confirmed(rules, wrong))


def main() -> None:
    os.environ.setdefault("RULEWRIGHT_BACKEND", "python")
    first, count = int(sys.argv[1]), int(sys.argv[2])
    folder = Path(sys.argv[3] if len(sys.argv) > 3 else ".hunt")
    began, tally = time.process_time(), Tally()

    def interrupted(*_: Any) -> None:
        raise KeyboardInterrupt

    signal.signal(signal.SIGTERM, interrupted)
    with suppress(KeyboardInterrupt):
        hunt(first, count, folder, tally, KINDS[sys.argv[4] if len(sys.argv) > 4 else ""])
    print(f"{tally.outcome.total()} games in {time.process_time() - began:.0f} s of CPU time:", dict(tally.outcome))
    for told, times in tally.refused.most_common(40):
        print(f"  refused {times}: {told}")
    for told, times in tally.approximate.most_common():
        print(f"  approximate {times}: {told}")


if __name__ == "__main__":
    main()
