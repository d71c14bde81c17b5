"""How often each option was chosen, computed from the codes of the choices in a game's history.

The codes of a game are divided among the branches of its decisions: each branch has a range of codes, one per
combination of values. So the history of a finished game is enough to tell what was done in it, and games played on the
fast path can be counted too.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

Taken = tuple[tuple[int, int], ...]  # branch, how often


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
        for site in meta.sites:
            prompt = meta.texts[site.prompt][0] if site.prompt is not None else ""
            rule = _words(meta, site.rule)
            labels = [_label(meta, text, names) for text, _, names in site.branches]
            ending = ["That is all" if site.kind == "set" else "Pass"] if site.may_pass or site.kind == "set" else []
            for first, label in zip(site.code_bases, labels + ending, strict=False):
                self.firsts.append(first)
                self.all.append(Branch(rule, prompt, label))
        for number, (rule_name, *_) in enumerate(meta.free_actions):
            self.firsts.append(meta.sites[-1].code_bases[-1] + 1 + number)
            self.all.append(Branch(_words(meta, rule_name), "", "Free action"))

    def taken(self, history: Iterable[int]) -> Taken:
        """How often each branch was chosen in one game; branches that were not chosen are left out."""
        counts: Counter[int] = Counter()
        for code, times in Counter(history).items():
            branch = bisect_right(self.firsts, code) - 1
            if branch >= 0:
                counts[branch] += times
        return tuple(sorted(counts.items()))


def choices_of(meta: Any, games: Sequence[Taken]) -> list[dict[str, Any]]:
    """For each branch, how often it was taken and in how many games; branches never taken are included."""
    taken: Counter[Branch] = Counter()
    seen: Counter[Branch] = Counter()
    branches = Branches(meta).all
    for game in games:
        own: Counter[Branch] = Counter()
        for number, times in game:
            own[branches[number]] += times
        taken += own
        seen.update(own.keys())
    return [
        {"rule": one.rule, "prompt": one.prompt, "label": one.label, "taken": taken[one], "games": seen[one]}
        for one in dict.fromkeys(branches)
    ]


def _label(meta: Any, text: int | None, names: tuple[str, ...]) -> str:
    """The label as written in the rules, or the names that a decision without labels binds."""
    if text is not None:
        return str(meta.texts[text][0])
    return ", ".join(f"{{{name.split('__')[0]}}}" for name in names)


def _words(meta: Any, rule: str) -> str:
    """What people call a rule: its title if it has one without holes, else its name."""
    found = meta.rules.get(rule)
    title = str(meta.texts[found.title][0]) if found is not None and found.title is not None else ""
    return title if title and "{" not in title else rule.replace("_", " ").capitalize()
