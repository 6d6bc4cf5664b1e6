"""One turn, exactly: every ruleset, any number of snakes, stacked hazards; in place, on a `World`.

The stages and their order are the official ones (docs/games/battlesnake.md). No stage walks a
body, but for a snake that is being removed or judged.
"""

from __future__ import annotations

from typing import Final

from engines.battlesnake.state import (
    BODY,
    BY,
    CAUSE,
    COLLISION,
    COLUMNS,
    CONSTRICTOR,
    DAMAGE,
    FOOD,
    HAZARD,
    HEAD,
    HEAD_ON,
    HEALTH,
    LENGTH,
    LIVING,
    OUT_OF_HEALTH,
    SELF,
    SIGNATURE,
    SOLO,
    STRANDED,
    TOP,
    WALL,
    Cells,
    Ints,
    Shorts,
    State,
)
from engines.core.jit import borrowed, fused, kernel

INDEX_MASK: Final = 0x7FFF
"""Masks an index that is never negative, which the compiler can't know: it saves a look at the sign."""


@fused
def is_over(state: State) -> bool:
    """Has the game ended?"""
    return bool(state.totals[LIVING] <= 1 - state.rules[SOLO])


@fused
def play_turn(state: State, moves: Ints) -> bool:
    """Play `words` (an index into WORDS for each row of `snakes`; the dead's are not read).

    False, and nothing happens, where the game was over before.
    """
    if is_over(state):
        return False
    snakes, body_rings, occupancy, food, totals = (
        state.snakes,
        state.body_rings,
        state.occupancy,
        state.food,
        state.totals,
    )
    hazard_layers, neighbours, rules = state.hazard_layers, state.neighbours, state.rules
    count = snakes.shape[0]
    mask = body_rings.shape[1] - 1
    eaten = False
    for i in range(count):
        status = snakes[i, CAUSE]
        if status > 0:
            continue
        head = neighbours[snakes[i, HEAD] & INDEX_MASK, moves[i] & 3]
        top = snakes[i, TOP] + 1
        body_rings[i, top & mask & INDEX_MASK] = head
        snakes[i, HEAD] = head
        snakes[i, TOP] = top
        health = snakes[i, HEALTH] - 1
        lies = hazard_layers[head]
        cause = 0
        if food[head] != 0:
            # Food is cleared away when all have moved; until then its sign tells that it goes.
            eaten = True
            servings = abs(food[head])
            food[head] = -servings
            for _ in range(servings):
                _grow(snakes, body_rings, occupancy, i)
            health = 100
        elif lies != 0:
            health, cause = apply_hazards(health, lies if lies > 0 else -1 - lies, rules[DAMAGE])
        snakes[i, HEALTH] = health
        if cause == 0:
            if health <= 0:
                cause = OUT_OF_HEALTH
            elif lies < 0 or status == STRANDED:
                cause = WALL
            else:
                occupancy[head] += 1
                continue
        snakes[i, CAUSE] = cause
        totals[LIVING] -= 1
        for k in range(1, snakes[i, LENGTH]):
            occupancy[body_rings[i, (top - k) & mask & INDEX_MASK]] -= 1
    if eaten:
        for i in range(count):
            head = snakes[i, HEAD] & INDEX_MASK
            if food[head] < 0:
                totals[FOOD] += food[head]
                food[head] = 0
    # `taken` now counts every segment of every snake still in: a head that is alone counts one.
    judged = False
    for i in range(count):
        if snakes[i, CAUSE] == 0 and occupancy[snakes[i, HEAD] & INDEX_MASK] != 1:
            judged |= _find_collision(snakes, body_rings, i)
    if judged:
        for i in range(count):
            if snakes[i, CAUSE] == 0 and snakes[i, COLLISION] != 0:
                snakes[i, CAUSE] = snakes[i, COLLISION]
                totals[LIVING] -= 1
                top = snakes[i, TOP]
                for k in range(snakes[i, LENGTH]):
                    occupancy[body_rings[i, (top - k) & mask & INDEX_MASK]] -= 1
    for i in range(count):
        if snakes[i, CAUSE] == 0:
            occupancy[body_rings[i, (snakes[i, TOP] - snakes[i, LENGTH] + 1) & mask & INDEX_MASK]] -= 1
    if rules[CONSTRICTOR] != 0:
        _apply_constrictor(state)
    return True


@fused
def _grow(snakes: Ints, body_rings: Cells, occupancy: Shorts, i: int) -> None:
    """Double the last segment."""
    mask = body_rings.shape[1] - 1
    end = snakes[i, TOP] - snakes[i, LENGTH]
    last = body_rings[i, (end + 1) & mask & INDEX_MASK]
    body_rings[i, end & mask & INDEX_MASK] = last
    occupancy[last] += 1
    snakes[i, LENGTH] += 1


@fused
def apply_hazards(health: int, layers: int, damage: int) -> tuple[int, int]:
    """Health after every layer, and HAZARD if one of them killed, else 0.

    The first layer brings health into 0..100; from there on the layers only add up.
    """
    if layers == 0:
        return health, 0
    first = max(0, min(100, health - damage))
    health = max(0, min(100, first - (int(layers) - 1) * damage))
    return health, HAZARD if first == 0 or health == 0 else 0


@fused
def _find_collision(snakes: Ints, body_rings: Cells, i: int) -> bool:
    """Set VERDICT and BY of a snake whose head meets something; False where it comes through."""
    snakes[i, COLLISION] = 0
    if _hits_body(snakes, body_rings, i, i):
        snakes[i, COLLISION] = SELF
        snakes[i, BY] = i
        return True
    by = -1
    for j in range(snakes.shape[0]):
        if j == i or snakes[j, CAUSE] != 0 or (by >= 0 and snakes[j, LENGTH] <= snakes[by, LENGTH]):
            continue
        if _hits_body(snakes, body_rings, i, j):
            by = j
    if by >= 0:
        snakes[i, COLLISION] = BODY
        snakes[i, BY] = by
        return True
    for j in range(snakes.shape[0]):
        if j == i or snakes[j, CAUSE] != 0 or snakes[j, HEAD] != snakes[i, HEAD]:
            continue
        if snakes[j, LENGTH] >= snakes[i, LENGTH] and (by < 0 or snakes[j, LENGTH] > snakes[by, LENGTH]):
            by = j
    if by >= 0:
        snakes[i, COLLISION] = HEAD_ON
        snakes[i, BY] = by
        return True
    return False


@fused
def _hits_body(snakes: Ints, body_rings: Cells, i: int, j: int) -> bool:
    """Is the head of `i` on the body of `j`, its head left out?"""
    mask = body_rings.shape[1] - 1
    head, top = snakes[i, HEAD], snakes[j, TOP]
    k = 1
    while k < snakes[j, LENGTH] and body_rings[j, (top - k) & mask & INDEX_MASK] != head:
        k += 1
    return bool(k < snakes[j, LENGTH])


@fused
def _apply_constrictor(state: State) -> None:
    """No food, full health, and a doubled last segment for every snake, the dead included."""
    snakes, body_rings, occupancy, food, totals = (
        state.snakes,
        state.body_rings,
        state.occupancy,
        state.food,
        state.totals,
    )
    mask = body_rings.shape[1] - 1
    if totals[FOOD] != 0:
        totals[FOOD] = 0
        food[:] = 0
    for i in range(snakes.shape[0]):
        snakes[i, HEALTH] = 100
        top, length = snakes[i, TOP], snakes[i, LENGTH]
        last = body_rings[i, (top - length + 1) & mask & INDEX_MASK]
        if length > 1 and body_rings[i, (top - length + 2) & mask & INDEX_MASK] == last:
            continue
        _grow(snakes, body_rings, occupancy, i)
        if snakes[i, CAUSE] != 0:
            occupancy[last] -= 1  # the dead block nobody


@fused
def _copy_all_but_rings(state: State, source: State) -> None:
    for i in range(source.snakes.shape[0]):
        for column in range(COLUMNS):
            state.snakes[i, column] = source.snakes[i, column]
    for cell in range(source.occupancy.shape[0]):
        state.occupancy[cell] = source.occupancy[cell]
        state.food[cell] = source.food[cell]
    state.totals[LIVING] = source.totals[LIVING]
    state.totals[FOOD] = source.totals[FOOD]


@fused
def copy_state(state: State, source: State) -> None:
    """Make `world` equal to `source`, whatever it held."""
    mask = source.body_rings.shape[1] - 1
    for i in range(source.snakes.shape[0]):
        top = source.snakes[i, TOP]
        for k in range(source.snakes[i, LENGTH]):
            state.body_rings[i, (top - k) & mask & INDEX_MASK] = source.body_rings[
                i, (top - k) & mask & INDEX_MASK
            ]
    _copy_all_but_rings(state, source)


@fused
def restore_state(state: State, source: State) -> None:
    """Bring a scratch copy of `source` back to it. Only turns and rewinds may have changed the copy.

    A turn writes a ring above its top, and below its end where a snake grows. So the cells of the
    source still stand in the copy's ring, unless its snake has grown or has gone once around.
    """
    mask = source.body_rings.shape[1] - 1
    for i in range(source.snakes.shape[0]):
        top, length = source.snakes[i, TOP], source.snakes[i, LENGTH]
        if state.snakes[i, LENGTH] != length or state.snakes[i, TOP] - top > mask - length:
            for k in range(length):
                state.body_rings[i, (top - k) & mask & INDEX_MASK] = source.body_rings[
                    i, (top - k) & mask & INDEX_MASK
                ]
    _copy_all_but_rings(state, source)


@kernel(f"boolean({SIGNATURE}, int64[::1])")
def play(
    snakes: Ints,
    body_rings: Cells,
    occupancy: Shorts,
    food: Shorts,
    totals: Ints,
    hazard_layers: Shorts,
    neighbours: Cells,
    rules: Ints,
    moves: Ints,
) -> bool:
    """`turn`, to be called from Python with the arrays of a world."""
    return play_turn(
        borrowed(State(snakes, body_rings, occupancy, food, totals, hazard_layers, neighbours, rules)), moves
    )
