"""`python -m interpreter.web.scene GAME`: prints the scene of a seat after some random choices, as JSON."""

from __future__ import annotations

import argparse
import json
import random
from typing import Any

from ...native.game import load
from .scene import scene_of


def main() -> None:
    parser = argparse.ArgumentParser(prog="interpreter.web.scene", description=__doc__)
    parser.add_argument("game")
    parser.add_argument("--players", type=int)
    parser.add_argument("--seat", type=int, default=None, help="default: the seat that decides; -1 for a spectator")
    parser.add_argument("--steps", type=int, default=0)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    game = load(asked.game, asked.players)
    state: Any = game.new(seed=asked.seed)
    chance = random.Random(asked.seed)
    for _ in range(asked.steps):
        if not state.over:
            state.apply(chance.randrange(len(state.decision.options)))
    seat = asked.seat if asked.seat is not None else (0 if state.over else state.decision.player)
    print(json.dumps(scene_of(game, state, None if seat < 0 else seat), indent=1, ensure_ascii=False))


main()
