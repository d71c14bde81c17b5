"""The hand-written Kiwi Chow Down, with the chance of a compiled game, so that the two can be played side by side.

The two list their options in different orders, so a move of the hand-written game is given the words that the compiled
one has for it, and moves are found by these.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from tools.baselines.kiwi_chow_down import KiwiChowDown

CLANS = ("Red clan", "Green clan", "Purple clan", "Yellow clan")
LEADERS = (
    ("Brasa: Cannonball", "Brasa: Shockwave"),
    ("Matu: Kickback", "Matu: Burrow"),
    ("Chopan: Charge", "Chopan: Ram"),
    ("Rauru: Sprint", "Rauru: Sweep"),
)
CARDS = ("Move", "Feed", "Build", "Joker 1", "Joker 2", "Joker 3")
NESTS = ("Tree 1", "Tree 2", "Tower 1", "Tower 2", "Cave 1", "Cave 2")
COLOURS = ("red", "green", "yellow", "blue")
TERRAINS = ("flower", "grass", "mountain", "sand")
YES_OR_NO = {
    "take_fruit_or_not": "Take a fruit",
    "move_or_not": "Make a move",
    "buy_or_not": "Pay 2 fruit for one more move",
    "give_or_not": "Take a token from the island",
    "feed_or_not": "Feed a kiwi",
    "build_or_not": "Build a nest",
    "mark_or_not": "Mark a domain",
}
# Where a thing is on its way, the two games show it in different places.
ON_THE_WAY = {
    "fruits": ("Pay with what?", "Which fruit go back?"),
    "markers": ("Pay with what?",),
    "domain": ("Which token marks it?",),
}


class DealtKiwi(KiwiChowDown):
    def __init__(self, state: Any, season_names: list[str]) -> None:
        self.state = state
        self.season_names = season_names
        super().__init__(len(state.view(None)["seats"]), 0)

    @property
    def random(self) -> Any:
        """In place of a generator: everything as the compiled game has it by now."""
        return self

    @random.setter
    def random(self, _: Any) -> None:
        pass

    def randrange(self, _: int) -> int:
        return int(self.state.view(None)["fields"]["table"]["first"].removeprefix("seat")) - 1

    def sample(self, *_: Any) -> list[int]:
        """Season cards are laid out after the choice of clans, in `set_up`."""
        return []

    def shuffle(self, cards: list[int]) -> None:
        """A deck from which the cards that the compiled game has drawn since come first."""
        [player] = [p for p in range(self.players) if self.deck[p] is cards]
        names = self.state.view(None)["places"]["players"][player]["deck"]
        left = [CARDS.index(name.rpartition(" ")[0]) for name in reversed(names)]
        cards[:] = [*left, *(Counter(cards) - Counter(left)).elements()]

    def draw(self, bag: list[int], held: list[int], count: int) -> None:
        """What the compiled game has drawn."""
        for player, own in enumerate(self.state.view(None)["places"]["players"]):
            for names, mine in ((own["fruits"], self.fruits[player]), (own["markers"], self.markers[player])):
                if mine is held:
                    wanted = _kinds(names)
        for _ in range(min(count, sum(bag))):
            kind = next((k for k in range(4) if held[k] < wanted[k]), next(k for k in range(4) if bag[k]))
            bag[kind] -= 1
            held[kind] += 1

    def set_up(self) -> None:
        names = self.state.view(None)["places"]["table"]["season_cards"]
        self.cards = [self.season_names.index(names[str(n)][0]) for n in range(1, 5)]
        super().set_up()

    # ------------------------------------------------------------------------ words

    def hex(self, place: int) -> str:
        q, r = self.island.places[place]
        return f"hex {q},{r}"

    def kiwi_on(self, kiwi: int) -> str:
        return f"{self.size[kiwi]} on {self.hex(self.at[kiwi])}"

    def kiwi_of(self, kiwi: int) -> str:
        return f"{self.size[kiwi]} of seat{self.owner[kiwi] + 1}"

    def pushed(self, kiwi: int) -> str:
        kind = "kiwi" if kiwi < self.leaders else "leader"
        return f"Push {kind} seat{self.owner[kiwi] + 1} of size {self.size[kiwi]}"

    def words(self, move: Any) -> str:
        """The label of the option that this move is in the compiled game."""
        name, seat = self.asked[0], f"seat{self.player + 1}"
        if name in YES_OR_NO:
            return YES_OR_NO[name] if move else "Pass"
        match name:
            case "take_clan":
                return CLANS[move]
            case "take_card":
                return LEADERS[self.clan[self.player]][move]
            case "take_income":
                return f"{NESTS[move]} {seat}"
            case "play_card":
                card = f"Play {CARDS[move[1]]} {seat}"
                ways = {"gift": "for its gift", "down": "face down"}
                return f"{card} {ways[move[0]]}" if move[0] in ways else f"{card} as {CARDS[move[2]].lower()}"
            case "move":
                return self.words_of_a_move(*move)
            case "push_one":
                return self.pushed(move) if move >= 0 else "Pass"
            case "shake_off":
                return self.pushed(move)
            case "push_to":
                return f"To {self.hex(move)}" if move >= 0 else "Off the island"
            case "shake_one":
                return self.hex(move) if move >= 0 else "That is all"
            case "land" | "place_on":
                return self.hex(move)
            case "dash":
                return self.hex(move[0])
            case "take_from" | "grow_one" | "grow_next" | "dissolve":
                return f"The {self.kiwi_on(move)}"
        return self.words_of_what_costs(move)

    def words_of_a_move(self, kiwi: int, to: int) -> str:
        if kiwi < 0:
            return f"Use {LEADERS[self.clan[self.player]][self.card[self.player]]}"
        mover = str(self.size[kiwi]) if kiwi < self.leaders else "your leader"
        return f"Move {mover} from {self.hex(self.at[kiwi])} to {self.hex(to)}"

    def words_of_what_costs(self, move: Any) -> str:
        seat = f"seat{self.player + 1}"
        match self.asked[0]:
            case "feed_one" if self.size[move] < 3:
                return f"Feed the {self.kiwi_of(move)} on {self.hex(self.at[move])}"
            case "feed_one":
                return f"Make the {self.kiwi_of(move)} on {self.hex(self.at[move])} explode"
            case "build_one":
                return f"{self.hex(move[0])}, {NESTS[move[1]]} {seat}"
            case "mark":
                return f"{self.hex(move)}, marker {TERRAINS[self.island.terrain[move]]}"
            case "flag":
                known = {-1: "One of the reserve", -2: "The first of the row"}
                return known[move] if move in known else f"One of the {self.kiwi_on(move)}"
            case "return_one":
                return f"marker {TERRAINS[move]}"
        return f"fruit {COLOURS[move]}" if move < 4 else f"marker {TERRAINS[move - 4]}"


def find_move(by_hand: DealtKiwi, labels: list[str], index: int) -> Any:
    """The first move with these words: of two kiwis that look alike the two games take the same."""
    return next(move for move in by_hand.legal_moves() if by_hand.words(move) == labels[index])


def _kinds(names: list[str]) -> list[int]:
    """How many there are of each colour or terrain."""
    found = Counter(name.split()[1] for name in names)
    return [found[colour] + found[terrain] for colour, terrain in zip(COLOURS, TERRAINS, strict=True)]


# ---------------------------------------------------------------------------- comparing


def first_difference(state: Any, by_hand: DealtKiwi) -> str | None:
    """What the two games do not agree on: who decides, among what, what lies where, how it ended."""
    if state.over or by_hand.over:
        ours = state.over, state.scores, sorted(state.winners)
        theirs = by_hand.over, by_hand.scores(), by_hand.winners()
        return None if ours == theirs else f"{ours}, by hand {theirs}"
    offered = {str(option) for option in state.decision.options}
    listed = {by_hand.words(move) for move in by_hand.legal_moves()}
    if state.decision.player != by_hand.player or offered != listed:
        return f"{state.decision.prompt}: {offered - listed}, by hand {by_hand.asked[0]}: {listed - offered}"
    if by_hand.asked[0] == "push_to" and by_hand.kiwi_of(by_hand.asked[2]) not in state.decision.prompt:
        return f"{state.decision.prompt}: by hand {by_hand.kiwi_of(by_hand.asked[2])}"
    if by_hand.asked[0] in ("take_clan", "take_card"):
        return None  # nothing has been laid out
    compiled = _compiled_table(state.view(None))
    for name, value in compiled.items():
        own = getattr(by_hand, name)
        own = [sorted(hand) for hand in own] if name in ("hand", "slots", "built") else own
        if value != own and state.decision.prompt not in ON_THE_WAY.get(name, ()):
            return f"{state.decision.prompt}: {name}: {value}, by hand {own}"
    return None


def _compiled_table(view: dict[str, Any]) -> dict[str, Any]:
    players, nodes = view["places"]["players"], view["places"]["nodes"].values()
    cards = {
        name: [[CARDS.index(card.rpartition(" ")[0]) for card in own[name]] for own in players]
        for name in ("hand", "slots", "deck")
    }
    return {
        "season": view["fields"]["table"]["season"],
        "row": [8 - sum(map(len, own["row"].values())) for own in players],
        "reserve": [len(own["reserve"]) for own in players],
        "fruits": [_kinds(own["fruits"]) for own in players],
        "markers": [_kinds(own["markers"]) for own in players],
        "hand": [sorted(hand) for hand in cards["hand"]],
        "slots": [sorted(slots) for slots in cards["slots"]],
        "deck": [deck[::-1] for deck in cards["deck"]],
        "built": [
            [n for n, nest in enumerate(NESTS) if f"{nest} seat{p + 1}" not in own["nests"]]
            for p, own in enumerate(players)
        ],
        "vp": [fields["vp"] for fields in view["fields"]["players"]],
        "domain": [int(node["flag"][0][-1]) - 1 if node["flag"] else -1 for node in nodes],
    }
