"""A learnt policy: `policy:FILE`, made by `rulewright train`.

A policy file is JSON: for which rules it is; the weights of a value of positions (`learnt_value`, over the numbers of
`features`); and, if it has learnt from choices, how likely options are to be good (`option_weights`). `policy:FILE`
looks one decision ahead, as `greedy` does, and takes the option after which the value is largest; `mcts:N+policy:FILE`
uses the value in place of random games, and the likely options first. No library is needed for that: only training
needs one. On the native engine both are worked out there (`rw_policy.h`), with the same choices.
"""

from __future__ import annotations

import json
from array import array
from math import isfinite
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from ...files.reading import MOST_BYTES_OF_A_GAME, read_text
from ..contract import Option, PlayError
from .bot import Bot
from .features import Features
from .greedy_bot import WORLDS, Worth, looked_ahead
from .learnt_value import LearntValue, within_one
from .option_weights import OptionFeatures, priors
from .standing import margins_at, result_of

FORMAT = "rulewright-policy/2"
_TRAIN = "make one with `rulewright train NAME`"
_FEATURES: WeakKeyDictionary[Any, tuple[Features, OptionFeatures]] = WeakKeyDictionary()  # by machine: made once


def features_of(state: Any) -> tuple[Features, OptionFeatures]:
    """The features of positions and of options of the game that this is a state of."""
    machine = state.machine
    if machine not in _FEATURES:
        _FEATURES[machine] = Features(state.meta), OptionFeatures(state.meta)
    return _FEATURES[machine]


class Policy:
    """What was learnt of one game for one number of players. `option_weights` is empty if no choices were learnt.
    `points`: in a game for one that counts points, which of them are worth -1 and 1."""

    def __init__(
        self, game: str, players: int, fingerprint: str, value: LearntValue, option_weights: list[float],
        points: tuple[int, int] = (0, 0),
    ) -> None:  # fmt: skip
        self.game = game
        self.players = players
        self.fingerprint = fingerprint
        self.learnt = value
        self.option_weights = option_weights
        self.points = points

    def value(self, state: Any, player: int) -> float:
        """What the position is worth to a player, from what that player sees of it."""
        return self.learnt.of(features_of(state)[0].of(state, player))

    def final(self, state: Any, player: int) -> float:
        """What a finished game is worth to a player."""
        result = result_of(state)[player]
        low, high = self.points
        if result != 0.0 or low >= high:
            return result
        return within_one(2.0 * (margins_at(state)[player] - low) / (high - low) - 1.0)

    def worth(self, state: Any) -> list[float]:
        """For each player what the position is worth."""
        return [self.value(state, player) for player in range(self.players)]

    def priors(self, state: Any, options: list[int]) -> list[float] | None:
        """How likely each of these options is to be good."""
        if not self.option_weights:
            return None
        return priors(features_of(state)[1], self.option_weights, state, options)

    def require_fit(self, state: Any) -> None:
        """Raises PlayError if this policy was trained for other rules."""
        meta = state.meta
        if (self.fingerprint, self.players) != (meta.fingerprint, meta.players):
            raise PlayError(
                f"this policy was trained for `{self.game}` with {self.players} players, "
                f"not for `{meta.name}` with {meta.players}, or for an earlier version of its rules",
                f"train one for these rules: `rulewright train {meta.name} --players {meta.players}`",
            )
        features, of_options = features_of(state)
        if len(self.learnt.weights) != len(features) or len(self.option_weights) not in (0, of_options.count):
            raise PlayError("this policy file does not fit the features of its game", _TRAIN)

    def for_engine(self, state: Any) -> tuple[array[int], array[float]]:
        """Everything as numbers for the native engine: what is read, and the weights, as `rw_policy.h` wants them."""
        features, of_options = features_of(state)
        learnt = self.learnt
        read = [len(features), learnt.hidden, len(self.option_weights), *self.points, *features.numbers()]
        read += of_options.numbers() if self.option_weights else []
        weights = [*learnt.bias, *learnt.output, *self.option_weights]
        for row in learnt.weights:
            weights += row
        return array("i", read), array("d", weights)

    def to_json(self) -> str:
        held = {"format": FORMAT, "game": self.game, "players": self.players, "fingerprint": self.fingerprint}
        learnt = {"bias": self.learnt.bias, "output": self.learnt.output, "weights": self.learnt.weights}
        lines = [f" {json.dumps(name)}: {json.dumps(of)}" for name, of in {**held, **learnt}.items()]
        rest = {"points": list(self.points), "options": self.option_weights}
        lines += [f" {json.dumps(name)}: {json.dumps(of)}" for name, of in rest.items()]
        return "{\n" + ",\n".join(lines) + "\n}\n"


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
        return _policy_of(json.loads(text))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, OverflowError):
        raise PlayError(f"`{file}` is no policy, or it is damaged", _TRAIN) from None


def _policy_of(held: Any) -> Policy:
    """A policy from its data; ValueError, KeyError or TypeError if it is none."""
    if held["format"] == "rulewright-policy/1":  # a sum, without options: the bias is one number
        value = LearntValue([[_number(weight)] for weight in held["weights"]], [_number(held["bias"])], [])
        options: list[float] = []
        points = (0, 0)
    elif held["format"] == FORMAT:
        weights = [[_number(weight) for weight in row] for row in held["weights"]]
        value = LearntValue(weights, [_number(one) for one in held["bias"]], [_number(one) for one in held["output"]])
        options = [_number(one) for one in held["options"]]
        low, high = held["points"]
        points = (int(low), int(high))
    else:
        raise ValueError("another format")
    is_sound = value.is_sound() and all(-(1 << 31) <= one < 1 << 31 for one in points)
    if not is_sound or any(not 1e-6 <= weight <= 1e6 for weight in options):
        raise ValueError("sizes or weights that cannot be")
    return Policy(str(held["game"]), int(held["players"]), str(held["fingerprint"]), value, options, points)


def _number(held: Any) -> float:
    number = float(held)
    if not isfinite(number):
        raise ValueError("no number")
    return number


class PolicyBot(Bot):
    def __init__(self, kind: str, policy: Policy) -> None:
        self.kind = kind
        self._policy = policy

    def choose(self, state: Any, seed: int = 0) -> Option:
        self._policy.require_fit(state)
        return looked_ahead(state, seed, WORLDS, self._worth)

    def _worth(self, state: Any, player: int) -> Worth:
        return (self._policy.final(state, player) if state.over else self._policy.value(state, player),)
