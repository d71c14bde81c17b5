"""Optional packages: installed when a command needs them, or asked for by name.

From a clone, `tools/rulewright` sets `RULEWRIGHT_INSTALLER`, and a missing extra is installed on the spot. Otherwise
the environment belongs to the user, and the message names the command that installs it.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from ..play.contract import PlayError

INSTALLER = "RULEWRIGHT_INSTALLER"
MANY_GAMES = 200  # fewer are played in Python before a compiler of a hundred megabytes is here


def required_module(name: str, extra: str, purpose: str) -> Any:
    """A module of an extra, which is installed if that is possible. `purpose` begins the sentence if it is not:
    `a PNG needs` …"""
    if importlib.util.find_spec(name) is None and not installed(extra):
        raise PlayError(f"{purpose} the extra `{extra}`", f"install it with `{install_command(extra)}`")
    return importlib.import_module(name)


def installed(extra: str, again: bool = False) -> bool:
    """Install an extra; True if that was possible and successful. `again`: also if it failed a short while ago."""
    installer = installer_path()
    if installer is None:
        return False
    repeated = ["--again"] if again else []
    done = subprocess.run([sys.executable, installer, "extra", extra, *repeated], stdin=subprocess.DEVNULL)
    importlib.invalidate_caches()
    return done.returncode == 0


def installer_path() -> Path | None:
    """The installer of the clone that this command was started from, if it was started by `tools/rulewright`."""
    path = Path(os.environ.get(INSTALLER) or "-")
    return path if path.is_file() else None


def install_command(extra: str) -> str:
    """What a person types to install an extra."""
    if installer_path() is not None:
        return f"tools/rulewright doctor --install {extra}"
    return f"pip install rulewright[{extra}]"


def native_if_wanted(games: int) -> None:
    """Called before so many games are played: if they are many, native code is wanted and no C compiler is found, try
    to install one. If that fails, Python goes on."""
    from ..native.backend import asked_backend
    from ..native.toolchain import find_toolchain
    from ..native.unavailable import NativeUnavailable

    if games < MANY_GAMES or installer_path() is None or asked_backend() not in ("native", "auto"):
        return
    try:
        found = find_toolchain()
    except NativeUnavailable:
        return  # no folder to build in: a compiler would not help
    if found.compiler is None and not found.switched_off and installed("native"):
        find_toolchain(fresh=True)
