"""Regenerates the texts that are derived from the program: the list of codes, and tables of the README and docs/ir.md.

`docs/codes.md` comes from the registry of codes. In the README the table of commands comes from the command line, the
table of games from their manifests, and the figures from `bench.json` if tools/bench.py has written one; each table
stands between two marker comments. In `docs/ir.md` the tables of classes come from `interpreter/compile/ir`, and the
example from a game. `tools/regen` runs this. With `--check` nothing is written, and a text that is out
of date is an error. Figures are not checked: a new measurement does not make the old one wrong.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Literal, get_args, get_origin

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from interpreter.cli.commands import COMMANDS  # noqa: E402
from interpreter.compile import ir  # noqa: E402
from interpreter.compile.load import checked_program  # noqa: E402
from interpreter.compile.passes import lower_program  # noqa: E402
from interpreter.compile.show import show_ir  # noqa: E402
from interpreter.diagnostics.codes import CODES  # noqa: E402
from interpreter.diagnostics.diagnostic import Diagnostics  # noqa: E402
from interpreter.diagnostics.entry import FAMILIES, Code  # noqa: E402
from interpreter.files.writing import write_whole  # noqa: E402
from interpreter.ruleset.listing import summarize  # noqa: E402

COMMAND = "tools/regen"


def codes_page() -> str:
    """All codes by family, each with its explanation and its two examples."""
    head = [
        f"<!-- Written by `{COMMAND}` from interpreter/diagnostics; do not edit. -->",
        "# Diagnostic codes",
        "",
        "Every finding of the checker, and every fault of a game, has a code. `rulewright explain R0301` prints an",
        "entry of this list. In the examples `…` stands for lines that are left out.",
        "",
    ]
    contents = [f"- [{family}: {title}](#{family.lower()})" for family, title in FAMILIES.items() if _of(family)]
    parts = ["\n".join([*head, *contents])]
    for family, title in FAMILIES.items():
        if _of(family):
            parts.append(f'<a id="{family.lower()}"></a>\n\n## {family}: {title}')
            parts += [_entry(code, entry) for code, entry in _of(family).items()]
    return "\n\n".join(parts) + "\n"


def _of(family: str) -> dict[str, Code]:
    return {code: entry for code, entry in sorted(CODES.items()) if code.startswith(family)}


def _entry(code: str, entry: Code) -> str:
    parts = [f"### {code}: {entry.title}", entry.explanation]
    for word, example in (("Wrong", entry.wrong), ("Right", entry.right)):
        if example:
            parts.append(f"{word}:\n\n```text\n{example.strip(chr(10))}\n```")
    return "\n\n".join(parts)


# ---------------------------------------------------------------------------- tables of the README


def readme() -> str:
    """The README with its tables as they would be now; figures stay as they are."""
    return filled(filled(_read("README.md"), "commands", commands_table()), "games", games_table())


def filled(text: str, mark: str, content: str) -> str:
    """The text with what stands between the two marks replaced."""
    begin, end = f"<!-- {mark}: written by {COMMAND} -->", f"<!-- end of {mark} -->"
    between = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
    return between.sub(lambda _: f"{begin}\n{content}\n{end}", text)


def commands_table() -> str:
    rows = [f"| `rulewright {name}` | {about.rstrip('.')} |" for name, (_, about) in COMMANDS.items()]
    return "\n".join(["| command | does |", "| --- | --- |", *rows])


def games_table() -> str:
    """Every ruleset of the project with the mechanism it shows and its variants."""
    rows = ["| game | shows | players | variants |", "| --- | --- | --- | --- |"]
    for folder in sorted((ROOT / "rulesets").iterdir()):
        summary = summarize(folder, Diagnostics()) if (folder / "ruleset.yaml").is_file() else None
        if summary is not None:
            players = str(summary.fewest) if summary.fewest == summary.most else f"{summary.fewest}–{summary.most}"
            variants = "; ".join(f"`+{variant.name}` {variant.title}" for variant in summary.variants)
            rows.append(f"| {summary.title} (`{summary.name}`) | {summary.mechanism} | {players} | {variants} |")
    return "\n".join(rows)


ELSEWHERE = ("native", "search")  # groups of figures that docs/native.md and docs/bots.md have


def figures_table(figures: list[dict[str, object]]) -> str:
    rows = ["| figure | measured | limit | |", "| --- | --- | --- | --- |"]
    for figure in figures:
        if figure["group"] in ELSEWHERE:
            continue
        value = figure["value"]
        measured = f"{value:,.2f} {figure['unit']}" if isinstance(value, float | int) else str(figure["problem"])
        sign = "at least" if figure["at_least"] else "at most"
        limit = f"{sign} {figure['limit']:,} {figure['unit']}" if figure["limit"] is not None else ""
        rows.append(f"| {figure['group']}: {figure['name']} | {measured} | {limit} | {figure['detail']} |")
    return "\n".join(rows)


def write_figures() -> bool:
    """Put the last measurement into the README; says whether that changed anything."""
    measured = ROOT / "bench.json"
    if not measured.is_file():
        return False
    before = _read("README.md")
    after = filled(before, "figures", figures_table(json.loads(measured.read_text(encoding="utf-8"))["figures"]))
    write_whole(ROOT / "README.md", after)
    return after != before


# ---------------------------------------------------------------------------- the page on the IR

COMMON = ("type", "span", "cites")
GATHERED = (ir.Routine, ir.Segment, ir.Site, ir.SiteBranch)


def ir_page() -> str:
    """The page with its tables and its example as they would be now."""
    classes = [item for _, item in sorted(vars(ir).items()) if isinstance(item, type)]
    page = _read("docs/ir.md")
    for mark, base in (("operations", ir.Op), ("instructions", ir.Ins), ("parts", ir.Part)):
        page = filled(page, mark, classes_table([one for one in classes if issubclass(one, base) and one is not base]))
    page = filled(page, "gathered", classes_table(list(GATHERED)))
    shown = show_ir(lower_program(checked_program("tic_tac_toe", 2)), "mark")
    return filled(page, "example", f"```text\n{shown}```")


def classes_table(classes: list[type]) -> str:
    """A row for each class: its name, its own fields with their types, its docstring."""
    rows = ["| class | fields | is |", "| --- | --- | --- |"]
    for one in classes:
        own = [f"`{item.name}: {_words(item.type)}`" for item in fields(one) if item.name not in COMMON]
        about = " ".join((one.__doc__ or "").split())
        rows.append(f"| `{one.__name__}` | {', '.join(own)} | {about} |".replace(" | None", "?"))
    return "\n".join(rows)


def _words(annotation: object) -> str:
    """A type as it is written; one that stands for a few words is told by them."""
    said = str(annotation)
    for name, alias in vars(ir).items():
        if get_origin(alias) is Literal:
            said = re.sub(rf"\b{name}\b", " or ".join(word or "nothing" for word in get_args(alias)), said)
    return re.sub(r"Literal\[(.*?)\]", lambda found: found[1].replace('"', "").replace(", ", " or "), said)


# ---------------------------------------------------------------------------- files

WRITTEN: dict[str, Callable[[], str]] = {
    "docs/codes.md": codes_page,
    "docs/ir.md": ir_page,
    "README.md": readme,
}


def out_of_date() -> list[str]:
    """The files that are not what would be written now."""
    return [name for name, make in WRITTEN.items() if not (ROOT / name).is_file() or _read(name) != make()]


def _read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def main(arguments: list[str]) -> int:
    stale = out_of_date()
    if "--check" in arguments:
        for name in stale:
            print(f"{name} is out of date: run {COMMAND}")
        return 1 if stale else 0
    for name in stale:
        write_whole(ROOT / name, WRITTEN[name]())
        print(f"wrote {name}")
    if write_figures():
        print("wrote the figures of README.md")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
