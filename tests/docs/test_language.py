"""Every example of docs/language.md is checked and played, and goes wrong where the page says that it does."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.check.check import check
from interpreter.diagnostics import Diagnostic, Diagnostics, render_all
from interpreter.play.scenarios import find_scenarios, run_scenarios
from interpreter.ruleset.gather import gather
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.docs.examples import Example, examples
from tests.docs.fences import DOCS

EXAMPLES = examples(DOCS / "language.md")
SEEDS = range(5)
NEVER_USED = "R075"  # a short example declares things without using them


def asked(example: Example, folder: Path) -> str:
    return f"{folder}+{example.variant}" if example.variant else str(folder)


def findings(name: str, players: int | None) -> tuple[list[Diagnostic], int, int]:
    """What is found for so many players, the number of players that was meant, and the most."""
    found = Diagnostics()
    gathered = gather(name, players, found)
    if gathered is None:
        return found.found, 0, 0
    if not found.has_errors:
        check(gathered, found)
    return found.found, gathered.players, gathered.most


def all_findings(example: Example, folder: Path) -> list[Diagnostic]:
    """What is found for any number of players."""
    name = asked(example, folder)
    found, players, most = findings(name, None)
    while players < most:
        more, players, most = findings(name, players + 1)
        found += more
    return found


PLAYED = [e for e in EXAMPLES if not e.code and e.form not in ("true", "scenario")]


def example_id(example: Example) -> str:
    return f"{example.fence.line}-{example.form}"


@pytest.mark.parametrize("example", [e for e in EXAMPLES if not e.code], ids=example_id)
def test_is_right_and_plays(example: Example, tmp_path: Path) -> None:
    folder = example.write(tmp_path)
    short = example.form in ("table", "part", "steps", "true", "variant")
    found = [f for f in all_findings(example, folder) if not (short and f.code.startswith(NEVER_USED))]
    assert not found, render_all(found)
    for verdict in run_scenarios(find_scenarios(str(folder))):
        failure = verdict.failure
        assert failure is None, f"{failure.span.at}: {failure.message}; found {failure.found}"
    if example in PLAYED:
        game = rw.load(asked(example, folder))
        for seed in SEEDS:
            assert game.playout(seed).over


@pytest.mark.parametrize("example", PLAYED, ids=example_id)
def test_plays_as_the_slow_evaluator_does(example: Example, tmp_path: Path) -> None:
    game = rw.load(asked(example, example.write(tmp_path)))
    rng = random.Random(example.fence.line)
    for seed in range(2):
        slow = SlowGame(game.program)
        assert lock_step(game.new(seed=seed), slow, seed, rng.randrange) is None


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.code], ids=example_id)
def test_is_wrong(example: Example, tmp_path: Path) -> None:
    folder = example.write(tmp_path)
    found = all_findings(example, folder)
    told = [(f.code, f.primary.span.line) for f in found if not f.code.startswith(NEVER_USED)]
    told = told or [(f.code, f.primary.span.line) for f in found]
    assert {code for code, _ in told} == {example.code}, render_all(found)
    assert all(example.first_line <= line <= example.last_line for _, line in told), render_all(found)


def test_every_block_of_rules_is_an_example() -> None:
    assert len(EXAMPLES) > 60
