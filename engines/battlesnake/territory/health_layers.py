"""Health in floods on bitboards: hazards that hurt, and snakes that may starve.

What a snake can still spend falls by the same damage with every hazard layer that it crosses. So its cells
are kept in health layers: those that it comes to through no hazard layer, through one, through two, and so
on, one bitboard a colour. Once it has eaten, its cells are in a second set of the same kind, counted from
full health at its first food. A cell is reached if the snake comes there alive from any layer; a cell in hand
may move to a layer of more health later on. Used by `simultaneous_flood`.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from engines.battlesnake.position import FULL_HEALTH
from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Records, State
from engines.battlesnake.territory.bitboards import adjacent
from engines.battlesnake.territory.context import FloodContext, ranked
from engines.core.bits import popcount
from engines.core.jit import inlined

UNFED: Final = 0
FED: Final = 1


class Expansion(NamedTuple):
    """A step of the snakes whose heads come to the same colour; its cells are bitboards of that colour."""

    step: int
    colour: int
    free: int
    """Cells that nobody has and no body is on."""
    freed: int
    """Those where a body was until this step or the one before."""
    food: int


@inlined
def start_layers(context: FloodContext, count: int) -> None:
    """Each snake has its head's cell, with no hazard layer crossed, and has not eaten."""
    for rank in range(count):
        i = ranked(context, rank)
        snake = context.snakes[i]
        for fed in range(2):
            for layer in range(context.grid[0].layers):
                cleared = context.layers[i, fed, layer]
                cleared.cells[0] = 0
                cleared.cells[1] = 0
                cleared.frontier = 0
                cleared.arriving = 0
            snake.highest[fed] = 0
            snake.widened[fed] = 1 - fed
        head = context.layers[i, UNFED, 0]
        head.cells[0] = snake.own[0]
        head.cells[1] = snake.own[1]
        head.frontier = snake.own[0] | snake.own[1]


@inlined
def arrivals(
    state: State, context: FloodContext, table: Records, i: int, expansion: Expansion, free: int
) -> int:
    """The cells that a snake comes to alive, each noted as arriving in its health layer: of the `free` ones,
    and of its own, which it may come to with more health.

    It comes from the last step's frontier, and to freed cells also from where it has waited.
    """
    snake = context.snakes[i]
    reach = free | (snake.own[expansion.colour & 1] & ~expansion.food)
    waiting = expansion.freed & free
    if waiting != 0:
        waiting = adjacent(waiting, expansion.colour, context.grid)
    eaten, arrived = _leave_layers(state, context, table, i, UNFED, expansion, (reach, waiting))
    snake.widening[FED] = 0
    if snake.widened[FED] != 0 or waiting != 0:
        # Later food counts as eaten with the first.
        eaten_again, arrived_fed = _leave_layers(state, context, table, i, FED, expansion, (reach, waiting))
        eaten |= eaten_again
        arrived |= arrived_fed
    if eaten != 0:
        context.layers[i, FED, 0].arriving |= eaten
        snake.widening[FED] |= 1
    return arrived | eaten


@inlined
def _leave_layers(
    state: State,
    context: FloodContext,
    table: Records,
    i: int,
    fed: int,
    expansion: Expansion,
    masks: tuple[int, int],
) -> tuple[int, int]:
    """Step out of the layers of one set to cells that are in `masks[0]`, also from those of `masks[1]` where
    the snake has waited; the food that it comes to, and the other cells."""
    reach, waiting = masks
    snake, grid, from_colour = context.snakes[i], context.grid[0], ~expansion.colour & 1
    damage = state.rules[0].damage
    budget = FULL_HEALTH + table[i].food_distance if fed else state.snakes[i].health
    widened = snake.widened[fed]
    leaving = widened if waiting == 0 else (2 << snake.highest[fed]) - 1
    widening = 0
    eaten = 0
    claimed = 0
    layer = -1
    while leaving >> (layer + 1) != 0:
        layer += 1
        if (leaving >> layer) & 1 == 0:
            continue
        health = budget - damage * layer - expansion.step
        if health < 0:
            break
        cells = context.layers[i, fed, layer & INDEX_MASK].cells[from_colour] & waiting
        if (widened >> layer) & 1 != 0:
            cells |= context.layers[i, fed, layer & INDEX_MASK].frontier
        cells = adjacent(cells, from_colour, context.grid) & reach
        eaten |= cells & expansion.food
        cells &= ~expansion.food
        for depth in range(min(grid.deepest, grid.layers - 1 - layer) + 1):
            if health <= damage * depth:
                break
            part = cells & context.layer_masks[depth, expansion.colour & 1]
            if part != 0:
                context.layers[i, fed, (layer + depth) & INDEX_MASK].arriving |= part
                widening |= 1 << (layer + depth)
                claimed |= part
    snake.widening[fed] = widening
    return eaten, claimed


@inlined
def gain(context: FloodContext, i: int, expansion: Expansion, won: int) -> bool:
    """Let a snake have those of its arriving cells that it has won or has had, where it has them on no layer
    of more health; is there any?"""
    snake, colour = context.snakes[i], expansion.colour & 1
    allowed = won | (snake.own[colour] & ~expansion.food)
    gained = False
    better = 0  # cells on layers of more health
    for fed in range(FED, UNFED - 1, -1):
        widening = snake.widening[fed]
        widened = 0
        layer = 0
        while widening >> layer != 0:
            present = context.layers[i, fed, layer & INDEX_MASK]
            better |= present.cells[colour]
            if (widening >> layer) & 1 != 0:
                new = present.arriving & allowed & ~better
                present.arriving = 0
                if new != 0:
                    present.frontier = new
                    present.cells[colour] |= new
                    better |= new
                    widened |= 1 << layer
                    snake.highest[fed] = max(layer, snake.highest[fed])
            layer += 1
        snake.widened[fed] = widened
        gained |= widened != 0
        # Who has just eaten can spend more than whoever has not.
        better = context.layers[i, fed, 0].cells[colour]
    return gained


@inlined
def report_hazards(context: FloodContext, table: Records, i: int, harmless: tuple[int, int]) -> None:
    """Count a snake's cells in hazards, but for its head's and food's, the `harmless` ones."""
    if context.grid[0].deepest > 0:
        own, masks = context.snakes[i].own, context.layer_masks
        table[i].hazard_cells = popcount(own[0] & ~(masks[0, 0] | harmless[0])) + popcount(
            own[1] & ~(masks[0, 1] | harmless[1])
        )
