"""A table from malformed snippets to the message a person needs.

The line on which the parser stopped is written with a mark `‸` at that place and compared with the rows of the table,
from top to bottom. A row has a pattern, a headline, a help line, and a snippet that shows the mistake; the tests run
every snippet. `{0}`, `{1}` … stand for the groups of the pattern. The carets go under the group named `at`, or under
the word at the mark if there is none. Mistakes that need more than one line to recognise are in explain.py.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from .characters import CHARACTERS
from .english import ENGLISH, TOLD
from .habits import FIRST
from .mistake import Mistake
from .newcomers import AT_ONCE, OTHERWISE
from .retold import LAST, SOON
from .sayings import LATE, PLAIN
from .slips import SLIPS

MARK = "‸"
_LONGEST = 1000


@dataclass(frozen=True)
class Recognised:
    """A row that matches a marked line: what to report, and the columns to underline (None: the word at the mark)."""

    code: str
    headline: str
    help: str
    columns: tuple[int, int] | None


def _m(code: str, pattern: str, headline: str, help: str, example: str) -> Mistake:
    return Mistake(code, pattern, headline, help, example)


# The words that are followed by a condition.
_ASKS = r"\b(?:if|while|until|when|where|requires|has|skipping|such that|and|or|not)\b"
_RULE = "effect try_out(p)\n  "

PHRASES = (
    _m(
        "R0116",
        r"^\s*(?P<at>elif|elseif|elsif)\b",
        "`{at}` is written `else if`",
        "write two words",
        _RULE + "if a > 1\n    stop\n  elif a > 2\n    stop",
    ),
    _m(
        "R0120",
        r"^\s*(?:‸(?P<at>else)\b|else\s*‸)",
        "this `else` belongs to nothing",
        "it stands exactly below the `if` or `may` it belongs to",
        _RULE + "stop\n  else\n    stop",
    ),
    _m(
        "R0116",
        r"(?P<at>‸?:)\s*‸?\s*$",
        "no colon at the end of a line",
        "leave it out: the indented lines below belong to it",
        _RULE + "if a > 1:\n    stop",
    ),
    _m(
        "R0105",
        _ASKS + r"[^‸]*‸(?P<at>=)(?![=>])",
        "`=` stores a value, it does not compare",
        "write `==`",
        _RULE + "if a = 1\n    stop",
    ),
    _m(
        "R0105",
        r"^\s*let\s+\w+\s*(?P<at>‸?=‸?=)",
        "`==` compares, it does not store",
        "write `=`",
        _RULE + "let x == 1",
    ),
    _m("R0105", r"‸(?P<at>:=)", "a value is stored with `=`", "write `=`", _RULE + "fame := 1"),
    _m("R0116", r"(?P<at>=‸?>|=‸<)", "`{at}` is no comparison", "write `>=` or `<=`", _RULE + "let x = a => b"),
    _m(
        "R0121",
        r"(?:<=?|>=?|==|!=)(?:(?!\band\b|\bor\b|\bif\b)[^‸<>=!,])*‸(?P<at><=?|>=?|==|!=)",
        "comparisons do not chain",
        "compare twice: `a < b and b < c`",
        _RULE + "let x = 1 < a < 3",
    ),
    _m(
        "R0124",
        r"(?P<at>\b(?:and|or|not|div|mod|in|is|where|with|by|from|to)\b|[-+*<>]|[=<>!]=)\s*‸\s*$",
        "the line ends too early",
        "write what is missing; behind `=`, `and`, `or` or `+` it may stand in the next line, indented further",
        _RULE + "let x = a and\n  stop",
    ),
    _m(
        "R0116",
        r"‸(?P<at>then)\s*$",
        "no `then` after a condition",
        "leave it out: the indented lines below belong to it",
        _RULE + "if a > 1 then\n    stop",
    ),
    _m(
        "R0122",
        r"^\s*perform\b(?:(?!\bfor\b)[^‸])*‸\s*(?:if possible)?\s*$",
        "`perform` does not say for whom",
        "add the player: `perform … for p`",
        _RULE + "perform c.trick",
    ),
    _m(
        "R0122",
        r"^\s*draw\s+(?:up\s+to\s+)?(?P<at>‸?from)\b",
        "`draw` does not say how many",
        "write `draw 1 from …`",
        _RULE + "draw from deck to heap",
    ),
    _m(
        "R0122",
        r"^\s*(?:\w\S*\s+)?(?P<at>gain|lose|pay|gains|loses|pays)\s+[a-z]\w*\s*‸\s*(?:,.*|to\b.*)?$",
        "`{at}` does not say how many",
        "put the number first: `{at} 1 coins`",
        _RULE + "gain coins",
    ),
    _m(
        "R0122",
        r"^\s*in\s+turn\s+\w+\s*‸(?!from)",
        "`in turn` does not say who begins",
        "add `from` and the first player",
        "play\n  in turn p until deck is empty\n    turn(p)",
    ),
    _m(
        "R0116",
        r"^\s*in\s+turn\s+\w+\s+from\s+[^‸]*‸(?P<at>otherwise|if)\b",
        "who begins wants brackets here",
        "write `from (x otherwise y)`, `from (x if C else y)`",
        "play\n  in turn p from starter otherwise seat1\n    turn(p)",
    ),
    _m(
        "R0116",
        r"^\s*\"[^\"]*\"\s+(?!for\b|if\b)[^‸]*\S\s*‸(?P<at>for)\s+\w+\s+in\b",
        "a score line counts one number",
        "add them up: `sum(… for x in S)`; or write a line for each",
        'score p\n  "Rows"  points(p, c) for c in Colour',
    ),
    _m(
        "R0122",
        r"^\s*rank\b.*(?:,\s*‸|‸,\s*)(?P<at>highest|lowest|most|fewest|shared)",
        "the next tie-break begins with `then`",
        "write `, then {at}`",
        "rank p by highest score, fewest coins",
    ),
    _m(
        "R0116",
        r"^\s*for\s+(?P<at>each)\s+‸\w+",
        "`for each` is just `for`",
        "write `for x in …`",
        _RULE + "for each q in players\n    stop",
    ),
    _m(
        "R0116",
        r"^\s*(?:for|choose|pick|walk|may)\b[^‸]*\b\w+\s+‸(?P<at>of|from|on|among)\b",
        "what is gone through comes after `in`",
        "write `x in …`",
        _RULE + "for q of players\n    stop",
    ),
    _m(
        "R0116",
        r"^\s*(?:shuffle|roll|move|draw|end)\s+(?:‸(?P<at>the)\b|the\s+‸\w)",
        "no `the` before a name",
        "leave it out",
        _RULE + "shuffle the deck",
    ),
    _m(
        "R0116",
        r"^\s*draw\s+(?:up\s+to\s+)?\S+\s+‸(?P<at>\w+)\s+from\b",
        "`draw` takes what lies there: it does not say what",
        "write `draw 2 from …`",
        _RULE + "draw 2 cards from deck to heap",
    ),
    _m(
        "R0116",
        r"^\s*move\s+\w+\s+‸(?P<at>from)\b",
        "`move` does not say from where: a piece is in one place",
        "write `move x to …`, or `move 1 x in … to …`",
        _RULE + "move c from deck to heap",
    ),
    _m(
        "R0116",
        r"^\s*gain\b[^‸]*‸(?P<at>to)\b",
        "`gain` speaks to the player of the rule",
        "write `q gains …`",
        _RULE + "gain 1 coins to next(p)",
    ),
    _m(
        "R0116",
        r"^\s*(?P<at>(?:all|each|every|the)\s+‸?(?:other\s+)?players?)\s*‸?",
        "many players are gone through one by one",
        "write `for q in players` and below it `q gains …`",
        _RULE + "all players gain 1 coins",
    ),
    _m(
        "R0116",
        r"^\s*(?P<at>gain|lose|pay|say)\s+‸[0-9\"]",
        "`choose one` has branches, not statements",
        "put it below a branch: a text in quotes, indented under it what happens",
        _RULE + 'choose one "What?"\n    gain 1 coins',
    ),
    _m(
        "R0122",
        r"^\s*repeat\s+(?P<at>\S+)\s*‸\s*$",
        "`repeat {at}` lacks its last word",
        "write `repeat {at} times`",
        _RULE + "repeat 3\n    stop",
    ),
    _m(
        "R0116",
        r"\b(?P<at>count)\s+‸[a-z]",
        "`count` has brackets",
        "write `count(…)`",
        _RULE + "let x = count p.hand",
    ),
    _m(
        "R0116",
        r"(?:[=!]=|[<>])\s*‸(?P<at>\"[^\"]*\")",
        "a text is no value",
        "name the value itself, without quotes",
        _RULE + 'if p == "red"\n    stop',
    ),
    _m(
        "R0116",
        r"^\s*(?:say|requires|choose|may)\b.*\"\s*‸(?P<at>\+)",
        "texts are not added up",
        "write one text, with holes for what changes",
        _RULE + 'say "a" + "b"',
    ),
    _m(
        "R0109",
        r"^\s*[a-z][\w.\[\]()]*\s+‸(?P<at>[-+*])\s",
        "a value alone does nothing",
        "store it: `x += 1`, `let y = …`",
        _RULE + "p.coins + 1",
    ),
    _m(
        "R0104",
        r"^\s*(?:phase|action|free action|effect|value|constant|chart|variant|map|game|core)\s+(?P<at>\w+‸?-‸?[\w-]+)",
        "`{at}` has a hyphen",
        "words of a name are joined with `_`",
        "effect take-all(p)",
    ),
    _m(
        "R0116",
        r"\bin\s+(?P<at>reach|cheapest)\s+(?:path\s+)?from\b[^‸]*‸along\b",
        "`{at} …` has brackets of its own here",
        "write `x in ({at} from … along …)`",
        _RULE + "let x = a in reach from b along e in Road",
    ),
    _m(
        "R0116",
        r"\bin\b[^‸]*‸(?P<at>until)\b",
        "what goes over a set is not followed by `until`",
        "write `stopping at C`: up to the first with C, that one included",
        _RULE + "for c in line(a, north) until c.man is not empty\n    stop",
    ),
    _m(
        "R0116",
        r"^\s*move\b[^‸]*‸(?P<at>into|onto|in)\b",
        "`move` goes `to` a place",
        "write `move … to …`",
        _RULE + "move c into deck",
    ),
    _m(
        "R0116",
        r"^\s*(\S+)\s+‸(?P<at>choose|gain|lose|pay)\b",
        "another player's verb ends in s",
        "write `{0} {at}s`",
        _RULE + "q choose one",
    ),
    _m(
        "R0122",
        r"^\s*(?P<at>chooses|gains|loses|pays)\b",
        "`{at}` does not say who",
        "put the player before it: `p {at}`",
        _RULE + "gains 2 coins",
    ),
    _m(
        "R0116",
        r":\s*-?[0-9]+\s*‸(?P<at>to\b|…|\.\.\.)",
        "a range is written with two dots",
        "write `0..9`",
        "table\n  fame: 0 to 9",
    ),
    _m(
        "R0116",
        r":\s*-?[0-9]+\s*(?P<at>-)\s*[0-9]+\s*‸",
        "a range is written with two dots",
        "write `0..9`",
        "table\n  fame: 0-9",
    ),
    _m("R0116", r"\.\.‸?(?P<at>\.)", "a range is written with two dots", "write `0..9`", "table\n  fame: 0...9"),
    _m(
        "R0116",
        r":\s*‸?(?P<at>int|integer|number|num)\b\s*‸?",
        "`{at}` is no type: numbers have a range",
        "write `0..99`",
        "table\n  fame: int",
    ),
    _m(
        "R0116",
        r":\s*(?P<at>deck|stack|list|queue|heap|set)\s+‸of\b",
        "`{at}` is no kind of place",
        "places are `pile`, `row`, `pool`, `hand`, `bag`, `slot` and `slots`",
        "table\n  cards: stack of Card open",
    ),
    _m(
        "R0116",
        r"‸(?P<at>visible|public)\b",
        "what all may see is `open`",
        "write `open`",
        "table\n  cards: pile of Card visible",
    ),
    _m(
        "R0116",
        r"‸(?P<at>private)\b",
        "what only its owner may see is `secret`",
        "write `secret`",
        "each player\n  cards: hand of Card private",
    ),
    _m("R0116", r":\s*‸?(?P<at>bool|boolean)\b\s*‸?", "`{at}` is no type", "write `flag`", "table\n  over: bool"),
    _m(
        "R0116",
        r":\s*‸?(?P<at>string|str|text)\b\s*‸?",
        "`{at}` is no type: state holds no text",
        "use an `enum` for a set of words",
        "table\n  mood: string",
    ),
    _m(
        "R0116",
        r"^\s*(?:extend\s+)?enum\b[^‸]*‸(?P<at>,)",
        "values of an enum are separated by `|`",
        "write `a | b | c`",
        "enum Colour = red, blue",
    ),
    _m(
        "R0116",
        r"^\s*replace\s+‸(?P<at>constant)\b",
        "a constant is set, not replaced",
        "write `set NAME = …`, with a value inside its range",
        "variant v of toy\n  replace constant size: 1..9 = 4",
    ),
    _m(
        "R0116",
        r"^\s*replace\s+‸(?P<at>enum)\b",
        "an enum is extended, not replaced",
        "write `extend enum NAME = …` for more values",
        "variant v of toy\n  replace enum Colour = red",
    ),
    _m(
        "R0116",
        r"^\s*replace\s+‸(?P<at>before|after|instead|also)\b",
        "a hook is not replaced",
        "`remove` it by its name (`as NAME`), and write the other one",
        "variant v of toy\n  replace after take(p)\n    stop",
    ),
    _m(
        "R0116",
        r"^\s*extend\s+‸(?P<at>table|each)\b",
        "fields are added without `extend`",
        "write `{at}` with the new fields below it",
        "variant v of toy\n  extend table\n    more: 0..9",
    ),
    _m(
        "R0116",
        r"^\s*extend\s+‸(?P<at>\w+)",
        "only kinds, enums and maps are extended",
        "write `replace` for another definition, or a hook on it",
        "variant v of toy\n  extend chart prize(n: 1..3): 0..9 = 1",
    ),
    _m(
        "R0116",
        r"^\s*remove\s+‸(?P<at>[A-Z]\w*)",
        "kinds, enums, nodes and edges are not removed",
        "`replace kind` or `replace map` with other rows, or leave it unused",
        "variant v of toy\n  remove Card",
    ),
    _m(
        "R0122",
        r"^\s*(?:game|core)\s+\w+\s*‸(?!\")",
        "the game has no title",
        'write it in quotes: `game x "Title" for 2 players`',
        "game x for 2 players",
    ),
    _m(
        "R0122",
        r"^\s*(?:choose|pick)\b[^‸]*\bas\s*‸\s*$",
        "`as` gives no name",
        "add the name",
        _RULE + "choose any c in heap as",
    ),
    _m(
        "R0122",
        r"^\s*choose\s+(?:any|up to \S+|[0-9]+(?:\.\.[0-9]+)?)\s+\w+\s+in\b(?:(?!\bas\b)[^‸])*‸\s*$",
        "the chosen set has no name",
        "add `as` and a name",
        _RULE + "choose 2 c in heap",
    ),
)


TABLE = (*FIRST, *AT_ONCE, *SOON, *PLAIN, *CHARACTERS, *ENGLISH, *PHRASES, *SLIPS, *TOLD, *LATE, *OTHERWISE, *LAST)


def recognise(before: str, after: str) -> Recognised | None:
    """The first row that matches a line, given its text before and after the place where the parser stopped.

    Nobody writes by hand a line of more than `_LONGEST` characters, and some patterns would take minutes on one that
    is made to be slow.
    """
    if len(before) + len(after) > _LONGEST:
        return None
    marked = before.replace(MARK, "?") + MARK + after.replace(MARK, "?")
    for mistake in TABLE:
        if (fit := re.search(mistake.pattern, marked)) is not None:
            return _recognised(mistake, fit, len(before))
    return None


def _recognised(mistake: Mistake, fit: re.Match[str], mark: int) -> Recognised:
    at = (fit.groupdict().get("at") or "").replace(MARK, "")
    named = fit.re.groupindex.values()
    groups = [group.replace(MARK, "") for index, group in enumerate(fit.groups(""), 1) if index not in named]
    columns = None
    if at:
        start, end = fit.span("at")
        columns = start - (start > mark), end - (end > mark)
    return Recognised(
        mistake.code, mistake.headline.format(*groups, at=at), mistake.help.format(*groups, at=at), columns
    )
