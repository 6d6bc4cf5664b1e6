"""A learnt table over a small view of the position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from engines.core.agent import Agent, Budgets, Range
from engines.core.budget import Meter
from engines.core.decision import Candidate, Decision
from engines.ludo.agents.common import best_of, trivial_decision
from engines.ludo.position import PIECES, Position, move_of
from engines.ludo.q_learning.abstractions import ABSTRACTIONS
from engines.ludo.q_learning.table import observe
from engines.ludo.rules import board_of
from engines.ludo.weights import tables


@dataclass(frozen=True)
class Parameters:
    """The Q-table to play by."""

    abstraction: Literal["potential9", "zone12", "combined17"] = "potential9"
    """State abstraction of the table."""
    config: Literal["tuned", "documented", "documented_every_seat"] = "tuned"
    """`tuned`: our settings; `documented`: the document's, one learner against random players;
    `documented_every_seat`: the document's, learning on every seat."""


def decide(position: Position, parameters: Parameters, meter: Meter, seed: int, memory: Any) -> Decision:
    """The movable piece of the highest value in the table; unknown states have zeros, ties are drawn."""
    trivial = trivial_decision(position, meter)
    if trivial is not None:
        return trivial
    table = tables()[parameters.abstraction, parameters.config]
    view = ABSTRACTIONS[parameters.abstraction]
    order = np.zeros(PIECES, np.int64)
    index = int(
        observe(
            table.abstraction,
            table.from_front,
            board_of(position.positions),
            position.player,
            position.dice,
            order,
        )
    )
    learnt = table.values(index)
    values = learnt or [0.0] * PIECES
    places = {piece: place for place, piece in enumerate(order.tolist())}
    candidates = [
        Candidate.of(move_of(position, piece), {"value": values[places[piece]]}) for piece in position.movable
    ]
    seen = view.decode(index)
    context = {
        "abstraction": view.name,
        "tuple": list(seen),
        "index": index,
        "known": learnt is not None,
        "meaning": list(view.describe(seen, order.tolist())),
        "order": order.tolist(),
    }
    return best_of(candidates, seed, context)


AGENT: Agent[Position] = Agent(
    "q_learning",
    "Plays the highest Q-value of a table learnt over an abstraction; `context` decodes the abstract state.",
    decide,
    "one lookup in the table",
    Parameters,
    Budgets(iterations=Range(1, 1, 1)),
)
