"""Positions of games for tests of scenes: some random choices after the beginning."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from jsonschema import Draft202012Validator

import interpreter as rw
from interpreter.ruleset.schema import schema_text


def positions(game: rw.Game, seed: int, choices: int, every: int) -> Iterator[rw.State]:
    """Every so many-th decision of one random game, and its end if it comes to it."""
    state, chance = game.new(seed=seed), Random(seed)
    for number in range(choices):
        if number % every == every - 1 or state.over:
            yield state
        if state.over:
            return
        decision = state.decision
        assert decision is not None
        state.apply(chance.randrange(len(decision.options)))


@cache
def validator() -> Draft202012Validator:
    return Draft202012Validator(json.loads(schema_text("scene")))


def problems(scene: dict[str, Any]) -> list[str]:
    """What contradicts the schema, and ids that stand for nothing or for two things."""
    found = [f"{list(error.absolute_path)}: {error.message[:200]}" for error in validator().iter_errors(scene)]
    return found or id_problems(scene)


def id_problems(scene: dict[str, Any]) -> list[str]:
    ids = all_ids(scene)
    twice = {own for own in ids if ids.count(own) > 1} if len(set(ids)) < len(ids) else set()
    known = set(ids)
    return [f"`{own}` twice" for own in sorted(twice)] + [
        f"`{own}` is nothing, in {where}" for where, own in references(scene) if own not in known
    ]


def all_ids(scene: dict[str, Any]) -> list[str]:
    parts = ("seats", "areas", "groups", "places", "pieces", "counters", "dice", "tracks", "maps")
    found = [thing["id"] for part in parts for thing in scene[part]]
    found += [item["id"] for counter in scene["counters"] for item in counter.get("items", ())]
    found += [die["id"] for group in scene["dice"] for die in group["dice"]]
    found += [cell["id"] for track in scene["tracks"] for cell in track["cells"]]
    found += [thing["id"] for one in scene["maps"] for thing in (*one["nodes"], *one["edges"])]
    return found


def references(scene: dict[str, Any]) -> Iterator[tuple[str, str]]:
    for area in scene["areas"]:
        yield from (("areas", own) for own in area["items"])
    for group in scene["groups"]:
        yield from (("groups", own) for row in group["rows"] for own in row["places"])
    for place in scene["places"]:
        yield from (("places", own) for own in (*place["pieces"], place["at"]) if own is not None)
    for piece in scene["pieces"]:
        yield from (("pieces", own) for own in (piece["place"], *piece.get("carries", ())))
    for one in scene["maps"]:
        yield from (("maps", own) for thing in (*one["nodes"], *one["edges"]) for own in thing.get("places", ()))
        yield from (("edges", own) for edge in one["edges"] for own in edge["ends"])
    for option in scene["decision"]["options"] if scene["decision"] else ():
        yield from (("touches", own) for own in option["touches"])
        yield from (("values", value["id"]) for value in option["values"] if value["id"] is not None)
        for move in (option["preview"] or {"moves": ()})["moves"]:
            yield from (("preview", move[key]) for key in ("piece", "from", "to") if move[key] is not None)
