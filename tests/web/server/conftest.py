"""One server for all tests of a file that do not need one of their own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module")
def calls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[object]:
    from tests.web.server.calling import served

    with served(tmp_path_factory.mktemp("data")) as calls:
        yield calls
