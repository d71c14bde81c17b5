"""Paying with units of several kinds: what may be paid next so that the rest can still be paid.

A payment is a tuple of costs, each (amount, pattern, among, kinds, the number of different values in the game). A kind
is (key, number held, value by which units are told apart, wild, source, what is held: pieces, or (offset, step to the
next seat, bounds, name) for a counter). Picks are keys in the order paid, cost after cost. Within a cost they follow
the order of its kinds: paying red then blue and blue then red are the same payment and must not both be offered. Units
that nothing tells apart have a value of their own: equal to one another, different from all others.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Any

from .faults import Refused, in_range, spend

WILD = 1 << 30  # the value of pieces that have none: above all others
MOST_COUNTED = 8  # costs at once: the groups of more are too many to count

Kind = tuple[int, int, int, bool, int, tuple[Any, ...]]
Cost = tuple[int, str | None, Sequence[int], tuple[Kind, ...], int]


def counter_source(
    f: list[int], key: int, offset: int, wild: bool, source: int, counter: tuple[Any, ...]
) -> tuple[Kind, ...]:
    """`counter` is (step to the next seat, low, high, capped, name)."""
    held = f[offset] - counter[1]
    return ((key, held, -2 - key, wild, source, (offset, *counter)),) if held > 0 else ()


def bind(rows: tuple[int, ...], names: dict[str, Any]) -> dict[str, Any]:
    """The payment functions that emitted code calls; `rows` gives the row of each piece."""

    def piece_source(
        pieces: Iterable[int], by: tuple[int, ...] | None, wild: bool, source: int, none: int | None = None
    ) -> tuple[Kind, ...]:
        """Pieces whose value is `none` are wild; they come last."""
        found: list[tuple[int, int, list[int]]] = []
        last = -1
        for piece in sorted(pieces):  # equal pieces have consecutive numbers
            row = rows[piece]
            if row != last:
                last = row
                value = by[piece] if by is not None else -2 - len(rows) - source
                found.append((WILD if value == none else value, row, [piece]))
            else:
                found[-1][2].append(piece)
        found.sort()
        return tuple(
            [(row, len(held), value, wild or value == WILD, source, tuple(held)) for value, row, held in found]
        )

    return {
        "counter_source": counter_source,
        "piece_source": piece_source,
        "payable": payable,
        "payment_options": payment_options,
        "paid": paid,
        "settle": settle,
    }


def settle(S: Any, costs: tuple[Cost, ...], picks: tuple[int, ...], player: int, to: int | None) -> None:
    """Deducts the counters that were picked; they go to the player `to` if one is given."""
    for _, kind, _ in _units(costs, picks):
        if len(kind[5]) == 6 and isinstance(kind[5][5], str):
            offset, step, low, high, capped, name = kind[5]
            S.f[offset] -= 1
            if to is not None:
                theirs = offset + (to - player) * step
                more = S.f[theirs] + 1
                S.f[theirs] = min(more, high) if capped else in_range(more, low, high, name, None)


def paid(costs: tuple[Cost, ...], picks: tuple[int, ...], cost: int, source: int) -> tuple[int, ...]:
    """The pieces paid from one source for one cost, in the order picked."""
    return tuple(
        piece for at, kind, piece in _units(costs, picks) if piece is not None and (at, kind[4]) == (cost, source)
    )


def _units(costs: tuple[Cost, ...], picks: tuple[int, ...]) -> list[tuple[int, Kind, int | None]]:
    """For each pick its cost, its kind and the piece that is paid (None for a counter): the first of its kind that is
    not yet used."""
    found: list[tuple[int, Kind, int | None]] = []
    gone: set[int] = set()
    position = 0
    for number, (amount, _, _, kinds, _) in enumerate(costs):
        for key in picks[position : position + amount]:
            same = [kind for kind in kinds if kind[0] == key]
            kind, piece = same[0], None
            if not (len(kind[5]) == 6 and isinstance(kind[5][5], str)):
                kind, piece = next((kind, piece) for kind in same for piece in kind[5] if piece not in gone)
                gone.add(piece)
            found.append((number, kind, piece))
        position += amount
    return found


def payment_options(S: Any, costs: tuple[Cost, ...], picks: tuple[int, ...], refusal: int) -> list[int] | None:
    """The kinds that may be paid next; None if everything is paid; raises Refused if the costs cannot be paid."""
    if len(picks) >= sum(cost[0] for cost in costs):
        return None
    options = [key for key in _next_keys(costs, picks) if payable(S, costs, (*picks, key))]
    if not options:
        raise Refused(refusal, lambda: (sum(cost[0] for cost in costs),))
    return options


def payable(S: Any, costs: tuple[Cost, ...], picks: tuple[int, ...]) -> bool:
    """True if the picks so far fit the patterns and the rest can still be paid."""
    # A stack of its own, because a search goes one deeper for each unit: hundreds of them would overflow Python's.
    waiting = [picks]
    while waiting:
        picks = waiting.pop()
        told = _is_told(S, costs, picks)
        if told:
            return True
        if told is None:
            spend(S, 16 + 8 * sum([len(cost[3]) for cost in costs]) + len(picks))
            waiting += [(*picks, key) for key in reversed(_next_keys(costs, picks))]
    return False


def _is_told(S: Any, costs: tuple[Cost, ...], picks: tuple[int, ...]) -> bool | None:
    """True or False if the rest of a payment is decided without a search; None if it is not."""
    # A single cost whose kinds all have different keys is decided by counting, and so are several costs that ask for no
    # more than certain values. Otherwise two kinds share a key, or patterns compete for the same units, and only a
    # search over the remaining picks tells.
    if not picks and len(costs) == 1:
        return _is_held(costs[0], costs[0][3], (), costs[0][0])
    if not _fits(costs, picks):
        return False
    if len(costs) == 1 and len({kind[0] for kind in costs[0][3]}) == len(costs[0][3]):
        return _rest_is_held(costs[0], picks)
    if len(picks) >= sum(cost[0] for cost in costs):
        return True
    return _is_counted(S, costs, picks)


def _is_counted(S: Any, costs: tuple[Cost, ...], picks: tuple[int, ...]) -> bool | None:
    """Several costs, each for any units or for units of certain values: True if the rest can be paid, None if counting
    does not tell.

    Each sort of unit fits some of the costs. If it fits one or all of them, what is missing at each cost must be met by
    those that fit all (gold for any gem). In general every group of costs must find as many units that fit one of them
    as the group needs: that is enough too (Hall's theorem).
    """
    if len(costs) > MOST_COUNTED or any(cost[1] not in (None, "among") for cost in costs):
        return None
    needs: list[int] = []
    held: dict[int, int] = {}
    fits: dict[int, int] = {}
    position, everything = 0, 0
    for number, (amount, pattern, among, kinds, _) in enumerate(costs):
        own = min(max(len(picks) - position, 0), amount)
        position += amount
        needs.append(amount - own)
        bit = 1 << number if amount > own else 0
        everything |= bit
        waits_for = picks[-1] if bit and own else None  # picks of one cost follow the order of its kinds
        seen: set[int] = set()
        for key, count, value, wild, *_ in kinds:
            if key in seen or held.setdefault(key, count) != count:
                return None
            seen.add(key)
            if key == waits_for:
                waits_for = None
            if waits_for is None and (wild or pattern is None or value in among):
                fits[key] = fits.get(key, 0) | bit
    spend(S, everything * everything // 8)  # groups and sorts of units that are gone over
    counts: dict[int, int] = {}
    for key, mask in fits.items():
        counts[mask] = counts.get(mask, 0) + held[key] - picks.count(key)
    if all(mask == everything or mask & (mask - 1) == 0 for mask in counts):
        missing = sum([max(0, need - counts.get(1 << n, 0)) for n, need in enumerate(needs) if 1 << n != everything])
        alone = sum(needs) if everything & (everything - 1) == 0 else missing
        return alone <= counts.get(everything, 0)
    for group in range(1, everything + 1):
        need = sum([need for n, need in enumerate(needs) if group >> n & 1])
        if need > sum([count for mask, count in counts.items() if mask & group]):
            return False
    return True


def _rest_is_held(cost: Cost, picks: tuple[int, ...]) -> bool:
    """True if the rest of a single cost can be paid, decided by counting: later picks follow the order of the kinds, so
    kinds before the last pick are out."""
    amount, _, _, kinds, _ = cost
    last = picks[-1]
    start = next(n for n, kind in enumerate(kinds) if kind[0] == last)
    left = [(key, count - picks.count(key), value, wild, 0, ()) for key, count, value, wild, *_ in kinds[start:]]
    used = {kind[2] for kind in kinds if not kind[3] and kind[0] in picks}
    return _is_held(cost, left, used, amount - len(picks))


def _is_held(cost: Cost, kinds: Iterable[Kind], used: Collection[int], missing: int) -> bool:
    """True if `missing` more units of these kinds can be found that fit the pattern; `used` holds the values of the
    units already paid."""
    amount, pattern, among, _, values_at_all = cost
    wild = 0
    held: dict[int, int] = {}
    for _, count, value, is_wild, *_ in kinds:
        if count > 0 and is_wild:
            wild += count
        elif count > 0:
            held[value] = held.get(value, 0) + count
    # With `all different` a wild unit must stand for a value of its own, so more units than there are values cannot be
    # paid, wild or not.
    if pattern == "all_different":
        found = sum([value not in used for value in held]) + (wild if amount <= values_at_all else 0)
    elif pattern == "all_equal":
        found = wild + max([held[value] for value in (used or held) if value in held], default=0)
    elif pattern == "among":
        found = wild + sum([count for value, count in held.items() if value in among])
    else:
        found = wild + sum(held.values())
    return found >= missing


def _next_keys(costs: tuple[Cost, ...], picks: tuple[int, ...]) -> list[int]:
    """The kinds of the current cost, starting with the last one picked, of which something is left."""
    position = 0
    for amount, _, _, kinds, _ in costs:
        if len(picks) < position + amount:
            own = picks[position:]
            keys = list(dict.fromkeys(kind[0] for kind in kinds))
            start = keys.index(own[-1]) if own else 0
            return [key for key in keys[start:] if sum(kind[1] for kind in kinds if kind[0] == key) > picks.count(key)]
        position += amount
    return []


def _fits(costs: tuple[Cost, ...], picks: tuple[int, ...]) -> bool:
    position = 0
    for amount, pattern, among, kinds, values_at_all in costs:
        own = picks[position : position + amount]
        position += amount
        if pattern is None or not own:
            continue
        by_key = {kind[0]: kind for kind in kinds}
        values = [by_key[key][2] for key in own if not by_key[key][3]]
        if pattern == "among":
            if any(value not in among for value in values):
                return False
        elif pattern == "all_equal":
            if len(set(values)) > 1:
                return False
        elif len(set(values)) != len(values) or (len(values) < len(own) and amount > values_at_all):
            return False
    return True
