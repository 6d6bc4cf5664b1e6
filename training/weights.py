"""The weights of Battlesnake's agents: what each is at present, between which bounds, how it is written and
played with."""

from __future__ import annotations

import dataclasses
import tempfile
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from annotated_types import Ge, Le

from arena.archive import Archive
from arena.contestants import make_parameters, scalar
from arena.games import load_game
from arena.run import run
from arena.setup import Setup
from arena.tally import Tally
from arena.workforce import Workforce
from engines.battlesnake.evaluation import mode
from engines.battlesnake.position import Position
from engines.core.errors import PositionError
from training.run import TrainingError
from training.variants import VARIANTS


@dataclass(frozen=True, slots=True)
class Weight:
    """A parameter that is a number with bounds."""

    name: str
    present: float
    low: float
    high: float
    whole: bool = False
    """Without a fraction."""


@dataclass(frozen=True)
class Asked:
    """Whose weights are looked into, and in which games."""

    agent: str
    base: str = ""
    """Parameters that all have, as `name=value,…`."""
    only: tuple[str, ...] = ()
    """The weights to look into; all of the agent's without it."""
    options: tuple[str, ...] = ()
    """Options of the game: `ruleset=wrapped`, `width=19`."""

    @property
    def game_options(self) -> dict[str, Any]:
        """The options as the game takes them."""
        return pairs(",".join(self.options))

    def plain(self) -> dict[str, Any]:
        """As JSON has it."""
        return {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(self).items()}


def weights_of(asked: Asked) -> tuple[Weight, ...]:
    """The weights that are asked for; without `only` all of the agent's that have a fraction."""
    agent, only = asked.agent, asked.only
    agents = load_game("battlesnake").agents
    if agent not in agents:
        raise TrainingError(f"battlesnake has no agent {agent[:40]!r}; it has {', '.join(agents)}")
    player = VARIANTS.get(agent, agents[agent])
    present = make_parameters(player, pairs(asked.base))
    # Nothing is asked of what says nothing in these games.
    resolved = present.resolved(_begun(asked)) if hasattr(present, "resolved") else asdict(present)
    hints = typing.get_type_hints(player.parameters, include_extras=True)
    found = {}
    for field in dataclasses.fields(player.parameters):
        value = resolved.get(field.name)
        bounds = _bounds(hints[field.name])
        if bounds and isinstance(value, int | float) and not isinstance(value, bool):
            found[field.name] = Weight(field.name, float(value), *bounds)
    if not found:
        raise TrainingError(f"{agent} has no weights")
    unknown = [name for name in only if name not in found]
    if unknown:
        raise TrainingError(f"{agent} has no weight {', '.join(unknown)}; it has {', '.join(found)}")
    if len(set(only)) < len(only):
        raise TrainingError("a weight is named twice")
    chosen = only or [name for name, weight in found.items() if not weight.whole]
    if not chosen:
        raise TrainingError(f"{agent} has no weights with a fraction there")
    return tuple(found[name] for name in chosen)


def mode_of(asked: Asked) -> str:
    """The mode of the games, by which the engine chooses its leaf."""
    return mode(_begun(asked))


def _begun(asked: Asked) -> Position:
    """One of the games at its beginning."""
    try:
        found: Position = load_game("battlesnake").new({"snakes": 2, **asked.game_options}, 0)
    except PositionError as error:
        raise TrainingError(f"--set: {error}") from None
    return found


def pairs(text: str) -> dict[str, Any]:
    """`name=value,…` as values by name."""
    found: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        name, is_there, value = part.partition("=")
        if not is_there or not name or name in found:
            why = "is there twice" if name in found else "is not NAME=VALUE"
            raise TrainingError(f"{part[:40]!r} {why}")
        found[name] = scalar(value)
    return found


@contextmanager
def played(setup: Setup, force: Workforce) -> Iterator[tuple[Tally, Archive]]:
    """Games of the arena that are kept nowhere: what they come to, and the games while this is open."""
    with tempfile.TemporaryDirectory() as place:
        archive = Archive.create(Path(place) / "games.jsonl", setup)
        try:
            outcome = run(setup, archive, force)
            if outcome.interrupted:
                raise KeyboardInterrupt
            if outcome.trouble:
                raise TrainingError(outcome.trouble)
            yield outcome.tally, archive
        finally:
            archive.close()


def spelt(weights: Mapping[str, float], whole: Sequence[str] = ()) -> str:
    """The other way round; who is not `whole` has a point, so that it is read as a number with a fraction."""
    return ",".join(
        f"{name}={round(value) if name in whole else _number(value)}" for name, value in weights.items()
    )


def _number(value: float) -> str:
    text = f"{value:.6g}"
    return text if any(sign in text for sign in ".en") else f"{text}.0"


def _bounds(hint: Any) -> tuple[float, float, bool] | None:
    """Of a parameter that is a number with `Ge` and `Le`, and whether it is a whole one; None of others."""
    while typing.get_origin(hint) is not typing.Annotated and typing.get_args(hint):
        parts = [part for part in typing.get_args(hint) if part is not type(None)]
        if len(parts) != 1:
            return None
        hint = parts[0]
    if typing.get_origin(hint) is not typing.Annotated:
        return None
    low = [mark.ge for mark in hint.__metadata__ if isinstance(mark, Ge)]
    high = [mark.le for mark in hint.__metadata__ if isinstance(mark, Le)]
    kind = typing.get_args(hint)[0]
    if not low or not high or kind not in (int, float):
        return None
    return float(low[0]), float(high[0]), kind is int  # type: ignore[arg-type]
