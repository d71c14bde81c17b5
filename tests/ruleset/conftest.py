"""A folder of rulesets made for one test, and short ways to gather from it."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from interpreter.diagnostics.diagnostic import Diagnostic, Diagnostics
from interpreter.ruleset.gather import gather
from interpreter.ruleset.gathered import Gathered

TOY_RULES = """\
game toy "Toy" for 2..4 players

constant size: 1..9 = 3
kind Card from cards.yaml
  value: 1..9
  trick: flag = no

table
  deck: pile of Card hidden
each player
  coins: 0..9

setup
  shuffle deck

play
  in turn p from seat1 until deck is empty
    take(p)

effect take(p)
  draw 1 from deck to box
value worth(p): 0..9 = p.coins

score p
  "Coins"  worth(p)
rank p by highest score, then shared
"""

TOY_CARDS = """\
kind: Card
default: assumed
rows:
  - {id: low, value: 1, copies: 3}
  - {id: high, value: 9, known: [value]}
"""


class Workshop:
    """`rulesets/` below a temporary current folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, path: str, text: str) -> Path:
        target = self.folder / "rulesets" / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(dedent(text), encoding="utf-8")
        return target

    def toy(self, **files: str) -> None:
        """The toy ruleset; keyword arguments replace the text of manifest, rules or cards, or add to the rules."""
        self.write("toy/ruleset.yaml", files.get("manifest", "name: toy\n"))
        self.write("toy/toy.rules", files.get("rules", TOY_RULES) + dedent(files.get("more_rules", "")))
        self.write("toy/cards.yaml", files.get("cards", TOY_CARDS))

    def gather(self, name: str = "toy", players: int | None = None) -> tuple[Gathered | None, list[Diagnostic]]:
        found = Diagnostics()
        return gather(name, players, found), list(found)

    def good(self, name: str = "toy", players: int | None = None) -> Gathered:
        gathered, findings = self.gather(name, players)
        assert [told(finding) for finding in findings] == []
        assert gathered is not None
        return gathered

    def bad(self, name: str = "toy", players: int | None = None) -> list[str]:
        """Every finding as `CODE file:line headline / help`."""
        _, findings = self.gather(name, players)
        return [told(finding) for finding in findings]


def told(finding: Diagnostic) -> str:
    span = finding.primary.span
    advice = f" / {finding.help}" if finding.help else ""
    return f"{finding.code} {Path(span.source.name).name}:{span.line} {finding.headline}{advice}"


@pytest.fixture
def workshop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Workshop:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RULEWRIGHT_PATH", raising=False)
    return Workshop(tmp_path)
