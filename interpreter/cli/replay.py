"""`rulewright replay FILE`: replays a record and verifies it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..play.contract import PlayError
from .messages import counted, painted, print_json

if TYPE_CHECKING:
    from ..play.contract import Game
    from ..play.records import Record, Replay

EPILOG = """\b
Examples:
  rulewright replay game.json
  rulewright replay game.json --to 2       the table after two choices
  rulewright replay harbour:2:7:0,4,8      game, players, seed and choices in one word
"""


@click.command(epilog=EPILOG)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--to", type=click.IntRange(min=0), metavar="N", help="Stop after N choices and show the table there.")
@click.option("--game", "name", metavar="NAME", help="Its ruleset, where the recorded name does not find it.")
@click.option("--format", "layout", type=click.Choice(["text", "json"]), default="text", help="How to print it.")
def command(file: Path, to: int | None, name: str | None, layout: str) -> int:
    """Replay the record FILE choice by choice, and verify that it gives the same result.

    FILE may also be a record in one word, as `validate --deep` prints it. Exit 1 if the replay differs from the record;
    the first difference is shown.
    """
    from .. import Fault, load
    from ..play.records import read_record, read_record_line, replay

    record = (None if os.path.exists(file) else read_record_line(str(file))) or read_record(file)
    if to is not None and to > len(record.choices):
        raise PlayError(f"the record has {counted(len(record.choices), 'choice')}, not {to}")
    game = load(name or record.game, players=record.players)
    steps: list[str] = []
    try:
        outcome = replay(record, game, to, lambda state, step: steps.append(_step_text(game, record, state, step)))
    except Fault:
        for line in steps:  # the steps that lead to the fault; the caller reports the fault itself
            click.echo(line)
        raise
    if layout == "json":
        print_json(_as_data(game, record, outcome))
    else:
        for line in [*steps, "", *_end_lines(game, record, outcome)]:
            click.echo(line)
    return 1 if outcome.difference else 0


def _step_text(game: Game, record: Record, state: Any, step: int) -> str:
    decision = state.decision
    code = record.choices[step]
    label = next(str(option) for option in decision.options if int(option) == code)
    return f"{step + 1:>4}  {game.seat_names[decision.player]}: {label}"


def _end_lines(game: Game, record: Record, outcome: Replay) -> list[str]:
    from .screen import decision_lines, result_lines

    lines: list[str] = []
    state = outcome.state
    if outcome.difference is None and state.over:
        lines += [*result_lines(game, state), ""]
    elif outcome.difference is None:
        width = shutil.get_terminal_size((80, 24)).columns
        lines += [*decision_lines(game, state, state.decision, state.log(state.decision.player), width), ""]
    if record.fingerprint and record.fingerprint != game.fingerprint:
        lines.append("The rules have changed since this was recorded.")
    return lines + _verdict(game, record, outcome)


def _verdict(game: Game, record: Record, outcome: Replay) -> list[str]:
    difference = outcome.difference
    if difference is None:
        whole = outcome.steps == len(record.choices)
        what = "the whole record" if whole else f"the first {outcome.steps} of {len(record.choices)} choices"
        if outcome.is_verified(record, game):
            return [painted(f"Verified: {what}.", fg="green")]
        if record.fingerprint:
            return [f"Not verified, since the rules are others; under these {what} comes out the same."]
        return [f"Replayed: {what}. A record in one word says nothing about its rules and its end."]
    where = f"at choice {difference.step}" if difference.step else "at the end"
    return [
        painted(f"The replay goes another way {where}.", fg="red"),
        f"  recorded  {difference.expected}",
        f"  found     {difference.found}",
    ]


def _as_data(game: Game, record: Record, outcome: Replay) -> dict[str, Any]:
    difference = outcome.difference
    return {
        "game": record.game,
        "players": record.players,
        "same_rules": record.fingerprint == game.fingerprint,
        "choices": len(record.choices),
        "replayed": outcome.steps,
        "verified": outcome.is_verified(record, game),
        "difference": difference
        and {
            "choice": difference.step or None,
            "expected": difference.expected,
            "found": difference.found,
        },
    }
