"""The editor files: the grammar colours every form of the language, and the YAML schemas are wired."""

from __future__ import annotations

import importlib.util
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import jsonschema
import pytest
import yaml

from interpreter.syntax.parse import lark_parser
from tests.tools.textmate import Grammar

ROOT = Path(__file__).resolve().parent.parent.parent
EDITOR = ROOT / "tools" / "editor"
EVERY_FORM = ROOT / "tests" / "cases" / "samples" / "every_form.rules"

# What the parser calls the words that authors choose, and everything else that is no word of the language.
NAMED = {
    "NAME": ("variable", "entity.name", "constant.language"),
    "TYPE": ("entity.name.type",),
    "INT": ("constant.numeric",),
}
WRITTEN = {"STRING": ("string",), "CLAUSE": ("constant.other.clause",), "FILE": ("string",)}
WORDS = ("keyword", "storage", "constant.language", "support")


def tokens_of(path: Path) -> Iterator[tuple[str, str, int, int]]:
    """(terminal, text, line, column) as the parser reads them; ends of lines left out."""
    parser = lark_parser()
    reader = parser.parse_interactive(path.read_text(encoding="utf-8").rstrip() + "\n", start="file")
    for token in reader.iter_parse():
        if token.strip() and not token.type.startswith(("EOL", "CARRIED_ON", "_INDENT", "_DEDENT")):
            yield token.type, str(token), token.line, token.column


def coloured(grammar: Grammar, path: Path) -> Iterator[tuple[str, str, str, str]]:
    """(terminal, text, its innermost scope, the line) of every token."""
    lines = path.read_text(encoding="utf-8").split("\n")
    scopes = {}
    for terminal, text, line, column in tokens_of(path):
        if line not in scopes:
            scopes[line] = grammar.scopes_of(lines[line - 1])
        at = scopes[line][column - 1]
        yield terminal, text, at[-1] if at else "", f"{path.name}:{line}:{column}: {lines[line - 1].strip()}"


def looked_at(grammar: Grammar, path: Path) -> tuple[int, list[str]]:
    """How many tokens there are, and which of them are not coloured as what they are."""
    wrong = []
    tokens = list(coloured(grammar, path))
    for terminal, text, scope, where in tokens:
        wanted = NAMED.get(terminal) or WRITTEN.get(terminal) or (WORDS if text[:1].isalpha() else ())
        if wanted and not scope.startswith(wanted):
            wrong.append(f"{where}\n    `{text}` ({terminal}) is {scope or 'not coloured'}")
        elif not wanted and not scope:
            wrong.append(f"{where}\n    `{text}` is not coloured")
    return len(tokens), wrong


@pytest.fixture(scope="module")
def grammar() -> Grammar:
    return Grammar.read(EDITOR / "vscode" / "rules.tmLanguage.json")


def test_every_form_is_coloured(grammar: Grammar) -> None:
    _, wrong = looked_at(grammar, EVERY_FORM)
    assert not wrong, "\n".join(wrong)


def test_the_rulesets_are_coloured(grammar: Grammar) -> None:
    """Words are words only where the parser expects them, which an editor cannot always tell: one in a thousand may
    go wrong."""
    wrong: list[str] = []
    tokens = 0
    for path in sorted(ROOT.glob("rulesets/[f-p]*/*.rules")):
        number, found = looked_at(grammar, path)
        tokens, wrong = tokens + number, wrong + found
    assert tokens > 5000
    assert len(wrong) <= tokens / 1000, "\n".join(wrong)


def test_the_extension_names_its_files() -> None:
    package = json.loads((EDITOR / "vscode" / "package.json").read_text(encoding="utf-8"))
    contributed = package["contributes"]
    for entry in (contributed["languages"][0]["configuration"], contributed["grammars"][0]["path"]):
        json.loads((EDITOR / "vscode" / entry).read_text(encoding="utf-8"))
    assert contributed["languages"][0]["extensions"] == [".rules"]


# ---------------------------------------------------------------------------- schemas of YAML files


@pytest.fixture
def wired(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    for name in ("pikit", "kalah"):
        shutil.copytree(ROOT / "rulesets" / name, tmp_path / "rulesets" / name)
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode" / "settings.json").write_text('{"editor.tabSize": 2}', encoding="utf-8")
    specification = importlib.util.spec_from_file_location("wire", EDITOR / "wire.py")
    assert specification is not None and specification.loader is not None
    wire = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(wire)
    assert wire.main(tmp_path) == 0
    capsys.readouterr()
    return tmp_path


def test_tables_are_wired_to_schemas_that_accept_them(wired: Path) -> None:
    settings = json.loads((wired / ".vscode" / "settings.json").read_text(encoding="utf-8"))
    assert settings["editor.tabSize"] == 2
    checked = 0
    for schema, files in settings["yaml.schemas"].items():
        content = json.loads((wired / schema).read_text(encoding="utf-8"))
        for path in (path for pattern in files for path in wired.glob(pattern)):
            jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), content)
            checked += 1
    assert checked >= 5


def test_a_schema_knows_the_columns_of_its_table(wired: Path) -> None:
    schema = json.loads((wired / ".rulewright" / "schemas" / "pikit.Kaiju.schema.json").read_text(encoding="utf-8"))
    table = yaml.safe_load((wired / "rulesets" / "pikit" / "kaiju.yaml").read_text(encoding="utf-8"))
    table["rows"][0]["value"] = 99
    with pytest.raises(jsonschema.ValidationError, match="99"):
        jsonschema.validate(table, schema)
    table["rows"][0].update(value=1, trick="juggle")
    with pytest.raises(jsonschema.ValidationError, match="juggle"):
        jsonschema.validate(table, schema)
