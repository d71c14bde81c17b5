"""Kiwi Chow Down for 2 to 4 players: the base rules, without free placement, side B, the turn counter and Kiwibot.

The tables are those of the ruleset (`kiwi_data`); `kiwi_table` keeps the pieces and asks the questions. Each method
named in a task does one thing of the rulebook; what has to come after it is put on the stack of tasks first.
"""

from __future__ import annotations

from typing import Any

from tools.baselines.kiwi_data import (
    BUILD,
    CARDS,
    FEED,
    GIFTS,
    JOKERS,
    MOVE,
    NESTS,
    OPENING,
    ROW,
    SEASON_CARDS,
    STRAIGHT,
    Task,
)
from tools.baselines.kiwi_table import KiwiTable

Standing = tuple[tuple[int, int], ...]  # kiwis, and the hexes where they stood


class KiwiChowDown(KiwiTable):
    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(players, seed)
        self.then(*(("choose_clan", p) for p in self.turn_order()), ("set_up",))
        self.advance()

    # ------------------------------------------------------------------------ setup and seasons

    def choose_clan(self, p: int) -> None:
        self.ask(p, [clan for clan in range(4) if clan not in self.clan], "take_clan", p)

    def take_clan(self, clan: int, p: int) -> None:
        self.clan[p] = clan
        self.ask(p, [0, 1], "take_card", p)

    def take_card(self, card: int, p: int) -> None:
        self.card[p] = card

    def set_up(self) -> None:
        for nest, p in enumerate(self.turn_order()):
            home, singles, big = OPENING[self.players][nest]
            number = self.island.number
            self.put(self.leaders + p, number[home])
            sizes = [(home, 1), (home, 1)] + [(place, 2 if place in big else 1) for place in singles]
            for kiwi, (place, size) in enumerate(sizes, 20 * p):
                self.size[kiwi] = size
                self.put(kiwi, number[place])
            self.deck[p] = [MOVE, MOVE, FEED, FEED, BUILD, BUILD, 3, 4, 5]
            self.random.shuffle(self.deck[p])
            self.hand[p] = [self.deck[p].pop() for _ in range(3)]
            fruit, markers = GIFTS[nest]
            self.draw(self.pink, self.fruits[p], fruit)
            self.draw(self.brown, self.markers[p], markers)
        self.then(("play_season",))

    def play_season(self) -> None:
        self.used = [False] * self.players
        steps: list[Task] = []
        if self.season > 1:
            self.first = (self.first + 1) % self.players
            for p in range(self.players):
                self.discard[p] += self.slots[p]
                self.slots[p] = []
            self.row_pays = False
            steps += [("income", p, tuple(sorted(self.built[p]))) for p in self.turn_order()]
        steps.append(("rows_pay", True))
        steps += [("card_turn", p) for _ in range(3) for p in self.turn_order()]
        steps += [("season_card",), ("rows_pay", False)]
        steps += [("mark_turn", p) for p in self.turn_order()]
        self.then(*steps, ("next_season",))

    def next_season(self) -> None:
        if self.season < 4:
            self.season += 1
            self.then(("rows_pay", True), ("play_season",))
        elif len(self.winners()) == 1:
            [self.winner] = self.winners()

    def rows_pay(self, pays: bool) -> None:
        self.row_pays = pays

    def income(self, p: int, nests: tuple[int, ...]) -> None:
        self.ask(p, list(nests), "take_income", p, nests)

    def take_income(self, nest: int, p: int, nests: tuple[int, ...]) -> None:
        self.then(("income", p, tuple(n for n in nests if n != nest)))
        self.perform(p, NESTS[nest][1])

    # ------------------------------------------------------------------------ cards

    def card_turn(self, p: int) -> None:
        self.moved = [False] * len(self.moved)
        self.led = [False] * self.players
        serves = (True, bool(self.meals(p)), bool(self.sites(p)))
        moves: list[Task] = []
        for card in sorted(set(self.hand[p])):
            moves += [("as", card, kind) for kind in range(3) if serves[kind] and (card == kind or card > BUILD)]
            moves += [("gift", card)] if card > BUILD else []
            moves.append(("down", card))
        self.ask(p, moves, "play_card", p)

    def play_card(self, move: Task, p: int) -> None:
        card = move[1]
        self.hand[p].remove(card)
        self.slots[p].append(card)
        self.then(("draw_card", p))
        if move[0] == "gift":
            self.perform(p, JOKERS[card])
        elif move[0] == "down":
            self.ask(p, [True, False], "take_fruit_or_not", p)
        elif move[2] == MOVE:
            self.then(("must_move", p), ("must_move", p), ("buy_moves", p))
        else:
            self.then(("feed", p) if move[2] == FEED else ("build", p))

    def take_fruit_or_not(self, takes: bool, p: int) -> None:
        if takes:
            self.fruit(p, 1)

    def draw_card(self, p: int) -> None:
        if not self.deck[p]:
            self.deck[p], self.discard[p] = self.discard[p], []
            self.random.shuffle(self.deck[p])
        if self.deck[p]:
            self.hand[p].append(self.deck[p].pop())

    # ------------------------------------------------------------------------ moving and pushing

    def steps(self, p: int) -> list[Task]:
        """All that may be done as one move action."""
        leader = self.leaders + p
        movers = [kiwi for kiwi in self.own(p) if not self.moved[kiwi]]
        if not self.led[p] and not self.moved[leader]:
            movers.append(leader)
        near = self.island.neighbours
        moves: list[Task] = [(kiwi, to) for kiwi in movers for to in near[self.at[kiwi]]]
        if not self.used[p] and not self.moved[leader] and self.goals(p):
            moves.append((-1, -1))
        return moves

    def must_move(self, p: int) -> None:
        self.ask(p, self.steps(p), "move", p)

    def may_move(self, p: int) -> None:
        if self.steps(p):
            self.ask(p, [True, False], "move_or_not", p)

    def move_or_not(self, moves: bool, p: int) -> None:
        if moves:
            self.must_move(p)

    def buy_moves(self, p: int) -> None:
        if self.can_pay(p, 2, "among") and self.steps(p):
            self.ask(p, [True, False], "buy_or_not", p)

    def buy_or_not(self, buys: bool, p: int) -> None:
        if buys:
            self.then(("pay", p, 2, "among", ()), ("must_move", p), ("buy_moves", p))

    def move(self, step: Task, p: int) -> None:
        kiwi, to = step
        if kiwi < 0:
            self.used[p] = self.led[p] = True
            self.ask(p, self.goals(p), "dash", p)
            return
        self.put(kiwi, to)
        self.moved[kiwi] = True
        self.push_some(p, to, None, self.size[kiwi] - 1, kiwi, 2)

    def push_some(self, p: int, place: int, among: Any, biggest: int, mover: int, left: int) -> None:
        if left == 0:
            return
        size = self.size
        found = [k for k in self.kiwis[place] if k != mover and size[k] <= biggest and (among is None or k in among)]
        if found:
            self.ask(p, [*self.distinct(found), -1], "push_one", p, place, among, biggest, mover, left)

    def push_one(self, kiwi: int, p: int, place: int, among: Any, biggest: int, mover: int, left: int) -> None:
        if kiwi >= 0:
            self.then(("push", p, kiwi, -1), ("push_some", p, place, among, biggest, mover, left - 1))

    def push(self, p: int, kiwi: int, never: int) -> None:
        here = self.at[kiwi]
        moves = [to for to in self.island.neighbours[here] if to != never]
        self.ask(p, [*moves, -1] if self.island.is_border[here] else moves, "push_to", p, kiwi)

    def push_to(self, to: int, p: int, kiwi: int) -> None:
        if to >= 0:
            self.put(kiwi, to)
        elif kiwi < self.leaders:
            self.dissolve(kiwi)
        else:
            self.ask(p, [h for h in self.island.border if h != self.at[kiwi]], "land", kiwi)

    def land(self, place: int, kiwi: int) -> None:
        self.put(kiwi, place)

    def goals(self, p: int) -> list[tuple[int, tuple[int, ...]]]:
        key = self.clan[p], self.card[p]
        return self.island.goals(CARDS[key[0]][key[1]][0], STRAIGHT.get(key, 0), self.at[self.leaders + p])

    def dash(self, goal: tuple[int, tuple[int, ...]], p: int) -> None:
        leader, (to, between) = self.leaders + p, goal
        start = self.at[leader]
        _, must, may, most, biggest = CARDS[self.clan[p]][self.card[p]]
        spots = {"": (), "start": (start,), "between": between, "arrival": (to,), "around": self.island.neighbours[to]}
        swept = sorted(k for h in spots[must] for k in self.kiwis[h] if k != leader and self.size[k] <= biggest)
        met = [k for h in spots[may] for k in self.kiwis[h] if k != leader and self.size[k] <= biggest]
        self.put(leader, to)
        self.then(*(("push", p, kiwi, -1) for kiwi in swept))
        if may == "around":
            self.then(("shake", p, to, tuple((k, self.at[k]) for k in met), (), most))
        elif may:
            self.tasks.insert(len(self.tasks) - len(swept), ("push_some", p, to, tuple(met), biggest, leader, most))

    def shake(self, p: int, goal: int, met: Standing, shaken: tuple[int, ...], left: int) -> None:
        """Up to three hexes around the leader, clockwise; then off each of them one kiwi that stood there before."""
        near = self.island.neighbours[goal]
        rest = near[near.index(shaken[-1]) + 1 :] if shaken else near
        hexes = [h for h in rest if any(place == h for _, place in met)]
        if hexes and left:
            self.ask(p, [*hexes, -1], "shake_one", p, goal, met, shaken, left)
        else:
            self.shake_one(-1, p, goal, met, shaken, left)

    def shake_one(self, h: int, p: int, goal: int, met: Standing, shaken: tuple[int, ...], left: int) -> None:
        if h >= 0:
            self.shake(p, goal, met, (*shaken, h), left - 1)
        else:
            self.then(*(("shake_at", p, goal, met, place) for place in shaken))

    def shake_at(self, p: int, goal: int, met: Standing, place: int) -> None:
        self.ask(p, self.distinct([k for k in self.kiwis[place] if (k, place) in met]), "shake_off", p, goal)

    def shake_off(self, kiwi: int, p: int, goal: int) -> None:
        self.then(("push", p, kiwi, goal))

    # ------------------------------------------------------------------------ tokens

    def givers(self, q: int, kiwi: int) -> list[int]:
        """Own kiwis that can give a token to this one."""
        here = self.at[kiwi]
        company = [k for k in self.kiwis[here] if self.owner[k] == q and k != kiwi]
        found = []
        for k in self.own(q, but=kiwi):
            new_stands = self.size[kiwi] > 0 or self.size[k] > 1 or any(other != k for other in company)
            if self.size[k] > 0 and new_stands:
                found.append(k)
        return found

    def supply(self, q: int, kiwi: int, duty: bool, more: int, slots: tuple[int, ...]) -> None:
        """One token for a kiwi, or two; then what the row gives."""
        self.then(("supplied", q, kiwi, more, slots))
        if self.row[q] < 8:
            self.tasks[-1] = ("supplied", q, kiwi, more, (*slots, self.row[q]))
            self.row[q] += 1
            self.size[kiwi] += 1
        elif self.reserve[q]:
            self.reserve[q] -= 1
            self.size[kiwi] += 1
        elif duty:
            self.give(q, kiwi)
        elif self.givers(q, kiwi):
            self.ask(q, [True, False], "give_or_not", q, kiwi)

    def give_or_not(self, gives: bool, q: int, kiwi: int) -> None:
        if gives:
            self.give(q, kiwi)

    def give(self, q: int, kiwi: int) -> None:
        self.ask(q, self.givers(q, kiwi), "take_from", kiwi)

    def take_from(self, giver: int, kiwi: int) -> None:
        self.size[kiwi] += 1
        self.shrink(giver)

    def supplied(self, q: int, kiwi: int, more: int, slots: tuple[int, ...]) -> None:
        if self.size[kiwi] == 0:
            self.put(kiwi, -1)
        elif more:
            self.supply(q, kiwi, False, more - 1, slots)
        elif self.row_pays:
            for slot in reversed(slots):
                self.perform(q, ROW[slot])

    def place(self, p: int, size: int) -> None:
        hexes = [h for h, here in enumerate(self.kiwis) if any(self.owner[k] == p for k in here)]
        self.ask(p, hexes, "place_on", p, size)

    def place_on(self, place: int, p: int, size: int) -> None:
        kiwi = next(k for k in range(20 * p, 20 * p + 20) if self.at[k] < 0)
        self.moved[kiwi] = False
        self.put(kiwi, place)
        self.supply(p, kiwi, False, size - 1, ())

    def grow(self, p: int, times: int) -> None:
        self.ask(p, self.own(p, 2), "grow_one", p)

    def grow_one(self, kiwi: int, p: int) -> None:
        self.supply(p, kiwi, False, 0, ())

    def grow_three(self, p: int, grown: tuple[int, ...], left: int) -> None:
        mine = [k for k in range(20 * p, 20 * p + 20) if self.at[k] >= 0 and self.size[k] < 3 and k not in grown]
        if left:
            sorts = {(self.at[k], self.size[k], self.moved[k]): k for k in reversed(mine)}
            self.ask(p, sorted(sorts.values()), "grow_next", p, grown, left)

    def grow_next(self, kiwi: int, p: int, grown: tuple[int, ...], left: int) -> None:
        self.then(("grow_three", p, (*grown, kiwi), left - 1))
        self.supply(p, kiwi, False, 0, ())

    # ------------------------------------------------------------------------ feeding and building

    def meals(self, p: int) -> list[int]:
        """Kiwis that p can feed: what it costs can be paid, and their owner has a token for them."""
        affordable = [False] + [self.can_pay(p, n + 1, "different") for n in (1, 2, 3)]
        if not affordable[1]:
            return []
        found = []
        for q in range(self.players):
            has_token = self.row[q] < 8 or self.reserve[q] > 0
            for k in self.own(q):
                if affordable[self.size[k]] and (has_token or self.size[k] == 3 or self.givers(q, k)):
                    found.append(k)
        return found

    def feed(self, p: int) -> None:
        self.ask(p, self.meals(p), "feed_one", p)

    def may_feed(self, p: int) -> None:
        if self.meals(p):
            self.ask(p, [True, False], "feed_or_not", p)

    def feed_or_not(self, feeds: bool, p: int) -> None:
        if feeds:
            self.feed(p)

    def feed_one(self, kiwi: int, p: int) -> None:
        owner = self.owner[kiwi]
        take = ("marker", p, 1 if owner == p else 2)
        if self.size[kiwi] < 3:
            self.then(("pay", p, self.size[kiwi] + 1, "different", ()), ("supply", owner, kiwi, True, 0, ()), take)
        else:
            self.then(("pay", p, 4, "different", ()), ("explode", p, kiwi, take))

    def explode(self, p: int, kiwi: int, take: Task) -> None:
        here = self.at[kiwi]
        self.dissolve(kiwi)
        self.then(take, *(("push", p, other, -1) for other in self.kiwis[here]))

    def sites(self, p: int) -> list[tuple[int, int]]:
        """Hexes and nests that p can build."""
        built = self.built[p]
        ready = [n for n in range(6) if n not in built and (n % 2 == 0 or n - 1 in built)]
        nests = [n for n in ready if self.can_pay(p, n % 2 + 2, "equal")]
        if not nests:
            return []
        size, owner = self.size, self.owner
        hexes = [
            h
            for h, here in enumerate(self.kiwis)
            if here and self.nest[h] < 0 and sum(size[k] for k in here if owner[k] == p) >= 2 and self.ruler(h) == p
        ]
        return [(h, n) for h in hexes for n in nests]

    def build(self, p: int) -> None:
        self.ask(p, self.sites(p), "build_one", p)

    def may_build(self, p: int) -> None:
        if self.sites(p):
            self.ask(p, [True, False], "build_or_not", p)

    def build_or_not(self, builds: bool, p: int) -> None:
        if builds:
            self.build(p)

    def build_one(self, site: tuple[int, int], p: int) -> None:
        self.then(("pay", p, site[1] % 2 + 2, "equal", ()), ("raise_nest", p, *site))

    def raise_nest(self, p: int, place: int, nest: int) -> None:
        self.nest[place] = 6 * p + nest
        self.built[p].append(nest)
        self.perform(p, NESTS[nest][0])

    # ------------------------------------------------------------------------ season cards

    def season_card(self) -> None:
        self.moved = [False] * len(self.moved)
        self.led = [False] * self.players
        what, of, sign, winner, others = SEASON_CARDS[self.cards[self.season - 1]]
        counts = [sign * self.count(what, of, p) for p in range(self.players)]
        best = [p for p in range(self.players) if counts[p] == max(counts)]
        losers = [p for p in self.turn_order() if (p in best) == (len(best) > 1)]
        self.then(*(("gain", p, others) for p in losers))
        if len(best) == 1:
            self.perform(best[0], winner)

    def gain(self, p: int, benefits: tuple[Task, ...]) -> None:
        self.perform(p, benefits)

    def add_points(self, p: int, points: int) -> None:
        self.vp[p] += points

    def return_marker(self, p: int) -> None:
        self.ask(p, [t for t in range(4) if self.markers[p][t]], "return_one", p)

    def return_one(self, terrain: int, p: int) -> None:
        self.markers[p][terrain] -= 1
        self.brown[terrain] += 1

    def remove(self, p: int) -> None:
        self.ask(p, self.own(p), "dissolve")

    # ------------------------------------------------------------------------ marking and the end

    def domains(self, p: int) -> list[int]:
        if self.row[p] >= 8 and not self.reserve[p] and not self.own(p):
            return []
        terrain, markers = self.island.terrain, self.markers[p]
        free = [h for h in range(len(self.kiwis)) if self.domain[h] < 0 and markers[terrain[h]]]
        return [h for h in free if self.ruler(h) == p]

    def mark_turn(self, p: int) -> None:
        if self.domains(p):
            self.ask(p, [True, False], "mark_or_not", p)

    def mark_or_not(self, marks: bool, p: int) -> None:
        if marks:
            if self.season == 4:
                self.then(("mark_turn", p))
            self.ask(p, self.domains(p), "mark", p)

    def mark(self, place: int, p: int) -> None:
        self.markers[p][self.island.terrain[place]] -= 1
        self.domain[place] = p
        sources = [-1] * (self.reserve[p] > 0) + [-2] * (self.row[p] < 8) + self.own(p)
        self.ask(p, sources, "flag", p)

    def flag(self, source: int, p: int) -> None:
        if source == -1:
            self.reserve[p] -= 1
        elif source == -2:
            self.row[p] += 1
        else:
            self.shrink(source)

    def winners(self) -> list[int]:
        """Those with the best score; among them those with more kiwis of size 3, of 2, of 1, then with more markers."""
        ranks = [
            (score, *(self.count("size", size, p) for size in (3, 2, 1)), sum(self.markers[p]))
            for p, score in enumerate(self.scores())
        ]
        return [p for p, rank in enumerate(ranks) if rank == max(ranks)]

    def scores(self) -> list[int]:
        great = [sum(nest % 2 for nest in self.built[p]) for p in range(self.players)]
        return [self.domain.count(p) + great[p] + self.vp[p] for p in range(self.players)]
