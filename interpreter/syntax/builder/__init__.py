"""Turns Lark's parse tree into our nodes.

Most grammar rules become one node whose fields are the children in order (shapes.py). A rule that needs more has a
method in one of these modules, named `_` and the name of the rule. The span of a node that ends a line (a
declaration, statement, field, branch, score line, step of a scenario) is its first line, without clause tags, comment
and block, so that an error underlines one line and not a page. Every other node spans exactly what was written. Clause
tags belong to the node on whose first line they stand; the lines `else`, `given`, `when` and `then` are not nodes with
tags of their own and pass theirs to the node around them.

The parse tree is trusted to follow the grammar. What the grammar cannot express is reported here: verbs used as
names, `if` without `else` outside a score line, numbers that are too large, nesting that is too deep.
"""

from .declarations import Declarations
from .expressions import Expressions
from .scenarios import Scenarios
from .statements import Statements
from .walk import TooDeep, TreeWalk

__all__ = ["Builder", "TooDeep", "TreeWalk"]


class Builder(Declarations, Scenarios, Statements, Expressions):
    """Builds the nodes of one parsed text."""
