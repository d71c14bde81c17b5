"""The registry of codes: complete, in families, each entry with its examples."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from interpreter.diagnostics import codes
from interpreter.diagnostics.codes import CODES, explain
from interpreter.diagnostics.entry import FAMILIES

PACKAGE = Path(codes.__file__).resolve().parent.parent
_CODE = re.compile(r'"(R0\d{3})"')


def emitted() -> set[str]:
    """Every code that stands as a text anywhere in the package outside the registry."""
    modules = (path for path in PACKAGE.rglob("*.py") if not path.name.startswith("codes_"))
    return {code for path in modules for code in _CODE.findall(path.read_text(encoding="utf-8"))}


def test_every_emitted_code_is_in_the_registry() -> None:
    assert sorted(emitted() - set(CODES)) == []


def test_no_code_stands_in_two_families() -> None:
    listed = [code for module in codes._MODULES for code in module.CODES]
    assert len(listed) == len(set(listed))


@pytest.mark.parametrize("code", sorted(CODES))
def test_entry(code: str) -> None:
    entry = CODES[code]
    assert re.fullmatch(r"R0\d{3}", code) and code[:3] in FAMILIES
    assert entry.title and not entry.title.endswith(".")
    assert entry.explanation.endswith((".", "?"))
    assert entry.wrong or entry.right
    assert entry.wrong != entry.right


def test_explain() -> None:
    page = explain("r0105")
    assert page is not None
    assert page.startswith("R0105: `=` and `==` (text and layout)")
    assert "Wrong:\n\n    if c.value = 3\n      stop" in page
    assert explain("R9999") is None
