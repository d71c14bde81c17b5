"""The commands that study a ruleset: what they print, and their exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from interpreter.cli.commands import exit_code_of
from interpreter.cli.validate_deep import _shares
from interpreter.study.deep import Deep

ROOT = Path(__file__).parents[2]
FAULTY = str(ROOT / "tests" / "study" / "faulty")


def schema(name: str) -> dict[str, object]:
    found: dict[str, object] = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
    return found


def test_every_decision_can_be_looked_at(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["validate", "kuhn_poker", "--deep", "3", "--all-decisions", "--format", "json"]) in (0, 1)
    (shown,) = json.loads(capsys.readouterr().out)["rulesets"]
    assert shown["asked_again"] == shown["decisions"] > 0


def test_deep_findings_fit_the_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["validate", FAULTY, "--deep", "6", "--format", "json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    jsonschema.validate(shown, schema("diagnostics"))
    assert shown["deep"] == {"games": 6, "seed": 0}
    assert [unit["players"] for unit in shown["rulesets"][0]["played"]] == [2, 3]
    assert shown["rulesets"][0]["greedy_games"] == 4
    assert 0 < shown["rulesets"][0]["asked_again"] < shown["rulesets"][0]["decisions"]
    assert {"R0710", "R0715"} <= {finding["code"] for finding in shown["diagnostics"]}


def test_several_processes_find_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    shown = []
    for jobs in ("1", "2"):
        exit_code_of(["validate", FAULTY, "--deep", "4", "--jobs", jobs, "--format", "json"])
        shown.append(json.loads(capsys.readouterr().out))
    assert shown[0] == shown[1]


def test_a_sound_ruleset_is_clean_and_its_seeds_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["validate", "tic_tac_toe", "--deep", "8", "--seed", "5"]) == 0
    assert capsys.readouterr().out == (
        "tic_tac_toe: clean; 8 games of 1 combination with seeds 5 to 12\n"
        "  tic_tac_toe for 2: 8 games\n"
        "  greedy seats in 2 games\n"
    )


def test_every_combination_is_told_with_its_games(capsys: pytest.CaptureFixture[str]) -> None:
    exit_code_of(["validate", "pikit", "--deep", "1"])
    shown = capsys.readouterr().out.split("\n")
    assert "  pikit for 2, 3, 4: 1 game each" in shown
    assert "  pikit+mecha_in_addition for 2, 3, 4: 1 game each" in shown
    assert any(line.endswith(" decisions compared with worlds drawn for a player") for line in shown)


def test_games_that_were_not_played_any_more_are_told() -> None:
    deep = Deep(units=[("toy", 2, 1, 0), ("toy", 3, 60, 0)], greedy=7)
    assert _shares(deep) == ["toy for 2, 3: 1, 60 games", "greedy seats in 7 games"]


def test_a_ruleset_that_is_not_there(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["coverage"], ["audit"], ["validate", "--deep", "3"]):
        assert exit_code_of([*args, "no_such_game"]) == 2
        shown = capsys.readouterr()
        assert "there is no ruleset `no_such_game`" in shown.err + shown.out
    assert exit_code_of(["compare", "nim", "no_such_game"]) == 2


def test_coverage_as_text_data_and_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert exit_code_of(["coverage", FAULTY, "--games", "4", "--html", str(page), "--format", "json"]) == 1
    jsonschema.validate(json.loads(capsys.readouterr().out), schema("coverage"))
    assert page.read_text(encoding="utf-8").startswith("<!doctype html>")
    assert exit_code_of(["coverage", FAULTY, "--html", str(tmp_path / "nowhere" / "page.html")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_a_record_in_one_word_is_replayed(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["replay", "tic_tac_toe:2:7:0,4,8"]) == 0
    assert "Replayed: the whole record." in capsys.readouterr().out
    assert exit_code_of(["replay", "tic_tac_toe:2:7:0,0"]) == 1
    assert exit_code_of(["replay", "tic_tac_toe:2:7:x"]) == 2


def test_games_that_never_have_the_same_players(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["compare", "tic_tac_toe", "nim", "--games", "2", "--bots", "random,random,random"]) == 2
    assert "3 bots for 2 seats" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["coverage", "audit", "audit_check", "comparison", "box", "soak", "client"])
def test_schemas_are_sound(kind: str) -> None:
    jsonschema.Draft202012Validator.check_schema(schema(kind))
