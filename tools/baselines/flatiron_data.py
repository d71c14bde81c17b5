"""The printed things of Flatiron, for the hand-written game.

Streets and colours are 0 to 3, halves 0 (upper) and 1 (lower). An action is a tuple: its name, then what is printed
on it.
"""

from __future__ import annotations

from typing import Any

Action = tuple[Any, ...]

# deck, column, price, actions by half, reputation by half
CARDS: tuple[tuple[int, int, int, tuple[Action, Action], tuple[int, int]], ...] = (
    (0, 0, 2, (("dollars", 3), ("dollars", 2)), (-1, 1)),
    (0, 0, 5, (("dollars_per_storey",), ("build", 3, 2, 2, False)), (0, -2)),
    (0, 1, 3, (("another",), ("dollars_per_carrier",)), (-1, 1)),
    (0, 1, 4, (("points_if", 1, 2), ("build", 1, 1, 0, True)), (1, -1)),
    (0, 2, 3, (("floor", 3, 4), ("swap",)), (-1, 2)),
    (0, 2, 3, (("points_per_storeys",), ("buy_any", 2)), (1, 0)),
    (0, 3, 3, (("city_hall",), ("newspaper",)), (0, 1)),
    (0, 3, 3, (("build", 2, 1, 1, False), ("visible",)), (0, 0)),
    (1, 0, 2, (("swap",), ("another",)), (2, -1)),
    (1, 0, 4, (("build", 1, 1, 0, True), ("points_per_storeys",)), (-1, 1)),
    (1, 1, 3, (("newspaper",), ("dollars", 3)), (1, -1)),
    (1, 1, 5, (("build", 3, 2, 2, False), ("build", 2, 1, 1, False)), (-2, 0)),
    (1, 2, 2, (("dollars", 2), ("city_hall",)), (1, 0)),
    (1, 2, 3, (("visible",), ("dollars_per_storey",)), (0, 0)),
    (1, 3, 4, (("dollars_per_carrier",), ("floor", 3, 4)), (1, -1)),
    (1, 3, 4, (("buy_any", 1), ("points_if", 3, 2)), (-1, 1)),
    (2, 0, 4, (("floor", 3, 4), ("build", 2, 1, 1, False)), (-1, 0)),
    (2, 0, 3, (("newspaper",), ("buy_any", 2)), (1, 0)),
    (2, 1, 3, (("city_hall",), ("points_per_storeys",)), (0, 1)),
    (2, 1, 2, (("swap",), ("visible",)), (2, 0)),
    (2, 2, 3, (("dollars", 3), ("points_if", 2, 2)), (-1, 1)),
    (2, 2, 5, (("dollars_per_carrier",), ("build", 3, 2, 2, False)), (1, -2)),
    (2, 3, 3, (("another",), ("dollars_per_storey",)), (-1, 0)),
    (2, 3, 3, (("dollars", 2), ("build", 1, 1, 0, True)), (1, -1)),
    (3, 0, 3, (("points_if", 0, 2), ("city_hall",)), (1, 0)),
    (3, 0, 3, (("visible",), ("dollars_per_carrier",)), (0, 1)),
    (3, 1, 4, (("dollars_per_storey",), ("floor", 3, 4)), (0, -1)),
    (3, 1, 3, (("buy_any", 1), ("dollars", 2)), (-1, 1)),
    (3, 2, 3, (("build", 2, 1, 1, False), ("another",)), (0, -1)),
    (3, 2, 4, (("build", 1, 1, 0, True), ("newspaper",)), (-1, 1)),
    (3, 3, 3, (("points_per_storeys",), ("dollars", 3)), (1, -1)),
    (3, 3, 4, (("build", 3, 2, 2, False), ("swap",)), (-2, 2)),
)

# rule, its street or colour, bonus by slot; the first four may be the starting floor
FLOORS: tuple[tuple[str, int | None, tuple[Action, ...]], ...] = (
    ("street_dollar", 0, (("points", 2), ("dollars", 2), ("token",))),
    ("street_dollar", 1, (("dollars", 2), ("reputation",), ("points", 2))),
    ("street_dollar", 2, (("card",), ("points", 2), ("dollars", 2))),
    ("street_dollar", 3, (("points", 2), ("newspaper",), ("dollars", 2))),
    ("city_hall_4", None, (("token",), ("match", 0, 3), ("reputation",))),
    ("share_place", None, (("points", 3), ("card",), ("match", 1, 3))),
    ("card_vp", None, (("dollars", 3), ("token",), ("match", 2, 3))),
    ("sell_plus_2", None, (("match", 3, 3), ("reputation",), ("points", 1))),
    ("decree_minus_1", None, (("reputation",), ("newspaper",), ("match", 0, 4))),
    ("pillar_minus_1", None, (("card",), ("token",), ("points", 3))),
    ("same_colour", None, (("points", 3), ("dollars", 1), ("newspaper",))),
    ("place_vp", 0, (("match", 1, 4), ("dollars", 3), ("token",))),
    ("place_vp", 1, (("newspaper",), ("match", 2, 4), ("reputation",))),
    ("place_vp", 2, (("dollars", 1), ("match", 3, 4), ("card",))),
    ("place_vp", 3, (("reputation",), ("points", 1), ("token",))),
)

# price by colour, colour traded by street, lower action by street (None: the special one), special action by face
BOARDS: tuple[tuple[tuple[int, ...], tuple[int, ...], tuple[Action | None, ...], tuple[Action, Action]], ...] = (
    (
        (3, 2, 1, 4),
        (0, 1, 2, 3),
        (("build", 1, 1, 0, False), ("floor", 5, 6), ("build", 2, 2, 0, False), None),
        (("dollars", 2), ("dollars_per_carrier",)),
    ),
    (
        (4, 1, 2, 3),
        (1, 0, 3, 2),
        (("build", 2, 2, 0, False), None, ("build", 1, 1, 0, False), ("floor", 5, 6)),
        (("dollars", 2), ("dollars_per_storey",)),
    ),
    (
        (1, 4, 3, 2),
        (2, 3, 0, 1),
        (None, ("build", 2, 2, 0, False), ("floor", 5, 6), ("build", 1, 1, 0, False)),
        (("dollars", 2), ("newspaper",)),
    ),
    (
        (2, 3, 4, 1),
        (3, 2, 1, 0),
        (("floor", 5, 6), ("build", 1, 1, 0, False), None, ("build", 2, 2, 0, False)),
        (("dollars", 2), ("city_hall",)),
    ),
)

# scoring by half, reputation by half
DECREES: tuple[tuple[tuple[Action, Action], tuple[int, int]], ...] = (
    ((("cards", 1), ("cards", 2)), (-1, 1)),
    ((("money", 1), ("money", 2)), (-1, 1)),
    ((("good_name", 1), ("good_name", 2)), (-1, 1)),
    ((("stock", 2), ("stock", 1)), (-1, 1)),
    ((("decrees", 2), ("decrees", 1)), (-1, 1)),
    ((("built", 0), ("pair", 0, 1)), (0, 0)),
    ((("built", 1), ("pair", 1, 2)), (0, 0)),
    ((("built", 2), ("pair", 2, 3)), (0, 0)),
    ((("built", 3), ("pair", 3, 0)), (0, 0)),
    ((("flat", 6), ("flat", 4)), (-1, 1)),
)

PAPERS: tuple[tuple[Action, ...], ...] = (
    (("dollars", 3),),
    (("swap",),),
    (("dollars", 2), ("points", 1)),
    (("build", 1, 1, 0, False),),
    (("buy_any_card", 1),),
    (("buy_decree", 1),),
    (("buy_any", 1),),
)
