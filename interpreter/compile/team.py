"""Whether all players of a game win or lose together, by its rules alone.

    everybody wins "All beacons are lit"
    score p
      "Show"  launched[red] + launched[blue]

Nobody is ever ahead of anybody in such a game: the margin over the others is 0 for ever, and the ranks are equal. A bot
that played for margins would not care what happens. So it has to be known that the players are one *team*, which plays
for the points and the win as one player alone does. They are if no rule tells them apart at the end: every `wins` names
all players or none, nobody can lose or drop out by themselves, there is no payoff, and neither the score nor the
ranking asks for which player it is worked out.
"""

from __future__ import annotations

from . import ir
from .unit import Unit


def is_team(unit: Unit) -> bool:
    """Whether the players win or lose together, and there is something to win or to count."""
    program = unit.program
    if program.players < 2 or program.payoff is not None:
        return False
    endings = [one for routine in unit.routines.values() for one in _endings(routine)]
    if not all(isinstance(one, ir.Wins) and _names_all_or_none(one, program.players) for one in endings):
        return False
    counted = [name for name in unit.routines if name == "rank" or name.startswith("score_")]
    return bool(endings or counted) and not any(_reads_whose(unit.routines[name]) for name in counted)


def _endings(routine: ir.Routine) -> list[ir.Ins]:
    """What ends the game other than by points, or takes somebody out of it."""
    return [ins for ins in routine.instructions() if isinstance(ins, ir.Wins | ir.DropsOut)]


def _names_all_or_none(ending: ir.Wins, players: int) -> bool:
    return isinstance(ending.players, ir.Sequence) and len(ending.players.values) in (0, players)


def _reads_whose(routine: ir.Routine) -> bool:
    """True if a score or a ranking depends on the player for whom it is worked out. That a ranking asks for the `score`
    of that player does not count: what a score depends on is looked at by itself."""
    whose = routine.params[0]
    found = [*routine.operations()]
    own = [op for op in found if isinstance(op, ir.Local) and op.name == whose]
    in_score = [op for op in found if isinstance(op, ir.Score) and op.player in own]
    return len(own) > len(in_score)
