"""One table in memory: its state, its choices, and what each viewer has noticed. Knows no network and no disk.

A *viewer* is a seat, or a spectator, who has the number after the last seat. Viewers do not see the same game: a choice
made in secret, or a reaction that somebody silently passed, must not be countable by others. So steps and position
numbers are counted for each viewer apart:

- `moments[v]` are the moments that viewer v has seen, each the number of real choices made by then. After a choice that
  changes nothing of what v may know, v has no new moment, gets no message, and its number stays.
- The *number* of a position is twice the number of moments since the first, plus one if the viewer has answered and
  not seen yet what came of it, plus an offset that grows with every undo, so that it never comes back. A choice names
  the number it answers; with any other it is refused and does no harm.
- While somebody is asked silently (`q may "Ward it off with {c}" for c in q.hand`: whether q is asked at all tells what
  q holds), nothing that was done since is shown to anybody else. Whoever chose last sees that the choice was taken, and
  waits. If the rules came to such a question and nobody was asked (`Standing.hushed`), the house makes everybody wait
  as well: the two cases look the same.
- While players choose `together`, everybody is asked at once (`apart`). Inside a block the moments of a viewer are its
  own choices in it, but for the last, of which comes what all have chosen.

Whether a viewer notices a choice is worked out once, when it is made, and stored as a bit mask beside it: a restart
gives the same numbers without drawing every scene again.

Choices are applied to a copy (`tried`). The caller stores the choice and then lets the table take the copy (`take`), so
that memory is never ahead of the disk, and a fault of the rules leaves the table as it was.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from . import questions
from .apart import Side, side_of
from .asking import Standing, ask, standing_of, taken
from .store import AheadRow, ChoiceRow, SeatRow, TableRow
from .words import Refused

EVERY = 16  # choices between two states that are kept for looking back
PERSONS = ("me", "friend", "open")
NO_BLOCK = -1


@dataclass(frozen=True)
class Tried:
    """A choice applied to a copy of the state. `asked`: a bit for each person who has to decide then; `sides`: what
    they see of a block that begins with it."""

    state: Any
    standing: Standing
    choice: ChoiceRow
    asked: int
    sides: dict[int, Side] = field(default_factory=dict)

    @property
    def finished(self) -> bool:
        return self.standing.over


class GameTable:
    def __init__(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        game: Any,
        choices: Sequence[ChoiceRow] = (),
        ahead: Mapping[int, Sequence[AheadRow]] | None = None,
        script: Any = (),
    ) -> None:
        self.row, self.seats, self.game = row, list(seats), game
        self.spectator: int = game.players
        self.offsets = dict(row.offsets)
        self.choices: list[ChoiceRow] = []
        self.state = game.new(seed=row.seed, auto=row.auto, script=script)
        self.standing = standing_of(self.state)
        self._kept: dict[int, Any] = {0: self.state.clone()}
        self.moments: list[list[int]] = [[0] for _ in range(self.spectator + 1)]
        self.blocks = [NO_BLOCK if self.standing.block is None else 0]  # of each step: where its block began
        self.hushed: set[int] = set()  # choices after which somebody was asked silently, or may have been
        self.ahead: dict[int, list[AheadRow]] = {seat: list(rows) for seat, rows in (ahead or {}).items()}
        self._sides: dict[int, tuple[int, tuple[int, ...], Side]] = {}
        self._horizons = [0] * (self.spectator + 1)  # as each viewer last noticed it
        self.scenes: dict[tuple[int, str], tuple[int, dict[str, Any]]] = {}  # kept by `sight`: step and its scene
        self.held: dict[int, int] = {}  # viewers who are shown nothing after that real step for a while
        self.fault: Any = None  # the fault of the rules that stopped the game, until somebody takes something back
        for choice in choices:
            self._again(choice)
        self._horizons = [self.standing.horizon] * (self.spectator + 1)

    # ------------------------------------------------------------------ who

    @property
    def persons(self) -> list[int]:
        return [seat.seat for seat in self.seats if seat.kind in PERSONS]

    def group(self, seat: int) -> set[int]:
        """The seats that one person has: whoever made the table has all seats of kind `me`."""
        if self.seats[seat].kind != "me":
            return {seat}
        return {other.seat for other in self.seats if other.kind == "me"}

    def owns_all(self, viewer: int) -> bool:
        """Whether all persons of the table are this one."""
        return viewer != self.spectator and set(self.persons) <= self.group(viewer)

    @property
    def is_shared(self) -> bool:
        """Whether there are several persons, who may have secrets from each other."""
        persons = self.persons
        return bool(persons) and not self.owns_all(persons[0])

    @property
    def decider(self) -> int | None:
        """Whom the rules ask."""
        return self.standing.who

    @property
    def is_forced(self) -> bool:
        """Whether the pending decision has a single option, which a table that waits (`auto` off) takes by itself."""
        return self.standing.options == 1

    @property
    def is_silent(self) -> bool:
        """Whether the pending decision is one that others must not notice."""
        return self.standing.silent

    # ------------------------------------------------------------------ what a viewer has been shown

    def number(self, viewer: int) -> int:
        return self.offsets.get(str(viewer), 0) + self.counted(viewer)

    def counted(self, viewer: int) -> int:
        return 2 * self.steps(viewer) + self.is_waiting(viewer)

    def steps(self, viewer: int) -> int:
        """The last step that a viewer has been shown."""
        start = self.block_of(viewer)
        if start == NO_BLOCK:
            return len(self.shown(viewer)) - 1
        answered = len(self.own_in(viewer, start))
        return self.step_of(viewer, start) + (answered if self.is_asked(viewer) else max(0, answered - 1))

    def shown(self, viewer: int) -> list[int]:
        """The moments that a viewer has been shown: all, unless the viewer is held back."""
        moments = self.moments[viewer]
        if viewer not in self.held:
            return moments
        return moments[: max(1, bisect_right(moments, self.held[viewer]))]

    def is_waiting(self, viewer: int) -> bool:
        """Whether a viewer has answered the last decision it was shown, and not been shown what came of it."""
        start = self.block_of(viewer)
        if start != NO_BLOCK:
            return bool(self.own_in(viewer, start)) and not self.is_asked(viewer)
        last = self.shown(viewer)[-1]
        return any(choice.seat == viewer for choice in self.choices[last:])

    def is_asked(self, viewer: int) -> bool:
        """Whether a viewer has to decide, and has been shown so."""
        if self.block_of(viewer) != NO_BLOCK:
            side = self.side(viewer)
            return side.asked or (side.stuck and self.decider == viewer and viewer not in self.held)
        return self.decider == viewer and viewer not in self.held and not self.is_waiting(viewer)

    def options_of(self, viewer: int) -> int:
        """How many options a viewer has who is asked."""
        return self.side(viewer).options if self._is_aside(viewer) else self.standing.options

    def horizon_of(self, viewer: int) -> int:
        """How far back things can be taken, as a viewer last noticed it."""
        return self._horizons[viewer]

    # ------------------------------------------------------------------ choosing at once

    def block_of(self, viewer: int) -> int:
        """Where the block began that a viewer is in; NO_BLOCK if there is none, or nobody to keep secrets from."""
        return self.blocks[self.held.get(viewer, len(self.choices))] if self.is_shared else NO_BLOCK

    def own_in(self, viewer: int, start: int) -> list[int]:
        """What a viewer has chosen in the block that began at a step."""
        found = []
        for choice in self.choices[start:]:
            if self.blocks[choice.step] != start:
                break
            if viewer in (choice.seat, ~choice.seat):
                found.append(choice.code)
        if self.blocks[-1] == start:
            found += [row.code for row in self.ahead.get(viewer, ())]
        return found

    def side(self, viewer: int, start: int | None = None) -> Side:
        """A block as a viewer lives through it: the one that the viewer is in, or one that began at a step."""
        start = self.block_of(viewer) if start is None else start
        own = tuple(self.own_in(viewer, start))
        kept = self._sides.get(viewer)
        if kept is None or kept[:2] != (start, own):
            begin = self.state_at(start)
            side = Side(begin.clone(), False) if viewer == self.spectator else side_of(begin, viewer, own)
            kept = self._sides[viewer] = (start, own, side)
        return kept[2]

    def side_at(self, viewer: int, step: int) -> Any:
        """The state that a viewer saw in the block it is in, after so many of its own choices there."""
        start = self.block_of(viewer)
        return side_of(self.state_at(start), viewer, self.own_in(viewer, start)[:step]).state

    def _is_aside(self, viewer: int) -> bool:
        """Whether what the viewer is asked is worked out aside, and not by the rules themselves."""
        return self.block_of(viewer) != NO_BLOCK and not self.side(viewer).stuck

    def state_for(self, viewer: int) -> Any:
        """The state that a viewer is shown now."""
        if self.block_of(viewer) != NO_BLOCK:
            side = self.side(viewer)
            return self.state if side.stuck and self.is_asked(viewer) else side.state
        if viewer not in self.held and not self.is_silent:
            return self.state  # what has happened since the last moment changes nothing for this viewer
        return self.state_at(self.shown(viewer)[-1])

    def codes_for(self, viewer: int) -> list[int]:
        """The choices that lead to what a viewer is asked."""
        if not self._is_aside(viewer):
            return [choice.code for choice in self.choices]
        return [*(choice.code for choice in self.choices[: self.block_of(viewer)]), *self.side(viewer).path]

    @property
    def asked(self) -> int:
        """A bit for each person who has to decide, held back or not."""
        if not self.is_shared or self.blocks[-1] == NO_BLOCK:
            return 0 if self.decider is None else 1 << self.decider
        sides = ((viewer, self.side(viewer, self.blocks[-1])) for viewer in self.persons)
        return sum(1 << viewer for viewer, side in sides if side.asked or (side.stuck and self.decider == viewer))

    def asked_ahead(self, viewer: int, row: AheadRow) -> int:
        """Who has to decide after an answer was given ahead."""
        side = side_of(self.state_at(self.blocks[-1]), viewer, [*self.own_in(viewer, self.blocks[-1]), row.code])
        return self.asked & ~(1 << viewer) | side.asked << viewer

    # ------------------------------------------------------------------ choosing

    def require_number(self, viewer: int, number: Any) -> None:
        if not isinstance(number, int) or isinstance(number, bool) or number != self.number(viewer):
            raise Refused(409, "stale").with_more(number=self.number(viewer))

    def asked_option(self, viewer: int, number: Any, index: Any, code: Any) -> int:
        """The code of the option that a viewer asks for; refuses what is not this viewer's to choose."""
        self.require_number(viewer, number)
        if self.standing.over:
            raise Refused(409, "over")
        if not self.is_asked(viewer):
            raise Refused(403, "not_your_turn")
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < self.options_of(viewer):
            raise Refused(422, "no_such_option")
        found: int | None = ask(questions.code_at, self.state_for(viewer), index)
        if found is None:
            raise Refused(422, "no_such_option")
        if code is not None and (isinstance(code, bool) or code != found):
            raise Refused(409, "stale").with_more(number=self.number(viewer))
        return found

    def took_itself(self, viewer: int, number: Any, code: Any) -> bool:
        """Whether a viewer asks for the single option that took itself meanwhile, at the number at which it was shown:
        the choice is made, and nobody has to be told that it came late."""
        if isinstance(number, bool) or not isinstance(number, int):
            return False
        offset = self.offsets.get(str(viewer), 0)
        if self.blocks[-1] != NO_BLOCK and self.ahead.get(viewer):
            last = self.ahead[viewer][-1]
            position = self.step_of(viewer, self.blocks[-1]) + last.position
            return last.forced and code in (None, last.code) and number == offset + 2 * position
        own = next((choice for choice in reversed(self.choices) if viewer in (choice.seat, ~choice.seat)), None)
        if own is None or own.seat >= 0 or code not in (None, own.code):
            return False
        return number == offset + 2 * self.step_of(viewer, own.step)

    def answers_ahead(self, viewer: int) -> bool:
        """Whether a viewer's answer has to wait until the rules come to it."""
        return self._is_aside(viewer) and self.decider != viewer

    def ahead_row(self, viewer: int, code: int, forced: bool = False) -> AheadRow:
        return AheadRow(viewer, len(self.own_in(viewer, self.blocks[-1])), code, forced)

    def take_ahead(self, row: AheadRow) -> None:
        """An answer is kept until the rules come to it."""
        self.ahead.setdefault(row.seat, []).append(row)

    def without_ahead(self, seat: int) -> dict[str, int]:
        """Forgets what a seat answered ahead, because the rules do not offer it; gives the offsets after that."""
        number = self.number(seat)
        self.ahead.pop(seat, None)
        self.offsets = {**self.offsets, str(seat): number + 1 - self.counted(seat)}
        return self.offsets

    @property
    def waiting_answer(self) -> AheadRow | None:
        """What was answered ahead to the decision that the rules ask now."""
        rows = self.ahead.get(-1 if self.decider is None else self.decider)
        return rows[0] if rows else None

    def tried(self, code: int, *, forced: bool = False) -> Tried:
        """The option with that code on a copy; raises Fault as the rules do."""
        chooser = self.decider
        after = self.state.clone()
        standing = None if chooser is None else taken(after, code)
        if standing is None or chooser is None:
            raise Refused(422, "no_such_option")
        row = ChoiceRow(len(self.choices), code, ~chooser if forced else chooser, 0)
        sides = self._sides_of(after, standing)
        seen = self._noticed(after, standing, chooser, sides)
        return Tried(after, standing, replace(row, seen=seen), self._asked_after(standing, chooser, sides), sides)

    def _begins_block(self, standing: Standing) -> bool:
        return self.is_shared and standing.block is not None and standing.block != self.standing.block

    def _is_within(self, standing: Standing) -> bool:
        """Whether a choice leads on inside the block that runs."""
        return self.is_shared and standing.block is not None and standing.block == self.standing.block

    def _sides_of(self, after: Any, standing: Standing) -> dict[int, Side]:
        """A block that begins, for each person."""
        if not self._begins_block(standing):
            return {}
        return {viewer: side_of(after, viewer, ()) for viewer in self.persons}

    def _asked_after(self, standing: Standing, chooser: int, sides: dict[int, Side]) -> int:
        who = 0 if standing.who is None else 1 << standing.who
        if sides:
            return sum(1 << viewer for viewer, side in sides.items() if side.asked) | (
                who if standing.who in sides and sides[standing.who].stuck else 0
            )
        if self._is_within(standing):
            again = standing.who == chooser or (
                standing.who in self.persons and self.side(standing.who or 0, self.blocks[-1]).stuck
            )
            return self.asked & ~(1 << chooser) | (who if again else 0)
        return who

    def told(self, tried: Tried, ahead: bool) -> int:
        """A bit for each viewer who is to be sent something when a tried choice is taken. An answer that was given
        ahead is no news to its player, and a block tells nobody else."""
        chooser, after = self.decider or 0, tried.standing
        if not self._is_within(after):
            return tried.choice.seen | 1 << chooser
        asked_now = after.who is not None and after.who != chooser and self.side(after.who, self.blocks[-1]).stuck
        return (0 if ahead else 1 << chooser) | (1 << (after.who or 0) if asked_now else 0)

    def take(self, tried: Tried) -> None:
        """The tried choice becomes the game."""
        self.state, self.fault = tried.state, None
        rows = self.ahead.get(self.decider if self.decider is not None else -1)
        if rows:
            del rows[0]
        self._note(tried.choice, tried.standing)
        for viewer, side in tried.sides.items():
            self._sides[viewer] = (len(self.choices), (), side)
        for viewer in range(self.spectator + 1):  # whoever noticed it knows how far back things can be taken now
            if tried.choice.seen >> viewer & 1:
                self._horizons[viewer] = self.standing.horizon

    def _again(self, choice: ChoiceRow) -> None:
        """A stored choice, played again."""
        standing = taken(self.state, choice.code)
        if standing is None:
            raise Refused(409, "replay_stuck", step=choice.step + 1, what=str(choice.code))
        self._note(choice, standing)

    def _note(self, choice: ChoiceRow, standing: Standing) -> None:
        self.choices.append(choice)
        step = len(self.choices)
        goes_on = standing.block is not None and standing.block == self.standing.block
        self.blocks.append(self.blocks[-1] if goes_on else NO_BLOCK if standing.block is None else step)
        if standing.hushed or standing.silent or self.standing.silent:
            self.hushed.add(choice.step)
        self.standing = standing
        if step % EVERY == 0:
            self._kept[step] = self.state.clone()
        for viewer in range(self.spectator + 1):
            if choice.seen >> viewer & 1:
                self.moments[viewer].append(step)

    def _noticed(self, after: Any, standing: Standing, chooser: int, sides: dict[int, Side]) -> int:
        """A bit for each viewer for whom something has changed."""
        if self._is_within(standing):
            return 1 << chooser if standing.who == chooser else 0
        if standing.silent and not sides:
            return 1 << int(standing.who or 0)
        seen = 1 << chooser
        for viewer in (*self.persons, self.spectator):
            if viewer != chooser and self._notices(after, viewer, sides.get(viewer)):
                seen |= 1 << viewer
        return seen

    def _notices(self, after: Any, viewer: int, side: Side | None) -> bool:
        if (side is not None and side.asked) or self.is_waiting(viewer):
            return True
        before = self.state_at(self.moments[viewer][-1])
        return bool(ask(questions.notices, after, before, None if viewer == self.spectator else viewer))

    # ------------------------------------------------------------------ looking back

    def state_at(self, step: int) -> Any:
        """The game after so many real choices: the state itself for the last of them, else a state of its own."""
        if step == len(self.choices):
            return self.state
        start = max(kept for kept in self._kept if kept <= step)
        if start == step:
            return self._kept[start]
        state = self._kept[start].clone()
        for choice in self.choices[start:step]:
            assert taken(state, choice.code) is not None
        return state

    def real_step(self, viewer: int, step: Any) -> int:
        """How many choices were made when a viewer had seen so many moments. Inside a block that is not over: when the
        block began."""
        most = self.steps(viewer)
        if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step <= most:
            shown = step if isinstance(step, int) else "?"
            raise Refused(404, "no_step", step=shown, most=most)
        start = self.block_of(viewer)
        return start if start != NO_BLOCK and step > self.step_of(viewer, start) else self.moments[viewer][step]

    def state_seen(self, viewer: int, step: int) -> Any:
        """The state that a viewer saw at a step of its own."""
        real, start = self.real_step(viewer, step), self.block_of(viewer)
        inside = step - self.step_of(viewer, start) if start != NO_BLOCK else 0
        return (
            self.side_at(viewer, inside) if inside > 0 or (start != NO_BLOCK and real == start) else self.state_at(real)
        )

    def step_of(self, viewer: int, real: int) -> int:
        """The last moment that a viewer had seen when so many choices were made."""
        return bisect_right(self.moments[viewer], real) - 1

    def last_own(self, viewer: int, before: int) -> int | None:
        """The step after the last choice that a seat made itself, among the first `before` ones."""
        for choice in reversed(self.choices[:before]):
            if choice.seat == viewer:
                return choice.step + 1
        return None

    # ------------------------------------------------------------------ going back, and other rules

    def go_back(self, step: int, offsets: dict[str, int]) -> None:
        """The choices from a step on are gone."""
        self.state = self.state_at(step).clone()
        self.standing, self.fault = standing_of(self.state), None
        for kept in (self.scenes, self.held, self.ahead, self._sides):
            kept.clear()
        del self.choices[step:], self.blocks[step + 1 :]
        self.hushed = {choice for choice in self.hushed if choice < step}
        self._kept = {kept: state for kept, state in self._kept.items() if kept <= step}
        for moments in self.moments:
            del moments[bisect_right(moments, step) :]
        self.offsets = offsets
        self._horizons = [self.standing.horizon] * (self.spectator + 1)

    def replayed(self, game: Any, row: TableRow) -> GameTable:
        """The same choices with other rules; raises Refused (`replay_stuck`) at the first that is not offered, and
        Fault if the rules fail. Who notices what is worked out anew. What was answered ahead is asked again."""
        again = GameTable(row, self.seats, game)
        for choice in self.choices:
            try:
                done = again.tried(choice.code)
            except Refused:
                what = ask(questions.option_with, self.state_at(choice.step), choice.code)
                label = choice.code if what is None else what["label"]
                raise Refused(409, "replay_stuck", step=choice.step + 1, what=str(label)) from None
            again.take(replace(done, choice=replace(done.choice, seat=choice.seat)))
        again.offsets = {}
        for viewer in range(self.spectator + 1):  # numbers never come back, whatever was noticed
            again.offsets[str(viewer)] = self.number(viewer) + 1 - again.counted(viewer)
        return again
