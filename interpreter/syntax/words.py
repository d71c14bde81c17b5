"""Keywords, and the check that they are not used as names.

A word is a keyword only where the grammar expects it, so most words are free to be names. The exception is a name
that may stand where a statement or an expression begins: a rule, a local, a field of the table. Called `draw`, it could
not be told from the verb. An enum value, an attribute, or a field after a dot may have any name.
"""

from __future__ import annotations

from ..diagnostics.diagnostic import Diagnostics
from ..diagnostics.source import Span
from .nodes import Name

# Verbs that begin a statement, each with a name to use instead.
VERBS = {
    "choose": "choice",
    "done": "is_done",
    "draw": "draw_card",
    "flip": "flip_card",
    "for": "each_one",
    "forget": "forgotten",
    "gain": "gain_some",
    "if": "condition",
    "let": "chosen",
    "lose": "lose_some",
    "may": "may_act",
    "move": "move_piece",
    "pass": "pass_turn",
    "pause": "take_a_break",
    "pay": "pay_price",
    "perform": "perform_it",
    "pick": "picked",
    "prevent": "prevent_it",
    "remember": "remembered",
    "repeat": "repeat_it",
    "requires": "required",
    "result": "outcome",
    "reveal": "reveal_card",
    "roll": "roll_dice",
    "say": "tell",
    "shuffle": "shuffle_deck",
    "stop": "stopped",
    "swap": "swap_cards",
    "together": "all_at_once",
    "walk": "go_along",
    "while": "meanwhile",
}

# Words that begin an expression, and two (`else`, `otherwise`) that begin the second half of a statement. Each with a
# name to use instead.
OPENERS = {
    "not": "negated",
    "can": "able",
    "yes": "agreed",
    "no": "refused",
    "none": "nothing_there",
    "else": "other",
    "otherwise": "other",
}

# The words that may begin a line at the left margin; `MEMBERS` are those that may begin a line directly in a variant.
DECLARATIONS = (
    "action after also before chart constant core currency each effect enum event extend free game history instead "
    "kind map part payoff phase play rank remove replace scenario score seat set setup table use value variant"
).split()
MEMBERS = [*DECLARATIONS, "excludes", "needs", "overrides"]

STATEMENTS = [*VERBS, "in", "first", "end"]


# First words of statements in other languages, and what they are called here.
FOREIGN_STATEMENTS = {
    "return": "result",
    "break": "stop",
    "print": "say",
    "var": "let",
    "foreach": "for",
    "loop": "repeat",
    "unless": "if not",
    "deal": "draw",
    "take": "move",
    "put": "move",
    "select": "choose",
}

# Values in other languages, and how they are written here.
FOREIGN_VALUES = {
    "true": "yes",
    "false": "no",
    "True": "yes",
    "False": "no",
    "None": "none",
}
# These may be names as well: a bid of `nil`, a game of `null`. They are told only where nothing is called so.
FOREIGN_NONE = ("null", "nil")


def check_value(text: str, span: Span, found: Diagnostics) -> None:
    """Reports a value that is written as in another language, and an `else` that stands alone."""
    if text in FOREIGN_VALUES:
        word = FOREIGN_VALUES[text]
        found.error("R0116", f"`{text}` is written `{word}`", span, help=f"write `{word}`")
    elif text == "else":
        what = "this `else` belongs to nothing"
        found.error("R0120", what, span, help="it stands exactly below the `if` or `may` it belongs to")


def check_own_name(name: Name, found: Diagnostics) -> None:
    """Reports a rule, local or field of the table whose name is a keyword."""
    proposal = VERBS.get(name.text) or OPENERS.get(name.text)
    if proposal is None:
        return
    role = "begins a statement" if name.text in VERBS else "has a meaning of its own"
    what = f"`{name.text}` cannot be a name"
    found.error("R0110", what, name.span, f"`{name.text}` {role}", help=f"choose another name, such as `{proposal}`")
