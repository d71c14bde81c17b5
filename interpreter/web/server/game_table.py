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
  waits. If nobody is asked, but a viewer must think it possible (`may_be_asked`), the house makes that viewer wait as
  well: the two cases look the same.

Whether a viewer notices a choice is worked out once, when it is made, and stored as a bit mask beside it: a restart
gives the same numbers without drawing every scene again.

Choices are applied to a copy (`tried`). The caller stores the choice and then lets the table take the copy (`take`), so
that memory is never ahead of the disk, and a fault of the rules leaves the table as it was.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...play.contract import option_with_code
from ...play.seeds import derived_seed
from ...runtime.faults import Fault, IllegalChoice
from ...runtime.log import log_lines
from .store import ChoiceRow, SeatRow, TableRow
from .words import Refused

WORLDS = 12  # that are drawn to find out whether somebody may have been asked silently
NEVER = 60  # times after which it is taken for granted that nobody is
EVERY = 16  # choices between two states that are kept for looking back
PERSONS = ("me", "friend", "open")


@dataclass(frozen=True)
class Tried:
    """A choice applied to a copy of the state."""

    state: Any
    choice: ChoiceRow

    @property
    def finished(self) -> bool:
        return bool(self.state.over)


@dataclass(frozen=True)
class Undo:
    """What a seat may take back: the real step to go back to, or why not (a key of `words`)."""

    to: int | None
    why: str | None


class GameTable:
    """`content(state, viewer)` is what a viewer may know of a state, in any form that can be compared."""

    def __init__(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        game: Any,
        choices: Sequence[ChoiceRow],
        content: Callable[[Any, int], Any],
    ) -> None:
        self.row, self.seats, self.game = row, list(seats), game
        self.content = content
        self.spectator: int = game.players
        self.offsets = dict(row.offsets)
        self.choices: list[ChoiceRow] = []
        self.state = game.new(seed=row.seed, auto=row.auto)
        self._kept: dict[int, Any] = {0: self.state.clone()}
        self.moments: list[list[int]] = [[0] for _ in range(self.spectator + 1)]
        self._horizons = [0] * (self.spectator + 1)  # as each viewer last noticed it
        self.scenes: dict[tuple[int, str], tuple[int, dict[str, Any]]] = {}  # kept by `sight`: step and its scene
        self.held: dict[int, int] = {}  # viewers who are shown nothing after that real step for a while
        self._once_silent: set[tuple[int, int]] = set()  # site and code after which one came, or may have come
        self._never_silent: dict[int, int] = {}  # site -> how often no silent decision came after it
        self.fault: Any = None  # the fault of the rules that stopped the game, until somebody takes something back
        for choice in choices:
            self._again(choice)
        self._horizons = [self.state.undo_horizon] * (self.spectator + 1)

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
    def decider(self) -> int | None:
        return None if self.state.over else int(self.state.decision.player)

    @property
    def is_forced(self) -> bool:
        """Whether the pending decision has a single option, which a table that waits (`auto` off) takes by itself."""
        return not self.state.over and len(self.state.decision.options) == 1

    # ------------------------------------------------------------------ choosing

    def number(self, viewer: int) -> int:
        return self.offsets.get(str(viewer), 0) + self._counted(viewer)

    def _counted(self, viewer: int) -> int:
        return 2 * self.steps(viewer) + self.is_waiting(viewer)

    def steps(self, viewer: int) -> int:
        """The last step that a viewer has been shown."""
        return len(self.shown(viewer)) - 1

    def shown(self, viewer: int) -> list[int]:
        """The moments that a viewer has been shown: all, unless the viewer is held back."""
        moments = self.moments[viewer]
        if viewer not in self.held:
            return moments
        return moments[: max(1, bisect_right(moments, self.held[viewer]))]

    def is_waiting(self, viewer: int) -> bool:
        """Whether a viewer has answered the last decision it was shown, and not been shown what came of it."""
        last = self.shown(viewer)[-1]
        return any(choice.seat == viewer for choice in self.choices[last:])

    def is_asked(self, viewer: int) -> bool:
        """Whether a viewer has to decide, and has been shown so."""
        return self.decider == viewer and viewer not in self.held and not self.is_waiting(viewer)

    @property
    def is_silent(self) -> bool:
        """Whether the pending decision is one that others must not notice."""
        return not self.state.over and bool(self.state.meta.sites[self.state.site].silent)

    def may_be_asked(self, code: int) -> set[int]:
        """The viewers who are made to wait because one of them must think it possible that an option leads to a silent
        decision of somebody else: in one of some worlds drawn for that viewer, it does. What was possible once counts
        as possible from then on, and a place in the rules after which it never was is not asked about again."""
        state, meta = self.state, self.state.meta
        if not any(site.silent for site in meta.sites) or self._never_silent.get(state.site, 0) >= NEVER:
            return set()
        everybody = {*self.persons, self.spectator}
        if (state.site, code) in self._once_silent:
            return everybody
        if any(self._may_be_asked(viewer, code) for viewer in self.persons):
            self._once_silent.add((state.site, code))
            self._never_silent[state.site] = -(1 << 30)
            return everybody
        self._never_silent[state.site] = self._never_silent.get(state.site, 0) + 1
        return set()

    def _may_be_asked(self, viewer: int, code: int) -> bool:
        try:
            possible = self.state.worlds(viewer)
            for number in range(WORLDS):
                world = possible.draw(derived_seed(self.row.seed, len(self.choices) * WORLDS + number))
                option = option_with_code(world.decision, code)
                if option is None:
                    continue
                world.apply(option.index)
                if not world.over and world.who != viewer and world.meta.sites[world.site].silent:
                    return True
        except (Fault, IllegalChoice, AssertionError):
            pass  # a world that goes wrong teaches nothing
        return False

    def require_number(self, viewer: int, number: Any) -> None:
        if not isinstance(number, int) or isinstance(number, bool) or number != self.number(viewer):
            raise Refused(409, "stale").with_more(number=self.number(viewer))

    def asked_option(self, viewer: int, number: Any, index: Any, code: Any) -> int:
        """The code of the option that a viewer asks for; refuses what is not this viewer's to choose."""
        self.require_number(viewer, number)
        if self.state.over:
            raise Refused(409, "over")
        decision = self.state.decision
        if not self.is_asked(viewer):
            raise Refused(403, "not_your_turn")
        if not isinstance(index, int) or isinstance(index, bool) or not 0 <= index < len(decision.options):
            raise Refused(422, "no_such_option")
        found = int(decision.options[index])
        if code is not None and (isinstance(code, bool) or code != found):
            raise Refused(409, "stale").with_more(number=self.number(viewer))
        return found

    def took_itself(self, viewer: int, number: Any, code: Any) -> bool:
        """Whether a viewer asks for the single option that took itself meanwhile, at the number at which it was shown:
        the choice is made, and nobody has to be told that it came late."""
        own = next((choice for choice in reversed(self.choices) if viewer in (choice.seat, ~choice.seat)), None)
        if own is None or own.seat >= 0 or isinstance(number, bool) or code not in (None, own.code):
            return False
        return bool(number == self.offsets.get(str(viewer), 0) + 2 * self.step_of(viewer, own.step))

    def tried(self, code: int, *, forced: bool = False) -> Tried:
        """The option with that code on a copy; raises Fault as the rules do. Options are always found by their code,
        so that the same choices lead to the same state after a restart."""
        decision = self.state.decision
        option = option_with_code(decision, code)
        if option is None:
            raise Refused(422, "no_such_option")
        chooser = int(decision.player)
        after = self.state.clone()
        after.apply(option.index)
        seen = self._noticed(self.state, after, chooser)
        seat = ~chooser if forced else chooser
        return Tried(after, ChoiceRow(len(self.choices), code, seat, seen))

    def take(self, tried: Tried) -> None:
        """The tried choice becomes the game."""
        self.state, self.fault = tried.state, None
        self._note(tried.choice)
        for viewer in range(self.spectator + 1):  # whoever noticed it knows how far back things can be taken now
            if tried.choice.seen >> viewer & 1:
                self._horizons[viewer] = self.state.undo_horizon

    def _again(self, choice: ChoiceRow) -> None:
        """A stored choice, played again."""
        option = None if self.state.over else option_with_code(self.state.decision, choice.code)
        if option is None:
            raise Refused(409, "replay_stuck", step=choice.step + 1, what=str(choice.code))
        self.state.apply(option.index)
        self._note(choice)

    def _note(self, choice: ChoiceRow) -> None:
        self.choices.append(choice)
        step = len(self.choices)
        if step % EVERY == 0:
            self._kept[step] = self.state.clone()
        for viewer in range(self.spectator + 1):
            if choice.seen >> viewer & 1:
                self.moments[viewer].append(step)

    def _noticed(self, before: Any, after: Any, chooser: int) -> int:
        """A bit for each viewer for whom something has changed."""
        if not after.over and after.meta.sites[after.site].silent:
            return 1 << int(after.who)
        seen = 1 << chooser
        for viewer in (*self.persons, self.spectator):
            last = self.moments[viewer][-1]
            if viewer != chooser and self._notices(
                before if last == len(self.choices) else self.state_at(last), after, viewer
            ):
                seen |= 1 << viewer
        return seen

    def _notices(self, before: Any, after: Any, viewer: int) -> bool:
        # A new line of the log is noticed. That is nearly always so, and cheaper than drawing two scenes.
        if len(log_lines(after, viewer)) != len(log_lines(before, viewer)) or after.over:
            return True
        return bool(self.content(before, viewer) != self.content(after, viewer))

    # ------------------------------------------------------------------ looking back

    def state_at(self, step: int) -> Any:
        """The game after so many real choices: the state itself for the last of them, else a state of its own."""
        if step == len(self.choices):
            return self.state
        start = max(kept for kept in self._kept if kept <= step)
        state = self._kept[start].clone()
        for choice in self.choices[start:step]:
            option = option_with_code(state.decision, choice.code)
            assert option is not None
            state.apply(option.index)
        return state

    def real_step(self, viewer: int, step: Any) -> int:
        """How many choices were made when a viewer had seen so many moments."""
        most = self.steps(viewer)
        if not isinstance(step, int) or isinstance(step, bool) or not 0 <= step <= most:
            shown = step if isinstance(step, int) else "?"
            raise Refused(404, "no_step", step=shown, most=most)
        return self.moments[viewer][step]

    def step_of(self, viewer: int, real: int) -> int:
        """The last moment that a viewer had seen when so many choices were made."""
        return bisect_right(self.moments[viewer], real) - 1

    def last_own(self, viewer: int, before: int) -> int | None:
        """The step after the last choice that a seat made itself, among the first `before` ones."""
        for choice in reversed(self.choices[:before]):
            if choice.seat == viewer:
                return choice.step + 1
        return None

    # ------------------------------------------------------------------ undo

    def undo(self, seat: int) -> Undo:
        """What a seat may take back, as far as that seat can know: choices that it has not noticed do not count, and
        the horizon is the one it has noticed. `undo_now` asks again when it comes to it."""
        noticed = [choice for choice in self.choices if choice.seen >> seat & 1 or choice.seat == seat]
        return self._undo(seat, noticed, self._horizons[seat])

    def undo_now(self, seat: int, to: Any) -> int:
        """The real step to go back to; refuses what may not be taken back. `to` is a step of that seat's own."""
        undo = self._undo(seat, self.choices, self.state.undo_horizon)
        if undo.to is None:
            raise Refused(409, undo.why or "no_undo")
        if to is None:
            return undo.to
        wanted = self.real_step(seat, to)
        own = next((c.step for c in self.choices[wanted:] if c.seat in self.group(seat)), None)
        if own is None:
            raise Refused(409, "undo_nothing")
        if own < self.state.undo_horizon:
            raise Refused(409, "undo_horizon")
        if self._is_others(seat, self.choices[own:]):
            raise Refused(409, "undo_others")
        return own

    def _undo(self, seat: int, choices: list[ChoiceRow], horizon: int) -> Undo:
        group = self.group(seat)
        if not self.row.settings.get("undo", True):
            return Undo(None, "no_undo")
        if self.is_waiting(seat) or seat in self.held:
            return Undo(None, "undo_waiting")
        if self.state.together and not self.owns_all(seat):
            return Undo(None, "undo_together")
        for choice in reversed(choices):
            if choice.step < horizon:
                return Undo(None, "undo_horizon")
            if choice.seat in group and self._may_have_been_answered(choice) and not self.owns_all(seat):
                return Undo(None, "undo_others")
            if choice.seat in group:
                return Undo(choice.step, None)
            if self._is_others(seat, [choice]):
                return Undo(None, "undo_others")
        return Undo(None, "undo_nothing")

    def _may_have_been_answered(self, choice: ChoiceRow) -> bool:
        """Whether somebody may have answered it silently: it cannot be taken back then, whether that was so or not."""
        return any(choice.code == code for _, code in self._once_silent)

    def _is_others(self, seat: int, choices: list[ChoiceRow]) -> bool:
        """Whether another person has chosen; what took itself for another person counts, so as not to be told apart."""
        others = set(self.persons) - self.group(seat)
        return any((choice.seat if choice.seat >= 0 else ~choice.seat) in others for choice in choices)

    def offsets_after_undo(self, step: int) -> dict[str, int]:
        """Every viewer's number goes up by one, whatever is taken back: of a viewer who has noticed nothing, too, since
        whether something was undone is no secret."""
        offsets = {}
        for viewer, moments in enumerate(self.moments):
            left = moments[: bisect_right(moments, step)]
            waits = any(choice.seat == viewer for choice in self.choices[left[-1] : step])
            offsets[str(viewer)] = self.number(viewer) + 1 - 2 * (len(left) - 1) - waits
        return offsets

    def go_back(self, step: int, offsets: dict[str, int]) -> None:
        """The choices from a step on are gone."""
        self.state = self.state_at(step).clone()
        self.fault = None
        self.scenes.clear()
        self.held.clear()
        del self.choices[step:]
        self._kept = {kept: state for kept, state in self._kept.items() if kept <= step}
        for moments in self.moments:
            del moments[bisect_right(moments, step) :]
        self.offsets = offsets
        self._horizons = [self.state.undo_horizon] * (self.spectator + 1)

    # ------------------------------------------------------------------ other rules

    def replayed(self, game: Any, row: TableRow) -> GameTable:
        """The same choices with other rules; raises Refused (`replay_stuck`) at the first that is not offered, and
        Fault if the rules fail. Who notices what is worked out anew."""
        again = GameTable(row, self.seats, game, (), self.content)
        for choice in self.choices:
            option = None if again.state.over else option_with_code(again.state.decision, choice.code)
            if option is None:
                raise Refused(409, "replay_stuck", step=choice.step + 1, what=_label_of(self, choice))
            done = again.tried(choice.code)
            again.take(replace(done, choice=replace(done.choice, seat=choice.seat)))
        again.offsets = {}
        for viewer in range(self.spectator + 1):  # numbers never come back, whatever was noticed
            again.offsets[str(viewer)] = self.number(viewer) + 1 - again.number(viewer)
        return again


def _label_of(table: GameTable, choice: ChoiceRow) -> str:
    option = option_with_code(table.state_at(choice.step).decision, choice.code)
    return str(option) if option is not None else str(choice.code)
