"""What holds of the project as a whole: layers, names, documents, and nothing that ties it to one machine."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import networkx
import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "interpreter"
LAYERS = (
    "files",
    "diagnostics",
    "syntax",
    "ruleset",
    "check",
    "compile",
    "runtime",
    "native",
    "play",
    "editor",
    "study",
    "web",
    "cli",
)
MODULES = sorted(PACKAGE.rglob("*.py"))
NAMES_OF_DISTRIBUTIONS = {"yaml": "pyyaml", "resvg_py": "resvg-py"}


def module_id(path: Path) -> str:
    return str(path.relative_to(ROOT))


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Line and absolute name of each module that a file imports, wherever in the file it does so."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*base, *([node.module] if node.module else [])])
            # `from interpreter import check` names a layer only in its list of names.
            if module == "interpreter":
                yield from ((node.lineno, f"interpreter.{alias.name}") for alias in node.names)
            else:
                yield node.lineno, module


def project_files() -> list[Path]:
    """Every file of the project that is, or is about to be, under version control."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.fail(f"git does not list the files of the project: {listed.stderr.strip()}")
    return [path for name in listed.stdout.split("\0") if name and (path := ROOT / name).is_file()]


def test_no_ruleset_is_named_in_the_interpreter() -> None:
    # Those of the project: a game that somebody has begun in the clone may be called like one in an example.
    listed = subprocess.run(["git", "ls-files", "-z", "rulesets"], cwd=ROOT, capture_output=True, text=True, check=True)
    names = sorted({path.split("/")[1] for path in listed.stdout.split("\0") if path.count("/") > 1})
    assert names
    pattern = re.compile(rf"\b({'|'.join(names)})\b", re.IGNORECASE)
    hits = [
        f"{module_id(path)}:{number}: {line.strip()}"
        for path in sorted(PACKAGE.rglob("*"))
        if path.suffix in (".py", ".lark")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if pattern.search(line)
    ]
    assert not hits, "\n".join(hits)


HOUSE = ("check", "compile", "runtime")
# A game from the cache starts without the checker and the compiler: `tests/compile/test_load.py`.
SAVE_START_UP = {"compile/load.py _checked", "compile/load.py compile_program"}


def test_no_import_hides_inside_a_function() -> None:
    hidden = {
        f"{path.relative_to(PACKAGE).as_posix()} {function.name}"
        for path in MODULES
        if path.relative_to(PACKAGE).parts[0] in HOUSE
        for function in ast.walk(parsed(path))
        if isinstance(function, ast.FunctionDef)
        for inner in ast.walk(function)
        if isinstance(inner, ast.Import | ast.ImportFrom)
    }
    assert hidden == SAVE_START_UP


def test_what_subclasses_have_to_say_is_abstract() -> None:
    """A method that raises NotImplementedError is missed when it is called; an abstract one by the type checker, and at
    the latest when an object is made."""
    left = [
        f"{module_id(path)}:{node.lineno}"
        for path in MODULES
        if path.relative_to(PACKAGE).parts[0] in HOUSE
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.Name) and node.id == "NotImplementedError"
    ]
    assert not left


WITHOUT_CYCLES = (
    "syntax",
    "ruleset",
    "check",
    "compile",
    "runtime",
)  # packages whose modules import one another in one direction only


@pytest.mark.parametrize("layer", WITHOUT_CYCLES)
def test_modules_of_a_layer_import_in_one_direction(layer: str) -> None:
    """Imports inside functions, and those for type checkers alone, count too: they hide a knot, they do not undo it."""
    graph = networkx.DiGraph()
    for path in (path for path in MODULES if path.relative_to(PACKAGE).parts[0] == layer):
        parts = path.relative_to(ROOT).with_suffix("").parts
        own = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        graph.add_edges_from((own, name) for _, name in imports(path) if name.startswith(f"interpreter.{layer}."))
    knots = [sorted(knot) for knot in networkx.strongly_connected_components(graph) if len(knot) > 1]
    assert not knots


def test_each_layer_imports_only_earlier_layers() -> None:
    hits = []
    for path in MODULES:
        layer = path.relative_to(PACKAGE).parts[0]
        if layer not in LAYERS:
            continue
        allowed = LAYERS[: LAYERS.index(layer) + 1]
        for line, name in imports(path):
            parts = name.split(".")
            # The face of the package stands on all layers, so only the last one may look at it.
            seen = parts[1] if len(parts) > 1 else "interpreter"
            if parts[0] == "interpreter" and seen not in allowed and layer != LAYERS[-1]:
                hits.append(f"{module_id(path)}:{line}: {layer} imports {name}")
    assert not hits, "\n".join(hits)


@pytest.mark.parametrize("path", MODULES, ids=module_id)
def test_every_module_says_what_it_is_for(path: Path) -> None:
    assert ast.get_docstring(parsed(path)), f"{module_id(path)} has no header"


def test_everything_imported_is_declared() -> None:
    """A clean installation has the declared dependencies only."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]  # who uses an extra asks first
    asked_for = ("draw", "learn", "native", "wasm", "web", "web-sql")
    listed = [*project["dependencies"], *(name for extra in asked_for for name in extras[extra])]
    declared = {re.split(r"[^\w-]", dependency)[0].lower() for dependency in listed}
    hits = []
    for path in MODULES:
        for line, name in imports(path):
            top = name.split(".")[0]
            known = top in sys.stdlib_module_names or top == "interpreter"
            if not known and NAMES_OF_DISTRIBUTIONS.get(top, top) not in declared:
                hits.append(f"{module_id(path)}:{line}: {top} is not among the dependencies of pyproject.toml")
    assert not hits, "\n".join(hits)


def test_files_named_in_the_design_are_there() -> None:
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+(?:/[\w.]+)+\.(?:py|lark|rules))`", text)
    assert len(named) > 30
    assert [name for name in named if not (PACKAGE / name).is_file() and not (ROOT / name).is_file()] == []


def test_the_design_counts_the_files_of_the_walk() -> None:
    """Following one rule through the interpreter should not take more files than a reader keeps open."""
    text = (ROOT / "docs" / "design.md").read_text(encoding="utf-8")
    table, counted, _ = re.split(r"That is (\d+) files", text.split("| stage | files |")[1], maxsplit=1)
    opened = [
        name for row in table.splitlines() if row.startswith("|") for name in re.findall(r"`((?:\w+/)+\w+\.\w+)`", row)
    ]
    assert len(opened) == len(set(opened)) == int(counted) <= 25


def machine_paths() -> re.Pattern[str]:
    """Absolute paths of a home, a checkout or a mount, and settings that point pip at a certain index."""
    homes = r"(?<![\w.~}>])/(?:work|root|home|Users|opt|mnt|srv)/[\w.-]+"
    indexes = r"index[_-]url|find[_-]links|/simple[/]"
    here = [re.escape(str(place)) for place in (ROOT, Path.home()) if len(place.parts) > 2]
    return re.compile("|".join([homes, indexes, *here]))


def test_names_of_files_are_plain() -> None:
    """A slip of a shell, or of an editor, leaves a file whose name is a line of text."""
    names = [str(path.relative_to(ROOT)) for path in project_files()]
    assert [name for name in names if not re.fullmatch(r"[\w./+-]+", name)] == []


def test_nothing_points_at_one_machine() -> None:
    pattern = machine_paths()
    hits = []
    for path in project_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if pattern.search(line):
                hits.append(f"{module_id(path)}:{number}: {line.strip()[:120]}")
    assert not hits, "\n".join(hits)


@pytest.mark.parametrize("name", ["tools/rulewright", "tools/test", "tools/check", "tools/regen", ".ci/run"])
def test_scripts_can_be_started(name: str) -> None:
    script = ROOT / name
    assert os.access(script, os.X_OK)
    assert subprocess.run(["bash", "-n", script]).returncode == 0
