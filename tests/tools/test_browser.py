"""`tools/browser` finds a browser if there is one, and says so if there is none."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools" / "browser"


def told(path: Path) -> str:
    """What the script says where only the programs of one folder are found."""
    bash = shutil.which("bash")
    assert bash is not None
    environment = {"PATH": str(path), "HOME": os.environ.get("HOME", "/")}
    asked = subprocess.run([bash, str(SCRIPT)], env=environment, capture_output=True, text=True, check=True, timeout=60)
    return asked.stdout


def test_a_browser_is_found_where_it_is_and_only_there(tmp_path: Path) -> None:
    assert "Chromium: missing" in told(tmp_path)
    browser = tmp_path / "chromium"
    browser.write_text("#!/bin/sh\n")
    browser.chmod(0o755)
    assert f"Chromium: {browser}" in told(tmp_path)
