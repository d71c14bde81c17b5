"""The coverage report: as data (schemas/coverage.schema.json) and as a text table."""

from __future__ import annotations

from typing import Any

from .coverage import ClauseCoverage, Coverage, Implementation
from .spots import Place, Spot
from .text_table import aligned

COVERAGE_FORMAT = "rulewright-coverage/1"
COLUMNS = ("implemented", "tested", "executed")
_WIDEST_SUMMARY = 52


def share_covered(coverage: Coverage) -> tuple[int, int]:
    """How many clauses lack nothing, and how many there are."""
    return sum(not clause.missing for clause in coverage.clauses), len(coverage.clauses)


def coverage_data(coverage: Coverage) -> dict[str, Any]:
    covered, clauses = share_covered(coverage)
    return {
        "format": COVERAGE_FORMAT,
        "game": coverage.name,
        "title": coverage.title,
        "games": coverage.games,
        "seed": coverage.seed,
        "faults": coverage.faults,
        "covered": covered,
        "of": clauses,
        "missing": {column: _missing(coverage, column) for column in COLUMNS},
        "clauses": [_clause_data(clause) for clause in coverage.clauses],
        "never_executed": [_spot_data(spot) for spot in coverage.never_executed()],
    }


def _missing(coverage: Coverage, column: str) -> list[str]:
    return [clause.clause.id for clause in coverage.clauses if column in clause.missing]


def _clause_data(covered: ClauseCoverage) -> dict[str, Any]:
    clause = covered.clause
    return {
        "id": clause.id,
        "section": clause.section,
        "page": clause.page,
        "summary": clause.summary,
        "needs_rule": clause.needs_rule,
        "reason": clause.reason,
        "implemented": [{**_place_data(one.at), "what": one.what, "text": one.text} for one in covered.implemented],
        "tested": [{**_place_data(test.at), "scenario": test.title, "passed": test.passed} for test in covered.tested],
        "executed": {"games": covered.in_games, "scenarios": covered.in_scenarios},
        "missing": covered.missing,
    }


def _spot_data(spot: Spot) -> dict[str, Any]:
    return {**_place_data(spot.place), "kind": spot.kind, "rule": spot.rule, "text": _line_text(spot)}


def _place_data(place: Place) -> dict[str, Any]:
    return {"file": place[0], "line": place[1], "column": place[2]}


def _line_text(spot: Spot) -> str:
    return spot.span.source.line_text(spot.place[1]).split("  @")[0].strip()


# ---------------------------------------------------------------------------- as text


def coverage_text(coverage: Coverage) -> str:
    """A header, one line per clause, then what is missing in each column and what was never executed."""
    covered, clauses = share_covered(coverage)
    share = f"{100 * covered / clauses:.1f} %" if clauses else "no clauses"
    lines = [f"{coverage.title} ({coverage.name}): {covered} of {clauses} clauses covered ({share})"]
    lines.append(f"{coverage.games} games from seed {coverage.seed}")
    if coverage.faults:
        asked = f"rulewright validate {coverage.name} --deep {coverage.games}"
        lines.append(f"{coverage.faults} of them end in a fault of the rules: `{asked}` tells which")
    heads = ["clause", "what it says", "implemented", "scenarios", "in games", "in scenarios", ""]
    rows = [_row(clause) for clause in coverage.clauses if clause.needs_rule or clause.clause.section == "example"]
    lines += ["", *aligned([heads, *rows], right=(3, 4, 5))]
    return "\n".join([*lines, *_unneeded(coverage), *_lacking(coverage), *_never(coverage)])


def _row(covered: ClauseCoverage) -> list[str]:
    summary = covered.clause.summary
    short = summary if len(summary) <= _WIDEST_SUMMARY else summary[: _WIDEST_SUMMARY - 1] + "…"
    counts = ["-" if count is None else f"{count:,}" for count in (covered.in_games, covered.in_scenarios)]
    mark = "" if not covered.missing else "not " + ", not ".join(covered.missing)
    return [covered.clause.id, short, _places(covered.implemented), str(len(covered.tested)), *counts, mark]


def _places(places: list[Implementation]) -> str:
    """`harbour.rules:81, 95`: the file once for the lines in it."""
    by_file: dict[str, list[str]] = {}
    for one in places:
        by_file.setdefault(one.at[0].rsplit("/", 1)[-1], []).append(str(one.at[1]))
    shown = [
        f"{file}:{', '.join(dict.fromkeys(numbers[:4]))}{', …' if len(numbers) > 4 else ''}"
        for file, numbers in by_file.items()
    ]
    return "; ".join(shown[:2]) + ("; …" if len(shown) > 2 else "")


def _unneeded(coverage: Coverage) -> list[str]:
    unneeded = [c.clause for c in coverage.clauses if not c.needs_rule and c.clause.section != "example"]
    if not unneeded:
        return []
    return ["", "Clauses that need no rule", *aligned([[c.id, c.summary, c.reason] for c in unneeded], indent="  ")]


def _lacking(coverage: Coverage) -> list[str]:
    lines = []
    for column in COLUMNS:
        missing = _missing(coverage, column)
        if missing:
            lines += ["", f"Not {column} ({len(missing)})", *_wrapped(missing)]
    return lines


def _wrapped(words: list[str]) -> list[str]:
    return ["  " + ", ".join(words[start : start + 12]) for start in range(0, len(words), 12)]


def _never(coverage: Coverage) -> list[str]:
    never = coverage.never_executed()
    if not never:
        return ["", "Every line of the rules was executed."]
    rows = [[f"{spot.place[0]}:{spot.place[1]}", f"`{spot.rule}`", _line_text(spot)] for spot in never]
    return ["", f"Never executed ({len(never)})", *aligned(rows, indent="  ")]
