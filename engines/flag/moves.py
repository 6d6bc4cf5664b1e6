"""What a piece can do: end cells, legal orders, the cells that orders really lead over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engines.flag import rules
from engines.flag.position import DIRECTIONS, SIZE, STAND, TEAMS, Order, Orders, Position, order_of
from engines.flag.step import with_rescuers_home


def ends(position: Position, piece: int) -> Iterator[tuple[Order, list[int]]]:
    """Each distinct end cell of a piece from where it stands, with its shortest order; standing first."""
    table = rules.table_of(position)
    yield STAND, list(position.pieces[piece].cell)
    for direction, most in enumerate(rules.reach(table, piece)):
        for distance in range(1, most + 1):
            yield (direction, distance), _cell(position, piece, direction, distance)


def _cell(position: Position, piece: int, direction: int, steps: int) -> list[int]:
    x, y = position.pieces[piece].cell
    return [x + rules.DX[direction] * steps, y + rules.DY[direction] * steps]


def legal(position: Position) -> dict[str, list[dict[str, Any]]]:
    """Per team every end cell that its living pieces can really reach in the next round."""
    before = with_rescuers_home(position)
    sides = (0, 1) if position.side is None else (position.mover(),)
    return {
        TEAMS[team]: [
            order_of(piece, order) | {"end": end}
            for piece in ([] if position.over else before.living(team))
            for order, end in ends(before, piece)
        ]
        for team in sides
    }


def timeline(position: Position, orders: Orders) -> list[dict[str, Any]]:
    """Per living piece of the mover the cells that it will pass, its start first, and why it stops."""
    before = with_rescuers_home(position)
    table = rules.table_of(before)
    entries = []
    for piece in [] if position.over else before.living(position.mover()):
        direction, distance = orders[piece]
        steps = rules.calculate_path(table, piece, direction, distance)
        path = [_cell(before, piece, direction, step) for step in range(steps + 1)]
        notes = []
        if piece in position.rescuers:
            notes.append(f"freed its team, so it begins on its start cell {tuple(path[0])}")
        if steps < distance:
            x, y = _cell(before, piece, direction, steps + 1)
            why = "its own no-guard zone" if 0 <= x < SIZE and 0 <= y < SIZE else "the edge of the board"
            notes.append(f"{DIRECTIONS[direction]} {distance} ends after {steps}: {why} is ahead")
        entries.append({"piece": piece % 3 + 1, "path": path, "end": path[-1], "notes": notes})
    return entries
