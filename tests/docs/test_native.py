"""docs/native.md: its session goes as written."""

from __future__ import annotations

import doctest

import pytest

from interpreter.native.game import NativeGame, load
from tests.docs.fences import DOCS, fences

PAGE = DOCS / "native.md"


def test_the_session_goes_as_written() -> None:
    pytest.importorskip("numpy", reason="batches need numpy (extra `native`)")
    game = load("tic_tac_toe", backend="native")
    if isinstance(game, NativeGame) and game.engine is None:
        pytest.skip(game.reason)
    session = "\n".join(fence.text for fence in fences(PAGE) if fence.language == "pycon")
    test = doctest.DocTestParser().get_doctest(session, {}, "native.md", str(PAGE), 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=said.append)
    assert runner.tries and not runner.failures, "".join(said)
