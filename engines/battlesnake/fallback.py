"""A legal move at once, without compiled code: played before the kernels are loaded, and when time is up.

The searches take it as their first guess, and agents as the answer of a budget that ended at once.
"""

from __future__ import annotations

from engines.battlesnake.move_safety import MoveSafety, find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, OFFSETS, Position


def fallback(position: Position) -> str:
    """A legal move: if possible away from heads that would win, then to where more neighbours are open."""
    snake = position.me or position.eliminated_you
    if snake is None:
        return MOVES[0]
    obstacles = find_obstacles(position)
    options = move_safety(position, snake, obstacles)
    legal = legal_moves(options)
    risky = {
        position.destination(other.head, step)
        for other in position.snakes
        if other.id != snake.id and len(other.body) >= len(snake.body)
        for step in OFFSETS
    }

    def rank(option: MoveSafety) -> tuple[bool, int]:
        neighbours = (position.destination(option.destination, step) for step in OFFSETS)
        free = sum(position.contains(cell) and cell not in obstacles.bodies for cell in neighbours)
        return option.destination not in risky, free

    return max((option for option in options if option.move in legal), key=rank).move
