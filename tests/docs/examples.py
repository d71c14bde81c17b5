"""The examples of the language reference, each made into a ruleset of its own.

A block of the document says behind its fence what it is:

    rules table            the table on which the short examples stand: a whole game with one scenario, `then` last
    rules part             declarations, added to that table
    rules steps            statements, run in every turn of that table
    rules true             conditions, one a line, that hold in that table's scenario
    rules error CODE part  declarations with that finding; `error CODE steps` are statements
    rules game             a whole game
    rules variant          a variant of the game above it
    rules scenario         a scenario of the game above it
    … file=NAME            a file of the ruleset of the next block
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from tests.docs.fences import Fence, fences

RUN_HERE = "# The statements of the short examples run here."


@dataclass(frozen=True)
class Example:
    """A ruleset to be written down, and the block that it is about."""

    fence: Fence
    form: str
    rules: str
    files: dict[str, str] = field(default_factory=dict)
    first_line: int = 1  # of the block inside the rules
    variant: str = ""
    code: str = ""  # of the finding that is wanted

    @property
    def name(self) -> str:
        return re.search(r"^(?:game|core) (\w+)", self.rules, re.MULTILINE)[1]  # type: ignore[index]

    @property
    def last_line(self) -> int:
        return self.first_line + self.fence.text.count("\n") - 1

    def write(self, folder: Path) -> Path:
        """The ruleset on disk; gives its folder."""
        home = folder / self.name
        home.mkdir()
        (home / "ruleset.yaml").write_text(f"format: 1\nname: {self.name}\n", encoding="utf-8")
        for name, text in {f"{self.name}.rules": self.rules, **self.files}.items():
            (home / name).parent.mkdir(parents=True, exist_ok=True)
            (home / name).write_text(text, encoding="utf-8")
        return home


def examples(path: Path) -> list[Example]:
    """Every example of the document in its order."""
    found: list[Example] = []
    table: Example | None = None
    game: Example | None = None
    files: dict[str, str] = {}
    for fence in fences(path):
        name = fence.word("file")
        if name is not None:
            files[name] = fence.text
            continue
        if fence.language != "rules":
            continue
        example = _example(fence, table, game, files)
        if example.form == "table":
            table = example
        elif example.form in ("game", "variant"):
            game = example
        found.append(example)
        files = {}
    return found


def _example(fence: Fence, table: Example | None, game: Example | None, files: dict[str, str]) -> Example:
    form, *more = fence.words
    code = ""
    if form == "error":
        code, form = more
    match form:
        case "table" | "game":
            return Example(fence, form, fence.text, files, code=code)
        case "part" | "steps" | "true":
            assert table is not None, f"{fence.id}: no table above"
            made = {"part": _with_part, "steps": _with_steps, "true": _with_conditions}[form]
            rules, line = made(table.rules, fence.text)
            return Example(fence, form, rules, {**table.files, **files}, line, code=code)
        case "variant" | "scenario":
            assert game is not None, f"{fence.id}: no game above"
            rules = game.rules + "\n" + fence.text
            line = game.rules.count("\n") + 2
            named = re.search(r"^variant (\w+)", fence.text, re.MULTILINE)
            return Example(fence, form, rules, {**game.files, **files}, line, named[1] if named else "", code)
        case other:
            raise AssertionError(f"{fence.id}: no example is called `{other}`")


def _with_part(table: str, part: str) -> tuple[str, int]:
    return table + "\n" + part, table.count("\n") + 2


def _with_steps(table: str, steps: str) -> tuple[str, int]:
    """The scenario is left out: the statements would change what it expects."""
    assert RUN_HERE in table, "the table does not say where examples run"
    head = table[: table.rindex("scenario ")].replace(RUN_HERE, "example(p)") + "phase example(p)\n"
    return head + _indented(steps.splitlines(), "  "), head.count("\n") + 1


def _with_conditions(table: str, conditions: str) -> tuple[str, int]:
    head = table[: table.rindex("  then\n")] + "  then\n"
    return head + _indented(conditions.splitlines(), "    "), head.count("\n") + 1


def _indented(lines: Iterable[str], by: str) -> str:
    return "".join(f"{by}{line}\n" if line.strip() else "\n" for line in lines)
