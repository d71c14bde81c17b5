"""The hand-written KIKAI offers the same and goes the same way as the compiled one, where it is easy to differ too."""

from __future__ import annotations

import random
from collections.abc import Iterator

from tests.every_ruleset import loaded
from tests.rulesets.kikai_by_hand import DealtKikai, first_difference
from tests.rulesets.side_by_side import Choose, Step, preferring, side_by_side

LADDERS = "Place ladders"
SCORE = "Score your best influence"
keep_ladders = preferring(avoiding=("adder",))


def ladders_for_the_best_influence(rng: random.Random, labels: list[str]) -> int:
    """Ladders are kept for the moment before the tile scores."""
    return labels.index(LADDERS) if SCORE in labels and LADDERS in labels else keep_ladders(rng, labels)


# Ways of choosing, with seeds of games that come to the hard places; at length all are played with many seeds.
WAYS: dict[str, tuple[Choose, tuple[int, ...]]] = {
    "at random": (preferring(), (0, 1)),
    "ladders kept": (keep_ladders, (0, 3)),
    "ladders kept for the best influence": (ladders_for_the_best_influence, (0, 3)),
    "ladders first": (preferring(LADDERS), (0,)),
    "fans": (preferring("Attract", "Build", "Distribute"), (4, 7)),
    "fans, ladders kept": (preferring("Attract", "Build", "Distribute", avoiding=(LADDERS,)), (0,)),
    "towers": (preferring("Build", "Hold"), (1,)),
    "towers, ladders kept": (preferring("Build", "Hold", avoiding=(LADDERS,)), (2,)),
    "wide exhibitions": (preferring("Attract", "Build", avoiding=(LADDERS, "Spend", "That is all")), (3,)),
}
HARD_PLACES = {
    "an exhibition with nobody to fetch, and ladders at hand",
    "an exhibition with fans out of reach, and ladders at hand",
    "two further areas, and ladders at hand",
    "a billboard that gives a token of choice",
    "ladders before the best influence scores",
    "the best influence scores, ladders kept",
    "a fan that pays a toll",
}


def hard_places(step: Step, by_hand: DealtKikai) -> Iterator[str]:
    """What this step is an example of."""
    can_serve = bool(by_hand.to_serve())
    if step.last == "Hold an exhibition" and "Fetch" not in step.prompt and LADDERS in step.labels:
        yield "an exhibition with nobody to fetch, and ladders at hand"
    if step.labels == ["That is all", LADDERS]:
        yield "an exhibition with fans out of reach, and ladders at hand"
    if by_hand.step[0] == "further" and can_serve and step.chosen != "That is all":
        yield "two further areas, and ladders at hand"
    if step.prompt == "Which token?" and step.last.startswith("Billboard (discard"):
        yield "a billboard that gives a token of choice"
    if SCORE in step.labels:
        ladders = step.chosen == LADDERS
        yield "ladders before the best influence scores" if ladders else "the best influence scores, ladders kept"
    if by_hand.step[0] == "fan" and step.chosen != LADDERS and step.move[-1] > 0:
        yield "a fan that pays a toll"


def test_the_hand_written_game_goes_the_same_way(is_long: bool) -> None:
    met: set[str] = set()
    for choose, seeds in WAYS.values():
        for seed in range(60) if is_long else seeds:
            state = loaded("kikai", 2).new(seed)
            by_hand = DealtKikai(state)
            for step in side_by_side(state, by_hand, first_difference, choose, seed):
                met.update(hard_places(step, by_hand))
    assert HARD_PLACES - met == set()
