"""Codes of the family R02: data. One entry per code; `codes.py` gathers them."""

from __future__ import annotations

from .entry import Code

CODES: dict[str, Code] = {
    "R0201": Code(
        "a file that cannot be read",
        "A rules file, the manifest or the command line names a file that does not exist, cannot be read, or "
        "lies outside the folder of the ruleset.",
        "kind Card from crads.yaml",
        "kind Card from cards.yaml",
    ),
    "R0202": Code(
        "a file that is not text, or too large",
        "Files of a ruleset are UTF-8 text of at most 1 MiB.",
        "# a table saved as Latin-1",
        "# the same table saved as UTF-8",
    ),
    "R0203": Code(
        "an empty file",
        "A data file has at least the keys that its schema asks for.",
        "",
        """
kind: Card
default: assumed
rows: []
""",
    ),
    "R0204": Code(
        "a tab in the indentation",
        "YAML is indented with spaces only.",
        """
rows:
<tab>- id: one
""",
        """
rows:
  - id: one
""",
    ),
    "R0205": Code(
        "not YAML",
        "The text cannot be read as one YAML document. The usual causes are an unclosed quote or bracket, "
        "indentation that does not fit, and a `: ` inside a value that is not quoted.",
        "summary: the market: eight cards",
        'summary: "the market: eight cards"',
    ),
    "R0206": Code(
        "a key that occurs twice",
        "A key may occur only once in its mapping: of two values, one would be lost without a word.",
        """
value: 3
value: 4
""",
        "value: 3",
    ),
    "R0207": Code(
        "tags and merge keys",
        "Data files hold plain values. Tags (`!!…`) and merge keys (`<<`) are refused, so that a ruleset from "
        "a stranger is safe to read.",
        "value: !!int 3",
        "value: 3",
    ),
    "R0208": Code(
        "a key that is not a word",
        "Keys are words. A list, a mapping or an alias cannot be a key.",
        "[1, 2]: low",
        "low: [1, 2]",
    ),
    "R0209": Code(
        "data nested too deep, or grown by aliases",
        "Values may be nested 32 levels deep, and a file may hold 200,000 values. Aliases count as if they were "
        "written out.",
        "a: &a [*a]",
        "a: [1, 2]",
    ),
    "R0210": Code(
        "an unknown key",
        "A key that nobody reads is nearly always a typo. In a row of a table the known keys are the marks of "
        "a row and the columns that the rules declare.",
        "- {id: one, coppies: 6}",
        "- {id: one, copies: 6}",
    ),
    "R0211": Code(
        "a missing key",
        "The schema of the file asks for a key that is not there.",
        """
kind: Card
rows: []
""",
        """
kind: Card
default: assumed
rows: []
""",
    ),
    "R0212": Code(
        "a value of the wrong type",
        "A value is text where a number is expected, a list where a text is expected, or a word that is not "
        "among those allowed.",
        "copies: six",
        "copies: 6",
    ),
    "R0213": Code(
        "a value outside its range",
        "A number is smaller or larger than its schema or its column allows.",
        "value: 13    # value: 1..12",
        "value: 12",
    ),
    "R0214": Code(
        "a value of the wrong form",
        "The type is right and the form is not: a name with capitals, a list that is empty or names something twice.",
        "id: Nine Lives",
        "id: nine_lives",
    ),
    "R0215": Code(
        "a row id that occurs twice",
        "Rows are named by their ids, so an id may occur only once in a table. Equal pieces are `copies` of one row.",
        """
- {id: one}
- {id: one}
""",
        "- {id: one, copies: 2}",
    ),
    "R0216": Code(
        "a table of something else",
        "A table says which kind, enum or chart its rows belong to, and the declaration that reads it must be that "
        "one. A map or a rulebook is not a table.",
        "kind Card from mechas.yaml    # the file says `kind: Mecha`",
        "kind Mecha from mechas.yaml",
    ),
    "R0217": Code(
        "no rows for this number of players",
        "A table gives its rows by number of players and has none for this number.",
        """
by_players:
  2: [{id: one}]    # three play
""",
        """
by_players:
  2: [{id: one}]
  3: [{id: one}, {id: two}]
""",
    ),
    "R0218": Code(
        "a mark for a column that does not exist",
        "`known` and `assumed` list columns of the table, or `name` and `copies`.",
        "known: [valeu]",
        "known: [value]",
    ),
    "R0219": Code(
        "a table with another number of pieces",
        "Under `pieces` a table says how many pieces it makes, in all and for each value of a column; its rows make "
        "more or fewer.",
        "pieces: {all: 32, deck: 8}    # and 7 rows of one deck",
        "pieces: {all: 32, deck: 8}    # and 8 rows of every deck",
    ),
    "R0220": Code(
        "no such ruleset",
        "A name is looked for in `rulesets/` of the current folder, in the current folder, in the folders of "
        "RULEWRIGHT_PATH, and among the rulesets that come with the program.",
        "rulewright play harbor",
        "rulewright play harbour",
    ),
    "R0221": Code(
        "not a ruleset",
        "A ruleset is a folder with a ruleset.yaml.",
        "rulewright play docs",
        "rulewright play rulesets/harbour",
    ),
    "R0222": Code(
        "no such variant",
        "The game has no variant of that name, or it is named twice.",
        "rulewright play harbour+smal",
        "rulewright play harbour+small",
    ),
    "R0223": Code(
        "a number of players that is not allowed",
        "The game, or one of the chosen variants, does not allow that number of players.",
        "rulewright play harbour --players 7",
        "rulewright play harbour --players 2",
    ),
    "R0224": Code(
        "manifest and rules disagree",
        "Name, title and player count may be given in ruleset.yaml as well as in the `game` line. If both give one, "
        "they must agree. A variant that the manifest lists must be declared in the rules.",
        'name: harbour    # game harbor "Harbour" for 2..4 players',
        'name: harbour    # game harbour "Harbour" for 2..4 players',
    ),
    "R0225": Code(
        "no game, or two",
        "The rules files of a ruleset have one `game` or `core` line between them.",
        "part of harbour    # in every file",
        'game harbour "Harbour" for 2..4 players    # in one file',
    ),
    "R0226": Code(
        "a file of another ruleset",
        "`part of` and `variant … of` name the ruleset whose folder the file is in. The lines that open a file "
        "(`game`, `use`, `part of`, `variant`) stand at the left margin, not inside a variant.",
        "part of harbor",
        "part of harbour",
    ),
    "R0227": Code(
        "rows or a layout for a number of players that never plays",
        "`by_players` or `layouts` has an entry for a number of players that the game does not allow, so nobody ever "
        "reads it.",
        "- {id: salt, by_players: [9]}    # the game is for 2..4 players",
        "- {id: salt, by_players: [4]}",
    ),
    "R0230": Code(
        "an unknown clause",
        "A clause id after `@`, or in `cites`, is not in rulebook.yaml. Worked examples are listed there "
        "under `examples`, rulings under `rulings`.",
        "roll dice    @P-340",
        "roll dice    @P-034",
    ),
    "R0231": Code(
        "a clause that is listed twice, or without its reason",
        "Clause ids are unique over clauses, examples and rulings, and a clause that needs no rule says why.",
        "- {id: P-001, summary: …, needs_rule: no}",
        "- {id: P-001, summary: …, needs_rule: no, reason: it describes the box}",
    ),
    "R0232": Code(
        "a scenario that cannot be set up",
        "A scenario names a variant that does not exist or a number of players that the game does not allow; or one of "
        "its lines names a rule, a place, dice or pieces that do not exist, or sets something that is not a field.",
        'scenario "Small board" with smal',
        'scenario "Small board" with small',
    ),
    "R0240": Code(
        "a map that cannot be built",
        "The size of a generated map is not a number, is too small or too large, two of its nodes have one name, or a "
        "map has no nodes or more kinds of them than its form allows.",
        "map board is grid 0 by 8",
        "map board is grid 8 by 8",
    ),
    "R0241": Code(
        "not a map file, or the file of another map",
        "A map is read from a file with `nodes` and `edges`, or with `tiles` and `layouts` for hexes; its key "
        "`map` names the map of the rules.",
        "map yukon from cards.yaml",
        "map yukon from yukon.yaml",
    ),
    "R0242": Code(
        "an edge to nowhere",
        "Both ends of an edge are nodes of its map. A file that extends a map may remove or change only what that map "
        "has.",
        "- {ends: [scool, s1]}",
        "- {ends: [school, s1]}",
    ),
    "R0243": Code(
        "two nodes or edges with one id",
        "Every node and edge of a map has an id of its own.",
        "- {id: s1}\n- {id: s1}",
        "- {id: s1}\n- {id: s2}",
    ),
    "R0244": Code(
        "a map in several parts",
        "A map is in one piece, so that there is a way between any two nodes, unless its file says `connected: no`.",
        "layouts:\n  2: [{tile: a, at: [0, 0]}, {tile: a, at: [9, 0]}]",
        "layouts:\n  2: [{tile: a, at: [0, 0]}, {tile: a, at: [2, 0]}]",
    ),
    "R0245": Code(
        "an edge that ends where it begins",
        "An edge joins two different nodes.",
        "- {ends: [school, school]}",
        "- {ends: [school, s1]}",
    ),
    "R0246": Code(
        "kinds of nodes or edges that differ from the rules",
        "The file of a map has a list for each kind of nodes and edges that the map declares in the rules, "
        "and no other.",
        "edges:\n  Road: []    # edge Street",
        "edges:\n  Street: []",
    ),
    "R0247": Code(
        "hexes or nodes in one place",
        "No two hexes of a board lie in the same place, nor two nodes of a map that says where they are drawn.",
        "2: [{tile: a, at: [0, 0]}, {tile: b, at: [0, 0]}]",
        "2: [{tile: a, at: [0, 0]}, {tile: b, at: [3, 0]}]",
    ),
    "R0248": Code(
        "a tile that does not exist",
        "A layout puts down tiles that the file lists under `tiles`.",
        "2: [{tile: beech, at: [0, 0]}]",
        "2: [{tile: beach, at: [0, 0]}]",
    ),
    "R0249": Code(
        "no board for a number of players, or two",
        "The layouts of a board cover every number of players that the game allows, each once.",
        "layouts:\n  2: [{tile: a, at: [0, 0]}]    # for 2..3 players",
        "layouts:\n  2..3: [{tile: a, at: [0, 0]}]",
    ),
    "R0250": Code(
        "a missing value",
        "A row has a value for each column, unless the attribute is optional or has a default.",
        "- {id: one}    # value: 1..11",
        "- {id: one, value: 1}",
    ),
    "R0251": Code(
        "a column with an index",
        "An attribute with an index has one entry for each value of the index: written as keys, or as a list in the "
        "order of the index.",
        "price: 3    # price[Colour]: 1..4",
        "price: {red: 3, blue: 2}",
    ),
    "R0252": Code(
        "not a value of the index",
        "The keys of an attribute with an index are the values of the index.",
        "price: {rde: 3}",
        "price: {red: 3}",
    ),
    "R0253": Code(
        "none where something is needed",
        "Only an optional attribute (`T?`) can be none.",
        "value: none    # value: 1..11",
        "value: 1",
    ),
    "R0254": Code(
        "a value of another sort",
        "The cell holds another sort of value than its column is declared for.",
        "value: three    # value: 1..11",
        "value: 3",
    ),
    "R0255": Code(
        "a value outside its range",
        "The number in the cell is outside the range that the rules declare for the column.",
        "value: 13    # value: 1..12",
        "value: 12",
    ),
    "R0256": Code(
        "not a value of this type",
        "The cell names no value of the type of its column.",
        "trick: rerol    # trick: Trick?",
        "trick: reroll",
    ),
    "R0257": Code(
        "not a call",
        "A cell of type `effect` or `value` holds a call of a rule, without the player.",
        "gift: 3    # gift: effect",
        "gift: gain_dollars(3)",
    ),
    "R0258": Code(
        "rows that do not fill a chart",
        "A chart with parameters has exactly one row for each combination of arguments.",
        "- {space: 1, gift: 2}\n- {space: 1, gift: 3}",
        "- {space: 1, gift: 2}\n- {space: 2, gift: 3}",
    ),
    "R0259": Code(
        "a call of an unknown rule",
        "A cell of type `effect` calls an effect or action of the rules, one of type `value` a value.",
        "gift: gain_dolars(3)",
        "gift: gain_dollars(3)",
    ),
    "R0260": Code(
        "arguments that do not fit",
        "The arguments in a cell match the parameters of the rule in number, name and type. Leave out the player: "
        "`perform` supplies it.",
        "gift: gain_dollars    # effect gain_dollars(p, n: 1..9)",
        "gift: gain_dollars(3)",
    ),
    "R0261": Code(
        "two formulas",
        "A cell of type `value` is one call.",
        "points: half_of(3), half_of(4)",
        "points: half_of(7)",
    ),
    "R0262": Code(
        "a generated node without a value",
        "The nodes of a grid, ring or line do not come from a file, so their attributes need a default or must be "
        "optional.",
        "map board is grid 3 by 3\n  node Cell\n    worth: 0..9",
        "map board is grid 3 by 3\n  node Cell\n    worth: 0..9 = 1",
    ),
    "R0263": Code(
        "a text without a translation",
        "A file in `texts/` translates every text of the rules: titles, prompts, labels, reasons, score lines, and the "
        "names of rows, values and nodes. What is missing is shown in the first language.",
        "texts:\n  Take {c}: Prendre {c}\n# and nothing for Take nothing",
        "texts:\n  Take {c}: Prendre {c}\n  Take nothing: Ne rien prendre",
    ),
    "R0264": Code(
        "a translation that nothing uses",
        "The key of a translation is the text as the rules have it, holes included. This one is not in the rules, so "
        "nobody will ever read its translation. The same goes for a file that rewords texts in the game's own "
        "language; once a text is reworded there, the new wording is the key of its translations.",
        "texts:\n  Take {card}: Prendre {card}\n# the rules say Take {c}",
        "texts:\n  Take {c}: Prendre {c}",
    ),
    "R0265": Code(
        "a hole that the text does not have",
        "A translation may put the holes of its text in another order, use one more than once, and ask for a form of "
        "a name (`{c|definite}`); it cannot have holes of its own. Such a hole is shown as it is written, braces "
        "included; own words with such a hole are not used at all.",
        "texts:\n  Take {c}: Prendre {d}",
        "texts:\n  Take {c}: Prendre {c|definite}",
    ),
    "R0266": Code(
        "a name in table.yaml that the rules do not have",
        "`table.yaml` says how a game looks, by the names of its rules: places, counters, kinds, attributes, maps, "
        "charts, enums and their values. A name that nothing has is passed over.",
        "kinds:\n  Kajiu: {look: card}\n# the rules say kind Kaiju",
        "kinds:\n  Kaiju: {look: card}",
    ),
    "R0267": Code(
        "a drawing that cannot be used",
        "Drawings of a ruleset are shown on other people's pages. They consist of shapes: svg, g, path, circle, "
        "ellipse, rect, line, polyline and polygon, with numbers and colours. Scripts, styles, links, text, "
        "references, entities and comments are refused.",
        "drawings:\n  kiwi: '<svg viewBox=\"0 0 9 9\"><script/></svg>'",
        'drawings:\n  kiwi: \'<svg viewBox="0 0 9 9"><circle cx="4" cy="4" r="3"/></svg>\'',
    ),
    "R0268": Code(
        "a translation that leaves a hole out",
        "What the rules tell in a hole, the readers of this text are not told: options that differ in nothing else "
        "read the same. Holes may stand in another order and more than once, but each should be there.",
        "texts:\n  Take {c} for {n}: Prendre {c}",
        "texts:\n  Take {c} for {n}: Pour {n}, prendre {c}",
    ),
}
