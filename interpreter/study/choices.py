"""What was done in a game, computed from its choices: which options, and which pieces, spaces and ways they named.

The codes of a game are divided among the branches of its decisions: each branch has a range of codes, one per
combination of values. So the history of a finished game is enough to tell what was done in it, and games played on the
fast path can be counted too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..compile.meta import FREE, PASS

Taken = tuple[tuple[int, int], ...]  # branch, how often
Thing = tuple[str, int]  # choice, piece (by its row), node or edge, and its number


@dataclass(frozen=True)
class Branch:
    """One thing that may be chosen, in the words of the rules: who asks, what is asked, what is offered."""

    rule: str
    prompt: str
    label: str


class Branches:
    """All branches of a game in the order of their codes."""

    def __init__(self, meta: Any) -> None:
        self.firsts: list[int] = []
        self.all: list[Branch] = []
        self._meta = meta
        self._numbers: dict[tuple[int, int], int] = {}  # site, branch or PASS -> number of the branch
        self._done: dict[tuple[int, int], tuple[Thing, ...]] = {}
        for site in meta.sites:
            for branch in range(len(site.branches)):
                self._numbers[site.number, branch] = len(self.all) + branch
            self._numbers[site.number, PASS] = len(self.all) + len(site.branches)
            prompt = meta.texts[site.prompt][0] if site.prompt is not None else ""
            rule = _words(meta, site.rule)
            labels = [_label(meta, *branch) for branch in site.branches]
            ending = ["That is all" if site.kind == "set" else "Pass"] if site.may_pass or site.kind == "set" else []
            for first, label in zip(site.code_bases, labels + ending, strict=False):
                self.firsts.append(first)
                self.all.append(Branch(rule, prompt, label))
        for number, (rule_name, *_) in enumerate(meta.free_actions):
            self.firsts.append(meta.sites[-1].code_bases[-1] + 1 + number)
            self.all.append(Branch(_words(meta, rule_name), "", "Free action"))

    def number(self, site: int, branch: int) -> int:
        """The number of a branch of a site, or of passing there (PASS)."""
        return self._numbers[site, branch]

    def things(self, site: int, option: int) -> tuple[Thing, ...]:
        """What a choice (raw, as the state keeps it) did and named, each thing once."""
        found = self._done.get((site, option))
        if found is None:
            found = self._done[site, option] = tuple(dict.fromkeys(self._things(site, option)))
        return found

    def _things(self, number: int, option: int) -> Iterator[Thing]:
        site = self._meta.sites[number]
        if option <= FREE:
            yield "choice", len(self.all) - len(self._meta.free_actions) + FREE - option
            return
        found = site.values_of(option)
        if found is None:
            yield "choice", self._numbers[number, PASS]
            return
        branch, values = found
        yield "choice", self._numbers[number, branch]
        for value, (kind, _, _) in zip(values, site.branches[branch][1], strict=True):
            if kind in ("row", "piece") and 0 <= value < self._meta.pieces:
                yield "piece", self._meta.piece_row[value]
            elif kind in ("node", "edge"):
                yield kind, value

    def told(self, thing: Thing) -> tuple[str, str]:
        """What kind of thing that is, and its name."""
        meta, (kind, number) = self._meta, thing
        match kind:
            case "choice":
                branch = self.all[number]
                asked = f" ({branch.rule})" if branch.rule else ""
                return "option", branch.label + asked
            case "piece":
                row = meta.piece_row.index(number)
                return meta.piece_kind[row], meta.row_names[number]
            case "node":
                return "space", meta.nodes[number][1]
            case "edge":
                return "way", meta.edges[number][1]
            case _:
                raise AssertionError(f"no such thing: {kind}")

    def taken(self, history: Iterable[int]) -> Taken:
        """How often each branch was chosen in one game; branches that were not chosen are left out."""
        counts: Counter[int] = Counter()
        for code, times in Counter(history).items():
            branch = bisect_right(self.firsts, code) - 1
            if branch >= 0:
                counts[branch] += times
        return tuple(sorted(counts.items()))


def choices_of(meta: Any, uses: Mapping[Thing, tuple[int, int]]) -> list[dict[str, Any]]:
    """For each branch, how often it was taken and in how many games; branches never taken are included. Branches with
    equal words are one."""
    taken: Counter[Branch] = Counter()
    seen: dict[Branch, int] = {}
    branches = Branches(meta).all
    for number, branch in enumerate(branches):
        times, games = uses.get(("choice", number), (0, 0))
        taken[branch] += times
        seen[branch] = max(seen.get(branch, 0), games)
    return [
        {"rule": one.rule, "prompt": one.prompt, "label": one.label, "taken": taken[one], "games": seen[one]}
        for one in dict.fromkeys(branches)
    ]


_THINGS = {"piece": "piece", "row": "piece", "node": "space", "edge": "way"}


def _label(meta: Any, text: int | None, domains: tuple[tuple[str, int, int], ...], names: tuple[str, ...]) -> str:
    """The label as written in the rules. A decision without labels offers its values by their names, so there it is
    what sort of thing is offered: `choose c in Cell` is "a space". What `pay` offers has neither."""
    if text is not None:
        return str(meta.texts[text][0])
    if not names:
        return "a payment"
    return ", ".join(_with_article(_sort(meta, *one)) for one in zip(domains, names, strict=True))


def _sort(meta: Any, domain: tuple[str, int, int], name: str) -> str:
    """What a value is called: the author's word for it if it is one and no abbreviation, else its type."""
    word = name.split("__")[0].replace("_", " ")
    if len(word) > 2:
        return word
    kind = domain[0]
    if kind in ("piece", "row") and len(set(meta.piece_kind)) == 1:
        return str(meta.piece_kind[0]).lower()
    return _THINGS.get(kind, kind.removeprefix("enum:")).lower()


def _with_article(word: str) -> str:
    return f"{'an' if word[:1] in 'aeiou' else 'a'} {word}"


def _words(meta: Any, rule: str) -> str:
    """What people call a rule: its title if it has one without holes, else its name."""
    found = meta.rules.get(rule)
    title = str(meta.texts[found.title][0]) if found is not None and found.title is not None else ""
    return title if title and "{" not in title else rule.replace("_", " ").capitalize()
