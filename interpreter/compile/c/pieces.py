"""Locals and pieces as C: what a local gets, and every instruction that moves, turns, shuffles, draws or rolls.

On trial, chance and pieces that whoever looks ahead does not see end the trial, which then counts as success.
"""

from __future__ import annotations

from .. import ir
from ..ir import Op, Routine, Segment
from .atoms import _c
from .calls import Calls
from .function import CannotEmit

ENDS = {"front": "RW_TO_FRONT", "back": "RW_TO_BACK", "sorted": "RW_SORTED", "bag": "RW_SORTED"}


class Pieces(Calls):
    routine: Routine
    segment: Segment
    slots: dict[str, tuple[int, int | None]]  # of the routine in the making: offset in the frame, room of a set
    frames: dict[str, tuple[dict[str, tuple[int, int | None]], int]]  # of each framed routine: its slots, its size
    entries: dict[str, tuple[int, int]]
    onward: dict[int, list[int]]  # by segment: where it may go on by itself
    remembers: bool  # what players know is kept too

    @property
    def on_trial(self) -> bool:
        return self.function.way == "t"

    def knows(self, told: str) -> None:
        """In libraries that remember, what players know follows what happens in the game itself (`rw_memory.h`)."""
        if self.remembers and not self.on_trial:
            self.line(f"rw_knows_{told};")

    @property
    def framed(self) -> bool:
        return self.function.shape == "segment"

    # ------------------------------------------------------------------ locals

    def assign(self, name: str, value: str) -> None:
        """A local gets a number; one that lives in the frame is written there too."""
        if self.framed and name in self.slots:
            self.line(f"F[{self.slots[name][0]}] = (int32_t)({name} = {value});")
        else:
            self.line(f"{name} = {value};")

    def assign_set(self, name: str, op: Op) -> None:
        if self.framed and name in self.slots:
            self._keep_set(name, self.as_set(op))
        elif self.is_static(op):
            self.line(f"{name} = {self.as_set(op)};")
        elif self.is_filled(op) and name not in ir.free_locals(op):
            n = self.fill(op, f"{name}_b")
            self.line(f"{name} = (Set){{{name}_b, {n}}};")
        else:
            held = self.held(op)
            self.line(f"{name} = (Set){{{name}_b, rw_copied({name}_b, {held})}};")

    def assign_room(self, name: str, room: str, n: str) -> None:
        """A set local gets what was written into a room."""
        if self.framed and name in self.slots:
            self._keep_set(name, f"(Set){{{room}, {n}}}")
        else:
            self.line(f"{name} = (Set){{{name}_b, rw_copied({name}_b, (Set){{{room}, {n}}})}};")

    def _keep_set(self, name: str, text: str) -> None:
        offset, room = self.slots[name]
        if room is None:
            raise CannotEmit(f"a set in a slot for a number: {name}")
        self.leave_if(f"rw_keep(C, F + {offset}, {text}, {room})", self.at_fault)
        self.line(f"{name} = (Set){{F + {offset + 1}, F[{offset}]}};")

    # ------------------------------------------------------------------ pieces

    def seen_or_carried(self, place: str) -> None:
        """On trial, a piece that leaves a place unseen by whoever looks ahead stops the trial."""
        if self.on_trial:
            self.leave_if(f"!rw_seen(S, {place}, RW_SEES, RW_EVERYBODY)", "RW_CARRIED")

    def chance(self) -> bool:
        """On trial, chance stops the trial; gives whether that is so."""
        if self.on_trial:
            self.leave("RW_CARRIED")
        return self.on_trial

    def _move(self, ins: ir.Move) -> None:
        piece = self.atom(ins.piece)
        if ins.missing is not None:
            self.leave_if(f"{piece} < 0", f"rw_refuse(C, {ins.missing})")
        place = self.atom(ins.target) if ins.target is not None else "-1"
        if ins.full is not None and ins.target is not None:
            self._require_room(ins, piece, place)
        behind = self.x(ins.behind) if ins.how == "behind" and ins.behind is not None else ""
        self.seen_or_carried(f"RW_AT(S, {piece})")
        match ins.how:
            case "box":
                put = f"rw_put_box(S, {piece})"
            case "behind":
                put = f"rw_put_behind(S, {piece}, {place}, {behind})"
            case "group":
                put = f"rw_put_group(S, {piece}, {place}, {ins.capacity})"
            case "bag":
                put = f"rw_put_sorted(S, {piece}, {place})"
            case _:
                put = f"rw_put_{ins.how}(S, {piece}, {place})"
        self.assign(ins.source, put)

    def _require_room(self, ins: ir.Move, piece: str, place: str) -> None:
        lists = self.layout.lists
        if ins.how == "slot":
            full = f"{self.slot_at(f'{place} - {lists}')} >= 0"
        elif ins.how == "group":
            full = f"rw_filled(S, {place} - {lists}, {ins.capacity}) >= {ins.capacity}"
        else:
            full = f"S->count[{place}] >= {ins.capacity} && RW_AT(S, {piece}) != {place}"
        self.leave_if(full, f"rw_refuse(C, {ins.full})")

    def _lay(self, ins: ir.Lay) -> None:
        piece = self.atom(ins.piece)
        self.assign(ins.local, f"S->down[{piece}]")
        self.line(f"S->down[{piece}] = {int(ins.face == 'down')};")

    def _flip(self, ins: ir.Flip) -> None:
        piece = self.atom(ins.piece)
        if ins.missing is not None:
            self.leave_if(f"{piece} < 0", f"rw_refuse(C, {ins.missing})")
        self.line(f"S->down[{piece}] = {int(ins.face == 'down')};")
        if ins.face != "down" and self.on_trial:
            self.leave("RW_CARRIED")
        elif ins.face != "down":
            self.knows(f"flip(C, S, {piece})")

    def _take(self, ins: ir.Take) -> None:
        pieces, count = self.held(ins.pieces), self.atom(ins.count)
        if ins.too_few is not None:
            self.leave_if(f"{pieces}.n < {count}", f"rw_refuse(C, {ins.too_few})")
        taken = self.fresh("n")
        self.line(f"int32_t {taken} = {count} < 0 ? 0 : {count} < {pieces}.n ? (int32_t){count} : {pieces}.n;")
        self.assign_room(ins.local, f"{pieces}.v", taken)

    def _draw(self, ins: ir.Draw) -> None:
        place, count = self.atom(ins.place), self.named(self.x(ins.count))
        with self.block(f"if (S->count[{place}] < {count})"):
            if ins.too_few is not None:
                self.leave(f"rw_refuse(C, {ins.too_few})")
            else:
                self.line(f"{count} = S->count[{place}];")
        if self.on_trial:
            self.leave_if(f"{count} >= 1", "RW_CARRIED")
        room = self._piece_room()
        n = self.named(f"rw_draw(S, {place}, {count}, {room})")
        self.knows(f"draw(C, S, {place}, (Set){{{room}, (int32_t){n}}})")
        self.assign_room(ins.local, room, f"(int32_t){n}")

    def _piece_room(self) -> str:
        room = self.fresh("b")
        self.room_for("elt", room, self.meta.pieces + 1)
        return room

    def _deal(self, ins: ir.Deal) -> None:
        source, target, count = self.atom(ins.source), self.atom(ins.target), self.atom(ins.count)
        if ins.too_few is not None:
            self.leave_if(f"S->count[{source}] < {count}", f"rw_refuse(C, {ins.too_few})")
        if self.on_trial:
            unseen = f"!rw_seen(S, {source}, RW_SEES, RW_EVERYBODY)"
            self.leave_if(f"{count} > 0 && S->count[{source}] > 0 && {unseen}", "RW_CARRIED")
        room = self._piece_room()
        dealt = f"rw_deal(S, {source}, {target}, {count}, {ENDS[ins.how]}, {room})"
        if ins.local in self.read_locals:
            self.assign_room(ins.local, room, f"(int32_t){self.named(dealt)}")
        else:
            self.line(f"{dealt};")

    def _shuffle(self, ins: ir.Shuffle) -> None:
        place = self.atom(ins.place)
        if not self.chance():
            ordered = f"if (!RW_UNORDERED[{place}]) " if self.remembers else ""
            self.line(f"{ordered}rw_shuffle(S, {place});")
            self.knows(f"shuffle(C, S, {place})")

    def _shuffle_into(self, ins: ir.ShuffleInto) -> None:
        place, into = self.x(ins.place), self.x(ins.into)
        if not self.chance():
            self.line(f"rw_{'knows_' * self.remembers}shuffle_into({'C, ' * self.remembers}S, {place}, {into});")

    def _swap_pieces(self, ins: ir.SwapPieces) -> None:
        first, second = self.atom(ins.first), self.atom(ins.second)
        self.leave_if(f"{first} < 0 || {second} < 0", f"rw_refuse(C, {ins.missing})")
        if ins.carried:
            for one, other in ((first, second), (second, first)):
                inside = f"rw_into_itself(S, {one}, RW_AT(S, {other}), RW_CARRIER)"
                self.fault_if(inside, 902, one, ins.span)
        self.line(f"rw_swap_pieces(S, {first}, {second}, RW_UNORDERED);")
        self.knows(f"swap(C, S, {first}, {second})")

    def _swap_places(self, ins: ir.SwapPlaces) -> None:
        first, second = self.atom(ins.first), self.atom(ins.second)
        if self.on_trial:
            for one in (first, second):
                with self.block(f"for (int i_ = 0; i_ < {ins.size}; i_++)"):
                    self.seen_or_carried(f"{one} + i_")
        if ins.rooms is not None:
            full = f"S->count[{first}] > {ins.rooms[1]} || S->count[{second}] > {ins.rooms[0]}"
            self.leave_if(full, f"rw_refuse(C, {ins.full})")
        self.line(f"rw_swap_places(S, {first}, {second}, {ins.size});")
        self.knows(f"places(C, S, {first}, {second}, {ins.size})")

    def _pass_on(self, ins: ir.PassOn) -> None:
        if self.on_trial:
            with self.block(f"for (int i_ = 0; i_ < {ins.size}; i_++)"):
                self.seen_or_carried(f"{ins.base} + i_")
        self.line(f"rw_pass_on(S, {ins.base}, {ins.stride}, {ins.size}, {int(ins.direction == 'left')});")
        self.knows(f"passed(C, S, {ins.base}, {ins.size})")

    def _not_into_itself(self, ins: ir.NotIntoItself) -> None:
        piece, place = self.atom(ins.piece), self.atom(ins.place)
        self.fault_if(f"rw_into_itself(S, {piece}, {place}, RW_CARRIER)", 902, piece, ins.span)

    # ------------------------------------------------------------------ knowledge, chance, words

    def _reveal(self, ins: ir.Reveal) -> None:
        if self.on_trial:
            self.leave("RW_CARRIED")
        elif self.remembers:
            pieces, to = self.held(ins.pieces), self.x(ins.to) if ins.to is not None else "-1"
            self.knows(f"reveal(C, S, {pieces}, {to})")

    def _reveal_field(self, ins: ir.RevealField) -> None:
        if self.on_trial:
            self.leave("RW_CARRIED")
        elif self.remembers:
            self.knows(f"shown(C, S, {self.x(ins.address)}, {self.x(ins.to) if ins.to is not None else '-1'})")

    def _reveal_dice(self, ins: ir.RevealDice) -> None:
        if self.on_trial:
            self.leave("RW_CARRIED")
        elif self.remembers:
            dice, to, index = self.held(ins.dice), self.x(ins.to) if ins.to is not None else "-1", self.fresh()
            with self.block(f"for (int32_t {index} = 0; {index} < {dice}.n; {index}++)"):
                self.knows(f"shown(C, S, {ins.first} + {dice}.v[{index}], {to})")

    def _public(self, op: ir.Public) -> str:
        """In libraries that remember, players are told what it comes to, where that is a number."""
        if not self.remembers or self.on_trial:
            return super()._public(op)
        value, args = self.named(self.x(op.of)), ", ".join(self.arguments(op.args)) or "0"
        if any(self.is_set(arg) for arg in op.args):  # such games are Python's: native/matches.py
            self.knows("no_more(C, RW_LOST_WORKED_OUT)")
        else:
            self.knows(f"told(C, S, {op.told}, (const num[]){{{args}}}, {value})")
        return value

    def _note_move(self, ins: ir.NoteMove) -> None:
        piece, source, target = self.x(ins.piece), self.x(ins.source), "-1"
        if ins.target is not None:
            target = self.x(ins.target)
        was_down = f"(int){self.x(ins.was_down)}" if ins.was_down is not None else "0"
        self.knows(f"move(C, S, {piece}, {source}, {target}, {int(ins.by_position)}, {was_down})")

    def _note_deal(self, ins: ir.NoteDeal) -> None:
        self.knows(f"deal(C, S, {self.held(ins.pieces)}, {self.x(ins.source)}, {self.x(ins.target)})")

    def _note_spot(self, ins: ir.NoteSpot) -> None:
        knower = self.x(ins.knower) if ins.knower is not None else "-1"
        self.knows(f"spot(C, S, {self.x(ins.place)}, {knower})")

    def _wrote(self, ins: ir.Wrote) -> None:
        """A number has got a value; or, with size 0, which pieces go next depends on something unseen."""
        if ins.size == 0:
            place = self.atom(ins.address)
            # Of a single piece that goes there is no order, so a world need not work out in which one it went.
            least = "" if ins.unseen else f" && S->count[{place}] > 1"
            with self.block(f"if ({place} >= 0 && {place} < RW_LISTS{least})"):
                self.knows(f"settled(C, S, {place})")
        elif self.remembers and not self.on_trial:
            self.knows(f"wrote(C, S, {self.x(ins.address)}, {int(ins.unseen)}, {ins.size}, {int(ins.chosen)})")

    def _roll(self, ins: ir.Roll) -> None:
        first = self.x(ins.first)
        if not self.chance():
            number = 1 if ins.count is None else ins.count
            low, high = _c(ins.low), _c(ins.high)
            self.line(f"rw_roll(S, {first}, {number}, {low}, {high});")
            self.knows(f"rolled(C, S, RW_DICE + {first}, {number}, {low}, {high})")

    def _pick_random(self, ins: ir.PickRandom) -> None:
        items = self.held(ins.source)
        picked = self.fresh()
        self.line(f"num {picked} = -1;")
        with self.block(f"if ({items}.n > 0)"):
            if not self.chance():
                self.line(f"{picked} = {items}.v[rw_below(S, {items}.n)];")
                told = f"pick(C, S, {items}, {picked})" if ins.unseen else ""
                if self.remembers:  # where a step of the rules is run again, it is what was picked then
                    self.line(f"{picked} = rw_knows_{told or f'lot(C, S, {items}, {picked}, {int(ins.varies)})'};")
        self.assign(ins.local, picked)

    def _together(self, ins: ir.Together) -> None:
        self.knows(f"together(C, S, {ins.change})")
        self.line(f"S->together += {ins.change};")
