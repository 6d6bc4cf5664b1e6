"""A model of the rival in a duel: the move predicted for it, and how often such predictions came true.

The prediction is read off the search's payoff matrix: the move that a rival who searches as we do would play.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from engines.battlesnake.position import MOVES, OFFSETS, Cell, Position
from engines.battlesnake.search.result import SearchConfig, SearchResult

_PRIOR: Final = 0.5
"""Confidence before anything was observed."""
_PRIOR_TURNS: Final = 4.0
"""Predictions that the prior counts for."""
_DECAY: Final = 0.97
"""Weight of an observation a turn later: rivals change their ways in the course of a game."""


@dataclass(frozen=True, slots=True)
class OpponentModel:
    """The rival's id, its head and the move predicted for it on `turn`; decayed counts of predictions."""

    id: str = ""
    turn: int = 0
    head: Cell = (0, 0)
    predicted: str = ""
    """"" where nothing was predicted."""
    hits: float = 0.0
    tries: float = 0.0

    @property
    def confidence(self) -> float:
        """The estimated probability that the rival plays the predicted move."""
        return (_PRIOR * _PRIOR_TURNS + self.hits) / (_PRIOR_TURNS + self.tries)

    def observe(self, position: Position) -> OpponentModel:
        """The model after the rival's last move; a new one where that rival is not on the board."""
        now = next((snake for snake in position.snakes if snake.id == self.id), None)
        if now is None:
            return OpponentModel()
        if position.turn != self.turn + 1 or not self.predicted:
            return replace(self, predicted="")
        step = OFFSETS[MOVES.index(self.predicted)]
        hit = position.destination(self.head, step) == now.head
        return replace(self, predicted="", hits=_DECAY * self.hits + hit, tries=_DECAY * self.tries + 1)

    def predict(self, position: Position, move: str) -> OpponentModel:
        """The model with `move` predicted for the other snake of a duel; unchanged where that is ""."""
        other = next((snake for snake in position.snakes if snake.id != position.you), None)
        if not move or other is None:
            return self
        return replace(self, id=other.id, turn=position.turn, head=other.head, predicted=move)


def predicted_move(result: SearchResult, search_config: SearchConfig) -> str:
    """The best reply of a rival with our search; "" where the payoff matrix has no column for each reply."""
    if len(result.replies) < 2 or not set(result.replies) <= set(MOVES):
        return ""
    # The game is zero-sum but for a certain draw, which is bad for both.
    transposed = tuple(
        tuple(value if value == search_config.draw else -value for value in column)
        for column in zip(*result.payoffs, strict=True)
    )
    theirs = SearchResult(result.depth, result.replies, result.moves, transposed).scores(search_config)
    return max(theirs, key=lambda move: theirs[move])


def adjusted_scores(
    result: SearchResult, search_config: SearchConfig, predicted: str, confidence: float
) -> dict[str, float]:
    """The search's scores, as far as `confidence` goes those against the predicted reply."""
    scores = result.scores(search_config)
    if not predicted:
        return scores
    column = result.replies.index(predicted)
    against = {
        move: search_config.caution * min(row) + (1 - search_config.caution) * row[column]
        for move, row in zip(result.moves, result.payoffs, strict=True)
    }
    return {move: confidence * against[move] + (1 - confidence) * score for move, score in scores.items()}
