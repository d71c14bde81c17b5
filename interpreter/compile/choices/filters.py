"""Leaves only the options that can be carried through.

There are three ways, the cheapest first. If what follows is foreseen by a plain condition, it stands beside each option
as that is added. If the foreseen answer is a call, the list is made first and the routine is asked of its options one
by one, which lets a playout ask only about the one it draws. What stays unsure is tried on a copy of the game.

    choose c in market           pay c.price coins    # a condition: `coins >= c.price` beside each c
    choose c in market           build(p, c)          # a call: `can_build(p, c)`, asked of the list
    choose c in market           draw 1 from deck to p.hand; use(p, c)
                                                      # unsure: the hand is another one by then, so c is tried

A yes that is wrong offers a move that is refused in the middle. A no that is wrong takes a legal move away, and nobody
ever notices. So everything here gives up in the same direction: where it cannot be sure it says "unsure", and a trial
decides. `site.trial` says why trials remain; it is empty exactly if none is left, and then the runtime makes no copies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ...check import program as core
from ...check.program import Block
from ...check.value_types import Number, bare
from ...diagnostics.source import Span
from .. import ir
from ..analysis import FOLLOWING, Analysis
from ..chosen_sets import summed_over
from ..ir import INDEX, Op, Site
from ..lowering import Lowering
from ..meta import PASS
from .answers import ALWAYS, UNSURE, YES, Foreseen, Road, as_op, called, calls_out, replace_inside
from .foresight import Foresight
from .offers import PLAYING, piece_at

UNTOLD = "its conditions cannot tell in every case"
CALLERS = "what its callers have still to do may be refused"

Tried = tuple[int, tuple[core.Binder, ...], Block, Block]  # a branch: number, binders, what is known, body


@dataclass(frozen=True)
class Filtered:
    """What an analysis says of a question. `tried`: the branches for which an answer may be foreseen. Options of all
    other branches are tried, as are those for which the answer is unsure. `callers`: what its callers have still to do
    may be refused. `passes`: nothing in the rule itself can refuse passing."""

    analysis: Analysis
    tried: list[Tried]
    callers: bool
    passes: bool = False


def add_filter(low: Lowering, site: Site, player: core.Expr, said: Callable[[Analysis], Filtered]) -> None:
    """Leaves only the options that can be carried through."""
    filtered = said(low.unit.analysis)
    site.callers = filtered.callers
    answers = _Answers(low, site, filtered)
    # Two or three fixed options are not worth a list to filter afterwards.
    few = len(site.branches) <= 3 and not any(branch.values for branch in site.branches)
    at_once = answers.all_told and (few or all(_is_quick(low, answer) for _, answer in answers.made.values()))
    # `counting` knows more (see `Analysis.by_counting`). It is asked only about options that are listed first and
    # tested afterwards: tested at once, other options would be left in the list from which playouts draw, and the same
    # seed would play another game.
    if not at_once and low.unit.counting is not low.unit.analysis:
        filtered = said(low.unit.counting)
        site.callers = filtered.callers
        answers = _Answers(low, site, filtered)
    answers.say_why(site)
    if at_once:
        _test_at_once(low, site, player, [(pair[0][0], pair[1]) for pair in answers.made.values()])
    else:
        _test_listed(low, site, player, answers, filtered.passes)


class _Answers:
    """What can be foreseen of the branches of a question."""

    def __init__(self, low: Lowering, site: Site, said: Filtered) -> None:
        self.doubts: list[Span] = []
        self.made = {
            branch[0]: (branch, _branch_routine(low, site.number, branch, self.doubts, said.analysis))
            for branch in said.tried
        }
        # Passing is an option too, and what follows the statement may refuse it: `p may "Swap"` before a `requires`.
        self.all_told = self.made.keys() | ({PASS} if said.passes else set()) >= set(site.trial_branches)

    def say_why(self, site: Site) -> None:
        """Notes why options are still tried, if they are."""
        told = [answer for _, answer in self.made.values() if answer is not None]
        # If every answer is exact, no option of this site is ever tried, and `trial` (the reason for it) is cleared.
        exact = self.all_told and len(told) == len(self.made) and all(answer.exact for answer in told)
        if exact and not site.callers:
            site.trial = ""
        # Where only callers are left to ask, their rest cannot be foreseen here: the same rule is called from many
        # places.
        elif self.all_told and told:
            site.trial = CALLERS if exact else _untold(self.doubts)


def _test_listed(low: Lowering, site: Site, player: core.Expr, answers: _Answers, passes: bool) -> None:
    """Tests the options once all are listed, those that are unsure by trial."""
    answered = [(branch, answer) for branch, answer in answers.made.values() if answer]
    low.exactly |= {branch[0] for branch, answer in answered if answer.exact}
    low.approved |= {branch[0]: called(answer) for branch, answer in answered}
    tests = [ir.OptionTest(branch[0], *_called(low, site, branch, answer)) for branch, answer in answered]
    if passes:
        tests.append(ir.OptionTest(PASS, "", ()))
    low.add(ir.Only(PLAYING, [ir.Filter(site.number, low.x.lower(player), tuple(tests))]))


def try_all(low: Lowering, site: Site, branches: tuple[int, ...], player: core.Expr) -> None:
    """Leaves only the options that can be carried through, where those of these branches are all tried."""
    site.trial, site.trial_branches = FOLLOWING, branches
    low.add(ir.Only(PLAYING, [ir.Filter(site.number, low.x.lower(player), ())]))


def _untold(doubts: list[Span]) -> str:
    """Why options are tried, with the lines that leave it open."""
    lines = dict.fromkeys(f"{span.source.name.rsplit('/', 1)[-1]}:{span.line}" for span in doubts if span.source.text)
    return f"{UNTOLD} ({', '.join(lines)})" if lines else UNTOLD


def _is_quick(low: Lowering, answer: Foreseen | None) -> bool:
    """True for a plain condition: cheap enough to test for every option, however many there are."""
    if answer is None:
        return False
    body = low.unit.routines[answer.name].body if answer.name else []
    match body:
        case []:
            return True
        case [ir.Return(value=value)]:
            return not calls_out(value)
    return False


def _test_at_once(low: Lowering, site: Site, player: core.Expr, answers: list[tuple[int, Foreseen | None]]) -> None:
    """Tests each option where it is added. Unsure ones are added too, and noted in a second list that is tried at the
    end of the question."""
    unsure = False
    for number, answer in answers:
        condition = UNSURE if answer is None else as_op(low.unit.routines, answer)
        low.approved[number] = condition
        low.exactly |= {number} if answer is not None and answer.exact else set()
        if condition is YES:  # the options are added as they are, without a test
            continue
        exact = answer is not None and answer.exact
        unsure = unsure or not exact
        _test_options(low.question, number, condition, exact)
    # The list of unsure options begins empty in front of the loops that fill it.
    if unsure:
        low.question.insert(0, ir.Only(PLAYING, [ir.BeginUnsure()]))
    # Even an exact answer speaks of this rule alone. What its callers have still to do is found out by trying.
    if unsure or site.callers:
        low.add(ir.Only(PLAYING, [ir.TryUnsure(site.number, low.x.lower(player), unsure, site.callers)]))


def _called(low: Lowering, site: Site, branch: Tried, answer: Foreseen) -> tuple[str, tuple[Op, ...]]:
    """The routine that tests an option, and its arguments: locals of the rule, or values taken out of the option. A
    routine that only passes its arguments on to another is skipped."""
    name, params = answer.name, answer.params
    # `choose c in market` / `buy(p, c)` makes `can_4_0(p, c): return can_buy(p, c)`. Asked for every option, the call
    # in between would cost as much as the answer.
    match low.unit.routines[name].body if name else []:
        case [ir.Return(value=ir.CallValue() as call)]:
            given = [arg.name for arg in call.args if isinstance(arg, ir.Local)]
            if len(given) == len(call.args):
                name, params = call.routine, tuple(given)
    values = {
        low.name(binder.local): piece_at(low, binder, ir.OptionValue(site.number, branch[0], position, type=INDEX))
        for position, binder in enumerate(branch[1])
    }
    return name, tuple(values.get(one) or ir.Local(one, type=INDEX) for one in params)


def _test_options(body: ir.Block, branch: int, condition: Op, exact: bool) -> None:
    """Puts the condition before each option of that branch. A trial skips the condition and tries every option: it
    finds out by itself, and its refusal is the reason that is shown to players."""

    def tested(ins: ir.Ins) -> ir.Block | None:
        if not isinstance(ins, ir.Option) or ins.branch != branch:
            return None
        if exact:
            # The passes for each way later settle `OnTrial`, so that only one side of the `or` is left.
            return [ir.If(ir.Or(ir.OnTrial(), condition), [ins], span=ins.span)]
        unsure = ir.UnsureOption(ins.site, ins.branch, ins.names, span=ins.span)
        told = unsure if condition is UNSURE else ir.IfAnswer(condition, [ins], [unsure], span=ins.span)
        return [ir.Only(("trial",), [ins], span=ins.span), ir.Only(PLAYING, [told], span=ins.span)]

    replace_inside(body, tested)


def _branch_routine(low: Lowering, site: int, tried: Tried, doubts: list[Span], analysis: Analysis) -> Foreseen | None:
    """What answers for an option of the branch; None if only a trial can. An option is there only if the conditions
    that its branch begins with hold: they need not be asked again, unless that tells more. What cannot be told in every
    case is added to `doubts`."""
    number, _, before, body = tried
    if not analysis.block_refuses(body, before):
        return ALWAYS
    name = f"can_{site}_{number}"
    # The options have passed the opening conditions, so it is enough to ask about what comes behind them.
    behind = Foresight(low.unit, low.rule, Road(), analysis).behind_opening(f"{name}_behind", body, before)
    if behind is not None and behind.exact:
        return behind
    foresight = Foresight(low.unit, low.rule, Road(), analysis)
    whole = foresight.routine(name, body, before)
    if foresight.doubt is not None and not foresight.exact:
        doubts.append(foresight.doubt)
    return behind if whole is None or (behind is not None and not whole.exact) else whole


def add_payment_filter(low: Lowering, site: Site, stmt: core.Pay, player: Op) -> None:
    """Leaves the ways of paying after which what follows is still possible. If what follows does not look at what is
    paid with, one answer holds for all ways."""
    # `pay 2 mana` / `requires count(p.gems) >= 1`, with gems among the ways to pay mana: whoever pays with the last gem
    # is refused, so that way of paying must not be offered. Paid from mana alone, one answer serves all ways.
    analysis = low.unit.counting
    site.callers = id(stmt) in analysis.tails
    following = low.following
    made: Foreseen | None = None
    if id(stmt) not in analysis.own_tails and not analysis.hooks_refuse(stmt):
        made = ALWAYS
        if analysis.block_refuses(following, (stmt,)):
            road = Road(low.unit.footprints.writes((stmt,)), may_end=not low.unit.footprints.certain((stmt,)))
            name = f"can_{site.number}_0"
            made = Foresight(low.unit, low.rule, road, analysis).routine(name, following, (stmt,))
    if made is not None and made.exact and not site.callers:
        site.trial = ""
    tests: tuple[ir.OptionTest, ...] = ()
    if made is not None:
        tests = (ir.OptionTest(0, made.name, tuple(ir.Local(name, type=INDEX) for name in made.params)),)
    low.add(ir.Only(PLAYING, [ir.Filter(site.number, player, tests)]))


def add_set_filter(low: Lowering, site: Site, stmt: core.ChooseSet) -> None:
    """Leaves the picks that can be part of a set with which what follows goes through. A pick is sure if the set may
    end with it and what follows works. If it does not work, a larger set still may (three cards pay what one cannot),
    unless all that stands in the way is a price that grows with every pick."""
    analysis = low.unit.analysis
    after, own = (analysis.tails, analysis.own_tails) if stmt.body is None else (analysis.rests, analysis.own_rests)
    body = low.following if stmt.body is None else stmt.body
    site.callers = id(stmt) in after
    made: Foreseen | None = None
    # With a smallest number or a condition on the whole set, a pick that fails now may be needed for a set that passes:
    # only a trial, which picks on, can tell.
    if id(stmt) not in own and stmt.low is None and stmt.such_that is None:
        made = ALWAYS
        if low.unit.analysis.block_refuses(body):
            made = Foresight(low.unit, low.rule, Road()).routine(f"can_{site.number}_0", body, (stmt,))
    if made is None:
        low.add(ir.Only(PLAYING, [ir.Filter(site.number, low.x.lower(stmt.player), ())]))
        return
    chosen = low.name(stmt.chosen)
    args = tuple(ir.ChosenSet(type=INDEX) if name == chosen else ir.Local(name, type=INDEX) for name in made.params)
    grows = _price_grows(low, stmt, body)
    so_far = ir.Local(chosen, type=stmt.chosen.type)
    # Only then is a no final: with a growing price no larger set can succeed where this one fails.
    if made.exact and grows and not site.callers:
        site.trial = ""
    test = ir.OptionTest(0, made.name, args, so_far, grows)
    low.add(ir.Only(PLAYING, [ir.Filter(site.number, low.x.lower(stmt.player), (test,))]))


def _price_grows(low: Lowering, stmt: core.ChooseSet, body: Block) -> bool:
    """True if a price is all that can be refused, and no pick ever lowers it: `pay sum(c.price for c in chosen) coins`
    with prices from 0 on. A price of -1, a discount, would make a set affordable that was not."""
    if not body or not isinstance(body[0], core.Pay) or low.unit.analysis.block_refuses(body[1:], body[:1]):
        return False
    prices = [summed_over(cost.amount, stmt.chosen) for cost in body[0].costs]
    types = [None if price is None else bare(price.type) for price in prices]
    return all(isinstance(each, Number) and each.low >= 0 for each in types)
