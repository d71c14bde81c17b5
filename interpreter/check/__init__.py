"""From a gathered game to a checked program, or to a list of findings.

In comes a `Gathered`: trees and raw tables of one game for one number of players, every layer laid over the others. Out
goes a `Program` (program.py): every name is a declaration, every expression has a type, all things of the game have
their numbers. Whoever holds a Program need not ask again whether something exists or fits.

The work has two halves, with `Declared` (declared.py) between them.

**Declaration** (declare.py drives it) looks at everything but the bodies of rules. Enums, constants, maps, pieces,
charts, state and signatures are numbered and typed, in the order in which they need one another, and every cell of
every table is read against its column. Afterwards is guaranteed: each type text has a meaning; each attribute is a
table of numbers over all pieces, nodes or edges; each place knows how many pieces it can hold and who sees it; each
effect in a cell is a call that fits its rule. Numbers are given once, here: later stages only count on them.

**Elaboration** turns bodies into the small language of program.py: who acts is written out, effects called inside
expressions become statements before them, intervals and narrowing decide what fits.

Passes over the finished program then look for leaks, loops without end and things that nobody uses. What a statement
or an expression does is not written down in the passes: `forms` and `expression_forms` have a row for each of them, and
every pass here and in the compiler asks those two tables, and walks trees by `walk`. A form without a row makes every
pass raise, so a new statement is a class in program.py, a row in forms.py, and whatever is truly its own: how it is
read, elaborated and lowered.

On the way the checker can note what every name means (uses.py); with the declarations (symbols.py) that makes the index
that editors ask (index.py).

Findings never stop a half: it goes on with something usable, and what hangs on a broken part is not reported again.
"""
