"""Statements that change the state without asking anybody, in continuation style.

`do_X(statement, env, k)` carries a statement out and gives what comes next: a step (a function without arguments) that
in the end calls `k` with the environment of the rest of the block. Hooks may ask, so even a plain move may have a
decision inside; that is why everything that can set off a hook takes a continuation.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from interpreter.check import program as p
from interpreter.check.value_types import NO_NUMBER, NONE, Die, Maybe, Number, SetOf, bare

from . import slow_knowledge
from .slow_expressions import Env, Expressions, Frame, SlowFault, Value
from .slow_state import Changes, Key

Step = Any  # a function without arguments, a decision, or the end of the game
Rest = Callable[[], Step]
RestOfBlock = Callable[[Env], Step]


class Refusal(Exception):
    """What was begun cannot be carried through."""

    def __init__(self, statement: object, text: str = "") -> None:
        super().__init__(text or type(statement).__name__)
        self.statement = statement


class Content(Exception):
    """A look ahead has come far enough."""


@dataclass(frozen=True)
class Target:
    """An evaluated destination; `keys` is None for the box."""

    keys: list[Key] | None
    position: str | None
    behind: int
    face: str | None


class Effects(Expressions):
    """The half of the evaluator that changes things."""

    trial: Any = None

    def run_block(self, block: p.Block, env: Env, k: Rest) -> Step:
        raise AssertionError("given by the evaluator")

    def begin(self) -> int:
        """A journal for one statement. It lives in the state, so that copies of the game keep copies of it."""
        number = len(self.state.journals)
        self.state.journals.append(Changes())
        return number

    def chance(self) -> None:
        if self.trial is not None:
            raise Content

    def each(self, items: Sequence[Any], act: Callable[[Any, Rest], Step], k: Rest, index: int = 0) -> Step:
        """One after the other, from `index` on, each with what follows it."""
        if index == len(items):
            return k()
        return lambda: act(items[index], lambda: self.each(items, act, k, index + 1))

    # ------------------------------------------------------------------------ hooks on changes

    def run_hook(self, rule: p.RuleDecl, args: tuple[Value, ...], env: Env, k: Rest) -> Step:
        locals_ = {param.number: arg for param, arg in zip(rule.params, args, strict=False)}
        inner = Env(rule, Frame(rule, args, None, env.frame), locals_, env.phase, env.turn, args=args)
        if not self.holds(rule.when, inner):
            return k()
        inner = inner.but(done=lambda _: k())
        return self.run_block(rule.body, inner, k)

    def after_changes(self, journal: int, env: Env, k: Rest) -> Step:
        """Change hooks, once after the statement.

        reading: hooks in program order, each for the cells and places it speaks of in their own order; what has changed
        is settled before the first of them runs. A place counts what the statement itself moved, not what hooks moved
        meanwhile. Setting back (`this RULE`), rolls and setting a face set nothing off.
        """
        calls: list[tuple[p.RuleDecl, tuple[Value, ...]]] = []
        changes = self.state.journals[journal]
        for hook in self.program.change_hooks:
            for touched in sorted(changes.order):
                if touched[0] == -1:
                    calls += self._place_hook(hook, touched[1:], changes)
                else:
                    calls += self._field_hook(hook, touched, changes)
        return self.each(
            calls,
            lambda call, rest: self.run_hook(call[0], call[1], env, rest),
            lambda: self.finish(journal, k),
        )

    def finish(self, journal: int, k: Rest) -> Step:
        """Statements nest, so whatever was begun after this one is over as well."""
        del self.state.journals[journal:]
        return k()

    def _field_hook(
        self, hook: p.ChangeHook, cell: Key, changes: Changes
    ) -> list[tuple[p.RuleDecl, tuple[Value, ...]]]:
        if hook.field is None or self.table.field_number[id(hook.field)] != cell[0]:
            return []
        was, now = changes.fields[cell], self.state.fields[cell]
        happened = {"rises": now > was, "falls": now < was, "changes": now != was}[hook.change]
        return [(hook.rule, (*_owner_and_indexes(cell), was))] if happened else []

    def _place_hook(self, hook: p.ChangeHook, key: Key, changes: Changes) -> list[tuple[p.RuleDecl, tuple[Value, ...]]]:
        if hook.place is None or self.table.place_number[id(hook.place)] != key[0]:
            return []
        more = changes.places[key]
        happened = {
            "grows": more > 0,
            "shrinks": more < 0,
            "becomes_empty": more < 0 and not self.state.contents[key],
        }[hook.change]
        return [(hook.rule, _owner_and_indexes(key))] if happened else []

    # ------------------------------------------------------------------------ fields

    def store(self, journal: int, cell: Key, value: int) -> None:
        decl = self.program.fields[cell[0]]
        kind = bare(decl.type)
        if isinstance(kind, Number | Die) and not (isinstance(decl.type, Maybe) and value == NO_NUMBER):
            if decl.capped:
                value = max(kind.low, min(kind.high, value))
            elif not kind.low <= value <= kind.high:
                raise SlowFault(f"{decl.name}: {value} is outside {kind.low}..{kind.high}")
        if value != self.state.fields[cell]:
            self.state.journals[journal].touch_field(cell, self.state.fields[cell])
            self.state.fields[cell] = value

    def do_SetField(self, s: p.SetField, env: Env, k: RestOfBlock) -> Step:
        cell = self.field_cell(s.field, s.owner, s.indexes, env)
        if cell is None:
            raise Refusal(s, "a field of none")
        value, journal = self.ev_as(s.value, env, s.field.type), self.begin()
        self.store(journal, cell, _changed(self.state.fields[cell], s.op, value))
        return self.after_changes(journal, env, lambda: k(env))

    def do_SetFace(self, s: p.SetFace, env: Env, k: RestOfBlock) -> Step:
        cell = self.table.dice[self.ev(s.die, env)]
        journal = self.begin()
        self.store(journal, cell, _changed(self.state.fields[cell], s.op, self.ev(s.value, env)))
        return self.finish(journal, lambda: k(env))

    def counter(self, player: int, amount: p.CounterAmount, env: Env) -> tuple[Key, int, int]:
        """The cell of a player's counter, with its bounds."""
        indexes = (self.ev(index, env) for index in amount.indexes)
        kind = bare(amount.field.type)
        assert isinstance(kind, Number)
        return (self.table.field_number[id(amount.field)], player, *indexes), kind.low, kind.high

    def do_Gain(self, s: p.Gain, env: Env, k: RestOfBlock) -> Step:
        journal, player = self.begin(), self.ev(s.player, env)
        for amount in s.amounts:
            cell, _, high = self.counter(player, amount, env)
            more = self.ev(amount.amount, env)
            if s.up_to:
                more = min(more, high - self.state.fields[cell])
            self.store(journal, cell, self.state.fields[cell] + more)
        return self.after_changes(journal, env, lambda: k(env))

    def do_Lose(self, s: p.Lose, env: Env, k: RestOfBlock) -> Step:
        # reading: counters may fall to the low end of their range; one that is `capped` stops there without refusal.
        journal, player = self.begin(), self.ev(s.player, env)
        for amount in s.amounts:
            cell, low, _ = self.counter(player, amount, env)
            less, held = self.ev(amount.amount, env), self.state.fields[cell]
            if s.up_to:
                less = min(less, held - low)
            elif held - less < low and not amount.field.capped:
                raise Refusal(s, "not enough to lose")
            self.store(journal, cell, held - less)
        return self.after_changes(journal, env, lambda: k(env))

    # ------------------------------------------------------------------------ pieces

    def target(self, to: p.Destination, env: Env) -> Target:
        # reading: the destination is worked out once, before the first piece moves.
        keys = None if isinstance(to.place, p.Box) else self.place_keys(to.place, env)
        behind = NONE if to.behind is None else self.ev(to.behind, env)
        return Target(keys, to.position, behind, to.face)

    def room(self, piece: int, target: Target) -> Key | None:
        """Where the piece would go (None: the box). reading: `slots` without an index fill the first empty one."""
        if target.keys is None:
            return None
        for key in target.keys:
            if self.state.at.get(piece) == key or not self.is_full(key):
                return key
        raise Refusal(target, "no room")

    def relocate(self, piece: int, target: Target, journal: int) -> tuple[Key | None, Key | None]:
        """The bare move, without hooks: where from and where to. A look ahead stops at what it cannot see."""
        to = self.room(piece, target)
        source = self.state.at.get(piece)
        if self.trial is not None and source is not None and not self.sees(self.trial.player, source):
            raise Content
        if to is not None and self._carries(piece, to):
            raise SlowFault("a piece moved into itself")
        slow_knowledge.leaving(self, piece, source, None if target.face == "down" else to)
        if source is not None:
            self.state.contents[source].remove(piece)
            del self.state.at[piece]
            self.state.journals[journal].touch_place(source, -1)
        if to is not None:
            self._insert(piece, to, target)
            self.state.at[piece] = to
            self.state.journals[journal].touch_place(to, 1)
        # reading: a piece that moves lies face up, unless the statement says face down.
        (self.state.face_down.add if target.face == "down" else self.state.face_down.discard)(piece)
        slow_knowledge.arrived(self, piece, source, to)
        return source, to

    def sees(self, player: int | None, key: Key) -> bool:
        """Whether a seat sees all that lies at a place. reading: a `top open` pile is not seen: the next card shows."""
        decl = self.table.place_of(key)
        if decl.visibility == "secret":
            return self._owner_of(key) == player
        return decl.visibility == "open"

    def _owner_of(self, key: Key) -> int:
        owner = self.table.place_of(key).owner
        if owner == "player":
            return key[1]
        if owner == "piece":
            for attribute in self.program.attributes:
                if attribute.of == "piece" and attribute.name == "owner":
                    return int(attribute.values[key[1]])  # type: ignore[call-overload]
        return NONE

    def _carries(self, piece: int, key: Key | None) -> bool:
        while key is not None and self.table.place_of(key).owner == "piece":
            if key[1] == piece:
                return True
            key = self.state.at.get(key[1])
        return False

    def _insert(self, piece: int, key: Key, target: Target) -> None:
        pieces = self.state.contents[key]
        if not self.table.is_ordered(key):
            pieces.append(piece)
            pieces.sort()
        elif target.position == "after":
            if target.behind != NONE and target.behind not in pieces:
                raise Refusal(target, "what it should lie behind is not there")
            pieces.insert(0 if target.behind == NONE else pieces.index(target.behind) + 1, piece)
        else:
            usual = "on_top" if self.table.place_of(key).shape == "pile" else "as_last"
            first = (target.position or usual) in ("on_top", "as_first")
            pieces.insert(0 if first else len(pieces), piece)

    def move(self, piece: int, target: Target, journal: int, env: Env, k: Rest) -> Step:
        """One piece, with its hooks, at once."""
        source, to = self.relocate(piece, target, journal)
        return self.moved(piece, source, to, env, k)

    def moved(self, piece: int, source: Key | None, to: Key | None, env: Env, k: Rest) -> Step:
        """The hooks of a piece that has moved. reading: `leaves` before `enters`; none within one place."""
        calls = []
        for motion, key in (("leaves", source), ("enters", to)):
            if key is not None and source != to:
                calls += [
                    (hook.rule, (piece, *_owner_and_indexes(key)))
                    for hook in self.program.move_hooks
                    if hook.motion == motion and self.table.place_number[id(hook.place)] == key[0]
                ]
        return self.each(calls, lambda call, rest: self.run_hook(call[0], call[1], env, rest), k)

    def move_all(self, pieces: Sequence[int], to: p.Destination, env: Env, k: Rest) -> Step:
        journal, target = self.begin(), self.target(to, env)
        return self.each(
            pieces,
            lambda piece, rest: self.move(piece, target, journal, env, rest),
            lambda: self.after_changes(journal, env, k),
        )

    def do_MovePiece(self, s: p.MovePiece, env: Env, k: RestOfBlock) -> Step:
        piece = self.ev(s.piece, env)
        if piece == NONE:
            raise Refusal(s, "nothing to move")
        return self.move_all((piece,), s.to, env, lambda: k(env))

    def do_MoveSet(self, s: p.MoveSet, env: Env, k: RestOfBlock) -> Step:
        return self.move_all(self.ev(s.pieces, env), s.to, env, lambda: k(env))

    def do_MoveSome(self, s: p.MoveSome | p.MoveEach, env: Env, k: RestOfBlock) -> Step:
        # reading: `up to` leaves, content, what finds no room. A destination that speaks of the piece is worked out as
        # that piece moves, any other once.
        pieces = self.bound(s.binder, env)
        count = len(pieces) if s.count is None else max(0, self.ev(s.count, env))
        if s.quantity == "exactly" and len(pieces) < count:
            raise Refusal(s, "too few to move")
        journal, once = self.begin(), self.target(s.to, env) if isinstance(s, p.MoveSome) else None

        def act(piece: int, left: int, rest: Callable[[int], Step]) -> Step:
            target = once or self.target(s.to, env.bind(s.binder.local, piece))
            if s.quantity == "up_to" and not self.has_room(target):
                return rest(left)
            return lambda: self.move(piece, target, journal, env, lambda: rest(left - 1))

        return self._some(pieces, 0, count, act, lambda: self.after_changes(journal, env, lambda: k(env)))

    def _some(
        self, pieces: Sequence[int], index: int, left: int,
        act: Callable[[int, int, Callable[[int], Step]], Step], k: Rest,
    ) -> Step:  # fmt: skip
        """As `each`, until so many are left."""
        if index == len(pieces) or left == 0:
            return k()
        return act(pieces[index], left, lambda left: self._some(pieces, index + 1, left, act, k))

    do_MoveEach = do_MoveSome

    def has_room(self, target: Target) -> bool:
        return target.keys is None or any(not self.is_full(key) for key in target.keys)

    def do_Draw(self, s: p.Draw, env: Env, k: RestOfBlock) -> Step:
        count, keys = max(0, self.ev(s.count, env)), self.place_keys(s.source, env)
        if not s.up_to and len(self.ev(s.source, env)) < count:
            raise Refusal(s, "too few to draw")
        journal, target = self.begin(), self.target(s.to, env)

        def one(_: int, rest: Rest) -> Step:
            pieces = [piece for key in keys for piece in self.state.contents[key]]
            if s.up_to and not (pieces and self.has_room(target)):
                return rest()
            if not pieces:
                raise Refusal(s, "too few to draw")
            self.room(pieces[0], target)
            piece = self._drawn_piece(s, pieces)
            self.state.journals[journal].drawn.append(piece)
            return self.move(piece, target, journal, env, rest)

        def name_and_go_on() -> Step:
            named = self._name_drawn(s, journal, env)
            return self.after_changes(journal, env, lambda: k(named))

        return self.each(range(count), one, name_and_go_on)

    def _drawn_piece(self, s: p.Draw, pieces: list[int]) -> int:
        if s.source.place.shape == "bag":
            self.chance()
            return sorted(pieces)[self.state.below(len(pieces))]
        return pieces[0]

    def _name_drawn(self, s: p.Draw, journal: int, env: Env) -> Env:
        drawn = tuple(self.state.journals[journal].drawn)
        if s.result is None:
            return env
        if isinstance(s.result.type, SetOf):
            return env.bind(s.result, drawn)
        return env.bind(s.result, drawn[0] if drawn else NONE)

    def do_Shuffle(self, s: p.Shuffle, env: Env, k: RestOfBlock) -> Step:
        if s.into is None:
            self._shuffle(self.place_keys(s.place, env))
            return k(env)
        into = s.into
        to = p.Destination(into, None, None, None)

        def shuffle_and_go_on() -> Step:
            self._shuffle(self.place_keys(into, env))
            return k(env)

        return self.move_all(self.ev(s.place, env), to, env, shuffle_and_go_on)

    def _shuffle(self, keys: list[Key]) -> None:
        """reading: a shuffle ends a look ahead whatever lies there; of unordered places it draws no number; of `slots`
        the pieces are dealt anew to the slots that held one."""
        self.chance()
        used = [key for key in keys if self.state.contents[key]]
        pieces = sorted(piece for key in used for piece in self.state.contents[key])
        slow_knowledge.shuffled(self, pieces)
        if not used or not self.table.is_ordered(used[0]):
            return
        for last in range(len(pieces) - 1, 0, -1):
            other = self.state.below(last + 1)
            pieces[last], pieces[other] = pieces[other], pieces[last]
        if len(used) == 1:
            self.state.contents[used[0]] = pieces
            slow_knowledge.show_top(self, used[0])
            return
        for key, piece in zip(used, pieces, strict=True):
            self.state.contents[key] = [piece]
            self.state.at[piece] = key

    def do_SwapPieces(self, s: p.SwapPieces, env: Env, k: RestOfBlock) -> Step:
        # reading: both change places first, then the hooks of the first, then of the second.
        one, other = self.ev(s.first, env), self.ev(s.second, env)
        if NONE in (one, other):
            raise Refusal(s, "nothing to swap")
        here, there = self.state.at.get(one), self.state.at.get(other)
        if self._carries(one, there) or self._carries(other, here):
            raise SlowFault("a piece moved into itself")
        spots = {one: self._spot(one), other: self._spot(other)}
        for piece, instead, key in ((other, one, here), (one, other, there)):
            if key is None:
                self.state.at.pop(piece, None)
            else:
                self.state.contents[key][spots[instead]] = piece
                self.state.at[piece] = key
        for key in (here, there):
            if key is not None and not self.table.is_ordered(key):
                self.state.contents[key].sort()
        slow_knowledge.swapped(self, ((one, there), (other, here)))
        return self.moved(one, here, there, env, lambda: self.moved(other, there, here, env, lambda: k(env)))

    def _spot(self, piece: int) -> int:
        key = self.state.at.get(piece)
        return NONE if key is None else self.state.contents[key].index(piece)

    def do_SwapPlaces(self, s: p.SwapPlaces, env: Env, k: RestOfBlock) -> Step:
        ways = list(zip(self.place_keys(s.first, env), self.place_keys(s.second, env), strict=True))
        full = any(
            place.limited and len(self.state.contents[key]) > place.capacity
            for way in ways
            for place, key in ((s.second.place, way[0]), (s.first.place, way[1]))
            if place.shape not in ("slot", "slots")
        )
        return self._exchange(
            dict(ways) | {b: a for a, b in ways}, env, lambda: k(env), Refusal(s, "full") if full else None
        )

    def do_PassOn(self, s: p.PassOn, env: Env, k: RestOfBlock) -> Step:
        step = 1 if s.direction == "left" else -1
        seats, ways = self.seats_in(), {}
        for key in self.table.place_cells(s.place):
            if key[1] in seats:
                to = seats[(seats.index(key[1]) + step) % len(seats)]
                ways[key] = (key[0], to, *key[2:])
        return self._exchange(ways, env, lambda: k(env))

    def _exchange(self, ways: dict[Key, Key], env: Env, k: Rest, refusal: Refusal | None = None) -> Step:
        """All contents change places at once. reading: hooks on single pieces do not run, since whole places change."""
        if self.trial is not None and any(not self.sees(self.trial.player, key) for key in ways):
            raise Content
        if refusal is not None:
            raise refusal
        held, journal = {key: list(self.state.contents[key]) for key in ways}, self.begin()
        for source, to in ways.items():
            self.state.contents[to] = held[source]
            for piece in held[source]:
                self.state.at[piece] = to
        for source in ways:
            self.state.journals[journal].touch_place(source, len(self.state.contents[source]) - len(held[source]))
        going = [(piece, source, to) for source, to in ways.items() for piece in held[source]]
        slow_knowledge.swapped(self, [(piece, to) for piece, _, to in going])
        return self.after_changes(journal, env, k)

    # ------------------------------------------------------------------------ showing, rolling, saying

    def do_Flip(self, s: p.Flip, env: Env, k: RestOfBlock) -> Step:
        piece = self.ev(s.piece, env)
        if piece == NONE:
            raise Refusal(s, "nothing to flip")
        (self.state.face_down.add if s.face == "down" else self.state.face_down.discard)(piece)
        if s.face == "up":
            slow_knowledge.shown(self, (piece,), range(self.program.players))
        return k(env)

    def do_Reveal(self, s: p.Reveal, env: Env, k: RestOfBlock) -> Step:
        # reading: revealing nothing (none, an empty place) is no refusal, and ends a look ahead all the same.
        if self.trial is not None:
            raise Content
        if s.pieces is not None:
            found = self.ev(s.pieces, env)
            pieces = found if isinstance(found, tuple) else () if found == NONE else (found,)
            seats = range(self.program.players) if s.to is None else self.seats(s.to, env)
            slow_knowledge.shown(self, pieces, seats)
            for piece in pieces:
                self.state.watched.setdefault(piece, set()).update(seats)
        return k(env)

    def seats(self, expr: p.Expr, env: Env) -> tuple[int, ...]:
        found = self.ev(expr, env)
        return found if isinstance(found, tuple) else (found,)

    def do_Roll(self, s: p.Roll, env: Env, k: RestOfBlock) -> Step:
        self.chance()
        found = self.ev(s.dice, env)
        for die in found if isinstance(found, tuple) else (found,):
            cell = self.table.dice[die]
            kind: Any = bare(self.program.fields[cell[0]].type)
            self.state.fields[cell] = kind.low + self.state.below(kind.high - kind.low + 1)
        return k(env)


def _changed(before: int, op: str, value: int) -> int:
    return value if op == "=" else before + value if op == "+=" else before - value


def _owner_and_indexes(key: Key) -> tuple[int, ...]:
    """What a hook's parameters get: the owner if there is one, then the indexes (and the slot)."""
    return key[1:] if key[1] != -1 else key[2:]
