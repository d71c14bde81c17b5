"""Which variants are active, in which order, and which player counts that leaves.

A game offers its own variants and those of the rulesets it uses, unless it removes them. The requested variants must
exist and not exclude one another; the variants that they need come in by themselves. Then they are applied to the game
in manifest order, each after those that it overrides.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from .find import Asked
from .folder import Ruleset
from .gathered import VariantInfo
from .scan import in_players, in_words

_VERBS = ((nodes.Needs, "needs"), (nodes.Excludes, "excludes"), (nodes.Overrides, "overrides"))


@dataclass(frozen=True)
class Offered:
    """A variant that can be chosen, with the ruleset it comes from."""

    declaration: nodes.Variant
    ruleset: Ruleset
    info: VariantInfo

    @property
    def name(self) -> str:
        return self.info.name


def offered_variants(ruleset: Ruleset, found: Diagnostics) -> dict[str, Offered]:
    """All variants by name, those of used rulesets first, in manifest order."""
    offered: dict[str, Offered] = {}
    removed: dict[str, nodes.Name] = {}
    for layer in (*ruleset.lower(), ruleset):
        removed.update(_take_away(layer, offered, found))
        for variant in layer.variants:
            below = offered.get(variant.name.text)
            if below is not None:
                what = f"the variant `{variant.name.text}` is declared again"
                others = (Label(below.declaration.name.span, f"declared by `{below.ruleset.name}` here"),)
                help = f"`remove {variant.name.text}` first, or give it another name"
                found.error("R0606", what, variant.name.span, "again here", others=others, help=help)
            offered[variant.name.text] = Offered(variant, layer, _info(variant, layer, ruleset.game))
    for one in offered.values():
        _names_are_known(one, offered, removed, found)
        _is_possible(one, offered, found)
    return offered


def _take_away(layer: Ruleset, offered: dict[str, Offered], found: Diagnostics) -> dict[str, nodes.Name]:
    """Deletes the variants that a layer removes from those offered, and returns them with the place of the `remove`."""
    removed: dict[str, nodes.Name] = {}
    below = set(offered)
    for name in (d.name for d in layer.declarations if isinstance(d, nodes.Remove) and d.name.text in below):
        first = removed.setdefault(name.text, name)
        if first is name:
            del offered[name.text]
            continue
        what = f"`{layer.name}` removes the variant `{name.text}` twice"
        help = "keep one of them"
        found.error("R0604", what, name.span, first=first.span, help=help)
    return removed


def _info(variant: nodes.Variant, ruleset: Ruleset, game: nodes.Game) -> VariantInfo:
    listed = {entry.name: entry.title for entry in ruleset.manifest.variants}
    title = listed.get(variant.name.text) or (variant.title.raw if variant.title else in_words(variant.name.text))
    return VariantInfo(
        variant.name.text,
        title,
        variant.fewest or game.fewest,
        variant.most or game.most,
        tuple(name.text for name in named_by(variant, nodes.Needs)),
        tuple(name.text for name in named_by(variant, nodes.Excludes)),
    )


def named_by(variant: nodes.Variant, verb: type[nodes.Needs | nodes.Excludes | nodes.Overrides]) -> list[nodes.Name]:
    """The names after `needs`, `excludes` or `overrides` in a variant."""
    return [name for d in variant.declarations if isinstance(d, verb) for name in d.names]


def _names_are_known(
    one: Offered, offered: dict[str, Offered], removed: dict[str, nodes.Name], found: Diagnostics
) -> None:
    """Reports unknown variants that a variant names. Naming a removed one is an error only after `needs`."""
    for verb, word in _VERBS:
        for name in named_by(one.declaration, verb):
            if name.text in offered:
                continue
            if name.text in removed and verb is nodes.Needs:
                what = f"`{name.text}` is removed, and `{one.name}` needs it"
                others = (Label(name.span, "needed here"),)
                help = f"`remove {one.name}` as well"
                found.error("R0608", what, removed[name.text].span, "removed here", others=others, help=help)
            elif name.text not in removed:
                what = f"`{one.name}` {word} `{name.text}`, and there is no such variant"
                found.error("R0608", what, name.span, help=did_you_mean(name.text, offered))


def _is_possible(one: Offered, offered: dict[str, Offered], found: Diagnostics) -> None:
    """Reports a variant that names itself, excludes a variant that it needs, or excludes one that needs it."""
    for verb, word in _VERBS:
        for name in named_by(one.declaration, verb):
            if name.text == one.name:
                found.error("R0610", f"`{one.name}` {word} itself", name.span, help="name another variant")
    for name in named_by(one.declaration, nodes.Excludes):
        other = offered.get(name.text, one)
        for needing, needed in ((one, other), (other, one)) if other is not one else ():
            for said in named_by(needing.declaration, nodes.Needs):
                if said.text == needed.name:
                    what = f"`{needing.name}` needs `{needed.name}`, and they exclude one another"
                    label = "excluded here"
                    help = "keep one of the two"
                    found.error("R0610", what, name.span, label, others=(Label(said.span, "needed here"),), help=help)
    _overrides_end(one, offered, found)


def _overrides_end(one: Offered, offered: dict[str, Offered], found: Diagnostics) -> None:
    """Reports a circle of `overrides`, once, at its first variant."""
    below = _below(one.name, offered)
    circle = [name for name in offered if name in below and one.name in _below(name, offered)]
    if len(circle) < 2 or circle[0] != one.name:
        return
    places = [
        name for of in circle for name in named_by(offered[of].declaration, nodes.Overrides) if name.text in circle
    ]
    what = f"{' and '.join(f'`{name}`' for name in circle)} override one another"
    others = tuple(Label(name.span, "and here") for name in places[1:])
    help = "let one of them have the last word"
    found.error("R0610", what, places[0].span, "said here", others=others, help=help)


def _below(name: str, offered: dict[str, Offered]) -> set[str]:
    """All variants that a variant overrides, directly or through others."""
    below: set[str] = set()
    waiting = [name]
    while waiting:
        one = offered.get(waiting.pop())
        named = {said.text for said in named_by(one.declaration, nodes.Overrides)} if one is not None else set()
        waiting.extend(named - below)
        below |= named
    return below


def chosen_variants(
    asked: Asked, ruleset: Ruleset, offered: dict[str, Offered], found: Diagnostics
) -> list[Offered] | None:
    """The requested variants in the order in which they are applied, or None after a finding."""
    unknown = [variant for variant in asked.variants if variant.name not in offered]
    for variant in unknown:
        advice = did_you_mean(variant.name, offered)
        listed = ", ".join(f"`{name}`" for name in offered)
        what = f"`{ruleset.name}` has no variant `{variant.name}`"
        notes = (f"its variants are {listed}" if offered else "it has no variants",)
        help = advice
        found.error("R0222", what, variant.span, notes=notes, help=help)
    if unknown:
        return None
    spans = _with_needed({variant.name: variant.span for variant in asked.variants}, offered)
    chosen = _in_order([one for one in offered.values() if one.name in spans], offered)
    return chosen if _get_along(chosen, spans, found) else None


def _with_needed(spans: dict[str, Span], offered: dict[str, Offered]) -> dict[str, Span]:
    """The requested variants and those that they need, each with the place in the command line that brought it in."""
    waiting = list(spans)
    while waiting:
        needing = waiting.pop()
        for name in named_by(offered[needing].declaration, nodes.Needs):
            if name.text in offered and name.text not in spans:
                spans[name.text] = spans[needing]
                waiting.append(name.text)
    return spans


def _in_order(chosen: list[Offered], offered: dict[str, Offered]) -> list[Offered]:
    """Manifest order, except that each variant comes after those that it overrides, so that it has the last word."""
    # Take the first variant that overrides none of those still waiting. A circle of `overrides` has been reported; the
    # fallback to `waiting[0]` only keeps the loop going.
    ordered: list[Offered] = []
    waiting = list(chosen)
    while waiting:
        names = {one.name for one in waiting}
        ready = next((one for one in waiting if not names & (_below(one.name, offered) - {one.name})), waiting[0])
        waiting.remove(ready)
        ordered.append(ready)
    return ordered


def _get_along(chosen: list[Offered], spans: dict[str, Span], found: Diagnostics) -> bool:
    """True if no chosen variant excludes another; each pair is reported once."""
    fine = True
    told: set[frozenset[str]] = set()
    for one in chosen:
        for name in named_by(one.declaration, nodes.Excludes):
            pair = frozenset((one.name, name.text))
            if name.text in spans and pair not in told:
                fine = False
                told.add(pair)
                what = f"`{one.name}` and `{name.text}` exclude one another"
                help = "ask for one of them"
                found.error("R0602", what, spans[name.text], others=(Label(name.span, "said here"),), help=help)
    return fine


def player_range(ruleset: Ruleset, chosen: list[Offered], asked: Asked, found: Diagnostics) -> tuple[int, int] | None:
    """The player counts that the game and all chosen variants allow, or None after a finding."""
    fewest, most = ruleset.game.fewest, ruleset.game.most
    for one in chosen:
        fewest, most = max(fewest, one.info.fewest), min(most, one.info.most)
    if fewest <= most:
        return fewest, most
    limits = tuple(
        f"`{name}` is for {in_players(low, high)}"
        for name, low, high in [
            (ruleset.name, ruleset.game.fewest, ruleset.game.most),
            *((one.name, one.info.fewest, one.info.most) for one in chosen),
        ]
    )
    whole = Span(asked.span.source, 0, len(asked.span.source.text))
    what = "no number of players is left for these variants together"
    found.error("R0607", what, whole, notes=limits, help="leave one of them out")
    return None


def chosen_count(players: int | None, allowed: tuple[int, int], asked: Asked, found: Diagnostics) -> int | None:
    """The number of players: the requested one, or the fewest; None after a finding if it is not allowed."""
    fewest, most = allowed
    if players is None:
        return fewest
    if fewest <= players <= most:
        return players
    whole = Span(asked.span.source, 0, len(asked.span.source.text))
    what = f"`{whole.text}` is not for {in_players(players, players)}"
    found.error("R0223", what, whole, help=f"it is for {in_players(fewest, most)}")
    return None
