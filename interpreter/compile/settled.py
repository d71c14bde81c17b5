"""Where a trial has seen enough: the statements from which on nothing can be refused.

A trial runs the rules of an option on a copy to see whether they come through. Most of what it runs comes after the
last thing that could be refused, and cannot change the answer:

    effect settle(p)
      requires not in_check(p)      the last word on every move of the game
      to_move = rival(p)            from here on a trial need not go
      remember positions

So where a block comes to such a statement, the IR for trials says that the trial counts as success (`Succeed`), and
what stands behind it is never run there. This changes how long a trial takes and not what it finds: it could only have
come through.

A trial that runs a statement has begun either in the same phase, and then goes no further than the end of it, or
outside (`in_trial`), and then goes on behind the phase. So the question has two parts, each answered by going over all
rules until nothing changes:

- **`in_trial`**: may a trial be running that began outside of this rule? Surely not, if all its callers neither decide
  anything themselves, outside of the phases they call, nor run in a trial. That is how most games are made: `play` and
  the rounds in it decide nothing, turns do.
- **`followed`**: may something be refused between the end of this rule and the end of such a trial?

Both err on the safe side. A loop counts as if it always came round again, also where a trial stops with its pass.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..check import program as core
from ..check.forms import Calls, Flow, blocks, calls, flow, is_loop, question
from ..check.program import Block
from ..check.walk import bodies, statements, walk_program
from .analysis import PHASES, Analysis, grow
from .statement_facts import Exits, ends_lookahead


class Settled:
    """Says of each block where nothing that follows can be refused any more (`first_of`)."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis
        self.rules = bodies(analysis.program)
        self.deciding = self._find_deciding()
        self.in_trial = self._find_in_trial()
        # A free action is followed by the decision that it interrupts, which must still find an answer.
        self.followed: set[core.RuleDecl] = {*analysis.program.free_actions, *analysis.followed_in_cells()}
        self.unsettled: set[int] = set()
        self.seen: set[int] = set()
        if not analysis.trials and not any(True for _ in self._tried()):
            return  # nothing is ever tried in this game
        known = -1
        while known != (known := len(self.followed)):
            for rule in self.rules:
                self._rule(rule)

    def first_of(self, block: Block) -> int | None:
        """The position in a block from which on nothing can be refused; None if there is none or nothing is left."""
        for position, stmt in enumerate(block):
            if id(stmt) in self.seen and id(stmt) not in self.unsettled:
                # A statement that leaves the rule or ends the game comes through by itself, and `Succeed` in front of
                # it would save nothing.
                return position if flow(stmt) is Flow.on else None
        return None

    # ------------------------------------------------------------------ who may be in a trial

    def _entered(self, stmt: core.Stmt) -> Iterator[core.RuleDecl]:
        """All rules that the statement itself may run, with the hooks of those it calls by name."""
        for rule in self.analysis.called_rules(stmt):
            yield rule
            yield from rule.hooks

    def _find_deciding(self) -> set[core.RuleDecl]:
        """Rules in which somebody decides outside of the phases that they call."""
        found: set[core.RuleDecl] = set(self.analysis.program.free_actions)
        grow(
            found, self.analysis.program, lambda rule: any(self._decides(stmt, found) for stmt in statements(rule.body))
        )
        return found

    def _decides(self, stmt: core.Stmt, found: set[core.RuleDecl]) -> bool:
        if question(stmt) is not None:
            return True
        return any(rule in found and rule.form not in PHASES for rule in self._entered(stmt))

    def _find_in_trial(self) -> set[core.RuleDecl]:
        analysis = self.analysis
        found = {*analysis.program.free_actions, *analysis.cell_rules, *self._tried()}
        known = -1
        while known != (known := len(found)):
            for rule in self.rules:
                if rule in self.deciding or rule in found:
                    for stmt in statements(rule.body):
                        found.update(self._entered(stmt))
        return found

    def _tried(self) -> Iterator[core.RuleDecl]:
        """Rules that a trial of their own begins with: `can r(p)`, `r(p) if possible`, `first possible`."""
        for node in walk_program(self.analysis.program):
            if isinstance(node, core.CanCall):
                yield node.rule
            elif isinstance(node, core.CallRule) and node.if_possible:
                yield node.rule
            elif isinstance(node, core.FirstPossible):
                yield from (inner.rule for inner in node.body if isinstance(inner, core.CallRule))

    # ------------------------------------------------------------------ what comes behind

    def _rule(self, rule: core.RuleDecl) -> None:
        analysis = self.analysis
        hooks_after = any(hook in analysis.refuses for hook in rule.after)
        # A trial that began in this phase ends with it, whatever its callers do then. Only one that came in from
        # outside goes on.
        goes_on = rule in self.followed and (rule.form not in PHASES or rule in self.in_trial)
        rest = goes_on or hooks_after
        self._block(rule.body, rest, Exits(rest, rest))
        if rule in self.followed or hooks_after:
            self.followed.update(rule.after)
        if rule in self.followed or analysis.entry_refuses(rule):
            self.followed.update((*rule.before, *rule.instead))

    def _block(self, block: Block, rest: bool, exits: Exits) -> None:
        """Goes through a block from its end to its beginning. `rest`: something behind the block can be refused."""
        for position in range(len(block) - 1, -1, -1):
            stmt = block[position]
            self.seen.add(id(stmt))
            if rest:
                self.followed.update(self._entered(stmt))
            # Behind the last statement of such a block its first one may come again: `repeat` / `to_move = rival(p)` /
            # `requires …` is not settled at the store.
            comes_again = is_loop(stmt) or isinstance(stmt, core.May | core.AnyOrder | core.Together)
            within = rest or (comes_again and self.analysis.loop_refuses(stmt))
            for inner in blocks(stmt):
                self._block(inner, within, exits.inside(stmt, within))
            rest = self._refuses(stmt, block[:position]) or (rest and not ends_lookahead(stmt))
            rest = rest or exits.from_within(stmt)  # what leaves here does not come to the chance behind it
            if rest:
                self.unsettled.add(id(stmt))

    def _refuses(self, stmt: core.Stmt, before: Block) -> bool:
        # `perform` of cells may be refused because the same one is running, which depends on who has called.
        return calls(stmt) is Calls.cell or self.analysis.stmt_refuses(stmt, before)
