"""Loops end: each pass of `repeat` and `while` must surely bring the game on.

A pass brings the game on if somebody decides in it, or if it takes a piece out of a place that the loop never fills:
pieces are finite, so that cannot go on for ever. Taking `up to` so many may take nothing; it counts only if the
condition asks about that place. A path that leaves the loop counts as well. `at most n times` and `repeat n times`
need no proof.

So a loop may still go on for ever, as long as somebody decides in it. It is told if nothing at all leaves it: no
`until`, no `stop`, and nowhere in the game a win or an end.

`Progress.surely` follows all paths through a block and answers for the worst of them; a rule that is called answers
with its own body, and with everything that may stand in its place.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..diagnostics.diagnostic import Diagnostics
from . import program as p
from .expression_forms import asked_rule
from .forms import Alters, Calls, Flow, Motion, Runs, UnknownForm, alters, calls, flow, inner, motion, question
from .value_types import Number
from .walk import statements, walk, walk_rule


def check_loops(program: p.Program, found: Diagnostics) -> None:
    rules = (*program.rules.values(), *program.all_hooks())
    can_end = any(_may_end_game(stmt) for rule in rules for stmt in statements(rule.body))
    for rule in rules:
        for stmt in statements(rule.body):
            endless = any(runs is Runs.endless for _, runs in inner(stmt))
            match stmt:
                case p.Repeat() if endless:
                    if _check(stmt, stmt.body, None, found) and not can_end:
                        _check_leaving(stmt, found)
                case p.InTurn() if endless:
                    if not can_end:
                        _check_leaving(stmt, found)
                case p.While(at_most=None):
                    _check(stmt, stmt.body, stmt.condition, found)
                case _ if endless:
                    raise UnknownForm(stmt)


def _may_end_game(stmt: p.Stmt) -> bool:
    """When the last but one seat drops out, the game ends too."""
    return flow(stmt) is Flow.ends_game or alters(stmt) is Alters.seats


def _check_leaving(loop: p.Repeat | p.InTurn, found: Diagnostics) -> None:
    """In a game that nothing else ends something leaves the loop."""
    if any(flow(stmt) is not Flow.on for stmt in statements(loop.body)):
        return
    first = "say `until …` behind it" if isinstance(loop, p.InTurn) else "say `repeat n times`"
    advice = f"{first}, `stop` in it, or let somebody win"
    found.error("R0450", "this loop never ends", loop.span, "nothing leaves it", help=advice)


def _check(loop: p.Stmt, body: p.Block, condition: p.Expr | None, found: Diagnostics) -> bool:
    """Whether each pass surely brings the game on; a finding if not."""
    asked = places_read((condition,)) if condition is not None else set()
    if Progress(moves_in(body), asked).surely(body, leaving=True):
        return True
    word = "while" if condition is not None else "repeat"
    limit = f"`{word} … at most n times`" if condition is not None else "`repeat n times`"
    found.error(
        "R0450",
        "this loop may never end",
        loop.span,
        "a pass may change nothing that ends it",
        notes=(
            "each pass must surely let somebody decide, or take a piece out of a place that the loop does not fill",
        ),
        help=f"say {limit}, or `stop` where nothing is left to do",
    )
    return False


class Progress:
    """Whether blocks surely bring the game on, inside one loop."""

    def __init__(self, moves: list[Motion], asked: set[p.PlaceDecl]) -> None:
        self.moves = moves
        self.asked = asked
        self.sources: dict[p.LocalDecl, p.Expr] = {}
        self.running: list[p.RuleDecl] = []

    def surely(self, block: p.Block, *, leaving: bool) -> bool:
        """`leaving`: leaving the loop counts too (not inside a called rule or an inner loop)."""
        return any(self._statement(statement, leaving) for statement in block)

    def _statement(self, statement: p.Stmt, leaving: bool) -> bool:
        asked = question(statement)
        if (asked is not None and asked.surely) or flow(statement) is Flow.ends_game:
            return True
        if flow(statement) is not Flow.on:
            return leaving
        match statement:
            case p.May():
                # Taken, it was a decision. Passed by itself, it was none.
                return self.surely(statement.otherwise, leaving=leaving)
            case p.CallRule():
                return not statement.if_possible and self._rule(statement.rule)
            case p.Repeat() | p.InTurn() | p.Together():
                return self._at_least_one_pass(statement) and self.surely(statement.body, leaving=False)
            case p.Pick():
                self.sources[statement.binder.local] = statement.binder.source
        return self._blocks(statement, leaving) or self._takes(statement)

    def _blocks(self, statement: p.Stmt, leaving: bool) -> bool:
        """The blocks that surely run bring the game on; of several ways, each one must."""
        ways = [self.surely(block, leaving=leaving) for block, runs in inner(statement) if runs is Runs.one_of]
        always = [self.surely(block, leaving=leaving) for block, runs in inner(statement) if runs is Runs.once]
        return any(always) or (bool(ways) and all(ways))

    def _at_least_one_pass(self, loop: p.Repeat | p.InTurn | p.Together) -> bool:
        match loop:
            case p.Repeat(times=times):
                return times is None or (isinstance(times.type, Number) and times.type.low >= 1)
            case p.InTurn():
                return loop.until is None and loop.skipping is None
            case _:
                return isinstance(loop.source, p.Players) and loop.source.which in ("players", "everybody")

    def _rule(self, rule: p.RuleDecl) -> bool:
        if rule in self.running or any(hook.can_prevent for hook in rule.before):
            return False
        self.running.append(rule)
        bodies = [rule.body, *(hook.body for hook in rule.instead)]
        sure = all(self.surely(body, leaving=False) for body in bodies)
        self.running.pop()
        return sure

    def _takes(self, statement: p.Stmt) -> bool:
        """Whether a piece surely leaves a place that the loop does not fill."""
        match statement:
            case p.Draw():
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
                return False  # perhaps of nothing, or to and fro
            case _ if motion(statement) is None:
                return False
            case _:
                raise UnknownForm(statement)

    def _place_of(self, piece: p.Expr) -> p.Expr | None:
        match piece:
            case p.EndOf(of=place):
                return place
            case p.SlotPiece(place=place):
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


def called_rules(nodes: Iterable[object]) -> set[p.RuleDecl]:
    """The rules that these nodes call, and all that those call in turn, with their hooks. Cells are left out: what
    a performed instance calls is known only when it is performed."""
    found: set[p.RuleDecl] = set()
    waiting = [rule for node in nodes if (rule := _callee(node)) is not None]
    while waiting:
        rule = waiting.pop()
        if rule not in found:
            found.add(rule)
            waiting += [*rule.before, *rule.instead, *rule.after]
            waiting += [inner for node in walk_rule(rule) if (inner := _callee(node)) is not None]
    return found


def _callee(node: object) -> p.RuleDecl | None:
    if isinstance(node, p.Stmt):
        return node.rule if calls(node) is Calls.rule and isinstance(node, p.CallRule) else None
    return asked_rule(node) if isinstance(node, p.Expr) else None


def moves_in(block: p.Block) -> list[Motion]:
    """Every way in which a block, or what it calls, moves pieces."""
    called = called_rules(walk(block))
    found = [motion(stmt) for body in (block, *(rule.body for rule in called)) for stmt in statements(body)]
    return [moved for moved in found if moved is not None]


def places_read(expressions: Iterable[p.Expr | None]) -> set[p.PlaceDecl]:
    """Every place that these expressions, or the values they call, ask about."""
    nodes = [node for expression in expressions if expression is not None for node in walk(expression)]
    inner = [node for rule in called_rules(nodes) for node in walk_rule(rule)]
    return {node.place for node in (*nodes, *inner) if isinstance(node, p.PlaceRef)}
