"""Random tiny games of further kinds: what `random_games` never makes.

Three seats; pieces that carry others; cards laid face down before a player and turned up later; a place of which nobody
may count what lies there; marks that name a card; secret seats; sets of numbers; depths of a pile; loops; rules with a
result; free actions; reactions that prevent; hidden fields of the table; the box.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from tests.knowledge.random_games import Maker
from tests.knowledge.random_statements import Lines, indented

TWO, THREE = 2, 3


def wider_rules(number: int) -> str:
    """The rules of the game with this number: the same number, the same rules."""
    return Wider(random.Random(number)).game()


class Wider(Maker):
    """A game with some of the further kinds, and its usual statements beside them."""

    def game(self) -> str:
        chance = self.chance
        self.seats = THREE if chance.random() < 0.25 else TWO
        self.chests = self.cards and chance.random() < 0.3
        self.front = self.cards and chance.random() < 0.3
        self.mark = self.cards and chance.random() < 0.2
        self.victim = chance.random() < 0.2
        self.notes = chance.random() < 0.2
        self.flag = chance.random() < 0.25
        self.sum = chance.random() < 0.3
        self.uncounted = self.cards and chance.random() < 0.2
        self.values: Lines = []  # rules with a result, hooks, free actions: behind all others
        self.befores: Lines = []
        self.free: Lines = []
        if self.seats == THREE:
            self.copies, self.ranks = 1, 4 if not self.colours else 2
        text = super().game()
        text += "".join(line + "\n" for line in (*self.values, *self.befores, *self.free))
        if self.seats == THREE:
            text = 'game toy "Toy" for 3 players\n' + text.replace("rival(p)", "next(p)")
            text = text.replace("  rest(seat2)\n", "  rest(seat3)\n")
        return text

    # ------------------------------------------------------------------ declarations

    def declarations(self) -> Lines:
        lines = super().declarations()
        at = lines.index("table")
        if self.chests:
            lines[at:at] = ["kind Chest", "  copies 1 for each side: 1..2"]
        at = lines.index("table") + 1
        if self.chests:
            lines[at:at] = ["  yard: pool of Chest open"]
        if self.sum:
            lines[at:at] = ["  sum: 0..9 capped hidden"]
        if self.chests:
            lines += ["each Chest", f"  inside: pool of Card {'hidden'}"]
        return lines

    def own_fields(self) -> Lines:
        lines = super().own_fields()
        if self.front:
            lines += [f"front: {self.chance.choice(('slot', 'slot', 'row', 'pool'))} of Card open"]
        if self.mark:
            lines += ["mark: Card? secret"]
        if self.victim:
            lines += ["victim: player? secret"]
        if self.notes:
            lines += ["note[1..3]: flag secret"]
        if self.flag:
            lines += [f"wolf: flag {self.chance.choice(('secret', 'secret', 'hidden'))}"]
        if self.uncounted:
            lines += ["purse_of: pool of Card secret uncounted"]
        return lines

    def setup(self) -> Lines:
        lines = super().setup()
        if self.chests:
            lines += ["move all x in Chest to yard"]
            if self.chance.random() < 0.7:
                lines += ["for x in yard", "  draw up to 1 from deck to x.inside"]
        if self.front and self.chance.random() < 0.3:
            lines += ["draw up to 1 from deck to seat1.front face down"]
        if self.flag and self.chance.random() < 0.6:
            lines += ["pick q in players at random", "q.wolf = yes"] if not self.roles else ["seat2.wolf = yes"]
        if self.sum and self.chance.random() < 0.5:
            lines += ["pick n in 1..3 at random", "sum = n"]
        return lines

    # ------------------------------------------------------------------ expressions

    def number(self, q: str) -> str:
        found = []
        if self.chests:
            found += ["sum(c.rank for x in yard, c in x.inside)"]
        if self.notes:
            found += [f"count(n in 1..3 where {q}.note[n])"]
        if self.sum:
            found += ["sum"]
        if self.mark:
            found += [f"({q}.mark.rank otherwise 0)"]
        if self.front:
            found += [f"sum(c.rank for c in {q}.front)"]
        if self.values:
            found += [f"worth({q})"] * 2
        if found and self.chance.random() < 0.4:
            return self.chance.choice(found)
        return super().number(q)

    def condition(self, p: str, q: str) -> str:
        found = []
        if self.flag:
            found += [f"{q}.wolf"]
        if self.victim:
            found += [f"{q}.victim == {p}", f"{q}.victim is none"]
        if self.notes:
            found += [f"{q}.note[{self.chance.randint(1, 3)}]"]
        if found and self.chance.random() < 0.4:
            return self.chance.choice(found)
        return super().condition(p, q)

    def closed_place(self, p: str, q: str) -> str:
        found = []
        if self.chests:
            found += ["Chest.chest_1.inside"]
        if self.front:
            found += [f"{p}.front face down", f"{q}.front face down"]
        if self.uncounted:
            found += [f"{p}.purse_of"]
        if found and self.chance.random() < 0.35:
            return self.chance.choice(found)
        return super().closed_place(p, q)

    # ------------------------------------------------------------------ statements

    def statements(self) -> list[Callable[[str, str], Lines]]:
        found: list[Callable[[str, str], Lines]] = [self.compares, self.either_or, self.with_result, self.loops]
        found += [self.first_that_can, self.acts_freely, self.reacts_to]
        if self.cards:
            found += [self.depths, self.depths, self.looks_into_deck, self.two_names, self.named_later, self.boxes]
            found += [self.repeatedly]
        if self.colours:
            found += [self.follows, self.follows]
        if self.chests:
            found += [self.handles_chest] * 3
        if self.front:
            found += [self.lays_down, self.lays_down, self.turns_front]
        if self.mark:
            found += [self.names_mark] * 2
        if self.victim:
            found += [self.names_victim] * 2
        if self.notes:
            found += [self.notes_numbers] * 2
        if self.flag:
            found += [self.sets_flag]
        if self.sum:
            found += [self.sums] * 2
        if self.uncounted:
            found += [self.stows] * 2
        if self.chance.random() < 0.55:
            return found
        return super().statements()

    def compares(self, p: str, q: str) -> Lines:
        """Who has most is told, and something follows for that player."""
        number, x = self.number("r"), self.name("best")
        most = self.chance.choice(("most", "least"))
        return [
            f"let {x} = public(the r in players with {most} {number})",
            f"if {x} is not none",
            f"  {x} gains 1 points",
        ]

    def either_or(self, p: str, q: str) -> Lines:
        who = self.chance.choice((p, p, q))
        other = p if who == q else q
        lines = [
            f'{who} chooses one "Which way?"',
            f'  "One" if {self.condition(who, who)}',
            *indented(indented(self.small(who, other))),
            f'  "Other" if {self.condition(who, who)}',
            *indented(indented(self.small(who, other))),
            '  "Third"' if self.chance.random() < 0.6 else '  otherwise "Nothing"',
        ]
        return [*lines, "    told += 1"] if lines[-1] == '  "Third"' else lines

    def with_result(self, p: str, q: str) -> Lines:
        if not self.values:
            number = self.number("p")
            self.values += [f"value worth(p): 0..99 = {number}"]
        x = self.name("w")
        if self.chance.random() < 0.5:
            return [f"let {x} = public(worth({q}))", f"if {x} > 1", *indented(self.small(p, q))]
        name = self.name("find")
        body = self.small("p", "rival(p)") if self.chance.random() < 0.5 else self.lays("p", "rival(p)")
        self.effects += [f"effect {name}(p): flag", *indented(body), f"  result {self.condition('p', 'p')}"]
        return [f"let {x} = {name}({p})", f"if public({x})", *indented(self.small(p, q))]

    def loops(self, p: str, q: str) -> Lines:
        kind = self.chance.randrange(4)
        if kind == 0:
            return ["repeat 2 times", *indented(self.small(p, q))]
        if kind == 1:
            return [f"while public({self.condition(p, q)}) at most 2 times", *indented(self.small(p, q))]
        if kind == 2:
            return ["for q in players", f"  if {self.condition('q', 'q')}", *indented(indented(self.unseen("q", "q")))]
        return ["for q in players", f"  if public({self.condition('q', 'q')})", "    q gains 1 points"]

    def first_that_can(self, p: str, q: str) -> Lines:
        one, other = self.name("try"), self.name("try")
        self.effects += [f"effect {other}(p)", *indented(self.small("p", "rival(p)"))]
        if self.cards:
            c = self.name("c")
            self.effects += [f"effect {one}b(p)", f'  choose {c} in p.hand where {self.of_card(c)} "Which?"']
            self.effects += [f"  move {c} to {self.any_place('p', 'rival(p)')}"]
            return ["first possible", f"  {one}b({p})", f"  {other}({p})"]
        return ["first possible", f"  {other}({p})"]

    def acts_freely(self, p: str, q: str) -> Lines:
        if not self.free:
            self.free += ['free action look(p) "Look" during step1(p)']
            self.free += ["  requires p.points < 1", "  gain 1 points"]
            self.free += indented(self.small("p", "rival(p)"))
        return self.reacts(p, q)

    def reacts_to(self, p: str, q: str) -> Lines:
        name = self.name("deed")
        self.effects += [f"effect {name}(p)", *indented(self.small("p", "rival(p)"))]
        who = "next(p)"
        if self.cards and self.chance.random() < 0.6:
            c = self.name("c")
            may = [f'  {who} may "Stop with {{{c}}}" for {c} in {who}.hand where {self.of_card(c)}']
            may += [f"    move {c} to {self.chance.choice(('discard', 'heap', 'deck on bottom'))}", "    prevent"]
        else:
            may = [f'  {who} may "Stop" if {self.condition(who, who)}', "    prevent"]
        self.befores += [f"before {name}(p)", *may]
        return [f"{name}({p})"]

    def depths(self, p: str, q: str) -> Lines:
        n, c = self.name("n"), self.name("c")
        secretly = self.chance.choice((" secretly", " secretly", ""))
        take = f'{p} chooses {c} in {p}.hand{self.chance.choice((" secretly", ""))} "Which goes back?" if possible'
        return [
            take,
            f'  {p} chooses {n} in 0..count(deck){secretly} "How deep?"',
            f"  move {c} to deck after deck[{n}]",
        ]

    def looks_into_deck(self, p: str, q: str) -> Lines:
        to = self.chance.choice(("", f" to {p}", f" to {q}"))
        found = [
            ["if count(deck) > 1", f"  reveal deck[2]{to}"],
            ["if deck is not empty", f"  reveal bottom of deck{to}"],
            ["if deck is not empty", f"  move top of deck to {self.any_place(p, q)}"],
            ["if deck is not empty", f"  move bottom of deck to {self.any_place(p, q)}"],
            ["if deck is not empty", f'  {p} may "Look"', f"    reveal top of deck to {p}"],
            [
                "if deck is not empty",
                f"  reveal top of deck to {p}",
                f'  {p} chooses one "Leave it?"',
                '    "Leave"',
                "      told += 1",
                '    "Below"',
                "      move top of deck to deck on bottom",
            ],
            [f"if public((top of deck).rank otherwise 0) > {self.chance.randint(1, 2)}", *indented(self.small(p, q))],
        ]
        return self.chance.choice(found)

    def two_names(self, p: str, q: str) -> Lines:
        c, n = self.name("c"), self.name("n")
        kind = self.chance.randrange(3)
        if kind == 0:
            return [
                f"{p} chooses {c} in {p}.hand, {n} in 1..2 where {c}.rank >= {n}{self.chance.choice((' secretly', ''))}"
                ' "Which, how often?" if possible',
                f"  move {c} to {self.closed_place(p, q)}",
                *([f"  {p}.bid = {n}"] if self.bid else [f'  say "{{{n}}}" to {p}']),
            ]
        if kind == 1:
            return [
                f'{p} chooses {c} in {p}.hand, {n} in rivals({p}) "Give which to whom?" if possible',
                f"  move {c} to {n}.hand",
            ]
        d = self.name("d")
        return [
            f'{p} chooses {c} in {p}.hand, {d} in {p}.hand where {c}.rank < {d}.rank secretly "Which two?" if possible',
            f"  move {c} to {self.closed_place(p, q)}",
            f"  move {d} to {self.closed_place(p, q)}",
        ]

    def named_later(self, p: str, q: str) -> Lines:
        x, n = self.name("x"), self.name("n")
        how = self.chance.choice(("highest", "lowest"))
        after = self.chance.choice((f"reveal {x}", f"move {x} to {self.any_place(p, q)}", f"reveal {x} to {q}"))
        asked = [f'{q} chooses {n} in 1..2 "Meanwhile?"'] if self.chance.random() < 0.6 else []
        return [
            f"if {p}.hand is not empty",
            f"  let {x} = first c in {p}.hand by {how} c.rank",
            *indented(asked),
            *([f"  if {x} is not none", "    " + after]),
        ]

    def boxes(self, p: str, q: str) -> Lines:
        c = self.name("c")
        found = [
            [f'{p} chooses {c} in {p}.hand "Out of the game?" if possible', f"  move {c} to box"],
            ["if deck is not empty", "  move top of deck to box"],
            [f"pick {c} in Card where {c} in box at random if possible", f"  move {c} to {p}.hand"],
        ]
        return self.chance.choice(found)

    def repeatedly(self, p: str, q: str) -> Lines:
        who, c = self.chance.choice((p, q)), self.name("c")
        return [
            f'{who} may repeatedly "Lay {{{c}}}" for {c} in {who}.hand where {self.of_card(c)}',
            f"  move {c} to {self.any_place(p, q)}",
        ]

    def follows(self, p: str, q: str) -> Lines:
        c, colour = self.name("c"), self.chance.choice(("red", "blue"))
        where = f"where {c}.colour == {colour} or no d in {q}.hand has d.colour == {colour}"
        return [
            f'{q} chooses {c} in {q}.hand {where} "What do you play?" if possible',
            f"  move {c} to {self.any_place(q, p)}",
        ]

    def handles_chest(self, p: str, q: str) -> Lines:
        x, c = self.name("x"), self.name("c")
        found = [
            [f'{p} chooses {x} in yard "Open which?"', f"reveal all c in {x}.inside"],
            [f'{p} chooses {x} in yard "Look into which?"', f"reveal all c in {x}.inside to {p}"],
            [f'{p} chooses {x} in yard "Empty which?"', f"move all c in {x}.inside to {self.any_place(p, q)}"],
            [
                f'{p} chooses {c} in {p}.hand secretly "Put which in?" if possible',
                f'  {p} chooses {x} in yard{self.chance.choice((" secretly", ""))} "Into which?"',
                f"  move {c} to {x}.inside",
            ],
            [
                f'{p} chooses {x} in yard "Guess which?"',
                f"if public(some c in {x}.inside has {self.of_card('c')})",
                *indented(self.small(p, q)),
            ],
            [f"for {x} in yard", f"  draw up to 1 from deck to {x}.inside"],
            [f"if count(yard) > 1 and {p}.points == 0", "  swap Chest.chest_1.inside with Chest.chest_2.inside"],
        ]
        return self.chance.choice(found)

    def lays_down(self, p: str, q: str) -> Lines:
        who, c = self.chance.choice((p, q)), self.name("c")
        where = f" where {self.of_card(c)}" if self.chance.random() < 0.3 else ""
        secretly = self.chance.choice((" secretly", ""))
        empty = f"if {who}.front is empty"
        return [
            empty,
            f'  {who} chooses {c} in {who}.hand{where}{secretly} "Lay which down?" if possible',
            f"    move {c} to {who}.front face down",
        ]

    def turns_front(self, p: str, q: str) -> Lines:
        who, c = self.chance.choice((p, q)), self.name("c")
        found = [
            [f"for {c} in {who}.front", f"  flip {c} face up"],
            [f"for {c} in {who}.front", f"  reveal {c} to {p}"],
            [f"for {c} in {who}.front", f"  if public({self.of_card(c)})", *indented(indented(self.small(p, q)))],
            [f"for {c} in {who}.front", f"  move {c} to {self.any_place(p, q)}"],
            [f"for {c} in {who}.front", f"  move {c} to {who}.hand"],
            [f"swap {p}.front with {q}.front"],
        ]
        return self.chance.choice(found)

    def names_mark(self, p: str, q: str) -> Lines:
        c = self.name("c")
        from_where = self.chance.choice((f"{p}.hand", "discard", "line" if self.row else f"{p}.hand"))
        found = [
            [f'{p} chooses {c} in {from_where} secretly "Mark which?" if possible', f"  {p}.mark = {c}"],
            [f'{p} chooses {c} in {from_where} "Mark which?" if possible', f"  {p}.mark = {c}"],
            [f"if public({p}.mark is not none)", *indented(self.small(p, q))],
            [f"if public(({p}.mark.rank otherwise 0) > 1)", *indented(self.small(p, q))],
            [f"if public({p}.mark in {p}.hand)", *indented(self.small(p, q))],
            [f"reveal {p}.mark"],
        ]
        return self.chance.choice(found)

    def names_victim(self, p: str, q: str) -> Lines:
        v = self.name("v")
        found = [
            [f'{p} chooses {v} in players secretly "Whom?"', f"{p}.victim = {v}"],
            [f'{p} chooses {v} in rivals({p}) secretly "Whom?"', f"{p}.victim = {v}"],
            [f"pick {v} in players at random", f"{p}.victim = {v}"],
            [f"if public({p}.victim == {q})", *indented(self.small(p, q))],
            [f"{p}.victim = the r in players with most {self.number('r')}"],
            [f"reveal {p}.victim to {q}"],
        ]
        return self.chance.choice(found)

    def notes_numbers(self, p: str, q: str) -> Lines:
        ns = self.name("ns")
        many = self.chance.choice(("2", "1..2", "any", "up to 2"))
        such = f" such that sum(n for n in {ns}) > {self.chance.randint(1, 3)}" if self.chance.random() < 0.3 else ""
        found = [
            [
                f'{p} chooses {many} n in 1..3 as {ns}{such} secretly "Which numbers?"',
                f"for n in {ns}",
                f"  {p}.note[n] = yes",
            ],
            [f"for n in 1..{self.number(p)}", f"  if n < 4 and {p}.note[min(n, 3)]", f"    {p}.note[min(n, 3)] = no"],
            [f'{q} chooses n in 1..3 "Which number?"', f"if public({p}.note[n])", *indented(self.small(p, q))],
            ["pick n in 1..3 at random", f"{p}.note[n] = yes"],
        ]
        return self.chance.choice(found)

    def sets_flag(self, p: str, q: str) -> Lines:
        found = [
            [f"{p}.wolf = {self.condition(p, p)}"],
            [f"{p}.wolf = not {p}.wolf"],
            [f'{p} chooses one "Be one?"', '  "Yes"', f"    {p}.wolf = yes", '  "No"', f"    {p}.wolf = no"],
            [f'{p} may "Be one" if {p}.wolf', *indented(self.small(p, q))],
            ["pick r in players where not r.wolf at random if possible", "  r.wolf = yes"],
            [f"reveal {p}.wolf to {q}"],
        ]
        return self.chance.choice(found)

    def sums(self, p: str, q: str) -> Lines:
        found = [
            [f"sum += {self.number(p)}"],
            [f"sum = min(9, {self.number(p)} + {self.number(q)})"],
            [f"if {self.condition(p, p)}", "  sum += 1"],
            [f"if public(sum > {self.chance.randint(1, 4)})", *indented(self.small(p, q))],
            [f'{p} chooses n in 0..1 secretly "Add?"', "sum += n"],
            [f"reveal sum{self.chance.choice(('', f' to {p}'))}"],
        ]
        return self.chance.choice(found)

    def stows(self, p: str, q: str) -> Lines:
        c, cs = self.name("c"), self.name("cs")
        found = [
            [
                f'{p} chooses any c in {p}.hand as {cs} secretly "Stow which?" if possible',
                f"  move {cs} to {p}.purse_of",
            ],
            [f'{p} chooses {c} in {p}.hand secretly "Stow?" if possible', f"  move {c} to {p}.purse_of"],
            [f"if public(some c in {p}.purse_of has {self.of_card('c')})", *indented(self.small(p, q))],
            [f"if public(count({p}.purse_of) > 1)", *indented(self.small(p, q))],
            [f"move all c in {p}.purse_of to {p}.hand"],
            [f"draw up to 1 from deck to {p}.purse_of"],
        ]
        return self.chance.choice(found)
