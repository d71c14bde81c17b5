"""A game at the terminal, from its first decision to its result.

Bots answer by themselves; for a person the table is shown and lines are read until one of them makes a choice. Nothing
is lost: if a person leaves in the middle, by a command, an interrupt or the end of the input, the game is saved and the
name of the file is printed.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..files.shown import visible
from ..play.contract import PlayError
from ..play.match import Match
from ..play.records import record_of, save_of, write_record, write_save
from ..play.seats import PERSON, Seat, make_bot
from ..play.undo import retraced
from ..runtime.texts import phrase
from .messages import clear_screen, on_terminal, painted
from .screen import decision_lines, log_lines, option_number, result_lines, whole_map_lines
from .speaking import answer_spoken

if TYPE_CHECKING:
    from ..play.contract import Decision, Game, Option

HELP = """\
  3            the option with that number
  steal fr     the option whose label begins so
  ? TEXT       why that is not offered, or why a value is what it is; ? 3 says what the option rests on
  u            undo your latest choice, as far as chance and secrets let
  t            the table again
  m            the whole map: what is printed and what is on it
  l            the whole log
  s [FILE]     save
  q            quit (the game is saved)
  h            this page"""


class Leave(Exception):
    """The person wants to leave, or the input has ended."""


class _PersonSeat:
    """A person's seat. The session itself asks the person, so the match never calls this."""

    kind = PERSON

    def choose(self, state: Any, decision: Decision) -> Option:
        raise AssertionError("a person is asked by the session")


class Session:
    def __init__(
        self, game: Game, state: Any, kinds: list[str], *, record: Path | None = None, resumed_from: Path | None = None
    ) -> None:
        self.game = game
        self.kinds = kinds
        self.record = record
        self.resumed_from = resumed_from
        self.persons = [seat for seat, kind in enumerate(kinds) if kind == PERSON]
        seats: list[Seat] = [
            _PersonSeat() if kind == PERSON else make_bot(kind, state.seed, seat) for seat, kind in enumerate(kinds)
        ]
        self.match = Match(game, seats, state, keeps_trail=True)
        if resumed_from is not None:
            self.match.trail = retraced(game, state)
        self._seen: dict[int, int] = {}  # how much of the log each person has read
        self._at_screen: int | None = None  # the person who is looking at the screen
        self._unsaved = False

    # ------------------------------------------------------------------------ the course of a session

    def run(self) -> None:
        seed = f"{self._said('seed')} {self.match.state.seed}"
        click.echo(f"{painted(self.game.title, bold=True)}, {seed}: {self._who()}")
        if self.persons:
            click.echo(self._said("h for help"))
            if on_terminal():
                from ..play.why import get_ready

                get_ready(self.game)
        try:
            self._play()
        except (Leave, KeyboardInterrupt, EOFError):
            self._leave()
            return
        except Exception as problem:
            self._keep_record(problem)
            raise
        self.match.tell_the_end()
        self._finish()

    def _play(self) -> None:
        while not self.match.over:
            decision: Decision = self.match.state.decision
            if self.kinds[decision.player] == PERSON:
                self._ask(decision)
            else:
                self.match.step()

    def _who(self) -> str:
        words = self.game.meta.phrases
        kinds = [words.get(f"bot {kind}", kind) for kind in self.kinds]
        return ", ".join(f"{name} {kind}" for name, kind in zip(self.game.seat_names, kinds, strict=True))

    def _said(self, words: str, **holes: object) -> str:
        return phrase(self.game.meta, words, **holes)

    def _finish(self) -> None:
        state = self.match.state
        looking = self._at_screen if len(self.persons) == 1 else None
        for line in log_lines(self._unread(looking)):
            click.echo(line)
        for line in result_lines(self.game, state):
            click.echo(line)
        self._write_record()

    def _write_record(self) -> None:
        if self.record is not None:
            write_record(record_of(self.game, self.match.state), self.record)
            click.echo(self._said("Recorded in {path}", path=self.record))

    def _leave(self) -> None:
        click.echo()
        if self._unsaved:
            self._save(self._own_file())
        self._write_record()

    def _keep_record(self, problem: Exception) -> None:
        """Writes the choices that led to a fault to a file, so that it can be replayed; saves the game if a bot failed,
        so that it can go on with another."""
        from .. import BotFailed, Fault

        if isinstance(problem, BotFailed):
            self._save(self._own_file())
        if not isinstance(problem, Fault):
            return
        path = Path(f"{_file_name(self.game.name)}-{self.match.state.seed}.fault.json")
        try:
            write_record(record_of(self.game, self.match.state), path)
        except PlayError:
            return
        click.echo(f"The choices up to here are in {path}: `rulewright replay {path}`", err=True)

    # ------------------------------------------------------------------------ one decision of a person

    def _ask(self, decision: Decision) -> None:
        """Shows the table and reads lines until the game has moved on, forwards or by undo."""
        self._hand_over(decision.player)
        self._show(decision)
        state = self.match.state
        while self.match.state is state and not self._answer(self._read(decision), decision):
            pass

    def _hand_over(self, player: int) -> None:
        """Hands the screen over to another person, so that nobody sees the previous player's hand."""
        if self._at_screen not in (None, player) and self._has_secrets():
            if on_terminal():
                clear_screen()
            name = self.game.seat_names[player]
            click.echo(self._said("Pass the screen to {name}.", name=name))
            if sys.stdin.isatty():
                input(visible(self._said("{name}, press Enter. ", name=name)))
        self._at_screen = player

    def _has_secrets(self) -> bool:
        meta = self.game.meta
        return any(declared.visibility in ("secret", "open_to_others") for declared in (*meta.places, *meta.fields))

    def _show(self, decision: Decision, whole_log: bool = False) -> None:
        if on_terminal():
            clear_screen()
        else:
            click.echo()
        player = decision.player
        unread = self.match.state.log(player) if whole_log else self._unread(player)
        self._seen[player] = len(self.match.state.log(player))
        for line in decision_lines(self.game, self.match.state, decision, unread, _width(), whole_log):
            click.echo(line)

    def _unread(self, player: int | None) -> list[str]:
        log: list[str] = self.match.state.log(player)
        return log[min(self._seen.get(player, 0), len(log)) :] if player is not None else log

    def _read(self, decision: Decision) -> str:
        line = input(visible(f"{self.game.seat_names[decision.player]}> ")).strip()
        if not sys.stdin.isatty():
            click.echo(line)  # repeat the input, so that a transcript is readable
        return line

    def _answer(self, line: str, decision: Decision) -> bool:
        """Does what the line says; True if the game has moved on."""
        word, _, rest = line.partition(" ")
        match word.lower():
            case "":
                return False
            case "h" | "help":
                click.echo(self.game.meta.phrases.get("HELP", HELP))
            case "q" | "quit":
                raise Leave
            case "u" | "undo":
                return self._undo()
            case "t":
                self._show(decision)
            case "m":
                for text in whole_map_lines(self.game, self.match.state, decision.player, _width()):
                    click.echo(text)
            case "l":
                self._show(decision, whole_log=True)
            case "s" | "save":
                self._save(Path(rest.strip()) if rest.strip() else self._own_file())
            case _ if line.startswith("?"):
                self._why_not(line[1:].strip(), decision)
            case _:
                return self._choose(line, decision)
        return False

    def _undo(self) -> bool:
        if self.match.take_back(self.persons):
            self._unsaved = True
            return True
        click.echo(self._said("There is nothing to take back: chance, a secret or the beginning is in the way."))
        return False

    def _save(self, path: Path) -> None:
        try:
            write_save(save_of(self.game, self.match.state, self.kinds), path)
        except PlayError as problem:
            click.echo(str(problem))
            return
        self._unsaved = False
        click.echo(self._said("Saved in {path}; go on with: rulewright play --resume {path}", path=path))

    def _own_file(self) -> Path:
        """The file for a save without a name: a resumed game goes back into its own file."""
        return self.resumed_from or Path(f"{_file_name(self.game.name)}-{self.match.state.seed}.save.json")

    def _choose(self, text: str, decision: Decision) -> bool:
        from .. import IllegalChoice

        number = option_number(text)
        if number is not None:
            if not 1 <= number <= len(decision.options):
                last = len(decision.options)
                words = "There is no option {number}: choose from 1 to {last}."
                click.echo(self._said(words, number=number, last=last))
                return False
            option = decision.options[number - 1]
        else:
            try:
                option = decision.find(text)
            except IllegalChoice as refused:
                click.echo(f"{refused}{_cited(getattr(refused, 'cites', ()))}")
                return False
        self.match.apply(option)
        self._unsaved = True
        return True

    def _why_not(self, text: str, decision: Decision) -> None:
        number = option_number(text)
        if number is not None and 1 <= number <= len(decision.options):
            text = str(decision.options[number - 1])
        if not text:
            click.echo(self._said("Why not what? Write ? and what you would like to do."))
            return
        if any(str(option).lower() == text.lower() for option in decision.options):
            click.echo(self._said("“{text}” is offered{clauses}.", clauses=_cited(decision.cites), text=text))
            return
        from ..diagnostics.diagnostic import RulesetError
        from ..play.why import why

        try:
            answer = why(self.game, self.match.state, text, decision.player)
        except (RulesetError, PlayError):
            click.echo(self._said("Nothing here is called “{text}”.", text=text))
            return
        for line in answer.told.lines(answer_spoken):
            click.echo(line)
        clauses = self.game.meta.clauses
        for clause in answer.told.cites:
            if clause in clauses:
                click.echo(f"  {clause}  {clauses[clause].summary}")


def _cited(clauses: Sequence[str]) -> str:
    return f" ({', '.join(clauses)})" if clauses else ""


def _file_name(game: str) -> str:
    return Path(game).name or "game"


def _width() -> int:
    return shutil.get_terminal_size((80, 24)).columns
