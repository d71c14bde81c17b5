"""Worlds for bots: full states drawn from what one player knows, and fast copies of them.

Drawing a world is dear (it has to agree with all that the player was told), and simulating in it is cheap, so a search
draws few and uses them again: `Worlds.number(i)` is the world of simulation i. There is one world more whenever the
square of their number is reached, so N simulations use about the square root of N worlds, whether N is known before or
a clock decides. Where nothing is hidden there is one world: the game itself, with chance unknown.

Inside a `together` a world is drawn from before the block, and `begun` has it as it is at the first question there: a
search goes down from that, so that those who have chosen already choose in the tree, like those who are yet to choose.
(In the world itself they have chosen at random: whoever is asked last would think little of all others, and whoever is
asked first would not.) Not if chance has fallen in the block, as its player saw it.

What comes from here has no knowledge, no log and no history, and runs on the fast path. Its generator is set anew for
every simulation, so chance to come is unknown to the bot, even where the true game would roll the same dice again.
"""

from __future__ import annotations

from typing import Any

from ...runtime.chance import seeded
from ...runtime.faults import Ended, Fault, Refused, Trouble
from ...runtime.private_choices import own_part
from ..seeds import derived_seed

FAULTS = (Fault, Trouble, Refused, RecursionError)  # of the rules, met in a world
_WORLD_STREAM = 1 << 40  # streams of seeds: worlds from here on, simulations from 0 on


class Worlds:
    """The worlds of one player at one decision."""

    def __init__(self, state: Any, player: int, seed: int) -> None:
        self._state = state
        self.player = player
        self._seed = seed
        self.is_open = not state.meta.has_secrets and not state.together
        self._draws: Any = None
        self.drawn: list[Any] = []
        self.own = own_choices(state, player)
        self.begun: list[Any] = []

    def number(self, simulation: int) -> Any:
        """The world that this simulation is played in; the caller takes a `fork` of it."""
        count = len(self.drawn)
        if not count or (not self.is_open and count * count <= simulation):
            self.drawn.append(self._another(count))
            count += 1
        return self.drawn[simulation % count]

    def separate(self, number: int) -> Any:
        """World number so many, for whoever looks at each of a few; None if there is only one and it is not that."""
        while len(self.drawn) <= number and not (self.is_open and self.drawn):
            self.drawn.append(self._another(len(self.drawn)))
        return self.drawn[number] if number < len(self.drawn) else None

    def _another(self, number: int) -> Any:
        if self.is_open:
            return self._state.fork()
        seed = self.seed_of(number)
        if self._draws is None:
            self._draws = drawer(self._state, self.player)
        world = self._draws(seed)
        if self.own is not None:
            self.begun.append(_beginning(world))
        return world.fork()

    def seed_of(self, number: int) -> int:
        return derived_seed(self._seed, _WORLD_STREAM + number)


def own_choices(state: Any, player: int) -> tuple[int, ...] | None:
    """What a player has chosen since the `together` began that runs; None if none does, or chance has fallen there."""
    before = state.apart if state.together else None
    if before is None or before.kn is None or before.g != state.g:
        return None
    return own_part(state, player).choices


def _beginning(world: Any) -> Any:
    """A world inside a `together` at the first question of the block; None if it has no such."""
    if world.apart is None or not world.together:
        return None
    begun = world.apart.fork()
    try:
        begun.machine.run(begun)
    except (*FAULTS, Ended):
        return None
    return begun if begun.together and not begun.over else None


def drawer(state: Any, player: int) -> Any:
    """A function from seeds to worlds, one after the other. If the state can prepare what all worlds of a player share,
    that is done once."""
    prepared = getattr(state, "worlds", None)
    if prepared is not None:
        return prepared(player).series()
    return lambda seed: state.determinize(player, seed)


def chance_of(seed: int) -> int:
    """The generator for the chance of a simulation."""
    return seeded(seed ^ 0x9E3779B97F4A7C15)


def advance(world: Any, option: int) -> None:
    """Takes up an option of the pending decision of a fork, and goes on to the next decision or the end."""
    machine = world.machine
    machine.take(world, option)
    try:
        machine.run(world)
    except Ended:
        pass
