"""Kiwi Chow Down: scenarios, clauses, random games of every mode, pieces conserved, secrets kept, bad data told."""

from __future__ import annotations

import random
import re
import shutil
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.play.scenarios import find_scenarios, run_scenarios
from interpreter.ruleset.clauses import cites_in
from interpreter.ruleset.folder import read_ruleset
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.every_ruleset import loaded

FOLDER = Path(__file__).resolve().parents[2] / "rulesets" / "kiwi_chow_down"
BASE = "kiwi_chow_down"
MODES = (
    (BASE, 2),
    (BASE, 3),
    (BASE, 4),
    (f"{BASE}+free_setup", 3),
    (f"{BASE}+asymmetric", 4),
    (f"{BASE}+variable_turn_order", 4),
    (f"{BASE}+solo", 2),
    (f"{BASE}+asymmetric+solo", 2),
    (f"{BASE}+free_setup+asymmetric", 4),
    (f"{BASE}+free_setup+variable_turn_order", 2),
    (f"{BASE}+asymmetric+variable_turn_order", 3),
)
FEW_MODES = ((BASE, 3), (f"{BASE}+asymmetric+variable_turn_order", 3), (f"{BASE}+solo", 2))


# ---------------------------------------------------------------------------- scenarios and clauses


def test_the_scenarios_pass() -> None:
    verdicts = list(run_scenarios(find_scenarios(BASE)))
    assert len(verdicts) > 140
    assert [verdict.found.title for verdict in verdicts if not verdict.passed] == []


def test_every_clause_has_a_rule_and_every_example_a_scenario() -> None:
    found = Diagnostics()
    ruleset = read_ruleset(FOLDER, found)
    assert ruleset is not None and not found.found
    clauses = ruleset.clauses.values()
    assert Counter(clause.section for clause in clauses) == {"clause": 304, "ruling": 97, "example": 72}
    played = {cite for scenario in find_scenarios(BASE) for cite in scenario.clauses}
    assert [clause.id for clause in clauses if clause.section == "example" and clause.id not in played] == []
    cited = {cite.text for tree in ruleset.trees for cite in cites_in(tree)}
    for file in (*FOLDER.glob("variants/*.rules"), *FOLDER.glob("*.yaml")):
        if file.name != "rulebook.yaml":
            cited.update(re.findall(r"\b[WA]-\d+\b", file.read_text()))
    needed = [clause for clause in clauses if clause.section != "example" and clause.needs_rule]
    assert [clause.id for clause in needed if clause.id not in cited] == []


# ---------------------------------------------------------------------------- random games


@pytest.mark.parametrize(("name", "players"), MODES)
def test_random_games_come_to_an_end(name: str, players: int, is_long: bool) -> None:
    game = loaded(name, players)
    for seed in range(5_000 if is_long else 5):
        assert game.playout(seed).over


@pytest.mark.parametrize(("name", "players"), FEW_MODES)
def test_in_lock_step_with_the_slow_evaluator(name: str, players: int, is_long: bool) -> None:
    """Whole games; the first decisions of all modes are compared with those of every ruleset."""
    if not is_long:
        pytest.skip("a whole game takes the slow evaluator half a minute")
    game = loaded(name, players)
    for seed in range(5):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(game.program), seed, rng.randrange) is None


def played(name: str, players: int, seeds: range, curious: bool = False) -> Any:
    """The states before each decision of some random games, with the option that is chosen.

    A curious player takes what has been taken least often so far, wherever on the island it is.
    """
    taken: Counter[str] = Counter()
    for seed in seeds:
        state, rng = loaded(name, players).new(seed), random.Random(seed)
        while not state.over:
            options = list(state.decision.options)
            rng.shuffle(options)
            sorts = [re.sub(r"hex \S+|seat\d", "", str(option)) for option in options] if curious else [""]
            sort = min(sorts, key=lambda one: taken[one])
            option = options[sorts.index(sort)]
            taken[sort] += 1
            yield state, option
            state.apply(option)


def where(state: Any) -> Counter[tuple[str, str]]:
    """How many pieces of each kind lie in places of each name."""
    meta = state.meta
    names = {n: place.name for place in meta.places for n in range(place.base, place.base + place.size)}
    names[-1] = "box"
    return Counter((meta.piece_kind[piece], names[state.at[piece]]) for piece in range(meta.pieces))


@pytest.mark.parametrize(("name", "players"), FEW_MODES)
def test_pieces_are_conserved(name: str, players: int) -> None:
    for state, _ in played(name, players, range(1)):
        if not state.path:
            continue  # the setup takes things out of the box step by step
        found = where(state)
        of = {kind: sum(count for (k, _), count in found.items() if k == kind) for kind, _ in found}
        assert of["Token"] == 20 * players and found["Token", "box"] == 0
        assert found["Fruit", "pink_bag"] + found["Fruit", "fruits"] == 56
        markers = ("brown_bag", "markers", "marker", "shown")
        assert sum(found["Marker", place] for place in markers) == 56
        assert found["Nest", "nests"] + found["Nest", "nest"] == 6 * players
        assert found["Marker", "marker"] == found["Token", "flag"] or state.decision.prompt == "Which token marks it?"
        assert found["Leader", "kiwis"] == players
        assert found["Kiwi", "kiwis"] + found["Kiwi", "idle"] == 20 * players


def test_no_player_has_more_than_ten_fruit_for_long() -> None:
    for state, _ in played(BASE, 2, range(1)):
        held = [len(own["fruits"]) for own in state.view(0)["places"]["players"]]
        assert max(held) <= 10 or state.decision.prompt == "Which fruit go back?"


# ---------------------------------------------------------------------------- secrets


@pytest.mark.parametrize(("name", "players"), ((BASE, 3), (f"{BASE}+asymmetric", 2)))
def test_markers_are_known_to_their_owner_only(name: str, players: int) -> None:
    for state, _ in played(name, players, range(1)):
        if "Season 4" in state.path and "Domains" in state.path:
            continue  # all that are left are turned up
        for reader in range(players):
            places = state.view(reader)["places"]["players"]
            for owner in range(players):
                shown = places[owner]["markers"]
                assert owner == reader or all(marker is None for marker in shown), (reader, owner, shown)


def test_no_log_line_tells_a_marker_of_another() -> None:
    for seed in range(2):
        state, rng = loaded(BASE, 3).new(seed), random.Random(seed)
        while not state.over and "Season 4" not in state.path:
            state.apply(rng.choice(list(state.decision.options)))
        for reader in range(3):
            for line in state.log(reader):
                who, _, said = line.partition(": ")
                laid_open = re.match(r"hex \S+, marker", said)  # a marker on a hex is seen by all: the line names it
                if who.split()[0] != f"seat{reader + 1}" and not laid_open:
                    assert re.search(r"marker (flower|grass|mountain|sand)", said) is None, line


def test_what_others_hold_changes_no_option() -> None:
    for number, (state, _) in enumerate(played(BASE, 2, range(1))):
        if number % 9:
            continue
        who = state.decision.player
        twin = state.determinize(who, 5)
        assert [str(option) for option in twin.decision.options] == [str(option) for option in state.decision.options]


# ---------------------------------------------------------------------------- everything comes up


def test_every_card_comes_up() -> None:
    said: set[str] = set()
    for _, option in played(BASE, 4, range(5), curious=True):
        said.add(str(option))
    text = "\n".join(said)
    leader_cards = [row.name for row in loaded(BASE, 4).program.rows if row.kind == "LeaderCard"]
    assert [card for card in leader_cards if f"Use {card}" not in said] == []
    assert len(set(re.findall(r", (\w+ [12]) seat", text))) == 6
    assert len(set(re.findall(r"Play (Joker \d) seat\d for its gift", text))) == 3


def test_every_season_card_is_laid_out() -> None:
    seen: set[str] = set()
    for seed in range(20):
        state = loaded(BASE, 2).new(seed)
        while not state.path:  # the setup
            state.apply(0)
        seen.update(re.findall(r"(?:Most|Fewest)[^'\"]*", str(state.view(0)["places"]["table"])))
    assert len(seen) == 15


def test_every_power_comes_up() -> None:
    said: set[str] = set()
    prompts: Counter[str] = Counter()
    twice = 0
    last: tuple[str, ...] = ()
    for state, option in played(f"{BASE}+asymmetric", 4, range(4), curious=True):
        said.add(str(option))
        prompts[state.decision.prompt] += 1
        now = (state.decision.prompt, *state.path[-1:])
        twice += now == last == ("Which kiwi grows?", "Season change")
        last = now
    assert "Pay 1 fruit to mark a second domain" in said
    assert "Make one more move" in said
    assert prompts["Which marker goes back?"] > 5
    assert twice


# ---------------------------------------------------------------------------- bad input


def spoiled(tmp_path: Path, file: str, old: str, new: str) -> list[tuple[str, str, int]]:
    """Code, words and line of what is found when a text of the ruleset is replaced."""
    folder = tmp_path / BASE
    shutil.copytree(FOLDER, folder)
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))
    with pytest.raises(rw.RulesetError) as refused:
        rw.load(str(folder), 2)
    return [(found.code, found.headline, found.primary.span.line) for found in refused.value.diagnostics]


def line_of(file: str, text: str) -> int:
    lines = (FOLDER / file).read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if text in line)


SECOND_TILE = "{tile: tile_2, at: [-1, 3]}"


def test_tiles_that_overlap(tmp_path: Path) -> None:
    found = spoiled(tmp_path, "island.yaml", SECOND_TILE, "{tile: tile_2, at: [0, 1]}")
    assert found == [("R0247", "two hexes lie on 1, 0", line_of("island.yaml", SECOND_TILE))]


def test_an_island_in_two_parts(tmp_path: Path) -> None:
    [(code, headline, line)] = spoiled(tmp_path, "island.yaml", SECOND_TILE, "{tile: tile_2, at: [-1, 9]}")
    assert (code, line) == ("R0244", line_of("island.yaml", SECOND_TILE))
    assert headline.startswith("the board is in 2 parts: there is no way from")


def test_a_season_card_with_an_unknown_objective(tmp_path: Path) -> None:
    found = spoiled(tmp_path, "season_cards.yaml", "number: nests_built", "number: nests_bilt")
    line = line_of("season_cards.yaml", "number: nests_built")
    assert found[0] == ("R0259", "there is no value `nests_bilt`", line)


def test_a_leader_without_a_clan(tmp_path: Path) -> None:
    found = spoiled(tmp_path, "leader_cards.yaml", "    clan: purple_clan\n", "")
    assert found[0] == ("R0250", "`charge` has no `clan`", line_of("leader_cards.yaml", "- id: charge"))


def test_a_leader_of_an_unknown_clan(tmp_path: Path) -> None:
    found = spoiled(tmp_path, "leader_cards.yaml", "clan: purple_clan", "clan: purple")
    assert found[0] == ("R0256", "`purple` is no value of Clan", line_of("leader_cards.yaml", "clan: purple_clan"))


def test_a_free_placement_looks_no_further_than_itself() -> None:
    """Looking through all placements that follow, of every player, would take thousands of trials a decision."""
    game = loaded(f"{BASE}+free_setup", 4)
    state = game.new(seed=3)
    trials = []
    while len(trials) < 4 * (1 + 8 + 2):
        is_placement = re.search("start|size 2", state.decision.prompt)
        before = state.tried.trials
        state.apply(len(state.decision.options) // 2)
        trials += [state.tried.trials - before] if is_placement else []
    assert max(trials) <= 100  # there are not so many hexes


@pytest.mark.parametrize("variant", ["variable_turn_order", "free_setup"])
def test_what_needs_several_people_is_not_played_against_kiwibot(variant: str) -> None:
    """No scenario can show this (W-286): the game it would need does not exist."""
    with pytest.raises(rw.RulesetError) as refused:
        rw.load(f"{BASE}+{variant}+solo", 2)
    [found] = refused.value.diagnostics
    assert (found.code, found.headline) == ("R0602", f"`{variant}` and `solo` exclude one another")
