"""The WebSocket of a page: positions go out when something has changed, choices come in.

The first message names the seat: the address of a socket is written into logs, a message is not. Two tasks then work
side by side, one that sends and one that reads; when either ends, so does the connection. A client that does not read
is not waited for: a position that was not sent yet is replaced by the next one.
"""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect, WebSocketState

from . import playing
from .guard import Buckets, Guard, is_token, json_object, language_asked
from .house import House
from .live import Connection, Live, as_json
from .words import Refused

FIRST_MESSAGE = 10.0  # seconds in which a new connection must say who it is
SLOWEST = 20.0  # seconds in which a message must have been taken
POLICY_VIOLATION, TRY_LATER, BAD_DATA = 1008, 1013, 1003


async def live_socket(socket: WebSocket, house: House, guard: Guard) -> None:
    language = language_asked(socket)
    try:
        guard.require_known_host(socket)
        guard.require_own_page(socket)
        guard.require_budget(socket)
    except Refused as refused:
        await socket.close(POLICY_VIOLATION, refused.code)
        return
    await socket.accept()
    try:
        first = json_object(await asyncio.wait_for(_received(socket), FIRST_MESSAGE))
        token = first.get("seat")
        if token is not None and not is_token(token):
            raise Refused(403, "wrong_seat")
        language = _language(first, language)
        live = await house.live(socket.path_params["table"])
        connection = house.connect(live, house.viewer(live, token), language)
    except Refused as refused:
        await _refuse(socket, refused, language)
        return
    except (TimeoutError, WebSocketDisconnect, RuntimeError):
        await _close(socket, BAD_DATA)
        return
    try:
        await _both(_sending(socket, house, live, connection), _reading(socket, house, guard, live, connection))
    finally:
        house.disconnect(live, connection)
    await _close(socket, 1000)


def _language(message: dict[str, Any], otherwise: str) -> str:
    language = message.get("language", otherwise)
    return language if isinstance(language, str) and language.isalpha() and 2 <= len(language) <= 8 else otherwise


async def _received(socket: WebSocket) -> str:
    """The next message; whatever is no text is as good as nothing."""
    message = await socket.receive()
    if message["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(message.get("code", 1000))
    text = message.get("text")
    return text if isinstance(text, str) else ""


async def _both(*works: Any) -> None:
    """Until one of them ends."""
    tasks = [asyncio.ensure_future(work) for work in works]
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _sending(socket: WebSocket, house: House, live: Live, connection: Connection) -> None:
    sent = b""
    while True:
        await connection.news.wait()
        connection.news.clear()
        notices, connection.notices = connection.notices, []
        for notice in notices:
            await _send(socket, as_json(notice))
        if connection.gone:
            await _send(socket, as_json({"type": "gone"}))
            return
        try:
            message = await house.message(live, connection.viewer, connection.language)
        except Refused as refused:
            message = as_json({"type": "error", **refused.as_data(connection.language)})
        if message != sent:
            sent = message
            await _send(socket, message)


async def _send(socket: WebSocket, message: bytes) -> None:
    await asyncio.wait_for(socket.send_text(message.decode("utf-8")), SLOWEST)


async def _reading(socket: WebSocket, house: House, guard: Guard, live: Live, connection: Connection) -> None:
    budget = Buckets(*guard.rates.messages, callers=1)
    while True:
        try:
            text = await _received(socket)
        except (WebSocketDisconnect, RuntimeError):
            return
        message: dict[str, Any] = {}
        try:
            if not budget.take(""):
                raise Refused(429, "too_fast")
            message = json_object(text)
            await _done(house, live, connection, message)
        except Refused as refused:
            about = message.get("type")
            answer = {"type": "error", "about": about if isinstance(about, str) else None, "status": refused.status}
            connection.tell({**answer, **refused.as_data(connection.language)})


async def _done(house: House, live: Live, connection: Connection, message: dict[str, Any]) -> None:
    match message.get("type"):
        case "choose":
            await playing.choose(house, live, connection.viewer, message)
        case "undo":
            await playing.undo(house, live, connection.viewer, message)
        case "ping":
            connection.tell({"type": "pong"})
        case "language":
            connection.language = _language(message, connection.language)
            connection.news.set()
        case _:
            raise Refused(400, "bad_request", why="`type` is choose, undo, language or ping")


async def _refuse(socket: WebSocket, refused: Refused, language: str) -> None:
    try:
        await _send(socket, as_json({"type": "gone", **refused.as_data(language)}))
    except (RuntimeError, TimeoutError, WebSocketDisconnect):
        pass
    await _close(socket, TRY_LATER if refused.status == 503 else POLICY_VIOLATION)


async def _close(socket: WebSocket, code: int) -> None:
    if WebSocketState.DISCONNECTED in (socket.client_state, socket.application_state):
        return
    try:
        await socket.close(code)
    except RuntimeError:
        pass
