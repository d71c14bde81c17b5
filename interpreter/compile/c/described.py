"""What the runtime goes by: constants of the game, and tables of segments, sites, routines, free actions and cells."""

from __future__ import annotations

from math import prod

from ..ir import Hit, Together
from ..meta import PASS, STEP
from ..tidy import segment_count
from .facts import Facts, is_given
from .kept import link_width, place_width

KINDS = ("choose", "set", "one", "may", "pause", "order", "pay")


class Described(Facts):
    def _constants(self) -> list[str]:
        meta, limits = self.meta, self.meta.limits
        results = [
            self.result_room(n) for n, r in self.unit.routines.items() if r.kind == "framed" and self.gives_set(n)
        ]
        holes = max((len(text.holes) for text in self.unit.texts), default=0)
        made = self.unit.payments.made
        kinds, paid = self.payment_room()
        first = sum(1 << seat for seat, takes_first in meta.automas.items() if takes_first)
        values = {
            "PLAYERS": meta.players, "PIECES": meta.pieces, "LISTS": meta.lists, "SLOTS": meta.slots,
            "FIELDS": len(meta.start), "DICE": meta.dice, "NODES": len(meta.nodes),
            "EDGES": len(self.unit.program.edges), "STACK": self.stack_cells(),
            "RESULT": max([1, *results]), "SEGMENTS": segment_count(self.unit.routines),
            "END": segment_count(self.unit.routines) - 1, "SITES": len(meta.sites),
            "ROUTINES": len(self.routine_numbers), "FREES": len(meta.free_actions), "GIVENS": self.given_cells,
            "WHYS": holes, "HITS": self._hits(), "REMEMBERS": int(self.remembers),
            "STEP": STEP, "COPIED": len(meta.start) + meta.pieces + STEP,
            "COPY_STEPS": 1 + (len(meta.start) + meta.pieces) // 4096,
            "STEP_LIMIT": STEP * limits["steps"], "FRAME_LIMIT": limits["frames"],
            "TRIAL_STEPS": limits["trial_steps"], "OPTION_LIMIT": limits["options"],
            "DECISION_LIMIT": limits["decisions"], "COSTS": max([len(p.costs) for p in made] or [1]), "KINDS": kinds,
            "PAID_PIECES": paid, "ENV": self.env_size, "FACES": int(self._uses_faces()),
            "AUTOMAS": sum(1 << seat for seat in meta.automas), "AUTOMA_FIRST": first,
            "EVERYBODY": (1 << meta.players) - 1, "SCORED": int(bool(meta.score_blocks)), "CELLS": len(meta.cells),
            "POINTS_WIN": meta.points_win, "RANK_KEYS": self.result_room("rank") if meta.has_rank else 0,
            "PAYOFF": max(1, *map(abs, meta.payoff)) if meta.payoff is not None else 0, "MOST_ARGS": self._most_args(),
            "TEAM": int(meta.is_team), "PROGRESS": int(meta.has_progress),
            "STOCK": int(meta.progress_is_stock),
            "DANGER": int(meta.progress_is_danger),
            "TRIES": int(bool(self.tried.segments or self.tried.asked)),
            "FARS": len(self.lands), "CELLS_NEST": int(meta.cells_nest), "DEALS": meta.deals,
            "HIDES": int(self.remembers or self._hides()),
            "PLAY_ROUTINE": self.routine_numbers.get("rule_play", -1),
            "SETUP_ROUTINE": self.routine_numbers.get("rule_setup", -1), **self.index_constants(),
        }  # fmt: skip
        return [*(f"#define RW_{k} {v}" for k, v in self._widths().items()),
                *(f"#define RW_{k} {_hex(v)}" for k, v in values.items()), *self._wide_addresses(), ""]  # fmt: skip

    def _hides(self) -> bool:
        """Whether somebody may not know something: then there are worlds to be drawn."""
        every = (ins for routine in self.unit.routines.values() for ins in routine.instructions())
        return self.meta.has_secrets or any(isinstance(ins, Together) for ins in every)

    def _widths(self) -> dict[str, str | int]:
        kept, link = self.kept, link_width(self.meta.pieces)
        place = place_width(self.meta.lists + self.meta.slots)
        return {
            "SMALL": kept.small.name, "SHIFT": kept.small.shift, "WIDE": kept.wide.name, "WIDES": kept.wides,
            "SLOTS_WIDE": int(bool(self.meta.slots) and kept.wide_of[0] >= 0),
            "LINK": link.name, "LINK_SHIFT": link.shift, "PLACE": place.name, "PLACE_SHIFT": place.shift,
        }  # fmt: skip

    def _wide_addresses(self) -> list[str]:
        if not self.kept.wides:
            return []
        kept, self.statics = self.statics, []
        self.array("RW_WIDE_OF", [*self.kept.wide_of, -1], "int32_t")
        made, self.statics = self.statics, kept
        return ["#include <stdint.h>", *made]

    def _most_args(self) -> int:
        """The cells of the arguments of a call of a cell, or of a free action."""
        in_cells = [self.image(call[0])[1] + 1 for cell in self.meta.cells for call in cell]
        return max([1, *in_cells, *(self.image(routine)[1] + 1 for _, routine, *_ in self.meta.free_actions)])

    def _hits(self) -> int:
        """How many places of the rules are counted."""
        every = (ins for routine in self._all_routines() for ins in routine.instructions())
        return max((ins.number + 1 for ins in every if isinstance(ins, Hit)), default=0)

    def _uses_faces(self) -> bool:
        return self.meta.uses_faces

    def _runtime_tables(self) -> list[str]:
        meta, kept = self.meta, self.statics
        self.statics = []
        rules = sorted(set(meta.segment_rule))
        of_routine = self.routine_numbers
        frames = {s.number: self.frames[r.name][1] for r in self.unit.routines.values() for s in r.segments}
        frames[0] = 4 + self.given_cells
        lines = [
            f"    {{{rules.index(meta.segment_rule[n])}, {of_routine.get(meta.segment_routine[n], -1)}, "
            f"{meta.segment_loop[n]}, {int(n in meta.phase_segments)}, {int(n in meta.phase_entries)}, "
            f"{int(n in meta.may_refuse)}, {int(n in meta.ask_segments)}, {frames.get(n, 1)}}},"
            for n in range(segment_count(self.unit.routines))
        ]
        self.statics += ["static const RwSegment RW_SEG[RW_SEGMENTS] = {", *lines, "};"]
        self._sites()
        routines = []
        for name in of_routine:
            entry, _ = self.entries.get(name, (-1, 0))
            size = self.frames[name][1] if name in self.frames else 0
            routines.append(f"    {{{entry}, {len(self.unit.routines[name].params)}, {size}}}, /* {name} */")
        self.statics += ["static const RwRoutine RW_ROUTINE[] = {", *routines, "    {-1, 0, 0}", "};"]
        always = {self.unit.routine_name(rule) for rule, name in self.unit.foreseen_entries.items() if not name}
        self.array("RW_ALWAYS", [int(name in always) for name in of_routine], "uint8_t")
        self._free_actions_table(rules)
        self._cells()
        self.array("RW_SEES", [int(s) for s in meta.sees], "uint32_t")
        self.array("RW_TOP_OPEN", [int(place in meta.top_open) for place in range(len(meta.sees))], "uint8_t")
        self.array("RW_UNORDERED", [int(u) for u in meta.unordered], "uint8_t")
        self.array("RW_ROW", [-1, *meta.piece_row[:-1]], "int16_t")
        for name, values in (("CARRIER", meta.carriers), ("HOLDER", meta.holders), ("NODE_OF", meta.place_nodes)):
            self.array(f"RW_{name}", values, "int16_t")
        self.array("RW_START", meta.start, "int32_t")
        self._carried()
        self._own_state()
        self._seen()
        made, self.statics = self.statics, kept
        return [*made, ""]

    def _sites(self) -> None:
        firsts: list[int] = []
        tried: list[int] = []
        lines = []
        for site in self.meta.sites:
            kind = KINDS.index(site.kind)
            picked = int(site.sampled and not site.fallback and site.kind in ("choose", "one", "may"))
            branches = len(site.branches)
            flags = [site.in_phase, site.values_only, site.may_pass, site.fallback, site.callers, site.steady]
            numbers = [kind, *map(int, flags), picked, site.always, branches, int(PASS in site.trial_branches)]
            lines.append(
                f"    {{{', '.join(map(str, [*numbers, len(firsts), len(tried), len(site.trial_branches)]))}}},"
            )
            firsts += site.firsts if site.firsts else [0] * max(1, branches)
            tried += [int(branch in site.trial_branches) for branch in range(branches)]
        self.array("RW_FIRSTS", firsts, "int32_t")
        self.array("RW_TRIED", tried, "uint8_t")
        empty = "    {0}"
        self.statics += ["static const RwSite RW_SITE[] = {", *(lines or [empty]), "};"]

    def _free_actions_table(self, rules: list[str]) -> None:
        params: list[int] = []
        lines = []
        free_rules = {name for name, *_ in self.meta.free_actions}
        for rule, routine, during, own, inside in self.meta.free_actions:
            number = rules.index(rule) if rule in rules else -2
            phase = rules.index(during) if during in rules else -2
            routine_number = self.routine_numbers[routine]
            placed, cells = self.image(routine)
            begins, _ = self.image(f"rule_{during}") if own else ([], 0)
            lines.append(
                f"    {{{number}, {routine_number}, {phase}, {int(inside)}, {int(0 in own)}, {len(own)}, "
                f"{len(params) // 3}, {cells}}},"
            )
            for (begin, room), mine in zip(begins, own, strict=True):
                params += (1 + begin, placed[mine][0], 1 + (room or 0))
        self.statics += ["static const RwFree RW_FREE_ACTION[] = {", *(lines or ["    {0}"]), "};"]
        self.array("RW_FREE_PARAMS", params, "int32_t")
        self.array("RW_FREE_RULE", [int(rule in free_rules) for rule in rules], "uint8_t")

    def _cells(self) -> None:
        cells: list[str] = []
        calls: list[str] = []
        args: list[str] = []
        written: list[int] = []
        for cell in self.meta.cells:
            cells.append(f"    {{{len(calls)}, {len(cell)}}},")
            for routine, takes_player, given in cell:
                number = self.routine_numbers[routine]
                calls.append(f"    {{{number}, {int(takes_player)}, {len(given)}, {len(args)}}},")
                placed, _ = self.image(routine)
                for (_, room), arg in zip(placed[int(takes_player) :], given, strict=True):
                    own = -1 if room is None else room
                    if is_given(arg):
                        args.append(f"    {{RW_ARG_GIVEN, {self.given_names[arg[0]][0]}, {own}}},")  # type: ignore[index]
                    elif room is None:
                        args.append(f"    {{RW_ARG_VALUE, {int(arg)}, -1}},")  # type: ignore[call-overload]
                    else:
                        args.append(f"    {{RW_ARG_SET, {len(written)}, {own}}},")
                        written += [len(arg), *arg]  # type: ignore[arg-type, misc]
        self.array("RW_WRITTEN", written)
        for name, kind, lines in (("CELL_OF", "RwCell", cells), ("CALLS", "RwCall", calls), ("ARGS", "RwArg", args)):
            self.statics += [f"static const {kind} RW_{name}[] = {{", *(lines or ["    {0}"]), "};"]

    def _seen(self) -> None:
        """Who sees what, by declaration, for observations: numbers of the array, pieces in the box, sizes of lists."""
        meta, everybody = self.meta, (1 << self.meta.players) - 1
        seen = [*(int(meta.sees[meta.lists + slot]) for slot in range(meta.slots))]
        seen += [everybody] * (len(meta.start) - meta.slots)
        for field in meta.fields:
            size = prod(size for _, _, size in field.dimensions)
            each = size // field.dimensions[0][2] if field.owner != "table" else size
            for number in range(size if field.visibility != "open" else 0):
                owner = number // each
                mask = 0
                if field.visibility != "hidden" and field.owner == "player":
                    mask = 1 << field.dimensions[0][1] + owner
                    if field.visibility == "open_to_others":
                        mask ^= everybody
                elif field.visibility != "hidden" and field.seen_by:
                    mask = field.seen_by[owner]
                seen[field.base + number] = mask
        self.array("RW_FIELD_SEEN", seen, "uint32_t")
        may_hide = {kind for place in meta.places if place.visibility != "open" for kind in place.kinds}
        self.array("RW_BOX_SEEN", [int(kind not in may_hide) for kind in meta.piece_kind], "uint8_t")
        self.array("RW_ALWAYS_SEEN", [int(kind in meta.open_kinds) for kind in meta.piece_kind], "uint8_t")
        uncounted = {n for p in meta.places if p.uncounted for n in range(p.base, p.base + p.size)}
        self.array("RW_COUNTED", [int(place not in uncounted) for place in range(meta.lists)], "uint8_t")

    def _carried(self) -> None:
        """In libraries that remember: the places that belong to pieces, which go with them in a world."""
        blocks = []
        for place in self.meta.places:
            if self.remembers and place.owner == "piece":
                _, low, count = place.dimensions[0]
                blocks.append((place.base, low, count, prod(size for _, _, size in place.dimensions[1:])))
        if blocks:
            rows = ", ".join(f"{{{', '.join(map(str, block))}}}" for block in blocks)
            self.statics.append(f"#define RW_LOADS {len(blocks)}")
            self.statics.append(f"static const int32_t RW_LOAD[RW_LOADS][4] = {{{rows}}};")

    def _own_state(self) -> None:
        """For each piece with state of its own: the offsets of its fields, and its lists. `RW_HAS_OWN` is 2 for those
        of which not everybody sees all fields."""
        fields: list[list[int]] = [[] for _ in range(self.meta.pieces)]
        lists: list[list[int]] = [[] for _ in range(self.meta.pieces)]
        own = [0] * self.meta.pieces
        for field in self.meta.fields:
            if field.owner == "piece":
                _, low, count = field.dimensions[0]
                each = 1
                for _, _, size in field.dimensions[1:]:
                    each *= size
                for number in range(count):
                    fields[low + number] += range(field.base + number * each, field.base + (number + 1) * each)
                    own[low + number] = max(own[low + number], 1 if field.visibility == "open" else 2)
        for number, carrier in enumerate(self.meta.carriers):
            if carrier >= 0:
                own[carrier] = max(own[carrier], 1)
                is_list = number < self.meta.lists
                (lists if is_list else fields)[carrier].append(number if is_list else number - self.meta.lists)
        self.set_array("RW_OWN_FIELDS", [tuple(one) for one in fields])
        self.set_array("RW_OWN_LISTS", [tuple(one) for one in lists])
        self.array("RW_HAS_OWN", own, "uint8_t")
        is_open = [0] * (self.meta.lists + self.meta.slots)
        for place in self.meta.places:
            if place.visibility == "open":
                is_open[place.base : place.base + place.size] = [1] * place.size
        self.array("RW_OPEN", is_open, "uint8_t")


def _hex(value: int) -> str:
    return f"({value})" if value < 0 else str(value)
