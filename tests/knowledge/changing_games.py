"""Random tiny games in which cards change hands several times before anybody is asked.

Chance picks a card and another one comes before it goes; a card is lent and given back; two change places, and back;
hands go round; something is shown on its way. What the wider games have comes in between.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.knowledge.random_statements import Lines, indented
from tests.knowledge.wider_games import Wider


def changing_rules(number: int) -> str:
    """The rules of the game with this number: the same number, the same rules."""
    return Changing(random.Random(number)).game()


class Changing(Wider):
    def statements(self) -> list[Callable[[str, str], Lines]]:
        if not self.cards or self.chance.random() < 0.25:
            return super().statements()
        return [self.changes, self.changes, self.lends, self.hands_round, self.sees_pass, self.in_bag, self.draws_named]

    def picked(self, c: str, p: str) -> Lines:
        """A line that names a card of a hand, behind which a block stands."""
        return [
            self.chance.choice(
                (
                    f"pick {c} in {p}.hand at random if possible",
                    f"pick {c} in {p}.hand by {self.chance.choice(('highest', 'lowest'))} {c}.rank if possible",
                    f'{p} chooses {c} in {p}.hand secretly "Which do you give?" if possible',
                    f'{p} chooses {c} in {p}.hand "Which do you give?" if possible',
                )
            )
        ]

    def on_the_way(self, p: str, q: str, *names: str) -> Lines:
        """Something between the choice of cards and their going."""
        c = self.chance.choice(names)
        found = [[], [], [f"draw up to 1 from deck to {self.chance.choice((p, q))}.hand"], [f"reveal {c} to {q}"]]
        found += [[f"reveal {c}"], [f"{p} gains 1 points"], [f'{q} chooses n in 1..2 "Well?"']]
        return self.chance.choice(found)

    def changes(self, p: str, q: str) -> Lines:
        c, d = self.name("c"), self.name("d")
        goes, comes = f"move {c} to {q}.hand", f"move {d} to {p}.hand"
        acts = [[goes, comes], [comes, goes], [f"swap {c} with {d}"]]
        acts += [[f"swap {c} with {d}", f"swap {c} with {d}"], [goes, *self.on_the_way(p, q, c, d), comes]]
        acts += [[goes, f"move {d} to {self.any_place(p, q)}"], [goes, f"reveal {d}", comes]]
        body = [*self.on_the_way(p, q, c, d), *self.chance.choice(acts)]
        return [*self.picked(c, p), *indented([*self.picked(d, q), *indented(body)])]

    def lends(self, p: str, q: str) -> Lines:
        how = [self.chance.choice(("highest", "lowest")) for _ in range(2)]
        between = self.chance.choice(([], [], self.small(p, q)))
        return [
            f"move up to 1 c in {p}.hand by {how[0]} c.rank to {q}.hand",
            *between,
            f"move up to 1 c in {q}.hand by {how[1]} c.rank to {self.chance.choice((f'{p}.hand', 'heap', 'deck'))}",
        ]

    def hands_round(self, p: str, q: str) -> Lines:
        found = ["pass hand left", "pass hand right", f"swap {p}.hand with {q}.hand"]
        return [self.chance.choice(found), *self.small(p, q), self.chance.choice(found)]

    def sees_pass(self, p: str, q: str) -> Lines:
        to = self.any_place(p, q)
        found = [
            ["if deck is not empty", "  reveal top of deck", f"  move top of deck to {to}"],
            ["if deck is not empty", f"  reveal top of deck to {p}", "  move top of deck to deck on bottom"],
            [f"draw up to 1 from deck to {p}.hand", f"move up to 1 c in {p}.hand by lowest c.rank to {to}"],
            [f"for c in {p}.hand", f"  reveal c to {q}", f"move all c in {p}.hand to {q}.hand"],
            [f"reveal all c in {p}.hand where {self.of_card('c')}", "shuffle deck"],
            [f"move all c in {p}.hand to deck", "shuffle deck", f"draw up to 2 from deck to {q}.hand"],
        ]
        return self.chance.choice(found)

    def in_bag(self, p: str, q: str) -> Lines:
        place = "bag" if self.bag else "heap"
        c = self.name("c")
        found = [
            [*self.picked(c, p), f"  move {c} to {place}", *indented(self.on_the_way(p, q, c))],
            [f"pick {c} in {place} at random if possible", f"  move {c} to {self.any_place(p, q)}"],
            [f"pick {c} in {place} at random if possible", *indented(self.on_the_way(p, q, c)), f"  move {c} to deck"],
        ]
        return self.chance.choice(found)

    def draws_named(self, p: str, q: str) -> Lines:
        x = self.name("x")
        after = [f"reveal {x} to {q}", f"move {x} to {self.any_place(p, q)}", f"move {x} to {q}.hand", f"reveal {x}"]
        body = self.chance.sample(after, self.chance.choice((1, 2)))
        return [f"draw up to 1 from deck to {p}.hand as {x}", f"if {x} is not none", *indented(body)]
