"""A game of a few lines with the face of a compiled one: a race to ten, with a die that is rolled on six.

Each turn a player goes one, two or three steps, or passes. Whoever lands on six rolls a die, which moves the horizon
of undo. The first on ten wins; scores are steps gone.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

from interpreter.runtime.chance import Generator

GOAL = 10
FINGERPRINT = "ab" * 32


@dataclass(frozen=True)
class Step:
    index: int
    steps: int

    @property
    def kind(self) -> str:
        return "option" if self.steps else "pass"

    @property
    def values(self) -> tuple[str, ...]:
        return (str(self.steps),) if self.steps else ()

    def __int__(self) -> int:
        return 100 + self.steps

    def __str__(self) -> str:
        return f"Go {self.steps}" if self.steps else "Pass"


class RaceDecision:
    def __init__(self, player: int, options: list[Step]) -> None:
        self.player = player
        self.prompt = "How far?"
        self.picked: tuple[str, ...] = ()
        self.options = options
        self.path = ("Race", f"Turn of seat{player + 1}")
        self.cites = ("X-001",)

    def find(self, text: str) -> Step:
        return next(option for option in self.options if str(option) == text)

    def why_not(self, what: Any) -> Any:
        raise LookupError(what)


class RaceState:
    def __init__(self, players: int, seed: int, auto: bool) -> None:
        self.players, self.seed, self.auto = players, seed, auto
        self.at = [0] * players
        self.turn = 0
        self.history: tuple[int, ...] = ()
        self.undo_horizon = 0
        self.rolled = 0

    @property
    def over(self) -> bool:
        return max(self.at) >= GOAL

    @property
    def decision(self) -> RaceDecision:
        far = GOAL - self.at[self.turn]
        steps = [n for n in (1, 2, 3) if n <= far] + [0]
        return RaceDecision(self.turn, [Step(index, n) for index, n in enumerate(steps)])

    def apply(self, option: Step) -> None:
        assert option in self.decision.options
        self.history += (int(option),)
        self.at[self.turn] += option.steps
        if option.steps and self.at[self.turn] == 6:
            self.rolled = Generator(self.seed).below(6) + 1
            self.undo_horizon = len(self.history)
        self.turn = (self.turn + 1) % self.players

    @property
    def scores(self) -> list[int]:
        return list(self.at)

    @property
    def score_lines(self) -> list[list[tuple[str, int]]]:
        return [[("Steps", steps)] for steps in self.at]

    @property
    def ranking(self) -> list[int]:
        return [1 + sum(other > own for other in self.at) for own in self.at]

    @property
    def winners(self) -> list[int]:
        return [player for player, rank in enumerate(self.ranking) if rank == 1]

    reason = "Ten reached"

    def clone(self) -> RaceState:
        copy = RaceState(self.players, self.seed, self.auto)
        copy.__dict__.update(self.__dict__, at=list(self.at))
        return copy

    def view(self, player: int) -> dict[str, Any]:
        return {"player": player, "seats": [f"seat{n + 1}" for n in range(self.players)]}

    def log(self, player: int | None = None) -> list[str]:
        return [f"step {code - 100}" for code in self.history]

    def to_json(self) -> str:
        heads = {"format": "rulewright-save/1", "game": "race", "players": self.players, "fingerprint": FINGERPRINT}
        return json.dumps({**heads, "seed": self.seed, "auto": self.auto, "state": self.__dict__})


class RaceGame:
    meta = SimpleNamespace(
        points_win=1,
        places=[],
        fields=[],
        automas={},
        sites=(),
        free_actions=(),
        boards=(),
        printed=(),
        phrases={},
        is_team=False,
    )
    name, title, fingerprint = "race", "Race to ten", FINGERPRINT

    def __init__(self, players: int = 2) -> None:
        self.players = players
        self.seat_names = [f"seat{n + 1}" for n in range(players)]

    def new(self, seed: int = 0, auto: bool = True) -> RaceState:
        return RaceState(self.players, seed, auto)

    def playout(self, seed: int) -> RaceState:
        state, chance = self.new(seed), Generator(seed)
        while not state.over:
            options = state.decision.options
            state.apply(options[chance.below(len(options))])
        return state

    def from_json(self, text: str) -> RaceState:
        content = json.loads(text)["state"]
        state = RaceState(self.players, content["seed"], content["auto"])
        state.__dict__.update(content, history=tuple(content["history"]))
        return state


def race_for_three() -> RaceGame:
    """A loader that other processes can import."""
    return RaceGame(3)
