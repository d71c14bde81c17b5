"""Measures a table server under load, on the loopback address of this machine and nowhere else.

    .venv/bin/python tools/bench_web.py [--tables 100] [--seconds 20] [--game NAME] [--pause 2.0]
    .venv/bin/python tools/bench_web.py --finished 300

The first form starts a server, makes tables for two persons and a spectator (or a random bot in place of the second
person at every other table), opens a connection for each of the three, and lets each person choose after a pause drawn
around the one given. Each choice is timed until everybody at its table who can notice it has been sent the position.
The second plays games against random bots to their end, one after another, and shows the memory of the server.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path
from typing import Any

from websockets.asyncio.client import connect

ROOT = Path(__file__).resolve().parent.parent


class Bench:
    def __init__(self, host: str, seconds: float, pause: float) -> None:
        self.host, self.until, self.pause = host, time.monotonic() + seconds, pause
        self.late: list[float] = []
        self.choices = 0
        self.server = 0  # its process
        self.spent = 0.0  # seconds of CPU of the server before the first choice

    def made(self, game: str, second: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps({"game": game, "seats": [{"kind": "me"}, second], "players": 2}).encode()
        headers = {"Content-Type": "application/json"}
        request = urllib.request.Request(f"http://{self.host}/api/tables", body, headers)
        answer: dict[str, Any] = json.load(urllib.request.urlopen(request))
        return answer

    async def table(self, game: str, number: int) -> None:
        """A table with three connections until time is up; a new one when its game is over."""
        second = {"kind": "me"} if number % 2 else {"kind": "bot", "bot": "random"}
        while time.monotonic() < self.until:
            made = await asyncio.to_thread(self.made, game, second)
            tokens = [seat["token"] for seat in made["seats"] if seat["token"]]
            viewers = [*tokens, *[None] * (3 - len(tokens))]
            chosen: dict[int, float] = {}  # step -> when it was chosen
            over = asyncio.Event()
            pages = [self.page(made["table"], token, chosen, over) for token in viewers]
            await asyncio.gather(*pages)

    async def page(self, table: str, token: str | None, chosen: dict[int, float], over: asyncio.Event) -> None:
        async with connect(f"ws://{self.host}/api/tables/{table}/live", max_size=None) as socket:
            await socket.send(json.dumps({"seat": token, "language": "en"}))
            answered = asked = -1
            thinking: set[asyncio.Task[None]] = set()
            while time.monotonic() < self.until and not over.is_set():
                try:
                    at = json.loads(await asyncio.wait_for(socket.recv(), 1.0))
                except TimeoutError:
                    continue
                if at["type"] != "position":
                    continue
                for step in [step for step in chosen if answered < step <= at["step"]]:
                    self.late.append(time.monotonic() - chosen[step])
                answered = max(answered, at["step"])
                if at["over"]:
                    over.set()
                elif at["scene"]["decision"] and at["number"] != asked:
                    asked = at["number"]
                    thinking.add(asyncio.ensure_future(self.choose(socket, at, chosen)))
            for task in thinking:
                task.cancel()

    async def choose(self, socket: Any, at: dict[str, Any], chosen: dict[int, float]) -> None:
        """Chooses after a pause; meanwhile the page goes on reading."""
        await asyncio.sleep(random.uniform(0.5, 1.5) * self.pause)
        option = random.choice(at["scene"]["decision"]["options"])
        chosen[at["step"] + 1] = time.monotonic()
        if not self.choices:
            self.spent = cpu_of(self.server)
        self.choices += 1
        await socket.send(json.dumps({"type": "choose", "position": at["number"], "option": option["index"]}))

    async def finished(self, game: str, games: int, server: int) -> list[float]:
        """Plays games to their end; the server's memory in MB after each tenth of them."""
        memory = [memory_of(server)]
        for number in range(games):
            made = await asyncio.to_thread(self.made, game, {"kind": "bot", "bot": "random"})
            self.until = time.monotonic() + 60
            self.pause = 0.0
            await self.page(made["table"], made["seats"][0]["token"], {}, asyncio.Event())
            if (number + 1) % max(1, games // 10) == 0:
                memory.append(memory_of(server))
        return memory


def memory_of(process: int) -> float:
    """Megabytes that a process has in memory."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    return 0.0


def cpu_of(process: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--tables", type=int, default=100)
    options.add_argument("--seconds", type=float, default=20.0)
    options.add_argument("--pause", type=float, default=2.0)
    options.add_argument("--game", default="connect_four")
    options.add_argument("--finished", type=int, default=0)
    asked = options.parse_args()
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, str(ROOT / "tools" / "serve_for_bench.py"), data]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        try:
            assert server.stdout is not None
            bench = Bench(server.stdout.readline().strip(), asked.seconds, asked.pause)
            if asked.finished:
                memory = asyncio.run(bench.finished(asked.game, asked.finished, server.pid))
                print(f"{asked.finished} games of {asked.game}: MB " + " ".join(f"{one:.1f}" for one in memory))
                return
            bench.server = server.pid
            asyncio.run(_all(bench, asked.game, asked.tables))
            late = sorted(bench.late)
            print(
                f"{asked.tables} tables of {asked.game}, {3 * asked.tables} connections, {bench.choices} choices in"
                f" {asked.seconds:g} s: median {1000 * statistics.median(late):.0f} ms,"
                f" p95 {1000 * late[int(0.95 * len(late))]:.0f} ms, worst {1000 * late[-1]:.0f} ms,"
                f" memory {memory_of(server.pid):.0f} MB, CPU of the server {cpu_of(server.pid):.1f} s, of which"
                f" {1000 * (cpu_of(server.pid) - bench.spent) / max(1, bench.choices):.1f} ms a choice,"
                f" of the clients {time.process_time():.1f} s"
            )
        finally:
            server.terminate()
            server.wait()


async def _all(bench: Bench, game: str, tables: int) -> None:
    await asyncio.gather(*(bench.table(game, number) for number in range(tables)))


if __name__ == "__main__":
    main()
