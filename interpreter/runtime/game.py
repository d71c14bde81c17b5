"""A game ready to be played: `load` by name, then `new`, `playout`, `from_json`."""

from __future__ import annotations

import hashlib
import json
import re
import traceback
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ..compile.load import Compiled, checked_program, compile_program, load_compiled
from ..compile.meta import Meta
from ..diagnostics.diagnostic import Diagnostic, Label
from ..diagnostics.source import NOWHERE, Source, Span
from ..files.reading import read_text
from .chance import script_of, seeded, whole_seed
from .decision import encode
from .declarations import declarations
from .deferred import catch_up, leave_for_later, set_aside
from .faults import (
    GAVE_UP,
    TOO_FAR_AHEAD,
    TOO_MANY_SETS,
    Ended,
    Fault,
    IllegalChoice,
    Refused,
    Trouble,
    WrongSave,
    WrongUse,
)
from .machine import Machine
from .plain_data import numbered
from .reasons import nearest_miss
from .saved import check_heads, check_position, read_save, same_position, script_in
from .state import State
from .texts import refusal_text
from .trail import BEGUN, LOADED

if TYPE_CHECKING:
    from ..check.program import Program

Script = Sequence[tuple[str, str | None, Sequence[int | str]]]

_MOST_CERTAIN = 500  # segments of setup that are done once for all games


class Game:
    """One ruleset with its variants for one number of players, compiled."""

    set_up_position: Callable[..., State]  # what `position` does; play/position.py, which stands above, hands it in
    defers = True  # what players know is worked out when somebody looks: see `deferred`

    def __init__(self, compiled: Compiled, asked: str | None = None) -> None:
        self.compiled = compiled
        self.meta = compiled.meta
        self.machine = Machine(compiled)
        self._firsts: dict[bool, State] = {}
        self._asked = asked or compiled.meta.name

    name = property(lambda self: self.meta.name)
    title = property(lambda self: self.meta.title)
    players = property(lambda self: self.meta.players)
    seat_names = property(lambda self: self.meta.seat_names)
    fingerprint = property(lambda self: self.meta.fingerprint)
    asked = property(lambda self: self._asked)  # the name it was loaded by, which finds its rules again

    def __repr__(self) -> str:
        return f"<game {self.name} for {self.players}>"

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles hold the compiled rules, so they need no file of the ruleset."""
        return type(self), (self.compiled, self._asked)

    @cached_property
    def program(self) -> Program:
        """The checked program, worked out again from the rules when it is asked for."""
        return checked_program(self._asked, self.players)

    @cached_property
    def declarations(self) -> dict[str, Any]:
        """Kinds, enums, fields, places and maps with their edges, as plain data."""
        return declarations(self.meta)

    @staticmethod
    def seeded(seed: int) -> int:
        return seeded(seed)

    # ------------------------------------------------------------------ games

    def new(self, seed: int = 0, auto: bool = True, script: Script = ()) -> State:
        """A game set up and brought to its first decision. `script` says how chance falls, as `script_of` reads it."""
        try:
            events = script_of(self.meta, script) if script != () else []
        except (KeyError, TypeError, ValueError) as problem:
            said = problem.args[0] if isinstance(problem, KeyError) else "events are (what, place or dice, values)"
            raise WrongUse(f"this is no script: {said}") from None
        return self._scripted(whole_seed(seed), auto, events)

    def _scripted(self, seed: int, auto: bool, events: list[Any]) -> State:
        state = self._set_out(seed, auto, tracked=True)
        state.script, state.asked_script = list(events), tuple(events)
        self.run(state)
        state.may_defer = self.defers and not state.script
        return state

    def position(self, given: str, seed: int = 0, auto: bool = True) -> State:
        """A state set up by lines as a scenario has them below `given`, at its first decision."""
        return self.set_up_position(self, given, seed, auto)

    def untracked(self, seed: int = 0, auto: bool = True) -> State:
        """The same game without log and knowledge: faster, for callers that never ask for a view."""
        state = self._set_out(seed, auto, tracked=False)
        self.run(state)
        return state

    def _set_out(self, seed: int, auto: bool, tracked: bool) -> State:
        """A game with the certain part of setup done. That part is run once and copied from then on."""
        seed = whole_seed(seed)
        first = self._firsts.get(tracked)
        if first is None:
            first = self._firsts[tracked] = self._begun(tracked)
        state = first.clone()
        state.g, state.seed, state.auto = seeded(seed), seed, auto
        return state

    def _begun(self, tracked: bool) -> State:
        state = State(self, 0, True, tracked)
        for routine in ("rule_play", "rule_setup"):
            if routine in self.machine.entries:
                state.k.append(self.machine.frame(routine, ()))
        if tracked and self.meta.works_out:
            state.ev = (state.ev, (BEGUN, state.snapshot()))
        code = self.machine.play_code if tracked else self.machine.fast_code
        try:
            while self.meta.deals >= 0 and state.k[-1][0] != self.meta.deals:
                code[state.k[-1][0]](state, state.k[-1])
        except (Trouble, Refused, RecursionError) as trouble:
            raise self.fault(trouble, state) from None
        return state if tracked else self._as_far_as_certain(state, code)

    def _as_far_as_certain(self, state: State, code: list[Any]) -> State:
        """For playouts: runs on segment by segment until chance falls or somebody decides. A fault on the way is not
        reported here; each game will meet it."""
        for _ in range(_MOST_CERTAIN):
            before = state.clone()
            try:
                if code[state.k[-1][0]](state, state.k[-1]) or state.g != before.g:
                    return before
            except (Trouble, Refused, Ended, RecursionError):
                return before
        return state

    def blank(self, seed: int = 0, auto: bool = True) -> State:
        """Nothing set up: all pieces in the box, fields at their start, no rule running."""
        return State(self, seed, auto, tracked=True)

    def playout(self, seed: int) -> State:
        """One game of random choices, on the fast path; a finished state."""
        state = self._set_out(seed, True, tracked=False)
        self.finish(state, seed)
        return state

    def finish(self, state: State, seed: int) -> State:
        """Random choices to the end from where a state stands."""
        if not state.auto and state.since is not None:
            catch_up(state)  # a playout takes single options without asking, so its choices cannot be played again
        behind = state.since is not None
        if behind:
            set_aside(state)
        state.tracked = False
        try:
            self.machine.playout(state, seeded(seed ^ 0x5DEECE66D))
        except (Trouble, Refused, RecursionError) as trouble:
            raise self.fault(trouble, state) from None
        if behind:
            leave_for_later(state, False)
        return state

    def run(self, state: State) -> None:
        try:
            self.machine.run(state)
        except (Trouble, Refused, RecursionError) as trouble:
            raise self.fault(trouble, state) from None

    def retrace(self, state: State) -> State:
        """The same game played again from its seed with knowledge kept."""
        again = self._set_out(state.seed, state.auto, tracked=True)
        self.run(again)
        for position in range(0, len(state.h), 2):
            raw = state.h[position + 1]
            again.apply(again.opts.index(raw))
        return again

    # ------------------------------------------------------------------ saves

    def from_json(self, text: str) -> State:
        """The game that `to_json` wrote down; raises WrongSave for anything else."""
        saved = read_save(text)
        check_heads(saved, self.meta)
        return self._played_again(saved) or self._as_it_stands(saved, text)

    @cached_property
    def code(self) -> str:
        """Identifies the compiled rules: within one code, numbers of segments and options mean the same."""
        return hashlib.sha256(self.compiled.source.encode()).hexdigest()[:16]

    def _played_again(self, saved: dict[str, Any]) -> State | None:
        """The game that seed and choices of a save lead to; None if that is not where the save stands."""
        data, own = saved["state"], saved.get("code") == self.code
        try:
            state = self._scripted(saved["seed"], saved["auto"], script_in(saved))
            if "code" in saved and not own:
                self._choose_by_code(state, saved)
                again = json.loads(json.dumps(state.position_data()))  # fields and places do not depend on the code
                return state if all(again[part] == data.get(part) for part in ("f", "p", "g")) else None
            for option in (data["h"] if "options" in data else numbered(self.meta, data["h"]))[1::2]:
                state.apply(state.opts.index(option))
        except (Fault, IllegalChoice, LookupError, TypeError, ValueError, ArithmeticError):
            if "code" in saved and not own:
                raise WrongSave(
                    "this save was made by another version of the program, and its choices do not fit"
                ) from None
            return None
        return state if same_position(data, json.loads(json.dumps(state.position_data()))) else None

    def _choose_by_code(self, state: State, saved: dict[str, Any]) -> None:
        """The choices of a save that another version of the compiler made."""
        for code in saved.get("choices") or ():
            site = self.meta.sites[state.site]
            state.apply([encode(self.meta, site, raw) for raw in state.opts].index(code))
        if len(saved.get("choices") or ()) != len(saved["state"]["h"]) // 2:
            raise ValueError("not all choices are there")

    def _as_it_stands(self, saved: dict[str, Any], text: str) -> State:
        """A position that no seed leads to, checked before anything runs and watched from then on."""
        data = saved["state"]
        check_position(self.meta, self.machine, data)
        state = State(self, saved["seed"], saved["auto"], tracked=True)
        try:
            state.restore(data)
            state.ev = ((), (LOADED, text))
            frames = [frame[:] for frame in state.k]
            if not state.over:
                self.run(state)
            if state.k != frames or (not state.over and not state.opts):
                raise WrongSave("this save is damaged: its rules do not stop where it stands")
            state.read_everything()
            state.ev = ((), (LOADED, text))
        except (Fault, LookupError, TypeError, ValueError, ArithmeticError, AttributeError, RecursionError) as problem:
            raise WrongSave(f"this save is damaged: {problem}") from None
        state.may_defer, state.watched = self.defers, True
        return state

    def from_saved(self, saved: dict[str, Any], text: str) -> State:
        """The state of a save, with or without knowledge; its pending decision is left to the caller."""
        is_tracked = saved["state"]["kn"] is not None
        state = State(self, saved["seed"], saved["auto"], is_tracked)
        state.restore(saved["state"])
        state.ev = ((), (LOADED, text)) if is_tracked else None
        return state

    def trail_of(self, text: str) -> Any:
        """The trail of a saved game, up to its pending decision: that of the same game played again."""
        saved = State(self, 0, True, tracked=True)
        data = json.loads(text)
        saved.restore(data["state"])
        saved.seed, saved.auto = data["seed"], data["auto"]
        try:
            again = self.retrace(saved)
            if again.to_json() == text:
                return again.ev
        except (Fault, ValueError):
            pass  # it was not played from its seed
        if not saved.over:
            self.run(saved)
        return saved.ev

    # ------------------------------------------------------------------ figures

    def trials_per_decision(self, games: int = 20) -> float:
        """How many trials a decision takes, over random games."""
        played = [self.playout(seed) for seed in range(games)]
        decisions = sum(len(state.h) // 2 for state in played)
        return sum(state.tried.trials for state in played) / max(1, decisions)

    # ------------------------------------------------------------------ faults

    def fault(self, trouble: Exception, state: State) -> Fault:
        """What went wrong, told in terms of the rules: rule, line, clause, stack of rules, seed, step."""
        place = self._rules_place(trouble) or self._loop_place(trouble) or self._asking_place(state)
        stack = tuple(self.running_rules(state))
        rule = stack[-1] if stack else "play"
        code, headline, help_text, cites = self._told(trouble, state)
        span = rules_span(place)
        if code == "R0903" and re.search(r"\bsuch that\b", span.text):
            help_text = TOO_MANY_SETS
        if code == "R0701" and state.tried.exhausted:
            help_text = TOO_FAR_AHEAD
        step = len(state.h) // 2
        history = tuple(
            encode(self.meta, self.meta.sites[state.h[i]], state.h[i + 1]) for i in range(0, len(state.h), 2)
        )
        notes: tuple[str, ...] = (
            "running: " + " > ".join(stack) if stack else "no rule is running",
            f"seed {state.seed}, after {step} decisions" + (f", clause {', '.join(cites)}" if cites else ""),
        )
        notes += self._nearest_miss(trouble, state)
        if code == "R0701" and state.tried.exhausted:
            notes += (GAVE_UP,)
        diagnostic = Diagnostic(code, headline, Label(span, ""), (), notes, help_text)
        return Fault(
            diagnostic, rule=rule, place=place, cites=cites, stack=stack, seed=state.seed, step=step, history=history
        )

    def _told(self, trouble: Exception, state: State) -> tuple[str, str, str | None, tuple[str, ...]]:
        if isinstance(trouble, Refused):
            described = self.meta.refusals[trouble.number]
            reason = refusal_text(state, trouble.number, trouble.values)
            help_text = "make sure it can be done, or say `if possible`"
            return "R0701", f"a dead end: {reason}", help_text, described.cites
        if isinstance(trouble, Trouble):
            cites: tuple[str, ...] = (
                self.meta.sites[state.site].cites if trouble.code == "R0701" and state.site >= 0 else ()
            )
            return trouble.code, trouble.headline, trouble.help, cites
        return "R0904", "rules are nested too deep", "a rule calls itself without an end", ()

    def _nearest_miss(self, trouble: Exception, state: State) -> tuple[str, ...]:
        """A note on a decision that can offer nothing: what refuses the option that comes furthest."""
        if not isinstance(trouble, Trouble) or trouble.code != "R0701" or state.site < 0:
            return ()
        site = self.meta.sites[state.site]
        missed = nearest_miss(state, site) if site.kind in ("choose", "one", "may") else None
        if missed is None:
            return ()
        at = f", {missed.place[0]}:{missed.place[1]}" if missed.place else ""
        return (f"the option that comes furthest fails: {missed.reason}{at}",)

    def running_rules(self, state: State) -> list[str]:
        """The rules on the stack, outermost first."""
        return [
            name
            for frame in state.k
            if (name := self.meta.segment_rule[frame[0]] if frame[0] < len(self.meta.segment_rule) else "")
        ]

    def _asking_place(self, state: State) -> tuple[str, int, int] | None:
        """Where the pending decision stands, for a fault that no line of the rules raised."""
        return self.meta.sites[state.site].place if 0 <= state.site < len(self.meta.sites) else None

    def _loop_place(self, trouble: Exception) -> tuple[str, int, int] | None:
        """Where the loop that goes round begins in the rules, if it was seen going round."""
        return first_place(self.meta, trouble.segments) if isinstance(trouble, Trouble) else None

    def _rules_place(self, trouble: BaseException) -> tuple[str, int, int] | None:
        """The place in the rules that the innermost emitted line comes from."""
        for entry in reversed(traceback.extract_tb(trouble.__traceback__)):
            place = self.compiled.place_of_line(entry.filename, entry.lineno or 0)
            if place is not None:
                return place
        return None


def first_place(meta: Meta, segments: frozenset[int]) -> tuple[str, int, int] | None:
    """The first place in the rules of these segments and of those they run on to, heads of rules left out."""
    reached = list(segments)
    for one in reached:  # grows while it is gone over
        reached += [after for after in meta.segment_onward[one] if after not in reached]
    return min((place for one in reached if (place := meta.segment_places[one]) is not None), default=None)


def rules_span(place: tuple[str, int, int] | None) -> Span:
    """A span at that place, with the text of the file if it can still be read."""
    if place is None:
        return NOWHERE
    name, line, column = place
    try:
        source = Source(name, read_text(Path(name)))
        start = source.line_starts[line - 1] + column - 1
        text = source.line_text(line)
        return Span(source, start, source.line_starts[line - 1] + len(text.split("  @")[0].rstrip()))
    except (OSError, ValueError, IndexError):
        return Span(Source(name, "\n" * (line - 1) + " " * (column - 1)), line - 1 + column - 1, line - 1 + column - 1)


def load(name: str, players: int | None = None) -> Game:
    """A game by name (`NAME+VARIANT`) or folder; raises RulesetError with `.diagnostics`."""
    return Game(load_compiled(name, players), name)


def game_from_program(program: Program) -> Game:
    """A game from a checked program, without any file (tests, tools)."""
    return Game(compile_program(program))
