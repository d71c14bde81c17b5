"""Locals that name a closed piece by its spot are no secret, unless somebody may lose sight of it meanwhile."""

from __future__ import annotations

import pytest

from interpreter.runtime.game import game_from_program
from tests.knowledge.histories import GAMES
from tests.toy_games import checked

PLANTED = GAMES["planted_from_row"].read_text(encoding="utf-8")
MOVE = "  move c to p.field[i]\n"


def works_out(rules: str) -> bool:
    meta = game_from_program(checked(rules)).meta
    assert bool(meta.unseen_slots) == meta.works_out
    return meta.works_out


def test_the_first_card_of_a_row_is_named_by_its_spot() -> None:
    assert not works_out(PLANTED)


@pytest.mark.parametrize(
    "meanwhile",
    [
        "  for d in last of p.hand\n    swap c with d\n",
        "  choose d in p.hand\n  move d to p.field[1]\n",
        "  pick d in p.hand at random\n  move d to p.field[1]\n",
        "  move 1 d in p.hand by highest d.rank to p.field[1]\n",
    ],
)
def test_not_if_others_may_lose_sight_of_it(meanwhile: str) -> None:
    assert works_out(PLANTED.replace(MOVE, meanwhile + MOVE))


def test_nor_a_card_that_is_found_by_what_it_is() -> None:
    assert works_out(GAMES["best_named"].read_text(encoding="utf-8"))
