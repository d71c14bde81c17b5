"""Training: what is learnt is worth something, fits its game alone, and depends on the seed alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.play.bots.features import Features
from interpreter.play.bots.policy_bot import PolicyBot, read_policy
from interpreter.play.match import bot_match
from interpreter.runtime.game import game_from_program
from tests.toy_games import checked

pytest.importorskip("numpy", reason="training needs the extra `learn`")

from interpreter.study import training
from interpreter.study.training import train


def test_kalah_is_learnt_well_enough_to_beat_random(tmp_path: Path) -> None:
    game = rw.load("kalah")
    trained = train(game, games=40, generations=2, seed=1)
    assert trained.games == 80 and trained.explained > 0.05
    file = tmp_path / "kalah.json"
    file.write_text(trained.policy.to_json())
    won = 0.0
    for seed in range(6):
        kinds = ["random", "random"]
        kinds[seed % 2] = f"policy:{file}"
        match = bot_match(game, kinds, seed)
        match.run()
        won += (match.state.returns or [0, 0])[seed % 2]
    assert won >= 3
    assert rw.bot(f"mcts:20+policy:{file}").choose(game.new(), 1) in game.new().decision.options
    assert train(game, games=40, generations=2, seed=1).policy.to_json() == trained.policy.to_json()


@pytest.mark.parametrize(("name", "players"), [("pikit", 3), ("kikai", 2), ("flatiron", 2), ("kuhn_poker", 2)])
def test_features_show_nothing_that_a_seat_cannot_know(name: str, players: int) -> None:
    """Worlds drawn for a player differ in what that player cannot know, and in nothing else."""
    state = rw.load(name, players).new(seed=3)
    for number in range(12):
        before = state.clone()
        state.apply(rw.bot("random").choose(state, number))
        if state.over:
            state = before
            break
    features = Features(state.meta)
    for player in range(players):
        worlds = [state.determinize(player, seed) for seed in range(3)]
        seen = [features.of(world, player) for world in worlds]
        assert seen[0] == seen[1] == seen[2] and len(seen[0]) == len(features)


def test_features_turn_with_the_seat() -> None:
    """What is mine comes first, whichever seat I have."""
    game = rw.load("kalah")
    features = Features(game.meta)
    start = game.new()
    mine, theirs = features.of(start, 0), features.of(start, 1)
    own = [n for n, name in enumerate(features.names) if not name.startswith("decision")]
    assert [mine[n] for n in own] == [theirs[n] for n in own]


def test_a_policy_for_other_rules_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    file.write_text(train(rw.load("nim"), games=4, generations=1).policy.to_json())
    for name in (f"policy:{file}", f"mcts:9+policy:{file}"):
        with pytest.raises(rw.PlayError, match="was trained for `nim` with 2 players, not for `kalah`"):
            rw.bot(name).choose(rw.load("kalah").new(), 1)


@pytest.mark.parametrize(
    "text", ["", "{}", "[1]", '{"format": "rulewright-policy/1"}', '{"format": "x", "weights": []}']
)
def test_a_broken_policy_file_is_told(tmp_path: Path, text: str) -> None:
    file = tmp_path / "p.json"
    file.write_text(text)
    with pytest.raises(rw.PlayError, match="is no policy, or it is damaged"):
        read_policy(str(file))
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(rw.PlayError, match="cannot be read"):
        read_policy(str(file))


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "nim.json"
    assert exit_code_of(["train", "nim", "-o", str(file), "--games", "5", "--generations", "2"]) == 0
    assert "learnt from" in capsys.readouterr().out and json.loads(file.read_text())["game"] == "nim"
    assert exit_code_of(["train", "nim", "-o", str(tmp_path / "no" / "nim.json")]) == 2
    assert "there is no folder" in capsys.readouterr().err


def test_an_interrupted_training_keeps_the_generations_that_are_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What it writes is the policy of so many generations; before the first is complete there is nothing to write."""
    whole, cut, none = (tmp_path / name for name in ("whole.json", "cut.json", "none.json"))
    asked = ["train", "kalah", "--games", "5", "--generations"]
    assert exit_code_of([*asked, "2", "-o", str(whole)]) == 0
    played, play_one = 0, training._play_one

    def interrupted(*arguments: Any) -> None:
        nonlocal played
        played += 1
        if played == last:
            raise KeyboardInterrupt
        play_one(*arguments)

    monkeypatch.setattr(training, "_play_one", interrupted)
    last = 13
    assert exit_code_of([*asked, "4", "-o", str(cut)]) == 130
    assert "interrupted after 2 of 4 generations" in capsys.readouterr().err
    assert cut.read_text() == whole.read_text()
    played, last = 0, 4
    assert exit_code_of([*asked, "4", "-o", str(none)]) == 130
    assert not none.exists()


def test_a_network_learns_what_no_sum_can() -> None:
    """The result is whether two features are equal: no weighted sum of them tells that."""
    from interpreter.study.fitting import fit_value
    from interpreter.study.training import Lessons

    held = Lessons()
    for number in range(600):
        one, other = float(number % 2), float(number // 2 % 2)
        held.features.append([one, other, 1.0])
        held.results.append(1.0 if one == other else -1.0)
        held.games.append(number * 7 % 600)
    network, explained = fit_value(held, 8, 1)
    assert network.hidden == 8 and explained > 0.9
    linear, explained = fit_value(held, 0, 1)
    assert linear.hidden == 0 and explained < 0.1


def test_options_that_are_chosen_get_large_weights() -> None:
    from interpreter.study.fitting import fit_options

    weights = fit_options([[[0, 2], [1]], [[0], [1, 2]], [[0, 3], [1, 3]]] * 40, 5)
    assert weights[0] > 3 > 1 > weights[1] and weights[4] == 1.0


def test_a_policy_of_the_first_format_is_read(tmp_path: Path) -> None:
    game = rw.load("kalah")
    sum_only = train(game, games=10, generations=1, hidden=0).policy
    held = json.loads(sum_only.to_json())
    first = {
        **held,
        "format": "rulewright-policy/1",
        "bias": held["bias"][0],
        "weights": [w for (w,) in held["weights"]],
    }
    file = tmp_path / "p.json"
    file.write_text(json.dumps(first))
    assert read_policy(str(file)).value(game.new(), 0) == sum_only.value(game.new(), 0)


ALONE = """game alone "Alone" for 1 players

table
  dice: 2 dice of 1..6
  points: 0..60

play
  repeat 4 times
    for p in players
      turn(p)

phase turn(p) "Turn"
  roll dice
  choose one "What do you take?"
    "Nothing"
    "The first"
      points += dice[1].face
    "The second"
      points += dice[2].face

score p
  "Points"  points
"""


def test_points_are_learnt_where_nobody_wins() -> None:
    game = game_from_program(checked(ALONE, 1))
    trained = train(game, games=200, generations=2, seed=3)
    low, high = trained.policy.points
    assert 0 <= low < high <= 24 and trained.choices > 50 and trained.explained > 0.05
    state = game.new(1)
    bot = PolicyBot("policy", trained.policy)
    while not state.over:
        state.apply(bot.choose(state, 1))
    assert sum(state.scores) >= 13  # at random 9.3
