"""Battlesnake: the official referee's conventions; the same start and food for every turn of the seats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.referees.referee import Referee
from engines.battlesnake.position import MOVES, Position
from engines.core.decision import Move
from engines.core.game import Step

STILL_THERE = 2**62
"""When those leave who have not: later than any game's end."""


class BattlesnakeReferee(Referee[Position]):
    """`--set` takes what a new game takes: width, height, ruleset, map, foodSpawnChance and so on."""

    name = "battlesnake"
    unit = "turns"
    most = 8
    cap = 2_000
    convention = "the snake repeats its last move (up at first)"

    def opening(self, options: Mapping[str, Any], seats: int, seed: int) -> Position:
        return self.new({**options, "snakes": [_id(seat) for seat in range(seats)]}, seed)

    def titled(self, position: Position, title: str) -> Position:
        return replace(position, game=title)

    def seat_names(self, position: Position, seats: int) -> Sequence[str]:
        """The snakes' ids. Starts are drawn, so a seat is worth nothing by itself."""
        return [_id(seat) for seat in range(seats)]

    def turns(self, position: Position, seats: int) -> Sequence[tuple[int, Position]]:
        names = self.seat_names(position, seats)
        return [(names.index(snake.id), replace(position, you=snake.id)) for snake in position.snakes]

    def views(
        self, position: Position, seen: Mapping[int, Position], seats: int
    ) -> Sequence[tuple[int, Position]]:
        """Everybody is told, the dead as they last were."""
        return [
            (seat, replace(position, you=name, eliminated_you=seen[seat].me if seat in seen else None))
            for seat, name in enumerate(self.seat_names(position, seats))
        ]

    def objection(self, view: Position, move: Any) -> str | None:
        return None if isinstance(move, str) and move in MOVES else f"not one of {', '.join(MOVES)}"

    def moves(self, position: Position, chosen: Mapping[int, Move]) -> Any:
        return {_id(seat): move for seat, move in chosen.items()}

    def substitute(self, view: Position, last: Move | None) -> Any:
        return MOVES[0] if last is None else last

    def alive(self, position: Position, seats: int) -> Sequence[int]:
        names = self.seat_names(position, seats)
        return [names.index(snake.id) for snake in position.snakes]

    def winner_seat(self, step: Step[Position], seats: int) -> int | None:
        return None  # places follow from who left the game when

    def places(self, winner: int | None, gone: Mapping[int, int], seats: int) -> tuple[int, ...]:
        """Who lived longest is first; who left in one turn shares a place."""
        lived = [gone.get(seat, STILL_THERE) for seat in range(seats)]
        return tuple(1 + sum(other > own for other in lived) for own in lived)


def _id(seat: int) -> str:
    return f"snake-{seat + 1}"
