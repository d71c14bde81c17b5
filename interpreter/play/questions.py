"""Questions put to a running game: expressions of the rules, evaluated where it stands.

A question is an expression of the checked program with the locals it speaks of. All questions about a game are added to
it as values of their own and compiled with it in one go: an answer comes from the very code that the rules run, never
from a second way of evaluating them. Questions are compiled last, so the frames, sites and texts of the game stay where
they are and a state of the game itself can be asked.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import Any

from ..check import program as core
from ..check.value_types import LARGEST, Number, SetOf
from ..check.walk import Node, parts
from ..compile.load import compile_program
from ..compile.unit import thing_of
from ..compile.weave import value_links
from ..runtime.faults import Refused, Trouble
from ..runtime.game import Game
from ..runtime.names import name_of

Locals = dict[core.LocalDecl, Any]  # what locals stand for at the moment
_PREFIX = "question_"


class NoAnswer(Exception):
    """The question cannot be answered here: a local has no value, or the rules refuse to work it out."""


class Questions:
    """Questions about one game. Add them all, then ask."""

    def __init__(self, program: core.Program) -> None:
        self.program = program
        self._asked: dict[int, core.RuleDecl] = {}  # by identity of the expression
        self._kept: list[core.Expr] = []  # keeps identities from being used again
        self._values: list[core.RuleDecl] = []
        self._numbers = count(1)
        self._game: Game | None = None

    def add(self, expr: core.Expr) -> core.Expr:
        if id(expr) not in self._asked:
            name = f"{_PREFIX}{next(self._numbers)}"
            params = tuple(free_locals(expr))
            self._asked[id(expr)] = core.RuleDecl(
                name, "value", params, expr.type, expression=expr, locals=params, span=expr.span
            )
            self._kept.append(expr)
        return expr

    def add_value(self, rule: core.RuleDecl) -> None:
        """A value of the rules, to be asked with any arguments and without some of its hooks."""
        if rule not in self._values:
            self._values.append(rule)

    @property
    def game(self) -> Game:
        """The game with its questions, compiled when the first one is asked."""
        if self._game is None:
            self._game = Game(compile_program(self.program, (*self._values, *self._asked.values())))
        return self._game

    def ask(self, state: Any, expr: core.Expr, locals: Locals) -> Any:
        """What the expression gives in that state; raises NoAnswer."""
        rule = self._asked[id(expr)]
        missing = [param for param in rule.params if param not in locals]
        if missing:
            raise NoAnswer(missing[0].name)
        return self._run(state, f"value_{rule.name}", tuple(locals[param] for param in rule.params))

    def ask_value(self, state: Any, rule: core.RuleDecl, level: int, args: tuple[Any, ...]) -> Any:
        """What a value gives if only its hooks from that one on are there; past the last one it is the base alone."""
        return self._run(state, value_links(f"value_{rule.name}", rule)[level], args)

    def text(self, state: Any, expr: core.Expr, locals: Locals) -> str:
        """The answer as people read it."""
        return self.named(expr, self.ask(state, expr, locals))

    def named(self, expr: core.Expr, answer: Any) -> str:
        value = tuple(answer) if isinstance(answer, list) else answer
        return name_of(self.game.meta, thing_of(expr.type), value)

    def _run(self, state: Any, routine: str, args: tuple[Any, ...]) -> Any:
        try:
            return self.game.machine.play[routine](state.fork(), *args)
        except (Trouble, Refused, KeyError, IndexError, TypeError, ValueError) as problem:
            raise NoAnswer(str(problem)) from None


def contents_of(binder: core.Binder) -> core.Expr:
    """Everything a binder goes over, its condition left out: a set, also where the source is a place."""
    plain = core.Binder(binder.local, binder.source, None, None, None, binder.span)
    return core.Selected(SetOf(binder.local.type), binder.span, "all", plain, None, None)


def free_locals(node: Node) -> list[core.LocalDecl]:
    """The locals that an expression speaks of and does not bind itself, in the order of their numbers."""
    spoken: dict[core.LocalDecl, None] = {}
    bound: set[core.LocalDecl] = set()
    for part in _walk(node):
        if isinstance(part, core.LocalVar):
            spoken[part.local] = None
        elif isinstance(part, core.Binder):
            bound.add(part.local)
        elif isinstance(part, core.LongestLine):
            bound.add(part.local)
    return sorted((local for local in spoken if local not in bound), key=lambda local: local.number)


def _walk(node: Node) -> Iterator[Node]:
    yield node
    for part in parts(node):
        yield from _walk(part)


# ---------------------------------------------------------------------------- taking conditions and sums apart

_TAKEN_APART = (
    core.Arithmetic, core.Negative, core.Compare, core.Logic, core.Not, core.IfElse, core.Otherwise, core.Extreme,
    core.Member, core.IsNone, core.IsKind, core.SetList,
)  # fmt: skip


def conjuncts(condition: core.Expr | None) -> Iterator[core.Expr]:
    """The parts of `a and b and c`, each of which has to hold."""
    if isinstance(condition, core.Logic) and condition.op == "and":
        yield from conjuncts(condition.left)
        yield from conjuncts(condition.right)
    elif condition is not None:
        yield condition


def telling_parts(expr: core.Expr) -> Iterator[core.Expr]:
    """What an expression rests on: the readings, calls and counts in it, each once, as the author wrote them."""
    seen: set[str] = set()
    for part in _telling(expr):
        text = part.span.text
        if text and text not in seen and not text.isdigit():
            seen.add(text)
            yield part


def _telling(expr: Node) -> Iterator[core.Expr]:
    match expr:
        case core.Const() | core.AllOf() | core.PlaceRef() | core.Box():
            return
        case core.IsEmpty(of=core.PlaceRef() as place) | core.IsFull(of=place):
            yield core.CountOf(Number(0, LARGEST), place.span, place)
        case _ if isinstance(expr, _TAKEN_APART):
            for part in parts(expr):
                yield from _telling(part)
        case core.Expr():
            yield expr


def part_text(part: core.Expr) -> str:
    """How the author wrote it; a place of which the count is told is written as one counts it."""
    text = " ".join(part.span.text.split())
    return f"count({text})" if isinstance(part, core.CountOf) and not text.startswith("count") else text
