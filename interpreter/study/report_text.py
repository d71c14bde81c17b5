"""The report of a simulation for the terminal. Every row says whose figure it is and of what; every ± says what it
is."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from .statistics import wilson_interval
from .text_table import aligned, seeds_told, several

_WIDTH = 110
_MOST_USED = 12


def report_text(report: dict[str, Any]) -> str:
    """The report for a reader: what to beware of, who wins, what scores are made of, how long it takes."""
    lines = [f"{report['title']} ({report['game']}), {games_told(report)}", ""]
    lines += [line for caution in report["cautions"] for line in wrap("! " + caution, _WIDTH, subsequent_indent="  ")]
    lines += [""] if report["cautions"] else []
    lines += ["Who wins", *aligned(_seat_rows(report), right=range(2, 20), indent="  ")]
    lines += [*(f"  {told}" for told in fewest_told(report)), *_kinds(report), *_first_seat(report), ""]
    lines += _sheet(report)
    lines += ["The games", *aligned(game_rows(report), indent="  ")]
    if any(report["endings"]):
        lines += ["", "How games ended", *aligned(_ending_rows(report), right=(1, 2), indent="  ")]
    lines += _used(report)
    return "\n".join(lines)


def games_told(report: dict[str, Any]) -> str:
    """How many games, of how many players."""
    return f"{several(report['players'], 'player')}, {several(report['games'], 'game')} {seeds_told(report)}"


# ---------------------------------------------------------------------------- who wins


def wins_together(report: dict[str, Any]) -> tuple[float, tuple[float, float]] | None:
    """The share of the games that all seats win, with its interval, where all win or nobody does; None elsewhere."""
    shared, games = report["shared"], report["games"]
    if not shared or not report["without_winner"] or shared + report["without_winner"] < games:
        return None
    if any(seat["shared"] != shared for seat in report["seats"]):
        return None
    return shared / games, wilson_interval(shared, games)


def wins_with_others(report: dict[str, Any]) -> bool:
    """No game has a single winner, as where the rules know sides: then a win is one with others."""
    return bool(report["shared"]) and not any(seat["wins"] for seat in report["seats"])


def may_share_first(report: dict[str, Any]) -> bool:
    """Whether a column says how many first places were shared: one seat alone shares none."""
    return not wins_with_others(report) and len(report["seats"]) > 1


def is_always_shared(report: dict[str, Any]) -> bool:
    """All share the first place of every game: a team that only counts points, or draws and nothing else."""
    return bool(report["games"]) and all(seat["shared"] == report["games"] for seat in report["seats"])


def seat_wins(report: dict[str, Any], seat: dict[str, Any]) -> tuple[int, float, tuple[float, float]]:
    """The games that a seat won, their share and its interval. A win is alone, unless nobody ever wins alone."""
    if not wins_with_others(report):
        return seat["wins"], seat["rate"], tuple(seat["interval"])
    return seat["shared"], seat["shared"] / report["games"], wilson_interval(seat["shared"], report["games"])


def wins_word(report: dict[str, Any]) -> str:
    """What the column of wins is called. A draw is no win: a place that all share in every game is not called one."""
    if not wins_with_others(report):
        return "wins"
    if is_always_shared(report):
        return "first with all"
    return "wins with others" if wins_together(report) is None else "wins with all"


def has_automa(report: dict[str, Any]) -> bool:
    return any(seat["bot"] == "automa" for seat in report["seats"])


def _seat_rows(report: dict[str, Any]) -> list[list[str]]:
    has_scores = any(is_scored(seat["score"]) for seat in report["seats"])
    shares, may_share = wins_with_others(report), may_share_first(report)
    won = ["wins", "rate", "95 % interval", *(["shares first"] if may_share else [])]
    if shares:
        won = [wins_word(report), "rate", "95 % interval"]
    scores = ["mean score", "sd", "min", "q1", "median", "q3", "max"] if has_scores else []
    rows = [["seat", "bot", *won, *scores]]
    for seat in report["seats"]:
        wins, rate, (low, high) = seat_wins(report, seat)
        row = [f"{seat['seat']} {seat['name']}", seat["bot"], number(wins), percent(rate)]
        row += [f"{percent(low)} - {percent(high)}", *([number(seat["shared"])] if may_share else [])]
        rows.append(row + (score_cells(seat["score"]) if has_scores else []))
    return rows


def _kinds(report: dict[str, Any]) -> list[str]:
    return [
        f"  {one['bot']} (seat {', '.join(map(str, one['seats']))}) wins {percent(one['won'])} of the games, "
        f"95 % between {percent(one['interval'][0])} and {percent(one['interval'][1])}; even would be "
        f"{percent(one['even'])} (a shared win is divided)"
        for one in report["kinds"]
    ]


def _first_seat(report: dict[str, Any]) -> list[str]:
    first = report["first_seat"]
    if first is None:
        return []
    told = [first["sentence"]]
    if first["lead_interval"] is not None and any(is_scored(seat["score"]) for seat in report["seats"]):
        low, high = first["lead_interval"]
        told.append(
            f"Its lead over the best of the others is {short(first['lead'], 2)} points on average (95 % between "
            f"{short(low, 2)} and {short(high, 2)})."
        )
        if report["players"] > 2:
            told.append("Among equals that is below 0 too: the best of several others is ahead of most.")
    return wrap(" ".join(told), _WIDTH, initial_indent="  ", subsequent_indent="  ")


def fewest_told(report: dict[str, Any]) -> list[str]:
    """That the fewest points win, where they do and points are shown: nobody would read that out of a mean."""
    shows = any(is_scored(seat["score"]) for seat in report["seats"])
    return ["In this game the fewest points win."] if report["points_win"] == "fewest" and shows else []


def is_scored(spread: dict[str, float] | None) -> bool:
    return spread is not None and (spread["min"] != 0 or spread["max"] != 0)


def score_cells(spread: dict[str, float] | None) -> list[str]:
    if spread is None:
        return [""] * 7
    keys = ("mean", "sd", "min", "q1", "median", "q3", "max")
    return [short(spread[key], 2 if key in ("mean", "sd") else 1) for key in keys]


# ---------------------------------------------------------------------------- scores, lengths, endings


def _sheet(report: dict[str, Any]) -> list[str]:
    if not report["sheet"]:
        return []
    seats = [seat["name"] for seat in report["seats"]]
    rows = [["line", *(f"{seat} (mean ± sd)" for seat in seats), "decides"]]
    for line in report["sheet"]:
        own = [f"{short(m, 2)} ± {short(sd, 2)}" for m, sd in zip(line["means"], line["sds"], strict=True)]
        rows.append([line["line"], *own, percent(line["decides"]) if line["decides"] is not None else ""])
    told = "  ± is the standard deviation from game to game; decides: the line's part of what makes scores differ."
    return ["The score sheet", *aligned(rows, right=range(1, 20), indent="  "), told, ""]


def game_rows(report: dict[str, Any]) -> list[list[str]]:
    rows = [
        _length("turns of all players", report["turns"], _counted_as(report, "turns")),
        _length("rounds", report["rounds"], _counted_as(report, "rounds")),
        _length("choices of all players", report["length"], "with two or more options"),
        _length("forced choices", report["forced"], "a single option, made by the game"),
    ]
    if report["minutes"] is not None:
        pace = report["minutes"]
        rows.append(
            [
                "minutes, estimated",
                f"{short(pace['mean'], 0)} (at {short(pace['seconds_a_choice'], 1)} s a choice and "
                f"{short(pace['seconds_a_forced_one'], 1)} s a forced one: `--pace`)",
            ]
        )
    close = f" (in {number(report['close'])} games looked at closely)" if 0 < report["close"] < report["games"] else ""
    rows.append(["options a choice", short(report["branching"], 2) + close])
    looked = "from round to round" if report["rounds"] is not None else "whenever somebody else decides"
    rows.append(_length("changes of the lead", report["lead_changes"], f"looked at {looked}{close}"))
    if report["comebacks"] is not None:
        came = report["comebacks"]
        between = f"95 % between {percent(came['interval'][0])} and {percent(came['interval'][1])}"
        rows.append(
            ["winner was behind at half time", f"{percent(came['rate'])} of {number(came['games'])} games, {between}"]
        )
    if report["margin"] is not None and is_scored(report["margin"]):
        rows.append(
            _length("margin in points", report["margin"], "between the best and the second best score, whoever won")
        )
    if report["shared"] or report["without_winner"]:
        shared = "games with shared first place" if wins_together(report) is None else "games that all players win"
        rows += [[shared, number(report["shared"])]] if len(report["seats"]) > 1 else []
        rows.append(["games without a winner", number(report["without_winner"])])
    speed = report["speed"]
    jobs = f"{speed['jobs']} jobs" if speed["jobs"] > 1 else "1 job"
    rate = f"{number(round(speed['decisions_per_second']))} choices a second"
    rows.append(["speed", f"{rate}, {_pace(speed['games_per_second'])} ({jobs})"])
    return [row for row in rows if row]


def _length(name: str, spread: dict[str, float] | None, of: str) -> list[str]:
    if spread is None:
        return []
    middle = f"{short(spread['q1'], 1)} .. {short(spread['q3'], 1)}"
    ends = f"{short(spread['min'], 0)} .. {short(spread['max'], 0)}"
    return [name, f"{short(spread['mean'], 2)} on average, middle half {middle}, all {ends}; {of}"]


def _counted_as(report: dict[str, Any], what: str) -> str:
    """Which rules are counted as turns or rounds."""
    course = report["course"]
    if course is None:
        return ""
    if course[what]:
        return "runs of " + ", ".join(f"`{rule}`" for rule in course[what])
    return f"{several(report['players'], 'turn')} each"


def _ending_rows(report: dict[str, Any]) -> list[list[str]]:
    games = max(report["games"], 1)
    return [[reason or "played out", number(n), percent(n / games)] for reason, n in report["endings"].items()]


def _used(report: dict[str, Any]) -> list[str]:
    """What goes most clearly with winning or losing, if anything does; the page and the data have everything."""
    clear = [use for use in report["used"] if use["chance"] is not None and use["chance"] < 0.05]
    if not clear:
        return []
    clear.sort(key=lambda use: (use["chance"], -abs(use["won_with"] - use["won_without"]), use["name"]))
    first = "first" if wins_together(report) is None else "won"
    rows = [["", "", "a game", f"{first} with", f"{first} without", "by chance"]]
    for use in clear[:_MOST_USED]:
        chance = "< 0.001" if use["chance"] < 0.001 else f"{use['chance']:.3f}"
        row = [use["kind"], use["name"], short(use["a_game"], 2), percent(use["won_with"]), percent(use["won_without"])]
        rows.append([*row, chance])
    winning = "coming first" if first == "first" else "winning"
    told = (
        f"What goes with {winning}, over {number(report['close'])} games; corrected for looking at "
        f"{several(sum(use['chance'] is not None for use in report['used']), 'thing')}. It is no cause: whoever leads "
        "can afford more, and long games use more of everything."
    )
    return ["", *wrap(told, _WIDTH), *aligned(rows, right=range(2, 6), indent="  ")]


# ---------------------------------------------------------------------------- numbers


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def _pace(games: float) -> str:
    """Games a second, or seconds a game: `0 games a second` would say nothing of a game that takes half a minute."""
    return f"{short(games, 1)} games a second" if games >= 1 or games == 0 else f"{short(1 / games, 1)} s a game"


def short(figure: float, digits: int) -> str:
    text = f"{figure:,.{digits}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def number(count: int) -> str:
    return f"{count:,}"
