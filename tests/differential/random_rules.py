"""Random small rulesets: a grammar of the language's statements over a fixed table of things, with small bounds.

`ruleset(seed)` gives the same text for the same seed. Texts are well-typed more often than not; what the checker
refuses is thrown away by whoever asks. Numbers may leave their ranges, requirements may fail and loops may run long:
faults are part of what is compared.
"""

from __future__ import annotations

import random

THINGS = """enum Suit = clubs | hearts
kind Card
  copies 2 for each suit: Suit, rank: 1..3
chart price(n: 0..9): 0..9 = 0, 1, 1, 2, 3, 5, 8, 9, 9, 9
table
  round: 0..40
  stock: 0..9 = 5
  slots_of[1..4]: 0..5
  deck: pile of Card open
  market: pool of Card open
  river: row of Card open
  dice: 2 dice of 1..6
each player
  hand: hand of Card open
  coins: 0..20 = 4
  goods: 0..9
  ready: flag
setup
  move all c in Card to deck
  shuffle deck
  draw 4 from deck to market
  for p in players
    draw 2 from deck to p.hand
"""
COURSES = (
    "play\n  in turn p from seat1 until round >= 6\n    round += 1\n    turn(p)\n",
    "play\n  repeat 3 times\n    for p in players\n      turn(p)\n",
    "play\n  while round < 6 at most 8 times\n    round += 1\n    turn(seat1)\n    turn(seat2)\n",
)
ENDS = 'score p\n  "Coins" p.coins\n  "Cards" sum(c.rank for c in p.hand)\nrank p by highest score, then shared\n'


class Writer:
    """Writes one ruleset. `numbers`, `cards` and `sets` are the locals in scope."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.lines: list[str] = []
        self.made = 0  # of names
        self.left = 14  # statements that may still be written
        self.effects = [f"e{n}" for n in range(self.rng.randint(1, 3))]
        self.numbers: list[str] = []
        self.cards: list[str] = []
        self.callable: list[str] = []
        self.may_ask = True
        self.loops = 0  # around what is written

    def name(self, stem: str) -> str:
        self.made += 1
        return f"{stem}_{self.made}"

    # ------------------------------------------------------------------ expressions

    def number(self, depth: int = 2) -> str:
        leaves = ["1", "2", "3", "stock", "p.coins", "p.goods", "round", "dice[1].face otherwise 0", *self.numbers]
        leaves += [f"{card}.rank" for card in self.cards]
        if depth == 0 or self.rng.random() < 0.4:
            return self._closed(self.rng.choice(leaves))
        one, other = self.number(depth - 1), self.number(depth - 1)
        local = self.name("x")
        return self.rng.choice((
            f"({one} + {other})", f"({one} - {other})", f"({one} * 2)", f"({one} mod 3)", f"({one} div 2)",
            f"min({one}, {other})", f"max({one}, {other})", f"count({self.place()})",
            f"count({local} in {self.place()} where {local}.rank > {self.rng.randint(0, 2)})",
            f"sum({local}.rank for {local} in {self.place()})", f"slots_of[{self.rng.randint(1, 4)}]",
            f"price({self.rng.randint(0, 9)})", f"worth(p, {self.rng.randint(0, 3)})",
            f"({one} if {self.condition(0)} else {other})",
        ))  # fmt: skip

    def _closed(self, text: str) -> str:
        return f"({text})" if " " in text else text

    def place(self) -> str:
        return self.rng.choice(("market", "river", "deck", "p.hand", "p.hand"))

    def condition(self, depth: int = 1) -> str:
        local = self.name("y")
        simple = [
            f"{self.number(0)} {self.rng.choice(('<', '<=', '==', '>', '!='))} {self.number(0)}",
            f"{self.place()} is {self.rng.choice(('empty', 'not empty'))}",
            f"some {local} in {self.place()} has {local}.rank == {self.rng.randint(1, 3)}",
            f"every {local} in {self.place()} has {local}.suit == clubs",
            "p.ready", "not p.ready", *(f"{card}.suit == hearts" for card in self.cards),
        ]  # fmt: skip
        if depth == 0 or self.rng.random() < 0.6:
            return self.rng.choice(simple)
        word = self.rng.choice(("and", "or"))
        return f"({self.condition(depth - 1)} {word} {self.condition(depth - 1)})"

    # ------------------------------------------------------------------ statements

    def block(self, indent: int, depth: int) -> None:
        begun = len(self.lines)
        for _ in range(self.rng.randint(1, 3)):
            if self.left > 0:
                self.statement(indent, depth)
        if len(self.lines) == begun:
            self.write(indent, "gain up to 1 coins")

    def write(self, indent: int, text: str) -> None:
        self.left -= 1
        self.lines.append("  " * indent + text)

    def statement(self, indent: int, depth: int) -> None:
        plain = (
            self._store, self._store, self._gain, self._gain, self._move, self._move, self._draw, self._require,
            self._pay, self._say, self._chance, self._let, self._call, self._call,
        )  # fmt: skip
        nested = (self._if, self._if, self._for, self._repeat, self._while)
        asking = (self._choose, self._choose, self._one, self._may, self._set, self._pick)
        forms = plain + (nested if depth > 0 else ()) + (asking if depth > 0 and self.may_ask else ())
        self.rng.choice(forms)(indent, depth)

    def inside(self, indent: int, depth: int, numbers: tuple[str, ...] = (), cards: tuple[str, ...] = ()) -> None:
        """A block in which these locals are known too."""
        self.numbers += numbers
        self.cards += cards
        self.block(indent, depth - 1)
        del self.numbers[len(self.numbers) - len(numbers) :]
        del self.cards[len(self.cards) - len(cards) :]

    def _store(self, indent: int, depth: int) -> None:
        where, most = self.rng.choice((("stock", 9), ("p.goods", 9), (f"slots_of[{self.rng.randint(1, 4)}]", 5)))
        value = self.number()
        safe = f"max(0, min({most}, {value}))" if self.rng.random() < 0.8 else value
        self.write(indent, f"{where} = {safe}" if self.rng.random() < 0.8 else f"p.ready = {self.condition()}")

    def _gain(self, indent: int, depth: int) -> None:
        verb = self.rng.choice(("gain up to", "lose up to", "gain up to", "gain", "lose"))
        self.write(indent, f"{verb} {self.rng.randint(0, 3)} {self.rng.choice(('coins', 'goods'))}")

    def _move(self, indent: int, depth: int) -> None:
        local = self.name("c")
        forms = [
            f"move all {local} in {self.place()} where {local}.rank == {self.rng.randint(1, 3)} to {self.place()}",
            f"move up to {self.rng.randint(1, 2)} {local} in {self.place()} to {self.place()}",
            *(f"move {card} to {self.place()}" for card in self.cards),
        ]
        self.write(indent, self.rng.choice(forms))

    def _draw(self, indent: int, depth: int) -> None:
        how = self.rng.choice(("up to 1", "up to 2", "1"))
        self.write(indent, f"draw {how} from deck to {self.rng.choice(('p.hand', 'market', 'river'))}")

    def _require(self, indent: int, depth: int) -> None:
        self.write(indent, f'requires {self.condition()} "not now"')

    def _pay(self, indent: int, depth: int) -> None:
        self.write(indent, f"pay {self.rng.randint(0, 3)} {self.rng.choice(('coins', 'goods'))}")

    def _say(self, indent: int, depth: int) -> None:
        self.write(indent, 'say "{p} has {p.coins}"')

    def _chance(self, indent: int, depth: int) -> None:
        self.write(indent, self.rng.choice(("roll dice", "shuffle deck")))

    def _let(self, indent: int, depth: int) -> None:
        local = self.name("v")
        self.write(indent, f"let {local} = {self.number()}")
        self.block(indent, 0)

    def _call(self, indent: int, depth: int) -> None:
        if self.callable:
            self.write(indent, f"{self.rng.choice(self.callable)}(p, {self.rng.randint(0, 3)})")
        else:
            self._gain(indent, depth)

    def _if(self, indent: int, depth: int) -> None:
        self.write(indent, f"if {self.condition()}")
        self.inside(indent + 1, depth)
        if self.rng.random() < 0.5:
            self.write(indent, "else")
            self.inside(indent + 1, depth)

    def passes(self, indent: int, depth: int, numbers: tuple[str, ...] = (), cards: tuple[str, ...] = ()) -> None:
        self.loops += 1
        self.inside(indent, depth, numbers, cards)
        self.loops -= 1

    def _for(self, indent: int, depth: int) -> None:
        local = self.name("f")
        if self.rng.random() < 0.5:
            self.write(indent, f"for {local} in 1..{self.rng.choice((2, 3, 40))}")
            self.passes(indent + 1, depth, numbers=(local,))
        else:
            self.write(indent, f"for {local} in {self.place()} where {local}.rank < 3")
            self.passes(indent + 1, depth, cards=(local,))

    def _repeat(self, indent: int, depth: int) -> None:
        self.write(indent, f"repeat {self.rng.choice(('2', '3', 'min(3, p.goods)'))} times")
        self.passes(indent + 1, depth)

    def _while(self, indent: int, depth: int) -> None:
        self.write(indent, f"while {self.condition()} at most {self.rng.randint(1, 4)} times")
        self.passes(indent + 1, depth)

    def _choose(self, indent: int, depth: int) -> None:
        local, other = self.name("k"), self.name("k")
        possible = " if possible" if self.rng.random() < 0.5 else ""
        if self.rng.random() < 0.4:
            self.write(indent, f'choose {local} in 1..{self.rng.randint(1, 4)} "How many?"')
            self.inside(indent, depth, numbers=(local,))
        elif self.rng.random() < 0.6:
            self.write(
                indent, f'choose {local} in {self.place()} where {local}.rank < {self.rng.randint(2, 4)} "?"{possible}'
            )
            self.inside(indent + 1, depth, cards=(local,))
        else:
            both = f"{local} in market, {other} in p.hand where {other}.rank >= {local}.rank"
            self.write(indent, f'choose {both} "Which two?" if possible')
            self.inside(indent + 1, depth, cards=(local, other))

    def _one(self, indent: int, depth: int) -> None:
        self.write(indent, 'choose one "What?"')
        for number in range(self.rng.randint(1, 3)):
            local = self.name("b")
            bound = self.rng.random() < 0.5
            test = f" if {self.condition()}" if self.rng.random() < 0.6 else ""
            label = f'"Way {number} {{{local}}}" for {local} in 1..2' if bound else f'"Way {number}"'
            self.write(indent + 1, f"{label}{test}")
            self.inside(indent + 2, depth, numbers=(local,) if bound else ())
        self.write(indent + 1, 'otherwise "Nothing"')

    def _may(self, indent: int, depth: int) -> None:
        self.write(indent, self.rng.choice(('may "Go on?"', 'may repeatedly "Again?"')))
        self.inside(indent + 1, depth)

    def _set(self, indent: int, depth: int) -> None:
        local, chosen = self.name("s"), self.name("s")
        how = self.rng.choice(("2", "1..2", "up to 2", "any"))
        such = f" such that sum({local}_x.rank for {local}_x in {chosen}) mod 2 == 0" if self.rng.random() < 0.5 else ""
        self.write(indent, f'choose {how} {local} in {self.place()} as {chosen}{such} "Which?" if possible')
        self.write(indent + 1, f"move {chosen} to {self.rng.choice(('market', 'river'))}")

    def _pick(self, indent: int, depth: int) -> None:
        local = self.name("r")
        random_or = self.rng.choice((" at random", ""))
        self.write(indent, f"pick {local} in {self.place()}{random_or} if possible")
        self.inside(indent + 1, depth, cards=(local,))

    # ------------------------------------------------------------------ the whole

    def whole(self) -> str:
        rng = self.rng
        for effect in self.effects:
            self.lines.append(f"effect {effect}(p, n: 0..3)")
            self.numbers, self.may_ask = ["n"], rng.random() < 0.4
            self.left = 5
            self.block(1, 2)
            self.numbers = []
            self.callable.append(effect)
        effects, self.lines = self.lines, ["phase turn(p)"]
        self.left, self.may_ask = 14, True
        while self.left > 4:
            self.statement(1, 3)
        rules = [THINGS.rstrip(), rng.choice(COURSES).rstrip(), *self.lines, *effects]
        rules.append(
            f"value worth(p, n: 0..3): 0..99 = min(99, n * {rng.choice(('p.coins', 'count(p.hand)', 'stock'))})"
        )
        return "\n".join((*rules, ENDS))


def ruleset(seed: int) -> str:
    return Writer(seed).whole()


class Leaver(Writer):
    """Rules that are left on the way, by `done` and `stop`, before chance and before what may be refused."""

    def statement(self, indent: int, depth: int) -> None:
        if depth > 0 and self.rng.random() < 0.3:
            self.rng.choice((self._leave, self._leave, self._chance, self._require, self._deploy))(indent, depth)
        else:
            super().statement(indent, depth)

    def _leave(self, indent: int, depth: int) -> None:
        word = "stop" if self.loops and self.rng.random() < 0.7 else "done"
        if self.may_ask and self.rng.random() < 0.4:
            self.write(indent, 'choose one "Leave?"')
            self.write(indent + 1, '"Leave"')
            self.inside(indent + 2, 1)
            self.write(indent + 2, word)
            self.write(indent + 1, '"Stay"')
            self.inside(indent + 2, 1)
        else:
            self.write(indent, f"if {self.condition()}")
            self.write(indent + 1, word)

    def _deploy(self, indent: int, depth: int) -> None:
        """A loop that asks again for what may be there as before."""
        if not self.may_ask:
            return self._chance(indent, depth)
        place, number, card = self.place(), self.name("d"), self.name("d")
        self.write(indent, "while p.goods > 0")
        self.write(
            indent + 1, f'choose {card} in {place} where {card}.rank < 3, {number} in 1..p.goods "Which, how many?"'
        )
        self.write(indent + 1, f"p.goods -= {number}")
        self.passes(indent + 1, 1, numbers=(number,), cards=(card,))
        return None


class Mixer(Leaver):
    """The same with calls that may or may not be possible, results, hooks, orders, and places that are full."""

    def statement(self, indent: int, depth: int) -> None:
        if depth > 0 and self.rng.random() < 0.35:
            forms = (
                self._call_if_possible, self._first_possible, self._result, self._else, self._fill, self._walk,
                *((self._any_order, self._ordered) if self.may_ask else ()),
            )  # fmt: skip
            self.rng.choice(forms)(indent, depth)
        else:
            super().statement(indent, depth)

    def _called(self) -> str:
        return f"{self.rng.choice(self.callable)}(p, {self.rng.randint(0, 3)})"

    def _call_if_possible(self, indent: int, depth: int) -> None:
        if not self.callable:
            return self._require(indent, depth)
        if self.rng.random() < 0.5:
            return self.write(indent, f"{self._called()} if possible")
        self.write(indent, f"if can {self._called()}")
        return self.inside(indent + 1, depth)

    def _first_possible(self, indent: int, depth: int) -> None:
        if not self.callable:
            return self._require(indent, depth)
        self.write(indent, "first possible")
        for _ in range(2):
            self.write(indent + 1, self._called())
        return None

    def _result(self, indent: int, depth: int) -> None:
        local = self.name("t")
        self.write(indent, f"let {local} = given(p, {self.rng.randint(0, 3)})")
        self.write(indent, f"gain up to {local} coins")

    def _else(self, indent: int, depth: int) -> None:
        if not self.may_ask:
            return self._if(indent, depth)
        self.write(indent, f'may "Or else?" if {self.condition()}')
        self.inside(indent + 1, depth)
        self.write(indent, "else")
        return self.inside(indent + 1, depth)

    def _fill(self, indent: int, depth: int) -> None:
        local = self.name("c")
        self.write(indent, self.rng.choice((
            f"move 1 {local} in {self.place()} where {local}.rank < 3 to p.bench",
            f"move up to 2 {local} in {self.place()} to p.bench",
            f"move all {local} in {self.place()} where {local}.rank == 2 to p.bench",
            f"move all {local} in p.bench to market",
            f"move up to 1 {local} in p.bench to {self.place()}",
            "draw 1 from river to p.bench", "move top of deck to market", "move first of river to p.hand",
        )))  # fmt: skip

    def _may(self, indent: int, depth: int) -> None:
        """What is repeated for ever uses up the limit of a look ahead, where backends count a little apart."""
        self.write(indent, self.rng.choice(('may "Go on?"', 'may repeatedly "Again?" if p.goods < 9')))
        self.write(indent + 1, "gain up to 1 goods")
        self.inside(indent + 1, depth)

    def _walk(self, indent: int, depth: int) -> None:
        local = self.name("w")
        self.write(indent, f"walk {local} in river")
        self.passes(indent + 1, depth, cards=(local,))

    def _any_order(self, indent: int, depth: int) -> None:
        self.write(indent, "in any order by p")
        for number in range(2):
            self.write(indent + 1, f'"Part {number}"' + (f" if {self.condition()}" if self.rng.random() < 0.3 else ""))
            self.inside(indent + 2, 1)

    def _ordered(self, indent: int, depth: int) -> None:
        local = self.name("o")
        self.write(indent, f"for {local} in {self.place()} where {local}.rank == 2 ordered by p")
        self.passes(indent + 1, 1, cards=(local,))

    def whole(self) -> str:
        text = super().whole().replace("  ready: flag\n", "  ready: flag\n  bench: pool of Card open capacity 2\n", 1)
        self.lines, self.numbers, self.cards, self.may_ask, self.left = [], ["n"], [], self.rng.random() < 0.5, 5
        self.lines.append("effect given(p, n: 0..3): 0..9")
        self.callable = []
        self.write(1, f"if {self.condition()}")
        self.write(2, f"result {self.rng.randint(0, 3)}")
        self.block(1, 2)
        self.write(1, "result n")
        for target in self.rng.sample((*self.effects, "turn"), 1 + (self.rng.random() < 0.4)):
            self._hook(target)
        return "\n".join((text.rstrip(), *self.lines, ""))

    def _hook(self, target: str) -> None:
        """`before` that may prevent, `after`, or `instead of` that may go on to what it replaces."""
        form = self.rng.choice(("before", "after", "instead of"))
        params = "(p)" if target == "turn" else "(p, n)"
        self.numbers, self.left = ([] if target == "turn" else ["n"]), 3
        self.lines.append(f"{form} {target}{params} when {self.condition()}")
        self.block(1, 2)
        if form == "before" and self.rng.random() < 0.5:
            self.write(1, f"if {self.condition()}")
            self.write(2, "prevent")
        if form == "instead of" and self.rng.random() < 0.7:
            self.write(1, "previous")


def leaving(seed: int) -> str:
    return Leaver(seed).whole()


def mixed(seed: int) -> str:
    return Mixer(seed).whole()
