"""What the run promises to tests that share something: they follow one another in one worker."""

from __future__ import annotations

import pytest

RAN: list[int] = []


@pytest.mark.parametrize("turn", range(6))
@pytest.mark.parametrize("name", ["a game of its own"])
def test_tests_of_one_name_follow_one_another(name: str, turn: int, request: pytest.FixtureRequest) -> None:
    if getattr(request.config, "workerinput", {}).get("groups") == "":
        pytest.skip("without `--dist loadgroup` workers take tests as they come")
    RAN.append(turn)
    selected = [item for item in request.session.items if isinstance(item, pytest.Function)]
    own = [item.callspec.params["turn"] for item in selected if item.originalname == request.node.originalname]
    assert own[: own.index(turn) + 1] == RAN
