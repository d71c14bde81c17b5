"""`Verified` means: the same rules, every choice offered, the same end."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from tests.trust.fuzzing_files import ends_as_told, mutated
from tests.trust.small import RULES, ruleset


@pytest.fixture
def recorded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    monkeypatch.chdir(tmp_path)
    assert (
        exit_code_of(["play", str(ruleset(tmp_path)), "--seat", "1=random", "--seed", "3", "--record", "r.json"]) == 0
    )
    return json.loads((tmp_path / "r.json").read_text())  # type: ignore[no-any-return]


def verdict(record: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> str:
    Path("changed.json").write_text(json.dumps(record))
    capfd.readouterr()
    code = exit_code_of(["replay", "changed.json", "--game", "small"])
    out, err = capfd.readouterr()
    if code == 0:
        return "verified" if "Verified" in out else "replayed"
    return "differs" if code == 1 else err


def test_a_whole_game_in_one_word(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """Longer than any file name may be; and what only looks like such a word."""
    home = ruleset(tmp_path, RULES.replace("repeat 3", "repeat 300").replace("0..9", "0..999"))
    line = f"{home}:1:3:{','.join(['1'] * 300)}"
    assert exit_code_of(["replay", line]) == 0
    assert exit_code_of(["replay", line + ",,"]) == 2
    for wrong in (f"nim:2:{'9' * 5000}:0", "nim:2:--3:0", "nim:٣:3:0", ":2:3:0"):
        assert exit_code_of(["replay", wrong]) == 2


def test_a_forged_record_is_found(recorded: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    assert verdict(recorded, capfd) == "verified"
    assert verdict({**recorded, "scores": [99]}, capfd) == "differs"
    assert verdict({**recorded, "ranking": [2]}, capfd) == "differs"
    assert verdict({**recorded, "ranking": None}, capfd) == "differs"
    assert verdict({**recorded, "scores": None, "ranking": None}, capfd) == "differs"
    assert verdict({**recorded, "choices": recorded["choices"][:-1]}, capfd) == "differs"
    assert verdict({**recorded, "choices": [*recorded["choices"], 0]}, capfd) == "differs"
    assert verdict({**recorded, "choices": [7, *recorded["choices"][1:]]}, capfd) == "differs"
    assert "fingerprint" in verdict({**recorded, "fingerprint": ""}, capfd)
    assert verdict({**recorded, "fingerprint": "", "scores": [99]}, capfd) not in ("verified", "replayed")
    assert verdict({**recorded, "fingerprint": "0" * 64}, capfd) == "replayed"
    assert verdict({**recorded, "fingerprint": "0" * 64, "scores": [99]}, capfd) == "differs"


def test_a_record_of_other_rules_is_not_verified(
    recorded: dict[str, Any], tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "small" / "small.rules").write_text(RULES.replace("0..9", "0..8"))
    assert verdict(recorded, capfd) == "replayed"


def test_a_record_in_one_word_is_replayed_and_not_verified(
    recorded: dict[str, Any], capfd: pytest.CaptureFixture[str]
) -> None:
    line = f"small:1:3:{','.join(map(str, recorded['choices']))}"
    assert exit_code_of(["replay", line]) == 0
    assert "Verified" not in capfd.readouterr().out


def test_mutated_records_say_what_is_wrong(
    recorded: dict[str, Any], capfd: pytest.CaptureFixture[str], is_long: bool
) -> None:
    rng, game = random.Random(1), rw.load("small")
    for _ in range(3000 if is_long else 60):
        changed = mutated(rng, recorded)
        found = verdict(changed, capfd)
        if found == "verified":  # other choices may be a game too, and end in the same way
            assert changed["fingerprint"] == recorded["fingerprint"] and changed["players"] == 1
            assert ends_as_told(game, changed)


def test_corpora_of_broken_lines(recorded: dict[str, Any], capfd: pytest.CaptureFixture[str]) -> None:
    Path("corpus.jsonl").write_text(json.dumps(recorded) + "\n" + '{"format": "rulewright-rec')
    assert exit_code_of(["record", "corpus.jsonl"]) == 2
    assert "line 2" in capfd.readouterr().err
    assert exit_code_of(["record", "corpus.jsonl", "--add", "r.json"]) == 0  # half a line does not spoil the next game
    assert Path("corpus.jsonl").read_text().splitlines()[2].startswith('{"format":"rulewright-record/1"')
    Path("corpus.jsonl").write_text("[" * 100_000)
    assert exit_code_of(["record", "corpus.jsonl"]) == 2
    assert rw.load("small").name == "small"
