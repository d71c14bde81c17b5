"""Codes of the family R03: names. One entry per code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0301": Code(
        "no such constant",
        "A bound, a start value or another value that is known before the game names a constant that is not declared.",
        "hand_size: 0..most_cards",
        "constant most_cards: 1..9 = 5\n…\nhand_size: 0..most_cards",
    ),
    "R0302": Code(
        "no such type",
        "A type is an enum, a kind of pieces, or a node or edge kind of a map. Its name begins with a capital.",
        "deck: pile of Crad hidden",
        "deck: pile of Card hidden",
    ),
    "R0303": Code(
        "not a value of this type",
        "Where a type is expected, a name stands for one of its values.",
        "trump: Suit = heart",
        "trump: Suit = cups",
    ),
    "R0304": Code(
        "a word that does not belong here",
        "Visibility, `capped`, `capacity`, `this RULE` and start values each belong to one sort of "
        "declaration: places, fields or attributes.",
        "spot: slot of Card open capacity 2",
        "spot: pool of Card open capacity 2",
    ),
    "R0305": Code(
        "no such seat",
        "A seat that an automa takes must exist for some number of players.",
        "seat 5 is automa robot    # in a game for 2..4 players",
        "seat 4 is automa robot",
    ),
    "R0306": Code(
        "a seat taken twice",
        "A seat has one automa, and its name is not the name of another seat.",
        "seat 2 is automa robot\nseat 2 is automa machine",
        "seat 2 is automa robot",
    ),
    "R0307": Code(
        "an enum that contains itself",
        "Containment of enums cannot go round in a circle.",
        "enum A = x | B\nenum B = A | y",
        "enum A = x | y\nenum B = A | z",
    ),
    "R0308": Code(
        "a value that stands twice",
        "The values of an enum have different names, those of the enums it contains included.",
        "enum Suit = clubs | cups | clubs",
        "enum Suit = clubs | cups | spades",
    ),
    "R0309": Code(
        "enums in contradiction",
        "Enums that contain one another share their values, so they list them in one order: comparisons follow it.",
        "enum C = A | B\nenum D = B | A",
        "enum C = A | B\nenum D = A | B | other",
    ),
    "R0310": Code(
        "declared twice",
        "A name means one thing. Types have one set of names; constants, charts, maps, rules and fields of "
        "the table another; what belongs to a player, kind or node a third.",
        "constant limit: 0..9 = 3\nvalue limit(p): 0..9 = 2",
        "constant limit: 0..9 = 3\nvalue limit_of(p): 0..9 = 2",
    ),
    "R0311": Code(
        "a constant defined by itself",
        "Constants may use one another, but not in a circle.",
        "constant a = b + 1\nconstant b = a - 1",
        "constant a = 4\nconstant b = a - 1",
    ),
    "R0312": Code(
        "a constant without a value",
        "Only a core may leave a constant open; the game that uses the core sets it.",
        "constant rounds: 1..9",
        "constant rounds: 1..9 = 4",
    ),
    "R0313": Code(
        "two rows of one name",
        "Rows are named by their id, or by kind and keys; within a kind each name stands for one row.",
        "- {id: ace}\n- {id: ace}",
        "- {id: ace, copies: 2}",
    ),
    "R0314": Code(
        "an enum cannot hold state",
        "State belongs to the table, to players, to pieces, nodes or edges. To keep something for each value of an "
        "enum, declare a field with an index.",
        "each Suit\n  led: flag",
        "table\n  led[Suit]: flag",
    ),
    "R0315": Code(
        "a rule left open",
        "Only a core may leave a rule without a body; the game that uses the core supplies it.",
        "effect reward(p)",
        "effect reward(p)\n  gain 2 coins",
    ),
    "R0316": Code(
        "a free action outside any phase",
        "A free action is taken while a phase runs.",
        'free action sell(p) "Sell" during buy(p)    # an action',
        'free action sell(p) "Sell" during turn(p)    # a phase',
    ),
    "R0317": Code(
        "not a parameter",
        "The arguments behind `during` are parameters of the free action.",
        'free action sell(p) "Sell" during turn(q)',
        'free action sell(p) "Sell" during turn(p)',
    ),
    "R0318": Code(
        "a scope that never begins",
        "`this RULE` sets a field back whenever that rule begins, `during RULE` also when it ends: it is a phase, an "
        "action or an effect.",
        "moved: flag this trun",
        "moved: flag this turn",
    ),
    "R0319": Code(
        "a game without play",
        "`play` says what happens after setup. Without it there is no game.",
        "setup\n  shuffle deck",
        "setup\n  shuffle deck\nplay\n  in turn p from seat1\n    turn(p)",
    ),
    "R0350": Code(
        "a word of the language",
        "Some names belong to the language: `players`, `box`, `was`, and built-in functions such as `neighbours`.",
        "value rival(p): player = next(p)",
        "value opponent(p): player = next(p)",
    ),
    "R0351": Code(
        "no such node",
        "A map without a node kind of its own joins nodes that another map declares.",
        "map loop is ring of cinema, dinner",
        "map loop is ring of cinema, diner",
    ),
    "R0352": Code(
        "not on this map",
        "A map is asked about a node or an edge that it does not have. A map without a node kind has only the nodes "
        "that it names; where a node may or may not be on it, the answer is none or nothing.",
        "map loop is ring of cinema, diner, school\n…\nloop.distance(cinema, harbour)",
        "map loop is ring of cinema, diner, school, harbour\n…\nloop.distance(cinema, harbour)",
    ),
    "R0320": Code(
        "an unknown name",
        "A name is a local, a member of the type expected at that place, or something declared for the "
        "whole game: a field or place of the table, a constant, a seat, a chart, a rule.",
        "move all c in Card to dekc",
        "move all c in Card to deck",
    ),
    "R0321": Code(
        "a local that hides something",
        "A name that a rule binds stands for nothing else there: not for a field of the table, a rule or a "
        "constant, and not for another local of the same block.",
        "let deck = count(p.hand)",
        "let cards = count(p.hand)",
    ),
    "R0322": Code(
        "an unknown attribute or field",
        "What stands behind a dot is an attribute or field that the type before the dot declares.",
        "c.valeu",
        "c.value",
    ),
    "R0323": Code(
        "a member without a type",
        "A bare member name means something only where its type is expected.",
        "let best = red",
        "let best = Colour.red",
    ),
    "R0324": Code(
        "nobody to speak to",
        "An imperative verb speaks to the player of `in turn` or `together`, else to the rule's first "
        "parameter if that is a player.",
        """
effect reward
  gain 2 coins
""",
        """
effect reward(p)
  gain 2 coins
""",
    ),
    "R0325": Code(
        "not a rule",
        "Calls, `can` and lines of `choose one` name a phase, an action or an effect.",
        "refil_market",
        "refill_market",
    ),
    "R0326": Code(
        "an unknown question to a map",
        "Maps answer `neighbours`, `edges`, `ends`, `distance`, `is_border`, `toward`, `line`, `between`, "
        "`ring`, `spiral`, `groups`, `largest_group`, `longest_line` and `longest_trail`; `stopping at` names a node "
        "kind.",
        "board.distanse(a, b)",
        "board.distance(a, b)",
    ),
    "R0327": Code(
        "not a value",
        "A value is expected here, and this has none: a map, a phase, an effect without a result.",
        "let x = take(p, c)    # effect take(p, c: Card)",
        "take(p, c)",
    ),
    "R0328": Code(
        "not a counter",
        "`gain`, `lose` and `pay` name a number that players have.",
        "gain 2 coin",
        "gain 2 coins",
    ),
    "R0329": Code(
        "no such history",
        "`remember`, `forget` and `seen` name a history: a declaration of what makes up a position.",
        "remember position        # and nothing says what a position is",
        "history board of 200\n  c.owner for c in Cell\n…\nremember board",
    ),
}
