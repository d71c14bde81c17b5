"""Games are played as they were when the witnesses were written down.

The everyday run plays the first games of every ruleset, alone and with each variant; `--long` plays them all, pairs of
variants included.
"""

from __future__ import annotations

import dataclasses
from functools import cache

from tests.every_ruleset import every_game, loaded
from tests.witnesses.played import SEEDS, WAYS, WHOLE, Section, difference, play, read

Game = tuple[str, int]
EVERYDAY = WHOLE  # seeds: those whose games are written out, so that a difference is told with its decision


@cache
def witnesses(ruleset: str) -> dict[tuple[str, int, str], Section]:
    return read(ruleset)


def test_a_playout_is_the_one_that_was_written_down(game: Game, is_long: bool) -> None:
    plays_its_witnesses(game, "playout", is_long)


def test_a_tracked_game_is_the_one_that_was_written_down(game: Game, is_long: bool) -> None:
    plays_its_witnesses(game, "tracked", is_long)


def plays_its_witnesses(game: Game, way: str, is_long: bool) -> None:
    name, players = game
    section = witnesses(name.split("+")[0])[name, players, way]
    for seed in range(SEEDS if is_long else EVERYDAY):
        found = difference(section, seed, play(loaded(name, players), way, seed))
        assert found is None, found


def test_every_game_has_witnesses() -> None:
    games = every_game(pairs=True)
    rulesets = {name.split("+")[0] for name, _ in games}
    kept = {key: section for ruleset in rulesets for key, section in witnesses(ruleset).items()}
    assert set(kept) == {(name, players, way) for name, players in games for way in WAYS}
    assert all(len(section.summaries) == SEEDS for section in kept.values())


def test_a_difference_is_told_with_its_decision() -> None:
    section = witnesses("nim")["nim", 2, "tracked"]
    played = play(loaded("nim", 2), "tracked", 1)
    assert difference(section, 1, played) is None
    third = played.codes[2] + 1
    other = dataclasses.replace(played, codes=(*played.codes[:2], third, *played.codes[3:]))
    told = difference(section, 1, other)
    assert told is not None and f"they part at decision 3: {played.decisions()[2]} was written down, {third}/" in told


def test_an_option_that_nobody_takes_is_noticed() -> None:
    section = witnesses("nim")["nim", 2, "tracked"]
    played = play(loaded("nim", 2), "tracked", 1)
    other = dataclasses.replace(played, offered=(played.offered[0] + ",99", *played.offered[1:]))
    told = difference(section, 1, other)
    assert told is not None and "they part at decision 1" in told
