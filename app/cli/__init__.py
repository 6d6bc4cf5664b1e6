"""The command line, `quadriga`: one module a command, of the command's name.

A command is a function of its module's name with Typer annotations, or a `typer.Typer` of that
name with commands of its own (each `guarded`). Modules import nothing heavy
at their top (engines, numba, FastAPI: inside the function), so that every `--help` is quick.
Exit codes: 0 good, 1 the thing measured failed, 2 bad usage or input.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from typing import Annotated, Any

import typer

from app.cli.output import Refusal, complain

COMMANDS = ("serve", "move", "agents", "conformance", "bench", "arena", "train", "isolation", "warm")

# What a shell reports for a program ended by SIGPIPE: `quadriga … | head` is no failure of ours.
PIPE_CLOSED = 141


def guarded(command: Callable[..., Any]) -> Callable[..., Any]:
    """The command; a `Refusal` ends it with a line on stderr, a closed pipe without a message."""

    @functools.wraps(command)
    def run(*args: Any, **kwargs: Any) -> Any:
        try:
            result = command(*args, **kwargs)
            sys.stdout.flush()
        except Refusal as refusal:
            complain(str(refusal))
            raise typer.Exit(2) from None
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            raise typer.Exit(PIPE_CLOSED) from None
        return result

    return run


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"quadriga {version('quadriga')}")
        raise typer.Exit


def build(names: Sequence[str] = COMMANDS) -> typer.Typer:
    """The program with those of the commands whose modules exist."""
    program = typer.Typer(
        no_args_is_help=True,
        pretty_exceptions_enable=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )

    @program.callback()
    def quadriga(
        version: Annotated[
            bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version.")
        ] = False,
    ) -> None:
        """Four games, one move service: what should I play, and why?

        Battlesnake, Ludo, Isolation and Flag. Every command has --help with an example.
        """

    for name in names:
        if find_spec(f"app.cli.{name}"):
            command = getattr(import_module(f"app.cli.{name}"), name)
            if isinstance(command, typer.Typer):
                program.add_typer(command, name=name)
            else:
                program.command(name)(guarded(command))
    return program


def main() -> None:
    """Entry point of `quadriga`."""
    for stream in (sys.stdout, sys.stderr):
        # a lone surrogate of an input, or a board's line-drawing on an ASCII terminal, must not end a report
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")
    # the modules of the other commands need not be read to run one
    named = [name for name in sys.argv[1:2] if name in COMMANDS]
    build(named or COMMANDS)()
