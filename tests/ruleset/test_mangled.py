"""Whatever is done to the text of data files, the answer is findings and never a traceback."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.ruleset.conftest import TOY_CARDS

MANIFEST = """\
format: 1
name: toy
title: Toy
players: {fewest: 2, most: 4}
files: [toy.rules]
variants: [{name: big, title: Big}]
languages: [en]
limits: {frames: 64}
"""

RULEBOOK = """\
clauses:
  - {id: T-001, summary: There is a deck., needs_rule: no, reason: none}
examples:
  - {id: TX-01, summary: A whole turn.}
"""

SCRAPS = [
    "",
    " ",
    "\t",
    "\n",
    ":",
    ": ",
    "- ",
    "[",
    "]",
    "{",
    "}",
    '"',
    "'",
    "&a ",
    "*a",
    "!!int ",
    "<<",
    "~",
    "-1",
    "x",
    "é",
    "\x00",
    "#",
    "? ",
]


@st.composite
def mangled(draw: st.DrawFn, text: str) -> str:
    """A text with a few cuts, scraps put in, and pieces taken out."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 6)))
        text = text[:start] + draw(st.sampled_from(SCRAPS)) + text[end:]
    return text


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(manifest=mangled(MANIFEST), cards=mangled(TOY_CARDS), rulebook=mangled(RULEBOOK), which=st.integers(0, 2))
def test_mangled_data_gives_findings(workshop, manifest: str, cards: str, rulebook: str, which: int) -> None:
    workshop.toy(
        manifest=manifest if which == 0 else MANIFEST,
        cards=cards if which == 1 else TOY_CARDS,
        more_rules='variant big of toy "Big"\n  set size = 5\n',
    )
    workshop.write("toy/rulebook.yaml", rulebook if which == 2 else RULEBOOK)
    gathered, findings = workshop.gather("toy+big")
    assert gathered is not None or findings
    for finding in findings:
        assert finding.headline and finding.primary.span.at
