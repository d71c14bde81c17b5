"""Decisions as C: the options of a question, and what becomes of those that cannot be carried through.

All options are written into one list of the context, `C->opts`, which is used as a stack: a trial that comes to a
further question puts the options of that one on top. So each question notes in `o` how long the list was when it began,
its own options are those from `o` to `C->optop`, and whoever leaves a question without asking sets the length back to
`o` (`Writing.leave`). A second list, `C->us`, has in the same way, from `u` on, those options that must be tried.

A question is run far more often than anything else, and most of it is loops that add options. So while nothing else
looks at the list, its length is kept in a variable (`_counting_listed`), and room for what the loops can add at most is
tested once, behind them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext

from .. import ir
from ..ir import Op, free_locals
from .function import ON_STACK, Function
from .memos import LOOKING, OPTIONS_READ
from .rows import Rows

LISTING = (ir.For, ir.If, ir.IfAnswer, ir.Let, ir.Option, ir.Spend, ir.Succeed)
OFFERING = (ir.Option, ir.PassOption)
# Beside them, what does nothing to options but add some.
ADDING = (*LISTING, ir.Once, ir.PassOption, ir.BeginOptions, ir.OfferAll)
AHEAD = 4096  # RW_AHEAD: options that a loop may write before it asks whether there was room for them
SMALL_TESTS = (ir.Compare, ir.IsNone, ir.Lookup, ir.ReadField, ir.Contains, ir.InRanges, ir.IsEmpty)
ANSWERS = {"pass": "RW_PASS", "skip": "RW_SKIP", "only": "C->opts[o]"}


class Decisions(Rows):
    tests: list[str]  # functions that stand before the segment in the making
    env_size: int
    _tests_made: int

    def write_question(self, body: ir.Block) -> None:
        """What lists options from the beginning on keeps their number in one variable."""
        listing = 0
        while listing < len(body) and self._lists([body[listing]]):
            listing += 1
        most = self._most_listed(body[:listing])
        if sum(_offers([ins]) for ins in body[:listing]) < 2 or most > AHEAD:
            self.write(body)
            return
        with self._counting_listed(most, "o"):
            self.write(body[:listing])
        self.write(body[listing:])

    # `Function.cursor` is the name of that variable while there is one; without it, an option goes through `rw_offer`.

    def _begin_options(self, ins: ir.BeginOptions) -> None:
        if not self.function.cursor:
            self.line("C->optop = o;")

    def _offer_all(self, ins: ir.OfferAll) -> None:
        if self.function.cursor:
            with self.loop(ins.source, "e_"):
                self._offer("e_")
            return
        self.line("C->optop = o;")
        size = self.bound_of(ins.source).size
        with self._counting_listed(AHEAD + 1 if size is None else size) if self._leaves_options(ins) else nullcontext():
            with self.loop(ins.source, "e_"):
                self._offer("e_")

    def _offer(self, text: str) -> None:
        cursor = self.function.cursor
        if not cursor:
            self.line(f"if (rw_offer(C, {text})) return RW_FAULT;")
            return
        if not self.function.roomy:
            self.line(f"if ({cursor} >= {cursor}_cap) return rw_fault(C, 905, {cursor}, -1);")
        self.line(f"{cursor}_at[{cursor}++] = (int32_t)({text});")

    def _for(self, ins: ir.For) -> None:
        """Where a loop does nothing but list options, their number is kept in a variable until it ends: a store through
        the context would make every other look into it be read again."""
        outer, self.function.in_loop = self.function.in_loop, True
        with self.guarded(ins), self.remembering(ins):
            self._listing_for(ins)
        self.function.in_loop = outer

    def _listing_for(self, ins: ir.For) -> None:
        known = self.function.cursor or self.function.drawing
        if known or not self.function.asking or not self._only_lists(ins):
            super()._for(ins)
            return
        with self._counting_listed(self._most_listed([ins])):
            super()._for(ins)

    @contextmanager
    def _counting_listed(self, most: int, begin: str = "C->optop") -> Iterator[None]:
        """Inside it, at most so many options are listed and nothing else looks at the list."""
        cursor = self.function.cursor = self.fresh("top")
        self.function.roomy = most <= AHEAD
        self.line(f"int32_t {cursor} = {begin}, *const {cursor}_at = C->opts; const int32_t {cursor}_cap = C->optcap;")
        yield
        if self.function.roomy:
            self.line(f"if ({cursor} > {cursor}_cap) return rw_fault(C, 905, {cursor}_cap, -1);")
        self.line(f"C->optop = {cursor};")
        self.function.cursor = ""

    def _most_listed(self, body: ir.Block) -> int:
        """How many options the loops of a block can list at most."""
        found = 0
        for ins in body:
            inside = sum(self._most_listed(block) for block in ir.blocks_of(ins))
            size: int | None = self.bound_of(ins.source).size if isinstance(ins, ir.For) else 1
            found += isinstance(ins, OFFERING) + inside * (AHEAD + 1 if size is None else size)
            if isinstance(ins, ir.OfferAll):
                size = self.bound_of(ins.source).size
                found += AHEAD + 1 if size is None else size
        return found

    def _if(self, ins: ir.If) -> None:
        """In a loop, an option under a small test is written whatever the test says, and counted if it holds: there is
        no branch that a processor could guess wrong. The list has room for more than it may hold."""
        cursor = self.function.cursor if self.function.in_loop else ""
        match ins:
            case ir.If(then=[ir.Option() as option], otherwise=[]) if cursor and _is_small(ins.condition):
                test = self.test(ins.condition)
                self.line(
                    f"{cursor}_at[{cursor}] = (int32_t)({self.option(option.site, option.branch, option.names)});"
                )
                self.line(f"{cursor} += !!{test};")
                if not self.function.roomy:
                    self.line(f"if ({cursor} > {cursor}_cap) return rw_fault(C, 905, {cursor}_cap, -1);")
            case _:
                super()._if(ins)

    def _only_lists(self, ins: ir.For) -> bool:
        """Nothing in it looks ahead or counts options, which would need their number."""
        return self._lists(ins.body) and self._leaves_options(ins) and _offers(ins.body)

    def _lists(self, body: ir.Block) -> bool:
        inside = [*ir.instructions(body)]
        return all(isinstance(inner, ADDING) and self._leaves_options(inner) for inner in inside)

    def _leaves_options(self, ins: ir.Ins) -> bool:
        """What it asks neither looks at the options so far, nor leaves the question with a fault."""
        return not any(
            isinstance(op, OPTIONS_READ) or (isinstance(op, ir.CallValue) and op.routine in self.faulty)
            for op in ir.operations(ins)
        )

    def _option(self, ins: ir.Option) -> None:
        self._offer(self.option(ins.site, ins.branch, ins.names))

    def _pass_option(self, ins: ir.PassOption) -> None:
        self._offer("RW_PASS")

    def _try_listed(self, ins: ir.TryListed) -> None:
        self.leave_if(f"rw_try_listed(C, S, {self.x(ins.player)}, o)", "RW_CARRIED")

    def _begin_unsure(self, ins: ir.BeginUnsure) -> None:
        self.line("u = C->ustop;")

    def _unsure_option(self, ins: ir.UnsureOption) -> None:
        text = self.option(ins.site, ins.branch, ins.names)
        self._offer(text)
        self.line(f"if (rw_offer_unsure(C, {text})) return RW_FAULT;")

    def _if_answer(self, ins: ir.IfAnswer) -> None:
        answer = self.named(self.x(ins.answer))
        with self.block(f"if ({answer} == RW_YES)"):
            self.write(ins.yes)
        with self.block(f"else if ({answer} == RW_UNSURE)"):
            self.write(ins.unsure)

    def _once(self, ins: ir.Once) -> None:
        """A piece that is also bound beside (a twin) is never left out, and stands for no other."""
        local, memory = ins.local, ins.memory
        other = "".join(f"{local} != {twin} && " for twin in ins.twins)
        if ins.how == "row":
            self.line(f"if ({other}RW_ROW[{local} + 1] == {memory}) continue;")
            unless_twin = f"if ({other.removesuffix(' && ')}) " if ins.twins else ""
            self.line(f"{unless_twin}{memory} = RW_ROW[{local} + 1];")
        else:
            self.line(f"if ({other}rw_seen_equal(S, {local}, {memory}_b, &{memory}.n)) continue;")

    def _try_unsure(self, ins: ir.TryUnsure) -> None:
        needed = "1" if ins.callers else "C->ustop > u"
        with self.block(f"if ({needed})"):
            listed = ("C->us + u", "C->ustop - u") if ins.listed else ("0", "0")
            self.line(f"rw_tried_options(C, S, {ins.site}, {self.x(ins.player)}, o, {listed[0]}, {listed[1]});")
            self.line("C->ustop = u;")
        self.hand_on_fault()

    def _forget_options(self, ins: ir.ForgetOptions) -> None:
        self.line("C->optop = o;")

    def _answer(self, ins: ir.Answer) -> None:
        self.line(f"S->pick = {ANSWERS[ins.how]};")

    def _note_unasked(self, ins: ir.NoteUnasked) -> None:
        picked = self.held(ins.picked) if ins.picked is not None else "(Set){0, 0}"
        self.knows(f"unasked(C, S, {ins.site}, {self.x(ins.player)}, {picked}, {ANSWERS[ins.how]})")

    def _ask(self, ins: ir.Ask) -> None:
        if ins.picked is not None and self.remembers:
            self.knows(f"picked(C, {self.held(ins.picked)})")
        self.line(f"S->site = {ins.site};")
        self.line(f"S->who = (int32_t){self.x(ins.player)};")
        self.line("S->opts = o; S->nopts = C->optop - o;")
        self.leave("RW_STOP")

    def _free_actions(self, ins: ir.FreeActions) -> None:
        """If there is a single free action, the answer that was foreseen for it is passed on."""
        who = self.atom(ins.player)
        if len(ins.asked_first) == 1:
            name = self.named(self.value_of(ins.asked_first[0], [who]))
            with self.block(f"if ({name} != RW_NO)"):
                self.line(f"const uint8_t known_ = (uint8_t){name};")
                self.line(f"rw_free_actions(C, S, {ins.site}, {who}, &known_);")
        elif ins.asked_first:
            wanted = self.fresh()
            self.line(f"num {wanted} = 0;")
            for routine in ins.asked_first:
                with self.block(f"if (!{wanted})"):
                    self.line(f"{wanted} = {self.value_of(routine, [who])} != RW_NO;")
            with self.block(f"if ({wanted})"):
                self.line(f"rw_free_actions(C, S, {ins.site}, {who}, 0);")
        else:
            self.line(f"rw_free_actions(C, S, {ins.site}, {who}, 0);")
        self.hand_on_fault()

    # ------------------------------------------------------------------ sets and payments

    def _set_options(self, ins: ir.SetOptions) -> None:
        candidates, picked = self.held(ins.candidates), self.held(ins.picked)
        low = self.x(ins.low) if ins.low is not None else "0"
        high = "-1"  # no bound; one that comes out negative allows as little as 0
        if ins.high is not None:
            high = self.atom(ins.high)
            high = high if high.isdigit() else f"({high} > 0 ? {high} : 0)"
        such, env = "0", "0"
        if ins.such_that is not None:
            such, env = self._such_that(ins, ins.such_that)
        lowest = self.unit.sites[ins.site].branches[0].digits[0][0]
        done = self.fresh("done")
        how = int(bool(ins.how))
        call = f"C, S, {candidates}, {picked}, {low}, {high}, {such}, {env}, {how}, {lowest}, {ins.units}"
        self.line(f"int {done} = rw_set_options({call});")
        self.leave_if(f"{done} < 0", f"-{done}")
        self.hand_on_fault()
        self.line(f"complete = {done} == 1;")

    def _such_that(self, ins: ir.SetOptions, condition: Op) -> tuple[str, str]:
        name, env, outer = self._open_test((condition,), frozenset((ins.chosen,)), "pure")
        self.function.sets.add(ins.chosen)
        self.line(f"return {self.test(condition)};")
        self._close_test(f"static int {name}(Ctx *C, State *S, const void *env_, Set {ins.chosen})", outer)
        return name, env

    def _pay_options(self, ins: ir.PayOptions) -> None:
        payment, picks, done = self.payment(ins), self.as_set(ins.picks), self.fresh("done")
        self.line(f"int {done} = rw_pay_options(C, &{payment}, {picks}, {ins.refusal});")
        self.count_work(f"{payment}.looked", ins.span)
        self.leave_if(f"{done} < 0", f"-{done}")
        self.line(f"complete = {done} == 1;")

    def _settle(self, ins: ir.Settle) -> None:
        payment, picks, signal = self.payment(ins), self.as_set(ins.picks), self.fresh("signal")
        to = self.x(ins.to) if ins.to is not None else "-1"
        call = f"C, S, &{payment}, {picks}, {self.x(ins.player)}, {to}, {self.place(ins.span)}"
        self.line(f"int {signal} = rw_settle({call});")
        self.leave_if(signal, signal)

    # ------------------------------------------------------------------ tests of options

    def _filter(self, ins: ir.Filter) -> None:
        """The runtime goes over the options and leaves out those that cannot be carried through. It gets the test as a
        function, and not the answers: a playout asks it only of the options that it draws."""
        player = self.atom(ins.player)
        test, env, size = "0", "0", "0"
        if ins.tests:
            test, env = self._option_test(ins)
            size = f"sizeof *{env}" if env != "0" else "0"
            env = env or "0"
        self.line(f"rw_carried_options(C, S, {ins.site}, {player}, o, {test}, {env}, {size});")
        self.hand_on_fault()

    def _option_test(self, ins: ir.Filter) -> tuple[str, str]:
        """A function of an option: yes, no, or unsure where only a trial can tell."""
        site = self.unit.sites[ins.site]
        wanted = tuple(op for test in ins.tests for op in (*test.args, *((test.so_far,) if test.so_far else ())))
        name, env, outer = self._open_test(wanted, frozenset(), "test")
        self.line("(void)x_;")
        if site.values_only:
            [test] = ins.tests
            if test.so_far is not None:
                self._set_test(ins.site, test, test.so_far)
            else:
                self.line(f"return {self._tested(test)};")
        else:
            if site.may_pass:
                passes = any(test.branch < 0 for test in ins.tests)
                self.line(f"if (x_ < 0) return {'RW_YES' if passes else 'RW_UNSURE'};")
            for test in ins.tests:
                if test.branch >= 0:
                    with self.block(f"if {self.in_branch('x_', ins.site, test.branch)}"):
                        self.line(f"return {self._tested(test)};")
            self._answer_untested(ins)
        self._close_test(f"static int {name}(Ctx *C, State *S, const void *env_, int32_t x_)", outer)
        return name, env

    def _answer_untested(self, ins: ir.Filter) -> None:
        """Options of the other branches: yes if they are never tried, so that the runtime need not find that out."""
        site = self.unit.sites[ins.site]
        untested = set(range(len(site.branches))) - {test.branch for test in ins.tests}
        tried = untested & set(site.trial_branches)
        for branch in sorted(untested - tried) if tried else ():
            self.line(f"if {self.in_branch('x_', ins.site, branch)} return RW_YES;")
        self.line(f"return {'RW_UNSURE' if tried else 'RW_YES'};")

    def _tested(self, test: ir.OptionTest) -> str:
        return f"(int){self.value_of(test.routine, self.arguments(test.args))}" if test.routine else "RW_YES"

    def _set_test(self, site: int, test: ir.OptionTest, so_far: Op) -> None:
        """Tests the set with and without this pick. A larger set may pass where this one does not, unless its price
        grows with every pick."""
        picked = self.held(so_far)
        with self.block("if (x_ < 0)"):
            self.function.chosen = picked
            self.line(f"return {self._tested(test)};")
        room = self.fresh("b")
        self.room_for("elt", room, self.room(so_far) + 1)
        self.line(f"int32_t more_ = rw_copied({room}, {picked});")
        self.line(f"{room}[more_++] = (elt){self.value_in('x_', site, 0, 0)};")
        self.line(f"const Set longer_ = {{{room}, more_}};")
        self.function.chosen = "longer_"
        answer = self.named(self._tested(test))
        self.line(f"return (int){answer};" if test.grows else f"return {answer} == RW_YES ? RW_YES : RW_UNSURE;")

    def _open_test(self, wanted: tuple[Op, ...], bound: frozenset[str], shape: str) -> tuple[str, str, Function]:
        """Begins a function beside this one. What it reads of the locals here is handed to it in a struct, since a
        playout may ask it when this function has long returned."""
        outer = self.function
        self._tests_made += 1
        name = f"{outer.way}_test_{self._tests_made}"
        locals_ = list(dict.fromkeys(local for local in free_locals(wanted, bound)))
        env = "0"
        self.function = Function(name, shape, outer.way, sets=set(outer.sets), unsure=set(outer.unsure))  # type: ignore[arg-type]
        if locals_:
            env = f"&e_{name}"
            members, loads, keeps = [], [], []
            size = 0
            for local in locals_:
                if local in outer.sets:
                    room = self.room(ir.Local(local, type=ir.INDEX))
                    members.append(f"int32_t n_{local}; elt v_{local}[{room}];")
                    loads.append(f"const Set {local} = {{e_->v_{local}, e_->n_{local}}};")
                    keeps.append(f"e_{name}.n_{local} = rw_copied(e_{name}.v_{local}, {local});")
                    size += 4 * room + 16
                else:
                    members.append(f"num {local};")
                    loads.append(f"const num {local} = e_->{local};")
                    keeps.append(f"e_{name}.{local} = {local};")
                    size += 8
            self.env_size = max(self.env_size, size + 16)
            self.tests.append(f"struct env_{name} {{ {' '.join(members)} }};")
            self.line(f"const struct env_{name} *e_ = env_;")
            for load in loads:
                self.line(load)
            if size <= ON_STACK // 4:
                outer.lines.append("    " * outer.depth + f"struct env_{name} e_{name};")
            else:
                outer.lent.append((f"struct env_{name}", f"e_{name}_", f"sizeof(struct env_{name})"))
                env, keeps = f"e_{name}_", [keep.replace(f"e_{name}.", f"e_{name}_->") for keep in keeps]
            outer.lines += ["    " * outer.depth + keep for keep in keeps]
        else:
            self.line("(void)env_;")
        self.line("(void)C; (void)S;")
        return name, env, outer

    def _close_test(self, head: str, outer: Function) -> None:
        self.tests += self.whole_function(head)
        self.function = outer


def _offers(body: ir.Block) -> bool:
    return any(isinstance(ins, OFFERING) for ins in ir.instructions(body))


def _is_small(test: Op) -> bool:
    """One comparison, or looking up one flag: what takes several steps had better stop at the first that fails."""
    if isinstance(test, ir.Not):
        return _is_small(test.of)
    return isinstance(test, SMALL_TESTS) and not any(isinstance(op, LOOKING) for op in ir.operations(test))
