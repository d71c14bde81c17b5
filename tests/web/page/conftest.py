"""One server and one browser for all tests of the page. Without a browser they are skipped, with the reason."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.page.running import Server, chromium, open_browser


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """All of them in one worker: a browser and a server cost more than the tests."""
    here = Path(__file__).parent
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()) and here in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("browser"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Any]:
    why_not = chromium().why_not
    if why_not:
        pytest.skip(why_not)
    with open_browser() as opened:
        yield opened


@pytest.fixture(scope="session")
def server(browser: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    # No option takes itself while a person of a test is about to click: what is chosen is the same in every run.
    with Server(tmp_path_factory.mktemp("tables"), "--pace", "3600", "3600") as running:
        yield running
