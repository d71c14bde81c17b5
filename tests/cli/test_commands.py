"""The command line as a person meets it: help, unknown things, exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from interpreter.cli.commands import COMMANDS, exit_code_of

ROOT = Path(__file__).parents[2]


def test_help_lists_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["--help"]) == 0
    shown = capsys.readouterr().out
    assert all(f"  {name} " in shown for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of([name, "--help"]) == 0
    shown = capsys.readouterr().out
    assert f"rulewright {name}" in shown.split("Examples:")[1]


@pytest.mark.parametrize(
    ("args", "code", "message"),
    [
        (["lst"], 2, "error: there is no command `lst`\n  = help: did you mean `list`?"),
        (["check", "toy"], 2, "error: there is no command `check`\n  = help: did you mean `validate`?"),
        (["frobnicate"], 2, "error: there is no command `frobnicate`\n  = help: `rulewright --help` lists"),
        (["list", "--colour"], 2, "error: no such option"),
        (["list", "--format", "xml"], 2, "error: invalid value for '--format'"),
        (["simulate"], 2, "error: missing argument 'NAME'"),
        (["simulate", "tic_tac_toe", "--games", "none"], 2, "error: invalid value for '--games'"),
        (
            ["validate", "--deep", "nim"],
            2,
            "error: invalid value for '--deep': a number is expected, such as --deep 20",
        ),
        (
            ["validate", "nim", "--deep"],
            2,
            "error: '--deep' needs a number, such as --deep 20\n  = help: `rulewright validate",
        ),
        (["simulate", "nim", "--games", "0"], 2, "error: invalid value for '--games': 0 is not in the range x>=1"),
        (["tournament", "nim", "--games", "4"], 2, "error: no such option '--games'. Did you mean '--rounds'?"),
        (["build", "nim", "--out", "x"], 2, "error: no such option '--out'. Did you mean '--to'?"),
        (["validate"], 2, "error: which ruleset?"),
        (["validate", "--all", "pikit"], 2, "error: either names or --all, not both"),
        (["validate", "tic_tac_to"], 2, "error[R0220]: there is no ruleset `tic_tac_to`"),
        (["test"], 2, "error: which ruleset?"),
        (["play"], 2, "error: which game?"),
        (["play", "--resume", "missing.json"], 2, "error: there is no file `missing.json`"),
        (["replay", "missing.json"], 2, "error: there is no file `missing.json`"),
        (["fmt", "missing.rules"], 2, "error: there is no file `missing.rules`"),
        (["explain", "R9999"], 2, "error: there is no code `R9999`"),
    ],
)
def test_misuse_is_told(args: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(args) == code
    shown = capsys.readouterr()
    assert message in shown.err + shown.out
    assert "Traceback" not in shown.err


def test_the_list_fits_its_schema(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    assert exit_code_of(["list", "--format", "json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    jsonschema.validate(listed, json.loads((ROOT / "schemas" / "list.schema.json").read_text()))
    nim = next(entry for entry in listed if entry["name"] == "nim")
    assert nim["players"] == [2]
    assert [variant["name"] for variant in nim["variants"]] == ["last_wins"]


def test_the_list_as_text(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    exit_code_of(["list"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].split() == ["name", "title", "players", "clauses", "scenarios"]
    assert any(line.startswith("tic_tac_toe") for line in lines)
    assert "\x1b" not in "".join(lines)


def test_a_broken_manifest_is_a_finding(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "ruleset.yaml").write_text("name: 3\n")
    monkeypatch.chdir(tmp_path)
    assert exit_code_of(["list"]) == 1
    assert "ruleset.yaml:1" in capsys.readouterr().err


def test_a_folder_that_is_no_ruleset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["validate", str(tmp_path)]) == 2
    assert "is no ruleset" in capsys.readouterr().out


def test_explaining_codes(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["explain"]) == 0
    codes = [line.split()[0] for line in capsys.readouterr().out.splitlines()]
    assert len(codes) > 10
    assert exit_code_of(["explain", codes[0].lower()]) == 0
    assert capsys.readouterr().out.startswith(codes[0])
    assert exit_code_of(["explain", codes[0][:3]]) == 0
    assert codes[0] in capsys.readouterr().out


def test_formatting(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.rules"
    file.write_text("part of a\n\n\n\nenum  Colour = red|blue\n")
    assert exit_code_of(["fmt", "--check", str(tmp_path)]) == 1
    assert capsys.readouterr().out == f"would change  {file}\n"
    assert exit_code_of(["fmt", str(file)]) == 0
    assert capsys.readouterr().out == f"changed  {file}\n"
    assert exit_code_of(["fmt", "--check", str(file)]) == 0
    assert capsys.readouterr().out == "1 file, all in their layout\n"


def test_codes_and_layout_as_data(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["explain", "r01", "--format", "json"]) == 0
    codes = json.loads(capsys.readouterr().out)
    jsonschema.validate(codes, json.loads((ROOT / "schemas" / "explain.schema.json").read_text()))
    assert len(codes) > 5 and {code["code"][:3] for code in codes} == {"R01"}
    good, bad = tmp_path / "good.rules", tmp_path / "bad.rules"
    good.write_text("part of a\nenum  A =  b | c\n")
    bad.write_text('part of a\n\tgame "x\n')
    assert exit_code_of(["fmt", str(tmp_path), "--check", "--format", "json"]) == 1
    told = json.loads(capsys.readouterr().out)
    jsonschema.validate(told, json.loads((ROOT / "schemas" / "fmt.schema.json").read_text()))
    assert (told["files"], told["is_check"], told["changed"]) == (2, True, [str(good)])
    assert told["diagnostics"] and told["diagnostics"][0]["code"].startswith("R01")


def test_formatting_what_is_no_rules_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "a.rules"
    file.write_text('part of a\n\tgame "x\n')
    assert exit_code_of(["fmt", str(file)]) == 1
    assert "error[R01" in capsys.readouterr().err
    assert file.read_text() == 'part of a\n\tgame "x\n'
    file.write_bytes(b"\xff\xfe")
    assert exit_code_of(["fmt", str(file)]) == 2
    assert "no text in UTF-8" in capsys.readouterr().err
    assert exit_code_of(["fmt", str(ROOT / "schemas")]) == 2
    assert "no rules file in the folder" in capsys.readouterr().err


def test_as_a_module() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "interpreter", "lst"], capture_output=True, text=True, cwd=ROOT, check=False
    )
    assert done.returncode == 2
    assert done.stderr == "error: there is no command `lst`\n  = help: did you mean `list`?\n"
    assert done.stdout == ""


def test_a_reader_that_goes_away_is_no_error() -> None:
    done = subprocess.run(
        f"{sys.executable} -m interpreter explain | head -1", shell=True, capture_output=True, text=True, cwd=ROOT,
        check=False,
    )  # fmt: skip
    assert done.stderr == ""
