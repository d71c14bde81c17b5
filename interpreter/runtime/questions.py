"""Decisions of others that were posed, answered or skipped, and values that were told: what a world must repeat.

- `Asked`: somebody else had to decide. There were at least two options (one that is alone is not asked), and what was
  taken was among them. Of a decision that others do not see (`silently`, `together`) only the latter is known.
- `Fell`: a decision answered itself. `if possible` and `otherwise` fall through only if nothing can be chosen.
- `Told`: `public(E)` gave this value.

Decisions are asked on the native engine where there is one (`natively`), which gives the same answers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from .determinise import _renamed
from .facts import Naming, Part, Question
from .faults import Carried, Ended, Refused, Trouble
from .hands import told_of, unseen_in
from .meta import PASS, Meta, SiteMeta
from .names import element_of

Answer = tuple[bool, bool, frozenset[Any]]  # whether it was posed, whether there was a choice, the options
NOT_POSED: Answer = (False, False, frozenset())
NATIVE = "native"  # where a snapshot keeps its question in native memory
_POSED = {1: True, 0: False}  # signals of rw.h: it stopped at the question, or went on


def sorts_of_question(meta: Meta, S: Any) -> Sequence[int]:
    """For each piece, the most that the pending question can find out about it."""
    return meta.sorts.get(S.k[-1][0], meta.piece_row)


def is_hidden_choice(site: SiteMeta, S: Any) -> bool:
    """Whether others are not told what is chosen."""
    return bool(site.secret or S.together)


def is_hidden_question(site: SiteMeta, S: Any) -> bool:
    """Whether others are not told that somebody is asked."""
    return bool(site.silent or S.together)


def asked_again(T: Any, branch: int | None = None) -> tuple[bool, Any]:
    """Runs the segment that asks: (True, options) if it poses its decision, (False, what it picks itself) if not.
    With a branch, mostly the options of that branch alone are worked out."""
    frame = T.k[-1]
    T.steps = 0
    code = None if branch is None else T.machine.parts.get((frame[0], branch))
    posed = (code or T.machine.fast_code[frame[0]])(T, frame)
    return (True, T.opts) if posed else (False, T.pick)


def natively(
    fact: Question, naming: Naming, shifts: Sequence[Any]
) -> tuple[bool | None, int, int, int, list[int]] | None:
    """What comes of the question of a fact on the native engine: posed (None: it came to something else), site, who
    decides, what it picks itself, options. None if there is no engine, or it cannot hold this question."""
    if fact.before is not None:
        return None
    kept = fact.snapshot.answers
    question = kept.get(NATIVE)
    if question is None:
        make = getattr(fact.snapshot.game, "question", None)
        question = make(fact.snapshot) if make is not None else False
        if question is not None:
            kept[NATIVE] = question
    if not question:
        return None
    added = [n for number, offset in fact.numbers if shifts[number] for n in (offset, shifts[number])]
    found = question.asked(naming.new, added)
    if found is None:
        return None
    signal, *rest = found
    return (_POSED.get(signal), *rest)


@dataclass
class Asked(Question):
    option: Any = None
    taken_in: int = -1  # the epoch in which an option was taken, or -1
    # Of an option that binds pieces: its branch, values, and which of them are pieces. Others are told by their number.
    taken: tuple[int, tuple[int, ...], tuple[bool, ...]] | None = None
    many: bool = False
    visible: bool = True
    branch: int | None = None  # of what was taken, if that branch can be asked alone

    @staticmethod
    def of(meta: Meta, player: int, S: Any, picked: Any, epoch: int) -> Asked | None:
        if picked:  # the second and further picks of a set or payment: what was paid is seen, or is not known
            return None
        kept = S.answers.get(("asked", player))
        if kept is None:
            kept = S.answers["asked", player] = Asked._kept_of(meta, player, S)
        made = Asked.__new__(Asked)
        made.__dict__.update(kept)
        made.epoch = epoch
        return made

    @staticmethod
    def _kept_of(meta: Meta, player: int, S: Any) -> dict[str, Any]:
        """What every story needs of this question, kept because each later decision of the game asks for it again."""
        site, unseen = meta.sites[S.site], unseen_in(meta, S, player, S.who)
        visible, places = not is_hidden_question(site, S), unseen.places(meta, S)
        made = Asked(S, 0, unseen.pieces, places, many=len(S.opts) > 1, visible=visible)
        # An option that binds a piece tells where it lies and what it is. In a loose place its sort is all there is to
        # tell; anywhere else hands that are alike by sort would have each other's cards on offer.
        is_told_by_sort = all(is_loose for is_loose, _ in places) or not binds_pieces(site)
        made.with_answers(player, sorts_of_question(meta, S) if is_told_by_sort else meta.piece_row)
        made.__dict__.update(mask=made.mask, looked_at=made.looked_at, may_look=made.may_look)
        return made.__dict__

    def taken_by(self, meta: Meta, player: int, option: Any, epoch: int) -> tuple[list[int], bool]:
        """`alike` and `takes`, worked out once for each option. `epoch` is the one in front of an epoch of those alike,
        if there are several."""
        kept = self.shared.get(("took", option))
        if kept is None:
            alike = self.alike(meta, player, option)
            kept = self.shared["took", option] = (alike, self.takes(meta, player, option, epoch), self.taken)
        alike, is_kept, self.taken = kept
        if is_kept:
            self.option, self.taken_in = option, epoch + (len(alike) > 1)
            self._ask_in_part()
        return alike, is_kept

    def _ask_in_part(self) -> None:
        """The answers of a part are kept by themselves: they do not have all options."""
        S = self.snapshot
        if self.option < 0 or (self.visible and not self.many):
            return
        branch = self._site.branch_of(self.option)
        if (S.k[-1][0], branch) in S.machine.parts:
            self.branch = branch
            self.answers = S.answers.setdefault(("part", self.player, branch), {})

    def alike(self, meta: Meta, player: int, option: Any) -> list[int]:
        """The pieces that the player cannot tell from the chosen one: others in the same unseen place."""
        site, S = meta.sites[self.snapshot.site], self.snapshot
        found: list[int] = []
        for piece in pieces_bound(site, option):
            place = S.at[piece]
            if piece in self.pieces and place >= 0 and (place < meta.lists):
                if meta.unordered[place] or is_hidden_choice(site, S):
                    found += [piece, *(x for x in S.p[place] if meta.piece_back[x] == meta.piece_back[piece])]
        return list(dict.fromkeys(found))

    def takes(self, meta: Meta, player: int, option: Any, epoch: int) -> bool:
        """Keeps what was taken, as far as the player knows it; says whether it is kept."""
        site, S = meta.sites[self.snapshot.site], self.snapshot
        if site.kind in ("set", "pay") or (option == PASS and site.silent):
            return False
        if is_hidden_choice(site, S) and not only_pieces(meta, site, option):
            return False
        self.option, self.taken_in = option, epoch
        found = site.values_of(option)
        if found is not None:
            things = [element_of(thing) in ("piece", "row") for thing, _, _ in site.branches[found[0]][1]]
            if any(things):
                are_pieces = tuple([is_piece and v >= 0 for v, is_piece in zip(found[1], things, strict=True)])
                self.taken = (found[0], found[1], are_pieces)
        return True

    def choice(self) -> Part:
        """A fact for the epoch in which the option was taken: the same question, asked when that epoch changes."""
        return Part(self.snapshot, self.taken_in, self.chosen(), partner=self)

    def identity(self) -> tuple[Any, ...]:
        return "asked", self.option if self.taken_in >= 0 else None

    def chosen(self) -> tuple[int, ...]:
        if self.taken is None:
            return ()
        _, values, are_pieces = self.taken
        return tuple([value for value, is_piece in zip(values, are_pieces, strict=True) if is_piece])

    def chosen_in(self, epoch: int) -> Sequence[int] | None:
        return self.chosen() if self.taken is None or self.taken_in == epoch else None

    def agrees(self, answer: Any, renamings: Sequence[Naming]) -> bool:
        posed, many, options = answer
        if self.visible and (not posed or many != self.many):
            return False
        if self.taken_in < 0:
            return True
        return bool(posed) and self._placed_choice(renamings[self.taken_in].new, renamings[self.epoch].old) in options

    def _placed_choice(self, new: Sequence[int], old: Sequence[int]) -> Any:
        """What was taken as the world has it: its pieces by what they are and where they lay when it was asked."""
        if self.taken is None:
            return self.option
        branch, values, are_pieces = self.taken
        return branch, tuple(
            [self._placed(new[v], old) if is_piece else v for v, is_piece in zip(values, are_pieces, strict=True)]
        )

    def _placed(self, piece: int, old: Sequence[int]) -> tuple[int, int, int]:
        """A piece by where it lies in the world, and by what the question can tell of it: in a loose place its sort."""
        here = old[piece]
        if here in self._loose:
            return self.sorts[piece], self.snapshot.at[here], -1
        return _placed(self.snapshot.game.meta, self.snapshot, piece, old)

    @cached_property
    def _loose(self) -> frozenset[int]:
        """The positions in places where nothing tells pieces apart but their sort."""
        return frozenset(piece for is_loose, pieces in self.places if is_loose for piece in pieces)

    def can_fail(self) -> bool:
        return self.visible or self.taken_in >= 0

    def read_in(self) -> tuple[int, ...]:
        return (self.epoch, self.taken_in) if self.taken_in >= 0 else (self.epoch,)

    def move_to(self, number: dict[int, int]) -> None:
        super().move_to(number)
        self.taken_in = number.get(self.taken_in, -1)

    def asked_in(self, T: Any, naming: Naming) -> Answer:
        try:
            posed, options = asked_again(T, self.branch)
            # Of two options of one branch it is known that there was a choice, and of none what was taken is not among
            # them. With a single one the other branches count.
            if posed and len(options) == 1 and self.visible and self.branch is not None:
                posed, options = asked_again(T)
        except (Refused, Trouble, Ended, Carried):
            return NOT_POSED
        return self._answer(T.site, T.who, options, naming) if posed else NOT_POSED

    def asked_natively(self, naming: Naming, shifts: Sequence[Any]) -> Answer | None:
        found = natively(self, naming, shifts)
        if found is None:
            return None
        posed, site, who, _, options = found
        return self._answer(site, who, options, naming) if posed else NOT_POSED

    def _answer(self, site: int, who: int, options: Sequence[int], naming: Naming) -> Answer:
        if site != self.snapshot.site or who != self.snapshot.who:
            return NOT_POSED
        if any(self._binds):
            known = frozenset([self._placed_option(one, naming.old) for one in options])
        else:
            known = frozenset(options)
        return (True, len(options) > 1, known)

    @cached_property
    def _site(self) -> SiteMeta:
        found: SiteMeta = self.snapshot.game.meta.sites[self.snapshot.site]
        return found

    @cached_property
    def _binds(self) -> list[tuple[bool, ...]]:
        """By branch: which values of an option are pieces; nothing if none is."""
        found = [tuple([element_of(of[0]) in ("piece", "row") for of in one[1]]) for one in self._site.branches]
        return [things if any(things) else () for things in found]

    def _placed_option(self, option: int, old: Sequence[int]) -> Any:
        """An option of a world as `_placed_choice` tells it. One without pieces is the same in every world: its number
        will do."""
        branch, values = self._parts(option)
        if branch < 0:
            return option
        return branch, tuple([self._placed(v, old) if is_piece else v for v, is_piece in values])

    def _parts(self, option: int) -> tuple[int, list[tuple[int, bool]]]:
        """The branch of an option and its values, each with whether it is a piece; -1 for one without pieces."""
        kept = self.shared.setdefault("parts", {})
        found: tuple[int, list[tuple[int, bool]]] | None = kept.get(option)
        if found is None:
            branch = self._site.branch_of(option) if option >= 0 else -1
            things = self._binds[branch] if branch >= 0 else ()
            of = self._site.values_of(option) if things else None
            values = [] if of is None else [(v, is_piece and v >= 0) for v, is_piece in zip(of[1], things, strict=True)]
            found = kept[option] = (branch if values else -1, values)
        return found


def is_known_idle(snapshot: Any, player: int, option: Any) -> bool:
    """Whether a decision whose option was taken is known to tell the player nothing: it looks into no closed place, and
    the choice was not of a piece out of sight. Only where there are no numbers that the player does not see,
    in the array or in a rule at work."""
    kept = snapshot.answers.get(("asked", player))
    if kept is None or kept["may_look"]:
        return False
    took = kept["shared"].get(("took", option))
    return took is not None and not took[0]


@dataclass
class Fell(Question):
    pick: Any = None

    @staticmethod
    def of(meta: Meta, player: int, S: Any, picked: Any, pick: Any, epoch: int) -> Fell | None:
        site = meta.sites[S.site]
        if picked or is_hidden_question(site, S):
            return None
        unseen = unseen_in(meta, S, player, S.who)
        made = Fell(S, epoch, unseen.pieces, unseen.places(meta, S), pick=pick)
        return made.with_answers(player, sorts_of_question(meta, S))

    def identity(self) -> tuple[Any, ...]:
        return "fell", self.pick

    def asked_in(self, T: Any, naming: Naming) -> bool:
        try:
            posed, pick = asked_again(T)
        except (Refused, Trouble, Ended, Carried):
            return False
        return not posed and self._is_alike(pick)

    def asked_natively(self, naming: Naming, shifts: Sequence[Any]) -> bool | None:
        found = natively(self, naming, shifts)
        if found is None:
            return None
        posed, _, _, pick, _ = found
        return posed is False and self._is_alike(pick)

    def _is_alike(self, pick: int) -> bool:
        return bool(pick == self.pick or (pick >= 0) == (self.pick >= 0))


@dataclass
class Told(Question):
    number: int = 0
    arguments: tuple[Any, ...] = ()
    value: Any = None

    @staticmethod
    def of(meta: Meta, player: int, S: Any, number: int, arguments: tuple[Any, ...], value: Any, epoch: int) -> Told:
        unseen = told_of(meta, S, player, number, arguments)
        pieces = unseen.pieces
        bound = [x for x, thing in zip(arguments, meta.told[number], strict=True) if thing == "piece" and x in pieces]
        places = (*unseen.places(meta, S), *((False, (x,)) for x in bound))
        made = Told(S, epoch, pieces, places, len(bound), number=number, arguments=arguments, value=value)
        return made.with_answers(player, meta.told_sorts.get(number, meta.piece_row))

    def identity(self) -> tuple[Any, ...]:
        return "told", self.number, self.arguments, self.value

    @property
    def looks(self) -> Sequence[int] | None:
        return self.snapshot.meta.told_looks.get(self.number)  # type: ignore[no-any-return]

    def asked_in(self, T: Any, naming: Naming) -> bool:
        try:
            things = T.meta.told[self.number]
            args = [_renamed(x, thing, naming.new) for x, thing in zip(self.arguments, things, strict=True)]
            return bool(T.machine.fast[f"told_{self.number}"](T, *args) == self.value)
        except (Refused, Trouble, Ended, Carried):
            return False


# ---------------------------------------------------------------------------- options


def pieces_bound(site: SiteMeta, option: Any) -> list[int]:
    found = site.values_of(option)
    if found is None:
        return []
    branch, values = found
    things = [thing for thing, _, _ in site.branches[branch][1]]
    return [v for v, t in zip(values, things, strict=False) if element_of(t) in ("piece", "row") and isinstance(v, int)]


def binds_pieces(site: SiteMeta) -> bool:
    """Whether a piece may be part of one of its options."""
    return any(element_of(thing) in ("piece", "row") for _, domains, _ in site.branches for thing, _, _ in domains)


def only_pieces(meta: Meta, site: SiteMeta, option: Any) -> bool:
    """Whether the option is nothing but pieces, of the only branch that there is. Pieces that are never out of sight
    do not count: no world calls them otherwise, so one that somebody chose unseen is drawn as a number is."""
    found = site.values_of(option)
    if found is None or len(site.branches) != 1:
        return False
    pieces = pieces_bound(site, option)
    is_always_seen = bool(pieces) and all(meta.piece_kind[piece] in meta.open_kinds for piece in pieces)
    return len(pieces) == len(found[1]) and not is_always_seen


def placed_option(meta: Meta, S: Any, site: SiteMeta, option: Any, old: Sequence[int]) -> Any:
    """An option of a world with its pieces told by what they are and where they lie: of equal copies in one place only
    the first is offered, and any of them may be meant."""
    found = site.values_of(option)
    if found is None:
        return option
    branch, values = found
    return branch, tuple(
        _placed(meta, S, v, old) if element_of(thing) in ("piece", "row") and isinstance(v, int) and v >= 0 else v
        for v, (thing, _, _) in zip(values, site.branches[branch][1], strict=False)
    )


def _placed(meta: Meta, S: Any, piece: int, old: Sequence[int]) -> tuple[int, int, int]:
    here = old[piece]
    place = S.at[here]
    ordered = 0 <= place < meta.lists and not meta.unordered[place]
    return meta.piece_row[piece], place, S.p[place].index(here) if ordered else 0
