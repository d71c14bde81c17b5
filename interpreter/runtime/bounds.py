"""How much is still to be picked where a set or a payment is picked one by one.

The rules work the numbers out when they ask (`choose up to p.strength c in p.hand`, `pay price(c) from p.coins`), and
the pending decision keeps only the options. So the segment that asks is run once more, on a copy, with code that stops
where the numbers are handed over. Nothing is chosen and nothing is drawn by chance there; whoever decides could work
the numbers out from the options anyway.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .faults import Refused, Trouble
from .payments import Cost


@dataclass(frozen=True)
class SetBounds:
    """`choose 1 to 3 c in p.hand`: at least `low`, at most `high`, of which `picked` are picked."""

    picked: int
    low: int
    high: int


@dataclass(frozen=True)
class PaymentBounds:
    """`pay 3 from p.fruits`: `total` units, of which `paid` are paid. `keys` are those that could pay the present cost:
    rows of pieces, or the number of rows plus that of a field."""

    paid: int
    total: int
    keys: tuple[int, ...]


class _HandedOver(Exception):
    def __init__(self, bounds: SetBounds | PaymentBounds) -> None:
        super().__init__()
        self.bounds = bounds


def bounds_of(state: Any) -> SetBounds | PaymentBounds | None:
    """The numbers of the set or payment that is being made, None if something else is asked. The state stays as it
    is."""
    if state.over or state.meta.sites[state.site].kind not in ("set", "pay"):
        return None
    copy = state.in_python() if hasattr(state, "in_python") else state.clone()
    frame = copy.k[-1]
    try:
        copy.machine.asking_code[frame[0]](copy, frame)
    except _HandedOver as handed:
        return handed.bounds
    except (Refused, Trouble):
        return None
    return None


def names_that_stop() -> dict[str, Any]:
    """What emitted code calls in place of the functions that work out the options of sets and payments."""
    return {"set_options": _stop_at_set, "payment_options": _stop_at_payment}


def _stop_at_set(
    S: Any, candidates: list[int], picked: tuple[int, ...], low: int, high: int | None, *rest: Any
) -> None:
    highest = len(candidates) if high is None else min(high, len(candidates))
    raise _HandedOver(SetBounds(len(picked), low, highest))


def _stop_at_payment(S: Any, costs: tuple[Cost, ...], picks: tuple[int, ...], refusal: int) -> None:
    end = 0
    keys: tuple[int, ...] = ()
    for amount, _, _, kinds, _ in costs:
        end += amount
        if not keys and len(picks) < end:
            keys = tuple(dict.fromkeys(kind[0] for kind in kinds))
    raise _HandedOver(PaymentBounds(len(picks), end, keys))
