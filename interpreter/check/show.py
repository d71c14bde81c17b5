"""Prints the checked program as text. The same rules always give the same text: `show` prints it, golden files hold it.

The text is what the author wrote with every name, number and default spelled out: locals carry their numbers, the
acting player is named, hooks follow their target, and stores that need no test at run time are marked `fits`. It is
never parsed.

One generic printer prints every form from its fields. `WORDS` has a line of text per form: a name in braces stands for
the value of that field, and a part between two bars is left out if a field named in it is empty (none, False, or ()).
A flag itself prints as nothing, so `| if possible{if_possible}|` appears only if the flag is set, and a part with
`{!largest}` only if it is not. A form without words is printed as its name and fields. Blocks follow, indented.
"""

from __future__ import annotations

import re
from dataclasses import fields
from typing import Any

from . import program as core
from .value_types import NO_NUMBER, NONE, EnumOf, Flag, MapEdge, MapNode, Maybe, NoneOnly, Piece, Player, VType, bare

_CHOSEN = "| secretly{secretly}|| {text}|| if possible{if_possible}|"
_MOVED = "move {quantity}| {count}| {binder} to {to}"
_STOPPING = "| stopping at {stopping_at}|)"

WORDS: dict[type, str] = {
    # Parts of statements and expressions
    core.LocalDecl: "{name}#{number}",
    core.Binder: "{local} in {source}| where {where}|| by {direction} {key}|",
    core.BranchDecl: "|otherwise {otherwise}||call {is_call}|{label}| for {binders}|| if {condition}|",
    core.CostDecl: "{amount} |{currency}||{field}||[{indexes}]|| {pattern}|| {among}|",
    core.CounterAmount: "{amount} {field}|[{indexes}]||  fits{fits}|",
    core.Destination: "{place}| {position}|| {behind}|| {face}|",
    # Expressions
    core.Const: "{in_words}",
    core.LocalVar: "{local}|:{narrowed}|",
    core.FieldRead: "|{owner}.|{field}|[{indexes}]|",
    core.DieRef: "|{owner}.|{field}[{index}]",
    core.DiceGroup: "|{owner}.|{field}",
    core.Face: "{die}.face",
    core.AttributeOf: "{of}.{table}|[{indexes}]|",
    core.InRange: "({of} within {low}..{high})",
    core.ChartCell: "{chart}({args})|.{column}|",
    core.PlaceRef: "|{owner}.|{place}|[{indexes}]||[{slot}]|",
    core.Box: "box",
    core.SlotPiece: "piece({place})|!{is_there}|",
    core.EndOf: "({end} of {of})|!{is_there}|",
    core.Arithmetic: "({left} {op} {right}):{type}",
    core.Negative: "-{of}",
    core.Compare: "({left} {op} {right})",
    core.Logic: "({left} {op} {right})",
    core.Not: "not {of}",
    core.IfElse: "({then} if {condition} else {otherwise})",
    core.Otherwise: "({value} otherwise {fallback})",
    core.Member: "({item} in {source})",
    core.IsKind: "({of} is {ranges})",
    core.IsNone: "({of} is none)",
    core.IsEmpty: "({of} is empty)",
    core.IsFull: "({of} is full)",
    core.RuleRunning: "({rule} is running)",
    core.CellRunning: "({cell} is running)",
    core.IsAutoma: "({player} is automa)",
    core.KnownTo: "({piece} is known to {player})",
    core.Quantified: "({which} {binder} has {has})",
    core.Selected: "({which} {binder}| with {best} {measure}|)",
    core.CountOf: "count({of})",
    core.CountWhere: "count({binder})",
    core.SumOf: "sum({value} for {binder}):{type}",
    core.ListOf: "({value} for {binder})",
    core.Fingerprint: "fingerprint({parts}) below {prime}",
    core.ExtremeOf: "{which}({value} for {binder}| else {otherwise}|)",
    core.Extreme: "{which}({items})",
    core.NumberRange: "{low}..{high}",
    core.SetList: "|list{repeats}|({items})",
    core.Without: "({source} without {left_out})",
    core.UpTo: "(up to {binder})",
    core.StartingWith: "({source} from {first})",
    core.Following: "({source} after {first})",
    core.AllOf: "every {type.of}",
    core.Players: "{which}|({of})|",
    core.ValueCall: "{rule}({args})",
    core.FormulaCall: "{cell}({player})",
    core.Previous: "previous|({args})|",
    core.CanCall: "can {rule}({args})",
    core.CanPerform: "can perform {cell} for {player}",
    core.CanPay: "{player} can pay {costs}",
    core.Builtin: "{name}({args})",
    core.MapQuery: "{map}.{name}({args})",
    core.Reach: "(reach from {start}| along {along}|| through {through}|" + _STOPPING,
    core.Cheapest: "(cheapest |path {is_path}|from {start} to {goal} along {along} costing {cost}" + _STOPPING,
    core.GroupsOf: "{map}.|largest_group{largest}||groups{!largest}|({binder})",
    core.LongestTrail: "{map}.longest_trail(|{value} for |{binder}| through {through}|)",
    core.LongestLine: "{map}.longest_line({local} through {through} where {where})",
    # Statements
    core.Let: "let {local}: {local.type} = {value}",
    core.SetField: "|{owner}.|{field}|[{indexes}]| {op} {value}|  fits{fits}|",
    core.SetFace: "{die}.face {op} {value}|  fits{fits}|",
    core.CallRule: "|{result} <- |{rule}({args})| if possible{if_possible}|",
    core.CallPrevious: "|{result} <- |previous|({args})|",
    core.Perform: "perform {cell}| with {given}| for {player}| if possible{if_possible}|",
    core.Require: "requires {condition} {text}",
    core.Gain: "{player} gains| up to{up_to}| {amounts}",
    core.Lose: "{player} loses| up to{up_to}| {amounts}",
    core.Pay: "{player} pays {costs}| to {to}|",
    core.MovePiece: "move {piece} to {to}",
    core.MoveSet: "move set {pieces} to {to}",
    core.MoveSome: _MOVED,
    core.MoveEach: _MOVED,
    core.Draw: "draw| up to{up_to}| {count} from {source} to {to}| as {result}: {result.type}|",
    core.Shuffle: "shuffle {place}| into {into}|",
    core.SwapPieces: "swap {first} with {second}",
    core.SwapPlaces: "swap {first} with {second}",
    core.PassOn: "pass {place} {direction}",
    core.Flip: "flip {piece} face {face}",
    core.Reveal: "reveal |{pieces}||{field}||{dice}| to {to}",
    core.Roll: "roll {dice}",
    core.Choose: "{player} chooses {binders}" + _CHOSEN,
    core.ChooseSet: "{player} chooses {low}..{high} {binder} as {chosen}| such that {such_that}|" + _CHOSEN,
    core.ChooseOne: "{player} chooses one {text}",
    core.May: "{player} may| repeatedly{repeatedly}|",
    core.AnyOrder: "in any order by {player}",
    core.Pick: "pick {binder}| at random{at_random}|| preferring {preferring}|| if possible{if_possible}|",
    core.Pause: "{player} pauses {text}",
    core.If: "if {condition}",
    core.For: "for {binder}| ordered by {ordered_by}|",
    core.Walk: "walk {local} in {place}",
    core.Repeat: "repeat| {times} times|",
    core.While: "while {condition}| at most {at_most} times|",
    core.InTurn: "in turn {local} from {start} skipping {skipping} until {until}| {last_round}|",
    core.Together: "together {local} in {source} {text}",
    core.FirstPossible: "first possible",
    core.ResultIs: "result {value}",
    core.Say: "say {text}| to {to}|",
    core.Wins: "{player} wins {text}",
    core.Loses: "{player} loses {text}",
    core.DropsOut: "{player} drops out {text}",
    core.EndGame: "end game {text}",
}

_BLOCKS = ("body", "then", "branch", "branches", "otherwise")
_HOLE = re.compile(r"\{(!?)([\w.]+)\}")


class Printer:
    """Prints the nodes of one program."""

    def __init__(self, program: core.Program) -> None:
        self.program = program

    # ------------------------------------------------------------------ lines

    def rule(self, rule: core.RuleDecl) -> list[str]:
        params = ", ".join(f"{self.text(param)}: {param.type}" for param in rule.params)
        head = f"{rule.form} {rule.name}({params})" + (f": {rule.result}" if rule.result is not None else "")
        head += "" if rule.text is None else f" {self.text(rule.text)}"
        lines = [head if rule.when is None else f"{head} when {self.text(rule.when)}"]
        if rule.expression is not None:
            lines.append(f"  = {self.text(rule.expression)}")
        lines += self.block(rule.body)
        for word, hooks in (("before", rule.before), ("instead", rule.instead), ("after", rule.after)):
            for hook in hooks:
                lines += _indented([f"{word}:", *_indented(self.rule(hook))])
        return lines

    def block(self, block: tuple[core.Stmt | core.BranchDecl, ...]) -> list[str]:
        return _indented([line for node in block for line in self.lines(node)])

    def lines(self, node: core.Stmt | core.BranchDecl) -> list[str]:
        """A statement or branch on one line, with its blocks indented below."""
        found = [self.text(node)]
        for name in _BLOCKS:
            held = getattr(node, name, None)
            if isinstance(held, core.BranchDecl):
                held = (held,)
            if isinstance(held, tuple) and held:
                found += [*(["else"] if name == "otherwise" else []), *self.block(held)]
        return found

    # ------------------------------------------------------------------ words

    def text(self, value: object) -> str:
        """The text for the value of a field."""
        if type(value) in WORDS:
            return self._in_words(value, WORDS[type(value)])
        match value:
            case None:
                return "-"
            case bool():
                return ""
            case core.Template():
                return '"' + "".join(p if isinstance(p, str) else "{" + self.text(p) + "}" for p in value.parts) + '"'
            case tuple():
                return self._several(value)
            case core.Stmt() | core.Expr():
                return self._by_fields(value)
        return str(getattr(value, "name", value))  # a declaration, a type, a number or a word

    def _several(self, items: tuple[Any, ...]) -> str:
        match items:
            case ((int(), int()), *_):
                return " | ".join(f"{low}..{low + size - 1}" for low, size in items)
            case ((str(), core.Expr()), *_):
                return ", ".join(f"{name} = {self.text(value)}" for name, value in items)
        return ", ".join("any" if item is None else self.text(item) for item in items)

    def _in_words(self, node: Any, words: str) -> str:
        """Fills in a line of `WORDS`; every second part, between bars, is optional."""
        made = ""
        for number, part in enumerate(words.split("|")):
            holes = _HOLE.findall(part)
            if number % 2 and any(self._is_empty(node, name) != bool(negated) for negated, name in holes):
                continue
            made += _HOLE.sub(lambda hole: self.text(self._held(node, hole[2])), part)
        return made

    def _is_empty(self, node: Any, name: str) -> bool:
        return self._held(node, name) in (None, False, "", ())

    def _held(self, node: Any, name: str) -> object:
        """The value for a name in braces: a field, a field of a field, or one of three computed values."""
        match name:
            case "in_words":
                return self.value(node.type, node.value)
            case "narrowed":
                return None if node.type == node.local.type else node.type
            case "is_there":
                return not isinstance(node.type, Maybe)
        for part in name.split("."):
            node = getattr(node, part, None)
        return node

    def _by_fields(self, node: core.Stmt | core.Expr) -> str:
        name = re.sub(r"(?<!^)(?=[A-Z])", " ", type(node).__name__).lower()
        hidden = ("span", "type", "cites", *_BLOCKS)
        names = [item.name for item in fields(node) if item.name not in hidden]
        return " ".join([name, *(f"{field} {self.text(getattr(node, field))}" for field in names)])

    def value(self, value_type: VType, number: int) -> str:
        """A constant, printed by its name."""
        if isinstance(value_type, NoneOnly) or (isinstance(value_type, Maybe) and number in (NONE, NO_NUMBER)):
            return "none"
        match bare(value_type):
            case Flag():
                return "yes" if number else "no"
            case Player():
                return self.program.seat_names[number]
            case EnumOf(name):
                enum = self.program.enums[name]
                return f"{name}.{enum.ids[enum.domain.index(number)]}" if number in enum.domain else str(number)
            case Piece():
                piece = self.program.pieces[number]
                return f"{piece.kind}.{self.program.rows[piece.row].id}"
            case MapNode():
                return f"{self.program.nodes[number].kind}.{self.program.nodes[number].id}"
            case MapEdge():
                return f"{self.program.edges[number].kind}.{self.program.edges[number].id}"
            case _:
                return str(number)


def _indented(lines: list[str]) -> list[str]:
    return [f"  {line}" for line in lines]


# ---------------------------------------------------------------------------- the whole


def show_program(program: core.Program) -> str:
    """Everything that was checked, in the order of the declarations."""
    show = Printer(program)
    lines = [f"game {program.name} for {program.players} players: {', '.join(program.seat_names)}"]
    lines += [f"enum {enum.name} = {' | '.join(enum.ids)}" for enum in program.enums.values()]
    lines += [f"kind {kind.name}: {kind.count} pieces from {kind.first}" for kind in program.kinds.values()]
    lines += [_state_line(field) for field in program.fields]
    lines += [_state_line(place) for place in program.places]
    for rule in program.rules.values():
        lines += ["", *show.rule(rule)]
    for change in program.change_hooks:
        changed = show.text(change.field or change.place)
        lines += ["", f"on {changed} {change.change}", *_indented(show.rule(change.rule))]
    for moving in program.move_hooks:
        lines += ["", f"on {moving.motion} {moving.place.name}", *_indented(show.rule(moving.rule))]
    for block in program.scores:
        lines += ["", f"score {show.text(block.player)} when {show.text(block.when)}"]
        lines += [f"  {show.text(line.label)} {show.text(line.value)}" for line in block.lines]
    if program.rank is not None:
        criteria = [f"{way} {'score' if by is None else show.text(by)}" for way, by in program.rank.criteria]
        shared = ["shared"] if program.rank.shared else []
        lines += ["", f"rank {show.text(program.rank.player)} by {', '.join([*criteria, *shared])}"]
    return "\n".join(lines) + "\n"


def _state_line(state: core.FieldDecl | core.PlaceDecl) -> str:
    owner = "" if state.owner == "table" else f"{state.owner}."
    indexes = f"[{', '.join(str(d.type) for d in state.dimensions)}]" if state.dimensions else ""
    if isinstance(state, core.FieldDecl):
        return f"field {owner}{state.name}{indexes}: {state.type} {state.visibility} = {state.start}"
    kinds = " | ".join(state.kinds)
    return f"place {owner}{state.name}{indexes}: {state.shape} of {kinds} {state.visibility} capacity {state.capacity}"
