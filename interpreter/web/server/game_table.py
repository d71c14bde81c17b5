"""One table in memory: choosing, and going back. Knows no network and no disk.

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
from .viewers import NO_BLOCK, Viewers
from .words import Refused

EVERY = 16  # choices between two states that are kept for looking back


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


class GameTable(Viewers):
    def __init__(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        game: Any,
        choices: Sequence[ChoiceRow] = (),
        ahead: Mapping[int, Sequence[AheadRow]] | None = None,
        script: Any = (),
    ) -> None:
        super().__init__(row, seats, game, ahead, script)
        for choice in choices:
            self._again(choice)
        self._horizons = [self.horizon] * (self.spectator + 1)

    # ------------------------------------------------------------------ what is asked for

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
        if code in (None, found) and not isinstance(code, bool):
            return found
        if isinstance(code, bool) or code != ask(questions.shown_code, self.state_for(viewer), index):
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
        horizon = self.horizon
        for viewer in range(self.spectator + 1):  # whoever noticed it knows how far back things can be taken now
            if tried.choice.seen >> viewer & 1:
                self._horizons[viewer] = horizon

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
        self._horizons = [self.horizon] * (self.spectator + 1)

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
