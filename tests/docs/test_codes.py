"""docs/codes.md is what `tools/regen` would write."""

from __future__ import annotations

import re
import subprocess
import sys

from tests.docs.fences import DOCS, ROOT


def test_the_list_of_codes_is_up_to_date() -> None:
    done = subprocess.run(
        [sys.executable, ROOT / "tools" / "regenerate.py", "--check"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_codes_of_the_reference_exist() -> None:
    """Every code that the pages name is in the list."""
    listed = set(re.findall(r"^### (R\d{4})", (DOCS / "codes.md").read_text(encoding="utf-8"), re.MULTILINE))
    for page in sorted(DOCS.glob("*.md")):
        named = set(re.findall(r"\bR\d{4}\b", page.read_text(encoding="utf-8")))
        assert named <= listed, f"{page.name} names {sorted(named - listed)}"
