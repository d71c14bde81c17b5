"""Games and variants of one's own lie in one's own folder, also over a game that came with the program."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

import interpreter as rw
from interpreter.cli.commands import rulewright
from interpreter.ruleset.find import own_rulesets


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*args: str, code: int = 0) -> str:
    done = CliRunner().invoke(rulewright, list(args), standalone_mode=False)
    assert done.exception is None, done.exception
    assert (done.return_value or 0) == code, done.output
    return done.output


def shipped_files() -> set[Path]:
    return set(own_rulesets().rglob("*"))


def test_a_variant_of_a_shipped_game_goes_into_the_current_folder(here: Path) -> None:
    before = shipped_files()
    base = rw.load("kalah").fingerprint
    assert "wrote kalah/variants/quick.rules" in run("new", "variant", "kalah+quick")
    assert shipped_files() == before
    assert (here / "kalah" / "variants" / "quick.rules").is_file()
    assert "clean" in run("validate", "kalah") and "clean" in run("validate", "kalah+quick")
    assert "1 passed" in run("test", "kalah+quick")
    assert rw.load("kalah+quick").name == "kalah+quick"
    assert rw.load("kalah").fingerprint == base  # a save of the game is good here and elsewhere


def test_such_a_variant_may_bring_a_table(here: Path) -> None:
    (here / "rulesets" / "nim" / "variants").mkdir(parents=True)
    rules = "variant heaps of nim\n  replace chart counters_in from heaps.yaml\n    counters: 0..7\n"
    (here / "rulesets" / "nim" / "variants" / "heaps.rules").write_text(rules)
    with pytest.raises(rw.RulesetError) as missing:
        rw.load("nim+heaps")
    place = missing.value.diagnostics[0].primary.span.at
    assert place.startswith("rulesets/nim/variants/heaps.rules:2")


def test_an_edited_variant_is_checked_again(here: Path) -> None:
    run("new", "variant", "kalah+quick")
    assert "clean" in run("validate", "kalah")
    broken = "variant quick of kalah\n  after nothing_there\n    done\n"
    (here / "kalah" / "variants" / "quick.rules").write_text(broken)
    assert "R0620" in run("validate", "kalah", code=1)


def test_a_folder_without_variants_adds_nothing(here: Path) -> None:
    (here / "kalah").mkdir()
    assert rw.load("kalah").name == "kalah"


def test_a_new_game_says_what_it_hides(here: Path) -> None:
    assert "the one that it hides is in" in run("new", "game", "nim")
    assert "hides" not in run("new", "game", "orchard")


def test_beside_the_shipped_games_nothing_is_written_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    from interpreter.cli.new import _own_place

    monkeypatch.chdir(own_rulesets().parent)
    assert _own_place() == Path()
