"""The figures on the pages of the rulesets are those of the rules as they are."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from interpreter.cli.commands import exit_code_of

RULESETS = Path(__file__).resolve().parent.parent.parent / "rulesets"
ROW = re.compile(
    r"\| (?:`(?P<game>[\w+]+)` \| )?(?P<bots>random|greedy) \| (?P<games>[\d,]+) \| (?P<yellow>[\d.]+) % \| "
    r"(?P<purple>[\d.]+) % \| (?P<shared>\d+) \| (?P<scores>[\d.]+ : [\d.]+) \| (?P<length>.+) \|"
)


def rows() -> list[tuple[str, re.Match[str]]]:
    pages = [
        (name, (RULESETS / name / "README.md").read_text(encoding="utf-8")) for name in ("kikai", "bricolage_heads")
    ]
    return [(row["game"] or name, row) for name, page in pages for row in ROW.finditer(page)]


def told(report: dict[str, Any]) -> list[str]:
    digits = 1 if report["games"] >= 1000 else 0
    rates = [f"{100 * seat['rate']:.{digits}f}" for seat in report["seats"]]
    length = report["length"]
    return [
        *rates,
        str(report["shared"]),
        " : ".join(f"{seat['score']['mean']:.1f}" for seat in report["seats"]),
        f"{length['mean']:.0f} ({length['min']} to {length['max']})",
    ]


@pytest.mark.parametrize(("game", "row"), rows(), ids=lambda value: value if isinstance(value, str) else value["bots"])
def test_a_row_is_what_simulate_tells(
    game: str, row: re.Match[str], is_long: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    if not is_long:
        pytest.skip("up to a minute each: --long")
    asked = ["simulate", game, "--games", row["games"].replace(",", ""), "--bots", row["bots"], "--format", "json"]
    assert exit_code_of(asked) == 0
    report = json.loads(capsys.readouterr().out)
    assert told(report) == [row["yellow"], row["purple"], row["shared"], row["scores"], row["length"]]


def test_every_mode_has_its_rows() -> None:
    found = {(game, row["bots"]) for game, row in rows()}
    games = ("kikai", "kikai+advanced", "kikai+first_game", "bricolage_heads")
    assert found == {(game, bots) for game in games for bots in ("random", "greedy")}
