"""Every name that a game declares, with the places that declare it: one half of the index (index.py).

A symbol has the key by which the checker speaks of it (uses.py). The same key may be declared at several places: a rule
and the rule of a variant that replaces it, a parameter of the same name in several effects.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields, replace
from typing import TypeVar

from ..check.declared import Declared
from ..check.uses import Key
from ..check.value_types import VType
from ..diagnostics.source import NOWHERE, Source, Span
from ..ruleset.gathered import Gathered
from ..syntax import nodes
from ..syntax.layout import split_line


@dataclass(frozen=True)
class Symbol:
    """Something with a name. `sort` is a word such as effect, field, kind, row, local; `owner` says whose it is."""

    key: Key
    sort: str
    name: str
    owner: str = ""
    of: VType | None = None  # its type, of a rule the type of its result
    spans: tuple[Span, ...] = ()  # of the name, at each place that declares it
    lines: tuple[Span, ...] = ()  # of the line that declares it, at each of these places
    cites: tuple[str, ...] = ()
    about: str = ""  # the summary of a clause, the value of a constant

    def joined(self, other: Symbol) -> Symbol:
        """The same symbol, declared wherever either of them is."""
        places = dict(zip(self.spans, self.lines, strict=True))
        for span, line in zip(other.spans, other.lines, strict=True):
            places.setdefault(span, line)
        cites = tuple(dict.fromkeys((*self.cites, *other.cites)))
        of = self.of if self.of is not None else other.of
        return replace(self, of=of, spans=tuple(places), lines=tuple(places.values()), cites=cites)


def symbols_of(declared: Declared) -> dict[Key, Symbol]:
    """Every symbol of a game by its key; parameters stand both under their rule and under their place."""
    symbols: dict[Key, Symbol] = {}
    source = _Symbols(declared)
    for symbol in source.all():
        known = symbols.get(symbol.key)
        symbols[symbol.key] = symbol if known is None else known.joined(symbol)
    for symbol in (*source.of_shapes(), *source.made_rows()):
        symbols.setdefault(symbol.key, symbol)
    return symbols


class _Symbols:
    def __init__(self, declared: Declared) -> None:
        self.declared = declared
        self.gathered = declared.gathered

    def all(self) -> Iterator[Symbol]:
        for placed in self.gathered.declarations:
            for declaration in (*placed.replaced, placed.declaration):
                yield from self.of(declaration)
        yield from self.removed()
        yield from self.rows()
        yield from self.things()
        yield from self.seats()
        yield from self.heads()
        yield from self.clauses()
        yield from self.texts()
        for span, name, of in self.declared.uses.locals:
            yield Symbol(("local", span), "local", name, "", of, (span,), (line_of(span),))

    # ------------------------------------------------------------------ declarations

    def of(self, node: nodes.Declaration) -> Iterator[Symbol]:
        """The names in one declaration."""
        match node:
            case nodes.Rule():
                yield _named("rule", node.name, node, sort=word_of(node), of=self.result(node.name.text))
                yield from self.params(node.name.text, node.params, node)
            case nodes.Hook(alias=nodes.Name() as alias):
                yield _named("rule", alias, node, sort="hook")
            case nodes.Constant():
                yield self.constant(node)
            case nodes.Enum():
                yield _named("type", node.name, node, sort="enum")
                yield from self.attributes(node.name.text, node.fields)
                yield from self.members(node)
            case nodes.Kind():
                yield _named("type", node.name, node, sort="kind")
                yield from self.attributes(node.name.text, node.fields)
                for key in node.copies.keys if node.copies is not None else ():
                    yield self.attribute(node.name.text, key.name, key.span, ())
            case nodes.Chart():
                yield _named("chart", node.name, node, of=self.column(node.name.text, ""))
                yield from self.params(node.name.text, node.params, node)
                for one in node.fields:
                    of = self.column(node.name.text, one.name.text)
                    yield _of_field(("column", node.name.text, one.name.text), "column", one, node.name.text, of)
            case nodes.Currency():
                yield _named("currency", node.name, node)
            case nodes.History():
                yield _named("history", node.name, node)
            case nodes.Table():
                yield from self.state("table", node.fields)
            case nodes.Each():
                yield from self.state(node.of.text if node.of is not None else "player", node.fields)
            case nodes.Map():
                yield _named("map", node.name, node)
                for kinds, sort in ((node.nodes, "node kind"), (node.edges, "edge kind")):
                    for kind in kinds:
                        yield _named("type", kind.name, kind, sort=sort)
                        yield from self.attributes(kind.name.text, kind.fields)
            case nodes.Automa():
                yield _named("seat", node.name, node)
            case _:
                return

    def removed(self) -> Iterator[Symbol]:
        """What a layer takes away is still declared somewhere below it."""
        for node in (node for tree in self.gathered.trees for node in tree.declarations):
            name = getattr(node, "name", None)
            if isinstance(name, nodes.Name) and name.text in self.gathered.removed:
                yield from self.of(node)

    def params(self, rule: str, params: tuple[nodes.Param, ...], node: nodes.Cited) -> Iterator[Symbol]:
        """Parameters: known by name to whoever calls the rule, and by their place inside it."""
        known = self.declared.rules.get(rule)
        types = {local.name: local.type for local in known.rule.params} if known is not None else {}
        for param in params:
            name = param.name
            for key in (("parameter", rule, name.text), ("local", name.span)):
                yield Symbol(key, "parameter", name.text, rule, types.get(name.text), (name.span,), (node.span,))

    def attributes(self, owner: str, own: Iterable[nodes.Field]) -> Iterator[Symbol]:
        for one in own:
            yield self.attribute(owner, one.name, one.span, one.cites)
            yield from _given(one)

    def attribute(self, owner: str, name: nodes.Name, line: Span, cites: tuple[nodes.Cite, ...]) -> Symbol:
        of = self.declared.attribute_types.get((owner, name.text))
        key = ("attribute", owner, name.text)
        return Symbol(key, "attribute", name.text, owner, of, (name.span,), (line,), _ids(cites))

    def state(self, owner: str, own: Iterable[nodes.Field]) -> Iterator[Symbol]:
        for one in own:
            known = self.declared.state.get(owner, {}).get(one.name.text)
            sort = "place" if isinstance(one.type, nodes.PlaceType) else "field"
            yield _of_field(("state", owner, one.name.text), sort, one, owner, getattr(known, "type", None))

    def constant(self, node: nodes.Constant) -> Symbol:
        symbol = _named("constant", node.name, node)
        known = self.declared.constants.get(node.name.text)
        return symbol if known is None else replace(symbol, of=known.type, about=str(known.value))

    def result(self, rule: str) -> VType | None:
        known = self.declared.rules.get(rule)
        return known.rule.result if known is not None else None

    def column(self, chart: str, column: str) -> VType | None:
        known = self.declared.charts.get(chart)
        table = known.columns.get(column) if known is not None else None
        return table.type if table is not None else None

    # ------------------------------------------------------------------ values of types

    def members(self, node: nodes.Enum) -> Iterator[Symbol]:
        """The values of an enum. `enum Faction = Clan | nobody`: a value of Clan may be asked for as a Faction."""
        enums = [p.declaration for p in self.gathered.declarations if isinstance(p.declaration, nodes.Enum)]
        by_name = {enum.name.text: enum for enum in enums}
        owner, waiting, seen = node.name.text, [node], {node.name.text}
        while waiting:
            enum = waiting.pop()
            for member in enum.members:
                if member.text not in by_name:
                    key, lines = ("member", owner, member.text), (enum.span,)
                    yield Symbol(key, "value", member.text, owner, None, (member.span,), lines, _ids(enum.cites))
                elif member.text not in seen:
                    seen.add(member.text)
                    waiting.append(by_name[member.text])
            if enum is not node:
                yield from self.rows(enum.name.text, owner)

    def rows(self, of: str | None = None, owner: str | None = None) -> Iterator[Symbol]:
        """Rows of the tables of kinds and enums (only those `of` one), under the type itself or as another's."""
        for table in self.gathered.tables.values():
            if of is not None and table.of != of:
                continue
            sort = "row" if table.of in self.declared.kinds else "value"
            for row in table.rows:
                span, key = id_place(row.span, row.id), ("member", owner or table.of, row.id)
                yield Symbol(key, sort, row.id, table.of, None, (span,), (line_of(span),), _ids(row.cites))

    def things(self) -> Iterator[Symbol]:
        """Nodes and edges. Those of a shape are written nowhere but in the name of their map, or in its list."""
        found = (p.declaration for p in self.gathered.declarations)
        boards = {board.name.text: board for board in found if isinstance(board, nodes.Map)}
        for sort, things in (("node", self.declared.nodes), ("edge", self.declared.edges)):
            kinds = self.declared.node_kinds if sort == "node" else self.declared.edge_kinds
            for thing in things:
                board = boards[kinds[thing.kind].map]
                span = _place_on(board, thing.id) if thing.span is NOWHERE else id_place(thing.span, thing.id)
                key = ("member", thing.kind, thing.id)
                yield Symbol(key, sort, thing.id, thing.kind, None, (span,), (line_of(span),), thing.cites)

    def of_shapes(self) -> Iterator[Symbol]:
        """`row` and `column` of a grid: attributes that no line declares, because the shape of a map gives them."""
        for kind in self.declared.node_kinds.values():
            board = self.declared.maps.get(kind.map)
            for (owner, name), of in self.declared.attribute_types.items():
                if owner == kind.name and board is not None:
                    place, key = board.span, ("attribute", owner, name)
                    yield Symbol(key, "attribute", name, owner, of, (place,), (line_of(place),))

    def made_rows(self) -> Iterator[Symbol]:
        """Rows that no table lists: those of a kind that says how many copies there are, `card_king`."""
        for row in self.declared.rows:
            place, key = self.declared.kinds[row.kind].span, ("member", row.kind, row.id)
            yield Symbol(key, "row", row.id, row.kind, None, (place,), (line_of(place),), row.cites)

    def seats(self) -> Iterator[Symbol]:
        games = [p.declaration for p in self.gathered.declarations if isinstance(p.declaration, nodes.Game)]
        written = {seat.text: seat.span for game in games for seat in game.seats}
        automas = {automa.name for automa in self.declared.automas}
        for name in self.declared.seat_names:
            if name in written:
                yield Symbol(("seat", name), "seat", name, "", None, (written[name],), (line_of(written[name]),))
            elif name not in automas:
                yield Symbol(("seat", name), "seat", name)  # seat1, seat2 …: words of the language

    # ------------------------------------------------------------------ what is no declaration of the game itself

    def heads(self) -> Iterator[Symbol]:
        """Variants, rulesets and data files."""
        for node in (node for tree in self.gathered.trees for node in tree.declarations):
            if isinstance(node, nodes.Variant):
                yield _named("variant", node.name, node)
            elif isinstance(node, nodes.Game):
                yield _named("ruleset", node.name, node, sort="game")
        for name, source in _data_files(self.gathered):
            span = Span(source, 0, 0)
            yield Symbol(("file", name), "file", name, "", None, (span,), (span,))

    def clauses(self) -> Iterator[Symbol]:
        for clause in self.gathered.clauses.values():
            line = (line_of(clause.span),)
            yield Symbol(("clause", clause.id), "clause", clause.id, "", None, (clause.span,), line, (), clause.summary)

    def texts(self) -> Iterator[Symbol]:
        """Texts of the rules that somebody has translated, and names of things that are."""
        wanted = {key for key, _ in self.gathered.text_keys}
        if not wanted:
            return
        rules = (node for tree in self.gathered.trees for node in tree.declarations)
        texts = (text for node in rules if not isinstance(node, nodes.Scenario) for text in all_in(node, nodes.Text))
        written = [(text.key, text.span) for text in texts]
        for text, span in (*written, *self.shown_names()):
            if text in wanted:
                yield Symbol(("text", text), "text", text, "", None, (span,), (line_of(span),))

    def shown_names(self) -> Iterator[tuple[str, Span]]:
        """Names that players see and that are no text in quotes."""
        declared = self.declared
        yield from ((row.name or row.id, row.span) for row in declared.rows)
        yield from ((thing.name or thing.id, thing.span) for thing in (*declared.nodes, *declared.edges))
        for enum in declared.enums.values():
            yield from ((name, enum.span) for name in enum.names)
        yield from ((kind.unseen, kind.span) for kind in declared.kinds.values())
        for owned in declared.state.values():
            yield from ((state.name.replace("_", " "), state.span) for state in owned.values())
        for source in declared.rules.values():
            yield source.rule.name.replace("_", " ").capitalize(), source.rule.span


def _named(kind: str, name: nodes.Name, node: nodes.Cited, sort: str = "", of: VType | None = None) -> Symbol:
    return Symbol((kind, name.text), sort or kind, name.text, "", of, (name.span,), (node.span,), _ids(node.cites))


def _of_field(key: Key, sort: str, one: nodes.Field, owner: str, of: VType | None) -> Symbol:
    return Symbol(key, sort, one.name.text, owner, of, (one.name.span,), (one.span,), _ids(one.cites))


def _given(one: nodes.Field) -> Iterator[Symbol]:
    """The names in `effect given (x: Card)`."""
    of = one.type.of if isinstance(one.type, nodes.OptionalType) else one.type
    for param in of.given if isinstance(of, nodes.EffectType) else ():
        name = param.name
        yield Symbol(("given", name.text), "given", name.text, one.name.text, None, (name.span,), (one.span,))


def word_of(node: nodes.Declaration) -> str:
    """`phase`, `free action`, `effect`: what a declaration begins with."""
    return "free action" if isinstance(node, nodes.FreeAction) else type(node).__name__.lower()


def _ids(cites: Iterable[nodes.Cite]) -> tuple[str, ...]:
    return tuple(cite.text for cite in cites)


def _place_on(board: nodes.Map, name: str) -> Span:
    listed = board.shape.names if board.shape is not None else ()
    return next((one.span for one in listed if one.text == name), board.name.span)


def _data_files(gathered: Gathered) -> Iterator[tuple[str, Source]]:
    for (_, name), table in gathered.tables.items():
        yield name, table.source
    for (_, name), document in gathered.documents.items():
        yield name, document.span.source


def line_of(span: Span) -> Span:
    """The line on which a span begins; in a rules file without its clause tags and its comment."""
    text = span.source.text
    start = text.rfind("\n", 0, span.start) + 1
    end = text.find("\n", span.start)
    line = text[start : len(text) if end < 0 else end]
    length = len(line.rstrip())
    if span.source.name.endswith(".rules"):
        code = split_line(line)
        length = code.indent + len(code.code)
    return Span(span.source, start + len(line) - len(line.lstrip()), start + length)


def id_place(entry: Span, name: str) -> Span:
    """Where the id stands in the entry of a row; the beginning of the entry if it is not written there."""
    found = re.search(rf"\bid:\s*[\"']?({re.escape(name)})(?!\w)", entry.text)
    if found is None:
        return Span(entry.source, entry.start, entry.start)
    return Span(entry.source, entry.start + found.start(1), entry.start + found.end(1))


_Form = TypeVar("_Form", bound=nodes.Node)


def all_in(tree: nodes.Node, form: type[_Form]) -> Iterator[_Form]:
    """Every node of a form in a tree, in the order of the text."""
    if isinstance(tree, form):
        yield tree
    for part in fields(tree):
        value = getattr(tree, part.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, nodes.Node):
                yield from all_in(item, form)
