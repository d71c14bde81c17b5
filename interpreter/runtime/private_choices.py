"""Choices that a player has not seen made, made again.

Inside a `together` block the others may have chosen already. A determinised state must not give that away, so it
starts from the state before the block: identities are dealt anew there, the player's own choices are repeated, and
those of the others are drawn at random among what they are offered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .chance import Generator
from .determinise import determinise

if TYPE_CHECKING:
    from .state import State


def choose_anew(state: State, player: int, generator: Generator) -> State:
    """A state in the same block at the same seat's turn that agrees with what the player knows."""
    assert state.apart is not None
    before = state.apart
    own = _own_choices(state, player)
    drawn = determinise(before.clone(), state.meta, player, generator)
    state.game.run(drawn)
    while drawn.together and not drawn.over and not (drawn.who == state.who and not own):
        if drawn.who == player and own:
            drawn.apply(drawn.opts.index(own.pop(0)))
        else:
            drawn.apply(generator.below(len(drawn.opts)))
    return drawn


def _own_choices(state: State, player: int) -> list[object]:
    """What the player has chosen since the block began."""
    assert state.apart is not None
    again = state.apart.clone()
    state.game.run(again)
    found = []
    for position in range(len(state.apart.h), len(state.h), 2):
        raw = state.h[position + 1]
        if again.who == player:
            found.append(raw)
        again.apply(again.opts.index(raw))
    return found
