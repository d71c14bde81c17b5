"""Functions that call others by number: segments, plain routines, what foresees, formulas, scores.

A state has no pointer in it, so that it can be copied as a block and checked when it comes from a file. What a frame
goes on with, what a cell performs and what a free action calls are therefore numbers, and here they become calls: the
table `RW_CODE` for segments, which all take the same arguments, and a `switch` for each sort of routine that has
arguments of its own. A number that nothing may call by (a segment that no trial comes to) leads to `rw_unused`.
"""

from __future__ import annotations

from .. import ir
from ..progress import PROGRESS
from ..tidy import segment_count
from .described import Described
from .function import Function


class Dispatch(Described):
    def _dispatch(self) -> list[str]:
        lines = []
        for way, name in (("q", "PLAYOUT"), ("t", "TRIAL")) if self.meta.cells else ():
            lines.append(
                f"static int {way}_s0(Ctx *C, State *S, int32_t *F) {{ return rw_perform_next(C, S, RW_{name}, F); }}"
            )
        lines += [
            "static int rw_unused(Ctx *C, State *S, int32_t *F) { (void)S; (void)F; return rw_never(C); }",
            "static int rw_end(Ctx *C, State *S, int32_t *F) { (void)C; (void)F; S->over = 1; return RW_STOP; }",
            "static int (*const RW_CODE[2][RW_SEGMENTS])(Ctx *, State *, int32_t *) = {",
        ]
        numbers = {segment.number for routine in self.unit.routines.values() for segment in routine.segments}
        if self.meta.cells:
            numbers.add(0)
        count = segment_count(self.unit.routines)
        for way, run in (("q", numbers), ("t", numbers & self.tried.segments)):
            names = [f"{way}_s{n}" if n in run else "rw_unused" for n in range(count - 1)]
            lines.append(f"    {{{', '.join([*names, 'rw_end'])}}},")
        lines += [
            "};",
            "static inline int rw_segment(Ctx *C, State *S, int way, int32_t *F) {",
            "    return RW_CODE[way][F[0]](C, S, F);",
            "}",
            *self._plain_dispatch(),
            *self._foreseen_dispatch(),
            *self._formula_dispatch(),
            *self._score_dispatch(),
            *(self._sheet_dispatch() if self._hits() else ()),
        ]
        return lines

    def _numbered_args(self, routine: str, count: int) -> str:
        """The first arguments of a routine, as they lie one behind the other."""
        placed, _ = self.image(routine)
        return "".join(
            f", a[{offset}]" if room is None else f", (Set){{a + {offset + 1}, a[{offset}]}}"
            for offset, room in placed[:count]
        )

    def _plain_dispatch(self) -> list[str]:
        lines = [
            "static int rw_plain(Ctx *C, State *S, int way, int routine, const elt *a) {",
            "    (void)a; (void)S; (void)way;",
            "    switch (routine) {",
        ]
        tried = self.tried.routines()
        by_number = tried | self.tried.of_cells
        for name, number in self.routine_numbers.items():
            routine = self.unit.routines[name]
            if routine.kind != "plain" or name not in by_number:
                continue
            args = self._numbered_args(name, len(routine.params))
            out = ""
            if self.has_result(name) is not None:
                room = self.result_room(name) + 1 if self.gives_set(name) else 1
                lines.append(f"    case {number}: {{ {'elt' if self.gives_set(name) else 'num'} r[{room}];")
                out = ", r"
            else:
                lines.append(f"    case {number}: {{")
            tries = f"way == RW_TRIAL ? t_{name}(C, S{args}{out}) : " if name in tried else ""
            lines.append(f"        return {tries}q_{name}(C, S{args}{out}); }}")
        return [*lines, "    }", "    return rw_fault(C, 904, routine, -1);", "}"]

    def _foreseen_dispatch(self) -> list[str]:
        lines = [
            "static int rw_foreseen(Ctx *C, State *S, int routine, const elt *a) {",
            "    (void)C; (void)S; (void)a;",
            "    switch (routine) {",
        ]
        performing = []
        self.function = Function("rw_foreseen", "pure", "t")
        for rule, name in self.unit.foreseen_entries.items():
            number = self.routine_numbers[self.unit.routine_name(rule)]
            made = self.unit.foreseen.get(rule)
            if made is not None and made.performs:
                performing.append(number)
            if not name:
                lines.append(f"    case {number}: return RW_YES;")
                continue
            args = self._numbered_args(self.unit.routine_name(rule), len(self.unit.routines[name].params))
            lines.append(f"    case {number}: return (int){self.c_name(name)}(C, S{args});")
        lines += ["    }", "    return RW_UNFORESEEN;", "}", "static int rw_performing(int routine) {"]
        tests = " || ".join(f"routine == {number}" for number in performing)
        return [*lines, f"    return {tests or '0'};", "    (void)routine;", "}"]

    def _formula_dispatch(self) -> list[str]:
        """A formula is a value: the first call of its cell, with what is written there."""
        lines = [
            "static num rw_formula(Ctx *C, State *S, num cell, num who) {",
            "    if (cell < 0) return 0;",
            "    const RwCall *call = RW_CALLS + RW_CELL_OF[cell].first;",
            "    elt a[RW_MOST_ARGS + 1];",
            "    if (rw_call_args(C, call, who, NULL, a) < 0) return 0;",
            "    (void)C; (void)S; (void)a;",
            "    switch (call->routine) {",
        ]
        used = sorted(
            {cell[0][0] for cell in self.meta.cells if cell and self.unit.routines[cell[0][0]].kind == "pure"}
        )
        self.function = Function("rw_formula", "pure", "q")
        for name in used:
            routine = self.unit.routines[name]
            if not self.gives_set(name):
                args = self._numbered_args(name, len(routine.params))
                lines.append(f"    case {self.routine_numbers[name]}: return {self.c_name(name)}(C, S{args});")
        return [*lines, "    }", "    return 0;", "}"]

    def _number_dispatch(self) -> list[str]:
        """What a player gets, and how near a player is to winning, where the rules say so."""
        asked = [("payoff", self.meta.payoff is not None), (PROGRESS, self.meta.has_progress)]
        lines = []
        for name, is_there in asked:
            if is_there:
                made = f"    return {self.c_name(name)}(C, S, player);"
                lines += [f"static num rw_{name}(Ctx *C, State *S, int player) {{", made, "}"]
        return lines

    def _score_dispatch(self) -> list[str]:
        lines = [
            "static num rw_points(Ctx *C, State *S, int player) {",
            "    num total = 0; Set lines; (void)lines; (void)C; (void)S; (void)player;",
        ]
        if self._hits():
            lines.append("    if (C->known_points != NULL) return C->known_points[player];")
        lines += [f"    if (S->why == {number}) return 0;" for number in sorted(self.meta.unscored)]
        self.function = Function("rw_points", "pure", "q")
        for block in range(self.meta.score_blocks):
            name = f"score_{block}"
            lines += [
                "    {",
                f"        elt room[{self.result_room(name)}];",
                f"        lines = {self.c_name(name)}(C, S, player, room);",
                "        for (int32_t i = 0; i < lines.n; i++) total += lines.v[i];",
                "    }",
            ]
        lines += ["    return total;", "}", *self._number_dispatch()]
        lines += ["static int rw_rank(Ctx *C, State *S, int player, num *keys) {"]
        if not self.meta.has_rank:
            return [*lines, "    (void)C; (void)S; (void)player; (void)keys;", "    return 0;", "}"]
        room = self.result_room("rank")
        return [
            *lines,
            f"    elt room[{room}];",
            f"    Set made = {self.c_name('rank')}(C, S, player, room);",
            "    for (int32_t i = 0; i < made.n; i++) keys[i] = made.v[i];",
            "    return made.n;",
            "}",
        ]

    def _sheet_dispatch(self) -> list[str]:
        """The score sheet line by line, for studies (`rw_study.h`)."""
        blocks = range(self.meta.score_blocks)
        sizes, rooms = [len(lines) for lines in self.score_texts()], [self.result_room(f"score_{n}") for n in blocks]
        unscored = " || ".join(f"S->why == {number}" for number in sorted(self.meta.unscored))
        lines = [
            f"#define RW_BLOCKS {len(blocks)}",
            f"#define RW_LINES {sum(sizes)}",
            f"#define RW_LINE_ROOM {max([1, *rooms])}",
            f"static const int32_t RW_LINES_OF[] = {{{', '.join(map(str, [*sizes, 0]))}}};",
            "static int rw_is_unscored(const State *S) {",
            f"    (void)S; return {unscored or '0'};",
            "}",
            "static Set rw_block(Ctx *C, State *S, int player, int block, elt *room) {",
            "    (void)C; (void)S; (void)player; (void)room;",
            "    switch (block) {",
        ]
        self.function = Function("rw_block", "pure", "q")
        lines += [f"    case {n}: return {self.c_name(f'score_{n}')}(C, S, player, room);" for n in blocks]
        return [*lines, "    }", "    return (Set){0, 0};", "}"]

    def score_texts(self) -> list[list[int]]:
        """For each block of the score sheet the texts of its lines, -1 for a text with holes."""
        found = []
        for number in range(self.meta.score_blocks):
            ops = self.unit.routines[f"score_{number}"].operations()
            texts = [op.text for op in ops if isinstance(op, ir.ScoreLine)]
            found.append([-1 if self.unit.texts[text].holes else text for text in texts])
        return found
