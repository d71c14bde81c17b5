"""What a translator is given: every text without a translation, as a key to be filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

from interpreter.cli.commands import exit_code_of

RULES = """\
game fair "Fair" for 2 players

enum Ware = apple | bread | cheese | dill | egg | fig | grape | honey | ink | jam | kale | leek | mint

each player
  coins: 0..20

play
  in turn p from seat1 until seat1.coins == 3
    turn(p)

phase turn(p)
  choose w in Ware "Which 'ware', {p}?"
  p gains 1 coins
"""
FILE = Path("fair/texts/fr.yaml")


@pytest.fixture(autouse=True)
def _fair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "fair" / "texts").mkdir(parents=True)
    (tmp_path / "fair" / "ruleset.yaml").write_text("name: fair\n", encoding="utf-8")
    (tmp_path / "fair" / "fair.rules").write_text(RULES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)


def test_all_that_is_missing_is_in_the_data_and_a_dozen_in_the_text(capsys: pytest.CaptureFixture[str]) -> None:
    FILE.write_text('texts:\n  "Fair": "Foire"\n', encoding="utf-8")
    assert exit_code_of(["validate", "fair", "--format", "json"]) == 1
    (finding,) = json.loads(capsys.readouterr().out)["diagnostics"]
    assert finding["code"] == "R0263" and len(finding["notes"]) == 14
    assert exit_code_of(["validate", "fair"]) == 1
    shown = capsys.readouterr().out
    assert shown.count("= note: “") == 12 and "= note: and 2 more" in shown
    assert "`rulewright validate NAME --texts fr` adds them" in shown


def test_a_new_file_to_fill_in(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["validate", "fair", "--texts", "fr"]) == 0
    assert capsys.readouterr().out == "fair/texts/fr.yaml: 15 texts added, 15 to fill in\n"
    assert 'language: fr\ntexts:\n  "Fair":\n  "Which \'ware\', {p}?":\n  "apple":\n' in FILE.read_text(
        encoding="utf-8"
    )
    assert exit_code_of(["validate", "fair"]) == 1
    assert "15 texts have no translation" in capsys.readouterr().out
    FILE.write_text(re.sub(r'(?m)^  (".*"):$', r"  \1: \1", FILE.read_text(encoding="utf-8")), encoding="utf-8")
    assert exit_code_of(["validate", "fair"]) == 0


@pytest.mark.parametrize(
    "written",
    [
        "language: fr\ntexts:\n    # title\n    Fair: Foire\n    fig: {plain: figue, definite: la figue}\n    egg:\n",
        "texts: {Fair: Foire, fig: {plain: figue, definite: la figue}, egg: }\nlanguage: fr\n",
    ],
)
def test_translations_that_are_there_stay(written: str, capsys: pytest.CaptureFixture[str]) -> None:
    FILE.write_text(written, encoding="utf-8")
    assert exit_code_of(["validate", "fair", "--texts", "fr", "--format", "json"]) == 0
    told = json.loads(capsys.readouterr().out)
    schema = Path(__file__).parents[2] / "schemas" / "diagnostics.schema.json"
    jsonschema.validate(told, json.loads(schema.read_text(encoding="utf-8")))
    assert len(told["texts"][0]["added"]) == 12 and len(told["texts"][0]["empty"]) == 13
    text = FILE.read_text(encoding="utf-8")
    assert text.startswith(written) or "# title" not in written
    assert exit_code_of(["validate", "fair"]) == 1
    assert capsys.readouterr().out.count("13 texts have no translation") == 1
    assert exit_code_of(["validate", "fair", "--texts", "fr"]) == 0
    assert FILE.read_text(encoding="utf-8") == text and "figue" in text and text.count("egg") == 1


@pytest.mark.parametrize(
    ("language", "told"), [("en", "is the language of `fair` itself"), ("French", "is no language code")]
)
def test_languages_that_nothing_is_translated_into(
    language: str, told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code_of(["validate", "fair", "--texts", language]) == 2
    assert told in capsys.readouterr().err


def test_clauses_in_a_file_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    book = 'clauses:\n  - {id: F-1, summary: "Take a ware."}\n  - {id: F-2, summary: "Three coins end it."}\n'
    Path("fair/rulebook.yaml").write_text(book, encoding="utf-8")
    said = Path("fair/texts/rulebook.fr.yaml")
    said.write_text('language: fr\nclauses:\n  F-1: "Prenez un article."\n  F-3: "Rien."\n', encoding="utf-8")
    assert exit_code_of(["validate", "fair"]) == 1
    told = capsys.readouterr().out
    assert "R0263]: 1 clause has no translation" in told and "= note: `F-2`" in told
    assert "R0264]: no clause is called `F-3`" in told
    said.write_text('texts:\n  "Fair": "Foire"\nclauses:\n  F-1: "x"\n', encoding="utf-8")
    assert exit_code_of(["validate", "fair"]) == 1
    told = capsys.readouterr().out
    assert "error[R0212]" in told and "stand in another file, under `clauses`" in told
    said.write_text("language: fr\n", encoding="utf-8")
    assert exit_code_of(["validate", "fair"]) == 1
    assert "error[R021" in capsys.readouterr().out
