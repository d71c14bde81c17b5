"""Finds out what is missing from a game whose files have mistakes: the lost names, and whatever depends on them.

The parser supplies the words of each broken stretch. From there losses spread: a field of a lost type, a chart indexed
by a lost enum, a map whose size is a lost constant are unusable too. A finding about one of them would only repeat the
first mistake.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields

from ..diagnostics.source import Source, Span
from ..syntax import nodes
from .lost import Lost

_WORD = re.compile(r"[A-Za-z]\w*")


def lost_in(trees: Collection[nodes.File], unread: Iterable[Source | None]) -> Lost:
    """What is missing because of broken rules files and unusable data files (None: a file that does not exist)."""
    names: set[str] = set()
    spoilt: dict[Span, tuple[int, int]] = {}
    asked = list(unread)
    files = [source for source in asked if source is not None]
    for damage in (damage for tree in trees for damage in tree.damage):
        names |= damage.names
        if damage.inside is not None:
            start, end = spoilt.get(damage.inside, (damage.span.start, damage.until))
            spoilt[damage.inside] = min(start, damage.span.start), max(end, damage.until)
    for source in files:
        names.update(_WORD.findall(source.text))
    names |= _hanging_on(names, trees)
    # The line `game … as first, second` names the seats: what is left of it need not have all of their names.
    seats = any(damage.span.text.lstrip().startswith("game ") for tree in trees for damage in tree.damage)
    is_blind = None in asked or "" in names or seats
    return Lost(frozenset(names - {""}), spoilt, frozenset(source.name for source in files), is_blind)


# ---------------------------------------------------------------------------- what depends on a lost name


def _hanging_on(lost: set[str], trees: Collection[nodes.File]) -> set[str]:
    """Names whose declarations use a lost name, directly or not: `decks[Part]: …` is unusable while `Part` is lost.
    Repeated until no name is added."""
    open_ones = {name: words for tree in trees for name, words in _declared_by(tree)} if lost else {}
    boards = [found for tree in trees for found in tree.declarations if isinstance(found, nodes.Map)]
    names = {board.name.text for board in boards}
    for board in boards:
        if not board.nodes and lost:  # it runs over nodes of other maps
            open_ones[board.name.text] = open_ones[board.name.text] | names
    hanging: set[str] = set()
    while more := {name for name, words in open_ones.items() if words & (lost | hanging)} - hanging:
        hanging |= more
    return hanging


def _declared_by(node: nodes.Node) -> Iterator[tuple[str, set[str]]]:
    """Every field, constant, enum, kind, chart, map and currency, with the words that its declaration uses."""
    for inner in _parts(node):
        match inner:
            case nodes.Rule() | nodes.Scenario():
                continue  # a lost type there affects one parameter or result, and the checker handles that itself
            case nodes.Field() | nodes.Constant() | nodes.Enum() | nodes.Kind() | nodes.Chart() | nodes.Map():
                own = {name for name, _ in _declared_by(inner)}
                words = set(_words_in(inner)) - {inner.name.text} - own
                yield inner.name.text, words
                for kind in (*inner.nodes, *inner.edges) if isinstance(inner, nodes.Map) else ():
                    yield kind.name.text, words - {kind.name.text}  # without its map there are no such nodes
            case nodes.Currency() | nodes.CopyKey() | nodes.History():
                yield inner.name.text, set(_words_in(inner)) - {inner.name.text}
            case _:
                pass
        yield from _declared_by(inner)


def _words_in(node: nodes.Node) -> Iterator[str]:
    match node:
        case nodes.Name(text=word) | nodes.NameRef(name=word) | nodes.TypeRef(name=word):
            yield word
        case nodes.Bound(value=str() as word):
            yield word
        case nodes.Cite():
            return
        case _:
            for part in _parts(node):
                yield from _words_in(part)


def _parts(node: nodes.Node) -> Iterator[nodes.Node]:
    for part in fields(node):
        value = getattr(node, part.name)
        for item in value if isinstance(value, tuple) else (value,):
            if isinstance(item, nodes.Node):
                yield item
