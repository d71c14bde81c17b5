"""Finds the option that a scenario line means: by its label, by the values it binds, or by both.

If no single option fits there are three answers: nothing here has that name, it is not allowed (with the reason and the
clause), or several options could be meant.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..runtime.faults import AmbiguousChoice, RefusedChoice, UnknownChoice
from ..syntax import nodes
from .contract import Decision, Option
from .verdicts import Failed

if TYPE_CHECKING:
    from .stage import Stage


def picked_option(stage: Stage, decision: Decision, step: nodes.Choice) -> Option:
    """The option that `chooses …` means; raises Failed if it is unknown, refused or ambiguous."""
    return option_meant(stage, decision, step.picked, step)


def option_meant(stage: Stage, decision: Decision, picked: tuple[Any, ...], line: nodes.Node) -> Option:
    labels = [what.raw for what in picked if isinstance(what, nodes.Text)]
    values = [what for what in picked if not isinstance(what, nodes.Text)]
    wanted = ", ".join(what.span.text for what in picked)
    if labels and not values:
        return _by_label(decision, labels[0], line)
    fitting = [option for option in decision.options if _fits(stage, option, labels, values)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        raise Failed("ambiguous", f"{wanted} could mean several options", line.span, wanted, _listed(fitting))
    raise Failed("unknown", f"no option here is {wanted}", line.span, wanted, _listed(list(decision.options)))


BY_ITSELF = "; a `may` with nothing on offer passes by itself, without a line"


def passing_option(decision: Decision, step: nodes.Hurry, may_pass: bool) -> Option:
    """The option to pass, or to say that is all. `may_pass`: somewhere in these rules there is a `may`."""
    for option in decision.options:
        if option.kind in ("pass", "enough"):
            return option
    wanted = step.player.span.text
    message = f"{wanted} cannot pass here{BY_ITSELF if may_pass else ''}"
    raise Failed("unknown", message, step.span, "passing", _listed(list(decision.options)))


def _by_label(decision: Decision, label: str, line: nodes.Node) -> Option:
    try:
        return decision.find(label)
    except AmbiguousChoice as several:
        raise Failed("ambiguous", str(several), line.span, f"“{label}”", _listed(list(decision.options))) from None
    except RefusedChoice as refused:
        raise Failed(
            "refused", f"“{label}” is refused: {refused}", line.span, f"“{label}”", _listed(list(decision.options))
        ) from None
    except UnknownChoice as unknown:
        raise Failed("unknown", str(unknown), line.span, f"“{label}”", _listed(list(decision.options))) from None


def _fits(stage: Stage, option: Option, labels: list[str], values: list[nodes.Expr]) -> bool:
    if labels and not str(option).startswith(labels[0]):
        return False
    if len(option.values) != len(values):
        return False
    return all(bound in stage.names_of(value) for bound, value in zip(option.values, values, strict=True))


def _listed(options: list[Option]) -> str:
    shown = ", ".join(f"“{option}”" for option in options[:12])
    return shown + (f" and {len(options) - 12} more" if len(options) > 12 else "") or "nothing"
