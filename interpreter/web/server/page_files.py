"""The files of the page: only those that are there when the server starts can be asked for.

A path is looked up among them as it stands, so nothing outside the folder can be reached, however it is written.
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from .words import Refused

PAGE = Path(__file__).resolve().parent.parent / "page"
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".webmanifest": "application/manifest+json",
}
_NO_PAGE = (
    b"<!doctype html><title>Rulewright</title><p>The table's page is not installed; the interface is at /api/games."
)


class PageFiles:
    def __init__(self, folder: Path | None = None) -> None:
        home = (folder or PAGE).resolve()
        found = sorted(home.rglob("*")) if home.is_dir() else []
        self._files = {
            path.relative_to(home).as_posix(): path
            for path in found
            if path.is_file() and path.suffix in _TYPES and path.resolve().is_relative_to(home)
        }

    async def index(self, request: Request) -> Response:
        if "index.html" not in self._files:
            return Response(_NO_PAGE, media_type=_TYPES[".html"])
        return self._answer(request, "index.html")

    async def file(self, request: Request) -> Response:
        return self._answer(request, request.path_params["path"])

    async def icon(self, request: Request) -> Response:
        return self._answer(request, "favicon.svg")

    def _answer(self, request: Request, name: str) -> Response:
        path = self._files.get(name)
        if path is None:
            raise Refused(404, "no_such_page")
        try:
            content, stamp = path.read_bytes(), path.stat()
        except OSError:
            raise Refused(404, "no_such_page") from None
        tag = f'"{stamp.st_mtime_ns:x}-{stamp.st_size:x}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=_TYPES[path.suffix], headers=headers)
