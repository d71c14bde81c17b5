"""How much the limits of a ruleset may be at most: whoever runs a game has the last word, not who wrote it.

A manifest may set limits (steps between two decisions, options of one, …), higher or lower than usual. Above them stand
the ceilings of this process: those of `HIGHEST`, or what `RULEWRIGHT_LIMITS` says (`steps=50000,options=2000`), or what
the caller of `load` asks for while a game is loaded. What a manifest asks for beyond them it does not get.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import fields

from .gathered import Limits

HIGHEST = Limits(frames=10_000, steps=1_000_000, options=100_000, decisions=200_000, trial_steps=200_000, log=500_000)

_asked_for: ContextVar[Limits | None] = ContextVar("ceilings", default=None)


class WrongLimits(Exception):
    """Limits that are none."""


def ceilings() -> Limits:
    """The ceilings that hold now."""
    return _asked_for.get() or _of_environment(os.environ.get("RULEWRIGHT_LIMITS", ""))


@contextmanager
def under(limits: Limits | None) -> Iterator[None]:
    """What is loaded meanwhile stays below these limits."""
    token = _asked_for.set(limits or _asked_for.get())
    try:
        yield
    finally:
        _asked_for.reset(token)


def lowered(limits: Limits) -> Limits:
    """The limits of a manifest, none of them above its ceiling."""
    highest = ceilings()
    return Limits(**{f.name: min(getattr(limits, f.name), getattr(highest, f.name)) for f in fields(Limits)})


def limits_of(asked: Mapping[str, object]) -> Limits:
    """Ceilings by name; those that are not named are the usual ones. Raises WrongLimits."""
    known = {f.name for f in fields(Limits)}
    for name, value in asked.items():
        if name not in known:
            raise WrongLimits(f"there is no limit `{name}`: there are {', '.join(sorted(known))}")
        if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= 100_000_000:
            raise WrongLimits(f"the limit `{name}` is {value!r}, and must be a number from 1 to 100,000,000")
    return Limits(**{f.name: asked.get(f.name, getattr(HIGHEST, f.name)) for f in fields(Limits)})  # type: ignore[arg-type]


def written(limits: Limits) -> str:
    """Ceilings as `RULEWRIGHT_LIMITS` has them."""
    return ",".join(f"{f.name}={getattr(limits, f.name)}" for f in fields(Limits))


def _of_environment(text: str) -> Limits:
    if not text.strip():
        return HIGHEST
    asked: dict[str, object] = {}
    for part in text.split(","):
        name, _, value = part.partition("=")
        asked[name.strip()] = int(value) if value.strip().isdigit() else value.strip()
    return limits_of(asked)
