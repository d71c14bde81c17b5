"""Board games written directly in Python, as briefly as they go: what is offered, what a move does, who has won.

They share nothing with the interpreter and nothing with each other but the names of squares. Each has `labels()`,
`play(label)` and
`winners` (None while the game goes on, both for a draw).
"""

from __future__ import annotations

Cell = tuple[int, int]  # column and row, from 0


def named(cell: Cell) -> str:
    return f"{chr(97 + cell[0])}{cell[1] + 1}"


def cell_of(name: str) -> Cell:
    return ord(name[0]) - 97, int(name[1:]) - 1


class Gomoku:
    def __init__(self) -> None:
        self.stones: dict[Cell, int] = {}
        self.player, self.winners = 0, None  # type: int, list[int] | None

    def labels(self) -> set[str]:
        return {named((x, y)) for x in range(15) for y in range(15) if (x, y) not in self.stones}

    def play(self, label: str) -> None:
        x, y = cell_of(label)
        self.stones[x, y] = self.player
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1)):
            if 1 + self.run(x, y, dx, dy) + self.run(x, y, -dx, -dy) >= 5:
                self.winners = [self.player]
        if self.winners is None and len(self.stones) == 225:
            self.winners = [0, 1]
        self.player = 1 - self.player

    def run(self, x: int, y: int, dx: int, dy: int) -> int:
        found = 0
        while self.stones.get((x + dx * (found + 1), y + dy * (found + 1))) == self.player:
            found += 1
        return found


class Hex:
    def __init__(self, size: int = 11) -> None:
        self.size = size
        self.stones: dict[Cell, int] = {}
        self.player, self.winners = 0, None  # type: int, list[int] | None

    def labels(self) -> set[str]:
        cells = [(x, y) for x in range(self.size) for y in range(self.size)]
        return {named(cell) for cell in cells if cell not in self.stones}

    def play(self, label: str) -> None:
        self.stones[cell_of(label)] = self.player
        along = 1 - self.player  # red goes from the first row to the last, blue from the first column
        reached = [cell for cell, owner in self.stones.items() if owner == self.player and cell[along] == 0]
        for x, y in reached:
            beside = ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1), (x + 1, y - 1), (x - 1, y + 1))
            reached += [cell for cell in beside if self.stones.get(cell) == self.player and cell not in reached]
        if any(cell[along] == self.size - 1 for cell in reached):
            self.winners = [self.player]
        self.player = 1 - self.player


class Go:
    def __init__(self) -> None:
        self.stones: dict[Cell, int] = {}
        self.before = {frozenset[tuple[Cell, int]]()}
        self.player, self.passes, self.moves = 0, 0, 0
        self.winners: list[int] | None = None

    @staticmethod
    def beside(cell: Cell) -> list[Cell]:
        x, y = cell
        return [(a, b) for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)) if 0 <= a < 9 and 0 <= b < 9]

    def region(self, stones: dict[Cell, int], cell: Cell) -> tuple[set[Cell], set[int | None]]:
        """The cells joined with this one in the same state, and what lies around them."""
        found, around = {cell}, set[int | None]()
        left = [cell]
        while left:
            for other in self.beside(left.pop()):
                if stones.get(other) != stones.get(cell):
                    around.add(stones.get(other))
                elif other not in found:
                    found.add(other)
                    left.append(other)
        return found, around

    def after(self, cell: Cell) -> dict[Cell, int] | None:
        """The board after a stone there, or None if it may not be put."""
        if cell in self.stones:
            return None
        stones = {**self.stones, cell: self.player}
        for other in self.beside(cell):
            if stones.get(other) == 1 - self.player:
                group, around = self.region(stones, other)
                if None not in around:
                    stones = {one: owner for one, owner in stones.items() if one not in group}
        if None not in self.region(stones, cell)[1] or frozenset(stones.items()) in self.before:
            return None
        return stones

    def labels(self) -> set[str]:
        return {named((x, y)) for x in range(9) for y in range(9) if self.after((x, y)) is not None} | {"Pass"}

    def play(self, label: str) -> None:
        self.moves += 1
        self.passes = self.passes + 1 if label == "Pass" else 0
        if label != "Pass":
            stones = self.after(cell_of(label))
            assert stones is not None
            self.stones = stones
            self.before.add(frozenset(stones.items()))
        self.player = 1 - self.player
        if self.passes == 2 or self.moves == 162:
            self.winners = [0] if self.area(0) > self.area(1) + 7.5 else [1]

    def area(self, player: int) -> int:
        cells = [(x, y) for x in range(9) for y in range(9)]
        return sum(
            self.stones[cell] == player if cell in self.stones else self.region(self.stones, cell)[1] == {player}
            for cell in cells
        )


class Oware:
    def __init__(self) -> None:
        self.seeds, self.stores = [4] * 12, [0, 0]
        self.player, self.winners = 0, None  # type: int, list[int] | None
        self.before = {(tuple(self.seeds), 0)}

    def own(self, player: int) -> range:
        return range(6 * player, 6 * player + 6)

    def side(self, player: int) -> int:
        return sum(self.seeds[n] for n in self.own(player))

    def labels(self) -> set[str]:
        houses = [n for n in self.own(self.player) if self.seeds[n]]
        if not self.side(1 - self.player):
            houses = [n for n in houses if n % 6 + self.seeds[n] > 5]
        return {f"Sow house {n % 6 + 1}" for n in houses} or {"No move"}

    def play(self, label: str) -> None:
        if label == "No move":
            return self.finish()
        start = at = 6 * self.player + int(label[-1]) - 1
        hand, self.seeds[start] = self.seeds[start], 0
        while hand:
            at = (at + 1) % 12
            if at != start:
                self.seeds[at] += 1
                hand -= 1
        taken = []
        while at in self.own(1 - self.player) and self.seeds[at] in (2, 3):
            taken.append(at)
            at -= 1
        if sum(self.seeds[n] for n in taken) < self.side(1 - self.player):
            for n in taken:
                self.stores[self.player] += self.seeds[n]
                self.seeds[n] = 0
        if self.stores[self.player] > 24:
            self.winners = [self.player]
        self.player = 1 - self.player
        if self.winners is None and (tuple(self.seeds), self.player) in self.before:
            self.finish()
        self.before.add((tuple(self.seeds), self.player))
        return None

    def finish(self) -> None:
        totals = [self.stores[n] + self.side(n) for n in (0, 1)]
        self.winners = [n for n in (0, 1) if totals[n] == max(totals)]


class Draughts:
    """Jumps are played one by one, as the rules ask for them."""

    def __init__(self) -> None:
        dark = [(x, y) for x in range(8) for y in range(8) if (x + y) % 2 == 0]
        self.men = {cell: (0 if cell[1] < 3 else 1, False) for cell in dark if not 3 <= cell[1] <= 4}
        self.player, self.winners = 0, None  # type: int, list[int] | None
        self.hopper: Cell | None = None
        self.idle = 0
        self.positions = [self.position()]

    def position(self) -> tuple[frozenset[tuple[Cell, tuple[int, bool]]], int]:
        return frozenset(self.men.items()), self.player

    def ways(self, cell: Cell, far: int) -> list[Cell]:
        owner, king = self.men[cell]
        ahead = (1, -1) if king else (1,) if owner == 0 else (-1,)
        return [(cell[0] + dx * far, cell[1] + dy * far) for dy in ahead for dx in (1, -1)]

    def jumps(self, cell: Cell) -> list[Cell]:
        return [
            goal
            for over, goal in zip(self.ways(cell, 1), self.ways(cell, 2), strict=True)
            if self.men.get(over, (self.player, False))[0] != self.player and self.is_free(goal)
        ]

    def is_free(self, cell: Cell) -> bool:
        return cell not in self.men and 0 <= cell[0] < 8 and 0 <= cell[1] < 8

    def labels(self) -> set[str]:
        if self.hopper is not None:
            return {f"Takes to {named(goal)}" for goal in self.jumps(self.hopper)}
        own = [cell for cell, (owner, _) in self.men.items() if owner == self.player]
        jumps = {f"{named(cell)} takes to {named(goal)}" for cell in own for goal in self.jumps(cell)}
        steps = {f"{named(cell)} to {named(goal)}" for cell in own for goal in self.ways(cell, 1) if self.is_free(goal)}
        return jumps or steps or {"No move"}

    def play(self, label: str) -> None:
        if label == "No move":
            self.winners = [1 - self.player]
            return
        words = label.split()
        start, goal = self.hopper or cell_of(words[0]), cell_of(words[-1])
        owner, king = self.men.pop(start)
        crowned = not king and goal[1] == (7, 0)[owner]
        self.men[goal] = owner, king or crowned
        jumped = abs(goal[0] - start[0]) == 2
        self.idle = 0 if jumped or not king else self.idle + 1
        if jumped:
            del self.men[(start[0] + goal[0]) // 2, (start[1] + goal[1]) // 2]
        self.hopper = goal if jumped and not crowned and self.jumps(goal) else None
        if self.hopper is None:
            self.player = 1 - self.player
            self.positions.append(self.position())
            if self.positions.count(self.position()) == 3 or self.idle == 80:
                self.winners = [0, 1]


class Backgammon:
    """Looks for the longest plays by trying everything. Points are seen from each player; 25 is the bar, 0 is off."""

    def __init__(self) -> None:
        start = [0] * 26
        start[24], start[13], start[8], start[6] = 2, 5, 3, 5
        self.points = [list(start), list(start)]

    def offers(self, player: int, dice: tuple[int, ...]) -> set[tuple[int, int]]:
        """The first moves (point, number) of the plays that use most numbers; of single ones the higher number."""
        best = self.longest(self.points, player, dice)
        if best == 0:
            return set()
        found = {
            (point, number)
            for number in set(dice)
            for point in range(1, 26)
            if self.may(self.points, player, point, number)
            and 1 + self.longest(self.moved(self.points, player, point, number), player, without(dice, number)) == best
        }
        if best == 1 and len(dice) == 2:
            high = max(number for _, number in found)
            found = {move for move in found if move[1] == high}
        return found

    def longest(self, points: list[list[int]], player: int, dice: tuple[int, ...]) -> int:
        best = 0
        for number in set(dice):
            for point in range(1, 26):
                if self.may(points, player, point, number):
                    rest = without(dice, number)
                    best = max(best, 1 + self.longest(self.moved(points, player, point, number), player, rest))
                    if best == len(dice):
                        return best
        return best

    def may(self, points: list[list[int]], player: int, point: int, number: int) -> bool:
        own, other = points[player], points[1 - player]
        if not own[point] or (own[25] and point != 25):
            return False
        if point > number:
            return other[25 - (point - number)] < 2
        return not any(own[7:]) and (point == number or not any(own[point + 1 :]))

    def moved(self, points: list[list[int]], player: int, point: int, number: int) -> list[list[int]]:
        found = [list(points[0]), list(points[1])]
        goal = max(0, point - number)
        found[player][point] -= 1
        found[player][goal] += 1
        if goal and found[1 - player][25 - goal] == 1:
            found[1 - player][25 - goal] = 0
            found[1 - player][25] += 1
        return found


def without(dice: tuple[int, ...], number: int) -> tuple[int, ...]:
    left = list(dice)
    left.remove(number)
    return tuple(left)
