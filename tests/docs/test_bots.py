"""docs/bots.md: its session goes as written, and its program plays."""

from __future__ import annotations

import doctest
import sys
from pathlib import Path

import interpreter as rw
from interpreter.play.match import bot_match
from tests.docs.fences import DOCS, fences

PAGE = DOCS / "bots.md"


def test_the_session_goes_as_written() -> None:
    session = "\n".join(fence.text for fence in fences(PAGE) if fence.language == "pycon")
    test = doctest.DocTestParser().get_doctest(session, {}, "bots.md", str(PAGE), 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=said.append)
    assert runner.tries and not runner.failures, "".join(said)


def test_the_program_plays(tmp_path: Path) -> None:
    (program,) = [fence.text for fence in fences(PAGE) if fence.language == "python"]
    (tmp_path / "last.py").write_text(program)
    match = bot_match(rw.load("kuhn_poker"), [f"process:{sys.executable} {tmp_path / 'last.py'}", "first"], 1)
    match.run()
    assert match.state.history[0] == int(rw.load("kuhn_poker").new(seed=1).decision.options[-1])


def test_every_bot_is_on_the_page() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [kind.form for kind in rw.bots.values() if kind.form not in text] == []
