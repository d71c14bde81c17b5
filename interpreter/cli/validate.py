"""`rulewright validate NAME…`: every finding of a ruleset."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Any

import click

from ..play.contract import PlayError
from .combinations import named_rulesets
from .messages import counted, painted, print_json, wants_colour
from .speaking import SpokenWords, spoken

if TYPE_CHECKING:
    from ..check.program import Program
    from ..diagnostics.diagnostic import Diagnostic

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

    With --deep each of these is played N times by random and greedy seats, and what goes wrong or never happens is
    shown with a command that replays to that point. Remarks are facts that may well be intended; they do not change the
    exit code. One game in four has greedy seats, all or one of them. If the game has secrets, one decision in six
    (fewer of a place in the rules that was compared often) is compared, for the player who decides and for one other,
    with a different world that agrees with everything that player knows; it must look the same. With --all-decisions
    every decision is compared, for all players. What was played is listed at the end.

    With --texts the translation file of a language gets a key with an empty value for each text that it lacks; the file
    is created if it does not exist, and existing translations stay as they are. Nothing else is checked then.
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
    """How many combinations were checked, and the findings in all of them, without duplicates."""
    from ..files.cache import cached, keep

    key = _clean_key(name)
    known = cached("validated", key) if key else None
    if known is not None and known.isdigit():
        return int(known), []
    from ..editor.survey import survey

    made = survey(name)
    if not made.findings and key:
        keep(str(len(made.names)).encode(), "validated", key)
    return len(made.names), list(made.findings.values())


def _clean_key(name: str) -> str | None:
    """The cache key of a clean result: a hash of the rules and of the program that checks them."""
    from ..compile.load import own_version
    from ..ruleset.fingerprint import fingerprint_of
    from ..ruleset.presentation import presentation_text

    fingerprint = fingerprint_of(name, None, with_all_variants=True)
    looks = presentation_text(name)  # no part of the fingerprint, but checked
    return sha256(f"{name} {fingerprint} {own_version()} {looks}".encode()).hexdigest() if fingerprint else None


def check_for_all_counts(name: str) -> tuple[list[Diagnostic], list[Program | None]]:
    """The findings and the program for every number of players, the fewest first."""
    from ..editor.survey import check_counts

    return check_counts(name)


def _print_text(results: list[Result]) -> None:
    from ..diagnostics.render import render_all

    for name, looked_at, findings in results:
        if findings:
            click.echo(render_all(findings, colour=wants_colour(), words=SpokenWords()))
            click.echo()
        clean = painted(spoken("clean"), fg="green")
        verdict = painted(counted(len(findings), "finding"), fg="red") if findings else clean
        more = f" ({counted(looked_at, 'combination')} {spoken('of variants')})" if looked_at > 1 else ""
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
