"""Turns Lark's parse tree into our nodes.

Most grammar rules become one node whose fields are the children in order (shapes.py). A rule that needs more has a
method here, named `_` and the name of the rule. The span of a node that ends a line (a
declaration, statement, field, branch, score line, step of a scenario) is its first line, without clause tags, comment
and block, so that an error underlines one line and not a page. Every other node spans exactly what was written. Clause
tags belong to the node on whose first line they stand; the lines `else`, `given`, `when` and `then` are not nodes with
tags of their own and pass theirs to the node around them.

The parse tree is trusted to follow the grammar. What the grammar cannot express is reported here: verbs used as
names, `if` without `else` outside a score line, numbers that are too large, nesting that is too deep.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Source, Span
from . import nodes as n
from .layout import clause_tags, line_end
from .shapes import GATHERED, LISTS, OWN_NAMES, PASSED_ON, absent, is_flag, shape_of
from .texts import build_text
from .words import VERBS, check_own_name, check_value

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


class Builder:
    """Builds the nodes of one parsed text, which begins at `offset` in the source."""

    def __init__(
        self,
        source: Source,
        text: str,
        found: Diagnostics,
        parse_hole: Callable[[Builder, str, int], n.Expr | None],
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

    # ------------------------------------------------------------------ declarations

    def _file(self, tree: Tree[Token]) -> n.File:
        return n.File(self.place(0, len(self.text.rstrip())), tuple(self.items(tree)))

    _members = _file

    def _game(self, tree: Tree[Token]) -> n.Game:
        name, title, (fewest, most), seats = self.items(tree)
        is_core = tree.data == "core"
        return self.make(n.Game, tree, name=name, title=title, fewest=fewest, most=most, seats=seats, is_core=is_core)

    _core = _game

    def _count_of(self, tree: Tree[Token]) -> tuple[int, int]:
        low, high = self.items(tree)
        return low, low if high is None else high

    def _variant(self, tree: Tree[Token]) -> n.Variant:
        name, of, title, count, *members = self.items(tree)
        fewest, most = count or (None, None)
        return self.make(
            n.Variant, tree, name=name, of=of, title=title, fewest=fewest, most=most, declarations=tuple(members)
        )

    def _kind(self, tree: Tree[Token]) -> n.Kind:
        name, file, text, lines = self.items(tree)
        copies = [line for line in lines or () if isinstance(line, n.Copies)]
        for again in copies[1:]:
            self.found.error(
                "R0113",
                f"`{name.text}` says twice how many copies there are",
                again.span,
                help="keep one `copies` line",
            )
        fields = tuple(line for line in lines or () if isinstance(line, n.Field))
        return self.make(
            n.Kind, tree, name=name, file=file, text=text, copies=copies[0] if copies else None, fields=fields
        )

    def _source(self, tree: Tree[Token]) -> n.CurrencySource:
        what, by, back_to, when = self.items(tree)
        as_any = by == "as_any"
        return self.make(
            n.CurrencySource, tree, what=what, by=None if as_any else by, as_any=as_any, back_to=back_to, when=when
        )

    def _remove_fields(self, tree: Tree[Token]) -> n.RemoveFields:
        names, owner = self.items(tree)
        if not isinstance(owner, n.Name):
            (said,) = (one for one in tree.children if isinstance(one, str) and one.type in ("TABLE", "PLAYER"))
            owner = n.Name(self.token_span(said), str(owner))
        return self.make(n.RemoveFields, tree, names=names, owner=owner)

    def _table(self, tree: Tree[Token]) -> n.Node:
        table = self.shaped(tree)
        for field in getattr(table, "fields", ()):
            check_own_name(field.name, self.found)
        return table

    def _each(self, tree: Tree[Token]) -> n.Each:
        *of, fields = self.items(tree)
        return self.make(n.Each, tree, of=of[0] if of else None, fields=fields)

    def _field(self, tree: Tree[Token]) -> n.Field:
        name, indexes, type_, modifiers, start = self.items(tree)
        capacity = next((part for part in modifiers if isinstance(part, n.Bound)), None)
        scope, lasting = next((part for part in modifiers if isinstance(part, tuple)), (None, False))
        words = tuple(part for part in modifiers if isinstance(part, n.Name))
        parts = {"modifiers": words, "capacity": capacity, "scope": scope, "lasting": lasting, "start": start}
        return self.make(n.Field, tree, name=name, indexes=indexes, type=type_, **parts)

    def _modifiers(self, tree: Tree[Token]) -> list[n.Name | n.Bound | tuple[n.Name, bool]]:
        """A word as Name (`top open` is top_open, `open to others` open_to_others), a capacity as Bound, a scope as its
        Name and whether it lasts."""
        return [
            n.Name(self.token_span(child), self.token(child)) if isinstance(child, str) else self.build(child)
            for child in tree.children
        ]

    def _scope(self, tree: Tree[Token]) -> tuple[n.Name, bool]:
        (name,) = self.items(tree)
        return name, tree.data == "lasting"

    _lasting = _scope

    def _map(self, tree: Tree[Token]) -> n.Map:
        name, base, kinds = self.items(tree)
        lines = [child for child in tree.children if getattr(child, "data", "") == "map_kinds"]
        words = [child.data for line in lines for child in line.children]  # type: ignore[union-attr]
        marked = list(zip(words, kinds or (), strict=True))
        return self.make(
            n.Map,
            tree,
            name=name,
            file=base if isinstance(base, n.Name) else None,
            shape=base if isinstance(base, n.Shape) else None,
            nodes=tuple(kind for word, kind in marked if word == "node"),
            edges=tuple(kind for word, kind in marked if word == "edge"),
        )

    def _grid(self, tree: Tree[Token]) -> n.Shape:
        rows, columns, diagonals, letters = self.items(tree)
        sizes = (rows, columns)
        return n.Shape(self.span(tree), "grid", sizes, diagonals=bool(diagonals), letters=bool(letters))

    def _rhombus(self, tree: Tree[Token]) -> n.Shape:
        rows, columns, letters = self.items(tree)
        return n.Shape(self.span(tree), "rhombus", bounds=(rows, columns), letters=bool(letters))

    def _ring(self, tree: Tree[Token]) -> n.Shape:
        (of,) = self.items(tree)
        if isinstance(of, int):
            return n.Shape(self.span(tree), str(tree.data), bounds=(n.Bound(self.span(tree), of),))
        return n.Shape(self.span(tree), str(tree.data), names=of)

    _complete = _ring

    def _line(self, tree: Tree[Token]) -> n.Shape:
        (bound,) = self.items(tree)
        return n.Shape(self.span(tree), str(tree.data), bounds=(bound,))

    _hexagon = _triangle = _line

    def _hexes(self, tree: Tree[Token]) -> n.Shape:
        (file,) = self.items(tree)
        return n.Shape(self.span(tree), "hexes", file=file)

    def _corners(self, tree: Tree[Token]) -> n.Shape:
        (of,) = self.items(tree)
        return n.Shape(self.span(tree), "corners", of=of)

    def _hook_path(self, tree: Tree[Token]) -> n.HookPath:
        """`p.heat[s]`: the parts after the first name, sorted into attributes, indexes and call."""
        name, *trailers = self.items(tree)
        attributes = tuple(part for kind, parts in trailers if kind == "." for part in parts)
        indexes = tuple(part for kind, parts in trailers if kind == "[" for part in parts)
        called = next((parts for kind, parts in trailers if kind == "("), None)
        return n.HookPath(self.span(tree), name, attributes, indexes, called)

    def _hook_attribute(self, tree: Tree[Token]) -> tuple[str, tuple[n.Name, ...]]:
        return ".", tuple(self.items(tree))

    def _hook_index(self, tree: Tree[Token]) -> tuple[str, tuple[n.Name, ...]]:
        (names,) = self.items(tree)
        return "[", names

    def _hook_called(self, tree: Tree[Token]) -> tuple[str, tuple[n.Name, ...]]:
        (names,) = self.items(tree)
        return "(", names or ()

    def _score_line(self, tree: Tree[Token]) -> n.ScoreLine:
        """A score line is the only place where `if` may stand without `else`."""
        label, written, _ = tree.children
        without_else = getattr(written, "data", "") == "if_else" and written.children[2] is None  # type: ignore[union-attr]
        value = self.shaped(written) if without_else else self.value(written)  # type: ignore[arg-type]
        return self.make(n.ScoreLine, tree, label=self.value(label), value=value)

    def _if_else(self, tree: Tree[Token]) -> n.Node:
        if tree.children[2] is None:
            self.found.error(
                "R0114",
                "this `if` has no `else`",
                self.span(tree),
                "what is it otherwise?",
                notes=("only a score line may leave it out: it then counts 0",),
                help="add `else` and the other value",
            )
        return self.shaped(tree)

    def _criterion(self, tree: Tree[Token]) -> n.Criterion:
        direction, *value = self.items(tree)
        return n.Criterion(self.span(tree), direction, value[0] if value else None)

    def _value(self, tree: Tree[Token]) -> n.Node:
        value = self.shaped(tree)
        if isinstance(value, n.Value) and value.expression is not None and value.body is not None:
            self.found.error(
                "R0115",
                f"`{value.name.text}` is given twice",
                value.expression.span,
                "once here, and once below",
                help="keep the expression or the lines below, not both",
            )
        return value

    # ------------------------------------------------------------------ types

    def _type(self, tree: Tree[Token]) -> n.TypeNode:
        base, optional = self.items(tree)
        return n.OptionalType(self.span(tree), base) if optional else base

    def _bound(self, tree: Tree[Token]) -> n.Bound:
        (value,) = self.items(tree)
        match value:
            case n.Number():
                return n.Bound(self.span(tree), value.value)
            case n.Negative(of=n.Number(value=number)):
                return n.Bound(self.span(tree), -number)
            case n.NameRef():
                return n.Bound(self.span(tree), value.name)
            case _:
                return n.Bound(self.span(tree), value)

    # ------------------------------------------------------------------ scenarios

    def _scenario(self, tree: Tree[Token]) -> n.Scenario:
        title, variants, players, seed, *parts = self.items(tree)
        return self.make(
            n.Scenario, tree, title=title, variants=variants, players=players, seed=seed, parts=tuple(parts)
        )

    def _pieces(self, tree: Tree[Token]) -> n.Pieces:
        *amounts, on_top = list(self.items(tree)) or [None]
        return n.Pieces(self.span(tree), tuple(amounts), bool(on_top))

    def _then(self, tree: Tree[Token]) -> n.Then:
        at_this_moment, *expectations = self.items(tree)
        return n.Then(self.span(tree), bool(at_this_moment), tuple(expectations))

    def _amount_of(self, tree: Tree[Token]) -> n.Amount:
        items = list(self.items(tree))
        if len(items) == 1:
            return n.Amount(self.span(tree), 1, n.Number(self.span(tree), items[0]))
        count, what, carried, slot = items
        return n.Amount(self.span(tree), 1 if count is None else count, what, carried, slot)

    def _all_of(self, tree: Tree[Token]) -> n.Amount:
        which, binder = self.items(tree)
        return n.Amount(self.span(tree), 1, n.Selection(self.span(tree), which, binder, None, None))

    def _pieces_by_name(self, tree: Tree[Token]) -> n.Pieces:
        return n.Pieces(self.span(tree), tuple(self.items(tree)), False)

    def _seen_amount(self, tree: Tree[Token]) -> n.Amount:
        count, what = self.items(tree)
        return n.Amount(self.span(tree), 1 if count is None else count, what)

    def _happened(self, tree: Tree[Token]) -> n.Happened:
        return self.make(n.Happened, tree, calls=tuple(self.items(tree)), did=True)

    def _not_happened(self, tree: Tree[Token]) -> n.Happened:
        return self.make(n.Happened, tree, calls=tuple(self.items(tree)), did=False)

    def _reads(self, tree: Tree[Token]) -> n.Reads:
        player, *lines = self.items(tree)
        return self.make(n.Reads, tree, player=player, lines=tuple(lines), does=True)

    def _not_reads(self, tree: Tree[Token]) -> n.Reads:
        player, *lines = self.items(tree)
        return self.make(n.Reads, tree, player=player, lines=tuple(lines), does=False)

    def _carried(self, tree: Tree[Token]) -> n.Amount:
        count, what = self.items(tree)
        return n.Amount(self.span(tree), 1 if count is None else count, what)

    def _minus_int(self, tree: Tree[Token]) -> int:
        (number,) = self.items(tree)
        return -number  # type: ignore[no-any-return]

    # ------------------------------------------------------------------ statements

    def _cost(self, tree: Tree[Token]) -> n.Cost:
        amount, resource, pattern = self.items(tree)
        if isinstance(pattern, n.CopyKey):
            return n.Cost(self.span(tree), amount, resource, None, None, pattern)
        is_among = isinstance(pattern, n.Expr)
        return n.Cost(
            self.span(tree), amount, resource, "among" if is_among else pattern, pattern if is_among else None
        )

    def _resource(self, tree: Tree[Token]) -> n.Resource:
        name, *indexes = self.items(tree)
        return n.Resource(self.span(tree), name, tuple(indexes))

    def _moved_one(self, tree: Tree[Token]) -> n.Moved:
        (expression,) = self.items(tree)
        return n.Moved(self.span(tree), "one", None, expression, None)

    def _moved_all(self, tree: Tree[Token]) -> n.Moved:
        _, binder = self.items(tree)
        return n.Moved(self.span(tree), "all", None, None, binder)

    def _moved_some(self, tree: Tree[Token]) -> n.Moved:
        up_to, count, binder = self.items(tree)
        return n.Moved(self.span(tree), "up_to" if up_to else "exactly", count, None, binder)

    def _reveal(self, tree: Tree[Token]) -> n.Reveal:
        moved, to = self.items(tree)
        return self.make(n.Reveal, tree, what=moved.expression, binder=moved.binder, to=to)

    def _choose_set(self, tree: Tree[Token]) -> n.ChooseSet:
        player, (quantity, low, high), *rest = self.items(tree)
        names = ("binder", "alias", "such_that", "secretly", "text", "if_possible", "body")
        parts = dict(zip(names, rest, strict=True))
        return self.make(n.ChooseSet, tree, player=player, quantity=quantity, low=low, high=high, **parts)

    def _call_branch(self, tree: Tree[Token]) -> n.Node:
        branch = self.shaped(tree)
        if isinstance(branch, n.CallBranch) and isinstance(branch.call, n.NameRef) and branch.call.name in VERBS:
            self.found.error(
                "R0109",
                f"`{branch.call.name}` stands here without a label",
                branch.span,
                help="below `choose one` stand labels in quotes: put one above it, and indent it below that",
            )
        return branch

    def _any_number(self, tree: Tree[Token]) -> tuple[str, None, None]:
        return "any", None, None

    def _at_most(self, tree: Tree[Token]) -> tuple[str, None, n.Expr]:
        _, high = self.items(tree)
        return "up_to", None, high

    def _between(self, tree: Tree[Token]) -> tuple[str, n.Expr, n.Expr | None]:
        low, high = self.items(tree)
        return ("exactly", low, low) if high is None else ("between", low, high)

    def _pick(self, tree: Tree[Token]) -> n.Pick:
        binder, how, if_possible, body = self.items(tree)
        parts = {"at_random": how == "at_random", "preferring": how if isinstance(how, tuple) else ()}
        return self.make(n.Pick, tree, binder=binder, **parts, if_possible=if_possible, body=body)

    def _preferring(self, tree: Tree[Token]) -> tuple[n.Expr | None, ...]:
        return tuple(None if item == "any" else item for item in self.items(tree))

    def _if(self, tree: Tree[Token]) -> n.If:
        *cases, otherwise = self.items(tree)
        return self.make(n.If, tree, cases=tuple(cases), otherwise=otherwise)

    def _order(self, tree: Tree[Token]) -> n.Order:
        direction, key, *then = self.items(tree)
        return n.Order(self.span(tree), direction, key, tuple(then))

    def _any_order(self, tree: Tree[Token]) -> n.AnyOrder:
        player, *branches = self.items(tree)
        return self.make(n.AnyOrder, tree, player=player, branches=tuple(branches))

    # ------------------------------------------------------------------ expressions, cells

    def _name(self, tree: Tree[Token]) -> n.NameRef:
        check_value(str(tree.children[0]), self.span(tree), self.found)
        return n.NameRef(self.span(tree), str(tree.children[0]))

    def _type_name(self, tree: Tree[Token]) -> n.TypeRef:
        check_value(str(tree.children[0]), self.span(tree), self.found)
        return n.TypeRef(self.span(tree), str(tree.children[0]))

    def _extreme(self, tree: Tree[Token]) -> n.Extreme:
        which, *items = self.items(tree)
        return n.Extreme(self.span(tree), which, tuple(items))

    def _is_test(self, tree: Tree[Token]) -> n.IsTest:
        of, negated, predicate = self.items(tree)
        if isinstance(predicate, n.Kinds):
            return n.IsTest(self.span(tree), of, bool(negated), "kinds", kinds=predicate)
        if isinstance(predicate, n.Expr):
            return n.IsTest(self.span(tree), of, bool(negated), "known_to", known_to=predicate)
        return n.IsTest(self.span(tree), of, bool(negated), predicate)

    def _reach(self, tree: Tree[Token]) -> n.Reach:
        start, *rest = (child for child in tree.children if child is not None)
        parts = {getattr(child, "data", "stopping_at"): self.value(child) for child in rest}
        along, through = parts.get("along"), parts.get("through")
        return n.Reach(self.span(tree), self.value(start), along, through, parts.get("stopping_at"))

    def _event(self, tree: Tree[Token]) -> n.Effect:
        """An effect that does nothing but tell: others hook it."""
        name, params, text = self.items(tree)
        body = () if text is None else (n.Say(self.span(tree), text, None),)
        return self.make(n.Effect, tree, name=name, params=params, text=None, body=body, type=None, depth=None)

    def _typed_name(self, tree: Tree[Token]) -> TypedName:
        return TypedName(self.span(tree), *self.items(tree))

    def _stopping_binder(self, tree: Tree[Token]) -> n.Binder:
        name, source, stop, where, order = self.items(tree)
        return self.make(n.Binder, tree, name=name, source=_up_to(name, source, stop), where=where, order=order)

    def _stopping_quantifier(self, tree: Tree[Token]) -> n.Quantifier:
        which, name, source, stop, where, has = self.items(tree)
        over = _up_to(name, source, stop)
        return self.make(n.Quantifier, tree, which=which, name=name, source=over, where=where, has=has)

    def _several_quantifier(self, tree: Tree[Token]) -> n.Quantifier:
        """`no x in S, y in T has C`: no x has some y with C. The others are nested as they are."""
        which, name, source, where, binders, has = self.items(tree)
        inner = "some" if which == "no" else which
        for one in reversed(binders):
            parts = {"name": one.name, "source": one.source, "where": one.where, "has": has}
            has = self.make(n.Quantifier, tree, which=inner, **parts)
        return self.make(n.Quantifier, tree, which=which, name=name, source=source, where=where, has=has)

    def _sum_of_several(self, tree: Tree[Token]) -> n.SumOf:
        """`sum(E for x in S, y in T)`: the sum over x of the sums over y."""
        value, first, binders = self.items(tree)
        for one in (*reversed(binders), first):
            value = self.make(n.SumOf, tree, value=value, binder=one)
        return cast(n.SumOf, value)

    def _count_several(self, tree: Tree[Token]) -> n.SumOf:
        first, binders = self.items(tree)
        value: n.Expr = self.make(n.Count, tree, of=None, binder=binders[-1])
        for one in (*reversed(binders[:-1]), first):
            value = self.make(n.SumOf, tree, value=value, binder=one)
        return cast(n.SumOf, value)

    def _extreme_of_several(self, tree: Tree[Token]) -> n.ExtremeOf:
        which, value, binder, binders, otherwise = self.items(tree)
        self.found.error(
            "R0116",
            f"`{which}` goes over one name",
            binders[0].span,
            "a second one",
            help=f"put one inside the other: `{which}({which}(… for y in T else 0) for x in S else 0)`",
        )
        return self.make(n.ExtremeOf, tree, which=which, value=value, binder=binder, otherwise=otherwise)

    def _for_several(self, tree: Tree[Token]) -> n.For:
        """`for x in S, y in T`: one loop inside another, which one `stop` would leave is not said."""
        name, source, *rest = self.items(tree)
        return self._nested(tree, name, (source,), None, *rest)

    def _for_several_filtered(self, tree: Tree[Token]) -> n.For:
        return self._nested(tree, *self.items(tree))

    def _nested(self, tree: Tree[Token], name: n.Name, sources: Any, where: Any, binders: Any, body: Any) -> n.For:
        self._refuse_stop(body)
        for binder in reversed(binders):
            parts = {"where": binder.where, "order": binder.order, "ordered_by": None, "body": body}
            body = (self.make(n.For, tree, name=binder.name, sources=(binder.source,), **parts),)
        return self.make(n.For, tree, name=name, sources=sources, where=where, order=None, ordered_by=None, body=body)

    def _refuse_stop(self, body: tuple[n.Node, ...]) -> None:
        for statement in body:
            if isinstance(statement, n.Stop):
                self.found.error(
                    "R0126",
                    "which of these loops does `stop` leave?",
                    statement.span,
                    "this `for` has several names",
                    help="write one `for` inside the other",
                )
            parts = [statement, *getattr(statement, "cases", ()), *getattr(statement, "branches", ())]
            if isinstance(statement, n.If | n.Choose | n.ChooseOne | n.Pick):
                for part in parts:
                    for block in (getattr(part, "body", None), getattr(part, "otherwise", None)):
                        self._refuse_stop(block if isinstance(block, tuple) else ())

    def _for_stopping(self, tree: Tree[Token]) -> n.For:
        name, source, stop, where, order, ordered_by, body = self.items(tree)
        over = (_up_to(name, source, stop),)
        return self.make(
            n.For, tree, name=name, sources=over, where=where, order=order, ordered_by=ordered_by, body=body
        )

    def _along(self, tree: Tree[Token]) -> n.Binder:
        name, passed, *where = self.items(tree)
        check_own_name(name, self.found)
        return n.Binder(self.span(tree), name, passed, where[0] if where else None, None)

    _through = _along

    def _cell_arg(self, tree: Tree[Token]) -> n.CellArg:
        name, value = self.items(tree)
        if isinstance(value, int):
            value = n.Number(self.span(tree), value)
        return n.CellArg(self.span(tree), name, value)

    def _cell_member(self, tree: Tree[Token]) -> n.Attribute:
        of, name = self.items(tree)
        return n.Attribute(self.span(tree), n.TypeRef(of.span, of.text), name)


def _of_kind(typed: TypedName, where: n.Expr | None) -> n.Expr:
    """The condition of `k: Kiwi in S where C`."""
    test = n.IsTest(typed.span, n.NameRef(typed.name.span, typed.name.text), False, "kinds", kinds=typed.kinds)
    return test if where is None else n.And(where.span, test, where)


def _up_to(name: n.Name | TypedName, source: n.Expr, stop: n.Expr) -> n.StoppingAt:
    asked = name.name if isinstance(name, TypedName) else name
    return n.StoppingAt(Span(source.span.source, source.span.start, stop.span.end), source, asked, stop)
