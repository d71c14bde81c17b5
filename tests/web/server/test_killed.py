"""A server that is killed in the middle of running games: after a restart every acknowledged choice is there, once.

The server is a process of its own. Clients play at several tables at once and write down what was acknowledged; at a
random moment the process is killed (SIGKILL), started again on the same data, and every table is compared: what was
acknowledged is there, at most the one choice that was under way has come on top, and the numbers go on.
"""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path

import pytest

from tests.web.server.calling import Calls, Table  # skips these tests if there is no server

ROOT = Path(__file__).parents[3]
GAMES = (
    ("tic_tac_toe", ("me", "me")), ("nim", ("me", "random")), ("kalah", ("me", "friend")), ("pig", ("me", "me")),
    ("rock_paper_scissors", ("me", "friend")),
)  # fmt: skip


@contextmanager
def process(data: Path, *command: str) -> Iterator[tuple[Calls, subprocess.Popen[str]]]:
    """A server as a person starts it, on a free port, or by another command."""
    command = command or (sys.executable, "-m", "interpreter", "serve", "--port", "0", "--data", str(data))
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    running = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment)
    try:
        assert running.stdout is not None
        line = running.stdout.readline()
        address = next((word for word in line.split() if ":" in word), "")
        assert address, line
        yield Calls(address if "//" in address else f"http://{address}/"), running
    finally:
        running.kill()
        running.wait()


@dataclass
class Player:
    """Plays one table until the server is gone, and keeps what was acknowledged."""

    table: Table
    seats: tuple[int, ...]
    acknowledged: dict[int, list[int]] = field(default_factory=dict)  # codes of each seat's choices, in order
    under_way: tuple[int, int] | None = None  # seat and code
    numbers: dict[int, int] = field(default_factory=dict)
    problem: BaseException | None = None

    def run(self, seed: int, made: threading.Semaphore) -> None:
        """Until the game is over or the server gone; `made` is told of each choice that was acknowledged."""
        generator = random.Random(seed)
        try:
            while self._one(generator, made):
                pass
        except (OSError, HTTPException, ValueError):
            pass  # the server is gone
        except BaseException as problem:
            self.problem = problem

    def _one(self, generator: random.Random, made: threading.Semaphore) -> bool:
        for seat in self.seats:
            at = self.table.look(seat)
            self.numbers[seat] = at["number"]
            if at["over"]:
                return False
            if not at["scene"]["decision"]:
                continue
            option = generator.choice(at["scene"]["decision"]["options"])
            self.under_way = (seat, option["code"])
            body = {"position": at["number"], "option": option["index"], "code": option["code"]}
            self.table.call("choose", body, seat)
            self.acknowledged.setdefault(seat, []).append(option["code"])
            self.under_way = None
            made.release()
        return True


def codes_of(player: Player, data: Path) -> dict[int, list[int]]:
    """The stored choices of a player, for each seat: those that the rules have taken, and answers ahead of them."""
    from interpreter.web.server.store import open_store

    store = open_store(str(data / "tables.sqlite"))
    try:
        choices, ahead = store.choices(player.table.id), store.ahead(player.table.id)
        taken = {seat: [one.code for one in choices if one.seat == seat] for seat in player.seats}
        return {seat: [*taken[seat], *(row.code for row in ahead.get(seat, ()))] for seat in player.seats}
    finally:
        store.close()


def check(player: Player, data: Path) -> None:
    assert player.problem is None, player.problem
    for seat, own in codes_of(player, data).items():
        known = player.acknowledged.get(seat, [])
        extra = own[len(known) :]
        assert own[: len(known)] == known
        assert not extra or (player.under_way is not None and [player.under_way] == [(seat, code) for code in extra])


def test_no_acknowledged_choice_is_lost_or_doubled(tmp_path: Path, is_long: bool) -> None:
    generator = random.Random(20)
    kills = 200 if is_long else 8
    data = tmp_path / "data"
    players: list[Player] = []
    made = 0
    for kill in range(kills):
        with process(data) as (calls, running):
            for player in players:
                player.table = Table(calls, player.table.id, player.table.tokens)
                at = [player.table.look(seat) for seat in player.seats]
                assert all(one["number"] >= player.numbers.get(one["me"], 0) for one in at)
                player.acknowledged = codes_of(player, data)
                player.under_way = None
            players = [player for player in players if not player.table.look(0)["over"]][-3:]
            while len(players) < 4:
                game, kinds = GAMES[generator.randrange(len(GAMES))]
                seats = tuple(seat for seat, kind in enumerate(kinds) if kind in ("me", "friend"))
                players.append(Player(calls.table(game, *kinds), seats))
            acknowledged = threading.Semaphore(0)
            threads = []
            for number, player in enumerate(players):
                player.table.calls = Calls(f"http://{calls.host}")
                thread = threading.Thread(target=player.run, args=(kill * 10 + number, acknowledged))
                thread.start()
                threads.append(thread)
            for _ in range(generator.randrange(1, 12)):  # so many choices, and then somewhere in the next ones
                while not acknowledged.acquire(timeout=0.1) and any(thread.is_alive() for thread in threads):
                    pass
            time.sleep(generator.uniform(0.0, 0.03))
            running.send_signal(signal.SIGKILL)
            running.wait()
            for thread in threads:
                thread.join(60)
        for player in players:
            check(player, data)
            made += sum(map(len, player.acknowledged.values()))
    assert made > kills, "hardly anything was played"


def test_workers_end_with_a_killed_server(tmp_path: Path) -> None:
    with process(tmp_path / "data") as (calls, running):
        table = calls.table("tic_tac_toe", "me", "mcts:20")
        table.choose(0)
        table.wait_for_turn()
        children = Path(f"/proc/{running.pid}/task/{running.pid}/children")
        if not children.exists():
            pytest.skip("this system does not list the children of a process")
        workers = [int(word) for word in children.read_text().split()]
        assert workers
        running.send_signal(signal.SIGKILL)
        running.wait()
        for _ in range(100):
            if not any(_is_running(worker) for worker in workers):
                return
            time.sleep(0.1)
    pytest.fail("a worker goes on without its server")


def _is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def test_an_interrupted_server_ends_well(tmp_path: Path) -> None:
    with process(tmp_path / "data") as (calls, running):
        table = calls.table("nim", "me", "random")
        table.choose(0)
        running.send_signal(signal.SIGINT)
        assert running.wait(20) in (0, 130, -signal.SIGINT)
    with process(tmp_path / "data") as (calls, _):
        again = Table(calls, table.id, table.tokens)
        assert json.dumps(again.look()["scene"]["log"]) != "[]"
