"""Saves: what is written, and how one that anybody may have edited becomes a game again.

A save holds the seed, the choices, and the position they led to. The proof that it is whole is the game itself: played
again from its seed with these choices it must come out at that position. Then the game that was played again goes on,
and nothing of the file is used any more. That takes some tens of microseconds per choice in Python, less in C.

The same way carries a save over to another version of the compiler. `code` identifies the compiled rules: where it
differs the numbers of segments and options may mean something else, so the choices are made by their codes, which mean
the same for ever, and only fields, places and the generator are compared.

Not every game comes from its seed: a world was drawn, a scenario was set up by hand. Such a position is checked against
the layout: every number in its range, every piece in one place that may hold it, every frame of its rule's size with
values of their kinds, what players know, the log, the decision. Then the decision is asked and everything that anybody
could read is read once. What goes wrong up to there is a `WrongSave` that says what was met first. Rules cannot prove
that such a position can be reached, so a game from it is watched: if compiled code should still run into something that
cannot be, `apply` says so in a `WrongSave` too, and the state stands where it stood.
"""

from __future__ import annotations

import json
from collections.abc import Container, Iterator
from typing import Any

from ..compile.meta import FieldMeta, Meta, PlaceMeta
from .faults import WrongSave
from .told_chance import KINDS as OF_CHANCE
from .told_chance import is_chance_entry
from .trials import is_supplied

SAVE_FORMAT = "rulewright-save/2"
OLD_FORMAT = "rulewright-save/1"
CLIENT_FORMAT = "rulewright-client/1"

_MOST_NUMBER = 1 << 63
_EVENTS = ("shuffle", "roll", "draw", "pick")
_PARTS = ("f", "p", "k", "g", "fd", "over", "won", "gone", "together")  # of a position, as far as rules read it
_THINGS = {"piece": "pieces", "player": "players", "node": "nodes", "edge": "edges"}


# ---------------------------------------------------------------------------- the file


def read_save(text: Any) -> dict[str, Any]:
    """The content of a save, its frame checked: format, heads, history. The position is not looked at yet."""
    try:
        saved = json.loads(text)
    except RecursionError:
        raise WrongSave("this is no saved game: it is nested too deep") from None
    except (ValueError, TypeError):
        raise WrongSave("this is no saved game") from None
    if not isinstance(saved, dict) or "state" not in saved:
        said = "a player's view of a game is no saved game: it lacks what that player may not know"
        is_client = isinstance(saved, dict) and saved.get("format") == CLIENT_FORMAT
        raise WrongSave(said if is_client else "this is no saved game")
    if saved.get("format", OLD_FORMAT) not in (SAVE_FORMAT, OLD_FORMAT):
        raise WrongSave(f"this save has a format that is not known here: {_short(saved['format'])}")
    return saved


def check_heads(saved: dict[str, Any], meta: Meta) -> None:
    """Raises WrongSave if the save belongs to another game, or lacks what every save has."""
    if saved.get("fingerprint") != meta.fingerprint:
        whose = f"{_short(saved.get('game'))} for {_short(saved.get('players'))} players"
        raise WrongSave(f"this save belongs to other rules: {whose}")
    if not is_whole(saved.get("seed"), any_size=True) or not isinstance(saved.get("auto"), bool):
        raise WrongSave("this save is damaged: `seed` or `auto` is wrong")
    data = saved["state"]
    if not isinstance(data, dict):
        raise WrongSave("this save is damaged: `state` is wrong")
    history = data.get("h")
    if not isinstance(history, list) or len(history) % 2 or len(history) // 2 > meta.limits["decisions"]:
        raise WrongSave("this save is damaged: `h` is no history")
    if not all(is_whole(site) and 0 <= site < len(meta.sites) for site in history[::2]):
        raise WrongSave("this save is damaged: `h` names a decision that the rules do not have")
    if "options" in data and not all(map(is_whole, history)):
        raise WrongSave("this save is damaged: `h` is no history")
    choices = saved.get("choices")
    if choices is not None and not (isinstance(choices, list) and all(map(is_whole, choices))):
        raise WrongSave("this save is damaged: `choices` is wrong")


def script_in(saved: dict[str, Any]) -> list[Any]:
    """The scripted chance of a save, as `State.script` has it."""
    script = saved.get("script", [])
    if not isinstance(script, list) or len(script) > 10_000:
        raise WrongSave("this save is damaged: `script` is wrong")
    found = []
    for event in script:
        if not isinstance(event, list) or len(event) != 3 or event[0] not in _EVENTS:
            raise WrongSave("this save is damaged: `script` is wrong")
        _, where, values = event
        if not (where is None or is_whole(where)) or not isinstance(values, list):
            raise WrongSave("this save is damaged: `script` is wrong")
        numbers = [frozenset(value) if _are_whole(value) else value for value in values]
        if not all(is_whole(value) or isinstance(value, frozenset) for value in numbers):
            raise WrongSave("this save is damaged: `script` is wrong")
        found.append((event[0], where, numbers))
    return found


def script_data(script: tuple[Any, ...]) -> list[Any]:
    return [
        [event, where, [sorted(one) if isinstance(one, frozenset) else one for one in values]]
        for event, where, values in script
    ]


def same_position(data: dict[str, Any], again: dict[str, Any]) -> bool:
    """Whether a save has the position that its choices lead to. Both are as JSON has them."""
    return all(data.get(name) == again[name] for name in _PARTS)


# ---------------------------------------------------------------------------- positions that no seed leads to


def check_position(meta: Meta, machine: Any, data: dict[str, Any], depth: int = 0) -> None:
    """Raises WrongSave with the first thing that cannot be."""
    for problem in _problems(meta, machine, data, depth):
        raise WrongSave(f"this save is damaged: {problem}")


def _problems(meta: Meta, machine: Any, data: Any, depth: int) -> Iterator[str]:
    if not isinstance(data, dict):
        yield "a position is missing"
        return
    needed = ("g", "kn", "fd", "lg", "over", "won", "why", "gone", "horizon", "f", "k", "p", "h", "shown", "together")
    missing = next((name for name in needed if name not in data), None)
    if missing is not None:
        yield f"`{missing}` is missing"
        return
    yield from _number_problems(meta, data["f"])
    yield from _piece_problems(meta, data["f"], data["p"])
    # What `together` keeps apart is the position before it: nobody need decide in that.
    yield from _frame_problems(meta, machine, data["k"], bool(data["over"]) or depth > 0)
    yield from _small_problems(meta, data)
    yield from _knowledge_problems(meta, data["kn"])
    if not isinstance(data["lg"], list) or not all(_is_log_line(meta, line) for line in data["lg"]):
        yield "`lg` is no log"
    if data.get("apart") is not None:
        if depth:
            yield "`apart` stands inside itself"
        yield from _problems(meta, machine, data["apart"], depth + 1)


def _number_problems(meta: Meta, numbers: Any) -> Iterator[str]:
    if not _are_whole(numbers) or len(numbers) != len(meta.start):
        yield "`f` has not the numbers of this game"
        return
    for field in meta.fields:
        size = 1
        for _, _, count in field.dimensions:
            size *= count
        allowed = _allowed(meta, field)
        for offset in range(field.base, field.base + size):
            value = numbers[offset]
            if value not in allowed and value not in (field.none, field.start):
                yield f"`{field.name}` is {value}, outside {_range_text(allowed)}"


def _allowed(meta: Meta, field: FieldMeta) -> Container[int]:
    """The numbers that a field can hold, none and its start aside."""
    if field.is_dice or field.thing in ("number", "die"):
        return range(field.low, field.high + 1)
    if field.thing.startswith("enum:") and field.thing[5:] in meta.enums:
        return frozenset(number for number, _, _ in meta.enums[field.thing[5:]])
    if field.thing in _THINGS:
        return range(_count(meta, field.thing))
    if field.thing == "flag":
        return range(2)
    if field.thing.startswith("direction:"):
        return range(len(meta.directions[field.thing.partition(":")[2]]))
    half = 1 << field.bits - 1
    return range(-half, half) if field.signed else range(2 * half)


def _range_text(allowed: Container[int]) -> str:
    return f"{allowed.start}..{allowed.stop - 1}" if isinstance(allowed, range) else "its values"


def _count(meta: Meta, thing: str) -> int:
    count = getattr(meta, _THINGS[thing])
    return count if isinstance(count, int) else len(count)


def _piece_problems(meta: Meta, numbers: Any, lists: Any) -> Iterator[str]:
    if not isinstance(lists, list) or len(lists) != meta.lists or not all(map(_are_whole, lists)):
        yield "`p` has not the places of this game"
        return
    there: list[tuple[int, int]] = [(number, piece) for number, held in enumerate(lists) for piece in held]
    there += [(meta.lists + slot, piece) for slot, piece in enumerate(numbers[: meta.slots]) if piece != -1]
    seen: set[int] = set()
    for number, piece in there:
        place: PlaceMeta = meta.places[meta.place_of[number]]
        if not 0 <= piece < meta.pieces:
            yield f"there is no piece {piece}"
            return
        if piece in seen:
            yield f"`{meta.piece_labels[piece]}` lies in two places"
        if meta.piece_kind[piece] not in place.kinds:
            yield f"`{meta.piece_labels[piece]}` lies in `{place.name}`, which holds no {meta.piece_kind[piece]}"
        seen.add(piece)
    for number, held in enumerate(lists):
        place = meta.places[meta.place_of[number]]
        if len(held) > place.holds:
            yield f"`{place.name}` holds {len(held)} pieces, more than {place.holds}"


def _frame_problems(meta: Meta, machine: Any, frames: Any, is_still: bool) -> Iterator[str]:
    if not isinstance(frames, list) or not frames or len(frames) > meta.limits["frames"] + 1:
        yield "`k` is no stack of rules"
        return
    for frame in frames:
        if not isinstance(frame, list) or not frame or not is_whole(frame[0]) or not 0 <= frame[0] <= machine.end:
            yield "`k` names a rule that is not there"
            return
        if frame[0] == 0:
            if not _is_cell_frame(meta, frame):
                yield "`k` performs a cell that is not there"
            continue
        routine = meta.segment_routine[frame[0]] if frame[0] < len(meta.segment_routine) else ""
        if routine in machine.entries and len(frame) != machine.entries[routine][1]:
            yield f"a frame of `{routine}` has {len(frame)} numbers, not {machine.entries[routine][1]}"
        things = meta.slot_things.get(routine, ())
        for position, value in enumerate(frame[1:]):
            thing = things[position] if position < len(things) else ""
            if not _is_slot(meta, thing, value, 0):
                yield f"a frame of `{routine}` has {_short(value)} for {thing or 'a number'}"
    if not is_still and frames[-1][0] not in meta.ask_segments:
        yield "nobody decides in it"


def _is_cell_frame(meta: Meta, frame: list[Any]) -> bool:
    """Whether this performs a cell of a table: which, who, how many of its calls have begun, and what it was given by
    name (`effect given (x: T)`)."""
    if len(frame) != 5 or not all(map(is_whole, frame[:4])) or not isinstance(frame[4], list):
        return False
    _, cell, who, done, given = frame
    if not 0 <= cell < len(meta.cells) or not 0 <= who < meta.players or not 0 < done <= len(meta.cells[cell]):
        return False
    pairs = [pair for pair in given if isinstance(pair, list) and len(pair) == 2 and isinstance(pair[0], str)]
    needed = {arg[0] for _, _, args in meta.cells[cell] for arg in args if is_supplied(arg)}
    return (
        len(pairs) == len(given)
        and needed <= {name for name, _ in pairs}
        and all(_is_slot(meta, "", value, 0) for _, value in pairs)
    )


def _is_slot(meta: Meta, thing: str, value: Any, depth: int) -> bool:
    """Whether a local of a rule can hold this. Locals that are not set yet hold 0 whatever they are."""
    if isinstance(value, list):
        return depth < 3 and len(value) <= 100_000 and all(_is_slot(meta, "", item, depth + 1) for item in value)
    if value is None:
        return True
    if not is_whole(value) and not isinstance(value, bool):
        return False
    return thing not in _THINGS or value == 0 or -1 <= int(value) < _count(meta, thing)


def _small_problems(meta: Meta, data: dict[str, Any]) -> Iterator[str]:
    everybody = (1 << meta.players) - 1
    if not is_whole(data["g"]) or not 0 <= data["g"] < 1 << 64:
        yield "`g` is no generator"
    if not is_whole(data["fd"], any_size=True) or not 0 <= data["fd"] < 1 << max(1, meta.pieces):
        yield "`fd` tells no faces"
    if not isinstance(data["over"], bool):
        yield "`over` is neither true nor false"
    if not is_whole(data["horizon"]) or not 0 <= data["horizon"] <= len(data["h"]) // 2:
        yield "`horizon` is no choice of this game"
    if not is_whole(data["together"]) or not 0 <= data["together"] <= everybody:
        yield "`together` is wrong"
    for name in ("won", "gone"):
        found = data[name] if data[name] is not None or name == "gone" else []
        if not _are_whole(found) or len(set(found)) < len(found) or not all(0 <= p < meta.players for p in found):
            yield f"`{name}` names no players"
    why = data["why"]
    if why is not None and not (
        isinstance(why, list) and len(why) == 2 and is_whole(why[0]) and 0 <= why[0] < len(meta.texts)
        and _is_slot(meta, "", why[1], 0) and isinstance(why[1], list) and len(why[1]) == len(meta.holes[why[0]])
    ):  # fmt: skip
        yield "`why` is no reason for the end"
    shown = data["shown"]
    if not isinstance(shown, list) or not all(
        _are_whole(pair)
        and len(pair) == 2
        and -len(meta.start) <= pair[0] < len(meta.start)
        and 0 <= pair[1] <= everybody | 1
        for pair in shown
    ):
        yield "`shown` is wrong"


def _knowledge_problems(meta: Meta, known: Any) -> Iterator[str]:
    if known is None:
        return
    if not isinstance(known, list) or len(known) != meta.players:
        yield "`kn` has not the players of this game"
        return
    for mixes in known:
        if not _are_whole(mixes) or len(mixes) != meta.pieces or not all(0 <= mix < meta.pieces for mix in mixes):
            yield "`kn` has not the pieces of this game"
            return


def _is_log_line(meta: Meta, line: Any) -> bool:
    if not isinstance(line, list) or len(line) != 2 or not isinstance(line[1], list):
        return False
    entry, masks = line
    if not all(_are_whole(pair) and len(pair) == 2 and 0 <= pair[0] < meta.pieces for pair in masks):
        return False
    if not isinstance(entry, list) or not entry:
        return False
    if entry[0] in OF_CHANCE:
        return is_chance_entry(meta, entry)
    if entry[0] != "say" and (len(entry) < 2 or not is_whole(entry[1]) or not 0 <= entry[1] < meta.players):
        return False
    lengths = {"say": 4, "chose": 5, "took": 5, "said": 5, "read": 3}
    return isinstance(entry[0], str) and len(entry) == lengths.get(entry[0])


# ---------------------------------------------------------------------------- kinds of values


def is_whole(value: Any, any_size: bool = False) -> bool:
    """True for a whole number that a game can hold; `True` and `False` do not count as one."""
    return type(value) is int and (any_size or -_MOST_NUMBER <= value < _MOST_NUMBER * 2)


def _are_whole(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and abs(value) < _MOST_NUMBER for value in values)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 60 else f"{text[:60]}…"
