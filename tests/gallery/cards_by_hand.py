"""Card and dice games written directly in Python. Chance is the game's: a model is told what was dealt and works out
what may be done
with it, what it leads to, and what it counts.

Each model has `offers(seen)`, the labels that must be offered in a position as a referee sees it, or None where a
rule of chance or
of secrets is all there is to say; and `happened(before, player, label, after)`, which asserts what a choice has led to.
"""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

View = dict[str, Any]


def places(view: View, player: int) -> dict[str, list[str]]:
    found: dict[str, list[str]] = view["places"]["players"][player]
    return found


def fields(view: View, player: int) -> dict[str, Any]:
    found: dict[str, Any] = view["fields"]["players"][player]
    return found


class Hearts:
    ranks = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")

    def __init__(self, players: int) -> None:
        self.points, self.taken = [0] * 4, [0] * 4
        self.trick: list[tuple[int, str]] = []
        self.broken, self.played, self.deals = False, 0, 0
        self.passed: dict[int, list[str]] = {}

    def offers(self, view: View, player: int) -> set[str] | None:
        if view["decision"]["prompt"].startswith("Which three"):
            return None
        hand = places(view, player)["hand"]
        if not self.trick:
            if self.played == 0:
                return {"Card clubs two"}
            plain = {card for card in hand if self.broken or self.suit(card) != "hearts"}
            return plain or set(hand)
        led = {card for card in hand if self.suit(card) == self.suit(self.trick[0][1])}
        free = {card for card in hand if self.played >= 4 or not self.worth(card)}
        return led or free or set(hand)

    def suit(self, card: str) -> str:
        return card.split()[1]

    def worth(self, card: str) -> int:
        return 13 if card == "Card spades queen" else int(self.suit(card) == "hearts")

    def happened(self, before: View, player: int, label: str, after: View) -> None:
        if before["decision"]["prompt"].startswith("Which three"):
            self.passed.setdefault(player, []).append(label)
            if sum(map(len, self.passed.values())) == 12:
                steps = (1, 3, 2)[self.deals % 4]
                for giver, cards in self.passed.items():
                    assert set(cards) <= set(places(after, (giver + steps) % 4)["hand"])
                self.passed = {}
            return
        self.trick.append((player, label))
        self.played += 1
        self.broken |= self.suit(label) == "hearts"
        if len(self.trick) == 4:
            suit = self.suit(self.trick[0][1])
            best = max((self.ranks.index(card.split()[2]), who) for who, card in self.trick if self.suit(card) == suit)
            self.taken[best[1]] += sum(self.worth(card) for _, card in self.trick)
            self.trick = []
            if self.played < 52:
                assert after["fields"]["table"]["leader"] == ("west", "north", "east", "south")[best[1]]
        if self.played == 52:
            shot = 26 in self.taken
            for who in range(4):
                self.points[who] += (0 if self.taken[who] == 26 else 26) if shot else self.taken[who]
            assert [fields(after, who)["points"] for who in range(4)] == self.points
            self.taken, self.played, self.broken, self.deals = [0] * 4, 0, False, self.deals + 1

    def result(self) -> list[int]:
        assert max(self.points) >= 100
        return self.points


class SpringBouquet:
    tulips = (0, 1, 3, 6, 10, 15)

    def __init__(self, players: int) -> None:
        self.players, self.points = players, [0] * players
        self.vases: list[list[str]] = [[] for _ in range(players)]
        self.ferns = [0] * players
        self.chosen: list[tuple[int, str]] = []
        self.deal, self.hands = 1, [[""]]

    def offers(self, view: View, player: int) -> set[str]:
        return set(places(view, player)["hand"])

    def happened(self, before: View, player: int, label: str, after: View) -> None:
        if not self.chosen:
            self.hands = [list(places(before, who)["hand"]) for who in range(self.players)]
        self.chosen.append((player, label))
        self.hands[player].remove(label)
        if len(self.chosen) < self.players:
            return
        for who, card in self.chosen:
            self.vases[who].append(card)
        self.chosen = []
        if self.hands[0]:
            way = -1 if self.deal == 2 else 1
            for who in range(self.players):
                assert sorted(places(after, (who + way) % self.players)["hand"]) == sorted(self.hands[who])
                assert sorted(places(after, who)["vase"]) == sorted(self.vases[who])
            return
        self.count()
        self.deal += 1
        if self.deal == 4:
            self.count_ferns()
        assert [fields(after, who)["points"] for who in range(self.players)] == self.points

    def count(self) -> None:
        ribbons = [vase.count("Ribbon") for vase in self.vases]
        for who, vase in enumerate(self.vases):
            number = Counter(vase)
            self.points[who] += number["Poppy"] + 2 * number["Cornflower"] - 2 * number["Wasp"]
            self.points[who] += self.tulips[min(5, number["Tulip"])] + 5 * (number["Lilac"] // 2)
            if ribbons[who] and ribbons[who] == max(ribbons):
                self.points[who] += 4 if ribbons.count(max(ribbons)) == 1 else 2
            self.ferns[who] += number["Fern"]
        self.vases = [[] for _ in self.vases]

    def count_ferns(self) -> None:
        most, fewest = max(self.ferns), min(self.ferns)
        if most > fewest:
            for who, number in enumerate(self.ferns):
                self.points[who] += 6 // self.ferns.count(most) if number == most else 0
                self.points[who] -= 6 // self.ferns.count(fewest) if number == fewest else 0

    def result(self) -> list[int]:
        return self.points


class MarketGarden:
    # cost, coins, points, cards, actions, buys
    cards: ClassVar = {
        "Penny jar": (0, 1, 0, 0, 0, 0), "Cash box": (3, 2, 0, 0, 0, 0), "Safe": (6, 3, 0, 0, 0, 0),
        "Flower bed": (2, 0, 1, 0, 0, 0), "Greenhouse": (5, 0, 3, 0, 0, 0), "Park": (8, 0, 6, 0, 0, 0),
        "Apprentice": (3, 0, 0, 1, 2, 0), "Barrow": (3, 2, 0, 0, 0, 1), "Gardener": (4, 0, 0, 3, 0, 0),
        "Fair": (5, 1, 0, 1, 1, 1), "Compost": (2, 0, 0, 0, 0, 0), "Greenfly": (4, 2, 0, 0, 0, 0),
    }  # fmt: skip
    money, gardens = ("Penny jar", "Cash box", "Safe"), ("Flower bed", "Greenhouse", "Park")

    def __init__(self, players: int) -> None:
        self.players = players
        self.owned = [Counter({"Penny jar": 7, "Flower bed": 3}) for _ in range(players)]
        self.last: View = {}
        self.useless: list[str] = []  # picked for the compost

    def offers(self, view: View, player: int) -> set[str] | None:
        own, purse = places(view, player), fields(view, player)
        for who in range(self.players):
            held = places(view, who)
            found = Counter(card for place in ("deck", "hand", "played", "discard") for card in held[place])
            assert found == +self.owned[who], who
        if "market" in view["decision"]["path"][-1]:
            buys = {card for card in view["places"]["table"]["supply"] if self.cards[card][0] <= purse["coins"]}
            return {f"Buy {card}" for card in buys if purse["buys"]} | {"Pass"}
        if "helpers" in view["decision"]["path"][-1] and view["decision"]["prompt"].startswith("You may"):
            helpers = {card for card in own["hand"] if card not in self.money + self.gardens}
            return {f"Play {card}" for card in helpers if purse["actions"]} | {"Pass"}
        return None

    def happened(self, before: View, player: int, label: str, after: View) -> None:
        self.last = after
        verb, _, card = label.partition(" ")
        was = fields(before, player)
        if verb == "Buy":
            self.owned[player][card] += 1
            if fields(after, player)["turns"] == was["turns"] and fields(after, player)["buys"]:
                assert fields(after, player)["coins"] == was["coins"] - self.cards[card][0]
                assert fields(after, player)["buys"] == was["buys"] - 1
        elif verb == "Play":
            _, coins, _, cards, actions, buys = self.cards[card]
            now, drawn = fields(after, player), len(places(before, player)["hand"]) - 1 + cards
            if "helpers" in (after["decision"] or {"path": [""]})["path"][-1] and card not in ("Compost", "Greenfly"):
                assert now["actions"] == was["actions"] - 1 + actions and now["coins"] == was["coins"] + coins
                assert now["buys"] == was["buys"] + buys and len(places(after, player)["hand"]) <= drawn
        elif before["decision"]["prompt"].startswith("Which cards go out"):
            self.useless += [label] if label in self.cards else []
            if len(self.useless) == 2 or label not in self.cards or not self.asks_on(before, after):
                self.owned[player] -= Counter(self.useless)
                gone = Counter(after["places"]["table"]["trash"]) - Counter(before["places"]["table"]["trash"])
                assert gone == Counter(self.useless)
                self.useless = []

    def asks_on(self, before: View, after: View) -> bool:
        """The set is picked one by one: the same question again, and nothing has gone yet."""
        same = after["decision"] is not None and after["decision"]["prompt"] == before["decision"]["prompt"]
        return same and after["places"]["table"]["trash"] == before["places"]["table"]["trash"]

    def result(self) -> list[int]:
        supply = Counter(self.last["places"]["table"]["supply"])
        turns = [fields(self.last, who)["turns"] for who in range(self.players)]
        assert not supply["Park"] or sum(not supply[card] for card in self.cards) >= 3 or min(turns) == 40
        return [sum(self.cards[card][2] * number for card, number in owned.items()) for owned in self.owned]


class LiarsDice:
    def __init__(self, players: int) -> None:
        self.left = [5] * players
        self.bid: tuple[int, int] = (0, 0)
        self.bidder = -1

    def offers(self, view: View, player: int) -> set[str]:
        bids = [(n, face) for n in range(1, sum(self.left) + 1) for face in range(1, 7)]
        higher = {f"{n} times {face}" for n, face in bids if (n, face) > self.bid}
        return higher | ({"Liar!"} if self.bidder >= 0 else set())

    def happened(self, before: View, player: int, label: str, after: View) -> None:
        if label != "Liar!":
            number, face = label.split(" times ")
            self.bid, self.bidder = (int(number), int(face)), player
            return
        cups = list(before["dice"]["cup"].values())
        shown = [face for cup, left in zip(cups, self.left, strict=True) for face in cup[:left]]
        fitting = sum(face in (1, self.bid[1]) for face in shown)
        self.left[self.bidder if fitting < self.bid[0] else player] -= 1
        self.bid, self.bidder = (0, 0), -1
        assert [fields(after, who)["left"] for who in range(len(self.left))] == self.left

    def result(self) -> list[int]:
        return [int(left > 0) for left in self.left]


class EstateSale:
    """Open bids: the last one left pays the own bid."""

    def __init__(self, players: int) -> None:
        self.profits, self.opener = [0] * players, 0
        self.price, self.buyer, self.is_out = 0, -1, [False] * players

    def offers(self, view: View, player: int) -> set[str]:
        return {f"Bid {n}" for n in range(self.price + 1, 11)} | {"Out"}

    def happened(self, before: View, player: int, label: str, after: View) -> None:
        if label == "Out":
            self.is_out[player] = True
        else:
            self.price, self.buyer = int(label.split()[1]), player
        if all(out or who == self.buyer for who, out in enumerate(self.is_out)):
            if self.buyer >= 0:
                self.profits[self.buyer] += int(places(before, self.buyer)["drawn"][0].split()[-1]) - self.price
            self.price, self.buyer, self.is_out = 0, -1, [False] * len(self.is_out)
        assert [fields(after, who)["profit"] for who in range(len(self.profits))] == self.profits

    def result(self) -> list[int]:
        return self.profits
