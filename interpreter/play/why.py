"""Why something is not offered, and why a value is what it is: the questions that players and authors ask a state.

A question is first taken for the label of an option of the pending decision, offered or not, and then parsed as an
expression of the rules. For an option the answer is what the decision itself says (`Decision.why_not`): the first
condition that fails, to which the values of its parts are added here, or the refusal that comes later. What is neither
a label nor an expression is taken for the label that comes nearest.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from threading import Lock, Thread
from typing import Any

from ..check import program as core
from ..check.check import elaborate_bodies, elaborate_in
from ..check.declare import declare
from ..check.declared import Declared
from ..check.value_types import Piece, PlaceOf, bare
from ..check.walk import walk_rule
from ..compile.unit import local_name
from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..diagnostics.source import Source
from ..diagnostics.suggest import did_you_mean, nearest
from ..ruleset.gather import gather
from ..runtime.reasons import Refusal, not_offered
from ..syntax.parse import parse_expression
from .contract import PlayError
from .questions import NoAnswer, Questions, conjuncts, contents_of, free_locals
from .why_values import Told, ValuePlan

_MOST_NEAR = 2_000  # how many labels are compared with what somebody may have meant
Chosen = core.Choose | core.ChooseSet | core.ChooseOne | core.May


@dataclass(frozen=True)
class Answer:
    """`kind`: offered, refused, value, unknown."""

    kind: str
    told: Told

    def as_data(self) -> dict[str, Any]:
        return {"kind": self.kind, **self.told.as_data()}


def why(game: Any, state: Any, text: str, reader: int | None = None) -> Answer:
    """The answer to a question. A `reader` is told nothing that this player may not know.

    Raises RulesetError if the text is an expression with mistakes in it, PlayError if it is nothing at all.
    """
    asked = _checked(game.asked, game.players)
    # What is offered to somebody else is not for the reader to know.
    if state.over or reader not in (None, state.decision.player):
        return _value(asked, state, text.strip(), reader)
    option = _Option(asked, state, text.strip(), reader)
    about_option = option.answer()
    if about_option is not None:
        return about_option
    try:
        return _value(asked, state, text.strip(), reader)
    except (PlayError, RulesetError):
        nearest_option = option.nearest()
        if nearest_option is None:
            raise
        return nearest_option


def get_ready(game: Any) -> None:
    """Reads the rules of a game as `why` needs them, beside what else goes on: a question is then answered at once."""
    Thread(target=_checked, args=(game.asked, game.players), daemon=True).start()


@dataclass(frozen=True)
class _Checked:
    declared: Declared
    program: core.Program


_READING = Lock()  # whoever asks while the rules are being read waits for that


def _checked(name: str, players: int) -> _Checked:
    with _READING:
        return _read(name, players)


@cache
def _read(name: str, players: int) -> _Checked:
    found = Diagnostics()
    gathered = gather(name, players, found)
    if gathered is None or found.has_errors:
        raise RulesetError(found.found)
    declared = declare(gathered, found)
    program = elaborate_bodies(declared, found)
    if found.has_errors:
        raise RulesetError(found.found)
    return _Checked(declared, program)


# ---------------------------------------------------------------------------- options


class _Option:
    """One question about the pending decision. What is refused and why, the running game says itself (`reasons`); here
    the values on which a condition depends are added."""

    def __init__(self, asked: _Checked, state: Any, text: str, reader: int | None) -> None:
        self.asked = asked
        self.program = asked.program
        self.state = state
        self.text = text
        self.decision = state.decision
        self.site = self.decision.site
        self.reader = reader

    def answer(self) -> Answer | None:
        for option in self.decision.options:
            if str(option).lower() == self.text.lower():
                return Answer("offered", Told(f"“{option}” is offered", self.decision.cites, _at(self.site.place)))
        refusal = self.decision.why_not(self.text)
        if refusal is None:
            return None
        if refusal.names_nothing and (meant := self.nearest()) is not None:
            return meant
        condition = self._condition(refusal)
        below = self._below(condition, refusal.bound) if condition is not None else ()
        return Answer("refused", Told(refusal.reason, refusal.cites, _at(refusal.place), below))

    def nearest(self) -> Answer | None:
        """The answer about the label that comes nearest: the shortest that has all the words, or one with a slip of the
        pen."""
        left = not_offered(self.state, self.site, _MOST_NEAR) or []
        labels = list(dict.fromkeys([*(str(option) for option in self.decision.options), *(one.label for one in left)]))
        wanted = _words(self.text)
        numbers = _numbers(self.text)  # another number is no slip of the pen, nor are the same ones the other way round
        having = [label for label in labels if wanted <= _words(label) and _in_order(numbers, _numbers(label))]
        having.sort(key=lambda label: len(_words(label)))
        if not wanted or (len(having) > 1 and len(_words(having[0])) == len(_words(having[1]))):
            return None
        label = having[0] if having else nearest(self.text, [one for one in labels if _numbers(one) == numbers])
        if label is None or label.lower() == self.text.lower():
            return None
        answer = _Option(self.asked, self.state, label, self.reader).answer()
        if answer is None or answer.kind == "offered":
            return answer
        return Answer(answer.kind, replace(answer.told, text=f"“{label}”: {answer.told.text}"))

    def _condition(self, refusal: Refusal) -> core.Expr | None:
        """The condition of the decision that does not hold, if that is the reason."""
        conditions = (part for one in _conditions(self._statement()) for part in conjuncts(one))
        return next((part for part in conditions if refusal.place and _is_at(part, refusal.place)), None)

    def _statement(self) -> Chosen | None:
        """The statement that asks for the decision, found by its place in the rules."""
        return statement_at(self.program, self.site.place)

    def _below(self, condition: core.Expr, bound: dict[str, int]) -> tuple[Told, ...]:
        """The values of the parts of a condition."""
        questions = Questions(self.program, self.state.machine)
        plan = ValuePlan(questions, self.reader)
        plan.plan(condition)
        values: dict[core.LocalDecl, Any] = {}
        for local in free_locals(condition):
            name = local_name(local)
            try:
                values[local] = bound[name] if name in bound else self.state.local(name)
            except ValueError:
                return ()
        try:
            told = plan.told(self.state, condition, values)
        except NoAnswer:
            return ()
        words = " ".join(condition.span.text.split())
        return tuple(one for one in told if not _says_again(one, words))


def _words(text: str) -> set[str]:
    return {word.strip(".,:!?") for word in text.lower().split()} - {"the", "a", "an", ""}


def _numbers(text: str) -> list[str]:
    return re.findall(r"[0-9]+", text)


def _in_order(some: list[str], all_of_them: list[str]) -> bool:
    """Whether the first are among the second in the same order."""
    left = iter(all_of_them)
    return all(one in left for one in some)


def _conditions(statement: Chosen | None) -> list[core.Expr | None]:
    """The conditions under which a decision offers something, as they are written."""
    match statement:
        case core.Choose():
            return [binder.where for binder in statement.binders]
        case core.ChooseSet():
            return [statement.binder.where]
        case core.May():
            return _of_branch(statement.branch)
        case core.ChooseOne():
            return [condition for branch in statement.branches for condition in _of_branch(branch)]
    return []


def _of_branch(branch: core.BranchDecl) -> list[core.Expr | None]:
    return [*(binder.where for binder in branch.binders), branch.condition]


def statement_at(program: core.Program, place: tuple[str, int, int]) -> Chosen | None:
    for rule in program.all_rules():
        for node in walk_rule(rule):
            if isinstance(node, Chosen) and _is_at(node, place):
                return node
    return None


def _says_again(told: Told, words: str) -> bool:
    return told.text.removesuffix(" is no") == words and not told.below


def _is_at(node: core.Stmt | core.Expr, place: tuple[str, int, int]) -> bool:
    """True for the same place. Files are compared by name only: a game may have been compiled from another folder."""
    source, (name, line, column) = node.span.source, place
    return (
        bool(source.text)
        and source.name.split("/")[-1] == name.split("/")[-1]
        and (source.place(node.span.start) == (line, column))
    )


def _at(place: tuple[str, int, int] | None) -> str:
    return f"{place[0]}:{place[1]}:{place[2]}" if place is not None else ""


# ---------------------------------------------------------------------------- values


def _value(asked: _Checked, state: Any, text: str, reader: int | None) -> Answer:
    """The value of an expression of the rules, and what it depends on."""
    found = Diagnostics()
    node = parse_expression(Source("command line", text), found)
    if node is None:
        raise _not_understood(state, text)
    made = elaborate_in(asked.declared, asked.program, node, None, found)
    if made is None:
        raise RulesetError(found.found)
    questions = Questions(asked.program, state.machine)
    plan = ValuePlan(questions, reader)
    if not plan.may_know(state, made, {}):
        return Answer("unknown", Told(f"`{text}` is not for you to know"))
    if isinstance(made.type, PlaceOf):
        made = _contents(made)
    plan.plan(made)
    try:
        answer = questions.text(state, made, {})
    except NoAnswer as problem:
        return Answer("unknown", Told(f"`{text}` cannot be worked out here: {problem}"))
    below = plan.told(state, made, {})
    if isinstance(made, core.ValueCall) and below:
        below = below[0].below
    return Answer(
        "value", Told(f"{text} is {answer}", below=tuple(b for b in below if b.text != f"{text} is {answer}"))
    )


def _not_understood(state: Any, text: str) -> PlayError:
    labels = [] if state.over else [str(option) for option in state.decision.options]
    advice = (
        did_you_mean(text, labels) or "write what you would like to choose, or an expression such as the rules have"
    )
    return PlayError(f"nothing here is called “{text}”, and it is no expression of the rules", advice)


def _contents(place: core.Expr) -> core.Expr:
    of = bare(place.type)
    assert isinstance(of, PlaceOf)
    local = core.LocalDecl(0, "x", Piece(of.kinds))
    return contents_of(core.Binder(local, place, None, None, None, place.span))
