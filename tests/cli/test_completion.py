"""What a shell is offered at the Tab key."""

from __future__ import annotations

import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from interpreter.cli.commands import rulewright


def offered(*words: str) -> list[str]:
    shell = ShellComplete(rulewright, {}, "rulewright", "_RULEWRIGHT_COMPLETE")
    return [item.value for item in shell.get_completions(list(words[:-1]), words[-1])]


def test_games_and_variants() -> None:
    assert offered("play", "kal") == ["kalah"]
    assert offered("compare", "nim", "nim+") == ["nim+last_wins"]
    assert offered("validate", "nim", "tic") == ["tic_tac_toe"]
    assert offered("play", "nothing_like_this+") == []


def test_bots_rules_parts_and_codes() -> None:
    assert "greedy" in offered("simulate", "nim", "--bots", "")
    assert offered("simulate", "nim", "--bots", "random,mc") == ["random,mcts:"]
    assert offered("play", "nim", "--seat", "2=per") == ["2=person"]
    assert offered("show", "nim", "rule", "t") == ["take"]
    assert offered("show", "nim", "gu") == ["guards"]
    assert "R0100" in offered("explain", "R01")


def test_a_new_name_is_not_offered_one_that_exists() -> None:
    assert offered("new", "game", "ni") == []
    assert offered("new", "variant", "ni") == ["nim"]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_documented_line_works(shell: str) -> None:
    run = [sys.executable, "-m", "interpreter"]
    env = {"_RULEWRIGHT_COMPLETE": f"{shell}_source", "PATH": "/usr/bin:/bin"}
    made = subprocess.run(run, capture_output=True, text=True, env=env, timeout=60)
    assert made.returncode == 0 and "rulewright" in made.stdout and not made.stderr
