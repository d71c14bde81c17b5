"""What an editor asks of a ruleset, as values: the language server and the debugger stand on this.

Comes in: the name or folder of a ruleset, and texts that are not saved yet. Goes out: every finding, and for any
position in a file what stands there: its type, its declaration, all its uses, what the book and the language say of it.

- survey.py     the whole ruleset looked at as `validate` does: alone, with its variants, for every number of players;
- checked.py    `check_ruleset` and the value it gives: findings, positions, references, symbols, names in scope;
- declarations.py and index.py   every declaration with its places, and which of them each name in the text means;
- words.py      what the language reference says of a word.

Guaranteed: nothing here raises because of what is written in a ruleset; whatever is wrong with it is a finding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .checked import At, Checked, Named, Outline, Place, check_ruleset

__all__ = ["At", "Checked", "Named", "Outline", "Place", "check_ruleset"]


def __getattr__(name: str) -> Any:
    """Loaded when first asked for: `validate` needs the survey alone."""
    if name not in __all__:
        raise AttributeError(f"interpreter.editor has no `{name}`")
    from importlib import import_module

    return getattr(import_module(".checked", __name__), name)
