"""The tables of forms: every form has a row, the rows agree with what the forms hold, and no pass overlooks a form."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields
from functools import cache

import pytest

from interpreter.check import forms
from interpreter.check import program as p
from interpreter.check.cycles import refuse_cycles
from interpreter.check.expression_forms import EXPRESSIONS, asked_rule, evaluated_elsewhere, looks_at
from interpreter.check.facts import key_of, reads_of
from interpreter.check.forms import STATEMENTS, UnknownForm
from interpreter.check.loops import check_loops
from interpreter.check.narrowing import falls_through, written
from interpreter.check.passes import check_effort
from interpreter.check.show import show_program
from interpreter.check.use import check_use
from interpreter.check.value_types import Number
from interpreter.check.visibility import check_visibility
from interpreter.check.walk import expressions, statements, walk, walk_program
from interpreter.cli.show_flow import flow_of
from interpreter.compile.analysis import Analysis
from interpreter.compile.footprint import Footprints
from interpreter.compile.lower_statements import StatementLowering
from interpreter.compile.passes import lower_program
from interpreter.diagnostics.diagnostic import Diagnostics
from interpreter.diagnostics.source import NOWHERE
from interpreter.runtime.game import game_from_program
from tests.check.test_elaborate_cases import chunks, elaborate
from tests.toy_games import TOYS, checked, toy_program


def every_form(of: type) -> set[type]:
    """All classes of the checked program below this one."""
    found = {kind for kind in of.__subclasses__() if kind.__module__.startswith(f"{p.__name__}.")}
    return found.union(*(every_form(kind) for kind in found))


@cache
def every_node() -> tuple[object, ...]:
    """Whatever stands in the toys and in the good cases."""
    programs = [toy_program(name) for name in TOYS] + [elaborate(chunk)[0] for chunk in chunks("good")]
    return tuple(node for program in programs for node in walk_program(program))


def every_statement() -> list[p.Stmt]:
    return [node for node in every_node() if isinstance(node, p.Stmt)]


# ---------------------------------------------------------------------------- the rows


def test_every_statement_has_a_row_and_every_row_a_statement() -> None:
    assert set(STATEMENTS) == every_form(p.Stmt)


def test_every_expression_has_a_row_and_every_row_an_expression() -> None:
    assert set(EXPRESSIONS) == every_form(p.Expr)


def test_the_examples_below_show_every_form() -> None:
    seen = {type(node) for node in every_node()}
    assert every_form(p.Stmt) - seen == set()
    assert every_form(p.Expr) - seen == set()


STATEMENT_FACTS = [
    forms.inner,
    forms.flow,
    forms.question,
    forms.calls,
    forms.binds,
    forms.written_fields,
    forms.alters,
    forms.motion,
    forms.is_chance,
    forms.tells,
    forms.demands,
    forms.evaluated_elsewhere,
]


def test_every_column_of_the_table_is_laid_against_every_statement() -> None:
    assert len(STATEMENT_FACTS) == len(fields(forms.Form))
    for stmt in every_statement():
        for fact in STATEMENT_FACTS:
            fact(stmt)


def test_every_fact_about_expressions_is_laid_against_every_expression() -> None:
    for node in every_node():
        if isinstance(node, p.Expr):
            looks_at(node), asked_rule(node), evaluated_elsewhere(node)


# ---------------------------------------------------------------------------- the rows and the fields


def held(node: object, kind: type) -> Iterator[object]:
    """What a node itself holds of a kind, also in its branches, amounts and costs, statements left out."""
    if isinstance(node, kind):
        yield node
    elif isinstance(node, tuple):
        for item in node:
            yield from held(item, kind)
    elif isinstance(node, p.BranchDecl | p.CounterAmount | p.Destination):
        for part in fields(node):
            yield from held(getattr(node, part.name), kind)


def held_by(stmt: p.Stmt, kind: type) -> list[object]:
    return [found for part in fields(stmt) for found in held(getattr(stmt, part.name), kind)]


def test_blocks_are_all_the_statements_that_a_statement_holds() -> None:
    for stmt in every_statement():
        inside = [inner for block in forms.blocks(stmt) for inner in block]
        assert inside == held_by(stmt, p.Stmt), type(stmt)
        deep = [node for node in walk(stmt) if isinstance(node, p.Stmt)]
        assert list(statements((stmt,))) == deep


def test_names_live_on_or_live_in_a_block() -> None:
    for stmt in every_statement():
        for local in held_by(stmt, p.LocalDecl):
            assert local in forms.binds(stmt) or forms.inner(stmt), type(stmt)


def test_whoever_sends_pieces_somewhere_moves() -> None:
    for stmt in every_statement():
        for to in held_by(stmt, p.Destination):
            assert isinstance(to, p.Destination)
            moved = forms.motion(stmt)
            assert moved is not None, type(stmt)
            assert isinstance(to.place, p.Box) or to.place.place in moved.put_into  # type: ignore[attr-defined]


def test_whoever_names_a_field_itself_writes_it() -> None:
    for stmt in every_statement():
        for field in held_by(stmt, p.FieldDecl):
            assert field in forms.written_fields(stmt), type(stmt)


def test_every_expression_is_evaluated_by_a_statement_or_by_one_inside_it() -> None:
    for stmt in every_statement():
        own = {id(node) for node in expressions(stmt)}
        inside = {id(node) for block in forms.blocks(stmt) for node in walk(block)}
        assert {id(node) for node in walk(stmt) if isinstance(node, p.Expr)} <= own | inside


# ---------------------------------------------------------------------------- a form that nobody has described

TOY = """
table
  fame: 0..9
each player
  coins: 0..9
value worth(p): 0..9 = p.coins
effect rise(p)
  p.coins += 1
play
  repeat
    seat1 chooses n in 1..2
    rise(seat1)
    if n == 2
      stop
  seat1 wins
"""


class Sneeze(p.Stmt):
    """A statement that is in no table."""


class Whim(p.Expr):
    """An expression that is in no table."""


Pass = Callable[[p.Program], object]


def _found(check: Callable[[p.Program, Diagnostics], None]) -> Pass:
    return lambda program: check(program, Diagnostics())


def _footprints(program: p.Program) -> object:
    return Footprints(Analysis(program)).writes(program.rules["rise"].body)


def _what_is_seen(program: p.Program) -> object:
    return Footprints(Analysis(program)).rule_reads(program.rules["rise"])


BY_STATEMENT: dict[str, Pass] = {
    "what falls through": lambda program: falls_through(program.rules["rise"].body),
    "what is written": lambda program: [written(None, s) for s in program.rules["rise"].body],  # type: ignore[arg-type]
    "cycles": _found(refuse_cycles),
    "loops": _found(check_loops),
    "use": _found(check_use),
    "visibility": _found(check_visibility),
    "analysis": Analysis,
    "footprints": _footprints,
    "lowering": lower_program,
    "flow": flow_of,
}
BY_EXPRESSION: dict[str, Pass] = {
    "facts": lambda program: reads_of(_let(program).value),
    "keys": lambda program: key_of(_let(program).value),
    "cycles": _found(refuse_cycles),
    "loops": _found(check_loops),
    "effort": _found(lambda program, found: check_effort(program, program.rules.values(), found)),
    "use": _found(check_use),
    "visibility": _found(check_visibility),
    "footprints": _what_is_seen,
    "lowering": lower_program,
}


def _let(program: p.Program) -> p.Let:
    first = program.rules["rise"].body[0]
    assert isinstance(first, p.Let)
    return first


@pytest.mark.parametrize("name", BY_STATEMENT)
def test_a_statement_that_nobody_has_described_is_noticed(name: str) -> None:
    program = checked(TOY)
    BY_STATEMENT[name](program) if name != "what is written" else None
    for rule in (program.rules["rise"], program.rules["play"]):
        rule.body = (Sneeze(rule.span), *rule.body)
    with pytest.raises(UnknownForm, match="Sneeze"):
        BY_STATEMENT[name](program)


@pytest.mark.parametrize("name", BY_EXPRESSION)
def test_an_expression_that_nobody_has_described_is_noticed(name: str) -> None:
    program = checked(TOY)
    rule = program.rules["rise"]
    local = p.LocalDecl(7, "whim", Number(0, 9))
    rule.body = (p.Let(rule.span, local, Whim(Number(0, 9), NOWHERE)), *rule.body)
    with pytest.raises(UnknownForm, match="Whim"):
        BY_EXPRESSION[name](program)


def test_a_row_is_all_that_the_passes_need(monkeypatch: pytest.MonkeyPatch) -> None:
    """A statement with a row and a way to be lowered goes through every pass, and is played."""
    done: list[p.Stmt] = []
    monkeypatch.setitem(STATEMENTS, Sneeze, forms.Form())
    monkeypatch.setattr(StatementLowering, "_sneeze", lambda self, stmt: done.append(stmt), raising=False)
    program = checked(TOY)
    for rule in (program.rules["rise"], program.rules["play"]):
        rule.body = (Sneeze(rule.span), *rule.body)
    for name, run in BY_STATEMENT.items():
        if name != "what is written":  # which asks for the world of the rule
            run(program)
    assert game_from_program(program).playout(1).winners
    assert {type(stmt) for stmt in done} == {Sneeze}


def test_a_form_without_words_is_printed_by_its_name_and_fields() -> None:
    program = checked(TOY)
    rule = program.rules["rise"]
    rule.body = (Sneeze(rule.span), *rule.body)
    assert "  sneeze\n  p#0.coins += 1" in show_program(program)
