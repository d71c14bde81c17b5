"""What people write who retell a game of boards, stacks and goods: `adjacent to`, `equals`, `gain 1 points if …`.

More rows for the table of `mistakes`. `SOON` rows come early, since another row would answer them wrongly; `LAST` rows
come last.
"""

from __future__ import annotations

from .mistake import Mistake

_RULE = "effect try_out(p)\n  "
_ONE = _RULE + 'choose one "What?"\n    '
_NAME = r"[a-z]\w*"
_PATH = r"[a-zA-Z]\w*(?:\[[^\]‸]*\])?(?:\.\w+(?:\[[^\]‸]*\])?)*"
_ASKS = r"\b(?:if|while|until|and|or|not|where|has|requires)\s+‸?"
_END = r"\s*‸?\s*$"
_TEXT = r"\"(?:[^\"\\]|\\.)*\""


def _m(pattern: str, headline: str, help: str, example: str, code: str = "R0116") -> Mistake:
    return Mistake(code, pattern, headline, help, example)


SOON = (
    _m(_ASKS + rf"({_PATH})\s+‸?(?P<at>equals|equal\s+‸?to)\b", "`{at}` is written `==`",
       "write `==`, `!=`, `<`, `<=`, `>` or `>=`", _RULE + "if round equals 5\n    stop", "R0105"),
    _m(_ASKS + rf"({_PATH})\s+‸?(?P<at>(?:is\s+‸?)?(?:next\s+‸?to|adjacent\s+‸?to|beside))\s+‸?({_PATH})",
       "what lies next to a space are its `neighbours`", "write `{0} in neighbours({1})`",
       _RULE + "if p.spot adjacent to goal\n    stop"),
    _m(rf"\b(?:chooses?|for|pick)\s+‸?({_NAME})\s+‸?(?P<at>(?:adjacent|next)\s+‸?to|beside)\s+‸?({_PATH})",
       "what lies next to a space are its `neighbours`", "write `{0} in neighbours({1})`",
       _RULE + "choose c adjacent to p.spot"),
    _m(_ASKS + rf"({_PATH})\s+‸?is\s+‸?(?P<at>(?:the\s+‸?)?first\s+‸?player)\b",
       "the first player is a seat", "write `{0} == first of players`, or `{0} == seat1`",
       _RULE + "if p is first player\n    stop"),
    _m(r"\S\s+‸?(?P<at>\b(?:the\s+‸?)?(?:next|following)\s+‸?player(?:\s+‸?(?:after|of)\s+‸?(\w+))?)",
       "the next player is `next(p)`", "write `next(p)`", _RULE + "let q = next player after p"),
    _m(r"(?P<at>\b(?:the\s+‸?)?first\s+‸?player)\b", "the first player is a seat",
       "write `first of players`, or `seat1`", _RULE + "let q = first player"),
    _m(r"(?P<at>\b(?:the\s+‸?)?player\s+‸?with\s+‸?(?:the\s+‸?)?(most|highest|least|lowest|fewest)\s+‸?(\w+))",
       "players are asked for with a name", "write `first q in players by highest q.{1}` (or `by lowest …`)",
       _RULE + "let best = player with most coins"),
    _m(_ASKS + rf"(?P<at>distance|path|way)\s+‸?from\s+‸?({_PATH})\s+‸?to\s+‸?({_PATH})",
       "a question to the map has brackets",
       "write `distance({0}, {1})`; whether there is a way: `{1} in (reach from {0} through n in … where …)`",
       _RULE + "if distance from a to b == 1\n    stop"),
    _m(_ASKS + r"(?P<at>there\s+‸?(?:is|are)\s+‸?(?:an?\s+‸?|any\s+‸?)?(\w+))\b",
       "that there is one is said with `some`",
       "write `some c in … has …`; that something lies there at all, `… is not empty`",
       _RULE + "if there is a card in p.hand\n    stop"),
    _m(_ASKS + rf"(?P<at>({_NAME})\s+‸?(?:chooses|chose|accepts|agrees|wants))\b",
       "what somebody decides stands in a choice",
       "write `{0} may \"Yes\"`, and what happens then on the lines below; `else` for what happens otherwise",
       _RULE + "if p chooses yes\n    stop"),
    _m(_ASKS + rf"({_PATH})\s+‸?(?P<at>has\s+‸?(?:(?:fewer|less|more)\s+‸?than|at\s+‸?(?:least|most)))"
       r"\s+‸?([0-9]+)\s+‸?(\w+)",
       "how many there are is compared", "write `count({0}) >= {1}` of pieces, `{0}.{2} >= {1}` of a number",
       _RULE + "while market has fewer than 5 cards\n    stop"),
    _m(r"\bin\s+‸?(?P<at>reach)\s+‸?from\b[^‸]*‸through\b",
       "`{at} …` has brackets of its own here", "write `x in ({at} from … through …)`",
       _RULE + "if a in reach from b through n in Cell where n.owner == p\n    stop"),
    _m(r"(?P<at>distance\([^()]*\))\s+‸(?:through|along)\b", "`distance` goes over every space",
       "over some of them: `(cheapest from a to b along e in … where … costing 1)`, or "
       "`b in (reach from a through n in … where …)`",
       _RULE + "if distance(a, b) through n in Cell where n.owner == p\n    stop"),
    _m(rf"\bin\s+‸?({_PATH})\s+‸?(?P<at>clockwise\s+‸?from|(?:starting|beginning)\s+‸?(?:with|from|at))\s+‸?(\w+)",
       "who is first stands behind `from`", "write `{0} from {1}`",
       _RULE + "for q in players starting with p\n    stop"),
    _m(rf"=\s*‸?(?P<at>({_NAME}\s+‸?chooses|chooses?)\s+‸?(\w+))\s*‸?\s*‸?in\b", "a choice gives the name itself",
       "write `choose {1} in …` on a line of its own; `{1}` is what was chosen", _RULE + "let x = choose c in heap"),
    _m(r"\bchooses?\s+‸?(?P<at>an?\s+‸?number)\s+‸?(?:from|between|in)\s+‸?([0-9]+)\s*‸?(?:to|and|\.\.)\s*‸?([0-9]+)",
       "a number lies in a range", "write `choose n in {0}..{1}`", _RULE + "choose a number from 1 to 3"),
)  # fmt: skip

_DONE = (
    _m(r"^\s+‸?(?:\w+\s+‸?)?(gains?|loses?|pays?|moves?|draws?|rolls?)\b[^‸\"]*‸(?P<at>(?:if|when|unless)\s+(.*))$",
       "the condition comes first", "write `if {1}`, and on the line below it `{0} …`, indented",
       _RULE + "gain 1 coins if p.coins > 3"),
    _m(r"^\s+‸?(?:\w+\s+‸?)?(?:gains?|loses?|pays?)\b[^‸\"]*‸(?P<at>and|plus)\b", "several are separated by commas",
       "write a comma: `gain 1 points, 2 coins`", _RULE + "gain 1 points and 2 coins"),
    _m(r"^\s+‸?(?:\w+\s+‸?)?(?:pays?)\b[^‸\"]*‸(?P<at>or)\b", "one `pay` is one cost",
       "what may be paid instead is a branch of `choose one`, or a source of a `currency`",
       _RULE + "pay 1 wood or 1 ore"),
    _m(r"^\s+‸?(?:gain|lose|pay)\s+‸?([0-9]+)\s+‸?(?P<at>of\s+‸?each)(?:\s+‸?(\w+))?", "each value is gone through",
       "write `for g in Good`, and below it `gain {0} stock[g]`; `pay 1 stock for each k: Good` pays of each",
       _RULE + "gain 1 of each Good"),
    _m(rf"^\s+‸?({_PATH})\s*([-+]?=)\s*([^‸\"]*?)\s*‸(?P<at>for\s+(?:each\s+)?(\w+)\s+in\b)",
       "what is done for each stands below the loop",
       "write `for {3} in …` and below it `{0} {1} {2}`; how many there are is `count({3} in … where …)`",
       _RULE + "p.coins += 2 for each c in heap"),
    _m(rf"^\s+‸?(?P<at>({_PATH})\s*‸?,\s*‸?({_PATH}))\s*‸?(?:,[^=]*)?=(?!=)", "each field has a line of its own",
       "write a line for each; two values change places with `let old = {0}`, `{0} = {1}`, `{1} = old`",
       _RULE + "a.level, b.level = b.level, a.level"),
    _m(rf"^\s+‸?({_PATH})\s*=\s*({_PATH})\s*‸(?P<at>=)(?!=)", "each field has a line of its own",
       "write `{0} = …` and `{1} = …`", _RULE + "p.coins = p.points = 0"),
    _m(rf"^\s+‸?for\s+‸?\w+\s+‸?in\s+‸?{_PATH}\s+‸(?P<at>{_PATH})\s*[-+]?=(?!=)",
       "what happens stands on the lines below", "start a new line, indented by two spaces",
       _RULE + "for g in heap g.level = 0"),
    _m(r"^\s+‸(?P<at>until)\b\s*(.*)$", "the end of a loop stands at its beginning",
       "write `while not …` above the loop, or `if {0}` and below it `stop` as its last lines",
       _RULE + "repeat\n    gain 1 coins\n  until p.coins > 5"),
    _m(r"^\s+‸?(?P<at>roll\s+‸?all)\s+‸?(\w+)", "`roll` with the name of the dice rolls all of them",
       "write `roll {0}`", _RULE + "roll all dice"),
    _m(r"^\s+‸?(?P<at>re?fill|replenish|top\s+‸?up)\s+‸?([a-z][\w.]*)", "a place is filled with `draw`",
       "write `draw up to 5 - count({0}) from deck to {0}`", _RULE + "refill market to 5 from deck"),
    _m(r"^\s+‸?(?P<at>place|put|set)\s+‸?[0-9]+\s+‸?(\w+)\s+‸?(?:from\s+‸?(\S+)\s+‸?)?(?:on|in|into|onto|at)\b",
       "pieces go from place to place with `move`", "write `move 1 {0} in … to …`",
       _RULE + "place 1 m from heap on market"),
    _m(r"^\s+‸?(?P<at>score|scores)\s+‸?([0-9]+)", "points that are made in play are a field",
       "declare `points: 0..99` under `each player` and write `gain {0} points`; `score p` stands outside of rules",
       _RULE + "score 3"),
    _m(r"^\s+‸?([0-9]+)\s+‸?(?P<at>times)\b", "a loop that is counted is `repeat`", "write `repeat {0} times`",
       _RULE + "3 times\n    stop"),
    _m(r"^\s+‸?(?P<at>end)\s+‸?(round|phase|step|day|year)" + _END, "a {0} ends with its rule",
       "leave it out; `done` leaves the rule, `stop` the loop", _RULE + "end round"),
)  # fmt: skip

_CHOSEN = (
    _m(rf"\b(chooses?|pick|for)\s+‸?(?P<at>({_NAME})\s*‸?,\s*‸?({_NAME}))\s+‸?in\s+‸?(\S+)",
       "each name says what it goes over",
       "write `{0} {1} in {3}, {2} in {3} where …`", _RULE + "choose a, b in heap where a != b"),
    _m(rf"\b(?:chooses?|pick|for)\s+‸?({_NAME})\s+‸?in\s+‸?(\S+)\s+‸?(?P<at>and)\s+‸?({_NAME})\s+‸?in\b",
       "a comma stands between two names", "write `{0} in {1}, {2} in …`", _RULE + "choose a in heap and b in heap"),
    _m(r"\bchooses?\s+‸?(?P<at>(?:between\s+‸?)?([0-9]+)\s+‸?(?:and|to|or)\s+‸?([0-9]+))", "a number lies in a range",
       "write `choose n in {0}..{1} \"How many?\"`", _RULE + "choose between 1 and 3 \"How many?\""),
    _m(r"\bchooses?\s+‸?(?P<at>yes\s+‸?or\s+‸?no|whether)\b", "to do something or not is `may`",
       "write `p may \"Do it\"`, and what happens then on the lines below", _RULE + "choose yes or no \"Go?\""),
    _m(rf"\bchooses?\s+‸?(?P<at>([A-Z]\w*)\s+‸?({_NAME}))\s*‸?(?:where|\"|$)", "a name goes over something",
       "write `choose {1} in {0}`", _RULE + "choose Cell c where c.owner is none"),
    _m(rf"\bchooses?\s+‸?(?P<at>({_NAME})\s*‸?:\s*‸?([A-Z]\w*))\s*‸?(?:where|\"|$)", "a name goes over something",
       "write `choose {0} in {1}`", _RULE + "choose c: Cell \"Where?\""),
    _m(rf"^\s+‸?(?P<at>or|and)\s+‸?({_TEXT})" + _END, "the branches of a choice stand one below the other",
       "leave `{at}` out: write `{0}` on a line of its own", _ONE + '"A"\n      stop\n    or "B"\n      stop'),
    _m(rf"^\s+‸?(?P<at>-|\*|[0-9]+\.|[a-z]\))\s*‸?({_TEXT})", "a branch begins with its text", "write `{0}`",
       _ONE + '- "A"\n      stop'),
    _m(r"^\s+‸?(?P<at>if)\s+‸(\S.*)$", "a branch has its condition behind its text", 'write `"Text" if {0}`',
       _ONE + 'if p.coins > 1\n      "A"\n        stop'),
    _m(r"^\s+‸?(?P<at>for)\s+‸(\S.*)$", "a branch goes over something behind its text", 'write `"Take {{c}}" for {0}`',
       _ONE + 'for c in heap\n      "Take {c}"\n        stop'),
    _m(rf"^\s+‸?({_TEXT})\s*‸(?P<at>\((.*)\))\s*$", "a branch has its condition after `if`", "write `{0} if {1}`",
       _ONE + '"A" (p.coins > 1)\n      stop'),
    _m(rf"^\s+‸?({_NAME}(?:\([^()]*\))?)\s+‸(?P<at>(?:if|when|where)\s+(.*))$",
       "a line that calls an action has no condition",
       "write `requires {1}` as the first line of `{0}`, or a text: `\"…\" if {1}`, and `{0}` below it",
       _ONE + "buy(p) if p.coins > 3"),
    _m(r"^\s+‸?(?:\w+\s+‸?)?may\s+‸?\"[^\"]*\"\s*‸(?P<at>:|->|=>)", "what may be done stands on the lines below",
       "start a new line, indented by two spaces", _RULE + 'may "Draw": draw 1 from deck to p.hand'),
)  # fmt: skip

_ASKED = (
    _m(r"(?P<at>\b((?:north|south)(?:_(?:east|west))?|east|west|left|right|above|below)\s+‸?of)\s+‸?(\S+)",
       "the space next to one is `toward`", "write `toward({1}, {0})`, with a direction of the map",
       _RULE + "p.spot = north of p.spot"),
    _m(r"\b(groups|largest_group|group)\s+‸?(?P<at>of)\s+‸?(\S+)",
       "what hangs together is reached",
       "write `(a, (reach from a through n in … where n.owner == p))`; how many there are, `count(…)`",
       _RULE + "let mine = group of p.spot"),
    _m(r"\b(?P<at>longest_line)\((?!\w+\s+through\b)", "a line goes through a space",
       "write `longest_line(d through c where d.owner == p)`: the longest one that runs through `c`",
       _RULE + "gain longest_line(c in Cell where c.owner == p) coins"),
    _m(r"=\s*‸?(?P<at>(highest|lowest|best|largest|smallest|richest|poorest)\s+‸?(\w+))\s+‸?in\s+‸?(\S+)",
       "the one that is best is the first in an order", "write `first {1} in {2} by highest …` (or `by lowest …`)",
       _RULE + "let c = highest c in p.hand"),
    _m(rf"=\s*‸?(?P<at>sort(?:ed)?)\s+‸?({_PATH})", "sets are sorted with `by`",
       "write `all c in {0} by lowest c.rank`", _RULE + "let cs = sort p.hand by rank"),
    _m(rf"\b(?P<at>(max|min))\(({_PATH})\s+‸by\s+(\w+)", "the one that is best is the first in an order",
       "write `first c in {1} by highest c.{2}` (or `by lowest …`)", _RULE + "let best = max(p.hand by rank)"),
    _m(rf"=\s*‸?(?P<at>({_PATH}))\s+‸by\s+(?:highest|lowest)\b", "what is sorted has a name",
       "write `all x in {0} by lowest x.coins`", _RULE + "let order = players by lowest coins"),
    _m(rf"\((?:some|no)\s+({_NAME})\s+in\s+({_PATH})\s*‸\)", "`some` and `no` say what holds of it",
       "write `some {0} in {1} has …`; that something lies there at all, `{1} is not empty`",
       _RULE + "if not (some c in p.hand)\n    stop"),
    _m(r"\bin\s+‸?(?P<at>(row|column)\s+‸?([0-9]+))" + _END, "which of them are meant is said with `where`",
       "write `c in Cell where c.{0} == {1}`", _RULE + "for c in row 3\n    stop"),
    _m(r"\bby\s+(?:highest|lowest)\s+\S+\s+‸(?P<at>at\s+most|up\s+to|limit|the\s+first)\s+([0-9]+)",
       "a loop goes over all of its set", "name them first: `let ranked = all x in … by …`, then "
       "`for x in ranked where position(x, ranked) <= {0}`",
       _RULE + "for g in heap by highest g.rank at most 2\n    stop"),
    _m(_ASKS + rf"({_PATH})\s+is\s+‸(?P<at>(?!(?:empty|full|none|not|running|automa|known|first|the|in)\b)"
       rf"{_NAME}(?:\.\w+)*)"
       r"(?!\s+(?:of|to|than|player)\b)", "`is` asks for a kind, `empty` or `none`; values are compared with signs",
       "write `{0} == {at}`", _RULE + "if c.owner is p\n    stop", "R0105"),
)  # fmt: skip

LAST = (*_DONE, *_CHOSEN, *_ASKED)
