"""Why something is not offered, and why a value is what it is: the questions that players and authors ask a state.

A question is first looked up among the options of the pending decision, then among what that decision could offer if
its conditions held, and last parsed as an expression of the rules. For an option, the answer is the first condition
that fails, in the author's words with the values of its parts. If all conditions hold, something later on refuses, and
the answer is that refusal.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product, takewhile
from typing import Any

from ..check import program as core
from ..check.check import elaborate_bodies, elaborate_in
from ..check.declare import declare
from ..check.declared import Declared
from ..check.forms import blocks
from ..check.value_types import Piece, PlaceOf, bare
from ..check.walk import statements, walk_rule
from ..compile.meta import FREE
from ..compile.unit import local_name
from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..diagnostics.source import Source
from ..diagnostics.suggest import did_you_mean
from ..ruleset.gather import gather
from ..runtime.texts import label_text
from ..runtime.trials import free_action_carries, option_carries
from ..syntax.parse import parse_expression
from .contract import PlayError
from .questions import NoAnswer, Questions, conjuncts, contents_of
from .why_values import Told, ValuePlan

_MOST_COMBINATIONS = 20_000
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
    if not state.over and reader in (None, state.decision.player):
        about_option = _Option(asked, state, text.strip(), reader).answer()
        if about_option is not None:
            return about_option
    return _value(asked, state, text.strip(), reader)


@dataclass(frozen=True)
class _Checked:
    declared: Declared
    program: core.Program


@cache
def _checked(name: str, players: int) -> _Checked:
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
    """One question about the pending decision."""

    def __init__(self, asked: _Checked, state: Any, text: str, reader: int | None) -> None:
        self.program = asked.program
        self.state = state
        self.text = text
        self.decision = state.decision
        self.site = self.decision.site
        self.questions = Questions(asked.program)
        self.plan = ValuePlan(self.questions, reader)
        self.statement = self._statement()
        self.locals = self._frame_locals() if self.statement is not None else {}
        self._sources: dict[core.Binder, core.Expr] = {}

    def answer(self) -> Answer | None:
        for option in self.decision.options:
            if str(option).lower() == self.text.lower():
                return Answer("offered", Told(f"“{option}” is offered", self.decision.cites, _at(self.site.place)))
        branches = self._branches()
        self._plan(branches)
        for number, (binders, condition, cites) in enumerate(branches):
            told = self._refused(number, binders, condition, cites)
            if told is not None:
                return Answer("refused", told)
        return self._free() or self._by_pattern()

    # ------------------------------------------------------------------------ what the decision is made of

    def _statement(self) -> Chosen | None:
        """The statement that asks for the decision, found by its place in the rules."""
        return _statement_at(self.program, self.site.place)

    def _frame_locals(self) -> dict[core.LocalDecl, Any]:
        """The values of the locals of the rule that asks, read from its frame."""
        frame, meta = self.state.k[-1], self.state.meta
        slots = meta.frame_slots[meta.segment_routine[frame[0]]]
        values = dict(zip(slots, frame[1:], strict=False))
        rules = [r for r in (*self.program.rules.values(), *self.program.all_hooks()) if _has(r, self.statement)]
        return {
            local: values[name]
            for rule in rules
            for local in (*rule.params, *rule.locals)
            if (name := local_name(local)) in values
        }

    def _branches(self) -> list[tuple[tuple[core.Binder, ...], core.Expr | None, tuple[str, ...]]]:
        match self.statement:
            case core.Choose():
                return [(self.statement.binders, None, self.statement.cites)]
            case core.ChooseSet():
                return [((self.statement.binder,), None, self.statement.cites)]
            case core.May():
                branch = self.statement.branch
                return [(branch.binders, branch.condition, branch.cites or self.statement.cites)]
            case core.ChooseOne():
                cites = self.statement.cites
                return [(b.binders, b.condition, b.cites or cites) for b in self.statement.branches]
        return []

    def _plan(self, branches: list[tuple[tuple[core.Binder, ...], core.Expr | None, tuple[str, ...]]]) -> None:
        for binders, condition, _ in branches:
            for binder in binders:
                self._sources[binder] = self.questions.add(contents_of(binder))
                for part in conjuncts(binder.where):
                    self.plan.plan(part)
            for part in conjuncts(condition):
                self.plan.plan(part)

    # ------------------------------------------------------------------------ the option that is meant

    def _refused(
        self, number: int, binders: tuple[core.Binder, ...], condition: core.Expr | None, cites: tuple[str, ...]
    ) -> Told | None:
        """Why the option of this branch with that label is not offered; None if the branch has no such option."""
        cites = cites or self.site.cites or self._rule_cites()
        for values in self._candidates(binders, 0, dict(self.locals)):
            bound = tuple(values[binder.local] for binder in binders)
            if self._label(number, bound) != self.text.lower():
                continue
            return self._failing(binders, condition, values, cites) or self._tried(self._raw(number, bound), cites)
        outside = self._outside(number, binders)
        return Told(outside, cites, _at(self.site.place)) if outside else None

    def _candidates(
        self, binders: tuple[core.Binder, ...], at: int, values: dict[core.LocalDecl, Any]
    ) -> Iterator[dict[core.LocalDecl, Any]]:
        if at == len(binders):
            yield values
            return
        try:
            source = self.questions.ask(self.state, self._sources[binders[at]], values)
        except NoAnswer:
            return
        for item in source:
            yield from self._candidates(binders, at + 1, {**values, binders[at].local: item})

    def _raw(self, branch: int, bound: tuple[Any, ...]) -> Any:
        return self.site.option_of(branch, bound)

    def _label(self, branch: int, bound: tuple[Any, ...], state: Any = None) -> str | None:
        if branch >= len(self.site.branches) or len(bound) != len(self.site.branches[branch][1]):
            return None
        return label_text(state or self.state, self.site, self._raw(branch, bound)).lower()

    def _failing(
        self,
        binders: tuple[core.Binder, ...],
        condition: core.Expr | None,
        values: dict[core.LocalDecl, Any],
        cites: tuple[str, ...],
    ) -> Told | None:
        """The first condition that does not hold, in the author's words, with the values of its parts."""
        conditions = [part for binder in binders for part in conjuncts(binder.where)] + list(conjuncts(condition))
        for part in conditions:
            try:
                holds = self.questions.ask(self.state, part, values)
            except NoAnswer:
                continue
            if not holds:
                words = " ".join(part.span.text.split())
                below = tuple(told for told in self.plan.told(self.state, part, values) if not _says_again(told, words))
                return Told(f"`{words}` does not hold", cites, part.span.at, below)
        return None

    def _tried(self, raw: Any, cites: tuple[str, ...]) -> Told:
        """All conditions hold, so something that the option leads to refuses it."""
        if self._is_otherwise(raw):
            return Told("it is offered only if nothing else is", cites, _at(self.site.place))
        if option_carries(self.state.machine, self.state, raw):
            return Told("it does not differ from what is offered, or something else comes first", cites)
        return self._refusal_told(cites)

    def _is_otherwise(self, raw: Any) -> bool:
        one = self.statement
        return isinstance(one, core.ChooseOne) and raw >= 0 and one.branches[self.site.branch_of(raw)].otherwise

    def _refusal_told(self, cites: tuple[str, ...]) -> Told:
        refusal = self.state.refusal()
        reason = refusal.reason
        if reason == "a requirement is not met":
            reason = self._requirement(refusal.place) or reason
        elif reason == "there is nothing to choose":
            reason = self._nothing(refusal.place) or reason
        return Told(reason, refusal.cites or cites, _at(refusal.place))

    def _nothing(self, place: tuple[str, int, int] | None) -> str | None:
        """If a later choice has nothing to offer, says what that choice looks for."""
        statement = _statement_at(self.program, place) if place is not None else None
        if isinstance(statement, core.Choose):
            needs = ", ".join(f"`{_line(need)}`" for need in _needs_after(self.program, statement))
            more = f" that also meets {needs}" if needs else ""
            return f"there is nothing to choose: {_looked_for(statement.binders)}{more}"
        if isinstance(statement, core.ChooseSet):
            if statement is self.statement:
                return "a set is picked in the order of the list, and what stands behind this is too little"
            return f"there is too little to choose: {_looked_for((statement.binder,))}"
        return None

    def _requirement(self, place: tuple[str, int, int] | None) -> str | None:
        """For a `requires` without a text of its own, its condition is the reason."""
        for rule in (*self.program.rules.values(), *self.program.all_hooks()):
            for node in walk_rule(rule):
                if isinstance(node, core.Require) and place is not None and _is_at(node, place):
                    return f"`{' '.join(node.condition.span.text.split())}` does not hold"
        return None

    def _outside(self, number: int, binders: tuple[core.Binder, ...]) -> str | None:
        """Explains a label that names things which exist, but not where the decision looks for them."""
        if number >= len(self.site.branches) or len(binders) != len(self.site.branches[number][1]):
            return None
        domains = [self._domain(*domain) for domain in self.site.branches[number][1]]
        size = 1
        for domain in domains:
            size *= len(domain)
        if not domains or size > _MOST_COMBINATIONS:
            return None
        blind = self.state.fork()  # a copy without knowledge: every piece is shown by its name, wherever it is
        for bound in product(*domains):
            if self._label(number, bound, blind) == self.text.lower():
                return self._first_outside(binders, bound)
        return None

    def _domain(self, thing: str, low: int, size: int) -> list[int]:
        if thing != "row":
            return list(range(low, low + size)) if thing != "payable" else []
        rows = self.state.meta.piece_row
        return [rows.index(row) for row in range(low, low + size) if row in rows]

    def _first_outside(self, binders: tuple[core.Binder, ...], bound: tuple[Any, ...]) -> str | None:
        values = dict(self.locals)
        for binder, item in zip(binders, bound, strict=True):
            try:
                source = self.questions.ask(self.state, self._sources[binder], values)
            except NoAnswer:
                return None
            if item not in source:
                return f"it is not in `{' '.join(binder.source.span.text.split())}`"
            values[binder.local] = item
        return None

    # ------------------------------------------------------------------------ free actions and the rest

    def _free(self) -> Answer | None:
        """Explains a free action, found by its label: it cannot be taken now, or it would be refused."""
        meta = self.state.meta
        for number, (name, _, during, _, _) in enumerate(meta.free_actions):
            if label_text(self.state, self.site, FREE - number).lower() != self.text.lower():
                continue
            rule = meta.rules[name]
            if free_action_carries(self.state.machine, self.state, number):
                told = Told(f"this is not its moment: it may be taken during `{during}`", rule.cites, _at(rule.place))
            else:
                told = self._refusal_told(rule.cites)
            return Answer("refused", told)
        return None

    def _by_pattern(self) -> Answer | None:
        """True if the text has the form of a branch's label, whatever things it names."""
        refusal = self.decision.why_not(self.text)
        if refusal is None:
            return None
        for binders, _, cites in self._branches():
            if binders and refusal.cites == cites:
                words = f"nothing among {_looked_for(binders)} is called so"
                return Answer("refused", Told(words, cites or self._rule_cites(), _at(refusal.place)))
        return Answer("refused", Told(refusal.reason, refusal.cites or self._rule_cites(), _at(refusal.place)))

    def _rule_cites(self) -> tuple[str, ...]:
        rule = self.state.meta.rules.get(self.site.rule)
        return tuple(rule.cites) if rule is not None else ()


def _statement_at(program: core.Program, place: tuple[str, int, int]) -> Chosen | None:
    for rule in (*program.rules.values(), *program.all_hooks()):
        for node in walk_rule(rule):
            if isinstance(node, Chosen) and _is_at(node, place):
                return node
    return None


def _needs_after(program: core.Program, statement: core.Stmt) -> list[core.Stmt]:
    """The payments and requirements right after a choice: options that do not meet them are not offered."""
    for rule in (*program.rules.values(), *program.all_hooks()):
        for block in (rule.body, *(block for stmt in statements(rule.body) for block in blocks(stmt))):
            if statement in block:
                after = block[block.index(statement) + 1 :]
                return list(takewhile(lambda stmt: isinstance(stmt, core.Pay | core.Require | core.Lose), after))
    return []


def _line(statement: core.Stmt) -> str:
    return " ".join(statement.span.source.line_text(statement.span.line).split("  @")[0].split())


def _looked_for(binders: tuple[core.Binder, ...]) -> str:
    """`c in market where c.price < 3`, as the author wrote it."""
    words = []
    for binder in binders:
        where = f" where {' '.join(binder.where.span.text.split())}" if binder.where is not None else ""
        words.append(f"`{binder.local.name} in {' '.join(binder.source.span.text.split())}{where}`")
    return ", ".join(words)


def _says_again(told: Told, words: str) -> bool:
    return told.text.removesuffix(" is no") == words and not told.below


def _is_at(node: core.Stmt, place: tuple[str, int, int]) -> bool:
    """True for the same place. Files are compared by name only: a game may have been compiled from another folder."""
    source, (name, line, column) = node.span.source, place
    return (
        bool(source.text)
        and source.name.split("/")[-1] == name.split("/")[-1]
        and (source.place(node.span.start) == (line, column))
    )


def _has(rule: core.RuleDecl, statement: core.Stmt | None) -> bool:
    return any(node is statement for node in walk_rule(rule))


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
    questions = Questions(asked.program)
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
