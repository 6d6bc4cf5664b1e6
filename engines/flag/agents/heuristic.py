"""The design document's strategy, steps 1 to 4 (docs/games/flag.md)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from engines.core.agent import Agent, Budgets, NoParameters, Range
from engines.core.budget import Meter
from engines.core.decision import Decision
from engines.flag import rules
from engines.flag.agents.common import answer, candidates_of, nothing_to_play, piece_stats, stand_orders
from engines.flag.one_round import PieceScores, rescuer_note, score_after, score_piece
from engines.flag.position import Position
from engines.flag.rules import Array

# What the document's plain loop makes per piece: standing, and ten distances in four directions.
PLAIN_EVALUATIONS: Final = 41


@dataclass(frozen=True, slots=True)
class Plan:
    """The predicted enemy, the own pieces' best against it, and the orders that combine them."""

    enemy: tuple[PieceScores, ...]
    own: tuple[PieceScores, ...]
    orders: Array

    @property
    def evaluations(self) -> dict[str, int]:
        """Exchanges that the plain loop makes, and those of distinct end cells, which are really made."""
        scored = (*self.enemy, *self.own)
        return {
            "all": PLAIN_EVALUATIONS * len(scored),
            "distinct": sum(len(found.orders) for found in scored),
        }


def plan(position: Position, side: int, meter: Meter | None = None) -> Plan:
    """Each enemy piece's best while nobody else moves; then each own piece's best against all of these.

    Positions are taken as shown: pending rescuers stand where they are. Pieces that the meter
    leaves no time for stand.
    """
    table = rules.table_of(position)
    enemy: list[PieceScores] = []
    own: list[PieceScores] = []
    predicted = stand_orders()
    for piece in position.living(1 - side):
        if meter is None or meter.more(len(enemy)):
            enemy.append(score_piece(table, piece, stand_orders()))
            predicted[piece] = enemy[-1].best_order
    orders = predicted.copy()
    for piece in position.living(side):
        if meter is None or meter.more(len(enemy) + len(own)):
            own.append(score_piece(table, piece, predicted))
            orders[piece] = own[-1].best_order
    return Plan(tuple(enemy), tuple(own), orders)


def decide(position: Position, parameters: NoParameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The plan's own orders; ties and seed play no part."""
    if nothing := nothing_to_play(position):
        return nothing
    side = position.mover()
    made = plan(position, side, meter)
    wanted = len(position.living(0)) + len(position.living(1))
    return Decision(
        answer(position, made.orders),
        float(score_after(rules.table_of(position), made.orders, side)),
        candidates=candidates_of(position, made.own, partial(rescuer_note, position)),
        stats=piece_stats(len(made.enemy) + len(made.own), wanted)
        | {"evaluations": made.evaluations["distinct"]},
        context={
            "predicted_enemy": [found.entry(position) for found in made.enemy],
            "own": [found.entry(position) for found in made.own],
            "evaluations": made.evaluations,
        },
    )


AGENT: Agent[Position] = Agent(
    "heuristic",
    "Predicts each enemy piece's best order, then gives each own piece its best order against these.",
    decide,
    "one piece, all its end cells",
    budgets=Budgets(iterations=Range(6, 1, 6)),
)
