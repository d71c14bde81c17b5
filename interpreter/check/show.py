"""The checked program as text, the same for the same rules: what `show` prints and goldens compare.

Locals carry their numbers, whoever acts is written out, hooks stand below what they hook, stores that need no test at
run time are marked `fits`.
"""

from __future__ import annotations

from collections.abc import Iterator

from . import program as core
from .show_expressions import Shower, local


def show_program(program: core.Program) -> str:
    """Everything that was checked, in the order of the declarations."""
    s = Shower(program)
    lines = [f"game {program.name} for {program.players} players: {', '.join(program.seat_names)}"]
    lines += [f"enum {enum.name} = {' | '.join(enum.ids)}" for enum in program.enums.values()]
    lines += [f"kind {kind.name}: {kind.count} pieces from {kind.first}" for kind in program.kinds.values()]
    lines += [_state_line(field) for field in program.fields]
    lines += [_state_line(place) for place in program.places]
    for rule in program.rules.values():
        lines += ["", *rule_lines(s, rule)]
    for change in program.change_hooks:
        state = change.field or change.place
        lines += ["", f"on {state.name if state else '?'} {change.change}", *_indented(rule_lines(s, change.rule))]
    for moving in program.move_hooks:
        lines += ["", f"on {moving.motion} {moving.place.name}", *_indented(rule_lines(s, moving.rule))]
    for block in program.scores:
        lines += ["", f"score {local(block.player)} when {s.show(block.when)}"]
        lines += [f"  {s.template(line.label)} {s.show(line.value)}" for line in block.lines]
    if program.rank is not None:
        lines += ["", _rank(s, program.rank)]
    return "\n".join(lines) + "\n"


def _state_line(state: core.FieldDecl | core.PlaceDecl) -> str:
    owner = "" if state.owner == "table" else f"{state.owner}."
    indexes = f"[{', '.join(str(d.type) for d in state.dimensions)}]" if state.dimensions else ""
    if isinstance(state, core.FieldDecl):
        return f"field {owner}{state.name}{indexes}: {state.type} {state.visibility} = {state.start}"
    kinds = " | ".join(state.kinds)
    return f"place {owner}{state.name}{indexes}: {state.shape} of {kinds} {state.visibility} capacity {state.capacity}"


def _rank(s: Shower, rank: core.RankDecl) -> str:
    criteria = [f"{way} {'score' if expr is None else s.show(expr)}" for way, expr in rank.criteria]
    return f"rank {local(rank.player)} by " + ", ".join([*criteria, *(["shared"] if rank.shared else [])])


def rule_lines(s: Shower, rule: core.RuleDecl) -> list[str]:
    params = ", ".join(f"{local(p)}: {p.type}" for p in rule.params)
    head = f"{rule.form} {rule.name}({params})" + (f": {rule.result}" if rule.result is not None else "")
    if rule.text is not None:
        head += f" {s.template(rule.text)}"
    lines = [head if rule.when is None else f"{head} when {s.show(rule.when)}"]
    if rule.expression is not None:
        lines.append(f"  = {s.show(rule.expression)}")
    lines += _indented(block_lines(s, rule.body))
    for word, hooks in (("before", rule.before), ("instead", rule.instead), ("after", rule.after)):
        for hook in hooks:
            lines += _indented([f"{word}:", *_indented(rule_lines(s, hook))])
    return lines


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def block_lines(s: Shower, block: core.Block) -> list[str]:
    return [line for stmt in block for line in statement_lines(s, stmt)]


def statement_lines(s: Shower, stmt: core.Stmt) -> list[str]:
    """The statement on a line, its blocks indented below it."""
    for show in (_compound, _decision, _change, _motion, _rest):
        made = show(s, stmt)
        if made is not None:
            return made
    raise AssertionError(f"a statement of an unknown form: {type(stmt).__name__}")


def _with_block(head: str, s: Shower, block: core.Block | None) -> list[str]:
    return [head, *([] if block is None else _indented(block_lines(s, block)))]


def _compound(s: Shower, stmt: core.Stmt) -> list[str] | None:
    match stmt:
        case core.If():
            lines = _with_block(f"if {s.show(stmt.condition)}", s, stmt.then)
            return lines + (_with_block("else", s, stmt.otherwise) if stmt.otherwise else [])
        case core.For():
            by = "" if stmt.ordered_by is None else f" ordered by {s.show(stmt.ordered_by)}"
            return _with_block(f"for {s.binder(stmt.binder)}{by}", s, stmt.body)
        case core.Walk():
            return _with_block(f"walk {local(stmt.local)} in {s.show(stmt.place)}", s, stmt.body)
        case core.Repeat():
            return _with_block("repeat" if stmt.times is None else f"repeat {s.show(stmt.times)} times", s, stmt.body)
        case core.While():
            most = "" if stmt.at_most is None else f" at most {s.show(stmt.at_most)} times"
            return _with_block(f"while {s.show(stmt.condition)}{most}", s, stmt.body)
        case core.InTurn():
            head = f"in turn {local(stmt.local)} from {s.show(stmt.start)} skipping {s.show(stmt.skipping)}"
            return _with_block(f"{head} until {s.show(stmt.until)} {stmt.last_round or ''}".rstrip(), s, stmt.body)
        case core.Together():
            head = f"together {local(stmt.local)} in {s.show(stmt.source)} {s.template(stmt.text)}"
            return _with_block(head, s, stmt.body)
        case core.FirstPossible():
            return _with_block("first possible", s, stmt.body)
        case _:
            return None


def _decision(s: Shower, stmt: core.Stmt) -> list[str] | None:
    match stmt:
        case core.Choose():
            head = f"{s.show(stmt.player)} chooses {', '.join(s.binder(b) for b in stmt.binders)}"
            return _with_block(head + _choice_words(s, stmt), s, stmt.body)
        case core.ChooseSet():
            head = f"{s.show(stmt.player)} chooses {s.show(stmt.low)}..{s.show(stmt.high)} {s.binder(stmt.binder)}"
            such = "" if stmt.such_that is None else f" such that {s.show(stmt.such_that)}"
            return _with_block(f"{head} as {local(stmt.chosen)}{such}" + _choice_words(s, stmt), s, stmt.body)
        case core.ChooseOne():
            return [
                f"{s.show(stmt.player)} chooses one {s.template(stmt.text)}",
                *(line for branch in stmt.branches for line in _indented(_branch(s, branch))),
            ]
        case core.May():
            head = f"{s.show(stmt.player)} may" + (" repeatedly" if stmt.repeatedly else "")
            lines = [head, *_indented(_branch(s, stmt.branch))]
            return lines + (_with_block("else", s, stmt.otherwise) if stmt.otherwise else [])
        case core.AnyOrder():
            branches = [line for branch in stmt.branches for line in _indented(_branch(s, branch))]
            return [f"in any order by {s.show(stmt.player)}", *branches]
        case core.Pick():
            how = " at random" if stmt.at_random else ""
            if stmt.preferring:
                how += " preferring " + ", ".join("any" if p is None else s.show(p) for p in stmt.preferring)
            how += " if possible" if stmt.if_possible else ""
            return _with_block(f"pick {s.binder(stmt.binder)}{how}", s, stmt.body)
        case core.Pause():
            return [f"{s.show(stmt.player)} pauses {s.template(stmt.text)}"]
        case _:
            return None


def _choice_words(s: Shower, stmt: core.Choose | core.ChooseSet) -> str:
    words = " secretly" if stmt.secretly else ""
    words += "" if stmt.text is None else f" {s.template(stmt.text)}"
    return words + (" if possible" if stmt.if_possible else "")


def _branch(s: Shower, branch: core.BranchDecl) -> list[str]:
    head = ("otherwise " if branch.otherwise else "") + ("call " if branch.is_call else "") + s.template(branch.label)
    if branch.binders:
        head += f" for {', '.join(s.binder(b) for b in branch.binders)}"
    if branch.condition is not None:
        head += f" if {s.show(branch.condition)}"
    return _with_block(head, s, branch.body)


def _change(s: Shower, stmt: core.Stmt) -> list[str] | None:
    match stmt:
        case core.Let():
            return [f"let {local(stmt.local)}: {stmt.local.type} = {s.show(stmt.value)}"]
        case core.SetField():
            path = s.path(stmt.field.name, stmt.owner, *stmt.indexes)
            return [f"{path} {stmt.op} {s.show(stmt.value)}{_fits(stmt.fits)}"]
        case core.SetFace():
            return [f"{s.show(stmt.die)}.face {stmt.op} {s.show(stmt.value)}{_fits(stmt.fits)}"]
        case core.CallRule():
            to = "" if stmt.result is None else f"{local(stmt.result)} <- "
            return [f"{to}{stmt.rule.name}({s.all(stmt.args)})" + (" if possible" if stmt.if_possible else "")]
        case core.CallPrevious():
            to = "" if stmt.result is None else f"{local(stmt.result)} <- "
            return [f"{to}previous" + ("" if stmt.args is None else f"({s.all(stmt.args)})")]
        case core.Perform():
            given = "".join(f" with {name} = {s.show(value)}" for name, value in stmt.given)
            possible = " if possible" if stmt.if_possible else ""
            return [f"perform {s.show(stmt.cell)}{given} for {s.show(stmt.player)}{possible}"]
        case core.Require():
            return [f"requires {s.show(stmt.condition)} {s.template(stmt.text)}"]
        case core.Gain() | core.Lose():
            return [_counters(s, stmt)]
        case core.Pay():
            to = "" if stmt.to is None else f" to {s.show(stmt.to)}"
            return [f"{s.show(stmt.player)} pays {', '.join(s.cost(c) for c in stmt.costs)}{to}"]
        case _:
            return None


def _fits(fits: bool) -> str:
    return "  fits" if fits else ""


def _counters(s: Shower, stmt: core.Gain | core.Lose) -> str:
    verb = "gains" if isinstance(stmt, core.Gain) else "loses"
    up_to = " up to" if stmt.up_to else ""
    amounts = ", ".join(
        f"{s.show(a.amount)} {s.path(a.field.name, None, *a.indexes)}{_fits(a.fits)}" for a in stmt.amounts
    )
    return f"{s.show(stmt.player)} {verb}{up_to} {amounts}"


def _motion(s: Shower, stmt: core.Stmt) -> list[str] | None:
    match stmt:
        case core.MovePiece():
            return [f"move {s.show(stmt.piece)} to {_destination(s, stmt.to)}"]
        case core.MoveSet():
            return [f"move set {s.show(stmt.pieces)} to {_destination(s, stmt.to)}"]
        case core.MoveSome() | core.MoveEach():
            count = "" if stmt.count is None else f" {s.show(stmt.count)}"
            return [f"move {stmt.quantity}{count} {s.binder(stmt.binder)} to {_destination(s, stmt.to)}"]
        case core.Draw():
            name = "" if stmt.result is None else f" as {local(stmt.result)}: {stmt.result.type}"
            up_to = " up to" if stmt.up_to else ""
            count, to = s.show(stmt.count), _destination(s, stmt.to)
            return [f"draw{up_to} {count} from {s.show(stmt.source)} to {to}{name}"]
        case core.Shuffle():
            return [f"shuffle {s.show(stmt.place)}" + ("" if stmt.into is None else f" into {s.show(stmt.into)}")]
        case core.SwapPieces() | core.SwapPlaces():
            return [f"swap {s.show(stmt.first)} with {s.show(stmt.second)}"]
        case core.PassOn():
            return [f"pass {stmt.place.name} {stmt.direction}"]
        case core.Flip():
            return [f"flip {s.show(stmt.piece)} face {stmt.face}"]
        case core.Reveal():
            return [f"reveal {s.show(stmt.pieces or stmt.field or stmt.dice)} to {s.show(stmt.to)}"]
        case core.Roll():
            return [f"roll {s.show(stmt.dice)}"]
        case _:
            return None


def _destination(s: Shower, to: core.Destination) -> str:
    words = [s.show(to.place), to.position or "", "" if to.behind is None else s.show(to.behind), to.face or ""]
    return " ".join(word for word in words if word)


def _rest(s: Shower, stmt: core.Stmt) -> list[str] | None:
    match stmt:
        case core.Stop() | core.Done() | core.Prevent():
            return [type(stmt).__name__.lower()]
        case core.ResultIs():
            return [f"result {s.show(stmt.value)}"]
        case core.Say():
            return [f"say {s.template(stmt.text)}" + ("" if stmt.to is None else f" to {s.show(stmt.to)}")]
        case core.Wins() | core.Loses() | core.DropsOut():
            verb = {core.Wins: "wins", core.Loses: "loses", core.DropsOut: "drops out"}[type(stmt)]
            return [f"{s.show(stmt.player)} {verb} {s.template(stmt.text)}"]
        case core.EndGame():
            return [f"end game {s.template(stmt.text)}"]
        case _:
            return None


def shown_rules(program: core.Program) -> Iterator[tuple[str, str]]:
    """Every rule by name with its print."""
    s = Shower(program)
    for name, rule in program.rules.items():
        yield name, "\n".join(rule_lines(s, rule))
