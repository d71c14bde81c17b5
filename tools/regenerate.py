"""Writes anew what is made from the program: `docs/codes.md` from the registry of codes.

`tools/regen` runs it; with `--check` nothing is written, and a file that is out of date is an error.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from interpreter.diagnostics.codes import CODES  # noqa: E402
from interpreter.diagnostics.entry import FAMILIES, Code  # noqa: E402

COMMAND = "tools/regen"


def codes_page() -> str:
    """All codes by family, each with its explanation and its two examples."""
    head = [
        f"<!-- Written by `{COMMAND}` from interpreter/diagnostics; do not edit. -->",
        "# Diagnostic codes",
        "",
        "Every finding of the checker, and every fault of a game, has a code. `rulewright explain R0301` prints an entry",
        "of this list. What is `…` in an example is left out.",
        "",
    ]
    contents = [f"- [{family}: {title}](#{family.lower()})" for family, title in FAMILIES.items() if _of(family)]
    parts = ["\n".join([*head, *contents])]
    for family, title in FAMILIES.items():
        if _of(family):
            parts.append(f'<a id="{family.lower()}"></a>\n\n## {family}: {title}')
            parts += [_entry(code, entry) for code, entry in _of(family).items()]
    return "\n\n".join(parts) + "\n"


def _of(family: str) -> dict[str, Code]:
    return {code: entry for code, entry in sorted(CODES.items()) if code.startswith(family)}


def _entry(code: str, entry: Code) -> str:
    parts = [f"### {code}: {entry.title}", entry.explanation]
    for word, example in (("Wrong", entry.wrong), ("Right", entry.right)):
        if example:
            parts.append(f"{word}:\n\n```text\n{example.strip(chr(10))}\n```")
    return "\n\n".join(parts)


WRITTEN: dict[str, Callable[[], str]] = {"docs/codes.md": codes_page}


def out_of_date() -> list[str]:
    """The files that are not what would be written now."""
    return [name for name, make in WRITTEN.items() if not (ROOT / name).is_file() or _read(name) != make()]


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def main(arguments: list[str]) -> int:
    stale = out_of_date()
    if "--check" in arguments:
        for name in stale:
            print(f"{name} is out of date: run {COMMAND}")
        return 1 if stale else 0
    for name in stale:
        (ROOT / name).write_text(WRITTEN[name](), encoding="utf-8")
        print(f"wrote {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
