"""A slow, obvious evaluator of the checked program, to run in lock step with compiled games.

It walks the program in continuation style: what follows a statement is a function, environments are never changed,
and everything that changes is in one `SlowState`. So a point of the game can be gone on from twice: a look ahead
copies the state, takes an option, and sees whether a `Refusal` or `Content` comes out; then it puts the state back.

    game = SlowGame(program)
    decision = game.start(seed=7)
    while decision is not None:
        decision = game.choose(0)           # an index into decision.options
    game.scores(), game.ranking()

Where the language reference is silent, a comment headed `reading:` says what is done here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import product
from typing import Any

from interpreter.check import program as p
from interpreter.check.value_types import NONE, Piece, Player, bare

from .slow_course import Course
from .slow_effects import Content, Refusal, Rest, RestOfBlock, Step
from .slow_ends import Ends
from .slow_expressions import Env, Frame, SlowFault, Value, cell_args
from .slow_state import SlowState, Table

PHASES = ("phase", "setup", "play")
OVER = "over"


@dataclass(frozen=True)
class SlowOption:
    """kind: option pass enough free. `branch` is the line of the site (of a free action: its place among them)."""

    kind: str
    branch: int
    values: tuple[Value, ...]
    go: Rest
    label: Callable[[], str] | None = None

    @property
    def key(self) -> tuple[str, int, tuple[Value, ...]]:
        return self.kind, self.branch, self.values


@dataclass(frozen=True)
class SlowDecision:
    player: int
    site: Any
    options: tuple[SlowOption, ...]
    prompt: str | None
    path: tuple[str, ...]

    @property
    def keys(self) -> list[tuple[str, int, tuple[Value, ...]]]:
        return [option.key for option in self.options]


@dataclass(frozen=True)
class Trial:
    """Whose look ahead it is, and the phase and pass at whose end it is content."""

    player: int | None
    ends: tuple[object, ...]


class OutOfWork(Exception):
    """The evaluator has taken as many steps as it was allowed."""


class SlowGame(Course, Ends):
    """One game. `auto`: a decision with one option is taken by itself."""

    def __init__(self, program: p.Program, auto: bool = True) -> None:
        self.program = program
        self.auto = auto
        self.table = Table(program)
        self.trial: Trial | None = None
        self.budget = 0
        self.steps = 0
        self.work = 0  # steps of all games and trials so far: how long this has taken, the same on every machine
        self.allowed: int | None = None
        self.decision: SlowDecision | None = None
        self.history: list[tuple[str, int, tuple[Value, ...]]] = []

    # ------------------------------------------------------------------------ from outside

    def start(self, seed: int) -> SlowDecision | None:
        self.state: SlowState = self.table.new_state(seed)
        self.history = []
        env = Env(None, None, {})
        return self._go(lambda: self._run("setup", env, lambda: self._run("play", env, self._end)))

    def choose(self, index: int) -> SlowDecision | None:
        assert self.decision is not None
        option = self.decision.options[index]
        self.history.append(option.key)
        self.state.watched.clear()
        return self._go(option.go)

    def _run(self, name: str, env: Env, k: Rest) -> Step:
        if name not in self.program.rules:
            return k()
        return self.call(self.program.rules[name], (), env, lambda _: k())

    def _end(self) -> Step:
        self.state.over = True
        return OVER

    def _go(self, step: Step) -> SlowDecision | None:
        self.steps = 0
        try:
            found = self.run(step)
        except Refusal as refusal:
            raise SlowFault(f"dead end: {refusal} at {self._place(refusal.statement)}") from refusal
        self.decision = found if isinstance(found, SlowDecision) else None
        return self.decision

    def _place(self, statement: object) -> str:
        span = getattr(statement, "span", None)
        return span.at if span is not None else "?"

    def run(self, step: Step) -> Any:
        """Steps until somebody is asked or the game is over."""
        while callable(step):
            self.steps += 1
            self.work += 1
            if self.allowed is not None and self.work > self.allowed:
                raise OutOfWork
            if self.trial is None and self.steps > 50 * self.program.limits.steps:
                raise SlowFault("too many steps")
            if self.trial is not None:
                self.budget -= 1
                if self.budget < 0:
                    raise Content
            step = step()
        return step

    # ------------------------------------------------------------------------ calls and hooks

    def call(self, rule: p.RuleDecl, args: tuple[Value, ...], env: Env, k: Callable[[Value], Step]) -> Step:
        """A rule with everything woven round it.

        reading: a rule begins with setting back its fields (of all owners), then come the `before` hooks; it ends
        after its `after` hooks; all that time it is running. A prevented rule gives no result.
        """
        if env.frame is not None and env.frame.depth >= self.program.limits.frames:
            raise SlowFault("too many frames")
        if rule.depth is not None and sum(frame.rule is rule for frame in env.frame or ()) >= rule.depth:
            raise SlowFault(f"{rule.name} runs inside itself more than {rule.depth} times")
        self._set_back(rule.resets)
        if rule.lasting:
            given, k = k, lambda result: self._ends(rule, result, given)
        inner = env.but(frame=Frame(rule, args, None, env.frame))
        if rule.form in PHASES:
            token = object()
            inner = inner.but(phase=token, turn=None)
            return self._before(rule, args, inner, 0, lambda result: self._phase_ends(token, result, k))
        return self._before(rule, args, inner, 0, k)

    def _set_back(self, fields: tuple[p.FieldDecl, ...]) -> None:
        for field in fields:
            for cell in self.table.field_cells(field):
                self.state.fields[cell] = field.start

    def _ends(self, rule: p.RuleDecl, result: Value, k: Callable[[Value], Step]) -> Step:
        """reading: what lasted as long as the rule goes back when it has ended, and its `after` hooks too."""
        self._set_back(rule.lasting)
        return k(result)

    def _phase_ends(self, token: object, result: Value, k: Callable[[Value], Step]) -> Step:
        self.reached(token)
        return k(result)

    def reached(self, token: object) -> None:
        """The end of a phase, or of a pass through its innermost loop."""
        if self.trial is not None and token in self.trial.ends:
            raise Content

    def _before(
        self, rule: p.RuleDecl, args: tuple[Value, ...], env: Env, index: int, k: Callable[[Value], Step]
    ) -> Step:
        if index == len(rule.before):
            return self._instead(rule, 0, args, env, lambda result: self._after(rule, args, env, 0, lambda: k(result)))
        hook = rule.before[index]

        def go_on() -> Step:
            return self._before(rule, args, env, index + 1, k)

        inner = self._hook_env(hook, args, env)
        if not self.holds(hook.when, inner):
            return go_on
        inner = inner.but(done=lambda _: go_on(), prevent=lambda: k(NONE))
        return self.run_block(hook.body, inner, go_on)

    def _hook_env(self, hook: p.RuleDecl, args: tuple[Value, ...], env: Env) -> Env:
        locals_ = {param.number: arg for param, arg in zip(hook.params, args, strict=False)}
        return Env(hook, Frame(hook, args, None, env.frame), locals_, env.phase, env.turn, args=args)

    def _instead(
        self, rule: p.RuleDecl, index: int, args: tuple[Value, ...], env: Env, k: Callable[[Value], Step]
    ) -> Step:
        """The first hook whose condition holds, from `index` on, or the rule itself.

        reading: what stands in for a phase counts as that phase: its own loops bound the look ahead.
        """
        for number in range(index, len(rule.instead)):
            hook = rule.instead[number]
            inner = self._hook_env(hook, args, env)
            if self.holds(hook.when, inner):
                inner = inner.but(
                    own_phase=rule.form in PHASES,
                    done=k,
                    previous=lambda given, then, at=number + 1: self._instead(rule, at, given, env, then),
                )
                return self.run_block(hook.body, inner, lambda: k(NONE))
        locals_ = {param.number: arg for param, arg in zip(rule.params, args, strict=True)}
        inner = Env(rule, env.frame, locals_, env.phase, env.turn, rule.form in PHASES, done=k, args=args)
        return self.run_block(rule.body, inner, lambda: k(NONE))

    def _after(self, rule: p.RuleDecl, args: tuple[Value, ...], env: Env, index: int, k: Rest) -> Step:
        hooks = rule.after[index:]
        return self.each(hooks, lambda hook, rest: self.run_hook(hook, args, env, rest), k)

    def do_CallRule(self, s: p.CallRule, env: Env, k: RestOfBlock) -> Step:
        args = tuple(self.ev_args(s.args, s.rule, env))
        if s.if_possible and not self.can_call(s.rule, args, env):
            return k(env)
        return self.call(s.rule, args, env, lambda result: k(_named(s.result, result, env)))

    def do_CallPrevious(self, s: p.CallPrevious, env: Env, k: RestOfBlock) -> Step:
        assert env.previous is not None
        args = env.args if s.args is None else tuple(self.ev(arg, env) for arg in s.args)
        return env.previous(args, lambda result: k(_named(s.result, result, env)))

    def do_Perform(self, s: p.Perform, env: Env, k: RestOfBlock) -> Step:
        cell, player = self.ev(s.cell, env), self.ev(s.player, env)
        given = {name: self.ev(value, env) for name, value in s.given}
        if s.if_possible and not self.can_perform(cell, player, given, env):
            return k(env)
        return self.perform(s, cell, player, given, env, lambda: k(env))

    def perform(self, s: object, cell: int, player: int, given: dict[str, Value], env: Env, k: Rest) -> Step:
        if cell == NONE:
            raise Refusal(s, "nothing to perform")
        if self.cell_runs(cell, env):
            raise Refusal(s, "it is running")
        inner = env.but(frame=Frame(None, (player,), cell, env.frame))
        return self.each(
            self.program.cells[cell].calls,
            lambda call, rest: self.call(call.rule, cell_args(call, player, given), inner, lambda _: rest()),
            k,
        )

    # ------------------------------------------------------------------------ looking ahead

    def looks_good(self, player: int | None, ends: tuple[object, ...], step: Rest) -> bool:
        """Whether a step, taken on a copy, can be carried through.

        reading: a fault met in a look ahead does not hide the option; taking it shows the fault. When the budget runs
        out the option is offered.
        """
        kept, outer, known = self.state, self.trial, self.known
        self.work += len(self.state.fields) + len(self.state.contents)  # which are copied
        if outer is None:
            self.budget = 20 * self.program.limits.trial_steps
        self.state, self.trial, self.known = kept.copy(), Trial(player, ends), None
        try:
            self.run(step)
        except Refusal:
            return False
        except (Content, SlowFault):
            return True
        finally:
            self.state, self.trial, self.known = kept, outer, known
        return True

    def can_call(self, rule: p.RuleDecl, args: tuple[Value, ...], env: Env) -> bool:
        """reading: who looks ahead is the first player among the arguments; else whoever is looking already."""
        seats = [arg for arg, param in zip(args, rule.params, strict=True) if isinstance(param.type, Player)]
        player = seats[0] if seats else self.trial.player if self.trial is not None else None
        return self.looks_good(player, (), lambda: self.call(rule, args, env, _content))

    def can_perform(self, cell: int, player: int, given: dict[str, Value], env: Env) -> bool:
        return self.looks_good(player, (), lambda: self.perform(None, cell, player, given, env, lambda: _content(None)))

    def ev_CanCall(self, e: p.CanCall, env: Env) -> int:
        return int(self.can_call(e.rule, tuple(self.ev_args(e.args, e.rule, env)), env))

    def ev_CanPerform(self, e: p.CanPerform, env: Env) -> int:
        return int(self.can_perform(self.ev(e.cell, env), self.ev(e.player, env), {}, env))

    def is_offered(self, player: int, option: SlowOption, env: Env) -> bool:
        return self.looks_good(player, _ends(env), option.go)

    # ------------------------------------------------------------------------ asking

    def option(
        self,
        kind: str,
        branch: int,
        values: tuple[Value, ...],
        go: Rest,
        label: Callable[[], str] | None = None,
    ) -> SlowOption:
        return SlowOption(kind, branch, values, go, label)

    def ask(
        self,
        site: Any,
        player: int,
        options: list[SlowOption],
        env: Env,
        *,
        fallback: list[SlowOption] | None = None,
        nothing: Rest | None = None,
        again: Rest | None = None,
        passes_alone: bool = False,
        only_way: bool = False,
        unfiltered: bool = False,
    ) -> Step:
        """One decision. `fallback`: offered only if nothing else is. `nothing`: what to do if nothing is offered
        (`if possible`). `again`: asks the same anew, after a free action. `passes_alone`: pass without asking.
        `only_way`: one way is no question (which of one thing comes next, how to pay in the only way), nor a moment for
        free actions. `unfiltered`: offered whatever comes."""
        if self.trial is not None:
            return self._ask_in_trial(site, player, options, env, fallback or [], nothing)
        if len(options) > self.program.limits.options:
            raise SlowFault("too many options")
        offered = [option for option in options if unfiltered or self.is_offered(player, option, env)]
        if not offered:
            offered = [option for option in fallback or [] if self.is_offered(player, option, env)]
        if not offered and nothing is not None:
            return nothing
        if not offered:
            raise Refusal(site, "nothing can be chosen")
        if only_way and len(offered) == 1:
            return offered[0].go
        offered += self._free_options(player, env, again)
        if len(offered) == 1 and (self.auto or (passes_alone and offered[0].kind == "pass")):
            return offered[0].go
        automa = next((a for a in self.program.automas if a.seat == player), None)
        if automa is not None:
            if len(offered) > 1 and not automa.first_options:
                raise SlowFault(f"{automa.name} is asked")
            return offered[0].go
        return SlowDecision(player, site, tuple(offered), self.prompt(site, env), self.path(env))

    def _ask_in_trial(
        self,
        site: Any,
        player: int,
        options: list[SlowOption],
        env: Env,
        fallback: list[SlowOption],
        nothing: Rest | None,
    ) -> Step:
        """One's own decision: go on with each in turn. Another's must have an option (reading: one that would be
        offered, by that seat's own look ahead). reading: free actions do not help a look ahead."""
        assert self.trial is not None
        mine = player == self.trial.player
        ends = self.trial.ends if mine else _ends(env)
        if any(self.looks_good(player, ends, option.go) for option in options):
            raise Content
        if (fallback or nothing) and not (mine and any(self.is_offered(player, o, env) for o in options)):
            if nothing is not None:
                return nothing
            if any(self.looks_good(player, ends, option.go) for option in fallback):
                raise Content
        raise Refusal(site, "nothing can be chosen")

    def _free_options(self, player: int, env: Env, again: Rest | None) -> list[SlowOption]:
        if again is None:
            return []
        offered = []
        for number, rule in enumerate(self.program.free_actions):
            args = self._free_args(rule, player, env)
            if args is not None:
                go = self._free_step(rule, args, env, again)
                label = self.labeller(rule.text, Env(rule, None, dict(enumerate(args))), rule.name)
                option = SlowOption("free", number, args[1:], go, label)
                if self.is_offered(player, option, env):
                    offered.append(option)
        return offered

    def _free_step(self, rule: p.RuleDecl, args: tuple[Value, ...], env: Env, again: Rest) -> Rest:
        return lambda: self.call(rule, args, env, lambda _: again)

    def _free_args(self, rule: p.RuleDecl, player: int, env: Env) -> tuple[Value, ...] | None:
        """The arguments of a free action at this decision, or None if this is no moment for it.

        reading: `setup` and `play` count as phases; what stands in for a phase by `instead of` is a hook.
        """
        frames = list(env.frame or ())
        if any(frame.rule is not None and frame.rule.form == "free" for frame in frames):
            return None
        if not rule.inside_actions and (env.rule is None or env.rule.form not in PHASES):
            return None
        for frame in frames:
            if frame.rule is rule.during:
                args: dict[int, Value] = {}
                for own, arg in zip(rule.during_params, frame.args, strict=False):
                    args[own] = arg
                if args.setdefault(0, player) == player:
                    return tuple(args[number] for number in range(len(rule.params)))
        return None

    # ------------------------------------------------------------------------ combinations

    def combinations(self, binders: tuple[p.Binder, ...], env: Env) -> list[Env]:
        """Every way to bind the names, in nested order."""
        envs = [env]
        for binder in binders:
            envs = [each.bind(binder.local, item) for each in envs for item in self.bound(binder, each)]
        return envs

    def distinct(self, binders: tuple[p.Binder, ...], envs: Iterable[Env]) -> list[tuple[tuple[Value, ...], Env]]:
        """The combinations without those that differ only by equal copies: the first of each stays."""
        found: list[tuple[tuple[Value, ...], Env]] = []
        for env in envs:
            values = tuple(env.locals[binder.local.number] for binder in binders)
            if not any(self._same_choice(binders, values, other) for other, _ in found):
                found.append((values, env))
        return found

    def _same_choice(self, binders: tuple[p.Binder, ...], one: tuple[Value, ...], other: tuple[Value, ...]) -> bool:
        for binder, a, b in zip(binders, one, other, strict=True):
            if a == b:
                continue
            if isinstance(bare(binder.local.type), Piece):
                if not self.table.are_equal_copies(self.state, a, b):
                    return False
            else:
                return False
        pieces = [i for i, binder in enumerate(binders) if isinstance(bare(binder.local.type), Piece)]
        return all((one[i] == one[j]) == (other[i] == other[j]) for i, j in product(pieces, pieces))


def _content(_: Value) -> Step:
    raise Content


def _ends(env: Env) -> tuple[object, ...]:
    return tuple(token for token in (env.phase, env.turn) if token is not None)


def _named(local: p.LocalDecl | None, result: Value, env: Env) -> Env:
    return env if local is None else env.bind(local, result)
