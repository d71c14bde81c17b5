"""Parsed files are kept: the same tree comes back, under whichever name the text is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from interpreter.diagnostics.source import Source
from interpreter.ruleset import parsed as module
from interpreter.ruleset.parsed import parsed
from interpreter.syntax import nodes

PADDING = "# a remark that makes this text long enough to be worth keeping\n" * 40
RULES = PADDING + 'game toy "Toy" for 2 players\n\neffect gains(p)\n  say "{p} gains"\n'


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which trees are kept; nothing is left in memory, as in a process that has just begun."""
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(tmp_path))
    monkeypatch.setattr(module, "_in_memory", {})
    return tmp_path / "parsed"


def read_anew(name: str, text: str = RULES, is_saved: bool = True) -> nodes.File:
    module._in_memory.clear()
    return parsed(Source(name, text), is_saved)[0]


def places(tree: nodes.File) -> list[tuple[str, str]]:
    """Class and place of each declaration."""
    return [(type(one).__name__, one.span.at) for one in tree.declarations]


def test_a_tree_is_kept_without_its_name(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = read_anew("one.rules")
    assert len(list(kept.iterdir())) == 1
    monkeypatch.delattr(module, "read_rules")  # nothing is parsed from here on
    again, elsewhere = read_anew("one.rules"), read_anew("two.rules")
    assert again is not first and places(again) == places(first)
    assert places(elsewhere) == [(form, at.replace("one", "two")) for form, at in places(first)]
    assert all(one.span.source is elsewhere.declarations[0].span.source for one in elsewhere.declarations)


def test_what_will_change_soon_is_not_kept(kept: Path) -> None:
    read_anew("unsaved.rules", is_saved=False)
    read_anew("broken.rules", RULES + "effect (\n")
    read_anew("short.rules", RULES.removeprefix(PADDING))
    assert not kept.exists()


def test_a_broken_file_in_the_cache_is_made_again(kept: Path) -> None:
    first = read_anew("one.rules")
    (file,) = kept.iterdir()
    whole = file.read_bytes()
    for content in (b"", b"\x80\x05N.", whole[:100]):
        file.write_bytes(content)
        assert places(read_anew("one.rules")) == places(first)
        assert file.read_bytes() == whole


def test_the_trees_that_were_asked_for_last_stay_in_memory(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_MOST_IN_MEMORY", 2)
    one, two, three = (Source(f"{name}.rules", RULES) for name in ("one", "two", "three"))
    first, second = parsed(one, True)[0], parsed(two, True)[0]
    assert parsed(one, True)[0] is first
    parsed(three, True)
    assert parsed(one, True)[0] is first and parsed(two, True)[0] is not second
