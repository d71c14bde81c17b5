"""`rulewright show NAME [WHAT]`: prints a ruleset at any stage between its rules and the running game."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..files.writing import IsKind
from ..play.contract import PlayError
from ..study.text_table import aligned
from .messages import is_drawing, is_report, write_file
from .show_map import show_map, state_in

if TYPE_CHECKING:
    from ..runtime.game import Game

EPILOG = """\b
What can be shown:
  rules       the rules as the variants make them, each line with a mark where it comes from (this is shown by itself)
  rule NAME   one rule with everything woven into it, in the order in which it runs
  map [MAP]   a map as lists of nodes and edges; with -o as a drawing (SVG, or PNG), with --save as a game stands
  flow        phases, decisions, actions and hooks as an outline; with -o as a diagram (SVG)
  guards      decisions whose options must be tried out before they are offered, and why
  state       the fixed layout: every field and place, where it lies, how large it is
  program     the checked program: names resolved, who acts written out, hooks below what they hook
  ir [RULE]   the typed instructions between the checked program and the Python, of one rule or of all
  python      the Python source that is emitted

\b
Examples:
  rulewright show harbour
  rulewright show harbour+solo rule unload
  rulewright show harbour+solo flow -o flow.svg
  rulewright show harbour map -o map.svg --save harbour-7.save.json
  rulewright show harbour state
  rulewright show harbour ir unload
  rulewright show harbour python --players 2
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.argument("what", default="rules")
@click.argument("rule", required=False)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it as few as may.")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), metavar="FILE", help="Write it there (flow: SVG; map: SVG, PNG)."
)
@click.option(
    "--save", type=click.Path(path_type=Path), metavar="FILE", help="map: with what lies there in a saved game."
)
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(
    name: str, what: str, rule: str | None, players: int | None, output: Path | None, save: Path | None, layout: str
) -> None:
    """Print what becomes of NAME with its variants: WHAT is rules, rule, map, flow, guards, state, observation,
    program, ir, python."""
    if what not in SHOWN:
        raise _unknown(what)
    if rule is not None and what not in ("rule", "map", "ir"):
        raise PlayError(f"`show NAME {what}` takes nothing more", f"`{rule}` is too much")
    if save is not None and (what != "map" or output is None):
        raise PlayError("--save is for the drawing of a map", "`show NAME map -o FILE.svg --save FILE`")
    from .. import load

    if save is not None:
        game, state = state_in(save, name, players)
    else:
        game, state = load(name, players=players), None
    if output is not None and what == "map":
        click.echo(show_map(game, rule, output, state))
        return
    if output is not None and what == "flow":
        text = _flow_svg(game)
    else:
        text = SHOWN[what](game, rule).rstrip("\n") + "\n"
    if layout == "json":
        text = (
            json.dumps({"format": "rulewright-show/1", "game": game.name, "what": what, "text": text}, indent=2) + "\n"
        )
    if output is None:
        click.echo(text, nl=False)
        return
    write_file(output, text, is_drawing if what == "flow" else _is_shown(output))


def _is_shown(path: Path) -> IsKind:
    """What has been shown before, as far as that can be told: a file of a ruleset, or a game, is no such thing."""
    if path.suffix == ".json":
        return is_report
    return lambda beginning: path.suffix not in (".rules", ".yaml") and not beginning.startswith((b"{", b"<", b"\x89"))


def _unknown(what: str) -> PlayError:
    from ..diagnostics.suggest import nearest

    likely = nearest(what, SHOWN)
    advice = f"did you mean `{likely}`? " if likely else ""
    return PlayError(f"`{what}` cannot be shown", f"{advice}there are {', '.join(SHOWN)}")


def _program(game: Game, rule: str | None) -> str:
    from ..check.show import show_program

    return show_program(game.program)


def _rules(game: Game, rule: str | None) -> str:
    from .show_woven import woven_text

    return woven_text(game.asked, game.program)


def _rule(game: Game, name: str | None) -> str:
    from ..diagnostics.suggest import did_you_mean
    from .show_woven import woven_rule

    rules = game.program.rules
    if name is None:
        return "\n".join(["Which rule? There are:", *(f"  {known}" for known in rules)])
    if name not in rules:
        advice = did_you_mean(name, rules) or f"`rulewright show {game.name} rule` lists them"
        raise PlayError(f"`{game.name}` has no rule `{name}`", advice)
    return woven_rule(game.asked, game.program, name)


def _flow(game: Game, rule: str | None) -> str:
    from .show_flow import flow_of, flow_text

    return flow_text(flow_of(game.program))


def _flow_svg(game: Game) -> str:
    from .show_flow import flow_of, flow_svg

    return flow_svg(flow_of(game.program))


def _guards(game: Game, rule: str | None) -> str:
    """Where options are tried on a copy of the game, what makes that necessary, and the cure."""
    from .show_guards import guards_text

    return guards_text(game)


def _ir(game: Game, name: str | None) -> str:
    from ..compile.passes import PASSES, lower_program
    from ..compile.show import show_ir
    from ..diagnostics.suggest import did_you_mean

    unit = lower_program(game.program)
    for change in PASSES:  # what a backend gets, with all ways of running together
        change(unit)
    known = dict.fromkeys(routine.rule for routine in unit.routines.values())
    if name is not None and name not in known:
        advice = did_you_mean(name, known) or f"there are {', '.join(known)}"
        raise PlayError(f"`{game.name}` has no instructions for a rule `{name}`", advice)
    return show_ir(unit, name)


def _python(game: Game, rule: str | None) -> str:
    return game.compiled.source


def _state(game: Game, rule: str | None) -> str:
    """Offsets in the array of fields, numbers of places, and how much there is of each."""
    from ..runtime.names import owner_name

    meta = game.meta
    fields = [["field", "of", "from", "size", "values", "bits", "seen by"]]
    for field in meta.fields:
        values = f"{field.low}..{field.high}" if field.thing == "number" else field.thing.removeprefix("enum:")
        size = _size(field.dimensions)
        bits = f"{field.bits}{' signed' if field.signed else ''}"
        fields.append([field.name, owner_name(meta, field), str(field.base), str(size), values, bits, field.visibility])
    places = [["place", "of", "from", "size", "shape", "pieces", "most", "seen by"]]
    for place in meta.places:
        kinds = " | ".join(place.kinds)
        row = [place.name, owner_name(meta, place), str(place.base), str(place.size), place.shape, kinds]
        places.append([*row, str(place.holds), place.visibility.replace("_", " ")])
    heads = f"{meta.title} for {meta.players}: {len(meta.start)} numbers, {meta.lists} lists, {meta.pieces} pieces"
    blocks = [[heads], aligned(places, right=(2, 3, 6)), aligned(fields, right=(2, 3))]
    return "\n\n".join("\n".join(block) for block in blocks)


def _observation(game: Game, rule: str | None) -> str:
    """What a learner sees: the numbers of one observation, in their order (`batch.observations()`)."""
    from ..runtime.names import owner_name, piece_label

    meta = game.meta
    slots = [place for place in meta.places if place.base >= meta.lists]
    rows = [["from", "size", "is", "of", "values", "seen by"]]
    for place in sorted(slots, key=lambda place: place.base):
        row = [str(place.base - meta.lists), str(place.size), f"{place.name}: the piece in it", owner_name(meta, place)]
        rows.append([*row, "piece, -1 for none", place.visibility.replace("_", " ")])
    for field in sorted(meta.fields, key=lambda field: field.base):
        values = f"{field.low}..{field.high}" if field.thing == "number" else field.thing.removeprefix("enum:")
        row = [str(field.base), str(_size(field.dimensions)), field.name, owner_name(meta, field)]
        rows.append([*row, values, field.visibility])
    first = len(meta.start)
    if meta.pieces:
        names = " … ".join(piece_label(meta, piece) for piece in (0, meta.pieces - 1))
        where = [str(first), str(meta.pieces), "where each piece lies", names]
        rows.append([*where, "number of a place, -1 for the box", "who sees the place"])
    first += meta.pieces
    for place in sorted((one for one in meta.places if one.base < meta.lists), key=lambda one: one.base):
        row = [str(first + place.base), str(place.size), f"{place.name}: how many", owner_name(meta, place)]
        rows.append([*row, f"0..{place.holds}", "nobody" if place.uncounted else "all"])
    size = first + meta.lists
    head = f"{meta.title} for {meta.players}: {size} numbers; -3 stands for what the player does not see"
    return "\n".join([head, "", *aligned(rows, right=(0, 1))])


def _size(dimensions: tuple[tuple[str, int, int], ...]) -> int:
    total = 1
    for _, _, size in dimensions:
        total *= size
    return total


SHOWN: dict[str, Callable[[Game, str | None], str]] = {
    "rules": _rules,
    "map": lambda game, name: show_map(game, name, None),
    "flow": _flow,
    "guards": _guards,
    "program": _program,
    "rule": _rule,
    "state": _state,
    "observation": _observation,
    "ir": _ir,
    "python": _python,
}
