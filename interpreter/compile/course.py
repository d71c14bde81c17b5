"""Which rules are the turns and the rounds of a game, read from the text of `play`.

A study that says how long a game takes must use the rulebook's own measure. The language has no word that declares a
turn, but rules are written alike: `in turn p from seat1` calls a rule for `p`, and that call is a turn.

    play
      repeat 4 times
        game_round                      <- rounds: called in a loop, turns happen inside
    phase game_round
      in turn p from opener until ...
        turn(p)                         <- turns: the first call for the player whose pass it is

If nothing goes `in turn`, the phases called for each player of a loop (`for p in turn_order`, `together p in players`)
are the turns, those inside another loop before those that happen once. A game may have neither turns nor rounds in
this sense; then `Course` is empty, and studies say so.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..check import program as p
from ..check.forms import LOOPING, inner
from ..check.value_types import Player, bare
from .meta import Course

_LEVELS = (2, 1, 0)  # `in turn`; a loop over players inside another loop; a loop over players


def course_of(program: p.Program) -> Course:
    play = program.rules.get("play")
    if play is None:
        return Course()
    walk = _Walk()
    walk.block(play.body, looped=False, rounds=())
    level = next((level for level in _LEVELS if walk.turns[level]), None)
    if level is None:
        return Course()
    rounds = dict.fromkeys(path[0] for path in walk.turns[level].values() if path)
    return Course(tuple(walk.turns[level]), tuple(rounds))


class _Walk:
    """Goes from `play` into every rule that is not called for one player, each once in a loop and once outside."""

    def __init__(self) -> None:
        # for each level: turn -> the rules around it that are called in a loop, outermost first
        self.turns: dict[int, dict[str, tuple[str, ...]]] = {level: {} for level in _LEVELS}
        self.seen: set[tuple[str, bool]] = set()

    def block(self, block: p.Block, looped: bool, rounds: tuple[str, ...]) -> None:
        for stmt in block:
            match stmt:
                case p.InTurn(local=local, body=body):
                    self._note(2, body, local, rounds)
                case p.For(binder=p.Binder(local=local), body=body) | p.Together(local=local, body=body):
                    if isinstance(bare(local.type), Player):
                        self._note(1 if looped else 0, body, local, rounds)
                case p.CallRule(rule=rule) if not _takes_player(rule):
                    self._enter(rule, looped, rounds)
                case _:
                    pass
            for one in inner(stmt):
                self.block(one.block, looped or one.runs in LOOPING, rounds)

    def _enter(self, rule: p.RuleDecl, looped: bool, rounds: tuple[str, ...]) -> None:
        # Once inside a loop and once outside: only in a loop is it a round, and the first call met may be the other
        # one.
        if (rule.name, looped) in self.seen:
            return
        self.seen.add((rule.name, looped))
        self.block(rule.body, looped, (*rounds, rule.name) if looped else rounds)

    def _note(self, level: int, body: p.Block, local: p.LocalDecl, rounds: tuple[str, ...]) -> None:
        for rule in _first_calls(body, local):
            if level < 2 and rule.form != "phase":
                continue  # `for p in players: gain_income(p)` is no turn
            self.turns[level].setdefault(rule.name, rounds)


def _takes_player(rule: p.RuleDecl) -> bool:
    return any(isinstance(bare(param.type), Player) for param in rule.params)


def _first_calls(block: p.Block, local: p.LocalDecl) -> list[p.RuleDecl]:
    """The first rule that a block calls for this player; where it branches, the first of every branch."""
    for stmt in block:
        if isinstance(stmt, p.CallRule) and any(_is_local(arg, local) for arg in stmt.args):
            return [stmt.rule]
        found = list(_of_branches(stmt, local))
        if found:
            return found
    return []


def _of_branches(stmt: p.Stmt, local: p.LocalDecl) -> Iterator[p.RuleDecl]:
    for one in inner(stmt):
        yield from _first_calls(one.block, local)


def _is_local(arg: p.Expr, local: p.LocalDecl) -> bool:
    return isinstance(arg, p.LocalVar) and arg.local is local
