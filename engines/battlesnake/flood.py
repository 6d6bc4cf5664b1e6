"""`territory` on a board packed into two words of bits: up to 126 cells, no edge to cross, no hazard that
counts.

In a step every head changes colour (as on a chess board), so one word is enough for a snake and step.
"""

from __future__ import annotations

from engines.battlesnake.bits import popcount
from engines.battlesnake.chart import (
    CELLS,
    COLOUR,
    FULL,
    HALF,
    MEAL,
    MEALS,
    NEW,
    NOT_FIRST,
    NOT_LAST,
    ORDER,
    OWN,
    REACH,
    SHUT,
    TAIL,
    Chart,
)
from engines.battlesnake.rules import NATURAL
from engines.battlesnake.world import CAUSE, CONSTRICTOR, FOOD, HEAD, HEALTH, LENGTH, TOP, Ints, World
from engines.core.jit import fused


@fused
def flood(world: World, chart: Chart, found: Ints) -> bool:
    """Find what belongs to each living snake, in rows that are 0; False, and nothing, if one may starve."""
    count, whites = ordered(world, chart)
    bodies = lay_bodies(world, chart, count)
    if count == 2:
        return bool(_flood_two(world, chart, found, bodies))
    return bool(_flood(world, chart, found, count, whites, bodies))


@fused
def grown(word: int, colour: int, plan: Ints) -> int:
    """The neighbours, of the other colour, of cells of one colour; bits beyond the board may be set."""
    half = plan[HALF]
    if colour == 0:
        return int(
            (word & plan[NOT_LAST]) | ((word & plan[NOT_FIRST]) >> 1) | (word << half) | (word >> (half + 1))
        )
    return int(
        ((word & plan[NOT_LAST + 1]) << 1)
        | (word & plan[NOT_FIRST + 1])
        | (word << (half + 1))
        | (word >> half)
    )


@fused
def ordered(world: World, chart: Chart) -> tuple[int, int]:
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
            j = notes[at - 1, ORDER] & NATURAL
            if notes[j, COLOUR] < colour or (
                notes[j, COLOUR] == colour and world.snakes[j, LENGTH] >= length
            ):
                break
            notes[at, ORDER] = j
            at -= 1
        notes[at, ORDER] = i
        notes[i, COLOUR] = colour
        count += 1
    return count, whites


@fused
def lay_bodies(world: World, chart: Chart, count: int) -> int:
    """Fill `blocked`; the steps for which it holds anything (a constrictor's first row is for all steps)."""
    notes, places, blocked = chart.notes, chart.places, chart.blocked
    mask = world.rings.shape[1] - 1
    blocked[1, 0] = 0
    blocked[1, 1] = 0
    filled = 1  # rows 1..filled are in use
    for at in range(count):
        i = notes[at, ORDER] & NATURAL
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
def meals_lie(world: World, chart: Chart) -> tuple[int, int]:
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
def tell(
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
def lay_heads(world: World, chart: Chart, count: int) -> tuple[int, int, int, int]:
    """Give each snake its head's cell: those cells, a word of each colour; how many snakes go on from there,
    and the least health of those."""
    snakes, places, notes = world.snakes, chart.places, chart.notes
    even = 0
    odd = 0
    lean = REACH + 1
    going = 0
    for at in range(count):
        i = notes[at, ORDER] & NATURAL
        place = places[snakes[i, HEAD] & NATURAL]
        notes[i, OWN] = 0
        notes[i, OWN + 1] = 0
        if place >= 0:
            bit = 1 << (place >> 1)
            notes[i, OWN + (place & 1)] = bit
            if place & 1:
                odd |= bit
            else:
                even |= bit
        stuck = snakes[i, CAUSE] != 0 or place < 0
        notes[i, SHUT] = stuck
        if not stuck:
            going += 1
            lean = min(lean, snakes[i, HEALTH])
    return even, odd, going, lean


@fused
def _flood_two(world: World, chart: Chart, found: Ints, bodies: int) -> bool:
    """`_flood` for two living snakes, nobody being taken to starve: the same in less time."""
    snakes, places, plan, blocked = world.snakes, chart.places, chart.plan, chart.blocked
    one, two = chart.notes[0, ORDER] & NATURAL, chart.notes[1, ORDER] & NATURAL
    food_even, food_odd = meals_lie(world, chart)
    open_even, open_odd = plan[FULL], plan[FULL + 1]
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
                one_new = grown(one_even, 0, plan) & free_odd
            else:
                one_new = grown(one_odd, 1, plan) & free_even
        if two_goes:
            if (two_colour + step) & 1:
                two_new = grown(two_even, 0, plan) & free_odd
            else:
                two_new = grown(two_odd, 1, plan) & free_even
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
    tell(world, chart, found, one, one_even, one_odd, food_even, food_odd)
    tell(world, chart, found, two, two_even, two_odd, food_even, food_odd)
    found[one, MEAL], found[two, MEAL] = one_meal, two_meal
    return True


@fused
def _flood(world: World, chart: Chart, found: Ints, count: int, whites: int, bodies: int) -> bool:
    """The form for any number of snakes."""
    snakes = world.snakes
    plan, blocked, notes = chart.plan, chart.blocked, chart.notes
    food_even, food_odd = meals_lie(world, chart)
    heads_even, heads_odd, going, lean = lay_heads(world, chart, count)
    open_even, open_odd = plan[FULL] & ~heads_even, plan[FULL + 1] & ~heads_odd
    food_even &= ~heads_even
    food_odd &= ~heads_odd
    constrictor = world.rules[CONSTRICTOR] != 0
    step = 0
    quiet = 0
    while going > 0 and step < REACH and (quiet < 2 or step <= bodies + 1):
        step += 1
        if step >= lean:
            for i in range(found.shape[0]):
                found[i, MEAL] = 0
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
                i = notes[at, ORDER] & NATURAL
                if notes[i, SHUT] != 0:
                    continue
                if snakes[i, LENGTH] != size:
                    size = snakes[i, LENGTH]
                    longer |= once
                    once = 0
                fresh = grown(notes[i, OWN + 1 - colour], 1 - colour, plan)
                fresh &= free & ~longer
                twice |= once & fresh
                once |= fresh
                notes[i, NEW] = fresh
            if longer | once:
                quiet = 0
                if colour:
                    open_odd &= ~(longer | once)
                else:
                    open_even &= ~(longer | once)
            for at in range(first, end):
                i = notes[at, ORDER] & NATURAL
                if notes[i, SHUT] != 0:
                    continue
                fresh = notes[i, NEW] & ~twice
                if fresh != 0:
                    notes[i, OWN + colour] |= fresh
                    if fresh & food != 0 and found[i, MEAL] == 0:
                        found[i, MEAL] = step
                elif popcount(notes[i, OWN]) + popcount(notes[i, OWN + 1]) <= step:
                    notes[i, SHUT] = 1
                    going -= 1
    for at in range(count):
        i = notes[at, ORDER] & NATURAL
        tell(world, chart, found, i, notes[i, OWN], notes[i, OWN + 1], food_even, food_odd)
    return True
