"""The examples of every `--help` can be pasted: their options exist, and so do the games, variants and constants."""

from __future__ import annotations

import re
import shlex

import click
import pytest
from click.testing import CliRunner

import interpreter as rw
from interpreter.cli.commands import COMMANDS, rulewright
from interpreter.cli.examples import with_real_names
from interpreter.ruleset.find import ruleset_folders

EXAMPLES = [
    (name, line)
    for name in COMMANDS
    for command in [rulewright.get_command(click.Context(rulewright), name)]
    for line in (command.epilog or "").split("\n")
    if line.strip().startswith("rulewright ")
]


def test_every_command_has_examples() -> None:
    assert {name for name, _ in EXAMPLES} == set(COMMANDS)


@pytest.mark.parametrize("language", ["en", "fr", "en"])
def test_help_speaks_of_games_that_are_there(language: str) -> None:
    shown = CliRunner().invoke(rulewright, ["--language", language, "--help"]).output
    assert "harbour" not in shown and "+" in shown


@pytest.mark.parametrize(("name", "line"), EXAMPLES, ids=[line.strip() for _, line in EXAMPLES])
def test_an_example_can_be_pasted(name: str, line: str) -> None:
    words = shlex.split(re.split(r"\s{2,}", line.strip())[0])
    assert words[0] == "rulewright"
    command = rulewright.get_command(click.Context(rulewright), words[1])
    assert command is not None
    known = {flag for parameter in command.params for flag in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= known
    assert "harbour" not in line and "tolls" not in line
    for word in words:
        base = word.partition("+")[0]
        if base in ruleset_folders():
            rw.load(word)


def test_without_words_the_help_stays_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.cli.examples._words", dict)
    assert with_real_names("  rulewright play harbour") == "  rulewright play harbour"


def test_remarks_stand_below_one_another(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.cli.examples._words", lambda: {"harbour": "sea"})
    text = "  rulewright play harbour      one\n  rulewright play harbour --x  two"
    assert with_real_names(text) == "  rulewright play sea      one\n  rulewright play sea --x  two"
