"""`rulewright test NAME…`: the author's scenarios."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..files.writing import beginning_with
from ..play.contract import PlayError
from .combinations import named_rulesets
from .messages import counted, on_terminal, painted, print_json, wants_colour, write_file
from .speaking import SpokenWords

if TYPE_CHECKING:
    from ..play.verdicts import Found, Verdict

_MOST_CHANGES = 30  # how many changes of the state are printed

EPILOG = """\b
Examples:
  rulewright test harbour
  rulewright test harbour -k storm
  rulewright test harbour --clause H-052 --clause H-079
  rulewright test --all --junit scenarios.xml
"""


@click.command(epilog=EPILOG)
@click.argument("names", nargs=-1, metavar="NAME...")
@click.option("--all", "everything", is_flag=True, help="All rulesets there are.")
@click.option("-k", "text", metavar="TEXT", help="Only scenarios whose title contains this.")
@click.option("--clause", "clauses", multiple=True, metavar="ID", help="Only scenarios that cite this clause.")
@click.option("--junit", type=click.Path(path_type=Path), metavar="FILE", help="Write the results for a CI server.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    names: tuple[str, ...],
    everything: bool,
    text: str | None,
    clauses: tuple[str, ...],
    junit: Path | None,
    layout: str,
) -> int:
    """Run the scenarios that authors wrote for their rulesets.

    A scenario sets up a state, scripts chance, makes choices, and says what must hold afterwards. Exit 1 if one fails.
    """
    asked = list(named_rulesets(names, everything))
    from ..play.scenarios import find_scenarios, run_scenarios

    wanted = [(name, _selected(find_scenarios(name), text, clauses)) for name in asked]
    if (text or clauses) and not any(scenarios for _, scenarios in wanted):
        raise PlayError("no scenario is meant", "look at the titles and clauses in the ruleset's scenarios")
    results = []
    told: set[str] = set()
    for name, scenarios in wanted:
        verdicts = []
        for verdict in run_scenarios(scenarios):
            verdicts.append(verdict)
            if layout == "text" and not verdict.passed:
                click.echo(failure_text(verdict, told) + "\n")
        results.append((name, verdicts))
        if layout == "text":
            _print_summary(name, verdicts)
    if layout == "json":
        print_json(as_data(results))
    if junit is not None:
        write_file(junit, junit_text(results), beginning_with("<?xml"))
    return 0 if all(verdict.passed for _, verdicts in results for verdict in verdicts) else 1


def _selected(scenarios: Sequence[Found], text: str | None, clauses: tuple[str, ...]) -> list[Found]:
    wanted = {clause.lstrip("@").upper() for clause in clauses}
    return [
        scenario
        for scenario in scenarios
        if (text is None or text.lower() in scenario.title.lower())
        and (not wanted or wanted & {clause.upper() for clause in scenario.clauses})
    ]


# ---------------------------------------------------------------------------- text


def failure_text(verdict: Verdict, told: set[str] | None = None) -> str:
    """Title and place of the scenario, the line that fails, what was expected and what was found. Findings that were
    already printed are not repeated."""
    from ..diagnostics.render import render

    failure = verdict.failure
    assert failure is not None
    found = verdict.found
    head = painted(f"failed: {found.title}", fg="red", bold=True) + f" ({found.game}, {found.players} players)"
    findings = [render(finding, colour=wants_colour(), words=SpokenWords()) for finding in failure.diagnostics]
    if told is not None:
        if findings and told.issuperset(findings):
            return f"{head}\n  {failure.kind}: {failure.message}, as above"
        told.update(findings)
    line = failure.span.source.line_text(failure.span.line).strip()
    lines = [
        head,
        f"  --> {failure.span.at}",
        f"   |  {line}",
        f"  {failure.kind}: {failure.message}",
    ]
    lines += [f"    expected  {failure.expected}"] if failure.expected else []
    lines += [f"    found     {failure.found}"] if failure.found else []
    lines += [f"    running   {' > '.join(failure.path)}"] if failure.path else []
    lines += [f"    waiting   {failure.asked}"] if failure.asked else []
    if failure.changes:
        lines += [
            "    changed since the given state:",
            *(f"      {change}" for change in failure.changes[:_MOST_CHANGES]),
        ]
        more = len(failure.changes) - _MOST_CHANGES
        lines += [f"      and {more} more"] if more > 0 else []
    return "\n".join([*lines, *(["", *findings] if findings else [])])


def _print_summary(name: str, verdicts: list[Verdict]) -> None:
    failed = sum(not verdict.passed for verdict in verdicts)
    passed = len(verdicts) - failed
    seconds = sum(verdict.seconds for verdict in verdicts)
    parts = [
        painted(counted(passed, "passed", "passed"), fg="green") if passed else "",
        painted(counted(failed, "failed", "failed"), fg="red") if failed else "",
    ]
    words = ", ".join(part for part in parts if part) or "no scenarios"
    time = f" in {seconds:.1f} s" if on_terminal() else ""
    click.echo(f"{name}: {words}{time}")


# ---------------------------------------------------------------------------- JSON and JUnit


def as_data(results: Sequence[tuple[str, Sequence[Verdict]]]) -> dict[str, Any]:
    verdicts = [verdict for _, own in results for verdict in own]
    return {
        "format": "rulewright-test/1",
        "passed": sum(verdict.passed for verdict in verdicts),
        "failed": sum(not verdict.passed for verdict in verdicts),
        "scenarios": [{"ruleset": name, **_verdict_data(verdict)} for name, own in results for verdict in own],
    }


def _verdict_data(verdict: Verdict) -> dict[str, Any]:
    from ..diagnostics.render import as_data as finding_data

    found, failure = verdict.found, verdict.failure
    data: dict[str, Any] = {
        "title": found.title,
        "game": found.game,
        "players": found.players,
        "clauses": list(found.clauses),
        "file": found.at.source.name,
        "line": found.at.line,
        "passed": verdict.passed,
    }
    if failure is not None:
        data["failure"] = {
            "kind": failure.kind,
            "message": failure.message,
            "file": failure.span.source.name,
            "line": failure.span.line,
            "expected": failure.expected,
            "found": failure.found,
            "path": list(failure.path),
            "asked": failure.asked,
            "changes": list(failure.changes),
            "diagnostics": [finding_data(finding) for finding in failure.diagnostics],
        }
    return data


def junit_text(results: Sequence[tuple[str, Sequence[Verdict]]]) -> str:
    """The results in the form that CI servers read: one suite per ruleset, one case per scenario."""
    from xml.etree import ElementTree

    root = ElementTree.Element("testsuites")
    for name, verdicts in results:
        failures = sum(not verdict.passed for verdict in verdicts)
        suite = ElementTree.SubElement(root, "testsuite", name=name, tests=str(len(verdicts)), failures=str(failures))
        for verdict in verdicts:
            found = verdict.found
            case = ElementTree.SubElement(
                suite, "testcase", name=found.title, classname=f"{found.game}.{found.players}",
                file=found.at.source.name, line=str(found.at.line), time=f"{verdict.seconds:.3f}",
            )  # fmt: skip
            if verdict.failure is not None:
                problem = ElementTree.SubElement(
                    case, "failure", type=verdict.failure.kind, message=verdict.failure.message
                )
                problem.text = click.unstyle(failure_text(verdict))
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"
