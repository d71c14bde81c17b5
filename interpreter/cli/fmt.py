"""`rulewright fmt PATH…`: rules files in their one canonical layout."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..files.reading import read_bytes
from ..play.contract import PlayError
from .messages import counted, print_findings, print_json, write_file

if TYPE_CHECKING:
    from ..diagnostics.diagnostic import Diagnostic

FMT_FORMAT = "rulewright-fmt/1"

EPILOG = """\b
Examples:
  rulewright fmt .                        all rules in this folder and below it
  rulewright fmt --check .                only say which would change
  rulewright fmt --check . --format json
"""


@click.command(epilog=EPILOG)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path))
@click.option("--check", is_flag=True, help="Change nothing; exit 1 if a file would change.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(paths: tuple[Path, ...], check: bool, layout: str) -> int:
    """Bring rules files into their one canonical layout.

    A PATH is a rules file, or a folder, which stands for all rules files in it. A file with syntax errors is left as it
    is, and its findings are shown.
    """
    from ..diagnostics.diagnostic import Diagnostics
    from ..diagnostics.render import as_data

    found = Diagnostics()
    files = list(dict.fromkeys(file for path in paths for file in _rules_files(path)))
    changed = [file for file in files if _format_file(file, check, found)]
    if layout == "json":
        told = {
            "format": FMT_FORMAT,
            "files": len(files),
            "is_check": check,
            "changed": [str(file) for file in changed],
        }
        print_json({**told, "diagnostics": [as_data(finding) for finding in found]})
    else:
        _print_text(files, changed, check, found.found)
    return 1 if len(found) or (check and changed) else 0


def _print_text(files: list[Path], changed: list[Path], check: bool, findings: list[Diagnostic]) -> None:
    for file in changed:
        click.echo(f"{'would change' if check else 'changed'}  {file}")
    if findings:
        print_findings(findings)
    if not changed and not findings:
        click.echo(f"{counted(len(files), 'file')}, all in their layout")


def _rules_files(path: Path) -> Iterator[Path]:
    if path.is_dir():
        within = sorted(path.rglob("*.rules"))
        if not within:
            raise PlayError(f"there is no rules file in the folder `{path}`")
        yield from within
    elif path.exists():
        yield path
    else:
        raise PlayError(f"there is no file `{path}`")


def _format_file(file: Path, check: bool, found: object) -> bool:
    """True if the file was changed, or would be."""
    from ..diagnostics.diagnostic import Diagnostics
    from ..diagnostics.source import Source
    from ..syntax.format import format_rules
    from ..syntax.parse import parse_rules

    assert isinstance(found, Diagnostics)
    source = Source(str(file), _text_of(file))
    tree = parse_rules(source, found)
    if tree is None:
        return False
    formatted = format_rules(tree, source)
    if formatted == source.text:
        return False
    if not check:
        write_file(file, formatted)
    return True


def _text_of(file: Path) -> str:
    try:
        return read_bytes(file).decode("utf-8")
    except UnicodeDecodeError:
        raise PlayError(f"`{file}` is no text in UTF-8") from None
    except OSError as problem:
        raise PlayError(f"`{file}` cannot be read: {problem.strerror or problem}") from None
