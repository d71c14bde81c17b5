"""Effects and formulas in table cells, resolved against the rules they call.

A cell is a call without the player, `build(3, 2, extra = 2)`, or several calls separated by commas. Each call is
matched with the signature of its rule. Arguments come from three sources, in this order: what `perform` supplies
(`effect given (pillar: Pillar)`) goes to the parameter of that name; the cell's own arguments fill the remaining
parameters in order or by name; the rest take their defaults. A text is resolved once per occurrence in the file,
however many pieces have it; each of those pieces still gets a cell of its own.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..diagnostics.diagnostic import Label
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from ..syntax.parse import parse_cell
from .constant_values import evaluate, fit, listed
from .declared import CellText, Declared, Draft, RuleSource
from .program import CellCall, CellDecl, Given, LocalDecl
from .type_rules import surely_fits
from .value_types import EffectCell, FormulaCell, Number, Player, VType


def resolve_cells(draft: Draft) -> None:
    """Fills `cells`: one entry for every instance that was numbered while reading the tables."""
    declared = draft.declared
    resolved: dict[CellText, tuple[CellCall, ...]] = {}
    for number, cell in enumerate(draft.pending):
        if cell not in resolved:
            resolved[cell] = _resolve(declared, cell)
        # A hundred pieces with the same text are a hundred cells: one may be performed while another runs.
        declared.cells.append(CellDecl(number, resolved[cell], cell.span))


def _resolve(declared: Declared, cell: CellText) -> tuple[CellCall, ...]:
    tree = parse_cell(cell.text, cell.span, declared.found)
    if tree is None:
        return ()
    if isinstance(cell.type, FormulaCell) and len(tree.calls) > 1:
        what = "a formula is one call"
        declared.error("R0261", what, tree.calls[1].span, "a second one", help="add them up in a value of the rules")
    calls = [_Call(declared, cell, call).resolve() for call in tree.calls]
    return tuple(call for call in calls if call is not None)


@dataclass
class _Call:
    declared: Declared
    cell: CellText
    node: nodes.CellCall

    def resolve(self) -> CellCall | None:
        source = self.target()
        if source is None:
            return None
        params = source.rule.params
        takes_player = bool(params) and isinstance(params[0].type, Player)
        wanted = params[1:] if takes_player else params
        given = dict(self.cell.type.given) if isinstance(self.cell.type, EffectCell) else {}
        args = self.match(source, wanted, given)
        return None if args is None else CellCall(source.rule, args, takes_player)

    def target(self) -> RuleSource | None:
        """The rule called: an effect (or an action) in an effect cell, a value of numbers in a formula."""
        name = self.node.name
        forms = ("effect", "action") if isinstance(self.cell.type, EffectCell) else ("value",)
        word = "effect" if isinstance(self.cell.type, EffectCell) else "value"
        source = self.declared.rules.get(name.text)
        if source is None or source.rule.form not in forms:
            known = [n for n, s in self.declared.rules.items() if s.rule.form in forms]
            what = f"there is no {word} `{name.text}`" if source is None else f"`{name.text}` is no {word}"
            others = () if source is None else (Label(source.rule.span, f"a {source.rule.form}"),)
            label = f"this cell holds {'an' if word == 'effect' else 'a'} {word}"
            self.declared.error("R0259", what, name.span, label, others=others, near=known)
            return None
        self.declared.uses.add(name.span, "rule", name.text)
        return source if self.result_fits(source) else None

    def result_fits(self, source: RuleSource) -> bool:
        if not isinstance(self.cell.type, FormulaCell) or source.rule.result is None:
            return True
        result = source.rule.result
        if isinstance(result, Number):
            if result.high >= self.cell.type.low and result.low <= self.cell.type.high:
                return True
            what = f"gives {result}, never {self.cell.type.low}..{self.cell.type.high}"
        else:
            what = f"gives no number but {result}"
        self.misfit(source, f"`{source.rule.name}` {what}", self.node.name.span)
        return False

    def misfit(self, source: RuleSource, what: str, span: Span, label: str = "", help: str | None = None) -> None:
        """Reports that the call does not fit the rule, which is shown as a second place."""
        self.declared.error("R0260", what, span, label, others=(Label(source.rule.span, "declared here"),), help=help)

    def match(
        self, source: RuleSource, wanted: tuple[LocalDecl, ...], given: dict[str, VType]
    ) -> tuple[object, ...] | None:
        """An argument for every parameter after the player; None after a finding."""
        by_name = self.named(source, wanted, given)
        if by_name is None:
            return None
        # `effect hit(p, target: Card, n: 1..9)` in a column `effect given (target: Card)`: the cell `hit(3)` fills n,
        # because `perform … with target = c` supplies the target.
        positional = [arg for arg in self.node.args if arg.name is None]
        filled: list[object] = []
        for param in wanted:
            default = source.defaults[param.number] if param.number < len(source.defaults) else None
            if param.name in by_name:
                value = self.argument(by_name[param.name], param, source)
            elif param.name in given:
                value = self.supplied(param, given[param.name], source)
            elif positional:
                value = self.argument(positional.pop(0), param, source)
            else:
                value = default
                if value is None:
                    what, help = f"`{source.rule.name}` needs `{param.name}`", f"`{param.name}` is {param.type}"
                    if isinstance(self.cell.type, EffectCell) and param.name not in given:
                        column = f"`effect given ({param.name}: {param.type})`"
                        help += f"; if whoever performs it gives it, the column is {column}"
                    self.misfit(source, what, self.node.span, "an argument is missing", help)
            if value is None:
                return None
            filled.append(value)
        if positional:
            names = listed([param.name for param in wanted]) if wanted else "nothing but the player"
            what = f"too many arguments for `{source.rule.name}`"
            self.misfit(source, what, positional[0].span, "one too many", f"it takes {names}")
            return None
        return tuple(filled)

    def named(
        self, source: RuleSource, wanted: tuple[LocalDecl, ...], given: dict[str, VType]
    ) -> dict[str, nodes.CellArg] | None:
        names = {param.name for param in wanted}
        found: dict[str, nodes.CellArg] = {}
        for arg in self.node.args:
            if arg.name is None:
                continue
            name = arg.name.text
            if name not in names:
                help = did_you_mean(name, names) or (f"it has {listed(sorted(names))}" if names else None)
                self.misfit(source, f"`{source.rule.name}` has no parameter `{name}`", arg.name.span, help=help)
                return None
            if name in given or name in found:
                why = "`perform` supplies this" if name in given else "a second time"
                self.declared.error("R0260", f"`{name}` is given twice", arg.name.span, why)
                return None
            self.declared.uses.add(arg.name.span, "parameter", source.rule.name, name)
            found[name] = arg
        return found

    def argument(self, arg: nodes.CellArg, param: LocalDecl, source: RuleSource) -> object | None:
        """The value of an argument. Any mistake in it is reported at the cell, with the rule as a second place."""
        found = self.declared.found.found
        before = len(found)
        known = evaluate(self.declared, arg.value, param.type)
        what = f"`{param.name}` of `{source.rule.name}`"
        value = None if known is None else fit(self.declared, known, param.type, arg.value.span, what)
        beside = (Label(source.rule.span, "declared here"),)
        # The evaluator reports in terms of constants in rules; here the mistake is in a data file.
        found[before:] = [replace(finding, code="R0260", others=beside) for finding in found[before:]]
        return value

    def supplied(self, param: LocalDecl, supplied: VType, source: RuleSource) -> object | None:
        # Unlike an argument in the rules, this one is not tested in play: the checker has the last word.
        if surely_fits(self.declared, supplied, param.type):
            return Given(param.name)
        what = f"`{param.name}` of `{source.rule.name}` is {param.type}, and {supplied} is supplied"
        self.misfit(source, what, self.node.name.span)
        return None
