"""Paying with things of several kinds: what may be paid next so that the rest can still be met.

A payment is a tuple of costs, each (amount, pattern, among, kinds), and a kind is (key, how many are held, value told
apart by, wild, how to take it). Picks are keys in the order paid, cost after cost; within a cost they follow the order
of its kinds, so that every way to pay is offered once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from .faults import Refused

Kind = tuple[int, int, int, bool, tuple[Any, ...]]
Cost = tuple[int, str | None, Sequence[int], tuple[Kind, ...]]


def counter_source(f: list[int], key: int, offset: int, wild: bool) -> tuple[Kind, ...]:
    return ((key, f[offset], -1, wild, ("counter", offset)),) if f[offset] > 0 else ()


def bind(rows: tuple[int, ...], names: dict[str, Any]) -> dict[str, Any]:
    """The payment functions that emitted code calls; `rows` gives the row of each piece."""

    def piece_source(pieces: Iterable[int], by: tuple[int, ...] | None, wild: bool, back: int, how: str) -> tuple[Kind, ...]:
        held: dict[int, list[int]] = {}
        for piece in pieces:
            held.setdefault(rows[piece], []).append(piece)
        return tuple(
            (row, len(found), by[found[0]] if by is not None else -1, wild, ("pieces", tuple(found), back, how))
            for row, found in held.items()
        )

    def settle(S: Any, costs: tuple[Cost, ...], picks: tuple[int, ...], to: int | None) -> None:
        """Takes what was picked; counters go to the player `to` if there is one (same field, other owner)."""
        taken: dict[int, int] = {}
        for key, kind in _with_kinds(costs, picks):
            manner = kind[4]
            if manner[0] == "counter":
                S.f[manner[1]] -= 1
            else:
                _, pieces, back, how = manner
                piece = pieces[taken.get(key, 0)]
                taken[key] = taken.get(key, 0) + 1
                source = S.at[piece]
                names[f"put_{how}"](S, piece, back)
                if S.kn is not None:
                    names["moved"](S, piece, source, back, False)

    return {
        "counter_source": counter_source,
        "piece_source": piece_source,
        "payable": payable,
        "payment_options": payment_options,
        "settle": settle,
    }


def _with_kinds(costs: tuple[Cost, ...], picks: tuple[int, ...]) -> list[tuple[int, Kind]]:
    found = []
    position = 0
    for amount, _, _, kinds in costs:
        for key in picks[position : position + amount]:
            found.append((key, next(kind for kind in kinds if kind[0] == key)))
        position += amount
    return found


def payment_options(costs: tuple[Cost, ...], picks: tuple[int, ...], refusal: int) -> list[int] | None:
    """Kinds that may be paid next; None when all is paid; a refusal when it cannot be paid."""
    if len(picks) >= sum(cost[0] for cost in costs):
        return None
    options = [key for key in _next_keys(costs, picks) if payable(costs, (*picks, key))]
    if not options:
        raise Refused(refusal, lambda: (sum(cost[0] for cost in costs),))
    return options


def payable(costs: tuple[Cost, ...], picks: tuple[int, ...]) -> bool:
    """What is picked fits so far, and the rest can be met."""
    if not _fits(costs, picks):
        return False
    if len(picks) >= sum(cost[0] for cost in costs):
        return True
    return any(payable(costs, (*picks, key)) for key in _next_keys(costs, picks))


def _next_keys(costs: tuple[Cost, ...], picks: tuple[int, ...]) -> list[int]:
    """Kinds of the cost that is being paid, from the last one picked on, of which something is left."""
    position = 0
    for amount, _, _, kinds in costs:
        if len(picks) < position + amount:
            own = picks[position:]
            keys = [kind[0] for kind in kinds]
            start = keys.index(own[-1]) if own else 0
            return [kind[0] for kind in kinds[start:] if kind[1] > picks.count(kind[0])]
        position += amount
    return []


def _fits(costs: tuple[Cost, ...], picks: tuple[int, ...]) -> bool:
    position = 0
    for amount, pattern, among, kinds in costs:
        own = picks[position : position + amount]
        by_key = {kind[0]: kind for kind in kinds}
        values = [by_key[key][2] for key in own if not by_key[key][3]]
        if pattern == "all_different" and len(set(values)) != len(values):
            return False
        if pattern == "all_equal" and len(set(values)) > 1:
            return False
        if pattern == "among" and any(value not in among for value in values):
            return False
        position += amount
    return True
