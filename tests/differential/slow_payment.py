"""Payments, solved by trying: every unit of every cost is one pick among the kinds of things that may pay it.

reading: costs in the order written, kinds in the order of the currency's sources and, within a source, by the number
of the attribute that tells its pieces apart, then by row (who pays says which of unequal pieces goes, even where the
cost does not care); within one cost never back to an earlier kind. A pick that has one way
to go on is not asked. Free actions stand beside the first pick only. Of a kind the first piece in table order goes.
A thing without the attribute (a counter, a source without `by`) is of a colour of its own: it is equal only to its
like, different from all else, and never `among`. What is paid leaves in the order picked; a counter paid `to q` is
handed over at once, pieces always go where their source says.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from interpreter.check import program as p
from interpreter.check.value_types import NONE, Maybe, Number, bare, none_of

from .slow_effects import Effects, Refusal, Rest, RestOfBlock, Step, Target
from .slow_expressions import Env
from .slow_state import Key


@dataclass(frozen=True)
class Kind:
    """A kind of thing that may pay one unit of a cost: a counter's cell, or equal pieces with one colour."""

    source: int
    colour: object  # None for what has no attribute
    wild: bool
    cell: Key | None
    pieces: tuple[int, ...]
    back_to: p.Expr | None
    env: Env | None  # in which `back_to` is worked out


@dataclass(frozen=True)
class Bill:
    """An evaluated cost: how many units, which kinds, which pattern."""

    amount: int
    kinds: tuple[Kind, ...]
    pattern: str | None
    among: frozenset[int]
    colours: int  # how many colours there are at all


Picks = tuple[tuple[int, int], ...]  # (cost, kind) for each unit so far


def _none_of(source: p.CurrencySourceDecl) -> int | None:
    """The value of a piece that has none; None if each piece has one."""
    return none_of(source.by.type) if source.by is not None and isinstance(source.by.type, Maybe) else None


class Payments(Effects):
    def bills(self, player: int, costs: tuple[p.CostDecl, ...], env: Env) -> list[Bill]:
        return [self._bill(player, cost, env) for cost in costs]

    def _bill(self, player: int, cost: p.CostDecl, env: Env) -> Bill:
        amount = max(0, self.ev(cost.amount, env))
        among = frozenset(self.ev(cost.among, env)) if cost.among is not None else frozenset()
        if cost.currency is None:
            assert cost.field is not None
            indexes = tuple(self.ev(index, env) for index in cost.indexes)
            cell = (self.table.field_number[id(cost.field)], player, *indexes)
            return Bill(amount, (Kind(0, None, False, cell, (), None, None),), cost.pattern, among, 0)
        own = Env(None, env.frame, {cost.currency.player.number: player})
        kinds: list[Kind] = []
        colours: set[object] = set()
        for number, source in enumerate(cost.currency.sources):
            if source.by is not None:
                colours |= set(source.by.values) - {_none_of(source)}
            if self.holds(source.when, own):
                kinds += self._kinds(number, source, player, own)
        return Bill(amount, tuple(kinds), cost.pattern, among, len(colours))

    def _kinds(self, number: int, source: p.CurrencySourceDecl, player: int, env: Env) -> list[Kind]:
        if source.field is not None:
            cell = (self.table.field_number[id(source.field)], player)
            return [Kind(number, None, source.as_any, cell, (), None, None)]
        assert source.place is not None
        pieces: tuple[int, ...] = self.ev(source.place, env)
        groups: dict[Any, list[int]] = {}
        for piece in sorted(pieces):
            colour = None if source.by is None else source.by.values[piece]
            is_wild = source.as_any or (source.by is not None and colour == _none_of(source))
            groups.setdefault((is_wild, colour, self.program.pieces[piece].row), []).append(piece)
        return [
            Kind(number, key[1], key[0], None, tuple(groups[key]), source.back_to, env)
            for key in (sorted(groups) if source.by is not None else groups)
        ]

    # ------------------------------------------------------------------------ which ways there are

    def ways(self, bills: list[Bill], picks: Picks) -> list[tuple[int, int]]:
        """The picks that can come next and still lead to a whole payment; empty when all is picked."""
        cost = self._open_cost(bills, picks)
        if cost is None:
            return []
        least = max((kind for of, kind in picks if of == cost), default=0)
        return [
            (cost, kind)
            for kind in range(least, len(bills[cost].kinds))
            if self._fits(bills, picks, cost, kind) and self.solvable(bills, (*picks, (cost, kind)))
        ]

    def solvable(self, bills: list[Bill], picks: Picks) -> bool:
        cost = self._open_cost(bills, picks)
        if cost is None:
            return True
        least = max((kind for of, kind in picks if of == cost), default=0)
        return any(
            self._fits(bills, picks, cost, kind) and self.solvable(bills, (*picks, (cost, kind)))
            for kind in range(least, len(bills[cost].kinds))
        )

    def _open_cost(self, bills: list[Bill], picks: Picks) -> int | None:
        for cost, bill in enumerate(bills):
            if sum(of == cost for of, _ in picks) < bill.amount:
                return cost
        return None

    def _fits(self, bills: list[Bill], picks: Picks, cost: int, kind: int) -> bool:
        bill, thing = bills[cost], bills[cost].kinds[kind]
        if thing.cell is not None:
            paid = sum(bills[of].kinds[k].cell == thing.cell for of, k in picks)
            if self._held(thing.cell) <= paid:
                return False
        elif not set(thing.pieces) - set(self._pieces(bills, picks)):
            return False
        same = [bill.kinds[k] for of, k in picks if of == cost] + [thing]
        return _matches(bill, same)

    def _held(self, cell: Key) -> int:
        kind = bare(self.program.fields[cell[0]].type)
        assert isinstance(kind, Number)
        return self.state.fields[cell] - kind.low

    def _pieces(self, bills: list[Bill], picks: Picks) -> list[int]:
        """The piece that goes for each pick of pieces: the first of its kind not gone yet."""
        gone: list[int] = []
        for cost, kind in picks:
            gone += [piece for piece in bills[cost].kinds[kind].pieces if piece not in gone][:1]
        return gone

    # ------------------------------------------------------------------------ paying

    def do_Pay(self, s: p.Pay, env: Env, k: RestOfBlock) -> Step:
        player = self.ev(s.player, env)
        to = None if s.to is None else self.ev(s.to, env)
        bills = self.bills(player, s.costs, env)
        if not self.solvable(bills, ()):
            raise Refusal(s, "cannot be paid")
        return self._pick(s, player, to, bills, (), env, k)

    def _pick(
        self, s: p.Pay, player: int, to: int | None, bills: list[Bill], picks: Picks, env: Env, k: RestOfBlock
    ) -> Step:
        ways = self.ways(bills, picks)
        if not ways:
            return self._hand_over(player, to, bills, picks, env, lambda: k(env))

        def go(way: tuple[int, int]) -> Step:
            return self._pick(s, player, to, bills, (*picks, way), env, k)

        if len(ways) == 1:
            return lambda: go(ways[0])
        options = []
        for way in ways:
            kind = bills[way[0]].kinds[way[1]]
            colour = NONE if kind.colour is None else kind.colour
            options.append(self.option("option", way[0], (kind.source, colour), lambda way=way: go(way)))
        again = None if picks else lambda: self.do_Pay(s, env, k)
        return self.ask(s, player, options, env, again=again, only_way=True)

    def _hand_over(self, player: int, to: int | None, bills: list[Bill], picks: Picks, env: Env, k: Rest) -> Step:
        journal = self.begin()
        going = iter(self._pieces(bills, picks))
        acts: list[tuple[Kind, int]] = []
        for cost, number in picks:
            kind = bills[cost].kinds[number]
            acts.append((kind, NONE if kind.cell is not None else next(going)))

        def act(one: tuple[Kind, int], rest: Rest) -> Step:
            kind, piece = one
            if kind.cell is not None:
                self.store(journal, kind.cell, self.state.fields[kind.cell] - 1)
                if to is not None:
                    theirs = (kind.cell[0], to, *kind.cell[2:])
                    self.store(journal, theirs, self.state.fields[theirs] + 1)
                return rest()
            assert kind.env is not None
            target = Target(None, None, NONE, None)
            if kind.back_to is not None:
                target = self.target(p.Destination(kind.back_to, None, None, None), kind.env)
            return self.move(piece, target, journal, env, rest)

        return self.each(acts, act, lambda: self.after_changes(journal, env, k))

    def ev_CanPay(self, e: p.CanPay, env: Env) -> int:
        return int(self.solvable(self.bills(self.ev(e.player, env), e.costs, env), ()))

    def option(self, kind: str, branch: int, values: tuple[object, ...], go: Rest) -> Any:
        raise AssertionError("given by the evaluator")

    def ask(self, site: object, player: int, options: list[Any], env: Env, **more: Any) -> Step:
        raise AssertionError("given by the evaluator")


def _matches(bill: Bill, things: list[Kind]) -> bool:
    """Whether the units of one cost picked so far agree with its pattern; what is wild agrees with everything."""
    plain = [thing for thing in things if not thing.wild]
    colours = [("own", thing.source) if thing.colour is None else thing.colour for thing in plain]
    match bill.pattern:
        case "all_different":
            enough = len(plain) == len(things) or bill.amount <= bill.colours
            return enough and len(set(colours)) == len(colours)
        case "all_equal":
            return len(set(colours)) <= 1
        case "among":
            return all(colour in bill.among for colour in colours)
    return True
