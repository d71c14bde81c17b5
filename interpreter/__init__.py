"""Rulewright: board games from rule text.

    import interpreter as rw
    game = rw.load("NAME+VARIANT", players=2)
    state = game.new(seed=7)
    while not state.over:
        state.apply(state.decision.options[0])
    print(state.scores, state.ranking)

The stages stand in the order in which a rule travels through them: syntax, ruleset, check, compile, runtime; play,
editor, study and cli use what comes out. Everything here is loaded when first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .diagnostics.diagnostic import Diagnostic, RulesetError
    from .editor.checked import check_ruleset
    from .native.game import load
    from .native.sandbox import SandboxFailed, Walls
    from .play.bots.bot import Bot, BotFailed
    from .play.bots.named import bot, bots
    from .play.contract import PlayError
    from .ruleset.ceilings import WrongLimits
    from .runtime.decision import Decision, Option
    from .runtime.faults import AmbiguousChoice, Fault, IllegalChoice, RefusedChoice, UnknownChoice, WrongSave, WrongUse
    from .runtime.game import Game
    from .runtime.state import State

__version__ = "0.1.0"

_PLACES = {
    "Diagnostic": "diagnostics.diagnostic",
    "RulesetError": "diagnostics.diagnostic",
    "check_ruleset": "editor.checked",
    "Bot": "play.bots.bot",
    "BotFailed": "play.bots.bot",
    "bot": "play.bots.named",
    "bots": "play.bots.named",
    "PlayError": "play.contract",
    "Decision": "runtime.decision",
    "Option": "runtime.decision",
    "AmbiguousChoice": "runtime.faults",
    "Fault": "runtime.faults",
    "IllegalChoice": "runtime.faults",
    "RefusedChoice": "runtime.faults",
    "UnknownChoice": "runtime.faults",
    "Game": "runtime.game",
    "WrongSave": "runtime.faults",
    "WrongUse": "runtime.faults",
    "load": "native.game",
    "SandboxFailed": "native.sandbox",
    "Walls": "native.sandbox",
    "WrongLimits": "ruleset.ceilings",
    "State": "runtime.state",
}

__all__ = [
    "AmbiguousChoice", "Bot", "BotFailed", "Decision", "Diagnostic", "Fault", "Game", "IllegalChoice", "Option",
    "PlayError", "RefusedChoice", "RulesetError", "SandboxFailed", "State", "UnknownChoice", "Walls", "WrongLimits",
    "WrongSave", "WrongUse", "bot", "bots", "check_ruleset", "load",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"interpreter has no `{name}`")
    from importlib import import_module

    if name in ("Game", "load"):
        import_module(".play.position", __name__)  # gives games the method that needs all of `play`
    return getattr(import_module(f".{_PLACES[name]}", __name__), name)
