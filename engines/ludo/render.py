"""The board for a terminal."""

from __future__ import annotations

from collections import defaultdict

from engines.ludo.position import GOAL, HOME, SEATS, Position

LETTERS = "ABCD"
WIDTH = 5

# The ring from seat 0's start on: steps, row step and column step of each run over a 15x15 cross.
_HALF = ((1, -1, 1), (5, -1, 0), (2, 0, 1), (5, 1, 0), (1, 1, 1), (5, 0, 1), (2, 1, 0))
_RUNS = ((4, 0, 1), *_HALF, (5, 0, -1), *((steps, -down, -right) for steps, down, right in _HALF))

# Seat 0's corridor and the middle of its yard; each further seat is a quarter turn to the right.
_CORRIDOR = tuple((7, column) for column in range(1, 7))
_YARD = (2, 2)


def _ring() -> tuple[tuple[int, int], ...]:
    cells = [(6, 1)]
    for steps, down, right in _RUNS:
        for _ in range(steps):
            row, column = cells[-1]
            cells.append((row + down, column + right))
    return tuple(cells[:52])


RING = _ring()


def _turned(cell: tuple[int, int], quarters: int) -> tuple[int, int]:
    row, column = cell
    for _ in range(quarters):
        row, column = column, 14 - row
    return row, column


def cell_of(seat: int, square: int) -> tuple[int, int]:
    """Row and column of a seat's square on the 15x15 cross."""
    if square == HOME:
        return _turned(_YARD, seat)
    if square <= 51:
        return RING[(square - 1 + 13 * seat) % 52]
    return _turned(_CORRIDOR[square - 52], seat)


def render(position: Position) -> str:
    """Seats are A to D (A2: two pieces of seat 0), stars ★, globes ●, starts ○, corridors -, goal ◇."""
    cells = dict.fromkeys(RING, "·")
    for seat in range(SEATS):
        cells |= {cell_of(seat, square): "-" for square in range(52, GOAL)}
        cells[cell_of(seat, GOAL)] = "◇"
        cells |= {
            cell_of(seat, 5): "★",
            cell_of(seat, 12): "★",
            cell_of(seat, 9): "●",
            cell_of(seat, 1): "○",
        }
    occupants: dict[tuple[int, int], dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for seat in range(SEATS):
        if seat not in position.ghosts:
            for square in position.positions[seat]:
                occupants[cell_of(seat, square)][LETTERS[seat]] += 1
    for cell, seats in occupants.items():
        label = "".join(letter + (str(count) if count > 1 else "") for letter, count in seats.items())
        cells[cell] = label if len(label) < WIDTH else "".join(seats)
    rows = ["".join(cells.get((row, column), "").center(WIDTH) for column in range(15)) for row in range(15)]
    return "\n".join([row.rstrip() for row in rows] + [""] + [_seat(position, seat) for seat in range(SEATS)])


def _seat(position: Position, seat: int) -> str:
    name = f"{LETTERS[seat]} seat {seat}: "
    if seat in position.ghosts:
        return name + "empty"
    squares = " ".join(map(str, position.positions[seat]))
    if seat != position.player:
        return name + squares
    movable = ", ".join(map(str, position.movable)) or "none"
    return f"{name}{squares}  throws {position.dice} in round {position.round}, movable: {movable}"
