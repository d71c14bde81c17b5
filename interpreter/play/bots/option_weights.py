"""How likely a good player is to choose an option, judged by what the option is: the prior of a search.

Each option is a branch of a site with the values that it binds. A *feature* of an option is one such thing: "this
branch", "this value of that choice", "a copy of this card", "the player after me". Each has a positive weight, and how
likely an option is chosen goes with the product of the weights of its features (Coulom 2007, "Computing Elo ratings of
move patterns"): a weight of 2 makes it twice as likely, 1 says nothing. Features come from the sites of a game alone,
so they exist for every game; they read nothing of a position but the pieces that are offered, and of a piece that its
player does not see (`SPOT`) nothing at all.

    prior of an option = 0.75 * product / sum of the products of all options + 0.25 / number of options

The quarter that all share keeps every option in the search. Products and sums are taken in the order of the options
and their values, so the native engine (`rw_policy.h`) gets the same doubles.

Free actions have the first weights, in their order. `numbers` describes the rest to the engine, and the functions here
follow the same description:

    for each site     the number of the weight of passing; how many branches, then for each
        branch        its first option; the number of its weight; how many values, then for each
            value     the lowest; how many; what it is (a sort below); the number of the first of its weights
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...compile.meta import FREE, Meta
from ...runtime.spots import SPOT

_SILENT, _VALUE, _PIECE, _PLAYER = range(4)  # sorts of values: without weights, by itself, by its row, from oneself on
_MOST_VALUES = 256  # of one choice, to have a weight for each
_MOST_WEIGHTS = 20_000
_SHARED = 0.25


class OptionFeatures:
    """The features of the options of one game; `count` of them."""

    def __init__(self, meta: Meta) -> None:
        self._players = meta.players
        self._piece_row = meta.piece_row
        self._rows = len(meta.row_ids)
        self.count = len(meta.free_actions)
        self._sites: list[tuple[int, list[tuple[int, int, list[tuple[int, int, int, int]]]]]] = []
        for site in meta.sites:
            passing = self._more(1)
            branches = []
            for number, (_, domains, _) in enumerate(site.branches):
                own = self._more(1)
                digits = site.digits[number] if number < len(site.digits) else ()
                values = [self._value(thing, *digit) for (thing, _, _), digit in zip(domains, digits, strict=False)]
                branches.append((0 if site.values_only else site.firsts[number], own, values))
            self._sites.append((passing, branches))

    def _more(self, count: int) -> int:
        first = self.count
        self.count += count
        return first

    def _value(self, thing: str, lowest: int, count: int) -> tuple[int, int, int, int]:
        sort, weights = _SILENT, 0
        if thing in ("piece", "row"):
            sort, weights = _PIECE, self._rows
        elif thing == "player":
            sort, weights = _PLAYER, self._players
        elif thing != SPOT:
            sort, weights = _VALUE, count
        if sort == _SILENT or weights > _MOST_VALUES or self.count + weights > _MOST_WEIGHTS:
            return lowest, count, _SILENT, 0
        return lowest, count, sort, self._more(weights)

    def numbers(self) -> list[int]:
        """The description, as the engine reads it."""
        found: list[int] = []
        for passing, branches in self._sites:
            found += [passing, len(branches)]
            for first, own, values in branches:
                found += [first, own, len(values)]
                for value in values:
                    found += value
        return found

    def of(self, site: int, player: int, option: int) -> list[int]:
        """The numbers of the weights of an option, in the order in which they are multiplied."""
        if option <= FREE:
            return [FREE - option]
        passing, branches = self._sites[site]
        if option < 0:
            return [passing]
        at = 0
        while at + 1 < len(branches) and branches[at + 1][0] <= option:
            at += 1
        first, own, values = branches[at]
        found, rest = [own], option - first
        for lowest, count, sort, weights in reversed(values):
            value, rest = rest % count + lowest, rest // count
            if sort == _VALUE:
                found.append(weights + value - lowest)
            elif sort == _PLAYER and 0 <= value < self._players:
                found.append(weights + (value - player) % self._players)
            elif sort == _PIECE and 0 <= value < len(self._piece_row) and self._piece_row[value] >= 0:
                found.append(weights + self._piece_row[value])
        return found


def priors(features: OptionFeatures, weights: Sequence[float], world: Any, options: Sequence[int]) -> list[float]:
    """How likely each option of the pending decision is, all together 1."""
    products: list[float] = []
    total = 0.0
    for option in options:
        product = 1.0
        for number in features.of(world.site, world.who, option):
            product *= weights[number]
        products.append(product)
        total += product
    equal = _SHARED / len(options)
    return [(1.0 - _SHARED) * product / total + equal for product in products]
