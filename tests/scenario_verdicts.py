"""The verdicts on the scenarios of a ruleset as it is, found once: several tests ask whether they pass."""

from __future__ import annotations

from functools import cache

from interpreter.play.scenarios import find_scenarios, run_scenarios
from interpreter.play.verdicts import Verdict


@cache
def verdicts(name: str) -> tuple[Verdict, ...]:
    return tuple(run_scenarios(find_scenarios(name)))
