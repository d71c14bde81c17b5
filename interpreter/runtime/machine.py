"""The machine that runs emitted code: its modules bound to what they call, one for each way of running, and the loop
over frames.

`play` keeps knowledge and log, `fast` runs playouts and keeps neither, `trial` looks ahead: it stops at chance and at
unseen pieces, and counts that as success. A machine holds nothing of a running game: that is all in the State, so one
machine serves any number of games at once, in any number of threads. What it works out when first asked for (the lines
of a map, what is foreseen of a cell) comes out the same whoever asks first, and is stored whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any

from ..compile.load import Compiled
from ..compile.meta import FREE, PASS, POSED, STEP
from . import bounds, flow, payments, places, scripted, sets, trials, unseen
from .faults import (
    Carried,
    Ended,
    Later,
    Refused,
    Trouble,
    counted,
    endless,
    filled,
    fitting,
    in_range,
    somebody,
    spend,
    step,
    uncounted,
)
from .free_actions import free_args
from .graph import MapGraph
from .log import note_forced_pick
from .remembered import remembering
from .renaming import Renaming
from .trail import ASKED, TOOK, kept_before
from .trails import longest_trail

MOST_KEPT = 40_000_000  # numbers in the trail of a game, eight bytes each
_LOOKED_ON = 1000  # steps for which a loop is followed to see which segments it runs through


class Machine:
    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled
        self.meta = meta = compiled.meta
        self.entries = compiled.entries
        self.maps = {name: MapGraph(**described) for name, described in compiled.maps.items()}
        self.free_rules = frozenset(name for name, *_ in meta.free_actions)
        self.trial_steps: int = meta.limits["trial_steps"]
        self.copied: int = len(meta.start) + meta.pieces + STEP  # units of work in a copy of a state
        # Numbers in a copy for the trail; for each player what is known of each piece may be another one every time.
        self.kept: int = len(meta.start) + meta.pieces * (1 + meta.players * meta.has_secrets)
        self.copy_steps: int = 1 + (len(meta.start) + meta.pieces) // 4096  # steps of a trial that it stands for
        self.untried_branches = [len(s.branches) + s.may_pass - len(s.trial_branches) for s in meta.sites]
        self.picks = [site.kind in ("set", "pay") for site in meta.sites]  # chosen one by one
        self._unseen: dict[int, dict[int, Any]] = {}
        self._seen: dict[int, Callable[[Sequence[int]], Any]] = {}
        self._seen_offsets: dict[int, tuple[int, ...]] = {}
        self.first_event: tuple[Any, Any] = ((), None)  # a trail and where it began (`trail`)
        self.stories: dict[int, tuple[Any, ...]] = {}  # by player: the one that was told last (`story`)
        self.marks: dict[int, Any] = {}  # by player: what was lost track of, up to a link of a trail (`marks`)
        self.known: dict[str, dict[Any, tuple[int, int]]] = {}  # by value: what it came to (`remembered`)
        self._fast: dict[str, Any] | None = None
        self._parts: dict[tuple[int, int], Any] | None = None
        self._again: dict[str, Any] | None = None
        self._briefly: dict[str, Any] | None = None
        self._asking: list[Any] | None = None
        self.renaming = Renaming(meta)
        self.play, self.trial = self._bind("play"), self._bind("trial")
        self.play_code = self.play["CODE"]
        self.trial_code = self.trial["CODE"]
        self.end = len(self.play_code) - 1

    @property
    def fast(self) -> dict[str, Any]:
        """Bound when the first playout begins: scenarios and games at the table never ask for it. Two threads may both
        bind it, and either result will do; a lock (`cached_property` has one) would let one wait for the other."""
        if self._fast is None:
            self._fast = self._bind("playout")
        return self._fast

    @property
    def fast_code(self) -> list[Any]:
        return self.fast["CODE"]  # type: ignore[no-any-return]

    @property
    def parts(self) -> dict[tuple[int, int], Any]:
        """By segment and branch: what asks a part of a question alone (`compile/parts.py`)."""
        if self._parts is None:
            names = {**self.fast, "PARTS": {}}
            if "parts" in self.compiled.places:
                exec(self.compiled.code("parts"), names)
            self._parts = names["PARTS"]
        return self._parts

    @property
    def again(self) -> dict[str, Any]:
        """The rules as they run in play, for a step that is run again in a world: see `steps` and `scripted`."""
        if self._again is None:
            self._again = self._bind("again")
        return self._again

    @property
    def briefly(self) -> dict[str, Any]:
        """The same for whoever wants to know no more of a question than that it is posed: where that is sure, its
        options are not worked out."""
        if self._briefly is None:
            names = self._bind("again")
            for (segment, branch), posed in self.parts.items():
                if branch == POSED:
                    names[names["CODE"][segment].__name__] = posed  # other segments go on to it by its name
                    names["CODE"][segment] = posed
            self._briefly = names
        return self._briefly

    @property
    def asking_code(self) -> list[Any]:
        """Code that stops where a set or payment works out its options (`bounds`). Bound when a table first asks."""
        if self._asking is None:
            names = self._bind("play")
            names.update(bounds.names_that_stop())
            self._asking = names["CODE"]
        return self._asking

    def _bind(self, way: str) -> dict[str, Any]:
        track, trial = way == "play", way == "trial"
        names: dict[str, Any] = {"ROW": self.meta.piece_row}
        names.update(Refused=Refused, Carried=Carried, Ended=Ended, step=step, counted=counted, spend=spend)
        names.update(later=Later, uncounted=uncounted)
        names.update(in_range=in_range, fitting=fitting, filled=filled, somebody=somebody, longest_trail=longest_trail)
        names.update(sets.NAMES)
        names.update(places.bind(self.meta, track, trial))
        names.update(payments.bind(self.meta.piece_row, names))
        names.update(self.compiled.tables)
        names.update(self.maps)
        names.update(flow.bind(self, names, track, trial))
        if way == "again":
            names.update(scripted.bind_again(self.meta, names))
            way = "play"
        exec(self.compiled.code(way), names)
        if not self.compiled.hits:  # where each line that is reached is counted, all of them must be
            for name, told in self.meta.remembered.items():
                names[name] = remembering(names[name], told, self.known.setdefault(name, {}))
        return names

    def unseen_by(self, player: int) -> dict[int, Any]:
        """The numbers of the array that a player does not see, with their fields."""
        if player not in self._unseen:
            self._unseen[player] = unseen.unseen_by(self.meta, player)
        return self._unseen[player]

    def seen_numbers(self, player: int, numbers: Sequence[int]) -> Any:
        """What a player always sees of this array; names of pieces are left out. To be compared with another such."""
        if player not in self._seen:
            offsets = self.seen_offsets(player)
            self._seen[player] = itemgetter(*offsets) if offsets else len
        return self._seen[player](numbers)

    def seen_offsets(self, player: int) -> tuple[int, ...]:
        """Where those numbers are in the array."""
        if player not in self._seen_offsets:
            self._seen_offsets[player] = unseen.seen_by(self.meta, player)
        return self._seen_offsets[player]

    # ------------------------------------------------------------------ running

    def frame(self, routine: str, args: tuple[Any, ...]) -> list[Any]:
        entry, size = self.entries[routine]
        return [entry, *args, *([0] * (size - 1 - len(args)))]

    def run(self, S: Any) -> None:
        """Runs until somebody has a real choice, or the game is over."""
        code = self.play_code if S.tracked else self.fast_code
        k = S.k
        keeps_trail = S.ev is not None
        picks = self.picks
        S.steps = 0
        try:
            while True:
                F = k[-1]
                if code[F[0]](S, F):
                    if S.over:
                        return
                    if not picks[S.site]:
                        S.picked = ()  # picks of an earlier set do not belong to this decision
                    if keeps_trail:
                        S.ev = (S.ev, (ASKED, self._kept(S), S.picked if picks[S.site] else ()))
                    if len(k) > self.meta.limits["frames"]:
                        raise Trouble("R0904", f"rules are nested more than {self.meta.limits['frames']} deep")
                    if not self._answers_itself(S):
                        return
                    S.steps += self.copied  # the trail keeps a copy of the state
                S.steps += STEP
                if S.steps > S.limit:
                    raise endless(S.limit // STEP, self._going_round(S.clone(), code))
        except Ended:
            return

    def _kept(self, S: Any) -> Any:
        """A copy for the trail. Each of them has the whole state, so large games may make fewer decisions than small
        ones: nobody's memory is without end."""
        asked = S.snapshot()
        asked.kept = kept_before(S.ev) + self.kept
        if asked.kept > MOST_KEPT:
            raise Trouble(
                "R0915",
                f"the past decisions of this game are more than {MOST_KEPT:,} numbers",
                f"each of them keeps the whole state, {self.kept:,} numbers: use fewer or shorter indexes and places, "
                "or end the game sooner",
            )
        return asked

    def _going_round(self, S: Any, code: list[Any]) -> frozenset[int]:
        """The segments of the outermost rule that is running in circles, found by letting it run on for a while."""
        lowest = len(S.k)
        seen: set[int] = set()
        try:
            for _ in range(_LOOKED_ON):
                F = S.k[-1]
                if len(S.k) < lowest:
                    lowest, seen = len(S.k), set()
                if len(S.k) == lowest:
                    seen.add(F[0])
                if code[F[0]](S, F) and (S.over or not self._answers_itself(S)):
                    break
        except (Trouble, Refused, Ended, RecursionError):
            pass  # where it leads does not matter
        return frozenset(seen)

    def _answers_itself(self, S: Any) -> bool:
        """Takes a decision that leaves no choice: a single option, or an automa that always takes the first."""
        options = S.opts
        if len(options) == 1:
            if not S.auto:
                return False
        elif not options:
            raise Trouble("R0701", "nothing can be chosen here", "offer something in every case, or say `if possible`")
        elif S.who in self.meta.automas:
            if not self.meta.automas[S.who]:
                raise Trouble(
                    "R0703",
                    "a decision reaches an automa",
                    "give it a rule of its own, or declare it `taking first options`",
                )
        else:
            if len(options) > self.meta.limits["options"]:
                raise Trouble("R0905", f"more than {self.meta.limits['options']} options in one decision")
            return False
        note_forced_pick(S, options[0], S.picked)
        self.take(S, options[0])
        return True

    def take(self, S: Any, option: int) -> None:
        """Takes up an option of the pending decision."""
        if S.ev is not None:
            if S.lit and S.ev and S.ev[1][0] == ASKED:  # it answered itself: what was revealed is watched from there on
                S.ev[1][1].lit = S.lit
            S.ev = (S.ev, (TOOK, option))
        if option <= FREE:
            _, routine, during, params, _ = self.meta.free_actions[FREE - option]
            S.k.append(self.frame(routine, free_args(self, S.k, during, params, S.who) or (S.who,)))
        else:
            S.pick = option
            S.k[-1][0] += 1

    def playout(self, S: Any, choice: int, segments: int | None = None) -> None:
        """Takes random options to the end of the game. `choice` seeds a generator of its own, and one number of it
        serves several choices: drawing is a large part of the cost. With `segments` it stops after so many segments
        of rules, wherever that is."""
        code = self.fast_code
        k = S.k
        history = S.h
        automas = self.meta.automas
        S.sampled = not automas
        bits = 0
        try:
            for _ in range(self.meta.limits["decisions"] * 20 if segments is None else segments):
                F = k[-1]
                if not code[F[0]](S, F):
                    continue
                if S.over:
                    return
                untried = S.untried
                if untried is not None and untried[0].number == S.site:
                    option, only, choice = trials.sample(self, S, S.opts, choice)
                    if not only:
                        S.steps = 0
                        history += (S.site, option)
                else:
                    options = S.opts
                    count = len(options)
                    if count == 1:
                        option = options[0]
                        if S.steps > S.limit:
                            raise endless(S.limit // STEP)
                    elif count and not (automas and S.who in automas):
                        if bits < 0x10000:
                            choice = (choice * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
                            bits = choice >> 16
                        option = options[bits % count]
                        bits //= count
                        S.steps = 0
                        history += (S.site, option)
                    else:
                        self._answers_itself(S)
                        continue
                if option < PASS:
                    self.take(S, option)
                else:
                    S.pick = option
                    k[-1][0] += 1
        except Ended:
            return
        if segments is None:
            raise Trouble("R0906", f"the game has not ended after {len(history) // 2} decisions")
