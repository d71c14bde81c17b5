"""Compiled games in the cache: known by everything that they depend on."""

from __future__ import annotations

import shutil
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
