"""The checked program: everything about one game for one number of players, resolved and typed.

This is the language without its surface syntax: every name is resolved to a declaration, every expression has a type,
the acting player is explicit, effects called inside expressions are statements of their own before them, and all things
of the game (pieces, nodes, enum values, cells) are numbered. The compiler lowers it, the slow evaluator in the tests
walks it, the passes for visibility, loops and use read it. Nothing changes it after the checker.

Expressions and statements compare by identity. Their spans point into the rules files.
"""

from .declarations import *
from .expressions import *
from .statements import *
