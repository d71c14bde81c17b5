"""KIKAI for two, Normal mode, complete: start, pairs, the extra action, four actions, tolls, billboards, fame.

What is still to be done stands on a stack of steps, the next one last. A step does its work, or lists moves and waits;
a list of one move is not asked. Ladders may be placed at any decision of a turn, unless a choice is half made:
`("ladders",)` stands in the list, then the element is chosen and the interrupted step asked again.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import Any

from tools.baselines.baseline import Baseline
from tools.baselines.kikai_data import (
    AREAS,
    BOARD_GIFTS,
    BOARDS,
    ELEMENTS,
    FOUNDATIONS,
    INCOME,
    LAST_SPACE,
    MULTIPLIER,
    SPACE_BONUS,
    SQUARE_POINTS,
    SQUARES,
    START_LEGS,
    STREETS,
    STREETS_AT,
    TILES,
    TOKEN_SPACES,
    TOOLS,
    TRACK_POINTS,
    TURNS,
    Gift,
    distance,
)

LEGS, BODY, HEAD = range(3)
FLYERS = 20
FLYER_PRICE = 2
HALF_MADE = ("ladders", "further")

Move = tuple[Any, ...]
Step = tuple[Any, ...]


class Kikai(Baseline):
    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(players, seed)
        self.energy, self.megaphones, self.ladders, self.points = [5, 5], [1, 1], [1, 1], [0, 0]
        self.influence = [[0, 0, 0], [0, 0, 0]]
        self.fame = [0, 0]
        self.uncovered = [0, 0]
        self.owner: list[int | None] = [None] * len(STREETS)
        self.towers: list[list[list[int | None]]] = [[[None] * 3 for _ in range(AREAS)] for _ in range(2)]
        self.zones: list[list[list[int | None]]] = [[[None] * 3 for _ in range(AREAS)] for _ in range(2)]
        self.served = [[[False] * 3 for _ in range(AREAS)] for _ in range(2)]
        self.start_legs = [list(legs) for legs in START_LEGS]
        self.boards = [list(BOARDS), list(BOARDS)]
        self.signs: list[int | None] = [None] * SQUARES
        self.fans = [[0, 0, 0], [0, 0, 0]]
        self.played: list[int] = []
        self.turns_taken = [0, 0]
        self.round = 0
        self.opener = 0
        self.in_turn = False
        self.moves: list[Move] = []
        self.step: Step = ()
        self.set_up()
        self.todo: list[Step] = [("next_turn",), ("start", 0), ("start", 1), ("start", 1), ("start", 0)]
        self.run()

    def set_up(self) -> None:
        shuffle = self.random.shuffle
        self.foundations: list[list[int]] = [list(FOUNDATIONS), list(FOUNDATIONS)]
        for own in self.foundations:
            shuffle(own)
        self.tiles: list[str | None] = list(TILES)
        shuffle(self.tiles)
        started = {legs for own in START_LEGS for legs in own}
        self.stacks = [
            [number for number in range(12) if part != LEGS or number not in started] for part in (LEGS, BODY, HEAD)
        ]
        for stack in self.stacks:
            shuffle(stack)
        self.display = [[stack.pop() for _ in range(3)] for stack in self.stacks]
        bag = [colour for colour in range(3) for _ in range(15)]
        shuffle(bag)
        self.squares = [[bag.pop() for _ in range(tools)] for tools in TOOLS]
        self.deck = [area for area in range(AREAS) for _ in range(5)]
        shuffle(self.deck)
        self.cards = [[self.deck.pop() for _ in range(4)] for _ in range(2)]
        self.offer = [self.deck.pop(), self.deck.pop()]

    # ------------------------------------------------------------ steps and moves

    def run(self) -> None:
        """Work until there is something to decide."""
        while self.todo and not self.over:
            self.step = self.todo.pop()
            moves = getattr(self, "at_" + self.step[0])(*self.step[1:])
            if not moves:
                continue
            if self.in_turn and self.step[0] not in HALF_MADE and self.to_serve():
                moves.append(("ladders",))
            if len(moves) > 1:
                self.moves = moves
                return
            self.answer(moves[0])

    def legal_moves(self) -> list[Move]:
        return self.moves

    def play(self, move: Move) -> None:
        self.answer(move)
        self.run()

    def answer(self, move: Move) -> None:
        if move == ("ladders",):
            self.todo += [self.step, ("ladders",)]
        else:
            getattr(self, "do_" + self.step[0])(*self.step[1:], *move)

    def gain(self, player: int, gift: Gift) -> None:
        self.energy[player] += gift[0]
        self.megaphones[player] += gift[1]
        self.ladders[player] += gift[2]
        self.points[player] += gift[3]

    # ------------------------------------------------------------ starting placement

    def at_start(self, player: int) -> list[Move]:
        self.player = player
        return [
            (legs, area, street)
            for legs in self.start_legs[player]
            for area in range(AREAS)
            if self.towers[player][area][LEGS] is None
            for street, _ in STREETS_AT[area]
            if STREETS[street][2] == 1 and self.owner[street] is None
        ]

    def do_start(self, player: int, legs: int, area: int, street: int) -> None:
        self.start_legs[player].remove(legs)
        self.set_foot(player, area, legs)
        self.lay_flyers(player, street)

    def set_foot(self, player: int, area: int, legs: int) -> None:
        self.towers[player][area][LEGS] = legs
        self.influence[player][ELEMENTS[LEGS][legs][0]] += 1
        self.foundations[player][area] = 0

    # ------------------------------------------------------------ rounds and turns

    def at_next_turn(self) -> None:
        if all(self.turns_taken[player] == TURNS[player][self.round] for player in range(2)):
            self.end_round()
            if self.over:
                return
        player = self.player = self.opener
        self.opener = 1 - player
        self.turns_taken[player] += 1
        self.in_turn = True
        self.todo += [("next_turn",), ("end_turn",), ("draw",), ("take",)]
        if self.cards[player]:
            self.todo += [("extra",), ("card",)]

    def at_end_turn(self) -> None:
        self.in_turn = False
        while len(self.offer) < 2 and self.deck:
            self.offer.append(self.deck.pop())

    def end_round(self) -> None:
        self.random.shuffle(self.played)
        self.deck = self.played + self.deck
        self.played = []
        for player in range(2):
            self.points[player] += (self.fame[player] + 2) // 3 * MULTIPLIER[self.round]
        self.fame = [0, 0]
        self.turns_taken = [0, 0]
        if self.round == 3:
            self.finish()
        else:
            self.round += 1

    def at_card(self) -> list[Move]:
        cards = self.cards[self.player]
        held = sorted(set(cards))
        pairs: list[Move] = [(area, target) for area in held if cards.count(area) > 1 for target in range(AREAS)]
        return [*((area, None) for area in held), *pairs]

    def do_card(self, area: int, target: int | None) -> None:
        for _ in range(1 if target is None else 2):
            self.cards[self.player].remove(area)
            self.played.append(area)
        self.todo.append(("act", area if target is None else target))

    def at_extra(self) -> list[Move]:
        if self.megaphones[self.player] and self.cards[self.player]:
            return [("yes",), ("pass",)]
        return [("pass",)]

    def do_extra(self, wanted: str) -> None:
        if wanted == "yes":
            self.megaphones[self.player] -= 1
            self.todo.append(("card",))

    def at_take(self) -> list[Move]:
        moves: list[Move] = [(area,) for area in sorted(set(self.offer))]
        if self.deck:
            moves.append((None,))
        return moves or [(-1,)]

    def do_take(self, area: int | None) -> None:
        if area is None:
            self.cards[self.player].append(self.deck.pop())
        elif area >= 0:
            self.offer.remove(area)
            self.cards[self.player].append(area)

    def at_draw(self) -> list[Move]:
        if self.deck and self.ladders[self.player]:
            return [("yes",), ("pass",)]
        return [("pass",)]

    def do_draw(self, wanted: str) -> None:
        if wanted == "yes":
            self.ladders[self.player] -= 1
            self.cards[self.player].append(self.deck.pop())
            self.todo.append(("draw",))

    def at_act(self, area: int) -> list[Move]:
        moves: list[Move] = []
        if self.at_build(area):
            moves.append(("build",))
        if self.at_street(area):
            moves.append(("street",))
        if self.at_fan(area):
            moves.append(("fan",))
        return [*moves, ("fetch",)]

    def do_act(self, area: int, action: str) -> None:
        self.todo.append((action, area))

    # ------------------------------------------------------------ ladders

    def to_serve(self) -> list[tuple[int, int]]:
        """Own Bodies and Heads without ladders that can be served now."""
        held = self.ladders[self.player]
        if not held:
            return []
        towers, served = self.towers[self.player], self.served[self.player]
        return [
            (area, part)
            for area in range(AREAS)
            for part in (BODY, HEAD)
            if part <= held and towers[area][part] is not None and not served[area][part]
        ]

    def at_ladders(self) -> list[Move]:
        return list(self.to_serve())

    def do_ladders(self, area: int, part: int) -> None:
        player = self.player
        self.ladders[player] -= part
        self.served[player][area][part] = True
        element = self.towers[player][area][part]
        assert element is not None
        self.influence[player][ELEMENTS[part][element][0]] += part + 1

    # ------------------------------------------------------------ building

    def at_build(self, area: int) -> list[Move]:
        tower = self.towers[self.player][area]
        if None not in tower:
            return []
        part = tower.index(None)
        energy = self.energy[self.player]
        return [(element,) for element in sorted(self.display[part]) if ELEMENTS[part][element][1] <= energy]

    def do_build(self, area: int, element: int) -> None:
        player = self.player
        part = self.towers[player][area].index(None)
        self.energy[player] -= ELEMENTS[part][element][1]
        self.display[part].remove(element)
        if part == LEGS:
            self.set_foot(player, area, element)
        else:
            self.towers[player][area][part] = element
        if self.stacks[part]:
            self.display[part].append(self.stacks[part].pop())
        tile = self.tiles[area]
        if part == HEAD and tile is not None:
            self.tiles[area] = None
            if tile == "influence":
                self.todo.append(("best",))
            else:
                self.points[player] += self.tile_points(tile)

    def at_best(self) -> list[Move]:
        """Ladders may still be placed before the best influence scores."""
        return [("score",)]

    def do_best(self, _: str) -> None:
        self.points[self.player] += 2 * max(self.influence[self.player])

    def tile_points(self, tile: str) -> int:
        player = self.player
        towers = self.towers[player]
        if tile == "flyers":
            return sum(STREETS[street][2] for street, owner in enumerate(self.owner) if owner == player)
        if tile == "height":
            heights = [[3 - tower.count(None) for tower in own] for own in self.towers]
            return 3 * sum(heights[player][area] > heights[1 - player][area] for area in range(AREAS))
        if tile == "signs":
            return 2 * self.signs.count(player)
        if tile == "heads":
            return 4 * sum(tower[HEAD] is not None for tower in towers)
        return 2 * sum(tower[LEGS] is not None for tower in towers)

    # ------------------------------------------------------------ flyers

    def at_street(self, area: int) -> list[Move]:
        player = self.player
        slots = min(self.energy[player] // FLYER_PRICE, FLYERS - self.uncovered[player])
        if not slots:
            return []
        nodes = {area}
        waiting = [area]
        for node in waiting:
            for street, other in STREETS_AT[node]:
                if self.owner[street] == player and other >= AREAS and other not in nodes:
                    nodes.add(other)
                    waiting.append(other)
        open_streets = {street for node in nodes for street, _ in STREETS_AT[node]}
        return [
            (street,) for street in sorted(open_streets) if self.owner[street] is None and STREETS[street][2] <= slots
        ]

    def do_street(self, _: int, street: int) -> None:
        self.energy[self.player] -= FLYER_PRICE * STREETS[street][2]
        self.lay_flyers(self.player, street)

    def lay_flyers(self, player: int, street: int) -> None:
        _, _, slots, bonus = STREETS[street]
        self.owner[street] = player
        self.todo += [("gift", bonus), ("uncover", slots)]

    def at_gift(self, gift: Gift) -> None:
        self.gain(self.player, gift)

    def at_uncover(self, count: int) -> None:
        """Markers leave the energy track one by one; some spaces give a token of choice."""
        player = self.player
        while count and self.uncovered[player] < FLYERS:
            count -= 1
            self.uncovered[player] += 1
            if self.uncovered[player] in TOKEN_SPACES:
                self.todo += [("uncover", count), ("token",)]
                return

    def at_token(self) -> list[Move]:
        return [("megaphone",), ("ladder",)]

    def do_token(self, token: str) -> None:
        (self.megaphones if token == "megaphone" else self.ladders)[self.player] += 1

    # ------------------------------------------------------------ fans

    def at_fan(self, area: int) -> list[Move]:
        player = self.player
        free = [
            (part, ELEMENTS[part][element][0])
            for part, element in enumerate(self.towers[player][area])
            if element is not None and self.zones[player][area][part] is None
        ]
        if not free:
            return []
        energy = self.energy[player]
        tolls = sorted((square, toll) for square, toll in self.tolls(area).items() if toll <= energy)
        return [
            (part, square, colour, toll)
            for part, colour in free
            for square, toll in tolls
            if colour in self.squares[square]
        ]

    def tolls(self, area: int) -> dict[int, int]:
        """What the way from each Square to the area costs; Squares without a way are left out."""
        best = {area: 0}
        waiting = [(0, area)]
        while waiting:
            paid, node = heappop(waiting)
            if paid > best[node]:
                continue
            for street, other in STREETS_AT[node]:
                owner = self.owner[street]
                if owner is None or other < AREAS:
                    continue
                total = paid + (0 if owner == self.player else STREETS[street][2])
                if total < best.get(other, total + 1):
                    best[other] = total
                    heappush(waiting, (total, other))
        return {node - AREAS: toll for node, toll in best.items() if node >= AREAS}

    def do_fan(self, area: int, part: int, square: int, colour: int, toll: int) -> None:
        player = self.player
        self.energy[player] -= toll
        self.energy[1 - player] += toll
        self.squares[square].remove(colour)
        self.zones[player][area][part] = colour
        element = self.towers[player][area][part]
        assert element is not None
        self.todo += [("more", area), ("gift", ELEMENTS[part][element][2])]
        if not self.squares[square]:
            self.todo.append(("board", square))

    def at_more(self, area: int) -> list[Move]:
        return [("another",), ("pass",)] if self.at_fan(area) else [("pass",)]

    def do_more(self, area: int, wanted: str) -> None:
        if wanted == "another":
            self.todo.append(("fan", area))

    def at_board(self, _: int) -> list[Move]:
        return [(board,) for board in dict.fromkeys(self.boards[self.player])]

    def do_board(self, square: int, board: str) -> None:
        player = self.player
        self.boards[player].remove(board)
        self.signs[square] = player
        if not self.boards[player]:
            self.over = True
            self.winner = player
            return
        self.todo.append(("gift", (0, 0, 0, SQUARE_POINTS[square])))
        if board == "discard":
            self.todo.append(("uncover", 2))
        else:
            self.gain(player, BOARD_GIFTS[board])

    # ------------------------------------------------------------ exhibitions

    def at_fetch(self, area: int, chosen: tuple[int, ...] = ()) -> list[Move]:
        """One more area, later than those chosen so far, or enough; with nobody elsewhere there is nothing to ask."""
        zones = self.zones[self.player]
        lively = [other for other in range(AREAS) if other != area and zones[other] != [None] * 3]
        if not lively:
            self.exhibit(area, ())
            return []
        left = self.megaphones[self.player] - sum(distance(area, other) for other in chosen)
        first = chosen[-1] + 1 if chosen else 0
        return [*((other,) for other in lively if other >= first and distance(area, other) <= left), (None,)]

    at_further = at_fetch

    def do_fetch(self, area: int, other: int | None) -> None:
        self.do_further(area, (), other)

    def do_further(self, area: int, chosen: tuple[int, ...], other: int | None) -> None:
        if other is None:
            self.exhibit(area, chosen)
        else:
            self.todo.append(("further", area, (*chosen, other)))

    def exhibit(self, area: int, chosen: tuple[int, ...]) -> None:
        player = self.player
        fame = 0
        for served in (area, *chosen):
            self.megaphones[player] -= distance(area, served)
            for part, colour in enumerate(self.zones[player][served]):
                if colour is not None:
                    self.zones[player][served][part] = None
                    self.fans[player][colour] += 1
                    fame += self.influence[player][colour]
        self.energy[player] += INCOME[self.uncovered[player]]
        start = self.fame[player]
        self.fame[player] = min(LAST_SPACE, start + fame)
        for space in range(start + 1, self.fame[player] + 1):
            if space in SPACE_BONUS:
                self.gain(player, SPACE_BONUS[space])

    # ------------------------------------------------------------ the end

    def finish(self) -> None:
        self.over = True
        ranks = [(score, self.fans[player][0]) for player, score in enumerate(self.scores())]
        if ranks[0] != ranks[1]:
            self.winner = 0 if ranks[0] > ranks[1] else 1

    def scores(self) -> list[int]:
        found = []
        for player in range(2):
            score = self.points[player] + TRACK_POINTS[self.uncovered[player]] - sum(self.foundations[player])
            score += self.energy[player] // 5 + self.megaphones[player] // 2 + self.ladders[player] // 2
            if sum(self.fans[player]) > sum(self.fans[1 - player]):
                score += 5
            found.append(score)
        return found
