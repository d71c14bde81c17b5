"""Connections that keep a server waiting are closed.

A client may open hundreds of connections, send half of a request on each, and wait. Nothing is worked out for it, but
every connection takes one of the files that a process may have open, and when they are used up nobody else can connect.
uvicorn closes connections that are idle between two requests; this closes those on which a request has begun and does
not go on, and those on which nothing is ever said. Reading a body has a limit of its own (`guard.json_body`).
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

HEAD_SECONDS = 20.0  # from the first byte of a request, or from the beginning, to the end of its headers


class Punctual(H11Protocol):
    head_seconds = HEAD_SECONDS
    _late: asyncio.TimerHandle | None = None
    _is_socket = False  # handed over: what comes now is a web socket's

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._wait()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._is_socket:
            return
        if self.cycle is None or self.cycle.response_complete:
            self._wait()
        else:
            self._go_on()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._has_begun():
            self._wait()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._is_socket = True
        self._go_on()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._go_on()
        super().connection_lost(exc)

    def _wait(self) -> None:
        if self._late is None:
            self._late = self.loop.call_later(self.head_seconds, self._close_late)

    def _go_on(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None

    def _close_late(self) -> None:
        """Time is up. A request that arrived whole in the meantime has been answered between two looks: let it be."""
        self._late = None
        if self.cycle is None or self._has_begun():
            self.transport.close()

    def _has_begun(self) -> bool:
        """Whether something is still to come although the last request has been answered: the rest of its body, or of
        another request that began in the same breath. uvicorn takes such a connection for idle."""
        if self.cycle is None or not self.cycle.response_complete:
            return False
        is_left_over = bool(self.conn.trailing_data[0]) or self.conn.their_state is h11.SEND_BODY
        return self.timeout_keep_alive_task is None or is_left_over
