"""What a shell offers at the Tab key: games and their variants, bots, rules of a game, parts that `show` prints.

click completes options, commands and files by itself, once a shell has been told to ask it (one line, see the README).
Arguments are told apart by their names, which are the same words in every command. Nothing here checks what is typed:
a command reports a wrong name as it does without completion. Only a name that reads the same aloud as that of one game
alone (`four4` for `four_four`) is taken for it, and that is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from .speaking import spoken

Offer = Callable[[click.Context, str], Iterable[str]]
if TYPE_CHECKING:
    Base = click.ParamType[str]
else:
    Base = click.ParamType  # older versions of click take no type here


class Completed(Base):
    """Any text; a shell offers what begins with the letters typed so far."""

    name = "text"

    def __init__(self, offer: Offer) -> None:
        self.offer = offer

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        try:
            return [CompletionItem(word) for word in self.offer(ctx, incomplete) if word.startswith(incomplete)]
        except Exception:  # a shell that waits for completion has no use for a message
            return []


class GameName(Completed):
    """The name of a game, perhaps with variants."""

    name = "game"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if ctx is not None and ctx.params.get("what") == "game":
            return value  # `new game NAME`
        from ..ruleset.find import named_otherwise

        base, plus, variants = str(value).partition("+")
        meant = named_otherwise(base)
        if meant is None:
            return value
        click.echo(spoken(f"`{base}` is taken for `{meant}`"), err=True)
        return f"{meant}{plus}{variants}"


def completed(command: click.Command) -> click.Command:
    """The command, with types that know what can be typed in its arguments."""
    for param in command.params:
        offer = _OFFERS.get(param.name or "") or _OFFERS.get(param.opts[0])
        if offer is not None and not isinstance(param.type, click.Choice | click.Path):
            is_game = offer is _games and (isinstance(param, click.Argument) or param.metavar == "NAME")
            param.type = GameName(offer) if is_game else Completed(offer)
    return command


def _games(context: click.Context, typed: str) -> Iterable[str]:
    from ..ruleset.find import ruleset_folders

    if context.params.get("what") == "game":
        return ()  # `new game NAME`: a name that nothing has yet
    base, plus, _ = typed.rpartition("+")
    if not plus:
        return ruleset_folders()
    return (f"{base}+{variant}" for variant in _variants_of(base.partition("+")[0]) if variant not in base.split("+"))


def _variants_of(name: str) -> list[str]:
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.find import find_ruleset
    from ..ruleset.listing import summarize

    asked = find_ruleset(name, Diagnostics())
    summary = summarize(asked.folder, Diagnostics()) if asked else None
    return [variant.name for variant in summary.variants] if summary else []


def _bots(context: click.Context, typed: str) -> Iterable[str]:
    """Bots in a list with commas, or behind `2=` for a seat."""
    from ..play.bots.named import bots

    done = max(typed.rfind(","), typed.rfind("=")) + 1
    forms = [kind.form.split()[0].split(":")[0] + (":" if ":" in kind.form else "") for kind in bots.values()]
    return (typed[:done] + form for form in [*forms, *(["person"] if "=" in typed else [])])


def _rules(context: click.Context, typed: str) -> Iterable[str]:
    from .. import load

    return load(str(context.params["name"])).program.rules


def _parts(context: click.Context, typed: str) -> Iterable[str]:
    from .show import SHOWN

    return SHOWN


def _codes(context: click.Context, typed: str) -> Iterable[str]:
    from ..diagnostics.codes import CODES

    return CODES


# By the name of the argument in its command, or by the option.
_OFFERS: dict[str, Offer] = {
    "name": _games,
    "names": _games,
    "first": _games,
    "second": _games,
    "other": _games,
    "--bots": _bots,
    "--seat": _bots,
    "rule": _rules,
    "what": _parts,
    "code": _codes,
}
