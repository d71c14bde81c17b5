"""What a viewer may not know reaches nobody: two games that differ only in that give the same bytes.

Both games are played by the same choices of those who cannot tell the difference, and everything that is sent to them
is compared: positions, all of the history, numbers and steps, what can be taken back.
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from interpreter.native.game import load
from interpreter.web.server.game_table import GameTable
from interpreter.web.server.live import Limits
from interpreter.web.server.questions import keeps_secrets
from interpreter.web.server.sight import position
from interpreter.web.server.store import SeatRow, TableRow
from interpreter.web.server.taking_back import undo_now
from interpreter.web.server.words import Refused
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


SUIT = """\
game suit "Suit" for 2 players
kind Card
  copies 1 for each n: 1..2
each player
  hand: hand of Card secret
table
  deck: pile of Card hidden
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  for p in players
    lay(p)
phase lay(p)
  choose c in p.hand "Which card?"
  reveal c
"""


def suit(folder: Path) -> Path:
    """The ruleset of `SUIT` in a folder."""
    own = folder / "suit"
    own.mkdir()
    (own / "ruleset.yaml").write_text("name: suit\n")
    (own / "suit.rules").write_text(SUIT)
    return own


def table_of(game: Any, script: Any = ()) -> GameTable:
    """A table whose chance falls as the script says."""
    return GameTable(TableRow("t", game.name, 2, "d", 7, False, {"undo": True}), PERSONS, game, script=script)


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


def ward(tmp_path: Path) -> Any:
    folder = tmp_path / "ward"
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text("name: ward\n")
    (folder / "ward.rules").write_text(WARD)
    return folder


def test_a_silent_pass_changes_no_byte(tmp_path: Path) -> None:
    """Bo holds a shield and does not show it, or holds none and is not asked: Ann cannot tell, nor can she by counting
    positions. In the first case Bo is asked, in the second Ann is made to wait as if."""
    game = load(str(ward(tmp_path)), backend="python")
    asked = table_of(game, [("shuffle", "deck", ["card_sword", "card_shield", "card_sword", "card_shield"])])
    unasked = table_of(game, [("shuffle", "deck", ["card_sword", "card_sword", "card_shield", "card_shield"])])
    choose(asked, "Strike")
    choose(unasked, "Strike")
    assert (asked.decider, unasked.decider) == (BO, ANN)
    assert asked.is_silent and unasked.standing.hushed, "the rules came to the question in both"
    unasked.held.update({ANN: 0, BO: 0, SPECTATOR: 0})  # as the house does
    for viewer in (ANN, SPECTATOR):
        assert sent_to(asked, viewer) == sent_to(unasked, viewer)
    assert asked.is_waiting(ANN) and not asked.is_asked(ANN) and not unasked.is_asked(ANN)
    for table in (asked, unasked):
        with pytest.raises(Refused):
            undo_now(table, ANN, None)
        with pytest.raises(Refused):
            table.asked_option(ANN, table.number(ANN), 0, None)
    choose(asked, "Pass")
    unasked.held.clear()
    for viewer in (ANN, SPECTATOR):
        assert sent_to(asked, viewer) == sent_to(unasked, viewer)
    assert asked.is_asked(ANN) and unasked.is_asked(ANN) and asked.steps(ANN) == 1


def test_nobody_waits_where_nobody_can_be_asked(tmp_path: Path) -> None:
    game = load(str(ward(tmp_path)), backend="python")
    table = table_of(game, [("shuffle", "deck", ["card_sword", "card_shield", "card_sword", "card_shield"])])
    choose(table, "Wait")
    assert not table.standing.hushed and not table.hushed


def test_nobody_waits_for_who_has_nothing_to_hide(tmp_path: Path) -> None:
    """The rules come to the question, but all see that Bo holds no card."""
    folder = ward(tmp_path)
    (folder / "ward.rules").write_text(
        WARD.replace(
            "for p in players\n    draw 1 from deck to p", "for p in players without seat2\n    draw 1 from deck to p"
        )
    )
    table = table_of(load(str(folder), backend="python"))
    choose(table, "Strike")
    assert table.decider == ANN and not table.standing.hushed


def test_a_restart_knows_after_which_choice_somebody_may_have_been_asked(tmp_path: Path) -> None:
    game = load(str(ward(tmp_path)), backend="python")
    script = [("shuffle", "deck", ["card_sword", "card_sword", "card_shield", "card_shield"])]
    table = table_of(game, script)
    choose(table, "Strike")
    again = GameTable(table.row, PERSONS, game, table.choices, script=script)
    assert again.hushed == table.hushed == {0} and again.standing == table.standing
    for viewer in (ANN, BO, SPECTATOR):
        assert sent_to(again, viewer) == sent_to(table, viewer)
    with pytest.raises(Refused, match="undo_others"):
        undo_now(again, ANN, None)


def test_the_clock_does_not_tell_who_was_asked(tmp_path: Path) -> None:
    """Over the network: a strike is answered after a while, whether Bo could ward it off or not."""
    slow = Limits(pace=(0.5, 0.7), measures=False)
    seen = set()
    with served(tmp_path / "data", author=(ward(tmp_path),), limits=slow) as calls:
        while len(seen) < 2:
            table = calls.table("ward", "me", "friend")
            with table.socket(0) as page:
                at = page.until(lambda at: at["type"] == "position" and at["scene"]["decision"])
                page.send({"type": "choose", "position": at["number"], "option": 0})
                began = time.monotonic()
                waiting = page.until(lambda at: at["type"] == "position" and at["scene"]["status"]["waiting"])
                assert waiting["number"] == at["number"] + 1 and waiting["step"] == 0
                is_asked = table.look(1)["scene"]["decision"] is not None
                if is_asked:
                    options = table.look(1)["scene"]["decision"]["options"]
                    passing = next(n for n, option in enumerate(options) if option["kind"] == "pass")
                    table.choose(passing, 1)
                page.until(lambda at: at["type"] == "position" and at["step"] == 1 and at["scene"]["decision"])
                assert time.monotonic() - began > 0.45
                seen.add(is_asked)


def test_single_options_take_their_time_where_that_tells(tmp_path: Path) -> None:
    assert keeps_secrets(load("kuhn_poker", backend="python").meta)
    assert not keeps_secrets(load("connect_four", backend="python").meta)
    slow = Limits(pace=(1.5, 1.6), measures=False)
    with served(tmp_path / "data", author=(suit(tmp_path),), limits=slow) as calls:
        table = calls.table("suit", "me", "friend")
        began = time.monotonic()
        at = table.look(0)
        (only,) = at["scene"]["decision"]["options"]
        with table.socket(1) as page:
            page.until(lambda at: at["type"] == "position" and at["step"] == 1)
        assert time.monotonic() - began > 0.45
        late = {"position": at["number"], "option": only["index"], "code": only["code"]}
        for _ in range(2):  # it took itself while Ann was about to take it: no mistake of hers
            now = table.call("choose", late, 0, fits="web_message")
            assert now["number"] > at["number"] and now["step"] == 1
        table.call("choose", {**late, "code": only["code"] + 1}, 0, status=409)
        table.call("choose", {**late, "position": at["number"] + 1}, 0, status=409)


def test_who_does_not_want_to_wait_for_a_single_option_takes_it(tmp_path: Path) -> None:
    never = Limits(pace=(3600.0, 3600.0), measures=False)
    with served(tmp_path / "data", author=(suit(tmp_path),), limits=never) as calls:
        table = calls.table("suit", "me", "friend")
        table.choose(0, 0)
        table.choose(0, 1)
        assert table.look(0)["over"]


def test_who_sits_alone_does_not_wait(tmp_path: Path) -> None:
    slow = Limits(pace=(30.0, 30.0), measures=False)
    with served(tmp_path / "data", author=(ward(tmp_path),), limits=slow) as calls:
        table = calls.table("ward", "me", "random")
        table.play(10)
        assert table.look()["over"]
