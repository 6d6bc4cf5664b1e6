"""A legal move at once, without compiled code: played before the kernels are loaded, and when time is up."""

from __future__ import annotations

from engines.battlesnake.move_safety import MoveSafety, find_obstacles, legal_moves, move_safety
from engines.battlesnake.position import MOVES, OFFSETS, Position


def fallback(position: Position) -> str:
    """A legal word at once: away from heads that would win, then to where more neighbours are open."""
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

    def evaluate(option: MoveSafety) -> tuple[bool, int]:
        beyond = (position.destination(option.destination, step) for step in OFFSETS)
        return option.destination not in risky, sum(
            position.contains(c) and c not in obstacles.bodies for c in beyond
        )

    return max((option for option in options if option.move in legal), key=evaluate).move
