"""What a player sees now, and a key of all that the player has ever seen.

`observation` is plain data (`schemas/observation.schema.json`): the view, the player's own options, and the log.

`information` is the key of an information state: two states have the same key for a player exactly if that player has
seen the same since the beginning. Search trees and solvers are kept by it. It is a chain of digests (BLAKE2b, 16
bytes, in hex): each is that of the digest before, a line feed, a line of JSON (keys sorted, no spaces) and a line feed.
The lines are, in this order:

1. for each decision that the player noticed, what was shown then: `["seen", view, options, prompt, picked]`, the last
   three null at somebody else's decision. There `["asked", number of the decision]` comes before it: that it is asked
   tells that there is something to choose;
2. after a decision of the player's own: `["chose", code]`;
3. for each value that the rules told to all (`public(E)`): `["told", number of E, value]`, pieces by the number of
   their row. No view need show it, and worlds must agree with it;
4. for each decision that fell through for all to see (`if possible`, `otherwise`, a `may` that is not silent):
   `["fell", number of the decision]`. It tells that there was nothing to choose;
5. after an open choice of somebody else: `["pointed", [[place, position], …]]`, for each piece chosen that lies in a
   row or pile where the player does not see it, also if it was the only one to choose. No label need say which one it
   was, and all have seen it;
6. at last `["log", lines]`, the log as the player may read it now, and before it, if the pending decision was not
   noticed or the game is over, `["now", view]`.

A player notices every decision but those of others inside `together`, at silent reactions, and for the second and
further picks of a set or a payment that are asked for: how many of them there are is nobody else's business. A single
option that is taken automatically is no decision.

What a player sees between two decisions has no line of its own: a card that was dealt and joined by another before
anybody was asked. Worlds (`story`) keep in which order they came. The trail does not say which sights belong to one
statement, and a line for each would give the two orders of `draw 2 from deck to p.hand` different keys.

The lines are made from the trail, which has a snapshot of every decision, and only when somebody asks. The digest up to
a decision is kept with its snapshot, so each decision is looked at once for each player.
"""

from __future__ import annotations

import json
from hashlib import blake2b
from typing import Any

from .decision import Decision, encode
from .knowledge import is_at_spot, shown_at
from .meta import Meta
from .names import element_of
from .questions import is_hidden_choice, is_hidden_question
from .running import Running
from .spots import SPOT, bound_by, position_of
from .trail import ASKED, FELL, START, TOLD, TOOK, Chain, Event, forced_so_far

BEGINNING = ""


def observation(state: Running, player: int) -> dict[str, Any]:
    """All that a player can see now, as plain data."""
    shown: dict[str, Any] = {"view": state.view(player), "log": state.log(player)}
    shown["options"], shown["prompt"], shown["picked"] = _own(state, player)
    return shown


def information(state: Running, player: int) -> str:
    """A short key that is the same exactly if the player has seen the same."""
    digest = seen_so_far(state, player)
    if state.over or not is_noticed(state, player):
        digest = _fed(digest, ["now", state.view(player)])
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
    """The digest of the decisions noticed and the choices made up to now."""
    chain, left = state.ev, []
    digest = BEGINNING
    while chain:
        at, (chain, event) = chain, chain
        if event[0] == ASKED:
            kept = event[1].answers.get(("seen", player))
            left.append(at)
            if kept is not None:
                break
        elif event[0] in (TOOK, TOLD) or (event[0] == FELL and fell_openly(event)):
            left.append(at)
        elif event[0] == START:
            digest = event[2].get(player, BEGINNING)  # of a world: what its player had seen when it was drawn
            break
    return _digest(left, player, digest)


def _digest(left: list[Chain], player: int, digest: str) -> str:
    """The digest after the events that end these chains, the last of them first."""
    asked: Running | None = None
    for chain in reversed(left):
        event = chain[1]
        if event[0] == ASKED:
            asked = event[1]
            assert asked is not None
            kept = asked.answers.get(("seen", player))
            if kept is None:
                if _is_posed(asked) and is_noticed(asked, player, chain):
                    if asked.who != player:
                        digest = _fed(digest, ["asked", asked.site])
                    digest = _fed(digest, ["seen", asked.view(player), *_own(asked, player)])
                asked.answers["seen", player] = digest
            else:
                digest = kept
        elif event[0] == TOLD:
            digest = _fed(digest, ["told", event[2], _told_value(event[1].meta, event[2], event[4])])
        elif event[0] == FELL:
            digest = _fed(digest, ["fell", event[1].site])
        elif asked is not None:
            if asked.who == player:
                if _is_posed(asked):
                    digest = _fed(digest, ["chose", encode(asked.meta, asked.meta.sites[asked.site], event[1])])
            elif pointed := pointed_at(asked, player, event[1]):
                digest = _fed(digest, ["pointed", pointed])
    return digest


def pointed_at(asked: Running, player: int, option: int) -> list[list[int]]:
    """Where the pieces lie that somebody has chosen before the eyes of a player who does not see what they are."""
    site, meta = asked.meta.sites[asked.site], asked.meta
    if asked.kn is None or is_hidden_choice(site, asked) or site.kind == "pay":
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
        if piece >= 0
        and is_at_spot(asked, meta, piece)
        and not shown_at(asked, meta, piece, asked.at[piece]) >> player & 1
    ]


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
    decision = Decision(state)
    options = [{"code": int(option), "label": str(option)} for option in decision.options]
    return options, decision.prompt, list(decision.picked)


def _fed(digest: str, line: list[Any]) -> str:
    text = json.dumps(line, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return blake2b(f"{digest}\n{text}\n".encode(), digest_size=16).hexdigest()
