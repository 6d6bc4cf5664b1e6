"""The simultaneous flood cell by cell, breadth first from the frontier of what each snake has: for every
board, hazards and hunger included. `territory` calls `flood_cells` for what bitboards can't count.
"""

from __future__ import annotations

from typing import Final

from engines.battlesnake.position import FULL_HEALTH
from engines.battlesnake.rules import INDEX_MASK, apply_hazards
from engines.battlesnake.state import Records, State
from engines.battlesnake.territory.context import CONTESTED, FRONTIER, HORIZON, IMPROVED, FloodContext
from engines.core.jit import compiled, inlined

NOBODY: Final = -1
CLOSED: Final = -2
"""Claimed by two of the same length: nobody's for good."""


@compiled
def flood_cells(state: State, context: FloodContext, table: Records) -> None:
    """Find what belongs to each living snake, in rows whose food and hazard cells are 0."""
    active, frontier, bodies = _lay_out(state, context)
    step = 0
    while active > 0 and step < HORIZON and (frontier > 0 or step <= bodies):
        step += 1
        claimed, improved = _expand(state, context, table, frontier, step)
        if step <= bodies + 1:
            claimed = _enter_freed(state, context, table, claimed, step)
        frontier = _resolve(state, context, table, step, claimed, improved)
        active -= _close_enclosed(context, step)
    _fill_territory(state, context, table)


@inlined
def _clear(cells: Records, at: int) -> None:
    """Make a cell nobody's. All fields are set, as that takes but one store of a vector."""
    cell = cells[at]
    cell.owner = NOBODY
    cell.since = 0
    cell.budget = 0
    cell.blocked_until = 0
    cell.claim_step = 0
    cell.claimant = 0
    cell.claim_length = 0
    cell.claim_budget = 0


@inlined
def _lay_out(state: State, context: FloodContext) -> tuple[int, int, int]:
    """Lay bodies, and give each snake its head's cell. How many go on from there (the first frontier), the
    same number, and the steps for which bodies lie."""
    snakes, cells, flooding = state.snakes, context.cells, context.snakes
    mask = state.body_rings.shape[1] - 1
    constrictor = state.rules[0].constrictor != 0
    for at in range(cells.shape[0]):
        _clear(cells, at)
    active = 0
    longest = 0
    for i in range(snakes.shape[0]):
        flooding[i].closed = 1
        flooding[i].gained = 0
        if snakes[i].cause > 0:
            continue
        length, top = snakes[i].length, snakes[i].top
        longest = max(longest, length)
        for k in range(length):
            cell = state.body_rings[i, (top - k) & mask & INDEX_MASK]
            until = HORIZON + 1 if constrictor and k < length - 1 else length - k
            cells[cell].blocked_until = max(cells[cell].blocked_until, until)
        head = snakes[i].head & INDEX_MASK
        cells[head].owner = i
        cells[head].since = 0
        cells[head].budget = snakes[i].health
        flooding[i].count = 1
        if snakes[i].cause == 0 and state.hazard_layers[head] >= 0:
            flooding[i].closed = 0
            context.queues[FRONTIER, active] = head
            active += 1
    return active, active, 1 if constrictor else longest


@inlined
def _expand(state: State, context: FloodContext, table: Records, frontier: int, step: int) -> tuple[int, int]:
    """Go on from the frontier; the number of cells claimed, and of own cells improved."""
    cells = context.cells
    claimed = 0
    improved = 0
    for at in range(frontier):
        cell = context.queues[FRONTIER + 1 - (step & 1), at] & INDEX_MASK
        i = cells[cell].owner & INDEX_MASK
        if context.snakes[i].closed != 0:
            continue
        if (step - cells[cell].since) & 1 == 0:
            # Over an edge there are ways of both kinds of length: a better one of the other kind waits.
            improved = _improve(context, cell, cells[cell].budget, step, improved)
            continue
        for move in range(4):
            neighbour = state.neighbours[cell, move] & INDEX_MASK
            if state.hazard_layers[neighbour] < 0:
                continue
            improved = _come_back(state, context, table, cell, neighbour, step, improved)
            if not _may_gain(state, context, cell, neighbour, step):
                continue
            budget = _arrive(state, neighbour, cells[cell].budget, step, table[i].food_distance)
            if budget <= step:
                continue
            if cells[neighbour].owner == NOBODY:
                claimed = _claim(state, context, i, neighbour, budget, step, claimed)
            elif budget > cells[neighbour].budget:
                improved = _improve(context, neighbour, budget, step, improved)
    return claimed, improved


@inlined
def _come_back(
    state: State, context: FloodContext, table: Records, cell: int, neighbour: int, step: int, improved: int
) -> int:
    """Improve a frontier cell from a neighbour of the same owner, had since the other kind of step: it could
    not be come from before. The number of improved cells."""
    here, there = context.cells[cell], context.cells[neighbour]
    i = here.owner & INDEX_MASK
    if (
        there.owner == i
        and (step - there.since) & 1 != 0
        and (state.rules[0].damage < 0 or there.budget > here.budget)
        and state.food[cell] == 0
    ):
        budget = _arrive(state, cell, there.budget, step, table[i].food_distance)
        if budget > max(step, here.budget):
            return int(_improve(context, cell, budget, step, improved))
    return improved


@inlined
def _may_gain(state: State, context: FloodContext, cell: int, neighbour: int, step: int) -> bool:
    """May a step from a frontier cell bring its owner the neighbour, or it more health there?"""
    here, there = context.cells[cell], context.cells[neighbour]
    if there.owner == NOBODY:
        return bool(there.blocked_until <= step)
    if there.owner != here.owner or state.food[neighbour] != 0:
        return False
    return bool(state.rules[0].damage < 0 or here.budget > there.budget)


@inlined
def _enter_freed(state: State, context: FloodContext, table: Records, claimed: int, step: int) -> int:
    """Let snakes that wait before the cells that bodies leave claim these; the number of cells claimed."""
    cells = context.cells
    mask = state.body_rings.shape[1] - 1
    for j in range(state.snakes.shape[0]):
        if state.snakes[j].cause > 0:
            continue
        # Waiting takes an even number of steps, so each is tried twice.
        for ago in range(2):
            k = state.snakes[j].length - step + ago
            if k < 0 or k >= state.snakes[j].length:
                continue
            cell = int(state.body_rings[j, (state.snakes[j].top - k) & mask & INDEX_MASK])
            if cells[cell].blocked_until > step or cells[cell].owner != NOBODY:
                continue
            if state.hazard_layers[cell] < 0:
                continue
            for move in range(4):
                neighbour = cells[state.neighbours[cell, move] & INDEX_MASK]
                i = neighbour.owner & INDEX_MASK
                if neighbour.owner < 0 or context.snakes[i].closed != 0 or (step - neighbour.since) & 1 == 0:
                    continue
                budget = _arrive(state, cell, neighbour.budget, step, table[i].food_distance)
                if budget > step:
                    claimed = _claim(state, context, i, cell, budget, step, claimed)
    return claimed


@inlined
def _arrive(state: State, cell: int, budget: int, step: int, food_distance: int) -> int:
    """The budget of a snake that comes to a cell at a step; at most the step where it does not come alive.

    `food_distance` is the step of its first food before, 0 if this is the first.
    """
    if budget < step:
        return step
    if state.food[cell] != 0:
        return FULL_HEALTH + (food_distance if food_distance > 0 else step)
    health, cause = apply_hazards(budget - step, max(0, state.hazard_layers[cell]), state.rules[0].damage)
    return int(step if cause != 0 else health + step)


@inlined
def _claim(
    state: State, context: FloodContext, i: int, cell: int, budget: int, step: int, claimed: int
) -> int:
    """Let a snake claim a free cell; the number of cells claimed in this step."""
    length, claim = state.snakes[i].length, context.cells[cell]
    if claim.claim_step != step:
        claim.claim_step = step
        context.queues[CONTESTED, claimed] = cell
        claimed += 1
    elif claim.claimant == i:
        claim.claim_budget = max(claim.claim_budget, budget)
        return claimed
    elif length == claim.claim_length:
        claim.claimant = CLOSED
        return claimed
    elif length < claim.claim_length:
        return claimed
    claim.claimant = i
    claim.claim_length = length
    claim.claim_budget = budget
    return claimed


@inlined
def _improve(context: FloodContext, cell: int, budget: int, step: int, improved: int) -> int:
    """A snake comes to a cell of its own with a better budget, known only from the next step on: claims are
    made with those of the step before. The number of such cells in this step."""
    claim = context.cells[cell]
    if claim.claim_step != step:
        claim.claim_step = step
        claim.claim_budget = budget
        context.queues[IMPROVED, improved] = cell
        improved += 1
    else:
        claim.claim_budget = max(claim.claim_budget, budget)
    return improved


@inlined
def _resolve(
    state: State, context: FloodContext, table: Records, step: int, claimed: int, improved: int
) -> int:
    """Give claimed cells to their claimants and improved ones their budget: the next frontier's length."""
    cells, queues = context.cells, context.queues
    new_frontier = FRONTIER + (step & 1)
    frontier = 0
    for at in range(improved):
        cell = queues[IMPROVED, at] & INDEX_MASK
        cells[cell].budget = cells[cell].claim_budget
        queues[new_frontier, frontier] = cell
        frontier += 1
    for at in range(claimed):
        cell = queues[CONTESTED, at] & INDEX_MASK
        i = cells[cell].claimant
        cells[cell].owner = i
        if i < 0:
            continue
        cells[cell].since = step
        cells[cell].budget = cells[cell].claim_budget
        queues[new_frontier, frontier] = cell
        frontier += 1
        context.snakes[i].gained += 1
        if state.food[cell] != 0:
            table[i].food_cells += 1
            if table[i].food_distance == 0:
                table[i].food_distance = step
        elif state.rules[0].damage > 0 and state.hazard_layers[cell] > 0:
            table[i].hazard_cells += 1
    return frontier


@inlined
def _close_enclosed(context: FloodContext, step: int) -> int:
    """Close the snakes that are shut in for longer than they have cells; how many."""
    closed = 0
    for i in range(context.snakes.shape[0]):
        snake = context.snakes[i]
        snake.count += snake.gained
        if snake.closed == 0 and snake.gained == 0 and snake.count <= step:
            snake.closed = 1
            closed += 1
        snake.gained = 0
    return closed


@inlined
def _fill_territory(state: State, context: FloodContext, table: Records) -> None:
    """Fill each living snake's row: cells, tail. Food is in it from `_resolve`, as cells were won."""
    mask = state.body_rings.shape[1] - 1
    for i in range(state.snakes.shape[0]):
        if state.snakes[i].cause > 0:
            continue
        table[i].cells = context.snakes[i].count - 1
        # The tail's place in the ring, as `rules.tail_of` has it.
        last = state.snakes[i].top - state.snakes[i].length + 1
        tail = state.body_rings[i, last & mask & INDEX_MASK]
        table[i].tail_reached = state.hazard_layers[tail] >= 0 and context.cells[tail].owner == i
