"""For authors: folders of rules that are checked whenever a file in them changes (`--watch`)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from .house import House


class Watch:
    def __init__(self, folders: tuple[Path, ...]) -> None:
        self.folders = folders

    def start(self, house: House) -> None: ...
    async def stop(self) -> None: ...

    def all_findings(self) -> list[dict[str, Any]]:
        return []

    def is_watched(self, game: Any) -> bool:
        return False
