"""The canonical layout: a table of lines, and what holds of every text."""

from __future__ import annotations

from pathlib import Path

import pytest
from reading import SAMPLES, parse, parse_source, read

from interpreter.diagnostics import Source
from interpreter.syntax import format_rules

IN_RULE = {
    "let x=a+b*c": "let x = a + b * c",
    "let x = -a - -b": "let x = -a - -b",
    "let x = ( a,b , c )": "let x = (a, b, c)",
    "let x = f ( a ) [ 1 ]": "let x = f(a)[1]",
    "let x = not(a or b)": "let x = not (a or b)",
    "let x = a  in(1 .. 3)": "let x = a in (1..3)",
    "let x = count (S)": "let x = count (S)",
    "let x = at(k)": "let x = at(k)",
    "result -1": "result -1",
    "result a -1": "result a - 1",
    "p.vp+=1": "p.vp += 1",
    "p.heat [ red ] -= 1": "p.heat[red] -= 1",
    'say "a  {b}  c"   to   q': 'say "a  {b}  c" to q',
    "perform(top of deck).gift   for p": "perform (top of deck).gift for p",
    "along( p,n )": "along(p, n)",
    "let x = count(k :Kiwi|Leader  in S)": "let x = count(k: Kiwi | Leader in S)",
    "let x = a +\n      b": "let x = a +\n      b",
    "let x = a if b\n      # why\n      or c\n      else  d": "let x = a if b\n      # why\n      or c\n      else d",
    "stop   #  why": "stop  #  why",
    "stop @K-1   @K-2 # why": "stop" + " " * 73 + "@K-1 @K-2  # why",
}

IN_TABLE = {
    "fame:-3 .. -1=-2": "fame: -3..-1 = -2",
    "owner : player ?": "owner: player?",
    "fame: 0 .. 2*size+1 capped": "fame: 0..2 * size + 1 capped",
    "spots: slots( 4 ) of K|L open": "spots: slots(4) of K | L open",
    "gift: effect given(x: K)": "gift: effect given (x: K)",
}


def formatted(text: str) -> str:
    source = Source("test.rules", text)
    return format_rules(parse_source(source), source)


@pytest.mark.parametrize(("text", "result"), IN_RULE.items(), ids=IN_RULE)
def test_statement(text: str, result: str) -> None:
    assert formatted(f"effect try_out(p)\n  {text}\n") == f"effect try_out(p)\n  {result}\n"


@pytest.mark.parametrize(("text", "result"), IN_TABLE.items(), ids=IN_TABLE)
def test_field(text: str, result: str) -> None:
    assert formatted(f"table\n  {text}\n") == f"table\n  {result}\n"


def test_blank_lines_and_the_end() -> None:
    assert formatted("\n\nuse a\n\n\n\n\nuse b  \n\n\n") == "use a\n\n\nuse b\n"
    assert formatted("use a") == "use a\n"
    assert formatted("") == ""
    assert formatted("use a\r\nuse b\r\n") == "use a\nuse b\n"


def test_comments_stay_and_find_their_level() -> None:
    text = "# top\neffect a(p)\n # first\n      # deep\n  stop\n  # last\n# next\nuse b\n# end\n"
    assert formatted(text) == "# top\neffect a(p)\n# first\n  # deep\n  stop\n  # last\n# next\nuse b\n# end\n"


def test_labels_of_a_score_block_are_lined_up() -> None:
    text = 'score p\n  "A" 1\n  "Long" -2\n'
    assert formatted(text) == 'score p\n  "A"     1\n  "Long"  -2\n'


def test_a_carried_on_line_stays_below_what_it_was_below() -> None:
    text = "effect a(p)\n  choose   c in K,\n           d in K\n  stop\n"
    assert formatted(text) == "effect a(p)\n  choose c in K,\n         d in K\n  stop\n"


def test_long_lines_have_their_tags_right_behind() -> None:
    line = f"effect {'a' * 80}(p)"
    assert formatted(f"{line} @K-1\n  stop\n") == f"{line}   @K-1\n  stop\n"


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.stem)
def test_samples_keep_their_tree_and_their_layout(path: Path) -> None:
    source = read(path)
    once = formatted(source.text)
    assert parse(once) == parse_source(source)
    assert formatted(once) == once
    changed = sum(a != b for a, b in zip(source.text.split("\n"), once.split("\n"), strict=True))
    assert changed <= len(source.text.split("\n")) // 20
