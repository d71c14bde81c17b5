"""Every name in every rules file of every ruleset knows its declaration."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from interpreter.diagnostics import Source
from interpreter.diagnostics.source import Span
from interpreter.editor import Checked, check_ruleset
from interpreter.editor.declarations import all_in
from interpreter.ruleset.parsed import parsed
from interpreter.syntax import nodes
from interpreter.syntax.parse import lark_parser

RULESETS = Path(__file__).resolve().parent.parent.parent / "rulesets"
LARGEST = "kiwi_chow_down"
NAMES = sorted(folder.name for folder in RULESETS.iterdir() if (folder / "ruleset.yaml").is_file())


def identifiers(source: Source) -> Iterator[Span]:
    """Every token that is a name and no keyword, and every name in a hole of a text."""
    text = source.text.rstrip() + "\n"
    for token in lark_parser().parse_interactive(text, start="file").iter_parse():
        if token.type in ("NAME", "TYPE", "FILE"):
            yield Span(source, token.start_pos or 0, token.end_pos or 0)
        elif token.type == "CLAUSE":
            yield Span(source, token.start_pos or 0, token.end_pos or 0)
    tree, _ = parsed(source, is_saved=True)
    for hole in all_in(tree, nodes.Hole):
        yield from (name.span for form in (nodes.NameRef, nodes.TypeRef) for name in all_in(hole, form))
        yield from (attribute.name.span for attribute in all_in(hole, nodes.Attribute))
    yield from (cite.span for cite in all_in(tree, nodes.Cite))


def unknown_names(name: str, checked: Checked) -> list[str]:
    known = {(span.source.name, span.start, span.end) for span in checked.index.uses}
    for symbol in checked.index.symbols.values():
        known |= {(span.source.name, span.start, span.end) for span in symbol.spans}
    missing = []
    for path in sorted((RULESETS / name).rglob("*.rules")):
        file = path.relative_to(Path.cwd()).as_posix()
        for span in identifiers(Source(file, path.read_text(encoding="utf-8"))):
            if (file, span.start, span.end) not in known:
                missing.append(f"{span.at} {span.text}")
    return missing


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_declared_somewhere_or_a_word_of_the_language(
    name: str, monkeypatch: pytest.MonkeyPatch, is_long: bool
) -> None:
    if name == LARGEST and not is_long:
        pytest.skip("takes as long as all the others together: --long")
    monkeypatch.chdir(RULESETS.parent)
    checked = check_ruleset(RULESETS / name, quick=True)
    assert checked.findings == ()
    assert unknown_names(name, checked) == []
    for span, keys in checked.index.uses.items():
        for symbol in (checked.index.symbols[key] for key in keys):
            assert symbol.spans or symbol.sort in ("word", "seat"), f"{span.at} {symbol}"
