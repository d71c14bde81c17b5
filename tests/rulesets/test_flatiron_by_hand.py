"""The hand-written Flatiron offers the same and goes the same way as the compiled one, however one chooses."""

from __future__ import annotations

from tests.every_ruleset import loaded
from tests.rulesets.flatiron_by_hand import DealtFlatiron, first_difference
from tests.rulesets.side_by_side import Choose, preferring, side_by_side

CALLS = ("Activate another", "Use a card", "Use City")
# Ways of choosing, with seeds of games in which much comes up; at length all are played with many seeds.
WAYS: dict[str, tuple[Choose, tuple[int, ...]]] = {
    "publishers": (preferring("Publish", "Resolve", "Build", *CALLS, "Activate"), (2,)),
    "callers": (preferring(*CALLS, "Activate", "Build", "Buy", avoiding=("Pass",)), (4,)),
    "builders": (preferring("second", "Build", "Pillar", "Activate", avoiding=("Pass",)), (3,)),
    "buyers": (preferring("Buy", "upper", "Use", "another", "Activate", avoiding=("Pass",)), ()),
    "at random": (preferring(), ()),
}
PROMPTS = {
    "Go on?",
    "Which action?",
    "Which half of which card?",
    "Which option of City Hall?",
    "Which decree, in which street?",
    "Which one do you give away?",
    "Which pillar, for which colour?",
    "Which street is honoured?",
    "Which street?",
}


def test_the_hand_written_game_goes_the_same_way(is_long: bool) -> None:
    asked: set[str] = set()
    for choose, seeds in WAYS.values():
        for seed in range(60) if is_long else seeds:
            state = loaded("flatiron", 2).new(seed)
            by_hand = DealtFlatiron(state)
            asked.update(step.prompt for step in side_by_side(state, by_hand, first_difference, choose, seed))
    assert PROMPTS - asked == set()
