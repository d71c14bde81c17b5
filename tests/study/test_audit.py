"""The audit: what is assumed, a template for it, and what a filled-in one comes to."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from interpreter.cli.commands import exit_code_of
from interpreter.play.contract import PlayError
from interpreter.study.audit import audit_of, check_template, template_text

FAULTY = Path(__file__).parent / "faulty"
SCHEMAS = Path(__file__).parents[2] / "schemas"


def test_every_assumed_value_has_its_place() -> None:
    audit = audit_of(str(FAULTY))
    assert len(audit.data) == 5
    assert [(datum.row, datum.column, datum.value, datum.line) for datum in audit.assumed] == [
        ("low", "copies", "6", 4),
        ("high", "value", "3", 5),
        ("high", "copies", "6", 5),
        ("lost", "value", "9", 6),
    ]


def test_what_extends_a_map_is_data_too() -> None:
    streets = Path(__file__).parents[1] / "cases" / "maps" / "streets"
    added = {(one.row, one.column, one.value, one.known) for one in audit_of(str(streets)).data if "fair" in one.file}
    assert ("green", "benches", "3", True) in added
    assert ("q3", "worth", "9", True) in added and ("parking_q2", "slots", "2", True) in added


def _filled(folder: Path, **found: str) -> Path:
    """A template with values for some rows: `high_value="4"`."""
    lines = []
    for line in template_text(audit_of(str(FAULTY))).splitlines():
        for key, value in found.items():
            row, column = key.split("_")
            if f'row: "{row}", column: "{column}"' in line:
                line = line.replace("found: }", f"found: {value}}}")
        lines.append(line)
    path = folder / "box.yaml"
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


def test_an_empty_template_leaves_all_open(tmp_path: Path) -> None:
    checked = check_template(audit_of(str(FAULTY)), _filled(tmp_path))
    assert (checked.left_open, checked.entries, checked.findings) == (4, (), ())


def test_a_game_without_guesses_has_a_template_too(tmp_path: Path) -> None:
    audit = audit_of("nim")
    path = tmp_path / "box.yaml"
    path.write_text(template_text(audit), encoding="utf-8")
    assert check_template(audit, path).left_open == 0


def test_values_that_fit(tmp_path: Path) -> None:
    checked = check_template(audit_of(str(FAULTY)), _filled(tmp_path, high_value="4", low_copies="6"))
    assert [entry.datum.row for entry in checked.confirmed] == ["low"]
    assert [(entry.datum.row, entry.found) for entry in checked.different] == [("high", "4")]
    assert checked.findings == ()


def test_a_value_out_of_range_is_told_as_in_the_table(tmp_path: Path) -> None:
    (finding,) = check_template(audit_of(str(FAULTY)), _filled(tmp_path, high_value="12")).findings
    assert "12 is outside 1..9" in finding.headline
    assert finding.primary.span.at == "faulty/cards.yaml (with what was found):5:23"


def test_other_files_are_no_templates(tmp_path: Path) -> None:
    audit = audit_of(str(FAULTY))
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("game: other\n", encoding="utf-8")
    with pytest.raises(PlayError, match="no template"):
        check_template(audit, wrong)
    with pytest.raises(PlayError, match="cannot be read"):
        check_template(audit, tmp_path / "missing.yaml")


@pytest.mark.parametrize("name", ["pikit", "kiwi_chow_down"])
def test_the_command_fits_its_schema(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code_of(["audit", name, "--format", "json"]) == 0
    shown = json.loads(capsys.readouterr().out)
    jsonschema.validate(shown, json.loads((SCHEMAS / "audit.schema.json").read_text(encoding="utf-8")))
    assert shown["values"] == shown["known"] + len(shown["assumed"])


def test_a_checked_template_fits_its_schema(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = _filled(tmp_path, high_value="12")
    assert exit_code_of(["audit", str(FAULTY), "--check", str(path), "--format", "json"]) == 1
    shown = json.loads(capsys.readouterr().out)
    jsonschema.validate(shown, json.loads((SCHEMAS / "audit_check.schema.json").read_text(encoding="utf-8")))
