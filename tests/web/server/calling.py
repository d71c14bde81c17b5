"""A server inside the test process, at an address of its own, and the few things that every test does with it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed: the server of the table is not tested")
pytest.importorskip("uvicorn", reason="the extra `web` is not installed: the server of the table is not tested")

from jsonschema import Draft202012Validator
from referencing import Registry, Resource
from websockets.sync.client import connect

from interpreter.web.server.guard import Rates
from interpreter.web.server.live import Limits
from interpreter.web.server.serving import Settings, address_of, listening, server_of

SCHEMAS = Path(__file__).parents[3] / "schemas"
FAST = Limits(pace=(0.05, 0.1), bot_late=20.0, measures=False)
IDLE = 2.0  # seconds without a call after which a connection is opened anew
MANY = Rates((10_000.0, 10_000.0), (10_000.0, 10_000.0), (10_000.0, 10_000.0), (10_000.0, 10_000.0))


@contextmanager
def served(data: Path, **settings: Any) -> Iterator[Calls]:
    """A server with its data in a folder; it runs until the block ends."""
    made = Settings(data=data, port=0, **{"limits": FAST, "rates": MANY, "workers": 1, **settings})
    with listening(made) as socket:
        started = threading.Event()
        server = server_of(made, lambda: started.set())
        running = threading.Thread(target=server.run, kwargs={"sockets": [socket]})
        running.start()
        try:
            assert started.wait(20), "the server does not start"
            yield Calls(address_of(socket))
        finally:
            server.should_exit = True
            running.join(20)


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class Calls:
    """A client of the server. Whatever is answered fits the schemas, in every test."""

    def __init__(self, address: str) -> None:
        self.host = urlsplit(address).netloc
        self._connection = HTTPConnection(self.host, timeout=60)
        self._used = 0.0

    def get(self, path: str, token: str | None = None, *, fits: str = "", status: int = 200) -> Any:
        return self._checked(self.call("GET", path, None, bearer(token)), fits, status)

    def post(self, path: str, body: Any, token: str | None = None, *, fits: str = "", status: int = 200) -> Any:
        headers = {"Content-Type": "application/json", **bearer(token)}
        return self._checked(self.call("POST", path, json.dumps(body).encode(), headers), fits, status)

    def call(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> Answer:
        if time.monotonic() - self._used > IDLE:
            self._connection.close()  # the server may be about to do the same; the next request opens it again
        try:
            self._connection.request(method, path, body, headers)
            answer = self._connection.getresponse()
            return Answer(answer.status, dict(answer.getheaders()), answer.read())
        except (HTTPException, OSError):
            self._connection.close()
            raise
        finally:
            self._used = time.monotonic()

    def _checked(self, answer: Answer, fits: str, status: int) -> Any:
        assert answer.status == status, (answer.status, answer.body[:500])
        found = json.loads(answer.body)
        fit(found, fits if status < 400 else "web_answer#error")
        return found

    def lobby(self, language: str = "en") -> Any:
        """The lobby when all games have been read."""
        for _ in range(300):
            found = self.get(f"/api/games?language={language}", fits="web_games")
            if not found["reading"]:
                return found
        raise AssertionError("the games are never read")

    # ------------------------------------------------------------------ tables

    def table(self, game: str, *kinds: str, **more: Any) -> Table:
        """A table for these kinds of seats: me, friend, open, or the strength of a bot."""
        seats = [{"kind": kind} if kind in ("me", "friend", "open") else {"kind": "bot", "bot": kind} for kind in kinds]
        body = {"game": game, "players": len(kinds), "seats": seats, **more}
        fit(body, "web_request#table")
        made = self.post("/api/tables", body, fits="web_answer#table", status=201)
        return Table(self, made["table"], [seat["token"] for seat in made["seats"]])


class Table:
    def __init__(self, calls: Calls, id: str, tokens: list[str | None]) -> None:
        self.calls, self.id, self.tokens = calls, id, tokens

    @property
    def path(self) -> str:
        return f"/api/tables/{self.id}"

    def look(self, seat: int | None = 0, language: str = "en") -> Any:
        token = None if seat is None else self.tokens[seat]
        return self.calls.get(f"{self.path}?language={language}", token, fits="web_message")

    def history(self, step: int, seat: int | None = 0, status: int = 200) -> Any:
        token = None if seat is None else self.tokens[seat]
        return self.calls.get(f"{self.path}/history?step={step}", token, fits="web_message", status=status)

    def call(self, name: str, body: Any, seat: int | None = 0, *, fits: str = "", status: int = 200) -> Any:
        fit(body, f"web_request#{name}")
        token = None if seat is None else self.tokens[seat]
        return self.calls.post(f"{self.path}/{name}", body, token, fits=fits, status=status)

    def choose(self, option: int = 0, seat: int = 0, status: int = 200) -> Any:
        """Takes an option of the pending decision, which must be that seat's."""
        at = self.look(seat)
        chosen = at["scene"]["decision"]["options"][option]
        body = {"position": at["number"], "option": chosen["index"], "code": chosen["code"]}
        return self.call("choose", body, seat, fits="web_message", status=status)

    def play(self, most: int, seats: tuple[int, ...] = (0,)) -> int:
        """So many choices of these seats, or until the game is over; how many were made."""
        for made in range(most):
            seat = self.wait_for_turn(seats)
            if seat is None:
                return made
            options = self.look(seat)["scene"]["decision"]["options"]
            self.choose((made * 7 + 3) % len(options), seat)
        return most

    def wait_for_turn(self, seats: tuple[int, ...] = (0,), most: int = 400) -> int | None:
        """The seat that has to decide, once bots have chosen; None if the game is over."""
        for _ in range(most):
            for seat in seats:
                at = self.look(seat)
                if at["over"]:
                    return None
                if at["scene"]["decision"]:
                    return seat
            time.sleep(0.01)
        raise AssertionError("nobody has to decide")

    @contextmanager
    def socket(self, seat: int | None = 0, language: str = "en") -> Iterator[Socket]:
        with connect(f"ws://{self.calls.host}{self.path}/live") as socket:
            first = {"seat": None if seat is None else self.tokens[seat], "language": language}
            fit(first, "web_request#first")
            socket.send(json.dumps(first))
            yield Socket(socket)


class Socket:
    def __init__(self, socket: Any) -> None:
        self._socket = socket

    def send(self, message: Any) -> None:
        self._socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    def next(self) -> Any:
        """The next message, which fits the schema."""
        message = json.loads(self._socket.recv(timeout=60))
        fit(message, "web_message")
        return message

    def until(self, wanted: Any) -> Any:
        """The next message of which something holds."""
        for _ in range(1000):
            message = self.next()
            if wanted(message):
                return message
        raise AssertionError("no such message")


def bearer(token: str | None) -> dict[str, str]:
    return {} if token is None else {"Authorization": f"Bearer {token}"}


# ---------------------------------------------------------------------------- schemas


@cache
def registry() -> Registry[Any]:
    found = [json.loads(path.read_text(encoding="utf-8")) for path in SCHEMAS.glob("*.schema.json")]
    return Registry().with_resources([(schema["$id"], Resource.from_contents(schema)) for schema in found])


@cache
def validator(fits: str) -> Draft202012Validator:
    """`web_answer#table`: a file of `schemas/`, and one of its definitions."""
    name, _, part = fits.partition("#")
    address = f"{name}.schema.json" + (f"#/$defs/{part}" if part else "")
    return Draft202012Validator({"$ref": address}, registry=registry())


def fit(data: Any, fits: str) -> None:
    if fits:
        problem = next(iter(validator(fits).iter_errors(data)), None)
        assert problem is None, f"{fits}: {problem.json_path}: {problem.message}"[:1000]
