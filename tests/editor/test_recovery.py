"""Rulesets with several broken declarations: what is found, and what is not told because it only follows."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.editor import Checked, check_ruleset
from tests.chunks import Chunk, differences, read_chunks

CASES = Path(__file__).parent.parent / "cases" / "recovery" / "bad"
CHUNKS = [chunk for path in sorted(CASES.glob("*.rules")) for chunk in read_chunks(path)]


def checked(chunk: Chunk, folder: Path) -> Checked:
    """The chunk as a ruleset of its own; `=== manifest` adds lines to its manifest."""
    files = dict(chunk.tables)
    manifest = "name: toy\n" + files.pop("manifest", "")
    for name, text in {"ruleset.yaml": manifest, "toy.rules": chunk.rules, **files}.items():
        (folder / name).write_text(text, encoding="utf-8")
    return check_ruleset(folder)


@pytest.mark.parametrize("chunk", CHUNKS, ids=lambda chunk: chunk.name)
def test_what_is_wrong_is_found_and_nothing_else(chunk: Chunk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert chunk.expected
    assert not differences(chunk, checked(chunk, tmp_path).findings)
