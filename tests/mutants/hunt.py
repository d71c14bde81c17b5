"""A broken copy of a ruleset, and what each stage says about it."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import yaml

from interpreter.diagnostics.diagnostic import Diagnostic, RulesetError
from interpreter.diagnostics.render import render
from interpreter.play.scenarios import find_scenarios, run_scenarios
from interpreter.play.verdicts import Verdict
from tests.scenario_verdicts import verdicts

HERE = Path(__file__).resolve().parent
RULESETS = HERE.parent.parent / "rulesets"
STAGES = ("check", "scenarios", "deep")
PADDING = re.compile(r"(?<=[^\s\\]) {2,}")  # not the indentation of a line
_CLAUSE = re.compile(r"@([A-Z][0-9A-Za-z-]+)")
_NAME = re.compile(
    r"(?:replace )?(?:free action|action|effect|phase|value|chart|map|constant|kind|enum|before|after|instead of"
    r"|also in|variant|each|score|rank)\s+([A-Za-z_]+)|(setup|play|table)"
)


@dataclass(frozen=True)
class Mutant:
    idea: str
    game: str
    find: str
    replace: str
    by: str
    file: str = ""
    variant: str = ""
    names: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        return Path(self.game) / (self.file or f"{self.game}.rules")

    @property
    def pattern(self) -> re.Pattern[str]:
        """What is looked for: two spaces or more inside a line stand for any padding, as it is before a clause."""
        return re.compile(PADDING.sub(" +", re.escape(self.find).replace(r"\ ", " ")))

    @contextmanager
    def broken(self, folder: Path) -> Iterator[str]:
        """The copy of the ruleset in a folder, with the edit in it for a while; gives the name to load it by. All
        mutants of a game use the same copy: files that stay as they are have been read already."""
        source = RULESETS / self.path
        text = source.read_text(encoding="utf-8")
        places = list(self.pattern.finditer(text))
        assert len(places) == 1, f"{self.path}: {self.find!r} is there {len(places)} times"
        if not (folder / self.game).is_dir():
            shutil.copytree(RULESETS / self.game, folder / self.game)
        edited = text[: places[0].start()] + self.replace + text[places[0].end() :]
        (folder / self.path).write_text(edited, encoding="utf-8")
        yield str(folder / self.game) + (f"+{self.variant}" if self.variant else "")
        (folder / self.path).write_text(text, encoding="utf-8")

    @property
    def block(self) -> tuple[int, int, str]:
        """First and last line of the declaration that is edited, and its text before the edit."""
        text = (RULESETS / self.path).read_text(encoding="utf-8")
        lines = text.split("\n")
        found = self.pattern.search(text)
        assert found is not None, f"{self.path}: {self.find!r} is not there"
        first = last = text[: found.start()].count("\n")
        while first > 0 and (not lines[first].strip() or lines[first][0] in " #"):
            first -= 1
        while last + 1 < len(lines) and (not lines[last + 1].strip() or lines[last + 1][0] == " "):
            last += 1
        return first + 1, last + 1, "\n".join(lines[first : last + 1])

    @property
    def words(self) -> set[str]:
        """What a finding about this edit may be known by: the edited declaration, or what the mutant says."""
        head = _NAME.match(self.block[2])
        own = {word for word in head.groups() if word} if head else set()
        return {*self.names, *own}

    @property
    def clauses(self) -> set[str]:
        return set(_CLAUSE.findall(self.block[2])) | {name for name in self.names if "-" in name}


@cache
def mutants() -> tuple[Mutant, ...]:
    read = yaml.safe_load((HERE / "mutants.yaml").read_text(encoding="utf-8"))
    return tuple(Mutant(**{**entry, "names": tuple(entry.get("names", ()))}) for entry in read)


# ---------------------------------------------------------------------------- the stages


def check_reports(mutant: Mutant, name: str) -> list[str]:
    """What the static checks say, marked if it stands in the edited declaration."""
    from interpreter.cli.validate import check_for_all_counts

    return [_told(mutant, finding) for finding in check_for_all_counts(name)[0]]


def _told(mutant: Mutant, finding: Diagnostic) -> str:
    first, last, _ = mutant.block
    at = finding.primary.span
    is_there = at.source.name.endswith(str(mutant.path)) and first <= at.line <= last
    return ("[edited] " if is_there else "") + render(finding)


def scenario_reports(mutant: Mutant, name: str) -> list[str]:
    """Scenarios that fail, up to the first that names the edit: title, clauses, rules that were running, and what was
    wrong.

    Those that cite a clause of the edited declaration come first, and name it by that; the others are run only if none
    of these fails. Every further game with its variants and players would have to be compiled.
    """
    try:
        scenarios = find_scenarios(name)
    except RulesetError as unusable:
        return [_told(mutant, finding) for finding in unusable.diagnostics]
    cited = [found for found in scenarios if mutant.clauses & set(found.clauses)]
    for report in _failures(run_scenarios(cited)):
        return ["[edited] " + report]
    reports = []
    for report in _failures(run_scenarios([found for found in scenarios if found not in cited])):
        reports.append(report)
        if names_it(mutant, reports):
            break
    return reports


def _failures(found: Iterable[Verdict]) -> Iterator[str]:
    for verdict in found:
        failure = verdict.failure
        if failure is not None:
            told = " ".join(render(finding) for finding in failure.diagnostics)
            yield f"{verdict.found.title}: {failure.message} ({' '.join(failure.path)}) {told}"


def deep_reports(mutant: Mutant, name: str, games: int) -> list[str]:
    from interpreter.study.deep import validate_deeply

    return [_told(mutant, finding) for finding in validate_deeply(name, [name], games).findings]


def untouched_findings(game: str) -> list[str]:
    """What the static checks and the scenarios say of the ruleset as it is."""
    from interpreter.cli.validate import check_for_all_counts

    found = check_for_all_counts(str(RULESETS / game))[0]
    return [*(render(finding) for finding in found), *_failures(verdicts(game))]


def names_it(mutant: Mutant, reports: list[str]) -> bool:
    return any(report.startswith("[edited]") or any(word in report for word in mutant.words) for report in reports)
