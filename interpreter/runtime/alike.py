"""Options of one decision that read alike: do they also do the same?

It is found out by taking both, each in a copy of the game, and comparing everything that can be seen of the outcome.
Pieces are compared by name, because equal copies may well have changed places.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from .faults import Fault
from .running import Running


def do_the_same(state: Running, indexes: Iterable[int]) -> bool:
    """The options lead to the same position, in the eyes of somebody who sees everything."""
    return len({_outcome(state, index, None) for index in indexes}) == 1


def surely_do_the_same(state: Running, indexes: Iterable[int]) -> bool:
    """The options lead to the same position in the eyes of the player who decides, and that tells this player nothing
    new: if taking one shows something hidden, or leaves something to chance, the answer is no."""
    outcomes = {_outcome(state, index, state.who) for index in indexes}
    return len(outcomes) == 1 and None not in outcomes


def _outcome(state: Running, index: int, player: int | None) -> str | None:
    """What a player can see after an option was taken, as one text. None if it tells the player something new."""
    copy = state.clone()
    try:
        copy.apply(index)
    except Fault as fault:
        return str(fault)
    if player is not None and copy.horizon > len(state.h) // 2:
        return None
    seen = copy.view(player)
    del seen["fields"]["pieces"], seen["places"]  # found in `pieces` too, there without the numbers of the copies
    decision = copy.decision
    may_read = decision is not None and player in (None, decision.player)
    options = sorted(str(option) for option in decision.options) if decision is not None and may_read else []
    return json.dumps([_without_numbers(seen), copy.over, copy.ranking, options], sort_keys=True, default=str)


def _without_numbers(value: Any) -> Any:
    """The same data without the labels that tell equal copies of a piece apart."""
    if isinstance(value, dict):
        return {key: _without_numbers(one) for key, one in value.items() if key != "label"}
    return [_without_numbers(one) for one in value] if isinstance(value, list) else value
