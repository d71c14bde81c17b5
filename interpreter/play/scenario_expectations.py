"""The expectations in a `then`, one function per form. Each returns if the expectation holds, or raises Failed."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ..check import program as core
from ..syntax import nodes
from .contract import Decision
from .scenario_choices import option_meant
from .verdicts import Failed

if TYPE_CHECKING:
    from .stage import Stage


def require_all(stage: Stage, expectations: Sequence[nodes.Expectation]) -> None:
    """Requires that every line holds; and if some lines name winners, that they name all of them."""
    for expectation in expectations:
        require(stage, expectation)
    told = [expectation for expectation in expectations if isinstance(expectation, nodes.HasWon)]
    if told:
        _nobody_else_has_won(stage, told)


def require(stage: Stage, expectation: nodes.Expectation) -> None:
    match expectation:
        case nodes.HoldsTrue():
            _holds_true(stage, expectation)
        case nodes.PlaceHolds():
            _place_holds(stage, expectation)
        case nodes.OfferedTo():
            _offered_to(stage, expectation)
        case nodes.RefusedTo():
            _refused_to(stage, expectation)
        case nodes.Scores():
            _scores(stage, expectation)
        case nodes.HasWon():
            _has_won(stage, expectation)
        case nodes.GameOver():
            _game_over(stage, expectation)
        case nodes.Sees():
            _sees(stage, expectation)
        case nodes.RefusedCall():
            _refused_call(stage, expectation)
        case nodes.Happened():
            _happened(stage, expectation)
        case nodes.Reads():
            _reads(stage, expectation)
        case _:
            raise AssertionError(expectation)


def _failed(expectation: nodes.Expectation, message: str, expected: str, found: str) -> Failed:
    return Failed("expectation", message, expectation.span, expected, found)


def _holds_true(stage: Stage, expectation: nodes.HoldsTrue) -> None:
    if not stage.holds(expectation.condition):
        text = expectation.condition.span.text
        raise _failed(expectation, f"`{text}` does not hold", text, stage.sides(expectation.condition))


# ---------------------------------------------------------------------------- places


def _place_holds(stage: Stage, expectation: nodes.PlaceHolds) -> None:
    """Requires exactly these pieces, in any order; with `on top`, these on top, in order. Carried pieces are compared
    only if the line mentions them."""
    if any(amount.slot is not None for amount in expectation.pieces.amounts):
        _slots_hold(stage, expectation)
        return
    if any(amount.carried is not None for amount in expectation.pieces.amounts):
        wanted, there = stage.loads_of(expectation.pieces), stage.loads(expectation.place)
    else:
        wanted = stage.ids_of(expectation.pieces, expectation.place)
        there = stage.contents(expectation.place)
    if expectation.pieces.on_top:
        same = there[: len(wanted)] == wanted
    else:
        same = Counter(there) == Counter(wanted)
    if not same:
        text = expectation.place.span.text
        raise _failed(expectation, f"`{text}` holds something else", counted_names(wanted), counted_names(there))


def _slots_hold(stage: Stage, expectation: nodes.PlaceHolds) -> None:
    """Requires these pieces in these slots, and nothing in the others."""
    ref = stage.place_of(expectation.place)
    names = {stage.slot_of(amount, ref): amount.slot for amount in expectation.pieces.amounts}
    wanted = {stage.slot_of(amount, ref): amount.what.span.text for amount in expectation.pieces.amounts}
    there = stage.slots(expectation.place)
    if wanted != there:
        found = ", ".join(f"{row} at {stage.slot_name(ref, slot)}" for slot, row in there.items()) or "nothing"
        listed = ", ".join(f"{row} at {names[slot].span.text}" for slot, row in wanted.items())  # type: ignore[union-attr]
        raise _failed(expectation, f"`{expectation.place.span.text}` holds something else", listed, found)


def _sees(stage: Stage, expectation: nodes.Sees) -> None:
    """Requires that the player sees all of these there; `nothing` means that the player knows no piece there, or cannot
    see the field or the dice."""
    path = stage.theatre.lines.of(expectation.place)
    if isinstance(path, core.FieldRead):
        shown = stage.shown(stage.seat(expectation.player), path)
        if shown is not None:
            who, where = expectation.player.span.text, expectation.place.span.text
            raise _failed(expectation, f"{who} sees `{where}`", "nothing", shown)
        return
    if isinstance(path, core.DiceGroup | core.DieRef):
        amounts = expectation.pieces.amounts
        wanted = Counter(face for amount in amounts for face in [amount.what.span.text] * amount.count)
        seen = stage.faces(stage.seat(expectation.player), path)
    else:
        wanted = Counter(stage.ids_of(expectation.pieces, expectation.place))
        seen = stage.seen(stage.seat(expectation.player), expectation.place)
    missing = wanted - Counter(seen)
    if missing or (not wanted and seen):
        who, where = expectation.player.span.text, expectation.place.span.text
        raise _failed(
            expectation, f"{who} sees something else in `{where}`",
            counted_names(list(wanted.elements())), counted_names(seen),
        )  # fmt: skip


def counted_names(names: list[str]) -> str:
    """`four, 2 * six`, as a scenario writes it."""
    counts = Counter(names)
    return ", ".join(f"{count} * {name}" if count > 1 else name for name, count in counts.items()) or "nothing"


# ---------------------------------------------------------------------------- options


def _decision_of(stage: Stage, expectation: nodes.OfferedTo | nodes.RefusedTo) -> Decision:
    state = stage.state
    who = expectation.player.span.text
    if state.over:
        raise _failed(expectation, f"{who} has nothing to choose: the game is over", f"a decision of {who}", "the end")
    decision: Decision = state.decision
    if decision.player != stage.seat(expectation.player):
        name = stage.seat_name(decision.player)
        raise _failed(expectation, f"{name} is to decide, not {who}", f"a decision of {who}", f"a decision of {name}")
    return decision


def _offered_to(stage: Stage, expectation: nodes.OfferedTo) -> None:
    decision = _decision_of(stage, expectation)
    meant: list[int] = []
    for wanted in expectation.offered:
        try:
            meant.append(option_meant(stage, decision, (wanted,), expectation).index)
        except Failed as failed:
            failure = failed.failure
            raise _failed(expectation, failure.message, failure.expected, failure.found) from None
    more = [option for option in decision.options if option.index not in meant]
    if expectation.exactly and more:
        listed = ", ".join(f"“{option}”" for option in more)
        wanted_text = ", ".join(wanted.span.text for wanted in expectation.offered)
        raise _failed(expectation, f"more is offered: {listed}", f"exactly {wanted_text}", f"also {listed}")


def _refused_to(stage: Stage, expectation: nodes.RefusedTo) -> None:
    decision = _decision_of(stage, expectation)
    text = expectation.offered.span.text
    if _is_offered(stage, decision, expectation):
        raise _failed(expectation, f"{text} is offered", f"no {text}", f"{text} among the options")
    if expectation.because is None:
        if not _has_meaning(stage, decision, expectation.offered):
            raise _failed(expectation, f"nothing in this game is called {text}", f"no {text}", "no such label")
        return
    _is_because(expectation, text, _refusal(stage, decision, expectation))


def _refused_call(stage: Stage, expectation: nodes.RefusedCall) -> None:
    text = f"`{expectation.call.span.text}`"
    if stage.state.over:
        raise _failed(expectation, f"{text} is not asked: the game is over", "a decision", "the end")
    refusal = stage.refusal(expectation.call)
    if refusal is None:
        raise _failed(expectation, f"{text} can be carried through", "a refusal", "none")
    _is_because(expectation, text, refusal)


def _is_because(expectation: nodes.RefusedTo | nodes.RefusedCall, text: str, refusal: Any) -> None:
    """Requires the clause, or the words (or how they begin), if the line has any."""
    match expectation.because:
        case None:
            return
        case nodes.Cite(text=clause):
            same, wanted = clause in refusal.cites, f"because of {clause}"
        case words:
            same, wanted = _begins(refusal.reason, words.raw), f"because {words.raw}"
    if not same:
        found = f"{refusal.reason} ({', '.join(refusal.cites) or 'no clause'})"
        raise _failed(expectation, f"{text} is refused for another reason", wanted, found)


def _has_meaning(stage: Stage, decision: Decision, wanted: nodes.Text | nodes.Expr) -> bool:
    """True if the game has a label that reads or begins like this. Otherwise a typo in a scenario would never be
    offered either, and would pass as a correct refusal."""
    if not isinstance(wanted, nodes.Text):
        return True
    if decision.why_not(wanted.raw) is not None:
        return True
    meta = stage.state.meta
    named = [*meta.row_names, *meta.row_ids, *meta.seat_names, *(name for _, name in (*meta.nodes, *meta.edges))]
    named += [name for enum in stage.theatre.program.enums.values() for name in enum.names]
    named += [name for ways in meta.directions.values() for _, name in ways]
    written = [text[1] for text in meta.texts if any(isinstance(part, str) and part.strip() for part in text[1])]
    return any(_begins(name, wanted.raw) for name in named if name) or any(
        _fits(parts, wanted.raw) for parts in written
    )


def _fits(parts: Sequence[Any], label: str) -> bool:
    """True if a label is the text with its holes filled in, or the beginning of that."""
    if isinstance(parts[0], str) and _begins(parts[0], label):
        return True
    pattern = "".join(re.escape(part) if isinstance(part, str) else ".+" for part in parts)
    return re.fullmatch(pattern, label, re.IGNORECASE) is not None


def _begins(name: str, label: str) -> bool:
    """True if a name is this label or begins with its words."""
    return re.match(re.escape(label) + r"(?!\w)", name, re.IGNORECASE) is not None


def _is_offered(stage: Stage, decision: Decision, expectation: nodes.RefusedTo) -> bool:
    wanted = expectation.offered
    if isinstance(wanted, nodes.Text):
        return any(_begins(str(option), wanted.raw) for option in decision.options)
    try:
        option_meant(stage, decision, (wanted,), expectation)
    except Failed as failed:
        return failed.failure.kind == "ambiguous"
    return True


def _refusal(stage: Stage, decision: Decision, expectation: nodes.RefusedTo) -> Any:
    wanted = expectation.offered
    names = [wanted.raw] if isinstance(wanted, nodes.Text) else sorted(stage.names_of(wanted))
    refusals = [refusal for name in names if (refusal := decision.why_not(name)) is not None]
    if not refusals:
        text = wanted.span.text
        raise _failed(expectation, f"nothing here is called {text}", f"a refusal of {text}", "no such choice")
    return refusals[0]


# ---------------------------------------------------------------------------- what has happened


def _happened(stage: Stage, expectation: nodes.Happened) -> None:
    """Requires that these rules have begun since the last `then`, in this order; others may come between."""
    news = stage.news()
    found = ", then ".join(map(stage.happening_text, news)) or "nothing of it"
    if not expectation.did:
        (call,) = expectation.calls
        if any(stage.happened_as(call, one) for one in news):
            raise _failed(expectation, f"`{call.span.text}` has happened", f"no {call.span.text}", found)
        return
    left = iter(news)
    for number, call in enumerate(expectation.calls):
        if not any(stage.happened_as(call, one) for one in left):
            earlier = any(stage.happened_as(call, one) for one in news)
            before = expectation.calls[number - 1].span.text if number else ""
            what = f"has not happened after `{before}`" if number and earlier else "has not happened"
            wanted = ", then ".join(one.span.text for one in expectation.calls)
            raise _failed(expectation, f"`{call.span.text}` {what}", wanted, found)


def _reads(stage: Stage, expectation: nodes.Reads) -> None:
    """Requires these lines in the log of a player since the last `then`, in this order; others may come between."""
    told = stage.told(stage.seat(expectation.player))
    who = expectation.player.span.text
    found = " / ".join(told) or "nothing"
    if not expectation.does:
        (line,) = expectation.lines
        if any(_begins(one, line.raw) for one in told):
            raise _failed(expectation, f"{who} reads “{line.raw}”", f"no “{line.raw}”", found)
        return
    left = iter(told)
    for line in expectation.lines:
        if not any(_begins(one, line.raw) for one in left):
            earlier = any(_begins(one, line.raw) for one in told)
            what = f"“{line.raw}” comes earlier in the log" if earlier else f"{who} does not read “{line.raw}”"
            raise _failed(expectation, what, " / ".join(one.raw for one in expectation.lines), found)


# ---------------------------------------------------------------------------- the end


def _scores(stage: Stage, expectation: nodes.Scores) -> None:
    player = stage.seat(expectation.player)
    state = stage.state
    who = expectation.player.span.text
    if expectation.line is None:
        found, what = state.scores[player], "in all"
    else:
        lines = dict(state.score_lines[player])
        label = expectation.line.raw
        if label not in lines:
            listed = ", ".join(f"“{line}”" for line in lines) or "none"
            raise _failed(expectation, f"there is no score line “{label}”", f"“{label}”", f"lines {listed}")
        found, what = lines[label], f"for “{label}”"
    if found != expectation.points:
        raise _failed(expectation, f"{who} scores {found} {what}", str(expectation.points), str(found))


def _has_won(stage: Stage, expectation: nodes.HasWon) -> None:
    state = stage.state
    who = expectation.player.span.text
    if not state.over:
        raise _failed(expectation, "the game is not over", f"{who} wins", "the game goes on")
    names = [stage.seat_name(winner) for winner in state.winners]
    if stage.seat(expectation.player) not in state.winners:
        raise _failed(expectation, f"{who} has not won", f"{who} wins", f"{', '.join(names) or 'nobody'} wins")
    if expectation.reason is not None and state.reason != expectation.reason.raw:
        raise _failed(
            expectation, f"{who} wins for another reason", expectation.reason.raw, state.reason or "no reason"
        )


def _nobody_else_has_won(stage: Stage, told: list[nodes.HasWon]) -> None:
    winners = stage.state.winners
    if {stage.seat(expectation.player) for expectation in told} == set(winners):
        return
    wanted = ", ".join(expectation.player.span.text for expectation in told)
    names = ", ".join(stage.seat_name(winner) for winner in winners)
    raise _failed(told[-1], "the win is shared with others", f"{wanted} wins", f"{names} wins")


def _game_over(stage: Stage, expectation: nodes.GameOver) -> None:
    over = bool(stage.state.over)
    if over != expectation.over:
        words = {True: "the game is over", False: "the game goes on"}
        found = words[over]
        if over and stage.begins_at:
            found += f"; behind `at {stage.begins_at}` nothing follows that rule, `after setup` begins the whole game"
        raise _failed(expectation, words[over], words[expectation.over], found)
