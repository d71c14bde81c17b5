"""Branch lines written directly in Python: offers from the cards and tracks, networks by union-find, and the count at
the end."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import yaml

from tests.gallery.cards_by_hand import View, fields, places

RULESET = Path(__file__).parents[2] / "rulesets" / "branch_lines"
MAP = yaml.safe_load((RULESET / "valley.yaml").read_text(encoding="utf-8"))
ORDERS = yaml.safe_load((RULESET / "orders.yaml").read_text(encoding="utf-8"))["rows"]
TOWNS = {row["id"]: row["name"] for row in MAP["nodes"]["Town"]}
TRACKS = {f"{TOWNS[row['ends'][0]]} - {TOWNS[row['ends'][1]]}": row for row in MAP["edges"]["Track"]}
LOADS = ("coal", "iron", "wood", "water")


class BranchLines:
    def __init__(self, players: int) -> None:
        self.players, self.points, self.wagons = players, [0] * players, [14] * players
        self.owner: dict[str, int] = {}
        self.building: tuple[str, str] | None = None
        self.last: View = {}

    def offers(self, view: View, player: int) -> set[str] | None:
        prompt, hand = view["decision"]["prompt"], places(view, player)["hand"]
        if prompt == "What do you do?":
            takes = (
                {"Take cards"} if view["places"]["table"]["open_cards"] or view["places"]["table"]["deck"] else set()
            )
            return takes | ({"Build a track"} if self.tracks(hand, player) else set()) or {"Wait"}
        if prompt == "Which card do you take?":
            top = {"The top of the deck"} if view["places"]["table"]["deck"] else set()
            return set(view["places"]["table"]["open_cards"]) | top
        if prompt == "Which track do you build?":
            return self.tracks(hand, player)
        return None

    def tracks(self, hand: list[str], player: int) -> set[str]:
        number = Counter(hand)
        return {
            f"{track} for {load}"
            for track, row in TRACKS.items()
            if track not in self.owner and row["length"] <= self.wagons[player]
            for load in ([row["colour"]] if "colour" in row else LOADS)
            if number[load.capitalize()] + number["Engine"] >= row["length"]
        }

    def happened(self, before: View, player: int, label: str, after: View) -> None:
        self.last = after
        if before["decision"]["prompt"] == "Which track do you build?":
            track, _, load = label.rpartition(" for ")
            self.building = track, load
        owned = {name: edge["owner"] for name, edge in after["fields"]["edges"].items()}
        if self.building is not None:
            track, load = self.building
            if owned["_".join(TRACKS[track]["ends"])] is not None:
                length = TRACKS[track]["length"]
                self.owner[track] = player
                self.wagons[player] -= length
                self.points[player] += (1, 2, 4)[length - 1]
                self.building = None
        assert [fields(after, who)["wagons"] for who in range(self.players)] == self.wagons
        held = [card for who in range(self.players) for card in places(after, who)["hand"]]
        held += [card for place in ("deck", "open_cards", "paid") for card in after["places"]["table"][place]]
        assert len(held) == 46

    def networks(self, player: int) -> dict[str, str]:
        """For each town the first town of its network."""
        root = {town: town for town in TOWNS}
        for _ in TOWNS:
            for track, owner in self.owner.items():
                if owner == player:
                    a, b = TRACKS[track]["ends"]
                    root[a] = root[b] = min(root[a], root[b])
        return root

    def result(self) -> list[int]:
        assert min(self.wagons) <= 2 or len(self.owner) == len(TRACKS)
        roots = [self.networks(who) for who in range(self.players)]
        sizes = [max(Counter(root.values()).values()) for root in roots]
        scores: list[Any] = []
        for who, root in enumerate(roots):
            kept = [row for row in ORDERS if row["name"] in places(self.last, who)["kept"]]
            orders = sum(row["worth"] if root[row["a"]] == root[row["b"]] else -row["worth"] for row in kept)
            scores.append(self.points[who] + orders + (6 if sizes[who] == max(sizes) else 0))
        return scores
