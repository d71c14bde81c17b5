"""The JSON interface: every call at work, its answers against the schemas."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from interpreter.ruleset.find import own_rulesets
from interpreter.web.server import lobby
from interpreter.web.server.library import Library
from interpreter.web.server.live import Limits
from interpreter.web.server.reading import read
from tests.web.server.calling import SCHEMAS, Calls, Table, served

RULESETS = Path(__file__).parents[3] / "rulesets"


@pytest.mark.parametrize("path", sorted(SCHEMAS.glob("web_*.json")), ids=lambda path: path.name)
def test_the_schemas_are_sound(path: Path) -> None:
    Draft202012Validator.check_schema(json.loads(path.read_text(encoding="utf-8")))


def test_the_lobby_lists_games_variants_and_bots(calls: Calls) -> None:
    found = calls.lobby()
    games = {game["name"]: game for game in found["games"]}
    assert {"nim", "kikai"} <= set(games)
    assert sum(game["first"] for game in found["games"]) == 1
    assert [bot["name"] for bot in found["bots"]] == ["random", "easy", "medium", "strong"]
    assert calls.post("/api/tables", found["first"], fits="web_answer#table", status=201)["seats"][0]["token"]


def test_variants_say_in_words_what_they_need(calls: Calls) -> None:
    games = calls.lobby("fr")["games"]
    variants = [variant for game in games for variant in game["variants"]]
    assert all(bool(one["words"]) == bool(one["needs"] or one["excludes"] or one["players"]) for one in variants)
    assert any(word.startswith("pour ") for one in variants for word in one["words"])
    solo = {(game["name"], name) for game in games for name in game["solo"]}
    assert solo, "no game has a solo mode"


def test_nobody_waits_for_games_that_are_still_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list has what is there, and says how many games are to come; the newcomers' game is read first."""
    slow, asked = threading.Event(), list[str]()

    def reading(library: Any, question: str, folder: Path) -> Any:
        asked.append(folder.name)
        assert folder.name == "pikit" or slow.wait(30)
        return read(library, question, folder)

    wanted = {name: own_rulesets() / name for name in ("kalah", "nim", "pikit")}
    monkeypatch.setattr(Library, "folders", lambda _: wanted)
    monkeypatch.setattr(lobby, "read", reading)
    with served(tmp_path) as calls:
        for _ in range(50):
            part = calls.get("/api/games", fits="web_games")
            if part["games"]:
                break
        assert [game["name"] for game in part["games"]] == ["pikit"] and part["reading"] == 2
        assert part["first"]["game"] == "pikit"
        slow.set()
        assert [game["name"] for game in calls.lobby()["games"]] == ["kalah", "nim", "pikit"]
    assert asked == ["pikit", "kalah", "nim"], "each is read once"


def test_the_length_of_games_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("interpreter.web.server.library.search_folders", list)
    with served(tmp_path, limits=Limits(), author=(RULESETS / "nim",)) as calls:
        for _ in range(300):
            (game,) = calls.lobby()["games"]
            if game["length"]:
                break
            time.sleep(0.1)
    assert game["name"] == "nim" and 3 < game["length"]["decisions"] < 30 and game["length"]["minutes"] >= 1


def test_a_rulebook_can_be_read(calls: Calls) -> None:
    rules = calls.get("/api/games/nim/rules", fits="web_answer#rules")
    assert rules["clauses"][0]["id"].startswith("NM-")
    calls.get("/api/games/nothing/rules", status=404)


def test_a_game_has_a_picture(calls: Calls) -> None:
    for _ in range(2):
        answer = calls.call("GET", "/api/games/connect_four/picture.svg", None, {})
        assert answer.status == 200 and answer.headers["content-type"] == "image/svg+xml"
        assert answer.body.lstrip().startswith(b"<svg") and b"<script" not in answer.body
    assert calls.call("GET", "/api/games/nothing/picture.svg", None, {}).status == 404


def test_people_are_called_by_their_names(calls: Calls) -> None:
    body = {"game": "nim", "seats": [{"kind": "me", "name": "Mira"}, {"kind": "friend"}]}
    made = calls.post("/api/tables", body, status=201)
    table = Table(calls, made["table"], [seat["token"] for seat in made["seats"]])
    table.choose(0)
    assert table.look()["seats"][0]["name"] == "Mira"
    assert table.look()["scene"]["seats"][0]["name"] == "Mira"


def test_a_game_is_played_to_its_end(calls: Calls) -> None:
    table = calls.table("nim", "me", "random")
    table.play(100)
    end = table.look()
    assert end["over"] and sorted(end["result"]["ranking"]) == [1, 2] and end["result"]["reason"]
    assert table.calls.get(f"{table.path}/record", table.tokens[0], fits="record")["scores"] is not None


def test_a_choice_is_made_once(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "me")
    at = table.look()
    body = {"position": at["number"], "option": 4, "code": at["scene"]["decision"]["options"][4]["code"]}
    after = table.call("choose", body, fits="web_message")
    assert after["number"] > at["number"]
    again = table.call("choose", body, status=409)
    assert again["error"]["code"] == "stale" and again["number"] == after["number"]
    assert table.look()["number"] == after["number"]
    wrong = {**body, "position": after["number"]}
    assert table.call("choose", wrong, 0, status=403)["error"]["code"] == "not_your_turn"
    assert table.call("choose", {"position": after["number"], "option": 99}, 1, status=422)
    assert table.call("choose", {"position": after["number"], "option": 0, "code": 77}, 1, status=409)


def test_undo_goes_back_and_numbers_go_on(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "me")
    table.choose(0)
    table.choose(0, 1)
    at = table.look()
    assert at["undo"] == {"to": 1, "why": None}
    back = table.call("undo", {"position": at["number"]}, fits="web_message")
    assert back["step"] == 1 and back["number"] > at["number"]
    assert table.call("undo", {"position": at["number"]}, status=409)["error"]["code"] == "stale"
    first = table.call("undo", {"position": back["number"], "to": 0}, fits="web_message")
    assert first["step"] == 0 and first["undo"]["to"] is None and first["undo"]["why"]


def test_another_persons_choice_is_not_taken_back(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "friend")
    table.choose(0)
    assert table.look(0)["undo"]["to"] == 0
    table.choose(0, 1)
    at = table.look(0)
    assert at["undo"]["to"] is None
    refused = table.call("undo", {"position": at["number"]}, status=409)
    assert refused["error"]["code"] == "undo_others"


def test_dice_are_not_taken_back(calls: Calls) -> None:
    table = calls.table("pikit", "me", "me", seed=5)
    while table.look(0)["undo"]["to"] is not None or not table.look(0)["step"]:
        seat = table.wait_for_turn((0, 1))
        assert seat is not None
        table.choose(0, seat)
    at = table.look(0)
    assert at["undo"]["why"] and table.call("undo", {"position": at["number"]}, status=409)


def test_a_table_without_undo_and_hints(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "me", undo=False, hints=False)
    at = table.choose(0)
    assert at["undo"]["to"] is None and not at["hints"]
    assert table.call("undo", {"position": at["number"]}, status=409)["error"]["code"] == "no_undo"
    assert table.call("hint", {"position": at["number"]}, 1, status=403)["error"]["code"] == "no_hints"


def test_a_hint_is_an_option(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "me")
    at = table.look()
    hint = table.call("hint", {"position": at["number"]}, fits="web_answer#hint")
    assert at["scene"]["decision"]["options"][hint["option"]]["code"] == hint["code"]
    assert 0 <= hint["estimate"] <= 1 and hint["sentence"]
    assert table.call("hint", {"position": at["number"]}, 1, status=403)["error"]["code"] == "not_your_turn"


def test_why_not(calls: Calls) -> None:
    table = calls.table("nim", "me", "me")
    at = table.look()["number"]

    def asked(target: object, seat: int = 0) -> Any:
        return table.call("why", {"position": at, "target": target}, seat, fits="web_answer#why")

    told = asked("Take 7 from pile 1")
    assert told["reasons"][0]["cites"] == ["NM-04"] and "piles" in told["reasons"][0]["reason"]
    assert asked("Fly")["reasons"][0]["cites"] == ["NM-03"] and asked("Fly")["kind"] == "unknown"
    assert asked("Take 1 from pile 1")["kind"] == "offered"
    assert asked("Take 1 from pile 1", 1)["kind"] == "not_yours"
    assert asked({"kind": "counter", "id": "nothing"})["kind"] == "unknown"
    chess = calls.table("othello", "me", "me")
    late = chess.call("why", {"position": chess.look()["number"] + 2}, fits="web_answer#why")
    assert late["kind"] == "stale" and not late["reasons"], "a late question is no mistake"
    told = chess.call("why", {"position": chess.look()["number"]}, fits="web_answer#why")
    assert told["kind"] == "refused" and told["count"] == len(told["reasons"]) > 0
    one = next(reason for reason in told["reasons"] if reason["id"])
    body = {"position": chess.look()["number"], "target": {"id": one["id"], "name": one["what"]}}
    assert chess.call("why", body, fits="web_answer#why")["reasons"][0]["reason"] == one["reason"]


def test_looking_back_shows_what_was_seen_then(calls: Calls) -> None:
    table = calls.table("kuhn_poker", "me", "friend", seed=None)
    seen = {0: table.look(0), 1: table.look(1)}
    first = 0 if seen[0]["scene"]["decision"] else 1
    table.choose(0, first)
    for seat in (0, 1):
        past = table.history(0, seat)
        assert not past["live"] and past["steps"] == table.look(seat)["steps"] >= 1
        assert past["scene"] == seen[seat]["scene"]
    assert table.history(99, 0, status=404)["error"]["code"] == "no_step"


def test_a_moment_can_be_shared_with_anybody(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "me")
    table.play(4, (0, 1))
    link = table.call("share", {"step": 2}, fits="web_answer#share")
    assert link["link"] == f"/#t={table.id}&step=2"
    assert table.history(link["step"], None)["me"] is None


def test_a_game_goes_on_from_any_moment(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "random")
    table.play(2)
    made = table.call("fork", {"step": 1}, fits="web_answer#table", status=201)
    fork = type(table)(calls, made["table"], [seat["token"] for seat in made["seats"]])
    assert all(fork.tokens) and fork.look(0)["step"] == 1
    assert fork.look(1)["scene"]["decision"], "the bot's seat is mine in the fork"
    assert len(table.look()["scene"]["log"]) > len(fork.look()["scene"]["log"])
    kept = table.call("fork", {"step": 1, "keep_bots": True}, fits="web_answer#table", status=201)
    assert kept["seats"][1]["token"] is None


def test_an_open_seat_is_taken_once(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "open")
    joined = table.call("join", {"name": "Mira\u202e<b>"}, None, fits="web_answer#joined")
    table.tokens[1] = joined["token"]
    assert table.look(1)["me"] == 1 and table.look(0)["seats"][1]["name"] == "Mira<b>"
    assert table.call("join", {}, None, status=409)["error"]["code"] == "no_open_seat"


def test_my_tables(calls: Calls) -> None:
    table, other = calls.table("nim", "me", "random"), calls.table("nim", "me", "random")
    asked = [
        {"table": table.id, "token": table.tokens[0]},
        {"table": other.id, "token": table.tokens[0]},
        {"table": "nothing", "token": "x"},
    ]
    mine = calls.post("/api/tables/mine", {"seats": asked}, fits="web_answer#mine")["tables"]
    assert [one["table"] for one in mine] == [table.id]


def test_two_pages_see_each_other_and_every_choice(calls: Calls) -> None:
    table = calls.table("tic_tac_toe", "me", "friend")
    with table.socket(0) as mine, table.socket(1) as theirs, table.socket(None) as watching:
        both = mine.until(lambda at: all(seat["connected"] for seat in at["seats"]))
        mine.send({"type": "choose", "position": both["number"], "option": 4})
        for page, me in ((mine, 0), (theirs, 1), (watching, None)):
            at = page.until(lambda at: at["type"] == "position" and at["step"] == 1)
            assert at["me"] == me and bool(at["scene"]["decision"]) == (me == 1)
        theirs.send({"type": "language", "language": "fr"})
        assert theirs.until(lambda at: at["type"] == "position")["language"] == "fr"
        theirs.send({"type": "ping"})
        theirs.until(lambda at: at["type"] == "pong")
    with table.socket(1) as theirs:
        assert not theirs.until(lambda at: at["seats"][1]["connected"])["seats"][0]["connected"]


@pytest.mark.parametrize("bot", ["easy", "mcts:20"])
def test_bots_that_search_answer(calls: Calls, bot: str) -> None:
    table = calls.table("tic_tac_toe", "me", bot)
    with table.socket(0) as page:
        at = page.until(lambda at: at["scene"]["decision"])
        page.send({"type": "choose", "position": at["number"], "option": 4})
        page.until(lambda at: at["type"] == "position" and at["step"] == 2)


def test_the_games_own_automa_plays(calls: Calls) -> None:
    table = calls.table("flatiron+solo", "me", players=2)
    assert "automa" in [seat["kind"] for seat in table.look()["seats"]]
    table.play(3)
    assert table.look()["step"] >= 3


def test_a_restart_goes_on_where_it_was(tmp_path: Path) -> None:
    with served(tmp_path) as calls:
        table = calls.table("pikit", "me", "random", undo=True)
        table.play(6)
        table.wait_for_turn()
        before = [table.look(0), table.look(None), table.history(3)]
    with served(tmp_path) as calls:
        again = type(table)(calls, table.id, table.tokens)
        assert [again.look(0), again.look(None), again.history(3)] == before
        again.play(200)
        assert again.look()["over"]
