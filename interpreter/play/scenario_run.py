"""Runs one scenario, line by line: given a state, when these choices are made, then these facts hold.

The game stops at every decision, even one with a single option. A scenario may mention such a decision or leave it out,
so it is taken only when a later line needs it. A `then` holds if all its lines hold in the state that was reached, or
in a later one to which only decisions with a single option lead. Chance is scripted ahead: a `chance` line stands
before the choice that causes the event, and the game does not start to run until a line needs it to. Otherwise it
might roll dice in its first rule before the line that says how they fall.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ..runtime.faults import Fault
from ..syntax import nodes
from .contract import Decision, Option
from .scenario_choices import BY_ITSELF, passing_option, picked_option
from .scenario_expectations import require_all
from .stage import Stage, Theatre
from .state_changes import state_changes
from .verdicts import Failed, failed_with

_MOST_FIRST_OPTIONS = 1_000
_MOST_SINGLE = 200  # how many decisions with a single option are skipped in a row


def run_scenario(scenario: nodes.Scenario, theatre: Theatre) -> Any:
    """Raises Failed at the first line that fails; returns the state in which the scenario ends."""
    run: _Run | None = None
    try:
        run = _Run(scenario, theatre)
        run.run()
        return run.stage.state
    except Fault as fault:
        failed = failed_with(fault.diagnostic, scenario.span)
        raise run.with_course(failed) if run is not None else failed from fault
    except Failed as failed:
        if run is not None:
            run.with_course(failed)
        raise


class _Run:
    def __init__(self, scenario: nodes.Scenario, theatre: Theatre) -> None:
        self.scenario = scenario
        self.stage: Stage = theatre.stage(scenario)
        self._runs = False
        self._given: Any = None  # the state before anything ran

    def with_course(self, failed: Failed) -> Failed:
        """The failure, plus the rules that are running and what has changed since the given state."""
        state = self.stage.state
        if self._given is not None:
            running = tuple(dict.fromkeys(self.stage.game.running_rules(state)))
            asked = self._asked() if failed.failure.kind == "expectation" else ""
            changes = tuple(state_changes(self._given, state))
            failed.failure = replace(failed.failure, path=running, asked=asked, changes=changes)
        return failed

    def _asked(self) -> str:
        """Who is asked what, if the game waits for a choice that the scenario does not make: a payment, for example."""
        decision: Decision | None = None if self.stage.state.over else self.stage.state.decision
        if decision is None or len(decision.options) < 2:
            return ""
        prompt = f": {decision.prompt}" if decision.prompt else ""
        return f"for {self.stage.seat_name(decision.player)}{prompt} ({len(decision.options)} options)"

    def run(self) -> None:
        for part in self.scenario.parts:
            match part:
                case nodes.Given():
                    self.stage.given(part)
                case nodes.When():
                    for step in part.steps:
                        self._step(step)
                case nodes.Then():
                    self._expect(part)
                case _:
                    raise AssertionError(part)
        self._ensure_running()
        self.stage.require_script_used(self.scenario.span)

    def _ensure_running(self) -> None:
        if not self._runs:
            self._runs = True
            self._given = self.stage.state.clone()
            self.stage.mark()
            self.stage.run(self.scenario.span)

    # ------------------------------------------------------------------------ when

    def _step(self, step: nodes.Step) -> None:
        match step:
            case nodes.Chance():
                self.stage.script(step)
            case nodes.Choice():
                self._ensure_running()
                self._decide(step, lambda decision: picked_option(self.stage, decision, step))
            case nodes.Hurry(how="passes"):
                self._ensure_running()
                self._decide(step, lambda decision: passing_option(decision, step, self._has_may()))
            case nodes.Hurry():
                self._ensure_running()
                self._play_on(step)
            case _:
                raise AssertionError(step)

    def _decide(self, step: nodes.Choice | nodes.Hurry, pick: Callable[[Decision], Option]) -> None:
        """Answers the decision that the step means; decisions with a single option before it are skipped."""
        player = self.stage.seat(step.player)
        first: Failed | None = None
        for _ in range(_MOST_SINGLE):
            decision = self._decision(step, first)
            if decision.player == player:
                try:
                    option = pick(decision)
                except Failed as failed:
                    first = first or failed  # perhaps a later decision is meant; if not, the first failure tells most
                else:
                    self.stage.state.apply(option)
                    return
            if len(decision.options) != 1:
                raise first or self._not_the_turn(step, decision)
            self.stage.state.apply(decision.options[0])
        raise first or self._not_the_turn(step, self._decision(step, None))

    def _decision(self, step: nodes.Step, earlier: Failed | None) -> Decision:
        if self.stage.state.over:
            raise earlier or Failed("turn", "the game is over, nobody decides any more", step.span)
        decision: Decision = self.stage.state.decision
        return decision

    def _not_the_turn(self, step: nodes.Choice | nodes.Hurry, decision: Decision) -> Failed:
        name = self.stage.seat_name(decision.player)
        options = ", ".join(f"“{option}”" for option in list(decision.options)[:8])
        wanted = step.player.span.text
        is_pass = isinstance(step, nodes.Hurry) and step.how == "passes" and self._has_may()
        message = f"{name} is to decide, not {wanted}{BY_ITSELF if is_pass else ''}"
        return Failed("turn", message, step.span, f"a decision of {wanted}", options)

    def _has_may(self) -> bool:
        return any(site.may_pass for site in self.stage.state.meta.sites)

    def _play_on(self, step: nodes.Hurry) -> None:
        """`plays on`: takes first options until another seat decides."""
        player = self.stage.seat(step.player)
        while self._decision(step, None).player != player:
            decision = self._decision(step, None)
            if len(decision.options) != 1:
                raise self._not_the_turn(step, decision)
            self.stage.state.apply(decision.options[0])
        for _ in range(_MOST_FIRST_OPTIONS):
            state = self.stage.state
            if state.over or state.decision.player != player:
                return
            state.apply(state.decision.options[0])
        who = step.player.span.text
        raise Failed("turn", f"{who} still decides after {_MOST_FIRST_OPTIONS} first options", step.span)

    # ------------------------------------------------------------------------ then

    def _expect(self, then: nodes.Then) -> None:
        self._ensure_running()
        failures: list[Failed] = []
        # Look ahead on copies: the scenario itself stays where it is, since its next line may name the very decision
        # that is skipped here.
        ahead, happened = self.stage, len(self.stage.theatre.happened)
        while True:
            try:
                require_all(ahead, then.expectations)
                self.stage.mark(ahead)
                del self.stage.theatre.happened[happened:]  # it will happen again, in the scenario itself
                return
            except Failed as failed:
                failures.append(failed)
            is_last = ahead.state.over or len(ahead.state.decision.options) != 1 or len(failures) > _MOST_SINGLE
            if is_last or then.at_this_moment:
                raise self._most_telling(then, failures)
            ahead = ahead.on(ahead.state.clone())
            ahead.state.apply(ahead.state.decision.options[0])

    def _most_telling(self, then: nodes.Then, failures: list[Failed]) -> Failed:
        """The failure in the state in which the most lines held; of equal ones, the earliest."""
        # Lines are checked in order and the first that fails is reported, so a later line means that more lines held.
        order = {id(expectation.span): number for number, expectation in enumerate(then.expectations)}
        return max(failures, key=lambda failed: order.get(id(failed.failure.span), -1))
