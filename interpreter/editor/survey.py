"""A whole ruleset looked at: every finding of every combination of its variants, and on request the index of all.

A ruleset is checked for every number of players, alone, with each of its variants, and with each pair of variants that
can be combined; then its scenarios and its translations, which speak of all of these together.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ..check.check import check_declared, elaborate_bodies
from ..check.declare import declare
from ..check.declared import Declared
from ..check.presentation import check_presentation
from ..check.program import Program
from ..check.texts import check_translations, keys_of
from ..check.use import check_variant_rules
from ..diagnostics.diagnostic import Diagnostic, Diagnostics, Severity
from ..play.scenario_lines import Lines
from ..play.scenarios import Checked, find_scenarios, scenario_findings
from ..play.verdicts import Found
from ..ruleset.combinations import combinations
from ..ruleset.gather import gather
from ..ruleset.gathered import Gathered
from ..ruleset.unsaved import files_in
from ..ruleset.yaml_source import shown_path
from ..syntax import nodes

if TYPE_CHECKING:  # the index is made for editors; `validate` starts without it
    from .index import Index


@dataclass
class Survey:
    """What was found. `names` are the combinations looked at; none if the ruleset could not be read at all."""

    names: list[str] = field(default_factory=list)
    findings: dict[tuple[str, str, str], Diagnostic] = field(default_factory=dict)
    programs: list[Program] = field(default_factory=list)  # of each combination, for the fewest players
    for_more: list[Program] = field(default_factory=list)  # and for more: pieces of further seats have names too
    gathered: Gathered | None = None

    def add(self, findings: list[Diagnostic]) -> None:
        for finding in findings:
            self.findings.setdefault(_cause(finding), finding)

    @property
    def has_errors(self) -> bool:
        return any(finding.severity is Severity.error for finding in self.findings.values())


def survey(name: str, index: Index | None = None, *, quick: bool = False) -> Survey:
    """Everything that can be said about a ruleset. `index` is filled if one is given.

    `quick` leaves out pairs of variants and all but the fewest players: an editor asks at every keystroke.
    """
    first = Diagnostics()
    gathered = gather(name, None, first)
    made = Survey(gathered=gathered)
    if gathered is None:
        made.add(first.found)
        return made
    made.names = combinations(name, gathered.all_variants, pairs=not quick)
    scenarios = find_scenarios(name)
    checked: Checked = {(scenario.game, scenario.players): None for scenario in scenarios}
    for combination in made.names:
        found, programs = check_counts(combination, index, quick=quick, checked=checked)
        made.programs += [program for program in programs[:1] if program is not None]
        made.for_more += [program for program in programs[1:] if program is not None]
        made.add(found)
    # Scenarios are read against games that must be sound to say anything; an index wants their names anyway.
    is_sound = not made.has_errors
    if index is not None:
        in_scenarios = _index_scenarios(scenarios, index)
    else:
        in_scenarios = scenario_findings(scenarios, checked) if is_sound else []
    if is_sound:
        made.add(in_scenarios)
        made.add(_translation_findings(made, gathered, every_count=not quick))
        made.add(_presentation_findings(made, gathered))
        made.add(_idle_in_variants(made, gathered))
    return made


_TYPE_WORDS = re.compile(r"(?: \| \w+)+|-?\d+\.\.-?\d+")


def _cause(finding: Diagnostic) -> tuple[str, str, str]:
    """What makes a finding the same in several combinations: a variant may change a type, and by that its wording."""
    return finding.code, finding.primary.span.at, _TYPE_WORDS.sub("", finding.headline)


def check_counts(
    name: str, index: Index | None = None, *, quick: bool = False, checked: Checked | None = None
) -> tuple[list[Diagnostic], list[Program | None]]:
    """What is found with any number of players, and the program for each number, the fewest first. Games without errors
    that `checked` asks for, by name and number of players, are put there."""
    wanted = {} if checked is None else checked
    findings: list[Diagnostic] = []
    programs: list[Program | None] = []
    players: int | None = None
    while True:
        found = Diagnostics()
        gathered = gather(name, players, found)
        program: Program | None = None
        if gathered is not None:
            declared, program = check_declared(gathered, found, for_index=index is not None)
            if index is not None:
                _add_to(index, declared)
            if program is not None and (name, gathered.players) in wanted:
                wanted[name, gathered.players] = (declared, program)
        programs.append(program)
        findings += found.found
        if gathered is None or gathered.players >= gathered.most or quick:
            return findings, programs
        players = gathered.players + 1


def _translation_findings(made: Survey, gathered: Gathered, *, every_count: bool) -> list[Diagnostic]:
    """What the files in `texts/` lack or have too much, over the game, all its variants and numbers of players."""
    if not files_in(gathered.folder / "texts"):
        return []
    found = Diagnostics()
    titles = (variant.title for variant in gathered.all_variants)
    check_translations(gathered.folder, keys_of(_own_programs(made, gathered), titles), found)
    # A key may belong to a variant or a number of players that was not looked at.
    if gathered.variants or (not every_count and gathered.most > gathered.players):
        return [finding for finding in found.found if finding.code != "R0264"]
    return found.found


def _presentation_findings(made: Survey, gathered: Gathered) -> list[Diagnostic]:
    """What is wrong with `table.yaml`, over the game and all its variants."""
    found = Diagnostics()
    check_presentation(gathered.folder, made.programs, found)
    return found.found


def _own_programs(made: Survey, gathered: Gathered) -> list[Program]:
    """The programs without variants of other folders: who adds one is not asked to translate it."""
    programs = (*made.programs, *made.for_more)
    return [program for program in programs if not gathered.added_variants & set(program.name.split("+"))]


def _idle_in_variants(made: Survey, gathered: Gathered) -> list[Diagnostic]:
    """Rules of variants that no combination calls, if all of them could be looked at."""
    if len(made.programs) < len(made.names) or gathered.variants or not gathered.all_variants:
        return []
    found = Diagnostics()
    check_variant_rules(made.programs, shown_path(gathered.folder), found)
    return found.found


def _index_scenarios(scenarios: list[Found], index: Index) -> list[Diagnostic]:
    """Adds what the names in scenarios mean, each scenario in the game that it is written for; gives what is wrong."""
    findings: list[Diagnostic] = []
    groups: dict[tuple[str, int], list[nodes.Scenario]] = {}
    for one in scenarios:
        groups.setdefault((one.game, one.players), []).append(one.scenario)
    for (name, players), own in groups.items():
        found = Diagnostics()
        gathered = gather(name, players, found)
        if gathered is None:
            continue
        declared = declare(gathered, found, for_index=True)
        lines = Lines(declared, elaborate_bodies(declared, found))
        for scenario in own:
            lines.read(scenario)
            findings += lines.findings[id(scenario)]
        _add_to(index, declared)
    return findings


def _add_to(index: Index, declared: Declared) -> None:
    from .index import index_of

    index.add(index_of(declared))
