"""`check_ruleset`: a ruleset read from the files on disk and texts in memory, and the value that answers questions.

Everything that comes out is plain data: files as people find them (relative to the current folder where they lie below
it), lines and columns counted from 1, the end of a place not included. A language server has nothing to do but to
translate: hover and go to definition are `at`, find references and rename `at(…).places`, the outline `symbols`,
completion `names_at`.

A text that cannot be read keeps what was written elsewhere: the rest of its declaration, all other declarations, all
other files (syntax/recover.py). Where a name is broken itself, there is nothing to be known of it.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ..check.declare import OWN_CALLS, OWN_NAMES
from ..check.type_rules import kinds_of
from ..check.uses import Key
from ..check.value_types import EnumOf, Kinded, Player, SetOf, VType, bare
from ..diagnostics.diagnostic import Diagnostic, Diagnostics
from ..diagnostics.source import Source, Span
from ..ruleset.unsaved import laid_over
from ..ruleset.yaml_source import read_source, shown_path
from ..syntax import nodes
from ..syntax.layout import split_line
from ..syntax.parse import read_rules
from ..syntax.words import DECLARATIONS, STATEMENTS
from .declarations import Symbol, all_in, word_of
from .index import Index
from .survey import survey
from .words import line_about


@dataclass(frozen=True, order=True)
class Place:
    """A stretch of a file: line and column of its first letter and of the one behind its last, all from 1."""

    file: str
    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True)
class At:
    """What stands at a position. `places` are all places of the name: what a rename would change."""

    name: str
    sort: str  # effect, value, field, place, kind, row, node, local, clause, text, word …
    place: Place
    type: str
    declarations: tuple[Place, ...]
    references: tuple[Place, ...]
    documentation: str

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(sorted({*self.declarations, *self.references}))


@dataclass(frozen=True)
class Named:
    """A name that could be written at a position."""

    name: str
    sort: str
    type: str


@dataclass(frozen=True)
class Outline:
    """A declaration of a rules file: the place of its name (of its first line, if it has none), and what is inside."""

    name: str
    sort: str
    place: Place
    inside: tuple[Outline, ...] = ()


def check_ruleset(name: str | Path, overlay: Mapping[str | Path, str] | None = None, *, quick: bool = False) -> Checked:
    """A ruleset with texts in memory laid over its files. Whatever is wrong is among the findings.

    `quick` looks at the game and at each variant alone, for the fewest players, and not at all that can be combined.
    """
    texts = dict(overlay or {})
    index = Index()
    with laid_over(texts):
        made = survey(str(name), index, quick=quick)
    trees = made.gathered.trees if made.gathered is not None else ()
    return Checked(tuple(made.findings.values()), index, {tree.span.source.name: tree for tree in trees}, texts)


@dataclass
class Checked:
    """What is known of a ruleset."""

    findings: tuple[Diagnostic, ...]
    index: Index
    trees: dict[str, nodes.File]
    overlay: dict[str | Path, str] = field(default_factory=dict)

    # ------------------------------------------------------------------------ positions

    def at(self, file: str | Path, line: int, column: int) -> At | None:
        """What the name at a position means; None where no name stands that anybody knows."""
        span = self._name_at(_known_as(file), line, column)
        if span is None:
            return self._word_at(_known_as(file), line, column)
        keys = self._meanings[span]
        symbols = [self.index.symbols[key] for key in keys]
        declarations = sorted({place_of(span) for symbol in symbols for span in symbol.spans})
        references = sorted({place_of(span) for key in keys for span in self._uses_of[key]})
        return At(
            symbols[0].name,
            symbols[0].sort,
            place_of(span),
            self._type_at(span, symbols),
            tuple(declarations),
            tuple(references),
            "\n".join(dict.fromkeys(line for symbol in symbols for line in self._about(symbol))),
        )

    def _name_at(self, file: str, line: int, column: int) -> Span | None:
        """The name that has this position in it, or directly before it, as after the last letter typed."""
        spans = self._by_file.get(file, [])
        if not spans or not 1 <= line <= len(spans[0].source.line_starts):
            return None
        offset = spans[0].source.line_starts[line - 1] + column - 1
        last = bisect_right(self._starts[file], offset)
        fitting = [span for span in spans[max(0, last - 8) : last] if span.start <= offset <= span.end]
        return max(fitting, key=lambda span: (span.end > offset, span.start), default=None)

    def _word_at(self, file: str, line: int, column: int) -> At | None:
        """A word of the language, with what the reference says of it."""
        tree = self._tree(file)
        if tree is None or not 1 <= line <= len(tree.span.source.line_starts):
            return None
        code = split_line(tree.span.source.line_text(line))
        for start, word in _words_of_language(" " * code.indent + code.code):
            end = start + len(word)
            if start < column <= end + 1 and (about := line_about(word)):
                return At(word, "word", Place(file, line, start + 1, line, end + 1), "", (), (), about)
        return None

    @cached_property
    def _meanings(self) -> dict[Span, list[Key]]:
        """What every name means, where it is used and where it is declared."""
        found: dict[Span, dict[Key, None]] = {span: dict(keys) for span, keys in self.index.uses.items()}
        for key, symbol in self.index.symbols.items():
            for span in symbol.spans:
                if span.text == symbol.name or symbol.sort in ("clause", "text"):
                    found.setdefault(span, {})[key] = None
        return {span: list(keys) for span, keys in found.items() if keys}

    @cached_property
    def _uses_of(self) -> dict[Key, list[Span]]:
        found: dict[Key, list[Span]] = {key: [] for key in self.index.symbols}
        for span, keys in self.index.uses.items():
            for key in keys:
                found[key].append(span)
        return found

    @cached_property
    def _by_file(self) -> dict[str, list[Span]]:
        files: dict[str, list[Span]] = {}
        for span in self._meanings:
            files.setdefault(span.source.name, []).append(span)
        return {file: sorted(spans, key=lambda span: span.start) for file, spans in files.items()}

    @cached_property
    def _starts(self) -> dict[str, list[int]]:
        return {file: [span.start for span in spans] for file, spans in self._by_file.items()}

    def _type_at(self, span: Span, symbols: list[Symbol]) -> str:
        """The type as it is known at this place, else as it is declared. The span of `p.hand` ends with its name."""
        ends = [other for other in self._types_ending.get((span.source.name, span.end), ()) if other <= span.start]
        if span in self.index.types:
            return str(self.index.types[span])
        if ends and span.source.text[span.start - 1 : span.start] == ".":
            return str(self.index.types[Span(span.source, max(ends), span.end)])
        return next((str(symbol.of) for symbol in symbols if symbol.of is not None), "")

    @cached_property
    def _types_ending(self) -> dict[tuple[str, int], list[int]]:
        """Where the expressions begin that end at a place."""
        found: dict[tuple[str, int], list[int]] = {}
        for span in self.index.types:
            found.setdefault((span.source.name, span.end), []).append(span.start)
        return found

    def _about(self, symbol: Symbol) -> Iterator[str]:
        """What there is to be read: the line that declares it, what its clauses say, what the reference says."""
        if symbol.sort == "word" or not symbol.spans:
            yield line_about(symbol.name)
            return
        if symbol.sort not in ("file", "clause"):
            yield from (line.text for line in symbol.lines)
        if symbol.about:
            yield f"= {symbol.about}" if symbol.sort == "constant" else symbol.about
        for clause in symbol.cites:
            known = self.index.symbols.get(("clause", clause))
            if known is not None:
                yield f"@{clause} {known.about}"

    # ------------------------------------------------------------------------ outline

    def symbols(self, file: str | Path) -> tuple[Outline, ...]:
        """The declarations of a rules file, in their order; those inside a variant, a table or a map below it."""
        tree = self._tree(_known_as(file))
        return tuple(_outline(node) for node in tree.declarations) if tree is not None else ()

    def _tree(self, file: str) -> nodes.File | None:
        """A tree of the ruleset; of a file that belongs to none, what can be read of it."""
        if file in self.trees or not file.endswith(".rules"):
            return self.trees.get(file)
        with laid_over(self.overlay):
            source = read_source(Path(file), Diagnostics())
        return read_rules(source, Diagnostics()) if source is not None else None

    # ------------------------------------------------------------------------ what could be written

    def names_at(self, file: str | Path, line: int, column: int) -> tuple[Named, ...]:
        """Names that make sense at a position: behind a dot what the thing before it has, else locals and globals."""
        tree = self._tree(_known_as(file))
        if tree is None or not 1 <= line <= len(tree.span.source.line_starts):
            return ()
        source = tree.span.source
        offset = source.line_starts[line - 1] + column - 1
        before = source.text[source.line_starts[line - 1] : offset]
        local = {symbol.name: symbol for symbol in self._locals(source, offset)}
        path = re.search(r"([A-Za-z]\w*(?:\[[^\]]*\]|\.[a-z]\w*)*)\.[a-z]?\w*$", before)
        if path is not None:
            return tuple(_named(symbol) for symbol in self._behind_dot(re.sub(r"\[[^\]]*\]", "", path[1]), local))
        own = [_named(symbol) for symbol in (*local.values(), *self._globals())]
        words = [*STATEMENTS, *sorted(OWN_NAMES | OWN_CALLS)] if before.startswith(" ") else DECLARATIONS
        return tuple(dict.fromkeys((*own, *(Named(word, "word", "") for word in words))))

    def _locals(self, source: Source, offset: int) -> Iterator[Symbol]:
        """Locals bound between the line at the margin that begins the declaration and this position."""
        margin = [match.start() for match in re.finditer(r"(?m)^[A-Za-z]", source.text[:offset])]
        start = margin[-1] if margin else 0
        for key, symbol in self.index.symbols.items():
            if key[0] == "local" and symbol.spans[0].source.name == source.name:
                if start <= symbol.spans[0].start < offset:
                    yield symbol

    def _globals(self) -> Iterator[Symbol]:
        for key, symbol in self.index.symbols.items():
            if key[0] in ("rule", "constant", "chart", "map", "seat", "type") or key[:2] == ("state", "table"):
                yield symbol

    def _behind_dot(self, path: str, local: dict[str, Symbol]) -> list[Symbol]:
        """What can follow `p.hand.`: fields and attributes of what the path gives, or values of a type."""
        first, *rest = path.split(".")
        if ("type", first) in self.index.symbols and not rest:
            return [symbol for key, symbol in self.index.symbols.items() if key[:2] == ("member", first)]
        table = self.index.symbols.get(("state", "table", first))
        seat = Player() if ("seat", first) in self.index.symbols else None
        of = local[first].of if first in local else table.of if table is not None else seat
        for name in rest:
            of = next((symbol.of for symbol in self._members(of) if symbol.name == name), None)
        return list(self._members(of))

    def _members(self, of: VType | None) -> Iterator[Symbol]:
        inner = bare(of) if of is not None else None
        inner = inner.of if isinstance(inner, SetOf) else inner
        owners: tuple[str, ...] = ()
        match inner:
            case Player():
                owners = ("player",)
            case EnumOf(name):
                owners = (name,)
            case Kinded():
                owners = kinds_of(inner)
            case _:
                return
        for key, symbol in self.index.symbols.items():
            if key[0] in ("state", "attribute") and key[1] in owners:
                yield symbol


def _words_of_language(code: str) -> Iterator[tuple[int, str]]:
    """Where words of the language stand in a line: one that begins it, and any that is called as a function."""
    for found in re.finditer(r'"(?:[^"\\]|\\.)*"|[A-Za-z]\w*', code):
        is_first = not code[: found.start()].strip()
        is_called = code[found.end() : found.end() + 1] == "("
        if (is_first and found[0] in _OPENING) or (is_called and found[0] in OWN_CALLS):
            yield found.start(), found[0]


_OPENING = frozenset((*STATEMENTS, *DECLARATIONS))


def place_of(span: Span) -> Place:
    line, column = span.source.place(span.start)
    end_line, end_column = span.source.place(span.end)
    return Place(span.source.name, line, column, end_line, end_column)


def _known_as(file: str | Path) -> str:
    """The name by which findings and places speak of a file."""
    return shown_path(Path(file).expanduser().resolve())


def _named(symbol: Symbol) -> Named:
    return Named(symbol.name, symbol.sort, str(symbol.of) if symbol.of is not None else "")


def _outline(node: nodes.Declaration) -> Outline:
    inner = node.declaration if isinstance(node, nodes.Replace | nodes.Extend) else node
    sort = word_of(node) if inner is node else f"{word_of(node)} {word_of(inner)}"
    name = getattr(inner, "name", None) or getattr(inner, "alias", None)
    if isinstance(name, nodes.Name):
        return Outline(name.text, sort, place_of(name.span), tuple(_inside(inner)))
    title = inner.title.raw if isinstance(inner, nodes.Scenario) else inner.span.text
    return Outline(title, sort, place_of(inner.span), tuple(_inside(inner)))


def _inside(node: nodes.Declaration) -> Iterator[Outline]:
    match node:
        case nodes.Variant(declarations=declarations):
            yield from (_outline(inner) for inner in declarations)
        case nodes.Table() | nodes.Each() | nodes.Kind() | nodes.Enum() | nodes.Chart():
            yield from (Outline(one.name.text, "field", place_of(one.name.span)) for one in node.fields)
        case nodes.Map():
            for kind in all_in(node, nodes.MapKind):
                own = tuple(Outline(one.name.text, "field", place_of(one.name.span)) for one in kind.fields)
                yield Outline(kind.name.text, "kind", place_of(kind.name.span), own)
        case _:
            return
