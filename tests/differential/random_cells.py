"""Random small rulesets with calls in cells of a table: one or several to a cell, with numbers and sets as arguments;
sets as parameters of effects, of actions and of a free action. The rest is that of `random_rules`.
"""

from __future__ import annotations

from tests.differential.random_rules import COURSES, ENDS, THINGS, Writer

KIND = "kind Card\n  copies 2 for each suit: Suit, rank: 1..3\n"
IN_TABLE = "kind Card from cards.yaml\n  suit: Suit\n  rank: 1..3\n  use: effect given (xs: set of Card)\n"
TURN = "turn(p, (all d_0 in market where d_0.rank != 2), round mod 3)"


class CellWriter(Writer):
    """`sets` are the sets in scope; `may_perform`: cells may be performed here, which effects of cells do not."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.sets: list[str] = []
        self.may_perform = False

    # ------------------------------------------------------------------ expressions

    def cards_set(self) -> str:
        local = self.name("d")
        return self.rng.choice((
            *self.sets, *self.sets, f"(all {local} in {self.place()} where {local}.rank > {self.rng.randint(0, 2)})",
            f"(all {local} in {self.place()} where {local}.suit == clubs)",
        ))  # fmt: skip

    def numbers_set(self) -> str:
        return self.rng.choice(("(1, 3)", "(2)", "(all m_0 in 1..3 where m_0 != stock)"))

    def number(self, depth: int = 2) -> str:
        if self.sets and depth > 0 and self.rng.random() < 0.2:
            local, chosen = self.name("x"), self.rng.choice(self.sets)
            return self.rng.choice((f"count({chosen})", f"sum({local}.rank for {local} in {chosen})"))
        return super().number(depth)

    def condition(self, depth: int = 1) -> str:
        if self.may_perform and self.rng.random() < 0.15:
            return f"can toss(p, {self.cards_set()}, {self.rng.randint(0, 2)})"
        if self.sets and self.rng.random() < 0.2:
            local, chosen = self.name("y"), self.rng.choice(self.sets)
            return self.rng.choice((f"some {local} in {chosen} has {local} in {self.place()}", f"{chosen} is empty"))
        return super().condition(depth)

    # ------------------------------------------------------------------ statements

    def _call(self, indent: int, depth: int) -> None:
        if self.cards and self.may_perform and self.rng.random() < 0.6:
            possible = self.rng.choice((" if possible", " if possible", ""))
            card = self.rng.choice(self.cards)
            self.write(indent, f"perform {card}.use with xs = {self.cards_set()} for p{possible}")
        elif self.may_perform and self.rng.random() < 0.7:
            calls = (
                f"burn(p, {self.cards_set()})", f"mark(p, {self.numbers_set()}, {self.rng.randint(0, 3)})",
                f"ask(p, {self.cards_set()})", f"toss(p, {self.cards_set()}, {self.rng.randint(0, 2)}) if possible",
            )  # fmt: skip
            self.write(indent, self.rng.choice(calls))
        else:
            super()._call(indent, depth)

    def _for(self, indent: int, depth: int) -> None:
        if not self.sets or self.rng.random() < 0.4:
            super()._for(indent, depth)
            return
        local = self.name("f")
        self.write(indent, f"for {local} in {self.rng.choice(self.sets)} where {local}.rank < 3")
        self.inside(indent + 1, depth, cards=(local,))

    # ------------------------------------------------------------------ the whole

    def rule(self, head: str, sets: tuple[str, ...], numbers: tuple[str, ...], asks: bool, first: str = "") -> None:
        self.lines.append(head)
        if first:
            self.lines.append(f"  {first}")
        self.sets, self.numbers, self.may_ask, self.left = list(sets), list(numbers), asks, 4
        self.block(1, 2)
        self.sets, self.numbers = [], []

    def whole(self) -> str:
        rng = self.rng
        self.rule('effect burn(p, xs: set of Card) "Burn"', ("xs",), (), rng.random() < 0.4)
        self.rule('effect ask(p, xs: set of Card) "Ask"', ("xs",), (), True, 'choose x_0 in xs "Which?"')
        self.rule('effect mark(p, ranks: set of 1..3, n: 0..3) "Mark"', (), ("n", "count(ranks)"), False)
        self.rule('effect plain(p, n: 0..3) "Plain"', (), ("n",), rng.random() < 0.4)
        needs = f"requires count(xs) > n and {self.condition(0)}"
        self.rule('action toss(p, xs: set of Card, n: 0..2) "Toss"', ("xs",), ("n",), rng.random() < 0.5, needs)
        needs = f"requires count(bright) > k and {self.condition(0)}"
        head = 'free action polish(p, k: 0..2, bright: set of Card) "Polish" during turn(p, bright, k)'
        self.rule(head, ("bright",), ("k",), False, needs)
        self.lines.append("  pay 1 coins")  # or it could be taken for ever
        rules, self.lines = self.lines, ["phase turn(p, good: set of Card, n: 0..2)"]
        self.sets, self.numbers, self.left, self.may_ask, self.may_perform = ["good"], ["n"], 14, True, True
        self.callable = ["plain"]
        while self.left > 4:
            self.statement(1, 3)
        course = rng.choice(COURSES).replace("turn(p)", TURN)
        for seat in ("seat1", "seat2"):
            course = course.replace(f"turn({seat})", TURN.replace("turn(p", f"turn({seat}"))
        worth = "value worth(p, n: 0..3): 0..99 = min(99, n * p.coins)"
        things = THINGS.replace(KIND, IN_TABLE)
        return "\n".join((things.rstrip(), course.rstrip(), *self.lines, *rules, worth, ENDS))

    def table(self) -> str:
        calls = ("burn", "ask", "mark(2, 1)", "mark(3, 2)", "plain(1)", "plain(3)")
        rows = []
        for number in range(6):
            use = ", ".join(self.rng.sample(calls, self.rng.randint(1, 3)))
            suit, rank = self.rng.choice(("clubs", "hearts")), number % 3 + 1
            rows.append(f'  - {{id: card{number}, suit: {suit}, rank: {rank}, use: "{use}", copies: 2}}')
        return "\n".join(("kind: Card", "default: known", "rows:", *rows, ""))


def ruleset(seed: int) -> str:
    return CellWriter(seed).whole()


def tables(seed: int) -> dict[str, str]:
    return {"cards.yaml": CellWriter(seed).table()}
