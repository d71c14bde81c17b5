"""Loops: `for`, `walk`, `repeat`, `while`, `in turn`, `together`.

A later pass sees what an earlier pass has written, so whatever was known about what the loop writes is forgotten where
it begins: a fact that holds on the first pass may be wrong on the second.
"""

from __future__ import annotations

from ..syntax import nodes
from . import program as p
from .dispatch import Made, condition, does, number, place, player, source
from .expressions import bound, source_for
from .facts import key_of
from .narrowing import assume, assume_filled
from .scope import Body
from .set_expressions import joined
from .statements import statements
from .steady import written_in_loop
from .tables import first_line
from .texts import maybe_template
from .type_rules import in_words
from .value_types import Piece, PlaceOf, Player, SetOf, VType

MOST_LOOPS = 20  # inside one another: Python compiles no more


def _loop_body(
    body: Body, node: nodes.For | nodes.Walk | nodes.Repeat | nodes.While | nodes.InTurn | nodes.Together
) -> p.Block:
    if body.loops == MOST_LOOPS:
        what = f"more than {MOST_LOOPS} loops stand inside one another"
        help = "make a rule of the inner ones, or name several things in one: `some x in S, y in T has …`"
        raise body.fail("R0102", what, first_line(node.span), help=help)
    body.loops += 1
    try:
        return statements(body, node.body)
    finally:
        body.loops -= 1


@does(nodes.For)
def for_each(body: Body, node: nodes.For) -> Made:
    ordered_by = None if node.ordered_by is None else player(body, node.ordered_by, "whoever says the order")
    over, of = _sources(body, node)
    with body.block():
        # Somebody who says the order decides before each pass, and a free action may come between.
        body.facts.forget(None if ordered_by else written_in_loop(body.declared, body.world.hooked, node.body))
        made = bound(body, node.name, over, of, node.where, node.order, node)
        if isinstance(over, p.LocalVar):  # a named set never changes, so it holds something in every pass
            assume_filled(body, over)
        return p.For(node.span, made, ordered_by, _loop_body(body, node))


def _sources(body: Body, node: nodes.For) -> tuple[p.Expr, VType]:
    if len(node.sources) == 1:
        return source_for(body, node.name, node.sources[0])
    over = joined(body, node.sources, None, node.sources[0])
    # A list without repetition loses what stands in it twice: `for p in a, b, b, a` is a draft order and means four
    # passes.
    keys = [key_of(item) for item in over.items if not isinstance(item.type, SetOf | PlaceOf)]
    if len(set(keys)) < len(keys):
        over = p.SetList(over.type, over.span, over.items, repeats=True)
    assert isinstance(over.type, SetOf)
    return over, over.type.of


@does(nodes.Walk)
def walk_along(body: Body, node: nodes.Walk) -> Made:
    over = place(body, node.place, "what is walked along")
    if not isinstance(over, p.PlaceRef) or over.place.shape != "row":
        what = f"{in_words(over.type)} is no row"
        help = f"`for {node.name.text} in {node.place.span.text}` goes over what lies there when it begins"
        raise body.fail("R0470", what, node.place.span, "only a row is walked along", help=help)
    with body.block():
        body.facts.forget(None)
        local = body.bind(node.name, Piece(over.place.kinds))
        return p.Walk(node.span, local, over, _loop_body(body, node))


@does(nodes.Repeat)
def repeat(body: Body, node: nodes.Repeat) -> Made:
    times = None if node.times is None else number(body, node.times, "how often")
    with body.block():
        body.facts.forget(written_in_loop(body.declared, body.world.hooked, node.body))
        return p.Repeat(node.span, times, _loop_body(body, node))


@does(nodes.While)
def while_true(body: Body, node: nodes.While) -> Made:
    at_most = None if node.at_most is None else number(body, node.at_most, "how often at most")
    with body.block():
        body.facts.forget(written_in_loop(body.declared, body.world.hooked, node.body))
        test = condition(body, node.condition)
        assume(body, test)
        return p.While(node.span, test, at_most, _loop_body(body, node))


@does(nodes.InTurn)
def in_turn(body: Body, node: nodes.InTurn) -> Made:
    start = player(body, node.start, "who begins")
    with body.block():
        body.facts.forget(None)
        local = body.bind(node.name, Player())
        skipping = None if node.skipping is None else condition(body, node.skipping)
        until = None if node.until is None else condition(body, node.until)
        with body.speaking_to(p.LocalVar(Player(), node.name.span, local)):
            block = _loop_body(body, node)
    return p.InTurn(node.span, local, start, skipping, until, node.last_round, block)


def _chosen_source(node: nodes.Together) -> nodes.Expr:
    """Who chooses is settled before anybody does, so a `where` picks them out of the source beforehand."""
    if node.where is None:
        return node.source
    binder = nodes.Binder(node.source.span, node.name, node.source, node.where, None)
    return nodes.Selection(node.source.span, "all", binder, None, None)


@does(nodes.Together)
def together(body: Body, node: nodes.Together) -> Made:
    over, of = source(body, _chosen_source(node), Player())
    if not isinstance(of, Player):
        what = f"`together` is for players, not for {in_words(of)}"
        raise body.fail("R0430", what, node.source.span, "players are expected")
    with body.block():
        body.facts.forget(None)
        local = body.bind(node.name, Player())
        text = maybe_template(body, node.text)
        with body.speaking_to(p.LocalVar(Player(), node.name.span, local)):
            block = _loop_body(body, node)
    return p.Together(node.span, local, over, text, block)
