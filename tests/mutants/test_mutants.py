"""Rulesets broken on purpose: every one is found, and the finding names what was broken.

`mutants.yaml` lists the edits. Those that the static checks find take a fraction of a second each; those for the
author's scenarios compile the broken game; the deep ones play it, and are marked `deep`. That playing finds nothing in
the untouched ones is tested in `tests/study/test_deep_rulesets.py`.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.mutants.hunt import (
    PADDING,
    RULESETS,
    Mutant,
    check_reports,
    deep_reports,
    mutants,
    names_it,
    scenario_reports,
    untouched_findings,
)

DEEP_GAMES = 60
GAMES = sorted({mutant.game for mutant in mutants()})


def _of(stage: str) -> list[object]:
    """The mutants that a stage finds; those of a game in one worker, since they share a copy of it."""
    found = [mutant for mutant in mutants() if mutant.by == stage]
    groups = {game: pytest.mark.xdist_group(f"mutants of {game}") for game in GAMES}
    return [pytest.param(one, id=f"{one.game}: {one.idea}", marks=groups[one.game]) for one in found]


@pytest.fixture
def broken(mutant: Mutant, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.getbasetemp() / "mutants"
    folder.mkdir(exist_ok=True)
    with mutant.broken(folder) as name:
        yield name


def test_there_are_enough_of_them() -> None:
    assert len(mutants()) >= 60
    assert len({(mutant.path, mutant.find, mutant.replace) for mutant in mutants()}) == len(mutants())


def test_padding_of_lines_does_not_matter() -> None:
    mutant = Mutant("any", "nim", "  roll dice  @P-034\n  stop", "", "check")
    assert mutant.pattern.search("phase turn\n  roll dice          @P-034\n  stop\n")
    assert mutant.pattern.search("  roll dice @P-034\n  stop")
    assert not mutant.pattern.search("  roll dice  @P-034\n stop")  # indentation does


@pytest.mark.parametrize("padding", [" ", "  ", " " * 30])
def test_every_mutant_is_found_however_lines_are_padded(padding: str) -> None:
    """Authors and formatters move clauses and columns; the edits stay where they are."""
    lost = []
    for mutant in mutants():
        text = (RULESETS / mutant.path).read_text(encoding="utf-8")
        if len(mutant.pattern.findall(PADDING.sub(padding, text))) != 1:
            lost.append(f"{mutant.game}: {mutant.idea}")
    assert not lost


@pytest.mark.parametrize("mutant", _of("check"))
def test_the_checks_find_it(mutant: Mutant, broken: str) -> None:
    reports = check_reports(mutant, broken)
    assert reports, "nothing was found"
    assert names_it(mutant, reports), "\n".join(reports)


@pytest.mark.parametrize("mutant", _of("scenarios"))
def test_the_scenarios_find_it(mutant: Mutant, broken: str) -> None:
    reports = scenario_reports(mutant, broken)
    assert reports, "no scenario fails"
    assert names_it(mutant, reports), "\n".join(reports)


@pytest.mark.deep
@pytest.mark.parametrize("mutant", _of("deep"))
def test_playing_finds_it(mutant: Mutant, broken: str, is_long: bool) -> None:
    reports = deep_reports(mutant, broken, 200 if is_long else DEEP_GAMES)
    assert reports, "nothing was found"
    assert names_it(mutant, reports), "\n".join(reports)


@pytest.mark.parametrize("game", GAMES)
def test_the_untouched_ruleset_is_clean(game: str) -> None:
    assert untouched_findings(game) == []
