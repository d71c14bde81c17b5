"""A state as plain data: what a save has, what a player's program is sent, and a state read back from it.

Everything that rules read is numbers and lists of numbers, so it is written down as it is. Sets in frames are tuples
and come back as lists from JSON, so they are frozen again; the pending decision is not written at all, but asked again.
What players know is written too, but not why they know it: seed and choices give that back (`trail.recalled`).
"""

from __future__ import annotations

import json
from itertools import zip_longest
from typing import Any

from . import log
from .decision import Decision
from .meta import FREE, PASS, Meta
from .mixes import Mixes
from .saved import CLIENT_FORMAT, SAVE_FORMAT, script_data
from .trail import NO_PAST, START

State = Any  # `state.State`, which stands above this module


def to_data(state: State) -> dict[str, Any]:
    """Everything that makes this position, as plain data."""
    data = {name: getattr(state, name) for name in ("g", "fd", "lg", "over", "won", "why", "gone", "horizon")}
    data["kn"] = None if state.kn is None else [mixes.numbers[:] for mixes in state.kn]
    data["f"] = [int(number) for number in state.f]  # yes and no are numbers too
    data["k"] = [frame_data(state.meta, frame) for frame in state.k]
    data["p"] = state.p[:-1]
    data["h"] = [int(number) for number in state.h]
    data["shown"] = list(state.shown.items())
    data["lg"] = [(entry, list(masks.items())) for entry, masks in state.lg]
    data["together"] = state.together
    data["options"] = "numbers"
    data["apart"] = to_data(state.apart) if state.apart is not None else None
    return data


def frame_data(meta: Meta, frame: list[Any]) -> list[Any]:
    """A frame as plain data. A set that was not worked out yet is empty: its slot holds 0 until then."""
    segment = frame[0]
    things = meta.slot_things.get(meta.segment_routine[segment], ()) if segment else ()
    slots = (
        [] if value == 0 and thing.startswith("set:") else _as_numbers(value)
        for thing, value in zip_longest(things, frame[1:], fillvalue="")
    )
    return [segment, *slots]


def to_json(state: State) -> str:
    """This game as text: what `Game.from_json` takes, and what `play` and `why` read and write."""
    saved = {
        "format": SAVE_FORMAT,
        "game": state.meta.name,
        "players": state.meta.players,
        "fingerprint": state.meta.fingerprint,
        "code": state.game.code,
        "seed": state.seed,
        "auto": state.auto,
        **({"script": script_data(state.asked_script)} if state.asked_script else {}),
        "choices": state.history,
        "state": to_data(state),
    }
    return json.dumps(saved, separators=(",", ":"))


def client_json(state: State, player: int) -> str:
    """What a player may know as text, for the program at which that player sits. It holds no seed, no generator, no
    history and nothing that the player may not see, so no game can be resumed from it."""
    told = {
        "format": CLIENT_FORMAT,
        "game": state.meta.name,
        "players": state.meta.players,
        "fingerprint": state.meta.fingerprint,
        "player": player,
        "over": state.over,
        "observation": state.observation(player),
    }
    return json.dumps(told, separators=(",", ":"))


def position_data(state: State) -> dict[str, Any]:
    """The part of `to_data` that rules read; what players know is left where it is."""
    data: dict[str, Any] = {name: getattr(state, name) for name in ("g", "fd", "over", "won", "gone", "together")}
    data["f"] = [int(number) for number in state.f]
    data["k"] = [frame_data(state.meta, frame) for frame in state.k]
    data["p"] = state.p[:-1]
    return data


def read_everything(state: State) -> None:
    """Everything that anybody could ask for here, asked once: a save that breaks on it is refused."""
    for player in (None, *range(state.meta.players)):
        state.log(player), state.view(player)
    if state.over:
        _ = state.ranking, state.score_lines, state.reason
        return
    decision = Decision(state)
    _ = decision.prompt, decision.picked, decision.path, [str(one) + str(one.values) for one in decision.options]


def restore(state: State, data: dict[str, Any]) -> None:
    """Takes over the numbers of a save; the pending decision is asked again."""
    state.f, state.p = list(data["f"]), [list(pieces) for pieces in data["p"]] + [[]]
    state.at = [-1] * state.meta.pieces + [-2]
    for number, pieces in enumerate(state.p[:-1]):
        for piece in pieces:
            state.at[piece] = number
    for number, piece in enumerate(state.f[: state.meta.slots]):
        if piece >= 0:
            state.at[piece] = state.meta.lists + number
    state.k = [[frozen(value) for value in frame] for frame in data["k"]]
    state.running = sum(frame[0] == 0 for frame in state.k)
    state.g, state.fd = data["g"], data["fd"]
    state.kn = None if data["kn"] is None else [Mixes.of(numbers) for numbers in data["kn"]]
    state.h = data["h"][:] if "options" in data else numbered(state.meta, data["h"])
    state.lg = [(frozen(entry), log.Masks(dict(masks))) for entry, masks in data["lg"]]
    state.over, state.gone, state.horizon = data["over"], tuple(data["gone"]), data["horizon"]
    state.won = tuple(data["won"]) if data["won"] is not None else None
    state.why = (data["why"][0], frozen(data["why"][1])) if data["why"] is not None else None
    state.shown = dict(data["shown"])
    state.together = data["together"]
    state.tracked = state.kn is not None
    if state.kn is not None:
        state.ev = ((), (START, tuple(state.kn), {}, NO_PAST))
    if data.get("apart") is not None:
        state.apart = type(state)(state.game, state.seed, state.auto, tracked=True)
        restore(state.apart, data["apart"])


def numbered(meta: Meta, history: list[Any]) -> list[int]:
    """The history of a save in which options were written out: none, a value, or (branch, values …)."""
    found: list[int] = []
    for site, option in zip(history[::2], history[1::2], strict=True):
        match option:
            case None:
                number = PASS
            case [-1, int(free)]:
                number = FREE - free
            case [branch, *values]:
                number = meta.sites[site].option_of(branch, values)
            case _:
                number = meta.sites[site].option_of(0, (option,))
        found += (site, number)
    return found


def _as_numbers(value: Any) -> Any:
    """A value of a frame as plain data: yes and no are numbers, sets are lists."""
    if isinstance(value, tuple | list | range):
        return [_as_numbers(item) for item in value]
    return int(value) if isinstance(value, bool) else value


def frozen(value: Any) -> Any:
    """Lists as JSON gives them back become the tuples they were."""
    return tuple(frozen(item) for item in value) if isinstance(value, list) else value
