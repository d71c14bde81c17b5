"""What every test can ask for.

`--long` plays deep counts, many seeds and every pair of variants too. A test that takes `game` is run for every ruleset
there is, found by listing: (name, players), alone and with each variant, for each player count.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.every_ruleset import every_game, game_id, hand_over
from tests.garbage import leave_it, look_between_tests, look_seldom, look_while_collecting
from tests.grouping import ByGroup, write_groups

# What is tested is Python's own, unless a test asks for another backend: no library is made behind its back.
os.environ.setdefault("RULEWRIGHT_BACKEND", "python")
look_while_collecting()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--long", action="store_true", help="deeper counts, more seeds; many minutes instead of seconds")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "game" in metafunc.fixturenames and metafunc.definition.get_closest_marker("parametrize") is None:
        games = every_game(pairs=bool(metafunc.config.getoption("--long")))
        metafunc.parametrize("game", games, ids=[game_id(game) for game in games])


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests of the same game or toy run in the same worker, one after the other (`--dist loadgroup`): whatever is
    checked and compiled for one of them is there for the others."""
    for item in items:
        params = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
        if "browser" in getattr(item, "fixturenames", ()):
            continue  # these share a browser, which is dearer than a game
        game, name = params.get("game"), params.get("name")
        if isinstance(game, tuple):
            item.add_marker(pytest.mark.xdist_group(game_id(game)))
        elif isinstance(game or name, str):
            item.add_marker(pytest.mark.xdist_group(game or name))


@pytest.hookimpl(tryfirst=True)  # before xdist tells the run that this worker has collected
def pytest_collection_finish(session: pytest.Session) -> None:
    """What was collected stays to the end: nobody needs to look through it."""
    given = getattr(session.config, "workerinput", {})
    if given.get("groups") and given["workerid"] == "gw0":
        write_groups(session.items, Path(given["groups"]))
    look_seldom(int(given.get("workercount", 1)))


@pytest.hookimpl(trylast=True)
def pytest_runtest_logfinish() -> None:
    look_between_tests()


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish() -> None:
    leave_it()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "deep: plays many games of a broken ruleset")
    for pairs, games in getattr(config, "workerinput", {}).get("every_game", ()):
        hand_over(pairs, games)
    if config.getoption("--long") and not hasattr(config, "workerinput"):
        config.pluginmanager.register(ToldAtOnce(config))


class ToldAtOnce:
    """Prints a failure as soon as it happens. pytest keeps them to its end, and a run of hours is often cut short."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        reporter = self.config.pluginmanager.get_plugin("terminalreporter")
        if report.failed and reporter is not None:
            reporter.write_line(f"\n{report.nodeid} failed:\n{report.longreprtext}")
            reporter.flush()


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Before a worker of xdist starts: it is told which games there are, and where the groups of tests go."""
    kinds = (False, True) if node.config.getoption("--long") else (False,)
    is_grouped = node.config.getvalue("dist") == "loadgroup"
    node.workerinput["groups"] = str(_groups_file(node.config)) if is_grouped else ""
    node.workerinput["every_game"] = [(pairs, [list(game) for game in every_game(pairs)]) for pairs in kinds]


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    return ByGroup(config, log, _groups_file(config)) if config.getvalue("dist") == "loadgroup" else None


def _groups_file(config: pytest.Config) -> Path:
    """Where the first worker writes which tests belong together."""
    return Path(config._tmp_path_factory.getbasetemp()) / "groups.json"  # type: ignore[attr-defined]


@pytest.fixture(scope="session")
def is_long(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--long"))
