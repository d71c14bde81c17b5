"""Text becomes a tree: the first stage of the compiler.

Comes in: the text of a rules file, or of one table cell, as a `Source`. Goes out: the nodes of `nodes/`, named after
the rules of the grammar (rules.lark), each with its span and its clause tags. If the text has mistakes, the parts
that could be read go out, together with a list of what is missing (`Damage`).

The problem is to read an indented, English-like language without reserving half of English. A word is a keyword only
where the grammar expects it; the contextual lexer sees to that, and it works only while the grammar is free of
conflicts (tests run it in Lark's strict mode). The steps, in order:

1. layout.py   line ends become INDENT and DEDENT tokens, or an error with its position;
2. rules.lark  tokens become Lark's parse tree;
3. builder/    the parse tree becomes our nodes: mostly by a table (shapes.py); texts with holes are in texts.py, words
               that cannot be names in words.py;
4. pieces.py   parses one text on its own: a cell, a hole, a piece of a file;
5. recover.py  parses a whole file; after an error it reports every mistake and keeps everything that can be read;
6. explain.py  says in the author's words why the parser stopped; common mistakes are a table (mistakes.py);
7. format.py   prints a rules file in its one canonical layout; show.py prints the tree itself.

Guaranteed afterwards: the tree is well formed, its nesting is bounded, and every node knows where it came from.
Nothing is resolved or typed: a name is just text until the check stage resolves it. The entry point is parse.py.
"""

from __future__ import annotations

from .format import format_rules
from .parse import parse_cell, parse_expression, parse_rules, read_rules
from .show import show, show_tree

__all__ = ["format_rules", "parse_cell", "parse_expression", "parse_rules", "read_rules", "show", "show_tree"]
