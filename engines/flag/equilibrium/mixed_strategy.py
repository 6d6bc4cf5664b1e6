"""A side's mixed strategy as an answer: drawn from, measured against every joint order, described.

Called by the agent `equilibrium` with a `DoubleOracle` that has been iterated at least once.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from engines.core.decision import Candidate, Outcome
from engines.core.rng import seeded, unit
from engines.flag import moves
from engines.flag.equilibrium.double_oracle import MAX_KEPT_COLUMNS, DoubleOracle, expected_payoffs
from engines.flag.equilibrium.payoff import Floats
from engines.flag.position import TEAMS, Position, order_of

SHOWN: Final = 32
"""Joint orders in a mixture at most."""


@dataclass(frozen=True, slots=True)
class MixedStrategy:
    """Joint orders, the likeliest first, by their places among the kept ones, and their probabilities."""

    side: int
    kept: tuple[int, ...]
    probabilities: tuple[float, ...]

    @classmethod
    def of(cls, mix: Floats, side: int, least: float) -> MixedStrategy:
        """The orders that matter (`least`), at most SHOWN, their probabilities adding up to 1."""
        chances = mix.tolist()
        kept = sorted(range(MAX_KEPT_COLUMNS), key=lambda k: -chances[k])[:SHOWN]
        kept = [k for k in kept if chances[k] > 0.0 and chances[k] >= min(least, chances[kept[0]])]
        total = sum(chances[k] for k in kept)
        return cls(side, tuple(kept), tuple(chances[k] / total for k in kept))

    def draw(self, seed: int) -> int:
        """The place in `kept` of one joint order, by its probability."""
        left = unit(seeded(seed))
        for place, probability in enumerate(self.probabilities[:-1]):
            left -= probability
            if left < 0.0:
                return place
        return len(self.probabilities) - 1

    def expected(self, values: Floats, orders: list[int]) -> float:
        """Its value where each joint order is worth `values`; `orders` are the numbers of the kept ones."""
        return sum(
            float(values[orders[k]]) * probability
            for k, probability in zip(self.kept, self.probabilities, strict=True)
        )


def payoffs_against(oracle: DoubleOracle, strategy: MixedStrategy) -> Floats:
    """The payoff to A of every joint order of the other side against a mixture."""
    mix = np.zeros(MAX_KEPT_COLUMNS)
    for k, probability in zip(strategy.kept, strategy.probabilities, strict=True):
        mix[k] = probability
    columns = oracle.columns(strategy.side)
    values = np.zeros(columns.shape[1])
    expected_payoffs(mix, columns, values, int(oracle.restricted.size[strategy.side]))
    return values


def blend(oracle: DoubleOracle, side: int, solved: Floats, preferred: Floats, floor: float) -> Floats:
    """As much of the preferred mixture as keeps the enemy's best response at the floor."""
    sign = 1.0 if side == 0 else -1.0

    def worst(mix: Floats) -> float:
        kept = tuple(range(int(oracle.restricted.size[side])))
        strategy = MixedStrategy(side, kept, tuple(mix[: len(kept)].tolist()))
        return float((sign * payoffs_against(oracle, strategy)).min())

    safe, bold = worst(solved), worst(preferred)
    share = 1.0 if bold >= floor else max(0.0, min(1.0, (safe - floor) / (safe - bold)))
    return (1.0 - share) * solved + share * preferred


def proven_win(oracle: DoubleOracle, side: int) -> Outcome | None:
    """A win within this round, of the side or else of the other, that no response can prevent."""
    for team in (side, 1 - side):
        won = oracle.columns(team)[: oracle.restricted.size[team]] == (1.0 if team == 0 else -1.0)
        if won.all(axis=1).any():
            return Outcome(TEAMS[team], plies=1)
    return None


def orders_of(position: Position, oracle: DoubleOracle, side: int, order: int) -> list[dict[str, Any]]:
    """A joint order as answers write it."""
    survey, actions = oracle.game.survey, oracle.actions(side, order)
    return [
        order_of(piece, (int(direction), int(distance)))
        for piece in position.living(side)
        for direction, distance in (survey.orders[piece, actions[piece % 3]],)
    ]


def described(
    position: Position, oracle: DoubleOracle, strategy: MixedStrategy, values: Floats
) -> list[dict[str, Any]]:
    """A mixture as JSON: orders, their probabilities and their values to its side."""
    orders = oracle.restricted.orders[strategy.side]
    return [
        {
            "move": orders_of(position, oracle, strategy.side, int(orders[k])),
            "probability": round(probability, 6),
            "value": round(float(values[orders[k]]), 6),
        }
        for k, probability in zip(strategy.kept, strategy.probabilities, strict=True)
    ]


def end_cells(
    position: Position, oracle: DoubleOracle, strategy: MixedStrategy, values: Floats
) -> tuple[Candidate, ...]:
    """Every end cell of every piece; its score is the best value of a joint order with it."""
    side, counts = strategy.side, oracle.game.survey.counts
    cube = values.reshape(tuple(counts[3 * side : 3 * side + 3].tolist()))
    listed = []
    for piece in position.living(side):
        axis = piece % 3
        best = cube.max(axis=tuple(other for other in range(3) if other != axis))
        chance = [0.0] * int(counts[piece])
        for k, part in zip(strategy.kept, strategy.probabilities, strict=True):
            chance[oracle.actions(side, int(oracle.restricted.orders[side, k]))[axis]] += part
        for action, (order, end) in enumerate(moves.ends(position, piece)):
            listed.append(
                Candidate.of(
                    order_of(piece, order),
                    {"value": float(best[action])},
                    details={"end": end, "probability": round(chance[action], 6)},
                )
            )
    return tuple(listed)
