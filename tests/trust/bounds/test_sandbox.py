"""A ruleset in a process of its own: the same game, the same errors; and whatever it does, nothing hangs or breaks."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.native.plain_data import NotPlain, packed, unpacked
from interpreter.native.wasm import COUNTED

SLOW = 'table\n  n: 0..9\nplay\n  turn(seat1)\nphase turn(p)\n  choose k in 1..2 "?"\n  for a in 1..90000\n    n = 1\n'


@pytest.fixture(scope="module")
def boxed() -> rw.Game:
    return rw.load("pikit", 2, sandbox=True, backend="python")


def test_the_same_game_as_outside(boxed: rw.Game) -> None:
    inside, outside = boxed.new(seed=7), rw.load("pikit", 2, backend="python").new(seed=7)
    while not outside.over:
        asked, also = inside.decision, outside.decision
        assert asked is not None and also is not None
        assert (asked.player, asked.prompt, asked.path) == (also.player, also.prompt, also.path)
        assert [(str(o), int(o), o.values, o.kind) for o in asked.options] == [
            (str(o), int(o), o.values, o.kind) for o in also.options
        ]
        inside.apply(asked.options[-1])
        outside.apply(also.options[-1])
    assert inside.over and inside.decision is None
    for name in ("scores", "score_lines", "ranking", "winners", "returns", "history", "path", "seed"):
        assert getattr(inside, name) == getattr(outside, name), name
    assert inside.to_json() == outside.to_json() and inside.log(0) == outside.log(0)
    assert inside.view(1) == outside.view(1)


def test_copies_saves_worlds_and_playouts(boxed: rw.Game) -> None:
    state = boxed.new(seed=3)
    copy = state.clone()
    copy.apply(0)
    assert state.history == () and len(copy.history) == 1
    assert boxed.from_json(copy.to_json()) == copy
    assert state.determinize(0, 5).information(0) == state.information(0)
    assert boxed.playout(4).over and state.playout(9).over
    assert pickle.loads(pickle.dumps(state)).to_json() == state.to_json()


def test_choices_that_cannot_be_made(boxed: rw.Game) -> None:
    state = boxed.new(seed=3)
    asked = state.decision
    assert asked is not None
    first = asked.options[0]
    with pytest.raises(rw.UnknownChoice):
        asked.find("nothing of the kind")
    with pytest.raises(rw.UnknownChoice):
        state.apply(10_000)
    state.apply(first)
    with pytest.raises(rw.RefusedChoice):
        state.apply(first)
    with pytest.raises(rw.WrongSave):
        boxed.from_json("{}")
    with pytest.raises(AttributeError):
        _ = state.opts


def test_modules_count_instructions_there() -> None:
    """In a sandbox a module is loaded although addresses are scarce, and counts every instruction."""
    script = (
        "from interpreter.native.sandbox_child import give_up; give_up(1 << 30, 600, True); import interpreter as rw; "
        "game = rw.load('nim', backend='wasm'); print(game.engine.library.limits.fuel if game.engine else game.reason)"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    if "needs the package" in told.stdout:
        pytest.skip(told.stdout)
    assert told.stdout == f"{COUNTED.fuel}\n", told.stdout + told.stderr[-2000:]


def test_findings_come_out() -> None:
    with pytest.raises(rw.RulesetError, match="there is no ruleset `nym`"):
        rw.load("nym", sandbox=True)


def test_a_sandbox_that_is_killed_says_so() -> None:
    game = rw.load("nim", sandbox=True, backend="python")
    state = game.new(seed=1)
    os.kill(game.box.child.pid, signal.SIGKILL)  # type: ignore[attr-defined]
    for _ in range(2):
        with pytest.raises(rw.SandboxFailed, match="ended by signal 9"):
            state.apply(0)


def test_a_sandbox_that_takes_too_long_is_stopped() -> None:
    game = rw.load("nim", sandbox=rw.Walls(seconds=0.5), backend="python")
    os.kill(game.box.child.pid, signal.SIGSTOP)  # type: ignore[attr-defined]
    with pytest.raises(rw.SandboxFailed, match="did not answer in time"):  # it would never answer by itself
        game.new(seed=1)
    assert game.box.child.poll() is not None  # type: ignore[attr-defined]


def test_a_sandbox_without_memory_fails_and_nothing_else() -> None:
    with pytest.raises(rw.SandboxFailed):
        rw.load("nim", sandbox=rw.Walls(memory=16 << 20), backend="python")


def test_faults_come_out_with_their_line(tmp_path: Path) -> None:
    folder = tmp_path / "slow"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(
        "format: 1\nname: slow\ntitle: Slow\nplayers: {fewest: 2, most: 2}\nlimits: {steps: 90000000}\n", "utf-8"
    )
    (folder / "slow.rules").write_text('game slow "Slow" for 2 players\n' + SLOW, "utf-8")
    game = rw.load(str(folder), sandbox=True, backend="python", limits={"steps": 50_000})
    with pytest.raises(rw.Fault) as caught:
        game.new(seed=1).apply(0)
    assert caught.value.diagnostic.code == "R0903" and caught.value.place[1] == 8  # type: ignore[index]
    assert rw.load(str(folder), backend="python").new(seed=1).apply(0).over


def test_limits_that_are_none() -> None:
    with pytest.raises(rw.WrongLimits, match="there is no limit `step`"):
        rw.load("nim", limits={"step": 3})
    with pytest.raises(rw.WrongLimits, match="must be a number"):
        rw.load("nim", limits={"steps": 0})


def test_nothing_but_plain_data_comes_over_the_pipe() -> None:
    for value in (None, 3, "a", [1, (2, {"x": (None, True)})], {1: 2, ("a", 1): [0.5]}):
        assert unpacked(packed(value)) == value
    for wrong in ({"object": 1}, {"tuple": 3}, {"map": [[1]]}, {"map": [[[1], 2]]}, {"finding": [1, 2]}, {}):
        with pytest.raises(NotPlain):
            unpacked(wrong)
    with pytest.raises(NotPlain):
        packed(object())


def test_any_command_in_a_sandbox(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    assert exit_code_of(["simulate", "nim", "--games", "3", "--sandbox"]) == 0
    assert "3 games" in capfd.readouterr().out
    assert exit_code_of(["validate", "nym", "--sandbox"]) == 2
    monkeypatch.setenv("RULEWRIGHT_SANDBOX", "seconds=1")
    assert exit_code_of(["simulate", "kiwi_chow_down", "--games", "100000", "--bots", "random", "--sandbox"]) == 1
    assert "its time is up" in capfd.readouterr().err
    monkeypatch.setenv("RULEWRIGHT_SANDBOX", "hours=1")
    assert exit_code_of(["simulate", "nim", "--sandbox"]) == 2
