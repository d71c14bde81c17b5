"""The routes: what can be asked over HTTP, and by whom (`docs/web.md`).

A handler reads the request, asks the house, and answers with JSON. Whatever is refused is a `Refused` with a status, a
code and words; anything else that is raised is a mistake of the server: it is written to its log, and the caller learns
nothing but that.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, WebSocketRoute
from starlette.websockets import WebSocket

from ...runtime.faults import Fault
from . import playing, questions
from .asking import ask
from .explaining import reasons_for
from .guard import Guard, Headed, caller_of, json_body, language_asked, token_of
from .house import House
from .live import Live, as_json
from .lobby import Lobby
from .page_files import PageFiles
from .pictures import picture_of
from .reading import clauses_of
from .seating import is_table_id, link_to, seat_of
from .sockets import live_socket
from .watching import Watch
from .words import Refused

_log = logging.getLogger("rulewright.web")
_MOST_MINE = 200

Handler = Callable[[Request], Awaitable[Response]]


class Api:
    def __init__(self, house: House, guard: Guard, lobby: Lobby, watch: Watch | None) -> None:
        self.house, self.guard, self.lobby, self.watch = house, guard, lobby, watch

    # ------------------------------------------------------------------ games

    async def games(self, request: Request) -> Response:
        return answer(await self.lobby.games(language_asked(request)))

    async def rules(self, request: Request) -> Response:
        house, name, language = self.house, request.path_params["name"], language_asked(request)
        here = await house.in_thread(house.library.runs_here, name, None)
        return answer(await (house.in_thread if here else house.aside)(clauses_of, house.library, name, language))

    async def picture(self, request: Request) -> Response:
        house, name = self.house, request.path_params["name"]
        here = await house.in_thread(house.library.runs_here, name, None)
        drawn = await house.by_rules(here, picture_of, house.store, house.library, name)
        return Response(drawn, media_type="image/svg+xml", headers={"cache-control": "max-age=60"})

    async def findings(self, request: Request) -> Response:
        return answer({"findings": self.watch.all_findings() if self.watch else []})

    # ------------------------------------------------------------------ tables

    async def make(self, request: Request) -> Response:
        asked = await json_body(request)
        if not self.guard.tables.take(caller_of(request)):
            raise Refused(429, "too_fast")
        watched = self.watch is not None and self.watch.is_watched(asked.get("game"))
        return answer(await self.house.new_table(asked, watched), 201)

    async def mine(self, request: Request) -> Response:
        asked = (await json_body(request)).get("seats")
        if not isinstance(asked, list) or len(asked) > _MOST_MINE:
            raise Refused(400, "bad_request", why="`seats` is no short list")
        found = [await self._mine(one) for one in asked]
        return answer({"tables": [one for one in found if one is not None]})

    async def _mine(self, asked: Any) -> dict[str, Any] | None:
        """A table of which somebody has a seat; None if that is not so."""
        if not isinstance(asked, dict):
            raise Refused(400, "bad_request", why="a seat is {table, token}")
        id, token = asked.get("table"), asked.get("token")
        if not isinstance(id, str) or not isinstance(token, str):
            raise Refused(400, "bad_request", why="a seat is {table, token}")
        row = await self.house.in_thread(self.house.store.table, id) if is_table_id(id) else None
        if row is None:
            return None
        seats = await self.house.in_thread(self.house.store.seats, id)
        try:
            seat = seat_of(seats, token)
        except Refused:
            return None
        is_mine = None if seat is None or row.finished else await self._is_asked(id, seat)
        named = [{"seat": one.seat, "name": one.name, "kind": one.kind, "bot": one.bot or None} for one in seats]
        return {
            "table": id, "game": row.game, "seat": seat, "seats": named, "finished": row.finished,
            "changed": row.changed, "my_turn": is_mine,
        }  # fmt: skip

    async def _is_asked(self, id: str, seat: int) -> bool | None:
        """Whether a seat has to decide: from memory, where it may have to wait for being told so, else as stored."""
        live = self.house.in_memory(id)
        if live is not None:
            return await self.house.is_asked(live, seat)
        asked = await self.house.in_thread(self.house.store.asked, id)
        return None if asked is None else bool(asked >> seat & 1)

    async def _at(self, request: Request) -> tuple[Live, int]:
        """The table of a request, and who asks."""
        live = await self.house.live(request.path_params["table"])
        return live, self.house.viewer(live, token_of(request.headers))

    async def look(self, request: Request) -> Response:
        live, viewer = await self._at(request)
        return sent(await self.house.message(live, viewer, language_asked(request)))

    async def join(self, request: Request) -> Response:
        asked = await json_body(request)
        live = await self.house.live(request.path_params["table"])
        return answer(await self.house.join(live, asked.get("name")))

    async def choose(self, request: Request) -> Response:
        asked = await json_body(request)
        live, viewer = await self._at(request)
        await playing.choose(self.house, live, viewer, asked)
        return sent(await self.house.message(live, viewer, language_asked(request)))

    async def undo(self, request: Request) -> Response:
        asked = await json_body(request)
        live, viewer = await self._at(request)
        await playing.undo(self.house, live, viewer, asked)
        return sent(await self.house.message(live, viewer, language_asked(request)))

    async def why(self, request: Request) -> Response:
        asked = await json_body(request)
        live, viewer = await self._at(request)
        async with live.lock:
            language = language_asked(request)
            told = await self.house.at(live, reasons_for, live.table, viewer, asked, language)
        return answer(told)

    async def hint(self, request: Request) -> Response:
        asked = await json_body(request)
        live, viewer = await self._at(request)
        if not self.guard.hints.take(f"{live.table.row.id} {viewer}"):
            raise Refused(429, "too_fast")
        return answer(await playing.hint(self.house, live, viewer, asked.get("position"), language_asked(request)))

    async def history(self, request: Request) -> Response:
        live, viewer = await self._at(request)
        step = request.query_params.get("step", "")
        if not step.isdecimal() or len(step) > 9:
            raise Refused(400, "bad_request", why="`step` is no number")
        return sent(await self.house.past(live, viewer, language_asked(request), int(step)))

    async def share(self, request: Request) -> Response:
        """A link to a moment for anybody: it names the moment as spectators count."""
        asked = await json_body(request)
        live, viewer = await self._at(request)
        async with live.lock:
            table = live.table

            def found() -> int:
                own = asked.get("step", table.steps(viewer))
                return table.step_of(table.spectator, table.real_step(viewer, own))

            step = await self.house.at(live, found)
        return answer({"link": f"{link_to(table.row.id, None)}&step={step}", "step": step})

    async def fork(self, request: Request) -> Response:
        asked = await json_body(request)
        live, viewer = await self._at(request)
        return answer(await self.house.fork(live, viewer, asked.get("step"), asked.get("keep_bots") is True), 201)

    async def record(self, request: Request) -> Response:
        live, viewer = await self._at(request)
        async with live.lock:
            self.house.require_own(live, viewer)
            table = live.table
            record = await self.house.at(live, ask, questions.record, table.state)
        return download(record, f"{table.game.name}-{table.row.id}.json")

    async def save(self, request: Request) -> Response:
        """A save for the terminal (`rulewright play --resume`); it holds everything, so only for all the persons."""
        live, viewer = await self._at(request)
        async with live.lock:
            self.house.require_own(live, viewer)
            table = live.table
            kinds = [one.bot if one.kind == "bot" else "first" if one.kind == "automa" else "person"
                     for one in table.seats]  # fmt: skip
            save = await self.house.at(live, ask, questions.save, table.state, kinds)
        return download(save, f"{table.game.name}-{table.row.id}.save.json")


def sent(message: bytes, status: int = 200) -> Response:
    return Response(message, status, media_type="application/json", headers={"cache-control": "no-store"})


def answer(data: Any, status: int = 200) -> Response:
    return sent(as_json(data), status)


def download(data: Any, name: str) -> Response:
    answered = answer(data)
    plain = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)
    answered.headers["content-disposition"] = f'attachment; filename="{plain}"'
    return answered


def make_app(house: House, guard: Guard, watch: Watch | None = None, page: Path | None = None) -> Any:
    """The whole application, for uvicorn or a test."""
    lobby = Lobby(house, watch.folders if watch else ())
    api = Api(house, guard, lobby, watch)

    def guarded(handle: Handler, changes: bool) -> Handler:
        async def handled(request: Request) -> Response:
            try:
                guard.require_known_host(request)
                guard.require_budget(request)
                if changes:
                    guard.require_own_page(request)
                return await handle(request)
            except Refused as refused:
                return answer(refused.as_data(language_asked(request)), refused.status)
            except Fault:  # something that is worked out for those who look; the game itself is where it was
                return answer(Refused(422, "fault").as_data(language_asked(request)), 422)
            except Exception:
                _log.exception("while answering %s", request.scope.get("path"))
                return answer(Refused(500, "broken").as_data(language_asked(request)), 500)

        return handled

    def get(path: str, handle: Handler) -> Route:
        return Route(path, guarded(handle, False), methods=["GET"])

    def post(path: str, handle: Handler) -> Route:
        return Route(path, guarded(handle, True), methods=["POST"])

    async def live(socket: WebSocket) -> None:
        await live_socket(socket, house, guard)

    files = PageFiles(page)
    table = "/api/tables/{table}"
    routes: list[Any] = [
        get("/api/games", api.games),
        get("/api/games/{name}/rules", api.rules),
        get("/api/games/{name}/picture.svg", api.picture),
        get("/api/watch", api.findings),
        post("/api/tables", api.make),
        post("/api/tables/mine", api.mine),
        get(table, api.look),
        get(f"{table}/history", api.history),
        get(f"{table}/record", api.record),
        get(f"{table}/save", api.save),
        *(post(f"{table}/{name}", getattr(api, name)) for name in _TABLE_CALLS),
        WebSocketRoute(f"{table}/live", live),
        get("/", files.index),
        get("/page/{path:path}", files.file),
        get("/favicon.ico", files.icon),
    ]

    async def nothing(request: Request, problem: Exception) -> Response:
        status = getattr(problem, "status_code", 404)
        code = "wrong_method" if status == 405 else "no_such_page"
        return answer(Refused(status, code).as_data(language_asked(request)), status)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> Any:
        if watch is not None:
            watch.start(house)
        yield
        if watch is not None:
            await watch.stop()
        await house.close()

    app = Starlette(routes=routes, exception_handlers={404: nothing, 405: nothing}, lifespan=lifespan)
    app.router.redirect_slashes = False  # such a redirect would be answered to whatever name the server is called by
    return Headed(app)


_TABLE_CALLS = ("join", "choose", "undo", "why", "hint", "share", "fork")
