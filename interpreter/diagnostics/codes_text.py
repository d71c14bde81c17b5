"""Codes of the family R01: text and layout. One entry per code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0100": Code(
        "something does not fit here",
        "The text up to here could be read, but what follows fits nowhere in the language. The label says what "
        "would have fitted, if the list is short enough. Often the mistake is a word or two before the caret.",
        """
effect feed(p)
  shuffle deck with discard
""",
        """
effect feed(p)
  shuffle discard into deck
""",
    ),
    "R0101": Code(
        "a file that is too large",
        "A rules file has at most 1,048,576 characters. Split it: every further file begins with `part of` and "
        "the name of the game.",
        "# two megabytes of rules in one file",
        "part of my_game",
    ),
    "R0102": Code(
        "nested too deeply",
        "Brackets, blocks and expressions may be nested about a hundred levels deep in all. Give a name to a part"
        " with `let`, or make it a `value` or an `effect` of its own.",
        "let x = f(f(f(f(f(f(…))))))",
        """
let inner = f(f(f(…)))
let x = f(f(f(inner)))
""",
    ),
    "R0103": Code(
        "a text that is not closed",
        'A text begins and ends with a straight double quote on the same line. Write `\\"` for a quote inside it.',
        'pause "Go on',
        'pause "Go on"',
    ),
    "R0104": Code(
        "capital and small letters",
        "Enums, kinds and the nodes and edges of maps begin with a capital letter and have no underscores: "
        "`AreaCard`. All other names are in small letters, words joined by underscores: `draw_pile`.",
        "kind area_card",
        "kind AreaCard",
    ),
    "R0105": Code(
        "`=` and `==`",
        "`=` stores a value, `==` asks whether two values are equal.",
        """
if c.value = 3
  stop
""",
        """
if c.value == 3
  stop
""",
    ),
    "R0106": Code(
        "wrong indentation",
        "What belongs to a line stands below it, indented by exactly two more spaces. A line may come back only "
        "to a level that an earlier line opened.",
        """
if deck is empty
     stop
""",
        """
if deck is empty
  stop
""",
    ),
    "R0107": Code(
        "a block is missing",
        "This line opens something that needs at least one indented line below it.",
        """
for q in players
gain 1 coins
""",
        """
for q in players
  gain 1 coins
""",
    ),
    "R0108": Code(
        "no such declaration",
        "A line at the left margin, or directly inside a variant, begins a declaration, and its first word says "
        "which. Statements stand indented inside a rule.",
        "fase turn(p)",
        "phase turn(p)",
    ),
    "R0109": Code(
        "no such statement",
        "A statement begins with a verb of the language (`draw`, `choose`, `if` …), with a player and what that "
        "player does (`q gains 2 coins`), is a call (`turn(p)`) or stores a value (`fame = 3`).",
        "suffle deck",
        "shuffle deck",
    ),
    "R0110": Code(
        "a word of the language as a name",
        "Rules, locals and fields of the table cannot be named like a verb that begins a statement, nor `not`, "
        "`can`, `yes`, `no`, `none`. Values of an enum, attributes, and fields behind a dot can.",
        "effect draw(p)",
        "effect draw_card(p)",
    ),
    "R0111": Code(
        "a text with a bad hole",
        "`{…}` in a text is a hole that shows a value. A brace that is meant as one is written twice. A backslash"
        " only stands before a quote or another backslash.",
        'say "{p takes a card"',
        'say "{p} takes a card"',
    ),
    "R0112": Code(
        "a number that is too large",
        "Numbers are kept in 32 bits: from -2147483647 to 2147483647.",
        "constant much: 0..99 = 99999999999",
        "constant much: 0..99 = 99",
    ),
    "R0113": Code(
        "said twice",
        "This can be said only once in this place.",
        """
kind Stone
  copies 4
  copies 5
""",
        """
kind Stone
  copies 5
""",
    ),
    "R0114": Code(
        "`if` without `else`",
        "A value that depends on a condition needs both cases. Only a score line may leave out `else`: it then "
        "counts 0.",
        "let x = 2 if fame > 3",
        "let x = 2 if fame > 3 else 0",
    ),
    "R0115": Code(
        "a value given twice",
        "A `value` is one expression after `=`, or lines with `let`, `if` and `result` below it.",
        """
value price(p): 0..9 = 3
  result 4
""",
        "value price(p): 0..9 = 3",
    ),
    "R0116": Code(
        "written differently here",
        "This sign or word comes from another language; here the same thing has a word of its own. The help line says "
        "which.",
        "requires a && b",
        "requires a and b",
    ),
    "R0117": Code(
        "a number with a fraction",
        "Numbers are whole. Count in smaller units, or divide with `div`, which rounds down.",
        "let half = 0.5 * count(deck)",
        "let half = count(deck) div 2",
    ),
    "R0118": Code(
        "brackets that do not match",
        "Every `(` and `[` is closed by its own kind, in order. Inside brackets a line may be broken anywhere, so"
        " an open one swallows the lines below it.",
        "let x = max(a, (b + 1)",
        "let x = max(a, (b + 1))",
    ),
    "R0119": Code(
        "a tab or an invisible character",
        "Lines are indented with spaces, two per step. Tabs, spaces of other widths and byte order marks look like "
        "ordinary spaces but are not.",
        """
setup
<tab>shuffle deck
""",
        """
setup
  shuffle deck
""",
    ),
    "R0120": Code(
        "`else` without `if`",
        "`else` stands exactly below the `if` or `may` it belongs to, right after its lines.",
        """
if deck is empty
  stop
  else
    done
""",
        """
if deck is empty
  stop
else
  done
""",
    ),
    "R0121": Code(
        "a chain of comparisons",
        "A comparison has two sides. Join two of them with `and`.",
        "requires 1 < n < 4",
        "requires 1 < n and n < 4",
    ),
    "R0122": Code(
        "something is left out",
        "The statement or declaration lacks a part that it needs: a number, a player, a name, a title.",
        "perform c.trick",
        "perform c.trick for p",
    ),
    "R0123": Code(
        "clause tags",
        "A clause tag is `@`, capital letters, and a number, such as `@K-041`. Tags end a line.",
        "shuffle @K-041 deck",
        "shuffle deck   @K-041",
    ),
    "R0124": Code(
        "the line ends too early",
        "Something is still missing when the line ends. A line is carried on after a comma and inside brackets; after "
        "`=`, `and`, `or`, `not`, `where`, `has`, an arithmetic sign or a comparison, if the next line is indented "
        "further; and where the next line begins with one of these, or with `|`, `such that`, `costing`, `stopping "
        "at`, `with most`, `with least`, `by highest`, `by lowest`, `until`, `skipping`.",
        """
requires deck is not empty and
gain 2 coins
""",
        """
requires deck is not empty and
         fame > 3
gain 2 coins
""",
    ),
    "R0125": Code(
        "words written together",
        "Two words, or a number and a word, need a space between them.",
        'game x "X" for 2players',
        'game x "X" for 2 players',
    ),
    "R0126": Code(
        "`stop` in a loop over several names",
        "`for x in S, y in T` is one loop inside another. `stop` leaves one loop, and nothing says which is meant.",
        "for x in players, y in market\n  if y.rank > 3\n    stop",
        "for x in players\n  for y in market\n    if y.rank > 3\n      stop",
    ),
}
