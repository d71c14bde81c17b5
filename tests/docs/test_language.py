"""Each example of docs/language.md and docs/mechanisms.md is checked and played, and the wrong ones are wrong."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.check.check import check
from interpreter.cli.combinations import combinations
from interpreter.diagnostics import Diagnostic, Diagnostics, Source, render_all
from interpreter.play.scenarios import find_scenarios, run_scenarios
from interpreter.ruleset.gather import gather
from interpreter.syntax import nodes
from interpreter.syntax.parse import parse_rules
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.docs import shell
from tests.docs.examples import Example, examples
from tests.docs.fences import DOCS

EXAMPLES = examples(DOCS / "language.md") + examples(DOCS / "mechanisms.md")
SEEDS = range(5)
OF_CELLS = {"Cell", "CellCall", "CellArg"}  # stand in tables, not in rules
NEVER_USED = "R075"  # a short example declares things without using them


def findings(name: str, players: int | None) -> tuple[list[Diagnostic], int, int]:
    """What is found for so many players, the number of players that was meant, and the most."""
    found = Diagnostics()
    gathered = gather(name, players, found)
    if gathered is None:
        return found.found, 0, 0
    if not found.has_errors:
        check(gathered, found)
    return found.found, gathered.players, gathered.most


def all_findings(name: str) -> list[Diagnostic]:
    """What is found for any number of players."""
    found, players, most = findings(name, None)
    while players < most:
        more, players, most = findings(name, players + 1)
        found += more
    return found


def meant(example: Example, folder: Path) -> list[str]:
    """The games that an example is about: its variant, or the game with each of its variants that go together."""
    if example.form != "game":
        return [f"{folder}+{example.variant}" if example.variant else str(folder)]
    gathered = gather(str(folder), None, Diagnostics())
    assert gathered is not None
    return combinations(str(folder), gathered.all_variants)


RIGHT = [e for e in EXAMPLES if not e.code]
PLAYED = [e for e in RIGHT if e.form not in ("true", "scenario")]


def example_id(example: Example) -> str:
    page = "" if example.fence.document == "language.md" else f"{example.fence.document.removesuffix('.md')}-"
    return f"{page}{example.fence.line}-{example.form}"


def of_each(chosen: list[Example]) -> list[object]:
    """The tests of one example follow one another in the same worker: it is checked and compiled once."""
    names = [example_id(one) for one in chosen]
    groups = [pytest.mark.xdist_group(f"language {name}") for name in names]
    return [pytest.param(one, id=name, marks=group) for one, name, group in zip(chosen, names, groups, strict=True)]


@pytest.fixture
def folder(example: Example, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The ruleset of an example on disk, the same for all its tests."""
    home = tmp_path_factory.getbasetemp() / "language" / example_id(example)
    if home.is_dir():
        return home / example.name
    home.mkdir(parents=True)
    return example.write(home)


@pytest.mark.parametrize("example", of_each(RIGHT))
def test_is_right_and_plays(example: Example, folder: Path) -> None:
    short = example.form in ("table", "part", "steps", "true", "variant")
    for name in meant(example, folder):
        found = [f for f in all_findings(name) if not (short and f.code.startswith(NEVER_USED))]
        assert not found, render_all(found)
    if example.form == "game":
        code, printed = shell.run(["validate", str(folder)])
        assert code == 0, printed
    for verdict in run_scenarios(find_scenarios(str(folder))):
        failure = verdict.failure
        assert failure is None, f"{failure.span.at}: {failure.message}; found {failure.found}"
    for name in meant(example, folder) if example in PLAYED else ():
        game = rw.load(name)
        for seed in SEEDS:
            assert game.playout(seed).over


@pytest.mark.parametrize("example", of_each(PLAYED))
def test_plays_as_the_slow_evaluator_does(example: Example, folder: Path) -> None:
    game = rw.load(meant(example, folder)[-1])
    rng = random.Random(example.fence.line)
    for seed in range(2):
        slow = SlowGame(game.program)
        assert lock_step(game.new(seed=seed), slow, seed, rng.randrange) is None


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.code], ids=example_id)
def test_is_wrong(example: Example, folder: Path) -> None:
    found = all_findings(str(folder))
    told = [(f.code, f.primary.span.line) for f in found if not f.code.startswith(NEVER_USED)]
    told = told or [(f.code, f.primary.span.line) for f in found]
    assert {code for code, _ in told} == {example.code}, render_all(found)
    assert all(example.first_line <= line <= example.last_line for _, line in told), render_all(found)


def test_every_form_of_the_language_has_an_example() -> None:
    """Each node of the tree that the grammar can make occurs in an example that is right."""
    seen: set[str] = set()
    for example in EXAMPLES:
        for name, text in {"": example.rules, **example.files}.items():
            tree = parse_rules(Source(name, text), Diagnostics()) if not example.code and ".yaml" not in name else None
            seen |= {type(node).__name__ for node in every_node(tree)}
    forms = {name for name, form in vars(nodes).items() if isinstance(form, type) and issubclass(form, nodes.Node)}
    families = {base.__name__ for name in forms for base in getattr(nodes, name).__mro__[1:]}
    unread = {"Damage"}  # stands for text that could not be read: no grammar rule makes it
    unread.add("Fingerprint")  # nobody writes it: the rules of a history are made of it
    assert sorted(forms - families - seen - OF_CELLS - unread) == []


def every_node(part: object) -> Iterator[nodes.Node]:
    if isinstance(part, tuple):
        for item in part:
            yield from every_node(item)
    elif isinstance(part, nodes.Node):
        yield part
        for field in fields(part):
            yield from every_node(getattr(part, field.name))
