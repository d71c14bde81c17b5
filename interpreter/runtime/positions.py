"""Positions as values: equality and hash of states, pickles, and random games from any position.

Two states are *equal* if they are the same position of the same rules: every number, every piece, what is running, the
generator, and the pending decision. So they offer the same options and, after the same choices, meet the same chance.
How the game came there does not count: history, log, and what players have come to know. (`State.same_as` compares
those as well.) A state may be changed in place, so do not change one that is a key of a dict.

A state is pickled as its save, since a save is short and holds everything; the trail, which is as long as the game, is
played again when somebody asks for it. A game is pickled as its compiled rules, so it needs no file of the ruleset.
"""

from __future__ import annotations

import json
from typing import Any

from .chance import seeded, whole_seed
from .deferred import Point, point_of
from .running import Running

_CHANCE = 0x9E3779B97F4A7C15  # makes the seed of chance differ from that of the choices
_POSITION = ("f", "p", "g", "fd", "over", "won", "gone", "together")
_PENDING = ("site", "who", "opts", "picked")  # the decision; a finished game has none


def is_same_position(one: Any, other: Any) -> bool:
    """Whether the two agree in everything that a rule reads."""
    if one.game is not other.game and one.meta.fingerprint != other.meta.fingerprint:
        return False
    compared = _POSITION if one.over else (*_POSITION, *_PENDING)
    if one.meta.players != other.meta.players or any(getattr(one, name) != getattr(other, name) for name in compared):
        return False
    # Compared as a save has them: a slot for a set that is not worked out yet may hold 0 or an empty tuple.
    return one.k == other.k or [one.frame_data(own) for own in one.k] == [other.frame_data(own) for own in other.k]


def hash_of(state: Running) -> int:
    """Equal states have equal hashes. Frames and lists are left out: the rest tells most positions apart."""
    lengths = tuple([len(pieces) for pieces in state.p])
    return hash((state.meta.fingerprint, tuple(state.f), lengths, state.g, state.fd, state.over))


# ---------------------------------------------------------------------------- random games from here


def chance_of_playout(seed: int) -> int:
    """The generator for all chance to come in a random game."""
    return seeded(seed ^ _CHANCE)


def playout_from(state: Running, seed: int) -> Any:
    """A copy played to the end by random choices. The seed decides the choices and every fall of chance to come; cards
    that are already shuffled lie as they lie."""
    seed = whole_seed(seed)
    start = _starting_point(state) if state.tracked else None
    copy = state.fork()
    copy.h = state.h[:]
    copy.g = chance_of_playout(seed)
    copy.approximate = state.approximate
    if start is not None:
        # Reading the view or the log of the finished game plays it again from here, with this generator.
        copy.since = Point(start, [], len(copy.h), None, copy.g)
        copy.tracked = True
    return state.game.finish(copy, seed) if not copy.over else copy


def _starting_point(state: Running) -> Point:
    """A moment with knowledge from which the copy goes on."""
    point = point_of(state)
    if point is None:
        here = state.clone()
        here.may_defer, here.script = False, []
        point = Point(None, [], len(state.h), here)
    return point


# ---------------------------------------------------------------------------- pickles


def pickled_parts(state: Any) -> tuple[Any, ...]:
    """What `unpickled_state` needs: the save, and the pending decision, which a save would ask anew."""
    pending = {name: getattr(state, name) for name in (*_PENDING, "pick", "approximate", "may_defer", "script")}
    return state.game, state.to_json(), pending


def unpickled_state(game: Any, text: str, pending: dict[str, Any]) -> Any:
    saved = json.loads(text)
    state = game.from_saved(saved, text)
    for name, value in pending.items():
        setattr(state, name, value)
    return state
