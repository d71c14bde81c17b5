"""Charts: printed tables that are not pieces, as total functions of their parameters.

The values are in the rules (`= 4, 3, 2, 2`, with brackets for each further parameter) or in a file with one row per
combination of arguments. Rows of a file are taken in order, or matched by the columns that are named like the
parameters. A chart over seats may list values for the largest player count; those of absent seats are ignored. A chart
without parameters is a list of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from math import prod

from ..ruleset.gathered import Placed, Row, TableFile
from ..syntax import nodes
from .columns import MOST_ENTRIES, nothing_in
from .constant_values import evaluate_as
from .declare_types import dimension_of, domain_of, shown, sound_type_of, type_of
from .declared import Column, Draft
from .program import AttributeTable, ChartDecl, Dimension
from .tables import absent_seats, first_line, read_cell, read_tables
from .value_types import Flag, Number, PlaceOf, Player, VType, bare


def declare_charts(draft: Draft) -> None:
    for chart, placed in draft.all(nodes.Chart):
        if chart.name.text not in draft.declared.charts:
            _Chart(draft, chart, placed).declare()


@dataclass(frozen=True)
class _Argument:
    """A parameter with its possible numbers, in order. `most` is how many values may be written for it."""

    param: nodes.Param
    dimension: Dimension
    numbers: tuple[int, ...]
    most: int


class _Chart:
    def __init__(self, draft: Draft, node: nodes.Chart, placed: Placed) -> None:
        self.draft, self.declared, self.node, self.placed = draft, draft.declared, node, placed
        self.name = node.name.text
        self.arguments = self.read_params()
        self.size = prod(argument.dimension.size for argument in self.arguments)

    def declare(self) -> None:
        rows = self.size
        if self.node.file is None:
            columns = {"": self.plain()}
        else:
            table = self.draft.table(self.placed, self.node.file)
            rows = self.size if self.arguments else len(table.rows) if table is not None else 0
            by_number = self.rows_by_number(table, self.node.file)
            owner = f"the chart {self.name}"
            columns = read_tables(self.draft, "chart", self.name, owner, self.node.fields, by_number, rows)
        dimensions = tuple(argument.dimension for argument in self.arguments)
        params = tuple(argument.param.name.text for argument in self.arguments)
        span = self.node.name.span
        self.declared.charts[self.name] = ChartDecl(self.name, params, dimensions, rows, columns, self.node.cited, span)
        for column, values in columns.items():
            self.declared.attributes[f"chart:{self.name}", column] = values
            self.declared.attribute_types[self.name, column] = values.type

    def read_params(self) -> list[_Argument]:
        arguments: list[_Argument] = []
        size = 1
        for param in self.node.params:
            value_type, is_sound = (Player(), True) if param.type is None else sound_type_of(self.declared, param.type)
            if not is_sound:
                continue
            dimension = dimension_of(self.declared, value_type)
            if dimension is None or size * dimension.size > MOST_ENTRIES:
                why = "too many values" if dimension else "without fixed values"
                self.declared.error("R0413", f"a chart cannot be read by a {value_type}", param.span, why)
                continue
            if param.default is not None:
                self.declared.error("R0304", "a parameter of a chart has no default", param.default.span)
            size *= dimension.size
            arguments.append(self.argument(param, dimension))
        return arguments

    def argument(self, param: nodes.Param, dimension: Dimension) -> _Argument:
        numbers = domain_of(self.declared, dimension.type)
        if numbers is None:
            numbers = tuple(range(dimension.low, dimension.low + dimension.size))
        most = self.declared.gathered.most if isinstance(dimension.type, Player) else len(numbers)
        return _Argument(param, dimension, numbers, most)

    def number_of(self, values: tuple[int, ...]) -> int:
        """The row number for some arguments, in mixed radix."""
        number = 0
        for argument, value in zip(self.arguments, values, strict=True):
            number = number * argument.dimension.size + value - argument.dimension.low
        return number

    def combinations(self) -> list[tuple[int, ...]]:
        return list(product(*(argument.numbers for argument in self.arguments)))

    # ------------------------------------------------------------------ values in the rules

    def plain(self) -> AttributeTable:
        before = len(self.declared.found)
        value_type = self.value_type()
        column = Column(self.name, "the chart", value_type, (), self.node.name.span)
        values = [nothing_in(column)] * (self.size + 1)
        if not self.node.params:
            help = f"write `{self.name}(n: 1..{len(self.node.values)})`, or a constant"
            headline = f"the chart `{self.name}` has no parameters to be read by"
            self.declared.error("R0421", headline, self.node.name.span, help=help)
        elif len(self.arguments) == len(self.node.params) and len(self.declared.found) == before:
            for arguments, item in self.written(self.node.values, self.arguments, ()):
                known = evaluate_as(self.declared, item, value_type, f"a value of `{self.name}`")
                if known is not None:
                    values[self.number_of(arguments)] = known
        return AttributeTable("", "chart", self.name, value_type, (), tuple(values))

    def value_type(self) -> VType:
        if self.node.type is None:
            numbers = [item.value for item in _leaves(self.node.values) if isinstance(item, nodes.Number)]
            return Number(min(numbers, default=0), max(numbers, default=0))
        value_type = type_of(self.declared, self.node.type)
        if isinstance(bare(value_type), PlaceOf):
            self.declared.error("R0412", "a chart cannot give a place", self.node.type.span)
            return Flag()
        return value_type

    def written(
        self, items: nodes.Exprs, arguments: list[_Argument], chosen: tuple[int, ...]
    ) -> list[tuple[tuple[int, ...], nodes.Expr]]:
        """Every written value with its arguments; brackets hold the values of the next parameter."""
        argument, rest = arguments[0], arguments[1:]
        if not len(argument.numbers) <= len(items) <= argument.most:
            span = items[0].span.to(items[-1].span) if items else self.node.name.span
            headline = f"{len(items)} values where {len(argument.numbers)} are needed"
            self.declared.error("R0421", headline, span, f"one for each of {argument.dimension.type}")
            return []
        pairs = [((*chosen, number), item) for number, item in zip(argument.numbers, items, strict=False)]
        if not rest:
            return pairs
        inner = [(values, item.items if isinstance(item, nodes.Several) else (item,)) for values, item in pairs]
        return [found for values, under in inner for found in self.written(under, rest, values)]

    # ------------------------------------------------------------------ rows of a file

    def rows_by_number(self, table: TableFile | None, file: nodes.Name) -> dict[int, Row]:
        if table is None or len(self.arguments) < len(self.node.params):
            return {}
        if not self.arguments:
            return dict(enumerate(table.rows))
        names = {argument.param.name.text for argument in self.arguments}
        if any(name in row.cells for row in table.rows for name in names):
            return self.rows_by_arguments(table.rows, file)
        combinations = self.combinations()
        most = self.arguments[0].most if len(self.arguments) == 1 else len(combinations)
        if not len(combinations) <= len(table.rows) <= most:
            headline = f"{table.path} has {len(table.rows)} rows where the chart needs {len(combinations)}"
            self.declared.error("R0258", headline, file.span, "one row for each combination of arguments")
        return {self.number_of(values): row for values, row in zip(combinations, table.rows, strict=False)}

    def rows_by_arguments(self, rows: tuple[Row, ...], file: nodes.Name) -> dict[int, Row]:
        found: dict[int, Row] = {}
        is_sound = True
        for row in (row for row in rows if not self.is_of_absent_seat(row)):
            number = self.number_of_row(row)
            if number is None:
                is_sound = False
            elif found.setdefault(number, row) is not row:
                at, first = first_line(row.span), first_line(found[number].span)
                self.declared.error("R0258", "two rows for the same arguments", at, first=first)
        missing = [values for values in self.combinations() if self.number_of(values) not in found]
        if missing and is_sound:
            types = [argument.dimension.type for argument in self.arguments]
            said = ", ".join(shown(self.declared, t, value) for t, value in zip(types, missing[0], strict=True))
            more = f" and {len(missing) - 1} more" if len(missing) > 1 else ""
            headline = f"the chart `{self.name}` has no row for {said}{more}"
            self.declared.error("R0258", headline, file.span, "a chart has a row for all arguments")
        return found

    def is_of_absent_seat(self, row: Row) -> bool:
        seats = [a.param.name.text for a in self.arguments if isinstance(a.dimension.type, Player)]
        cells = [row.cells[name].value for name in seats if name in row.cells]
        return any(isinstance(seat, str) and seat in absent_seats(self.declared) for seat in cells)

    def number_of_row(self, row: Row) -> int | None:
        before = len(self.declared.found)
        values: list[int] = []
        for argument in self.arguments:
            name = argument.param.name
            column = Column(name.text, f"the chart {self.name}", argument.dimension.type, (), name.span)
            value = read_cell(self.declared, row.cells.get(name.text), column, row.span, row.id)
            if isinstance(value, int):
                values.append(value)
        return self.number_of(tuple(values)) if len(self.declared.found) == before else None


def _leaves(items: nodes.Exprs) -> list[nodes.Expr]:
    return [leaf for item in items for leaf in (_leaves(item.items) if isinstance(item, nodes.Several) else [item])]
