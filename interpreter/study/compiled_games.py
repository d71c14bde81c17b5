"""Games of a study that are played, looked at and added up in C (`native/study.py`).

Here is what the numbers mean: which counters are turns, which labels the score sheet has, which thing a choice names;
and how sums become part of a tally, or numbers a row. Rows are made only for those who want them. All of it is what
`Watch` and `Tally` come to in Python, figure for figure and in the same order.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from ..native.engine import Engine
from ..native.study import NativeStudy
from ..native.unavailable import NativeUnavailable
from ..runtime.texts import render_known
from .choices import Branches, Thing
from .rows import Row
from .tally import LENGTHS, LineSums, Tally, Use, add_counts, add_uses

_CLOSE, _DECISIONS, _FORCED, _TURNS, _ROUNDS, _ENDING, _OFFERED, _CHANGES, _BEHIND = range(9)  # as in rw_study.h
_WINNERS, _LEAD, _RANKING = 9, 10, 12
_KINDS = {"row": 1, "piece": 1, "node": 2, "edge": 3}
_MOST_OPTIONS = (1 << 31) - 1


class CompiledGames:
    """Games pile up until they are `taken`. Raises NativeUnavailable if they have to be Python's."""

    def __init__(self, engine: Engine, meta: Any, turns: Sequence[int], rounds: Sequence[int]) -> None:
        blocks: list[list[int]] | None = engine.layout.get("score_texts")
        if blocks is None or any(text < 0 for lines in blocks for text in lines):
            raise NativeUnavailable("a label of the score sheet has holes")
        self._meta, self._players = meta, meta.players
        self._is_led = meta.players > 1 and meta.points_win != 0
        self._blocks = [[self._text(text, ()) for text in lines] for lines in blocks]
        self._labels = list(dict.fromkeys(label for lines in self._blocks for label in lines))
        self._things = Things(meta)
        groups = [self._labels.index(label) for lines in self._blocks for label in lines]
        self._holes: int = engine.layout["whys"]
        described = [len(turns), *turns, len(rounds), *rounds, len(self._labels), *groups]
        self._study = NativeStudy(engine, self._things.described(described))
        self._endings: list[str] = []
        self._seeds: list[Sequence[int]] = []  # of the games that have piled up

    def _text(self, text: int, values: tuple[int, ...]) -> str:
        return render_known(self._meta, text, values, lambda piece: True)

    def play(self, seeds: Sequence[int], number: int, step: int) -> int:
        """How many games were played; if not all of them, there is no more room (`is_full`), or the next one has to be
        Python's. One in `step`, by number, is looked at closely."""
        played = self._study.play(seeds, number, step)
        if played:
            self._seeds.append(seeds[:played])
        return played

    @property
    def is_full(self) -> bool:
        """No other game can be taken up before these are `taken`: too many of them differ."""
        return self._study.is_full

    def follow(self, seed: int, choices: Sequence[int]) -> bool:
        """The game of these choices, looked at closely; False if it has to be Python's."""
        followed = self._study.follow(seed, choices)
        if followed:
            self._seeds.append((seed,))
        return followed

    def taken(self, tally: Tally, with_rows: bool) -> list[Row]:
        """Adds the games so far to a tally, and forgets them; their rows, if somebody wants them."""
        if not self._seeds:
            return []
        numbers = self._study.sums()
        self._read_endings()
        _Sums(numbers, tally).add(self._labels, self._endings, self._things, self._is_led)
        rows = self._rows() if with_rows else []
        self._study.forget()
        self._seeds = []
        return rows

    def _read_endings(self) -> None:
        for text, values in self._study.endings(len(self._endings), self._holes):
            self._endings.append(self._text(text, values))

    # ------------------------------------------------------------------ rows

    def _rows(self) -> list[Row]:
        seeds = [seed for some in self._seeds for seed in some]
        different, own = self._study.rows(len(seeds))
        rests = [self._rest_of_row(numbers) for numbers in different]
        return [Row(seed, *rests[number]) for seed, number in zip(seeds, own, strict=True)]

    def _rest_of_row(self, own: list[int]) -> tuple[Any, ...]:
        """A row behind its seed."""
        players = self._players
        ranking, scores = own[_RANKING : _RANKING + players], own[_RANKING + players : _RANKING + 2 * players]
        winners = tuple([seat for seat, rank in enumerate(ranking) if rank == 1])
        is_close = bool(own[_CLOSE])
        return (
            tuple(scores), tuple(ranking), winners, self._endings[own[_ENDING]] if own[_ENDING] >= 0 else "",
            own[_DECISIONS], own[_FORCED], _some(own[_TURNS]), _some(own[_ROUNDS]), self._sheet(own),
            own[_OFFERED] if is_close else None, _some(own[_CHANGES]),
            None if own[_BEHIND] < 0 else bool(own[_BEHIND]), *(own[_LEAD : _LEAD + 2] if self._is_led else ()),
        )  # fmt: skip

    def _sheet(self, own: list[int]) -> tuple[tuple[str, tuple[int, ...]], ...]:
        """The lines in the order in which seat after seat reads them."""
        players, at = self._players, _RANKING + 2 * self._players
        masks, at = own[at : at + len(self._blocks)], at + len(self._blocks)
        sheet: dict[str, list[int]] = {}
        for seat in range(players):
            place = at + seat
            for mask, lines in zip(masks, self._blocks, strict=True):
                for label in lines:
                    if mask >> seat & 1:
                        sheet.setdefault(label, [0] * players)[seat] += own[place]
                    place += players
        return tuple((label, tuple(points)) for label, points in sheet.items())


def _some(number: int) -> int | None:
    return None if number < 0 else number


class Things:
    """Everything that a choice can name, numbered: branches, rows of pieces, nodes, edges."""

    def __init__(self, meta: Any) -> None:
        self._meta, self._branches = meta, Branches(meta)
        self._known: dict[int, Thing] = {}
        branches = len(self._branches.all) + 1  # a site that cannot be passed has a number for that too, at its end
        domains = [domain for site in meta.sites for branch in site.branches for domain in branch[1]]
        self._pieces = branches
        nodes = self._pieces + max([0, *meta.piece_row]) + 2
        self._nodes = nodes + 1  # none, where an option may name no node, is -1
        edges = self._nodes + 1 + max([len(meta.nodes), *[low + n for kind, low, n in domains if kind == "node"]])
        self._edges = edges + 1
        self._count = self._edges + 1 + max([len(meta.edges), *[low + n for kind, low, n in domains if kind == "edge"]])

    def described(self, head: list[int]) -> list[int]:
        """Those numbers as `rwx_study` wants them, behind what comes first."""
        meta, free = self._meta, len(self._branches.all) - len(self._meta.free_actions)
        bases = [free, self._pieces, self._nodes, self._edges, self._count]
        sites = [self._site(site) for site in meta.sites]
        made = [*head, *bases, *meta.piece_row[: meta.pieces]]
        begins = len(made) + len(sites)
        for site in sites:
            made.append(begins)
            begins += len(site)
        return [*made, *[number for site in sites for number in site]]

    def _site(self, site: Any) -> list[int]:
        made = [len(site.branches), self._branches.number(site.number, -1)]
        firsts = [*(site.firsts or (0,)), _MOST_OPTIONS]
        for branch, (_, domains, _) in enumerate(site.branches):
            digits = site.digits[branch]
            made += [firsts[branch], firsts[branch + 1], self._branches.number(site.number, branch), len(digits)]
            for (lowest, count), (kind, _, _) in zip(digits, domains, strict=True):
                made += [lowest, _MOST_OPTIONS if site.values_only else count, _KINDS.get(kind, 0)]
        return made

    def thing(self, number: int) -> Thing:
        found = self._known.get(number)
        if found is None:
            found = self._known[number] = self._thing(number)
        return found

    def _thing(self, number: int) -> Thing:
        if number >= self._edges - 1:
            return "edge", number - self._edges
        if number >= self._nodes - 1:
            return "node", number - self._nodes
        if number >= self._pieces:
            return "piece", number - self._pieces
        return "choice", number


@cache
def _seats_of(mask: int, players: int) -> tuple[int, ...]:
    return tuple(seat for seat in range(players) if mask >> seat & 1)


class _Sums:
    """The numbers of `rwx_study_sums`, read one after the other into a tally."""

    def __init__(self, numbers: list[int], tally: Tally) -> None:
        self._numbers, self._at, self._tally = numbers, 0, tally

    def add(self, labels: list[str], endings: list[str], things: Things, is_led: bool) -> None:
        tally, players = self._tally, self._tally.players
        tally.games += self._next()
        for mask, times in self._column().items():
            tally.add_winners(_seats_of(mask, players), times)
        for counter in tally.scores:
            add_counts(counter, self._column())
        leads, margins = self._column(), self._column()
        if is_led:
            add_counts(tally.leads, leads)
            add_counts(tally.margins, margins)
        for name in LENGTHS:
            add_counts(tally.lengths[name], self._column())
        for ending, times in self._column().items():
            tally.endings[endings[ending] if ending >= 0 else ""] += times
        for behind, times in self._column().items():
            tally.behind[bool(behind)] += times
        self._add_sheet(labels)
        self._add_close(things)

    def _next(self) -> int:
        self._at += 1
        return self._numbers[self._at - 1]

    def _some(self, count: int) -> list[int]:
        self._at += count
        return self._numbers[self._at - count : self._at]

    def _column(self) -> dict[int, int]:
        """How often which number."""
        numbers, at = self._numbers, self._at
        self._at = end = at + 1 + 2 * numbers[at]
        return dict(zip(numbers[at + 1 : end : 2], numbers[at + 2 : end : 2], strict=True))

    def _add_sheet(self, labels: list[str]) -> None:
        tally, players = self._tally, self._tally.players
        for _ in range(self._next()):
            label = labels[self._next()]
            sums = LineSums(self._some(players), self._some(players), self._next())
            if label in tally.sheet:
                tally.sheet[label].add(sums)
            else:
                tally.sheet[label] = sums
        tally.spread += self._next()

    def _add_close(self, things: Things) -> None:
        tally = self._tally
        close, firsts, offered, decisions = self._some(4)
        tally.close += close
        tally.firsts += firsts
        tally.offered += offered
        tally.offered_decisions += decisions
        add_uses(tally.uses, {things.thing(number): use for number, use in self._uses()}, are_ours=True)
        add_uses(tally.begun, dict(self._uses()), are_ours=True)
        self._add_early()

    def _add_early(self) -> None:
        """If there are very many of these choices, some come more than once."""
        numbers = self._some(2 * self._next())
        choices, times = numbers[::2], numbers[1::2]
        counts = dict(zip(choices, times, strict=True))
        if len(counts) == len(choices):
            add_counts(self._tally.early, counts)
        else:
            for choice, often in zip(choices, times, strict=True):
                self._tally.early[choice] += often

    def _uses(self) -> list[tuple[int, Use]]:
        numbers = self._some(5 * self._next())
        return [(numbers[at], Use(*numbers[at + 1 : at + 5])) for at in range(0, len(numbers), 5)]
