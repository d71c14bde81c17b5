"""A bot that is a program of its own, in any language: it reads JSON lines and answers with JSON lines.

`process:COMMAND` starts the command, once for each seat of each match; `process:2s:COMMAND` gives it 2 seconds for each
answer in place of 10. Each line is one JSON object. To the program:

    {"type": "start", "protocol": 1, "game": "harbour", "players": 2, "seats": ["red", "blue"], "player": 0, "seed": 7}
    {"type": "choose", "seed": 8, "observation": {"view": …, "log": …, "options": [{"code": …, "label": …}, …], …}}
    {"type": "end", "returns": [1.0, -1.0], "scores": [0, 0], "ranking": [1, 2]}

The observation is all that the player may see (schemas/observation.schema.json). Only `choose` is answered, with one
of

    {"index": 3}    {"code": 9}    {"label": "Buy a ship"}

After `end` its input is closed, and it should leave. A program that dies, is late, or answers with anything else is
told of in words, with the last line it wrote to its error stream; the game stands as it stood.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import tempfile
from queue import Empty, Queue
from threading import Thread
from typing import IO, Any

from ..contract import Decision, Option, PlayError, option_with_code
from ..seeds import derived_seed
from .bot import Bot, BotFailed, BotSeat, pending
from .sight import option_of

SECONDS = 10.0
_LEAVING = 1.0  # seconds a program has to leave after `end`
_PROTOCOL = 1


class ProcessBot(Bot):
    def __init__(self, kind: str, command: str, seconds: float = SECONDS) -> None:
        self.kind = kind
        self.seconds = seconds
        try:
            self.command = shlex.split(command)
        except ValueError:
            raise PlayError(f"the command of `{kind}` has an open quote") from None
        if not self.command:
            raise PlayError(f"`{kind}` names no command", "for example `process:python3 my_bot.py`")

    def choose(self, state: Any, seed: int = 0) -> Option:
        seat = ProcessSeat(self, seed)
        try:
            return seat.choose(state, pending(state))
        finally:
            seat.stop()

    def seat(self, seed: int) -> BotSeat:
        return ProcessSeat(self, seed)


class ProcessSeat:
    """The program at one seat of one match; it is started when it is first asked."""

    def __init__(self, bot: ProcessBot, seed: int) -> None:
        self.kind = bot.kind
        self._bot = bot
        self._seed = seed
        self._asked = 0
        self._running: _Running | None = None

    def choose(self, state: Any, decision: Decision) -> Option:
        if self._running is None:
            self._running = _Running(self._bot)
            game = state.game
            self._running.send(
                {
                    "type": "start", "protocol": _PROTOCOL, "game": game.name, "players": game.players,
                    "seats": list(game.seat_names), "player": decision.player, "seed": self._seed,
                }
            )  # fmt: skip
        seed = derived_seed(self._seed, self._asked)
        self._asked += 1
        self._running.send({"type": "choose", "seed": seed, "observation": state.observation(decision.player)})
        try:
            return _meant(self._running.answer(), decision, self.kind)
        except BotFailed:
            self.stop()
            raise

    def end(self, state: Any, player: int) -> None:
        """Tells the program that the match is over, and lets it leave."""
        running = self._running
        if running is not None:
            result = {"returns": state.returns, "scores": list(state.scores), "ranking": list(state.ranking)}
            running.send({"type": "end", **result})
            running.leave()
            self._running = None

    def stop(self) -> None:
        """Ends the program at once."""
        if self._running is not None:
            self._running.kill()
            self._running = None

    def __del__(self) -> None:
        self.stop()


class _Running:
    """A started program. A thread reads its answers, so that waiting for one can end."""

    def __init__(self, bot: ProcessBot) -> None:
        self._bot = bot
        self._errors: IO[str] = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")
        try:
            self._process = subprocess.Popen(
                bot.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                text=True, encoding="utf-8", errors="replace",
            )  # fmt: skip
        except OSError as problem:
            raise BotFailed(
                f"`{bot.command[0]}` cannot be started: {problem.strerror}", f"the bot `{bot.kind}` needs it"
            ) from None
        self._lines: Queue[str] = Queue()
        Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._lines.put(line)
        self._lines.put("")  # it has closed its output

    def send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n")
            self._process.stdin.flush()
        except OSError:
            pass  # it has gone; the next answer tells

    def answer(self) -> str:
        try:
            line = self._lines.get(timeout=self._bot.seconds)
        except Empty:
            raise self._failed(f"has not answered within {self._bot.seconds:g} s") from None
        if not line:
            code = self._process.wait()
            raise self._failed(f"has ended with exit code {code}, without an answer")
        return line

    def _failed(self, what: str) -> BotFailed:
        self._errors.seek(0)
        said = [line.strip() for line in self._errors.read().splitlines() if line.strip()]
        told = f"its last words: {said[-1]}" if said else "it wrote nothing to its error stream"
        return BotFailed(f"the bot `{self._bot.kind}` {what}", told)

    def leave(self) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.close()
            self._process.wait(_LEAVING)
        except (OSError, subprocess.TimeoutExpired):
            pass
        self.kill()

    def kill(self) -> None:
        self._process.kill()
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._errors):
            try:
                if stream is not None:
                    stream.close()
            except OSError:
                pass


def _meant(line: str, decision: Decision, kind: str) -> Option:
    """The option that an answer names; BotFailed if there is no such thing."""
    who = f"the bot `{kind}`"
    shown = line.strip() if len(line) < 80 else line.strip()[:80] + " …"
    form = 'an answer is a line such as {"index": 0}'
    try:
        answer = json.loads(line)
    except ValueError:
        raise BotFailed(f"{who} answered `{shown}`, which is no JSON", form) from None
    match answer:
        case {"index": int(index)}:
            return option_of(index, decision, who)
        case {"code": int(code)}:
            found = option_with_code(decision, code)
            if found is None:
                raise BotFailed(f"{who} chose code {code}, which is not offered", "choose one of the options offered")
            return found
        case {"label": str(label)}:
            return option_of(label, decision, who)
        case _:
            raise BotFailed(f"{who} answered `{shown}`", form)
