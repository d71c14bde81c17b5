"""The report of a simulation as data (schemas/report.schema.json); `report_text` prints it.

Everything except `speed` is determined by the rules, the bots and the seed. Each figure says whose it is and of how
many games: wins, scores, lengths and endings come from every game, options, leads and uses from the games that were
looked at closely (`close`).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ..play.contract import Game
from .choices import Branches, choices_of
from .neighbours import resemblance
from .simulate import Simulation
from .statistics import (
    Moments,
    Summary,
    binomial_test,
    counted_moments,
    exact_interval,
    holm,
    proportions_test,
    smallest_shown,
    summarize_counts,
    wilson_interval,
)
from .tally import PARTS, Tally, Use
from .text_table import several

REPORT_FORMAT = "rulewright-report/1"
PACE = (10.0, 2.0)  # seconds that people take for a choice, and for a question with a single answer
_DIGITS = 4
_LEAST_USED = 5  # players of games who used a thing, and who did not, before its wins are looked at


def report_of(
    game: Game, simulation: Simulation, assumed: tuple[int, int] | None = None, pace: tuple[float, float] = PACE,
    remark: str | None = None,
) -> dict[str, Any]:  # fmt: skip
    """`assumed`: how many values of the game's data are not in its book, and how many values there are; `remark`: how
    the bots were chosen, if a reader must know."""
    tally = simulation.tally
    return {
        "format": REPORT_FORMAT,
        "game": game.name,
        "title": game.title,
        "fingerprint": game.fingerprint,
        "players": game.players,
        "games": tally.games,
        "seed": simulation.seed,
        "bots": list(simulation.bots),
        "interrupted": simulation.is_interrupted,
        "spread": simulation.spread,
        "cautions": [
            *cautions_of(simulation.bots, assumed, tally.games, simulation.games, remark),
            *_resemblance(game, simulation),
            *_repeated(simulation),
        ],
        "assumed": None if assumed is None else {"assumed": assumed[0], "values": assumed[1]},
        "seats": [_seat(game, simulation, seat) for seat in range(game.players)],
        "kinds": _kinds(game, simulation),
        "points_win": {1: "most", -1: "fewest"}.get(game.meta.points_win) if game.players > 1 else None,
        "first_seat": _first_seat(game, simulation) if game.players > 1 else None,
        "shared": tally.shared_games,
        "without_winner": tally.without_winner,
        "smallest": _rounded(smallest_shown(0.5, tally.games)),
        "sheet": _sheet(tally),
        "length": _spread(tally.lengths["decisions"]),
        "forced": _spread(tally.lengths["forced"]),
        "turns": _spread(tally.lengths["turns"]),
        "rounds": _spread(tally.lengths["rounds"]),
        "course": _course(game),
        "minutes": _minutes(tally, pace),
        "close": tally.close,
        "branching": _rounded(tally.offered / tally.offered_decisions) if tally.offered_decisions else 0.0,
        "lead_changes": _spread(tally.lengths["lead_changes"]),
        "comebacks": _comebacks(tally),
        "margin": _spread(tally.margins),
        "endings": dict(sorted(tally.endings.items(), key=lambda e: (-e[1], e[0]))),
        "choices": choices_of(game.meta, {thing: (use.times, use.games) for thing, use in tally.uses.items()}),
        "used": _used(game, tally),
        "rules": _rules(game, tally),
        "speed": _speed(simulation),
    }


def cautions_of(
    bots: Sequence[str], assumed: tuple[int, int] | None, played: int, games: int, remark: str | None = None
) -> list[str]:
    """What a reader must know before believing a figure, in plain words."""
    found = []
    if played < games:
        found.append(f"Interrupted: {played:,} of {games:,} games were played.")
    if remark is not None:
        found.append(remark)
    if "random" in bots:
        who = "All seats" if all(kind == "random" for kind in bots) else "Some seats"
        found.append(
            f"{who} choose at random. That shows what the rules allow, not how a game goes among people who try to "
            "win: take no decision about a rule from it; ask bots that plan (`--bots mcts:50`)."
        )
    if any(kind == "greedy" or kind.startswith("greedy:") for kind in bots):
        found.append(
            "Greedy bots look one decision ahead and plan nothing. Where a game is about saving, investing or pressing "
            "one's luck they play worse than chance, and their figures mislead: see whether `--bots mcts:50` agrees."
        )
    if assumed is not None and assumed[0]:
        share = f"{100 * assumed[0] / assumed[1]:.0f} %"
        found.append(
            f"{assumed[0]:,} of the {assumed[1]:,} values in the game's data ({share}) are assumed, not read from the "
            "game: scores and balance rest on them (`rulewright audit`)."
        )
    return found


def _resemblance(game: Game, simulation: Simulation) -> list[str]:
    """Random games of neighbouring seeds may resemble each other. Bots that think have generators of their own."""
    if not simulation.is_random or simulation.spread:
        return []
    told = resemblance(simulation.blocks, simulation.tally, game.seat_names)
    return [] if told is None else [told]


FEWEST_ALIKE = 10  # fewer games may end alike by chance


def all_alike(games: int) -> str:
    """What to know if no figure differs from one game of bots that think to the next."""
    return (
        f"All {games:,} games ended alike: same winners, scores and number of choices. Where bots always choose alike "
        "and nothing is left to chance, that is one game played over and over: then intervals and tests mean nothing."
    )


def _repeated(simulation: Simulation) -> list[str]:
    tally = simulation.tally
    if simulation.is_random or tally.games < FEWEST_ALIKE:
        return []
    seen: list[Counter[Any]] = [*tally.scores, tally.lengths["decisions"], tally.lengths["forced"], tally.endings]
    wins = [count for counter in (tally.alone, tally.shared) for count in counter.values()]
    is_alike = all(len(counter) <= 1 for counter in seen) and all(count in (0, tally.games) for count in wins)
    return [all_alike(tally.games)] if is_alike else []


# ---------------------------------------------------------------------------- who wins


def _seat(game: Game, simulation: Simulation, seat: int) -> dict[str, Any]:
    tally = simulation.tally
    low, high = exact_interval(tally.alone[seat], tally.games)  # as in the sentence about the first seat
    return {
        "seat": seat + 1,
        "name": game.seat_names[seat],
        "bot": "automa" if seat in game.meta.automas else simulation.bots[seat],
        "wins": tally.alone[seat],
        "shared": tally.shared[seat],
        "rate": _rounded(tally.alone[seat] / tally.games) if tally.games else 0.0,
        "interval": [_rounded(low), _rounded(high)],
        "score": _spread(tally.scores[seat]),
    }


def _kinds(game: Game, simulation: Simulation) -> list[dict[str, Any]]:
    """For each kind of bot, if several play: its part of all wins (a shared win is divided), and what would be even."""
    tally, seated = simulation.tally, _seated(game, simulation)
    if len(set(seated)) < 2:
        return []
    found = []
    for kind in dict.fromkeys(seated):
        seats = [seat for seat, own in enumerate(seated) if own == kind]
        won = sum(tally.parts[seat] for seat in seats) / PARTS
        low, high = wilson_interval(won, tally.games)
        found.append(
            {
                "bot": kind,
                "seats": [seat + 1 for seat in seats],
                "won": _rounded(won / tally.games) if tally.games else 0.0,
                "interval": [_rounded(low), _rounded(high)],
                "even": _rounded(len(seats) / game.players),
            }
        )
    return found


def _seated(game: Game, simulation: Simulation) -> list[str]:
    """Who chooses for each seat."""
    return ["automa" if seat in game.meta.automas else kind for seat, kind in enumerate(simulation.bots)]


def _first_seat(game: Game, simulation: Simulation) -> dict[str, Any]:
    """Does the first seat win more than its even part, and by how many points does it lead?"""
    tally, lead = simulation.tally, counted_moments(simulation.tally.leads)
    won, even = _share_of_first(game, tally)
    chance = binomial_test(won, tally.games, even)
    low, high = exact_interval(won, tally.games)
    return {
        "won": _rounded(won / tally.games) if tally.games else 0.0,
        "interval": [_rounded(low), _rounded(high)],
        "even": _rounded(even),
        "chance": round(chance, 6),
        "lead": _rounded(lead.mean) if tally.leads else None,
        "lead_interval": _interval(lead),
        "sentence": _first_seat_told(game, simulation, won, even, chance),
    }


def _share_of_first(game: Game, tally: Tally) -> tuple[float, float]:
    """How many games the first seat won, and what share would be even. Where the rules make several win together,
    nobody ever wins alone: then each of them has won. An automa plays by rules of its own, so what is even lies between
    the seats of players; against an automa alone nothing is, and half is told."""
    if tally.games == 0:
        return 0.0, 0.0
    if are_sides(tally.alone, tally.shared_games):
        return float(tally.shared[0]), sum(tally.shared.values()) / tally.games / tally.players
    if lone_side(tally) is not None:
        won = tally.alone[0] + tally.shared[0]
        return float(won), (sum(tally.alone.values()) + tally.shared_games) / tally.games / 2
    seats = [seat for seat in range(tally.players) if seat not in game.meta.automas]
    if len(seats) == 1 or 0 in game.meta.automas:
        seats = list(range(tally.players))
    return tally.parts[0] / PARTS, sum(tally.parts[seat] for seat in seats) / PARTS / tally.games / len(seats)


def are_sides(alone: Mapping[int, int], shared: int) -> bool:
    """Somebody won, and never alone."""
    return shared > 0 and not any(alone.values())


def lone_side(tally: Tally) -> int | None:
    """The seat that plays against all others together: it never shares a win, and they share each of theirs."""
    seats = range(tally.players)
    won = [seat for seat in seats if tally.alone[seat]]
    if len(won) != 1 or tally.players < 3 or not tally.shared_games:
        return None
    shared = [0 if seat == won[0] else tally.shared_games for seat in seats]
    return won[0] if [tally.shared[seat] for seat in seats] == shared else None


def _first_seat_told(game: Game, simulation: Simulation, won: float, even: float, chance: float) -> str:
    tally, seated = simulation.tally, _seated(game, simulation)
    together = _together_sentence(tally)
    if together is not None:
        return together
    if "automa" in seated and len(seated) - seated.count("automa") == 1:
        return _alone_sentence(game, tally)
    lone = lone_side(tally)
    is_shared = tally.shared[0] > 0 and lone is None and not are_sides(tally.alone, tally.shared_games)
    told = first_seat_sentence(won, tally.games, even, chance, is_shared)
    if lone is not None:
        told += f" {game.seat_names[lone]} plays alone, and the others win together: half is even."
    kinds = set(seated) - {"automa"}
    if len(kinds) > 1 or seated[0] == "automa":
        return told + " The seats have different bots, so this is no answer about the seat."
    if "automa" in seated:
        return told + " Even is among the seats of players, without the automa."
    is_plain = lone is None and not are_sides(tally.alone, tally.shared_games)
    return told + (_other_seats_told(game, tally, even) if is_plain else "")


def _other_seats_told(game: Game, tally: Tally, even: float) -> str:
    """The other seats that clearly win more or less than an even share, corrected for looking at all of them.
    With two seats the first one says it all."""
    others = range(1, tally.players)
    if len(others) < 2 or tally.games < 2:
        return ""
    won = [tally.parts[seat] / PARTS for seat in others]
    chances = holm([binomial_test(own, tally.games, even) for own in won])
    found = []
    for seat, own, chance in zip(others, won, chances, strict=True):
        apart = own / tally.games - even
        if chance < 0.05:
            word = "more" if apart > 0 else "less"
            found.append(f"{game.seat_names[seat]} wins {100 * abs(apart):.1f} points {word} than an even share")
    listed = ", and ".join(found)
    return f" Of the others {listed} (corrected for looking at {len(others)} seats)." if found else ""


def _alone_sentence(game: Game, tally: Tally) -> str:
    """Said of one player against an automa: seats that play by different rules have no even share."""
    (seat,) = (seat for seat in range(tally.players) if seat not in game.meta.automas)
    name, won = game.seat_names[seat], tally.alone[seat]
    if not tally.games:
        return f"Too few games to say anything about {name}."
    low, high = wilson_interval(won, tally.games)
    shared = f", and shares the first place in {several(tally.shared[seat], 'game')}" if tally.shared[seat] else ""
    return (
        f"{name} wins {100 * won / tally.games:.1f} % of the games against the automa (95 % between {100 * low:.1f} "
        f"and {100 * high:.1f}){shared}. An automa plays by rules of its own, so no share would be even."
    )


def _together_sentence(tally: Tally) -> str | None:
    """Said where all seats share every first place, as in games of all against the rules: a win of one seat alone,
    which the table counts, never happens, and what a designer asks is how often all of them win."""
    shared, games = tally.shared_games, tally.games
    if not shared or shared + tally.without_winner < games:
        return None
    if any(tally.shared[seat] != shared for seat in range(tally.players)):
        return None
    if shared == games:
        return f"All players share the first place, in all of {several(games, 'game')}: no seat is better than another."
    low, high = wilson_interval(shared, games)
    return (
        f"All players win together or nobody wins: all win {100 * shared / games:.1f} % of the games (95 % between "
        f"{100 * low:.1f} and {100 * high:.1f}), and no seat is better than another."
    )


def first_seat_sentence(won: float, games: int, even: float, chance: float, shared: bool = False) -> str:
    """`shared`: the seat shared first places, which count in part here and not at all in the table above."""
    if games < 2:
        return "Too few games to say anything about the first seat."
    low, high = exact_interval(won, games)  # not Wilson's: it must not contradict the exact test
    share = won / games
    parts = ", shared first places in parts" if shared else ""
    between = f"95 % between {100 * low:.1f} and {100 * high:.1f}"
    if chance >= 0.05:
        shown = smallest_shown(math.sqrt(even * (1 - even)), games)
        told = f"This many games can show {100 * shown:.1f} points."
        if shown >= 1 - even:
            told = "So few games can show none."
        return (
            f"No advantage or disadvantage of the first seat is shown: it won {100 * share:.1f} % of the games"
            f"{parts} ({between}), even would be {100 * even:.1f} %. {told}"
        )
    word = "more" if share > even else "less"
    return (
        f"The first seat wins {100 * abs(share - even):.1f} points {word} than an even share: {100 * share:.1f} % of "
        f"the games{parts} ({between}), even would be {100 * even:.1f} %."
    )


# ---------------------------------------------------------------------------- scores and lengths


def _sheet(tally: Tally) -> list[dict[str, Any]]:
    """Line by line: mean and spread for each seat, and how much of the differences between final scores it makes."""
    found = []
    for line, sums in tally.sheet.items():
        own = [Moments(tally.games, sums.sums[seat], sums.squares[seat]) for seat in range(tally.players)]
        found.append(
            {
                "line": line,
                "means": [_rounded(one.mean) for one in own],
                "sds": [_rounded(one.sd) for one in own],
                "decides": _rounded(sums.shared / tally.spread) if tally.spread else None,
            }
        )
    return found


def _course(game: Game) -> dict[str, Any] | None:
    """Which rules were counted as turns and rounds; without rules for rounds, `players` turns make one."""
    course = getattr(getattr(game, "compiled", None), "course", None)
    if course is None or not course.turns:
        return None
    return {"turns": list(course.turns), "rounds": list(course.rounds)}


def _minutes(tally: Tally, pace: tuple[float, float]) -> dict[str, float] | None:
    decisions, forced = (counted_moments(tally.lengths[name]) for name in ("decisions", "forced"))
    if not decisions.count:
        return None
    seconds = decisions.mean * pace[0] + forced.mean * pace[1]
    return {"mean": round(seconds / 60, 1), "seconds_a_choice": pace[0], "seconds_a_forced_one": pace[1]}


def _comebacks(tally: Tally) -> dict[str, Any] | None:
    games = sum(tally.behind.values())
    if not games:
        return None
    low, high = wilson_interval(tally.behind[True], games)
    return {
        "games": games,
        "rate": _rounded(tally.behind[True] / games),
        "interval": [_rounded(low), _rounded(high)],
    }


# ---------------------------------------------------------------------------- what is used


def _used(game: Game, tally: Tally) -> list[dict[str, Any]]:
    """Every option, piece, space and way that was used, and how its users fared. The chances are corrected together
    (Holm), and even so a figure is no cause: whoever leads can afford more, and rich turns use more of everything."""
    branches = Branches(game.meta)
    seated = tally.close * tally.players
    alike = tally.players if game.meta.is_team else 1
    merged: dict[tuple[str, str], Use] = {}
    for thing, use in sorted(tally.uses.items()):
        told = branches.told(thing)
        if told in merged:
            merged[told].add(use)
        else:
            merged[told] = Use(use.times, use.games, use.players, use.firsts)
    rows = [_use(kind, name, use, tally, seated, alike) for (kind, name), use in merged.items()]
    tested = [row for row in rows if row["chance"] is not None]
    for row, chance in zip(tested, holm([row["chance"] for row in tested]), strict=True):
        row["chance"] = round(chance, 6)
    return sorted(rows, key=lambda row: (row["kind"], -row["times"], row["name"]))


def _use(kind: str, name: str, use: Use, tally: Tally, seated: int, alike: int) -> dict[str, Any]:
    """`alike`: so many players share the result of a game. They say no more than one of them does."""
    others, other_firsts = seated - use.players, tally.firsts - use.firsts
    compared = min(use.players, others) >= _LEAST_USED * alike and tally.players > 1
    counts = (use.firsts, use.players, other_firsts, others)
    return {
        "kind": kind,
        "name": name,
        "times": use.times,
        "a_game": _rounded(use.times / max(1, tally.close)),
        "games": min(use.games, tally.close),
        "users": use.players,
        "won_with": _rounded(use.firsts / use.players) if compared else None,
        "won_without": _rounded(other_firsts / others) if compared else None,
        "chance": proportions_test(*(count / alike for count in counts)) if compared else None,
    }


def _rules(game: Game, tally: Tally) -> list[dict[str, Any]]:
    """How often each phase, action, hook and deciding effect ran, over the games that were looked at closely."""
    hits = getattr(getattr(game, "compiled", None), "hits", ())
    found = []
    for number, hit in enumerate(hits):
        use = tally.begun.get(number, Use())
        name = hit.routine.removeprefix("rule_").removeprefix("hook_").removesuffix("__own")
        if hit.routine.endswith("__own") or name in ("setup", "play"):
            continue  # the rule itself, inside its hooks: counted with them
        file = hit.place[0] if hit.place is not None else ""
        found.append(
            {
                "rule": name,
                "is_hook": hit.routine.startswith("hook_"),
                "file": file.rsplit("/", 1)[-1],
                "line": hit.place[1] if hit.place is not None else 0,
                "a_game": _rounded(use.times / max(1, tally.close)),
                "games": use.games,
            }
        )
    return found


# ---------------------------------------------------------------------------- figures


def _speed(simulation: Simulation) -> dict[str, Any]:
    decisions = counted_moments(simulation.tally.lengths["decisions"]).total
    seconds = max(simulation.seconds, 1e-9)
    return {
        "jobs": simulation.jobs,
        "seconds": round(simulation.seconds, 3),
        "games_per_second": round(simulation.tally.games / seconds, 4),
        "decisions_per_second": round(decisions / seconds, 1),
    }


def _interval(moments: Moments) -> list[float] | None:
    low, high = moments.interval()
    return [_rounded(low), _rounded(high)] if math.isfinite(low) else None


def _spread(counts: Mapping[int, int]) -> dict[str, float] | None:
    summary = summarize_counts(counts)
    return spread_data(summary) if summary is not None else None


def spread_data(summary: Summary) -> dict[str, float]:
    return {
        "mean": _rounded(summary.mean),
        "sd": _rounded(summary.sd),
        "min": summary.smallest,
        "q1": summary.lower_quartile,
        "median": summary.median,
        "q3": summary.upper_quartile,
        "max": summary.largest,
    }


def _rounded(figure: float) -> float:
    return round(figure, _DIGITS)
