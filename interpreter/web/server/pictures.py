"""The picture of a game for the lobby, as SVG text."""

from __future__ import annotations

from .library import Library
from .words import Refused


def picture_of(library: Library, name: str) -> str:
    library.folder(name)
    raise Refused(404, "no_such_page")
