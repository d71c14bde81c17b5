"""Runs the author's scenarios on games that count: which parts of the rules do they execute, and which pass?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..diagnostics.diagnostic import RulesetError
from ..play.scenario_run import run_scenario
from ..play.scenarios import find_scenarios
from ..play.stage import Theatre
from ..play.verdicts import Failed, Failure, Found
from ..runtime.faults import Refused, Trouble
from .spots import Spots, add_spots, spots_of
from .watched_game import watched_program


@dataclass
class Rehearsal:
    """The failure of each scenario (None: it passed), and what all of them together executed."""

    verdicts: list[tuple[Found, Failure | None]] = field(default_factory=list)
    spots: Spots = field(default_factory=dict)
    scored: set[str] = field(default_factory=set)  # labels of score lines that give something where a scenario ends


def rehearse(name: str) -> Rehearsal:
    """Runs every scenario written for a game. Raises RulesetError if the game itself cannot be used."""
    rehearsal = Rehearsal()
    groups: dict[tuple[str, int], list[Found]] = {}
    for found in find_scenarios(name):
        groups.setdefault((found.game, found.players), []).append(found)
    for (game, players), scenarios in groups.items():
        _run_group(game, players, scenarios, rehearsal)
    return rehearsal


def _run_group(name: str, players: int, scenarios: Sequence[Found], rehearsal: Rehearsal) -> None:
    try:
        theatre = Theatre(name, players, [found.scenario for found in scenarios])
    except RulesetError as unusable:
        for found in scenarios:
            message = f"`{name}` for {players} players has findings"
            failure = Failure("ruleset", message, found.at, diagnostics=tuple(unusable.diagnostics))
            rehearsal.verdicts.append((found, failure))
        return
    theatre.game, counts = watched_program(theatre.program)
    for found in scenarios:
        try:
            state = run_scenario(found.scenario, theatre)
        except Failed as failed:
            rehearsal.verdicts.append((found, failed.failure))
            continue
        rehearsal.verdicts.append((found, None))
        rehearsal.scored |= _scored(state)
    add_spots(rehearsal.spots, spots_of(theatre.game, counts, theatre.program))


def _scored(state: Any) -> set[str]:
    """The score lines that give something; none if a state set up by hand cannot be scored."""
    try:
        return {label for lines in state.score_lines for label, points in lines if points}
    except (Trouble, Refused):
        return set()
