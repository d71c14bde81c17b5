"""Comparing: the tests against known figures, and two games side by side."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from interpreter.cli.commands import exit_code_of
from interpreter.study.statistics import holm, incomplete_beta, proportions_test, welch_test

SCHEMA = Path(__file__).parents[2] / "schemas" / "comparison.schema.json"


def test_incomplete_beta_is_a_binomial_tail() -> None:
    assert incomplete_beta(2, 3, 0.4) == pytest.approx(0.5248)
    assert incomplete_beta(5, 1, 0.5) == pytest.approx(0.5**5)
    assert (incomplete_beta(2, 2, 0), incomplete_beta(2, 2, 1)) == (0, 1)


def test_welch_against_the_t_distribution() -> None:
    """Equal sizes and spreads: t = -1 with 8 degrees of freedom has the two-sided chance 0.34659."""
    assert welch_test([1, 2, 3, 4, 5], [2, 3, 4, 5, 6]) == pytest.approx(0.346594, abs=1e-6)
    assert welch_test([1, 1], [1, 1]) == 1
    assert welch_test([1, 1], [2, 2]) == 0
    assert welch_test([1], [2]) == 1


def test_proportions_against_the_normal_distribution() -> None:
    assert proportions_test(30, 100, 45, 100) == pytest.approx(0.028460, abs=1e-6)
    assert proportions_test(0, 10, 0, 10) == 1
    assert proportions_test(0, 0, 1, 2) == 1


def test_holm_corrects_the_smallest_most() -> None:
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([]) == []


def test_two_games_side_by_side(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["compare", "nim", "nim+last_wins", "--games", "60", "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    jsonschema.validate(shown, json.loads(SCHEMA.read_text(encoding="utf-8")))
    lines = {line["name"]: line for line in shown["lines"]}
    assert lines["ends: Took the last counter"]["figures"] == [0, 1]
    assert lines["ends: Took the last counter"]["significant"]
    assert not lines["decisions a game"]["significant"]


def test_a_game_does_not_differ_from_itself(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["compare", "tic_tac_toe", "tic_tac_toe", "--games", "40"]) == 0
    shown = capsys.readouterr().out
    assert "*" not in shown.split("\n\n")[1]
