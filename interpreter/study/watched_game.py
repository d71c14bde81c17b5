"""A game that counts what of its rules is executed.

The emitted code has a table from its lines to places in the rules. Here the same code is compiled once more with a
counter before every statement that has a place, and at the start of every routine. Only real play is counted: the
binding that trials run on gets a list that nobody reads. Options are counted where they are taken up, single ones
that a game takes by itself included. Counting costs about a third of the speed, and only whoever studies pays it.
"""

from __future__ import annotations

import ast
import marshal
from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ..compile.load import WAYS
from ..compile.meta import PASS
from ..runtime.game import Game
from ..runtime.state import State

if TYPE_CHECKING:
    from ..compile.load import Compiled

_HITS = "HITS"
_PLAY_HITS = "PLAY_HITS"
_TRIAL_HITS = "TRIAL_HITS"

FREE = -2  # free action n is branch FREE - n

Choice = tuple[int, int]  # site, branch


@dataclass
class Counts:
    """What was executed: passes over each emitted line, options offered and taken by site and branch."""

    lines: list[int]
    offered: Counter[Choice] = field(default_factory=Counter)
    taken: Counter[Choice] = field(default_factory=Counter)


class WatchedGame(Game):
    """A game that goes through all of its setup every time, so that every game is counted alike."""

    def _set_out(self, seed: int, auto: bool, tracked: bool) -> State:
        self._firsts.clear()
        return super()._set_out(seed, auto, tracked)


def load_watched(name: str, players: int | None) -> tuple[Game, Counts]:
    """The game of that name, with its counts."""
    from ..compile.load import load_compiled

    return watched(load_compiled(name, players), name)


def watched(compiled: Compiled, asked: str | None = None) -> tuple[Game, Counts]:
    """A compiled game bound to code that counts."""
    counts = Counts([0] * (len(compiled.places) + 2))
    code = marshal.dumps(compile(_counting(compiled), compiled.file_name, "exec", dont_inherit=True, optimize=0))
    tables = {**compiled.tables, _PLAY_HITS: counts.lines, _TRIAL_HITS: [0] * len(counts.lines)}
    game = WatchedGame(replace(compiled, tables=tables, codes=dict.fromkeys(WAYS, code)), asked)
    _count_choices(game, counts)
    return game, counts


# ---------------------------------------------------------------------------- lines


def _counting(compiled: Compiled) -> ast.Module:
    """The emitted module with a counter before every statement that has a place in the rules."""
    module = ast.parse(compiled.source)
    places = [None, *compiled.places, None]
    has_place = [place is not None for place in places]
    for node in ast.walk(module):
        if isinstance(node, ast.For | ast.While):  # one statement of the rules, however many passes it takes
            for inner in ast.walk(node):
                line = getattr(inner, "lineno", node.lineno)
                if line != node.lineno and places[line] == places[node.lineno]:
                    has_place[line] = False
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef):
            node.body = [_counter(node.lineno), *_counted(node.body, node.lineno, has_place)]
        elif isinstance(node, ast.If | ast.For | ast.While):
            node.body = _counted(node.body, node.lineno, has_place)
            node.orelse = _counted(node.orelse, node.lineno, has_place)
    module.body.insert(0, _chosen_list())
    return ast.fix_missing_locations(module)


def _counted(body: list[ast.stmt], head: int, has_place: list[bool]) -> list[ast.stmt]:
    """What stands on the line of its own head (`if C: …`) has been counted there."""
    counted: list[ast.stmt] = []
    for statement in body:
        line = statement.lineno
        if has_place[line] and line != head and not isinstance(statement, ast.FunctionDef):
            counted.append(_counter(statement.lineno))
        counted.append(statement)
    return counted


def _counter(line: int) -> ast.stmt:
    """`HITS[12] += 1`, on the line that it counts, so that faults still know their place."""
    counter = ast.parse(f"{_HITS}[{line}] += 1").body[0]
    for node in ast.walk(counter):
        if hasattr(node, "lineno"):
            node.lineno = node.end_lineno = line  # type: ignore[attr-defined]
    return counter


def _chosen_list() -> ast.stmt:
    return ast.parse(f"{_HITS} = {_TRIAL_HITS} if TRIAL else {_PLAY_HITS}").body[0]


# ---------------------------------------------------------------------------- choices


def _count_choices(game: Game, counts: Counts) -> None:
    """Notes every choice of a real game, with what else was offered beside it."""
    machine, sites = game.machine, game.meta.sites
    take = machine.take

    def counting_take(S: Any, option: Any) -> None:
        if S.tracked:
            values_only = sites[S.site].values_only
            for branch in {branch_of(raw, values_only) for raw in S.opts}:
                counts.offered[S.site, branch] += 1
            counts.taken[S.site, branch_of(option, values_only)] += 1
        take(S, option)

    machine.take = counting_take  # type: ignore[method-assign]


def branch_of(raw: Any, values_only: bool) -> int:
    """Which branch of its site an option belongs to."""
    if raw is None:
        return PASS
    if isinstance(raw, tuple) and raw and raw[0] == -1:
        return FREE - int(raw[1])
    return 0 if values_only else int(raw[0])
