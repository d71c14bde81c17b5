"""Habits of other languages that look like a mistake of another sort: these rows of the table of `mistakes` come first.

`a // b` would be answered as a division, `may gain 2 coins` as the verb of another player, `"Buy " + c` not at all.
"""

from __future__ import annotations

from .mistake import Mistake

_RULE = "effect try_out(p)\n  "
_ONE = _RULE + 'choose one "What?"\n    '
_PATH = r"[a-z]\w*(?:\.\w+)*"


def _m(pattern: str, headline: str, help: str, example: str, code: str = "R0116") -> Mistake:
    return Mistake(code, pattern, headline, help, example)


FIRST = (
    _m(r"\S\s+‸(?P<at>//)", "`//` is neither a comment nor a division",
       "a comment begins with `#`; `a div b` divides and rounds down", _RULE + "shuffle deck // well"),
    _m(r"^(?!\s*say\b)[^‸]*\"\s*‸(?P<at>[+%])", "a value stands in a hole of the text",
       "write it in braces, inside the quotes: `\"Buy {{c}}\"`", _ONE + '"Buy " + c\n      stop'),
    _m(r"^\s*may\s+‸(?P<at>[a-z]\w*)", "`may` has a text, and what may be done stands below it",
       "write `may \"Take it\"`, and `{at} …` on the next line, indented", _RULE + "may gain 2 coins"),
    _m(r"^\s+(?P<at>each|every)\s+‸players?\b", "what everybody does is a loop",
       "write `for p in players`, and what each does on the lines below", _RULE + "each player takes turn(p)"),
    _m(r"^\s*‸?" + _PATH + r"\s*‸(?P<at>==)\s", "`==` compares, and nothing is done with the answer",
       "write `=` to store a value, or `if` before the comparison", _RULE + "a == 3", "R0105"),
    _m(r"(?P<at>=‸\+)", "`=+` is written `+=`", "write `x += 1`", _RULE + "a =+ 1"),
    _m(r"\bfor\s+(\w+)\s+in\s+(" + _PATH + r")\s+‸(?P<at>with\s+(?:most|least))\b",
       "`{at}` belongs to `all`", "write `for {0} in all x in {1} where … {at} …`",
       _RULE + "for c in heap with most c.rank\n    stop"),
    _m(r"\bfor\s+\w+\s+in\s+" + _PATH + r"\s+‸(?P<at>with|that|which|having|when)\b",
       "which of them are meant is said with `where`", "write `where` instead of `{at}`",
       _RULE + "for c in heap with c.rank < 4\n    stop"),
    _m(r"(?P<at>\b(?:first|the|all))\s+‸([a-z]\w*)\s+in\b", "`{at}` stands behind `=`, or in brackets of its own",
       "write `({at} {0} in …)`", _RULE + "let n = a if b else first q in players by lowest q.coins"),
    _m(r"(?<!\bin )(?P<at>\b(?:cheapest(?:\s+path)?|reach))\s+(?:‸from\b|from\s+" + _PATH
       + r"\s+‸(?:to|along|through)\b)",
       "`{at}` stands behind `=`, or in brackets of its own", "write `({at} from …)`",
       _RULE + "let n = 2 if c else cheapest from a to b along e in Lane costing 1"),
    _m(r"(?P<at>\b(?:cheapest(?:\s+path)?|reach))\s+from\b[^‸()]*‸(?:otherwise\b|div\b|mod\b|[=!<>]=|[-+*<>])",
       "`{at}` goes on to the end of its line, unless it stands in brackets", "write `({at} from …)` before this",
       _RULE + "let n = cheapest from a to b along e in Lane costing 1 otherwise 9"),
    _m(r"^(?!\s*in\s+turn\b)[^‸]*\b(?P<at>from|after|without)\s+(" + _PATH + r")\s+‸otherwise\b",
       "what stands behind `{at}` needs brackets here", "write `{at} ({0} otherwise …)`",
       _RULE + "let order = players from p otherwise seat1"),
    _m(r"\bin\s+" + _PATH + r"\s+‸(?P<at>" + _PATH + r")\s*(?:[=!<>]=|[<>]|is\b|in\b)",
       "which of them are meant is said with `where`", "write `where {at} …`",
       _RULE + "for c in heap c.rank < 4\n    stop"),
    _m(r"\bin\s+‸(?P<at>\[)", "a set is written in round brackets", "write `(1, 2, 3)`",
       _RULE + "if a in [1, 2]\n    stop"),
    _m(r"\bis\s+not\s+‸(?P<at>(?!empty\b|none\b)" + _PATH + r")", "`is not` asks about `empty` and `none` only",
       "write `!= {at}`", _RULE + "if p is not seat1\n    stop"),
    _m(r"\s+not\s+‸(?P<at>(?!empty\b|none\b)" + _PATH + r")", "what does not lie there is `not in`",
       "write `not in {at}`", _RULE + "if c not heap\n    stop"),
    _m(r"\b(?P<at>sum|max|min)\((\w+\.\w+)\.(\w+)‸\)", "`{at}` names what it goes over, one by one",
       "write `{at}(x.{1} for x in {0})`", _RULE + "let n = sum(p.hand.rank)"),
    _m(r"\b(?P<at>sum|max|min)\((" + _PATH + r")‸\)", "`{at}` names what it goes over, one by one",
       "write `{at}(x.value for x in …)`; the larger of two numbers is `max(a, b)`", _RULE + "let n = max(heap)"),
    _m(r"^\s*(pay|gain|lose)s?\s+(?P<at>[a-z]\w*)\s+(\w+)‸\.(\w+)", "the amount comes first",
       "write `{0} {1}.{2} {at}`", _RULE + "pay coins c.rank"),
    _m(r"^\s*(pay|gain|lose)s?\s+(?P<at>[a-z]\w*(?:\.\w+)+)\s*‸\s*$", "it is not said of what",
       "write `{0} {at} coins`", _RULE + "pay c.rank", "R0124"),
    _m(r"^\s*draw\s+(?:up\s+to\s+)?\S+\s+‸(?P<at>random)\b", "`draw` takes from the top",
       "`shuffle` before, or let the place be a `bag`: then what is drawn is left to chance",
       _RULE + "draw 4 random cards from deck to heap"),
)  # fmt: skip
