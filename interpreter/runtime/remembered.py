"""What dear values came to, kept for the next time they are asked the same.

Which values those are, and how what they are asked is told, is in `compile/remembered.py`. An answer is kept with the
units of work that it took, and whoever finds it here spends as many. Close to the limit the value is worked out as
ever, so that the fault comes where it comes without this.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..compile.meta import ELEMENTS, NUMBER

_MOST = 50_000  # answers of one value; then all of them are forgotten

# Written out for each value, since a loop over its arguments would take longer than looking up.
_SOURCE = """
def value(S, {params}):
    key = ({key},)
    found = known.get(key)
    if found is None or S.steps + found[1] > S.limit:
        return work_out(S, key, {handed})
    S.steps += found[1]
    return found[0]
"""


def remembering(value: Callable[..., Any], told: tuple[Any, ...], known: dict[Any, tuple[int, int]]) -> Any:
    """The same value, which looks into `known` first. Dictionaries may be shared by threads: who finds nothing there
    works it out."""

    def work_out(S: Any, key: Any, *args: Any) -> Any:
        before = S.steps
        found = value(S, *args)
        if isinstance(found, int):  # a set may be changed by whoever gets it
            if len(known) >= _MOST:
                known.clear()
            known[key] = (found, S.steps - before)
        return found

    params = [f"a{number}" for number in range(len(told))]
    names: dict[str, Any] = {"known": known, "work_out": work_out}
    key, handed = [], []
    for param, how in zip(params, told, strict=True):
        handed.append(param if how == NUMBER else f"tuple({param})")  # a tuple is told at once, wherever it goes on to
        if how == NUMBER:
            key.append(param)
        elif how == ELEMENTS:
            key.append(f"tuple({param})")
        else:
            names[f"sorts_{param}"] = how
            key.append(f"tuple(sorted([sorts_{param}[x] for x in {param}]))")
    exec(_SOURCE.format(params=", ".join(params), key=", ".join(key), handed=", ".join(handed)), names)
    return names["value"]
