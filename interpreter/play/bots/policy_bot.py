"""A learnt value: `policy:FILE`, made by `rulewright train`.

A policy file is JSON: for which rules it is, and a weight for each feature of a position (`features`). What a position
is worth to a player is the weighted sum, kept within -1 and 1. `policy:FILE` looks one decision ahead, as `greedy`
does, and takes the option after which this is largest; `mcts:N+policy:FILE` uses it in place of random games. No
library is needed for that: only training needs one.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from ...files.reading import MOST_BYTES_OF_A_GAME, read_text
from ..contract import Option, PlayError
from .bot import Bot
from .features import Features
from .greedy_bot import WORLDS, Worth, looked_ahead
from .standing import result_of

FORMAT = "rulewright-policy/1"
_TRAIN = "make one with `rulewright train NAME`"
_FEATURES: WeakKeyDictionary[Any, Features] = WeakKeyDictionary()  # by machine: they are made once for a game


def features_of(state: Any) -> Features:
    """The features of the game that this is a state of."""
    machine = state.machine
    if machine not in _FEATURES:
        _FEATURES[machine] = Features(state.meta)
    return _FEATURES[machine]


class Policy:
    """A weight for each feature of one game for one number of players."""

    def __init__(self, game: str, players: int, fingerprint: str, weights: list[float], bias: float) -> None:
        self.game = game
        self.players = players
        self.fingerprint = fingerprint
        self.weights = weights
        self.bias = bias

    def value(self, state: Any, player: int) -> float:
        """What the position is worth to a player, from what that player sees of it."""
        numbers = features_of(state).of(state, player)
        total = self.bias
        for weight, number in zip(self.weights, numbers, strict=True):
            total += weight * number
        return max(-1.0, min(1.0, total))

    def worth(self, state: Any) -> list[float]:
        """For each player what the position is worth."""
        return [self.value(state, player) for player in range(self.players)]

    def require_fit(self, state: Any) -> None:
        """Raises PlayError if this policy was trained for other rules."""
        meta = state.meta
        if (self.fingerprint, self.players) != (meta.fingerprint, meta.players):
            raise PlayError(
                f"this policy was trained for `{self.game}` with {self.players} players, "
                f"not for `{meta.name}` with {meta.players}, or for an earlier version of its rules",
                f"train one for these rules: `rulewright train {meta.name} --players {meta.players}`",
            )
        if len(self.weights) != len(features_of(state)):
            raise PlayError("this policy file does not fit the features of its game", _TRAIN)

    def to_json(self) -> str:
        held = {"format": FORMAT, "game": self.game, "players": self.players, "fingerprint": self.fingerprint}
        return json.dumps({**held, "bias": self.bias, "weights": self.weights}, indent=1) + "\n"


def read_policy(file: str) -> Policy:
    """The policy in a file; PlayError if there is none."""
    if not file:
        raise PlayError("`policy:` names no file", _TRAIN)
    try:
        text = read_text(Path(file), MOST_BYTES_OF_A_GAME)
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or (problem if isinstance(problem, OSError) else "it is no text")
        raise PlayError(f"the policy `{file}` cannot be read: {reason}", _TRAIN) from None
    try:
        held = json.loads(text)
        if held["format"] != FORMAT:
            raise ValueError
        weights = [float(weight) for weight in held["weights"]]
        return Policy(str(held["game"]), int(held["players"]), str(held["fingerprint"]), weights, float(held["bias"]))
    except (ValueError, KeyError, TypeError, RecursionError, OverflowError):
        raise PlayError(f"`{file}` is no policy, or it is damaged", _TRAIN) from None


class PolicyBot(Bot):
    def __init__(self, kind: str, policy: Policy) -> None:
        self.kind = kind
        self._policy = policy

    def choose(self, state: Any, seed: int = 0) -> Option:
        self._policy.require_fit(state)
        return looked_ahead(state, seed, WORLDS, self._worth)

    def _worth(self, state: Any, player: int) -> Worth:
        return (result_of(state)[player] if state.over else self._policy.value(state, player),)
