"""Every ruleset has a scene for every seat and for a spectator, without a line about that game anywhere."""

from __future__ import annotations

import json

import pytest

import interpreter as rw
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.ruleset.listing import list_rulesets
from interpreter.web.scene import picture_of, scene_of, why
from interpreter.web.scene.presentation import NOTHING
from tests.every_ruleset import every_game, loaded
from tests.toy_games import TOYS, toy_game
from tests.web.scene.played import id_problems, positions, problems

NAMES = sorted(one.name for one in list_rulesets(Diagnostics()) if not one.is_core)


@pytest.mark.parametrize("name", NAMES)
def test_scenes_follow_the_schema(name: str, is_long: bool) -> None:
    """At the beginning, in the middle and near the end, for seats in turn and a spectator."""
    game = rw.load(name)
    for number, state in enumerate(positions(game, 5, 200 if is_long else 25, 12)):
        player = None if number % 4 == 3 else number % game.players
        scene = scene_of(game, state, player)
        assert not problems(scene)
        assert json.loads(json.dumps(scene)) == scene


@pytest.mark.parametrize("name", sorted(TOYS))
def test_toys_have_scenes(name: str) -> None:
    game = toy_game(name)
    for state in positions(game, 3, 16, 5):
        for player in (*range(game.players), None):
            assert not id_problems(scene_of(game, state, player, presentation=NOTHING))


def test_variants_have_scenes(game: tuple[str, int], is_long: bool) -> None:
    name, players = game
    if not is_long and ("+" not in name or (name, players - 1) in every_game(pairs=False)):
        return  # the game alone is above; a variant is looked at for the fewest players
    made = loaded(name, players)
    for state in positions(made, 2, 60 if is_long else 9, 8):
        assert not id_problems(scene_of(made, state, state.who if not state.over else 0))


@pytest.mark.parametrize("name", NAMES)
def test_a_game_looks_right_without_its_presentation(name: str) -> None:
    """Every place that is not on a map or a piece stands in one area, and so do maps, tracks and dice."""
    game = rw.load(name)
    for state in positions(game, 1, 10, 9):
        scene = scene_of(game, state, 0, presentation=NOTHING)
        items = [own for area in scene["areas"] for own in area["items"]]
        assert len(items) == len(set(items))
        loose = {place.get("group", place["id"]) for place in scene["places"] if place["at"] is None}
        assert loose | {one["id"] for one in scene["maps"]} <= set(items)
        assert any(area["column"] == "board" for area in scene["areas"]) or not (loose or scene["maps"])


@pytest.mark.parametrize("name", NAMES)
def test_pictures_are_small_safe_drawings(name: str) -> None:
    picture = picture_of(rw.load(name))
    assert picture.startswith("<svg ") and len(picture) < 60_000
    assert not any(word in picture for word in ("<script", "href", "url(", "onload", "<style"))


@pytest.mark.parametrize("name", ("kikai", "connect_four", "hearts", "chess"))
def test_whatever_the_decision_leaves_out_has_a_reason(name: str) -> None:
    game = rw.load(name)
    for state in positions(game, 4, 13, 6):
        told = why(game, state, state.who)
        assert told["kind"] == "refused"
        for group in told["by_reason"]:
            assert group["reason"] and group["things"]
        for thing in [thing for group in told["by_reason"] for thing in group["things"] if thing["id"]][:3]:
            assert why(game, state, state.who, {"id": thing["id"]})["kind"] in ("refused", "offered")
        assert why(game, state, (state.who + 1) % game.players)["kind"] == "not_yours"


def test_refused_things_have_figures() -> None:
    """A full column of Connect four, by its label and by the list."""
    game = rw.load("connect_four")
    state = game.new()
    for _ in range(6):
        state.apply(0)
    told = why(game, state, state.who)
    assert told["count"] == 1 and told["by_reason"][0]["things"][0]["name"] == "Column 1"
    assert why(game, state, state.who, "Column 1")["by_reason"][0]["cites"] == ["CF-04"]
    assert why(game, state, state.who, "Column 2")["kind"] == "offered"
    assert why(game, state, state.who, "Column 9")["kind"] in ("refused", "unknown")
    scene = scene_of(game, state, state.who)
    assert scene["refused"] == {"count": 1, "by_reason": []}
