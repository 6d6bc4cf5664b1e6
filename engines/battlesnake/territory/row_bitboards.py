"""`territory` on a word of bits for each row: boards to 62 columns, with edges to cross or without; no hazard
that can be survived, and nobody who may starve on the way.

On wrapped boards a head need not change colour in a step, so a snake's cells are kept by the step of coming
there, even or odd: who waits before a cell waits an even number of steps.
"""

from __future__ import annotations

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, State
from engines.battlesnake.territory.bits import popcount
from engines.battlesnake.territory.context import (
    BURNING,
    CELLS,
    COLUMN,
    EACH,
    FOOD_LIES,
    HEIGHT,
    LONGER,
    MEAL,
    MEALS,
    ONCE,
    OPEN,
    ORDER,
    OWN,
    REACH,
    ROW_SHIFT,
    SHARED,
    SHUT,
    TAIL,
    TWICE,
    UNTIL,
    WIDTH,
    WRAPPED,
    FloodContext,
)
from engines.core.jit import fused


@fused
def flood_rows(state: State, context: FloodContext, found: Ints) -> bool:
    """Find what belongs to each living snake, in rows that are 0; False, and nothing, if one may starve."""
    snakes, body_rings = state.snakes, state.body_rings
    places, plan, notes, marks = (
        context.places,
        context.plan,
        context.notes,
        context.marks,
    )
    height = plan[HEIGHT]
    mask = body_rings.shape[1] - 1
    constrictor = state.rules[0].constrictor != 0
    count, bodies = _lay_out(state, context)
    lean = REACH + 1
    going = 0
    for at in range(count):
        i = notes[at, ORDER] & INDEX_MASK
        if notes[i, SHUT] == 0:
            going += 1
            lean = min(lean, snakes[i].health)
    step = 0
    quiet = 0
    while going > 0 and step < REACH and (quiet < 2 or step <= bodies + 1):
        step += 1
        if step >= lean:
            for i in range(found.shape[0]):
                found[i, MEALS] = 0
                found[i, MEAL] = 0
            return False
        quiet += 1
        if not constrictor:
            # Segments that leave by now.
            for at in range(count):
                i = notes[at, ORDER] & INDEX_MASK
                k = snakes[i].length - step
                if k >= 0:
                    cell = body_rings[i, (snakes[i].top - k) & mask & INDEX_MASK]
                    place = places[cell]
                    if place >= 0 and marks[UNTIL, cell] == step:
                        row = (place >> ROW_SHIFT) & INDEX_MASK
                        bit = 1 << (place & COLUMN)
                        marks[OPEN, row] |= bit & (~plan[BURNING + row] | marks[FOOD_LIES, row])
        asked = False
        size = -1
        for row in range(height):
            marks[LONGER, row] = 0
            marks[ONCE, row] = 0
            marks[TWICE, row] = 0
        for at in range(count):
            i = notes[at, ORDER] & INDEX_MASK
            if notes[i, SHUT] != 0:
                continue
            if snakes[i].length != size:
                size = snakes[i].length
                for row in range(height):
                    marks[LONGER, row] |= marks[ONCE, row]
                    marks[ONCE, row] = 0
            if _ask(context, i, step):
                asked = True
        if asked:
            quiet = 0
            for row in range(height):
                marks[OPEN, row] &= ~(marks[LONGER, row] | marks[ONCE, row])
        for at in range(count):
            i = notes[at, ORDER] & INDEX_MASK
            if notes[i, SHUT] != 0:
                continue
            own = SHARED + EACH * i
            new = 0
            meals = 0
            for row in range(height):
                fresh = marks[own + 2, row] & ~marks[TWICE, row]
                marks[own + (step & 1), row] |= fresh
                new += popcount(fresh)
                meals += popcount(fresh & marks[FOOD_LIES, row])
            notes[i, OWN] += new
            if meals > 0:
                found[i, MEALS] += meals
                if found[i, MEAL] == 0:
                    found[i, MEAL] = step
            if new == 0 and notes[i, OWN] <= step:
                notes[i, SHUT] = 1
                going -= 1
    for at in range(count):
        i = notes[at, ORDER] & INDEX_MASK
        own = SHARED + EACH * i
        found[i, CELLS] = max(0, notes[i, OWN] - 1)
        end = places[body_rings[i, (snakes[i].top - snakes[i].length + 1) & mask & INDEX_MASK]]
        if end >= 0:
            row = (end >> ROW_SHIFT) & INDEX_MASK
            found[i, TAIL] = ((marks[own, row] | marks[own + 1, row]) >> (end & COLUMN)) & 1
    return True


@fused
def _lay_out(state: State, context: FloodContext) -> tuple[int, int]:
    """Bodies, heads and food at the start, the living by falling length; how many, and the longest."""
    snakes, body_rings = state.snakes, state.body_rings
    places, plan, notes, marks = (
        context.places,
        context.plan,
        context.notes,
        context.marks,
    )
    height = plan[HEIGHT]
    mask = body_rings.shape[1] - 1
    constrictor = state.rules[0].constrictor != 0
    full = (1 << plan[WIDTH]) - 1
    for row in range(height):
        marks[FOOD_LIES, row] = 0
    if state.totals[0].food != 0:
        for at in range(context.meals.shape[0]):
            cell = context.meals[at] & INDEX_MASK
            if state.food[cell] != 0:
                marks[FOOD_LIES, (places[cell] >> ROW_SHIFT) & INDEX_MASK] |= 1 << (places[cell] & COLUMN)
    for row in range(height):
        marks[OPEN, row] = full & (~plan[BURNING + row] | marks[FOOD_LIES, row])
    count = 0
    bodies = 0
    for i in range(snakes.shape[0]):
        if snakes[i].cause > 0:
            continue
        length, top = snakes[i].length, snakes[i].top
        bodies = max(bodies, length)
        for k in range(length):
            marks[UNTIL, body_rings[i, (top - k) & mask & INDEX_MASK]] = 0
        at = count
        while at > 0 and snakes[notes[at - 1, ORDER] & INDEX_MASK].length < length:
            notes[at, ORDER] = notes[at - 1, ORDER]
            at -= 1
        notes[at, ORDER] = i
        count += 1
    for at in range(count):
        i = notes[at, ORDER] & INDEX_MASK
        length, top = snakes[i].length, snakes[i].top
        own = SHARED + EACH * i
        for row in range(height):
            marks[own, row] = 0
            marks[own + 1, row] = 0
        # The last segment leaves with the first step.
        for k in range(length - 1):
            cell = body_rings[i, (top - k) & mask & INDEX_MASK]
            place = places[cell]
            if place >= 0:
                marks[UNTIL, cell] = max(marks[UNTIL, cell], length - k)
                marks[OPEN, (place >> ROW_SHIFT) & INDEX_MASK] &= ~(1 << (place & COLUMN))
        place = places[snakes[i].head & INDEX_MASK]
        notes[i, OWN] = 1
        notes[i, SHUT] = snakes[i].cause != 0 or place < 0
        if place >= 0:
            marks[own, (place >> ROW_SHIFT) & INDEX_MASK] = 1 << (place & COLUMN)
    for at in range(count):
        # Heads belong to somebody, whatever leaves there.
        head = snakes[notes[at, ORDER] & INDEX_MASK].head & INDEX_MASK
        marks[UNTIL, head] = REACH + 2
        if places[head] >= 0:
            bit = 1 << (places[head] & COLUMN)
            marks[OPEN, (places[head] >> ROW_SHIFT) & INDEX_MASK] &= ~bit
            marks[FOOD_LIES, (places[head] >> ROW_SHIFT) & INDEX_MASK] &= ~bit
    return count, 1 if constrictor else bodies


@fused
def _ask(context: FloodContext, i: int, step: int) -> bool:
    """Snake `i` asks for the open cells beside those that it has since the other kind of step."""
    plan, marks = context.plan, context.marks
    height, last = plan[HEIGHT], plan[WIDTH] - 1
    full = (1 << plan[WIDTH]) - 1
    own = SHARED + EACH * i
    since = own + 1 - (step & 1)
    over = plan[WRAPPED] != 0
    any_ = 0
    for row in range(height):
        word = marks[since, row]
        fresh = (word << 1) | (word >> 1)
        if over:
            fresh |= (word >> last) | (word << last)
        above = row + 1
        if above == height:
            above = 0
        below = row - 1
        if below < 0:
            below = height - 1
        if over or above > 0:
            fresh |= marks[since, above]
        if over or row > 0:
            fresh |= marks[since, below]
        fresh &= full & marks[OPEN, row] & ~marks[LONGER, row]
        marks[TWICE, row] |= marks[ONCE, row] & fresh
        marks[ONCE, row] |= fresh
        marks[own + 2, row] = fresh
        any_ |= fresh
    return any_ != 0
