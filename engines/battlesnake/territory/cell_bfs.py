"""`territory` cell by cell, from the edge of what each snake has: for every board, hazards and hunger."""

from __future__ import annotations

from typing import Final

from engines.battlesnake.rules import INDEX_MASK, apply_hazards
from engines.battlesnake.state import Ints, State
from engines.battlesnake.territory.context import (
    ASKED,
    CELLS,
    COUNT,
    EDGE,
    HOT,
    HOW_LONG,
    MEAL,
    MEALS,
    NEW,
    OWNER,
    POWER,
    REACH,
    SHUT,
    SINCE,
    TAIL,
    UNTIL,
    WHO,
    WITH,
    FloodContext,
)
from engines.core.jit import fused, inline

_NOBODY: Final = -1
_CLOSED: Final = -2


@fused
def _come(state: State, cell: int, power: int, step: int, meal: int) -> int:
    """The power of a snake that comes to a cell at a step; at most the step where it does not come alive.

    `meal` is the step of its first meal before, 0 if this is the first.
    """
    if power < step:
        return step
    if state.food[cell] != 0:
        return 100 + (meal if meal > 0 else step)
    health, cause = apply_hazards(power - step, max(0, state.hazard_layers[cell]), state.rules[0].damage)
    return int(step if cause != 0 else health + step)


@fused
def _ask(state: State, marks: Ints, i: int, cell: int, power: int, step: int, asked: int) -> int:
    """Snake `i` asks for a free cell; the number of cells asked for in this step."""
    length = state.snakes[i].length
    if marks[ASKED, cell] != step:
        marks[ASKED, cell] = step
        marks[EDGE + 2, asked] = cell
        asked += 1
    elif marks[WHO, cell] == i:
        marks[WITH, cell] = max(marks[WITH, cell], power)
        return asked
    elif length == marks[HOW_LONG, cell]:
        marks[WHO, cell] = _CLOSED
        return asked
    elif length < marks[HOW_LONG, cell]:
        return asked
    marks[WHO, cell] = i
    marks[HOW_LONG, cell] = length
    marks[WITH, cell] = power
    return asked


@fused
def _improve(marks: Ints, cell: int, power: int, step: int, better: int) -> int:
    """A snake comes to a cell of its own with more power, known only from the next step on: what is asked for
    with is of the step before. The number of such cells in this step."""
    if marks[ASKED, cell] != step:
        marks[ASKED, cell] = step
        marks[WITH, cell] = power
        better += 1
        marks[EDGE + 2, marks.shape[1] - better] = cell
    else:
        marks[WITH, cell] = max(marks[WITH, cell], power)
    return better


@inline
def spread(state: State, context: FloodContext, found: Ints) -> None:
    """Find what belongs to each living snake, in rows whose meals and heat are 0."""
    snakes, body_rings, hazard_layers, neighbours = (
        state.snakes,
        state.body_rings,
        state.hazard_layers,
        state.neighbours,
    )
    notes, marks = context.notes, context.marks
    mask = body_rings.shape[1] - 1
    constrictor = state.rules[0].constrictor != 0
    hurts = state.rules[0].damage > 0
    heals = state.rules[0].damage < 0
    for cell in range(marks.shape[1]):
        marks[OWNER, cell] = _NOBODY
        marks[UNTIL, cell] = 0
        marks[ASKED, cell] = 0
    going = 0
    now = 0
    bodies = 0
    for i in range(snakes.shape[0]):
        notes[i, SHUT] = 1
        if snakes[i].cause > 0:
            continue
        length, top = snakes[i].length, snakes[i].top
        bodies = max(bodies, length)
        for k in range(length):
            cell = body_rings[i, (top - k) & mask & INDEX_MASK]
            until = REACH + 1 if constrictor and k < length - 1 else length - k
            marks[UNTIL, cell] = max(marks[UNTIL, cell], until)
        head = snakes[i].head & INDEX_MASK
        marks[OWNER, head] = i
        marks[SINCE, head] = 0
        marks[POWER, head] = snakes[i].health
        notes[i, COUNT] = 1
        if snakes[i].cause == 0 and hazard_layers[head] >= 0:
            notes[i, SHUT] = 0
            going += 1
            marks[EDGE, now] = head
            now += 1
    if constrictor:
        bodies = 1
    step = 0
    while going > 0 and step < REACH and (now > 0 or step <= bodies):
        step += 1
        edge, later = EDGE + (step & 1 ^ 1), EDGE + (step & 1)
        for i in range(snakes.shape[0]):
            notes[i, NEW] = 0
        then = 0
        asked = 0
        better = 0
        for at in range(now):
            cell = marks[edge, at] & INDEX_MASK
            i = marks[OWNER, cell] & INDEX_MASK
            if notes[i, SHUT] != 0:
                continue
            if (step - marks[SINCE, cell]) & 1 == 0:
                # Over an edge there are ways of both kinds of length: a better one of the other kind waits.
                better = _improve(marks, cell, marks[POWER, cell], step, better)
                continue
            for word in range(4):
                neighbour = neighbours[cell, word] & INDEX_MASK
                if hazard_layers[neighbour] < 0:
                    continue
                owner = marks[OWNER, neighbour]
                if (
                    owner == i
                    and (step - marks[SINCE, neighbour]) & 1 != 0
                    and (heals or marks[POWER, neighbour] > marks[POWER, cell])
                    and state.food[cell] == 0
                ):
                    # Had since the other kind of step, it could not be come from before.
                    power = _come(state, cell, marks[POWER, neighbour], step, found[i, MEAL])
                    if power > max(step, marks[POWER, cell]):
                        better = _improve(marks, cell, power, step, better)
                if owner != _NOBODY and (owner != i or state.food[neighbour] != 0):
                    continue
                if owner == _NOBODY:
                    if marks[UNTIL, neighbour] > step:
                        continue
                elif not heals and marks[POWER, cell] <= marks[POWER, neighbour]:
                    continue
                power = _come(state, neighbour, marks[POWER, cell], step, found[i, MEAL])
                if power <= step:
                    continue
                if owner == _NOBODY:
                    asked = _ask(state, marks, i, neighbour, power, step, asked)
                elif power > marks[POWER, neighbour]:
                    better = _improve(marks, neighbour, power, step, better)
        if step <= bodies + 1:
            for j in range(snakes.shape[0]):
                if snakes[j].cause > 0:
                    continue
                # Waiting takes an even number of steps, so each is tried twice.
                for ago in range(2):
                    k = snakes[j].length - step + ago
                    if k < 0 or k >= snakes[j].length:
                        continue
                    cell = body_rings[j, (snakes[j].top - k) & mask & INDEX_MASK]
                    if marks[UNTIL, cell] > step or marks[OWNER, cell] != _NOBODY or hazard_layers[cell] < 0:
                        continue
                    for word in range(4):
                        neighbour = neighbours[cell, word] & INDEX_MASK
                        i = marks[OWNER, neighbour]
                        if i < 0 or notes[i & INDEX_MASK, SHUT] != 0:
                            continue
                        if (step - marks[SINCE, neighbour]) & 1 == 0:
                            continue
                        power = _come(
                            state, int(cell), marks[POWER, neighbour], step, found[i & INDEX_MASK, MEAL]
                        )
                        if power > step:
                            asked = _ask(state, marks, i & INDEX_MASK, int(cell), power, step, asked)
        for at in range(better):
            cell = marks[EDGE + 2, marks.shape[1] - 1 - at] & INDEX_MASK
            marks[POWER, cell] = marks[WITH, cell]
            marks[later, then] = cell
            then += 1
        for at in range(asked):
            cell = marks[EDGE + 2, at] & INDEX_MASK
            i = marks[WHO, cell]
            marks[OWNER, cell] = i
            if i < 0:
                continue
            marks[SINCE, cell] = step
            marks[POWER, cell] = marks[WITH, cell]
            marks[later, then] = cell
            then += 1
            notes[i, NEW] += 1
            if state.food[cell] != 0:
                found[i, MEALS] += 1
                if found[i, MEAL] == 0:
                    found[i, MEAL] = step
            elif hurts and hazard_layers[cell] > 0:
                found[i, HOT] += 1
        for i in range(snakes.shape[0]):
            notes[i, COUNT] += notes[i, NEW]
            if notes[i, SHUT] == 0 and notes[i, NEW] == 0 and notes[i, COUNT] <= step:
                notes[i, SHUT] = 1
                going -= 1
        now = then
    for i in range(snakes.shape[0]):
        if snakes[i].cause > 0:
            continue
        found[i, CELLS] = notes[i, COUNT] - 1
        end = body_rings[i, (snakes[i].top - snakes[i].length + 1) & mask & INDEX_MASK]
        found[i, TAIL] = hazard_layers[end] >= 0 and marks[OWNER, end] == i
