"""Inside `together` nobody learns what others do: what a viewer is sent is the same in every history with the same own
choices, by every way: positions, history, numbers, what can be taken back, and whether a message comes at all."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from interpreter.native.game import load
from interpreter.web.scene import scene_of
from interpreter.web.server.explaining import reasons_for
from interpreter.web.server.game_table import GameTable
from interpreter.web.server.sight import position
from interpreter.web.server.store import SeatRow, TableRow, open_store
from interpreter.web.server.taking_back import undo_shown
from interpreter.web.server.words import Refused
from tests.web.server.calling import served  # skips these tests if there is no server

BIDS = """\
game bids "Bids" for 2..3 players
table
  round: 0..2
each player
  bid: 0..2 secret
  more: 0..2 secret
  points: 0..99
play
  repeat 2 times
    round += 1
    auction
phase auction
  together p in players
    choose n in 1..2 secretly "How much?"
    p.bid = n
    choose m in 1..2 secretly "How much more?"
    p.more = m
  for p in players
    reveal p.bid
    p.points += p.bid
score p
  "Points"  p.points
"""
DICE = """\
game throws "Throws" for 2 players
each player
  die: 1 dice of 1..6 secret
  kept: 0..6 secret
play
  together p in players
    roll p.die
    choose n in 1..2 secretly "Keep how many?"
    p.kept = n
"""


def folder_of(tmp_path: Path, name: str, rules: str) -> Path:
    folder = tmp_path / name
    folder.mkdir(exist_ok=True)
    (folder / "ruleset.yaml").write_text(f"name: {name}\n")
    (folder / f"{name}.rules").write_text(rules)
    return folder


@pytest.fixture(scope="module")
def bids(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return folder_of(tmp_path_factory.mktemp("rules"), "bids", BIDS)


def table_for(game: Any, *kinds: str) -> GameTable:
    seats = [SeatRow(seat, kind, "", "random" if kind == "bot" else "") for seat, kind in enumerate(kinds)]
    return GameTable(TableRow("t", game.name, len(kinds), "d", 7, False, {"undo": True}), seats, game)


def sent_to(table: GameTable, viewer: int) -> str:
    """Everything that a viewer can be sent about the table as it is."""
    steps = range(table.steps(viewer) + 1)
    messages = [position(table, viewer, "en", set()), *(position(table, viewer, "en", set(), step) for step in steps)]
    why = None
    if viewer != table.spectator:
        why = reasons_for(table, viewer, {"position": table.number(viewer), "target": "3"}, "en")
    return json.dumps([messages, why, table.is_asked(viewer)])


def answer(table: GameTable, viewer: int, index: int) -> int:
    """A choice as the house makes it; a bit for each viewer who is told something."""
    code = table.asked_option(viewer, table.number(viewer), index, None)
    if table.answers_ahead(viewer):
        table.take_ahead(table.ahead_row(viewer, code))
        return 1 << viewer
    tried = table.tried(code)
    told = table.told(tried, ahead=False)
    table.take(tried)
    while (kept := table.waiting_answer) is not None:
        tried = table.tried(kept.code)
        told |= table.told(tried, ahead=True)
        table.take(tried)
    return told


def histories(left: tuple[tuple[int, ...], ...]) -> Iterator[list[tuple[int, int]]]:
    """All orders in which the seats may give their answers: (seat, index) one after the other."""
    if not any(left):
        yield []
    for seat, own in enumerate(left):
        if own:
            rest = (*left[:seat], own[1:], *left[seat + 1 :])
            for others in histories(rest):
                yield [(seat, own[0]), *others]


ONCE = BIDS.replace('    choose m in 1..2 secretly "How much more?"\n    p.more = m\n', "")


@pytest.mark.parametrize(
    ("rules", "players", "bodies"), [(BIDS, 2, ((0, 0), (1, 1))), (ONCE, 3, ((0,), (1,)))], ids=["two", "three"]
)
def test_all_histories_of_a_block_look_alike(tmp_path: Path, rules: str, players: int, bodies: Any) -> None:
    game = load(str(folder_of(tmp_path, "bids", rules)), players, backend="python")
    seen: dict[tuple[int, Any], str] = {}
    ends: dict[Any, list[str]] = {}
    viewers = range(players + 1)
    for chosen in product(bodies, repeat=players):
        for order in histories(chosen):
            table = table_for(game, "me", *["friend"] * (players - 1))
            own: list[list[int]] = [[] for _ in viewers]
            numbers = [table.number(viewer) for viewer in viewers]
            for done, (seat, index) in enumerate(order, 1):
                assert all(table.is_asked(v) == (own[v] != list(chosen[v])) for v in viewers[:-1]), (
                    "all are asked at once"
                )
                told = answer(table, seat, index)
                own[seat].append(index)
                if done == len(order):
                    break
                assert told == 1 << seat, "nobody else is sent anything"
                for viewer in viewers:
                    now = sent_to(table, viewer)
                    assert seen.setdefault((viewer, tuple(own[viewer])), now) == now
                    assert (table.number(viewer) > numbers[viewer]) == (viewer == seat), "numbers tell nothing"
                    numbers[viewer] = table.number(viewer)
            assert told == (1 << players + 1) - 1, "now everybody is told"
            assert all(table.number(viewer) > numbers[viewer] for viewer in viewers)
            all_sent = [sent_to(table, viewer) for viewer in viewers]
            assert ends.setdefault(chosen, all_sent) == all_sent, "nor who was first, afterwards"


def test_answers_ahead_are_kept_over_a_restart(tmp_path: Path, bids: Path) -> None:
    """They count, as all that was acknowledged; and they can be taken back by nobody meanwhile."""
    data = tmp_path / "data"
    with served(data, author=(bids,)) as calls:
        table = calls.table("bids", "me", "friend", "friend")
        table.choose(1, 2)
        before = table.choose(0, 2)
        assert before["scene"]["decision"] is None and before["scene"]["status"]["waiting"]
        table.call("undo", {"position": before["number"]}, 2, status=409)
        table.call("choose", {"position": before["number"], "option": 0}, 2, status=403)
        table.call("choose", {"position": before["number"] - 1, "option": 0}, 2, status=409)
    with served(data, author=(bids,)) as calls:
        table.calls = calls
        mine = [{"table": table.id, "token": token} for token in table.tokens]
        turns = [
            one["my_turn"] for one in calls.post("/api/tables/mine", {"seats": mine}, fits="web_answer#mine")["tables"]
        ]
        assert turns == [True, True, False], "known without reading the table"
        assert table.look(2) == {**before, "seats": table.look(2)["seats"]}
        table.choose(0, 1)
        table.choose(0, 0)
        table.choose(0, 1)
        after = table.choose(0, 0)
        assert after["scene"]["decision"] and after["number"] > 0
        points = {one["id"]: one["value"] for one in after["scene"]["counters"]}
        assert [points[f"p{seat}.points"] for seat in range(3)] == [1, 1, 2]
    store = open_store(str(data / "tables.sqlite"))
    assert len(store.choices(table.id)) == 6 and not store.ahead(table.id)
    store.close()


def test_no_message_comes_over_the_live_connection(tmp_path: Path, bids: Path) -> None:
    with served(tmp_path / "data", author=(bids,)) as calls:
        table = calls.table("bids", "me", "friend")
        with table.socket(1) as rival, table.socket(None) as watcher:
            pages = (rival, watcher)
            for page in pages:
                page.until(lambda at: at["type"] == "position" and at["seats"][1]["connected"])
            assert table.look(1)["scene"]["decision"], "the second is asked at once"
            table.choose(0, 0)
            table.choose(0, 0)
            for page in pages:
                page.send({"type": "ping"})
                assert page.next() == {"type": "pong"}, "the first has chosen, and no other message came"
            table.choose(0, 1)
            table.choose(0, 1)
            for page in pages:
                page.until(lambda at: at["type"] == "position" and at["step"] >= 1)


def test_with_bots_and_around_one_screen(bids: Path) -> None:
    """A person with all the seats is asked in order, one with several is led to the next; bots answer in between."""
    game = load(str(bids), 3, backend="python")
    alone = table_for(game, "me", "me", "bot")
    assert [alone.is_asked(seat) for seat in range(3)] == [True, False, False]
    assert undo_shown(alone, 0).why == "undo_nothing"
    some = table_for(game, "me", "bot", "friend")
    assert [some.is_asked(seat) for seat in (0, 2)] == [True, True]
    two = table_for(game, "me", "friend", "me")
    answer(two, 0, 0)
    answer(two, 0, 0)
    status = position(two, 0, "en", set())["scene"]["status"]
    assert status["decides"] == 2 and status["waiting"], "my other seat is asked"
    assert position(two, 1, "en", set())["scene"]["status"]["decides"] == 1


AGAIN = DICE.replace("secretly ", "").replace("    p.kept = n\n", "    p.kept = n\n    if n == 2\n      roll p.die\n")


def test_dice_of_their_own_are_rolled_for_all_at_once(tmp_path: Path) -> None:
    """Whatever the first chooses, the second has rolled the same: so the second need not wait."""
    game = load(str(folder_of(tmp_path, "throws", DICE)), 2, backend="python")
    real = scene_of(game, game.new(seed=7, auto=False).apply(0), 1)
    for order in ((0, 1), (1, 0)):
        table = table_for(game, "me", "friend")
        assert table.is_asked(0) and table.is_asked(1)
        assert position(table, 1, "en", set())["scene"]["dice"] == real["dice"] and real["dice"]
        for seat in order:
            answer(table, seat, 1)
        assert table.standing.over


def test_a_throw_that_hangs_on_a_choice_of_somebody_else_waits_for_it(tmp_path: Path) -> None:
    """Then the second is asked when the rules come to it: what it would roll is not known before."""
    game = load(str(folder_of(tmp_path, "throws", AGAIN)), 2, backend="python")
    table = table_for(game, "me", "friend")
    assert table.is_asked(0) and not table.is_asked(1)
    with pytest.raises(Refused):
        table.asked_option(1, table.number(1), 0, None)
    answer(table, 0, 0)
    assert table.is_asked(1)
    real = scene_of(game, game.new(seed=7, auto=False).apply(0), 1)
    assert position(table, 1, "en", set())["scene"]["dice"] == real["dice"] and real["dice"]


LAY = """\
game lay "Lay" for 2 players
kind Card
  copies 1 for each n: 1..2
table
  deck: pile of Card hidden
each player
  hand: hand of Card secret
  laid: pile of Card secret
setup
  move all c in Card to deck
  shuffle deck
  for p in players
    draw 1 from deck to p.hand
play
  together p in players
    choose c in p.hand secretly "Which card?"
    move c to p.laid
"""


def test_single_options_in_a_block_take_themselves(tmp_path: Path) -> None:
    """Each after a time of its own, that does not begin when another has chosen; who clicks late is told it is done."""
    with served(tmp_path / "data", author=(folder_of(tmp_path, "lay", LAY),), pace=(600.0, 600.0)) as calls:
        table = calls.table("lay", "me", "friend")
        assert len(table.look(1)["scene"]["decision"]["options"]) == 1
        table.choose(0, 1)
        assert not table.look(1)["over"] and table.look(1)["scene"]["decision"] is None
        assert table.choose(0, 0)["over"]
    with served(tmp_path / "data", author=(tmp_path / "lay",)) as calls:
        table = calls.table("lay", "me", "friend")
        with table.socket(1) as page:
            page.until(lambda at: at.get("over"))
        for _ in range(2):
            assert table.call("choose", {"position": 0, "option": 0}, 1, fits="web_message")["over"]
        table.call("choose", {"position": 2, "option": 0}, 1, status=409)
