"""Rules files of real games with a token taken out or put in: never a traceback, and nothing is found elsewhere."""

from __future__ import annotations

import re
from pathlib import Path

from hypothesis import example, given, settings
from hypothesis import strategies as st

from interpreter.diagnostics import render
from interpreter.diagnostics.diagnostic import Diagnostic
from interpreter.editor import check_ruleset

RULESETS = Path(__file__).resolve().parent.parent.parent / "rulesets"
FILES = [
    path
    for name in ("kalah", "kuhn_poker", "nim", "pikit", "tic_tac_toe")
    for path in sorted((RULESETS / name).rglob("*.rules"))
    if path.parent.name != "scenarios"
]
NIM = RULESETS / "nim" / "nim.rules"
TOKEN = re.compile(r'"(?:[^"\\\n]|\\.)*"|[A-Za-z_]\w*|\d+|\n[ ]*|[^\s\w]')


@st.composite
def damaged(draw: st.DrawFn) -> tuple[Path, str, tuple[int, int]]:
    """A rules file with one token deleted, doubled or put in, and where the damaged declaration begins and ends."""
    path = draw(st.sampled_from(FILES))
    text = path.read_text(encoding="utf-8")
    tokens = list(TOKEN.finditer(text))
    token = draw(st.sampled_from(tokens))
    put_in = draw(st.sampled_from(["", token[0], *(other[0] for other in tokens[:40])]))
    end = token.end() if not put_in else token.start()
    made = f"{text[: token.start()]}{put_in}{' ' if put_in else ''}{text[end:]}"
    heads = [match.start() for match in re.finditer(r"(?m)^[A-Za-z]", text)]
    start = max((head for head in heads if head <= token.start()), default=0)
    after = min((head for head in heads if head > token.start()), default=len(text))
    return path, made, (start, after + len(made) - len(text))


@example((NIM, NIM.read_text(encoding="utf-8").replace("piles[1..4]:", "piles[1..4]Nim :"), (337, 368)))
@settings(max_examples=15, deadline=None, derandomize=True)
@given(damaged())
def test_a_broken_declaration_leaves_the_others_standing(case: tuple[Path, str, tuple[int, int]]) -> None:
    path, text, (start, end) = case
    folder = next(parent for parent in path.parents if (parent / "ruleset.yaml").is_file())
    checked = check_ruleset(folder, {path: text}, quick=True)
    for finding in checked.findings:
        assert render(finding)
    if any(finding.code.startswith("R01") for finding in checked.findings):
        outside = [finding for finding in checked.findings if not _is_inside(finding, path, start, end)]
        assert [f"{finding.primary.span.at} {finding.headline}" for finding in outside] == []


def _is_inside(finding: Diagnostic, path: Path, start: int, end: int) -> bool:
    span = finding.primary.span
    return Path(span.source.name).resolve() == path.resolve() and start - 1 <= span.start <= end
