"""A page can run a game by itself: the module of `rulewright build --target wasm` in a browser, from one file."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

import interpreter as rw
from interpreter.cli.commands import exit_code_of

PAGE = """<!doctype html>
<title>Random games</title>
<script type="module">
const bytes = Uint8Array.from(atob("{module}"), (one) => one.charCodeAt(0));
const {{ instance }} = await WebAssembly.instantiate(bytes, {{}});
const game = instance.exports;
const returns = game.rwx_allocate(8 * 3);
new Float64Array(game.memory.buffer, returns, 3).fill(0);
const played = Number(game.rwx_playouts(game.rwx_context(), 0n, 1000n, returns, returns + 16));
const made = new DataView(game.memory.buffer).getBigInt64(returns + 16, true);
document.title = `${{played}} games, ${{made}} decisions`;
</script>
"""


def test_a_page_of_one_file_plays_the_same_games(
    browser: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    if exit_code_of(["build", "nim", "--to", str(tmp_path), "--target", "wasm"]) != 0:
        pytest.skip(capsys.readouterr().err)
    module = base64.b64encode((tmp_path / "nim.wasm").read_bytes()).decode()
    file = tmp_path / "page.html"
    file.write_text(PAGE.format(module=module), encoding="utf-8")
    page = browser.new_page()
    page.goto(file.as_uri())
    page.wait_for_function("document.title.endsWith('decisions')")
    game = rw.load("nim", backend="python")
    made = sum(len(game.playout(seed).h) // 2 for seed in range(1000))
    assert page.title() == f"1000 games, {made} decisions"
    page.close()
