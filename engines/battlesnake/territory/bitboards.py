"""`territory` on a board packed into two words of bits: up to 126 cells, no edge to cross, no hazard that
counts.

In a step every head changes colour (as on a chess board), so one word is enough for a snake and step.
"""

from __future__ import annotations

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, State
from engines.battlesnake.territory.bits import popcount
from engines.battlesnake.territory.body_prefixes import body, lay
from engines.battlesnake.territory.context import (
    BASE,
    CELLS,
    COLOUR,
    FULL,
    HALF,
    KEPT,
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
    FloodContext,
)
from engines.core.jit import fused


@fused
def flood(state: State, context: FloodContext, found: Ints) -> bool:
    """Find what belongs to each living snake, in rows that are 0; False, and nothing, if one may starve."""
    count, whites = ordered(state, context)
    if count == 2 and (context.plan[KEPT] != 0 or lay(state, context)):
        return bool(_flood_two(state, context, found))
    bodies = lay_bodies(state, context, count)
    return bool(_flood(state, context, found, count, whites, bodies))


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
def ordered(state: State, context: FloodContext) -> tuple[int, int]:
    """Note the living by the colour of their heads, then by falling length; how many, and of colour 0."""
    notes, places = context.notes, context.places
    count = 0
    whites = 0
    for i in range(state.snakes.shape[0]):
        # STRANDED snakes die next turn, wherever they go; but their bodies lie there.
        if state.snakes[i].cause > 0:
            continue
        place = places[state.snakes[i].head & INDEX_MASK]
        colour = place & 1
        if colour == 0:
            whites += 1
        length = state.snakes[i].length
        at = count
        while at > 0:
            j = notes[at - 1, ORDER] & INDEX_MASK
            if notes[j, COLOUR] < colour or (notes[j, COLOUR] == colour and state.snakes[j].length >= length):
                break
            notes[at, ORDER] = j
            at -= 1
        notes[at, ORDER] = i
        notes[i, COLOUR] = colour
        count += 1
    return count, whites


@fused
def lay_bodies(state: State, context: FloodContext, count: int) -> int:
    """Fill `blocked`; the steps for which it holds anything (a constrictor's first row is for all steps)."""
    notes, places, body_masks = context.notes, context.places, context.body_masks
    mask = state.body_rings.shape[1] - 1
    body_masks[1, 0] = 0
    body_masks[1, 1] = 0
    filled = 1  # rows 1..filled are in use
    for at in range(count):
        i = notes[at, ORDER] & INDEX_MASK
        length, top = state.snakes[i].length, state.snakes[i].top
        last = min(length - 1, REACH)
        for step in range(filled + 1, last + 1):
            body_masks[step, 0] = 0
            body_masks[step, 1] = 0
        filled = max(filled, last)
        even = 0
        odd = 0
        for k in range(length - 1):
            place = places[state.body_rings[i, (top - k) & mask & INDEX_MASK]]
            if place >= 0:
                bit = 1 << (place >> 1)
                if place & 1:
                    odd |= bit
                else:
                    even |= bit
            step = length - 1 - k
            if step <= REACH:
                body_masks[step, 0] |= even
                body_masks[step, 1] |= odd
    return 1 if state.rules[0].constrictor != 0 else filled


@fused
def meals_lie(state: State, context: FloodContext) -> tuple[int, int]:
    """Where food lies, a word of each colour."""
    places, meals = context.places, context.meals
    even = 0
    odd = 0
    if state.totals[0].food != 0:
        for at in range(meals.shape[0]):
            if state.food[meals[at] & INDEX_MASK] != 0:
                place = places[meals[at] & INDEX_MASK]
                if place & 1:
                    odd |= 1 << (place >> 1)
                else:
                    even |= 1 << (place >> 1)
    return even, odd


@fused
def tell(
    state: State,
    context: FloodContext,
    found: Ints,
    i: int,
    even: int,
    odd: int,
    food_even: int,
    food_odd: int,
) -> None:
    """Set a snake's findings, but for the steps to its food."""
    mask = state.body_rings.shape[1] - 1
    found[i, CELLS] = max(0, popcount(even) + popcount(odd) - 1)
    found[i, MEALS] = popcount(even & food_even) + popcount(odd & food_odd)
    last = state.snakes[i].top - state.snakes[i].length + 1
    end = context.places[state.body_rings[i, last & mask & INDEX_MASK]]
    if end >= 0:
        found[i, TAIL] = ((odd if end & 1 else even) >> (end >> 1)) & 1


@fused
def lay_heads(state: State, context: FloodContext, count: int) -> tuple[int, int, int, int]:
    """Give each snake its head's cell: those cells, a word of each colour; how many snakes go on from there,
    and the least health of those."""
    snakes, places, notes = state.snakes, context.places, context.notes
    even = 0
    odd = 0
    lean = REACH + 1
    going = 0
    for at in range(count):
        i = notes[at, ORDER] & INDEX_MASK
        place = places[snakes[i].head & INDEX_MASK]
        notes[i, OWN] = 0
        notes[i, OWN + 1] = 0
        if place >= 0:
            bit = 1 << (place >> 1)
            notes[i, OWN + (place & 1)] = bit
            if place & 1:
                odd |= bit
            else:
                even |= bit
        stuck = snakes[i].cause != 0 or place < 0
        notes[i, SHUT] = stuck
        if not stuck:
            going += 1
            lean = min(lean, snakes[i].health)
    return even, odd, going, lean


@fused
def _start(state: State, context: FloodContext, i: int) -> tuple[int, int, int]:
    """A snake's head as a bit; -1 if it goes on from there, else 0; and its head's place in its trail."""
    place = context.places[state.snakes[i].head & INDEX_MASK]
    goes = place >= 0 and state.snakes[i].cause == 0
    top = (state.snakes[i].top - context.notes[i, BASE]) & INDEX_MASK
    return 0 if place < 0 else 1 << (place >> 1), -1 if goes else 0, top


@fused
def _shut(new: int, own_x: int, own_y: int, step: int) -> bool:
    """Has a snake that comes to no more cells fewer than it has made steps?"""
    return new == 0 and popcount(own_x) + popcount(own_y) <= step


@fused
def _flood_two(state: State, context: FloodContext, found: Ints) -> bool:
    """`_flood` for two living snakes, nobody being taken to starve: the same in less time."""
    snakes, plan, trails = state.snakes, context.plan, context.trails
    one, two = context.notes[0, ORDER] & INDEX_MASK, context.notes[1, ORDER] & INDEX_MASK
    one_from, one_goes, one_top = _start(state, context, one)
    two_from, two_goes, two_top = _start(state, context, two)
    # Odd steps of the first lead from the colour y to x, even ones back.
    y = context.notes[one, COLOUR] & 1
    together = context.notes[two, COLOUR] & 1 == y
    x = 1 - y
    lean = REACH + 1
    if one_goes:
        lean = min(lean, snakes[one].health)
    if two_goes:
        lean = min(lean, snakes[two].health)
    cap = min(REACH, lean - 1)
    # Two steps after the last that brought anything, or that freed a cell of a body, nothing more comes. A
    # constrictor's body stays: its trail is read where it stands after one step.
    on, end = 1, 2 + min(REACH, max(2, snakes[one].length, snakes[two].length) - 1)
    if state.rules[0].constrictor != 0:
        on, end = 0, 3
    if one_goes | two_goes == 0:
        end = 0
    one_at, two_at = one_top - snakes[one].length + 1, two_top - snakes[two].length + 1
    lies_even, lies_odd = meals_lie(state, context)
    food_x, food_y = (lies_even, lies_odd) if y else (lies_odd, lies_even)
    one_x, one_y, two_x, two_y = 0, one_from, 0 if together else two_from, two_from if together else 0
    open_x, open_y = plan[FULL + x] & ~two_x, plan[FULL + y] & ~(one_y | two_y)
    food_x &= open_x
    food_y &= open_y
    equals = -1 if snakes[one].length == snakes[two].length else 0
    one_meal, two_meal = 0, 0
    step = 0
    while step < end and step < cap:
        step += 1
        lies = body(trails, one, x, one_at, one_top) | body(trails, two, x, two_at, two_top)
        one_new = grown(one_y, y, plan) & open_x & ~lies & one_goes
        if together:
            two_new = grown(two_y, y, plan) & open_x & ~lies & two_goes
            both = one_new & two_new
            open_x &= ~(one_new | two_new)
            one_new &= ~(both & equals)
            two_new &= ~both  # the first is the longer, or they are equals
            fresh = one_new | two_new | both
            two_x |= two_new
            food = two_new & food_x
        else:
            lies = body(trails, one, y, one_at, one_top) | body(trails, two, y, two_at, two_top)
            two_new = grown(two_x, x, plan) & open_y & ~lies & two_goes
            open_x &= ~one_new
            open_y &= ~two_new
            fresh = one_new | two_new
            two_y |= two_new
            food = two_new & food_y
        one_x |= one_new
        one_at, two_at = min(one_at + on, one_top), min(two_at + on, two_top)
        if fresh:
            end = max(end, step + 2)
        if one_meal == 0 and one_new & food_x:
            one_meal = step
        if two_meal == 0 and food:
            two_meal = step
        if _shut(one_new, one_x, one_y, step):
            one_goes = 0
        if _shut(two_new, two_x, two_y, step):
            two_goes = 0
        if one_goes | two_goes == 0 or open_x | open_y == 0:
            end = 0
        x, y = y, x
        one_x, one_y = one_y, one_x
        two_x, two_y = two_y, two_x
        open_x, open_y = open_y, open_x
        food_x, food_y = food_y, food_x
    if step < end and lean <= REACH:
        return False  # not all is told when the leanest has spent its health
    if y:
        tell(state, context, found, one, one_x, one_y, food_x, food_y)
        tell(state, context, found, two, two_x, two_y, food_x, food_y)
    else:
        tell(state, context, found, one, one_y, one_x, food_y, food_x)
        tell(state, context, found, two, two_y, two_x, food_y, food_x)
    found[one, MEAL], found[two, MEAL] = one_meal, two_meal
    return True


@fused
def _flood(state: State, context: FloodContext, found: Ints, count: int, whites: int, bodies: int) -> bool:
    """The form for any number of snakes."""
    snakes = state.snakes
    plan, body_masks, notes = context.plan, context.body_masks, context.notes
    food_even, food_odd = meals_lie(state, context)
    heads_even, heads_odd, going, lean = lay_heads(state, context, count)
    open_even, open_odd = plan[FULL] & ~heads_even, plan[FULL + 1] & ~heads_odd
    food_even &= ~heads_even
    food_odd &= ~heads_odd
    constrictor = state.rules[0].constrictor != 0
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
                free &= ~body_masks[1 if constrictor else step, colour]
            longer = 0  # got by snakes that are longer than the present one
            once = 0  # asked for by those as long
            twice = 0
            size = -1
            for at in range(first, end):
                i = notes[at, ORDER] & INDEX_MASK
                if notes[i, SHUT] != 0:
                    continue
                if snakes[i].length != size:
                    size = snakes[i].length
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
                i = notes[at, ORDER] & INDEX_MASK
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
        i = notes[at, ORDER] & INDEX_MASK
        tell(state, context, found, i, notes[i, OWN], notes[i, OWN + 1], food_even, food_odd)
    return True
