"""The registry: every code with its title, explanation and examples, gathered from one module per family.

To add a code, add one entry to the `CODES` of its family's module. Tests fail if a code is reported that has no entry
here, or if a code has two entries.
"""

from __future__ import annotations

from . import (
    codes_data,
    codes_hooks,
    codes_names,
    codes_play,
    codes_statements,
    codes_text,
    codes_types,
    codes_visibility,
)
from .entry import FAMILIES, Code

_MODULES = (
    codes_text, codes_data, codes_names, codes_types, codes_statements, codes_visibility, codes_hooks, codes_play,
)  # fmt: skip

CODES: dict[str, Code] = {code: entry for module in _MODULES for code, entry in sorted(module.CODES.items())}


def explain(code: str, title: str | None = None, wrong: str = "Wrong:", right: str = "Right:") -> str | None:
    """The description of a code as plain text, or None if there is no such code. Its heading and those of its examples
    may be given in another language."""
    entry = CODES.get(code.upper())
    if entry is None:
        return None
    family = FAMILIES.get(code.upper()[:3], "")
    parts = [f"{code.upper()}: {title or f'{entry.title} ({family})'}", entry.explanation]
    if entry.wrong:
        parts.append(f"{wrong}\n\n" + _indented(entry.wrong))
    if entry.right:
        parts.append(f"{right}\n\n" + _indented(entry.right))
    return "\n\n".join(parts)


def _indented(example: str) -> str:
    return "\n".join(f"    {line}" if line else "" for line in example.strip("\n").split("\n"))
