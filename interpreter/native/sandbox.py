"""Games of strangers in a process of their own: `rw.load(name, sandbox=True)`.

Bounds inside the interpreter (`compile/work.py`, `ruleset/ceilings.py`) stop what they know of, with the line of the
rules. This is the wall behind them: whatever a ruleset makes the interpreter do, on whatever backend, happens in a
child process (`sandbox_child`). This side waits so many seconds, reads so many bytes, and then kills it. The system
limits the child's memory, CPU time and files. What comes back is plain data that is built anew here (`plain_data`);
nothing is unpickled.

`SandboxedGame` and `SandboxedState` have the public names of `Game` and `State`. Each use is a question to the child.
When a sandbox has failed, everything of it raises `SandboxFailed`; the program goes on.
"""

from __future__ import annotations

import json
import os
import selectors
import struct
import subprocess
import sys
import time
import weakref
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, NoReturn

from ..diagnostics.diagnostic import RulesetError
from ..ruleset.ceilings import WrongLimits, ceilings, written
from ..ruleset.gathered import Limits
from ..runtime.faults import AmbiguousChoice, Fault, IllegalChoice, RefusedChoice, UnknownChoice, WrongSave, WrongUse
from ..runtime.game import Game
from ..runtime.reasons import Refusal
from ..runtime.state import State
from .plain_data import NotPlain, unpacked
from .process import end_group
from .sandbox_child import GAME, OF_STATE

_ROOT = Path(__file__).resolve().parent.parent.parent
_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); from interpreter.native.sandbox_child import main; main(sys.argv[2:])"
)
_ERRORS = {
    kind.__name__: kind for kind in (WrongSave, WrongUse, WrongLimits, IllegalChoice, UnknownChoice, AmbiguousChoice)
}  # those that are their words


class SandboxFailed(Exception):
    """A sandbox went beyond a limit, or ended. Nothing of it can be used any more."""


@dataclass(frozen=True)
class Walls:
    """What a sandbox may take: seconds for loading and for each question, bytes of memory, bytes of one answer.

    `questions` is a module of this program whose `QUESTIONS` may be asked besides, about the game or a state: functions
    of plain arguments that give plain data (`SandboxedGame.question`)."""

    loading: float = 60.0
    seconds: float = 20.0
    memory: int = 1 << 30
    answer: int = 64 << 20
    questions: str = ""


class Sandbox:
    """The child process, and one question at a time to it."""

    def __init__(self, walls: Walls, processes: bool, limits: Limits | None) -> None:
        self.walls, self.failed = walls, ""
        self._lock = Lock()
        self._dropped: list[int] = []
        cpu = max(1, int(20 * walls.seconds + walls.loading))
        command = [sys.executable, "-c", _START, str(_ROOT), str(walls.memory), str(cpu), str(int(processes))]
        environment = {**os.environ, "RULEWRIGHT_LIMITS": written(limits or ceilings())}
        self._child = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            env=environment, start_new_session=True,
        )  # fmt: skip
        self.close = weakref.finalize(self, _end, self._child)

    def drop(self, number: int) -> None:
        """A state is not wanted any more; the child is told with the next question."""
        self._dropped.append(number)

    def ask(self, do: str, *args: Any, seconds: float | None = None) -> Any:
        with self._lock:
            if self.failed:
                raise SandboxFailed(self.failed)
            dropped, self._dropped = self._dropped, []
            request = json.dumps({"do": do, "with": args, "drop": dropped}).encode()
            deadline = time.monotonic() + (self.walls.seconds if seconds is None else seconds)
            answer = self._exchange(request, deadline)
        if "answer" in answer:
            return answer["answer"]
        self._raise(answer)

    # ------------------------------------------------------------------ the pipe

    def _exchange(self, request: bytes, deadline: float) -> dict[str, Any]:
        try:
            assert self._child.stdin is not None
            self._child.stdin.write(struct.pack("<I", len(request)) + request)
            self._child.stdin.flush()
            size = struct.unpack("<I", self._read(4, deadline))[0]
            if size > self.walls.answer:
                self._fail(f"an answer of {size:,} bytes is more than a sandbox may give")
            found = json.loads(self._read(size, deadline))
        except (OSError, ValueError, RecursionError) as problem:
            self._fail(f"what it sent cannot be read: {problem}" if isinstance(problem, ValueError) else _how(self))
        if not isinstance(found, dict):
            self._fail("what it sent is no answer")
        return found

    def _read(self, size: int, deadline: float) -> bytes:
        assert self._child.stdout is not None
        parts, missing = [], size
        with selectors.DefaultSelector() as selector:
            selector.register(self._child.stdout, selectors.EVENT_READ)
            while missing:
                if not selector.select(max(0.0, deadline - time.monotonic())):
                    self._fail("it did not answer in time")
                part = os.read(self._child.stdout.fileno(), min(missing, 1 << 20))
                if not part:
                    self._fail(_how(self))
                parts.append(part)
                missing -= len(part)
        return b"".join(parts)

    def _fail(self, why: str) -> NoReturn:
        self.failed = f"the sandbox of a ruleset was stopped: {why}"
        self.close()
        raise SandboxFailed(self.failed)

    @property
    def child(self) -> subprocess.Popen[bytes]:
        return self._child

    def _raise(self, told: dict[str, Any]) -> NoReturn:
        """Raises here what was raised there, of the kinds that callers know."""
        name, words = str(told.get("error")), str(told.get("words"))
        try:
            findings = [unpacked(finding) for finding in told.get("findings", ())]
            if name == "RulesetError":
                raise RulesetError(findings)
            if name == "Fault":
                rule, place, cites, stack, seed, step, history = unpacked(told["fault"])
                raise Fault(
                    findings[0], rule=rule, place=place, cites=cites, stack=stack, seed=seed, step=step,
                    history=history,
                )  # fmt: skip
            if name == "RefusedChoice":
                raise RefusedChoice(words, *unpacked(told["reason"]))
        except (NotPlain, KeyError, IndexError, TypeError, ValueError) as problem:
            self._fail(f"what it sent cannot be read: {problem}")
        if name in _ERRORS:
            raise _ERRORS[name](words)
        if name == "MemoryError":
            self._fail(f"it wanted more than {self.walls.memory:,} bytes of memory")
        raise SandboxFailed(f"the sandbox could not answer: {words}")


def _how(box: Sandbox) -> str:
    """How the child ended."""
    try:
        code = box.child.wait(2.0)
    except subprocess.TimeoutExpired:
        return "it closed its pipe"
    return f"it was ended by signal {-code}" if code < 0 else f"it ended with exit code {code}"


def _end(child: subprocess.Popen[bytes]) -> None:
    for pipe in (child.stdin, child.stdout):
        if pipe is not None:
            try:
                pipe.close()
            except OSError:
                pass
    if child.poll() is None:
        end_group(child)


def ask_apart(walls: Walls, name: str, *args: Any) -> Any:
    """The answer to a question of `Walls.questions` that is about no loaded game, from a process that ends with it. It
    is whatever JSON holds. The time for loading is the time that it has."""
    box = Sandbox(walls, processes=False, limits=Limits())
    try:
        return box.ask("apart", walls.questions, name, *args, seconds=walls.loading)
    finally:
        box.close()


# ---------------------------------------------------------------------------- games


def load_in_sandbox(
    name: str, players: int | None, backend: str | None, limits: Limits | None, walls: Walls | bool
) -> SandboxedGame:
    return SandboxedGame(name, players, backend, limits, Walls() if isinstance(walls, bool) else walls)


class SandboxedGame(Game):
    """A game whose ruleset is in a sandbox. It has the public names of `Game` and nothing else of it."""

    def __init__(
        self, name: str, players: int | None, backend: str | None, limits: Limits | None, walls: Walls
    ) -> None:
        self._again = (name, players, backend, limits, walls)
        asked = backend or os.environ.get("RULEWRIGHT_BACKEND", "auto")
        self.box = Sandbox(walls, asked != "python", limits)
        self._asked = name
        told = self.box.ask(
            "load", name, players, backend, None if limits is None else vars(limits), walls.questions,
            seconds=walls.loading,
        )  # fmt: skip
        self._facts = {key: unpacked(value) for key, value in told.items()}

    name = property(lambda self: self._facts["name"])
    title = property(lambda self: self._facts["title"])
    players = property(lambda self: self._facts["players"])
    seat_names = property(lambda self: self._facts["seat_names"])
    fingerprint = property(lambda self: self._facts["fingerprint"])

    def __repr__(self) -> str:
        return f"<game {self.name} for {self.players}, in a sandbox>"

    def __reduce__(self) -> tuple[Any, ...]:
        return SandboxedGame, self._again

    def new(self, seed: int = 0, auto: bool = True, script: Any = ()) -> Any:
        return self._state(self.box.ask("game", "new", seed, auto, [list(line) for line in script]))

    def playout(self, seed: int) -> Any:
        return self._state(self.box.ask("game", "playout", seed))

    def playouts(self, seed: int, count: int) -> Any:
        return unpacked(self.box.ask("playouts", seed, count))

    def from_json(self, text: str) -> Any:
        return self._state(self.box.ask("game", "from_json", text))

    def question(self, name: str, about: Any, *args: Any, seconds: float | None = None) -> Any:
        """The answer to a question of `Walls.questions`, about this game or one of its states. It is whatever JSON
        holds, and who asks checks that it is what was asked for."""
        number = about._number if isinstance(about, SandboxedState) else GAME
        plain = [{"state": arg._number} if isinstance(arg, SandboxedState) else arg for arg in args]
        return self.box.ask("question", name, number, *plain, seconds=seconds)

    def close(self) -> None:
        """Ends the sandbox now."""
        self.box.failed = self.box.failed or "the sandbox was closed"
        self.box.close()

    def _state(self, answer: Any) -> SandboxedState:
        number, told = answer
        return SandboxedState(self, number, told)


class SandboxedState(State):
    """A state in a sandbox, known here by its number. It has the public names of `State` and nothing else of it."""

    __slots__ = ("__weakref__", "_deciding", "_ended", "_number", "_offered", "_turn", "home")

    def __init__(self, game: SandboxedGame, number: int, told: Any) -> None:
        self.game, self.home = game, game
        self._number = number
        self._turn = 0  # choices made here
        self._note(told)
        weakref.finalize(self, game.box.drop, number).atexit = False

    def _note(self, told: Any) -> None:
        self._ended, self._deciding, self._offered = bool(told[0]), told[1], int(told[2])

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a state in a sandbox has no `{name}`")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SandboxedState) and self.to_json() == other.to_json()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (self.game, self.to_json())

    @property
    def decision(self) -> Any:
        return None if self._ended else SandboxedDecision(self)

    def apply(self, option: Any) -> SandboxedState:
        if isinstance(option, SandboxedOption):
            if option.state is not self or option.turn != self._turn:
                raise RefusedChoice(f"`{option}` is not offered here")
            option = option.index
        if not isinstance(option, int):
            raise UnknownChoice(f"there is no option {option}: {self._offered} are offered, numbered from 0")
        self._note(self.home.box.ask("apply", self._number, option))
        self._turn += 1
        return self

    def clone(self) -> Any:
        return self.home._state(self.home.box.ask("make", self._number, "clone"))

    def playout(self, seed: int) -> Any:
        return self.home._state(self.home.box.ask("make", self._number, "playout", seed))

    def determinize(self, player: int, seed: int) -> Any:
        return self.home._state(self.home.box.ask("make", self._number, "determinize", player, seed))

    def worlds(self, player: int) -> Any:
        return _Worlds(self, player)

    def view(self, player: int | None) -> Any:
        return self._call("view", player)

    def observation(self, player: int) -> Any:
        return self._call("observation", player)

    def information(self, player: int) -> Any:
        return self._call("information", player)

    def to_json(self) -> Any:
        return self._call("to_json")

    def log(self, player: int | None = None) -> Any:
        return self._call("log", player)

    def same_as(self, other: State) -> bool:
        return bool(self.to_json() == other.to_json())

    def _call(self, name: str, *args: Any) -> Any:
        return unpacked(self.home.box.ask("call", self._number, name, *args))


def _from_json(game: SandboxedGame, text: str) -> Any:
    return game.from_json(text)


def _asked(name: str) -> property:
    return property(lambda self: unpacked(self.home.box.ask("of_state", self._number, name)))


for _name in OF_STATE:
    setattr(SandboxedState, _name, _asked(_name))
SandboxedState.over = property(lambda self: self._ended)  # type: ignore[assignment, misc]


class _Worlds:
    def __init__(self, state: SandboxedState, player: int) -> None:
        self._state, self._player = state, player

    def draw(self, seed: int) -> Any:
        return self._state.determinize(self._player, seed)


class SandboxedOption:
    """One thing that may be chosen, as `Option` tells it."""

    def __init__(self, state: SandboxedState, turn: Any, index: int, told: tuple[Any, ...]) -> None:
        self.state, self.turn, self.index = state, turn, index
        self._text, self._code, self.values, self.kind = told

    def __int__(self) -> int:
        return int(self._code)

    __index__ = None

    def __str__(self) -> str:
        return str(self._text)

    def __repr__(self) -> str:
        return f"<option {self.index}: {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SandboxedOption) and int(self) == int(other)

    def __hash__(self) -> int:
        return hash(int(self))


class SandboxedOptions(Sequence[SandboxedOption]):
    def __init__(self, items: list[SandboxedOption]) -> None:
        self._items = items

    def __len__(self) -> int:
        return len(self._items)

    def __getitem__(self, index: Any) -> Any:
        return self._items[index]

    def __iter__(self) -> Iterator[SandboxedOption]:
        return iter(self._items)

    def __contains__(self, item: object) -> bool:
        return any(item in (option, str(option)) for option in self._items)

    def __repr__(self) -> str:
        return "[" + ", ".join(map(str, self._items)) + "]"


class SandboxedDecision:
    """One player picks one option of one list, as `Decision` tells it."""

    def __init__(self, state: SandboxedState) -> None:
        self._state = state
        self._turn = state._turn
        self.player: int = state._deciding
        told = unpacked(state.home.box.ask("decision", state._number))
        self.prompt, self.picked, self.path, self.cites = told
        self._options: SandboxedOptions | None = None

    @property
    def options(self) -> SandboxedOptions:
        if self._options is None:
            if self._state._ended or self._state._turn != self._turn:
                raise IllegalChoice("this decision has been made")
            told = unpacked(self._state.home.box.ask("options", self._state._number))
            items = [SandboxedOption(self._state, self._turn, index, one) for index, one in enumerate(told)]
            self._options = SandboxedOptions(items)
        return self._options

    def find(self, text: str) -> SandboxedOption:
        return self.options[self._state.home.box.ask("find", self._state._number, text)]  # type: ignore[no-any-return]

    def why_not(self, text: str) -> Refusal | None:
        told = unpacked(self._state.home.box.ask("why_not", self._state._number, text))
        return None if told is None else Refusal(*told)
