"""Reads and parses one ruleset folder: manifest, rules, variants, scenarios, clauses, texts, and the rulesets it uses.

A rules file with mistakes yields the declarations that can be read (syntax/recover.py); `trees` records what is
missing. No layer is applied yet. A ruleset that uses another holds it, parsed the same way, as a lower layer.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics, Label
from ..diagnostics.source import Span
from ..diagnostics.suggest import did_you_mean
from ..files.reading import files_below
from ..syntax import nodes
from ..syntax.parse import read_rules
from .clauses import read_clauses
from .entries import head_of
from .find import find_used
from .gathered import Clause, Scalar
from .manifest import Manifest, NamedFile, read_manifest
from .parsed import parsed
from .scan import in_players
from .schema import validate
from .unsaved import unsaved_text
from .yaml_source import read_source, read_yaml


@dataclass(frozen=True)
class Ruleset:
    """A parsed ruleset. `declarations` are those of its own layer, without head lines, variants and scenarios."""

    manifest: Manifest
    game: nodes.Game
    declarations: tuple[nodes.Declaration, ...]
    variants: tuple[nodes.Variant, ...]  # in manifest order
    scenarios: tuple[nodes.Scenario, ...]
    trees: tuple[nodes.File, ...]
    uses: tuple[Ruleset, ...]
    clauses: dict[str, Clause]
    texts: dict[str, dict[str, str]]
    text_keys: tuple[tuple[str, Span], ...] = ()  # every key of those files with its place
    homes: dict[str, Path] = field(default_factory=dict)  # variants that lie in another folder than the game

    def home_of(self, variant: str) -> Path:
        """The folder in which the files that a variant names are looked for."""
        return self.homes.get(variant, self.manifest.folder)

    @property
    def name(self) -> str:
        return self.manifest.name

    def lower(self) -> list[Ruleset]:
        """The used rulesets, lowest first, each once."""
        layers: dict[Path, Ruleset] = {}
        for used in self.uses:
            used._lay_under(layers)
        return list(layers.values())

    def _lay_under(self, layers: dict[Path, Ruleset]) -> None:
        """Adds what this ruleset uses, and then itself, unless it is there already."""
        if self.manifest.folder not in layers:
            for used in self.uses:
                used._lay_under(layers)
            layers.setdefault(self.manifest.folder, self)


Read = dict[Path, "Ruleset | None"]


def read_ruleset(
    folder: Path, found: Diagnostics, users: tuple[Path, ...] = (), read: Read | None = None
) -> Ruleset | None:
    """A ruleset with all it uses, or None if something essential (manifest, a rules file, `game` line) is unusable.
    `read`: what was read before, because others use it too."""
    read = {} if read is None else read
    manifest = read_manifest(folder, found)
    if manifest is None:
        _read_anyway(folder, found)
        return None
    if not manifest.files:
        return None  # each of them lies outside of the folder, which has been reported
    clauses = read_clauses(manifest.rulebook, found) if manifest.rulebook else {}
    texts, text_keys = _read_texts(manifest, found)
    trees = [_parse(file, found) for file in manifest.rules_files]
    usable = [tree for tree in trees if tree is not None]
    if len(usable) < len(trees):
        return None  # a missing file may have declared anything
    everything = [declaration for tree in usable for declaration in tree.declarations]
    game = _the_game(manifest, everything, usable, found)
    uses = [_read_used(use, folder, users, read, found) for use in _used_once(everything, found)]
    if game is None or any(used is None for used in uses):
        return None
    _agrees(manifest, game, found)
    _belongs(manifest, everything, [used.name for used in uses if used], found)
    if not _can_be_played(game, everything, found):
        return None
    return Ruleset(
        manifest=manifest,
        game=game,
        declarations=tuple(d for d in everything if not isinstance(d, _HEADS)),
        variants=_in_order(manifest, everything, found),
        scenarios=tuple(d for d in everything if isinstance(d, nodes.Scenario)),
        trees=tuple(usable),
        uses=tuple(used for used in uses if used is not None),
        clauses=clauses,
        texts=texts,
        text_keys=tuple(text_keys),
        homes=_homes(manifest, usable),
    )


def _homes(manifest: Manifest, trees: list[nodes.File]) -> dict[str, Path]:
    """The variants of folders that add to this one, each with its folder."""
    return {
        declaration.name.text: addition
        for file, tree in zip(manifest.rules_files, trees, strict=True)
        for addition in manifest.additions
        if file.path.is_relative_to(addition)
        for declaration in tree.declarations
        if isinstance(declaration, nodes.Variant)
    }


MOST_PLAYERS = 100
_HEADS = (nodes.Game, nodes.PartOf, nodes.Use, nodes.Variant, nodes.Scenario)


def _parse(file: NamedFile, found: Diagnostics) -> nodes.File | None:
    """Whatever can be read of a rules file; None if there is no such file."""
    source = read_source(file.path, found, file.span)
    if source is None:
        return None
    tree, findings = parsed(source, is_saved=unsaved_text(file.path) is None)
    found.found += findings
    return tree


def _read_anyway(folder: Path, found: Diagnostics) -> None:
    """Reports the syntax errors of all rules files. Without a usable manifest nothing else can be checked."""
    try:
        paths = files_below(folder, (".rules",))
    except OSError:
        return
    for path in paths:
        source = read_source(path, found)
        if source is not None:
            read_rules(source, found)


_PLAYERS = re.compile(r"\bfor\s+([0-9]{1,3})(?:\.\.([0-9]{1,3}))?\s+players")


def _broken_game(manifest: Manifest, trees: list[nodes.File]) -> nodes.Game | None:
    """A stand-in for a `game` line that could not be read, so that everything else can still be checked. Its player
    count is taken from the broken line, or from the manifest."""
    for damage in (damage for tree in trees for damage in tree.damage):
        written = _PLAYERS.search(damage.span.text)
        if damage.names & {"game", "core"} or (written and "variant" not in damage.names):
            fewest, most = (written[1], written[2] or written[1]) if written else ("", "")
            if not written and manifest.fewest is not None and manifest.most is not None:
                fewest, most = str(manifest.fewest.value), str(manifest.most.value)
            if not fewest.isdigit() or not most.isdigit():
                return None
            span, title = manifest.span, str(manifest.title.value if manifest.title else manifest.name)
            name, text = nodes.Name(span, manifest.name), nodes.Text(span, (title,))
            return nodes.Game(span, name, text, int(fewest), int(most), (), is_core="core" in damage.names)
    return None


def _the_game(
    manifest: Manifest, declarations: list[nodes.Declaration], trees: list[nodes.File], found: Diagnostics
) -> nodes.Game | None:
    games = [d for d in declarations if isinstance(d, nodes.Game)]
    if not games and any(tree.damage for tree in trees):
        return _broken_game(manifest, trees)
    if not games:
        help = f'begin {manifest.files[0].path.name} with `game {manifest.name} "TITLE" for 2 players`'
        found.error("R0225", f"no rules file of `{manifest.name}` has a `game` line", manifest.span, help=help)
        return None
    for other in games[1:]:
        what = "a ruleset has one `game` line"
        others = (Label(games[0].name.span, "the first is here"),)
        help = "remove one, or write `part of` instead"
        found.error("R0225", what, other.name.span, "another one here", others=others, help=help)
    return games[0]


def _used_once(declarations: list[nodes.Declaration], found: Diagnostics) -> list[nodes.Use]:
    """The first `use` of each ruleset; a second one is reported."""
    first: dict[str, nodes.Use] = {}
    for use in (d for d in declarations if isinstance(d, nodes.Use)):
        earlier = first.setdefault(use.name.text, use)
        if earlier is not use:
            what = f"`{use.name.text}` is used twice"
            help = "remove one of them"
            found.error("R0609", what, use.name.span, first=earlier.name.span, help=help)
    return list(first.values())


def _read_used(use: nodes.Use, folder: Path, users: tuple[Path, ...], read: Read, found: Diagnostics) -> Ruleset | None:
    used = find_used(use.name.text, folder, use.name.span, found)
    if used is None:
        return None
    chain = (*users, folder)
    if used in chain:
        names = " uses ".join(f"`{step.name}`" for step in (*chain[chain.index(used) :], used))
        what = f"`{use.name.text}` uses itself"
        found.error("R0609", what, use.name.span, notes=(names,), help="move what both need into a core that both use")
        return None
    if used not in read:
        read[used] = read_ruleset(used, found, chain, read)
    return read[used]


def _agrees(manifest: Manifest, game: nodes.Game, found: Diagnostics) -> None:
    """Reports what the manifest and the `game` line both state, but differently."""
    if game.span is manifest.span:
        return  # a stand-in for a line that could not be read
    said: list[tuple[str, Scalar | None, str | int, Span]] = [
        ("name", Scalar(manifest.name, manifest.span), game.name.text, game.name.span),
        ("title", manifest.title, game.title.raw, game.title.span),
        ("fewest", manifest.fewest, game.fewest, game.name.span),
        ("most", manifest.most, game.most, game.name.span),
    ]
    for what, given, there, span in said:
        if given is not None and given.value != there:
            found.error(
                "R0224",
                f"`{what}` is {given.value} here and {there} in the `game` line",
                given.span,
                others=(Label(span, "the `game` line"),),
                help="make them agree",
            )


def _belongs(manifest: Manifest, declarations: list[nodes.Declaration], used: list[str], found: Diagnostics) -> None:
    """Checks that `part of` and `variant … of` name this ruleset (a variant may also belong to a used one)."""
    for declaration in declarations:
        match declaration:
            case nodes.PartOf():
                name, known = declaration.name, [manifest.name]
                headline = f"this file belongs to `{manifest.name}`, not to `{name.text}`"
            case nodes.Variant():
                name, known = declaration.of, [manifest.name, *used]
                headline = f"the variant `{declaration.name.text}` is of `{name.text}`, and this is `{manifest.name}`"
            case _:
                continue
        if name.text not in known:
            what = headline
            found.error("R0226", what, name.span, help=did_you_mean(name.text, known) or f"write `{manifest.name}`")


def _can_be_played(game: nodes.Game, declarations: list[nodes.Declaration], found: Diagnostics) -> bool:
    """True if at least one player count is allowed. Also checks the player counts of each variant, and that no head
    line of a file stands inside a variant."""
    if not 1 <= game.fewest <= game.most <= MOST_PLAYERS:
        headline = f"{in_players(game.fewest, game.most)}: nobody could play that"
        found.error(
            "R0607", headline, game.name.span, help=f"write numbers from 1 to {MOST_PLAYERS}, the smaller first"
        )
        return False
    for variant in (d for d in declarations if isinstance(d, nodes.Variant)):
        _is_for_some(variant, game, found)
        if variant.name.text == game.name.text:
            found.error("R0606", f"the variant `{variant.name.text}` is called like its game", variant.name.span,
                        others=(Label(game.name.span, "the game"),), help="give it another name")  # fmt: skip
        for inner in variant.declarations:
            if isinstance(inner, nodes.Game | nodes.PartOf | nodes.Use | nodes.Variant):
                word = inner.span.text.split(maxsplit=1)[0]
                found.error("R0226", f"`{word}` does not stand in a variant", head_of(inner),
                            help="write it at the left margin")  # fmt: skip
    return True


def _is_for_some(variant: nodes.Variant, game: nodes.Game, found: Diagnostics) -> None:
    fewest, most = variant.fewest or game.fewest, variant.most or game.most
    if fewest <= most and game.fewest <= most and fewest <= game.most:
        return
    what = f"the variant `{variant.name.text}` is for {in_players(fewest, most)}"
    others = (Label(game.name.span, f"the game is for {in_players(game.fewest, game.most)}"),)
    help = "give it some of the numbers of the game, the smaller first"
    found.error("R0607", what, variant.name.span, others=others, help=help)


def _in_order(
    manifest: Manifest, declarations: list[nodes.Declaration], found: Diagnostics
) -> tuple[nodes.Variant, ...]:
    """The variants in the order of the manifest, then the others in the order of the files."""
    declared: dict[str, nodes.Variant] = {}
    for declaration in declarations:
        if isinstance(declaration, nodes.Variant):
            first = declared.setdefault(declaration.name.text, declaration)
            if first is not declaration:
                what = f"the variant `{declaration.name.text}` is declared again"
                help = "give it another name"
                found.error("R0606", what, declaration.name.span, first=first.name.span, help=help)
    order: list[str] = []
    for listed in manifest.variants:
        if listed.name in declared:
            order.append(listed.name)
        else:
            help = did_you_mean(listed.name, declared) or "declare it, or take it off the list"
            found.error("R0224", f"no rules file declares the variant `{listed.name}`", listed.span, help=help)
    return tuple(declared[name] for name in dict.fromkeys([*order, *declared]))


# ---------------------------------------------------------------------------- translations


def _read_texts(manifest: Manifest, found: Diagnostics) -> tuple[dict[str, dict[str, str]], list[tuple[str, Span]]]:
    """The translations by language, and the place of each key. The summary of a clause has a key such as `@P-001`."""
    texts: dict[str, dict[str, str]] = {}
    keys: list[tuple[str, Span]] = []
    for file in manifest.text_files:
        document = read_yaml(file.path, found, file.span)
        if document is not None and validate(document, "texts", found):
            language = document.value["language"].value if "language" in document.value else file.path.stem
            of_language = texts.setdefault(language, {})
            if "texts" in document.value:
                of_language.update(_translations(document.value["texts"]))
                keys += document.value["texts"].keys.items()
            if "clauses" in document.value:
                said = _translations(document.value["clauses"])
                of_language.update((f"@{clause}", summary) for clause, summary in said.items())
    return texts, keys


def _translations(entry: Scalar) -> dict[str, str]:
    """Texts by key, without those left empty. The form of a name has a key such as `seven|definite`."""
    translations: dict[str, str] = {}
    for key, value in entry.value.items():
        if isinstance(value.value, dict):
            for form, text in value.value.items():
                translations[key if form == "plain" else f"{key}|{form}"] = text.value
        elif value.value is not None:
            translations[key] = value.value
    return translations
