"""The hand-written KIKAI, dealt like a compiled game, so that the two can be played side by side choice for choice."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from tools.baselines.kikai import Kikai
from tools.baselines.kikai_data import BOARDS

SEATS = ("yellow", "purple")
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
    return AREAS.index(card.removeprefix("Card ").lower().replace(" ", "_"))


def element_number(name: str) -> int:
    """`blue Legs 3 (…)` is the third of the second four."""
    words = name.split()
    return 4 * COLOURS.index(words[0]) + int(words[2]) - 1


def colour_number(fan: str) -> int:
    return COLOURS.index(fan.split()[1])


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
        self.squares = [[colour_number(fan) for fan in nodes[f"s{number}"]["fans"]] for number in range(1, 13)]
        self.deck = [area_number(card) for card in reversed(table["deck"])]
        self.cards = [[area_number(card) for card in own["cards"]] for own in players]
        self.offer = [area_number(card) for card in table["offer"]]


def _malus(slot: list[str]) -> int:
    if not slot:
        return 0
    found = re.search(r"\(-(\d)\)", slot[0])
    assert found is not None
    return int(found[1])


# ---------------------------------------------------------------------------- comparing


def first_difference(state: Any, by_hand: Kikai) -> str | None:
    """What the two games do not agree on: who decides, among how many, what lies where, how it ended."""
    if state.over or by_hand.over:
        ours, theirs = (state.over, sorted(state.winners)), (by_hand.over, _winners(by_hand))
        return None if ours == theirs and state.scores == by_hand.scores() else f"{ours}, by hand {theirs}"
    counts = len(state.decision.options), len(by_hand.legal_moves())
    if state.decision.player != by_hand.player or counts[0] != counts[1]:
        return f"{state.decision.prompt}: {counts}, {by_hand.step}: {by_hand.legal_moves()}"
    compiled, hand_written = _compiled_table(state.view(None)), _hand_written_table(by_hand)
    for name, value in compiled.items():
        if value != hand_written[name]:
            return f"{name}: {value}, by hand {hand_written[name]}"
    return None


def _hand_written_table(game: Kikai) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(game, name) for name in ("deck", "stacks", "owner", "signs", "tiles")}
    found["offer"] = sorted(game.offer)
    found["display"] = [sorted(shown) for shown in game.display]
    found["squares"] = [sorted(fans) for fans in game.squares]
    for player, seat in enumerate(SEATS):
        for name in ("energy", "megaphones", "ladders", "points", "fame", "turns_taken", "uncovered", "influence"):
            found[f"{name} of {seat}"] = getattr(game, name)[player]
        for name in ("towers", "zones", "served", "foundations", "fans"):
            found[f"{name} of {seat}"] = getattr(game, name)[player]
        found[f"cards of {seat}"] = sorted(game.cards[player])
        found[f"boards of {seat}"] = sorted(game.boards[player])
    return found


def _compiled_table(view: dict[str, Any]) -> dict[str, Any]:
    """The same, in the numbers of the hand-written game, out of what somebody sees who sees everything."""
    table, nodes = view["places"]["table"], view["places"]["nodes"]
    owners = [street["owner"] for street in view["fields"]["edges"].values()]
    signs = [nodes[f"s{number}"]["sign"] for number in range(1, 13)]
    found = {
        "deck": [area_number(card) for card in reversed(table["deck"])],
        "offer": sorted(area_number(card) for card in table["offer"]),
        "stacks": [[element_number(name) for name in reversed(table["stacks"][part])] for part in PARTS],
        "display": [sorted(element_number(name) for name in table["display"][part]) for part in PARTS],
        "owner": [None if owner is None else SEATS.index(owner) for owner in owners],
        "squares": [sorted(colour_number(fan) for fan in nodes[f"s{number}"]["fans"]) for number in range(1, 13)],
        "signs": [SEATS.index(sign[0].split()[-1]) if sign else None for sign in signs],
        "tiles": [TILE_NAMES[nodes[area]["tile"][0]] if nodes[area]["tile"] else None for area in AREAS],
    }
    for seat, fields, places in zip(SEATS, view["fields"]["players"], view["places"]["players"], strict=True):
        found |= {f"{name} of {seat}": value for name, value in _compiled_player(fields, places).items()}
    return found


def _compiled_player(fields: dict[str, Any], places: dict[str, Any]) -> dict[str, Any]:
    fans = [colour_number(fan) for fan in places["fans"]]
    return {
        **{name: fields[name] for name in ("energy", "megaphones", "ladders", "fame", "turns_taken")},
        "points": fields["vp"],
        "influence": list(fields["influence"].values()),
        "uncovered": 20 - len(places["flyers"]),
        "towers": [_by_part(places["tower"][area], element_number) for area in AREAS],
        "zones": [_by_part(places["zone"][area], colour_number) for area in AREAS],
        "served": [list(fields["served"][area].values()) for area in AREAS],
        "foundations": [_malus(places["foundations"][area]) for area in AREAS],
        "fans": [fans.count(colour) for colour in range(3)],
        "cards": sorted(area_number(card) for card in places["cards"]),
        "boards": sorted(next(name for name in BOARDS if name in board) for board in places["billboards"]),
    }


def _by_part(slots: dict[str, list[str]], number: Callable[[str], int]) -> list[int | None]:
    return [number(slots[part][0]) if slots[part] else None for part in PARTS]


def _winners(by_hand: Kikai) -> list[int]:
    return [0, 1] if by_hand.winner is None else [by_hand.winner]
