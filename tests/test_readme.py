"""What the README shows works as it stands there: its Python, its commands, its folders."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

ROOT = Path(__file__).resolve().parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("code", blocks("python"))
def test_python_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_first_command_simulates_a_game() -> None:
    from interpreter.cli import main

    program, *arguments = blocks("sh")[0].split()
    assert program == "tools/rulewright"
    few = ["20" if word == "1000" else word for word in arguments]
    done = CliRunner().invoke(main, few)
    assert done.exit_code == 0, done.output


def test_every_command_of_the_table_exists() -> None:
    from interpreter.cli import main

    for command in re.findall(r"^\| `rulewright (\w+)", README, re.MULTILINE):
        done = CliRunner().invoke(main, [command, "--help"])
        assert done.exit_code == 0, done.output


def test_every_folder_of_the_layout_exists() -> None:
    for folder in re.findall(r"^\| `(\w+)/`", README, re.MULTILINE):
        assert (ROOT / folder).is_dir(), folder


def test_the_ruleset_shown_is_the_ruleset() -> None:
    shown = blocks("rules")[0].splitlines()
    rules = (ROOT / "rulesets" / "tic_tac_toe" / "tic_tac_toe.rules").read_text(encoding="utf-8").splitlines()
    code = [line for line in rules if not line.startswith("#")]
    assert [line for line in shown if line] == [line.split("  @")[0].rstrip() for line in code if line.strip()]
