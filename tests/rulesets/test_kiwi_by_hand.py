"""The hand-written Kiwi Chow Down offers the same and goes the same way as the compiled one, however one chooses."""

from __future__ import annotations

import random

from tests.every_ruleset import loaded
from tests.rulesets.kiwi_by_hand import DealtKiwi, find_move, first_difference
from tests.rulesets.side_by_side import Choose, preferring, side_by_side


def first_of_its_name(choose: Choose) -> Choose:
    """Kiwis that have grown by a season card, and those that have not, are told apart by the compiled game only."""

    def chosen(rng: random.Random, labels: list[str]) -> int:
        return labels.index(labels[choose(rng, labels)])

    return chosen


WAYS = {
    "at random": preferring(),
    "feeders": preferring("Feed", "explode", "as feed", "Take a fruit", "gift", avoiding=("Pass",)),
    "builders": preferring("Build a", "as build", "Tower", "gift", "Take", avoiding=("Pass",)),
    "pushers": preferring("Shockwave", "Use", "Push", "Off", "as move", "Make a", "Pay 2", avoiding=("Pass",)),
    "takers of gifts": preferring("gift", "Joker", "Take", avoiding=("Pass",)),
    "markers": preferring("Mark", "as move", "reserve", "Push"),
}
# Players, way of choosing and seed of games that come to the hard places; at length all ways are played, often.
SHORT = [(2, "pushers", 0), (3, "at random", 2), (4, "at random", 1), (4, "pushers", 0)]
LONG = [(players, way, seed) for players in (2, 3, 4) for way in WAYS for seed in range(20)]
ASKED = {"dash", "feed_one", "give_or_not", "push_one", "push_to", "shake_one", "shake_off", "take_from"}


def test_the_hand_written_game_goes_the_same_way(is_long: bool) -> None:
    asked: set[str] = set()
    for players, way, seed in LONG if is_long else SHORT:
        game = loaded("kiwi_chow_down", players)
        state = game.new(seed)
        by_hand = DealtKiwi(state, [row.name for row in game.program.rows if row.kind == "SeasonCard"])
        choose = first_of_its_name(WAYS[way])
        for _ in side_by_side(state, by_hand, first_difference, choose, seed, find_move):
            asked.add(by_hand.asked[0])
    assert ASKED - asked == set()
