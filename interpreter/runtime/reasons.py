"""Why something is not offered.

A text is taken for the label of an option. It is looked up in this order: among what is offered (then there is nothing
to explain); among what the decision goes over, whether its conditions hold or not; among everything there is in the
game; among the free actions. If several branches have such a label, the one that comes furthest is meant: a piece that
moves like no rook is asked about as the pawn that it is. For an option that was found, the answer is the first of these
that applies:

1. it is not among what the decision goes over: `it is not in market`;
2. a condition of the decision does not hold: the condition, as the author wrote it;
3. taking it would be refused later: the first refusal that a trial meets, with the author's words if there are any.

A label that fits the form of a branch and names nothing at all gets a short answer; any other text gets none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice, product
from math import prod
from typing import Any

from ..compile.meta import FREE, STEP, Place, Reason, SiteMeta
from .faults import Fault, Refused, Trouble
from .free_actions import free_action_carries
from .namesakes import with_words, words_apart
from .reading_texts import Budget, Spent
from .running import Running
from .spots import SPOT, has_spots, with_pieces
from .texts import label_text, phrase, value_text
from .trials import option_carries

TOO_LITTLE_BEHIND = "a set is picked in the order of the list, and what stands behind this is too little"
_MET = 1 << 30  # everything that is asked about an option holds
_MOST_LABELS = 40_000  # how many labels are made to find the one that is meant


@dataclass(frozen=True)
class Refusal:
    """Why something is not offered: in words, with the clauses behind it."""

    reason: str
    cites: tuple[str, ...] = ()
    place: Place | None = None
    bound: dict[str, int] = field(default_factory=dict, repr=False, compare=False)  # the locals of the option meant
    names_nothing: bool = field(default=False, compare=False)  # it reads like an option, and there is no such thing


def why_not(state: Running, site: SiteMeta, text: str) -> Refusal | None:
    """Why no option with that label is offered; None if one is, or if nothing here is called so."""
    wanted = text.lower()
    apart = words_apart(state, site)
    for raw in state.opts:
        label = label_text(state, site, raw).lower()
        if wanted == label or (raw in apart and wanted == with_words(label, apart[raw].lower())):
            return None
    asked = _Asked(state, site, wanted)
    try:
        for explain in (asked.among_candidates, asked.anywhere, asked.among_free_actions, asked.by_form):
            refusal = explain()
            if refusal is not None:
                return refusal
    except Spent:
        return Refusal(
            phrase(state.meta, "too much would have to be looked through to say why"), site.cites, site.place
        )
    return None


@dataclass(frozen=True)
class Left:
    """Something that the pending decision goes over and does not offer."""

    branch: int
    values: tuple[int, ...]
    label: str


def not_offered_of(
    state: Running, site: SiteMeta, about: Callable[[int, tuple[int, ...]], bool], most: int, looked_at: int
) -> list[Left]:
    """The first of `not_offered` that are about something, of so many that are looked at."""
    found: list[Left] = []
    for one in _left(state, site, about, looked_at):
        if one is None or len(found) >= most:
            break
        found.append(one)
    return found


def not_offered(state: Running, site: SiteMeta, most: int) -> list[Left] | None:
    """What the pending decision goes over and does not offer, in its order; None if that is more than `most` things."""
    found: list[Left] = []
    for one in _left(state, site, lambda *_: True, most):
        if one is None or len(found) >= most:
            return None
        found.append(one)
    return found


def _left(
    state: Running, site: SiteMeta, about: Callable[[int, tuple[int, ...]], bool], looked_at: int
) -> Iterator[Left | None]:
    """What is not offered, in the order of the decision; None at last if a branch goes over more than is looked at, or
    looking takes too long. Options with a piece that the player who decides cannot name are left out: a reason would
    tell what it is."""
    asked, offered = _Asked(state, site, ""), set(state.opts)
    try:
        for branch, (_, domains, _) in enumerate(site.branches):
            for count, values in enumerate(asked._candidates(branch, ())):
                if count >= looked_at:
                    yield None
                    return
                raw = site.option_of(branch, values)
                if raw not in offered and about(branch, values) and _all_known(state, domains, values):
                    label = asked._label(state, branch, values)
                    if label is not None:
                        yield Left(branch, values, label)
    except Spent:
        yield None


def refusal_of(state: Running, site: SiteMeta, refused: Left, budget: Budget | None = None) -> Refusal:
    """Why it is not offered. Raises Spent if that takes more than is left of a budget."""
    asked = _Asked(state, site, refused.label.lower(), budget)
    raw = site.option_of(refused.branch, refused.values)
    return asked._condition(refused.branch, refused.values) or asked._later(refused.branch, raw)


def nearest_miss(state: Running, site: SiteMeta, looked_at: int = 200) -> Refusal | None:
    """For a decision that can offer nothing: why the option that comes furthest is refused. An option that meets every
    condition and is refused later tells more than one that does not come so far."""
    asked, best = _Asked(state, site, ""), None
    try:
        for branch in range(len(site.branches)):
            for values in islice(asked._candidates(branch, ()), looked_at):
                refusal = asked._condition(branch, values)
                if refusal is None:
                    return asked._later(branch, site.option_of(branch, values))
                best = best or refusal
        return best or asked.nothing_there()
    except Spent:
        return best


def _all_known(state: Running, domains: Any, values: tuple[int, ...]) -> bool:
    pairs = zip(domains, values, strict=True)
    return all(
        thing != SPOT and (thing not in ("piece", "row") or state.knows(state.who, value))
        for (thing, _, _), value in pairs
    )


@dataclass(frozen=True)
class _Tried:
    """How far an option comes that is not offered: how many things asked about it hold before the one that fails."""

    branch: int
    values: tuple[int, ...]
    met: int
    failed: int | None  # the number of the reason; None if all hold


class _Asked:
    """One question about the pending decision."""

    def __init__(self, state: Running, site: SiteMeta, wanted: str, budget: Budget | None = None) -> None:
        self.state, self.site, self.wanted, self.meta = state, site, wanted, state.meta
        self.budget = budget or Budget()
        self.branches = [number for number in range(len(site.branches)) if self._has_form(number)]
        rule = self.meta.rules.get(site.rule)
        self.rule_cites = rule.cites if rule is not None else ()

    def _has_form(self, branch: int) -> bool:
        """The text could be a label of this branch."""
        label = self.site.branches[branch][0]
        return label is None or has_form(self.meta, label, self.wanted)

    # ------------------------------------------------------------------ what the decision goes over

    def among_candidates(self) -> Refusal | None:
        found = [tried for branch in self.branches if (tried := self._candidate_called_so(branch)) is not None]
        if not found:
            return None
        if len(self.branches) > 1:
            known = {one.branch for one in found}
            others = [branch for branch in self.branches if branch not in known and self._names_no_pieces(branch)]
            found += self._called_so_anywhere(others)
        best = max(found, key=lambda one: (one.met, -one.branch))
        if best.failed is not None:
            return self._failed(best)
        return self._later(best.branch, self.site.option_of(best.branch, best.values))

    def _candidate_called_so(self, branch: int) -> _Tried | None:
        """Among the things with that name which the branch goes over, the one that comes furthest."""
        best = None
        named, labels = self._named(branch), dict[tuple[int, ...], bool]()
        for values in self._candidates(branch, ()):
            key = tuple(values[position] for position in named)
            if key not in labels:
                labels[key] = (self._label(self.state, branch, values) or "").lower() == self.wanted
            if labels[key]:
                tried = self._tried(branch, dict(enumerate(values)))
                if tried.failed is None:
                    return tried
                if best is None or tried.met > best.met:
                    best = tried
        return best

    def _named(self, branch: int) -> list[int]:
        """The positions of the values that the label speaks of."""
        label, domains, names = self.site.branches[branch]
        if label is None:
            return list(range(len(domains)))
        return [position for position, name in enumerate(names) if name in self.meta.texts[label][2]]

    def _names_no_pieces(self, branch: int) -> bool:
        """Whether a reason can be given without telling where a piece is."""
        return all(thing not in ("piece", "row", SPOT) for thing, _, _ in self.site.branches[branch][1])

    def _steps(self, branch: int) -> list[tuple[int, int, Reason]]:
        """What is asked about the values of a branch, in the order of the rules: the position of the value that each is
        about, its number, and it. A condition is asked as soon as all that it speaks of is bound."""
        names = self.site.branches[branch][2]
        steps, position = list[tuple[int, int, Reason]](), 0
        for number, reason in self._reasons(branch):
            if reason.is_source:
                steps.append((position, number, reason))
                position += 1
            else:
                about = [names.index(name) for name in reason.params if name in names]
                steps.append((max(about, default=len(names)), number, reason))
        return sorted(steps, key=lambda step: (step[0], not step[2].is_source))

    def _tried(self, branch: int, fixed: dict[int, int]) -> _Tried:
        """How far these values come. Values that are not given may be any that come furthest."""
        steps = self._steps(branch)

        def further(at: int, values: tuple[int, ...]) -> _Tried:
            while at < len(steps):
                position, number, reason = steps[at]
                found = self._ask(number, branch, values)
                if not reason.is_source:
                    if found == 0:
                        return _Tried(branch, values, at, number)
                elif position in fixed:
                    if found is not None and fixed[position] not in found:
                        return _Tried(branch, values, at, number)
                    values = (*values, fixed[position])
                else:
                    ways = (further(at + 1, (*values, value)) for value in found or ())
                    return max(ways, key=lambda tried: tried.met, default=_Tried(branch, values, at, number))
                at += 1
            return _Tried(branch, values, _MET, None)

        return further(0, ())

    def _failed(self, tried: _Tried) -> Refusal:
        """What stopped it, in the author's words."""
        assert tried.failed is not None
        reason = self.meta.reasons[tried.failed]
        if reason.is_source:
            said = phrase(self.meta, "it is not in `{place}`", place=reason.words)
        else:
            said = phrase(self.meta, "`{condition}` does not hold", condition=reason.words)
        bound = self._bound(tried.branch, tried.values)
        cites = self._line_cites(reason, tried.branch, tried.values) or self._cites(tried.branch) or reason.value_cites
        return Refusal(said, cites, reason.place, {} if reason.is_source else bound)

    def _candidates(self, branch: int, values: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Every combination of values that the branch goes over, whatever its conditions say."""
        if len(values) == len(self.site.branches[branch][1]):
            yield values
            return
        for value in self._source(branch, values) or ():
            yield from self._candidates(branch, (*values, value))

    def nothing_there(self) -> Refusal | None:
        """The first branch whose first binder goes over an empty set."""
        for branch in range(len(self.site.branches)):
            source = next((pair for pair in self._reasons(branch) if pair[1].is_source), None)
            if source is not None and self._source(branch, ()) is not None and not len(self._source(branch, ())):
                return Refusal(f"there is nothing in `{source[1].words}`", (), source[1].place)
        return None

    def _reasons(self, branch: int) -> list[tuple[int, Reason]]:
        numbers = self.site.reasons[branch] if branch < len(self.site.reasons) else ()
        return [(number, self.meta.reasons[number]) for number in numbers]

    def _source(self, branch: int, values: tuple[int, ...]) -> Any:
        """What the next value of a branch may be; None if that cannot be told here."""
        sources = [number for number, reason in self._reasons(branch) if reason.is_source]
        return self._ask(sources[len(values)], branch, values) if len(values) < len(sources) else None

    def _ask(self, number: int, branch: int, values: tuple[int, ...]) -> Any:
        reason = self.meta.reasons[number]
        try:
            bound = self._bound(branch, values)
            args = [bound[name] if name in bound else self.state.local(name) for name in reason.params]
            copy = self._counting_copy()
            try:
                found = self.state.machine.play[f"reason_{number}"](copy, *args)
            finally:
                self.budget.spend(copy.steps)
            is_spot = reason.is_source and self.site.branches[branch][1][len(values)][0] == SPOT
            return range(len(found)) if is_spot else found
        except (Trouble, Refused, KeyError, IndexError, ValueError):
            return None

    def _counting_copy(self) -> Running:
        """A copy to ask something of. It is a step of work itself, and may take what is left of the budget."""
        self.budget.spend(STEP + self.state.machine.copied // 16)
        copy = self.state.fork()
        copy.steps, copy.limit = 0, self.budget.left
        return copy

    def _bound(self, branch: int, values: tuple[int, ...]) -> dict[str, int]:
        if has_spots(self.site, branch):
            values = with_pieces(self.state, self.site, branch, values)
        return dict(zip(self.site.branches[branch][2], values, strict=False))

    def _condition(self, branch: int, values: tuple[int, ...]) -> Refusal | None:
        """The first condition that does not hold, in the author's words."""
        for number, reason in self._reasons(branch):
            if not reason.is_source and self._ask(number, branch, values) == 0:
                said = phrase(self.meta, "`{condition}` does not hold", condition=reason.words)
                cites = self._line_cites(reason, branch, values) or self._cites(branch) or reason.value_cites
                return Refusal(said, cites, reason.place, self._bound(branch, values))
        return None

    def _line_cites(self, reason: Reason, branch: int, values: tuple[int, ...]) -> tuple[str, ...]:
        """The clauses of the `result` line that said no, if the condition asks a value with such lines."""
        line = None if reason.line is None else self._ask(reason.line, branch, values)
        return () if line is None else reason.line_cites[line]

    def _later(self, branch: int, raw: int) -> Refusal:
        """All conditions hold, so something that the option leads to refuses it."""
        if branch in self.site.otherwise:
            return self._refusal("it is offered only if nothing else is", branch)
        if not self._carries(raw):
            refusal = self.state.refusal()
            if self.site.kind == "set" and refusal.place == self.site.place:
                return self._refusal(TOO_LITTLE_BEHIND, branch)
            return refusal if refusal.cites else Refusal(refusal.reason, self._cites(branch), refusal.place)
        if self.site.kind == "set":
            return self._refusal(
                "a set is picked in the order of the list, and this comes too late or too early", branch
            )
        return self._refusal("it does not differ from what is offered, or something else comes first", branch)

    def _carries(self, raw: int) -> bool:
        """Whether an option can be carried through, as far as the budget goes."""
        steps = [max(1, self.budget.left // STEP)]
        before = steps[0] = min(steps[0], self.state.machine.trial_steps)
        carries = option_carries(self.state.machine, self.state, raw, steps)
        self.budget.spend(STEP * (before - steps[0]))
        return carries

    # ------------------------------------------------------------------ what exists, but not there

    def anywhere(self) -> Refusal | None:
        """Explains a label that names things which exist, but not where the decision looks for them."""
        found = self._called_so_anywhere(self.branches)
        if not found:
            return None
        best = max(found, key=lambda one: (one.met, -one.branch))
        return (
            self._failed(best) if best.failed is not None else self._refusal("its condition does not hold", best.branch)
        )

    def _called_so_anywhere(self, branches: list[int]) -> list[_Tried]:
        """How far each of these branches comes with things that make it read so, wherever they are."""
        blind = self.state.fork()  # a copy without knowledge: every piece is shown by its name, wherever it is
        left, found = _MOST_LABELS, list[_Tried]()
        for branch in branches:
            named = self._named(branch)
            domains = [self._domain(*domain) for domain in self.site.branches[branch][1]]
            tried = [domain if position in named else domain[:1] for position, domain in enumerate(domains)]
            if self.site.branches[branch][0] is None:
                tried = [self._spoken_of(blind, branch, position, domain) for position, domain in enumerate(tried)]
            size = prod(map(len, tried))
            if not domains or size > left:
                continue
            left -= size
            for values in product(*tried):
                if (self._label(blind, branch, values) or "").lower() == self.wanted:
                    found.append(self._tried(branch, {position: values[position] for position in named}))
                    break
        return found

    def _spoken_of(self, blind: Running, branch: int, position: int, domain: list[int]) -> list[int]:
        """The values of a position whose names are part of the text: a label without words of its own is all names."""
        thing = self.site.branches[branch][1][position][0]
        return [value for value in domain if value_text(blind, thing, value).lower() in self.wanted]

    def _label(self, reader: Running, branch: int, values: tuple[int, ...]) -> str | None:
        """What an option with these values would be called. A label may speak of what only things that are offered have
        (the first piece of a pile that is not empty): of others it says nothing."""
        try:
            return label_text(reader, self.site, self.site.option_of(branch, values), self.budget)
        except (IndexError, Fault):
            return None

    def _domain(self, thing: str, low: int, size: int) -> list[int]:
        if thing != "row":
            return list(range(low, low + size)) if thing != "payable" else []
        rows = self.meta.piece_row
        return [rows.index(row) for row in range(low, low + size) if row in rows]

    # ------------------------------------------------------------------ free actions, and the rest

    def among_free_actions(self) -> Refusal | None:
        """Explains a free action: it cannot be taken now, or it would be refused."""
        for number, (name, _, during, _, _) in enumerate(self.meta.free_actions):
            if label_text(self.state, self.site, FREE - number).lower() != self.wanted:
                continue
            rule = self.meta.rules[name]
            if free_action_carries(self.state.machine, self.state, number) is not False:
                said = phrase(self.meta, "this is not its moment: it may be taken during `{phase}`", phase=during)
                return Refusal(said, rule.cites, rule.place)
            refusal = self.state.refusal()
            return refusal if refusal.cites else Refusal(refusal.reason, rule.cites, rule.place)
        return None

    def by_form(self) -> Refusal | None:
        """A label that has the form of a branch, whatever it names."""
        # A label that consists of holes fits every text, so it says nothing.
        written = [branch for branch in self.branches if _letters(self.meta, self.site.branches[branch][0])]
        if not written:
            return None
        # "Take nothing" says more than "Take {c}", so it is the likelier meaning.
        branch = max(written, key=lambda n: _letters(self.meta, self.site.branches[n][0]))
        if self.site.branches[branch][1]:
            sources = [f"`{reason.words}`" for _, reason in self._reasons(branch) if reason.is_source]
            said = phrase(self.meta, "nothing in {places} is called so", places=", ".join(sources))
            return Refusal(said, self._cites(branch), self.site.place, names_nothing=True)
        return (
            self._otherwise_called(branch)
            or self._condition(branch, ())
            or self._later(branch, self.site.option_of(branch, ()))
        )

    def _otherwise_called(self, branch: int) -> Refusal | None:
        """A label may name what does not depend on the choice: `"Work in {p.at}"` is another one elsewhere."""
        label = label_text(self.state, self.site, self.site.option_of(branch, ()))
        if label.lower() == self.wanted:
            return None
        said = phrase(self.meta, "here it is called “{label}”", label=label)
        return Refusal(said, self._cites(branch), self.site.place)

    def _refusal(self, words: str, branch: int) -> Refusal:
        return Refusal(phrase(self.meta, words), self._cites(branch), self.site.place)

    def _cites(self, branch: int) -> tuple[str, ...]:
        own = self.site.branch_cites[branch] if branch < len(self.site.branch_cites) else ()
        return own or self.site.cites or self.rule_cites


def has_form(meta: Any, text: int, wanted: str) -> bool:
    """Whether a label of this text could read like that, whatever stands in its holes.

    Each hole takes at least one letter. What is written out is looked for from left to right, each part as early as it
    can stand; if that fails, so does every other way. A regular expression would try them all.
    """
    parts = [part.lower() if isinstance(part, str) else None for part in meta.texts[text][1]]
    wanted = wanted.lower()
    at, holes = 0, 0
    for number, part in enumerate(parts):
        if part is None:
            holes += 1
        elif part:
            last = number == len(parts) - 1
            found = len(wanted) - len(part) if last and holes else wanted.find(part, at + holes)
            if found < at + holes or not wanted.startswith(part, found) or (not holes and found != at):
                return False
            at, holes = found + len(part), 0
    return len(wanted) >= at + holes if holes else len(wanted) == at


def _letters(meta: Any, text: int | None) -> int:
    """How much of a label is written out."""
    return sum(len(part.strip()) for part in meta.texts[text][1] if isinstance(part, str)) if text is not None else 0
