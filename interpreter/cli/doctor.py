"""`rulewright doctor`: what is installed, which backend runs games and why, and what would be faster."""

from __future__ import annotations

import importlib.metadata
import platform
import shutil
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..play.contract import PlayError
from .extras import install_command, installed
from .messages import painted, print_json

if TYPE_CHECKING:
    from ..native.backend import Choice
    from ..native.toolchain import Toolchain

PACKAGES = {
    "numpy": ("native", "many games at once, as arrays"),
    "ziglang": ("native", "a C compiler from a wheel"),
    "wasmtime": ("wasm", "compiled rules in a sandbox"),
    "resvg-py": ("draw", "maps as PNG"),
}
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
EXTRAS = ("native", "wasm", "draw")

EPILOG = """\b
Examples:
  rulewright doctor
  rulewright doctor --json
  rulewright doctor --install native     a C compiler and numpy, where there is none
  rulewright doctor harbour              and whether games of bots that think are played in C
"""


@click.command(epilog=EPILOG)
@click.argument("name", required=False)
@click.option("--json", "as_json", is_flag=True, help="The same as data.")
@click.option("--install", "extra", type=click.Choice(EXTRAS), help="Install an extra first (from a clone).")
def command(name: str | None, as_json: bool, extra: str | None) -> int:
    """Say what was found on this machine, which backend runs games and why, and what would be faster; of the game NAME,
    if there is one, whether games of bots that think are played in C.

    Compilers are tried anew, each by compiling a small library. Exit 1 if a backend was asked for by name and cannot be
    had.
    """
    if extra is not None and not installed(extra, again=True):
        raise PlayError(f"the extra `{extra}` was not installed", f"install it with `pip install rulewright[{extra}]`")
    found = findings()
    if name is not None:
        found["game"] = {"name": name, **_thinking(name)}
    if as_json:
        print_json(found)
    else:
        _print(found)
    return 0 if found["backend"]["granted"] else 1


# ---------------------------------------------------------------- what is found


def findings() -> dict[str, Any]:
    """Everything as data: what `--json` prints."""
    from ..native.backend import choose_backend
    from ..native.toolchain import Toolchain, find_toolchain
    from ..native.unavailable import NativeUnavailable

    try:
        tools, problem = find_toolchain(fresh=True), ""
    except NativeUnavailable as unusable:
        tools, problem = Toolchain(None), str(unusable)
    choice = choose_backend()
    return {
        "format": "rulewright-doctor/1",
        "rulewright": {"version": _version("rulewright"), "place": str(Path(__file__).resolve().parent.parent)},
        "python": {"version": platform.python_version(), "place": sys.executable, "system": platform.platform()},
        "compilers": _compilers(tools, problem),
        "packages": {name: {"version": _version(name), "extra": extra} for name, (extra, _) in PACKAGES.items()},
        "browser": next((path for name in BROWSERS if (path := shutil.which(name))), None),
        "caches": _caches(),
        "backend": {"used": choice.backend, "asked": choice.asked, "granted": choice.granted, "reason": choice.reason},
        "advice": _advice(choice, tools, problem),
    }


def _thinking(name: str) -> dict[str, Any]:
    """Whether studies play games of thinking bots in C, and why not."""
    from .. import load
    from ..native.matches import why_in_python

    game = load(name)
    why = why_in_python(game, ["mcts:50"] * game.players)
    return {"thinks_in_c": not why, "reason": why}


def _compilers(tools: Toolchain, problem: str) -> list[dict[str, Any]]:
    """In the order in which they were tried. The first that works is used, and none after it is looked at."""
    rows: list[dict[str, Any]] = [
        {"command": found.command, "origin": found.origin, "works": False, "reason": found.reason}
        for found in tools.refused
    ]
    if tools.compiler is not None:
        used = tools.compiler
        facts = {"version": used.version, "target": used.target}
        rows.append({"command": " ".join(used.command), "origin": used.origin, "works": True, **facts})
    elif not rows:
        rows.append({"command": None, "origin": None, "works": False, "reason": problem or tools.reason})
    return rows


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def _caches() -> list[dict[str, Any]]:
    """The folders in the cache with their sizes."""
    from ..files.cache import cache_folder
    from ..native.store import size_of

    root = cache_folder()
    if root is None:
        return []
    try:
        folders = sorted(place for place in root.iterdir() if place.is_dir())
    except OSError:
        folders = []
    sizes = [{"name": folder.name, "place": str(folder), "bytes": size_of(folder)} for folder in folders]
    return sizes or [{"name": "cache", "place": str(root), "bytes": 0}]


def _advice(choice: Choice, tools: Toolchain, problem: str) -> list[dict[str, str]]:
    """What would be faster, or is missing for what was asked, each with the one command (or setting) that gets it."""
    advice = []
    if choice.asked == "wasm" and choice.backend != "wasm":
        advice.append({"gain": choice.reason, "command": install_command("wasm")})
    elif choice.asked == "python":
        advice.append(
            {"gain": "native code plays many times faster than Python", "command": "unset RULEWRIGHT_BACKEND"}
        )
    elif choice.backend == "python":
        advice.append(_advice_for_native(tools, problem))
    if _version("numpy") is None:
        advice.append({"gain": "numpy lets many games be stepped at once", "command": install_command("native")})
    return advice


def _advice_for_native(tools: Toolchain, problem: str) -> dict[str, str]:
    gain = "native code plays many times faster than Python"
    if problem:
        return {"gain": f"{gain}, but needs a folder to build in", "command": "export RULEWRIGHT_CACHE=FOLDER"}
    if tools.switched_off:
        return {"gain": gain, "command": "unset RULEWRIGHT_CC"}
    return {"gain": f"{gain}, and needs a C compiler", "command": install_command("native")}


# ---------------------------------------------------------------- printing


def _print(found: dict[str, Any]) -> None:
    from ..study.text_table import aligned

    rows = [["Rulewright", found["rulewright"]["version"] or "", found["rulewright"]["place"]]]
    rows.append(["Python", found["python"]["version"], found["python"]["place"]])
    rows += [_compiler_row(row) for row in found["compilers"]]
    for name, facts in found["packages"].items():
        rows.append([name, facts["version"] or "no", f"{PACKAGES[name][1]} (extra `{facts['extra']}`)"])
    rows.append(["browser", "yes" if found["browser"] else "no", found["browser"] or "for pictures of the page"])
    for cache in found["caches"]:
        rows.append([f"cache {cache['name']}", _size(cache["bytes"]), cache["place"]])
    if not found["caches"]:
        rows.append(["cache", "off", "RULEWRIGHT_CACHE is empty"])
    for line in aligned(rows):
        click.echo(line)
    click.echo()
    backend = found["backend"]
    colour = "green" if backend["granted"] else "yellow"
    asked = "" if backend["asked"] == "auto" else f" (asked for: {backend['asked']})"
    click.echo(f"Games run on {painted(backend['used'], fg=colour)}{asked}: {backend['reason']}")
    if "game" in found:
        where = f"in Python, since {found['game']['reason']}" if found["game"]["reason"] else "in C, where it is used"
        click.echo(f"Whole games of bots that think (`greedy`, `mcts:N`) of {found['game']['name']} are played {where}")
    for advice in found["advice"]:
        click.echo(f"{advice['gain'][:1].upper()}{advice['gain'][1:]}: {advice['command']}")


def _compiler_row(row: dict[str, Any]) -> list[str]:
    if row["command"] is None:
        return ["C compiler", "no", row["reason"]]
    told = f"{row['version']}, {row['target']}" if row["works"] else row["reason"]
    return ["C compiler", "yes" if row["works"] else "broken", f"{row['command']}: {told}"]


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB"
