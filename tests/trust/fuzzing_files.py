"""Saves, records and scenarios that somebody has changed, or written without reading the manual."""

from __future__ import annotations

import json
import random
from functools import cache
from pathlib import Path
from typing import Any

import interpreter as rw
from interpreter.cli.commands import exit_code_of
from interpreter.diagnostics.render import render_all
from tests.trust.grown import SKETCH, grown
from tests.trust.invariants import played_on
from tests.trust.small import ruleset

GAMES = ("nim", "kuhn_poker", "kalah", "rock_paper_scissors", "pig")
ODD: tuple[Any, ...] = (None, True, False, 0, -1, 1, "", "x", [], {}, [[[[[]]]]], 1.5, 1 << 64, "\x1b[2J", "é\ud800")


def mutated(rng: random.Random, value: Any) -> Any:
    """A value with one small change somewhere inside it."""
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        if rng.random() < 0.05:
            return {name: one for name, one in value.items() if name != key}
        return {**value, key: mutated(rng, value[key])}
    if isinstance(value, list) and value:
        return _changed_list(rng, value)
    if type(value) is int and rng.random() < 0.8:
        return value + rng.choice((-1, 1, 2, -5, 17, 1 << 31, -(1 << 40), 1 << 70))
    if isinstance(value, str) and rng.random() < 0.5:
        return value[: len(value) // 2] + rng.choice(("", "x", "\x1b[2J", "{}"))
    return rng.choice(ODD)


def _changed_list(rng: random.Random, value: list[Any]) -> list[Any]:
    where = rng.randrange(len(value))
    change = rng.random()
    if change < 0.06:
        return value[:where] + value[where + 1 :]
    if change < 0.12:
        return [*value, value[where]]
    if change < 0.18:
        return rng.sample(value, len(value))
    return [*value[:where], mutated(rng, value[where]), *value[where + 1 :]]


@cache
def played(name: str, seed: int) -> str:
    """The save of a game that has gone on for some choices."""
    state = rw.load(name, backend="python").new(seed=seed)
    rng = random.Random(seed)
    while not state.over and len(state.history) < 3 * seed:
        state.apply(rng.randrange(len(state.opts)))
    return state.to_json()


def fuzz_saves(rng: random.Random, folder: Path) -> None:
    name = rng.choice(GAMES)
    game = rw.load(name, backend="python")
    saved = json.loads(played(name, rng.randrange(4)))
    for _ in range(rng.randint(1, 3)):
        saved = mutated(rng, saved) if rng.random() < 0.3 else {**saved, "state": mutated(rng, saved.get("state"))}
        if not isinstance(saved, dict):
            break
    try:
        state = game.from_json(json.dumps(saved))
        played_on(state, 6, rng.randrange)
    except (rw.WrongSave, rw.Fault) as refused:
        assert str(refused)


def fuzz_records(rng: random.Random, folder: Path) -> None:
    """Exit 0 is for what can be played, and ends so."""
    home = ruleset(folder)
    game = rw.load(str(home), backend="python")
    state = game.new(seed=rng.randrange(3))
    while not state.over:
        state.apply(rng.randrange(len(state.opts)))
    record = {
        "format": "rulewright-record/1", "game": "small", "players": 1, "fingerprint": game.fingerprint,
        "seed": state.seed, "choices": list(state.history), "scores": state.scores, "ranking": state.ranking,
    }  # fmt: skip
    changed = mutated(rng, record)
    file = folder / "r.json"
    file.write_text(json.dumps(changed), encoding="utf-8")
    code = exit_code_of(["replay", str(file), "--game", str(home)])
    assert code in (0, 1, 2)
    assert code != 0 or ends_as_told(game, changed), changed


def ends_as_told(game: rw.Game, record: dict[str, Any]) -> bool:
    """Whether the choices of a record can be made, and lead to the end that it tells."""
    state = game.new(seed=record["seed"])
    for choice in record["choices"]:
        offered = [option for option in state.decision.options if int(option) == choice] if state.decision else []
        if not offered:
            return False
        state.apply(offered[0])
    return state.over and (record["scores"], record["ranking"]) == (state.scores, state.ranking)


SCENARIO = """scenario "One" for 2 players
  given
    at turn(seat1)
    seat1.coins = 3
  when
    seat1 chooses CHOICE
  then
    EXPECTED
"""


def fuzz_scenarios(rng: random.Random, folder: Path) -> None:
    home = ruleset(folder, SKETCH)
    (home / "scenarios").mkdir()
    if rng.random() < 0.6:
        text = grown(rng, "scenario")
    else:
        text = SCENARIO.replace("CHOICE", grown(rng, "expr").strip()).replace("EXPECTED", grown(rng, "expr").strip())
    (home / "scenarios" / "one.rules").write_text(text, encoding="utf-8")
    found = rw.check_ruleset(str(home), quick=True).findings
    assert render_all(found) or not found
    assert exit_code_of(["test", str(home)]) in (0, 1, 2)
