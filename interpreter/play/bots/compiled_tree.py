"""Tree search on the native engine: the algorithm of `tree`, with the same choices from the same seeds.

Python draws the worlds and hands each over once; the tree, the simulations and the random games lie in C
(`rw_search.h`, which follows `tree`, `node`, `observed` and `playing_out` step by step). So the engine is called once
for each world, and not for each simulation.

What does not fit into native memory (a state from a damaged save, say) is searched in Python from the beginning, with
as many simulations: the choice is the same. A learnt policy is handed over with its weights, and asked in C too.
"""

from __future__ import annotations

from typing import Any

from . import node
from .compiled_sight import described
from .compiled_worlds import CompiledWorlds, Dealt
from .imagined import Worlds
from .kept_tree import stands_as
from .playing_out import Evaluation, PlayingOut
from .tree import AtRoot, Search


class CompiledRoot(AtRoot):
    """A decision with its worlds in native memory. `cut`: segments of rules until the cutoff of random games; `guided`:
    as in `playing_out`."""

    def __init__(
        self, state: Any, seed: int, engine: Any, cut: int | None = None, guided: bool = False,
        value: Evaluation | None = None,
    ) -> None:  # fmt: skip
        self._engine, self._handed_over = engine, 0
        super().__init__(state, seed)
        self.native = engine.search(described(state), cut or 0, guided, node.MOST_SLOTS)
        if value is not None:
            self.native.use_policy(*value.for_engine(state))
        self.native.begin(seed, self.player, len(self.indexes), self.worlds.is_open)

    def provide(self, simulation: int) -> int:
        """Sees to it that the world of this simulation is there; gives up to which simulation no other is needed, or 0
        if there is no such limit."""
        worlds = self.worlds
        worlds.number(simulation)
        for world in worlds.drawn[self._handed_over :]:
            self._hand_over(world)
        return 0 if worlds.is_open else len(worlds.drawn) ** 2

    def worlds_of(self, state: Any, seed: int) -> Worlds:
        return CompiledWorlds(state, self.player, seed, self._engine)

    def _hand_over(self, world: Any) -> None:
        if isinstance(world, Dealt):
            added = [n for shift in world.deal.shifts for n in shift]
            options = [world.opts[index] for index in self.indexes]
            self.native.add_dealt(self.worlds.root, world.deal.new, added, world.chance, options)
            self._handed_over += 1
            return
        is_like_root = self.is_like_root(world)
        options = [world.opts[index] for index in self.indexes] if is_like_root else [0] * len(self.indexes)
        self.native.add_world(world, options, is_like_root)
        begun = self.worlds.begun[self._handed_over] if self.worlds.own is not None else None
        if begun is not None:
            self.native.begin_block(begun, list(self.worlds.own or ()))
        self._handed_over += 1


class CompiledSearch(CompiledRoot):
    """A tree in native memory with its worlds, at one decision of one player."""

    def __init__(self, state: Any, seed: int, engine: Any, cut: int | None, value: Evaluation | None) -> None:
        super().__init__(state, seed, engine, cut, guided=True, value=value)
        self._state, self._cut, self._value = state, cut, value
        self._in_python: Search | None = None
        self._figures()

    def _figures(self) -> None:
        self.simulations, decided, self._best, self.visits, self.nodes, self.slots = self.native.figures()
        self.is_decided = bool(decided)

    def chosen(self) -> int:
        """The index of the option to choose."""
        if self._in_python is not None:
            return self._in_python.chosen()
        index: int = self.indexes[self._best]
        return index

    def found(self) -> list[tuple[int, float]]:
        """Of each slot of the root its visits and its mean."""
        if self._in_python is not None:
            return self._in_python.found()
        slots: list[tuple[int, float]] = self.native.slots(len(self.indexes))
        return slots

    def simulate(self, count: int = 1) -> None:
        """So many more simulations, fewer if the root is proved before."""
        wanted = self.simulations + count
        if self._in_python is None:
            try:
                while self.simulations < wanted and not self.is_decided:
                    until = self.provide(self.simulations)
                    self.native.run(min(wanted, until or wanted))
                    self._figures()
                return
            except self._engine.unfit:
                playing_out = PlayingOut(self._state, self._cut, self._value, guided=True)
                self._in_python = Search(self._state, self.seed, playing_out)
        search = self._in_python
        search.simulate(wanted - search.simulations)
        self.simulations, self.is_decided, self.visits = search.simulations, search.is_decided, search.root.visits

    # ------------------------------------------------------------------ a tree that is kept

    def go_on(self, state: Any, seed: int) -> bool:
        """As `kept_tree.go_on`."""
        if self._in_python is not None:
            return False
        if state.together or self.worlds.own is not None or state.who != self.player or self.is_decided:
            return False
        if self.slots * 2 > node.MOST_SLOTS:
            return False
        slot = self._best
        try:
            below = self._node_after(slot, state)
            _, options = self.read(state)
            if below < 0:
                return False
            indexes = [state.opts.index(option) for option in options]
            kept = self.native.move(below, seed, slot, indexes, len(state.opts))
        except self._engine.unfit:
            return False
        self._state, self.seed, self._handed_over = state, seed, kept
        self.worlds = self.worlds_of(state, seed)
        self.worlds.drawn = [None] * kept  # they lie in native memory
        self.begin_at(state)
        self._figures()
        return True

    def _node_after(self, slot: int, state: Any) -> int:
        """The node of the state's decision, negative if there is none."""
        native = self.native
        if self.has_secrets:
            return int(native.node_after(slot, state))
        foreseen = native.foresee(slot)
        if foreseen is None:
            return -1
        if not foreseen["is_certain"]:
            return int(native.node_after(slot, state))
        is_same = not foreseen["over"] and stands_as(state, foreseen["f"], foreseen["p"], foreseen["k"])
        return int(native.node_after(slot)) if is_same else -1


def engine_of(state: Any) -> Any:
    """The native engine of the state's game, if it has one now and the state can be there."""
    ask = getattr(state.game, "engine_for_playouts", None)
    return ask(0.0) if ask is not None and not getattr(state, "script", None) else None


def tell_spent(state: Any, seconds: float) -> None:
    """Tells the game of a state how long a bot has thought in Python: after a while it gets an engine."""
    tell = getattr(state.game, "engine_for_playouts", None)
    if tell is not None and not getattr(state, "script", None):
        tell(seconds)


def compiled_search(state: Any, seed: int, cut: int | None, value: Evaluation | None = None) -> CompiledSearch | None:
    """A search on the engine of the state's game; None if it has none now."""
    engine = engine_of(state)
    if engine is None:
        return None
    try:
        return CompiledSearch(state, seed, engine, cut, value)
    except engine.unfit:
        return None
