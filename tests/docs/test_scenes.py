"""The examples of scenes and of table.yaml in docs/web.md are run."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import interpreter as rw
from interpreter.check.presentation import check_presentation
from interpreter.diagnostics.diagnostic import Diagnostics

PAGE = (Path(__file__).parents[2] / "docs" / "web.md").read_text(encoding="utf-8")


def test_the_session_is_as_it_is_told() -> None:
    blocks = re.findall(r"```pycon\n(.*?)```", PAGE, re.DOTALL)
    assert blocks
    for number, block in enumerate(blocks):
        case = doctest.DocTestParser().get_doctest(block, {}, f"web.md {number}", None, 0)
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
        assert runner.run(case).failed == 0


def test_the_file_is_clean(tmp_path: Path) -> None:
    (block,) = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
    (tmp_path / "table.yaml").write_text(block, encoding="utf-8")
    found = Diagnostics()
    check_presentation(tmp_path, [rw.load("pikit").program], found)
    assert not found.found


def test_every_key_of_the_schema_is_told() -> None:
    import json

    from interpreter.ruleset.schema import schema_text

    for kind in ("presentation", "scene"):
        for key in json.loads(schema_text(kind))["properties"]:
            if key not in ("schema", "game", "title", "language", "player", "over", "drawings"):
                assert f"`{key}" in PAGE, key
