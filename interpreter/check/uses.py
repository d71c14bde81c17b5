"""Which declaration each name in the text means: noted by the checker at the moment it finds out.

There is no second look at the text that could come to another answer. Whoever resolves a name says so here, with the
place of the name and a key for what it means; the index of `editor` later finds the declaration that each key stands
for. Where nobody wants an index, nothing is kept.

Keys are a word for the sort of thing and then what tells it apart:

    ("rule", name)              phases, actions, effects, values, named hooks
    ("constant", name)          ("chart", name)     ("map", name)     ("currency", name)     ("seat", name)
    ("history", name)
    ("type", name)              enums, kinds, node and edge kinds
    ("state", owner, name)      fields and places; the owner is `table`, `player` or a kind
    ("attribute", kind, name)   what is printed on pieces, nodes, edges, values of an enum
    ("column", chart, name)
    ("member", type, name)      values of enums, rows of tables, nodes and edges
    ("parameter", rule, name)   ("given", name) for `effect given (name: T)`
    ("local", span)             the place where the name was bound
    ("variant", name)           ("ruleset", name)   ("file", name)
    ("clause", id)              ("text", text)      ("word", name) for words of the language
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ..diagnostics.source import Span
from ..syntax import nodes
from .value_types import DirectionOf, EnumOf, Kinded, Player, VType

Key = tuple[str | Span, ...]


@dataclass
class Uses:
    """What one run of the checker has found out about names and types, in the order in which it did."""

    is_wanted: bool = False
    names: list[tuple[Span, Key]] = field(default_factory=list)
    locals: list[tuple[Span, str, VType]] = field(default_factory=list)  # where bound, the name, of what type
    types: list[tuple[Span, VType]] = field(default_factory=list)  # of every expression, with what is known there

    def add(self, span: Span, *key: str | Span) -> None:
        """The name at this place means what the key stands for."""
        if self.is_wanted:
            self.names.append((span, key))

    def add_member(self, span: Span, of: VType, name: str) -> None:
        """The name at this place is one of the values of a type."""
        if not self.is_wanted:
            return
        match of:
            case Player():
                self.add(span, "seat", name)
            case EnumOf(enum):
                self.add(span, "member", enum, name)
            case Kinded(kinds):
                for kind in kinds:
                    self.add(span, "member", kind, name)
            case DirectionOf():
                self.add(span, "word", name)

    def bind(self, name: nodes.Name, of: VType) -> None:
        """A local has been bound here. One that nobody wrote, such as `was`, is a word of the language."""
        if self.is_wanted and name.span.text == name.text:
            self.locals.append((name.span, name.text, of))
