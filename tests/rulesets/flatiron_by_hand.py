"""The hand-written Flatiron, dealt like a compiled game, so that the two can be played side by side."""

from __future__ import annotations

from collections import Counter
from typing import Any

from tools.baselines.flatiron import Flatiron

SEATS = ("green", "yellow")
STREETS = ("Broadway", "23rd Street", "5th Avenue", "22nd Street")
COLOURS = ("orange", "blue", "white", "grey")
SLOTS = ("slot a", "slot b", "slot c")
PAPERS = (
    "Three dollars",
    "Swap",
    "Two dollars and a point",
    "Build for 1",
    "Card for 1 less",
    "Decree for 1 less",
    "Pillar for 1",
)


def number_of(name: str) -> int:
    """`Floor 12` is number 11; the cards of the four streets are numbered through."""
    kind, _, number = name.rpartition(" ")
    return int(number) - 1 + (8 * STREETS.index(kind) if kind in STREETS else 0)


class _Dealer:
    """In place of a generator: everything as the compiled game has it, asked for in the order of the setup."""

    def __init__(self, state: Any) -> None:
        self.state = state

    def table(self) -> dict[str, Any]:
        found: dict[str, Any] = self.state.view(None)["places"]["table"]
        return found

    def shuffle(self, cards: list[int]) -> None:
        """A deck of a street; papers are drawn from a bag, not shuffled."""
        if len(cards) == 8:
            cards[:] = [number_of(card) for card in reversed(self.table()["decks"][STREETS[cards[0] // 8]])]
        else:
            cards.append(cards.pop(cards.index(PAPERS.index(self.table()["day_paper"][0]))))

    def sample(self, among: Any, count: int) -> list[int]:
        if count == 6:
            return [number_of(decree) for decree in self.table()["decrees"]]
        if among == range(4):
            return [number_of(b) for own in self.state.view(None)["places"]["players"] for b in own["dealt"]]
        floors = [*self.table()["next_floor"], *self.table()["floor_pile"]]
        return [number_of(floor) for floor in reversed(floors) if floor != "Roof"]

    def randrange(self, count: int) -> int:
        """The first floor, or the first player."""
        if count == 4:
            return number_of(self.table()["site"][0])
        return SEATS.index(self.state.view(None)["fields"]["table"]["first_player"])


class _Bag(list[int]):
    """Papers that are drawn when, and as, the compiled game has drawn them.

    Of several that one choice has led to, those that are still to be shared out come last, and two of a kind first.
    """

    def __init__(self, papers: list[int], state: Any) -> None:
        super().__init__(papers)
        self.state = state
        self.drawn: list[int] = []

    def pop(self, _: Any = -1) -> int:
        if not self.drawn:
            places = self.state.view(None)["places"]
            drawn = Counter(self) - Counter(PAPERS.index(name) for name in places["table"]["papers"])
            fresh = Counter(PAPERS.index(name) for own in places["players"] for name in own["fresh"])
            settled = (drawn - fresh).most_common()
            self.drawn = [*(paper for paper, count in settled for _ in range(count)), *fresh.elements()]
        paper = self.drawn.pop(0)
        self.remove(paper)
        return paper


class DealtFlatiron(Flatiron):
    """Set up as a fresh state of the compiled game is."""

    def __init__(self, state: Any) -> None:
        self.dealer = _Dealer(state)
        super().__init__(2, 0)
        self.papers = _Bag(self.papers, state)

    @property
    def random(self) -> Any:
        return self.dealer

    @random.setter
    def random(self, _: Any) -> None:
        pass


# ---------------------------------------------------------------------------- comparing


def first_difference(state: Any, by_hand: Flatiron) -> str | None:
    """What the two games do not agree on: who decides, among how many, what lies where, how it ended."""
    if state.over or by_hand.over:
        ours, theirs = (state.over, list(state.winners)), (by_hand.over, [by_hand.winner])
        return None if ours == theirs and state.scores == by_hand.scores() else f"{ours}, by hand {theirs}"
    counts = len(state.decision.options), len(by_hand.legal_moves())
    if state.decision.player != by_hand.player or counts[0] != counts[1]:
        return f"{state.decision.prompt}: {counts}, by hand {by_hand.legal_moves()}"
    compiled, hand_written = _compiled_table(state.view(None)), _hand_written_table(by_hand)
    for name, value in compiled.items():
        if value != hand_written[name]:
            return f"{name}: {value}, by hand {hand_written[name]}"
    return None


def _hand_written_table(game: Flatiron) -> dict[str, Any]:
    found: dict[str, Any] = {
        name: getattr(game, name)
        for name in ("decks", "decrees", "site", "finished", "day_paper", "carrier", "supply", "reputation")
    }
    found["papers"] = sorted(game.papers)
    found["pillars"] = game.pillars if game.site is not None else None
    for player, seat in enumerate(SEATS):
        for name in ("at", "money", "vp", "warehouse", "honours", "honoured"):
            found[f"{name} of {seat}"] = getattr(game, name)[player]
        found[f"news of {seat}"] = sorted(game.news[player])
        found[f"columns of {seat}"] = [[_shown(entry[0]) for entry in column] for column in game.columns[player]]
    return found


def _shown(key: Any) -> Any:
    """What can be told of an entry of a column from its name: printed ones look alike."""
    if key[0] == "printed":
        return "printed"
    return ("decree", key[1]) if key[0] == "decree" else key


def _compiled_table(view: dict[str, Any]) -> dict[str, Any]:
    table, fields = view["places"]["table"], view["fields"]["table"]
    floors = view["places"]["pieces"]
    supply = Counter(table["supply"])
    site = table["site"][0] if table["site"] else None
    found = {
        "decks": [[number_of(card) for card in reversed(table["decks"][street])] for street in STREETS],
        "decrees": [number_of(decree) for decree in table["decrees"]],
        "papers": sorted(PAPERS.index(paper) for paper in table["papers"]),
        "site": None if site is None else number_of(site),
        "pillars": None if site is None else _pillars(floors[site]),
        "finished": [_pillars(floors[floor]) for floor in table["finished"]],
        "day_paper": PAPERS.index(table["day_paper"][0]),
        "carrier": fields["carrier"],
        "supply": [supply[f"Pillar {colour}"] for colour in COLOURS],
        "reputation": len(table["reputation"]),
    }
    for player, seat in enumerate(SEATS):
        found |= {f"{name} of {seat}": value for name, value in _compiled_player(view, player).items()}
    return found


def _pillars(floor: dict[str, Any]) -> list[int | None]:
    slots = [floor["pillars"][slot] for slot in SLOTS]
    return [COLOURS.index(slot[0].removeprefix("Pillar ")) if slot else None for slot in slots]


def _compiled_player(view: dict[str, Any], player: int) -> dict[str, Any]:
    fields, places = view["fields"]["players"][player], view["places"]["players"][player]
    halves = view["fields"]["pieces"]
    return {
        "at": None if fields["at"] is None else [*STREETS, "city hall"].index(fields["at"]),
        "money": fields["dollars"],
        "vp": fields["vp"],
        "warehouse": [bool(places["warehouse"][colour]) for colour in COLOURS],
        "honours": len(places["honours"]) + sum(len(places["honoured"][street]) for street in STREETS),
        "honoured": [len(places["honoured"][street]) for street in STREETS],
        "news": sorted(PAPERS.index(paper) for paper in places["news"]),
        "columns": [[_entry(name, halves) for name in places["columns"][street]] for street in STREETS],
    }


def _entry(name: str, halves: dict[str, Any]) -> Any:
    if name.startswith("Board"):
        return "printed"
    if name.startswith("Decree"):
        return "decree", number_of(name)
    return number_of(name), ("upper", "lower").index(halves[name]["half"])
