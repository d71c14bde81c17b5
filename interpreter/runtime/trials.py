"""Trials: an option is offered only if the very code that carries it out, run on a copy of the game, comes through.

A trial takes the option on a copy, runs on, and at each further decision of the same player tries the options one after
the other until one way leads to the end. `phase_bound` says where "the end" is. These count as success as well:

- chance, unseen cards, and a pause: what comes next cannot be known beforehand (emitted code raises `Carried`);
- a fault, or too many steps: hiding the option would hide the mistake in the rules.

A decision of somebody else on the way goes through if that player would be offered anything.

Trials are slow, so most answers are known beforehand: emitted code brings a test for its options that says yes, no, or
None for unsure, and only then a trial is made. `carried_options` and `tried_options` filter a decision that way,
`can_call` and `can_perform` ask the same of a single call, `free_actions.py` of what may be done beside the decision.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, TypeVar

from ..compile.meta import FREE, NOTHING_ELSE, PASS, STEP, Meta
from .faults import Carried, Ended, Refused, Trouble, spend

Found = TypeVar("Found")


class Machine(Protocol):
    """What trials, and what emitted code calls, need of the machine that runs a game (`machine.Machine`)."""

    meta: Meta
    entries: dict[str, tuple[int, int]]
    trial: dict[str, Any]  # the names of the emitted code for trials
    trial_code: list[Any]
    trial_steps: int
    copy_steps: int
    free_rules: frozenset[str]
    untried_branches: list[int]

    def frame(self, routine: str, args: tuple[Any, ...]) -> list[Any]: ...
    def take(self, S: Any, option: int) -> None: ...


class Tried:
    """What the trials of one state have come to.

    Copies made for trials share it with the state they were copied from, so that what they meet is known there; a clone
    has one of its own. The defaults are class attributes, since most states never make a trial.
    """

    trials = 0
    exhausted = 0  # trials that ran out of steps
    reason: Refused | int | None = None  # the first refusal, or the site at which nothing could be chosen


FEW = 3  # up to this number, options are tested together
PICKED = ("choose", "one", "may")


def _foreseen_cell(meta: Any, names: dict[str, Any], cell: int) -> Any:
    """How to tell whether a cell can be performed: True (always); what answers, its arguments and whether it asks that
    of other cells; False: by trial only."""
    foreseen = names["FORESEEN"]
    (routine, takes_player, args), *others = meta.cells[cell]
    can = foreseen.get(routine)
    if can is None or any(foreseen.get(other) is not True for other, _, _ in others):
        return False
    if can is True:
        return True
    known = takes_player and not any(map(is_supplied, args))
    return (can, args, routine in names["PERFORMING"]) if known else False


def bind_trials(machine: Machine, names: dict[str, Any], trial: bool, track: bool) -> dict[str, Any]:
    """What emitted code calls to find out what can be carried through."""
    return {**_of_options(machine, quick=not track and not trial), **_of_calls(machine, names)}


def _of_options(machine: Machine, quick: bool) -> dict[str, Any]:
    meta = machine.meta

    # A playout needs one option. It draws first and tests what it has drawn, instead of testing the whole list.
    picked_from = [quick and site.sampled and not site.fallback and site.kind in PICKED for site in meta.sites]

    def carried_options(S: Any, F: list[Any], site: int, who: int, options: Any, test: Any) -> Any:
        if not options:
            return options
        described = meta.sites[site]
        if S.sampled and picked_from[site] and len(options) > FEW:
            S.untried = (described, test)
            return options
        budget = [meta.limits["trial_steps"]]  # one for all options, and passed on to trials inside trials
        if test is not None and not described.callers:  # what the test says is the last word
            try:
                kept = [
                    option
                    for option in options
                    if (answer := test(option))
                    or (answer is None and _is_offered(machine, S, described, None, option, who, budget))
                ]
            except Trouble:
                pass  # a fault does not hide an option: each is asked by itself
            else:
                return kept if budget[0] == machine.trial_steps else after_looking(machine, S, budget, kept)
        kept = [option for option in options if _is_offered(machine, S, described, test, option, who, budget)]
        return after_looking(machine, S, budget, kept)

    def tried_options(S: Any, site: int, who: int, options: list[Any], unsure: Sequence[Any]) -> list[Any]:
        """The options that are sure, and those of the others that come through. All are unsure if what the callers have
        still to do may be refused."""
        described = meta.sites[site]
        if described.callers and _callers_may_refuse(machine, S):
            unsure = options
        elif not unsure:
            return options
        if S.sampled and picked_from[site] and len(unsure) > FEW:
            S.untried = (described, lambda option: None if option in unsure else True)
            return options
        budget = [meta.limits["trial_steps"]]
        kept = [o for o in options if o not in unsure or _is_offered(machine, S, described, None, o, who, budget)]
        return after_looking(machine, S, budget, kept)

    def sure_here(S: Any, site: int, who: int, of: str) -> bool:
        return _sure_here(machine, S, meta.sites[site], who, of)

    def try_listed(S: Any, who: int, options: list[Any]) -> None:
        """Tries the option that was met last: it was not sure, and there is a further one. When the question is asked
        once more for what comes instead, all of them have been tried before."""
        if options and S.reach and who == S.looker and S.pick != NOTHING_ELSE:
            if _option_carries(machine, S, options[-1], (S.reach, S.tb), who, S.budget):
                raise Carried
            S.failed += 1

    return {
        "carried_options": carried_options,
        "tried_options": tried_options,
        "sure_here": sure_here,
        "try_listed": try_listed,
    }


def _of_calls(machine: Machine, names: dict[str, Any]) -> dict[str, Any]:
    meta = machine.meta
    cells: dict[int, Any] = {}

    def can_call(S: Any, routine: str, args: tuple[Any, ...], who: int | None, known: Any) -> bool:
        answer = known(S, *args) if known is not None else None
        if answer is not None:
            return bool(answer)
        copy = S.trial_copy()
        budget = [meta.limits["trial_steps"]]
        if routine in machine.entries:
            copy.k.append(machine.frame(routine, args))
            return after_looking(machine, S, budget, explore(machine, copy, (len(copy.k), NO_LOOP), who, budget))
        copy.tried.trials += 1
        copy.looker = who
        try:
            machine.trial[routine](copy, *args)
        except Refused as refused:
            remember(copy, refused)
            spend(S, STEP + copy.steps)
            return False
        except (Carried, Ended, Trouble):
            pass
        # A copy is a step, however little is tried on it: thirty effects that each ask twice whether the next one can
        # be carried through are a thousand million copies.
        spend(S, STEP + copy.steps)
        return True

    def can_perform(S: Any, cell: int, who: int, given: tuple[tuple[str, Any], ...]) -> bool:
        if cell < 0:
            return False
        if S.running and is_running(S, cell):
            return False
        foreseen = cells.get(cell)
        if foreseen is None:
            foreseen = cells[cell] = _foreseen_cell(meta, names, cell)
        if foreseen is True:
            return True
        if foreseen is not False:
            can, args, performs = foreseen
            if performs:
                # The answer asks about other cells in turn. A cell that is running cannot be performed again, so this
                # one must look as if it were running.
                S.k.append([0, cell, who, 0, given])
                S.running += 1
                answer = can(S, who, *args)
                S.running -= 1
                S.k.pop()
            else:
                answer = can(S, who, *args)
            if answer is not None:
                return bool(answer)
        copy = S.trial_copy()
        copy.k.append([0, cell, who, 0, given])
        copy.running += 1
        budget = [meta.limits["trial_steps"]]
        return after_looking(machine, S, budget, explore(machine, copy, (len(copy.k), NO_LOOP), who, budget))

    return {"can_call": can_call, "can_perform": can_perform}


def after_looking(machine: Machine, S: Any, budget: list[int], found: Found) -> Found:
    """What was found by looking ahead. The steps that it took count as steps of the game too: one look has a bound, but
    rules may ask for any number of them."""
    if budget[0] != machine.trial_steps:
        spend(S, STEP * (machine.trial_steps - max(budget[0], 0)))
    return found


# A trial is over when fewer frames are left than the first number, or when a pass of the loop (depth, loop) ends.
Bound = tuple[int, tuple[int, int]]
NO_LOOP = (0, 0)


def phase_bound(machine: Machine, S: Any) -> Bound:
    """How far a decision that is made here looks: to the end of the innermost phase that runs, or of the present pass
    through its innermost loop. Looking further would forbid moves because of what may go wrong a turn later:

        in turn p from seat1 until no
          turn(p)
        phase turn(p)
          choose c in p.hand "Which card?"
            move c to discard

    Whoever has one card left may lay it. That the same player finds nothing to choose in the turn after that is a
    mistake of these rules, and must show there: a look that far would offer nothing here, and blame the wrong turn.
    """
    meta, k = machine.meta, S.k
    for depth in range(len(k), 0, -1):
        segment = k[depth - 1][0]
        if segment in meta.phase_segments:
            loop = (depth, meta.segment_loop[segment])
            # The frame of the entry, which runs the after hooks, belongs to the phase as well.
            while depth > 1 and k[depth - 2][0] in meta.phase_entries and _same_rule(meta, segment, k[depth - 2][0]):
                depth -= 1
            return depth, loop
    return 1, NO_LOOP


def _same_rule(meta: Any, one: int, other: int) -> bool:
    return bool(meta.segment_rule[one] == meta.segment_rule[other])


def option_carries(machine: Machine, S: Any, option: Any, budget: list[int]) -> bool:
    """Whether an option of the pending decision can be carried through, by a look of so many steps at most;
    `S.refusal()` says why not."""
    S.tried.reason = None
    return _option_carries(machine, S, option, phase_bound(machine, S), S.who, budget)


def _option_carries(machine: Machine, S: Any, option: Any, bound: Bound, who: int, budget: list[int]) -> bool:
    copy = S.trial_copy()
    machine.take(copy, option)
    return explore(machine, copy, bound, who, budget)


def _branch_of(described: Any, option: int) -> int:
    return PASS if option == PASS and described.may_pass else described.branch_of(option)


def _is_offered(machine: Machine, S: Any, described: Any, test: Any, option: Any, who: int, budget: list[int]) -> bool:
    """Whether an option can be carried through: by the site's test as far as that knows, else by trial."""
    if _branch_of(described, option) not in described.trial_branches:
        return True
    if test is not None:
        try:
            answer = test(option)
        except Trouble:
            answer = None  # a fault does not hide an option: taking it shows the fault
        # A no is final whatever the callers do: they can add refusals and take none away.
        if answer is not None and (not answer or not described.callers or not _callers_may_refuse(machine, S)):
            return bool(answer)
    return _option_carries(machine, S, option, phase_bound(machine, S), who, budget)


def _callers_may_refuse(machine: Machine, S: Any) -> bool:
    """True if a rule further down the stack still has to do something that may be refused, as far as a decision here
    looks. The test of a site speaks only of its own rule:

        action buy(p)                   effect take(p)
          take(p)                         choose c in market "Which card?"
          pay 2 coins                       move c to p.hand

    In `take` every card can be taken. Called from `buy` by a player with one coin, none can: the yes of the test then
    says too little, and each card is tried. A no of the test stays a no.
    """
    meta, k = machine.meta, S.k
    depth, _ = phase_bound(machine, S)
    for F in k[depth - 1 : -1]:
        if F[0] in meta.may_refuse or (F[0] == 0 and F[3] < len(meta.cells[F[1]])):
            return True
    return False


def sample(machine: Machine, S: Any, options: list[Any], choice: int) -> tuple[Any, bool, int]:
    """A random option among those that can be carried through, whether it is the only one, and the generator's next
    state. Options are looked at in random order until one comes through; then another is looked for, no matter which:
    whether there was a choice at all is part of the game's history.

    The draws decide which game a seed stands for. A test that knew a no earlier would leave an option out before the
    draw and not after it, and give another game from the same seed.
    """
    described, test = S.untried
    S.untried = None
    left = options[:]
    budget = [machine.trial_steps]
    who = S.who
    settles = test is not None and not described.callers  # what the test says is the last word
    untold = None if settles else test  # a test is asked once: what it asks in turn counts as work
    while left:
        choice = (choice * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        option = left.pop(((choice >> 32) * len(left)) >> 32)
        answer = True if option <= FREE else None
        if settles and answer is None:
            try:
                answer = test(option)
            except Trouble:
                pass  # a fault does not hide an option: taking it shows the fault
        if answer or (answer is None and _is_offered(machine, S, described, untold, option, who, budget)):
            if budget[0] != machine.trial_steps:
                spend(S, STEP * (machine.trial_steps - max(budget[0], 0)))
            if described.always >= 0 and described.branch_of(option) != described.always:
                return option, False, choice
            if machine.untried_branches[described.number] > 1 or (left and left[-1] <= FREE):
                for other in left:
                    if other <= FREE or _branch_of(described, other) not in described.trial_branches:
                        return option, False, choice
            for other in left:
                if _is_offered(machine, S, described, test, other, who, budget):
                    return option, False, choice
            return option, True, choice
    raise Trouble("R0701", "nothing can be chosen here", "offer something in every case, or say `if possible`")


def explore(machine: Machine, T: Any, bound: Bound, who: int | None, budget: list[int]) -> bool:
    """Whether some way over the chooser's own decisions leads to the bound without a refusal."""
    T.tried.trials += 1
    budget[0] -= machine.copy_steps  # a copy costs too: else choices upon choices would never use up a budget
    if budget[0] < 0:
        T.tried.exhausted += 1
        return True
    T.reach, T.tb = bound
    T.budget, T.failed = budget, 0
    code = machine.trial_code
    k = T.k
    T.looker = who
    begun = T.steps
    try:
        while not code[k[-1][0]](T, k[-1]):
            if len(k) < bound[0]:
                return True
            budget[0] -= 1
            if budget[0] < 0:
                T.tried.exhausted += 1
                return True
    except Refused as refused:
        remember(T, refused)
        return False
    except (Carried, Ended, Trouble, RecursionError):
        return True  # a fault does not hide an option: taking it shows the fault
    finally:
        if T.steps != begun:  # loops inside the segments
            budget[0] -= (T.steps - begun) // STEP
    if T.over:
        return True
    options = T.opts
    if not options:
        remember(T, T.site)
        return False
    described = machine.meta.sites[T.site]
    # Whoever looks ahead cannot choose for others. They only must have something to choose: by a look ahead of their
    # own.
    if T.who != who:
        if not described.trial_branches:
            return True
        if any(_would_be_offered(machine, T, option, bound, budget) for option in options):
            return True
        return described.fallback and _instead_carries(machine, T, bound, who, budget)
    # One way is enough, and this one needs no further copy. Most trials end here.
    if _surely_carries(machine, T, options, described, bound):
        return True
    if options[-1] == PASS:  # passing is the quickest way through
        options = [PASS, *options[:-1]]
    for number, option in enumerate(options):
        if number < T.failed:  # tried when the next one was met
            continue
        # The last option may use up the copy itself, unless it is needed once more for `otherwise`.
        last = number == len(options) - 1 and not described.fallback
        copy = T if last else T.trial_copy()
        machine.take(copy, option)
        if explore(machine, copy, bound, who, budget):
            return True
    if not described.fallback or any(_would_be_offered(machine, T, option, bound, budget) for option in options):
        return False
    return _instead_carries(machine, T, bound, who, budget)


def _surely_carries(machine: Machine, T: Any, options: list[Any], described: Any, bound: Bound) -> bool:
    """True if one of the options needs no trial at its own site, and that site looks as far as this trial does: what is
    known to go through there goes through here."""
    tried = described.trial_branches
    if described.values_only:
        safe = 0 not in tried and (PASS not in tried or options[0] != PASS)
    else:
        safe = any((option if option == PASS else described.branch_of(option)) not in tried for option in options)
    if not safe:
        return False
    depth, loop = phase_bound(machine, T)
    # A phase that lies lower on the stack ends later, so such a site looks further ahead than this trial has to.
    return depth < bound[0] or (depth, loop) == bound


def _sure_here(machine: Machine, T: Any, described: Any, who: int, of: str) -> bool:
    """Whether a trial that has come to this question of `who` may stop at an option that is sure: see
    `compile/choices/stopping.py`. Not if nothing is tried, but the question itself is asked."""
    if not T.reach:
        return False
    if who != T.looker:
        return of == "untried" and not described.trial_branches
    if of == "tested" and described.callers and _callers_may_refuse(machine, T):
        return False
    depth, loop = phase_bound(machine, T)
    return depth < T.reach or (depth, loop) == (T.reach, T.tb)


def _would_be_offered(machine: Machine, T: Any, option: Any, bound: Bound, budget: list[int]) -> bool:
    """Asks by a trial with its own bound: whoever decides there looks ahead to the end of the phase that runs there. If
    a single call is tried, the look ends with the call, because the frames below have not come that far."""
    own = phase_bound(machine, T)
    return _option_carries(machine, T, option, own if own[0] >= bound[0] else bound, T.who, budget)


def _instead_carries(machine: Machine, T: Any, bound: Bound, who: int | None, budget: list[int]) -> bool:
    """What comes if nothing is offered: `otherwise`, or going on without the choice. A set of which something is picked
    already has neither: it asks once more, and that is the end of it."""
    if T.pick == NOTHING_ELSE:
        return False
    copy = T.trial_copy()
    copy.pick = NOTHING_ELSE
    return explore(machine, copy, bound, who, budget)


def remember(S: Any, refused: Refused | int) -> None:
    """The first refusal of a trial, or the site at which nothing could be chosen."""
    if S.tried.reason is None:
        # Its traceback names the frames that the trial ran in, and these name the state: together they would be a
        # cycle, and the copies of a trial would stay in memory until Python looks for such garbage.
        S.tried.reason = refused if isinstance(refused, int) else refused.with_traceback(None)


# ---------------------------------------------------------------------------- cells


def is_running(S: Any, cell: int) -> bool:
    for F in S.k:
        if F[0] == 0 and F[1] == cell:
            return True
    return False


def is_supplied(arg: Any) -> bool:
    """An argument that the performer gives, by its name."""
    return isinstance(arg, tuple) and len(arg) == 1 and isinstance(arg[0], str)
