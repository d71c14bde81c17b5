"""All histories of a tiny game, and what each player has seen in each of them.

The ordinary game is played through every choice and every outcome of chance. Outcomes are listed by putting a counter
in the stead of the generator: it says which number was asked for below which bound, and the same step is run again for
every other number. The chance of a history is the product of one over those bounds.

What a player has *seen* is written down at every decision: the view, the log as that player reads it, the own options
with codes, labels and prompt, the own choices (of equal cards in a row also which one), what `public(…)` has told,
which no view need show, which decision it is, and which ones fell through for all to see. Two histories in which a
player has seen the same cannot be told apart by that player; so the worlds that are possible for the player at a
decision are those of all histories in which the player has seen the same. This is the definition that determinised
states are judged by.

Nothing is written down for the others where the rules say that they notice nothing: at a silent `may`, inside
`together`, and between the picks of a set or payment (that the last pick was forced tells nobody anything, since the
log has it as well). Such a moment has a key of its own, which says only what was seen before and what the log says.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import interpreter as rw
from interpreter.runtime import chances
from interpreter.runtime.copies import Codes
from interpreter.runtime.eyes import elements, is_seen
from interpreter.runtime.game import game_from_program
from interpreter.runtime.meta import PASS
from interpreter.runtime.spots import bound_by
from interpreter.runtime.trail import ASKED, FELL, ROLLED, SEEN, SHOWN, TOLD, TOOK, events
from tests.knowledge.world_keys import PIECES, Key, world_key
from tests.toy_games import checked

GAMES = {file.stem: file for file in sorted((Path(__file__).parent / "games").glob("*.rules"))}
MOST = 40_000  # decisions of a game that still counts as tiny


@dataclass(frozen=True)
class Node:
    """One decision of one history."""

    state: rw.State
    chance: Fraction  # that chance falls so, given the choices
    seen: tuple[int, ...]  # for each player the number of what was seen
    noticed: tuple[bool, ...]  # for each player whether the decision itself can be noticed
    half_made: bool  # somebody is in the middle of a set or a payment
    choices: tuple[tuple[Any, ...], ...]  # who, where, from which codes, which code
    world: Key
    unread: tuple[int, ...] = ()  # the same without the log, with what others did openly in its stead

    def others_choices(self, player: int) -> tuple[tuple[Any, ...], ...]:
        return tuple(choice for choice in self.choices if choice[0] != player)


class Histories:
    """The decisions of all histories of a game, and for each player the groups that look the same."""

    def __init__(self, game: rw.Game) -> None:
        self.game = game
        # The counter below falls otherwise than the generator would, so nothing can be left to be played again later.
        game.defers = False
        self.players = range(game.players)
        self.nodes: list[Node] = []
        self.ended: list[Node] = []  # where histories are over: what was seen is what was seen before
        self.reachable: set[Key] = set()  # the worlds of all histories, finished ones too
        self._numbers: dict[Any, int] = {}
        self._before: dict[int, int] = {0: 0}
        nothing = tuple(0 for _ in self.players)
        for chance, state in outcomes(lambda: game.new(seed=0)):
            self._add(state, chance, nothing, nothing, ())
        self.groups: dict[tuple[int, int], list[Node]] = defaultdict(list)
        for node in self.nodes:
            for player in self.players:
                if node.noticed[player]:
                    self.groups[player, node.seen[player]].append(node)

    def _add(
        self,
        state: rw.State,
        chance: Fraction,
        before: tuple[int, ...],
        unread_before: tuple[int, ...],
        choices: tuple[Any, ...],
    ) -> None:
        world = world_key(state)
        self.reachable.add(world)
        if state.over:
            unnoticed = tuple(False for _ in self.players)
            self.ended.append(Node(state, chance, before, unnoticed, False, choices, world))
            return
        assert len(self.nodes) < MOST, "this game is not tiny"
        half_made = is_half_made(state, choices)
        noticed = tuple(is_noticed(state, player, half_made) for player in self.players)
        shown = [observation(state, player) if noticed[player] else ("", ()) for player in self.players]
        seen = tuple(self._seen(state, player, before[player], shown[player][0]) for player in self.players)
        unread = tuple(self._number((unread_before[player], "unread", shown[player])) for player in self.players)
        self.nodes.append(Node(state, chance, seen, noticed, half_made, choices, world, unread))
        decision = state.decision
        assert decision is not None
        told = Codes(state)
        codes = tuple(told.of(option.raw) for option in decision.options)
        # What was seen at an unnoticed decision is told by the next one that is noticed.
        kept = tuple(seen[p] if noticed[p] else before[p] for p in self.players)
        for index, code in enumerate(codes):
            option = decision.options[index].raw
            chosen = (code, *positions_among_copies(state, option))
            after = tuple(self._number((s, "chose", chosen)) if p == state.who else s for p, s in enumerate(kept))
            done = [chosen if p == state.who else done_openly(state, p, option) for p in self.players]
            unread_after = tuple(self._number((u, "did", one)) for u, one in zip(unread, done, strict=True))
            made = (*choices, (state.who, state.site, codes, code))
            for fallen, following in outcomes(lambda index=index: state.clone().apply(index)):  # type: ignore[misc]
                self._add(following, chance * fallen, after, unread_after, made)

    def _seen(self, state: rw.State, player: int, before: int, shown: str) -> int:
        log = "\n".join(state.log(player))
        return self._number((before, shown, log) if shown else (before, "unnoticed", log))

    def _number(self, seen: Any) -> int:
        number = self._numbers.setdefault(seen, len(self._numbers) + 1)
        self._before[number] = seen[0]
        return number

    def possible(self, node: Node, player: int) -> list[Node]:
        """The decisions that the player cannot tell from this one.

        Where the player does not notice the decision, a world may have gone on to a later one, or to the end: all count
        that begin with what was seen so far.
        """
        if node.noticed[player]:
            return self.groups[player, node.seen[player]]
        before = self._before[node.seen[player]]
        return [other for other in (*self.nodes, *self.ended) if before in self._chain(other.seen[player])]

    def _chain(self, number: int) -> Iterator[int]:
        while number:
            yield number
            number = self._before[number]
        yield 0


@cache
def tiny_game(name: str) -> rw.Game:
    return game_from_program(checked(GAMES[name].read_text(encoding="utf-8")))


@cache
def histories_of(name: str) -> Histories:
    """Those of a game of `GAMES`. Whoever goes over all its decisions (worlds, scenes) shares them: nobody changes a
    state of a history, and playing them all is most of the work of such a test."""
    return Histories(tiny_game(name))


def is_noticed(state: rw.State, player: int, is_half_made: bool) -> bool:
    """Whether a player notices that this decision is pending."""
    return state.who == player or not (state.together or is_half_made or state.meta.sites[state.site].silent)


def is_half_made(state: rw.State, choices: tuple[Any, ...]) -> bool:
    """Whether a set or a payment is made pick by pick, and something is picked."""
    begun = bool(choices) and choices[-1][:2] == (state.who, state.site)
    return begun and state.meta.sites[state.site].kind in ("set", "pay")


def observation(state: rw.State, player: int) -> tuple[str, tuple[Any, ...]]:
    """All that a player is shown at a decision, but for the log; and what came and went, in the order in which it did,
    which is told by the log alone."""
    decision = state.decision
    assert decision is not None
    codes = Codes(state)  # as players are shown them: `int(option)` names the very copy, for the referee
    own = [[codes.of(option.raw), str(option)] for option in decision.options] if state.who == player else []
    prompt = decision.prompt if state.who == player else None
    picked = decision.picked if state.who == player else None
    told: list[Any] = []
    asked: Any = None
    numbers, forced = own_numbers(state.meta, state.meta.start, player), 0
    lines = 0  # values told to all, and decisions that fell through for all to see
    sights: list[tuple[int, ...]] = []  # since the last decision: how much was told before, from where, to where, what
    rolled: list[tuple[int, ...]] = []  # dice of one's own, thrown again perhaps before anybody was asked
    for event in events(state.ev):
        if event[0] == TOLD:
            told.append([event[2], event[4]])
            lines += 1
        elif event[0] == FELL and is_seen_to_fall(*event[1:]):
            told.append(event[1].site)
            lines += 1
        elif event[0] == ASKED:
            asked = event[1]
            is_forced = is_seen_to_be_forced(asked, player)
            if is_forced or is_surely_noticed(asked, player):
                numbers, before = own_numbers(state.meta, asked.f, player), numbers
                forced = forced + 1 if is_forced else 0
                told += [["meanwhile", forced, numbers]] if is_forced and numbers != before else []
        elif event[0] == TOOK:
            told += positions_chosen(asked, player, event[1])
            told += done_alone(asked, player, event[1])
            if is_surely_noticed(asked, player):
                sights = []
        elif event[0] == SEEN and event[1] == player:
            sights.append((lines, event[3], event[4], state.meta.piece_row[event[2]]))
        elif event[0] == SHOWN and event[1] >> player & 1:
            sights.append((lines, -2, event[2], event[3]))
        elif event[0] == ROLLED and event[1] not in state.machine.unseen_by(player):
            rolled.append((len(sights), event[1], event[2]))
    told, seen = as_numbers(told), as_numbers(sorted(sights))
    shown = [state.view(player), own, prompt, picked, told, state.site, seen]
    return json.dumps(shown, sort_keys=True), (*sights, *rolled)


def as_numbers(value: Any) -> Any:
    """A flag that was set to no holds False, and one that was never written 0: nobody can tell the two apart."""
    if isinstance(value, list | tuple):
        return [as_numbers(one) for one in value]
    return int(value) if isinstance(value, bool) else value


def is_seen_to_fall(state: rw.State, picked: tuple[int, ...], pick: int) -> bool:
    """Whether all know that nothing could be chosen: the rules came to a question, and nobody was asked. How many picks
    of a set or payment are forced nobody sees, and nobody sees anything of a silent `may` or inside `together`."""
    site = state.meta.sites[state.site]
    is_begun = bool(picked) or (site.kind in ("set", "pay") and pick >= 0)
    return not (is_begun or site.silent or state.together)


def is_seen_to_be_forced(asked: rw.State, player: int) -> bool:
    """Whether the rules come to a decision that leaves one option, before the eyes of the player."""
    site = asked.meta.sites[asked.site]
    is_hidden = asked.together or site.silent or site.kind in ("set", "pay")
    return len(asked.opts) == 1 and asked.auto and (asked.who == player or not is_hidden)


def own_numbers(meta: Any, numbers: Any, player: int) -> list[int]:
    """Of all numbers those of the table and of players that the player always sees."""
    found = []
    for field in meta.fields:
        size = elements(field.dimensions)
        if field.thing == "piece" or field.owner not in ("table", "player"):
            continue
        each = size // field.dimensions[0][2] if field.owner == "player" else size
        found += [
            numbers[field.base + number]
            for number in range(size)
            if is_seen(player, field, number // each if field.owner == "player" else -1)
        ]
    return found


def is_surely_noticed(asked: rw.State, player: int) -> bool:
    """Whether the player had a look at this decision, whatever was picked before it."""
    site = asked.meta.sites[asked.site]
    is_posed = len(asked.opts) > 1 or not asked.auto
    return is_posed and (asked.who == player or not (asked.together or site.silent or site.kind in ("set", "pay")))


def positions_chosen(state: rw.State, player: int, option: int) -> list[tuple[int, int]]:
    """The rows with closed or equal pieces, and the positions in them, at which somebody else has pointed for all to
    see."""
    site = state.meta.sites[state.site]
    bound = bound_by(state, site, option)
    if state.who == player or site.secret or state.together or bound is None or site.kind == "pay":
        return []
    found = []
    for value, (thing, _, _) in zip(bound[1], site.branches[bound[0]][1], strict=True):
        if thing in ("piece", "row", "spot") and 0 <= state.at[value] < state.meta.lists:
            place = state.at[value]
            is_seen = state.meta.sees[place] >> player & 1 and not state.fd >> value & 1
            row = state.meta.piece_row
            alike = [one for one in state.p[place] if row[one] == row[value] and not state.fd >> one & 1]
            is_told = is_seen and len(alike) == 1
            if not state.meta.unordered[place] and not is_told:
                found.append((place, state.p[place].index(value)))
    return found


def done_alone(state: rw.State, player: int, option: int) -> list[Any]:
    """What somebody else did openly because nothing else could be done: no line of the log says it, but all have seen
    which branch it was and which numbers it has. Of pieces they see what they see where those lie."""
    site = state.meta.sites[state.site]
    is_alone = len(state.opts) == 1 and state.auto
    found = site.values_of(option)
    is_hidden = site.secret or site.silent or state.together or site.kind in ("set", "pay")
    if state.who == player or not is_alone or is_hidden or found is None:
        return []
    branch, values = found
    things = [thing for thing, _, _ in site.branches[branch][1]]
    return [[state.site, branch, [x for x, thing in zip(values, things, strict=True) if thing not in PIECES]]]


def done_openly(state: rw.State, player: int, option: int) -> tuple[Any, ...]:
    """What a player sees of somebody else's choice as it is made: which branch it was, its numbers, and of pieces what
    is seen where they lie. Nobody else sees anything of what is chosen secretly, or while all choose together."""
    site = state.meta.sites[state.site]
    if site.secret or state.together or (option == PASS and site.silent):
        return ()
    found = site.values_of(option) if site.kind == "pay" else bound_by(state, site, option)
    if found is None:
        return (state.site, option)
    told: list[Any] = []
    for value, (thing, _, _) in zip(found[1], site.branches[found[0]][1], strict=True):
        is_piece = thing in PIECES and value >= 0
        told.append(_seen_of(state, player, value) if is_piece else value)
    return (state.site, found[0], *told, *positions_chosen(state, player, option))


def _seen_of(state: rw.State, player: int, piece: int) -> tuple[int, int]:
    """Where a piece lies, and its row if the player sees or knows it there; else its back, as a negative number. Of the
    known cards of a closed hand nobody sees which one is chosen, unless they are equal."""
    meta, place = state.meta, state.at[piece]
    is_shown = place >= 0 and meta.sees[place] >> player & 1 and not state.fd >> piece & 1
    lying = state.p[place] if 0 <= place < meta.lists and meta.unordered[place] else [piece]
    is_known = not any(state.kn[player].hidden >> one & 1 for one in lying)
    is_told = is_shown or place in meta.top_open or (is_known and len({meta.piece_row[one] for one in lying}) == 1)
    return place, meta.piece_row[piece] if is_told else -1 - meta.piece_back[piece]


def positions_among_copies(state: rw.State, option: int) -> list[tuple[int, int]]:
    """Of a player's own choice: where the pieces lie that have an equal copy beside them in a row or pile which the
    player sees. Such options share a code, and their labels tell them apart."""
    site = state.meta.sites[state.site]
    bound = bound_by(state, site, option)
    if bound is None or site.kind == "pay":
        return []
    found, row = [], state.meta.piece_row
    for value, (thing, _, _) in zip(bound[1], site.branches[bound[0]][1], strict=True):
        if thing in ("piece", "row", "spot") and 0 <= state.at[value] < state.meta.lists:
            place = state.at[value]
            copies = [one for one in state.p[place] if row[one] == row[value] and one != value]
            seen = [one for one in copies if state.meta.sees[place] >> state.who & 1 and not state.fd >> one & 1]
            if seen and not state.meta.unordered[place]:
                found.append((place, state.p[place].index(value)))
    return found


# ---------------------------------------------------------------------------- chance


def outcomes(run: Callable[[], rw.State]) -> Iterator[tuple[Fraction, rw.State]]:
    """Every outcome of chance in a step of the game, with how likely it is."""
    left: list[list[int]] = [[]]
    while left:
        numbers = left.pop()
        with fallen(numbers) as asked:
            state = run()
        chance = Fraction(1)
        for position, (number, below) in enumerate(asked):
            chance /= below
            if position >= len(numbers):
                before = [earlier for earlier, _ in asked[:position]]
                left += [[*before, other] for other in range(number + 1, below)]
        yield chance, state


@contextmanager
def fallen(numbers: list[int]) -> Iterator[list[tuple[int, int]]]:
    """Chance gives these numbers and then zeros; what was asked for is (number, bound) in order."""
    asked: list[tuple[int, int]] = []

    def below(_state: Any, count: int) -> int:
        number = numbers[len(asked)] if len(asked) < len(numbers) else 0
        asked.append((number, count))
        return number

    generator, chances.below = chances.below, below
    try:
        yield asked
    finally:
        chances.below = generator
