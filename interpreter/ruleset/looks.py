"""Which file says how a game looks: `table.yaml` in the folder of a ruleset.

A file of this name may also be a table of the rules, as any other; such a file has `rows`.
"""

from __future__ import annotations

import re
from pathlib import Path

FILE = "table.yaml"
_ROWS = re.compile(r"^rows\s*:", re.MULTILINE)


def is_presentation(path: Path, text: str) -> bool:
    """True for a file that only says how a game looks."""
    return path.name == FILE and _ROWS.search(text) is None
