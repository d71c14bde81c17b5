"""The components of KIKAI, Normal mode, for the hand-written game: the same values as the tables of the ruleset."""

from __future__ import annotations

# What an element, a street, a billboard or a space gives: energy, megaphones, ladders, points.
Gift = tuple[int, int, int, int]
# Colour 0 to 2 (red, blue, green), cost, gift.
Element = tuple[int, int, Gift]

AREAS = 6  # Cinema, Parking, Diner, Train Station, School, Casino; nodes 6 to 17 are the Squares 1 to 12
SQUARES = 12
TOOLS = (3, 4, 3, 2, 4, 3, 5, 3, 4, 5, 2, 3)
SQUARE_POINTS = (3, 4, 3, 2, 4, 3, 6, 4, 5, 6, 3, 4)

NOTHING: Gift = (0, 0, 0, 0)
MEGAPHONE: Gift = (0, 1, 0, 0)
LADDER: Gift = (0, 0, 1, 0)

# Two ends, slots, bonus.
STREETS: tuple[tuple[int, int, int, Gift], ...] = (
    (0, 11, 1, NOTHING),
    (0, 6, 2, NOTHING),
    (1, 6, 1, NOTHING),
    (1, 7, 1, NOTHING),
    (2, 7, 2, NOTHING),
    (2, 8, 1, NOTHING),
    (3, 8, 1, NOTHING),
    (3, 9, 2, NOTHING),
    (4, 9, 1, NOTHING),
    (4, 10, 2, NOTHING),
    (5, 10, 1, NOTHING),
    (5, 11, 2, NOTHING),
    (6, 12, 1, NOTHING),
    (7, 13, 2, MEGAPHONE),
    (8, 14, 2, LADDER),
    (9, 15, 1, NOTHING),
    (10, 16, 2, MEGAPHONE),
    (11, 17, 2, LADDER),
    (12, 13, 1, NOTHING),
    (13, 14, 1, NOTHING),
    (14, 15, 2, MEGAPHONE),
    (15, 16, 1, NOTHING),
    (16, 17, 1, NOTHING),
    (17, 12, 2, LADDER),
)
# The streets of each node, with the node at the other end.
STREETS_AT = [
    [(street, b if a == node else a) for street, (a, b, _, _) in enumerate(STREETS) if node in (a, b)]
    for node in range(AREAS + SQUARES)
]

# By part (Legs, Body, Head), then by colour. The first Legs of each colour, and the second red ones, are start Legs.
ELEMENTS: tuple[tuple[Element, ...], ...] = (
    (
        (0, 2, (2, 0, 0, 0)),
        (0, 2, (2, 0, 0, 0)),
        (0, 1, (1, 0, 0, 0)),
        (0, 3, (0, 0, 0, 2)),
        (1, 2, (2, 0, 0, 0)),
        (1, 1, (1, 0, 0, 0)),
        (1, 2, (0, 1, 0, 0)),
        (1, 3, (1, 0, 1, 0)),
        (2, 2, (2, 0, 0, 0)),
        (2, 1, (1, 0, 0, 0)),
        (2, 2, (0, 0, 1, 0)),
        (2, 3, (1, 1, 0, 0)),
    ),
    (
        (0, 3, (2, 0, 0, 0)),
        (0, 4, (1, 0, 1, 0)),
        (0, 5, (0, 1, 0, 1)),
        (0, 6, (0, 0, 0, 3)),
        (1, 3, (2, 0, 0, 0)),
        (1, 4, (1, 1, 0, 0)),
        (1, 5, (1, 0, 0, 2)),
        (1, 6, (0, 0, 1, 2)),
        (2, 3, (2, 0, 0, 0)),
        (2, 4, (0, 0, 0, 2)),
        (2, 5, (0, 0, 1, 1)),
        (2, 6, (0, 1, 0, 2)),
    ),
    (
        (0, 5, (1, 1, 0, 0)),
        (0, 6, (2, 0, 0, 2)),
        (0, 7, (0, 0, 1, 3)),
        (0, 8, (0, 0, 0, 5)),
        (1, 5, (3, 0, 0, 0)),
        (1, 6, (0, 0, 1, 2)),
        (1, 7, (0, 1, 0, 3)),
        (1, 8, (2, 0, 0, 4)),
        (2, 5, (1, 0, 1, 0)),
        (2, 6, (0, 1, 0, 2)),
        (2, 7, (1, 0, 0, 3)),
        (2, 8, (0, 0, 1, 4)),
    ),
)
START_LEGS = ((0, 4), (1, 8))  # by player: red and blue, red and green

# Energy value and points after so many markers have left the energy track, and the spaces that give a token of choice.
INCOME = (0, 2, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 11, 12, 12)
TRACK_POINTS = (0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 6, 6, 10)
TOKEN_SPACES = (5, 9, 13, 17)

LAST_SPACE = 27
SPACE_BONUS: dict[int, Gift] = {
    3: (1, 0, 0, 0),
    6: (1, 0, 0, 0),
    9: LADDER,
    12: MEGAPHONE,
    15: (2, 0, 0, 0),
    18: LADDER,
    21: MEGAPHONE,
    24: (2, 0, 0, 0),
    27: (0, 1, 1, 0),
}
MULTIPLIER = (4, 3, 2, 2)
TURNS = ((6, 5, 6, 5), (5, 6, 5, 6))

FOUNDATIONS = (1, 1, 2, 2, 3, 3)
BOARD_GIFTS = {"megaphone": MEGAPHONE, "ladder": LADDER, "energy": (2, 0, 0, 0)}
BOARDS = ("megaphone", "ladder", "energy", "energy", "discard", "discard")
TILES = ("flyers", "height", "signs", "heads", "legs", "influence")


def distance(a: int, b: int) -> int:
    """Steps between two areas on the loop."""
    return min((a - b) % AREAS, (b - a) % AREAS)
