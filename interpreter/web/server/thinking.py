"""Answers that no person gives: which are wanted, from which seed, and what a hint says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...play.seeds import derived_seed
from . import questions
from .asking import ask
from .game_table import GameTable
from .strengths import HINT
from .words import said


@dataclass(frozen=True)
class Wanted:
    """An answer that no person gives: by a bot, or by itself (`spec` is None). `wait`: seconds since the seat was asked
    before which it is not given. `ahead`: it is kept until the rules come to it (`apart`)."""

    table: GameTable
    seat: int
    spec: str | None
    wait: float
    forced: bool
    ahead: bool = False

    def code_at_once(self) -> int:
        state = self.table.state_for(self.seat) if self.ahead else self.table.state
        if self.spec is None or self.forced:
            return int(ask(questions.code_at, state, 0))
        return int(ask(questions.bot_choice, state, self.spec, bot_seed(self.table)))

    def any_code(self) -> int:
        return int(ask(questions.bot_choice, self.table.state, "random", bot_seed(self.table)))


def bot_seed(table: GameTable) -> int:
    """The seed of a bot's decision: the same after a restart, and unlike that of any other decision."""
    decider = table.decider or 0
    return derived_seed(derived_seed(table.row.seed ^ 0x5EED, decider), len(table.choices))


def version(table: GameTable) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Changes with every choice that the rules have taken, and every undo."""
    return len(table.choices), tuple(sorted(table.offsets.items()))


def hint_data(table: GameTable, viewer: int, answer: dict[str, Any], language: str) -> dict[str, Any]:
    option = ask(questions.option_with, table.state_for(viewer), answer["code"])
    estimate = answer.get("estimate")
    words = {"bot": HINT, "label": str(option["label"])}
    if estimate is None:
        sentence = said("hint", language, **words)
    else:
        sentence = said("hint_estimate", language, share=round(100 * estimate), **words)
    return {
        "position": table.number(viewer), "option": option["index"], "code": answer["code"], "bot": HINT,
        "estimate": estimate, "sentence": sentence,
    }  # fmt: skip
