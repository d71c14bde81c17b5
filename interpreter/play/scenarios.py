"""The author's scenarios of a ruleset: finds them, groups them by the game they need, and runs them one by one.

A scenario may say for how many players and with which variants it is meant; without a count it is played with the
fewest players. It states facts about the game it was written for, and a variant or a ruleset that uses that game may
change those facts. So a game with variants runs only the scenarios that name all of these variants, and scenarios of
used rulesets are not run. Scenarios that need the same game share it. A failing scenario reports the line, what was
expected and what was found; if its game has errors, it fails with those.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence

from ..check.declared import Declared
from ..check.program import Program
from ..diagnostics.diagnostic import Diagnostic, Diagnostics, RulesetError
from ..ruleset.gather import gather
from ..ruleset.gathered import Gathered
from ..syntax import nodes
from .scenario_lines import read_lines
from .scenario_run import run_scenario
from .stage import Theatre
from .verdicts import Failed, Failure, Found, Verdict

Checked = dict[tuple[str, int], tuple[Declared, Program] | None]  # games without errors, by name and number of players


def find_scenarios(name: str) -> list[Found]:
    """Every scenario written for a game, in the order of the files. Raises RulesetError for an unusable ruleset."""
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
    """The scenario with its game: the variants it names in addition to the requested ones."""
    known = {variant.name: variant for variant in gathered.all_variants}
    more = [variant.text for variant in scenario.variants if variant.text not in gathered.variants]
    fewest = max([gathered.fewest, *(known[variant].fewest for variant in more if variant in known)])
    return Found(scenario, "+".join([name, *more]), scenario.players or fewest)


def run_scenarios(scenarios: Sequence[Found]) -> Iterator[Verdict]:
    """Runs the scenarios in order; each game is compiled once for all scenarios that need it."""
    theatres: dict[tuple[str, int], Theatre | RulesetError] = {}
    for found in scenarios:
        key = (found.game, found.players)
        if key not in theatres:
            theatres[key] = _opened(*key, [one.scenario for one in scenarios if (one.game, one.players) == key])
        started = time.perf_counter()
        failure = _failure_of(found, theatres[key])
        yield Verdict(found, time.perf_counter() - started, failure)


def scenario_findings(scenarios: Sequence[Found], checked: Checked | None = None) -> list[Diagnostic]:
    """The errors in the lines of scenarios, without running them. Their games must have been checked already;
    `checked`: those that are at hand."""
    findings: list[Diagnostic] = []
    groups: dict[tuple[str, int], list[nodes.Scenario]] = {}
    for found in scenarios:
        groups.setdefault((found.game, found.players), []).append(found.scenario)
    for (name, players), own in groups.items():
        try:
            lines = read_lines(name, players, own, checked=True, game=(checked or {}).get((name, players)))
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
