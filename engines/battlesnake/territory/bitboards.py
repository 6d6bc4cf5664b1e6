"""The board as two bitboards, and the steps that floods on them share.

Squares are numbered row by row, and every row is given an odd number of them (a board of even width has an
unused last column). So colours alternate in the numbers as on a chess board: an even square is of colour 0,
an odd one of colour 1, and a square is bit `square >> 1` of its colour's bitboard. A board of 5x3:

    squares            colour 0         colour 1
    10 11 12 13 14     5 . 6 . 7        . 5 . 6 .
     5  6  7  8  9     . 3 . 4 .        2 . 3 . 4
     0  1  2  3  4     0 . 1 . 2        . 0 . 1 .

Up to 126 squares fit. In a step every head changes colour, so of each snake a step concerns one bitboard
alone. The neighbours of a square are of the other colour. Here, where half a row is 2, bit b of colour 0 is
beside b - 1 and b in its row, b + 2 above and b - 3 below; bit b of colour 1 beside b, b + 1, b + 3, b - 2.
"""

from __future__ import annotations

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Records, State
from engines.battlesnake.territory.context import HORIZON, FloodContext, ranked
from engines.core.bits import popcount
from engines.core.jit import inlined


@inlined
def adjacent(cells: int, colour: int, grid: Records) -> int:
    """The neighbours, of the other colour, of cells of one colour; bits beyond the board may be set."""
    half = grid[0].half_row
    if colour == 0:
        return int(
            (cells & grid[0].not_last[0])
            | ((cells & grid[0].not_first[0]) >> 1)
            | (cells << half)
            | (cells >> (half + 1))
        )
    return int(
        ((cells & grid[0].not_last[1]) << 1)
        | (cells & grid[0].not_first[1])
        | (cells << (half + 1))
        | (cells >> half)
    )


@inlined
def order_snakes(state: State, context: FloodContext) -> tuple[int, int]:
    """Order the living by the colour of their heads, then by falling length; how many, and of colour 0."""
    order, snakes = context.order, context.snakes
    count = 0
    evens = 0
    for i in range(state.snakes.shape[0]):
        # STRANDED snakes die next turn, wherever they go; but their bodies are there.
        if state.snakes[i].cause > 0:
            continue
        colour = context.squares[state.snakes[i].head & INDEX_MASK] & 1
        if colour == 0:
            evens += 1
        length = state.snakes[i].length
        rank = count
        while rank > 0:
            j = order[rank - 1] & INDEX_MASK
            if snakes[j].colour < colour or (snakes[j].colour == colour and state.snakes[j].length >= length):
                break
            order[rank] = j
            rank -= 1
        order[rank] = i
        snakes[i].colour = colour
        count += 1
    return count, evens


@inlined
def lay_bodies(state: State, context: FloodContext, count: int) -> int:
    """Fill `body_masks`; the steps for which it holds anything (a constrictor's first row is for all)."""
    squares, body_masks = context.squares, context.body_masks
    mask = state.body_rings.shape[1] - 1
    body_masks[1, 0] = 0
    body_masks[1, 1] = 0
    filled = 1  # rows 1..filled are in use
    for rank in range(count):
        i = ranked(context, rank)
        length, top = state.snakes[i].length, state.snakes[i].top
        last = min(length - 1, HORIZON)
        for step in range(filled + 1, last + 1):
            body_masks[step, 0] = 0
            body_masks[step, 1] = 0
        filled = max(filled, last)
        even = 0
        odd = 0
        for k in range(length - 1):
            square = squares[state.body_rings[i, (top - k) & mask & INDEX_MASK]]
            if square >= 0:
                bit = 1 << (square >> 1)
                if square & 1:
                    odd |= bit
                else:
                    even |= bit
            step = length - 1 - k
            if step <= HORIZON:
                body_masks[step, 0] |= even
                body_masks[step, 1] |= odd
    return 1 if state.rules[0].constrictor != 0 else filled


@inlined
def food_masks(state: State, context: FloodContext) -> tuple[int, int]:
    """Where food lies, one bitboard a colour."""
    squares, root_food = context.squares, context.root_food
    even = 0
    odd = 0
    if state.totals[0].food != 0:
        for at in range(root_food.shape[0]):
            if state.food[root_food[at] & INDEX_MASK] != 0:
                square = squares[root_food[at] & INDEX_MASK]
                if square & 1:
                    odd |= 1 << (square >> 1)
                else:
                    even |= 1 << (square >> 1)
    return even, odd


@inlined
def lay_heads(state: State, context: FloodContext, count: int) -> tuple[int, int, int, int]:
    """Give each snake its head's square. Those squares, one bitboard a colour; how many snakes go on from
    there, and the least health of these."""
    snakes, flooding = state.snakes, context.snakes
    even = 0
    odd = 0
    leanest = HORIZON + 1
    active = 0
    for rank in range(count):
        i = ranked(context, rank)
        square = context.squares[snakes[i].head & INDEX_MASK]
        flooding[i].own[0] = 0
        flooding[i].own[1] = 0
        if square >= 0:
            bit = 1 << (square >> 1)
            flooding[i].own[square & 1] = bit
            if square & 1:
                odd |= bit
            else:
                even |= bit
        closed = snakes[i].cause != 0 or square < 0
        flooding[i].closed = closed
        if not closed:
            active += 1
            leanest = min(leanest, snakes[i].health)
    return even, odd, active, leanest


@inlined
def fill_territory(
    state: State, context: FloodContext, table: Records, i: int, even: int, odd: int, food: tuple[int, int]
) -> None:
    """Fill the row of a snake that has these cells: cells, food, tail. Not the distance to food."""
    mask = state.body_rings.shape[1] - 1
    table[i].cells = max(0, popcount(even) + popcount(odd) - 1)
    table[i].food_cells = popcount(even & food[0]) + popcount(odd & food[1])
    # The tail's place in the ring, as `rules.tail_of` has it.
    last = state.snakes[i].top - state.snakes[i].length + 1
    tail = context.squares[state.body_rings[i, last & mask & INDEX_MASK]]
    if tail >= 0:
        table[i].tail_reached = ((odd if tail & 1 else even) >> (tail >> 1)) & 1
