"""Flatiron for two players, complete: columns, nested actions, newspapers, the carrier, floors, decrees.

The course of the game is a generator: wherever a player has to choose it yields who and among what, and goes on with
the answer. Who has one way only is not asked. What can be begun is said by a `can_…` method next to each action: only
what can be finished is offered, and an action that is still being resolved is not. A generator cannot be copied, and
so neither can a running game.

An entry of a column is a tuple (key, action, reputation, scoring): printed ones have no reputation, decrees no action.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from tools.baselines.baseline import Baseline
from tools.baselines.flatiron_data import BOARDS, CARDS, DECREES, FLOORS, PAPERS, Action

STREETS = range(4)
COLOURS = range(4)
SLOTS = range(3)
CITY_HALL = 4
PUBLISH = "publish"
PASS = "pass"

Entry = tuple[Any, Action | None, int, Action | None]
Course = Generator[tuple[int, list[Any]], Any, Any]


class Flatiron(Baseline):
    can_copy = False

    def __init__(self, players: int = 2, seed: int | None = None) -> None:
        super().__init__(2, seed)
        self.decks = [[c for c, card in enumerate(CARDS) if card[0] == street] for street in STREETS]  # top = last
        for deck in self.decks:
            self.random.shuffle(deck)
        self.decrees = self.random.sample(range(len(DECREES)), 6)
        first_floor = self.random.randrange(4)
        self.floor_pile = self.random.sample([f for f in range(len(FLOORS)) if f != first_floor], 4)
        self.site: int | None = first_floor
        self.pillars: list[int | None] = [None, None, None]
        self.next_floor: int | None = self.floor_pile.pop()  # None is the roof
        self.finished: list[list[int | None]] = []
        self.papers = [kind for kind in range(len(PAPERS)) for _ in range(2)]
        self.random.shuffle(self.papers)
        self.day_paper = self.papers.pop()
        self.carrier: int | None = 10
        self.supply = [7] * 4
        self.reputation = 4
        self.roof_builder: int | None = None
        self.at: list[int | None] = [None, None]
        self.money, self.vp, self.board = [0, 0], [0, 0], [0, 0]
        self.columns: list[list[list[Entry]]] = [[[] for _ in STREETS] for _ in range(2)]
        self.warehouse = [[False] * 4, [False] * 4]
        self.news: list[list[int]] = [[], []]
        self.honours = [0, 0]
        self.honoured = [[0] * 4, [0] * 4]
        self.running: list[Any] = []
        self.moves: list[Any] = []
        self.course = self.whole_game()
        self.go_on(None)

    def legal_moves(self) -> list[Any]:
        return self.moves

    def play(self, move: Any) -> None:
        self.go_on(move)

    def go_on(self, answer: Any) -> None:
        try:
            self.player, self.moves = self.course.send(answer)
        except StopIteration:
            self.finish()

    # ------------------------------------------------------------ the course of the game

    def whole_game(self) -> Course:
        boards = self.random.sample(range(4), 4)
        for player in (0, 1):
            dealt = boards[2 * player : 2 * player + 2]
            board, face = yield from self.ask(player, [(board, face) for board in dealt for face in (0, 1)])
            self.take_board(player, board, face)
        first = player = self.random.randrange(2)
        self.money[player], self.money[1 - player] = 7, 9
        while self.roof_builder is None:
            yield from self.turn(player)
            player = 1 - player
        for owner in (first, 1 - first):
            for _ in range(self.honours[owner]):
                street = yield from self.ask(owner, list(STREETS))
                self.honoured[owner][street] += 1

    def take_board(self, player: int, board: int, face: int) -> None:
        self.board[player] = board
        _, traded, lower, special = BOARDS[board]
        for street in STREETS:
            below = lower[street] or special[face]
            for place, action in enumerate((("trade", traded[street]), below)):
                self.columns[player][street].append((("printed", player, street, place), action, 0, None))

    def ask(self, player: int, options: list[Any]) -> Course:
        if len(options) == 1:
            return options[0]
        return (yield player, options)

    def ask_in_turn(self, player: int, options: Callable[[], list[Any]]) -> Course:
        """A decision between actions, where newspapers may be published first."""
        while True:
            offered = options()
            if self.news[player]:
                offered.append(PUBLISH)
            answer = yield from self.ask(player, offered)
            if answer != PUBLISH:
                return answer
            yield from self.publish(player)

    def turn(self, player: int) -> Course:
        place = yield from self.ask_in_turn(player, lambda: self.places(player))
        self.at[player] = place
        if self.has_rule("street_dollar") and self.floor_matter() == place:
            self.money[player] += 1
        answer = yield from self.ask_in_turn(player, lambda: self.options_at(player))
        if answer == "buy":
            if place == CITY_HALL:
                yield from self.buy_decree(player, 0)
            else:
                yield from self.buy_card(player, place, 0)
        elif answer == "activate":
            yield from self.activate(player)
        else:
            self.money[player] += self.pay_day(player)
        yield from self.ask_in_turn(player, lambda: ["end"])

    def places(self, player: int) -> list[Any]:
        shared = self.has_rule("share_place")
        return [p for p in range(5) if p != self.at[player] and (shared or p != self.at[1 - player])]

    def options_at(self, player: int) -> list[Any]:
        place, money = self.at[player], self.money[player]
        assert place is not None
        can_buy = self.can_buy_decree if place == CITY_HALL else lambda p, m, d: self.can_buy_card(p, m, place, d)
        return (["buy"] if can_buy(player, money, 0) else []) + ["activate", "money"]

    def pay_day(self, player: int) -> int:
        return 4 if self.has_rule("city_hall_4") and self.at[player] == CITY_HALL else 2

    def activate(self, player: int) -> Course:
        place = self.at[player]
        if place == CITY_HALL:
            yield from self.may(player, lambda: self.can_newspaper(player, self.money[player]), self.newspaper)
            return
        assert place is not None
        column = self.columns[player][place]
        position = 0
        while position < len(column):
            entry = column[position]
            if entry[1] is not None:
                yield from self.may(
                    player,
                    lambda entry=entry: self.can(player, entry[0], entry[1], self.money[player]),  # type: ignore[misc]
                    lambda player, entry=entry: self.perform(player, entry[0], entry[1]),  # type: ignore[misc]
                )
            position = column.index(entry) + 1

    def may(self, player: int, possible: Callable[[], bool], act: Callable[[int], Course]) -> Course:
        answer = yield from self.ask_in_turn(player, lambda: ["do", PASS] if possible() else [PASS])
        if answer == "do":
            yield from act(player)

    # ------------------------------------------------------------ performing actions

    def perform(self, player: int, key: Any, *actions: Action) -> Course:
        self.running.append(key)
        for action in actions:
            yield from getattr(self, action[0])(player, *action[1:])
        self.running.pop()

    def can(self, player: int, key: Any, action: Action, money: int) -> bool:
        """Whether the action could be begun and finished with that much money."""
        if key in self.running:
            return False
        possible = getattr(self, "can_" + action[0], None)
        if possible is None:
            return True
        self.running.append(key)
        answer: bool = possible(player, money, *action[1:])
        self.running.pop()
        return answer

    def publish(self, player: int) -> Course:
        kind = yield from self.ask(player, sorted(set(self.news[player])))
        self.news[player].remove(kind)
        self.day_paper = kind
        if self.can_newspaper(player, self.money[player]):
            yield from self.newspaper(player)

    def newspaper(self, player: int) -> Course:
        yield from self.perform(player, ("paper", self.day_paper), *PAPERS[self.day_paper])

    def can_newspaper(self, player: int, money: int) -> bool:
        return self.can(player, ("paper", self.day_paper), PAPERS[self.day_paper][0], money)

    # ------------------------------------------------------------ the floor under construction

    def has_rule(self, rule: str) -> bool:
        return self.site is not None and FLOORS[self.site][0] == rule

    def floor_matter(self) -> int | None:
        return FLOORS[self.site][1] if self.site is not None else None

    def floor(self, player: int, cost: int, points: int) -> Course:
        self.money[player] -= cost
        self.finished.append(self.pillars)
        self.pillars = [None, None, None]
        if self.next_floor is None:
            self.site = None
            self.roof_builder = player
        else:
            self.site = self.next_floor
            for deck in self.decks:
                if deck:
                    deck.insert(0, deck.pop())
            self.next_floor = self.floor_pile.pop() if self.floor_pile else None
        yield from self.gain(player, points)

    def can_floor(self, player: int, money: int, cost: int, points: int) -> bool:
        return self.site is not None and None not in self.pillars and money >= cost

    def storeys(self) -> int:
        return len(self.finished) + 1

    # ------------------------------------------------------------ points and the carrier

    def gain(self, player: int, points: int) -> Course:
        self.vp[player] += points
        while self.carrier is not None and self.vp[player] >= self.carrier:
            self.carrier = self.carrier + 10 if self.carrier < 50 else None
            drawn = [self.papers.pop() for _ in range(min(2, len(self.papers)))]
            if len(drawn) == 2:
                gift = yield from self.ask(player, sorted(set(drawn)))
                drawn.remove(gift)
                self.news[1 - player].append(gift)
            self.news[player] += drawn

    points = gain

    def dollars(self, player: int, number: int) -> Course:
        self.money[player] += number
        yield from ()

    def dollars_per_storey(self, player: int) -> Course:
        self.money[player] += self.storeys()
        yield from ()

    def points_per_storeys(self, player: int) -> Course:
        yield from self.gain(player, self.storeys() // 2)

    def points_if(self, player: int, colour: int, number: int) -> Course:
        if colour in self.pillars:
            yield from self.gain(player, number)

    def dollars_per_carrier(self, player: int) -> Course:
        self.money[player] += min(5, self.vp[player] // 10)
        yield from ()

    # ------------------------------------------------------------ pillars

    def price_of(self, price: int) -> int:
        return max(0, price - self.has_rule("pillar_minus_1"))

    def trade(self, player: int, colour: int) -> Course:
        price = BOARDS[self.board[player]][0][colour]
        if self.warehouse[player][colour]:
            self.warehouse[player][colour] = False
            self.supply[colour] += 1
            self.money[player] += price + 2 * self.has_rule("sell_plus_2")
        else:
            self.buy_pillar(player, colour, price)
        yield from ()

    def can_trade(self, player: int, money: int, colour: int) -> bool:
        if self.warehouse[player][colour]:
            return True
        return self.supply[colour] > 0 and money >= self.price_of(BOARDS[self.board[player]][0][colour])

    def buy_pillar(self, player: int, colour: int, price: int) -> None:
        self.money[player] -= self.price_of(price)
        self.supply[colour] -= 1
        self.warehouse[player][colour] = True

    def missing(self, player: int) -> list[int]:
        return [c for c in COLOURS if not self.warehouse[player][c] and self.supply[c] > 0]

    def buy_any(self, player: int, price: int) -> Course:
        colour = yield from self.ask(player, self.missing(player))
        self.buy_pillar(player, colour, price)

    def can_buy_any(self, player: int, money: int, price: int) -> bool:
        return money >= self.price_of(price) and bool(self.missing(player))

    def swap(self, player: int) -> Course:
        owned = [c for c in COLOURS if self.warehouse[player][c]]
        old, new = yield from self.ask(player, [(old, new) for old in owned for new in self.missing(player)])
        self.warehouse[player][old], self.warehouse[player][new] = False, True
        self.supply[old] += 1
        self.supply[new] -= 1

    def can_swap(self, player: int, money: int) -> bool:
        return any(self.warehouse[player]) and bool(self.missing(player))

    def build(self, player: int, cost: int, pillars: int, extra: int, repeats: bool) -> Course:
        self.money[player] -= cost
        yield from self.place_pillar(player, repeats)
        if pillars == 2 and self.placings(player, repeats):
            if (yield from self.ask(player, ["second", PASS])) == "second":
                yield from self.place_pillar(player, repeats)
        if extra:
            yield from self.gain(player, extra)

    def can_build(self, player: int, money: int, cost: int, pillars: int, extra: int, repeats: bool) -> bool:
        return money >= cost and bool(self.placings(player, repeats))

    def placings(self, player: int, repeats: bool) -> list[tuple[int, int]]:
        if self.site is None:
            return []
        repeats = repeats or self.has_rule("same_colour")
        colours = [c for c in COLOURS if self.warehouse[player][c] and (repeats or c not in self.pillars)]
        return [(c, slot) for c in colours for slot in SLOTS if self.pillars[slot] is None]

    def place_pillar(self, player: int, repeats: bool) -> Course:
        colour, slot = yield from self.ask(player, self.placings(player, repeats))
        assert self.site is not None
        rule, matter, bonuses = FLOORS[self.site]
        self.warehouse[player][colour] = False
        self.pillars[slot] = colour
        worth = BOARDS[self.board[player]][0][colour] + 1
        yield from self.gain(player, worth + 2 * (rule == "place_vp" and matter == colour))
        yield from self.bonus(player, bonuses[slot], colour)

    def bonus(self, player: int, action: Action, colour: int) -> Course:
        kind = action[0]
        if kind == "points" or (kind == "match" and action[1] == colour):
            yield from self.gain(player, action[-1])
        elif kind == "dollars":
            self.money[player] += action[1]
        elif kind == "token":
            if self.papers:
                self.news[player].append(self.papers.pop())
        elif kind == "reputation":
            taken = min(1, self.reputation)
            self.reputation -= taken
            self.honours[player] += taken
        elif kind == "card":
            streets = [s for s in STREETS if self.can_buy_card(player, self.money[player], s, 0)]
            street = yield from self.ask(player, [*streets, PASS])
            if street != PASS:
                yield from self.buy_card(player, street, 0)
        elif kind == "newspaper" and self.can_newspaper(player, self.money[player]):
            if (yield from self.ask(player, ["do", PASS])) == "do":
                yield from self.newspaper(player)

    # ------------------------------------------------------------ cards and decrees

    def room(self, player: int, street: int) -> bool:
        return len(self.columns[player][street]) < 5

    def buy_card(self, player: int, street: int, discount: int) -> Course:
        card = self.decks[street][-1]
        _, column, price, actions, reputation = CARDS[card]
        self.money[player] -= price - discount
        half = yield from self.ask(player, [0, 1])
        self.decks[street].pop()
        self.put_down(player, column, half, ((card, half), actions[half], reputation[half], None))
        if self.has_rule("card_vp"):
            yield from self.gain(player, 1)

    def can_buy_card(self, player: int, money: int, street: int, discount: int) -> bool:
        if not self.decks[street]:
            return False
        _, column, price, _, _ = CARDS[self.decks[street][-1]]
        return money >= price - discount and self.room(player, column)

    def buy_any_card(self, player: int, discount: int) -> Course:
        streets = [s for s in STREETS if self.can_buy_card(player, self.money[player], s, discount)]
        street = yield from self.ask(player, streets)
        yield from self.buy_card(player, street, discount)

    def can_buy_any_card(self, player: int, money: int, discount: int) -> bool:
        return any(self.can_buy_card(player, money, s, discount) for s in STREETS)

    def buy_decree(self, player: int, discount: int) -> Course:
        streets = [s for s in STREETS if self.takes_decree(player, s)]
        decree, street = yield from self.ask(player, [(d, s) for d in self.decrees for s in streets])
        self.money[player] -= self.decree_price(discount)
        half = yield from self.ask(player, [0, 1])
        self.decrees.remove(decree)
        scorings, reputation = DECREES[decree]
        self.put_down(player, street, half, (("decree", decree), None, reputation[half], scorings[half]))

    def can_buy_decree(self, player: int, money: int, discount: int) -> bool:
        enough = money >= self.decree_price(discount) and bool(self.decrees)
        return enough and any(self.takes_decree(player, s) for s in STREETS)

    def decree_price(self, discount: int) -> int:
        return max(0, 3 - discount - self.has_rule("decree_minus_1"))

    def takes_decree(self, player: int, street: int) -> bool:
        return self.room(player, street) and all(entry[3] is None for entry in self.columns[player][street])

    def put_down(self, player: int, street: int, half: int, entry: Entry) -> None:
        if half == 0:
            self.columns[player][street].insert(0, entry)
        else:
            self.columns[player][street].append(entry)

    # ------------------------------------------------------------ actions that call others

    def others(self, player: int, money: int) -> list[tuple[Any, Action]]:
        return [
            (key, action)
            for column in self.columns[player]
            for key, action, _, _ in column
            if action is not None and self.can(player, key, action, money)
        ]

    def another(self, player: int) -> Course:
        self.money[player] -= 1
        key, action = yield from self.ask(player, self.others(player, self.money[player]))
        yield from self.perform(player, key, action)

    def can_another(self, player: int, money: int) -> bool:
        return money >= 1 and bool(self.others(player, money - 1))

    def shown_halves(self, player: int, money: int) -> list[tuple[Any, Action]]:
        halves = [((deck[-1], half), CARDS[deck[-1]][3][half]) for deck in self.decks if deck for half in (0, 1)]
        return [(key, action) for key, action in halves if self.can(player, key, action, money)]

    def visible(self, player: int) -> Course:
        self.money[player] -= 1
        key, action = yield from self.ask(player, self.shown_halves(player, self.money[player]))
        yield from self.perform(player, key, action)

    def can_visible(self, player: int, money: int) -> bool:
        return money >= 1 and bool(self.shown_halves(player, money - 1))

    def city_hall(self, player: int) -> Course:
        self.money[player] -= 1
        money = self.money[player]
        options = ["decree"] if self.can_buy_decree(player, money, 0) else []
        options += ["newspaper"] if self.can_newspaper(player, money) else []
        answer = yield from self.ask(player, [*options, "money"])
        if answer == "decree":
            yield from self.buy_decree(player, 0)
        elif answer == "newspaper":
            yield from self.newspaper(player)
        else:
            self.money[player] += self.pay_day(player)

    def can_city_hall(self, player: int, money: int) -> bool:
        return money >= 1

    # ------------------------------------------------------------ the end

    def finish(self) -> None:
        self.over = True
        scores = self.scores()
        self.winner = self.roof_builder if scores[0] == scores[1] else scores.index(max(scores))

    def scores(self) -> list[int]:
        return [self.vp[p] + self.reputation_points(p) + self.decree_points(p) for p in (0, 1)]

    def reputation_points(self, player: int) -> int:
        points = 0
        for street in STREETS:
            total = sum(entry[2] for entry in self.columns[player][street]) + self.honoured[player][street]
            points += 5 if total > 0 else -3 if total < 0 else 0
        return points

    def decree_points(self, player: int) -> int:
        entries = [entry for column in self.columns[player] for entry in column]
        return sum(self.scoring(player, entries, *entry[3]) for entry in entries if entry[3] is not None)

    def scoring(self, player: int, entries: list[Entry], kind: str, *numbers: int) -> int:
        if kind == "cards":
            return len([entry for entry in entries if entry[1] is not None and entry[0][0] != "printed"]) // numbers[0]
        if kind == "money":
            return min(12, self.money[player] // numbers[0])
        if kind == "good_name":
            return (sum(max(0, entry[2]) for entry in entries) + self.honours[player]) // numbers[0]
        if kind == "stock":
            return numbers[0] * self.warehouse[player].count(True)
        if kind == "decrees":
            return numbers[0] * sum(entry[3] is not None for entry in entries)
        if kind == "built":
            return 2 * sum(floor.count(numbers[0]) for floor in self.finished)
        if kind == "pair":
            return 3 * sum(numbers[0] in floor and numbers[1] in floor for floor in self.finished)
        return numbers[0]
