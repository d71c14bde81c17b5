"""A table as its viewers know it: who they are, what each has noticed, and what each is shown.

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

Nothing here changes a table: that is `game_table`.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import Any

from . import questions
from .apart import Side, side_of
from .asking import ask, standing_of, taken
from .store import AheadRow, ChoiceRow, SeatRow, TableRow
from .words import Refused

PERSONS = ("me", "friend", "open")
NO_BLOCK = -1


class Viewers:
    """A table without choices, at its beginning; `script` says how chance falls, for tests."""

    def __init__(
        self,
        row: TableRow,
        seats: Sequence[SeatRow],
        game: Any,
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

    @property
    def horizon(self) -> int:
        """How far back things can be taken."""
        return int(ask(questions.horizon, self.state))

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
