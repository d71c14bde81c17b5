"""Locals that name a closed piece by the spot where it lies, while nothing can make anybody lose sight of it.

    for c in first of p.hand           a closed row
      plant(p, c)                      asks where, and lays c openly

What a rule at work holds of a closed place, worlds work out again by running the rules from the decision before
(`runtime/steps.py`): it may be another card there. Which one it is here all players know, if only by its spot, and
whatever a world calls the card at that spot, the rule has it too. So these locals are no secret, and need no step.
Without that a game that plays off closed rows, one card at every turn, would have a step for each turn.

It must be certain that the card stays where it is until the rule is done with it. So the loop (or the rule, for a
`let`), with all that it calls, may move nothing but such pieces and those of open places, to no bag; nothing is
shuffled, shown, passed on or picked there, and no piece of a closed place chosen.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from . import program as p
from .value_types import Maybe, Piece, bare
from .walk import called_rules, walk, walk_rule

_HARMLESS = (
    p.Let, p.SetField, p.CallRule, p.Require, p.Gain, p.Lose, p.If, p.For, p.Walk, p.Repeat, p.While, p.Choose,
    p.ChooseOne, p.May,
    p.Stop, p.Done, p.ResultIs, p.Say, p.Pause, p.Wins, p.Loses, p.EndGame,
)  # fmt: skip
Region = tuple[p.Node, ...]


def steady_locals(program: p.Program) -> set[p.LocalDecl]:
    """Those of the locals with something unseen that name a piece by its spot."""
    found = {local for local in program.unseen_locals if isinstance(bare(local.type), Piece)}
    if not found or any(rule.form == "free" for rule in program.all_rules()) or program.move_hooks:
        return set()
    before = 0
    while len(found) != before:  # a parameter is steady only if all that it is called with is
        before = len(found)
        bound = dict.fromkeys(found, True)
        for rule in program.all_rules():
            _bind(program, rule, bound)
        found = {local for local, is_steady in bound.items() if is_steady}
    return found


def _bind(program: p.Program, rule: p.RuleDecl, bound: dict[p.LocalDecl, bool]) -> None:
    """Notes what is bound in this rule otherwise than by a spot, or where the piece may get out of sight."""
    inside = list(walk_rule(rule))
    of_loops = {id(one.binder) for one in inside if isinstance(one, p.For)}
    for node in inside:
        match node:
            case p.For(binder=p.Binder(local=local, source=source), body=body) if local in bound:
                bound[local] &= _is_spot(program, source) and _is_quiet(walk(body), bound)
            case p.Let(local=local, value=value) if local in bound:
                bound[local] &= _is_spot(program, value) and _is_quiet(inside, bound)
            case p.CallRule(rule=called, args=args, result=result):
                _bind_parameters(program, called, args, bound)
                if result in bound:
                    bound[result] = False
            case p.For() | p.Let() | p.LocalVar():
                pass
            case p.Binder() if id(node) in of_loops:
                pass
            case _:
                for part in vars(node).values():
                    if isinstance(part, p.LocalDecl) and part in bound:
                        bound[part] = False


def _bind_parameters(
    program: p.Program, called: p.RuleDecl, args: Iterable[p.Expr], bound: dict[p.LocalDecl, bool]
) -> None:
    for param, arg in zip(called.params, args, strict=False):
        if param in bound:
            is_known = not any(isinstance(one, p.LocalVar) and one.local in program.unseen_locals for one in walk(arg))
            is_steady = isinstance(arg, p.LocalVar) and (bound.get(arg.local, False) or is_known)
            bound[param] &= is_steady


def _is_spot(program: p.Program, value: p.Expr) -> bool:
    """`first of p.hand`, a closed row of somebody whom all know."""
    match value:
        case p.SetList(items=(one,)):
            return _is_spot(program, one)
        case p.EndOf(of=p.PlaceRef() as place) | p.SlotPiece(place=place) if place.place.is_ordered:
            return all(_is_known_to_all(program, part) for part in walk(place) if part is not place)
    return False


def _is_known_to_all(program: p.Program, part: p.Node) -> bool:
    return isinstance(part, p.Const) or (isinstance(part, p.LocalVar) and part.local not in program.unseen_locals)


def _is_quiet(nodes: Iterable[p.Node], bound: dict[p.LocalDecl, bool]) -> bool:
    """Whether nobody can lose sight of a piece there but by its leaving a spot."""
    inside = list(nodes)
    for called in called_rules(inside):
        inside += walk_rule(called)
    return all(_keeps_sight(node, bound) for node in inside if isinstance(node, p.Stmt))


def _keeps_sight(stmt: p.Stmt, bound: dict[p.LocalDecl, bool]) -> bool:
    match stmt:
        case p.MovePiece(piece=p.LocalVar(local=local), to=to):
            return bound.get(local, False) and _is_no_bag(to)
        case p.MovePiece(piece=p.EndOf(of=p.PlaceRef(place=place)), to=to):
            return place.is_ordered and _is_no_bag(to)
        case p.MoveSome(binder=binder, to=to) | p.MoveEach(binder=binder, to=to):
            return _is_open(binder.source) and _is_no_bag(to)
        case p.Draw(source=source, to=to):
            return source.place.is_ordered and _is_no_bag(to)
        case p.Choose() | p.ChooseOne() | p.May():
            return all(map(_chooses_openly, _binders(stmt)))
    return isinstance(stmt, _HARMLESS)


def _binders(stmt: p.Choose | p.ChooseOne | p.May) -> Iterator[p.Binder]:
    match stmt:
        case p.Choose():
            yield from stmt.binders
        case p.ChooseOne():
            for branch in stmt.branches:
                yield from branch.binders
        case p.May():
            yield from stmt.branch.binders


def _chooses_openly(binder: p.Binder) -> bool:
    kind = binder.local.type.of if isinstance(binder.local.type, Maybe) else binder.local.type
    return not isinstance(bare(kind), Piece) or _is_open(binder.source)


def _is_open(source: p.Expr) -> bool:
    return isinstance(source, p.PlaceRef) and source.place.visibility == "open"


def _is_no_bag(to: p.Destination) -> bool:
    """Whether the piece goes to an end of a place, or lies there in no order, and not among those of a bag."""
    return isinstance(to.place, p.PlaceRef) and to.place.place.shape != "bag" and to.position != "after"
