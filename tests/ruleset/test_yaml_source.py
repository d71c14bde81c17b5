"""YAML with places: what it reads, and what it refuses with which words."""

from __future__ import annotations

import pytest

from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.source import Source
from interpreter.ruleset.gathered import Scalar
from interpreter.ruleset.yaml_source import parse_yaml, read_yaml


def read(text: str) -> Scalar:
    found = Diagnostics()
    document = parse_yaml(Source("data.yaml", text), found)
    assert document is not None, [finding.headline for finding in found]
    return document


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("yes", "yes"),
        ("no", "no"),
        ("on", "on"),
        ("true", True),
        ("false", False),
        ("12", 12),
        ("-3", -3),
        ("0", 0),
        ("007", "007"),
        ("1.5", "1.5"),
        ("1_000", "1_000"),
        ("0x1F", "0x1F"),
        ('"7"', "7"),
        ("~", None),
        ("", None),
        ("none", "none"),
        ("2024-05-06", "2024-05-06"),
        ("[a, 1]", ["a", 1]),
        ("{b: c}", {"b": "c"}),
        ("build(3, 2, extra = 2)", "build(3, 2, extra = 2)"),
    ],
)
def test_plain_values(written: str, value: object) -> None:
    assert read(f"key: {written}\n").plain() == {"key": value}


def test_keys_are_words_as_written() -> None:
    assert read("2: a\nyes: b\n").plain() == {"2": "a", "yes": "b"}


def test_every_value_and_key_knows_its_place() -> None:
    document = read('rows:\n  - id: über\n    cost: 12   # dear\n  - {id: b, name: "Ein Ü"}\n')
    first, second = document.value["rows"].value
    assert first.value["cost"].span.text == "12"
    assert first.value["cost"].span.at == "data.yaml:3:11"
    assert first.keys["cost"].at == "data.yaml:3:5"
    assert second.value["name"].span.text == '"Ein Ü"'
    assert second.span.text == '{id: b, name: "Ein Ü"}'


def test_an_alias_stands_for_its_value() -> None:
    assert read("a: &x [1, 2]\nb: *x\n").plain() == {"a": [1, 2], "b": [1, 2]}


def bomb() -> str:
    lines = ["a: &a [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]"]
    for last, letter in zip("abcdefgh", "bcdefghi", strict=True):
        lines.append(f"{letter}: &{letter} [{', '.join([f'*{last}'] * 10)}]")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "code", "place", "words"),
    [
        ("a: 1\nb: 2\na: 3\n", "R0206", "3:1", "the key `a` stands twice"),
        ("a:\n\t- 1\n", "R0204", "2:1", "a tab in the indentation"),
        ("a:\n  - 1\n  \t- 2\n", "R0204", "3:3", "a tab in the indentation"),
        ("a: &x [1, *x]\n", "R0209", "1:11", "`x` contains itself"),
        ("a: *x\n", "R0205", "1:4", "no value is marked `&x`"),
        (bomb(), "R0209", "6:8", "more than 200,000 values"),
        ("[" * 5000, "R0209", "1:33", "nested more than 32 deep"),
        ("a: !!python/object/apply:os.system [ls]\n", "R0207", "1:4", "tags cannot be used"),
        ("a: &x {b: 1}\nc:\n  <<: *x\n", "R0207", "3:3", "merge keys cannot be used"),
        ("? [1, 2]\n: a\n", "R0208", "1:3", "a key must be a word"),
        ('a: "abc\nb: 1\n', "R0205", "1:4", "a quoted text is not closed"),
        ("a: [1, 2\nb: 3\n", "R0205", "1:4", "a list `[…]` is not closed"),
        ("a: {b: 1, c: x d: 2}\n", "R0205", "1:17", "a comma is missing before this"),
        ('a: [1, "x" 2]\n', "R0205", "1:12", "a comma is missing before this"),
        ("a: b: c\n", "R0205", "1:5", "a `: ` inside a plain value"),
        ("a: 1\n---\nb: 2\n", "R0205", "2:1", "a second document"),
        ("a: \x00\n", "R0205", "1:4", "a character that cannot stand in a text"),
        ("", "R0203", "1:1", "the file is empty"),
        ("# nothing\n", "R0203", "1:1", "the file is empty"),
    ],
)
def test_refused(text: str, code: str, place: str, words: str) -> None:
    found = Diagnostics()
    assert parse_yaml(Source("data.yaml", text), found) is None
    [finding] = found
    assert (finding.code, finding.primary.span.at) == (code, f"data.yaml:{place}")
    assert words in finding.headline


def test_files_that_cannot_be_read(tmp_path) -> None:
    (tmp_path / "latin.yaml").write_bytes("a: ü\n".encode("latin-1"))
    (tmp_path / "huge.yaml").write_bytes(b"# " + b"x" * (1 << 20))
    for name, code, words in (
        ("missing.yaml", "R0201", "cannot be read"),
        ("latin.yaml", "R0202", "not UTF-8"),
        ("huge.yaml", "R0202", "larger than 1 MiB"),
    ):
        found = Diagnostics()
        assert read_yaml(tmp_path / name, found) is None
        [finding] = found
        assert finding.code == code and words in finding.headline
