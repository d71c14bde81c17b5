"""Codes R0401 to R0449 of the family R04: types, ranges and bounds. One entry per code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0401": Code(
        "an empty range",
        "A range goes from its lower to its higher bound.",
        "coins: 9..0",
        "coins: 0..9",
    ),
    "R0402": Code(
        "a bound that is no number",
        "The bounds of a range, sizes and capacities are numbers or constants that are numbers.",
        "constant many: flag = yes\n…\ncoins: 0..many",
        "constant many: 1..99 = 20\n…\ncoins: 0..many",
    ),
    "R0403": Code(
        "dice without numbers",
        "The faces of a die are a range of numbers.",
        "cup: 2 dice of Colour",
        "cup: 2 dice of 1..6",
    ),
    "R0404": Code(
        "cannot be optional",
        "A flag starts as `no` and a set starts empty; neither needs a `?`.",
        "used: flag?",
        "used: flag",
    ),
    "R0405": Code(
        "a union of different sorts",
        "A union is of kinds of pieces, of node kinds or of edge kinds.",
        "target: Card | Colour",
        "target: Card | Stone",
    ),
    "R0406": Code(
        "a place for something that is not a piece",
        "Places hold pieces and nothing else.",
        "slots(3) of Colour open",
        "slots(3) of Stone open",
    ),
    "R0407": Code(
        "cannot be none",
        "Only an optional type `T?` can be none.",
        "owner: player = none",
        "owner: player? = none",
    ),
    "R0408": Code(
        "a value outside its range",
        "A value known before the game lies within the declared range.",
        "constant rounds: 1..4 = 5",
        "constant rounds: 1..5 = 5",
    ),
    "R0409": Code(
        "a value of another type",
        "A value known before the game is of the type declared for it.",
        "used: flag = 3",
        "used: flag = yes",
    ),
    "R0410": Code(
        "not known before the game",
        "Constants, start values, defaults, copies and chart values are worked out before the game begins: "
        "from numbers, names of values, other constants and `count(players)`.",
        "constant most = count(deck)",
        "constant most = 4 * count(players)",
    ),
    "R0411": Code(
        "division by zero",
        "The divisor of `div` and `mod` must be above 0.",
        "constant half = 6 div 0",
        "constant half = 6 div 2",
    ),
    "R0412": Code(
        "state where something printed is meant",
        "Attributes and charts are printed and never change: they cannot be places or dice.",
        "kind Board\n  spot: slot of Card open",
        "kind Board\neach Board\n  spot: slot of Card open",
    ),
    "R0413": Code(
        "not an index",
        "An index, or a parameter of a chart, has values that can be counted: an enum, a range, players, "
        "pieces, nodes.",
        "chart c(n: 0..9999999): 0..1 = 1",
        "chart c(n: 0..2): 0..1 = 1, 0, 1",
    ),
    "R0414": Code(
        "too many entries",
        "A field with indexes has an entry for each combination of them.",
        "seen[1..1000, 1..1000]: flag",
        "seen[1..8, 1..8]: flag",
    ),
    "R0415": Code(
        "not a constant",
        "A constant is a number, a flag or an enum value.",
        "constant opener: player = seat1",
        "table\n  opener: player = seat1",
    ),
    "R0416": Code(
        "copies for what cannot be counted",
        "The keys of `copies` are enums, ranges, `flag`, `player` or node kinds.",
        "copies 1 for each other: Card",
        "copies 1 for each suit: Suit",
    ),
    "R0417": Code(
        "not a number of copies",
        "`copies` is followed by a number, 0 or more.",
        "copies yes",
        "copies 2",
    ),
    "R0418": Code(
        "too many pieces",
        "A game has at most 20,000 pieces.",
        "copies 30000",
        "copies 300",
    ),
    "R0419": Code(
        "a size that is too small",
        "Capacities, slots and dice are at least 1.",
        "spots: slots(0) of Card open",
        "spots: slots(4) of Card open",
    ),
    "R0420": Code(
        "not a field",
        "Sets, formulas and optional places cannot be kept in the state.",
        "led: set of Suit",
        "led[Suit]: flag",
    ),
    "R0421": Code(
        "values that do not fill a chart",
        "A chart has a value for every combination of its arguments; brackets hold the values of the next parameter.",
        "chart steps(n: 1..4): 0..9 = 1, 2, 3",
        "chart steps(n: 1..4): 0..9 = 1, 2, 3, 4",
    ),
    "R0422": Code(
        "a default too early",
        "Parameters with a default come after those without.",
        "effect build(p, n: 0..3 = 0, m: 0..3)",
        "effect build(p, m: 0..3, n: 0..3 = 0)",
    ),
    "R0424": Code(
        "the wrong number of arguments",
        "A phase named after `during` is given all its parameters, or none. A free action has no other parameters than "
        "its player and those.",
        'free action sell(p) "Sell" during turn(p, p)',
        'free action sell(p) "Sell" during turn(p)',
    ),
    "R0425": Code(
        "no value at the start",
        "An enum, player, piece or node that is not optional needs a start value, or `setup` sets it. A slot that is "
        "never empty is filled there.",
        "dealer: player",
        "dealer: player = seat1",
    ),
    "R0426": Code(
        "a number too large",
        "Numbers fit into 32 bits.",
        "constant many = 2000000000 * 2",
        "constant many = 2000000000",
    ),
    "R0430": Code(
        "another type is expected",
        "A value of one type stands where a value of another type is expected.",
        "p.owner = 3",
        "p.owner = next(p)",
    ),
    "R0431": Code(
        "types that do not go together",
        "The two outcomes of an `if` have the same type; so do the items of a list, and the results of a value.",
        "1 if p == seat1 else red",
        "1 if p == seat1 else 2",
    ),
    "R0432": Code(
        "perhaps none",
        "Arithmetic, amounts, indexes and parameters need a value that is surely there. Give a default, or test for "
        "none first: inside the `if` the checker knows that the value is there.",
        "gain price vp    # price: 0..9?",
        "gain (price otherwise 0) vp",
    ),
    "R0433": Code(
        "never in range",
        "A number can never fit where it is stored.",
        "p.coins = 200    # coins: 0..99",
        "p.coins = 20",
    ),
    "R0434": Code(
        "nothing to iterate over",
        "`for`, `some`, `count` and similar words go over the elements of a set or a place.",
        "for x in p.coins",
        "for x in 1..p.coins",
    ),
    "R0435": Code(
        "not every kind has it",
        "Of a union, an attribute can be read if every kind has it.",
        "c.value    # c: Kaiju | Mecha, and a Mecha has no value",
        "c is Kaiju and c.value == 3",
    ),
    "R0436": Code(
        "wrong indexes",
        "A field or place with indexes is used one element at a time; one without indexes takes none.",
        "gain 1 heat    # heat[Suit]",
        "gain 1 heat[clubs]",
    ),
    "R0437": Code(
        "wrong arguments",
        "A call gives every parameter that has no default, in order or by name, and no others.",
        "take(p)    # effect take(p, c: Card)",
        "take(p, c)",
    ),
    "R0438": Code(
        "no column named",
        "A call of a chart with columns names the column it wants.",
        "track(3)",
        "track(3).gift",
    ),
    "R0439": Code(
        "a local that is always none",
        "A local that is always none has no type and no use.",
        "let x = none",
        "let x = top of deck",
    ),
    "R0440": Code(
        "an effect that may not happen",
        "An effect may be called inside an expression only where it is surely evaluated exactly once: it "
        "changes the game.",
        "if fame > 2 and spend(p, c)",
        """
let spent = spend(p, c)
if fame > 2 and spent
""",
    ),
    "R0441": Code(
        "something happens in a value",
        "Values and scores only compute: `let`, `if`, `result`, and no effects.",
        """
value price(p): 0..9
  gain 1 coins
  result 3
""",
        "value price(p): 0..9 = 3",
    ),
    "R0442": Code(
        "not something to call",
        "A statement calls a phase, an action or an effect: a value would be computed and forgotten.",
        "price(p)",
        "let cost = price(p)",
    ),
    "R0443": Code(
        "a rival among several",
        "`rival(p)` is the other seat of a game for two. With more seats, use `rivals(p)`.",
        "rival(p)    # with three seats",
        "rivals(p)",
    ),
    "R0444": Code(
        "never there",
        "The question has no answer: no place of a map, or no piece, can ever hold such a piece.",
        "at(c)    # cards lie on no node",
        "holder(c)",
    ),
    "R0445": Code(
        "division by something that may be 0",
        "`div` and `mod` need a divisor that is surely above 0.",
        "p.vp div p.coins",
        "p.vp div max(1, p.coins)",
    ),
    "R0446": Code(
        "a comparison with none",
        "Nothing equals none: `==` with none is always no.",
        "if owner == none",
        "if owner is none",
    ),
    "R0447": Code(
        "a comparison that makes no sense",
        "Two sides of a comparison are of one type; only numbers and enum values have an order.",
        "p.coins == red",
        "p.favourite == red",
    ),
    "R0449": Code(
        "a test that makes no sense",
        "`is empty` is for places and sets, `is none` for what may be none, `is K` for unions and enums.",
        "if p.hand is none",
        "if p.hand is empty",
    ),
}
