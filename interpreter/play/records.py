"""Records and saves: games as files.

A record is a whole game, stored as its seed and the codes of its choices; replaying them must give the same scores and
ranks. A save is a state in the middle of a game, with the seats. Both identify the rules by their fingerprint. A save
made with other rules is refused, since its numbers would mean different things; a record made with other rules is
replayed anyway, and the replay says where it first differs.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ..files.reading import MOST_BYTES_OF_A_GAME, read_text
from ..files.writing import json_of, write_whole
from ..runtime.faults import Fault, WrongSave
from ..runtime.saved import CLIENT_FORMAT, OLD_FORMAT, SAVE_FORMAT
from .contract import Game, PlayError, State, option_with_code

RECORD_FORMAT = "rulewright-record/1"
MOST_PLAYERS = 10_000  # what a file may say; each gets a seat


@dataclass(frozen=True)
class Record:
    game: str
    players: int
    fingerprint: str
    seed: int
    choices: tuple[int, ...]
    auto: bool = True  # decisions with a single option were taken automatically and are not among the choices
    scores: tuple[int, ...] | None = None  # None: the game was not finished
    ranking: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Save:
    """`content` is the content of the file: the state as JSON data, plus `seats`."""

    game: str
    players: int
    fingerprint: str
    seed: int
    seats: tuple[str, ...]
    content: dict[str, Any] = field(repr=False)


@dataclass(frozen=True)
class Difference:
    """Where a replay first differs from its record. `step` counts choices from 1; 0 stands for the end."""

    step: int
    expected: str
    found: str


@dataclass(frozen=True)
class Replay:
    """The state that the replay reached, and the first difference if there is one."""

    state: Any
    steps: int
    difference: Difference | None

    def is_verified(self, record: Record, game: Game) -> bool:
        """Same rules, every choice offered, same end. A record in one word tells neither its rules nor its end."""
        return self.difference is None and record.fingerprint == game.fingerprint


# ---------------------------------------------------------------------------- files


def record_of(game: Game, state: State) -> Record:
    finished = bool(state.over)
    return Record(
        game=game.name,
        players=game.players,
        fingerprint=game.fingerprint,
        seed=state.seed,
        choices=tuple(state.history),
        auto=state.auto,
        scores=tuple(state.scores) if finished else None,
        ranking=tuple(state.ranking) if finished else None,
    )


def save_of(game: Game, state: State, seats: Sequence[str]) -> Save:
    content = {**json.loads(state.to_json()), "seats": list(seats)}
    return Save(game.name, game.players, game.fingerprint, state.seed, tuple(seats), content)


def record_data(record: Record) -> dict[str, Any]:
    """A record as JSON data, as its file has it."""
    return {"format": RECORD_FORMAT, **{key: getattr(record, key) for key in record.__dataclass_fields__}}


def write_record(record: Record, path: Path) -> None:
    _write(path, record_data(record))


def write_save(save: Save, path: Path) -> None:
    _write(path, save.content)


def read_record(path: Path) -> Record:
    return _record(_read(path, RECORD_FORMAT, "record"))


def record_from(content: Any, where: str) -> Record:
    """What `record_data` gave; raises PlayError, naming the place, for anything else."""
    _require_shape(content, Path(where), RECORD_FORMAT, "record")
    return _record(content)


def _record(content: dict[str, Any]) -> Record:
    return Record(
        **_heads(content),
        choices=tuple(content["choices"]),
        auto=content.get("auto", True) is not False,
        scores=_numbers_or_none(content.get("scores")),
        ranking=_numbers_or_none(content.get("ranking")),
    )


_LINE = re.compile(r"(.+):([0-9]{1,18}):(-?[0-9]{1,4000}):((?:[0-9]{1,18},)*[0-9]{1,18})?", re.DOTALL)


def record_line(game: str, players: int, seed: int, choices: Sequence[int]) -> str:
    """A game in progress as one word, `harbour:3:7:12,4,40`: name, players, seed, codes of the choices."""
    return f"{game}:{players}:{seed}:{','.join(map(str, choices))}"


def read_record_line(text: str) -> Record | None:
    """What `record_line` wrote, or None for any other text."""
    found = _LINE.fullmatch(text)
    if found is None:
        return None
    name, players, seed, codes = found.groups()
    return Record(name, int(players), "", int(seed), tuple(map(int, codes.split(","))) if codes else ())


def read_save(path: Path) -> Save:
    content = _read(path, SAVE_FORMAT, "save")
    seats = content.get("seats", ["person"] * content["players"])  # `state.to_json()` knows nothing of seats
    return Save(**_heads(content), seats=tuple(seats), content=content)


def resumed(save: Save, game: Game, where: str) -> Any:
    """The saved state in this game, which must have exactly the same rules."""
    if save.players != game.players:
        raise PlayError(f"`{where}` is a game of {save.players} players, not {game.players}", "leave --players out")
    if save.fingerprint != game.fingerprint:
        raise PlayError(
            f"`{where}` was saved with other rules of `{save.game}`",
            "the rules or tables have changed since; play it with those it was saved with, or begin anew",
        )
    try:
        return game.from_json(json.dumps(save.content))
    except (WrongSave, Fault) as problem:
        raise PlayError(f"`{where}` cannot be resumed: {problem}") from None


def _heads(content: dict[str, Any]) -> dict[str, Any]:
    return {key: content[key] for key in ("game", "players", "fingerprint", "seed")}


def _numbers_or_none(entry: list[int] | None) -> tuple[int, ...] | None:
    return None if entry is None else tuple(entry)


def _write(path: Path, content: dict[str, Any]) -> None:
    """Replaces a file of the same kind as a whole, and nothing else."""
    try:
        write_whole(path, _as_text(content), json_of(content["format"].split("/")[0]))
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise PlayError(f"`{path}` cannot be written: {reason}") from problem


def _as_text(content: dict[str, Any]) -> str:
    """One line per entry, so that people can read and compare the files."""
    lines = [f"  {json.dumps(key)}: {json.dumps(entry, separators=(',', ':'))}" for key, entry in content.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _read(path: Path, wanted: str, what: str) -> dict[str, Any]:
    try:
        text = read_text(path, MOST_BYTES_OF_A_GAME)
    except FileNotFoundError:
        raise PlayError(f"there is no file `{path}`") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or (problem if isinstance(problem, OSError) else "it is not text")
        raise PlayError(f"`{path}` cannot be read: {reason}") from problem
    try:
        content = json.loads(text)
    except RecursionError:
        raise PlayError(f"`{path}` is no {what}: it is nested too deep") from None
    except ValueError as problem:
        raise PlayError(f"`{path}` is no {what}: it is not JSON ({problem})") from problem
    _require_shape(content, path, wanted, what)
    return dict(content)


_SHAPES: dict[str, dict[str, Callable[[Any], bool]]] = {
    RECORD_FORMAT: {"choices": lambda entry: _are_numbers(entry)},
    SAVE_FORMAT: {
        "state": lambda entry: isinstance(entry, dict | list),
    },
}
_HEADS: dict[str, Callable[[Any], bool]] = {
    "game": lambda entry: isinstance(entry, str),
    "players": lambda entry: isinstance(entry, int) and not isinstance(entry, bool) and 0 < entry <= MOST_PLAYERS,
    "fingerprint": lambda entry: isinstance(entry, str) and bool(entry),
    "seed": lambda entry: isinstance(entry, int) and not isinstance(entry, bool),
}


def _are_numbers(entry: Any) -> bool:
    return isinstance(entry, list) and all(isinstance(item, int) and not isinstance(item, bool) for item in entry)


def _are_names(entry: Any) -> bool:
    return isinstance(entry, list) and all(isinstance(item, str) for item in entry)


_OPTIONAL: dict[str, Callable[[Any], bool]] = {"seats": _are_names, "scores": _are_numbers, "ranking": _are_numbers}


def _require_shape(content: Any, path: Path, wanted: str, what: str) -> None:
    stated = content.get("format") if isinstance(content, dict) else None
    if stated != wanted and (wanted, stated) != (SAVE_FORMAT, OLD_FORMAT):
        other = {
            RECORD_FORMAT: "it is a record (see `rulewright replay`)",
            SAVE_FORMAT: "it is a save (see `rulewright play --resume`)",
            OLD_FORMAT: "it is a save (see `rulewright play --resume`)",
            CLIENT_FORMAT: "it is what a player may know of a game",
        }
        raise PlayError(f"`{path}` is no {what}: " + other.get(str(stated), f"its format is not {wanted}"))
    for key, is_right in {**_HEADS, **_SHAPES[wanted]}.items():
        if key not in content:
            raise PlayError(f"`{path}` is no complete {what}: `{key}` is missing")
        if not is_right(content[key]):
            raise PlayError(f"`{path}` is no usable {what}: `{key}` has the wrong type")
    for key, is_right in _OPTIONAL.items():
        if content.get(key) is not None and not is_right(content[key]):
            raise PlayError(f"`{path}` is no usable {what}: `{key}` has the wrong type")


# ---------------------------------------------------------------------------- replaying


def replay(
    record: Record, game: Game, to: int | None = None, watch: Callable[[State, int], None] | None = None
) -> Replay:
    """Replay the choices of a record, all of them or the first `to`, and verify each choice and the result.

    `watch` is called before each choice with the state and the number of choices made so far.
    """
    state = game.new(seed=record.seed, auto=record.auto)
    wanted = record.choices if to is None else record.choices[:to]
    for step, code in enumerate(wanted, 1):
        if state.over:
            found = f"the game is over after {step - 1} choices"
            return Replay(state, step - 1, Difference(step, f"choice {code}", found))
        option = option_with_code(state.decision, code)
        if option is None:
            return Replay(state, step - 1, Difference(step, f"choice {code}", _offered(state)))
        if watch is not None:
            watch(state, step - 1)
        state.apply(option)
    return Replay(state, len(wanted), _difference_at_end(record, state, len(wanted)))


def _offered(state: State) -> str:
    options = ", ".join(f"{int(option)} {option}" for option in list(state.decision.options)[:12])
    more = len(state.decision.options) - 12
    return f"not offered; there are {options}" + (f" and {more} more" if more > 0 else "")


def _difference_at_end(record: Record, state: State, steps: int) -> Difference | None:
    if steps < len(record.choices) or not record.fingerprint:  # a record in one word does not contain the result
        return None
    finished = record.scores is not None
    if finished != bool(state.over):
        words = {True: "the game is over", False: "the game goes on"}
        return Difference(0, words[finished], words[bool(state.over)])
    for key, found in (("scores", state.scores), ("ranking", state.ranking)) if finished else ():
        expected = getattr(record, key)
        if expected is None or list(expected) != list(found):
            said = "nothing" if expected is None else list(expected)
            return Difference(0, f"{key} {said}", f"{key} {list(found)}")
    return None
