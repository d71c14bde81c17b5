"""The command line in French: help, errors, `why`. What it has no words for stays English, whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from interpreter.cli import speaking as speaking_module
from interpreter.cli.commands import COMMANDS, exit_code_of
from interpreter.cli.speaking import command_spoken, speaking, spoken
from interpreter.diagnostics.codes import CODES
from interpreter.diagnostics.entry import FAMILIES
from interpreter.play.language import own_words
from tests.rulesets.test_french import english_in


def told(capsys: pytest.CaptureFixture[str], *args: str) -> str:
    exit_code_of(list(args))
    out, err = capsys.readouterr()
    return out + err


@pytest.fixture
def french(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("LC_ALL", ""), ("LC_MESSAGES", ""), ("LANG", "fr_FR.UTF-8")):
        monkeypatch.setenv(name, value)


@pytest.mark.usefixtures("french")
@pytest.mark.parametrize(
    ("args", "words"),
    [
        (["play"], "quel jeu ?"),
        (["plai"], "vouliez-vous dire `play` ?"),
        (["nothing_at_all"], "il n'y a pas de commande `nothing_at_all`"),
        (["why", "no such file", "x"], "il n'y a pas de fichier `no such file`"),
        (["play", "nim", "--frob"], "il n'y a pas d'option '--frob'"),
        (["play", "nim", "--seat", "2=wizard"], "il n'y a pas de sorte de place `wizard`"),
        (["--help"], "Jouer dans le navigateur : seul, entre amis, contre des robots."),
        (["play", "--help"], "vous contre un robot au hasard"),
        (["why", "--help"], "une expression des règles"),
        ([], "Pour commencer :"),
    ],
)
def test_what_it_says_is_french(args: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert " ".join(words.split()) in " ".join(told(capsys, *args).split())


@pytest.mark.usefixtures("french")
def test_every_command_and_the_first_pages_have_french_help(capsys: pytest.CaptureFixture[str]) -> None:
    words = own_words("fr")
    assert {about for _, about in COMMANDS.values()} <= set(words)
    for args in (["--help"], *([name, "--help"] for name in COMMANDS)):
        lines = [line for line in told(capsys, *args).splitlines() if "rulewright" not in line]
        page = " ".join(re.sub(r"^  [a-z-]\S*( [A-Z=]+)*  ", "", line) for line in lines)  # without names
        assert not english_in(re.sub(r"--\w+|\[.*?\]|\b[A-Z]{2,}\b", "", page)), args


@pytest.mark.usefixtures("french")
def test_findings_have_their_title_in_french(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """What exactly is wrong is told in the words of the checker, behind the title; numbers and frames are French."""
    (tmp_path / "ruleset.yaml").write_text(f"name: {tmp_path.name}\n")
    (tmp_path / f"{tmp_path.name}.rules").write_text(f'game {tmp_path.name} "One" for 2 players\ntable\n  n: 0..5\n')
    shown = told(capsys, "validate", str(tmp_path))
    assert "erreur[R0319]: un jeu sans déroulement : the game has no `play`" in shown and "aide: " in shown
    assert shown.splitlines()[-1].endswith(": 1 remarque") and "\n1 erreur\n" in shown
    assert told(capsys, "explain", "R0319").startswith("R0319: un jeu sans déroulement (noms)")
    assert "Juste :" in told(capsys, "explain", "r0319")
    assert "R0319  un jeu sans déroulement" in told(capsys, "explain", "R03")


def test_every_code_has_a_french_title_and_every_title_a_code() -> None:
    words = json.loads((Path(speaking_module.__file__).parent / "words_fr.json").read_text(encoding="utf-8"))
    assert set(words["titles"]) == set(CODES) and set(words["families"]) == set(FAMILIES)
    assert not [title for title in words["titles"].values() if english_in(re.sub("`.*?`", "", title))]


@pytest.mark.parametrize(
    "args",
    [
        ["--language", "fr", "test", "nim"],
        ["test", "--language", "fr", "nim"],
        ["test", "nim", "--language=fr"],
    ],
)
def test_a_language_stands_with_any_command(args: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert "réussis" in told(capsys, *args)
    assert "--language" in told(capsys, "test", "nim", "--language"), "nothing follows it"


def test_another_language_on_the_line_wins_and_english_is_as_written(capsys: pytest.CaptureFixture[str]) -> None:
    assert told(capsys, "play", "--language", "fr").startswith("erreur: quel jeu ?")
    assert told(capsys, "play", "--language", "xx").startswith("error: which game?")
    with speaking("fr"):
        assert spoken("something that nobody wrote down") == "something that nobody wrote down"
        assert spoken("`a b` is a game of 2 players, not 3") == "`a b` est une partie à 2 joueurs, pas à 3"
    from interpreter.cli.why import command

    assert command_spoken(command) is command


def test_why_answers_in_french(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    import interpreter as rulewright
    from interpreter.play.records import save_of, write_save

    game = rulewright.load("pikit")
    file = tmp_path / "one.save.json"
    write_save(save_of(game, game.new(seed=3), ["person", "random"]), file)
    assert "count(seat1.hand) vaut" in told(capsys, "why", str(file), "count(seat1.hand)", "--language", "fr")
    assert "rien ne s'appelle « Prendre la lune » ici" in told(
        capsys, "why", str(file), "Prendre la lune", "--language", "fr"
    )
