"""`rulewright show NAME guards`: the decisions whose options are tried on a copy of the game, what makes that
necessary, and what an author can do about it.

The compiler knows that something behind the choice may be refused. Which line that is, is looked for here in the rules:
the first statements behind the choice, in its branches and in the rules they call, that can be refused. A line that
depends on nothing which changes on the way is foreseen, so what is left here is worth a look.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..check import program as core
from ..check.forms import blocks
from ..check.value_types import Maybe
from ..compile.analysis import Analysis
from ..compile.footprint import Footprints
from ..compile.found_again import found_again
from ..play.why import statement_at
from ..study.text_table import aligned

if TYPE_CHECKING:
    from ..compile.meta import SiteMeta
    from ..runtime.game import Game

_MOST_LINES = 3  # that are named for one decision
_DEEPEST = 3  # rules that call rules

Refusing = tuple[core.Stmt, str]


def guards_text(game: Game) -> str:
    sites = game.meta.sites
    tried = [site for site in sites if site.trial]
    head = f"{len(tried)} of {len(sites)} decisions need look-ahead; the others are exact by their conditions."
    if not tried:
        return head
    rows = [["rule", "place", "prompt", "tried", "why"]]
    notes: list[str] = []
    analysis = Analysis(game.program)
    analysis = analysis.by_counting(found_again(game.program, Footprints(analysis)))
    for site in tried:
        prompt = game.meta.texts[site.prompt][0] if site.prompt is not None else site.kind
        count, of = len(site.trial_branches), len(site.branches)
        rows.append([site.rule, _at(site), prompt, "all" if count >= of else f"{count} of {of}", site.trial])
        notes += _notes(game.program, analysis, site)
    return "\n".join([head, "", *aligned(rows), *(["", *notes] if notes else [])])


def _at(site: SiteMeta) -> str:
    return ":".join(map(str, site.place[:2]))


def _notes(program: core.Program, analysis: Analysis, site: SiteMeta) -> list[str]:
    """The lines that may refuse what is chosen, each with the cure."""
    statement = statement_at(program, site.place)
    if statement is None:
        return []
    found: dict[tuple[str, int], Refusing] = {}
    ways = _ways(program, statement, site.trial_branches)
    every = [one for known, way in ways for one in _refusing(analysis, known, way, _DEEPEST)]
    foreseen = {id(stmt) for _, way in ways for stmt in _first_of(way, _DEEPEST)}
    # What comes first behind the choice is asked beforehand, unless nothing else is left to be the reason.
    for stmt, cure in [one for one in every if id(one[0]) not in foreseen] or every:
        found.setdefault((stmt.span.source.name, stmt.span.line), (stmt, cure))
    lines = [f"{_at(site)} may be refused by"]
    for stmt, cure in list(found.values())[:_MOST_LINES]:
        words = " ".join(stmt.span.source.line_text(stmt.span.line).split("  @")[0].split())
        lines += [f"  line {stmt.span.line}: {words}", f"    {cure}"]
    return lines if len(lines) > 1 else []


def _ways(
    program: core.Program, choice: core.Stmt, tried: tuple[int, ...]
) -> list[tuple[tuple[core.Stmt, ...], list[core.Stmt]]]:
    """What is carried out after a choice, for each branch that is tried: what its options have passed, as requirements,
    and its block with what stands behind the choice, further and further out."""
    after = next((way for rule in program.all_rules() if (way := _way_to(rule.body, choice)) is not None), [])
    if isinstance(choice, core.ChooseOne):
        branches = [branch for number, branch in enumerate(choice.branches) if number in tried]
        return [(_passed(branch.binders, branch.condition), [*branch.body, *after]) for branch in branches]
    if isinstance(choice, core.May):
        return [(_passed(choice.branch.binders, choice.branch.condition), [*choice.branch.body, *after])]
    binders = choice.binders if isinstance(choice, core.Choose) else ()
    return [(_passed(binders, None), [*(stmt for block in blocks(choice) for stmt in block), *after])]


def _passed(binders: tuple[core.Binder, ...], condition: core.Expr | None) -> tuple[core.Stmt, ...]:
    asked = [binder.where for binder in binders] + [condition]
    return tuple(core.Require(one.span, one, None) for one in asked if one is not None)


def _first_of(way: list[core.Stmt], depth: int) -> Iterator[core.Stmt]:
    """The costs and requirements with which a way begins, before anything has changed."""
    for stmt in way:
        if isinstance(stmt, core.CallRule) and not stmt.if_possible and depth:
            yield from _first_of(list(stmt.rule.body), depth - 1)
            return
        if not isinstance(stmt, core.Let | core.Require | core.Pay):
            return
        yield stmt
        if isinstance(stmt, core.Pay):
            return


def _way_to(block: core.Block, choice: core.Stmt) -> list[core.Stmt] | None:
    """The statements of a rule behind the choice, those of the innermost block first; None if it is not in there."""
    for number, stmt in enumerate(block):
        if stmt is choice:
            return list(block[number + 1 :])
        for inner in blocks(stmt):
            way = _way_to(inner, choice)
            if way is not None:
                return way + list(block[number + 1 :])
    return None


# A pass that `if possible` skips would change nothing, and the loop might never end.
_IN_WHILE = (
    "let the loop ask whether there is something to choose: `while … is not empty and …`, or `while some x in S has C`"
    " with the S and the C of the choice"
)


def _refusing(
    analysis: Analysis, known: tuple[core.Stmt, ...], block: list[core.Stmt], depth: int, in_while: bool = False
) -> Iterator[Refusing]:
    """The statements that may be refused, in order, with what would spare the look ahead. `known` is required before
    the block."""
    for position, stmt in enumerate(block):
        if not analysis.stmt_refuses(stmt, (*known, *block[:position])):
            continue
        cure = _IN_WHILE if in_while and isinstance(stmt, core.Choose | core.ChooseSet) else _cure(stmt)
        if cure is not None:
            yield stmt, cure
        elif isinstance(stmt, core.CallRule) and not stmt.if_possible and depth:
            yield from _refusing(analysis, (), list(stmt.rule.body), depth - 1)
        asked = (core.Require(stmt.span, stmt.condition, None),) if isinstance(stmt, core.While | core.If) else ()
        for inner in blocks(stmt):
            holds = asked if isinstance(stmt, core.While) or inner is getattr(stmt, "then", None) else ()
            yield from _refusing(analysis, holds, list(inner), depth, isinstance(stmt, core.While))


def _cure(stmt: core.Stmt) -> str | None:
    match stmt:
        case core.Require():
            return "foreseen if it reads only what was so at the choice: move it up, or say it in the choice's `where`"
        case core.Pay():
            return "foreseen if neither the cost nor what pays for it changes before: let the payment come first"
        case core.Lose(up_to=False):
            return "foreseen if the counter does not change before; `lose up to` is never refused"
        case core.Draw(up_to=False):
            return "`draw up to` is never refused"
        case core.MovePiece(piece=piece) if isinstance(piece.type, Maybe):
            return "refused if there is none to move: ask in the choice's `where` whether it is there"
        case core.MovePiece(to=core.Destination(place=core.PlaceRef(place=place))) if place.limited:
            return "refused if the place is full: ask in the choice's `where` whether there is room"
        case core.MoveSome(quantity="exactly"):
            return "`move up to` is never refused"
        case core.Choose(if_possible=False) | core.ChooseSet(if_possible=False):
            return "`if possible` skips it when there is nothing; or let the first choice ask for it in its `where`"
        case core.ChooseOne():
            return (
                "a branch without `if`, or an `otherwise`, is always there; or let the first choice ask in its `where`"
            )
        case core.Pick(if_possible=False):
            return "`if possible` skips it when there is nothing to take"
        case core.Perform(if_possible=False):
            return "`if possible` skips what cannot be performed"
    return None
