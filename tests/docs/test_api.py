"""docs/api.md as one session, and nothing public left out of it."""

from __future__ import annotations

import doctest

import interpreter as rw
from tests.docs.fences import DOCS, fences

PAGE = DOCS / "api.md"


def test_the_session_goes_as_written() -> None:
    session = "\n".join(fence.text for fence in fences(PAGE) if fence.language == "pycon")
    test = doctest.DocTestParser().get_doctest(session, {}, "api.md", str(PAGE), 0)
    said: list[str] = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    runner.run(test, out=said.append)
    assert runner.tries and not runner.failures, "".join(said)


def test_every_public_name_is_shown() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in rw.__all__ if f"rw.{name}" not in text] == []
