"""One game gathered from its folder: the stage between text and checking.

In comes a name (`harbour`, `harbour+advanced`, or a path to a folder), out goes a `Gathered`: the declarations of
the game as it will be played, with every layer laid over the ones below, the rows of its tables for one
number of players, the clauses of its rulebook and its scenarios. Everything keeps its place in its file.

Afterwards is guaranteed: every file that a declaration names was found and has the shape its schema asks for;
no `set`, `replace`, `extend`, `remove`, `variant` or `use` is left; active variants agree with one another.
What the names mean and whether the cells fit their columns is the business of the checker.
"""
