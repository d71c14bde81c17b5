"""What the pass on secrets has found and worlds need, noted in the program.

Most of it is gathered on the way (`seen_state`, `unseen_values`). Two things can be seen only by looking at whole
rules. One is pieces whose face decides something openly (`open_uses`), the other is ways that are taken unseen:

    together p in players
      choose one "What do you do?"
        "Attack"
          p.plan = 1
        "Wait"

Nobody sees a player take one of these ways, so what is written on it is as secret as what was chosen, although no
secret is read, and the number that is written stands openly in the rules. Worlds have to take the ways anew: `answers`
are the decisions with several ways, `writes` the statements on them that write a field which not everybody may see.

And there are numbers that chance picks, that a closed field keeps, and that the rules use for something else as well:

    pick n in 1..4 at random
    weather = n
    if n > 2
      seat1.points += 1

Nobody is told the number, and what the rules do with it tells something of it. So a world cannot draw `weather` by
itself: the rules run again with the number that it draws (`runtime/steps.py`), and all that the player sees must come
out the same. Where the field is the only use, any number will do that chance could have picked.

A number that goes into two closed fields is the same in both, whether chance picked it or somebody chose it unseen.
Each drawn by itself would be another one:

    choose n in 1..3 secretly
    p.bid = n
    pot = n
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from . import program as p
from .open_uses import asked_by, is_closed, open_uses
from .seen_loops import Loop
from .seen_state import SeenState
from .steady_locals import steady_locals
from .value_types import Player, bare
from .walk import bodies, called_rules, statements, walk, walk_rule


def note_for_worlds(program: p.Program, course: SeenState) -> None:
    branches = unseen_branches(program)
    program.unseen_answers.update(branches.answers)
    turned = behind_numbers(program, course.by_chance | course.pieces_together, course.turned_on_closed)
    program.unseen_writes.update(course.unseen_writes | branches.writes | turned.writes)
    program.unseen_turns.update(course.unseen_turns | turned.answers)
    program.worked_out.update(course.worked_out | branches.writes | turned.writes | _used_besides(program, course))
    program.worked_out.update(_written_twice(program, course))
    # What was offered must be asked of a world too if it turned on a secret, or on a refusal further on that does.
    program.worked_out.update(s for s, local in course.written_as_chosen if local in course.turned_on_secret)
    program.varying_picks.update(course.varying_picks)
    program.open_uses.update(course.used_there | open_uses(program))
    program.boxed_openly.update(course.boxed_openly - course.boxed_unseen)
    program.unseen_spots.update(course.unseen_spots)
    program.moved_from_spots.update(course.from_spots - course.from_no_spot)
    program.unseen_locals.update(course.unseen_locals)
    # That a player was picked is seen by what that player does; which number was picked is not.
    program.unseen_locals.update(local for local in course.by_chance if not isinstance(bare(local.type), Player))
    program.unseen_locals.difference_update(steady_locals(program))
    program.unseen_choices.update(course.unseen_choices)


def _used_besides(program: p.Program, course: SeenState) -> set[p.Stmt]:
    """Statements that write a local into a closed field, if chance picked the local and it is read elsewhere too."""
    kept = {(s, local) for s, local in course.written_as_chosen if local in course.by_chance}
    if not kept:
        return set()
    reads: Counter[p.LocalDecl] = Counter()
    for rule in bodies(program):
        reads.update(node.local for node in walk_rule(rule) if isinstance(node, p.LocalVar))
    stores = Counter(local for _, local in kept)
    # Read as often as stored: the field is its only use.
    return {s for s, local in kept if reads[local] > stores[local]}


def _written_twice(program: p.Program, course: SeenState) -> set[p.Stmt]:
    """Statements that write a local as it was chosen or picked, if others do so too, or a loop does it again."""
    kept = dict(course.written_as_chosen)
    stores = Counter(kept.values())
    found = {s for s, local in kept.items() if stores[local] > 1}
    for rule in bodies(program) if kept else ():
        for loop in walk_rule(rule):
            if isinstance(loop, Loop):
                inner = list(walk(loop))
                binding = [node for node in inner if not isinstance(node, p.LocalVar)]
                bound = {part for node in binding for part in vars(node).values() if isinstance(part, p.LocalDecl)}
                found.update(s for s in inner if isinstance(s, p.Stmt) and s in kept and kept[s] not in bound)
    return found


@dataclass
class UnseenBranches:
    answers: set[p.Stmt] = field(default_factory=set)
    writes: set[p.Stmt] = field(default_factory=set)

    def note(self, stmt: p.Stmt, block: p.Block) -> None:
        """The statement decides whether the block runs, in which something may be written."""
        written = {one for one in _reached(block) if isinstance(one, p.SetFace) or is_closed(one)}
        if written:
            self.answers.add(stmt)
            self.writes |= written


def unseen_branches(program: p.Program) -> UnseenBranches:
    """The decisions between several ways that may be made inside `together`, and what is written there."""
    found = UnseenBranches()
    for rule in bodies(program):
        for stmt in statements(rule.body):
            for one in _reached(stmt.body) if isinstance(stmt, p.Together) else ():
                if isinstance(one, p.May) or (isinstance(one, p.ChooseOne | p.AnyOrder) and len(one.branches) > 1):
                    found.note(one, (one,))
    return found


def behind_numbers(program: p.Program, unseen: set[p.LocalDecl], turned: set[p.Stmt]) -> UnseenBranches:
    """What is written on a way that turns on a number which chance picked, or which somebody chose inside `together`.
    The number that is written may stand openly in the rules; that it is written is what nobody sees:

        pick n in 1..3 at random
        if n == 2
          seat2.plan = 1

    `answers` are the statements that turn on it, `turned` further ones, which turn on a card that stays closed."""
    found = UnseenBranches()
    for rule in bodies(program) if unseen or turned else ():
        for stmt in statements(rule.body):
            asked = asked_by(stmt) if isinstance(stmt, p.If | p.While | p.Repeat) else ()
            names = (part.local for one in asked for part in walk(one) if isinstance(part, p.LocalVar))
            if stmt in turned or not unseen.isdisjoint(names):
                # Behind `if n == 2` / `done` the rest of the rule turns on it as well.
                is_left = any(isinstance(one, p.Done | p.Stop | p.ResultIs) for one in statements((stmt,)))
                found.note(stmt, rule.body if is_left else (stmt,))
    return found


def _reached(block: p.Block) -> list[p.Stmt]:
    """The statements of a block and of all that it calls."""
    found = list(statements(block))
    for rule in called_rules(walk(block)):
        found += statements(rule.body)
    return found
