"""Random games as witnesses: how they are played, and how they are written down.

Same seed, same game, for ever. A witness is a random game that was once played and written down. There are two ways
to play one, because they run different code:

- `playout`: `game.playout(seed)`, the fast code that keeps neither log nor knowledge.
- `tracked`: `game.new(seed)`, then options by their index until the game is over. Index n comes from a generator that
  is ten lines in any language: a 64-bit number that begins as the seed; each choice multiplies it by
  6364136223846793005, adds 1442695040888963407 (modulo 2**64), and takes the upper 31 bits modulo the number of
  options.

A file holds one ruleset. Each section (`== NAME PLAYERS WAY`) has one line per seed:

    seed decisions choices [options] scores ranks

`choices` is the beginning of a SHA-256 over the codes of all choices; `options`, for tracked games, one over the player
and the codes of all options at each decision, so that an option that is offered wrongly shows even where nobody takes
it. The first games of a section are written out whole on a line of their own (`seed: code code ...`): they say at which
decision two histories part. A decision of a tracked game reads `code/xxx`; the three digits stand for what was offered.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import interpreter as rw

FOLDER = Path(__file__).parent
COMMAND = "python -m tests.witnesses.record"
WAYS = ("playout", "tracked")
SEEDS = 50
WHOLE = 2  # so many games of a section are written out


@dataclass(frozen=True)
class Played:
    """One random game from its beginning to its end."""

    codes: tuple[int, ...]
    offered: tuple[str, ...]  # for each decision who chose, and the codes of all options; nothing for playouts
    scores: tuple[int, ...]
    ranks: tuple[int, ...]

    def summary(self) -> str:
        """What stands behind the seed on the line of this game."""
        offered = f" {_digest(self.offered, 8)}" if self.offered else ""
        numbers = (",".join(map(str, some)) for some in (self.scores, self.ranks))
        return f"{len(self.codes)} {_digest(self.codes, 8)}{offered} {' '.join(numbers)}"

    def decisions(self) -> list[str]:
        """The game written out, one word per decision."""
        if not self.offered:
            return [str(code) for code in self.codes]
        return [f"{code}/{_digest([some], 3)}" for code, some in zip(self.codes, self.offered, strict=True)]


@dataclass(frozen=True)
class Section:
    """The games of one ruleset with its variants for one number of players, played in one way."""

    name: str
    players: int
    way: str
    summaries: tuple[str, ...]  # by seed
    whole: dict[int, list[str]]  # the games that are written out


def _digest(words: Sequence[object], digits: int) -> str:
    return hashlib.sha256(" ".join(map(str, words)).encode()).hexdigest()[:digits]


# ---------------------------------------------------------------------------- playing


def play(game: rw.Game, way: str, seed: int) -> Played:
    match way:
        case "playout":
            state = game.playout(seed)
            return Played(state.history, (), tuple(state.scores), tuple(state.ranking))
        case "tracked":
            return _play_tracked(game, seed)
        case _:
            raise ValueError(f"no way of playing is called `{way}`")


def _play_tracked(game: rw.Game, seed: int) -> Played:
    state = game.new(seed)
    offered: list[str] = []
    number = seed
    while (decision := state.decision) is not None:
        options = list(decision.options)
        offered.append(f"{decision.player}:{','.join(str(int(option)) for option in options)}")
        number = (number * 6364136223846793005 + 1442695040888963407) % 2**64
        state.apply(options[(number >> 33) % len(options)])
    return Played(state.history, tuple(offered), tuple(state.scores), tuple(state.ranking))


# ---------------------------------------------------------------------------- files


def file_of(ruleset: str) -> Path:
    return FOLDER / f"{ruleset}.txt"


def recorded(game: rw.Game, name: str, way: str) -> Section:
    """A section played now."""
    games = [play(game, way, seed) for seed in range(SEEDS)]
    whole = {seed: games[seed].decisions() for seed in range(WHOLE)}
    return Section(name, game.players, way, tuple(one.summary() for one in games), whole)


def written(sections: Iterable[Section]) -> str:
    lines = [f"# rewritten by: {COMMAND}"]
    for section in sections:
        lines += ["", f"== {section.name} {section.players} {section.way}"]
        lines += [f"{seed} {summary}" for seed, summary in enumerate(section.summaries)]
        lines += [f"{seed}: {' '.join(decisions)}" for seed, decisions in section.whole.items()]
    return "\n".join(lines) + "\n"


def read(ruleset: str) -> dict[tuple[str, int, str], Section]:
    """The sections of a file, by name, number of players and way."""
    found: dict[tuple[str, int, str], Section] = {}
    for block in file_of(ruleset).read_text(encoding="utf-8").split("\n== ")[1:]:
        head, *lines = block.strip().split("\n")
        name, players, way = head.split()
        games = [line.split(" ", 1) for line in lines]
        summaries = tuple(rest for seed, rest in games if not seed.endswith(":"))
        whole = {int(seed[:-1]): rest.split() for seed, rest in games if seed.endswith(":")}
        found[name, int(players), way] = Section(name, int(players), way, summaries, whole)
    return found


# ---------------------------------------------------------------------------- comparing


def difference(section: Section, seed: int, played: Played) -> str | None:
    """Where this game parts from its witness; None if it does not."""
    if played.summary() == section.summaries[seed]:
        return None
    told = [
        f"{section.name} for {section.players}, {section.way}, seed {seed}: not the game that was written down",
        f"  written: {section.summaries[seed]}",
        f"  played:  {played.summary()}",
    ]
    return "\n".join([*told, _parting(section, seed, played.decisions())])


def _parting(section: Section, seed: int, now: list[str]) -> str:
    if seed not in section.whole:
        asked = f"{COMMAND} --trace {section.name} {section.players} {section.way} {seed}"
        return f"  this game is not written out: `{asked}` prints it; compare with an older commit"
    then = section.whole[seed]
    for number, (one, other) in enumerate(zip(then, now, strict=False), 1):
        if one != other:
            return f"  they part at decision {number}: {one} was written down, {other} is played"
    if len(then) == len(now):
        return "  all decisions are the same; scores or ranks are not"
    return f"  they part after decision {min(len(then), len(now))}: {len(then)} written down, {len(now)} played"
