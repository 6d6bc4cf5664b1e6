"""The simultaneous flood on a bitboard for each row: boards of up to 62 columns, with edges to cross or
without; no hazard that can be survived, and nobody who may starve on the way.

On wrapped boards a head need not change colour in a step, so a snake's cells are kept by the step of coming
there, even or odd: who waits before a cell waits an even number of steps. `territory` calls `flood_rows`.
"""

from __future__ import annotations

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, Records, State
from engines.battlesnake.territory.context import (
    CLAIMED,
    COLUMN_MASK,
    DEADLY,
    FOOD,
    HORIZON,
    LONGER,
    OPEN,
    ROW_SHIFT,
    ROWS_PER_SNAKE,
    SNAKE_ROWS,
    TIED,
    FloodContext,
    ranked,
)
from engines.core.bits import popcount
from engines.core.jit import inlined


@inlined
def flood_rows(state: State, context: FloodContext, table: Records) -> bool:
    """Find what belongs to each living snake, in rows that are 0; False, and nothing, if one may starve."""
    _lay_food(state, context)
    count, bodies = _order_snakes(state, context)
    active, leanest = _lay_snakes(state, context, count)
    constrictor = state.rules[0].constrictor != 0
    step = 0
    quiet = 0  # steps since one brought anything to anybody
    # Two steps, one of each parity, after the last that brought anything, or that freed a cell of a body,
    # nothing more comes.
    while active > 0 and step < HORIZON and (quiet < 2 or step <= bodies + 1):
        step += 1
        if step >= leanest:
            for i in range(table.shape[0]):
                table[i].food_cells = 0
                table[i].food_distance = 0
            return False
        quiet += 1
        if not constrictor:
            _open_freed(state, context, count, step)
        if _claim_all(state, context, count, step):
            quiet = 0
        active -= _resolve(context, table, count, step)
    for rank in range(count):
        _fill_territory(state, context, table, ranked(context, rank))
    return True


@inlined
def _set(row_masks: Ints, which: int, square: int) -> None:
    row_masks[which, (square >> ROW_SHIFT) & INDEX_MASK] |= 1 << (square & COLUMN_MASK)


@inlined
def _clear(row_masks: Ints, which: int, square: int) -> None:
    row_masks[which, (square >> ROW_SHIFT) & INDEX_MASK] &= ~(1 << (square & COLUMN_MASK))


@inlined
def _lay_food(state: State, context: FloodContext) -> None:
    """Fill the rows of food, and of open cells as if no snake were there."""
    rows, squares = context.rows, context.squares
    full = (1 << context.grid[0].width) - 1
    for row in range(context.grid[0].height):
        rows[FOOD, row] = 0
    if state.totals[0].food != 0:
        for at in range(context.root_food.shape[0]):
            cell = context.root_food[at] & INDEX_MASK
            if state.food[cell] != 0:
                _set(rows, FOOD, squares[cell])
    for row in range(context.grid[0].height):
        rows[OPEN, row] = full & (~rows[DEADLY, row] | rows[FOOD, row])


@inlined
def _order_snakes(state: State, context: FloodContext) -> tuple[int, int]:
    """Order the living by falling length, and forget when their cells will be free; how many, and the steps
    for which bodies lie (a constrictor's first is for all)."""
    snakes, order = state.snakes, context.order
    mask = state.body_rings.shape[1] - 1
    count = 0
    longest = 0
    for i in range(snakes.shape[0]):
        if snakes[i].cause > 0:
            continue
        length, top = snakes[i].length, snakes[i].top
        longest = max(longest, length)
        for k in range(length):
            context.cells[state.body_rings[i, (top - k) & mask & INDEX_MASK]].blocked_until = 0
        rank = count
        while rank > 0 and snakes[order[rank - 1] & INDEX_MASK].length < length:
            order[rank] = order[rank - 1]
            rank -= 1
        order[rank] = i
        count += 1
    return count, 1 if state.rules[0].constrictor != 0 else longest


@inlined
def _lay_snakes(state: State, context: FloodContext, count: int) -> tuple[int, int]:
    """Close the cells of bodies and give each snake its head's; how many go on from there, and the least
    health of these."""
    snakes, squares, rows = state.snakes, context.squares, context.rows
    mask = state.body_rings.shape[1] - 1
    active = 0
    leanest = HORIZON + 1
    for rank in range(count):
        i = ranked(context, rank)
        length, top = snakes[i].length, snakes[i].top
        own = SNAKE_ROWS + ROWS_PER_SNAKE * i
        for row in range(context.grid[0].height):
            rows[own, row] = 0
            rows[own + 1, row] = 0
        # The last segment leaves with the first step.
        for k in range(length - 1):
            cell = state.body_rings[i, (top - k) & mask & INDEX_MASK]
            square = squares[cell]
            if square >= 0:
                context.cells[cell].blocked_until = max(context.cells[cell].blocked_until, length - k)
                _clear(rows, OPEN, square)
        square = squares[snakes[i].head & INDEX_MASK]
        closed = snakes[i].cause != 0 or square < 0
        context.snakes[i].count = 1
        context.snakes[i].closed = closed
        if square >= 0:
            _set(rows, own, square)
        if not closed:
            active += 1
            leanest = min(leanest, snakes[i].health)
    for rank in range(count):
        # Heads belong to somebody, whatever leaves there.
        head = snakes[ranked(context, rank)].head & INDEX_MASK
        context.cells[head].blocked_until = HORIZON + 2
        if squares[head] >= 0:
            _clear(rows, OPEN, squares[head])
            _clear(rows, FOOD, squares[head])
    return active, leanest


@inlined
def _open_freed(state: State, context: FloodContext, count: int, step: int) -> None:
    """Open the cells that bodies leave by this step."""
    rows = context.rows
    mask = state.body_rings.shape[1] - 1
    for rank in range(count):
        i = ranked(context, rank)
        k = state.snakes[i].length - step
        if k < 0:
            continue
        cell = state.body_rings[i, (state.snakes[i].top - k) & mask & INDEX_MASK]
        square = context.squares[cell]
        if square >= 0 and context.cells[cell].blocked_until == step:
            row = (square >> ROW_SHIFT) & INDEX_MASK
            rows[OPEN, row] |= (1 << (square & COLUMN_MASK)) & (~rows[DEADLY, row] | rows[FOOD, row])


@inlined
def _claim_all(state: State, context: FloodContext, count: int, step: int) -> bool:
    """Let the snakes claim the open cells that they come to, and close these; are there any?"""
    rows, height = context.rows, context.grid[0].height
    for row in range(height):
        rows[LONGER, row] = 0
        rows[CLAIMED, row] = 0
        rows[TIED, row] = 0
    claimed = False
    length = -1
    for rank in range(count):
        i = ranked(context, rank)
        if context.snakes[i].closed != 0:
            continue
        if state.snakes[i].length != length:
            length = state.snakes[i].length
            for row in range(height):
                rows[LONGER, row] |= rows[CLAIMED, row]
                rows[CLAIMED, row] = 0
        if _claim(context, i, step):
            claimed = True
    if claimed:
        for row in range(height):
            rows[OPEN, row] &= ~(rows[LONGER, row] | rows[CLAIMED, row])
    return claimed


@inlined
def _claim(context: FloodContext, i: int, step: int) -> bool:
    """Let a snake claim the open cells beside those that it has since the other kind of step."""
    rows, height = context.rows, context.grid[0].height
    last = context.grid[0].width - 1
    full = (1 << context.grid[0].width) - 1
    own = SNAKE_ROWS + ROWS_PER_SNAKE * i
    since = own + 1 - (step & 1)
    wrapped = context.grid[0].wrapped != 0
    claimed = 0
    for row in range(height):
        cells = rows[since, row]
        claim = (cells << 1) | (cells >> 1)
        if wrapped:
            claim |= (cells >> last) | (cells << last)
        above = row + 1
        if above == height:
            above = 0
        below = row - 1
        if below < 0:
            below = height - 1
        if wrapped or above > 0:
            claim |= rows[since, above]
        if wrapped or row > 0:
            claim |= rows[since, below]
        claim &= full & rows[OPEN, row] & ~rows[LONGER, row]
        rows[TIED, row] |= rows[CLAIMED, row] & claim
        rows[CLAIMED, row] |= claim
        rows[own + 2, row] = claim
        claimed |= claim
    return claimed != 0


@inlined
def _resolve(context: FloodContext, table: Records, count: int, step: int) -> int:
    """Give each snake the cells that it claimed, but for tied ones; how many are closed, being shut in for
    longer than they have cells."""
    rows = context.rows
    closed = 0
    for rank in range(count):
        i = ranked(context, rank)
        snake = context.snakes[i]
        if snake.closed != 0:
            continue
        own = SNAKE_ROWS + ROWS_PER_SNAKE * i
        gained = 0
        food = 0
        for row in range(context.grid[0].height):
            won = rows[own + 2, row] & ~rows[TIED, row]
            rows[own + (step & 1), row] |= won
            gained += popcount(won)
            food += popcount(won & rows[FOOD, row])
        snake.count += gained
        if food > 0:
            table[i].food_cells += food
            if table[i].food_distance == 0:
                table[i].food_distance = step
        if gained == 0 and snake.count <= step:
            snake.closed = 1
            closed += 1
    return closed


@inlined
def _fill_territory(state: State, context: FloodContext, table: Records, i: int) -> None:
    """Fill a snake's row: cells, tail. Food is in it from `_resolve`, as cells were won."""
    mask = state.body_rings.shape[1] - 1
    own = SNAKE_ROWS + ROWS_PER_SNAKE * i
    table[i].cells = max(0, context.snakes[i].count - 1)
    # The tail's place in the ring, as `rules.tail_of` has it.
    last = state.snakes[i].top - state.snakes[i].length + 1
    tail = context.squares[state.body_rings[i, last & mask & INDEX_MASK]]
    if tail >= 0:
        row = (tail >> ROW_SHIFT) & INDEX_MASK
        cells = context.rows[own, row] | context.rows[own + 1, row]
        table[i].tail_reached = (cells >> (tail & COLUMN_MASK)) & 1
