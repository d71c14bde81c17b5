"""A process in which bots think: `python -m interpreter.web.server.worker`.

It reads one JSON line for each job and answers with one. It keeps the games it has loaded and, for each table, the
state it was asked about last: the next question is mostly the same game some choices later. When its input ends,
because the server has stopped or was killed, it ends too.
"""

from __future__ import annotations

import json
import os
import sys
from collections import OrderedDict
from typing import Any

from ...native.sandbox import SandboxFailed
from ...runtime.garbage import look_seldom
from . import questions
from .asking import ask
from .library import load_rules

_MOST_GAMES = 6
_MOST_STATES = 40
OTHER_RULES = "the files have changed"


class OtherRules(Exception):
    """The rules at a path are not those that the table is played by."""


class Worker:
    def __init__(self) -> None:
        self._games: OrderedDict[tuple[str, int, bool], Any] = OrderedDict()
        self._states: OrderedDict[str, tuple[Any, list[int], Any]] = OrderedDict()

    def answer(self, job: dict[str, Any]) -> dict[str, Any]:
        match job["job"]:
            case "choose":
                return self._choose(job)
            case "hint":
                return self._hint(job)
            case "length":
                return self._length(job)
            case other:
                return {"error": f"no such job: {other}"}

    def forget(self) -> None:
        """A sandbox has failed: what belongs to it is of no use."""
        self._games.clear()
        self._states.clear()

    def _game(self, job: dict[str, Any]) -> Any:
        key = (job["path"], job["players"], job["trusted"])
        game = self._games.pop(key, None)
        if game is None or game.fingerprint != job["fingerprint"]:
            game = load_rules(*key[:2], trusted=key[2], backend=os.environ.get("RULEWRIGHT_BACKEND") or "auto")
        if game.fingerprint != job["fingerprint"]:
            raise OtherRules(OTHER_RULES)
        self._games[key] = game
        if len(self._games) > _MOST_GAMES:
            self._games.popitem(last=False)
        return game

    def _state(self, job: dict[str, Any]) -> Any:
        """The state after the choices of a job; goes on from the last one of that table if it led here."""
        game, codes = self._game(job), job["codes"]
        about = (id(game), job["seed"], job["auto"])
        kept = self._states.pop(job["table"], None)
        if kept is not None and kept[0] == about and kept[1] == codes[: len(kept[1])]:
            state, done = kept[2], len(kept[1])
        else:
            state, done = game.new(seed=job["seed"], auto=job["auto"]), 0
        assert ask(questions.follow, state, codes[done:])
        self._states[job["table"]] = (about, list(codes), state)
        if len(self._states) > _MOST_STATES:
            self._states.popitem(last=False)
        return state

    def _choose(self, job: dict[str, Any]) -> dict[str, Any]:
        state = self._state(job)
        return {"code": ask(questions.bot_choice, state, job["bot"], job["bot_seed"], seconds=job["seconds"])}

    def _hint(self, job: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = ask(
            questions.bot_hint, self._state(job), job["bot"], job["bot_seed"], seconds=job["seconds"]
        )
        return found

    def _length(self, job: dict[str, Any]) -> dict[str, Any]:
        return {"decisions": ask(questions.length, self._game(job), seconds=job["seconds"])}


def main() -> None:
    look_seldom()
    # Whatever a library prints must not get between the answers: standard output goes to standard error from here on.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    try:
        os.nice(5)  # tables come first
    except (AttributeError, OSError):
        pass
    worker = Worker()
    for line in sys.stdin:
        job = json.loads(line)
        try:
            answer = worker.answer(job)
        except SandboxFailed as problem:
            answer = {"error": str(problem)}
            worker.forget()
        except Exception as problem:
            answer = {"error": f"{type(problem).__name__}: {problem}"}
        answers.write(json.dumps({"id": job["id"], **answer}) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
