"""A ruleset that changes while it is played: findings at once, and the game goes on with the new rules, or says why
not."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from interpreter.play.contract import PlayError
from interpreter.web.server.serving import Settings, application
from tests.web.server.calling import Calls, served

RULES = """\
game fall "Fall" for 1 players
table
  height: 0..20 = 20
play
  repeat 9 times
    drop(seat1)
phase drop(p)
  choose n in 1..2 "How far?"
  height -= n
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    made = tmp_path / "fall"
    made.mkdir()
    (made / "ruleset.yaml").write_text("name: fall\n")
    write(made, RULES)
    return made


def write(folder: Path, text: str) -> None:
    (folder / "fall.rules").write_text(text)


def eventually(found: Callable[[], Any], wanted: Callable[[Any], bool]) -> Any:
    for _ in range(300):
        now = found()
        if wanted(now):
            return now
        time.sleep(0.05)
    raise AssertionError(f"never: {now}")


def findings(calls: Calls) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = calls.get("/api/watch", fits="web_answer#watch")["findings"]
    return found


def test_a_mistake_is_told_with_its_place_and_goes_away(tmp_path: Path, folder: Path) -> None:
    with served(tmp_path / "data", watch=(folder,)) as calls:
        eventually(lambda: findings(calls), bool)
        table = calls.table("fall", "me")
        assert table.look()["watch"]
        with table.socket(0) as page:
            page.until(lambda at: at["type"] == "position")
            write(folder, RULES.replace("height -= n", "hight -= n"))
            told = page.until(lambda at: at["type"] == "findings" and at["errors"])
            (finding,) = told["findings"]
            assert finding["at"]["line"] == 9 and finding["source"].strip() == "hight -= n"
            assert finding["source"][finding["caret"][0] - 1 : finding["caret"][1] - 1] == "hight"
            assert "height" in (finding["help"] or "") and "-->" in finding["text"]
            table.choose(0)  # the running game has the rules that it had
            write(folder, RULES)
            page.until(lambda at: at["type"] == "findings" and not at["errors"])
        assert findings(calls)[0]["findings"] == []


def test_a_game_goes_on_with_the_new_rules(tmp_path: Path, folder: Path) -> None:
    with served(tmp_path / "data", watch=(folder,)) as calls:
        eventually(lambda: findings(calls), bool)
        table = calls.table("fall", "me")
        table.play(3)
        before = table.look()
        with table.socket(0) as page:
            page.until(lambda at: at["type"] == "position")
            write(folder, RULES.replace("How far?", "How deep?").replace("in 1..2", "in 1..3"))
            at = page.until(lambda at: at["type"] == "position" and at["scene"]["decision"]["prompt"] == "How deep?")
        assert at["step"] == 3 and at["number"] > before["number"]
        assert len(at["scene"]["decision"]["options"]) == 3
        table.choose(2)
    with served(tmp_path / "data", watch=(folder,)) as calls:
        assert type(table)(calls, table.id, table.tokens).look()["step"] == 4


def test_a_game_that_cannot_go_on_says_where(tmp_path: Path, folder: Path) -> None:
    with served(tmp_path / "data", watch=(folder,)) as calls:
        eventually(lambda: findings(calls), bool)
        table = calls.table("fall", "me")
        table.choose(0)
        table.choose(1)
        with table.socket(0) as page:
            page.until(lambda at: at["type"] == "position")
            write(folder, RULES.replace("in 1..2", "in 1..3 where n != 2 or height == 20"))
            told = page.until(lambda at: at["type"] == "findings" and at["replay"])
        assert told["replay"]["step"] == 2 and "2" in told["replay"]["words"]
        table.choose(1)  # with the rules it had
        assert table.look()["step"] == 3


def test_a_table_keeps_its_rules_when_nobody_watches(tmp_path: Path, folder: Path) -> None:
    with served(tmp_path / "data", author=(folder,)) as calls:
        table = calls.table("fall", "me")
        table.play(2)
        write(folder, RULES.replace("How far?", "How deep?"))
        assert calls.table("fall", "me").look()["scene"]["decision"]["prompt"] == "How deep?"
        assert table.look()["scene"]["decision"]["prompt"] == "How far?"
    write(folder, "nothing that can be read")
    with served(tmp_path / "data", author=(folder,)) as calls:
        again = type(table)(calls, table.id, table.tokens)
        assert again.look()["scene"]["decision"]["prompt"] == "How far?" and again.look()["step"] == 2
        hint = again.call("hint", {"position": again.look()["number"]}, fits="web_answer#hint")
        assert hint["option"] in (0, 1)
        again.play(20)
        assert again.look()["over"]


def test_a_fault_of_the_rules_is_told_and_can_be_taken_back(tmp_path: Path, folder: Path) -> None:
    write(folder, RULES.replace("0..20 = 20", "0..5 = 5"))
    with served(tmp_path / "data", author=(folder,)) as calls:
        table = calls.table("fall", "me")
        for _ in range(2):
            table.choose(1)
        refused = table.choose(1, status=422)
        assert refused["error"]["code"] == "fault"
        at = table.look()
        assert at["fault"]["rule"] == "drop" and "height" in at["fault"]["words"] and at["step"] == 2
        assert calls.get(f"{table.path}/save", table.tokens[0], fits="save")["game"] == "fall"
        back = table.call("undo", {"position": at["number"]}, fits="web_message")
        assert back["fault"] is None and back["step"] == 1
        table.choose(0)


def test_a_fault_tells_others_only_where_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "duel"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: duel\n")
    (folder / "duel.rules").write_text(
        'game duel "Duel" for 2 players\n'
        "each player\n  strength: 0..5 secret = 5\n"
        "play\n  repeat 9 times\n    for p in players\n      hit(p)\n"
        'phase hit(p)\n  choose n in 1..4 "How hard?"\n  p.strength -= n\n'
    )
    with served(tmp_path / "data", author=(folder,)) as calls:
        table = calls.table("duel", "me", "friend")
        table.choose(3, 0)
        table.choose(0, 1)
        table.choose(3, 0, status=422)
        for viewer in (0, 1, None):
            fault = table.look(viewer)["fault"]
            assert fault["rule"] == "hit" and "strength" not in fault["words"] and "place" not in fault


@pytest.mark.parametrize("option", ["watch", "author"])
def test_rules_of_others_stay_on_this_machine(tmp_path: Path, option: str) -> None:
    settings: dict[str, Any] = {"host": "0.0.0.0", "data": tmp_path / "data", option: (tmp_path,)}
    with pytest.raises(PlayError, match="rules of others"):
        application(Settings(**settings))
