"""Scores and ranks: named lines of pure numbers, and the order in which seats are compared."""

from __future__ import annotations

from ..syntax import nodes
from .declared import Declared
from .dispatch import condition, number
from .narrowing import assume
from .program import Expr, RankDecl, ScoreBlock, ScoreLineDecl
from .scope import Body, Broken, World
from .set_expressions import measure
from .text import template
from .value_types import Player


def scores(world: World, declared: Declared) -> tuple[ScoreBlock, ...]:
    """All score blocks, in order; the lines of all of them are added up."""
    found = []
    for placed in declared.gathered.declarations:
        if isinstance(placed.declaration, nodes.Score):
            found.append(_block(world, placed.declaration))
    return tuple(found)


def _block(world: World, node: nodes.Score) -> ScoreBlock:
    body = Body(world, None, "score")
    player = body.bind(node.player, Player())
    when: Expr | None = None
    if node.when is not None:
        try:
            when = condition(body, node.when)
            assume(body, when)
        except Broken:
            pass
    lines = []
    for line in node.lines:
        try:
            with body.block():
                value = number(body, line.value, "a score")
                cites = tuple(cite.text for cite in line.cites)
                lines.append(ScoreLineDecl(template(body, line.label), value, cites, line.span))
        except Broken:
            continue
    return ScoreBlock(player, when, tuple(lines), tuple(body.locals))


def rank(world: World, declared: Declared) -> RankDecl | None:
    """The `rank` of the game, if it declares one."""
    for placed in declared.gathered.declarations:
        if isinstance(placed.declaration, nodes.Rank):
            return _rank(world, placed.declaration)
    return None


def _rank(world: World, node: nodes.Rank) -> RankDecl:
    body = Body(world, None, "value")
    player = body.bind(node.player, Player())
    criteria: list[tuple[str, Expr | None]] = []
    shared = False
    for item in node.criteria:
        if item.direction == "shared":
            shared = True
            continue
        try:
            criteria.append((_direction(item.direction), _criterion(body, item)))
        except Broken:
            continue
    return RankDecl(player, tuple(criteria), shared, tuple(body.locals), node.span)


def _direction(word: str) -> str:
    return "highest" if word in ("highest", "most") else "lowest"


def _criterion(body: Body, item: nodes.Criterion) -> Expr | None:
    assert item.value is not None
    if isinstance(item.value, nodes.NameRef) and item.value.name == "score":
        body.declared.uses.add(item.value.span, "word", "score")
        return None
    with body.block():
        return measure(body, item.value)
