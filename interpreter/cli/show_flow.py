"""`rulewright show NAME flow`: the course of a game as a tree of phases, loops, decisions, actions and hooks.

The tree starts at `setup` and `play` and follows calls. A rule is expanded where it first occurs; after that it is only
named. Effects are shown if they contain a decision or have hooks; the rest is detail that is better read in the rules.
As text the tree is an outline; as SVG it is the same outline in boxes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ..check import program as core
from ..check.forms import blocks
from ..check.walk import walk_rule
from ..files.shown import escape


@dataclass
class Step:
    """`form`: setup, play, phase, action, effect, free, loop, decision, hook, again."""

    form: str
    text: str
    note: str = ""
    cites: tuple[str, ...] = ()
    below: list[Step] = field(default_factory=list)


def flow_of(program: core.Program) -> Step:
    root = Step("game", f"{program.title} for {program.players}")
    course = _Course(program)
    for name in ("setup", "play"):
        if name in program.rules:
            root.below.append(course.rule(program.rules[name]))
    if program.scores or program.rank is not None:
        lines = [_template(line.label) for block in program.scores for line in block.lines]
        root.below.append(Step("setup", "scoring", ", ".join(dict.fromkeys(lines))))
    return root


class _Course:
    def __init__(self, program: core.Program) -> None:
        self.program = program
        self._met: set[core.RuleDecl] = set()
        self._interesting: dict[core.RuleDecl, bool] = {}

    # ------------------------------------------------------------------------ rules

    def rule(self, rule: core.RuleDecl) -> Step:
        form = {"free_action": "free", "free action": "free"}.get(rule.form, rule.form)
        title = _template(rule.text) if rule.text is not None else ""
        step = Step(form, rule.name, title, rule.cites)
        if rule in self._met:
            return Step("again", rule.name, "see above")
        self._met.add(rule)
        for word, hooks in (("before", rule.before), ("instead of", rule.instead)):
            step.below += [self._hook(hook, word) for hook in hooks]
        step.below += self._block(rule.body)
        for free in self.program.rules.values():
            if free.during is rule:
                step.below.append(self.rule(free))
        step.below += [self._hook(hook, "after") for hook in rule.after]
        return step

    def _hook(self, hook: core.RuleDecl, word: str) -> Step:
        when = f"when {_words(hook.when)}" if hook.when is not None else ""
        layer = f"[{hook.layer}]" if hook.layer and hook.layer != self.program.base else ""
        return Step("hook", word, f"{when} {layer}".strip(), hook.cites, self._block(hook.body))

    def _is_shown(self, rule: core.RuleDecl) -> bool:
        """Phases and actions always; effects that decide or are hooked, themselves or further down."""
        if rule not in self._interesting:
            self._interesting[rule] = rule.form in ("phase", "action", "setup", "play")  # ends a circle of calls
            hooked = bool(rule.before or rule.after or rule.instead) and rule.form != "value"
            self._interesting[rule] = (
                self._interesting[rule]
                or hooked
                or any(
                    isinstance(node, _DECISIONS) or (isinstance(node, core.CallRule) and self._is_shown(node.rule))
                    for node in walk_rule(rule)
                )
            )
        return self._interesting[rule]

    # ------------------------------------------------------------------------ statements

    def _block(self, block: core.Block | None) -> list[Step]:
        return [step for statement in block or () for step in self._statement(statement)]

    def _statement(self, statement: core.Stmt) -> Iterator[Step]:
        match statement:
            case core.CallRule():
                if self._is_shown(statement.rule):
                    yield self.rule(statement.rule)
            case core.CallPrevious():
                yield Step("again", "previous", "what it stands in for")
            case core.InTurn() | core.Repeat() | core.While() | core.For() | core.Together() | core.Walk():
                below = self._block(statement.body)
                if below:
                    yield Step("loop", _first_line(statement), "", statement.cites, below)
            case core.ChooseOne() | core.AnyOrder():
                text = getattr(statement, "text", None)
                prompt = _template(text) if text is not None else _first_line(statement)
                yield Step("decision", prompt, _who(statement.player), statement.cites,
                           [self._branch(branch) for branch in statement.branches])  # fmt: skip
            case core.May():
                branch = self._branch(statement.branch)
                words = "may repeatedly" if statement.repeatedly else "may"
                yield Step("decision", f"{words}: {branch.text}", _who(statement.player), branch.cites,
                           [*branch.below, *self._block(statement.otherwise)])  # fmt: skip
            case core.Choose() | core.ChooseSet():
                prompt = _template(statement.text) if statement.text is not None else _first_line(statement)
                yield Step("decision", prompt, _who(statement.player), statement.cites, self._block(statement.body))
            case core.Pause():
                yield Step("decision", _template(statement.text) if statement.text else "pause", _who(statement.player))
            case _:
                for block in blocks(statement):
                    yield from self._block(block)

    def _branch(self, branch: core.BranchDecl) -> Step:
        return Step("branch", _template(branch.label), "", branch.cites, self._block(branch.body))


_DECISIONS = (core.Choose, core.ChooseSet, core.ChooseOne, core.May, core.AnyOrder, core.Pause)


def _template(text: core.Template | None) -> str:
    return text.raw if text is not None else ""


def _words(expr: core.Expr) -> str:
    return " ".join(expr.span.text.split())


def _first_line(statement: core.Stmt) -> str:
    return " ".join(statement.span.source.line_text(statement.span.line).split("  @")[0].split())


def _who(player: core.Expr) -> str:
    return player.local.name if isinstance(player, core.LocalVar) else _words(player)


# ---------------------------------------------------------------------------- as text

_SIGNS = {"phase": "phase ", "action": "action ", "effect": "", "free": "free action ", "decision": "? ",
          "loop": "~ ", "hook": "> ", "branch": "- ", "again": ""}  # fmt: skip


def flow_text(root: Step) -> str:
    return "\n".join(_outline(root, 0))


def _outline(step: Step, depth: int) -> Iterator[str]:
    note = f"  ({step.note})" if step.note else ""
    clauses = "  " + " ".join(f"@{clause}" for clause in step.cites) if step.cites else ""
    yield f"{'  ' * depth}{_SIGNS.get(step.form, '')}{step.text}{note}{clauses}"
    for below in step.below:
        yield from _outline(below, depth + 1)


# ---------------------------------------------------------------------------- as SVG

_ROW, _STEP, _HEIGHT, _MARGIN, _LETTER = 30, 26, 22, 16, 7.0
_FILLS = {
    "game": ("#22313f", "#ffffff"), "setup": ("#e8eaed", "#22313f"), "play": ("#22313f", "#ffffff"),
    "phase": ("#2f6fab", "#ffffff"), "action": ("#2e8b57", "#ffffff"), "effect": ("#eef3ee", "#22313f"),
    "free": ("#b8860b", "#ffffff"), "loop": ("none", "#555555"), "decision": ("#fff6d6", "#5a4500"),
    "hook": ("#f6dcd6", "#8a2b1a"), "branch": ("#ffffff", "#5a4500"), "again": ("none", "#777777"),
}  # fmt: skip
_LEGEND = ("phase", "action", "free", "decision", "loop", "effect", "hook")


def flow_svg(root: Step) -> str:
    """One box per step, below and to the right of the step that contains it."""
    boxes: list[tuple[Step, int, int, int | None]] = []  # step, depth, row, row of its parent
    _place(root, 0, None, boxes)
    width = max(_MARGIN * 2 + depth * _STEP + _width(step) for step, depth, _, _ in boxes) + 20
    height = _MARGIN * 2 + (len(boxes) + 2) * _ROW
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height}" '
        f'viewBox="0 0 {width:.0f} {height}" font-family="DejaVu Sans, Helvetica, Arial, sans-serif" font-size="12">',
        f"<title>{escape(root.text)}</title>",
        f'<rect width="{width:.0f}" height="{height}" fill="#ffffff"/>',
    ]
    parts += [_line(depth, row, parent) for _, depth, row, parent in boxes if parent is not None]
    parts += [_box(step, depth, row) for step, depth, row, _ in boxes]
    parts += [_legend(height - _MARGIN - _HEIGHT)]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _place(step: Step, depth: int, parent: int | None, boxes: list[tuple[Step, int, int, int | None]]) -> None:
    row = len(boxes)
    boxes.append((step, depth, row, parent))
    for below in step.below:
        _place(below, depth + 1, row, boxes)


def _width(step: Step) -> float:
    return _box_width(step) + len(_beside(step)) * _LETTER * 0.92 + 8


def _box_width(step: Step) -> float:
    return len(step.text) * _LETTER + 18


def _beside(step: Step) -> str:
    return "  ".join(
        part for part in (step.note, " ".join(step.cites[:4]) + (" …" if len(step.cites) > 4 else "")) if part
    )


def _line(depth: int, row: int, parent: int) -> str:
    x = _MARGIN + (depth - 1) * _STEP + 10
    top, middle = _MARGIN + parent * _ROW + _HEIGHT, _MARGIN + row * _ROW + _HEIGHT // 2
    return f'<path d="M{x} {top} V{middle} H{_MARGIN + depth * _STEP}" fill="none" stroke="#b5bcc4"/>'


def _box(step: Step, depth: int, row: int) -> str:
    fill, ink = _FILLS[step.form]
    x, y, width = _MARGIN + depth * _STEP, _MARGIN + row * _ROW, _box_width(step)
    border = "none" if fill == "none" else "#9aa3ad" if ink != "#ffffff" else "none"
    style = ' font-style="italic"' if step.form in ("loop", "again") else ""
    radius = 11 if step.form == "decision" else 3
    text = escape(step.text)
    return (
        f'<rect x="{x}" y="{y}" width="{width:.0f}" height="{_HEIGHT}" rx="{radius}" fill="{fill}" stroke="{border}"/>'
        f'<text x="{x + 9}" y="{y + 15}" fill="{ink}"{style}>{text}</text>'
        f'<text x="{x + width + 8:.0f}" y="{y + 15}" fill="#6b7580" font-size="11">{escape(_beside(step))}</text>'
    )


def _legend(y: int) -> str:
    parts, x = [], float(_MARGIN)
    for form in _LEGEND:
        fill, ink = _FILLS[form]
        words = "free action" if form == "free" else form
        width = len(words) * _LETTER + 18
        parts.append(
            f'<rect x="{x:.0f}" y="{y}" width="{width:.0f}" height="{_HEIGHT}" rx="3" fill="{fill}" stroke="#9aa3ad"/>'
            f'<text x="{x + 9:.0f}" y="{y + 15}" fill="{ink}">{words}</text>'
        )
        x += width + 10
    return "".join(parts)
