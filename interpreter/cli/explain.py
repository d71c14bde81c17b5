"""`rulewright explain CODE`: what a diagnostic means."""

from __future__ import annotations

from dataclasses import asdict

import click

from ..play.contract import PlayError
from .messages import print_json
from .speaking import spoken, title_of, title_spoken

EPILOG = """\b
Examples:
  rulewright explain R0301
  rulewright explain R03        all codes of a family
  rulewright explain            all codes there are
  rulewright explain R0301 --format json
"""


@click.command(epilog=EPILOG)
@click.argument("code", required=False)
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(code: str | None, layout: str) -> None:
    """What the diagnostic CODE means, with a wrong and a right example.

    The first characters of a code (R02) list its family; without CODE all codes are listed.
    """
    from ..diagnostics.codes import CODES, explain

    asked = (code or "").upper()
    listed = [known for known in CODES if known.startswith(asked)]
    if not listed:
        raise PlayError(f"there is no code `{code}`", _advice(asked))
    if layout == "json":
        print_json([_as_data(known) for known in listed])
    elif asked in CODES:
        click.echo(explain(asked, title_spoken(asked), spoken("Wrong:"), spoken("Right:")))
    else:
        for known in listed:
            click.echo(f"{known}  {title_of(known) or CODES[known].title}")


def _as_data(code: str) -> dict[str, str]:
    from ..diagnostics.codes import CODES
    from ..diagnostics.entry import FAMILIES

    return {"code": code, "family": FAMILIES[code[:3]], **asdict(CODES[code])}


def _advice(asked: str) -> str:
    from ..diagnostics.codes import CODES
    from ..diagnostics.suggest import nearest

    likely = nearest(asked, CODES)
    return f"did you mean `{likely}`?" if likely else "`rulewright explain` lists them all"
