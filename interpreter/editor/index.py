"""The index of a checked game: every declaration with its places, and which of them each name in the text means.

Uses come from the checker, which noted them as it went (uses.py); declarations from declarations.py. Both speak of a
thing by the same key, so that all there is to do here is to lay them side by side.

Names that an earlier stage resolves (clauses, variants, used rulesets, files, what a variant replaces or removes) are
taken from the trees: there, a name means the one thing that has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from ..check.declared import Declared
from ..check.uses import Key
from ..check.value_types import VType
from ..diagnostics.source import Span
from ..ruleset.clauses import cites_of
from ..ruleset.gathered import Gathered
from ..syntax import nodes
from .declarations import Symbol, symbols_of


@dataclass
class Index:
    """Symbols by key, what each name in the text means, and the type of every expression."""

    symbols: dict[Key, Symbol] = field(default_factory=dict)
    uses: dict[Span, dict[Key, None]] = field(default_factory=dict)  # a name may mean several things in a union
    types: dict[Span, VType] = field(default_factory=dict)

    def add(self, other: Index) -> None:
        """Takes in what another index knows: that of the same game with a variant, or for more players."""
        for key, symbol in other.symbols.items():
            known = self.symbols.get(key)
            self.symbols[key] = symbol if known is None else known.joined(symbol)
        for span, keys in other.uses.items():
            self.uses.setdefault(span, {}).update(keys)
        for span, of in other.types.items():
            self.types.setdefault(span, of)

    def references(self, key: Key) -> list[Span]:
        """Every place that uses a symbol, in the order of the files."""
        spans = [span for span, keys in self.uses.items() if key in keys]
        return sorted(spans, key=lambda span: (span.source.name, span.start))


def index_of(declared: Declared) -> Index:
    """The index of a game whose bodies have been elaborated, as far as they could be."""
    symbols = symbols_of(declared)
    parameters = {key: symbols.pop(key) for key in list(symbols) if key[0] == "parameter"}
    index = Index(symbols)
    for span, key in (*declared.uses.names, *_resolved_before(declared.gathered, symbols)):
        if key in parameters:  # a parameter is known by its place, like any local
            index.uses.setdefault(span, {}).update({("local", place): None for place in parameters[key].spans})
        elif key in symbols:
            index.uses.setdefault(span, {})[key] = None
        elif key[0] == "word":
            symbols[key] = Symbol(key, "word", str(key[1]))
            index.uses.setdefault(span, {})[key] = None
    index.types.update(declared.uses.types)
    return index


# ---------------------------------------------------------------------------- names resolved by earlier stages


def _resolved_before(gathered: Gathered, symbols: dict[Key, Symbol]) -> Iterator[tuple[Span, Key]]:
    for tree in gathered.trees:
        for cite in cites_of(tree):
            yield cite.span, ("clause", cite.text)
        for node in tree.declarations:
            yield from _in_head(node, symbols)
    for table in gathered.tables.values():
        for row in table.rows:
            yield from ((cite.span, ("clause", cite.text)) for cite in row.cites)
            yield from ((span, ("attribute", table.of, column)) for column, span in _columns_in(row.span, row.cells))
    for key, span in gathered.text_keys:
        yield span, ("text", key)


def _columns_in(entry: Span, columns: Iterable[str]) -> Iterator[tuple[str, Span]]:
    """Where the names of columns stand in a row."""
    for column in columns:
        if found := re.search(rf"(?<!\w){re.escape(column)}(?=:)", entry.text):
            yield column, Span(entry.source, entry.start + found.start(), entry.start + found.end())


# A change in a variant names something of one of these sorts.
_CHANGEABLE = ("rule", "constant", "type", "chart", "map", "currency", "history", "variant")


def _in_head(node: nodes.Declaration, symbols: dict[Key, Symbol]) -> Iterator[tuple[Span, Key]]:
    """Names in lines that a stage before the checker reads."""
    match node:
        case nodes.PartOf(name=name) | nodes.Use(name=name):
            yield name.span, ("ruleset", name.text)
        case nodes.Variant():
            yield node.of.span, ("ruleset", node.of.text)
            for inner in node.declarations:
                yield from _in_head(inner, symbols)
        case nodes.Excludes(names=names) | nodes.Needs(names=names) | nodes.Overrides(names=names):
            yield from ((name.span, ("variant", name.text)) for name in names)
        case nodes.Scenario(variants=names):
            yield from ((name.span, ("variant", name.text)) for name in names)
        case nodes.SetConstant(name=name) | nodes.Remove(name=name):
            yield from _changed(name, symbols)
        case nodes.RemoveFields(owner=owner) if owner.text[0].isupper():
            yield owner.span, ("type", owner.text)
        case nodes.Replace(declaration=inner) | nodes.Extend(declaration=inner):
            named = getattr(inner, "name", None)
            yield from _changed(named, symbols) if isinstance(named, nodes.Name) else ()
            for kind in (*inner.nodes, *inner.edges) if isinstance(inner, nodes.Map) else ():
                yield kind.name.span, ("type", kind.name.text)
            yield from _in_head(inner, symbols)
        case nodes.Kind(file=nodes.Name() as file) | nodes.Enum(file=nodes.Name() as file):
            yield file.span, ("file", file.text)
        case nodes.Chart(file=nodes.Name() as file) | nodes.Map(file=nodes.Name() as file):
            yield file.span, ("file", file.text)
        case nodes.Map(shape=nodes.Shape(file=nodes.Name() as file)):
            yield file.span, ("file", file.text)
        case _:
            return


def _changed(name: nodes.Name, symbols: dict[Key, Symbol]) -> Iterator[tuple[Span, Key]]:
    """What a variant sets, replaces, extends or removes."""
    yield from ((name.span, (sort, name.text)) for sort in _CHANGEABLE if (sort, name.text) in symbols)
