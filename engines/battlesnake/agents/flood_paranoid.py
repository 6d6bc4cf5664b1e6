"""A sparring partner in the manner of strong public snakes: a timed flood, searched paranoidly."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import not_on_board, unsearched
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.search.paranoid import MAX_DEPTH, Paranoia
from engines.core.agents import Agent, Budgets, Range
from engines.core.decision import Candidate, Decision
from engines.core.limit import Meter
from engines.core.rng import below, seeded

Weight = Annotated[float, Ge(0.0), Le(1_000.0)]


@dataclass(frozen=True)
class Parameters:
    """What a board is worth where the search ends, and how deep it goes."""

    space: Weight = 100.0
    """Your worth of cells beside that of the strongest rival, from -1 to 1."""
    steepness: Annotated[float, Ge(0.1), Le(100.0)] = 3.0
    """How fast that comes near its ends, seen from an equal share."""
    thirst: Annotated[float, Ge(0.0), Le(1.0)] = 0.5
    """The part of a cell's worth that goes with the health on arrival."""
    growth: Weight = 40.0
    """Length and nearness of food over the longest rival, from -1 to 1, in the first turns."""
    fade: Annotated[float, Ge(1.0), Le(100_000.0)] = 200.0
    """Turns after which growth counts half."""
    health: Weight = 10.0
    """Full health."""
    draw: Annotated[float, Ge(-10_000.0), Le(0.0)] = -500.0
    """All die at once: worse than going on, far from a loss."""
    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = MAX_DEPTH
    """Turns to look ahead at most."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The best word of the deepest look, or of the one before where all lose; of equals one by the seed."""
    plain = fallback(position)
    me = position.me
    if me is None:
        return not_on_board(position)
    options = move_safety(position, me, find_obstacles(position))
    legal = list(legal_moves(options))
    if all(option.cause for option in options) or position.over:
        reason = "the game is over" if position.over else "every word is deadly"
        move = plain if position.over else legal[below(seeded(seed), len(legal))]
        return Decision(move, candidates=unsearched(options), stats={"iterations": 0, "reason": reason})
    rng = seeded(seed)
    moves = [plain] if plain in legal else []
    rest = [move for move in legal if move not in moves]
    while rest:
        moves.append(rest.pop(below(rng, len(rest))))
    search = Paranoia(position, moves, parameters.max_depth, astuple(parameters)[:-1])
    done = 0
    while not search.finished and meter.more(done):
        left = meter.left(done)
        done += search.advance(search.slice if left is None else min(search.slice, left))
    stats: dict[str, Any] = {"iterations": done, "depth": search.depth}
    if not search.depth:
        stats["reason"] = "stopped before the first depth was complete"
    known = search.known
    candidates = tuple(
        Candidate.of(
            option.move, {"paranoid": known[option.move][1]}, details={"depth": known[option.move][0]}
        )
        if option.move in known
        else Candidate(option.move, None, notes=(option.cause or "not looked at",))
        for option in options
    )
    score = candidates[MOVES.index(search.move)].score
    return Decision(search.move, score, candidates=candidates, stats=stats, line=(search.move,))


AGENT: Agent[Position] = Agent(
    "flood_paranoid",
    "A sparring partner: who reaches which cell first, searched as if all others wanted your worst.",
    decide,
    "one turn played in the search tree",
    Parameters,
    Budgets(iterations=Range(100_000, 1, 100_000_000)),
)
