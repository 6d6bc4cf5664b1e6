"""Whose is which cell: the cells that each snake is the first to reach alive.

All snakes set out at once. At step `t` a snake comes to a cell beside one that it has, if

- nothing lies there any more: a segment leaves when its snake has moved on that far, a doubled tail one
  step later, a constrictor's never (nobody's meals on the way put that off);
- it comes alive: a step costs 1 health, hazards cost or heal by their layers, food sets health to 100;
- no longer snake comes at the same step. Of equals nobody gets the cell, and it is closed from then on;
- it has lived that long: who has fewer than `t` cells to spend `t - 1` moves in is shut in, and ends there.

A snake may wait, an even number of steps, before a cell that is not free yet.

`territory` is what searches call. It has two forms that give the same: `_flood`, on words of bits, for
boards of up to 126 cells without edges to cross or hazards that count; `_spread`, cell by cell, for all.
In a step every head changes colour (as on a chess board), so `_flood` needs one word for a snake and step.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from engines.battlesnake.bits import popcount
from engines.battlesnake.rules import NATURAL, burn
from engines.battlesnake.world import (
    CAUSE,
    CONSTRICTOR,
    DAMAGE,
    FOOD,
    HEAD,
    HEALTH,
    LENGTH,
    MARGIN,
    ROWS,
    SIGNATURE,
    STRIDE,
    TOP,
    Cells,
    Ints,
    Shorts,
    World,
)
from engines.core.jit import borrowed, fused, inline, kernel

REACH: Final = 100
"""Steps that are looked ahead."""
_BITS: Final = 63

CELLS: Final = 0
"""Cells that are the snake's, its head left out."""
HOT: Final = 1
"""Those of them where hazards take health."""
MEALS: Final = 2
"""Those of them with food."""
MEAL: Final = 3
"""Steps to the nearest of its food; 0 where it has none."""
TAIL: Final = 4
"""1 where the cell of its last segment is its own: then it can live by following itself."""
FINDINGS: Final = 5

# Rows of a chart's plan.
_FITS: Final = 0
_HALF: Final = 1
"""Half the cells of a row, rounded down; rows are made odd, so that colours alternate in the numbers too."""
_FULL: Final = 2
_NOT_FIRST: Final = 4
_NOT_LAST: Final = 6
"""From here on a word for each colour: the board, without its first column, without its last."""
_PLAN: Final = 8

# Columns of a chart's notes, a row for each snake.
_ORDER: Final = 0
_OWN: Final = 1
_FED: Final = 3
_NEW: Final = 5
_SHUT: Final = 6
_COLOUR: Final = 7
_COUNT: Final = 8
_NOTES: Final = 9

# Rows of a chart's marks, a column for each cell.
_OWNER: Final = 0
_SINCE: Final = 1
_POWER: Final = 2
"""Health on coming, plus the step: what a snake can spend from the start of the count."""
_UNTIL: Final = 3
_ASKED: Final = 4
"""The step at which the cell was last asked for; by whom, how long, with what power."""
_WHO: Final = 5
_HOW_LONG: Final = 6
_WITH: Final = 7
_EDGE: Final = 8
"""Two lists of cells, of this step and the next, and one of cells asked for."""
_MARKS: Final = 11

_NOBODY: Final = -1
_CLOSED: Final = -2


class Chart(NamedTuple):
    """What `territory` needs beside a world: the board as bits, and room to work in.

    Made once by `chart` for a root; good for every world that turns make of it, in one thread.
    Entry points take its arrays one by one, in this order (as `survey` does), and `findings`.
    """

    places: Ints
    """The number of each cell of the frame among the bits (colour: its lowest bit); -1 on the rim."""
    plan: Ints
    meals: Ints
    """Cells of the frame where food lies at the root."""
    blocked: Ints
    """For each step a word of each colour: what is still taken."""
    notes: Ints
    marks: Ints


CHART = "int64[::1], int64[::1], int64[::1], int64[:,::1], int64[:,::1], int64[:,::1]"
"""A chart's arrays in a kernel's signature."""


def chart(world: World) -> Chart:
    """The chart of a root."""
    stride, rows, margin = (int(world.rules[row]) for row in (STRIDE, ROWS, MARGIN))
    width, height = stride - 2 * margin, rows - 2 * margin
    corner = margin * stride + margin
    wrapped = int(world.exits[corner, 2]) != corner - 1
    cells = len(world.taken)
    odd = width | 1
    places = np.full(cells, -1, np.int64)
    board = [y * stride + x for y in range(margin, margin + height) for x in range(margin, margin + width)]
    for cell in board:
        places[cell] = (cell // stride - margin) * odd + cell % stride - margin
    harmless = int(world.rules[DAMAGE]) == 0 or not any(world.ground[cell] > 0 for cell in board)
    plan = np.zeros(_PLAN, np.int64)
    plan[_FITS] = not wrapped and harmless and odd * height <= 2 * _BITS
    plan[_HALF] = odd // 2
    if plan[_FITS]:
        for cell in board:
            place, column = int(places[cell]), cell % stride - margin
            word, bit = place & 1, 1 << (place >> 1)
            plan[_FULL + word] |= bit
            plan[_NOT_FIRST + word] |= bit * (column > 0)
            plan[_NOT_LAST + word] |= bit * (column < width - 1)
    meals = np.array([cell for cell in board if world.food[cell] != 0], np.int64)
    return Chart(
        places,
        plan,
        meals,
        np.zeros((REACH + 2, 2), np.int64),
        np.zeros((len(world.snakes), _NOTES), np.int64),
        np.zeros((_MARKS, cells), np.int64),
    )


def quick(chart: Chart) -> bool:
    """Is it by words of bits that cells are counted? Else it takes several times as long."""
    return bool(chart.plan[_FITS])


def findings(world: World) -> Ints:
    """An array for what `territory` finds: a row for each snake, the columns named above."""
    return np.zeros((len(world.snakes), FINDINGS), np.int64)


@fused
def territory(world: World, chart: Chart, found: Ints) -> None:
    """Find what belongs to each living snake; the rows of others are 0."""
    for i in range(found.shape[0]):
        for column in range(FINDINGS):
            found[i, column] = 0
    if chart.plan[_FITS] == 0:
        _spread(world, chart, found)
        return
    count, whites = _ordered(world, chart)
    bodies = _lay_bodies(world, chart, count)
    if count == 2:
        quick = _flood_two(world, chart, found, bodies)
    else:
        quick = _flood(world, chart, found, count, whites, bodies, False)
    if not quick:
        _flood_careful(world, chart, found, count, whites, bodies)


@fused
def _grown(word: int, colour: int, plan: Ints) -> int:
    """The neighbours, of the other colour, of cells of one colour; bits beyond the board may be set."""
    half = plan[_HALF]
    if colour == 0:
        return int(
            (word & plan[_NOT_LAST])
            | ((word & plan[_NOT_FIRST]) >> 1)
            | (word << half)
            | (word >> (half + 1))
        )
    return int(
        ((word & plan[_NOT_LAST + 1]) << 1)
        | (word & plan[_NOT_FIRST + 1])
        | (word << (half + 1))
        | (word >> half)
    )


@fused
def _ordered(world: World, chart: Chart) -> tuple[int, int]:
    """Note the living by the colour of their heads, then by falling length; how many, and of colour 0."""
    notes, places = chart.notes, chart.places
    count = 0
    whites = 0
    for i in range(world.snakes.shape[0]):
        # STRANDED snakes die next turn, wherever they go; but their bodies lie there.
        if world.snakes[i, CAUSE] > 0:
            continue
        place = places[world.snakes[i, HEAD] & NATURAL]
        colour = place & 1
        if colour == 0:
            whites += 1
        length = world.snakes[i, LENGTH]
        at = count
        while at > 0:
            j = notes[at - 1, _ORDER] & NATURAL
            if notes[j, _COLOUR] < colour or (
                notes[j, _COLOUR] == colour and world.snakes[j, LENGTH] >= length
            ):
                break
            notes[at, _ORDER] = j
            at -= 1
        notes[at, _ORDER] = i
        notes[i, _COLOUR] = colour
        count += 1
    return count, whites


@fused
def _lay_bodies(world: World, chart: Chart, count: int) -> int:
    """Fill `blocked`; the steps for which it holds anything (a constrictor's first row is for all steps)."""
    notes, places, blocked = chart.notes, chart.places, chart.blocked
    mask = world.rings.shape[1] - 1
    blocked[1, 0] = 0
    blocked[1, 1] = 0
    filled = 1  # rows 1..filled are in use
    for at in range(count):
        i = notes[at, _ORDER] & NATURAL
        length, top = world.snakes[i, LENGTH], world.snakes[i, TOP]
        last = min(length - 1, REACH)
        for step in range(filled + 1, last + 1):
            blocked[step, 0] = 0
            blocked[step, 1] = 0
        filled = max(filled, last)
        even = 0
        odd = 0
        for k in range(length - 1):
            place = places[world.rings[i, (top - k) & mask & NATURAL]]
            if place >= 0:
                bit = 1 << (place >> 1)
                if place & 1:
                    odd |= bit
                else:
                    even |= bit
            step = length - 1 - k
            if step <= REACH:
                blocked[step, 0] |= even
                blocked[step, 1] |= odd
    return 1 if world.rules[CONSTRICTOR] != 0 else filled


@fused
def _food(world: World, chart: Chart) -> tuple[int, int]:
    """Where food lies, a word of each colour."""
    places, meals = chart.places, chart.meals
    even = 0
    odd = 0
    if world.tally[FOOD] != 0:
        for at in range(meals.shape[0]):
            if world.food[meals[at] & NATURAL] != 0:
                place = places[meals[at] & NATURAL]
                if place & 1:
                    odd |= 1 << (place >> 1)
                else:
                    even |= 1 << (place >> 1)
    return even, odd


@fused
def _tell(
    world: World, chart: Chart, found: Ints, i: int, even: int, odd: int, food_even: int, food_odd: int
) -> None:
    """Set a snake's findings, but for the steps to its food."""
    mask = world.rings.shape[1] - 1
    found[i, CELLS] = max(0, popcount(even) + popcount(odd) - 1)
    found[i, MEALS] = popcount(even & food_even) + popcount(odd & food_odd)
    last = world.snakes[i, TOP] - world.snakes[i, LENGTH] + 1
    end = chart.places[world.rings[i, last & mask & NATURAL]]
    if end >= 0:
        found[i, TAIL] = ((odd if end & 1 else even) >> (end >> 1)) & 1


@fused
def _flood_two(world: World, chart: Chart, found: Ints, bodies: int) -> bool:
    """`_flood` for two living snakes, nobody being taken to starve: the same in less time."""
    snakes, places, plan, blocked = world.snakes, chart.places, chart.plan, chart.blocked
    one, two = chart.notes[0, _ORDER] & NATURAL, chart.notes[1, _ORDER] & NATURAL
    food_even, food_odd = _food(world, chart)
    open_even, open_odd = plan[_FULL], plan[_FULL + 1]
    one_even, one_odd, two_even, two_odd = 0, 0, 0, 0
    place = places[snakes[one, HEAD] & NATURAL]
    one_colour = place & 1
    one_goes = place >= 0 and snakes[one, CAUSE] == 0
    if place >= 0:
        one_even = 0 if one_colour else 1 << (place >> 1)
        one_odd = 1 << (place >> 1) if one_colour else 0
    place = places[snakes[two, HEAD] & NATURAL]
    two_colour = place & 1
    two_goes = place >= 0 and snakes[two, CAUSE] == 0
    if place >= 0:
        two_even = 0 if two_colour else 1 << (place >> 1)
        two_odd = 1 << (place >> 1) if two_colour else 0
    lean = REACH + 1
    if one_goes:
        lean = min(lean, snakes[one, HEALTH])
    if two_goes:
        lean = min(lean, snakes[two, HEALTH])
    heads = one_even | two_even
    open_even &= ~heads
    food_even &= ~heads
    heads = one_odd | two_odd
    open_odd &= ~heads
    food_odd &= ~heads
    rivals = one_colour == two_colour
    equals = snakes[one, LENGTH] == snakes[two, LENGTH]
    constrictor = world.rules[CONSTRICTOR] != 0
    one_meal, two_meal = 0, 0
    step = 0
    quiet = 0
    while (one_goes or two_goes) and step < REACH and (quiet < 2 or step <= bodies + 1):
        step += 1
        if step >= lean:
            return False
        free_even, free_odd = open_even, open_odd
        if constrictor:
            free_even &= ~blocked[1, 0]
            free_odd &= ~blocked[1, 1]
        elif step <= bodies:
            free_even &= ~blocked[step, 0]
            free_odd &= ~blocked[step, 1]
        one_new, two_new = 0, 0
        if one_goes:
            if (one_colour + step) & 1:
                one_new = _grown(one_even, 0, plan) & free_odd
            else:
                one_new = _grown(one_odd, 1, plan) & free_even
        if two_goes:
            if (two_colour + step) & 1:
                two_new = _grown(two_even, 0, plan) & free_odd
            else:
                two_new = _grown(two_odd, 1, plan) & free_even
        both = 0
        if rivals:
            both = one_new & two_new
            if not equals:  # the first is the longer
                two_new &= ~both
                both = 0
        quiet = 0 if one_new | two_new else quiet + 1
        if (one_colour + step) & 1:
            open_odd &= ~one_new
            one_new &= ~both
            one_odd |= one_new
            if one_meal == 0 and one_new & food_odd:
                one_meal = step
        else:
            open_even &= ~one_new
            one_new &= ~both
            one_even |= one_new
            if one_meal == 0 and one_new & food_even:
                one_meal = step
        if one_new == 0 and popcount(one_even) + popcount(one_odd) <= step:
            one_goes = False
        if (two_colour + step) & 1:
            open_odd &= ~two_new
            two_new &= ~both
            two_odd |= two_new
            if two_meal == 0 and two_new & food_odd:
                two_meal = step
        else:
            open_even &= ~two_new
            two_new &= ~both
            two_even |= two_new
            if two_meal == 0 and two_new & food_even:
                two_meal = step
        if two_new == 0 and popcount(two_even) + popcount(two_odd) <= step:
            two_goes = False
    _tell(world, chart, found, one, one_even, one_odd, food_even, food_odd)
    _tell(world, chart, found, two, two_even, two_odd, food_even, food_odd)
    found[one, MEAL], found[two, MEAL] = one_meal, two_meal
    return True


@fused
def _flood(
    world: World, chart: Chart, found: Ints, count: int, whites: int, bodies: int, careful: bool
) -> bool:
    """The form on words of bits. Unless `careful` nobody is taken to starve; False where one does."""
    snakes = world.snakes
    places, plan, blocked, notes = chart.places, chart.plan, chart.blocked, chart.notes
    food_even, food_odd = _food(world, chart)
    open_even, open_odd = plan[_FULL], plan[_FULL + 1]
    lean = REACH + 1
    going = 0
    for at in range(count):
        i = notes[at, _ORDER] & NATURAL
        place = places[snakes[i, HEAD] & NATURAL]
        for word in range(2):
            notes[i, _OWN + word] = 0
            notes[i, _FED + word] = 0
        if place >= 0:
            bit = 1 << (place >> 1)
            notes[i, _OWN + (place & 1)] = bit
            if place & 1:
                open_odd &= ~bit
                food_odd &= ~bit
            else:
                open_even &= ~bit
                food_even &= ~bit
        stuck = snakes[i, CAUSE] != 0 or place < 0
        notes[i, _SHUT] = stuck
        if not stuck:
            going += 1
            lean = min(lean, snakes[i, HEALTH])
    constrictor = world.rules[CONSTRICTOR] != 0
    step = 0
    quiet = 0
    while going > 0 and step < REACH and (quiet < 2 or step <= bodies + 1):
        step += 1
        if step >= lean and not careful:
            return False
        quiet += 1
        for group in range(2):
            first = 0 if group == 0 else whites
            end = whites if group == 0 else count
            if first == end:
                continue
            colour = (group + step) & 1
            free = open_odd if colour else open_even
            food = food_odd if colour else food_even
            if constrictor or step <= bodies:
                free &= ~blocked[1 if constrictor else step, colour]
            longer = 0  # got by snakes that are longer than the present one
            once = 0  # asked for by those as long
            twice = 0
            size = -1
            for at in range(first, end):
                i = notes[at, _ORDER] & NATURAL
                if notes[i, _SHUT] != 0:
                    continue
                if snakes[i, LENGTH] != size:
                    size = snakes[i, LENGTH]
                    longer |= once
                    once = 0
                fresh = _grown(notes[i, _OWN + 1 - colour], 1 - colour, plan)
                if careful and step >= snakes[i, HEALTH]:
                    fed = _grown(notes[i, _FED + 1 - colour], 1 - colour, plan)
                    fresh = fed | (fresh & food) if step == snakes[i, HEALTH] else fed
                fresh &= free & ~longer
                twice |= once & fresh
                once |= fresh
                notes[i, _NEW] = fresh
            if longer | once:
                quiet = 0
                if colour:
                    open_odd &= ~(longer | once)
                else:
                    open_even &= ~(longer | once)
            for at in range(first, end):
                i = notes[at, _ORDER] & NATURAL
                if notes[i, _SHUT] != 0:
                    continue
                fresh = notes[i, _NEW] & ~twice
                if fresh != 0:
                    notes[i, _OWN + colour] |= fresh
                    if fresh & food != 0 and found[i, MEAL] == 0:
                        found[i, MEAL] = step
                elif popcount(notes[i, _OWN]) + popcount(notes[i, _OWN + 1]) <= step:
                    notes[i, _SHUT] = 1
                    going -= 1
                if careful:
                    fed = _grown(notes[i, _FED + 1 - colour], 1 - colour, plan) & notes[i, _OWN + colour]
                    if fed & ~notes[i, _FED + colour] != 0:
                        quiet = 0
                    notes[i, _FED + colour] |= fed | (fresh & food)
    for at in range(count):
        i = notes[at, _ORDER] & NATURAL
        _tell(world, chart, found, i, notes[i, _OWN], notes[i, _OWN + 1], food_even, food_odd)
    return True


@inline
def _flood_careful(world: World, chart: Chart, found: Ints, count: int, whites: int, bodies: int) -> None:
    """Where somebody may starve; rare, so not worth being part of every kernel."""
    _flood(world, chart, found, count, whites, bodies, True)


@fused
def _come(world: World, cell: int, power: int, step: int) -> int:
    """The power of a snake that comes to a cell at a step; at most the step where it does not come alive."""
    if power < step:
        return step
    if world.food[cell] != 0:
        return 100 + step
    health, cause = burn(power - step, max(0, world.ground[cell]), world.rules[DAMAGE])
    return int(step if cause != 0 else health + step)


@fused
def _ask(world: World, marks: Ints, i: int, cell: int, power: int, step: int, asked: int) -> int:
    """Snake `i` asks for a free cell; the number of cells asked for in this step."""
    length = world.snakes[i, LENGTH]
    if marks[_ASKED, cell] != step:
        marks[_ASKED, cell] = step
        marks[_EDGE + 2, asked] = cell
        asked += 1
    elif marks[_WHO, cell] == i:
        marks[_WITH, cell] = max(marks[_WITH, cell], power)
        return asked
    elif length == marks[_HOW_LONG, cell]:
        marks[_WHO, cell] = _CLOSED
        return asked
    elif length < marks[_HOW_LONG, cell]:
        return asked
    marks[_WHO, cell] = i
    marks[_HOW_LONG, cell] = length
    marks[_WITH, cell] = power
    return asked


@inline
def _spread(world: World, chart: Chart, found: Ints) -> None:
    """The form cell by cell, from the edge of what each snake has, and where bodies have just left."""
    snakes, rings, ground, exits = world.snakes, world.rings, world.ground, world.exits
    notes, marks = chart.notes, chart.marks
    mask = rings.shape[1] - 1
    constrictor = world.rules[CONSTRICTOR] != 0
    hurts = world.rules[DAMAGE] > 0
    heals = world.rules[DAMAGE] < 0
    for cell in range(marks.shape[1]):
        marks[_OWNER, cell] = _NOBODY
        marks[_UNTIL, cell] = 0
        marks[_ASKED, cell] = 0
    going = 0
    now = 0
    bodies = 0
    for i in range(snakes.shape[0]):
        notes[i, _SHUT] = 1
        if snakes[i, CAUSE] > 0:
            continue
        length, top = snakes[i, LENGTH], snakes[i, TOP]
        bodies = max(bodies, length)
        for k in range(length):
            cell = rings[i, (top - k) & mask & NATURAL]
            until = REACH + 1 if constrictor and k < length - 1 else length - k
            marks[_UNTIL, cell] = max(marks[_UNTIL, cell], until)
        head = snakes[i, HEAD] & NATURAL
        marks[_OWNER, head] = i
        marks[_SINCE, head] = 0
        marks[_POWER, head] = snakes[i, HEALTH]
        notes[i, _COUNT] = 1
        if snakes[i, CAUSE] == 0 and ground[head] >= 0:
            notes[i, _SHUT] = 0
            going += 1
            marks[_EDGE, now] = head
            now += 1
    if constrictor:
        bodies = 1
    step = 0
    while going > 0 and step < REACH and (now > 0 or step <= bodies):
        step += 1
        edge, later = _EDGE + (step & 1 ^ 1), _EDGE + (step & 1)
        for i in range(snakes.shape[0]):
            notes[i, _NEW] = 0
        then = 0
        asked = 0
        better = 0
        for at in range(now):
            cell = marks[edge, at] & NATURAL
            i = marks[_OWNER, cell] & NATURAL
            if notes[i, _SHUT] != 0:
                continue
            for word in range(4):
                beside = exits[cell, word] & NATURAL
                if ground[beside] < 0:
                    continue
                owner = marks[_OWNER, beside]
                if owner != _NOBODY and (owner != i or world.food[beside] != 0):
                    continue
                if owner == _NOBODY:
                    if marks[_UNTIL, beside] > step:
                        continue
                elif not heals and marks[_POWER, cell] <= marks[_POWER, beside]:
                    continue
                power = _come(world, beside, marks[_POWER, cell], step)
                if power <= step:
                    continue
                if owner == _NOBODY:
                    asked = _ask(world, marks, i, beside, power, step, asked)
                elif power > marks[_POWER, beside]:
                    # Known only from the next step on: what is asked for with is of the step before.
                    if marks[_ASKED, beside] != step:
                        marks[_ASKED, beside] = step
                        marks[_WITH, beside] = power
                        better += 1
                        marks[_EDGE + 2, marks.shape[1] - better] = beside
                    else:
                        marks[_WITH, beside] = max(marks[_WITH, beside], power)
        if step <= bodies + 1:
            for j in range(snakes.shape[0]):
                if snakes[j, CAUSE] > 0:
                    continue
                # Waiting takes an even number of steps, so each is tried twice.
                for ago in range(2):
                    k = snakes[j, LENGTH] - step + ago
                    if k < 0 or k >= snakes[j, LENGTH]:
                        continue
                    cell = rings[j, (snakes[j, TOP] - k) & mask & NATURAL]
                    if marks[_UNTIL, cell] > step or marks[_OWNER, cell] != _NOBODY or ground[cell] < 0:
                        continue
                    for word in range(4):
                        beside = exits[cell, word] & NATURAL
                        i = marks[_OWNER, beside]
                        if i < 0 or notes[i & NATURAL, _SHUT] != 0:
                            continue
                        if (step - marks[_SINCE, beside]) & 1 == 0:
                            continue
                        power = _come(world, int(cell), marks[_POWER, beside], step)
                        if power > step:
                            asked = _ask(world, marks, i & NATURAL, int(cell), power, step, asked)
        for at in range(better):
            cell = marks[_EDGE + 2, marks.shape[1] - 1 - at] & NATURAL
            marks[_POWER, cell] = marks[_WITH, cell]
            marks[later, then] = cell
            then += 1
        for at in range(asked):
            cell = marks[_EDGE + 2, at] & NATURAL
            i = marks[_WHO, cell]
            marks[_OWNER, cell] = i
            if i < 0:
                continue
            marks[_SINCE, cell] = step
            marks[_POWER, cell] = marks[_WITH, cell]
            marks[later, then] = cell
            then += 1
            notes[i, _NEW] += 1
            if world.food[cell] != 0:
                found[i, MEALS] += 1
                if found[i, MEAL] == 0:
                    found[i, MEAL] = step
            elif hurts and ground[cell] > 0:
                found[i, HOT] += 1
        for i in range(snakes.shape[0]):
            notes[i, _COUNT] += notes[i, _NEW]
            if notes[i, _SHUT] == 0 and notes[i, _NEW] == 0 and notes[i, _COUNT] <= step:
                notes[i, _SHUT] = 1
                going -= 1
        now = then
    for i in range(snakes.shape[0]):
        if snakes[i, CAUSE] > 0:
            continue
        found[i, CELLS] = notes[i, _COUNT] - 1
        end = rings[i, (snakes[i, TOP] - snakes[i, LENGTH] + 1) & mask & NATURAL]
        found[i, TAIL] = ground[end] >= 0 and marks[_OWNER, end] == i


@kernel(f"void({SIGNATURE}, {CHART}, int64[:,::1])")
def survey(
    snakes: Ints,
    rings: Cells,
    taken: Shorts,
    food: Shorts,
    tally: Ints,
    ground: Shorts,
    exits: Cells,
    rules: Ints,
    places: Ints,
    plan: Ints,
    meals: Ints,
    blocked: Ints,
    notes: Ints,
    marks: Ints,
    found: Ints,
) -> None:
    """`territory`, to be called from Python: `survey(*world, *chart(world), found)`."""
    world = borrowed(World(snakes, rings, taken, food, tally, ground, exits, rules))
    territory(world, borrowed(Chart(places, plan, meals, blocked, notes, marks)), found)
