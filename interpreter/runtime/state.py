"""A running game: plain data and the public face of it.

The data are fields and slots (`f`), lists (`p`), where each piece is (`at`), the stack of frames (`k`), the
generator (`g`), knowledge (`kn`), faces (`fd`) and the pending decision (`site`, `who`, `opts`). History and log
stand beside it. Copying a game copies those lists; saving it writes them down. Knowledge and log are worked out when
somebody looks: see `deferred`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, cast

from ..compile.meta import PASS, STEP, Meta
from . import choosing, knowledge, log, plain_data
from .chance import whole_seed
from .decision import Decision, Option, encode
from .deferred import LATE, Point, catch_up, leave_for_later, point_of
from .ends import payoffs_of, ranking_of, score_lines_of
from .faults import WrongUse
from .information import information, observation
from .log import Line
from .mixes import Mixes
from .moment import Moment
from .positions import hash_of, is_same_position, pickled_parts, playout_from, unpickled_state
from .reading_texts import LABELS, OTHERS, Budget, text_numbers
from .reasons import Refusal
from .running import Host
from .sought import nothing_to_choose
from .texts import phrase, refusal_text, render, render_for_all
from .together import view_inside
from .trail import recalled
from .trials import Tried
from .views import view
from .worlds import Worlds

if TYPE_CHECKING:
    from .machine import Machine


class State:
    """One game in one position. Made by `Game.new`, `Game.from_json`, `clone` or `determinize`."""

    __slots__ = (
        "answers", "apart", "approximate", "asked_script", "at", "auto", "budget", "ev", "f", "failed", "fd", "g",
        "game", "gone", "h", "horizon", "k", "kept", "kn", "lg", "limit", "lit", "looker", "machine", "may_defer",
        "moment", "opts", "over", "p", "pick", "picked", "prepared", "promptly", "r", "reach", "running", "sampled",
        "script", "seed", "shown", "since", "site", "steps", "tb", "together", "tracked", "tried", "untried", "watched",
        "who", "why", "won",
    )  # fmt: skip
    PARTS = __slots__  # of every state; a backend's own states have more
    WHOLE: type[State]  # the class of a state that has everything, and of one that is behind (see `deferred`)
    BEHIND: type[State]

    def __init__(self, game: Host, seed: int, auto: bool, tracked: bool) -> None:
        meta = game.meta
        self.game = game
        self.machine: Machine = game.machine
        self.f = list(meta.start)
        self.p: list[list[int]] = [[] for _ in range(meta.lists + 1)]  # the last is the place of none
        self.at = [-1] * meta.pieces + [-2]  # the last is where none is
        self.k: list[list[Any]] = [[self.machine.end]]
        self.g = game.seeded(seed)
        self.kn: list[Mixes] | None = [Mixes(meta.pieces)] * meta.players if tracked else None
        self.ev: Any = () if tracked else None  # the trail: see `trail`
        self.approximate: tuple[str, ...] = ()  # of a world: what it may not agree with, and why
        self.may_defer = False  # see `deferred`
        self.moment: Callable[[], Moment | None] | None = None  # a weak reference: see `moment`
        self.promptly = 0  # how many choices to come keep knowledge at once all the same
        self.since: Point | None = None  # a moment with knowledge, if this state is behind with it
        self.prepared: tuple[Any, dict[int, Worlds]] | None = None  # worlds of players, and the trail they are made of
        self.fd = 0
        self.h: list[Any] = []  # site, option, site, option …
        self.lg: list[Any] = []
        self.site = self.who = -1
        self.opts: list[int] = []
        self.pick = PASS  # the option that was taken last, or what is said in its place
        self.answers: dict[Any, Any] = {}  # of a snapshot of the trail: see `facts`
        self.kept = 0  # of a snapshot of the trail: numbers in all of them up to it
        self.picked: Any = ()  # what a set or payment has so far
        self.r: Any = None
        self.over = False
        self.won: tuple[int, ...] | None = None
        self.why: tuple[int, tuple[Any, ...]] | None = None
        self.gone: tuple[int, ...] = ()
        self.together = 0
        self.apart: State | None = None  # the state before the outermost `together` that runs
        self.tb = 0
        self.reach = 0  # on trial: with fewer frames than that it is over; see `trials.explore`
        self.failed = 0  # on trial: so many options of its question have been tried already
        self.budget: list[int] | None = None  # on trial: steps that are left
        self.steps = 0
        self.limit = STEP * meta.limits["steps"]
        self.seed = seed
        self.auto = auto
        self.horizon = 0
        self.script: list[Any] = []
        self.asked_script: tuple[Any, ...] = ()  # the script that the game began with
        self.watched = False  # made of a save that no seed leads to: see `saved`
        self.shown: dict[int, int] = {}
        self.lit: dict[int, int] = {}  # pieces revealed since the last decision: who watches them
        self.tracked = tracked
        self.running = 0  # how many cells are being performed: frames of segment 0
        self.looker: int | None = None  # on trial: who looks ahead, or None for all players together
        self.tried = Tried()
        self.sampled = False  # a playout: options are tried as they are picked
        self.untried: tuple[Any, ...] | None = None  # of a playout: what of the pending options has yet to be tried

    def __eq__(self, other: object) -> bool:
        """The same position of the same rules, however it was reached: see `positions`."""
        return self is other or (isinstance(other, State) and is_same_position(self, other))

    def __hash__(self) -> int:
        return hash_of(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return unpickled_state, pickled_parts(self)

    # ------------------------------------------------------------------ copies

    def fork(self) -> State:
        """A copy for a trial: no knowledge, log or history."""
        copy: State = object.__new__(State)
        copy.game, copy.machine = self.game, self.machine
        copy.f, copy.at = self.f[:], self.at[:]
        copy.p = [pieces[:] for pieces in self.p]
        copy.k = [frame[:] for frame in self.k]
        copy.g, copy.fd, copy.kn, copy.ev, copy.approximate = self.g, self.fd, None, None, ()
        copy.h, copy.lg = [], []
        copy.site, copy.who, copy.opts, copy.pick, copy.r = self.site, self.who, self.opts, self.pick, self.r
        copy.over, copy.won, copy.why, copy.gone = self.over, self.won, self.why, self.gone
        copy.picked = self.picked
        copy.together, copy.tb, copy.steps, copy.limit = self.together, self.tb, self.steps, self.limit
        copy.seed, copy.auto, copy.horizon = self.seed, self.auto, 0
        copy.script, copy.shown, copy.lit, copy.tracked, copy.untried = [], {}, {}, False, None
        copy.asked_script, copy.watched = self.asked_script, self.watched
        copy.sampled, copy.apart, copy.running = False, None, self.running
        copy.looker, copy.tried, copy.reach, copy.failed, copy.budget = None, Tried(), 0, 0, None
        copy.may_defer, copy.promptly, copy.since, copy.moment = False, 0, None, None
        copy.prepared = None
        return copy

    def trial_copy(self) -> State:
        """A copy for a trial that shares its lists with this state: moves on trial copy a list before they change it.
        Whoever starts the trial sets its `looker`."""
        copy: State = object.__new__(State)
        copy.game, copy.machine = self.game, self.machine
        copy.f, copy.at, copy.p = self.f[:], self.at[:], self.p[:]
        copy.k = [frame[:] for frame in self.k]
        copy.g, copy.fd, copy.kn, copy.ev, copy.r, copy.pick = self.g, self.fd, None, None, self.r, self.pick
        copy.site, copy.who, copy.opts = self.site, self.who, self.opts
        copy.over, copy.won, copy.why, copy.gone = self.over, self.won, self.why, self.gone
        copy.together, copy.tb, copy.steps, copy.limit = self.together, self.tb, 0, self.limit
        copy.tracked, copy.h, copy.untried, copy.sampled, copy.apart = False, self.h, None, False, None
        copy.running, copy.tried, copy.since, copy.reach = self.running, self.tried, None, 0
        return copy

    def clone(self) -> State:
        """The same game in the same position; changes to one do not affect the other."""
        copy = self.fork()
        copy.tracked, copy.may_defer, copy.h = self.tracked, self.may_defer, self.h[:]
        copy.since = point_of(self)
        if copy.since is not None:
            copy.approximate = self.approximate
            leave_for_later(copy, self.tracked)
            return copy
        copy.horizon, copy.apart, copy.lg = self.horizon, self.apart, self.lg[:]
        copy.kn = self.kn[:] if self.kn is not None else None
        copy.ev, copy.approximate, copy.prepared = self.ev, self.approximate, self.prepared
        if self.script or self.shown:
            copy.script, copy.shown = list(self.script), dict(self.shown)
        return copy

    def playout(self, seed: int) -> State:
        """A random game from here to its end, on a copy. The seed decides the choices and the chance to come."""
        end: State = playout_from(self, seed)
        return end

    def snapshot(self) -> State:
        """A copy for the trail: the position and the pending decision. Its `answers` are kept by `facts`."""
        copy = self.fork()
        copy.kept = 0
        copy.answers, copy.kn, copy.apart = {}, self.kn[:] if self.kn is not None else None, self.apart
        if self.shown:
            copy.shown = dict(self.shown)
        return copy

    def unchanging(self) -> State | None:
        """The same state in a form that nobody changes, if there is one already."""
        return None

    def stands_as(self, again: State) -> bool:
        """Whether its choices, played again, lead here: they do unless somebody has set a part of it by hand."""
        return self.f == again.f and self.p == again.p and self.g == again.g

    def resumed(self) -> State:
        """Of a snapshot: a state at this position and decision. It has no history, log or trail yet."""
        copy = self.fork()
        copy.kn, copy.apart = self.kn[:] if self.kn is not None else None, self.apart
        copy.shown = dict(self.shown)
        return copy

    # ------------------------------------------------------------------ the game goes on

    @property
    def meta(self) -> Meta:
        return self.game.meta

    @property
    def decision(self) -> Decision | None:
        return None if self.over else Decision(self)

    def apply(self, option: Option | int) -> State:
        """Makes a choice: an option of the pending decision, or its index."""
        choosing.apply(self, option)
        return self

    def apply_at_once(self, raw: int) -> None:
        """Takes up an option of the pending decision and keeps what players learn of it."""
        choosing.apply_at_once(self, raw)

    # ------------------------------------------------------------------ texts

    @property
    def path(self) -> tuple[str, ...]:
        """The running phases, outermost first. Everybody reads them, so a title names what everybody knows."""
        titles: list[str] = []
        for frame in self.k:
            rule = (
                self.meta.rules.get(self.meta.segment_rule[frame[0]])
                if frame[0] < len(self.meta.segment_rule)
                else None
            )
            if rule is None or rule.form != "phase" or not self.meta.segment_routine[frame[0]].startswith("rule_"):
                continue
            title = phrase(self.meta, rule.name.replace("_", " ").capitalize())
            if rule.title is not None:
                values = self.rule_text(rule.title, tuple(frame[1 : 1 + len(rule.params)]))
                title = render_for_all(self, rule.title, values)
            if not titles or titles[-1] != title:
                titles.append(title)
        return tuple(titles)

    def text_values(
        self, text: int, bound: dict[str, Any] | None = None, search: Budget | None = None
    ) -> tuple[Any, ...]:
        """The numbers of a text's holes, from the frame that asks and what an option binds; None: it is a prompt."""
        params = self.meta.texts[text][2]
        found = bound or {}
        args = [found[name] if name in found else self.local(name) for name in params]
        share, among = (OTHERS, 1) if bound is None else (LABELS, len(self.opts))
        return text_numbers(self, text, args, share, among, search)  # type: ignore[no-any-return]

    def local(self, name: str) -> Any:
        """The value of a local of the rule that asks."""
        frame = self.k[-1]
        return frame[self.meta.frame_slots[self.meta.segment_routine[frame[0]]].index(name) + 1]

    def rule_text(self, text: int, args: tuple[Any, ...]) -> tuple[Any, ...]:
        """The numbers of the holes of a rule's own text: they speak of its parameters, in order."""
        params = self.meta.texts[text][2]
        numbers = {
            name: args[int(name.rsplit("_", 1)[1])] for name in params if int(name.rsplit("_", 1)[1]) < len(args)
        }
        given = [numbers.get(name, 0) for name in params]
        among = len(self.k) + len(self.meta.free_actions)  # titles of phases, and labels of free actions
        return text_numbers(self, text, given, OTHERS, among, None)  # type: ignore[no-any-return]

    def knows(self, reader: int | None, piece: int) -> bool:
        return reader is None or self.kn is None or knowledge.is_known(self, self.meta, piece, reader)

    # ------------------------------------------------------------------ the log

    def note(self, entry: tuple[Any, ...]) -> None:
        """A line of the log."""
        log.note(self, entry)

    def log(self, player: int | None = None) -> list[str]:
        """The log as a player may read it (None: everything)."""
        self._require_seat(player, or_none=True)
        return log.log_lines(self, player)

    def log_lines(self, player: int | None = None) -> list[Line]:
        """The same lines as data: who chose, what, and the clauses behind it."""
        return log.told_lines(self, player)

    # ------------------------------------------------------------------ results

    @property
    def history(self) -> tuple[int, ...]:
        """The codes of the choices made so far."""
        sites = self.meta.sites
        return tuple(encode(self.meta, sites[self.h[i]], self.h[i + 1]) for i in range(0, len(self.h), 2))

    @property
    def undo_horizon(self) -> int:
        """How many choices had been made when chance last fell or somebody last learnt something: a person may not undo
        any of these."""
        return self.horizon

    @property
    def score_lines(self) -> list[list[tuple[str, int]]]:
        return score_lines_of(self)

    @property
    def scores(self) -> list[int]:
        return [sum(value for _, value in lines) for lines in self.score_lines]

    @property
    def ranking(self) -> list[int]:
        """The rank of each player, 1 is best."""
        return ranking_of(self)

    @property
    def winners(self) -> list[int]:
        return [player for player, rank in enumerate(self.ranking) if rank == 1] if self.over else []

    @property
    def returns(self) -> list[float] | None:
        """The payoff that the rules declare. Without one +1/-1/0 for two players, for more evenly from +1 to -1; ties
        share. None until the game is over."""
        return payoffs_of(self) if self.over else None

    @property
    def reason(self) -> str | None:
        """Why the game ended, if the rules say so."""
        return render(self, self.why[0], self.why[1], None) if self.why is not None else None

    def unfiltered(self) -> list[Any]:
        """What the pending decision would offer if nothing were tried first; nothing if it would not be asked then: a
        `may` that only a free action keeps open."""
        copy = self.fork()
        try:
            asked = self.machine.trial_code[copy.k[-1][0]](copy, copy.k[-1])
        except Exception:  # a site that refuses altogether offers nothing
            return []
        return list(copy.opts) if asked and copy.site == self.site else []

    def refusal(self) -> Refusal:
        """The first refusal that the last trial met, in words."""
        refused = self.tried.reason
        if refused is None:
            return Refusal(phrase(self.meta, "it cannot be carried through"))
        if isinstance(refused, int):
            site = self.meta.sites[refused]
            return Refusal(nothing_to_choose(self.meta, site), site.cites, site.place)
        described = self.meta.refusals[refused.number]
        rule = self.meta.rules.get(described.rule)
        said = described.line_cites[refused.line] if refused.line is not None else ()
        cites = said or described.cites or (rule.cites if rule is not None else ())
        return Refusal(refusal_text(self, refused.number, refused.values), cites, described.place)

    # ------------------------------------------------------------------ what a player may know

    def view(self, player: int | None) -> dict[str, Any]:
        """Everything a player may see, as plain data."""
        self._require_seat(player, or_none=True)
        known = self._with_knowledge()
        if known.apart is not None and player is not None:
            shown = view_inside(known, player)
        else:
            shown = view(known, self.meta, player)
        if not self.over:
            untold = self.together or self.meta.sites[self.site].silent
            may_tell = player is None or self.who == player or not untold
            shown["decision"] = {"player": self.who if may_tell else None, "path": list(self.path)}
            if player in (None, self.who):
                shown["decision"]["prompt"] = Decision(self).prompt
        return shown

    def _require_seat(self, player: Any, or_none: bool = False) -> None:
        if player is None and or_none:
            return
        if type(player) is not int or not 0 <= player < self.meta.players:
            seats = f"0 to {self.meta.players - 1}" if self.meta.players > 1 else "0"
            raise WrongUse(f"there is no seat {player!r}: the seats are {seats}" + (", or None" if or_none else ""))

    def _with_knowledge(self) -> State:
        """This state, or the same game played again with knowledge kept."""
        if self.kn is not None:
            return self
        again: State = self.game.retrace(self)
        return again

    def observation(self, player: int) -> dict[str, Any]:
        """All that a player can see now, as plain data."""
        self._require_seat(player)
        return observation(self._with_knowledge(), player)

    def information(self, player: int) -> str:
        """A short key that is the same exactly if the player has seen the same since the beginning."""
        self._require_seat(player)
        known = self._with_knowledge()
        recalled(known)
        return information(known, player)

    def determinize(self, player: int, seed: int) -> State:
        """A full state drawn at random that agrees with all that a player knows."""
        world: State = self.worlds(player).draw(whole_seed(seed))
        return world

    def worlds(self, player: int) -> Worlds:
        """What a player may think possible here: `worlds.draw(seed)` gives one world after the other. It is prepared
        once and kept while the state stands where it is; copies share it."""
        self._require_seat(player)
        known = self._with_knowledge()
        recalled(known)
        if known.prepared is None or known.prepared[0] is not known.ev:
            known.prepared = (known.ev, {})
        found = known.prepared[1].get(player)
        if found is None:
            table = known.clone()
            table.may_defer = False  # worlds are put together by hand
            found = Worlds(table, player, self.may_defer)
            if known.may_defer:  # else somebody may set the position by hand, and the trail would not tell
                known.prepared[1][player] = found
        return found

    # ------------------------------------------------------------------ plain data

    def to_data(self) -> dict[str, Any]:
        """Everything that makes this position, as plain data."""
        return plain_data.to_data(self)

    def frame_data(self, frame: list[Any]) -> list[Any]:
        """A frame as plain data."""
        return plain_data.frame_data(self.meta, frame)

    def to_json(self) -> str:
        """This game as text: what `Game.from_json` takes, and what `play` and `why` read and write."""
        return plain_data.to_json(self)

    def client_json(self, player: int) -> str:
        """What a player may know as text, for the program at which that player sits. It holds no seed, no generator, no
        history and nothing that the player may not see, so no game can be resumed from it."""
        return plain_data.client_json(self, player)

    def position_data(self) -> dict[str, Any]:
        """The part of `to_data` that rules read; what players know is left where it is."""
        return plain_data.position_data(self)

    def read_everything(self) -> None:
        """Everything that anybody could ask for here, asked once: a save that breaks on it is refused."""
        plain_data.read_everything(self)

    def restore(self, data: dict[str, Any]) -> None:
        """Takes over the numbers of a save; the pending decision is asked again."""
        plain_data.restore(self, data)

    def same_as(self, other: State) -> bool:
        """Equal in everything that a save keeps."""
        return self.to_json() == other.to_json()


class Behind(State):
    """A state that is behind with what players know. It is a class of its own because `__getattr__` makes every read of
    every attribute several times as slow, and the rules run on states that have everything."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        """Python calls this for an attribute that is not set. One that was left for later is computed now."""
        if name in LATE:
            catch_up(cast(State, self))
        return object.__getattribute__(self, name)  # raises AttributeError for what a state never has


State.WHOLE, State.BEHIND = State, Behind
