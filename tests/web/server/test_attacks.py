"""Whoever has no seat, another seat, or no good will: all is refused with a clear error, nothing leaks or breaks.

The hidden things of the game under attack are known to the test: cards of a deck that was dealt with a known seed. Any
answer to anybody but their owner that names one of them is a leak.
"""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from interpreter.web.server.game_entry import entry
from tests.web.server.calling import Calls, Table, bearer, fit, served

pytest.importorskip("websockets")
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

CALLS = ("join", "choose", "undo", "why", "hint", "share", "fork")
LOOKS = ("", "/history?step=0", "/record", "/save")


@pytest.fixture(scope="module")
def table(calls: Calls) -> Table:
    """Two persons, of whom each holds a card that the other may not know."""
    return calls.table("kuhn_poker", "me", "friend")


def card_of(table: Table, seat: int) -> str:
    """The card in a hand, as its owner is told."""
    scene = table.look(seat)["scene"]
    (name,) = {
        piece["name"]
        for place in scene["places"]
        if place["id"] == f"p{seat}.card"
        for piece in scene["pieces"]
        if piece["id"] in place["pieces"]
    }
    return str(name)


def strangers(table: Table) -> Iterator[tuple[str, dict[str, str]]]:
    """Everybody who is not the second seat."""
    other = table.calls.table("kuhn_poker", "me", "friend")
    yield "nobody", {}
    yield "the first seat", bearer(table.tokens[0])
    yield "a seat of another table", bearer(other.tokens[1])
    yield "no token", {"Authorization": "Bearer "}
    yield "half a token", bearer((table.tokens[1] or "")[:-1])
    yield "a hash", bearer("0" * 64)
    yield "a long token", bearer("x" * 5000)
    yield "another scheme", {"Authorization": f"Basic {table.tokens[1]}"}
    yield "no letters", {"Authorization": "Bearer \u00ff\u00fe"}


def bodies(number: int) -> Iterator[Any]:
    """What a program sends, a broken program, and somebody who tries."""
    yield {"position": number, "option": 0}
    yield {"position": number, "option": 0, "code": 0}
    yield {"position": number}
    yield {"position": number, "to": 0}
    yield {"position": number, "target": "Bet"}
    yield {"position": number, "target": {"kind": "piece", "id": "p1.card", "name": "Card king"}}
    yield {"step": 0}
    for odd in (None, True, -1, 1.5, 10**30, "0", [], {}, "' OR 1=1 --", "\x00", "<script>", "../../etc/passwd"):
        yield {"position": odd, "option": odd, "code": odd, "to": odd, "target": odd, "step": odd, "name": odd}
        yield {"position": number, "option": odd, "code": odd, "to": odd, "target": odd, "step": odd}
    yield {}


def test_no_call_of_a_stranger_tells_the_hidden_card(table: Table) -> None:
    secret, number = card_of(table, 1), table.look(0)["number"]
    before = table.look(1)
    made = 0
    for who, headers in strangers(table):
        answers = [table.calls.call("GET", table.path + look, None, headers) for look in LOOKS]
        if who != "the first seat":
            for call in CALLS:
                for body in bodies(number):
                    sent = {"Content-Type": "application/json", **headers}
                    answers.append(table.calls.call("POST", f"{table.path}/{call}", json.dumps(body).encode(), sent))
        for answer in answers:
            made += 1
            assert answer.status < 500, (who, answer)
            assert secret.encode() not in answer.body, who
            if answer.status >= 400:
                fit(json.loads(answer.body), "web_answer#error")
    assert made > 500
    assert table.look(1) == before, "somebody without a seat has changed the table"


def test_a_rival_learns_nothing_by_asking(calls: Calls) -> None:
    table = calls.table("kuhn_poker", "me", "friend")
    secret, at = card_of(table, 1), table.look(0)
    if not at["scene"]["decision"]:
        table.choose(0, 1)
    for number, body in enumerate(bodies(table.look(0)["number"])):
        for call in ("why", "share", "fork", *(["hint"] if number in (0, 7) else [])):  # a hint takes a second
            sent = {"Content-Type": "application/json", **bearer(table.tokens[0])}
            answer = calls.call("POST", f"{table.path}/{call}", json.dumps(body).encode(), sent)
            assert answer.status < 500
            # A question that names a card gets the name back; that is not telling it.
            assert secret.encode() not in answer.body or secret in json.dumps(body), (call, body, answer)


@pytest.mark.parametrize("path", ["record", "save"])
def test_a_running_game_of_two_is_not_handed_out(table: Table, path: str) -> None:
    for token in (None, table.tokens[0], table.tokens[1]):
        assert table.calls.get(f"{table.path}/{path}", token, status=403)["error"]["code"] == "not_yours"


def test_only_who_sits_alone_names_a_seed(calls: Calls) -> None:
    body = {"game": "kuhn_poker", "seed": 3, "seats": [{"kind": "me"}, {"kind": "friend"}]}
    assert calls.post("/api/tables", body, status=403)["error"]["code"] == "not_yours"
    assert calls.post("/api/tables", {**body, "seats": [{"kind": "me"}, {"kind": "bot"}]}, status=201)


def test_nothing_that_is_sent_holds_a_seed_or_a_hash(calls: Calls, table: Table) -> None:
    for seat in (0, 1, None):
        text = json.dumps(table.look(seat))
        assert "seed" not in text and "token" not in text and "digest" not in text


@pytest.mark.parametrize(
    ("body", "headers", "status", "code"),
    [
        (b"", {}, 415, "wrong_type"),
        (b"{}", {"Content-Type": "text/plain"}, 415, "wrong_type"),
        (b"{", {"Content-Type": "application/json"}, 400, "bad_json"),
        (b"[]", {"Content-Type": "application/json"}, 400, "bad_json"),
        (b'"x"', {"Content-Type": "application/json"}, 400, "bad_json"),
        (b"\xff\xfe{}", {"Content-Type": "application/json"}, 400, "bad_json"),
        (b'{"a":' * 40 + b"1" + b"}" * 40, {"Content-Type": "application/json"}, 400, "bad_json"),
        (b"[" * 60_000, {"Content-Type": "application/json"}, 400, "bad_json"),
        (b'{"game":"\\ud800"}', {"Content-Type": "application/json"}, 400, "bad_json"),
        (b'{"\\udfff":1}', {"Content-Type": "application/json"}, 400, "bad_json"),
        (b'{"game":"nim\\u0000"}', {"Content-Type": "application/json"}, 400, "bad_json"),
        (b'{"players":NaN}', {"Content-Type": "application/json"}, 400, "bad_json"),
        (b'{"players":' + b"9" * 5000 + b"}", {"Content-Type": "application/json"}, 400, "bad_json"),
        (b'{"x":"' + b"y" * 70_000 + b'"}', {"Content-Type": "application/json"}, 413, "too_large"),
        (b"{}", {"Content-Type": "application/json", "Origin": "http://evil.example"}, 403, "wrong_origin"),
        (b"{}", {"Content-Type": "application/json", "Origin": "null"}, 403, "wrong_origin"),
        (b"{}", {"Content-Type": "application/json", "Origin": "http://["}, 403, "wrong_origin"),
        (b"{}", {"Content-Type": "application/json", "Sec-Fetch-Site": "cross-site"}, 403, "wrong_origin"),
        (b"{}", {"Content-Type": "application/json", "Host": "evil.example"}, 421, "wrong_host"),
        (b"{}", {"Content-Type": "application/json"}, 400, "bad_request"),
    ],
)
def test_bad_requests(calls: Calls, body: bytes, headers: dict[str, str], status: int, code: str) -> None:
    answer = calls.call("POST", "/api/tables", body, headers)
    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (status, code)
    calls.get("/api/watch")  # the connection still works


@pytest.mark.parametrize(
    "asked",
    [
        {"game": "nothing"},
        {"game": "../nim"},
        {"game": "/etc"},
        {"game": "nim+nothing"},
        {"game": "nim+" + "x" * 900},
        {"game": "nim\n"},
        {"game": 5},
        {"game": "nim", "players": 99},
        {"game": "nim", "players": "2"},
        {"game": "nim", "players": True},
        {"game": "nim", "seats": [{"kind": "me"}]},
        {"game": "nim", "seats": {"kind": "me"}},
        {"game": "nim", "seats": [{"kind": "god"}, {"kind": "me"}]},
        {"game": "nim", "seats": [{"kind": "bot"}, {"kind": "bot"}]},
        {"game": "nim", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "process:touch /tmp/x"}]},
        {"game": "nim", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "python:os:system"}]},
        {"game": "nim", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "policy:/etc/passwd"}]},
        {"game": "nim", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "mcts:9999s"}]},
        {"game": "nim", "seats": [{"kind": "me"}, {"kind": "bot", "bot": "mcts:99999"}]},
        {"game": "nim", "seats": [{"kind": "me", "name": ["x"]}, {"kind": "bot"}]},
        {"game": "nim", "hints": "yes"},
        {"game": "nim", "seed": -1},
        {"game": "nim", "language": "x" * 99},
    ],
)
def test_tables_that_cannot_be_made(calls: Calls, asked: dict[str, Any]) -> None:
    answer = calls.call("POST", "/api/tables", json.dumps(asked).encode(), {"Content-Type": "application/json"})
    assert answer.status in (400, 403, 404, 422), answer
    fit(json.loads(answer.body), "web_answer#error")
    assert b"rulesets/" not in answer.body, "an error tells where files lie"


@pytest.mark.parametrize(
    "path",
    ["/page/../server/app.py", "/page/%2e%2e/server/app.py", "/page//etc/passwd", "/page/..%2f..%2fpyproject.toml",
     "/api/games/..%2f..%2fetc/rules", "/api/games/nim%00/rules", "/api/tables/x", "/api/tables/%00", "/nothing",
     "/api/tables/" + "x" * 3000, "/api/games/", "/page", "/api/games/nim/rules/", "/api/tables/%ED%A0%80"],
)  # fmt: skip
def test_paths_that_lead_nowhere(calls: Calls, path: str) -> None:
    answer = calls.call("GET", path, None, {})
    assert answer.status == 404
    fit(json.loads(answer.body), "web_answer#error")


@pytest.mark.parametrize("table", ["\ud800", "\x00", "x" * 3000, "../..", "ı", ""])
def test_tables_that_nobody_can_have(calls: Calls, table: str) -> None:
    """Asked for among my tables, and by path: what no table is called is not looked for in the store."""
    body = json.dumps({"seats": [{"table": table, "token": "x"}]}).encode()
    answer = calls.call("POST", "/api/tables/mine", body, {"Content-Type": "application/json"})
    assert answer.status in (200, 400) and (answer.status == 400 or json.loads(answer.body) == {"tables": []})


def test_who_asks_for_ever_new_languages_fills_no_memory(table: Table) -> None:
    """What is made for a viewer is kept by language, so only those count that the game or the server has."""
    first = table.look(None, "en")["scene"]
    with table.socket(None) as page:
        page.until(lambda at: at["type"] == "position")
        for number in range(20):
            page.send({"type": "language", "language": "q" + chr(97 + number)})
        page.send({"type": "language", "language": "fr"})
        assert page.until(lambda at: at["type"] == "position")["language"] == "fr", "no other position was made"
    for odd in ("xx", "zz", "%C4%B1%C4%B1", "../.."):
        found = table.calls.get(f"{table.path}?language={odd}", None, fits="web_message")
        assert found["language"] == "en" and found["scene"] == first


def test_methods_that_are_not_there(calls: Calls, table: Table) -> None:
    for method in ("PUT", "DELETE", "PATCH"):
        assert calls.call(method, table.path, b"", {}).status == 405


def test_every_answer_has_its_headers(calls: Calls) -> None:
    for path in ("/", "/api/watch", "/nothing", "/page/nothing.js"):
        headers = calls.call("GET", path, None, {}).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy
        assert headers["referrer-policy"] == "no-referrer" and headers["x-content-type-options"] == "nosniff"
        assert "server" not in headers


# ---------------------------------------------------------------------------- sockets


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "null"}, {"Host": "evil.example"}, {"Sec-Fetch-Site": "cross-site"}],
)
def test_sockets_of_other_pages_are_refused(table: Table, headers: dict[str, str]) -> None:
    upgrade = {
        "Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }  # fmt: skip
    assert table.calls.call("GET", f"{table.path}/live", None, {**upgrade, **headers}).status == 403


@pytest.mark.parametrize(
    "first", ["", "[]", "{", "null", '{"seat": 5}', '{"seat": "x"}', '{"seat": "' + "x" * 999 + '"}', b"\x00\xff"]
)
def test_who_does_not_say_who_he_is_hears_nothing(table: Table, first: str | bytes) -> None:
    with connect(f"ws://{table.calls.host}{table.path}/live") as socket:
        socket.send(first)
        gone = json.loads(socket.recv(timeout=20))
        fit(gone, "web_message#gone")
        assert gone["error"]["code"] in ("bad_json", "wrong_seat")
        with pytest.raises(ConnectionClosed):
            socket.recv(timeout=20)


def test_a_table_that_is_not_there(calls: Calls) -> None:
    with connect(f"ws://{calls.host}/api/tables/nothing/live") as socket:
        socket.send("{}")
        assert json.loads(socket.recv(timeout=20))["error"]["code"] == "no_such_table"


def test_messages_of_strangers_change_nothing(table: Table) -> None:
    before, secret = table.look(1), card_of(table, 1)
    odd = [*bodies(before["number"]), "x", 5, None, []]
    with table.socket(None) as page:
        page.until(lambda at: at["type"] == "position")
        for body in odd:
            for kind in ("choose", "undo", "why", "<b>", None, 7):
                page.send({**body, "type": kind} if isinstance(body, dict) else body)
                answer = page.next()
                assert answer["type"] == "error" and secret not in json.dumps(answer)
        page.send(b"\xff\x00")
        assert page.next()["type"] == "error"
    assert {**table.look(1), "seats": []} == {**before, "seats": []}


def test_a_huge_message_ends_the_connection_and_nothing_else(table: Table) -> None:
    with table.socket(None) as page:
        page.until(lambda at: at["type"] == "position")
        page.send("x" * 200_000)
        with pytest.raises(ConnectionClosed):
            while True:
                page.next()
    assert table.look(0)["type"] == "position"


def test_random_bytes(calls: Calls, table: Table) -> None:
    """A seeded hail of half-formed requests; the server answers each and stays up."""
    generator = random.Random(14)
    letters = b'{}[]":,0123456789tfn \\\x00\xffposition'
    for _ in range(300):
        body = bytes(generator.choice(letters) for _ in range(generator.randrange(60)))
        call = generator.choice(CALLS)
        sent = {"Content-Type": "application/json", **bearer(generator.choice([None, *table.tokens]))}
        assert calls.call("POST", f"{table.path}/{call}", body, sent).status < 500


# ---------------------------------------------------------------------------- how much


def test_too_many_requests_are_refused(tmp_path: Path) -> None:
    from interpreter.web.server.guard import Rates

    with served(tmp_path, rates=Rates(requests=(0.0, 30.0), tables=(0.0, 2.0), messages=(0.0, 5.0))) as calls:
        made = [calls.call("POST", "/api/tables", b'{"game":"nim"}', {"Content-Type": "application/json"}).status
                for _ in range(3)]  # fmt: skip
        assert made == [201, 201, 429]
        table = calls.table
        statuses = [calls.call("GET", "/api/watch", None, {}).status for _ in range(40)]
        assert statuses[0] == 200 and statuses[-1] == 429
        assert table is not None


def test_too_many_connections_are_refused(tmp_path: Path) -> None:
    from interpreter.web.server.live import Limits

    with served(tmp_path, limits=Limits(connections_at_table=2, tables=1, measures=False)) as calls:
        table = calls.table("nim", "me", "me")
        with table.socket(0) as one, table.socket(1) as two, table.socket(None) as three:
            one.next(), two.next()
            assert three.next()["error"]["code"] == "too_many"
        assert calls.post("/api/tables", {"game": "nim"}, status=503)["error"]["code"] == "too_many"


def test_clients_that_never_finish_are_let_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half of a request, or nothing, on many connections: each takes a file that others need."""
    monkeypatch.setattr("interpreter.web.server.punctual.Punctual.head_seconds", 0.5)
    monkeypatch.setattr("interpreter.web.server.guard.BODY_SECONDS", 0.5)
    with served(tmp_path) as calls:
        table = calls.table("nim", "me", "me")
        host, _, port = calls.host.rpartition(":")
        head = f"POST /api/tables HTTP/1.1\r\nHost: {calls.host}\r\nContent-Type: application/json\r\n"
        whole = f"GET /api/watch HTTP/1.1\r\nHost: {calls.host}\r\n\r\n"
        said = [
            b"",
            b"GET / HTTP/1.1\r\nHost: ",
            (head + "Content-Length: 9\r\n\r\n{").encode(),
            f"{whole}GET".encode(),
        ]
        slow = [socket.create_connection((host, int(port))) for _ in range(40)]
        with table.socket(0) as patient:
            patient.next()
            for number, one in enumerate(slow):
                one.settimeout(30)
                one.sendall(said[number % len(said)])
            for number, one in enumerate(slow):
                answer = b""
                while part := one.recv(1 << 16):  # ends when the server closes it
                    answer += part
                assert answer.startswith((b"", b"", b"HTTP/1.1 408", b"HTTP/1.1 200")[number % len(said)])
                one.close()
            assert table.choose(0)["number"] and patient.next(), "a web socket may be silent for as long as it likes"


# ---------------------------------------------------------------------------- words that look like markup


def test_markup_in_names_stays_text(calls: Calls) -> None:
    name = "<img src=x onerror=alert(1)>&\u2028\"'"
    body = {"game": "nim", "seats": [{"kind": "me", "name": name}, {"kind": "bot"}]}
    made = calls.post("/api/tables", body, status=201)
    answer = calls.call("GET", f"/api/tables/{made['table']}", None, {})
    assert answer.headers["content-type"].startswith("application/json")
    shown = json.loads(answer.body)["seats"][0]["name"]
    assert shown == "<img src=x onerror=alert(1)>&\"'"[:40]


def test_markup_in_labels_stays_text(tmp_path: Path) -> None:
    folder = tmp_path / "angles"
    folder.mkdir()
    (folder / "ruleset.yaml").write_text("name: angles\n")
    (folder / "angles.rules").write_text(
        'game angles "<script>alert(1)</script>" for 1 players\n'
        "table\n  n: 0..5 = 0\n"
        "play\n  repeat 3 times\n    turn(seat1)\n"
        'phase turn(p) "<b>Turn</b>"\n'
        '  choose one "<i>What?</i>"\n'
        '    "<a href=javascript:x>One</a>"\n      n += 1\n'
        '    "Two & more"\n      n += 0\n'
    )
    with served(tmp_path / "data", author=(folder,)) as calls:
        table = calls.table("angles", "me")
        at = table.choose(0)
        assert at["title"] == "<script>alert(1)</script>"
        assert at["scene"]["decision"]["options"][0]["label"] == "<a href=javascript:x>One</a>"
    found = entry(str(folder))  # as the lobby has it
    assert found is not None and found["title"] == "<script>alert(1)</script>"
