"""Answers that no person gives: which are wanted, from which seed, and what a hint says."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...play.bots.named import bot
from ...play.seeds import derived_seed
from .game_table import GameTable
from .strengths import HINT
from .words import said


@dataclass(frozen=True)
class Wanted:
    """An answer that no person gives: by a bot, or by itself (`spec` is None). `wait`: seconds since it was asked
    before which it is not given."""

    table: GameTable
    spec: str | None
    wait: float
    forced: bool

    @property
    def decider(self) -> int:
        return int(self.table.state.decision.player)

    def code_at_once(self) -> int:
        options = self.table.state.decision.options
        if self.spec is None or len(options) == 1:
            return int(options[0])
        return int(bot(self.spec).choose(self.table.state, bot_seed(self.table)))

    def any_code(self) -> int:
        return int(bot("random").choose(self.table.state, bot_seed(self.table)))


def bot_seed(table: GameTable) -> int:
    """The seed of a bot's decision: the same after a restart, and unlike that of any other decision."""
    decider = table.decider or 0
    return derived_seed(derived_seed(table.row.seed ^ 0x5EED, decider), len(table.choices))


def version(table: GameTable) -> tuple[int, tuple[tuple[str, int], ...]]:
    """Changes with every choice and every undo."""
    return len(table.choices), tuple(sorted(table.offsets.items()))


def keeps_secrets(meta: Any) -> bool:
    """Whether players can know what others do not: then it must not show how long a decision took."""
    return any(one.visibility not in ("open", "hidden") for one in (*meta.places, *meta.fields)) or any(
        site.secret or site.silent for site in meta.sites
    )


def hint_data(table: GameTable, viewer: int, answer: dict[str, Any], language: str) -> dict[str, Any]:
    option = next(one for one in table.state.decision.options if int(one) == answer["code"])
    estimate = answer.get("estimate")
    words = {"bot": HINT, "label": str(option)}
    if estimate is None:
        sentence = said("hint", language, **words)
    else:
        sentence = said("hint_estimate", language, share=round(100 * estimate), **words)
    return {
        "position": table.number(viewer), "option": option.index, "code": int(option), "bot": HINT,
        "estimate": estimate, "sentence": sentence,
    }  # fmt: skip
