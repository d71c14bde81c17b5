"""The log: what happened, line by line, as each player may read it.

An entry holds numbers, not words, and beside it a bit mask for each piece it names: the players who may read the name.
Words are made when somebody looks, in that person's language and as far as that person may know.

Who may read the name of a piece that is chosen is settled twice. When the choice is made, those may who see the piece
where it lies. That a card is known to be in a closed hand is not enough: which card of the hand the player takes is not
seen, and if it is laid down unseen, the line must not say it. And up to the next decision those may as well who have
seen the piece meanwhile: a card that is played from a closed hand lies open a moment later, and the line that tells of
the choice should name it for everybody. It goes on as long as the same player decides, since a card that is chosen
first and laid down after a second choice is one act to people. Choices made `secretly` or inside `together` are left as
they are; of the latter others read nothing at all, since the number of lines would tell how often somebody had to
choose. What the rules `say` names what its readers know.

| entry | says |
| --- | --- |
| `("say", text, values, reader or None)` | a line of the rules |
| `("chose", player, text, values, hidden)` | an option with a label |
| `("took", player, things, values, hidden)` | an option that only binds values |
| `("said", player, words, (), hidden)` | passing, enough, a free action |
| `("read", player, words)` | of a drawn world: a line as its player has read it |
| what chance brings | see `told_chance` |
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from ..compile.meta import PASS, Meta, SiteMeta
from . import knowledge
from .faults import Fault, Trouble
from .running import Running
from .spots import SPOT, bound_by, position_of
from .texts import label_text, phrase, render_known, thing_text, value_text
from .together import own_entries
from .told_chance import KINDS as OF_CHANCE
from .told_chance import chance_text, is_replaced
from .trail import forced_so_far

Entry = tuple[Any, ...]
_CHOICES = ("chose", "took", "said")
TOGETHER = "together"  # in place of `hidden`: others are not even told that something was chosen
_AT_SPOT = "spot:"  # a piece in a row or a pile; its position stands behind it
SET = "set"  # the same: others are told that a set was chosen, and of its single picks nothing


class Masks(dict[int, int]):
    """For each piece that an entry names, the players who may read its name, as a bit mask.

    A pair of entry and masks never changes, so what somebody reads of it is put into words once: `lines` has the line
    (or None) for each reader, with the description of the game in whose language it is. A log is read again and again,
    and by then most of it is old.

    `site` is the decision that a choice was made at; -1 for other lines, and in a log that comes from a save.
    `is_settled`: everybody may read every name, so nothing can be added.
    """

    __slots__ = ("is_settled", "lines", "site")
    lines: dict[int | None, tuple[Meta, Line | None]]

    def __init__(self, masks: dict[int, int], site: int = -1, is_settled: bool = False) -> None:
        super().__init__(masks)
        self.lines, self.site, self.is_settled = {}, site, is_settled


@dataclass(frozen=True)
class Line:
    """A line of the log as one reader may read it. `text` is without the name of the player who chose.

    A line has no number of a choice: choices that nobody may notice are counted in the history, and a gap would tell
    of them.
    """

    player: int | None  # who chose; None for what the rules say
    text: str
    sentence: str
    cites: tuple[str, ...] = ()


SPECTATOR = -1  # a reader without a seat: reads what every player may read


def note(state: Running, entry: Entry) -> None:
    """A line of the log, with who can read which piece's name at that moment."""
    readers = _knowers if entry[0] == "say" else _watchers
    masks = {piece: readers(state, piece) for piece in _pieces_of(state.meta, entry)} if state.kn else {}
    if entry[0] == "say" and len(state.lg) >= state.meta.limits["log"]:
        raise Trouble("R0910", f"the log has more than {state.meta.limits['log']} lines", "say less in one game")
    site = state.site if entry[0] in _CHOICES else -1
    if entry[0] == "say" and entry[3] is None and is_replaced(state):
        state.lg.pop()
    state.lg.append((entry, Masks(masks, site)))


def note_choice(state: Running, raw: int, is_forced: bool = False) -> None:
    """An option of the pending decision is taken."""
    site = state.meta.sites[state.site]
    hidden = _hidden(state, site, is_forced)
    if raw == PASS and site.silent:
        return
    found = bound_by(state, site, raw)
    if found is None:
        note(state, ("said", state.who, label_text(state, site, raw), (), hidden or raw == PASS))
        return
    branch, values = found
    label, domains, names = site.branches[branch]
    numbers = None if label is None else _label_numbers(state, label, dict(zip(names, values, strict=True)))
    if numbers is not None:
        note(state, ("chose", state.who, label, numbers, hidden))
        return
    if site.kind == "pay":
        things, values = _paid(state, values[0])
    else:
        things = tuple(
            _thing_told(state, thing, value, hidden) for (thing, _, _), value in zip(domains, values, strict=True)
        )
    note(state, ("took", state.who, things, tuple(values), hidden))


def _thing_told(state: Running, thing: str, value: int, hidden: bool | str) -> str:
    """What sort of thing a line names. `spot:2` is a piece that lay second in a row: all see which one is chosen there,
    also those who do not see what it is."""
    if thing not in ("piece", "row", SPOT):
        return thing
    if hidden or not knowledge.is_at_spot(state, state.meta, value):
        return "piece"
    return f"{_AT_SPOT}{position_of(state, value)}"


def _label_numbers(state: Running, label: int, bound: dict[str, int]) -> tuple[Any, ...] | None:
    """The numbers of a label; None if it cannot be worked out. Then the line names what was chosen: a game goes on
    whatever its texts say, and the pending decision tells the fault to whoever reads it."""
    try:
        return state.text_values(label, bound)
    except Fault:
        return None


def _hidden(state: Running, site: SiteMeta, is_forced: bool) -> bool | str:
    """How much of a choice others are not told. A set that is chosen `secretly` is one line, with the first pick that
    is asked for: `choose any c in p.hand secretly` tells nobody how many there are."""
    if state.together:
        return TOGETHER
    if not site.secret or site.kind != "set":
        return site.secret
    is_first = not state.picked or (state.ev and forced_so_far(state.ev, state.site, state.picked) is not None)
    return SET if is_first and not is_forced else TOGETHER


def note_forced_pick(state: Running, raw: int, picked: Any) -> None:
    """Picks of a set or a payment may be forced. They are told like the others: otherwise the number of lines would say
    that there was no choice, and so which cards the player does not hold. Those before the first that is asked are told
    with it (`note_forced_before`): a line at an earlier moment would say the same. Where nothing is asked at all,
    nothing is told."""
    if state.tracked and picked and state.meta.sites[state.site].kind in ("set", "pay"):
        if state.ev is None or forced_so_far(state.ev, state.site, picked) is None:
            note_choice(state, raw, is_forced=True)


def note_forced_before(state: Running) -> None:
    """The player was asked for a pick for the first time, and has answered."""
    if state.tracked and state.ev and state.picked and state.meta.sites[state.site].kind in ("set", "pay"):
        for raw in forced_so_far(state.ev, state.site, state.picked) or ():
            note_choice(state, raw, is_forced=True)


def name_what_was_seen(state: Running) -> None:
    """Called before each decision: lines about earlier choices now name the pieces that others have seen since."""
    if state.kn is None:
        return
    chooser: int | None = None
    chosen_since: set[int] = set()
    for position in range(len(state.lg) - 1, -1, -1):
        entry, masks = state.lg[position]
        if entry[0] == "read" or (entry[0] in _CHOICES and chooser not in (None, entry[1])):
            return
        if entry[0] in _CHOICES:
            chooser = entry[1]
            # A card that was chosen again is seen for what it was chosen for then: whether it had been chosen before as
            # well (`choose c in p.hand "Which do you think of?"`) nobody has seen.
            _name(state, position, masks.keys() - chosen_since)
            chosen_since |= masks.keys()


def name_what_is_shown(state: Running, piece: int) -> None:
    """Called when a piece has come to another place: those who see it there may read its name in the line about the
    last choice.

    The last card of a trick lies open for a moment. When somebody is asked again, it is in the next deal, and nobody
    sees it any more. A card that is revealed where it lies is named when it goes: until then the rest of the hand may
    be revealed too, and then nobody knows which of its cards was chosen.
    """
    last = len(state.lg) - 1
    while last >= 0 and state.lg[last][0][0] not in (*_CHOICES, "read"):
        last -= 1
    chooser = state.lg[last][0][1] if last >= 0 else None
    while last >= 0 and state.lg[last][0][0] in _CHOICES and state.lg[last][0][1] == chooser:  # of a set, each pick
        if piece in state.lg[last][1]:  # as above, what was chosen earlier says nothing of it
            return _name(state, last, (piece,))
        last -= 1


def _name(state: Running, position: int, pieces: Iterable[int]) -> None:
    """Those who see these pieces now may read their names in a line about a choice."""
    entry, masks = state.lg[position]
    if not masks or entry[-1] or getattr(masks, "is_settled", False):
        return
    now = {**masks, **{piece: masks[piece] | _witnesses(state, piece) for piece in pieces}}
    if now != masks:
        everybody = (1 << state.meta.players) - 1
        told = Masks(now, getattr(masks, "site", -1), min(now.values()) == everybody)
        state.lg[position] = (entry, told)  # a new pair: copies of the state share the old one


def _knowers(state: Running, piece: int) -> int:
    """Bit mask of the players who know where the piece lies."""
    meta, known = state.meta, 0
    for player in range(meta.players):
        if knowledge.is_known(state, meta, piece, player):
            known |= 1 << player
    return known


def _witnesses(state: Running, piece: int) -> int:
    """Bit mask of the players who see a piece now and know by that which one was chosen before. That it is the only one
    left of a closed hand, and they know which that is, tells them nothing: the chosen one may have been another."""
    place = state.at[piece]
    if place >= 0 and knowledge.is_unordered(state.meta, place):
        return _seen(state, piece, place)
    return _watchers(state, piece)


def _seen(state: Running, piece: int, place: int) -> int:
    shown = knowledge.shown_at(state, state.meta, piece, place) | (_singled_out(state, piece) if state.lit else 0)
    return shown & (1 << state.meta.players) - 1


def _watchers(state: Running, piece: int) -> int:
    """Bit mask of the players who see which piece is taken from where it lies."""
    place, meta = state.at[piece], state.meta
    if place < 0:
        return _knowers(state, piece)
    everybody = (1 << meta.players) - 1
    seen = _seen(state, piece, place)
    if seen == everybody:
        return seen
    if knowledge.is_unordered(meta, place):
        # Nobody sees from where in the hand it comes, so it is told only if all that is there is known and equal.
        there, rows = knowledge.contents(state, meta, place), meta.piece_row
        if any(rows[other] != rows[piece] for other in there):
            return seen
        knowers = everybody
        for other in there:
            knowers &= _knowers(state, other)
        return seen | knowers
    return seen | _knowers(state, piece)


def _singled_out(state: Running, piece: int) -> int:
    """Bit mask of the players to whom the piece was revealed where it lies, as a piece apart.

    `choose c in p.hand` / `reveal c` shows what was chosen. If the whole hand is revealed instead, nobody learns which
    of its cards was chosen.
    """
    lit, place, meta = state.lit, state.at[piece], state.game.meta
    shown = lit.get(piece, 0)
    if shown and knowledge.is_unordered(meta, place):
        for other in knowledge.contents(state, meta, place):
            if meta.piece_row[other] != meta.piece_row[piece]:
                shown &= ~lit.get(other, 0)
    return shown


def _paid(state: Running, key: int) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """What was paid, for the log. Of equal pieces, the one that the fewest players know, so that its name tells nobody
    anything."""
    rows, holders = state.meta.piece_row, state.meta.holders
    own = [p for p, at in enumerate(state.at) if rows[p] == key and at >= 0 and holders[at] == state.who]
    if state.kn is None or not own:
        return ("payable",), (key,)
    return ("piece",), (min(own, key=lambda piece: _watchers(state, piece).bit_count()),)


# ---------------------------------------------------------------------------- reading


def log_lines(state: Running, player: int | None) -> list[str]:
    """The log as a player may read it (None: everything)."""
    return [line.sentence for line in told_lines(state, player)]


def told_lines(state: Running, player: int | None, since: int = 0) -> list[Line]:
    """The same as data, with clauses and steps, from entry `since` on. A SPECTATOR reads what every player may read,
    and while players choose at once what stood there before."""
    entries = state.lg
    if state.apart is not None and player is not None:
        entries = state.lg[: len(state.apart.lg)] if player == SPECTATOR else own_entries(state, player)
    return [line for pair in entries[since:] if (line := _read(state, pair, player)) is not None]


def _read(state: Running, pair: tuple[Entry, dict[int, int]], player: int | None) -> Line | None:
    """What a player reads of an entry; None if nothing."""
    entry, masks = pair
    if not isinstance(masks, Masks):  # of a save, or of a world
        return _line(state, entry, masks, player)
    kept = masks.lines.get(player)
    if kept is None or kept[0] is not state.meta:
        kept = masks.lines[player] = state.meta, _line(state, entry, masks, player)
    return kept[1]


def _line(state: Running, entry: Entry, masks: dict[int, int], player: int | None) -> Line | None:
    meta = state.meta
    everybody = (1 << meta.players) - 1

    def known(piece: int) -> bool:
        mask = masks.get(piece, -1)
        if player == SPECTATOR:
            return mask & everybody == everybody and (meta.players > 1 or mask == -1)
        return player is None or bool(mask >> player & 1)

    if entry[0] in OF_CHANCE:
        told = chance_text(meta, entry, player, known)
        return None if told is None else Line(None, told, told)
    match entry:
        case ("read", _, words):
            return Line(None, str(words), str(words))
        case ("say", text, values, to):
            if to is not None and player not in (None, to):
                return None
            words = render_known(meta, text, values, known)
            return Line(None, words, words, meta.text_cites.get(text, ()))
        case (kind, who, _, _, hidden) if hidden and player not in (None, who):
            untold = hidden == TOGETHER or (kind == "said" and hidden != SET)
            secret = phrase(meta, "chooses in secret")
            return None if untold else Line(who, secret, f"{meta.seat_names[who]} {secret}")
        case ("chose", who, text, values, _):
            words = render_known(meta, text, values, known)
        case ("took", who, things, values, _):
            words = ", ".join(_value(state, thing, value, known) for thing, value in zip(things, values, strict=True))
        case ("said", who, words, _, _):
            words = phrase(meta, words)
        case _:
            raise ValueError(f"no such entry of a log: {entry}")
    return Line(who, words, f"{meta.seat_names[who]}: {words}", _choice_cites(meta, entry, masks))


def _choice_cites(meta: Meta, entry: Entry, masks: dict[int, int]) -> tuple[str, ...]:
    """The clauses of an option that was taken: its own, or those of the decision."""
    own = meta.text_cites.get(entry[2], ()) if entry[0] == "chose" else ()
    if own or not isinstance(masks, Masks) or masks.site < 0:
        return own
    site = meta.sites[masks.site]
    rule = meta.rules.get(site.rule)
    return site.cites or (rule.cites if rule is not None else ())


def _value(state: Running, thing: str, value: int, known: Callable[[int], bool]) -> str:
    if thing == "payable":
        return value_text(state, thing, value)
    if not thing.startswith(_AT_SPOT):
        return thing_text(state.meta, thing, value, known)
    named = thing_text(state.meta, "piece", value, known)
    return named if known(value) else f"{named} ({thing.removeprefix(_AT_SPOT)})"


def _pieces_of(meta: Meta, entry: Entry) -> set[int]:
    """The pieces that an entry names."""
    match entry:
        case ("say", text, values, _) | ("chose", _, text, values, _):
            pairs = zip(meta.holes[text], values, strict=True)
        case ("took", _, things, values, _):
            pairs = zip(things, values, strict=True)
        case _:
            return set()
    found: set[int] = set()
    for thing, value in pairs:
        if thing.removeprefix("set:") == "piece" or thing.startswith(_AT_SPOT):
            found.update(value if isinstance(value, tuple | list) else (value,))
    return {piece for piece in found if piece >= 0}
