"""Signs that do not belong into a rules file, or not there: tabs, curly quotes, `;`, `:`, `&&`.

More rows for the table of `mistakes`.
"""

from __future__ import annotations

from .mistake import Mistake

_RULE = "effect try_out(p)\n  "


def _m(code: str, pattern: str, headline: str, help: str, example: str) -> Mistake:
    return Mistake(code, pattern, headline, help, example)


CHARACTERS = (
    _m("R0119", "‸(?P<at>\t+)", "a tab", "indent with spaces, two for each step", "setup\n\tshuffle deck"),
    _m(
        "R0119",
        "‸(?P<at>\ufeff)",
        "an invisible mark at the start of the file",
        "save it as UTF-8 without a byte order mark",
        "\ufeffuse base_game",
    ),
    _m(
        "R0119",
        "‸(?P<at>[\u00a0\u2000-\u200b\u202f\u3000])",
        "an invisible character that is no plain space",
        "type the space again",
        "use\u00a0harbour",
    ),
    _m("R0103", "‸(?P<at>[“”„‟«»])", "a text stands in straight quotes", 'write `"…"`', "game x “X” for 2 players"),
    _m("R0103", r"‸(?P<at>'[^']*'?)", "a text stands in double quotes", 'write `"…"`', "game x 'X' for 2 players"),
    _m(
        "R0103",
        r'‸(?P<at>"(?:[^"\\]|\\.)*\\?)$',
        "this text is never closed",
        'end it with `"` on the same line',
        'game x "X for 2 players',
    ),
    _m(
        "R0117",
        r"(?P<at>[0-9]+‸?\.‸?[0-9]+)",
        "numbers are whole",
        "count in smaller units, or use `div`",
        _RULE + "let x = 1.5",
    ),
    _m("R0116", r"‸(?P<at>&&?)", "`{at}` is written `and`", "write the word", _RULE + "let x = a && b"),
    _m("R0116", r"‸?(?P<at>\|‸?\|)", "`||` is written `or`", "write the word", _RULE + "let x = a || b"),
    _m("R0116", r"‸(?P<at>!)(?!=)", "`!` is written `not`", "write the word", _RULE + "let x = !a"),
    _m("R0116", r"^\s*‸(?P<at>//|/\*|--)", "a comment begins with `#`", "write `# …`", _RULE + "// a comment"),
    _m("R0116", r"‸(?P<at>/)", "`/` is written `div`", "`a div b` divides and rounds down", _RULE + "let x = a / b"),
    _m("R0116", r"‸(?P<at>%)", "`%` is written `mod`", "`a mod b` is what is left over", _RULE + "let x = a % b"),
    _m(
        "R0116",
        r"‸(?P<at>;)",
        "a statement has a line of its own",
        "start a new line instead of `;`",
        _RULE + "stop; done",
    ),
    _m(
        "R0116",
        r"(?P<at>\+‸?\+|-‸?-)\s*(?:‸?\s*)$",
        "`{at}` is written `+= 1` or `-= 1`",
        "write `x += 1`",
        _RULE + "fame++",
    ),
    _m(
        "R0116",
        r"=\s*‸(?P<at>\{)[^}]*\}",
        "a set is written in round brackets",
        "write `(1, 2, 3)`",
        _RULE + "let x = {1, 2, 3}",
    ),
    _m("R0116", r"‸(?P<at>[{}])", "braces only stand in texts", "blocks are made by indentation", "setup {\n}"),
    _m(
        "R0123",
        r"‸(?P<at>@[A-Z][0-9A-Za-z-]+)",
        "clause tags end a line",
        "move the tag to the end of the line",
        _RULE + "let x @K-041 = 3",
    ),
    _m("R0123", r"‸(?P<at>@\S*)", "`{at}` is no clause tag", "a clause tag looks like `@K-041`", "use base_game @k-41"),
    _m(
        "R0104", r"‸(?P<at>_\w*)", "a name begins with a letter", "leave out the `_` at its start", _RULE + "let _x = 3"
    ),
)
