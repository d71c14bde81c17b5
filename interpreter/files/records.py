"""Classes that are dataclasses by their base: the tree, the checked program and the instructions are made of them.

There are more than five hundred such classes, and whatever parses, checks or compiles makes all of them when it starts.
`dataclass` writes and compiles the text of up to six methods for each class, which takes longer than everything else
that happens then. So only `__init__` is written. The others are inherited from here, and they go by the fields.

That a node never changes is seen by the type checker (`frozen_default`), and not tested again at run time: nodes are
made by the ten thousand, and a frozen dataclass takes twice as long to make.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, dataclass_transform


class _Record:
    def __init_subclass__(cls) -> None:
        if not cls.__doc__:
            cls.__doc__ = cls.__name__  # otherwise `dataclass` works out a signature to put there
        dataclass(repr=False, eq=False)(cls)

    def __repr__(self) -> str:
        shown = ", ".join(f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)  # type: ignore[arg-type]
        return f"{type(self).__qualname__}({shown})"


@dataclass_transform(eq_default=False, field_specifiers=(field,))
class Mutable(_Record):
    """Makes every subclass a dataclass that compares by identity, without a decorator on each of them."""


@dataclass_transform(frozen_default=True, eq_default=False, field_specifiers=(field,))
class Frozen(_Record):
    """The same for classes whose values never change."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Value(_Record):
    """The same for classes whose values never change and are equal if their fields are."""

    _compared: ClassVar[Callable[[Any], Any]]

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        names = [item.name for item in fields(cls) if item.compare]  # type: ignore[arg-type]
        cls._compared = staticmethod(attrgetter(*names) if names else _nothing)

    def __eq__(self, other: object) -> bool:
        if other.__class__ is not self.__class__:
            return NotImplemented
        compared = type(self)._compared
        return bool(compared(self) == compared(other))

    def __hash__(self) -> int:
        return hash(type(self)._compared(self))


def _nothing(_value: object) -> tuple[()]:
    return ()


_handlers: dict[type, str] = {}


def handler(kind: type) -> str:
    """The name of the method that handles the nodes of a class: `ReadField` is handled by `_read_field`."""
    if kind not in _handlers:
        _handlers[kind] = "_" + re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()
    return _handlers[kind]
