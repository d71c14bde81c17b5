"""Every command on a small ruleset of its own: what it prints, what it writes, how it leaves."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import jsonschema
import pytest

from interpreter.cli.commands import exit_code_of
from tests.play.toys import CARDS, DUEL, RULEBOOK, write_ruleset

ROOT = Path(__file__).parents[2]
SCENARIOS = """\
part of duel

scenario "Nobody buys for nothing" for 2 players                               @D-04
  given
    at turn(red)
    deck holds low
  then
    red may not choose "Buy victory" because @D-04

scenario "Rest is rest" for 3 players                                          @D-06
  given
    at play
    deck holds low
  when
    red chooses "Rest"
  then
    blue may choose exactly "Draw a card", "Rest"
"""
FAILING = """\

scenario "A hope"                                                              @D-05
  given
    at play
    deck holds low
  then
    red.coins == 3
"""

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def duel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder to stand in, with the ruleset `duel` in it."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path / "cache"))
    monkeypatch.chdir(tmp_path)
    return write_ruleset(
        tmp_path / "rulesets", "duel", DUEL, cards_yaml=CARDS, rulebook_yaml=RULEBOOK, scenarios__a_rules=SCENARIOS
    )


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    def run_here(*args: str) -> tuple[int, str, str]:
        code = exit_code_of(list(args))
        shown = capsys.readouterr()
        assert "Traceback" not in shown.err
        return code, shown.out, shown.err

    return run_here


def _schema(name: str) -> object:
    return json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text())


def _program(*args: str, lines: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "interpreter", *args]
    return subprocess.run(
        command, input=lines, capture_output=True, text=True, env=environment, check=False, timeout=60
    )


# ---------------------------------------------------------------------------- validate


def test_a_clean_ruleset(duel: Path, run: Run) -> None:
    assert run("validate", "duel") == (0, "duel: clean\n", "")
    assert run("validate", "duel") == (0, "duel: clean\n", "")  # from memory


def test_findings_as_text_and_as_data(duel: Path, run: Run) -> None:
    rules = duel / "duel.rules"
    rules.write_text(DUEL.replace("move c to heap", "move c to heep"))
    code, shown, _ = run("validate", "duel")
    assert code == 1
    assert "rulesets/duel/duel.rules:32:" in shown
    assert "did you mean `heap`?" in shown
    assert shown.endswith("duel: 1 finding\n")
    code, shown, _ = run("validate", "duel", "--format", "json")
    assert code == 1
    data = json.loads(shown)
    jsonschema.validate(data, _schema("diagnostics"))
    assert data["rulesets"] == [{"name": "duel", "combinations": 1, "findings": 1}]


def test_a_line_of_a_scenario_is_a_finding_too(duel: Path, run: Run) -> None:
    (duel / "scenarios" / "a.rules").write_text(SCENARIOS.replace("deck holds low", "deck holds lowe", 1))
    code, shown, _ = run("validate", "duel")
    assert code == 1
    assert "there is no piece `lowe` for `deck`" in shown
    assert "scenarios/a.rules:6:16" in shown


# ---------------------------------------------------------------------------- test


def test_scenarios_pass(duel: Path, run: Run) -> None:
    assert run("test", "duel") == (0, "duel: 2 passed\n", "")
    assert run("test", "duel", "-k", "REST") == (0, "duel: 1 passed\n", "")
    assert run("test", "duel", "--clause", "D-04") == (0, "duel: 1 passed\n", "")
    code, _, complaint = run("test", "duel", "-k", "nothing of the kind")
    assert code == 2
    assert "no scenario is meant" in complaint


def test_a_scenario_that_fails(duel: Path, run: Run) -> None:
    (duel / "scenarios" / "b.rules").write_text("part of duel\n" + FAILING)
    code, shown, _ = run("test", "duel", "--junit", "results.xml")
    assert code == 1
    assert shown == (
        "failed: A hope (duel, 2 players)\n"
        "  --> rulesets/duel/scenarios/b.rules:8:5\n"
        "   |  red.coins == 3\n"
        "  expectation: `red.coins == 3` does not hold\n"
        "    expected  red.coins == 3\n"
        "    found     red.coins is 0\n"
        "    running   play > turn\n"
        "    waiting   for red: What do you do? (2 options)\n"
        "    changed since the given state:\n"
        "      dice: + 1 and 6\n"
        "\n"
        "duel: 2 passed, 1 failed\n"
    )
    suite = ElementTree.parse("results.xml").getroot()[0]
    assert (suite.get("tests"), suite.get("failures")) == ("3", "1")
    failure = suite.find("testcase/failure")
    assert failure is not None and "red.coins is 0" in (failure.text or "")


def test_results_as_data(duel: Path, run: Run) -> None:
    (duel / "scenarios" / "b.rules").write_text("part of duel\n" + FAILING)
    code, shown, _ = run("test", "duel", "--format", "json")
    assert code == 1
    data = json.loads(shown)
    jsonschema.validate(data, _schema("test"))
    assert (data["passed"], data["failed"]) == (2, 1)
    assert data["scenarios"][2]["failure"]["line"] == 8


# ---------------------------------------------------------------------------- play, replay


def test_a_game_through_a_pipe_and_its_record(duel: Path, run: Run) -> None:
    played = _program("play", "duel", "--seat", "2=first", "--seed", "3", "--record", "game.json", lines="1\n" * 30)
    assert played.returncode == 0, played.stderr
    assert "The game is over" in played.stdout
    assert "Recorded in game.json" in played.stdout
    assert "\x1b" not in played.stdout
    jsonschema.validate(json.loads(Path("game.json").read_text()), _schema("record"))
    code, shown, _ = run("replay", "game.json")
    assert code == 0
    assert shown.endswith("Verified: the whole record.\n")
    code, shown, _ = run("replay", "game.json", "--format", "json")
    jsonschema.validate(json.loads(shown), _schema("replay"))


def test_saving_resuming_and_other_rules(duel: Path, run: Run) -> None:
    played = _program("play", "duel", "--seed", "3", lines="Rest\ns game.save.json\nq\n")
    assert played.returncode == 0, played.stderr
    jsonschema.validate(json.loads(Path("game.save.json").read_text()), _schema("save"))
    resumed = _program("play", "--resume", "game.save.json", lines="q\n")
    assert resumed.returncode == 0, resumed.stderr
    assert "Turn of red" in resumed.stdout
    cases = {
        ("play", "--resume", "game.save.json", "--seed", "4"): "goes on with its own seed",
        ("play", "--resume", "game.save.json", "--players", "3"): "is a game of 2 players, not 3",
        ("replay", "game.save.json"): "is no record: it is a save",
    }
    for args, message in cases.items():
        code, _, complaint = run(*args)
        assert code == 2
        assert message in complaint
    (duel / "duel.rules").write_text(DUEL.replace("pay 5 coins", "pay 6 coins"))
    code, _, complaint = run("play", "--resume", "game.save.json")
    assert code == 2
    assert "`game.save.json` was saved with other rules of `duel`" in complaint


def test_a_record_of_other_rules_shows_the_first_difference(duel: Path, run: Run) -> None:
    _program("play", "duel", "--seat", "1=first", "--seat", "2=first", "--record", "game.json")
    (duel / "duel.rules").write_text(DUEL.replace("until deck is empty", "until count(deck) <= 1"))
    code, shown, _ = run("replay", "game.json")
    assert code == 1
    assert "The rules have changed since this was recorded." in shown
    assert "The replay goes another way at choice 2." in shown
    assert "found     the game is over after 1 choices" in shown


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("play", "duel", "--seat", "2=randm"), "there is no kind of seat `randm`"),
        (("play", "duel", "--seat", "green=first"), "there is no seat `green`"),
        (("play", "duel", "--players", "7"), "error[R0223]"),
        (("play", "dual"), "there is no ruleset `dual`"),
        (("play", "duel+fast"), "`duel` has no variant `fast`"),
        (("simulate", "duel", "--bots", "randm"), "there is no bot `randm`"),
        (("simulate", "duel", "--bots", "first,first,first"), "3 bots for 2 seats"),
        (("simulate", "duel", "--json", "no/folder/r.json"), "there is no folder `no/folder`"),
        (("show", "duel", "stat"), "did you mean `state`?"),
        (("show", "duel", "rule", "tun"), "did you mean `turn`?"),
        (("replay", "rulesets/duel/duel.rules"), "is no record: it is not JSON"),
    ],
)
def test_misuse(args: tuple[str, ...], message: str, duel: Path, run: Run) -> None:
    code, _, complaint = run(*args)
    assert code == 2
    assert message in complaint


def test_a_fault_of_the_rules_leaves_a_record(duel: Path) -> None:
    (duel / "duel.rules").write_text(DUEL.replace("coins: 0..20", "coins: 0..3"))
    lines = "Play High\nPlay Mid\n" + "1\nPlay High\nPlay Mid\n" * 4
    played = _program("play", "duel", "--seat", "2=first", "--seed", "3", lines=lines)
    assert played.returncode == 1
    assert "error[R0901]" in played.stderr
    assert Path("duel-3.fault.json").exists()
    assert "Traceback" not in played.stderr


# ---------------------------------------------------------------------------- simulate, show


def test_simulating(duel: Path, run: Run) -> None:
    code, shown, complaint = run(
        "simulate", "duel", "--games", "20", "--players", "3", "--bots", "random", "--json", "report.json"
    )
    assert (code, complaint) == (0, "")
    assert shown.startswith("Duel (duel), 3 players, 20 games from seed 0\n")
    report = json.loads(Path("report.json").read_text())
    jsonschema.validate(report, _schema("report"))
    code, shown, _ = run(
        "simulate", "duel", "--games", "20", "--players", "3", "--bots", "random", "--format", "json", "--jobs", "2"
    )
    again = json.loads(shown)
    del again["speed"], report["speed"]
    assert again == report


def test_showing(duel: Path, run: Run) -> None:
    code, shown, _ = run("show", "duel", "state")
    assert code == 0
    assert shown.startswith("Duel for 2: ")
    assert "deck   table " in shown
    assert run("show", "duel", "rule")[1].startswith("Which rule? There are:\n")
    assert "turn(" in run("show", "duel", "rule", "turn")[1]
    assert run("show", "duel", "program")[1].startswith("game duel for 2 players: red, blue\n")
    assert "def " in run("show", "duel", "python")[1]
