"""A position from Python, set up as a scenario's `given` does: `game.position(text)`.

The text is read as the lines below `given`, checked against the game, and carried out on an empty state; then the game
runs to its first decision. Most lines name constants only, and then the game's own code is used. A line with an
expression (`fame = count(market)`) needs code of its own, so the game is compiled once more with it.

`runtime` has the method and stands below this package. So this module hands itself in when it is imported, which the
face of the package does whenever a game is loaded. A game from the cache needs no syntax, and the classes of the tree
take longer to import than such a game to load: they are imported when a position is asked for.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..diagnostics.source import Source
from ..runtime.faults import WrongUse
from ..runtime.game import Game
from .contract import PlayError

if TYPE_CHECKING:
    from ..runtime.state import State
    from ..syntax import nodes
    from .stage import Theatre

NAME = "<position>"


def position(game: Game, given: str, seed: int = 0, auto: bool = True) -> State:
    """The state that the lines of `given` set up, at its first decision. Raises RulesetError for lines that are wrong,
    and PlayError for what cannot be set up."""
    from ..syntax import nodes
    from .stage import Theatre
    from .verdicts import Failed

    if not isinstance(given, str):
        raise WrongUse(f"a position is given as the text of its lines, not as {type(given).__name__}")
    scenario = replace(_scenario(given, game), seed=seed)
    theatre = Theatre(game.asked, game.players, [scenario], game.compiled)
    try:
        stage = theatre.stage(scenario)
        stage.state.auto = auto
        for part in scenario.parts:
            if isinstance(part, nodes.Given):
                stage.given(part)
        stage.run(scenario.span)
    except Failed as failed:
        if failed.failure.diagnostics:
            raise RulesetError(list(failed.failure.diagnostics)) from None
        raise PlayError(f"{failed.failure.span.at}: {failed.failure.message}") from None
    return _moved(game, theatre, stage.state)


def _scenario(given: str, game: Game) -> nodes.Scenario:
    """The lines as a scenario of the game."""
    from ..syntax import nodes
    from ..syntax.parse import parse_rules

    lines = given.expandtabs(2).splitlines()
    indent = min((len(line) - len(line.lstrip()) for line in lines if line.strip()), default=0)
    body = [f"    {line[indent:]}".rstrip() for line in lines if line.strip()]
    if not body:
        raise PlayError("a position needs lines: `at turn(seat1)`, `market holds …`, `seat1.coins = 3`")
    head = [f"part of {game.meta.name.partition('+')[0]}", 'scenario "A position"', "  given"]
    text = "\n".join([*head, *body, "  then", "    the game goes on", ""])
    found = Diagnostics()
    tree = parse_rules(Source(NAME, text), found)
    made = [one for one in (tree.declarations if tree is not None else ()) if isinstance(one, nodes.Scenario)]
    if found.has_errors or not made:
        raise RulesetError(found.found)
    return made[0]


def _moved(game: Game, theatre: Theatre, state: Any) -> State:
    """The state as one of the game that was asked, which may run otherwise (in C); if its code was compiled anew with
    expressions of the lines, and is not the same, it stays a state of that."""
    ours, theirs = game.meta, theatre.game.meta
    if (ours.segment_rule, ours.frame_slots, ours.texts) != (theirs.segment_rule, theirs.frame_slots, theirs.texts):
        return state  # type: ignore[no-any-return]
    saved = json.loads(state.to_json())
    saved["code"] = game.code  # all numbers mean the same in both
    return game.from_json(json.dumps(saved))


Game.set_up_position = staticmethod(position)
