"""Isolation: random placements, then a lost answer is a lost game, as in the published study."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.referees.referee import NO_MOVE, Referee, pick, whole, without
from engines.core.decision import Move
from engines.core.game import Step
from engines.isolation.position import Position

TRIES = 100
"""Random openings that may be over before the game is begun from the empty board instead."""


class IsolationReferee(Referee[Position]):
    """`--set opening_plies=2` random plies (the two placements), `width`, `height`."""

    name = "isolation"
    unit = "plies"
    cap = 81  # the cells of the largest board: never reached
    convention = "the game is lost"

    def opening(self, options: Mapping[str, Any], seats: int, seed: int) -> Position:
        plies = whole(options, "opening_plies", 2, 0, 20)
        start = self.new(without(options, "opening_plies"), seed)
        for attempt in range(TRIES):
            position = start
            for ply in range(plies):
                legal = self.game.legal(position)
                if not legal:
                    break
                position = self.game.step(position, pick(legal, seed, attempt, ply), 0).position
            if self.game.legal(position):
                return position
        return start

    def seat_names(self, position: Position, seats: int) -> Sequence[str]:
        """Who placed first and who second."""
        return ("first", "second")

    def turns(self, position: Position, seats: int) -> Sequence[tuple[int, Position]]:
        return ((position.to_move, position),)

    def objection(self, view: Position, move: Any) -> str | None:
        cell = isinstance(move, list | tuple) and len(move) == 2 and all(type(part) is int for part in move)
        if not cell:
            return "not a cell [row, column]"
        return None if list(move) in self.game.legal(view) else "not a legal cell"

    def moves(self, position: Position, chosen: Mapping[int, Move]) -> Any:
        return chosen[position.to_move]

    def substitute(self, view: Position, last: Move | None) -> Any:
        return NO_MOVE

    def winner_seat(self, step: Step[Position], seats: int) -> int | None:
        return step.winner if isinstance(step.winner, int) else None
