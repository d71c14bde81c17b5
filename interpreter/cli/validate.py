"""`rulewright validate NAME…`: every finding of a ruleset."""

from __future__ import annotations

import re
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..play.contract import PlayError
from .combinations import combinations, named_rulesets
from .messages import counted, painted, print_json, wants_colour

if TYPE_CHECKING:
    from ..check.program import Program
    from ..diagnostics.diagnostic import Diagnostic
    from ..ruleset.gathered import Gathered

EPILOG = """\b
Examples:
  rulewright validate harbour
  rulewright validate --all --format json
  rulewright validate ./my_game harbour+solo
  rulewright validate harbour --deep 200 --jobs 2
  rulewright validate harbour --texts fr      adds what lacks a translation to texts/fr.yaml, to be filled in
"""


@click.command(epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everything", is_flag=True, help="All rulesets there are.")
@click.option("--deep", type=click.IntRange(min=1), metavar="N", help="Play N games of each combination as well.")
@click.option("--all-decisions", is_flag=True, help="Deep: look for leaks at every decision, not at one in six.")
@click.option(
    "--seed", type=int, default=0, show_default=True, metavar="N", help="Deep: game number i has the seed N + i."
)
@click.option(
    "--jobs", type=click.IntRange(min=1), default=1, show_default=True, metavar="J", help="Deep: processes at once."
)
@click.option(
    "--texts", metavar="LANGUAGE", help="Add what lacks a translation to texts/LANGUAGE.yaml, to be filled in."
)
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    names: tuple[str, ...],
    everything: bool,
    deep: int | None,
    all_decisions: bool,
    seed: int,
    jobs: int,
    texts: str | None,
    layout: str,
) -> int:
    """Check rulesets and show every finding with its place.

    A ruleset is checked for every number of players, alone, with each of its variants, and with each pair of variants
    that can be combined. A NAME with variants is checked as it is. Exit 0 if all is clean, 1 with findings.

    With --deep every one of these is played N times by random and greedy seats, and what goes wrong or never happens is
    shown with a command that replays to that point. Remarks are facts that may well be meant; they change no exit code.
    One game in four has greedy seats, all or one of them. Where there are secrets, one decision in six is looked at
    with the eyes of whoever decides and of another player, in the game and in a world drawn from what that player
    knows, and has to be the same; with --all-decisions every one is. What was played is told at the end.

    With --texts the file with the translations into a language gets a key with nothing behind it for each text that
    it lacks, and is made if there is none; what it has stays as it is. Nothing else is checked then.
    """
    if texts is not None:
        from .validate_texts import run_texts

        if deep is not None:
            raise PlayError("--texts and --deep do not go together", "ask for one after the other")
        return run_texts(list(named_rulesets(names, everything)), texts, layout)
    if deep is not None:
        from .validate_deep import run_deep

        return run_deep(list(named_rulesets(names, everything)), deep, seed, jobs, layout, _findings_of, all_decisions)
    results = [(name, *_findings_of(name)) for name in named_rulesets(names, everything)]
    if layout == "json":
        print_json(_as_data(results))
    else:
        _print_text(results)
    found = [finding for _, _, findings in results for finding in findings]
    if found and all(finding.primary.span.source.name == "command line" for finding in found):
        return 2
    return 1 if found else 0


Result = tuple[str, int, "list[Diagnostic]"]


def _findings_of(name: str) -> tuple[int, list[Diagnostic]]:
    """How many combinations were looked at, and what was found in any of them, each thing once."""
    from ..ruleset.cache import cached, keep

    key = _clean_key(name)
    known = cached("validated", key) if key else None
    if known is not None and known.isdigit():
        return int(known), []
    from ..diagnostics.diagnostic import Diagnostics, Severity
    from ..play.scenarios import find_scenarios, scenario_findings
    from ..ruleset.gather import gather

    first = Diagnostics()
    gathered = gather(name, None, first)
    if gathered is None:
        return 0, first.found
    names = combinations(name, gathered.all_variants)
    findings: dict[tuple[str, str, str], Diagnostic] = {}
    programs: list[Program] = []
    for combination in names:
        found, program = check_for_all_counts(combination)
        programs += [program] if program is not None else []
        for finding in found:
            findings.setdefault(_cause(finding), finding)
    if all(finding.severity is Severity.warning for finding in findings.values()):
        for finding in scenario_findings(find_scenarios(name)):
            findings.setdefault(_cause(finding), finding)
        for finding in (
            *_translation_findings(programs, gathered.folder),
            *_idle_in_variants(programs, names, gathered),
        ):
            findings.setdefault(_cause(finding), finding)
    if not findings and key:
        keep(str(len(names)).encode(), "validated", key)
    return len(names), list(findings.values())


_TYPE_WORDS = re.compile(r"(?: \| \w+)+|-?\d+\.\.-?\d+")


def _cause(finding: Diagnostic) -> tuple[str, str, str]:
    """What makes a finding the same in several combinations: a variant may change a type, and by that its wording."""
    return finding.code, finding.primary.span.at, _TYPE_WORDS.sub("", finding.headline)


def _translation_findings(programs: list[Program], folder: Path) -> list[Diagnostic]:
    """What the files in `texts/` lack or have too much, over the game and all its variants."""
    if not (folder / "texts").is_dir():
        return []
    from ..check.translations import check_translations, keys_of
    from ..diagnostics.diagnostic import Diagnostics

    found = Diagnostics()
    check_translations(folder, keys_of(programs), found)
    return found.found


def _idle_in_variants(programs: list[Program], names: list[str], gathered: Gathered) -> list[Diagnostic]:
    """Rules of variants that no combination calls, if all of them could be looked at."""
    if len(programs) < len(names) or gathered.variants or not gathered.all_variants:
        return []
    from ..check.use import check_variant_rules
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.yaml_source import shown_path

    found = Diagnostics()
    check_variant_rules(programs, shown_path(gathered.folder), found)
    return found.found


def _clean_key(name: str) -> str | None:
    """What a clean verdict is remembered by: every byte of the rules and of the program that looks at them."""
    from ..compile.load import own_version
    from ..ruleset.fingerprint import fingerprint_of

    fingerprint = fingerprint_of(name, None)
    return sha256(f"{name} {fingerprint} {own_version()}".encode()).hexdigest() if fingerprint else None


def check_for_all_counts(name: str) -> tuple[list[Diagnostic], Program | None]:
    """What is found with any number of players, and the program for the fewest."""
    from ..check.check import check
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.gather import gather

    findings: list[Diagnostic] = []
    programs: list[Program | None] = []
    players: int | None = None
    while True:
        found = Diagnostics()
        gathered = gather(name, players, found)
        programs.append(check(gathered, found) if gathered is not None and not found.has_errors else None)
        findings += found.found
        if gathered is None or gathered.players >= gathered.most:
            return findings, programs[0]
        players = gathered.players + 1


def _print_text(results: list[Result]) -> None:
    from ..diagnostics.render import render_all

    for name, looked_at, findings in results:
        if findings:
            click.echo(render_all(findings, colour=wants_colour()))
            click.echo()
        verdict = painted(counted(len(findings), "finding"), fg="red") if findings else painted("clean", fg="green")
        more = f" ({counted(looked_at, 'combination')} of variants)" if looked_at > 1 else ""
        click.echo(f"{name}: {verdict}{more}")


def _as_data(results: list[Result]) -> dict[str, Any]:
    from ..diagnostics.render import as_data

    return {
        "rulesets": [
            {"name": name, "combinations": looked_at, "findings": len(findings)}
            for name, looked_at, findings in results
        ],
        "diagnostics": [as_data(finding) for _, _, findings in results for finding in findings],
    }
