"""Checks that loops end: each pass of `repeat` and `while` must make progress.

A pass makes progress if somebody decides in it, if it takes a piece out of a place that the loop never fills (pieces
are finite, so that cannot go on for ever), or if it counts a field in a direction in which the loop never turns back,
or raises a flag that it found down (`loop_counters`).

    while deck is not empty
      draw 1 from deck to discard        # progress: nothing in the loop puts cards into the deck

`draw up to 1` may take nothing; it counts only if the condition of the loop is about that place, because then the
place is not empty. A path that leaves the loop counts as progress too. `at most n times` and `repeat n times` need no
proof.

A loop in which somebody decides may still go on for ever. That is reported only if nothing at all leaves it: no
`until`, no `stop`, and nowhere in the game a win or an end.

`Progress.surely` considers all paths through a block and answers for the worst of them. A called rule must make
progress in its own body and in every `instead of` hook that may replace it.
"""

from __future__ import annotations

from collections.abc import Collection

from ..diagnostics.diagnostic import Diagnostics, Label
from . import program as p
from .forms import Alters, Flow, Runs, UnknownForm, alters, flow, inner, motion, question
from .loop_counters import Begun, Running, Spot, lowered, raised, steps_of
from .value_types import Number
from .walk import called_rules, conjuncts, is_alike, statements, walk, walk_rule


def check_loops(program: p.Program, found: Diagnostics, sound: Collection[p.RuleDecl] | None = None) -> None:
    """Loops of all rules; if `sound` is given, of these alone, because statements of other rules are missing. One of
    those may end the game."""
    rules = program.all_rules()
    every = (stmt for rule in rules for stmt in statements(rule.body))
    # `drops out` may end the game, too: when only one seat is left.
    ending = (stmt for stmt in every if flow(stmt) is Flow.ends_game or alters(stmt) is Alters.seats)
    can_end = sound is not None or any(ending)
    for rule in rules if sound is None else sound:
        for stmt in statements(rule.body):
            endless = any(runs is Runs.endless for _, runs in inner(stmt))
            match stmt:
                case p.Repeat() if endless:
                    if _check(program, stmt, stmt.body, None, found) and not can_end:
                        _check_leaving(stmt, found)
                case p.InTurn() if endless:
                    if not can_end:
                        _check_leaving(stmt, found)
                case p.While(at_most=None):
                    _check(program, stmt, stmt.body, stmt.condition, found)
                case _ if endless:
                    raise UnknownForm(stmt)


def _check_leaving(loop: p.Repeat | p.InTurn, found: Diagnostics) -> None:
    """Reports a loop that nothing leaves. Called only if no statement of the game can end it."""
    if any(flow(stmt) is not Flow.on for stmt in statements(loop.body)):
        return
    first = "say `until …` after it" if isinstance(loop, p.InTurn) else "say `repeat n times`"
    advice = f"{first}, `stop` in it, or let somebody win"
    found.error("R0450", "this loop never ends", loop.span, "nothing leaves it", help=advice)


def _check(program: p.Program, loop: p.Stmt, body: p.Block, condition: p.Expr | None, found: Diagnostics) -> bool:
    """True if each pass makes progress; reported if not."""
    progress = Progress(program, body, condition)
    if progress.surely(body, leaving=True):
        return True
    word = "while" if condition is not None else "repeat"
    limit = f"`{word} … at most n times`" if condition is not None else "`repeat n times`"
    what = "this loop may never end"
    notes = (
        "each pass must surely let somebody decide, take a piece out of a place that the loop does not fill, "
        "count a field that is not capped, always in one direction, or set a flag to yes that it found at no",
    )
    help = f"say {limit}, `stop` where nothing is left to do, or count the passes in a field (`rounds += 1`)"
    others = tuple(Label(one.span, _no_pass(one)) for one in progress.may_be_skipped)
    label = "a pass may change nothing that ends it"
    found.error("R0450", what, loop.span, label, others=others, notes=notes, help=help)
    return False


def _entered(body: p.Block, condition: p.Expr | None) -> p.For | None:
    """The loop that a pass begins with, if the condition of the pass says that there is something to go over:

    while some p in players has p.reserve > 0
      for p in players where p.reserve > 0
    """
    begin = next((statement for statement in body if not isinstance(statement, p.Let)), None)
    if not isinstance(begin, p.For):
        return None
    source = begin.binder.source
    while isinstance(source, p.StartingWith):  # `players from p`: the same ones, in another order
        source = source.source
    for asked in conjuncts(condition):
        if isinstance(asked, p.Quantified) and asked.which == "some" and is_alike(asked.binder.source, source):
            names = {begin.binder.local: asked.binder.local}
            holds = conjuncts(asked.binder.where) + conjuncts(asked.has)
            wanted = conjuncts(begin.binder.where)
            if all(any(is_alike(one, other, names) for other in holds) for one in wanted):
                return begin
    return None


Inside = p.Repeat | p.InTurn | p.Together | p.For  # the loops inside a loop that may make progress


def _no_pass(loop: Inside) -> str:
    """Why a loop that lets somebody decide in each pass does not count."""
    if isinstance(loop, p.InTurn):
        asked = "until" if loop.until is not None else "skipping"
        return f"somebody decides here, but it may make no pass: `{asked}` is asked before the first"
    return "somebody decides here, but it may make no pass"


class Progress:
    """Decides whether blocks inside one loop make progress on every path."""

    def __init__(self, program: p.Program, body: p.Block, condition: p.Expr | None) -> None:
        called = called_rules(walk(body))
        moves = (motion(stmt) for block in (body, *(rule.body for rule in called)) for stmt in statements(block))
        running = Running(program, body)
        self.program = program
        self.moves = [moved for moved in moves if moved is not None]
        self.asked = _places_read(condition)
        self.counted, self.latches = running.counters(), running.latches()
        self.entered = _entered(body, condition)  # a loop that makes a pass in any case
        # Flags that stand at no when the pass begins, or when a name in them is picked
        self.down: set[Spot] = set(lowered(condition))
        self.sources: dict[p.LocalDecl, p.Expr] = {}
        self.running: list[p.RuleDecl] = []
        self.may_be_skipped: dict[Inside, None] = {}  # loops that make progress if they run

    def surely(self, block: p.Block, *, leaving: bool) -> bool:
        """True if every path through the block makes progress. `leaving`: leaving counts too. Inside a called rule or
        an inner loop it does not, since `done` or `stop` there leaves only that rule or that loop."""
        # The statements run one after the other, so one that always makes progress is enough.
        return any(self._statement(statement, leaving, self._begun(block, i)) for i, statement in enumerate(block))

    def _statement(self, statement: p.Stmt, leaving: bool, begun: Begun) -> bool:
        asked = question(statement)
        if (asked is not None and asked.surely) or flow(statement) is Flow.ends_game:
            return True
        if flow(statement) is not Flow.on:
            return leaving
        match statement:
            case p.May():
                # If there was something to take, somebody decided. If not, `may` passes by itself and only the
                # `otherwise` block runs.
                return self.surely(statement.otherwise, leaving=leaving)
            case p.CallRule():
                return not statement.if_possible and self._rule(statement.rule)
            case p.Repeat() | p.InTurn() | p.Together() | p.For():
                # A loop that may run no pass at all proves nothing by what its passes do. It is noted, so that the
                # finding can name it.
                sure = self.surely(statement.body, leaving=False)
                if sure and not self._at_least_one_pass(statement, begun):
                    self.may_be_skipped[statement] = None
                    return False
                return sure
            case p.Pick():
                self.sources[statement.binder.local] = statement.binder.source
                self.down.update(lowered(statement.binder.where))
        return self._blocks(statement, leaving) or self._takes(statement) or self._counts(statement)

    def _blocks(self, statement: p.Stmt, leaving: bool) -> bool:
        """True if a block that always runs makes progress, or, of alternative blocks (`if` and `else`), each does."""
        ways = [self.surely(block, leaving=leaving) for block, runs in inner(statement) if runs is Runs.one_of]
        always = [self.surely(block, leaving=leaving) for block, runs in inner(statement) if runs is Runs.once]
        return any(always) or (bool(ways) and all(ways))

    def _at_least_one_pass(self, loop: Inside, begun: Begun) -> bool:
        match loop:
            case p.Repeat(times=times):
                return times is None or (isinstance(times.type, Number) and times.type.low >= 1)
            case p.InTurn():
                return loop.skipping is None and (loop.until is None or begun.fails(loop.until))
            case p.For(binder=binder):
                return loop is self.entered or (binder.where is None and is_some(binder.source))
            case _:
                return is_some(loop.source)

    def _begun(self, block: p.Block, number: int) -> Begun:
        """What is known of fields where that statement of a block begins."""
        rule = self.running[-1] if self.running else None
        is_beginning = rule is not None and block is rule.body and not rule.before
        resets = rule.resets if rule is not None and is_beginning else ()
        return Begun(self.program, block[:number], resets)

    def _rule(self, rule: p.RuleDecl) -> bool:
        # A `before` hook with `prevent` may cancel the rule, and a recursive call proves nothing by itself.
        if rule in self.running or any(hook.can_prevent for hook in rule.before):
            return False
        self.running.append(rule)
        bodies = [rule.body, *(hook.body for hook in rule.instead)]
        sure = all(self.surely(body, leaving=False) for body in bodies)
        self.running.pop()
        return sure

    def _counts(self, statement: p.Stmt) -> bool:
        """True if a field always moves in the direction from which the loop never turns it back."""
        up = raised(statement)
        if up is not None and up in self.down and up[0] in self.latches:
            return True
        return any(step.surely and (step.field, step.way) in self.counted for step in steps_of(statement))

    def _takes(self, statement: p.Stmt) -> bool:
        """True if a piece always leaves a place that the loop does not fill."""
        match statement:
            case p.Draw():
                # `draw 1` from an empty pile is refused, which ends the loop as well. `draw up to 1` goes on for ever
                # there.
                sure = not statement.up_to or self._is_asked(statement.source)
                return sure and self._at_least_one(statement.count) and self._only_loses(statement.source)
            case p.MovePiece(piece=piece):
                return self._only_loses(self._place_of(piece))
            case p.MoveEach(quantity="up_to"):
                return False  # a piece whose own place is full stays
            case p.MoveSome() | p.MoveEach():
                binder, count = statement.binder, statement.count
                sure = statement.quantity == "exactly" or (self._is_asked(binder.source) and binder.where is None)
                enough = count is None or self._at_least_one(count)
                return sure and enough and self._only_loses(binder.source)
            case p.MoveSet() | p.Pay() | p.Shuffle() | p.SwapPieces() | p.SwapPlaces() | p.PassOn():
                return False  # may move nothing, or the same pieces back and forth
            case _ if motion(statement) is None:
                return False
            case _:
                raise UnknownForm(statement)

    def _place_of(self, piece: p.Expr) -> p.Expr | None:
        match piece:
            case p.EndOf(of=place) | p.SlotPiece(place=place):
                return place
            case p.LocalVar(local=local):
                return self.sources.get(local)
            case _:
                return None

    def _only_loses(self, place: p.Expr | None) -> bool:
        return isinstance(place, p.PlaceRef) and not any(moved.may_fill(place.place) for moved in self.moves)

    def _is_asked(self, place: p.Expr) -> bool:
        return isinstance(place, p.PlaceRef) and place.place in self.asked

    def _at_least_one(self, count: p.Expr) -> bool:
        return isinstance(count.type, Number) and count.type.low >= 1


def is_some(source: p.Expr) -> bool:
    """True if there is always something to go over, whatever the state is."""
    match source:
        case p.Players():
            return source.which in ("players", "everybody")
        case p.AllOf():
            return bool(source.domain)
        case p.NumberRange(low=low, high=high):
            return isinstance(low.type, Number) and isinstance(high.type, Number) and low.type.high <= high.type.low
        case p.StartingWith():
            return is_some(source.source)
        case _:
            return False


def _places_read(condition: p.Expr | None) -> set[p.PlaceDecl]:
    """Every place that a condition reads, directly or through the values it calls."""
    nodes = [] if condition is None else list(walk(condition))
    inner = [node for rule in called_rules(nodes) for node in walk_rule(rule)]
    return {node.place for node in (*nodes, *inner) if isinstance(node, p.PlaceRef)}
