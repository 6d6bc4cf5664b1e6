"""Isolation once more, in plain Python and for clarity: sets of cells, nothing shared with the engines."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

Cell = tuple[int, int]

STEPS = [(1, 2), (1, -2), (-1, 2), (-1, -2), (2, 1), (2, -1), (-2, 1), (-2, -1)]


@dataclass(frozen=True)
class Board:
    height: int
    width: int
    blocked: frozenset[Cell]
    players: tuple[Cell | None, Cell | None]
    to_move: int

    @classmethod
    def read(cls, state: dict) -> Board:
        first, second = (None if cell is None else tuple(cell) for cell in state["players"])
        blocked = frozenset(tuple(cell) for cell in state["blocked"])
        return cls(state["height"], state["width"], blocked, (first, second), state["toMove"])

    def state(self) -> dict:
        return {
            "width": self.width,
            "height": self.height,
            "blocked": [list(cell) for cell in sorted(self.blocked)],
            "players": [None if cell is None else list(cell) for cell in self.players],
            "toMove": self.to_move,
        }

    def all_cells(self) -> set[Cell]:
        return {(row, column) for row in range(self.height) for column in range(self.width)}

    def blank(self) -> set[Cell]:
        return self.all_cells() - self.blocked

    def around(self, cell: Cell) -> set[Cell]:
        """The blank cells a knight move away."""
        return {(cell[0] + down, cell[1] + right) for down, right in STEPS} & self.blank()

    def moves(self, player: int) -> set[Cell]:
        cell = self.players[player]
        return self.blank() if cell is None else self.around(cell)

    def legal(self) -> list[Cell]:
        return sorted(self.moves(self.to_move))

    def winner(self) -> int | None:
        return None if self.moves(self.to_move) else 1 - self.to_move

    def play(self, cell: Cell) -> Board:
        assert cell in self.moves(self.to_move)
        players = (cell, self.players[1]) if self.to_move == 0 else (self.players[0], cell)
        return Board(self.height, self.width, self.blocked | {cell}, players, 1 - self.to_move)


def heuristics(board: Board, player: int) -> dict[str, float | None]:
    """Every heuristic for one player; None where it is undefined."""
    opponent = 1 - player
    own, other = board.players[player], board.players[opponent]
    mine, theirs = board.moves(player), board.moves(opponent)
    corners = {(row, column) for row in (0, board.height - 1) for column in (0, board.width - 1)}
    next_mine = set().union(*(board.around(cell) for cell in mine))
    next_theirs = set().union(*(board.around(cell) for cell in theirs))
    difference = len(mine) - len(theirs)
    weight = 4 if len(board.blank()) / (board.width * board.height) < 0.25 else 1
    found: dict[str, float | None] = {
        "open_move": len(mine),
        "center": None,
        "improved": difference,
        "moves_difference": difference,
        "avoid_corners": (len(mine) - len(mine & corners)) - (len(theirs) + len(theirs & corners)),
        "avoid_corners_fixed": (len(mine) - len(mine & corners)) - (len(theirs) - len(theirs & corners)),
        "next_moves": len(next_mine) - len(next_theirs) + difference,
        "chase_opponent": None,
        "weighted_chase_opponent": None,
        "chase_fixed": None,
        "weighted_chase_fixed": None,
    }
    if own:
        found["center"] = (board.height / 2 - own[0]) ** 2 + (board.width / 2 - own[1]) ** 2
    if own and other:
        found["chase_opponent"] = -math.hypot(own[0] + other[0], own[1] + other[1])
        found["chase_fixed"] = -math.dist(own, other)
        found["weighted_chase_opponent"] = found["chase_opponent"] / weight
        found["weighted_chase_fixed"] = found["chase_fixed"] / weight
    victor = board.winner()
    if victor is not None:
        for name in ("open_move", "center", "improved"):
            found[name] = math.inf if victor == player else -math.inf
    return found


def random_game(height: int, width: int, generator: random.Random) -> list[Board]:
    """Every position of a uniformly random game, the last one lost for its side to move."""
    boards = [Board(height, width, frozenset(), (None, None), 0)]
    while moves := boards[-1].legal():
        boards.append(boards[-1].play(generator.choice(moves)))
    return boards


def solve(board: Board) -> int:
    """The winner under perfect play, by looking at every line."""
    for cell in board.legal():
        if solve(board.play(cell)) == board.to_move:
            return board.to_move
    return 1 - board.to_move
