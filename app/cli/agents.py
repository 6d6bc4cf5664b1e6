"""`quadriga agents`: the registry, as the API gives it."""

from __future__ import annotations

from typing import Any

from app.cli.games import OptionalName, load, resolve
from app.cli.output import Json, compact, settings
from engines.catalogue import NAMES


def agents(game: OptionalName = None, as_json: Json = False) -> None:
    """List the agents of a game, or of all games, with their parameters and budgets.

    With --json and a GAME: the answer of `GET /games/GAME/agents`; without one, these by game.

    Example:  quadriga agents ludo --json
    """
    wanted = NAMES if game is None else (resolve(game),)
    from app.decisions.parameters import describe

    chosen = settings()
    found = {name: describe(load(name), chosen.default_agent(name)) for name in wanted}
    if as_json:
        print(compact(found if game is None else found[wanted[0]]))
    else:
        _tables({name: answer["agents"] for name, answer in found.items()})


def _tables(found: dict[str, list[dict[str, Any]]]) -> None:
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console()
    for name, listed in found.items():
        table = Table(title=name, title_justify="left", title_style="bold", box=None, pad_edge=False)
        for column in ("agent", "what it does", "parameters", "budget"):
            table.add_column(column, overflow="fold", vertical="top")
        for agent in listed:
            budgets = agent["budgets"]
            table.add_row(
                escape(agent["name"]) + (" *" if agent["default"] else ""),
                escape(agent["summary"]),
                escape("\n".join(f"{key}={compact(value)}" for key, value in _defaults(agent).items())),
                f"{budgets['ms']['default']} ms or {budgets['iterations']['default']} iterations\n"
                + escape(f"one iteration: {agent['iteration']}"),
            )
        console.print(table, "")
    console.print("* plays where a request names no agent")


def _defaults(agent: dict[str, Any]) -> dict[str, Any]:
    """What each parameter is by default."""
    properties = agent["parameters"].get("properties", {})
    return {name: value.get("default") for name, value in properties.items()}
