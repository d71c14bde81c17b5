"""Random small rulesets over all that the language has: cells with effects, currencies, secrets, blocks together, free
actions, hooks on changes, pieces that carry places, slots, histories, ends in the middle.

A ruleset draws some of these forms, so that those meet one another often, and has the statements of `random_rules`
besides. `ruleset(seed)` is for `seats(seed)` players.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.differential.random_rules import COURSES, ENDS, Mixer

THINGS = """game wide "Wide" for 2..3 players
enum Suit = clubs | hearts
kind Card from cards.yaml
  suit: Suit
  rank: 1..3
  use: effect?
kind Coin
  copies 3 for each metal: Suit
kind Joker
  copies 2
kind Crate
  copies 1 for each owner: player
chart price(n: 0..9): 0..9 = 0, 1, 1, 2, 3, 5, 8, 9, 9, 9
map board is grid 2 by 2
  node Cell
table
  round: 0..40
  stock: 0..9 = 5
  fame: 0..6 capped
  level: 0..4
  tour: 0..9
  slots_of[1..4]: 0..5
  deck: pile of Card open
  deep: pile of Card hidden
  sack: bag of Coin hidden
  bank: pool of Coin open
  market: pool of Card open
  river: row of Card open
  shelf: slots(3) of Card open
  dice: 2 dice of 1..6
each player
  hand: hand of Card open
  held: hand of Card secret
  laid: pool of Card secret
  bench: pool of Card open capacity 2
  purse: pool of Coin open
  jokers: pool of Joker open
  coins: 0..20 = 4
  goods: 0..9
  bid: 0..9 secret
  used: 0..3 this turn
  marks: 0..9 during e0
  ready: flag
each Crate
  load: pool of Card open capacity 2
  opened: flag
each Cell
  owner: player?
currency money for p
  p.purse by metal back to bank
  p.jokers as any back to box
  p.goods when fame > 2
currency cards for p
  p.hand by suit back to market
  p.jokers as any back to box
history before of 6
  p.coins for p in players
  stock
  market
setup
  move all c in Card to deck
  shuffle deck
  draw 4 from deck to market
  draw 3 from deck to deep
  move all k in Coin to sack
  for p in players
    draw 2 from deck to p.hand
    draw 1 from deck to p.held
    draw 2 from sack to p.purse
    move 1 j in Joker where j in box to p.jokers if possible
"""
SETUP_JOKERS = "    move up to 1 j in Joker where j in box to p.jokers\n"
HOOKS = (
    "after p.coins rises", "after p.coins falls", "after p.goods changes", "after p.hand grows", "after p.hand shrinks",
    "after c enters market", "after c leaves p.hand", "after p.purse becomes empty", "after c enters p.bench",
)  # fmt: skip


class Wide(Mixer):
    """`fancy` are the forms that this ruleset has drawn; `cell`: an effect that stands in cells is being written."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.effects = [f"e{n}" for n in range(3)]
        forms: list[Callable[[int, int], None]] = [
            self._perform, self._perform, self._together, self._secret, self._public, self._money, self._fancy_chance,
            self._rounds, self._again_or_else, self._from_result, self._end, self._drop, self._history, self._lasting,
            self._crate, self._slot, self._swap, self._other, self._action, self._cells, self._leaving_range,
            self._such_that, self._performs_first, self._set_face, self._many_keys,
        ]  # fmt: skip
        self.fancy = self.rng.sample(forms, 7)

    def statement(self, indent: int, depth: int) -> None:
        if depth > 0 and self.rng.random() < 0.45:
            self.rng.choice(self.fancy)(indent, depth)
        else:
            super().statement(indent, depth)

    def condition(self, depth: int = 1) -> str:
        if self.rng.random() < 0.12:
            local = self.name("y")
            return self.rng.choice((
                "p can pay 2 money", "p can pay 2 cards all equal", "seen(before) == 0", "fame > 2", "p.used < 2",
                "shelf[1] is empty", "p.bench is full", "level < 4", "p.jokers is empty",
                f"some {local} in Cell has {local}.owner == p", f"no {local} in Crate has {local}.opened",
                *(f"can perform {card}.use for p" for card in self.cards),
                *((f"can {self._called()}",) if self.callable else ()),
            ))  # fmt: skip
        return super().condition(depth)

    # ------------------------------------------------------------------ cells, results, ends

    def _card(self) -> str:
        return self.rng.choice((*self.cards, *self.cards, "(top of deck)", "(first of river)", "shelf[2]"))

    def _perform(self, indent: int, depth: int) -> None:
        possible = self.rng.choice((" if possible", " if possible", ""))
        if self.cards or self.rng.random() < 0.3:
            return self.write(indent, f"perform {self._card()}.use for p{possible}")
        local = self.name("k")
        if self.may_ask and self.rng.random() < 0.6:
            self.write(indent, f'choose {local} in {self.place()} where {local}.rank < 3 "Perform?" if possible')
        else:
            self.write(indent, f"pick {local} in {self.place()} if possible")
        self.write(indent + 1, f"perform {local}.use for p{possible}")
        return self.inside(indent + 1, 1, cards=(local,))

    def _performs_first(self, indent: int, depth: int) -> None:
        self.write(indent, "first possible")
        for _ in range(2):
            called = self.callable and self.rng.random() < 0.4
            self.write(indent + 1, self._called() if called else f"perform {self._card()}.use for p")

    def _result(self, indent: int, depth: int) -> None:
        return super()._result(indent, depth) if self.can_result else self._lasting(indent, depth)

    def _one(self, indent: int, depth: int) -> None:
        return super()._one(indent, depth) if self.can_choose_one else self._choose(indent, depth)

    def _leave(self, indent: int, depth: int) -> None:
        """`done` and `stop`; no `done` in a rule that gives a result."""
        if self.can_choose_one and (self.can_result or self.loops):
            super()._leave(indent, depth)
        else:
            self._if(indent, depth)

    def _from_result(self, indent: int, depth: int) -> None:
        if not self.can_result:
            return self._lasting(indent, depth)
        local, other = self.name("t"), self.name("k")
        if not self.may_ask:
            return self._result(indent, depth)
        self.write(indent, f"let {local} = given(p, {self.rng.randint(0, 3)})")
        self.write(indent, f'choose {other} in 1..3 where {other} <= {local} "Up to {{{local}}}?" if possible')
        return self.inside(indent + 1, depth, numbers=(local, other))

    def _end(self, indent: int, depth: int) -> None:
        self.write(indent, f"if {self.condition()} and {self.number(0)} > 2")
        ends = ('p wins "Well"', 'end game "Enough"', 'next(p) loses "Bad luck"', 'p loses "Out" without score')
        self.write(indent + 1, self.rng.choice(ends))

    def _drop(self, indent: int, depth: int) -> None:
        self.write(indent, f"if {self.condition()} and count(players) > 1")
        self.write(indent + 1, self.rng.choice(('p drops out "Gone"', 'next(p) drops out "Gone"')))

    # ------------------------------------------------------------------ secrets

    def _together(self, indent: int, depth: int) -> None:
        if not self.may_ask:
            return self._lasting(indent, depth)
        local, seat = self.name("m"), self.name("q")
        where = self.rng.choice(("", f" where {seat}.coins > 2", f" where not {seat}.ready"))
        self.write(indent, f'together {seat} in players{where} "Bid"')
        low, secretly = self.rng.choice(("0", "1")), self.rng.choice((" secretly", ""))
        self.write(indent + 1, f'choose {local} in {low}..min(3, {seat}.coins){secretly} "How much?" if possible')
        self.write(indent + 2, f"{seat}.bid = {local}")
        if self.rng.random() < 0.3:
            card = self.name("c")
            self.write(indent + 1, f'choose {card} in {seat}.held secretly "Which one?" if possible')
            self.write(indent + 2, f"move {card} to {seat}.laid")
        self.write(indent, f"for {seat} in players")
        self.write(indent + 1, f"reveal {seat}.bid")
        behind = (
            f'requires some {seat} in players has {seat}.bid > 1 "nobody bids"', "lose p.bid goods",
            "gain up to p.bid goods",
            f"for {seat} in players where {seat}.bid > 0\n{'  ' * (indent + 1)}{seat} loses up to {seat}.bid coins",
        )  # fmt: skip
        self.write(indent, self.rng.choice(behind))
        return None

    def _secret(self, indent: int, depth: int) -> None:
        if not self.may_ask:
            return self.write(indent, "draw up to 1 from deep to p.held")
        local = self.name("c")
        form = self.rng.randrange(4)
        if form == 0:
            self.write(indent, f'choose {local} in p.held secretly "Lay which?" if possible')
            return self.write(indent + 1, f"move {local} to p.laid")
        if form == 1:
            self.write(indent, f'choose {local} in p.held where {local}.rank < 3 "Show which?" if possible')
            self.write(indent + 1, f"reveal {local}")
            self.write(indent + 1, f"move {local} to market")
            return self.inside(indent + 1, 1, cards=(local,))
        if form == 2:
            self.write(indent, f'choose {local} in 0..3 secretly "Note what?"')
            return self.write(indent, f"p.bid = {local}")
        self.write(indent, f'choose any {local} in p.held as {local}_all secretly "Lay which?"')
        return self.write(indent, f"move {local}_all to p.laid")

    def _public(self, indent: int, depth: int) -> None:
        local = self.name("c")
        form = self.rng.randrange(4)
        if form == 0:
            self.write(indent, f"if public(some {local} in p.held has {local}.rank == {self.rng.randint(1, 3)})")
            return self.inside(indent + 1, depth)
        if form == 1:
            self.write(indent, f"for {local} in p.laid")
            self.write(indent + 1, f"reveal {local}")
            return self.write(indent, "move all c in p.laid to market")
        if form == 2:
            self.write(indent, "reveal p.bid")
            return self.write(indent, "gain up to p.bid goods")
        return self.write(indent, f"reveal all {local} in p.held where {local}.suit == clubs")

    # ------------------------------------------------------------------ payments

    def _money(self, indent: int, depth: int) -> None:
        number, what = self.rng.randint(1, 3), self.rng.choice(("money", "money", "cards"))
        self.write(indent, self.rng.choice((
            f"pay {number} {what}", f"pay {number} {what} all equal", f"pay 2 {what} all different",
            f"pay {number} {what} among (clubs)", f"pay 1 {what}, {number} coins", "pay 1 coins to next(p)",
            f"pay 1 {what} for each k: Suit", f"pay {self.number(1)} {what}", "pay 1 money, 1 cards", "fee(p, 2)",
        )))  # fmt: skip

    def _many_keys(self, indent: int, depth: int) -> None:
        local = self.name("f")
        keys = f"by highest {local}.rank, then lowest {local}.suit"
        self.write(indent, f"for {local} in {self.place()} {keys}")
        self.passes(indent + 1, depth, cards=(local,))

    # ------------------------------------------------------------------ chance

    def _fancy_chance(self, indent: int, depth: int) -> None:
        local = self.name("r")
        form = self.rng.randrange(5)
        if form == 0:
            return self.write(indent, "roll dice until dice[1].face != dice[2].face")
        if form == 1:
            return self.write(indent, "draw up to 1 from sack to p.purse")
        if form == 2:
            self.write(indent, f"pick {local} in 1..3 at random")
            return self.write(indent, f"gain up to {local} goods")
        if form == 3:
            self.write(indent, f"pick {local} in players at random")
            return self.write(indent, f"{local} loses up to 1 coins")
        return self.write(indent, f"draw 1 from sack to {self.rng.choice(('p.purse', 'bank'))}")

    def _set_face(self, indent: int, depth: int) -> None:
        self.write(indent, f"dice[{self.rng.randint(1, 2)}].face = 1 + ({self.number(0)} mod 6)")

    # ------------------------------------------------------------------ loops and others

    def _rounds(self, indent: int, depth: int) -> None:
        seat = self.name("q")
        start = self.rng.choice(("p", "next(p)", "seat1"))
        skipping = self.rng.choice(("", f" skipping {seat}.ready", f" skipping {seat}.goods > 3"))
        ending = self.rng.choice(("", "", " finishing the round", " then each once more"))
        self.write(indent, "tour = 0")
        self.write(indent, f"in turn {seat} from {start}{skipping} until tour > {self.rng.randint(0, 3)}{ending}")
        self.write(indent + 1, "tour = min(9, tour + 1)")
        self.passes(indent + 1, 1)

    def _again_or_else(self, indent: int, depth: int) -> None:
        if not self.may_ask:
            return self._if(indent, depth)
        local = self.name("b")
        bound = self.rng.choice(("", f" {{{local}}}"))
        over = f" for {local} in 1..2" if bound else ""
        self.write(indent, f'may repeatedly "More{bound}?"{over} if p.goods < 4')
        self.write(indent + 1, "gain up to 1 goods")
        self.inside(indent + 1, 1, numbers=(local,) if bound else ())
        self.write(indent, "else")
        return self.inside(indent + 1, 1)

    def _other(self, indent: int, depth: int) -> None:
        if not self.may_ask:
            return self.write(indent, "next(p) loses up to 1 coins")
        local = self.name("k")
        form = self.rng.randrange(4)
        if form == 0:
            self.write(indent, 'next(p) may "Object" if next(p).coins > 2')
            return self.inside(indent + 1, 1)
        if form == 1:
            self.write(indent, f'next(p) chooses {local} in {self.place()} "Which?" if possible')
            return self.inside(indent + 1, 1, cards=(local,))
        if form == 2:
            self.write(indent, f'next(p) chooses {local} in 1..2 "How many?"')
            return self.write(indent, f"next(p) loses {local} coins")
        return self.write(indent, 'pause "Wait"')

    def _action(self, indent: int, depth: int) -> None:
        if not self.may_ask or "a0" not in self.actions or not self.can_choose_one:
            return self._money(indent, depth)
        self.write(indent, 'choose one "Act?"')
        self.write(indent + 1, f"a0(p, {self.rng.randint(0, 3)})")
        self.write(indent + 1, '"Else"')
        self.inside(indent + 2, 1)
        if self.rng.random() < 0.5:
            self.write(indent + 1, f'"Act like {{n_0}}" for n_0 in 1..2 if {self.condition(0)}')
            self.write(indent + 2, "a0(p, n_0)")
        return None if self.rng.random() < 0.5 else self.write(indent + 1, 'otherwise "Nothing"')

    def _such_that(self, indent: int, depth: int) -> None:
        if not self.may_ask:
            return self._if(indent, depth)
        local, chosen = self.name("s"), self.name("s")
        how = self.rng.choice(("any", "1..2", "2", "up to 2", "0..3"))
        such = self.rng.choice((
            f" such that count({chosen}) <= p.goods", f" such that sum({local}_x.rank for {local}_x in {chosen}) > 2",
            f" such that p can pay count({chosen}) coins", "",
        ))  # fmt: skip
        possible = self.rng.random() < 0.5
        self.write(
            indent, f'choose {how} {local} in {self.place()} as {chosen}{such} "Which?"' + " if possible" * possible
        )
        inner = indent + possible
        self.write(
            inner,
            f"pay {self.rng.choice(('count', 'count', 'sum'))}({chosen}) coins".replace(
                f"sum({chosen})", f"sum({local}_z.rank for {local}_z in {chosen})"
            ),
        )
        return self.write(inner, f"move {chosen} to {self.rng.choice(('market', 'p.bench', 'river'))}")

    # ------------------------------------------------------------------ state

    def _history(self, indent: int, depth: int) -> None:
        self.write(indent, self.rng.choice((
            "remember before", "remember before", 'requires seen(before) < 2 "again"', "forget before",
            "gain up to seen(before) goods",
        )))  # fmt: skip

    def _lasting(self, indent: int, depth: int) -> None:
        self.write(indent, self.rng.choice((
            "p.used += 1", "p.marks = min(9, p.marks + 1)", "gain up to p.marks goods", 'requires p.used < 2 "used"',
            "fame += 2", "fame -= 1",
        )))  # fmt: skip

    def _leaving_range(self, indent: int, depth: int) -> None:
        self.write(indent, self.rng.choice(("level += 1", "level -= 1", f"level = {self.number(0)}", "gain 2 goods")))

    def _crate(self, indent: int, depth: int) -> None:
        local, card = self.name("k"), self.name("c")
        if self.may_ask and self.rng.random() < 0.5:
            self.write(indent, f'choose {local} in Crate where not {local}.opened "Which crate?" if possible')
        else:
            self.write(indent, f"for {local} in Crate where {local}.owner == p")
        self.write(indent + 1, self.rng.choice((
            f"move 1 {card} in p.hand to {local}.load", f"move up to 2 {card} in {self.place()} to {local}.load",
            f"move all {card} in {local}.load to p.hand", f"{local}.opened = {self.condition(0)}",
        )))  # fmt: skip

    def _slot(self, indent: int, depth: int) -> None:
        local, card = self.name("i"), self.name("c")
        if self.may_ask and self.rng.random() < 0.5:
            self.write(indent, f'choose {local} in 1..3 where shelf[{local}] is empty "Which slot?" if possible')
            return self.write(indent + 1, f"move 1 {card} in {self.place()} to shelf[{local}]")
        return self.write(indent, self.rng.choice((
            f"move up to 1 {card} in p.hand to shelf[2]", "move shelf[2] to market", "swap shelf[1] with shelf[2]",
            "draw 1 from deck to shelf[1]", "move shelf[1] to p.bench",
        )))  # fmt: skip

    def _swap(self, indent: int, depth: int) -> None:
        self.write(indent, self.rng.choice((
            "swap p.hand with next(p).hand", "swap (top of deck) with (first of river)", "pass hand left",
            "pass hand right", "swap p.bench with next(p).bench",
            *(f"swap {card} with (top of deck)" for card in self.cards),
        )))  # fmt: skip

    def _cells(self, indent: int, depth: int) -> None:
        local = self.name("z")
        if self.may_ask and self.rng.random() < 0.7:
            near = (
                f" and some {local}_n in neighbours({local}) has {local}_n.owner == p"
                if self.rng.random() < 0.3
                else ""
            )
            self.write(indent, f'choose {local} in Cell where {local}.owner is none{near} "Which cell?" if possible')
            self.write(indent + 1, f"{local}.owner = p")
            return self.inside(indent + 1, 1)
        self.write(indent, f"for {local} in Cell where {local}.owner != p")
        return self.write(indent + 1, f"{local}.owner = {self.rng.choice(('none', 'p', 'next(p)'))}")

    # ------------------------------------------------------------------ the whole

    def rule(self, head: str, numbers: tuple[str, ...], asks: bool, left: int = 4, cards: tuple[str, ...] = ()) -> None:
        self.lines.append(head)
        self.numbers, self.cards, self.may_ask, self.left = list(numbers), list(cards), asks, left
        self.block(1, 2)
        self.numbers, self.cards = [], []

    def whole(self) -> str:
        rng = self.rng
        self.actions: list[str] = []
        self.callable, self.can_result, self.can_choose_one = [], False, True
        self.rule("effect given(p, n: 0..3): 0..9", ("n",), rng.random() < 0.5, 3)
        self.write(1, f"if {self.condition()}")
        self.write(2, f"result {rng.randint(0, 3)}")
        self.write(1, "result n")
        self.can_result = True
        for effect in self.effects:
            self.rule(f'effect {effect}(p, n: 0..3) "{effect} {{n}}"', ("n",), rng.random() < 0.5)
            self.callable.append(effect)
        self.rule('action a0(p, n: 0..3) "Act {n}"', ("n",), True)
        self.actions.append("a0")
        self.lines += ["effect fee(p, n: 0..3)", "  pay n coins"]
        if rng.random() < 0.4:
            self.lines += [
                f"instead of fee(p, n) when {self.condition(0)}",
                f"  {rng.choice(('gain up to 1 goods', 'pay 1 money'))}",
            ]
        self._free()
        known, self.callable, self.can_result = self.callable, [], False
        self._hooks()
        self.callable, self.can_result = known, True
        rest, self.lines = self.lines, ["phase turn(p)"]
        self.numbers, self.cards = [], []
        self.left, self.may_ask = 16, True
        while self.left > 4:
            if rng.random() < 0.7:
                self._ways(1, 3)
            else:
                self.statement(1, 3)
        self._visit()
        worth = f"value worth(p, n: 0..3): 0..99 = min(99, n * {rng.choice(('p.coins', 'count(p.hand)', 'stock'))})"
        things = THINGS.replace("    move 1 j in Joker where j in box to p.jokers if possible\n", SETUP_JOKERS)
        return "\n".join((things.rstrip(), rng.choice(COURSES).rstrip(), *self.lines, *rest, worth, ENDS))

    def _free(self) -> None:
        """Free actions, which cost something, or they could be taken for ever."""
        for number in range(self.rng.choice((0, 0, 1, 1, 2))):
            inside = self.rng.choice(("", " also inside actions"))
            price = self.rng.choice(("pay 1 coins", "pay 1 money", "pay 1 cards", "lose 2 goods", "p.used += 1"))
            self.lines += [f'free action free{number}(p) "Free {number}" during turn(p){inside}']
            first = f'  requires p.used < 3 and {self.condition(0)} "not free"'
            self.lines += [first, f"  {price}"]
            self.numbers, self.cards, self.may_ask, self.left = [], [], self.rng.random() < 0.4, 2
            self.block(1, 1)

    def _ways(self, indent: int, depth: int) -> None:
        """What may be refused stands behind a choice most of the time, or every other game would be a dead end."""
        if self.rng.random() < 0.3:
            self.write(indent, 'may "Do it?"')
            return self.inside(indent + 1, depth)
        self.write(indent, 'choose one "Which way?"')
        for number in range(self.rng.randint(1, 3)):
            self.write(indent + 1, f'"Way {number}"')
            self.inside(indent + 2, depth)
        return self.write(indent + 1, '"None"')

    def _visit(self) -> None:
        if self.rng.random() < 0.5:
            return
        self.write(1, "visit(p)")
        self.lines += ["phase visit(p)"]
        self.left, self.can_choose_one = 3, False
        self.block(1, 1)
        self.lines += ['  choose one "Where to?"', '    "Here"']
        self.left = 3
        self.inside(3, 1)
        self.lines += [f'    "There {{w_0}}" for w_0 in 1..2 if {self.condition()}']
        self.inside(3, 1, numbers=("w_0",))
        self.left = 2
        self.block(1, 1)
        self.can_choose_one = True
        self.lines += [f"also in visit(p) when {self.condition()}", '  "Elsewhere"']
        self.left = 2
        self.inside(2, 1)

    def _hooks(self) -> None:
        for _ in range(self.rng.choice((0, 1, 1, 2))):
            self._hook(self.rng.choice((*self.effects, "turn", "a0")))
        for head in self.rng.sample(HOOKS, self.rng.choice((0, 0, 1, 2))):
            numbers = ("was",) if "." in head.split()[1] and head.split()[2] in ("rises", "falls", "changes") else ()
            cards = ("c",) if head.split()[1] == "c" else ()
            self.lines.append(f"{head} when {self._hook_condition(numbers, cards)}")
            if numbers or "p." not in head or cards:
                self.lines.append(f"  {self.rng.choice(('fame += 1', 'stock = max(0, stock - 1)', 'level += 1'))}")
            else:
                self.numbers, self.cards, self.may_ask, self.left = [], [], self.rng.random() < 0.4, 2
                self.block(1, 1)

    def _hook_condition(self, numbers: tuple[str, ...], cards: tuple[str, ...]) -> str:
        return self.rng.choice(
            ("stock > 3", "fame < 5", *(f"{n} > 1" for n in numbers), *(f"{c}.rank > 1" for c in cards))
        )

    def table(self) -> str:
        self.rng.seed(f"{self.rng.random()} table")
        calls = ("e0(1)", "e0(3)", "e1(0)", "e1(2)", "e2(1)", "fee(1)", "a0(1)")
        rows = []
        for number in range(6):
            suit, rank = ("clubs", "hearts")[number // 3], number % 3 + 1
            use = ", ".join(self.rng.sample(calls, self.rng.randint(1, 2)))
            held = f', use: "{use}"' if self.rng.random() < 0.75 else ""
            rows.append(f"  - {{id: card{number}, suit: {suit}, rank: {rank}, copies: 4{held}}}")
        return "\n".join(("kind: Card", "default: known", "rows:", *rows, ""))


def ruleset(seed: int) -> str:
    return Wide(seed).whole()


def tables(seed: int) -> dict[str, str]:
    return {"cards.yaml": Wide(seed).table()}


def seats(seed: int) -> int:
    return 3 if seed % 3 == 0 else 2
