"""`rulewright coverage NAME`: clauses, rules, scenarios and play side by side."""

from __future__ import annotations

from pathlib import Path

import click

from .messages import is_page, print_json, require_folder, write_file

EPILOG = """\b
Examples:
  rulewright coverage harbour
  rulewright coverage harbour --games 200 --html harbour.html
  rulewright coverage harbour+solo --format json
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.option(
    "--games", type=click.IntRange(min=1), default=50, show_default=True, metavar="N",
    help="How many games, shared out over player counts and variants.",
)  # fmt: skip
@click.option("--seed", type=int, default=0, show_default=True, metavar="N", help="The seed of the first game.")
@click.option(
    "--html", type=click.Path(path_type=Path), metavar="F", help="Write a page with the rules and their marks."
)
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(name: str, games: int, seed: int, html: Path | None, layout: str) -> int:
    """Show, clause by clause, where NAME implements it, which scenarios test it, and how often play executes it.

    Exit 1 if a clause lacks something; clauses that need no rule are listed with their reason.
    """
    from ..study.coverage import coverage_of
    from ..study.coverage_page import coverage_page
    from ..study.coverage_report import coverage_data, coverage_text, share_covered

    require_folder(html, "page", is_page)
    coverage = coverage_of(name, games, seed)
    if html is not None:
        write_file(html, coverage_page(coverage), is_page)
    if layout == "json":
        print_json(coverage_data(coverage))
    else:
        click.echo(coverage_text(coverage))
    covered, clauses = share_covered(coverage)
    return 0 if covered == clauses else 1
