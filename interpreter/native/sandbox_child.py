"""The side of a sandbox on which a stranger's ruleset is checked, compiled and played.

The process gives up what it does not need before it reads a word of the ruleset: memory and CPU time beyond its limits,
large files, core dumps, the network and, where no compiler is wanted, other processes. Then it answers requests, one at
a time: a length, then JSON. It keeps the game and its states by number; what leaves it is plain data (`plain_data`).
"""

from __future__ import annotations

import contextlib
import ctypes
import importlib
import json
import os
import struct
import sys
from typing import Any, BinaryIO

from ..diagnostics.diagnostic import RulesetError
from ..runtime.faults import Fault, IllegalChoice, RefusedChoice
from .plain_data import packed
from .wasm import count_instructions

GAME = 0  # the number of the game; states follow
OF_GAME = ("name", "title", "players", "seat_names", "fingerprint")
OF_STATE = (
    "over", "approximate", "history", "path", "scores", "score_lines", "ranking", "winners", "returns", "reason",
    "seed", "auto", "undo_horizon",
)  # fmt: skip
CALLS = ("view", "observation", "information", "to_json", "log")  # of a state, with plain arguments
MAKES = ("clone", "playout", "determinize")  # of a state; they give another state
_NEW_NETWORK, _NEW_USER = 0x40000000, 0x10000000
_FILES = 256


def give_up(memory: int, seconds: int, processes: bool) -> None:
    """Gives up what a ruleset does not need. What the system does not allow is left as it is: the process outside
    watches time and memory all the same."""
    import resource

    count_instructions()
    limits = [
        (resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds), (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_FSIZE, 64 << 20), (resource.RLIMIT_NOFILE, _FILES),
    ]  # fmt: skip
    if not processes and hasattr(resource, "RLIMIT_NPROC"):
        limits.append((resource.RLIMIT_NPROC, 0))
    for which, most in limits:
        with contextlib.suppress(OSError, ValueError):
            _, hard = resource.getrlimit(which)
            resource.setrlimit(which, (most, most) if hard < 0 or most <= hard else (hard, hard))
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            library = ctypes.CDLL(None, use_errno=True)
            if library.unshare(_NEW_NETWORK) != 0:
                library.unshare(_NEW_USER | _NEW_NETWORK)
            library.prctl(38, 1, 0, 0, 0)  # no new privileges


class Server:
    """Answers requests about one game."""

    def __init__(self) -> None:
        self.kept: dict[int, Any] = {}
        self.last = GAME
        self.questions = ""  # a module whose functions may be asked too, about the game or a state

    def answer(self, request: dict[str, Any]) -> Any:
        for number in request.get("drop", ()):
            self.kept.pop(number, None)
        method = getattr(self, f"_{request['do']}")
        return method(*request.get("with", ()))

    def _load(
        self, name: str, players: int | None, backend: str | None, limits: dict[str, int] | None, questions: str = ""
    ) -> Any:
        from .game import load

        self.questions = questions
        game = self.kept[GAME] = load(name, players, backend, limits=limits)
        return {of: packed(getattr(game, of)) for of in OF_GAME}

    def _game(self, do: str, *args: Any) -> Any:
        if do not in ("new", "playout", "from_json"):
            raise ValueError(do)
        return self._keep(getattr(self.kept[GAME], do)(*args))

    def _playouts(self, seed: int, count: int) -> Any:
        game = self.kept[GAME]
        if hasattr(game, "playouts"):
            return packed(game.playouts(seed, count))
        ends = [game.playout(number) for number in range(seed, seed + count)]
        seats = range(game.players)
        got = [sum(end.returns[seat] for end in ends) / max(1, count) for seat in seats]
        return packed((got, sum(len(end.history) for end in ends)))

    def _keep(self, state: Any) -> Any:
        self.last += 1
        self.kept[self.last] = state
        return [self.last, self._told(state)]

    def _told(self, state: Any) -> Any:
        """What is asked of every state: whether it is over, and who decides among how many options."""
        return [state.over, None if state.over else state.who, 0 if state.over else len(state.opts)]

    def _of_state(self, number: int, name: str) -> Any:
        if name not in OF_STATE:
            raise ValueError(name)
        return packed(getattr(self.kept[number], name))

    def _call(self, number: int, name: str, *args: Any) -> Any:
        if name not in CALLS:
            raise ValueError(name)
        return packed(getattr(self.kept[number], name)(*args))

    def _make(self, number: int, name: str, *args: Any) -> Any:
        if name not in MAKES:
            raise ValueError(name)
        return self._keep(getattr(self.kept[number], name)(*args))

    def _apply(self, number: int, index: int) -> Any:
        state = self.kept[number]
        state.apply(index)
        return self._told(state)

    def _question(self, name: str, number: int, *args: Any) -> Any:
        """A question of the program that started this: a function that gives plain data. A state among the arguments
        comes as its number."""
        asked = importlib.import_module(self.questions)
        if name not in asked.QUESTIONS:
            raise ValueError(name)
        known = [self.kept[arg["state"]] if isinstance(arg, dict) and arg.keys() == {"state"} else arg for arg in args]
        return getattr(asked, name)(self.kept[number], *known)

    def _apart(self, questions: str, name: str, *args: Any) -> Any:
        """A question that is about no loaded game: what files say, which may be wrong in every way."""
        asked = importlib.import_module(questions)
        if name not in asked.QUESTIONS:
            raise ValueError(name)
        return asked.QUESTIONS[name](*args)

    def _decision(self, number: int) -> Any:
        asked = self.kept[number].decision
        return packed((asked.prompt, asked.picked, asked.path, asked.cites))

    def _options(self, number: int) -> Any:
        offered = self.kept[number].decision.options
        return packed([(str(option), int(option), option.values, option.kind) for option in offered])

    def _find(self, number: int, text: str) -> int:
        return int(self.kept[number].decision.find(text).index)

    def _why_not(self, number: int, text: str) -> Any:
        refusal = self.kept[number].decision.why_not(text)
        return None if refusal is None else packed((refusal.reason, tuple(refusal.cites), refusal.place))


def problem_of(problem: BaseException) -> dict[str, Any]:
    """An exception as plain data."""
    told: dict[str, Any] = {"error": type(problem).__name__, "words": str(problem)}
    if isinstance(problem, RulesetError):
        told["findings"] = [packed(finding) for finding in problem.diagnostics[:1000]]
    elif isinstance(problem, Fault):
        told["findings"] = [packed(problem.diagnostic)]
        parts = (problem.rule, problem.place, problem.cites, problem.stack, problem.seed, problem.step, problem.history)
        told["fault"] = packed(parts)
    elif isinstance(problem, RefusedChoice):
        told["reason"] = packed((problem.reason, problem.cites))
    elif isinstance(problem, MemoryError):
        told["error"] = "MemoryError"
    elif not isinstance(problem, IllegalChoice):
        told["words"] = f"{type(problem).__name__}: {problem}"
    return told


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answers requests until the other side goes."""
    server = Server()
    while len(head := source.read(4)) == 4:
        request = json.loads(source.read(struct.unpack("<I", head)[0]))
        try:
            answer: dict[str, Any] = {"answer": server.answer(request)}
        except Exception as problem:
            answer = problem_of(problem)
        content = json.dumps(answer).encode()
        target.write(struct.pack("<I", len(content)) + content)
        target.flush()


def main(args: list[str]) -> None:
    memory, seconds, processes = (int(arg) for arg in args)
    source, target = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # nothing that is printed by mistake gets between the answers
        os.dup2(nowhere, standard)
    give_up(memory, seconds, bool(processes))
    serve(source, target)
