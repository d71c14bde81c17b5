"""Classes that are dataclasses by their base: the tree, the checked program and the instructions are made of them.

There are more than five hundred such classes, and whatever parses, checks or compiles makes all of them when it starts.
`dataclass` writes and compiles the text of up to six methods for each class, which takes longer than everything else
that happens then. So only `__init__` is written, and only when the first object of a class is made: a small game uses a
third of the classes. The others are inherited from here, and they go by the fields.

That a node never changes is seen by the type checker (`frozen_default`), and not tested again at run time: nodes are
made by the ten thousand, and a frozen dataclass takes twice as long to make.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from operator import attrgetter
from typing import Any, ClassVar, dataclass_transform


class _Record:
    def __init_subclass__(cls) -> None:
        if not cls.__doc__:
            cls.__doc__ = cls.__name__  # otherwise `dataclass` works out a signature to put there
        dataclass(init=False, repr=False, eq=False)(cls)
        if "__init__" not in cls.__dict__:
            cls.__init__ = _written_at_first_use(cls)  # type: ignore[method-assign]

    def __repr__(self) -> str:
        shown = ", ".join(f"{item.name}={getattr(self, item.name)!r}" for item in fields(self) if item.repr)  # type: ignore[arg-type]
        return f"{type(self).__qualname__}({shown})"


def _written_at_first_use(cls: type) -> Callable[..., None]:
    """An `__init__` that puts a written one in its place and calls that."""

    def __init__(self: Any, *given: Any, **named: Any) -> None:
        # Two threads may both come here: they write the same.
        cls.__init__ = written = _written(cls)  # type: ignore[misc]
        written(self, *given, **named)

    return __init__


def _written(cls: type) -> Callable[..., None]:
    """What `dataclass` would write as `__init__`: parameters in the order of the fields, those by keyword last."""
    own = [item for item in fields(cls) if item.init]
    known: dict[str, Any] = {"MISSING": MISSING}
    params, body = ["self"], []
    for item in sorted(own, key=lambda item: bool(item.kw_only)):
        if item.kw_only and "*" not in params:
            params.append("*")
        value = item.name
        if item.default_factory is not MISSING:
            known[f"make_{item.name}"] = item.default_factory
            params.append(f"{item.name}=MISSING")
            value = f"make_{item.name}() if {item.name} is MISSING else {item.name}"
        elif item.default is not MISSING:
            known[f"default_{item.name}"] = item.default
            params.append(f"{item.name}=default_{item.name}")
        else:
            params.append(item.name)
        body.append(f"    self.{item.name} = {value}\n")
    for item in fields(cls):
        if not item.init and item.default_factory is not MISSING:
            known[f"make_{item.name}"] = item.default_factory
            body.append(f"    self.{item.name} = make_{item.name}()\n")
    if hasattr(cls, "__post_init__"):
        body.append("    self.__post_init__()\n")
    text = f"def __init__({', '.join(params)}):\n{''.join(body) or '    pass'}"
    made: dict[str, Any] = {}
    exec(text, known, made)
    found: Callable[..., None] = made["__init__"]
    found.__qualname__ = f"{cls.__qualname__}.__init__"
    return found


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
