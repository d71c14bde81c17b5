"""Blocks, loops and decisions of the slow evaluator, in continuation style (see slow_effects)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from interpreter.check import program as p
from interpreter.check.value_types import NONE, Piece, bare

from . import slow_knowledge
from .slow_effects import Content, Refusal, Rest, RestOfBlock, Step
from .slow_expressions import Env, Methods, Value
from .slow_payment import Payments


class Course(Payments):
    """What the evaluator gives: `ask`, `option`, `reached`, `can_call`, `can_perform`, `combinations`, `distinct`."""

    reached: Callable[[object], None]
    can_call: Callable[..., bool]
    can_perform: Callable[..., bool]
    combinations: Callable[..., list[Env]]
    distinct: Callable[..., list[tuple[tuple[Value, ...], Env]]]
    labeller: Callable[..., Callable[[], str]]
    actors: Methods  # of this class

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls.actors = Methods(cls, "do_")

    def run_block(self, block: p.Block, env: Env, k: Rest, index: int = 0) -> Step:
        # Here and below what follows calls a method with what it needs. A function that named itself would be garbage
        # in a cycle, with all that is to follow, and looking for that takes a third of the time.
        if index == len(block):
            return k()
        statement = block[index]
        act = self.actors[type(statement)]
        return lambda: act(self, statement, env, lambda after: self.run_block(block, after, k, index + 1))

    def in_body(self, body: p.Block | None, inner: Env, env: Env, k: RestOfBlock) -> Step:
        """A block of its own, or the rest of the enclosing one with the names bound."""
        return k(inner) if body is None else self.run_block(body, inner, lambda: k(env))

    # ------------------------------------------------------------------------ plain control

    def do_Let(self, s: p.Let, env: Env, k: RestOfBlock) -> Step:
        return k(env.bind(s.local, self.ev_as(s.value, env, s.local.type)))

    def do_Require(self, s: p.Require, env: Env, k: RestOfBlock) -> Step:
        if not self.holds(s.condition, env):
            raise Refusal(s, s.text.raw if s.text else "not allowed")
        return k(env)

    def do_If(self, s: p.If, env: Env, k: RestOfBlock) -> Step:
        return self.run_block(s.then if self.holds(s.condition, env) else s.otherwise, env, lambda: k(env))

    def do_Stop(self, s: p.Stop, env: Env, k: RestOfBlock) -> Step:
        assert env.stop is not None
        return env.stop()

    def do_Done(self, s: p.Done, env: Env, k: RestOfBlock) -> Step:
        assert env.done is not None
        return env.done(NONE)

    def do_ResultIs(self, s: p.ResultIs, env: Env, k: RestOfBlock) -> Step:
        assert env.done is not None and env.rule is not None
        rule = env.rule.replaces or env.rule
        return env.done(self.ev_as(s.value, env, rule.result or s.value.type))

    def do_Prevent(self, s: p.Prevent, env: Env, k: RestOfBlock) -> Step:
        assert env.prevent is not None
        return env.prevent()

    def do_FirstPossible(self, s: p.FirstPossible, env: Env, k: RestOfBlock) -> Step:
        for statement in s.body:
            match statement:
                case p.CallRule():
                    args = tuple(self.ev_args(statement.args, statement.rule, env))
                    possible = self.can_call(statement.rule, args, env)
                case p.Perform():
                    given = {name: self.ev(value, env) for name, value in statement.given}
                    cell, player = self.ev(statement.cell, env), self.ev(statement.player, env)
                    possible = self.can_perform(cell, player, given, env)
                case _:
                    raise AssertionError(statement)
            if possible:
                return self.run_block((statement,), env, lambda: k(env))
        return k(env)

    # ------------------------------------------------------------------------ loops

    def loop_pass(self, env: Env, leave: Rest, again: Rest, token: object = None) -> tuple[Env, Rest]:
        """The environment of one pass, and what comes at its end. `token` stands for the pass, if it has begun.

        reading: loops are `repeat`, `while`, `for`, `walk`, `in turn`, `together` and `may repeatedly`; the decision of
        `for … ordered by` and of `may repeatedly` is part of the pass. `stop` (and the pass of `may repeatedly`) ends
        the pass as well as the loop.
        """
        token = token or object()

        def ending(rest: Rest) -> Rest:
            def end() -> Step:
                self.reached(token)
                return rest()

            return end

        turn = token if env.own_phase else env.turn
        return env.but(turn=turn, stop=ending(leave)), ending(again)

    def do_Repeat(self, s: p.Repeat, env: Env, k: RestOfBlock) -> Step:
        return self._repeat(s, None if s.times is None else self.ev(s.times, env), 0, env, k)

    def _repeat(self, s: p.Repeat, times: int | None, count: int, env: Env, k: RestOfBlock) -> Step:
        if times is not None and count >= times:
            return k(env)
        inner, end = self.loop_pass(env, lambda: k(env), lambda: self._repeat(s, times, count + 1, env, k))
        return lambda: self.run_block(s.body, inner, end)

    def do_While(self, s: p.While, env: Env, k: RestOfBlock) -> Step:
        return self._while(s, None if s.at_most is None else self.ev(s.at_most, env), 0, env, k)

    def _while(self, s: p.While, at_most: int | None, count: int, env: Env, k: RestOfBlock) -> Step:
        if (at_most is not None and count >= at_most) or not self.holds(s.condition, env):
            return k(env)
        inner, end = self.loop_pass(env, lambda: k(env), lambda: self._while(s, at_most, count + 1, env, k))
        return lambda: self.run_block(s.body, inner, end)

    def do_For(self, s: p.For, env: Env, k: RestOfBlock) -> Step:
        return self._for(s, tuple(self.bound(s.binder, env)), env, k, object())

    def _for(self, s: p.For, left: tuple[Value, ...], env: Env, k: RestOfBlock, token: object) -> Step:
        if not left:
            return k(env)

        def take(item: Value) -> Step:
            at = left.index(item)
            rest = left[:at] + left[at + 1 :]
            inner, end = self.loop_pass(env, lambda: k(env), lambda: self._for(s, rest, env, k, object()), token)
            return self.run_block(s.body, inner.bind(s.binder.local, item), end)

        if s.ordered_by is None or len(left) == 1:
            return lambda: take(left[0])
        options = []
        for values, bound in self.distinct((s.binder,), [env.bind(s.binder.local, item) for item in left]):
            go = lambda item=values[0]: take(item)  # noqa: E731
            options.append(self.option("option", 0, values, go, self.labeller(None, bound, (s.binder,))))
        asking, _ = self.loop_pass(env, lambda: k(env), lambda: k(env), token)
        again: Rest = lambda: self._for(s, left, env, k, token)  # noqa: E731
        return self.ask(s, self.ev(s.ordered_by, env), options, asking, again=again, only_way=True)

    def do_Walk(self, s: p.Walk, env: Env, k: RestOfBlock) -> Step:
        return self._walk(s, 0, env, k)

    def _walk(self, s: p.Walk, index: int, env: Env, k: RestOfBlock) -> Step:
        items = self.ev(s.place, env)
        if index >= len(items):
            return k(env)
        item = items[index]

        def go_on() -> Step:
            now = self.ev(s.place, env)
            return self._walk(s, now.index(item) + 1 if item in now else index, env, k)

        inner, end = self.loop_pass(env, lambda: k(env), go_on)
        return lambda: self.run_block(s.body, inner.bind(s.local, item), end)

    def do_Together(self, s: p.Together, env: Env, k: RestOfBlock) -> Step:
        def one(seat: int, rest: Rest) -> Step:
            inner, end = self.loop_pass(env, rest, rest)
            return self.run_block(s.body, inner.bind(s.local, seat), end)

        return self.each(self.ev(s.source, env), one, lambda: k(env))

    def do_InTurn(self, s: p.InTurn, env: Env, k: RestOfBlock) -> Step:
        start = self.ev(s.start, env)
        return self._turn(s, env, k, start, start, None, False)

    def _turn(
        self, s: p.InTurn, env: Env, k: RestOfBlock, start: int, seat: int, last: int | None, finishing: bool
    ) -> Step:
        """`seat` would be next. reading: `until` is asked after the skipped seats are left out, with p bound; once it
        has held it is not asked again. With nobody left to have a pass the loop ends without a last round."""
        seats = self._round_from(seat)
        following = next((q for q in seats if self._takes_part(s, q, env)), None)
        if following is None:
            return k(env)
        if not finishing and s.until is not None and self.holds(s.until, env.bind(s.local, following)):
            if s.last_round is None:
                return k(env)
            if s.last_round == "each_once_more":
                order = self._round_from(following)
                final = order if last is None else order[: order.index(last) + 1]
                return self._last_passes(s, env, k, final)
            finishing = True
        if finishing and start in seats[: seats.index(following) + 1]:
            return k(env)
        return self._pass_of(
            s,
            following,
            env,
            k,
            lambda: self._turn(s, env, k, start, (following + 1) % self.program.players, following, finishing),
        )

    def _round_from(self, seat: int) -> list[int]:
        return [(seat + step) % self.program.players for step in range(self.program.players)]

    def _takes_part(self, s: p.InTurn, seat: int, env: Env) -> bool:
        if seat in self.state.out:
            return False
        return s.skipping is None or not self.holds(s.skipping, env.bind(s.local, seat))

    def _pass_of(self, s: p.InTurn, seat: int, env: Env, k: RestOfBlock, again: Rest) -> Step:
        inner, end = self.loop_pass(env, lambda: k(env), again)
        return lambda: self.run_block(s.body, inner.bind(s.local, seat), end)

    def _last_passes(self, s: p.InTurn, env: Env, k: RestOfBlock, seats: list[int]) -> Step:
        if not seats:
            return k(env)

        def go_on() -> Step:
            return self._last_passes(s, env, k, seats[1:])

        if not self._takes_part(s, seats[0], env):
            return go_on
        return self._pass_of(s, seats[0], env, k, go_on)

    # ------------------------------------------------------------------------ decisions

    def do_Choose(self, s: p.Choose, env: Env, k: RestOfBlock) -> Step:
        options = []
        for values, inner in self.distinct(s.binders, self.combinations(s.binders, env)):
            go = lambda inner=inner: self.in_body(s.body, inner, env, k)  # noqa: E731
            options.append(self.option("option", 0, values, go, self.labeller(None, inner, s.binders)))
        nothing = (lambda: k(env)) if s.if_possible else None
        again = lambda: self.do_Choose(s, env, k)  # noqa: E731
        return self.ask(s, self.ev(s.player, env), options, env, nothing=nothing, again=again)

    def branch_options(self, branch: p.BranchDecl, number: int, env: Env, k: Rest) -> list[Any]:
        envs = [inner for inner in self.combinations(branch.binders, env) if self.holds(branch.condition, inner)]
        options = []
        for values, inner in self.distinct(branch.binders, envs):
            go = lambda inner=inner: self.run_block(branch.body, inner, k)  # noqa: E731
            label = self.labeller(branch.label, inner, branch.binders)
            options.append(self.option("option", number, values, go, label))
        return options

    def do_ChooseOne(self, s: p.ChooseOne, env: Env, k: RestOfBlock) -> Step:
        options: list[Any] = []
        fallback: list[Any] = []
        for number, branch in enumerate(s.branches):
            found = self.branch_options(branch, number, env, lambda: k(env))
            (fallback if branch.otherwise else options).extend(found)
        again = lambda: self.do_ChooseOne(s, env, k)  # noqa: E731
        return self.ask(s, self.ev(s.player, env), options, env, fallback=fallback, again=again)

    def do_May(self, s: p.May, env: Env, k: RestOfBlock) -> Step:
        return self._may(s, env, k, object())

    def _may(self, s: p.May, env: Env, k: RestOfBlock, token: object) -> Step:
        """`token` stands for the pass of a repeated one. reading: after a free action it is the same pass still."""
        asking = env
        taken: Rest = lambda: k(env)  # noqa: E731
        leave: Rest = lambda: self.run_block(s.otherwise, env, lambda: k(env))  # noqa: E731
        if s.repeatedly:
            _, leave = self.loop_pass(env, leave, leave, token)
            asking, taken = self.loop_pass(env, taken, lambda: self.do_May(s, env, k), token)
        options = self.branch_options(s.branch, 0, asking, taken)
        options.append(self.option("pass", 0, (), leave))
        again: Rest = lambda: self._may(s, env, k, token)  # noqa: E731
        return self.ask(s, self.ev(s.player, env), options, asking, again=again, passes_alone=True)

    def do_ChooseSet(self, s: p.ChooseSet, env: Env, k: RestOfBlock) -> Step:
        """reading: what may be chosen is worked out once, before the first pick; free actions stand beside the first
        pick only, and after one the whole choice begins anew. The set is complete without asking when it has as many
        as it may have."""
        items = tuple(self.bound(s.binder, env))
        low = 0 if s.low is None else self.ev(s.low, env)
        high = len(items) if s.high is None else self.ev(s.high, env)
        return self._add(s, items, (low, high), (), env, k)

    def _add(
        self, s: p.ChooseSet, left: tuple[Value, ...], limits: tuple[int, int], chosen: tuple[Value, ...], env: Env,
        k: RestOfBlock,
    ) -> Step:  # fmt: skip
        inner = env.bind(s.chosen, chosen)
        fits = len(chosen) >= limits[0] and self.holds(s.such_that, inner)
        finish: Rest = lambda: self.in_body(s.body, inner, env, k)  # noqa: E731
        nothing = (lambda: k(env)) if s.if_possible and not chosen else None
        if len(chosen) >= limits[1]:
            if fits:
                return finish
            if nothing is not None:
                return nothing
            raise Refusal(s, "these cannot be chosen together")
        options = []
        for values, bound in self.distinct((s.binder,), [env.bind(s.binder.local, item) for item in left]):
            rest = left[left.index(values[0]) + 1 :]
            go = lambda rest=rest, item=values[0]: self._add(s, rest, limits, (*chosen, item), env, k)  # noqa: E731
            options.append(self.option("option", 0, values, go, self.labeller(None, bound, (s.binder,))))
        if fits:
            options.append(self.option("enough", 0, (), finish))
        again = None if chosen else lambda: self.do_ChooseSet(s, env, k)
        return self.ask(s, self.ev(s.player, env), options, env, nothing=nothing, again=again)

    def do_Pick(self, s: p.Pick, env: Env, k: RestOfBlock) -> Step:
        items = self.bound(s.binder, env)
        if s.preferring:
            items = self._preferred(s, items, env)
        if not items:
            if s.if_possible:
                return k(env)
            raise Refusal(s, "nothing to pick")
        if s.at_random:
            self.chance()
            if isinstance(bare(s.binder.local.type), Piece):
                slow_knowledge.picked_from(self, items)
            item = items[self.state.below(len(items))]
        else:
            item = items[0]
        return self.in_body(s.body, env.bind(s.binder.local, item), env, k)

    def _preferred(self, s: p.Pick, items: list[Value], env: Env) -> list[Value]:
        for condition in s.preferring:
            found = [item for item in items if self.holds(condition, env.bind(s.binder.local, item))]
            if found:
                return found
        return []

    def do_Pause(self, s: p.Pause, env: Env, k: RestOfBlock) -> Step:
        if self.trial is not None:
            raise Content
        # reading: nothing bars going on, whatever comes: a free action may still make it possible.
        go_on = self.option("option", 0, (), lambda: k(env), self.labeller(s.text, env, ()))
        return self.ask(
            s, self.ev(s.player, env), [go_on], env, again=lambda: self.do_Pause(s, env, k), unfiltered=True
        )

    def do_AnyOrder(self, s: p.AnyOrder, env: Env, k: RestOfBlock) -> Step:
        return self._any_order(s, tuple(range(len(s.branches))), env, k)

    def _any_order(self, s: p.AnyOrder, left: tuple[int, ...], env: Env, k: RestOfBlock) -> Step:
        """reading: conditions are asked each time; the statement is over when no branch that is left has an option."""
        options = []
        for number in left:
            rest = tuple(other for other in left if other != number)
            go_on: Rest = lambda rest=rest: self._any_order(s, rest, env, k)  # noqa: E731
            options += self.branch_options(s.branches[number], number, env, go_on)
        if not options:
            return k(env)
        again: Rest = lambda: self._any_order(s, left, env, k)  # noqa: E731
        return self.ask(s, self.ev(s.player, env), options, env, again=again, only_way=True)
