"""Kiwi Chow Down, the table: where everything is, what is asked, domination, bags and payments.

A kiwi is a number, 20 a player; `leaders + p` is the leader of player p. A stack of tasks says what is still to be
done; a task that needs a decision leaves it in `asked`, as the name of the method that takes the answer and its
arguments, with the possible answers in `moves`. A decision with one answer takes it at once. Fruit colours are 0 to 3;
among things to pay, 4 to 7 are markers by terrain.
"""

from __future__ import annotations

from bisect import insort
from typing import Any

from tools.baselines.baseline import Baseline
from tools.baselines.kiwi_data import ISLANDS, MOVE_COLOURS, TOWERS, Task


class KiwiTable(Baseline):
    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(players, seed)
        self.island = ISLANDS[players]
        hexes = len(self.island.places)
        self.leaders = 20 * players
        self.owner = [k // 20 for k in range(self.leaders)] + list(range(players))
        self.size = [0] * self.leaders + [3] * players
        self.at = [-1] * (self.leaders + players)
        self.moved = [False] * (self.leaders + players)
        self.kiwis: list[list[int]] = [[] for _ in range(hexes)]
        self.nest = [-1] * hexes  # 6 * owner + nest
        self.domain = [-1] * hexes
        self.pink, self.brown = [14] * 4, [14] * 4
        self.clan, self.card = [-1] * players, [0] * players
        self.row, self.reserve = [0] * players, [0] * players  # slots of the row that are empty; tokens
        self.fruits: list[list[int]] = [[0] * 4 for _ in range(players)]
        self.markers: list[list[int]] = [[0] * 4 for _ in range(players)]
        self.built: list[list[int]] = [[] for _ in range(players)]
        self.deck: list[list[int]] = [[] for _ in range(players)]
        self.hand: list[list[int]] = [[] for _ in range(players)]
        self.slots: list[list[int]] = [[] for _ in range(players)]
        self.discard: list[list[int]] = [[] for _ in range(players)]
        self.used, self.led = [False] * players, [False] * players
        self.vp = [0] * players
        self.season = 1
        self.row_pays = True
        self.moves: list[Any] = []
        self.asked: Task = ()
        self.first = self.random.randrange(players)
        self.cards = self.random.sample(range(15), 4)
        self.tasks: list[Task] = []

    def legal_moves(self) -> list[Any]:
        return self.moves

    def play(self, move: Any) -> None:
        name, *arguments = self.asked
        self.moves = []
        getattr(self, name)(move, *arguments)
        self.advance()

    def advance(self) -> None:
        while not self.moves:
            if not self.tasks:
                self.over = True
                return
            name, *arguments = self.tasks.pop()
            getattr(self, name)(*arguments)

    def ask(self, player: int, moves: list[Any], name: str, *arguments: Any) -> None:
        if len(moves) == 1:
            getattr(self, name)(moves[0], *arguments)
        elif moves:
            self.player, self.moves, self.asked = player, moves, (name, *arguments)

    def then(self, *tasks: Task) -> None:
        self.tasks.extend(reversed(tasks))

    def perform(self, p: int, benefits: tuple[Task, ...]) -> None:
        self.then(*((benefit[0], p, *benefit[1:]) for benefit in benefits))

    def turn_order(self) -> list[int]:
        return [(self.first + n) % self.players for n in range(self.players)]

    def put(self, kiwi: int, place: int) -> None:
        if self.at[kiwi] >= 0:
            self.kiwis[self.at[kiwi]].remove(kiwi)
        self.at[kiwi] = place
        if place >= 0:
            insort(self.kiwis[place], kiwi)

    def distinct(self, kiwis: list[int]) -> list[int]:
        """One of each sort of kiwis on a hex."""
        sorts: dict[tuple[int, int, bool], int] = {}
        for kiwi in kiwis:
            sort = (self.owner[kiwi], self.size[kiwi] if kiwi < self.leaders else 4, self.moved[kiwi])
            sorts.setdefault(sort, kiwi)
        return list(sorts.values())

    def own(self, p: int, most: int = 3, but: int = -1) -> list[int]:
        """Own kiwis on the island up to that size, one of each sort a hex, without the leader and but for that one."""
        found: list[int] = []
        size, owner = self.size, self.owner
        for here in self.kiwis:
            if here:
                mine = [k for k in here if k < self.leaders and owner[k] == p and size[k] <= most and k != but]
                found += self.distinct(mine) if len(mine) > 1 else mine
        return found

    def dissolve(self, kiwi: int) -> None:
        self.reserve[self.owner[kiwi]] += self.size[kiwi]
        self.size[kiwi] = 0
        self.put(kiwi, -1)

    def shrink(self, kiwi: int) -> None:
        self.size[kiwi] -= 1
        if self.size[kiwi] == 0:
            self.put(kiwi, -1)

    def draw(self, bag: list[int], held: list[int], count: int) -> None:
        for _ in range(min(count, sum(bag))):
            kind = self.random.choices(range(4), bag)[0]
            bag[kind] -= 1
            held[kind] += 1

    def fruit(self, p: int, count: int) -> None:
        self.draw(self.pink, self.fruits[p], count)
        self.then(("cut", p, 0))

    def marker(self, p: int, count: int) -> None:
        self.draw(self.brown, self.markers[p], count)

    def cut(self, p: int, least: int) -> None:
        fruits = self.fruits[p]
        excess = sum(fruits) - 10
        if excess > 0:
            self.ask(p, [c for c in range(least, 4) if fruits[c] and sum(fruits[c:]) >= excess], "cut_one", p)

    def cut_one(self, colour: int, p: int) -> None:
        self.fruits[p][colour] -= 1
        self.pink[colour] += 1
        self.then(("cut", p, colour))

    def can_pay(self, p: int, count: int, pattern: str, picks: tuple[int, ...] = ()) -> bool:
        """Whether so many more things can be paid after these picks, never going back in the order of kinds."""
        fruits, markers = self.fruits[p], self.markers[p]
        last = picks[-1] if picks else 0
        wild = sum(markers) if last < 4 else sum(markers[last - 4 :])
        count -= wild
        if count <= 0:
            return True
        if last > 3:
            return False
        if pattern == "different":
            return sum(1 for c in range(last + (1 if picks else 0), 4) if fruits[c]) >= count
        if pattern == "equal":
            return (fruits[last] if picks else max(fruits)) >= count
        return sum(fruits[c] for c in MOVE_COLOURS[self.clan[p]] if c >= last) >= count

    def pay(self, p: int, count: int, pattern: str, picks: tuple[int, ...]) -> None:
        if count == 0:
            return
        last = picks[-1] if picks else 0
        moves = []
        for kind in range(last, 8):
            held = self.fruits[p] if kind < 4 else self.markers[p]
            if not held[kind % 4]:
                continue
            if kind < 4 and picks and (kind == last) == (pattern == "different") and pattern != "among":
                continue
            if kind < 4 and pattern == "among" and kind not in MOVE_COLOURS[self.clan[p]]:
                continue
            held[kind % 4] -= 1
            if self.can_pay(p, count - 1, pattern, (*picks, kind)):
                moves.append(kind)
            held[kind % 4] += 1
        self.ask(p, moves, "pay_one", p, count, pattern, picks)

    def pay_one(self, kind: int, p: int, count: int, pattern: str, picks: tuple[int, ...]) -> None:
        held, bag = (self.fruits[p], self.pink) if kind < 4 else (self.markers[p], self.brown)
        held[kind % 4] -= 1
        bag[kind % 4] += 1
        self.then(("pay", p, count - 1, pattern, (*picks, kind)))

    def strengths(self, place: int) -> list[int]:
        worth = [0] * self.players
        for kiwi in self.kiwis[place]:
            worth[self.owner[kiwi]] += self.size[kiwi]
        nest = self.nest[place]
        if nest >= 0 and nest % 6 in TOWERS:
            worth[nest // 6] += 2
        return worth

    def ruler(self, place: int) -> int:
        worth = self.strengths(place)
        best = max(worth)
        return worth.index(best) if worth.count(best) == 1 else -1

    def count(self, what: str, of: int, p: int) -> int:
        hexes = range(len(self.kiwis))
        mine = [[k for k in here if self.owner[k] == p] for here in self.kiwis]
        match what:
            case "size":
                return sum(self.size[k] == of for own in mine for k in own)
            case "terrain":
                return sum(self.strengths(h)[p] for h in hexes if self.island.terrain[h] == of)
            case "nests":
                return len(self.built[p])
            case "court":
                return sum(self.strengths(self.at[self.leaders + p]))
            case "best":
                return max(self.strengths(h)[p] for h in hexes)
            case "ruled":
                return sum(self.ruler(h) == p for h in hexes)
        return sum(len(own) == 1 for own in mine)
