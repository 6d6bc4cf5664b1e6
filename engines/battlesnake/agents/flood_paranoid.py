"""A sparring partner in the manner of strong public snakes: paranoid search over a timed flood."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import Annotated, Any

from annotated_types import Ge, Le

from engines.battlesnake.agents.common import candidates_of, not_on_board, run_search
from engines.battlesnake.fallback import fallback
from engines.battlesnake.move_safety import find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, Position
from engines.battlesnake.search.paranoid import MAX_DEPTH, ParanoidSearch
from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.core.rng import below, seeded

Weight = Annotated[float, Ge(0.0), Le(1_000.0)]


@dataclass(frozen=True)
class Parameters:
    """Weights of the leaf's terms, and the depth."""

    space: Weight = 100.0
    """Value of your cells over that of the strongest rival's, from -1 to 1."""
    steepness: Annotated[float, Ge(0.1), Le(100.0)] = 3.0
    """Slope of that at equality: the more, the sooner a lead counts in full."""
    thirst: Annotated[float, Ge(0.0), Le(1.0)] = 0.5
    """Share of a cell's value that is in proportion to the health on arrival."""
    growth: Weight = 40.0
    """Length and nearness of food over the longest rival, from -1 to 1, at the start of the game."""
    fade: Annotated[float, Ge(1.0), Le(100_000.0)] = 200.0
    """The turn at which growth counts half."""
    health: Weight = 10.0
    """Full health."""
    draw: Annotated[float, Ge(-10_000.0), Le(0.0)] = -500.0
    """Score of a draw: worse than any leaf, far better than a loss."""
    max_depth: Annotated[int, Ge(1), Le(MAX_DEPTH)] = MAX_DEPTH
    """Greatest depth, in plies of joint moves."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The best move of the deepest depth; where all lose there, that of the depth before. Ties are broken by
    the seed."""
    default = fallback(position)
    me = position.me
    if me is None:
        return not_on_board(position)
    # Not by `root_of`: where the game is over and all moves are deadly, that gives the latter as the reason
    # and a random move, this the former and the fallback.
    options = move_safety(position, me, find_obstacles(position))
    legal = legal_moves(options)
    if all(option.cause for option in options) or position.over:
        reason = "the game is over" if position.over else "every move is deadly"
        move = default if position.over else legal[below(seeded(seed), len(legal))]
        return Decision(move, candidates=candidates_of(options), stats={"iterations": 0, "reason": reason})
    moves = _shuffled(legal, default, seed)
    search = ParanoidSearch(position, moves, parameters.max_depth, astuple(parameters)[:-1])
    nodes = run_search(search, meter)
    stats: dict[str, Any] = {"iterations": nodes, "depth": search.depth}
    if not search.depth:
        stats["reason"] = "stopped before the first depth was complete"
    searched = {
        move: Candidate.of(move, {"paranoid": value}, details={"depth": depth})
        for move, (depth, value) in search.known.items()
    }
    candidates = candidates_of(options, searched)
    score = candidates[MOVES.index(search.move)].score
    return Decision(search.move, score, candidates=candidates, stats=stats, line=(search.move,))


def _shuffled(legal: tuple[str, ...], first: str, seed: int) -> list[str]:
    """The legal moves in the order of the first search: the fallback, then the others as the seed has it."""
    rng = seeded(seed)
    moves = [first] if first in legal else []
    rest = [move for move in legal if move not in moves]
    while rest:
        moves.append(rest.pop(below(rng, len(rest))))
    return moves


AGENT: Agent[Position] = Agent(
    "flood_paranoid",
    "A sparring partner: paranoid alpha-beta search, with a flood of cells reached first at the leaves.",
    decide,
    "one node: a joint move played in the search tree",
    Parameters,
    Budgets(iterations=Range(100_000, 1, 100_000_000)),
)
