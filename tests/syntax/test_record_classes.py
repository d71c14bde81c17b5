"""Dataclasses by their base (`files/records.py`): `__init__` is written at first use, as `dataclass` would write it."""

from __future__ import annotations

import inspect
from dataclasses import MISSING, dataclass, field, fields, replace

import pytest

import interpreter.check.program as program
import interpreter.compile.ir as ir
import interpreter.syntax.nodes as nodes
from interpreter.files.records import Frozen, Mutable, Value, _Record, _written


class Card(Value):
    suit: str
    number: int = 1
    marks: list[str] = field(default_factory=list, compare=False)
    place: str = field(default="deck", kw_only=True)


class Joker(Card):
    wild: bool = True


class Counted(Mutable):
    start: int
    total: int = field(init=False, default_factory=int)

    def __post_init__(self) -> None:
        self.total += self.start


class Own(Frozen):
    number: int

    def __init__(self, text: str) -> None:
        self.number = int(text)  # type: ignore[misc]


def test_parameters_come_as_in_a_dataclass() -> None:
    assert Card("red") == Card("red", 1, place="deck") != Card("red", 1, place="hand")
    assert Card("red").marks == [] and Card("red").marks is not Card("red").marks
    assert Joker("red", 2, ["worn"], False, place="box").wild is False and Joker("red").wild
    assert replace(Joker("red"), number=5, place="box").number == 5
    assert Counted(3).total == 3 and Own("7").number == 7


def test_wrong_calls_are_refused_by_name() -> None:
    for wrong in ((), ("red", 1, [], "hand")):
        with pytest.raises(TypeError, match=r"Card\.__init__\(\)"):
            Card(*wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="colour"):
        Card("red", colour="blue")  # type: ignore[call-arg]


def every_record() -> list[type]:
    found, waiting = [], [_Record]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        found += one.__subclasses__()
    return [one for one in found if one.__module__.startswith("interpreter.") and one not in (Frozen, Mutable, Value)]


def test_every_class_of_the_project_has_the_parameters_that_dataclass_would_give_it() -> None:
    assert {nodes.Game, program.Compare, ir.Let} <= set(every_record()) and len(every_record()) > 400
    for one in every_record():
        if inspect.unwrap(one.__init__).__code__.co_filename == inspect.getfile(one):
            continue  # written by hand
        names = {item.name: item for item in fields(one)}  # type: ignore[arg-type]
        body = {name: _as_declared(item) for name, item in names.items()}
        spelled = dataclass(type(one.__name__, (), {"__annotations__": dict.fromkeys(names, object), **body}))
        expected = inspect.signature(spelled.__init__).parameters.values()
        written = inspect.signature(_written(one)).parameters.values()
        told = [[(p.name, p.kind, p.default is p.empty) for p in params] for params in (expected, written)]
        assert told[0] == told[1], one


def _as_declared(item: object) -> object:
    """A field as it may stand in the body of another class; what it is by default does not matter here."""
    assert hasattr(item, "default") and hasattr(item, "default_factory") and hasattr(item, "kw_only")
    has_default = item.default is not MISSING or item.default_factory is not MISSING
    return field(kw_only=item.kw_only, default=None) if has_default else field(kw_only=item.kw_only)
