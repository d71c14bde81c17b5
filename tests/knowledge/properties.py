"""What must hold of knowledge at every decision of a tiny game, each property as a list of what contradicts it.

Worlds are drawn in both ways in turn: from a state that keeps knowledge at once, whose worlds do so too, and from one
that may leave it for later, which keeps what was prepared and gives worlds that are behind with what players know.

`Proof` draws worlds once for each group of decisions that a player cannot tell apart, and keeps what came up; the
properties ask it. Every draw has a fixed seed, so a result never changes from run to run.
"""

from __future__ import annotations

import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import sqrt
from typing import Any, TypeVar

import interpreter as rw
from tests.knowledge.histories import Histories, Node, fallen
from tests.knowledge.world_keys import Key, world_key

Item = TypeVar("Item")


@dataclass(frozen=True)
class Effort:
    """How much is looked at. Groups beyond `groups` are left out evenly; `truths` of each are drawn from."""

    groups: int = 8
    truths: int = 1
    draws: int = 25  # for each possible world
    most_draws: int = 200
    fair_draws: int = 200  # where frequencies are compared
    fair_groups: int = 1


# Of the first so many draws every fourth prepares its worlds anew, which costs several times what another draw does.
ANEW, OF_DRAWS = 600, 4
NORMAL = Effort()
LONG = Effort(groups=150, truths=2, draws=60, most_draws=1_500, fair_draws=20_000, fair_groups=2)


@dataclass
class Drawn:
    """What came up in draws for one player from one true state."""

    player: int
    node: Node
    group: list[Node]
    worlds: Counter[Key] = field(default_factory=Counter)
    crashes: list[str] = field(default_factory=list)
    contradictions: list[str] = field(default_factory=list)  # of what the world itself shows the player
    approximate: set[str] = field(default_factory=set)  # what its worlds say that they may not agree with

    @property
    def possible(self) -> set[Key]:
        return {self.key(node.world) for node in self.group}

    @property
    def is_half_made(self) -> bool:
        return self.node.half_made and self.node.state.who != self.player

    def key(self, world: Key) -> Key:
        """What is compared of a world. In the middle of somebody else's set or payment a world may begin it again,
        since nobody else has seen what was picked: then only the table counts, not how far the picking has come."""
        return (*world[:-1], self.node.state.who) if self.is_half_made else world

    @property
    def at(self) -> str:
        path = " > ".join(str(choice[3]) for choice in self.node.choices) or "the beginning"
        return f"player {self.player} at {path} (player {self.node.state.who} decides): "


class Proof:
    """A tiny game with all its histories and the worlds drawn in them."""

    def __init__(self, game: rw.Game | Histories, effort: Effort) -> None:
        """`game`: or its histories, where others go over them too."""
        self.histories = game if isinstance(game, Histories) else Histories(game)
        self.effort = effort

    @cached_property
    def drawn(self) -> list[Drawn]:
        """Draws at a sample of all decisions, for every player."""
        found = []
        for player in self.histories.players:
            groups = [group for (of, _), group in self.histories.groups.items() if of == player]
            for group in spread(groups, self.effort.groups):
                draws = min(self.effort.most_draws, self.effort.draws * len({node.world for node in group}))
                for node in spread(group, self.effort.truths):
                    found.append(self.draw(player, node, group, draws, till_all=True))
            unnoticed = [node for node in self.histories.nodes if not node.noticed[player]]
            for node in spread(unnoticed, self.effort.groups):
                possible_later = self.histories.possible(node, player)
                found.append(self.draw(player, node, possible_later, self.effort.draws // 2))
        return found

    def draw(self, player: int, node: Node, group: list[Node], draws: int, till_all: bool = False) -> Drawn:
        """Worlds from one true state; `till_all`: no more are drawn when every possible one has come up."""
        drawn = Drawn(player, node, group)
        possible = drawn.possible
        later = node.state.clone()
        later.may_defer = True  # its worlds are kept, and work out what players know when somebody looks
        for seed in range(draws):
            try:
                world = (later if seed % OF_DRAWS or seed > ANEW else node.state).determinize(player, seed)
                key = drawn.key(world_key(world))
            except Exception:
                drawn.crashes.append(f"seed {seed}: " + traceback.format_exc(limit=-1).strip().splitlines()[-1])
                continue
            drawn.approximate.update(world.approximate)
            if key not in drawn.worlds:
                drawn.contradictions += self.contradictions(node, player, world, seed)
            drawn.worlds[key] += 1
            if till_all and seed >= 12 and possible <= drawn.worlds.keys():
                break
        return drawn

    def contradictions(self, node: Node, player: int, world: rw.State, seed: int) -> Iterator[str]:
        """What the drawn state itself shows its player otherwise than the true one, and options that do not apply."""
        if node.noticed[player]:
            if world.view(player) != node.state.view(player):
                yield f"seed {seed}: its view is another"
            if world.log(player) != node.state.log(player):
                yield f"seed {seed}: its log is another"
            if world.information(player) != node.state.information(player):
                yield f"seed {seed}: its key of information is another"
        if world.over:
            if node.noticed[player]:
                yield f"seed {seed}: it is over"
            return
        decision = world.decision
        assert decision is not None
        if not decision.options:
            yield f"seed {seed}: it has no option"
        for index, option in enumerate(decision.options):
            try:
                with fallen([]):
                    following = world.clone().apply(index)
            except Exception as trouble:
                yield f"seed {seed}: {type(trouble).__name__} on `{option}`: {trouble}"
                continue
            if world_key(following) not in self.histories.reachable:
                yield f"seed {seed}: `{option}` leads where no game can come"


def spread(items: list[Item], most: int) -> list[Item]:
    """At most so many of the items, evenly, the last of them always."""
    if len(items) <= most:
        return items
    return [items[(number + 1) * len(items) // most - 1] for number in range(most)]


# ---------------------------------------------------------------------------- the properties


def every_world_is_possible(proof: Proof) -> list[str]:
    """(a) No drawn state contradicts what the player has seen; none fails to be drawn."""
    found = []
    for drawn in proof.drawn:
        if drawn.crashes:
            found.append(f"{drawn.at}{len(drawn.crashes)} draws fail, the first {drawn.crashes[0]}")
        possible = drawn.possible
        wrong = sum(times for key, times in drawn.worlds.items() if key not in possible)
        if wrong:
            found.append(f"{drawn.at}{wrong} of {drawn.worlds.total()} worlds are impossible")
    return found


def every_possible_world_comes_up(proof: Proof) -> list[str]:
    """(b) Whatever the player must think possible can be drawn, from every true state alike."""
    found = []
    for drawn in proof.drawn:
        if drawn.node.noticed[drawn.player]:
            possible = drawn.possible
            missing = len(possible - drawn.worlds.keys())
            if missing:
                found.append(f"{drawn.at}{missing} of {len(possible)} possible worlds never come up")
    return found


def frequencies_are_those_of_chance(proof: Proof) -> list[str]:
    """(c) Where chance alone decided what a player cannot see, worlds come up as often as chance makes them."""
    found = []
    for player in proof.histories.players:
        fair = [
            group
            for (of, _), group in proof.histories.groups.items()
            if of == player and is_left_to_chance(group, player)
        ]
        for group in spread(fair, proof.effort.fair_groups):
            drawn = proof.draw(player, group[-1], group, proof.effort.fair_draws)
            expected: Counter[Key] = Counter()
            for node in group:
                expected[drawn.key(node.world)] += node.chance  # type: ignore[assignment]
            problem = unlike(drawn.worlds, expected)
            if problem:
                found.append(drawn.at + problem)
    return found


def is_left_to_chance(group: list[Node], player: int) -> bool:
    """Whether several worlds are possible, and the others made the same choices from the same options in all."""
    return len({node.world for node in group}) > 1 and len({node.others_choices(player) for node in group}) == 1


def unlike(drawn: Counter[Key], expected: Counter[Key]) -> str | None:
    """What a chi-square test says against the frequencies; the bound is passed by chance once in a million."""
    total, weight = drawn.total(), sum(expected.values(), Fraction(0))
    if set(drawn) - set(expected):
        return "an impossible world comes up"
    if not total:
        return "nothing can be drawn"
    square = 0.0
    for key, chance in expected.items():
        mean = float(total * chance / weight)
        square += (drawn[key] - mean) ** 2 / mean
    bound = chi_square_bound(len(expected) - 1)
    return f"chi-square {square:.0f} over {len(expected)} worlds, more than {bound:.0f}" if square > bound else None


def chi_square_bound(freedom: int, normal: float = 4.75) -> float:
    """The quantile of chi-square that belongs to a quantile of the normal distribution (Wilson and Hilferty)."""
    spread_of = 2 / (9 * freedom)
    return float(freedom * (1 - spread_of + normal * sqrt(spread_of)) ** 3)


def a_world_shows_what_was_seen(proof: Proof) -> list[str]:
    """(d) A drawn state shows its player the same view, log and key; it can go on, by every option it has."""
    return [drawn.at + told for drawn in proof.drawn for told in drawn.contradictions[:1]]


def information_is_what_was_seen(proof: Proof) -> list[str]:
    """(e) The key of a player's information is the same exactly if the player has seen the same."""
    if not hasattr(rw.State, "information"):
        return ["there is no such key"]
    keys: dict[tuple[int, int], Any] = {}
    found = []
    for node in proof.histories.nodes:
        for player in proof.histories.players:
            if node.noticed[player]:
                key = node.state.information(player)
                if keys.setdefault((player, node.seen[player]), key) != key:
                    found.append(f"player {player} has seen the same at {node.choices}, and the keys differ")
    for player in proof.histories.players:
        own = [key for (of, _), key in keys.items() if of == player]
        if len(own) != len({str(key) for key in own}):
            found.append(f"player {player} has one key for two things seen")
    return found


def nothing_else_tells(proof: Proof) -> list[str]:
    """(f) Refusals, titles and what can be observed now are the same wherever the player has seen the same."""
    found = []
    for (player, _), group in proof.histories.groups.items():
        labels = sorted({label for node in group for label in labels_of(node)})
        told = {repr(shown_beside_the_view(node, player, labels)) for node in spread(group, 20)}
        if len(told) > 1:
            found.append(f"player {player} at {group[0].choices} is told {len(told)} things")
    return found


def labels_of(node: Node) -> set[str]:
    """Labels that a player may ask about: what is offered, and what would be if nothing were tried."""
    decision = node.state.decision
    assert decision is not None
    return {str(option) for option in decision.options}


def shown_beside_the_view(node: Node, player: int, labels: list[str]) -> Any:
    state = node.state
    decision = state.decision
    assert decision is not None
    refusals = [decision.why_not(label) for label in labels] if state.who == player else []
    observed = state.observation(player) if hasattr(state, "observation") else None
    return refusals, observed


def the_log_tells_no_more(proof: Proof) -> list[str]:
    """(g) Two true histories in which a player has noticed the same have the same log for that player.

    Worlds cannot show it, since a world has the log as its player has read it. What counts as noticed are views, own
    options, what came and went, what `public` told, and what others did openly. A label that tells something of a piece
    which stays closed is another matter: worlds say so.
    """
    found: list[str] = []
    for player in proof.histories.players if not proof.histories.game.meta.labels_tell else ():
        read: dict[int, list[str]] = {}
        for node in proof.histories.nodes:
            log = node.state.log(player)
            if node.noticed[player] and read.setdefault(node.unread[player], log) != log:
                found.append(f"player {player} reads {log}, or {read[node.unread[player]]}")
    return found


PROPERTIES: dict[str, Callable[[Proof], list[str]]] = {
    "possible": every_world_is_possible,
    "complete": every_possible_world_comes_up,
    "fair": frequencies_are_those_of_chance,
    "agrees": a_world_shows_what_was_seen,
    "information": information_is_what_was_seen,
    "silent": nothing_else_tells,
    "log": the_log_tells_no_more,
}
