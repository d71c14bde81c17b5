"""Playing: seats, the match loop, undo, records and saves, the author's scenarios.

Comes in: a game compiled for a number of players. Goes out: finished matches, files that hold them, and the verdict on
each scenario. Seats, matches, undo and records use a game only through its public interface (`contract.py`): a seat is
shown a decision with its options and answers with one of them. Guaranteed afterwards: a record replays to the same
result, a save resumes where it was made, and undo never goes back past a random event or a revealed secret.
"""
