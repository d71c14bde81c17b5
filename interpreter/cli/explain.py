"""`rulewright explain CODE`: what a diagnostic means."""

from __future__ import annotations

import click

from ..play.contract import PlayError

EPILOG = """\b
Examples:
  rulewright explain R0301
  rulewright explain R03        all codes of a family
  rulewright explain            all codes there are
"""


@click.command(epilog=EPILOG)
@click.argument("code", required=False)
def command(code: str | None) -> None:
    """What the diagnostic CODE means, with a wrong and a right example.

    The first letters of a code list a family; without CODE all are listed.
    """
    from ..diagnostics.codes import CODES, explain

    asked = (code or "").upper()
    page = explain(asked)
    if page is not None:
        click.echo(page)
        return
    listed = [known for known in CODES if known.startswith(asked)]
    if not listed:
        raise PlayError(f"there is no code `{code}`", _advice(asked))
    for known in listed:
        click.echo(f"{known}  {CODES[known].title}")


def _advice(asked: str) -> str:
    from ..diagnostics.codes import CODES
    from ..diagnostics.suggest import nearest

    likely = nearest(asked, CODES)
    return f"did you mean `{likely}`?" if likely else "`rulewright explain` lists them all"
