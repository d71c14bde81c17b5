"""The spots of a program where something can happen, and how often it did.

A spot is a rule, a statement, a branch that somebody may choose, or a score line. Its count comes from the counters of
a watched game, each of which belongs to a place in the rules. If the compiler has left no counter for a spot, its
surroundings decide: a statement without a line of its own was executed as often as its block; a value that was inlined,
as often as its callers. Spots of several programs (other player counts, other variants) are added up by their place in
the text.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ..check import program as core
from ..check.forms import blocks
from ..check.walk import parts, walk
from ..compile.load import Compiled
from ..diagnostics.source import Span
from ..runtime.game import Game
from .watched_game import Counts

Place = tuple[str, int, int]  # file, line, column
Key = tuple[str, Place]

_LOOPS = (core.For, core.Walk, core.Repeat, core.While, core.InTurn)
_LOOP_FORMS = frozenset(loop.__name__ for loop in _LOOPS) | {core.Together.__name__}


@dataclass
class Spot:
    """`form` is that of a rule (phase, action, hook …) or what a statement is; `offered` counts decisions, of branches.

    `parent` is the spot around it (of a hook, its rule): what happens here can only happen if that does. `callers` are
    the spots that call a rule; a rule in a table cell has none, since anybody may perform it.
    """

    kind: str  # rule, statement, branch, score
    place: Place
    span: Span
    rule: str
    form: str
    label: str
    count: int
    offered: int
    parent: Key | None
    cites: tuple[str, ...] = ()
    callers: set[Key] = field(default_factory=set)

    @property
    def key(self) -> Key:
        return self.kind, self.place


Spots = dict[Key, Spot]


def place_of(span: Span) -> Place:
    return (span.source.name, *span.source.place(span.start))


def spots_of(game: Game, counts: Counts, program: core.Program | None = None) -> Spots:
    """Every spot of a game with its counts; the program may be omitted if the game was loaded by name."""
    return _Finder(game, counts, program or game.program).found()


def add_spots(total: Spots, more: Spots) -> None:
    """Adds the counts of one program's spots to those of others."""
    for key, spot in more.items():
        known = total.get(key)
        if known is None:
            total[key] = spot
        else:
            known.count += spot.count
            known.offered += spot.offered
            known.callers |= spot.callers


class _Finder:
    def __init__(self, game: Game, counts: Counts, program: core.Program) -> None:
        self.program = program
        self.meta = game.meta
        self.counts = counts
        self.spots: Spots = {}
        self.headers, self.lines = _hits(game.compiled, counts)
        begun = {hit.routine: count for hit, count in zip(game.compiled.hits, counts.hits, strict=True) if hit.begins}
        self.scored = [begun[f"score_{number}"] for number in range(len(program.scores))]
        self.asking = {hit.place for hit in game.compiled.hits if hit.asks}  # rules that begin with a question
        self.sites: dict[Place, list[int]] = {}
        for site in game.meta.sites:
            self.sites.setdefault(site.place, []).append(site.number)
        self.calls: dict[int, set[Key]] = {}  # id of a rule -> spots that call it
        self.questions: dict[int, set[Key]] = {}  # id of a rule -> spots that ask whether it could be carried out

    def found(self) -> Spots:
        rules = [rule for rule in self.program.rules.values() if rule.span.source.text]
        for rule in rules:
            self._rule(rule, None)
        for rule in rules:
            for hook in rule.hooks:
                self._rule(hook, ("rule", place_of(rule.span)))
        for change in self.program.change_hooks:
            self._rule(change.rule, None)
        for motion in self.program.move_hooks:
            self._rule(motion.rule, None)
        for number, block in enumerate(self.program.scores):
            for line in block.lines:
                self._score(line, self.scored[number])
        self._outside_rules()
        self._values(rules)
        self._note_callers(rules)
        self._only_asked(rules)
        return self.spots

    def _outside_rules(self) -> None:
        """Ranks, payoffs and currencies are evaluated in every game: their calls count as calls by `play`."""
        course = self.program.rules.get("play")
        if course is None or ("rule", place_of(course.span)) not in self.spots:
            return
        if self.program.payoff is not None:
            self.calls.setdefault(id(self.program.payoff), set()).add(("rule", place_of(course.span)))
        asked = [
            part
            for currency in self.program.currencies.values()
            for s in currency.sources
            for part in (s.when, s.place, s.back_to)
        ]
        asked += [expression for _, expression in self.program.rank.criteria] if self.program.rank is not None else []
        for expression in asked:
            if expression is not None:
                self._note_calls(expression, ("rule", place_of(course.span)))

    # ------------------------------------------------------------------ rules

    def _rule(self, rule: core.RuleDecl, parent: Key | None) -> None:
        place = place_of(rule.span)
        count = self.headers.get(place, 0)
        if rule.form == "hook" and rule.when is not None:
            known = [hits for stmt in rule.body if (hits := self._own_count(stmt.span)) is not None]
            count = max(known, default=count)
        spot = Spot("rule", place, rule.span, rule.name, rule.form, "", count, 0, parent, rule.cites)
        self.spots[spot.key] = spot
        for part in (rule.when, rule.expression):
            if part is not None:
                self._note_calls(part, spot.key)
        self._block(rule.body, rule, spot)

    def _block(self, block: core.Block, rule: core.RuleDecl, parent: Spot) -> int:
        """Notes the statements of a block; gives how often the first of them that was run at all was run."""
        reached = self._reached(block, parent)
        counts = [self._statement(stmt, rule, parent, reached) for stmt in block]
        return next(filter(None, counts), 0)

    def _reached(self, block: core.Block, parent: Spot) -> int:
        """How often a block was entered, by the counts of its statements. Loops are counted once per pass, so another
        statement is preferred; if there are only loops, their count is limited by that of the parent."""
        known = [(stmt, hits) for stmt in block if (hits := self._own_count(stmt.span)) is not None]
        once = [hits for stmt, hits in known if not isinstance(stmt, _LOOPS)]
        if once or not known:
            return max(once, default=parent.count)
        passes = max(hits for _, hits in known)
        return passes if parent.form in _LOOP_FORMS else min(passes, parent.count)

    def _statement(self, stmt: core.Stmt, rule: core.RuleDecl, parent: Spot, reached: int) -> int:
        own = self._own_count(stmt.span)
        count = reached if own is None else own
        form = type(stmt).__name__
        spot = Spot("statement", place_of(stmt.span), stmt.span, rule.name, form, "", count, 0, parent.key, stmt.cites)
        known = self.spots.setdefault(spot.key, spot)  # a call inside an expression may share its place
        known.count = max(known.count, count)
        if isinstance(stmt, core.CallRule):
            self.calls.setdefault(id(stmt.rule), set()).add(known.key)
        for part in parts(stmt):
            if isinstance(part, core.BranchDecl):
                self._branch(part, stmt, rule, known)
            elif not isinstance(part, core.Stmt):
                self._note_calls(part, known.key)
        of_branches = [part.body for part in parts(stmt) if isinstance(part, core.BranchDecl)]
        for block in blocks(stmt):
            if block and block not in of_branches:
                entered = self._block(block, rule, known)
                if own is None:  # a loop at whose head nothing is counted: what is in it was run, so it was too
                    known.count = max(known.count, min(entered, max(1, parent.count)))
        return known.count

    def _branch(self, branch: core.BranchDecl, stmt: core.Stmt, rule: core.RuleDecl, parent: Spot) -> None:
        offered, taken = self._choices(branch, stmt)
        bodies = [hits for inner in branch.body if (hits := self._own_count(inner.span)) is not None]
        count = max([taken, *bodies])
        label = branch.label.raw
        spot = Spot(
            "branch", place_of(branch.span), branch.span, rule.name, type(stmt).__name__, label, count,
            max(offered, count), parent.key, branch.cites,
        )  # fmt: skip
        self.spots.setdefault(spot.key, spot)
        for part in parts(branch):
            if not isinstance(part, core.Stmt):
                self._note_calls(part, spot.key)
        self._block(branch.body, rule, spot)

    def _choices(self, branch: core.BranchDecl, stmt: core.Stmt) -> tuple[int, int]:
        """How often the branch was offered and taken, at all decision sites compiled from its statement."""
        branches = (
            stmt.branches if isinstance(stmt, core.ChooseOne) else (stmt.branch,) if isinstance(stmt, core.May) else ()
        )
        numbers = [number for number, one in enumerate(branches) if one is branch]
        choices = [(site, number) for site in self.sites.get(place_of(stmt.span), ()) for number in numbers]
        return sum(self.counts.offered[one] for one in choices), sum(self.counts.taken[one] for one in choices)

    def _score(self, line: core.ScoreLineDecl, count: int) -> None:
        spot = Spot(
            "score", place_of(line.span), line.span, "score", "score", line.label.raw, count, 0, None, line.cites
        )
        self.spots[spot.key] = spot
        self._note_calls(line.value, spot.key)

    # ------------------------------------------------------------------ counts

    def _own_count(self, span: Span) -> int | None:
        """How often the code emitted for a statement was executed; None if none was emitted."""
        file, line, column = place_of(span)
        on_line = self.lines.get((file, line), {})
        if column in on_line:
            return on_line[column]
        # The code of a statement may be attributed to an expression inside it, which stands further right on the line.
        later = [hits for at, hits in on_line.items() if at > column]
        return max(later) if later else None

    # ------------------------------------------------------------------ inlined values

    def _note_calls(self, node: core.Expr | core.Binder | object, key: Key) -> None:
        for part in walk(node):  # type: ignore[arg-type]
            if isinstance(part, core.ValueCall):
                self.calls.setdefault(id(part.rule), set()).add(key)
            elif isinstance(part, core.CanCall):
                self.questions.setdefault(id(part.rule), set()).add(key)

    def _only_asked(self, rules: Iterable[core.RuleDecl]) -> None:
        """A rule that nothing calls, and of which `can` asks, is there for the question: it counts as often as that was
        asked. Trials are not counted line by line, so the same goes for what stands in it."""
        for rule in rules:
            if id(rule) in self.questions and id(rule) not in self.calls and rule.form == "action":
                self.spots["rule", place_of(rule.span)].callers = set(self.questions[id(rule)])
                asked = max(self.spots[key].count for key in self.questions[id(rule)])
                for spot in self.spots.values():
                    if spot.rule == rule.name and spot.kind != "score":
                        spot.count = max(spot.count, asked)

    def _values(self, rules: Iterable[core.RuleDecl]) -> None:
        """Counts a value at least as often as its callers were executed; values may call one another."""
        values = [rule for rule in rules if rule.form == "value" and id(rule) in self.calls]
        # Counts spread along chains of values. No chain is longer than the list, so this many rounds are enough.
        for _ in values:
            changed = False
            for rule in values:
                spot = self.spots["rule", place_of(rule.span)]
                asked = max(self.spots[key].count for key in self.calls[id(rule)])
                if asked > spot.count:
                    spot.count, changed = asked, True
            if not changed:
                return

    def _note_callers(self, rules: Iterable[core.RuleDecl]) -> None:
        performed = {id(call.rule) for cell in self.program.cells for call in cell.calls}
        for rule in rules:
            if id(rule) not in performed:
                spot = self.spots["rule", place_of(rule.span)]
                spot.callers = set(self.calls.get(id(rule), ()))
                called = sum(self.spots[key].count for key in spot.callers)
                if called and spot.place in self.asking:  # its first question may be asked many times per call
                    spot.count = min(spot.count, called)


def _hits(compiled: Compiled, counts: Counts) -> tuple[dict[Place, int], dict[tuple[str, int], dict[int, int]]]:
    """How often routines with a place began, and for each line of the rules how often it was reached, by column."""
    headers: dict[Place, int] = {}
    lines: dict[tuple[str, int], dict[int, int]] = {}
    for hit, count in zip(compiled.hits, counts.hits, strict=True):
        if hit.place is None:
            continue
        if hit.begins:
            headers[hit.place] = max(headers.get(hit.place, 0), count)
        else:
            columns = lines.setdefault(hit.place[:2], {})
            columns[hit.place[2]] = max(columns.get(hit.place[2], 0), count)
    return headers, lines
