"""What the nodes of every family share: a span, names, clause tags, texts with holes; and the heads of two families."""

from __future__ import annotations

from dataclasses import field

from ...diagnostics.source import Span
from ...files.records import Value


class Node(Value):
    span: Span = field(compare=False, repr=False)


class Name(Node):
    """A name that is declared or bound, with its own span."""

    text: str


class Cite(Node):
    """`@K-041`; text is `K-041`."""

    text: str


class Cited(Node):
    """A node that may carry clause tags."""

    cites: tuple[Cite, ...] = field(kw_only=True, default=())

    @property
    def cited(self) -> tuple[str, ...]:
        """The ids of its clauses."""
        return tuple(cite.text for cite in self.cites)


class Expr(Node):
    pass


Exprs = tuple[Expr, ...]


class TypeNode(Node):
    """A type as it is written."""


class Kinds(TypeNode):
    """`Kaiju | Mecha`: kinds, an enum, node or edge kinds, `Direction`."""

    names: tuple[Name, ...]


class CopyKey(Node):
    name: Name
    type: TypeNode


# ---------------------------------------------------------------------------- text with holes


class Text(Node):
    """`"Steal from {q} with {c}"`: a sequence of plain strings and Holes; `{{` has become a brace."""

    parts: tuple[str | Hole, ...]

    @property
    def raw(self) -> str:
        """The text as it reads, holes included."""
        return "".join(p if isinstance(p, str) else p.source for p in self.parts)

    @property
    def key(self) -> str:
        """The same with plain braces doubled as in the rules, so that holes can be told from them: translations are
        looked up by it."""
        return "".join(_braced(p) if isinstance(p, str) else p.source for p in self.parts)


def _braced(plain: str) -> str:
    return plain.replace("{", "{{").replace("}", "}}")


class Hole(Node):
    """`{c.area}` or `{c|definite}` inside a text. `source` is the text with its braces."""

    expression: Expr
    form: str | None
    source: str
