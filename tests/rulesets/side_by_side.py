"""A compiled game and the hand-written one of the same rules, choice for choice, with several ways of choosing."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from tools.baselines.baseline import Baseline

Choose = Callable[[random.Random, list[str]], int]


def preferring(*words: str, avoiding: tuple[str, ...] = ()) -> Choose:
    """Mostly an option with the first of these words that occurs, never an avoided one if there is another."""

    def choose(rng: random.Random, labels: list[str]) -> int:
        rest = [n for n, label in enumerate(labels) if not any(word in label for word in avoiding)]
        rest = rest or list(range(len(labels)))
        for word in words:
            wanted = [n for n in rest if word in labels[n]]
            if wanted and rng.random() < 0.9:
                return rng.choice(wanted)
        return rng.choice(rest)

    return choose


@dataclass
class Step:
    """One decision, before it is taken: what is asked and chosen, and what was chosen last."""

    prompt: str
    labels: list[str]
    chosen: str
    last: str
    move: Any


def same_place(by_hand: Any, labels: list[str], index: int) -> Any:
    """The move that stands where the option does, if both list them in the same order."""
    return by_hand.legal_moves()[index]


def side_by_side(
    state: Any,
    by_hand: Baseline,
    difference: Callable[[Any, Any], str | None],
    choose: Choose,
    seed: int,
    find: Callable[[Any, list[str], int], Any] = same_place,
    settle: Callable[[Any], None] = lambda _: None,
) -> Iterator[Step]:
    """Each step of a game that both play, as long as they agree.

    `find` says which move an option is; `settle` takes decisions that the hand-written game does not ask.
    """
    rng = random.Random(seed)
    last, number = "", 0
    settle(state)
    while True:
        found = difference(state, by_hand)
        assert found is None, f"seed {seed}, step {number}: {found}"
        if state.over:
            return
        labels = [str(option) for option in state.decision.options]
        index = choose(rng, labels)
        move = find(by_hand, labels, index)
        yield Step(state.decision.prompt, labels, labels[index], last, move)
        state.apply(index)
        settle(state)
        by_hand.play(move)
        last, number = labels[index], number + 1
