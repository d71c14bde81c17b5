"""A table's own schema, derived from its declaration, for editors that complete and check tables.

`kind Kaiju from kaiju.yaml` with `value: 1..11` gives the schema of a table whose rows have a whole number `value`.
What the declaration cannot say (the values of an enum, the ids of another table) is passed in as `members`; a
bound that is a constant is passed in as `constants`. What is unknown is left open rather than guessed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ..syntax import nodes
from ..syntax.bounds import number_of
from .schema import schema_text
from .tables import TabledDeclaration, form_of

Schema = dict[str, Any]


def derive_table_schema(
    declaration: TabledDeclaration,
    members: Mapping[str, Sequence[str]] | None = None,
    constants: Mapping[str, int] | None = None,
) -> Schema:
    """The JSON Schema of the table of a kind, enum or chart."""
    names = _Names(members or {}, constants or {})
    schema: Schema = json.loads(schema_text("table"))
    form, name = form_of(declaration), declaration.name.text
    schema["$id"] = f"{name}.table.schema.json"
    schema["title"] = f"the table of the {form} `{name}`"
    for other in {"kind", "enum", "chart"} - {form}:
        del schema["properties"][other]
    schema["properties"][form] = {"const": name, "description": f"The {form} whose rows these are."}
    schema["required"] = [form, *schema["required"]]
    del schema["oneOf"]
    _describe_row(schema["$defs"]["row"], declaration, names)
    return schema


def _describe_row(row: Schema, declaration: TabledDeclaration, names: _Names) -> None:
    columns = {field.name.text: names.column(field) for field in declaration.fields}
    if isinstance(declaration, nodes.Chart):
        columns |= {param.name.text: names.cell(param.type) for param in declaration.params}
    if not isinstance(declaration, nodes.Kind):
        del row["properties"]["copies"]
    needed = [field.name.text for field in declaration.fields if _must_stand(field)]
    row["properties"] |= columns
    row["required"] = needed if isinstance(declaration, nodes.Chart) else ["id", *needed]
    row["additionalProperties"] = False
    del row["propertyNames"]
    marks = {"enum": [*columns, "copies", "name"], "description": "A column."}
    for key in ("known", "assumed"):
        row["properties"][key]["items"] = marks


def _must_stand(field: nodes.Field) -> bool:
    """True unless the attribute is optional or has a start value; then the column may be left out."""
    return field.start is None and not isinstance(field.type, nodes.OptionalType)


class _Names:
    """Turns types into schemas, using what is known about names."""

    def __init__(self, members: Mapping[str, Sequence[str]], constants: Mapping[str, int]) -> None:
        self.members = members
        self.constants = constants

    def column(self, field: nodes.Field) -> Schema:
        schema = self.cell(field.type)
        for index in reversed(field.indexes):
            schema = {"anyOf": [self._by_index(index, schema), {"type": "array", "items": schema}]}
        return {**schema, "description": f"`{field.span.text.strip().splitlines()[0]}`" if field.span.text else ""}

    def _by_index(self, index: nodes.TypeNode, values: Schema) -> Schema:
        keys = self.cell(index).get("enum")
        schema: Schema = {"type": "object", "additionalProperties": values}
        return {**schema, "propertyNames": {"enum": keys}} if keys else schema

    def cell(self, type_node: nodes.TypeNode | None) -> Schema:
        match type_node:
            case nodes.Range():
                return {"type": "integer", **self._bounds(type_node)}
            case nodes.FlagType():
                return {"enum": ["yes", "no", True, False]}
            case nodes.Kinds():
                known = [self.members.get(name.text) for name in type_node.names]
                words = [word for listed in known for word in listed or ()]
                return {"enum": words} if words and all(known) else {"type": "string"}
            case nodes.SetType():
                return {"type": "array", "items": self.cell(type_node.of), "uniqueItems": True}
            case nodes.OptionalType():
                return {"anyOf": [self.cell(type_node.of), {"type": "null"}, {"const": "none"}]}
            case nodes.ValueType():
                return {"type": ["string", "integer"]}
            case nodes.EffectType() | nodes.PlayerType() | None:
                return {"type": "string"}
            case _:
                return {}

    def _bounds(self, range_node: nodes.Range) -> Schema:
        bounds = {"minimum": self._bound(range_node.low), "maximum": self._bound(range_node.high)}
        return {key: bound for key, bound in bounds.items() if bound is not None}

    def _bound(self, bound: nodes.Bound) -> int | None:
        return number_of(bound, self.constants)
