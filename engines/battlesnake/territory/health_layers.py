"""`territory` on a board packed into two words of bits where health counts: hazards that hurt, or somebody
who may starve.

What a snake can still spend falls by the same damage with every layer of hazard, so its cells stand on a
ladder: a word of each colour for those that it may come to through one layer, through two, and so on. Who has
eaten is on a second ladder of the same kind. A cell is open to a snake if it comes there from any rung alive.
"""

from __future__ import annotations

from typing import Final

from engines.battlesnake.rules import INDEX_MASK
from engines.battlesnake.state import Ints, State
from engines.battlesnake.territory.bitboards import grown, lay_bodies, lay_heads, meals_lie, ordered, tell
from engines.battlesnake.territory.bits import popcount
from engines.battlesnake.territory.context import (
    BURNING,
    CLIMB,
    DEEPEST,
    EACH_RUNG,
    FULL,
    HOT,
    MEAL,
    NEW,
    ORDER,
    OWN,
    REACH,
    RISEN,
    RISING,
    RUNGS,
    SHUT,
    TOPS,
    FloodContext,
)
from engines.core.jit import fused, inline

_EDGE: Final = 2
"""Of a rung's columns, those after its cells."""
_COMING: Final = 3


@inline
def climb(state: State, context: FloodContext, found: Ints) -> None:
    """Find what belongs to each living snake, in rows that are 0."""
    snakes = state.snakes
    plan, body_masks, notes = context.plan, context.body_masks, context.notes
    count, whites = ordered(state, context)
    bodies = lay_bodies(state, context, count)
    lies_even, lies_odd = meals_lie(state, context)
    heads_even, heads_odd, going, _ = lay_heads(state, context, count)
    open_even, open_odd = plan[FULL] & ~heads_even, plan[FULL + 1] & ~heads_odd
    food_even, food_odd = lies_even & ~heads_even, lies_odd & ~heads_odd
    rungs = plan[RUNGS]
    for at in range(count):
        i = notes[at, ORDER] & INDEX_MASK
        for column in range(2 * EACH_RUNG * rungs):
            notes[i, CLIMB + column] = 0
        notes[i, CLIMB] = notes[i, OWN]
        notes[i, CLIMB + 1] = notes[i, OWN + 1]
        notes[i, CLIMB + _EDGE] = notes[i, OWN] | notes[i, OWN + 1]
        for ladder in range(2):
            notes[i, TOPS + ladder] = 0
            notes[i, RISEN + ladder] = 1 - ladder
    constrictor = state.rules[0].constrictor != 0
    step = 0
    quiet = 0
    while going > 0 and step < REACH and (quiet < 2 or step <= bodies + 1):
        step += 1
        quiet += 1
        for group in range(2):
            first = 0 if group == 0 else whites
            end = whites if group == 0 else count
            if first == end:
                continue
            colour = (group + step) & 1
            free = open_odd if colour else open_even
            lies = lies_odd if colour else lies_even
            lain = 0  # bodies as this colour's last step found them
            if constrictor:
                free &= ~body_masks[1, colour]
            else:
                if 2 < step <= bodies + 2:
                    lain = body_masks[step - 2, colour] & free
                if step <= bodies:
                    free &= ~body_masks[step, colour]
                    lain &= ~body_masks[step, colour]
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
                own = notes[i, OWN + colour] & ~lies
                fresh = free & ~longer
                waited = 0
                if lain & fresh != 0:
                    waited = grown(lain & fresh, colour, plan)
                fresh &= _come(state, context, found, i, step, colour, fresh | own, lies, waited)
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
                if _settle(context, i, colour, fresh | (notes[i, OWN + colour] & ~lies)):
                    quiet = 0
                if fresh != 0:
                    notes[i, OWN + colour] |= fresh
                    if fresh & lies != 0 and found[i, MEAL] == 0:
                        found[i, MEAL] = step
                elif popcount(notes[i, OWN]) + popcount(notes[i, OWN + 1]) <= step:
                    notes[i, SHUT] = 1
                    going -= 1
    for at in range(count):
        i = notes[at, ORDER] & INDEX_MASK
        tell(state, context, found, i, notes[i, OWN], notes[i, OWN + 1], food_even, food_odd)
        if plan[DEEPEST] > 0:
            cold_even = plan[BURNING] | lies_even | heads_even
            cold_odd = plan[BURNING + 1] | lies_odd | heads_odd
            found[i, HOT] = popcount(notes[i, OWN] & ~cold_even) + popcount(notes[i, OWN + 1] & ~cold_odd)


@fused
def _come(
    state: State,
    context: FloodContext,
    found: Ints,
    i: int,
    step: int,
    colour: int,
    reach: int,
    lies: int,
    waited: int,
) -> int:
    """The cells of `reach` that a snake comes to alive, each noted on the rung that it is on from then on.

    It comes from where it was a step ago, and from those of its cells that it has `waited` on.
    """
    plan, notes = context.plan, context.notes
    rungs, deepest, damage = plan[RUNGS], plan[DEEPEST], state.rules[0].damage
    eaten = 0
    asked = 0
    for ladder in range(2):
        foot = CLIMB + EACH_RUNG * rungs * ladder
        spend = 100 + found[i, MEAL] if ladder else state.snakes[i].health
        risen = notes[i, RISEN + ladder]
        asking = risen if waited == 0 else (2 << notes[i, TOPS + ladder]) - 1
        rising = 0
        rung = -1
        while asking >> (rung + 1) != 0:
            rung += 1
            if (asking >> rung) & 1 == 0:
                continue
            left = spend - damage * rung - step
            if left < 0:
                break
            at = foot + EACH_RUNG * rung
            word = notes[i, at + 1 - colour] & waited
            if (risen >> rung) & 1 != 0:
                word |= notes[i, at + _EDGE]
            word = grown(word, 1 - colour, plan) & reach
            eaten |= word & lies
            word &= ~lies
            for layers in range(min(deepest, rungs - 1 - rung) + 1):
                if left <= damage * layers:
                    break
                part = word & plan[BURNING + 2 * layers + colour]
                if part != 0:
                    notes[i, at + EACH_RUNG * layers + _COMING] |= part
                    rising |= 1 << (rung + layers)
                    asked |= part
        notes[i, RISING + ladder] = rising
    if eaten != 0:
        notes[i, CLIMB + EACH_RUNG * rungs + _COMING] |= eaten
        notes[i, RISING + 1] |= 1
    return asked | eaten


@fused
def _settle(context: FloodContext, i: int, colour: int, allowed: int) -> bool:
    """Let a snake have what it asked for, where it gets it or has had it on a lower rung; is there any?"""
    notes = context.notes
    rungs = context.plan[RUNGS]
    wider = False
    better = 0
    for ladder in range(1, -1, -1):
        foot = CLIMB + EACH_RUNG * rungs * ladder
        rising = notes[i, RISING + ladder]
        risen = 0
        rung = 0
        while rising >> rung != 0:
            at = foot + EACH_RUNG * rung
            better |= notes[i, at + colour]
            if (rising >> rung) & 1 != 0:
                new = notes[i, at + _COMING] & allowed & ~better
                notes[i, at + _COMING] = 0
                if new != 0:
                    notes[i, at + _EDGE] = new
                    notes[i, at + colour] |= new
                    better |= new
                    risen |= 1 << rung
                    notes[i, TOPS + ladder] = max(rung, notes[i, TOPS + ladder])
            rung += 1
        notes[i, RISEN + ladder] = risen
        wider |= risen != 0
        # Who has just eaten can spend more than whoever has not.
        better = notes[i, foot + colour]
    return wider
