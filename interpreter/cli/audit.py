"""`rulewright audit NAME`: lists assumed data, and checks the values that an owner of the game filled in."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .messages import counted, painted, print_json, wants_colour, write_file
from .speaking import SpokenWords

if TYPE_CHECKING:
    from ..study.audit import Audit, Checked, Datum

EPILOG = """\b
Examples:
  rulewright audit harbour
  rulewright audit harbour --template box.yaml     a file to fill in from a real box
  rulewright audit harbour --check box.yaml        does what was filled in fit?
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option("--template", type=click.Path(path_type=Path), metavar="FILE", help="Write a file to fill in.")
@click.option(
    "--check", "filled", type=click.Path(path_type=Path), metavar="FILE", help="Check a file that was filled in."
)
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(name: str, template: Path | None, filled: Path | None, layout: str) -> int:
    """List every assumed value of NAME with its place, and the share of values that are known.

    With --check, exit 1 if a value that was filled in does not fit the rules.
    """
    from ..study.audit import audit_of, check_template, template_text

    audit = audit_of(name)
    if template is not None:
        write_file(template, template_text(audit), _is_template)
    if filled is not None:
        checked = check_template(audit, filled)
        if layout == "json":
            print_json(_checked_data(audit, checked))
        else:
            _print_checked(checked)
        return 1 if checked.findings else 0
    if layout == "json":
        print_json(_audit_data(audit))
    else:
        _print_audit(audit, template)
    return 0


def _is_template(beginning: bytes) -> bool:
    from ..study.audit import TEMPLATE_FORMAT

    return TEMPLATE_FORMAT.encode() in beginning


def _print_audit(audit: Audit, template: Path | None) -> None:
    from ..study.text_table import aligned

    if template is None:
        rows = [[f"{d.file}:{d.line}", d.row, d.column, d.value or "none"] for d in audit.assumed]
        for line in aligned(rows):
            click.echo(line)
        if rows:
            click.echo()
    for line in aligned(_shares(audit), right=(1, 2, 3)):
        click.echo(line)
    if template is not None:
        click.echo(f"\nWrote {counted(len(audit.assumed), 'line')} to fill in to {template}.")


def _shares(audit: Audit) -> list[list[str]]:
    rows = [["file", "values", "known", ""]]
    for file in dict.fromkeys(datum.file for datum in audit.data):
        rows.append([file, *_share([datum for datum in audit.data if datum.file == file])])
    return [*rows, ["all", *_share(list(audit.data))]]


def _share(data: list[Datum]) -> list[str]:
    known = sum(datum.known for datum in data)
    return [f"{len(data):,}", f"{known:,}", f"{100 * known / len(data):.1f} %" if data else "-"]


def _print_checked(checked: Checked) -> None:
    from ..diagnostics.render import render_all
    from ..study.text_table import aligned

    if checked.different:
        rows = [
            [f"{e.datum.file}:{e.datum.line}", e.datum.row, e.datum.column, e.datum.value or "none", "->", e.found]
            for e in checked.different
        ]
        for line in aligned(rows):
            click.echo(line)
        click.echo()
    if checked.findings:
        click.echo(render_all(checked.findings, colour=wants_colour(), words=SpokenWords()))
        click.echo()
    verdict = painted("does not fit", fg="red") if checked.findings else painted("fits", fg="green")
    different = counted(len(checked.different), "value differs", "values differ")
    click.echo(f"{verdict}: {len(checked.confirmed):,} confirmed, {different}, {checked.left_open:,} left open")


def _audit_data(audit: Audit) -> dict[str, Any]:
    return {
        "format": "rulewright-audit/1",
        "game": audit.name,
        "title": audit.title,
        "values": len(audit.data),
        "known": len(audit.data) - len(audit.assumed),
        "assumed": [_datum(datum) for datum in audit.assumed],
    }


def _checked_data(audit: Audit, checked: Checked) -> dict[str, Any]:
    from ..diagnostics.render import as_data

    return {
        "format": "rulewright-audit-check/1",
        "game": audit.name,
        "confirmed": len(checked.confirmed),
        "left_open": checked.left_open,
        "different": [{**_datum(entry.datum), "found": entry.found} for entry in checked.different],
        "diagnostics": [as_data(finding) for finding in checked.findings],
    }


def _datum(datum: Datum) -> dict[str, Any]:
    return {"file": datum.file, "line": datum.line, "row": datum.row, "column": datum.column, "value": datum.value}
