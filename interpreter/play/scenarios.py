"""The author's scenarios of a ruleset: found, grouped by the game they need, run one by one.

A scenario says for how many players and with which variants it is meant; without that it is played by as few as may. It
states facts of the game it was written for, which a variant or a ruleset that uses that game is there to change: so a
game asked for with variants has the scenarios that name all of them, and those of used rulesets stay with these.
Scenarios that need the same game share it. A scenario that fails says at which line,
what was expected and what was found; one whose game has findings fails with these.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from ..diagnostics.diagnostic import Diagnostic, Diagnostics, RulesetError
from ..ruleset.gather import gather
from ..ruleset.gathered import Gathered
from ..syntax import nodes
from .scenario_lines import read_lines
from .scenario_run import run_scenario
from .stage import Theatre
from .verdicts import Failed, Failure, Found, Verdict


def find_scenarios(name: str) -> list[Found]:
    """Every scenario written for a game, in the order of the files. An unusable ruleset is a RulesetError."""
    found = Diagnostics()
    gathered = gather(name, None, found)
    if gathered is None:
        raise RulesetError(found.found)
    scenarios = [placed.declaration for placed in gathered.scenarios if placed.layer.role == "game"]
    return [
        _placed(scenario, name, gathered)
        for scenario in scenarios
        if isinstance(scenario, nodes.Scenario) and _names_all(scenario, gathered.variants)
    ]


def _names_all(scenario: nodes.Scenario, variants: tuple[str, ...]) -> bool:
    return set(variants) <= {name.text for name in scenario.variants}


def _placed(scenario: nodes.Scenario, name: str, gathered: Gathered) -> Found:
    """The scenario in its game: the variants it names on top of those asked for."""
    known = {variant.name: variant for variant in gathered.all_variants}
    more = [variant.text for variant in scenario.variants if variant.text not in gathered.variants]
    fewest = max([gathered.fewest, *(known[variant].fewest for variant in more if variant in known)])
    return Found(scenario, "+".join([name, *more]), scenario.players or fewest)


def run_scenarios(scenarios: Sequence[Found]) -> Iterator[Verdict]:
    """Run them in their order; a game is compiled once for all that need it."""
    theatres: dict[tuple[str, int], Theatre | RulesetError] = {}
    for found in scenarios:
        key = (found.game, found.players)
        if key not in theatres:
            theatres[key] = _opened(*key, [one.scenario for one in scenarios if (one.game, one.players) == key])
        started = time.perf_counter()
        failure = _failure_of(found, theatres[key])
        yield Verdict(found, time.perf_counter() - started, failure)


def scenario_findings(scenarios: Sequence[Found]) -> list[Diagnostic]:
    """What is wrong with the lines of scenarios, without running them. Their games are taken to be checked."""
    findings: list[Diagnostic] = []
    groups: dict[tuple[str, int], list[nodes.Scenario]] = {}
    for found in scenarios:
        groups.setdefault((found.game, found.players), []).append(found.scenario)
    for (name, players), own in groups.items():
        try:
            lines = read_lines(name, players, own, checked=True)
        except RulesetError:
            continue
        findings += [finding for scenario in own for finding in lines.findings[id(scenario)]]
    return findings


def _opened(name: str, players: int, scenarios: list[nodes.Scenario]) -> Theatre | RulesetError:
    try:
        return Theatre(name, players, scenarios)
    except RulesetError as unusable:
        return unusable


def _failure_of(found: Found, theatre: Theatre | RulesetError) -> Failure | None:
    if isinstance(theatre, RulesetError):
        message = f"`{found.game}` for {found.players} players has findings"
        return Failure("ruleset", message, found.at, diagnostics=tuple(theatre.diagnostics))
    try:
        run_scenario(found.scenario, theatre)
    except Failed as failed:
        return failed.failure
    return None
