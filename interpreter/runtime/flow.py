"""What emitted code calls to ask, try, perform, say and end.

Trials: an option is offered only if the very code that carries it out, run on a copy, comes through.
`carried_options` filters a decision that way, `can_call` and `can_perform` ask the same of a single call.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from .faults import Carried, Ended, Refused, Trouble

if TYPE_CHECKING:
    from .machine import Machine


def bind(machine: Machine, names: dict[str, Any], trial: bool) -> dict[str, Any]:
    return {
        **_asking(machine, trial),
        **_trying(machine, names, trial, bool(names["TRACK"])),
        **_performing(machine, names, trial),
        **_ending(machine),
        "score_of": _score_of(machine, names),
    }


# ---------------------------------------------------------------------------- decisions


def _asking(machine: Machine, trial: bool) -> dict[str, Any]:
    meta = machine.meta

    def ask(S: Any, F: list[Any], site: int, who: int, options: Any, if_possible: bool, picked: Any = ()) -> int:
        """Poses a decision; one that answers itself is taken up at once. `picked`: what a set or payment has so far."""
        S.site, S.who = site, who
        kind = kinds[site]
        if options is None:  # the set or the payment is complete
            return taken_up(S, F, None)
        if if_possible and not picked and (not options or S.pick is NOTHING_ELSE):
            return taken_up(S, F, SKIPPED if kind == "set" else None)
        if len(options) == 1 and kind in ("order", "pay"):
            return taken_up(S, F, options[0])
        if interruptible[site] and options and not picked:
            for can in guards or first_asked():
                if can is True or can(S, who) is not False:
                    options = options + [(-1, number) for number in free_actions(machine, S, site, who)]
                    break
        if len(options) == 1 and options[0] is None and kind == "may":
            return taken_up(S, F, None)
        S.opts = options
        return 1

    def with_free_actions(S: Any, site: int, who: int, options: list[Any]) -> list[Any]:
        return options + [(-1, number) for number in free_actions(machine, S, site, who)]

    kinds = [site.kind for site in meta.sites]
    inside = any(free[4] for free in meta.free_actions)
    interruptible = [bool(meta.free_actions) and not trial and (inside or site.in_phase) for site in meta.sites]
    guards: list[Any] = []

    def first_asked() -> list[Any]:
        """For each free action what says that it is out of the question; True where only a trial can."""
        if not guards:
            foreseen = machine.trial["FORESEEN"]
            guards.extend(foreseen.get(free[1], True) if len(free[3]) < 2 else True for free in meta.free_actions)
        return guards

    def taken_up(S: Any, F: list[Any], option: Any) -> int:
        S.pick = option
        F[0] += 1
        return 0

    def set_options(
        S: Any, candidates: list[int], picked: tuple[int, ...], low: int, high: int | None, such: Any, how: str
    ) -> list[Any] | None:
        return _set_options(meta, S, candidates, picked, low, high, such, how)

    return {
        "ask": ask,
        "set_options": set_options,
        "with_free_actions": with_free_actions,
        "NOTHING_ELSE": NOTHING_ELSE,
    }


SKIPPED = ()
NOTHING_ELSE = "nothing else"  # said on trial: what is offered here cannot be carried through, what would come instead?


def _set_options(
    meta: Any, S: Any, candidates: list[int], picked: tuple[int, ...], low: int, high: int | None, such: Any, how: str
) -> list[Any] | None:
    """The next pick: later in order than the last, such that a whole set can still come of it; None when the set has
    as many as it may have."""
    highest = len(candidates) if high is None else min(high, len(candidates))
    if len(picked) >= (highest if high is None else high) and len(picked) >= low and (such is None or such(picked)):
        return None
    start = candidates.index(picked[-1]) + 1 if picked else 0
    rest = candidates[start:]
    options: list[Any] = []
    seen: set[Any] = set()
    if len(picked) < highest:
        for position, item in enumerate(rest):
            if how and _is_copy(meta, S, item, seen):
                continue
            if _completes((*picked, item), rest[position + 1 :], low, highest, such):
                options.append(item)
    if len(picked) >= low and (such is None or such(picked)):
        options.append(None)
    return options


def _is_copy(meta: Any, S: Any, piece: int, seen: set[Any]) -> bool:
    place = S.at[piece]
    if place >= 0 and not meta.unordered[place]:
        return False
    key = (meta.piece_row[piece], place)
    if key in seen:
        return True
    seen.add(key)
    return False


def _completes(picked: tuple[int, ...], rest: list[int], low: int, high: int, such: Any) -> bool:
    if len(picked) + len(rest) < low:
        return False
    if such is None:
        return True
    if len(picked) >= low and such(picked):
        return True
    if len(picked) >= high:
        return False
    return any(_completes((*picked, item), rest[i + 1 :], low, high, such) for i, item in enumerate(rest))


def free_actions(machine: Machine, S: Any, site: int, who: int) -> list[int]:
    """The free actions that may be taken at this decision: none inside another one."""
    meta, k = machine.meta, S.k
    described = meta.sites[site]
    in_phase = described.in_phase and k[-1][0] in meta.phase_segments
    foreseen = machine.trial["FORESEEN"]
    found = []
    for number, (_, routine, during, params, inside) in enumerate(meta.free_actions):
        if not (inside or in_phase):
            continue
        can = foreseen.get(routine)
        args = free_args(machine, k, during, params, who)
        if args is None:
            continue
        sure = can(S, *args) if callable(can) else can
        if sure is False:
            continue
        if (sure and _answers_anyhow(described)) or _free_goes_through(machine, S, routine, args):
            found.append(number)
    return found


def free_args(
    machine: Machine, k: list[list[Any]], during: str, params: tuple[int, ...], who: int
) -> tuple[Any, ...] | None:
    """What a free action is called with: the player, and what the phase was called with (`params`: its own parameter
    for each of the phase's). None if the phase does not run for that player, or a free action does."""
    rule_of = machine.meta.segment_rule
    found: tuple[Any, ...] | None = None
    for F in reversed(k):
        rule = rule_of[F[0]]
        if rule in machine.free_rules:
            return None
        if found is None and rule == during:
            given = {own: F[1 + position] for position, own in enumerate(params)}
            if given.setdefault(0, who) == who:
                found = tuple(given[number] for number in range(len(given)))
    return found


def _answers_anyhow(described: Any) -> bool:
    """Whatever a free action does, this decision can be answered afterwards: by passing, or by going on."""
    may_pass = described.kind == "may" and PASS not in described.trial_branches
    return described.kind == "pause" or described.steady or may_pass


def _free_goes_through(machine: Machine, S: Any, routine: str, args: tuple[Any, ...]) -> bool:
    """The free action can be carried through, and the decision it interrupts can still be answered."""
    if not _has_something_to_offer(machine, S, routine, args):
        return False
    copy = S.trial_copy()
    bound = _phase_bound(machine, S)
    copy.k.append(machine.frame(routine, args))
    return _explore(machine, copy, bound, args[0], [machine.meta.limits["trial_steps"]])


def _has_something_to_offer(machine: Machine, S: Any, routine: str, args: tuple[Any, ...]) -> bool:
    """Whether the question that a rule begins with has any option. Asking changes nothing, so no copy is needed."""
    frame = machine.frame(routine, args)
    if frame[0] not in machine.meta.ask_segments:
        return True
    kept = S.site, S.who, S.opts, S.pick
    try:
        return not machine.trial_code[frame[0]](S, frame) or bool(S.opts)
    except Refused as refused:
        _remember(machine, refused)
        return False
    except (Carried, Trouble):
        return True
    finally:
        S.site, S.who, S.opts, S.pick = kept


# ---------------------------------------------------------------------------- trials

PASS = -1  # among the branches of a site that are tried
FEW = 2  # so many options are looked at all together
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
    known = takes_player and not any(map(_is_supplied, args))
    return (can, args, routine in names["PERFORMING"]) if known else False


def _trying(machine: Machine, names: dict[str, Any], trial: bool, track: bool) -> dict[str, Any]:
    meta = machine.meta
    quick = not track and not trial
    cells: dict[int, Any] = {}

    def is_picked_from(S: Any, described: Any, unsure: Sequence[Any]) -> bool:
        """A playout looks only at the options that it picks, if there are many."""
        return quick and S.sampled and len(unsure) > FEW and not described.fallback and described.kind in PICKED

    def carried_options(S: Any, F: list[Any], site: int, who: int, options: Any, test: Any) -> Any:
        if not options:
            return options
        described = meta.sites[site]
        if is_picked_from(S, described, options):
            S.untried = (described, test)
            return options
        budget = [meta.limits["trial_steps"]]
        return [option for option in options if _is_offered(machine, S, described, test, option, who, budget)]

    def tried_options(S: Any, site: int, who: int, options: list[Any], unsure: Sequence[Any]) -> list[Any]:
        """The options that are sure, and those of the others that come through. All are unsure if what the callers have
        still to do may be refused."""
        described = meta.sites[site]
        if described.callers and _callers_may_refuse(machine, S):
            unsure = options
        elif not unsure:
            return options
        if is_picked_from(S, described, unsure):
            S.untried = (described, lambda option: None if option in unsure else True)
            return options
        budget = [meta.limits["trial_steps"]]
        return [o for o in options if o not in unsure or _is_offered(machine, S, described, None, o, who, budget)]

    def can_call(S: Any, routine: str, args: tuple[Any, ...], who: int | None, known: Any) -> bool:
        answer = known(S, *args) if known is not None else None
        if answer is not None:
            return bool(answer)
        copy = S.trial_copy()
        budget = [meta.limits["trial_steps"]]
        if routine in machine.entries:
            copy.k.append(machine.frame(routine, args))
            return _explore(machine, copy, (len(copy.k), NO_LOOP), who, budget)
        machine.trials += 1
        looker = machine.trial["LOOKER"]
        looked, looker[0] = looker[0], who
        try:
            machine.trial[routine](copy, *args)
        except Refused as refused:
            _remember(machine, refused)
            return False
        except (Carried, Ended, Trouble):
            pass
        finally:
            looker[0] = looked
        return True

    nest = meta.cells_nest

    def can_perform(S: Any, cell: int, who: int, given: tuple[tuple[str, Any], ...]) -> bool:
        if cell < 0:
            return False
        if nest:
            for F in S.k:
                if F[0] == 0 and F[1] == cell:
                    return False  # it is running
        foreseen = cells.get(cell)
        if foreseen is None:
            foreseen = cells[cell] = _foreseen_cell(meta, names, cell)
        if foreseen is True:
            return True
        if foreseen is not False:
            can, args, performs = foreseen
            if performs:
                S.k.append([0, cell, who, 0, given])
                answer = can(S, who, *args)
                S.k.pop()
            else:
                answer = can(S, who, *args)
            if answer is not None:
                return bool(answer)
        copy = S.trial_copy()
        copy.k.append([0, cell, who, 0, given])
        return _explore(machine, copy, (len(copy.k), NO_LOOP), who, [meta.limits["trial_steps"]])

    return {
        "carried_options": carried_options,
        "tried_options": tried_options,
        "can_call": can_call,
        "can_perform": can_perform,
    }


Bound = tuple[
    int, tuple[int, int]
]  # content with fewer frames than this, or where a pass of this loop (depth, loop) ends
NO_LOOP = (0, 0)


def _phase_bound(machine: Machine, S: Any) -> Bound:
    """How far a decision that is made here looks: to the end of the innermost phase that runs, or of the present pass
    through its innermost loop."""
    meta, k = machine.meta, S.k
    for depth in range(len(k), 0, -1):
        segment = k[depth - 1][0]
        if segment in meta.phase_segments:
            loop = (depth, meta.segment_loop[segment])
            while depth > 1 and k[depth - 2][0] in meta.phase_entries and _same_rule(meta, segment, k[depth - 2][0]):
                depth -= 1
            return depth, loop
    return 1, NO_LOOP


def _same_rule(meta: Any, one: int, other: int) -> bool:
    return bool(meta.segment_rule[one] == meta.segment_rule[other])


def option_carries(machine: Machine, S: Any, option: Any) -> bool:
    """Whether an option of the pending decision can be carried through; `machine.reason` says why not."""
    machine.reason = None
    return _option_carries(machine, S, option, _phase_bound(machine, S), S.who, [machine.meta.limits["trial_steps"]])


def free_action_carries(machine: Machine, S: Any, number: int) -> bool:
    """Whether a free action could be carried through from here; `machine.reason` says why not."""
    machine.reason = None
    _, routine, during, params, _ = machine.meta.free_actions[number]
    args = free_args(machine, S.k, during, params, S.who)
    return args is not None and _free_goes_through(machine, S, routine, args)


def _option_carries(machine: Machine, S: Any, option: Any, bound: Bound, who: int, budget: list[int]) -> bool:
    copy = S.trial_copy()
    machine.take(copy, option)
    return _explore(machine, copy, bound, who, budget)


def _branch_of(described: Any, option: Any) -> int:
    if option is None and described.may_pass:
        return PASS
    return 0 if described.values_only else option[0]


def _is_offered(machine: Machine, S: Any, described: Any, test: Any, option: Any, who: int, budget: list[int]) -> bool:
    """Whether an option can be carried through: by the site's test as far as that knows, else by trial."""
    if _branch_of(described, option) not in described.trial_branches:
        return True
    if test is not None:
        answer = test(option)
        if answer is not None and (not answer or not described.callers or not _callers_may_refuse(machine, S)):
            return bool(answer)
    return _option_carries(machine, S, option, _phase_bound(machine, S), who, budget)


def _callers_may_refuse(machine: Machine, S: Any) -> bool:
    """Something that rules further down the stack have still to do, as far as a decision here looks, may be refused."""
    meta, k = machine.meta, S.k
    depth, _ = _phase_bound(machine, S)
    for F in k[depth - 1 : -1]:
        if F[0] in meta.may_refuse or (F[0] == 0 and F[3] < len(meta.cells[F[1]])):
            return True
    return False


def sample(machine: Machine, S: Any, options: list[Any], choice: int) -> tuple[Any, bool, int]:
    """A random option among those that can be carried through, whether it is the only one, and the generator's next
    state. Options are looked at in random order until one comes through; then another is looked for, no matter
    which."""
    described, test = S.untried
    S.untried = None
    left = list(options)
    budget = [machine.meta.limits["trial_steps"]]
    while left:
        choice = (choice * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        option = left.pop(((choice >> 32) * len(left)) >> 32)
        if _is_free(option) or _is_offered(machine, S, described, test, option, S.who, budget):
            tried = described.trial_branches
            only = not any(_is_free(other) or _branch_of(described, other) not in tried for other in left) and not any(
                _is_offered(machine, S, described, test, other, S.who, budget) for other in left
            )
            return option, only, choice
    raise Trouble("R0701", "nothing can be chosen here", "offer something in every case, or say `if possible`")


def _is_free(option: Any) -> bool:
    """It is a free action, of which is known that it can be carried through."""
    return type(option) is tuple and bool(option) and option[0] == -1


def _explore(machine: Machine, T: Any, bound: Bound, who: int | None, budget: list[int]) -> bool:
    """Whether some way over the chooser's own decisions leads to the bound without a refusal."""
    machine.trials += 1
    budget[0] -= 1  # a decision costs a step too: without that, choices upon choices would never use up a budget
    if budget[0] < 0:
        machine.exhausted += 1
        return True
    T.tb = bound[1]
    code = machine.trial_code
    k = T.k
    looker = machine.trial["LOOKER"]
    looked, looker[0] = looker[0], who
    try:
        while not code[k[-1][0]](T, k[-1]):
            if len(k) < bound[0]:
                return True
            budget[0] -= 1
            if budget[0] < 0:
                machine.exhausted += 1
                return True
    except Refused as refused:
        _remember(machine, refused)
        return False
    except (Carried, Ended, Trouble, RecursionError):
        return True  # a fault does not hide an option: taking it shows the fault
    finally:
        looker[0] = looked
    if T.over:
        return True
    options = T.opts
    if not options:
        _remember(machine, T.site)
        return False
    described = machine.meta.sites[T.site]
    if T.who != who:
        if not described.trial_branches:
            return True
        if any(_would_be_offered(machine, T, option, bound, budget) for option in options):
            return True
        return described.fallback and _instead_carries(machine, T, bound, who, budget)
    if _surely_carries(machine, T, options, described, bound):
        return True
    if options[-1] is None:  # passing is the quickest way through
        options = [None, *options[:-1]]
    for number, option in enumerate(options):
        last = number == len(options) - 1 and not described.fallback
        copy = T if last else T.trial_copy()
        machine.take(copy, option)
        if _explore(machine, copy, bound, who, budget):
            return True
    if not described.fallback or any(_would_be_offered(machine, T, option, bound, budget) for option in options):
        return False
    return _instead_carries(machine, T, bound, who, budget)


def _surely_carries(machine: Machine, T: Any, options: list[Any], described: Any, bound: Bound) -> bool:
    """One of the options needs no trial at its own site, and its site looks as far as this trial does."""
    tried = described.trial_branches
    if described.values_only:
        safe = 0 not in tried and (PASS not in tried or options[0] is not None)
    else:
        safe = any((PASS if option is None else option[0]) not in tried for option in options)
    if not safe:
        return False
    depth, loop = _phase_bound(machine, T)
    return depth < bound[0] or (depth, loop) == bound


def _would_be_offered(machine: Machine, T: Any, option: Any, bound: Bound, budget: list[int]) -> bool:
    """By a trial of its own: whoever decides looks ahead to the end of the phase that runs there, or of the call that
    is tried; the frames below a call tried on its own have not come to what follows it."""
    own = _phase_bound(machine, T)
    return _option_carries(machine, T, option, own if own[0] >= bound[0] else bound, T.who, budget)


def _instead_carries(machine: Machine, T: Any, bound: Bound, who: int | None, budget: list[int]) -> bool:
    """What comes if nothing is offered: `otherwise`, or going on without the choice."""
    copy = T.trial_copy()
    copy.pick = NOTHING_ELSE
    return _explore(machine, copy, bound, who, budget)


def _remember(machine: Machine, refused: Refused | int) -> None:
    """The first refusal of a trial, or the site at which nothing could be chosen."""
    if machine.reason is None:
        machine.reason = refused


# ---------------------------------------------------------------------------- effects in cells


def is_running(S: Any, cell: int) -> bool:
    for F in S.k:
        if F[0] == 0 and F[1] == cell:
            return True
    return False


def _is_supplied(arg: Any) -> bool:
    """An argument that the performer gives, by its name."""
    return isinstance(arg, tuple) and len(arg) == 1 and isinstance(arg[0], str)


def _planned(machine: Machine, call: Any) -> Any:
    """A call of a cell with what is the same every time: first segment and empty slots of its frame, if it has one."""
    routine, takes_player, args = call
    entry = None
    if routine in machine.entries:
        first, size = machine.entries[routine]
        entry = (first, (0,) * (size - 1 - len(args) - takes_player))
    return routine, entry, takes_player, args, any(map(_is_supplied, args))


def _plain_call(calls: Any, nest: bool) -> Any:
    """The only call of a cell that needs no frame, neither its own nor the cell's: nobody asks whether it runs."""
    if nest or len(calls) != 1:
        return None
    routine, entry, takes_player, args, supplied = calls[0]
    return (routine, takes_player, args) if entry is None and not supplied else None


def _performing(machine: Machine, names: dict[str, Any], trial: bool) -> dict[str, Any]:
    meta = machine.meta

    calls_of = [tuple(_planned(machine, call) for call in cell) for cell in meta.cells]
    plain = [_plain_call(calls, meta.cells_nest) for calls in calls_of]

    def perform(S: Any, cell: int, who: int, given: tuple[tuple[str, Any], ...], refusal: int) -> int:
        if cell < 0 or (meta.cells_nest and is_running(S, cell)):
            raise Refused(refusal)
        call = plain[cell]
        if call is not None:
            routine, takes_player, args = call
            if takes_player:
                names[routine](S, who, *args)
            else:
                names[routine](S, *args)
            return 0
        limit_frames(S)
        F = [0, cell, who, 0, given]
        S.k.append(F)
        return perform_next(S, F)

    def perform_next(S: Any, F: list[Any]) -> int:
        """The next call of a cell; behind the last one the cell is done."""
        calls = calls_of[F[1]]
        done = F[3]
        if done >= len(calls):
            S.k.pop()
            return 0
        routine, entry, takes_player, args, supplied = calls[done]
        F[3] = done + 1
        if supplied:
            given = dict(F[4])
            args = tuple(given[arg[0]] if _is_supplied(arg) else arg for arg in args)
        if entry is None:
            if takes_player:
                names[routine](S, F[2], *args)
            else:
                names[routine](S, *args)
            return 0
        first, padding = entry
        G = [first, F[2], *args, *padding] if takes_player else [first, *args, *padding]
        S.k.append(G)
        return names["CODE"][first](S, G)  # type: ignore[no-any-return]

    def formula(S: Any, cell: int, who: int) -> int:
        if cell < 0:
            return 0
        routine, takes_player, args = meta.cells[cell][0]
        return names[routine](S, who, *args) if takes_player else names[routine](S, *args)  # type: ignore[no-any-return]

    def rule_running(S: Any, rule: str) -> bool:
        return any(meta.segment_rule[F[0]] == rule for F in S.k)

    def limit_depth(S: Any, rule: str, depth: int) -> None:
        routine = f"rule_{rule}"
        if sum(meta.segment_routine[F[0]] == routine for F in S.k) > depth:
            told = f"`{rule}` runs inside itself more than {depth} times"
            raise Trouble("R0904", told, "raise its depth, or end it earlier")
        limit_frames(S)

    def limit_frames(S: Any) -> None:
        """Rules nest without a bound of their own only through `perform` and rules with a depth: both ask here."""
        if len(S.k) > meta.limits["frames"]:
            raise Trouble("R0904", f"rules are nested more than {meta.limits['frames']} deep")

    return {
        "perform": perform,
        "perform_next": perform_next,
        "formula": formula,
        "rule_running": rule_running,
        "cell_running": is_running,
        "limit_depth": limit_depth,
    }


# ---------------------------------------------------------------------------- endings and the log


def _ending(machine: Machine) -> dict[str, Any]:
    meta = machine.meta

    def end_of_game(S: Any, F: list[Any]) -> int:
        S.over = True
        return 1

    def unused_segment(S: Any, F: list[Any]) -> int:
        raise AssertionError("a segment that nothing leads to")

    def wins(S: Any, players: tuple[int, ...], text: int | None, values: tuple[Any, ...]) -> None:
        S.over = True
        S.won = players
        S.why = (text, values) if text is not None else None

    def end_game(S: Any, text: int | None, values: tuple[Any, ...]) -> None:
        S.over = True
        S.why = (text, values) if text is not None else None

    def drop_out(S: Any, player: int, text: int | None, values: tuple[Any, ...]) -> None:
        if player not in S.gone:
            S.gone += (player,)

    def seats_in(S: Any) -> tuple[int, ...]:
        return tuple(seat for seat in range(meta.players) if seat not in S.gone)

    def still_in(S: Any, player: int) -> int:
        for step in range(meta.players):
            seat = (player + step) % meta.players
            if seat not in S.gone:
                return seat
        return -1

    def next_seat(S: Any, player: int) -> int:
        return still_in(S, (player + 1) % meta.players)

    def say(S: Any, text: int, values: tuple[Any, ...], to: int | None) -> None:
        S.note(("say", text, values, to))

    def begin_together(S: Any) -> None:
        """From here on nobody sees what the others do. The state as it is now is kept: what is hidden from a player
        can be chosen anew from there."""
        if S.together == 0 and S.kn is not None:
            S.apart = S.clone()
        S.together += 1

    def end_together(S: Any) -> None:
        S.together -= 1
        if S.together == 0:
            S.apart = None

    made = (
        begin_together,
        end_together,
        end_of_game,
        unused_segment,
        wins,
        end_game,
        drop_out,
        seats_in,
        still_in,
        next_seat,
        say,
    )
    return {function.__name__: function for function in made}


def _score_of(machine: Machine, names: dict[str, Any]) -> Any:
    def score_of(S: Any, player: int) -> int:
        return sum(
            line[2] for number in range(machine.meta.score_blocks) for line in names[f"score_{number}"](S, player)
        )

    return score_of
