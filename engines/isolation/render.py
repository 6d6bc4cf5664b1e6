"""The board for a terminal."""

from __future__ import annotations

from engines.isolation.board import cell_of, squares_in
from engines.isolation.position import Position, dump, moves_of


def render(position: Position) -> str:
    """Rows and columns numbered, `0` and `1` the players, `#` blocked, `+` where the side to move may go."""
    state = dump(position)
    signs = [["·"] * position.width for _ in range(position.height)]
    for row, column in state["blocked"]:
        signs[row][column] = "#"
    for square in squares_in(*moves_of(position, position.to_move)):
        row, column = cell_of(position.width, square)
        signs[row][column] = "+"
    for player, place in enumerate(state["players"]):
        if place is not None:
            signs[place[0]][place[1]] = str(player)
    lines = ["    " + " ".join(str(column) for column in range(position.width)), ""]
    lines += [f"{row}   {' '.join(line)}" for row, line in enumerate(signs)]
    unplaced = [str(player) for player, place in enumerate(state["players"]) if place is None]
    notes = [f"player {position.to_move} to move"]
    if not any(moves_of(position, position.to_move)):
        notes = [f"player {position.to_move} cannot move: player {1 - position.to_move} has won"]
    if unplaced:
        notes.append(f"not placed yet: {' and '.join(unplaced)}")
    return "\n".join([*lines, "", "; ".join(notes)])
