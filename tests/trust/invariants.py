"""What holds of a game at every decision, whatever led there: asked of states by the tests of trust."""

from __future__ import annotations

from typing import Any

from interpreter.runtime.invariants import first_problem

__all__ = ["first_problem", "played_on"]


def played_on(state: Any, most: int, choose: Any) -> int:
    """Plays on for some decisions and looks after each; how many."""
    made = 0
    while not state.over and made < most:
        problem = first_problem(state)
        assert problem is None, problem
        state.apply(choose(len(state.decision.options)))
        made += 1
    problem = first_problem(state)
    assert problem is None, problem
    return made
