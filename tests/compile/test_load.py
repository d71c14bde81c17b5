"""Compiled games in the cache: known by everything that they depend on."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from interpreter.compile import load
from interpreter.ruleset.find import own_rulesets


def test_every_file_that_has_a_part_in_compiling_is_in_the_key(tmp_path: Path) -> None:
    """Files of subpackages too."""
    package = Path(load.__file__).parent.parent
    for folder in ("syntax", "ruleset", "check", "compile"):
        shutil.copytree(package / folder, tmp_path / folder, ignore=shutil.ignore_patterns("__pycache__"))
    assert load.own_version() == load.version_of(package)
    seen = [load.version_of(tmp_path)]
    for changed in ("check/program/rules.py", "compile/ir/ops_sets.py", "syntax/rules.lark"):
        with (tmp_path / changed).open("a", encoding="utf-8") as file:
            file.write("\n")
        seen.append(load.version_of(tmp_path))
    assert len(set(seen)) == len(seen)


def test_the_same_rules_in_another_folder_are_compiled_anew(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Faults point into the folder that the rules were read from."""
    keys = set()
    for home in ("one", "two"):
        shutil.copytree(own_rulesets() / "nim", tmp_path / home / "nim")
        monkeypatch.chdir(tmp_path / home)
        keys.add(load.compiled_key(str(tmp_path / home / "nim"), 2, ""))
        keys.add(load.compiled_key(str(tmp_path / home / "nim"), 2, "places"))
    assert len(keys) == 4 and None not in keys


@pytest.mark.parametrize(
    "command", ["import interpreter as rw; rw.load('nim', 2).new(1)", "from interpreter.cli import main; main()"]
)
def test_what_is_in_the_cache_needs_neither_syntax_nor_compiler(command: str, tmp_path: Path) -> None:
    """Their classes take longer to import than a small game to load, or to be simulated."""
    program = (
        "import atexit, sys; sys.argv[1:] = ['simulate', 'nim', '--players', '2', '--games', '2', '--bots', 'random']\n"
        "stages = ('syntax.nodes', 'check.check', 'check.program', 'compile.ir')\n"
        "told = lambda: print([one for one in stages if f'interpreter.{one}' in sys.modules], file=sys.stderr)\n"
        f"atexit.register(told); {command}"
    )
    root = Path(load.__file__).parents[2]
    said = []
    for _ in range(2):
        env = {**os.environ, "PYTHONPATH": str(root), "RULEWRIGHT_CACHE": str(tmp_path)}
        run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, cwd=tmp_path, env=env)
        said.append(run.stderr.strip().splitlines()[-1])
    assert said == ["['syntax.nodes', 'check.check', 'check.program', 'compile.ir']", "[]"]
