"""Records replay to the same end; saves resume; files that are neither say so."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.play.contract import PlayError
from interpreter.play.match import bot_match
from interpreter.play.records import (
    Difference,
    Record,
    read_record,
    read_save,
    record_of,
    replay,
    resumed,
    save_of,
    write_record,
    write_save,
)
from tests.play.race import FINGERPRINT, RaceGame


def _played(seed: int = 4) -> tuple[RaceGame, Record]:
    game = RaceGame(2)
    match = bot_match(game, ["random", "random"], seed)
    match.run()
    return game, record_of(game, match.state)


def test_a_record_reads_back_and_verifies(tmp_path: Path) -> None:
    game, record = _played()
    write_record(record, tmp_path / "game.json")
    assert read_record(tmp_path / "game.json") == record
    outcome = replay(record, game)
    assert outcome.difference is None
    assert tuple(outcome.state.history) == record.choices


def test_the_file_has_the_documented_entries(tmp_path: Path) -> None:
    _, record = _played()
    write_record(record, tmp_path / "game.json")
    content = json.loads((tmp_path / "game.json").read_text())
    assert content["format"] == "rulewright-record/1"
    assert list(content) == ["format", "game", "players", "fingerprint", "seed", "choices", "auto", "scores", "ranking"]


def test_the_first_difference_is_a_choice_not_offered() -> None:
    game, record = _played()
    outcome = replay(replace(record, choices=(*record.choices[:2], 999)), game)
    assert outcome.steps == 2
    assert outcome.difference == Difference(
        3, "choice 999", "not offered; there are 101 Go 1, 102 Go 2, 103 Go 3, 100 Pass"
    )


def test_a_game_that_is_over_too_soon() -> None:
    game, record = _played()
    outcome = replay(replace(record, choices=(*record.choices, 101)), game)
    assert outcome.difference is not None
    assert outcome.difference.found == f"the game is over after {len(record.choices)} choices"


def test_other_scores_and_an_end_that_does_not_come() -> None:
    game, record = _played()
    changed = replay(replace(record, scores=(1, 2)), game).difference
    assert changed is not None and changed.step == 0 and changed.expected == "scores [1, 2]"
    missing = replay(replace(record, choices=record.choices[:-1]), game).difference
    assert missing == Difference(0, "the game is over", "the game goes on")


def test_replaying_a_part_and_watching() -> None:
    game, record = _played()
    seen: list[int] = []
    outcome = replay(record, game, to=3, watch=lambda state, step: seen.append(step))
    assert (outcome.steps, outcome.difference, seen) == (3, None, [0, 1, 2])


def test_a_save_resumes(tmp_path: Path) -> None:
    game = RaceGame(2)
    match = bot_match(game, ["first", "first"], 1)
    match.step()
    write_save(save_of(game, match.state, ["person", "first"]), tmp_path / "save.json")
    save = read_save(tmp_path / "save.json")
    state = resumed(save, game, "save.json")
    assert state.to_json() == match.state.to_json()
    assert save.seats == ("person", "first")


def test_a_save_of_other_rules_is_refused(tmp_path: Path) -> None:
    game = RaceGame(2)
    save = save_of(game, game.new(), ["person", "first"])
    assert save.fingerprint == FINGERPRINT
    with pytest.raises(PlayError, match="was saved with other rules of `race`"):
        resumed(replace(save, fingerprint="cd" * 32), game, "save.json")
    with pytest.raises(PlayError, match="game of 3 players, not 2"):
        resumed(replace(save, players=3), game, "save.json")


def test_what_a_state_writes_is_a_save(tmp_path: Path) -> None:
    game = rw.load("nim")
    state = game.new(seed=4).apply(2)
    path = tmp_path / "nim.json"
    path.write_text(state.to_json())
    save = read_save(path)
    assert save.seats == ("person", "person")
    assert resumed(save, game, str(path)).same_as(state)
    assert exit_code_of(["why", str(path), "Take 9 from pile 1"]) == 0
    assert exit_code_of(["why", str(path), "piles[1]"]) == 0


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "it is not JSON"),
        ("[]", "its format is not rulewright-save/2"),
        ('{"format": "rulewright-record/1"}', "it is a record"),
        ('{"format": "rulewright-save/1"}', "`game` is missing"),
        ('{"format": "rulewright-save/1", "game": 3}', "`game` has the wrong type"),
        ('{"format": "rulewright-save/1", "game": "a", "players": true}', "`players` has the wrong type"),
    ],
)
def test_a_file_that_is_no_save(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "save.json"
    path.write_text(content)
    with pytest.raises(PlayError) as refused:
        read_save(path)
    assert message in str(refused.value)


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    with pytest.raises(PlayError, match="there is no file"):
        read_record(tmp_path / "missing.json")
    with pytest.raises(PlayError, match="cannot be read"):
        read_record(tmp_path)
    (tmp_path / "bytes").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(PlayError, match="it is not text"):
        read_record(tmp_path / "bytes")
    _, record = _played()
    with pytest.raises(PlayError, match="cannot be written"):
        write_record(record, tmp_path / "no" / "folder" / "game.json")
