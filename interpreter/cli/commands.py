"""The commands by name, each loaded on demand, and the handling of their errors.

The group has a line about each command, so that `--help` need not import them. Every error that a person can cause
becomes a message and an exit code here; commands just raise.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from copy import copy
from functools import partial
from importlib import import_module
from typing import TextIO, cast

import click

from ..diagnostics.diagnostic import RulesetError
from ..diagnostics.suggest import nearest
from ..files.shown import SafeStream
from ..play.contract import PlayError
from .completion import completed
from .examples import with_real_names
from .messages import print_error, print_findings
from .sandboxed import run_in_sandbox, taken
from .speaking import command_spoken, headed, language_asked, language_taken, speaking, spoken

# name -> (module, its line in `--help`)
COMMANDS: dict[str, tuple[str, str]] = {
    "list": ("list_games", "What there is to play: players, variants, clauses, scenarios."),
    "validate": ("validate", "Check rulesets and show every finding."),
    "test": ("run_scenarios", "Run the scenarios that authors wrote."),
    "play": ("play", "Play at the terminal against bots, or around one screen."),
    "serve": ("serve", "Play in the browser: alone, with friends, against bots."),
    "simulate": ("simulate", "Play many games among bots and show the statistics."),
    "compare": ("compare", "Play two games with the same seeds and say what differs."),
    "tournament": ("tournament", "Let bots play each other and rate them, with intervals."),
    "train": ("train", "Learn a value of positions by self-play, for bots."),
    "sweep": ("sweep", "Play a game with each value of a constant and show what changes."),
    "ask": ("ask", "Play until a question about a game is answered with yes or no."),
    "record": ("record", "Write games down as JSON Lines, or verify such a corpus under the rules as they are."),
    "soak": ("soak", "Play for long and check everything that must hold after each decision."),
    "coverage": ("coverage", "Show which clauses of a rulebook are implemented, tested and executed."),
    "audit": ("audit", "List assumed data, and check the values that an owner of the game filled in."),
    "replay": ("replay", "Replay a record and verify it."),
    "fmt": ("fmt", "Bring rules files into their one canonical layout."),
    "show": ("show", "Print a ruleset at any stage of its compilation: rules, program, state, IR, Python."),
    "why": ("why", "Why something is not offered in a save, or why a value is what it is."),
    "new": ("new", "Begin a game or a variant from a skeleton that works."),
    "build": ("build", "Write a game as a library for C, Rust or JavaScript."),
    "doctor": ("doctor", "What is installed, which backend runs games and why, what would be faster."),
    "explain": ("explain", "What a diagnostic means, with a wrong and a right example."),
}

# What people call commands who come from other tools.
OTHER_NAMES = {
    "check": "validate", "lint": "validate", "verify": "validate",
    "format": "fmt",
    "run": "play", "start": "play",
    "web": "serve", "server": "serve",
    "bench": "simulate", "stats": "simulate",
    "compile": "build", "export": "build",
    "init": "new", "create": "new",
    "scenarios": "test",
}  # fmt: skip

EPILOG = """\b
Examples:
  rulewright list
  rulewright play harbour
  rulewright simulate harbour --games 1000 --players 3
"""


def _loaded(name: str) -> click.Command:
    command: click.Command = import_module(f"{__package__}.{COMMANDS[name][0]}").command
    return command


class Commands(click.Group):
    """A group that imports a command only when it is called."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command = _loaded(name)
        command.epilog = with_real_names(command.epilog or "")
        return command_spoken(completed(command))

    def get_help(self, context: click.Context) -> str:
        made = copy(command_spoken(self))
        made.epilog = with_real_names(self.epilog or "")
        made.help = with_real_names(made.help or "")
        return headed(super(Commands, made).get_help(context))  # type: ignore[misc]

    def resolve_command(
        self, context: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in COMMANDS and not args[0].startswith("-"):
            likely = OTHER_NAMES.get(args[0]) or nearest(args[0], COMMANDS)
            advice = f"did you mean `{likely}`?" if likely else "`rulewright --help` lists the commands"
            raise PlayError(f"there is no command `{args[0]}`", advice)
        return super().resolve_command(context, args)

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, spoken(about)) for name, (_, about) in COMMANDS.items()])


@click.group(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    invoke_without_command=True,
)
@click.version_option(package_name="rulewright", prog_name="rulewright")
@click.option("--sandbox", is_flag=True, expose_value=False, help="With any command: in a process of its own, limited.")
@click.option("--limits", metavar="NAME=N,...", expose_value=False, help="With any command: ceilings for rulesets.")
@click.option("--language", metavar="CODE", expose_value=False, help="With any command: in this language, such as fr.")
@click.pass_context
def rulewright(context: click.Context) -> None:
    """Board games from their rulebooks: check, play, test and study rulesets.

    A game is named NAME[+VARIANT...], such as harbour+solo, or by a path to its folder.
    """
    if context.invoked_subcommand is None:
        _greet()


def _greet() -> None:
    """What somebody sees who calls the program without a word: what to do first, with a game that is there."""
    from ..diagnostics.diagnostic import Diagnostics
    from ..ruleset.listing import list_rulesets

    games = [game.name for game in list_rulesets(Diagnostics()) if not game.is_core]
    first = games[-1] if games else "GAME"
    steps = (
        ("rulewright list", "the games that are here"),
        (f"rulewright play {first}", "play one against the computer"),
        ("rulewright new game mine", "begin a game of your own, in this folder"),
        ("rulewright --help", "everything else"),
    )
    width = max(len(command) for command, _ in steps)
    click.echo(spoken("Rulewright plays, checks and studies board games from their rulebooks. To begin with:"))
    click.echo()
    for command, about in steps:
        click.echo(f"  {command:<{width}}  {spoken(about)}")


def run(args: list[str] | None = None) -> None:
    """Run a command line and exit with its exit code."""
    sys.exit(exit_code_of(args))


def exit_code_of(args: list[str] | None = None) -> int:
    """Runs a command line. Whatever is printed meanwhile passes through a stream that shows control characters."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, SafeStream(_there(stream))) for stream in before)
    try:
        with speaking(language_asked(sys.argv[1:] if args is None else args)):
            return _flushed(_exit_code(args))
    finally:
        sys.stdout, sys.stderr = before


def _there(stream: TextIO | None) -> TextIO:
    """A program may be started with its output closed; then there is no stream at all."""
    return stream if stream is not None else open(os.devnull, "w", encoding="utf-8")


def _flushed(code: int) -> int:
    """What was printed is on its way, or cannot be: Python would only say so in a traceback when it exits."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _close_stdout()
    except (OSError, ValueError) as problem:
        return _unprintable(problem)
    return code


def _unprintable(problem: Exception) -> int:
    _close_stdout()
    with contextlib.suppress(OSError, ValueError):  # the error stream may be as full
        print_error(f"the output cannot be written: {getattr(problem, 'strerror', None) or problem}")
    return 2


def _exit_code(args: list[str] | None) -> int:
    try:
        args, sandboxed = taken(list(sys.argv[1:] if args is None else args))
        args = language_taken(args, {name: partial(_loaded, name) for name in COMMANDS})
        if sandboxed:
            return run_in_sandbox(args)
        result = rulewright.main(args, prog_name="rulewright", standalone_mode=False)
        return result if isinstance(result, int) else 0
    except click.exceptions.Exit as leaving:
        return leaving.exit_code
    except click.UsageError as misuse:
        if misuse.ctx is None and args and args[0] in COMMANDS:  # click parses options before there is a context
            misuse.ctx = click.Context(_loaded(args[0]), info_name=f"rulewright {args[0]}")
        command = misuse.ctx.command_path if misuse.ctx else "rulewright"
        print_error(_sentence(_said(misuse)), f"`{command} --help` shows how it is used")
        return 2
    except click.ClickException as problem:
        print_error(_sentence(problem.format_message()))
        return 2
    except PlayError as problem:
        print_error(str(problem), problem.help)
        return 2
    except RulesetError as unusable:
        print_findings(unusable.diagnostics)
        return 2 if _is_misuse(unusable) else 1
    except (click.Abort, KeyboardInterrupt):
        print_error("interrupted")
        return 130
    except BrokenPipeError:
        _close_stdout()
        return 0
    except OSError as problem:
        if problem.filename is None and problem.errno in (errno.ENOSPC, errno.EIO, errno.EBADF, errno.EFBIG):
            return _unprintable(problem)
        if problem.filename is None:
            raise
        # What no command has a word for: a name that is too long, a disk that went away.
        print_error(f"`{os.fsdecode(str(problem.filename))}` cannot be used: {problem.strerror}")
        return 2
    except Exception as problem:
        return _fault_code(problem)


# What one command calls otherwise than another: `simulate` plays games, a tournament rounds.
_OTHER_WORDS = {"--games": "--rounds", "--rounds": "--games", "--out": "--to", "--output": "--to", "-o": "--to"}


def _said(misuse: click.UsageError) -> str:
    """What was wrong with the command line, in words that say what to write."""
    if isinstance(misuse, click.NoSuchOption) and misuse.ctx is not None:
        other, options = _OTHER_WORDS.get(misuse.option_name, ""), misuse.ctx.command.params
        if misuse.option_name == "--bots" and any("--seat" in option.opts for option in options):
            return "No such option '--bots'. Who sits where is said seat by seat: --seat 2=random"
        if any(other in option.opts for option in options):
            return f"No such option '{misuse.option_name}'. Did you mean '{other}'?"
    option = misuse.param if isinstance(misuse, click.BadParameter) else None
    if option is not None and isinstance(option.type, click.IntRange) and "valid integer" in misuse.message:
        # `validate --deep NAME`: click took the game for the number, and speaks of a range.
        return f"Invalid value for '{option.opts[0]}': a number is expected, such as {option.opts[0]} 20"
    if isinstance(misuse, click.BadOptionUsage) and misuse.ctx is not None and "argument" in misuse.message:
        # `validate NAME --deep`: the number is missing at the end of the line.
        named = [one for one in misuse.ctx.command.params if misuse.option_name in one.opts]
        if any(isinstance(one.type, click.IntRange) for one in named):
            return f"'{misuse.option_name}' needs a number, such as {misuse.option_name} 20"
    return misuse.format_message()


def _is_misuse(unusable: RulesetError) -> bool:
    """True if the error is in the command line (a ruleset that does not exist), not in a ruleset."""
    return all(finding.primary.span.source.name == "command line" for finding in unusable.diagnostics)


def _fault_code(problem: Exception) -> int:
    """Shows a fault of a ruleset as a finding; any other exception is a bug in this program and is raised again."""
    from .. import Fault, WrongLimits

    if isinstance(problem, WrongLimits):
        print_error(str(problem), "`rulewright explain R0911` shows how limits are written")
        return 2
    if not isinstance(problem, Fault):
        raise problem
    print_findings([problem.diagnostic])
    return 1


def _sentence(text: str) -> str:
    """click's messages in our style: lower case, no full stop."""
    text = text.strip().rstrip(".")
    return text[:1].lower() + text[1:]


def _close_stdout() -> None:
    """The reader of the output (`| head`) has gone: keep Python from reporting that when it exits."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
