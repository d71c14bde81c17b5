"""The hand-written PiKiT, with the chance of a compiled game, so that the two can be played side by side.

The compiled game asks everybody who could cancel in principle; the hand-written one only those who can. So the compiled
one is played with every decision shown, and a lone pass is taken there alone.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Any

from tools.baselines.pikit import MECHA, Move, Pikit

THROWS = {"the first die": (0,), "the second die": (1,), "both dice": (0, 1)}


def card_number(name: str) -> int:
    kind, _, number = name.rpartition(" ")
    return int(number) + (MECHA if kind == "Mecha" else 0)


def move_of(label: str) -> Move:
    """The move of the hand-written game that an option of the compiled one stands for."""
    with_card = re.search(r" with Kaiju (\d+)$", label)
    card = int(with_card[1]) if with_card else 0
    seat = re.search(r"seat(\d)", label)
    match label.split()[:2]:
        case ["Done"] | ["Pass"]:
            return (label.lower(),)
        case ["Take", "nothing"]:
            return ("nothing",)
        case ["Take", "Mecha"]:
            return ("mecha", int(label.split()[2]))
        case ["Take", _]:
            return ("take", tuple(int(value) for value in re.findall(r"\d+", label)))
        case ["Try", _]:
            assert seat
            return ("attempt", int(seat[1]) - 1)
        case ["Cancel", _]:
            return ("cancel", card)
        case ["Draw", _]:
            return ("draw", card)
        case ["Steal", _]:
            assert seat
            return ("steal", card, int(seat[1]) - 1)
        case ["Roll", _]:
            return ("reroll", card, next(dice for throw, dice in THROWS.items() if throw in label))
    _, _, die, _, face, *_ = label.split()
    return ("turn", card, int(die) - 1, int(face))


class DealtPikit(Pikit):
    """Set up as a fresh state of the compiled game is; dice and thefts as they have just come out there."""

    def __init__(self, state: Any) -> None:
        self.state = state
        super().__init__(len(state.view(None)["seats"]), 0)

    def shuffled_deck(self) -> list[int]:
        places = self.state.view(None)["places"]
        hands = [card_number(name) for own in places["players"] for name in _dealt(own["hand"])]
        market = [card_number(name) for name in places["table"]["market"]]
        return [*(card_number(name) for name in reversed(places["table"]["deck"])), *hands[::-1], *market[::-1]]

    def begin_turn(self) -> None:
        super().begin_turn()
        self.dice = list(self.state.view(None)["dice"]["dice"])

    def apply_declared(self) -> None:
        super().apply_declared()
        if self.declared[0] == "reroll":
            self.dice = list(self.state.view(None)["dice"]["dice"])

    def pick_from(self, hand: list[int]) -> int:
        """What is gone from that hand in the compiled game."""
        [owner] = [player for player in range(self.players) if self.hands[player] is hand]
        left = self.state.view(None)["places"]["players"][owner]["hand"]
        [stolen] = Counter(hand) - Counter(card_number(name) for name in left)
        return stolen


def _dealt(hand: list[str]) -> list[str]:
    """In an order in which the last card makes it worth ten: the largest last."""
    return sorted(hand, key=card_number)


def find_move(_: Any, labels: list[str], index: int) -> Move:
    return move_of(labels[index])


def pass_alone(state: Any) -> None:
    """Passes of those who have nothing to cancel with."""
    while not state.over and [str(option) for option in state.decision.options] == ["Pass"]:
        state.apply(0)


# ---------------------------------------------------------------------------- comparing


def first_difference(state: Any, by_hand: Pikit) -> str | None:
    """What the two games do not agree on: who decides, among what, what lies where, how it ended."""
    if state.over or by_hand.over:
        ours, theirs = (state.over, sorted(state.winners)), (by_hand.over, by_hand.winners())
        return None if ours == theirs and state.scores == by_hand.scores() else f"{ours}, by hand {theirs}"
    offered = sorted(map(str, map(move_of, map(str, state.decision.options))))
    if state.decision.player != by_hand.player or offered != sorted(map(str, by_hand.legal_moves())):
        return f"{state.decision.prompt}: {offered}, by hand {by_hand.legal_moves()}"
    view = state.view(None)
    table, players = view["places"]["table"], view["places"]["players"]
    compiled = {
        "deck": [card_number(name) for name in reversed(table["deck"])],
        "market": sorted(card_number(name) for name in table["market"]),
        "discard": [card_number(name) for name in reversed(table["discard"])],
        "mechas": [card_number(name) - MECHA for name in table["mechas"]],
        "dice": list(view["dice"]["dice"]),
        "hands": [sorted(card_number(name) for name in own["hand"]) for own in players],
        "wounds": [fields["wounds"] for fields in view["fields"]["players"]],
    }
    for name, value in compiled.items():
        own = getattr(by_hand, name)
        own = sorted(own) if name == "market" else [sorted(hand) for hand in own] if name == "hands" else own
        if value != own:
            return f"{name}: {value}, by hand {own}"
    return None
