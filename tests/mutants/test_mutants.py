"""Rulesets broken on purpose: every one is found, and the finding names what was broken.

`mutants.yaml` lists the edits. Those that the static checks find take a fraction of a second each; those for the
author's scenarios compile the broken game; the deep ones play it, and are marked `deep`. That playing finds nothing in
the untouched ones is tested in `tests/study/test_deep_rulesets.py`.
"""

from __future__ import annotations

from pathlib import Path

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
    return [pytest.param(mutant, id=f"{mutant.game}: {mutant.idea}") for mutant in mutants() if mutant.by == stage]


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
def test_the_checks_find_it(mutant: Mutant, tmp_path: Path) -> None:
    reports = check_reports(mutant, mutant.break_copy(tmp_path))
    assert reports, "nothing was found"
    assert names_it(mutant, reports), "\n".join(reports)


@pytest.mark.parametrize("mutant", _of("scenarios"))
def test_the_scenarios_find_it(mutant: Mutant, tmp_path: Path) -> None:
    reports = scenario_reports(mutant, mutant.break_copy(tmp_path))
    assert reports, "no scenario fails"
    assert names_it(mutant, reports), "\n".join(reports)


@pytest.mark.deep
@pytest.mark.parametrize("mutant", _of("deep"))
def test_playing_finds_it(mutant: Mutant, tmp_path: Path, is_long: bool) -> None:
    reports = deep_reports(mutant, mutant.break_copy(tmp_path), 200 if is_long else DEEP_GAMES)
    assert reports, "nothing was found"
    assert names_it(mutant, reports), "\n".join(reports)


@pytest.mark.parametrize("game", GAMES)
def test_the_untouched_ruleset_is_clean(game: str) -> None:
    assert untouched_findings(game) == []
