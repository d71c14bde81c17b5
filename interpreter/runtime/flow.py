"""What emitted code calls to ask, perform and say.

Emitted code holds what differs from game to game. What is the same in all games is here, as functions that are bound
once for each way of running to the tables of the game: a call then passes only what changes from call to call. How
rules end a game is in `ends`, how they look ahead in `trials` and `free_actions`.
"""

from __future__ import annotations

from typing import Any

from ..compile.meta import FREE, PASS
from . import ends
from .faults import Refused, Trouble, spend
from .free_actions import free_actions
from .log import note_forced_pick
from .trail import CLOSED, FELL, OPENED, SETTLED, TOLD, WROTE, add
from .trials import Machine, bind_trials, is_running, is_supplied
from .unseen import offers, unseen_by, unseen_offsets, unset_offsets, values_of


def bind(machine: Machine, names: dict[str, Any], track: bool, trial: bool) -> dict[str, Any]:
    """The functions by the names under which emitted code knows them. `track`: knowledge and log are kept; `trial`: the
    rules run to find out whether an option can be carried through."""
    return {
        **_asking(machine),
        **_telling(machine, track and machine.meta.has_secrets),
        **bind_trials(machine, names, trial, track),
        **_performing(machine, names),
        **_nesting(machine, names),
        **_noting(),
        **ends.bind(machine.meta, names),
    }


# ---------------------------------------------------------------------------- decisions


def _asking(machine: Machine) -> dict[str, Any]:
    meta = machine.meta

    def with_free_actions(S: Any, site: int, who: int, options: list[Any], *known: bool | None) -> list[Any]:
        return options + [FREE - number for number in free_actions(machine, S, site, who, known)]

    def not_asked(S: Any, site: int, who: int, picked: tuple[int, ...], pick: int) -> None:
        """Notes that nobody was asked, because that tells the other players something too."""
        if S.ev is not None:
            S.site, S.who = site, who
            if pick >= 0:  # neither passed nor skipped: the only pick left
                note_forced_pick(S, pick, picked)
            S.ev = (S.ev, (FELL, between_decisions(S), picked, pick))

    def set_options(
        S: Any,
        candidates: list[int],
        picked: tuple[int, ...],
        low: int,
        high: int | None,
        such: Any,
        how: str,
        lowest: int,
        units: int,
    ) -> list[int] | None:
        return _set_options(meta, S, candidates, picked, low, high, such, how, lowest, units)

    return {
        "not_asked": not_asked,
        "set_options": set_options,
        "with_free_actions": with_free_actions,
    }


def _set_options(
    meta: Any,
    S: Any,
    candidates: list[int],
    picked: tuple[int, ...],
    low: int,
    high: int | None,
    such: Any,
    how: str,
    lowest: int,
    units: int,
) -> list[int] | None:
    """What may be picked next for a set: elements later in order than the last pick from which a whole set can still be
    made. None if the set is as large as it may be."""
    highest = len(candidates) if high is None else min(high, len(candidates))
    if len(picked) >= (highest if high is None else high) and len(picked) >= low and (such is None or such(picked)):
        return None
    if picked and picked[-1] not in candidates:
        return []  # a world that does not offer what was picked: it is drawn again
    start = candidates.index(picked[-1]) + 1 if picked else 0
    options: list[int] = []
    seen: set[Any] = set()
    if len(picked) < highest:
        for position in range(start, len(candidates)):
            item = candidates[position]
            if how and _is_copy(meta, S, item, seen):
                continue
            if _completes(S, (*picked, item), candidates, position + 1, low, highest, such, units):
                options.append(item - lowest)
    if len(picked) >= low and (such is None or such(picked)):
        options.append(PASS)
    return options


def _is_copy(meta: Any, S: Any, piece: int, seen: set[Any]) -> bool:
    """True if an equal piece of the same unordered place has been met: picking either of the two is one choice."""
    place = S.at[piece]
    if place >= 0 and not meta.unordered[place]:
        return False
    key = (meta.piece_row[piece], place)
    if key in seen:
        return True
    seen.add(key)
    return False


def _completes(
    S: Any, picked: tuple[int, ...], candidates: list[int], start: int, low: int, high: int, such: Any, units: int
) -> bool:
    """True if a whole set can still come of it, with candidates from `start` on. With a condition on the whole that is
    a search, and only its count bounds it: so nothing here may take longer where there are more candidates."""
    if len(picked) + len(candidates) - start < low:
        return False
    if such is None:
        return True
    spend(S, units)
    if len(picked) >= low and such(picked):
        return True
    if len(picked) >= high:
        return False
    return any(
        _completes(S, (*picked, candidates[position]), candidates, position + 1, low, high, such, units)
        for position in range(start, len(candidates))
    )


# ---------------------------------------------------------------------------- effects in cells


def _planned(machine: Machine, call: Any) -> Any:
    """A call of a cell, with everything prepared that is the same every time: the first segment and the empty slots of
    its frame, if it has one."""
    routine, takes_player, args = call
    entry = None
    if routine in machine.entries:
        first, size = machine.entries[routine]
        entry = (first, (0,) * (size - 1 - len(args) - takes_player))
    return routine, entry, takes_player, args, any(map(is_supplied, args))


def _plain_call(calls: Any, nest: bool) -> Any:
    """The only call of a cell, if neither the call nor the cell needs a frame: no rule asks whether the cell is
    running."""
    if nest or len(calls) != 1:
        return None
    routine, entry, takes_player, args, supplied = calls[0]
    return (routine, takes_player, args) if entry is None and not supplied else None


def between_decisions(S: Any) -> Any:
    """A snapshot of a moment at which nothing is asked. The options of the last decision are left out: they mean
    nothing here."""
    taken = S.snapshot()
    taken.opts = []
    return taken


def _telling(machine: Machine, keeps_trail: bool) -> dict[str, Any]:
    """What is noted for the worlds of the players (`trail`)."""
    meta = machine.meta
    unseen, unset = unseen_offsets(meta), unset_offsets(meta)
    ranges = {offset: values_of(meta, field) for offset, field in unseen_by(meta, None).items()}
    naming = {offset for offset, field in unseen_by(meta, None).items() if field.thing == "piece"}

    def told(S: Any, number: int, args: tuple[Any, ...], value: Any) -> Any:
        if keeps_trail and S.ev is not None:
            S.ev = (S.ev, (TOLD, between_decisions(S), number, args, value))
        return value

    def wrote(S: Any, first: int, is_unseen: bool, size: int = 1, chosen: bool = False) -> None:
        if not size and keeps_trail and S.ev is not None and 0 <= first < meta.lists:
            # Of a single piece that goes there is no order, so a world need not work out in which one it went.
            if not is_unseen and len(S.p[first]) < 2:
                return
            S.ev = (S.ev, (SETTLED, tuple(S.p[first])))
        for offset in range(first, first + size):
            S.shown.pop(offset, None)
            if offset in unset:
                S.shown[~offset] = 1
            if keeps_trail and S.ev is not None and offset in unseen:
                value = S.f[offset]
                offered, who = offers(meta, S.ev, value) if chosen else (None, -1)
                # A piece that was not chosen just now gets its name in the world, wherever it is mentioned.
                is_guessed = is_unseen and not offered and offset not in naming
                values = offered or (ranges[offset] if is_guessed else None)
                S.ev = (S.ev, (WROTE, offset, value, values, is_guessed, who if offered else -1))

    return {"told": told, "wrote": wrote}


def _performing(machine: Machine, names: dict[str, Any]) -> dict[str, Any]:
    """Carrying out the effects that are printed in a cell of a table."""
    meta = machine.meta

    calls_of = [tuple(_planned(machine, call) for call in cell) for cell in meta.cells]
    plain = [_plain_call(calls, meta.cells_nest) for calls in calls_of]

    def perform(S: Any, cell: int, who: int, given: tuple[tuple[str, Any], ...], refusal: int) -> int:
        if cell < 0 or (S.running and is_running(S, cell)):
            raise Refused(refusal)
        call = plain[cell]
        if call is not None:
            routine, takes_player, args = call
            if takes_player:
                names[routine](S, who, *args)
            else:
                names[routine](S, *args)
            return 0
        limit_frames(meta, S)
        # The frame of a cell: its segment, which only goes on with it, the cell, its player, the calls done, what the
        # rule that performs it supplies.
        F = [0, cell, who, 0, given]
        S.k.append(F)
        S.running += 1
        return perform_next(S, F)

    def perform_next(S: Any, F: list[Any]) -> int:
        """Performs the calls of a cell one after the other; after the last one the cell is done. A call with a frame
        may stop at a decision, so it is left to the machine, which comes back here when that frame is gone."""
        calls = calls_of[F[1]]
        done = F[3]
        while done < len(calls):
            routine, entry, takes_player, args, supplied = calls[done]
            F[3] = done = done + 1
            if supplied:
                given = dict(F[4])
                args = tuple(given[arg[0]] if is_supplied(arg) else arg for arg in args)
            if entry is not None:
                first, padding = entry
                G = [first, F[2], *args, *padding] if takes_player else [first, *args, *padding]
                S.k.append(G)
                return names["CODE"][first](S, G)  # type: ignore[no-any-return]
            if takes_player:
                names[routine](S, F[2], *args)
            else:
                names[routine](S, *args)
        S.k.pop()
        S.running -= 1
        return 0

    return {"perform": perform, "perform_next": perform_next}


def _nesting(machine: Machine, names: dict[str, Any]) -> dict[str, Any]:
    """Formulas in cells, and what rules ask about the rules around them."""
    meta = machine.meta

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
        limit_frames(meta, S)

    return {
        "formula": formula,
        "rule_running": rule_running,
        "cell_running": is_running,
        "limit_depth": limit_depth,
    }


def limit_frames(meta: Any, S: Any) -> None:
    """Stops rules that nest too deeply. Only `perform` and rules with a depth can nest without a bound of their own,
    and both ask here."""
    if len(S.k) > meta.limits["frames"]:
        raise Trouble("R0904", f"rules are nested more than {meta.limits['frames']} deep")


# ---------------------------------------------------------------------------- the log, what is done together


def _noting() -> dict[str, Any]:
    """Lines of the log, and the beginning and end of what players do `together`."""

    def say(S: Any, text: int, values: tuple[Any, ...], to: int | None) -> None:
        S.note(("say", text, values, to))

    def begin_together(S: Any) -> None:
        """From here on nobody sees what the others do. The state is kept as it is now: worlds choose anew from here
        what a player has not seen."""
        if S.together == 0 and S.kn is not None:
            S.apart = S.clone()
            if S.ev is not None and S.meta.works_out:
                add(S, (OPENED, S.snapshot()))
        S.together += 1

    def end_together(S: Any) -> None:
        S.together -= 1
        if S.together == 0:
            S.apart = None
            if S.ev is not None and S.meta.works_out:
                add(S, (CLOSED,))

    return {"say": say, "begin_together": begin_together, "end_together": end_together}
