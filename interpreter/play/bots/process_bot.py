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

import contextlib
import json
import shlex
import subprocess
from io import BufferedReader
from queue import Empty, Full, Queue
from threading import Thread
from typing import Any

from ..contract import Decision, Option, PlayError
from ..seeds import derived_seed
from .bot import Bot, BotFailed, BotSeat, pending
from .sight import option_of

SECONDS = 10.0
_LEAVING = 1.0  # seconds a program has to leave after `end`
_PROTOCOL = 1
_WAITING = 16  # lines of a program that wait to be read
_LONGEST = 1 << 16  # bytes of a line; what is longer is no answer
_READABLE = 200  # letters of its last line that are told
_LAST_WORDS = 1 << 13  # bytes that are kept of what it says about errors


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
        seen = state.observation(decision.player)
        self._running.send({"type": "choose", "seed": seed, "observation": seen})
        try:
            return _meant(self._running.answer(), decision, [option["code"] for option in seen["options"]], self.kind)
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
    """A started program. Threads read what it writes and write what it reads, so that waiting for an answer can end
    whatever it does: it may write without end, never write, or never read. What it writes is kept in small parts; when
    nobody wants more of it, it has to wait."""

    def __init__(self, bot: ProcessBot) -> None:
        self._bot = bot
        self._last_words, self._ended = b"", False
        try:
            self._process = subprocess.Popen(
                bot.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0
            )
        except OSError as problem:
            raise BotFailed(
                f"`{bot.command[0]}` cannot be started: {problem.strerror}", f"the bot `{bot.kind}` needs it"
            ) from None
        self._lines: Queue[str] = Queue(_WAITING)
        self._unsent: Queue[bytes] = Queue()
        self._threads = [Thread(target=work, daemon=True) for work in (self._read, self._write, self._listen)]
        for thread in self._threads:
            thread.start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):  # it is closed when the program is ended
            answers = BufferedReader(self._process.stdout)  # type: ignore[type-var]
            while line := answers.readline(_LONGEST):
                self._offer(line.decode("utf-8", "replace"))
        self._offer("")  # it has closed its output

    def _offer(self, line: str) -> None:
        while not self._ended:
            with contextlib.suppress(Full):
                self._lines.put(line, timeout=_LEAVING / 4)
                return

    def _write(self) -> None:
        assert self._process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it has gone; the next answer tells
            while message := self._unsent.get():
                while message:
                    message = message[self._process.stdin.write(message) or 0 :]
            self._process.stdin.close()

    def _listen(self) -> None:
        """Keeps the last of what it says about errors."""
        assert self._process.stderr is not None
        with contextlib.suppress(OSError, ValueError):
            while said := self._process.stderr.read(_LAST_WORDS):
                self._last_words = (self._last_words + said)[-_LAST_WORDS:]

    def send(self, message: dict[str, Any]) -> None:
        self._unsent.put((json.dumps(message, ensure_ascii=False, separators=(",", ":")) + "\n").encode())

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
        if self._process.poll() is not None:
            self._threads[-1].join(_LEAVING)  # what it said before it ended may be on its way
        words = self._last_words.decode("utf-8", "replace")
        said = [line.strip() for line in words.splitlines() if line.strip()]
        told = f"its last words: {_end_of(said[-1])}" if said else "it wrote nothing to its error stream"
        return BotFailed(f"the bot `{self._bot.kind}` {what}", told)

    def leave(self) -> None:
        self._unsent.put(b"")  # closes its input when everything is sent
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(_LEAVING)
        self.kill()

    def kill(self) -> None:
        self._ended = True
        self._process.kill()
        self._process.wait()
        self._unsent.put(b"")
        for thread in self._threads:
            thread.join(_LEAVING)
        for stream in (self._process.stdin, self._process.stdout, self._process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


def _end_of(line: str) -> str:
    """The end of a line that somebody shall read."""
    return line if len(line) <= _READABLE else f"… {line[-_READABLE:].lstrip()}"


def _meant(line: str, decision: Decision, codes: list[int], kind: str) -> Option:
    """The option that an answer names; BotFailed if there is no such thing. `codes`: those that the bot was shown."""
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
            if code not in codes:
                raise BotFailed(f"{who} chose code {code}, which is not offered", "choose one of the options offered")
            return option_of(codes.index(code), decision, who)
        case {"label": str(label)}:
            return option_of(label, decision, who)
        case _:
            raise BotFailed(f"{who} answered `{shown}`", form)
