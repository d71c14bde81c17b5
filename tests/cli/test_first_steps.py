"""What somebody meets who plays and simulates a first game: sets, saves, automas, faults."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.cli.commands import exit_code_of

RULES = """\
game picnic "Picnic" for 2 players

kind Fruit
  copies 1 for each weight: 1..6

table
  meadow: pool of Fruit open

each player
  basket: pool of Fruit open

setup
  move all f in Fruit to meadow

play
  in turn p from seat1 until meadow is empty
    turn(p)

phase turn(p)
  choose one "What now?"
    "Eat"
      choose 2 f in meadow as taken "What do you take?"
      move taken to p.basket
    "Nap"
      move all f in meadow to p.basket
    otherwise "Leave"

score p
  "Weight"  sum(f.weight for f in p.basket)

variant solo of picnic "Alone against the ants"
  seat 2 is automa ants
  instead of turn(p) when p is automa
    move up to 2 f in meadow to p.basket

variant dead of picnic "Nothing to do"
  before turn(p)
    draw 1 from pile_of_none to p.basket
  table
    pile_of_none: pile of Fruit hidden
"""


@pytest.fixture
def picnic(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "picnic"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: picnic\n", encoding="utf-8")
    (folder / "picnic.rules").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def played(*arguments: str, lines: str) -> str:
    command = [sys.executable, "-m", "interpreter", "play", *arguments]
    return subprocess.run(command, input=lines, capture_output=True, text=True, check=True).stdout


def test_a_set_says_how_it_is_picked_and_a_resumed_game_stays_in_its_file(picnic: Path) -> None:
    shown = played("picnic", "--seed", "3", "--seat", "2=first", lines="Eat\n? Fruit 6\n1\ns mine.json\nq\n")
    assert "What do you take?  (one by one, in the order of the list)" in shown
    assert "(one by one, in the order of the list; so far: Fruit 1)" in shown
    assert "a set is picked in the order of the list, and what stands behind this is too little" in shown
    before = (picnic / "mine.json").read_text(encoding="utf-8")
    assert "Saved in mine.json" in played("--resume", "mine.json", lines="1\nq\n")
    assert (picnic / "mine.json").read_text(encoding="utf-8") != before
    assert not (picnic / "picnic-3.save.json").exists()


def test_what_is_offered_otherwise_says_so(picnic: Path) -> None:
    assert "it is offered only if nothing else is" in played("picnic", lines="? Leave\nq\n")


def test_an_automa_is_no_bot(picnic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["simulate", "picnic+solo", "--games", "3", "--bots", "random"]) == 0
    shown = capsys.readouterr().out
    assert "1 seat1  random" in shown and "2 ants   automa" in shown


FULL = """
game full "Full" for 2 players
each player
  coins: 0..9
play
  in turn p from seat1 until p.coins > 8
    choose n in 5..6 "How many?"
    p.coins += n
"""


def test_a_fault_of_a_game_in_a_folder_is_replayed_from_that_folder(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "my games"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: full\n", encoding="utf-8")
    (folder / "full.rules").write_text(FULL, encoding="utf-8")
    assert exit_code_of(["simulate", str(folder), "--games", "3", "--bots", "random"]) == 1
    told = re.search(r"note: rulewright (replay .*)", capsys.readouterr().err)
    assert told is not None and str(folder) in told[1]
    assert exit_code_of(shlex.split(told[1])) == 1 and "R0901" in capsys.readouterr().err


@pytest.mark.parametrize(("bots", "jobs"), [("random", "1"), ("first", "1"), ("random", "2")])
def test_a_fault_among_many_games_can_be_replayed(
    picnic: Path, capsys: pytest.CaptureFixture[str], bots: str, jobs: str
) -> None:
    assert exit_code_of(["simulate", "picnic+dead", "--games", "60", "--bots", bots, "--jobs", jobs]) == 1
    assert "rulewright replay picnic+dead:2:" in capsys.readouterr().err


def test_coverage_says_how_to_find_its_faults(picnic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (picnic / "picnic" / "rulebook.yaml").write_text("clauses: [{id: P-1, summary: Eat.}]\n", encoding="utf-8")
    exit_code_of(["coverage", "picnic+dead", "--games", "2"])
    asked = "`rulewright validate picnic+dead --deep 2` tells which"
    assert f"2 of them end in a fault of the rules: {asked}" in capsys.readouterr().out


def test_a_finding_of_the_ruleset_is_told_once_for_all_scenarios(
    picnic: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    scenarios = "".join(
        f'scenario "{name}" with {variant}\n  given\n    at play\n  then\n    the game goes on\n'
        for name, variant in (("One", "solo"), ("Two", "solos"), ("Three", "dead"))
    )
    (picnic / "picnic" / "scenarios").mkdir()
    (picnic / "picnic" / "scenarios" / "all.rules").write_text("part of picnic\n" + scenarios, encoding="utf-8")
    assert exit_code_of(["test", "picnic"]) == 1
    shown = capsys.readouterr().out
    assert shown.count("has no variant `solos`") == 1
    assert "has findings, as above" in shown


def test_list_counts_the_scenarios_that_test_runs(picnic: Path, capsys: pytest.CaptureFixture[str]) -> None:
    scenario = 'scenario "It goes on"\n  given\n    after setup\n    at play\n  then\n    the game goes on\n'
    (picnic / "feast").mkdir()
    (picnic / "feast" / "ruleset.yaml").write_text("name: feast\n", encoding="utf-8")
    (picnic / "feast" / "feast.rules").write_text(
        'game feast "Feast" for 2 players\nuse picnic\n' + scenario, encoding="utf-8"
    )
    with (picnic / "picnic" / "picnic.rules").open("a", encoding="utf-8") as file:
        file.write("\n" + scenario)
    assert exit_code_of(["list", "--format", "json"]) == 0
    counted = {entry["name"]: entry["scenarios"] for entry in json.loads(capsys.readouterr().out)}
    assert exit_code_of(["test", "feast"]) == 0
    assert "feast: 1 passed" in capsys.readouterr().out and counted["feast"] == 1


def test_without_a_command_it_says_what_to_do_first(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of([]) == 0
    shown = capsys.readouterr().out
    commands = [line.split("  ")[1] for line in shown.splitlines() if line.startswith("  rulewright ")]
    assert commands[0] == "rulewright list" and commands[1].startswith("rulewright play ")
    assert exit_code_of(["show", commands[1].split()[-1], "rules"]) == 0  # a game that is there


@pytest.mark.parametrize("name", ["connect4", "Connect-Four", "connectfour"])
@pytest.mark.parametrize("command", [["validate"], ["test"], ["show", "rules"]])
def test_a_name_is_found_by_how_it_is_spoken(name: str, command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of([command[0], name, *command[1:]]) == 0
    told = capsys.readouterr()
    assert told.err == f"`{name}` is taken for `connect_four`\n"
    assert "connect_four" in told.out


def test_a_name_that_several_games_have_when_spoken_is_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("four_four", "four4"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "ruleset.yaml").write_text(f"name: {name}\n", encoding="utf-8")
    assert exit_code_of(["validate", "FourFour"]) == 2
    told = capsys.readouterr()
    assert "did you mean `four4` or `four_four`?" in told.out and not told.err


def test_a_new_game_may_have_a_name_that_sounds_like_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert exit_code_of(["new", "game", "connect4"]) == 0
    assert (tmp_path / "connect4" / "ruleset.yaml").is_file() and not capsys.readouterr().err
