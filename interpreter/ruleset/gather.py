"""Gathers one game, given its name: reads everything, applies the layers, and hands the result to the checker.

The order: find the folder; read the manifest and the rules; decide which variants are active and whether they can be
combined; fix the number of players; apply the layers. Only then are the tables read, because a variant may have
replaced them. Findings are collected on the way, and the game is handed on with everything that could be read, so that
the checker can report in the same run. What could not be read (a declaration of a rules file, a table or map file with
findings) is left out; `lost` says what that was, so that nobody reports its absence as a second error.
"""

from __future__ import annotations

from pathlib import Path

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.suggest import did_you_mean
from ..syntax import nodes
from .clauses import check_cites, check_same_as, cites_of
from .entries import Entry, FileRef
from .find import Asked, find_ruleset
from .fingerprint import fingerprint, played_folders
from .folder import Ruleset, read_ruleset
from .gathered import Clause, Gathered, Layer, MapFile, Placed, Scalar, TableFile
from .losses import lost_in
from .lost import Lost, without_consequences
from .manifest import file_inside
from .map_rows import cites_in_map, is_map_file
from .overlay import lay_over
from .player_counts import check_player_counts
from .scan import in_players
from .schema import validate
from .tables import TabledDeclaration, check_columns, read_table
from .variants import Offered, chosen_count, chosen_variants, named_by, offered_variants, player_range
from .yaml_source import read_source, read_yaml

_OVERLAY_HEADS = (nodes.Excludes, nodes.Needs, nodes.Overrides, nodes.Scenario, nodes.Use, nodes.PartOf, nodes.Variant)


def gather(name: str, players: int | None, found: Diagnostics) -> Gathered | None:
    """The game of that name for that many players (None: the fewest), or None after at least one finding."""
    asked = find_ruleset(name, found)
    if asked is None:
        return None
    ruleset = read_ruleset(asked.folder, found)
    if ruleset is None:
        return None
    gathered = _gathered(asked, ruleset, players, found)
    if lost := _lost(ruleset, []) if gathered is None else gathered.lost:
        found.found = without_consequences(found, lost)
    return gathered


def _gathered(asked: Asked, ruleset: Ruleset, players: int | None, found: Diagnostics) -> Gathered | None:
    offered = offered_variants(ruleset, found)
    chosen = chosen_variants(asked, ruleset, offered, found)
    if chosen is None:
        return None
    allowed = player_range(ruleset, chosen, asked, found)
    count = chosen_count(players, allowed, asked, found) if allowed else None
    if allowed is None or count is None:
        return None
    return _assemble(ruleset, offered, chosen, allowed, count, found)


def _lost(ruleset: Ruleset, unread: list[Path]) -> Lost:
    """What could not be read of a ruleset, of those it uses, and of their data files."""
    trees = [tree for layer in (*ruleset.lower(), ruleset) for tree in layer.trees]
    return lost_in(trees, [read_source(path, Diagnostics()) for path in unread])


def _assemble(
    ruleset: Ruleset,
    offered: dict[str, Offered],
    chosen: list[Offered],
    allowed: tuple[int, int],
    players: int,
    found: Diagnostics,
) -> Gathered:
    layers = _layers(ruleset, chosen)
    removed = _removed_variants(ruleset)
    overrides = {
        one.name: frozenset(name.text for name in named_by(one.declaration, nodes.Overrides)) for one in chosen
    }
    plain = [
        (layer, _own_declarations(declarations, removed if layer.role != "variant" else set()))
        for layer, declarations in layers
    ]
    overlaid = lay_over(plain, overrides, removed | set(offered), found)
    entries = overlaid.entries
    unread: list[Path] = []
    tables = _read_tables(entries, players, ruleset, unread, found)
    scenarios = _scenarios(ruleset, layers, offered, found)
    documents = _read_documents(entries, ruleset, unread, found)
    clauses = _clauses(ruleset, tables, documents, found)
    variants = tuple(one.name for one in chosen)
    return Gathered(
        name="+".join((ruleset.name, *variants)),
        base=ruleset.name,
        folder=ruleset.manifest.folder,
        title=str(ruleset.manifest.title.value) if ruleset.manifest.title else ruleset.game.title.raw,
        players=players,
        fewest=allowed[0],
        most=allowed[1],
        seats=tuple(seat.text for seat in ruleset.game.seats),
        variants=variants,
        all_variants=tuple(one.info for one in offered.values()),
        layers=tuple(layer for layer, _ in layers),
        declarations=tuple(entry.placed for entry in entries),
        scenarios=scenarios,
        tables=tables,
        documents=documents,
        clauses=clauses,
        limits=ruleset.manifest.limits,
        fingerprint=fingerprint(played_folders(ruleset.manifest.folder, variants), variants, players),
        languages=ruleset.manifest.languages,
        texts=_texts(ruleset),
        overrides=overrides,
        map_files=_map_files(entries, documents, overrides),
        removed=overlaid.removed,
        lost=_lost(ruleset, unread),
        trees=tuple(tree for layer in (*ruleset.lower(), ruleset) for tree in layer.trees),
        text_keys=tuple(key for layer in (*ruleset.lower(), ruleset) for key in layer.text_keys),
        added_variants=frozenset(name for layer in (*ruleset.lower(), ruleset) for name in layer.homes),
    )


# ---------------------------------------------------------------------------- layers

Declarations = tuple[nodes.Declaration, ...]


def _layers(ruleset: Ruleset, chosen: list[Offered]) -> list[tuple[Layer, Declarations]]:
    """The layers in order: used rulesets, the game, active variants. The `game` line belongs to the game's layer."""
    layers: list[tuple[Layer, Declarations]] = []
    for used in ruleset.lower():
        layers.append((Layer(used.name, "used", used.manifest.folder, len(layers)), used.declarations))
    game = Layer(ruleset.name, "game", ruleset.manifest.folder, len(layers))
    layers.append((game, (ruleset.game, *ruleset.declarations)))
    for one in chosen:
        layer = Layer(one.name, "variant", one.ruleset.home_of(one.name), len(layers))
        layers.append((layer, one.declaration.declarations))
    return layers


def _removed_variants(ruleset: Ruleset) -> set[str]:
    """Names of variants of lower layers: a `remove` of one of them has already been carried out."""
    return {variant.name.text for used in ruleset.lower() for variant in used.variants}


def _own_declarations(declarations: Declarations, variants: set[str]) -> Declarations:
    return tuple(
        d
        for d in declarations
        if not isinstance(d, _OVERLAY_HEADS) and not (isinstance(d, nodes.Remove) and d.name.text in variants)
    )


# ---------------------------------------------------------------------------- tables and maps


def table_key(placed: Placed, file: nodes.Name) -> tuple[str, str]:
    """The key of a declaration's table or document in `Gathered`."""
    return str(placed.layer.folder), file.text


def _read_tables(
    entries: list[Entry], players: int, ruleset: Ruleset, unread: list[Path], found: Diagnostics
) -> dict[tuple[str, str], TableFile]:
    """The tables of all kinds, enums and charts. Files without a usable table are added to `unread`."""
    tables: dict[tuple[str, str], TableFile] = {}
    for entry in entries:
        declaration = entry.declaration
        if isinstance(declaration, nodes.Kind | nodes.Enum | nodes.Chart) and declaration.file is not None:
            table = _read_rows(declaration, entry.files, players, ruleset, found)
            if table is not None:
                check_columns(declaration, table, found)
                tables[table_key(entry.placed, declaration.file)] = table
            else:
                unread += [file.folder / file.name.text for file in entry.files]
    return tables


def _read_rows(
    declaration: TabledDeclaration, files: tuple[FileRef, ...], players: int, ruleset: Ruleset, found: Diagnostics
) -> TableFile | None:
    """The rows of one file, or of several one after the other where a kind was extended."""
    parts: list[TableFile] = []
    for file in files:
        path = _path(file, found)
        game = _game_of(file, ruleset)
        part = read_table(path, declaration, file.name.span, players, game, found) if path else None
        if part is None:
            return None
        parts.append(part)
    if len(parts) == 1:
        return parts[0]
    rows = tuple(row for part in parts for row in part.rows)
    last = parts[-1]
    return TableFile("+".join(part.path for part in parts), last.source, last.of, last.default, rows)


def _game_of(file: FileRef, ruleset: Ruleset) -> nodes.Game | None:
    """The game, if the file belongs to it; None for a file of a used ruleset, which may allow more players."""
    return ruleset.game if file.folder == ruleset.manifest.folder else None


def _read_documents(
    entries: list[Entry], ruleset: Ruleset, unread: list[Path], found: Diagnostics
) -> dict[tuple[str, str], Scalar]:
    """The raw files of maps and tiles, and of their extensions. Files that cannot be used are added to `unread`."""
    documents: dict[tuple[str, str], Scalar] = {}
    for entry in entries:
        if isinstance(entry.declaration, nodes.Map):
            form = "tiles" if entry.declaration.shape else "map"
            for number, file in enumerate(entry.files):
                path = _path(file, found)
                document = read_yaml(path, found, file.name.span) if path else None
                schema = f"{form}_extension" if number else form
                if document is not None and is_map_file(document, schema, found) and validate(document, schema, found):
                    documents[_file_key(file)] = document
                    if game := _game_of(file, ruleset):
                        check_player_counts(document, game, found)
                else:
                    unread.append(file.folder / file.name.text)
    return documents


def _map_files(
    entries: list[Entry], documents: dict[tuple[str, str], Scalar], overrides: dict[str, frozenset[str]]
) -> dict[str, tuple[MapFile, ...]]:
    """For each map its file, then the files that extend it, without duplicates. A map with an unusable file is left
    out."""
    files: dict[str, tuple[MapFile, ...]] = {}
    for entry in entries:
        if not isinstance(entry.declaration, nodes.Map) or not entry.files:
            continue
        once: dict[tuple[bool, tuple[str, str]], FileRef] = {}
        for number, file in enumerate(entry.files):
            once.setdefault((number > 0, _file_key(file)), file)
        if all(key in documents for _, key in once):
            files[entry.declaration.name.text] = tuple(
                MapFile(documents[key], file.layer, overrides.get(file.layer.name, frozenset()))
                for (_, key), file in once.items()
            )
    return files


def _file_key(file: FileRef) -> tuple[str, str]:
    return str(file.folder), file.name.text


def _path(file: FileRef, found: Diagnostics) -> Path | None:
    return file_inside(file.folder, file.name.text, file.name.span, found)


# ---------------------------------------------------------------------------- scenarios, clauses, texts


def _scenarios(
    ruleset: Ruleset, layers: list[tuple[Layer, Declarations]], offered: dict[str, Offered], found: Diagnostics
) -> tuple[Placed, ...]:
    """All scenarios of the game and of the rulesets it uses, whichever variants they ask for."""
    homes = {layer.folder: layer for layer, _ in layers if layer.role != "variant"}
    placed: list[Placed] = []
    for layer in (*ruleset.lower(), ruleset):
        inside = [d for variant in layer.variants for d in variant.declarations if isinstance(d, nodes.Scenario)]
        for scenario in (*layer.scenarios, *inside):
            if _can_be_set_up(scenario, ruleset, offered, layer is ruleset, found):
                placed.append(Placed(scenario, homes[layer.manifest.folder]))
    return tuple(placed)


def _can_be_set_up(
    scenario: nodes.Scenario, ruleset: Ruleset, offered: dict[str, Offered], is_own: bool, found: Diagnostics
) -> bool:
    """True if the variants and the player count of a scenario exist. If not, a scenario of the game itself is reported;
    one of a used ruleset is silently left out."""
    unknown = [name for name in scenario.variants if name.text not in offered]
    wrong_count = scenario.players is not None and not ruleset.game.fewest <= scenario.players <= ruleset.game.most
    if is_own:
        for name in unknown:
            what = f"`{ruleset.name}` has no variant `{name.text}`"
            found.error("R0232", what, name.span, help=did_you_mean(name.text, offered))
        if wrong_count and scenario.players is not None:
            what = f"`{ruleset.name}` is not for {in_players(scenario.players, scenario.players)}"
            help = f"it is for {in_players(ruleset.game.fewest, ruleset.game.most)}"
            found.error("R0232", what, scenario.title.span, help=help)
    return not unknown and not wrong_count


def _clauses(
    ruleset: Ruleset,
    tables: dict[tuple[str, str], TableFile],
    documents: dict[tuple[str, str], Scalar],
    found: Diagnostics,
) -> dict[str, Clause]:
    """The clauses of all layers. Reports what a layer with a rulebook cites and no rulebook lists."""
    clauses: dict[str, Clause] = {}
    for layer in (*ruleset.lower(), ruleset):
        clauses.update(layer.clauses)
    check_same_as(clauses, found)
    for layer in (*ruleset.lower(), ruleset):
        if layer.manifest.rulebook is not None and layer.clauses:
            check_cites((cite for tree in layer.trees for cite in cites_of(tree)), clauses, found)
            folder = str(layer.manifest.folder)
            rows = (row for key, table in tables.items() if key[0] == folder for row in table.rows)
            check_cites((cite for row in rows for cite in row.cites), clauses, found)
            maps = (document for key, document in documents.items() if key[0] == folder)
            check_cites((cite for document in maps for cite in cites_in_map(document)), clauses, found)
    return clauses


def _texts(ruleset: Ruleset) -> dict[str, dict[str, str]]:
    texts: dict[str, dict[str, str]] = {}
    for layer in (*ruleset.lower(), ruleset):
        for language, translations in layer.texts.items():
            texts.setdefault(language, {}).update(translations)
    return texts
