"""Which seed a game has, and whether the games of neighbouring seeds resemble each other.

Game number i of a study has the seed `first + i`, so that anybody can replay it. The generator of a game and that of
its random choices are then set to states which lie on a line: each is the one before plus a constant. What is drawn
first is therefore spread more evenly than chance would have it (the means of a study scatter less than its intervals
say), and for a few numbers of options less evenly: with five options each, the third choice of neighbouring seeds is
mostly the same (`docs/studies.md` has the sizes). In games of more choices the paths part, and nothing of it is left.
Bots that think draw from generators of their own, which are mixed well.

Three things keep that from misleading anybody. Studies can be `spread`: game number i then has a seed that is mixed
from `first` and i, unrelated to its neighbour's. A study by random bots looks at the first choices of its games: each
option must come up equally often. And it looks at its *blocks* (the batches in which it is played): wins must not vary
more from block to block than single games allow. If either is not so, the report says it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from ..play.seeds import derived_seed
from .rows import early_parts
from .statistics import chi_square_tail
from .tally import PARTS, Tally

_RESEMBLE = 1e-4  # so seldom does chance alone make the blocks differ so much
_UNEVEN = 1e-6  # so seldom does it make some choice so uneven
_FEWEST_EACH = 5  # games for each option, to judge by


def seed_of(first: int, number: int, spread: bool) -> int:
    """The seed of a game. `number` counts from `first` on, as the batches do."""
    return derived_seed(first, number - first) if spread else number


@dataclass
class Blocks:
    """Sums over blocks of consecutive games: enough to compare their scatter with that of single games."""

    count: int = 0
    squares: dict[int, float] = field(default_factory=dict)  # seat -> sum of (wins of a block)^2 / games of it

    def take(self, tally: Tally) -> None:
        """One more block."""
        self.count += 1
        for seat, parts in tally.parts.items():
            won = parts / PARTS
            self.squares[seat] = self.squares.get(seat, 0.0) + won * won / tally.games

    def excess(self, tally: Tally, seat: int) -> tuple[float, float]:
        """How many times the variance of single games the blocks show, and how likely chance alone makes that much;
        `tally` has all blocks together."""
        games, parts = tally.games, tally.parts[seat]
        scatter = (
            games * tally.part_squares[seat] - parts * parts
        )  # whole numbers: equal games scatter by nothing at all
        if self.count < 2 or scatter <= 0:
            return 1.0, 1.0
        mean, variance = parts / PARTS / games, scatter / (PARTS * games) ** 2
        square = (self.squares.get(seat, 0.0) - games * mean * mean) / variance
        return square / (self.count - 1), chi_square_tail(square, self.count - 1)


def uneven(early: Counter[int]) -> tuple[int, int, int, float] | None:
    """The choice that is least evenly spread, if chance alone would hardly do that: which one (from 0), of how many
    options, which option was taken most, and its share."""
    groups: dict[tuple[int, int], list[int]] = {}
    for packed, times in early.items():
        choice, options, taken = early_parts(packed)
        groups.setdefault((choice, options), [0] * options)[taken] += times
    worst, found = _UNEVEN / max(1, len(groups)), None
    for (choice, options), counts in groups.items():
        games = sum(counts)
        if games < _FEWEST_EACH * options:
            continue
        square = sum((count - games / options) ** 2 for count in counts) * options / games
        chance = chi_square_tail(square, options - 1)
        if chance < worst:
            worst, found = chance, (choice, options, counts.index(max(counts)), max(counts) / games)
    return found


def resemblance(blocks: Blocks, tally: Tally, seats: Sequence[str]) -> str | None:
    """A caution if random games of neighbouring seeds resemble each other."""
    found = uneven(tally.early)
    if found is not None:
        choice, options, taken, share = found
        return (
            f"Games of neighbouring seeds resemble each other here: choice {choice + 1} of a game, among {options} "
            f"options, is option {taken + 1} in {100 * share:.0f} % of the games. No figure can be trusted. Add "
            "`--spread`."
        )
    excess = [(*blocks.excess(tally, seat), name) for seat, name in enumerate(seats)]
    times, chance, name = max(excess, default=(1.0, 1.0, ""))
    if chance >= _RESEMBLE:
        return None
    return (
        f"Games of neighbouring seeds resemble each other here: the wins of {name} vary {times:.1f} times as much from "
        "one run of seeds to the next as single games would make them, so the intervals are too narrow. Add `--spread`."
    )


@dataclass
class Resembling:
    """Looks at the games of a study batch by batch, whoever plays them."""

    is_random: bool  # all seats choose at random, and the seeds are neighbours: else there is nothing to look for
    blocks: Blocks = field(default_factory=Blocks)
    whole: Tally | None = None

    def take(self, batch: Tally) -> None:
        """One more batch."""
        if not self.is_random:
            return
        self.blocks.take(batch)
        if self.whole is None:
            self.whole = Tally(batch.players)
        self.whole.merge(batch)

    def take_closely(self, games: Tally) -> None:
        """Games that are among those taken, each looked at closely: their first choices count in place of the rest."""
        if self.whole is not None:
            self.whole.early = games.early

    def told(self, seats: Sequence[str]) -> list[str]:
        """The caution, if there is one."""
        found = resemblance(self.blocks, self.whole, seats) if self.whole is not None else None
        return [] if found is None else [found]


def looks_for_neighbours(bots: Sequence[str], spread: bool) -> Resembling:
    return Resembling(not spread and all(kind == "random" for kind in bots))
