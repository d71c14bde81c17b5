"""Deep validation, the part about secrets: finds what a game reveals to a player who must not know it.

Two worlds that agree in everything a player knows must look the same to that player. One of the two is the real game,
the other is drawn at random for the player. Everything that the player is shown is compared: the view with its titles,
the log, the observation, the key of what was seen, and at the player's own decision the options with their codes and
labels, the prompt, and the reasons for refusals. That decision is asked again in the drawn world, because a drawn world
keeps the options that its player has already seen.

    choose c in p.hand where c.value > (top of deck).value

With another card on top of the deck other cards are offered: the options reveal the top card.

A difference is reported together with the two worlds: what they differ in, and the line of the rules that shows it.

Most of the time goes into drawing a world that is equally likely to be any, and into the key, which takes the view of
every decision so far. Neither is needed to find a leak: any other world that agrees will do, and what was seen before
is the same in both. So only a `thorough` comparison has them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ..play.state_changes import state_changes
from ..runtime.decision import Options
from ..runtime.faults import Carried, Ended, Fault, Refused, Trouble
from ..runtime.information import is_noticed
from ..runtime.moment import moment_of
from ..runtime.texts import render_for_all
from .spots import Place

_MOST_REFUSALS = 4  # labels whose refusals are compared at one decision
_MOST_CHANGES = 4  # lines that say how the two worlds differ
_FAILED = (Fault, Trouble, Refused, Carried, Ended)


@dataclass(frozen=True)
class Told:
    """A secret that a player is told: what it is, the line that tells it, and how the two worlds differ."""

    player: int
    what: str
    place: Place
    rule: str
    worlds: tuple[str, ...]

    @property
    def notes(self) -> tuple[str, ...]:
        return (self.what, *(f"the worlds differ: {change}" for change in self.worlds))


@dataclass(frozen=True)
class Comparison:
    """What came of comparing a decision with a drawn world. `why_not`: the world proves nothing, for this reason."""

    told: Told | None = None
    is_other: bool = True  # something that the player does not see lies otherwise in the drawn world
    why_not: str = ""


def readers_at(state: Any, number: int) -> list[int]:
    """The players for whom a decision is compared: the one who decides, and one other, a different one each time."""
    other = number % state.meta.players
    return [state.who] if other == state.who else [state.who, other]


def what_is_told(state: Any, number: int, player: int | None = None, thorough: bool = True) -> Told | None:
    """What the pending decision reveals to one of its readers; None if nothing."""
    for reader in readers_at(state, number) if player is None else [player]:
        told = compare(state, reader, 7919 * state.seed + number, thorough).told
        if told is not None:
            return told
    return None


def compare(state: Any, player: int, seed: int, thorough: bool = True) -> Comparison:
    """Compares the pending decision with the same decision in a world drawn for the player."""
    try:
        world = state.worlds(player).draw(seed, nearby=not thorough)
    except _FAILED as trouble:
        return Comparison(_told(state, state, player, f"no world can be drawn for this player: {trouble}"))
    if getattr(world, "approximate", ()):
        return Comparison(why_not="approximate")  # it may differ from what the player knows, and says so
    if world.over:
        return Comparison(why_not="over")
    try:
        found = next(_differences(state, world, player, thorough), None)
    except _FAILED:
        return Comparison(why_not="fault")  # the drawn world may run into a fault that the real game does not have
    if found is None:
        return Comparison(is_other=(world.f, world.p) != (state.f, state.p))
    what, place = found
    return Comparison(_told(state, world, player, what, place))


def _told(state: Any, world: Any, player: int, what: str, place: Place | None = None) -> Told:
    site = state.meta.sites[state.site]
    changes = state_changes(state, world)
    more = len(changes) - _MOST_CHANGES
    worlds = (*changes[:_MOST_CHANGES], *((f"and {more} more",) if more > 0 else ()))
    return Told(player, what, place or site.place, site.rule, worlds)


def _differences(state: Any, world: Any, player: int, thorough: bool) -> Iterator[tuple[str, Place | None]]:
    """What looks different to the player in the other world, the plainest differences first."""
    if (world.site, world.who) != (state.site, state.who):
        if is_noticed(state, player):
            yield "another decision would be asked", None
        return  # a decision that the player does not notice may be missing in the other world
    if state.who == player:
        yield from _own_decision(state, world)
    yield from _shown(state, world, player, thorough)


# ---------------------------------------------------------------------------- the player's own decision


def _own_decision(state: Any, world: Any) -> Iterator[tuple[str, Place | None]]:
    asked = world.clone()
    frame = asked.k[-1]
    if not state.machine.play_code[frame[0]](asked, frame) or asked.over:
        yield "it is not asked at all where the unseen lies otherwise", None
        return
    if asked.who != state.who or asked.site != state.site:
        return  # in the other world it has a single option and is taken automatically: nothing to compare
    here, there = state.decision, asked.decision
    ours, theirs = {int(option): str(option) for option in here.options}, {int(o): str(o) for o in there.options}
    for code in ours.keys() - theirs.keys():
        yield f"`{ours[code]}` is offered, and would not be if the unseen cards lay otherwise", None
    for code in theirs.keys() - ours.keys():
        yield f"`{theirs[code]}` is not offered, and would be if the unseen cards lay otherwise", None
    for code, label in ours.items():
        if theirs[code] != label:
            yield f"the label `{label}` could be `{theirs[code]}`", None
    if here.prompt != there.prompt:
        yield f"its prompt is `{here.prompt}`, and could be `{there.prompt}`", None
    yield from _refusals(state, asked)


def _refusals(state: Any, world: Any) -> Iterator[tuple[str, Place | None]]:
    """Compares the reasons for refusals, which may reveal something too: `not enough coins: 3 needed, 2 held`."""
    here, there = state.decision, world.decision
    offered = {str(option) for option in here.options}
    labels = [label for label in _labels_not_tried(state) if label not in offered]
    for label in dict.fromkeys(labels[:_MOST_REFUSALS]):
        ours, theirs = here.why_not(label), there.why_not(label)
        if (ours and ours.reason) != (theirs and theirs.reason):
            reasons = [refusal.reason if refusal else "nothing" for refusal in (ours, theirs)]
            place = ours.place if ours is not None else None
            yield f"`{label}` is refused by `{reasons[0]}`, and could be by `{reasons[1]}`", place


def _labels_not_tried(state: Any) -> list[str]:
    """The labels of all options that would be offered without trying them first."""
    return [str(option) for option in Options(moment_of(state), state.decision.site, state.unfiltered())]


# ---------------------------------------------------------------------------- what is shown


def _shown(state: Any, world: Any, player: int, thorough: bool) -> Iterator[tuple[str, Place | None]]:
    ours, theirs = state.observation(player), world.observation(player)
    views = ours["view"], theirs["view"]
    is_seen_by_both = is_noticed(state, player) and is_noticed(world, player)
    if not is_noticed(state, player):
        views = _undecided(views[0]), _undecided(views[1])
    for mine, other in zip(_titles(views[0]), _titles(views[1]), strict=False):
        if mine != other:
            yield f"the title `{mine}` could be `{other}`", _title_place(state, mine)
    difference = _first_difference(*views)
    if difference is not None:
        path, here, there = difference
        yield f"the view has `{here}` at {path}, and could have `{there}`", None
    for mine, other in zip(ours["log"], theirs["log"], strict=False):
        if mine != other:
            yield f"the log says `{mine}`, and could say `{other}`", None
    # In the middle of somebody else's set a world may stand at its first pick, which is noticed, and the key says so.
    if is_seen_by_both:
        if ours != theirs:
            yield "`observation` tells the two worlds apart", None
        if thorough and state.information(player) != world.information(player):
            yield "`information` tells the two worlds apart", None


def _undecided(view: dict[str, Any]) -> dict[str, Any]:
    """A view without the pending decision, which its player does not notice."""
    return {name: part for name, part in view.items() if name != "decision"}


def _titles(view: dict[str, Any]) -> list[str]:
    return list(view.get("decision", {}).get("path", ()))


def _title_place(state: Any, title: str) -> Place | None:
    """Where the phase with this title is declared."""
    meta = state.meta
    for frame in state.k:
        rule = meta.rules.get(meta.segment_rule[frame[0]]) if frame[0] < len(meta.segment_rule) else None
        if rule is not None and rule.form == "phase" and rule.title is not None:
            values = state.rule_text(rule.title, tuple(frame[1 : 1 + len(rule.params)]))
            if render_for_all(state, rule.title, values) == title:
                place: Place = rule.place
                return place
    return None


def _first_difference(ours: Any, theirs: Any, path: str = "") -> tuple[str, Any, Any] | None:
    """The first difference between two views: the path to it, and both values."""
    if ours == theirs:
        return None
    pairs: Iterator[tuple[str, Any, Any]] = iter(())
    if isinstance(ours, dict) and isinstance(theirs, dict):
        pairs = ((str(key), ours.get(key), theirs.get(key)) for key in {**ours, **theirs})
    elif isinstance(ours, list) and isinstance(theirs, list) and len(ours) == len(theirs):
        pairs = ((str(number), *both) for number, both in enumerate(zip(ours, theirs, strict=True)))
    for key, mine, other in pairs:
        found = _first_difference(mine, other, f"{path}.{key}" if path else key)
        if found is not None:
            return found
    return path, ours, theirs
