"""Tests that share something dear (a game, a toy, a browser) run in one worker, one after the other.

xdist has this as `--dist loadgroup`, but passes the groups on as a part of the ids of tests, which newer versions of
pytest do not let it change: then every test is a group of its own, and nothing says so. Here the first worker writes
the groups of the tests into a file, and the scheduler of the run reads them there.
"""

from __future__ import annotations

import json
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from xdist.scheduler import LoadScopeScheduling


def group_of(item: pytest.Item) -> str | None:
    """The group of a test by its marks; None if it can run anywhere."""
    return "_".join(sorted({str(mark.args[0]) for mark in item.iter_markers("xdist_group")})) or None


def write_groups(items: list[pytest.Item], file: Path) -> None:
    groups = {item.nodeid: group for item in items if (group := group_of(item)) is not None}
    file.write_text(json.dumps(groups), encoding="utf-8")


class ByGroup(LoadScopeScheduling):
    """Hands out whole groups, the largest first. All workers have collected before anything is handed out, so the file
    is there."""

    def __init__(self, config: pytest.Config, log: Any, file: Path) -> None:
        super().__init__(config, log)
        self.file = file

    @cached_property
    def groups(self) -> dict[str, str]:
        found: dict[str, str] = json.loads(self.file.read_text(encoding="utf-8"))
        return found

    def _split_scope(self, nodeid: str) -> str:
        return self.groups.get(nodeid, nodeid)
