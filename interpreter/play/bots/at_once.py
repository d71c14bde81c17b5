"""Choices at the same time, made at random: from the first question of a `together` to a decision in it, and from there
to its end.

Whoever looks no further than its own choice sees nothing inside a block: nothing has happened yet, but for the player
who is asked last, who would see what comes of the choices that happen to lie in this world. So a look ahead goes on to
the end of the block, with everybody else at random, and it begins at the first question of the block, so that those who
have chosen choose anew in each look, like those who are yet to choose (`imagined`). Then it does not matter who is
asked first.

Choices at random are `seeded(seed ^ 0x2545F4914F6CDD1D)`, and the upper half of the next number times how many options
there are, as in `playing_out`. Options of one decision are compared over the same: what the others choose is drawn by
the same numbers whatever is taken up.

Nothing tells where one block ends and another begins at once. So a block is over when nobody chooses at the same time
any more, or when a player is asked who chose there before somebody else did: in a block each has one turn.

`rw_block.h` is the same on the native engine.
"""

from __future__ import annotations

from typing import Any

from ...runtime.chance import INCREMENT, MASK, MULTIPLIER, seeded
from .imagined import FAULTS, Worlds, advance, chance_of


class AtOnce:
    """What chooses at random in one block, and who has chosen there."""

    __slots__ = ("_before", "_choice", "_who")

    def __init__(self, seed: int) -> None:
        self._choice = seeded(seed ^ 0x2545F4914F6CDD1D)
        self._before: frozenset[int] = frozenset()
        self._who = -1

    def fork(self) -> AtOnce:
        """The same numbers again, for another option."""
        copy = AtOnce.__new__(AtOnce)
        copy._choice, copy._before, copy._who = self._choice, self._before, self._who
        return copy

    def goes_on(self, world: Any) -> bool:
        """Whether the decision that is pending is one of the block."""
        if world.over or not world.together:
            return False
        who = world.who
        if who == self._who:
            return True
        if self._who >= 0:
            self._before |= {self._who}
        self._who = who
        return who not in self._before

    def choose(self, world: Any) -> None:
        """Takes any option. Raises what the rules raise in a world."""
        self._choice = (self._choice * MULTIPLIER + INCREMENT) & MASK
        advance(world, world.opts[(self._choice >> 32) * len(world.opts) >> 32])

    def leave(self, world: Any) -> None:
        """Goes on to the first decision behind the block."""
        while self.goes_on(world):
            self.choose(world)


def come_to(worlds: Worlds, number: int, seed: int) -> tuple[Any, AtOnce] | None:
    """A fork of a world at the decision that it was drawn for: from the first question of the block, if that is known,
    with the player's own choices as they were and those of others at random. None if this does not lead there."""
    drawn, player, left = worlds.drawn[number], worlds.player, list(worlds.own or ())
    begun = worlds.begun[number] if worlds.own is not None else None
    world, at_once = (drawn if begun is None else begun).fork(), AtOnce(seed)
    world.g = chance_of(seed)
    if begun is None:
        return world, at_once
    try:
        while at_once.goes_on(world) and not (world.who == player and not left):
            if world.who != player:
                at_once.choose(world)
            elif left[0] in world.opts:
                advance(world, left.pop(0))
            else:
                return None
    except FAULTS:
        return None
    offered = iter(world.opts)
    is_there = world.together and not world.over and world.who == player and not left
    return (world, at_once) if is_there and all(option in offered for option in drawn.opts) else None
