"""The statements of random games: they choose, tell, compare, pass on, swap, shuffle, pay, react and work things out.

They are drawn independently of one another, so that they meet in ways that nobody thought of. `p` is the player of the
rule and `q` the other one, as they are called there. A new statement is one more method, listed in `statements`.
"""

from __future__ import annotations

import random
from collections.abc import Callable

Lines = list[str]


def indented(lines: Lines) -> Lines:
    return ["  " + line for line in lines]


class Statements:
    """What one game declares, and its statements: each is a method that gives lines."""

    def __init__(self, chance: random.Random) -> None:
        self.chance = chance
        self.names = 0
        self.effects: Lines = []
        self.ranks = chance.choice((3, 3, 4))
        self.cards = chance.random() < 0.75
        self.colours = self.cards and chance.random() < 0.4
        self.copies = 2 if self.cards and not self.colours and chance.random() < 0.3 else 1
        if self.copies == 2:
            self.ranks = 2
        if self.colours:
            self.ranks = 2
        self.slot = self.cards and chance.random() < 0.4
        self.row = self.cards and chance.random() < 0.25
        self.bag = self.cards and chance.random() < 0.2
        self.stash = self.cards and chance.random() < 0.5
        self.rack = self.cards and chance.random() < 0.15
        self.money = self.colours and chance.random() < 0.4
        self.bid = chance.random() < (0.4 if self.cards else 0.8)
        self.purse = chance.random() < 0.25
        self.dice = chance.random() < 0.25
        self.weather = chance.random() < 0.15
        self.spots = chance.random() < 0.2
        self.roles = chance.random() < 0.15
        self.marks = self.cards and chance.random() < 0.1
        if not (self.cards or self.bid or self.dice or self.spots):
            self.bid = True

    # ------------------------------------------------------------------ expressions

    def number(self, q: str) -> str:
        """A number of a player that others do not see."""
        found = []
        if self.cards:
            found += [
                f"sum(c.rank for c in {q}.hand)",
                f"count(c in {q}.hand where c.rank > {self.chance.randint(1, self.ranks - 1)})",
                f"max(c.rank for c in {q}.hand else 0)",
                "max(c.rank for c in heap else 0)",
            ]
        if self.colours:
            found += [f"count(c in {q}.hand where c.colour == {self.chance.choice(('red', 'blue'))})"]
        if self.slot:
            found += [f"({q}.kept.rank otherwise 0)"] * 2
        if self.stash:
            found += [f"sum(c.rank for c in {q}.stash)"]
        if self.rack:
            found += [f"sum(c.rank for c in {q}.rack)"]
        if self.bid:
            found += [f"{q}.bid"] * 2
        if self.purse:
            found += [f"{q}.purse"] * 2
        if self.dice:
            found += [f"sum(d.face for d in {q}.cup)", f"{q}.cup[1].face"]
        if self.weather:
            found += ["weather[1].face"]
        if self.spots:
            found += [f"count(s in Spot where {q}.trap[s])"]
        chosen = self.chance.choice(found)
        if self.chance.random() < 0.12:
            return f"{chosen} + {self.number(q)}"
        return chosen

    def condition(self, p: str, q: str) -> str:
        """Something that holds or not, of secrets of q, or of both."""
        kind = self.chance.randrange(6)
        sign = self.chance.choice((">", "==", "<", ">=", "!="))
        if kind == 0:
            return f"{self.number(p)} {sign} {self.number(q)}"
        if kind == 1 and self.cards:
            return f"{self.chance.choice(('some', 'no', 'every'))} c in {q}.hand has {self.of_card('c')}"
        if kind == 2 and self.roles:
            return f"{q}.role == wolf"
        if kind == 3 and self.spots:
            return f"{q}.lair == Spot.{self.chance.choice(('spot_1', 'spot_2'))}"
        return f"{self.number(q)} {sign} {self.chance.randint(1, 3)}"

    def of_card(self, c: str) -> str:
        if self.colours and self.chance.random() < 0.5:
            return f"{c}.colour == {self.chance.choice(('red', 'blue'))}"
        return f"{c}.rank {self.chance.choice(('>', '==', '<='))} {self.chance.randint(1, self.ranks - 1)}"

    def closed_place(self, p: str, q: str) -> str:
        found = [f"{p}.hand", f"{q}.hand", "heap", "deck", "deck on bottom"]
        found += [f"{p}.stash"] * 2 if self.stash else []
        found += ["bag"] if self.bag else []
        found += ["line face down"] if self.row else []
        return self.chance.choice(found)

    def any_place(self, p: str, q: str) -> str:
        return self.chance.choice((self.closed_place(p, q), "discard", f"{q}.rack" if self.rack else "discard"))

    def name(self, stem: str) -> str:
        self.names += 1
        return f"{stem}{self.names}"

    # ------------------------------------------------------------------ statements

    def block(self, p: str, q: str, length: int) -> Lines:
        lines: Lines = []
        for _ in range(length):
            lines += self.statement(p, q)
        return lines

    def statement(self, p: str, q: str) -> Lines:
        makers = self.statements()
        return self.chance.choice(makers)(p, q)

    def statements(self) -> list[Callable[[str, str], Lines]]:
        found: list[Callable[[str, str], Lines]] = [self.tells, self.tells, self.guess, self.whether, self.shows]
        found += [self.reacts, self.calls_if_possible, self.lets, self.says]
        if self.cards:
            found += [self.lays, self.lays, self.lays_set, self.draws, self.sends, self.rules_move, self.rules_show]
            found += [self.takes_at_random, self.exchanges, self.goes_over, self.deals_again, self.guesses_card]
        if self.bid or self.purse:
            found += [self.writes, self.writes, self.works_out]
        if self.dice or self.weather:
            found += [self.rolls, self.turns_die]
        if self.spots:
            found += [self.traps, self.hides, self.shoots]
        if self.row:
            found += [self.points_at, self.turns_up]
        if self.money:
            found += [self.pays, self.pays]
        if self.roles:
            found += [self.writes_role]
        if self.marks:
            found += [self.marks_card]
        if self.rack:
            found += [self.clue]
        return found

    def small(self, p: str, q: str) -> Lines:
        """A short consequence that may be unseen or open."""
        found = ["told += 1", f"{q} gains 1 points"]
        if self.bid:
            found += [f"{p}.bid = {self.chance.randint(0, 2)}"]
        if self.purse:
            found += [f"{q}.purse += 1", f"{p} loses up to 1 purse"]
        if self.cards:
            found += [f"draw up to 1 from deck to {p}.hand", f"draw up to 1 from deck to {q}.hand"]
            found += [f"move up to 1 c in {p}.hand by lowest c.rank to {self.any_place(p, q)}"]
            found += [f"reveal all c in {p}.hand where {self.of_card('c')}"]
        if self.dice:
            found += [f"roll {p}.cup"]
        return [self.chance.choice(found)]

    def tells(self, p: str, q: str) -> Lines:
        of, other = self.chance.choice(((p, q), (q, p)))
        lines = [f"if public({self.condition(other, of)})", *indented(self.small(p, q))]
        if self.chance.random() < 0.3:
            lines += ["else", *indented(self.small(p, q))]
        return lines

    def guess(self, p: str, q: str) -> Lines:
        n = self.name("n")
        sign = self.chance.choice((">", "==", ">="))
        return [
            f'{p} chooses {n} in 1..2 "Guess?"',
            f"if public({self.number(q)} {sign} {n})",
            *indented(self.small(p, q)),
        ]

    def whether(self, p: str, q: str) -> Lines:
        """A branch on a secret, with something that nobody sees."""
        return [f"if {self.condition(p, p)}", *indented(self.unseen(p, p))]

    def unseen(self, p: str, q: str) -> Lines:
        found: list[Lines] = []
        if self.bid:
            found += [[f"{p}.bid = {self.number(p)}"], [f"{p}.bid = {self.chance.randint(1, 2)}"]]
        if self.purse:
            found += [[f"{p}.purse += 1"], [f"{q}.purse += 1"]]
        if self.dice:
            found += [[f"{p}.cup[1].face = 1"], [f"roll {p}.cup[1]"]]
        if self.roles:
            found += [[f"{p}.role = wolf"]]
        if self.spots:
            found += [[f"{p}.trap[Spot.spot_1] = yes"]]
        if not found:
            return ['say "your turn" to ' + p]
        return self.chance.choice(found)

    def shows(self, p: str, q: str) -> Lines:
        of, to = self.chance.choice(((p, q), (q, p)))
        found = []
        if self.cards:
            found += [f"{of}.hand", "top of deck", f"all c in {of}.hand where {self.of_card('c')}"]
        if self.slot:
            found += [f"{of}.kept"]
        if self.stash:
            found += [f"{of}.stash"]
        if self.bid:
            found += [f"{of}.bid"]
        if self.purse:
            found += [f"{of}.purse"]
        if self.dice:
            found += [f"{of}.cup", f"{of}.cup[1]"]
        if self.roles:
            found += [f"{of}.role"]
        if not found:
            return self.tells(p, q)
        shown = self.chance.choice(found)
        line = f"reveal {shown}" + (f" to {to}" if self.chance.random() < 0.5 else "")
        if shown == "top of deck":
            return ["if deck is not empty", "  " + line]
        if shown.endswith(".kept"):
            return [f"if {shown} is not empty", "  " + line]
        return [line]

    def says(self, p: str, q: str) -> Lines:
        if self.chance.random() < 0.5:
            return [f'say "so much: {{public({self.number(q)})}}"']
        return [f'say "yours: {{{self.number(p)}}}" to {p}']

    def lets(self, p: str, q: str) -> Lines:
        x = self.name("x")
        lines = [f"let {x} = {self.number(self.chance.choice((p, q)))}"]
        if self.chance.random() < 0.5:
            lines += [f'{q} chooses {self.name("n")} in 1..2 "And now?"']
        return [*lines, f"if public({x} > {self.chance.randint(1, 2)})", *indented(self.small(p, q))]

    def reacts(self, p: str, q: str) -> Lines:
        who = self.chance.choice((p, q))
        kind = self.chance.randrange(4)
        if kind == 0 and self.cards:
            to = self.chance.choice(("discard", "heap", f"{who}.stash" if self.stash else "discard"))
            c = self.name("c")
            return [f'{who} may "Lay {{{c}}}" for {c} in {who}.hand where {self.of_card(c)}', f"  move {c} to {to}"]
        if kind == 1:
            return [f'{who} may "Boast" if {self.condition(who, who)}', *indented(self.small(who, q))]
        if kind == 2:
            return [f'{who} may "Act"', *indented(self.block(who, p if who == q else q, 1))]
        return [
            f'{who} chooses one "What?"',
            '  "This"',
            *indented(indented(self.small(who, q))),
            '  "That"',
            *indented(indented(self.block(who, p if who == q else q, 1))),
        ]

    def calls_if_possible(self, p: str, q: str) -> Lines:
        name = self.name("act")
        inner = self.block("p", "rival(p)", 1)
        self.effects += [f"effect {name}(p)", *indented(inner)]
        return [f"{name}({p})" + (" if possible" if self.chance.random() < 0.5 else "")]

    def lays(self, p: str, q: str) -> Lines:
        c = self.name("c")
        where = f" where {self.of_card(c)}" if self.chance.random() < 0.3 else ""
        secretly = " secretly" if self.chance.random() < 0.5 else ""
        lines = [f'{p} chooses {c} in {p}.hand{where}{secretly} "Which card?" if possible']
        to = self.any_place(p, q) if not secretly else self.closed_place(p, q)
        body = [f"move {c} to {to}"]
        kind = self.chance.randrange(6)
        if kind == 0:
            body = [f"if {c}.rank > 1", "  told += 1", *body]
        elif kind == 1:
            body = [f"if public({c}.rank > 1)", *indented(self.small(p, q)), *body]
        elif kind == 2:
            body = [*body, f"reveal {c}" + self.chance.choice(("", f" to {q}"))]
        elif kind == 3 and self.bid:
            body = [f"{p}.bid = {c}.rank", *body]
        return [*lines, *indented(body)]

    def lays_set(self, p: str, q: str) -> Lines:
        xs = self.name("xs")
        many = self.chance.choice(("2", "1..2", "up to 2", "any"))
        such = (
            f" such that sum(c.rank for c in {xs}) >= {self.chance.randint(2, 4)}" if self.chance.random() < 0.3 else ""
        )
        secretly = " secretly" if self.chance.random() < 0.6 else ""
        to = self.closed_place(p, q) if secretly else self.any_place(p, q)
        return [
            f'{p} chooses {many} c in {p}.hand as {xs}{such}{secretly} "Which?" if possible',
            f"  move {xs} to {to}",
        ]

    def draws(self, p: str, q: str) -> Lines:
        where = self.chance.choice((f"{p}.hand", f"{q}.hand", "discard", f"{p}.stash" if self.stash else "heap"))
        from_bag = self.bag and self.chance.random() < 0.5
        if from_bag and where.endswith("hand"):
            return [f"draw up to 1 from bag to {where}"]
        return [f"draw up to 1 from deck to {where}"]

    def deals_again(self, p: str, q: str) -> Lines:
        found = [
            [f"shuffle {p}.hand into deck", f"draw up to 1 from deck to {p}.hand"],
            ["shuffle discard into deck"],
            ["shuffle deck"],
            ["move all c in heap to deck", "shuffle deck"],
            [f"move all c in {q}.hand to deck on bottom"],
        ]
        if self.stash:
            found += [[f"move all c in {p}.stash to {p}.hand"]]
        return self.chance.choice(found)

    def sends(self, p: str, q: str) -> Lines:
        c = self.name("c")
        return [f'{p} chooses {c} in {p}.hand secretly "Pass on which?" if possible', f"  move {c} to {q}.hand"]

    def rules_move(self, p: str, q: str) -> Lines:
        how = self.chance.choice(("by lowest c.rank", "by highest c.rank", f"where {self.of_card('c')}"))
        many = self.chance.choice(("up to 1", "up to 1", "all", "up to 2"))
        if how.startswith("where"):
            shown = f"reveal all c in {p}.hand {how}"
            return [shown, f"move all c in {p}.hand {how} to {self.any_place(p, q)}"]
        of = self.chance.choice((p, p, q))
        if many == "all" and how.startswith("by"):
            many = "up to 1"
        return [f"move {many} c in {of}.hand {how} to {self.any_place(p, q)}"]

    def rules_show(self, p: str, q: str) -> Lines:
        of = self.chance.choice((p, q))
        c = self.name("c")
        how = self.chance.choice((f"{c} in {of}.hand by highest {c}.rank", f"{c} in {of}.hand where {self.of_card(c)}"))
        body = [f"reveal {c}"]
        if self.chance.random() < 0.5:
            body += [f"move {c} to {self.any_place(p, q)}"]
        return [f"pick {how} if possible", *indented(body)]

    def takes_at_random(self, p: str, q: str) -> Lines:
        c = self.name("c")
        body = [f"move {c} to {self.any_place(p, q)}"]
        if self.chance.random() < 0.4:
            body = [f"reveal {c} to {p}", *body]
        where = f" where {self.of_card(c)}" if self.chance.random() < 0.2 else ""
        return [f"pick {c} in {q}.hand{where} at random if possible", *indented(body)]

    def exchanges(self, p: str, q: str) -> Lines:
        found = [f"swap {p}.hand with {q}.hand", "pass hand left"]
        if self.slot:
            found += [f"swap {p}.kept with {q}.kept"]
        if self.stash:
            found += [f"swap {p}.stash with {p}.hand", f"swap {p}.stash with {q}.stash"]
        return [self.chance.choice(found)]

    def goes_over(self, p: str, q: str) -> Lines:
        of = self.chance.choice((p, q))
        c = self.name("c")
        return [f"for {c} in {of}.hand", f"  if public({self.of_card(c)})", *indented(indented(self.small(p, q)))]

    def guesses_card(self, p: str, q: str) -> Lines:
        k = self.name("k")
        return [
            f'{p} chooses {k} in 1..{self.ranks} "Which card?"',
            f"if public(some c in {q}.hand has c.rank == {k})",
            f"  move up to 1 c in {q}.hand where c.rank == {k} to {self.any_place(p, q)}",
        ]

    def writes(self, p: str, q: str) -> Lines:
        n = self.name("n")
        field = self.chance.choice([f"{p}.bid"] * self.bid + [f"{p}.purse", f"{q}.purse"] * self.purse)
        how = self.chance.choice(("=", "=", "+="))
        if field.endswith("bid"):
            how = "="
        top = self.chance.choice(("1..2", "0..2", f"0..{p}.bid" if self.bid else "0..1"))
        body = [f"{field} {how} {n}"]
        if self.chance.random() < 0.3:
            body = [f"if {n} > 1", *indented(body)]
        return [f'{p} chooses {n} in {top} secretly "How much?" if possible', *indented(body)]

    def works_out(self, p: str, q: str) -> Lines:
        if self.bid and self.chance.random() < 0.5:
            return [f"{p}.bid = min(9, {self.number(self.chance.choice((p, q)))})"]
        if self.purse:
            return self.chance.choice(
                (
                    [f"{p} loses up to 1 purse"],
                    [f"{p}.purse += min(3, {self.number(p)})"],
                    ["for q in players", "  q loses up to 1 purse"],
                )
            )
        return [f"{p}.bid = min(9, {p}.bid + 1)"]

    def rolls(self, p: str, q: str) -> Lines:
        if self.dice:
            return [
                self.chance.choice((f"roll {p}.cup", f"roll {q}.cup[1]", f"roll {p}.cup until {p}.cup[1].face > 1"))
            ]
        return ["roll weather"]

    def turns_die(self, p: str, q: str) -> Lines:
        if not self.dice:
            return ["roll weather"]
        n = self.name("n")
        return [f'{p} chooses {n} in 1..2 secretly "Turn it to?"', f"{p}.cup[1].face = {n}"]

    def traps(self, p: str, q: str) -> Lines:
        s = self.name("s")
        if self.chance.random() < 0.4:
            xs = self.name("xs")
            return [
                f'{p} chooses {self.chance.choice(("2", "1..2", "up to 2"))} s in Spot as {xs} secretly "Where?"',
                f"for s in {xs}",
                f"  {p}.trap[s] = yes",
            ]
        return [
            f'{p} chooses {s} in Spot where not {p}.trap[{s}] secretly "Where?" if possible',
            f"  {p}.trap[{s}] = yes",
        ]

    def hides(self, p: str, q: str) -> Lines:
        s = self.name("s")
        if self.chance.random() < 0.4:
            return [
                f'{p} chooses {s} in Spot where {p}.lair is none or {s} in neighbours({p}.lair) secretly "Go where?"',
                f"{p}.lair = {s}",
            ]
        return [f'{p} chooses {s} in Spot secretly "Hide where?"', f"{p}.lair = {s}"]

    def shoots(self, p: str, q: str) -> Lines:
        s = self.name("s")
        asked = self.chance.choice((f"{q}.trap[{s}]", f"{q}.lair == {s}"))
        return [f'{p} chooses {s} in Spot "Shoot where?"', f"if public({asked})", *indented(self.small(p, q))]

    def points_at(self, p: str, q: str) -> Lines:
        c = self.name("c")
        body = self.chance.choice(
            (
                [f"reveal {c} to {p}"],
                [f"reveal {c}", f"move {c} to discard"],
                [f"move {c} to {p}.hand"],
                [f"flip {c} face up"],
            )
        )
        return [f'{p} chooses {c} in line "Which of the line?" if possible', *indented(body)]

    def turns_up(self, p: str, q: str) -> Lines:
        return self.chance.choice(
            (
                ["if line is not empty", "  flip (first of line) face up"],
                ["for c in line", "  reveal c"],
                ["shuffle line"],
                ["if line is not empty", f"  reveal (last of line) to {q}"],
            )
        )

    def pays(self, p: str, q: str) -> Lines:
        cost = self.chance.choice(
            ("1 card", "2 card all equal", "2 card", "2 card all different", "1 card among (red)")
        )
        return [f'{p} may "Pay" if {p} can pay {cost}', f"  {p} pays {cost}", *indented(self.small(p, q))]

    def writes_role(self, p: str, q: str) -> Lines:
        return self.chance.choice(
            (
                [f"swap_roles({p})"] if self.swapped_roles() else [],
                [f'{p} chooses k in Role secretly "Who are you?"', f"{p}.role = k"],
                ["pick q in players at random", f"q.role = {self.chance.choice(('wolf', 'lamb'))}"],
            )
        )

    def swapped_roles(self) -> bool:
        if not any(line.startswith("effect swap_roles") for line in self.effects):
            self.effects += ["effect swap_roles(p)", "  let mine = p.role", "  p.role = rival(p).role"]
            self.effects += ["  rival(p).role = mine"]
        return True

    def marks_card(self, p: str, q: str) -> Lines:
        c = self.name("c")
        return [f'{p} chooses {c} in {p}.hand "Mark which?" if possible', f"  {c}.marked = yes"]

    def clue(self, p: str, q: str) -> Lines:
        return [f"for c in {q}.rack", f"  if public({self.of_card('c')})", *indented(indented(self.small(p, q)))]
