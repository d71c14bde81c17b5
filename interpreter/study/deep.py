"""Deep validation: reports what shows only when a ruleset is played, as diagnostics.

Every combination of variants is played for every number of players. A problem in a game is reported with the shortest
sequence of choices that the shrinker finds, as a line that `rulewright replay` reads. Whatever never happened in any
game or scenario is reported at its place in the rules; what only scenarios reach is a remark. A failing scenario is a
finding too. Findings say that something is wrong or dead; remarks are facts that an author should know and may well
have intended.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from shlex import quote
from statistics import median

from ..compile.meta import SiteMeta
from ..diagnostics.diagnostic import Diagnostic, Label, RulesetError, Severity
from ..diagnostics.source import Span
from ..play.records import record_line
from ..play.verdicts import Failure, Found
from ..runtime.game import Game, load, rules_span
from .deep_play import ASKED_AGAIN, OFTEN, RARELY, THOROUGHLY, Reached, Sighting, Unit, play_unit
from .deep_progress import Pulse, silent
from .shrink import shrink
from .spots import Place, Spot, Spots, add_spots
from .watched_scenarios import Rehearsal, rehearse

Task = tuple[str, int, int, int, int, int, int, int, Pulse]  # the arguments of `play_unit`
_FEWEST = 2  # comparisons with other worlds of each place in the rules, in every combination
_RUNAWAY = 10  # a game is a runaway if it is this many times as long as the median game
_WORDS = {
    "hook": "hook",
    "phase": "phase",
    "action": "action",
    "free": "free action",
    "effect": "effect",
    "value": "value",
}


@dataclass
class Deep:
    """The results for one ruleset. `units` says what was played, with the first seed of each unit."""

    findings: list[Diagnostic] = field(default_factory=list)
    remarks: list[Diagnostic] = field(default_factory=list)
    units: list[tuple[str, int, int, int]] = field(default_factory=list)  # game, players, games, first seed
    greedy: int = 0  # games with greedy seats
    decisions: int = 0  # in games with secrets
    asked_again: int = 0  # decisions that were asked again with the unseen cards laid otherwise


class _Shelf:
    """The games of the units, each loaded and checked once."""

    def __init__(self) -> None:
        self._games: dict[tuple[str, int], Game] = {}

    def game(self, unit: Unit) -> Game:
        key = unit.game, unit.players
        if key not in self._games:
            self._games[key] = load(*key)
        return self._games[key]


def player_counts(name: str) -> list[int]:
    """The player counts that a combination allows; empty if it cannot be gathered."""
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.gather import gather

    gathered = gather(name, None, Diagnostics())
    return list(range(gathered.fewest, gathered.most + 1)) if gathered is not None else []


def validate_deeply(
    name: str,
    combinations: Sequence[str],
    games: int,
    seed: int = 0,
    jobs: int = 1,
    pulse: Pulse | None = None,
    every: int = ASKED_AGAIN,
) -> Deep:
    """Plays `games` games of every combination for every number of players, and returns the findings. One decision in
    `every` is compared with another world that agrees with what its reader knows, and fewer once its place in the rules
    was compared often. `pulse` tells meanwhile how far it has come."""
    pulse = pulse or silent()
    counts = [(one, players) for one in combinations for players in player_counts(one)]
    often = max(_FEWEST, OFTEN // max(1, len(counts)))  # the combinations share most of their rules
    rarely = RARELY * max(1, len(counts) // 2)
    thoroughly = THOROUGHLY * max(1, len(counts) // 2)
    tasks = [(one, players, games, seed, every, often, rarely, thoroughly, pulse) for one, players in counts]
    units = _played(tasks, jobs)
    deep = Deep(
        units=[(unit.game, unit.players, unit.games, unit.seed) for unit in units],
        greedy=sum(unit.greedy for unit in units),
        decisions=sum(unit.decisions for unit in units),
        asked_again=sum(unit.asked_again for unit in units),
    )
    shelf = _Shelf()
    deep.findings += _sightings(units, shelf, pulse)
    spots: Spots = {}
    for unit in units:
        add_spots(spots, unit.spots)
    pulse.work(f"{name}: the scenarios")
    rehearsal = _rehearsed(name)
    rehearsed = rehearsal.spots
    deep.findings += [_failed(found, failure) for found, failure in rehearsal.verdicts if failure is not None]
    played = sum(unit.games for unit in units)
    used = _used_folders(name)
    if not any(
        unit.sightings for unit in units if not unit.lengths
    ):  # if no game reaches its end, nearly everything is unreached and the list would be noise
        for spot in dead_spots(spots):
            in_scenarios = spot.key in rehearsed and rehearsed[spot.key].count > 0
            _sort(deep, _dead(spot, played, in_scenarios), in_scenarios, used)
        for finding in _unused_pieces(units, shelf):
            _sort(deep, finding, False, used)
        for spot in _idle_scores(units, spots):
            in_scenarios = spot.label in rehearsal.scored
            _sort(deep, _idle(spot, played, in_scenarios), in_scenarios, used)
    deep.remarks += [*_reached(units), *_runaways(units, shelf), *_guards(units)]
    return deep


def _rehearsed(name: str) -> Rehearsal:
    """Runs the scenarios. Verdicts are those for exactly these variants; for what is reached, all variants count."""
    try:
        rehearsal = rehearse(name)
        base = _without_variants(name)
        if base != name:
            everything = rehearse(base)
            rehearsal.spots, rehearsal.scored = everything.spots, everything.scored
        return rehearsal
    except RulesetError:
        return Rehearsal()


def _without_variants(name: str) -> str:
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.find import find_ruleset

    asked = find_ruleset(name, Diagnostics())
    return asked.span.text if asked is not None else name


def _failed(found: Found, failure: Failure) -> Diagnostic:
    """The finding for a failing scenario: the rules do something other than what its author expects."""
    notes = [f"expected {failure.expected}, found {failure.found}"] if failure.expected else []
    notes += [f"clause {', '.join(found.clauses)}"] if found.clauses else []
    notes += [f"running: {' > '.join(failure.path)}"] if failure.path else []
    headline = f'the scenario "{found.title}" fails: {failure.message}'
    help_text = "`rulewright test` shows the way to it"
    return Diagnostic("R0724", headline, Label(_first_line(failure.span)), (), tuple(notes), help_text)


def _used_folders(name: str) -> list[Path]:
    """The folders of the rulesets that a ruleset uses."""
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.gather import gather

    gathered = gather(name, None, Diagnostics())
    return [layer.folder for layer in gathered.layers if layer.role == "used"] if gathered is not None else []


def _sort(deep: Deep, finding: Diagnostic, in_scenarios: bool, used: Sequence[Path]) -> None:
    """Adds a finding to the remarks if scenarios reach the spot, or if it is in a used ruleset, where other games may
    need it; otherwise to the findings."""
    file = Path(finding.primary.span.source.name).resolve()
    is_others = any(file.is_relative_to(folder.resolve()) for folder in used)
    (deep.remarks if in_scenarios or is_others else deep.findings).append(finding)


def _played(tasks: Sequence[Task], jobs: int) -> list[Unit]:
    if jobs <= 1 or len(tasks) < 2:
        return [play_unit(*task) for task in tasks]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(_play_task, tasks))


def _play_task(task: Task) -> Unit:
    return play_unit(*task)


# ---------------------------------------------------------------------------- what went wrong in games


def _sightings(units: Iterable[Unit], shelf: _Shelf, pulse: Pulse) -> list[Diagnostic]:
    """Each problem once over all units, with the shortest sequence of choices that leads to it."""
    found: dict[object, tuple[Unit, Sighting, int]] = {}
    for unit in units:
        for key, (sighting, times) in unit.sightings.items():
            known = found.get(key)
            if known is None:
                found[key] = (unit, sighting, times)
            elif len(sighting.choices) < len(known[1].choices):
                found[key] = (unit, sighting, times + known[2])
            else:
                found[key] = (known[0], known[1], times + known[2])
    findings = []
    for unit, sighting, times in found.values():
        pulse.work(f"{unit.game} for {unit.players}: looking for the shortest way to {sighting.code}")
        findings.append(_told(unit, shrink(shelf.game(unit), sighting), times))
    return findings


def _told(unit: Unit, sighting: Sighting, times: int) -> Diagnostic:
    line = record_line(unit.game, unit.players, sighting.seed, sighting.choices)
    choices = (
        "no choice"
        if not sighting.choices
        else "1 choice"
        if len(sighting.choices) == 1
        else f"{len(sighting.choices)} choices"
    )
    notes = [
        *sighting.notes,
        f"in `{sighting.rule}`" + (f", clause {', '.join(sighting.cites)}" if sighting.cites else ""),
        f"{unit.game} for {unit.players}, seed {sighting.seed}, after {choices}; seen {times} times",
        f"rulewright replay {quote(line)}",
    ]
    return Diagnostic(
        sighting.code, sighting.headline, Label(rules_span(sighting.place)), (), tuple(notes), sighting.help
    )


# ---------------------------------------------------------------------------- what never happened


def dead_spots(spots: Spots) -> list[Spot]:
    """What never happened although the code around it did: one spot per cause, and only the first of a block."""
    dead: list[Spot] = []
    blocks: set[object] = set()
    for spot in spots.values():
        parent = spots.get(spot.parent) if spot.parent is not None else None
        if spot.count or (parent is not None and not parent.count) or spot.kind == "score":
            continue
        if spot.callers and not any(spots[key].count for key in spot.callers if key in spots):
            continue  # reported at the place that would call it
        block = (spot.parent, spot.span.column) if spot.kind == "statement" else spot.key
        if block not in blocks:
            blocks.add(block)
            dead.append(spot)
    return dead


def _dead(spot: Spot, games: int, in_scenarios: bool) -> Diagnostic:
    code, headline, help_text = _dead_text(spot)
    where = "only scenarios reach it" if in_scenarios else "no scenario reaches it either"
    notes = (f"in {games:,} games; {where}", f"in `{spot.rule}`" + _clauses(spot))
    return Diagnostic(code, headline, Label(_first_line(spot.span)), (), notes, help_text, Severity.warning)


def _dead_text(spot: Spot) -> tuple[str, str, str]:
    if spot.kind == "branch":
        if not spot.offered:
            return "R0710", f'the option "{spot.label}" is never offered', "look at its condition, or remove it"
        return (
            "R0711",
            f'the option "{spot.label}" is offered and never taken',
            "play more games, or look at what it leads to",
        )
    if spot.kind == "statement":
        return "R0714", "this is never executed", "look at the condition above it, or remove it"
    if spot.form in ("action", "free"):
        return "R0710", f"the {_WORDS[spot.form]} `{spot.rule}` is never taken", "look at what it requires and costs"
    if spot.form == "hook":
        return "R0713", f"the hook `{spot.rule}` never runs", "look at its condition and at the rule it is said of"
    return "R0712", f"the {_WORDS.get(spot.form, 'rule')} `{spot.rule}` never runs", "look at who calls it and when"


def _clauses(spot: Spot) -> str:
    return f", clause {', '.join(spot.cites)}" if spot.cites else ""


def _first_line(span: Span) -> Span:
    end = span.source.text.find("\n", span.start)
    return span if end < 0 else Span(span.source, span.start, min(end, span.end))


def _unused_pieces(units: Sequence[Unit], shelf: _Shelf) -> list[Diagnostic]:
    rows: set[tuple[str, str]] = set().union(*(unit.rows for unit in units)) if units else set()
    used: set[tuple[str, str]] = set().union(*(unit.rows_in_play for unit in units)) if units else set()
    spans: dict[tuple[str, str], Span] = {}
    played = sum(unit.games for unit in units)
    for unit in units:
        if unit.rows - used - set(spans):
            spans |= {(row.kind, row.id): row.span for row in shelf.game(unit).program.rows}
    return [
        Diagnostic(
            "R0715", f"`{row}` of {kind} never leaves the box", Label(_first_line(spans[kind, row])), (),
            (f"in {played:,} games",),
            "let setup take it out, or remove the row", Severity.warning,
        )
        for kind, row in sorted(rows - used)
    ]  # fmt: skip


def _idle_scores(units: Iterable[Unit], spots: Spots) -> list[Spot]:
    scored = set().union(*(unit.scored for unit in units))
    return [
        spot for spot in spots.values() if spot.kind == "score" and "{" not in spot.label and spot.label not in scored
    ]


def _idle(spot: Spot, games: int, in_scenarios: bool) -> Diagnostic:
    where = "only in scenarios does it count" if in_scenarios else "it counts in no scenario either"
    notes = (f"in {games:,} games; {where}", *((_clauses(spot).removeprefix(", "),) if spot.cites else ()))
    headline = f'the score line "{spot.label}" is always 0'
    return Diagnostic(
        "R0723", headline, Label(_first_line(spot.span)), (), notes, "look at its formula", Severity.warning
    )


# ---------------------------------------------------------------------------- remarks


def _reached(units: Sequence[Unit]) -> list[Diagnostic]:
    played = sum(unit.games for unit in units)
    remarks = []
    for code, attribute, words in (
        ("R0716", "counters", "reaches its highest value {}"),
        ("R0722", "places", "is filled to its capacity of {}"),
    ):
        totals: dict[tuple[str, str], tuple[Reached, int]] = {}
        for unit in units:
            for one in getattr(unit, attribute):
                known = totals.get((one.name, one.owner))
                totals[one.name, one.owner] = (one, one.games + (known[1] if known else 0))
        for one, games in totals.values():
            headline = f"`{one.name}` " + words.format(one.bound)
            remarks.append(_remark(code, headline, one.span, f"in {games:,} of {played:,} games"))
    return remarks


def _runaways(units: Iterable[Unit], shelf: _Shelf) -> list[Diagnostic]:
    remarks = []
    for unit in units:
        middle = median(unit.lengths) if unit.lengths else 0
        longest = max(unit.lengths, default=0)
        if middle and longest > _RUNAWAY * middle and longest > 200:
            course = shelf.game(unit).program.rules["play"].span
            headline = f"a game of {unit.game} for {unit.players} took {longest:,} decisions"
            remarks.append(_remark("R0718", headline, course, f"the middle one of {unit.games} took {middle:,.0f}"))
    return remarks


def _guards(units: Iterable[Unit]) -> list[Diagnostic]:
    """Decisions whose options the compiler could not decide without trying them, without duplicates."""
    sites: dict[Place, SiteMeta] = {}
    for unit in units:
        for site in unit.tried_sites:
            sites.setdefault(site.place, site)
    return [
        _remark(
            "R0721",
            f"the options of this decision in `{site.rule}` are tried before they are offered",
            rules_span(site.place),
            site.trial,
        )
        for site in sites.values()
    ]


def _remark(code: str, headline: str, span: Span, note: str) -> Diagnostic:
    return Diagnostic(code, headline, Label(_first_line(span)), (), (note,) if note else (), None, Severity.warning)
