"""Bots by their names: `random`, `first`, `greedy`, `flat:200`, `mcts:500`, `mcts:200ms+cut:100`, `policy:FILE` …

A name is a word, and behind a colon what the bot needs. `mcts` takes more, each behind a plus sign. Files and commands
may contain anything, so they come last and reach to the end of the name.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ...diagnostics.suggest import nearest
from ..contract import PlayError
from .bot import Bot

_TIME = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s)")
_LONGEST = 86_400.0  # seconds: a day
_MOST = 10**9


@dataclass(frozen=True)
class BotKind:
    """A bot that there is: how its name is written, and a line about it."""

    form: str
    about: str
    make: Callable[[str, str], Bot]  # from the whole name and what stands behind the colon


class BotKinds(Mapping[str, BotKind]):
    """`rw.bots`: the bots by their first word. Prints as a list."""

    def __init__(self, kinds: dict[str, BotKind]) -> None:
        self._kinds = kinds

    def __getitem__(self, word: str) -> BotKind:
        return self._kinds[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)

    def __repr__(self) -> str:
        return "\n".join(f"{kind.form:28}{kind.about}" for kind in self._kinds.values())


def bot(name: Any) -> Bot:
    """The bot of that name; a bot of one's own, a class or an object with three methods, is made one of ours.
    PlayError if there is no such bot, or what it needs is missing."""
    if isinstance(name, Bot):
        return name
    if not isinstance(name, str):
        from .class_bot import ClassBot

        return ClassBot(name)
    word, _, rest = name.strip().partition(":")
    if word.strip() not in bots:
        likely = nearest(word, list(bots))
        advice = f"did you mean `{likely}`? " if likely else ""
        raise PlayError(f"there is no bot `{name}`", f"{advice}there are {', '.join(k.form for k in bots.values())}")
    return bots[word.strip()].make(name.strip(), rest.strip())


def bot_names(text: str) -> list[str]:
    """Names of bots separated by commas; a comma inside quotes belongs to a name."""
    parts = re.findall(r"""(?:"[^"]*"|'[^']*'|[^,])+|(?<=,)(?=,|$)""", text)
    return [part.strip() for part in parts]


# ---------------------------------------------------------------------------- how each is made


def _plain(path: str, name: str) -> Callable[[str, str], Bot]:
    def make(whole: str, rest: str) -> Bot:
        if rest:
            raise PlayError(f"the bot `{whole.partition(':')[0]}` takes nothing behind a colon", f"not `{whole}`")
        return _class(path, name)()  # type: ignore[no-any-return]

    return make


def _class(path: str, name: str) -> Any:
    from importlib import import_module

    return getattr(import_module(f".{path}", __package__), name)


def _greedy(whole: str, rest: str) -> Bot:
    from .greedy_bot import WORLDS, GreedyBot

    return GreedyBot(_count(whole, rest, "worlds") if rest else WORLDS)


def _flat(whole: str, rest: str) -> Bot:
    from .flat_bot import FlatBot

    return FlatBot(_count(whole, rest, "games"))


def _mcts(whole: str, rest: str) -> Bot:
    from .mcts_bot import Budget, MctsBot

    amount, *more = rest.split("+", 1)
    seconds = _seconds(whole, amount)
    budget = Budget(games=_count(whole, amount, "games")) if seconds is None else Budget(seconds=seconds)
    if more == [""]:
        raise PlayError(f"`{whole}` says nothing behind its `+`", "there are `+cut:N` and `+policy:FILE`")
    cut: int | None = None
    value: Any = None
    left = more[0] if more else ""
    while left:
        word, _, behind = left.partition(":")
        match word:
            case "cut":
                number, _, left = behind.partition("+")
                cut = _count(whole, number, "segments of rules", f"mcts:{amount}+cut")
            case "policy":
                from .policy_bot import read_policy

                value, left = read_policy(behind), ""
            case _:
                raise PlayError(f"`{whole}`: `mcts` knows no `{word}`", "there are `+cut:N` and `+policy:FILE`")
    return MctsBot(whole, budget, cut, value)


def _cfr(whole: str, rest: str) -> Bot:
    from .cfr_bot import CfrBot

    return CfrBot(whole, _count(whole, rest, "games"))


def _policy(whole: str, rest: str) -> Bot:
    from .policy_bot import PolicyBot, read_policy

    return PolicyBot(whole, read_policy(rest))


def _process(whole: str, rest: str) -> Bot:
    from .process_bot import ProcessBot

    timed, _, command = rest.partition(":")
    seconds = _seconds(whole, timed.strip())
    return ProcessBot(whole, rest) if seconds is None else ProcessBot(whole, command.strip(), seconds)


def _python(whole: str, rest: str) -> Bot:
    from .class_bot import ClassBot, found_class

    return ClassBot(found_class(whole, rest), whole)


def _count(whole: str, text: str, what: str, word: str = "") -> int:
    """A number behind a word, of which this much of the name is an example."""
    word = word or whole.partition(":")[0]
    if not text:
        raise PlayError(f"how many {what}? `{whole}` does not say", f"for example `{word}:200`")
    # `isdecimal` takes digits of every script; of thousands of them Python would make no number.
    is_number = text.isascii() and text.isdecimal() and len(text) <= 2 * len(str(_MOST))
    if not is_number or not 1 <= int(text) <= _MOST:
        raise PlayError(f"`{text}` is no number of {what} in `{whole}`", f"write `{word}:N`, N from 1 to {_MOST:,}")
    return int(text)


def _seconds(whole: str, text: str) -> float | None:
    """A time such as `200ms` or `1.5s`; None if that is no time at all."""
    found = _TIME.fullmatch(text)
    if found is None:
        return None
    seconds = float(found[1]) / (1000 if found[2] == "ms" else 1)
    if not 0.0 < seconds <= _LONGEST:
        raise PlayError(f"`{text}` is no time to think in `{whole}`", "write more than 0, and a day (86400s) at most")
    return seconds


bots = BotKinds(
    {
        "first": BotKind("first", "always takes the first option", _plain("first_bot", "FirstBot")),
        "random": BotKind("random", "takes any option with equal chance", _plain("random_bot", "RandomBot")),
        "greedy": BotKind("greedy", "takes what stands best at once, over a few worlds", _greedy),
        "flat": BotKind("flat:N", "plays N random games and takes what went best", _flat),
        "mcts": BotKind("mcts:N or mcts:200ms", "tree search over N games, or as many as fit the time", _mcts),
        "cfr": BotKind("cfr:N", "mixes its choices, learnt from N games with itself; for small games", _cfr),
        "policy": BotKind("policy:FILE", "takes what a value learnt by `rulewright train` likes best", _policy),
        "python": BotKind("python:MODULE:CLASS", "a class of your own, with three methods", _python),
        "process": BotKind("process:COMMAND", "a program of your own that speaks JSON lines", _process),
    }
)
