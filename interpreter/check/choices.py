"""Decisions: `choose`, `choose one`, `may`, `in any order`, `pause`; and `pick`, which the game decides.

What the `where` of a choice says still holds right after the choice: only the names it binds are new. Everything else
that was known about the state is forgotten, because a free action may run while the player decides.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ..diagnostics.source import Span
from ..syntax import nodes
from . import program as p
from .calls import arguments, rule_named
from .declare_types import domain_of
from .declared import RuleSource
from .dispatch import Made, condition, does, number, player
from .expressions import binder, narrowed
from .facts import KnownFacts
from .narrowing import assume, falls_through
from .scope import Body, Broken
from .statements import look_inside, own_block, statements
from .texts import call_label, maybe_template, template
from .value_types import Flag, Number, SetOf, bare


def _chooser(body: Body, who: nodes.Expr | None, node: nodes.Node, verb: str) -> p.Expr:
    return body.speaker(node.span, verb) if who is None else player(body, who, "who decides")


def _decided(body: Body, binders: tuple[p.Binder, ...], *conditions: p.Expr | None) -> None:
    """A decision is made: forget what may have changed meanwhile, and learn what holds for the chosen option."""
    body.facts.forget(body.world.steady)
    for test in (*(made.where for made in binders), *conditions):
        if test is not None:
            assume(body, test)


def _refuse_too_many(body: Body, binders: tuple[p.Binder, ...], span: Span) -> None:
    """Reports too many combinations: each needs a number of its own, below 2^31."""
    codes = 1
    for made in binders:
        inner = bare(made.local.type)
        domain = domain_of(body.declared, inner)
        codes *= inner.high - inner.low + 1 if isinstance(inner, Number) else len(domain or (0,))
    if codes >= 1 << 31:
        what = f"there are {codes} combinations here, more than can be numbered"
        help = "choose them one after the other, or narrow their ranges"
        raise body.fail("R0473", what, span, "too many things at once", help=help)


Choosing = TypeVar("Choosing", nodes.Choose, nodes.ChooseSet, nodes.Pick)


def _with_rest(make: Callable[[Body, Choosing], p.Choose | p.ChooseSet | p.Pick]) -> Callable[[Body, Choosing], Made]:
    """What is chosen is known in the block below the line, or in the rest of the block if there is none below it."""

    def made_with_rest(body: Body, node: Choosing) -> Made:
        if node.if_possible and node.body is None:
            what, label = "`if possible` needs a block for what happens then", "nothing may be bound after this line"
            raise body.fail("R0461", what, node.span, label, help="indent what follows")
        if node.body is None:
            return make(body, node)
        with body.block() as way:
            made = make(body, node)
            # With `if possible` the block may be left out, and then what follows is reached after all.
            way.leaves = not node.if_possible and not falls_through(made.body or ())
        return made

    return made_with_rest


def _rest(body: Body, block: nodes.Block | None) -> p.Block | None:
    return None if block is None else statements(body, block)


@does(nodes.Choose)
@_with_rest
def choose(body: Body, node: nodes.Choose) -> p.Choose:
    who = _chooser(body, node.player, node, "choose")
    text = maybe_template(body, node.text)
    binders = tuple(binder(body, item) for item in node.binders)
    _refuse_too_many(body, binders, node.span)
    _decided(body, binders)
    return p.Choose(node.span, who, binders, node.secretly, text, node.if_possible, _rest(body, node.body))


@does(nodes.ChooseSet)
@_with_rest
def choose_set(body: Body, node: nodes.ChooseSet) -> p.ChooseSet:
    who = _chooser(body, node.player, node, "choose")
    text = maybe_template(body, node.text)
    low = None if node.low is None else number(body, node.low, "how many at least")
    high = None if node.high is None else number(body, node.high, "how many at most")
    with body.block():
        made = binder(body, node.binder)
        of = narrowed(body, made)
    chosen = body.bind(node.alias, SetOf(of))
    with body.perhaps_never():
        such_that = None if node.such_that is None else condition(body, node.such_that)
    _decided(body, (), such_that)
    rest = _rest(body, node.body)
    if node.quantity == "exactly":
        low = high = low or high
    return p.ChooseSet(node.span, who, low, high, made, chosen, such_that, node.secretly, text, node.if_possible, rest)


# ---------------------------------------------------------------------------- choose one, may


@does(nodes.ChooseOne)
def choose_one(body: Body, node: nodes.ChooseOne) -> Made:
    who = _chooser(body, node.player, node, "choose")
    text = maybe_template(body, node.text)
    begin = body.facts.known
    branches = [made for item in node.branches if (made := _branch_or_none(body, item, begin)) is not None]
    if body.rule is not None and body.timing is None:
        for source_of in body.world.also.get(body.rule.name, ()):
            branches.extend(_added(body, source_of))
    body.facts.forget(body.world.steady)
    return p.ChooseOne(node.span, who, text, tuple(branches))


def _branch_or_none(
    body: Body, node: nodes.BranchNode, begin: KnownFacts | None = None, when: nodes.Expr | None = None
) -> p.BranchDecl | None:
    """A branch; None if it has a finding. `begin`: see `Facts.block`."""
    try:
        with body.block(begin) as way:
            made = _branch(body, node, when)
            way.leaves = not falls_through(made.body)
            return made
    except Broken:
        if isinstance(node, nodes.Branch):
            look_inside(body, nodes.AnyOrder(node.span, None, (node,)))
        return None


def _branch(body: Body, node: nodes.BranchNode, when: nodes.Expr | None) -> p.BranchDecl:
    with body.perhaps_never():
        first = None if when is None else condition(body, when)
    if first is not None:
        assume(body, first)
    if isinstance(node, nodes.CallBranch):
        return _call_branch(body, node, first)
    assert isinstance(node, nodes.Branch)
    binders = tuple(binder(body, item) for item in node.binders)
    _refuse_too_many(body, binders, node.span)
    test = None if node.condition is None else condition(body, node.condition)
    if test is not None:
        assume(body, test)
    label = template(body, node.label)
    _decided(body, binders, first, test)
    block = statements(body, node.body)
    both = first or test
    if first is not None and test is not None:
        both = p.Logic(Flag(), test.span, "and", first, test)
    return p.BranchDecl(label, binders, both, block, node.otherwise, False, node.cited, node.span)


def _call_branch(body: Body, node: nodes.CallBranch, when: p.Expr | None) -> p.BranchDecl:
    """A line that calls an action or a labelled effect."""
    rule, args = rule_named(body, node.call, "a line of `choose one`")
    text = getattr(rule.node, "text", None)
    if rule.rule.form != "action" and not (rule.rule.form == "effect" and text is not None):
        why = "has no text to offer" if rule.rule.form == "effect" else f"is a {rule.rule.form}"
        what = f"`{rule.rule.name}` {why}"
        help = f'give it a text, or write `"…"` and call `{rule.rule.name}` below it'
        raise body.fail("R0462", what, node.call.span, "an action or an effect with a text is expected", help=help)
    with body.perhaps_never():
        made = arguments(body, rule.rule, rule.defaults, args, node.call.span)
    label = call_label(body, rule.rule, text, made, node.span)
    block = (p.CallRule(node.span, rule.rule, made, False),)
    body.facts.forget(None)  # as any call
    return p.BranchDecl(label, (), when, block, False, True, node.cited, node.span)


def _added(body: Body, source_of: RuleSource) -> list[p.BranchDecl]:
    """The options that `also in` adds. They see only the parameters of the rule, under the names in their pattern."""
    node = source_of.node
    assert isinstance(node, nodes.AlsoIn) and body.rule is not None
    with body.block():
        names = node.path.called or ()
        # The lines come from another layer, whose author has seen the signature of the rule and not its locals.
        body.names, body.places_of_names = {}, {}
        body.facts.known = {}
        for name, param in zip(names, body.rule.params, strict=False):
            body.put_in_scope(name, p.LocalVar(param.type, name.span, param))
        made = [_branch_or_none(body, item, {}, node.when) for item in node.branches]
    return [branch for branch in made if branch is not None]


@does(nodes.May)
def may(body: Body, node: nodes.May) -> Made:
    who = _chooser(body, node.player, node, "may")
    branch = nodes.Branch(node.span, node.label, node.binders, node.condition, node.body, False, cites=node.cites)
    begin = body.facts.known
    body.loops += node.repeatedly
    try:
        with body.block() as way:
            # The second time round, whatever the first pass has written may have changed.
            if node.repeatedly:
                body.facts.forget(None)
            made = _branch(body, branch, None)
            way.leaves = not falls_through(made.body)
    finally:
        body.loops -= node.repeatedly
    body.facts.forget(body.world.steady)
    # Whoever passes has done nothing of the branch, so `else` begins with what was known before it.
    passed = body.facts.kept(begin, body.world.steady)
    otherwise = own_block(body, node.otherwise or (), None if node.repeatedly else passed)
    return p.May(node.span, who, node.repeatedly, made, otherwise)


@does(nodes.AnyOrder)
def any_order(body: Body, node: nodes.AnyOrder) -> Made:
    who = _chooser(body, node.player, node, "choose")
    body.facts.forget(None)
    branches = [made for item in node.branches if (made := _branch_or_none(body, item)) is not None]
    for item, made in zip(node.branches, branches, strict=False):
        if made.binders:
            what = "a line of `in any order` stands for one thing"
            raise body.fail("R0465", what, item.span, "binds names", help="choose inside it")
    return p.AnyOrder(node.span, who, tuple(branches))


@does(nodes.Pause)
def pause(body: Body, node: nodes.Pause) -> Made:
    who = _chooser(body, node.player, node, "pause")
    return p.Pause(node.span, who, template(body, node.text))


@does(nodes.Pick)
@_with_rest
def pick(body: Body, node: nodes.Pick) -> p.Pick:
    made = binder(body, node.binder)
    with body.perhaps_never():
        preferring = tuple(None if item is None else condition(body, item) for item in node.preferring)
    return p.Pick(node.span, made, node.at_random, preferring, node.if_possible, _rest(body, node.body))
