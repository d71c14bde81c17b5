"""The client of docs/web.md is run as it stands, and every call the page names is there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("starlette", reason="the extra `web` is not installed: the client of docs/web.md is not run")

from interpreter.cli.serve import command
from tests.web.server.calling import served

PAGE = (Path(__file__).parents[2] / "docs" / "web.md").read_text(encoding="utf-8")


def test_the_client_plays_a_game(tmp_path: Path) -> None:
    client = re.search(r"```python client\n(.*?)```", PAGE, re.DOTALL)
    assert client is not None
    (tmp_path / "client.py").write_text(client[1], encoding="utf-8")
    with served(tmp_path / "data") as calls:
        run = [sys.executable, str(tmp_path / "client.py"), calls.host]
        done = subprocess.run(run, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert "last counter" in done.stdout and sorted(re.findall(r"[12]", done.stdout)) == ["1", "2"]


def test_every_call_is_there(tmp_path: Path) -> None:
    named = {(method, path) for method, path in re.findall(r"^\| `(GET|POST|WS) (/[^`? ]*)", PAGE, re.MULTILINE)}
    from interpreter.web.server import app

    text = Path(app.__file__).read_text(encoding="utf-8")
    calls = {path.rpartition("/")[2] for _, path in named if path.startswith("/tables/ID/")}
    assert set(app._TABLE_CALLS) <= calls and {"history", "record", "live"} <= calls
    assert all(f"/api{path}".replace("NAME", "{name}") in text for _, path in named if "ID" not in path)


def test_every_option_is_named() -> None:
    options = {option for parameter in command.params for option in parameter.opts if option.startswith("--")}
    assert {option for option in options if f"`{option}" not in PAGE} == set()
