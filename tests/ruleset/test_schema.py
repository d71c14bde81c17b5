"""The schemas themselves, the schema derived from a kind, and the memory for documents found clean."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator

from interpreter.diagnostics.codes import CODES
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.source import Source
from interpreter.ruleset.schema import known_kinds, schema_text, validate_with
from interpreter.ruleset.table_schema import derive_table_schema
from interpreter.ruleset.yaml_source import parse_yaml
from interpreter.syntax.parse import parse_rules

# What authors write, whose editors show the descriptions.
WRITTEN = {"manifest", "table", "map", "map_extension", "tiles", "tiles_extension", "rulebook", "texts"}
PRINTED = {"save", "record", "report", "diagnostics", "list", "test", "new", "explain", "fmt"}


def test_there_is_a_schema_for_every_kind_of_file() -> None:
    assert WRITTEN | PRINTED <= set(known_kinds())


@pytest.mark.parametrize("kind", sorted(WRITTEN | PRINTED))
def test_schemas_are_sound_and_described(kind: str) -> None:
    schema = json.loads(schema_text(kind))
    Draft202012Validator.check_schema(schema)
    assert schema["$schema"].endswith("2020-12/schema") and schema["description"]
    for name, part in schema.get("properties", {}).items() if kind in WRITTEN else ():
        assert part.get("description"), name


KIND = """\
kind Card from cards.yaml
  suit: Suit
  rank: 2..top
  trick: effect?
  worth: value 0..50
  colours: set of Suit
  price[Suit]: 0..9
  lucky: flag = no
"""


def derived() -> dict[str, object]:
    file = parse_rules(Source("a.rules", KIND), Diagnostics())
    assert file is not None
    return derive_table_schema(file.declarations[0], {"Suit": ["clubs", "hearts"]}, {"top": 14})


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ("suit: clubs, rank: 3, worth: 4, colours: [clubs], price: {clubs: 1}", None),
        ("suit: clubs, rank: 3, worth: per_card, colours: [], price: [1, 2], trick: steal, lucky: yes", None),
        ("suit: spades, rank: 3, worth: 4, colours: [], price: [1, 2]", "`suit` cannot be `spades`"),
        ("suit: clubs, rank: 15, worth: 4, colours: [], price: [1, 2]", "value 15 is outside 2..14"),
        ("suit: clubs, rank: 3, worth: 4, colours: clubs, price: [1, 2]", "`colours` must be a list"),
        ("suit: clubs, rank: 3, worth: 4, colours: [], price: {stars: 2}", "`stars` cannot be a key here"),
        ("suit: clubs, rank: 3, worth: 4, colours: []", "the key `price` is missing"),
        ("suit: clubs, rang: 3, worth: 4, colours: [], rank: 3, price: []", "unknown key `rang`"),
    ],
)
def test_a_schema_derived_from_a_kind(row: str, told: str | None) -> None:
    schema = derived()
    Draft202012Validator.check_schema(schema)
    found = Diagnostics()
    document = parse_yaml(Source("cards.yaml", f"kind: Card\ndefault: known\nrows:\n  - {{id: a, {row}}}\n"), found)
    assert document is not None
    assert validate_with(document, schema, found) is (told is None)
    assert [finding.headline for finding in found] == ([told] if told else [])


def test_a_clean_document_is_remembered_and_needs_no_library(workshop, monkeypatch) -> None:
    monkeypatch.setenv("RULEWRIGHT_CACHE", str(workshop.folder / "cache"))
    workshop.toy()
    workshop.good()
    program = (
        "import sys; from interpreter.diagnostics.diagnostic import Diagnostics;"
        "from interpreter.ruleset.gather import gather; found = Diagnostics();"
        "assert gather('toy', 2, found); assert not len(found); print('jsonschema' in sys.modules)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, cwd=workshop.folder, env=_env()
    )
    assert said.stdout.strip() == "False", said.stderr
    workshop.toy(cards="kind: Card\ndefault: known\nrows: 3\n")
    assert len(workshop.bad()) == 1 and len(workshop.bad()) == 1


def _env() -> dict[str, str]:
    import os
    from pathlib import Path

    return {**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[2])}


def test_every_code_of_this_stage_is_explained() -> None:
    import re
    from pathlib import Path

    import interpreter.ruleset

    folder = Path(interpreter.ruleset.__file__).parent
    used = {
        code for path in folder.glob("*.py") for code in re.findall(r'"(R\d{4})"', path.read_text(encoding="utf-8"))
    }
    assert used <= set(CODES)


def test_findings_as_data_have_the_documented_shape(workshop) -> None:
    from interpreter.diagnostics.render import as_data

    workshop.toy(more_rules='\nvariant a of toy "A"\n  set size = 4\nvariant b of toy "B"\n  set size = 5\n')
    _, findings = workshop.gather("toy+a+b")
    document = {"diagnostics": [as_data(finding) for finding in findings]}
    Draft202012Validator(json.loads(schema_text("diagnostics"))).validate(document)


def test_a_mistake_in_every_row_is_told_ten_times_and_counted() -> None:
    rows = "\n".join(
        f"  - {{id: c{n}, suit: clubs, rank: {n}.5, worth: 4, colours: [], price: [1]}}" for n in range(30)
    )
    document = parse_yaml(Source("cards.yaml", f"kind: Card\ndefault: known\nrows:\n{rows}\n"), Diagnostics())
    assert document is not None
    found = Diagnostics()
    assert not validate_with(document, derived(), found)
    told = list(found)
    assert len(told) == 10 and {one.code for one in told} == {"R0212"}
    assert [one.notes for one in told[8:]] == [(), ("the same holds 20 times more in this file",)]
    assert told[0].primary.text == "this is a number with a point"


def test_places_between_whole_numbers_are_told_once_with_the_cure() -> None:
    nodes = "\n".join(f"    - {{id: n{n}, at: [{n}.5, 0]}}" for n in range(30))
    text = f"map: town\ndefault: known\nnodes:\n  Town:\n{nodes}\nedges: {{}}\n"
    document = parse_yaml(Source("town.yaml", text), Diagnostics())
    assert document is not None
    found = Diagnostics()
    assert not validate_with(document, json.loads(schema_text("map")), found)
    (told,) = found
    assert told.headline == "an entry of `at` must be a whole number"
    assert told.notes == ("the same holds 29 times more in this file",)
    assert told.help == "A distance in any scale: for tenths write all of them ten times as large."
