"""rulebook.yaml, and the `@` ids in rules, scenarios and tables that point into it.

If a ruleset has a rulebook, every id it cites must be listed there. Worked examples and rulings have ids of their own,
listed under `examples` and `rulings`. A ruleset without a rulebook may cite anything. A ruleset that uses another can
state that one of its clauses is the same as a clause in the other's rulebook (`same_as`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from .gathered import Clause, Scalar
from .manifest import NamedFile
from .schema import validate
from .yaml_source import read_yaml

_SECTIONS = {"clauses": "clause", "examples": "example", "rulings": "ruling"}


def read_clauses(file: NamedFile, found: Diagnostics) -> dict[str, Clause]:
    """The clauses of a rulebook by id, including examples and rulings."""
    document = read_yaml(file.path, found, file.span)
    if document is None or not validate(document, "rulebook", found):
        return {}
    clauses: dict[str, Clause] = {}
    for key, section in _SECTIONS.items():
        for entry in document.value[key].value if key in document.value else ():
            clause = _clause(entry, section, found)
            if clause.id in clauses:
                what = f"the clause `{clause.id}` is listed twice"
                help = "keep one of them"
                found.error("R0231", what, clause.span, first=clauses[clause.id].span, help=help)
            clauses.setdefault(clause.id, clause)
    return clauses


def _clause(entry: Scalar, section: str, found: Diagnostics) -> Clause:
    cells: dict[str, Scalar] = entry.value
    needs_rule = cells["needs_rule"].value in ("yes", True) if "needs_rule" in cells else section != "example"
    reason = _text(cells, "reason") or ("a worked example, played by a scenario" if section == "example" else "")
    if not needs_rule and not reason:
        what = f"the clause `{cells['id'].value}` needs no rule and does not say why"
        found.error("R0231", what, cells["needs_rule"].span, help="add `reason: …`")
    return Clause(
        cells["id"].value,
        _text(cells, "summary"),
        _text(cells, "page"),
        _text(cells, "mode"),
        needs_rule,
        reason,
        cells["id"].span,
        section,
        tuple(item.value for item in cells["same_as"].value) if "same_as" in cells else (),
    )


def _text(cells: dict[str, Scalar], key: str) -> str:
    return str(cells[key].value) if key in cells else ""


def check_cites(cites: Iterable[nodes.Cite], clauses: dict[str, Clause], found: Diagnostics) -> None:
    """Reports every cited id that the rulebook does not list."""
    for cite in cites:
        if cite.text not in clauses:
            advice = (
                did_you_mean(cite.text, clauses) or "list it in rulebook.yaml under `clauses`, `examples` or `rulings`"
            )
            found.error("R0230", f"the rulebook has no clause `{cite.text}`", cite.span, help=advice)


def check_same_as(clauses: dict[str, Clause], found: Diagnostics) -> None:
    """Reports every id in `same_as` that no rulebook lists."""
    for clause in clauses.values():
        for other in clause.same_as:
            if other not in clauses:
                headline = f"`{clause.id}` is the same as `{other}`, and no rulebook has that clause"
                found.error("R0230", headline, clause.span, help=did_you_mean(other, clauses))


_known: dict[
    int, tuple[nodes.Node, tuple[nodes.Cite, ...]]
] = {}  # cache for whole files: one command gathers them many times


def cites_of(tree: nodes.Node) -> tuple[nodes.Cite, ...]:
    """The clause tags of a whole file, cached."""
    known = _known.get(id(tree))
    if known is None or known[0] is not tree:
        if len(_known) > 500:
            _known.clear()
        known = _known[id(tree)] = tree, tuple(cites_in(tree))
    return known[1]


def cites_in(tree: nodes.Node) -> Iterator[nodes.Cite]:
    """Every clause tag in a tree, in the order of the text."""
    if isinstance(tree, nodes.Cite):
        yield tree
        return
    for name in _field_names(type(tree)):
        yield from _cites_in_value(getattr(tree, name))


def _cites_in_value(value: Any) -> Iterator[nodes.Cite]:
    if isinstance(value, nodes.Node):
        yield from cites_in(value)
    elif isinstance(value, tuple):
        for item in value:
            yield from _cites_in_value(item)


_FIELD_NAMES: dict[type[nodes.Node], tuple[str, ...]] = {}


def _field_names(node_type: type[nodes.Node]) -> tuple[str, ...]:
    """The fields of a node class that may hold nodes, cached per class."""
    if node_type not in _FIELD_NAMES:
        _FIELD_NAMES[node_type] = tuple(field.name for field in fields(node_type) if field.name != "span")
    return _FIELD_NAMES[node_type]
