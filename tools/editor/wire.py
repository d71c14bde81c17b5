#!/usr/bin/env python3
"""Wires the YAML files of rulesets to their schemas, for editors that read `yaml.schemas` (VS Code, Neovim, Emacs …).

    tools/editor/wire.py [FOLDER]        FOLDER holds `rulesets/`; without it, the current folder

Every table gets a schema of its own, derived from the `kind`, `enum` or `chart` that it belongs to: an editor then
completes its columns and checks their values. All of it goes to `.rulewright/schemas/`, and `.vscode/settings.json`
is told which file belongs to which; whatever else stands there is kept. Run it again after changing a declaration.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

from interpreter.diagnostics.diagnostic import Diagnostics  # noqa: E402
from interpreter.files.writing import write_whole  # noqa: E402
from interpreter.ruleset.gather import gather  # noqa: E402
from interpreter.ruleset.gathered import Gathered  # noqa: E402
from interpreter.ruleset.table_schema import derive_table_schema  # noqa: E402
from interpreter.syntax import nodes  # noqa: E402

OWN = Path(".rulewright") / "schemas"
# The files whose form is the same in every ruleset.
FIXED = {"manifest": ["ruleset.yaml"], "rulebook": ["rulebook.yaml"], "texts": ["texts/*.yaml"]}


def main(folder: Path) -> int:
    rulesets = sorted(path.parent for path in folder.glob("rulesets/*/ruleset.yaml"))
    if not rulesets:
        print(f"there is no rulesets/*/ruleset.yaml in {folder}", file=sys.stderr)
        return 2
    schemas = {**_fixed(), **{name: made for ruleset in rulesets for name, made in _of_tables(ruleset, folder)}}
    for name, (schema, _) in schemas.items():
        target = folder / OWN / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(target, json.dumps(schema, indent=2, ensure_ascii=False) + "\n")
    _tell_editor(folder, {str((OWN / name).as_posix()): files for name, (_, files) in schemas.items()})
    print(f"{len(schemas)} schemas in {OWN}, told to .vscode/settings.json")
    return 0


Schemas = dict[str, tuple[dict[str, Any], list[str]]]


def _fixed() -> Schemas:
    made: Schemas = {}
    for name, files in FIXED.items():
        schema = json.loads((ROOT / "schemas" / f"{name}.schema.json").read_text(encoding="utf-8"))
        made[f"{name}.schema.json"] = (schema, [f"rulesets/*/{file}" for file in files])
    return made


def _of_tables(ruleset: Path, folder: Path) -> Iterator[tuple[str, tuple[dict[str, Any], list[str]]]]:
    """The schema of each table of a ruleset; one with mistakes in its rules keeps what it had."""
    gathered = gather(str(ruleset), None, Diagnostics())
    if gathered is None:
        return
    members, constants = known_members(gathered), known_constants(gathered)
    for placed in gathered.declarations:
        declaration = placed.declaration
        if not isinstance(declaration, nodes.Kind | nodes.Enum | nodes.Chart) or declaration.file is None:
            continue
        if placed.layer.role == "used":
            continue  # its own ruleset wires it
        schema = derive_table_schema(declaration, members, constants)
        file = (placed.layer.folder / declaration.file.text).resolve().relative_to(folder.resolve())
        yield f"{ruleset.name}.{declaration.name.text}.schema.json", (schema, [file.as_posix()])


def known_members(gathered: Gathered) -> dict[str, list[str]]:
    """What may stand in a cell of an enum or of a kind: the values, the ids of the rows."""
    members: dict[str, list[str]] = {}
    for placed in gathered.declarations:
        declaration = placed.declaration
        if isinstance(declaration, nodes.Enum) and declaration.file is None:
            found = [members.get(name.text, [name.text]) for name in declaration.members]
            members[declaration.name.text] = [value for values in found for value in values]
    for table in gathered.tables.values():
        members.setdefault(table.of, [row.id for row in table.rows])
    return members


def known_constants(gathered: Gathered) -> dict[str, int]:
    return {
        placed.declaration.name.text: placed.declaration.value.value
        for placed in gathered.declarations
        if isinstance(placed.declaration, nodes.Constant) and isinstance(placed.declaration.value, nodes.Number)
    }


def _tell_editor(folder: Path, wiring: dict[str, list[str]]) -> None:
    settings = folder / ".vscode" / "settings.json"
    content: dict[str, Any] = {}
    if settings.is_file():
        try:
            content = json.loads(settings.read_text(encoding="utf-8"))
        except ValueError:
            print(f"{settings} is not plain JSON: add this by hand\n{json.dumps({'yaml.schemas': wiring}, indent=2)}")
            return
    others = {
        key: value for key, value in content.get("yaml.schemas", {}).items() if not key.startswith(OWN.as_posix())
    }
    content["yaml.schemas"] = {**others, **wiring}
    content.setdefault("files.associations", {})["*.rules"] = "rules"
    settings.parent.mkdir(exist_ok=True)
    write_whole(settings, json.dumps(content, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else Path()))
