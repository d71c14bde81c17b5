"""Questions about a running game: expressions of the rules, evaluated in its current state.

A question is an expression of the checked program together with the locals it uses. All questions are added to the game
as values of their own and compiled with it: an answer comes from the same code that the rules run, never from a second
evaluator. Questions are compiled last, so that the numbers of frames, decisions and texts stay the same and a state of
the original game can be used.

Most questions are about values alone, and then nothing else is compiled. `can build(p)` is about a rule, and to compile
all rules takes half a second in a large game; but the running game has that rule already. So such a part is *lifted*
out of its question: the game looks ahead with its own code, and the question gets the answer as a local.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any

from ..check import program as core
from ..check.value_types import LARGEST, Flag, Number, Player, SetOf
from ..check.walk import Node, parts, walk_rule
from ..compile.load import compile_program
from ..compile.unit import thing_of
from ..compile.weave import value_links
from ..runtime.faults import Refused, Trouble
from ..runtime.game import Game
from ..runtime.names import name_of

Locals = dict[core.LocalDecl, Any]  # the current values of locals
_PREFIX = "question_"
_LIFTED = 1 << 16  # numbers of locals that no rule has


class NoAnswer(Exception):
    """The question cannot be answered here: a local has no value, or evaluating the expression is refused."""


@dataclass(frozen=True)
class _Lifted:
    """A part of a question that the running game answers with its own code."""

    local: core.LocalDecl  # what stands for it in the question
    of: core.CanCall | core.CanPerform
    args: tuple[core.Expr, ...]  # questions themselves


class Questions:
    """Questions about one game. Add them all, then ask. `machine` is that of the running game."""

    def __init__(self, program: core.Program, machine: Any) -> None:
        self.program, self._machine = program, machine
        self._lifted: dict[int, list[_Lifted]] = {}  # by identity of the expression
        self._asked: dict[int, core.RuleDecl] = {}  # by identity of the expression
        self._kept: list[core.Expr] = []  # keeps the expressions alive: the id of a freed object may be reused
        self._values: list[core.RuleDecl] = []
        self._numbers = count(1)
        self._game: Game | None = None

    def add(self, expr: core.Expr) -> core.Expr:
        if id(expr) not in self._asked:
            self._kept.append(expr)
            lifted = self._lifted[id(expr)] = []
            asked = self._without_rules(expr, frozenset(_bound_in(expr)), lifted)
            name = f"{_PREFIX}{next(self._numbers)}"
            params = tuple(free_locals(asked))
            self._asked[id(expr)] = core.RuleDecl(
                name, "value", params, expr.type, expression=asked, locals=params, span=expr.span
            )
        return expr

    def _without_rules(self, value: Any, bound: frozenset[core.LocalDecl], lifted: list[_Lifted]) -> Any:
        """A part of an expression with a local for each part that the running game answers. What looks at a name that
        the expression binds itself stays: it is asked once for each of them."""
        if isinstance(value, tuple):
            parts = tuple(self._without_rules(part, bound, lifted) for part in value)
            return parts if any(one is not other for one, other in zip(parts, value, strict=True)) else value
        if not isinstance(value, core.Expr | core.Binder):
            return value
        if isinstance(value, core.CanCall | core.CanPerform) and self._is_of_game(value, bound):
            args = value.args if isinstance(value, core.CanCall) else (value.cell, value.player)
            local = core.LocalDecl(_LIFTED + len(lifted), f"can_{len(lifted) + 1}", Flag())
            lifted.append(_Lifted(local, value, tuple(self.add(arg) for arg in args)))
            return core.LocalVar(Flag(), value.span, local)
        changed = {
            one.name: part
            for one in fields(value)
            if one.name not in ("span", "type")
            and (part := self._without_rules(getattr(value, one.name), bound, lifted)) is not getattr(value, one.name)
        }
        return replace(value, **changed) if changed else value

    def _is_of_game(self, part: core.CanCall | core.CanPerform, bound: frozenset[core.LocalDecl]) -> bool:
        if not bound.isdisjoint(free_locals(part)):
            return False
        return isinstance(part, core.CanPerform) or _routine(part) in {*self._machine.entries, *self._machine.trial}

    def add_value(self, rule: core.RuleDecl) -> None:
        """Adds a value of the rules, to be evaluated with any arguments and with only some of its hooks."""
        if rule not in self._values:
            self._values.append(rule)

    @property
    def game(self) -> Game:
        """The game with its questions, compiled when the first one is asked."""
        if self._game is None:
            asked = (*self._values, *self._asked.values())
            program = _values_only(self.program) if _asks_values_only(asked) else self.program
            self._game = Game(compile_program(program, asked))
        return self._game

    def ask(self, state: Any, expr: core.Expr, locals: Locals) -> Any:
        """The value of the expression in that state; raises NoAnswer."""
        rule = self._asked[id(expr)]
        locals = {**locals, **{one.local: self._looked_ahead(state, one, locals) for one in self._lifted[id(expr)]}}
        missing = [param for param in rule.params if param not in locals]
        if missing:
            raise NoAnswer(missing[0].name)
        return self._run(state, f"value_{rule.name}", tuple(locals[param] for param in rule.params))

    def _looked_ahead(self, state: Any, part: _Lifted, locals: Locals) -> int:
        args = tuple(self.ask(state, arg, locals) for arg in part.args)
        try:
            if isinstance(part.of, core.CanPerform):
                return int(self._machine.play["can_perform"](state.fork(), *args, ()))
            params = zip(part.of.rule.params, args, strict=True)
            who = next((arg for param, arg in params if isinstance(param.type, Player)), None)
            return int(self._machine.play["can_call"](state.fork(), _routine(part.of), args, who, None))
        except (Trouble, Refused) as problem:
            raise NoAnswer(str(problem)) from None

    def ask_value(self, state: Any, rule: core.RuleDecl, level: int, args: tuple[Any, ...]) -> Any:
        """The result of a value if only its hooks from number `level` on are applied; past the last one, the base."""
        return self._run(state, value_links(f"value_{rule.name}", rule)[level], args)

    def text(self, state: Any, expr: core.Expr, locals: Locals) -> str:
        """The answer as shown to people."""
        return self.named(expr, self.ask(state, expr, locals))

    def named(self, expr: core.Expr, answer: Any) -> str:
        value = tuple(answer) if isinstance(answer, list) else answer
        return name_of(self.game.meta, thing_of(expr.type), value)

    def _run(self, state: Any, routine: str, args: tuple[Any, ...]) -> Any:
        try:
            return self.game.machine.play[routine](state.fork(), *args)
        except (Trouble, Refused, KeyError, IndexError, TypeError, ValueError) as problem:
            raise NoAnswer(str(problem)) from None


def _routine(call: core.CanCall) -> str:
    return f"rule_{call.rule.name}"


# What an expression may ask of rules that are no values: those have to be compiled as well.
_OF_RULES = core.CanCall | core.CanPerform | core.RuleRunning | core.CellRunning | core.FormulaCall


def _asks_values_only(asked: tuple[core.RuleDecl, ...]) -> bool:
    """True if the answers depend on values and nothing else of the rules."""
    seen: set[core.RuleDecl] = set()
    left = list(asked)
    while left:
        rule = left.pop()
        if rule in seen:
            continue
        seen.add(rule)
        for one in (rule, *rule.instead):
            for part in walk_rule(one):
                if isinstance(part, _OF_RULES):
                    return False
                if isinstance(part, core.ValueCall):
                    left.append(part.rule)
    return True


def _values_only(program: core.Program) -> core.Program:
    """The game without its course: fields, places, tables and maps are numbered as in the whole game, which is all that
    an answer needs. To compile the rest takes most of the time."""
    values = {name: rule for name, rule in program.rules.items() if rule.form == "value"}
    return replace(
        program, rules=values, change_hooks=(), move_hooks=(), scores=(), rank=None, payoff=None
    )  # fmt: skip


def contents_of(binder: core.Binder) -> core.Expr:
    """Everything a binder iterates over, without its condition, as a set (even if the source is a place)."""
    plain = core.Binder(binder.local, binder.source, None, None, None, binder.span)
    return core.Selected(SetOf(binder.local.type), binder.span, "all", plain, None, None)


def free_locals(node: Node) -> list[core.LocalDecl]:
    """The locals that an expression uses but does not bind itself, in the order of their numbers."""
    spoken = dict.fromkeys(part.local for part in _walk(node) if isinstance(part, core.LocalVar))
    bound = set(_bound_in(node))
    return sorted((local for local in spoken if local not in bound), key=lambda local: local.number)


def _bound_in(node: Node) -> Iterator[core.LocalDecl]:
    """The locals that an expression binds itself."""
    return (part.local for part in _walk(node) if isinstance(part, core.Binder | core.LongestLine))


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
    """What an expression depends on: its fields, calls and counts, without duplicates, as the author wrote them."""
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
        case core.Not(of=inner) if inner.span.text == expr.span.text:
            yield expr  # `no c in … has …` is one thing to its author
        case _ if isinstance(expr, _TAKEN_APART):
            for part in parts(expr):
                yield from _telling(part)
        case core.Expr():
            yield expr


def part_text(part: core.Expr) -> str:
    """The part as the author wrote it; a place whose size is given is written as `count(…)`."""
    text = " ".join(part.span.text.split())
    return f"count({text})" if isinstance(part, core.CountOf) and not text.startswith("count") else text
