"""The board for a terminal."""

from __future__ import annotations

from collections import Counter

from engines.battlesnake.position import Cell, Position

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def render(position: Position) -> str:
    """The top row first. A snake is a letter: its head a capital in brackets, its body small.

    `*` is food, `1` to `9` are hazard layers (9: or more), also behind what is on the cell.
    """
    cells: dict[Cell, str] = dict.fromkeys(position.food, "*")
    for index, snake in enumerate(position.snakes):
        for cell in snake.body[1:]:
            cells[cell] = _letter(index).lower()
    for index, snake in enumerate(position.snakes):
        cells[snake.head] = _letter(index)
    heads = {snake.head for snake in position.snakes}
    layers = Counter(position.hazards)
    rows = []
    for y in reversed(range(position.height)):
        row = "".join(_square((x, y), cells, heads, layers) for x in range(position.width))
        rows.append(f"{y:>2} {row}".rstrip())
    rows.append("   " + "".join(f"{x:^3}" for x in range(position.width)).rstrip())
    rows.append(f"turn {position.turn}, {_printable(position.ruleset)}, map {_printable(position.map)}")
    for index, snake in enumerate(position.snakes):
        you = "  (you)" if snake.id == position.you else ""
        name = _printable(snake.name or snake.id)
        rows.append(f"{_letter(index)}  health {snake.health:>3}  length {len(snake.body):>3}  {name}{you}")
    if position.me is None:
        rows.append("you are not on the board")
    return "\n".join(rows)


def _printable(text: str) -> str:
    """A text of a client without control characters, which would steer a terminal."""
    return "".join(c for c in text if c.isprintable())[:40]


def _letter(index: int) -> str:
    return _LETTERS[index % len(_LETTERS)]


def _square(cell: Cell, cells: dict[Cell, str], heads: set[Cell], layers: Counter[Cell]) -> str:
    what = cells.get(cell, "")
    hazard = str(min(9, layers[cell])) if layers[cell] else ""
    if cell in heads:
        return f"[{what}]" if not hazard else f"[{what}{hazard}"
    if what:
        return f" {what}{hazard or ' '}"
    return f" {hazard} " if hazard else " · "
