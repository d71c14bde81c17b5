"""Clause tags hang on the smallest thing that their line is part of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import Any

from reading import parse

from interpreter.syntax import nodes

TEXT = """
table                                          @A-1
  deck: pile of K hidden                       @A-2 @A-3   # a comment with @Z-9
phase take(p) "Take @Z-8 {p}"                  @A-4
  choose c in deck where c.rank == 1,          @A-5
         d in deck where d != c                @A-6
    take(p, c)                                 @A-7
  if a                                         @A-8
         or b                                  @A-9
    stop
  else if c
    done                                       @A-10
  else                                         @A-11
    prevent
  may "More"                                   @A-12
    stop
  else                                         @A-13
    done
  choose one                                   @A-14
    "Left"                                     @A-15
      stop
    act(p)                                     @A-16
value far(p): flag = (a                        @A-17
  and b)                                       @A-18
score p                                        @A-19
  "Coins"  p.coins                             @A-20
variant v of x "V"                             @A-21
  replace effect e(p)                          @A-22
    stop
scenario "S"                                   @A-23
  given                                        @A-24
    at play                                    @A-25
  then
    p may not choose "Left" because @A-26      @A-27
"""


def cited(node: Any) -> Iterator[tuple[str, list[str]]]:
    """Every node with tags, in the order of the tree."""
    if isinstance(node, tuple):
        for item in node:
            yield from cited(item)
    elif isinstance(node, nodes.Node):
        if isinstance(node, nodes.Cited) and node.cites:
            yield type(node).__name__, [cite.text for cite in node.cites]
        for field in fields(node):
            if field.name != "cites":
                yield from cited(getattr(node, field.name))


def test_tags_hang_on_the_right_node() -> None:
    assert list(cited(parse(TEXT))) == [
        ("Table", ["A-1"]),
        ("Field", ["A-2", "A-3"]),
        ("Phase", ["A-4"]),
        ("Choose", ["A-5", "A-6"]),
        ("Call", ["A-7"]),
        ("If", ["A-11"]),
        ("IfCase", ["A-8", "A-9"]),
        ("Done", ["A-10"]),
        ("May", ["A-12", "A-13"]),
        ("ChooseOne", ["A-14"]),
        ("Branch", ["A-15"]),
        ("CallBranch", ["A-16"]),
        ("Value", ["A-17", "A-18"]),
        ("Score", ["A-19"]),
        ("ScoreLine", ["A-20"]),
        ("Variant", ["A-21"]),
        ("Effect", ["A-22"]),
        ("Scenario", ["A-23", "A-24"]),
        ("StandAt", ["A-25"]),
        ("RefusedTo", ["A-27"]),
    ]


def test_a_tag_knows_its_place() -> None:
    (table,) = parse("table   @K-041\n  fame: 0..9\n").declarations
    (cite,) = table.cites
    assert cite.span.text == "@K-041"
    assert (cite.span.line, cite.span.column) == (1, 9)


def test_because_names_a_clause_and_is_no_tag() -> None:
    (scenario,) = parse('scenario "S"\n  then\n    p may not choose "A" because @K-1 @K-2\n').declarations
    assert isinstance(scenario, nodes.Scenario)
    (part,) = scenario.parts
    assert isinstance(part, nodes.Then)
    (refused,) = part.expectations
    assert isinstance(refused, nodes.RefusedTo) and refused.because is not None
    assert refused.because.text == "K-1"
    assert [cite.text for cite in refused.cites] == ["K-2"]
