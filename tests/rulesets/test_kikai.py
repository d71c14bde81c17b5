"""KIKAI and Bricolage Heads: scenarios, random games, clauses, secrets, layers."""

from __future__ import annotations

import random
import re
from collections import Counter
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.play.scenarios import find_scenarios
from interpreter.ruleset.clauses import cites_in
from interpreter.ruleset.folder import read_ruleset
from interpreter.ruleset.gather import gather
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.every_ruleset import loaded
from tests.scenario_verdicts import verdicts

RULESETS = Path(__file__).resolve().parents[2] / "rulesets"
GAMES = ("kikai", "kikai+advanced", "kikai+first_game", "bricolage_heads")
COMMON_ACTIONS = ("Hold an exhibition", "Place ladders")
OWN_ACTIONS = {
    "kikai": ("Build an element", "Distribute flyers", "Attract fans"),
    "bricolage_heads": ("Create a KIKAI token", "Advertise on a Route", "Gather fans"),
}


# ---------------------------------------------------------------------------- scenarios and clauses


@pytest.mark.parametrize("name", GAMES)
def test_the_scenarios_pass(name: str) -> None:
    assert verdicts(name)
    assert [verdict.found.title for verdict in verdicts(name) if not verdict.passed] == []


@pytest.mark.parametrize(
    ("name", "clauses", "rulings", "examples"), [("kikai", 258, 46, 30), ("bricolage_heads", 171, 31, 20)]
)
def test_every_clause_has_a_rule_and_every_example_a_scenario(
    name: str, clauses: int, rulings: int, examples: int
) -> None:
    found = Diagnostics()
    ruleset = read_ruleset(RULESETS / name, found)
    assert ruleset is not None and not found.found
    own = ruleset.clauses
    assert Counter(clause.section for clause in own.values()) == {
        "clause": clauses,
        "ruling": rulings,
        "example": examples,
    }
    played = {cite for scenario in find_scenarios(name) for cite in scenario.clauses}
    assert [clause.id for clause in own.values() if clause.section == "example" and clause.id not in played] == []
    cited = {cite.text for layer in (*ruleset.lower(), ruleset) for tree in layer.trees for cite in cites_in(tree)}
    for table in RULESETS.glob("*/*.yaml"):
        if table.name != "rulebook.yaml":
            cited.update(re.findall(r"\b[KB]A?-\d+\b", table.read_text()))
    without = [
        clause.id
        for clause in own.values()
        if clause.needs_rule and clause.id not in cited and not any(other in cited for other in clause.same_as)
    ]
    assert without == []


# ---------------------------------------------------------------------------- random games


@pytest.mark.parametrize("name", GAMES)
def test_random_games_come_to_an_end(name: str, is_long: bool) -> None:
    game = loaded(name, 2)
    for seed in range(10_000 if is_long else 60):
        state = game.playout(seed)
        assert state.over
        assert all(len(lines) == len(state.score_lines[0]) for lines in state.score_lines)


@pytest.mark.parametrize("name", GAMES)
def test_every_action_comes_up(name: str) -> None:
    seen: set[str] = set()
    for seed in range(6):
        state = loaded(name, 2).new(seed)
        rng = random.Random(seed)
        while not state.over:
            option = rng.choice(list(state.decision.options))
            seen.add(str(option))
            state.apply(option)
    actions = (*OWN_ACTIONS[name.partition("+")[0]], *COMMON_ACTIONS)
    assert [action for action in actions if action not in seen] == []
    assert any(label.startswith("Two ") for label in seen)


@pytest.mark.parametrize("name", GAMES)
def test_in_lock_step_with_the_slow_evaluator(name: str, is_long: bool) -> None:
    game = loaded(name, 2)
    for seed in range(20 if is_long else 1):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(game.program), seed, rng.randrange) is None


# ---------------------------------------------------------------------------- layers and secrets


def test_the_order_of_variants_does_not_matter() -> None:
    assert rw.load("kikai+first_game+advanced").fingerprint == rw.load("kikai+advanced+first_game").fingerprint


def test_the_first_edition_has_none_of_the_modes_of_the_second() -> None:
    gathered = gather("bricolage_heads", None, Diagnostics())
    assert gathered is not None
    names = [variant.name for variant in gathered.all_variants]
    assert names == ["single_card_extra", "body_before_head", "late_refill"]
    with pytest.raises(rw.RulesetError):
        rw.load("bricolage_heads+advanced")


def test_a_switch_of_the_advanced_mode_brings_it_in() -> None:
    assert rw.load("kikai+later_legs_plain").name == "kikai+advanced+later_legs_plain"


def test_points_are_hidden_in_the_first_edition_only() -> None:
    hidden = loaded("bricolage_heads", 2).new(1).view(0)["fields"]["players"]
    assert hidden[0]["vp"] == 5
    assert hidden[1]["vp"] == "?"
    shown = loaded("kikai", 2).new(1).view(0)["fields"]["players"]
    assert shown[1]["vp"] == 0


def test_nobody_knows_the_deck() -> None:
    state = loaded("kikai", 2).new(1)
    assert all(card is None for card in state.view(0)["places"]["table"]["deck"])
    assert len(state.view(0)["places"]["players"][1]["cards"]) == 4
