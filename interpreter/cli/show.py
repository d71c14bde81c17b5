"""`rulewright show NAME [WHAT]`: what becomes of a ruleset on its way to a running game."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from ..play.contract import PlayError
from ..study.text_table import aligned

if TYPE_CHECKING:
    from ..runtime.game import Game

EPILOG = """\b
What can be shown:
  program     the checked program: names resolved, who acts written out, hooks below what they hook
  rule NAME   one rule of it with the hooks on it, in the order in which they run
  state       the fixed layout: every field and place, where it lies, how large it is
  python      the Python source that is emitted

\b
Examples:
  rulewright show pikit
  rulewright show pikit+mecha_in_addition rule take_cards
  rulewright show tic_tac_toe state
  rulewright show nim python --players 2
"""


@click.command(epilog=EPILOG)
@click.argument("name")
@click.argument("what", default="program")
@click.argument("rule", required=False)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="How many play; without it as few as may.")
def command(name: str, what: str, rule: str | None, players: int | None) -> None:
    """Print what becomes of NAME with its variants: WHAT is program, rule, state or python."""
    if what not in _SHOWN:
        raise _unknown(what)
    if rule is not None and what != "rule":
        raise PlayError(f"`show NAME {what}` takes nothing more", f"`{rule}` is too much")
    from .. import load

    click.echo(_SHOWN[what](load(name, players=players), rule).rstrip("\n"))


def _unknown(what: str) -> PlayError:
    from ..diagnostics.suggest import nearest

    likely = nearest(what, _SHOWN)
    advice = f"did you mean `{likely}`? " if likely else ""
    return PlayError(f"`{what}` cannot be shown", f"{advice}there are {', '.join(_SHOWN)}")


def _program(game: Game, rule: str | None) -> str:
    from ..check.show import show_program

    return show_program(game.program)


def _rule(game: Game, name: str | None) -> str:
    from ..check.show import shown_rules
    from ..diagnostics.suggest import did_you_mean

    rules = dict(shown_rules(game.program))
    if name is None:
        return "\n".join(["Which rule? There are:", *(f"  {known}" for known in rules)])
    if name not in rules:
        advice = did_you_mean(name, rules) or f"`rulewright show {game.name} rule` lists them"
        raise PlayError(f"`{game.name}` has no rule `{name}`", advice)
    return rules[name]


def _python(game: Game, rule: str | None) -> str:
    return game.compiled.source


def _state(game: Game, rule: str | None) -> str:
    """Offsets in the array of fields, numbers of places, and how much there is of each."""
    meta = game.meta
    fields = [["field", "of", "from", "size", "values", "seen by"]]
    for field in meta.fields:
        values = f"{field.low}..{field.high}" if field.thing == "number" else field.thing.removeprefix("enum:")
        size = _size(field.dimensions)
        fields.append([field.name, field.owner, str(field.base), str(size), values, field.visibility])
    places = [["place", "of", "from", "size", "shape", "pieces", "most", "seen by"]]
    for place in meta.places:
        kinds = " | ".join(place.kinds)
        row = [place.name, place.owner, str(place.base), str(place.size), place.shape, kinds]
        places.append([*row, str(place.capacity), place.visibility.replace("_", " ")])
    heads = f"{meta.title} for {meta.players}: {len(meta.start)} numbers, {meta.lists} lists, {meta.pieces} pieces"
    blocks = [[heads], aligned(places, right=(2, 3, 6)), aligned(fields, right=(2, 3))]
    return "\n\n".join("\n".join(block) for block in blocks)


def _size(dimensions: tuple[tuple[str, int, int], ...]) -> int:
    total = 1
    for _, _, size in dimensions:
        total *= size
    return total


_SHOWN: dict[str, Callable[[Game, str | None], str]] = {
    "program": _program,
    "rule": _rule,
    "state": _state,
    "python": _python,
}
