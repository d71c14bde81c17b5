"""One game gathered from its folder: the stage between text and checking.

Comes in: a name (`harbour`, `harbour+advanced`, or a path to a folder). Goes out: a `Gathered`, which holds the
declarations of the game as it will be played, with all layers applied, the rows of its tables for one number of
players, the clauses of its rulebook and its scenarios. Everything remembers its place in its file.

Guaranteed afterwards, if nothing was reported: every file that a declaration names was found and follows its schema;
no `set`, `replace`, `extend`, `remove`, `variant` or `use` is left; active variants agree with one another. What the
names mean, and whether the cells fit their columns, is left to the checker.
"""
