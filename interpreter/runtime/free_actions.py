"""Free actions: what may be done beside a decision, before it is answered.

    free action drink(p) "Drink a potion" during turn(p)

At a decision of `turn` its player may drink first, and is then asked the same again. So a free action is offered if it
can be carried through, by a trial like any option, *and* if the decision that it interrupts can still be answered
afterwards: whoever has one coin, and must pay one to end the turn, may not spend it on a potion. The trial runs on over
the interrupted decision for that reason. There are no free actions inside another one: each would offer the others
again, without an end.
"""

from __future__ import annotations

from typing import Any

from .faults import Carried, Refused, Trouble
from .trials import Machine, after_looking, explore, phase_bound, remember


def free_action_carries(machine: Machine, S: Any, number: int) -> bool | None:
    """Whether a free action could be carried through from here; `S.refusal()` says why not. None if this is not its
    moment at all."""
    S.tried.reason = None
    _, routine, during, params, _ = machine.meta.free_actions[number]
    args = free_args(machine, S.k, during, params, S.who)
    return None if args is None else _free_goes_through(machine, S, routine, args)


def free_actions(machine: Machine, S: Any, site: int, who: int, known: tuple[bool | None, ...] = ()) -> list[int]:
    """The free actions that may be taken at this decision: none inside another one. `known`: what is foreseen of each,
    if that has been asked already."""
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
        sure = known[number] if known else can(S, *args) if callable(can) else can
        if sure is not None and not sure:
            continue
        if (sure and described.steady) or _free_goes_through(machine, S, routine, args):
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


def _free_goes_through(machine: Machine, S: Any, routine: str, args: tuple[Any, ...]) -> bool:
    """The free action can be carried through, and the decision it interrupts can still be answered."""
    if not _has_something_to_offer(machine, S, routine, args):
        return False
    copy = S.trial_copy()
    bound = phase_bound(machine, S)
    copy.k.append(machine.frame(routine, args))
    budget = [machine.meta.limits["trial_steps"]]
    return after_looking(machine, S, budget, explore(machine, copy, bound, args[0], budget))


def _has_something_to_offer(machine: Machine, S: Any, routine: str, args: tuple[Any, ...]) -> bool:
    """Whether the question that a rule begins with has any option. Asking changes nothing, so no copy is needed."""
    frame = machine.frame(routine, args)
    if frame[0] not in machine.meta.ask_segments:
        return True
    kept = S.site, S.who, S.opts, S.pick
    try:
        if not machine.trial_code[frame[0]](S, frame) or S.opts:
            return True
        remember(S, S.site)
        return False
    except Refused as refused:
        remember(S, refused)
        return False
    except (Carried, Trouble):
        return True
    finally:
        S.site, S.who, S.opts, S.pick = kept
