"""Coverage: which clauses of a rulebook are implemented, tested and executed.

Tags in the rules and `cites` in rows say where a clause is implemented; tags on scenarios say which scenarios test it.
Executions are counted in games among random and greedy seats, distributed over all player counts and variants, and in
the scenarios themselves. A clause that is cited only by declarations (a place, a kind, a constant, a row) has nothing
to execute. A clause that says the same as one of a used ruleset (`same_as`) is covered by whatever covers that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, fields
from typing import Any

from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..diagnostics.source import Source, Span
from ..ruleset.clauses import cites_in
from ..ruleset.find import find_ruleset
from ..ruleset.folder import Ruleset, read_ruleset
from ..ruleset.gather import gather
from ..ruleset.gathered import Clause, Gathered, Scalar
from ..runtime.faults import Fault
from ..runtime.game import Game
from ..syntax import nodes
from .deep import player_counts
from .deep_play import Chooser, chooser_of, load_for_seats, seats_of
from .spots import Place, Spot, Spots, add_spots, spots_of
from .watched_game import load_watched
from .watched_scenarios import rehearse

Line = tuple[str, int]  # file, line


@dataclass(frozen=True)
class Implementation:
    """A place that cites a clause. `what` is rule, declaration or row."""

    at: Place
    what: str
    text: str  # the line, for reading


@dataclass(frozen=True)
class Test:
    title: str
    at: Place
    passed: bool | None  # None: of a used ruleset, not run here


@dataclass
class ClauseCoverage:
    """One clause with everything known about it. Counts are None if there is nothing to execute."""

    clause: Clause
    implemented: list[Implementation] = field(default_factory=list)
    tested: list[Test] = field(default_factory=list)
    in_games: int | None = None
    in_scenarios: int | None = None

    @property
    def needs_rule(self) -> bool:
        return self.clause.needs_rule

    @property
    def missing(self) -> list[str]:
        """What is missing although it should be there: implemented, tested, executed."""
        lacks = []
        is_example = self.clause.section == "example"
        if self.needs_rule and not self.implemented:
            lacks.append("implemented")
        if (self.needs_rule or is_example) and not any(test.passed is not False for test in self.tested):
            lacks.append("tested")
        if self.needs_rule and self.in_games == 0 and not self.in_scenarios:
            lacks.append("executed")
        return lacks


@dataclass
class Coverage:
    name: str
    title: str
    games: int
    seed: int
    faults: int  # games that ended in a fault of the rules
    clauses: list[ClauseCoverage]
    in_games: Spots
    in_scenarios: Spots
    sources: list[Source]  # the rules files, without those of scenarios only

    def counts(self, line: Line) -> tuple[int, int] | None:
        """How often a line was executed in games and in scenarios: the lowest count of the spots on it; None if there
        is nothing to execute."""
        found = self._by_line().get(line)
        return min(found) if found else None

    def _by_line(self) -> dict[Line, list[tuple[int, int]]]:
        if not hasattr(self, "_lines"):
            lines: dict[Line, list[tuple[int, int]]] = {}
            for spot in self.in_games.values():
                other = self.in_scenarios.get(spot.key)
                lines.setdefault(spot.place[:2], []).append((spot.count, other.count if other else 0))
            self._lines = lines
        return self._lines

    def never_executed(self) -> list[Spot]:
        """Spots that no game and no scenario reaches, in the order of the text."""
        never = [s for s in self.in_games.values() if not s.count and not _count(self.in_scenarios, s)]
        return sorted(never, key=lambda spot: spot.place)


def _count(spots: Spots, spot: Spot) -> int:
    other = spots.get(spot.key)
    return other.count if other else 0


def coverage_of(name: str, games: int = 50, seed: int = 0) -> Coverage:
    """Plays a ruleset, runs its scenarios and reads its clauses. Raises RulesetError if it cannot be used."""
    ruleset, gathered = _read(name)
    layers = [*ruleset.lower(), ruleset]
    in_games, faults, played = _play(name, gathered, games, seed)
    rehearsal = rehearse(name)
    coverage = Coverage(
        gathered.name, gathered.title, played, seed, faults, [], in_games, rehearsal.spots,
        _rules_sources(layers),
    )  # fmt: skip
    by_clause = _implementations(layers, name, gathered)
    passed = {id(found.scenario): failure is None for found, failure in rehearsal.verdicts}
    tests = _tests(layers, passed)
    own = set(ruleset.clauses)
    for clause in gathered.clauses.values():
        if clause.id in own:
            coverage.clauses.append(_covered(clause, by_clause, tests, coverage))
    return coverage


def _read(name: str) -> tuple[Ruleset, Gathered]:
    found = Diagnostics()
    gathered = gather(name, None, found)
    asked = find_ruleset(name, found)
    ruleset = read_ruleset(asked.folder, found) if asked else None
    if gathered is None or ruleset is None or found.has_errors:
        raise RulesetError(list(found))
    return ruleset, gathered


# ---------------------------------------------------------------------------- play


def combinations_alone(name: str, gathered: Gathered) -> list[str]:
    """The game as requested; if no variants were requested, also the game with each variant and what that needs."""
    if gathered.variants:
        return [name]
    needs = {variant.name: variant.needs for variant in gathered.all_variants}
    names = [name]
    for variant in needs:
        whole = [variant]
        for one in whole:  # the list grows during the loop: a needed variant may need others
            whole += [need for need in needs.get(one, ()) if need not in whole]
        names.append("+".join([name, *(one for one in needs if one in whole)]))
    return names


def _play(name: str, gathered: Gathered, games: int, seed: int) -> tuple[Spots, int, int]:
    """The spots of all units together, how many games ended in a fault, and how many were played."""
    units = [(one, players) for one in combinations_alone(name, gathered) for players in player_counts(one)]
    spots: Spots = {}
    faults = played = 0
    for number, (one, players) in enumerate(units):
        share = max(1, games // len(units) + (number < games % len(units)))
        game, counts = load_watched(one, players)
        plain = load_for_seats(one, players)
        for i in range(share):
            faults += not _played_over(game, chooser_of(plain, seats_of(players, i), seed + i), seed + i)
        played += share
        add_spots(spots, spots_of(game, counts))
    return spots, faults, played


def _played_over(game: Game, choose: Chooser, seed: int) -> bool:
    """Plays a game to its end; False if it runs into a fault."""
    try:
        state = game.new(seed=seed)
        while not state.over:
            state.apply(state.opts.index(choose(state)))
        assert state.scores is not None  # scoring is part of the game
    except Fault:
        return False
    return True


# ---------------------------------------------------------------------------- what cites a clause


def _implementations(layers: Sequence[Ruleset], name: str, gathered: Gathered) -> dict[str, list[Implementation]]:
    found: dict[str, dict[Place, Implementation]] = {}
    for layer in layers:
        for tree in layer.trees:
            for node in _cited(tree):
                for cite in node.cites:
                    _note(found, cite.text, node.span, "rule" if _can_happen(node) else "declaration")
    for one in combinations_alone(name, gathered):
        for text, span in _row_cites(gather(one, None, Diagnostics())):
            _note(found, text, span, "row")
    return {clause: sorted(places.values(), key=lambda one: one.at) for clause, places in found.items()}


def _note(found: dict[str, dict[Place, Implementation]], clause: str, span: Span, what: str) -> None:
    line, column = span.source.place(span.start)
    at = (span.source.name, line, column)
    text = span.source.line_text(line).strip()
    found.setdefault(clause, {}).setdefault(at, Implementation(at, what, text))


def _cited(tree: nodes.Node) -> Iterator[nodes.Cited]:
    """Everything outside of scenarios that carries tags."""
    if isinstance(tree, nodes.Scenario):
        return
    if isinstance(tree, nodes.Cited) and tree.cites:
        yield tree
    for part in fields(tree):
        if part.name not in ("span", "cites"):
            yield from _cited_in(getattr(tree, part.name))


def _cited_in(value: Any) -> Iterator[nodes.Cited]:
    if isinstance(value, nodes.Node):
        yield from _cited(value)
    elif isinstance(value, tuple):
        for item in value:
            yield from _cited_in(item)


_DECLARED = (
    nodes.Game, nodes.Constant, nodes.Enum, nodes.Kind, nodes.Map, nodes.Currency, nodes.Variant, nodes.Chart,
    nodes.History, nodes.HistoryLine,
)  # fmt: skip


def _can_happen(node: nodes.Cited) -> bool:
    return not isinstance(node, _DECLARED) and "Field" not in type(node).__name__


def _row_cites(gathered: Gathered | None) -> Iterator[tuple[str, Span]]:
    if gathered is None:
        return
    for table in gathered.tables.values():
        for row in table.rows:
            yield from ((cite.text, row.span) for cite in row.cites)
    for document in gathered.documents.values():
        yield from _document_cites(document)


def _document_cites(entry: Scalar) -> Iterator[tuple[str, Span]]:
    if isinstance(entry.value, list):
        for item in entry.value:
            yield from _document_cites(item)
    elif isinstance(entry.value, dict):
        if "cites" in entry.value:
            yield from ((str(item.value), entry.span) for item in entry.value["cites"].value)
        for item in entry.value.values():
            yield from _document_cites(item)


def _tests(layers: Sequence[Ruleset], passed: dict[int, bool]) -> dict[str, list[Test]]:
    found: dict[str, list[Test]] = {}
    for layer in layers:
        inside = [d for variant in layer.variants for d in variant.declarations if isinstance(d, nodes.Scenario)]
        for scenario in (*layer.scenarios, *inside):
            line, column = scenario.span.source.place(scenario.span.start)
            test = Test(scenario.title.raw, (scenario.span.source.name, line, column), passed.get(id(scenario)))
            for clause in dict.fromkeys(cite.text for cite in cites_in(scenario)):
                found.setdefault(clause, []).append(test)
    return found


# ---------------------------------------------------------------------------- together


def _covered(
    clause: Clause, by_clause: dict[str, list[Implementation]], tests: dict[str, list[Test]], coverage: Coverage
) -> ClauseCoverage:
    covered = ClauseCoverage(clause)
    for id in (clause.id, *clause.same_as):
        covered.implemented += by_clause.get(id, [])
        covered.tested += tests.get(id, [])
    counts = [found for one in covered.implemented if (found := coverage.counts(one.at[:2])) is not None]
    if counts:
        covered.in_games = max(games for games, _ in counts)
        covered.in_scenarios = max(scenarios for _, scenarios in counts)
    return covered


def _rules_sources(layers: Sequence[Ruleset]) -> list[Source]:
    """The rules files, without duplicates, in the order of the manifest."""
    sources: dict[str, Source] = {}
    for layer in layers:
        for tree in layer.trees:
            if any(not isinstance(d, nodes.Scenario | nodes.PartOf) for d in tree.declarations):
                sources.setdefault(tree.span.source.name, tree.span.source)
    return list(sources.values())
