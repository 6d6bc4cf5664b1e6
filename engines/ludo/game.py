"""The `Game` of Ludo: what the service, the command line, the arena and the tests use."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engines.core.decision import Move
from engines.core.errors import PositionError
from engines.core.game import Game, Step
from engines.core.rng import below, seeded
from engines.ludo.agents import AGENTS
from engines.ludo.conformance import FORMATS
from engines.ludo.fallback import fallback
from engines.ludo.parse import parse, parse_ghosts, parse_move
from engines.ludo.position import HOME, PIECES, SEATS, SIX, Position, dump, move_of
from engines.ludo.render import render
from engines.ludo.rules import board_of, mask_of, play, turn

GHOSTS_OF = {2: (1, 3), 3: (3,), 4: ()}
"""The empty seats for a number of players; two sit opposite."""


class Ludo(Game[Position]):
    """Two to four seats race four pieces each to goal."""

    name = "ludo"
    agents = AGENTS
    formats = FORMATS

    def new(self, options: Mapping[str, Any], seed: int) -> Position:
        """All pieces at home, seat 0 to play a throw drawn from `seed`.

        `options`: `players` (2, 3 or 4; four without options) or the `ghosts` themselves.
        """
        empty = ((HOME,) * PIECES,) * SEATS
        return Position(empty, _ghosts(options), 0, _throw(seed), round=1)  # type: ignore[arg-type]

    def parse(self, state: Mapping[str, Any], side: str | None = None) -> Position:
        return parse(state, side)

    def dump(self, position: Position) -> dict[str, Any]:
        return dump(position)

    def legal(self, position: Position) -> list[dict[str, int | None]]:
        """The moves in the answer's form; where no piece can move, the pass is the only one."""
        return [move_of(position, piece) for piece in position.movable or (None,)]

    def step(self, position: Position, moves: Any, seed: int) -> Step[Position]:
        """Play `{"piece": n or null}`; the next throw is drawn from `seed`, so give each step its own.

        Events, in the order of happening: `["moved", seat, piece, from, to]`, `["passed", seat]`,
        `["captured", seat, enemy, piece, from]`, `["sent_home", seat, piece]`,
        `["finished", seat]`, `["extra_throw", seat, "six" or "attempt"]`, `["turn", seat, dice]`.
        The game is over when a seat has finished; play may go on.
        """
        piece = parse_move(moves, position)
        seat = position.player
        board = board_of(position.positions)
        events: list[list[Any]] = []
        if piece is None:
            events.append(["passed", seat])
        else:
            _, refused = play(board, seat, piece, position.dice)
            events += _moved(position, piece, board.tolist(), bool(refused))
        player, round_, attempts = turn(
            board, mask_of(position.ghosts), seat, position.dice, position.round, position.attempts
        )
        one, two, three, four = (tuple(pieces) for pieces in board.tolist())
        after = Position(
            (one, two, three, four), position.ghosts, int(player), _throw(seed), int(round_), int(attempts)
        )
        if seat in after.finished and seat not in position.finished:
            events.append(["finished", seat])
        if after.player == seat and after.round == position.round:
            events.append(["extra_throw", seat, "attempt" if position.round == 1 else "six"])
        events.append(["turn", after.player, after.dice])
        # Of several finished seats the state can't tell the first; one that had finished before goes first.
        winner = next(iter(position.finished or after.finished), None)
        return Step(after, tuple(events), winner is not None, winner)

    def fallback(self, position: Position) -> Move:
        return fallback(position)

    def render(self, position: Position) -> str:
        return render(position)


def _throw(seed: int) -> int:
    return 1 + int(below(seeded(seed), SIX))


def _ghosts(options: Mapping[str, Any]) -> tuple[int, ...]:
    players = options.get("players")
    if options.get("ghosts") is not None:
        if players is not None:
            raise PositionError(("players",), "give either players or ghosts, not both")
        return parse_ghosts(options["ghosts"])
    if players is None:
        players = SEATS
    if type(players) is not int or players not in GHOSTS_OF:
        raise PositionError(("players",), "must be 2, 3 or 4")
    return GHOSTS_OF[players]


def _moved(position: Position, piece: int, after: list[list[int]], refused: bool) -> list[list[Any]]:
    seat = position.player
    events: list[list[Any]] = [["moved", seat, piece, position.positions[seat][piece], after[seat][piece]]]
    for further in range(1, SEATS):
        enemy = (seat + further) % SEATS
        for other, square in enumerate(position.positions[enemy]):
            if after[enemy][other] != square:
                events.append(["captured", seat, enemy, other, square])
    if refused:
        events.append(["sent_home", seat, piece])
    return events


LUDO = Ludo()
