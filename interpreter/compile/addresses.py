"""Sums that come again in a function are added up once.

Where a field lies in the state is a sum of a constant and of multiples of what it is indexed by: `12 + 18 * p + 3 *
a`. Emitted code writes it out wherever the field is read. Here the part of it that speaks of names which have their
value already, and get no other, moves before the first statement that needs it: out of loops, into the only branch
that asks for it. A name with one assignment in the whole function is such a name from that assignment on to the end
of its block.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

Term = tuple[str, int]  # a name, and how often it is counted
Terms = tuple[Term, ...]

IN_LOOP = 3.0  # how much more often than what stands around it a loop's body runs, by guess
IN_BRANCH = 0.5
INNER = (ast.ListComp, ast.GeneratorExp, ast.SetComp, ast.DictComp, ast.Lambda)


def share_sums(function: ast.FunctionDef) -> None:
    _Sharing(function).run()


@dataclass
class _Sum:
    """`constant` plus multiples of names, plus whatever else is added."""

    constant: int
    terms: list[Term]
    others: list[ast.expr]

    def part(self, scope: set[str]) -> Terms:
        return tuple(sorted(term for term in self.terms if term[0] in scope))


@dataclass
class _Wish:
    """How much a part of a sum is wanted, by the constant that it is added to."""

    terms: Terms
    weights: dict[int, float]

    @property
    def cost(self) -> int:
        """Operations for the terms alone."""
        return sum(1 if factor == 1 else 3 for _, factor in self.terms) + len(self.terms) - 1

    def gain(self, constant: int) -> float:
        """Operations saved by keeping the terms with this constant added."""
        cost = self.cost + (2 if constant else 0)
        return self.weights[constant] * (cost - 1) - cost - 1

    @property
    def shared_gain(self) -> float:
        """The same for the terms without any constant."""
        return sum(self.weights.values()) * (self.cost - 1) - self.cost - 1


class _Sharing:
    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        params = [arg.arg for arg in function.args.args]
        stored = Counter(params)
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                stored[node.id] += 1
            elif isinstance(node, ast.arg) and node not in function.args.args:
                stored[node.arg] += 1
        self.settled = {name for name, count in stored.items() if count == 1}
        self.entered = set(params) & self.settled
        self.made = 0

    def run(self) -> None:
        self.block(self.function.body, self.entered, set())

    def block(self, body: list[ast.stmt], new: set[str], outer: set[str]) -> None:
        """A list of statements at whose start some names get their value."""
        scope = outer | new
        position = 0
        while position < len(body):
            statement = body[position]
            if new and not _only_gives_names(statement):
                self.share(body, position, new, scope)
                new = set()
                continue
            for inner, entered in _blocks(statement):
                self.block(inner, entered & self.settled, scope)
            given = _assigned(statement) & self.settled - scope
            scope |= given
            new = new | given
            position += 1

    def share(self, body: list[ast.stmt], start: int, new: set[str], scope: set[str]) -> None:
        wishes: dict[Terms, _Wish] = {}
        for statement in body[start:]:
            for found, weight in _sums(statement, 1.0):
                part = found.part(scope)
                if any(name in new for name, _ in part):
                    wish = wishes.setdefault(part, _Wish(part, {}))
                    wish.weights[found.constant] = wish.weights.get(found.constant, 0.0) + weight
        for wish in sorted(wishes.values(), key=lambda wish: (-len(wish.terms), wish.terms)):
            gains = {constant: gain for constant in wish.weights if (gain := wish.gain(constant)) > 0}
            if wish.shared_gain > sum(gains.values()):
                self.keep(body, start, wish.terms, None)
            else:
                for constant in gains:
                    self.keep(body, start, wish.terms, constant)

    def keep(self, body: list[ast.stmt], start: int, terms: Terms, constant: int | None) -> None:
        """Adds the terms up before the first statement that needs them, and lets all that follow use that."""
        needing = [
            number
            for number in range(start, len(body))
            if any(_has(found, terms, constant) for found, _ in _sums(body[number], 1.0))
        ]
        if not needing:
            return
        first = body[needing[0]]
        if len(needing) == 1 and isinstance(first, ast.If):
            if not any(_has(found, terms, constant) for found, _ in _sums(first.test, 1.0)):
                used = [branch for branch in (first.body, first.orelse) if _any_has(branch, terms, constant)]
                if len(used) == 1:
                    self.keep(used[0], 0, terms, constant)
                    return
        self.made += 1
        name = f"_{self.made}"
        self.settled.add(name)
        value = _written(_Sum(constant or 0, list(terms), []))
        swap = _Swap(terms, constant, name)
        for number in needing:
            body[number] = swap.visit(body[number])
        made = ast.Assign([ast.Name(name, ast.Store())], value)
        for node in ast.walk(made):
            ast.copy_location(node, first)
        body.insert(needing[0], made)


class _Swap(ast.NodeTransformer):
    """Sums with the kept part in them, by its name."""

    def __init__(self, terms: Terms, constant: int | None, name: str) -> None:
        self.terms = terms
        self.constant = constant
        self.name = name

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        found = _sum_of(node)
        if found is None:
            self.generic_visit(node)
            return node
        found.others = [self.visit(other) for other in found.others]
        if _has(found, self.terms, self.constant):
            for term in self.terms:
                found.terms.remove(term)
            found.terms.insert(0, (self.name, 1))
            if self.constant is not None:
                found.constant = 0
        made = _written(found)
        for part in ast.walk(made):
            if not hasattr(part, "lineno"):
                ast.copy_location(part, node)
        return made


def _has(found: _Sum, terms: Terms, constant: int | None) -> bool:
    if constant is not None and found.constant != constant:
        return False
    left = list(found.terms)
    for term in terms:
        if term not in left:
            return False
        left.remove(term)
    return True


def _any_has(body: list[ast.stmt], terms: Terms, constant: int | None) -> bool:
    return any(_has(found, terms, constant) for statement in body for found, _ in _sums(statement, 1.0))


# ---------------------------------------------------------------------------- sums


def _sum_of(node: ast.AST) -> _Sum | None:
    """What a sum adds up, if it is surely one of numbers."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Add):
        return None
    found = _Sum(0, [], [])
    numbers = 0
    waiting: list[ast.expr] = [node]
    while waiting:
        part = waiting.pop()
        match part:
            case ast.BinOp(left, ast.Add(), right):
                waiting += [right, left]
            case ast.Constant(int(value)):
                found.constant += value
                numbers += 1
            case ast.BinOp(ast.Constant(int(factor)), ast.Mult(), ast.Name(name)):
                found.terms.append((name, factor))
                numbers += 1
            case ast.Name(name):
                found.terms.append((name, 1))
                numbers += name.startswith("_")  # a part that was kept before
            case _:
                found.others.append(part)
    return found if numbers and found.terms else None


def _written(found: _Sum) -> ast.expr:
    parts: list[ast.expr] = []
    for name, factor in found.terms:
        term: ast.expr = ast.Name(name, ast.Load())
        parts.append(term if factor == 1 else ast.BinOp(ast.Constant(factor), ast.Mult(), term))
    parts += found.others
    if found.constant:
        parts.append(ast.Constant(found.constant))
    made = parts[0]
    for part in parts[1:]:
        made = ast.BinOp(made, ast.Add(), part)
    return made


def _sums(node: ast.AST, weight: float) -> Iterator[tuple[_Sum, float]]:
    """All sums in here, each with a guess how often it is added up while `node` is run once."""
    found = _sum_of(node)
    if found is not None:
        yield found, weight
        for other in found.others:
            yield from _sums(other, weight)
        return
    for inner, more in _parts(node):
        yield from _sums(inner, weight * more)


def _parts(node: ast.AST) -> Iterator[tuple[ast.AST, float]]:
    match node:
        case ast.For(_, over, body, orelse):
            yield over, 1.0
            yield from ((statement, IN_LOOP) for statement in [*body, *orelse])
        case ast.While(test, body, orelse):
            yield from ((part, IN_LOOP) for part in [test, *body, *orelse])
        case ast.If(test, body, orelse):
            yield test, 1.0
            yield from ((statement, IN_BRANCH) for statement in [*body, *orelse])
        case ast.IfExp(test, body, orelse):
            yield test, 1.0
            yield from ((value, IN_BRANCH) for value in (body, orelse))
        case ast.BoolOp(_, values):
            yield values[0], 1.0
            yield from ((value, IN_BRANCH) for value in values[1:])
        case ast.ListComp() | ast.GeneratorExp() | ast.SetComp() | ast.DictComp():
            yield node.generators[0].iter, 1.0
            for child in ast.iter_child_nodes(node):
                if child is not node.generators[0]:
                    yield child, IN_LOOP
            yield from ((test, IN_LOOP) for test in node.generators[0].ifs)
        case _:
            more = IN_BRANCH if isinstance(node, ast.Lambda) else 1.0
            yield from ((child, more) for child in ast.iter_child_nodes(node))


# ---------------------------------------------------------------------------- statements


def _blocks(statement: ast.stmt) -> Iterator[tuple[list[ast.stmt], set[str]]]:
    """The blocks in a statement, with the names that have their value where each begins."""
    match statement:
        case ast.For(target, _, body, orelse):
            yield body, {node.id for node in ast.walk(target) if isinstance(node, ast.Name)}
            yield orelse, set()
        case ast.While(_, body, orelse) | ast.If(_, body, orelse):
            yield body, set()
            yield orelse, set()
        case ast.Try(body, handlers, orelse, finalbody):
            for inner in (body, *(handler.body for handler in handlers), orelse, finalbody):
                yield inner, set()


def _only_gives_names(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Assign) and not any(True for _ in _sums(statement, 1.0))


def _assigned(statement: ast.stmt) -> set[str]:
    """Names that a statement by itself gives their value. What was picked may be nothing, which cannot be added."""
    if not isinstance(statement, ast.Assign) or isinstance(statement.value, ast.Attribute):
        return set()
    return {target.id for target in statement.targets if isinstance(target, ast.Name)}
