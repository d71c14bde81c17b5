"""Everything that the server asks about a game or a state, as functions that give plain data.

Rules that come with the program are played in the server itself; those of others in a sandbox, a process of its own
(`native.sandbox`). Both answer the same questions: `asking.ask` calls a function here, or has the sandbox call it. So
nothing else in this package may look into a state, and what a sandbox sends is JSON: no code, no object.
"""

from __future__ import annotations

import json
from typing import Any

from ...play.bots.mcts_bot import MctsBot
from ...play.bots.named import bot
from ...play.contract import option_with_code
from ...play.records import record_data, record_of, save_of
from ...runtime.log import log_lines
from ...runtime.silence import came_to_silence, has_silent_questions, length_of
from ..scene import picture_of, scene_of, why
from ..scene.untold import label_of

OWN = "en"  # any language will do for comparing
LENGTH_GAMES = 3

# ---------------------------------------------------------------------------- games


def facts(game: Any) -> dict[str, Any]:
    """What is known of a game before it is played: automas, words for its seats, whether players have secrets."""
    meta = game.meta
    words = {
        language: [texts.get(name, name) for name in game.seat_names] for language, texts in meta.translations.items()
    }
    return {"automas": sorted(meta.automas), "seat_words": words, "keeps_secrets": keeps_secrets(meta)}


def keeps_secrets(meta: Any) -> bool:
    """Whether players can know what others do not: then it must not show how long a decision took."""
    return any(one.visibility not in ("open", "hidden") for one in (*meta.places, *meta.fields)) or any(
        site.secret or site.silent for site in meta.sites
    )


def picture(game: Any) -> str:
    return picture_of(game)


def length(game: Any) -> int:
    """How many decisions random games take: the middle one of a few."""
    return sorted(len(game.playout(seed).history) for seed in range(LENGTH_GAMES))[LENGTH_GAMES // 2]


# ---------------------------------------------------------------------------- where a state stands


def standing(state: Any, hushed: bool = False) -> dict[str, Any]:
    """Who decides among how many options, and what the server must know of it. `block`: inside `together`, a number
    that tells the block from all others of the game. `luck` changes when chance falls. `hushed`: since the last choice
    the rules have come to a silent question that nobody was asked."""
    over = bool(state.over)
    inside = not over and state.together and state.apart is not None
    return {
        "over": over,
        "who": None if over else int(state.who),
        "options": 0 if over else len(state.opts),
        "silent": not over and bool(state.meta.sites[state.site].silent),
        "block": len(state.apart.h) if inside else None,
        "luck": str(state.g),
        "hushed": hushed,
    }


def horizon(state: Any) -> int:
    """How many choices had been made when somebody last learnt something: undo goes no further back. Not part of
    `standing`: it has to be worked out."""
    return int(state.undo_horizon)


def take(state: Any, code: int) -> dict[str, Any] | None:
    """Takes the option with that code; where the state stands then, or None if it is not offered. Options are found by
    their code, so that the same choices lead to the same state after a restart."""
    option = None if state.over else option_with_code(state.decision, code)
    if option is None:
        return None
    if not has_silent_questions(state.meta):
        state.apply(option.index)
        return standing(state)
    before = length_of(state.ev)
    state.apply(option.index)
    return standing(state, came_to_silence(state, before))


def follow(state: Any, codes: list[int]) -> bool:
    """Takes options by their codes, one after the other; False if one is not offered."""
    for code in codes:
        option = None if state.over else option_with_code(state.decision, code)
        if option is None:
            return False
        state.apply(option.index)
    return True


def code_at(state: Any, index: int) -> int | None:
    options = () if state.over else state.decision.options
    return int(options[index]) if 0 <= index < len(options) else None


def shown_code(state: Any, index: int) -> int:
    """The code of an option as its player is shown it (`runtime/copies.py`)."""
    return int(state.observation(state.who)["options"][index]["code"])


def option_with(state: Any, code: int) -> dict[str, Any] | None:
    """The offered option with that code: its number and its label."""
    option = None if state.over else option_with_code(state.decision, code)
    return None if option is None else {"index": option.index, "label": label_of(option)}


# ---------------------------------------------------------------------------- what a viewer may know


def scene(
    state: Any, player: int | None, language: str, since: dict[str, Any] | None, names: list[str]
) -> dict[str, Any]:
    return scene_of(state.game, state, player, language=language, since=since, names=tuple(names))


def reasons(state: Any, player: int | None, target: Any, language: str, names: list[str]) -> dict[str, Any]:
    return why(state.game, state, player, target, language=language, names=tuple(names))


def notices(state: Any, before: Any, player: int | None) -> bool:
    """Whether a player (None: a spectator) notices anything of what has happened between an earlier state and this."""
    viewer = state.game.players if player is None else player
    # A new line of the log is noticed. That is nearly always so, and cheaper than drawing two scenes.
    if len(log_lines(state, viewer)) != len(log_lines(before, viewer)) or state.over:
        return True
    return _content(before, player) != _content(state, player)


def _content(state: Any, player: int | None) -> str:
    return json.dumps(scene_of(state.game, state, player, language=OWN), sort_keys=True, separators=(",", ":"))


def result(state: Any) -> dict[str, Any]:
    lines = [[[name, value] for name, value in own] for own in state.score_lines]
    return {
        "ranking": list(state.ranking),
        "winners": list(state.winners),
        "scores": list(state.scores),
        "score_lines": lines,
        "reason": state.reason,
    }


def record(state: Any) -> dict[str, Any]:
    return record_data(record_of(state.game, state))


def save(state: Any, kinds: list[str]) -> dict[str, Any]:
    return dict(save_of(state.game, state, kinds).content)


# ---------------------------------------------------------------------------- bots


def bot_choice(state: Any, spec: str, seed: int) -> int:
    return int(bot(spec).choose(state, seed))


def bot_hint(state: Any, spec: str, seed: int) -> dict[str, Any]:
    """A bot's choice, and what share of a win it expects of it."""
    thinker, options = bot(spec), state.decision.options
    if not isinstance(thinker, MctsBot) or len(options) == 1:
        return {"code": int(thinker.choose(state, seed)), "estimate": None}
    search = thinker.search(state, seed)
    thinker.budget.spend(search)
    chosen = search.chosen()
    _, mean = search.found()[search.indexes.index(chosen)]
    return {"code": int(options[chosen]), "estimate": (max(-1.0, min(1.0, mean)) + 1) / 2}


QUESTIONS = {
    question.__name__: question
    for question in (
        facts, picture, length, standing, horizon, take, follow, code_at, shown_code, option_with, scene, reasons,
        notices, result, record, save, bot_choice, bot_hint,
    )
}  # fmt: skip
