"""`heuristic`: the design document's strategy, steps 1 to 4 (docs/games/flag.md)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from engines.core.agents import Agent, Budgets, NoParameters, Range
from engines.core.decision import Decision
from engines.core.limit import Meter
from engines.flag import rules
from engines.flag.agents.common import answer, candidates, cut_short, nothing_to_play, standing
from engines.flag.one_round import View, shown_as_is, view, worth
from engines.flag.position import Position
from engines.flag.rules import Array

# What the document's plain loop makes per piece: standing, and ten distances in four directions.
PLAIN_EVALUATIONS: Final = 41


@dataclass(frozen=True, slots=True)
class Plan:
    """The predicted enemy, the own pieces' best against it, and the orders that combine them."""

    enemy: tuple[View, ...]
    own: tuple[View, ...]
    orders: Array

    @property
    def evaluations(self) -> dict[str, int]:
        """Exchanges that the plain loop makes, and those of distinct end cells, which are really made."""
        views = (*self.enemy, *self.own)
        return {"all": PLAIN_EVALUATIONS * len(views), "distinct": sum(len(seen.rows) for seen in views)}


def plan(position: Position, side: int, meter: Meter | None = None) -> Plan:
    """Each enemy piece's best while nobody else moves; then each own piece's best against all of these.

    Positions are taken as shown: pending rescuers stand where they are. Pieces that the meter
    leaves no time for stand.
    """
    table = rules.table_of(position)
    enemy: list[View] = []
    own: list[View] = []
    predicted = standing()
    for piece in position.living(1 - side):
        if meter is None or meter.more(len(enemy)):
            enemy.append(view(table, piece, standing()))
            predicted[piece] = enemy[-1].order(enemy[-1].best)
    orders = predicted.copy()
    for piece in position.living(side):
        if meter is None or meter.more(len(enemy) + len(own)):
            own.append(view(table, piece, predicted))
            orders[piece] = own[-1].order(own[-1].best)
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
        float(worth(rules.table_of(position), made.orders, side)),
        candidates=candidates(position, made.own, partial(shown_as_is, position)),
        stats=cut_short(len(made.enemy) + len(made.own), wanted)
        | {"evaluations": made.evaluations["distinct"]},
        context={
            "predicted_enemy": [seen.entry(position) for seen in made.enemy],
            "own": [seen.entry(position) for seen in made.own],
            "evaluations": made.evaluations,
        },
    )


HEURISTIC: Agent[Position] = Agent(
    "heuristic",
    "predicts each enemy piece's best move, then takes each own piece's best against these",
    decide,
    "one piece, all its end cells",
    budgets=Budgets(iterations=Range(6, 1, 6)),
)
