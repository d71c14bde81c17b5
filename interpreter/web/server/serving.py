"""Puts a server together from its settings and runs it until it is interrupted."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import uvicorn

from ...native.sandbox import Walls
from ...play.contract import PlayError
from .app import make_app
from .guard import LARGEST_BODY, Guard, Rates, is_loopback
from .house import House
from .library import WALLS, Library
from .live import Limits
from .punctual import Punctual
from .store import open_store
from .watching import Watch
from .workers import Workers

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True)
class Settings:
    """`data` is a folder; `store` a URL of SQLAlchemy in place of the file in it. `names` are host names by which
    pages reach this server, besides the address it listens on."""

    host: str = "127.0.0.1"
    port: int = 8700
    data: Path = Path("rulewright-tables")
    store: str | None = None
    watch: tuple[Path, ...] = ()
    author: tuple[Path, ...] = ()
    names: tuple[str, ...] = ()
    workers: int = 0  # 0: as many as there are cores
    pace: tuple[float, float] | None = None  # in place of that of the limits
    walls: Walls = WALLS  # of rules that run in a sandbox
    limits: Limits = field(default_factory=Limits)
    rates: Rates = field(default_factory=Rates)


def application(settings: Settings) -> Any:
    """The application of these settings. Raises PlayError for what cannot be used."""
    if (settings.watch or settings.author) and not is_loopback(settings.host):
        raise PlayError(
            f"rules of others are not run for everybody who reaches {settings.host}",
            "--watch and --author go with a loopback address: leave --host out",
        )
    for folder in (*settings.watch, *settings.author):
        if not folder.is_dir():
            raise PlayError(f"there is no folder `{folder}`")
    try:
        settings.data.mkdir(parents=True, exist_ok=True)
        store = open_store(settings.store or str(settings.data / "tables.sqlite"))
    except Exception as problem:
        raise PlayError(f"the store in `{settings.store or settings.data}` cannot be opened: {problem}") from problem
    library = Library(store, settings.data, (*settings.watch, *settings.author), settings.walls)
    workers = Workers(settings.workers or max(1, min(4, os.cpu_count() or 1)))
    watch = Watch(tuple(folder.resolve() for folder in settings.watch)) if settings.watch else None
    guard = Guard(_names(settings), settings.rates)
    limits = settings.limits if settings.pace is None else replace(settings.limits, pace=settings.pace)
    return make_app(House(store, library, workers, limits), guard, watch)


def _names(settings: Settings) -> frozenset[str]:
    if is_loopback(settings.host):
        return LOOPBACK | {settings.host, *settings.names}
    if settings.names:
        return frozenset({settings.host, *settings.names})
    return frozenset()  # any address: the one of this machine is not known here


def listening(settings: Settings) -> socket.socket:
    """A socket at the address; with port 0 at any free one."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # With the protocol named, asyncio turns off the waiting for more to send, which costs 40 ms with each answer.
    made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((settings.host, settings.port))
    except OSError as problem:
        made.close()
        raise PlayError(
            f"cannot listen at {settings.host}:{settings.port}: {problem.strerror or problem}",
            "another server may be there: try --port 0 for any free one",
        ) from problem
    made.listen(256)
    return made


def address_of(made: socket.socket) -> str:
    host, port = made.getsockname()[:2]
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def serve(settings: Settings, started: Callable[[str], None]) -> None:
    """Runs until interrupted; `started` is told the address as soon as calls are taken."""
    made = listening(settings)
    server_of(settings, lambda: started(address_of(made))).run(sockets=[made])


class Server(uvicorn.Server):
    """Tells when it takes calls."""

    def __init__(self, config: uvicorn.Config, told: Callable[[], None]) -> None:
        super().__init__(config)
        self._told = told

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self._told()


def server_of(settings: Settings, told: Callable[[], None]) -> Server:
    config = uvicorn.Config(
        application(settings),
        log_level="warning",
        http=Punctual,
        access_log=False,  # an address may name a table; who looked at what is nobody's business
        ws="websockets-sansio",
        ws_max_size=LARGEST_BODY,
        ws_ping_interval=20.0,
        ws_ping_timeout=20.0,
        timeout_keep_alive=30,
        timeout_graceful_shutdown=3,
        h11_max_incomplete_event_size=LARGEST_BODY,
        server_header=False,
        lifespan="on",
    )
    return Server(config, told)
