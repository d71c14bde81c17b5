"""Dataclasses as bytes and back, without pickle: for what the program keeps for itself in its cache.

`pickle.loads` runs whatever the file tells it to. Here a file can only say "a dataclass of this package with these
values". The bytes are those of `marshal`, which is fast and knows numbers, texts, tuples, lists, dicts and sets, and is
no more careful with broken input than pickle is. So `from_bytes` is only ever given bytes whose digest was checked
(`cache.py`).

A value that marshal can write by itself is *plain* and stands as it is, however large it is: most of a compiled game is
tables of numbers. Anything else is a list that begins with its kind:

    [0, value]              plain
    [1, items]              a tuple; [2, items] a list; [3, keys, values] a dict; [6, items] a frozenset
    [4, class, values]      a dataclass; `class` counts in the list of class names at the head of the file
    [5, start, stop, step]  a range
    [7]                     the object that the reader puts in: the source text of a syntax tree
"""

from __future__ import annotations

import marshal
from dataclasses import fields, is_dataclass
from importlib import import_module
from typing import Any

VERSION = 4  # of marshal's format; older ones know no references
_PACKAGE = __name__.split(".")[0]
_SINGLE = frozenset((int, str, bytes, float, bool, type(None)))
_MANY = frozenset((tuple, list, frozenset, set))


class NotPlainData(TypeError):
    """Something that cannot be kept."""


def to_bytes(value: Any, put_in: Any = None) -> bytes:
    """Raises NotPlainData, or RecursionError for what is nested too deep. `put_in` is left out, wherever it stands."""
    classes: _Classes = {}
    encoded = _encoded(value, classes, put_in)
    return marshal.dumps(([f"{kind.__module__}:{kind.__qualname__}" for kind in classes], encoded), VERSION)


def from_bytes(content: bytes, put_in: Any = None) -> Any:
    """What `to_bytes` was given. Raises ValueError, EOFError or TypeError for anything else."""
    names, encoded = marshal.loads(content)
    return _decoded(encoded, [_class_named(name) for name in names], put_in)


# ---------------------------------------------------------------------------- to bytes

_Classes = dict[
    type, tuple[int, tuple[str, ...]]
]  # the classes met so far: their numbers, and the names of their fields


def _is_plain(value: Any) -> bool:
    kind = type(value)
    if kind in _SINGLE:
        return True
    if kind in _MANY:
        return all(map(_is_plain, value))
    return kind is dict and all(map(_is_plain, value)) and all(map(_is_plain, value.values()))


def _encoded(value: Any, classes: _Classes, put_in: Any) -> list[Any]:
    if put_in is not None and value is put_in:
        return [7]
    kind = type(value)
    met = classes.get(kind)
    if met is None:
        if _is_plain(value):
            return [0, value]
        if kind is range:
            return [5, value.start, value.stop, value.step]
        if kind is dict:
            keys = [_encoded(key, classes, put_in) for key in value]
            return [3, keys, [_encoded(item, classes, put_in) for item in value.values()]]
        if kind in (tuple, list, frozenset):
            which = 1 if kind is tuple else 2 if kind is list else 6
            return [which, [_encoded(item, classes, put_in) for item in value]]
        if not is_dataclass(value) or not kind.__module__.startswith(f"{_PACKAGE}."):
            raise NotPlainData(f"{kind.__module__}.{kind.__qualname__}")
        met = classes[kind] = (len(classes), tuple(field.name for field in fields(value)))
    number, names = met
    return [4, number, [_encoded(getattr(value, name), classes, put_in) for name in names]]


# ---------------------------------------------------------------------------- and back


class _Class:
    """A dataclass and the names of its fields. Objects are made without `__init__`: their values were checked once."""

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.names = tuple(field.name for field in fields(cls))
        self.has_slots = not hasattr(cls, "__dict__") or "__slots__" in vars(cls)

    def made(self, values: list[Any]) -> Any:
        if len(values) != len(self.names):
            raise ValueError("a class with other fields")
        one: Any = object.__new__(self.cls)
        if self.has_slots:
            for name, value in zip(self.names, values, strict=True):
                object.__setattr__(one, name, value)
        else:
            one.__dict__.update(zip(self.names, values, strict=True))
        return one


def _class_named(name: str) -> _Class:
    module, _, qualified = name.partition(":")
    if not module.startswith(f"{_PACKAGE}."):
        raise ValueError("a class of somebody else")
    cls = getattr(import_module(module), qualified)
    if not is_dataclass(cls) or not isinstance(cls, type):
        raise ValueError("no dataclass")
    return _Class(cls)


def _decoded(encoded: list[Any], classes: list[_Class], put_in: Any) -> Any:
    kind = encoded[0]
    if kind == 0:
        return encoded[1]
    if kind == 4:
        values = [one[1] if one[0] == 0 else _decoded(one, classes, put_in) for one in encoded[2]]
        return classes[encoded[1]].made(values)
    if kind == 7:
        return put_in
    if kind == 5:
        return range(*encoded[1:])
    if kind == 3:
        keys = [_decoded(one, classes, put_in) for one in encoded[1]]
        return dict(zip(keys, [_decoded(one, classes, put_in) for one in encoded[2]], strict=True))
    items = [_decoded(one, classes, put_in) for one in encoded[1]]
    return items if kind == 2 else tuple(items) if kind == 1 else frozenset(items)
