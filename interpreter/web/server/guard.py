"""Who may call at all, and how much: names, origins, sizes, rates, and the headers that every answer has.

A server on this machine can be reached by any page that a browser has open. Three things keep other pages out: the
`Host` must be a name this server is known by (a page cannot point its own name at this machine), a call that changes
something must come from our own page (`Origin`, `Sec-Fetch-Site`) and be JSON, and seats are secrets that only our page
keeps. Programs that are no browsers send no `Origin` and are welcome.
"""

from __future__ import annotations

import asyncio
import ipaddress
import json
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection, Request

from .words import Refused, language_of

LARGEST_BODY = 64 * 1024
BODY_SECONDS = 20.0  # that a body may take to arrive
_DEEPEST = 32
_PAGES = ("http", "https")  # how our own page may have been fetched

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


@dataclass
class Buckets:
    """A budget for each caller that fills up again: `rate` a second, `most` at once. Bounded: the callers seen longest
    ago are forgotten."""

    rate: float
    most: float
    callers: int = 10_000
    _left: OrderedDict[str, tuple[float, float]] = field(default_factory=OrderedDict)

    def take(self, caller: str, amount: float = 1.0) -> bool:
        now = time.monotonic()
        left, then = self._left.pop(caller, (self.most, now))
        left = min(self.most, left + (now - then) * self.rate)
        allowed = left >= amount
        self._left[caller] = (left - amount if allowed else left, now)
        if len(self._left) > self.callers:
            self._left.popitem(last=False)
        return allowed


@dataclass(frozen=True)
class Rates:
    """Requests a second and at once: of a caller in all; tables made; connections opened; messages of a connection."""

    requests: tuple[float, float] = (100.0, 400.0)
    tables: tuple[float, float] = (1.0, 60.0)
    messages: tuple[float, float] = (20.0, 100.0)
    hints: tuple[float, float] = (0.5, 10.0)


class Guard:
    """`names` are the hosts this server answers to; an empty set stands for any address written as numbers."""

    def __init__(self, names: frozenset[str], rates: Rates | None = None) -> None:
        self._names = names
        self.rates = rates or Rates()
        self._requests = Buckets(*self.rates.requests)
        self.tables = Buckets(*self.rates.tables)
        self.hints = Buckets(*self.rates.hints)

    def require_known_host(self, connection: HTTPConnection) -> None:
        host = connection.headers.get("host", "")
        if not self._is_known(_name_of(host)):
            raise Refused(421, "wrong_host")

    def _is_known(self, name: str) -> bool:
        return name in self._names if self._names else _is_address(name) or name == "localhost"

    def require_own_page(self, connection: HTTPConnection) -> None:
        """For whatever changes something, and for sockets: refuses calls of other pages."""
        origin = connection.headers.get("origin")
        site = connection.headers.get("sec-fetch-site", "none")
        if origin is not None:
            if origin.lower() not in (f"{scheme}://{connection.headers.get('host', '')}".lower() for scheme in _PAGES):
                raise Refused(403, "wrong_origin")
        elif site not in ("none", "same-origin"):
            raise Refused(403, "wrong_origin")

    def require_budget(self, connection: HTTPConnection) -> None:
        if not self._requests.take(caller_of(connection)):
            raise Refused(429, "too_fast")


def caller_of(connection: HTTPConnection) -> str:
    return connection.client.host if connection.client else "?"


def _name_of(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def is_loopback(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def token_of(headers: Headers) -> str | None:
    """The seat that a request comes with; None for a spectator."""
    given = headers.get("authorization")
    if given is None:
        return None
    scheme, _, token = given.partition(" ")
    if scheme.lower() != "bearer" or not is_token(token.strip()):
        raise Refused(403, "wrong_seat")
    return token.strip()


def is_token(text: Any) -> bool:
    return isinstance(text, str) and 0 < len(text) <= 64 and text.isascii()


def language_asked(connection: HTTPConnection) -> str:
    asked = connection.query_params.get("language")
    found = language_of(asked, connection.headers.get("accept-language"))
    return found if 2 <= len(found) <= 8 and found.isascii() and found.replace("-", "").isalpha() else "en"


async def json_body(request: Request) -> dict[str, Any]:
    """The JSON object that a request brings. Reading stops as soon as it is too large, or takes too long."""
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise Refused(415, "wrong_type")
    body = b""
    try:
        async with asyncio.timeout(BODY_SECONDS):
            async for part in request.stream():
                body += part
                if len(body) > LARGEST_BODY:
                    raise Refused(413, "too_large", most=LARGEST_BODY)
    except TimeoutError:
        raise Refused(408, "too_slow") from None
    return json_object(body)


def json_object(text: bytes | str) -> dict[str, Any]:
    try:
        found = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError):
        raise Refused(400, "bad_json") from None
    if not isinstance(found, dict) or not _is_sound(found, _DEEPEST):
        raise Refused(400, "bad_json")
    return found


def _no_number(name: str) -> Any:
    """`NaN` and `Infinity` are no JSON, though Python reads them."""
    raise ValueError(name)


def _is_sound(value: Any, left: int) -> bool:
    """Whether a value is not too deep, and its texts can be kept and sent: half a surrogate pair cannot be written as
    UTF-8, and no database takes a zero byte for text."""
    if isinstance(value, str):
        return "\0" not in value and not any("\ud800" <= letter <= "\udfff" for letter in value)
    if isinstance(value, dict):
        return left > 0 and all(_is_sound(key, left) and _is_sound(one, left - 1) for key, one in value.items())
    return not isinstance(value, list) or (left > 0 and all(_is_sound(one, left - 1) for one in value))


Send = Callable[[Any], Awaitable[None]]


class Headed:
    """Puts the headers of this page on every answer, whoever made it."""

    def __init__(self, app: Any) -> None:
        self._app = app

    async def __call__(self, scope: Any, receive: Any, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def headed(message: Any) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, headed)
