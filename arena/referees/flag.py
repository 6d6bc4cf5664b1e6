"""Flag: from the same random two rounds with the sides swapped; a side whose answer is bad stands still."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from arena.referees.referee import Referee, pick, whole, without
from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Step
from engines.flag.parse import parse_orders
from engines.flag.position import TEAMS, Position

TRIES = 100


class FlagReferee(Referee[Position]):
    """`--set opening_rounds=2`; 0 begins at the start position, where many heuristics never stir."""

    name = "flag"
    unit = "rounds"
    cap = 100
    convention = "its pieces stand for the round"

    def opening(self, options: Mapping[str, Any], seats: int, seed: int) -> Position:
        rounds = whole(options, "opening_rounds", 2, 0, 20)
        start = self.new(without(options, "opening_rounds"), seed)
        for attempt in range(TRIES):
            position = start
            for turn in range(rounds):
                position = self._random_round(position, (seed, attempt, turn))
                if position.over:
                    break
            if not position.over:
                return position
        return start

    def _random_round(self, position: Position, path: tuple[int, ...]) -> Position:
        """Each living piece goes to any cell that it can reach, each as likely."""
        orders: dict[str, list[Any]] = {}
        for team, options in self.game.legal(replace(position, side=None)).items():
            by_piece: dict[int, list[Any]] = {}
            for order in options:
                by_piece.setdefault(order["piece"], []).append(order)
            orders[team] = [
                {key: chosen[key] for key in ("piece", "direction", "distance")}
                for piece, those in by_piece.items()
                for chosen in (pick(those, *path, TEAMS.index(team), piece),)
            ]
        return self.game.step(position, orders, 0).position

    def seat_names(self, position: Position, seats: int) -> Sequence[str]:
        return TEAMS

    def turns(self, position: Position, seats: int) -> Sequence[tuple[int, Position]]:
        return tuple((seat, replace(position, side=TEAMS[seat])) for seat in range(2))

    def objection(self, view: Position, move: Any) -> str | None:
        if not isinstance(move, list | tuple):
            return "not a list of orders"
        try:
            parse_orders({view.side: move})
        except PositionError as error:
            return str(error)
        return None

    def moves(self, position: Position, chosen: Mapping[int, Move]) -> Any:
        return {TEAMS[seat]: orders for seat, orders in chosen.items()}

    def substitute(self, view: Position, last: Move | None) -> Any:
        return self.game.fallback(view)

    def winner_seat(self, step: Step[Position], seats: int) -> int | None:
        return None if not isinstance(step.winner, str) else TEAMS.index(step.winner)
