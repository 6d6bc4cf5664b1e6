"""What the map does besides the rules: the start of a game, and between turns food and shrinking hazards."""

from __future__ import annotations

from collections.abc import Sequence

from engines.battlesnake.position import FULL_HEALTH, OFFSETS, START_LENGTH, Cell, Position, Snake
from engines.core.rng import Rng, below

PLAYED = ("standard", "empty", "royale")
"""The maps that games begun here can be played on."""

_SMALL = 7
_MEDIUM = 11


def start_cells(width: int, height: int, count: int, rng: Rng) -> list[Cell] | None:
    """Where `count` snakes begin; None where there is no room for them.

    Up to 8 on a square board of at least 7x7: one cell off the corners, and in the middles of the
    sides, one group first and then the other. Elsewhere: random cells with an even sum.
    """
    if width == height >= _SMALL and count <= 8:
        low, middle, high = 1, (width - 1) // 2, width - 2
        corners = [(low, low), (low, high), (high, low), (high, high)]
        sides = [(low, middle), (middle, low), (middle, high), (high, middle)]
        _shuffle(corners, rng)
        _shuffle(sides, rng)
        return [*corners, *sides][:count] if below(rng, 2) == 0 else [*sides, *corners][:count]
    even = [(x, y) for x in range(width) for y in range(height) if (x + y) % 2 == 0]
    if count > len(even):
        return None
    _shuffle(even, rng)
    return even[:count]


def newborn(identity: str, cell: Cell) -> Snake:
    return Snake(identity, FULL_HEALTH, (cell,) * START_LENGTH, identity)


def first_food(position: Position, rng: Rng) -> tuple[Cell, ...]:
    """The food at the start: near each head, away from the centre, and one in the centre.

    On boards that are not square, or smaller than 7x7: one at random for each snake.
    """
    width, height = position.width, position.height
    if not width == height >= _SMALL:
        return tuple(_draw(food_cells(position), len(position.snakes), rng))
    centre = ((width - 1) // 2, (height - 1) // 2)
    corners = {(x, y) for x in (0, width - 1) for y in (0, height - 1)}
    food: list[Cell] = []
    if len(position.snakes) <= 4 or width * height >= _MEDIUM * _MEDIUM:
        for snake in position.snakes:
            x, y = snake.head
            near = [(x + dx, y + dy) for dx in (-1, 1) for dy in (-1, 1)]
            fit = [
                cell
                for cell in near
                if cell != centre
                and cell not in corners
                and cell not in food
                and (_farther(cell[0], x, centre[0]) or _farther(cell[1], y, centre[1]))
            ]
            food += _draw(fit, 1, rng)
    return (*food, centre)


def new_food(position: Position, rng: Rng) -> tuple[Cell, ...]:
    """What the map adds after a turn: up to the minimum, else one by chance."""
    if position.map == "empty":
        return ()
    settings = position.settings
    wanted = settings.minimum_food - len(position.food)
    if wanted <= 0:
        wanted = int(100 - below(rng, 100) < settings.food_spawn_chance)
    return tuple(_draw(food_cells(position), wanted, rng)) if wanted else ()


def food_cells(position: Position) -> list[Cell]:
    """Where food may appear: no food, no snake, and not next to a head. Hazards don't matter."""
    barred = set(position.food)
    for snake in position.snakes:
        x, y = snake.head
        barred.update(snake.body)
        barred.update((x + dx, y + dy) for dx, dy in OFFSETS)
    board = ((x, y) for x in range(position.width) for y in range(position.height))
    return [cell for cell in board if cell not in barred]


def shrunk(position: Position, turn: int, rng: Rng) -> tuple[Cell, ...]:
    """The hazards of a royale game as turn `turn` begins: every so many turns one more row or column.

    The box so far is read off the hazards, so the state alone carries it.
    """
    every = position.settings.shrink_every
    if not _is_royale(position) or every < 1 or turn < every or turn % every:
        return position.hazards
    hazards = set(position.hazards)
    board = [(x, y) for x in range(position.width) for y in range(position.height)]
    safe = [cell for cell in board if cell not in hazards]
    if not safe:
        return position.hazards
    columns, rows = [x for x, _ in safe], [y for _, y in safe]
    left, right, bottom, top = min(columns), max(columns), min(rows), max(rows)
    side = below(rng, 4)
    left, right = left + (side == 0), right - (side == 1)
    bottom, top = bottom + (side == 2), top - (side == 3)
    return tuple((x, y) for x, y in board if not (left <= x <= right and bottom <= y <= top))


def _is_royale(position: Position) -> bool:
    return "royale" in (position.map, position.ruleset)


def _farther(food: int, head: int, centre: int) -> bool:
    """Does the food lie behind the head, seen from the centre, on this axis?"""
    return food < head < centre or centre < head < food


def _draw(cells: Sequence[Cell], count: int, rng: Rng) -> list[Cell]:
    left = list(cells)
    drawn: list[Cell] = []
    while left and len(drawn) < count:
        drawn.append(left.pop(below(rng, len(left))))
    return drawn


def _shuffle(cells: list[Cell], rng: Rng) -> None:
    for last in range(len(cells) - 1, 0, -1):
        other = below(rng, last + 1)
        cells[last], cells[other] = cells[other], cells[last]
