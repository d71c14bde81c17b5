"""The walk over a parse tree: what every rule of the grammar needs, whatever it builds."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from ...diagnostics.diagnostic import Diagnostics
from ...diagnostics.source import Source, Span
from .. import nodes as n
from ..layout import clause_tags, line_end
from ..shapes import GATHERED, LISTS, OWN_NAMES, PASSED_ON, absent, is_flag, shape_of
from ..texts import build_text
from ..words import check_own_name

if TYPE_CHECKING:
    from lark import Token, Tree

DEEPEST = 100
LARGEST_NUMBER = 2**31 - 1

N = TypeVar("N", bound=n.Node)

_PASS_TAGS_ON = frozenset(("else", "given", "when", "then"))


MOST_CASES = 66  # of one `if`: each `else if` stands inside the one before, here as in what is compiled


@dataclass(frozen=True)
class TypedName:
    """`k: Kiwi`, in front of `in`. It becomes part of the condition: `k in S where k is Kiwi and …`."""

    span: Span
    name: n.Name
    kinds: n.Kinds


class TooDeep(Exception):
    """The text is nested more deeply than the later stages are built to follow."""

    def __init__(self, span: Span) -> None:
        super().__init__("nested too deeply")
        self.span = span


class TreeWalk:
    """Builds the nodes of one parsed text, which begins at `offset` in the source."""

    def __init__(
        self,
        source: Source,
        text: str,
        found: Diagnostics,
        parse_hole: Callable[[TreeWalk, str, int], n.Expr | None],
        offset: int = 0,
        everything_at: Span | None = None,
    ) -> None:
        self.source = source
        self.text = text
        self.found = found
        self.offset = offset
        self.everything_at = everything_at  # the span of every node, if offsets of the text mean nothing in the source
        self._parse_hole = parse_hole
        self._tags = clause_tags(text)
        self._tag_offsets = [at for at, _ in self._tags]
        self._depth = 0

    # ------------------------------------------------------------------ the walk

    def build(self, tree: Tree[Token]) -> Any:
        """The node, tuple or value that a tree stands for."""
        self._depth += 1
        rule = str(tree.data)
        if self._depth > DEEPEST or (rule == "if" and len(tree.children) > MOST_CASES):
            raise TooDeep(self.span(tree))
        own: Callable[[Tree[Token]], Any] | None = getattr(self, f"_{rule}", None)
        if own is not None:
            built = own(tree)
        elif rule in LISTS:
            built = tuple(item for item in self.items(tree) if item is not None)  # `go()` holds one absent child
        elif rule in PASSED_ON:
            built = next(iter(self.items(tree)), None)
        elif rule in GATHERED:
            built = GATHERED[rule](self.span(tree), tuple(self.items(tree)))
        else:
            built = self.shaped(tree)
        self._depth -= 1
        return built

    def shaped(self, tree: Tree[Token]) -> n.Node:
        """A node whose fields are the children in order."""
        node, names, always = shape_of(str(tree.data))
        return self.make(node, tree, **dict(zip(names, self.items(tree), strict=True)), **always)

    def make(self, node: type[N], tree: Tree[Token], **parts: Any) -> N:
        kind: Any = node
        if isinstance(typed := parts.get("name"), TypedName):
            parts.update(name=typed.name, where=_of_kind(typed, parts["where"]))
        for name, part in parts.items():
            if part is None:
                parts[name] = absent(kind, name)
            elif is_flag(kind, name):
                parts[name] = bool(part)
        if issubclass(node, n.Cited):
            parts["cites"] = self.cites(tree)
        if node in OWN_NAMES and parts[OWN_NAMES[node]] is not None:
            check_own_name(parts[OWN_NAMES[node]], self.found)
        return node(self.span(tree), **parts)

    def items(self, tree: Tree[Token]) -> Iterable[Any]:
        """The values of the children, line ends left out."""
        return [self.value(child) for child in tree.children if getattr(child, "type", "") != "EOL"]

    def value(self, child: Tree[Token] | Token | None) -> Any:
        if child is None:
            return None
        return self.token(child) if isinstance(child, str) else self.build(child)

    def token(self, token: Token) -> Any:
        """A name as Name, a text as Text, a number as int, a phrase as one word (`on top` is on_top)."""
        match token.type:
            case "NAME" | "TYPE" | "FILE":
                return n.Name(self.token_span(token), str(token))
            case "INT":
                return self.number(token)
            case "STRING":
                return build_text(token, token.start_pos or 0, self.place, self.hole, self.found)
            case "CLAUSE":
                return n.Cite(self.token_span(token), token[1:])
            case "INSTEAD_OF":
                return "instead"
            case "FACE" | "END_OF":
                return token.split()[1 if token.type == "FACE" else 0]
            case "LAST_ROUND":
                return "finishing" if token.startswith("finishing") else "each_once_more"
            case _:
                return "_".join(token.split())

    def number(self, token: Token) -> int:
        if len(token) <= 10 and int(token) <= LARGEST_NUMBER:
            return int(token)
        said = f"whole numbers go up to {LARGEST_NUMBER}"
        self.found.error("R0112", "this number is too large", self.token_span(token), help=said)
        return LARGEST_NUMBER

    def hole(self, text: str, offset: int) -> n.Expr | None:
        return self._parse_hole(self, text, offset)

    # ------------------------------------------------------------------ places and clause tags

    def place(self, start: int, end: int) -> Span:
        return self.everything_at or Span(self.source, self.offset + start, self.offset + end)

    def token_span(self, token: Token) -> Span:
        return self.place(token.start_pos or 0, token.end_pos or 0)

    def span(self, tree: Tree[Token]) -> Span:
        end = line_end(tree)
        if end is None:
            return self.place(tree.meta.start_pos, tree.meta.end_pos)
        start = tree.meta.start_pos
        return self.place(start, start + len(self.text[start : end.start_pos].rstrip()))

    def cites(self, tree: Tree[Token]) -> tuple[n.Cite, ...]:
        """The clause tags on the first line of the tree, and on the lines inside that pass theirs on."""
        places = [tree, *(child for child in tree.children if getattr(child, "data", "") in _PASS_TAGS_ON)]
        return tuple(cite for place in places for cite in self._cites_of_line(place))

    def _cites_of_line(self, tree: Any) -> Iterable[n.Cite]:
        end = next((child for child in tree.children if getattr(child, "type", "") == "EOL"), None)
        if end is None:
            return
        named = {child.start_pos for child in tree.children if getattr(child, "type", "") == "CLAUSE"}
        first = bisect_left(self._tag_offsets, tree.meta.start_pos)
        for at, text in self._tags[first : bisect_left(self._tag_offsets, end.end_pos)]:
            if at not in named:
                yield n.Cite(self.place(at, at + 1 + len(text)), text)


def _of_kind(typed: TypedName, where: n.Expr | None) -> n.Expr:
    """The condition of `k: Kiwi in S where C`."""
    test = n.IsTest(typed.span, n.NameRef(typed.name.span, typed.name.text), False, "kinds", kinds=typed.kinds)
    return test if where is None else n.And(where.span, test, where)


def up_to(name: n.Name | TypedName, source: n.Expr, stop: n.Expr) -> n.StoppingAt:
    """`x in S up to C`: the set that a binder goes over."""
    asked = name.name if isinstance(name, TypedName) else name
    return n.StoppingAt(Span(source.span.source, source.span.start, stop.span.end), source, asked, stop)
