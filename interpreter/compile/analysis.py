"""What the compiler must know about rules before it lowers them.

Two questions, both answered by going over all rules again until nothing changes (rules call one another in circles).

**Which rules can stop for a decision?** They are cut into segments and get a frame, a small list that is kept while
somebody thinks. All others become plain functions, which are several times quicker to call.

**Where can what follows a decision be refused?** There, an option may be offered only if a look ahead goes through. The
look reaches over the rest of the block, of the rule, and of the rules that called it, up to the end of the phase.

Both err on the safe side: a frame or a trial too many costs time and never changes what a game means.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from ..check import program as core
from ..check.forms import (
    Calls,
    Motion,
    UnknownForm,
    blocks,
    calls,
    demands,
    is_loop,
    motion,
    question,
    written_fields,
)
from ..check.program import Block
from ..check.value_types import Maybe
from ..check.walk import bodies, rule_expressions, statements
from .chosen_sets import costs_nothing_for_none, nothing_will_do
from .statement_facts import (
    Exits,
    asked_first,
    cases,
    ends_lookahead,
    fills_up,
    is_held,
    may_be_missing,
    may_overflow,
    surely_some,
    surely_some_of,
)

PHASES = ("phase", "setup", "play")  # a look ahead that begins inside goes no further than their end
FOLLOWING = "what follows may be refused"  # why options are tried, until foresight says more


@dataclass
class Analysis:
    program: core.Program
    framed: set[core.RuleDecl] = field(default_factory=set)  # the body stops for decisions
    asked_running: set[core.RuleDecl] = field(default_factory=set)
    refuses: set[core.RuleDecl] = field(default_factory=set)  # something in the body can be refused
    after: set[core.RuleDecl] = field(default_factory=set)  # what follows the rule, up to its phase, can be refused
    trials: set[int] = field(default_factory=set)  # id of statement or branch: its options need a trial
    cell_rules: set[core.RuleDecl] = field(default_factory=set)
    rests: set[int] = field(default_factory=set)  # id of statement or branch: what follows it can be refused
    tails: set[int] = field(default_factory=set)  # id of statement: what follows its whole block can be refused
    replaced: dict[int, core.RuleDecl] = field(default_factory=dict)  # id of `previous` -> the rule it goes on to
    nested_performs: set[int] = field(default_factory=set)  # id of `perform`: some cell may be running there
    own_rests: set[int] = field(default_factory=set)  # like rests and tails, as far as the rule itself goes
    own_tails: set[int] = field(default_factory=set)
    by_count: bool = False  # more counts as a reason why nothing is refused: see `by_counting`
    plain: bool = False  # as random games draw: see `drawn_by`
    differs: bool = False  # from what a plain one says, perhaps
    _of_loops: dict[tuple[int, int], bool] = field(default_factory=dict)  # what `loop_refuses` has found
    again: frozenset[int] = frozenset()  # id of statement: in the next pass of its loop it finds something again

    def __post_init__(self) -> None:
        self.cell_rules = {call.rule for cell in self.program.cells for call in cell.calls if call.rule.form != "value"}
        self._find_replaced()
        # The order matters: frames depend on who asks whether a rule is running, what a `perform` may be refused for on
        # frames, and trials on what can be refused.
        self._find_asked_running()
        self._find_framed()
        self._find_nested_performs()
        grow(self.refuses, self.program, lambda rule: self.block_refuses(rule.body))
        self._find_trials()
        for rule in bodies(self.program):
            hooks_after = any(hook in self.refuses for hook in rule.after)
            self._find_own_rests(rule.body, hooks_after, rule.form in PHASES, Exits(False, hooks_after))

    def by_counting(self, again: frozenset[int] = frozenset()) -> Analysis:
        """The analysis with more reasons why nothing is refused. There are too few other pieces:

            while count(p.chips) + count(p.gold) > 10      # there are five pieces of gold
              choose c in p.chips

        A branch of a `choose one`, and a choice in the first pass of a loop, finds what was just asked for or counted:

            if some u in S has C
              choose one                                   # "To {u}" for u in S where C

        A choice finds something again (`found_again`); and a loop that surely makes a pass begins it with chance, where
        a look ahead ends:

            for i in 1..2
              roll attack[i]

        It tells whether an option goes through where this one would leave it to a trial. It does not decide how options
        are listed: a random game draws from the list, and must go on drawing from the same one."""
        counted = Analysis(self.program, by_count=True, again=again)
        names = ("refuses", "trials", "rests", "tails", "own_rests", "own_tails")
        # The same object if it knows no more, so that nobody asks the same question twice (see `filters.add_filter`).
        return counted if any(getattr(counted, name) != getattr(self, name) for name in names) else self

    def drawn_by(self) -> Analysis:
        """The analysis that says how random games draw an option: from the whole list, or one by one until one comes
        through. It takes two things for harmless that are not: the block of a `pick … if possible`, and what is left
        before chance. Where nothing else may refuse, all options are tested before one is drawn, so that a game in
        which none of them fails is the game that the same seed has always been."""
        return Analysis(self.program, plain=True) if self.differs else self

    def _unless_plain(self, refuses: bool) -> bool:
        self.differs = self.differs or refuses
        return refuses and not self.plain

    # ------------------------------------------------------------------ frames

    def entry_framed(self, rule: core.RuleDecl) -> bool:
        """Calling the rule, hooks included, may stop for a decision."""
        return rule in self.framed or any(hook in self.framed for hook in rule.hooks)

    def cells_framed(self) -> bool:
        """Performing a cell always has a frame: it must be known which cells are running."""
        return bool(self.program.cells)

    def cuts(self, stmt: core.Stmt) -> bool:
        """The statement may stop for a decision."""
        return self.decides(stmt) or any(self.block_cuts(block) for block in blocks(stmt))

    def block_cuts(self, block: Block) -> bool:
        return any(self.cuts(stmt) for stmt in block)

    def decides(self, stmt: core.Stmt) -> bool:
        if question(stmt) is not None or isinstance(stmt, core.InTurn):
            return True  # the passes of `in turn` are segments, whoever decides in them
        if calls(stmt) is Calls.cell:
            return self.cells_framed()
        called = self.called_rule(stmt)
        return self.entry_framed(called) if called is not None else self._hooked(stmt)

    def called_rule(self, stmt: core.Stmt) -> core.RuleDecl | None:
        """The rule that the statement runs by name, or by going on to what its hook stands in for."""
        match stmt:
            case core.CallRule():
                return stmt.rule
            case core.CallPrevious():
                return self.replaced[id(stmt)]
            case _ if calls(stmt) in (Calls.nothing, Calls.cell):
                return None
            case _:
                raise UnknownForm(stmt)

    def called_rules(self, stmt: core.Stmt) -> list[core.RuleDecl]:
        """All rules that the statement itself may call or set off, hooks of the called rule left out."""
        found = self.set_off(stmt)
        if calls(stmt) is Calls.cell:
            found += self.cell_rules
        called = self.called_rule(stmt)
        return found if called is None else [*found, called]

    def set_off(self, stmt: core.Stmt) -> list[core.RuleDecl]:
        """The hooks on changes and moves that the statement itself may set off."""
        return [hook.rule for hook in self.change_hooks(stmt)] + [hook.rule for hook in self.move_hooks(stmt)]

    def _hooked(self, stmt: core.Stmt) -> bool:
        return any(rule in self.framed for rule in self.set_off(stmt))

    def change_hooks(self, stmt: core.Stmt) -> list[core.ChangeHook]:
        """Change hooks that the statement itself may set off."""
        if not self.program.change_hooks:
            return []
        changed, moved = written_fields(stmt), motion(stmt)
        return [
            hook
            for hook in self.program.change_hooks
            if (hook.field is not None and hook.field in changed)
            or (hook.place is not None and moved is not None and _may_change(moved, hook.change, hook.place))
        ]

    def move_hooks(self, stmt: core.Stmt) -> list[core.MoveHook]:
        """Hooks on pieces that enter or leave a place that the statement itself may set off."""
        # `pass hand left` moves whole hands at once. A hook on a single card that enters would have to run in the
        # middle of it.
        if not self.program.move_hooks or (moved := motion(stmt)) is None or not moved.singly:
            return []
        return [hook for hook in self.program.move_hooks if moved.may_touch(hook.place)]

    def _find_replaced(self) -> None:
        for hook in bodies(self.program):
            if hook.replaces is not None:
                previous = [stmt for stmt in statements(hook.body) if isinstance(stmt, core.CallPrevious)]
                self.replaced |= {id(stmt): hook.replaces for stmt in previous}

    def _find_asked_running(self) -> None:
        every = (expr for rule in self.program.all_rules() for expr in rule_expressions(rule))
        self.asked_running = {expr.rule for expr in every if isinstance(expr, core.RuleRunning)}
        self.asked_running |= {rule.during for rule in self.program.free_actions if rule.during is not None}

    def _find_framed(self) -> None:
        self.framed = set(self.asked_running)
        self.framed |= {self.program.rules[name] for name in ("setup", "play") if name in self.program.rules}
        self.framed |= set(self.program.free_actions)
        # A rule with a depth is counted by its frames on the stack.
        self.framed |= {rule for rule in self.program.rules.values() if rule.depth is not None}
        grow(self.framed, self.program, lambda rule: any(self.decides(stmt) for stmt in statements(rule.body)))

    # ------------------------------------------------------------------ refusals

    def entry_refuses(self, rule: core.RuleDecl) -> bool:
        return rule in self.refuses or any(hook in self.refuses for hook in rule.hooks)

    def block_refuses(self, block: Block, before: Block = ()) -> bool:
        """True if a look ahead through the block may meet a refusal. `before` are the statements that have come before:
        what they required or chose need not be asked again."""
        for position, stmt in enumerate(block):
            # `choose any c in p.hand as paid` / `pay sum(c.price for c in paid) coins`: whoever has no coins chooses
            # nothing, so this payment never bars the way.
            if costs_nothing_for_none(stmt, block[:position]):
                continue
            if self.stmt_refuses(stmt, before + block[:position]):
                return True
            # A trial stops here and counts as success, so nothing behind it matters.
            if ends_lookahead(stmt, self.by_count):
                return False
        return False

    def stmt_refuses(self, stmt: core.Stmt, before: Block) -> bool:
        """Whether the statement may be refused: it itself, what is inside it, or a hook that it sets off."""
        return self._itself_refuses(stmt, before) or self.hooks_refuse(stmt)

    def _itself_refuses(self, stmt: core.Stmt, before: Block) -> bool:
        match stmt:
            case core.Require():
                return True
            case core.Lose():
                return not stmt.up_to and not all(amount.fits for amount in stmt.amounts)
            case core.Pay():
                return True
            case core.Choose() | core.ChooseSet() if stmt.if_possible:
                return False  # it is skipped if no option comes through
            case core.Pick() if stmt.if_possible:  # it is skipped if there is nothing, and not for its block
                return self._unless_plain(self._inner_refuses(stmt))
            case core.Choose():
                has_some = surely_some_of(stmt.binders, before, self.by_count)
                return not has_some or self._inner_refuses(stmt)
            case core.ChooseSet():
                return not nothing_will_do(stmt, before, self.by_count) or self._inner_refuses(stmt)
            case core.Pick():
                return not surely_some(stmt.binder, before, self.by_count) or self._inner_refuses(stmt)
            case core.ChooseOne():
                # One branch that can always be taken is enough: somebody who looks ahead may take that one.
                asked = before if self.by_count else ()
                return not any(self.always_open(branch, asked) for branch in stmt.branches)
            case core.May():  # it can be declined, and then `else` comes
                return self.block_refuses(stmt.otherwise)
            case core.CallRule():
                return not stmt.if_possible and self.entry_refuses(stmt.rule)
            case core.CallPrevious():
                rule = self.replaced[id(stmt)]  # which hook of the chain comes next is known in play
                return rule in self.refuses or any(hook in self.refuses for hook in rule.instead)
            case core.Perform():
                return not stmt.if_possible and self._perform_refuses(stmt)
            case core.MovePiece():
                return may_be_missing(stmt.piece, before) or fills_up(stmt.to, before)
            case core.Shuffle():
                return stmt.into is not None and stmt.into.place.limited
            case core.SwapPlaces():
                return may_overflow(stmt)
            case core.Flip():
                return may_be_missing(stmt.piece, before)
            case core.SwapPieces():
                return may_be_missing(stmt.first, before) or may_be_missing(stmt.second, before)
            case core.MoveSet():
                return fills_up(stmt.to, before)
            case core.MoveSome() | core.MoveEach():
                return stmt.quantity == "exactly" or (stmt.quantity == "all" and fills_up(stmt.to, before))
            case core.Draw() if is_held(stmt, before):
                return fills_up(stmt.to, before)
            case core.Draw():
                return not stmt.up_to
            case core.FirstPossible():
                return False
            case core.If():
                return any(self.block_refuses(block, (*before, known)) for block, known in cases(stmt))
            case core.While() | core.Repeat():  # a hand limit: `while count(p.hand) > 7` / `choose c in p.hand`
                return self.first_pass_refuses(stmt, before) or self._next_pass_refuses(stmt)
            case core.For() if stmt.binder.where is not None and stmt.ordered_by is None:
                return self.block_refuses(stmt.body, (core.Require(stmt.span, stmt.binder.where, None),))
            case _ if demands(stmt):
                raise UnknownForm(stmt)
        return self._inner_refuses(stmt)

    def hooks_refuse(self, stmt: core.Stmt) -> bool:
        """Whether something that the statement itself sets off may be refused."""
        return any(hook in self.refuses for hook in self.set_off(stmt))

    def loop_refuses(self, stmt: core.Stmt) -> bool:
        """Whether a pass of a loop may meet a refusal. What a `while` asks for holds when its pass begins."""
        key = (id(stmt), len(self.refuses))  # the more rules are found that refuse, the more loops do
        if key not in self._of_loops:
            self._of_loops[key] = any(self.block_refuses(block, asked_first(stmt)) for block in blocks(stmt))
        return self._of_loops[key]

    def first_pass_refuses(self, stmt: core.While | core.Repeat, before: Block) -> bool:
        """Whether the first pass may meet a refusal. `before`: what was asked in front of the loop holds there only."""
        if not self.by_count or not before:
            return self.loop_refuses(stmt)
        return self.block_refuses(stmt.body, (*before, *asked_first(stmt)))

    def _inner_refuses(self, stmt: core.Stmt) -> bool:
        return any(self.block_refuses(block) for block in blocks(stmt))

    def _perform_refuses(self, stmt: core.Perform) -> bool:
        """There may be no effect, it may be running already, or what it does may be refused."""
        if isinstance(stmt.cell.type, Maybe) or id(stmt) in self.nested_performs:
            return True
        return any(self.entry_refuses(rule) for rule in self.cell_rules)

    def _find_nested_performs(self) -> None:
        """Performs that can be met while a cell is being performed, so that theirs may be running already."""
        inside: set[core.RuleDecl] = set()
        waiting = [*self.cell_rules]
        while waiting:
            rule = waiting.pop()
            if rule in inside:
                continue
            inside.add(rule)
            waiting += rule.hooks
            waiting += [
                other
                for expr in rule_expressions(rule)
                if isinstance(other := getattr(expr, "rule", None), core.RuleDecl)
            ]
            # At each of its decisions a free action may come between, and that may perform a cell too.
            if rule in self.framed:
                waiting += self.program.free_actions
            for stmt in statements(rule.body):
                waiting += self.called_rules(stmt)
                if calls(stmt) is Calls.cell:
                    self.nested_performs.add(id(stmt))

    def always_open(self, branch: core.BranchDecl, before: Block = ()) -> bool:
        """Whether a branch can surely be taken. `before`: what has just been asked."""
        if branch.condition is not None or not surely_some_of(branch.binders, before, self.by_count):
            return False
        return not self.block_refuses(branch.body)

    # ------------------------------------------------------------------ where a trial is needed

    def _find_trials(self) -> None:
        self.after |= set(self.program.free_actions)  # the decision that they interrupt must still find an answer
        self.after.update(self.followed_in_cells())
        known = (-1, -1)
        while known != (known := (len(self.after), len(self.trials))):
            for rule in bodies(self.program):
                self._visit_rule(rule)

    def followed_in_cells(self) -> Iterator[core.RuleDecl]:
        """Rules that a cell calls, with their hooks, where a later call of the same cell can be refused: in
        `use: ask, burn` the answer to `ask` must leave a way through `burn`."""
        for cell in self.program.cells:
            for position, call in enumerate(cell.calls):
                if any(self.entry_refuses(later.rule) for later in cell.calls[position + 1 :]):
                    yield from (call.rule, *call.rule.hooks)

    def _visit_rule(self, rule: core.RuleDecl) -> None:
        bounded = rule.form in PHASES
        rest = not bounded and rule in self.after
        hooks_after = any(hook in self.refuses for hook in rule.after)
        self._visit(rule.body, rest or hooks_after, bounded, Exits(False, rest or hooks_after))
        # Behind a hook before the rule comes the rule itself, which may be refused, and then whatever follows the rule.
        if rule in self.after or self.entry_refuses(rule):
            self.after |= {*rule.before, *rule.instead}
        if rule in self.after or hooks_after:
            self.after |= set(rule.after)

    def _visit(self, block: Block, rest: bool, bounded: bool, exits: Exits) -> None:
        """Goes through a block from its end to its beginning, because the question is what follows. `rest`: something
        behind the block can be refused. `bounded`: the block belongs to a phase, where a look ahead ends."""
        for stmt, behind in self._backwards(block, rest, exits):
            if rest:
                self.tails.add(id(stmt))
            self._visit_stmt(stmt, behind, bounded, exits)

    def _backwards(self, block: Block, rest: bool, exits: Exits) -> Iterator[tuple[core.Stmt, bool]]:
        """The statements from the last to the first, each with whether something behind it can be refused. Chance ends
        a look ahead, but not one that leaves before it comes there:

            if p.coins == 0
              done              # goes on with whatever may be refused behind the rule
            roll dice
        """
        for position in range(len(block) - 1, -1, -1):
            stmt = block[position]
            yield stmt, rest
            rest = self.stmt_refuses(stmt, block[:position]) or (rest and not ends_lookahead(stmt, self.by_count))
            rest = rest or self._unless_plain(exits.from_within(stmt))

    def _visit_stmt(self, stmt: core.Stmt, rest: bool, bounded: bool, exits: Exits) -> None:
        self._note_after(stmt, rest)
        match stmt:
            case core.Choose() | core.ChooseSet():
                body = stmt.body or ()
                self._note(stmt, body, rest or self._unless_plain(exits.from_block(body)))
            case core.ChooseOne():
                for branch in stmt.branches:
                    self._note(branch, branch.body, rest or self._unless_plain(exits.from_block(branch.body)))
            case core.May():
                again = stmt.repeatedly and self.block_refuses(stmt.otherwise)
                self._note(stmt, stmt.branch.body, rest or again or self._unless_plain(exits.from_within(stmt)))
            case core.AnyOrder() | core.For() | core.Pay():
                left = self._unless_plain(exits.from_within(stmt))
                if rest or self._inner_refuses(stmt) or left:
                    self.trials.add(id(stmt))
            case core.Pause():
                pass  # a trial goes no further than a pause
            case _ if question(stmt) is not None:
                raise UnknownForm(stmt)
        within, exits = self._rest_within(stmt, rest, bounded), self._exits_within(stmt, rest, bounded, exits)
        for inner in blocks(stmt):
            self._visit(inner, within, bounded, exits)

    def _exits_within(self, stmt: core.Stmt, rest: bool, bounded: bool, exits: Exits) -> Exits:
        """In a phase `stop` ends the pass of a loop as well, and a look ahead with it."""
        return exits.inside(stmt, rest and not bounded)

    def _rest_within(self, stmt: core.Stmt, rest: bool, bounded: bool) -> bool:
        """Whether something behind a block of the statement can be refused. What follows the last statement of a loop's
        body is the body again. In a phase a look ahead ends with the pass."""
        match stmt:
            case core.AnyOrder():  # the parts that are left
                return rest or self._unless_plain(self._inner_refuses(stmt))
            case core.May() if stmt.repeatedly and not bounded:  # whoever passes in the end goes on with `else`
                return rest or self._unless_plain(self.block_refuses(stmt.otherwise))
        if not is_loop(stmt):
            return rest
        return not bounded and (rest or self._next_pass_refuses(stmt))

    def _next_pass_refuses(self, stmt: core.Stmt) -> bool:
        """Whether a pass behind another one may meet a refusal. A choice that finds something again was made in the
        pass before, since it stands in the body itself: whoever looks ahead from there has found something."""
        if not self.again or not isinstance(stmt, core.While | core.Repeat):
            return self.loop_refuses(stmt)
        left = tuple(part for part in stmt.body if id(part) not in self.again or self._inner_refuses(part))
        return self.block_refuses(left, asked_first(stmt))

    def _find_own_rests(self, block: Block, rest: bool, bounded: bool, exits: Exits) -> None:
        """Like `_visit`, for one rule alone, without its callers. If only the callers can refuse, the rule's own
        routine still gives an exact answer for its part."""
        for stmt, behind in self._backwards(block, rest, exits):
            if rest:
                self.own_tails.add(id(stmt))
            if behind or self._unless_plain(exits.from_within(stmt)):
                self.own_rests.add(id(stmt))
            within = self._rest_within(stmt, behind, bounded)
            inside = self._exits_within(stmt, behind, bounded, exits)
            for inner in blocks(stmt):
                self._find_own_rests(inner, within, bounded, inside)

    def _note(self, what: core.Stmt | core.BranchDecl, body: Block, followed: bool) -> None:
        """Options of a choice need a trial if its own block may be refused, or what follows it (`followed`)."""
        if self.block_refuses(body) or followed:
            self.trials.add(id(what))
        if followed:
            self.rests.add(id(what))

    def _note_after(self, stmt: core.Stmt, rest: bool) -> None:
        if not rest:
            return
        match stmt:
            case core.CallRule() if not stmt.if_possible or self._unless_plain(True):
                self.after.add(stmt.rule)
            case core.CallPrevious():
                self.after.add(self.replaced[id(stmt)])
            # Not of `perform … if possible`: nearly every decision of a game whose cards have effects would be tried,
            # most of them in vain. The reference says so.
            case core.Perform(if_possible=False):
                self.after |= self.cell_rules
            case core.FirstPossible():
                self.after |= {inner.rule for inner in stmt.body if isinstance(inner, core.CallRule)}
        self.after |= set(self.set_off(stmt))


def _may_change(moved: Motion, change: str, place: core.PlaceDecl) -> bool:
    """Whether the move may make the place grow, shrink or become empty."""
    return moved.may_fill(place) if change == "grows" else moved.may_touch(place)


def grow(found: set[core.RuleDecl], program: core.Program, belongs: Callable[[core.RuleDecl], bool]) -> None:
    """Adds every rule that belongs to a set, until no more does: to which rules that is so depends on the set."""
    known = -1
    while known != (known := len(found)):
        found.update(rule for rule in bodies(program) if rule not in found and belongs(rule))
