"""Playing: who sits where, the match loop, taking back, records and saves, the author's scenarios.

In comes a game that was compiled for a number of players; out come finished matches, files that hold them, and the
verdict on each scenario. Everything here speaks to a game through the public face only (`contract.py`): a seat sees
a decision and its options, and answers with one of them. Guaranteed afterwards: a record replays to the same
result, a save resumes where it was made, and nothing can be taken back beyond what chance or a secret has shown.
"""
