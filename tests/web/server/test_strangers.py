"""Rules of others run in a process of their own: the same tables come of it, and whatever they do hurts no other."""

from __future__ import annotations

import json
import os
import signal
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpreter.native.game import load
from interpreter.native.sandbox import SandboxFailed
from interpreter.ruleset.find import own_rulesets
from interpreter.web.server import questions
from interpreter.web.server.asking import ask, facts_of, standing_of, taken
from interpreter.web.server.library import WALLS, Library
from interpreter.web.server.live import Limits
from interpreter.web.server.store import open_store
from tests.web.server.calling import Calls, Table, served  # skips these tests if there is no server

LOOP = """\
game loop "Loop" for 1..2 players
table
  n: 0..9
play
  repeat 3 times
    turn(seat1)
phase turn(p)
  choose one "What now?"
    "Go on"
      n = 1
    "For ever"
      for i in 1..90000
        n = count(j in 1..90000 where j == i)
"""
NAMES = ["Ann", ""]


def folder_of(tmp_path: Path, name: str, rules: str) -> Path:
    folder = tmp_path / name
    folder.mkdir()
    (folder / "ruleset.yaml").write_text(f"name: {name}\nlimits:\n  steps: 20000\n")
    (folder / f"{name}.rules").write_text(rules)
    return folder


def test_a_sandbox_answers_as_the_game_itself_does() -> None:
    inside, outside = load("pikit", 2, backend="python", sandbox=WALLS), load("pikit", 2, backend="python")
    assert facts_of(inside) == facts_of(outside)
    assert ask(questions.picture, inside) == ask(questions.picture, outside)
    one, other = inside.new(seed=3, auto=False), outside.new(seed=3, auto=False)
    for step in range(14):
        assert standing_of(one) == standing_of(other)
        decider = standing_of(one).who
        for player in (0, 1, None):
            scenes = [ask(questions.scene, state, player, "fr", None, NAMES) for state in (one, other)]
            assert scenes[0] == json.loads(json.dumps(scenes[1]))
        told = [ask(questions.reasons, state, decider, None, "en", NAMES) for state in (one, other)]
        assert told[0] == json.loads(json.dumps(told[1]))
        bots = [ask(questions.bot_choice, state, "random", step) for state in (one, other)]
        assert bots[0] == bots[1] and ask(questions.option_with, one, bots[0]) == ask(
            questions.option_with, other, bots[0]
        )
        before = one.clone(), other.clone()
        assert taken(one, bots[0]) == taken(other, bots[0])
        assert ask(questions.notices, one, before[0], 0) == ask(questions.notices, other, before[1], 0)
    assert ask(questions.record, one) == json.loads(json.dumps(ask(questions.record, other)))
    assert ask(questions.save, one, ["person", "first"]) == json.loads(
        json.dumps(ask(questions.save, other, ["person", "first"]))
    )
    assert taken(one, -12345) is None and ask(questions.code_at, one, 10**6) is None


def test_what_a_sandbox_sends_is_checked() -> None:
    game: Any = load("nim", backend="python", sandbox=WALLS)
    state = game.new(seed=1)
    for sent in (
        {"over": True},
        {**ask(questions.standing, state), "who": "0"},
        {**ask(questions.standing, state), "over": True},
    ):
        game.question = lambda *_, sent=sent, **__: sent
        with pytest.raises(SandboxFailed):
            standing_of(state)
    game.question = lambda *_, **__: ["no", "scene"]
    with pytest.raises(SandboxFailed):
        ask(questions.scene, state, 0, "en", None, NAMES)
    del game.question
    with pytest.raises(SandboxFailed, match="could not answer"):
        game.question("__import__", state)
    assert standing_of(state).who == 0, "a question that is none does no harm"


def test_who_is_trusted(tmp_path: Path) -> None:
    """What comes with the program; not a copy of it, and nothing in the folder of an author."""
    store = open_store(str(tmp_path / "tables.sqlite"))
    library = Library(store, tmp_path)
    own = library.folder("nim")
    assert library.is_trusted(own) and not library.is_trusted(tmp_path / "rules" / "nim")
    assert not Library(store, tmp_path, (own.parent,)).is_trusted(own)
    assert not Library(store, tmp_path, (own,)).is_trusted(own)
    store.close()


def sandboxes_of(process: int) -> list[int]:
    """The sandboxes that a process has started."""
    children = Path(f"/proc/{process}/task").glob("*/children")
    pids = [int(pid) for file in children for pid in file.read_text().split()]
    return [pid for pid in pids if b"sandbox_child" in Path(f"/proc/{pid}/cmdline").read_bytes()]


def go_on(table: Table) -> Any:
    return table.choose(0)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs /proc to find the sandbox")
def test_a_ruleset_that_hangs_hurts_no_other_table(tmp_path: Path) -> None:
    """What has no end in sight is a fault, told by the limits of the rules; what gets past those, the sandbox stops."""
    before = set(sandboxes_of(os.getpid()))
    limits = Limits(pace=(0.05, 0.1), measures=False, threads=1, sandbox_threads=1)
    walls = replace(WALLS, seconds=600.0)
    with served(tmp_path / "data", author=(folder_of(tmp_path, "loop", LOOP),), limits=limits, walls=walls) as calls:
        hostile, plain = calls.table("loop", "me", "random"), calls.table("nim", "me", "random")
        (sandbox,) = set(sandboxes_of(os.getpid())) - before
        table = calls.post(f"{hostile.path}/choose", {"position": 0, "option": 1}, hostile.tokens[0], status=422)
        assert table["error"]["code"] == "fault" and hostile.look()["fault"]["rule"] == "turn"
        assert go_on(calls.table("loop", "me", "random"))["number"] == 2, "other tables of the same rules go on"
        os.kill(sandbox, signal.SIGSTOP)  # as if it had got past every limit of the interpreter
        answers: list[Any] = []
        other = Table(Calls(f"http://{calls.host}/"), hostile.id, hostile.tokens)
        waiting = threading.Thread(
            target=lambda: answers.append(other.calls.call("GET", f"{other.path}/history?step=0", None, {}))
        )
        waiting.start()
        plain.play(40)
        assert plain.look()["over"] and waiting.is_alive(), "a whole game meanwhile, with a single thread"
        os.kill(sandbox, signal.SIGKILL)
        waiting.join(60)
        assert answers[0].status == 503 and json.loads(answers[0].body)["error"]["code"] == "stopped"
        refused = calls.get(hostile.path, hostile.tokens[0], status=503)
        assert refused["error"]["code"] == "stopped", "it is not tried again at once"
    assert not set(sandboxes_of(os.getpid())) - before, "no process is left"


def test_bots_and_hints_at_tables_of_strangers(tmp_path: Path) -> None:
    with served(tmp_path / "data", author=(folder_of(tmp_path, "loop", LOOP.replace("90000", "9")),)) as calls:
        table = calls.table("loop", "me", "easy")
        hint = table.call("hint", {"position": table.look()["number"]}, fits="web_answer#hint")
        assert hint["sentence"] and hint["option"] in (0, 1)
        alone = calls.table("loop", "me")
        alone.play(3)
        assert alone.look()["over"]
        assert calls.get(f"{alone.path}/record", alone.tokens[0])["game"] == "loop"


def test_files_of_strangers_are_read_in_a_sandbox(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The lobby, the rulebook and the findings of a watched folder: the same as read here, and if reading has no end
    the game is left out, with a reason where somebody asks for it."""
    folder = folder_of(tmp_path, "loop", LOOP)
    book = "title: Loop\nlanguage: en\nclauses:\n  - {id: L-1, page: all, summary: Go on.}\n"
    (folder / "rulebook.yaml").write_text(book)
    two = {"loop": folder, "nim": own_rulesets() / "nim"}  # reading all games takes long
    monkeypatch.setattr(Library, "folders", lambda _: two)
    limits = Limits(measures=False)
    with served(tmp_path / "data", author=(folder,), limits=limits) as calls:
        assert [game["name"] for game in calls.lobby()["games"]] == ["loop", "nim"]
        told = calls.get("/api/games/loop/rules", fits="web_answer#rules")
        assert [clause["summary"] for clause in told["clauses"]] == ["Go on."]
    walls = replace(WALLS, loading=0.05)
    with served(tmp_path / "other", watch=(folder,), limits=limits, walls=walls) as calls:
        assert [game["name"] for game in calls.lobby()["games"]] == ["nim"]
        assert calls.get("/api/games/loop/rules", status=503)["error"]["code"] == "stopped"
        for _ in range(200):
            found = calls.get("/api/watch", fits="web_answer#watch")["findings"]
            if found:
                break
            time.sleep(0.05)
        (finding,) = found[0]["findings"]
        assert finding["code"] == "R0912" and found[0]["errors"] == 1


def test_rules_that_fail_in_setup_are_told_and_no_mistake_of_the_server(tmp_path: Path) -> None:
    rules = LOOP.replace("play\n", "setup\n  n = count(p in players) * 9\nplay\n", 1)
    with served(tmp_path / "data", author=(folder_of(tmp_path, "loop", rules),)) as calls:
        body = {"game": "loop", "players": 2, "seats": [{"kind": "me"}, {"kind": "me"}]}
        error = calls.post("/api/tables", body, status=422)["error"]
        assert error["code"] == "unusable" and "setup" in error["words"] and "loop.rules:5" in error["words"]
