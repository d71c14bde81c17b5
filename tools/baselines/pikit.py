"""PiKiT for 2 to 4 players, complete: plays, cancels of cancels, takes, doubles and Mecha, wounds, last round, scores.

A Kaiju is its value, 1 to 11; the Mecha of face n is `MECHA + n`. A game waits in one of three steps, and each
step lists its moves as tuples:

    play     ("done",)  ("reroll", card, dice)  ("steal", card, victim)  ("draw", card)  ("turn", card, die, face)
    cancel   ("pass",)  ("cancel", card)
    take     ("take", cards)  ("nothing",)  ("mecha", face)  ("attempt", victim)

Dice are 0 and 1. Who could not cancel anyway is not asked. Chance can be laid down beforehand: the order of the
deck (its top card first), the faces that will be rolled, and the cards that thefts will hit; where a list ends,
chance goes on by itself.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tools.baselines.baseline import Baseline

COPIES = {1: 6, 2: 6, 3: 6, 4: 6, 5: 6, 6: 6, 7: 7, 8: 7, 9: 1, 10: 1, 11: 1}
EFFECTS = {2: "reroll", 4: "steal", 5: "draw", 6: "cancel", 7: "turn", 9: "copy", 10: "copy", 11: "copy"}
MECHA = 20

MARKET_SIZE = 8
ENOUGH = 10
MECHA_POINTS = 15
ONES_BONUS = 15
WOUND_POINTS = 3

Move = tuple[Any, ...]


def is_kaiju(card: int) -> bool:
    return card < MECHA


def does(card: int, effect: str) -> bool:
    """Whether that card can be used for that effect, by itself or as a copy of it."""
    return EFFECTS.get(card) in (effect, "copy")


class Pikit(Baseline):
    def __init__(
        self,
        players: int = 2,
        seed: int | None = None,
        deck: Iterable[int] | None = None,
        rolls: Iterable[int] = (),
        thefts: Iterable[int] = (),
    ) -> None:
        super().__init__(players, seed)
        self.rolls = list(rolls)
        self.thefts = list(thefts)
        # The top of the deck is the end of the list.
        self.deck = list(deck)[::-1] if deck is not None else self.shuffled_deck()
        self.discard: list[int] = []
        self.market = [self.deck.pop() for _ in range(MARKET_SIZE)]
        self.mechas = [1, 2, 3, 4, 5, 6]
        self.hands = [self.starting_hand() for _ in range(players)]
        self.wounds = [0] * players
        self.dice = [1, 1]
        self.active = 0
        self.turns_left: int | None = None
        self.declared: Move = ()
        self.cancels = 0
        self.to_ask: list[int] = []
        self.begin_turn()

    # ------------------------------------------------------------ setup and chance

    def shuffled_deck(self) -> list[int]:
        deck = []
        for value, copies in COPIES.items():
            if self.players == 2 and value <= 8:
                copies -= 2
            deck.extend([value] * copies)
        self.random.shuffle(deck)
        return deck

    def starting_hand(self) -> list[int]:
        hand: list[int] = []
        while sum(hand) < ENOUGH:
            hand.append(self.deck.pop())
        return hand

    def roll(self) -> int:
        return self.rolls.pop(0) if self.rolls else self.random.randint(1, 6)

    def pick_from(self, hand: list[int]) -> int:
        return self.thefts.pop(0) if self.thefts else self.random.choice(hand)

    # ------------------------------------------------------------ the course of a turn

    def begin_turn(self) -> None:
        self.dice = [self.roll(), self.roll()]
        self.player = self.active
        self.step = "play"

    def end_turn(self) -> None:
        while len(self.market) < MARKET_SIZE and self.deck:
            self.market.append(self.deck.pop())
        if self.turns_left is not None:
            self.turns_left -= 1
        elif not self.deck:
            self.turns_left = self.players
        if self.turns_left == 0:
            self.finish()
        else:
            self.active = (self.active + 1) % self.players
            self.begin_turn()

    def legal_moves(self) -> list[Move]:
        if self.step == "play":
            return self.plays()
        if self.step == "cancel":
            return self.cancel_moves()
        return self.takes()

    def play(self, move: Move) -> None:
        if self.step == "play":
            self.play_card(move)
        elif self.step == "cancel":
            self.answer(move)
        else:
            self.take(move)

    # ------------------------------------------------------------ playing cards

    def plays(self) -> list[Move]:
        hand = self.hands[self.active]
        moves: list[Move] = []
        for card in sorted(set(hand)):
            if does(card, "reroll"):
                moves += [("reroll", card, dice) for dice in ((0,), (1,), (0, 1))]
            if does(card, "steal"):
                moves += [("steal", card, victim) for victim in self.others(self.active) if self.hands[victim]]
            if does(card, "draw") and self.deck:
                moves.append(("draw", card))
            if does(card, "turn"):
                for die, showing in enumerate(self.dice):
                    moves += [("turn", card, die, face) for face in range(1, 7) if face != showing]
        moves.append(("done",))
        return moves

    def play_card(self, move: Move) -> None:
        if move == ("done",):
            self.step = "take"
            return
        self.spend(self.active, move[1])
        self.declared = move
        self.cancels = 0
        self.open_question(self.active)

    def spend(self, player: int, card: int) -> None:
        self.hands[player].remove(card)
        self.discard.append(card)

    def others(self, player: int) -> list[int]:
        """The other players, clockwise from the left."""
        return [(player + distance) % self.players for distance in range(1, self.players)]

    def apply_declared(self) -> None:
        effect = self.declared[0]
        if effect == "reroll":
            for die in self.declared[2]:
                self.dice[die] = self.roll()
        elif effect == "steal":
            self.steal_from(self.declared[2])
        elif effect == "draw":
            self.hands[self.active].append(self.deck.pop())
        else:
            _, _, die, face = self.declared
            self.dice[die] = face

    def steal_from(self, victim: int) -> None:
        """A random card changes hands; a stolen 3 is discarded and wounds. An empty hand gives nothing."""
        hand = self.hands[victim]
        if not hand:
            return
        card = self.pick_from(hand)
        hand.remove(card)
        if card == 3:
            self.discard.append(card)
            self.wounds[self.active] += 1
        else:
            self.hands[self.active].append(card)

    # ------------------------------------------------------------ cancelling

    def open_question(self, player: int) -> None:
        """Ask those who can, clockwise, whether they cancel what that player has just played."""
        self.to_ask = [other for other in self.others(player) if self.cancel_cards(other)]
        self.ask_next()

    def cancel_cards(self, player: int) -> list[int]:
        return sorted({card for card in self.hands[player] if does(card, "cancel")})

    def ask_next(self) -> None:
        if self.to_ask:
            self.player = self.to_ask.pop(0)
            self.step = "cancel"
            return
        if self.cancels % 2 == 0:
            self.apply_declared()
        self.player = self.active
        self.step = "play"

    def cancel_moves(self) -> list[Move]:
        return [*(("cancel", card) for card in self.cancel_cards(self.player)), ("pass",)]

    def answer(self, move: Move) -> None:
        if move == ("pass",):
            self.ask_next()
        else:
            self.spend(self.player, move[1])
            self.cancels += 1
            self.open_question(self.player)

    # ------------------------------------------------------------ taking cards

    def takes(self) -> list[Move]:
        a, b = self.dice
        market = self.market
        moves: list[Move] = [("take", (value,)) for value in sorted({a + b, abs(a - b), a, b}) if value in market]
        if not moves:
            moves.append(("nothing",))
        if a == b:
            if market.count(a) >= 2:
                moves.append(("take", (a, a)))
            moves += self.mecha_moves(a)
        elif a in market and b in market:
            moves.append(("take", (a, b)))
        return moves

    def mecha_moves(self, face: int) -> list[Move]:
        """What a double adds: the Mecha of that face from the row, or a try to steal it from whoever has it."""
        if face in self.mechas:
            return [("mecha", face)]
        return [("attempt", victim) for victim in self.others(self.active) if MECHA + face in self.hands[victim]]

    def take(self, move: Move) -> None:
        kind = move[0]
        if kind == "take":
            for value in move[1]:
                self.take_from_market(value)
        elif kind == "mecha":
            self.mechas.remove(move[1])
            self.hands[self.active].append(MECHA + move[1])
        elif kind == "attempt":
            self.steal_from(move[1])
        self.end_turn()

    def take_from_market(self, value: int) -> None:
        """One card of that value; of the 8s all there are."""
        for _ in range(self.market.count(8) if value == 8 else 1):
            self.market.remove(value)
            self.hands[self.active].append(value)

    # ------------------------------------------------------------ the end

    def finish(self) -> None:
        self.over = True
        best = self.winners()
        if len(best) == 1:
            self.winner = best[0]

    def scores(self) -> list[int]:
        ones = [hand.count(1) for hand in self.hands]
        points = []
        for player, hand in enumerate(self.hands):
            total = sum(card if is_kaiju(card) else MECHA_POINTS for card in hand)
            if ones[player] > 0 and ones[player] == max(ones):
                total += ONES_BONUS
            points.append(total - WOUND_POINTS * self.wounds[player])
        return points

    def winners(self) -> list[int]:
        """Those with the best score; among them those with the fewest cards; all who are still tied share it."""
        ranks = [(points, -len(hand)) for points, hand in zip(self.scores(), self.hands, strict=True)]
        return [player for player, rank in enumerate(ranks) if rank == max(ranks)]
