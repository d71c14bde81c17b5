"""The hand-written KIKAI, dealt like a compiled game, so that the two can be played side by side choice for choice."""

from __future__ import annotations

import re
from typing import Any

from tools.baselines.kikai import Kikai

AREAS = ("cinema", "parking", "diner", "train_station", "school", "casino")
PARTS = ("legs", "body", "head")
COLOURS = ("red", "blue", "green")
TILE_NAMES = {
    "1 point a flyer": "flyers",
    "3 points a higher KIKAI": "height",
    "points for billboards": "signs",
    "4 points a Head": "heads",
    "2 points an area with Legs": "legs",
    "2 points a step of the best influence": "influence",
}


def area_number(card: str) -> int:
    return AREAS.index(card.removeprefix("Card ").replace(" ", "_"))


def element_number(name: str) -> int:
    """`blue Legs 3 (…)` is the third of the second four."""
    words = name.split()
    return 4 * COLOURS.index(words[0]) + int(words[2]) - 1


class _Shuffler:
    """Lays played cards as the compiled game has laid them; everything else is dealt, not shuffled."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def shuffle(self, cards: list[int]) -> None:
        """The cards that lie at the bottom of the deck, bottom first."""
        deck = [area_number(card) for card in self.state.view(None)["places"]["table"]["deck"]]
        cards[:] = deck[::-1][: len(cards)]


class DealtKikai(Kikai):
    """Set up as a fresh state of the compiled game is."""

    def __init__(self, state: Any) -> None:
        self.dealt = state.view(None)["places"]
        super().__init__(2, 0)
        self.random = _Shuffler(state)  # type: ignore[assignment]

    def set_up(self) -> None:
        table, players, nodes = self.dealt["table"], self.dealt["players"], self.dealt["nodes"]
        self.foundations = [[_malus(own["foundations"][area]) for area in AREAS] for own in players]
        self.tiles = [TILE_NAMES[nodes[area]["tile"][0]] for area in AREAS]
        self.stacks = [[element_number(name) for name in reversed(table["stacks"][part])] for part in PARTS]
        self.display = [[element_number(name) for name in table["display"][part]] for part in PARTS]
        self.squares = [
            [COLOURS.index(fan.split()[1]) for fan in nodes[f"s{number}"]["fans"]] for number in range(1, 13)
        ]
        self.deck = [area_number(card) for card in reversed(table["deck"])]
        self.cards = [[area_number(card) for card in own["cards"]] for own in players]
        self.offer = [area_number(card) for card in table["offer"]]


def _malus(slot: list[str]) -> int:
    found = re.search(r"\(-(\d)\)", slot[0])
    assert found is not None
    return int(found[1])


def first_difference(state: Any, by_hand: Kikai) -> str | None:
    """What the two games do not agree on: who decides, among how many, what everybody has, how it ended."""
    if state.over or by_hand.over:
        ours, theirs = (state.over, sorted(state.winners)), (by_hand.over, _winners(by_hand))
        return None if ours == theirs and state.scores == by_hand.scores() else f"{ours}, by hand {theirs}"
    counts = len(state.decision.options), len(by_hand.legal_moves())
    if state.decision.player != by_hand.player or counts[0] != counts[1]:
        return f"{state.decision.prompt}: {counts}, {by_hand.step}: {by_hand.legal_moves()}"
    for player, held in enumerate(state.view(None)["fields"]["players"]):
        ours = [held[name] for name in ("energy", "megaphones", "ladders", "vp", "fame", "turns_taken")]
        ours += held["influence"].values()
        theirs = [
            getattr(by_hand, name)[player]
            for name in ("energy", "megaphones", "ladders", "points", "fame", "turns_taken")
        ]
        theirs += by_hand.influence[player]
        if ours != theirs:
            return f"player {player} has {ours}, by hand {theirs}"
    return None


def _winners(by_hand: Kikai) -> list[int]:
    return [0, 1] if by_hand.winner is None else [by_hand.winner]
