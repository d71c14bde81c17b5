"""Calls of the JSON interface that no page makes, to the application itself: no socket, no second process.

Every answer is JSON with a status of its own; 500 is the server's word for something that nobody thought of.
"""

from __future__ import annotations

import asyncio
import json
import logging
import random
import tempfile
import threading
from functools import cache
from pathlib import Path
from typing import Any

PATHS = (
    "/api/tables",
    "/api/tables/mine",
    "/api/tables/T/CALL",
    "/api/games",
    "/api/games/GAME/rules",
    "/api/tables/T",
    "/api/games/GAME/picture.svg",
    "/api/tables/T/history?step=STEP",
    "/api/tables/T/record",
    "/api/tables/T/save",
    "/api/watch",
    "/",
    "/page/GAME",
    "/favicon.ico",
    "/api/tables/T/live",
)
CALLS = ("join", "choose", "undo", "why", "hint", "share", "fork", "live", "")
ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    7,
    1 << 70,
    1.5,
    "",
    "x",
    "\x1b]0;x\x07",
    "nim",
    [],
    {},
    [[[]]],
    "é\ud800",
    "../../etc/passwd",
    "a" * 3000,
    {"kind": "bot", "bot": "python:os:system"},
    float("1e300"),
)
FIELDS = (
    "game",
    "players",
    "seats",
    "hints",
    "undo",
    "language",
    "seed",
    "position",
    "option",
    "code",
    "step",
    "name",
    "seat",
    "text",
    "asked",
    "tokens",
    "tables",
    "keep_bots",
    "token",
    "type",
)
HEADERS = (
    (b"authorization", b"Bearer x"),
    (b"authorization", b"Bearer \xff\xfe"),
    (b"accept-language", b"fr,\xff;q=9"),
    (b"origin", b"http://elsewhere"),
    (b"content-length", b"99999999999"),
    (b"cookie", b"a=b"),
)


class Application:
    """The server's application with a store of its own, called in this process."""

    def __init__(self, folder: str) -> None:
        from interpreter.web.server.guard import Rates
        from interpreter.web.server.live import Limits
        from interpreter.web.server.serving import Settings, application

        logging.getLogger("interpreter").setLevel(logging.CRITICAL)
        many = Rates((1e9, 1e9), (1e9, 1e9), (1e9, 1e9), (1e9, 1e9))
        quick = Limits(pace=(0.0, 0.0), bot_late=20.0, measures=False)
        self.app = application(Settings(data=Path(folder), rates=many, limits=quick, workers=1))
        # In a thread of its own: a browser that other tests drive keeps a loop running in theirs.
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, daemon=True).start()
        body = {"game": "kuhn_poker", "players": 2, "seats": [{"kind": "me"}, {"kind": "friend"}]}
        made = json.loads(self.call("POST", "/api/tables", json.dumps(body).encode(), [])[1])
        self.table, self.token = made["table"], made["seats"][0]["token"]

    def call(self, method: str, path: str, body: bytes, more: list[tuple[bytes, bytes]]) -> tuple[int, bytes]:
        return asyncio.run_coroutine_threadsafe(self._call(method, path, body, more), self.loop).result()

    async def _call(self, method: str, path: str, body: bytes, more: list[tuple[bytes, bytes]]) -> tuple[int, bytes]:
        path, _, query = path.partition("?")
        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json"), *more]
        scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode("utf-8", "replace"),
            "root_path": "",
            "query_string": query.encode("utf-8", "replace"),
            "headers": headers,
            "client": ("127.0.0.1", 1),
            "scheme": "http",
            "http_version": "1.1",
            "server": ("127.0.0.1", 80),
        }
        waiting = [{"type": "http.request", "body": body, "more_body": False}]
        sent: list[Any] = []

        async def receive() -> Any:
            return waiting.pop() if waiting else {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, send)
        status = next(message["status"] for message in sent if message["type"] == "http.response.start")
        return status, b"".join(message.get("body", b"") for message in sent if message["type"] == "http.response.body")


@cache
def application() -> Application:
    return Application(tempfile.mkdtemp(prefix="rulewright-fuzz-"))


def fuzz_web(rng: random.Random, folder: Path) -> None:
    app = application()
    path = (
        rng.choice(PATHS)
        .replace("CALL", rng.choice(CALLS))
        .replace("STEP", rng.choice(("0", "1", "-1", "x", "9" * 30)))
    )
    path = path.replace("GAME", rng.choice(("nim", "nym", "..", "nim+x", "%00", "é"))).replace(
        "T", app.table if rng.random() < 0.8 else rng.choice(("x", "..", "0" * 40))
    )
    headers = [(b"authorization", f"Bearer {app.token}".encode())] if rng.random() < 0.7 else []
    headers += rng.sample(HEADERS, rng.randint(0, 1))
    method = rng.choice(("POST", "POST", "POST", "GET", "PUT", "HEAD"))
    status, answer = app.call(method, path, _body(rng), headers)
    assert status < 500, (method, path, answer)
    if answer and path.startswith("/api/") and not path.endswith(".svg"):
        assert status in (405, 200, 201) or "error" in json.loads(answer), answer[:200]


def _body(rng: random.Random) -> bytes:
    if rng.random() < 0.1:
        return rng.choice((b"", b"{", b"\xff", b"[" * 5000, b"null", b"7", b'"x"', b'{"a": NaN}'))
    asked: dict[str, Any] = {field: rng.choice(ODD) for field in rng.sample(FIELDS, rng.randint(0, 4))}
    if rng.random() < 0.5:
        asked = {"game": "kuhn_poker", "position": rng.choice((0, 1, -1)), "option": rng.choice((0, 1, 5)), **asked}
    return json.dumps(asked).encode("utf-8", "surrogatepass")
