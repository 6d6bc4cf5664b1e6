"""Ludo: the same dice for every turn of the seats; the first to finish wins, the others are second."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from arena.errors import ArenaError
from arena.referees.referee import Referee
from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Step
from engines.ludo.parse import parse_move
from engines.ludo.position import Position

SEATS = 4


class LudoReferee(Referee[Position]):
    """Two sit opposite unless `--set ghosts=…` says which seats stay empty."""

    name = "ludo"
    unit = "throws"
    most = 4
    cap = 10_000
    convention = "the first movable piece moves"

    def opening(self, options: Mapping[str, Any], seats: int, seed: int) -> Position:
        given = options if "ghosts" in options else {"players": seats, **options}
        start = self.new(given, seed)
        if SEATS - len(start.ghosts) != seats:
            raise ArenaError(f"--set: {SEATS - len(start.ghosts)} seats for {seats} contestants")
        return start

    def seat_names(self, position: Position, seats: int) -> Sequence[str]:
        return [f"seat {seat}" for seat in _taken(position)]

    def turns(self, position: Position, seats: int) -> Sequence[tuple[int, Position]]:
        return ((_taken(position).index(position.player), position),)

    def asks(self, view: Position) -> bool:
        """A pass and an only movable piece play themselves."""
        return len(view.movable) > 1

    def objection(self, view: Position, move: Any) -> str | None:
        try:
            parse_move(move, view)
        except PositionError as error:
            return error.reason
        return None

    def moves(self, position: Position, chosen: Mapping[int, Move]) -> Any:
        return next(iter(chosen.values()))

    def substitute(self, view: Position, last: Move | None) -> Any:
        return self.game.fallback(view)

    def winner_seat(self, step: Step[Position], seats: int) -> int | None:
        return None if not isinstance(step.winner, int) else _taken(step.position).index(step.winner)


def _taken(position: Position) -> list[int]:
    return [seat for seat in range(SEATS) if seat not in position.ghosts]
