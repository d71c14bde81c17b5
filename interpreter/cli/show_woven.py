"""`rulewright show NAME`: the rules of a game with all layers applied, each line marked with its origin.

The text is the authors' own. Hooks on a rule are printed with it, in the order in which they run. The margin says for
every line whether it belongs to the game itself (`base`), to a ruleset it uses (`used NAME`) or to a variant (`+NAME`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import fields

from ..check import program as core
from ..check.walk import walk_rule
from ..diagnostics.diagnostic import Diagnostics, RulesetError
from ..diagnostics.source import Span
from ..ruleset.gather import gather
from ..ruleset.gathered import Gathered, Layer, Placed
from ..syntax import nodes

Marked = tuple[str, str]  # mark, line


def woven_text(name: str, program: core.Program) -> str:
    """All declarations in order, each with what is woven into it."""
    weaving = _Weaving(_gathered(name, program.players), program)
    blocks = [list(weaving.block(placed)) for placed in weaving.apart]
    return _in_columns(_apart(iter([*blocks, list(weaving.removed())])))


def _apart(blocks: Iterator[list[Marked]]) -> Iterator[Marked]:
    """A blank line around everything that takes more than one line."""
    before: list[Marked] = []
    for block in blocks:
        if len(before) > 1 or (before and len(block) > 1):
            yield "", ""
        yield from block
        before = block


def woven_rule(name: str, program: core.Program, rule: str) -> str:
    """One rule with everything on it, and the hooks on what it changes."""
    weaving = _Weaving(_gathered(name, program.players), program)
    return _in_columns(weaving.whole(program.rules[rule]))


def _gathered(name: str, players: int) -> Gathered:
    found = Diagnostics()
    gathered = gather(name, players, found)
    if gathered is None or found.has_errors:
        raise RulesetError(found.found)
    return gathered


def _in_columns(lines: Iterator[Marked]) -> str:
    made = list(lines)
    width = max((len(mark) for mark, _ in made), default=0)
    return "\n".join(f"{mark:<{width}} | {line}".rstrip() if mark else line for mark, line in made)


class _Weaving:
    def __init__(self, gathered: Gathered, program: core.Program) -> None:
        self.program = program
        self.gathered = gathered
        self.layers = {layer.name: layer for layer in gathered.layers}
        self.apart = [placed for placed in gathered.declarations if not self._stands_with_a_rule(placed.declaration)]

    def _stands_with_a_rule(self, declaration: nodes.Declaration) -> bool:
        if isinstance(declaration, nodes.AlsoIn):
            return True
        return isinstance(declaration, nodes.Hook) and isinstance(declaration.target, nodes.OnRule)

    # ------------------------------------------------------------------------ blocks

    def block(self, placed: Placed) -> Iterator[Marked]:
        declaration = placed.declaration
        name = getattr(getattr(declaration, "name", None), "text", None)
        rule = self.program.rules.get(name or declaration_word(declaration))
        if rule is not None and _is_rule(declaration):
            yield from self.rule(rule)
            return
        match declaration:
            case nodes.Constant():
                yield self._constant(declaration, placed)
            case nodes.Kind() | nodes.Each() | nodes.Table() | nodes.Enum() if placed.replaced:
                yield from self._merged(declaration, placed)
            case nodes.Map() if placed.replaced:
                yield from self._woven_map(declaration, placed)
            case nodes.Score() if declaration.when is not None and placed.replaced:
                yield from self._limited_score(declaration, placed)
            case _:
                yield from self._lines(declaration.span, placed.layer)

    def _merged(self, declaration: nodes.Declaration, placed: Placed) -> Iterator[Marked]:
        """A declaration that several layers wrote: its head, then each line marked with the layer that wrote it."""
        first = placed.replaced[0]
        lines, mark = _own_lines(first.span), mark_of(placed.writers[0])
        file, old_file = getattr(declaration, "file", None), getattr(first, "file", None)
        if file is not None and (old_file is None or file.text != old_file.text):
            lines, mark = [re.sub(r"from \S+", f"from {file.text}", lines[0])], mark_of(placed.layer)
        yield from ((mark, line) for line in (lines if isinstance(first, nodes.Enum) else lines[:1]))
        if isinstance(declaration, nodes.Enum):
            for member in declaration.members:
                if not _is_inside(member.span, first.span):
                    yield mark_of(_writer(member, placed)), f"  | {member.text}"
        else:
            for part in _parts(declaration):
                yield from ((mark_of(_writer(part, placed)), f"  {line}") for line in _own_lines(part.span))

    def _woven_map(self, board: nodes.Map, placed: Placed) -> Iterator[Marked]:
        """A map that was replaced, or is read from several files: its head with their names, then each line."""
        file, head = _map_file(board), _head(board.span).removeprefix("replace ")
        if file is not None:
            head = re.sub(r"from \S+", f"from {file.text}", head)
        yield mark_of(placed.layer), head
        for part, indent in _map_lines(board):
            yield mark_of(_writer(part, placed)), f"{indent}{_head(part.span)}"

    def _limited_score(self, score: nodes.Score, placed: Placed) -> Iterator[Marked]:
        """Score lines that apply only where C does not hold, because another layer has `replace score p when C`."""
        yield from self._lines(score.span, placed.layer)
        for limited, writer in zip((*placed.replaced[1:], score), placed.writers[1:], strict=False):
            if isinstance(limited, nodes.Score) and limited.when is not None:
                yield mark_of(writer), f"  # only for those of whom this does not hold: {limited.when.span.text}"

    def _constant(self, declaration: nodes.Constant, placed: Placed) -> Marked:
        """A constant changed by `set`: the line with its new value, marked with the layer that set it."""
        text = _head(declaration.span)
        if declaration.value is not None and placed.replaced:
            text = f"{text.removeprefix('replace ').split('=')[0].rstrip()} = {declaration.value.span.text}"
        return mark_of(placed.layer), text

    def removed(self) -> Iterator[Marked]:
        """What a layer has removed, at the place of its `remove`."""
        for name, removal in self.gathered.removed.items():
            if re.search(rf"\bremove\b.*\b{name}\b", removal.span.source.line_text(removal.span.line)):
                at = removal.span.at.rsplit(":", 1)[0]
                yield mark_of(self.layers[removal.layer]), f"# `{name}` is removed ({at})"

    def rule(self, rule: core.RuleDecl) -> Iterator[Marked]:
        """Before hooks, `instead of` hooks, the rule itself, `also in`, after hooks: in the order in which they run."""
        for number, hook in enumerate(rule.before, 1):
            yield from self._hook(hook, f"first, {number} of {len(rule.before)}")
        for number, hook in enumerate(rule.instead, 1):
            yield from self._hook(hook, f"asked {number} of {len(rule.instead)}, before the rule itself")
        yield from self._lines(rule.span, self._layer_of(rule))
        for placed in self.gathered.declarations:
            also = placed.declaration
            if isinstance(also, nodes.AlsoIn) and _path_name(also) == rule.name:
                yield from self._lines(also.span, placed.layer)
        for number, hook in enumerate(rule.after, 1):
            yield from self._hook(hook, f"afterwards, {number} of {len(rule.after)}")

    def whole(self, rule: core.RuleDecl) -> Iterator[Marked]:
        yield from self.rule(rule)
        for hook, what in _set_off(self.program, rule):
            yield "", ""
            yield from self._hook(hook, what)

    def _hook(self, hook: core.RuleDecl, when: str) -> Iterator[Marked]:
        layer = self._layer_of(hook)
        yield mark_of(layer), f"# {when} ({hook.span.at.rsplit(':', 1)[0]})"
        yield from self._lines(hook.span, layer)

    def _layer_of(self, rule: core.RuleDecl) -> Layer:
        """The layer of a rule; for anything else, the layer of its file."""
        if rule.layer in self.layers:
            return self.layers[rule.layer]
        placed = (p for p in self.gathered.declarations if p.declaration.span.source is rule.span.source)
        same = [p.layer for p in placed if p.declaration.span.line == rule.span.line]
        return same[0] if same else self.gathered.layers[-1]

    def _lines(self, span: Span, layer: Layer) -> Iterator[Marked]:
        for line in declaration_lines(span):
            yield mark_of(layer), line


def mark_of(layer: Layer) -> str:
    return {"game": "base", "used": f"used {layer.name}", "variant": f"+{layer.name}"}[layer.role]


def _map_file(board: nodes.Map) -> nodes.Name | None:
    return board.file or (board.shape.file if board.shape is not None else None)


def _map_lines(board: nodes.Map) -> Iterator[tuple[nodes.Node, str]]:
    """The kinds of a map with their attributes, each with how far its line is set in."""
    for kind in (*board.nodes, *board.edges):
        yield kind, "  "
        yield from ((field, "    ") for field in kind.fields)


def _writer(part: nodes.Node, placed: Placed) -> Layer:
    """The layer that wrote a part: of the first of the declarations laid over one another that has it."""
    for declaration, layer in zip((*placed.replaced, placed.declaration), placed.writers, strict=False):
        if any(one.span is part.span for one in _all_parts(declaration)):
            return layer
    return placed.layer


def _all_parts(declaration: nodes.Declaration) -> Iterator[nodes.Node]:
    if isinstance(declaration, nodes.Map):
        yield from (part for part, _ in _map_lines(declaration))
    elif isinstance(declaration, nodes.Enum):
        yield from declaration.members
    yield from _parts(declaration)


def _is_inside(span: Span, other: Span) -> bool:
    return span.source is other.source and other.start <= span.start < other.end


def _own_lines(span: Span) -> list[str]:
    """The lines of the text that a node occupies, without their indentation."""
    last = Span(span.source, max(span.start, span.end - 1), span.end).line
    return [span.source.line_text(number).strip() for number in range(span.line, last + 1)]


def _parts(declaration: nodes.Declaration) -> Iterator[nodes.Node]:
    """The lines below the head: attributes, copies, fields."""
    for item in fields(declaration):
        value = getattr(declaration, item.name)
        if isinstance(value, tuple) and item.name != "cites":
            yield from (
                part for part in value if isinstance(part, nodes.Node) and part.span.line != declaration.span.line
            )


def _is_rule(declaration: nodes.Declaration) -> bool:
    return isinstance(
        declaration,
        nodes.Phase | nodes.Action | nodes.Effect | nodes.Value | nodes.FreeAction | nodes.Setup | nodes.Play,
    )


def declaration_word(declaration: nodes.Declaration) -> str:
    return type(declaration).__name__.lower()


def _path_name(also: nodes.AlsoIn) -> str:
    return str(also.path.span.text.split("(")[0].strip())


def _head(span: Span) -> str:
    return span.source.line_text(span.line).strip()


def declaration_lines(span: Span) -> list[str]:
    """The declaration that begins in that line, with its block, moved to the left margin."""
    source = span.source
    first = span.line
    head = source.line_text(first)
    indent = len(head) - len(head.lstrip())
    lines = [head]
    for number in range(first + 1, len(source.line_starts) + 1):
        line = source.line_text(number)
        if line.strip() and len(line) - len(line.lstrip()) <= indent:
            break
        lines.append(line)
    while lines and (not lines[-1].strip() or lines[-1].lstrip().startswith("#")):
        lines.pop()
    return [line[indent:].removeprefix("replace ").rstrip() for line in lines]


def _set_off(program: core.Program, rule: core.RuleDecl) -> Iterator[tuple[core.RuleDecl, str]]:
    """Hooks on fields and places that the rule itself changes."""
    touched: set[core.FieldDecl | core.PlaceDecl] = set()
    for node in walk_rule(rule):
        if isinstance(node, core.SetField | core.CounterAmount):
            touched.add(node.field)
        elif isinstance(node, core.PlaceRef):
            touched.add(node.place)
    for change in program.change_hooks:
        state = change.field or change.place
        if state is not None and state in touched:
            yield change.rule, f"whenever `{state.name}` {change.change.replace('_', ' ')}"
    for moving in program.move_hooks:
        if moving.place in touched:
            yield moving.rule, f"whenever a piece {moving.motion} `{moving.place.name}`"
