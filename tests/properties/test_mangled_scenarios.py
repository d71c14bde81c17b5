"""Scenarios with words missing, doubled, swapped or put in: findings or failures, never an exception.

The words are mangled by a seeded generator, so each run is the same. Scenarios that still parse share one game and are
read and run as `validate` and `test` do; of a crash few scenarios that show it are told.
"""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from interpreter.cli.run_scenarios import as_data, failure_text
from interpreter.diagnostics import Diagnostics, Source, render
from interpreter.play.scenarios import run_scenarios, scenario_findings
from interpreter.play.verdicts import KINDS, Found
from interpreter.syntax import nodes, parse_rules
from tests.play.test_scenarios import STACKS
from tests.play.toys import CARDS, DUEL, PLAIN_EFFECTS, RULEBOOK, write_ruleset

DUEL_SCENARIOS = """\
scenario "A turn" for 2 players
  given
    at turn(red)
    red.hand holds low, high
    blue.hand holds low
    deck holds mid
    dice[2].face = 4
  when
    chance roll dice: 1, 6
  then
    dice[1].face == 1
    red may choose "Draw a card", "Rest"
    red may not choose "Buy victory" because @D-04
    red sees low, high in red.hand
    the game goes on
  when
    red chooses "Play High card"
  then
    heap holds high
    red scores 9 for "Coins"
---
scenario "A game" for 2 players
  given
    after setup
    at play
    red.coins = 5
    deck holds low, 2 * high on top
  when
    chance shuffle deck: mid
    red chooses low
    blue plays on
    red passes
  then
    count(c in deck where c.power == 1) == 0
    the game is over
    red wins "Bought"
---
scenario "A rule without decisions" for 2 players
  given
    at burn(red, (first c in red.hand where c.power == 1))
    red.hand holds 2 * low
  when
    chance pick red.hand: low
  then
    holder(top of heap) is none
    heap holds low
---
scenario "The end" for 2 players
  given
    at end
    red.coins = 5
  then
    red scores 5
    red wins
"""
STACKS_SCENARIOS = """\
scenario "Pieces on pieces" for 2 players
  given
    at turn(red)
    meadow holds stack_red carrying 2 * token_red, stack_red carrying token_red
  when
    red chooses "Shrink 2"
  then
    meadow holds 2 * stack_red carrying token_red
    heap holds token_red
    under(first t in Token where t.owner == red) is none
"""
_WORD = re.compile(r'"[^"\n]*"|@[\w-]+|\w+|[^\w\s]+')
_NAME = re.compile(r"\b(?!(?:given|when|then|chance|holds|at|in|is|where|may|not|choose)\b)\w+(?:\.\w+)?")
_EXTRA = ("Card", "Oak", "box", "none", "players", "0", "7", "99", "nothing", "seat2", "(top of heap)", "holder(seat1)")


def mangled(text: str, texts: list[str], names: list[str], chance: random.Random) -> str:
    """The text with one or two things otherwise; its first line stays.

    A name may be another (so that most still parse), a word may be gone or be there twice, a line may be one of
    another scenario.
    """
    head, body = text.rstrip().split("\n", 1)
    for _ in range(chance.choice((1, 1, 2))):
        match chance.randrange(5):
            case 0:
                found = chance.choice(list(_WORD.finditer(body)))
                word = chance.choice(("", f"{found.group()} {found.group()}"))
            case 1:
                found = chance.choice(list(re.finditer(r"^    .*$", body, re.MULTILINE)))
                word = chance.choice(re.findall(r"^    .*$", chance.choice(texts), re.MULTILINE))
            case _:
                found = chance.choice(list(_NAME.finditer(body)))
                word = chance.choice(names)
        body = body[: found.start()] + word + body[found.end() :]
    return f"{head}\n{body}\n"


def read(text: str, game: str) -> list[Found]:
    """What the parser makes of it: a scenario, or findings."""
    found = Diagnostics()
    tree = parse_rules(Source("mangled.rules", text), found)
    assert (tree is None) == (len(found) > 0)
    assert all(render(finding) for finding in found)
    declared = tree.declarations if tree is not None else ()
    return [Found(one, game, 2) for one in declared if isinstance(one, nodes.Scenario)]


def run(scenarios: list[Found]) -> None:
    """As `validate` and as `test`: a scenario with findings is not played, any other passes or says what is wrong."""
    told = {finding.primary.span.source for finding in scenario_findings(scenarios)}
    verdicts = list(run_scenarios(scenarios))
    assert as_data([("mangled", verdicts)])["failed"] == sum(not verdict.passed for verdict in verdicts)
    for verdict in verdicts:
        if verdict.failure is not None:
            assert verdict.failure.kind in KINDS and failure_text(verdict)
        if verdict.found.at.source in told:
            assert verdict.failure is not None and verdict.failure.diagnostics


def smallest(scenarios: list[Found]) -> list[Found]:
    """Of scenarios that make a crash, fewer that still do."""
    for half in (scenarios[: len(scenarios) // 2], scenarios[len(scenarios) // 2 :]):
        try:
            run(half)
        except Exception:
            return smallest(half) if len(half) > 1 else half
    return scenarios


@pytest.mark.parametrize(
    ("name", "rules", "scenarios", "count"),
    [("duel", DUEL + PLAIN_EFFECTS, DUEL_SCENARIOS, 400), ("stacks", STACKS, STACKS_SCENARIOS, 100)],
)
def test_mangled_scenarios(name: str, rules: str, scenarios: str, count: int, tmp_path: Path) -> None:
    files = {"cards_yaml": CARDS} if name == "duel" else {}
    game = str(write_ruleset(tmp_path, name, rules, rulebook_yaml=RULEBOOK, **files))
    names = sorted({*_NAME.findall(re.sub('"[^"]*"', "", rules + scenarios)), *_EXTRA})
    chance, texts = random.Random(20), scenarios.split("---\n")
    tried = [mangled(chance.choice(texts), texts, names, chance) for _ in range(count)]
    parsed = [found for text in tried for found in read(text, game)]
    assert len(parsed) > count // 4
    try:
        run(parsed)
    except Exception as crash:
        shown = "\n".join(found.at.source.text for found in smallest(parsed))
        raise AssertionError(f"{crash!r} with\n{shown}") from crash
