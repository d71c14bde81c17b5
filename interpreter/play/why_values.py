"""Why a value is what it is: its base, then every hook that changed it, each with clause and place.

A value of the rules is explained from the inside out: first the result of its own definition, then what each
`instead of` hook that applies makes of it. The values on which the definition depends are explained below it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ..check import program as core
from ..check.known import NOBODY, PUBLIC, Info, Known, may_know
from ..check.levels import Levels
from ..check.value_types import Piece, Player, bare
from ..check.walk import walk
from .questions import NoAnswer, Questions, part_text, telling_parts

_DEEPEST = 4


@dataclass(frozen=True)
class Told:
    """One line of an explanation; the lines below it say what it depends on."""

    text: str
    cites: tuple[str, ...] = ()
    at: str = ""
    below: tuple[Told, ...] = ()

    def lines(self, said: Callable[[str], str] = str, depth: int = 0) -> list[str]:
        """The explanation as text; `said` puts each sentence into another language."""
        clauses = f" ({', '.join(self.cites)})" if self.cites else ""
        place = f"  {self.at}" if self.at else ""
        own = "  " * depth + said(self.text) + clauses + place
        return [own, *(line for part in self.below for line in part.lines(said, depth + 1))]

    def as_data(self) -> dict[str, Any]:
        return {
            "text": self.text,
            "clauses": list(self.cites),
            "place": self.at or None,
            "because": [part.as_data() for part in self.below],
        }


@dataclass
class ValuePlan:
    """Every question that explaining an expression may need, collected first, because all are compiled together."""

    questions: Questions
    reader: int | None = None  # who asks, and is told only what that player may know; None: may see everything
    rests_on: dict[int, list[core.Expr]] = field(default_factory=dict)  # expression -> its telling parts
    _visited: set[core.RuleDecl] = field(default_factory=set)

    def plan(self, expr: core.Expr) -> None:
        """Adds an expression and what it depends on."""
        if id(expr) in self.rests_on:
            return
        self.questions.add(expr)
        found: list[core.Expr] = [expr] if isinstance(expr, core.ValueCall) else list(telling_parts(expr))
        self.rests_on[id(expr)] = found
        for part in found:
            self.questions.add(part)
            if isinstance(part, core.ValueCall):
                for arg in part.args:
                    self.questions.add(arg)
                self._plan_rule(part.rule)

    def _plan_rule(self, rule: core.RuleDecl) -> None:
        if rule in self._visited:
            return
        self._visited.add(rule)
        self.questions.add_value(rule)
        for own in (rule, *rule.instead):
            if own.when is not None:
                self.plan(own.when)
            definition = definition_of(own)
            if definition is not None and not has_previous(definition):
                self.plan(definition)

    # ------------------------------------------------------------------------ explaining

    def told(self, state: Any, expr: core.Expr, locals: dict[core.LocalDecl, Any]) -> tuple[Told, ...]:
        """What an expression depends on, line by line."""
        return tuple(self._part(state, part, locals, 1) for part in self.rests_on[id(expr)] if self._tells(part))

    def _tells(self, part: core.Expr) -> bool:
        return bool(part.span.text)

    def _part(self, state: Any, part: core.Expr, locals: dict[core.LocalDecl, Any], depth: int) -> Told:
        text = part_text(part)
        if not self.may_know(state, part, locals):
            return Told(f"{text} is not for you to know")
        try:
            answer = self.questions.text(state, part, locals)
        except NoAnswer:
            return Told(f"{text} cannot be told here")
        below: tuple[Told, ...] = ()
        if isinstance(part, core.ValueCall) and depth < _DEEPEST:
            below = self._value(state, part, locals, depth)
        return Told(f"{text} is {answer}", below=below)

    def may_know(self, state: Any, expr: core.Expr, locals: dict[core.LocalDecl, Any]) -> bool:
        """True if the reader may know the value of an expression. Nobody else sees the answer, so `public(…)` in a
        question does not make anything public."""
        if self.reader is None:
            return True
        at = Known()
        for local, value in locals.items():
            unseen = isinstance(bare(local.type), Piece) and value >= 0 and not state.knows(self.reader, value)
            symbol = ("const", value) if isinstance(bare(local.type), Player) else None
            at.bind(local, Info(identity=NOBODY) if unseen else PUBLIC, symbol)
        level = Levels(self.questions.program, tells=False).info(expr, at).all
        return may_know(level, ("const", self.reader))

    def _value(
        self, state: Any, call: core.ValueCall, locals: dict[core.LocalDecl, Any], depth: int
    ) -> tuple[Told, ...]:
        """The base and the hooks of one call, starting with the base."""
        if not all(self.may_know(state, arg, locals) for arg in call.args):
            return ()
        try:
            args = tuple(self.questions.ask(state, arg, locals) for arg in call.args)
            running, idle = self._applying(state, call.rule, args)
        except NoAnswer:
            return ()
        lines = []
        for level in reversed(running):
            own = call.rule if level == len(call.rule.instead) else call.rule.instead[level]
            try:
                given = self.questions.named(call, self.questions.ask_value(state, call.rule, level, args))
            except NoAnswer:
                given = "nothing that can be told here"
            lines.append(self._link(state, own, args, given, is_base=own is call.rule, depth=depth))
        lines += [Told(f"does not apply: {_hook_text(hook)}", hook.cites, hook.span.at) for hook in idle]
        return tuple(lines)

    def _applying(
        self, state: Any, rule: core.RuleDecl, args: tuple[Any, ...]
    ) -> tuple[list[int], list[core.RuleDecl]]:
        """The numbers of the hooks that run, outermost first, the base last; and the hooks whose condition fails."""
        running: list[int] = []
        idle: list[core.RuleDecl] = []
        for number, hook in enumerate(rule.instead):
            if hook.when is not None and not self.questions.ask(state, hook.when, bound_params(hook, args)):
                idle.append(hook)
                continue
            running.append(number)
            if not has_previous(hook):
                return running, idle
        return [*running, len(rule.instead)], idle

    def _link(
        self, state: Any, own: core.RuleDecl, args: tuple[Any, ...], given: str, is_base: bool, depth: int
    ) -> Told:
        definition = definition_of(own)
        text = f"`{' '.join(definition.span.text.split())}`" if definition is not None else f"`{own.name}`"
        words = f"base: {text} gives {given}" if is_base else f"{_hook_text(own)}: {text} makes it {given}"
        below: tuple[Told, ...] = ()
        if definition is not None and id(definition) in self.rests_on:
            values = bound_params(own, args)
            below = tuple(self._part(state, part, values, depth + 1) for part in self.rests_on[id(definition)])
        return Told(words, own.cites, own.span.at, below)


def definition_of(rule: core.RuleDecl) -> core.Expr | None:
    """The expression of a value or hook whose body is just one `result`."""
    if rule.expression is not None:
        return rule.expression
    if len(rule.body) == 1 and isinstance(rule.body[0], core.ResultIs):
        return rule.body[0].value
    return None


def has_previous(of: core.RuleDecl | core.Expr) -> bool:
    nodes = walk(of) if isinstance(of, core.Expr) else (part for stmt in of.body for part in walk(stmt))
    return any(isinstance(node, core.Previous | core.CallPrevious) for node in nodes)


def bound_params(rule: core.RuleDecl, args: tuple[Any, ...]) -> dict[core.LocalDecl, Any]:
    return dict(zip(rule.params, args, strict=False))


def _hook_text(hook: core.RuleDecl) -> str:
    """`instead of pillar_discount(p) when …`, as the author wrote it."""
    line = hook.span.source.line_text(hook.span.line) if hook.span.source.text else hook.name
    return " ".join(line.split("  @")[0].split())
