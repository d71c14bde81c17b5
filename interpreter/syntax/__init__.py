"""Text becomes a tree: the first stage of the way through the program.

Comes in: the text of a rules file, or of one cell of a table, as a `Source`. Goes out: the nodes of nodes.py, named as
the rules of the grammar (rules.lark), each with its span and its clause tags; after a mistake those that are sound,
with the damage beside them.

The problem is to read an indented, English-like language without reserving English. Words are words only where the
grammar expects them; the contextual lexer sees to that, which is why the grammar must stay free of conflicts (tests
run it in Lark's strict mode). The order of the work:

1. layout.py   ends of lines become steps of indentation, or a complaint with its place;
2. rules.lark  tokens become Lark's tree;
3. build.py    Lark's tree becomes our nodes: most of it a table (shapes.py), texts with holes in texts.py, words that
               cannot be names in words.py;
4. pieces.py   one text by itself: a cell, a hole, a piece of a file;
5. recover.py  a whole file: all of it, or after an error everything that is sound, every mistake reported;
6. explain.py  what the parser could not read, in words for the author; common mistakes are a table (mistakes.py);
7. format.py   the one canonical layout of a rules file; show.py prints the tree itself.

Guaranteed afterwards: what is handed on is well formed, its nesting is bounded, every node can say where it came from.
Nothing is resolved or typed: a name is a text until the check stage asks what it means. parse.py is the way in.
"""

from __future__ import annotations

from .format import format_rules
from .parse import parse_cell, parse_expression, parse_rules, read_rules
from .show import show, show_tree

__all__ = ["format_rules", "parse_cell", "parse_expression", "parse_rules", "read_rules", "show", "show_tree"]
