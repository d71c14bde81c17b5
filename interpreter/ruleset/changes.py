"""Who has changed what: changes by two variants that contradict each other, and changes of what is not there.

Every change by a layer is recorded under a key (`name size`, `field player vp`), so that a second variant that changes
the same thing is noticed:

    variant a: set size = 6
    variant b: set size = 8

Unless one `overrides` the other, that is a conflict, reported with both places; letting the last one win would make
the game depend on the order of the variants without anybody knowing. Two variants that only extend the same thing,
or both remove it, agree.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from .entries import Entry, Key, Touch, head_of
from .gathered import Layer
from .merge import form_words


class Changes:
    """The changes that layers have made so far. `overrides` maps a variant to those it overrides."""

    def __init__(self, overrides: dict[str, frozenset[str]], found: Diagnostics) -> None:
        self.overrides = overrides
        self.found = found
        self.by_key: dict[Key, Entry] = {}
        self.touches: dict[Key, list[Touch]] = {}

    def may_touch(self, key: Key, layer: Layer, verb: str, span: Span, subject: str) -> bool:
        """True if this layer may change what the key names; the change is then recorded. False after a finding,
        or silently if a variant that overrides this one has already changed it."""
        for earlier in self.touches.get(key, ()):
            # A layer may replace a kind and extend it too, and any number of layers may extend it.
            if verb == "extend" and (earlier.verb == "extend" or earlier.layer == layer):
                continue
            if verb == earlier.verb == "remove" and earlier.layer != layer:
                continue
            if earlier.layer == layer:
                self._conflict(subject, layer, verb, span, earlier)
                return False
            if not self.gives_way(earlier, layer, verb, span, subject):
                return False
        self.touches.setdefault(key, []).append(Touch(layer, verb, span))
        if key in self.by_key:  # a change by an overriding variant revives what was removed; `remove` sets it again
            self.by_key[key].is_gone = False
        return True

    def gives_way(self, earlier: Touch, layer: Layer, verb: str, span: Span, subject: str) -> bool:
        """True if an earlier change may be changed again: always, except between two variants of which the later does
        not override the earlier. If neither overrides the other, that is reported as a conflict."""
        if not earlier.layer.role == layer.role == "variant" or earlier.layer == layer:
            return True
        if earlier.layer.name in self.overrides.get(layer.name, ()):
            return True
        if layer.name not in self.overrides.get(earlier.layer.name, ()):
            self._conflict(subject, layer, verb, span, earlier)
        return False

    def _conflict(self, subject: str, layer: Layer, verb: str, span: Span, earlier: Touch) -> None:
        verbs = verb if verb == earlier.verb else "change"
        if earlier.layer == layer:
            what = f"`{layer.name}` changes {subject} twice"
            help = "keep one of them"
            self.found.error("R0604", what, span, first=earlier.span, help=help)
            return
        past = {"set": "set", "replace": "replaced", "remove": "removed", "extend": "extended", "declare": "declared"}
        what = f"two variants {verbs} {subject}"
        others = (Label(earlier.span, f"{past[earlier.verb]} by `{earlier.layer.name}` here"),)
        help = "play only one of them, or let one say that it `excludes` or `overrides` the other"
        self.found.error("R0604", what, span, f"{past[verb]} by `{layer.name}` here", others=others, help=help)

    def nothing_there(self, headline: str, name: nodes.Name, known: list[str], advice: str | None = None) -> None:
        likely = did_you_mean(name.text, known) if name.text else None
        self.found.error("R0603", headline, name.span, help=likely or advice)

    def is_own(self, entry: Entry, layer: Layer, span: Span, done: str) -> bool:
        """True, after a finding, if the layer itself declares the thing: it can only change what a lower layer has."""
        if entry.layer != layer or entry.replaced:
            return False
        what = f"{subject_of(entry.declaration)} is declared in the same layer"
        others = (Label(head_of(entry.declaration), "declared here"),)
        help = "change the declaration itself"
        self.found.error("R0603", what, span, f"{done} here", others=others, help=help)
        return True


def subject_of(declaration: nodes.Declaration) -> str:
    name = getattr(declaration, "name", None)
    return f"`{name.text}`" if isinstance(name, nodes.Name) else f"the {form_words(declaration)}"
