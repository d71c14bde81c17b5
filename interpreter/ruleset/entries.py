"""Declarations on their way through the layers: the key of each, the files it reads, and the layers that changed it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ..diagnostics.source import Span
from ..syntax import nodes
from .gathered import Layer, Placed

Key = tuple[str, ...]


@dataclass(frozen=True)
class FileRef:
    """A file that a declaration reads, in the folder of the layer that names it."""

    layer: Layer
    name: nodes.Name

    @property
    def folder(self) -> Path:
        return self.layer.folder


@dataclass
class Entry:
    """A declaration on its way through the layers."""

    declaration: nodes.Declaration
    layer: Layer
    replaced: tuple[nodes.Declaration, ...] = ()
    files: tuple[FileRef, ...] = ()
    writers: tuple[Layer, ...] = ()  # of `replaced`
    writer: Layer | None = None  # of the last change, where that is not the layer it belongs to
    is_gone: bool = False  # removed by a variant; a variant that overrides that one can bring it back

    @property
    def placed(self) -> Placed:
        return Placed(self.declaration, self.layer, self.replaced, (*self.writers, self.writer or self.layer))

    def become(self, declaration: nodes.Declaration, layer: Layer, files: tuple[FileRef, ...] | None = None) -> None:
        self.replaced = (*self.replaced, self.declaration)
        self.writers, self.writer = (*self.writers, self.writer or self.layer), layer
        self.declaration, self.layer = declaration, layer
        if files is not None:
            self.files = files

    def change_part(self, declaration: nodes.Declaration, writer: Layer) -> None:
        """Change part of the declaration: it still belongs to its layer, although `writer` changed it."""
        self.become(declaration, self.layer)
        self.writer = writer


@dataclass(frozen=True)
class Touch:
    """One change by a layer: which layer, with which verb, and where that is written."""

    layer: Layer
    verb: str
    span: Span


def key_of(declaration: nodes.Declaration) -> Key | None:
    """The key under which a later layer finds a declaration; None if it cannot be named."""
    match declaration:
        case nodes.Rule() | nodes.Constant() | nodes.Chart() | nodes.Currency() | nodes.History() | nodes.Map():
            return ("name", declaration.name.text)
        case nodes.Kind() | nodes.Enum():
            return ("type", declaration.name.text)
        case nodes.Hook(alias=nodes.Name() as alias):
            return ("hook", alias.text)
        case nodes.Automa():
            return ("seat", str(declaration.seat))
        case nodes.Setup() | nodes.Play() | nodes.Rank() | nodes.Payoff():
            return (type(declaration).__name__.lower(),)
        case _:
            return None


def head_of(declaration: nodes.Declaration) -> Span:
    """The name of a declaration, or its first line: enough to find it."""
    name = getattr(declaration, "name", None)
    if isinstance(name, nodes.Name):
        return name.span
    span = declaration.span
    end = span.source.text.find("\n", span.start)
    return span if end < 0 else Span(span.source, span.start, min(end, span.end))


def joined_file(files: tuple[FileRef, ...]) -> nodes.Name | None:
    """The single name under which the rows of several files are stored: `cards.yaml+more_cards.yaml`."""
    if not files:
        return None
    return nodes.Name(files[-1].name.span, "+".join(file.name.text for file in files))


def files_of(declaration: nodes.Declaration, layer: Layer) -> tuple[FileRef, ...]:
    match declaration:
        case nodes.Map(shape=nodes.Shape(file=nodes.Name() as name)):
            return (FileRef(layer, name),)
        case nodes.Kind(file=nodes.Name() as name) | nodes.Enum(file=nodes.Name() as name):
            return (FileRef(layer, name),)
        case nodes.Chart(file=nodes.Name() as name) | nodes.Map(file=nodes.Name() as name):
            return (FileRef(layer, name),)
        case _:
            return ()
