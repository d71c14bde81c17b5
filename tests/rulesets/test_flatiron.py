"""Flatiron: nothing is lost, everything comes up, a newspaper stays secret, and wrong tables are told at the cell."""

from __future__ import annotations

import random
import shutil
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.play.scenarios import find_scenarios, run_scenarios
from interpreter.runtime.knowledge import contents
from tests.differential.lock_step import lock_step
from tests.differential.slow_evaluator import SlowGame
from tests.every_ruleset import loaded

FOLDER = Path(__file__).resolve().parents[2] / "rulesets" / "flatiron"
GAMES = ("flatiron", "flatiron+solo", "flatiron+solo+hard")
STREETS = ("Broadway", "23rd Street", "5th Avenue", "22nd Street")


def random_game(name: str, seed: int, auto: bool = True) -> Iterator[tuple[Any, str]]:
    """Each state of a random game, with the label of the option that led to it."""
    state = loaded(name, 2).new(seed, auto)
    rng = random.Random(seed)
    label = ""
    yield state, label
    while not state.over:
        option = rng.choice(list(state.decision.options))
        label = str(option)
        state.apply(option)
        yield state, label


def lying_in(state: Any, place: str, player: int = 0) -> list[int]:
    """The pieces in a place of the table or of a player."""
    [described] = [known for known in state.meta.places if known.name == place]
    return contents(state, state.meta, described.base + player)


def names_in(place: Any) -> list[str | None]:
    """What lies in a place of a view, over all its indexes."""
    if isinstance(place, dict):
        return [name for part in place.values() for name in names_in(part)]
    return list(place)


# ---------------------------------------------------------------------------- whole games


@pytest.mark.parametrize("name", GAMES)
def test_random_games_end(name: str, is_long: bool) -> None:
    """Some hundred in every run, thousands with `--long`; the rarest turns come up in scenarios."""
    game = loaded(name, 2)
    for seed in range(10_000 if is_long else 60):
        state = game.playout(seed)
        assert state.over and len(state.scores) == 2, seed


@pytest.mark.parametrize("name", GAMES)
def test_in_step_with_the_slow_evaluator(name: str, is_long: bool) -> None:
    game = loaded(name, 2)
    for seed in range(100, 120 if is_long else 102):
        rng = random.Random(seed)
        assert lock_step(game.new(seed), SlowGame(game.program), seed, rng.randrange, limit=250) is None, seed


@pytest.mark.parametrize("name", GAMES[:2])
@pytest.mark.parametrize("seed", range(4))
def test_nothing_is_lost(name: str, seed: int) -> None:
    for number, (state, _) in enumerate(random_game(name, seed)):
        if number % 5 == 0 or state.over:
            _is_whole(state.view(0))


def _is_whole(view: dict[str, Any]) -> None:
    table, players = view["places"]["table"], view["places"]["players"]
    floors = view["places"]["pieces"]
    stock = [name for seat in players for name in names_in(seat["warehouse"])]
    built = [name for floor in floors.values() for name in names_in(floor["pillars"])]
    pillars = Counter([*table["supply"], *stock, *built])
    assert set(pillars.values()) == {7} and len(pillars) == 4
    columns = [seat["columns"][street] for seat in players for street in STREETS]
    cards = [name for column in columns for name in column if not name.startswith("Board")] + table.get("beside", [])
    assert len(names_in(table["decks"])) + sum(not name.startswith("Decree") for name in cards) == 32
    assert len(table["decrees"]) + sum(name.startswith("Decree") for name in cards) == 6
    for column in columns:
        assert sum(not name.startswith("Board") for name in column) <= 3
        assert sum(name.startswith("Decree") for name in column) <= 1
    papers = len(table["papers"]) + len(table["day_paper"]) + sum(len(s["news"]) + len(s["fresh"]) for s in players)
    assert papers <= 14 and len(table["day_paper"]) == 1
    honours = sum(len(seat["honours"]) + len(names_in(seat["honoured"])) for seat in players)
    assert len(table["reputation"]) + honours == 4
    assert 1 <= len(table["finished"]) + len(table["site"]) + len(table["roof"]) <= 6
    assert all(seat["dollars"] >= 0 for seat in view["fields"]["players"])


def test_everything_comes_up() -> None:
    game = loaded("flatiron", 2)
    name_of = [game.program.rows[piece.row].name for piece in game.program.pieces]
    labels: set[str] = set()
    seen: set[str] = set()
    for seed in range(40):
        for state, label in random_game("flatiron", seed):
            labels.add(label)
            seen.update(name_of[piece] for place in ("site", "day_paper") for piece in lying_in(state, place))
        view = state.view(0)["places"]
        seen.update(names_in([name for seat in view["players"] for name in names_in(seat["columns"])]))
        seen.update(name for seat in view["players"] for name in seat["board"])
        seen.update(view["table"]["roof"])
    wanted = {row.name for row in game.program.rows if row.kind in ("StreetCard", "Decree", "Floor", "Paper", "Board")}
    assert wanted - seen == set()
    texts = [
        "2 dollars", "1 dollar a storey", "Swap a pillar", "1 point for two storeys", "Buy a pillar for 2",
        "Build 2 for 3", "Activate another action", "Build 1 for 2", "Use a card in Manhattan",
        "Build 1 for 1, colour may repeat", "Use City Hall", "Build a floor for 3", "Resolve the newspaper of the day",
        "2 points if blue stands", "1 dollar a carrier space", "Buy or sell: orange pillar", "Build 1 for 1",
        "Build 2 for 2", "Build a floor for 5", "Publish a newspaper", "Buy a card", "Take 4 dollars",
        "Build a second pillar",
    ]  # fmt: skip
    assert set(texts) - labels == set()


def test_daniel_shows_all_his_cards() -> None:
    seen: set[int] = set()
    for seed in range(10):
        for state, _ in random_game("flatiron+solo", seed):
            seen.update(lying_in(state, "shown"))
    assert len(seen) == 9


@pytest.mark.parametrize("seed", range(200))
def test_daniels_pile_is_new_after_four_to_seven_cards(seed: int) -> None:
    """FX-94: whatever the order of his cards, two pairs are there by the seventh."""
    mains = [name for name in STREETS for _ in range(2)] + ["city hall"]
    random.Random(seed).shuffle(mains)
    pairs = 0
    for number, main in enumerate(mains, 1):
        pairs += main in mains[: number - 1]
        if pairs == 2:
            break
    assert 4 <= number <= 7


# ---------------------------------------------------------------------------- secrets


@pytest.mark.parametrize("seed", range(6))
def test_a_newspaper_is_secret(seed: int) -> None:
    """Views, log lines and options of a player name a paper of the rival only if the player gave it away."""
    game = loaded("flatiron", 2)
    name_of = {
        number: game.program.rows[piece.row].name
        for number, piece in enumerate(game.program.pieces)
        if piece.kind == "Paper"
    }
    met: list[set[int]] = [set(), set()]  # the papers that each player has seen
    read = [0, 0]
    where: list[int] = []
    for state, _ in random_game("flatiron", seed, auto=False):
        moved = where != (where := [state.at[x] for x in name_of])
        for q in (0, 1):
            secret = {*lying_in(state, "news", 1 - q), *lying_in(state, "fresh", 1 - q)}
            met[q] |= name_of.keys() - secret - set(lying_in(state, "papers"))
            if moved:
                _shows_what_was_met(state, q, name_of, secret, met[q])
            lines = state.log(q)
            for line in lines[read[q] :]:
                assert {line.split(": ")[-1]} & set(name_of.values()) <= {name_of[x] for x in met[q]}, line
            read[q] = len(lines)
        if not state.over:
            me = state.decision.player
            own = {name_of[x] for place in ("news", "fresh") for x in lying_in(state, place, me)}
            assert {str(option) for option in state.decision.options} & set(name_of.values()) <= own


def _shows_what_was_met(state: Any, q: int, name_of: dict[int, str], secret: set[int], met: set[int]) -> None:
    unmet = name_of.keys() - met
    if unmet <= secret or len({name_of[x] for x in unmet}) == 1:
        return  # then the rest can be worked out
    places = state.view(q)["places"]["players"][1 - q]
    shown = Counter(name for place in ("news", "fresh") for name in places[place] if name is not None)
    assert shown <= Counter(name_of[x] for x in secret & met)


@pytest.mark.parametrize("seed", range(4))
def test_what_a_player_cannot_know_changes_nothing_for_that_player(seed: int) -> None:
    for number, (state, _) in enumerate(random_game("flatiron", seed)):
        if number % 9 == 0 and not state.over:
            for q in (0, 1):
                other = state.determinize(q, number)
                assert other.view(q) == state.view(q)
                assert other.log(q) == state.log(q)
                if state.decision.player == q:
                    assert [str(option) for option in other.decision.options] == [
                        str(option) for option in state.decision.options
                    ]


# ---------------------------------------------------------------------------- wrong tables and scenarios


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The ruleset in a folder of its own, to be spoilt."""
    folder = tmp_path / "rulesets" / "flatiron"
    shutil.copytree(FOLDER, folder)
    monkeypatch.chdir(tmp_path)
    return folder


def spoil(file: Path, old: str, new: str) -> int:
    """Write something else in a file; the line where it stands."""
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")
    return text[: text.index(old)].count("\n") + 1


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("street_cards.yaml", "upper: another", "upper: anothr", "anothr"),
        ("street_cards.yaml", "lower: swap_pillar", "lower: swap_pillar(2)", "swap_pillar"),
        ("street_cards.yaml", "lower: build(3, 2, extra = 2)", "lower: build(3)", "build"),
        ("street_cards.yaml", "lower: build(3, 2, extra = 2)", "lower: build(3, 7, extra = 2)", "7"),
        ("street_cards.yaml", "lower: build(3, 2, extra = 2)", "lower: build(3, 2, extra = orange)", "orange"),
        ("street_cards.yaml", "lower: build(3, 2, extra = 2)", "lower: build(3, 2, extr = 2)", "extr"),
        ("street_cards.yaml", "upper: if_colour_vp(blue, 2)", "upper: if_colour_vp(2, blue)", "Colour"),
        ("floors.yaml", "slot_b: match_vp(orange, 3)", "slot_b: match_vp(purple, 3)", "purple"),
        ("decrees.yaml", "upper: per_dollar(1, 12)", "upper: per_dollars(1, 12)", "per_dollars"),
        ("papers.yaml", "action: buy_any(1)", "action: per_dollar(1, 12)", "per_dollar"),
    ],
)
def test_a_wrong_cell_is_told_at_its_line(copied: Path, file: str, old: str, new: str, words: str) -> None:
    line = spoil(copied / file, old, new)
    with pytest.raises(rw.RulesetError) as found:
        rw.load("flatiron")
    findings = [(f.primary.span.at.split("/")[-1], f.headline) for f in found.value.diagnostics]
    assert all(at.startswith(f"{file}:{line}:") for at, _ in findings), findings
    assert any(words in headline for _, headline in findings), findings


def test_a_deck_of_the_wrong_size_is_told(copied: Path) -> None:
    table = copied / "street_cards.yaml"
    text = table.read_text(encoding="utf-8")
    start = text.index("  - id: s22_8")
    table.write_text(text[:start], encoding="utf-8")
    with pytest.raises(rw.RulesetError) as found:
        rw.load("flatiron")
    assert {f.code for f in found.value.diagnostics} == {"R0219"}
    assert any("`deck: street_22` makes 7 pieces, not 8" in f.headline for f in found.value.diagnostics)


def test_a_fourth_card_in_a_column_is_told_at_the_line_of_the_scenario(copied: Path) -> None:
    line = spoil(
        copied / "scenarios" / "columns.rules",
        "    green.columns[street_23] holds s23_3, s23_4, b1_purple_s23_upper, b1_purple_s23_lower, dc01",
        "    green.columns[street_23] holds s23_3, s23_4, b1_purple_s23_upper, b1_purple_s23_lower, dc01, bw_4",
    )
    [failed] = [verdict for verdict in run_scenarios(find_scenarios("flatiron")) if verdict.failure is not None]
    assert failed.failure is not None and failed.failure.span.at.endswith(f"columns.rules:{line}:5")
    assert "has room for 5, not 6" in failed.failure.message


FLOOR_SCENARIO = """\
part of flatiron

scenario "Points of the floor and of its slot add up"                          @FX-47
  given
    at place_pillar(green, no)
    site holds fl12
    green.board holds board_1
    green.warehouse[orange] holds pillar_orange
  when
    green chooses "Pillar orange, slot a"
  then
    green.vp == 9
"""


def test_a_floor_that_pays_twice_for_a_colour(copied: Path) -> None:
    """FX-47, with a floor of that kind: 4 + 2 points for the placing, then 3 for the slot."""
    spoil(copied / "floors.yaml", "slot_a: match_vp(blue, 4)", "slot_a: match_vp(orange, 3)")
    (copied / "scenarios" / "made_up_floor.rules").write_text(FLOOR_SCENARIO, encoding="utf-8")
    made_up = [found for found in find_scenarios("flatiron") if found.at.source.name.endswith("made_up_floor.rules")]
    assert [verdict.failure for verdict in run_scenarios(made_up)] == [None]
