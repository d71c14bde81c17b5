"""What the README shows works as it stands there: its Python, its commands, its folders, its links."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.docs import shell
from tests.docs.fences import DOCS, ROOT, fences

README = ROOT / "README.md"
TEXT = README.read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return [fence.text for fence in fences(README) if fence.language == language]


@pytest.mark.parametrize("code", blocks("python"))
def test_python_runs(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})
    assert capsys.readouterr().out


def test_first_command_simulates_a_game() -> None:
    program, *arguments = blocks("sh")[0].split()
    assert program == "tools/rulewright"
    few = ["20" if word == "1000" else word for word in arguments]
    code, printed = shell.run(few)
    assert code == 0, printed


def test_every_command_of_the_table_exists() -> None:
    commands = re.findall(r"^\| `rulewright (\w+)", TEXT, re.MULTILINE)
    assert commands
    for command in commands:
        code, printed = shell.run([command, "--help"])
        assert code == 0, printed


@pytest.mark.parametrize("command", re.findall(r"`rulewright (show [^`]+)`", TEXT))
def test_commands_in_the_text_run(command: str) -> None:
    code, printed = shell.run(command.split())
    assert code == 0 and printed, printed


def test_every_folder_of_the_layout_exists() -> None:
    for folder in re.findall(r"^\| `(\w+)/`", TEXT, re.MULTILINE):
        assert (ROOT / folder).is_dir(), folder


def test_the_walk_names_every_folder_of_the_program() -> None:
    walk = TEXT.split("The walk of one rule")[1].split("To follow one rule")[0]
    named = set(re.findall(r"^\| `(\w+)` \|", walk, re.MULTILINE))
    assert named == {path.name for path in (ROOT / "interpreter").iterdir() if (path / "__init__.py").is_file()}


@pytest.mark.parametrize("page", [README, *sorted(DOCS.glob("*.md"))], ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#]+)", text):
        assert (page.parent / target).exists(), f"{page.name} points at {target}"
    for anchor in re.findall(r"\]\(#([^)]+)\)", text):
        assert anchor in anchors(text), f"{page.name} points at #{anchor}"


def anchors(text: str) -> set[str]:
    """The anchors of headings as GitHub makes them, and those written out."""
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


def test_the_ruleset_shown_is_the_ruleset() -> None:
    shown = blocks("rules")[0].splitlines()
    rules = (ROOT / "rulesets" / "tic_tac_toe" / "tic_tac_toe.rules").read_text(encoding="utf-8").splitlines()
    code = [line for line in rules if not line.startswith("#")]
    assert [line for line in shown if line] == [line.split("  @")[0].rstrip() for line in code if line.strip()]
