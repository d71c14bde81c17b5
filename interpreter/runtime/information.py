"""What a player sees now, and a key of all that the player has ever seen.

`observation` is plain data (`schemas/observation.schema.json`): the view, the player's own options, and the log.

`information` is the key of an information state: two states have the same key for a player exactly if that player has
seen the same since the beginning. Search trees and solvers are kept by it. It is a chain of digests (BLAKE2b, 16
bytes, in hex): each is that of the digest before, a line feed, a line of JSON (keys sorted, no spaces) and a line feed.
The lines are, in this order:

1. for each decision that the player noticed, what was shown then: `["seen", view, options, prompt, picked]`, the last
   three null at somebody else's decision. There `["asked", number of the decision]` comes before it: that it is asked
   tells that there is something to choose;
2. after a decision of the player's own: `["chose", code]`; if it was one of several equal cards that lie in a row or
   pile, which share a code, a line as in 5 follows;
3. for each value that the rules told to all (`public(E)`): `["told", number of E, value]`, pieces by the number of
   their row. No view need show it, and worlds must agree with it;
4. for each decision that fell through for all to see (`if possible`, `otherwise`, a `may` that is not silent):
   `["fell", number of the decision]`. It tells that there was nothing to choose;
5. after an open choice of somebody else: `["pointed", [[place, position], …]]`, for each piece chosen that lies in a
   row or pile where the player does not see it, or sees an equal copy beside it, also if it was the only one to choose.
   No label need say which one it was, and all have seen it;
6. after an open choice of somebody else that left one option, `["alone", number of the decision, branch, numbers]`, if
   there are several branches or the option binds a number. No line of the log says it, and all have seen what was done;
7. after an open choice of somebody else who passed: `["passed", number of the decision]`. The log has no line of it,
   and what stands there when the next decision is asked has been seen;
8. before the line of a decision that the player noticed, `["sights", …]` for what was seen since the last one and
   cannot be read off the view (`sights`);
9. for a decision that left one option, the player's own or an open one: `["meanwhile", n, [[offset, value], …]]`, the
   numbers which the player always sees and which have changed since the decision before. The rules may write them again
   before anybody is asked. It is the n-th such decision since the last one that was noticed;
10. at last `["log", lines]`, the log as the player may read it now, and before it, if the pending decision was not
   noticed or the game is over, `["now", view]`.

A player notices every decision but those of others inside `together`, at silent reactions, and for the second and
further picks of a set or a payment that are asked for: how many of them there are is nobody else's business. A single
option that is taken automatically is no decision.

The lines are made from the trail, which has a snapshot of every decision, and only when somebody asks. The digest up to
a decision is kept with its snapshot, so each decision is looked at once for each player.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from .copies import Codes
from .decision import Decision
from .knowledge import is_at_spot, shown_at
from .meta import PASS, Meta
from .names import element_of
from .questions import is_hidden_choice, is_hidden_question
from .running import Running
from .sights import NUMBER, UNKNOWN, Before, Sights, line_of
from .spots import SPOT, bound_by, position_of
from .trail import ASKED, FELL, SEEN, SHOWN, START, TOLD, TOOK, Chain, Event, forced_so_far

BEGINNING = ""


def observation(state: Running, player: int) -> dict[str, Any]:
    """All that a player can see now, as plain data."""
    shown: dict[str, Any] = {"view": state.view(player), "log": state.log(player)}
    shown["options"], shown["prompt"], shown["picked"] = _own(state, player)
    return shown


def information(state: Running, player: int) -> str:
    """A short key that is the same exactly if the player has seen the same."""
    digest, sights, _, before, _ = _seen(state, player)
    if state.over or not is_noticed(state, player):
        digest = _fed(_with_sights(digest, sights, before, state, player), ["now", state.view(player)])
    return _fed(digest, ["log", state.log(player)])


def is_noticed(state: Running, player: int, chain: Chain = None) -> bool:
    """Whether a player notices that the pending decision is asked. `chain`: the trail up to it, of a snapshot."""
    if state.who == player:
        return True
    site = state.meta.sites[state.site]
    if state.together or site.silent:
        return False
    if not state.picked or site.kind not in ("set", "pay"):
        return True
    # Somebody is asked for a further pick: that was noticed with the first one that was asked for.
    return forced_so_far(chain or state.ev, state.site, state.picked) is not None


def fell_openly(event: Event) -> bool:
    """Whether everybody knows that a decision answered itself because nothing could be chosen. Of a set or a payment
    that goes on by itself nobody knows how many of its picks were forced."""
    _, snapshot, picked, pick = event
    site = snapshot.meta.sites[snapshot.site]
    return not picked and not is_hidden_question(site, snapshot) and (pick < 0 or site.kind not in ("set", "pay"))


def seen_so_far(state: Running, player: int) -> str:
    """The digest of all that a player has seen up to now, with what was seen since the last decision."""
    digest, sights, _, before, _ = _seen(state, player)
    return _with_sights(digest, sights, before, state, player)


def _with_sights(digest: str, sights: Sights, before: Before, state: Running, player: int) -> str:
    line = line_of(sights, before, state, player)
    return digest if line is None else _fed(digest, line)


# The digest of what was seen up to a decision, what was seen since, how many things all were told since, that decision,
# and the last look that the player had at the numbers.
_Seen = tuple[str, Sights, int, Before, "_Look"]
_Look = tuple[
    Sequence[int], int
]  # the array then, and how many decisions have left one option since the last other one


def _seen(state: Running, player: int) -> _Seen:
    """The digest of the decisions noticed and the choices made up to now, and the sights since then."""
    chain, left = state.ev, []
    seen: _Seen = (BEGINNING, (), 0, None, (state.meta.start, 0))
    while chain:
        at, (chain, event) = chain, chain
        if event[0] == ASKED:
            left.append(at)
            if ("seen", player) in event[1].answers:
                break
        elif event[0] == SEEN:
            if event[1] == player:
                left.append(at)
        elif event[0] == SHOWN:
            if event[1] >> player & 1:
                left.append(at)
        elif event[0] in (TOOK, TOLD) or (event[0] == FELL and fell_openly(event)):
            left.append(at)
        elif event[0] == START:
            # Of a world: what its player had seen when it was drawn.
            seen = event[2].get(player, BEGINNING), (), 0, UNKNOWN, (state.meta.start, 0)
            break
    return _digest(left, player, seen)


def _digest(left: list[Chain], player: int, seen: _Seen) -> _Seen:
    """What was seen after the events that end these chains, the last of them first."""
    asked: Running | None = None
    digest, sights, told, before, look = seen
    for chain in reversed(left):
        event = chain[1]
        if event[0] == SEEN:
            sights = (*sights, (told, event[3], event[4], event[2]))
        elif event[0] == SHOWN:
            sights = (*sights, (told, NUMBER, event[2], event[3]))
        elif event[0] == ASKED:
            asked = event[1]
            assert asked is not None
            kept: _Seen | None = asked.answers.get(("seen", player))
            if kept is None:
                if _is_posed(asked) and is_noticed(asked, player, chain):
                    digest = _shown(asked, player, _with_sights(digest, sights, before, asked, player))
                    sights, told, before, look = (), 0, asked, (asked.f, 0)
                elif _is_seen_to_be_forced(asked, player):
                    digest, look = _meanwhile(asked, player, digest, look), (asked.f, look[1] + 1)
                kept = asked.answers["seen", player] = digest, sights, told, before, look
            digest, sights, told, before, look = kept
        elif event[0] == TOLD:
            told += 1
            digest = _fed(digest, ["told", event[2], _told_value(event[1].meta, event[2], event[4])])
        elif event[0] == FELL:
            told += 1
            digest = _fed(digest, ["fell", event[1].site])
        elif asked is not None:
            digest = _answered(asked, player, event[1], digest)
    return digest, sights, told, before, look


def _is_seen_to_be_forced(asked: Running, player: int) -> bool:
    """Whether the player sees that the rules come to a decision which leaves one option."""
    if _is_posed(asked):
        return False
    site = asked.meta.sites[asked.site]
    return asked.who == player or not (is_hidden_question(site, asked) or site.kind in ("set", "pay"))


def _meanwhile(asked: Running, player: int, digest: str, look: _Look) -> str:
    """The digest with the numbers that have changed before the eyes of the player since the last look at them."""
    (before, count), now = look, asked.f
    changed = [[x, now[x]] for x in asked.machine.seen_offsets(player) if now[x] != before[x]]
    return _fed(digest, ["meanwhile", count + 1, changed]) if changed else digest


def _shown(asked: Running, player: int, digest: str) -> str:
    """The digest with a decision that the player noticed."""
    if asked.who != player:
        digest = _fed(digest, ["asked", asked.site])
    return _fed(digest, ["seen", asked.view(player), *_own(asked, player)])


def _answered(asked: Running, player: int, option: int, digest: str) -> str:
    """The digest with what the player saw of the answer to a decision."""
    if asked.who == player:
        if not _is_posed(asked):
            return digest
        digest = _fed(digest, ["chose", Codes(asked).of(option)])
    elif not _is_posed(asked):
        alone = done_alone(asked, option)
        digest = digest if alone is None else _fed(digest, ["alone", *alone])
    elif _is_seen_to_pass(asked, option):
        digest = _fed(digest, ["passed", asked.site])
    pointed = pointed_at(asked, player, option)
    return _fed(digest, ["pointed", pointed]) if pointed else digest


def _is_seen_to_pass(asked: Running, option: int) -> bool:
    site = asked.meta.sites[asked.site]
    return option == PASS and not (asked.picked or site.silent or is_hidden_choice(site, asked))


def done_alone(asked: Running, option: int) -> list[Any] | None:
    """What all have seen of an option that took itself: the decision, the branch, and numbers that it binds. None if it
    was hidden, or could be nothing else but for its pieces."""
    site = asked.meta.sites[asked.site]
    found = site.values_of(option)
    if found is None or site.kind in ("set", "pay") or site.silent or is_hidden_choice(site, asked):
        return None
    branch, values = found
    things = [thing for thing, _, _ in site.branches[branch][1]]
    numbers = [value for value, thing in zip(values, things, strict=True) if thing not in ("piece", "row", SPOT)]
    return [asked.site, branch, numbers] if numbers or len(site.branches) > 1 else None


def pointed_at(asked: Running, player: int, option: int) -> list[list[int]]:
    """Where the pieces lie that somebody has chosen before the eyes of a player who does not see what they are, or sees
    an equal copy in the same row. Of the player's own choice the code says it all, but which of such copies it was."""
    site, is_own = asked.meta.sites[asked.site], asked.who == player
    if asked.kn is None or (is_hidden_choice(site, asked) and not is_own) or site.kind == "pay":
        return []
    found = bound_by(asked, site, option)
    if found is None:
        return []
    branch, values = found
    things = [thing for thing, _, _ in site.branches[branch][1]]
    pieces = [value for value, thing in zip(values, things, strict=True) if thing in ("piece", "row", SPOT)]
    return [
        [asked.at[piece], position_of(asked, piece)]
        for piece in pieces
        if piece >= 0 and (_sees_copy(asked, piece, player) or (not is_own and _is_closed_spot(asked, piece, player)))
    ]


def _is_closed_spot(asked: Running, piece: int, player: int) -> bool:
    meta = asked.meta
    return is_at_spot(asked, meta, piece) and not shown_at(asked, meta, piece, asked.at[piece]) >> player & 1


def _sees_copy(asked: Running, piece: int, player: int) -> bool:
    """Whether the player sees an equal copy in the same row or pile: a name does not say which of them was chosen."""
    meta, place = asked.meta, asked.at[piece]
    if not 0 <= place < meta.lists or meta.unordered[place] or meta.equal_copies[piece] == 1 << piece:
        return False
    row = meta.piece_row
    copies = [one for one in asked.p[place] if one != piece and row[one] == row[piece]]
    return any(shown_at(asked, meta, one, place) >> player & 1 for one in copies)


def _told_value(meta: Meta, number: int, value: Any) -> Any:
    """A value told to all as plain data. Equal copies of a piece are the same to everybody."""
    if isinstance(value, int):
        is_piece = element_of(meta.told_gives[number]) == "piece" and value >= 0
        return meta.piece_row[value] if is_piece else int(value)
    return None if value is None else [_told_value(meta, number, one) for one in value]


def _is_posed(asked: Running) -> bool:
    """Whether somebody had to answer: a single option takes itself, and so does an automa."""
    return asked.who not in asked.meta.automas and not (asked.auto and len(asked.opts) == 1)


def _own(state: Running, player: int) -> tuple[Any, Any, Any]:
    if state.over or state.who != player:
        return None, None, None
    decision, codes = Decision(state), Codes(state)
    options = [{"code": codes.of(option.raw), "label": str(option)} for option in decision.options]
    return options, decision.prompt, list(decision.picked)


def _fed(digest: str, line: list[Any]) -> str:
    text = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return blake2b(f"{digest}\n{text}\n".encode(), digest_size=16).hexdigest()
