"""Random tiny games with secrets, made from a number: the same number, the same rules.

A game is put together from what the reference of the language has for secrets: hands, slots, rows face down, bags,
fields that are secret or hidden, dice, spaces, roles; and from statements (`random_statements.py`). Not every text is a
game: the checker refuses some for what they would tell, and those are left out (`hunt.py` counts them by code). What is
left is so small, most of the time, that all its histories can be played.
"""

from __future__ import annotations

import random

from tests.knowledge.random_statements import Lines, Statements, indented


def random_rules(number: int) -> str:
    """The rules of the game with this number."""
    return Maker(random.Random(number)).game()


class Maker(Statements):
    """The frame of a game: declarations, setup, course."""

    def game(self) -> str:
        phases: Lines = []
        calls: Lines = []
        for number in range(self.chance.choice((1, 2, 2, 3))):
            name = f"step{number + 1}"
            phases += [f"phase {name}(p)", *indented(self.block("p", "rival(p)", self.chance.choice((1, 2, 2, 3))))]
            calls += self.calls(name)
        if self.chance.random() < 0.3:
            together = ["together p in players", *indented(self.aside_block("p"))]
            calls = [*calls, "all_choose"] if self.chance.random() < 0.5 else ["all_choose", *calls]
            self.effects += ["phase all_choose", *indented(together)]
        calls += [f"rest({self.chance.choice(('seat1', 'seat2'))})"]
        rest = ["phase rest(p)", '  choose n in 1..2 "Go on?"', "  gain n points"]
        hooks = self.hook() if self.chance.random() < 0.15 else []
        whole = [*self.declarations(), "setup", *indented(self.setup()), "play", *indented(calls)]
        return "\n".join([*whole, *phases, *self.effects, *hooks, *rest]) + "\n"

    def calls(self, name: str) -> Lines:
        kind = self.chance.randrange(6)
        if kind == 0:
            return ["for q in players", f"  {name}(q)"]
        if kind == 1:
            return [f"{name}(seat2)", f"{name}(seat1)"]
        return [f"{name}({self.chance.choice(('seat1', 'seat2'))})"]

    def declarations(self) -> Lines:
        lines: Lines = []
        if self.colours:
            lines += ["enum Colour = red | blue"]
        if self.roles:
            lines += ["enum Role = wolf | lamb"]
        if self.cards:
            colour = ", colour: Colour" if self.colours else ""
            lines += ["kind Card", f"  copies {self.copies} for each rank: 1..{self.ranks}{colour}"]
        if self.spots:
            lines += ["map road is line of 3", "  node Spot"]
        table = []
        if self.cards:
            table += ["deck: pile of Card hidden", "discard: pile of Card open", "heap: pool of Card hidden"]
        if self.row:
            table += ["line: row of Card open"]
        if self.bag:
            table += ["bag: bag of Card hidden"]
        if self.weather:
            table += ["weather: 1 dice of 1..3 hidden"]
        table += ["told: 0..99"]
        lines += ["table", *indented(table), "each player", *indented(self.own_fields())]
        if self.marks:
            lines += ["each Card", "  marked: flag"]
        if self.money:
            lines += ["currency card for p", f"  p.hand by colour back to {self.chance.choice(('heap', 'discard'))}"]
        return lines

    def own_fields(self) -> Lines:
        lines = ["points: 0..99"]
        if self.cards:
            lines += ["hand: hand of Card secret"]
        if self.slot:
            lines += [f"kept: slot of Card {self.chance.choice(('secret', 'secret', 'hidden'))}"]
        if self.stash:
            lines += [f"stash: pool of Card {self.chance.choice(('secret', 'hidden'))}"]
        if self.rack:
            lines += ["rack: row of Card open to others"]
        if self.bid:
            lines += ["bid: 0..9 secret"]
        if self.purse:
            lines += [f"purse: 0..9 capped {self.chance.choice(('secret', 'hidden'))} = {self.chance.randint(0, 2)}"]
        if self.dice:
            lines += [f"cup: {self.chance.randint(1, 2)} dice of 1..2 secret"]
        if self.spots:
            lines += ["trap[Spot]: flag secret", "lair: Spot? secret"]
        if self.roles:
            lines += ["role: Role secret = lamb"]
        return lines

    def setup(self) -> Lines:
        lines: Lines = []
        if self.cards:
            lines += ["move all c in Card to deck", "shuffle deck"]
            dealt = self.chance.choice((1, 2, 2))
            if self.chance.random() < 0.5:
                lines += ["for p in players", f"  draw {1 if self.ranks < 4 else dealt} from deck to p.hand"]
            else:
                lines += [f"draw {dealt} from deck to {self.chance.choice(('seat1', 'seat2'))}.hand"]
            if self.slot:
                lines += [f"draw 1 from deck to {self.chance.choice(('seat1', 'seat2'))}.kept"]
            if self.row:
                lines += ["draw up to 2 from deck to line face down"]
            if self.bag:
                lines += ["draw up to 2 from deck to bag"]
            if self.rack:
                lines += [f"draw up to 1 from deck to {self.chance.choice(('seat1', 'seat2'))}.rack"]
        if self.dice:
            lines += [self.chance.choice(("roll seat1.cup", "roll seat2.cup", "for p in players\n    roll p.cup"))]
        if self.weather:
            lines += ["roll weather"]
        if self.roles:
            lines += ["pick q in players at random", "q.role = wolf"]
        return lines or ["seat1 gains 0 points"]

    def hook(self) -> Lines:
        kinds = ["rises"]
        if self.cards:
            kinds += ["grows", "enters", "leaves"]
        kind = self.chance.choice(kinds)
        if kind == "rises":
            line = "draw up to 1 from deck to p.hand" if self.cards else "told += 1"
            return ["after p.points rises", f"  {line}"]
        if kind == "grows":
            return ["after p.hand grows", f"  {self.chance.choice(('told += 1', 'p gains 1 points', 'reveal p.hand'))}"]
        if kind == "enters":
            return ["after c enters discard", "  told += c.rank"]
        return [
            "after c leaves p.hand",
            *indented([self.chance.choice(("p.bid = c.rank" if self.bid else "told += 1", "gain 1 points"))]),
        ]

    # ------------------------------------------------------------------ at the same time

    def aside_block(self, p: str) -> Lines:
        """What everybody does at the same time: only what is one's own, and unseen."""
        found: list[Lines] = []
        if self.stash:
            found += [[f'{p} chooses c in {p}.hand secretly "Lay which?" if possible', f"  move c to {p}.stash"]]
        if self.bid:
            found += [[f'{p} chooses n in 0..2 secretly "Bid?"', f"{p}.bid = n"]] * 2
            found += [[f'{p} chooses n in 1..2 secretly "Bid?"', f"if {self.own_number(p)} > n", f"  {p}.bid = n"]]
        if self.dice:
            found += [[f"roll {p}.cup"], [f'{p} may "Roll again"', f"  roll {p}.cup[1]"]]
        if self.spots:
            found += [self.hides(p, p), self.traps(p, p)]
        if self.roles and self.bid:
            found += [[f'{p} chooses n in 1..2 secretly "Whom?"', f"if {p}.role == wolf", f"  {p}.bid = n"]]
        if self.bid:
            found += [['choose one "Plan?"', '  "A"', f"    {p}.bid = 1", '  "B"', f"    {p}.bid = 2"]]
        if not found:
            return [f'{p} chooses n in 1..2 secretly "Think?"', f'say "{{n}}" to {p}']
        lines: Lines = []
        for made in self.chance.sample(found, min(len(found), self.chance.choice((1, 1, 2)))):
            lines += made
        return lines

    def own_number(self, p: str) -> str:
        if self.cards:
            return f"sum(c.rank for c in {p}.hand)"
        return f"{p}.bid"
