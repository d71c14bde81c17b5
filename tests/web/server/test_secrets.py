"""What a viewer may not know reaches nobody: two games that differ only in that give the same bytes.

Both games are played by the same choices of those who cannot tell the difference, and everything that is sent to them
is compared: positions, all of the history, numbers and steps, what can be taken back.
"""

from __future__ import annotations

import json
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from interpreter.native.game import load
from interpreter.web.server.game_table import GameTable
from interpreter.web.server.house import Limits, keeps_secrets
from interpreter.web.server.sight import content, position
from interpreter.web.server.store import SeatRow, TableRow
from tests.web.server.calling import served  # skips these tests if there is no server

PERSONS = (SeatRow(0, "me", "Ann"), SeatRow(1, "friend", "Bo"))
ANN, BO, SPECTATOR = 0, 1, 2

WARD = """\
game ward "Ward" for 2 players
enum Sort = shield | sword
kind Card
  copies 2 for each sort: Sort
table
  deck: pile of Card hidden
  struck: 0..9
each player
  hand: hand of Card secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  repeat 2 times
    turn(seat1)
phase turn(p)
  choose one "Strike or wait?"
    "Strike"
      for q in players after p
        q may "Ward it off with {c}" for c in q.hand where c.sort == shield
          reveal c
          struck += 1
    "Wait"
      struck += 0
score p
  "Struck"  struck
"""


def table_of(game: Any, script: Any = ()) -> GameTable:
    """A table whose chance falls as the script says."""
    made = GameTable(TableRow("t", game.name, 2, "d", 7, False, {"undo": True}), PERSONS, game, (), content)
    made.state = game.new(seed=7, auto=False, script=script)
    made._kept = {0: made.state.clone()}
    return made


def sent_to(table: GameTable, viewer: int) -> bytes:
    """Everything that a viewer can be sent about the table as it is."""
    steps = range(table.steps(viewer) + 1)
    messages = [position(table, viewer, "en", set()), *(position(table, viewer, "en", set(), step) for step in steps)]
    return json.dumps(messages).encode()


def choose(table: GameTable, label: str) -> None:
    table.take(table.tried(int(table.state.decision.find(label))))


def test_hidden_cards_change_no_byte() -> None:
    game = load("kuhn_poker", backend="python")
    deals = (["card_king", "card_jack", "card_queen"], ["card_king", "card_queen", "card_jack"])
    one, other = (table_of(game, [("shuffle", "deck", cards)]) for cards in deals)
    for label in ("Check", "Bet"):
        assert sent_to(one, ANN) == sent_to(other, ANN) and sent_to(one, SPECTATOR) == sent_to(other, SPECTATOR)
        assert sent_to(one, BO) != sent_to(other, BO), "the owner sees the card"
        choose(one, label)
        choose(other, label)
    assert sent_to(one, ANN) == sent_to(other, ANN) and sent_to(one, SPECTATOR) == sent_to(other, SPECTATOR)


def test_what_is_chosen_at_once_changes_no_byte() -> None:
    game = load("rock_paper_scissors", backend="python")
    one, other = table_of(game), table_of(game)
    first = one.decider
    assert first is not None
    before = sent_to(one, SPECTATOR)
    choose(one, "rock")
    choose(other, "paper")
    rival = 1 - first
    assert sent_to(one, rival) == sent_to(other, rival)
    assert sent_to(one, SPECTATOR) == sent_to(other, SPECTATOR) == before, "that somebody has chosen is not told"
    assert one.steps(SPECTATOR) == 0 and one.steps(first) == 1
    for table in (one, other):
        choose(table, "rock")
    assert sent_to(one, SPECTATOR) != sent_to(other, SPECTATOR), "now it is shown"


def ward(tmp_path: Path) -> Any:
    folder = tmp_path / "ward"
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text("name: ward\n")
    (folder / "ward.rules").write_text(WARD)
    return folder


def test_a_silent_pass_changes_no_byte(tmp_path: Path) -> None:
    """Bo holds a shield and does not show it, or holds none: Ann cannot tell, nor can she by counting positions."""
    game = load(str(ward(tmp_path)), backend="python")
    one = table_of(game, [("shuffle", "deck", ["card_sword", "card_shield", "card_sword", "card_shield"])])
    other = table_of(game, [("shuffle", "deck", ["card_sword", "card_sword", "card_shield", "card_shield"])])
    for table in (one, other):
        choose(table, "Strike")
    assert len(one.state.decision.options) == 2 and len(other.state.decision.options) == 1
    for viewer in (ANN, SPECTATOR):
        assert sent_to(one, viewer) == sent_to(other, viewer)
    numbers = one.number(ANN), one.number(SPECTATOR)
    for table in (one, other):
        passing = next(option for option in table.state.decision.options if option.kind == "pass")
        done = table.tried(int(passing))
        table.take(replace(done, choice=replace(done.choice, seat=~BO if table is other else BO)))
    for viewer in (ANN, SPECTATOR):
        assert sent_to(one, viewer) == sent_to(other, viewer)
    assert one.number(ANN) == numbers[0] + 1, "Ann has to decide again, which she notices"


def test_single_options_take_their_time_where_that_tells(tmp_path: Path) -> None:
    assert keeps_secrets(load("kuhn_poker", backend="python").meta)
    assert not keeps_secrets(load("connect_four", backend="python").meta)
    slow = Limits(pace=(0.6, 0.9), measures=False)
    with served(tmp_path / "data", author=(ward(tmp_path),), limits=slow) as calls:
        for _ in range(20):  # until Bo holds no shield
            table = calls.table("ward", "me", "friend")
            with table.socket(0) as page:
                at = page.until(lambda at: at["scene"]["decision"])
                page.send({"type": "choose", "position": at["number"], "option": 0})
                began = time.monotonic()
                bo = table.look(1)["scene"]["decision"]
                if len(bo["options"]) > 1:
                    continue
                page.until(lambda at: at["type"] == "position" and at["step"] == 2)
                assert time.monotonic() - began > 0.5
                return
    pytest.fail("Bo always had a shield")


def test_who_sits_alone_does_not_wait(tmp_path: Path) -> None:
    slow = Limits(pace=(30.0, 30.0), measures=False)
    with served(tmp_path / "data", author=(ward(tmp_path),), limits=slow) as calls:
        table = calls.table("ward", "me", "random")
        table.play(10)
        assert table.look()["over"]
