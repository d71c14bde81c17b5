"""From a gathered game to a checked program, or to a list of findings.

Comes in: a `Gathered`, the trees and raw tables of one game for one number of players, with all layers applied. Goes
out: a `Program` (`program/`), in which every name is resolved to a declaration, every expression has a type, and every
thing of the game has a number. Code that holds a Program need not check again whether something exists or fits.

The work has two halves, with `Declared` (declared.py) between them.

**Declaration** (driven by declare.py) handles everything except the bodies of rules. Enums, constants, maps, pieces,
charts, state and signatures are numbered and typed, in the order in which they depend on one another, and every table
cell is checked against its column. Guaranteed afterwards: each written type is resolved; each attribute is a table of
numbers over all pieces, nodes or edges; each place knows how many pieces it can hold and who sees it; each effect in a
cell is a call that fits its rule. Numbers are assigned only here; later stages rely on them.

**Elaboration** turns bodies into the small language of `program/`: the acting player is made explicit, effects called
inside an expression become statements before it, and number ranges and type narrowing decide what fits.

Passes over the finished program then look for leaks, endless loops and unused declarations. What a statement or an
expression does is not spelled out in the passes: `forms` and `expression_forms` have one row per form, every pass here
and in the compiler looks it up there, and all walk trees with `walk`. A form without a row makes every pass raise. So a
new statement needs a class in `program/statements.py`, a row in `forms.py`, and whatever is specific to it: how it is
parsed, elaborated and lowered.

On the way the checker can record what every name refers to (uses.py); `editor` makes its index of that.

A finding stops neither half: checking continues with something usable, and errors that only follow from a reported
one are not reported.
"""
