"""Games from texts, without a folder: what unit tests of the checker and later stages stand on."""

from __future__ import annotations

import re
from pathlib import Path

from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.source import Source
from interpreter.ruleset.gathered import Gathered, Layer, Limits, Placed, Row, Scalar, TableFile
from interpreter.ruleset.yaml_source import parse_yaml
from interpreter.syntax import nodes
from interpreter.syntax.parse import parse_rules

FOLDER = Path("toy")
_HEAD = 'game toy "Toy" for 1..6 players\n'
_ROW_KEYS = ("id", "name", "copies", "known", "assumed", "source", "cites")


def gather_text(
    rules: str, tables: dict[str, str] | None = None, players: int = 2, found: Diagnostics | None = None
) -> Gathered:
    """One game from the text of its rules and of its tables by file name. A head line is added if there is none.

    The rules must parse; findings of the tables go to `found`. Variants are left out.
    """
    found = Diagnostics() if found is None else found
    text = rules if re.search(r"^(game|core) ", rules, re.MULTILINE) else rules + "\n" + _HEAD
    tree = parse_rules(Source("toy.rules", text), found)
    assert tree is not None, [f"{f.primary.span.at}: {f.headline}" for f in found]
    game = next(d for d in tree.declarations if isinstance(d, nodes.Game))
    layer = Layer(game.name.text, "game", FOLDER)
    kept = [d for d in tree.declarations if not isinstance(d, nodes.Variant | nodes.Scenario | nodes.PartOf)]
    scenarios = [d for d in tree.declarations if isinstance(d, nodes.Scenario)]
    return Gathered(
        name=game.name.text,
        base=game.name.text,
        folder=FOLDER,
        title=game.title.raw,
        players=players,
        fewest=game.fewest,
        most=game.most,
        seats=tuple(seat.text for seat in game.seats)[:players],
        variants=(),
        all_variants=(),
        layers=(layer,),
        declarations=tuple(Placed(d, layer) for d in kept),
        scenarios=tuple(Placed(d, layer) for d in scenarios),
        tables={
            (str(FOLDER), name): table
            for name, content in (tables or {}).items()
            if (table := _table(name, content, found)) is not None
        },
        documents={},
        clauses={},
        limits=Limits(),
        fingerprint="toy",
    )


def _table(name: str, content: str, found: Diagnostics) -> TableFile | None:
    """A table from its text: the keys of a table file, or just the list of its rows."""
    document = parse_yaml(Source(name, content), found)
    if document is None:
        return None
    entries: dict[str, Scalar] = document.value if isinstance(document.value, dict) else {"rows": document}
    of = next((entries[key].value for key in ("kind", "enum", "chart") if key in entries), "")
    rows = tuple(_row(entry, number) for number, entry in enumerate(entries["rows"].value, 1))
    return TableFile(name, document.span.source, of, "known", rows)


def _row(entry: Scalar, number: int) -> Row:
    cells: dict[str, Scalar] = entry.value
    return Row(
        id=str(cells["id"].value) if "id" in cells else f"row_{number}",
        span=entry.span,
        cells={key: cell for key, cell in cells.items() if key not in _ROW_KEYS},
        copies=int(cells["copies"].value) if "copies" in cells else 1,
        name=cells["name"].value if "name" in cells else None,
        known=frozenset(),
        cites=tuple(nodes.Cite(item.span, item.value) for item in cells["cites"].value) if "cites" in cells else (),
    )
