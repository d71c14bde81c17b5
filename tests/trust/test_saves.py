"""A save is the game it says it is, or it is refused with words."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from referencing import Registry, Resource

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.runtime.game import game_from_program
from interpreter.runtime.saved import check_position
from tests.toy_games import TOYS, checked, toy_game
from tests.trust.fuzzing_files import mutated
from tests.trust.invariants import played_on
from tests.trust.small import ROOT, RULES, ruleset

SCHEMAS = ROOT / "schemas"
RELEASES = Path(__file__).parent / "releases"
QUICK = {"pikit": 40, "kuhn_poker": 60, "nim": 60}  # games of which many saves are tried in a second
GAMES = (("pikit", 2), ("kiwi_chow_down", 2), ("kuhn_poker", 2), ("nim", 2), ("kikai", 2), ("flatiron", 2))


def middle(name: str, players: int, seed: int, choices: int) -> Any:
    state = rw.load(name, players).new(seed=seed)
    rng = random.Random(seed)
    while not state.over and len(state.history) < choices:
        state.apply(rng.randrange(len(state.opts)))
    return state


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_a_save_is_the_same_game(name: str, players: int) -> None:
    for choices in (0, 1, 5, 30):
        state = middle(name, players, 3, choices)
        again = state.game.from_json(state.to_json())
        assert again.same_as(state) and not again.watched and [*again.opts] == [*state.opts]


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_every_position_passes_the_check_of_positions(name: str, players: int) -> None:
    """Nothing that play leads to may be refused, also where no seed leads to it: a world."""
    state = middle(name, players, 5, 25)
    game = state.game
    check_position(game.meta, game.machine, json.loads(json.dumps(state.to_data())))
    if state.over:
        return
    world = state.determinize(state.who, 1)
    again = game.from_json(world.to_json())
    assert again.opts == world.opts and again.view(None) == world.view(None)
    if again.watched:
        played_on(again, 3, lambda count: 0)


def test_every_position_of_toys_passes_the_check_of_positions() -> None:
    """Effects in tables that are given something by name, and whatever else a frame may hold."""
    wanted = [name for name, toy in TOYS.items() if "effect given" in toy.rules or "together" in toy.rules]
    assert wanted
    for name in wanted:
        played_on(toy_game(name).new(seed=1), 25, random.Random(name).randrange)


SETS_IN_CELLS = """
kind Charm from charms.yaml
  use: effect
table
  shelf: pool of Charm open
setup
  move all c in Charm to shelf
play
  for p in players
    turn(p)
phase turn(p)
  choose c in shelf "Which?"
  perform c.use for p
effect take(p, ranks: set of 1..3)
  choose n in ranks "How many?"
"""
CHARMS = """kind: Charm
default: known
rows:
  - {id: amulet, use: "take(2)"}
  - {id: talisman, use: "take(3)"}
"""


def test_a_position_inside_a_cell_that_names_a_set_is_opened_as_it_stands() -> None:
    """A set of one number in a cell is no name of what the performer supplies."""
    state = game_from_program(checked(SETS_IN_CELLS, tables={"charms.yaml": CHARMS})).new(0, auto=False)
    state.apply(0)
    saved = json.loads(state.to_json()) | {"seed": 1, "choices": []}  # which do not lead there
    check_position(state.meta, state.machine, saved["state"])


def test_a_world_in_the_middle_of_what_is_done_together_is_saved() -> None:
    state = toy_game("secrets:1").new(seed=0).apply(1)
    assert state.together
    world = state.determinize(state.who, 3)
    again = state.game.from_json(world.to_json())
    assert again == world and again.apart is not None


def resumed_or_refused(game: Any, text: str, rng: random.Random, told: Counter[str]) -> None:
    try:
        state = game.from_json(text)
    except rw.WrongSave as refused:
        assert str(refused)
        told["refused"] += 1
        return
    try:
        played_on(state, 8, rng.randrange)
        told["played on"] += 1
    except (rw.Fault, rw.WrongSave):  # the position cannot be reached, so its rules may end nowhere; they say so
        told["told in play"] += 1


@pytest.mark.parametrize(("name", "players"), GAMES)
def test_mutated_saves_are_refused_or_played_on(name: str, players: int, is_long: bool) -> None:
    told: Counter[str] = Counter()
    rng = random.Random(f"{name} {players}")
    for choices in (0, 4, 12, 400):
        state = middle(name, players, choices + 1, choices)
        saved = json.loads(state.to_json())
        for _ in range(4000 if is_long else QUICK.get(name, 10)):
            part = rng.random()
            if part < 0.75:
                changed = {**saved, "state": mutated(rng, saved["state"])}
            else:
                changed = mutated(rng, saved)
            resumed_or_refused(state.game, json.dumps(changed), rng, told)
        for _ in range(400 if is_long else QUICK.get(name, 10) // 4):  # letters of the text itself
            text = state.to_json()
            where = rng.randrange(len(text))
            resumed_or_refused(state.game, text[:where] + rng.choice('x9"{[]},:-') + text[where + 1 :], rng, told)
    assert told["refused"] > told.total() // 3, told


@pytest.mark.parametrize(
    "text", ["", "null", "[]", "{}", "[" * 100_000, '{"state": 1}', '{"format": "x"}', 7, None, b"{}"]
)
def test_what_is_no_save_is_refused(text: Any) -> None:
    with pytest.raises(rw.WrongSave):
        rw.load("nim").from_json(text)


def test_what_was_changed_is_said(tmp_path: Path) -> None:
    """In a game whose seed decides nothing every position is possible, so the change itself has to be found."""
    game = rw.load(str(ruleset(tmp_path)))
    saved = json.loads(game.new(seed=1).apply(0).to_json())
    reasons = {
        "`n` is 77": {"f": [77]},
        "`f` has not": {"f": []},
        "no generator": {"g": -1},
        "`k` names a rule": {"k": [[999]]},
        "performs a cell": {"k": [[0, 0, 0, 1, [["x", 1]]]]},
        "`horizon`": {"horizon": 99},
        "`p` has not": {"p": [[]]},
        "`kn`": {"kn": []},
        "`h` is no history": {"h": [0]},
        "`lg`": {"lg": [[["say", 0, [], None]]]},
    }
    for words, change in reasons.items():
        with pytest.raises(rw.WrongSave, match=words):
            game.from_json(json.dumps({**saved, "state": {**saved["state"], "g": 5, **change}}))


# ---------------------------------------------------------------------------- other compilers, other rules


def test_another_compiler_carries_a_save_over() -> None:
    for name, players in GAMES[:3]:
        state = middle(name, players, 9, 12)
        saved = json.loads(state.to_json())
        saved["code"] = "0123456789abcdef"
        saved["state"]["k"] = [[1, 2, 3]]  # its numbers mean something else there
        again = state.game.from_json(json.dumps(saved))
        assert again.history == state.history and again.f == state.f and again.g == state.g


def test_a_save_of_another_compiler_that_does_not_fit_is_refused() -> None:
    state = middle("nim", 2, 9, 4)
    saved = json.loads(state.to_json())
    saved["code"], saved["choices"] = "0123456789abcdef", [0, 0, 10**6, 0]
    with pytest.raises(rw.WrongSave, match="another version"):
        state.game.from_json(json.dumps(saved))
    saved["choices"] = list(state.history)[:2]
    with pytest.raises(rw.WrongSave, match="another version"):
        state.game.from_json(json.dumps(saved))


def test_saves_of_every_release_are_read() -> None:
    """Written when the release was made, never again. Rules beside the saves (`ferry`) stay as they are: theirs must be
    read. A save whose rules have changed since says so."""
    files = sorted(RELEASES.glob("*.save.json"))
    assert len(files) >= 5
    for file in files:
        text = file.read_text(encoding="utf-8")
        head = json.loads(text)
        kept = (RELEASES / head["game"]).is_dir()
        game = rw.load(str(RELEASES / head["game"]) if kept else head["game"], head["players"])
        if not kept and head["fingerprint"] != game.fingerprint:
            with pytest.raises(rw.WrongSave, match="other rules"):
                game.from_json(text)
            continue
        state = game.from_json(text)
        assert list(state.history) == head["choices"] and not state.watched
        played_on(state, 20, lambda count: count - 1)


PICKS = (
    RULES.replace("  n += k\n", '  picks(p)\n  choose j in 1..2 "?"\n').replace("0..9", "0..9\n  m: 0..9")
    + """
effect picks(p)
  choose 2 x in 1..4 as xs "Which?"
  n += 1
"""
)


def test_a_set_that_was_chosen_is_no_part_of_the_next_decision(tmp_path: Path) -> None:
    game = rw.load(str(ruleset(tmp_path, PICKS)), backend="python")
    one, other = game.new(seed=1), game.new(seed=1)
    for choice in (0, 0, 0):
        one.apply(choice)
    for choice in (0, 2):
        other.apply(choice)
    assert one.history != other.history and one == other and one.picked == ()
    asked = json.loads(other.to_json())
    asked["state"]["f"] = [5, 7]  # a position that no seed leads to: its decision is asked anew
    loaded = game.from_json(json.dumps(asked))
    assert loaded.watched and loaded.picked == other.picked
    loaded.f[:] = other.f
    assert loaded == other


@pytest.mark.parametrize("seed", [-1, 1 << 64, -(10**30), 10**300])
def test_any_seed_that_a_game_may_have_is_saved(seed: int) -> None:
    state = rw.load("kuhn_poker").new(seed=seed).apply(0)
    assert state.game.from_json(state.to_json()).same_as(state)


@pytest.mark.parametrize("players", [10_001, 10**12, 10**20])
def test_players_beyond_all_measure(tmp_path: Path, players: int) -> None:
    """Each player had a seat made before anything was looked at."""
    home = ruleset(tmp_path)
    saved = json.loads(rw.load(str(home)).new(seed=1).to_json())
    (tmp_path / "game.json").write_text(json.dumps({**saved, "players": players}))
    assert exit_code_of(["play", str(home), "--resume", str(tmp_path / "game.json")]) == 2


def test_scripted_games_are_saved_with_their_script() -> None:
    poker = rw.load("kuhn_poker")
    state = poker.new(seed=3, script=[("shuffle", "deck", ["card_king", "card_jack", "card_queen"])])
    again = poker.from_json(state.to_json())
    assert not again.watched and again.same_as(state)


# ---------------------------------------------------------------------------- one kind for all, another for clients


def test_play_why_and_programs_share_one_kind_of_save(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    home = ruleset(tmp_path)
    game = rw.load(str(home))
    lines = iter(["1", "s game.json", "q"])
    monkeypatch.setattr("builtins.input", lambda prompt="": next(lines))
    assert exit_code_of(["play", str(home), "--seed", "4"]) == 0
    state = game.from_json((tmp_path / "game.json").read_text())
    assert len(state.history) == 1
    (tmp_path / "own.json").write_text(state.to_json())
    assert exit_code_of(["why", "own.json", "n", "--game", str(home)]) == 0
    broken = json.loads(state.to_json())
    broken["state"]["f"] = [55]
    (tmp_path / "broken.json").write_text(json.dumps(broken))
    assert exit_code_of(["why", "broken.json", "n", "--game", str(home)]) == 2
    assert exit_code_of(["play", str(home), "--resume", "broken.json"]) == 2


def test_a_client_gets_what_its_player_may_know() -> None:
    state = middle("kuhn_poker", 2, 7, 1)
    text = state.client_json(0)
    told = json.loads(text)
    read = {name: json.loads((SCHEMAS / f"{name}.schema.json").read_text()) for name in ("client", "observation")}
    known = Registry().with_resources((f"{name}.schema.json", Resource.from_contents(read[name])) for name in read)
    Draft202012Validator(read["client"], registry=known).validate(told)
    assert told["observation"] == json.loads(json.dumps(state.observation(0)))
    assert not {"seed", "g", "h", "state", "history", "choices", "script"} & set(told)
    for seed in range(8):  # whatever the player does not know makes no difference
        assert state.determinize(0, seed).client_json(0) == text
    with pytest.raises(rw.WrongSave, match="view"):
        state.game.from_json(text)


def test_rules_of_another_size_are_other_rules(tmp_path: Path) -> None:
    home = ruleset(tmp_path)
    text = rw.load(str(home)).new().to_json()
    (home / "small.rules").write_text(RULES.replace("0..9", "0..8"))
    with pytest.raises(rw.WrongSave, match="other rules"):
        rw.load(str(home)).from_json(text)
