"""The simultaneous flood on bitboards: for two snakes, and for any number of them.

`territory` calls these for boards of the form BITBOARDS. `flood_two` and `flood_any` are for boards without
hazards that hurt, and give up where a snake may starve; `flood_health` takes both, and several times as long.
"""

from __future__ import annotations

from typing import NamedTuple

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Records, State
from engines.battlesnake.territory.bitboards import (
    adjacent,
    fill_territory,
    food_masks,
    lay_bodies,
    lay_heads,
    order_snakes,
)
from engines.battlesnake.territory.body_prefixes import body_cells, lay_prefixes
from engines.battlesnake.territory.context import HORIZON, FloodContext, ranked
from engines.battlesnake.territory.health_layers import (
    Expansion,
    arrivals,
    gain,
    report_hazards,
    start_layers,
)
from engines.core.bits import popcount
from engines.core.jit import compiled, inlined


@inlined
def flood(state: State, context: FloodContext, table: Records) -> bool:
    """Find what belongs to each living snake, in rows that are 0; False, and nothing, if one may starve."""
    count, evens = order_snakes(state, context)
    if count == 2 and (context.grid[0].incremental != 0 or lay_prefixes(state, context)):
        return bool(flood_two(state, context, table))
    return bool(flood_any(state, context, table, count, evens, False))


@compiled
def flood_health(state: State, context: FloodContext, table: Records) -> None:
    """Find what belongs to each living snake, in rows that are 0, by its health layers."""
    count, evens = order_snakes(state, context)
    flood_any(state, context, table, count, evens, True)


class _Start(NamedTuple):
    """Where a flood of any number of snakes begins; cells are bitboards, one a colour."""

    living: int
    evens: int
    """Snakes with heads of colour 0: `order[:evens]`."""
    bodies: int
    """Steps for which bodies block cells."""
    open_even: int
    """Cells without a head,"""
    open_odd: int
    food_even: int
    """and with food."""
    food_odd: int
    active: int
    """Snakes that go on from their heads,"""
    leanest: int
    """and the least health of these."""


@inlined
def flood_any(
    state: State, context: FloodContext, table: Records, count: int, evens: int, layered: bool
) -> bool:
    """Flood from any number of snakes, `evens` of them with heads of colour 0.

    Without health layers False, and nothing, if one may starve. `layered` is a constant of each caller, so
    what it excludes is left out of the machine code.
    """
    bodies = lay_bodies(state, context, count)
    food_even, food_odd = food_masks(state, context)
    even, odd, active, leanest = lay_heads(state, context, count)
    board = context.grid[0].board
    start = _Start(
        count, evens, bodies, board[0] & ~even, board[1] & ~odd, food_even, food_odd, active, leanest
    )
    if layered:
        start_layers(context, count)
    if not _flood_steps(state, context, table, start, layered):
        for i in range(table.shape[0]):
            table[i].food_distance = 0
        return False
    food_even, food_odd = food_even & ~even, food_odd & ~odd
    for rank in range(count):
        i = ranked(context, rank)
        own = context.snakes[i].own
        fill_territory(state, context, table, i, own[0], own[1], (food_even, food_odd))
        if layered:
            report_hazards(context, table, i, (food_even | even, food_odd | odd))
    return True


@inlined
def _flood_steps(state: State, context: FloodContext, table: Records, start: _Start, layered: bool) -> bool:
    """All steps of `flood_any`; False if one may starve."""
    snakes = context.snakes
    constrictor = state.rules[0].constrictor != 0
    open_even, open_odd, active = start.open_even, start.open_odd, start.active
    step = 0
    quiet = 0  # steps since one brought anything to anybody
    # Two steps, one of each parity, after the last that brought anything, or that freed a cell of a body,
    # nothing more comes.
    while active > 0 and step < HORIZON and (quiet < 2 or step <= start.bodies + 1):
        step += 1
        if not layered and step >= start.leanest:
            return False
        quiet += 1
        # Snakes whose heads differ in colour never meet in a step: they are expanded group by group.
        for group in range(2):
            first, end = (0, start.evens) if group == 0 else (start.evens, start.living)
            if first == end:
                continue
            colour = (group + step) & 1
            food = start.food_odd if colour else start.food_even
            free = open_odd if colour else open_even
            if constrictor or step <= start.bodies:
                free &= ~context.body_masks[1 if constrictor else step, colour]
            freed = 0
            if layered and not constrictor and 2 < step <= start.bodies + 2:
                freed = free & context.body_masks[step - 2, colour]
            expansion = Expansion(step, colour, free, freed, food)
            # Claimed by longer snakes than the present one, by those as long, and by two of these.
            longer, equal, tied, length = 0, 0, 0, -1
            for rank in range(first, end):
                i = ranked(context, rank)
                if snakes[i].closed != 0:
                    continue
                if state.snakes[i].length != length:
                    length = state.snakes[i].length
                    longer |= equal
                    equal = 0
                claim = free & ~longer
                if layered:
                    claim &= arrivals(state, context, table, i, expansion, claim)
                else:
                    claim &= adjacent(snakes[i].own[1 - colour], 1 - colour, context.grid)
                tied |= equal & claim
                equal |= claim
                snakes[i].claim = claim
            if longer | equal:
                quiet = 0
                if colour:
                    open_odd &= ~(longer | equal)
                else:
                    open_even &= ~(longer | equal)
            for rank in range(first, end):
                i = ranked(context, rank)
                if snakes[i].closed == 0:
                    if layered and gain(context, i, expansion, snakes[i].claim & ~tied):
                        quiet = 0
                    active -= _resolve(context, table, i, expansion, snakes[i].claim & ~tied)
    return True


@inlined
def _resolve(context: FloodContext, table: Records, i: int, expansion: Expansion, won: int) -> int:
    """Give a snake the cells that it has won; 1 if that closes it, being shut in for longer than it has
    cells."""
    snake = context.snakes[i]
    if won != 0:
        snake.own[expansion.colour & 1] |= won
        if won & expansion.food != 0 and table[i].food_distance == 0:
            table[i].food_distance = expansion.step
    elif popcount(snake.own[0]) + popcount(snake.own[1]) <= expansion.step:
        snake.closed = 1
        return 1
    return 0


class _Flooder(NamedTuple):
    """One of two snakes."""

    snake: int
    head: int
    """Its head as a bit."""
    active: int
    """-1 (all bits) if it goes on from there, else 0."""
    start: int
    """Its body is what it has entered after this index of its prefix, up to `end`."""
    end: int


@inlined
def _flooder(state: State, context: FloodContext, rank: int) -> _Flooder:
    i = ranked(context, rank)
    square = context.squares[state.snakes[i].head & INDEX_MASK]
    end = (state.snakes[i].top - context.snakes[i].prefix_base) & INDEX_MASK
    return _Flooder(
        i,
        0 if square < 0 else 1 << (square >> 1),
        -1 if square >= 0 and state.snakes[i].cause == 0 else 0,
        end - state.snakes[i].length + 1,
        end,
    )


@inlined
def _schedule(state: State, one: _Flooder, two: _Flooder) -> tuple[int, int, int]:
    """By how much bodies shorten in a step; the step at which to stop (every step that claims a cell extends
    it by two); and the first step that somebody has no health for."""
    one_length, two_length = state.snakes[one.snake].length, state.snakes[two.snake].length
    leanest = HORIZON + 1
    if one.active:
        leanest = min(leanest, state.snakes[one.snake].health)
    if two.active:
        leanest = min(leanest, state.snakes[two.snake].health)
    # Two steps after the last that brought anything, or that freed a cell of a body, nothing more comes. A
    # constrictor's body stays: its prefix is read where it is after one step.
    shortening, end = 1, 2 + min(HORIZON, max(2, one_length, two_length) - 1)
    if state.rules[0].constrictor != 0:
        shortening, end = 0, 3
    if one.active | two.active == 0:
        end = 0
    return shortening, end, leanest


@inlined
def _bodies(prefixes: Records, one: _Flooder, two: _Flooder, colour: int, starts: tuple[int, int]) -> int:
    """The cells of a colour that the two bodies are still on."""
    return body_cells(prefixes, one.snake, colour, starts[0], one.end) | body_cells(
        prefixes, two.snake, colour, starts[1], two.end
    )


@inlined
def _still_active(active: int, new: int, own_x: int, own_y: int, step: int) -> int:
    """0 for a snake that comes to no more cells and has made as many steps as it has cells."""
    return 0 if new == 0 and popcount(own_x) + popcount(own_y) <= step else active


@inlined
def flood_two(state: State, context: FloodContext, table: Records) -> bool:
    """`flood_any` without health layers for two living snakes: the same in less time.

    All of it is in local variables. `x` is the colour that the first snake comes to in a step, `y` the other;
    after each step they change names. The second comes to `x` if heads are of one colour, else to `y`.
    """
    grid, prefixes = context.grid, context.prefixes
    one, two = _flooder(state, context, 0), _flooder(state, context, 1)
    y = context.snakes[one.snake].colour & 1
    x = 1 - y
    together = context.snakes[two.snake].colour & 1 == y
    equal = -1 if state.snakes[one.snake].length == state.snakes[two.snake].length else 0
    shortening, end, leanest = _schedule(state, one, two)
    one_start, two_start, one_active, two_active = one.start, two.start, one.active, two.active
    one_x, one_y, two_x, two_y = 0, one.head, 0 if together else two.head, two.head if together else 0
    open_x, open_y = grid[0].board[x] & ~two_x, grid[0].board[y] & ~(one_y | two_y)
    food_even, food_odd = food_masks(state, context)
    food_x, food_y = (food_even & open_x, food_odd & open_y) if y else (food_odd & open_x, food_even & open_y)
    one_food, two_food, step = 0, 0, 0
    while step < end and step < min(HORIZON, leanest - 1):
        step += 1
        starts = (one_start, two_start)
        free = open_x & ~_bodies(prefixes, one, two, x, starts)
        one_new = adjacent(one_y, y, grid) & free & one_active  # the first snake's claims
        if together:
            two_new = adjacent(two_y, y, grid) & free & two_active  # the second's
            claimed, both = one_new | two_new, one_new & two_new  # both: only in this case
            open_x &= ~claimed
            one_new &= ~(both & equal)
            two_new &= ~both  # the first is the longer, or they are equals
            two_x |= two_new
            two_meal = two_new & food_x
        else:  # the second comes to the other colour: no ties
            two_new = adjacent(two_x, x, grid) & open_y & ~_bodies(prefixes, one, two, y, starts) & two_active
            claimed = one_new | two_new
            open_x &= ~one_new
            open_y &= ~two_new
            two_y |= two_new
            two_meal = two_new & food_y
        one_x |= one_new  # both have what they won, and bodies are a step shorter
        one_start, two_start = min(one_start + shortening, one.end), min(two_start + shortening, two.end)
        one_food = step if one_food == 0 and one_new & food_x else one_food  # the nearest
        two_food = step if two_food == 0 and two_meal else two_food
        one_active = _still_active(one_active, one_new, one_x, one_y, step)
        two_active = _still_active(two_active, two_new, two_x, two_y, step)
        if claimed:
            end = max(end, step + 2)
        if one_active | two_active == 0 or open_x | open_y == 0:
            end = 0
        x, one_x, two_x, y, one_y, two_y = y, one_y, two_y, x, one_x, two_x
        open_x, food_x, open_y, food_y = open_y, food_y, open_x, food_x
    if step < end and leanest <= HORIZON:
        return False  # more may come when the leanest has spent its health
    if not y:  # from here on x is colour 0, y colour 1
        one_x, two_x, food_x, one_y, two_y, food_y = one_y, two_y, food_y, one_x, two_x, food_x
    fill_territory(state, context, table, one.snake, one_x, one_y, (food_x, food_y))
    fill_territory(state, context, table, two.snake, two_x, two_y, (food_x, food_y))
    table[one.snake].food_distance, table[two.snake].food_distance = one_food, two_food
    return True
