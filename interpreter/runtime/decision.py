"""Decisions and options as people and programs see them: prompts, labels, codes, reasons.

Labels are made only when somebody looks, and describe the moment at which somebody asked the state for its decision. A
code is dense and stable: a base for site and branch, then the bound values in mixed radix over their domains. Three
different answers for a choice that cannot be made: unknown, ambiguous, refused.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import get_close_matches
from typing import Any, overload

from ..compile.meta import FREE, PASS, SiteMeta
from .alike import surely_do_the_same
from .faults import AmbiguousChoice, RefusedChoice, UnknownChoice
from .moment import Moment, moment_of
from .namesakes import with_words, words_apart
from .positions import is_same_position
from .reasons import Refusal, why_not
from .running import Running
from .texts import label_text, phrase, picked_text, render, value_ids, values_text


class Option:
    """One thing that may be chosen."""

    __slots__ = ("_moment", "index", "raw", "site")

    def __init__(self, moment: Moment, site: SiteMeta, index: int, raw: int) -> None:
        self._moment = moment
        self.site = site
        self.index = index
        self.raw = raw

    def __int__(self) -> int:
        return encode(self._moment.state.meta, self.site, self.raw)

    __index__ = None

    def __str__(self) -> str:
        label, words = label_text(self._moment.state, self.site, self.raw), self.apart
        return with_words(label, words) if words else label

    def __repr__(self) -> str:
        return f"<option {self.index}: {self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Option) and int(self) == int(other)

    def __hash__(self) -> int:
        return hash(int(self))

    def is_of(self, state: Running) -> bool:
        """True if that state, or a copy of it, offers this option now. Options of another game, of another state or of
        an earlier moment may look the same and mean something else."""
        own = self._moment.state
        return own is state or is_same_position(own, state)

    @property
    def kind(self) -> str:
        if self.raw == PASS:
            return "enough" if self.site.kind == "set" else "pass"
        return "free" if self.raw <= FREE else "option"

    @property
    def apart(self) -> str:
        """What tells it from other options whose pieces have the same names, and which the label ends in; mostly ""."""
        moment = self._moment
        if moment.apart is None:
            moment.apart = words_apart(moment.state, self.site)
        return moment.apart.get(self.raw, "")

    @property
    def values(self) -> tuple[str, ...]:
        return values_text(self._moment.state, self.site, self.raw)

    @property
    def ids(self) -> tuple[str | None, ...]:
        """The ids, as the rules write them, of what the option binds, in the order of `values`; None for a piece that
        the player who decides cannot name."""
        return value_ids(self._moment.state, self.site, self.raw)


class Options(Sequence[Option]):
    """The options of a decision: counts, iterates, answers `in`, is false when empty."""

    def __init__(self, moment: Moment, site: SiteMeta, raws: list[int]) -> None:
        self._moment = moment
        self._site = site
        self._raws = raws

    def __len__(self) -> int:
        return len(self._raws)

    @overload
    def __getitem__(self, index: int) -> Option: ...
    @overload
    def __getitem__(self, index: slice) -> list[Option]: ...
    def __getitem__(self, index: int | slice) -> Option | list[Option]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self._raws)))]
        if index < 0:
            index += len(self._raws)
        return Option(self._moment, self._site, index, self._raws[index])

    def __iter__(self) -> Iterator[Option]:
        return (Option(self._moment, self._site, i, raw) for i, raw in enumerate(self._raws))

    def __contains__(self, item: object) -> bool:
        if isinstance(item, str):
            return any(str(option) == item for option in self)
        return isinstance(item, Option) and item.raw in self._raws

    def __repr__(self) -> str:
        return "[" + ", ".join(str(option) for option in self) + "]"


class Decision:
    """One player picks one option of one list."""

    def __init__(self, state: Running) -> None:
        self._moment = moment_of(state)
        self.site = state.meta.sites[state.site]
        self.player: int = state.who

    @property
    def prompt(self) -> str:
        if self.site.prompt is not None:
            return render(
                self._moment.state, self.site.prompt, self._moment.state.text_values(self.site.prompt), self.player
            )
        words = {"may": "You may", "pause": "Go on?", "order": "Which comes next?", "pay": "Pay with what?"}
        return phrase(self._moment.state.meta, words.get(self.site.kind, "Choose"))

    @property
    def picked(self) -> tuple[str, ...]:
        """The names of what is picked so far of a set that is chosen one by one."""
        return picked_text(self._moment.state, self.site)

    @property
    def options(self) -> Options:
        return Options(self._moment, self.site, self._moment.state.opts)

    @property
    def path(self) -> tuple[str, ...]:
        return self._moment.state.path

    @property
    def cites(self) -> tuple[str, ...]:
        return self.site.cites

    def find(self, text: str) -> Option:
        """The option with that label: an exact match, or the only one that begins with it. Raises UnknownChoice,
        AmbiguousChoice or RefusedChoice."""
        options = list(self.options)
        exact = [option for option in options if str(option) == text]
        if len(exact) == 1 or (exact and surely_do_the_same(self._moment.state, [option.index for option in exact])):
            return exact[0]
        if exact:
            raise AmbiguousChoice(
                f"{len(exact)} options are called `{text}`: "
                + ", ".join(
                    f"number {option.index} ({', '.join(option.values) or 'no values'})" for option in exact[:5]
                )
            )
        near = [option for option in options if str(option).lower().startswith(text.lower())]
        if len(near) == 1 or self._are_one(near, text):
            return near[0]
        if near:
            raise AmbiguousChoice(
                f"`{text}` fits {len(near)} options: " + ", ".join(str(option) for option in near[:5])
            )
        refusal = self.why_not(text)
        if refusal is not None:
            raise RefusedChoice(f"`{text}` is not possible: {refusal.reason}", refusal.reason, refusal.cites)
        close = get_close_matches(text, [str(option) for option in options], 1, 0.5)
        help_text = f"; did you mean `{close[0]}`?" if close else ""
        raise UnknownChoice(f"nothing here is called `{text}`{help_text}")

    def _are_one(self, near: Sequence[Option], text: str) -> bool:
        """The options have this label but for words that tell them apart, and whichever is taken, it is the same."""
        state = self._moment.state
        names = {label_text(state, option.site, option.raw).lower() for option in near}
        return names == {text.lower()} and surely_do_the_same(state, [option.index for option in near])

    def why_not(self, text: str) -> Refusal | None:
        """Why a choice with that label is not offered; None if there is no such choice here at all."""
        return why_not(self._moment.state, self.site, text)


# ---------------------------------------------------------------------------- codes


def encode(meta: Any, site: SiteMeta, raw: int) -> int:
    """The code of an option. The same thing has the same code in every state; equal copies of a piece share a code
    where they are not told apart."""
    if raw <= FREE:
        return int(meta.sites[-1].code_bases[-1] + 1 + FREE - raw)
    found = site.values_of(raw)
    if found is None:
        return site.code_bases[-1]
    branch, values = found
    code = 0
    for value, (thing, low, size) in zip(values, site.branches[branch][1], strict=True):
        number = meta.piece_row[value] if thing == "row" else value - low
        code = code * size + number
    return site.code_bases[branch] + code
